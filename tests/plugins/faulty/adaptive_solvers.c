/* SPDX-License-Identifier: MIT */
/* Solvers with adaptive steps with one mistake each. Each `defined FAULTY_name` is a plugin,
   which redefines something of adaptive_base.h. */
#if defined FAULTY_adaptive_no_location
/* Adaptive steps; events are placed at the end of the step in which they are found. */
#define CROSSES_AT(s, guard, side, a, b, h) (h)
#elif defined FAULTY_adaptive_linear_location
/* Adaptive steps; events are placed where a straight line through both ends of a quarter of
   the step crosses zero. */
#define CROSSES_AT(s, guard, side, a, b, h) secant(s, guard, a, b)
#elif defined FAULTY_adaptive_stale_time
/* Adaptive steps; after an event the time is that of the end of its step. */
#define CLOCK(t, after, h) ((t) + (h))
#elif defined FAULTY_samples_linear
/* Samples are on the straight line between the ends of a step, and adaptive steps are long. */
#define SAMPLE_AT(x, s, u, h, x1)                                                                              \
    for (size_t j = 0; j < (s)->n; j++) (x)[j] = (s)->x[j] + (u) / (h) * ((x1)[j] - (s)->x[j])
#elif defined FAULTY_wrong_tableau
/* A coefficient of the tableau is wrong, with the sum of its row right. */
#define TABLEAU_ERROR 0.05
#elif defined FAULTY_wrong_estimate
/* A coefficient of the error estimate is wrong: its terms do not cancel, and steps are far too
   short. */
#define ESTIMATE_ERROR 1e-8
#else
#error "no FAULTY_name is defined"
#endif

#include "tests/plugins/faulty/adaptive_base.h"
