/* SPDX-License-Identifier: MIT */
/* The method that serves every plan: a registered solver, one parameter set after another. A set
   is one run with a sample at the end of each period, so that its strobes are those of `impactcheck
   run` bit for bit; extremes are computed in the kept periods only. */
#include "core/log_scope.h"
#include "core/model.h"
#include "sweep/parameter_sets.h"

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

/* Number of kept periods that were reached to their end. */
static size_t periods_reached(const ic_sweep_plan *plan, const ic_log *log)
{
    const size_t samples = ic_log_sample_count(log);
    return samples > plan->skip + 1 ? samples - plan->skip - 1 : 0;
}

static void fill_rows(const ic_sweep_plan *plan, ic_parameter_set *set, const ic_log *log)
{
    const size_t reached = periods_reached(plan, log);
    const size_t n_periods = set->status == IC_OK ? plan->keep : reached;
    for (size_t i = 0; i < n_periods; i++) {
        if (plan->record == IC_RECORD_STROBE) { /* after the end of the run, its last state */
            const ic_sample at = i < reached ? ic_log_sample_at(log, plan->skip + 1 + i) : ic_log_end(log);
            memcpy(set->rows + i * plan->n_columns, at.x, plan->n_columns * sizeof *at.x);
            set->modes[i] = (unsigned char)at.mode;
        } else if (plan->record == IC_RECORD_OUTPUT) {
            const ic_extreme extreme = ic_log_window_extreme(log, i, 0);
            set->rows[2 * i] = extreme.min;
            set->rows[2 * i + 1] = extreme.max;
        } else if (set->status == IC_OK) { /* fmax(NAN, y) is y */
            for (size_t k = 0; k < plan->n_columns; k++)
                set->rows[k] = fmax(set->rows[k], ic_log_window_extreme(log, i, k).max);
        }
    }
}

ic_log *ic_parameter_set_log(const ic_sweep_plan *plan, const ic_parameter_set *set, ic_options *options)
{
    const ic_log_scope scope = scope_for(plan);
    *options = plan->options;
    options->samples = scope.samples;
    options->extremes = scope.n_windows > 0;
    ic_log *log = ic_log_new(set->problem);
    if (log != NULL && ic_log_narrow(log, &scope) == IC_OK) return log;
    ic_log_free(log);
    return NULL;
}

void ic_parameter_set_fill(const ic_sweep_plan *plan, ic_parameter_set *set, ic_status status,
                           const ic_log *log)
{
    set->status = status;
    set->events = (double)ic_log_event_count(log);
    if (set->status != IC_OK)
        snprintf(set->why, sizeof set->why, "%.*s", IC_PARAMETER_SET_REASON - 1, ic_log_text(log));
    fill_rows(plan, set, log);
}

static ic_status solve_set(const ic_sweep_plan *plan, ic_parameter_set *set)
{
    ic_options options;
    ic_log *log = ic_parameter_set_log(plan, set, &options);
    if (log == NULL) return IC_NO_MEMORY;
    ic_parameter_set_fill(plan, set, plan->solver->solve(log, set->problem, &options), log);
    ic_log_free(log);
    return set->status == IC_NO_MEMORY ? IC_NO_MEMORY : IC_OK;
}

ic_status ic_parameter_sets_by_solver(const ic_sweep_plan *plan, ic_parameter_set *sets, size_t n_sets)
{
    for (size_t i = 0; i < n_sets; i++) {
        if (sets[i].status == IC_INVALID) continue;
        if (plan->stop != NULL && *plan->stop != 0) return IC_OK;
        ic_parameter_set_clear(plan, &sets[i]);
        const ic_status status = solve_set(plan, &sets[i]);
        if (status != IC_OK) return status;
    }
    return IC_OK;
}
