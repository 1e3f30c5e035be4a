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
#elif defined FAULTY_tolerance_of_some
/* The error of the first state alone is controlled. */
#define CONTROLLED(n) ((void)(n), 1)
#elif defined FAULTY_steps_not_rejected
/* A step with too great an error is kept, and the next one is shorter. */
#define REJECTS false
#elif defined FAULTY_steps_kept_later
/* The same from a short step on, so that no error is great before the motion changes. */
#define REJECTS false
#define FIRST_STEP 1e-6
#elif defined FAULTY_interpolant_coarse
/* Events, and the end, are found on a parabola. */
#define HIGHER_TERMS 0
#elif defined FAULTY_events_on_parabola
/* Events are found on a parabola; the last step ends where the run does. */
#define HIGHER_TERMS 0
#define PROPOSE(s, h) dormand_prince_step(s, fmin(h, (s)->problem->t_end - (s)->t))
#elif defined FAULTY_interpolant_cubic
/* Steps of order 5 with Hermite's cubic between their ends. */
#define LAST_TERM 0
#define PROPOSE(s, h) dormand_prince_step(s, fmin(h, (s)->problem->t_end - (s)->t))
#elif defined FAULTY_last_stage_kept
/* The last stage of a step is the first of the next one, although an event lies between them. */
#define KEEPS_LAST_STAGE true
#elif defined FAULTY_samples_displaced
/* Samples hold the state at the end of their step. */
#define SAMPLE_AT(x, s, u, h, x1) memcpy(x, x1, sizeof(double[IC_MAX_STATES]))
#elif defined FAULTY_tolerance_floor
/* Tolerances below 1e-7 are taken for 1e-7. */
#define TOLERANCE(rtol) fmax(rtol, 1e-7)
#elif defined FAULTY_tolerance_relative
/* The tolerance of a state is a part of this state alone. */
#define LITTLE 0
#elif defined FAULTY_not_a_number_unseen
/* A guard whose value is not a number at the end of a step is not seen to have crossed. */
#define NOT_A_NUMBER(side) (side)
#elif defined FAULTY_adaptive_linear_state
/* Adaptive steps; the time of an event is right, and its state on the straight line between the ends of the step. */
#define STATE_AT(x, s, h, u, x1)                                                                               \
    for (size_t j = 0; j < (s)->n; j++) (x)[j] = (s)->x[j] + (u) * ((x1)[j] - (s)->x[j])
#else
#error "no FAULTY_name is defined"
#endif

#include "tests/plugins/faulty/adaptive_base.h"
