/* SPDX-License-Identifier: MIT */
#include "audit/common/tolerances.h"
#include "audit/trajectory/trajectory_audit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The number of mistakes that are corrected one after the other. */
enum { MOST_CORRECTED = 2 };

/* A range this many times another one hides it: the accuracy is a part of the range. */
#define HIDES 100

static bool fails_by(const ic_finding *f, ic_mistake_id cause)
{
    return f != NULL && f->verdict == IC_FINDING_FAIL && f->cause == cause;
}

bool ic_is_specific(ic_mistake_id cause)
{
    switch (cause) {
    case IC_NO_MISTAKE:
    case IC_MISTAKE_ENERGY_APPEARS:
    case IC_MISTAKE_ROW_CORRUPTED:
    case IC_MISTAKE_FALLS_THROUGH:
    case IC_MISTAKE_IMPACT_INVENTED:
    case IC_MISTAKE_COARSE_STEPS:
    case IC_MISTAKE_DRIFTS_AT_REST: return false;
    default: return true;
    }
}

bool ic_gives_way(ic_mistake_id cause)
{
    return cause == IC_MISTAKE_EVENT_LOST || cause == IC_MISTAKE_PARAMETER_CHANGES;
}

/* Whether the rows away from events follow the case, or it is named why they do not. */
static bool is_understood(ic_findings *findings)
{
    const ic_finding *flow = ic_findings_find(findings, "local-defect");
    return flow != NULL && (flow->verdict != IC_FINDING_FAIL || flow->cause != IC_NO_MISTAKE);
}

/*
 * Names in the first audit what fails in the second one, in which the first mistake is corrected. `replaced`: a
 * finding that the second one measures better; NULL: none.
 */
static void adopt(ic_findings *first, const ic_findings *second, const char *corrected,
                  const ic_finding *replaced)
{
    for (size_t i = 0; i < second->count; i++) {
        const ic_finding *f = &second->rows[i];
        ic_finding *mine = ic_findings_find(first, f->check->name);
        if (mine == NULL || f->verdict != IC_FINDING_FAIL || !ic_is_specific(f->cause)) continue;
        if (mine->verdict == IC_FINDING_FAIL && ic_is_specific(mine->cause) && mine != replaced) continue;
        char detail[sizeof f->detail];
        snprintf(detail, sizeof detail, "%s: %.700s", corrected, f->detail);
        *mine = *f;
        snprintf(mine->detail, sizeof mine->detail, "%s", detail);
    }
}

/* ---- a file that is misread */

static bool audit_corrected(ic_trajectory_audit *second, const ic_trajectory *trajectory,
                            const ic_correction *correction, const ic_problem *problem,
                            const ic_trajectory_options *options)
{
    ic_trajectory corrected;
    ic_trajectory_options own = options != NULL ? *options : (ic_trajectory_options){0};
    own.corrected++;
    if (!ic_correct_rows(&corrected, trajectory, correction)) return false;
    const bool good = ic_audit_trajectory(second, &corrected, problem, &own);
    ic_tracking_close(&second->tracking);
    ic_trajectory_close(&corrected);
    return good;
}

static void read_again(ic_findings *findings, const ic_trajectory *trajectory, const ic_correction *correction,
                       const ic_problem *problem, const ic_trajectory_options *options,
                       const ic_finding *replaced)
{
    ic_trajectory_audit second = {0};
    if (audit_corrected(&second, trajectory, correction, problem, options) && is_understood(&second.findings))
        adopt(findings, &second.findings, "with the file read so", replaced);
    ic_trajectory_audit_close(&second);
}

/* ---- other parameters */

/* Says which parameters differ, if there are several. */
static void name_changed(ic_finding *parameters, ic_findings *findings, const ic_followed *f)
{
    if (f->n_changed < 2) return;
    ic_finding_describe(parameters, "the rows follow ");
    ic_followed_append(parameters, f);
    parameters->cause = IC_MISTAKE_PARAMETER_WRONG;
    if (ic_followed_exchanges(f)) {
        parameters->cause = IC_MISTAKE_PARAMETERS_EXCHANGED;
        ic_finding *flow = ic_findings_find(findings, "local-defect");
        if (fails_by(flow, IC_MISTAKE_PARAMETER_WRONG)) flow->cause = IC_MISTAKE_PARAMETERS_EXCHANGED;
    }
    ic_finding *restitution = ic_findings_find(findings, "restitution");
    for (size_t i = 0; i < f->n_changed && restitution != NULL; i++) {
        const ic_parameter_fit *fit = &f->changed[i];
        if (!ic_parameter_is_restitution(fit->name, &f->problem)) continue;
        restitution->verdict = IC_FINDING_FAIL;
        restitution->measured = fabs(fit->value - fit->case_value);
        restitution->tolerance = fit->smallest;
        restitution->cause = ic_restitution_mistake(fit->value, fit->case_value, fit->smallest);
        ic_finding_describe(restitution, "with the other parameters that the rows follow ");
        ic_parameter_fit_append(restitution, fit, "");
    }
}

/* Intervals that follow the case with other parameters are wrong by these, as are events that are lost or late. */
static void blame_parameters(ic_findings *findings, const ic_finding *parameters, bool explained)
{
    ic_finding *flow = ic_findings_find(findings, "local-defect"),
               *events = ic_findings_find(findings, "events"),
               *times = ic_findings_find(findings, "event-times");
    if (explained && fails_by(flow, IC_NO_MISTAKE)) flow->cause = parameters->cause;
    if (fails_by(events, IC_MISTAKE_EVENT_LOST)) events->cause = IC_NO_MISTAKE;
    if (fails_by(times, IC_MISTAKE_NO_EVENT_LOCATION) || fails_by(times, IC_MISTAKE_IMPACTS_UNEQUAL))
        times->cause = IC_NO_MISTAKE;
}

/* Names what has to be corrected before events can be judged, if they then can. */
static void say_what_hides_events(ic_findings *first, ic_findings *second, const ic_followed *f)
{
    static const char *const names[] = {"event-times", "events"};
    for (size_t i = 0; i < IC_COUNT(names); i++) {
        ic_finding *mine = ic_findings_find(first, names[i]);
        const ic_finding *then = ic_findings_find(second, names[i]);
        if (mine == NULL || then == NULL || mine->verdict != IC_FINDING_OPEN) continue;
        if (then->verdict == IC_FINDING_OPEN && strcmp(then->detail, mine->detail) == 0) continue;
        ic_finding_describe(mine, "events cannot be judged until ");
        for (size_t j = 0; j < f->n_changed; j++)
            ic_finding_append(mine, "%s%s", j == 0 ? "" : " and ", f->changed[j].name);
        ic_finding_append(mine, " %s corrected", f->n_changed > 1 ? "are" : "is");
        if (then->verdict == IC_FINDING_PASS) ic_finding_append(mine, "; they are then the case's");
    }
}

bool ic_is_of_parameter(const ic_finding *f)
{
    static const ic_mistake_id of_parameter[] = {
        IC_MISTAKE_PARAMETER_WRONG,     IC_MISTAKE_RESTITUTION_WRONG,  IC_MISTAKE_RESTITUTION_IGNORED,
        IC_MISTAKE_RESTITUTION_SQUARED, IC_MISTAKE_DAMPING_FACTOR_TWO, IC_MISTAKE_DAMPING_SIGN,
        IC_MISTAKE_GRAVITY_SIGN,
    };
    for (size_t i = 0; i < IC_COUNT(of_parameter); i++) {
        if (fails_by(f, of_parameter[i])) return true;
    }
    return false;
}

/* Whether events are still not those of the case, with other parameters, and nothing names why. */
static bool leaves_events(ic_findings *first, ic_findings *second)
{
    const ic_finding *before = ic_findings_find(first, "events"), *now = ic_findings_find(second, "events");
    for (ic_finding *f = NULL; (f = ic_findings_next_failed(second, f)) != NULL;) {
        const ic_finding *same = ic_findings_find(first, f->check->name);
        const bool fitted = ic_is_of_parameter(f) && strcmp(f->check->name, "restitution") != 0,
                   known = same != NULL && same->cause == f->cause;
        if (ic_is_specific(f->cause) && !fitted && !known && !ic_gives_way(f->cause)) return false;
    }
    return before != NULL && now != NULL && now->verdict == IC_FINDING_FAIL &&
           now->measured > ic_tolerance_parameter_leaves.value * before->measured;
}

/* A parameter that leaves the rows as wrong as they were is no cause. */
static void withdraw(ic_findings *findings, const ic_followed *f, const ic_finding *events)
{
    static const char *const names[] = {"parameters", "local-defect"};
    for (size_t i = 0; i < IC_COUNT(names); i++) {
        ic_finding *finding = ic_findings_find(findings, names[i]);
        if (!ic_is_of_parameter(finding)) continue;
        finding->cause = IC_NO_MISTAKE;
        if (i == 0)
            ic_finding_append(
                finding,
                "; but with it %.3g %% of the intervals and %.3g events stay unexplained, so that it is not the cause",
                100 * f->now, events != NULL && events->verdict == IC_FINDING_FAIL ? events->measured : 0.0);
    }
}

/* "with k1 = 0.4 and k2 = 1.9" */
static void describe_changed(char *text, size_t size, const ic_followed *f)
{
    text[0] = '\0';
    for (size_t i = 0; i < f->n_changed; i++)
        ic_text_append(text, size, "%s%s = %.6g", i == 0 ? "with " : " and ", f->changed[i].name,
                       f->changed[i].value);
}

static void follow_parameters(ic_trajectory_audit *audit, ic_finding *parameters,
                              const ic_trajectory *trajectory, const ic_problem *problem,
                              const ic_trajectory_options *options)
{
    ic_findings *findings = &audit->findings;
    ic_followed *f = &audit->followed;
    ic_trajectory_audit second = {0};
    ic_trajectory_options own = options != NULL ? *options : (ic_trajectory_options){0};
    own.corrected = MOST_CORRECTED;
    own.began = audit->tracking.began;
    char with[200];
    ic_follow_parameters(f, &audit->tracking, &audit->parameters, options);
    if (f->par == NULL) return;
    describe_changed(with, sizeof with, f);
    if (ic_audit_trajectory(&second, trajectory, &f->problem, &own)) {
        const bool leaves = leaves_events(findings, &second.findings);
        const bool explained = !leaves && f->now <= fmax(0.01 * ic_tolerance_spoilt_intervals.value,
                                                         ic_tolerance_parameter_leaves.value * f->before);
        if (second.correction.kind != IC_CORRECT_NOTHING && ic_misread(&second.findings)) {
            /* Read as it should be, the file shows all parameters anew. */
            adopt(findings, &second.findings, with, NULL);
            read_again(findings, trajectory, &second.correction, problem, options, parameters);
        } else if (explained || (!leaves && is_understood(&second.findings) &&
                                 !ic_is_of_parameter(ic_findings_find(&second.findings, "local-defect")))) {
            name_changed(parameters, findings, f);
            blame_parameters(findings, parameters, explained);
            say_what_hides_events(findings, &second.findings, f);
            adopt(findings, &second.findings, with, NULL);
        } else {
            withdraw(findings, f, ic_findings_find(&second.findings, "events"));
            if (!ic_is_of_parameter(parameters)) ic_followed_close(f);
        }
    }
    if (f->cut)
        ic_finding_append(parameters, "; further parameters were not tried, after %g s of processor time",
                          IC_MOST_EFFORT);
    ic_trajectory_audit_close(&second);
}

/* Whether some rows around the first unexplained interval follow the best fitted parameter. */
static bool some_rows_follow(const ic_trajectory_audit *audit)
{
    const ic_tracking *k = &audit->tracking;
    const ic_parameter_fit *fit = &audit->parameters.rows[audit->parameters.best];
    ic_problem other = *k->problem;
    ic_trajectory some;
    bool follow = false;
    double *par = ic_own_parameters(&other);
    if (par != NULL && ic_copy_some_rows(&some, k, ic_first_unexplained(k))) {
        par[ic_parameter_find(other.system, fit->name)] = fit->value;
        follow = ic_share_wrong(&some, &other, k, k->noise) <=
                 ic_tolerance_parameter_leaves.value * ic_share_wrong(&some, k->problem, k, k->noise);
        ic_trajectory_close(&some);
    }
    free(par);
    return follow;
}

/* Says in the first failure with a cause that no other mistake was sought. */
static void say_that_it_was_cut(ic_trajectory_audit *audit)
{
    ic_findings *findings = &audit->findings;
    ic_finding *parameters = ic_findings_find(findings, "parameters");
    if (ic_is_of_parameter(parameters) && !is_understood(findings) &&
        audit->parameters.best < audit->parameters.count && !some_rows_follow(audit)) {
        parameters->cause = IC_NO_MISTAKE;
        ic_finding_append(parameters, "; but with it rows stay unexplained");
    }
    for (ic_finding *f = NULL; (f = ic_findings_next_failed(findings, f)) != NULL;) {
        if (f->cause == IC_NO_MISTAKE) continue;
        ic_finding_append(f, "; no second mistake was sought, after %g s of processor time", IC_MOST_EFFORT);
        return;
    }
}

/* Corrects what is known. */
static void correct(ic_trajectory_audit *audit, const ic_trajectory *trajectory, const ic_problem *problem,
                    const ic_trajectory_options *options)
{
    ic_findings *findings = &audit->findings;
    if (options != NULL && options->corrected >= MOST_CORRECTED) return;
    if (ic_findings_find(findings, "local-defect") == NULL) return; /* nothing was followed */
    if (ic_effort_is_spent(audit->tracking.began)) {
        say_that_it_was_cut(audit);
        return;
    }
    if (ic_misread(findings)) {
        read_again(findings, trajectory, &audit->correction, problem, options, NULL);
        return;
    }
    ic_finding *parameters = ic_findings_find(findings, "parameters");
    if (ic_is_of_parameter(parameters) && audit->parameters.best < audit->parameters.count)
        follow_parameters(audit, parameters, trajectory, problem, options);
}

/* ---- rows that run away */

/* Whether a state moves so much farther in the second half of the rows that its range hides the first one. */
static bool runs_away(const ic_tracking *k)
{
    const ic_trajectory *tr = k->trajectory;
    double scale[IC_MAX_STATES];
    ic_state_scales(k->problem, scale);
    for (size_t j = 0; j < tr->n_states; j++) {
        double least = INFINITY, most = -INFINITY;
        for (size_t i = 0; i < tr->n / 2; i++) {
            least = fmin(least, tr->x[i * tr->n_states + j]);
            most = fmax(most, tr->x[i * tr->n_states + j]);
        }
        if (ic_state_is_measured(k, j) && k->range[j] > HIDES * fmax(most - least, scale[j])) return true;
    }
    return false;
}

/* Audits the first half of the rows by its own ranges, and takes over what fails there. */
static void judge_first_half(ic_trajectory_audit *audit, const ic_problem *problem,
                             const ic_trajectory_options *options)
{
    ic_trajectory half = *audit->tracking.trajectory;
    ic_trajectory_audit second = {0};
    half.n /= 2;
    audit->findings.no_memory |= !ic_audit_trajectory(&second, &half, problem, options);
    for (ic_finding *f = NULL; (f = ic_findings_next_failed(&second.findings, f)) != NULL;) {
        ic_finding *mine = ic_findings_find(&audit->findings, f->check->name);
        ic_finding_append(f, "; seen in the first half of the rows, before they run away");
        if (mine != NULL) *mine = *f;
        else ic_findings_add(&audit->findings, f);
    }
    ic_trajectory_audit_close(&second);
}

bool ic_audit_trajectory(ic_trajectory_audit *audit, const ic_trajectory *trajectory, const ic_problem *problem,
                         const ic_trajectory_options *options)
{
    const bool partial = options != NULL && options->partial;
    ic_trajectory_options own = options != NULL ? *options : (ic_trajectory_options){0};
    if (!(own.began > 0)) own.began = ic_effort_now();
    const bool good = ic_audit_trajectory_once(audit, trajectory, problem, &own);
    if (!good || partial) return good;
    correct(audit, trajectory, problem, &own);
    if (own.corrected == 0) ic_cause_changes(&audit->findings, &audit->tracking);
    ic_cause_added(&audit->findings, &audit->tracking);
    if (ic_findings_next_failed(&audit->findings, NULL) == NULL && runs_away(&audit->tracking))
        judge_first_half(audit, problem, &own);
    return !audit->findings.no_memory;
}
