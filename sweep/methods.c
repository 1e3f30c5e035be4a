/* SPDX-License-Identifier: MIT */
#include "sweep/parameter_sets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const ic_sweep_method scalar = {
    .name = "scalar",
    .title = "the solver, one parameter set after another",
    .solve = ic_parameter_sets_by_solver,
};

/* Faster methods come first: the first that serves a plan is chosen. */
const ic_sweep_method *const ic_sweep_methods[] = {
    &ic_sweep_method_batch,
    &ic_sweep_method_series,
    &scalar,
};
const size_t ic_sweep_method_count = IC_COUNT(ic_sweep_methods);

bool ic_sweep_fuses(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return true;
#endif
}

const char *ic_sweep_method_refusal(const ic_sweep_method *method, const ic_sweep_plan *plan)
{
    const char *solver = method->stands_in_for;
    const bool replaces = solver == NULL || strcmp(solver, plan->solver->name) == 0 ||
                          (method->general && plan->any_solver && plan->solver->control == IC_CONTROL_RTOL);
    if (!replaces) return "it stands in for another solver than the one asked for";
    return method->refusal == NULL ? NULL : method->refusal(plan);
}

const ic_sweep_method *ic_sweep_method_for(const ic_sweep_plan *plan)
{
    for (size_t i = 0; i < ic_sweep_method_count; i++) {
        if (ic_sweep_method_refusal(ic_sweep_methods[i], plan) == NULL) return ic_sweep_methods[i];
    }
    return &scalar;
}

const ic_sweep_method *ic_sweep_method_find(const char *name)
{
    for (size_t i = 0; i < ic_sweep_method_count; i++) {
        if (strcmp(ic_sweep_methods[i]->name, name) == 0) return ic_sweep_methods[i];
    }
    return NULL;
}

size_t ic_record_columns(ic_record_kind record, const ic_problem *problem)
{
    switch (record) {
    case IC_RECORD_STROBE: return problem->system->n_states;
    case IC_RECORD_OUTPUT: return 2;
    case IC_RECORD_PEAK: return problem->system->n_outputs;
    }
    return 0;
}

void ic_parameter_set_clear(const ic_sweep_plan *plan, ic_parameter_set *set)
{
    for (size_t i = 0; i < set->n_rows * plan->n_columns; i++) set->rows[i] = NAN;
    memset(set->modes, IC_NO_MODE, set->n_rows);
    set->events = 0;
    set->phases_left = 0;
    set->why[0] = '\0';
}

/* Solves the sets that a method has left, from the start. */
static ic_status solve_left_sets(const ic_sweep_plan *plan, ic_parameter_set *sets, size_t n_sets,
                                 size_t *n_left)
{
    ic_status status = IC_OK;
    for (size_t i = 0; i < n_sets && status == IC_OK; i++) {
        if (sets[i].status != IC_UNSUPPORTED) continue;
        (*n_left)++;
        sets[i].status = IC_OK;
        status = ic_parameter_sets_by_solver(plan, &sets[i], 1);
    }
    return status;
}

ic_status ic_parameter_sets_solve(const ic_sweep_plan *plan, ic_sweep_method_solve *method,
                                  ic_parameter_set *sets, size_t n_sets, size_t *n_left)
{
    ic_status status = method(plan, sets, n_sets);
    if (method == ic_parameter_sets_by_solver) return status;
    for (size_t i = 0; i < n_sets && status == IC_UNSUPPORTED; i++) {
        if (sets[i].status != IC_INVALID) sets[i].status = IC_UNSUPPORTED;
    }
    if (status != IC_OK && status != IC_UNSUPPORTED) return status;
    return solve_left_sets(plan, sets, n_sets, n_left);
}
