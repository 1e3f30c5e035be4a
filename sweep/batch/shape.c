/* SPDX-License-Identifier: MIT */
#include "core/event_loop.h"
#include "core/linear_view.h"
#include "sweep/batch/batch.h"

static bool read_departures(ic_batch_branch *branch, const ic_branch *from)
{
    for (size_t i = 0; i < from->n_departures; i++) {
        const ic_departure *departure = &from->departures[i];
        if (departure->guard >= IC_BATCH_GUARDS || departure->order > 2) return false;
        branch->order[departure->guard] = departure->order;
        branch->side[departure->guard] = departure->side;
    }
    return true;
}

static bool read_branch(ic_batch_branch *branch, const ic_branch *from, const ic_guard *fired, int mode,
                        const ic_variant *variant)
{
    branch->mode = from->mode == IC_SAME_MODE ? mode : from->mode;
    branch->conditional = from->condition != NULL;
    branch->changes = from->state != NULL;
    if (branch->mode < 0 || (size_t)branch->mode >= variant->n_modes) return false;
    const ic_mode *next = &variant->modes[branch->mode];
    for (size_t i = 0; i < next->n_guards && i < IC_BATCH_GUARDS; i++) {
        branch->same[i] = fired->value == next->guards[i].value;
        branch->own[i] = ic_same_guard(fired, &next->guards[i]);
    }
    return read_departures(branch, from);
}

static bool read_guard(ic_batch_guard *guard, const ic_guard *from, int mode, const ic_variant *variant)
{
    /* a guard with a jump for accumulations is expected to accumulate */
    if (from->jump.n_branches > IC_BATCH_BRANCHES || from->accumulation.apply != NULL) return false;
    guard->direction = from->direction;
    guard->conditional = from->enabled != NULL;
    guard->onset = from->onset;
    guard->n_branches = (int)from->jump.n_branches;
    for (int i = 0; i < guard->n_branches; i++) {
        if (!read_branch(&guard->branches[i], &from->jump.branches[i], from, mode, variant)) return false;
    }
    return true;
}

bool ic_batch_shape_read(ic_batch_shape *shape, const ic_problem *problem)
{
    const ic_variant *variant = problem->variant;
    const int n_states = (int)problem->system->n_states;
    /* kernels are compiled for 2, 4, 5 and 6 states */
    *shape = (ic_batch_shape){.n_states = n_states,
                              .n = n_states <= 2   ? 2
                                   : n_states <= 4 ? 4
                                                   : n_states,
                              .n_modes = (int)variant->n_modes};
    if (problem->system->n_states > IC_BATCH_STATES || variant->n_modes > IC_BATCH_MODES ||
        variant->n_time_events > 0 || !ic_is_linear(variant))
        return false;
    for (int k = 0; k < shape->n_modes; k++) {
        const ic_mode *mode = &variant->modes[k];
        if (mode->n_guards > IC_BATCH_GUARDS) return false;
        shape->modes[k].terminal = mode->terminal;
        shape->modes[k].n_guards = (int)mode->n_guards;
        for (size_t i = 0; i < mode->n_guards; i++) {
            if (!read_guard(&shape->modes[k].guards[i], &mode->guards[i], k, variant)) return false;
        }
    }
    return true;
}
