/* SPDX-License-Identifier: MIT */
/* A guard that has the same sign at both ends of a step has not crossed zero. */
#define PARTS 1
#define LOOKS_FOR_PAIRS false

#include "tests/plugins/faulty/event_base.h"
