/* SPDX-License-Identifier: MIT */
#include "audit/trajectory/trajectory_audit.h"
#include "audit/common/tolerances.h"
#include "core/model.h"

#include <math.h>

/* Misfit below which a condition explains the rows, however much better another one does. */
#define BOTH_FIT 1.0

/* The rows follow another condition than requested: this explains wrong events and energy. */
static void compare_condition(ic_findings *findings, const ic_classification *c, const ic_tracking *k)
{
    double misfit = NAN;
    if (!c->decided && !ic_case_has_events(k)) return; /* without lift-off all conditions agree */
    for (size_t i = 0; i < c->count; i++) {
        if (ic_condition_is_asked_for(c->candidates[i].name, k->problem)) misfit = c->candidates[i].misfit;
    }
    ic_finding f = ic_finding_of(&ic_row_check_condition, k, misfit, ic_tolerance_condition_misfit.value, "1");
    ic_finding_set_origin(&f, "%s", ic_tolerance_condition_misfit.derivation);
    if (!c->decided) {
        ic_finding_leave_open(&f, "%s", c->detail);
    } else if (!ic_condition_is_asked_for(c->candidates[0].name, k->problem)) {
        ic_finding_describe(&f, "the rows follow %s", c->candidates[0].name);
        f.verdict = IC_FINDING_FAIL;
        f.cause = IC_MISTAKE_ANOTHER_CONDITION;
        /* With noise both may fit, although the other one fits much better. */
        if (misfit < BOTH_FIT) {
            ic_finding_leave_open(&f, "%s and %s both explain the rows within their accuracy",
                                  k->problem->variant->name, c->candidates[0].name);
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

bool ic_audit_impact_alone(ic_trajectory_audit *audit, const ic_trajectory *rows, const ic_trajectory *shell,
                           const ic_problem *problem, const ic_trajectory_options *options)
{
    *audit = (ic_trajectory_audit){
        .tracking = {.trajectory = shell, .problem = problem, .accept = ic_accept(options)},
        .n_classifications = 1};
    if (!ic_audit_impact(&audit->findings, &audit->classifications[0], rows, problem, audit->tracking.accept))
        return false;
    ic_cause_before_symptoms(&audit->findings, &audit->tracking);
    return true;
}

/* ---- audits that take more than the rows */

static void audit_local_defect(ic_trajectory_audit *a)
{
    ic_audit_local_defect(&a->findings, &a->tracking, &a->parameters, &a->correction);
}

static void audit_restitution(ic_trajectory_audit *a)
{
    ic_audit_restitution(&a->findings, &a->classifications[0], &a->tracking);
}

static void classify_condition(ic_trajectory_audit *a)
{
    ic_classification *c = &a->classifications[0];
    const bool bounces = c->count > 0;
    a->findings.no_memory |= !ic_classify_condition(c, &a->tracking);
    a->n_classifications = c->count > 0;
    if (c->count > 0 && !bounces) compare_condition(&a->findings, c, &a->tracking);
}

/* The law of a free impact, or of an element. */
static void classify_force(ic_trajectory_audit *a)
{
    ic_classification *c = &a->classifications[0];
    const bool is_free = a->tracking.problem->variant->free_impact != NULL;
    if (!is_free && c->count > 0) return;
    a->findings.no_memory |= !(is_free ? ic_classify_law : ic_classify_element)(&a->findings, c, &a->tracking);
    a->n_classifications = c->count > 0;
}

/* Whether the rows follow the case and end before the impact does; two rows of one time show an end of it. */
static bool ends_within_impact(const ic_tracking *k)
{
    const size_t n = k->trajectory->n, count = k->n_intervals;
    return count > 0 && ic_tracking_count(k, IC_UNEXPLAINED) == 0 &&
           !k->problem->variant->modes[k->intervals[count - 1].end_mode].terminal &&
           k->trajectory->t[n - 1] > k->trajectory->t[n - 2];
}

/* Leaves open what the velocities after an impact would decide, and with it the verdict. */
static void leave_open_what_ends(ic_findings *findings)
{
    bool fails = false;
    for (size_t i = 2 * findings->count;
         i-- > 0;) { /* what fails first, then the check of events, which is needed */
        ic_finding *f = &findings->rows[i % findings->count];
        const bool is_of_end = f->check == &ic_row_check_impact_restitution ||
                               f->check == &ic_row_check_hypothesis ||
                               f->check == &ic_row_check_impact_approach;
        if (is_of_end ? f->verdict != IC_FINDING_FAIL
                      : !fails || f->check != &ic_row_check_events || f->verdict != IC_FINDING_PASS)
            continue;
        fails = true;
        ic_finding_leave_open(
            f, "the rows end before the impact does, or e is smaller: two rows at the time of its end, "
               "before it and after it, would decide");
    }
}

/* Audit a case that is one impact also by its velocities. */
static void audit_impact_of(ic_trajectory_audit *a)
{
    const ic_tracking *k = &a->tracking;
    ic_trajectory rows;
    if (a->partial || k->problem->system->impact == NULL) return;
    a->n_classifications = 1;
    a->findings.no_memory |=
        !ic_impact_rows_of(&rows, k->trajectory, k->problem) ||
        !ic_audit_impact(&a->findings, &a->classifications[0], &rows, k->problem, k->accept);
    ic_trajectory_close(&rows);
    if (ends_within_impact(k)) leave_open_what_ends(&a->findings);
}

/*
 * Rows that follow a parameter in the mean may be those of the case, written otherwise. That is sought if the local
 * defects are too small to show it.
 */
static void audit_parameters(ic_trajectory_audit *a)
{
    ic_finding *parameters = &a->parameters.finding;
    char detail[256] = "";
    double left = 1;
    ic_mistake_id reading = IC_NO_MISTAKE;
    if (parameters->verdict == IC_FINDING_FAIL && a->findings.rows[0].verdict != IC_FINDING_FAIL)
        reading = ic_find_reading(&a->tracking, detail, sizeof detail, &left, &a->correction);
    if (reading != IC_NO_MISTAKE) {
        parameters->cause = reading;
        ic_finding_append(parameters, ". %s", detail);
    }
    ic_findings_add(&a->findings, parameters);
}

/* ---- all of it */

enum { FEW_ROWS = 4 };

static bool audit_times_in_unit(ic_trajectory_audit *audit, const ic_trajectory *trajectory,
                                const ic_problem *problem, double factor)
{
    audit->few = *trajectory;
    audit->few.n = trajectory->n < FEW_ROWS ? trajectory->n : FEW_ROWS;
    if (!ic_track(&audit->tracking, &audit->few, problem, NULL, NULL)) return false;
    ic_finding f = ic_finding_of(&ic_row_check_times_in_unit, &audit->tracking, NAN, NAN, "%");
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

/* The checks, and then what follows from all of them. */
static const struct {
    /* NULL: it takes the whole audit */
    void (*of_rows)(ic_findings *findings, const ic_tracking *k);

    void (*of_all)(ic_trajectory_audit *audit);
} steps[] = {
#define IC_ROW_AUDIT(function_) {function_, NULL},
#define IC_ROW_AUDIT_WITH(function_) {NULL, function_},
#include "audit/trajectory/checks/audits.def"
#undef IC_ROW_AUDIT
#undef IC_ROW_AUDIT_WITH
#define IC_ROW_CAUSE(function_) {function_, NULL},
#include "audit/trajectory/causes/causes.def"
};

bool ic_audit_trajectory_once(ic_trajectory_audit *audit, const ic_trajectory *trajectory,
                              const ic_problem *problem, const ic_trajectory_options *options)
{
    ic_findings *findings = &audit->findings;
    ic_tracking *k = &audit->tracking;
    const double unit = trajectory->times_alone ? 1 : ic_find_time_unit(trajectory, problem);
    *audit = (ic_trajectory_audit){.partial = options != NULL && options->partial};
    if (trajectory->times_alone) {
        *k = (ic_tracking){.trajectory = trajectory, .problem = problem, .accept = ic_accept(options)};
        return ic_audit_times_alone(findings, k) && !findings->no_memory;
    }
    if (unit != 1) return audit_times_in_unit(audit, trajectory, problem, unit);
    if (!ic_track(k, trajectory, problem, NULL, options)) return false;
    if (!ic_fit_parameters(&audit->parameters, k, NULL)) return false;
    for (size_t i = 0; i < IC_COUNT(steps) && !findings->no_memory; i++) {
        if (steps[i].of_rows != NULL) steps[i].of_rows(findings, k);
        else steps[i].of_all(audit);
    }
    return !findings->no_memory;
}

void ic_trajectory_audit_close(ic_trajectory_audit *audit)
{
    ic_tracking_close(&audit->tracking);
    ic_findings_free(&audit->findings);
    ic_parameter_fits_close(&audit->parameters);
    ic_followed_close(&audit->followed);
}
