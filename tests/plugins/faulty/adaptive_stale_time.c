/* SPDX-License-Identifier: MIT */
/* Adaptive steps; after an event the clock stands at the end of its step. */
#define CLOCK(t, after, h) ((t) + (h))

#include "tests/plugins/faulty/adaptive_base.h"
