/* SPDX-License-Identifier: MIT */
/**
 * Phases of piecewise linear systems at the least cost.
 *
 * In a mode z = (x, 1, cos w t, sin w t) is taken to coordinates (solvers/linear/spectrum.h) that follow e^{lambda s}, or polynomials of degree 2
 * where lambda = 0. A phase is followed through windows of IC_WINDOW_PARTS parts of the length h, h |lambda| <= 0.4. Exponentials at
 * the nodes between the parts stand in a table that is made once for a mode; from a node half a part to either side, 12
 * terms of the series in lambda s are enough (0.2^12/12! < 2^-56). What is faster than the parts, and in no guard, has the tables of
 * lambda/2^n, and is squared n times where a phase ends. So a phase calls no function of the C library. Numbers are taken in pairs, as
 * all machines can: the same bits everywhere.
 *
 * Events. With |g''| <= B in the window, a guard with the values p and c at the ends of a part has no zero in it if these have one
 * sign and min(|p|, |c|) > B h^2/8 or |c - p| > B h^2/2; with two signs it has just one where the latter holds. A zero at the
 * start of a phase, of order 1 or 2, is passed by the same with g' and g''. A part that this does not decide is halved until it does;
 * what 40 halvings do not decide (two guards at once, a touch) is in doubt, and left to a search that decides everything
 * (solvers/linear/exponential_polynomial.h).
 */
#ifndef IC_SOLVERS_LINEAR_WINDOWS_H
#define IC_SOLVERS_LINEAR_WINDOWS_H

#include "solvers/linear/spectrum.h"

enum {
    IC_WINDOW_STATES = 6,
    IC_WINDOW_COLUMNS = IC_WINDOW_STATES + 3,
    IC_WINDOW_ROOM = IC_WINDOW_COLUMNS + 1, /* for columns, even */
    IC_WINDOW_TERMS = 5,                    /* coordinates that follow an exponential */
    IC_WINDOW_ZEROS = 6,                    /* coordinates with lambda = 0 */
    IC_WINDOW_GUARDS = 3,
    IC_WINDOW_PARTS = 16, /* a multiple of 4 */
};

/** Outcome of a window; else it is the number of the guard that fires. */
enum { IC_WINDOW_DOUBT = -2, IC_WINDOW_STOP = -1 };

/** Tables of a mode for one parameter set. */
typedef struct ic_window_table ic_window_table;

/**
 * Tables for a decomposed field with the guards of a view. scale: of the states, and 1 for each of 1, cos, sin. NULL: *status is
 * IC_UNSUPPORTED, there are none for this mode (eigenvalues that share a block, other than 0; too many states or guards), or
 * IC_NO_MEMORY. What it borrows may go afterwards.
 */
ic_window_table *ic_window_table_new(const ic_spectrum *spectrum, const ic_linear_view *view,
                                     const ic_mode *mode, const double *scale, double time_scale,
                                     ic_status *status);
void ic_window_table_free(ic_window_table *table);

/** One window of a phase. */
typedef struct ic_window {
    double z[IC_WINDOW_ROOM];   /* at the start; moved to its end, unless in doubt; beyond the columns finite */
    double limit;               /* s; where to stop at the latest */
    double least;               /* s; two guards that fire within this are in doubt */
    int side[IC_WINDOW_GUARDS]; /* of each guard, -1 or +1; moved with z */
    int order[IC_WINDOW_GUARDS]; /* of the zero at the start, 0: none; then 0 */
    int outcome;                 /* set: IC_WINDOW_STOP at the limit or the window's end */
    double s;                    /* set; how long it took */
    double evaluations;          /* of guards; added to */
} ic_window;

void ic_window_follow(const ic_window_table *table, ic_window *window);

#endif
