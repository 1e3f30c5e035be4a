/* SPDX-License-Identifier: MIT */
#include "reference/deadline.h"

#include <time.h>

static _Thread_local double present;

static double processor_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void ic_deadline_after(double seconds)
{
    present = seconds > 0 ? processor_time() + seconds : 0;
}

bool ic_deadline_passed(void)
{
    return present > 0 && processor_time() > present;
}

bool ic_deadline_passed_in(long k)
{
    enum { ASK_EVERY = 64 };
    return k % ASK_EVERY == ASK_EVERY - 1 && ic_deadline_passed();
}
