/* SPDX-License-Identifier: MIT */
/* The time that is told for the end is that of the step before. */
#define END_TIME(t, h) ((t) - (h))

#include "tests/plugins/faulty/event_base.h"
