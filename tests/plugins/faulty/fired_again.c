/* SPDX-License-Identifier: MIT */
/* After its own jump the guard is still at zero, and fires a second time. */
#define TIMES_FOUND 2

#include "tests/plugins/faulty/event_base.h"
