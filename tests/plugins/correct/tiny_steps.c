/* SPDX-License-Identifier: MIT */
/* Takes half of the requested step. */
#define NAME "tiny-steps"
#define CONTROL IC_CONTROL_STEP
#define PROPOSE(s, h) (0.5 * (h))

#include "tests/plugins/faulty/event_base.h"
