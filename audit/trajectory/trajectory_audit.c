/* SPDX-License-Identifier: MIT */
#include "audit/trajectory/trajectory_audit.h"
#include "audit/common/tolerances.h"
#include "audit/trajectory/classify_condition.h"
#include "audit/trajectory/classify_law.h"
#include "audit/trajectory/impact_audit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const ic_audit_check transition = {
    .name = "condition",
    .what = "misfit of the transition condition that is asked for, where another one fits",
    .why = "contact and flight do not pass over into each other as the case says",
    .reference = "Jonsson, Bathelt & Broman 2005, section 2",
    .needed = true, /* C and D move so nearly alike that noise hides which one it is */
};

static void withdraw_cause(ic_findings *findings, ic_mistake_id cause)
{
    for (size_t i = 0; i < findings->count; i++) {
        if (findings->rows[i].cause == cause) findings->rows[i].cause = IC_NO_MISTAKE;
    }
}

/* The rows follow another condition than the one that is asked for: that is why events and energy
   are not its own. */
static void compare_condition(ic_findings *findings, const ic_classification *c, const ic_tracking *k)
{
    double misfit = NAN;
    if (!c->decided && !ic_case_has_events(k)) return; /* without lift-off all conditions are one */
    for (size_t i = 0; i < c->count; i++) {
        if (ic_condition_is_asked_for(c->candidates[i].name, k->problem)) misfit = c->candidates[i].misfit;
    }
    ic_finding f = ic_finding_of(&transition, k, misfit, ic_tolerance_condition_misfit.value, "1");
    snprintf(f.origin, sizeof f.origin, "%s", ic_tolerance_condition_misfit.derivation);
    if (!c->decided) {
        f.verdict = IC_FINDING_OPEN;
        snprintf(f.detail, sizeof f.detail, "%s", c->detail);
    } else if (!ic_condition_is_asked_for(c->candidates[0].name, k->problem)) {
        snprintf(f.detail, sizeof f.detail, "the rows follow %s", c->candidates[0].name);
        withdraw_cause(findings, IC_MISTAKE_NO_EVENT_LOCATION);
        withdraw_cause(findings, IC_MISTAKE_ENERGY_APPEARS);
        f.verdict = IC_FINDING_FAIL;
        f.cause = IC_MISTAKE_ANOTHER_CONDITION;
        /* in noise both may fit, and the other one so much better that it is decided */
        if (!ic_finding_agrees(&f)) {
            f.measured = misfit / c->candidates[0].misfit;
            f.tolerance = ic_tolerance_condition_apart.value;
            snprintf(
                f.origin, sizeof f.origin, "%s",
                ic_tolerance_amount(&ic_tolerance_condition_apart, ic_tolerance_condition_apart.value).text);
        }
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

/* Impacts that lose momentum have no coefficient of restitution. */
static void compare_momentum(ic_findings *findings)
{
    for (size_t i = 0; i < findings->count; i++) {
        if (findings->rows[i].cause == IC_MISTAKE_MOMENTUM_LOST)
            withdraw_cause(findings, IC_MISTAKE_RESTITUTION_WRONG);
    }
}

/* A wrong parameter is why energy and events are not the case's. */
static bool is_of_model(ic_mistake_id cause)
{
    return cause == IC_MISTAKE_PARAMETER_WRONG || cause == IC_MISTAKE_DAMPING_FACTOR_TWO ||
           cause == IC_MISTAKE_DAMPING_SIGN || cause == IC_MISTAKE_GRAVITY_SIGN;
}

static bool is_of_restitution(ic_mistake_id cause)
{
    return cause == IC_MISTAKE_RESTITUTION_WRONG || cause == IC_MISTAKE_RESTITUTION_IGNORED ||
           cause == IC_MISTAKE_RESTITUTION_THRESHOLD;
}

/* What is measured by the case's own parameters means nothing where the rows follow another one. */
static void compare_parameters(ic_findings *findings)
{
    ic_finding *own = &findings->rows[findings->count - 1];
    if (own->cause != IC_MISTAKE_PARAMETER_WRONG) return;
    if (is_of_model(findings->rows[0].cause)) own->cause = findings->rows[0].cause;
    withdraw_cause(findings, IC_MISTAKE_ENERGY_APPEARS);
    for (size_t i = 1; i < findings->count; i++) {
        ic_finding *f = &findings->rows[i];
        if (f->verdict != IC_FINDING_FAIL || !is_of_restitution(f->cause)) continue;
        f->verdict = IC_FINDING_OPEN;
        f->cause = IC_NO_MISTAKE;
        snprintf(f->detail, sizeof f->detail,
                 "it is measured with the case's own parameters, and one is another");
    }
}

/* Checks that see positions alone, whatever the steps are. */
static bool sees_positions(const ic_finding *f)
{
    return strcmp(f->check->name, "penetration") == 0 || strcmp(f->check->name, "rest") == 0;
}

/* In tolerances, which have the drift of the energy in them: right ones, of 20 to 200 steps for
   each fall, have 1.2 at most. */
#define RESTITUTION_OFF 1.5
/* Of the momentum's range: right ones, of 30 steps for each typical time, have 0.018. */
#define MOMENTUM_OFF 0.05

/* What coarse steps do not make. */
static bool is_too_far_off(const ic_finding *f)
{
    if (strcmp(f->check->name, "restitution") == 0) return f->measured > RESTITUTION_OFF * f->tolerance;
    return strcmp(f->check->name, "momentum") == 0 && f->measured > MOMENTUM_OFF;
}

/* With steps so coarse that the flow is not the case's, what is held against the flow tells nothing
   more; the error is theirs. */
static void leave_open_what_is_coarse(ic_findings *findings)
{
    for (size_t i = 1; i < findings->count; i++) {
        ic_finding *f = &findings->rows[i];
        if (f->verdict != IC_FINDING_FAIL || sees_positions(f)) continue;
        if (strcmp(f->check->name, "state-error") == 0 || strcmp(f->check->name, "energy") == 0) {
            f->cause = IC_MISTAKE_COARSE_STEPS;
            continue;
        }
        if (is_too_far_off(f)) {
            if (strcmp(f->check->name, "momentum") == 0) f->cause = IC_MISTAKE_MOMENTUM_LOST;
            continue;
        }
        f->verdict = IC_FINDING_OPEN;
        f->cause = IC_NO_MISTAKE;
        snprintf(f->detail, sizeof f->detail, "the steps are too coarse to tell; finer ones would");
    }
}

/* What may come of steps alone, where each of them may pass. */
static bool may_be_of_steps(const ic_finding *f)
{
    const char *name = f->check->name;
    if (f->verdict != IC_FINDING_FAIL) return false;
    return strcmp(name, "energy") == 0 || strcmp(name, "rows") == 0 || strcmp(name, "state-error") == 0;
}

/* Whether something else is known to be wrong: then the state's error is not of steps alone. */
static bool has_other_cause(const ic_findings *findings)
{
    for (size_t i = 1; i < findings->count; i++) {
        const ic_finding *f = &findings->rows[i];
        if (f->verdict == IC_FINDING_FAIL && !may_be_of_steps(f)) return true;
    }
    return false;
}

/* Defects that are forgiven from row to row, and add up. */
static void blame_steps(ic_findings *findings, const ic_tracking *k)
{
    char detail[256] = "";
    bool sought = false, found = false;
    if (findings->rows[0].verdict == IC_FINDING_FAIL) return;
    for (size_t i = 1; i < findings->count; i++) {
        ic_finding *f = &findings->rows[i];
        if (!may_be_of_steps(f)) continue;
        if (strcmp(f->check->name, "state-error") == 0 && has_other_cause(findings)) continue;
        if (!sought) found = ic_find_coarse_steps(k, detail, sizeof detail);
        sought = true;
        if (!found) return;
        const size_t used = strlen(f->detail);
        f->cause = IC_MISTAKE_COARSE_STEPS;
        snprintf(f->detail + used, sizeof f->detail - used, ". %s", detail);
    }
}

/* A file that is misread says nothing else. */
static void leave_open_what_is_misread(ic_findings *findings)
{
    const ic_mistake_id cause = findings->rows[0].cause;
    if (cause == IC_MISTAKE_COARSE_STEPS) {
        leave_open_what_is_coarse(findings);
        return;
    }
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
                           const ic_problem *problem, const ic_trajectory_options *options)
{
    *audit = (ic_trajectory_audit){
        .tracking = {.trajectory = shell, .problem = problem, .accept = ic_accept(options)},
        .n_classifications = 1};
    return ic_audit_impact(&audit->findings, &audit->classifications[0], rows, problem, audit->tracking.accept);
}

/* A case that is one impact: by its velocities as well. */
static bool audit_impact_of(ic_trajectory_audit *audit, const ic_trajectory *trajectory,
                            const ic_problem *problem)
{
    ic_impact_rows rows;
    if (problem->system->impact == NULL) return true;
    if (!ic_impact_rows_of(&rows, trajectory, problem)) return false;
    audit->n_classifications = 1;
    const bool good =
        ic_audit_impact(&audit->findings, &audit->classifications[0], &rows, problem, audit->tracking.accept);
    ic_impact_rows_close(&rows);
    return good;
}

/* What so few rows seem to have against them may be their noise, which they do not tell. */
static void leave_open_what_is_too_short(ic_findings *findings, const ic_tracking *k)
{
    if (k->n_intervals >= IC_LEAST_INTERVALS) return;
    for (size_t i = 0; i < findings->count; i++) {
        ic_finding *f = &findings->rows[i];
        const size_t used = strlen(f->detail);
        if (f->verdict != IC_FINDING_FAIL) continue;
        f->verdict = IC_FINDING_OPEN;
        f->cause = IC_NO_MISTAKE;
        snprintf(f->detail + used, sizeof f->detail - used,
                 "%s%zu intervals do not tell their noise: %d at least would", used > 0 ? "; " : "",
                 k->n_intervals, IC_LEAST_INTERVALS);
    }
}

/* Tolerances: so much may come of times that are rounded. */
#define HIDDEN 2.0

/* What a contact remembers is followed along the rows: where their times are rounded, nobody knows
   how well. */
static void leave_open_what_times_hide(ic_findings *findings, const ic_tracking *k)
{
    if (!ic_remembers_contact(k) || !ic_times_are_rounded(k)) return;
    for (size_t i = 0; i < findings->count; i++) {
        ic_finding *f = &findings->rows[i];
        if (f->verdict != IC_FINDING_FAIL) continue;
        f->verdict = IC_FINDING_OPEN;
        f->cause = IC_NO_MISTAKE;
        snprintf(f->detail, sizeof f->detail,
                 "times are rounded, and what the contact remembers with them; all digits would tell");
    }
}

/* Per cent of the intervals: that many are not wrong by noise. */
#define MOST_WRONG 20.0

/* Some intervals of many noisy states may be as they are by noise; the needed checks are then open
   as well. */
static void leave_open_what_is_rough(ic_findings *findings, const ic_tracking *k)
{
    static const char *const names[] = {"local-defect", "rows", "events", "parameters"};
    if (!ic_noise_is_rough(k) || findings->count == 0 || findings->rows[0].measured > MOST_WRONG) return;
    for (size_t i = 0; i < findings->count; i++) {
        ic_finding *f = &findings->rows[i];
        bool named = false;
        for (size_t n = 0; n < IC_COUNT(names); n++) named |= strcmp(f->check->name, names[n]) == 0;
        if (!named || f->verdict != IC_FINDING_FAIL) continue;
        f->verdict = IC_FINDING_OPEN;
        f->cause = IC_NO_MISTAKE;
        snprintf(f->detail, sizeof f->detail,
                 "with noise in %zu states nobody knows what it makes of events; less of it would tell",
                 k->trajectory->n_states);
    }
}

bool ic_audit_trajectory(ic_trajectory_audit *audit, const ic_trajectory *trajectory, const ic_problem *problem,
                         const ic_trajectory_options *options)
{
    *audit = (ic_trajectory_audit){0};
    ic_classification *c = audit->classifications;
    if (!ic_track(&audit->tracking, trajectory, problem, NULL, options)) return false;
    ic_audit_local_defect(&audit->findings, &audit->tracking);
    ic_audit_invariants(&audit->findings, &audit->tracking);
    ic_audit_rows(&audit->findings, &audit->tracking);
    ic_audit_stays(&audit->findings, &audit->tracking);
    ic_audit_penetration(&audit->findings, &audit->tracking);
    ic_audit_rest(&audit->findings, &audit->tracking);
    compare_rest(&audit->findings);
    ic_audit_energy(&audit->findings, &audit->tracking);
    ic_audit_impacts(&audit->findings, &audit->tracking);
    ic_audit_restitution(&audit->findings, &c[0], &audit->tracking);
    ic_audit_momentum(&audit->findings, &audit->tracking);
    compare_momentum(&audit->findings);
    ic_audit_force(&audit->findings, &audit->tracking);
    ic_audit_state_error(&audit->findings, &audit->tracking);
    const bool bounces = c[0].count > 0;
    if (!ic_classify_condition(&c[0], &audit->tracking)) return false;
    audit->n_classifications = c[0].count > 0;
    if (c[0].count > 0 && !bounces) compare_condition(&audit->findings, &c[0], &audit->tracking);
    if (problem->variant->free_impact != NULL) {
        if (!ic_classify_law(&audit->findings, &c[0], &audit->tracking)) return false;
        audit->n_classifications = c[0].count > 0;
    }
    if (!audit_impact_of(audit, trajectory, problem)) return false;
    ic_audit_parameters(&audit->findings, &audit->parameters, &audit->tracking);
    if (!audit->findings.no_memory) compare_parameters(&audit->findings);
    if (audit->findings.count > 0) {
        blame_steps(&audit->findings, &audit->tracking);
        leave_open_what_is_misread(&audit->findings);
    }
    leave_open_what_is_too_short(&audit->findings, &audit->tracking);
    leave_open_what_times_hide(&audit->findings, &audit->tracking);
    leave_open_what_is_rough(&audit->findings, &audit->tracking);
    return !audit->findings.no_memory;
}

void ic_trajectory_audit_close(ic_trajectory_audit *audit)
{
    ic_tracking_close(&audit->tracking);
    ic_findings_free(&audit->findings);
    ic_parameter_fits_close(&audit->parameters);
}
