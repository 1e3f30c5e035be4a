/* SPDX-License-Identifier: MIT */
#include "audit/command/command.h"
#include "core/linear_view.h"
#include "registry/registry.h"

#include <math.h>
#include <string.h>

/* Relative tolerance: a hundredth of the best accuracy of a good solver. */
#define RTOL 1e-12

bool ic_reference_run_open(ic_reference_run *reference, const ic_problem *problem, ic_error *error)
{
    const ic_solver *solver = ic_accurate_solver(problem->variant);
    const ic_options options = {.rtol = RTOL};
    *reference = (ic_reference_run){0};
    if (!ic_predictor_open(&reference->predictor, problem, problem->variant)) {
        ic_error_set(error, "case '%s' has more modes than an audit can follow", problem->system->name);
        return false;
    }
    reference->log = ic_log_new(problem);
    if (reference->log == NULL) {
        ic_error_set(error, "memory ran out");
        return false;
    }
    const ic_status status = solver->solve(reference->log, problem, &options);
    const ic_jump *start = &problem->variant->start;
    const int branch = start->apply(reference->x_start, problem->t_start, NULL, problem->par);
    const bool begins = branch >= 0 && (size_t)branch < start->n_branches;
    if (begins) reference->mode_start = start->branches[branch].mode;
    if (status != IC_OK || !begins) {
        const char *text = ic_log_text(reference->log);
        ic_error_set(error, "the case has no solution to compare with: %s%s%s", ic_status_text(status),
                     text[0] != '\0' ? "; " : "", text);
        return false;
    }
    return true;
}

void ic_reference_run_close(ic_reference_run *reference)
{
    ic_log_free(reference->log);
    reference->log = NULL;
}

double ic_reference_run_end(const ic_reference_run *reference)
{
    return ic_log_end(reference->log).t;
}

bool ic_reference_run_state(const ic_reference_run *reference, double t, double *x)
{
    const ic_problem *problem = ic_log_problem(reference->log);
    const size_t n = problem->system->n_states;
    double from = problem->t_start;
    const double *x_from = reference->x_start;
    int mode = reference->mode_start;
    ic_prediction prediction;
    if (!(t >= from) || t > ic_reference_run_end(reference)) return false;
    for (size_t i = 0; i < ic_log_event_count(reference->log); i++) {
        const ic_event event = ic_log_event_at(reference->log, i);
        if (event.t > t) break;
        from = event.t;
        x_from = event.x_post;
        mode = event.mode_to;
    }
    if (t == from) {
        memcpy(x, x_from, n * sizeof *x);
        return true;
    }
    ic_predict(&prediction, &reference->predictor, false, from, x_from, mode, t);
    if (prediction.good) memcpy(x, prediction.x, n * sizeof *x);
    return prediction.good;
}

double ic_reference_run_first_guard(const ic_reference_run *reference)
{
    const double t_start = ic_log_problem(reference->log)->t_start;
    for (size_t i = 0; i < ic_log_event_count(reference->log); i++) {
        const ic_event event = ic_log_event_at(reference->log, i);
        if (event.kind == IC_EVENT_GUARD && event.t > t_start) return event.t;
    }
    return INFINITY;
}

double ic_reference_run_next(const ic_reference_run *reference, double t)
{
    for (size_t i = 0; i < ic_log_event_count(reference->log); i++) {
        const ic_event event = ic_log_event_at(reference->log, i);
        if (event.t > t) return event.t;
    }
    return ic_reference_run_end(reference);
}
