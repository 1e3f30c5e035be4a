/* SPDX-License-Identifier: MIT */
/* Right except for one system, on which it computes for ever: the processor time shows it on a loaded machine, too. */
#include "tests/plugins/faulty/dormand_prince.h"

#include <string.h>

static inline void compute_for_ever(void)
{
    for (volatile unsigned long turns = 0;;) turns = turns + 1;
}

#define STEP(x1, s, h) dormand_prince(x1, s, h)
#define CONTROL IC_CONTROL_RTOL
#define PROPOSE(s, h)                                                                                          \
    (strcmp((s)->problem->system->name, "brief-ledge") == 0 ? compute_for_ever() : (void)0,                    \
     dormand_prince_step(s, h))
#define ORDER 5

#include "tests/plugins/faulty/event_base.h"
