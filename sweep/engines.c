/* SPDX-License-Identifier: MIT */
#include "sweep/batch/batch.h"
#include "sweep/lanes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool serves_all(const ic_sweep_plan *plan)
{
    (void)plan;
    return true;
}

static const ic_engine scalar = {
    .name = "scalar",
    .title = "the solver, lane after lane",
    .serves = serves_all,
    .solve = ic_lanes_by_solver,
};

/* The faster before the slower: the first that serves a plan is taken. */
const ic_engine *const ic_engines[] = {
    &ic_engine_batch,
    &scalar,
};
const size_t ic_engine_count = IC_COUNT(ic_engines);

bool ic_engine_serves(const ic_engine *engine, const ic_sweep_plan *plan)
{
    const char *solver = engine->stands_in_for;
    return (solver == NULL || strcmp(solver, plan->solver->name) == 0) && engine->serves(plan);
}

const ic_engine *ic_engine_for(const ic_sweep_plan *plan)
{
    for (size_t i = 0; i < ic_engine_count; i++) {
        if (ic_engine_serves(ic_engines[i], plan)) return ic_engines[i];
    }
    return &scalar;
}

const ic_engine *ic_engine_find(const char *name)
{
    for (size_t i = 0; i < ic_engine_count; i++) {
        if (strcmp(ic_engines[i]->name, name) == 0) return ic_engines[i];
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

size_t ic_record_rows(ic_record_kind record, size_t keep)
{
    return record == IC_RECORD_PEAK ? 1 : keep;
}

void ic_lane_clear(const ic_sweep_plan *plan, ic_lane *lane)
{
    for (size_t i = 0; i < lane->n_rows * plan->n_columns; i++) lane->rows[i] = NAN;
    memset(lane->modes, IC_NO_MODE, lane->n_rows);
    lane->events = 0;
    lane->why[0] = '\0';
}

/* The lanes that an engine has left, from the start. */
static ic_status solve_what_is_left(const ic_sweep_plan *plan, ic_lane *lanes, size_t n_lanes, size_t *n_left)
{
    ic_status status = IC_OK;
    for (size_t i = 0; i < n_lanes && status == IC_OK; i++) {
        if (lanes[i].status != IC_UNSUPPORTED) continue;
        (*n_left)++;
        lanes[i].status = IC_OK;
        status = ic_lanes_by_solver(plan, &lanes[i], 1);
    }
    return status;
}

ic_status ic_lanes_solve(const ic_sweep_plan *plan, ic_lane_engine *engine, ic_lane *lanes, size_t n_lanes,
                         size_t *n_left)
{
    ic_status status = engine(plan, lanes, n_lanes);
    if (engine == ic_lanes_by_solver) return status;
    for (size_t i = 0; i < n_lanes && status == IC_UNSUPPORTED; i++) {
        if (lanes[i].status != IC_INVALID) lanes[i].status = IC_UNSUPPORTED;
    }
    if (status != IC_OK && status != IC_UNSUPPORTED) return status;
    return solve_what_is_left(plan, lanes, n_lanes, n_left);
}
