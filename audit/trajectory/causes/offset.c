/* SPDX-License-Identifier: MIT */
/*
 * For events that the case does not have, or rows that it does not explain between events: would the case have them if
 * a position were measured from another origin? A constant c is added to the position at both ends of such an
 * interval. The c that explains this interval must explain all other intervals too.
 */
#include "audit/trajectory/checks/checks.h"

#include <math.h>
#include <string.h>

enum { TRIED = 3, PLACES = 40, ROUNDS = 5 };

/* Part of the wrong intervals that a constant may leave. */
#define LEFT 0.1

typedef struct origin {
    const ic_tracking *k;
    const ic_interval *interval;
    size_t state;
} origin;

/* The defect in tolerances, with c added to the position. */
static double defect_with(const origin *o, double c)
{
    const ic_tracking *k = o->k;
    const ic_trajectory *tr = k->trajectory;
    const double *goal = &tr->x[o->interval->to * tr->n_states];
    double x[IC_MAX_STATES], greatest = 0;
    ic_prediction end;
    ic_interval_state_in(x, k, o->interval, o->interval->tracked);
    x[o->state] += c;
    ic_predict(&end, &k->predictor, true, tr->t[o->interval->from], x, o->interval->tracked,
               tr->t[o->interval->to]);
    if (!end.good || end.events == 0) return INFINITY;
    for (size_t j = 0; j < tr->n_states; j++) {
        if (tr->source[j] == IC_FROM_TRACKING) continue;
        const double off = end.x[j] - goal[j] - (j == o->state ? c : 0);
        greatest = fmax(greatest, fabs(off) / k->tolerance[j]);
    }
    return greatest;
}

/*
 * The best c near one that puts a guard at zero in the first row; NAN: none explains the interval.
 */
static double best_offset(const origin *o)
{
    const ic_tracking *k = o->k;
    const ic_trajectory *tr = k->trajectory;
    const ic_mode *mode = &k->problem->variant->modes[o->interval->tracked];
    const double t = tr->t[o->interval->from], delta = 1e-6 * k->range[o->state];
    double best = NAN, defect = INFINITY;
    for (size_t g = 0; g < mode->n_guards; g++) {
        double x[IC_MAX_STATES];
        ic_interval_state_in(x, k, o->interval, o->interval->tracked);
        const double here = mode->guards[g].value(t, x, k->problem->par);
        x[o->state] += delta;
        const double slope = (mode->guards[g].value(t, x, k->problem->par) - here) / delta;
        if (!(fabs(slope) > 0)) continue;
        /*
         * The guard crosses zero within the interval. The search covers the distance that the
         * position moves in it, to both sides.
         */
        double middle = -here / slope, width = 0;
        width = 2 * fabs(tr->x[o->interval->to * tr->n_states + o->state] -
                         tr->x[o->interval->from * tr->n_states + o->state]) +
                0.05 * k->range[o->state];
        for (int round = 0; round < ROUNDS; round++) {
            double centre = middle;
            for (int i = -PLACES; i <= PLACES; i++) {
                const double c = centre + width * i / PLACES, d = defect_with(o, c);
                if (d < defect) defect = d, best = middle = c;
            }
            width *= 2.0 / PLACES;
        }
    }
    return defect <= 1 ? best : NAN;
}

static size_t count_wrong(const ic_tracking *k)
{
    return ic_tracking_count(k, IC_UNEXPLAINED) + ic_tracking_count(k, IC_UNHELD);
}

/* Whether rows, which it changes, have at most so many wrong intervals with c added to the position. */
static bool offset_explains(const origin *o, double c, ic_trajectory *rows, double most)
{
    const ic_tracking *k = o->k;
    const ic_trajectory_options options = {.accept = k->accept, .time_scale = k->time_scale};
    ic_tracking tracked;
    bool right = false;
    for (size_t i = 0; i < rows->n; i++) rows->x[i * rows->n_states + o->state] += c;
    if (ic_track(&tracked, rows, k->problem, k->noise, &options)) {
        right = (double)count_wrong(&tracked) <= most;
        ic_tracking_close(&tracked);
    }
    return right;
}

/* Whether the rows around the interval are all explained with c added to the position, and nearly all others. */
static bool offset_explains_rows(const origin *o, double c)
{
    const ic_trajectory *tr = o->k->trajectory;
    ic_trajectory some, all;
    if (!ic_copy_some_rows(&some, o->k, ic_tracked_row(o->k, o->interval->from))) return false;
    bool right = offset_explains(o, c, &some, 0);
    ic_trajectory_close(&some);
    if (!right || !ic_trajectory_open(&all, tr->n, tr->n_states, false)) return false;
    memcpy(all.source, tr->source, sizeof all.source);
    memcpy(all.t, tr->t, tr->n * sizeof *all.t);
    memcpy(all.x, tr->x, tr->n * tr->n_states * sizeof *all.x);
    right = offset_explains(o, c, &all, LEFT * (double)count_wrong(o->k));
    ic_trajectory_close(&all);
    return right;
}

static void describe_offset(const origin *o, double c, char *detail, size_t size)
{
    const ic_state *state = &o->k->problem->system->states[o->state];
    snprintf(detail, size, "With %.6g %s added to %s the rows are explained", c, state->unit, state->name);
}

ic_mistake_id ic_find_offset(const ic_tracking *k, char *detail, size_t size)
{
    size_t tried = 0;
    bool is_position[IC_MAX_STATES];
    ic_find_positions(is_position, k->problem);
    for (size_t i = 0; i < k->n_intervals && tried < TRIED; i++) {
        const ic_interval *interval = &k->intervals[i];
        if (interval->explanation != IC_UNEXPLAINED || interval->due || interval->tracked < 0) continue;
        tried++;
        for (size_t j = 0; j < k->trajectory->n_states; j++) {
            const origin o = {k, interval, j};
            if (k->trajectory->source[j] != IC_FROM_FILE || !is_position[j]) continue;
            const double c = best_offset(&o);
            if (!(fabs(c) > k->tolerance[j]) || !offset_explains_rows(&o, c)) continue;
            describe_offset(&o, c, detail, size);
            return IC_MISTAKE_ORIGIN_SHIFTED;
        }
    }
    return IC_NO_MISTAKE;
}

/* ---- the rows between events */

/* A better c for an interval without events, by the state that shows it best. NAN: none shows it. */
static double offset_between(const origin *o, double c0)
{
    const ic_tracking *k = o->k;
    const ic_trajectory *tr = k->trajectory;
    const double delta = 1e-4 * k->range[o->state], t0 = tr->t[o->interval->from], t1 = tr->t[o->interval->to];
    const double *goal = &tr->x[o->interval->to * tr->n_states];
    double x[IC_MAX_STATES], most = 0, c = NAN;
    ic_prediction here, moved;
    ic_interval_state(x, k, o->interval);
    x[o->state] += c0;
    ic_predict(&here, &k->predictor, false, t0, x, o->interval->mode, t1);
    x[o->state] += delta;
    ic_predict(&moved, &k->predictor, false, t0, x, o->interval->mode, t1);
    for (size_t j = 0; j < tr->n_states && here.good && moved.good; j++) {
        const double slope = (moved.x[j] - here.x[j] - (j == o->state ? delta : 0)) / delta;
        if (ic_is_memory(k, j) || !(fabs(slope) / k->tolerance[j] > most)) continue;
        most = fabs(slope) / k->tolerance[j];
        c = c0 + (goal[j] + (j == o->state ? c0 : 0) - here.x[j]) / slope;
    }
    return c;
}

/* The median c of intervals that are not explained, which are followed with it again. */
static double median_offset(origin *o)
{
    double all[PLACES], c = 0;
    for (int round = 0; round < ROUNDS; round++) {
        size_t n = 0;
        for (size_t i = 0; i < o->k->n_intervals && n < PLACES; i++) {
            o->interval = &o->k->intervals[i];
            if (o->interval->explanation != IC_UNEXPLAINED || o->interval->due > 0) continue;
            all[n] = offset_between(o, c);
            if (isfinite(all[n])) n++;
        }
        c = n > 0 ? ic_audit_median(all, n) : NAN;
    }
    return c;
}

bool ic_find_origin(const ic_tracking *k, char *detail, size_t size)
{
    for (size_t j = 0; j < k->trajectory->n_states; j++) {
        origin o = {k, NULL, j};
        if (k->trajectory->source[j] != IC_FROM_FILE || ic_state_is_discrete(k->problem->system, j)) continue;
        const double c = median_offset(&o);
        if (!(fabs(c) > k->tolerance[j]) || !offset_explains_rows(&o, c)) continue;
        describe_offset(&o, c, detail, size);
        return true;
    }
    return false;
}
