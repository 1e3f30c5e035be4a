/* SPDX-License-Identifier: MIT */
/**
 * GSL's explicit Runge-Kutta steppers with its step control, under the common event loop. GSL is under the GNU General Public
 * License: it is linked into impactcheck-gsl only.
 *
 * The package has no interpolant and knows no events. As its users do, a step that carries a guard across zero is
 * taken back, and the time of the crossing corrected by steps of other lengths from the same start (Newton's method with the
 * guard's rate), so that the state at the event has the accuracy of a step.
 *
 * Two crossings inside one step: found if the cubic through the states and slopes at both ends shows them (core/step_events.h). A step
 * whose guards keep clear of zero on such a cubic of their own (Bernstein coefficients of one sign) is not searched. Where the cubic
 * shows a crossing that steps then do not find nearby, or find another guard across before, the step is searched once more with a
 * step of its own for each state. All clauses of the event contract are kept.
 *
 * Tolerances: rtol relative, and rtol times the case's scale of each state absolute; the greatest error of a state counts.
 */
#ifndef IC_ADAPTERS_GSL_H
#define IC_ADAPTERS_GSL_H

#include "core/event_loop.h"

#include <gsl/gsl_odeiv2.h>

ic_status ic_gsl_solve(ic_log *log, const ic_problem *problem, const ic_options *options,
                       const gsl_odeiv2_step_type *type);

#endif
