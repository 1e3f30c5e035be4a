/* SPDX-License-Identifier: MIT */
#include "validation/claims/claim_evaluator.h"
#include "registry/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Samples of a run from its start. */
enum { RUN_SAMPLES = 4001 };

/* ---- subjects */

static void subject_free(ic_subject *subject)
{
    ic_log_free(subject->run);
    ic_log_free(subject->orbit);
    ic_setup_close(&subject->setup);
    free(subject);
}

void ic_claim_evaluator_close(ic_claim_evaluator *evaluator)
{
    while (evaluator->first != NULL) {
        ic_subject *subject = evaluator->first;
        evaluator->first = subject->next;
        subject_free(subject);
    }
}

ic_subject *ic_claim_evaluator_subject(ic_claim_evaluator *evaluator, const char *path, ic_error *error)
{
    for (ic_subject *known = evaluator->first; known != NULL; known = known->next) {
        if (strcmp(known->path, path) == 0) return known;
    }
    ic_subject *subject = calloc(1, sizeof *subject);
    if (subject == NULL) {
        ic_error_set(error, "memory ran out");
        return NULL;
    }
    if (!ic_path_open(&subject->setup, path, error)) {
        free(subject);
        return NULL;
    }
    snprintf(subject->path, sizeof subject->path, "%s", path);
    subject->solver = ic_accurate_solver(subject->setup.problem.variant);
    subject->options = ic_trusted_options(&subject->setup.problem);
    if (subject->solver == NULL) {
        ic_error_set(error, "%s: this build does not have the solver that judges claims", path);
        subject_free(subject);
        return NULL;
    }
    subject->next = evaluator->first;
    evaluator->first = subject;
    return subject;
}

/* A sampled run. NULL: it did not end well. */
static ic_log *run_sampled(const ic_subject *subject, const ic_problem *problem, size_t samples,
                           ic_error *error)
{
    ic_options options = subject->options;
    ic_log *log = ic_log_new(problem);
    if (log == NULL) {
        ic_error_set(error, "memory ran out");
        return NULL;
    }
    options.samples = samples;
    const ic_status status = subject->solver->solve(log, problem, &options);
    if (status == IC_OK) return log;
    ic_error_set(error, "%s: %s %s", subject->path, ic_status_text(status), ic_log_text(log));
    ic_log_free(log);
    return NULL;
}

const ic_log *ic_subject_run(ic_subject *subject, ic_error *error)
{
    if (subject->run == NULL) subject->run = run_sampled(subject, &subject->setup.problem, RUN_SAMPLES, error);
    return subject->run;
}

const ic_steady *ic_subject_steady(ic_subject *subject, ic_error *error)
{
    if (!subject->sought) {
        subject->steady_status = ic_steady_find(&subject->steady, &subject->setup.problem, subject->solver,
                                                &subject->options, IC_STEADY_TRANSIENT);
        subject->sought = true;
    }
    if (subject->steady_status == IC_OK) return &subject->steady;
    ic_error_set(error, "%s: steady state: %s", subject->path, ic_status_text(subject->steady_status));
    return NULL;
}

const ic_log *ic_subject_orbit(ic_subject *subject, ic_error *error)
{
    const ic_steady *steady = ic_subject_steady(subject, error);
    if (steady == NULL) return NULL;
    if (steady->multiple == 0) {
        ic_error_set(error, "%s: no stable steady state up to %d periods", subject->path,
                     IC_STEADY_MOST_PERIODS);
        return NULL;
    }
    if (subject->orbit == NULL) {
        ic_problem *problem = &subject->orbit_problem;
        *problem = subject->setup.problem;
        problem->x_start = steady->x;
        problem->mode_start = steady->mode;
        problem->t_start = 0;
        problem->t_end = steady->multiple * steady->period;
        problem->t_end_text = NULL;
        subject->orbit =
            run_sampled(subject, problem, (size_t)steady->multiple * IC_SAMPLES_PER_PERIOD + 1, error);
    }
    return subject->orbit;
}
