/* SPDX-License-Identifier: MIT */
#include "validation/checks/growth.h"
#include "core/model.h"
#include "registry/registry.h"
#include "validation/subjects.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ten times the accuracy required of solvers, and 1e4 times that of the accurate run. */
#define CHANGE 1e-9
#define ACCURATE 1e-13
/*
 * Difference, in typical times and scales, from which on differences are not small compared with
 * the motion.
 */
#define NOT_SMALL 1e-3
/*
 * Fraction of the typical time: an error of 1e-9 of the scale hides excursions shorter than about
 * (8e-9)^(1/2) of it.
 */
#define LAST_BOUNCES 1e-3
/* Rounding error of a guard, relative to its change when the states change by their scales. */
#define ROUNDING (8 * DBL_EPSILON)

/* ---- distances */

/* Number of events in a row by which the last bounces before a rest are recognised. */
enum { BOUNCES = 3 };

bool ic_event_next(ic_event *event, size_t *at, const ic_log *log)
{
    if (*at >= ic_log_event_count(log)) return false;
    *event = ic_log_event_at(log, (*at)++);
    const double latest = event->t + LAST_BOUNCES * ic_time_scale(ic_log_problem(log));
    ic_event last = *event;
    size_t end = *at;
    while (end < ic_log_event_count(log) && last.kind != IC_EVENT_ACCUMULATION) {
        const ic_event next = ic_log_event_at(log, end);
        if (next.t > latest || strcmp(next.name, event->name) != 0) break;
        last = next;
        end++;
    }
    if (last.kind != IC_EVENT_ACCUMULATION && end - *at < BOUNCES) return true;
    *event = last;
    /* Rounding may hide the last excursions, so that an ordinary bounce ends in rest. */
    event->kind = IC_EVENT_ACCUMULATION;
    *at = end;
    return true;
}

bool ic_event_same(const ic_event *a, const ic_event *b)
{
    return strcmp(a->name, b->name) == 0 && a->kind == b->kind && a->mode_to == b->mode_to;
}

double ic_guard_scale(const ic_guard *guard, const ic_event *event, const ic_problem *problem)
{
    const size_t n = problem->system->n_states;
    double scale[IC_MAX_STATES], x[IC_MAX_STATES], sum = 0;
    const double g = guard->value(event->t, event->x_pre, problem->par);
    ic_state_scales(problem, scale);
    memcpy(x, event->x_pre, n * sizeof *x);
    for (size_t i = 0; i < n; i++) {
        x[i] += scale[i];
        const double changed = guard->value(event->t, x, problem->par);
        if (isfinite(changed)) sum += fabs(changed - g);
        x[i] = event->x_pre[i];
    }
    return sum;
}

static const ic_guard *guard_of(const ic_event *event, const ic_problem *problem)
{
    return ic_guard_find(&problem->variant->modes[event->mode_from], event->name);
}

double ic_event_blur(const ic_log *log, const ic_event *event, size_t at)
{
    const ic_problem *problem = ic_log_problem(log);
    if (event->kind != IC_EVENT_ACCUMULATION || at < BOUNCES) return 0;
    const ic_event before = ic_log_event_at(log, at - 2);
    const double round = before.t - ic_log_event_at(log, at - 3).t;
    const ic_guard *guard = guard_of(&before, problem);
    if (guard == NULL || !(round > 0)) return 0;
    const double acceleration = 2 * fabs(guard->rate(before.t, before.x_pre, problem->par)) / round;
    const double rounding = ROUNDING * ic_guard_scale(guard, &before, problem);
    return acceleration > 0 ? 4 * sqrt(8 * rounding / acceleration) / ic_time_scale(problem) : 0;
}

double ic_event_slowness(const ic_problem *problem, const ic_event *event)
{
    const double time_scale = ic_time_scale(problem);
    const ic_guard *guard = event->kind == IC_EVENT_GUARD ? guard_of(event, problem) : NULL;
    if (guard == NULL) return time_scale;
    const double rate = fabs(guard->rate(event->t, event->x_pre, problem->par));
    return fmax(time_scale, ic_guard_scale(guard, event, problem) / fmax(rate, DBL_MIN));
}

/* Difference of two states on the flow of a mode, where x is `later` s after y. */
static double states_apart(const ic_problem *problem, int mode, const double *x, double t, const double *y,
                           double later)
{
    double scale[IC_MAX_STATES], f[IC_MAX_STATES] = {0}, most = 0;
    ic_state_scales(problem, scale);
    if (later != 0 && !problem->variant->modes[mode].terminal)
        problem->variant->modes[mode].flow(f, t, y, problem->par);
    for (size_t i = 0; i < problem->system->n_states; i++) {
        const double apart = fabs(x[i] - y[i] - f[i] * later) / scale[i];
        most = isnan(apart) ? INFINITY : fmax(most, apart);
    }
    return most;
}

ic_apart ic_events_apart(const ic_problem *problem, const ic_event *a, const ic_event *b)
{
    const double later = a->t - b->t;
    /* The state before the last of many bounces depends on their number. */
    const bool rests = a->kind == IC_EVENT_ACCUMULATION;
    const double before = rests ? 0 : states_apart(problem, b->mode_from, a->x_pre, b->t, b->x_pre, later);
    const double after = states_apart(problem, b->mode_to, a->x_post, b->t, b->x_post, later);
    return (ic_apart){fabs(later) / ic_event_slowness(problem, a), fmax(before, after)};
}

double ic_ends_apart(const ic_log *one, const ic_log *two)
{
    const ic_sample a = ic_log_end(one), b = ic_log_end(two);
    return a.mode == b.mode ? states_apart(ic_log_problem(one), a.mode, a.x, a.t, b.x, 0) : INFINITY;
}

/* ---- rows */

void ic_worst_meet(ic_worst *worst, double error, double radius, double tolerance)
{
    if (worst->tolerance > 0 &&
        (error + radius) / tolerance <= (worst->error + worst->radius) / worst->tolerance)
        return;
    *worst = (ic_worst){error, radius, tolerance};
}

bool ic_worst_agrees(const ic_worst *worst)
{
    return worst->error + worst->radius <= worst->tolerance;
}

void ic_worst_judge(ic_results *results, ic_result row, const ic_worst *worst, double least)
{
    row.error = worst->error;
    row.radius = worst->radius;
    row.tolerance = worst->tolerance;
    if (worst->tolerance > least) {
        char origin[sizeof row.origin];
        snprintf(origin, sizeof origin, "errors grow: %.3g times %.150s", worst->tolerance / least, row.origin);
        snprintf(row.origin, sizeof row.origin, "%s", origin);
    }
    ic_results_compare(results, row);
}

void ic_growth_leaves(ic_results *results, ic_result row, size_t compared, const char *why)
{
    row.error = row.radius = row.tolerance = NAN;
    row.verdict = IC_SKIPPED;
    snprintf(row.what, sizeof row.what, "the run after its first %zu events", compared);
    snprintf(row.detail, sizeof row.detail, "%s; a shorter run would be judged completely", why);
    ic_results_add(results, &row);
}

/* ---- growth */

bool ic_growth_measure(ic_growth *growth, const ic_problem *problem)
{
    /*
     * Changes of both signs and several sizes, because equal changes of all parameters could
     * cancel.
     */
    static const double pattern[] = {1, -0.7, 0.6, 0.9, -0.8};
    const size_t n = problem->system->n_parameters;
    const ic_solver *solver = ic_solver_find("dop853");
    *growth = (ic_growth){.problem = problem, .other = *problem, .par = calloc(n + 1, sizeof(double))};
    if (growth->par == NULL) return false;
    if (solver == NULL) return true; /* This build does not have the solver. */
    for (size_t i = 0; i < n; i++)
        growth->par[i] = problem->par[i] * (1 + CHANGE * pattern[i % (sizeof pattern / sizeof *pattern)]);
    growth->other.par = growth->par;
    growth->other.par_text = NULL;
    growth->run = ic_solve(solver, problem, &(ic_options){.rtol = ACCURATE}, &growth->status);
    growth->changed = ic_solve(solver, &growth->other, &(ic_options){.rtol = CHANGE}, &growth->changed_status);
    return growth->run != NULL && growth->changed != NULL;
}

void ic_growth_clear(ic_growth *growth)
{
    ic_log_free(growth->run);
    ic_log_free(growth->changed);
    free(growth->par);
    *growth = (ic_growth){0};
}

static void record_shift(ic_growth *growth, double time, double state)
{
    growth->moved.time = fmax(growth->moved.time, time);
    growth->moved.state = fmax(growth->moved.state, state);
}

/* Follows both runs up to t. `moved` is INFINITY from the time at which their events differ. */
static void follow_runs(ic_growth *growth, double t)
{
    const double latest = t + LAST_BOUNCES * ic_time_scale(growth->problem);
    while (isfinite(growth->moved.state)) {
        ic_event event, other;
        size_t at = growth->at;
        const bool more = ic_event_next(&event, &at, growth->run);
        if ((more ? event.t : ic_log_end(growth->run).t) > latest) return;
        const bool same = ic_event_next(&other, &growth->at_changed, growth->changed) == more;
        growth->at = at;
        if (!same || (more && !ic_event_same(&event, &other))) {
            record_shift(growth, INFINITY, INFINITY);
        } else if (more) {
            const ic_apart apart = ic_events_apart(growth->problem, &event, &other);
            record_shift(growth, apart.time, apart.state);
        } else {
            record_shift(growth, 0, ic_ends_apart(growth->run, growth->changed));
            return;
        }
    }
}

bool ic_growth_allows(ic_apart *allowed, ic_growth *growth, double t, ic_apart least, double backward,
                      char *why, size_t size)
{
    /* A change with which the problem cannot be solved proves nothing. */
    const bool shows = growth->run != NULL && growth->status == growth->changed_status;
    if (shows) follow_runs(growth, t);
    const ic_apart by = growth->moved;
    allowed->time = fmax(least.time, by.time / CHANGE * backward);
    allowed->state = fmax(least.state, by.state / CHANGE * backward);
    if (fmax(fmax(allowed->time, allowed->state), fmax(by.time, by.state)) <= NOT_SMALL) return true;
    if (isinf(by.state))
        snprintf(why, size,
                 "from about t = %.6g on, a relative change of the parameters by %.0e leads to other events", t,
                 CHANGE);
    else
        snprintf(
            why, size,
            "from about t = %.6g on, a relative change of the parameters by %.0e moves the motion by %.2g typical "
            "times or scales, so that errors become large",
            t, CHANGE, fmax(by.time, by.state));
    return false;
}
