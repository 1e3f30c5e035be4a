/* SPDX-License-Identifier: MIT */
/* Arming: contract, clauses 2, 3, 14 and 15. */
#include "core/loop.h"
#include "core/numbers.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * A flight is at least this many widths of an instant long; the excursion of a shorter one is rounding error.
 * A tenth of the rate of its rate is accurate enough.
 */
#define SHORTEST_FLIGHT 16

/* Saves the arming of observers with the observers, because their row numbers may change. */
void ic_loop_save_observers(ic_loop *l)
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

ic_onset ic_loop_onset(ic_watch watch)
{
    return watch.guard == NULL ? IC_ONSET_ZERO : watch.guard->onset;
}

/* Whether a guard is that of a stop, which has a limit of its impacts. */
bool ic_loop_has_limit(ic_watch watch)
{
    return ic_loop_onset(watch) == IC_ONSET_NEAR && watch.guard->accumulation.apply != NULL;
}

/*
 * The side of a guard at zero follows from its rate. If the rate is zero too, the side is unknown,
 * and the later values of the guard decide; where what holds at zero lets go beyond it, the rate of the rate decides.
 */
static ic_arming arming_by_rate(const ic_phase *phase, size_t i)
{
    const ic_watch watch = ic_phase_watch(phase, i);
    const double rate = ic_phase_guard_rate(phase, i, phase->t, phase->x);
    const int turn =
        ic_loop_onset(watch) == IC_ONSET_LEVEL ? ic_watch_turn(phase, watch, phase->t, phase->x) : 0;
    if (turn != 0) return (ic_arming){.side = turn, .order = 2};
    const bool tiny =
        ic_loop_onset(watch) != IC_ONSET_ZERO && ic_watch_has_no_rate(phase, watch, phase->t, phase->x);
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
bool ic_loop_is_still_at_zero(const ic_phase *phase, ic_watch watch, double before)
{
    const double beyond = fabs(ic_watch_value(phase, watch, phase->t, phase->x)) - 2 * fabs(before);
    return beyond <= 0 ||
           beyond <= 2 * fabs(ic_watch_rate(phase, watch, phase->t, phase->x)) * ic_phase_instant_width(phase);
}

static bool has_fired_here(const ic_loop *l, ic_watch watch)
{
    for (size_t i = 0; i < l->n_fired; i++) {
        if (ic_same_watch(l->fired[i].watch, watch)) return true;
    }
    return false;
}

/*
 * Among the guards with the same value function, the one that fired last at this instant, or NULL.
 */
const ic_fired_guard *ic_loop_last_fired(const ic_loop *l, ic_watch watch)
{
    for (size_t i = l->n_fired; i-- > 0;) {
        if (ic_same_function(l->fired[i].watch, watch)) return &l->fired[i];
    }
    return NULL;
}

/* Whether a guard that has fired is moving, by more than rounding, to the side to which it has fired. */
static bool moves_on(const ic_loop *l, const ic_fired_guard *fired)
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
static bool is_disarmed_by_own_jump(const ic_loop *l, size_t i, const ic_fired_guard *last)
{
    const ic_phase *phase = &l->phase;
    const ic_watch watch = ic_phase_watch(phase, i);
    if (last == NULL || !has_fired_here(l, watch)) return false;
    const bool same = ic_same_watch(last->watch, watch);
    if (same && ic_loop_onset(watch) != IC_ONSET_NEAR) return true;
    if (same) return !(last->turned && moves_on(l, last));
    return ic_sign(ic_phase_guard_rate(phase, i, phase->t, phase->x)) == last->to;
}

/* Notes the stops that do not move on any more to the side to which they have fired; only stops are asked. */
void ic_loop_note_turned(const ic_loop *l)
{
    for (size_t i = 0; i < l->n_fired; i++) {
        ic_fired_guard *fired = &l->fired[i];
        if (ic_loop_onset(fired->watch) != IC_ONSET_NEAR) continue;
        fired->turned = fired->turned || !moves_on(l, fired);
    }
}

void ic_loop_forget_off_zero(ic_loop *l)
{
    size_t kept = 0;
    for (size_t i = 0; i < l->n_fired; i++) {
        if (ic_loop_is_still_at_zero(&l->phase, l->fired[i].watch, l->fired[i].value))
            l->fired[kept++] = l->fired[i];
    }
    l->n_fired = kept;
}

/*
 * Clause 14: if only the log has changed since the guard was last armed, a departure that cannot be
 * distinguished from its zero continues as before.
 */
static bool departure_continues(ic_loop *l, size_t i, double g)
{
    const ic_phase *phase = &l->phase;
    const int order = phase->arming[i].order;
    if (l->changed || order == 0) return false;
    if (order == 1) return phase->t - l->armed <= 2 * ic_phase_instant_width(phase);
    return fabs(g) <= ic_watch_rounding(phase, ic_phase_watch(phase, i), phase->t, phase->x, l->x_post);
}

/*
 * Whether a value of a guard exceeds its rounding error. A guard may have no rate away from its zero:
 * sqrt(x^2 + y^2) - c has none in the middle of a bearing.
 */
bool ic_loop_is_off_zero(const ic_loop *l, ic_watch watch, double g)
{
    const ic_phase *phase = &l->phase;
    const double rate = ic_watch_rate(phase, watch, phase->t, phase->x);
    const double in_an_instant = isnan(rate) ? 0 : 2 * fabs(rate) * ic_phase_instant_width(phase);
    return fabs(g) > in_an_instant + ic_watch_rounding(phase, watch, phase->t, phase->x, l->x_post);
}

/* Whether a guard with the value g is on its firing side by more than rounding and drift (IC_LOOP_DRIFT). */
bool ic_loop_is_clearly_beyond(const ic_loop *l, ic_watch watch, double g)
{
    const ic_phase *phase = &l->phase;
    const double along = g * ic_watch_direction(watch);
    if (!(along > 0) || !ic_loop_is_off_zero(l, watch, g)) return false;
    const double units =
        ic_watch_rounding(phase, watch, phase->t, phase->x, l->x_post) / (IC_INSTANT_ULPS * DBL_EPSILON);
    return along > IC_LOOP_DRIFT * units;
}

/*
 * Whether a guard is at zero: its value is 0; or a guard with the same value function has fired at
 * this instant, even if rounding has moved the value; or it is a new observer within one instant of
 * zero.
 */
static bool is_at_zero(const ic_loop *l, ic_watch watch, double g, const ic_fired_guard *last)
{
    const ic_phase *phase = &l->phase;
    if (g == 0 || last != NULL) return true;
    if (l->changed && ic_loop_onset(watch) != IC_ONSET_ZERO) return !ic_loop_is_off_zero(l, watch, g);
    if (watch.observer == NULL || watch.observer->since != l->set->instant || l->set->instant == 0)
        return false;
    return fabs(g) <= 2 * fabs(ic_watch_rate(phase, watch, phase->t, phase->x)) * ic_phase_instant_width(phase);
}

/*
 * Whether the guard of a stop, g = r t + a t^2/2 beyond zero, leaves its zero to the other side so slowly that it
 * returns within the resolution of time, at t = -2r/a: the last bounces before rest. No step can show that crossing.
 * A guard that has drifted beyond zero by d may not even reach zero: r^2 < 2 a d.
 */
static bool returns_at_once(const ic_loop *l, size_t i, double drift)
{
    const ic_phase *phase = &l->phase;
    const ic_watch watch = ic_phase_watch(phase, i);
    if (!l->changed || !ic_loop_has_limit(watch)) return false;
    const int direction = ic_watch_direction(watch);
    const double rate = direction * ic_phase_guard_rate(phase, i, phase->t, phase->x);
    if (!(rate < 0) && !ic_watch_has_no_rate(phase, watch, phase->t, phase->x)) return false;
    const double turn = direction * ic_watch_second_rate(phase, watch, phase->t, phase->x,
                                                         IC_RATE_DIFFERENCE * phase->time_scale);
    const bool at_once = -2 * rate < SHORTEST_FLIGHT * ic_phase_instant_width(phase) * turn;
    return (at_once || rate * rate < 2 * turn * drift) && ic_phase_enabled(phase, i, phase->t, phase->x);
}

/* Whether a guard whose value is on its firing side fires at once when a phase starts. */
static bool fires_beyond(ic_loop *l, size_t i, double g)
{
    const ic_phase *phase = &l->phase;
    const ic_watch watch = ic_phase_watch(phase, i);
    if (ic_loop_onset(watch) != IC_ONSET_NEAR) return ic_loop_onset(watch) == IC_ONSET_LEVEL;
    const double units =
        ic_watch_rounding(phase, watch, phase->t, phase->x, l->x_post) / (IC_INSTANT_ULPS * DBL_EPSILON);
    return fabs(g) <= IC_LOOP_DRIFT * units &&
           (ic_phase_guard_rate(phase, i, phase->t, phase->x) * ic_watch_direction(watch) > 0 ||
            returns_at_once(l, i, fabs(g)));
}

static ic_status arm_guard(ic_loop *l, size_t i)
{
    ic_phase *phase = &l->phase;
    const ic_watch watch = ic_phase_watch(phase, i);
    const int direction = ic_watch_direction(watch);
    /* The side from which the guard has come, if only the log has changed. */
    const int before = l->changed || phase->arming[i].order > 0 ? 0 : phase->arming[i].side;
    const double g = ic_phase_guard(phase, i, phase->t, phase->x);
    const ic_departure *departure = find_departure(l->branch, i);
    const ic_fired_guard *last = ic_loop_last_fired(l, watch);
    if (!isfinite(g)) return IC_NOT_FINITE;
    phase->due[i] = false;
    const double beyond = departure == NULL && last == NULL ? fmax(g * ic_watch_direction(watch), 0) : 0;
    l->began[i] = l->changed ? beyond : fmin(beyond, l->began[i]);
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

/* Whether guard i may be curved; the text of each guard is read once in a run. */
static bool is_curved(const ic_loop *l, size_t i)
{
    const ic_phase *phase = &l->phase;
    if (i >= phase->mode->n_guards) return true;
    const char *text = phase->mode->guards[i].linear;
    unsigned char *known = &l->curvature[(size_t)phase->mode_index * l->most_guards + i];
    if (*known == IC_CURVATURE_UNKNOWN)
        *known = text == NULL || names_time(text) ? IC_CURVATURE_SOME : IC_CURVATURE_NONE;
    return *known == IC_CURVATURE_SOME;
}

/* Provide arrays for n guards. Arming and `began` keep their contents; the others are workspace, in one block. */
static ic_status reserve_guard_arrays(ic_loop *l, size_t n)
{
    ic_phase *phase = &l->phase;
    if (n <= l->capacity) return IC_OK;
    const size_t capacity = n + n / 2;
    ic_arming *arming = realloc(phase->arming, capacity * sizeof *arming);
    if (arming == NULL) return IC_NO_MEMORY;
    memset(arming + l->capacity, 0, (capacity - l->capacity) * sizeof *arming);
    phase->arming = arming;
    double *began = realloc(l->began, capacity * sizeof *began);
    if (began == NULL) return IC_NO_MEMORY;
    memset(began + l->capacity, 0, (capacity - l->capacity) * sizeof *began);
    l->began = began;
    free(phase->ends);
    phase->ends = calloc(capacity, sizeof *phase->ends + sizeof *l->pending + sizeof *phase->located +
                                       sizeof *phase->arrival + 3 * sizeof *phase->due);
    if (phase->ends == NULL) return IC_NO_MEMORY;
    l->pending = (ic_pending_guard *)(phase->ends + capacity);
    phase->located = (double *)(l->pending + capacity);
    phase->arrival = (int *)(void *)(phase->located + capacity);
    phase->due = (bool *)(phase->arrival + capacity);
    phase->curved = phase->due + capacity;
    phase->clear = phase->curved + capacity;
    l->capacity = capacity;
    return IC_OK;
}

/* Arms all guards: after the events of an instant, or between events of one instant. */
ic_status ic_loop_arm(ic_loop *l)
{
    ic_phase *phase = &l->phase;
    size_t n_observers = 0;
    phase->observers = ic_event_set_observers(l->set, &n_observers);
    ic_status status = reserve_guard_arrays(l, phase->mode->n_guards + n_observers);
    if (status == IC_OK) phase->n_watched = phase->mode->n_guards + n_observers;
    ic_loop_forget_off_zero(l);
    for (size_t i = 0; i < phase->n_watched && status == IC_OK; i++) {
        const ic_watch watch = ic_phase_watch(phase, i);
        ic_entry *observer = watch.observer;
        phase->curved[i] = is_curved(l, i);
        if (observer != NULL) phase->arming[i] = (ic_arming){.side = observer->side, .order = observer->order};
        status = arm_guard(l, i);
    }
    l->branch = NULL;
    l->changed = false;
    l->armed = phase->t;
    return status;
}

/* The first guard that fires before any time passes, or -1. */
int ic_loop_first_due(const ic_loop *l)
{
    for (size_t i = 0; i < l->phase.n_watched; i++) {
        if (l->phase.due[i]) return (int)i;
    }
    return -1;
}
