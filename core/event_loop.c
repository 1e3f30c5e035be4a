/* SPDX-License-Identifier: MIT */
#include "core/event_loop.h"
#include "core/array.h"
#include "core/firings.h"
#include "core/model.h"
#include "core/names.h"
#include "core/numbers.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * Accumulation is declared when the remaining sum of the geometric series is below this many event
 * tolerances. The intervals are then still some hundred times longer than the error of their ends.
 */
#define ACCUMULATION_RESOLUTION 1000.0
/*
 * If the excursions of the guard are below its rounding error, the limit may be extrapolated by at
 * most this fraction of the typical time.
 */
#define MOST_EXTRAPOLATED 1e-3

/*
 * Excursions below so many rounding errors of the guard show nothing of the motion, nor do those below rtol.
 */
#define CLEAR_OF_ROUNDING 4.0

/*
 * A quantity that a mode holds at zero drifts because of the errors of the solver. A guard with
 * IC_ONSET_NEAR may be beyond zero by this fraction of its scale, and still fires if it moves on in
 * its direction.
 */
#define DRIFT 1e-5

/*
 * Impacts at one instant have reached their limit when less than this part of the first one's speed is left.
 */
#define NEGLIGIBLE 1e-12

/*
 * A flight is at least this many widths of an instant long; the excursion of a shorter one is rounding error.
 * A tenth of the rate of its rate is accurate enough.
 */
#define SHORTEST_FLIGHT 16

/* A guard that has fired at this instant and has stayed at zero since. */
typedef struct fired_guard {
    ic_watch watch;

    /* Its value when it fired. */
    double value;

    /* Its rate then. */
    double rate;

    /* The side to which it passed. */
    int to;

    /* True if a jump of this instant has turned it back, or stopped it. */
    bool turned;
} fired_guard;

/* A guard that is due at this instant and has not fired yet, with its value when it became due. */
typedef struct pending_guard {
    ic_watch watch;
    double value;
} pending_guard;

/* A guard whose text has been read. */
typedef struct read_guard {
    const ic_guard *guard;

    /* See ic_phase. */
    bool curved;
} read_guard;

/* The consequence of an event: a jump of the case, or a handler of the event set. */
typedef struct action {
    ic_event_kind kind;
    const char *name;
    const ic_jump *jump;

    /* Called if jump is NULL; may be NULL. */
    ic_handler *handler;

    void *context;
    ic_event_id id;

    /* Time left until the limit of an accumulation, s. */
    double rest;

    /* True if the event was due before the first jump of this instant (clause 15). */
    bool at_once;
} action;

typedef struct ic_phased_run {
    ic_phase phase;
    const ic_method *method;
    ic_options options;

    /* Memory of the arrays of n numbers below and in `phase`. */
    double *buffer;

    double *x_post;

    /* Number of guards for which the arrays of `phase` and `pending` have room. */
    size_t capacity;

    /* The caller's set of events, or own_set. */
    ic_event_set *set, own_set;

    /* Guards whose texts have been read; the place of a guard follows from its address. */
    read_guard read[16];

    /* Guards that have fired, in order of firing. */
    fired_guard *fired;

    size_t n_fired, fired_capacity;

    /* Guards that are due, in order of firing. */
    pending_guard *pending;

    /* True if the state or the mode has changed since guards were last armed. */
    bool changed;

    /* Time of the last arming, s. */
    double armed;

    /* Branch of the last jump since then; NULL: no jump. */
    const ic_branch *branch;

    /* True if a chain of impacts at this instant has been found to have a limit. */
    bool collapsed;

    /* True if a handler has ended the run. */
    bool stopped;

    /* True if the run is at its end: no phase begins any more. */
    bool over;

    /* Name and time of the last event, s; its sequence number; the length of the chain of jumps. */
    const char *last_name;
    double last_t;
    int sequence, chain;

    double events;

    /* Firings of guards that changed the state or the mode. */
    ic_firings firings;
} loop;

/* ---- set-up */

static void free_guard_arrays(loop *l)
{
    free(l->phase.due);
    free(l->phase.curved);
    free(l->phase.located);
    free(l->phase.arrival);
    free(l->phase.ends);
    free(l->phase.clear);
    free(l->pending);
}

/* Provide arrays for n guards. The arming keeps its contents; the other arrays are workspace. */
static ic_status reserve_guard_arrays(loop *l, size_t n)
{
    ic_phase *phase = &l->phase;
    if (n <= l->capacity) return IC_OK;
    const size_t capacity = n + n / 2;
    ic_arming *arming = realloc(phase->arming, capacity * sizeof *arming);
    if (arming == NULL) return IC_NO_MEMORY;
    memset(arming + l->capacity, 0, (capacity - l->capacity) * sizeof *arming);
    phase->arming = arming;
    free_guard_arrays(l);
    phase->due = calloc(capacity, sizeof *phase->due);
    phase->curved = calloc(capacity, sizeof *phase->curved);
    phase->located = calloc(capacity, sizeof *phase->located);
    phase->arrival = calloc(capacity, sizeof *phase->arrival);
    phase->ends = calloc(capacity, sizeof *phase->ends);
    phase->clear = calloc(capacity, sizeof *phase->clear);
    l->pending = calloc(capacity, sizeof *l->pending);
    if (phase->due == NULL || phase->curved == NULL || phase->located == NULL || phase->arrival == NULL ||
        phase->ends == NULL || phase->clear == NULL || l->pending == NULL)
        return IC_NO_MEMORY;
    l->capacity = capacity;
    return IC_OK;
}

static ic_status open_loop(loop *l, ic_log *log, const ic_problem *problem, const ic_options *options)
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
    ic_event_set *set = options->events != NULL ? options->events : &l->own_set;
    const ic_status begun = ic_event_set_begin(set, problem, l->method->observes, log);
    if (begun != IC_INVALID && begun != IC_UNSUPPORTED) l->set = set;
    return begun;
}

/* ---- arming (contract, clauses 2 and 3) */

/* Saves the arming of observers with the observers, because their row numbers may change. */
static void save_observer_arming(loop *l)
{
    ic_phase *phase = &l->phase;
    for (size_t i = phase->mode->n_guards; i < phase->n_watched; i++) {
        ic_entry *observer = phase->observers[i - phase->mode->n_guards];
        observer->side = phase->arming[i].side;
        observer->order = phase->arming[i].order;
    }
}

static const ic_departure *find_departure(const ic_branch *branch, size_t guard)
{
    if (branch == NULL) return NULL;
    for (size_t i = 0; i < branch->n_departures; i++) {
        if ((size_t)branch->departures[i].guard == guard) return &branch->departures[i];
    }
    return NULL;
}

static ic_onset onset_of(ic_watch watch)
{
    return watch.guard == NULL ? IC_ONSET_ZERO : watch.guard->onset;
}

/* Whether a guard is that of a stop, which has a limit of its impacts. */
static bool has_limit(ic_watch watch)
{
    return onset_of(watch) == IC_ONSET_NEAR && watch.guard->accumulation.apply != NULL;
}

/*
 * The side of a guard at zero follows from its rate. If the rate is zero too, the side is unknown,
 * and the later values of the guard decide; where what holds at zero lets go beyond it, the rate of the rate decides.
 */
static ic_arming arming_by_rate(const ic_phase *phase, size_t i)
{
    const ic_watch watch = ic_phase_watch(phase, i);
    const double rate = ic_phase_guard_rate(phase, i, phase->t, phase->x);
    const int turn = onset_of(watch) == IC_ONSET_LEVEL ? ic_watch_turn(phase, watch, phase->t, phase->x) : 0;
    if (turn != 0) return (ic_arming){.side = turn, .order = 2};
    const bool tiny =
        onset_of(watch) != IC_ONSET_ZERO && ic_watch_has_no_rate(phase, watch, phase->t, phase->x);
    const int side = tiny ? 0 : ic_sign(rate);
    return (ic_arming){.side = side, .order = side == 0 ? 2 : 1};
}

/*
 * After its own jump a guard may leave zero to either side; the side is only a hint for the method.
 */
static ic_arming arming_when_disarmed(const ic_phase *phase, size_t i)
{
    const ic_arming arming = arming_by_rate(phase, i);
    return (ic_arming){.side = arming.side != 0 ? arming.side : 1, .order = arming.order};
}

/*
 * A declared order above 1 is too high if the guard has a rate to the declared side, for example if a variant
 * replaces a stop by a spring.
 */
static ic_arming arming_by_declaration(const ic_phase *phase, size_t i, const ic_departure *declared)
{
    const ic_watch watch = ic_phase_watch(phase, i);
    ic_arming arming = {.side = declared->side, .order = declared->order};
    if (arming.order > 1 && ic_phase_guard_rate(phase, i, phase->t, phase->x) * arming.side > 0 &&
        ic_watch_has_clear_rate(phase, watch, phase->t, phase->x))
        arming.order = 1;
    return arming;
}

/*
 * Whether a guard that had the value `before` is still at zero: its value cannot be distinguished
 * from that of a zero located to within one instant.
 */
static bool is_still_at_zero(const ic_phase *phase, ic_watch watch, double before)
{
    const double beyond = fabs(ic_watch_value(phase, watch, phase->t, phase->x)) - 2 * fabs(before);
    return beyond <= 0 ||
           beyond <= 2 * fabs(ic_watch_rate(phase, watch, phase->t, phase->x)) * ic_phase_instant_width(phase);
}

static bool has_fired_here(const loop *l, ic_watch watch)
{
    for (size_t i = 0; i < l->n_fired; i++) {
        if (ic_same_watch(l->fired[i].watch, watch)) return true;
    }
    return false;
}

/*
 * Among the guards with the same value function, the one that fired last at this instant, or NULL.
 */
static const fired_guard *last_fired_with_function_of(const loop *l, ic_watch watch)
{
    for (size_t i = l->n_fired; i-- > 0;) {
        if (ic_same_function(l->fired[i].watch, watch)) return &l->fired[i];
    }
    return NULL;
}

/* Whether a guard that has fired is moving, by more than rounding, to the side to which it has fired. */
static bool moves_on(const loop *l, const fired_guard *fired)
{
    const ic_phase *phase = &l->phase;
    const double rate = ic_watch_rate(phase, fired->watch, phase->t, phase->x);
    return ic_sign(rate) == fired->to && !ic_watch_has_no_rate(phase, fired->watch, phase->t, phase->x);
}

/*
 * Whether the own jump of a guard has disarmed it. It has not if another guard with the same zero
 * has since taken the state back across the zero, or if the jump turned the guard back and a later
 * jump of this instant has turned it again: for example the first of several balls in a row, which
 * is struck from behind.
 */
static bool is_disarmed_by_own_jump(const loop *l, size_t i, const fired_guard *last)
{
    const ic_phase *phase = &l->phase;
    const ic_watch watch = ic_phase_watch(phase, i);
    if (last == NULL || !has_fired_here(l, watch)) return false;
    const bool same = ic_same_watch(last->watch, watch);
    if (same && onset_of(watch) != IC_ONSET_NEAR) return true;
    if (same) return !(last->turned && moves_on(l, last));
    return ic_sign(ic_phase_guard_rate(phase, i, phase->t, phase->x)) == last->to;
}

/* Notes the stops that do not move on any more to the side to which they have fired; only stops are asked. */
static void note_turned_guards(const loop *l)
{
    for (size_t i = 0; i < l->n_fired; i++) {
        fired_guard *fired = &l->fired[i];
        if (onset_of(fired->watch) != IC_ONSET_NEAR) continue;
        fired->turned = fired->turned || !moves_on(l, fired);
    }
}

static void forget_guards_off_zero(loop *l)
{
    size_t kept = 0;
    for (size_t i = 0; i < l->n_fired; i++) {
        if (is_still_at_zero(&l->phase, l->fired[i].watch, l->fired[i].value)) l->fired[kept++] = l->fired[i];
    }
    l->n_fired = kept;
}

/*
 * Clause 14: if only the log has changed since the guard was last armed, a departure that cannot be
 * distinguished from its zero continues as before.
 */
static bool departure_continues(loop *l, size_t i, double g)
{
    const ic_phase *phase = &l->phase;
    const int order = phase->arming[i].order;
    if (l->changed || order == 0) return false;
    if (order == 1) return phase->t - l->armed <= 2 * ic_phase_instant_width(phase);
    return fabs(g) <= ic_phase_guard_rounding(phase, i, phase->t, phase->x, l->x_post);
}

/*
 * Whether a value of a guard exceeds its rounding error. A guard may have no rate away from its zero:
 * sqrt(x^2 + y^2) - c has none in the middle of a bearing.
 */
static bool is_off_zero(const loop *l, ic_watch watch, double g)
{
    const ic_phase *phase = &l->phase;
    const double rate = ic_watch_rate(phase, watch, phase->t, phase->x);
    const double in_an_instant = isnan(rate) ? 0 : 2 * fabs(rate) * ic_phase_instant_width(phase);
    return fabs(g) > in_an_instant + ic_watch_rounding(phase, watch, phase->t, phase->x, l->x_post);
}

/*
 * Whether a guard is at zero: its value is 0; or a guard with the same value function has fired at
 * this instant, even if rounding has moved the value; or it is a new observer within one instant of
 * zero.
 */
static bool is_at_zero(const loop *l, ic_watch watch, double g, const fired_guard *last)
{
    const ic_phase *phase = &l->phase;
    if (g == 0 || last != NULL) return true;
    if (l->changed && onset_of(watch) != IC_ONSET_ZERO) return !is_off_zero(l, watch, g);
    if (watch.observer == NULL || watch.observer->since != l->set->instant || l->set->instant == 0)
        return false;
    return fabs(g) <= 2 * fabs(ic_watch_rate(phase, watch, phase->t, phase->x)) * ic_phase_instant_width(phase);
}

/*
 * Whether the guard of a stop, g = r t + a t^2/2 beyond zero, leaves its zero to the other side so slowly that it
 * returns within the resolution of time, at t = -2r/a: the last bounces before rest. No step can show that crossing.
 * A guard that has drifted beyond zero by d may not even reach zero: r^2 < 2 a d.
 */
static bool returns_at_once(const loop *l, size_t i, double drift)
{
    const ic_phase *phase = &l->phase;
    const ic_watch watch = ic_phase_watch(phase, i);
    if (!l->changed || !has_limit(watch)) return false;
    const int direction = ic_watch_direction(watch);
    const double rate = direction * ic_phase_guard_rate(phase, i, phase->t, phase->x);
    if (!(rate < 0) && !ic_watch_has_no_rate(phase, watch, phase->t, phase->x)) return false;
    const double turn = direction * ic_watch_second_rate(phase, watch, phase->t, phase->x,
                                                         IC_RATE_DIFFERENCE * phase->time_scale);
    const bool at_once = -2 * rate < SHORTEST_FLIGHT * ic_phase_instant_width(phase) * turn;
    return (at_once || rate * rate < 2 * turn * drift) && ic_phase_enabled(phase, i, phase->t, phase->x);
}

/* Whether a guard whose value is on its firing side fires at once when a phase starts. */
static bool fires_beyond(loop *l, size_t i, double g)
{
    const ic_phase *phase = &l->phase;
    const ic_watch watch = ic_phase_watch(phase, i);
    if (onset_of(watch) != IC_ONSET_NEAR) return onset_of(watch) == IC_ONSET_LEVEL;
    const double units =
        ic_watch_rounding(phase, watch, phase->t, phase->x, l->x_post) / (IC_INSTANT_ULPS * DBL_EPSILON);
    return fabs(g) <= DRIFT * units &&
           (ic_phase_guard_rate(phase, i, phase->t, phase->x) * ic_watch_direction(watch) > 0 ||
            returns_at_once(l, i, fabs(g)));
}

static ic_status arm_guard(loop *l, size_t i)
{
    ic_phase *phase = &l->phase;
    const ic_watch watch = ic_phase_watch(phase, i);
    const int direction = ic_watch_direction(watch);
    /* The side from which the guard has come, if only the log has changed. */
    const int before = l->changed || phase->arming[i].order > 0 ? 0 : phase->arming[i].side;
    const double g = ic_phase_guard(phase, i, phase->t, phase->x);
    const ic_departure *departure = find_departure(l->branch, i);
    const fired_guard *last = last_fired_with_function_of(l, watch);
    if (!isfinite(g)) return IC_NOT_FINITE;
    phase->due[i] = false;
    if (departure != NULL) {
        phase->arming[i] = arming_by_declaration(phase, i, departure);
    } else if (is_at_zero(l, watch, g, last) && returns_at_once(l, i, 0)) {
        phase->arming[i] = (ic_arming){.side = direction, .order = 1};
        phase->due[i] = true;
    } else if (is_disarmed_by_own_jump(l, i, last)) {
        phase->arming[i] = arming_when_disarmed(phase, i);
    } else if (departure_continues(l, i, g)) {
        return IC_OK;
    } else if (is_at_zero(l, watch, g, last)) {
        if (isnan(ic_watch_rate(phase, watch, phase->t, phase->x))) return IC_NOT_FINITE;
        const ic_arming now = phase->arming[i] = arming_by_rate(phase, i);
        const bool crosses = now.side == direction || (direction == 0 && before == -now.side);
        phase->due[i] = now.side != 0 && crosses && ic_phase_enabled(phase, i, phase->t, phase->x);
    } else {
        phase->arming[i] = (ic_arming){.side = ic_sign(g)};
        phase->due[i] = l->changed && ic_sign(g) == direction && fires_beyond(l, i, g) &&
                        ic_phase_enabled(phase, i, phase->t, phase->x);
    }
    return IC_OK;
}

/* Whether an affine text contains t. */
static bool names_time(const char *text)
{
    for (const char *at = text; (at = strchr(at, 't')) != NULL; at++) {
        const bool begins = at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_' || at[-1] == '.');
        if (begins && !(isalnum((unsigned char)at[1]) || at[1] == '_')) return true;
    }
    return false;
}

static bool is_curved(loop *l, ic_watch watch)
{
    const ic_guard *guard = watch.guard;
    if (guard == NULL) return true;
    read_guard *read = &l->read[(uintptr_t)guard / sizeof *guard % IC_COUNT(l->read)];
    if (read->guard != guard) *read = (read_guard){guard, guard->linear == NULL || names_time(guard->linear)};
    return read->curved;
}

/* Arms all guards: after the events of an instant, or between events of one instant. */
static ic_status arm_all_guards(loop *l)
{
    ic_phase *phase = &l->phase;
    size_t n_observers = 0;
    phase->observers = ic_event_set_observers(l->set, &n_observers);
    ic_status status = reserve_guard_arrays(l, phase->mode->n_guards + n_observers);
    if (status == IC_OK) phase->n_watched = phase->mode->n_guards + n_observers;
    forget_guards_off_zero(l);
    for (size_t i = 0; i < phase->n_watched && status == IC_OK; i++) {
        const ic_watch watch = ic_phase_watch(phase, i);
        ic_entry *observer = watch.observer;
        phase->curved[i] = is_curved(l, watch);
        if (observer != NULL) phase->arming[i] = (ic_arming){.side = observer->side, .order = observer->order};
        status = arm_guard(l, i);
    }
    l->branch = NULL;
    l->changed = false;
    l->armed = phase->t;
    return status;
}

/* The first guard that fires before any time passes, or -1. */
static int first_guard_due(const loop *l)
{
    for (size_t i = 0; i < l->phase.n_watched; i++) {
        if (l->phase.due[i]) return (int)i;
    }
    return -1;
}

/* ---- jumps */

/* Whether an event leads to an existing mode and to a finite state. */
static ic_status check_landing(const loop *l, const char *name, int mode)
{
    const ic_phase *phase = &l->phase;
    const size_t n_modes = phase->problem->variant->n_modes;
    const ic_law *law = phase->problem->variant->law;
    if (mode < 0 || (size_t)mode >= n_modes) {
        ic_log_message(phase->log, "the jump of '%s' leads to mode %d, but there are %zu modes", name, mode,
                       n_modes);
        return IC_INVALID;
    }
    if (ic_all_finite(l->x_post, phase->n)) return IC_OK;
    static const char side_of[] = "sign of "; /* begins the meaning of the side of a kink */
    const bool limited = law != NULL && law->n_requirements > 0;
    const ic_state *state = phase->problem->system->states;
    for (size_t i = 0; isfinite(l->x_post[i]); i++) state++;
    const bool is_explained = state->meaning != NULL && state->meaning[0] != '\0';
    if (is_explained && strncmp(state->meaning, side_of, strlen(side_of)) == 0) {
        ic_log_message(
            phase->log,
            "after '%s' at t = %.17g the motion is not determined: where %s is 0, the flows of its sides "
            "allow several or none; one that leads to 0, on one side or on both, determines it",
            name, phase->t, state->meaning + strlen(side_of));
        return IC_NOT_FINITE;
    }
    ic_log_message(phase->log, "the jump of '%s' at t = %.17g gives '%s'%s%s a value that is not finite%s%s",
                   name, phase->t, state->name, is_explained ? ", " : "", is_explained ? state->meaning : "",
                   limited ? "; " : "", limited ? law->requirements[0].meaning : "");
    return IC_NOT_FINITE;
}

static ic_status apply_jump(loop *l, const ic_jump *jump, const char *name, int *mode_to)
{
    ic_phase *phase = &l->phase;
    const ic_variant *variant = phase->problem->variant;
    const int branch = jump->apply(l->x_post, phase->t, phase->x, phase->problem->par);
    if (jump == &variant->start && branch == IC_NO_START) {
        ic_log_message(phase->log, "these parameters do not permit a start: %s", variant->meaning);
        return IC_INVALID;
    }
    if (branch < 0 || (size_t)branch >= jump->n_branches) {
        ic_log_message(phase->log, "the jump of '%s' returned branch %d, but has %zu branches", name, branch,
                       jump->n_branches);
        return IC_INVALID;
    }
    l->branch = &jump->branches[branch];
    *mode_to = l->branch->mode == IC_SAME_MODE ? phase->mode_index : l->branch->mode;
    return check_landing(l, name, *mode_to);
}

/* Call the handler of the event set that takes the place of a jump. */
static ic_status call_handler(loop *l, const action *a, int *mode_to)
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
    return check_landing(l, a->name, *mode_to);
}

static void enter_mode(loop *l, int mode)
{
    l->phase.mode_index = mode;
    l->phase.mode = &l->phase.problem->variant->modes[mode];
    memcpy(l->phase.x, l->x_post, l->phase.n * sizeof *l->x_post);
}

static ic_status record_event(loop *l, const action *a, int mode_to)
{
    ic_phase *phase = &l->phase;
    const bool same_instant = fabs(phase->t - l->last_t) <= IC_INSTANT_ULPS * DBL_EPSILON * fabs(phase->t);
    l->sequence = same_instant ? l->sequence + 1 : 0;
    if (phase->t != l->last_t) l->chain = 0;
    else if (!a->at_once) l->chain++;
    if (same_instant) phase->t = l->last_t;
    l->last_name = a->name;
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

/*
 * Advances to the limit of the geometric series with the flow of the next mode. The state before
 * the jump tends to the same limit.
 */
static void extrapolate_to_limit(loop *l, int mode_to, double rest)
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

/*
 * Performs the action of an event. Guards are armed later, when everything that is due at this
 * instant has fired. *changed: see has_changed.
 */
static ic_status perform_action(loop *l, const action *a, bool *changed)
{
    int mode_to = 0;
    ic_status status =
        a->jump != NULL ? apply_jump(l, a->jump, a->name, &mode_to) : call_handler(l, a, &mode_to);
    if (status == IC_OK) *changed = has_changed(l, a, mode_to);
    if (status == IC_OK && a->rest > 0) extrapolate_to_limit(l, mode_to, a->rest);
    if (status == IC_OK) status = record_event(l, a, mode_to);
    if (status != IC_OK) return status;
    if (l->chain > IC_CHAIN_MAX) {
        ic_log_message(l->phase.log, "more than %d jumps at t = %.17g, the last by '%s'", IC_CHAIN_MAX,
                       l->phase.t, a->name);
        return IC_CHAIN;
    }
    if (!*changed) return IC_OK;
    l->changed = true;
    enter_mode(l, mode_to);
    forget_guards_off_zero(l);
    note_turned_guards(l);
    return IC_OK;
}

/* ---- accumulation (clause 6) */

/*
 * Whether the last firings of one guard, or of several guards in turn, form a geometric series that
 * has converged: the sum of its remainder, *rest, is below the resolution of time, or its
 * excursions are below the rounding error of the guard, and its rounds have shrunk with them.
 */
static bool firings_accumulate(loop *l, ic_watch watch, double rate, double *rest)
{
    const ic_phase *phase = &l->phase;
    ic_round rounds[IC_ACCUMULATION_MIN];
    if (!ic_firings_add(&l->firings, watch, phase->t, rate, rounds)) return false;
    const double last = rounds[0].length, before = rounds[1].length;
    const double ratio = last / before, earlier = before / rounds[2].length;
    const double resolution = ACCUMULATION_RESOLUTION * ic_phase_instant_width(phase);
    const double most = fmax(MOST_EXTRAPOLATED * phase->time_scale, resolution);
    /* The limit as the rounds before the last one give it. */
    const double limit = earlier < 1 ? before * earlier / (1 - earlier) - last : INFINITY;
    *rest = last * ratio / (1 - ratio);
    /* Two firings that happen to be close are no series. */
    const bool resolved = *rest <= resolution && limit <= most;
    if (!resolved && *rest > most) return false;
    const double rounding = ic_watch_rounding(phase, watch, phase->t, phase->x, l->x_post);
    const bool hidden = rounds[0].excursion <= rounding;
    const double error = fmax(CLEAR_OF_ROUNDING, l->options.rtol / (IC_INSTANT_ULPS * DBL_EPSILON)) * rounding;
    if (!resolved && !(hidden && limit <= most && !ic_firings_keep_pace(&l->firings, error))) return false;
    /* Rounding may have shortened the last round. */
    if (hidden && limit >= 0 && limit <= most) *rest = limit;
    return true;
}

/*
 * Whether the impacts of a stop at this instant, which other stops have turned again each time, are infinitely many.
 * Their speeds then form a geometric series of a ratio q < 1. If the ratio still changes by d each time, the series
 * may end where it has become zero, after q/d impacts more, which have reduced the speed by q^(q/d). Once one
 * stop has been found at its limit, so are the others of the chain.
 */
static bool impacts_collapse(loop *l)
{
    double rates[3] = {0};
    size_t n = 0;
    for (size_t i = l->n_fired; i-- > 0 && n < IC_COUNT(rates);) {
        if (ic_same_watch(l->fired[i].watch, l->fired[l->n_fired - 1].watch))
            rates[n++] = fabs(l->fired[i].rate);
    }
    if (n < IC_COUNT(rates)) return false;
    const double ratio = rates[0] / rates[1], change = fabs(ratio - rates[1] / rates[2]);
    l->collapsed = l->collapsed || (ratio < 1 && pow(ratio, ratio / change) < NEGLIGIBLE);
    return l->collapsed;
}

/* Begins a new instant: forgets the guards that fired at the last one. */
static void begin_instant(loop *l)
{
    if (l->phase.t == l->set->now && l->set->instant > 0) return;
    l->n_fired = 0;
    l->collapsed = false;
    l->set->now = l->phase.t;
    l->set->instant++;
}

static ic_status remember_firing(loop *l, ic_watch watch, double rate)
{
    const ic_phase *phase = &l->phase;
    const int direction = ic_watch_direction(watch);
    const double value = ic_watch_value(phase, watch, phase->t, phase->x);
    /* It fired away from zero. */
    if (onset_of(watch) == IC_ONSET_LEVEL && is_off_zero(l, watch, value)) return IC_OK;
    fired_guard *fired = ic_array_reserve(l->fired, &l->fired_capacity, l->n_fired, sizeof *fired);
    if (fired == NULL) return IC_NO_MEMORY;
    l->fired = fired;
    const int to = direction != 0 ? direction : ic_sign(rate);
    l->fired[l->n_fired++] = (fired_guard){.watch = watch, .value = value, .rate = rate, .to = to};
    return IC_OK;
}

/*
 * Replaces the action by that at the limit of infinitely many firings. false: the guard does not
 * define one.
 */
static bool set_limit_action(ic_watch watch, action *a)
{
    a->kind = IC_EVENT_ACCUMULATION;
    if (watch.observer != NULL) a->handler = watch.observer->observer.accumulated;
    else a->jump = &watch.guard->accumulation;
    return watch.observer != NULL ? a->handler != NULL : a->jump->apply != NULL;
}

static ic_status fire_watch(loop *l, ic_watch watch, bool at_once)
{
    ic_phase *phase = &l->phase;
    ic_entry *o = watch.observer;
    action a = {.kind = IC_EVENT_GUARD, .name = ic_watch_name(watch), .at_once = at_once};
    bool changed = false;
    const double rate = ic_watch_rate(phase, watch, phase->t, phase->x);
    /* An impact whose speed is below rounding is at the limit; so is one that ends an unresolved flight. */
    const bool rests = has_limit(watch) && (ic_watch_has_no_rate(phase, watch, phase->t, phase->x) ||
                                            ic_sign(rate) == -ic_watch_direction(watch));
    if (o == NULL) a.jump = rests ? &watch.guard->accumulation : &watch.guard->jump;
    else a.handler = o->handler, a.context = o->context, a.id = o->id;
    begin_instant(l);
    ic_status status = remember_firing(l, watch, rate);
    if (status != IC_OK) return status;
    const bool counts = o == NULL || o->changes; /* clause 14 */
    if (has_limit(watch) && !rests && impacts_collapse(l)) {
        set_limit_action(watch, &a);
    } else if (counts && firings_accumulate(l, watch, rate, &a.rest)) {
        if (!set_limit_action(watch, &a)) {
            phase->t += a.rest;
            ic_log_message(phase->log, "firings of '%s' accumulate at t = %.17g", a.name, phase->t);
            return IC_ZENO;
        }
        ic_firings_forget(&l->firings);
    } else {
        a.rest = 0;
    }
    status = perform_action(l, &a, &changed);
    if (o != NULL && changed && !o->changes) {
        o->changes = true;
        ic_firings_forget(&l->firings);
    }
    return status;
}

/* ---- simultaneity (clause 4) */

static bool run_is_over(const loop *l)
{
    return l->stopped || l->phase.mode->terminal;
}

/*
 * The counterpart of a pending guard in the current mode; both pointers are NULL if it does not
 * exist.
 */
static ic_watch find_counterpart(const loop *l, ic_watch watch)
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
    return rate != 0 && ic_fires(ic_watch_direction(watch), ic_sign(rate)) &&
           is_still_at_zero(phase, watch, value_before) && ic_watch_enabled(phase, watch, phase->t, phase->x);
}

/* Collect the guards that the method found to be due; the one in phase->fired comes first. */
static size_t collect_due_guards(loop *l)
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

static ic_status fire_time_event(loop *l, ic_entry *entry)
{
    action a = {.kind = IC_EVENT_TIME, .name = entry->name, .context = entry->context, .id = entry->id};
    bool changed = false;
    begin_instant(l);
    if (entry->kind == IC_ENTRY_OF_CASE) a.jump = &entry->of_case->jump;
    else a.handler = entry->handler;
    a.at_once = entry->kind == IC_ENTRY_TIMED && entry->made != l->set->instant;
    ic_event_set_occurred(l->set, entry);
    const ic_status status = perform_action(l, &a, &changed);
    if (changed) ic_firings_forget(&l->firings);
    return status;
}

/* ---- one instant: time events first, then the guards that are due, in table order */

/* Drops references to observers that handlers have removed. */
static void drop_removed_observers(loop *l)
{
    size_t kept = 0;
    if (l->set->removed_events == NULL) return;
    for (size_t i = 0; i < l->n_fired; i++) {
        const ic_entry *o = l->fired[i].watch.observer;
        if (o == NULL || !o->removed) l->fired[kept++] = l->fired[i];
    }
    l->n_fired = kept;
    const size_t count = l->firings.count, seen = count < IC_FIRINGS_SEEN ? count : IC_FIRINGS_SEEN;
    for (size_t i = count - seen; i < count; i++) {
        const ic_entry *o = l->firings.last[i].watch.observer;
        if (o == NULL || !o->removed) continue;
        ic_firings_forget(&l->firings);
        break;
    }
    ic_event_set_sweep(l->set);
}

/*
 * Fires the time events if `timed`, then phase->fired (unless -1) and the other guards that are
 * due.
 */
static ic_status fire_all_due(loop *l, bool timed)
{
    ic_phase *phase = &l->phase;
    const size_t n = phase->fired >= 0 ? collect_due_guards(l) : 0;
    ic_status status = IC_OK;
    save_observer_arming(l);
    while (timed && status == IC_OK && !run_is_over(l)) {
        ic_entry *next = ic_event_set_next(l->set);
        if (next == NULL || next->t > phase->t) break;
        status = fire_time_event(l, next);
    }
    for (size_t i = 0; i < n && status == IC_OK && !run_is_over(l); i++) {
        const bool first = i == 0 && !timed;
        const ic_watch watch = first ? l->pending[i].watch : find_counterpart(l, l->pending[i].watch);
        if (first || is_still_due(l, watch, l->pending[i].value)) status = fire_watch(l, watch, !first);
    }
    if (status != IC_OK || l->stopped) return status;
    drop_removed_observers(l);
    return arm_all_guards(l);
}

/* ---- the loop */

static ic_status start_run(loop *l)
{
    ic_phase *phase = &l->phase;
    const ic_problem *problem = phase->problem;
    int mode = problem->mode_start;
    if (problem->x_start != NULL) {
        memcpy(l->x_post, problem->x_start, phase->n * sizeof *l->x_post);
    } else {
        const ic_status status = apply_jump(l, &problem->variant->start, "start", &mode);
        if (status != IC_OK) return status;
    }
    enter_mode(l, mode);
    ic_log_final(phase->log, phase->t, mode, phase->x);
    if (phase->options->extremes) ic_log_extremes(phase->log, phase->t, mode, phase->x);
    if (phase->options->samples > 0) {
        const ic_status status = ic_log_sample(phase->log, phase->t, mode, phase->x);
        if (status != IC_OK) return status;
    }
    l->changed = true;
    return arm_all_guards(l);
}

/* Time of the next time event, s; INFINITY: there is none. */
static double next_time_event(const loop *l)
{
    const ic_entry *next = ic_event_set_next(l->set);
    return next != NULL ? next->t : INFINITY;
}

/*
 * Finds a guard of a stop or a kink that has passed zero unseen: a body beyond its stop, a side that is not that of its
 * quantity, a force beyond what holds; at the beginning of a phase, a stop behind which a jump has put a body. How far
 * rests and coarse methods may be beyond it is no fault (DRIFT).
 */
static ic_status find_passed_stop(const loop *l, bool begins)
{
    const ic_phase *phase = &l->phase;
    for (size_t i = 0; i < phase->n_watched; i++) {
        const ic_watch watch = ic_phase_watch(phase, i);
        const int direction = ic_watch_direction(watch);
        /* one with a condition may have passed zero before it held */
        const bool lets_go = onset_of(watch) == IC_ONSET_LEVEL && watch.guard->enabled == NULL;
        if (begins ? !has_limit(watch) : onset_of(watch) != IC_ONSET_NEAR && !lets_go) continue;
        if (begins && last_fired_with_function_of(l, watch) != NULL) continue; /* late, as coarse methods are */
        const double g = ic_phase_guard(phase, i, phase->t, phase->x);
        /* the method may mark only the first of those that are due */
        if (!(g * direction > 0) || (int)i == phase->fired || !is_off_zero(l, watch, g)) continue;
        const double units =
            ic_watch_rounding(phase, watch, phase->t, phase->x, l->x_post) / (IC_INSTANT_ULPS * DBL_EPSILON);
        if (!(g * direction > DRIFT * units) || (phase->fired >= 0 && phase->due[i])) continue;
        if (begins) {
            ic_log_message(phase->log,
                           "the jump of '%s' at t = %.17g puts a body behind the stop '%s' by %g %s",
                           l->last_name, phase->t, watch.guard->name, fabs(g), watch.guard->unit);
            return IC_INVALID;
        }
        ic_log_message(phase->log,
                       "guard '%s' has passed zero unseen after t = %.17g, and is %g at t = %.17g: a smaller "
                       "step or another solver may see it",
                       ic_phase_guard_name(phase, i), l->armed, g, phase->t);
        return IC_ROOT_LOST;
    }
    return IC_OK;
}

/* Fires what is due where the method has arrived, at the end of a phase. */
static ic_status end_phase(loop *l)
{
    ic_phase *phase = &l->phase;
    const ic_status status = find_passed_stop(l, false);
    if (status != IC_OK) return status;
    if (phase->fired < 0) return IC_OK;
    const double t_event = next_time_event(l);
    const bool event_precedes =
        t_event <= phase->problem->t_end && t_event - phase->t <= ic_phase_instant_width(phase);
    if (event_precedes) phase->t = t_event;
    return fire_all_due(l, event_precedes);
}

/* Fires what is due before any time passes, and begins a phase unless the run is then over. */
static ic_status begin_phase(loop *l)
{
    ic_phase *phase = &l->phase;
    const double t_end = phase->problem->t_end;
    ic_status status = IC_OK;
    while (status == IC_OK && !run_is_over(l)) {
        const double t_event = next_time_event(l);
        const bool timed = t_event <= phase->t && phase->t < t_end;
        phase->fired = timed ? -1 : first_guard_due(l);
        phase->t_stop = fmin(t_event, t_end);
        if (timed || phase->fired >= 0) {
            status = fire_all_due(l, timed);
            continue;
        }
        if (phase->t >= t_end) break;
        for (size_t i = 0; i < phase->n_watched; i++) phase->ends[i].t = NAN;
        return phase->t == l->last_t ? find_passed_stop(l, true) : IC_OK;
    }
    l->over = true;
    return status;
}

/* ---- the reason for which a run stopped */

/* The state whose rate is not finite at the last state of the run; n: all rates are finite. */
static size_t rate_not_finite(const loop *l)
{
    const ic_phase *phase = &l->phase;
    size_t i = 0;
    if (phase->mode->flow == NULL) return phase->n; /* the mode has a linear view alone */
    phase->mode->flow(l->x_post, phase->t, phase->x, phase->problem->par);
    while (i < phase->n && isfinite(l->x_post[i])) i++;
    return i;
}

/* The guard that has no value there, or, if `rate`, no rate; n_watched: there is none. */
static size_t guard_not_finite(const loop *l, bool rate)
{
    const ic_phase *phase = &l->phase;
    size_t i = 0;
    for (; i < phase->n_watched; i++) {
        const ic_watch watch = ic_phase_watch(phase, i);
        if (rate && isnan(ic_watch_rate(phase, watch, phase->t, phase->x))) break;
        if (!rate && !isfinite(ic_watch_value(phase, watch, phase->t, phase->x))) break;
    }
    return i;
}

/*
 * Names the function that is not finite. A flow or guard without a value at the last state of the run
 * comes first; if all have values there, the function has none a step later.
 */
static void explain_not_finite(const loop *l)
{
    static const char advice[] = "a quotient may divide by 0 there, or a root have no value or slope; begin "
                                 "elsewhere, or end the mode before it";
    const ic_phase *phase = &l->phase;
    const char *mode = phase->mode->name;
    const size_t state = rate_not_finite(l), guard = guard_not_finite(l, false);
    const size_t sloping = guard_not_finite(l, true);
    if (state < phase->n) {
        ic_log_message(phase->log, "the flow of '%s' in mode '%s' at t = %.17g; %s",
                       phase->problem->system->states[state].name, mode, phase->t, advice);
    } else if (guard < phase->n_watched) {
        ic_log_message(phase->log, "guard '%s' in mode '%s' at t = %.17g; %s",
                       ic_phase_guard_name(phase, guard), mode, phase->t, advice);
    } else if (sloping < phase->n_watched) {
        ic_log_message(phase->log, "the rate of guard '%s' in mode '%s' at t = %.17g; %s",
                       ic_phase_guard_name(phase, sloping), mode, phase->t, advice);
    } else {
        ic_log_message(
            phase->log,
            "all functions are finite at t = %.17g in mode '%s', but not within the next step; it may "
            "be too long, or a function has no value there",
            phase->t, mode);
    }
}

/* ---- a run */

/* Begins a run and its first phase. close_loop must be called in any case. */
static ic_status begin_run(loop *l, ic_log *log, const ic_problem *problem, const ic_options *options)
{
    ic_status status = open_loop(l, log, problem, options);
    if (status == IC_OK) status = start_run(l);
    return status == IC_OK ? begin_phase(l) : status;
}

/* Ends a phase that has been advanced with `status`, and begins the next one. */
static ic_status next_phase(loop *l, ic_status status)
{
    if (status == IC_OK) status = end_phase(l);
    return status == IC_OK ? begin_phase(l) : status;
}

static ic_status close_loop(loop *l, ic_status status)
{
    ic_log *log = l->phase.log;
    if (l->phase.mode != NULL) {
        if (l->options.extremes) ic_log_extremes(log, l->phase.t, l->phase.mode_index, l->phase.x);
        ic_log_final(log, l->phase.t, l->phase.mode_index, l->phase.x);
    }
    const bool silent = status != IC_OK && ic_log_text(log)[0] == '\0';
    if (silent && status == IC_NOT_FINITE && l->phase.mode != NULL) {
        explain_not_finite(l);
    } else if (silent) {
        ic_log_message(log, "at t = %.17g in mode '%s'", l->phase.t,
                       l->phase.mode != NULL ? l->phase.mode->name : "none");
    }
    if (l->set != NULL) ic_event_set_end(l->set);
    if (l->set == &l->own_set) ic_event_set_release(l->set);
    free(l->buffer);
    free(l->phase.arming);
    free_guard_arrays(l);
    free(l->fired);
    return status;
}

ic_status ic_event_loop(ic_log *log, const ic_problem *problem, const ic_options *options,
                        const ic_method *method, void *self)
{
    loop l = {.method = method};
    ic_status status = begin_run(&l, log, problem, options);
    while (status == IC_OK && !l.over) {
        status = method->begin(self, &l.phase);
        if (status == IC_OK) status = method->advance(self, &l.phase);
        status = next_phase(&l, status);
    }
    return close_loop(&l, status);
}

/* ---- a run that its caller advances */

ic_phase *ic_phased_run_open(ic_phased_run **run, ic_log *log, const ic_problem *problem,
                             const ic_options *options, ic_status *status)
{
    static const ic_method watches_no_observers = {.observes = false};
    loop *l = *run = calloc(1, sizeof *l);
    *status = IC_NO_MEMORY;
    if (l == NULL) return NULL;
    l->method = &watches_no_observers;
    *status = begin_run(l, log, problem, options);
    return *status == IC_OK && !l->over ? &l->phase : NULL;
}

bool ic_phased_run_next(ic_phased_run *run, ic_status *status)
{
    *status = next_phase(run, *status);
    return *status == IC_OK && !run->over;
}

ic_status ic_phased_run_close(ic_phased_run *run, ic_status status)
{
    if (run == NULL) return status;
    status = close_loop(run, status);
    free(run);
    return status;
}
