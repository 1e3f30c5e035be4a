/* SPDX-License-Identifier: MIT */
/**
 * The accuracy of a file's times. Times with few digits are rounded: a row may deviate from the
 * time of its states by half a unit of the last digit. Rows on an even grid of such times are
 * exact, and so are times with more than thirteen digits.
 */
#ifndef IC_AUDIT_TRAJECTORY_INPUT_CLOCK_H
#define IC_AUDIT_TRAJECTORY_INPUT_CLOCK_H

#include "audit/trajectory/input/digits.h"
#include "audit/trajectory/input/trajectory.h"

typedef struct ic_clock {
    ic_digits digits;

    /* Start and step of the grid, s; step 0: no grid. */
    double start, step;

    /* True if the states show that the times of rows are exact in spite of few digits. */
    bool rows_are_exact;
} ic_clock;

/**
 * Find the digits of all times, and whether rows[0] to rows[n - 1], whose usual distance is `step`,
 * s, lie on a grid.
 */
ic_clock ic_clock_of(const ic_trajectory *tr, const size_t *rows, size_t n, double step);

/** Uncertainty of the time of an event that the file gives, s. */
double ic_clock_rounding(const ic_clock *clock, double t);

/** Uncertainty of the time of a row, s. */
double ic_clock_doubt(const ic_clock *clock, double t);

#endif
