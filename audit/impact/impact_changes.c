/* SPDX-License-Identifier: MIT */
/* Groups, mistakes and words of the changes that a model knows. */
#include "audit/impact/impact_changes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char number[] = "%.7g";

static const struct {
    ic_mistake_id mistake;

    /* with at most one number, in %.7g */
    const char *text;
} changes[IC_CHANGE_KINDS] = {
    [IC_CHANGE_NONE] = {IC_NO_MISTAKE, "nothing"},
    [IC_W_UNCOUPLED] = {IC_MISTAKE_COUPLING_IGNORED, "w_xy = 0"},
    [IC_W_UNCOUPLED_NORMAL] = {IC_MISTAKE_COUPLING_IGNORED, "w_xy = 0 in the equation of v_y"},
    [IC_W_UNCOUPLED_TANGENTIAL] = {IC_MISTAKE_COUPLING_IGNORED, "w_xy = 0 in the equation of v_x"},
    [IC_W_COUPLING_REVERSED] = {IC_MISTAKE_SIGN_REVERSED, "-w_xy in place of w_xy"},
    [IC_W_INVERSE] = {IC_MISTAKE_MASS_FOR_INVERSE, "W^-1 in place of W"},
    [IC_W_TURNED] = {IC_MISTAKE_COLUMNS_EXCHANGED, "w_xx and w_yy are exchanged"},
    [IC_W_SCALED] = {IC_MISTAKE_MASS_WRONG, "W is %.7g times the given one"},
    [IC_W_XX_SCALED] = {IC_MISTAKE_INERTIA_WRONG, "w_xx is %.7g times the given one"},
    [IC_W_YY_SCALED] = {IC_MISTAKE_MASS_WRONG, "w_yy is %.7g times the given one"},
    [IC_W_XY_SCALED] = {IC_MISTAKE_INERTIA_WRONG, "w_xy is %.7g times the given one"},
    [IC_W_UNIT_MASS] = {IC_MISTAKE_MASS_WRONG, "W is divided by w_yy, as for a mass of 1 kg"},
    [IC_W_NO_ROTATION] = {IC_MISTAKE_ROTATION_IGNORED, "w_xx = w_yy and w_xy = 0, as if nothing rotated"},
    [IC_W_DIAGONAL_MORE] = {IC_MISTAKE_DIAGONAL_ADDED, "%.7g/kg is added to w_xx and w_yy"},
    [IC_V_LIMITED] = {IC_MISTAKE_SPEED_LIMITED, "speeds are limited to %.7g m/s"},
    [IC_V_SHIFTED_X] = {IC_MISTAKE_VELOCITY_SHIFTED, "friction acts as if v_x were greater by %.7g m/s"},
    [IC_V_X_RETURNED] = {IC_MISTAKE_TANGENTIAL_RESTITUTION, "what would stick returns %.7g times its slip"},
    [IC_V_X_RETURNED_E] = {IC_MISTAKE_TANGENTIAL_RESTITUTION, "what would stick returns %.7g e times its slip"},
    [IC_V_REST_SLIPS] = {IC_MISTAKE_SLIP_DIRECTION_WRONG,
                         "v_x = 0 is taken as a slip of %.7g |v_y| along the coupling"},
    [IC_V_NO_SLIP] = {IC_MISTAKE_SLIP_THRESHOLD, "v_x = 0 in place of v_x"},
    [IC_V_SLIP_HELD] = {IC_MISTAKE_SLIP_THRESHOLD, "the contact is taken as one without slip"},
    [IC_MU_ZERO] = {IC_MISTAKE_FRICTIONLESS, "mu = 0"},
    [IC_MU_INFINITE] = {IC_MISTAKE_OUTSIDE_CONE, "mu is infinite: the contact always sticks"},
    [IC_MU_SCALED] = {IC_MISTAKE_FRICTION_FACTOR, "mu is %.7g times the given one"},
    [IC_MU_MOST] = {IC_MISTAKE_FRICTION_LIMITED, "mu is at most %.7g"},
    [IC_MU_LEAST] = {IC_MISTAKE_FRICTION_LIMITED, "mu is at least %.7g"},
    [IC_MU_SQUARED] = {IC_MISTAKE_FRICTION_SQUARED, "mu^2 in place of mu"},
    [IC_MU_ROOT] = {IC_MISTAKE_FRICTION_SQUARED, "sqrt(mu) in place of mu"},
    [IC_MU_ANGLE] = {IC_MISTAKE_FRICTION_ANGLE, "atan(mu) in place of mu"},
    [IC_MU_TANGENT] = {IC_MISTAKE_FRICTION_ANGLE, "tan(mu) in place of mu"},
    [IC_MU_DEGREES] = {IC_MISTAKE_UNITS_MIXED, "the friction angle is in degrees where radians are expected"},
    [IC_MU_ROUNDED] = {IC_MISTAKE_FRICTION_ROUNDED, "mu is rounded to multiples of %.7g"},
    [IC_MU_CONSTANT] = {IC_MISTAKE_FRICTION_IGNORED, "mu is always %.7g"},
    [IC_MU_CURVE] = {IC_MISTAKE_FRICTION_WRONG, "mu is another function"},
    [IC_PATH_NO_STOP] = {IC_MISTAKE_FRICTION_REVERSES_SLIP, "friction of the first slip lasts to the end"},
    [IC_PATH_ALWAYS_STICKS] = {IC_MISTAKE_NO_REVERSE_SLIDING, "a contact whose slip has stopped always sticks"},
    [IC_PATH_NEVER_STICKS] = {IC_MISTAKE_NEVER_STICKS, "a contact whose slip has stopped always slides back"},
    [IC_PATH_FIRST_REVERSED] = {IC_MISTAKE_SIGN_REVERSED,
                                "friction has the direction of the first slip, not against it"},
    [IC_PATH_STICKING_REVERSED] = {IC_MISTAKE_SIGN_REVERSED,
                                   "the impulse that keeps the contact sticking has the wrong sign"},
    [IC_PATH_BACK_REVERSED] = {IC_MISTAKE_REVERSE_SLIDING_SIGN, "friction drives the slip back"},
    [IC_PATH_BACK_KEPT] = {IC_MISTAKE_REVERSE_SLIDING_SIGN,
                           "friction keeps the sign of the first slip after its reversal"},
    [IC_PATH_REST_IS_RIGHT] = {IC_MISTAKE_SLIP_DIRECTION_WRONG, "v_x = 0 is taken as slip to +x"},
    [IC_PATH_REST_IS_LEFT] = {IC_MISTAKE_SLIP_DIRECTION_WRONG, "v_x = 0 is taken as slip to -x"},
    [IC_PATH_ALWAYS_RIGHT] = {IC_MISTAKE_SLIP_DIRECTION_WRONG, "slip to -x is taken as slip to +x"},
    [IC_PATH_ALWAYS_LEFT] = {IC_MISTAKE_SLIP_DIRECTION_WRONG, "slip to +x is taken as slip to -x"},
    [IC_PATH_STICKS_BY_W_YY] = {IC_MISTAKE_STICK_TEST_WRONG, "it sticks if |w_xy| <= mu w_yy, not mu w_xx"},
    [IC_PATH_STATIC_MORE] = {IC_MISTAKE_STICK_TEST_WRONG, "it sticks if |w_xy| <= %.7g mu w_xx, not mu w_xx"},
    [IC_PATH_STATIC_BACK] = {IC_MISTAKE_STICK_TEST_WRONG,
                             "friction of a contact at rest is bounded by %.7g mu, also when it slides back"},
    [IC_PATH_STATIC_LEG] = {IC_MISTAKE_STICK_TEST_WRONG,
                            "friction of a contact that begins to slide is %.7g mu"},
    [IC_PATH_NOT_IN_RESTITUTION] = {IC_MISTAKE_FRICTION_IN_ONE_PHASE, "there is no friction in restitution"},
    [IC_PATH_NOT_IN_COMPRESSION] = {IC_MISTAKE_FRICTION_IN_ONE_PHASE, "there is no friction in compression"},
    [IC_E_SQUARED_] = {IC_MISTAKE_RESTITUTION_SQUARED, "e^2 in place of e"},
    [IC_E_ROOT_] = {IC_MISTAKE_RESTITUTION_SQUARED, "sqrt(e) in place of e"},
    [IC_E_CONSTANT] = {IC_MISTAKE_RESTITUTION_IGNORED, "e is always %.7g"},
    [IC_E_SCALED] = {IC_MISTAKE_RESTITUTION_WRONG, "e is %.7g times the given one"},
    [IC_E_MOST] = {IC_MISTAKE_RESTITUTION_LIMITED, "e is at most %.7g"},
    [IC_E_LEAST] = {IC_MISTAKE_RESTITUTION_LIMITED, "e is at least %.7g"},
    [IC_E_ROUNDED] = {IC_MISTAKE_RESTITUTION_ROUNDED, "e is rounded to multiples of %.7g"},
    [IC_E_SHIFTED] = {IC_MISTAKE_RESTITUTION_WRONG, "e is greater by %.7g"},
    [IC_E_CURVE] = {IC_MISTAKE_RESTITUTION_WRONG, "e is another function"},
    [IC_END_FRICTIONLESS_ALL] = {IC_MISTAKE_COMPRESSION_WRONG,
                                 "P_y is 1 + e times the P_c of an impact without friction"},
    [IC_END_FRICTIONLESS] = {IC_MISTAKE_COMPRESSION_WRONG,
                             "restitution follows from compression as it is without friction"},
    [IC_END_FRICTIONLESS_LOST] = {IC_MISTAKE_COMPRESSION_WRONG,
                                  "D_N is 1 - e^2 times the D_c of an impact without friction"},
    [IC_END_TOTAL] = {IC_MISTAKE_COMPRESSION_WRONG, "D_c contains the work of friction"},
    [IC_END_TOTAL_LOST] = {IC_MISTAKE_COMPRESSION_WRONG, "D_c contains the work of friction"},
    [IC_END_LAST_LEG] = {IC_MISTAKE_COMPRESSION_WRONG, "compression counts only after the slip has stopped"},
    [IC_END_LAST_LEG_LOST] = {IC_MISTAKE_COMPRESSION_WRONG,
                              "compression counts only after the slip has stopped"},
    [IC_END_FIRST_LEG] = {IC_MISTAKE_COMPRESSION_WRONG, "compression counts only until the slip has stopped"},
    [IC_END_IMPULSE_LIMITED] = {IC_MISTAKE_IMPULSE_LIMITED, "P_y is at most %.7g N s"},
    [IC_END_SPEED_MORE] = {IC_MISTAKE_VELOCITY_SHIFTED, "v_y' is greater by %.7g m/s"},
    [IC_END_SCALED] = {IC_MISTAKE_ENERGY_APPEARS, "P_y is %.7g times that of lift-off"},
    [IC_WHOLE_SWEEPS_X] = {IC_MISTAKE_ITERATIONS_FEW,
                           "Gauss-Seidel, P_x before P_y, ends after %.7g sweeps without having converged"},
    [IC_WHOLE_SWEEPS_Y] = {IC_MISTAKE_ITERATIONS_FEW,
                           "Gauss-Seidel, P_y before P_x, ends after %.7g sweeps without having converged"},
    [IC_WHOLE_OLD_SLIP] = {IC_MISTAKE_OLD_SLIP, "expansion starts from the slip before the impact"},
    [IC_WHOLE_BOUND_PLASTIC] = {IC_MISTAKE_FRICTION_BOUND,
                                "friction is bounded by mu times the P_y of compression without friction"},
    [IC_P_X_SCALED] = {IC_MISTAKE_TANGENTIAL_SCALED, "P_x is %.7g times the right one"},
    [IC_P_X_MORE] = {IC_MISTAKE_NOT_INVARIANT, "P_x is greater by %.7g N s"},
    [IC_P_X_SIGN] = {IC_MISTAKE_SIGN_REVERSED, "P_x has the other sign"},
    [IC_P_Y_SIGN] = {IC_MISTAKE_SIGN_REVERSED, "P_y has the other sign"},
    [IC_P_SIGN] = {IC_MISTAKE_SIGN_REVERSED, "P has the other sign"},
    [IC_P_SCALED] = {IC_MISTAKE_UNITS_MIXED, "P is %.7g times that in N s"},
    [IC_P_EXCHANGED] = {IC_MISTAKE_COLUMNS_EXCHANGED, "P_x and P_y are exchanged"},
    [IC_P_PER_MASS] = {IC_MISTAKE_MASS_WRONG, "P is multiplied by w_yy, which is divided by a mass"},
    [IC_OUT_V_X_SIGN] = {IC_MISTAKE_SIGN_REVERSED, "v_x' has the other sign"},
    [IC_OUT_V_Y_SIGN] = {IC_MISTAKE_SIGN_REVERSED, "v_y' has the other sign"},
    [IC_OUT_V_SIGN] = {IC_MISTAKE_SIGN_REVERSED, "v' has the other sign"},
    [IC_OUT_V_SCALED] = {IC_MISTAKE_UNITS_MIXED, "v' is %.7g times that in m/s"},
    [IC_OUT_V_X_SCALED] = {IC_MISTAKE_MOMENTUM_BROKEN, "v_x' is %.7g times v_x + (W P)_x"},
    [IC_OUT_V_Y_SCALED] = {IC_MISTAKE_MOMENTUM_BROKEN, "v_y' is %.7g times v_y + (W P)_y"},
    [IC_OUT_V_EXCHANGED] = {IC_MISTAKE_COLUMNS_EXCHANGED, "v_x' and v_y' are exchanged"},
    [IC_OUT_UNCOUPLED] = {IC_MISTAKE_COUPLING_IGNORED, "v' follows from P with w_xy = 0"},
    [IC_OUT_UNCOUPLED_NORMAL] = {IC_MISTAKE_COUPLING_IGNORED, "v_y' follows from P with w_xy = 0"},
    [IC_OUT_UNCOUPLED_TANGENTIAL] = {IC_MISTAKE_COUPLING_IGNORED, "v_x' follows from P with w_xy = 0"},
    [IC_OUT_V_CHANGE] = {IC_MISTAKE_MOMENTUM_BROKEN, "v' - v is returned in place of v'"},
};

unsigned ic_change_group(ic_change_kind kind)
{
    static const ic_change_kind first[] = {IC_W_UNCOUPLED,    IC_V_LIMITED,  IC_MU_ZERO,
                                           IC_PATH_NO_STOP,   IC_E_SQUARED_, IC_END_FRICTIONLESS_ALL,
                                           IC_WHOLE_SWEEPS_X, IC_P_X_SCALED, IC_OUT_V_X_SIGN};
    unsigned group = 0;
    while (group < IC_COUNT(first) && kind >= first[group]) group++;
    return group;
}

bool ic_change_has_number(ic_change_kind kind)
{
    return strstr(changes[kind].text, number) != NULL || kind == IC_MU_CURVE || kind == IC_E_CURVE;
}

bool ic_change_breaks_momentum(const ic_impact_change *c)
{
    if (c->true_velocity || c->kind == IC_V_SHIFTED_X || c->kind == IC_V_SLIP_HELD) return false;
    return c->kind <= IC_V_SLIP_HELD || (c->kind >= IC_P_X_SIGN);
}

static bool is_power_of_ten(double factor)
{
    const double power = log10(factor);
    return fabs(power) > 0.5 && fabs(power - round(power)) <= 1e-6;
}

static bool returns_slip(ic_change_kind kind)
{
    return kind == IC_V_X_RETURNED || kind == IC_V_X_RETURNED_E;
}

ic_mistake_id ic_change_mistake(const ic_impact_change *change)
{
    if (change->kind == IC_MU_CURVE || change->kind == IC_E_CURVE)
        return ic_impact_curve_mistake(change->curve, changes[change->kind].mistake);
    if (change->kind == IC_E_CONSTANT && change->by < 0) return IC_MISTAKE_PENETRATES;
    /* part of the slip is kept: that has no name */
    if (returns_slip(change->kind) && change->by < 0) return IC_NO_MISTAKE;
    if (change->kind == IC_END_SCALED && change->by < 1) return IC_MISTAKE_PENETRATES;
    const bool by_unit = change->kind == IC_P_SCALED || change->kind == IC_OUT_V_SCALED;
    return by_unit && !is_power_of_ten(change->by) ? IC_MISTAKE_MOMENTUM_BROKEN : changes[change->kind].mistake;
}

/* The texts contain their number as "%.7g". */
void ic_change_describe(char *text, size_t size, const ic_impact_change *change)
{
    if (change->kind == IC_MU_CURVE || change->kind == IC_E_CURVE) {
        ic_impact_curve_describe(text, size, change->curve, change->kind == IC_MU_CURVE ? "mu" : "e");
        return;
    }
    const char *whole = changes[change->kind].text, *at = strstr(whole, number);
    if (at == NULL) snprintf(text, size, "%s", whole);
    else
        snprintf(text, size, "%.*s%.7g%s", (int)(at - whole), whole,
                 change->kind == IC_MU_ROUNDED || change->kind == IC_E_ROUNDED ? fabs(change->by) : change->by,
                 at + sizeof number - 1);
}
