/* SPDX-License-Identifier: MIT */
#include "audit/common/tolerances.h"
#include "audit/solver/solver.h"
#include "validation/subjects.h"

#include <math.h>

/* the end of a free swing, s, which no step below is a whole part of */
#define UNTIL 20.0
/* fixed steps, s: from the first on, each the root of a half of the one before */
enum { SIZES = 15, LEAST_SIZES = 4 };
#define LARGEST_STEP 0.41
/* The forced motion is seven times as fast. */
#define LARGEST_FORCED_STEP (0.25 * LARGEST_STEP)
/* fixed steps, s, that no round time is a multiple of, and a part of one */
#define STEP 0.0137
#define SHORTEST (1.0 / 64)
#define CLOCK_STEP 0.0103
/* Requested errors of adaptive solvers: for a forced motion, from the first on, and for others. */
#define FIRST_ASKED 1e-3
#define LAST_ASKED 1e-10
#define ASKED_ERROR 1e-6
#define MOST_STEPS 3e5
/* place of a wall, m, with digits that no number of single precision has, and the end of its run, s */
#define WALL (0.3 + 1e-3 * M_PI)
#define WALL_UNTIL 3.0

static void add_point(ic_line_fit *f, double size, double error)
{
    if (error > ic_tolerance_error_rounding.value && error < ic_tolerance_error_of_scale.value)
        ic_line_fit_add(f, log(size), log(error));
}

static bool is_fixed(const ic_solver *solver)
{
    return solver->control == IC_CONTROL_STEP;
}

static ic_options options_of(const ic_solver *solver, double error, double step)
{
    return (ic_options){
        .rtol = ic_rtol_for(solver, error), .step = is_fixed(solver) ? step : 0, .max_steps = MOST_STEPS};
}

static bool passes(const ic_judged_value *m)
{
    return m->value <= m->tolerance;
}

/* ---- precision */

static double part_of(size_t some, size_t all)
{
    return all > 0 ? (double)some / (double)all : 0;
}

static double find_single_states(const ic_solver *solver)
{
    const ic_options options = options_of(solver, ASKED_ERROR, STEP);
    ic_solver_run r = ic_solver_run_of(solver, ic_probe_oscillator(WALL, WALL_UNTIL), &options);
    const ic_probe_precision p = ic_probe_oscillator_precision();
    ic_solver_run_free(&r);
    return fmax(part_of(p.single_flows, p.flows), part_of(p.single_guards, p.guards));
}

static ic_mistake_id check_precision(ic_finding_writer *writer, const ic_solver *solver,
                                     const ic_clock_calls *clock)
{
    const double states = find_single_states(solver);
    /* Steps that are powers of 1/2 reach such times too, but then the clock does not drift. */
    const double times = clock->drifted > 0 ? part_of(clock->single, clock->calls) : 0;
    const ic_judged_value m =
        IC_JUDGED(fmax(states, times), ic_tolerance_single_numbers, IC_MISTAKE_SINGLE_PRECISION);
    return ic_write_measured(writer, IC_CHECK_SOLVER_PRECISION, &m, "%s",
                             times > states ? "times are numbers of single precision: keep them as double"
                             : states > m.tolerance
                                 ? "states are numbers of single precision: keep them as double"
                                 : "times and states of flow and guard");
}

/* ---- times of guards and jumps */

static ic_mistake_id check_clock(ic_finding_writer *writer, const ic_clock_calls *clock)
{
    const double guards = part_of(clock->stale_guards, clock->guards),
                 jumps = part_of(clock->stale_jumps, clock->jumps);
    const ic_judged_value m = IC_JUDGED(fmax(guards, jumps), ic_tolerance_clock_calls, IC_MISTAKE_STALE_TIME);
    if (clock->guards == 0) return IC_NO_MISTAKE;
    return ic_write_measured(writer, IC_CHECK_SOLVER_CLOCK, &m, "%s",
                             passes(&m) ? "guards and jumps have the time of their state"
                             : guards > jumps
                                 ? "a guard is evaluated at another time than its state: pass it the time there"
                                 : "a jump is applied at another time than its state: pass it the event's");
}

/* ---- order */

/* Powers of the step; INFINITY: too few errors are larger than rounding; 0: nearly all are as great as the
   swing. */
typedef struct swing_powers {
    /* of the reported ends, and of the ends of the last steps */
    double shown, own;
} swing_powers;

static swing_powers measure_swing(const ic_solver *solver)
{
    ic_line_fit shown = {0}, own = {0};
    size_t wrong = 0;
    for (int i = 0; i < SIZES; i++) {
        const ic_options options = {.step = LARGEST_STEP * pow(2, -0.5 * i), .max_steps = MOST_STEPS};
        const ic_free_swing swing = ic_free_swing_of(solver, &options, UNTIL);
        if (!swing.solved || !(swing.flows > 0)) continue;
        add_point(&shown, options.step, swing.error);
        add_point(&own, options.step, swing.own_error);
        wrong += !(swing.error < ic_tolerance_error_of_scale.value);
    }
    if (shown.n < LEAST_SIZES && wrong > SIZES / 2) return (swing_powers){0, 0};
    return (swing_powers){ic_line_fit_slope_of(&shown, LEAST_SIZES),
                          own.n < LEAST_SIZES ? 0 : ic_line_fit_slope(&own)};
}

/* Fixed steps only: `effort` judges adaptive ones. */
static ic_mistake_id check_swing_order(ic_finding_writer *writer, const ic_solver *solver)
{
    const swing_powers power = measure_swing(solver);
    const double claimed = solver->order, least = ic_tolerance_claimed_order.value * claimed;
    const bool interpolated = power.own >= least;
    const ic_judged_value m = {fmax(claimed - power.shown, 0), claimed - least,
                               ic_tolerance_claimed_order.derivation,
                               interpolated ? IC_MISTAKE_INTERPOLANT_COARSE : IC_MISTAKE_ORDER_LOST};
    if (isinf(power.shown)) return IC_NO_MISTAKE;
    return ic_write_measured(
        writer, IC_CHECK_SOLVER_FREE_ORDER, &m,
        "errors of a free swing, without events, fall like step^%.3g; claimed %g%s", power.shown, claimed,
        passes(&m)     ? ""
        : interpolated ? ": the steps keep their order, and the end is interpolated: end the last step there"
                       : ": compare the coefficients with their source, or claim less");
}

/* Whether steps shorter by SHORTEST need as many more calls of the flow. */
static ic_mistake_id check_least_step(ic_finding_writer *writer, const ic_solver *solver)
{
    double flows[2];
    for (int i = 0; i < 2; i++) {
        const ic_options options = {.step = STEP * (i == 0 ? 1 : SHORTEST), .max_steps = MOST_STEPS};
        const ic_free_swing swing = ic_free_swing_of(solver, &options, UNTIL);
        if (!swing.solved || !(swing.flows > 0)) return IC_NO_MISTAKE;
        flows[i] = swing.flows;
    }
    const ic_judged_value m = {flows[0] / flows[1], 2 * SHORTEST, "half of the calls of the flow",
                               IC_MISTAKE_TOLERANCE_FLOOR};
    return ic_write_measured(writer, IC_CHECK_SOLVER_EFFORT, &m,
                             "work of a free swing with steps of %g s over that with %g s%s", STEP,
                             STEP * SHORTEST, passes(&m) ? "" : ": take the requested step, however short");
}

/* Power of the step, or of the work of adaptive solvers, by which errors of a forced motion fall. */
static double measure_forced(const ic_solver *solver)
{
    ic_line_fit fit = {0};
    for (int i = 0; i < SIZES; i++) {
        const ic_options options =
            options_of(solver, FIRST_ASKED * pow(LAST_ASKED / FIRST_ASKED, (double)i / (SIZES - 1)),
                       LARGEST_FORCED_STEP * pow(2, -0.5 * i));
        const ic_clock_calls calls = ic_probe_clock_run(solver, &options, false);
        if (!calls.solved || calls.calls == 0) continue;
        add_point(&fit, is_fixed(solver) ? options.step : 1 / (double)calls.calls, calls.error);
    }
    return ic_line_fit_slope_of(&fit, LEAST_SIZES);
}

/* A forced motion, which a method of the order claimed on a free one solves to lower order. */
static ic_mistake_id check_forced(ic_finding_writer *writer, const ic_solver *solver,
                                  const ic_clock_calls *clock)
{
    const double power = measure_forced(solver), claimed = solver->order;
    const bool stale = 2 * clock->stale_stages > clock->stages;
    if (solver->order < 2 || isinf(power)) return IC_NO_MISTAKE;
    const ic_judged_value m = {
        fmax(claimed - power, 0),
        fmax((1 - ic_tolerance_claimed_order.value) * claimed, ic_tolerance_forced_order.value),
        ic_tolerance_forced_order.derivation,
        clock->stale_stages > 0 ? IC_MISTAKE_STALE_TIME : IC_MISTAKE_ORDER_LOST};
    return ic_write_measured(
        writer, IC_CHECK_SOLVER_FORCED, &m,
        "errors of a forced motion fall like %s^%.3g; claimed %g; %zu of %zu stages have another time than their state%s",
        is_fixed(solver) ? "step" : "work^-1", power, claimed, clock->stale_stages, clock->stages,
        passes(&m) && !stale ? "" : ": check the nodes c_i of the method");
}

/* ---- jumps */

static ic_mistake_id check_restart(ic_finding_writer *writer, const ic_solver *solver)
{
    const ic_restart_calls start = ic_probe_restart(solver, IC_RESTART_START),
                           guard = ic_probe_restart(solver, IC_RESTART_GUARD),
                           clock = ic_probe_restart(solver, IC_RESTART_TIME_EVENT);
    const bool by_guard = guard.known && !guard.iterates, by_clock = clock.known && !clock.iterates;
    if (!start.known || start.iterates || start.along_old > ic_tolerance_default(&ic_tolerance_restart_start) ||
        (!by_guard && !by_clock))
        return IC_NO_MISTAKE;
    const double off =
        fmax(by_guard && !guard.at_new_state ? guard.off : 0, by_clock && !clock.at_new_state ? clock.off : 0);
    if (start.at_new_state && off > 0) {
        const ic_judged_value m = {off, 0, "the state after the jump is given", IC_MISTAKE_JUMP_WRONG};
        return ic_write_measured(
            writer, IC_CHECK_SOLVER_RESTART, &m,
            "after a jump the motion starts beside the logged state, at this distance: start from "
            "x_post itself");
    }
    const ic_judged_value m = IC_JUDGED(fmax(by_guard ? guard.along_old : 0, by_clock ? clock.along_old : 0),
                                        ic_tolerance_restart_slope, IC_MISTAKE_STALE_SLOPE);
    return ic_write_measured(
        writer, IC_CHECK_SOLVER_RESTART, &m, "%s",
        passes(&m) ? "the first stage after a jump follows the new slope"
        : guard.at_new_state
            ? "slopes from before a jump enter the step after it: discard the history there"
            : "the flow is not evaluated at the state after a jump, and the slope from before it is "
              "used: evaluate it anew there");
}

/* ---- control */

static ic_mistake_id check_all_states(ic_finding_writer *writer, const ic_solver *solver)
{
    const ic_options options = options_of(solver, ASKED_ERROR, 0);
    double least = INFINITY, most = 0;
    int worst = 0;
    for (int i = 0; i < IC_FAST_STATES; i++) {
        const double error = ic_probe_one_of_three(solver, &options, i);
        if (isnan(error)) return IC_NO_MISTAKE;
        if (error > most) worst = i;
        least = fmin(least, error), most = fmax(most, error);
    }
    const ic_judged_value m =
        IC_JUDGED(most / fmax(least, ASKED_ERROR), ic_tolerance_worst_state, IC_MISTAKE_TOLERANCE_OF_SOME);
    return ic_write_measured(
        writer, IC_CHECK_SOLVER_ALL_STATES, &m,
        "errors of %.3g to %.3g at a requested error of %.0e; worst with the fast state number %d%s", least,
        most, ASKED_ERROR, worst + 1, passes(&m) ? "" : ": control the error of all states");
}

/* Whether a step was kept that leaps over most of a fast motion. */
static ic_mistake_id check_leaps(ic_finding_writer *writer, double unseen)
{
    const ic_judged_value m = IC_JUDGED(unseen, ic_tolerance_unseen_turn, IC_MISTAKE_STEPS_NOT_REJECTED);
    return ic_write_measured(
        writer, IC_CHECK_SOLVER_REJECTION, &m, "longest turn without a call of the flow, rad%s",
        passes(&m) ? "" : ": repeat a step whose error exceeds the tolerance with a smaller one");
}

static ic_mistake_id check_rejection(ic_finding_writer *writer, const ic_solver *solver)
{
    const ic_options options = options_of(solver, ASKED_ERROR, 0);
    const ic_sudden_run fast = ic_probe_sudden(solver, &options, true),
                        sudden = ic_probe_sudden(solver, &options, false);
    const double unseen = fmax(fast.unseen, sudden.unseen), usual = fmax(fast.error, ASKED_ERROR);
    if (isnan(fast.unseen) || isnan(sudden.unseen)) return IC_NO_MISTAKE;
    const ic_mistake_id leaps = check_leaps(writer, unseen);
    if (leaps != IC_NO_MISTAKE || usual > ic_tolerance_rejection_hides.value) return leaps;
    const ic_judged_value m =
        IC_JUDGED(sudden.error / usual, ic_tolerance_rejection, IC_MISTAKE_STEPS_NOT_REJECTED);
    return ic_write_measured(
        writer, IC_CHECK_SOLVER_REJECTION, &m, "error %.3g if it becomes fast, %.3g if it always is%s",
        sudden.error, fast.error,
        passes(&m) ? "" : ": repeat a step whose error exceeds the tolerance with a smaller one");
}

static void keep_first(ic_mistake_id *first, ic_mistake_id found)
{
    if (*first == IC_NO_MISTAKE) *first = found;
}

ic_mistake_id ic_audit_steps(ic_finding_writer *writer, const ic_solver *solver)
{
    const bool adaptive = solver->control == IC_CONTROL_RTOL;
    const ic_options usual = options_of(solver, ASKED_ERROR, CLOCK_STEP);
    const ic_clock_calls clock = ic_probe_clock_run(solver, &usual, true);
    ic_mistake_id first = check_precision(writer, solver, &clock);
    if (first != IC_NO_MISTAKE) return first; /* it would spoil all others */
    if (adaptive) first = ic_audit_effort(writer, solver);
    else if (is_fixed(solver) && solver->order > 0) first = check_swing_order(writer, solver);
    if (is_fixed(solver)) keep_first(&first, check_least_step(writer, solver));
    if (first != IC_NO_MISTAKE) {
        ic_write_known(writer, &(ic_known){{[IC_KNOWN_STEPS] = first}}); /* Later runs may not end. */
        check_restart(writer, solver);
        return first;
    }
    if (adaptive) first = check_all_states(writer, solver);
    if (adaptive && first == IC_NO_MISTAKE) first = check_rejection(writer, solver);
    keep_first(&first, check_restart(writer, solver));
    if (clock.solved) keep_first(&first, check_forced(writer, solver, &clock));
    if (clock.solved) keep_first(&first, check_clock(writer, &clock));
    return first;
}
