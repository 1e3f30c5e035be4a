/* SPDX-License-Identifier: MIT */
/**
 * Free impacts on a contact-force law: restitution, peaks and duration of every solver compared
 * with the certified answers of the law, at exactly the parameters that the solver gets. A contact
 * that never opens (restitution 0, duration infinite) must not have opened by the end of the run;
 * its peaks are compared with the enclosures like those of any other contact.
 */
#include "core/model.h"
#include "reference/law/contact_law.h"
#include "registry/registry.h"
#include "validation/checks/judges.h"
#include "validation/checks/verify.h"
#include "validation/truth.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

enum { MOST_SOLVERS = 64 };

/* The value between 0 (no) and 1 (yes). */
#define NEVER_OPENS 0.5

static void compare_output(ic_results *results, const char *path, const ic_solver *solver, const char *what,
                           double value, const arb_t truth)
{
    ic_result row = ic_row("free_impacts", path, solver, "1");
    const double right = arf_get_d(arb_midref(truth), ARF_RND_NEAR);
    const bool stepping = solver->control == IC_CONTROL_STEP;
    row.error = right == 0 ? fabs(value) : fabs(value / right - 1);
    row.radius = right == 0 ? 0 : mag_get_d(arb_radref(truth)) / right + DBL_EPSILON;
    ic_row_accept(&row, stepping ? &ic_tolerance_free_impact_stepping : &ic_tolerance_free_impact_adaptive);
    snprintf(row.what, sizeof row.what, "%s, relative", what);
    ic_results_compare(results, row);
}

/* The coefficient of restitution is that of a contact that has opened. */
static void expect_closed(ic_results *results, const char *path, const ic_solver *solver, double restitution)
{
    ic_result row = ic_row("free_impacts", path, solver, "1");
    row.error = isnan(restitution) ? 0 : 1;
    row.tolerance = NEVER_OPENS;
    snprintf(row.what, sizeof row.what, "opens, which it never does");
    snprintf(row.origin, sizeof row.origin, "0 or 1: whether the contact has opened by the end of the run");
    ic_results_compare(results, row);
}

static void judge_solver(ic_results *results, const ic_problem *problem, const char *path,
                         const ic_solver *solver, const ic_law_certificate *c)
{
    const ic_free_impact *impact = problem->variant->free_impact;
    ic_status status = IC_OK;
    ic_log *log = ic_solve(solver, problem, &(ic_options){.rtol = ic_verify_rtol(solver)}, &status);
    if (status != IC_OK) {
        ic_result row = ic_row("free_impacts", path, solver, "");
        snprintf(row.what, sizeof row.what, "run");
        snprintf(row.detail, sizeof row.detail, "%.200s", ic_failure_text(log, status));
        ic_results_add(results, &row);
    } else {
        const double restitution = ic_output_extreme(log, impact->restitution).final;
        if (arb_is_finite(c->duration)) {
            compare_output(results, path, solver, "restitution", restitution, c->e_out);
            compare_output(results, path, solver, "duration", ic_output_extreme(log, impact->duration).final,
                           c->duration);
        } else {
            expect_closed(results, path, solver, restitution);
        }
        compare_output(results, path, solver, "peak force", ic_output_extreme(log, impact->peak_force).final,
                       c->F_max);
        compare_output(results, path, solver, "peak indentation",
                       ic_output_extreme(log, impact->peak_indentation).final, c->d_max);
    }
    ic_log_free(log);
}

void ic_free_impacts_judge(ic_results *results, const ic_setup *setup, const char *path,
                           const ic_solver *const *solvers, size_t n_solvers)
{
    ic_law_certificate c;
    ic_law_certificate_init(&c);
    ic_free_impact_certify(&c, &setup->problem);
    if (c.status != IC_OK) {
        ic_result row = ic_row("free_impacts", path, NULL, "");
        snprintf(row.what, sizeof row.what, "certified answer");
        snprintf(row.detail, sizeof row.detail, "%.200s", c.message);
        if (c.status == IC_UNSUPPORTED) row.verdict = IC_SKIPPED;
        ic_results_add(results, &row);
    }
    for (size_t s = 0; s < n_solvers && c.status == IC_OK; s++) {
        if (ic_solver_serves(solvers[s], &setup->problem))
            judge_solver(results, &setup->problem, path, solvers[s], &c);
    }
    ic_law_certificate_clear(&c);
}

static void visit_preset(ic_results *results, const ic_selection *selection, const ic_setup *setup,
                         const char *path)
{
    const ic_solver *chosen[MOST_SOLVERS];
    size_t n = 0;
    if (setup->problem.variant->free_impact == NULL) return;
    for (size_t s = 0; s < ic_solver_count && n < MOST_SOLVERS; s++) {
        if (ic_selects_solver(selection, ic_solvers[s])) chosen[n++] = ic_solvers[s];
    }
    ic_free_impacts_judge(results, setup, path, chosen, n);
}

const ic_check ic_check_free_impacts = {
    "free_impacts", "restitution, peaks and duration of impacts on a contact law lie in certified enclosures",
    .visit = visit_preset, .cost = 5};
