/* SPDX-License-Identifier: MIT */
/**
 * The accuracy of a file's times. Times with few digits are rounded: a row may lie up to half of
 * the last digit from the time of its states. Rows on an even grid of such times are exact, and so
 * are times with more than thirteen digits.
 */
#ifndef IC_AUDIT_TRAJECTORY_CLOCK_H
#define IC_AUDIT_TRAJECTORY_CLOCK_H

#include "audit/trajectory/digits.h"
#include "audit/trajectory/trajectory.h"

typedef struct ic_clock {
    ic_digits digits;

    /* s; start and step of the grid; step 0: none */
    double start, step;

    /* rows are exact whatever their digits, as the states show */
    bool rows_are_exact;
} ic_clock;

/**
 * The digits of all times; whether rows[0] to rows[n - 1], `step` apart (s) as a rule, lie on a
 * grid.
 */
ic_clock ic_clock_of(const ic_trajectory *tr, const size_t *rows, size_t n, double step);

/** s; uncertainty of the time of an event given in the file. */
double ic_clock_rounding(const ic_clock *clock, double t);

/** s; uncertainty of the time of a row. */
double ic_clock_doubt(const ic_clock *clock, double t);

#endif
