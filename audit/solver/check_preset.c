/* SPDX-License-Identifier: MIT */
/*
 * A solver on presets of all cases. The reference is the analytic solver for cases with a linear
 * view, and dop853 at its finest for others; `verify` compares both with certificates and
 * accurate references. Events are compared up to the first without a partner, after which the
 * motions differ.
 *
 * Errors are compared with a fixed tolerance. If they exceed it, a solver with fixed steps must
 * show that they fall as it claims with a quarter of the step: by 4^p.
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

/* Part of the time scale: events that are farther apart are different ones. */
#define SAME_EVENT 0.05
/* Part of the time scale: events that are closer are at one instant. */
#define SAME_INSTANT 1e-9
/* rtol of the reference if no analytic solver serves the case. */
#define FINEST 1e-13
/*
 * Steps of solvers of order 1 and 2, divided by the default: their errors must be smaller than
 * those of mistakes.
 */
#define PART_ORDER_1 0.25
#define PART_ORDER_2 0.5
/* Step of the second run divided by that of the first. */
#define REFINED 0.25
/* Requested error of the second run of an adaptive method of low order, divided by that of the first. */
#define REFINED_ERROR 0.01
/* Order on contact laws, whose forces begin like d^(3/2): errors of a step there fall like h^2,
   with a factor that is not smooth in h. */
#define ORDER_ON_LAWS 1.5

/*
 * If errors of samples exceed those of events and the end by this factor, they are not errors of
 * the motion.
 */
#define ROUGH 10.0

enum { SAMPLES = 65 };

/* A preset solved by the accurate solver. */
typedef struct truth {
    ic_setup setup;
    ic_log *log;

    /* time scale, s */
    double scale;

    /* of the states, at least their greatest magnitudes */
    double x_scale[IC_MAX_STATES];
} truth;

/* The differences of a run. */
typedef struct preset_comparison {
    size_t missing, spurious, matched;

    /* over the time scale; greatest error of a time */
    double worst;

    /* over a state's scale; at events, samples and the end */
    double worst_state;

    /* over a state's scale; at samples alone */
    double at_samples;

    /* the solver returns samples */
    bool sampled;

    /* True if samples are wrong although events and the end are right. */
    bool rough_samples;

    ic_mistake_id cause;

    /* of the missing or additional event */
    const char *name;
} preset_comparison;

/* ---- the reference */

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
    for (size_t s = 0; s < ic_log_sample_count(t->log); s++) {
        const double *x = ic_log_sample_at(t->log, s).x;
        for (size_t k = 0; k < problem->system->n_states; k++) t->x_scale[k] = fmax(t->x_scale[k], fabs(x[k]));
    }
    return true;
}

static void close_truth(truth *t)
{
    ic_log_free(t->log);
    ic_setup_close(&t->setup);
}

/* ---- causes of missing and additional events */

static const ic_guard *find_guard(const truth *t, int mode, const char *name)
{
    const ic_variant *variant = t->setup.problem.variant;
    if (mode < 0 || (size_t)mode >= variant->n_modes) return NULL;
    const ic_mode *m = &variant->modes[mode];
    for (size_t i = 0; i < m->n_guards; i++) {
        if (strcmp(m->guards[i].name, name) == 0) return &m->guards[i];
    }
    return NULL;
}

/* `mine`: index of the event. A repetition at the same instant counts as one in either
   direction. */
static ic_mistake_id explain_additional(const truth *t, const ic_log *log, size_t mine, double step)
{
    const ic_event event = ic_log_event_at(log, mine), before = ic_log_event_at(log, mine > 0 ? mine - 1 : 0);
    const bool repeats = mine > 0 && strcmp(before.name, event.name) == 0;
    const double since = event.t - before.t;
    if (repeats && since <= SAME_INSTANT * t->scale) return IC_MISTAKE_FIRED_AGAIN;
    const ic_guard *guard = find_guard(t, event.mode_from, event.name);
    if (guard != NULL && guard->direction * guard->rate(event.t, event.x_pre, t->setup.problem.par) < 0)
        return IC_MISTAKE_DIRECTION_IGNORED;
    return repeats && since <= fmax(2.5 * step, 1e-4 * t->scale) ? IC_MISTAKE_FIRED_AGAIN : IC_NO_MISTAKE;
}

/* Either another event lies within a step, or the run ends beyond a guard that fired just before
   and should have fired again. */
static ic_mistake_id explain_missing(const truth *t, const ic_log *log, size_t i, double step)
{
    const ic_event event = ic_log_event_at(t->log, i), before = ic_log_event_at(t->log, i > 0 ? i - 1 : 0);
    const bool next = i + 1 < ic_log_event_count(t->log) && ic_log_event_at(t->log, i + 1).t - event.t <= step;
    if (next || (i > 0 && event.t - before.t <= step)) return IC_MISTAKE_CROSSINGS_LOST_IN_STEP;
    const ic_sample end = ic_log_end(log);
    const ic_guard *guard = find_guard(t, event.mode_from, event.name);
    const double *par = t->setup.problem.par;
    const bool beyond = guard != NULL && end.x != NULL && end.mode == event.mode_from &&
                        guard->value(end.t, end.x, par) * guard->direction > 0;
    const bool same = i > 0 && strcmp(before.name, event.name) == 0;
    return beyond && same ? IC_MISTAKE_FALLS_THROUGH : IC_MISTAKE_EVENT_LOST;
}

/* ---- comparison */

static void compare_states(preset_comparison *c, const truth *t, const double *right, const double *other)
{
    for (size_t k = 0; right != NULL && other != NULL && k < t->setup.problem.system->n_states; k++)
        c->worst_state = fmax(c->worst_state, fabs(other[k] - right[k]) / t->x_scale[k]);
}

/* the time until which the events agree, s */
static double compare_events(preset_comparison *c, const truth *t, const ic_log *log, double step)
{
    const size_t n = ic_log_event_count(t->log), m = ic_log_event_count(log);
    for (size_t i = 0; i < n || i < m; i++) {
        const double right = i < n ? ic_log_event_at(t->log, i).t : INFINITY,
                     other = i < m ? ic_log_event_at(log, i).t : INFINITY;
        const bool same = i < n && i < m && fabs(other - right) <= SAME_EVENT * t->scale &&
                          strcmp(ic_log_event_at(log, i).name, ic_log_event_at(t->log, i).name) == 0;
        if (same) {
            c->matched++;
            c->worst = fmax(c->worst, fabs(other - right) / t->scale);
            compare_states(c, t, ic_log_event_at(t->log, i).x_pre, ic_log_event_at(log, i).x_pre);
            compare_states(c, t, ic_log_event_at(t->log, i).x_post, ic_log_event_at(log, i).x_post);
            continue;
        }
        /* An event at the very end may be on either side of it. */
        if (fmin(right, other) > t->setup.problem.t_end - SAME_EVENT * t->scale) return fmin(right, other);
        c->name = other < right ? ic_log_event_at(log, i).name : ic_log_event_at(t->log, i).name;
        if (other < right) c->spurious++, c->cause = explain_additional(t, log, i, step);
        else c->missing++, c->cause = explain_missing(t, log, i, step);
        return fmin(right, other);
    }
    return INFINITY;
}

static bool is_near_event(const truth *t, double time)
{
    for (size_t i = 0; i < ic_log_event_count(t->log); i++) {
        if (fabs(ic_log_event_at(t->log, i).t - time) <= 1e-3 * t->scale) return true;
    }
    return false;
}

static preset_comparison compare_logs(const truth *t, const ic_log *log, double step)
{
    preset_comparison c = {0};
    const double until = compare_events(&c, t, log, step);
    const size_t n = ic_log_sample_count(t->log);
    c.sampled = n == ic_log_sample_count(log);
    const double elsewhere = c.worst_state;
    c.worst_state = 0;
    for (size_t i = 0; c.sampled && i < n; i++) {
        const ic_sample right = ic_log_sample_at(t->log, i), other = ic_log_sample_at(log, i);
        if (right.t < until && !is_near_event(t, right.t)) compare_states(&c, t, right.x, other.x);
    }
    c.at_samples = c.worst_state;
    c.worst_state = elsewhere;
    const ic_sample right = ic_log_end(t->log), other = ic_log_end(log);
    if (isinf(until) && !is_near_event(t, t->setup.problem.t_end)) compare_states(&c, t, right.x, other.x);
    c.rough_samples = c.at_samples > ic_tolerance_preset_states.value && c.at_samples > ROUGH * c.worst_state &&
                      c.matched > 0;
    c.worst_state = fmax(c.worst_state, c.at_samples);
    return c;
}

/* ---- rows */

static double usual_part(const ic_solver *solver)
{
    if (solver->control != IC_CONTROL_STEP) return 1;
    return solver->order <= 1 ? PART_ORDER_1 : solver->order == 2 ? PART_ORDER_2 : 1;
}

static bool is_good(const preset_comparison *c)
{
    return c->missing + c->spurious == 0 && c->worst <= ic_tolerance_preset_times.value &&
           c->worst_state <= ic_tolerance_preset_states.value;
}

typedef struct judged {
    /* of the first run, and of the second if there is one */
    preset_comparison coarse, fine;

    bool refined;

    /* the part to which errors must fall if refined */
    double fall;
} judged;

/*
 * If forced motion is wrong although free motion and events are right, the solver may evaluate the
 * flow at wrong times.
 */
static ic_mistake_id find_motion_cause(const ic_solver *solver, const truth *t, const preset_comparison *c,
                                       ic_mistake_id late)
{
    if (c->worst <= ic_tolerance_preset_times.value && c->worst_state <= ic_tolerance_preset_states.value)
        return IC_NO_MISTAKE;
    if (late != IC_NO_MISTAKE || t->setup.problem.system->period == NULL) return late;
    return ic_probe_clock_is_stale(solver) ? IC_MISTAKE_STALE_TIME : late;
}

/* `late`: the mistake that explains wrong times; `known`: a mistake known from other parts. */
static void add_rows(ic_finding_writer *writer, const judged *j, ic_mistake_id late, ic_mistake_id known)
{
    const preset_comparison *c = j->refined ? &j->fine : &j->coarse;
    const ic_judged_value events = {(double)(c->missing + c->spurious), 0, "the accurate solver's events",
                                    ic_solver_explains_others(known) ? known : c->cause};
    const char *origin =
        j->refined ? ic_tolerance_refined_order.derivation : ic_tolerance_preset_times.derivation;
    ic_write_measured(writer, IC_CHECK_SOLVER_EVENTS, &events, "%zu events are right%s%s", c->matched,
                      c->missing > 0    ? "; then one is missing: "
                      : c->spurious > 0 ? "; then one is additional: "
                                        : "",
                      c->name != NULL ? c->name : "");
    const ic_judged_value times = {c->worst, fmax(ic_tolerance_preset_times.value, j->fall * j->coarse.worst),
                                   origin, late};
    if (c->matched > 0)
        ic_write_measured(writer, IC_CHECK_SOLVER_TIMES, &times, "greatest of %zu events", c->matched);
    const ic_judged_value states = {
        c->worst_state, fmax(ic_tolerance_preset_states.value, j->fall * j->coarse.worst_state), origin,
        c->rough_samples && !ic_solver_explains_others(late) ? IC_MISTAKE_SAMPLES_ROUGH : late};
    ic_write_measured(writer, IC_CHECK_SOLVER_STATES, &states, "at events%s",
                      c->sampled ? ", samples and the end" : " and the end; the solver returns no samples");
}

/* Compares a run. false: the solver has no result, and a row reports this. */
static bool solve_and_compare(preset_comparison *c, ic_finding_writer *writer, const ic_solver *solver,
                              const truth *t, ic_mistake_id late, double part)
{
    ic_options options = ic_solver_options(solver, ic_default_step(&t->setup.problem), part);
    options.samples = SAMPLES;
    if (ic_steps_are_too_short(solver, late)) options.max_steps = IC_ENOUGH_STEPS;
    ic_solver_run r = ic_solver_run_of(solver, &t->setup.problem, &options);
    ic_solver_run_report(writer, &r, false);
    const bool good = r.status == IC_OK && r.damage == 0;
    if (good) {
        *c = compare_logs(t, r.log, options.step);
        if (part >= usual_part(solver)) ic_audit_log(writer, r.log);
    } else if (r.damage > 0) { /* reported; the result means nothing */
    } else if (r.status == IC_UNSUPPORTED)
        ic_write_open(writer, IC_CHECK_SOLVER_STATUS, NAN, "the solver does not support it");
    else if (r.status == IC_TOO_MUCH_WORK && ic_solver_may_need_more_steps(solver) &&
             !ic_solver_explains_others(late))
        ic_write_open(writer, IC_CHECK_SOLVER_STATUS, NAN, "%g steps are not enough at order %d",
                      options.max_steps, solver->order);
    else {
        const ic_judged_value status = {1, 0, "all finish",
                                        r.status == IC_NOT_FINITE         ? IC_MISTAKE_NOT_FINITE
                                        : ic_solver_explains_others(late) ? late
                                                                          : IC_NO_MISTAKE};
        ic_write_measured(writer, IC_CHECK_SOLVER_STATUS, &status, "%s %.60s", ic_status_text(r.status),
                          ic_log_text(r.log));
    }
    ic_solver_run_free(&r);
    return good;
}

static void audit_preset(ic_finding_writer *writer, const ic_solver *solver, const truth *t, ic_mistake_id late)
{
    const double part = usual_part(solver);
    judged j = {.refined = false};
    if (!solve_and_compare(&j.coarse, writer, solver, t, late, part)) return;
    if (solver->control == IC_CONTROL_STEP && solver->order > 0 && !is_good(&j.coarse)) {
        const bool rough = t->setup.problem.variant->law != NULL;
        j.fall = pow(REFINED,
                     fmin(solver->order, rough ? ORDER_ON_LAWS : INFINITY) - ic_tolerance_refined_order.value);
        j.refined = solve_and_compare(&j.fine, writer, solver, t, late, part * REFINED);
        if (!j.refined) return;
    }
    if (ic_solver_may_need_more_steps(solver) && !is_good(&j.coarse)) { /* as much as is asked of others */
        j.refined = solve_and_compare(&j.fine, writer, solver, t, late, part * REFINED_ERROR);
        if (!j.refined) return;
    }
    add_rows(writer, &j, find_motion_cause(solver, t, j.refined ? &j.fine : &j.coarse, late), late);
}

void ic_audit_preset(ic_finding_writer *writer, const ic_solver *solver, size_t i, ic_mistake_id late)
{
    truth t;
    if (!open_truth(&t, i))
        ic_write_open(writer, IC_CHECK_SOLVER_STATUS, NAN, "there is no reference to compare with");
    else if (!ic_solver_solves(solver, &t.setup.problem))
        ic_write_open(writer, IC_CHECK_SOLVER_STATUS, NAN, "the solver is not for problems of this kind");
    else audit_preset(writer, solver, &t, late);
    close_truth(&t);
}
