/* SPDX-License-Identifier: MIT */
#include "audit/rows/trajectory_audit.h"
#include "audit/impact/impact_audit.h"
#include "audit/rows/classify_condition.h"
#include "audit/rows/classify_law.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const ic_audit_check transition = {
    .name = "condition",
    .what = "misfit of the transition condition that is asked for, where another one fits",
    .why = "contact and flight do not pass over into each other as the case says",
    .reference = "Jonsson, Bathelt & Broman 2005, section 2",
};

/* A candidate for a variant: "C = C*" stands for both. */
static bool is_variant(const char *candidate, const char *variant)
{
    return strcmp(candidate, variant) == 0 ||
           (strcmp(candidate, "C = C*") == 0 && (strcmp(variant, "C") == 0 || strcmp(variant, "C*") == 0));
}

static void withdraw_cause(ic_findings *findings, ic_mistake_id cause)
{
    for (size_t i = 0; i < findings->count; i++) {
        if (findings->rows[i].cause == cause) findings->rows[i].cause = IC_NO_MISTAKE;
    }
}

/* The rows follow another condition than the one that is asked for: that is why events and energy are not its own. */
static void compare_condition(ic_findings *findings, const ic_classification *c, const ic_tracking *k)
{
    double misfit = NAN;
    for (size_t i = 0; i < c->count; i++) {
        if (is_variant(c->candidates[i].name, k->problem->variant->name)) misfit = c->candidates[i].misfit;
    }
    ic_finding f = ic_finding_of(&transition, k, misfit, 3, "1");
    snprintf(f.origin, sizeof f.origin, "1 is what noise explains; medians of few rows stay below 3");
    if (!c->decided) {
        f.verdict = IC_FINDING_OPEN;
        snprintf(f.detail, sizeof f.detail, "%s", c->detail);
    } else if (!is_variant(c->candidates[0].name, k->problem->variant->name)) {
        snprintf(f.detail, sizeof f.detail, "the rows follow %s", c->candidates[0].name);
        withdraw_cause(findings, IC_MISTAKE_NO_EVENT_LOCATION);
        withdraw_cause(findings, IC_MISTAKE_ENERGY_APPEARS);
        f.verdict = IC_FINDING_FAIL;
        f.cause = IC_MISTAKE_ANOTHER_CONDITION;
    }
    ic_findings_add(findings, &f);
}

/* A body that sinks at rest has not fallen through. */
static void compare_rest(ic_findings *findings)
{
    for (size_t i = 0; i < findings->count; i++) {
        if (findings->rows[i].cause == IC_MISTAKE_DRIFTS_AT_REST)
            withdraw_cause(findings, IC_MISTAKE_FALLS_THROUGH);
    }
}

/* A wrong parameter is why energy and events are not the case's. */
static bool is_of_model(ic_mistake_id cause)
{
    return cause == IC_MISTAKE_PARAMETER_WRONG || cause == IC_MISTAKE_DAMPING_FACTOR_TWO ||
           cause == IC_MISTAKE_DAMPING_SIGN || cause == IC_MISTAKE_GRAVITY_SIGN;
}

/* A file that is misread says nothing else. */
static void leave_open_what_is_misread(ic_findings *findings)
{
    const ic_mistake_id cause = findings->rows[0].cause;
    if (is_of_model(cause)) {
        withdraw_cause(findings, IC_MISTAKE_ENERGY_APPEARS);
        withdraw_cause(findings, IC_MISTAKE_NO_EVENT_LOCATION);
        for (size_t i = 1; i < findings->count; i++) {
            if (findings->rows[i].cause != IC_MISTAKE_ROW_CORRUPTED) continue;
            findings->rows[i].verdict = IC_FINDING_OPEN;
            findings->rows[i].cause = IC_NO_MISTAKE;
        }
        return;
    }
    for (size_t i = 1; i < findings->count && cause != IC_NO_MISTAKE; i++) {
        ic_finding *f = &findings->rows[i];
        f->verdict = IC_FINDING_OPEN;
        f->cause = IC_NO_MISTAKE;
        snprintf(f->detail, sizeof f->detail, "the file is to be read right first: %s", ic_mistake_name(cause));
    }
}

bool ic_audit_impact_alone(ic_trajectory_audit *audit, const ic_impact_rows *rows, const ic_trajectory *shell,
                           const ic_problem *problem)
{
    *audit =
        (ic_trajectory_audit){.tracking = {.trajectory = shell, .problem = problem}, .n_classifications = 1};
    return ic_audit_impact(&audit->findings, &audit->classifications[0], rows, problem);
}

/* A case that is one impact: by its velocities as well. */
static bool audit_impact_of(ic_trajectory_audit *audit, const ic_trajectory *trajectory,
                            const ic_problem *problem)
{
    ic_impact_rows rows;
    if (problem->system->impact == NULL) return true;
    if (!ic_impact_rows_of(&rows, trajectory, problem)) return false;
    audit->n_classifications = 1;
    const bool good = ic_audit_impact(&audit->findings, &audit->classifications[0], &rows, problem);
    ic_impact_rows_close(&rows);
    return good;
}

bool ic_audit_trajectory(ic_trajectory_audit *audit, const ic_trajectory *trajectory, const ic_problem *problem)
{
    *audit = (ic_trajectory_audit){0};
    ic_classification *c = audit->classifications;
    if (!ic_track(&audit->tracking, trajectory, problem, NULL)) return false;
    ic_audit_local_defect(&audit->findings, &audit->tracking);
    ic_audit_rows(&audit->findings, &audit->tracking);
    ic_audit_stays(&audit->findings, &audit->tracking);
    ic_audit_penetration(&audit->findings, &audit->tracking);
    ic_audit_rest(&audit->findings, &audit->tracking);
    compare_rest(&audit->findings);
    ic_audit_energy(&audit->findings, &audit->tracking);
    ic_audit_impacts(&audit->findings, &audit->tracking);
    ic_audit_restitution(&audit->findings, &c[0], &audit->tracking);
    if (!ic_classify_condition(&c[0], &audit->tracking)) return false;
    audit->n_classifications = c[0].count > 0;
    if (c[0].count > 0 && strcmp(problem->system->name, "roller") == 0)
        compare_condition(&audit->findings, &c[0], &audit->tracking);
    if (problem->variant->free_impact != NULL) {
        if (!ic_classify_law(&audit->findings, &c[0], &audit->tracking)) return false;
        audit->n_classifications = c[0].count > 0;
    }
    if (!audit_impact_of(audit, trajectory, problem)) return false;
    if (audit->findings.count > 0) leave_open_what_is_misread(&audit->findings);
    return !audit->findings.no_memory;
}

void ic_trajectory_audit_close(ic_trajectory_audit *audit)
{
    ic_tracking_close(&audit->tracking);
    ic_findings_free(&audit->findings);
}
