/* SPDX-License-Identifier: MIT */
/* impactcheck audit --command: a program that solves a case. */
#include "audit/command/command.h"
#include "cli/audit.h"
#include "cli/result.h"
#include "cli/terminal.h"
#include "core/composition.h"
#include "reports/json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_PHASES = 64, LEAST_SAMPLES = 2, MOST_SAMPLES = 1000000 };

/* ---- the request as JSON */

static bool write_request(FILE *input, const ic_command_request *request, void *context)
{
    const cli_instance *asked = context;
    const ic_problem *problem = request->problem;
    const ic_case *system = problem->system;
    ic_json json = ic_json_to(input);
    ic_json_object(&json, NULL);
    IC_JSON_MEMBERS(&json, IC_TEXT("case", system->name), IC_TEXT("preset", asked->setup.preset->name),
                    IC_TEXT("variant", problem->variant->name));
    ic_json_object_line(&json, "parameters");
    for (size_t i = 0; i < system->n_parameters; i++) {
        if (!ic_parameter_repeats(system->parameters, i))
            ic_json_number(&json, system->parameters[i].name, problem->par[i]);
    }
    ic_json_end(&json);
    ic_json_object(&json, "start");
    IC_JSON_MEMBERS(&json, IC_REAL("t", problem->t_start),
                    IC_TEXT("mode", cli_mode_name(problem, request->mode_start)));
    ic_json_object_line(&json, "state");
    for (size_t i = 0; i < system->n_states; i++)
        ic_json_number(&json, system->states[i].name, request->x_start[i]);
    ic_json_end(&json);
    ic_json_end(&json);
    IC_JSON_MEMBERS(&json, IC_REAL("until", problem->t_end), IC_WHOLE("samples", request->samples),
                    IC_REAL("step", request->step), IC_REAL("rtol", request->rtol));
    ic_json_end(&json);
    return ferror(input) == 0;
}

/* ---- options */

static bool read_request_format(const cli_arguments *arguments, bool *by_options)
{
    const char *format = cli_value(arguments, CLI_AUDIT_ASK);
    *by_options = format != NULL && strcmp(format, "options") == 0;
    if (format == NULL || *by_options || strcmp(format, "json") == 0) return true;
    return cli_refuse(arguments->command, "option --ask: '%s' is neither json nor options", format);
}

static bool read_command(const cli_arguments *arguments, ic_command *command)
{
    size_t seed = 0;
    if (!cli_audit_seed(arguments, &seed)) return false;
    command->seed = seed;
    command->line = cli_value(arguments, CLI_AUDIT_COMMAND);
    command->reading = cli_audit_reading(arguments);
    command->seconds = IC_COMMAND_TIME_LIMIT;
    command->phases = IC_COMMAND_PHASES;
    if (command->line[strspn(command->line, " \t\n")] == '\0')
        return cli_refuse(arguments->command,
                          "option --command is empty; give a command such as 'python3 my_engine.py'");
    return read_request_format(arguments, &command->options) &&
           cli_positive(arguments, CLI_AUDIT_TIME_LIMIT, INFINITY, &command->seconds) &&
           cli_positive(arguments, CLI_AUDIT_STEP, INFINITY, &command->step) &&
           cli_audit_trajectory_options(arguments, &command->rows) &&
           cli_positive(arguments, CLI_AUDIT_RTOL, 1, &command->rtol) &&
           cli_positive(arguments, CLI_AUDIT_ORDER, INFINITY, &command->order) &&
           cli_whole(arguments, CLI_AUDIT_SAMPLES, LEAST_SAMPLES, MOST_SAMPLES, &command->samples) &&
           cli_whole(arguments, CLI_AUDIT_PHASES, 2, MOST_PHASES, &command->phases);
}

static int report_audit(const cli_arguments *arguments, const cli_instance *instance, const ic_command *command,
                        const ic_command_audit *audit)
{
    const int status = cli_audit_report_rows(arguments, instance, &audit->rows);
    if (status == CLI_FAILURE) return status; /* This status has a message of its own. */
    cli_audit_remark_on_sources(arguments, &audit->trajectory, &instance->setup.problem);
    if (!cli_has(arguments, CLI_AUDIT_QUIET))
        cli_remark(arguments->command,
                   "it was run %zu times; the first took %.3g s; --seed %zu repeats what was drawn",
                   audit->runs, audit->seconds, (size_t)command->seed);
    return ic_command_crashed(audit) ? CLI_FAILURE : status;
}

static int audit_case(const cli_arguments *arguments, const cli_instance *instance, const ic_command *command)
{
    ic_command_audit audit;
    ic_error error = {""};
    int status = CLI_BAD_INPUT;
    cli_progress_begin("audit", cli_has(arguments, CLI_AUDIT_QUIET));
    const ic_command_end end = ic_audit_command(&audit, command, &instance->setup.problem, &error);
    cli_progress_end();
    if (audit.refused[0] != '\0') {
        ic_command_audit_close(&audit);
        return cli_failure(arguments->command, "%s", audit.refused);
    }
    switch (end) {
    case IC_COMMAND_AUDITED: status = report_audit(arguments, instance, command, &audit); break;
    case IC_COMMAND_WRONG: status = cli_bad_input(arguments->command, "%s", error.text); break;
    case IC_COMMAND_CRASHED: status = cli_failure(arguments->command, "%s", error.text); break;
    case IC_COMMAND_NO_MEMORY: status = cli_no_memory(arguments->command); break;
    }
    ic_command_audit_close(&audit);
    return status;
}

int cli_audit_command(const cli_arguments *arguments)
{
    cli_instance instance = {0};
    ic_command command = {.write = write_request, .context = &instance};
    const bool good = cli_audit_open_case(&instance, arguments) && read_command(arguments, &command);
    const int status = good ? audit_case(arguments, &instance, &command) : CLI_BAD_INPUT;
    cli_instance_close(&instance);
    return status;
}
