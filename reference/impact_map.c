/* SPDX-License-Identifier: MIT */
/*
 * The impact map. A change of the start changes the state at a fixed time s later by
 *
 *     dx = (w H - a_0 K) dt_0 - K dw,     dv = -(w K + a_0 K') dt_0 - K' dw,
 *
 * where a_0 = x''(t_0); the time of impact changes by dt = -dx/u, and its speed by du = dv + a_1 dt,
 * where a_1 = x'' there. After the impact the speed is e u.
 */
#include "reference/impact_map.h"
#include "reference/stop_impact.h"

/* a_1 = cos(omega t) - 2 zeta u - sigma */
static void find_acceleration(arb_t a, const ic_stop_oscillator *of, const ic_stop_place *hit)
{
    arb_mul(a, of->zeta, hit->v, of->prec);
    arb_mul_2exp_si(a, a, 1);
    arb_add(a, a, of->sigma, of->prec);
    arb_sub(a, hit->forcing, a, of->prec);
}

/* One column of the derivative, from dx and dv at a fixed time: (-dx/u, e (dv - a_1 dx/u)). */
static void set_column(arb_mat_t derivative, slong column, const arb_t dx, const arb_t dv,
                       const ic_stop_oscillator *of, const ic_stop_place *hit)
{
    arb_ptr time = arb_mat_entry(derivative, IC_IMPACT_PHASE, column),
            speed = arb_mat_entry(derivative, IC_IMPACT_SPEED, column);
    arb_div(time, dx, hit->v, of->prec);
    arb_neg(time, time);
    find_acceleration(speed, of, hit);
    arb_mul(speed, speed, time, of->prec);
    arb_add(speed, speed, dv, of->prec);
    arb_mul(speed, speed, of->e, of->prec);
}

/* The phase is omega times the time. */
static void find_derivative(arb_mat_t derivative, const ic_stop_flight *flight, const ic_stop_place *hit)
{
    const ic_stop_oscillator *of = flight->of;
    const slong prec = of->prec;
    arb_t dx, dv;
    arb_init(dx), arb_init(dv);
    arb_mul(dx, flight->speed, hit->H, prec);
    arb_submul(dx, flight->acceleration, hit->K, prec);
    arb_mul(dv, flight->speed, hit->K, prec);
    arb_addmul(dv, flight->acceleration, hit->K_rate, prec);
    arb_neg(dv, dv);
    set_column(derivative, IC_IMPACT_PHASE, dx, dv, of, hit);
    arb_neg(dx, hit->K);
    arb_neg(dv, hit->K_rate);
    set_column(derivative, IC_IMPACT_SPEED, dx, dv, of, hit);
    arb_ptr mixed = arb_mat_entry(derivative, IC_IMPACT_PHASE, IC_IMPACT_SPEED);
    arb_mul(mixed, mixed, of->omega, prec);
    mixed = arb_mat_entry(derivative, IC_IMPACT_SPEED, IC_IMPACT_PHASE);
    arb_div(mixed, mixed, of->omega, prec);
    arb_clear(dx), arb_clear(dv);
}

bool ic_impact_map(arb_ptr next, arb_mat_t derivative, const ic_stop_oscillator *of, arb_srcptr start,
                   const char **reason)
{
    ic_stop_flight flight;
    ic_stop_place hit;
    arb_t duration;
    arb_init(duration);
    ic_stop_place_init(&hit);
    ic_stop_flight_init(&flight, of, start + IC_IMPACT_PHASE, start + IC_IMPACT_SPEED);
    const bool good = ic_stop_first_impact(duration, &flight, reason);
    if (good) {
        ic_stop_flight_at(&hit, &flight, duration);
        arb_mul(next + IC_IMPACT_PHASE, of->omega, duration, of->prec);
        arb_add(next + IC_IMPACT_PHASE, next + IC_IMPACT_PHASE, flight.phase, of->prec);
        arb_mul(next + IC_IMPACT_SPEED, of->e, hit.v, of->prec);
        if (derivative != NULL) find_derivative(derivative, &flight, &hit);
    }
    ic_stop_flight_clear(&flight);
    ic_stop_place_clear(&hit);
    arb_clear(duration);
    return good;
}
