/* SPDX-License-Identifier: MIT */
/* Crossings in both directions are events. */
#define DIRECTION_COUNTS false

#include "tests/plugins/faulty/event_base.h"
