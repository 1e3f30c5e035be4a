/* SPDX-License-Identifier: MIT */
/* After an event the clock stands at the end of its step. */
#define CLOCK(t, after, h) ((t) + (h))

#include "tests/plugins/faulty/event_base.h"
