/* SPDX-License-Identifier: MIT */
#include "audit/engine/engine.h"

#include <float.h>
#include <math.h>

enum { HALVINGS = 100 };

/* ---- friction */

void ic_impulse_edge_by_slip(double P[2], const ic_impact *p)
{
    const double d_y = -(1 + p->e) * p->v[1], det = p->w_xx * p->w_yy - p->w_xy * p->w_xy;
    double ratio = p->v[0] > 0 ? -p->mu : p->mu;
    P[0] = (-p->w_yy * p->v[0] - p->w_xy * d_y) / det;
    P[1] = (p->w_xx * d_y + p->w_xy * p->v[0]) / det;
    if (fabs(P[0]) <= p->mu * P[1]) return;
    if (!(p->w_yy + p->w_xy * ratio > 0)) ratio = -ratio;
    P[1] = d_y / (p->w_yy + p->w_xy * ratio);
    P[0] = ratio * P[1];
}

void ic_impulse_with_tangential_restitution(double P[2], const ic_impact *p, double e_t)
{
    const double d_x = -(1 + e_t) * p->v[0], d_y = -(1 + p->e) * p->v[1];
    const double det = p->w_xx * p->w_yy - p->w_xy * p->w_xy;
    P[0] = (p->w_yy * d_x - p->w_xy * d_y) / det;
    P[1] = (p->w_xx * d_y - p->w_xy * d_x) / det;
    if (fabs(P[0]) <= p->mu * P[1]) return;
    const double side = copysign(p->mu, P[0]);
    P[1] = d_y / (p->w_yy + side * p->w_xy);
    P[0] = side * P[1];
}

void ic_impulse_in_two_steps(double P[2], const ic_impact *p, double between)
{
    const ic_impact_law *law = ic_impact_law_find("newton-at-once");
    double first[2] = {0, 0}, second[2] = {0, 0};
    ic_impact part = *p;
    part.e = -between / p->v[1];
    law->impulse(first, &part);
    part.v[0] += p->w_xx * first[0] + p->w_xy * first[1];
    part.v[1] = between;
    part.e = p->e * p->v[1] / between;
    law->impulse(second, &part);
    for (int k = 0; k < 2; k++) P[k] = first[k] + second[k];
}

bool ic_impulse_on_path(double P[2], const ic_impact *p, const ic_impact_law *law, ic_change_kind change)
{
    const ic_impact_rule rule = ic_impact_rule_named(law->name);
    ic_believed_impact b = {.v = {p->v[0], p->v[1]},
                            .w = {{p->w_xx, p->w_xy}, {p->w_xy, p->w_yy}},
                            .mu = p->mu,
                            .e = p->e,
                            .path = change};
    ic_impact_result r;
    if (change == IC_PATH_FIRST_REVERSED) { /* at rest there is no slip to drive: what can stick does */
        b.path = fabs(p->w_xy) <= p->mu * p->w_xx ? IC_PATH_ALWAYS_STICKS : IC_CHANGE_NONE;
        b.mu = -p->mu;
    }
    if (rule > IC_RULE_STRONGE || !ic_impact_walk(&r, &b, rule)) return false;
    P[0] = r.P[0], P[1] = r.P[1];
    return true;
}

/* ---- a compliant contact */

/*
 * Hunt and Crossley's force F = k d^n (1 + a d'/v0), with d' = -v_y and v0 the speed of approach,
 * on Routh's path. With dP_y = F dt the spring's energy U = k d^(n+1)/(n+1) changes by
 *
 *     dU = k d^n d' dt = -v_y dP_y/(1 - a v_y/v0),
 *
 * in which neither k nor n is left. Contact ends where U is zero again. On a line of the path v_y
 * is linear in P_y, dv_y = b dP_y, and
 *
 *     integral v dv/(1 - s v) = -v/s - log(1 - s v)/s^2,     s = a/v0.
 *
 * A central impact returns e where a (1 + e) = log((1 + a)/(1 - a e)). With a = 0 this is Stronge's
 * hypothesis for e = 1, whose path is the longest of them.
 *
 * K. H. Hunt and F. R. E. Crossley, Coefficient of restitution interpreted as damping in
 * vibroimpact, J. Appl. Mech. 42 (1975) 440-445.
 */
/* The damping for e = 0 is unbounded; this one gives e = 1e-6. */
#define MOST_DAMPING 1e6

static double damping_for(double e)
{
    double low = 0, high = e > 0 ? fmin(1 / e, MOST_DAMPING) : MOST_DAMPING;
    if (e >= 1) return 0;
    for (int i = 0; i < HALVINGS; i++) {
        const double a = (low + high) / 2;
        if (a * (1 + e) > log1p(a) - log1p(-a * e)) low = a;
        else high = a;
    }
    return low;
}

/* The integral of v dv/(1 - s v) from 0; by its series for small s v, where the two terms
   cancel. */
static double moment(double v, double s)
{
    const double x = s * v;
    if (fabs(x) < sqrt(sqrt(DBL_EPSILON))) return v * v * (0.5 + x * (1.0 / 3 + x * (0.25 + x / 5)));
    return 1 - x > 0 ? (-x - log1p(-x)) / (s * s) : INFINITY;
}

/* The part of the line from one corner to the next after which the stored energy U has been
   released; 1: not on this line. */
static double find_release(double U, const double v[2], double b, double s)
{
    double low = 0, high = 1;
    if (moment(v[1], s) - moment(v[0], s) < U * b) return 1;
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = (low + high) / 2;
        if (moment(v[0] + middle * (v[1] - v[0]), s) - moment(v[0], s) < U * b) low = middle;
        else high = middle;
    }
    return low;
}

static bool hunt_crossley(double P[2], const ic_impact *impact)
{
    ic_impact elastic = *impact;
    ic_impact_result result = {0};
    const ic_impact_map *longest = ic_impact_map_find("stronge");
    elastic.e = 1;
    if (!(impact->e >= 0 && impact->e <= 1) || longest == NULL || longest->map(&result, &elastic) != IC_OK)
        return false;
    const double s = damping_for(impact->e) / -impact->v[1];
    double U = 0;
    for (size_t i = 1; i < result.n_path; i++) {
        const ic_impact_point *from = &result.path[i - 1], *to = &result.path[i];
        const double length = to->P[1] - from->P[1], v[] = {from->v[1], to->v[1]};
        if (!(length > 0)) continue;
        const double b = (v[1] - v[0]) / length;
        const double part = v[1] > 0 ? find_release(U, v, b, s) : 1;
        P[0] = from->P[0] + part * (to->P[0] - from->P[0]);
        P[1] = from->P[1] + part * length;
        if (part < 1) return true;
        U -= (moment(v[1], s) - moment(v[0], s)) / b;
    }
    return true;
}

const ic_impact_law ic_law_of_hunt_crossley = {"hunt-crossley", hunt_crossley};
