/* SPDX-License-Identifier: MIT */
/** A straight line by least squares, point by point. */
#ifndef IC_AUDIT_SOLVER_LINE_FIT_H
#define IC_AUDIT_SOLVER_LINE_FIT_H

#include <stddef.h>

/** Begins with zeros. */
typedef struct ic_line_fit {
    /* sums over the points */
    double x, y, xx, xy;

    size_t n;
} ic_line_fit;

void ic_line_fit_add(ic_line_fit *fit, double x, double y);

/** Of two points or more. */
double ic_line_fit_slope(const ic_line_fit *fit);

/** The same; INFINITY if there are fewer than `least` points. */
double ic_line_fit_slope_of(const ic_line_fit *fit, size_t least);

#endif
