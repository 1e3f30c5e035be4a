/* SPDX-License-Identifier: MIT */
/**
 * Free impacts on a contact-force law: restitution, peaks and duration of every solver against the certified answers of the
 * law, at the very parameters that the solver gets (a double written out in decimal is exact).
 */
#include "core/registry.h"
#include "reference/contact_law.h"
#include "validation/claims_bench.h"
#include "validation/free_impacts.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DIGITS = 18, MOST_PARAMETERS = 8, MOST_SOLVERS = 64, DECIMAL = 1100 };

/* Adaptive: a hundred errors of rtol = 1e-10, for the onset that is not smooth and for the sum over some fifty steps. */
#define ADAPTIVE_TOLERANCE 1e-8
/* Fixed steps of 1/1000 of the typical time: F grows like d^(3/2) at the ends of contact, where a step's error is of order
 * h^(5/2): (1/1000)^(5/2) = 3e-8. */
#define STEPPING_TOLERANCE 3e-8

/* A value, exactly. */
static void write_out(char *text, double value)
{
    snprintf(text, DECIMAL, "%.1074g", value);
}

void ic_free_impact_certify(ic_law_certificate *c, const ic_problem *problem)
{
    const ic_free_impact *impact = problem->variant->free_impact;
    const ic_law *law = problem->variant->law;
    const size_t own = problem->system->n_parameters - law->n_parameters; /* parameters of the case */
    static char texts[MOST_PARAMETERS + 2][DECIMAL];
    const char *parameters[MOST_PARAMETERS];
    for (size_t i = 0; i < law->n_parameters && i < MOST_PARAMETERS; i++) {
        write_out(texts[i], problem->par[own + i]);
        parameters[i] = texts[i];
    }
    write_out(texts[MOST_PARAMETERS], problem->par[ic_find_parameter(problem->system, impact->mass)]);
    write_out(texts[MOST_PARAMETERS + 1], problem->par[ic_find_parameter(problem->system, impact->speed)]);
    ic_law_certify(c, law, parameters, texts[MOST_PARAMETERS], texts[MOST_PARAMETERS + 1], DIGITS);
}

static double final_output(const ic_log *log, const char *name)
{
    return ic_log_extreme(log, ic_find_output(ic_log_problem(log)->system, name)).final;
}

static void compare(ic_results *results, const char *path, const ic_solver *solver, const char *what,
                    double value, const arb_t truth)
{
    ic_result row = ic_row("free_impacts", path, solver, "1");
    const double right = arf_get_d(arb_midref(truth), ARF_RND_NEAR);
    const bool stepping = solver->control == IC_CONTROL_STEP;
    row.error = fabs(value / right - 1);
    row.radius = mag_get_d(arb_radref(truth)) / right + DBL_EPSILON;
    row.tolerance = stepping ? STEPPING_TOLERANCE : ADAPTIVE_TOLERANCE;
    snprintf(row.what, sizeof row.what, "%s, relative", what);
    snprintf(row.origin, sizeof row.origin, "%s",
             stepping ? "(1/1000)^(5/2): steps of 1/1000 at an onset like d^(3/2)"
                      : "a hundred times rtol = 1e-10: an onset that is not smooth, some fifty steps");
    ic_results_compare(results, row);
}

static void judge(ic_results *results, const ic_problem *problem, const char *path, const ic_solver *solver,
                  const ic_law_certificate *c)
{
    const ic_free_impact *impact = problem->variant->free_impact;
    ic_status status = IC_OK;
    ic_log *log = ic_solve(solver, problem, &(ic_options){.rtol = IC_VERIFY_RTOL}, &status);
    if (status != IC_OK) {
        ic_result row = ic_row("free_impacts", path, solver, "");
        snprintf(row.what, sizeof row.what, "run");
        snprintf(row.detail, sizeof row.detail, "%.200s",
                 log != NULL ? ic_log_text(log) : ic_status_text(status));
        ic_results_add(results, &row);
    } else {
        compare(results, path, solver, "restitution", final_output(log, impact->restitution), c->e_out);
        compare(results, path, solver, "peak force", final_output(log, impact->peak_force), c->F_max);
        compare(results, path, solver, "peak indentation", final_output(log, impact->peak_indentation),
                c->d_max);
        compare(results, path, solver, "duration", final_output(log, impact->duration), c->duration);
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
            judge(results, &setup->problem, path, solvers[s], &c);
    }
    ic_law_certificate_clear(&c);
}

static void visit(ic_results *results, const ic_selection *selection, const ic_setup *setup, const char *path)
{
    const ic_solver *chosen[MOST_SOLVERS];
    size_t n = 0;
    if (setup->problem.variant->free_impact == NULL) return;
    for (size_t s = 0; s < ic_solver_count && n < MOST_SOLVERS; s++) {
        if (ic_selects_solver(selection, ic_solvers[s])) chosen[n++] = ic_solvers[s];
    }
    ic_free_impacts_judge(results, setup, path, chosen, n);
}

static void run(ic_results *results, const ic_selection *selection)
{
    ic_for_each_subject(results, selection, "free_impacts", visit);
}

const ic_check ic_check_free_impacts = {
    "free_impacts", "restitution, peaks and duration of impacts on a contact law lie in certified enclosures",
    run};
