/* SPDX-License-Identifier: MIT */
/**
 * States after jumps: each guard fires at states of its mode where it is zero, and the chain of
 * jumps at that instant is followed.
 *
 *  - The state after is finite and keeps the invariants of the mode entered.
 *  - A jump that changes the motion does not leave the state on the side to which its guard has
 *    just fired, moving on: the guard could never fire again (a ball that goes on through the
 *    floor). One that changes nothing, as an observer's, may.
 *  - A guard that the jump declares to depart from a zero goes to the side declared.
 *  - The chain of guards due at that instant ends within IC_CHAIN_MAX jumps (contract, clauses
 *    2, 3 and 5).
 */
#include "core/names.h"
#include "validation/case/judge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/*
 * A rate this small, relative to the sum of its terms' magnitudes, has no sign: zeros of higher
 * order are left to the solvers.
 */
#define NO_RATE 1e-6
enum { POINTS = 8 };

/*
 * A branch is in doubt if it changes when states and time are moved by this fraction of their
 * scales.
 */
#define IN_DOUBT 1e-6

/*
 * A departure counts as visible if it exceeds this fraction of the change by the states' scales,
 * after 2^-k typical times.
 */
#define DEPARTED 1e-9
enum { EARLIEST = 24, LATEST = 4 };

/* A jump that was made. */
typedef struct landing {
    const ic_guard *fired;
    int mode, mode_after;
    const ic_branch *branch;
    ic_point before, after;
} landing;

static const ic_mode *mode_number(const ic_judge *judge, int mode)
{
    return &judge->problem->variant->modes[mode];
}

static bool apply_jump(ic_judge *judge, const ic_place *place, const ic_jump *jump, landing *l)
{
    l->after.t = l->before.t;
    const int taken = jump->apply(l->after.x, l->before.t, l->before.x, judge->problem->par);
    judge->comparisons++;
    if (taken < 0 || (size_t)taken >= jump->n_branches)
        return ic_contradicts(judge, place, &l->before, "its jump takes a branch of its table",
                              "`apply` returns %d, branches are 0 to %zu", taken, jump->n_branches - 1);
    l->branch = &jump->branches[taken];
    l->mode_after = l->branch->mode == IC_SAME_MODE ? l->mode : l->branch->mode;
    for (size_t i = 0; i < judge->problem->system->n_states; i++) {
        /* A side of a kink without a value: the case refuses the motion. */
        if (isnan(l->after.x[i]) && ic_state_is_discrete(judge->problem->system, i)) return true;
        if (!isfinite(l->after.x[i]))
            return ic_contradicts(judge, place, &l->before, "the state after its jump is finite", "%s is %g",
                                  judge->problem->system->states[i].name, l->after.x[i]);
    }
    return ic_judge_arrival(judge, place, l->branch, l->mode, &l->before, &l->after);
}

/* ---- guards after a jump */

static bool guard_departs(const landing *l, size_t guard)
{
    for (size_t i = 0; i < l->branch->n_departures; i++) {
        if (l->branch->departures[i].guard == (int)guard) return true;
    }
    return false;
}

/*
 * Whether a guard, after the jump, continues to the side on which it fires, from its zero or from
 * beyond it.
 */
static bool moves_on(const ic_judge *judge, const landing *l, size_t number, bool from_beyond)
{
    const ic_mode *mode = mode_number(judge, l->mode_after);
    const ic_guard *guard = &mode->guards[number];
    const double *par = judge->problem->par, t = l->after.t, *x = l->after.x;
    if (guard_departs(l, number) || (guard->enabled != NULL && !(guard->enabled(t, x, par) > 0))) return false;
    const double value = guard->value(t, x, par), rate = guard->rate(t, x, par);
    const int direction = guard->direction != 0 ? guard->direction : rate > 0 ? 1 : -1;
    if (!(direction * rate > 0)) return false;
    const ic_reach reach = ic_reach_of(judge, mode, guard->value, &l->after);
    if (!(fabs(rate) > NO_RATE * reach.of_flow)) return false;
    const double zero = ic_tolerance_case_zero.value * reach.of_scales;
    return from_beyond ? direction * value >= -zero : fabs(value) <= zero;
}

/* Whether the motion continues as if there had been no event. */
static bool changes_nothing(const ic_judge *judge, const landing *l)
{
    double before[IC_MAX_STATES], after[IC_MAX_STATES];
    if (l->mode != l->mode_after) return false;
    const ic_mode *mode = mode_number(judge, l->mode);
    mode->flow(before, l->before.t, l->before.x, judge->problem->par);
    mode->flow(after, l->after.t, l->after.x, judge->problem->par);
    for (size_t i = 0; i < judge->problem->system->n_states; i++) {
        if (fabs(after[i] - before[i]) >
            ic_tolerance_case_zero.value * (fabs(after[i]) + fabs(before[i]) + judge->scale[i]))
            return false;
    }
    return true;
}

/* Whether a guard with the value of the one that has fired is another one: a stop where a condition turns. */
static bool is_another(const ic_judge *judge, const landing *l, const ic_guard *guard)
{
    const ic_mode *before = mode_number(judge, l->mode);
    for (size_t i = 0; i < before->n_guards; i++) {
        const ic_guard *other = &before->guards[i];
        if (other != l->fired && other->value == guard->value && strcmp(other->name, guard->name) == 0)
            return true;
    }
    return false;
}

static bool leaves_its_guard(ic_judge *judge, const ic_place *place, const landing *l)
{
    const ic_mode *after = mode_number(judge, l->mode_after);
    if (l->fired->direction == 0 || after->terminal || changes_nothing(judge, l)) return true;
    for (size_t i = 0; i < after->n_guards; i++) {
        const ic_guard *guard = &after->guards[i];
        if (guard->value != l->fired->value || guard->direction != l->fired->direction ||
            is_another(judge, l, guard))
            continue;
        judge->comparisons++;
        if (!moves_on(judge, l, i, true)) continue;
        const double *par = judge->problem->par;
        return ic_contradicts(
            judge, place, &l->before, "its jump leads away from the side to which it has just fired",
            "after the jump, in mode %s, its value is %.6g and its rate %.6g; it fires at 0 with a rate %s 0",
            after->name, guard->value(l->after.t, l->after.x, par), guard->rate(l->after.t, l->after.x, par),
            guard->direction > 0 ? "above" : "below");
    }
    return true;
}

/* ---- chains */

/* The guards that fired at one instant, in order. */
typedef struct chain {
    const ic_guard *fired[IC_CHAIN_MAX + 1];
    int length;
} chain;

/*
 * A guard that has fired is disarmed, unless another guard with the same value has fired since
 * (contract, clause 3).
 */
static bool is_disarmed(const chain *c, const ic_guard *guard)
{
    for (int i = c->length - 1; i >= 0; i--) {
        if (c->fired[i] == guard) return true;
        if (c->fired[i]->value == guard->value) return false;
    }
    return false;
}

/* The guard that is due at once after a jump; -1: no guard is due. */
static int due_at_once(const ic_judge *judge, const landing *l, const chain *c)
{
    const ic_mode *after = mode_number(judge, l->mode_after);
    for (size_t i = 0; !after->terminal && i < after->n_guards; i++) {
        if (!is_disarmed(c, &after->guards[i]) && moves_on(judge, l, i, false)) return (int)i;
    }
    return -1;
}

static bool landing_settles(ic_judge *judge, const ic_place *place, const landing *first)
{
    landing l = *first;
    chain c = {.fired = {first->fired}, .length = 1};
    while (c.length <= IC_CHAIN_MAX) {
        const int next = due_at_once(judge, &l, &c);
        if (next < 0) return true;
        const landing due = {
            .fired = &mode_number(judge, l.mode_after)->guards[next], .mode = l.mode_after, .before = l.after};
        const ic_place there = {mode_number(judge, due.mode), due.fired, NULL};
        l = due;
        c.fired[c.length++] = due.fired;
        if (!apply_jump(judge, &there, &due.fired->jump, &l)) return false;
    }
    return ic_contradicts(judge, place, &first->before, "jumps at one instant settle",
                          "more than %d follow each other; the last is '%s' of mode %s", IC_CHAIN_MAX,
                          l.fired->name, mode_number(judge, l.mode)->name);
}

/* ---- departures */

/* One step of the method of Runge and Kutta of order 4. */
static void follow_flow(const ic_judge *judge, const ic_mode *mode, const ic_point *from, double h,
                        ic_point *to)
{
    static const double part[] = {0, 0.5, 0.5, 1}, weight[] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
    const size_t n = judge->problem->system->n_states;
    double k[IC_MAX_STATES] = {0}, x[IC_MAX_STATES];
    *to = *from;
    for (int s = 0; s < 4; s++) {
        for (size_t i = 0; i < n; i++) x[i] = from->x[i] + part[s] * h * k[i];
        mode->flow(k, from->t + part[s] * h, x, judge->problem->par);
        for (size_t i = 0; i < n; i++) to->x[i] += weight[s] * h * k[i];
    }
    to->t += h;
}

/* Whether the branch is the same if the state is moved by the error of a run. */
static bool is_clear(const ic_judge *judge, const landing *l)
{
    const size_t n = judge->problem->system->n_states;
    const ic_jump *jump = &l->fired->jump;
    for (size_t i = 0; i < 2 * (n + 1); i++) {
        ic_point moved = l->before;
        double post[IC_MAX_STATES];
        const double by = i % 2 == 0 ? IN_DOUBT : -IN_DOUBT;
        if (i / 2 == n) moved.t += by * judge->time_scale;
        else if (judge->moves[i / 2]) moved.x[i / 2] += by * judge->scale[i / 2];
        if (jump->apply(post, moved.t, moved.x, judge->problem->par) != l->branch - jump->branches)
            return false;
    }
    return true;
}

/* Whether a guard becomes visible on the side opposite to the declared one first. */
static bool leaves_otherwise(const ic_judge *judge, const ic_mode *mode, const ic_departure *declared,
                             const ic_point *from)
{
    const ic_guard *guard = &mode->guards[declared->guard];
    const double noise = DEPARTED * ic_reach_of(judge, mode, guard->value, from).of_scales;
    for (int k = EARLIEST; k >= LATEST; k--) {
        ic_point at;
        follow_flow(judge, mode, from, ldexp(judge->time_scale, -k), &at);
        const double value = declared->side * guard->value(at.t, at.x, judge->problem->par);
        if (!(fabs(value) <= noise)) return value < 0;
    }
    return false;
}

/* Guards that are declared to leave a zero do so, to the side declared, at states of the run. */
static bool judge_departures(ic_judge *judge, const landing *l)
{
    const ic_place place = {mode_number(judge, l->mode), l->fired, NULL};
    const ic_mode *after = mode_number(judge, l->mode_after);
    const chain c = {.fired = {l->fired}, .length = 1};
    /*
     * Departures of elements follow from their mechanics, and the error of the run may change their
     * curvature.
     */
    if (after->terminal || l->fired->onset != IC_ONSET_ZERO || l->branch->n_departures == 0 ||
        due_at_once(judge, l, &c) >= 0 || !is_clear(judge, l))
        return true;
    for (size_t i = 0; i < l->branch->n_departures; i++) {
        const ic_departure *d = &l->branch->departures[i];
        judge->comparisons++;
        if (!leaves_otherwise(judge, after, d, &l->after)) continue;
        return ic_contradicts(
            judge, &place, &l->before, "'departs' states the side to which a guard of the next mode goes",
            "'%s' of mode %s goes to the %s side, not to the %s one", after->guards[d->guard].name, after->name,
            d->side < 0 ? "positive" : "negative", d->side > 0 ? "positive" : "negative");
    }
    return true;
}

/* ---- all jumps */

static bool judge_firing(ic_judge *judge, landing *l, bool in_run)
{
    const ic_place place = {mode_number(judge, l->mode), l->fired, NULL};
    const ic_place limit = {mode_number(judge, l->mode), l->fired, "accumulation"};
    ic_meet(judge->guards_met, l->fired);
    if (!apply_jump(judge, &place, &l->fired->jump, l) || !landing_settles(judge, &place, l) ||
        !leaves_its_guard(judge, &place, l) || (in_run && !judge_departures(judge, l)))
        return false;
    return l->fired->accumulation.apply == NULL || apply_jump(judge, &limit, &l->fired->accumulation, l);
}

/* At states of the run, and near them. */
static bool judge_guard(ic_judge *judge, int mode, const ic_guard *guard)
{
    landing l = {.fired = guard, .mode = mode};
    for (size_t k = 0; k < POINTS && ic_point_fired(judge, mode, guard, k, &l.before); k++) {
        if (!judge_firing(judge, &l, true)) return false;
    }
    for (int k = 0; k < POINTS && ic_point_of_mode(judge, mode, guard, NULL, &l.before); k++) {
        if (!judge_firing(judge, &l, false)) return false;
    }
    return true;
}

static bool judge_time_event(ic_judge *judge, const ic_time_event *event)
{
    char of[96];
    snprintf(of, sizeof of, "time event '%s'", event->name);
    for (size_t m = 0; m < judge->problem->variant->n_modes; m++) {
        const ic_place place = {mode_number(judge, (int)m), NULL, of};
        landing l = {.mode = (int)m};
        for (int k = 0; k < POINTS && ic_point_of_mode(judge, (int)m, NULL, event, &l.before); k++) {
            if (!apply_jump(judge, &place, &event->jump, &l)) return false;
        }
    }
    return true;
}

static bool judge_start(ic_judge *judge)
{
    const ic_variant *variant = judge->problem->variant;
    ic_point at = {.t = judge->problem->t_start};
    const int taken = variant->start.apply(at.x, at.t, NULL, judge->problem->par);
    const ic_place place = {.of = "start"};
    if (taken == IC_NO_START) return true;
    return ic_judge_arrival(judge, &place, &variant->start.branches[taken], 0, NULL, &at);
}

bool ic_judge_landings(ic_judge *judge)
{
    const ic_variant *variant = judge->problem->variant;
    if (!judge_start(judge)) return false;
    for (size_t m = 0; m < variant->n_modes; m++) {
        for (size_t i = 0; i < variant->modes[m].n_guards; i++) {
            if (!judge_guard(judge, (int)m, &variant->modes[m].guards[i])) return false;
        }
    }
    for (size_t k = 0; k < variant->n_time_events; k++) {
        if (!judge_time_event(judge, &variant->time_events[k])) return false;
    }
    return true;
}
