/* SPDX-License-Identifier: MIT */
/*
 * Poisson's hypothesis at all contacts at once. Compression ends where no contact approaches;
 * expansion returns at least e_i times each impulse of compression, and as much more as keeps the
 * bodies apart:
 *
 *     0 <= u_C  _|_  P_C >= 0,               u_C = u- + W P_C,
 *     0 <= u+   _|_  P_E - E P_C >= 0,       u+ = u_C + W P_E,     P = P_C + P_E.
 *
 * Energy: compression loses P_C.W P_C/2. With one coefficient for all contacts the map creates
 * none; with different ones, no impact that creates energy is known to us (tests look for one).
 *
 * It equals Newton's where all e are the same and u_C = 0. Newton's cradle therefore comes out
 * wrong in the same way. They differ where coefficients differ: with e = (0, 1) the second contact
 * of three balls is compressed by the first, and returns that impulse; Newton's sees no approach
 * there.
 *
 * C. Glocker, F. Pfeiffer, Multiple impacts with friction in rigid multibody systems (1995).
 */
#include "solvers/rigid/lcp.h"
#include "solvers/rigid/multi_impact.h"

static ic_status map_poisson(ic_multi_impact_result *result, const ic_multi_impact *impact)
{
    double compressed[IC_MULTI_CONTACTS], P_C[IC_MULTI_CONTACTS], returned[IC_MULTI_CONTACTS];
    const size_t n = impact->n;
    if (ic_multi_impact_fault(impact) != NULL) return IC_INVALID;
    ic_status status = ic_lcp_solve(P_C, compressed, impact->W, impact->u, n);
    if (status == IC_OK) {
        double q[IC_MULTI_CONTACTS];
        for (size_t i = 0; i < n; i++) returned[i] = impact->e[i] * P_C[i];
        ic_multi_impact_change(q, impact, returned);
        for (size_t i = 0; i < n; i++) q[i] += compressed[i];
        status = ic_lcp_solve(result->P, result->u, impact->W, q, n);
    }
    if (status != IC_OK) return status == IC_UNSUPPORTED ? IC_INVALID : status;
    for (size_t i = 0; i < n; i++) result->P[i] += P_C[i] + returned[i];
    ic_multi_impact_finish(result, impact);
    return IC_OK;
}

const ic_multi_impact_map ic_multi_impact_map_simultaneous_poisson = {
    IC_ABI(ic_multi_impact_map),
    .name = "simultaneous_poisson",
    .title = "Poisson at all contacts at once: expansion returns e times the impulses of compression",
    .source = "Glocker & Pfeiffer 1995",
    .map = map_poisson,
};
