/* SPDX-License-Identifier: MIT */
#include "audit/trajectory/trajectory_audit.h"
#include "audit/common/tolerances.h"
#include "audit/trajectory/classify_condition.h"
#include "audit/trajectory/classify_element.h"
#include "audit/trajectory/classify_law.h"
#include "audit/trajectory/impact_audit.h"
#include "audit/trajectory/readings.h"
#include "audit/trajectory/time_stepping.h"
#include "core/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const ic_audit_check transition = {
    .name = "condition",
    .what = "misfit of the requested transition condition if another one fits",
    .why = "the transitions between contact and flight are not those of the case",
    .reference = "Jonsson, Bathelt & Broman 2005, section 2",
    .needed = true, /* C and D lead to such similar motions that noise hides the difference. */
};

/* Misfit below which a condition explains the rows, however much better another one does. */
#define BOTH_FIT 1.0

static const char *problem_name(const ic_tracking *k)
{
    return k->problem->variant->name;
}

static void withdraw_cause(ic_findings *findings, ic_mistake_id cause)
{
    for (size_t i = 0; i < findings->count; i++) {
        if (findings->rows[i].cause == cause) findings->rows[i].cause = IC_NO_MISTAKE;
    }
}

/* The rows follow another condition than requested: this explains wrong events and energy. */
static void compare_condition(ic_findings *findings, const ic_classification *c, const ic_tracking *k)
{
    double misfit = NAN;
    if (!c->decided && !ic_case_has_events(k)) return; /* without lift-off all conditions agree */
    for (size_t i = 0; i < c->count; i++) {
        if (ic_condition_is_asked_for(c->candidates[i].name, k->problem)) misfit = c->candidates[i].misfit;
    }
    ic_finding f = ic_finding_of(&transition, k, misfit, ic_tolerance_condition_misfit.value, "1");
    ic_finding_set_origin(&f, "%s", ic_tolerance_condition_misfit.derivation);
    if (!c->decided) {
        ic_finding_leave_open(&f, "%s", c->detail);
    } else if (!ic_condition_is_asked_for(c->candidates[0].name, k->problem)) {
        ic_finding_describe(&f, "the rows follow %s", c->candidates[0].name);
        f.verdict = IC_FINDING_FAIL;
        f.cause = IC_MISTAKE_ANOTHER_CONDITION;
        /* With noise both may fit, although the other one fits much better. */
        if (misfit < BOTH_FIT) {
            ic_finding_leave_open(&f, "%s and %s both explain the rows within their accuracy", problem_name(k),
                                  c->candidates[0].name);
        } else if (!ic_finding_agrees(&f)) {
            f.measured = misfit / c->candidates[0].misfit;
            f.tolerance = ic_tolerance_condition_apart.value;
            ic_finding_set_origin(
                &f, "%s",
                ic_tolerance_amount(&ic_tolerance_condition_apart, ic_tolerance_condition_apart.value).text);
        }
    }
    ic_findings_add(findings, &f);
}

bool ic_is_reading(ic_mistake_id mistake)
{
    switch (mistake) {
    case IC_MISTAKE_UNITS_MIXED:
    case IC_MISTAKE_SIGN_REVERSED:
    case IC_MISTAKE_COLUMNS_EXCHANGED:
    case IC_MISTAKE_ORIGIN_SHIFTED:
    case IC_MISTAKE_TIME_SHIFTED:
    case IC_MISTAKE_CLOCK_WRONG:
    case IC_MISTAKE_STALE_STATE:
    case IC_MISTAKE_STALE_TIME:
    case IC_MISTAKE_VELOCITY_STAGGERED: return true;
    default: return false;
    }
}

bool ic_misread(const ic_findings *findings)
{
    for (size_t i = 0; i < findings->count; i++) {
        if (findings->rows[i].verdict == IC_FINDING_FAIL && ic_is_reading(findings->rows[i].cause)) return true;
    }
    return false;
}

/* Whether a cause is a wrong model, which explains wrong energy and events. */
static bool is_of_model(ic_mistake_id cause)
{
    return cause == IC_MISTAKE_PARAMETER_WRONG || cause == IC_MISTAKE_DRAG_ADDED ||
           cause == IC_MISTAKE_DAMPING_FACTOR_TWO || cause == IC_MISTAKE_DAMPING_SIGN ||
           cause == IC_MISTAKE_GRAVITY_SIGN;
}

static bool is_of_restitution(ic_mistake_id cause)
{
    return cause == IC_MISTAKE_RESTITUTION_WRONG || cause == IC_MISTAKE_RESTITUTION_IGNORED ||
           cause == IC_MISTAKE_RESTITUTION_SQUARED || cause == IC_MISTAKE_RESTITUTION_THRESHOLD;
}

/* A cause, and symptoms that it explains: these are then no causes of their own. */
typedef struct explanation {
    /* NULL: any check */
    const char *check;

    /* IC_NO_MISTAKE: any mistake that the check names */
    ic_mistake_id cause;

    ic_mistake_id symptoms[8];
} explanation;

static const explanation explanations[] = {
    {"law",
     IC_NO_MISTAKE,
     {IC_MISTAKE_ENERGY_APPEARS, IC_MISTAKE_ROW_CORRUPTED, IC_MISTAKE_RESTITUTION_WRONG,
      IC_MISTAKE_FALLS_THROUGH, IC_MISTAKE_NO_EVENT_LOCATION, IC_MISTAKE_RESTITUTION_IGNORED,
      IC_MISTAKE_PARAMETER_WRONG}},
    {NULL,
     IC_MISTAKE_ANOTHER_HYPOTHESIS,
     {IC_MISTAKE_ENERGY_APPEARS, IC_MISTAKE_RESTITUTION_WRONG, IC_MISTAKE_RESTITUTION_IGNORED,
      IC_MISTAKE_ROW_CORRUPTED, IC_MISTAKE_PARAMETER_WRONG}},
    {NULL,
     IC_MISTAKE_FRICTIONLESS,
     {IC_MISTAKE_ENERGY_APPEARS, IC_MISTAKE_RESTITUTION_WRONG, IC_MISTAKE_ROW_CORRUPTED,
      IC_MISTAKE_PARAMETER_WRONG}},
    {NULL,
     IC_MISTAKE_FRICTION_REVERSES_SLIP,
     {IC_MISTAKE_ENERGY_APPEARS, IC_MISTAKE_RESTITUTION_WRONG, IC_MISTAKE_ROW_CORRUPTED,
      IC_MISTAKE_PARAMETER_WRONG}},
    {NULL,
     IC_MISTAKE_MOMENTUM_LOST,
     {IC_MISTAKE_FALLS_THROUGH, IC_MISTAKE_RESTITUTION_WRONG, IC_MISTAKE_RESTITUTION_IGNORED,
      IC_MISTAKE_ENERGY_APPEARS, IC_MISTAKE_ROW_CORRUPTED}},
    {NULL,
     IC_MISTAKE_ANOTHER_CONDITION,
     {IC_MISTAKE_ENERGY_APPEARS, IC_MISTAKE_NO_EVENT_LOCATION, IC_MISTAKE_ROW_CORRUPTED}},
    {NULL, IC_MISTAKE_ADHESION_KEPT, {IC_MISTAKE_ENERGY_APPEARS, IC_MISTAKE_ROW_CORRUPTED}},
    {NULL, IC_MISTAKE_RESTITUTION_WRONG, {IC_MISTAKE_FALLS_THROUGH, IC_MISTAKE_ROW_CORRUPTED}},
    {NULL,
     IC_MISTAKE_DRAG_ADDED,
     {IC_MISTAKE_RESTITUTION_WRONG, IC_MISTAKE_MOMENTUM_LOST, IC_MISTAKE_PARAMETER_WRONG,
      IC_MISTAKE_ROW_CORRUPTED}},
    {NULL, IC_MISTAKE_NO_EVENT_LOCATION, {IC_MISTAKE_IMPACTS_UNEQUAL, IC_MISTAKE_IMPACT_INVENTED}},
    {NULL,
     IC_MISTAKE_STALE_STATE,
     {IC_MISTAKE_NO_EVENT_LOCATION, IC_MISTAKE_COARSE_STEPS, IC_MISTAKE_MOMENTUM_LOST,
      IC_MISTAKE_IMPACT_INVENTED, IC_MISTAKE_RESTITUTION_WRONG, IC_MISTAKE_PARAMETER_WRONG}},
    {NULL, IC_MISTAKE_RESTS_BELOW_SURFACE, {IC_MISTAKE_NO_EVENT_LOCATION, IC_MISTAKE_FALLS_THROUGH}},
    {NULL, IC_MISTAKE_RESTITUTION_WRONG, {IC_MISTAKE_DRIFTS_AT_REST}},
    {NULL, IC_MISTAKE_DRIFTS_AT_REST, {IC_MISTAKE_FALLS_THROUGH}},
    {NULL,
     IC_MISTAKE_PARAMETER_WRONG,
     {IC_MISTAKE_ENERGY_APPEARS, IC_MISTAKE_ROW_CORRUPTED, IC_MISTAKE_FALLS_THROUGH}},
};

/* A coefficient that is a power of the given one is a wrong coefficient. */
static bool is_same(ic_mistake_id cause, ic_mistake_id listed)
{
    return cause == listed ||
           (cause == IC_MISTAKE_RESTITUTION_SQUARED && listed == IC_MISTAKE_RESTITUTION_WRONG);
}

static bool is_found(const ic_findings *findings, const explanation *e)
{
    for (size_t i = 0; i < findings->count; i++) {
        const ic_finding *f = &findings->rows[i];
        if (f->verdict != IC_FINDING_FAIL || f->cause == IC_NO_MISTAKE) continue;
        if (e->check != NULL ? strcmp(f->check->name, e->check) == 0 : is_same(f->cause, e->cause)) return true;
    }
    return false;
}

/* The check that explains others keeps its cause. */
static void withdraw_symptom(ic_findings *findings, const explanation *e, ic_mistake_id symptom)
{
    for (size_t i = 0; i < findings->count; i++) {
        ic_finding *f = &findings->rows[i];
        const bool own = e->check != NULL && strcmp(f->check->name, e->check) == 0;
        if (is_same(f->cause, symptom) && !own) f->cause = IC_NO_MISTAKE;
    }
}

static void put_causes_before_symptoms(ic_findings *findings)
{
    for (size_t i = 0; i < IC_COUNT(explanations); i++) {
        if (!is_found(findings, &explanations[i])) continue;
        for (size_t s = 0; s < IC_COUNT(explanations[i].symptoms); s++) {
            if (explanations[i].symptoms[s] != IC_NO_MISTAKE)
                withdraw_symptom(findings, &explanations[i], explanations[i].symptoms[s]);
        }
    }
}

/*
 * Opens findings that are measured with the parameters of the case if the rows follow another one.
 */
static void compare_parameters(ic_findings *findings)
{
    ic_finding *own = &findings->rows[findings->count - 1];
    if (own->cause != IC_MISTAKE_PARAMETER_WRONG) return;
    if (is_of_model(findings->rows[0].cause)) own->cause = findings->rows[0].cause;
    for (size_t i = 1; i < findings->count; i++) {
        ic_finding *f = &findings->rows[i];
        if (f->verdict != IC_FINDING_FAIL || !is_of_restitution(f->cause)) continue;
        ic_finding_leave_open(f, "measured with the case's parameters, one of which differs");
    }
}

/* An impact that changes the momentum has no coefficient of restitution. */
static void leave_open_what_has_no_coefficient(ic_findings *findings)
{
    ic_finding *own = &findings->rows[findings->count - 1];
    bool lost = false;
    for (size_t i = 0; i < findings->count; i++)
        lost |=
            findings->rows[i].verdict == IC_FINDING_FAIL && findings->rows[i].cause == IC_MISTAKE_MOMENTUM_LOST;
    if (!lost || own->verdict != IC_FINDING_FAIL || !is_of_restitution(own->cause)) return;
    ic_finding_describe(own, "%s", "");
    own->measured = NAN;
    ic_finding_leave_open(own, "impacts that change the momentum have no coefficient of restitution");
}

/* Says beside parameters that agree with the case that they do not explain a failure. */
static void say_that_none_explains(ic_findings *findings)
{
    ic_finding *own = &findings->rows[findings->count - 1];
    if (own->verdict == IC_FINDING_PASS && ic_findings_with(findings, IC_FINDING_FAIL) > 0)
        ic_finding_append(own, "; no parameter explains the failure");
}

/* Whether the first finding of a check passes. */
static bool passes(const ic_findings *findings, const char *check)
{
    size_t i = 0;
    while (i < findings->count && strcmp(findings->rows[i].check->name, check) != 0) i++;
    return i < findings->count && findings->rows[i].verdict == IC_FINDING_PASS;
}

/* Withdraws a cause that other checks exclude: events that are right and on time are located well. */
static void withdraw_excluded(ic_findings *findings)
{
    if (passes(findings, "events") && passes(findings, "event-times"))
        withdraw_cause(findings, IC_MISTAKE_NO_EVENT_LOCATION);
}

/* Checks of positions alone, which do not depend on the steps. */
static bool sees_positions(const ic_finding *f)
{
    return strcmp(f->check->name, "penetration") == 0 || strcmp(f->check->name, "rest") == 0;
}

/*
 * In tolerances of the energy drift: correct programs with 20 to 200 steps per fall reach at most
 * 1.2.
 */
#define RESTITUTION_OFF 1.5
/* Relative to the momentum's range: correct programs with 30 steps per typical time reach 0.018. */
#define MOMENTUM_OFF 0.05

/* Whether a finding is too large for coarse steps. */
static bool is_too_far_off(const ic_finding *f)
{
    if (strcmp(f->check->name, "restitution") == 0) return f->measured > RESTITUTION_OFF * f->tolerance;
    return strcmp(f->check->name, "momentum") == 0 && f->measured > MOMENTUM_OFF;
}

/*
 * If the steps are so coarse that the flow differs from that of the case, comparisons with the flow
 * decide nothing, and the steps are the cause.
 */
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
        ic_finding_leave_open(f, "the steps are too coarse to decide; finer ones would");
    }
}

/* Whether a failure may be caused by steps alone, each of which may pass. */
static bool may_be_of_steps(const ic_finding *f)
{
    const char *name = f->check->name;
    if (f->verdict != IC_FINDING_FAIL) return false;
    return strcmp(name, "energy") == 0 || strcmp(name, "rows") == 0 || strcmp(name, "state-error") == 0;
}

/* Whether another check has failed, so that steps alone do not explain the state error. */
static bool has_other_cause(const ic_findings *findings)
{
    for (size_t i = 1; i < findings->count; i++) {
        const ic_finding *f = &findings->rows[i];
        if (f->verdict == IC_FINDING_FAIL && !may_be_of_steps(f)) return true;
    }
    return false;
}

/* Name coarse steps as the cause of small defects that accumulate. */
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
        f->cause = IC_MISTAKE_COARSE_STEPS;
        ic_finding_append(f, ". %s", detail);
    }
}

/* If the file is misread, the other checks decide nothing. */
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
    for (size_t i = 1; i < findings->count && ic_is_reading(cause); i++) {
        ic_finding *f = &findings->rows[i];
        ic_finding_leave_open(f, "the file must first be read correctly: %s", ic_mistake_name(cause));
    }
}

bool ic_audit_impact_alone(ic_trajectory_audit *audit, const ic_impact_rows *rows, const ic_trajectory *shell,
                           const ic_problem *problem, const ic_trajectory_options *options)
{
    *audit = (ic_trajectory_audit){
        .tracking = {.trajectory = shell, .problem = problem, .accept = ic_accept(options)},
        .n_classifications = 1};
    if (!ic_audit_impact(&audit->findings, &audit->classifications[0], rows, problem, audit->tracking.accept))
        return false;
    put_causes_before_symptoms(&audit->findings);
    return true;
}

/* Audit a case that is one impact also by its velocities. */
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

/*
 * Opens failures of very few rows, which may be caused by noise that so few rows do not determine.
 */
static void leave_open_what_is_too_short(ic_findings *findings, const ic_tracking *k)
{
    if (k->n_intervals >= IC_LEAST_INTERVALS) return;
    for (size_t i = 0; i < findings->count; i++) {
        ic_finding *f = &findings->rows[i];
        if (f->verdict != IC_FINDING_FAIL) continue;
        f->verdict = IC_FINDING_OPEN;
        f->cause = IC_NO_MISTAKE;
        ic_finding_append(f, "%s%zu intervals do not determine their noise: at least %d are needed",
                          f->detail[0] != '\0' ? "; " : "", k->n_intervals, IC_LEAST_INTERVALS);
    }
}

/* Whether rounded times may change the states by a tolerance, by way of the memory of the contact. */
static bool times_hide_memory(const ic_tracking *k)
{
    return ic_remembers_contact(k) && ic_times_are_rounded(k) &&
           ic_tolerance_memory_gain.value * k->slack > k->accept;
}

static void leave_open_what_times_hide(ic_findings *findings, const ic_tracking *k)
{
    if (!times_hide_memory(k)) return;
    for (size_t i = 0; i < findings->count; i++) {
        ic_finding *f = &findings->rows[i];
        if (f->verdict != IC_FINDING_FAIL) continue;
        ic_finding_leave_open(
            f, "times are rounded, and the memory of the contact with them: print t with 15 digits or more");
    }
}

/* Per cent of wrong intervals that noise does not explain. */
#define MOST_WRONG 20.0

/*
 * With many noisy states, noise may make some intervals wrong. The needed checks are then open too.
 */
static void leave_open_what_is_rough(ic_findings *findings, const ic_tracking *k)
{
    static const char *const names[] = {"local-defect", "rows", "events", "parameters"};
    if (!ic_noise_is_rough(k) || findings->count == 0 || findings->rows[0].measured > MOST_WRONG) return;
    for (size_t i = 0; i < findings->count; i++) {
        ic_finding *f = &findings->rows[i];
        bool named = false;
        for (size_t n = 0; n < IC_COUNT(names); n++) named |= strcmp(f->check->name, names[n]) == 0;
        if (!named || f->verdict != IC_FINDING_FAIL) continue;
        ic_finding_leave_open(
            f, "the effect of noise in %zu states on events is not predictable; less noise would decide",
            k->trajectory->n_states);
    }
}

/* Whether a check compares impacts, which a time-stepping scheme shifts to the ends of its steps. */
static bool sees_impacts(const ic_finding *f)
{
    static const char *const names[] = {"event-times", "events",   "penetration", "restitution", "state-error",
                                        "parameters",  "momentum", "energy",      "invariants"};
    for (size_t i = 0; i < IC_COUNT(names); i++) {
        if (strcmp(f->check->name, names[i]) == 0) return true;
    }
    return false;
}

/* Names the time-stepping scheme whose impacts fail. */
static void blame_time_stepping(ic_findings *findings, const ic_tracking *k)
{
    char detail[256] = "";
    ic_mistake_id scheme = IC_NO_MISTAKE;
    bool sought = false;
    for (size_t i = 0; i < findings->count; i++) {
        ic_finding *f = &findings->rows[i];
        if (f->verdict != IC_FINDING_FAIL || !sees_impacts(f)) continue;
        if (!sought) scheme = ic_find_time_stepping(k, detail, sizeof detail);
        if (scheme == IC_NO_MISTAKE) return;
        if (!sought) ic_finding_append(f, "%s%s", f->detail[0] != '\0' ? ". " : "", detail);
        sought = true;
        f->cause = scheme;
    }
}

/* The only finding of rows that are typical times apart because their times are in another unit. */
static const ic_audit_check times_in_unit = {
    .name = "local-defect",
    .what = "intervals between rows that no mode of the case explains, away from events",
    .why = "times in another unit than declared",
    .reference = "rows in the other unit follow the case",
    .needed = true,
};

enum { FEW_ROWS = 4 };

static bool audit_times_in_unit(ic_trajectory_audit *audit, const ic_trajectory *trajectory,
                                const ic_problem *problem, double factor)
{
    audit->few = *trajectory;
    audit->few.n = trajectory->n < FEW_ROWS ? trajectory->n : FEW_ROWS;
    if (!ic_track(&audit->tracking, &audit->few, problem, NULL, NULL)) return false;
    ic_finding f = ic_finding_of(&times_in_unit, &audit->tracking, NAN, NAN, "%");
    f.verdict = IC_FINDING_FAIL;
    f.cause = IC_MISTAKE_UNITS_MIXED;
    ic_finding_describe(
        &f,
        "t multiplied by %.6g explains the rows; as they are, they lie %.3g s apart, and %.3g s is "
        "the typical time; only the first %zu were followed",
        factor, audit->tracking.spacing, ic_time_scale(problem), audit->few.n);
    ic_findings_add(&audit->findings, &f);
    return !audit->findings.no_memory;
}

/*
 * Rows that follow a parameter in the mean may be those of the case, written otherwise. That is sought if the local
 * defects are too small to show it.
 */
static void read_otherwise(ic_finding *parameters, const ic_findings *findings, const ic_tracking *k,
                           ic_correction *correction)
{
    char detail[256] = "";
    double left = 1;
    if (parameters->verdict != IC_FINDING_FAIL || findings->count == 0 ||
        findings->rows[0].verdict == IC_FINDING_FAIL)
        return;
    const ic_mistake_id reading = ic_find_reading(k, detail, sizeof detail, &left, correction);
    if (reading == IC_NO_MISTAKE) return;
    parameters->cause = reading;
    ic_finding_append(parameters, ". %s", detail);
}

bool ic_audit_trajectory_once(ic_trajectory_audit *audit, const ic_trajectory *trajectory,
                              const ic_problem *problem, const ic_trajectory_options *options)
{
    ic_findings *findings = &audit->findings;
    ic_tracking *k = &audit->tracking;
    *audit = (ic_trajectory_audit){0};
    ic_classification *c = audit->classifications;
    const double unit = ic_find_time_unit(trajectory, problem);
    if (unit != 1) return audit_times_in_unit(audit, trajectory, problem, unit);
    if (!ic_track(k, trajectory, problem, NULL, options)) return false;
    if (!ic_fit_parameters(&audit->parameters, k)) return false;
    ic_audit_local_defect(findings, k, &audit->parameters, &audit->correction);
    ic_audit_invariants(findings, k);
    ic_audit_rows(findings, k);
    ic_audit_dwells(findings, k);
    ic_audit_penetration(findings, k);
    ic_audit_rest(findings, k);
    ic_audit_energy(findings, k);
    ic_audit_impacts(findings, k);
    ic_audit_restitution(findings, &c[0], k);
    ic_audit_momentum(findings, k);
    ic_audit_force(findings, k);
    ic_audit_state_error(findings, k);
    const bool bounces = c[0].count > 0;
    if (!ic_classify_condition(&c[0], k)) return false;
    audit->n_classifications = c[0].count > 0;
    if (c[0].count > 0 && !bounces) compare_condition(findings, &c[0], k);
    if (problem->variant->free_impact != NULL) {
        if (!ic_classify_law(findings, &c[0], k)) return false;
        audit->n_classifications = c[0].count > 0;
    } else if (c[0].count == 0) {
        if (!ic_classify_element(findings, &c[0], k)) return false;
        audit->n_classifications = c[0].count > 0;
    }
    const bool partial = options != NULL && options->partial;
    if (!partial && !audit_impact_of(audit, trajectory, problem)) return false;
    read_otherwise(&audit->parameters.finding, findings, k, &audit->correction);
    ic_findings_add(findings, &audit->parameters.finding);
    if (!findings->no_memory) compare_parameters(findings);
    if (!findings->no_memory) leave_open_what_has_no_coefficient(findings);
    if (!findings->no_memory) say_that_none_explains(findings);
    withdraw_excluded(findings);
    put_causes_before_symptoms(findings);
    if (!findings->no_memory && !ic_misread(findings)) blame_time_stepping(findings, k);
    if (findings->count > 0) {
        blame_steps(findings, k);
        leave_open_what_is_misread(findings);
    }
    leave_open_what_is_too_short(findings, k);
    leave_open_what_times_hide(findings, k);
    leave_open_what_is_rough(findings, k);
    return !findings->no_memory;
}

void ic_trajectory_audit_close(ic_trajectory_audit *audit)
{
    ic_tracking_close(&audit->tracking);
    ic_findings_free(&audit->findings);
    ic_parameter_fits_close(&audit->parameters);
    ic_followed_close(&audit->followed);
}
