/* SPDX-License-Identifier: MIT */
#include "core/event_set.h"
#include "core/room.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOT_BITS = 32 };

/* ---- what is refused */

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static ic_status
refuse(ic_event_set *set, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(set->text, sizeof set->text, format, arguments);
    va_end(arguments);
    return IC_INVALID;
}

static ic_status no_memory(ic_event_set *set)
{
    refuse(set, "memory ran out");
    return IC_NO_MEMORY;
}

static ic_status may_change(ic_event_set *set)
{
    if (set->over) return refuse(set, "the run of this set is over: a set serves one");
    if (set->closed) return refuse(set, "while a run goes on, its set is changed by handlers only");
    return IC_OK;
}

/* ---- room */

static bool make_slots(ic_event_set *set)
{
    if (set->n_free > 0) return true;
    size_t room = set->slot_room; /* the same for both, unless memory runs out between them */
    size_t *free_slots = ic_with_room(set->free_slots, &room, set->n_slots, sizeof *free_slots);
    if (free_slots == NULL) return false;
    set->free_slots = free_slots;
    ic_slot *slots = ic_with_room(set->slots, &set->slot_room, set->n_slots, sizeof *slots);
    if (slots != NULL) set->slots = slots;
    return slots != NULL;
}

/* ---- the queue: a binary heap, whose entries know their place */

static bool precedes(const ic_entry *a, const ic_entry *b)
{
    if (a->t != b->t) return a->t < b->t;
    if (a->kind != b->kind) return a->kind == IC_ENTRY_OF_CASE;
    return a->serial < b->serial;
}

static void put(ic_event_set *set, size_t place, ic_entry *entry)
{
    set->queue[place] = entry;
    entry->place = place;
}

static void settle(ic_event_set *set, size_t place)
{
    ic_entry *entry = set->queue[place];
    while (place > 0 && precedes(entry, set->queue[(place - 1) / 2])) {
        put(set, place, set->queue[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    for (size_t child = 2 * place + 1; child < set->n_queue; child = 2 * place + 1) {
        if (child + 1 < set->n_queue && precedes(set->queue[child + 1], set->queue[child])) child++;
        if (!precedes(set->queue[child], entry)) break;
        put(set, place, set->queue[child]);
        place = child;
    }
    put(set, place, entry);
}

static bool enqueue(ic_event_set *set, ic_entry *entry)
{
    ic_entry **queue = ic_with_room(set->queue, &set->queue_room, set->n_queue, sizeof(ic_entry *));
    if (queue == NULL) return false;
    set->queue = queue;
    put(set, set->n_queue++, entry);
    settle(set, entry->place);
    return true;
}

static void dequeue(ic_event_set *set, const ic_entry *entry)
{
    const size_t place = entry->place;
    ic_entry *last = set->queue[--set->n_queue];
    if (last == entry) return;
    put(set, place, last);
    settle(set, place);
}

ic_entry *ic_event_set_next(const ic_event_set *set)
{
    return set->n_queue > 0 ? set->queue[0] : NULL;
}

/* ---- armed observers; one that is disarmed leaves a hole until they are next asked for */

static bool watch(ic_event_set *set, ic_entry *entry)
{
    const size_t n = set->n_observers;
    ic_entry **observers = ic_with_room(set->observers, &set->observer_room, n, sizeof(ic_entry *));
    if (observers == NULL) return false;
    set->observers = observers;
    if (n > 0 && (set->observers[n - 1] == NULL || set->observers[n - 1]->serial > entry->serial))
        set->ordered = false;
    entry->place = n;
    entry->since = set->problem != NULL ? set->instant : 0;
    set->observers[set->n_observers++] = entry;
    return true;
}

static void unwatch(ic_event_set *set, ic_entry *entry)
{
    set->observers[entry->place] = NULL;
    entry->side = entry->order = 0;
}

static int by_serial(const void *a, const void *b)
{
    const ic_entry *const *p = a, *const *q = b;
    return ((*p)->serial > (*q)->serial) - ((*p)->serial < (*q)->serial);
}

ic_entry *const *ic_event_set_observers(ic_event_set *set, size_t *n)
{
    size_t kept = 0;
    for (size_t i = 0; i < set->n_observers; i++) {
        if (set->observers[i] != NULL) set->observers[kept++] = set->observers[i];
    }
    if (!set->ordered && kept > 1) qsort(set->observers, kept, sizeof(ic_entry *), by_serial);
    for (size_t i = 0; i < kept; i++) set->observers[i]->place = i;
    set->n_observers = kept;
    set->ordered = true;
    *n = kept;
    return set->observers;
}

/* ---- entries */

static ic_entry *find(const ic_event_set *set, ic_event_id id)
{
    const unsigned long long slot = (id & ((1ull << SLOT_BITS) - 1)) - 1; /* of 0: beyond all */
    if (slot >= set->n_slots || set->slots[slot].generation != id >> SLOT_BITS) return NULL;
    return set->slots[slot].entry;
}

static ic_entry *new_entry(ic_event_set *set, ic_entry_kind kind)
{
    ic_entry *entry = make_slots(set) ? calloc(1, sizeof *entry) : NULL;
    if (entry == NULL) return NULL;
    if (set->n_free == 0) {
        set->slots[set->n_slots] = (ic_slot){0};
        set->free_slots[set->n_free++] = set->n_slots++;
    }
    const size_t slot = set->free_slots[--set->n_free];
    set->slots[slot].entry = entry;
    entry->kind = kind;
    entry->id = (unsigned long long)set->slots[slot].generation << SLOT_BITS | (slot + 1);
    entry->serial = ++set->serial;
    entry->made = set->problem != NULL ? set->instant : 0;
    entry->row = IC_NO_ROW;
    return entry;
}

static void forget(ic_event_set *set, ic_entry *entry)
{
    const size_t slot = (size_t)(entry->id & ((1ull << SLOT_BITS) - 1)) - 1;
    set->slots[slot].entry = NULL;
    set->slots[slot].generation++;
    set->free_slots[set->n_free++] = slot;
    entry->removed = true;
    entry->next_out = set->out;
    set->out = entry;
}

static bool arm(ic_event_set *set, ic_entry *entry)
{
    entry->armed = entry->kind == IC_ENTRY_OBSERVER ? watch(set, entry) : enqueue(set, entry);
    return entry->armed;
}

static void disarm(ic_event_set *set, ic_entry *entry)
{
    if (!entry->armed) return;
    entry->armed = false;
    if (entry->kind == IC_ENTRY_OBSERVER) unwatch(set, entry);
    else dequeue(set, entry);
}

void ic_event_set_sweep(ic_event_set *set)
{
    while (set->out != NULL) {
        ic_entry *entry = set->out;
        set->out = entry->next_out;
        free(entry);
    }
}

/* ---- times */

/* Time of occurrence n of an entry; INFINITY behind the last. */
static double due(const ic_entry *entry, unsigned long long n)
{
    if (entry->of_case != NULL) return NAN; /* asked of the case */
    if (entry->to != 0 && n >= entry->to) return INFINITY;
    return entry->interval > 0 ? entry->origin + (double)(n + 1) * entry->interval : entry->origin;
}

static double due_by_case(const ic_event_set *set, const ic_entry *entry)
{
    return entry->of_case->when((int)entry->n, set->problem->par);
}

void ic_event_set_occurred(ic_event_set *set, ic_entry *entry)
{
    entry->n++;
    entry->t = entry->kind == IC_ENTRY_OF_CASE ? due_by_case(set, entry) : due(entry, entry->n);
    if (entry->t < INFINITY) {
        settle(set, entry->place);
        return;
    }
    disarm(set, entry);
    if (entry->kind != IC_ENTRY_OF_CASE) forget(set, entry);
}

/* ---- making */

ic_event_set *ic_event_set_new(void)
{
    ic_event_set *set = calloc(1, sizeof *set);
    if (set != NULL) set->ordered = true;
    return set;
}

void ic_event_set_release(ic_event_set *set)
{
    for (size_t i = 0; i < set->n_slots; i++) free(set->slots[i].entry);
    ic_event_set_sweep(set);
    free(set->slots);
    free(set->free_slots);
    free(set->observers);
    free(set->queue);
}

void ic_event_set_free(ic_event_set *set)
{
    if (set == NULL) return;
    ic_event_set_release(set);
    free(set);
}

static ic_status keep(ic_event_set *set, ic_entry *entry, ic_event_id *id)
{
    if (!arm(set, entry)) {
        forget(set, entry);
        return no_memory(set);
    }
    if (id != NULL) *id = entry->id;
    return IC_OK;
}

ic_status ic_observe(ic_event_set *set, const ic_observer *observer, ic_event_id *id)
{
    const ic_status status = may_change(set);
    if (status != IC_OK) return status;
    if (observer->name == NULL || observer->value == NULL)
        return refuse(set, "an observer needs a name and a function `value`");
    if (observer->direction < -1 || observer->direction > 1)
        return refuse(set, "observer '%s': the direction is %d; -1, 0 or 1 is expected", observer->name,
                      observer->direction);
    if (set->problem != NULL && !set->observes) {
        refuse(set, "observer '%s': the solver of this run knows guards by their texts only", observer->name);
        return IC_UNSUPPORTED;
    }
    ic_entry *entry = new_entry(set, IC_ENTRY_OBSERVER);
    if (entry == NULL) return no_memory(set);
    entry->name = observer->name;
    entry->handler = observer->handler;
    entry->context = observer->context;
    entry->observer = *observer;
    return keep(set, entry, id);
}

static ic_entry *new_timed(ic_event_set *set, const ic_timed *timed)
{
    ic_entry *entry = new_entry(set, IC_ENTRY_TIMED);
    if (entry == NULL) return NULL;
    entry->name = timed->name;
    entry->context = timed->context;
    entry->handler = timed->handler;
    return entry;
}

ic_status ic_schedule(ic_event_set *set, const ic_timed *timed, double t, ic_event_id *id)
{
    const ic_status status = may_change(set);
    if (status != IC_OK) return status;
    if (timed->name == NULL) return refuse(set, "a time event needs a name");
    if (!isfinite(t)) return refuse(set, "time event '%s': its time, %g s, is no time", timed->name, t);
    if (set->problem != NULL && t < set->now)
        return refuse(set, "time event '%s': its time, %.17g s, is past: it is %.17g s", timed->name, t,
                      set->now);
    ic_entry *entry = new_timed(set, timed);
    if (entry == NULL) return no_memory(set);
    entry->origin = entry->t = t;
    entry->to = 1;
    return keep(set, entry, id);
}

ic_status ic_start_timer(ic_event_set *set, const ic_timed *timed, double interval, unsigned long occurrences,
                         ic_event_id *id)
{
    const ic_status status = may_change(set);
    if (status != IC_OK) return status;
    if (timed->name == NULL) return refuse(set, "a timer needs a name");
    if (!(interval > 0) || !isfinite(interval))
        return refuse(set, "timer '%s': its interval is %g s; a positive one is expected", timed->name,
                      interval);
    const double origin = set->problem != NULL ? set->now : 0;
    if (!(origin + interval > origin))
        return refuse(set, "timer '%s': its interval, %g s, drowns in the rounding of time at %g s",
                      timed->name, interval, origin);
    ic_entry *entry = new_timed(set, timed);
    if (entry == NULL) return no_memory(set);
    entry->origin = origin; /* before a run: moved to its start when that is known */
    entry->interval = interval;
    entry->to = occurrences;
    entry->t = due(entry, 0);
    return keep(set, entry, id);
}

/* ---- changing */

/* The entry of an id that is to be changed; NULL: *status says why not. */
static ic_entry *to_change(ic_event_set *set, ic_event_id id, ic_status *status)
{
    *status = may_change(set);
    if (*status != IC_OK) return NULL;
    ic_entry *entry = find(set, id);
    if (entry == NULL || entry->kind == IC_ENTRY_OF_CASE) {
        *status = refuse(
            set, "event %llu does not exist: it was removed, was due for the last time, or never was", id);
        return NULL;
    }
    return entry;
}

/* A timer goes on with the first time that is not past. */
static void catch_up(const ic_event_set *set, ic_entry *entry)
{
    if (set->problem == NULL || !(entry->t < set->now)) return;
    if (entry->interval > 0) {
        const double passed = floor((set->now - entry->origin) / entry->interval);
        if (passed >= 1 && (unsigned long long)passed - 1 > entry->n) entry->n = (unsigned long long)passed - 1;
        while (due(entry, entry->n) < set->now) entry->n++; /* what rounding has left */
        entry->t = due(entry, entry->n);
    }
}

ic_status ic_event_arm(ic_event_set *set, ic_event_id id)
{
    ic_status status = IC_OK;
    ic_entry *entry = to_change(set, id, &status);
    if (entry == NULL || entry->armed) return status;
    if (entry->kind == IC_ENTRY_TIMED) {
        catch_up(set, entry);
        if (entry->t == INFINITY || (set->problem != NULL && entry->t < set->now))
            return refuse(set, "time event '%s' cannot be armed: its time is past", entry->name);
    }
    return arm(set, entry) ? IC_OK : no_memory(set);
}

ic_status ic_event_disarm(ic_event_set *set, ic_event_id id)
{
    ic_status status = IC_OK;
    ic_entry *entry = to_change(set, id, &status);
    if (entry != NULL) disarm(set, entry);
    return status;
}

ic_status ic_event_remove(ic_event_set *set, ic_event_id id)
{
    ic_status status = IC_OK;
    ic_entry *entry = to_change(set, id, &status);
    if (entry == NULL) return status;
    disarm(set, entry);
    forget(set, entry);
    if (set->problem == NULL) ic_event_set_sweep(set);
    return IC_OK;
}

bool ic_event_exists(const ic_event_set *set, ic_event_id id)
{
    return find(set, id) != NULL;
}

bool ic_event_is_armed(const ic_event_set *set, ic_event_id id)
{
    const ic_entry *entry = find(set, id);
    return entry != NULL && entry->armed;
}

size_t ic_event_set_count(const ic_event_set *set)
{
    const size_t of_case = set->problem != NULL ? set->problem->variant->n_time_events : 0;
    return set->n_slots - set->n_free - of_case;
}

const char *ic_event_set_text(const ic_event_set *set)
{
    return set->text;
}

/* ---- a run */

/* Times of occurrences that lie before the start are past. */
static ic_status take_time_event(ic_event_set *set, const ic_time_event *event)
{
    ic_entry *entry = new_entry(set, IC_ENTRY_OF_CASE);
    if (entry == NULL) return IC_NO_MEMORY;
    entry->name = event->name;
    entry->of_case = event;
    entry->t = due_by_case(set, entry);
    while (entry->t < set->now) {
        entry->n++;
        entry->t = due_by_case(set, entry);
    }
    if (!(entry->t < INFINITY)) return IC_OK;
    return arm(set, entry) ? IC_OK : IC_NO_MEMORY;
}

/* Before the run, times of timers were counted from 0. */
static void begin_timers(ic_event_set *set)
{
    for (size_t i = 0; i < set->n_slots; i++) {
        ic_entry *entry = set->slots[i].entry;
        if (entry == NULL || entry->kind != IC_ENTRY_TIMED || !(entry->interval > 0)) continue;
        entry->origin = set->now;
        entry->t = due(entry, 0);
        if (entry->armed) settle(set, entry->place);
    }
}

ic_status ic_event_set_begin(ic_event_set *set, const ic_problem *problem, bool observes, ic_log *log)
{
    size_t n = 0;
    if (set->problem != NULL || set->over) {
        ic_log_message(log, "a set of events serves one run, and this one has served");
        return IC_INVALID;
    }
    if (ic_event_set_observers(set, &n), n > 0 && !observes) {
        ic_log_message(log, "observer '%s': this solver knows guards by their texts only",
                       set->observers[0]->name);
        return IC_UNSUPPORTED;
    }
    set->problem = problem;
    set->observes = observes;
    set->now = problem->t_start;
    begin_timers(set);
    const ic_entry *first = ic_event_set_next(set);
    if (first != NULL && first->t < set->now) {
        ic_log_message(log, "time event '%s': its time, %.17g s, is before the start of the run, %.17g s",
                       first->name, first->t, set->now);
        set->problem = NULL;
        return IC_INVALID;
    }
    set->closed = true;
    ic_status status = IC_OK;
    for (size_t i = 0; i < problem->variant->n_time_events && status == IC_OK; i++)
        status = take_time_event(set, &problem->variant->time_events[i]);
    return status;
}

void ic_event_set_end(ic_event_set *set)
{
    for (size_t i = 0; i < set->n_slots; i++) {
        ic_entry *entry = set->slots[i].entry;
        if (entry == NULL || entry->kind != IC_ENTRY_OF_CASE) continue;
        disarm(set, entry);
        forget(set, entry);
    }
    ic_event_set_sweep(set);
    set->closed = false;
    set->problem = NULL;
    set->over = true;
}
