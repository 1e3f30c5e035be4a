/* SPDX-License-Identifier: MIT */
/*
 * Time-stepping schemes for a body that bounces off a stop. Rows that such a scheme leads to, from
 * each row to the next one through impacts, are those of the scheme. Moreau 1988; Jean 1999;
 * Schatzman 1978, Paoli 1993; Acary & Brogliato, Numerical Methods for Nonsmooth Dynamical Systems,
 * 10.1, 11.2.
 */
#include "audit/trajectory/checks/checks.h"

#include <math.h>
#include <string.h>

enum { MOST_IMPACTS = 40, LEAST = 2 };

/* Accuracy of rows of a scheme, relative to the ranges, beyond their rounding. */
#define EXACT 1e-9
/* Depth, relative to the range, that free motion would reach at the end of an interval with an impact within it. */
#define WITHIN 1e-6
/* Share of the impacts that a scheme must lead to. */
#define NEARLY_ALL 0.9

/* The gap, m, its rate, m/s, and, for schemes of two steps, the gap before. */
typedef struct gap_state {
    double y, u, before;
} gap_state;

/* How a scheme advances the gap over a step, and what it does at an impact. */
typedef enum scheme_flight { EXACT_FLIGHT, SEMI_IMPLICIT, MOREAU, SCHATZMAN_PAOLI } scheme_flight;
typedef enum scheme_impact {
    /* the velocity turns: at the end of a step below the surface */
    TURNED,

    /* and the position is put back on the surface; is mirrored; is mirrored and multiplied by e */
    PUT_BACK,
    MIRRORED,
    MIRRORED_BY_E
} scheme_impact;

static const struct scheme {
    const char *name;
    scheme_flight flight;
    scheme_impact impact;

    /* theta of Moreau & Jean, 1 */
    double theta;

    /* of Moreau & Jean: the part of a step after which the gap is predicted to be closed, if the contact is active */
    double ahead;

    ic_mistake_id mistake;
} schemes[] = {
    {"Moreau-Jean time stepping, theta = 1/2", MOREAU, TURNED, 0.5, 0.5, IC_MISTAKE_COARSE_STEPS},
    {"Moreau-Jean time stepping, theta = 1/2, with projection of the position", MOREAU, PUT_BACK, 0.5, 0.5,
     IC_MISTAKE_COARSE_STEPS},
    {"Moreau-Jean time stepping, theta = 1", MOREAU, TURNED, 1, 1, IC_MISTAKE_COARSE_STEPS},
    {"Moreau-Jean time stepping, active where the gap is closed", MOREAU, TURNED, 1, 0,
     IC_MISTAKE_COARSE_STEPS},
    {"Schatzman-Paoli time stepping", SCHATZMAN_PAOLI, TURNED, 0, 0, IC_MISTAKE_COARSE_STEPS},
    {"semi-implicit Euler, impacts at the ends of steps", SEMI_IMPLICIT, TURNED, 0, 0,
     IC_MISTAKE_NO_EVENT_LOCATION},
    {"semi-implicit Euler, impacts at the ends of steps, with the position put back", SEMI_IMPLICIT, PUT_BACK,
     0, 0, IC_MISTAKE_NO_EVENT_LOCATION},
    {"exact flight, impacts at the ends of steps", EXACT_FLIGHT, TURNED, 0, 0, IC_MISTAKE_NO_EVENT_LOCATION},
    {"exact flight, impacts at the ends of steps, with the position put back", EXACT_FLIGHT, PUT_BACK, 0, 0,
     IC_MISTAKE_NO_EVENT_LOCATION},
    {"exact flight, the penetration at the end of a step mirrored and multiplied by e", EXACT_FLIGHT,
     MIRRORED_BY_E, 0, 0, IC_MISTAKE_NO_EVENT_LOCATION},
    {"exact flight, the penetration at the end of a step mirrored", EXACT_FLIGHT, MIRRORED, 0, 0,
     IC_MISTAKE_NO_EVENT_LOCATION},
    {"semi-implicit Euler, the penetration at the end of a step mirrored", SEMI_IMPLICIT, MIRRORED, 0, 0,
     IC_MISTAKE_NO_EVENT_LOCATION},
};

/* The velocity of Moreau & Jean's schemes turns within the step. */
static void step_moreau(gap_state *s, const struct scheme *scheme, double h, double a, double e)
{
    double u = s->u + a * h;
    if (s->y + scheme->ahead * h * s->u <= 0) u = fmax(u, -e * s->u);
    s->y += h * ((1 - scheme->theta) * s->u + scheme->theta * u);
    s->u = u;
}

/* Its velocities are differences of either kind. */
static void step_schatzman_paoli(gap_state *s, double h, double a, double e)
{
    const double next = -e * s->before + fmax(0, 2 * s->y - (1 - e) * s->before + a * h * h);
    s->before = s->y;
    s->y = next;
    s->u = NAN;
}

/* One step of length h with the acceleration a of the gap in free motion. */
static void step_by(const struct scheme *scheme, gap_state *s, double h, double a, double e)
{
    if (scheme->flight == MOREAU) step_moreau(s, scheme, h, a, e);
    if (scheme->flight == SCHATZMAN_PAOLI) step_schatzman_paoli(s, h, a, e);
    if (scheme->flight == EXACT_FLIGHT) s->y += s->u * h + 0.5 * a * h * h;
    if (scheme->flight <= SEMI_IMPLICIT) s->u += a * h;
    if (scheme->flight == SEMI_IMPLICIT) s->y += s->u * h;
    if (scheme->flight <= SEMI_IMPLICIT && s->y < 0 && (s->u < 0 || scheme->impact == MIRRORED)) {
        s->u *= -e;
        if (scheme->impact >= MIRRORED) s->y *= scheme->impact == MIRRORED ? -1 : -e;
    }
    if (scheme->impact == PUT_BACK) s->y = fmax(s->y, 0);
}

static const int steps_per_row[] = {1, 2, 3, 4, 5, 8, 9, 10, 16, 20, 25, 32, 40, 50, 64, 100, 200};

typedef struct impacts {
    const ic_tracking *k;
    ic_bouncing_body body;
    double e, tolerance_y, tolerance_u;

    /* Rows before impacts. */
    size_t rows[MOST_IMPACTS], n;
} impacts;

static double gap_at(const impacts *s, size_t row)
{
    const ic_trajectory *tr = s->k->trajectory;
    return s->body.side * (tr->x[row * tr->n_states + s->body.state.x] - s->body.stop);
}

static double rate_at(const impacts *s, size_t row)
{
    const ic_trajectory *tr = s->k->trajectory;
    return s->body.side * tr->x[row * tr->n_states + s->body.state.v];
}

/* Whether the scheme leads from a row to the next one in n steps. */
static bool leads(const impacts *s, const struct scheme *scheme, int n, size_t row)
{
    const double *t = s->k->trajectory->t, h = (t[row + 1] - t[row]) / n;
    gap_state g = {.y = gap_at(s, row), .u = rate_at(s, row), .before = row > 0 ? gap_at(s, row - 1) : NAN};
    for (int i = 0; i < n; i++) {
        const double a = s->body.side * ic_bouncing_acceleration(&s->body, s->k, row);
        step_by(scheme, &g, h, a, s->e);
    }
    return fabs(g.y - gap_at(s, row + 1)) <= s->tolerance_y &&
           (scheme->flight == SCHATZMAN_PAOLI || fabs(g.u - rate_at(s, row + 1)) <= s->tolerance_u);
}

/* Whether an impact at its time, with constant acceleration, leads from a row to the next one. */
static bool case_leads(const impacts *s, size_t row, double h, double a)
{
    const double y = gap_at(s, row), u = rate_at(s, row), speed = sqrt(fmax(0, u * u - 2 * a * y));
    const double rest = h - 2 * y / (speed - u), after = s->e * speed;
    return fabs(after * rest + 0.5 * a * rest * rest - gap_at(s, row + 1)) <= s->tolerance_y &&
           fabs(after + a * rest - rate_at(s, row + 1)) <= s->tolerance_u;
}

/* Rows before which the gap closes and after which it opens. */
static void find_impacts(impacts *s)
{
    const ic_trajectory *tr = s->k->trajectory;
    for (size_t i = 1; i + 2 < tr->n && s->n < MOST_IMPACTS; i++) {
        if (!(tr->t[i + 1] > tr->t[i] && tr->t[i] > tr->t[i - 1])) continue;
        const double h = tr->t[i + 1] - tr->t[i],
                     a = s->body.side * ic_bouncing_acceleration(&s->body, s->k, i);
        const double free_end = gap_at(s, i) + h * rate_at(s, i) + 0.5 * h * h * a;
        /* An impact at an end of the interval happens there by the case, too. */
        if (!(free_end < -WITHIN * s->k->range[s->body.state.x]) || case_leads(s, i, h, a)) continue;
        if (rate_at(s, i) < 0 && rate_at(s, i + 1) > 0) s->rows[s->n++] = i;
    }
}

ic_mistake_id ic_find_time_stepping(const ic_tracking *k, char *detail, size_t size)
{
    impacts s = {.k = k};
    const ic_trajectory *tr = k->trajectory;
    if (ic_has_source(k, IC_FROM_DIFFERENCES) || !ic_bouncing_body_of(&s.body, k)) return IC_NO_MISTAKE;
    s.e = k->problem->par[s.body.e];
    s.tolerance_y = EXACT * k->range[s.body.state.x] + 2 * k->rounding[s.body.state.x];
    s.tolerance_u = EXACT * k->range[s.body.state.v] + 2 * k->rounding[s.body.state.v];
    find_impacts(&s);
    for (size_t n = 0; n < IC_COUNT(steps_per_row) && s.n >= LEAST; n++) {
        for (size_t i = 0; i < IC_COUNT(schemes); i++) {
            size_t led = 0;
            if (schemes[i].flight == SCHATZMAN_PAOLI && n > 0) continue;
            for (size_t r = 0; r < s.n; r++) {
                /*
                 * The step before shows the flight. Velocities of Schatzman & Paoli are means, so that its impact is
                 * seen a row earlier or later.
                 */
                const size_t row = s.rows[r];
                led += leads(&s, &schemes[i], steps_per_row[n], row - 1) &&
                       leads(&s, &schemes[i], steps_per_row[n], row) &&
                       (schemes[i].flight != SCHATZMAN_PAOLI || leads(&s, &schemes[i], 1, row + 1));
            }
            if ((double)led < NEARLY_ALL * (double)s.n) continue;
            snprintf(
                detail, size,
                "The rows are those of %s, with steps of %.6g s: it leads to them through %zu of %zu impacts",
                schemes[i].name, (tr->t[s.rows[0] + 1] - tr->t[s.rows[0]]) / steps_per_row[n], led, s.n);
            return schemes[i].mistake;
        }
    }
    return IC_NO_MISTAKE;
}

/* ---- events of any kind at the ends of steps */

/*
 * Whether the case with its event at the end of one of n steps leads to the last row of an interval; if that is the time
 * of the event, the row may have the state before it, and the next row decides.
 */
static bool late_event_leads(const ic_tracking *k, const ic_interval *interval, int n)
{
    const ic_trajectory *tr = k->trajectory;
    const double t0 = tr->t[interval->from], t1 = tr->t[interval->to], h = (t1 - t0) / n;
    const ic_mode *mode = &k->problem->variant->modes[interval->tracked];
    double x[IC_MAX_STATES];
    ic_prediction p;
    size_t worst;
    ic_interval_predict(&p, k, interval, interval->tracked, true);
    const ic_guard *guard = p.good && p.events > 0 ? ic_guard_find(mode, p.event) : NULL;
    if (guard == NULL) return false;
    const double t = fmin(t1, t0 + h * ceil((p.t_event - t0) / h));
    ic_interval_state_in(x, k, interval, interval->tracked);
    ic_predict(&p, &k->predictor, false, t0, x, interval->tracked, t);
    if (!p.good) return false;
    const bool before = t == t1 && ic_interval_defect(k, interval, &p, &worst) <= 1;
    memcpy(x, p.x, sizeof x);
    const int branch = guard->jump.apply(x, t, p.x, k->problem->par);
    const int then = branch < 0 ? -1 : guard->jump.branches[branch].mode;
    if (branch < 0) return false;
    const int after = then == IC_SAME_MODE ? interval->tracked : then;
    if (t < t1) ic_predict(&p, &k->predictor, false, t, x, after, t1);
    else memcpy(p.x, x, sizeof x);
    if (!p.good || !(before || ic_interval_defect(k, interval, &p, &worst) <= 1)) return false;
    if (t < t1) return true;
    ic_predict(&p, &k->predictor, false, t, x, after, tr->t[interval[1].to]);
    return p.good && ic_interval_defect(k, &interval[1], &p, &worst) <= 1;
}

bool ic_find_late_events(const ic_tracking *k, char *detail, size_t size)
{
    for (size_t n = 0; n < IC_COUNT(steps_per_row); n++) {
        size_t led = 0, tried = 0;
        for (size_t i = 0; i + 1 < k->n_intervals && tried < MOST_IMPACTS; i++) {
            const ic_interval *interval = &k->intervals[i];
            if (interval->due == 0 || interval->explanation == IC_BY_GUARDS || interval->tracked < 0) continue;
            tried++;
            led += late_event_leads(k, interval, steps_per_row[n]);
            if (4 * led < tried) break;
        }
        if (led <= LEAST || (double)led < NEARLY_ALL * (double)tried) continue;
        snprintf(detail, size, "Events at the ends of steps of %.6g s explain %zu of %zu of them",
                 k->spacing / steps_per_row[n], led, tried);
        return true;
    }
    return false;
}
