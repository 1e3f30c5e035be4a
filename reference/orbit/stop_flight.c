/* SPDX-License-Identifier: MIT */
/* An oscillator between two impacts on its stop: closed forms. */
#include "reference/orbit/stop_flight.h"

/* ---- the oscillator */

/* A = (1 - omega^2)/D and B = 2 zeta omega/D with D = (1 - omega^2)^2 + (2 zeta omega)^2 */
static void find_forced_motion(ic_stop_oscillator *of)
{
    const slong prec = of->prec;
    IC_BALLS(D);
    arb_mul(of->A, of->omega, of->omega, prec);
    arb_sub_si(of->A, of->A, 1, prec);
    arb_neg(of->A, of->A);
    arb_mul(of->B, of->zeta, of->omega, prec);
    arb_mul_2exp_si(of->B, of->B, 1);
    arb_mul(D, of->A, of->A, prec);
    arb_addmul(D, of->B, of->B, prec);
    arb_div(of->A, of->A, D, prec);
    arb_div(of->B, of->B, D, prec);
}

static bool read_parameters(ic_stop_oscillator *of, const ic_stop_parameters *parameters)
{
    return arb_set_str(of->zeta, parameters->zeta, of->prec) == 0 &&
           arb_set_str(of->omega, parameters->omega, of->prec) == 0 &&
           arb_set_str(of->sigma, parameters->sigma, of->prec) == 0 &&
           arb_set_str(of->e, parameters->e, of->prec) == 0;
}

bool ic_stop_oscillator_init(ic_stop_oscillator *of, const ic_stop_parameters *parameters, slong prec)
{
    IC_EACH(arb_init, of->zeta, of->omega, of->sigma, of->e, of->natural, of->A, of->B);
    of->prec = prec;
    if (!read_parameters(of, parameters)) return false;
    arb_mul(of->natural, of->zeta, of->zeta, prec);
    arb_sub_si(of->natural, of->natural, 1, prec);
    arb_neg(of->natural, of->natural);
    arb_sqrt(of->natural, of->natural, prec);
    find_forced_motion(of);
    return arb_is_finite(of->natural) && arb_is_positive(of->natural) && arb_is_finite(of->A) &&
           arb_is_finite(of->B);
}

void ic_stop_oscillator_clear(ic_stop_oscillator *of)
{
    IC_EACH(arb_clear, of->zeta, of->omega, of->sigma, of->e, of->natural, of->A, of->B);
}

/* ---- a flight */

/* p and p' where cos(omega t) and sin(omega t) are known; p' is added to `rate` */
static void add_forced_motion(arb_t p, arb_t rate, const ic_stop_oscillator *of, const arb_t cosine,
                              const arb_t sine)
{
    const slong prec = of->prec;
    IC_BALLS(slope);
    arb_mul(p, of->A, cosine, prec);
    arb_addmul(p, of->B, sine, prec);
    arb_mul(slope, of->B, cosine, prec);
    arb_submul(slope, of->A, sine, prec);
    arb_addmul(rate, slope, of->omega, prec);
}

void ic_stop_flight_init(ic_stop_flight *flight, const ic_stop_oscillator *of, const arb_t phase,
                         const arb_t speed)
{
    const slong prec = of->prec;
    IC_BALLS(sine);
    flight->of = of;
    arb_init(flight->phase), arb_init(flight->speed);
    arb_init(flight->offset), arb_init(flight->kick), arb_init(flight->acceleration);
    arb_set(flight->phase, phase);
    arb_set(flight->speed, speed);
    /* x'' = cos(omega t) + 2 zeta w - sigma */
    arb_sin_cos(sine, flight->acceleration, phase, prec);
    arb_set(flight->kick, speed);
    add_forced_motion(flight->offset, flight->kick, of, flight->acceleration, sine);
    arb_sub(flight->offset, of->sigma, flight->offset, prec);
    arb_mul(sine, of->zeta, speed, prec);
    arb_mul_2exp_si(sine, sine, 1);
    arb_add(flight->acceleration, flight->acceleration, sine, prec);
    arb_sub(flight->acceleration, flight->acceleration, of->sigma, prec);
}

void ic_stop_flight_clear(ic_stop_flight *flight)
{
    IC_EACH(arb_clear, flight->phase, flight->speed, flight->offset, flight->kick, flight->acceleration);
}

/* ---- at a time */

void ic_stop_place_init(ic_stop_place *place)
{
    IC_EACH(arb_init, place->x, place->v, place->forcing, place->H, place->K, place->K_rate);
}

void ic_stop_place_clear(ic_stop_place *place)
{
    IC_EACH(arb_clear, place->x, place->v, place->forcing, place->H, place->K, place->K_rate);
}

/* K = exp(-zeta s) sin(Omega s)/Omega, K' = exp(-zeta s) cos(Omega s) - zeta K, H = K' + 2 zeta K */
static void find_free_motions(ic_stop_place *place, const ic_stop_oscillator *of, const arb_t s)
{
    const slong prec = of->prec;
    IC_BALLS(decay, part);
    arb_mul(decay, of->zeta, s, prec);
    arb_neg(decay, decay);
    arb_exp(decay, decay, prec);
    arb_mul(part, of->natural, s, prec);
    arb_sin_cos(place->K, place->K_rate, part, prec);
    arb_mul(place->K, place->K, decay, prec);
    arb_div(place->K, place->K, of->natural, prec);
    arb_mul(place->K_rate, place->K_rate, decay, prec);
    arb_mul(part, of->zeta, place->K, prec);
    arb_add(place->H, place->K_rate, part, prec);
    arb_sub(place->K_rate, place->K_rate, part, prec);
}

void ic_stop_flight_at(ic_stop_place *place, const ic_stop_flight *flight, const arb_t s)
{
    const ic_stop_oscillator *of = flight->of;
    const slong prec = of->prec;
    IC_BALLS(phase, sine);
    arb_mul(phase, of->omega, s, prec);
    arb_add(phase, phase, flight->phase, prec);
    arb_sin_cos(sine, place->forcing, phase, prec);
    arb_zero(place->v);
    add_forced_motion(place->x, place->v, of, place->forcing, sine);
    find_free_motions(place, of, s);
    arb_addmul(place->x, flight->offset, place->H, prec);
    arb_submul(place->x, flight->kick, place->K, prec);
    /* H' = -K */
    arb_submul(place->v, flight->offset, place->K, prec);
    arb_submul(place->v, flight->kick, place->K_rate, prec);
}
