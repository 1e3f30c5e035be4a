/* SPDX-License-Identifier: MIT */
/*
 * The method "batch": opens a lane for each parameter set, solves groups of lanes by a kernel, and
 * stores their results. For records of extremes, the kernel follows the skipped periods, and the
 * solver the kept ones.
 */
#include "core/event_loop.h"
#include "core/model.h"
#include "core/numbers.h"
#include "sweep/batch/batch.h"
#include "sweep/batch/lane_forms.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Relative deviation from whole turns in a period up to which the forcing repeats. */
#define SAME_PHASE 1e-12
/* Events closer than this many units in the last place of a period count as simultaneous. */
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

/* ---- supported plans */

static const char *refusal_of(const ic_sweep_plan *plan)
{
    ic_batch_shape shape;
    if (!ic_sweep_fuses()) return IC_SWEEP_NEEDS_FUSED;
    if (plan->record != IC_RECORD_STROBE && plan->skip == 0)
        return "it records outputs only after periods to skip (--skip)";
    return ic_batch_shape_read(&shape, plan->problem)
               ? NULL
               : "it needs a case that is linear between events, of at most 6 states, 6 modes and 3 guards "
                 "in each, without time events or impacts that accumulate";
}

/* ---- start of a lane */

/* Sets the sides of all guards at the start; false: a guard fires there, or is level at zero. */
static bool arm_guards(ic_batch_lane *at, const ic_problem *problem, const ic_branch *branch)
{
    const ic_mode *mode = &problem->variant->modes[at->mode];
    bool declared[IC_BATCH_GUARDS] = {false};
    for (size_t k = 0; branch != NULL && k < branch->n_departures; k++) {
        const ic_departure *departure = &branch->departures[k];
        if (departure->order > 2) return false;
        at->side[departure->guard] = departure->side;
        at->order[departure->guard] = departure->order;
        declared[departure->guard] = true;
    }
    for (size_t i = 0; i < mode->n_guards; i++) {
        const ic_guard *guard = &mode->guards[i];
        if (declared[i]) continue;
        const double value = guard->value(problem->t_start, at->x, problem->par);
        const int to = ic_sign(guard->rate(problem->t_start, at->x, problem->par));
        at->order[i] = value == 0;
        at->side[i] = value == 0 ? to : ic_sign(value);
        const bool may_fire = value == 0 || guard->onset == IC_ONSET_LEVEL ||
                              (guard->onset == IC_ONSET_NEAR && to == guard->direction);
        if (at->side[i] == 0 || (may_fire && at->side[i] == guard->direction)) return false;
    }
    return true;
}

static bool start_lane(ic_batch_lane *at, const ic_problem *problem)
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
    return !problem->variant->modes[at->mode].terminal && arm_guards(at, problem, branch);
}

/* Opens a lane whose coefficients have been computed. */
static ic_status open_lane(ic_batch_lane *at, const ic_batch_coefficients *coefficients, double frequency,
                           const ic_sweep_plan *plan, const ic_parameter_set *lane)
{
    const ic_options options = ic_options_resolved(lane->problem, &plan->options);
    const bool strobes = plan->record == IC_RECORD_STROBE;
    *at = (ic_batch_lane){.coefficients = coefficients,
                          .frequency = frequency,
                          .period = lane->period,
                          .n_strobes = strobes ? plan->keep : 0,
                          .rows = strobes ? lane->rows : NULL,
                          .modes = strobes ? lane->modes : NULL};
    at->phase = remainder(at->frequency * lane->problem->t_start, TWO_PI);
    at->tie = fmax(options.event_tol, TIE_ULPS * DBL_EPSILON * at->period);
    /* of the forcing in a period: whole */
    const double turns = at->frequency * at->period / TWO_PI;
    const bool repeats = fabs(turns - round(turns)) <= SAME_PHASE * fmax(turns, 1);
    return repeats && start_lane(at, lane->problem) ? IC_OK : IC_UNSUPPORTED;
}

/* ---- end of a lane */

/* Solves the kept periods by the solver, from the state after the skipped ones. */
static ic_status solve_kept_periods(const ic_sweep_plan *plan, const ic_batch_lane *at, ic_parameter_set *lane)
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
    if (!finished || too_much || (ended && plan->record != IC_RECORD_STROBE)) {
        lane->status = IC_UNSUPPORTED;
        return IC_OK;
    }
    if (plan->record != IC_RECORD_STROBE) return solve_kept_periods(plan, at, lane);
    lane->status = IC_OK;
    lane->events = at->events;
    /* repeats the last state */
    for (size_t row = at->strobes; ended && row < lane->n_rows; row++) {
        memcpy(lane->rows + row * plan->n_columns, at->x, plan->n_columns * sizeof *at->x);
        lane->modes[row] = (unsigned char)at->mode;
    }
    return IC_OK;
}

/* ---- lanes */

/** Lanes to be solved together. */
typedef struct lane_group {
    ic_batch_shape shape;
    ic_batch_forms *forms;

    /* shape.n_modes for each lane */
    ic_batch_coefficients *coefficients;

    ic_batch_lane at[IC_BATCH_WIDEST];
    ic_parameter_set *lanes[IC_BATCH_WIDEST];
    int n;
} lane_group;

/* Computes the coefficients of lanes i and i + 1; without the latter, those of i twice. */
static void compute_pair(lane_group *g, int i, double *frequency, bool *good)
{
    ic_batch_coefficients *coefficients[IC_BATCH_PAIR];
    const ic_problem *problems[IC_BATCH_PAIR];
    double periods[IC_BATCH_PAIR];
    for (int l = 0; l < IC_BATCH_PAIR; l++) {
        const int k = i + l < g->n ? i + l : i;
        coefficients[l] = g->coefficients + (size_t)k * (size_t)g->shape.n_modes;
        problems[l] = g->lanes[k]->problem;
        periods[l] = g->lanes[k]->period;
    }
    ic_batch_coefficients_compute(g->forms, coefficients, frequency, good, problems, periods);
}

/* Opens the lanes of the group; drops those that the method cannot solve. */
static void open_lanes(lane_group *g, const ic_sweep_plan *plan)
{
    double frequency[IC_BATCH_PAIR] = {0};
    bool good[IC_BATCH_PAIR] = {false};
    int kept = 0;
    for (int i = 0; i < g->n; i++) {
        const int l = i % IC_BATCH_PAIR;
        ic_parameter_set *lane = g->lanes[i];
        if (l == 0) compute_pair(g, i, frequency, good);
        lane->status = IC_UNSUPPORTED;
        if (good[l])
            lane->status = open_lane(&g->at[kept], g->coefficients + (size_t)i * (size_t)g->shape.n_modes,
                                     frequency[l], plan, lane);
        if (lane->status == IC_OK) g->lanes[kept++] = lane;
    }
    g->n = kept;
}

static ic_status solve_group(lane_group *g, const ic_sweep_plan *plan, const ic_batch_kernel *kernel)
{
    ic_status status = IC_OK;
    if (g->n > 0) open_lanes(g, plan);
    if (g->n == 0) return IC_OK;
    kernel->follow(&g->shape, g->at, g->n, (double)plan->skip, plan->stop);
    for (int i = 0; i < g->n && status == IC_OK; i++)
        status = close_lane(plan, &g->shape, &g->at[i], g->lanes[i]);
    g->n = 0;
    return status;
}

ic_status ic_parameter_sets_by_kernel(const ic_sweep_plan *plan, const ic_batch_kernel *kernel,
                                      ic_parameter_set *lanes, size_t n_lanes)
{
    lane_group g = {.n = 0};
    ic_status status = IC_OK;
    if (!ic_batch_shape_read(&g.shape, plan->problem)) return IC_UNSUPPORTED;
    g.forms = ic_batch_forms_new(&g.shape, plan->problem->variant);
    g.coefficients = calloc((size_t)kernel->width * (size_t)g.shape.n_modes, sizeof *g.coefficients);
    if (g.forms == NULL || g.coefficients == NULL) status = IC_NO_MEMORY;
    for (size_t i = 0; i < n_lanes && status == IC_OK; i++) {
        if (plan->stop != NULL && *plan->stop != 0) break;
        if (lanes[i].status == IC_INVALID) continue;
        ic_parameter_set_clear(plan, &lanes[i]);
        g.lanes[g.n++] = &lanes[i];
        if (g.n == kernel->width) status = solve_group(&g, plan, kernel);
    }
    if (status == IC_OK) status = solve_group(&g, plan, kernel);
    free(g.forms);
    free(g.coefficients);
    return status;
}

static ic_status solve_lanes(const ic_sweep_plan *plan, ic_parameter_set *lanes, size_t n_lanes)
{
    size_t i = 0;
    // cppcheck-suppress knownConditionTrueFalse ; builds for x86 have several kernels
    while (i + 1 < ic_batch_kernel_count && !ic_batch_kernels[i]->runs_here())
        i++; /* the last one runs anywhere */
    return ic_parameter_sets_by_kernel(plan, ic_batch_kernels[i], lanes, n_lanes);
}

const ic_sweep_method ic_sweep_method_batch = {
    .name = "batch",
    .title = "piecewise linear motion, several parameter sets in each instruction",
    .stands_in_for = "piecewise_linear",
    .refusal = refusal_of,
    .solve = solve_lanes,
};
