/* SPDX-License-Identifier: MIT */
/* Right except for one system, on which it computes for ever: the processor time shows it on a loaded machine, too. */
#include "tests/plugins/faulty/dormand_prince.h"

/* The trap brief-ledge, which has no name here. */
static inline bool is_that_one(const ic_problem *p)
{
    const ic_mode *mode = p->variant->modes;
    return p->system->n_states == 3 && p->system->n_parameters == 0 && p->t_end == 2 && mode->n_guards == 1 &&
           mode->guards[0].direction == 0;
}

static inline void compute_for_ever(void)
{
    for (volatile unsigned long turns = 0;;) turns = turns + 1;
}

#define STEP(x1, s, h) dormand_prince(x1, s, h)
#define CONTROL IC_CONTROL_RTOL
#define PROPOSE(s, h) (is_that_one((s)->problem) ? compute_for_ever() : (void)0, dormand_prince_step(s, h))
#define ORDER 5

#include "tests/plugins/faulty/event_base.h"
