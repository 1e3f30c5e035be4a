/* SPDX-License-Identifier: MIT */
/*
 * Impacts on a moving wall, of velocity w, that use it wrongly. With the rate u of the gap the case has u+ = -e u-; the
 * rows then have u+ = -e u- + c w, with one c for all impacts: -(1 + e) if w is ignored. And impacts that leave a
 * velocity as it is, which the case changes.
 */
#include "audit/trajectory/checks/checks.h"
#include "core/linear_view.h"

#include <math.h>
#include <string.h>

enum {
    MOST_IMPACTS = 40,
    LEAST_IMPACTS = 2,
    LEAST_KEPT = 2,
    STEPS = 3,
    MOST_MOVED = 12,
    ROUNDS = 4,
    PLACES = 20
};

/* Share of the single impacts that one c must explain, and of all: a body may hit twice between two rows. */
#define NEARLY_ALL 0.8
#define MOST 0.5
/* Accepted scatter of c, and distance from that of a known mistake. */
#define ALIKE 0.02
/* Tolerances: a jump of a state that rows would show. */
#define CLEARLY 30.0
/* Tolerances within which the interpolated velocities of an impact lead to the next row. */
#define NEARLY 10.0
/* Least velocity of the wall, relative to that of the gap. */
#define LEAST_WALL 1e-3

typedef struct impact {
    const ic_tracking *k;
    const ic_interval *interval;
    double t, before[IC_MAX_STATES], after[IC_MAX_STATES];
    int mode;

    /* number of a state that does not jump; n_states: all jump */
    size_t kept;
} impact;

/* Whether the event changes a column by a tolerance: the zero of a kink is no impact. */
static bool moves(const impact *m)
{
    for (size_t j = 0; j < m->k->trajectory->n_states; j++) {
        if (!ic_is_memory(m->k, j) && fabs(m->after[j] - m->before[j]) > m->k->tolerance[j]) return true;
    }
    return false;
}

static bool find_impact(impact *m, const ic_guard **guard, const ic_tracking *k, const ic_interval *interval)
{
    ic_prediction p;
    if (interval->due != 1 || interval->tracked < 0 || interval->explanation != IC_UNEXPLAINED) return false;
    ic_interval_predict(&p, k, interval, interval->tracked, true);
    *guard = p.events == 1 ? ic_guard_find(&k->problem->variant->modes[interval->tracked], p.event) : NULL;
    if (*guard == NULL || (*guard)->rate == NULL) return false;
    *m = (impact){.k = k, .interval = interval, .t = p.t_event, .kept = k->trajectory->n_states};
    ic_interval_state_in(m->before, k, interval, interval->tracked);
    ic_predict(&p, &k->predictor, false, k->trajectory->t[interval->from], m->before, interval->tracked, m->t);
    if (!p.good) return false;
    memcpy(m->before, p.x, sizeof m->before);
    memcpy(m->after, p.x, sizeof m->after);
    const int branch = (*guard)->jump.apply(m->after, m->t, m->before, k->problem->par);
    m->mode = branch >= 0 ? (*guard)->jump.branches[branch].mode : -1;
    if (m->mode == IC_SAME_MODE) m->mode = interval->tracked;
    return m->mode >= 0 && moves(m);
}

/* The state after the impact if it were `part` of the case's. */
static void rebound(double *x, const impact *m, double part)
{
    for (size_t j = 0; j < m->k->trajectory->n_states; j++)
        x[j] = m->before[j] + (j == m->kept ? 0 : part * (m->after[j] - m->before[j]));
}

/* The part of the case's jump that leads nearest to the next row; NAN: none leads there. */
static double part_of_jump(const impact *m)
{
    const ic_tracking *k = m->k;
    const double delta = 1e-3, t1 = k->trajectory->t[m->interval->to];
    const double *goal = &k->trajectory->x[m->interval->to * k->trajectory->n_states];
    double part = 1;
    ic_prediction here, moved;
    size_t worst;
    for (int step = 0; step <= STEPS; step++) {
        double x[IC_MAX_STATES], along = 0, square = 0;
        rebound(x, m, part);
        ic_predict(&here, &k->predictor, false, m->t, x, m->mode, t1);
        rebound(x, m, part + delta);
        ic_predict(&moved, &k->predictor, false, m->t, x, m->mode, t1);
        if (!here.good || !moved.good) return NAN;
        if (step == STEPS) break;
        for (size_t j = 0; j < k->trajectory->n_states; j++) {
            if (k->trajectory->source[j] != IC_FROM_FILE) continue;
            const double slope = (moved.x[j] - here.x[j]) / delta / k->tolerance[j];
            along += slope * (goal[j] - here.x[j]) / k->tolerance[j];
            square += slope * slope;
        }
        part += along / square;
    }
    return ic_interval_defect(k, m->interval, &here, &worst) <= 1 ? part : NAN;
}

/* c of one impact; *e receives its coefficient of restitution. NAN: the wall is at rest, or none explains it. */
static double factor_of_wall(double *e, const ic_tracking *k, const ic_interval *interval)
{
    const double *par = k->problem->par, dt = 1e-5 * k->time_scale;
    const ic_guard *guard;
    double x[IC_MAX_STATES];
    impact m;
    if (!find_impact(&m, &guard, k, interval)) return NAN;
    const double u = guard->rate(m.t, m.before, par), right = guard->rate(m.t, m.after, par);
    const double wall =
        -(guard->value(m.t + dt, m.before, par) - guard->value(m.t - dt, m.before, par)) / (2 * dt);
    if (!(fabs(wall) > LEAST_WALL * fabs(u))) return NAN;
    *e = -right / u;
    rebound(x, &m, part_of_jump(&m));
    return (guard->rate(m.t, x, par) - right) / wall;
}

bool ic_find_wall_velocity(const ic_tracking *k, char *detail, size_t size)
{
    double c[MOST_IMPACTS], e[MOST_IMPACTS];
    size_t n = 0, tried = 0, alike = 0;
    for (size_t i = 0; i < k->n_intervals && tried < MOST_IMPACTS; i++) {
        if (k->intervals[i].due != 1 || k->intervals[i].explanation != IC_UNEXPLAINED) continue;
        tried++;
        c[n] = factor_of_wall(&e[n], k, &k->intervals[i]);
        if (isfinite(c[n])) n++;
    }
    if (n < LEAST_IMPACTS) return false;
    const double factor = ic_audit_median(c, n), given = ic_audit_median(e, n);
    for (size_t i = 0; i < n; i++) alike += fabs(c[i] - factor) <= ALIKE * fabs(factor);
    if ((double)alike < NEARLY_ALL * (double)n || (double)alike < MOST * (double)tried) return false;
    const struct {
        double factor;
        const char *text;
    } known[] = {{-(1 + given), "the wall's velocity is ignored"},
                 {-given, "the wall's velocity is ignored before the impact"},
                 {-1, "the wall's velocity is ignored after the impact"},
                 {-2 * given, "the wall's velocity has the wrong sign before the impact"},
                 {-2, "the wall's velocity has the wrong sign after the impact"},
                 {-2 * (1 + given), "the wall's velocity has the wrong sign"}};
    for (size_t i = 0; i < IC_COUNT(known); i++) {
        if (fabs(factor - known[i].factor) > ALIKE * fabs(factor)) continue;
        snprintf(detail, size, "%s: with it so, %zu of %zu impacts are explained", known[i].text, alike, tried);
        return true;
    }
    return false;
}

bool ic_find_kept_velocity(const ic_tracking *k, char *detail, size_t size)
{
    size_t tried = 0, alike[IC_MAX_STATES] = {0}, best = 0;
    for (size_t i = 0; i < k->n_intervals && tried < MOST_IMPACTS; i++) {
        const ic_guard *guard;
        impact m;
        if (!find_impact(&m, &guard, k, &k->intervals[i])) continue;
        tried++;
        for (m.kept = 0; m.kept < k->trajectory->n_states; m.kept++) {
            const size_t j = m.kept;
            const bool jumps = k->trajectory->source[j] == IC_FROM_FILE &&
                               fabs(m.after[j] - m.before[j]) > CLEARLY * k->tolerance[j];
            if (jumps && fabs(part_of_jump(&m)) > LEAST_WALL) alike[j]++;
        }
    }
    for (size_t j = 0; j < k->trajectory->n_states; j++) best = alike[j] > alike[best] ? j : best;
    if (alike[best] < LEAST_KEPT || (double)alike[best] < NEARLY_ALL * (double)tried) return false;
    snprintf(detail, size, "%zu of %zu impacts leave %s as it is", alike[best], tried,
             k->problem->system->states[best].name);
    return true;
}

/* ---- impacts at another time than the case's */

/* The defect of the next row if an impact happens on the surface, with the velocities of a time `late` s after its own. */
static double defect_if_moved(const impact *m, const ic_guard *guard, const bool *is_position, double late)
{
    const ic_tracking *k = m->k;
    const double t0 = k->trajectory->t[m->interval->from], t1 = k->trajectory->t[m->interval->to];
    const double t = m->t + late;
    double x[IC_MAX_STATES], y[IC_MAX_STATES];
    ic_prediction p;
    size_t worst;
    if (!(t > t0 && t < t1)) return INFINITY;
    ic_interval_state_in(x, k, m->interval, m->interval->tracked);
    ic_predict(&p, &k->predictor, false, t0, x, m->interval->tracked, t);
    if (!p.good) return INFINITY;
    for (size_t j = 0; j < k->trajectory->n_states; j++) x[j] = is_position[j] ? m->before[j] : p.x[j];
    memcpy(y, x, sizeof y);
    if (guard->jump.apply(y, t, x, k->problem->par) < 0) return INFINITY;
    ic_predict(&p, &k->predictor, false, t, y, m->mode, t1);
    return ic_interval_defect(k, m->interval, &p, &worst);
}

/* The delay, s, that leads nearest to the next row: that of a program that interpolates the step. NAN: none leads there. */
static double delay_of(const impact *m, const ic_guard *guard, const bool *is_position)
{
    const double *t = m->k->trajectory->t;
    double best = INFINITY, found = NAN, middle = 0, width = t[m->interval->to] - t[m->interval->from];
    for (int round = 0; round < ROUNDS && !isnan(middle); round++, width *= 2.0 / PLACES, middle = found) {
        for (int i = -PLACES; i <= PLACES; i++) {
            const double late = middle + width * i / PLACES;
            const double defect = defect_if_moved(m, guard, is_position, late);
            if (defect < best) best = defect, found = late;
        }
    }
    return best < NEARLY ? found : NAN;
}

ic_mistake_id ic_find_moved_impacts(const ic_tracking *k, char *detail, size_t size)
{
    size_t tried = 0, moved = 0, early = 0;
    bool is_position[IC_MAX_STATES];
    ic_find_positions(is_position, k->problem);
    for (size_t i = 0; i < k->n_intervals && tried < MOST_MOVED; i++) {
        const ic_guard *guard;
        impact m;
        if (!find_impact(&m, &guard, k, &k->intervals[i])) continue;
        tried++;
        const double late = delay_of(&m, guard, is_position);
        moved += isfinite(late);
        early += late < 0;
    }
    if (moved < LEAST_IMPACTS || (double)moved < NEARLY_ALL * (double)tried) return IC_NO_MISTAKE;
    snprintf(
        detail, size,
        "%zu of %zu impacts happen on the surface, with the velocities of another time, %zu of them too early",
        moved, tried, early);
    return early > 0 ? IC_MISTAKE_LINEAR_EVENT_LOCATION : IC_MISTAKE_NO_EVENT_LOCATION;
}
