/* SPDX-License-Identifier: MIT */
/* The engine that serves everything: a solver of the registry, lane after lane. A lane is one run with a sample at the end of each
 * period, so that its strobes are those of `impactcheck run` bit for bit; extremes are followed in the kept periods only. */
#include "core/log_scope.h"
#include "core/model.h"
#include "sweep/lanes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double ic_sweep_period(const ic_problem *problem)
{
    const double forcing = ic_forcing_period(problem);
    return forcing > 0 ? forcing : problem->t_end - problem->t_start;
}

static ic_log_scope scope_for(const ic_sweep_plan *plan)
{
    const bool extremes = plan->record != IC_RECORD_STROBE;
    const bool all = plan->record == IC_RECORD_PEAK;
    return (ic_log_scope){
        .samples = plan->skip + plan->keep + 1,
        .first_sample = plan->skip + 1, /* sample 0 is the start */
        .first_window = plan->skip,
        .n_windows = extremes ? plan->keep : 0,
        .first_output = all ? 0 : plan->output,
        .n_outputs = all ? plan->n_columns : 1,
    };
}

/* How many of the kept periods have been reached to their end. */
static size_t periods_reached(const ic_sweep_plan *plan, const ic_log *log)
{
    const size_t samples = ic_log_sample_count(log);
    return samples > plan->skip + 1 ? samples - plan->skip - 1 : 0;
}

static void fill_strobes(const ic_sweep_plan *plan, ic_lane *lane, const ic_log *log)
{
    const size_t reached = periods_reached(plan, log);
    const bool over = lane->status == IC_OK; /* and stays where it is */
    for (size_t i = 0; i < lane->n_rows; i++) {
        if (i >= reached && !over) return;
        const ic_sample at = i < reached ? ic_log_sample_at(log, plan->skip + 1 + i) : ic_log_end(log);
        memcpy(lane->rows + i * plan->n_columns, at.x, plan->n_columns * sizeof *at.x);
        lane->modes[i] = (unsigned char)at.mode;
    }
}

static void fill_extremes(const ic_sweep_plan *plan, ic_lane *lane, const ic_log *log)
{
    const size_t whole = lane->status == IC_OK ? lane->n_rows : periods_reached(plan, log);
    for (size_t i = 0; i < whole; i++) {
        const ic_extreme extreme = ic_log_window_extreme(log, i, 0);
        lane->rows[2 * i] = extreme.min;
        lane->rows[2 * i + 1] = extreme.max;
    }
}

static void fill_peaks(const ic_sweep_plan *plan, ic_lane *lane, const ic_log *log)
{
    if (lane->status != IC_OK) return;
    for (size_t i = 0; i < plan->keep; i++) {
        for (size_t k = 0; k < plan->n_columns; k++)
            lane->rows[k] =
                fmax(lane->rows[k], ic_log_window_extreme(log, i, k).max); /* of NAN and a number: the number */
    }
}

static void fill(const ic_sweep_plan *plan, ic_lane *lane, const ic_log *log)
{
    switch (plan->record) {
    case IC_RECORD_STROBE: fill_strobes(plan, lane, log); break;
    case IC_RECORD_OUTPUT: fill_extremes(plan, lane, log); break;
    case IC_RECORD_PEAK: fill_peaks(plan, lane, log); break;
    }
}

static ic_status solve_lane(const ic_sweep_plan *plan, ic_lane *lane)
{
    const ic_log_scope scope = scope_for(plan);
    ic_options options = plan->options;
    options.samples = scope.samples;
    options.extremes = scope.n_windows > 0;
    ic_log *log = ic_log_new(lane->problem);
    if (log == NULL || ic_log_narrow(log, &scope) != IC_OK) {
        ic_log_free(log);
        return IC_NO_MEMORY;
    }
    lane->status = plan->solver->solve(log, lane->problem, &options);
    lane->events = (double)ic_log_event_count(log);
    if (lane->status != IC_OK) snprintf(lane->why, sizeof lane->why, "%.*s", IC_LANE_WHY - 1, ic_log_text(log));
    fill(plan, lane, log);
    ic_log_free(log);
    return lane->status == IC_NO_MEMORY ? IC_NO_MEMORY : IC_OK;
}

ic_status ic_lanes_by_solver(const ic_sweep_plan *plan, ic_lane *lanes, size_t n_lanes)
{
    for (size_t i = 0; i < n_lanes; i++) {
        if (lanes[i].status == IC_INVALID) continue;
        if (plan->stop != NULL && *plan->stop != 0) return IC_OK;
        ic_lane_clear(plan, &lanes[i]);
        const ic_status status = solve_lane(plan, &lanes[i]);
        if (status != IC_OK) return status;
    }
    return IC_OK;
}
