/* SPDX-License-Identifier: MIT */
/* Solvers with fixed steps with one mistake each. Each `defined FAULTY_name` is a plugin,
   which redefines something of event_base.h. */
#if defined FAULTY_no_event_location
/* Events are placed at the end of their step. */
#define CROSSES_AT(s, guard, side, a, b, h) (h)
#elif defined FAULTY_linear_event_location
/* Events are located by one linear interpolation of their step. */
#define PARTS 1
#define CROSSES_AT(s, guard, side, a, b, h) secant(s, guard, a, b)
#elif defined FAULTY_fired_again
/* After its own jump the guard is still at zero, and fires a second time. */
#define TIMES_FOUND 2
#elif defined FAULTY_direction_ignored
/* Crossings in both directions are events. */
#define DIRECTION_COUNTS false
#elif defined FAULTY_stale_time
/* After an event the time is that of the end of its step. */
#define CLOCK(t, after, h) ((t) + (h))
#elif defined FAULTY_stale_stages
/* All stages of a step use the time of its start, so that forcing is late. */
#define STAGE_AT(i, part) 0
#elif defined FAULTY_stale_third_stage
/* The third of four stages uses the time of the step's start; its state has the time of the second. */
#define STAGE_AT(i, part) ((i) == 2 ? 0 : (part))
#elif defined FAULTY_crossings_lost_in_step
/* A guard that has the same sign at both ends of a step has not crossed zero. */
#define PARTS 1
#define LOOKS_FOR_PAIRS false
#elif defined FAULTY_falls_through
/* Accumulating bounces have no limit, and a bounce within a step is not found. */
#define LEFT 0
#define LEARNS_SIDE_LATE true
#elif defined FAULTY_zero_at_start
/* A guard that is zero at the start is treated as one that has fired. */
#define FIRES_AT_START false
#elif defined FAULTY_velocity_of_the_end
/* The time of an impact is located, but the velocity is that at the end of the step. */
#define STATE_AT(x, s, h, u, x1) memcpy(x, x1, sizeof(double[IC_MAX_STATES]))
#elif defined FAULTY_event_lost
/* An event needs a negative product of the values at both ends: one at an end is lost. */
#define AT_ZERO(side) 0
#elif defined FAULTY_simultaneous_lost
/* Only the first of simultaneous guards is handled, and all others are treated as passed. */
#define FIRES_WITH false
#define FIRES_AFTER_JUMP false
#elif defined FAULTY_time_event_late
/* Steps are not cut at time events, which are handled at the end of their step. */
#define CUTS_AT_TIME_EVENTS false
#elif defined FAULTY_touch_fires
/* A guard that turns near zero is treated as crossing it. */
#define TOUCH 1e-6
#define TOUCH_FIRES true
#elif defined FAULTY_residual_tolerance
/* The search for a root is over as soon as the guard is small. */
#define CONVERGED(g, w) (fabs(g) < 1e-7)
#elif defined FAULTY_absolute_time
/* The search for a root is over at a hundredth of a picosecond, whatever the time scale. */
#define CONVERGED(g, w) ((w) < 1e-14)
#elif defined FAULTY_successor_skipped
/* After its jump a guard is not checked until the end of a step. */
#define LEARNS_SIDE_LATE true
#define PARTS 1
#elif defined FAULTY_order_of_list
/* If several guards cross in one step, the first of the list is handled. */
#define FIRST_OF(u, so_far) false
#elif defined FAULTY_disabled_fires
/* A guard fires whatever its condition. */
#define IS_ENABLED(condition) ((void)(condition), true)
#elif defined FAULTY_enabled_at_start
/* Whether a guard is enabled is asked at the start of the step in which it crosses. */
#define ASKED_AFTER(after) (0 * (after))
#elif defined FAULTY_first_branch
/* The first branch of a jump is taken, whichever applies. */
#define BRANCH(taken) ((void)(taken), 0)
#elif defined FAULTY_first_branch_few_clauses
/* The same by a solver that declares not to keep the clauses of most traps. */
#define BRANCH(taken) ((void)(taken), 0)
#define NOT_KEPT                                                                                               \
    (IC_CLAUSE(2) | IC_CLAUSE(3) | IC_CLAUSE(4) | IC_CLAUSE(5) | IC_CLAUSE(6) | IC_CLAUSE(7) | IC_CLAUSE(8))
#elif defined FAULTY_terminal_ignored
/* A run goes on in a mode that should end it. */
#define TERMINAL_ENDS false
#elif defined FAULTY_end_of_step_before
/* The reported end is the time of the step before. */
#define END_TIME(t, h) ((t) - (h))
#elif defined FAULTY_sequence_from_zero
/* All events have the number 0. */
#define NUMBER(next) (0 * (next))
#elif defined FAULTY_single_event_times
/* Times of events are numbers of single precision. */
#define CLOCK(t, after, h) ((double)(float)((t) + (after)))
#elif defined FAULTY_accumulation_early
/* Shrinking intervals are taken for the limit while three thousandths of the time are left. */
#define LEFT 3e-3
#elif defined FAULTY_accumulation_missed
/* Accumulating bounces have no limit. */
#define LEFT 0
#elif defined FAULTY_state_before
/* The state after an event is logged as that before it, too. */
#define LOGGED_BEFORE(before, after) ((void)(before), (after))
#elif defined FAULTY_tolerance_ignored
/* It accepts a tolerance, but always takes a thousand steps. */
#define PROPOSE(s, h) fmin(h, 1e-3 * ((s)->problem->t_end - (s)->problem->t_start))
#define CONTROL IC_CONTROL_RTOL
#else
#error "no FAULTY_name is defined"
#endif

#include "tests/plugins/faulty/event_base.h"
