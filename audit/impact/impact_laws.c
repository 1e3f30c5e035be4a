/* SPDX-License-Identifier: MIT */
#include "audit/impact/impact_laws.h"

#include "registry/registry.h"

#include <math.h>
#include <string.h>

static void apply_impulse(double v[2], const ic_impact *p, const double P[2])
{
    v[0] = p->v[0] + p->w_xx * P[0] + p->w_xy * P[1];
    v[1] = p->v[1] + p->w_xy * P[0] + p->w_yy * P[1];
}

/* v_y' = -e v_y; P_x stops the slip if P is then in the cone; otherwise P is on the edge of the
   cone. */
static void solve_at_once(double P[2], const ic_impact *p, double e)
{
    const double d_x = -p->v[0], d_y = -(1 + e) * p->v[1];
    const double det = p->w_xx * p->w_yy - p->w_xy * p->w_xy;
    P[0] = (p->w_yy * d_x - p->w_xy * d_y) / det;
    P[1] = (p->w_xx * d_y - p->w_xy * d_x) / det;
    if (fabs(P[0]) <= p->mu * P[1]) return;
    for (int slip = 1; slip >= -1; slip -= 2) {
        P[1] = d_y / (p->w_yy - slip * p->mu * p->w_xy);
        P[0] = -slip * p->mu * P[1];
        if (P[1] > 0 && slip * (p->v[0] + p->w_xx * P[0] + p->w_xy * P[1]) >= 0) return;
    }
}

static bool newton_at_once(double P[2], const ic_impact *p)
{
    solve_at_once(P, p, p->e);
    return true;
}

static bool poisson_in_two(double P[2], const ic_impact *p)
{
    double v[2];
    solve_at_once(P, p, 0);
    apply_impulse(v, p, P);
    const double more = p->e * P[1], most = p->mu * more, stop = -(v[0] + p->w_xy * more) / p->w_xx;
    P[0] += fabs(stop) <= most ? stop : copysign(most, stop);
    P[1] += more;
    return true;
}

static bool frictionless(double P[2], const ic_impact *p)
{
    P[0] = 0;
    P[1] = -(1 + p->e) * p->v[1] / p->w_yy;
    return true;
}

static bool solve_by_map(double P[2], const ic_impact *p, const char *name)
{
    const ic_impact_map *map = ic_impact_map_find(name);
    ic_impact_result result = {0};
    if (map == NULL || map->map(&result, p) != IC_OK) return false;
    P[0] = result.P[0];
    P[1] = result.P[1];
    return true;
}

#define BY_MAP(name_)                                                                                          \
    static bool name_(double P[2], const ic_impact *p)                                                         \
    {                                                                                                          \
        return solve_by_map(P, p, #name_);                                                                     \
    }
BY_MAP(newton)
BY_MAP(poisson)
BY_MAP(stronge)

const ic_impact_law ic_impact_laws[IC_IMPACT_LAWS] = {
    {"newton", newton},   {"newton-at-once", newton_at_once},
    {"poisson", poisson}, {"poisson-in-two", poisson_in_two},
    {"stronge", stronge}, {"frictionless", frictionless},
};

const ic_impact_law *ic_impact_law_find(const char *name)
{
    for (size_t i = 0; i < IC_IMPACT_LAWS; i++) {
        if (strcmp(ic_impact_laws[i].name, name) == 0) return &ic_impact_laws[i];
    }
    return NULL;
}

bool ic_impact_law_velocity(double v[2], const ic_impact_law *law, const ic_impact *impact)
{
    double P[2];
    if (!law->impulse(P, impact)) return false;
    apply_impulse(v, impact, P);
    return true;
}
