/* SPDX-License-Identifier: MIT */
#include "validation/claims/claims_bench.h"
#include "registry/registry.h"

#include <math.h>
#include <string.h>

bool ic_bench_fails(const ic_bench *b, const char *what, const char *name)
{
    ic_error_set(b->error, "%s: %s%s", b->subject->path, what, name);
    return false;
}

/* ---- names */

int ic_find_mode(const ic_variant *variant, const char *name)
{
    for (size_t i = 0; i < variant->n_modes; i++) {
        if (strcmp(variant->modes[i].name, name) == 0) return (int)i;
    }
    return -1;
}

/* ---- arguments of a call that was checked */

int ic_bench_mode(const ic_bench *b, size_t i)
{
    return ic_find_mode(b->subject->setup.problem.variant, b->call->arguments[i]);
}

static const ic_output *output_argument(const ic_bench *b, size_t i)
{
    const ic_case *system = b->subject->setup.problem.system;
    return &system->outputs[ic_output_find(system, b->call->arguments[i])];
}

bool ic_bench_is(const ic_bench *b, size_t i, const char *word)
{
    return strcmp(b->call->arguments[i], word) == 0;
}

double ic_bench_variable(const ic_bench *b, size_t i, double t, const double *x, int mode)
{
    const ic_case *system = b->subject->setup.problem.system;
    const size_t state = ic_state_find(system, b->call->arguments[i]);
    return state < system->n_states ? x[state]
                                    : output_argument(b, i)->value(t, x, mode, b->subject->setup.par);
}

double ic_bench_better(const ic_bench *b, size_t i, double so_far, double value)
{
    if (isnan(so_far)) return value;
    return ic_bench_is(b, i, "min") ? fmin(so_far, value) : fmax(so_far, value);
}

/* ---- runs */

ic_log *ic_bench_run(const ic_bench *b, const ic_problem *problem, const ic_solver *solver,
                     const ic_options *options)
{
    ic_log *log = ic_log_new(problem);
    const ic_status status = log == NULL ? IC_NO_MEMORY : solver->solve(log, problem, options);
    if (status == IC_OK) return log;
    ic_bench_fails(b, ic_status_text(status), "");
    ic_log_free(log);
    return NULL;
}
