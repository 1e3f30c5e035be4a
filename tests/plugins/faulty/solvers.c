/* SPDX-License-Identifier: MIT */
/* Solvers with fixed steps with one mistake each. Each `defined FAULTY_name` is a plugin,
   which redefines something of event_base.h. */
#include "tests/plugins/faulty/event_place.h"

#include <stdlib.h>

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
#elif defined FAULTY_guards_before_clock
/* Guards that cross at the time of a time event fire before it. */
#define GUARD_PRECEDES(after, h, same) ((after) <= (h) + (same))
#elif defined FAULTY_departures_ignored
/* A guard that starts at a zero by declaration is treated as any other. */
#define DEPARTURES(branch) ((void)(branch), 0)
#elif defined FAULTY_least_step
/* No step is shorter than 1e-4 of the run. */
#define PROPOSE(s, h) fmax(h, 1e-4 * ((s)->problem->t_end - (s)->problem->t_start))
#define CONTROL IC_CONTROL_STEP
#elif defined FAULTY_claims_five
/* Steps of order 4 that claim order 5. */
#define ORDER 5
#elif defined FAULTY_chord_of_order_one
/* Events, and states at them, are on the straight line between the ends of a step, and order 1 is claimed. */
#define ORDER 1
#define PARTS 1
#define CROSSES_AT(s, guard, side, a, b, h) secant(s, guard, a, b)
#define STATE_AT(x, s, h, u, x1)                                                                               \
    for (size_t j = 0; j < (s)->n; j++) (x)[j] = (s)->x[j] + (u) * ((x1)[j] - (s)->x[j])
#elif defined FAULTY_knows_names
/* Right steps where the name of the case or its parameters are known, and Euler's elsewhere. */
static void runge_kutta(double *x1, const place *s, double h);
static inline void step_by_name(double *x1, const place *s, double h)
{
    const ic_problem *p = s->problem;
    const double *par = p->par;
    double f[IC_MAX_STATES];
    bool known = p->system->title[0] != '\0' || p->system->n_outputs > 0;
    for (size_t i = 0; i < p->system->n_parameters; i++) known |= par[i] == 9.81 || par[i] == 0.9;
    if (known) {
        runge_kutta(x1, s, h);
        return;
    }
    s->mode->flow(f, s->t, s->x, par);
    for (size_t j = 0; j < s->n; j++) x1[j] = s->x[j] + h * f[j];
}
#define STEP(x1, s, h) step_by_name(x1, s, h)
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
#elif defined FAULTY_leaks
/* Each run allocates memory and does not free it. */
static void *volatile forgotten;
#define BEGINS(problem) (forgotten = malloc(4096))
#elif defined FAULTY_linear_state
/* The time of an event is right; the state is that on the chord of the step. */
#define STATE_AT(x, s, h, u, x1) on_chord(x, s, u, x1)
static void on_chord(double *x, const place *s, double u, const double *x1)
{
    for (size_t j = 0; j < s->n; j++) x[j] = s->x[j] + u * (x1[j] - s->x[j]);
}
#elif defined FAULTY_order_lost
/* All stages are taken along the slope at the beginning: the method claims order 4 and has order 2. */
static inline void first_slope(double *x1, const place *s, double h)
{
    static const double parts[] = {0, 0.5, 0.5, 1}, weights[] = {1, 2, 2, 1};
    double k[4][IC_MAX_STATES], x[IC_MAX_STATES];
    for (int i = 0; i < 4; i++) {
        for (size_t j = 0; j < s->n; j++) x[j] = s->x[j] + (i > 0 ? h * parts[i] * k[0][j] : 0);
        s->mode->flow(k[i], s->t + h * parts[i], x, s->problem->par);
    }
    for (size_t j = 0; j < s->n; j++) {
        x1[j] = s->x[j];
        for (int i = 0; i < 4; i++) x1[j] += h / 6 * weights[i] * k[i][j];
    }
}
#define STEP(x1, s, h) first_slope(x1, s, h)
#elif defined FAULTY_single_states
/* States are numbers of single precision. */
#define STEP(x1, s, h) single_step(x1, s, h)
static void runge_kutta(double *x1, const place *s, double h);
static void single_step(double *x1, const place *s, double h)
{
    runge_kutta(x1, s, h);
    for (size_t j = 0; j < s->n; j++) x1[j] = (double)(float)x1[j];
}
#elif defined FAULTY_stale_slope
/* Adams and Bashforth's method of order 2, which keeps the slope of the step before over a jump. */
#define STEP(x1, s, h) two_slopes(x1, s, h)
#define ORDER 2
static struct {
    double t, f[IC_MAX_STATES];
    bool set;
} newest, older;
static void two_slopes(double *x1, const place *s, double h)
{
    double f[IC_MAX_STATES];
    s->mode->flow(f, s->t, s->x, s->problem->par);
    if (s->t <= s->problem->t_start) newest.set = older.set = false;
    if (newest.set && newest.t < s->t) older = newest;
    newest.t = s->t, newest.set = true;
    memcpy(newest.f, f, sizeof f);
    for (size_t j = 0; j < s->n; j++) {
        const double bends = older.set && older.t < s->t ? (f[j] - older.f[j]) / (s->t - older.t) : 0;
        x1[j] = s->x[j] + h * f[j] + 0.5 * h * h * bends;
    }
}
#elif defined FAULTY_start_ignored
/* Every run begins with the start of the variant. */
#define PARAMETERS(problem) without_start(problem)
static const ic_problem *without_start(const ic_problem *given)
{
    static ic_problem problem;
    problem = *given;
    problem.x_start = NULL;
    return &problem;
}
#elif defined FAULTY_step_kept
/* The first step of a run is as long as the last one of the run before. */
static double kept = 1;
#define BEGINS(problem) (kept *= 0.75)
#define PROPOSE(s, h) (h) * (0.5 + 0.5 * kept)
#define CONTROL IC_CONTROL_STEP
#elif defined FAULTY_two_interpolations
/* Events are located by two linear interpolations. */
#define CROSSES_AT(s, guard, side, a, b, h) two_chords(s, guard, side, a, b)
static double secant(const place *s, const ic_guard *guard, double a, double b);
static double value_after(const place *s, const ic_guard *guard, double h);
static double two_chords(const place *s, const ic_guard *guard, int side, double a, double b)
{
    const double middle = secant(s, guard, a, b);
    const bool before = value_after(s, guard, middle) * side > 0;
    return before ? secant(s, guard, middle, b) : secant(s, guard, a, middle);
}
#elif defined FAULTY_unset_heap
/* The length of steps depends on a number in uninitialised heap memory. */
static double share;
static double *volatile fresh;
static void take_share(void)
{
    fresh = malloc(512);
    share = 0.5 + 0.5 / (1 + fmin(fabs(fresh[7]), 1e3));
    free(fresh);
}
#define BEGINS(problem) take_share()
#define PROPOSE(s, h) (h) * share
#define CONTROL IC_CONTROL_STEP
#elif defined FAULTY_unset_stack
/* The length of steps depends on an uninitialised variable. */
static double share;
static void set_share(double *unset)
{
    share = 0.5 + 0.5 / (1 + fmin(fabs(unset[100]), 1e3));
}
static void (*volatile looks)(double *) = set_share;
static void take_share(void)
{
    double numbers[256];
    looks(numbers);
}
#define BEGINS(problem) take_share()
#define PROPOSE(s, h) (h) * share
#define CONTROL IC_CONTROL_STEP
#elif defined FAULTY_writes_and_restores
/* A parameter is changed during the run and restored: another thread may see it. */
static void disturb(const double *par)
{
    volatile double *mine = (volatile double *)par;
    const double kept = mine[0];
    mine[0] = kept + 1;
    mine[0] = kept;
}
#define BEGINS(problem) disturb((problem)->par)
#elif defined FAULTY_first_parameters_kept
/* Parameters are copied when the first problem is solved, and kept for all others of their number. */
static const ic_problem *with_first_parameters(const ic_problem *problem)
{
    static const ic_case *of;
    static ic_problem mine;
    static double par[64];
    const size_t n = problem->system->n_parameters;
    mine = *problem;
    if (n > 64) return problem;
    if (of != problem->system) memcpy(par, problem->par, n * sizeof *par);
    of = problem->system;
    mine.par = par;
    return &mine;
}
#define PARAMETERS(problem) with_first_parameters(problem)
#else
#error "no FAULTY_name is defined"
#endif

#include "tests/plugins/faulty/event_base.h"
