/* SPDX-License-Identifier: MIT */
#include "audit/engine/engine_laws.h"

#include "audit/engine/engine_impact.h"
#include "audit/impact/impact_laws.h"

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

static double difference(const ic_engine_probe *probe, const ic_impact_law *law)
{
    const double before[] = {IC_ENGINE_PROBE_TANGENTIAL, -1};
    const ic_impact impact = ic_engine_bar_impact(probe->angle, before, probe->mu, probe->e);
    double v[2];
    if (isnan(probe->tip[0]) || !ic_impact_law_velocity(v, law, &impact)) return NOT_ENDED;
    return hypot(probe->tip[0] - v[0], probe->tip[1] - v[1]);
}

static size_t agreeing(const ic_engine_probe *probes, const char *name)
{
    size_t count = 0;
    for (size_t i = 0; i < IC_IMPACT_LAWS; i++) {
        for (size_t k = 0; ic_impact_laws[i].name == name && k < IC_ENGINE_PROBES; k++)
            count += difference(&probes[k], &ic_impact_laws[i]) <= AGREES;
    }
    return count;
}

void ic_engine_classify(ic_classification *c, const ic_engine_probe probes[IC_ENGINE_PROBES])
{
    c->question = "impact law";
    c->count = IC_IMPACT_LAWS;
    for (size_t i = 0; i < IC_IMPACT_LAWS; i++) {
        double sum = 0;
        for (size_t k = 0; k < IC_ENGINE_PROBES; k++) {
            const double d = difference(&probes[k], &ic_impact_laws[i]);
            sum += d * d;
        }
        c->candidates[i] = (ic_candidate){ic_impact_laws[i].name, sqrt(sum / IC_ENGINE_PROBES) / AGREES};
    }
    ic_classification_decide(c, FITS, APART);
    snprintf(c->detail, sizeof c->detail, "%s in %zu of %d impacts to within %g of the speed before",
             c->candidates[0].name, agreeing(probes, c->candidates[0].name), IC_ENGINE_PROBES, AGREES);
}

const char *ic_engine_law_of(const double tip[2], double angle, double mu, double e)
{
    const ic_engine_probe probe = {angle, mu, e, {tip[0], tip[1]}};
    for (size_t i = 0; i < IC_IMPACT_LAWS; i++) {
        if (difference(&probe, &ic_impact_laws[i]) <= AGREES) return ic_impact_laws[i].name;
    }
    return NULL;
}
