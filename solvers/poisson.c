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

static ic_status map_poisson(ic_impact_result *result, const ic_impact *impact)
{
    return ic_impulse_path(result, impact, poisson_length);
}

const ic_impact_map ic_impact_map_poisson = {
    IC_ABI(ic_impact_map),
    .name = "poisson",
    .title = "Poisson: e times the impulse of compression is returned",
    .source = "Poisson 1811; Routh 1891",
    .map = map_poisson,
};

static ic_status solve_poisson(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    return ic_impact_solve(log, problem, options, &ic_impact_map_poisson);
}

const ic_solver ic_solver_poisson = {
    IC_ABI(ic_solver),
    .name = "poisson",
    .title = "Rigid impact in closed form, e times the impulse of compression is returned",
    .source = "Poisson 1811; Routh 1891",
    .needs = IC_NEEDS_IMPACT_VIEW,
    .order = 0,
    .control = IC_CONTROL_NONE,
    .variant = "poisson",
    .solve = solve_poisson,
};
