/* SPDX-License-Identifier: MIT */
/**
 * The midpoint rule with steps of equal length, order 2:
 *
 *     x(t + h) = x + h f(t + h/2, x + h/2 f(t, x)).
 *
 * When a guard has changed sign in a step, the step is bisected, and the jump is applied just
 * beyond the zero. Hence the guard that has fired is on the far side, and does not fire again
 * before it has returned. No other clause of the event contract is kept, as clauses_not_kept
 * declares.
 */
#include "outside.h"

#include <math.h>
#include <string.h>

/* Number of steps of a run if no step is requested. */
#define DEFAULT_STEPS 1e5
/* Bisections of a step, beyond the resolution of a double. */
enum { HALVINGS = 60 };
/*
 * Times are equal if they differ by less than this fraction of the run, the rounding error of a sum
 * of a million steps.
 */
#define SAME_TIME 1e-12

typedef struct run {
    const ic_problem *problem;
    ic_log *log;
    int mode;
    double t;
    double x[IC_MAX_STATES];
    /* number of samples logged */
    size_t samples;
} run;

static const ic_mode *current_mode(const run *r)
{
    return &r->problem->variant->modes[r->mode];
}

static void take_step(double *x_after, const run *r, double h)
{
    const size_t n = r->problem->system->n_states;
    double slope[IC_MAX_STATES] = {0}, middle[IC_MAX_STATES] = {0};
    current_mode(r)->flow(slope, r->t, r->x, r->problem->par);
    for (size_t i = 0; i < n; i++) middle[i] = r->x[i] + 0.5 * h * slope[i];
    current_mode(r)->flow(slope, r->t + 0.5 * h, middle, r->problem->par);
    for (size_t i = 0; i < n; i++) x_after[i] = r->x[i] + h * slope[i];
    ic_log_work(r->log)->flow_calls += 2;
}

/* Whether a guard crosses its zero within h. */
static bool guard_fires(const run *r, const ic_guard *guard, double h)
{
    double x[IC_MAX_STATES] = {0};
    const double *par = r->problem->par;
    take_step(x, r, h);
    const double before = guard->value(r->t, r->x, par), after = guard->value(r->t + h, x, par);
    const bool falls = before > 0 && after <= 0, rises = before < 0 && after >= 0;
    if (!(guard->direction < 0 ? falls : guard->direction > 0 ? rises : falls || rises)) return false;
    return guard->enabled == NULL || guard->enabled(r->t + h, x, par) > 0;
}

static ic_status locate_and_jump(run *r, const ic_guard *guard, double h)
{
    double before[IC_MAX_STATES] = {0};
    double left = 0, right = h;
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = 0.5 * (left + right);
        if (guard_fires(r, guard, middle)) right = middle;
        else left = middle;
    }
    take_step(before, r, right);
    r->t += right;
    const ic_jump *map = &guard->jump;
    const int branch = map->apply(r->x, r->t, before, r->problem->par);
    const int from = r->mode, to = map->branches[branch].mode;
    if (to != IC_SAME_MODE) r->mode = to;
    const ic_event event = {IC_EVENT_GUARD, guard->name, r->t, 0, from, r->mode, before, r->x};
    return ic_log_event(r->log, &event);
}

/* Take one step, or the part of it before the first guard in table order that fires. */
static ic_status advance_run(run *r, double h)
{
    const ic_mode *mode = current_mode(r);
    double after[IC_MAX_STATES] = {0};
    ic_log_work(r->log)->steps += 1;
    for (size_t i = 0; i < mode->n_guards; i++) {
        if (guard_fires(r, &mode->guards[i], h)) return locate_and_jump(r, &mode->guards[i], h);
    }
    take_step(after, r, h);
    memcpy(r->x, after, sizeof after);
    r->t += h;
    return isfinite(r->x[0]) ? IC_OK : IC_NOT_FINITE;
}

/* Time of the next sample, or of the end of the run. */
static double next_stop(const run *r, const ic_options *options)
{
    const double start = r->problem->t_start, end = r->problem->t_end;
    if (r->samples + 1 >= options->samples) return end;
    return start + (end - start) * (double)r->samples / (double)(options->samples - 1);
}

static ic_status log_sample(run *r, const ic_options *options)
{
    const double length = r->problem->t_end - r->problem->t_start;
    if (options->extremes) ic_log_extremes(r->log, r->t, r->mode, r->x);
    if (r->samples >= options->samples || next_stop(r, options) - r->t > SAME_TIME * length) return IC_OK;
    r->samples++;
    return ic_log_sample(r->log, r->t, r->mode, r->x);
}

static ic_status solve_midpoint(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    run r = {.problem = problem, .log = log, .t = problem->t_start, .mode = problem->mode_start};
    const double length = problem->t_end - problem->t_start;
    const double h = options->step > 0 ? options->step : length / DEFAULT_STEPS;
    const double most = options->max_steps > 0 ? options->max_steps : 100 * DEFAULT_STEPS;
    const ic_jump *start = &problem->variant->start;
    if (problem->variant->n_time_events > 0) {
        ic_log_message(log, "the solver does not support time events");
        return IC_UNSUPPORTED;
    }
    if (problem->x_start != NULL) memcpy(r.x, problem->x_start, problem->system->n_states * sizeof *r.x);
    else r.mode = start->branches[start->apply(r.x, r.t, NULL, problem->par)].mode;
    ic_status status = log_sample(&r, options);
    while (status == IC_OK && problem->t_end - r.t > SAME_TIME * length && !current_mode(&r)->terminal) {
        if (ic_log_work(log)->steps >= most) status = IC_TOO_MUCH_WORK;
        else status = advance_run(&r, fmin(h, next_stop(&r, options) - r.t));
        if (status == IC_OK) status = log_sample(&r, options);
    }
    ic_log_final(log, r.t, r.mode, r.x);
    return status;
}

const ic_solver midpoint = {
    IC_ABI(ic_solver),
    .name = "midpoint",
    .title = "Midpoint rule with steps of equal length, bisection in a step",
    .source = "textbook",
    .needs = IC_NEEDS_FLOW,
    .order = 2,
    .control = IC_CONTROL_STEP,
    .clauses_not_kept = IC_CLAUSE(2) | IC_CLAUSE(3) | IC_CLAUSE(4) | IC_CLAUSE(5) | IC_CLAUSE(6) |
                        IC_CLAUSE(7) | IC_CLAUSE(8) | IC_CLAUSE(9),
    .solve = solve_midpoint,
};
