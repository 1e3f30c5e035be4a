/* SPDX-License-Identifier: MIT */
#include "core/event_loop.h"
#include "core/model.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Intervals between firings that are kept to recognise accumulation. */
enum { ACCUMULATION_MIN = 3 };
/* Accumulation is declared when what is left of the geometric series is below this many event tolerances: the
 * intervals are then still some hundred times longer than the error of their ends. */
#define ACCUMULATION_RESOLUTION 1000.0
/* An accumulation that drowns in rounding is extrapolated over this part of the typical time at most. */
#define MOST_EXTRAPOLATED 1e-3
/* Two events closer than this many units in the last place of their time are one instant. */
#define TIE_ULPS 4.0

/* A guard that has fired at this instant and not left zero since. */
typedef struct fired_guard {
    const ic_guard *guard;
    double value; /* when it fired */
    int to;       /* side that it passed to */
} fired_guard;

typedef struct loop {
    ic_phase phase;
    const ic_method *method;
    void *self;
    ic_options options;
    double *buffer; /* x, x_post, scale, located */
    double *x_post;
    size_t most_guards;
    int *next_occurrence;                /* of each time event */
    fired_guard fired[IC_CHAIN_MAX + 2]; /* in the order of firing */
    size_t n_fired;
    /* what fired last, for sequence numbers and accumulation */
    const ic_guard *last_guard;
    double last_t;
    int sequence, chain;
    double intervals[2];
    int firings; /* of last_guard, one after the other */
    double events;
    double time_scale; /* s */
} loop;

/* ---- services to methods */

double ic_phase_guard(const ic_phase *phase, size_t i, double t, const double *x)
{
    phase->work->guard_calls++;
    return phase->mode->guards[i].value(t, x, phase->problem->par);
}

double ic_phase_guard_rate(const ic_phase *phase, size_t i, double t, const double *x)
{
    phase->work->guard_calls++;
    return phase->mode->guards[i].rate(t, x, phase->problem->par);
}

bool ic_phase_enabled(const ic_phase *phase, size_t i, double t, const double *x)
{
    const ic_guard *guard = &phase->mode->guards[i];
    return guard->enabled == NULL || guard->enabled(t, x, phase->problem->par) > 0;
}

void ic_phase_flow(const ic_phase *phase, double *dxdt, double t, const double *x)
{
    phase->work->flow_calls++;
    phase->mode->flow(dxdt, t, x, phase->problem->par);
}

bool ic_fires(int direction, int to)
{
    return direction == 0 || direction == to;
}

double ic_phase_guard_rounding(const ic_phase *phase, size_t i, double t, const double *x, double *scratch)
{
    const double g = ic_phase_guard(phase, i, t, x);
    double sum = 0;
    memcpy(scratch, x, phase->n * sizeof *scratch);
    for (size_t k = 0; k < phase->n; k++) {
        scratch[k] += phase->scale[k];
        sum += fabs(ic_phase_guard(phase, i, t, scratch) - g);
        scratch[k] = x[k];
    }
    return TIE_ULPS * DBL_EPSILON * sum;
}

double ic_phase_tie(const ic_phase *phase)
{
    const double rounding = TIE_ULPS * DBL_EPSILON * fabs(phase->t);
    return phase->options->event_tol > rounding ? phase->options->event_tol : rounding;
}

static int sign(double value)
{
    return (value > 0) - (value < 0);
}

static bool all_finite(const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(x[i])) return false;
    }
    return true;
}

/* ---- set-up */

static size_t most_guards(const ic_variant *variant)
{
    size_t most = 1;
    for (size_t i = 0; i < variant->n_modes; i++) {
        if (variant->modes[i].n_guards > most) most = variant->modes[i].n_guards;
    }
    return most;
}

static void loop_close(loop *l)
{
    free(l->buffer);
    free(l->phase.arming);
    free(l->phase.due);
    free(l->phase.arrival);
    free(l->next_occurrence);
}

static ic_status loop_open(loop *l, ic_log *log, const ic_problem *problem, const ic_options *options)
{
    const size_t n = problem->system->n_states;
    l->options = ic_options_resolved(problem, options);
    l->most_guards = most_guards(problem->variant);
    l->buffer = calloc(3 * n + l->most_guards, sizeof *l->buffer);
    l->phase.arming = calloc(l->most_guards, sizeof *l->phase.arming);
    l->phase.due = calloc(2 * l->most_guards, sizeof *l->phase.due);
    l->phase.arrival = calloc(l->most_guards, sizeof *l->phase.arrival);
    l->next_occurrence = calloc(problem->variant->n_time_events + 1, sizeof *l->next_occurrence);
    if (l->buffer == NULL || l->phase.arming == NULL || l->phase.due == NULL || l->phase.arrival == NULL ||
        l->next_occurrence == NULL) {
        return IC_NO_MEMORY;
    }
    l->phase.problem = problem;
    l->phase.options = &l->options;
    l->phase.log = log;
    l->phase.work = ic_log_work(log);
    l->phase.n = n;
    l->phase.x = l->buffer;
    l->x_post = l->buffer + n;
    l->phase.scale = l->buffer + 2 * n;
    l->phase.located = l->buffer + 3 * n;
    l->phase.t = problem->t_start;
    l->last_t = NAN;
    l->time_scale = ic_time_scale(problem);
    ic_state_scales(problem, l->buffer + 2 * n);
    return IC_OK;
}

/* ---- arming (contract, clauses 2 and 3) */

static const ic_departure *declared(const ic_branch *branch, size_t guard)
{
    if (branch == NULL) return NULL;
    for (size_t i = 0; i < branch->n_departures; i++) {
        if ((size_t)branch->departures[i].guard == guard) return &branch->departures[i];
    }
    return NULL;
}

/* A guard that stands on zero is judged by its rate; with the rate zero as well, by where it then goes. */
static ic_arming judged_by_rate(const ic_phase *phase, size_t i)
{
    const int side = sign(ic_phase_guard_rate(phase, i, phase->t, phase->x));
    return (ic_arming){.side = side, .order = side == 0 ? 2 : 1};
}

/* After its own jump a guard may leave zero to any side; which one is only told for the sake of the method. */
static ic_arming disarmed(const ic_phase *phase, size_t i)
{
    const ic_arming arming = judged_by_rate(phase, i);
    return (ic_arming){.side = arming.side != 0 ? arming.side : 1, .order = arming.order};
}

/* Whether a guard whose value was `before` still stands there: it cannot be told from a zero located to within a tie. */
static bool stands_on_zero(const ic_phase *phase, const ic_guard *guard, double before)
{
    const double *par = phase->problem->par;
    const double beyond = fabs(guard->value(phase->t, phase->x, par)) - 2 * fabs(before);
    return beyond <= 0 || beyond <= 2 * fabs(guard->rate(phase->t, phase->x, par)) * ic_phase_tie(phase);
}

bool ic_same_guard(const ic_guard *a, const ic_guard *b)
{
    return a == b || (a->value == b->value && strcmp(a->name, b->name) == 0);
}

static bool has_fired_here(const loop *l, const ic_guard *guard)
{
    for (size_t i = 0; i < l->n_fired; i++) {
        if (ic_same_guard(l->fired[i].guard, guard)) return true;
    }
    return false;
}

/* The last to fire at this instant of the guards that are zero where this one is, or NULL. */
static const fired_guard *last_fired_on_zero_of(const loop *l, const ic_guard *guard)
{
    for (size_t i = l->n_fired; i-- > 0;) {
        if (l->fired[i].guard->value == guard->value) return &l->fired[i];
    }
    return NULL;
}

/* Whether a guard is disarmed by its own jump: not if another has since taken the point back across the zero of both. */
static bool is_disarmed(const loop *l, size_t i, const fired_guard *last)
{
    const ic_phase *phase = &l->phase;
    const ic_guard *guard = &phase->mode->guards[i];
    if (last == NULL || !has_fired_here(l, guard)) return false;
    return ic_same_guard(last->guard, guard) ||
           sign(ic_phase_guard_rate(phase, i, phase->t, phase->x)) == last->to;
}

static void forget_those_that_left(loop *l)
{
    size_t kept = 0;
    for (size_t i = 0; i < l->n_fired; i++) {
        if (stands_on_zero(&l->phase, l->fired[i].guard, l->fired[i].value)) l->fired[kept++] = l->fired[i];
    }
    l->n_fired = kept;
}

static ic_status arm(loop *l, const ic_branch *branch)
{
    ic_phase *phase = &l->phase;
    forget_those_that_left(l);
    for (size_t i = 0; i < phase->mode->n_guards; i++) {
        const double g = ic_phase_guard(phase, i, phase->t, phase->x);
        const ic_departure *departure = declared(branch, i);
        const fired_guard *last = last_fired_on_zero_of(l, &phase->mode->guards[i]);
        if (!isfinite(g)) {
            ic_log_message(phase->log, "guard '%s' is not finite at t = %.17g", phase->mode->guards[i].name,
                           phase->t);
            return IC_NOT_FINITE;
        }
        phase->due[i] = false;
        if (departure != NULL) {
            phase->arming[i] = (ic_arming){.side = departure->side, .order = departure->order};
        } else if (is_disarmed(l, i, last)) {
            phase->arming[i] = disarmed(phase, i);
        } else if (g == 0 || last != NULL) { /* it stands where that one does, whatever rounding says */
            phase->arming[i] = judged_by_rate(phase, i);
            phase->due[i] = phase->arming[i].side != 0 &&
                            phase->arming[i].side == phase->mode->guards[i].direction &&
                            ic_phase_enabled(phase, i, phase->t, phase->x);
        } else {
            phase->arming[i] = (ic_arming){.side = sign(g)};
        }
    }
    return IC_OK;
}

/* First guard that is to fire before any time passes, or -1. */
static int due_at_once(const loop *l)
{
    for (size_t i = 0; i < l->phase.mode->n_guards; i++) {
        if (l->phase.due[i]) return (int)i;
    }
    return -1;
}

/* ---- jumps */

static ic_status apply(loop *l, const ic_jump *jump, const char *name, const ic_branch **taken, int *mode_to)
{
    ic_phase *phase = &l->phase;
    const ic_variant *variant = phase->problem->variant;
    const int branch = jump->apply(l->x_post, phase->t, phase->x, phase->problem->par);
    if (jump == &variant->start && branch == IC_NO_START) {
        ic_log_message(phase->log, "these parameters describe no possible start: %s", variant->meaning);
        return IC_INVALID;
    }
    if (branch < 0 || (size_t)branch >= jump->n_branches) {
        ic_log_message(phase->log, "the jump of '%s' returned branch %d of %zu", name, branch,
                       jump->n_branches);
        return IC_INVALID;
    }
    *taken = &jump->branches[branch];
    *mode_to = (*taken)->mode == IC_SAME_MODE ? phase->mode_index : (*taken)->mode;
    if (*mode_to < 0 || (size_t)*mode_to >= variant->n_modes) {
        ic_log_message(phase->log, "the jump of '%s' leads to mode %d of %zu", name, *mode_to,
                       variant->n_modes);
        return IC_INVALID;
    }
    if (!all_finite(l->x_post, phase->n)) {
        const ic_law *law = variant->law;
        const bool has_limit = law != NULL && law->n_requirements > 0;
        ic_log_message(phase->log, "the jump of '%s' at t = %.17g gives a state that is not finite%s%s", name,
                       phase->t, has_limit ? "; " : "", has_limit ? law->requirements[0].meaning : "");
        return IC_NOT_FINITE;
    }
    return IC_OK;
}

static void enter(loop *l, int mode)
{
    l->phase.mode_index = mode;
    l->phase.mode = &l->phase.problem->variant->modes[mode];
    memcpy(l->phase.x, l->x_post, l->phase.n * sizeof *l->x_post);
}

static ic_status record(loop *l, ic_event_kind kind, const char *name, int mode_to)
{
    ic_phase *phase = &l->phase;
    const bool same_instant = fabs(phase->t - l->last_t) <= TIE_ULPS * DBL_EPSILON * fabs(phase->t);
    l->sequence = same_instant ? l->sequence + 1 : 0;
    l->chain = phase->t == l->last_t ? l->chain + 1 : 0;
    if (same_instant) phase->t = l->last_t;
    l->last_t = phase->t;
    const ic_event event = {kind, name, phase->t, l->sequence, phase->mode_index, mode_to, phase->x, l->x_post};
    if (phase->options->extremes) {
        ic_log_extremes(phase->log, phase->t, phase->mode_index, phase->x);
        ic_log_extremes(phase->log, phase->t, mode_to, l->x_post);
    }
    if (++l->events > phase->options->max_steps) return IC_TOO_MUCH_WORK;
    return ic_log_event(phase->log, &event);
}

/* Pass over what is left of a geometric series with the flow of the mode entered; from the left the state tends to the same
 * limit. */
static void pass_over(loop *l, int mode_to, double rest)
{
    ic_phase *phase = &l->phase;
    double flow[IC_MAX_STATES];
    phase->work->flow_calls++;
    phase->problem->variant->modes[mode_to].flow(flow, phase->t, l->x_post, phase->problem->par);
    for (size_t i = 0; i < phase->n; i++) l->x_post[i] += rest * flow[i];
    memcpy(phase->x, l->x_post, phase->n * sizeof *l->x_post);
    phase->t += rest;
}

/* rest: what is left until the limit of an accumulation, s; else 0. */
static ic_status transition(loop *l, const ic_jump *jump, ic_event_kind kind, const char *name, double rest)
{
    const ic_branch *taken = NULL;
    int mode_to = 0;
    ic_status status = apply(l, jump, name, &taken, &mode_to);
    if (status == IC_OK && rest > 0) pass_over(l, mode_to, rest);
    if (status == IC_OK) status = record(l, kind, name, mode_to);
    if (status != IC_OK) return status;
    if (l->chain > IC_CHAIN_MAX) {
        ic_log_message(l->phase.log, "more than %d jumps at t = %.17g, the last by '%s'", IC_CHAIN_MAX,
                       l->phase.t, name);
        return IC_CHAIN;
    }
    enter(l, mode_to);
    return arm(l, taken);
}

/* ---- accumulation (clause 6) */

/* What is left until the limit, if the last firings of the guard form a geometric series that is as good as ended: below the
 * resolution of time, or because the guard's excursions between firings drown in its own rounding. */
static bool accumulates(loop *l, size_t i, double *rest)
{
    const ic_phase *phase = &l->phase;
    const ic_guard *guard = &phase->mode->guards[i];
    const double interval = phase->t - l->last_t;
    if (l->last_guard == NULL || !ic_same_guard(guard, l->last_guard)) {
        l->firings = 1;
        l->last_guard = guard;
        return false;
    }
    l->intervals[0] = l->intervals[1];
    l->intervals[1] = interval;
    if (++l->firings <= ACCUMULATION_MIN || !(interval < l->intervals[0])) return false;
    const double ratio = interval / l->intervals[0];
    *rest = interval * ratio / (1 - ratio);
    if (*rest <= ACCUMULATION_RESOLUTION * ic_phase_tie(phase)) return true;
    const double excursion = interval * fabs(guard->rate(phase->t, phase->x, phase->problem->par));
    return *rest <= MOST_EXTRAPOLATED * l->time_scale &&
           excursion <= ic_phase_guard_rounding(phase, i, phase->t, phase->x, l->x_post);
}

static void remember(loop *l, const ic_guard *guard)
{
    const ic_phase *phase = &l->phase;
    const double *par = phase->problem->par;
    if (phase->t != l->last_t) l->n_fired = 0;
    if (l->n_fired == IC_COUNT(l->fired)) return;
    const int to = guard->direction != 0 ? guard->direction : sign(guard->rate(phase->t, phase->x, par));
    l->fired[l->n_fired++] = (fired_guard){guard, guard->value(phase->t, phase->x, par), to};
}

static ic_status fire(loop *l, int i)
{
    ic_phase *phase = &l->phase;
    const ic_guard *guard = &phase->mode->guards[i];
    double rest = 0;
    remember(l, guard);
    if (!accumulates(l, (size_t)i, &rest)) return transition(l, &guard->jump, IC_EVENT_GUARD, guard->name, 0);
    if (guard->accumulation.apply != NULL) {
        l->firings = 0;
        l->last_guard = NULL;
        return transition(l, &guard->accumulation, IC_EVENT_ACCUMULATION, guard->name, rest);
    }
    phase->t += rest;
    ic_log_message(phase->log, "firings of '%s' accumulate at t = %.17g", guard->name, phase->t);
    return IC_ZENO;
}

/* ---- simultaneity (clause 4) */

/* Index in the present mode of a guard that was due in the mode before, if it is still to fire; else -1. */
static int still_due(const loop *l, const ic_guard *guard, double value_before)
{
    const ic_phase *phase = &l->phase;
    for (size_t i = 0; i < phase->mode->n_guards; i++) {
        const ic_guard *candidate = &phase->mode->guards[i];
        if (!ic_same_guard(candidate, guard)) continue;
        const double rate = candidate->rate(phase->t, phase->x, phase->problem->par);
        const bool moving = rate != 0 && ic_fires(candidate->direction, sign(rate));
        if (moving && stands_on_zero(phase, candidate, value_before)) return (int)i;
    }
    return -1;
}

/* ---- time events (clause 9) */

static double next_time_event(const loop *l, size_t *which)
{
    const ic_variant *variant = l->phase.problem->variant;
    double next = INFINITY;
    for (size_t i = 0; i < variant->n_time_events; i++) {
        const double t = variant->time_events[i].when(l->next_occurrence[i], l->phase.problem->par);
        if (t < next) next = t, *which = i;
    }
    return next;
}

/* Occurrences before the start are past. */
static void skip_past_time_events(loop *l)
{
    const ic_variant *variant = l->phase.problem->variant;
    for (size_t i = 0; i < variant->n_time_events; i++) {
        while (variant->time_events[i].when(l->next_occurrence[i], l->phase.problem->par) < l->phase.t) {
            l->next_occurrence[i]++;
        }
    }
}

static ic_status fire_time_event(loop *l, size_t which)
{
    const ic_time_event *event = &l->phase.problem->variant->time_events[which];
    l->next_occurrence[which]++;
    l->last_guard = NULL;
    return transition(l, &event->jump, IC_EVENT_TIME, event->name, 0);
}

/* ---- what happens at one instant: a time event first, then the guards that are due, in table order */

#define NO_TIME_EVENT SIZE_MAX

static ic_status fire_all_due(loop *l, size_t time_event)
{
    ic_phase *phase = &l->phase;
    const ic_guard *const table = phase->mode->guards;
    const size_t count = phase->mode->n_guards;
    const int first = time_event == NO_TIME_EVENT ? phase->fired : -1;
    bool *pending = phase->due + l->most_guards;
    for (size_t i = 0; i < count; i++) {
        pending[i] = ((int)i == phase->fired || phase->due[i]) && (int)i != first;
        if (pending[i]) phase->located[i] = table[i].value(phase->t, phase->x, phase->problem->par);
        phase->due[i] = false;
    }
    ic_status status = first >= 0 ? fire(l, first) : fire_time_event(l, time_event);
    for (size_t i = 0; i < count && status == IC_OK; i++) {
        if (!pending[i]) continue;
        const int again = still_due(l, &table[i], phase->located[i]);
        if (again >= 0 && ic_phase_enabled(phase, (size_t)again, phase->t, phase->x)) status = fire(l, again);
    }
    return status;
}

/* ---- the loop */

static ic_status start(loop *l)
{
    ic_phase *phase = &l->phase;
    const ic_problem *problem = phase->problem;
    const ic_branch *taken = NULL;
    int mode = problem->mode_start;
    if (problem->x_start != NULL) {
        memcpy(l->x_post, problem->x_start, phase->n * sizeof *l->x_post);
    } else {
        const ic_status status = apply(l, &problem->variant->start, "start", &taken, &mode);
        if (status != IC_OK) return status;
    }
    enter(l, mode);
    ic_log_final(phase->log, phase->t, mode, phase->x);
    if (phase->options->extremes) ic_log_extremes(phase->log, phase->t, mode, phase->x);
    if (phase->options->samples > 0) {
        const ic_status status = ic_log_sample(phase->log, phase->t, mode, phase->x);
        if (status != IC_OK) return status;
    }
    skip_past_time_events(l);
    return arm(l, taken);
}

/* Let the method follow the phase to its end, and fire what is due there. */
static ic_status advance(loop *l, double t_event, size_t which)
{
    ic_phase *phase = &l->phase;
    const double t_end = phase->problem->t_end;
    phase->t_stop = fmin(t_event, t_end);
    ic_status status = l->method->begin(l->self, phase);
    if (status == IC_OK) status = l->method->advance(l->self, phase);
    if (status != IC_OK || phase->fired < 0) return status;
    const bool event_precedes = t_event <= t_end && t_event - phase->t <= ic_phase_tie(phase);
    if (event_precedes) phase->t = t_event;
    return fire_all_due(l, event_precedes ? which : NO_TIME_EVENT);
}

static ic_status follow(loop *l)
{
    ic_phase *phase = &l->phase;
    const double t_end = phase->problem->t_end;
    ic_status status = IC_OK;
    while (status == IC_OK && !phase->mode->terminal) {
        size_t which = 0;
        const double t_event = next_time_event(l, &which);
        phase->fired = due_at_once(l);
        if (t_event <= phase->t && phase->t < t_end) status = fire_time_event(l, which);
        else if (phase->fired >= 0) status = fire_all_due(l, NO_TIME_EVENT);
        else if (phase->t >= t_end) break;
        else status = advance(l, t_event, which);
    }
    return status;
}

ic_status ic_event_loop(ic_log *log, const ic_problem *problem, const ic_options *options,
                        const ic_method *method, void *self)
{
    loop l = {.method = method, .self = self};
    ic_status status = loop_open(&l, log, problem, options);
    if (status == IC_OK) status = start(&l);
    if (status == IC_OK) status = follow(&l);
    if (l.phase.mode != NULL) {
        if (l.options.extremes) ic_log_extremes(log, l.phase.t, l.phase.mode_index, l.phase.x);
        ic_log_final(log, l.phase.t, l.phase.mode_index, l.phase.x);
    }
    if (status != IC_OK && ic_log_text(log)[0] == '\0') {
        ic_log_message(log, "at t = %.17g in mode '%s'", l.phase.t,
                       l.phase.mode != NULL ? l.phase.mode->name : "none");
    }
    loop_close(&l);
    return status;
}
