/* SPDX-License-Identifier: MIT */
#include "reference/deadline.h"

#include <time.h>

static _Thread_local double present;

double ic_processor_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void ic_deadline_set(double deadline)
{
    present = deadline;
}

bool ic_deadline_passed(void)
{
    return present > 0 && ic_processor_time() > present;
}

bool ic_deadline_passed_in(long k)
{
    enum { ASK_EVERY = 64 };
    return k % ASK_EVERY == ASK_EVERY - 1 && ic_deadline_passed();
}
