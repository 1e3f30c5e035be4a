/* SPDX-License-Identifier: MIT */
/*
 * The rate of a guard is the derivative of its value along the mode's flow, at random states and at
 * those of the run.
 */
#include "validation/case/judge.h"

#include <math.h>
#include <stdio.h>

/* A derivative with a larger error, relative to the greatest derivative, is ignored: there is a kink. */
#define DECIDES 1e-3
enum { SEEN = 8, POINTS = IC_JUDGE_POINTS + SEEN };

typedef struct pair {
    ic_point at;
    double rate;
    ic_slope slope;
} pair;

static size_t take_points(ic_judge *judge, const ic_mode *mode, int number, const ic_guard *guard, pair *pairs)
{
    size_t n = 0;
    for (int k = 0; k < IC_JUDGE_POINTS; k++) pairs[n++].at = judge->anywhere[k];
    while (n < POINTS && ic_point_of_mode(judge, number, NULL, &pairs[n].at)) n++;
    for (size_t i = 0; i < n; i++) {
        pairs[i].rate = guard->rate(pairs[i].at.t, pairs[i].at.x, judge->problem->par);
        pairs[i].slope = ic_slope_along(judge, mode, guard->value, &pairs[i].at);
    }
    return n;
}

/* The magnitude to which rounding of a rate is relative. */
static double greatest_rate(const ic_judge *judge, const ic_guard *guard, const pair *pairs, size_t n)
{
    double size = 0;
    for (size_t i = 0; i < n; i++) {
        const double g = guard->value(pairs[i].at.t, pairs[i].at.x, judge->problem->par);
        const double here = fabs(pairs[i].slope.value) + fabs(g) / judge->time_scale;
        if (isfinite(here)) size = fmax(size, here);
    }
    return size;
}

static bool judge_guard(ic_judge *judge, const ic_mode *mode, int number, const ic_guard *guard)
{
    const ic_place place = {mode, guard, NULL};
    pair pairs[POINTS];
    char where[160], remark[256];
    const size_t n = take_points(judge, mode, number, guard, pairs);
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
        for (size_t i = 0; i < variant->modes[m].n_guards; i++) {
            if (!judge_guard(judge, &variant->modes[m], (int)m, &variant->modes[m].guards[i])) return false;
        }
    }
    return true;
}
