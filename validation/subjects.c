/* SPDX-License-Identifier: MIT */
#include "validation/subjects.h"
#include "core/linear_view.h"
#include "registry/registry.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void ic_add_failure(ic_results *results, const char *check, const char *subject, const char *what,
                    const char *detail)
{
    ic_result row = ic_row(check, subject, NULL, "");
    snprintf(row.what, sizeof row.what, "%s", what);
    snprintf(row.detail, sizeof row.detail, "%.*s", (int)sizeof row.detail - 1, detail);
    ic_results_add(results, &row);
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
                ic_add_failure(results, check, path, "preset can be set up", error.text);
            }
        }
    }
}

bool ic_solver_solves(const ic_solver *solver, const ic_problem *problem)
{
    if ((solver->needs & IC_NEEDS_LINEAR_VIEW) != 0 && !ic_is_linear(problem->variant)) return false;
    if ((solver->needs & IC_NEEDS_EQUATIONS) != 0 && !ic_has_equations(problem->variant)) return false;
    if ((solver->needs & IC_NEEDS_IMPACT_VIEW) != 0 && problem->system->impact == NULL) return false;
    if ((solver->needs & IC_NEEDS_STOPS_VIEW) != 0 && problem->variant->stops == NULL) return false;
    return solver->variant == NULL || strcmp(solver->variant, problem->variant->name) == 0;
}

bool ic_solver_serves(const ic_solver *solver, const ic_problem *problem)
{
    return !solver->steps_over_events && ic_solver_solves(solver, problem);
}

const char *ic_solver_class(const ic_solver *solver)
{
    if ((solver->needs & IC_NEEDS_STOPS_VIEW) != 0) return "stops";
    if ((solver->needs & IC_NEEDS_EQUATIONS) != 0) return "equations";
    if ((solver->needs & (IC_NEEDS_LINEAR_VIEW | IC_NEEDS_IMPACT_VIEW)) == 0) return "any flow";
    return solver->control == IC_CONTROL_NONE ? "closed form" : "affine flow";
}

bool ic_solver_is_general(const ic_solver *solver)
{
    return (solver->needs & (IC_NEEDS_LINEAR_VIEW | IC_NEEDS_IMPACT_VIEW | IC_NEEDS_STOPS_VIEW)) == 0 &&
           !solver->steps_over_events;
}

double ic_rtol_for(const ic_solver *solver, double error)
{
    return solver->rtol_per_error > 0 ? solver->rtol_per_error * error : error;
}

double ic_verify_rtol(const ic_solver *solver)
{
    return ic_rtol_for(solver, ic_tolerance_verify_rtol.value);
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

/* ---- paths */

enum { MOST_SETTINGS = 8 };

/* Splits "a=1, b=2]" in place. */
static bool split_settings(char *text, const char **settings, size_t *count, ic_error *error)
{
    char *end = strchr(text, ']');
    *count = 0;
    if (end == NULL || end[1] != '\0') {
        ic_error_set(error, "settings must end with ']'");
        return false;
    }
    *end = '\0';
    for (char *at = text; *at != '\0';) {
        at += strspn(at, ", ");
        const size_t length = strcspn(at, ",");
        if (length == 0) break;
        if (*count == MOST_SETTINGS) {
            ic_error_set(error, "more than %d settings", MOST_SETTINGS);
            return false;
        }
        settings[(*count)++] = at;
        at += length;
        if (*at != '\0') *at++ = '\0';
    }
    return true;
}

/* "variant=NAME" and "until=TIME" are not parameters: they are removed from the settings. */
static void take_choices(ic_request *request, const char **settings)
{
    size_t kept = 0;
    for (size_t i = 0; i < request->n_settings; i++) {
        if (strncmp(settings[i], "variant=", strlen("variant=")) == 0) {
            request->variant = settings[i] + strlen("variant=");
        } else if (strncmp(settings[i], "until=", strlen("until=")) == 0) {
            request->until = settings[i] + strlen("until=");
        } else {
            settings[kept++] = settings[i];
        }
    }
    request->n_settings = kept;
}

char *ic_path_print(char path[IC_LONGEST_PATH + 1], const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(path, IC_LONGEST_PATH + 1, format, arguments);
    va_end(arguments);
    return path;
}

bool ic_path_open(ic_setup *setup, const char *path, ic_error *error)
{
    char copy[IC_LONGEST_PATH];
    const char *settings[MOST_SETTINGS];
    ic_request request = {.path = copy, .settings = settings};
    if (strlen(path) >= sizeof copy) {
        ic_error_set(error, "the path is longer than %d characters", IC_LONGEST_PATH - 1);
        return false;
    }
    memcpy(copy, path, strlen(path) + 1);
    char *bracket = strchr(copy, '[');
    if (bracket != NULL) {
        *bracket = '\0';
        if (!split_settings(bracket + 1, settings, &request.n_settings, error)) return false;
        take_choices(&request, settings);
    }
    return ic_setup_open(setup, &request, error);
}

/* ---- solvers */

/* Relative tolerance of an adaptive solver: 1e3 below the 8 digits that the tightest claim has. */
#define TRUSTED_RTOL 1e-11

ic_options ic_trusted_options(const ic_problem *problem)
{
    return ic_options_resolved(problem, &(ic_options){.rtol = TRUSTED_RTOL});
}
