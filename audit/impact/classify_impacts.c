/* SPDX-License-Identifier: MIT */
#include "audit/impact/impact.h"

#include "audit/common/explain.h"
#include "audit/common/tolerances.h"

#include <stdio.h>

static const char frictionless[] = "frictionless";

double ic_impact_misfit(const ic_impact_samples *s, const ic_impact_model *model)
{
    double most = 0;
    size_t compared = 0;
    for (size_t i = 0; i < IC_IMPACT_TRIALS; i++) {
        const ic_impact *p = &s->p[i];
        ic_impact_result q;
        if (s->state[i] != IC_ANSWERED || !ic_impact_model_solve(&q, p, fabs(s->r[i].P[1]), model)) continue;
        const double off = hypot(s->r[i].P[0] - q.P[0], s->r[i].P[1] - q.P[1]) / ic_impulse_scale(p, &q);
        most = off <= most ? most : off;
        compared++;
    }
    return compared > 0 ? most : INFINITY;
}

void ic_impact_classify(ic_finding_writer *writer, const ic_impact_verdict *v)
{
    const double tolerance = ic_tolerance_impact_map.value;
    const ic_impact_model smooth = {.rule = IC_RULE_NEWTON, .changes = {{.kind = IC_MU_ZERO}}};
    ic_classification c = {.question = "impact hypothesis"};
    char what[320];
    for (int rule = IC_RULE_NEWTON; rule <= IC_RULE_SMITH; rule++) {
        const ic_impact_model m = {.rule = (ic_impact_rule)rule};
        const double misfit = ic_impact_misfit(v->samples, &m) / tolerance;
        /* where they have an answer at all, some hypotheses for the whole impulse are the same */
        const bool same = v->found.good && v->found.n_changes == 0 && v->found.rule != m.rule && misfit <= 1 &&
                          v->found.rule >= IC_RULE_AT_ONCE;
        if (!same) ic_classification_add(&c, ic_impact_rule_name(m.rule), misfit);
    }
    ic_classification_add(&c, frictionless, ic_impact_misfit(v->samples, &smooth) / tolerance);
    ic_classification_decide(&c, 1, IC_APART);
    ic_impact_describe(what, sizeof what, v, ~0u);
    if (!c.decided && v->found.good && v->found.rule != IC_RULE_OWN) {
        /* its misfit is that of a map with these mistakes */
        snprintf(c.candidates[0].name, sizeof c.candidates[0].name, "%.16s%s",
                 v->any_rule ? "any hypothesis" : ic_impact_rule_name(v->found.rule),
                 v->found.n_changes == 0   ? ""
                 : v->found.n_changes == 1 ? " with a mistake"
                                           : " with mistakes");
        if (v->found.n_changes > 0) c.candidates[0].misfit = 0, c.margin = INFINITY;
        c.decided = true;
    }
    if (c.decided && v->found.n_changes + (size_t)(v->coarse != IC_NO_MISTAKE) > 0)
        snprintf(c.detail, sizeof c.detail, "%.340s; %d impacts", what, IC_IMPACT_TRIALS);
    else if (c.decided)
        snprintf(c.detail, sizeof c.detail, "%d impacts; misfit 1 is a deviation of %g of the impulse",
                 IC_IMPACT_TRIALS, tolerance);
    else
        snprintf(
            c.detail, sizeof c.detail,
            "none of these%s%.250s; the nearest deviates by %.2g of the impulse in the worst of %d impacts",
            what[0] != '\0' ? ": " : "", what, c.candidates[0].misfit * tolerance, IC_IMPACT_TRIALS);
    ic_write_classification(writer, &c);
}
