/* SPDX-License-Identifier: MIT */
/* Right except for one system, on which it never returns. */
#include "tests/plugins/faulty/dormand_prince.h"

#include <string.h>
#include <time.h>

static inline void wait_for_ever(void)
{
    const struct timespec second = {.tv_sec = 1};
    for (;;) nanosleep(&second, NULL);
}

#define STEP(x1, s, h) dormand_prince(x1, s, h)
#define CONTROL IC_CONTROL_RTOL
#define PROPOSE(s, h)                                                                                          \
    (strcmp((s)->problem->system->name, "brief-ledge") == 0 ? wait_for_ever() : (void)0,                       \
     dormand_prince_step(s, h))
#define ORDER 5

#include "tests/plugins/faulty/event_base.h"
