/* SPDX-License-Identifier: MIT */
/*
 * For unexplained rows: would another value of one parameter p explain them? The prediction x of an
 * interval depends smoothly on p, so that each interval and state proposes a change of (row -
 * x)/(dx/dp). The median of these changes, weighted by the dependence, is insensitive to events and
 * to rows of another mode. After some such steps all rows are followed again.
 */
#include "audit/common/tolerances.h"
#include "audit/trajectory/checks/checks.h"
#include "core/model.h"
#include "core/parameters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 4, PHASES = 8, NAMED = 3, MOST_ASKED = 60, FEW = 16, MANY_STATES = 8 };

/* Relative accuracy at which a factor is recognised. */
#define NEARLY 0.02
/* The same for factors between units that are no powers of ten. */
#define NEARLY_UNIT 1e-4

typedef struct correction_search {
    const ic_tracking *k;
    /* Fits to all rows, which may exclude a parameter that explains a few. */
    const ic_parameter_fits *fits;
    ic_trajectory part;

    /* Some of the rows, tracked with the parameters of the case. */
    ic_tracking tracked;

    /* The problem with other parameters. */
    ic_problem problem;

    double *par;

    /* Shift of time, s. */
    double shift;

    ic_weighted *proposals;
} correction_search;

static void predict_interval(ic_prediction *p, const correction_search *s, const ic_predictor *predictor,
                             const ic_interval *interval)
{
    double x[IC_MAX_STATES];
    ic_interval_state(x, &s->tracked, interval);
    ic_predict(p, predictor, true, s->part.t[interval->from] + s->shift, x, interval->mode,
               s->part.t[interval->to] + s->shift);
}

/*
 * The change of a number, a parameter or the shift of time, that the intervals propose; 0: none
 * depends on it.
 */
static double propose_change(correction_search *s, double *number, double delta, size_t most)
{
    ic_predictor predictor;
    size_t count = 0;
    const double kept = *number;
    if (!ic_predictor_open(&predictor, &s->problem, s->problem.variant)) return 0;
    const size_t stride = s->tracked.n_intervals / most + 1;
    for (size_t i = 0; i < s->tracked.n_intervals; i += stride) {
        const ic_interval *interval = &s->tracked.intervals[i];
        const double *x = &s->part.x[interval->to * s->part.n_states];
        ic_prediction here, moved;
        predict_interval(&here, s, &predictor, interval);
        *number = kept + delta;
        predict_interval(&moved, s, &predictor, interval);
        *number = kept;
        if (!here.good || !moved.good) continue;
        for (size_t j = 0; j < s->part.n_states; j++) {
            const double slope = (moved.x[j] - here.x[j]) / delta;
            if (s->part.source[j] == IC_FROM_TRACKING || fabs(slope * delta) < 1e-12 * s->k->range[j]) continue;
            s->proposals[count++] = (ic_weighted){(x[j] - here.x[j]) / slope, fabs(slope) / s->k->tolerance[j]};
        }
    }
    return count > 0 ? ic_weighted_median(s->proposals, count) : 0;
}

static double share_wrong(const correction_search *s)
{
    const ic_correction shift = {.kind = IC_CORRECT_TIME, .shift = s->shift};
    ic_trajectory part;
    if (!ic_correct_rows(&part, &s->part, &shift)) return 1;
    const double share = ic_share_wrong(&part, &s->problem, s->k, s->k->noise);
    ic_trajectory_close(&part);
    return share;
}

static bool value_explains_rows(const correction_search *s, double before)
{
    const double wrong = share_wrong(s);
    return wrong < 1 - IC_ROWS_EXPLAINED && wrong <= ic_tolerance_parameter_leaves.value * before;
}

/* Newton's iteration from the present value. */
static void iterate_newton(correction_search *s, double *number, double scale)
{
    for (int step = 0; step < STEPS; step++) {
        const double change = propose_change(s, number, 1e-4 * scale, MOST_ASKED);
        if (change == 0 || !isfinite(change)) return;
        *number += change;
        if (fabs(change) < 1e-6 * scale) return;
    }
}

/*
 * Median distance, in tolerances, of the case with its present parameters from the rows of a few
 * intervals.
 */
static double row_distance(const correction_search *s)
{
    ic_predictor predictor;
    double values[FEW + 1];
    size_t n = 0;
    if (!ic_predictor_open(&predictor, &s->problem, s->problem.variant)) return INFINITY;
    const size_t stride = s->tracked.n_intervals / FEW + 1;
    for (size_t i = 0; i < s->tracked.n_intervals && n < FEW; i += stride) {
        const ic_interval *interval = &s->tracked.intervals[i];
        ic_prediction p;
        size_t worst;
        predict_interval(&p, s, &predictor, interval);
        values[n++] = ic_interval_defect(&s->tracked, interval, &p, &worst);
    }
    return ic_audit_median(values, n);
}

/*
 * Whether one Newton step brings a few intervals nearer to the rows. If it does not, the number is
 * not the wrong one, and the expensive iteration is skipped. This matters for systems with many
 * states and parameters.
 */
static bool is_promising(correction_search *s, double *number, double scale, double before)
{
    const double nearer = 0.7, kept = *number;
    const double change = propose_change(s, number, 1e-4 * scale, FEW);
    if (change == 0 || !isfinite(change)) return false;
    *number += change;
    const double after = row_distance(s);
    *number = kept;
    return after <= nearer * before;
}

/* ---- naming the parameter */

static bool is_near(double factor, double value)
{
    return fabs(factor / value - 1) < NEARLY;
}

static ic_mistake_id mistake_of(const ic_parameter *p, double factor)
{
    const double power = log10(fabs(factor));
    const bool gravity = strcmp(p->unit, "m/s^2") == 0, damping = strstr(p->unit, "N s/m") != NULL;
    if (is_near(factor, -1))
        return gravity ? IC_MISTAKE_GRAVITY_SIGN : damping ? IC_MISTAKE_DAMPING_SIGN : IC_MISTAKE_SIGN_REVERSED;
    if (damping && (is_near(factor, 2) || is_near(factor, 0.5))) return IC_MISTAKE_DAMPING_FACTOR_TWO;
    if (factor > 0 && fabs(power) > 0.5 && fabs(power - round(power)) < NEARLY / log(10))
        return IC_MISTAKE_UNITS_MIXED;
    /* other factors are no powers of ten: a value that is one of them by chance is not */
    if (ic_misread_unit(factor, NEARLY_UNIT) != NULL) return IC_MISTAKE_UNITS_MIXED;
    return IC_MISTAKE_PARAMETER_WRONG;
}

/*
 * Fit one parameter in place. With many states only if a first step is promising; `now`: present
 * distance of the rows.
 */
static void fit_parameter(correction_search *s, size_t i, double now, double before)
{
    const double value = s->par[i], magnitude = value != 0 ? fabs(value) : 1;
    /* a frequency in turns per second is too far off for iterations */
    for (int turns = 0; turns < 2 && strcmp(s->problem.system->parameters[i].unit, "rad/s") == 0; turns++) {
        s->par[i] = turns == 0 ? 2 * M_PI * value : value / (2 * M_PI);
        if (value_explains_rows(s, before)) return;
        s->par[i] = value;
    }
    if (s->problem.system->n_states <= MANY_STATES || is_promising(s, &s->par[i], magnitude, now))
        iterate_newton(s, &s->par[i], magnitude);
}

/* Try each parameter; all that explain the rows, and may be wrong, are named. */
static ic_mistake_id try_parameters(correction_search *s, double before, char *detail, size_t size)
{
    const ic_case *system = s->problem.system;
    ic_mistake_id mistake = IC_NO_MISTAKE;
    size_t named = 0;
    detail[0] = '\0';
    const double now = row_distance(s);
    for (size_t i = 0; i < system->n_parameters && named < NAMED; i++) {
        const double value = s->par[i];
        const bool choice = system->parameters[i].range[0] == '{';
        if (choice || ic_parameter_repeats(system->parameters, i)) continue;
        if (ic_effort_is_spent(s->k->began)) {
            ic_text_append(detail, size, "%sparameters from %s on were not tried, after %g s",
                           named > 0 ? "; " : "", system->parameters[i].name, IC_MOST_EFFORT);
            break;
        }
        fit_parameter(s, i, now, before);
        const double found = s->par[i];
        const bool right = found != value && isfinite(found) &&
                           ic_in_range(system->parameters[i].range, found) &&
                           !ic_parameter_is_immovable(&system->parameters[i], value, found) &&
                           !ic_parameter_fits_exclude(s->fits, system->parameters[i].name, found - value) &&
                           value_explains_rows(s, before);
        s->par[i] = value;
        if (!right) continue;
        const double factor = found / value;
        if (named == 0)
            mistake = value != 0 ? mistake_of(&system->parameters[i], factor) : IC_MISTAKE_PARAMETER_WRONG;
        ic_text_append(detail, size, "%s%s = %.6g in place of %.6g%s", named > 0 ? ", or " : "With ",
                       system->parameters[i].name, found, value, named > 0 ? "" : " the rows are explained");
        named++;
    }
    return mistake;
}

/* Appends the phase that does the same as a shift of time, if the case has one. */
static void offer_phase(correction_search *s, double before, double period, char *detail, size_t size)
{
    const ic_case *system = s->problem.system;
    const double turn = 2 * M_PI, shift = s->shift;
    for (size_t i = 0; i < system->n_parameters; i++) {
        const double kept = s->par[i];
        if (strcmp(system->parameters[i].unit, "rad") != 0) continue;
        s->par[i] += turn * shift / period;
        s->par[i] -= turn * floor(s->par[i] / turn + 0.5);
        s->shift = 0;
        const double phase = s->par[i];
        if (value_explains_rows(s, before))
            ic_text_append(detail, size, "; so they are with %s = %.6g in place of %.6g",
                           system->parameters[i].name, phase, kept);
        s->par[i] = kept;
        s->shift = shift;
    }
}

/* Try shifts of time for a forced case. */
static bool try_times(correction_search *s, double before, char *detail, size_t size, ic_correction *correction)
{
    const double period = ic_forcing_period(&s->problem);
    if (!isfinite(period)) return false;
    for (int i = 0; i < PHASES && !ic_effort_is_spent(s->k->began); i++) {
        s->shift = i * period / PHASES;
        iterate_newton(s, &s->shift, period);
        s->shift -= period * floor(s->shift / period + 0.5);
        const bool right = fabs(s->shift) > 1e-6 * period && value_explains_rows(s, before);
        if (right) {
            snprintf(detail, size,
                     "With %.6g s added to t (up to whole periods of the forcing) the rows are explained",
                     s->shift);
            offer_phase(s, before, period, detail, size);
            *correction = (ic_correction){.kind = IC_CORRECT_TIME, .shift = s->shift};
        }
        s->shift = 0;
        if (right) return true;
    }
    return false;
}

ic_mistake_id ic_find_wrong_parameter(const ic_tracking *k, const ic_parameter_fits *fits, size_t centre,
                                      char *detail, size_t size, ic_correction *correction)
{
    const size_t states = k->problem->system->n_states;
    correction_search s = {.k = k, .fits = fits, .problem = *k->problem};
    const ic_trajectory_options options = {.accept = k->accept, .time_scale = k->time_scale};
    ic_mistake_id mistake = IC_NO_MISTAKE;
    s.par = ic_own_parameters(&s.problem);
    if (s.par != NULL && ic_copy_some_rows(&s.part, k, centre)) {
        if (ic_track(&s.tracked, &s.part, k->problem, k->noise, &options)) {
            const double before = share_wrong(&s);
            s.proposals = malloc((s.tracked.n_intervals * states + 1) * sizeof *s.proposals);
            if (s.proposals != NULL) {
                if (try_times(&s, before, detail, size, correction)) mistake = IC_MISTAKE_TIME_SHIFTED;
                else mistake = try_parameters(&s, before, detail, size);
            }
            free(s.proposals);
            ic_tracking_close(&s.tracked);
        }
        ic_trajectory_close(&s.part);
    }
    free(s.par);
    return mistake;
}
