/* SPDX-License-Identifier: MIT */
/* impactcheck audit --trajectory: compares the rows of another program with a case. */
#include "audit/common/tolerances.h"
#include "audit/trajectory/trajectory_audit.h"
#include "cli/audit.h"
#include "cli/audit_rows.h"
#include "cli/instance.h"
#include "cli/plot.h"
#include "cli/terminal.h"
#include "core/input_file.h"
#include "core/names.h"
#include "registry/registry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every assumption is reported, but for discrete states that are followed, as those of kinks and elements. */
void cli_audit_remark_on_sources(const cli_arguments *arguments, const ic_trajectory *tr,
                                 const ic_problem *problem)
{
    static const char *const how[] = {
        [IC_FROM_FILE] = NULL,
        [IC_FROM_DIFFERENCES] = "computed from differences",
        [IC_FROM_MODEL] = "reconstructed from its own equation of motion",
        [IC_FROM_TRACKING] = "followed along the rows from the start of the case",
    };
    if (cli_has(arguments, CLI_AUDIT_QUIET)) return;
    for (size_t i = 0; i < tr->n_states; i++) {
        const bool followed = tr->source[i] == IC_FROM_TRACKING;
        if (how[tr->source[i]] == NULL || (followed && ic_state_is_discrete(problem->system, i))) continue;
        cli_remark(arguments->command, "%s is not in the file: %s", problem->system->states[i].name,
                   how[tr->source[i]]);
    }
}

ic_trajectory_reading cli_audit_reading(const cli_arguments *arguments)
{
    return (ic_trajectory_reading){cli_value(arguments, CLI_AUDIT_COLUMNS),
                                   cli_value(arguments, CLI_AUDIT_UNITS)};
}

bool cli_audit_trajectory_options(const cli_arguments *arguments, ic_trajectory_options *options)
{
    return cli_positive(arguments, CLI_AUDIT_ACCEPT, ic_tolerance_accuracy_limit.value, &options->accept);
}

/* All that an audit of rows needs, and its findings. */
typedef struct rows_audit {
    const cli_arguments *arguments;
    cli_instance instance;
    ic_trajectory_options options;

    /* of an impact by velocities alone: their path and number */
    ic_trajectory trajectory;

    /* empty if the file has states */
    ic_trajectory impact;

    /* whether the file has velocities of an impact alone */
    bool alone;

    ic_trajectory_audit audit;

    /* NULL: no figure */
    cli_plot *shown;
    cli_figure figure;
} rows_audit;

/* ---- the rows */

/* A pipe can be read only once, so that a peek at it needs a temporary file. Closes `stream` if it
   returns another; NULL: no room. */
static FILE *make_seekable(FILE *stream)
{
    char part[4096];
    if (fseek(stream, 0, SEEK_SET) == 0) return stream;
    FILE *spool = tmpfile();
    bool good = spool != NULL;
    for (size_t n; good && (n = fread(part, 1, sizeof part, stream)) > 0;)
        good = fwrite(part, 1, n, spool) == n;
    good = good && ferror(stream) == 0 && fseek(spool, 0, SEEK_SET) == 0;
    fclose(stream);
    if (good || spool == NULL) return spool;
    fclose(spool);
    return NULL;
}

static bool read_trajectory(rows_audit *a, FILE *stream, const char *path, const ic_trajectory_reading *reading)
{
    ic_error error;
    ic_trajectory *tr = &a->trajectory;
    if (!ic_trajectory_read(tr, stream, path, &a->instance.setup.problem, reading, &error))
        return cli_refuse(a->arguments->command, "%s", error.text);
    if (!cli_has(a->arguments, CLI_AUDIT_UNTIL)) return true;
    while (tr->n > 0 && tr->t[tr->n - 1] > a->instance.setup.problem.t_end) tr->n--;
    if (tr->n > 0) return true;
    return cli_refuse(a->arguments->command,
                      "option --until: the end must be later than the first row of '%s', t = %.9g s", tr->path,
                      tr->t[0]);
}

static bool read_impact(rows_audit *a, FILE *stream, const char *path, const ic_trajectory_reading *reading)
{
    ic_error error;
    if (cli_has(a->arguments, CLI_AUDIT_UNTIL))
        return cli_refuse(a->arguments->command,
                          "option --until cannot be used for an impact that is given by velocities alone");
    if (!ic_impact_rows_read(&a->impact, stream, path, reading, &error))
        return cli_refuse(a->arguments->command, "%s", error.text);
    a->trajectory = (ic_trajectory){.path = path, .n = a->impact.n};
    return true;
}

static bool read_rows(rows_audit *a)
{
    const ic_problem *problem = &a->instance.setup.problem;
    const ic_trajectory_reading reading = cli_audit_reading(a->arguments);
    const char *path = cli_value(a->arguments, CLI_AUDIT_TRAJECTORY);
    ic_error error;
    FILE *stream = ic_input_file_open(path, &error);
    if (stream == NULL) return cli_refuse(a->arguments->command, "option --trajectory: %s", error.text);
    /* The line of names shows which kind of rows the file has. */
    if (problem->system->impact != NULL) {
        stream = make_seekable(stream);
        if (stream == NULL)
            return cli_refuse(a->arguments->command,
                              "option --trajectory: '%s' cannot be read or copied to a temporary file", path);
        a->alone = ic_impact_rows_are(stream, path, problem, &reading);
        rewind(stream);
    }
    const bool good = cli_audit_trajectory_options(a->arguments, &a->options) &&
                      (a->alone ? read_impact : read_trajectory)(a, stream, path, &reading);
    fclose(stream);
    return good;
}

bool cli_audit_open_case(cli_instance *instance, const cli_arguments *arguments)
{
    const char *path = cli_value(arguments, CLI_AUDIT_CASE);
    if (path != NULL)
        return cli_instance_open_path(instance, arguments, path, CLI_AUDIT_VARIANT, CLI_AUDIT_SET,
                                      CLI_AUDIT_UNTIL);
    cli_bad_input(arguments->command,
                  "give --case, the case and preset of the trajectory (impactcheck list presets shows all)");
    return false;
}

/* ---- the audit */

static bool audit_rows(rows_audit *a)
{
    const ic_problem *problem = &a->instance.setup.problem;
    cli_progress_begin("audit", cli_has(a->arguments, CLI_AUDIT_QUIET));
    const bool done = a->alone
                          ? ic_audit_impact_alone(&a->audit, &a->impact, &a->trajectory, problem, &a->options)
                          : ic_audit_trajectory(&a->audit, &a->trajectory, problem, &a->options);
    cli_progress_end();
    return done;
}

int cli_audit_report_rows(const cli_arguments *arguments, const cli_instance *instance,
                          const ic_trajectory_audit *audit)
{
    const bool by_command = cli_has(arguments, CLI_AUDIT_COMMAND);
    cli_audit_result result = cli_audit_rows_result(audit);
    result.input = by_command ? "command" : "trajectory";
    result.path = cli_value(arguments, by_command ? CLI_AUDIT_COMMAND : CLI_AUDIT_TRAJECTORY);
    const bool written = cli_audit_write_reports(arguments, &result);
    if (cli_has(arguments, CLI_AUDIT_JSON)) cli_audit_rows_json(instance, audit, stdout);
    else if (cli_has(arguments, CLI_AUDIT_QUIET)) cli_audit_print_if_not_good(&result);
    else if (!cli_audit_rows_print(instance, audit)) return cli_no_memory(arguments->command);
    return written ? cli_audit_status(arguments, &result) : CLI_FAILURE;
}

/* ---- the figure */

enum { EXACT_SAMPLES = 4001 };

static bool open_plot(rows_audit *a)
{
    static const size_t options[] = {CLI_AUDIT_PLOT, CLI_AUDIT_SHOW, CLI_AUDIT_JSON};
    const cli_command *command = a->arguments->command;
    if (!cli_plot_open(&a->shown, &a->figure, a->arguments, options, a->instance.setup.problem.system))
        return false;
    if (a->shown == NULL) return true;
    if (a->alone || a->trajectory.times_alone)
        return cli_refuse(command, "option --plot: '%s' has no states over time to draw", a->trajectory.path);
    return cli_plot_has_states_alone(a->shown) ||
           cli_refuse(command, "option --show: an output needs the mode, which rows do not have; name states");
}

/* The row next to a time. */
static size_t row_at(const ic_trajectory *tr, double t)
{
    size_t row = 0;
    while (row + 1 < tr->n && fabs(tr->t[row + 1] - t) <= fabs(tr->t[row] - t)) row++;
    return row;
}

/* The places that the detail of a finding names, as "t = 0.25 s". One without a place is named in the key. */
static void mark_places(rows_audit *a, const ic_finding *f)
{
    const ic_trajectory *tr = &a->trajectory;
    const ic_problem *problem = &a->instance.setup.problem;
    const char *name = f->check->name, *at = strstr(f->detail, "t = ");
    double nowhere[IC_MAX_STATES];
    char everywhere[IC_PLACE_LENGTH];
    for (size_t i = 0; i < IC_MAX_STATES; i++) nowhere[i] = NAN;
    snprintf(everywhere, sizeof everywhere, "%s (no one place)", name);
    if (at == NULL) cli_plot_mark(a->shown, problem, NAN, -1, nowhere, everywhere);
    for (; at != NULL; at = strstr(at + 1, "t = ")) {
        const size_t row = row_at(tr, strtod(at + strlen("t = "), NULL));
        cli_plot_mark(a->shown, problem, tr->t[row], -1, tr->x + row * tr->n_states, name);
    }
}

/* The exact run, from the start of the case to the last row; their rows; and where findings are. */
static bool draw_rows(rows_audit *a)
{
    const ic_trajectory *tr = &a->trajectory;
    const ic_findings *findings = &a->audit.findings;
    ic_problem problem = a->instance.setup.problem;
    const ic_options options = {.rtol = 1e-11, .samples = EXACT_SAMPLES, .extremes = true};
    problem.t_end = fmax(tr->t[tr->n - 1], nextafter(problem.t_start, INFINITY));
    problem.t_end_text = NULL;
    ic_log *log = ic_log_new(&problem);
    if (log == NULL) return false;
    /* a run that stops early is drawn as far as it goes */
    ic_accurate_solver(problem.variant)->solve(log, &problem, &options);
    const cli_result exact = {.instance = &a->instance, .log = log, .from = -INFINITY};
    cli_plot_draw(a->shown, &exact, "exact");
    cli_plot_dots(a->shown, &problem, tr->n, tr->t, tr->x, "theirs");
    for (size_t i = 0; i < findings->count; i++) {
        if (findings->rows[i].verdict == IC_FINDING_FAIL) mark_places(a, &findings->rows[i]);
    }
    const bool good =
        cli_figure_finish(&a->figure, a->arguments,
                          cli_plot_figure(a->shown, ": rows beside the exact run, and findings", &problem));
    ic_log_free(log);
    return good;
}

int cli_audit_trajectory(const cli_arguments *arguments)
{
    rows_audit a = {.arguments = arguments};
    int status = CLI_BAD_INPUT;
    if (cli_audit_open_case(&a.instance, arguments) && read_rows(&a) && open_plot(&a)) {
        const bool done = audit_rows(&a);
        if (!a.alone) cli_audit_remark_on_sources(arguments, &a.trajectory, &a.instance.setup.problem);
        status =
            done ? cli_audit_report_rows(arguments, &a.instance, &a.audit) : cli_no_memory(arguments->command);
        if (done && a.shown != NULL && !draw_rows(&a)) status = CLI_FAILURE;
        ic_trajectory_audit_close(&a.audit);
    }
    cli_figure_discard(&a.figure);
    cli_plot_free(a.shown);
    ic_trajectory_close(&a.trajectory);
    ic_trajectory_close(&a.impact);
    cli_instance_close(&a.instance);
    return status;
}
