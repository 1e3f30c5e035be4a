/* SPDX-License-Identifier: MIT */
/** What core/windows.h computes once for a mode. */
#ifndef IC_CORE_WINDOW_TABLE_H
#define IC_CORE_WINDOW_TABLE_H

#include "core/windows.h"

enum {
    IC_WINDOW_FORMS = 2 * IC_WINDOW_GUARDS, /* guards, then the conditions under which they are enabled */
    IC_WINDOW_SERIES = 12,                  /* even */
};

/** Indices of what is not zero in a row. */
typedef struct ic_pattern {
    int n, at[IC_WINDOW_COLUMNS];
} ic_pattern;

/** A coordinate y = left z with y' = lambda y; complex ones stand for themselves and their conjugates: `right` counts both. */
typedef struct ic_window_term {
    ic_complex lambda;
    bool tabled; /* else it is in no form, too fast for the tables, and only needed where a phase ends */
    double square, cube; /* |lambda|^2, |lambda|^3, times the greatest |e^{lambda s}| in a window */
    double left_re[IC_WINDOW_COLUMNS], left_im[IC_WINDOW_COLUMNS];
    double right_re[IC_WINDOW_COLUMNS], right_im[IC_WINDOW_COLUMNS];
    double node_re[IC_WINDOW_PARTS + 1], node_im[IC_WINDOW_PARTS + 1]; /* e^{lambda k h} */
    double rise_re[IC_WINDOW_PARTS + 1], rise_im[IC_WINDOW_PARTS + 1]; /* e^{lambda k h} - 1 */
    double series_re[IC_WINDOW_SERIES], series_im[IC_WINDOW_SERIES];   /* lambda^j/j! */
    ic_pattern columns;                                                /* of left */
} ic_window_term;

/** A guard or a condition, as a row for z and in coordinates. */
typedef struct ic_window_form {
    double row[IC_WINDOW_COLUMNS];
    double re[IC_WINDOW_TERMS], im[IC_WINDOW_TERMS], zero[IC_WINDOW_ZEROS];
    ic_pattern columns, terms;
} ic_window_form;

struct ic_window_table {
    int columns, n_terms, n_zeros, n_guards, n_forms;
    int direction[IC_WINDOW_GUARDS], condition[IC_WINDOW_GUARDS]; /* condition: a form, or -1 */
    double h;                                                     /* s */
    ic_window_term terms[IC_WINDOW_TERMS];
    /* q = left z, q' = N q */
    double zero_left[IC_WINDOW_ZEROS][IC_WINDOW_COLUMNS], zero_right[IC_WINDOW_COLUMNS][IC_WINDOW_ZEROS];
    double first[IC_WINDOW_ZEROS][IC_WINDOW_ZEROS], second[IC_WINDOW_ZEROS][IC_WINDOW_ZEROS]; /* N, N^2/2 */
    ic_pattern zero_columns[IC_WINDOW_ZEROS], coupled[IC_WINDOW_ZEROS];
    ic_pattern row_terms[IC_WINDOW_COLUMNS], row_zeros[IC_WINDOW_COLUMNS]; /* of right */
    ic_window_form forms[IC_WINDOW_FORMS];
};

/** e^{lambda s} - 1, by the C library. */
ic_complex ic_window_rise(ic_complex lambda, double s);

#endif
