/* SPDX-License-Identifier: MIT */
#include "audit/common/tolerances.h"
#include "audit/solver/traps.h"
#include "core/model.h"
#include "registry/registry.h"
#include "validation/subjects.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

/* Requested error of adaptive solvers over a few time scales, over the usual one. Errors of mistakes are
   many orders larger. */
#define ASKED_PART 0.1
/* Rounding of each event, in scales. */
#define ROUNDING (64 * DBL_EPSILON)
/* Rounding of a step and of the time to which it is added: methods of high order add up many
   terms. */
#define STEP_ROUNDING (8 * DBL_EPSILON)
/* Most steps and events of a solver that chooses its steps: ten times those of the longest run. */
#define MOST_STEPS 5e5
/* Most fixed steps, divided by those of the run without events. */
#define MOST_FIXED 20.0
/* Events within this part of the run may be one event at a wrong time. */
#define NEAR 0.01
/* A result with an error below this many tolerances may be merely inaccurate: then an error of a tenth to
   a hundredth is requested, and a step of a quarter. */
#define INACCURATE 30.0
#define MORE_ACCURATE 0.01
#define SHORTER 0.25
/* The part of an error that may be left of it. */
#define FALLEN 0.3
/* Part of its time by which rounding may displace an event. */
#define ROUNDED 1e-12
/* Events within this part of the least interval are one event. */
#define ONE_EVENT 0.45

typedef struct trap_comparison {
    const ic_trap_run *run;
    const ic_problem *problem;
    const ic_log *log;

    /* s */
    double same, near;

    /* the next expected event, and the next event of the log */
    size_t i, j;

    ic_trap_outcome *outcome;
} trap_comparison;

/* ---- the problem */

typedef struct trap_problem {
    ic_problem problem;
    ic_parameters parameters;
} trap_problem;

static bool open_problem(trap_problem *p, const ic_trap *trap, const ic_trap_run *run, ic_error *error)
{
    const ic_case *system = trap->system;
    const ic_preset *preset = ic_preset_find(system, run->preset);
    *p = (trap_problem){0};
    if (!ic_parameters_open(&p->parameters, "trap", trap->system->name, system->parameters,
                            system->n_parameters, error))
        return false;
    if (preset == NULL) {
        ic_error_set(error, "there is no preset '%s'", run->preset);
        return false;
    }
    p->problem = (ic_problem){.system = system, .variant = ic_variant_find(system, preset->variant)};
    if (!ic_parameters_set_list(&p->parameters, preset->settings, error) ||
        !ic_parameters_evaluate(&p->parameters, error) ||
        !ic_parameters_number(&p->parameters, &p->problem.t_end, preset->until, error))
        return false;
    p->problem.par = p->parameters.value;
    p->problem.par_text = (const char *const *)p->parameters.text;
    p->problem.t_end_text = preset->until;
    return true;
}

/* ---- options of the solver, and the tolerances that follow from them */

static ic_options choose_options(const ic_trap_run *run, const ic_problem *problem, const ic_solver *solver,
                                 const ic_options *options)
{
    ic_options o = options != NULL ? *options : (ic_options){0};
    if (!(o.rtol > 0)) o.rtol = ic_rtol_for(solver, ASKED_PART * ic_solver_asked_error(solver));
    if (!(o.step > 0) && (run->step_caps || solver->control == IC_CONTROL_STEP)) o.step = run->step;
    if (!(o.step > 0) && solver->control == IC_CONTROL_STEP) o.step = ic_default_step(problem);
    if (o.max_steps > 0) return o;
    o.max_steps = MOST_STEPS;
    if (solver->control == IC_CONTROL_STEP) o.max_steps += MOST_FIXED * problem->t_end / o.step;
    return o;
}

/* Accepted relative error of the states over a time scale. */
static double find_step_error(const ic_trap_run *run, const ic_solver *solver, const ic_options *resolved,
                              double time_scale)
{
    const double fastest = run->fastest > 0 ? run->fastest : time_scale;
    switch (solver->control) {
    case IC_CONTROL_RTOL: return resolved->rtol / (solver->rtol_per_error > 0 ? solver->rtol_per_error : 1);
    case IC_CONTROL_STEP: return pow(resolved->step / fastest, solver->order > 1 ? solver->order : 1);
    case IC_CONTROL_NONE: return 0;
    }
    return 0;
}

/* Errors of steps accumulate over time scales, roundings of the time over fixed steps; each
   event adds the width of its location, and rounding. */
static void set_tolerances(ic_trap_outcome *outcome, const ic_trap_run *run, const ic_problem *problem,
                           const ic_solver *solver, const ic_options *options)
{
    const ic_options resolved = ic_options_resolved(problem, options);
    const double time_scale = ic_time_scale(problem);
    const double spans = fmax(1, problem->t_end / time_scale);
    const bool fixed = solver->control == IC_CONTROL_STEP;
    const double steps = fixed ? problem->t_end / resolved.step : 0;
    const double rounding = STEP_ROUNDING * steps * spans;
    const double e = spans * find_step_error(run, solver, &resolved, time_scale) + rounding +
                     (1 + (double)run->n_events) * (resolved.event_tol / time_scale + ROUNDING);
    outcome->time_tolerance = (run->dt > 0 ? run->dt : time_scale) * e;
    outcome->end_tolerance = (run->dx > 0 ? run->dx : 1) * e;
    outcome->t_end = problem->t_end;
    outcome->step = fixed ? resolved.step : NAN;
    outcome->rounding = rounding;
}

/* ---- events, one after the other */

static void note_failure(ic_trap_outcome *outcome, ic_trap_symptom symptom, const char *name, const char *what,
                         double t)
{
    if (outcome->symptom != IC_SYMPTOM_NONE) return;
    outcome->symptom = symptom;
    snprintf(outcome->text, sizeof outcome->text, "'%s' at t = %.16g %s", name, t, what);
}

/*
 * The i-th expected event. If both orders of a pair at one instant are right, the event that comes
 * first in the log is the first.
 */
static ic_trap_event expected_at(const trap_comparison *c, size_t i)
{
    ic_trap_event expected = ic_trap_event_at(c->run, i);
    if (!c->run->any_order || i > 1 || ic_log_event_count(c->log) == 0) return expected;
    const ic_trap_event second = ic_trap_event_at(c->run, 1);
    if (strcmp(ic_log_event_at(c->log, 0).name, second.name) == 0)
        expected.name = i == 0 ? second.name : ic_trap_event_at(c->run, 0).name;
    return expected;
}

static bool event_matches(const trap_comparison *c, size_t i, size_t j, double within)
{
    if (i >= c->run->n_events || j >= ic_log_event_count(c->log)) return false;
    const ic_trap_event expected = expected_at(c, i);
    const ic_event event = ic_log_event_at(c->log, j);
    return expected.kind == event.kind && strcmp(expected.name, event.name) == 0 &&
           fabs(event.t - expected.t) <= within;
}

static bool is_again(const trap_comparison *c)
{
    if (c->j == 0) return false;
    const ic_event event = ic_log_event_at(c->log, c->j), before = ic_log_event_at(c->log, c->j - 1);
    return event.kind == before.kind && strcmp(event.name, before.name) == 0 && event.t - before.t <= c->same;
}

static void match_event_pair(trap_comparison *c)
{
    ic_trap_outcome *outcome = c->outcome;
    const ic_trap_event expected = expected_at(c, c->i);
    const ic_event event = ic_log_event_at(c->log, c->j);
    const double error = fabs(event.t - expected.t);
    if (!(error <= outcome->time_error)) outcome->time_error = error;
    if (!(error <= outcome->time_tolerance) && outcome->symptom == IC_SYMPTOM_NONE) {
        char what[64];
        const int digits = error < 1e-8 * (1 + fabs(expected.t)) ? 16 : 10; /* enough to differ */
        snprintf(what, sizeof what, "instead of %.*g", digits, expected.t);
        note_failure(outcome, IC_SYMPTOM_TIME, event.name, what, event.t);
        outcome->kind = event.kind;
        outcome->t_wrong = event.t;
        outcome->t_right = expected.t;
        outcome->t_last = c->j > 0 ? ic_log_event_at(c->log, c->j - 1).t : 0;
    }
    if (event.sequence != expected.sequence && !c->run->any_order) {
        outcome->extra++;
        note_failure(outcome, IC_SYMPTOM_EXTRA, event.name, "has a wrong sequence number", event.t);
    }
    c->i++, c->j++;
}

/* Whether the next expected event is one that is due at this time. */
static bool is_due_at(const trap_comparison *c, double t)
{
    if (c->i >= c->run->n_events) return false;
    const ic_trap_event expected = expected_at(c, c->i);
    return expected.kind == IC_EVENT_TIME && fabs(t - expected.t) <= ROUNDED * fabs(expected.t);
}

static void take_extra(trap_comparison *c)
{
    const ic_event event = ic_log_event_at(c->log, c->j);
    const bool again = is_again(c);
    const ic_guard *guard = ic_event_guard(c->problem, &event);
    const double rate = guard != NULL ? guard->rate(event.t, event.x_pre, c->problem->par) : INFINITY;
    if (c->outcome->symptom == IC_SYMPTOM_NONE) {
        c->outcome->extra_rate = fabs(rate);
        c->outcome->before_clock = !again && guard != NULL && is_due_at(c, event.t);
    }
    c->outcome->reversed |= !again && guard != NULL && guard->direction * rate < 0;
    c->outcome->extra++;
    note_failure(c->outcome, again ? IC_SYMPTOM_AGAIN : IC_SYMPTOM_EXTRA, event.name,
                 again ? "is repeated" : "is not an event of the case", event.t);
    c->j++;
}

static void take_missing(trap_comparison *c)
{
    const ic_trap_event expected = expected_at(c, c->i);
    if (c->outcome->symptom == IC_SYMPTOM_NONE)
        c->outcome->first_lost = c->i == 0 && ic_log_event_count(c->log) == 0 &&
                                 c->problem->t_end - expected.t > NEAR * c->problem->t_end;
    c->outcome->missing++;
    note_failure(c->outcome, IC_SYMPTOM_MISSING, expected.name, "is missing", expected.t);
    c->i++;
}

static void take_next(trap_comparison *c)
{
    const double t_expected = expected_at(c, c->i).t, t = ic_log_event_at(c->log, c->j).t;
    const bool same = event_matches(c, c->i, c->j, c->same), later = event_matches(c, c->i + 1, c->j, c->same);
    const bool is_extra = is_again(c) || event_matches(c, c->i, c->j + 1, c->same);
    /* it may be the next expected event at a wrong time */
    if (same || (!is_extra && event_matches(c, c->i, c->j, c->near) && !later)) match_event_pair(c);
    else if (is_extra || (t < t_expected && !later)) take_extra(c);
    else take_missing(c);
}

static double least_interval(const ic_trap_run *run)
{
    double least = INFINITY;
    for (size_t i = 1; i < run->n_events; i++) {
        const double interval = ic_trap_event_at(run, i).t - ic_trap_event_at(run, i - 1).t;
        if (interval > 0 && interval < least) least = interval;
    }
    return least;
}

/* Events after a run has stopped early are not counted as missing. */
static void compare_events(trap_comparison *c, bool stopped, bool last_may_miss)
{
    const size_t count = ic_log_event_count(c->log);
    while (c->i < c->run->n_events || c->j < count) {
        if (c->j < count && c->run->accumulations_only &&
            ic_log_event_at(c->log, c->j).kind != IC_EVENT_ACCUMULATION) {
            c->j++;
            continue;
        }
        if (c->j >= count) {
            if (stopped || (last_may_miss && c->i + 1 == c->run->n_events)) return;
            take_missing(c);
        } else if (c->i >= c->run->n_events) take_extra(c);
        else take_next(c);
    }
}

/* ---- the end */

static void compare_end(ic_trap_outcome *outcome, const ic_trap_run *run, const ic_problem *problem,
                        const ic_log *log)
{
    const ic_sample end = ic_log_end(log);
    const bool short_by_last = run->last_on_end && ic_log_event_count(log) < run->n_events;
    const double *expected = short_by_last ? run->end_before : run->end;
    const double t_end = run->status != IC_OK ? run->t_stop : problem->t_end;
    double scale[IC_MAX_STATES];
    ic_state_scales(problem, scale);
    if (run->status != IC_OK && isnan(end.t)) return; /* a run that stops need not report where */
    outcome->first_state = end.x[0];
    for (size_t i = 0; i < problem->system->n_states; i++) {
        const double error = fabs(end.x[i] - expected[i]) / scale[i];
        if (!(error <= outcome->end_error)) outcome->end_error = error;
    }
    outcome->end_misplaced =
        outcome->symptom == IC_SYMPTOM_NONE && !(fabs(end.t - t_end) <= outcome->time_tolerance);
    if (!(fabs(end.t - t_end) <= outcome->time_tolerance))
        note_failure(outcome, IC_SYMPTOM_STATUS, "end", "is too early or too late", end.t);
    if (!(outcome->end_error <= outcome->end_tolerance)) {
        if (outcome->symptom == IC_SYMPTOM_NONE)
            snprintf(outcome->text, sizeof outcome->text, "the state at the end is off by %.3g of its scale",
                     outcome->end_error);
        if (outcome->symptom == IC_SYMPTOM_NONE) outcome->symptom = IC_SYMPTOM_END;
    }
}

/* Whether the run stopped with the alternative status. */
static bool stopped_rightly(const ic_trap_outcome *outcome, const ic_trap_run *run, const ic_log *log)
{
    if (run->or_status == IC_OK || outcome->status != run->or_status) return false;
    return isnan(run->or_t) || fabs(ic_log_end(log).t - run->or_t) <= outcome->time_tolerance;
}

static void compare_run(ic_trap_outcome *outcome, const ic_trap_run *run, const ic_problem *problem,
                        const ic_log *log)
{
    const bool as_well = stopped_rightly(outcome, run, log);
    const bool stopped = as_well || outcome->status != IC_OK;
    const double near = NEAR * problem->t_end;
    trap_comparison c = {.run = run, .problem = problem, .log = log, .outcome = outcome, .near = near};
    c.same = fmin(near, ONE_EVENT * least_interval(run));
    compare_events(&c, stopped, run->last_on_end);
    if (as_well) return;
    if (outcome->status == run->status) {
        compare_end(outcome, run, problem, log);
        return;
    }
    const bool of_steps = outcome->status == IC_TOO_MUCH_WORK || outcome->status == IC_STEP_TOO_SMALL;
    const double t_first = run->n_events > 0 ? ic_trap_event_at(run, 0).t : INFINITY;
    outcome->stopped_before = of_steps && ic_log_event_count(log) == 0 && !(ic_log_end(log).t >= 0.5 * t_first);
    if (outcome->symptom != IC_SYMPTOM_NONE) return;
    outcome->symptom = outcome->status == IC_TOO_MUCH_WORK ? IC_SYMPTOM_WORK : IC_SYMPTOM_STATUS;
    snprintf(outcome->text, sizeof outcome->text, "status '%s' at t = %.10g instead of '%s'",
             ic_status_name(outcome->status), ic_log_end(log).t, ic_status_name(run->status));
}

/* Whether a guard that should touch zero passes it slowly, as by an error of fixed steps: the event is right
   for the solver's own motion. */
static bool is_dip(const ic_trap *trap, const ic_solver *solver, const ic_trap_outcome *o)
{
    return solver->control == IC_CONTROL_STEP && o->symptom == IC_SYMPTOM_EXTRA && o->missing == 0 &&
           trap->mistakes[IC_SYMPTOM_EXTRA] == IC_MISTAKE_TOUCH_FIRES &&
           o->extra_rate > ic_tolerance_touch_rate.value;
}

bool ic_trap_is_inaccurate(const ic_trap_outcome *o, double tolerances)
{
    if (o->symptom != IC_SYMPTOM_TIME && o->symptom != IC_SYMPTOM_END) return false;
    return o->time_error <= tolerances * o->time_tolerance && o->end_error <= tolerances * o->end_tolerance;
}

/* Whether the errors of a second run, whose steps or tolerances are smaller, are smaller too. */
static bool has_fallen(const ic_trap_outcome *o, const ic_trap_outcome *finer)
{
    if (o->symptom == IC_SYMPTOM_EXTRA) /* the dip is shallower, or there is none */
        return finer->missing == 0 && (finer->extra == 0 || finer->extra_rate <= FALLEN * o->extra_rate);
    if (finer->missing + finer->extra > 0 || finer->status != o->status) return false;
    return o->symptom == IC_SYMPTOM_TIME ? finer->time_error <= FALLEN * o->time_error
                                         : finer->end_error <= FALLEN * o->end_error;
}

static void run_solver(ic_trap_outcome *outcome, const ic_trap_run *run, const ic_problem *problem,
                       const ic_solver *solver, const ic_options *options)
{
    const ic_options o = choose_options(run, problem, solver, options);
    ic_solver_run r = ic_solver_run_of(solver, problem, &o);
    const ic_log *log = r.log;
    outcome->status = r.status;
    outcome->damage = r.damage;
    if (log == NULL || outcome->status == IC_NO_MEMORY || outcome->status == IC_UNSUPPORTED) {
        snprintf(outcome->text, sizeof outcome->text, "%s", ic_status_text(outcome->status));
    } else if (outcome->status == run->status && ic_log_end(log).x == NULL) {
        outcome->asked = true;
        outcome->symptom = IC_SYMPTOM_STATUS;
        snprintf(outcome->text, sizeof outcome->text, "it does not report the end of the run");
    } else {
        outcome->asked = true;
        outcome->not_finite = r.not_finite;
        if (r.status == IC_OK && r.not_finite == 0) outcome->log = ic_log_read(log, solver);
        set_tolerances(outcome, run, problem, solver, &o);
        compare_run(outcome, run, problem, log);
    }
    ic_solver_run_free(&r);
}

ic_trap_outcome ic_trap_run_solver(const ic_trap *trap, const ic_trap_run *run, const ic_solver *solver,
                                   const ic_options *options)
{
    ic_trap_outcome outcome = {.t_last = NAN, .t_wrong = NAN, .t_right = NAN, .step = NAN, .first_state = NAN};
    trap_problem p;
    ic_error error = {""};
    if (!open_problem(&p, trap, run, &error)) {
        snprintf(outcome.text, sizeof outcome.text, "%.120s", error.text);
    } else if (!ic_solver_solves(solver, &p.problem)) {
        const bool linear = (solver->needs & IC_NEEDS_LINEAR_VIEW) != 0;
        snprintf(outcome.text, sizeof outcome.text, "the solver is not for problems of this kind%s",
                 linear ? ": it needs a linear view" : "");
    } else {
        run_solver(&outcome, run, &p.problem, solver, options);
        const bool dip = is_dip(trap, solver, &outcome);
        /* the guard turns with the acceleration 1: the dip is no deeper than the rounding of the steps */
        outcome.rounded = dip && 0.5 * outcome.extra_rate * outcome.extra_rate <= outcome.rounding;
        if (ic_trap_is_inaccurate(&outcome, INACCURATE) || (dip && !outcome.rounded)) {
            ic_trap_outcome finer = {.t_last = NAN};
            ic_options o = choose_options(run, &p.problem, solver, options);
            o.rtol *= MORE_ACCURATE;
            if (solver->control == IC_CONTROL_STEP) o.step *= SHORTER;
            o.max_steps /= SHORTER;
            run_solver(&finer, run, &p.problem, solver, &o);
            outcome.falls = has_fallen(&outcome, &finer);
        }
    }
    ic_parameters_close(&p.parameters);
    return outcome;
}

double ic_trap_usual_step(const ic_trap *trap, const ic_trap_run *run)
{
    trap_problem p;
    ic_error error = {""};
    double step = run->step;
    if (open_problem(&p, trap, run, &error) && !(step > 0)) step = ic_default_step(&p.problem);
    ic_parameters_close(&p.parameters);
    return step;
}
