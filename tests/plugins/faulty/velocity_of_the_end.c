/* SPDX-License-Identifier: MIT */
/* The time of an impact is located, but the velocity is that at the end of the step. */
#define STATE_AT(x, s, h, u, x1) memcpy(x, x1, sizeof(double[IC_MAX_STATES]))

#include "tests/plugins/faulty/event_base.h"
