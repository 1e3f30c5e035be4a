/* SPDX-License-Identifier: MIT */
#include "bench/work_precision.h"
#include "bench/answers.h"
#include "bench/diagram.h"
#include "bench/load.h"
#include "bench/overhead.h"
#include "bench/pairs.h"
#include "bench/statistics.h"
#include "bench/timing.h"
#include "core/array.h"
#include "core/linear_view.h"
#include "registry/registry.h"
#include "validation/subjects.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Presets that represent their case; for other cases the first preset does. */
static const char *const representatives[] = {
    "bouncing-ball/lively", "roller/III/C",       "two-mass/forced",
    "planar-bar/kappa-100", "planar-bar/newton",  "planar-bar/poisson",
    "planar-bar/stronge",   "ball/hunt-crossley", "rotating-beam/main",
};

/* After a row with more flow calls than this, finer settings are skipped. The limit is a count, so
   that rows do not depend on the machine. */
#define QUICK_FLOW_CALLS 3e5
#define FULL_FLOW_CALLS 4e6

/*
 * Repetitions, and duration of each, s. Eleven compared with eleven differ by chance in one of
 * 705432 cases.
 */
enum { QUICK_REPETITIONS = 11, FULL_REPETITIONS = 15, MOST_SETTINGS = 16 };
#define LEAST 5e-4
/* A run longer than this, s, is timed SLOW_REPETITIONS times: enough to be shown, too few for
   `compare` to find it slower; its counts of work are compared. */
#define SLOW 5e-3
enum { SLOW_REPETITIONS = 3 };
enum { CALIBRATIONS = 31 };

/* Errors of event times below this many roundings of the simulated time do not determine an
   order. */
#define NOISE_ULPS 2000.0

/* ---- measured quantities */

bool ic_cost_represents(const ic_case *system, const ic_preset *preset)
{
    /* for every name of the file */
    if (!ic_registry_is_built_in()) return preset == system->presets;
    bool listed = false;
    const size_t length = strlen(system->name);
    for (size_t i = 0; i < IC_COUNT(representatives); i++) {
        const char *path = representatives[i];
        if (strncmp(path, system->name, length) != 0 || path[length] != '/') continue;
        listed = true;
        if (strcmp(path + length + 1, preset->name) == 0) return true;
    }
    return !listed && preset == &system->presets[0];
}

/* ---- data stored until the end, since all rows are timed in turns */

typedef struct timed_run {
    /* index in the results */
    size_t row;

    const ic_solver *solver;
    const ic_problem *problem;
    ic_options options;
    size_t calls, repetitions;
} timed_run;

typedef struct kept {
    struct kept *next;
    ic_setup setup;
} kept;

typedef struct session {
    ic_cost_results *results;
    const ic_cost_request *request;

    /* setups of the measured presets */
    struct kept *first;

    timed_run *runs;
    size_t n_runs, most_runs;
} session;

static bool keep_timed_run(session *s, const timed_run *run)
{
    timed_run *runs = ic_array_reserve(s->runs, &s->most_runs, s->n_runs, sizeof *runs);
    if (runs == NULL) return false;
    s->runs = runs;
    s->runs[s->n_runs++] = *run;
    return true;
}

static const ic_setup *keep_setup(session *s, const char *path, ic_error *error)
{
    kept *new = calloc(1, sizeof *new);
    if (new == NULL) {
        ic_error_set(error, "memory ran out");
        return NULL;
    }
    if (!ic_setup_open(&new->setup, &(ic_request){.path = path}, error)) {
        free(new);
        return NULL;
    }
    new->next = s->first;
    s->first = new;
    /* its runs are repeated, as those of a program that links the library */
    return ic_setup_prepare(&new->setup, error) ? &new->setup : NULL;
}

/* ---- a row */

static void run_row(void *self)
{
    const timed_run *run = self;
    ic_status status = IC_OK;
    ic_log_free(ic_solve(run->solver, run->problem, &run->options, &status));
}

static void name_row(ic_cost_row *row, const char *path, const ic_solver *solver, double setting,
                     const ic_answer *answer)
{
    static const char *const controls[] = {
        [IC_CONTROL_STEP] = "step", [IC_CONTROL_RTOL] = "rtol", [IC_CONTROL_NONE] = "none"};
    snprintf(row->subject, sizeof row->subject, "%.63s", path);
    snprintf(row->solver, sizeof row->solver, "%s", solver->name);
    snprintf(row->class, sizeof row->class, "%s", ic_solver_class(solver));
    snprintf(row->control, sizeof row->control, "%s", controls[solver->control]);
    snprintf(row->truth, sizeof row->truth, "%s", answer->origin);
    row->setting = setting;
    row->order = solver->order;
    row->radius = ic_answer_radius(answer);
}

static void set_answer_errors(ic_cost_row *row, const ic_problem *problem, const ic_log *log,
                              const ic_answer *answer, double tie)
{
    const ic_sample end = ic_log_end(log);
    row->simulated = end.t - problem->t_start;
    row->events = (double)ic_log_event_count(log);
    row->work = *ic_log_work((ic_log *)log);
    row->error = ic_answer_error(answer, log, tie);
    row->noise = NOISE_ULPS * DBL_EPSILON * fmax(row->simulated, ic_time_scale(problem));
}

/* false: memory ran out. */
static bool add_measured_row(session *s, timed_run *run, double setting, const char *path,
                             const ic_answer *answer)
{
    ic_status status = IC_OK;
    ic_cost_row *row = ic_cost_results_add(s->results);
    const double tie = ic_cost_tie(run->solver, run->problem, setting);
    if (row == NULL) return false;
    run->row = s->results->count - 1;
    run->options = ic_cost_options(run->solver, run->problem, setting);
    name_row(row, path, run->solver, setting, answer);
    ic_log *log = ic_solve(run->solver, run->problem, &run->options, &status);
    if (log != NULL && status == IC_OK) set_answer_errors(row, run->problem, log, answer, tie);
    snprintf(row->status, sizeof row->status, "%s", ic_status_name(status));
    ic_log_free(log);
    return status == IC_OK && s->request->timed ? keep_timed_run(s, run) : status != IC_NO_MEMORY;
}

static void report_progress(const session *s, const char *subject, const char *solver)
{
    if (s->request->watch != NULL) s->request->watch(subject, solver);
}

static bool measure_solver(session *s, const ic_solver *solver, const ic_setup *setup, const char *path,
                           const ic_answer *answer)
{
    double settings[MOST_SETTINGS];
    timed_run run = {.solver = solver, .problem = &setup->problem};
    const size_t n = ic_cost_settings(settings, MOST_SETTINGS, solver, &setup->problem, s->request->full);
    const double most = s->request->full ? FULL_FLOW_CALLS : QUICK_FLOW_CALLS;
    report_progress(s, path, solver->name);
    for (size_t i = 0; i < n; i++) {
        if (!add_measured_row(s, &run, settings[i], path, answer)) return false;
        if (s->results->rows[run.row].work.flow_calls > most) break;
    }
    return true;
}

static bool is_selected(const ic_cost_request *request, const ic_solver *solver, const ic_problem *problem)
{
    if (request->solvers != NULL && !ic_glob(request->solvers, solver->name)) return false;
    if (request->own && ic_is_peer(solver->name)) return false;
    return ic_solver_solves(solver, problem);
}

static bool measure_preset(session *s, const char *path, ic_error *error)
{
    ic_answer answer = {.origin = ""};
    bool good = true;
    const ic_setup *setup = keep_setup(s, path, error);
    if (setup == NULL) return false;
    for (size_t i = 0; i < ic_solver_count && good; i++) {
        if (!is_selected(s->request, ic_solvers[i], &setup->problem)) continue;
        if (answer.origin[0] == '\0') ic_answer_find(&answer, setup);
        good = s->request->ratios || measure_solver(s, ic_solvers[i], setup, path, &answer);
    }
    if (good && s->request->timed && answer.origin[0] != '\0') {
        report_progress(s, path, "in pairs");
        good = ic_pairs_measure(s->results, s->request, path, &setup->problem, &answer);
    }
    if (!good) ic_error_no_memory(error);
    ic_truth_clear(&answer.truth);
    return good;
}

static bool measure_presets(session *s, ic_error *error)
{
    const ic_selection selection = {.subjects = s->request->subjects};
    for (size_t c = 0; c < ic_case_count; c++) {
        for (size_t p = 0; p < ic_cases[c]->n_presets; p++) {
            char path[128];
            const ic_preset *preset = &ic_cases[c]->presets[p];
            if (!ic_selects_preset(&selection, ic_cases[c], preset)) continue;
            if (!s->request->full && !ic_cost_represents(ic_cases[c], preset)) continue;
            snprintf(path, sizeof path, "%s/%s", ic_cases[c]->name, preset->name);
            if (!measure_preset(s, path, error)) return false;
        }
    }
    return true;
}

/* ---- times */

/* Times every row once, then every row again, and so on: a temporary disturbance of the machine
   then affects a few repetitions of many rows, instead of all of one row, which would look like a
   change. */
static void time_rows(session *s)
{
    const size_t most = s->request->full ? FULL_REPETITIONS : QUICK_REPETITIONS;
    for (size_t i = 0; i < s->n_runs; i++) {
        timed_run *run = &s->runs[i];
        double seconds = 0;
        run->calls = ic_time_calls(LEAST, run_row, run, &seconds);
        run->repetitions = seconds > SLOW ? SLOW_REPETITIONS : most;
    }
    for (size_t k = 0; k < most; k++) {
        for (size_t i = 0; i < s->n_runs; i++) {
            timed_run *run = &s->runs[i];
            ic_cost_row *row = &s->results->rows[run->row];
            if (k >= run->repetitions) continue;
            const ic_time time = ic_time_once(run->calls, run_row, run);
            report_progress(s, row->subject, row->solver);
            row->seconds[k] = time.seconds;
            row->relative[k] = time.relative;
            row->n_times = k + 1;
            row->disturbed += time.disturbed;
            s->results->load.timings++;
            s->results->load.disturbed += time.disturbed;
        }
    }
}

/* Measured together with all subjects and solvers. */
static void measure_ratios(session *s)
{
    ic_cost_results *results = s->results;
    report_progress(s, "the registry", "");
    ic_overhead_measure(&results->overhead);
    report_progress(s, "a bifurcation diagram", "");
    ic_diagram_measure(&results->diagram, &results->floor, s->request->full);
}

bool ic_cost_measure(ic_cost_results *results, const ic_cost_request *request, ic_error *error)
{
    session s = {.results = results, .request = request};
    const ic_load_watch watch = ic_load_begin(&results->load);
    const bool good = measure_presets(&s, error);
    if (good && request->timed) {
        double seconds[CALIBRATIONS];
        for (size_t i = 0; i < CALIBRATIONS; i++) seconds[i] = ic_time_calibration();
        results->calibration = ic_median(seconds, CALIBRATIONS);
        time_rows(&s);
        if (request->subjects == NULL && request->solvers == NULL) measure_ratios(&s);
    }
    ic_load_end(&results->load, &watch);
    while (s.first != NULL) {
        kept *first = s.first;
        s.first = first->next;
        ic_setup_close(&first->setup);
        free(first);
    }
    free(s.runs);
    return good;
}
