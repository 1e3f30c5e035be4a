/* SPDX-License-Identifier: MIT */
/** A sign change within an interval, narrowed to a given width: by bisection, or faster. */
#ifndef IC_CORE_BRACKET_H
#define IC_CORE_BRACKET_H

/** The function whose sign changes. */
typedef double ic_bracketed(void *self, double t);

/**
 * Narrow [low, high], in which f passes to side `to` (-1 or +1), to `width` or to neighbouring numbers, and return its
 * upper end: there f is on side `to`, unless that end is `high` itself. Each value of f adds 1 to *iterations.
 */
typedef double ic_narrow(ic_bracketed *f, void *self, double low, double high, int to, double width,
                         double *iterations);

/** Bisection: log2((high - low)/width) values of f. */
ic_narrow ic_narrow_by_bisection;

/**
 * ITP (interpolate, truncate, project): super-linear at a simple root of a smooth function, and at most three values of f
 * more than bisection in any case.
 */
ic_narrow ic_narrow_by_itp;

#endif
