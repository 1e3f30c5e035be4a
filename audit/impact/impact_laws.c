/* SPDX-License-Identifier: MIT */
#include "audit/impact/impact_laws.h"

#include "audit/impact/impact_hypotheses.h"
#include "core/registry.h"

#include <math.h>

static void after_impulse(double v[2], const ic_impact *p, double P_x, double P_y)
{
    v[0] = p->v[0] + p->w_xx * P_x + p->w_xy * P_y;
    v[1] = p->v[1] + p->w_xy * P_x + p->w_yy * P_y;
}

/* Returns P_y. */
static double at_once(double v[2], const ic_impact *p, double e)
{
    double P[2];
    ic_impulse_at_once(P, p, e);
    after_impulse(v, p, P[0], P[1]);
    return P[1];
}

static bool newton_at_once(double v[2], const ic_impact *p)
{
    at_once(v, p, p->e);
    return true;
}

static bool poisson_in_two(double v[2], const ic_impact *p)
{
    ic_impact expansion = *p;
    const double P_y = p->e * at_once(expansion.v, p, 0), most = p->mu * P_y;
    const double stop = -(expansion.v[0] + p->w_xy * P_y) / p->w_xx;
    after_impulse(v, &expansion, fabs(stop) <= most ? stop : copysign(most, stop), P_y);
    return true;
}

static bool frictionless(double v[2], const ic_impact *p)
{
    after_impulse(v, p, 0, -(1 + p->e) * p->v[1] / p->w_yy);
    return true;
}

static bool by_map(double v[2], const ic_impact *p, const char *name)
{
    const ic_impact_map *map = ic_impact_map_find(name);
    ic_impact_result result = {0};
    if (map == NULL || map->map(&result, p) != IC_OK) return false;
    v[0] = result.v[0];
    v[1] = result.v[1];
    return true;
}

static bool newton(double v[2], const ic_impact *p)
{
    return by_map(v, p, "newton");
}

static bool poisson(double v[2], const ic_impact *p)
{
    return by_map(v, p, "poisson");
}

static bool stronge(double v[2], const ic_impact *p)
{
    return by_map(v, p, "stronge");
}

const ic_impact_law ic_impact_laws[IC_IMPACT_LAWS] = {
    {"newton", newton},   {"newton-at-once", newton_at_once},
    {"poisson", poisson}, {"poisson-in-two", poisson_in_two},
    {"stronge", stronge}, {"frictionless", frictionless},
};
