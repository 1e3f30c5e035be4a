/* SPDX-License-Identifier: MIT */
/**
 * How well the times of a file are known: those that are printed with a few digits are rounded, and
 * each row stands up to half of the last digit from where its states are. Rows on an even grid of
 * such times are where they say, and so are times with more than thirteen digits.
 */
#ifndef IC_AUDIT_TRAJECTORY_CLOCK_H
#define IC_AUDIT_TRAJECTORY_CLOCK_H

#include "audit/trajectory/digits.h"
#include "audit/trajectory/trajectory.h"

typedef struct ic_clock {
    ic_digits digits;

    /* s; of the grid; step 0: there is none */
    double start, step;

    /* whatever their digits: the states show it */
    bool rows_are_exact;
} ic_clock;

/**
 * Of all rows: the digits. Of rows[0] to rows[n - 1], `step` apart (s) as a rule: whether they are
 * on a grid.
 */
ic_clock ic_clock_of(const ic_trajectory *tr, const size_t *rows, size_t n, double step);

/** s; how far off the time of an event may be that the file tells. */
double ic_clock_rounding(const ic_clock *clock, double t);

/** s; how far off the time of a row may be. */
double ic_clock_doubt(const ic_clock *clock, double t);

#endif
