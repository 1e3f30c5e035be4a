/* SPDX-License-Identifier: MIT */
#include "audit/solver/check_steps.h"
#include "audit/common/tolerances.h"
#include "audit/solver/check_effort.h"
#include "audit/solver/line_fit.h"
#include "audit/solver/probe_clock.h"
#include "audit/solver/probe_fast.h"
#include "audit/solver/probe_oscillator.h"
#include "audit/solver/probe_restart.h"
#include "audit/solver/solver_run.h"
#include "validation/subjects.h"

#include <math.h>

/* the end of a free swing, s, which no step below is a whole part of, and a mark that it never
   passes, m */
#define UNTIL 20.0
#define OUT_OF_REACH (-2.0)
/* fixed steps, s: from the first on, each the root of a half of the one before */
enum { SIZES = 15, LEAST_SIZES = 4 };
#define LARGEST_STEP 0.41
/* Errors between these follow the power of the step: smaller ones are rounding. */
#define LARGEST_ERROR 0.3
#define SMALLEST_ERROR 1e-11
/* Requested errors of adaptive solvers: for a forced motion, from the first on, and for others. */
#define FIRST_ASKED 1e-3
#define LAST_ASKED 1e-10
#define ASKED_ERROR 1e-6
/* Most steps of a run. */
#define MOST_STEPS 3e5

static void add_point(ic_line_fit *f, double size, double error)
{
    if (error > SMALLEST_ERROR && error < LARGEST_ERROR) ic_line_fit_add(f, log(size), log(error));
}

/* Power of the error; INFINITY: too few errors are larger than rounding. */
static double power_of(const ic_line_fit *f)
{
    return f->n < LEAST_SIZES ? INFINITY : ic_line_fit_slope(f);
}

static bool is_fixed(const ic_solver *solver)
{
    return solver->control == IC_CONTROL_STEP;
}

static ic_options options_of(const ic_solver *solver, double error)
{
    return (ic_options){.rtol = ic_rtol_for(solver, error), .max_steps = MOST_STEPS};
}

static ic_mistake_id write_judged(ic_finding_writer *writer, ic_plugin_check check, const ic_judged_value *m,
                                  const char *text)
{
    ic_write_measured(writer, check, m, "%s", text);
    return m->value <= m->tolerance ? IC_NO_MISTAKE : m->cause;
}

/* ---- precision */

static double part_of(size_t some, size_t all)
{
    return all > 0 ? (double)some / (double)all : 0;
}

static double find_single_states(const ic_solver *solver)
{
    ic_options options = options_of(solver, ASKED_ERROR);
    if (is_fixed(solver)) options.step = 0.0137;
    ic_solver_run r = ic_solver_run_of(solver, ic_probe_oscillator(0.3 + 1e-3 * M_PI, 3), &options);
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
    const ic_judged_value m = {fmax(states, times), ic_tolerance_single_numbers.value,
                               ic_tolerance_single_numbers.derivation, IC_MISTAKE_SINGLE_PRECISION};
    return write_judged(writer, IC_CHECK_SOLVER_PRECISION, &m,
                        times > states         ? "times are numbers of single precision: keep them as double"
                        : states > m.tolerance ? "states are numbers of single precision: keep them as double"
                                               : "times and states of flow and guard");
}

/* ---- times of guards and jumps */

static ic_mistake_id check_clock(ic_finding_writer *writer, const ic_clock_calls *clock)
{
    const double guards = part_of(clock->stale_guards, clock->guards),
                 jumps = part_of(clock->stale_jumps, clock->jumps);
    const ic_judged_value m = {fmax(guards, jumps), ic_tolerance_clock_calls.value,
                               ic_tolerance_clock_calls.derivation, IC_MISTAKE_STALE_TIME};
    if (clock->guards == 0) return IC_NO_MISTAKE;
    return write_judged(writer, IC_CHECK_SOLVER_CLOCK, &m,
                        m.value <= m.tolerance ? "guards and jumps have the time of their state"
                        : guards > jumps
                            ? "a guard is evaluated at another time than its state: pass it the time there"
                            : "a jump is applied at another time than its state: pass it the event's");
}

/* ---- order */

/* Power of the step; 0: the errors of all steps are as great as the swing. */
static double measure_swing(const ic_solver *solver)
{
    ic_line_fit fit = {0};
    size_t wrong = 0;
    for (int i = 0; i < SIZES; i++) {
        const ic_options options = {.step = LARGEST_STEP * pow(2, -0.5 * i), .max_steps = MOST_STEPS};
        ic_solver_run r = ic_solver_run_of(solver, ic_probe_mark(OUT_OF_REACH, +1, UNTIL), &options);
        const ic_sample end = ic_log_end(r.log);
        if (r.status == IC_OK && r.damage == 0 && ic_probe_oscillator_flows() > 0) {
            const double error = hypot(end.x[0] - cos(UNTIL), end.x[1] + sin(UNTIL));
            add_point(&fit, options.step, error);
            wrong += !(error < LARGEST_ERROR);
        }
        ic_solver_run_free(&r);
    }
    return fit.n < LEAST_SIZES && wrong > SIZES / 2 ? 0 : power_of(&fit);
}

/* Fixed steps only: `effort` judges adaptive ones. */
static ic_mistake_id check_swing_order(ic_finding_writer *writer, const ic_solver *solver, double power)
{
    const double claimed = solver->order;
    const ic_judged_value m = {fmax(claimed - power, 0), (1 - ic_tolerance_claimed_order.value) * claimed,
                               ic_tolerance_claimed_order.derivation, IC_MISTAKE_ORDER_LOST};
    if (isinf(power)) return IC_NO_MISTAKE;
    ic_write_measured(
        writer, IC_CHECK_SOLVER_ORDER, &m,
        "errors of a free swing, without events, fall like step^%.3g; claimed %g%s", power, claimed,
        m.value <= m.tolerance ? "" : ": compare the coefficients with their source, or claim less");
    return m.value <= m.tolerance ? IC_NO_MISTAKE : m.cause;
}

/* Power of the step, or of the work of adaptive solvers, by which errors of a forced motion fall. */
static double measure_forced(const ic_solver *solver)
{
    ic_line_fit fit = {0};
    for (int i = 0; i < SIZES; i++) {
        ic_options options =
            options_of(solver, FIRST_ASKED * pow(LAST_ASKED / FIRST_ASKED, (double)i / (SIZES - 1)));
        if (is_fixed(solver)) options.step = 0.25 * LARGEST_STEP * pow(2, -0.5 * i);
        const ic_clock_calls calls = ic_probe_clock_run(solver, &options, false);
        if (!calls.solved || calls.calls == 0) continue;
        add_point(&fit, is_fixed(solver) ? options.step : 1 / (double)calls.calls, calls.error);
    }
    return power_of(&fit);
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
    ic_write_measured(
        writer, IC_CHECK_SOLVER_FORCED, &m,
        "errors of a forced motion fall like %s^%.3g; claimed %g; %zu of %zu stages have another time than their state%s",
        is_fixed(solver) ? "step" : "work^-1", power, claimed, clock->stale_stages, clock->stages,
        m.value <= m.tolerance && !stale ? "" : ": check the nodes c_i of the method");
    return m.value <= m.tolerance ? IC_NO_MISTAKE : m.cause;
}

/* ---- jumps */

static ic_mistake_id check_restart(ic_finding_writer *writer, const ic_solver *solver)
{
    const ic_restart_calls start = ic_probe_restart(solver, IC_RESTART_START),
                           guard = ic_probe_restart(solver, IC_RESTART_GUARD),
                           clock = ic_probe_restart(solver, IC_RESTART_TIME_EVENT);
    const bool by_guard = guard.known && !guard.iterates, by_clock = clock.known && !clock.iterates;
    if (!start.known || start.iterates || start.along_old > 0.2 * ic_tolerance_restart_slope.value ||
        (!by_guard && !by_clock))
        return IC_NO_MISTAKE;
    const double off =
        fmax(by_guard && !guard.at_new_state ? guard.off : 0, by_clock && !clock.at_new_state ? clock.off : 0);
    if (start.at_new_state && off > 0) {
        const ic_judged_value m = {off, 0, "the state after the jump is given", IC_MISTAKE_JUMP_WRONG};
        return write_judged(
            writer, IC_CHECK_SOLVER_RESTART, &m,
            "after a jump the motion starts beside the logged state, at this distance: start from "
            "x_post itself");
    }
    const ic_judged_value m = {fmax(by_guard ? guard.along_old : 0, by_clock ? clock.along_old : 0),
                               ic_tolerance_restart_slope.value, ic_tolerance_restart_slope.derivation,
                               IC_MISTAKE_STALE_SLOPE};
    return write_judged(
        writer, IC_CHECK_SOLVER_RESTART, &m,
        m.value <= m.tolerance ? "the first stage after a jump follows the new slope"
        : guard.at_new_state
            ? "slopes from before a jump enter the step after it: discard the history there"
            : "the flow is not evaluated at the state after a jump, and the slope from before it is "
              "used: evaluate it anew there");
}

/* ---- control */

static ic_mistake_id check_all_states(ic_finding_writer *writer, const ic_solver *solver)
{
    const ic_options options = options_of(solver, ASKED_ERROR);
    double least = INFINITY, most = 0;
    int worst = 0;
    for (int i = 0; i < IC_FAST_STATES; i++) {
        const double error = ic_probe_one_of_three(solver, &options, i);
        if (isnan(error)) return IC_NO_MISTAKE;
        if (error > most) worst = i;
        least = fmin(least, error), most = fmax(most, error);
    }
    const ic_judged_value m = {most / fmax(least, ASKED_ERROR), ic_tolerance_worst_state.value,
                               ic_tolerance_worst_state.derivation, IC_MISTAKE_TOLERANCE_OF_SOME};
    ic_write_measured(
        writer, IC_CHECK_SOLVER_ALL_STATES, &m,
        "errors of %.3g to %.3g at a requested error of %.0e; worst with the fast state number %d%s", least,
        most, ASKED_ERROR, worst + 1, m.value <= m.tolerance ? "" : ": control the error of all states");
    return m.value <= m.tolerance ? IC_NO_MISTAKE : m.cause;
}

static ic_mistake_id check_rejection(ic_finding_writer *writer, const ic_solver *solver)
{
    const ic_options options = options_of(solver, ASKED_ERROR);
    const double fast = ic_probe_sudden(solver, &options, true),
                 sudden = ic_probe_sudden(solver, &options, false);
    const double usual = fmax(fast, ASKED_ERROR);
    if (isnan(fast) || isnan(sudden) || usual > 1e-3) return IC_NO_MISTAKE;
    const ic_judged_value m = {sudden / usual, ic_tolerance_rejection.value, ic_tolerance_rejection.derivation,
                               IC_MISTAKE_STEPS_NOT_REJECTED};
    ic_write_measured(
        writer, IC_CHECK_SOLVER_REJECTION, &m, "error %.3g if it becomes fast, %.3g if it always is%s", sudden,
        fast,
        m.value <= m.tolerance ? "" : ": repeat a step whose error exceeds the tolerance with a smaller one");
    return m.value <= m.tolerance ? IC_NO_MISTAKE : m.cause;
}

static void keep_first(ic_mistake_id *first, ic_mistake_id found)
{
    if (*first == IC_NO_MISTAKE) *first = found;
}

ic_mistake_id ic_audit_steps(ic_finding_writer *writer, const ic_solver *solver)
{
    const bool adaptive = solver->control == IC_CONTROL_RTOL;
    ic_options usual = options_of(solver, ASKED_ERROR);
    if (is_fixed(solver)) usual.step = 0.0103;
    const ic_clock_calls clock = ic_probe_clock_run(solver, &usual, true);
    ic_mistake_id first = check_precision(writer, solver, &clock);
    if (first != IC_NO_MISTAKE) return first; /* it would spoil all others */
    if (adaptive) first = ic_audit_effort(writer, solver);
    else if (is_fixed(solver) && solver->order > 0)
        first = check_swing_order(writer, solver, measure_swing(solver));
    if (first != IC_NO_MISTAKE) {
        ic_write_record(writer, IC_RECORD_MISTAKE, first, ""); /* Later runs may not end. */
        check_restart(writer, solver);
        return first;
    }
    if (adaptive) {
        keep_first(&first, check_all_states(writer, solver));
        if (first == IC_NO_MISTAKE) keep_first(&first, check_rejection(writer, solver));
    }
    keep_first(&first, check_restart(writer, solver));
    if (clock.solved) keep_first(&first, check_forced(writer, solver, &clock));
    if (clock.solved) keep_first(&first, check_clock(writer, &clock));
    return first;
}
