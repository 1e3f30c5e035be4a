/* SPDX-License-Identifier: MIT */
/*
 * Newton's hypothesis: the bodies separate with e times the normal velocity of approach,
 *
 *     v_y = -e v_y(0),
 *
 * on the path of Routh's construction (solvers/rigid/impulse_plane.h). In an eccentric impact with
 * friction this can create energy.
 *
 * I. Newton, Philosophiae Naturalis Principia Mathematica (1687), scholium to the laws of motion.
 */
#include "solvers/rigid/impact_solver.h"
#include "solvers/rigid/impulse_plane.h"

static double newton_length(const ic_restitution *r)
{
    return (-r->impact->e * r->impact->v[1] - r->now->v[1]) / r->line->b;
}

static ic_status map_newton(ic_impact_result *result, const ic_impact *impact)
{
    return ic_impulse_path(result, impact, newton_length);
}

const ic_impact_map ic_impact_map_newton = {
    IC_ABI(ic_impact_map),
    .name = "newton",
    .title = "Newton: the normal velocity is reversed times e",
    .source = "Newton 1687; path: Routh 1891",
    .map = map_newton,
};

static ic_status solve_newton(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    return ic_impact_solve(log, problem, options, &ic_impact_map_newton);
}

const ic_solver ic_solver_newton = {
    IC_ABI(ic_solver),
    .name = "newton",
    .title = "Rigid impact in closed form, the normal velocity reversed times e",
    .source = "Newton 1687; path: Routh 1891",
    .needs = IC_NEEDS_IMPACT_VIEW,
    .order = 0,
    .control = IC_CONTROL_NONE,
    .variant = "newton",
    .solve = solve_newton,
};
