/* SPDX-License-Identifier: MIT */
/*
 * The contact force given in the file, compared with the law's in the state of the same row: their
 * difference must not jump at touch and lift-off. The force in the file may jump only if that of
 * the law does, as the force of a dashpot does by c v at touch.
 */
#include "audit/common/tolerances.h"
#include "audit/trajectory/checks/checks.h"

#include <math.h>
#include <stdlib.h>

typedef struct force_view {
    const ic_tracking *k;
    const ic_contact_view *contact;
    const ic_output *output;

    /* Sign of the force in the file. */
    double sign;

    /* N */
    double range;
} force_view;

static double law_force(const force_view *v, size_t i, int mode, double *noise)
{
    const ic_tracking *k = v->k;
    const double t = k->trajectory->t[k->intervals[i].from], *par = k->problem->par;
    double x[IC_MAX_STATES], square = 0;
    ic_interval_state_in(x, k, &k->intervals[i], mode);
    const double here = v->output->value(t, x, mode, par);
    for (size_t j = 0; j < k->trajectory->n_states && noise != NULL; j++) {
        const double kept = x[j];
        x[j] += fmax(k->noise[j], 1e-9 * k->range[j]);
        square += pow(v->output->value(t, x, mode, par) - here, 2);
        x[j] = kept;
    }
    if (noise != NULL) *noise = sqrt(square);
    return here;
}

/*
 * The file's force minus the law's, N, at the first row of an interval, in the mode with the
 * smaller difference: noise, or rest, leaves the mode in doubt.
 */
static double force_difference(const force_view *v, size_t i, double *noise)
{
    const ic_interval *interval = &v->k->intervals[i];
    const double told = v->sign * v->k->trajectory->force[interval->from];
    double other_noise, best = told - law_force(v, i, interval->mode, noise);
    const int modes[] = {v->contact->contact, v->contact->free};
    for (size_t m = 0; m < IC_COUNT(modes); m++) {
        const double here = told - law_force(v, i, modes[m], &other_noise);
        if (fabs(here) < fabs(best)) best = here;
        *noise = fmax(*noise, other_noise);
    }
    return best;
}

/* Whether the mode changes between the first rows of an interval and the next. */
static bool mode_changes(const force_view *v, size_t i)
{
    const ic_interval *a = &v->k->intervals[i], *b = a + 1;
    return a->to == b->from && (a->mode == v->contact->contact) != (b->mode == v->contact->contact);
}

/* Sign convention of the force in the file, from the majority of the rows in contact. */
static void find_sign(force_view *v)
{
    const ic_tracking *k = v->k;
    double least = INFINITY, most = -INFINITY, along = 0;
    for (size_t i = 0; i < k->n_intervals; i++) {
        const double told = k->trajectory->force[k->intervals[i].from];
        least = fmin(least, told), most = fmax(most, told);
        along += told * law_force(v, i, k->intervals[i].mode, NULL);
    }
    v->range = most - least;
    v->sign = along < 0 ? -1 : 1;
}

/* Deviation of the difference from row to row within a mode. false: memory ran out. */
static bool find_scatter(const force_view *v, double *scatter)
{
    double *values = malloc((v->k->n_intervals + 1) * sizeof *values), noise = 0;
    size_t n = 0;
    if (values == NULL) return false;
    for (size_t i = 0; i + 1 < v->k->n_intervals; i++) {
        if (mode_changes(v, i) || v->k->intervals[i].mode != v->contact->contact) continue;
        values[n++] = fabs(force_difference(v, i + 1, &noise) - force_difference(v, i, &noise));
    }
    *scatter = n > 0 ? ic_audit_median(values, n) / IC_NORMAL_MEDIAN : 0;
    free(values);
    return true;
}

static void judge_jumps(ic_findings *findings, const force_view *v, double scatter)
{
    const ic_tracking *k = v->k;
    size_t seen = 0, at = 0;
    const double accepted = ic_tolerance_force_jump.value * k->accept * v->range;
    double jump = 0, tolerance = accepted + ic_tolerance_noise.value * scatter;
    for (size_t i = 0; i + 1 < k->n_intervals; i++) {
        double before = 0, after = 0;
        const ic_interval *interval = &k->intervals[i];
        if (!mode_changes(v, i) || interval->explanation >= IC_IN_DOUBT ||
            interval[1].explanation >= IC_IN_DOUBT)
            continue;
        const double here = fabs(force_difference(v, i + 1, &after) - force_difference(v, i, &before));
        const double allowed = accepted + ic_tolerance_noise.value * (scatter + hypot(before, after));
        seen++;
        if (here * tolerance > jump * allowed) jump = here, tolerance = allowed, at = i + 1;
    }
    ic_finding f = ic_finding_of(&ic_row_check_force_continuity, k, jump, tolerance, "N");
    ic_finding_set_origin(&f, "%s, its own and the rows'",
                          ic_accuracy_origin(&ic_tolerance_force_jump, k->accept).text);
    if (seen == 0) {
        f.measured = f.tolerance = NAN;
        ic_finding_leave_open(&f, "no touch or lift-off between explained rows");
    } else if (f.verdict == IC_FINDING_FAIL) {
        f.cause = IC_MISTAKE_FORCE_JUMPS;
        ic_finding_describe(&f, "near t = %.9g s (line %zu)", k->trajectory->t[k->intervals[at].from],
                            k->trajectory->line[k->intervals[at].from]);
    } else {
        ic_finding_describe(&f, "%zu touches and lift-offs%s", seen,
                            v->sign < 0 ? "; the file's force is positive where the contact pulls" : "");
    }
    ic_findings_add(findings, &f);
}

void ic_audit_force(ic_findings *findings, const ic_tracking *k)
{
    const ic_case *system = k->problem->system;
    force_view v = {.k = k, .contact = system->contact};
    double scatter;
    if (v.contact == NULL || v.contact->force == NULL || k->n_intervals == 0) return;
    if (k->trajectory->force == NULL) {
        ic_finding f = ic_finding_of(&ic_row_check_force_continuity, k, NAN, NAN, "N");
        ic_finding_leave_open(&f, "a column '%s' would decide (--columns %s=COLUMN names it)", v.contact->force,
                              v.contact->force);
        ic_findings_add(findings, &f);
        return;
    }
    v.output = &system->outputs[ic_output_find(system, v.contact->force)];
    find_sign(&v);
    if (find_scatter(&v, &scatter)) judge_jumps(findings, &v, scatter);
    else findings->no_memory = true;
}
