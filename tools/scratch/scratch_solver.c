/* SPDX-License-Identifier: MIT */
/**
 * A solver that tools/check-scratch.sh adds to a copy of the tree, to prove that one file and one
 * line do, and that the public header is enough to write one.
 *
 * Heun's method, order 2, without events:
 *
 *     k1 = f(t, x),  k2 = f(t + h, x + h k1),  x + h (k1 + k2)/2
 */
#include "impactcheck/impactcheck.h"

#include <math.h>

static const double steps_by_default = 10000; /* over the whole run */

/** One step of length h from t. */
static void heun_step(double *x, double t, double h, const ic_mode *mode, const ic_problem *problem)
{
    const size_t n = problem->system->n_states;
    double k1[IC_MAX_STATES] = {0};
    double k2[IC_MAX_STATES] = {0};
    double ahead[IC_MAX_STATES] = {0};

    mode->flow(k1, t, x, problem->par);
    for (size_t i = 0; i < n; i++) ahead[i] = x[i] + h * k1[i];
    mode->flow(k2, t + h, ahead, problem->par);
    for (size_t i = 0; i < n; i++) x[i] += 0.5 * h * (k1[i] + k2[i]);
}

/** Whether x is finite. */
static bool is_finite(const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(x[i])) return false;
    }
    return true;
}

/** Puts the start into x and returns its mode. */
static int start_state(double *x, const ic_problem *problem)
{
    const ic_jump *jump = &problem->variant->start;
    if (!problem->x_start) return jump->branches[jump->apply(x, problem->t_start, NULL, problem->par)].mode;
    for (size_t i = 0; i < problem->system->n_states; i++) x[i] = problem->x_start[i];
    return problem->mode_start;
}

static ic_status solve_problem(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    double x[IC_MAX_STATES] = {0};
    const int mode_number = start_state(x, problem);
    const ic_mode *mode = &problem->variant->modes[mode_number];
    if (mode->n_guards > 0 || problem->variant->n_time_events > 0) {
        ic_log_message(log, "the scratch solver knows no events");
        return IC_UNSUPPORTED;
    }

    /* Steps of equal length between samples, at most as long as the requested step. */
    const double length = problem->t_end - problem->t_start;
    const double intervals = options->samples > 1 ? (double)(options->samples - 1) : 1;
    const double step = options->step > 0 ? options->step : length / steps_by_default;
    const double between = fmax(1, ceil(length / (intervals * step)));
    const double h = length / (intervals * between);
    if (options->max_steps > 0 && intervals * between > options->max_steps) return IC_TOO_MUCH_WORK;

    ic_work *work = ic_log_work(log);
    double t = problem->t_start;
    for (double i = 0; i <= intervals * between; i++) {
        if (i > 0) {
            heun_step(x, t, h, mode, problem);
            work->flow_calls += 2;
            work->steps += 1;
            t = problem->t_start + i * h;
        }
        if (!is_finite(x, problem->system->n_states)) return IC_NOT_FINITE;
        if (options->extremes) ic_log_extremes(log, t, mode_number, x);
        if (options->samples > 0 && fmod(i, between) == 0) {
            const ic_status status = ic_log_sample(log, t, mode_number, x);
            if (status != IC_OK) return status;
        }
    }
    ic_log_final(log, problem->t_end, mode_number, x);
    return IC_OK;
}

const ic_solver ic_solver_scratch_solver = {
    IC_ABI(ic_solver),
    .name = "scratch_solver",
    .title = "Heun's method with steps of equal length, without events",
    .source = "K. Heun, Neue Methoden zur approximativen Integration der Differentialgleichungen, 1900",
    .needs = IC_NEEDS_FLOW,
    .order = 2,
    .control = IC_CONTROL_STEP,
    .solve = solve_problem,
};
