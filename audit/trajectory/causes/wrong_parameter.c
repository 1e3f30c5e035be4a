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

enum { STEPS = 4, PHASES = 8, NAMED = 3, MOST_ASKED = 60, FEW = 16, MANY_STATES = 8, PLACES = 8 };

/* Relative accuracy at which a factor is recognised. */
#define NEARLY 0.02
/* Share of the intervals that another parameter may leave beyond the best one to be named beside it. */
#define AS_WELL 0.02
/* Part of the intervals that the case leaves which a value that explains some rows may leave of all. */
#define FEWER 0.9
/* A factor that is 0. */
#define NOTHING 1e-6
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

static double share_wrong_of(const correction_search *s, const ic_trajectory *rows)
{
    const ic_correction shift = {.kind = IC_CORRECT_TIME, .shift = s->shift};
    ic_trajectory part;
    if (!ic_correct_rows(&part, rows, &shift)) return 1;
    const double share = ic_share_wrong(&part, &s->problem, s->k, s->k->noise);
    ic_trajectory_close(&part);
    return share;
}

static double share_wrong(const correction_search *s)
{
    return share_wrong_of(s, &s->part);
}

static bool is_enough(double wrong, double before)
{
    return wrong < 1 - IC_ROWS_EXPLAINED && wrong <= ic_tolerance_parameter_leaves.value * before;
}

static bool value_explains_rows(const correction_search *s, double before)
{
    return is_enough(share_wrong(s), before);
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

bool ic_is_of_friction(const ic_problem *problem, const char *parameter)
{
    const size_t i = ic_parameter_find(problem->system, parameter);
    if (i == problem->system->n_parameters || strcmp(problem->system->parameters[i].unit, "1") != 0)
        return false;
    const char *meaning = problem->system->parameters[i].meaning;
    return strncmp(parameter, "mu", 2) == 0 || (meaning != NULL && strstr(meaning, "friction") != NULL);
}

/* By how much a rate changes if a state changes by its range, in an interval: at a start, much is 0. */
static double effect(const ic_tracking *k, const ic_interval *at, const ic_problem *problem, size_t state,
                     size_t rate)
{
    double x[IC_MAX_STATES], before[IC_MAX_STATES], after[IC_MAX_STATES];
    const ic_mode *mode = &problem->variant->modes[at->mode];
    ic_interval_state(x, k, at);
    mode->flow(before, k->trajectory->t[at->from], x, problem->par);
    x[state] += k->range[state];
    mode->flow(after, k->trajectory->t[at->from], x, problem->par);
    return after[rate] - before[rate];
}

/* Whether a velocity hangs on the coordinate of another body in an interval, and does less so without a term. */
static bool couples(const ic_tracking *k, const ic_interval *at, const ic_problem *without)
{
    const size_t n = k->trajectory->n_states;
    bool found = false;
    for (size_t i = 0; i < n * n && !found; i++) {
        const size_t v = i / n, x = i % n;
        const char *unit = k->problem->system->states[v].unit;
        const bool is_velocity = strcmp(unit, "m/s") == 0 || strcmp(unit, "rad/s") == 0;
        /* sides of kinks and elements, without a unit, are no coordinates */
        if (!is_velocity || v == x || strcmp(k->problem->system->states[x].unit, "1") == 0 ||
            fabs(effect(k, at, k->problem, v, x) - k->range[v]) <= NOTHING * k->range[v])
            continue;
        const double with = effect(k, at, k->problem, x, v), then = effect(k, at, without, x, v);
        found = fabs(with - then) > NEARLY * (fabs(with) + fabs(then));
    }
    return found;
}

bool ic_is_coupling(const ic_tracking *k, const ic_problem *without)
{
    bool found = false;
    for (size_t i = 1; i < PLACES && !found && without->system->n_states == k->trajectory->n_states; i++)
        found = couples(k, &k->intervals[i * k->n_intervals / PLACES], without);
    return found;
}

/* The mistake of a parameter with another value than the case's. */
static ic_mistake_id mistake_of(correction_search *s, size_t parameter, double value)
{
    const ic_parameter *p = &s->problem.system->parameters[parameter];
    const double factor = value / s->par[parameter];
    if (s->par[parameter] == 0) return IC_MISTAKE_PARAMETER_WRONG;
    if (fabs(factor) < NOTHING) {
        s->par[parameter] = value;
        const bool coupling = ic_is_coupling(s->k, &s->problem);
        s->par[parameter] = value / factor;
        return ic_is_of_friction(&s->problem, p->name) ? IC_MISTAKE_FRICTIONLESS
               : coupling                              ? IC_MISTAKE_COUPLING_LOST
                                                       : IC_MISTAKE_TERM_MISSING;
    }
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

static bool is_frequency(const char *unit)
{
    return strcmp(unit, "rad/s") == 0 || strcmp(unit, "Hz") == 0 || strcmp(unit, "1/s") == 0;
}

static bool is_length(const char *unit)
{
    return strcmp(unit, "m") == 0 || strcmp(unit, "rad") == 0;
}

/*
 * Fit one parameter in place. With many states only if a first step is promising; `now`: present
 * distance of the rows.
 */
static void fit_parameter(correction_search *s, size_t i, double now, double before)
{
    const double value = s->par[i], magnitude = value != 0 ? fabs(value) : 1;
    /* a frequency in turns per second or minute, and what is counted twice or by half, are too far off for iterations */
    static const double factors[] = {2, 1.0 / 2, 2 * M_PI, 1 / (2 * M_PI), M_PI / 30, 30 / M_PI};
    const char *unit = s->problem.system->parameters[i].unit;
    const size_t n = is_frequency(unit) ? IC_COUNT(factors) : is_length(unit) ? 2 : 0;
    for (size_t k = 0; k < n; k++) {
        s->par[i] = factors[k] * value;
        if (value_explains_rows(s, before)) return;
        s->par[i] = value;
    }
    if (s->problem.system->n_states <= MANY_STATES || is_promising(s, &s->par[i], magnitude, now))
        iterate_newton(s, &s->par[i], magnitude);
}

/* A value of a parameter that explains the rows, and the share of the intervals that it leaves. */
typedef struct explanation {
    size_t parameter;
    double value, left;
} explanation;

/* Fits a parameter; whether it explains the rows, and may be wrong. */
static bool try_parameter(correction_search *s, explanation *found, double now, double before)
{
    const ic_parameter *p = &s->problem.system->parameters[found->parameter];
    double *number = &s->par[found->parameter];
    const double value = *number;
    fit_parameter(s, found->parameter, now, before);
    found->value = *number;
    const bool right = found->value != value && isfinite(found->value) &&
                       ic_parameter_may_be(p, value, found->value) &&
                       !ic_parameter_is_no_mass(p, value, found->value) &&
                       !ic_parameter_fits_exclude(s->fits, p->name, found->value - value);
    found->left = right ? share_wrong(s) : 1;
    *number = value;
    return right && is_enough(found->left, before);
}

/* Inserts an explanation among the best ones, that which leaves least first. */
static void insert(explanation *all, size_t *n, explanation one)
{
    size_t at = *n < NAMED ? (*n)++ : NAMED - 1;
    for (; at > 0 && all[at - 1].left > one.left; at--) all[at] = all[at - 1];
    if (*n < NAMED || at < NAMED - 1 || one.left < all[at].left) all[at] = one;
}

/* Whether a value leaves less of all rows than the case does: it may explain some and lose others. */
static bool leaves_less(correction_search *s, const explanation *one)
{
    const double value = s->par[one->parameter];
    s->par[one->parameter] = one->value;
    const double left = ic_share_wrong(s->k->trajectory, &s->problem, s->k, s->k->noise);
    s->par[one->parameter] = value;
    return left * (double)s->k->n_intervals < FEWER * (double)ic_tracking_count(s->k, IC_UNEXPLAINED);
}

/* Try each parameter; those that explain the rows about as well as the best are named. */
static ic_mistake_id try_parameters(correction_search *s, double before, char *detail, size_t size)
{
    const ic_parameter *parameters = s->problem.system->parameters;
    explanation all[NAMED] = {{0}};
    size_t n = 0, untried = s->problem.system->n_parameters;
    const double now = row_distance(s);
    detail[0] = '\0';
    for (size_t i = 0; i < untried; i++) {
        explanation one = {.parameter = i};
        if (parameters[i].range[0] == '{' || ic_parameter_repeats(parameters, i)) continue;
        if (ic_effort_is_spent(s->k->began)) untried = i;
        else if (try_parameter(s, &one, now, before)) insert(all, &n, one);
    }
    if (n > 0 && !leaves_less(s, &all[0])) n = 0;
    for (size_t i = 0; i < n && all[i].left <= all[0].left + AS_WELL; i++)
        ic_text_append(detail, size, "%s%s = %.6g in place of %.6g%s", i > 0 ? ", or " : "With ",
                       parameters[all[i].parameter].name, all[i].value, s->par[all[i].parameter],
                       i > 0 ? "" : " the rows are explained");
    if (untried < s->problem.system->n_parameters)
        ic_text_append(detail, size, "%sparameters from %s on were not tried, after %g s", n > 0 ? "; " : "",
                       parameters[untried].name, IC_MOST_EFFORT);
    return n > 0 ? mistake_of(s, all[0].parameter, all[0].value) : IC_NO_MISTAKE;
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
        const bool right = fabs(s->shift) > 1e-6 * period && value_explains_rows(s, before) &&
                           share_wrong_of(s, s->k->trajectory) < 1 - IC_ROWS_EXPLAINED;
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
