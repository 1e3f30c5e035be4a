/* SPDX-License-Identifier: MIT */
#include "validation/subjects.h"
#include "core/linear_view.h"
#include "registry/registry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

ic_result ic_row(const char *check, const char *subject, const ic_solver *solver, const char *unit)
{
    ic_result row = {.error = NAN, .radius = NAN, .tolerance = NAN, .verdict = IC_FAIL};
    snprintf(row.check, sizeof row.check, "%s", check);
    snprintf(row.subject, sizeof row.subject, "%s", subject);
    snprintf(row.solver, sizeof row.solver, "%s", solver != NULL ? solver->name : "");
    snprintf(row.unit, sizeof row.unit, "%s", unit);
    return row;
}

void ic_for_each_subject(ic_results *results, const ic_selection *selection, const char *check,
                         ic_subject_visit *visit)
{
    for (size_t c = 0; c < ic_case_count; c++) {
        const ic_case *system = ic_cases[c];
        for (size_t p = 0; p < system->n_presets; p++) {
            char path[sizeof((ic_result *)NULL)->subject];
            ic_setup setup;
            ic_error error = {""};
            if (!ic_selects_preset(selection, system, &system->presets[p])) continue;
            if (!ic_results_part(results)) continue;
            snprintf(path, sizeof path, "%s/%s", system->name, system->presets[p].name);
            if (ic_setup_open(&setup, &(ic_request){.path = path}, &error)) {
                visit(results, selection, &setup, path);
                ic_setup_close(&setup);
            } else {
                ic_result row = ic_row(check, path, NULL, "");
                snprintf(row.what, sizeof row.what, "preset can be set up");
                snprintf(row.detail, sizeof row.detail, "%.200s", error.text);
                ic_results_add(results, &row);
            }
        }
    }
}

bool ic_solver_solves(const ic_solver *solver, const ic_problem *problem)
{
    if ((solver->needs & IC_NEEDS_LINEAR_VIEW) != 0 && !ic_is_linear(problem->variant)) return false;
    if ((solver->needs & IC_NEEDS_IMPACT_VIEW) != 0 && problem->system->impact == NULL) return false;
    return solver->variant == NULL || strcmp(solver->variant, problem->variant->name) == 0;
}

bool ic_solver_serves(const ic_solver *solver, const ic_problem *problem)
{
    return !solver->steps_over_events && ic_solver_solves(solver, problem);
}

double ic_rtol_for(const ic_solver *solver, double error)
{
    return solver->rtol_per_error > 0 ? solver->rtol_per_error * error : error;
}

double ic_verify_rtol(const ic_solver *solver)
{
    return ic_rtol_for(solver, IC_VERIFY_RTOL);
}

ic_log *ic_solve(const ic_solver *solver, const ic_problem *problem, const ic_options *options,
                 ic_status *status)
{
    ic_log *log = ic_log_new(problem);
    *status = log == NULL ? IC_NO_MEMORY : solver->solve(log, problem, options);
    return log;
}

const char *ic_failure_text(const ic_log *log, ic_status status)
{
    const char *text = log != NULL ? ic_log_text(log) : "";
    return text[0] != '\0' ? text : ic_status_text(status);
}

/* How names of solvers begin that are other packages'. */
static const char *const packages[] = {"cvode_", "arkode_", "odeint_", "gsl_"};

bool ic_is_peer(const char *solver)
{
    for (size_t i = 0; i < IC_COUNT(packages); i++) {
        if (strncmp(packages[i], solver, strlen(packages[i])) == 0) return true;
    }
    return false;
}
