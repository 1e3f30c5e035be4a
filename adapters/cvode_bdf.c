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

IC_CVODE_SOLVER(cvode_bdf, "SUNDIALS CVODE: BDF, orders 1 to 5, Newton's iteration, its own root finding", 5,
                CV_BDF)

const ic_tuning ic_tunings_cvode_bdf[] = {{NULL, NULL}};
