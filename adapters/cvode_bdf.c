/* SPDX-License-Identifier: MIT */
/**
 * Backward differentiation formulas of CVODE: implicit, of variable order 1 to 5 and variable step,
 * with Newton's iteration and a dense Jacobian by finite differences.
 *
 * A. C. Hindmarsh et al., SUNDIALS: suite of nonlinear and differential/algebraic equation solvers,
 * ACM Trans. Math. Softw. 31 (2005) 363-396. See adapters/sundials.h for its use, and the clauses
 * of the event contract that it does not keep.
 *
 * The method is made for stiff flows. On others it is the most expensive peer: its orders are low,
 * and each event costs a restart at order 1.
 */
#include "adapters/sundials.h"

static ic_status solve_bdf(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    return ic_cvode_solve(log, problem, options, CV_BDF, 0);
}

const ic_solver ic_solver_cvode_bdf = {
    IC_ABI(ic_solver),
    .name = "cvode_bdf",
    .title = "SUNDIALS CVODE: BDF, orders 1 to 5, Newton's iteration, its own root finding",
    .source = "Hindmarsh et al. 2005",
    .needs = IC_NEEDS_FLOW | IC_NEEDS_GUARD_RATE,
    .order = 5,
    .control = IC_CONTROL_RTOL,
    .clauses_not_kept = IC_CLAUSE(6) | IC_CLAUSE(7) | IC_CLAUSE(8),
    .rtol_per_error = IC_CVODE_RTOL_PER_ERROR,
    .solve = solve_bdf,
};

const ic_tuning ic_tunings_cvode_bdf[] = {{NULL, NULL}};
