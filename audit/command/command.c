/* SPDX-License-Identifier: MIT */
#include "audit/command/command.h"
#include "audit/common/process.h"
#include "audit/common/tolerances.h"
#include "core/model.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_ARGUMENTS = 128, ARGUMENT_LENGTH = 160, LEAST_ROWS = 201, MOST_ROWS = 20001 };

/* Accumulated rounding of times over a run. */
#define HALF_WAY 1e-6
/* Distance of rows on a grid of their own over the requested one. */
#define GRID 1.1

/* ---- one run */

typedef struct argument_list {
    char text[MOST_ARGUMENTS][ARGUMENT_LENGTH];
    const char *pointers[MOST_ARGUMENTS + 1];
    size_t n;
} argument_list;

static void add_text(argument_list *list, const char *name, const char *value)
{
    if (list->n == MOST_ARGUMENTS) return;
    snprintf(list->text[list->n], ARGUMENT_LENGTH, "--%s=%s", name, value);
    list->pointers[list->n] = list->text[list->n];
    list->n++;
}

static void add_number(argument_list *list, const char *name, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.17g", value);
    add_text(list, name, text);
}

static void add_arguments(argument_list *list, const ic_command_request *request)
{
    const ic_problem *problem = request->problem;
    add_text(list, "case", problem->system->name);
    add_text(list, "variant", problem->variant->name);
    for (size_t i = 0; i < problem->system->n_parameters; i++)
        add_number(list, problem->system->parameters[i].name, problem->par[i]);
    add_number(list, "until", problem->t_end);
    add_number(list, "samples", (double)request->samples);
    add_number(list, "step", request->step);
    add_number(list, "rtol", request->rtol);
}

static FILE *write_input(const ic_command *command, const ic_command_request *request)
{
    FILE *input = tmpfile();
    if (input == NULL) return NULL;
    const bool good = command->options || command->write(input, request, command->context);
    if (good && fflush(input) == 0) {
        rewind(input);
        return input;
    }
    fclose(input);
    return NULL;
}

static bool run_program(ic_trajectory *rows, ic_command_audit *audit, const ic_command *command,
                        const ic_command_request *request, const char *const *arguments, ic_mistake_id *cause,
                        ic_error *error)
{
    static const ic_mistake_id causes[] = {[IC_PROGRAM_CRASHED] = IC_MISTAKE_CRASHES,
                                           [IC_PROGRAM_LIMITED] = IC_MISTAKE_LIMIT_EXCEEDED,
                                           [IC_PROGRAM_HUNG] = IC_MISTAKE_HANGS,
                                           [IC_PROGRAM_FLOODS] = IC_NO_MISTAKE};
    FILE *input = write_input(command, request);
    if (input == NULL) {
        ic_error_set(error, "no temporary file for the request: the command was not run");
        return false;
    }
    ic_program_run ran = ic_program_start(command->line, arguments, input, command->seconds);
    bool good = ran.end == IC_PROGRAM_GOOD;
    fclose(input);
    audit->runs++;
    if (ran.end == IC_PROGRAM_REFUSED) snprintf(audit->refused, sizeof audit->refused, "%s", ran.detail);
    *cause = causes[ran.end];
    if (!good) ic_error_set(error, "command '%s': %s", command->line, ran.detail);
    else good = ic_trajectory_read(rows, ran.output, audit->name, request->problem, &command->reading, error);
    ic_program_close(&ran);
    return good;
}

bool ic_command_ask(ic_trajectory *rows, ic_command_audit *audit, const ic_command *command,
                    const ic_command_request *request, ic_mistake_id *cause, ic_error *error)
{
    argument_list *list = calloc(1, sizeof *list);
    bool good = false;
    *rows = (ic_trajectory){0};
    if (list != NULL) {
        if (command->options) add_arguments(list, request);
        good = run_program(rows, audit, command, request, list->pointers, cause, error);
    } else ic_error_set(error, "memory ran out");
    free(list);
    return good;
}

/* ---- checks of the first run apart from those of its rows */

static void check_start(ic_command_audit *audit)
{
    const ic_trajectory *tr = &audit->trajectory;
    const ic_problem *problem = audit->request.problem;
    double scale[IC_MAX_STATES], worst = 0;
    size_t state = 0;
    ic_state_scales(problem, scale);
    for (size_t i = 0; i < tr->n_states; i++) {
        if (tr->source[i] != IC_FROM_FILE) continue;
        const double off = fabs(tr->x[i] - audit->request.x_start[i]) / scale[i];
        if (!(off <= worst)) worst = off, state = i;
    }
    ic_finding f = ic_finding_of(&ic_plugin_checks[IC_CHECK_COMMAND_START], &audit->rows.tracking, worst,
                                 ic_tolerance_start_state.value, "1");
    snprintf(f.origin, sizeof f.origin, "%s", ic_tolerance_start_state.derivation);
    const double late = tr->t[0] - problem->t_start;
    if (fabs(late) > ic_tolerance_start_state.value * (problem->t_end - problem->t_start)) {
        f.verdict = IC_FINDING_FAIL;
        snprintf(f.detail, sizeof f.detail, "the first row is at t = %.9g s instead of %.9g s", tr->t[0],
                 problem->t_start);
    } else {
        snprintf(f.detail, sizeof f.detail, "%s starts at %.9g, requested: %.9g",
                 problem->system->states[state].name, tr->x[state], audit->request.x_start[state]);
    }
    ic_findings_add(&audit->rows.findings, &f);
}

static void check_end(ic_command_audit *audit)
{
    const ic_trajectory *tr = &audit->trajectory;
    const double t_start = audit->request.problem->t_start, t_end = ic_reference_run_end(&audit->reference);
    const double left = (t_end - tr->t[tr->n - 1]) / (t_end - t_start);
    ic_finding f = ic_finding_of(&ic_plugin_checks[IC_CHECK_COMMAND_END], &audit->rows.tracking, left,
                                 ic_tolerance_end_of_rows.value, "1");
    ic_tolerance_origin(f.origin, sizeof f.origin, &ic_tolerance_end_of_rows);
    snprintf(f.detail, sizeof f.detail, "the last row is at t = %.9g s, the end at %.9g s", tr->t[tr->n - 1],
             t_end);
    ic_findings_add(&audit->rows.findings, &f);
}

/*
 * Requested instants without a row within half of their spacing. Rows may lie on a grid of their own: one row for each
 * whole number of steps, which rounds their distance by a step, and a tenth more or fewer rows than requested.
 */
static size_t count_missing(const ic_trajectory *tr, const ic_command_request *request, double t_end)
{
    const double t_start = request->problem->t_start;
    const double spacing = (request->problem->t_end - t_start) / (double)(request->samples - 1);
    const double near = (GRID * spacing + request->step) / 2 * (1 + HALF_WAY);
    size_t missing = 0, row = 0;
    for (size_t k = 0; k < request->samples; k++) {
        const double t = t_start + (double)k * spacing;
        if (t > t_end) break;
        while (row + 1 < tr->n && tr->t[row] < t - near) row++;
        missing += !(fabs(tr->t[row] - t) <= near);
    }
    return missing;
}

static void check_rows(ic_command_audit *audit)
{
    const ic_trajectory *tr = &audit->trajectory;
    const ic_command_request *request = &audit->request;
    const size_t missing = count_missing(tr, request, ic_reference_run_end(&audit->reference));
    ic_finding f =
        ic_finding_of(&ic_plugin_checks[IC_CHECK_COMMAND_SAMPLES], &audit->rows.tracking, (double)missing,
                      1 + ic_tolerance_end_of_rows.value * (double)request->samples, "rows");
    snprintf(f.origin, sizeof f.origin, "the last one and %g of the requested ones: %s",
             ic_tolerance_end_of_rows.value, ic_tolerance_end_of_rows.derivation);
    snprintf(f.detail, sizeof f.detail,
             "%zu rows arrived, %zu were requested (samples); %zu of the requested times have none", tr->n,
             request->samples, missing);
    if (f.verdict == IC_FINDING_FAIL) f.cause = IC_MISTAKE_ROWS_MISSING;
    ic_findings_add(&audit->rows.findings, &f);
}

/* ---- the audit */

static ic_command_request first_request(const ic_command *command, const ic_problem *problem,
                                        const ic_reference_run *reference)
{
    const double typical = ic_time_scale(problem);
    const double rows = IC_COMMAND_ROWS * (problem->t_end - problem->t_start) / typical;
    return (ic_command_request){
        .problem = problem,
        .x_start = reference->x_start,
        .mode_start = reference->mode_start,
        .step = command->step > 0 ? command->step : typical / IC_COMMAND_STEPS,
        .rtol = command->rtol > 0 ? command->rtol : IC_COMMAND_RTOL,
        .samples =
            command->samples > 0 ? command->samples : (size_t)fmin(MOST_ROWS, fmax(LEAST_ROWS, ceil(rows) + 1)),
    };
}

ic_command_end ic_audit_command(ic_command_audit *audit, const ic_command *command, const ic_problem *problem,
                                ic_error *error)
{
    *audit = (ic_command_audit){0};
    snprintf(audit->name, sizeof audit->name, "output of '%.120s'", command->line);
    if (!ic_reference_run_open(&audit->reference, problem, error)) return IC_COMMAND_WRONG;
    audit->request = first_request(command, problem, &audit->reference);
    const double began = ic_process_now();
    ic_mistake_id cause = IC_NO_MISTAKE;
    if (!ic_command_ask(&audit->trajectory, audit, command, &audit->request, &cause, error))
        return cause == IC_NO_MISTAKE ? IC_COMMAND_WRONG : IC_COMMAND_CRASHED;
    audit->seconds = ic_process_now() - began;
    if (audit->trajectory.n == 0) return IC_COMMAND_WRONG; /* no reader returns that */
    if (!ic_audit_trajectory(&audit->rows, &audit->trajectory, problem, &command->rows))
        return IC_COMMAND_NO_MEMORY;
    check_rows(audit);
    check_start(audit);
    check_end(audit);
    if (!ic_audit_reruns(audit, command)) return IC_COMMAND_NO_MEMORY;
    if (ic_findings_with(&audit->rows.findings, IC_FINDING_FAIL) == 0)
        ic_audit_other_parameters(audit, command);
    return audit->rows.findings.no_memory ? IC_COMMAND_NO_MEMORY : IC_COMMAND_AUDITED;
}

bool ic_command_crashed(const ic_command_audit *audit)
{
    for (size_t i = 0; i < audit->rows.findings.count; i++) {
        const ic_mistake_id cause = audit->rows.findings.rows[i].cause;
        if (cause == IC_MISTAKE_CRASHES || cause == IC_MISTAKE_HANGS || cause == IC_MISTAKE_LIMIT_EXCEEDED)
            return true;
    }
    return false;
}

void ic_command_audit_close(ic_command_audit *audit)
{
    ic_trajectory_audit_close(&audit->rows);
    ic_trajectory_close(&audit->trajectory);
    ic_reference_run_close(&audit->reference);
}
