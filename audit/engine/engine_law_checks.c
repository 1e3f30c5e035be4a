/* SPDX-License-Identifier: MIT */
/* Checks of the law that the impacts of an engine follow, and of the mistake that explains them
   if none fits. */
#include "audit/common/tolerances.h"
#include "audit/engine/engine_audit.h"
#include "audit/engine/engine_fault_models.h"
#include "audit/impact/impact_laws.h"

#include <math.h>

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
        ic_engine_probe_measure(&a->probes[i], impacts);
        if (a->probes[i].ended) a->spin = fmax(a->spin, ic_engine_spin_error(&impacts[0]));
    }
    if (a->row->broken) return;
    const double tip[] = {a->row->tip_x.median, a->row->tip_y.median};
    a->row->table_2 = find_table_2_law(tip);
    ic_engine_subject(a->row->law.subject, sizeof a->row->law.subject, a);
    ic_engine_classify(&a->row->law, a->probes);
}

void ic_engine_add_undecided_law(ic_engine_audit *a)
{
    const ic_engine_judged j = {NAN, ic_tolerance_engine_law.value, "1", "", IC_NO_MISTAKE};
    ic_engine_add(a, &law, "probe impacts", &j,
                  "impacts are found where free flight ends, and free flight is wrong");
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
    if (misfit > fmax(ic_tolerance_engine_law_mistake.value, scatter))
        why = ic_engine_explain(a->probes, misfit, ic_tolerance_engine_law.value);
    if (fits && (why.mistake == IC_NO_MISTAKE || is_restitution(why.mistake))) {
        const ic_engine_judged j = {misfit, ic_tolerance_engine_law.value, "1",
                                    ic_tolerance_engine_law.derivation, IC_NO_MISTAKE};
        ic_engine_add(a, &law, "probe impacts", &j, "%s, to within %.2g of the speed before", nearest, misfit);
        return;
    }
    a->cause = why.mistake;
    const ic_engine_judged j = {
        misfit, fits ? ic_tolerance_engine_law_mistake.value : ic_tolerance_engine_law.value, "1",
        fits ? ic_tolerance_engine_law_mistake.derivation : ic_tolerance_engine_law.derivation, a->cause};
    ic_engine_add(
        a, &law, "probe impacts", &j,
        "the nearest law is %s, off by %.2g in the root mean square of %d impacts; %s%s (off by %.2g)", nearest,
        misfit, IC_ENGINE_PROBES, a->cause != IC_NO_MISTAKE ? "they are those of " : "", why.text, why.misfit);
}

/* A mistake that explains the impacts also explains a wrong spin. */
static ic_mistake_id spin_cause(const ic_engine_audit *a)
{
    const ic_engine_span *e = &a->row->restitution;
    const double tolerance = IC_ENGINE_RESTITUTION_TOLERANCE;
    if (e->greatest - e->least > 2 * tolerance)
        return IC_MISTAKE_RESTITUTION_BY_PHASE; /* No impulse leads to these speeds. */
    return a->cause != IC_NO_MISTAKE ? a->cause : IC_MISTAKE_SPIN_WRONG;
}

void ic_engine_check_spin(ic_engine_audit *a)
{
    const ic_engine_judged j = {a->spin, ic_tolerance_engine_spin.value, "1",
                                ic_tolerance_engine_spin.derivation, spin_cause(a)};
    ic_engine_add(a, &spin, "probe impacts", &j, "worst of %d impacts", IC_ENGINE_PROBES);
}
