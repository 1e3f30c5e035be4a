/* SPDX-License-Identifier: MIT */
#include "registry/registry.h"
#include "validation/claims/measurement.h"
#include "validation/claims/printed.h"

#include <math.h>
#include <stdlib.h>

/* ---- measures of parameters */

bool ic_measure_parameter(double *value, const ic_measurement *b)
{
    const ic_setup *setup = &b->subject->setup;
    *value = setup->par[ic_parameter_find(setup->problem.system, b->call->arguments[1])];
    return true;
}

bool ic_measure_formula(double *value, const ic_measurement *b)
{
    const ic_setup *setup = &b->subject->setup;
    const ic_names names = {.system = setup->problem.system, .par = setup->par};
    return ic_expression_number(value, b->call->arguments[1], &names, b->error);
}

/* ---- measures of equations as printed */

bool ic_measure_equation(double *value, const ic_measurement *b)
{
    *value = ic_printed_residual(b->subject->setup.problem.system->name, b->call->arguments[1],
                                 ic_argument_is(b, 2, "planted")   ? IC_PLANTED
                                 : ic_argument_is(b, 2, "printed") ? IC_PRINTED
                                                                   : IC_CORRECTED);
    return true;
}

/* ---- measures of the run from the start */

bool ic_measure_event_time(double *value, const ic_measurement *b)
{
    size_t index;
    if (!ic_nth_event(&index, b, -1)) return false;
    *value = ic_log_event_at(b->log, index).t;
    return true;
}

bool ic_measure_accumulation_time(double *value, const ic_measurement *b)
{
    for (size_t i = 0; i < ic_log_event_count(b->log); i++) {
        const ic_event event = ic_log_event_at(b->log, i);
        if (event.kind != IC_EVENT_ACCUMULATION || !ic_argument_is(b, 1, event.name)) continue;
        *value = event.t;
        return true;
    }
    return ic_measurement_fail(b, "no accumulation of events named ", b->call->arguments[1]);
}

bool ic_measure_entry_time(double *value, const ic_measurement *b)
{
    size_t index;
    if (!ic_nth_event(&index, b, ic_argument_mode(b, 1))) return false;
    *value = ic_log_event_at(b->log, index).t;
    return true;
}

bool ic_measure_event_count(double *value, const ic_measurement *b)
{
    *value = 0;
    for (size_t i = 0; i < ic_log_event_count(b->log); i++)
        *value += ic_argument_is(b, 1, ic_log_event_at(b->log, i).name);
    return true;
}

bool ic_measure_at_event(double *value, const ic_measurement *b)
{
    size_t index;
    if (!ic_nth_event(&index, b, -1)) return false;
    const ic_event event = ic_log_event_at(b->log, index);
    const bool before = ic_argument_is(b, 4, "before");
    *value = ic_argument_value(b, 3, event.t, before ? event.x_pre : event.x_post,
                               before ? event.mode_from : event.mode_to);
    return true;
}

bool ic_measure_mode_after(double *value, const ic_measurement *b)
{
    size_t index;
    if (!ic_nth_event(&index, b, -1)) return false;
    const ic_event event = ic_log_event_at(b->log, index);
    *value = event.mode_to == ic_argument_mode(b, 3);
    return true;
}

bool ic_measure_mode_at_start(double *value, const ic_measurement *b)
{
    *value = ic_log_sample_at(b->log, 0).mode == ic_argument_mode(b, 1);
    return true;
}

bool ic_measure_mode_at_end(double *value, const ic_measurement *b)
{
    *value = ic_log_end(b->log).mode == ic_argument_mode(b, 1);
    return true;
}

bool ic_measure_during(double *value, const ic_measurement *b)
{
    *value = NAN;
    for (size_t i = 0; i < ic_log_sample_count(b->log); i++) {
        const ic_sample at = ic_log_sample_at(b->log, i);
        if (at.mode == ic_argument_mode(b, 1))
            *value = ic_better_extreme(b, 3, *value, ic_argument_value(b, 2, at.t, at.x, at.mode));
    }
    return !isnan(*value) || ic_measurement_fail(b, "the run has no sample in mode ", b->call->arguments[1]);
}

/* A run of another solver with its default accuracy. */
bool ic_measure_solver_difference(double *value, const ic_measurement *b)
{
    const ic_problem *problem = &b->subject->setup.problem;
    ic_options options = ic_options_resolved(problem, &(ic_options){0});
    options.samples = ic_log_sample_count(b->log);
    ic_log *other = ic_measurement_run(b, problem, ic_solver_find(b->call->arguments[1]), &options);
    if (other == NULL) return false;
    double largest = 0, least = INFINITY, greatest = -INFINITY;
    for (size_t i = 0; i < options.samples; i++) {
        const ic_sample at = ic_log_sample_at(b->log, i), at_other = ic_log_sample_at(other, i);
        const double mine = ic_argument_value(b, 2, at.t, at.x, at.mode);
        const double theirs = ic_argument_value(b, 2, at_other.t, at_other.x, at_other.mode);
        largest = fmax(largest, fabs(mine - theirs));
        least = fmin(least, mine);
        greatest = fmax(greatest, mine);
    }
    ic_log_free(other);
    *value = largest / (greatest - least);
    return true;
}

bool ic_measure_flow_calls(double *value, const ic_measurement *b)
{
    const ic_problem *problem = &b->subject->setup.problem;
    const ic_options options = ic_options_resolved(problem, &(ic_options){0});
    ic_log *run = ic_measurement_run(b, problem, ic_solver_find(b->call->arguments[1]), &options);
    if (run == NULL) return false;
    *value = ic_log_work(run)->flow_calls;
    ic_log_free(run);
    return !isnan(*value) ||
           ic_measurement_fail(b, "calls of the flow are not counted by ", b->call->arguments[1]);
}

bool ic_measure_final(double *value, const ic_measurement *b)
{
    const ic_sample end = ic_log_end(b->log);
    *value = ic_argument_value(b, 1, end.t, end.x, end.mode);
    return true;
}

bool ic_measure_changes(double *value, const ic_measurement *b)
{
    const ic_mode *modes = b->subject->setup.problem.variant->modes;
    *value = 0;
    for (size_t i = 0; i < ic_log_event_count(b->log); i++) {
        const ic_event event = ic_log_event_at(b->log, i);
        *value += event.mode_to != event.mode_from && !modes[event.mode_to].terminal;
    }
    return true;
}
