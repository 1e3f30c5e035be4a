/* SPDX-License-Identifier: MIT */
/*
 * Stays in a mode: do they begin and end where the guards say? Each event of the case that the rows
 * carry on over, and each change of mode that no guard asked for.
 */
#include "audit/common/tolerances.h"
#include "audit/trajectory/checks.h"
#include "registry/registry.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const ic_audit_check event_times = {
    .name = "event-times",
    .what = "how late the rows change their mode, after the case's event from the same row",
    .why = "events are not located within the step",
    .reference = "event contract, clauses 1 and 7",
    .needed = true,
};
static const ic_audit_check adhesion = {
    .name = "adhesion",
    .what = "contact force that pulls, in rows that stay in contact",
    .why = "contact ends by position and not by force",
    .reference = "Jonsson, Bathelt & Broman 2005, section 2: condition A against C, Eqs. (4), (10)",
};
static const ic_audit_check force_before_touch = {
    .name = "force-before-touch",
    .what = "gap at which rows are in contact already",
    .why = "contact begins by force and not by position",
    .reference = "Jonsson, Bathelt & Broman 2005, section 2: condition B, Eq. (7)",
};
static const ic_audit_check events_kept = {
    .name = "events",
    .what = "events of the case that the rows do not have, and changes of mode that the case does not have",
    .why = "events are missed, or made up",
    .reference = "event contract, clauses 1 to 8",
    .needed = true,
};

/* An event that comes within so many intervals is late, and not missed. */
#define LATE_INTERVALS 1.5

/*
 * Tolerances: with noise, what is off by less may be so by chance; ten deviations are none. Of many
 * states noise is followed in a few directions alone.
 */
#define CLEAR 2.0
#define CLEAR_OF_MANY 8.0

static double clear_of(const ic_tracking *k)
{
    return ic_has_many_states(k) ? CLEAR_OF_MANY : CLEAR;
}

/* With velocities by differences: the interval. */
static double part_of_interval(const ic_tracking *k)
{
    for (size_t j = 0; j < k->trajectory->n_states; j++) {
        if (k->trajectory->source[j] == IC_FROM_DIFFERENCES) return 1;
    }
    return ic_tolerance_event_time.value * k->accept;
}

/* s; of the time of an event that the file tells, noise apart */
static double time_accepted(const ic_tracking *k, double t)
{
    return part_of_interval(k) * k->spacing + ic_clock_rounding(&k->clock, t);
}

/* Of fewer intervals one that nothing explains is no place among others. */
enum { LEAST_JUMPS_SEEN = 4 };

/* What was seen, of each kind. */
typedef struct sights {
    size_t due, late, missed, made_up, otherwise, adhesive, before_touch, regained, through;

    /* some missed or made-up event, or one that ends otherwise, is beyond what noise makes */
    bool clear;

    /* the rows, or the case's own run, have an event */
    bool expects;

    /* some look odd, and may by chance */
    bool doubt;

    /* s */
    double latest, t_latest;

    double pull, pull_tolerance, t_pull;
    double gap, t_gap;
    double t_missed, t_made_up, t_otherwise;

    /* that jumps; n_states: the mode changes */
    size_t state_made_up;

    size_t line_missed;
    char missed_event[32];
} sights;

static const ic_guard *guard_named(const ic_mode *mode, const char *name)
{
    for (size_t i = 0; i < mode->n_guards; i++) {
        if (strcmp(mode->guards[i].name, name) == 0) return &mode->guards[i];
    }
    return NULL;
}

/* The guard of the tracked mode that is due in an interval, from the row before. */
static const ic_guard *guard_due(const ic_tracking *k, const ic_interval *interval)
{
    double x[IC_MAX_STATES];
    ic_interval from = *interval;
    ic_prediction p;
    from.mode = interval->tracked;
    ic_interval_state(x, k, &from);
    ic_predict(&p, &k->predictor, true, k->trajectory->t[interval->from], x, interval->tracked,
               k->trajectory->t[interval->to]);
    if (p.events == 0) return NULL;
    return guard_named(&k->problem->variant->modes[interval->tracked], p.event);
}

/* ---- an event that is late by part of an interval: by how much fits best */

static double defect_if_late(const ic_tracking *k, const ic_interval *interval, const ic_guard *guard,
                             double late)
{
    const ic_trajectory *tr = k->trajectory;
    const double t = interval->t_due + late;
    double x[IC_MAX_STATES], post[IC_MAX_STATES] = {0};
    ic_interval from = *interval;
    ic_prediction p;
    size_t worst;
    from.mode = interval->tracked;
    ic_interval_state(x, k, &from);
    if (t > tr->t[interval->from]) {
        ic_predict(&p, &k->predictor, false, tr->t[interval->from], x, interval->tracked, t);
        if (!p.good) return INFINITY;
        memcpy(x, p.x, sizeof x);
    }
    const int branch = guard->jump.apply(post, t, x, k->problem->par);
    int mode = guard->jump.branches[branch].mode;
    if (mode == IC_SAME_MODE) mode = interval->tracked;
    if (tr->t[interval->to] > t) {
        ic_predict(&p, &k->predictor, false, t, post, mode, tr->t[interval->to]);
    } else {
        p = (ic_prediction){.good = true, .mode = mode};
        memcpy(p.x, post, sizeof post);
    }
    return ic_interval_defect(k, &from, &p, &worst);
}

/* s; NAN where no shift of the event explains the interval */
static double lateness(const ic_tracking *k, const ic_interval *interval, const ic_guard *guard)
{
    enum { PLACES = 16, ROUNDS = 4 };
    double least = k->trajectory->t[interval->from] - interval->t_due,
           most = k->trajectory->t[interval->to] - interval->t_due;
    double best = NAN, defect = INFINITY;
    for (int round = 0; round < ROUNDS && most > least; round++) {
        const double width = (most - least) / PLACES;
        double here = best;
        for (int i = 0; i <= PLACES; i++) {
            const double late = least + i * width, d = defect_if_late(k, interval, guard, late);
            if (d < defect) defect = d, here = late;
        }
        best = here;
        if (isnan(best)) return NAN;
        least = fmax(least, best - width), most = fmin(most, best + width);
    }
    return defect <= 1 ? best : NAN;
}

/* s; what noise, and times that are rounded, make of the time at which the guard is passed, by its
   rate at the row before. */
static double time_tolerance(const ic_tracking *k, const ic_interval *interval, const ic_guard *guard)
{
    double x[IC_MAX_STATES];
    const double t = k->trajectory->t[interval->from];
    ic_interval from = *interval;
    from.mode = interval->tracked;
    ic_interval_state(x, k, &from);
    return ic_guard_tolerance(k, guard, t, x) / fabs(guard->rate(t, x, k->problem->par)) +
           ic_clock_doubt(&k->clock, t) + ic_clock_doubt(&k->clock, k->trajectory->t[interval->to]);
}

/* ---- stays */

static void note_late(sights *s, double late, double t)
{
    s->late++;
    if (fabs(late) > fabs(s->latest)) s->latest = late, s->t_latest = t;
}

/* Number of the interval at which the mode of interval i is left. */
static size_t end_of_stay(const ic_tracking *k, size_t i)
{
    const int mode = k->intervals[i].tracked;
    size_t j = i + 1;
    while (j < k->n_intervals && k->intervals[j].from == k->intervals[j - 1].to &&
           k->intervals[j].mode == mode && k->intervals[j].explanation < IC_IN_DOUBT)
        j++;
    return j;
}

/* The extreme value beyond zero of a guard in a stay, and the tolerance there. */
static double beyond(const ic_tracking *k, const ic_guard *guard, size_t first, size_t last, double *tolerance,
                     double *t)
{
    const double side = guard->direction < 0 ? -1 : 1;
    double most = 0;
    for (size_t i = first; i < last; i++) {
        double x[IC_MAX_STATES];
        const double time = k->trajectory->t[k->intervals[i].from];
        ic_interval_state(x, k, &k->intervals[i]);
        const double value = side * guard->value(time, x, k->problem->par);
        if (value <= most) continue;
        most = value;
        *t = time;
        *tolerance = ic_guard_tolerance(k, guard, time, x);
    }
    return most;
}

/* The case has an event in interval i, and the rows go on as if it had none. */
static void carried_on(sights *s, const ic_tracking *k, size_t i, const ic_guard *guard)
{
    const ic_contact_view *view = k->problem->system->contact;
    const size_t end = end_of_stay(k, i);
    const double until =
        k->trajectory->t[end < k->n_intervals ? k->intervals[end].from : k->intervals[end - 1].to];
    double tolerance = 0, t = k->intervals[i].t_due;
    /* with the row at which the mode is left: that may be the only one beyond the guard */
    const double value = beyond(k, guard, i + 1, end < k->n_intervals ? end + 1 : end, &tolerance, &t);
    if (value <= tolerance) return; /* within the noise it never got beyond */
    if (until - k->intervals[i].t_due <= LATE_INTERVALS * k->spacing) {
        note_late(s, until - k->intervals[i].t_due, t);
        return;
    }
    const bool pulls =
        view != NULL && k->intervals[i].tracked == view->contact && strcmp(guard->unit, "N") == 0;
    if (pulls) {
        s->adhesive++;
        if (value > s->pull) s->pull = value, s->pull_tolerance = tolerance, s->t_pull = t;
        return;
    }
    s->missed++;
    s->clear |= value > clear_of(k) * tolerance;
    s->regained += strcmp(guard->name, "regained contact") == 0;
    s->through += view != NULL && view->rigid && k->intervals[i].tracked == view->free;
    s->t_missed = k->intervals[i].t_due;
    s->line_missed = k->trajectory->line[k->intervals[i].from];
    snprintf(s->missed_event, sizeof s->missed_event, "%s", guard->name);
}

/* Enabled, within the noise. */
static bool may_fire(const ic_tracking *k, const ic_guard *guard, double t, const double *x)
{
    const ic_guard condition = {.value = guard->enabled};
    return guard->enabled == NULL ||
           guard->enabled(t, x, k->problem->par) > -ic_guard_tolerance(k, &condition, t, x);
}

static bool leads_to(const ic_jump *jump, int mode)
{
    for (size_t b = 0; b < jump->n_branches; b++) {
        if (jump->branches[b].mode == mode) return true;
    }
    return false;
}

/* At zero, and going nowhere, within the noise: impacts may have accumulated here. */
static bool may_accumulate(const ic_tracking *k, const ic_guard *guard, double t, const double *x)
{
    const ic_guard rate = {.value = guard->rate};
    if (guard->accumulation.apply == NULL || guard->rate == NULL) return false;
    return fabs(guard->value(t, x, k->problem->par)) <= ic_guard_tolerance(k, guard, t, x) &&
           fabs(guard->rate(t, x, k->problem->par)) <= ic_guard_tolerance(k, &rate, t, x);
}

/* The rows are in another mode than the guards have led to: has a guard to that mode been passed
   within the noise? */
static bool guard_passed(const ic_tracking *k, const ic_interval *interval)
{
    const ic_mode *mode = &k->problem->variant->modes[interval->tracked];
    double x[IC_MAX_STATES];
    const double t = k->trajectory->t[interval->from];
    ic_interval from = *interval;
    from.mode = interval->tracked;
    ic_interval_state(x, k, &from);
    for (size_t g = 0; g < mode->n_guards; g++) {
        const ic_guard *guard = &mode->guards[g];
        if (!may_fire(k, guard, t, x)) continue;
        if (leads_to(&guard->accumulation, interval->mode) && may_accumulate(k, guard, t, x)) return true;
        if (!leads_to(&guard->jump, interval->mode)) continue;
        const double value = (guard->direction < 0 ? 1 : -1) * guard->value(t, x, k->problem->par);
        if (value <= ic_guard_tolerance(k, guard, t, x)) return true;
    }
    return false;
}

/*
 * In which of the rows before the mode changed, noise may hide: both modes explain them. It has
 * changed by a guard if one was passed within the noise in one of these.
 */
static bool guard_passed_before(const ic_tracking *k, size_t i, int mode)
{
    enum { HIDDEN = 10 };
    for (size_t back = 0; i > 0 && back < HIDDEN; i--, back++) {
        ic_interval before = k->intervals[i - 1];
        double x[IC_MAX_STATES];
        ic_prediction end;
        size_t worst;
        if (before.to != k->intervals[i].from) return false;
        if (before.tracked == mode) return false;
        before.mode = mode;
        ic_interval_state(x, k, &before);
        ic_predict(&end, &k->predictor, true, k->trajectory->t[before.from], x, mode,
                   k->trajectory->t[before.to]);
        if (!end.good || end.mode != mode || ic_interval_defect(k, &before, &end, &worst) > 1) return false;
        if (guard_passed(k, &before)) return true;
    }
    return false;
}

/* Whether the case comes from one mode to another by accumulation, some rows later. */
static bool accumulates_soon(const ic_tracking *k, const ic_interval *interval, int from_mode, int to_mode)
{
    enum { SOON = 20 };
    const ic_mode *mode = &k->problem->variant->modes[from_mode];
    const double t = k->trajectory->t[interval->from];
    double x[IC_MAX_STATES];
    ic_interval from = *interval;
    ic_prediction p;
    bool leads = false;
    for (size_t g = 0; g < mode->n_guards; g++)
        leads |= mode->guards[g].accumulation.apply != NULL && leads_to(&mode->guards[g].accumulation, to_mode);
    if (!leads) return false;
    from.mode = from_mode;
    ic_interval_state(x, k, &from);
    /* a row that noise has put beyond the guard never meets it: each state is moved to the other
       side, and to this one */
    for (size_t j = 0; j < 2 * k->trajectory->n_states; j++) {
        const double kept = x[j / 2];
        x[j / 2] += (j % 2 == 0 ? 1 : -1) * ic_tolerance_noise.value * k->noise[j / 2];
        ic_predict(&p, &k->predictor, true, t, x, from.mode, t + SOON * k->spacing);
        x[j / 2] = kept;
        if (p.good && p.mode == to_mode) return true;
    }
    return false;
}

/* Noise hides the last of many impacts: the rows are in that mode already, or were taken to be. */
static bool hidden_by_noise(const ic_tracking *k, const ic_interval *interval)
{
    return ic_noise_shows(k) && (accumulates_soon(k, interval, interval->tracked, interval->mode) ||
                                 accumulates_soon(k, interval, interval->mode, interval->tracked));
}

static void changed_by_itself(sights *s, const ic_tracking *k, size_t i, const ic_interval *interval)
{
    const ic_case *system = k->problem->system;
    const ic_contact_view *view = system->contact;
    const double t = k->trajectory->t[interval->from];
    double x[IC_MAX_STATES];
    if (guard_passed(k, interval) || guard_passed_before(k, i, interval->mode)) return;
    if (hidden_by_noise(k, interval)) return;
    ic_interval_state(x, k, interval);
    const size_t output =
        view != NULL && view->gap != NULL ? ic_output_find(system, view->gap) : system->n_outputs;
    if (output < system->n_outputs && interval->mode == view->contact && !view->rigid) {
        const double gap = system->outputs[output].value(t, x, view->free, k->problem->par);
        if (gap > 0) {
            s->before_touch++;
            if (gap > s->gap) s->gap = gap, s->t_gap = t;
            return;
        }
    }
    s->made_up++;
    s->t_made_up = t;
    s->state_made_up = k->trajectory->n_states;
}

/* After an interval that nothing explains the mode is what fits: a contact above the surface is
   seen all the same. */
static void began_unseen(sights *s, const ic_tracking *k, size_t i)
{
    const ic_contact_view *view = k->problem->system->contact;
    ic_interval interval = k->intervals[i];
    if (view == NULL || i == 0 || k->intervals[i - 1].to != interval.from) return;
    if (k->intervals[i - 1].explanation != IC_UNEXPLAINED || interval.explanation >= IC_IN_DOUBT) return;
    if (interval.mode != view->contact || k->intervals[i - 1].tracked != view->free) return;
    const size_t made_up = s->made_up;
    interval.tracked = view->free;
    changed_by_itself(s, k, i, &interval);
    s->made_up = made_up; /* what the interval before hides may have asked for it */
}

/* With noise, what is off by less than twice its tolerance may be so by chance. */
static bool stands_out(const ic_tracking *k, const ic_interval *interval)
{
    return !interval->gave_up && (!ic_noise_shows(k) || interval->defect > CLEAR);
}

static bool is_explained(const ic_tracking *k, size_t i)
{
    return i < k->n_intervals && k->intervals[i].explanation < IC_IN_DOUBT;
}

/* An event of the case that ends in another state than the case's, whenever it is taken to happen.
 */
static void ended_otherwise(sights *s, const ic_tracking *k, const ic_interval *interval, bool fits)
{
    if (fits || !stands_out(k, interval)) return;
    if (s->otherwise++ == 0) s->t_otherwise = interval->t_due;
    s->clear |= interval->defect > clear_of(k);
}

/*
 * Nothing explains an interval in which the case has no event, and its neighbours are explained:
 * the state jumps where no guard asks for it. Several in a row are no event; the flow is another.
 */
static void jumped_by_itself(sights *s, const ic_tracking *k, size_t i)
{
    const ic_interval *interval = &k->intervals[i];
    const bool alone =
        (i == 0 || is_explained(k, i - 1)) && (i + 1 == k->n_intervals || is_explained(k, i + 1));
    if (!alone || k->n_intervals < LEAST_JUMPS_SEEN || !stands_out(k, interval)) return;
    if (ic_noise_shows(k) &&
        /* what is followed along noisy rows has a noise that nobody knows */
        ic_remembers_contact(k)) {
        s->doubt = true;
        return;
    }
    s->made_up++;
    s->t_made_up = k->trajectory->t[interval->from];
    s->state_made_up = interval->worst;
    s->clear |= interval->defect > clear_of(k);
}

/* Something happens at a given time, whatever the state, and the rows go on as if it did not: how
   far off they are then. */
static void time_event_missed(sights *s, const ic_tracking *k, const ic_interval *interval)
{
    double x[IC_MAX_STATES];
    ic_interval from = *interval;
    ic_prediction p;
    size_t worst;
    from.mode = interval->tracked;
    ic_interval_state(x, k, &from);
    ic_predict(&p, &k->predictor, true, k->trajectory->t[from.from], x, from.mode, k->trajectory->t[from.to]);
    s->clear |= ic_interval_defect(k, &from, &p, &worst) > clear_of(k);
    s->missed++;
    s->t_missed = interval->t_due;
    s->line_missed = k->trajectory->line[interval->from];
    snprintf(s->missed_event, sizeof s->missed_event, "what is due at that time");
}

/* The case has an event here, from the mode that was tracked, and the rows have not gone that way.
 */
static void look_at_event(sights *s, const ic_tracking *k, size_t i, bool fits_lateness)
{
    const ic_interval *interval = &k->intervals[i];
    const ic_guard *guard = guard_due(k, interval);
    if (interval->explanation == IC_UNEXPLAINED) {
        const double late = guard != NULL && fits_lateness ? lateness(k, interval, guard) : NAN;
        ended_otherwise(s, k, interval, isfinite(late));
        if (guard == NULL || isnan(late)) return;
        if (fabs(late) > time_tolerance(k, interval, guard) && stands_out(k, interval))
            note_late(s, late, interval->t_due);
    } else if (interval->explanation == IC_WITHOUT_EVENTS && guard == NULL) {
        time_event_missed(s, k, interval);
    } else if (interval->explanation < IC_UNHELD && interval->mode != interval->tracked) {
        changed_by_itself(s, k, i, interval);
    } else if (interval->explanation == IC_WITHOUT_EVENTS) {
        carried_on(s, k, i, guard);
    }
}

static void look(sights *s, const ic_tracking *k)
{
    enum { MOST_FITTED = 200 };
    size_t fitted = 0;
    for (size_t i = 0; i < k->n_intervals; i++) {
        const ic_interval *interval = &k->intervals[i];
        s->due += interval->due > 0;
        s->doubt |= interval->explanation == IC_IN_DOUBT;
        began_unseen(s, k, i);
        if (interval->due > 0) {
            if (interval->explanation != IC_BY_GUARDS) look_at_event(s, k, i, fitted++ < MOST_FITTED);
        } else if (interval->explanation == IC_ANOTHER_MODE || interval->explanation == IC_WITHOUT_EVENTS) {
            if (interval->mode != interval->tracked) changed_by_itself(s, k, i, interval);
        } else if (interval->explanation == IC_UNEXPLAINED) {
            jumped_by_itself(s, k, i);
        }
    }
}

/* s; what the noise of an interval's first row, and rounding, make of the time of its event:
   followed, since guards may be flat. */
static double told_time_tolerance(const ic_tracking *k, const ic_interval *interval)
{
    const ic_trajectory *tr = k->trajectory;
    const double rounding = 1e-9, length = tr->t[interval->to] - tr->t[interval->from];
    double x[IC_MAX_STATES], square = 0;
    ic_interval from = *interval;
    from.mode = interval->tracked;
    ic_interval_state(x, k, &from);
    for (size_t j = 0; j < tr->n_states; j++) {
        double off = 0;
        const double kept = x[j];
        if (tr->source[j] == IC_FROM_TRACKING) continue;
        for (int side = -1; side <= 1; side += 2) {
            ic_prediction p;
            x[j] = kept + side * fmax(k->noise[j], rounding * k->range[j]);
            ic_predict(&p, &k->predictor, true, tr->t[interval->from], x, from.mode, tr->t[interval->to]);
            off = fmax(off, p.good && p.events > 0 ? fabs(p.t_event - interval->t_due) : length);
        }
        x[j] = kept;
        square += off * off;
    }
    return ic_tolerance_noise.value * sqrt(square);
}

/* Events that the file itself tells, as two rows of one time, beside those of the case in the
   interval around them. */
static void compare_told_events(sights *s, const ic_tracking *k)
{
    const ic_trajectory *tr = k->trajectory;
    for (size_t i = 0; i < k->n_intervals; i++) {
        const ic_interval *interval = &k->intervals[i];
        if (interval->due != 1 || interval->explanation >= IC_IN_DOUBT)
            continue; /* of several it is not told which one it is */
        for (size_t row = interval->from + 1; row + 1 < interval->to; row++) {
            if (tr->t[row] != tr->t[row + 1]) continue;
            const double late = tr->t[row] - interval->t_due;
            const double accepted =
                time_accepted(k, tr->t[row]) + ic_clock_doubt(&k->clock, tr->t[interval->from]);
            if (fabs(late) > accepted && fabs(late) > accepted + told_time_tolerance(k, interval))
                note_late(s, late, tr->t[row]);
            break;
        }
    }
}

/* ---- findings */

/* Add to a text, as far as there is room. */
static void append(char *text, size_t size, const char *format, ...)
{
    const size_t n = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + n, size - n, format, arguments);
    va_end(arguments);
}

/* With noise that shows, one event in twenty may look odd by chance: beside a guard's zero a few
   deviations decide its mode. */
static size_t by_chance(const ic_tracking *k, const sights *s)
{
    const double shows = 1e-6, loud = 1e-3;
    size_t chance = 0;
    for (size_t j = 0; j < k->trajectory->n_states; j++) {
        const size_t here = k->noise[j] > shows * k->range[j] ? (s->due + 10) / 20 : 0;
        chance = here > chance ? here : chance;
        if (k->noise[j] > loud * k->range[j] && chance == 0) chance = 1;
    }
    return chance;
}

static void forget_chance(sights *s, const ic_tracking *k)
{
    const size_t chance = by_chance(k, s);
    if (s->late <= chance) s->late = 0, s->latest = 0;
    if (!s->clear && s->missed + s->made_up + s->otherwise <= chance) {
        s->doubt |= s->missed + s->made_up + s->otherwise > 0;
        s->missed = s->made_up = s->otherwise = s->regained = s->through = 0;
    }
    if (s->before_touch <= chance) s->before_touch = 0, s->gap = 0;
    if (s->adhesive <= chance) s->adhesive = 0, s->pull = 0;
}

/* A memory of the contact that is followed along noisy rows has their noise, which its guard's
   tolerance does not know. */
static bool noise_hides_times(const ic_tracking *k)
{
    const double hides = 3e-3;
    for (size_t j = 0; j < k->trajectory->n_states; j++) {
        if (k->noise[j] > hides * k->range[j]) return true;
    }
    return false;
}

static void add_event_times(ic_findings *findings, const ic_tracking *k, const sights *s)
{
    const double rounding = ic_clock_rounding(&k->clock, s->t_latest);
    ic_finding f = ic_finding_of(&event_times, k, fabs(s->latest), time_accepted(k, s->t_latest), "s");
    snprintf(f.origin, sizeof f.origin, "%s, %.3g s",
             ic_tolerance_amount(&ic_tolerance_event_time, part_of_interval(k)).text, k->spacing);
    if (rounding > 0) append(f.origin, sizeof f.origin, ", and the times' own rounding, %.1g s", rounding);
    if (s->due == 0 && !s->expects) {
        snprintf(f.detail, sizeof f.detail, "the case has no events, and neither have the rows");
    } else if (s->due == 0) {
        f.verdict = IC_FINDING_OPEN;
        f.measured = NAN;
        snprintf(f.detail, sizeof f.detail, "no event from any row: rows with events are needed");
    } else if (s->late == 0) {
        snprintf(f.detail, sizeof f.detail, "%zu events of the case, each explained", s->due);
    } else {
        snprintf(f.detail, sizeof f.detail, "%zu of %zu events, the worst by %.3g s near t = %.9g s", s->late,
                 s->due, s->latest, s->t_latest);
        f.cause = s->latest > 0 ? IC_MISTAKE_NO_EVENT_LOCATION : IC_NO_MISTAKE;
    }
    if ((f.verdict == IC_FINDING_FAIL && noise_hides_times(k)) ||
        (f.verdict == IC_FINDING_PASS && ic_noise_hides(k))) {
        f.verdict = IC_FINDING_OPEN;
        snprintf(f.detail, sizeof f.detail, "the noise hides when events happen");
    }
    if (f.verdict != IC_FINDING_FAIL) f.cause = IC_NO_MISTAKE;
    ic_findings_add(findings, &f);
}

/* What is seen of events, in words. */
static void describe_events(ic_finding *f, const ic_tracking *k, const sights *s)
{
    append(f->detail, sizeof f->detail, "%zu of %zu missed", s->missed, s->due);
    if (s->missed > 0)
        append(f->detail, sizeof f->detail, ", as '%s' at t = %.9g s (line %zu)", s->missed_event, s->t_missed,
               s->line_missed);
    if (s->otherwise > 0)
        append(f->detail, sizeof f->detail, "; %zu end in another state than the case's, as at t = %.9g s",
               s->otherwise, s->t_otherwise);
    if (s->made_up == 0) return;
    append(f->detail, sizeof f->detail, "; %zu that no guard asks for, as at t = %.9g s", s->made_up,
           s->t_made_up);
    if (s->state_made_up < k->trajectory->n_states)
        append(f->detail, sizeof f->detail, ", where %s jumps",
               k->problem->system->states[s->state_made_up].name);
}

/* Why rows that have nothing against them decide nothing of events either; NULL: they do. */
static const char *undecided_events(const ic_tracking *k, const sights *s)
{
    if (s->doubt) return "some events look odd, and may by chance: less noise would tell";
    if (k->n_intervals < IC_LEAST_INTERVALS) return "too few rows: from nine on some of them may tell";
    if (ic_noise_hides(k)) return "the noise hides events";
    if (s->due == 0 && s->expects) return "no event from any row: rows with events are needed";
    return NULL;
}

/* Events that no guard asks for may be the case's own, seen from another origin. */
static ic_mistake_id shifted_origin(ic_finding *f, const ic_tracking *k)
{
    char detail[160] = "";
    const ic_mistake_id cause = ic_find_offset(k, detail, sizeof detail);
    if (cause != IC_NO_MISTAKE) append(f->detail, sizeof f->detail, ". %s", detail);
    return cause;
}

static void add_events(ic_findings *findings, const ic_tracking *k, const sights *s)
{
    ic_finding f = ic_finding_of(&events_kept, k, (double)(s->missed + s->made_up + s->otherwise), 0, "events");
    const char *open = undecided_events(k, s);
    snprintf(f.origin, sizeof f.origin, "none; guards count as passed within %s",
             ic_accuracy_origin(&ic_tolerance_accuracy, k->accept).text);
    describe_events(&f, k, s);
    if (s->regained > 0) f.cause = IC_MISTAKE_REGAINED_CONTACT_OVERLOOKED;
    else if (f.verdict == IC_FINDING_FAIL && s->made_up > 1) f.cause = shifted_origin(&f, k);
    if (f.cause == IC_NO_MISTAKE && s->through > 0) f.cause = IC_MISTAKE_FALLS_THROUGH;
    if (f.verdict == IC_FINDING_FAIL && !s->clear && s->missed == 0 &&
        (ic_noise_shows(k) || ic_times_are_rounded(k))) {
        f.verdict = IC_FINDING_OPEN;
        snprintf(f.detail, sizeof f.detail, "the noise hides in which mode some rows are");
    }
    if (f.verdict == IC_FINDING_PASS && open != NULL) {
        f.verdict = IC_FINDING_OPEN;
        snprintf(f.detail, sizeof f.detail, "%s", open);
    }
    ic_findings_add(findings, &f);
}

static void add_adhesion(ic_findings *findings, const ic_tracking *k, const sights *s)
{
    ic_finding f = ic_finding_of(&adhesion, k, s->pull, s->adhesive > 0 ? s->pull_tolerance : 0, "N");
    snprintf(f.origin, sizeof f.origin, "%s, in the force",
             ic_accuracy_origin(&ic_tolerance_accuracy, k->accept).text);
    if (s->adhesive > 0) {
        snprintf(f.detail, sizeof f.detail, "contact pulls in %zu stays, most near t = %.9g s", s->adhesive,
                 s->t_pull);
        f.cause = IC_MISTAKE_ADHESION_KEPT;
    }
    ic_findings_add(findings, &f);
}

static void add_force_before_touch(ic_findings *findings, const ic_tracking *k, const sights *s)
{
    ic_finding f = ic_finding_of(&force_before_touch, k, s->gap, 0, "m");
    snprintf(f.origin, sizeof f.origin, "none; the guard of touching is not passed by %s",
             ic_accuracy_origin(&ic_tolerance_accuracy, k->accept).text);
    if (s->before_touch > 0) {
        snprintf(f.detail, sizeof f.detail, "contact begins above the surface %zu times, highest at t = %.9g s",
                 s->before_touch, s->t_gap);
        f.cause = IC_MISTAKE_CONTACT_FROM_FORCE;
    }
    if (f.verdict == IC_FINDING_FAIL && s->before_touch * 4 <= s->due && noise_hides_times(k)) {
        f.verdict = IC_FINDING_OPEN, f.cause = IC_NO_MISTAKE;
        snprintf(f.detail, sizeof f.detail, "the noise hides where contact begins");
    }
    ic_findings_add(findings, &f);
}

void ic_audit_stays(ic_findings *findings, const ic_tracking *k)
{
    const ic_contact_view *view = k->problem->system->contact;
    sights s = {.state_made_up = k->trajectory->n_states};
    look(&s, k);
    compare_told_events(&s, k);
    forget_chance(&s, k);
    s.expects = s.due > 0 || ic_case_has_events(k);
    add_event_times(findings, k, &s);
    add_events(findings, k, &s);
    if (view != NULL && view->force != NULL) add_adhesion(findings, k, &s);
    if (view != NULL && !view->rigid) add_force_before_touch(findings, k, &s);
}
