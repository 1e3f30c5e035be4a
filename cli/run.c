/* SPDX-License-Identifier: MIT */
/* impactcheck run: one simulation. */
#include "cli/command.h"
#include "cli/derivative.h"
#include "cli/hdf5_file.h"
#include "cli/instance.h"
#include "cli/plot.h"
#include "cli/result.h"
#include "cli/sketch.h"
#include "cli/terminal.h"
#include "core/linear_view.h"
#include "core/model.h"
#include "registry/registry.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Four rounding errors: no step can be more accurate. */
#define LEAST_RTOL (4 * DBL_EPSILON)

enum {
    SOLVER,
    VARIANT,
    SET,
    UNTIL,
    RTOL,
    STEP,
    EVENT_TOL,
    DERIVATIVE,
    SAMPLES,
    TRAJECTORY,
    FROM,
    SKETCH,
    PLOT,
    SHOW,
    ALL_EVENTS,
    VERBOSE,
    JSON,
    QUIET
};

static const cli_option options[] = {
    [SOLVER] = {CLI_OPTION_SOLVER},
    [VARIANT] = {CLI_OPTION_VARIANT},
    [SET] = {CLI_OPTION_SET},
    [UNTIL] = {CLI_OPTION_UNTIL},
    [RTOL] = {CLI_OPTION_RTOL},
    [STEP] = {"--step", "H",
              "step, in s, of solvers with a fixed step, default the case's typical time / 1000; "
              "longest step of others, default none",
              false},
    [EVENT_TOL] = {CLI_OPTION_EVENT_TOL},
    [DERIVATIVE] =
        {"--derivative", "NAME,...",
         "solve for the derivatives by parameters or states at the start, too, as states X_by_NAME; t_by_NAME is "
         "that of the last event's time",
         false},
    [SAMPLES] =
        {"--samples", "N",
         "number of equidistant samples, both ends included, for --trajectory (default 1001) and --json (default none)",
         false},
    [TRAJECTORY] =
        {"--trajectory", "FILE",
         "write samples, peaks of outputs between them, and both sides of every event: FILE.h5 as HDF5, else as CSV",
         false},
    [FROM] = {"--from", "T", "time, in s, from which on --trajectory has rows; default: all rows", false},
    [SKETCH] = {"--sketch", "FILE",
                "draw the machine as SVG: at the start, and faintly at the end; its case file has the sketch",
                false},
    [PLOT] = {CLI_OPTION_PLOT("draw what --show names, with peaks of outputs between samples")},
    [SHOW] = {CLI_OPTION_SHOW},
    [ALL_EVENTS] = {"--all-events", NULL, "show every event, not only the first ten and the last five", false},
    [VERBOSE] =
        {"--verbose", NULL,
         "as -v: also show internal states in tables: signs of kinks, memories of contacts, times of delays",
         false},
    [JSON] = {CLI_OPTION_JSON},
    [QUIET] = {"--quiet", NULL,
               "no tables, remarks or progress; --json, --trajectory, --sketch and --plot are still written",
               false},
};

/* Without samples for the user, so many are held against the text. */
enum { DEFAULT_SAMPLES = 1001, MOST_SAMPLES = 1000000, JUDGED_SAMPLES = 17 };

/* Steps that a run may take: the solvers' own limit, reported before the work and not after it. */
#define MOST_STEPS 1e8

typedef struct run_plan {
    const cli_arguments *arguments;
    cli_instance instance;

    /* by what it is differentiated */
    cli_directions directions;

    const ic_solver *solver;
    ic_options options;
    cli_file trajectory, sketch;

    /* with what it shows; NULL: no figure */
    cli_figure figure;
    cli_plot *shown;

    /* rows of the trajectory begin there; -INFINITY: at the start */
    double from;
} run_plan;

/* ---- the instance */

static bool choose_solver(run_plan *plan)
{
    const cli_arguments *arguments = plan->arguments;
    ic_error error;
    if (!cli_has(arguments, SOLVER)) {
        plan->solver = ic_accurate_solver(plan->instance.setup.problem.variant);
        return true;
    }
    plan->solver = cli_solver(arguments, SOLVER);
    return plan->solver != NULL && (ic_setup_for_solver(&plan->instance.setup, plan->solver, &error) ||
                                    cli_refuse(arguments->command, "%s", error.text));
}

static bool read_accuracy(run_plan *plan)
{
    const cli_arguments *arguments = plan->arguments;
    const ic_problem *problem = &plan->instance.setup.problem;
    const double span = problem->t_end - problem->t_start;
    ic_options *o = &plan->options;
    if (!cli_positive(arguments, RTOL, 1, &o->rtol) || !cli_positive(arguments, STEP, INFINITY, &o->step) ||
        !cli_positive(arguments, EVENT_TOL, INFINITY, &o->event_tol)) {
        return false;
    }
    if (o->rtol > 0 && o->rtol < LEAST_RTOL)
        return cli_refuse(arguments->command,
                          "option --rtol: %s is below the rounding of double precision; use at least %.1g",
                          cli_value(arguments, RTOL), LEAST_RTOL);
    if (plan->solver->control != IC_CONTROL_NONE && o->step > 0 && span / o->step > MOST_STEPS)
        return cli_refuse(arguments->command,
                          "option --step: %s s means %.3g steps until t = %g s; at most %g are taken",
                          cli_value(arguments, STEP), span / o->step, problem->t_end, MOST_STEPS);
    return true;
}

/* Whether rows are written to a file, or drawn. */
static bool has_rows(const cli_arguments *arguments)
{
    return cli_has(arguments, TRAJECTORY) || cli_has(arguments, PLOT);
}

static bool read_samples(run_plan *plan)
{
    const cli_arguments *arguments = plan->arguments;
    const bool has_trajectory = has_rows(arguments);
    size_t samples = has_trajectory ? DEFAULT_SAMPLES : 0;
    if (!cli_whole(arguments, SAMPLES, 2, MOST_SAMPLES, &samples)) return false;
    if (cli_has(arguments, SAMPLES) && !has_trajectory && !cli_has(arguments, JSON))
        return cli_refuse(
            arguments->command,
            "option --samples requires --trajectory FILE or --json, to which samples are written");
    if (cli_has(arguments, FROM) && !has_trajectory)
        return cli_refuse(arguments->command,
                          "option --from requires --trajectory FILE, whose rows begin at this time");
    if (!cli_positive(arguments, FROM, INFINITY, &plan->from)) return false;
    plan->options.samples = samples > 0 ? samples : JUDGED_SAMPLES;
    plan->options.extremes = true;
    return true;
}

static bool open_trajectory(run_plan *plan)
{
    const char *path = cli_value(plan->arguments, TRAJECTORY);
    ic_error error;
    if (path != NULL && cli_is_hdf5(path) && !cli_hdf5_can_be(path, &error))
        return cli_refuse(plan->arguments->command, "option --trajectory: %s", error.text);
    return cli_file_open_option(&plan->trajectory, plan->arguments, TRAJECTORY);
}

static bool open_sketch(run_plan *plan)
{
    const ic_case *system = plan->instance.setup.problem.system;
    if (cli_has(plan->arguments, SKETCH) && system->n_shapes == 0)
        return cli_refuse(plan->arguments->command,
                          "option --sketch: case '%s' has no sketch; a case file states one in 'sketch'",
                          system->name);
    return cli_file_open_option(&plan->sketch, plan->arguments, SKETCH);
}

static bool open_plot(run_plan *plan)
{
    return cli_plot_open(&plan->shown, &plan->figure, plan->arguments, (const size_t[]){PLOT, SHOW, JSON},
                         plan->instance.setup.problem.system);
}

/* Names are those of the case, whose directions are read first. */
static bool derive(run_plan *plan)
{
    const ic_case *system = plan->instance.setup.problem.system;
    const char *names[IC_MAX_DIRECTIONS];
    if (!cli_has(plan->arguments, DERIVATIVE)) return true;
    if (!cli_directions_read(&plan->directions, plan->arguments, DERIVATIVE, &plan->instance.setup.problem))
        return false;
    for (size_t i = 0; i < plan->directions.n; i++)
        names[i] = cli_direction_name(system, &plan->directions.list[i]);
    return cli_instance_derive(&plan->instance, plan->arguments, names, plan->directions.n);
}

static bool make_plan(run_plan *plan)
{
    return cli_compatible(plan->arguments, ALL_EVENTS, QUIET, "no table is shown") &&
           cli_compatible(plan->arguments, ALL_EVENTS, JSON, "JSON has every event anyway") &&
           cli_compatible(plan->arguments, VERBOSE, QUIET, "no table is shown") &&
           cli_compatible(plan->arguments, VERBOSE, JSON, "JSON has every state anyway") &&
           cli_instance_open(&plan->instance, plan->arguments, VARIANT, SET, UNTIL) && derive(plan) &&
           choose_solver(plan) && read_accuracy(plan) && read_samples(plan) && open_trajectory(plan) &&
           open_sketch(plan) && open_plot(plan);
}

/* ---- results */

static bool write_trajectory(run_plan *plan, cli_result *result)
{
    ic_error error;
    if (plan->trajectory.stream == NULL || !cli_result_reached_anything(result)) return true;
    bool good = true;
    if (cli_is_hdf5(cli_value(plan->arguments, TRAJECTORY)))
        good = cli_result_hdf5(result, &plan->trajectory, &error);
    else cli_result_trajectory(result, plan->trajectory.stream);
    if (good && cli_file_commit(&plan->trajectory, &error)) {
        result->trajectory = cli_value(plan->arguments, TRAJECTORY);
        return true;
    }
    cli_failure(plan->arguments->command, "%s", error.text);
    return false;
}

static bool write_sketch(run_plan *plan, const cli_result *result)
{
    FILE *sketch = plan->sketch.stream;
    if (sketch == NULL || cli_sketch_write(sketch, &plan->instance.setup.problem, result->log))
        return cli_file_finish(&plan->sketch, plan->arguments, NULL);
    cli_failure(plan->arguments->command,
                "option --sketch: no shape can be drawn, because no coordinates are finite, or memory ran out");
    return false;
}

/* Text on the terminal comes after the tables. */
static bool write_plot(run_plan *plan, const cli_result *result)
{
    if (plan->shown == NULL) return true;
    cli_plot_draw(plan->shown, result, "");
    return cli_figure_finish(&plan->figure, plan->arguments,
                             cli_plot_figure(plan->shown, "", &plan->instance.setup.problem));
}

static int report_run(run_plan *plan, cli_result *result)
{
    const cli_arguments *arguments = plan->arguments;
    const char *detail = ic_log_text(result->log);
    const bool invalid = result->status == IC_INVALID;
    const bool empty = invalid || result->status == IC_NO_MEMORY;
    bool good = empty || (write_trajectory(plan, result) && write_sketch(plan, result));
    if (invalid) {
        /* No result was computed. */
    } else if (cli_has(arguments, JSON)) {
        cli_result_json(result, stdout);
    } else if (!cli_has(arguments, QUIET) && cli_result_reached_anything(result) && !cli_result_print(result)) {
        return cli_no_memory(arguments->command);
    }
    good = good && (empty || write_plot(plan, result));
    fflush(stdout); /* Print the part that was reached before the reason for which it ends. */
    if (result->defect.status == IC_CONTRADICTED && !invalid)
        cli_failure(arguments->command,
                    "%s; a smaller tolerance or another solver may follow it, otherwise it is a fault of ours",
                    result->defect.reason);
    if (result->status == IC_OK) return good && result->defect.status == IC_OK ? CLI_GOOD : CLI_FAILURE;
    cli_failure(arguments->command, "%s: %s%s%s", plan->solver->name, ic_status_text(result->status),
                detail[0] == '\0' ? "" : "; ", detail);
    return invalid ? CLI_BAD_INPUT : CLI_FAILURE;
}

/*
 * Fraction of the time before an event by which samples may lie beyond it: no sample is then lost,
 * and the event is included.
 */
#define JUST_BEYOND 1e-9

/* Samples are spread over the run, which a terminal mode may end long before the preset's end. */
static double sampled_end(const run_plan *plan)
{
    const ic_problem *problem = &plan->instance.setup.problem;
    ic_options without_samples = plan->options;
    double t_end = problem->t_end;
    without_samples.samples = 0;
    without_samples.extremes = false;
    ic_log *log = ic_log_new(problem);
    if (log != NULL && plan->solver->solve(log, problem, &without_samples) == IC_OK) {
        const ic_sample end = ic_log_end(log);
        const bool over = problem->variant->modes[end.mode].terminal && end.t > problem->t_start;
        if (over) t_end = fmin(t_end, end.t + JUST_BEYOND * (end.t - problem->t_start));
    }
    ic_log_free(log);
    return t_end;
}

static bool may_end_early(const ic_variant *variant)
{
    for (size_t i = 0; i < variant->n_modes; i++) {
        if (variant->modes[i].terminal) return true;
    }
    return false;
}

static ic_status solve_to_its_end(run_plan *plan, ic_log *log)
{
    ic_problem *problem = &plan->instance.setup.problem;
    const ic_problem asked = *problem;
    const bool given = cli_has(plan->arguments, UNTIL);
    const bool shown = cli_has(plan->arguments, SAMPLES) || has_rows(plan->arguments);
    if (shown && !given && may_end_early(problem->variant)) {
        problem->t_end = sampled_end(plan);
        problem->t_end_text = NULL;
    }
    ic_status status = IC_OK;
    if (shown) status = ic_log_keep_peaks(log, plan->options.samples);
    if (status == IC_OK) status = plan->solver->solve(log, problem, &plan->options);
    *problem = asked;
    return status;
}

static int solve_problem(run_plan *plan)
{
    const ic_problem *problem = &plan->instance.setup.problem;
    const bool quiet = cli_has(plan->arguments, QUIET);
    ic_log *log = ic_log_new(problem);
    if (log == NULL) return cli_no_memory(plan->arguments->command);
    cli_progress_begin(plan->solver->name, quiet);
    const ic_status status = solve_to_its_end(plan, log);
    cli_progress_end();
    cli_result result = {
        .instance = &plan->instance,
        .solver = plan->solver,
        .log = log,
        .work = *ic_log_work(log),
        .status = status,
        .with_samples = cli_has(plan->arguments, SAMPLES),
        .all_events = cli_has(plan->arguments, ALL_EVENTS),
        .verbose = cli_has(plan->arguments, VERBOSE),
        .from = plan->from,
    };
    if (result.with_samples || has_rows(plan->arguments)) result.peaks = ic_log_peaks(log, &result.n_peaks);
    if (plan->solver->steps_over_events)
        result.defect = (ic_defect){.greatest = NAN, .t = NAN, .reason = "the solver steps over events"};
    else ic_judge_defect(&result.defect, log, NULL);
    const int exit_status = report_run(plan, &result);
    ic_log_free(log);
    return exit_status;
}

static int run_run(const cli_arguments *arguments)
{
    run_plan plan = {.arguments = arguments, .from = -INFINITY};
    int status = CLI_BAD_INPUT;
    if (make_plan(&plan)) {
        if (!cli_has(plan.arguments, QUIET)) cli_remark_on_control(plan.arguments, plan.solver, RTOL, STEP);
        status = solve_problem(&plan);
    }
    cli_file_discard(&plan.trajectory);
    cli_file_discard(&plan.sketch);
    cli_figure_discard(&plan.figure);
    cli_plot_free(plan.shown);
    cli_instance_close(&plan.instance);
    return status;
}

const cli_command cli_run = {
    .name = "run",
    .operands = "CASE/PRESET",
    .least = 1,
    .most = 1,
    .title = "One simulation: events, final state, extremes of the outputs, work.",
    .details =
        "impactcheck list presets names the presets; a case alone means its first. "
        "Numbers may be 0.1, 5e6, 3/2, 80pi, pi/6.\n"
        "A solver made for one contact model (modal_closed_form, newton, poisson, stronge) solves the problem in the "
        "variant of that model, even if the preset has another one. "
        "In rigid variants t is the normal impulse over m |vy|.\n"
        "Files are written as a whole or not at all. "
        "A run that stops early (exit status 3) still shows what it reached.",
    CLI_OPTIONS(options),
    .run = run_run,
};
