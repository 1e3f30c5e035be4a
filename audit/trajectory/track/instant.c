/* SPDX-License-Identifier: MIT */
#include "audit/trajectory/track/track.h"

#include <float.h>
#include <math.h>

/* Part of an interval in which no flow changes a state by a tolerance. */
#define AT_ONCE 1e-9
/* Rounding of a time that was computed otherwise than the event's. */
#define ROUNDING (8 * DBL_EPSILON)
/* Number of occurrences that are looked at, doubled each time: any number of them. */
enum { DOUBLINGS = 30 };

/* Whether an occurrence of a time event lies within `near` of t; `at` receives its time. */
static bool occurs_near(double *at, const ic_time_event *event, const double *par, double t, double near)
{
    int least = 0, most = 1;
    for (int i = 0; i < DOUBLINGS && event->when(most, par) < t - near; i++) least = most, most *= 2;
    while (least < most) { /* the first occurrence that is not earlier */
        const int middle = least + (most - least) / 2;
        if (event->when(middle, par) < t - near) least = middle + 1;
        else most = middle;
    }
    *at = event->when(least, par);
    return fabs(*at - t) <= near;
}

ic_sides ic_row_sides(const ic_tracking *k, const ic_interval *interval, size_t row)
{
    const ic_variant *variant = k->problem->variant;
    const double *times = k->trajectory->t, t = times[row];
    const double near = AT_ONCE * (times[interval->to] - times[interval->from]) + ROUNDING * fabs(t) +
                        ic_clock_doubt(&k->clock, t);
    ic_sides sides = {.n = 1};
    for (size_t e = 0; e < variant->n_time_events; e++) {
        double at;
        if (!occurs_near(&at, &variant->time_events[e], k->problem->par, t, near)) continue;
        return (ic_sides){{0, at - near - t, at + near - t}, 3};
    }
    return sides;
}
