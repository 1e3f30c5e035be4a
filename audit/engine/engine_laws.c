/* SPDX-License-Identifier: MIT */
#include "audit/engine/engine_laws.h"

#include "audit/common/tolerances.h"
#include "audit/engine/engine_twists.h"
#include "audit/impact/impact_laws.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FITS 1.0
#define APART 2.0

static double difference(const ic_engine_probe *probe, size_t law)
{
    double change[3];
    return ic_engine_law_change(change, probe, law) ? ic_engine_deviation(probe, change) : 1;
}

static size_t agreeing(const ic_engine_probe *probes, const char *name)
{
    size_t count = 0;
    for (size_t i = 0; i < IC_ENGINE_LAWS; i++) {
        for (size_t k = 0; strcmp(ic_engine_law(i)->name, name) == 0 && k < IC_ENGINE_PROBES; k++)
            count += difference(&probes[k], i) <= ic_tolerance_engine_law.value;
    }
    return count;
}

void ic_engine_classify(ic_classification *c, const ic_engine_probe probes[IC_ENGINE_PROBES])
{
    c->question = "impact law";
    c->count = 0;
    for (size_t i = 0; i < IC_ENGINE_LAWS; i++) {
        double sum = 0;
        for (size_t k = 0; k < IC_ENGINE_PROBES; k++) {
            const double d = difference(&probes[k], i);
            sum += d * d;
        }
        ic_classification_add(c, ic_engine_law(i)->name,
                              sqrt(sum / IC_ENGINE_PROBES) / ic_tolerance_engine_law.value);
    }
    ic_classification_decide(c, FITS, APART);
    snprintf(c->detail, sizeof c->detail, "%s in %zu of %d impacts to within %g of the speed before",
             c->candidates[0].name, agreeing(probes, c->candidates[0].name), IC_ENGINE_PROBES,
             ic_tolerance_engine_law.value);
}

const char *ic_engine_law_of(const double tip[2], double angle, double mu, double e)
{
    const double before[] = {IC_ENGINE_TABLE_2_TANGENTIAL, -1};
    const ic_impact impact = ic_engine_bar_impact(angle, before, mu, e);
    for (size_t i = 0; i < IC_IMPACT_LAWS; i++) {
        double v[2];
        if (ic_impact_law_velocity(v, &ic_impact_laws[i], &impact) &&
            hypot(tip[0] - v[0], tip[1] - v[1]) <= ic_tolerance_engine_law.value)
            return ic_impact_laws[i].name;
    }
    return NULL;
}
