/* SPDX-License-Identifier: MIT */
#include "validation/steady.h"
#include "core/model.h"
#include "core/names.h"
#include "core/numbers.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NEWTON_STEPS = 12, MOST_OUTPUTS = 32, MOST_MODES = 8 };

/*
 * After the transient a stable orbit returns to within this many scales of its state. What does not return
 * has no orbit of so many periods.
 */
#define RETURNS_WITHIN 1.0
/* Newton's method ends after this number of steps that have not halved the residual. */
enum { MOST_IDLE_STEPS = 3 };
/* The search ends after this number of periods; the orbits of the suite's own cases need less than half. */
enum { MOST_PERIODS = 4000 };

/*
 * Steps of the differences divided by the states' scales: a balance between truncation and the
 * rounding of a period map.
 */
#define DIFFERENCE 1e-6
/* Power iterations for the spectral radius; the geometric mean of the last half is taken. */
enum { POWER_ITERATIONS = 400, POWER_AVERAGED = 200 };

typedef struct period_map {
    /* one multiple of the period, started from x */
    ic_problem problem;

    const ic_solver *solver;
    ic_options options;
    size_t n;
    double scale[IC_MAX_STATES];

    /* periods that have been followed */
    int followed;
} period_map;

/* x -> state after `multiple` periods; the mode likewise. */
static ic_status map_state(period_map *map, int multiple, double period, double *x, int *mode)
{
    double start[IC_MAX_STATES];
    ic_problem problem = map->problem;
    memcpy(start, x, map->n * sizeof *x);
    map->followed += multiple;
    problem.x_start = start;
    problem.mode_start = *mode;
    problem.t_start = 0;
    problem.t_end = multiple * period;
    problem.t_end_text = NULL;
    ic_log *log = ic_log_new(&problem);
    if (log == NULL) return IC_NO_MEMORY;
    const ic_status status = map->solver->solve(log, &problem, &map->options);
    const ic_sample end = ic_log_end(log);
    memcpy(x, end.x, map->n * sizeof *x);
    *mode = end.mode;
    ic_log_free(log);
    return status;
}

/* Distance from x to its image, in scales; INFINITY: in another mode. */
static double distance_to_image(const period_map *map, const double *x, int mode, const double *image,
                                int mode_of_image)
{
    double distance = mode == mode_of_image ? 0 : INFINITY;
    for (size_t i = 0; i < map->n; i++) distance = fmax(distance, fabs(image[i] - x[i]) / map->scale[i]);
    return distance;
}

/* Jacobian of the period map in scaled states, row-major; central differences. */
static ic_status jacobian(period_map *map, int multiple, double period, const double *x, int mode, double *j)
{
    for (size_t column = 0; column < map->n; column++) {
        double forward[IC_MAX_STATES], backward[IC_MAX_STATES];
        int mode_forward = mode, mode_backward = mode;
        if (ic_state_is_discrete(map->problem.system, column)) {
            for (size_t row = 0; row < map->n; row++) j[row * map->n + column] = 0;
            continue;
        }
        memcpy(forward, x, map->n * sizeof *x);
        memcpy(backward, x, map->n * sizeof *x);
        forward[column] += DIFFERENCE * map->scale[column];
        backward[column] -= DIFFERENCE * map->scale[column];
        ic_status status = map_state(map, multiple, period, forward, &mode_forward);
        if (status == IC_OK) status = map_state(map, multiple, period, backward, &mode_backward);
        if (status != IC_OK) return status;
        for (size_t row = 0; row < map->n; row++) {
            j[row * map->n + column] = (forward[row] - backward[row]) / (2 * DIFFERENCE * map->scale[row]);
        }
    }
    return IC_OK;
}

static double spectral_radius(size_t n, const double *j)
{
    double v[IC_MAX_STATES], w[IC_MAX_STATES], growth = 0;
    for (size_t i = 0; i < n; i++) v[i] = 1 + 0.1 * (double)i;
    for (int k = 0; k < POWER_ITERATIONS; k++) {
        double norm = 0;
        for (size_t i = 0; i < n; i++) {
            w[i] = 0;
            for (size_t m = 0; m < n; m++) w[i] += j[i * n + m] * v[m];
            norm = fmax(norm, fabs(w[i]));
        }
        if (norm == 0) return 0;
        for (size_t i = 0; i < n; i++) v[i] = w[i] / norm;
        if (k >= POWER_ITERATIONS - POWER_AVERAGED) growth += log(norm);
    }
    return exp(growth / POWER_AVERAGED);
}

/* One Newton step on P(x) - x; *residual is that before the step. */
static ic_status newton_step(period_map *map, ic_steady *steady, int multiple, double *x, int mode)
{
    double image[IC_MAX_STATES], change[IC_MAX_STATES];
    int mode_end = mode;
    const size_t n = map->n;
    memcpy(image, x, n * sizeof *x);
    ic_status status = map_state(map, multiple, steady->period, image, &mode_end);
    if (status != IC_OK) return status;
    steady->residual = distance_to_image(map, x, mode, image, mode_end);
    for (size_t i = 0; i < n; i++) change[i] = (image[i] - x[i]) / map->scale[i];
    if (!(steady->residual > IC_STEADY_RESIDUAL)) return IC_OK;
    double *j = calloc(n * n, sizeof *j);
    if (j == NULL) return IC_NO_MEMORY;
    status = jacobian(map, multiple, steady->period, x, mode, j);
    if (status == IC_OK) {
        steady->spectral_radius = spectral_radius(n, j);
        /* (I - P') dx = P - x */
        for (size_t i = 0; i < n * n; i++) j[i] = (i % (n + 1) == 0 ? 1 : 0) - j[i];
        if (ic_solve_linear(n, j, change)) {
            for (size_t i = 0; i < n; i++) x[i] += change[i] * map->scale[i];
        } else {
            memcpy(x, image, n * sizeof *x);
        }
    }
    free(j);
    return status;
}

/* Extremes, contact times and events of one period of the orbit. */
static ic_status describe_period(const period_map *map, ic_steady *steady)
{
    ic_problem problem = map->problem;
    ic_options options = map->options;
    options.extremes = true;
    problem.x_start = steady->x;
    problem.mode_start = steady->mode;
    problem.t_start = 0;
    problem.t_end = steady->multiple * steady->period;
    problem.t_end_text = NULL;
    ic_log *log = ic_log_new(&problem);
    if (log == NULL) return IC_NO_MEMORY;
    const ic_status status = map->solver->solve(log, &problem, &options);
    double since = 0;
    int mode = steady->mode;
    for (size_t i = 0; i < ic_log_event_count(log); i++) {
        const ic_event event = ic_log_event_at(log, i);
        if (mode < MOST_MODES) steady->fraction[mode] += (event.t - since) / problem.t_end;
        if (event.kind != IC_EVENT_TIME) steady->events++;
        if (event.mode_to != mode && event.mode_to < MOST_MODES) steady->entries[event.mode_to]++;
        since = event.t;
        mode = event.mode_to;
    }
    if (mode < MOST_MODES) steady->fraction[mode] += (problem.t_end - since) / problem.t_end;
    const size_t n_outputs = problem.system->n_outputs;
    steady->n_outputs = n_outputs < MOST_OUTPUTS ? n_outputs : MOST_OUTPUTS;
    for (size_t i = 0; i < steady->n_outputs; i++) steady->extremes[i] = ic_log_extreme(log, i);
    ic_log_free(log);
    return status;
}

static ic_status try_multiple(period_map *map, ic_steady *steady, int multiple, const double *guess, int mode)
{
    double x[IC_MAX_STATES];
    memcpy(x, guess, map->n * sizeof *x);
    steady->residual = INFINITY;
    double least = INFINITY;
    int idle = 0;
    for (int step = 0; step < MOST_NEWTON_STEPS && idle < MOST_IDLE_STEPS && map->followed < MOST_PERIODS;
         step++) {
        const ic_status status = newton_step(map, steady, multiple, x, mode);
        if (status != IC_OK) return status;
        if (!(steady->residual > IC_STEADY_RESIDUAL)) break;
        idle = steady->residual <= 0.5 * least ? 0 : idle + 1;
        least = fmin(least, steady->residual);
    }
    if (!(steady->residual <= IC_STEADY_RESIDUAL)) return IC_OK;
    double *j = calloc(map->n * map->n, sizeof *j);
    if (j == NULL) return IC_NO_MEMORY;
    const ic_status status = jacobian(map, multiple, steady->period, x, mode, j);
    if (status == IC_OK) steady->spectral_radius = spectral_radius(map->n, j);
    free(j);
    if (status != IC_OK || !(steady->spectral_radius < 1)) return status;
    steady->multiple = multiple;
    steady->mode = mode;
    memcpy(steady->x, x, map->n * sizeof *x);
    return IC_OK;
}

ic_status ic_steady_find(ic_steady *steady, const ic_problem *problem, const ic_solver *solver,
                         const ic_options *options, int transient)
{
    period_map map = {
        .problem = *problem, .solver = solver, .options = *options, .n = problem->system->n_states};
    double x[IC_MAX_STATES];
    *steady = (ic_steady){.period = ic_forcing_period(problem)};
    if (!(steady->period > 0)) return IC_UNSUPPORTED;
    map.options.samples = 0;
    map.options.extremes = false;
    ic_state_scales(problem, map.scale);
    map.problem.t_end = transient * steady->period;
    map.problem.t_end_text = NULL;
    ic_log *log = ic_log_new(&map.problem);
    if (log == NULL) return IC_NO_MEMORY;
    ic_status status = solver->solve(log, &map.problem, &map.options);
    const ic_sample end = ic_log_end(log);
    int mode = end.mode;
    memcpy(x, end.x, map.n * sizeof *x);
    ic_log_free(log);
    double image[IC_MAX_STATES];
    int mode_of_image = mode;
    memcpy(image, x, map.n * sizeof *x);
    for (int multiple = 1; status == IC_OK && multiple <= IC_STEADY_MOST_PERIODS && steady->multiple == 0;
         multiple++) {
        status = map_state(&map, 1, steady->period, image, &mode_of_image);
        if (status == IC_OK && distance_to_image(&map, x, mode, image, mode_of_image) <= RETURNS_WITHIN)
            status = try_multiple(&map, steady, multiple, x, mode);
    }
    if (status == IC_OK && steady->multiple > 0) status = describe_period(&map, steady);
    return status;
}
