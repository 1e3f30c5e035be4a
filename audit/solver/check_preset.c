/* SPDX-License-Identifier: MIT */
/*
 * A solver on presets of all cases. The truth is the analytic solver where there is a linear view,
 * and dop853 at its finest elsewhere, which `verify` holds against certificates and self-converged
 * references. Events are compared up to the first that has no partner: what follows is another
 * motion.
 *
 * Errors are held against a fixed tolerance; a solver of low order, whose errors are larger, must
 * show that they fall as it claims when the step is a quarter: by 4^p.
 */
#include "audit/solver/check_preset.h"
#include "audit/common/tolerances.h"
#include "audit/solver/check_location.h"
#include "audit/solver/check_log.h"
#include "audit/solver/probe_clock.h"
#include "audit/solver/solver_run.h"
#include "audit/solver/trials.h"
#include "core/model.h"
#include "registry/registry.h"
#include "validation/subjects.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of the time scale: an event that is farther from its own is another one; and what is not looked
   at beside an event. */
#define SAME_EVENT 0.05
/* Of the time scale: events closer than this are at one instant. */
#define SAME_INSTANT 1e-9
/* rtol of the truth where no analytic solver is there. */
#define FINEST 1e-13
/* Steps of solvers of order 1 and 2, of the default: so that their errors are small enough to be
   told from faults. */
#define PART_ORDER_1 0.25
#define PART_ORDER_2 0.5
/* What the second run of a solver of low order has, of the first: its errors must fall by nearly
   its power. */
#define REFINED 0.25
/* Forces of contact laws begin like d^(3/2): errors of a step that begins there fall like h^2, with
   a factor that is not smooth in h. */
#define ORDER_ON_LAWS 1.5

/* Errors of samples that are as many times those of events and the end are not those of the motion.
 */
#define ROUGH 10.0

enum { SAMPLES = 65 };

/* A preset solved by the accurate solver. */
typedef struct truth {
    ic_setup setup;
    ic_log *log;
    double scale;                  /* s; typical time */
    double x_scale[IC_MAX_STATES]; /* of the states; greatest magnitude, if that is more */
} truth;

/* How a run compares. */
typedef struct comparison {
    size_t missing, spurious, matched;
    double worst;       /* of the time scale; greatest error of a time */
    double worst_state; /* of a state's scale; at events, samples and the end */
    double at_samples;  /* the same, at samples alone */
    bool sampled;       /* it hands back samples */
    bool rough_samples; /* they are wrong, and events and the end are not */
    ic_mistake_id cause;
    const char *name; /* of the event that is missing or too many */
} comparison;

/* ---- the truth */

static void widen_scales(truth *t)
{
    for (size_t i = 0; i < ic_log_sample_count(t->log); i++) {
        const ic_sample s = ic_log_sample_at(t->log, i);
        for (size_t k = 0; k < t->setup.problem.system->n_states; k++)
            t->x_scale[k] = fmax(t->x_scale[k], fabs(s.x[k]));
    }
}

static bool open_truth(truth *t, size_t i)
{
    const ic_trial_path path = ic_audited_preset(i);
    const ic_request request = {.path = path.text, .until = path.until};
    const ic_options options = {.rtol = FINEST, .samples = SAMPLES};
    ic_error error;
    *t = (truth){0};
    if (!ic_setup_open(&t->setup, &request, &error)) return false;
    const ic_problem *problem = &t->setup.problem;
    const ic_solver *solver = ic_solver_find("piecewise_linear");
    if (!ic_solver_solves(solver, problem)) solver = ic_solver_find("dop853");
    t->log = ic_log_new(problem);
    t->scale = ic_time_scale(problem);
    ic_state_scales(problem, t->x_scale);
    if (t->log == NULL || solver->solve(t->log, problem, &options) != IC_OK) return false;
    widen_scales(t);
    return true;
}

static void close_truth(truth *t)
{
    ic_log_free(t->log);
    ic_setup_close(&t->setup);
}

/* ---- why an event is missing, or too many */

static const ic_guard *guard_named(const truth *t, int mode, const char *name)
{
    const ic_variant *variant = t->setup.problem.variant;
    if (mode < 0 || (size_t)mode >= variant->n_modes) return NULL;
    const ic_mode *m = &variant->modes[mode];
    for (size_t i = 0; i < m->n_guards; i++) {
        if (strcmp(m->guards[i].name, name) == 0) return &m->guards[i];
    }
    return NULL;
}

static bool goes_the_wrong_way(const truth *t, const ic_event *event)
{
    const ic_guard *guard = guard_named(t, event->mode_from, event->name);
    return guard != NULL && guard->direction * guard->rate(event->t, event->x_pre, t->setup.problem.par) < 0;
}

/* `mine` is its number. At one instant it is the same one again, whatever its direction. */
static ic_mistake_id cause_of_spurious(const truth *t, const ic_log *log, size_t mine, double step)
{
    const ic_event event = ic_log_event_at(log, mine), before = ic_log_event_at(log, mine > 0 ? mine - 1 : 0);
    const bool repeats = mine > 0 && strcmp(before.name, event.name) == 0;
    const double since = event.t - before.t;
    if (repeats && since <= SAME_INSTANT * t->scale) return IC_MISTAKE_FIRED_AGAIN;
    if (goes_the_wrong_way(t, &event)) return IC_MISTAKE_DIRECTION_IGNORED;
    return repeats && since <= fmax(2.5 * step, 1e-4 * t->scale) ? IC_MISTAKE_FIRED_AGAIN : IC_NO_MISTAKE;
}

/* Two of the true ones lie within a step; or the run ends beyond the guard that should have fired
   last, and has just fired before. */
static ic_mistake_id cause_of_missing(const truth *t, const ic_log *log, size_t i, double step)
{
    const ic_event event = ic_log_event_at(t->log, i), before = ic_log_event_at(t->log, i > 0 ? i - 1 : 0);
    const bool next = i + 1 < ic_log_event_count(t->log) && ic_log_event_at(t->log, i + 1).t - event.t <= step;
    if (next || (i > 0 && event.t - before.t <= step)) return IC_MISTAKE_CROSSINGS_LOST_IN_STEP;
    const ic_sample end = ic_log_end(log);
    const ic_guard *guard = guard_named(t, event.mode_from, event.name);
    const double *par = t->setup.problem.par;
    const bool beyond = guard != NULL && end.x != NULL && end.mode == event.mode_from &&
                        guard->value(end.t, end.x, par) * guard->direction > 0;
    const bool same = i > 0 && strcmp(before.name, event.name) == 0;
    return beyond && same ? IC_MISTAKE_FALLS_THROUGH : IC_MISTAKE_EVENT_LOST;
}

/* ---- comparing */

static void compare_states(comparison *c, const truth *t, const double *right, const double *told)
{
    for (size_t k = 0; right != NULL && told != NULL && k < t->setup.problem.system->n_states; k++)
        c->worst_state = fmax(c->worst_state, fabs(told[k] - right[k]) / t->x_scale[k]);
}

/* Until when the events agree, s. */
static double compare_events(comparison *c, const truth *t, const ic_log *log, double step)
{
    const size_t n = ic_log_event_count(t->log), m = ic_log_event_count(log);
    for (size_t i = 0; i < n || i < m; i++) {
        const double right = i < n ? ic_log_event_at(t->log, i).t : INFINITY,
                     told = i < m ? ic_log_event_at(log, i).t : INFINITY;
        const bool same = i < n && i < m && fabs(told - right) <= SAME_EVENT * t->scale &&
                          strcmp(ic_log_event_at(log, i).name, ic_log_event_at(t->log, i).name) == 0;
        if (same) {
            c->matched++;
            c->worst = fmax(c->worst, fabs(told - right) / t->scale);
            compare_states(c, t, ic_log_event_at(t->log, i).x_pre, ic_log_event_at(log, i).x_pre);
            compare_states(c, t, ic_log_event_at(t->log, i).x_post, ic_log_event_at(log, i).x_post);
            continue;
        }
        /* one at the very end may be on either side of it */
        if (fmin(right, told) > t->setup.problem.t_end - SAME_EVENT * t->scale) return fmin(right, told);
        c->name = told < right ? ic_log_event_at(log, i).name : ic_log_event_at(t->log, i).name;
        if (told < right) c->spurious++, c->cause = cause_of_spurious(t, log, i, step);
        else c->missing++, c->cause = cause_of_missing(t, log, i, step);
        return fmin(right, told);
    }
    return INFINITY;
}

static bool is_beside_event(const truth *t, double time)
{
    for (size_t i = 0; i < ic_log_event_count(t->log); i++) {
        if (fabs(ic_log_event_at(t->log, i).t - time) <= 1e-3 * t->scale) return true;
    }
    return false;
}

static comparison compare(const truth *t, const ic_log *log, double step)
{
    comparison c = {0};
    const double until = compare_events(&c, t, log, step);
    const size_t n = ic_log_sample_count(t->log);
    c.sampled = n == ic_log_sample_count(log);
    const double elsewhere = c.worst_state;
    c.worst_state = 0;
    for (size_t i = 0; c.sampled && i < n; i++) {
        const ic_sample right = ic_log_sample_at(t->log, i), told = ic_log_sample_at(log, i);
        if (right.t < until && !is_beside_event(t, right.t)) compare_states(&c, t, right.x, told.x);
    }
    c.at_samples = c.worst_state;
    c.worst_state = elsewhere;
    const ic_sample right = ic_log_end(t->log), told = ic_log_end(log);
    if (isinf(until) && !is_beside_event(t, t->setup.problem.t_end)) compare_states(&c, t, right.x, told.x);
    c.rough_samples = c.at_samples > ic_tolerance_preset_states.value && c.at_samples > ROUGH * c.worst_state &&
                      c.matched > 0;
    c.worst_state = fmax(c.worst_state, c.at_samples);
    return c;
}

/* ---- judging */

static double usual_part(const ic_solver *solver)
{
    if (solver->control != IC_CONTROL_STEP) return 1;
    return solver->order <= 1 ? PART_ORDER_1 : solver->order == 2 ? PART_ORDER_2 : 1;
}

static bool is_good(const comparison *c)
{
    return c->missing + c->spurious == 0 && c->worst <= ic_tolerance_preset_times.value &&
           c->worst_state <= ic_tolerance_preset_states.value;
}

typedef struct judged {
    comparison coarse, fine; /* `fine`: of a second run, where there is one */
    bool refined;
    double fall; /* the part to which errors must fall; where refined */
} judged;

static double tolerance_of(const judged *j, double fixed, double coarse)
{
    return j->refined ? fmax(fixed, j->fall * coarse) : fixed;
}

/* Forced motion that is wrong where free motion and events are right: a flow that is asked for at
   other times has another force. */
static ic_mistake_id cause_of_motion(const ic_solver *solver, const truth *t, const comparison *c,
                                     ic_mistake_id late)
{
    if (c->worst <= ic_tolerance_preset_times.value && c->worst_state <= ic_tolerance_preset_states.value)
        return IC_NO_MISTAKE;
    if (late != IC_NO_MISTAKE || t->setup.problem.system->period == NULL) return late;
    return ic_probe_clock_is_stale(solver) ? IC_MISTAKE_STALE_TIME : late;
}

/* `late`: what explains wrong times, `known`: what is known of the solver. */
static void tell(ic_sink *sink, const judged *j, ic_mistake_id late, ic_mistake_id known)
{
    const comparison *c = j->refined ? &j->fine : &j->coarse;
    const ic_measured events = {(double)(c->missing + c->spurious), 0, "the accurate solver's events",
                                ic_solver_explains_others(known) ? known : c->cause};
    const char *origin =
        j->refined ? ic_tolerance_refined_order.derivation : ic_tolerance_preset_times.derivation;
    ic_sink_measure(sink, IC_CHECK_SOLVER_EVENTS, &events, "%zu events are right%s%s", c->matched,
                    c->missing > 0    ? "; then one is missing: "
                    : c->spurious > 0 ? "; then there is one too many: "
                                      : "",
                    c->name != NULL ? c->name : "");
    const ic_measured times = {c->worst, tolerance_of(j, ic_tolerance_preset_times.value, j->coarse.worst),
                               origin, late};
    if (c->matched > 0)
        ic_sink_measure(sink, IC_CHECK_SOLVER_TIMES, &times, "greatest of %zu events", c->matched);
    const ic_measured states = {
        c->worst_state, tolerance_of(j, ic_tolerance_preset_states.value, j->coarse.worst_state), origin,
        c->rough_samples && !ic_solver_explains_others(late) ? IC_MISTAKE_SAMPLES_ROUGH : late};
    ic_sink_measure(sink, IC_CHECK_SOLVER_STATES, &states, "at events%s",
                    c->sampled ? ", samples and the end" : " and the end; it hands back no samples");
}

/* false: no answer, which has been told. */
static bool solve_and_compare(comparison *c, ic_sink *sink, const ic_solver *solver, const truth *t,
                              ic_mistake_id late, double part)
{
    ic_options options = ic_solver_asked(solver, ic_default_step(&t->setup.problem), part);
    options.samples = SAMPLES;
    ic_solver_run r = ic_solver_run_of(solver, &t->setup.problem, &options);
    ic_solver_run_tell(sink, &r, false);
    const bool good = r.status == IC_OK && r.damage == 0;
    if (good) {
        *c = compare(t, r.log, options.step);
        if (part >= usual_part(solver)) ic_audit_log(sink, r.log);
    } else if (r.damage > 0) { /* has been told; what it has made of that says nothing */
    } else if (r.status == IC_UNSUPPORTED)
        ic_sink_open(sink, IC_CHECK_SOLVER_STATUS, NAN, "the solver does not serve it");
    else {
        const ic_measured status = {1, 0, "all finish",
                                    r.status == IC_NOT_FINITE         ? IC_MISTAKE_NOT_FINITE
                                    : ic_solver_explains_others(late) ? late
                                                                      : IC_NO_MISTAKE};
        ic_sink_measure(sink, IC_CHECK_SOLVER_STATUS, &status, "%s %.60s", ic_status_text(r.status),
                        ic_log_text(r.log));
    }
    ic_solver_run_free(&r);
    return good;
}

static void audit_preset(ic_sink *sink, const ic_solver *solver, const truth *t, ic_mistake_id late)
{
    const double part = usual_part(solver);
    judged j = {.refined = false};
    if (!solve_and_compare(&j.coarse, sink, solver, t, late, part)) return;
    if (solver->control == IC_CONTROL_STEP && solver->order > 0 && !is_good(&j.coarse)) {
        const bool rough = t->setup.problem.variant->law != NULL;
        j.fall = pow(REFINED,
                     fmin(solver->order, rough ? ORDER_ON_LAWS : INFINITY) - ic_tolerance_refined_order.value);
        j.refined = solve_and_compare(&j.fine, sink, solver, t, late, part * REFINED);
        if (!j.refined) return;
    }
    tell(sink, &j, cause_of_motion(solver, t, j.refined ? &j.fine : &j.coarse, late), late);
}

void ic_audit_preset(ic_sink *sink, const ic_solver *solver, size_t i, ic_mistake_id late)
{
    truth t;
    if (!open_truth(&t, i))
        ic_sink_open(sink, IC_CHECK_SOLVER_STATUS, NAN, "there is no answer to compare with");
    else if (!ic_solver_solves(solver, &t.setup.problem))
        ic_sink_open(sink, IC_CHECK_SOLVER_STATUS, NAN, "the solver is not for problems of this kind");
    else audit_preset(sink, solver, &t, late);
    close_truth(&t);
}
