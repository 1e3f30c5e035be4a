/* SPDX-License-Identifier: MIT */
/*
 * Checks of a log that hold at any accuracy: the state after an event is its jump of the state
 * before, and the mode is that of the branch taken; events at one instant are counted from 0; a
 * guard fires only if it is enabled; a terminal mode ends the run, and nothing else does before
 * t_end. They need no other solver, so that their causes are certain.
 */
#include "audit/solver/solver.h"
#include "core/model.h"
#include "core/names.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Equal states differ at most by this part of their size and scale: rounding of the jump. */
#define SAME_STATE 1e-12
/* Accepted error of the end, divided by the time scale. */
#define SAME_END 1e-9
/* Guards that cross zero within this part of the time scale are simultaneous. */
#define SAME_CROSSING 1e-13
/* A condition above this negative value may vanish at the crossing. */
#define CLEARLY_NOT 1e-9
/* Part of the time scale: a state before an event that is farther from the guard's zero is not that of a crossing,
   and does not show whether the guard is enabled there. */
#define AT_CROSSING 1e-5

typedef struct reading {
    const ic_log *log;
    const ic_problem *problem;
    double scale[IC_MAX_STATES];

    /* whether the solver keeps clause 4 of the event contract: order and sequence numbers */
    bool ordered;

    ic_log_reading found;
} reading;

static void note_contradiction(reading *r, ic_mistake_id cause, const char *what, double t)
{
    if (r->found.wrong++ > 0) return;
    r->found.cause = cause;
    snprintf(r->found.first, sizeof r->found.first, "%s at t = %.10g", what, t);
}

static bool is_mode(const reading *r, int mode)
{
    return mode >= 0 && (size_t)mode < r->problem->variant->n_modes;
}

/* NULL: the variant has no such event. */
static const ic_jump *find_jump(const reading *r, const ic_event *event)
{
    const ic_variant *variant = r->problem->variant;
    for (size_t i = 0; event->kind == IC_EVENT_TIME && i < variant->n_time_events; i++) {
        if (strcmp(variant->time_events[i].name, event->name) == 0) return &variant->time_events[i].jump;
    }
    const ic_guard *guard = event->kind == IC_EVENT_TIME
                                ? NULL
                                : ic_guard_find(&r->problem->variant->modes[event->mode_from], event->name);
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

/* Whether event i repeats the one before it. */
static bool repeats_event(const reading *r, size_t i)
{
    const ic_event event = ic_log_event_at(r->log, i), before = ic_log_event_at(r->log, i > 0 ? i - 1 : 0);
    return i > 0 && before.t == event.t && before.kind == event.kind && strcmp(before.name, event.name) == 0;
}

const ic_guard *ic_event_guard(const ic_problem *problem, const ic_event *event)
{
    if (event->kind != IC_EVENT_GUARD || event->mode_from < 0) return NULL;
    return ic_guard_find(&problem->variant->modes[event->mode_from], event->name);
}

/* Whether the guard of an event is already left at the logged state before it: that is the state after. */
static bool is_left_before(const reading *r, const ic_event *event)
{
    const ic_guard *guard = ic_event_guard(r->problem, event);
    return guard != NULL && same_states(r, event->x_pre, event->x_post) &&
           guard->direction * guard->rate(event->t, event->x_pre, r->problem->par) < 0;
}

static void read_jump(reading *r, const ic_event *event, bool again)
{
    const ic_jump *jump = find_jump(r, event);
    double post[IC_MAX_STATES] = {0};
    if (jump == NULL || jump->apply == NULL) {
        note_contradiction(r, again ? IC_MISTAKE_FIRED_AGAIN : IC_MISTAKE_JUMP_WRONG,
                           "an event that the mode does not have", event->t);
        return;
    }
    const int taken = jump->apply(post, event->t, event->x_pre, r->problem->par);
    const int next = jump->branches[taken].mode;
    if (!same_states(r, post, event->x_post) && is_left_before(r, event))
        note_contradiction(r, IC_MISTAKE_STATE_BEFORE, "x_pre equals x_post, a state after the jump", event->t);
    else if (!same_states(r, post, event->x_post))
        note_contradiction(r, IC_MISTAKE_JUMP_WRONG, "a state after an event that differs from its jump",
                           event->t);
    if (event->mode_to != (next == IC_SAME_MODE ? event->mode_from : next))
        note_contradiction(r, IC_MISTAKE_JUMP_WRONG,
                           "a mode after an event that differs from its jump's branch", event->t);
}

static void read_condition(reading *r, const ic_event *event)
{
    const ic_guard *guard = ic_event_guard(r->problem, event);
    if (guard == NULL || guard->enabled == NULL) return;
    const double *par = r->problem->par;
    const double g = guard->value(event->t, event->x_pre, par), rate = guard->rate(event->t, event->x_pre, par);
    if (fabs(g) > AT_CROSSING * fabs(rate) * ic_time_scale(r->problem)) return;
    if (guard->enabled(event->t, event->x_pre, par) < -CLEARLY_NOT)
        note_contradiction(r, IC_MISTAKE_DISABLED_FIRES, "a disabled guard fires", event->t);
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

/* The guard of event i precedes that of the event before it in their table, and crossed zero
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
            note_contradiction(r, IC_MISTAKE_SEQUENCE_WRONG,
                               "a guard fires after one that follows it in the table", event.t);
    }
}

static void read_event(reading *r, size_t i)
{
    const ic_event event = ic_log_event_at(r->log, i);
    const bool first = i == 0 || ic_log_event_at(r->log, i - 1).t != event.t;
    const int due = first ? 0 : ic_log_event_at(r->log, i - 1).sequence + 1;
    if (!is_mode(r, event.mode_from) || !is_mode(r, event.mode_to)) {
        note_contradiction(r, IC_MISTAKE_JUMP_WRONG, "a mode that does not exist", event.t);
        return;
    }
    if (r->problem->variant->modes[event.mode_from].terminal)
        note_contradiction(r, repeats_event(r, i) ? IC_MISTAKE_FIRED_AGAIN : IC_MISTAKE_TERMINAL_IGNORED,
                           "an event in a mode that ends the run", event.t);
    read_jump(r, &event, repeats_event(r, i));
    read_condition(r, &event);
    if (!first && r->ordered) read_order(r, i);
    if (event.sequence != due && (r->ordered || repeats_event(r, i)))
        note_contradiction(r, repeats_event(r, i) ? IC_MISTAKE_FIRED_AGAIN : IC_MISTAKE_SEQUENCE_WRONG,
                           repeats_event(r, i)
                               ? "an event that is repeated at once, with a wrong sequence number"
                               : "a wrong sequence number",
                           event.t);
}

/* Whether the last event, or without events the run, has ended in a terminal mode. */
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
    if (!ic_solver_run_has_end(r->log)) {
        note_contradiction(r, IC_MISTAKE_END_WRONG, "no end is reported: call ic_log_final last",
                           r->problem->t_end);
        return;
    }
    const bool terminal = ends_in_terminal(r, &end);
    const double right = terminal && n > 0 ? ic_log_event_at(r->log, n - 1).t : r->problem->t_end;
    /* the run is over, and only its time is not */
    const bool stopped = terminal && n > 0 && same_states(r, end.x, ic_log_event_at(r->log, n - 1).x_post);
    if (terminal && end.t > right + same && !stopped)
        note_contradiction(r, IC_MISTAKE_TERMINAL_IGNORED, "a run that continues in a terminal mode", end.t);
    else if (fabs(end.t - right) > same)
        note_contradiction(r, IC_MISTAKE_END_WRONG, "a wrong time of the end", end.t);
    if (n > 0 && end.mode != ic_log_event_at(r->log, n - 1).mode_to)
        note_contradiction(r, IC_MISTAKE_END_WRONG, "a mode of the end that differs from the last event's",
                           end.t);
    if (terminal && n > 0 && fabs(end.t - right) <= same &&
        !same_states(r, end.x, ic_log_event_at(r->log, n - 1).x_post))
        note_contradiction(r, IC_MISTAKE_END_WRONG,
                           "a state of the end that differs from the one after the last jump", end.t);
    /* a sample at the end, after the last event */
    const ic_sample last = m > 0 ? ic_log_sample_at(r->log, m - 1) : (ic_sample){.t = NAN};
    const bool eventless = n == 0 || ic_log_event_at(r->log, n - 1).t < end.t - same;
    if (last.t == end.t && eventless && !same_states(r, end.x, last.x))
        note_contradiction(r, IC_MISTAKE_END_WRONG, "a state of the end that differs from the sample there",
                           end.t);
}

ic_log_reading ic_log_read(const ic_log *log, const ic_solver *solver)
{
    reading r = {
        .log = log, .problem = ic_log_problem(log), .ordered = !(solver->clauses_not_kept & IC_CLAUSE(4))};
    ic_state_scales(r.problem, r.scale);
    for (size_t i = 0; i < ic_log_event_count(log); i++) read_event(&r, i);
    read_end(&r);
    return r.found;
}

void ic_audit_log(ic_finding_writer *writer, const ic_log *log, const ic_solver *solver, ic_mistake_id repeats)
{
    const ic_log_reading found = ic_log_read(log, solver);
    const bool follows = found.cause == IC_MISTAKE_FIRED_AGAIN && repeats != IC_NO_MISTAKE;
    const ic_judged_value m = {(double)found.wrong, 0, "each entry must follow from the one before it",
                               follows ? repeats : found.cause};
    ic_write_measured(writer, IC_CHECK_SOLVER_LOG, &m, "contradictions in %zu events and the end%s%s",
                      ic_log_event_count(log), found.wrong > 0 ? "; first " : "", found.first);
}
