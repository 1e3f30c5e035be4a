/* SPDX-License-Identifier: MIT */
/** What solvers/linear/windows.h computes once for a mode. */
#ifndef IC_SOLVERS_LINEAR_WINDOW_TABLE_H
#define IC_SOLVERS_LINEAR_WINDOW_TABLE_H

#include "solvers/linear/windows.h"

enum {
    IC_WINDOW_FORMS = 2 * IC_WINDOW_GUARDS, /* guards, then the conditions under which they are enabled */
    IC_WINDOW_SERIES = 12,
    IC_WINDOW_LANES = 2,  /* numbers that one instruction takes, on all machines */
    IC_WINDOW_GROUPS = 3, /* of two terms; and of two coordinates with lambda = 0 */
    IC_WINDOW_ROWS = IC_WINDOW_ROOM / IC_WINDOW_LANES,
    IC_WINDOW_BLOCKS = IC_WINDOW_SERIES / IC_WINDOW_LANES,
};

/** Two numbers; in the tables what is not there is 0. */
typedef double ic_pair __attribute__((vector_size(IC_WINDOW_LANES * sizeof(double))));

/** Indices of what is not zero in a row. */
typedef struct ic_pattern {
    int n, at[IC_WINDOW_COLUMNS];
} ic_pattern;

/** A coordinate y = left z with y' = lambda y; complex ones stand for themselves and their conjugates: `right` counts both. */
typedef struct ic_window_term {
    ic_complex lambda;
    /* the tables are those of lambda/2^halvings: 0, but for terms in no form, which are only needed where a phase ends */
    int halvings;
    ic_pair right_re[IC_WINDOW_ROWS], right_im[IC_WINDOW_ROWS];
    double rise_re[IC_WINDOW_PARTS + 1], rise_im[IC_WINDOW_PARTS + 1]; /* e^{lambda k h} - 1 */
    ic_pair series_re[IC_WINDOW_BLOCKS], series_im[IC_WINDOW_BLOCKS];  /* lambda^j/j! */
} ic_window_term;

/** Two terms side by side. */
typedef struct ic_window_group {
    ic_pair left_re[IC_WINDOW_COLUMNS], left_im[IC_WINDOW_COLUMNS];
    ic_pair node_re[IC_WINDOW_PARTS + 1], node_im[IC_WINDOW_PARTS + 1]; /* e^{lambda k h} */
    ic_pair rise_re[IC_WINDOW_PARTS + 1], rise_im[IC_WINDOW_PARTS + 1];
    ic_pair series_re[IC_WINDOW_SERIES], series_im[IC_WINDOW_SERIES];
    ic_pair first_re, first_im, second_re, second_im; /* lambda, lambda^2 */
    ic_pair square, cube; /* |lambda|^2, |lambda|^3, times the greatest |e^{lambda s}| in a window */
} ic_window_group;

/** A guard or a condition, as a row for z and in coordinates. */
typedef struct ic_window_form {
    double row[IC_WINDOW_COLUMNS];
    ic_pair re[IC_WINDOW_GROUPS], im[IC_WINDOW_GROUPS], zero[IC_WINDOW_GROUPS];
    ic_pattern columns, terms;
} ic_window_form;

struct ic_window_table {
    int columns, n_terms, n_zeros, n_guards, n_forms;
    int n_groups, n_zero_groups, n_rows;                          /* pairs of terms, of zeros, of columns */
    bool halved;                                                  /* there is a term with halvings */
    bool coupled;                                                 /* N is not 0 */
    int direction[IC_WINDOW_GUARDS], condition[IC_WINDOW_GUARDS]; /* condition: a form, or -1 */
    double h, frequency;                                          /* s; 1/h */
    ic_window_term terms[IC_WINDOW_TERMS];
    ic_window_group groups[IC_WINDOW_GROUPS];
    /* q = left z, q' = N q */
    ic_pair zero_left[IC_WINDOW_GROUPS][IC_WINDOW_COLUMNS], zero_right[IC_WINDOW_ZEROS][IC_WINDOW_ROWS];
    ic_pair first[IC_WINDOW_ZEROS][IC_WINDOW_GROUPS],
        second[IC_WINDOW_ZEROS][IC_WINDOW_GROUPS]; /* columns of N, N^2/2 */
    ic_window_form forms[IC_WINDOW_FORMS];
};

#endif
