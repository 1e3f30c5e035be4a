/* SPDX-License-Identifier: MIT */
/* event_base.h with adaptive steps. */
#include "tests/plugins/faulty/dormand_prince.h"

#define STEP(x1, s, h) dormand_prince(x1, s, h)
#define CONTROL IC_CONTROL_RTOL
#ifndef PROPOSE
#define PROPOSE(s, h) dormand_prince_step(s, h)
#endif
#define ORDER 5

#include "tests/plugins/faulty/event_base.h"
