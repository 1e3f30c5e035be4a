/* SPDX-License-Identifier: MIT */
/* impactcheck optimise: parameters that minimise an output. */
#include "sweep/optimise.h"
#include "cli/command.h"
#include "cli/instance.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "cli/units.h"
#include "core/linear_view.h"
#include "registry/registry.h"
#include "reports/json.h"
#include "reports/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MINIMISE, OVER, SUBJECT_TO, RUNS, SOLVER, VARIANT, SET, UNTIL, RTOL, JSON, QUIET };

static const cli_option options[] = {
    [MINIMISE] =
        {"--minimise", "OUTPUT[:max|:min]",
         "the output to minimise: its value at the end of the run, or its greatest or least value over the run",
         false},
    [OVER] = {"--over", "NAME=LOW:HIGH[:log]",
              "a parameter that may be changed, and its range, with even or (log) logarithmic scaling; "
              "give the option again for more",
              true},
    [SUBJECT_TO] = {"--subject-to", "OUTPUT[:max|:min]<=VALUE",
                    "a bound that must hold, or >=VALUE; `start` is the value before the search; "
                    "give the option again for more",
                    true},
    [RUNS] = {"--runs", "N", "greatest number of runs; default 1000", false},
    [SOLVER] = {CLI_OPTION_SOLVER},
    [VARIANT] = {CLI_OPTION_VARIANT},
    [SET] = {CLI_OPTION_SET},
    [UNTIL] = {CLI_OPTION_UNTIL},
    [RTOL] = {CLI_OPTION_RTOL},
    [JSON] = {CLI_OPTION_JSON},
    [QUIET] = {"--quiet", NULL, "no tables or progress; only the exit status", false},
};

enum { DEFAULT_RUNS = 1000, MOST_RUNS = 1000000, DIGITS = 6 };

typedef struct optimise_plan {
    const cli_arguments *arguments;
    const char **settings, **over, **subject_to;
    cli_instance instance;
    ic_optimise_request asked;
    ic_optimisation optimisation;
    ic_status status;
} optimise_plan;

/* ---- the instance */

static bool read_lists(optimise_plan *plan)
{
    const cli_arguments *arguments = plan->arguments;
    plan->settings = cli_settings(arguments, SET, &plan->asked.request.n_settings);
    if (plan->settings == NULL) return false;
    plan->over = calloc(arguments->n_given + 1, sizeof *plan->over);
    plan->subject_to = calloc(arguments->n_given + 1, sizeof *plan->subject_to);
    if (plan->over == NULL || plan->subject_to == NULL) {
        cli_no_memory(arguments->command);
        return false;
    }
    plan->asked.n_over = cli_values(arguments, OVER, plan->over);
    for (size_t i = 0; i < plan->asked.n_over; i++) {
        plan->over[i] = cli_setting_in_si(arguments->command, arguments->operands[0], plan->over[i]);
        if (plan->over[i] == NULL) return false;
    }
    plan->asked.n_subject_to = cli_values(arguments, SUBJECT_TO, plan->subject_to);
    plan->asked.request.settings = plan->settings;
    plan->asked.over = plan->over;
    plan->asked.subject_to = plan->subject_to;
    return true;
}

static bool has_what_it_needs(const cli_arguments *arguments)
{
    if (!cli_has(arguments, MINIMISE) || !cli_has(arguments, OVER))
        return cli_refuse(arguments->command, "option %s is missing: %s",
                          cli_has(arguments, MINIMISE) ? "--over" : "--minimise",
                          cli_has(arguments, MINIMISE) ? "name a parameter that may be changed"
                                                       : "name the output to minimise");
    return cli_compatible(arguments, JSON, QUIET, "");
}

static bool make_plan(optimise_plan *plan)
{
    const cli_arguments *arguments = plan->arguments;
    ic_error error;
    plan->asked.most_runs = DEFAULT_RUNS;
    if (!has_what_it_needs(arguments) || !read_lists(plan) ||
        !cli_instance_open(&plan->instance, arguments, VARIANT, SET, UNTIL) ||
        !cli_whole(arguments, RUNS, 1, MOST_RUNS, &plan->asked.most_runs) ||
        !cli_positive(arguments, RTOL, 1, &plan->asked.options.rtol)) {
        return false;
    }
    plan->asked.solver = cli_has(arguments, SOLVER) ? cli_solver(arguments, SOLVER)
                                                    : ic_accurate_solver(plan->instance.setup.problem.variant);
    if (plan->asked.solver == NULL) return false;
    plan->asked.request.path = arguments->operands[0];
    plan->asked.request.variant = cli_value(arguments, VARIANT);
    plan->asked.request.until = cli_value(arguments, UNTIL);
    if (!cli_time_in_si(arguments->command, &plan->asked.request.until)) return false;
    plan->asked.minimise = cli_value(arguments, MINIMISE);
    if (ic_optimise_open(&plan->optimisation, &plan->asked, &error)) return true;
    return cli_refuse(arguments->command, "%s", error.text);
}

/* ---- for people */

static void add_number(cli_table *table, double value)
{
    cli_table_cell(table, ic_number_short(value, DIGITS).text);
}

static void output_row(cli_table *table, const optimise_plan *plan, ic_goal goal, double start, double best,
                       const char *bound)
{
    static const char *const words[] = {
        [IC_MEASURE_FINAL] = "", [IC_MEASURE_MIN] = ":min", [IC_MEASURE_MAX] = ":max"};
    const ic_output *output = &plan->optimisation.setup.problem.system->outputs[goal.output];
    char name[80];
    snprintf(name, sizeof name, "%s%s", output->name, words[goal.measure]);
    CLI_ROW(table, name, output->unit);
    add_number(table, start);
    add_number(table, best);
    cli_table_cell(table, bound);
}

static bool print_parameters(const optimise_plan *plan)
{
    const ic_optimisation *o = &plan->optimisation;
    cli_table *table = cli_table_of("parameter|from.|to.|start.|found.");
    for (size_t i = 0; i < o->range.n_axes; i++) {
        cli_table_cell(table, o->range.axes[i].name);
        add_number(table, o->range.axes[i].from);
        add_number(table, o->range.axes[i].to);
        add_number(table, o->start.value[i]);
        add_number(table, o->best.value[i]);
    }
    return cli_table_finish(table, 2, true);
}

static bool print_outputs(const optimise_plan *plan)
{
    const ic_optimisation *o = &plan->optimisation;
    cli_table *table = cli_table_of("output|unit|start.|found.|bound");
    output_row(table, plan, o->goal, o->start.objective, o->best.objective, "minimised");
    for (size_t i = 0; i < o->n_bounds; i++) {
        char bound[64];
        snprintf(bound, sizeof bound, "at %s %s", o->bounds[i].side > 0 ? "most" : "least",
                 ic_number_short(o->bounds[i].limit, DIGITS).text);
        output_row(table, plan, o->bounds[i].goal, o->start.bound[i], o->best.bound[i], bound);
    }
    return cli_table_finish(table, 2, true);
}

static bool print_text(const optimise_plan *plan)
{
    const ic_optimisation *o = &plan->optimisation;
    if (!cli_instance_print(&plan->instance, "solver", plan->asked.solver->name)) return false;
    printf("\n");
    if (!print_parameters(plan)) return false;
    printf("\n");
    if (!print_outputs(plan)) return false;
    printf("\n%zu runs, %zu of them failed%s%s\n", o->runs, o->failed, o->failed > 0 ? "; the first: " : "",
           o->why);
    if (!isfinite(o->best.objective)) return true;
    printf("As settings:");
    for (size_t i = 0; i < o->range.n_axes; i++)
        printf(" --set %s=%s", o->range.axes[i].name, ic_number_exact(o->best.value[i]).text);
    printf("\n");
    return true;
}

/* ---- for programs */

static void json_design(ic_json *json, const optimise_plan *plan, const char *key, const ic_design *design)
{
    const ic_optimisation *o = &plan->optimisation;
    if (!isfinite(design->objective)) {
        ic_json_null(json, key);
        return;
    }
    ic_json_object(json, key);
    ic_json_object_line(json, "parameters");
    for (size_t i = 0; i < o->range.n_axes; i++) ic_json_number(json, o->range.axes[i].name, design->value[i]);
    ic_json_end(json);
    ic_json_number(json, "objective", design->objective);
    ic_json_array_line(json, "bounds");
    for (size_t i = 0; i < o->n_bounds; i++) ic_json_number(json, NULL, design->bound[i]);
    ic_json_end(json);
    ic_json_bool(json, "allowed", design->allowed);
    ic_json_end(json);
}

static void print_json(const optimise_plan *plan)
{
    const ic_optimisation *o = &plan->optimisation;
    ic_json json = ic_json_to(stdout);
    ic_json_object(&json, NULL);
    IC_JSON_MEMBERS(&json, IC_TEXT("case", o->setup.problem.system->name),
                    IC_TEXT("preset", o->setup.preset->name),
                    IC_TEXT("variant", o->setup.problem.variant->name),
                    IC_TEXT("solver", plan->asked.solver->name), IC_TEXT("minimise", plan->asked.minimise));
    ic_json_array_line(&json, "subject_to");
    for (size_t i = 0; i < o->n_bounds; i++) ic_json_text(&json, NULL, plan->subject_to[i]);
    ic_json_end(&json);
    json_design(&json, plan, "start", &o->start);
    json_design(&json, plan, "best", &o->best);
    IC_JSON_MEMBERS(&json, IC_WHOLE("runs", o->runs), IC_WHOLE("failed", o->failed));
    ic_json_end(&json);
}

/* ---- end of the search */

static int report_optimum(const optimise_plan *plan)
{
    const cli_arguments *arguments = plan->arguments;
    if (plan->status == IC_NO_MEMORY) return cli_no_memory(arguments->command);
    if (cli_has(arguments, JSON)) print_json(plan);
    else if (!cli_has(arguments, QUIET) && !print_text(plan)) return cli_no_memory(arguments->command);
    if (isfinite(plan->optimisation.best.objective)) return CLI_GOOD;
    fflush(stdout);
    cli_remark(arguments->command, "no run kept all bounds");
    return CLI_CHECK_FAILED;
}

static int run_optimise(const cli_arguments *arguments)
{
    optimise_plan plan = {.arguments = arguments};
    int status = CLI_BAD_INPUT;
    if (make_plan(&plan)) {
        cli_progress_begin("searching", cli_has(arguments, QUIET));
        plan.status = ic_optimise(&plan.optimisation);
        cli_progress_end();
        status = report_optimum(&plan);
    }
    ic_optimise_close(&plan.optimisation);
    cli_instance_close(&plan.instance);
    free(plan.settings);
    free(plan.over);
    free(plan.subject_to);
    return status;
}

const cli_command cli_optimise = {
    .name = "optimise",
    .operands = "CASE/PRESET",
    .least = 1,
    .most = 1,
    .title = "Finds parameters that minimise an output, subject to bounds on other outputs.",
    .details =
        "The search begins at the values of the preset and --set, needs no derivatives (COBYLA of NLopt), and restarts around the best point found until a restart gains less than a thousandth. "
        "It finds a nearby optimum, which need not be the global one.\n"
        "LOW, HIGH and VALUE may be 0.1, 5e6, 3/2, 80pi, pi/6. Failed runs do not count; "
        "the number of failed runs is reported. Exit status 1: no run kept all bounds.",
    CLI_OPTIONS(options),
    .run = run_optimise,
};
