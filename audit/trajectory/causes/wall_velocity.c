/* SPDX-License-Identifier: MIT */
/*
 * Impacts on a moving wall, of velocity w, that use it wrongly. With the rate u of the gap the case has u+ = -e u-; the
 * rows then have u+ = -e u- + c w, with one c for all impacts: -(1 + e) if w is ignored. And impacts in which
 * one body gets another impulse than the others.
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
/* Part of the squares of two changes above which the rows tell one from the other. */
#define SEEN 1e-6
/* Least velocity of the wall, relative to that of the gap. */
#define LEAST_WALL 1e-3

typedef struct impact {
    const ic_tracking *k;
    const ic_interval *interval;
    double t, before[IC_MAX_STATES], after[IC_MAX_STATES];
    int mode;

    /* number of a state that jumps by a part of its own; n_states: none does */
    size_t single;
} impact;

/* How much of the case's jump happens: 1 is all of it. One state has a part of its own. */
typedef struct parts {
    double others, single;
} parts;

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
    *m = (impact){.k = k, .interval = interval, .t = p.t_event, .single = k->trajectory->n_states};
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

/* The state after the impact if it were a part of the case's, and another part for one state. */
static void rebound(double *x, const impact *m, const parts *p)
{
    for (size_t j = 0; j < m->k->trajectory->n_states; j++)
        x[j] = m->before[j] + (j == m->single ? p->single : p->others) * (m->after[j] - m->before[j]);
}

/* Where the parts lead at the time of the next row. */
static bool lead(ic_prediction *end, const impact *m, parts p)
{
    double x[IC_MAX_STATES];
    rebound(x, m, &p);
    ic_predict(end, &m->k->predictor, false, m->t, x, m->mode, m->k->trajectory->t[m->interval->to]);
    return end->good;
}

/* The parts of the case's jump that lead nearest to the next row, by least squares. false: none leads there. */
static bool find_parts(parts *p, const impact *m)
{
    const ic_tracking *k = m->k;
    const double delta = 1e-3, *goal = &k->trajectory->x[m->interval->to * k->trajectory->n_states];
    const bool two = m->single < k->trajectory->n_states;
    ic_prediction here, moved, moved_single;
    size_t worst;
    *p = (parts){1, 1};
    for (int step = 0; step < STEPS; step++) {
        double aa = 0, ab = 0, bb = two ? 0 : 1, ac = 0, bc = 0;
        if (!lead(&here, m, *p) || !lead(&moved, m, (parts){p->others + delta, p->single}) ||
            !lead(&moved_single, m, (parts){p->others, p->single + delta}))
            return false;
        for (size_t j = 0; j < k->trajectory->n_states; j++) {
            if (k->trajectory->source[j] != IC_FROM_FILE) continue;
            const double a = (moved.x[j] - here.x[j]) / delta / k->tolerance[j],
                         b = (moved_single.x[j] - here.x[j]) / delta / k->tolerance[j],
                         c = (goal[j] - here.x[j]) / k->tolerance[j];
            aa += a * a, ab += a * b, bb += b * b, ac += a * c, bc += b * c;
        }
        const double determinant = aa * bb - ab * ab;
        if (!(determinant > SEEN * aa * bb)) return false;
        p->others += (ac * bb - bc * ab) / determinant;
        p->single += (bc * aa - ac * ab) / determinant;
    }
    return lead(&here, m, *p) && ic_interval_defect(k, m->interval, &here, &worst) <= 1;
}

/* c of one impact; *e receives its coefficient of restitution. NAN: the wall is at rest, or none explains it. */
static double factor_of_wall(double *e, const ic_tracking *k, const ic_interval *interval)
{
    const double *par = k->problem->par, dt = 1e-5 * k->time_scale;
    const ic_guard *guard;
    double x[IC_MAX_STATES];
    impact m;
    parts p;
    if (!find_impact(&m, &guard, k, interval)) return NAN;
    const double u = guard->rate(m.t, m.before, par), right = guard->rate(m.t, m.after, par);
    const double wall =
        -(guard->value(m.t + dt, m.before, par) - guard->value(m.t - dt, m.before, par)) / (2 * dt);
    if (!(fabs(wall) > LEAST_WALL * fabs(u))) return NAN;
    *e = -right / u;
    if (!find_parts(&p, &m)) return NAN;
    rebound(x, &m, &p);
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

/* ---- bodies of which one gets another impulse than the others */

/* Whether rows show that the case changes a state in an impact. */
static bool jumps(const impact *m, size_t j)
{
    return m->k->trajectory->source[j] == IC_FROM_FILE &&
           fabs(m->after[j] - m->before[j]) > CLEARLY * m->k->tolerance[j];
}

/* Whether two states that jump, one of them this one, are in the rate at which bodies meet: an impulse acts on both. */
static bool is_of_pair(const impact *m, const ic_guard *guard)
{
    const double *par = m->k->problem->par, rate = guard->rate(m->t, m->before, par);
    size_t acting = 0;
    bool own = false;
    for (size_t j = 0; j < m->k->trajectory->n_states; j++) {
        double x[IC_MAX_STATES];
        memcpy(x, m->before, sizeof x);
        x[j] += m->k->range[j];
        const bool acts = jumps(m, j) && guard->rate(m->t, x, par) != rate;
        acting += acts;
        own |= acts && j == m->single;
    }
    return own && acting > 1;
}

/* Impacts in which one state jumps by the same part of what the jumps of the others ask. */
typedef struct unequal {
    double part[MOST_IMPACTS], median;
    size_t n, alike, of_pairs;
} unequal;

static void compare_parts(unequal *u, const impact *impacts, const ic_guard *const *guards, size_t n,
                          size_t single)
{
    *u = (unequal){.n = 0};
    for (size_t i = 0; i < n; i++) {
        impact m = impacts[i];
        parts p;
        m.single = single;
        if (!jumps(&m, single) || !find_parts(&p, &m) || !(fabs(p.others) > LEAST_WALL)) continue;
        u->part[u->n++] = p.single / p.others;
        u->of_pairs += is_of_pair(&m, guards[i]);
    }
    u->median = ic_audit_median(u->part, u->n);
    for (size_t i = 0; i < u->n; i++) u->alike += fabs(u->part[i] - u->median) <= ALIKE;
}

ic_mistake_id ic_find_unequal_impulses(const ic_tracking *k, char *detail, size_t size)
{
    impact impacts[MOST_IMPACTS];
    const ic_guard *guards[MOST_IMPACTS];
    size_t n = 0;
    for (size_t i = 0; i < k->n_intervals && n < MOST_IMPACTS; i++)
        n += find_impact(&impacts[n], &guards[n], k, &k->intervals[i]);
    for (size_t j = 0; j < k->trajectory->n_states; j++) {
        unequal u;
        compare_parts(&u, impacts, guards, n, j);
        if (u.alike < LEAST_KEPT || (double)u.alike < NEARLY_ALL * (double)n || fabs(u.median - 1) <= ALIKE)
            continue;
        const char *name = k->problem->system->states[j].name;
        if (fabs(u.median) <= LEAST_WALL) {
            snprintf(detail, size, "%zu of %zu impacts leave %s as it is", u.alike, n, name);
            return IC_MISTAKE_COUPLING_LOST;
        }
        if (u.of_pairs < u.alike) continue;
        snprintf(detail, size,
                 "in %zu of %zu impacts %s changes by %.4g times what the change of the others asks", u.alike,
                 n, name, u.median);
        return IC_MISTAKE_MOMENTUM_LOST;
    }
    return IC_NO_MISTAKE;
}

/* ---- impacts at another time than the case's */

/* Moves the first position on which a gap depends so that the gap is 0: its surface may move. */
static void put_on_surface(double *x, const ic_tracking *k, const ic_guard *guard, const bool *is_position,
                           double t)
{
    const double *par = k->problem->par, gap = guard->value(t, x, par);
    for (size_t j = 0; j < k->trajectory->n_states && gap != 0; j++) {
        const double kept = x[j], delta = 1e-3 * k->range[j];
        if (!is_position[j]) continue;
        x[j] += delta;
        const double slope = (guard->value(t, x, par) - gap) / delta;
        x[j] = slope != 0 ? kept - gap / slope : kept;
        if (slope != 0) return;
    }
}

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
    put_on_surface(x, k, guard, is_position, t);
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
        if (isfinite(late)) moved++;
        early += late < 0;
    }
    if (moved < LEAST_IMPACTS || (double)moved < NEARLY_ALL * (double)tried) return IC_NO_MISTAKE;
    snprintf(
        detail, size,
        "%zu of %zu impacts happen on the surface, with the velocities of another time, %zu of them too early",
        moved, tried, early);
    return early > 0 ? IC_MISTAKE_LINEAR_EVENT_LOCATION : IC_MISTAKE_NO_EVENT_LOCATION;
}
