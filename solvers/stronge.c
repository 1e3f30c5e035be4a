/* SPDX-License-Identifier: MIT */
/*
 * Stronge's hypothesis: restitution returns e^2 times the energy D_C that compression took from the
 * normal motion,
 *
 *     D_N = (1 - e^2) D_C,
 *
 * on the path of Routh's construction (solvers/rigid/impulse_plane.h). With the energy q still to
 * be returned, from v_y on a line,
 *
 *     integral v_y dP_y = d_y (v_y u + b u^2/2) = q,
 *     u = 2 q/(d_y v_y + sqrt((d_y v_y)^2 + 2 b d_y q)),
 *
 * which is the root without cancellation. If sliding stops on the way, u starts again on the next
 * line with the energy still to be returned then.
 *
 * W. J. Stronge, Rigid body collisions with friction, Proc. R. Soc. Lond. A 431 (1990) 169-181.
 */
#include "solvers/rigid/impact_solver.h"
#include "solvers/rigid/impulse_plane.h"

#include <math.h>

static double stronge_length(const ic_restitution *r)
{
    const double e = r->impact->e, D_C = r->compressed->D_N;
    const double q = e * e * D_C - (D_C - r->now->D_N);
    const double d_y = r->line->d[1], linear = d_y * r->now->v[1];
    return q > 0 ? 2 * q / (linear + sqrt(linear * linear + 2 * r->line->b * d_y * q)) : 0;
}

IC_IMPACT_SOLVER(stronge, "Stronge: e^2 times the energy of compression is returned",
                 "Rigid impact in closed form, e^2 times the energy of compression is returned", "Stronge 1990",
                 stronge_length)
