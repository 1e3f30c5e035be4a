/* SPDX-License-Identifier: MIT */
#include "core/event_loop.h"
#include "core/model.h"
#include "core/room.h"

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
    ic_watch watch;
    double value; /* when it fired */
    int to;       /* side that it passed to */
} fired_guard;

/* A guard that is due at this instant and has not fired yet. */
typedef struct pending_guard {
    ic_watch watch;
    double value;
} pending_guard;

/* What a firing does: a jump of the case, or a handler of the set. */
typedef struct action {
    ic_event_kind kind;
    const char *name;
    const ic_jump *jump;
    ic_handler *handler; /* where there is no jump; NULL: nothing */
    void *context;
    ic_event_id id;
    double rest;  /* s; what is left until the limit of an accumulation */
    bool at_once; /* it was due before the first jump of this instant: clause 15 */
} action;

typedef struct loop {
    ic_phase phase;
    const ic_method *method;
    void *self;
    ic_options options;
    double *buffer; /* x, x_post, scale, located */
    double *x_post;
    size_t room;                /* rows of what the phase has for each guard */
    ic_event_set *set, own_set; /* the user's, or else the loop's own */
    fired_guard *fired;         /* in the order of firing */
    size_t n_fired, fired_room;
    pending_guard *pending; /* likewise; `room` of them */
    /* what has happened at this instant, until guards are armed anew */
    bool changed;            /* state or mode */
    double armed;            /* s; when they were last armed */
    const ic_branch *branch; /* that the last jump has taken */
    bool stopped;            /* by a handler */
    /* what happened last, for sequence numbers */
    double last_t;
    int sequence, chain;
    double events;
    /* accumulation */
    ic_watch last; /* guard that fired last, and changed something */
    double last_firing, intervals[2];
    int firings; /* one after the other */
} loop;

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

static void free_scratch(loop *l)
{
    free(l->phase.due);
    free(l->phase.located);
    free(l->phase.arrival);
    free(l->pending);
}

/* Rows for n guards. How guards are armed stays, the rest is scratch. */
static ic_status make_rows(loop *l, size_t n)
{
    ic_phase *phase = &l->phase;
    if (n <= l->room) return IC_OK;
    const size_t room = n + n / 2;
    ic_arming *arming = realloc(phase->arming, room * sizeof *arming);
    if (arming == NULL) return IC_NO_MEMORY;
    memset(arming + l->room, 0, (room - l->room) * sizeof *arming); /* not armed yet */
    phase->arming = arming;
    free_scratch(l);
    phase->due = calloc(room, sizeof *phase->due);
    phase->located = calloc(room, sizeof *phase->located);
    phase->arrival = calloc(room, sizeof *phase->arrival);
    l->pending = calloc(room, sizeof *l->pending);
    if (phase->due == NULL || phase->located == NULL || phase->arrival == NULL || l->pending == NULL)
        return IC_NO_MEMORY;
    l->room = room;
    return IC_OK;
}

static void loop_close(loop *l)
{
    if (l->set != NULL) ic_event_set_end(l->set);
    if (l->set == &l->own_set) ic_event_set_release(l->set);
    free(l->buffer);
    free(l->phase.arming);
    free_scratch(l);
    free(l->fired);
}

static ic_status loop_open(loop *l, ic_log *log, const ic_problem *problem, const ic_options *options)
{
    const size_t n = problem->system->n_states;
    l->options = ic_options_resolved(problem, options);
    l->buffer = calloc(5 * n, sizeof *l->buffer);
    if (l->buffer == NULL) return IC_NO_MEMORY;
    l->phase.problem = problem;
    l->phase.options = &l->options;
    l->phase.log = log;
    l->phase.work = ic_log_work(log);
    l->phase.n = n;
    l->phase.x = l->buffer;
    l->x_post = l->buffer + n;
    l->phase.scale = l->buffer + 2 * n;
    l->phase.rates = l->buffer + 3 * n;
    l->phase.t = problem->t_start;
    l->last_t = l->last_firing = NAN;
    l->phase.time_scale = ic_time_scale(problem);
    ic_state_scales(problem, l->buffer + 2 * n);
    ic_event_set *set = options->events != NULL ? options->events : &l->own_set;
    const ic_status begun = ic_event_set_begin(set, problem, l->method->observes, log);
    if (begun != IC_INVALID && begun != IC_UNSUPPORTED) l->set = set;
    return begun;
}

/* ---- what is watched */

/* The table of guards after a change of mode or of the set. How observers were armed goes with them. */
static ic_status make_table(loop *l)
{
    ic_phase *phase = &l->phase;
    const size_t n_guards = phase->mode->n_guards;
    size_t n = 0;
    phase->observers = ic_event_set_observers(l->set, &n);
    const ic_status status = make_rows(l, n_guards + n);
    if (status != IC_OK) return status;
    phase->n_watched = n_guards + n;
    return IC_OK;
}

/* What is known of observers is kept with them, since their rows may change. */
static void put_aside(loop *l)
{
    ic_phase *phase = &l->phase;
    for (size_t i = phase->mode->n_guards; i < phase->n_watched; i++) {
        ic_entry *observer = phase->observers[i - phase->mode->n_guards];
        observer->side = phase->arming[i].side;
        observer->order = phase->arming[i].order;
    }
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
static bool stands_on_zero(const ic_phase *phase, ic_watch watch, double before)
{
    const double beyond = fabs(ic_watch_value(phase, watch, phase->t, phase->x)) - 2 * fabs(before);
    return beyond <= 0 ||
           beyond <= 2 * fabs(ic_watch_rate(phase, watch, phase->t, phase->x)) * ic_phase_tie(phase);
}

static bool has_fired_here(const loop *l, ic_watch watch)
{
    for (size_t i = 0; i < l->n_fired; i++) {
        if (ic_same_watch(l->fired[i].watch, watch)) return true;
    }
    return false;
}

/* The last to fire at this instant of the guards that are zero where this one is, or NULL. */
static const fired_guard *last_fired_on_zero_of(const loop *l, ic_watch watch)
{
    for (size_t i = l->n_fired; i-- > 0;) {
        if (ic_same_function(l->fired[i].watch, watch)) return &l->fired[i];
    }
    return NULL;
}

/* Whether a guard is disarmed by its own jump: not if another has since taken the point back across the zero of both. */
static bool is_disarmed(const loop *l, size_t i, const fired_guard *last)
{
    const ic_phase *phase = &l->phase;
    const ic_watch watch = ic_phase_watch(phase, i);
    if (last == NULL || !has_fired_here(l, watch)) return false;
    return ic_same_watch(last->watch, watch) ||
           sign(ic_phase_guard_rate(phase, i, phase->t, phase->x)) == last->to;
}

static void forget_those_that_left(loop *l)
{
    size_t kept = 0;
    for (size_t i = 0; i < l->n_fired; i++) {
        if (stands_on_zero(&l->phase, l->fired[i].watch, l->fired[i].value)) l->fired[kept++] = l->fired[i];
    }
    l->n_fired = kept;
}

/*
 * Clause 14, where nothing but the log has changed since the guard was last armed: a departure that cannot be told from its zero
 * goes on as it was.
 */
static bool goes_on(loop *l, size_t i, double g)
{
    const ic_phase *phase = &l->phase;
    const int order = phase->arming[i].order;
    if (l->changed || order == 0) return false;
    if (order == 1) return phase->t - l->armed <= 2 * ic_phase_tie(phase);
    return fabs(g) <= ic_phase_guard_rounding(phase, i, phase->t, phase->x, l->x_post);
}

/* The side that a guard has come from, where nothing but the log has changed; else 0. */
static int side_before(const loop *l, size_t i)
{
    const ic_arming arming = l->phase.arming[i];
    return l->changed || arming.order > 0 ? 0 : arming.side;
}

/* Whether a guard stands on zero: as one of the same function does that has fired, whatever rounding says; or newly made there. */
static bool is_at_zero(const loop *l, ic_watch watch, double g, const fired_guard *last)
{
    const ic_phase *phase = &l->phase;
    if (g == 0 || last != NULL) return true;
    if (watch.observer == NULL || watch.observer->since != l->set->instant || l->set->instant == 0)
        return false;
    return fabs(g) <= 2 * fabs(ic_watch_rate(phase, watch, phase->t, phase->x)) * ic_phase_tie(phase);
}

static ic_status arm_guard(loop *l, size_t i)
{
    ic_phase *phase = &l->phase;
    const ic_watch watch = ic_phase_watch(phase, i);
    const int direction = ic_watch_direction(watch), before = side_before(l, i);
    const double g = ic_phase_guard(phase, i, phase->t, phase->x);
    const ic_departure *departure = declared(l->branch, i);
    const fired_guard *last = last_fired_on_zero_of(l, watch);
    if (!isfinite(g)) {
        ic_log_message(phase->log, "guard '%s' is not finite at t = %.17g", ic_watch_name(watch), phase->t);
        return IC_NOT_FINITE;
    }
    phase->due[i] = false;
    if (departure != NULL) {
        phase->arming[i] = (ic_arming){.side = departure->side, .order = departure->order};
    } else if (is_disarmed(l, i, last)) {
        phase->arming[i] = disarmed(phase, i);
    } else if (goes_on(l, i, g)) {
        return IC_OK;
    } else if (is_at_zero(l, watch, g, last)) {
        const ic_arming now = phase->arming[i] = judged_by_rate(phase, i);
        const bool crosses = now.side == direction || (direction == 0 && before == -now.side);
        phase->due[i] = now.side != 0 && crosses && ic_phase_enabled(phase, i, phase->t, phase->x);
    } else {
        phase->arming[i] = (ic_arming){.side = sign(g)};
    }
    return IC_OK;
}

/* After all that happens at one instant, or happens there before something else is due. */
static ic_status arm(loop *l)
{
    ic_phase *phase = &l->phase;
    ic_status status = make_table(l);
    forget_those_that_left(l);
    for (size_t i = 0; i < phase->n_watched && status == IC_OK; i++) {
        ic_entry *observer = ic_phase_watch(phase, i).observer;
        if (observer != NULL) phase->arming[i] = (ic_arming){.side = observer->side, .order = observer->order};
        status = arm_guard(l, i);
    }
    l->branch = NULL;
    l->changed = false;
    l->armed = phase->t;
    return status;
}

/* First guard that is to fire before any time passes, or -1. */
static int due_at_once(const loop *l)
{
    for (size_t i = 0; i < l->phase.n_watched; i++) {
        if (l->phase.due[i]) return (int)i;
    }
    return -1;
}

/* ---- jumps */

static ic_status mode_exists(const loop *l, const char *name, int mode)
{
    const size_t n_modes = l->phase.problem->variant->n_modes;
    if (mode >= 0 && (size_t)mode < n_modes) return IC_OK;
    ic_log_message(l->phase.log, "the jump of '%s' leads to mode %d of %zu", name, mode, n_modes);
    return IC_INVALID;
}

static ic_status is_a_state(const loop *l, const char *name)
{
    const ic_phase *phase = &l->phase;
    if (all_finite(l->x_post, phase->n)) return IC_OK;
    const ic_law *law = phase->problem->variant->law;
    const bool has_limit = law != NULL && law->n_requirements > 0;
    ic_log_message(phase->log, "the jump of '%s' at t = %.17g gives a state that is not finite%s%s", name,
                   phase->t, has_limit ? "; " : "", has_limit ? law->requirements[0].meaning : "");
    return IC_NOT_FINITE;
}

static ic_status apply(loop *l, const ic_jump *jump, const char *name, int *mode_to)
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
    l->branch = &jump->branches[branch];
    *mode_to = l->branch->mode == IC_SAME_MODE ? phase->mode_index : l->branch->mode;
    const ic_status status = mode_exists(l, name, *mode_to);
    return status == IC_OK ? is_a_state(l, name) : status;
}

/* The handler of the set in place of a jump. */
static ic_status handle(loop *l, const action *a, int *mode_to)
{
    ic_phase *phase = &l->phase;
    ic_firing firing = {.events = l->set,
                        .id = a->id,
                        .problem = phase->problem,
                        .t = phase->t,
                        .mode = phase->mode_index,
                        .x = phase->x,
                        .mode_post = phase->mode_index,
                        .x_post = l->x_post};
    memcpy(l->x_post, phase->x, phase->n * sizeof *l->x_post);
    *mode_to = phase->mode_index;
    if (a->handler == NULL) return IC_OK;
    l->set->closed = false;
    const ic_status answer = a->handler(&firing, a->context);
    l->set->closed = true;
    if (answer != IC_OK) {
        ic_log_message(phase->log, "the handler of '%s' stopped the run at t = %.17g: %s", a->name, phase->t,
                       ic_status_text(answer));
        return answer;
    }
    l->stopped = firing.stop;
    *mode_to = firing.mode_post;
    const ic_status status = mode_exists(l, a->name, *mode_to);
    return status == IC_OK ? is_a_state(l, a->name) : status;
}

static void enter(loop *l, int mode)
{
    l->phase.mode_index = mode;
    l->phase.mode = &l->phase.problem->variant->modes[mode];
    memcpy(l->phase.x, l->x_post, l->phase.n * sizeof *l->x_post);
}

static ic_status record(loop *l, const action *a, int mode_to)
{
    ic_phase *phase = &l->phase;
    const bool same_instant = fabs(phase->t - l->last_t) <= TIE_ULPS * DBL_EPSILON * fabs(phase->t);
    l->sequence = same_instant ? l->sequence + 1 : 0;
    if (phase->t != l->last_t) l->chain = 0;
    else if (!a->at_once) l->chain++;
    if (same_instant) phase->t = l->last_t;
    l->last_t = l->set->now = phase->t;
    const ic_event event = {a->kind,           a->name, phase->t, l->sequence,
                            phase->mode_index, mode_to, phase->x, l->x_post};
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

/* Whether an action has changed more than the log and the set. */
static bool has_changed(const loop *l, const action *a, int mode_to)
{
    const bool declares = a->jump != NULL && l->branch->n_departures > 0;
    return declares || mode_to != l->phase.mode_index ||
           memcmp(l->x_post, l->phase.x, l->phase.n * sizeof *l->x_post) != 0;
}

/* Guards are armed when all that is due at this instant has fired. *changed: as above. */
static ic_status transition(loop *l, const action *a, bool *changed)
{
    int mode_to = 0;
    ic_status status = a->jump != NULL ? apply(l, a->jump, a->name, &mode_to) : handle(l, a, &mode_to);
    if (status == IC_OK) *changed = has_changed(l, a, mode_to);
    if (status == IC_OK && a->rest > 0) pass_over(l, mode_to, a->rest);
    if (status == IC_OK) status = record(l, a, mode_to);
    if (status != IC_OK) return status;
    if (l->chain > IC_CHAIN_MAX) {
        ic_log_message(l->phase.log, "more than %d jumps at t = %.17g, the last by '%s'", IC_CHAIN_MAX,
                       l->phase.t, a->name);
        return IC_CHAIN;
    }
    if (!*changed) return IC_OK;
    l->changed = true;
    enter(l, mode_to);
    forget_those_that_left(l);
    return IC_OK;
}

/* ---- accumulation (clause 6) */

/* What is left until the limit, if the last firings of the guard form a geometric series that is as good as ended: below the
 * resolution of time, or because the guard's excursions between firings drown in its own rounding. */
static bool accumulates(loop *l, ic_watch watch, double *rest)
{
    const ic_phase *phase = &l->phase;
    const double interval = phase->t - l->last_firing;
    const bool again = l->firings > 0 && ic_same_watch(watch, l->last);
    l->last_firing = phase->t;
    if (!again) {
        l->firings = 1;
        l->last = watch;
        return false;
    }
    l->intervals[0] = l->intervals[1];
    l->intervals[1] = interval;
    if (++l->firings <= ACCUMULATION_MIN || !(interval < l->intervals[0])) return false;
    const double ratio = interval / l->intervals[0];
    *rest = interval * ratio / (1 - ratio);
    if (*rest <= ACCUMULATION_RESOLUTION * ic_phase_tie(phase)) return true;
    const double excursion = interval * fabs(ic_watch_rate(phase, watch, phase->t, phase->x));
    return *rest <= MOST_EXTRAPOLATED * phase->time_scale &&
           excursion <= ic_watch_rounding(phase, watch, phase->t, phase->x, l->x_post);
}

/* An instant begins: what has fired before, and what was removed, is of no concern any more. */
static void begin_instant(loop *l)
{
    if (l->phase.t == l->set->now && l->set->instant > 0) return;
    l->n_fired = 0;
    l->set->now = l->phase.t;
    l->set->instant++;
}

static ic_status remember(loop *l, ic_watch watch)
{
    const ic_phase *phase = &l->phase;
    const int direction = ic_watch_direction(watch);
    fired_guard *fired = ic_with_room(l->fired, &l->fired_room, l->n_fired, sizeof *fired);
    if (fired == NULL) return IC_NO_MEMORY;
    l->fired = fired;
    const int to = direction != 0 ? direction : sign(ic_watch_rate(phase, watch, phase->t, phase->x));
    l->fired[l->n_fired++] = (fired_guard){watch, ic_watch_value(phase, watch, phase->t, phase->x), to};
    return IC_OK;
}

static action action_of(ic_watch watch)
{
    const ic_entry *o = watch.observer;
    if (o == NULL)
        return (action){.kind = IC_EVENT_GUARD, .name = watch.guard->name, .jump = &watch.guard->jump};
    return (action){
        .kind = IC_EVENT_GUARD, .name = o->name, .handler = o->handler, .context = o->context, .id = o->id};
}

/* What is applied at the limit of infinitely many firings. false: there is nothing. */
static bool limit_of(ic_watch watch, action *a)
{
    a->kind = IC_EVENT_ACCUMULATION;
    if (watch.observer != NULL) a->handler = watch.observer->observer.accumulated;
    else a->jump = &watch.guard->accumulation;
    return watch.observer != NULL ? a->handler != NULL : a->jump->apply != NULL;
}

static ic_status fire(loop *l, ic_watch watch, bool at_once)
{
    ic_phase *phase = &l->phase;
    action a = action_of(watch);
    bool changed = false;
    a.at_once = at_once;
    begin_instant(l);
    ic_status status = remember(l, watch);
    if (status != IC_OK) return status;
    const bool counts = watch.observer == NULL || watch.observer->changes; /* clause 14 */
    if (counts && accumulates(l, watch, &a.rest)) {
        if (!limit_of(watch, &a)) {
            phase->t += a.rest;
            ic_log_message(phase->log, "firings of '%s' accumulate at t = %.17g", a.name, phase->t);
            return IC_ZENO;
        }
        l->firings = 0;
    } else {
        a.rest = 0;
    }
    status = transition(l, &a, &changed);
    if (watch.observer != NULL && changed && !watch.observer->changes) {
        watch.observer->changes = true;
        l->firings = 0;
    }
    return status;
}

/* ---- simultaneity (clause 4) */

static bool is_over(const loop *l)
{
    return l->stopped || l->phase.mode->terminal;
}

/* What a guard that was due is in the present mode; both NULL: nothing. */
static ic_watch counterpart(const loop *l, ic_watch watch)
{
    const ic_mode *mode = l->phase.mode;
    if (watch.observer != NULL) return watch.observer->armed ? watch : (ic_watch){0};
    for (size_t i = 0; i < mode->n_guards; i++) {
        if (ic_same_guard(&mode->guards[i], watch.guard)) return (ic_watch){.guard = &mode->guards[i]};
    }
    return (ic_watch){0};
}

static bool is_still_due(const loop *l, ic_watch watch, double value_before)
{
    const ic_phase *phase = &l->phase;
    if (watch.guard == NULL && watch.observer == NULL) return false;
    const double rate = ic_watch_rate(phase, watch, phase->t, phase->x);
    return rate != 0 && ic_fires(ic_watch_direction(watch), sign(rate)) &&
           stands_on_zero(phase, watch, value_before) && ic_watch_enabled(phase, watch, phase->t, phase->x);
}

/* The guards that the method has found to be due, the one that it names first. */
static size_t collect(loop *l)
{
    ic_phase *phase = &l->phase;
    size_t n = 0;
    for (size_t i = 0; i <= phase->n_watched; i++) {
        const size_t row = i == 0 ? (size_t)phase->fired : i - 1;
        if (i > 0 && (!phase->due[row] || (int)row == phase->fired)) continue;
        const ic_watch watch = ic_phase_watch(phase, row);
        l->pending[n++] = (pending_guard){watch, ic_watch_value(phase, watch, phase->t, phase->x)};
    }
    return n;
}

/* ---- time events (clause 9) */

static ic_status fire_timed(loop *l, ic_entry *entry)
{
    action a = {.kind = IC_EVENT_TIME, .name = entry->name, .context = entry->context, .id = entry->id};
    bool changed = false;
    begin_instant(l);
    if (entry->kind == IC_ENTRY_OF_CASE) a.jump = &entry->of_case->jump;
    else a.handler = entry->handler;
    a.at_once = entry->kind == IC_ENTRY_TIMED && entry->made != l->set->instant;
    ic_event_set_occurred(l->set, entry);
    const ic_status status = transition(l, &a, &changed);
    if (changed) l->firings = 0;
    return status;
}

static ic_status fire_all_timed(loop *l)
{
    ic_status status = IC_OK;
    for (ic_entry *next = ic_event_set_next(l->set);
         status == IC_OK && !is_over(l) && next != NULL && next->t <= l->phase.t;
         next = ic_event_set_next(l->set))
        status = fire_timed(l, next);
    return status;
}

/* ---- what happens at one instant: time events first, then the guards that are due, in the order of the table */

/* No pointer stays to what handlers have removed. */
static void sweep(loop *l)
{
    size_t kept = 0;
    for (size_t i = 0; i < l->n_fired; i++) {
        const ic_entry *o = l->fired[i].watch.observer;
        if (o == NULL || !o->removed) l->fired[kept++] = l->fired[i];
    }
    l->n_fired = kept;
    if (l->last.observer != NULL && l->last.observer->removed) {
        l->last = (ic_watch){0};
        l->firings = 0;
    }
    ic_event_set_sweep(l->set);
}

/* phase->fired, with what else is due; -1: none. */
static ic_status fire_all_due(loop *l, bool timed)
{
    ic_phase *phase = &l->phase;
    const size_t n = phase->fired >= 0 ? collect(l) : 0;
    ic_status status = IC_OK;
    put_aside(l);
    if (timed) status = fire_all_timed(l);
    for (size_t i = 0; i < n && status == IC_OK && !is_over(l); i++) {
        const bool first = i == 0 && !timed;
        const ic_watch watch = first ? l->pending[i].watch : counterpart(l, l->pending[i].watch);
        if (first || is_still_due(l, watch, l->pending[i].value)) status = fire(l, watch, !first);
    }
    if (status != IC_OK || l->stopped) return status;
    sweep(l);
    return arm(l);
}

/* ---- the loop */

static ic_status start(loop *l)
{
    ic_phase *phase = &l->phase;
    const ic_problem *problem = phase->problem;
    int mode = problem->mode_start;
    if (problem->x_start != NULL) {
        memcpy(l->x_post, problem->x_start, phase->n * sizeof *l->x_post);
    } else {
        const ic_status status = apply(l, &problem->variant->start, "start", &mode);
        if (status != IC_OK) return status;
    }
    enter(l, mode);
    ic_log_final(phase->log, phase->t, mode, phase->x);
    if (phase->options->extremes) ic_log_extremes(phase->log, phase->t, mode, phase->x);
    if (phase->options->samples > 0) {
        const ic_status status = ic_log_sample(phase->log, phase->t, mode, phase->x);
        if (status != IC_OK) return status;
    }
    l->changed = true;
    return arm(l);
}

/* Let the method follow the phase to its end, and fire what is due there. */
static ic_status advance(loop *l, double t_event)
{
    ic_phase *phase = &l->phase;
    const double t_end = phase->problem->t_end;
    phase->t_stop = fmin(t_event, t_end);
    ic_status status = l->method->begin(l->self, phase);
    if (status == IC_OK) status = l->method->advance(l->self, phase);
    if (status != IC_OK || phase->fired < 0) return status;
    const bool event_precedes = t_event <= t_end && t_event - phase->t <= ic_phase_tie(phase);
    if (event_precedes) phase->t = t_event;
    return fire_all_due(l, event_precedes);
}

static ic_status follow(loop *l)
{
    ic_phase *phase = &l->phase;
    const double t_end = phase->problem->t_end;
    ic_status status = IC_OK;
    while (status == IC_OK && !is_over(l)) {
        const ic_entry *next = ic_event_set_next(l->set);
        const double t_event = next != NULL ? next->t : INFINITY;
        const bool timed = t_event <= phase->t && phase->t < t_end;
        phase->fired = timed ? -1 : due_at_once(l);
        if (timed || phase->fired >= 0) status = fire_all_due(l, timed);
        else if (phase->t >= t_end) break;
        else status = advance(l, t_event);
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
