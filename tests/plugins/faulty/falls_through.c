/* SPDX-License-Identifier: MIT */
/* Bounces that accumulate have no limit, and one that is over within a step is not seen. */
#define LEFT 0
#define LEARNS_SIDE_LATE true

#include "tests/plugins/faulty/event_base.h"
