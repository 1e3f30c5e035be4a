/* SPDX-License-Identifier: MIT */
/** Rules of impact maps, and the changes by which a map that follows one can be wrong. */
#ifndef IC_AUDIT_IMPACT_IMPACT_CHANGES_H
#define IC_AUDIT_IMPACT_IMPACT_CHANGES_H

#include "audit/common/finding.h"
#include "audit/impact/impact_curve.h"

/** Rules for the end of the impact. */
typedef enum ic_impact_rule {
    /* on Coulomb's path */
    IC_RULE_NEWTON,
    IC_RULE_POISSON,
    IC_RULE_STRONGE,

    /* of the whole impulse, or of two of them: audit/impact/published_rules.h */
    IC_RULE_AT_ONCE,
    IC_RULE_IN_TWO,
    IC_RULE_BRACH,
    IC_RULE_WHITTAKER,
    IC_RULE_CHATTERJEE,
    IC_RULE_SMITH,
    IC_RULE_POISSON_AT_ONCE,
    IC_RULE_FRICTION_BOUND,

    /* Coulomb's path up to the P_y of the answer, whatever rule has given that */
    IC_RULE_OWN,
    IC_IMPACT_RULES
} ic_impact_rule;

/** Kinds of changes, in groups; a map has at most one change of each group. `by` is their number. */
typedef enum ic_change_kind {
    IC_CHANGE_NONE,

    /* ---- the mass matrix */
    IC_W_UNCOUPLED,
    IC_W_UNCOUPLED_NORMAL,     /* w_xy = 0 in the normal equation only */
    IC_W_UNCOUPLED_TANGENTIAL, /* w_xy = 0 in the tangential equation only */
    IC_W_COUPLING_REVERSED,
    IC_W_INVERSE,
    IC_W_TURNED, /* w_xx and w_yy exchanged */
    IC_W_SCALED,
    IC_W_XX_SCALED,
    IC_W_YY_SCALED,
    IC_W_XY_SCALED,
    IC_W_UNIT_MASS,   /* W / w_yy */
    IC_W_NO_ROTATION, /* w_xx = w_yy, w_xy = 0 */
    IC_W_DIAGONAL_MORE,

    /* ---- the velocity before */
    IC_V_LIMITED,
    IC_V_SHIFTED_X,
    IC_V_X_RETURNED,   /* the impulse is that of (1 + by) v_x */
    IC_V_X_RETURNED_E, /* of (1 + by e) v_x */
    IC_V_REST_SLIPS,   /* v_x = by |v_y| sign(w_xy) where v_x = 0 */
    IC_V_NO_SLIP,      /* v_x = 0, and forgotten */
    IC_V_SLIP_HELD,    /* v_x is kept, but taken as no slip */

    /* ---- friction */
    IC_MU_ZERO,
    IC_MU_INFINITE,
    IC_MU_SCALED,
    IC_MU_MOST,
    IC_MU_LEAST,
    IC_MU_SQUARED,
    IC_MU_ROOT,
    IC_MU_ANGLE,   /* atan(mu) */
    IC_MU_TANGENT, /* tan(mu) */
    IC_MU_DEGREES, /* tan(atan(mu) in degrees) */
    IC_MU_ROUNDED,
    IC_MU_CONSTANT,
    IC_MU_CURVE, /* a function, fitted */

    /* ---- the path of friction */
    IC_PATH_NO_STOP,
    IC_PATH_ALWAYS_STICKS,
    IC_PATH_NEVER_STICKS, /* `by`: the direction where w_xy = 0 */
    IC_PATH_FIRST_REVERSED,
    IC_PATH_STICKING_REVERSED,
    IC_PATH_BACK_REVERSED,
    IC_PATH_BACK_KEPT, /* the same, except where there is no slip at first */
    IC_PATH_REST_IS_RIGHT,
    IC_PATH_REST_IS_LEFT,
    IC_PATH_ALWAYS_RIGHT,
    IC_PATH_ALWAYS_LEFT,
    IC_PATH_STICKS_BY_W_YY,
    IC_PATH_STATIC_MORE, /* by mu bounds sticking only */
    IC_PATH_STATIC_BACK, /* and friction that slides back */
    IC_PATH_STATIC_LEG,  /* this until compression ends */
    IC_PATH_NOT_IN_RESTITUTION,
    IC_PATH_NOT_IN_COMPRESSION,

    /* ---- the coefficient of restitution */
    IC_E_SQUARED_,
    IC_E_ROOT_,
    IC_E_CONSTANT,
    IC_E_SCALED,
    IC_E_MOST,
    IC_E_LEAST,
    IC_E_ROUNDED,
    IC_E_SHIFTED,
    IC_E_CURVE,

    /* ---- the impulse or the energy of compression, or the end */
    IC_END_FRICTIONLESS_ALL,  /* P_y = (1 + e) times P_c without friction */
    IC_END_FRICTIONLESS,      /* restitution from the compression without friction */
    IC_END_FRICTIONLESS_LOST, /* D_N = (1 - e^2) times that energy */
    IC_END_TOTAL,             /* with the work of friction */
    IC_END_TOTAL_LOST,
    IC_END_LAST_LEG, /* of the part after the stop */
    IC_END_LAST_LEG_LOST,
    IC_END_FIRST_LEG, /* of the part before the stop */
    IC_END_IMPULSE_LIMITED,
    IC_END_SPEED_MORE, /* v_y' + by */
    IC_END_SCALED,     /* P_y is by times that of lift-off */

    /* ---- laws for the whole impulse */
    IC_WHOLE_SWEEPS_X,      /* `by` sweeps of projected Gauss-Seidel, P_x first */
    IC_WHOLE_SWEEPS_Y,      /* P_y first */
    IC_WHOLE_OLD_SLIP,      /* expansion starts from the slip before the impact */
    IC_WHOLE_BOUND_PLASTIC, /* |P_x| is bounded by mu times P_y of compression without friction */

    /* ---- the answer: impulse */
    IC_P_X_SCALED,
    IC_P_X_MORE,
    IC_P_X_SIGN,
    IC_P_Y_SIGN,
    IC_P_SIGN,
    IC_P_SCALED,
    IC_P_EXCHANGED,
    IC_P_PER_MASS,

    /* ---- the answer: velocity */
    IC_OUT_V_X_SIGN,
    IC_OUT_V_Y_SIGN,
    IC_OUT_V_SIGN,
    IC_OUT_V_SCALED,
    IC_OUT_V_X_SCALED,
    IC_OUT_V_Y_SCALED,
    IC_OUT_V_EXCHANGED,
    IC_OUT_UNCOUPLED,
    IC_OUT_UNCOUPLED_NORMAL,
    IC_OUT_UNCOUPLED_TANGENTIAL,
    IC_OUT_V_CHANGE, /* v' - v in place of v' */
    IC_CHANGE_KINDS
} ic_change_kind;

typedef struct ic_impact_change {
    ic_change_kind kind;
    double by;

    /* of IC_MU_CURVE and IC_E_CURVE; owned by the found model */
    const ic_impact_curve *curve;

    /* v' = v + W P with the given W and v, although the impulse is that of others */
    bool true_velocity;
} ic_impact_change;

/** Whether its text has a number, which is to be found in the answers. */
bool ic_change_has_number(ic_change_kind kind);

/** Whether v' = v + W P, with the given v and W, is broken by it. */
bool ic_change_breaks_momentum(const ic_impact_change *change);

/** Changes of one group exclude each other. */
unsigned ic_change_group(ic_change_kind kind);
ic_mistake_id ic_change_mistake(const ic_impact_change *change);

/** A sentence in the words of the change, with its number. */
void ic_change_describe(char *text, size_t size, const ic_impact_change *change);

#endif
