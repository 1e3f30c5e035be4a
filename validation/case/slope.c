/* SPDX-License-Identifier: MIT */
/**
 * Derivatives of a case's functions along its flow, by central differences on three nested steps,
 * extrapolated twice:
 *
 *     D(h) = (g(t + h, x + h f) - g(t - h, x - h f))/2h = g' + a h^2 + b h^4 + ...,
 *     R(h) = (4 D(h/2) - D(h))/3,     S = (16 R(h/2) - R(h))/15 = g' + O(h^6).
 *
 * |S - R(h/2)| + |R(h/2) - R(h)| is far above the error of S for a smooth g. It bounds that error
 * where a derivative of g has a kink as well: for g like |s|^(5/2), the energy of a contact at its
 * onset, S is off by 0.04 D(h), and the bound is 0.1 D(h). A kink of g itself at the very state is
 * as far from one side as from the other, and D does not see it. The second difference does,
 *
 *     K(h) = (g(t + h, x + h f) - 2 g(t, x) + g(t - h, x - h f))/2h = g'' h/2 + O(h^3),
 *     2 K(h/2) - K(h) = O(h^3),
 *
 * where the last is the kink's size if there is one.
 */
#include "core/names.h"
#include "validation/case/judge.h"

#include <math.h>

/*
 * The longest step, relative to the time in which a state changes by its scale: h^4 is some 1e-11,
 * rounding 1e-16/h some 1e-13.
 */
#define STEP 2e-3
/*
 * A slope with a larger relative error is computed again with a step of the typical time: the
 * fastest state need not affect g.
 */
#define WELL_KNOWN 1e-9

/* A function along the straight line in the direction of the flow. */
typedef struct sample_line {
    const ic_judge *judge;
    ic_state_function *function;
    const ic_point *at;
    const double *f;

    /* at the state itself */
    double value;

    /* greatest magnitude found */
    double size;
} sample_line;

/* rate of the fastest state relative to its size, 1/s */
static double fastest(const ic_judge *judge, const double *f, const double *x)
{
    double most = 0;
    for (size_t i = 0; i < judge->problem->system->n_states; i++)
        most = fmax(most, fabs(f[i]) / (judge->scale[i] + fabs(x[i])));
    return most + 1 / judge->time_scale;
}

static double value_ahead(sample_line *l, double h)
{
    double x[IC_MAX_STATES];
    for (size_t i = 0; i < l->judge->problem->system->n_states; i++) x[i] = l->at->x[i] + h * l->f[i];
    const double g = l->function(l->at->t + h, x, l->judge->problem->par);
    l->size = fmax(l->size, fabs(g));
    return g;
}

typedef struct differences {
    /* D and K */
    double first, second;
} differences;

static differences compute_differences(sample_line *l, double h)
{
    const double ahead = value_ahead(l, h), behind = value_ahead(l, -h);
    return (differences){(ahead - behind) / (2 * h), (ahead - 2 * l->value + behind) / (2 * h)};
}

static ic_slope extrapolate_slope(sample_line *l, double h)
{
    l->size = fabs(l->value);
    const differences d1 = compute_differences(l, h), d2 = compute_differences(l, h / 2),
                      d3 = compute_differences(l, h / 4);
    const double r1 = (4 * d2.first - d1.first) / 3, r2 = (4 * d3.first - d2.first) / 3;
    const double value = (16 * r2 - r1) / 15, kink = fabs(2 * d3.second - d2.second);
    const double rounding = IC_SUMMATION / h;
    return (ic_slope){value, fabs(value - r2) + fabs(r2 - r1) + kink + rounding * l->size, rounding};
}

ic_slope ic_slope_along(const ic_judge *judge, const ic_mode *mode, ic_state_function *function,
                        const ic_point *at)
{
    double f[IC_MAX_STATES];
    mode->flow(f, at->t, at->x, judge->problem->par);
    sample_line l = {.judge = judge, .function = function, .at = at, .f = f};
    l.value = function(at->t, at->x, judge->problem->par);
    const ic_slope slope = extrapolate_slope(&l, STEP / fastest(judge, f, at->x));
    if (slope.error <= WELL_KNOWN * (fabs(slope.value) + l.size / judge->time_scale)) return slope;
    const ic_slope longer = extrapolate_slope(&l, STEP * judge->time_scale);
    return longer.error < slope.error ? longer : slope;
}

void ic_changes_by_scale(double *by_scale, const ic_judge *judge, ic_state_function *function,
                         const ic_point *at)
{
    const double step = 1e-6; /* of a scale; only the direction and the magnitude are needed */
    ic_point moved = *at;
    for (size_t i = 0; i < judge->problem->system->n_states; i++) {
        by_scale[i] = 0;
        if (ic_state_is_discrete(judge->problem->system, i)) continue;
        const double h = step * (judge->scale[i] + fabs(at->x[i]));
        moved.x[i] = at->x[i] + h;
        const double ahead = function(at->t, moved.x, judge->problem->par);
        moved.x[i] = at->x[i] - h;
        by_scale[i] = (ahead - function(at->t, moved.x, judge->problem->par)) / (2 * h) * judge->scale[i];
        moved.x[i] = at->x[i];
    }
}

ic_reach ic_reach_of(const ic_judge *judge, const ic_mode *mode, ic_state_function *function,
                     const ic_point *at)
{
    ic_reach reach = {0};
    double f[IC_MAX_STATES] = {0}, by_scale[IC_MAX_STATES];
    mode->flow(f, at->t, at->x, judge->problem->par);
    ic_changes_by_scale(by_scale, judge, function, at);
    for (size_t i = 0; i < judge->problem->system->n_states; i++) {
        if (!isfinite(by_scale[i])) continue; /* at the edge of the function's domain */
        reach.of_scales += fabs(by_scale[i]);
        reach.of_flow += fabs(by_scale[i] * f[i]) / judge->scale[i];
    }
    return reach;
}
