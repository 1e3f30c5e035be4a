/* SPDX-License-Identifier: MIT */
/*
 * Checks whether dwells begin and end where the guards do. Counts each event of the case that the
 * rows ignore, and each change of mode without a guard.
 */
#include "audit/common/tolerances.h"
#include "audit/trajectory/checks/checks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Part of a guard's tolerance by which rounding moves a row away from the surface at which it is. */
#define AT_SURFACE 1e-6
/* An event within this many intervals is late, not missed. */
#define LATE_INTERVALS 1.5

/*
 * Tolerances: with noise, smaller deviations may be by chance, ten standard deviations not. Noise
 * of many states is followed in a few directions only.
 */
#define CLEAR 2.0
#define CLEAR_OF_MANY 8.0

static double clear_of(const ic_tracking *k)
{
    return ic_has_many_states(k) ? CLEAR_OF_MANY : CLEAR;
}

/*
 * Accepted error of event times as a fraction of the interval. It is 1 for velocities from
 * differences.
 */
static double part_of_interval(const ic_tracking *k)
{
    return ic_has_source(k, IC_FROM_DIFFERENCES) ? 1 : ic_tolerance_event_time.value * k->accept;
}

/* Accepted error of an event time that the file gives, s, without noise. */
static double time_accepted(const ic_tracking *k, double t)
{
    return part_of_interval(k) * k->spacing + ic_clock_rounding(&k->clock, t);
}

enum { MOST_PLASTIC = 20 };

/* Intervals for each event of the case that an event alone leaves unexplained, at most. */
enum { MOST_OF_EVENT = 2 };

/* Among fewer intervals a single unexplained one is not isolated. */
enum { LEAST_JUMPS_SEEN = 4 };

/* Tolerances of a position for each of a rate where only the body was moved. */
#define FAR_LESS 10.0

/* Counters of events. */
typedef struct counters {
    size_t due, late, missed, made_up, otherwise, adhesive, before_touch, regained, through;

    /* Jumps without a guard that reverse a velocity. */
    size_t rebounds;

    /* Events with another end, and jumps without a guard, in which only positions are off. */
    size_t displaced;

    /* Events with another end that a plastic impact explains. */
    size_t plastic;

    /* Late events between rows, and those at the zero of the chord of their guard. */
    size_t at_row, on_chord;

    /* Late ends of a force that pushes, which then pulls. */
    size_t pulls;

    /* True if some missed, invented or wrong event exceeds the noise. */
    bool clear;

    /* True if the rows go on beyond the end of the case. */
    bool beyond_end;

    /* True if the rows or the case's own run have an event. */
    bool expects;

    /* True if some events are doubtful but may be so by chance. */
    bool doubt;

    /* s */
    double latest, t_latest;

    double pull, pull_tolerance, t_pull;
    double gap, t_gap;
    double t_missed, t_made_up, t_otherwise;

    /* Of the first event with another end: its state that is off most, by how much, and the line. */
    size_t state_otherwise, line_otherwise;
    double off_otherwise;

    /* State that jumps; n_states: the mode changes. */
    size_t state_made_up;

    /* Row before this jump. */
    size_t row_made_up;

    size_t line_missed;
    char missed_event[32];

    /* number of missed events in a row that have this name */
    size_t missed_alike;
} counters;

/* The guard of the tracked mode that fires in an interval, predicted from its first row. */
static const ic_guard *guard_due(const ic_tracking *k, const ic_interval *interval)
{
    ic_prediction p;
    ic_interval_predict(&p, k, interval, interval->tracked, true);
    if (p.events == 0) return NULL;
    return ic_guard_find(&k->problem->variant->modes[interval->tracked], p.event);
}

/* ---- the delay of an event, as the part of an interval that fits best */

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

/* The delay, s; NAN: no delay explains the interval. */
static double find_lateness(const ic_tracking *k, const ic_interval *interval, const ic_guard *guard)
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

/*
 * Uncertainty of the time of an event, s, caused by noise and rounded times, from the rate of the
 * guard at the first row.
 */
static double time_tolerance(const ic_tracking *k, const ic_interval *interval, const ic_guard *guard)
{
    double x[IC_MAX_STATES];
    const double t = k->trajectory->t[interval->from];
    ic_interval_state_in(x, k, interval, interval->tracked);
    return ic_guard_tolerance(k, guard, t, x) / fabs(guard->rate(t, x, k->problem->par)) +
           ic_clock_doubt(&k->clock, t) + ic_clock_doubt(&k->clock, k->trajectory->t[interval->to]);
}

/* Whether an event is late as the zero of the guard's chord from row to row is: one linear interpolation. */
static bool is_on_chord(const ic_tracking *k, const ic_interval *interval, const ic_guard *guard, double late)
{
    const double near = 0.1, t0 = k->trajectory->t[interval->from], t1 = k->trajectory->t[interval->to];
    double x[IC_MAX_STATES];
    ic_prediction p;
    ic_interval_state_in(x, k, interval, interval->tracked);
    ic_predict(&p, &k->predictor, false, t0, x, interval->tracked, t1);
    if (!p.good) return false;
    const double before = guard->value(t0, x, k->problem->par), after = guard->value(t1, p.x, k->problem->par);
    const double chord = t0 + (t1 - t0) * before / (before - after) - interval->t_due;
    return fabs(late - chord) <= near * fabs(chord);
}

/*
 * How late the case's next event is in a row, s, if the row is on a chord of the guard from the row before it to the end
 * of a step that the file does not have: the guard is 0 in the row, which it is not on the flow, and is so too early or
 * too late by the side to which it bends. A body that is put back at the end of a step is late after a step as long as
 * others. NAN: it is not.
 */
static double late_on_chord(const ic_tracking *k, const ic_interval *interval, size_t row)
{
    const ic_trajectory *tr = k->trajectory;
    const double *t = &tr->t[row], *given = &tr->x[row * tr->n_states], *par = k->problem->par;
    const double t0 = tr->t[interval->from];
    double x[IC_MAX_STATES];
    ic_prediction p, due;
    if (row < 2 || interval->tracked < 0) return NAN;
    ic_interval_state_in(x, k, interval, interval->tracked);
    ic_predict(&due, &k->predictor, true, t0, x, interval->tracked, t[0] + 0.5 * k->time_scale);
    ic_predict(&p, &k->predictor, false, t0, x, interval->tracked, t[0]);
    if (!p.good || !(due.events > 0)) return NAN;
    const ic_guard *guard = ic_guard_find(&k->problem->variant->modes[interval->tracked], due.event);
    if (guard == NULL || guard->rate == NULL) return NAN;
    const double rate = guard->rate(t[0], p.x, par), bends = rate - guard->rate(t0, x, par),
                 late = t[0] - due.t_event, tolerance = ic_guard_tolerance(k, guard, t[0], given);
    const bool is_short = fabs((t[0] - t[-1]) - (t[-1] - t[-2])) > 1e-6 * (t[-1] - t[-2]);
    return fabs(guard->value(t[0], given, par)) <= tolerance &&
                   fabs(guard->value(t[0], p.x, par)) > tolerance && late * bends * rate < 0 &&
                   (late < 0 || is_short)
               ? late
               : NAN;
}

/* The same of the first row within an interval, or at its end, that is one. */
static double late_on_chord_in(const ic_tracking *k, const ic_interval *interval)
{
    double late = NAN;
    for (size_t row = interval->from + 1; row <= interval->to && isnan(late); row++)
        late = late_on_chord(k, interval, row);
    return late;
}

/* ---- dwells */

static void count_late(counters *s, double late, double t)
{
    s->late++;
    if (fabs(late) > fabs(s->latest)) s->latest = late, s->t_latest = t;
}

/* Whether a switch, or another discrete state, is elsewhere in two intervals. */
static bool is_switched(const ic_tracking *k, const ic_interval *a, const ic_interval *b)
{
    double x[IC_MAX_STATES], y[IC_MAX_STATES];
    bool differs = false;
    ic_interval_state(x, k, a);
    ic_interval_state(y, k, b);
    for (size_t j = 0; j < k->trajectory->n_states; j++)
        differs |= ic_state_is_discrete(k->problem->system, j) && x[j] != y[j];
    return differs;
}

/* Index of the interval at which the mode of interval i ends. */
static size_t end_of_dwell(const ic_tracking *k, size_t i)
{
    const int mode = k->intervals[i].tracked;
    size_t j = i + 1;
    while (j < k->n_intervals && k->intervals[j].from == k->intervals[j - 1].to &&
           k->intervals[j].mode == mode && k->intervals[j].explanation < IC_IN_DOUBT &&
           !is_switched(k, &k->intervals[i], &k->intervals[j]))
        j++;
    return j;
}

/* The greatest value of a guard beyond zero at the ends of a dwell's intervals, and its tolerance. */
static double find_excess(const ic_tracking *k, const ic_guard *guard, size_t first, size_t last,
                          double *tolerance, double *t)
{
    const double side = guard->direction < 0 ? -1 : 1;
    double most = 0;
    for (size_t i = first; i < last; i++) {
        double x[IC_MAX_STATES];
        const double time = k->trajectory->t[k->intervals[i].to];
        ic_interval at = k->intervals[i + 1 < k->n_intervals ? i + 1 : i];
        at.from = k->intervals[i].to;
        ic_interval_state(x, k, &at);
        const double value = side * guard->value(time, x, k->problem->par);
        if (value <= most) continue;
        most = value;
        *t = time;
        *tolerance = ic_guard_tolerance(k, guard, time, x);
    }
    return most;
}

/* Counts an event that the rows ignore. */
static void count_missed(counters *s, const ic_tracking *k, size_t row, double t, const char *event)
{
    s->missed++;
    s->t_missed = t;
    s->line_missed = k->trajectory->line[row];
    s->missed_alike = strcmp(s->missed_event, event) == 0 ? s->missed_alike + 1 : 1;
    snprintf(s->missed_event, sizeof s->missed_event, "%s", event);
}

/* Whether a guard ends the force of a body that moves freely otherwise: friction that holds one keeps a slip. */
static bool is_end_of_force(const ic_mode *mode, const ic_guard *guard)
{
    bool keeps = false;
    for (size_t i = 0; i < mode->n_invariants; i++) keeps |= mode->invariants[i].side == 0;
    for (size_t b = 0; b < guard->jump.n_branches; b++) keeps |= guard->jump.branches[b].n_departures > 0;
    return !keeps && strcmp(guard->unit, "N") == 0;
}

/* Count an event of the case in interval i that the rows ignore. */
static void count_passed_guard(counters *s, const ic_tracking *k, size_t i, const ic_guard *guard)
{
    const ic_contact_view *view = k->problem->system->contact;
    const size_t end = end_of_dwell(k, i);
    const double until =
        k->trajectory->t[end < k->n_intervals ? k->intervals[end].from : k->intervals[end - 1].to];
    double tolerance = 0, t = k->intervals[i].t_due;
    /* the row at which the mode ends may be the only one beyond the guard */
    const double value = find_excess(k, guard, i, end, &tolerance, &t);
    if (value <= tolerance) return; /* The value is not beyond zero by more than noise. */
    if (until - k->intervals[i].t_due <= LATE_INTERVALS * k->spacing) {
        s->pulls += is_end_of_force(&k->problem->variant->modes[k->intervals[i].tracked], guard);
        count_late(s, until - k->intervals[i].t_due, t);
        return;
    }
    const bool pulls =
        view != NULL && k->intervals[i].tracked == view->contact && strcmp(guard->unit, "N") == 0;
    if (pulls) {
        s->adhesive++;
        if (value > s->pull) s->pull = value, s->pull_tolerance = tolerance, s->t_pull = t;
        return;
    }
    count_missed(s, k, k->intervals[i].from, k->intervals[i].t_due, guard->name);
    s->clear |= value > clear_of(k) * tolerance;
    s->regained += strcmp(guard->name, "regained contact") == 0;
    s->through += view != NULL && view->rigid && k->intervals[i].tracked == view->free;
}

/* Whether a guard is enabled within the noise. */
static bool may_fire(const ic_tracking *k, const ic_guard *guard, double t, const double *x)
{
    const ic_guard condition = {.value = guard->enabled};
    return guard->enabled == NULL ||
           guard->enabled(t, x, k->problem->par) > -ic_guard_tolerance(k, &condition, t, x);
}

/*
 * Whether value and rate of a guard are zero within the noise, so that impacts may have
 * accumulated.
 */
static bool may_accumulate(const ic_tracking *k, const ic_guard *guard, double t, const double *x)
{
    const ic_guard rate = {.value = guard->rate};
    if (guard->accumulation.apply == NULL || guard->rate == NULL) return false;
    return fabs(guard->value(t, x, k->problem->par)) <= ic_guard_tolerance(k, guard, t, x) &&
           fabs(guard->rate(t, x, k->problem->par)) <= ic_guard_tolerance(k, &rate, t, x);
}

/* Whether a guard that leads to the mode of the rows has been passed within the noise. */
static bool guard_passed(const ic_tracking *k, const ic_interval *interval)
{
    const ic_mode *mode = &k->problem->variant->modes[interval->tracked];
    double x[IC_MAX_STATES];
    const double t = k->trajectory->t[interval->from];
    ic_interval_state_in(x, k, interval, interval->tracked);
    for (size_t g = 0; g < mode->n_guards; g++) {
        const ic_guard *guard = &mode->guards[g];
        if (!may_fire(k, guard, t, x)) continue;
        if (ic_jump_leads_to(&guard->accumulation, interval->mode) && may_accumulate(k, guard, t, x))
            return true;
        if (!ic_jump_leads_to(&guard->jump, interval->mode)) continue;
        const double value = (guard->direction < 0 ? 1 : -1) * guard->value(t, x, k->problem->par);
        if (value <= ic_guard_tolerance(k, guard, t, x)) return true;
    }
    return false;
}

/*
 * Noise may hide at which earlier row the mode changed, if both modes explain the rows. A guard
 * counts if it was passed in one of them. If both explain all rows since the first of a block, whose mode is that which
 * fits, the other mode was the right one.
 */
static bool guard_passed_before(const ic_tracking *k, size_t i, int mode)
{
    enum { HIDDEN = 10 };
    for (size_t back = 0; i > 0; i--, back++) {
        ic_interval before = k->intervals[i - 1];
        double x[IC_MAX_STATES];
        ic_prediction end;
        size_t worst;
        if (before.to != k->intervals[i].from) return back > 0;
        if (before.tracked == mode) return false;
        before.mode = mode;
        ic_interval_state(x, k, &before);
        ic_predict(&end, &k->predictor, true, k->trajectory->t[before.from], x, mode,
                   k->trajectory->t[before.to]);
        if (!end.good || end.mode != mode || ic_interval_defect(k, &before, &end, &worst) > 1) return false;
        if (back < HIDDEN && guard_passed(k, &before)) return true;
    }
    return false;
}

/* Whether accumulation leads from one mode to another within some rows. */
static bool accumulates_soon(const ic_tracking *k, const ic_interval *interval, int from_mode, int to_mode)
{
    enum { SOON = 20 };
    const ic_mode *mode = &k->problem->variant->modes[from_mode];
    const double t = k->trajectory->t[interval->from];
    double x[IC_MAX_STATES];
    ic_prediction p;
    bool leads = false;
    for (size_t g = 0; g < mode->n_guards; g++)
        leads |= mode->guards[g].accumulation.apply != NULL &&
                 ic_jump_leads_to(&mode->guards[g].accumulation, to_mode);
    if (!leads) return false;
    ic_interval_state_in(x, k, interval, from_mode);
    /*
     * A row that noise has placed beyond the guard never meets it. Each state is therefore moved to
     * both sides.
     */
    for (size_t j = 0; j < 2 * k->trajectory->n_states; j++) {
        const double kept = x[j / 2];
        x[j / 2] += (j % 2 == 0 ? 1 : -1) * ic_tolerance_noise.value * k->noise[j / 2];
        ic_predict(&p, &k->predictor, true, t, x, from_mode, t + SOON * k->spacing);
        x[j / 2] = kept;
        if (p.good && p.mode == to_mode) return true;
    }
    return false;
}

/* Whether noise hides the last of many impacts. */
static bool hidden_by_noise(const ic_tracking *k, const ic_interval *interval)
{
    return ic_noise_shows(k) && (accumulates_soon(k, interval, interval->tracked, interval->mode) ||
                                 accumulates_soon(k, interval, interval->mode, interval->tracked));
}

/* Whether noise hid the mode in which the rows start: that at the end of interval i explains them until there. */
static bool starts_in_mode_after(const ic_tracking *k, size_t i)
{
    enum { MOST = 20 };
    bool explains = i <= MOST && ic_noise_is_there(k) && k->intervals[0].unknown;
    for (size_t j = 0; j < i && explains; j++) {
        ic_interval earlier = k->intervals[j];
        ic_mode_trial h;
        ic_mode_trial_run(&h, k, &earlier, k->intervals[i].end_mode, false);
        explains = h.defect <= 1 && !ic_interval_has_event(&k->intervals[j]);
    }
    return explains;
}

static void count_unforced_change(counters *s, const ic_tracking *k, size_t i, const ic_interval *interval)
{
    const ic_case *system = k->problem->system;
    const ic_contact_view *view = system->contact;
    const double t = k->trajectory->t[interval->from];
    double x[IC_MAX_STATES];
    if (guard_passed(k, interval) || guard_passed_before(k, i, interval->mode)) return;
    if (interval->doubtful || hidden_by_noise(k, interval) || starts_in_mode_after(k, i)) return;
    /* what is not in the file is that of the mode which they leave: in the new one it may be whatever this one keeps */
    ic_interval_state_in(x, k, interval, interval->tracked);
    const size_t output =
        view != NULL && view->gap != NULL ? ic_output_find(system, view->gap) : system->n_outputs;
    if (output < system->n_outputs && interval->mode == view->contact && !view->rigid) {
        const double gap = system->outputs[output].value(t, x, view->free, k->problem->par);
        if (gap > 0) {
            const ic_guard *touch = ic_touch_guard(view, k->predictor.guarded.variant);
            if (touch != NULL && gap <= AT_SURFACE * ic_guard_tolerance(k, touch, t, x)) return;
            s->before_touch++;
            if (gap > s->gap) s->gap = gap, s->t_gap = t;
            return;
        }
    }
    s->made_up++;
    s->t_made_up = t;
    s->state_made_up = k->trajectory->n_states;
}

/*
 * Counts a contact above the surface, also after an unexplained interval, whose mode is then the
 * one that fits.
 */
static void count_unseen_contact(counters *s, const ic_tracking *k, size_t i)
{
    const ic_contact_view *view = k->problem->system->contact;
    ic_interval interval = k->intervals[i];
    if (view == NULL || i == 0 || k->intervals[i - 1].to != interval.from) return;
    if (k->intervals[i - 1].explanation != IC_UNEXPLAINED || interval.explanation >= IC_IN_DOUBT) return;
    if (interval.mode != view->contact || k->intervals[i - 1].tracked != view->free) return;
    const size_t made_up = s->made_up;
    interval.tracked = view->free;
    count_unforced_change(s, k, i, &interval);
    s->made_up = made_up; /* the unexplained interval may contain its event */
}

/* Whether a defect is too large to be chance. */
static bool stands_out(const ic_tracking *k, const ic_interval *interval)
{
    return !interval->gave_up && (!ic_noise_shows(k) || interval->defect > CLEAR);
}

/* Whether the interval is explained if its impact is plastic. */
static bool is_plastic(const ic_tracking *k, const ic_interval *interval)
{
    const ic_case *system = k->problem->system;
    const ic_contact_view *view = system->contact;
    ic_problem problem = *k->problem;
    ic_predictor predictor;
    ic_prediction end = {.good = false};
    double x[IC_MAX_STATES];
    size_t worst;
    if (view == NULL || view->restitution == NULL || problem.variant->law != NULL || interval->due != 1)
        return false;
    double *par = ic_own_parameters(&problem);
    if (par == NULL) return false;
    const size_t e = ic_parameter_find(system, view->restitution);
    const bool bounces = par[e] > 0;
    par[e] = 0;
    ic_interval_state_in(x, k, interval, interval->tracked);
    if (bounces && ic_predictor_open(&predictor, &problem, problem.variant))
        ic_predict(&end, &predictor, true, k->trajectory->t[interval->from], x, interval->tracked,
                   k->trajectory->t[interval->to]);
    free(par);
    return end.good && ic_interval_defect(k, interval, &end, &worst) <= 1;
}

/* Whether positions are off at the end of an interval, and other states by far less, as the moved body's rates are. */
static bool displaces(const ic_tracking *k, const ic_interval *interval)
{
    const ic_trajectory *tr = k->trajectory;
    double positions = 0, others = 0;
    bool is_position[IC_MAX_STATES];
    ic_prediction end;
    ic_find_positions(is_position, k->problem);
    ic_interval_predict(&end, k, interval, interval->tracked, true);
    for (size_t j = 0; j < tr->n_states && end.good; j++) {
        if (ic_is_memory(k, j)) continue;
        const double off = fabs(end.x[j] - tr->x[interval->to * tr->n_states + j]) / k->tolerance[j];
        if (is_position[j]) positions = fmax(positions, off);
        else others = fmax(others, off);
    }
    return positions > 1 && positions > FAR_LESS * others;
}

/* Keeps where an event has another end, and how far from that of the case. */
static void describe_other_end(counters *s, const ic_tracking *k, const ic_interval *interval)
{
    ic_prediction end;
    size_t worst = 0;
    ic_interval_predict(&end, k, interval, interval->tracked, true);
    s->t_otherwise = interval->t_due;
    s->line_otherwise = k->trajectory->line[interval->to];
    s->off_otherwise = NAN;
    if (!end.good) return;
    (void)ic_interval_defect(k, interval, &end, &worst);
    s->state_otherwise = worst;
    s->off_otherwise = k->trajectory->x[interval->to * k->trajectory->n_states + worst] - end.x[worst];
}

/*
 * Counts an event after which the state differs from that of the case for every time of the event.
 */
static void count_other_end(counters *s, const ic_tracking *k, const ic_interval *interval, bool fits)
{
    if (fits || !stands_out(k, interval)) return;
    if (s->otherwise++ == 0) describe_other_end(s, k, interval);
    s->displaced += displaces(k, interval);
    s->plastic += s->otherwise <= MOST_PLASTIC && is_plastic(k, interval);
    s->clear |= interval->defect > clear_of(k);
}

/* Whether the state that jumps is a velocity that turns, while the positions go on within the interval. */
static bool turns_velocity(const ic_tracking *k, const ic_interval *interval)
{
    const ic_trajectory *tr = k->trajectory;
    const size_t v = interval->worst, x = ic_position_of(k->problem, v), n = tr->n_states;
    if (x == n || tr->source[v] != IC_FROM_FILE) return false;
    const double before = tr->x[interval->from * n + v], after = tr->x[interval->to * n + v];
    const double dt = tr->t[interval->to] - tr->t[interval->from];
    const double moved = fabs(tr->x[interval->to * n + x] - tr->x[interval->from * n + x]);
    return before * after < 0 && moved <= 1.05 * dt * fmax(fabs(before), fabs(after));
}

/*
 * Counts an isolated unexplained interval in which the case has no event: the state jumps without a
 * guard. Several such intervals in a row indicate another flow.
 */
static void count_jump_without_guard(counters *s, const ic_tracking *k, size_t i)
{
    const ic_interval *interval = &k->intervals[i];
    const bool alone = (i == 0 || interval[-1].explanation < IC_IN_DOUBT) &&
                       (i + 1 == k->n_intervals || interval[1].explanation < IC_IN_DOUBT);
    if (!alone || k->n_intervals < LEAST_JUMPS_SEEN || !stands_out(k, interval)) return;
    if (ic_noise_shows(k) &&
        /* The noise of a memory that is followed along noisy rows is unknown. */
        ic_remembers_contact(k)) {
        s->doubt = true;
        return;
    }
    const double late = late_on_chord_in(k, interval);
    if (isfinite(late)) { /* the case's event is due after the interval */
        count_late(s, late, k->trajectory->t[interval->to]);
        s->due++;
        s->on_chord++;
        return;
    }
    s->made_up++;
    s->rebounds += turns_velocity(k, interval);
    s->displaced += displaces(k, interval);
    s->row_made_up = interval->from;
    s->t_made_up = k->trajectory->t[interval->from];
    s->state_made_up = interval->worst;
    s->clear |= interval->defect > clear_of(k);
}

/* Count a time event of the case that the rows ignore. */
static void count_missed_time_event(counters *s, const ic_tracking *k, const ic_interval *interval)
{
    double x[IC_MAX_STATES];
    ic_interval from = *interval;
    ic_prediction p;
    size_t worst;
    from.mode = interval->tracked;
    ic_interval_state(x, k, &from);
    ic_predict(&p, &k->predictor, true, k->trajectory->t[from.from], x, from.mode, k->trajectory->t[from.to]);
    s->clear |= ic_interval_defect(k, &from, &p, &worst) > clear_of(k);
    count_missed(s, k, interval->from, interval->t_due, "the event due at that time");
}

/* Judge an event of the case that the rows do not follow from the tracked mode. */
static void judge_event(counters *s, const ic_tracking *k, size_t i, bool fits_lateness)
{
    const ic_interval *interval = &k->intervals[i];
    const ic_guard *guard = guard_due(k, interval);
    if (interval->explanation == IC_UNEXPLAINED) {
        const double late = guard != NULL && fits_lateness ? find_lateness(k, interval, guard) : NAN;
        count_other_end(s, k, interval, isfinite(late));
        if (guard == NULL || isnan(late)) return;
        if (fabs(late) > time_tolerance(k, interval, guard) && stands_out(k, interval)) {
            s->on_chord += is_on_chord(k, interval, guard, late) || isfinite(late_on_chord_in(k, interval));
            s->at_row += true;
            s->pulls += late > 0 && is_end_of_force(&k->problem->variant->modes[interval->tracked], guard);
            count_late(s, late, interval->t_due);
        }
    } else if (interval->explanation == IC_WITHOUT_EVENTS && guard == NULL) {
        count_missed_time_event(s, k, interval);
    } else if (interval->explanation < IC_UNHELD && interval->mode != interval->tracked) {
        count_unforced_change(s, k, i, interval);
    } else if (interval->explanation == IC_WITHOUT_EVENTS) {
        count_passed_guard(s, k, i, guard);
    }
}

/* The guard that ends the case in a mode of its own name, which goes on as the mode before; NULL: none. */
static const ic_guard *guard_that_ends(const ic_variant *variant, int ended)
{
    for (size_t m = 0; m < variant->n_modes && variant->modes[ended].terminal; m++) {
        const ic_guard *guard = ic_guard_find(&variant->modes[m], variant->modes[ended].name);
        if (guard != NULL && ic_jump_leads_to(&guard->jump, ended)) return guard;
    }
    return NULL;
}

/* Counts the end of the case as missed if an interval begins beyond it: the last step of a run may only end there. */
static void count_missed_end(counters *s, const ic_tracking *k)
{
    for (size_t i = 0; i < k->n_intervals; i++) {
        const ic_interval *interval = &k->intervals[i];
        const ic_guard *guard = guard_that_ends(k->problem->variant, interval->mode);
        const double t = k->trajectory->t[interval->from];
        double x[IC_MAX_STATES];
        if (guard == NULL || interval->doubtful || interval->explanation >= IC_IN_DOUBT) continue;
        ic_interval_state(x, k, interval);
        if (fabs(guard->value(t, x, k->problem->par)) <= clear_of(k) * ic_guard_tolerance(k, guard, t, x))
            continue;
        s->clear = s->beyond_end = true;
        count_missed(s, k, interval->from, t, guard->name);
        return;
    }
}

static void count_events(counters *s, const ic_tracking *k)
{
    enum { MOST_FITTED = 200 };
    size_t fitted = 0;
    for (size_t i = 0; i < k->n_intervals; i++) {
        const ic_interval *interval = &k->intervals[i];
        s->due += interval->due > 0;
        s->doubt |= interval->explanation == IC_IN_DOUBT;
        count_unseen_contact(s, k, i);
        if (interval->due > 0) {
            if (interval->explanation != IC_BY_GUARDS) judge_event(s, k, i, fitted++ < MOST_FITTED);
        } else if (interval->explanation == IC_ANOTHER_MODE || interval->explanation == IC_WITHOUT_EVENTS) {
            if (interval->mode != interval->tracked) count_unforced_change(s, k, i, interval);
        } else if (interval->explanation == IC_UNEXPLAINED) {
            count_jump_without_guard(s, k, i);
        }
    }
    count_missed_end(s, k);
}

/*
 * Uncertainty of the time of an event, s, caused by noise and rounding of the first row. It is
 * computed by predictions, because guards may be flat.
 */
static double given_time_tolerance(const ic_tracking *k, const ic_interval *interval)
{
    const ic_trajectory *tr = k->trajectory;
    const double rounding = 1e-9, length = tr->t[interval->to] - tr->t[interval->from];
    double x[IC_MAX_STATES], square = 0;
    ic_interval_state_in(x, k, interval, interval->tracked);
    for (size_t j = 0; j < tr->n_states; j++) {
        double off = 0;
        const double kept = x[j];
        if (tr->source[j] == IC_FROM_TRACKING) continue;
        for (int side = -1; side <= 1; side += 2) {
            ic_prediction p;
            x[j] = kept + side * fmax(k->noise[j], rounding * k->range[j]);
            ic_predict(&p, &k->predictor, true, tr->t[interval->from], x, interval->tracked,
                       tr->t[interval->to]);
            off = fmax(off, p.good && p.events > 0 ? fabs(p.t_event - interval->t_due) : length);
        }
        x[j] = kept;
        square += off * off;
    }
    return ic_tolerance_noise.value * sqrt(square);
}

/* Compares event times that the file gives as two rows of one time with those of the case. */
static void compare_given_events(counters *s, const ic_tracking *k)
{
    const ic_trajectory *tr = k->trajectory;
    bool follows_times = false; /* those that the file does not have, as that at which a delay ends */
    double hidden = 0; /* an event at a time that is followed is as uncertain as the one that has set it */
    for (size_t j = 0; j < tr->n_states; j++)
        follows_times |= ic_is_memory(k, j) && strcmp(k->problem->system->states[j].unit, "s") == 0;
    for (size_t i = 0; i < k->n_intervals; i++) {
        const ic_interval *interval = &k->intervals[i];
        if (!follows_times) hidden = 0;
        if (interval->due != 1 || interval->explanation >= IC_IN_DOUBT)
            continue;     /* With several events it is unknown which one the file gives. */
        size_t given = 0; /* the nearest; a program may give two rows also where a part of its motion ends */
        for (size_t row = interval->from + 1; row + 1 < interval->to; row++) {
            if (tr->t[row] == tr->t[row + 1] &&
                (given == 0 || fabs(tr->t[row] - interval->t_due) < fabs(tr->t[given] - interval->t_due)))
                given = row;
        }
        if (given == 0) continue;
        const double late = tr->t[given] - interval->t_due;
        const double accepted =
            time_accepted(k, tr->t[given]) + ic_clock_doubt(&k->clock, tr->t[interval->from]);
        if (fabs(late) > accepted || follows_times) hidden = fmax(hidden, given_time_tolerance(k, interval));
        if (!(fabs(late) > accepted + hidden)) continue;
        count_late(s, late, tr->t[given]);
        s->on_chord += isfinite(late_on_chord(k, interval, given)) ? 1 : 0;
    }
}

/* ---- findings */

/* Per cent of wrong intervals from which on the rows do not show whether they have events. */
#define LOST 20.0

/* Why no event is seen where the case has some. */
static const char *why_no_event(const ic_tracking *k)
{
    const double lost = 100.0 * (double)ic_tracking_count(k, IC_UNEXPLAINED);
    return lost > LOST * (double)k->n_intervals
               ? "events cannot be judged until the rows follow the case between them"
               : "the rows contain no event; rows with events would decide";
}

/*
 * With visible noise, one event in twenty may be doubtful by chance: near the zero of a guard, a
 * few deviations decide the mode. One may be where noise is loud, or a memory is followed along the rows.
 */
static size_t odd_by_chance(const ic_tracking *k, const counters *s)
{
    const double loud = 1e-3;
    const size_t chance = ic_noise_shows(k) ? (s->due + 10) / 20 : 0;
    const bool one = ic_noise_exceeds(k, loud) || (ic_noise_shows(k) && ic_remembers_contact(k));
    return chance == 0 && one ? 1 : chance;
}

static void discard_chance(counters *s, const ic_tracking *k)
{
    const size_t chance = odd_by_chance(k, s);
    if (s->late <= chance) s->late = s->at_row = 0, s->latest = 0;
    if (!s->clear && s->missed + s->made_up + s->otherwise <= chance) {
        s->doubt |= s->missed + s->made_up + s->otherwise > 0;
        s->missed = s->made_up = s->otherwise = s->regained = s->through = 0;
    }
    if (s->before_touch <= chance) s->before_touch = 0, s->gap = 0;
    if (s->adhesive <= chance) s->adhesive = 0, s->pull = 0;
}

/*
 * Whether noise hides event times: a memory followed along noisy rows is noisier than its guard's
 * tolerance.
 */
static bool noise_hides_times(const ic_tracking *k)
{
    return ic_noise_exceeds(k, 3e-3);
}

static void add_event_times(ic_findings *findings, const ic_tracking *k, const counters *s)
{
    /* The rounding of times that the file gives for events; rows on a grid are exact. */
    const double rounding = s->at_row == s->late ? ic_clock_doubt(&k->clock, s->t_latest)
                                                 : ic_clock_rounding(&k->clock, s->t_latest);
    const ic_tolerance_text accepted = ic_tolerance_amount(&ic_tolerance_event_time, part_of_interval(k));
    ic_finding f = ic_finding_of(&ic_row_check_event_times, k, fabs(s->latest),
                                 part_of_interval(k) * k->spacing + rounding, "s");
    if (rounding > 0)
        ic_finding_set_origin(&f, "%s, %.3g s, and the rounding of the times, %.1g s", accepted.text,
                              k->spacing, rounding);
    else ic_finding_set_origin(&f, "%s, %.3g s", accepted.text, k->spacing);
    if (s->due == 0 && !s->expects) {
        ic_finding_describe(&f, "neither the case nor the rows have events");
    } else if (s->due == 0) {
        f.measured = NAN;
        ic_finding_leave_open(&f, "%s", why_no_event(k));
    } else if (s->late == 0) {
        ic_finding_describe(&f, "%zu events of the case, each explained", s->due);
    } else {
        ic_finding_describe(&f, "%zu of %zu events, the worst by %.3g s near t = %.9g s", s->late, s->due,
                            s->latest, s->t_latest);
        /* steps end late at all events; a few are late by another motion before them, too */
        const bool most = 2 * s->late >= s->due && s->made_up + s->otherwise <= s->late;
        /* else the motion between events is another one, and events are late by that */
        const bool follows = ic_tracking_count(k, IC_UNEXPLAINED) <= MOST_OF_EVENT * (s->due + s->made_up);
        f.cause = s->latest > 0 && most && follows ? IC_MISTAKE_NO_EVENT_LOCATION : IC_NO_MISTAKE;
        if (5 * s->on_chord >= 4 * s->late) f.cause = IC_MISTAKE_LINEAR_EVENT_LOCATION;
        else if (s->pulls == s->late && follows) f.cause = IC_MISTAKE_ADHESION_KEPT;
        else if (5 * s->late <= s->due && s->missed + s->made_up + s->otherwise == 0)
            f.cause = IC_MISTAKE_IMPACTS_UNEQUAL;
    }
    if (f.verdict == IC_FINDING_FAIL ? noise_hides_times(k) || ic_noise_hides(k) : ic_noise_hides(k)) {
        ic_finding_leave_open(&f, "the noise hides when events happen");
    }
    if (f.verdict != IC_FINDING_FAIL) f.cause = IC_NO_MISTAKE;
    ic_findings_add(findings, &f);
}

/* Describe the events. */
static void describe_events(ic_finding *f, const ic_tracking *k, const counters *s)
{
    ic_finding_append(f, "%zu of %zu missed", s->missed, s->due);
    if (s->missed > 0)
        ic_finding_append(f, ", as '%s' at t = %.9g s (line %zu)", s->missed_event, s->t_missed,
                          s->line_missed);
    if (s->otherwise > 0)
        ic_finding_append(f, "; %zu end in another state than in the case, as at t = %.9g s", s->otherwise,
                          s->t_otherwise);
    if (s->otherwise > 0 && isfinite(s->off_otherwise))
        ic_finding_append(f, ", after which %s is off by %.4g %s (line %zu)",
                          k->problem->system->states[s->state_otherwise].name, s->off_otherwise,
                          k->problem->system->states[s->state_otherwise].unit, s->line_otherwise);
    if (s->made_up == 0) return;
    ic_finding_append(f, "; %zu without a guard, as at t = %.9g s", s->made_up, s->t_made_up);
    if (s->state_made_up < k->trajectory->n_states)
        ic_finding_append(f, ", where %s jumps", k->problem->system->states[s->state_made_up].name);
}

/* Reason for which rows without a fault decide nothing about events; NULL: they decide. */
static const char *undecided_events(const ic_tracking *k, const counters *s)
{
    if (s->doubt) return "some events are doubtful, possibly by chance; less noise would decide";
    if (k->n_intervals < IC_LEAST_INTERVALS) return "too few rows; at least nine would decide";
    if (ic_noise_hides(k)) return "the noise hides events";
    if (s->due == 0 && s->expects) return why_no_event(k);
    return NULL;
}

static void describe_turn(ic_finding *f, const ic_tracking *k, const counters *s)
{
    const ic_state *states = k->problem->system->states;
    const size_t x = ic_position_of(k->problem, s->state_made_up), n = k->trajectory->n_states;
    ic_finding_append(f, "; a body turns there as in an impact");
    if (x < n)
        ic_finding_append(f, ", near %s = %.4g %s", states[x].name, k->trajectory->x[s->row_made_up * n + x],
                          states[x].unit);
}

/* Whether the rows have none of several events of one name that are due, and all others. */
static bool lacks_events(const ic_tracking *k, const counters *s)
{
    if (s->missed < 2 || s->missed_alike < s->missed) return false;
    for (size_t i = 0; i < k->n_intervals; i++) {
        if (k->intervals[i].due == 0 || k->intervals[i].explanation != IC_BY_GUARDS) continue;
        const ic_guard *guard = guard_due(k, &k->intervals[i]);
        if (guard != NULL && strcmp(guard->name, s->missed_event) == 0) return false;
    }
    return true;
}

/* The cause of events that are only missing. */
static ic_mistake_id cause_of_missed(ic_finding *f, const ic_tracking *k, const counters *s)
{
    if (s->beyond_end && s->missed + s->made_up + s->otherwise == 1) return IC_MISTAKE_TERMINAL_IGNORED;
    if (s->through > 0) return IC_MISTAKE_FALLS_THROUGH;
    if (f->verdict != IC_FINDING_FAIL || ic_noise_hides(k) || s->missed == 0 || s->made_up + s->otherwise > 0)
        return IC_NO_MISTAKE;
    if (ic_tracking_count(k, IC_UNEXPLAINED) > MOST_OF_EVENT * s->due) return IC_NO_MISTAKE;
    const bool never = lacks_events(k, s);
    if (never) ic_finding_append(f, "; the rows never have '%s'", s->missed_event);
    /* where others are late, this one is later */
    return never || s->late == 0 ? IC_MISTAKE_EVENT_LOST : IC_NO_MISTAKE;
}

/* Specific causes first. */
static ic_mistake_id cause_of_events(ic_finding *f, const ic_tracking *k, const counters *s)
{
    char detail[200] = "";
    const bool fails = f->verdict == IC_FINDING_FAIL, ends = s->otherwise > 0 && s->missed + s->made_up == 0;
    if (s->regained > 0) return IC_MISTAKE_REGAINED_CONTACT_OVERLOOKED;
    const ic_mistake_id offset =
        fails && s->made_up > 1 ? ic_find_offset(k, detail, sizeof detail) : IC_NO_MISTAKE;
    if (offset != IC_NO_MISTAKE) {
        ic_finding_append(f, ". %s", detail);
        return offset;
    }
    if (fails && s->displaced > 0 && s->missed == 0 &&
        (s->displaced == s->made_up + s->otherwise ||
         (s->displaced == s->made_up &&
          s->t_made_up < s->t_otherwise))) /* what is moved meets others elsewhere */
        return IC_MISTAKE_POSITION_JUMPS;
    if (fails && !ic_noise_hides(k) && s->rebounds > 0 && s->rebounds == s->made_up) {
        describe_turn(f, k, s);
        return IC_MISTAKE_IMPACT_INVENTED;
    }
    if (fails && !ic_noise_hides(k) && ends && s->plastic == s->otherwise && s->due > 2 * s->plastic) {
        ic_finding_append(f, "; a plastic impact explains them");
        return IC_MISTAKE_RESTITUTION_THRESHOLD;
    }
    if (fails && !ic_noise_hides(k) && ends && ic_find_wall_velocity(k, detail, sizeof detail)) {
        ic_finding_append(f, "; %s", detail);
        return IC_MISTAKE_WALL_VELOCITY;
    }
    const ic_mistake_id unequal = fails && !ic_noise_hides(k) && ends
                                      ? ic_find_unequal_impulses(k, detail, sizeof detail)
                                      : IC_NO_MISTAKE;
    if (unequal != IC_NO_MISTAKE) {
        ic_finding_append(f, "; %s", detail);
        return unequal;
    }
    return cause_of_missed(f, k, s);
}

static void add_events(ic_findings *findings, const ic_tracking *k, const counters *s)
{
    ic_finding f =
        ic_finding_of(&ic_row_check_events, k, (double)(s->missed + s->made_up + s->otherwise), 0, "events");
    const char *open = undecided_events(k, s);
    ic_finding_set_origin(&f, "none; guards count as passed within %s",
                          ic_accuracy_origin(&ic_tolerance_accuracy, k->accept).text);
    describe_events(&f, k, s);
    f.cause = cause_of_events(&f, k, s);
    if (f.verdict == IC_FINDING_FAIL && !s->clear && s->missed == 0 &&
        (ic_noise_shows(k) || ic_times_are_rounded(k))) {
        ic_finding_leave_open(&f, "noise hides the mode of some rows");
    }
    if (f.verdict == IC_FINDING_PASS && open != NULL) {
        ic_finding_leave_open(&f, "%s", open);
    }
    ic_findings_add(findings, &f);
}

static void add_adhesion(ic_findings *findings, const ic_tracking *k, const counters *s)
{
    ic_finding f =
        ic_finding_of(&ic_row_check_adhesion, k, s->pull, s->adhesive > 0 ? s->pull_tolerance : 0, "N");
    ic_finding_set_origin(&f, "%s, in the force", ic_accuracy_origin(&ic_tolerance_accuracy, k->accept).text);
    if (s->adhesive > 0) {
        ic_finding_describe(&f, "the contact pulls in %zu dwells, most near t = %.9g s", s->adhesive,
                            s->t_pull);
        f.cause = IC_MISTAKE_ADHESION_KEPT;
    }
    ic_findings_add(findings, &f);
}

static void add_force_before_touch(ic_findings *findings, const ic_tracking *k, const counters *s)
{
    ic_finding f = ic_finding_of(&ic_row_check_force_before_touch, k, s->gap, 0, "m");
    ic_finding_set_origin(&f, "none; the guard of touching is not passed by %s",
                          ic_accuracy_origin(&ic_tolerance_accuracy, k->accept).text);
    if (s->before_touch > 0) {
        ic_finding_describe(&f, "contact begins above the surface %zu times, highest at t = %.9g s",
                            s->before_touch, s->t_gap);
        f.cause = IC_MISTAKE_CONTACT_FROM_FORCE;
    }
    if (f.verdict == IC_FINDING_FAIL && s->before_touch * 4 <= s->due && noise_hides_times(k)) {
        ic_finding_leave_open(&f, "the noise hides where contact begins");
    }
    ic_findings_add(findings, &f);
}

void ic_audit_dwells(ic_findings *findings, const ic_tracking *k)
{
    const ic_contact_view *view = k->problem->system->contact;
    counters s = {.state_made_up = k->trajectory->n_states};
    count_events(&s, k);
    compare_given_events(&s, k);
    discard_chance(&s, k);
    s.expects = s.due > 0 || ic_case_has_events(k);
    add_event_times(findings, k, &s);
    add_events(findings, k, &s);
    if (view != NULL && view->force != NULL) add_adhesion(findings, k, &s);
    if (view != NULL && !view->rigid) add_force_before_touch(findings, k, &s);
}
