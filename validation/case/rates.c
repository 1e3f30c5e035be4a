/* SPDX-License-Identifier: MIT */
/*
 * The rate of a guard is the derivative of its value along the mode's flow, at random states and at
 * those of the run.
 */
#include "validation/case/judge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/*
 * A derivative with a larger error, relative to the greatest derivative, is ignored: there is a
 * kink.
 */
#define DECIDES 1e-3
enum { SEEN = 8, POINTS = IC_JUDGE_POINTS + SEEN };

typedef struct rate_pair {
    ic_point at;
    double rate;
    ic_slope slope;
} rate_pair;

/* At random states, and at states that the mode reaches. */
static size_t take_points(ic_judge *judge, int mode, ic_point *points)
{
    size_t n = IC_JUDGE_POINTS;
    memcpy(points, judge->anywhere, sizeof judge->anywhere);
    while (n < POINTS && ic_point_of_mode(judge, mode, NULL, NULL, &points[n])) n++;
    return n;
}

/* The magnitude to which rounding of a rate is relative. */
static double greatest_rate(const ic_judge *judge, const ic_guard *guard, const rate_pair *pairs, size_t n)
{
    double size = 0;
    for (size_t i = 0; i < n; i++) {
        const double g = guard->value(pairs[i].at.t, pairs[i].at.x, judge->problem->par);
        const double here = fabs(pairs[i].slope.value) + fabs(g) / judge->time_scale;
        if (isfinite(here)) size = fmax(size, here);
    }
    return size;
}

static bool judge_guard(ic_judge *judge, const ic_mode *mode, const ic_guard *guard, const ic_point *points,
                        size_t n)
{
    const ic_place place = {mode, guard, NULL};
    rate_pair pairs[POINTS];
    char where[160], remark[256];
    for (size_t i = 0; i < n; i++) {
        const double *x = points[i].x;
        pairs[i] = (rate_pair){points[i], guard->rate(points[i].t, x, judge->problem->par),
                               ic_slope_along(judge, mode, guard->value, &points[i])};
    }
    const double size = greatest_rate(judge, guard, pairs, n);
    size_t decided = 0;
    for (size_t i = 0; i < n; i++) {
        const ic_slope slope = pairs[i].slope;
        if (!(slope.error <= DECIDES * size)) continue;
        decided++;
        if (!ic_judge_equal(judge, &place, &pairs[i].at, "its rate is its derivative along the flow", "rate",
                            pairs[i].rate, "derivative", slope.value,
                            ic_tolerance_case_rate.value * size + 4 * slope.error))
            return false;
    }
    if (decided > 0) return true;
    ic_place_write(where, sizeof where, judge, &place);
    snprintf(remark, sizeof remark, "the rate of %s: no smooth, finite derivative at %zu states", where, n);
    ic_remark(judge->notes, judge->notes_size, remark);
    return true;
}

bool ic_judge_rates(ic_judge *judge)
{
    const ic_variant *variant = judge->problem->variant;
    for (size_t m = 0; m < variant->n_modes; m++) {
        const ic_mode *mode = &variant->modes[m];
        ic_point points[POINTS];
        const size_t n = mode->n_guards > 0 ? take_points(judge, (int)m, points) : 0;
        for (size_t i = 0; i < mode->n_guards; i++) {
            if (!judge_guard(judge, mode, &mode->guards[i], points, n)) return false;
        }
    }
    return true;
}
