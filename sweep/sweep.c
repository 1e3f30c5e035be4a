/* SPDX-License-Identifier: MIT */
#include "sweep/sweep.h"
#include "core/linear_view.h"
#include "core/names.h"
#include "registry/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A chunk is small enough to be a small part of any long sweep, a multiple of the width of vector
   units, and holds at most this many numbers, unless a single set holds more. */
enum { CHUNK_SETS = 64, CHUNK_NUMBERS = 1 << 19 };

/* ---- one parameter set */

enum { LONGEST_SETTING = 64 + 32 };

typedef struct set_request {
    char texts[IC_MOST_AXES][LONGEST_SETTING];

    /* allocated */
    const char **settings;

    ic_request request;
} set_request;

/* As `run` would have it from --set, with the varied parameters set last. false: memory ran out. */
static bool write_set(set_request *text, const ic_sweep_request *request, size_t set)
{
    double values[IC_MOST_AXES];
    const size_t n_set = request->request.n_settings, n_axes = request->grid.n_axes;
    text->settings = calloc(n_set + n_axes + 1, sizeof *text->settings);
    if (text->settings == NULL) return false;
    for (size_t i = 0; i < n_set; i++) text->settings[i] = request->request.settings[i];
    ic_grid_values(&request->grid, set, values);
    for (size_t k = 0; k < n_axes; k++) {
        snprintf(text->texts[k], sizeof text->texts[k], "%s=%.17g", request->grid.axes[k].name, values[k]);
        text->settings[n_set + k] = text->texts[k];
    }
    text->request = request->request;
    text->request.settings = text->settings;
    text->request.n_settings = n_set + n_axes;
    return true;
}

/* Opens a set's problem from texts. */
static bool open_set(const ic_sweep_request *request, size_t set, ic_setup *setup, ic_error *error)
{
    set_request text;
    if (!write_set(&text, request, set)) return ic_error_no_memory(error);
    const bool good = ic_setup_open(setup, &text.request, error);
    free(text.settings);
    return good;
}

/* The case of a set, which a parameter that is a number of elements changes; NULL: unknown. */
static const ic_case *case_of_set(const ic_sweep_request *request, size_t set)
{
    set_request text;
    if (!write_set(&text, request, set)) return NULL;
    const ic_case *system = ic_setup_case(&text.request, NULL);
    free(text.settings);
    return system;
}

/* Whether the sets have different cases: the first and the last one differ in every axis. */
static bool varies_size(const ic_sweep_request *request)
{
    const ic_case *system = case_of_set(request, 0);
    return system == NULL || system != case_of_set(request, request->grid.n_sets - 1);
}

/* ---- the plan */

static bool check_axis(const ic_sweep_request *request, const ic_case *system, const char *name,
                       ic_error *error)
{
    const size_t length = strlen(name);
    ic_nearest nearest = {.wrong = name};
    for (size_t i = 0; i < system->n_parameters; i++) ic_nearest_offer(&nearest, system->parameters[i].name);
    if (ic_parameter_find(system, name) == system->n_parameters) {
        ic_error_set(error, "case '%s' has no parameter '%s'%s (impactcheck list cases --long shows all)",
                     system->name, name, ic_nearest_hint(&nearest).text);
        return false;
    }
    for (size_t i = 0; i < request->request.n_settings; i++) {
        const char *setting = request->request.settings[i];
        if (strncmp(setting, name, length) != 0 || setting[length] != '=') continue;
        ic_error_set(error, "parameter '%s' is both set, by %s, and varied; do only one of these", name,
                     setting);
        return false;
    }
    return true;
}

/* Names do not depend on values, so they are checked on the preset itself. */
static bool check_names(const ic_sweep_request *request, ic_error *error)
{
    const ic_request preset = {.path = request->request.path, .variant = request->request.variant};
    ic_setup setup;
    bool good = ic_setup_open(&setup, &preset, error);
    if (!good) return false;
    for (size_t k = 0; k < request->grid.n_axes && good; k++)
        good = check_axis(request, setup.problem.system, request->grid.axes[k].name, error);
    for (size_t i = 0; i < request->request.n_settings && good; i++)
        good = ic_parameters_set(&setup.parameters, request->request.settings[i], error);
    ic_setup_close(&setup);
    return good;
}

static bool open_first_valid(ic_sweep *sweep, ic_error *error)
{
    ic_error why;
    for (size_t set = 0; set < sweep->request->grid.n_sets; set++) {
        if (open_set(sweep->request, set, &sweep->first, set == 0 ? error : &why)) return true;
    }
    return false;
}

static bool choose_solver(ic_sweep *sweep, ic_error *error)
{
    const ic_sweep_request *request = sweep->request;
    const ic_sweep_method *method = request->method != NULL ? ic_sweep_method_find(request->method) : NULL;
    /* a method that is named, with no solver, means the solver for which it stands */
    const char *name = request->solver != NULL || method == NULL ? request->solver : method->stands_in_for;
    ic_nearest nearest = {.wrong = name};
    sweep->plan.any_solver = name == NULL;
    sweep->plan.solver = name != NULL ? ic_solver_find(name) : ic_accurate_solver(sweep->first.problem.variant);
    if (sweep->plan.solver != NULL) return ic_setup_for_solver(&sweep->first, sweep->plan.solver, error);
    for (size_t i = 0; i < ic_solver_count; i++) ic_nearest_offer(&nearest, ic_solvers[i]->name);
    ic_error_set(error, "unknown solver '%s'%s (impactcheck list solvers shows all)", name,
                 ic_nearest_hint(&nearest).text);
    return false;
}

static bool choose_record(ic_sweep *sweep, ic_error *error)
{
    const ic_case *system = sweep->first.problem.system;
    const char *name = sweep->request->record;
    ic_nearest nearest = {.wrong = name};
    ic_sweep_plan *plan = &sweep->plan;
    if (strcmp(name, "strobe") == 0) {
        plan->record = IC_RECORD_STROBE;
        return true;
    }
    if (strcmp(name, "peak") == 0) {
        plan->record = IC_RECORD_PEAK;
        return true;
    }
    plan->record = IC_RECORD_OUTPUT;
    for (plan->output = 0; plan->output < system->n_outputs; plan->output++) {
        if (strcmp(system->outputs[plan->output].name, name) == 0) return true;
        ic_nearest_offer(&nearest, system->outputs[plan->output].name);
    }
    ic_nearest_offer(&nearest, "strobe");
    ic_nearest_offer(&nearest, "peak");
    ic_error_set(error,
                 "unknown record '%s'%s (strobe, peak, or an output of case '%s': impactcheck list "
                 "cases --long shows all)",
                 name, ic_nearest_hint(&nearest).text, system->name);
    return false;
}

static bool choose_method(ic_sweep *sweep, ic_error *error)
{
    const char *name = sweep->request->method;
    ic_nearest nearest = {.wrong = name};
    sweep->method = name != NULL ? ic_sweep_method_find(name) : ic_sweep_method_for(&sweep->plan);
    if (sweep->method == NULL) {
        for (size_t i = 0; i < ic_sweep_method_count; i++)
            ic_nearest_offer(&nearest, ic_sweep_methods[i]->name);
        ic_error_set(error, "unknown method '%s'%s", name, ic_nearest_hint(&nearest).text);
        return false;
    }
    const char *refusal = ic_sweep_method_refusal(sweep->method, &sweep->plan);
    if (refusal == NULL) {
        /* what it leaves is solved by the solver for which it stands */
        if (sweep->method->general) sweep->plan.solver = ic_solver_find(sweep->method->stands_in_for);
        return true;
    }
    const char *solver = sweep->method->stands_in_for;
    ic_error_set(error, "method '%s' (%s%s%s) cannot serve this sweep: %s", name, sweep->method->title,
                 solver == NULL ? "" : "; stands in for ", solver == NULL ? "" : solver, refusal);
    return false;
}

static bool make_plan(ic_sweep *sweep, ic_error *error)
{
    const ic_sweep_request *request = sweep->request;
    if (!choose_solver(sweep, error) || !choose_record(sweep, error)) return false;
    ic_sweep_plan *plan = &sweep->plan;
    plan->problem = &sweep->first.problem;
    plan->options = request->options;
    plan->period = ic_sweep_period;
    plan->skip = request->skip;
    plan->keep = request->keep;
    plan->n_columns = ic_record_columns(plan->record, plan->problem);
    sweep->n_rows = plan->record == IC_RECORD_PEAK ? 1 : plan->keep;
    const size_t numbers = sweep->n_rows * (plan->n_columns + 1); /* numbers of one set */
    sweep->chunk_sets = CHUNK_SETS;
    while (sweep->chunk_sets > 1 && sweep->chunk_sets * numbers > CHUNK_NUMBERS) sweep->chunk_sets /= 2;
    sweep->n_chunks = (request->grid.n_sets + sweep->chunk_sets - 1) / sweep->chunk_sets;
    return choose_method(sweep, error);
}

bool ic_sweep_open(ic_sweep *sweep, const ic_sweep_request *request, ic_error *error)
{
    *sweep = (ic_sweep){.request = request};
    if (!check_names(request, error) || !open_first_valid(sweep, error)) return false;
    if (make_plan(sweep, error)) {
        sweep->is_prepared =
            !varies_size(request) && ic_preparation_open(&sweep->preparation, &sweep->first, &request->grid);
        return true;
    }
    ic_sweep_close(sweep);
    return false;
}

void ic_sweep_close(ic_sweep *sweep)
{
    ic_preparation_close(&sweep->preparation);
    if (sweep->first.par != NULL) ic_setup_close(&sweep->first);
}

/* ---- counts */

void ic_sweep_counts_add(ic_sweep_counts *sum, const ic_sweep_counts *more)
{
    if (sum->sets == sum->by_status[IC_OK]) {
        memcpy(sum->why, more->why, sizeof sum->why);
        sum->failed_set = more->failed_set;
    }
    sum->sets += more->sets;
    sum->left += more->left;
    sum->events += more->events;
    sum->phases_left += more->phases_left;
    for (size_t i = 0; i < IC_STATUS_COUNT; i++) sum->by_status[i] += more->by_status[i];
}

static void count_results(ic_chunk *chunk)
{
    ic_sweep_counts *counts = &chunk->counts;
    for (size_t i = 0; i < chunk->n; i++) {
        const ic_parameter_set *set = &chunk->sets[i];
        if (set->status != IC_OK && counts->sets == counts->by_status[IC_OK]) {
            memcpy(counts->why, set->why, sizeof counts->why);
            counts->failed_set = chunk->first + i;
        }
        counts->sets++;
        counts->by_status[set->status]++;
        counts->events += set->events;
        counts->phases_left += set->phases_left;
    }
}

/* ---- chunks */

static bool open_prepared(ic_chunk *chunk)
{
    const ic_sweep *sweep = chunk->sweep;
    const size_t n = (sweep->chunk_sets + IC_CODE_LANES - 1) / IC_CODE_LANES;
    if (!sweep->is_prepared) return true;
    chunk->prepared = calloc(n, sizeof *chunk->prepared);
    for (size_t i = 0; i < n && chunk->prepared != NULL; i++) {
        chunk->n_prepared++;
        if (!ic_prepared_sets_open(&chunk->prepared[i], &sweep->preparation)) return false;
    }
    return chunk->prepared != NULL;
}

bool ic_chunk_open(ic_chunk *chunk, const ic_sweep *sweep)
{
    const size_t n = sweep->chunk_sets;
    *chunk = (ic_chunk){.sweep = sweep};
    chunk->sets = calloc(n, sizeof *chunk->sets);
    chunk->setups = calloc(n, sizeof *chunk->setups);
    chunk->values = calloc(n * IC_MOST_AXES, sizeof *chunk->values);
    chunk->rows = calloc(n * sweep->n_rows * sweep->plan.n_columns + 1, sizeof *chunk->rows);
    chunk->modes = calloc(n, sweep->n_rows);
    return chunk->sets != NULL && chunk->setups != NULL && chunk->values != NULL && chunk->rows != NULL &&
           chunk->modes != NULL && open_prepared(chunk);
}

static void close_setups(ic_chunk *chunk)
{
    for (size_t i = 0; i < chunk->n; i++) {
        if (chunk->setups[i].par != NULL) ic_setup_close(&chunk->setups[i]);
    }
    chunk->n = 0;
}

void ic_chunk_close(ic_chunk *chunk)
{
    if (chunk->setups != NULL) close_setups(chunk);
    for (size_t i = 0; i < chunk->n_prepared; i++) ic_prepared_sets_close(&chunk->prepared[i]);
    free(chunk->prepared);
    free(chunk->sets);
    free(chunk->setups);
    free(chunk->values);
    free(chunk->rows);
    free(chunk->modes);
    *chunk = (ic_chunk){0};
}

/* Returns whether a set fits the plan; if not, `error` states why. */
static bool fits_plan(const ic_sweep *sweep, ic_setup *setup, ic_error *error)
{
    const ic_problem *problem = &setup->problem;
    if (!ic_setup_for_solver(setup, sweep->plan.solver, error)) return false;
    if (ic_record_columns(sweep->plan.record, problem) == sweep->plan.n_columns) return true;
    ic_error_set(error,
                 "%zu states, but the first parameter set has %zu: a strobe needs the same number in all sets",
                 problem->system->n_states, sweep->plan.n_columns);
    return false;
}

/* The problem of a set, from compiled texts or its own; NULL: it is invalid, and `error` states why. */
static ic_problem *open_problem(ic_chunk *chunk, size_t i, ic_error *error)
{
    const ic_sweep *sweep = chunk->sweep;
    ic_setup *setup = &chunk->setups[i];
    ic_prepared_sets *prepared = sweep->is_prepared ? &chunk->prepared[i / IC_CODE_LANES] : NULL;
    if (prepared != NULL && prepared->good[i % IC_CODE_LANES]) return &prepared->problems[i % IC_CODE_LANES];
    if (!open_set(sweep->request, chunk->first + i, setup, error)) return NULL;
    if (fits_plan(sweep, setup, error)) return &setup->problem;
    ic_setup_close(setup);
    return NULL;
}

static void prepare_set(ic_chunk *chunk, size_t i)
{
    const ic_sweep *sweep = chunk->sweep;
    const ic_sweep_plan *plan = &sweep->plan;
    ic_parameter_set *set = &chunk->sets[i];
    ic_error error;
    set->n_rows = sweep->n_rows;
    set->rows = chunk->rows + i * sweep->n_rows * plan->n_columns;
    set->modes = chunk->modes + i * sweep->n_rows;
    set->status = IC_INVALID;
    ic_parameter_set_clear(plan, set);
    ic_problem *problem = open_problem(chunk, i, &error);
    set->problem = problem;
    if (problem == NULL) {
        snprintf(set->why, sizeof set->why, "%.*s", IC_PARAMETER_SET_REASON - 1, error.text);
        return;
    }
    set->status = IC_OK;
    set->par = problem->par;
    set->period = plan->period(problem);
    problem->t_end = problem->t_start + (double)(plan->skip + plan->keep) * set->period;
    problem->t_end_text = NULL;
}

/* Numbers of the sets of a chunk, as far as they come from compiled texts. */
static void evaluate_sets(ic_chunk *chunk)
{
    const ic_grid *grid = &chunk->sweep->request->grid;
    for (size_t i = 0; i < chunk->n; i++)
        ic_grid_values(grid, chunk->first + i, chunk->values + i * grid->n_axes);
    for (size_t i = 0; i < chunk->n_prepared && i * IC_CODE_LANES < chunk->n; i++) {
        const size_t first = i * IC_CODE_LANES, left = chunk->n - first;
        ic_prepared_sets_fill(&chunk->prepared[i], &chunk->sweep->preparation,
                              chunk->values + first * grid->n_axes, grid->n_axes,
                              left < IC_CODE_LANES ? left : IC_CODE_LANES);
    }
}

ic_status ic_chunk_solve(ic_chunk *chunk, size_t index)
{
    const ic_sweep *sweep = chunk->sweep;
    const size_t n_sets = sweep->request->grid.n_sets;
    const size_t first = index * sweep->chunk_sets;
    close_setups(chunk);
    chunk->first = first;
    chunk->n = n_sets - first < sweep->chunk_sets ? n_sets - first : sweep->chunk_sets;
    chunk->counts = (ic_sweep_counts){0};
    evaluate_sets(chunk);
    for (size_t i = 0; i < chunk->n; i++) prepare_set(chunk, i);
    const ic_status status =
        ic_parameter_sets_solve(&sweep->plan, sweep->method->solve, chunk->sets, chunk->n, &chunk->counts.left);
    if (status == IC_OK) count_results(chunk);
    return status;
}
