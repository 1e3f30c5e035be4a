/* SPDX-License-Identifier: MIT */
/*
 * With the impulse P and the inverse mass matrix W of the contact, v' = v + W P. The laws, beside the registered maps, which follow
 * Coulomb's law through the impact:
 *
 *     newton-at-once   v_y' = -e v_y, and Coulomb's cone holds for the whole impulse (Moreau 1988): what time stepping does
 *     poisson-in-two   the same with e = 0; then e times its P_y, with friction that would stop the slip, within the cone
 *     frictionless     v_y' = -e v_y, P_x = 0
 */
#include "audit/engine_laws.h"

#include "audit/engine_impact.h"
#include "audit/impact_hypotheses.h"
#include "core/registry.h"

#include <math.h>
#include <stdio.h>

/* By the normal speed before: engines in single precision with steps of 1e-4 s meet their own law to a few thousandths. */
#define AGREES 0.02
/* An impact that has not ended is off by this much: as much as the tip's speed. */
#define NOT_ENDED 1.0
#define FITS 1.0
#define APART 2.0

ic_engine_probe ic_engine_probe_of(size_t i)
{
    static const double angles[] = {20, 45, 60}, frictions[] = {0.2, 0.4, 1}, restitutions[] = {0.5, 1};
    return (ic_engine_probe){angles[i / 6], frictions[i / 2 % 3], restitutions[i % 2], {NAN, NAN}};
}

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

static const struct {
    const char *name;
    bool (*law)(double v[2], const ic_impact *p);
} laws[] = {
    {"newton", newton},   {"newton-at-once", newton_at_once},
    {"poisson", poisson}, {"poisson-in-two", poisson_in_two},
    {"stronge", stronge}, {"frictionless", frictionless},
};

static double difference(const ic_engine_probe *probe, bool (*law)(double v[2], const ic_impact *p))
{
    const double before[] = {IC_ENGINE_PROBE_TANGENTIAL, -1};
    const ic_impact impact = ic_engine_bar_impact(probe->angle, before, probe->mu, probe->e);
    double v[2];
    if (isnan(probe->tip[0]) || !law(v, &impact)) return NOT_ENDED;
    return hypot(probe->tip[0] - v[0], probe->tip[1] - v[1]);
}

static size_t agreeing(const ic_engine_probe *probes, const char *name)
{
    size_t count = 0;
    for (size_t i = 0; i < IC_COUNT(laws); i++) {
        for (size_t k = 0; laws[i].name == name && k < IC_ENGINE_PROBES; k++)
            count += difference(&probes[k], laws[i].law) <= AGREES;
    }
    return count;
}

void ic_engine_classify(ic_classification *c, const ic_engine_probe probes[IC_ENGINE_PROBES])
{
    c->question = "impact law";
    c->count = IC_COUNT(laws);
    for (size_t i = 0; i < IC_COUNT(laws); i++) {
        double sum = 0;
        for (size_t k = 0; k < IC_ENGINE_PROBES; k++) {
            const double d = difference(&probes[k], laws[i].law);
            sum += d * d;
        }
        c->candidates[i] = (ic_candidate){laws[i].name, sqrt(sum / IC_ENGINE_PROBES) / AGREES};
    }
    ic_classification_decide(c, FITS, APART);
    snprintf(c->detail, sizeof c->detail, "%s in %zu of %d impacts to within %g of the speed before",
             c->candidates[0].name, agreeing(probes, c->candidates[0].name), IC_ENGINE_PROBES, AGREES);
}

const char *ic_engine_law_of(const double tip[2], double angle, double mu, double e)
{
    const ic_engine_probe probe = {angle, mu, e, {tip[0], tip[1]}};
    for (size_t i = 0; i < IC_COUNT(laws); i++) {
        if (difference(&probe, laws[i].law) <= AGREES) return laws[i].name;
    }
    return NULL;
}
