/* SPDX-License-Identifier: MIT */
#include "validation/claims/measurement.h"
#include "core/names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool ic_measurement_fail(const ic_measurement *b, const char *what, const char *name)
{
    ic_error_set(b->error, "%s: %s%s", b->subject->path, what, name);
    return false;
}

/* ---- arguments of a call that was checked */

int ic_argument_mode(const ic_measurement *b, size_t i)
{
    return ic_mode_find(b->subject->setup.problem.variant, b->call->arguments[i]);
}

bool ic_argument_is(const ic_measurement *b, size_t i, const char *word)
{
    return strcmp(b->call->arguments[i], word) == 0;
}

double ic_argument_value(const ic_measurement *b, size_t i, double t, const double *x, int mode)
{
    const ic_case *system = b->subject->setup.problem.system;
    const size_t state = ic_state_find(system, b->call->arguments[i]);
    if (state < system->n_states) return x[state];
    return system->outputs[ic_output_find(system, b->call->arguments[i])].value(t, x, mode,
                                                                                b->subject->setup.par);
}

double ic_better_extreme(const ic_measurement *b, size_t i, double so_far, double value)
{
    if (isnan(so_far)) return value;
    return ic_argument_is(b, i, "min") ? fmin(so_far, value) : fmax(so_far, value);
}

/* ---- runs */

ic_log *ic_measurement_run(const ic_measurement *b, const ic_problem *problem, const ic_solver *solver,
                           const ic_options *options)
{
    ic_log *log = ic_log_new(problem);
    const ic_status status = log == NULL ? IC_NO_MEMORY : solver->solve(log, problem, options);
    if (status == IC_OK) return log;
    ic_measurement_fail(b, ic_status_text(status), "");
    ic_log_free(log);
    return NULL;
}

bool ic_nth_event(size_t *index, const ic_measurement *b, int mode)
{
    long left = strtol(b->call->arguments[2], NULL, 10);
    for (*index = 0; *index < ic_log_event_count(b->log); ++*index) {
        const ic_event event = ic_log_event_at(b->log, *index);
        const bool counts =
            mode < 0 ? ic_argument_is(b, 1, event.name) : event.mode_to == mode && event.mode_from != mode;
        if (counts && --left == 0) return true;
    }
    return ic_measurement_fail(
        b, mode < 0 ? "the run has fewer events named " : "the run has fewer entries into mode ",
        b->call->arguments[1]);
}
