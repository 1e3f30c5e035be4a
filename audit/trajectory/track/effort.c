/* SPDX-License-Identifier: MIT */
#include "audit/trajectory/track/track.h"

#include <time.h>

double ic_effort_now(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

bool ic_effort_is_spent(double began)
{
    return ic_effort_now() - began > IC_EFFORT_MOST;
}
