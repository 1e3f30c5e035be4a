/* SPDX-License-Identifier: MIT */
/**
 * GSL's explicit Runge-Kutta steppers with its step control, under the common event loop. GSL is
 * under the GNU General Public License, so it is linked into impactcheck-gsl only.
 *
 * The package has no interpolant and no events. As its users do, a step that carries a guard across
 * zero is undone, and the time of the crossing is corrected by steps of other lengths from the same
 * start (Newton's method with the rate of the guard), so that the state at the event has the
 * accuracy of a step.
 *
 * Two crossings inside one step are found if the cubic through the states and slopes at both ends
 * shows them (core/step_events.h). A step is not searched if all guards stay clear of zero on the
 * cubic through their own values and rates (Bernstein coefficients of one sign). If the cubic of
 * the state shows a crossing that repeated steps do not find nearby, or before which another guard
 * has crossed, the step is searched once more with a repeated step for each state. All clauses of
 * the event contract are kept.
 *
 * Tolerances: rtol relative, and rtol times the case's scale of each state absolute; the largest
 * error of a state counts. `relative` and `rate` are the package's a_y and a_dydt, weights of |x| and
 * of h |dx/dt| in the relative part: 1 and 0 but for tunings.
 */
#pragma once

#include "core/event_loop.h"
#include "core/tunings.h"

#include <gsl/gsl_odeiv2.h>

ic_status ic_gsl_solve(ic_log *log, const ic_problem *problem, const ic_options *options,
                       const gsl_odeiv2_step_type *type, double relative, double rate);

/** A solver by a stepper of the package, with its tunings: errors relative to the scale of each state alone; and to
    what it changes by in a step, too. */
#define IC_GSL_SOLVER(name_, title_, order_, type_)                                                            \
    static ic_status solve_absolute(ic_log *log, const ic_problem *problem, const ic_options *options)         \
    {                                                                                                          \
        return ic_gsl_solve(log, problem, options, type_, 0, 0);                                               \
    }                                                                                                          \
    static ic_status solve_rate(ic_log *log, const ic_problem *problem, const ic_options *options)             \
    {                                                                                                          \
        return ic_gsl_solve(log, problem, options, type_, 1, 1);                                               \
    }                                                                                                          \
    static ic_status solve(ic_log *log, const ic_problem *problem, const ic_options *options)                  \
    {                                                                                                          \
        return ic_gsl_solve(log, problem, options, type_, 1, 0);                                               \
    }                                                                                                          \
    const ic_solver ic_solver_##name_ = {IC_ABI(ic_solver),                                                    \
                                         .name = #name_,                                                       \
                                         .title = (title_),                                                    \
                                         .source = "Galassi et al. 2009",                                      \
                                         .needs = IC_NEEDS_FLOW | IC_NEEDS_GUARD_RATE,                         \
                                         .order = (order_),                                                    \
                                         .control = IC_CONTROL_RTOL,                                           \
                                         .solve = solve};                                                      \
    const ic_tuning ic_tunings_##name_[] = {{"absolute", solve_absolute}, {"rate", solve_rate}, {NULL, NULL}};
