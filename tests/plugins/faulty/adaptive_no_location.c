/* SPDX-License-Identifier: MIT */
/* Adaptive steps; events are taken at the end of the step in which they are seen. */
#define CROSSES_AT(s, guard, side, a, b, h) (h)

#include "tests/plugins/faulty/adaptive_base.h"
