/* SPDX-License-Identifier: MIT */
/*
 * ic_instance_new, ic_run and their siblings: problems and runs of programs that link the library.
 */
#include "core/event_set.h"
#include "core/model.h"

#include <math.h>
#include <stdlib.h>

#ifndef IC_VERSION
#define IC_VERSION "unknown"
#endif

struct ic_instance {
    ic_setup setup;
};

const char *ic_version(void)
{
    return IC_VERSION;
}

static bool open_instance(ic_setup *setup, const ic_case *system, const ic_choices *choices, ic_error *error)
{
    const ic_solver *solver = choices->solver;
    const ic_request request = {.path = choices->preset,
                                .settings = choices->settings,
                                .n_settings = choices->n_settings,
                                .until = choices->until,
                                .variant = choices->variant};
    if (!ic_setup_open_case(setup, system, &request, error)) return false;
    if ((solver != NULL && !ic_setup_for_solver(setup, solver, error)) || !ic_setup_prepare(setup, error)) {
        ic_setup_close(setup);
        return false;
    }
    return true;
}

ic_instance *ic_instance_new(const ic_case *system, const ic_choices *choices, ic_error *error)
{
    static const ic_choices none;
    ic_error unread;
    if (error == NULL) error = &unread;
    if (system == NULL) {
        ic_error_set(error, "the case is NULL, which ic_case_find returns for an unknown name");
        return NULL;
    }
    if (!ic_case_check(system, error)) return NULL;
    ic_instance *instance = calloc(1, sizeof *instance);
    if (instance == NULL) {
        ic_error_no_memory(error);
        return NULL;
    }
    if (open_instance(&instance->setup, system, choices != NULL ? choices : &none, error)) return instance;
    free(instance);
    return NULL;
}

void ic_instance_free(ic_instance *instance)
{
    if (instance == NULL) return;
    ic_setup_close(&instance->setup);
    free(instance);
}

const ic_problem *ic_instance_problem(const ic_instance *instance)
{
    return &instance->setup.problem;
}

static bool not_negative(double value)
{
    return isfinite(value) && value >= 0;
}

ic_status ic_run(ic_log *log, const ic_solver *solver, const ic_options *options)
{
    static const ic_options defaults;
    if (options == NULL) options = &defaults;
    if (solver == NULL) {
        ic_log_message(log, "the solver is NULL, which ic_solver_find returns for an unknown name");
        return IC_INVALID;
    }
    if (solver->abi_version != IC_ABI_VERSION || solver->struct_size != sizeof *solver) {
        ic_log_message(
            log, "the solver was compiled for version %u of impactcheck.h, but the library has version %u",
            solver->abi_version, IC_ABI_VERSION);
        return IC_INVALID;
    }
    if (solver->solve == NULL) {
        ic_log_message(log, "the solver has no function `solve`");
        return IC_INVALID;
    }
    if (!not_negative(options->rtol) || !not_negative(options->step) || !not_negative(options->event_tol) ||
        !not_negative(options->max_steps)) {
        ic_log_message(log, "an option is negative or not finite; 0 stands for the default");
        return IC_INVALID;
    }
    const ic_status status = solver->solve(log, ic_log_problem(log), options);
    if (status != IC_OK || options->events == NULL || options->events->over) return status;
    ic_log_message(log, "solver '%s' has its own event loop, and ignores the set of events", solver->name);
    return IC_UNSUPPORTED;
}
