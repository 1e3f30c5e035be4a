/* SPDX-License-Identifier: MIT */
#include "core/event_set.h"
#include "core/array.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { SLOT_BITS = 32 };

/* ---- refusals */

__attribute__((format(printf, 2, 3))) static ic_status refuse_request(ic_event_set *set, const char *format,
                                                                      ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(set->text, sizeof set->text, format, arguments);
    va_end(arguments);
    return IC_INVALID;
}

static ic_status refuse_for_memory(ic_event_set *set)
{
    refuse_request(set, "memory ran out");
    return IC_NO_MEMORY;
}

static ic_status check_set_is_open(ic_event_set *set)
{
    if (set->over) return refuse_request(set, "the run of this set is over, and a set serves only one run");
    if (set->closed) return refuse_request(set, "during a run, only handlers may change its set of events");
    return IC_OK;
}

static bool reserve_slot(ic_event_set *set)
{
    if (set->n_free > 0) return true;
    /* both arrays have this capacity, unless memory ran out between them */
    size_t capacity = set->slot_capacity;
    size_t *free_slots = ic_array_reserve(set->free_slots, &capacity, set->n_slots, sizeof *free_slots);
    if (free_slots == NULL) return false;
    set->free_slots = free_slots;
    ic_slot *slots = ic_array_reserve(set->slots, &set->slot_capacity, set->n_slots, sizeof *slots);
    if (slots != NULL) set->slots = slots;
    return slots != NULL;
}

/* ---- the queue: a binary heap whose entries store their place */

static bool is_due_before(const ic_entry *a, const ic_entry *b)
{
    if (a->t != b->t) return a->t < b->t;
    if (a->kind != b->kind) return a->kind == IC_ENTRY_OF_CASE;
    return a->serial < b->serial;
}

static void place_in_queue(ic_event_set *set, size_t place, ic_entry *entry)
{
    set->queue[place] = entry;
    entry->place = place;
}

static void restore_heap_order(ic_event_set *set, size_t place)
{
    ic_entry *entry = set->queue[place];
    while (place > 0 && is_due_before(entry, set->queue[(place - 1) / 2])) {
        place_in_queue(set, place, set->queue[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    for (size_t child = 2 * place + 1; child < set->n_queue; child = 2 * place + 1) {
        if (child + 1 < set->n_queue && is_due_before(set->queue[child + 1], set->queue[child])) child++;
        if (!is_due_before(set->queue[child], entry)) break;
        place_in_queue(set, place, set->queue[child]);
        place = child;
    }
    place_in_queue(set, place, entry);
}

static bool enqueue_entry(ic_event_set *set, ic_entry *entry)
{
    ic_entry **queue = ic_array_reserve(set->queue, &set->queue_capacity, set->n_queue, sizeof(ic_entry *));
    if (queue == NULL) return false;
    set->queue = queue;
    place_in_queue(set, set->n_queue++, entry);
    restore_heap_order(set, entry->place);
    return true;
}

static void dequeue_entry(ic_event_set *set, const ic_entry *entry)
{
    const size_t place = entry->place;
    ic_entry *last = set->queue[--set->n_queue];
    if (last == entry) return;
    place_in_queue(set, place, last);
    restore_heap_order(set, place);
}

ic_entry *ic_event_set_next(const ic_event_set *set)
{
    return set->n_queue > 0 ? set->queue[0] : NULL;
}

/* ---- armed observers; a disarmed one leaves a NULL until they are next requested */

static bool add_observer(ic_event_set *set, ic_entry *entry)
{
    const size_t n = set->n_observers;
    ic_entry **observers = ic_array_reserve(set->observers, &set->observer_capacity, n, sizeof(ic_entry *));
    if (observers == NULL) return false;
    set->observers = observers;
    if (n > 0 && (set->observers[n - 1] == NULL || set->observers[n - 1]->serial > entry->serial))
        set->ordered = false;
    entry->place = n;
    entry->since = set->problem != NULL ? set->instant : 0;
    set->observers[set->n_observers++] = entry;
    return true;
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

static ic_entry *find_entry(const ic_event_set *set, ic_event_id id)
{
    /* for id 0: beyond all slots */
    const unsigned long long slot = (id & ((1ull << SLOT_BITS) - 1)) - 1;
    if (slot >= set->n_slots || set->slots[slot].generation != id >> SLOT_BITS) return NULL;
    return set->slots[slot].entry;
}

static ic_entry *new_entry(ic_event_set *set, ic_entry_kind kind, const char *name, ic_handler *handler,
                           void *context)
{
    ic_entry *entry = reserve_slot(set) ? calloc(1, sizeof *entry) : NULL;
    if (entry == NULL) return NULL;
    if (set->n_free == 0) {
        set->slots[set->n_slots] = (ic_slot){0};
        set->free_slots[set->n_free++] = set->n_slots++;
    }
    const size_t slot = set->free_slots[--set->n_free];
    set->slots[slot].entry = entry;
    entry->kind = kind;
    entry->name = name;
    entry->handler = handler;
    entry->context = context;
    entry->id = (unsigned long long)set->slots[slot].generation << SLOT_BITS | (slot + 1);
    entry->serial = ++set->serial;
    entry->made = set->problem != NULL ? set->instant : 0;
    return entry;
}

static void release_slot(ic_event_set *set, ic_entry *entry)
{
    const size_t slot = (size_t)(entry->id & ((1ull << SLOT_BITS) - 1)) - 1;
    set->slots[slot].entry = NULL;
    set->slots[slot].generation++;
    set->free_slots[set->n_free++] = slot;
    entry->removed = true;
    entry->next_removed = set->removed_events;
    set->removed_events = entry;
}

static bool arm_entry(ic_event_set *set, ic_entry *entry)
{
    entry->armed = entry->kind == IC_ENTRY_OBSERVER ? add_observer(set, entry) : enqueue_entry(set, entry);
    return entry->armed;
}

static void disarm_entry(ic_event_set *set, ic_entry *entry)
{
    if (!entry->armed) return;
    entry->armed = false;
    if (entry->kind == IC_ENTRY_OBSERVER) {
        set->observers[entry->place] = NULL;
        entry->side = entry->order = 0;
    } else {
        dequeue_entry(set, entry);
    }
}

void ic_event_set_sweep(ic_event_set *set)
{
    while (set->removed_events != NULL) {
        ic_entry *entry = set->removed_events;
        set->removed_events = entry->next_removed;
        free(entry);
    }
}

/* ---- times */

/* Time of occurrence entry->n; INFINITY after the last. */
static double occurrence_time(const ic_event_set *set, const ic_entry *entry)
{
    if (entry->of_case != NULL) return entry->of_case->when((int)entry->n, set->problem->par);
    if (entry->occurrences != 0 && entry->n >= entry->occurrences) return INFINITY;
    return entry->interval > 0 ? entry->origin + (double)(entry->n + 1) * entry->interval : entry->origin;
}

void ic_event_set_occurred(ic_event_set *set, ic_entry *entry)
{
    entry->n++;
    entry->t = occurrence_time(set, entry);
    if (entry->t < INFINITY) {
        restore_heap_order(set, entry->place);
        return;
    }
    disarm_entry(set, entry);
    if (entry->kind != IC_ENTRY_OF_CASE) release_slot(set, entry);
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

static ic_status arm_new_entry(ic_event_set *set, ic_entry *entry, ic_event_id *id)
{
    if (!arm_entry(set, entry)) {
        release_slot(set, entry);
        return refuse_for_memory(set);
    }
    if (id != NULL) *id = entry->id;
    return IC_OK;
}

ic_status ic_observe(ic_event_set *set, const ic_observer *observer, ic_event_id *id)
{
    const ic_status status = check_set_is_open(set);
    if (status != IC_OK) return status;
    if (observer->name == NULL || observer->value == NULL)
        return refuse_request(set, "an observer needs a name and a function `value`");
    if (observer->direction < -1 || observer->direction > 1)
        return refuse_request(set, "observer '%s': the direction is %d, but must be -1, 0 or 1", observer->name,
                              observer->direction);
    if (set->problem != NULL && !set->observes) {
        refuse_request(
            set, "observer '%s': the solver of this run reads guards as text, and cannot follow an observer",
            observer->name);
        return IC_UNSUPPORTED;
    }
    ic_entry *entry = new_entry(set, IC_ENTRY_OBSERVER, observer->name, observer->handler, observer->context);
    if (entry == NULL) return refuse_for_memory(set);
    entry->observer = *observer;
    return arm_new_entry(set, entry, id);
}

ic_status ic_schedule(ic_event_set *set, const ic_timed *timed, double t, ic_event_id *id)
{
    const ic_status status = check_set_is_open(set);
    if (status != IC_OK) return status;
    if (timed->name == NULL) return refuse_request(set, "a time event needs a name");
    if (!isfinite(t))
        return refuse_request(set, "time event '%s': its time, %g s, is not finite", timed->name, t);
    if (set->problem != NULL && t < set->now)
        return refuse_request(set, "time event '%s': its time, %.17g s, is before the current time, %.17g s",
                              timed->name, t, set->now);
    ic_entry *entry = new_entry(set, IC_ENTRY_TIMED, timed->name, timed->handler, timed->context);
    if (entry == NULL) return refuse_for_memory(set);
    entry->origin = entry->t = t;
    entry->occurrences = 1;
    return arm_new_entry(set, entry, id);
}

ic_status ic_start_timer(ic_event_set *set, const ic_timed *timed, double interval, unsigned long occurrences,
                         ic_event_id *id)
{
    const ic_status status = check_set_is_open(set);
    if (status != IC_OK) return status;
    if (timed->name == NULL) return refuse_request(set, "a timer needs a name");
    if (!(interval > 0) || !isfinite(interval))
        return refuse_request(set, "timer '%s': its interval is %g s, but must be positive", timed->name,
                              interval);
    const double origin = set->problem != NULL ? set->now : 0;
    if (!(origin + interval > origin))
        return refuse_request(set,
                              "timer '%s': its interval, %g s, is below the rounding error of time at %g s",
                              timed->name, interval, origin);
    ic_entry *entry = new_entry(set, IC_ENTRY_TIMED, timed->name, timed->handler, timed->context);
    if (entry == NULL) return refuse_for_memory(set);
    entry->origin = origin; /* Before a run: replaced by the start of the run when that is known. */
    entry->interval = interval;
    entry->occurrences = occurrences;
    entry->t = occurrence_time(set, entry);
    return arm_new_entry(set, entry, id);
}

/* ---- changing */

/* The entry of an id that may be changed; NULL: *status gives the reason. */
static ic_entry *find_entry_to_change(ic_event_set *set, ic_event_id id, ic_status *status)
{
    *status = check_set_is_open(set);
    if (*status != IC_OK) return NULL;
    ic_entry *entry = find_entry(set, id);
    if (entry == NULL || entry->kind == IC_ENTRY_OF_CASE) {
        *status = refuse_request(
            set, "event %llu does not exist: it was removed, has occurred for the last time, or was never made",
            id);
        return NULL;
    }
    return entry;
}

/* Advance a timer to its first occurrence that is not past. */
static void skip_past_occurrences(const ic_event_set *set, ic_entry *entry)
{
    if (set->problem == NULL || !(entry->t < set->now)) return;
    if (entry->interval > 0) {
        const double passed = floor((set->now - entry->origin) / entry->interval);
        if (passed >= 1 && (unsigned long long)passed - 1 > entry->n) entry->n = (unsigned long long)passed - 1;
        while (occurrence_time(set, entry) < set->now) entry->n++; /* rounding in `passed` */
        entry->t = occurrence_time(set, entry);
    }
}

ic_status ic_event_arm(ic_event_set *set, ic_event_id id)
{
    ic_status status = IC_OK;
    ic_entry *entry = find_entry_to_change(set, id, &status);
    if (entry == NULL || entry->armed) return status;
    if (entry->kind == IC_ENTRY_TIMED) {
        skip_past_occurrences(set, entry);
        if (entry->t == INFINITY || (set->problem != NULL && entry->t < set->now))
            return refuse_request(set, "time event '%s' cannot be armed: its time is past", entry->name);
    }
    return arm_entry(set, entry) ? IC_OK : refuse_for_memory(set);
}

ic_status ic_event_disarm(ic_event_set *set, ic_event_id id)
{
    ic_status status = IC_OK;
    ic_entry *entry = find_entry_to_change(set, id, &status);
    if (entry != NULL) disarm_entry(set, entry);
    return status;
}

ic_status ic_event_remove(ic_event_set *set, ic_event_id id)
{
    ic_status status = IC_OK;
    ic_entry *entry = find_entry_to_change(set, id, &status);
    if (entry == NULL) return status;
    disarm_entry(set, entry);
    release_slot(set, entry);
    if (set->problem == NULL) ic_event_set_sweep(set);
    return IC_OK;
}

bool ic_event_exists(const ic_event_set *set, ic_event_id id)
{
    return find_entry(set, id) != NULL;
}

bool ic_event_is_armed(const ic_event_set *set, ic_event_id id)
{
    const ic_entry *entry = find_entry(set, id);
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

/* Add a time event of the case, at its first occurrence from the start of the run on. */
static ic_status add_case_event(ic_event_set *set, const ic_time_event *event)
{
    ic_entry *entry = new_entry(set, IC_ENTRY_OF_CASE, event->name, NULL, NULL);
    if (entry == NULL) return IC_NO_MEMORY;
    entry->of_case = event;
    while ((entry->t = occurrence_time(set, entry)) < set->now) entry->n++;
    if (!(entry->t < INFINITY)) return IC_OK;
    return arm_entry(set, entry) ? IC_OK : IC_NO_MEMORY;
}

/* Before the run, the occurrences of timers were counted from t = 0. */
static void start_timers(ic_event_set *set)
{
    for (size_t i = 0; i < set->n_slots; i++) {
        ic_entry *entry = set->slots[i].entry;
        if (entry == NULL || entry->kind != IC_ENTRY_TIMED || !(entry->interval > 0)) continue;
        entry->origin = set->now;
        entry->t = occurrence_time(set, entry);
        if (entry->armed) restore_heap_order(set, entry->place);
    }
}

ic_status ic_event_set_begin(ic_event_set *set, const ic_problem *problem, bool observes, ic_log *log)
{
    size_t n = 0;
    if (set->problem != NULL || set->over) {
        ic_log_message(log, "a set of events serves only one run, and this one has been used");
        return IC_INVALID;
    }
    if (ic_event_set_observers(set, &n), n > 0 && !observes) {
        ic_log_message(log, "observer '%s': this solver reads guards as text, and cannot follow an observer",
                       set->observers[0]->name);
        return IC_UNSUPPORTED;
    }
    set->problem = problem;
    set->observes = observes;
    set->now = problem->t_start;
    start_timers(set);
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
        status = add_case_event(set, &problem->variant->time_events[i]);
    return status;
}

void ic_event_set_end(ic_event_set *set)
{
    for (size_t i = 0; i < set->n_slots; i++) {
        ic_entry *entry = set->slots[i].entry;
        if (entry == NULL || entry->kind != IC_ENTRY_OF_CASE) continue;
        disarm_entry(set, entry);
        release_slot(set, entry);
    }
    ic_event_set_sweep(set);
    set->closed = false;
    set->problem = NULL;
    set->over = true;
}
