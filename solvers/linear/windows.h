/* SPDX-License-Identifier: MIT */
/**
 * Phases of piecewise linear systems at the least cost.
 *
 * In a mode z = (x, 1, cos w t, sin w t) is a sum of coordinates (solvers/linear/spectrum.h) that
 * follow e^{lambda s}, and of polynomials of degree 2 for lambda = 0. A phase is followed through
 * windows of IC_WINDOW_PARTS parts of the length h, h |lambda| <= 0.4. Exponentials at the nodes
 * between the parts are tabulated once for each mode; within half a part of a node, 12 terms of the
 * series in lambda s are enough (0.2^12/12! < 2^-56). Terms that are faster than the parts, and in
 * no guard, have the tables of lambda/2^n, and are squared n times where a phase ends. So a phase
 * calls no function of the C library. Numbers are taken in pairs, as all machines can: the same bits
 * everywhere.
 *
 * Events. With |g''| <= B in the window, a guard with the values p and c at the ends of a part has
 * no zero in it if these have one sign and min(|p|, |c|) > B h^2/8 or |c - p| > B h^2/2; with two
 * signs it has just one where the latter holds. A zero at the start of a phase, of order 1 or 2, is
 * passed by the same bounds on g' and g''. A part that is undecided is halved. If 40 halvings do
 * not decide it (two guards at once, a touch), the window is in doubt, and its caller follows the
 * phase in parts (solvers/piecewise_linear.c).
 */
#ifndef IC_SOLVERS_LINEAR_WINDOWS_H
#define IC_SOLVERS_LINEAR_WINDOWS_H

#include "solvers/linear/window_table.h"

/** Outcome of a window; else it is the number of the guard that fires. */
enum { IC_WINDOW_DOUBT = -2, IC_WINDOW_STOP = -1 };

/** One window of a phase. */
typedef struct ic_window {
    /* at the start; moved to the end unless in doubt; finite beyond the columns */
    double z[IC_WINDOW_ROOM];

    /* s; where to stop at the latest */
    double limit;

    /* s; two guards that fire within this are in doubt */
    double least;

    /* of each guard, -1 or +1; moved with z */
    int side[IC_WINDOW_GUARDS];

    /* of the zero at the start, 0: none; then 0 */
    int order[IC_WINDOW_GUARDS];

    /* set: IC_WINDOW_STOP at the limit or the window's end */
    int outcome;

    /* set; how long it took */
    double s;

    /* of guards; added to */
    double evaluations;
} ic_window;

void ic_window_follow(const ic_window_table *table, ic_window *window);

#endif
