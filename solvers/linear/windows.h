/* SPDX-License-Identifier: MIT */
/**
 * Follows phases of piecewise linear systems at low cost.
 *
 * In a mode z = (x, 1, cos w t, sin w t) is a sum of coordinates (solvers/linear/spectrum.h) that
 * follow e^{lambda s}, and of polynomials of degree 2 for lambda = 0. A phase is followed through
 * windows of IC_WINDOW_PARTS parts of the length h, h |lambda| <= 0.4. Exponentials at the nodes
 * between the parts are tabulated once for each mode. Within half a part of a node, 12 terms of the
 * series in lambda s are enough (0.2^12/12! < 2^-56). Terms that are faster than the parts and
 * occur in no guard have the tables of lambda/2^n, and are squared n times at the end of a phase. A
 * phase therefore calls no function of the C library. Numbers are processed in pairs, which all
 * machines can do, so that all machines give the same bits.
 *
 * Events. Let |g''| <= B in the window, and let a guard have the values p and c at the ends of a
 * part. If p and c have one sign, the guard has no zero in the part if min(|p|, |c|) > B h^2/8 or
 * |c - p| > B h^2/2. If they have two signs, it has exactly one zero if the latter holds. A zero of
 * order 1 or 2 at the start of a phase is passed by the same bounds on g' and g''. An undecided
 * part is halved. If 40 halvings do not decide it (two guards at once, a touch), the window is in
 * doubt, and the caller follows the phase in parts (solvers/piecewise_linear.c).
 */
#pragma once

#include "solvers/linear/window_table.h"

/** Outcome of a window; any other value is the number of the guard that fires. */
enum { IC_WINDOW_DOUBT = -2, IC_WINDOW_STOP = -1 };

/* Room for coordinates in pairs. */
enum { IC_WINDOW_COORDINATES = IC_WINDOW_GROUPS * IC_WINDOW_LANES };

typedef struct ic_window {
    /*
     * z at the start; moved to the end unless in doubt. The numbers after the columns are finite.
     */
    double z[IC_WINDOW_ROOM];

    /* Latest time at which the window ends, s. */
    double limit;

    /* Time, s, within which the firings of two guards are in doubt. */
    double least;

    /* Side of each guard, -1 or +1; updated with z. */
    int side[IC_WINDOW_GUARDS];

    /* Order of the zero at the start, 0: none; set to 0 afterwards. */
    int order[IC_WINDOW_GUARDS];

    /* Result: the outcome; IC_WINDOW_STOP at the limit or at the end of the window. */
    int outcome;

    /* Result: duration of the window, s. */
    double s;

    /* Number of evaluations of guards, which the function increases. */
    double evaluations;

    /* result: z at the start */
    double start[IC_WINDOW_ROOM];

    /* result: the coordinates at the start */
    double y_re[IC_WINDOW_COORDINATES], y_im[IC_WINDOW_COORDINATES];

    /* result: factors of s and s^2 in the change of z */
    double drift[2][IC_WINDOW_ROOM];
} ic_window;

void ic_window_follow(const ic_window_table *table, ic_window *window);

/**
 * z at s after the start of a window that has been followed, from 0 to its duration; IC_WINDOW_ROOM numbers.
 */
void ic_window_state(const ic_window_table *table, const ic_window *window, double s, double *z);
