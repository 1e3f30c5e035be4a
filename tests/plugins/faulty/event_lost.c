/* SPDX-License-Identifier: MIT */
/* An event is where the product of the values at both ends is negative: one on the end is none. */
#define AT_ZERO(side) 0

#include "tests/plugins/faulty/event_base.h"
