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

typedef struct across {
    const ic_tracking *k;

    /* of each velocity; n_states: the state is none */
    const size_t *position;

    /* events across which the case was followed, and those behind which the rows are elsewhere */
    size_t judged, wrong;

    /* of the first wrong one: the interval, the state and how far it is off, in its unit; its time, s */
    size_t interval, state;
    double difference, t;
} across;

/* Velocities with which a case leads from one row of positions to the next. */
static bool aim(double *x, const across *a, const ic_predictor *predictor, const ic_interval *in)
{
    const ic_trajectory *tr = a->k->trajectory;
    const double *goal = &tr->x[in->to * tr->n_states], t0 = tr->t[in->from], t1 = tr->t[in->to];
    ic_prediction end = {.good = true};
    for (int round = 0; round < ROUNDS && end.good; round++) {
        ic_predict(&end, predictor, false, t0, x, in->mode, t1);
        for (size_t v = 0; v < tr->n_states && end.good; v++) {
            const size_t position = a->position[v];
            if (tr->source[v] == IC_FROM_DIFFERENCES && position < tr->n_states)
                x[v] += (goal[position] - end.x[position]) / (t1 - t0);
        }
    }
    return end.good;
}

/* Compares the positions in a row with those to which the case leads. */
static void compare(across *a, const ic_prediction *end, size_t i, size_t row, double farther)
{
    const ic_tracking *k = a->k;
    const ic_trajectory *tr = k->trajectory;
    double most = 1;
    a->judged++;
    for (size_t v = 0; v < tr->n_states; v++) {
        const size_t j = a->position[v];
        if (j == tr->n_states || tr->source[j] != IC_FROM_FILE) continue;
        const double difference = tr->x[row * tr->n_states + j] - end->x[j];
        const double off = fabs(difference) / (CLEARLY * k->accept * k->range[j] +
                                               ic_tolerance_noise.value * farther * k->noise[j]);
        if (off <= most) continue;
        most = off;
        if (a->wrong == 0) a->interval = i, a->state = j, a->difference = difference, a->t = end->t_event;
    }
    a->wrong += most > 1;
}

/* Follows a case across the event of interval i, if the rows beside it show what it does. *end: where it leads. */
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
    if (!aim(x, a, predictor, first)) return;
    ic_predict(end, predictor, true, t0, x, first->mode, t1);
    if (end->good && end->events == k->intervals[i].due)
        compare(a, end, i, k->intervals[last].to, 1 + 2 * (t1 - t0) / (t[first->to] - t0));
}

static void judge_all(across *a, const ic_predictor *predictor)
{
    const ic_interval *intervals = a->k->intervals;
    ic_prediction end;
    for (size_t i = 0; i < a->k->n_intervals; i++) {
        if (intervals[i].due > 0 && intervals[i].explanation == IC_BY_GUARDS) judge(a, &end, predictor, i);
    }
}

/* The value of a parameter with which the case leads to the first wrong row, by secants. */
static double find_value(const across *a, const ic_predictor *predictor, double *par, size_t p)
{
    const double delta = par[p] != 0 ? 1e-3 * par[p] : 1e-3;
    for (int round = 0; round < ROUNDS_OF_VALUE; round++) {
        across here = *a, moved = *a;
        ic_prediction end, other;
        here.wrong = moved.wrong = 0;
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

/* Names one parameter with which no event is wrong: a coefficient of restitution, or another one. */
static void name_parameter(ic_finding *f, const across *a, bool restitution)
{
    const ic_tracking *k = a->k;
    const ic_case *system = k->problem->system;
    ic_problem problem = *k->problem;
    ic_predictor predictor;
    double *par = ic_own_parameters(&problem);
    const bool good = par != NULL && ic_predictor_open(&predictor, &problem, problem.variant);
    for (size_t p = 0; good && p < system->n_parameters && f->cause == IC_NO_MISTAKE; p++) {
        const double given = k->problem->par[p];
        const char *name = system->parameters[p].name;
        if (system->parameters[p].range[0] == '{' ||
            restitution != ic_parameter_is_restitution(name, k->problem))
            continue;
        const double value = find_value(a, &predictor, par, p);
        across all = *a;
        all.judged = all.wrong = 0;
        judge_all(&all, &predictor);
        if (isfinite(value) && ic_parameter_may_be(&system->parameters[p], given, value) && all.wrong == 0 &&
            all.judged >= a->judged) {
            f->cause = restitution ? IC_MISTAKE_RESTITUTION_WRONG : IC_MISTAKE_PARAMETER_WRONG;
            ic_finding_append(f, "; with %s = %.4g in place of %.6g all are explained", name, value, given);
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
    size_t position[IC_MAX_STATES];
    for (size_t j = 0; j < k->trajectory->n_states; j++) position[j] = ic_position_of(k->problem, j);
    across a = {.k = k, .position = position};
    judge_all(&a, &k->predictor);
    ic_finding f = ic_finding_of(&ic_row_check_across, k, (double)a.wrong, 0, "events");
    ic_finding_set_origin(&f, "none; positions count from %g times %s on", CLEARLY,
                          ic_accuracy_origin(&ic_tolerance_accuracy, k->accept).text);
    if (a.wrong > 0) {
        ic_finding_describe(&f, "%zu of %zu events, as at t = %.9g s, behind which %s is off by %.4g %s",
                            a.wrong, a.judged, a.t, k->problem->system->states[a.state].name, a.difference,
                            k->problem->system->states[a.state].unit);
        name_parameter(&f, &a, true);
        name_parameter(&f, &a, false);
    } else if (a.judged == 0)
        ic_finding_leave_open(
            &f, "no event has enough rows on both sides; velocities, or closer rows, would decide");
    ic_findings_add(findings, &f);
}
