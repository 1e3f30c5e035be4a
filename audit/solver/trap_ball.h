/* SPDX-License-Identifier: MIT */
/**
 * A ball on a rigid floor, the case of many traps:
 *
 *     flight:  x' = v,  v' = -g,  from (h, v0) on, until x falls to 0
 *     impact:  v+ = -e v-;  to rest without a rebound, and after infinitely many impacts.
 */
#ifndef IC_AUDIT_SOLVER_TRAP_BALL_H
#define IC_AUDIT_SOLVER_TRAP_BALL_H

#include "audit/solver/trap_parts.h"

enum { IC_TRAP_BALL_H, IC_TRAP_BALL_V0, IC_TRAP_BALL_G, IC_TRAP_BALL_E, IC_TRAP_BALL_PARAMETERS };
enum { IC_TRAP_BALL_X, IC_TRAP_BALL_V, IC_TRAP_BALL_STATES };
enum { IC_TRAP_BALL_FLIGHT, IC_TRAP_BALL_REST };

#define IC_TRAP_BALL_FLOOR "floor"

/** Fields of a case of the ball. */
#define IC_TRAP_BALL_TABLES(variants_, presets_)                                                               \
    IC_TRAP_PARAMETERS(ic_trap_ball_parameters), IC_TRAP_TABLES(ic_trap_ball_states, variants_, presets_),     \
        .time_scale = "sqrt(2*h/g) + sqrt(v0^2)/g"

extern const ic_parameter ic_trap_ball_parameters[IC_TRAP_BALL_PARAMETERS];
extern const ic_state ic_trap_ball_states[IC_TRAP_BALL_STATES];
extern const ic_variant ic_trap_ball_variants[1];

/* Parts for balls with other guards. */
void ic_trap_ball_flight(double *dxdt, double t, const double *x, const double *par);
extern const char *const ic_trap_ball_flight_linear[IC_TRAP_BALL_STATES];
int ic_trap_ball_start(double *x_post, double t, const double *x, const double *par);
extern const ic_branch ic_trap_ball_start_branches[1];
/** x = 0, v = -e v, whatever the speed. */
int ic_trap_ball_reverse(double *x_post, double t, const double *x, const double *par);
extern const char *const ic_trap_ball_reversed[IC_TRAP_BALL_STATES];

#endif
