/* SPDX-License-Identifier: MIT */
/*
 * A ball, g = 10 m/s^2:
 *
 *     start          from a given height, velocity, mode and time: t_1 = t_0 + (v_0 + sqrt(v_0^2 + 2 g h))/g
 *     accumulation   from 1 m with e = 0.7: infinitely many impacts until t_Z = sqrt(2 h/g) (1 + e)/(1 - e)
 *     departure      x' = 1; at x = 1 to a mode whose guard x - 1 starts at this zero, which rounding has shifted
 *     not finite     a flow that is not a number from 1/2 m on, and a jump that returns none
 */
#include "audit/common/tolerances.h"
#include "audit/solver/traps.h"
#include "validation/subjects.h"

#include <float.h>
#include <math.h>

enum { X = IC_TRAP_BALL_X, V = IC_TRAP_BALL_V };

#define ASKED_ERROR 1e-9
/* fixed steps, s */
#define STEP 1e-3
#define SHORT_STEP 1e-4
#define G 10.0
#define MOST_STEPS 1e6
/* Runs end this much after the first impact, s, and after the limit of all, over its time: late enough
   to see both, too early for another impact. */
#define AFTER_IMPACT 0.2
#define AFTER_LIMIT 1.2

/* of a run */
static double most_steps;

static ic_options options_with(const ic_solver *solver, double step)
{
    return (ic_options){.rtol = ic_rtol_for(solver, ASKED_ERROR),
                        .step = solver->control == IC_CONTROL_STEP ? step : 0,
                        .max_steps = most_steps};
}

/* ---- the ball of traps */

static const ic_preset presets[] = {{"drop", "body", "", "3", "impacts"}};
static const ic_case ball = {IC_TRAP_CASE("start", "A ball from a given start", "textbook"),
                             IC_TRAP_BALL_TABLES(ic_trap_ball_variants, presets)};

/* from h m with v0 m/s */
static ic_problem ball_problem(const double *par, double until)
{
    static const char *const no_text[IC_TRAP_BALL_PARAMETERS] = {NULL};
    return (ic_problem){
        .system = &ball, .variant = ic_trap_ball_variants, .par = par, .par_text = no_text, .t_end = until};
}

static double impact_time(double h, double v)
{
    return (v + sqrt(v * v + 2 * G * h)) / G;
}

/* Whether the first impact is that from `other` m and m/s and 0 s, not from the given start. NAN: the run fails. */
static double starts_elsewhere(const ic_solver *solver, double t_start, int mode, const double *other)
{
    const double par[] = {1, 0, G, 0.5}, x_start[] = {2, 2.5};
    const double right = t_start + impact_time(x_start[X], x_start[V]);
    const ic_options options = options_with(solver, STEP);
    ic_problem problem = ball_problem(par, right + AFTER_IMPACT);
    problem.t_start = t_start, problem.x_start = x_start, problem.mode_start = mode;
    ic_solver_run r = ic_solver_run_of(solver, &problem, &options);
    const bool good = r.status == IC_OK && r.damage == 0;
    const size_t n = good ? ic_log_event_count(r.log) : 0;
    const double first = n > 0 ? ic_log_event_at(r.log, 0).t : INFINITY;
    const double elsewhere = impact_time(other[X], other[V]);
    ic_solver_run_free(&r);
    if (!good) return NAN;
    if (mode == IC_TRAP_BALL_REST) return n > 0; /* it stays */
    return fabs(first - elsewhere) <= ic_tolerance_given_start.value &&
           fabs(first - right) > ic_tolerance_given_start.value;
}

static ic_mistake_id check_start(ic_finding_writer *writer, const ic_solver *solver)
{
    static const double usual[] = {1, 0}, given[] = {2, 2.5};
    const double state = starts_elsewhere(solver, 0, IC_TRAP_BALL_FLIGHT, usual),
                 mode = starts_elsewhere(solver, 0, IC_TRAP_BALL_REST, given),
                 time = starts_elsewhere(solver, 0.7, IC_TRAP_BALL_FLIGHT, given);
    if (isnan(state) || isnan(mode) || isnan(time)) return IC_NO_MISTAKE; /* other rows report runs that fail */
    const ic_judged_value m = {state + mode + time, 0, "the given ones are used",
                               state + mode > 0 ? IC_MISTAKE_START_IGNORED : IC_MISTAKE_TIME_SHIFTED};
    return ic_write_measured(writer, IC_CHECK_SOLVER_START, &m, "%s",
                             state > 0  ? "the state x_start is ignored: start from it if it is not NULL"
                             : mode > 0 ? "the mode mode_start is ignored: start in it if x_start is not NULL"
                             : time > 0 ? "the time t_start is ignored: start there"
                                        : "runs begin with the given state, mode and time");
}

/* ---- accumulation */

/* How a run follows accumulating impacts. */
typedef struct followed {
    ic_status status;

    /* the limit is noticed: by the status, or by an event */
    bool noticed;

    /* the last impact before it, and the limit as reported, s; NAN: not reported */
    double last, limit;
} followed;

static followed follow_impacts(const ic_solver *solver, const ic_problem *problem, const ic_options *options)
{
    ic_solver_run r = ic_solver_run_of(solver, problem, options);
    followed f = {.status = r.status, .noticed = r.status == IC_ZENO, .limit = NAN};
    if (f.noticed) f.limit = ic_log_end(r.log).t;
    bool over = f.noticed;
    for (size_t i = 0; r.damage == 0 && i < ic_log_event_count(r.log); i++) {
        const ic_event event = ic_log_event_at(r.log, i);
        if (event.kind == IC_EVENT_ACCUMULATION) f.limit = event.t, f.noticed = over = true;
        if (event.kind == IC_EVENT_GUARD && event.mode_to == IC_TRAP_BALL_FLIGHT && !over) f.last = event.t;
    }
    ic_solver_run_free(&r);
    return f;
}

static ic_mistake_id check_accumulation(ic_finding_writer *writer, const ic_solver *solver)
{
    const double e = 0.7, par[] = {1, 0, G, e};
    const double t_limit = impact_time(1, 0) * (1 + e) / (1 - e);
    const ic_problem problem = ball_problem(par, AFTER_LIMIT * t_limit);
    const ic_options options = options_with(solver, SHORT_STEP);
    if ((solver->clauses_not_kept & IC_CLAUSE(6)) != 0 || solver->steps_over_events) return IC_NO_MISTAKE;
    const followed f = follow_impacts(solver, &problem, &options);
    const double left = fabs((isnan(f.limit) ? t_limit : f.limit) - f.last) / t_limit,
                 roots = ic_tolerance_accumulation_roots.value * sqrt(options.rtol),
                 most = fmax(ic_tolerance_accumulation.value, solver->control == IC_CONTROL_RTOL ? roots : 0);
    if (f.noticed) {
        const ic_judged_value m = {left, most, ic_tolerance_accumulation.derivation,
                                   IC_MISTAKE_ACCUMULATION_EARLY};
        return ic_write_measured(
            writer, IC_CHECK_SOLVER_ACCUMULATION, &m,
            "part of the limit's time, %.10g s, that is left at the last impact%s", t_limit,
            left <= most ? "" : ": wait until what is left is below the resolution of time, event_tol");
    }
    if (!(left <= ic_tolerance_accumulation_followed.value) || f.status == IC_UNSUPPORTED)
        return IC_NO_MISTAKE; /* an impact was lost before */
    const ic_judged_value m = {INFINITY, most, ic_tolerance_accumulation.derivation,
                               IC_MISTAKE_ACCUMULATION_MISSED};
    return ic_write_measured(
        writer, IC_CHECK_SOLVER_ACCUMULATION, &m,
        "impacts are followed to %.10g s, and no limit is noticed at %.10g s: extrapolate the intervals "
        "once they shrink geometrically below event_tol",
        f.last, t_limit);
}

/* ---- departures */

/* Rounding by which the jump misses the zero at which the next guard is declared to start. */
#define SHIFTED (1 - 4 * DBL_EPSILON)

IC_TRAP_FLOW(constant_rate, 1)
IC_TRAP_VALUE(short_of_one, x[0] - 1)
IC_TRAP_VALUE(beyond_one, -(1 - x[0]))
IC_TRAP_VALUE(one, 1)
IC_TRAP_JUMP(to_zero, 0)
IC_TRAP_JUMP(to_departure, SHIFTED)
static const ic_branch to_zero_branches[] = {{.mode = 0}}, stays[] = {{.mode = 1}};
static const ic_branch departs[] = {{.mode = 1, IC_DEPARTS(0, 1, +1)}};
static const ic_guard arriving[] = {
    IC_TRAP_EVENT_TO("mark", "m", "the point reaches 1", +1, short_of_one, one, NULL, to_departure, departs)};
static const ic_guard departing[] = {
    IC_TRAP_EVENT_TO("again", "m", "the point passes 1 again", +1, beyond_one, one, NULL, to_departure, stays)};
static const ic_mode departure_modes[] = {{IC_TRAP_MODE("before", "", constant_rate, NULL, arriving)},
                                          {IC_TRAP_MODE("after", "", constant_rate, NULL, departing)}};
static const ic_variant departure[] = {{IC_TRAP_VARIANT("motion", "", departure_modes, to_zero)}};
static const ic_state position[] = {{"x", "m", "position", "1"}};
static const ic_preset motion[] = {{"motion", "motion", "", "2", "one event"}};
static const ic_case departure_case = {IC_TRAP_CASE("departure", "A declared departure", "textbook"),
                                       IC_TRAP_TABLES(position, departure, motion), .time_scale = "1"};

static ic_mistake_id check_departure(ic_finding_writer *writer, const ic_solver *solver)
{
    static const double none[1] = {0};
    static const char *const no_text[1] = {NULL};
    const ic_options options = options_with(solver, STEP);
    const ic_problem problem = {
        .system = &departure_case, .variant = departure, .par = none, .par_text = no_text, .t_end = 2};
    if ((solver->clauses_not_kept & IC_CLAUSE(3)) != 0 || solver->steps_over_events) return IC_NO_MISTAKE;
    ic_solver_run r = ic_solver_run_of(solver, &problem, &options);
    size_t again = 0;
    for (size_t i = 0; i < ic_log_event_count(r.log); i++)
        again += strcmp(ic_log_event_at(r.log, i).name, departing[0].name) == 0;
    ic_solver_run_free(&r);
    const ic_judged_value m = {(double)again, 0, "clause 3", IC_MISTAKE_DEPARTURE_IGNORED};
    return ic_write_measured(writer, IC_CHECK_SOLVER_EVENTS, &m,
                             "events of a guard at the zero at which a jump declares that it starts%s",
                             again > 0 ? ": take the side from the branch's departures" : "");
}

/* ---- values that are not finite */

/* The run has met the value that is not finite: a solver that steps over the floor cannot notice it. */
static bool met;

static void broken_flow(double *dxdt, double t, const double *x, const double *par)
{
    ic_trap_ball_flight(dxdt, t, x, par);
    if (x[X] < 0.5) dxdt[V] = NAN, met = true;
}

static int broken_jump(double *x_post, double t, const double *x, const double *par)
{
    ic_trap_ball_reverse(x_post, t, x, par);
    x_post[V] = NAN, met = true;
    return 0;
}

IC_TRAP_VALUE(height, x[X])
IC_TRAP_VALUE(height_rate, x[V])
static const ic_branch reversed[] = {{.mode = 0}};
static const ic_guard breaking[] = {IC_TRAP_EVENT_TO("floor", "m", "the ball meets the floor", -1, height,
                                                     height_rate, NULL, broken_jump, reversed)};
static const ic_guard unbroken[] = {IC_TRAP_EVENT_TO("floor", "m", "the ball meets the floor", -1, height,
                                                     height_rate, NULL, ic_trap_ball_reverse, reversed)};
static const ic_mode jump_modes[] = {
    {IC_TRAP_MODE("flight", "free fall", ic_trap_ball_flight, NULL, breaking)}};
static const ic_mode flow_modes[] = {{IC_TRAP_MODE("flight", "free fall", broken_flow, NULL, unbroken)}};
static const ic_variant broken[] = {
    {IC_TRAP_VARIANT("jump", "a jump that is not a number", jump_modes, ic_trap_ball_start)},
    {IC_TRAP_VARIANT("flow", "a flow that is not a number", flow_modes, ic_trap_ball_start)}};

static ic_mistake_id check_not_finite(ic_finding_writer *writer, const ic_solver *solver)
{
    const double par[] = {1, 0, G, 0.5};
    const ic_options options = options_with(solver, STEP);
    bool passed[IC_COUNT(broken)], reached = false;
    if ((solver->clauses_not_kept & IC_CLAUSE(10)) != 0) return IC_NO_MISTAKE;
    for (size_t i = 0; i < IC_COUNT(broken); i++) {
        ic_problem problem = ball_problem(par, 2);
        problem.variant = &broken[i];
        met = false;
        ic_solver_run r = ic_solver_run_of(solver, &problem, &options);
        passed[i] = met && r.status == IC_OK;
        reached |= met;
        ic_solver_run_free(&r);
    }
    if (!reached) return IC_NO_MISTAKE; /* nothing was to be noticed */
    const bool jump = passed[0], flow = passed[1];
    const ic_judged_value m = {(double)(jump + flow), 0, "clause 10", IC_MISTAKE_NOT_FINITE};
    return ic_write_measured(writer, IC_CHECK_SOLVER_NOT_FINITE, &m, "%s%s%s",
                             jump || flow ? "no error is reported for a value that is not finite, of a "
                                          : "of two",
                             jump && flow ? "jump and of a flow"
                             : jump       ? "jump"
                             : flow       ? "flow"
                                          : "",
                             jump || flow ? ": stop with IC_NOT_FINITE" : "");
}

ic_mistake_id ic_audit_contract(ic_finding_writer *writer, const ic_solver *solver, ic_mistake_id late)
{
    most_steps = ic_steps_are_too_short(solver, late) ? IC_ENOUGH_STEPS : MOST_STEPS;
    if (solver->needs & IC_NEEDS_LINEAR_VIEW) return IC_NO_MISTAKE; /* they have none */
    const bool located = !ic_solver_explains_others(late);
    const ic_mistake_id found[] = {
        check_start(writer, solver), located ? check_accumulation(writer, solver) : IC_NO_MISTAKE,
        located ? check_departure(writer, solver) : IC_NO_MISTAKE, check_not_finite(writer, solver)};
    for (size_t i = 0; i < IC_COUNT(found); i++) {
        if (found[i] != IC_NO_MISTAKE) return found[i];
    }
    return IC_NO_MISTAKE;
}
