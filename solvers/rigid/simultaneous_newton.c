/* SPDX-License-Identifier: MIT */
/*
 * Newton's hypothesis at all contacts at once:
 *
 *     0 <= u+ + E u-  _|_  P >= 0,     u+ = u- + W P,
 *
 * a linear complementarity problem. A contact that receives an impulse separates with -e_i times
 * the velocity of its approach; one that would separate faster receives none. Contacts that
 * separate before the impact have no restitution: for them e_i u_i- is 0.
 *
 * Energy: the loss is 1/2 sum P_i (e_i - 1) u_i- over the contacts that approach, minus 1/2 sum P_i
 * u_i- over those that separated before. It is not negative if none of the latter receives an
 * impulse. Otherwise the map may create energy: balls of mass 1 with the velocities (1, 0, 1/10)
 * and e = 1 leave with (-3/10, 7/10, 7/10).
 *
 * Newton's cradle: contacts that only touch have u- = 0 and keep it if they push, so that all balls
 * behind the first leave together: the first of N equal balls rebounds with (N - 2)/N, the others
 * leave with 2/N. This is not what cradles do. A block that lands on two corners keeps its
 * symmetry.
 *
 * J. J. Moreau, Unilateral contact and dry friction in finite freedom dynamics (1988); C. Glocker,
 * F. Pfeiffer, Multiple impacts with friction in rigid multibody systems (1995).
 */
#include "solvers/rigid/lcp.h"
#include "solvers/rigid/multi_impact.h"

#include <math.h>

static ic_status map_newton(ic_multi_impact_result *result, const ic_multi_impact *impact)
{
    double q[IC_MULTI_CONTACTS], returned[IC_MULTI_CONTACTS];
    if (ic_multi_impact_fault(impact) != NULL) return IC_INVALID;
    for (size_t i = 0; i < impact->n; i++) {
        returned[i] = -impact->e[i] * fmin(impact->u[i], 0);
        q[i] = impact->u[i] - returned[i];
    }
    const ic_status status = ic_lcp_solve(result->P, result->u, impact->W, q, impact->n);
    if (status != IC_OK) return status == IC_UNSUPPORTED ? IC_INVALID : status;
    for (size_t i = 0; i < impact->n; i++) result->u[i] += returned[i];
    ic_multi_impact_finish(result, impact);
    return IC_OK;
}

const ic_multi_impact_map ic_multi_impact_map_simultaneous_newton = {
    IC_ABI(ic_multi_impact_map),
    .name = "simultaneous_newton",
    .title = "Newton at all contacts at once: each that pushes separates with e times its approach",
    .source = "Moreau 1988",
    .map = map_newton,
};
