/* SPDX-License-Identifier: MIT */
#include "bench/settings.h"

#include <float.h>
#include <math.h>

/* Tolerances of adaptive solvers; steps of others relative to the time scale. */
static const double quick_rtol[] = {1e-4, 1e-6, 1e-8, 1e-10, 1e-12};
static const double full_rtol[] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13};
static const double quick_steps[] = {1 / 125.0, 1 / 250.0, 1 / 500.0, 1 / 1000.0};
static const double full_steps[] = {1 / 62.5,   1 / 125.0,  1 / 250.0,  1 / 500.0,  1 / 1000.0,
                                    1 / 2000.0, 1 / 4000.0, 1 / 8000.0, 1 / 16000.0};

size_t ic_cost_settings(double *settings, size_t most, const ic_solver *solver, const ic_problem *problem,
                        bool full)
{
    const bool steps = solver->control == IC_CONTROL_STEP;
    const double *table = steps ? (full ? full_steps : quick_steps) : (full ? full_rtol : quick_rtol);
    const size_t n = steps ? (full ? IC_COUNT(full_steps) : IC_COUNT(quick_steps))
                           : (full ? IC_COUNT(full_rtol) : IC_COUNT(quick_rtol));
    if (solver->control == IC_CONTROL_NONE) {
        settings[0] = 0;
        return 1;
    }
    for (size_t i = 0; i < n && i < most; i++)
        settings[i] = steps ? table[i] * ic_time_scale(problem) : table[i];
    return n < most ? n : most;
}

/* Events are located to the resolution of time, so that the error is the solver's. */
ic_options ic_cost_options(const ic_solver *solver, const ic_problem *problem, double setting)
{
    ic_options options = {.event_tol = 4 * DBL_EPSILON * fmax(problem->t_end, ic_time_scale(problem))};
    if (solver->control == IC_CONTROL_RTOL) options.rtol = setting;
    if (solver->control == IC_CONTROL_STEP) options.step = setting;
    return options;
}

double ic_cost_tie(const ic_solver *solver, const ic_problem *problem, double setting)
{
    if (solver->control == IC_CONTROL_STEP) return setting;
    return fmax(setting, DBL_EPSILON) * 10 * ic_time_scale(problem);
}
