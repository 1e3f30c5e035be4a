/* SPDX-License-Identifier: MIT */
/*
 * Poisson's hypothesis: restitution returns e times the normal impulse P_C of compression,
 *
 *     P_y = (1 + e) P_C,
 *
 * on the path of Routh's construction (solvers/rigid/impulse_plane.h).
 *
 * S. D. Poisson, Traite de mecanique (1811); E. J. Routh, Dynamics of a System of Rigid Bodies
 * (1891).
 */
#include "solvers/rigid/impact_solver.h"
#include "solvers/rigid/impulse_plane.h"

/*
 * The part of e P_C not yet returned. At the end of compression this is e P_C itself, without
 * cancellation.
 */
static double poisson_length(const ic_restitution *r)
{
    const double P_C = r->compressed->P[1];
    return (r->impact->e * P_C - (r->now->P[1] - P_C)) / r->line->d[1];
}

IC_IMPACT_SOLVER(poisson, "Poisson: e times the impulse of compression is returned",
                 "Rigid impact in closed form, e times the impulse of compression is returned",
                 "Poisson 1811; Routh 1891", poisson_length)
