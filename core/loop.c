/* SPDX-License-Identifier: MIT */
/*
 * A run is a sequence of phases: the method follows one smooth field up to the first event; then everything that is due
 * at that instant fires, and guards are armed for the next phase.
 */
#include "core/loop.h"
#include "core/event_loop.h"
#include "core/model.h"
#include "core/names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Begins a run and its first phase. close_loop must be called in any case. */
static ic_status begin_run(ic_loop *l, ic_log *log, const ic_problem *problem, const ic_options *options);

/* Ends a phase that has been advanced with `status`, and begins the next one. */
static ic_status next_phase(ic_loop *l, ic_status status);

static ic_status close_loop(ic_loop *l, ic_status status);

ic_status ic_event_loop(ic_log *log, const ic_problem *problem, const ic_options *options,
                        const ic_method *method, void *self)
{
    ic_loop l = {.method = method};
    ic_status status = begin_run(&l, log, problem, options);
    while (status == IC_OK && !l.over) {
        status = method->begin(self, &l.phase);
        if (status == IC_OK) status = method->advance(self, &l.phase);
        status = next_phase(&l, status);
    }
    return close_loop(&l, status);
}

/* ---- a run that its caller advances */

ic_phase *ic_loop_open(ic_loop **run, ic_log *log, const ic_problem *problem, const ic_options *options,
                       ic_status *status)
{
    static const ic_method watches_no_observers = {.observes = false};
    ic_loop *l = *run = calloc(1, sizeof *l);
    *status = IC_NO_MEMORY;
    if (l == NULL) return NULL;
    l->method = &watches_no_observers;
    *status = begin_run(l, log, problem, options);
    return *status == IC_OK && !l->over ? &l->phase : NULL;
}

bool ic_loop_next(ic_loop *run, ic_status *status)
{
    *status = next_phase(run, *status);
    return *status == IC_OK && !run->over;
}

ic_status ic_loop_close(ic_loop *run, ic_status status)
{
    if (run == NULL) return status;
    status = close_loop(run, status);
    free(run);
    return status;
}

/* ---- phases */

/* Time of the next time event, s; INFINITY: there is none. */
static double next_time_event(const ic_loop *l)
{
    const ic_entry *next = ic_event_set_next(l->set);
    return next != NULL ? next->t : INFINITY;
}

/* Fires what is due before any time passes, and begins a phase unless the run is then over. */
static ic_status begin_phase(ic_loop *l)
{
    ic_phase *phase = &l->phase;
    const double t_end = phase->problem->t_end;
    ic_status status = IC_OK;
    while (status == IC_OK && !ic_loop_is_over(l)) {
        const double t_event = next_time_event(l);
        const bool timed = t_event <= phase->t && phase->t < t_end;
        phase->fired = timed ? -1 : ic_loop_first_due(l);
        phase->t_stop = fmin(t_event, t_end);
        if (timed || phase->fired >= 0) {
            status = ic_loop_fire_all(l, timed);
            continue;
        }
        if (phase->t >= t_end) break;
        for (size_t i = 0; i < phase->n_watched; i++) phase->ends[i].t = NAN;
        return phase->t == l->last_t ? ic_loop_find_passed(l, true) : IC_OK;
    }
    l->over = true;
    return status;
}

/* Fires what is due where the method has arrived, at the end of a phase. */
static ic_status end_phase(ic_loop *l)
{
    ic_phase *phase = &l->phase;
    const ic_status status = ic_loop_find_passed(l, false);
    if (status != IC_OK) return status;
    if (phase->fired < 0) return IC_OK;
    const double t_event = next_time_event(l);
    const bool event_precedes =
        t_event <= phase->problem->t_end && t_event - phase->t <= ic_phase_instant_width(phase);
    if (event_precedes) phase->t = t_event;
    return ic_loop_fire_all(l, event_precedes);
}

static ic_status next_phase(ic_loop *l, ic_status status)
{
    if (status == IC_OK) status = end_phase(l);
    return status == IC_OK ? begin_phase(l) : status;
}

/* ---- beginning and end */

static ic_status open_loop(ic_loop *l, ic_log *log, const ic_problem *problem, const ic_options *options)
{
    const size_t n = problem->system->n_states;
    l->phase.log = log;
    l->phase.time_scale = ic_time_scale(problem);
    l->options = ic_options_for(options, l->phase.time_scale);
    l->buffer = calloc(6 * n, sizeof *l->buffer);
    if (l->buffer == NULL) return IC_NO_MEMORY;
    l->phase.problem = problem;
    l->phase.options = &l->options;
    l->phase.work = ic_log_work(log);
    l->phase.n = n;
    l->phase.x = l->buffer;
    l->x_post = l->buffer + n;
    l->phase.scale = l->buffer + 2 * n;
    l->phase.rates = l->buffer + 3 * n;
    l->phase.t = problem->t_start;
    l->last_t = NAN;
    ic_state_scales(problem, l->buffer + 2 * n);
    l->phase.rounded = l->buffer + 5 * n;
    for (size_t k = 0; k < n; k++)
        l->buffer[5 * n + k] = ic_state_is_discrete(problem->system, k) ? 0 : l->phase.scale[k];
    const ic_variant *variant = problem->variant;
    for (size_t m = 0; m < variant->n_modes; m++) {
        if (variant->modes[m].n_guards > l->most_guards) l->most_guards = variant->modes[m].n_guards;
    }
    l->curvature = calloc(variant->n_modes * l->most_guards + 1, sizeof *l->curvature);
    if (l->curvature == NULL) return IC_NO_MEMORY;
    ic_event_set *set = options->events != NULL ? options->events : &l->own_set;
    const ic_status begun = ic_event_set_begin(set, problem, l->method->observes, log);
    if (begun != IC_INVALID && begun != IC_UNSUPPORTED) l->set = set;
    return begun;
}

static ic_status start_run(ic_loop *l)
{
    ic_phase *phase = &l->phase;
    const ic_problem *problem = phase->problem;
    int mode = problem->mode_start;
    if (problem->x_start != NULL) {
        memcpy(l->x_post, problem->x_start, phase->n * sizeof *l->x_post);
    } else {
        const ic_status status = ic_loop_jump(l, &problem->variant->start, "start", &mode);
        if (status != IC_OK) return status;
    }
    ic_loop_enter(l, mode);
    ic_log_final(phase->log, phase->t, mode, phase->x);
    if (phase->options->extremes) ic_log_extremes(phase->log, phase->t, mode, phase->x);
    if (phase->options->samples > 0) {
        const ic_status status = ic_log_sample(phase->log, phase->t, mode, phase->x);
        if (status != IC_OK) return status;
    }
    l->changed = true;
    return ic_loop_arm(l);
}

static ic_status begin_run(ic_loop *l, ic_log *log, const ic_problem *problem, const ic_options *options)
{
    ic_status status = open_loop(l, log, problem, options);
    if (status == IC_OK) status = start_run(l);
    return status == IC_OK ? begin_phase(l) : status;
}

static ic_status close_loop(ic_loop *l, ic_status status)
{
    ic_log *log = l->phase.log;
    if (l->phase.mode != NULL) {
        if (l->options.extremes) ic_log_extremes(log, l->phase.t, l->phase.mode_index, l->phase.x);
        ic_log_final(log, l->phase.t, l->phase.mode_index, l->phase.x);
    }
    const bool silent = status != IC_OK && ic_log_text(log)[0] == '\0';
    if (silent && status == IC_NOT_FINITE && l->phase.mode != NULL) {
        ic_loop_explain(l);
    } else if (silent) {
        ic_log_message(log, "at t = %.17g in mode '%s'", l->phase.t,
                       l->phase.mode != NULL ? l->phase.mode->name : "none");
    }
    if (l->set != NULL) ic_event_set_end(l->set);
    if (l->set == &l->own_set) ic_event_set_release(l->set);
    free(l->buffer);
    free(l->curvature);
    free(l->phase.arming);
    free(l->began);
    free(l->phase.ends);
    free(l->fired);
    return status;
}
