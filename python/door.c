/* SPDX-License-Identifier: MIT */
#include "python/door.h"

#include "core/model.h"
#include "registry/registry.h"

#include <stdlib.h>

struct ic_door {
    ic_setup setup;
    const ic_solver *solver;
};

static bool open_door(ic_door *door, const ic_door_request *request, ic_error *error)
{
    const ic_request asked = {.path = request->path,
                              .settings = request->settings,
                              .n_settings = request->n_settings,
                              .until = request->until,
                              .variant = request->variant};
    if (!ic_setup_open(&door->setup, &asked, error)) return false;
    door->solver = request->solver != NULL ? ic_solver_find(request->solver)
                                           : ic_accurate_solver(door->setup.problem.variant);
    if (door->solver == NULL) ic_error_set(error, "unknown solver '%s'; solvers() lists all", request->solver);
    if (door->solver != NULL && ic_setup_for_solver(&door->setup, door->solver, error)) {
        (void)ic_setup_prepare(&door->setup, error); /* without it runs take longer */
        return true;
    }
    ic_setup_close(&door->setup);
    return false;
}

ic_door *ic_door_open(const ic_door_request *request, ic_error *error)
{
    ic_door *door = calloc(1, sizeof *door);
    if (door != NULL && open_door(door, request, error)) return door;
    if (door == NULL) ic_error_no_memory(error);
    free(door);
    return NULL;
}

void ic_door_close(ic_door *door)
{
    if (door == NULL) return;
    ic_setup_close(&door->setup);
    free(door);
}

const ic_problem *ic_door_problem(const ic_door *door)
{
    return &door->setup.problem;
}

const ic_solver *ic_door_solver(const ic_door *door)
{
    return door->solver;
}

const char *ic_door_preset(const ic_door *door)
{
    return door->setup.preset == NULL ? NULL : door->setup.preset->name;
}

void ic_door_output(double *values, const ic_log *log, size_t output)
{
    const ic_problem *problem = ic_log_problem(log);
    for (size_t i = 0; i < ic_log_sample_count(log); i++) {
        const ic_sample s = ic_log_sample_at(log, i);
        values[i] = problem->system->outputs[output].value(s.t, s.x, s.mode, problem->par);
    }
}
