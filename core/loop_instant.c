/* SPDX-License-Identifier: MIT */
/* One instant: time events first, then the guards that are due, in table order (contract, clauses 4 and 9). */
#include "core/array.h"
#include "core/loop.h"
#include "core/numbers.h"

#include <math.h>

/* Begins a new instant: forgets the guards that fired at the last one. */
static void begin_instant(ic_loop *l)
{
    if (l->phase.t == l->set->now && l->set->instant > 0) return;
    l->n_fired = 0;
    l->collapsed = false;
    l->set->now = l->phase.t;
    l->set->instant++;
}

static ic_status remember_firing(ic_loop *l, ic_watch watch, double rate)
{
    const ic_phase *phase = &l->phase;
    const int direction = ic_watch_direction(watch);
    const double value = ic_watch_value(phase, watch, phase->t, phase->x);
    /* It fired away from zero. */
    if (ic_loop_onset(watch) == IC_ONSET_LEVEL && ic_loop_is_off_zero(l, watch, value)) return IC_OK;
    ic_fired_guard *fired = ic_array_reserve(l->fired, &l->fired_capacity, l->n_fired, sizeof *fired);
    if (fired == NULL) return IC_NO_MEMORY;
    l->fired = fired;
    const int to = direction != 0 ? direction : ic_sign(rate);
    l->fired[l->n_fired++] = (ic_fired_guard){.watch = watch, .value = value, .rate = rate, .to = to};
    return IC_OK;
}

/*
 * Replaces the action by that at the limit of infinitely many firings. false: the guard does not
 * define one.
 */
static bool set_limit_action(ic_watch watch, ic_action *a)
{
    a->kind = IC_EVENT_ACCUMULATION;
    if (watch.observer != NULL) a->handler = watch.observer->observer.accumulated;
    else a->jump = &watch.guard->accumulation;
    return watch.observer != NULL ? a->handler != NULL : a->jump->apply != NULL;
}

static ic_status fire_watch(ic_loop *l, ic_watch watch, bool at_once)
{
    ic_phase *phase = &l->phase;
    ic_entry *o = watch.observer;
    ic_action a = {.kind = IC_EVENT_GUARD, .name = ic_watch_name(watch), .at_once = at_once};
    bool changed = false;
    const double rate = ic_watch_rate(phase, watch, phase->t, phase->x);
    /* An impact whose speed is below rounding is at the limit; so is one that ends an unresolved flight. */
    const bool rests = ic_loop_has_limit(watch) && (ic_watch_has_no_rate(phase, watch, phase->t, phase->x) ||
                                                    ic_sign(rate) == -ic_watch_direction(watch));
    if (o == NULL) a.jump = rests ? &watch.guard->accumulation : &watch.guard->jump;
    else a.handler = o->handler, a.context = o->context, a.id = o->id;
    begin_instant(l);
    ic_status status = remember_firing(l, watch, rate);
    if (status != IC_OK) return status;
    const bool counts = o == NULL || o->changes; /* clause 14 */
    if (ic_loop_has_limit(watch) && !rests && ic_loop_collapses(l)) {
        set_limit_action(watch, &a);
    } else if (counts && ic_loop_accumulates(l, watch, rate, &a.rest)) {
        if (!set_limit_action(watch, &a)) {
            phase->t += a.rest;
            ic_log_message(phase->log, "firings of '%s' accumulate at t = %.17g", a.name, phase->t);
            return IC_ZENO;
        }
        ic_firings_forget(&l->firings);
    } else {
        a.rest = 0;
    }
    status = ic_loop_perform(l, &a, &changed);
    if (o != NULL && changed && !o->changes) {
        o->changes = true;
        ic_firings_forget(&l->firings);
    }
    return status;
}

bool ic_loop_is_over(const ic_loop *l)
{
    return l->stopped || l->phase.mode->terminal;
}

/*
 * The counterpart of a pending guard in the current mode; both pointers are NULL if it does not
 * exist.
 */
static ic_watch find_counterpart(const ic_loop *l, ic_watch watch)
{
    const ic_mode *mode = l->phase.mode;
    if (watch.observer != NULL) return watch.observer->armed ? watch : (ic_watch){0};
    for (size_t i = 0; i < mode->n_guards; i++) {
        if (ic_same_guard(&mode->guards[i], watch.guard)) return (ic_watch){.guard = &mode->guards[i]};
    }
    return (ic_watch){0};
}

static bool is_still_due(const ic_loop *l, ic_watch watch, double value_before)
{
    const ic_phase *phase = &l->phase;
    if (watch.guard == NULL && watch.observer == NULL) return false;
    const double rate = ic_watch_rate(phase, watch, phase->t, phase->x);
    return rate != 0 && ic_fires(ic_watch_direction(watch), ic_sign(rate)) &&
           ic_loop_is_still_at_zero(phase, watch, value_before) &&
           ic_watch_enabled(phase, watch, phase->t, phase->x);
}

/* Collect the guards that the method found to be due; the one in phase->fired comes first. */
static size_t collect_due_guards(ic_loop *l)
{
    ic_phase *phase = &l->phase;
    size_t n = 0;
    for (size_t i = 0; i <= phase->n_watched; i++) {
        const size_t row = i == 0 ? (size_t)phase->fired : i - 1;
        if (i > 0 && (!phase->due[row] || (int)row == phase->fired)) continue;
        const ic_watch watch = ic_phase_watch(phase, row);
        l->pending[n++] = (ic_pending_guard){watch, ic_watch_value(phase, watch, phase->t, phase->x)};
    }
    return n;
}

static ic_status fire_time_event(ic_loop *l, ic_entry *entry)
{
    ic_action a = {.kind = IC_EVENT_TIME, .name = entry->name, .context = entry->context, .id = entry->id};
    bool changed = false;
    begin_instant(l);
    if (entry->kind == IC_ENTRY_OF_CASE) a.jump = &entry->of_case->jump;
    else a.handler = entry->handler;
    a.at_once = entry->kind == IC_ENTRY_TIMED && entry->made != l->set->instant;
    ic_event_set_occurred(l->set, entry);
    const ic_status status = ic_loop_perform(l, &a, &changed);
    if (changed) ic_firings_forget(&l->firings);
    return status;
}

/* Drops references to observers that handlers have removed. */
static void drop_removed_observers(ic_loop *l)
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
ic_status ic_loop_fire_all(ic_loop *l, bool timed)
{
    ic_phase *phase = &l->phase;
    const size_t n = phase->fired >= 0 ? collect_due_guards(l) : 0;
    ic_status status = IC_OK;
    ic_loop_save_observers(l);
    while (timed && status == IC_OK && !ic_loop_is_over(l)) {
        ic_entry *next = ic_event_set_next(l->set);
        if (next == NULL || next->t > phase->t) break;
        status = fire_time_event(l, next);
    }
    for (size_t i = 0; i < n && status == IC_OK && !ic_loop_is_over(l); i++) {
        const bool first = i == 0 && !timed;
        const ic_watch watch = first ? l->pending[i].watch : find_counterpart(l, l->pending[i].watch);
        if (first || is_still_due(l, watch, l->pending[i].value)) status = fire_watch(l, watch, !first);
    }
    if (status != IC_OK || l->stopped) return status;
    drop_removed_observers(l);
    return ic_loop_arm(l);
}
