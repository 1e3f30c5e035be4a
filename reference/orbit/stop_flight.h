/* SPDX-License-Identifier: MIT */
/**
 * An oscillator with a hard stop, in ball arithmetic by its closed form:
 *
 *     x'' + 2 zeta x' + x = cos(omega t)  for  x <= sigma,     x' -> -e x'  at  x = sigma.
 *
 * A flight leaves the stop at the time t_0 with the speed w > 0, x'(t_0) = -w. With the forced motion
 * p(t) = A cos(omega t) + B sin(omega t) and the free ones
 *
 *     K(s) = exp(-zeta s) sin(Omega s)/Omega,   H(s) = K'(s) + 2 zeta K(s),   Omega = sqrt(1 - zeta^2),
 *
 * it is, s later,
 *
 *     x = p(t_0 + s) + (sigma - p(t_0)) H(s) - (w + p'(t_0)) K(s).
 */
#pragma once

#include "reference/ball.h"

#include <stdbool.h>

/** Parameters as decimal text, which is exact; zeta < 1, omega not 1 where zeta is 0. */
typedef struct ic_stop_parameters {
    const char *zeta, *omega, *sigma, *e;
} ic_stop_parameters;

typedef struct ic_stop_oscillator {
    arb_t zeta, omega, sigma, e;

    /* Omega, A and B */
    arb_t natural, A, B;

    slong prec;
} ic_stop_oscillator;

/** A flight, or all those whose phases omega t_0 and speeds w lie in two balls. */
typedef struct ic_stop_flight {
    const ic_stop_oscillator *of;
    arb_t phase, speed;

    /* sigma - p(t_0), w + p'(t_0), and x''(t_0) */
    arb_t offset, kick, acceleration;
} ic_stop_flight;

/** A flight after the time s. */
typedef struct ic_stop_place {
    /* x, x', cos(omega t) */
    arb_t x, v, forcing;

    /* H and K, and K' */
    arb_t H, K, K_rate;
} ic_stop_place;

/** false: a text is no number, or there is no such oscillator. Clear it in any case. */
bool ic_stop_oscillator_init(ic_stop_oscillator *of, const ic_stop_parameters *parameters, slong prec);
void ic_stop_oscillator_clear(ic_stop_oscillator *of);

void ic_stop_flight_init(ic_stop_flight *flight, const ic_stop_oscillator *of, const arb_t phase,
                         const arb_t speed);
void ic_stop_flight_clear(ic_stop_flight *flight);

void ic_stop_place_init(ic_stop_place *place);
void ic_stop_place_clear(ic_stop_place *place);

/** Encloses the flight at all times of the ball s after its start. */
void ic_stop_flight_at(ic_stop_place *place, const ic_stop_flight *flight, const arb_t s);
