/* SPDX-License-Identifier: MIT */
/* It takes a tolerance, and a thousand steps. */
#define PROPOSE(s, h) fmin(h, 1e-3 * ((s)->problem->t_end - (s)->problem->t_start))
#define CONTROL IC_CONTROL_RTOL

#include "tests/plugins/faulty/event_base.h"
