/* SPDX-License-Identifier: MIT */
/**
 * Lower bound of the cost of a roller event where many sets are computed together: the vector
 * functions that it needs.
 *
 * Between two events the closed form of a linear mode is evaluated twice, near the event and at it.
 * In contact this takes one exponential and sine and cosine for each of the two pairs of conjugate
 * eigenvalues and one exponential for the real one; in flight one pair less; in addition sine and
 * cosine of the forcing: on average over both modes 1.5 exponentials and 2.5 pairs of sine and
 * cosine,
 *
 *     floor = 2 (1.5 t_exp + 2.5 (t_sin + t_cos)),
 *
 * where t is the time per element of the widest vector for which this machine has functions: those
 * of the C library's libmvec (AVX-512: 8 doubles, AVX2: 4, SSE2: 2), loaded at run time; otherwise
 * those of libm. It is not a proof that nothing can be faster: functions that share the reduction
 * of their argument, or are less accurate, may be.
 */
#pragma once

#include "bench/cost.h"

#include <math.h>

/** Evaluations of the closed form per event, and functions per evaluation. */
#define IC_FLOOR_EVALUATIONS 2.0
#define IC_FLOOR_EXP 1.5
#define IC_FLOOR_SINCOS 2.5

/** The floor that follows from the times of single functions, s. */
double ic_floor_of(double t_exp, double t_sin, double t_cos);

/**
 * Measures the floor in processor time. Earlier times are kept where they are shorter: the speed of
 * a machine varies.
 */
void ic_floor_measure(ic_cost_floor *floor);

/**
 * Greatest difference between the timed functions and libm's at the timed arguments: shows that the
 * right functions are timed.
 */
double ic_floor_deviation(void);
