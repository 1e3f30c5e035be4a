/* SPDX-License-Identifier: MIT */
#include "audit/common/memory.h"
#include "audit/solver/solver.h"
#include "core/numbers.h"
#include "validation/subjects.h"

#include <math.h>
#include <string.h>
#include <sys/time.h>

/* Requested error of adaptive solvers in a run of a few time scales. */
#define ASKED_ERROR 1e-10
/* At order 3 and below this takes too many steps: as much is asked as takes some ten thousand. */
#define ASKED_ERROR_ORDER_3 1e-9
#define ASKED_ERROR_ORDER_2 1e-8
/* Most steps and events of a run: ten times those of the longest at the usual accuracy. */
#define MOST_STEPS 2e6

static bool is_finite(double t, const double *x, size_t n)
{
    return isfinite(t) && x != NULL && ic_all_finite(x, n);
}

bool ic_solver_run_has_end(const ic_log *log)
{
    return ic_log_end(log).mode >= 0;
}

static size_t count_not_finite(const ic_log *log, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < ic_log_event_count(log); i++) {
        const ic_event event = ic_log_event_at(log, i);
        count += !(is_finite(event.t, event.x_pre, n) && is_finite(event.t, event.x_post, n));
    }
    for (size_t i = 0; i < ic_log_sample_count(log); i++) {
        const ic_sample sample = ic_log_sample_at(log, i);
        count += !is_finite(sample.t, sample.x, n);
    }
    const ic_sample end = ic_log_end(log);
    return count + (ic_solver_run_has_end(log) && !is_finite(end.t, end.x, n));
}

/* A copy whose padding bytes have values, because they are compared too. */
static ic_options copy_options(const ic_options *options)
{
    ic_options o;
    memset(&o, 0, sizeof o);
    o.rtol = options->rtol;
    o.step = options->step;
    o.event_tol = options->event_tol;
    o.max_steps = options->max_steps;
    o.samples = options->samples;
    o.extremes = options->extremes;
    o.events = options->events;
    return o;
}

enum { NOT_FILLED = -1 };

/* s; 0: none */
static double run_limit;

void ic_solver_run_limit(double seconds)
{
    run_limit = seconds;
}

/* whether problems are disguised, and by which seed */
static bool disguises;
static uint64_t drawn_by;

void ic_solver_disguise(uint64_t seed)
{
    disguises = true;
    drawn_by = seed;
}

bool ic_solver_draws(uint64_t *seed)
{
    *seed = drawn_by;
    return disguises;
}

/* Starts the timer of a run, or stops it. */
static void limit_run(double seconds)
{
    const double whole = floor(seconds);
    const struct itimerval timer = {
        .it_value = {.tv_sec = (time_t)whole, .tv_usec = (suseconds_t)(1e6 * (seconds - whole))}};
    if (run_limit > 0) setitimer(ITIMER_PROF, &timer, NULL);
}

static ic_solver_run run_as_is(const ic_solver *solver, const ic_problem *problem, const ic_options *options,
                               int byte)
{
    ic_solver_run r = {.log = ic_log_new(problem), .status = IC_NO_MEMORY};
    const ic_case *system = problem->system;
    ic_problem lent = *problem;
    const ic_options whole = copy_options(options);
    ic_guarded par = {0}, asked = {0}, guarded = {0};
    if (r.log != NULL && ic_guarded_open(&par, system->n_parameters * sizeof(double), lent.par, true) &&
        ic_guarded_open(&asked, sizeof whole, &whole, true)) {
        lent.par = par.data;
        if (ic_guarded_open(&guarded, sizeof lent, &lent, true)) {
            if (byte != NOT_FILLED) ic_fill_stack((unsigned char)byte);
            limit_run(run_limit);
            r.status = solver->solve(r.log, guarded.data, asked.data);
            limit_run(0);
            r.damage = ic_guarded_damage(&par) + ic_guarded_damage(&asked) + ic_guarded_damage(&guarded);
            if (r.status == IC_OK) r.not_finite = count_not_finite(r.log, system->n_states);
        }
    }
    ic_guarded_close(&par);
    ic_guarded_close(&asked);
    ic_guarded_close(&guarded);
    return r;
}

static ic_solver_run run_guarded(const ic_solver *solver, const ic_problem *problem, const ic_options *options,
                                 int byte)
{
    if (!disguises) return run_as_is(solver, problem, options, byte);
    ic_disguise *d = ic_disguise_open(problem, solver, drawn_by);
    ic_solver_run r = {.status = IC_NO_MEMORY};
    if (d == NULL) return r;
    r = run_as_is(solver, ic_disguise_problem(d), options, byte);
    ic_log *seen = r.log;
    if (seen != NULL) r.log = ic_disguise_lift(d, seen);
    if (r.log == NULL) r.status = IC_NO_MEMORY;
    ic_log_free(seen);
    return r;
}

ic_solver_run ic_solver_run_of(const ic_solver *solver, const ic_problem *problem, const ic_options *options)
{
    return run_guarded(solver, problem, options, NOT_FILLED);
}

ic_solver_run ic_solver_run_filled(const ic_solver *solver, const ic_problem *problem,
                                   const ic_options *options, unsigned char byte)
{
    return run_guarded(solver, problem, options, byte);
}

void ic_solver_run_free(ic_solver_run *run)
{
    ic_log_free(run->log);
    *run = (ic_solver_run){0};
}

void ic_solver_run_report(ic_finding_writer *writer, const ic_solver_run *run, bool always)
{
    const ic_judged_value damage = {(double)run->damage, 0, "none may change", IC_MISTAKE_WRITES_OUT_OF_BOUNDS};
    const ic_judged_value finite = {(double)run->not_finite, 0, "none", IC_MISTAKE_NOT_FINITE};
    if (always || run->damage > 0)
        ic_write_measured(writer, IC_CHECK_BOUNDS, &damage,
                          "bytes in and around problem, parameters and options");
    if (always || run->not_finite > 0)
        ic_write_measured(writer, IC_CHECK_FINITE, &finite,
                          "events, samples and ends whose time or state is not finite");
}

double ic_solver_asked_error(const ic_solver *solver)
{
    if (solver->control != IC_CONTROL_RTOL || solver->order == 0 || solver->order > 3) return ASKED_ERROR;
    return solver->order == 3 ? ASKED_ERROR_ORDER_3 : ASKED_ERROR_ORDER_2;
}

bool ic_solver_may_need_more_steps(const ic_solver *solver)
{
    return solver->control == IC_CONTROL_RTOL && solver->order > 0 && solver->order <= 3;
}

ic_options ic_solver_options(const ic_solver *solver, double default_step, double part)
{
    ic_options options = {.max_steps = MOST_STEPS};
    if (solver->control == IC_CONTROL_STEP) options.step = default_step * part, options.max_steps /= part;
    if (solver->control == IC_CONTROL_RTOL)
        options.rtol = ic_rtol_for(solver, ic_solver_asked_error(solver) * part);
    return options;
}
