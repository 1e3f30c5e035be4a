/* SPDX-License-Identifier: MIT */
#include "reference/orbit/derivatives.h"
#include "reference/flow/flow.h"
#include "reference/judge/judge.h"
#include "reference/orbit/unfolded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bits in addition to those of a run, since tangents grow as the distance of neighbouring runs does. */
enum { SPARE_BITS = 24 };

/* ---- formulas at a place */

/* Where a run stands: in a mode, with a guard that is zero by theorem, or -1. */
typedef struct place {
    int mode, zero;
    arb_srcptr t, x;
} place;

static place place_before(const ic_ball_event *event)
{
    return (place){event->mode_from, event->zero_before, event->t, event->before};
}

static place place_after(const ic_ball_event *event)
{
    return (place){event->mode_to, event->zero_after, event->t, event->after};
}

static const ic_mode *mode_at(const ic_derivatives *d, const place *at)
{
    return &d->tangents.problem.variant->modes[at->mode];
}

/* Numbers of results of a mode: of g_x v + g_p, of the rate of a guard, of that of the first state, and of an output. */
static size_t change_number(const ic_derivatives *d, const place *at, size_t guard, slong direction)
{
    return mode_at(d, at)->n_guards + guard * (size_t)d->directions + (size_t)direction;
}

static size_t guard_rate_number(const ic_derivatives *d, const place *at, size_t guard)
{
    return change_number(d, at, mode_at(d, at)->n_guards, 0) + guard;
}

static size_t condition_number(const ic_derivatives *d, const place *at, size_t guard)
{
    return guard_rate_number(d, at, mode_at(d, at)->n_guards) + guard;
}

static size_t rate_number(const ic_derivatives *d, const place *at)
{
    return condition_number(d, at, mode_at(d, at)->n_guards);
}

static size_t output_number(const ic_derivatives *d, const place *at, size_t output, slong direction)
{
    return rate_number(d, at) + (size_t)d->n + output * (size_t)(1 + d->directions) + (size_t)direction;
}

/* Encloses n results. false: they are not known; where a run is over, there are none. */
static bool enclose(arb_ptr values, const ic_derivatives *d, const place *at, size_t first, slong n)
{
    const ic_flow_results results = {d->tangents.slopes[at->mode], first, (size_t)n, at->zero};
    return results.of != NULL &&
           ic_flow_enclose(values, &d->tangents.problem, &results, at->t, at->x, d->run.precision);
}

/* ---- values */

/* The derivative of the time of an event; zero at a given time. */
static bool enclose_delay(arb_t tau, const ic_derivatives *d, const ic_ball_event *event, slong direction)
{
    const place at = place_before(event);
    IC_BALLS(rate);
    arb_zero(tau);
    if (event->kind == IC_EVENT_TIME) return true;
    const size_t guard = (size_t)at.zero;
    if (event->kind != IC_EVENT_GUARD || !enclose(tau, d, &at, change_number(d, &at, guard, direction), 1) ||
        !enclose(rate, d, &at, guard_rate_number(d, &at, guard), 1))
        return false;
    arb_div(tau, tau, rate, d->run.precision);
    arb_neg(tau, tau);
    return arb_is_finite(tau);
}

/* v + f tau at a place; nothing moves where the run is over */
static bool along_section(arb_ptr to, const ic_derivatives *d, const place *at, const arb_t tau,
                          slong direction)
{
    _arb_vec_zero(to, d->n);
    if (!mode_at(d, at)->terminal && !enclose(to, d, at, rate_number(d, at), d->n)) return false;
    _arb_vec_scalar_mul(to, to, d->n, tau, d->run.precision);
    _arb_vec_add(to, to, at->x + d->n * (1 + direction), d->n, d->run.precision);
    return true;
}

bool ic_derivatives_of_event(arb_ptr to, const ic_derivatives *d, size_t number, slong direction)
{
    const ic_ball_event *event = &d->run.events[number];
    const place before = place_before(event), after = place_after(event);
    return enclose_delay(to, d, event, direction) && along_section(to + 1, d, &before, to, direction) &&
           along_section(to + 1 + d->n, d, &after, to, direction);
}

arb_srcptr ic_derivatives_of_state(const ic_derivatives *d, slong direction)
{
    return d->run.x + d->n * (1 + direction);
}

bool ic_derivatives_of_output(arb_t value, const ic_derivatives *d, size_t output, slong direction)
{
    const place end = {d->run.mode, -1, d->run.t, d->run.x};
    return enclose(value, d, &end, output_number(d, &end, output, direction), 1);
}

/* ---- whether derivatives exist */

/* Whether the condition of a guard is known to be false. */
static bool is_dormant(const ic_derivatives *d, const place *at, size_t guard)
{
    const ic_equations *q = mode_at(d, at)->quantities;
    const ic_flow_results condition = {q, guard, 1, at->zero};
    IC_BALLS(value);
    return q != NULL && q->results[guard] >= 0 &&
           ic_flow_enclose(value, &d->tangents.problem, &condition, at->t, at->x, d->run.precision) &&
           arb_is_nonpositive(value);
}

/* Whether the condition of a guard holds, or does not, in this run alone. */
static bool is_condition_tied(const ic_derivatives *d, const place *at, size_t guard)
{
    const ic_equations *q = mode_at(d, at)->quantities;
    const ic_flow_results condition = {q, guard, 1, at->zero};
    IC_BALLS(value);
    return q != NULL && q->results[guard] >= 0 &&
           ic_flow_enclose(value, &d->tangents.problem, &condition, at->t, at->x, d->run.precision) &&
           (arb_is_exact(value) || !arb_contains_zero(value)) &&
           !enclose(value, d, at, condition_number(d, at, guard), 1);
}

/* A guard that neighbouring runs have on either side, and by what they differ. */
typedef struct tie {
    const char *guard, *by;
} tie;

/*
 * Where a guard is zero, neighbouring runs have it zero as well, unless g_x v + g_p + g' tau differs from zero: then it has
 * been passed on one side, and has not on the other one. At the start, so may it be if that is not known.
 */
static bool is_passed(const ic_derivatives *d, const place *at, const ic_ball_event *event, size_t guard,
                      slong direction, bool starts)
{
    IC_BALLS(change, rate, tau);
    if (event != NULL && !enclose_delay(tau, d, event, direction)) return false;
    if (!enclose(change, d, at, change_number(d, at, guard, direction), 1) ||
        !enclose(rate, d, at, guard_rate_number(d, at, guard), 1))
        return starts;
    arb_addmul(change, rate, tau, d->run.precision);
    return !arb_contains_zero(change);
}

/* Whether a guard is known to differ from zero, or to be disabled after the start. */
static bool is_away(const ic_derivatives *d, const place *at, size_t guard, bool starts)
{
    IC_BALLS(value);
    if ((int)guard != at->zero && enclose(value, d, at, guard, 1) && !arb_contains_zero(value)) return true;
    return !starts && is_dormant(d, at, guard);
}

static bool find_tie(tie *found, const ic_derivatives *d, const place *at, const ic_ball_event *event,
                     bool starts)
{
    const ic_mode *mode = mode_at(d, at);
    for (size_t g = 0; g < mode->n_guards && !mode->terminal; g++) {
        *found = (tie){mode->guards[g].name, d->names[0]};
        if (starts && is_condition_tied(d, at, g)) return true;
        if (is_away(d, at, g, starts)) continue;
        for (slong k = 0; k < d->directions; k++) {
            found->by = d->names[k];
            if (is_passed(d, at, event, g, k, starts)) return true;
        }
    }
    return false;
}

/* Ends the run at a place with such a guard, after some events. */
static void end_there(ic_derivatives *d, size_t count, const tie *found, arb_srcptr t)
{
    ic_certificate *run = &d->run;
    char *time = arb_get_str(t, 12, ARB_STR_NO_RADIUS);
    snprintf(
        run->reason, sizeof run->reason,
        "no derivative by '%.60s' at t = %s: '%.60s' is zero there, but not in neighbouring runs, which pass on either "
        "side",
        found->by, time, found->guard);
    flint_free(time);
    run->status = IC_UNDECIDED;
    const ic_ball_event *last = count == 0 ? NULL : &run->events[count - 1];
    _arb_vec_set(run->x, last == NULL ? run->start : last->after, run->n);
    run->mode = last == NULL ? run->mode_at_start : last->mode_to;
    if (last != NULL) arb_set(run->t, last->t);
    else arb_set_d(run->t, d->tangents.problem.t_start);
    for (size_t i = count; i < run->count; i++) {
        arb_clear(run->events[i].t);
        _arb_vec_clear(run->events[i].before, run->n);
        _arb_vec_clear(run->events[i].after, run->n);
    }
    run->count = count;
}

/* A guard beyond zero that fires at once, as a force that pulls after a jump does: its time is that of another event. */
static bool fires_beyond_zero(tie *found, const ic_derivatives *d, const ic_ball_event *event)
{
    const place at = {event->mode_from, -1, event->t, event->before};
    IC_BALLS(value);
    if (event->kind != IC_EVENT_GUARD) return false;
    *found = (tie){event->name, d->names[0]};
    return enclose(value, d, &at, (size_t)event->zero_before, 1) && !arb_contains_zero(value);
}

/* In any mode: a slip that is zero at the start is no guard while the body sticks. */
static bool find_tie_at_start(tie *found, const ic_derivatives *d, const arb_t t)
{
    for (size_t m = 0; m < d->tangents.problem.variant->n_modes; m++) {
        const place start = {(int)m, -1, t, d->run.start};
        if (d->tangents.slopes[m] != NULL && find_tie(found, d, &start, NULL, true)) return true;
    }
    return false;
}

/* At the start, on both sides of each event, and at the end; a guard that stays zero has left it by then. */
static void find_ties(ic_derivatives *d)
{
    const ic_certificate *run = &d->run;
    tie found;
    IC_BALLS(t);
    arb_set_d(t, d->tangents.problem.t_start);
    if (find_tie_at_start(&found, d, t)) {
        end_there(d, 0, &found, t);
        return;
    }
    for (size_t i = 0; i < run->count; i++) {
        const place before = place_before(&run->events[i]), after = place_after(&run->events[i]);
        if (!fires_beyond_zero(&found, d, &run->events[i]) &&
            !find_tie(&found, d, &before, &run->events[i], false) &&
            !find_tie(&found, d, &after, &run->events[i], false))
            continue;
        arb_set(t, run->events[i].t);
        end_there(d, i, &found, t);
        return;
    }
    const place end = {run->mode, -1, run->t, run->x};
    arb_set(t, run->t);
    if (run->status == IC_OK && find_tie(&found, d, &end, NULL, false)) end_there(d, run->count, &found, t);
}

/* Says so where a formula of tangents has no value: all others are those of the run. */
static void explain(ic_certificate *run)
{
    char reason[sizeof run->reason];
    if (run->status != IC_UNDECIDED || strstr(run->reason, "division by zero") == NULL) return;
    snprintf(
        reason, sizeof reason,
        "no derivative exists, or is known, where a kink or a condition is at its limit, or a guard that fires "
        "has no rate: %.180s",
        run->reason);
    snprintf(run->reason, sizeof run->reason, "%s", reason);
}

/* ---- the run */

static bool open_tangents(ic_derivatives *d, const ic_problem *problem, const ic_tangent_direction *directions)
{
    char *message = d->tangents.message;
    const size_t size = sizeof d->tangents.message;
    for (slong k = 0; k < d->directions; k++) {
        if (directions[k].parameter >= 0 &&
            !ic_times_stay(problem, (size_t)directions[k].parameter, message, size))
            return false;
    }
    return ic_tangent_open_along(&d->tangents, problem, directions, (size_t)d->directions);
}

void ic_derivatives_certify(ic_derivatives *d, const ic_problem *problem,
                            const ic_tangent_direction *directions, size_t n, const ic_certify_options *options)
{
    ic_certify_options with_spare = *options;
    with_spare.spare_bits = SPARE_BITS;
    *d = (ic_derivatives){.n = (slong)problem->system->n_states, .directions = (slong)n};
    for (size_t k = 0; k < n; k++)
        d->names[k] = directions[k].parameter >= 0 ? problem->system->parameters[directions[k].parameter].name
                                                   : problem->system->states[directions[k].state].name;
    if (open_tangents(d, problem, directions)) {
        ic_certify_judged(&d->run, &d->tangents.problem, &with_spare, NULL);
        explain(&d->run);
        if (d->run.mode >= 0) find_ties(d);
        return;
    }
    d->run = (ic_certificate){.status = IC_UNSUPPORTED, .mode = -1};
    arb_init(d->run.t);
    snprintf(d->run.reason, sizeof d->run.reason, "no derivatives: %s", d->tangents.message);
}

void ic_derivatives_clear(ic_derivatives *d)
{
    ic_certificate_clear(&d->run);
    ic_tangent_close(&d->tangents);
}
