/* SPDX-License-Identifier: MIT */
/**
 * Runge-Kutta-Fehlberg 4(5) of the GNU Scientific Library.
 *
 * M. Galassi et al., GNU Scientific Library Reference Manual, 3rd ed. (2009), chapter on ordinary
 * differential equations. See adapters/gsl.h for its use.
 */
#include "adapters/gsl.h"

/* Errors are relative to the scale of each state alone. */
static ic_status solve_absolute(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    return ic_gsl_solve(log, problem, options, gsl_odeiv2_step_rkf45, 0, 0);
}

/* Errors are relative also to what the state changes by in a step. */
static ic_status solve_rate(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    return ic_gsl_solve(log, problem, options, gsl_odeiv2_step_rkf45, 1, 1);
}

static ic_status solve_rkf45(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    return ic_gsl_solve(log, problem, options, gsl_odeiv2_step_rkf45, 1, 0);
}

const ic_solver ic_solver_gsl_rkf45 = {
    IC_ABI(ic_solver),
    .name = "gsl_rkf45",
    .title = "GNU Scientific Library: Runge-Kutta-Fehlberg 4(5), steps retaken onto events",
    .source = "Galassi et al. 2009",
    .needs = IC_NEEDS_FLOW | IC_NEEDS_GUARD_RATE,
    .order = 5,
    .control = IC_CONTROL_RTOL,
    .solve = solve_rkf45,
};

const ic_tuning ic_tunings_gsl_rkf45[] = {{"absolute", solve_absolute}, {"rate", solve_rate}, {NULL, NULL}};
