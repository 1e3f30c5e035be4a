/* SPDX-License-Identifier: MIT */
/*
 * The impact map. A change of the start changes the state at a fixed time s later by
 *
 *     dx = (w H - a_0 K) dt_0 - K dw,     dv = -(w K + a_0 K') dt_0 - K' dw,
 *
 * where a_0 = x''(t_0); the time of impact changes by dt = -dx/u, and its speed by du = dv + a_1 dt,
 * where a_1 = x'' there. After the impact the speed is e u.
 */
#include "reference/orbit/stop_map.h"
#include "reference/orbit/stop_impact.h"

/* a_1 = cos(omega t) - 2 zeta u - sigma */
static void find_acceleration(arb_t a, const ic_stop_oscillator *of, const ic_stop_place *hit)
{
    arb_mul(a, of->zeta, hit->v, of->prec);
    arb_mul_2exp_si(a, a, 1);
    arb_add(a, a, of->sigma, of->prec);
    arb_sub(a, hit->forcing, a, of->prec);
}

/* dx and dv at a fixed time, by phase and speed of the start; the phase is omega times the time. */
static void find_inner(arb_mat_t inner, const ic_stop_flight *flight, const ic_stop_place *hit)
{
    const ic_stop_oscillator *of = flight->of;
    const slong prec = of->prec;
    arb_ptr x_phase = arb_mat_entry(inner, 0, IC_STOP_PHASE), v_phase = arb_mat_entry(inner, 1, IC_STOP_PHASE);
    arb_mul(x_phase, flight->speed, hit->H, prec);
    arb_submul(x_phase, flight->acceleration, hit->K, prec);
    arb_div(x_phase, x_phase, of->omega, prec);
    arb_mul(v_phase, flight->speed, hit->K, prec);
    arb_addmul(v_phase, flight->acceleration, hit->K_rate, prec);
    arb_div(v_phase, v_phase, of->omega, prec);
    arb_neg(v_phase, v_phase);
    arb_neg(arb_mat_entry(inner, 0, IC_STOP_SPEED), hit->K);
    arb_neg(arb_mat_entry(inner, 1, IC_STOP_SPEED), hit->K_rate);
}

/* Phase and speed of the next impact, by dx and dv: (-omega dx/u, e (dv - a_1 dx/u)). */
static void find_outer(arb_mat_t outer, const ic_stop_oscillator *of, const ic_stop_place *hit)
{
    const slong prec = of->prec;
    arb_ptr phase = arb_mat_entry(outer, IC_STOP_PHASE, 0), speed = arb_mat_entry(outer, IC_STOP_SPEED, 0);
    arb_div(phase, of->omega, hit->v, prec);
    arb_neg(phase, phase);
    arb_zero(arb_mat_entry(outer, IC_STOP_PHASE, 1));
    find_acceleration(speed, of, hit);
    arb_mul(speed, speed, of->e, prec);
    arb_div(speed, speed, hit->v, prec);
    arb_neg(speed, speed);
    arb_set(arb_mat_entry(outer, IC_STOP_SPEED, 1), of->e);
}

void ic_stop_derivative(arb_mat_t outer, arb_mat_t inner, const ic_stop_oscillator *of, arb_srcptr start,
                        arb_srcptr next)
{
    ic_stop_flight flight;
    ic_stop_place hit;
    IC_BALLS(duration);
    ic_stop_place_init(&hit);
    ic_stop_flight_init(&flight, of, start + IC_STOP_PHASE, start + IC_STOP_SPEED);
    arb_sub(duration, next + IC_STOP_PHASE, start + IC_STOP_PHASE, of->prec);
    arb_div(duration, duration, of->omega, of->prec);
    ic_stop_flight_at(&hit, &flight, duration);
    arb_div(hit.v, next + IC_STOP_SPEED, of->e, of->prec);
    arb_cos(hit.forcing, next + IC_STOP_PHASE, of->prec);
    find_outer(outer, of, &hit);
    find_inner(inner, &flight, &hit);
    ic_stop_flight_clear(&flight);
    ic_stop_place_clear(&hit);
}

bool ic_stop_map(arb_ptr next, const ic_stop_oscillator *of, arb_srcptr start, const char **reason)
{
    ic_stop_flight flight;
    ic_stop_place hit;
    IC_BALLS(duration);
    ic_stop_place_init(&hit);
    ic_stop_flight_init(&flight, of, start + IC_STOP_PHASE, start + IC_STOP_SPEED);
    const bool good = ic_stop_first_impact(duration, &flight, reason);
    if (good) {
        ic_stop_flight_at(&hit, &flight, duration);
        arb_mul(next + IC_STOP_PHASE, of->omega, duration, of->prec);
        arb_add(next + IC_STOP_PHASE, next + IC_STOP_PHASE, flight.phase, of->prec);
        arb_mul(next + IC_STOP_SPEED, of->e, hit.v, of->prec);
    }
    ic_stop_flight_clear(&flight);
    ic_stop_place_clear(&hit);
    return good;
}

/* ---- as a map of the plane */

static bool image_of(const void *of, arb_ptr image, arb_srcptr start, const char **reason)
{
    return ic_stop_map(image, of, start, reason);
}

static void derivative_of(const void *of, arb_mat_t outer, arb_mat_t inner, arb_srcptr start, arb_srcptr image)
{
    ic_stop_derivative(outer, inner, of, start, image);
}

ic_planar_map ic_stop_planar_map(const ic_stop_oscillator *of)
{
    return (ic_planar_map){.image = image_of, .derivative = derivative_of, .of = of, .prec = of->prec};
}
