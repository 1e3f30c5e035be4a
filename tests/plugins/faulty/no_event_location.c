/* SPDX-License-Identifier: MIT */
/* Events are taken at the end of their step. */
#define CROSSES_AT(s, guard, side, a, b, h) (h)

#include "tests/plugins/faulty/event_base.h"
