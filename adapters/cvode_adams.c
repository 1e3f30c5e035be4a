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

IC_CVODE_SOLVER(cvode_adams,
                "SUNDIALS CVODE: Adams, orders 1 to 12, fixed-point iteration, its own root finding", 12,
                CV_ADAMS)

static ic_status solve_order_5(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    return ic_cvode_solve(log, problem, options, CV_ADAMS, 5);
}

static ic_status solve_order_8(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    return ic_cvode_solve(log, problem, options, CV_ADAMS, 8);
}

const ic_tuning ic_tunings_cvode_adams[] = {
    {"orders to 5", solve_order_5}, {"orders to 8", solve_order_8}, {NULL, NULL}};
