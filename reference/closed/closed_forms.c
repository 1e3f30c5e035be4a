/* SPDX-License-Identifier: MIT */
#include "reference/closed/closed_forms.h"

/* u and v of M u'' + C u' + K u = 0 */
static bool damped_oscillation(arb_t u, arb_t v, const arb_t t, const arb_t u0, const arb_t v0,
                               const arb_t stiffness, const arb_t decay, slong precision)
{
    IC_BALLS(w, c, s, slope, envelope);
    arb_mul(w, decay, decay, precision);
    arb_sub(w, stiffness, w, precision);
    const bool oscillates = arb_is_positive(w);
    if (oscillates) {
        arb_sqrt(w, w, precision);
        arb_mul(s, w, t, precision);
        arb_sin_cos(s, c, s, precision);
        arb_mul(envelope, decay, t, precision);
        arb_neg(envelope, envelope);
        arb_exp(envelope, envelope, precision);
        /* u = E (u0 c + p s), v = E ((p w - d u0) c - (d p + w u0) s), p = (v0 + d u0)/w */
        arb_mul(slope, decay, u0, precision);
        arb_add(slope, slope, v0, precision);
        arb_div(slope, slope, w, precision);
        arb_mul(u, u0, c, precision);
        arb_addmul(u, slope, s, precision);
        arb_mul(v, v0, c, precision); /* p w - d u0 = v0 */
        arb_mul(slope, slope, decay, precision);
        arb_addmul(slope, w, u0, precision);
        arb_submul(v, slope, s, precision);
        arb_mul(u, u, envelope, precision);
        arb_mul(v, v, envelope, precision);
    }
    return oscillates;
}

bool ic_stuck_masses(arb_ptr u_v_force, const arb_t t, const arb_t u0, const arb_t v0, arb_srcptr par,
                     slong precision)
{
    enum { M1, M2, K1, K2, C1, C2 };
    IC_BALLS(mass, stiffness, decay, a, b);
    arb_add(mass, par + M1, par + M2, precision);
    arb_add(stiffness, par + K1, par + K2, precision);
    arb_div(stiffness, stiffness, mass, precision);
    arb_add(decay, par + C1, par + C2, precision);
    arb_div(decay, decay, mass, precision);
    arb_mul_2exp_si(decay, decay, -1);
    const bool good = damped_oscillation(u_v_force, u_v_force + 1, t, u0, v0, stiffness, decay, precision);
    if (good) {
        arb_mul(a, par + M1, par + K2, precision);
        arb_submul(a, par + M2, par + K1, precision);
        arb_mul(b, par + M1, par + C2, precision);
        arb_submul(b, par + M2, par + C1, precision);
        arb_mul(u_v_force + 2, a, u_v_force, precision);
        arb_addmul(u_v_force + 2, b, u_v_force + 1, precision);
        arb_div(u_v_force + 2, u_v_force + 2, mass, precision);
    }
    return good;
}

void ic_example_1_separation(arb_t t, slong precision)
{
    IC_BALLS(angle, rate);
    arb_set_si(angle, 29);
    arb_sqrt(angle, angle, precision);
    arb_atan(angle, angle, precision);
    arb_const_pi(t, precision);
    arb_sub(t, t, angle, precision);
    arb_set_si(rate, 29);
    arb_div_si(rate, rate, 100, precision);
    arb_sqrt(rate, rate, precision);
    arb_div(t, t, rate, precision);
}

/* sin(w s)/w, w = sqrt(hundredths/100) */
static void sine_over_rate(arb_t value, const arb_t s, long hundredths, slong precision)
{
    IC_BALLS(w);
    arb_set_si(w, hundredths);
    arb_div_si(w, w, 100, precision);
    arb_sqrt(w, w, precision);
    arb_mul(value, w, s, precision);
    arb_sin(value, value, precision);
    arb_div(value, value, w, precision);
}

void ic_example_1_impact_residual(arb_t residual, const arb_t t, slong precision)
{
    IC_BALLS(s, other);
    ic_example_1_separation(s, precision);
    arb_sub(s, t, s, precision);
    sine_over_rate(residual, s, 19, precision);
    sine_over_rate(other, s, 39, precision);
    arb_sub(residual, residual, other, precision);
}
