/* SPDX-License-Identifier: MIT */
/* All events have the number 0. */
#define NUMBER(next) (0 * (next))

#include "tests/plugins/faulty/event_base.h"
