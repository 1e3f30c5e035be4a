/* SPDX-License-Identifier: MIT */
#include "audit/common/tolerances.h"
#include "audit/trajectory/track/track.h"
#include "core/names.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- rows at the instant of a time event */

/* Rounding of a time that was computed otherwise than the event's. */
#define ROUNDING (8 * DBL_EPSILON)
/* Number of occurrences that are looked at, doubled each time: any number of them. */
enum { DOUBLINGS = 30 };

/* Whether an occurrence of a time event lies within `near` of t; `at` receives its time. */
static bool occurs_near(double *at, const ic_time_event *event, const double *par, double t, double near)
{
    int least = 0, most = 1;
    for (int i = 0; i < DOUBLINGS && event->when(most, par) < t - near; i++) least = most, most *= 2;
    while (least < most) { /* the first occurrence that is not earlier */
        const int middle = least + (most - least) / 2;
        if (event->when(middle, par) < t - near) least = middle + 1;
        else most = middle;
    }
    *at = event->when(least, par);
    return fabs(*at - t) <= near;
}

/* The time around a row of an interval that is the same instant, s. */
static double instant_at(const ic_tracking *k, const ic_interval *interval, size_t row)
{
    const double *times = k->trajectory->t, t = times[row];
    return IC_AT_ONCE * (times[interval->to] - times[interval->from]) + ROUNDING * fabs(t) +
           ic_clock_doubt(&k->clock, t);
}

/* Shifts of time at which a row is looked at, s: 0, and before and after a time event: both states are right. */
typedef struct sides {
    double shift[3];
    size_t n;
} sides;

static sides sides_of(const ic_tracking *k, const ic_interval *interval, size_t row)
{
    const ic_variant *variant = k->problem->variant;
    const double t = k->trajectory->t[row], near = instant_at(k, interval, row);
    sides all = {.n = 1};
    for (size_t e = 0; e < variant->n_time_events; e++) {
        double at;
        if (!occurs_near(&at, &variant->time_events[e], k->problem->par, t, near)) continue;
        return (sides){{0, at - near - t, at + near - t}, 3};
    }
    return all;
}

/* ---- breaches of invariants and guards */

/*
 * Tolerance of a function of the state, from the noise of the row and the accepted accuracy of the
 * states.
 */
static double tolerance_of(const ic_tracking *k, double (*value)(double t, const double *x, const double *par),
                           double t, const double *x)
{
    const size_t n = k->trajectory->n_states;
    const double here = value(t, x, k->problem->par), off = ic_clock_doubt(&k->clock, t);
    double moved[IC_MAX_STATES], noise = 0, accepted = 0;
    memcpy(moved, x, n * sizeof *x);
    for (size_t j = 0; j < n; j++) {
        const double delta = 1e-6 * k->range[j];
        if (ic_is_whole(k, j, x[j])) continue;
        moved[j] += delta;
        const double slope = (value(t, moved, k->problem->par) - here) / delta;
        moved[j] = x[j];
        noise += slope * slope * k->noise[j] * k->noise[j];
        accepted += fabs(slope) * (k->accept * k->range[j] + k->sampling[j]);
    }
    if (off > 0) /* The part that depends on time itself. */
        accepted += fmax(fabs(value(t + off, x, k->problem->par) - here),
                         fabs(value(t - off, x, k->problem->par) - here));
    return ic_tolerance_noise.value * sqrt(noise) + accepted;
}

double ic_guard_tolerance(const ic_tracking *k, const ic_guard *guard, double t, const double *x)
{
    return tolerance_of(k, guard->value, t, x);
}

ic_breach ic_mode_breach(const ic_tracking *k, int m, double t, const double *x)
{
    const ic_mode *mode = &k->problem->variant->modes[m];
    ic_breach worst = {.value = 0, .tolerance = 1};
    for (size_t i = 0; i < mode->n_invariants; i++) {
        const ic_invariant *invariant = &mode->invariants[i];
        const double value = invariant->value(t, x, k->problem->par);
        const double beyond = invariant->side == 0 ? fabs(value) : -invariant->side * value;
        const double tolerance = tolerance_of(k, invariant->value, t, x);
        if (beyond <= tolerance || beyond * worst.tolerance <= fabs(worst.value) * tolerance) continue;
        worst = (ic_breach){invariant->name, invariant->unit, value, tolerance};
    }
    return worst;
}

static ic_breach worse_breach(ic_breach a, ic_breach b)
{
    return fabs(b.value) * a.tolerance > fabs(a.value) * b.tolerance ? b : a;
}

bool ic_guard_is_passed(const ic_guard *guard, double t, const double *x, const double *par, double by)
{
    return guard->direction != 0 && (guard->enabled == NULL || guard->enabled(t, x, par) > 0) &&
           guard->direction * guard->value(t, x, par) > by;
}

/*
 * A guard that was passed before the mode starts: its value and tolerance. Without a name: it was
 * not passed.
 */
static ic_breach find_passed(const ic_tracking *k, const ic_guard *guard, double t, const double *x)
{
    const ic_breach none = {.tolerance = 1};
    const double *par = k->problem->par;
    /*
     * The tolerance costs one evaluation of the guard for each state; it is computed only if the
     * sign is wrong.
     */
    if (!ic_guard_is_passed(guard, t, x, par, 0)) return none;
    /* a constant that is 0 before an event is noise in the rows, of either sign */
    if (guard->enabled != NULL && guard->enabled(t, x, par) <= tolerance_of(k, guard->enabled, t, x))
        return none;
    const double value = guard->value(t, x, par);
    const double tolerance = ic_guard_tolerance(k, guard, t, x);
    return guard->direction * value > tolerance ? (ic_breach){guard->name, guard->unit, value, tolerance}
                                                : none;
}

/* The guard that is passed farthest when an interval starts in mode m. */
static ic_breach guards_passed(const ic_tracking *k, const ic_interval *interval, int m)
{
    const ic_mode *mode = &k->predictor.guarded.variant->modes[m];
    ic_breach worst = {.tolerance = 1};
    double x[IC_MAX_STATES];
    ic_interval_state_in(x, k, interval, m);
    for (size_t g = 0; g < mode->n_guards; g++)
        worst = worse_breach(worst, find_passed(k, &mode->guards[g], k->trajectory->t[interval->from], x));
    return worst;
}

static ic_breach mode_breach(const ic_tracking *k, const ic_interval *interval, int m)
{
    double x[IC_MAX_STATES];
    ic_interval_state_in(x, k, interval, m);
    return ic_mode_breach(k, m, k->trajectory->t[interval->from], x);
}

ic_breach ic_interval_breach(const ic_tracking *k, const ic_interval *interval)
{
    const ic_breach broken = mode_breach(k, interval, interval->mode);
    if (!interval->entered) return broken;
    return worse_breach(broken, guards_passed(k, interval, interval->mode));
}

bool ic_mode_holds(const ic_tracking *k, const ic_interval *interval, int m)
{
    return mode_breach(k, interval, m).name == NULL;
}

/* ---- trials */

static void run_once(ic_mode_trial *h, const ic_tracking *k, ic_interval *interval)
{
    interval->shift_from = h->shift_from;
    interval->shift_to = h->shift_to;
    ic_interval_predict(&h->end, k, interval, h->mode, h->guards);
    h->defect = ic_interval_defect(k, interval, &h->end, &h->worst);
    interval->gave_up |= h->end.gave_up;
}

void ic_mode_trial_run(ic_mode_trial *h, const ic_tracking *k, ic_interval *interval, int mode, bool guards)
{
    interval->mode = mode;
    *h = (ic_mode_trial){.mode = mode, .guards = guards};
    run_once(h, k, interval);
    if (!(h->defect > 1) || !guards || k->problem->variant->n_time_events == 0) return;
    /* A row at the instant of a time event may have the state of either side. */
    const sides from = sides_of(k, interval, interval->from), to = sides_of(k, interval, interval->to);
    for (size_t i = 1; i < from.n * to.n && h->defect > 1; i++) {
        ic_mode_trial other = {.mode = mode, .guards = guards};
        other.shift_from = from.shift[i % from.n];
        other.shift_to = to.shift[i / from.n];
        run_once(&other, k, interval);
        /* Another start has other events, so that it counts only if it explains the interval. */
        if (other.defect < (other.shift_from != 0 ? fmin(1, h->defect) : h->defect)) *h = other;
    }
}

/* The stages of a search, in this order. */
enum { GUARDS_AHEAD, GUARDS_PASSED, WITHOUT_GUARDS, WITHOUT_INVARIANTS, STAGES };

/* Whether a reachable mode belongs to a stage of the search. */
static bool belongs_to(const ic_tracking *k, const ic_interval *interval, int mode, int stage)
{
    if (!k->reached[mode] || ic_mode_holds(k, interval, mode) == (stage == WITHOUT_INVARIANTS)) return false;
    return stage >= WITHOUT_GUARDS ||
           (guards_passed(k, interval, mode).name != NULL) == (stage == GUARDS_PASSED);
}

/* Whether the last row of an interval is at the guard of this name of the tracked mode, within the noise. */
static bool ends_at_guard(const ic_tracking *k, const ic_interval *interval, const char *name)
{
    const ic_guard *guard = ic_guard_find(&k->predictor.guarded.variant->modes[interval->tracked], name);
    const double t = k->trajectory->t[interval->to];
    ic_interval end = *interval;
    double x[IC_MAX_STATES];
    if (guard == NULL || !ic_noise_is_there(k)) return false;
    end.from = interval->to;
    ic_interval_state_in(x, k, &end, interval->tracked);
    return fabs(guard->value(t, x, k->problem->par)) <= ic_guard_tolerance(k, guard, t, x);
}

bool ic_mode_trial_before_event(ic_mode_trial *h, const ic_tracking *k, ic_interval *interval)
{
    const double off = fabs(k->trajectory->t[interval->to] - h->end.t_event);
    ic_mode_trial other;
    if (!h->end.good || h->end.events != 1) return false;
    if (!(off <= instant_at(k, interval, interval->to)) && !ends_at_guard(k, interval, h->end.event))
        return false;
    ic_mode_trial_run(&other, k, interval, interval->tracked, false);
    if (!(other.defect <= 1)) return false;
    *h = other;
    h->guards = true;
    return true;
}

bool ic_mode_trial_at_end(ic_mode_trial *h, const ic_tracking *k, ic_interval *interval)
{
    const double *t = k->trajectory->t;
    ic_mode_trial later = {.mode = interval->tracked, .guards = true};
    if (!h->end.good || h->end.events > 0) return false;
    later.shift_to = IC_AT_ONCE * (t[interval->to] - t[interval->from]);
    run_once(&later, k, interval);
    if (later.end.good && later.end.events > 0) *h = later;
    interval->shift_to = h->shift_to;
    return h->end.events > 0;
}

/* Sets memories to the values that the end of the contact gives. */
static void forget_contact(const ic_tracking *k, ic_interval *interval, const double *x,
                           const ic_contact_view *view)
{
    const ic_guard *leaves = ic_guard_to(&k->predictor.guarded.variant->modes[view->contact], view->free);
    double post[IC_MAX_STATES] = {0};
    if (leaves == NULL || interval->memory == NULL) return;
    leaves->jump.apply(post, k->trajectory->t[interval->from], x, k->problem->par);
    for (size_t j = 0; j < k->trajectory->n_states; j++) {
        if (ic_is_memory(k, j)) interval->memory[j] = post[j];
    }
}

void ic_mode_trial_leave(ic_mode_trial *h, const ic_tracking *k, ic_interval *interval)
{
    const ic_contact_view *view = k->problem->system->contact;
    const double t = k->trajectory->t[interval->from];
    double x[IC_MAX_STATES];
    ic_mode_trial other;
    if (view == NULL || interval->tracked != view->contact || !k->reached[view->free]) return;
    const ic_guard *touch = ic_touch_guard(view, k->predictor.guarded.variant);
    ic_interval_state_in(x, k, interval, view->free);
    const double apart = touch == NULL ? 0 : -touch->direction * touch->value(t, x, k->problem->par);
    if (touch == NULL || !(apart > 0) || !(apart > ic_guard_tolerance(k, touch, t, x))) return;
    double kept[IC_MAX_STATES];
    const size_t size = interval->memory != NULL ? k->trajectory->n_states * sizeof *kept : 0;
    if (size > 0) memcpy(kept, interval->memory, size);
    forget_contact(k, interval, x, view);
    ic_mode_trial_run(&other, k, interval, view->free, true);
    if (other.defect <= 1) {
        interval->tracked = view->free;
        *h = other;
    } else if (size > 0) {
        memcpy(interval->memory, kept, size);
    }
    interval->mode = interval->tracked;
}

void ic_mode_trial_best(ic_mode_trial *best, const ic_tracking *k, ic_interval *interval)
{
    const int n = (int)k->predictor.guarded.variant->n_modes;
    const bool had_first = best->guards; /* Whether guards of the tracked mode were used. */
    for (int i = 0; i < STAGES * n && best->defect > 1; i++) {
        const int mode = i % n, stage = i / n;
        ic_mode_trial h;
        if (stage < WITHOUT_GUARDS && had_first && mode == interval->tracked) continue;
        if (!belongs_to(k, interval, mode, stage)) continue;
        ic_mode_trial_run(&h, k, interval, mode, stage < WITHOUT_GUARDS);
        if (stage == WITHOUT_INVARIANTS && h.defect > 1) continue;
        if (h.defect < best->defect) *best = h;
    }
}
