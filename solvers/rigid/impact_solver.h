/* SPDX-License-Identifier: MIT */
/** Makes a rigid impact map a solver of cases with an impact view. */
#pragma once

#include "impactcheck/impactcheck.h"

/**
 * Apply a map to the impact of the case, and log its path as the rigid variants of the case do: the
 * states and modes of an impact view, the corners after the start as events, and the clock F_y =
 * -k_y v_y(0) (1 s),
 *
 *     t = t_start + P_y/(k_y |v_y(0)|) / (1 s),
 *
 * which is F_y = -m v_y(0)/(1 s) if k_y = m/(1 s)^2. A run that ends before lift-off stops there,
 * on its path. IC_INVALID: the impact has a fault. IC_UNSUPPORTED: the case has no impact view, a
 * start state is given, or the map does not report its path.
 */
ic_status ic_impact_solve(ic_log *log, const ic_problem *problem, const ic_options *options,
                          const ic_impact_map *map);

/** A map on Routh's path, whose restitution is `length_` (impulse_plane.h), and the solver by it. */
#define IC_IMPACT_SOLVER(name_, map_title_, title_, source_, length_)                                          \
    static ic_status map_##name_(ic_impact_result *result, const ic_impact *impact)                            \
    {                                                                                                          \
        return ic_impulse_path(result, impact, length_);                                                       \
    }                                                                                                          \
    const ic_impact_map ic_impact_map_##name_ = {IC_ABI(ic_impact_map), .name = #name_, .title = (map_title_), \
                                                 .source = (source_), .map = map_##name_};                     \
    static ic_status solve_##name_(ic_log *log, const ic_problem *problem, const ic_options *options)          \
    {                                                                                                          \
        return ic_impact_solve(log, problem, options, &ic_impact_map_##name_);                                 \
    }                                                                                                          \
    const ic_solver ic_solver_##name_ = {IC_ABI(ic_solver),                                                    \
                                         .name = #name_,                                                       \
                                         .title = (title_),                                                    \
                                         .source = (source_),                                                  \
                                         .needs = IC_NEEDS_IMPACT_VIEW,                                        \
                                         .order = 0,                                                           \
                                         .control = IC_CONTROL_NONE,                                           \
                                         .variant = #name_,                                                    \
                                         .solve = solve_##name_};
