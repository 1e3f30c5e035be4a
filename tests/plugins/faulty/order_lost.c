/* SPDX-License-Identifier: MIT */
/* All stages are taken along the slope at the beginning: the method claims order 4 and has order 2.
 */
#include "tests/plugins/faulty/first_slope.h"

#define STEP(x1, s, h) first_slope(x1, s, h)

#include "tests/plugins/faulty/event_base.h"
