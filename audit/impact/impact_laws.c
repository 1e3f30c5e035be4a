/* SPDX-License-Identifier: MIT */
#include "audit/impact/impact.h"

#include <string.h>

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
    {"newton", newton},   {"newton-at-once", ic_rule_at_once},
    {"poisson", poisson}, {"poisson-in-two", ic_rule_in_two},
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
    v[0] = impact->v[0] + impact->w_xx * P[0] + impact->w_xy * P[1];
    v[1] = impact->v[1] + impact->w_xy * P[0] + impact->w_yy * P[1];
    return true;
}
