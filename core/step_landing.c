/* SPDX-License-Identifier: MIT */
/* Landing on an event: the end of the step is moved to it. */
#include "core/numbers.h"
#include "core/step_parts.h"

#include <math.h>

/*
 * Ratio of successive corrections. At a zero of order m they shrink by (m - 1)/m: from SLOW (order
 * 2, with a margin) to NOT_SHRINKING, above which there is no zero.
 */
#define SLOW 0.45
#define NOT_SHRINKING 0.95
/*
 * If Newton corrects the location on the interpolant by more than this fraction of a step, the
 * crossing is not simple.
 */
#define LONGEST_CORRECTION 0.1
/*
 * An event within this part of a step before its end is near the end: the error of Simpson's rule for the state,
 * 1/2880 times the fifth power of this, is 3e-8 of that of a step as long.
 */
#define NEAR_END 0.15
/*
 * The error by slopes is about that of the interpolant times the part d/h of a step of length h that it covers, if
 * the slopes change with the state at a rate of 1/h. It must be below this part of the tolerance.
 */
#define MOST_SLOPES 0.05
/* The interpolant must be off by less than this part of the motion: states may be far smaller than the tolerance. */
#define SLOPES_RESOLVED 1e-3
/* A state may be moved along its slope if the curvature changes it by at most this part of its tolerance. */
#define SLIDING 1e-3

/*
 * Newton's correction. If the last two corrections shrink geometrically, the sum of their series.
 */
static double newton_correction(double g, double rate, double *last)
{
    const double correction = g == 0 ? 0 : -g / rate; /* infinite if the rate vanishes */
    const double ratio = *last != 0 ? correction / *last : 0;
    const bool slow = ratio > SLOW && ratio < NOT_SHRINKING;
    *last = slow ? 0 : correction;
    return slow ? correction / (1 - ratio) : correction;
}

ic_status ic_land_by_steps(ic_phase *phase, double t0, double longest, double *t, ic_retake *retake,
                           ic_slide *slide, void *self)
{
    const size_t i = (size_t)phase->fired;
    const double located = *t;
    double last = 0, least = INFINITY, nearest = located;
    const double *x = retake(self, *t - t0);
    for (int attempt = 0; attempt < IC_STEP_MOST_CORRECTIONS; attempt++) {
        const double g = ic_phase_guard(phase, i, *t, x);
        const double rate = ic_phase_guard_rate(phase, i, *t, x);
        if (!isfinite(g) || !isfinite(rate)) return IC_NOT_FINITE;
        if (fabs(g) < least) least = fabs(g), nearest = *t;
        const double correction = newton_correction(g, rate, &last);
        phase->work->root_iterations++;
        if (fabs(correction) <= phase->options->event_tol) return IC_OK;
        if (!(fabs(*t + correction - located) <= LONGEST_CORRECTION * longest) || !(*t + correction > t0)) {
            retake(self, located - t0);
            *t = located;
            return ic_log_note(phase->log, IC_NOTE_GRAZING, located, ic_phase_guard_name(phase, i));
        }
        *t += correction;
        x = slide != NULL ? slide(self, correction) : NULL;
        if (x == NULL) x = retake(self, *t - t0);
    }
    /* Corrections between the two ends of a short excursion do not converge. */
    *t = nearest;
    retake(self, *t - t0);
    return IC_OK;
}

bool ic_slide_state(const ic_phase *phase, double d, const double *before, const double *slope, double since,
                    double *x)
{
    const double factor = 0.5 * d * d / since, most = SLIDING * phase->options->rtol;
    for (size_t j = 0; j < phase->n; j++) {
        if (!(fabs(factor * (slope[j] - before[j])) <= most * (phase->scale[j] + fabs(x[j])))) return false;
    }
    for (size_t j = 0; j < phase->n; j++) x[j] += d * slope[j];
    return true;
}

/* An end of a step, with the slope there. */
typedef struct step_end {
    double t;
    const double *x, *slope;
} step_end;

/* A rule of Lobatto on [0, 1]: the weight of both ends, and places and weights inside. */
typedef struct lobatto_rule {
    double of_ends;
    int n_inside;
    double at[3], weight[3];
} lobatto_rule;

static const lobatto_rule simpson = {1. / 6, 1, {1. / 2}, {2. / 3}};
static const lobatto_rule five_points = {
    1. / 20, 3, {0.17267316464601143, 1. / 2, 0.82732683535398857}, {49. / 180, 16. / 45, 49. / 180}};

/*
 * The state x at t by slopes at states of the interpolant, over the part d/h of the step from one of its ends.
 * `slope` is then that at t, `before` the last one inside. Returns whether it is close to the interpolant.
 */
static bool integrate_slopes(const ic_phase *phase, const ic_step *step, const step_end *end,
                             const lobatto_rule *rule, double t, double *before, double *slope, double *x)
{
    const double d = t - end->t, part = fabs(d) / (step->t1 - step->t0), rtol = phase->options->rtol;
    double sum[IC_MAX_STATES], off = 0, moved = 0;
    for (size_t j = 0; j < phase->n; j++) sum[j] = rule->of_ends * end->slope[j];
    for (int k = 0; k < rule->n_inside; k++) {
        step->interpolate(step->self, end->t + rule->at[k] * d, x);
        ic_phase_flow(phase, before, end->t + rule->at[k] * d, x);
        for (size_t j = 0; j < phase->n; j++) sum[j] += rule->weight[k] * before[j];
    }
    step->interpolate(step->self, t, x);
    ic_phase_flow(phase, slope, t, x);
    for (size_t j = 0; j < phase->n; j++) {
        const double move = d * (sum[j] + rule->of_ends * slope[j]), unit = 1 / (phase->scale[j] + fabs(x[j]));
        const double apart = fabs(end->x[j] + move - x[j]) * unit;
        if (!(apart <= off)) off = apart;
        if (fabs(move) * unit > moved) moved = fabs(move) * unit;
        x[j] = end->x[j] + move;
    }
    return off <= rtol && off * part <= MOST_SLOPES * rtol && off <= SLOPES_RESOLVED * moved;
}

bool ic_land_by_slopes(ic_phase *phase, const ic_step *step, const double *start_slope, const double *end_slope,
                       bool inside, double *t, double *x)
{
    const size_t i = (size_t)phase->fired;
    const double located = *t, h = step->t1 - step->t0;
    const bool late = step->t1 - located <= located - step->t0;
    const step_end end =
        late ? (step_end){step->t1, step->x1, end_slope} : (step_end){step->t0, step->x0, start_slope};
    const double d = located - end.t, part = fabs(d) / h;
    const bool near = late && part <= NEAR_END;
    const lobatto_rule *rule = near ? &simpson : &five_points;
    const double since = d * (1 - rule->at[rule->n_inside - 1]);
    double slope[IC_MAX_STATES], before[IC_MAX_STATES], last = 0;
    if (!(near || inside)) return false;
    if (!integrate_slopes(phase, step, &end, rule, located, before, slope, x)) return false;
    for (int attempt = 0; attempt < IC_STEP_MOST_CORRECTIONS; attempt++) {
        const double g = ic_phase_guard(phase, i, *t, x), rate = ic_phase_guard_rate(phase, i, *t, x);
        const double correction = newton_correction(g, rate, &last);
        phase->work->root_iterations++;
        if (fabs(correction) <= phase->options->event_tol) return true;
        if (!ic_slide_state(phase, correction, before, slope, since, x)) break;
        *t += correction;
    }
    *t = located;
    return false;
}
