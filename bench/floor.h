/* SPDX-License-Identifier: MIT */
/**
 * What an event of the roller costs at least where many are computed at once: the vector functions that it takes.
 *
 * Between two events the closed form of a linear mode is evaluated twice, near the event and at it. In contact, that is one exponential and
 * sine and cosine for each of its two pairs of conjugate eigenvalues and one exponential for the real one, in flight one pair less; beside
 * them stand sine and cosine of the forcing: 1.5 exponentials and 2.5 pairs of sine and cosine on the mean of both modes,
 *
 *     floor = 2 (1.5 t_exp + 2.5 (t_sin + t_cos)),
 *
 * where t is the time of one element of the widest vector for which this machine has functions: those of the C library's libmvec
 * (AVX-512: 8 doubles, AVX2: 4, SSE2: 2), found when the program runs; where there is none, those of libm. It is not a proof that nothing
 * can be faster: functions that share the reduction of their argument, or are less accurate, may be.
 */
#ifndef IC_BENCH_FLOOR_H
#define IC_BENCH_FLOOR_H

#include "bench/cost.h"

#include <math.h>

/** Evaluations of the closed form for an event, and functions in each. */
#define IC_FLOOR_EVALUATIONS 2.0
#define IC_FLOOR_EXP 1.5
#define IC_FLOOR_SINCOS 2.5

/** The floor that follows from the times of single functions, s. */
double ic_floor_of(double t_exp, double t_sin, double t_cos);

/** Nothing is measured yet. */
#define IC_FLOOR_NONE ((ic_cost_floor){.exp = NAN, .sin = NAN, .cos = NAN, .event = NAN})

/** Measure it, in processor time. Times that are there already stay where they are less: machines are slower at some times than at others. */
void ic_floor_measure(ic_cost_floor *floor);

/** Greatest difference of the functions that are measured from libm's, over the arguments at which they are: proof of what was timed. */
double ic_floor_deviation(void);

#endif
