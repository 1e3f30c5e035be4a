/* SPDX-License-Identifier: MIT */
/** Tables that solvers/linear/windows.h uses, computed once for a mode. */
#pragma once

#include "core/pair.h"
#include "solvers/linear/spectrum.h"

enum {
    IC_WINDOW_STATES = 6,
    IC_WINDOW_COLUMNS = IC_WINDOW_STATES + 3,

    /* Numbers for columns; the count is even. */
    IC_WINDOW_ROOM = IC_WINDOW_COLUMNS + 1,

    /* coordinates that follow an exponential */
    IC_WINDOW_TERMS = 5,

    IC_WINDOW_GUARDS = 3,

    /* a multiple of 4 */
    IC_WINDOW_PARTS = 16,
};

enum {
    /* Guards, followed by the conditions under which they are enabled. */
    IC_WINDOW_FORMS = 2 * IC_WINDOW_GUARDS,

    IC_WINDOW_SERIES = 12,

    /* Tables consist of pairs, in which missing numbers are 0. */
    IC_WINDOW_LANES = IC_PAIR,

    /* of two terms */
    IC_WINDOW_GROUPS = 3,

    IC_WINDOW_ROWS = IC_WINDOW_ROOM / IC_WINDOW_LANES,
    IC_WINDOW_BLOCKS = IC_WINDOW_SERIES / IC_WINDOW_LANES,
};

/** Indices of the nonzero numbers in a row. */
typedef struct ic_pattern {
    int n, at[IC_WINDOW_COLUMNS];
} ic_pattern;

/**
 * A coordinate y = left z with y' = lambda y. A complex coordinate represents its conjugate too;
 * `right` includes both.
 */
typedef struct ic_window_term {
    ic_complex lambda;
    /*
     * The tables are those of lambda/2^halvings. halvings is 0, except for terms that occur in no
     * form, which are only needed at the end of a phase.
     */
    int halvings;
    ic_pair right_re[IC_WINDOW_ROWS], right_im[IC_WINDOW_ROWS];

    /* e^{lambda k h} - 1 */
    double rise_re[IC_WINDOW_PARTS + 1], rise_im[IC_WINDOW_PARTS + 1];

    /* lambda^j/j! */
    ic_pair series_re[IC_WINDOW_BLOCKS], series_im[IC_WINDOW_BLOCKS];
} ic_window_term;

/** Two terms side by side. */
typedef struct ic_window_group {
    ic_pair left_re[IC_WINDOW_COLUMNS], left_im[IC_WINDOW_COLUMNS];

    /* e^{lambda k h} */
    ic_pair node_re[IC_WINDOW_PARTS + 1], node_im[IC_WINDOW_PARTS + 1];

    ic_pair rise_re[IC_WINDOW_PARTS + 1], rise_im[IC_WINDOW_PARTS + 1];
    ic_pair series_re[IC_WINDOW_SERIES], series_im[IC_WINDOW_SERIES];

    /* lambda, lambda^2 */
    ic_pair first_re, first_im, second_re, second_im;

    /* |lambda|^2, |lambda|^3, times the greatest |e^{lambda s}| in a window */
    ic_pair square, cube;
} ic_window_group;

/** A guard or a condition, as a row for z and in coordinates. */
typedef struct ic_window_form {
    double row[IC_WINDOW_COLUMNS];
    ic_pair re[IC_WINDOW_GROUPS], im[IC_WINDOW_GROUPS];
    ic_pattern columns, terms;
} ic_window_form;

/** Tables of a mode for one parameter set. */
typedef struct ic_window_table {
    int columns, n_terms, n_guards, n_forms;

    /* pairs of terms, of columns */
    int n_groups, n_rows;

    /* True if some term has halvings. */
    bool halved;

    /* Condition: index of a form, or -1. */
    int direction[IC_WINDOW_GUARDS], condition[IC_WINDOW_GUARDS];

    /* h, s; 1/h. */
    double h, frequency;

    ic_window_term terms[IC_WINDOW_TERMS];
    ic_window_group groups[IC_WINDOW_GROUPS];

    /*
     * Columns of Re(V N W) and Re(V N^2 W)/2 of the blocks with lambda = 0, which add these terms times s and
     * s^2 to z.
     */
    ic_pair drift[2][IC_WINDOW_COLUMNS][IC_WINDOW_ROWS];

    /* indices of the columns that are not zero */
    ic_pattern moving;

    /* the row from which on all are */
    int moving_rows;

    ic_window_form forms[IC_WINDOW_FORMS];
} ic_window_table;

/**
 * Make the tables of a decomposed field with the guards of a view. `scale`: scales of the states,
 * and 1 for each of 1, cos and sin. NULL: *status is IC_UNSUPPORTED if this mode cannot have tables
 * (nonzero eigenvalues share a block, or there are too many states or guards), or IC_NO_MEMORY. The
 * arguments may be released afterwards. Freed by free().
 */
ic_window_table *ic_window_table_new(const ic_spectrum *spectrum, const ic_linear_view *view,
                                     const ic_mode *mode, const double *scale, double time_scale,
                                     ic_status *status);
