/* SPDX-License-Identifier: MIT */
/** Narrows an interval with a sign change, by bisection or faster. */
#pragma once

/** The function whose sign changes. */
typedef double ic_bracketed(void *self, double t);

/**
 * Narrows [low, high], in which f passes to side `to` (-1 or +1), to `width` or to neighbouring
 * numbers, and returns its upper end. There f is on side `to`, unless that end is `high` itself.
 * Each evaluation of f adds 1 to *iterations.
 */
typedef double ic_narrow(ic_bracketed *f, void *self, double low, double high, int to, double width,
                         double *iterations);

/** Bisection: log2((high - low)/width) evaluations of f. */
ic_narrow ic_narrow_by_bisection;

/**
 * ITP (interpolate, truncate, project): converges superlinearly to a simple root of a smooth
 * function, and needs at most three evaluations of f more than bisection.
 */
ic_narrow ic_narrow_by_itp;
