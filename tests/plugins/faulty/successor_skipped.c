/* SPDX-License-Identifier: MIT */
/* After its jump a guard is not looked at until the end of a step. */
#define LEARNS_SIDE_LATE true
#define PARTS 1

#include "tests/plugins/faulty/event_base.h"
