/* SPDX-License-Identifier: MIT */
#include "sweep/optimise.h"

#include "registry/registry.h"

#include <math.h>
#include <nlopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the request */

static bool read_range(ic_optimisation *o, const char *text, ic_error *error)
{
    char axis[128];
    const char *low = strchr(text, '='), *high = low != NULL ? strchr(low, ':') : NULL;
    const char *word = high != NULL ? strchr(high + 1, ':') : NULL;
    const int length = (int)(word != NULL ? word - text : (ptrdiff_t)strlen(text));
    if (high == NULL || (word != NULL && strcmp(word, ":log") != 0)) {
        ic_error_set(error, "'%s': expected NAME=LOW:HIGH or NAME=LOW:HIGH:log", text);
        return false;
    }
    if (snprintf(axis, sizeof axis, "%.*s:2%s", length, text, word != NULL ? word : "") >= (int)sizeof axis) {
        ic_error_set(error, "'%s': too long", text);
        return false;
    }
    if (!ic_grid_add(&o->range, axis, error)) return false;
    const ic_axis *added = &o->range.axes[o->range.n_axes - 1];
    if (added->from < added->to) return true;
    ic_error_set(error, "'%s': LOW must be below HIGH", text);
    return false;
}

static bool read_goal(const ic_optimisation *o, ic_goal *goal, const char *text, size_t length, ic_error *error)
{
    static const char *const words[] = {
        [IC_MEASURE_FINAL] = "", [IC_MEASURE_MIN] = ":min", [IC_MEASURE_MAX] = ":max"};
    const ic_case *system = o->setup.problem.system;
    for (goal->output = 0; goal->output < system->n_outputs; goal->output++) {
        const char *name = system->outputs[goal->output].name;
        for (size_t i = 0; i < IC_COUNT(words); i++) {
            const size_t n = strlen(name), more = strlen(words[i]);
            goal->measure = (ic_measure)i;
            if (n + more == length && strncmp(text, name, n) == 0 && strncmp(text + n, words[i], more) == 0)
                return true;
        }
    }
    ic_error_set(
        error, "'%.*s' is not an output of %s, followed by :max, :min or nothing (list cases --long shows all)",
        (int)length, text, system->name);
    return false;
}

static bool read_bound(ic_optimisation *o, const char *text, ic_error *error)
{
    const char *sign = strpbrk(text, "<>");
    ic_output_bound *bound = &o->bounds[o->n_bounds];
    if (o->n_bounds == IC_MOST_BOUNDS) {
        ic_error_set(error, "at most %d bounds are allowed", IC_MOST_BOUNDS);
        return false;
    }
    if (sign == NULL || sign[1] != '=') {
        ic_error_set(error, "'%s': expected OUTPUT<=VALUE or OUTPUT>=VALUE", text);
        return false;
    }
    if (!read_goal(o, &bound->goal, text, (size_t)(sign - text), error)) return false;
    bound->side = sign[0] == '<' ? 1 : -1;
    bound->limit = NAN; /* the value at the start, which is not known yet */
    if (strcmp(sign + 2, "start") != 0 &&
        !ic_parameters_number(&o->setup.parameters, &bound->limit, sign + 2, error))
        return false;
    o->n_bounds++;
    return true;
}

/* ---- a run */

static double read_measure(const ic_log *log, ic_goal goal)
{
    const ic_extreme extreme = ic_log_extreme(log, goal.output);
    switch (goal.measure) {
    case IC_MEASURE_MIN: return extreme.min;
    case IC_MEASURE_MAX: return extreme.max;
    default: return extreme.final;
    }
}

/* Violation of a bound relative to its limit; <= 0: it holds. */
static double violation_of(const ic_output_bound *bound, double value)
{
    return bound->side * (value - bound->limit) / (bound->limit != 0 ? fabs(bound->limit) : 1);
}

static void evaluate_design(const ic_optimisation *o, ic_design *design, const ic_log *log)
{
    design->objective = read_measure(log, o->goal);
    design->allowed = isfinite(design->objective);
    for (size_t i = 0; i < o->n_bounds; i++) {
        design->bound[i] = read_measure(log, o->bounds[i].goal);
        if (!(violation_of(&o->bounds[i], design->bound[i]) <= 0)) design->allowed = false;
    }
}

static void record_failure(ic_optimisation *o, const char *why)
{
    if (o->failed++ == 0) snprintf(o->why, sizeof o->why, "%.250s", why);
}

static void solve_design(ic_optimisation *o, ic_design *design, const ic_problem *problem)
{
    ic_log *log = ic_log_new(problem);
    if (log == NULL) {
        o->no_memory = true;
        return;
    }
    ic_options options = o->request->options;
    options.extremes = true;
    const ic_status status = o->request->solver->solve(log, problem, &options);
    if (status == IC_OK) evaluate_design(o, design, log);
    else record_failure(o, ic_log_text(log)[0] != '\0' ? ic_log_text(log) : ic_status_text(status));
    ic_log_free(log);
}

enum { SETTING_SIZE = 96 };

/* Runs the request with the design's values after its own settings. */
static void run_design(ic_optimisation *o, ic_design *design)
{
    char text[IC_MOST_AXES][SETTING_SIZE];
    const ic_request *asked = &o->request->request;
    const char **settings = calloc(asked->n_settings + IC_MOST_AXES, sizeof *settings);
    ic_request request = *asked;
    ic_setup setup;
    ic_error error;
    design->objective = NAN;
    design->allowed = false;
    for (size_t i = 0; i < IC_MOST_BOUNDS; i++) design->bound[i] = NAN;
    o->runs++;
    if (settings == NULL) {
        o->no_memory = true;
        return;
    }
    for (size_t i = 0; i < asked->n_settings; i++) settings[i] = asked->settings[i];
    for (size_t i = 0; i < o->range.n_axes; i++) {
        snprintf(text[i], sizeof text[i], "%s=%.17g", o->range.axes[i].name, design->value[i]);
        settings[request.n_settings++] = text[i];
    }
    request.settings = settings;
    if (ic_setup_open(&setup, &request, &error)) {
        if (ic_setup_for_solver(&setup, o->request->solver, &error)) solve_design(o, design, &setup.problem);
        else record_failure(o, error.text);
        ic_setup_close(&setup);
    } else {
        record_failure(o, error.text);
    }
    free(settings);
}

/* ---- the start: values of the preset and the settings */

static bool find_start(ic_optimisation *o, ic_error *error)
{
    const ic_parameters *parameters = &o->setup.parameters;
    for (size_t i = 0; i < o->range.n_axes; i++) {
        const ic_axis *axis = &o->range.axes[i];
        if (!ic_parameters_number(parameters, &o->start.value[i], axis->name, error)) return false;
        if (o->start.value[i] >= axis->from && o->start.value[i] <= axis->to) continue;
        ic_error_set(error, "%s starts at %.6g, outside %.6g to %.6g; --set changes its start", axis->name,
                     o->start.value[i], axis->from, axis->to);
        return false;
    }
    run_design(o, &o->start);
    if (isfinite(o->start.objective)) return true;
    ic_error_set(error, "the start fails: %.300s", o->failed > 0 ? o->why : "the objective has no value");
    return false;
}

static bool bound_by_start(ic_optimisation *o, ic_error *error)
{
    o->start.allowed = true;
    for (size_t i = 0; i < o->n_bounds; i++) {
        ic_output_bound *bound = &o->bounds[i];
        if (isnan(bound->limit)) bound->limit = o->start.bound[i];
        if (!isfinite(o->start.bound[i])) {
            ic_error_set(error, "the start has no value of the bounded output '%s'",
                         o->setup.problem.system->outputs[bound->goal.output].name);
            return false;
        }
        if (!(violation_of(bound, o->start.bound[i]) <= 0)) o->start.allowed = false;
    }
    return true;
}

bool ic_optimise_open(ic_optimisation *optimisation, const ic_optimise_request *request, ic_error *error)
{
    ic_optimisation *o = optimisation;
    *o = (ic_optimisation){.request = request, .best.objective = NAN};
    if (!ic_setup_open(&o->setup, &request->request, error)) return false;
    for (size_t i = 0; i < request->n_over; i++) {
        if (!read_range(o, request->over[i], error)) return false;
    }
    if (!read_goal(o, &o->goal, request->minimise, strlen(request->minimise), error)) return false;
    for (size_t i = 0; i < request->n_subject_to; i++) {
        if (!read_bound(o, request->subject_to[i], error)) return false;
    }
    if (!find_start(o, error) || !bound_by_start(o, error)) return false;
    if (o->start.allowed) o->best = o->start;
    return true;
}

void ic_optimise_close(ic_optimisation *optimisation)
{
    ic_setup_close(&optimisation->setup);
}

/* ---- the search, in variables from 0 to 1 */

/* First steps relative to the ranges: COBYLA builds a simplex of this size around its start. */
#define FIRST_STEP 0.15
/* The search ends when the simplex is smaller than this. */
#define LAST_STEP 1e-4
/* It restarts around the best design until that gains less than this fraction of the start's
   objective. */
#define LEAST_GAIN 1e-3
/* Value of a failed run: this many times the start's objective, and every bound violated by its
   limit. */
#define FAILED_OBJECTIVE 10.0
#define FAILED_EXCESS 1.0

typedef struct design_search {
    ic_optimisation *o;

    /* requested by the objective and by each bound in turn */
    ic_design last;

    double at[IC_MOST_AXES];
    bool any;
} design_search;

typedef struct bound_of_search {
    design_search *search;
    size_t index;
} bound_of_search;

static double from_unit(const ic_axis *axis, double u)
{
    if (!axis->logarithmic) return axis->from + u * (axis->to - axis->from);
    return axis->from * pow(axis->to / axis->from, u);
}

static double to_unit(const ic_axis *axis, double value)
{
    if (!axis->logarithmic) return (value - axis->from) / (axis->to - axis->from);
    return log(value / axis->from) / log(axis->to / axis->from);
}

static const ic_design *design_at(design_search *s, const double *u)
{
    ic_optimisation *o = s->o;
    const size_t size = o->range.n_axes * sizeof *u;
    if (s->any && memcmp(s->at, u, size) == 0) return &s->last;
    s->any = true;
    memcpy(s->at, u, size);
    for (size_t i = 0; i < o->range.n_axes; i++) s->last.value[i] = from_unit(&o->range.axes[i], u[i]);
    run_design(o, &s->last);
    if (s->last.allowed && !(o->best.objective <= s->last.objective)) o->best = s->last;
    return &s->last;
}

/* COBYLA uses no gradient. */
static void clear_gradient(unsigned n, double *gradient)
{
    for (unsigned i = 0; gradient != NULL && i < n; i++) gradient[i] = NAN;
}

static double evaluate_objective(unsigned n, const double *u, double *gradient, void *data)
{
    design_search *s = data;
    const ic_design *design = design_at(s, u);
    const double scale = fabs(s->o->start.objective);
    clear_gradient(n, gradient);
    return isfinite(design->objective) ? design->objective / (scale > 0 ? scale : 1) : FAILED_OBJECTIVE;
}

static double evaluate_bound(unsigned n, const double *u, double *gradient, void *data)
{
    const bound_of_search *b = data;
    const ic_design *design = design_at(b->search, u);
    clear_gradient(n, gradient);
    return isfinite(design->bound[b->index])
               ? violation_of(&b->search->o->bounds[b->index], design->bound[b->index])
               : FAILED_EXCESS;
}

static ic_status search_from_design(design_search *s, const ic_design *from)
{
    ic_optimisation *o = s->o;
    const unsigned n = (unsigned)o->range.n_axes;
    bound_of_search bounds[IC_MOST_BOUNDS];
    double u[IC_MOST_AXES], least;
    nlopt_opt method = nlopt_create(NLOPT_LN_COBYLA, n);
    if (method == NULL) return IC_NO_MEMORY;
    bool good = nlopt_set_lower_bounds1(method, 0) >= 0 && nlopt_set_upper_bounds1(method, 1) >= 0 &&
                nlopt_set_initial_step1(method, FIRST_STEP) >= 0 &&
                nlopt_set_min_objective(method, evaluate_objective, s) >= 0 &&
                nlopt_set_xtol_abs1(method, LAST_STEP) >= 0 &&
                nlopt_set_maxeval(method, (int)(o->request->most_runs - o->runs)) >= 0;
    for (size_t i = 0; good && i < o->n_bounds; i++) {
        bounds[i] = (bound_of_search){s, i};
        good = nlopt_add_inequality_constraint(method, evaluate_bound, &bounds[i], 0) >= 0;
    }
    for (unsigned i = 0; i < n; i++) u[i] = fmin(fmax(to_unit(&o->range.axes[i], from->value[i]), 0), 1);
    const nlopt_result result = good ? nlopt_optimize(method, u, &least) : NLOPT_OUT_OF_MEMORY;
    nlopt_destroy(method);
    /*
     * NLOPT_ROUNDOFF_LIMITED and similar results end a search without failure. The best design is
     * valid.
     */
    return result == NLOPT_OUT_OF_MEMORY || o->no_memory ? IC_NO_MEMORY : IC_OK;
}

ic_status ic_optimise(ic_optimisation *optimisation)
{
    ic_optimisation *o = optimisation;
    design_search s = {.o = o};
    ic_status status = IC_OK;
    double before = INFINITY;
    for (bool first = true; status == IC_OK && o->runs < o->request->most_runs; first = false) {
        const bool any = isfinite(o->best.objective);
        if (!first && !any) break;
        if (!first && !(before - o->best.objective > LEAST_GAIN * fabs(o->start.objective))) break;
        before = any ? o->best.objective : INFINITY;
        status = search_from_design(&s, any ? &o->best : &o->start);
    }
    return status;
}
