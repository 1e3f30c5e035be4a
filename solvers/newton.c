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

IC_IMPACT_SOLVER(newton, "Newton: the normal velocity is reversed times e",
                 "Rigid impact in closed form, the normal velocity reversed times e",
                 "Newton 1687; path: Routh 1891", newton_length)
