/* SPDX-License-Identifier: MIT */
/*
 * Velocities that are differences of positions are wrong beside an event. The case is therefore followed across it:
 * from two rows before it, whose positions give the velocity, to the last row before the next event.
 */
#include "audit/common/tolerances.h"
#include "audit/trajectory/checks/checks.h"

#include <math.h>
#include <stdlib.h>

enum { BEFORE = 2, LEAST_AFTER = 2, MOST_AFTER = 8, ROUNDS = 3, ROUNDS_OF_VALUE = 5 };

/* Accuracies by which a position is off. */
#define CLEARLY 3.0

static bool is_quiet(const ic_interval *in)
{
    return in->explanation < IC_UNHELD && !in->doubtful && !ic_interval_has_event(in);
}

/* The last of the intervals that follow an event without another one; the event's own: too few do. */
static size_t last_after(const ic_tracking *k, size_t i)
{
    size_t last = i;
    while (last + 1 < k->n_intervals && last < i + MOST_AFTER && is_quiet(&k->intervals[last + 1]) &&
           k->intervals[last + 1].from == k->intervals[last].to)
        last++;
    return last < i + LEAST_AFTER ? i : last;
}

/* Velocities with which the case leads from one row of positions to the next. */
static bool aim(double *x, const ic_predictor *predictor, const ic_tracking *k, const ic_interval *in)
{
    const ic_trajectory *tr = k->trajectory;
    const double *goal = &tr->x[in->to * tr->n_states], t0 = tr->t[in->from], t1 = tr->t[in->to];
    ic_prediction end = {.good = true};
    for (int round = 0; round < ROUNDS && end.good; round++) {
        ic_predict(&end, predictor, false, t0, x, in->mode, t1);
        for (size_t v = 0; v < tr->n_states && end.good; v++) {
            const size_t position = ic_position_of(k->problem, v);
            if (tr->source[v] == IC_FROM_DIFFERENCES && position < tr->n_states)
                x[v] += (goal[position] - end.x[position]) / (t1 - t0);
        }
    }
    return end.good;
}

typedef struct across {
    const ic_tracking *k;

    /* events across which the case was followed, and those behind which the rows are elsewhere */
    size_t judged, wrong;

    /* of the first wrong one: the interval, the state and how far it is off, in its unit; its time, s */
    size_t interval, state;
    double difference, t;
} across;

/* Compares the positions in a row with those to which the case leads. */
static void compare(across *a, const ic_prediction *end, size_t i, size_t row, double farther)
{
    const ic_tracking *k = a->k;
    const ic_trajectory *tr = k->trajectory;
    double most = 1;
    a->judged++;
    for (size_t j = 0; j < tr->n_states; j++) {
        if (tr->source[j] != IC_FROM_FILE || !ic_state_is_position(k->problem, j)) continue;
        const double difference = tr->x[row * tr->n_states + j] - end->x[j];
        const double off = fabs(difference) / (CLEARLY * k->accept * k->range[j] +
                                               ic_tolerance_noise.value * farther * k->noise[j]);
        if (off <= most) continue;
        most = off;
        if (a->wrong == 0) a->interval = i, a->state = j, a->difference = difference, a->t = end->t_event;
    }
    a->wrong += most > 1;
}

/* Follows a case across the event of interval i, if the rows beside it show what it does; *end receives where it leads. */
static void judge(across *a, ic_prediction *end, const ic_predictor *predictor, size_t i)
{
    const ic_tracking *k = a->k;
    const double *t = k->trajectory->t;
    const size_t last = last_after(k, i);
    double x[IC_MAX_STATES];
    end->good = false;
    if (i < BEFORE || last == i) return;
    for (size_t before = i - BEFORE; before < i; before++) {
        if (!is_quiet(&k->intervals[before]) || k->intervals[before].to != k->intervals[before + 1].from)
            return;
    }
    const ic_interval *first = &k->intervals[i - BEFORE];
    const double t0 = t[first->from], t1 = t[k->intervals[last].to];
    ic_interval_state(x, k, first);
    if (!aim(x, predictor, k, first)) return;
    ic_predict(end, predictor, true, t0, x, first->mode, t1);
    if (end->good && end->events == k->intervals[i].due)
        compare(a, end, i, k->intervals[last].to, 1 + 2 * (t1 - t0) / (t[first->to] - t0));
}

static across judge_all(const ic_tracking *k, const ic_predictor *predictor)
{
    across a = {.k = k};
    ic_prediction end;
    for (size_t i = 0; i < k->n_intervals; i++) {
        if (k->intervals[i].due > 0 && k->intervals[i].explanation == IC_BY_GUARDS)
            judge(&a, &end, predictor, i);
    }
    return a;
}

/* The value of a parameter with which the case leads to the first wrong row, by secants. */
static double find_value(const across *a, const ic_predictor *predictor, double *par, size_t p)
{
    const double delta = par[p] != 0 ? 1e-3 * par[p] : 1e-3;
    for (int round = 0; round < ROUNDS_OF_VALUE; round++) {
        across here = {.k = a->k}, moved = {.k = a->k};
        ic_prediction end, other;
        judge(&here, &end, predictor, a->interval);
        par[p] += delta;
        judge(&moved, &other, predictor, a->interval);
        par[p] -= delta;
        if (!end.good || !other.good) return NAN;
        if (here.wrong == 0) break;
        par[p] += delta * here.difference / (other.x[here.state] - end.x[here.state]);
        if (!isfinite(par[p])) return NAN;
    }
    return par[p];
}

/* Names one parameter with which no event is wrong, a coefficient of restitution before others. */
static void name_parameter(ic_finding *f, const across *a)
{
    const ic_tracking *k = a->k;
    const ic_case *system = k->problem->system;
    ic_problem problem = *k->problem;
    ic_predictor predictor;
    double *par = ic_own_parameters(&problem);
    for (size_t i = 0; par != NULL && i < 2 * system->n_parameters && f->cause == IC_NO_MISTAKE; i++) {
        const size_t p = i % system->n_parameters;
        const double given = k->problem->par[p];
        const ic_parameter_fit fit = {.name = system->parameters[p].name, .parameter = p};
        const bool restitution = ic_parameter_is_restitution(&fit, k->problem);
        if (system->parameters[p].range[0] == '{' || !ic_predictor_open(&predictor, &problem, problem.variant))
            continue;
        if (restitution != (i < system->n_parameters)) continue;
        const double value = find_value(a, &predictor, par, p);
        const across all = judge_all(k, &predictor);
        if (isfinite(value) && ic_parameter_may_be(&system->parameters[p], given, value) && all.wrong == 0 &&
            all.judged >= a->judged) {
            f->cause = restitution ? IC_MISTAKE_RESTITUTION_WRONG : IC_MISTAKE_PARAMETER_WRONG;
            ic_finding_append(f, "; with %s = %.4g in place of %.6g all are explained", fit.name, value, given);
        }
        par[p] = given;
    }
    free(par);
}

void ic_audit_across(ic_findings *findings, const ic_tracking *k)
{
    size_t due = 0;
    for (size_t i = 0; i < k->n_intervals && ic_has_source(k, IC_FROM_DIFFERENCES); i++)
        due += k->intervals[i].due > 0;
    if (due == 0) return;
    const across a = judge_all(k, &k->predictor);
    ic_finding f = ic_finding_of(&ic_row_check_across, k, (double)a.wrong, 0, "events");
    ic_finding_set_origin(&f, "none; positions count from %g times %s on", CLEARLY,
                          ic_accuracy_origin(&ic_tolerance_accuracy, k->accept).text);
    if (a.wrong > 0) {
        ic_finding_describe(&f, "%zu of %zu events, as at t = %.9g s, behind which %s is off by %.4g %s",
                            a.wrong, a.judged, a.t, k->problem->system->states[a.state].name, a.difference,
                            k->problem->system->states[a.state].unit);
        name_parameter(&f, &a);
    } else if (a.judged == 0)
        ic_finding_leave_open(
            &f, "no event has enough rows on both sides; velocities, or closer rows, would decide");
    ic_findings_add(findings, &f);
}
