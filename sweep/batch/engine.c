/* SPDX-License-Identifier: MIT */
/*
 * The engine "batch": lanes are made ready, followed by a kernel in groups, and what it gives is
 * put where it belongs. Records of extremes are the solver's, from the state at the end of the
 * skipped periods on.
 */
#include "core/event_loop.h"
#include "core/model.h"
#include "sweep/batch/batch.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The forcing repeats within a period but for rounding. */
#define SAME_PHASE 1e-12
/* Two events closer than this many units in the last place of a period are one instant. */
#define TIE_ULPS 4.0
#define TWO_PI 6.28318530717958647693

const ic_batch_kernel *const ic_batch_kernels[] = {
#ifdef IC_BATCH_X86
    &ic_batch_avx512,
    &ic_batch_avx2,
#endif
    &ic_batch_plain,
};
const size_t ic_batch_kernel_count = IC_COUNT(ic_batch_kernels);

const ic_batch_kernel *ic_batch_kernel_here(void)
{
    for (size_t i = 0; i < ic_batch_kernel_count; i++) {
        if (ic_batch_kernels[i]->runs_here()) return ic_batch_kernels[i];
    }
    return &ic_batch_plain;
}

/* ---- what is served */

static bool records_strobes(const ic_sweep_plan *plan)
{
    return plan->record == IC_RECORD_STROBE;
}

static bool serves(const ic_sweep_plan *plan)
{
    ic_batch_shape shape;
    return (records_strobes(plan) || plan->skip > 0) && ic_batch_shape_take(&shape, plan->problem);
}

/* ---- a lane at its start */

/* Guards at the start of the run: on a side, each, or at a declared zero. */
static bool arm(ic_batch_lane *at, const ic_problem *problem, const ic_branch *branch)
{
    const ic_mode *mode = &problem->variant->modes[at->mode];
    for (size_t i = 0; i < mode->n_guards; i++) {
        const double value = mode->guards[i].value(problem->t_start, at->x, problem->par);
        at->side[i] = (value > 0) - (value < 0);
        at->order[i] = 0;
    }
    for (size_t k = 0; branch != NULL && k < branch->n_departures; k++) {
        const ic_departure *departure = &branch->departures[k];
        if (departure->order > 2) return false;
        at->side[departure->guard] = departure->side;
        at->order[departure->guard] = departure->order;
    }
    for (size_t i = 0; i < mode->n_guards; i++) {
        if (at->side[i] == 0) return false;
    }
    return true;
}

static bool start(ic_batch_lane *at, const ic_problem *problem)
{
    const ic_jump *jump = &problem->variant->start;
    const ic_branch *branch = NULL;
    at->mode = problem->mode_start;
    if (problem->x_start != NULL) {
        memcpy(at->x, problem->x_start, problem->system->n_states * sizeof *at->x);
    } else {
        double x[IC_MAX_STATES] = {0};
        const int taken = jump->apply(x, problem->t_start, x, problem->par);
        if (taken < 0 || (size_t)taken >= jump->n_branches) return false;
        branch = &jump->branches[taken];
        at->mode = branch->mode;
        memcpy(at->x, x, problem->system->n_states * sizeof *at->x);
    }
    return !problem->variant->modes[at->mode].terminal && arm(at, problem, branch);
}

/* Whether the forcing is the same in every period. */
static bool repeats(double frequency, double period)
{
    const double turns = frequency * period / TWO_PI;
    return fabs(turns - round(turns)) <= SAME_PHASE * fmax(turns, 1);
}

static ic_status open_lane(ic_batch_lane *at, ic_batch_numbers *numbers, const ic_batch_shape *shape,
                           const ic_sweep_plan *plan, ic_parameter_set *lane)
{
    const ic_options options = ic_options_resolved(lane->problem, &plan->options);
    const bool strobes = records_strobes(plan);
    *at = (ic_batch_lane){.numbers = numbers,
                          .period = lane->period,
                          .n_strobes = strobes ? plan->keep : 0,
                          .rows = strobes ? lane->rows : NULL,
                          .modes = strobes ? lane->modes : NULL};
    const ic_status status = ic_batch_numbers_take(numbers, &at->frequency, shape, lane->problem, lane->period);
    if (status != IC_OK) return status;
    at->phase = remainder(at->frequency * lane->problem->t_start, TWO_PI);
    at->tie = fmax(options.event_tol, TIE_ULPS * DBL_EPSILON * at->period);
    return repeats(at->frequency, at->period) && start(at, lane->problem) ? IC_OK : IC_UNSUPPORTED;
}

/* ---- a lane at its end */

/* A run that a terminal mode has ended stays where it is. */
static void fill_rest(const ic_batch_lane *at, ic_parameter_set *lane, size_t n)
{
    for (size_t row = at->strobes; row < lane->n_rows; row++) {
        memcpy(lane->rows + row * n, at->x, n * sizeof *at->x);
        lane->modes[row] = (unsigned char)at->mode;
    }
}

/* The kept periods, by the solver. */
static ic_status follow_kept(const ic_sweep_plan *plan, const ic_batch_lane *at, ic_parameter_set *lane)
{
    ic_problem problem = *lane->problem;
    ic_sweep_plan kept = *plan;
    ic_parameter_set rest = *lane;
    kept.skip = 0;
    problem.t_start += (double)plan->skip * lane->period;
    problem.x_start = at->x;
    problem.mode_start = at->mode;
    rest.problem = &problem;
    const ic_status status = ic_parameter_sets_by_solver(&kept, &rest, 1);
    rest.problem = lane->problem;
    rest.events += at->events;
    *lane = rest;
    return status;
}

static ic_status close_lane(const ic_sweep_plan *plan, const ic_batch_shape *shape, const ic_batch_lane *at,
                            ic_parameter_set *lane)
{
    const bool finished = at->outcome == IC_BATCH_FINISHED;
    const bool ended = finished && shape->modes[at->mode].terminal;
    const bool too_much = at->events > ic_options_resolved(lane->problem, &plan->options).max_steps;
    if (!finished || too_much || (ended && !records_strobes(plan))) {
        lane->status = IC_UNSUPPORTED;
        return IC_OK;
    }
    if (!records_strobes(plan)) return follow_kept(plan, at, lane);
    lane->status = IC_OK;
    lane->events = at->events;
    if (ended) fill_rest(at, lane, plan->n_columns);
    return IC_OK;
}

/* ---- lanes */

/** Lanes that are ready to go side by side. */
typedef struct group {
    ic_batch_shape shape;
    ic_batch_numbers *numbers; /* of each lane's modes */
    ic_batch_lane at[IC_BATCH_WIDEST];
    ic_parameter_set *lanes[IC_BATCH_WIDEST];
    int n;
} group;

static ic_status solve(group *g, const ic_sweep_plan *plan, const ic_batch_kernel *kernel)
{
    ic_status status = IC_OK;
    if (g->n == 0) return IC_OK;
    kernel->follow(&g->shape, g->at, g->n, (double)plan->skip, plan->stop);
    for (int i = 0; i < g->n && status == IC_OK; i++)
        status = close_lane(plan, &g->shape, &g->at[i], g->lanes[i]);
    g->n = 0;
    return status;
}

static void add(group *g, const ic_sweep_plan *plan, ic_parameter_set *lane)
{
    ic_parameter_set_clear(plan, lane);
    lane->status =
        open_lane(&g->at[g->n], g->numbers + (size_t)g->n * (size_t)g->shape.n_modes, &g->shape, plan, lane);
    if (lane->status == IC_OK) g->lanes[g->n++] = lane;
}

ic_status ic_parameter_sets_by_kernel(const ic_sweep_plan *plan, const ic_batch_kernel *kernel,
                                      ic_parameter_set *lanes, size_t n_lanes)
{
    group g = {.n = 0};
    ic_status status = IC_OK;
    if (!ic_batch_shape_take(&g.shape, plan->problem)) return IC_UNSUPPORTED;
    g.numbers = calloc((size_t)kernel->width * (size_t)g.shape.n_modes, sizeof *g.numbers);
    if (g.numbers == NULL) return IC_NO_MEMORY;
    for (size_t i = 0; i < n_lanes && status == IC_OK; i++) {
        if (plan->stop != NULL && *plan->stop != 0) break;
        if (lanes[i].status != IC_INVALID) add(&g, plan, &lanes[i]);
        if (g.n == kernel->width) status = solve(&g, plan, kernel);
    }
    if (status == IC_OK) status = solve(&g, plan, kernel);
    free(g.numbers);
    return status;
}

static ic_status solve_lanes(const ic_sweep_plan *plan, ic_parameter_set *lanes, size_t n_lanes)
{
    return ic_parameter_sets_by_kernel(plan, ic_batch_kernel_here(), lanes, n_lanes);
}

const ic_sweep_backend ic_sweep_backend_batch = {
    .name = "batch",
    .title = "piecewise linear lanes, several in each instruction",
    .stands_in_for = "piecewise_linear",
    .serves = serves,
    .solve = solve_lanes,
};
