/* SPDX-License-Identifier: MIT */
#include "registry/registry.h"
#include "validation/claims/claims_bench.h"
#include "validation/claims/printed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- measures of parameters */

bool ic_measure_parameter(double *value, const ic_bench *b)
{
    const ic_setup *setup = &b->subject->setup;
    *value = setup->par[ic_parameter_find(setup->problem.system, b->call->arguments[1])];
    return true;
}

bool ic_measure_formula(double *value, const ic_bench *b)
{
    const ic_setup *setup = &b->subject->setup;
    const ic_names names = {.system = setup->problem.system, .par = setup->par};
    return ic_expression_number(value, b->call->arguments[1], &names, b->error);
}

/* ---- measures of equations as printed */

bool ic_measure_equation(double *value, const ic_bench *b)
{
    const ic_printed_paper *paper = ic_printed_paper_of(b->subject->setup.problem.system->name);
    const char *equation = b->call->arguments[1];
    *value = ic_bench_is(b, 2, "planted") ? paper->planted(equation)
                                          : paper->residual(equation, ic_bench_is(b, 2, "printed"));
    return true;
}

/* ---- measures of the run from the start */

/* The n-th event of a name. false with an error where there are fewer. */
static bool nth_event(ic_event *event, const ic_bench *b)
{
    const ic_log *run = ic_subject_run(b->subject, b->error);
    if (run == NULL) return false;
    long left = strtol(b->call->arguments[2], NULL, 10);
    for (size_t i = 0; i < ic_log_event_count(run); i++) {
        *event = ic_log_event_at(run, i);
        if (strcmp(event->name, b->call->arguments[1]) == 0 && --left == 0) return true;
    }
    ic_bench_fails(b, "there are fewer events named ", b->call->arguments[1]);
    return false;
}

bool ic_measure_event_time(double *value, const ic_bench *b)
{
    ic_event event;
    if (!nth_event(&event, b)) return false;
    *value = event.t;
    return true;
}

bool ic_measure_entry_time(double *value, const ic_bench *b)
{
    const ic_log *run = ic_subject_run(b->subject, b->error);
    if (run == NULL) return false;
    long left = strtol(b->call->arguments[2], NULL, 10);
    for (size_t i = 0; i < ic_log_event_count(run); i++) {
        const ic_event event = ic_log_event_at(run, i);
        *value = event.t;
        if (event.mode_to == ic_bench_mode(b, 1) && event.mode_from != event.mode_to && --left == 0)
            return true;
    }
    return ic_bench_fails(b, "the run has fewer entries into mode ", b->call->arguments[1]);
}

bool ic_measure_event_count(double *value, const ic_bench *b)
{
    const ic_log *run = ic_subject_run(b->subject, b->error);
    if (run == NULL) return false;
    *value = 0;
    for (size_t i = 0; i < ic_log_event_count(run); i++)
        *value += ic_bench_is(b, 1, ic_log_event_at(run, i).name);
    return true;
}

bool ic_measure_at_event(double *value, const ic_bench *b)
{
    ic_event event;
    if (!nth_event(&event, b)) return false;
    const bool before = ic_bench_is(b, 4, "before");
    *value = ic_bench_variable(b, 3, event.t, before ? event.x_pre : event.x_post,
                               before ? event.mode_from : event.mode_to);
    return true;
}

bool ic_measure_mode_after(double *value, const ic_bench *b)
{
    ic_event event;
    if (!nth_event(&event, b)) return false;
    *value = event.mode_to == ic_bench_mode(b, 3);
    return true;
}

bool ic_measure_mode_at_start(double *value, const ic_bench *b)
{
    const ic_log *run = ic_subject_run(b->subject, b->error);
    if (run == NULL) return false;
    *value = ic_log_sample_at(run, 0).mode == ic_bench_mode(b, 1);
    return true;
}

bool ic_measure_mode_at_end(double *value, const ic_bench *b)
{
    const ic_log *run = ic_subject_run(b->subject, b->error);
    if (run == NULL) return false;
    *value = ic_log_end(run).mode == ic_bench_mode(b, 1);
    return true;
}

bool ic_measure_during(double *value, const ic_bench *b)
{
    const ic_log *run = ic_subject_run(b->subject, b->error);
    if (run == NULL) return false;
    *value = NAN;
    for (size_t i = 0; i < ic_log_sample_count(run); i++) {
        const ic_sample at = ic_log_sample_at(run, i);
        if (at.mode == ic_bench_mode(b, 1))
            *value = ic_bench_better(b, 3, *value, ic_bench_variable(b, 2, at.t, at.x, at.mode));
    }
    return !isnan(*value) || ic_bench_fails(b, "the run has no sample in mode ", b->call->arguments[1]);
}

/* Another solver as it comes, with its default accuracy. */
bool ic_measure_solver_difference(double *value, const ic_bench *b)
{
    const ic_log *run = ic_subject_run(b->subject, b->error);
    if (run == NULL) return false;
    const ic_problem *problem = &b->subject->setup.problem;
    ic_options options = ic_options_resolved(problem, &(ic_options){0});
    options.samples = ic_log_sample_count(run);
    ic_log *other = ic_bench_run(b, problem, ic_solver_find(b->call->arguments[1]), &options);
    if (other == NULL) return false;
    double largest = 0, least = INFINITY, greatest = -INFINITY;
    for (size_t i = 0; i < options.samples; i++) {
        const ic_sample at = ic_log_sample_at(run, i), at_other = ic_log_sample_at(other, i);
        const double mine = ic_bench_variable(b, 2, at.t, at.x, at.mode);
        const double theirs = ic_bench_variable(b, 2, at_other.t, at_other.x, at_other.mode);
        largest = fmax(largest, fabs(mine - theirs));
        least = fmin(least, mine);
        greatest = fmax(greatest, mine);
    }
    ic_log_free(other);
    *value = largest / (greatest - least);
    return true;
}

bool ic_measure_flow_calls(double *value, const ic_bench *b)
{
    const ic_problem *problem = &b->subject->setup.problem;
    const ic_options options = ic_options_resolved(problem, &(ic_options){0});
    ic_log *run = ic_bench_run(b, problem, ic_solver_find(b->call->arguments[1]), &options);
    if (run == NULL) return false;
    *value = ic_log_work(run)->flow_calls;
    ic_log_free(run);
    return !isnan(*value) || ic_bench_fails(b, "calls of the flow are not counted by ", b->call->arguments[1]);
}

bool ic_measure_final(double *value, const ic_bench *b)
{
    const ic_log *run = ic_subject_run(b->subject, b->error);
    if (run == NULL) return false;
    const ic_sample end = ic_log_end(run);
    *value = ic_bench_variable(b, 1, end.t, end.x, end.mode);
    return true;
}

bool ic_measure_changes(double *value, const ic_bench *b)
{
    const ic_log *run = ic_subject_run(b->subject, b->error);
    if (run == NULL) return false;
    const ic_mode *modes = b->subject->setup.problem.variant->modes;
    *value = 0;
    for (size_t i = 0; i < ic_log_event_count(run); i++) {
        const ic_event event = ic_log_event_at(run, i);
        *value += event.mode_to != event.mode_from && !modes[event.mode_to].terminal;
    }
    return true;
}
