/* SPDX-License-Identifier: MIT */
/*
 * Whatever the accuracy, an event's state after is its jump's of the state before, and its mode
 * that of the branch taken; events at one instant are counted from 0; a guard fires where it is
 * enabled; a terminal mode ends the run, and nothing else does before t_end. None of it needs
 * another solver, so that what is found here is named without a doubt.
 */
#include "audit/solver/check_log.h"
#include "core/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of a state's size and scale: a jump of the same state is the same, up to rounding. */
#define SAME_STATE 1e-12
/* Of the time scale: the end is this close to where it should be. */
#define SAME_END 1e-9
/* Of the time scale: guards that cross within it cross at one instant. */
#define SAME_CROSSING 1e-13
/* A condition that vanishes at the crossing decides nothing. */
#define CLEARLY_NOT 1e-9

typedef struct reading {
    const ic_log *log;
    const ic_problem *problem;
    double scale[IC_MAX_STATES];
    ic_log_reading said;
} reading;

static void note(reading *r, ic_mistake_id cause, const char *what, double t)
{
    if (r->said.wrong++ > 0) return;
    r->said.cause = cause;
    snprintf(r->said.first, sizeof r->said.first, "%s at t = %.10g", what, t);
}

static bool is_mode(const reading *r, int mode)
{
    return mode >= 0 && (size_t)mode < r->problem->variant->n_modes;
}

static const ic_guard *guard_of(const reading *r, const ic_event *event)
{
    const ic_mode *mode = &r->problem->variant->modes[event->mode_from];
    for (size_t i = 0; i < mode->n_guards; i++) {
        if (strcmp(mode->guards[i].name, event->name) == 0) return &mode->guards[i];
    }
    return NULL;
}

/* NULL: the variant has no such event. */
static const ic_jump *jump_of(const reading *r, const ic_event *event)
{
    const ic_variant *variant = r->problem->variant;
    for (size_t i = 0; event->kind == IC_EVENT_TIME && i < variant->n_time_events; i++) {
        if (strcmp(variant->time_events[i].name, event->name) == 0) return &variant->time_events[i].jump;
    }
    const ic_guard *guard = event->kind == IC_EVENT_TIME ? NULL : guard_of(r, event);
    if (guard == NULL) return NULL;
    return event->kind == IC_EVENT_ACCUMULATION ? &guard->accumulation : &guard->jump;
}

static bool same_states(const reading *r, const double *a, const double *b)
{
    bool same = a != NULL && b != NULL;
    for (size_t k = 0; same && k < r->problem->system->n_states; k++)
        same &= fabs(a[k] - b[k]) <= SAME_STATE * (r->scale[k] + fabs(a[k]));
    return same;
}

/* Whether event i is the one before it, once more. */
static bool repeats(const reading *r, size_t i)
{
    const ic_event event = ic_log_event_at(r->log, i), before = ic_log_event_at(r->log, i > 0 ? i - 1 : 0);
    return i > 0 && before.t == event.t && before.kind == event.kind && strcmp(before.name, event.name) == 0;
}

static void read_jump(reading *r, const ic_event *event, bool again)
{
    const ic_jump *jump = jump_of(r, event);
    double post[IC_MAX_STATES] = {0};
    if (jump == NULL || jump->apply == NULL) {
        note(r, again ? IC_MISTAKE_FIRED_AGAIN : IC_MISTAKE_JUMP_WRONG, "an event that the mode does not have",
             event->t);
        return;
    }
    const int taken = jump->apply(post, event->t, event->x_pre, r->problem->par);
    const int next = jump->branches[taken].mode;
    if (!same_states(r, post, event->x_post))
        note(r, IC_MISTAKE_JUMP_WRONG, "a state after an event that is not its jump's", event->t);
    if (event->mode_to != (next == IC_SAME_MODE ? event->mode_from : next))
        note(r, IC_MISTAKE_JUMP_WRONG, "another mode after an event than its jump's branch says", event->t);
}

static void read_condition(reading *r, const ic_event *event)
{
    const ic_guard *guard = event->kind == IC_EVENT_GUARD ? guard_of(r, event) : NULL;
    if (guard == NULL || guard->enabled == NULL) return;
    if (guard->enabled(event->t, event->x_pre, r->problem->par) < -CLEARLY_NOT)
        note(r, IC_MISTAKE_DISABLED_FIRES, "a guard fires that is not enabled", event->t);
}

/* Whether the guard has fired already at the instant of event i. */
static bool has_fired(const reading *r, size_t i, const char *name)
{
    const double t = ic_log_event_at(r->log, i).t;
    for (size_t k = i; k-- > 0 && ic_log_event_at(r->log, k).t == t;) {
        if (strcmp(ic_log_event_at(r->log, k).name, name) == 0) return true;
    }
    return false;
}

/* Event i stands before the one that fired just before it in their table, and was crossing zero
   with it. */
static void read_order(reading *r, size_t i)
{
    const ic_event event = ic_log_event_at(r->log, i), before = ic_log_event_at(r->log, i - 1);
    if (event.kind != IC_EVENT_GUARD || before.kind != IC_EVENT_GUARD) return;
    const ic_mode *mode = &r->problem->variant->modes[before.mode_from];
    const double *par = r->problem->par;
    for (size_t k = 0; k < mode->n_guards && strcmp(mode->guards[k].name, before.name) != 0; k++) {
        const ic_guard *guard = &mode->guards[k];
        if (strcmp(guard->name, event.name) != 0 || has_fired(r, i, event.name)) continue;
        const double g = guard->value(before.t, before.x_pre, par),
                     rate = guard->rate(before.t, before.x_pre, par);
        const bool crosses = guard->direction == 0 ? rate != 0 : guard->direction * rate > 0;
        if (crosses && fabs(g) <= SAME_CROSSING * fabs(rate) * ic_time_scale(r->problem))
            note(r, IC_MISTAKE_SEQUENCE_WRONG, "a guard fires after one that follows it in their table",
                 event.t);
    }
}

static void read_event(reading *r, size_t i)
{
    const ic_event event = ic_log_event_at(r->log, i);
    const bool first = i == 0 || ic_log_event_at(r->log, i - 1).t != event.t;
    const int due = first ? 0 : ic_log_event_at(r->log, i - 1).sequence + 1;
    if (!is_mode(r, event.mode_from) || !is_mode(r, event.mode_to)) {
        note(r, IC_MISTAKE_JUMP_WRONG, "a mode that there is not", event.t);
        return;
    }
    if (r->problem->variant->modes[event.mode_from].terminal)
        note(r, repeats(r, i) ? IC_MISTAKE_FIRED_AGAIN : IC_MISTAKE_TERMINAL_IGNORED,
             "an event in a mode that ends the run", event.t);
    read_jump(r, &event, repeats(r, i));
    read_condition(r, &event);
    if (!first) read_order(r, i);
    if (event.sequence != due)
        note(r, IC_MISTAKE_SEQUENCE_WRONG, "a number in the sequence that is not the next", event.t);
}

/* Where the last event has led to, or, without events, where the run says that it is. */
static bool ends_in_terminal(const reading *r, const ic_sample *end)
{
    const size_t n = ic_log_event_count(r->log);
    const int mode = n > 0 ? ic_log_event_at(r->log, n - 1).mode_to : end->mode;
    return is_mode(r, mode) && r->problem->variant->modes[mode].terminal;
}

static void read_end(reading *r)
{
    const size_t n = ic_log_event_count(r->log), m = ic_log_sample_count(r->log);
    const ic_sample end = ic_log_end(r->log);
    const double same = SAME_END * ic_time_scale(r->problem);
    if (end.x == NULL) {
        note(r, IC_MISTAKE_END_WRONG, "no end is told", r->problem->t_end);
        return;
    }
    const bool terminal = ends_in_terminal(r, &end);
    const double right = terminal && n > 0 ? ic_log_event_at(r->log, n - 1).t : r->problem->t_end;
    if (terminal && end.t > right + same)
        note(r, IC_MISTAKE_TERMINAL_IGNORED, "the run goes on in a mode that ends it, to its end", end.t);
    else if (fabs(end.t - right) > same) note(r, IC_MISTAKE_END_WRONG, "the end is told", end.t);
    if (n > 0 && end.mode != ic_log_event_at(r->log, n - 1).mode_to)
        note(r, IC_MISTAKE_END_WRONG, "another mode than the last event's is told for the end", end.t);
    if (terminal && n > 0 && fabs(end.t - right) <= same &&
        !same_states(r, end.x, ic_log_event_at(r->log, n - 1).x_post))
        note(r, IC_MISTAKE_END_WRONG, "another state than that after the last jump is told for the end", end.t);
    /* a sample at the end, after the last event */
    const ic_sample last = m > 0 ? ic_log_sample_at(r->log, m - 1) : (ic_sample){.t = NAN};
    const bool eventless = n == 0 || ic_log_event_at(r->log, n - 1).t < end.t - same;
    if (last.t == end.t && eventless && !same_states(r, end.x, last.x))
        note(r, IC_MISTAKE_END_WRONG, "another state than that of the sample there is told for the end", end.t);
}

ic_log_reading ic_log_read(const ic_log *log)
{
    reading r = {.log = log, .problem = ic_log_problem(log)};
    ic_state_scales(r.problem, r.scale);
    for (size_t i = 0; i < ic_log_event_count(log); i++) read_event(&r, i);
    read_end(&r);
    return r.said;
}

void ic_audit_log(ic_sink *sink, const ic_log *log)
{
    const ic_log_reading said = ic_log_read(log);
    const ic_measured m = {(double)said.wrong, 0, "each follows from the one before it", said.cause};
    ic_sink_measure(sink, IC_CHECK_SOLVER_LOG, &m, "of %zu events and the end%s%s", ic_log_event_count(log),
                    said.wrong > 0 ? "; first " : "", said.first);
}
