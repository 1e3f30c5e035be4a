/* SPDX-License-Identifier: MIT */
/**
 * An elastic bar that falls on a rigid floor, exactly: the one-dimensional Signorini problem
 *
 *     u'' = c^2 u_xx - g  in 0 < x < L,   u_x(L, t) = 0,   u(0, t) >= 0,  u_x(0, t) <= 0,  u u_x = 0,
 *     u = h0, u' = -v0 at t = 0,
 *
 * in rational numbers, by d'Alembert. With P' = r, Q' = q, and P = Q = u at x = 0, t = 0,
 *
 *     u(x, t) = (P(t - x/c) + Q(t + x/c) + g x^2/c^2)/2.
 *
 * q arrives at the lower end and r leaves it: r = q in flight, r = -q in contact. The free upper end returns
 * the wave, q(t + 2 L/c) = r(t) - 2 g L/c. q is linear in pieces, so that u(0, t) is quadratic in pieces.
 *
 * Doyen, Ern & Piperno, SIAM J. Sci. Comput. 33 (2011) 223-249, give the solution for their data as series.
 */
#pragma once

#include "reference/ball.h"

#include <stdbool.h>
#include <stddef.h>

enum { IC_SIGNORINI_PIECES = 256 };

/** Length m, wave speed m/s, acceleration of free fall m/s^2, height m and speed downwards m/s at the start. */
typedef struct ic_signorini_data {
    long L, c, g, h0, v0;
} ic_signorini_data;

/** A piece of time in which q and r are linear, and the lower end keeps its mode. */
typedef struct ic_signorini_piece {
    fmpq_t from;
    /* q at the start of the piece, m/s, and its rate, m/s^2 */
    fmpq_t q, rate;
    /* P and Q at the start of the piece, m */
    fmpq_t P, Q;
    bool contact;
} ic_signorini_piece;

/** The solution up to a time; opened once. */
typedef struct ic_signorini_bar {
    fmpq_t L, c, g;
    /* the first one begins at -L/c; the last one is where the solution ends */
    ic_signorini_piece pieces[IC_SIGNORINI_PIECES];
    size_t n_pieces;
} ic_signorini_bar;

/**
 * Solve up to t = t_end at least, plus L/c. false: the end meets the floor at a time that is no rational
 * number, or there are too many pieces. Release with ic_signorini_bar_clear in either case.
 */
bool ic_signorini_bar_open(ic_signorini_bar *bar, const ic_signorini_data *data, const fmpq_t t_end);
void ic_signorini_bar_clear(ic_signorini_bar *bar);

/** u(x, t) in m, for 0 <= x <= L and 0 <= t <= t_end. */
void ic_signorini_bar_displacement(fmpq_t u, const ic_signorini_bar *bar, const fmpq_t x, const fmpq_t t);

/** -u_x(0, t): contact force over E A; just after t where it jumps. */
void ic_signorini_bar_force(fmpq_t strain, const ic_signorini_bar *bar, const fmpq_t t);

/** Number of times at which contact begins or ends, and the i-th of them, s. */
size_t ic_signorini_bar_events(const ic_signorini_bar *bar);
bool ic_signorini_bar_event(fmpq_t t, const ic_signorini_bar *bar, size_t i);
