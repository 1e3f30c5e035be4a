/* SPDX-License-Identifier: MIT */
/*
 * A law is judged as what it says that it is: a registered law, or one of its own, of which no formula is judged. One
 * that says nothing is what it is found to be, if it is that at all fixed and drawn places, and if the unit of its
 * stiffness, N/m^n, agrees with the power of its force.
 */
#include "audit/law/law.h"

#include "audit/common/plugin_load.h"
#include "audit/common/tolerances.h"
#include "registry/registry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Laws that fit at the first places are compared at all of them. */
enum { MOST_COMPARED = 4 };
/* Powers that differ by less are the same. */
#define SAME_POWER 1e-6

const ic_law *ic_law_claimed(const ic_law *law)
{
    const char *implements = IC_IMPLEMENTS(law);
    return ic_law_find(implements != NULL ? implements : law->name);
}

/* Whether a registered law has all the forces of this one. */
static bool is_everywhere(ic_law_probe *p, const ic_law *known)
{
    ic_law_pair *c = calloc(1, sizeof *c);
    const size_t not_finite = p->not_finite;
    if (c == NULL) return false;
    bool same = known->n_parameters <= IC_MOST_LAW_PARAMETERS && ic_law_pair_open(c, p, known) == NULL &&
                ic_law_pair_collect(c);
    for (int part = 0; same && part < IC_FORCE_PARTS; part++) same = ic_forces_right(&c->part[part]);
    ic_law_pair_close(c);
    free(c);
    p->not_finite = not_finite; /* places that no contact reaches */
    return same;
}

/* A registered law whose source the law gives as its own; NULL: none. */
static const ic_law *find_by_source(const ic_law *law)
{
    for (size_t i = 0; law->source != NULL && i < ic_law_count; i++) {
        if (strcmp(ic_laws[i]->source, law->source) == 0) return ic_laws[i];
    }
    return NULL;
}

/* The laws that the law is everywhere: the first, of its own source before others, and their number; NULL: none. */
static const ic_law *find_same(ic_law_probe *p, const ic_law_fitting *fitting, size_t *n)
{
    const ic_law *first = NULL, *cited = find_by_source(p->law);
    *n = 0;
    for (size_t i = 0; i < fitting->n && i < MOST_COMPARED; i++) {
        if (!is_everywhere(p, fitting->of[i])) continue;
        if ((*n)++ == 0 || fitting->of[i] == cited) first = fitting->of[i];
    }
    return first;
}

/* n if the force at rest is K d^n; NAN: it is not. */
static double find_power(ic_law_probe *p)
{
    const ic_law_fit fit = ic_law_fit_force(p);
    double power = fit.n;
    for (int i = 0; i < 4; i++) {
        const double d = p->d0 * pow(10, -i), force = ic_law_probe_force(p, d, 0);
        if (!(fabs(force - fit.K * pow(d, fit.n)) <= ic_tolerance_law_formula.value * fabs(force))) power = NAN;
    }
    return power;
}

/* The first parameter with a unit of stiffness, if none of them has the power of the force; n_parameters: none. */
static size_t find_other_power(const ic_law_probe *p, double power)
{
    const size_t none = p->law->n_parameters;
    size_t first = none;
    for (size_t i = 0; i < none; i++) {
        const double n = ic_law_unit_power(p, i);
        if (fabs(n - power) <= SAME_POWER) return none;
        if (first == none && !isnan(n) && !isnan(power)) first = i;
    }
    return first;
}

static void write_claimed(ic_finding_writer *writer, const ic_law *known, const ic_law_fitting *fitting,
                          const ic_law_claim_result *claim, bool right)
{
    const ic_judged_value same = {0, 0, "all forces", IC_NO_MISTAKE};
    if (claim->missing != NULL)
        ic_write_open(writer, IC_CHECK_LAW_IDENTITY, NAN,
                      "it says '%.40s', but has no parameter '%.40s' for it", known->name, claim->missing);
    else if (right) ic_write_measured(writer, IC_CHECK_LAW_IDENTITY, &same, "acts as %.40s", known->name);
    else if (fitting->alone != NULL && fitting->alone->force != known->force)
        ic_write_open(writer, IC_CHECK_LAW_IDENTITY, NAN, "acts as %.40s where it says %.40s",
                      fitting->alone->name, known->name);
    else if (claim->explained)
        ic_write_open(writer, IC_CHECK_LAW_IDENTITY, NAN, "acts as %.40s with a mistake", known->name);
    else ic_write_open(writer, IC_CHECK_LAW_IDENTITY, NAN, "identified as: none");
}

/* A law that is not judged by the registered one that it names. */
static void write_found(ic_finding_writer *writer, ic_law_probe *p, const ic_law_fitting *fitting)
{
    size_t n;
    char what[128] = "";
    const ic_law *law = p->law, *same = find_same(p, fitting, &n), *cited = find_by_source(law);
    const double power = find_power(p);
    const size_t other = find_other_power(p, power);
    const ic_judged_value agrees = {0, 0, "all forces", IC_NO_MISTAKE};
    if (same != NULL && n == 1) snprintf(what, sizeof what, "acts as %.40s", same->name);
    if (same != NULL && n > 1)
        snprintf(what, sizeof what, "acts as %.40s, or %zu more that its parameters do not tell apart",
                 same->name, n - 1);
    if (other < law->n_parameters)
        ic_write_open(writer, IC_CHECK_LAW_IDENTITY, NAN, "acts as d^%.3g where %.40s's unit says d^%.3g",
                      power, law->parameters[other].name, ic_law_unit_power(p, other));
    else if (ic_says_own(IC_IMPLEMENTS(law)))
        ic_write_measured(writer, IC_CHECK_LAW_IDENTITY, &agrees, "a law of its own%s%s: no formula was judged",
                          same != NULL ? " that " : "", what);
    else if (IC_IMPLEMENTS(law) != NULL)
        ic_write_open(writer, IC_CHECK_LAW_IDENTITY, NAN,
                      "implements says '%.40s', which is no law; impactcheck list laws has their names",
                      IC_IMPLEMENTS(law));
    else if (same == NULL)
        ic_write_open(writer, IC_CHECK_LAW_IDENTITY, NAN,
                      "identified as: none; a law of your own says .implements = \"" IC_IMPLEMENTS_OWN "\"");
    else if (cited != NULL && strcmp(cited->source, same->source) != 0)
        ic_write_open(writer, IC_CHECK_LAW_IDENTITY, NAN, "%s where its source is that of %.40s", what,
                      cited->name);
    else if (same->condition != law->condition)
        ic_write_open(writer, IC_CHECK_LAW_IDENTITY, NAN, "%s, but its contact ends by another condition",
                      what);
    else ic_write_measured(writer, IC_CHECK_LAW_IDENTITY, &agrees, "%s", what);
}

void ic_law_check_identity(ic_finding_writer *writer, ic_law_probe *p, const ic_law_fitting *fitting,
                           const ic_law_claim_result *claim, bool right)
{
    const ic_law *known = ic_law_claimed(p->law);
    if (known != NULL) write_claimed(writer, known, fitting, claim, right);
    else write_found(writer, p, fitting);
}
