/* SPDX-License-Identifier: MIT */
/* Checks of the law that the impacts of an engine follow, and of the mistake that explains them
   if none fits. */
#include "audit/common/tolerances.h"
#include "audit/engine/engine_audit.h"
#include "audit/engine/engine_fault_models.h"
#include "audit/impact/impact_laws.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TABLE_2_ANGLE 45.0 /* degrees */

static const ic_audit_check law = {
    .name = "law",
    .what =
        "root mean square of the difference between the impacts and the nearest law, relative to the speed before",
    .why = "the impacts do not follow any known theory",
    .reference =
        "laws of Newton, Poisson and Stronge on Routh's path; Moreau 1988; audit/impact/impact_laws.h"};
static const ic_audit_check spin = {
    .name = "spin",
    .what =
        "change of spin in an impact, less that of the impulse on the tip, over the greatest that the impulse "
        "can cause",
    .why = "bodies do not turn as they should",
    .reference = "I d omega = r_y P_x - r_x P_y"};

/* The first law that gives the bar of Table 2 this velocity of its tip; NULL if no law does. */
static const char *find_table_2_law(const double tip[2])
{
    const double before[] = {IC_ENGINE_TABLE_2_TANGENTIAL, -1};
    const ic_impact impact = ic_engine_bar_impact(TABLE_2_ANGLE, before, 1, 1);
    for (size_t i = 0; i < IC_IMPACT_LAWS; i++) {
        double v[2];
        if (ic_impact_law_velocity(v, &ic_impact_laws[i], &impact) &&
            hypot(tip[0] - v[0], tip[1] - v[1]) <= ic_tolerance_engine_law.value)
            return ic_impact_laws[i].name;
    }
    return NULL;
}

void ic_engine_run_probes(ic_engine_audit *a)
{
    for (size_t i = 0; i < IC_ENGINE_PROBES; i++) {
        ic_engine_impact impacts[IC_ENGINE_PROBE_PHASES];
        a->probes[i] = ic_engine_probe_of(i);
        for (int k = 0; k < IC_ENGINE_PROBE_PHASES; k++) {
            a->probes[i].scene.phase = (double)k / IC_ENGINE_PROBE_PHASES;
            impacts[k] = ic_engine_first_impact(a, &a->probes[i].scene);
        }
        a->probes[i].body = impacts[0].body.mass > 0 ? impacts[0].body : a->probes[i].body;
        ic_engine_probe_measure(&a->probes[i], impacts);
        const double error = a->probes[i].ended ? ic_engine_spin_error(&impacts[0]) : 0;
        if (error > a->spin) a->worst_spin = i;
        a->spin = fmax(a->spin, error);
    }
    if (a->row->broken) return;
    const double tip[] = {a->row->tip_x.median, a->row->tip_y.median};
    a->row->table_2 = find_table_2_law(tip);
    ic_engine_subject(a->row->law.subject, sizeof a->row->law.subject, a);
    ic_engine_classify(&a->row->law, a->probes);
}

void ic_engine_add_undecided_law(ic_engine_audit *a, const char *why)
{
    const ic_engine_judged j = {NAN, ic_tolerance_engine_law.value, "1", "", IC_NO_MISTAKE};
    ic_engine_add(a, &law, "probe impacts", &j, "%s", why);
}

/*
 * Another check judges restitution at every phase. Steps and damping also reduce the restitution of
 * a correct engine.
 */
static bool is_restitution(ic_mistake_id mistake)
{
    return mistake == IC_MISTAKE_RESTITUTION_WRONG || mistake == IC_MISTAKE_RESTITUTION_IGNORED ||
           mistake == IC_MISTAKE_RESTITUTION_SQUARED;
}

/* The coefficients that sliding and thrown balls show are used for all impacts. */
static void use_measured(ic_engine_audit *a, ic_engine_probe *probe)
{
    /* A sign is a mistake of the law's friction, not a coefficient. */
    if (a->friction.use != IC_COEFFICIENT_REVERSED)
        probe->mu = ic_coefficient_of(&a->friction, probe->scene.mu);
    if (a->restored.off > 1) probe->e = fmin(ic_coefficient_of(&a->restored, probe->e), 1);
}

static void use_measured_everywhere(ic_engine_audit *a)
{
    for (size_t i = 0; i < IC_ENGINE_PROBES; i++) use_measured(a, &a->probes[i]);
    for (size_t i = 0; i < IC_ENGINE_FRICTIONS; i++) use_measured(a, &a->sliding[i]);
    a->rough.scene.mu = 1;
    use_measured(a, &a->rough);
}

/*
 * Explains impacts that follow no law: by one mistake; by coefficients in effect that are not those of the scene; or
 * by such coefficients and one mistake.
 */
static ic_engine_explanation explain(ic_engine_audit *a, double misfit)
{
    const double tolerance = ic_tolerance_engine_law.value;
    const ic_mistake_id friction = ic_engine_friction_mistake(a), restored = ic_engine_restitution_mistake(a);
    ic_engine_explanation why = ic_engine_explain(a->probes, misfit, tolerance);
    /* The probes have few values of e; thrown balls know better what becomes of it. */
    const bool better = is_restitution(why.mistake) && restored != IC_NO_MISTAKE && restored != why.mistake;
    if (friction == IC_NO_MISTAKE && restored == IC_NO_MISTAKE) return why;
    if (why.mistake != IC_NO_MISTAKE && !better) return why;
    char mu[40], e[40], text[sizeof why.text];
    use_measured_everywhere(a);
    ic_coefficient_describe(mu, sizeof mu, &a->friction, "mu");
    ic_coefficient_describe(e, sizeof e, &a->restored, "e");
    ic_engine_explanation plain = ic_engine_nearest_law(a->probes);
    if (plain.misfit <= tolerance) {
        plain.mistake = friction != IC_NO_MISTAKE ? friction : restored;
        why = plain;
    } else why = ic_engine_explain(a->probes, plain.misfit, tolerance);
    snprintf(text, sizeof text, "%.70s, with %.30s for mu and %.30s for e", why.text, mu, e);
    memcpy(why.text, text, sizeof text);
    return why;
}

/* Returns true if the impacts are undecided, and adds a row that states this. */
static bool add_undecided(ic_engine_audit *a, double misfit, double scatter)
{
    const ic_engine_judged j = {NAN, ic_tolerance_engine_law.value, "1", ic_tolerance_engine_law.derivation,
                                IC_NO_MISTAKE};
    size_t ended = 0;
    for (size_t i = 0; i < IC_ENGINE_PROBES; i++) ended += a->probes[i].ended;
    if (ended < IC_ENGINE_PROBES / 2) {
        ic_engine_add(a, &law, "probe impacts", &j, "%zu of %d impacts ended", ended, IC_ENGINE_PROBES);
        return true;
    }
    if (scatter <= ic_tolerance_engine_law.value) return false;
    ic_engine_add(
        a, &law, "probe impacts", &j,
        "impacts vary by %.2g with their place in a step; the nearest law is %s, with a misfit of %.2g",
        scatter, a->row->law.candidates[0].name, misfit);
    return true;
}

void ic_engine_check_law(ic_engine_audit *a)
{
    const char *nearest = a->row->law.candidates[0].name;
    const double misfit = a->row->law.candidates[0].misfit * ic_tolerance_engine_law.value;
    const double scatter = ic_engine_scatter(a->probes);
    const bool fits = misfit <= ic_tolerance_engine_law.value;
    ic_engine_explanation why = {.mistake = IC_NO_MISTAKE};
    if (!fits && add_undecided(a, misfit, scatter)) return;
    if (misfit > fmax(ic_tolerance_engine_law_mistake.value, scatter)) why = explain(a, misfit);
    if (fits && (why.mistake == IC_NO_MISTAKE || is_restitution(why.mistake))) {
        const ic_engine_judged j = {misfit, ic_tolerance_engine_law.value, "1",
                                    ic_tolerance_engine_law.derivation, IC_NO_MISTAKE};
        ic_engine_add(a, &law, "probe impacts", &j, "%s, to within %.2g of the speed before", nearest, misfit);
        return;
    }
    a->cause = why.mistake;
    a->why = why;
    const ic_engine_judged j = {
        misfit, fits ? ic_tolerance_engine_law_mistake.value : ic_tolerance_engine_law.value, "1",
        fits ? ic_tolerance_engine_law_mistake.derivation : ic_tolerance_engine_law.derivation, a->cause};
    ic_engine_add(
        a, &law, "probe impacts", &j,
        "the nearest law is %s, off by %.2g in the root mean square of %d impacts; %s%s (off by %.2g)", nearest,
        misfit, IC_ENGINE_PROBES, a->cause != IC_NO_MISTAKE ? "they are those of " : "", why.text, why.misfit);
}

/* A mistake that explains the worst impact also explains its wrong spin. */
static ic_mistake_id spin_cause(const ic_engine_audit *a)
{
    const ic_engine_span *e = &a->row->restitution;
    const double tolerance = IC_ENGINE_RESTITUTION_TOLERANCE;
    const ic_engine_probe *worst = &a->probes[a->worst_spin];
    if (e->greatest - e->least > 2 * tolerance)
        return IC_MISTAKE_RESTITUTION_BY_PHASE; /* No impulse leads to these speeds. */
    if (a->cause != IC_NO_MISTAKE && ic_engine_explains(&a->why, worst, ic_tolerance_engine_law.value))
        return a->cause;
    return a->displaced != 0 && !worst->scene.bar ? IC_MISTAKE_CONTACT_DISPLACED : IC_MISTAKE_SPIN_WRONG;
}

/* The inertia that impulse and change of spin of the worst impact show, over the given one; NAN: it did not turn. */
static double inertia_in_effect(const ic_engine_audit *a)
{
    const ic_engine_probe *p = &a->probes[a->worst_spin];
    const double moment = p->body.mass * (p->r[1] * p->change[0] - p->r[0] * p->change[1]);
    return p->ended && p->change[2] != 0 ? moment / (p->body.inertia * p->change[2]) : NAN;
}

void ic_engine_check_spin(ic_engine_audit *a)
{
    const double inertia = inertia_in_effect(a);
    const ic_engine_judged j = {a->spin, ic_tolerance_engine_spin.value, "1",
                                ic_tolerance_engine_spin.derivation, spin_cause(a)};
    if (a->spin > ic_tolerance_engine_spin.value && isfinite(inertia))
        ic_engine_add(a, &spin, "probe impacts", &j,
                      "worst of %d impacts; its impulse and spin belong to %.4g times the given inertia",
                      IC_ENGINE_PROBES, inertia);
    else ic_engine_add(a, &spin, "probe impacts", &j, "worst of %d impacts", IC_ENGINE_PROBES);
}
