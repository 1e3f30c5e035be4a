/* SPDX-License-Identifier: MIT */
/*
 * Runge-Kutta steps of fixed length with bisection of the last one, for plugins of the gallery: right, as long as a file redefines
 * nothing. Each rogue redefines one macro, and that is its mistake.
 */
#ifndef IC_ROGUES_SOLVER_BASE_H
#define IC_ROGUES_SOLVER_BASE_H

#include "impactcheck/impactcheck.h"

#include <math.h>
#include <string.h>

#ifndef NAME
#define NAME "gallery"
#endif
#ifndef FRACTION /* of a step h in which a guard goes from g0 to g1 */
#define FRACTION(s, guard, h, g0, g1) bisect(s, guard, h)
#endif
#ifndef COUNTS /* whether a crossing to `side` is an event of the guard */
#define COUNTS(guard, side) ((guard)->direction == 0 || (guard)->direction == (side))
#endif
#ifndef CLOCK /* after an event at the fraction u of the step h from t */
#define CLOCK(t, u, h) ((t) + (u) * (h))
#endif
#ifndef TIMES_FOUND /* how often an event is found before its guard is disarmed */
#define TIMES_FOUND 1
#endif
#define STEPS_BY_DEFAULT 1000.0 /* of a second */

enum { GUARDS_MOST = 16 };

typedef struct state {
    const ic_problem *problem;
    const ic_mode *mode;
    size_t n;
    int number; /* of the mode */
    double t, x[IC_MAX_STATES];
    int side[GUARDS_MOST]; /* of each guard; 0: not known before the end of the first step */
} state;

static void step(const state *s, double *x1, double h)
{
    static const double parts[] = {0, 0.5, 0.5, 1};
    double k[4][IC_MAX_STATES], x[IC_MAX_STATES];
    for (int i = 0; i < 4; i++) {
        for (size_t j = 0; j < s->n; j++) x[j] = s->x[j] + (i > 0 ? h * parts[i] * k[i - 1][j] : 0);
        s->mode->flow(k[i], s->t + h * parts[i], x, s->problem->par);
    }
    for (size_t j = 0; j < s->n; j++) x1[j] = s->x[j] + h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
}

static int side_at(const state *s, const ic_guard *guard, double h)
{
    double x[IC_MAX_STATES] = {0};
    step(s, x, h);
    const double g = guard->value(s->t + h, x, s->problem->par);
    return (g > 0) - (g < 0);
}

static inline double bisect(const state *s, const ic_guard *guard, double h)
{
    const int before = s->side[guard - s->mode->guards];
    double low = 0, high = 1;
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        if (side_at(s, guard, middle * h) == before) low = middle;
        else high = middle;
    }
    return high;
}

/* The first guard that fires in a step, and where: a fraction of it. NULL: none. */
static const ic_guard *first(state *s, const double *x1, double h, double *u)
{
    const ic_guard *fired = NULL;
    *u = 1;
    for (size_t i = 0; i < s->mode->n_guards; i++) {
        const ic_guard *guard = &s->mode->guards[i];
        const double g0 = guard->value(s->t, s->x, s->problem->par),
                     g1 = guard->value(s->t + h, x1, s->problem->par);
        const int side = (g1 > 0) - (g1 < 0);
        (void)g0;
        const bool crosses = s->side[i] != 0 && side != s->side[i];
        if (crosses && COUNTS(guard, side)) {
            const double at = FRACTION(s, guard, h, g0, g1);
            double x[IC_MAX_STATES] = {0};
            step(s, x, at * h);
            const bool enabled =
                guard->enabled == NULL || guard->enabled(s->t + at * h, x, s->problem->par) > 0;
            if (enabled && (fired == NULL || at < *u)) fired = guard, *u = at;
            if (enabled) continue;
        }
        s->side[i] = side;
    }
    return fired;
}

/* A mode is entered: sides of its guards, except of the one that has just fired and of those declared to start at zero. */
static void enter(state *s, int mode, const ic_guard *fired, const ic_branch *branch)
{
    if (mode != IC_SAME_MODE) s->number = mode;
    s->mode = &s->problem->variant->modes[s->number];
    for (size_t i = 0; i < s->mode->n_guards; i++) {
        const double g = s->mode->guards[i].value(s->t, s->x, s->problem->par);
        const bool own = fired != NULL && s->mode->guards[i].value == fired->value;
        s->side[i] = own ? 0 : (g > 0) - (g < 0);
    }
    for (size_t k = 0; k < branch->n_departures; k++) s->side[branch->departures[k].guard] = 0;
}

static ic_status jump(ic_log *log, state *s, const ic_guard *guard)
{
    double x_pre[IC_MAX_STATES];
    memcpy(x_pre, s->x, sizeof x_pre);
    const int from = s->number, taken = guard->jump.apply(s->x, s->t, x_pre, s->problem->par);
    const ic_branch *branch = &guard->jump.branches[taken];
    enter(s, branch->mode, guard, branch);
    const ic_event event = {IC_EVENT_GUARD, guard->name, s->t, 0, from, s->number, x_pre, s->x};
    return ic_log_event(log, &event);
}

static ic_status solve(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    state s = {.problem = problem, .n = problem->system->n_states, .t = problem->t_start};
    double x1[IC_MAX_STATES] = {0}, u = 1;
    if (problem->variant->n_time_events > 0 || problem->x_start != NULL) return IC_UNSUPPORTED;
    const ic_jump *start = &problem->variant->start;
    const ic_branch *branch = &start->branches[start->apply(s.x, s.t, NULL, problem->par)];
    const double longest = options->step > 0 ? options->step : 1 / STEPS_BY_DEFAULT;
    ic_status status = IC_OK;
    enter(&s, branch->mode, NULL, branch);
    while (status == IC_OK && s.t < problem->t_end && !s.mode->terminal) {
        const double h = fmin(longest, problem->t_end - s.t);
        step(&s, x1, h);
        const ic_guard *fired = first(&s, x1, h, &u);
        if (fired != NULL) step(&s, x1, u * h);
        memcpy(s.x, x1, sizeof s.x);
        s.t = fired != NULL ? CLOCK(s.t, u, h) : h < longest ? problem->t_end : s.t + h;
        ic_log_work(log)->steps += 1;
        for (int i = 0; fired != NULL && status == IC_OK && i < TIMES_FOUND; i++) status = jump(log, &s, fired);
    }
    ic_log_final(log, s.t, s.number, s.x);
    return status;
}

const ic_plugin *impactcheck_plugin(void)
{
    static const ic_solver one = {
        IC_ABI(ic_solver),      .name = NAME, .title = "of the gallery",  .source = "textbook",
        .needs = IC_NEEDS_FLOW, .order = 4,   .control = IC_CONTROL_STEP, .solve = solve,
    };
    static const ic_solver *const solvers[] = {&one};
    static const ic_plugin plugin = {IC_ABI(ic_plugin), .name = NAME, .solvers = solvers,
                                     .n_solvers = IC_COUNT(solvers)};
    (void)bisect;
    return &plugin;
}

#endif
