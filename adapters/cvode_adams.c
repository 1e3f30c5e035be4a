/* SPDX-License-Identifier: MIT */
/**
 * Adams' method of CVODE: implicit, of variable order 1 to 12 and variable step, with fixed-point
 * iteration.
 *
 * A. C. Hindmarsh et al., SUNDIALS: suite of nonlinear and differential/algebraic equation solvers,
 * ACM Trans. Math. Softw. 31 (2005) 363-396. See adapters/sundials.h for its use, and the clauses
 * of the event contract that it does not keep.
 *
 * Each event costs a restart at order 1, after which the order must be built up again.
 */
#include "adapters/sundials.h"

static ic_status solve_adams(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    return ic_cvode_solve(log, problem, options, CV_ADAMS, 0);
}

static ic_status solve_order_5(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    return ic_cvode_solve(log, problem, options, CV_ADAMS, 5);
}

static ic_status solve_order_8(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    return ic_cvode_solve(log, problem, options, CV_ADAMS, 8);
}

const ic_solver ic_solver_cvode_adams = {
    IC_ABI(ic_solver),
    .name = "cvode_adams",
    .title = "SUNDIALS CVODE: Adams, orders 1 to 12, fixed-point iteration, its own root finding",
    .source = "Hindmarsh et al. 2005",
    .needs = IC_NEEDS_FLOW | IC_NEEDS_GUARD_RATE,
    .order = 12,
    .control = IC_CONTROL_RTOL,
    .clauses_not_kept = IC_CLAUSE(6) | IC_CLAUSE(7) | IC_CLAUSE(8),
    .rtol_per_error = IC_CVODE_RTOL_PER_ERROR,
    .solve = solve_adams,
};

const ic_tuning ic_tunings_cvode_adams[] = {
    {"orders to 5", solve_order_5}, {"orders to 8", solve_order_8}, {NULL, NULL}};
