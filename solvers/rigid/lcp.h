/* SPDX-License-Identifier: MIT */
/**
 * Linear complementarity problems (LCP),
 *
 *     w = M z + q,     w >= 0,     z >= 0,     w.z = 0,
 *
 * which contacts pose at the level of impulses: each contact either separates or pushes.
 */
#pragma once

#include "impactcheck/impactcheck.h"

/** Greatest n. */
enum { IC_MOST_LCP = 192 };

/**
 * Solve an LCP by Lemke's method with the lexicographic rule, which does not cycle where z is
 * degenerate. M has n x n elements by rows and no negative ones in its diagonal, q, z and w have n.
 * Elements of z and w that the solution holds at zero are exactly zero. IC_UNSUPPORTED: the method
 * ended in a ray; if M is copositive-plus, for instance positive semidefinite, the problem has no
 * solution. IC_TOO_MUCH_WORK: rounding defeats it; an answer that is returned has been checked by
 * ic_lcp_violation. IC_INVALID: an element is not finite, the diagonal is negative, a row is zero,
 * or n > IC_MOST_LCP.
 */
ic_status ic_lcp_solve(double *z, double *w, const double *M, const double *q, size_t n);

/**
 * The largest violation of w = M z + q, w >= 0, z >= 0 and w.z = 0 by z, in rows scaled to a
 * diagonal of ones and relative to the largest term in any of them: about n roundings for a
 * solution, of order 1 for an answer that has nothing in common with one. It is computed from z
 * alone, by other code than the solution.
 */
double ic_lcp_violation(const double *z, const double *M, const double *q, size_t n);
