/* SPDX-License-Identifier: MIT */
/*
 * Hunt and Crossley's force F = k d^n (1 + a d'/v0), with d' = -v_y and v0 the speed of approach,
 * on Routh's path. With dP_y = F dt the spring's energy U = k d^(n+1)/(n+1) changes by
 *
 *     dU = k d^n d' dt = -v_y dP_y/(1 - a v_y/v0),
 *
 * in which neither k nor n is left: contact ends where U is zero again. On a line of the path v_y
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
#include "audit/engine/engine_compliant.h"

#include "registry/registry.h"

#include <float.h>
#include <math.h>

enum { HALVINGS = 100 };

/* Where no damping is as great as e = 0 asks for: e = 1e-6. */
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

/* The integral of v dv/(1 - s v) from 0; for small s v by its series, where the two terms cancel.
 */
static double moment(double v, double s)
{
    const double x = s * v;
    if (fabs(x) < sqrt(sqrt(DBL_EPSILON))) return v * v * (0.5 + x * (1.0 / 3 + x * (0.25 + x / 5)));
    return 1 - x > 0 ? (-x - log1p(-x)) / (s * s) : INFINITY;
}

/* Part of the line from one corner to the next at which the energy that is stored, U, is given
   back; 1: not on it. */
static double given_back(double U, const double v[2], double b, double s)
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
        const double part = v[1] > 0 ? given_back(U, v, b, s) : 1;
        P[0] = from->P[0] + part * (to->P[0] - from->P[0]);
        P[1] = from->P[1] + part * length;
        if (part < 1) return true;
        U -= (moment(v[1], s) - moment(v[0], s)) / b;
    }
    return true;
}

const ic_impact_law ic_law_of_hunt_crossley = {"hunt-crossley", hunt_crossley};
