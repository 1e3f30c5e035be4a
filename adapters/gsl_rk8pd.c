/* SPDX-License-Identifier: MIT */
/**
 * Runge-Kutta Prince-Dormand 8(7) of the GNU Scientific Library.
 *
 * M. Galassi et al., GNU Scientific Library Reference Manual, 3rd ed. (2009), chapter on ordinary
 * differential equations. See adapters/gsl.h for its use.
 */
#include "adapters/gsl.h"

/* Errors are relative to the scale of each state alone. */
static ic_status solve_absolute(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    return ic_gsl_solve(log, problem, options, gsl_odeiv2_step_rk8pd, 0, 0);
}

/* Errors are relative also to what the state changes by in a step. */
static ic_status solve_rate(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    return ic_gsl_solve(log, problem, options, gsl_odeiv2_step_rk8pd, 1, 1);
}

static ic_status solve_rk8pd(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    return ic_gsl_solve(log, problem, options, gsl_odeiv2_step_rk8pd, 1, 0);
}

const ic_solver ic_solver_gsl_rk8pd = {
    IC_ABI(ic_solver),
    .name = "gsl_rk8pd",
    .title = "GNU Scientific Library: Runge-Kutta Prince-Dormand 8(7), steps retaken onto events",
    .source = "Galassi et al. 2009",
    .needs = IC_NEEDS_FLOW | IC_NEEDS_GUARD_RATE,
    .order = 8,
    .control = IC_CONTROL_RTOL,
    .solve = solve_rk8pd,
};

const ic_tuning ic_tunings_gsl_rk8pd[] = {{"absolute", solve_absolute}, {"rate", solve_rate}, {NULL, NULL}};
