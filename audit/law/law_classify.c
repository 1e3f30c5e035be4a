/* SPDX-License-Identifier: MIT */
/*
 * The registered laws that fit the force of a law: each gets the fitted K, n, c and C_1, and the coefficient of
 * restitution that is a parameter of the plugin's law. Laws differ in how the damping depends on that coefficient and
 * on v0.
 */
#include "audit/law/law.h"

#include "audit/common/explain.h"
#include "audit/common/tolerances.h"
#include "registry/registry.h"

#include <stdio.h>
#include <string.h>

enum { RESTITUTIONS = 5, SPEEDS = 3 };
static const double restitutions[RESTITUTIONS] = {0.15, 0.35, 0.5, 0.7, 0.9};
static const double speeds[SPEEDS] = {0.5, 1, 2};        /* m/s */
static const double parts[] = {0.01, 0.05, 0.2, 0.5, 1}; /* of d0 */
static const double rates[] = {-0.8, -0.3, 0.4, 0.9};    /* of v0 */

/* A law without drag equals every damped law with e = 1: damped laws are not candidates. */
#define NO_DRAG 1e-9

/*
 * Greatest deviation in a contact that began at v0, divided by the greatest force; NAN if either
 * force is not finite.
 */
static double measure_deviation(ic_law_probe *p, const ic_known_law *c, double v0)
{
    double worst = 0;
    ic_law_probe_begin(p, v0);
    for (size_t i = 0; i < IC_COUNT(parts) * IC_COUNT(rates); i++) {
        const double d = parts[i % IC_COUNT(parts)] * p->d0, v = rates[i / IC_COUNT(parts)] * v0;
        const double theirs = ic_known_law_force(c, d, v, v0);
        const double off = fabs(ic_law_probe_force(p, d, v) - theirs) / p->F0;
        /* where it would pull, the contact is over, and laws cut their force or not */
        if (c->law->condition != IC_CONDITION_A && theirs <= 0) continue;
        worst = off <= worst ? worst : off;
    }
    return worst;
}

/* The greatest deviation over all restitutions and speeds. */
static double measure_misfit(ic_law_probe *p, ic_known_law *c, const ic_law_fit *f)
{
    double *par = p->par.data, worst = 0;
    const bool varied = f->variable < p->law->n_parameters;
    const double kept = varied ? par[f->variable] : 0;
    if (!varied && c->e < c->law->n_parameters && fabs(f->a) < NO_DRAG) return INFINITY;
    if (!varied && c->e < c->law->n_parameters) ic_known_law_set_equivalent_restitution(c, f, 0.5 * p->d0);
    for (int r = 0; r < (varied ? RESTITUTIONS : 1); r++) {
        if (varied) par[f->variable] = restitutions[r];
        if (varied && c->e < c->law->n_parameters) c->par[c->e] = restitutions[r];
        for (int s = 0; s < SPEEDS; s++) {
            const double off = measure_deviation(p, c, speeds[s]);
            worst = off <= worst ? worst : off;
        }
    }
    if (varied) par[f->variable] = kept;
    return isnan(worst) ? INFINITY : worst;
}

/* Whether another law with the same force has the condition of the plugin's law: then this one
   is not a candidate. */
static bool has_other_condition(const ic_law *law, const ic_law *mine)
{
    if (law->condition == mine->condition) return false;
    for (size_t i = 0; i < ic_law_count; i++) {
        if (ic_laws[i]->force == law->force && ic_laws[i]->condition == mine->condition) return true;
    }
    return false;
}

/* A law with several names counts once, under the name that the plugin uses. */
static void add_candidate(ic_classification *c, const char *name, double value, const char *mine)
{
    for (size_t i = 0; i < c->count; i++) {
        if (!(value < INFINITY) || c->candidates[i].misfit != value) continue;
        if (strcmp(name, mine) == 0)
            snprintf(c->candidates[i].name, sizeof c->candidates[i].name, "%.*s",
                     (int)sizeof c->candidates[i].name - 1, name);
        return;
    }
    ic_classification_add(c, name, value);
}

void ic_law_classify(ic_law_fitting *fitting, ic_finding_writer *writer, ic_law_probe *p)
{
    *fitting = (ic_law_fitting){.n = 0};
    ic_classification c = {.question = "damping law"};
    if (p->law->update != NULL) {
        snprintf(c.detail, sizeof c.detail, "none of these: the force depends on the history of the contact");
        ic_write_classification(writer, &c);
        return;
    }
    const ic_law_fit f = ic_law_fit_force(p);
    const bool varied = f.variable < p->law->n_parameters;
    for (size_t i = 0; i < ic_law_count; i++) {
        ic_known_law law;
        if (has_other_condition(ic_laws[i], p->law) || !ic_known_law_set(&law, ic_laws[i], &f, p)) continue;
        add_candidate(&c, ic_laws[i]->name, measure_misfit(p, &law, &f) / ic_tolerance_law_formula.value,
                      p->law->name);
    }
    ic_classification_decide(&c, 1, IC_APART);
    const bool none = c.count == 0 || c.candidates[0].misfit > 1;
    snprintf(
        c.detail, sizeof c.detail,
        "fitted: K = %.6g N/m^n, n = %.6g, drag at half depth %.4g of the elastic force per v/v0; %s", f.K, f.n,
        f.a,
        none        ? "none of these"
        : c.decided ? "misfit 1 is a deviation of 1e-6 of the greatest force"
        : varied
            ? "several fit"
            : "several fit: a parameter for restitution (unit 1, range within [0, 1]) would distinguish them");
    ic_write_classification(writer, &c);
    for (size_t i = 0; i < c.count && c.candidates[i].misfit <= 1; i++)
        fitting->of[fitting->n++] = ic_law_find(c.candidates[i].name);
    if (!none && c.decided) fitting->alone = fitting->of[0];
}
