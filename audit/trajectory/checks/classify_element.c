/* SPDX-License-Identifier: MIT */
/*
 * Which contact-force law the contact of a case follows that is not one free impact, such as a roller
 * on soil or a beam at a stop. Each law leads from row to row within the contacts of the rows; what a
 * law remembers of the touch follows from the last row before it.
 */
#include "audit/common/explain.h"
#include "audit/common/tolerances.h"
#include "audit/trajectory/checks/checks.h"

#include <stdlib.h>
#include <string.h>

/* Intervals in contact that are followed, and least number that decides; of many states, predictions are expensive. */
enum { MOST = 120, MOST_OF_MANY = 40, LEAST = 8 };
/* A law explains the rows if its median defect is below this, in tolerances of the rows. */
#define MOST_DEFECT 1.0

typedef struct follower {
    const ic_tracking *k;
    ic_predictor predictor;
    double memory[IC_MAX_STATES], defects[MOST];
    size_t n;
} follower;

static double gap_of(const ic_tracking *k, size_t row)
{
    const ic_trajectory *tr = k->trajectory;
    return ic_contact_gap(k->problem, tr->t[row], &tr->x[row * tr->n_states]);
}

/* Follows an interval from a mode; counts its defect and keeps what the law remembers. */
static void follow(follower *f, const ic_interval *interval, int mode, bool counts)
{
    const ic_tracking *k = f->k;
    const ic_trajectory *tr = k->trajectory;
    const size_t n = tr->n_states;
    double x[IC_MAX_STATES], greatest = 0;
    ic_prediction p;
    memcpy(x, &tr->x[interval->from * n], n * sizeof *x);
    for (size_t j = 0; j < n; j++) {
        if (ic_is_memory(k, j)) x[j] = f->memory[j];
    }
    ic_predict(&p, &f->predictor, true, tr->t[interval->from], x, mode, tr->t[interval->to]);
    for (size_t j = 0; j < n && p.good; j++) {
        if (ic_is_memory(k, j)) f->memory[j] = p.x[j];
        else greatest = fmax(greatest, fabs(p.x[j] - tr->x[interval->to * n + j]) / k->tolerance[j]);
    }
    if (counts) f->defects[f->n++] = p.good ? greatest : INFINITY;
}

/* The median defect of a problem within contacts; NAN: too few intervals. */
static double misfit_of(follower *f, const ic_tracking *k, const ic_problem *problem)
{
    const ic_contact_view *view = k->problem->system->contact;
    const size_t most = ic_has_many_states(k) ? MOST_OF_MANY : MOST;
    *f = (follower){.k = k};
    if (!ic_predictor_open(&f->predictor, problem, problem->variant)) return NAN;
    bool touched = false;
    for (size_t i = 0; i < k->n_intervals && f->n < most; i++) {
        const ic_interval *interval = &k->intervals[i];
        const bool in = gap_of(k, interval->from) < 0, stays = gap_of(k, interval->to) < 0;
        if (i > 0 && k->intervals[i - 1].to != interval->from) touched = false;
        if (!in && stays) {
            touched = true;
            follow(f, interval, view->free, false);
        } else if (in && stays && touched) {
            follow(f, interval, view->contact, true);
        } else touched = false;
    }
    return f->n >= LEAST ? ic_audit_median(f->defects, f->n) : NAN;
}

static void judge(ic_findings *findings, ic_classification *c, const ic_tracking *k, double own)
{
    const char *asked = k->problem->variant->law->name;
    ic_classification_decide(c, MOST_DEFECT, ic_tolerance_law_misfit.value);
    const ic_candidate *best = &c->candidates[0];
    if (strcmp(best->name, asked) == 0 || !c->decided || !(own > IC_APART * best->misfit) ||
        own <= MOST_DEFECT) {
        c->count = 0;
        return;
    }
    snprintf(c->detail, sizeof c->detail, "by rows in contact; the runner-up is %s",
             c->count > 1 ? c->candidates[1].name : "none");
    ic_finding f = ic_finding_of(&ic_row_check_law_of_element, k, own, ic_tolerance_law_misfit.value, "1");
    ic_finding_set_origin(&f, "%s", ic_tolerance_law_misfit.derivation);
    f.measured = fmax(own, 2 * f.tolerance);
    f.verdict = IC_FINDING_FAIL;
    f.cause = IC_MISTAKE_ANOTHER_LAW;
    ic_finding_describe(&f, "the rows follow %s", best->name);
    ic_findings_add(findings, &f);
}

bool ic_classify_element(ic_findings *findings, ic_classification *c, const ic_tracking *k)
{
    const ic_problem *problem = k->problem;
    const ic_contact_view *view = problem->system->contact;
    follower *f = NULL;
    if (view == NULL || view->rigid || problem->variant->law == NULL || problem->variant->free_impact != NULL ||
        ic_findings_with(findings, IC_FINDING_FAIL) == 0)
        return true;
    f = malloc(sizeof *f);
    if (f == NULL) return false;
    *c = (ic_classification){.question = "contact-force law"};
    snprintf(c->subject, sizeof c->subject, "%s", problem->system->name);
    const double own = misfit_of(f, k, problem);
    if (isfinite(own) && own > MOST_DEFECT) ic_classification_add(c, problem->variant->law->name, own);
    for (size_t i = 0; i < ic_law_count && c->count > 0 && c->count < IC_MOST_CANDIDATES; i++) {
        ic_setup setup;
        if (ic_laws[i] == problem->variant->law || !ic_law_setup_open(&setup, problem, ic_laws[i])) continue;
        setup.problem.t_start = problem->t_start;
        const double misfit = misfit_of(f, k, &setup.problem);
        if (isfinite(misfit)) ic_classification_add(c, ic_laws[i]->name, fmax(misfit, 1e-6));
        ic_setup_close(&setup);
    }
    if (c->count > 1) judge(findings, c, k, own);
    else c->count = 0;
    free(f);
    return true;
}
