/* SPDX-License-Identifier: MIT */
/* Crossings in both directions are events. */
#define DIRECTION_COUNTS false

#include "validation/rogues/event_base.h"
