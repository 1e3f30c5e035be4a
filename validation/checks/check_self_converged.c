/* SPDX-License-Identifier: MIT */
/**
 * Rotating beam: solvers in double precision compared with Taylor series of high order in arbitrary
 * precision (reference/beam.h), which share no code with case or solvers, not even the equations of
 * motion. This is not a proof: the rows are `self-converged`, with a radius.
 */
#include "core/model.h"
#include "reference/beam_case.h"
#include "registry/registry.h"
#include "validation/checks/self_converged.h"
#include "validation/checks/verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Number of digits of a double. */
enum { DIGITS = 16, MOST_SOLVERS = 64 };

/*
 * With this many modes an answer to the end of the run takes some ten seconds. Answers are compared
 * up to these times, s: of free flight, and, in full, shortly after the first touch-down, at 0.0807
 * s with the parameters of the presets.
 */
enum { MANY_MODES = 8 };
#define LAST_OF_MANY 0.01
#define LAST_OF_MANY_IN_FULL 0.0809

/* ---- growth of errors */

/* Relative change of a parameter by which amplification is measured, and bits and order of the
   runs: their errors are 1e-5 of it. */
#define CHANGE 1e-8
enum { CHANGED_BITS = 44, CHANGED_ORDER = 30 };

/*
 * Effect of a relative change of a parameter on event times, s, and on the final state, in scales.
 */
typedef struct amplification {
    double time, state;
} amplification;

static double middle(const arb_t ball)
{
    return arf_get_d(arb_midref(ball), ARF_RND_NEAR);
}

static double radius(const arb_t ball)
{
    return mag_get_d(arb_radref(ball));
}

static void measure_amplification(amplification *a, const ic_beam_problem *changed, const ic_beam_answer *truth)
{
    ic_beam_answer answer;
    ic_beam_run(&answer, changed, &(ic_beam_method){CHANGED_BITS, CHANGED_ORDER, 1});
    /* There is no time for errors. */
    if (answer.status != IC_OK || answer.count != truth->count) a->time = a->state = 0;
    for (size_t i = 0; i < answer.count && i < truth->count; i++)
        a->time = fmax(a->time, fabs(middle(answer.events[i].t) - middle(truth->events[i].t)) / CHANGE);
    for (slong i = 0; i < truth->n_states; i++)
        a->state = fmax(a->state,
                        fabs(middle(answer.x + i) - middle(truth->x + i)) / CHANGE / ic_beam_scale(changed, i));
    ic_beam_answer_clear(&answer);
}

/* The position of the stop shifts the first impact, the stiffness every vibration, like errors
   before and after an impact. */
static amplification compute_amplification(const ic_beam_problem *problem, const ic_beam_answer *truth)
{
    amplification a = {0, 0};
    ic_beam_problem changed = *problem;
    changed.number[IC_BEAM_THETA_S] *= 1 + CHANGE;
    measure_amplification(&a, &changed, truth);
    changed = *problem;
    changed.number[IC_BEAM_EI] *= 1 + CHANGE;
    measure_amplification(&a, &changed, truth);
    return a;
}

/* ---- verdicts */

static void judge_reference(ic_results *results, const char *path, const ic_beam_problem *problem,
                            const ic_beam_answer *truth)
{
    ic_result row = ic_row("self_converged", path, NULL, "s");
    row.error = truth->status == IC_OK ? 0 : INFINITY;
    row.radius = 0;
    for (size_t i = 0; i < truth->count; i++) row.radius = fmax(row.radius, radius(truth->events[i].t));
    row.tolerance = pow(10, -DIGITS) / ic_beam_rate(problem);
    snprintf(row.what, sizeof row.what, "reference, self-converged: times of %zu events", truth->count);
    snprintf(row.origin, sizeof row.origin, "%d digits of sqrt(rho l^4/EI)", DIGITS);
    snprintf(row.detail, sizeof row.detail, "%s%.1f digits up to %.6g s, by two orders and %ld bits",
             truth->message, truth->digits, problem->number[IC_BEAM_T_END], (long)truth->precision);
    ic_results_compare(results, row);
}

/* Accepted total error of a solver, relative to the scales, before amplification. */
typedef struct phase_allowance {
    double error;
    char origin[96];
} phase_allowance;

/*
 * The frequency, rad/s, of mode N on a shaft without inertia (a hinged beam, lambda = (N + 1/4)
 * pi), which is above that on any other shaft.
 */
static double fastest_mode(const ic_beam_problem *beam)
{
    const double lambda = ((double)beam->modes + 0.25) * M_PI;
    return lambda * lambda * ic_beam_rate(beam);
}

/*
 * s; duration of the shortest contact, from its first event to its exit; infinite without a
 * contact.
 */
static double shortest_contact(const ic_beam_answer *truth, size_t *contacts)
{
    double begin = 0, shortest = INFINITY;
    *contacts = 0;
    for (size_t i = 0; i < truth->count; i++) {
        const double t = middle(truth->events[i].t);
        if (strcmp(truth->events[i].name, "touch-down") == 0) begin = t, ++*contacts;
        if (strcmp(truth->events[i].name, "exit") == 0) shortest = fmin(shortest, t - begin);
    }
    return shortest;
}

/* Error of the classical Runge-Kutta method for each radian: (h omega)^4/120. */
static double stepping_error(double radian)
{
    return radian * radian * radian * radian / 120;
}

/*
 * Error from the phases of the fastest mode and of contacts, which are half periods: rtol for each
 * radian with adaptive steps, (h omega)^4/120 with steps of h.
 */
static phase_allowance compute_allowance(const ic_solver *solver, const ic_problem *problem,
                                         const ic_beam_problem *beam, const ic_beam_answer *truth)
{
    size_t contacts = 0;
    const double h = ic_default_step(problem), fastest = fastest_mode(beam),
                 contact = M_PI / shortest_contact(truth, &contacts),
                 free_radians = fastest * beam->number[IC_BEAM_T_END],
                 contact_radians = M_PI * (double)contacts;
    phase_allowance a;
    if (solver->control == IC_CONTROL_STEP) {
        a.error = stepping_error(h * fastest) * free_radians + stepping_error(h * contact) * contact_radians;
        snprintf(a.origin, sizeof a.origin, "%.2g: (h omega)^4/120 for each radian of mode N and of contacts",
                 a.error);
    } else {
        a.error = ic_tolerance_verify_rtol.value * (free_radians + contact_radians);
        snprintf(a.origin, sizeof a.origin, "rtol = %g for each of %.0f radians of mode N and of contacts",
                 ic_tolerance_verify_rtol.value, free_radians + contact_radians);
    }
    return a;
}

static void set_origin(ic_result *row, const phase_allowance *allowed, double amplified)
{
    snprintf(row->origin, sizeof row->origin, "%s; amplified by %.3g, as changes of theta_s and EI are",
             allowed->origin, amplified);
}

static void compare_times(ic_results *results, ic_result row, const ic_log *log, const ic_beam_answer *truth,
                          const amplification *a, const phase_allowance *allowed)
{
    const size_t count = ic_log_event_count(log);
    row.error = count == truth->count ? 0 : INFINITY;
    row.radius = 0;
    for (size_t i = 0; i < count && i < truth->count; i++) {
        const ic_event event = ic_log_event_at(log, i);
        row.error = fmax(row.error, fabs(event.t - middle(truth->events[i].t)));
        row.radius = fmax(row.radius, radius(truth->events[i].t));
        if (strcmp(event.name, truth->events[i].name) == 0) continue;
        row.error = INFINITY;
        snprintf(row.detail, sizeof row.detail,
                 "event %zu is '%s' at %.12g, but in the reference '%s' at %.12g", i, event.name, event.t,
                 truth->events[i].name, middle(truth->events[i].t));
        break;
    }
    if (row.detail[0] == '\0' && count != truth->count)
        snprintf(row.detail, sizeof row.detail, "%zu events, in the reference %zu", count, truth->count);
    row.tolerance = allowed->error * a->time;
    snprintf(row.what, sizeof row.what, "self-converged: times of %zu events", truth->count);
    set_origin(&row, allowed, a->time);
    ic_results_compare(results, row);
}

static void compare_ends(ic_results *results, ic_result row, const ic_log *log, const ic_beam_problem *problem,
                         const ic_beam_answer *truth, const amplification *a, const phase_allowance *allowed)
{
    const ic_sample end = ic_log_end(log);
    row.error = row.radius = 0;
    for (slong i = 0; i < truth->n_states; i++) {
        const double scale = ic_beam_scale(problem, i);
        row.error = fmax(row.error, fabs(end.x[ic_beam_state_of(i)] - middle(truth->x + i)) / scale);
        row.radius = fmax(row.radius, radius(truth->x + i) / scale);
    }
    row.tolerance = allowed->error * a->state;
    snprintf(row.what, sizeof row.what, "self-converged: state at t = %.6g", problem->number[IC_BEAM_T_END]);
    snprintf(row.unit, sizeof row.unit, "scale");
    set_origin(&row, allowed, a->state);
    ic_results_compare(results, row);
}

static void add_skipped_row(ic_results *results, const char *path, const ic_solver *solver, const char *why)
{
    ic_result row = ic_row("self_converged", path, solver, "s");
    row.verdict = IC_SKIPPED;
    snprintf(row.what, sizeof row.what, "self-converged: times of events");
    snprintf(row.detail, sizeof row.detail, "%s", why);
    ic_results_add(results, &row);
}

/* Speed of the impacts on the second model's transition zone, m/s; 0 without impacts. */
static double fastest_impact(const ic_beam_problem *beam, const ic_beam_answer *truth)
{
    double fastest = 0;
    for (size_t i = 0; i < truth->count && beam->contact == IC_BEAM_LEE_WANG_2; i++) {
        if (strcmp(truth->events[i].name, "touch-down") == 0)
            fastest = fmax(fastest, ic_beam_speed(beam, truth->events[i].x));
    }
    return fastest;
}

/* A larger tolerance would be meaningless: it is ten thousand times that of adaptive solvers. */
#define LARGEST_ALLOWANCE 1e-4

/*
 * Fixed steps. The second model's dashpot fades in like exp(2 Q d/eps), over eps/(2 Q v): a default
 * step that is longer promises nothing, and the order with finer steps is tested instead
 * (tests/reference/test_beam_reference.c). Nor does one that is long for the fastest mode. true:
 * skipped.
 */
static bool too_coarse(ic_results *results, const ic_problem *problem, const char *path,
                       const ic_solver *solver, const ic_beam_problem *beam, const ic_beam_answer *truth)
{
    const double *number = beam->number, h = ic_default_step(problem);
    char why[200];
    if (solver->control != IC_CONTROL_STEP) return false;
    const double onset = number[IC_BEAM_EPS] / (2 * number[IC_BEAM_Q] * fastest_impact(beam, truth));
    if (h > onset) {
        snprintf(why, sizeof why,
                 "not judged: its default step, %.2g s, is longer than eps/(2 Q v) = %.2g s, during which the "
                 "force rises",
                 h, onset);
    } else if (compute_allowance(solver, problem, beam, truth).error > LARGEST_ALLOWANCE) {
        snprintf(why, sizeof why, "not judged: its default step, %.2g s, is %.2g radians of the fastest mode",
                 h, h * fastest_mode(beam));
    } else {
        return false;
    }
    add_skipped_row(results, path, solver, why);
    return true;
}

static void judge_solver(ic_results *results, const ic_problem *problem, const char *path,
                         const ic_solver *solver, const ic_beam_problem *beam, const ic_beam_answer *truth,
                         const amplification *a)
{
    ic_result row = ic_row("self_converged", path, solver, "s");
    ic_status status = IC_OK;
    if (too_coarse(results, problem, path, solver, beam, truth)) return;
    ic_log *log = ic_solve(solver, problem, &(ic_options){.rtol = ic_verify_rtol(solver)}, &status);
    if (status != IC_OK) {
        snprintf(row.what, sizeof row.what, "run");
        snprintf(row.detail, sizeof row.detail, "%.200s", ic_failure_text(log, status));
        ic_results_add(results, &row);
    } else {
        const phase_allowance allowed = compute_allowance(solver, problem, beam, truth);
        if (truth->count > 0) compare_times(results, row, log, truth, a, &allowed);
        compare_ends(results, row, log, beam, truth, a, &allowed);
    }
    ic_log_free(log);
}

void ic_self_converged_judge(ic_results *results, const ic_setup *setup, const char *path,
                             const ic_solver *const *solvers, size_t n_solvers, bool full)
{
    const double last = full ? LAST_OF_MANY_IN_FULL : LAST_OF_MANY;
    ic_problem problem = setup->problem;
    ic_beam_problem beam;
    ic_beam_answer truth;
    char why[160];
    if (!ic_beam_problem_of(&beam, &problem, why, sizeof why)) {
        add_skipped_row(results, path, NULL, why);
        return;
    }
    if (beam.modes >= MANY_MODES && problem.t_end > last) {
        problem.t_end = beam.number[IC_BEAM_T_END] = last;
        problem.t_end_text = NULL;
    }
    ic_beam_reference(&truth, &beam, DIGITS);
    if (truth.status == IC_UNSUPPORTED) add_skipped_row(results, path, NULL, truth.message);
    else judge_reference(results, path, &beam, &truth);
    if (truth.status == IC_OK) {
        const amplification a = compute_amplification(&beam, &truth);
        for (size_t s = 0; s < n_solvers; s++) {
            if (ic_solver_serves(solvers[s], &problem))
                judge_solver(results, &problem, path, solvers[s], &beam, &truth, &a);
        }
    }
    ic_beam_answer_clear(&truth);
}

static void visit_preset(ic_results *results, const ic_selection *selection, const ic_setup *setup,
                         const char *path)
{
    const ic_solver *chosen[MOST_SOLVERS];
    size_t n = 0;
    if (!ic_beam_is(setup->problem.system)) return;
    for (size_t s = 0; s < ic_solver_count && n < MOST_SOLVERS; s++) {
        if (ic_selects_solver(selection, ic_solvers[s])) chosen[n++] = ic_solvers[s];
    }
    ic_self_converged_judge(results, setup, path, chosen, n, selection->full);
}

static void run_check(ic_results *results, const ic_selection *selection)
{
    ic_for_each_subject(results, selection, "self_converged", visit_preset);
}

const ic_check ic_check_self_converged = {
    "self_converged",
    "a flexible beam's events and final state agree with Taylor series of high order, which have converged",
    run_check, 100};
