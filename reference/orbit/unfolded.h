/* SPDX-License-Identifier: MIT */
/**
 * A problem given as operations with one of its parameters as a further state, which is constant and the
 * last one: derivatives with respect to states are then also those with respect to the parameter.
 */
#pragma once

#include "impactcheck/impactcheck.h"
#include "reference/orbit/storage.h"

typedef struct ic_unfolded {
    /* what was made; other parts are borrowed from the problem */
    ic_problem problem;

    /* owned */
    ic_case system;
    ic_variant variant;
    ic_storage storage;

    /* why it was not made */
    char message[200];
} ic_unfolded;

/**
 * Make it from a problem, for its parameter of a number. false: memory ran out, or other numbers of the case
 * follow from the parameter; `message` states which. Close in any case.
 */
bool ic_unfold(ic_unfolded *u, const ic_problem *problem, size_t parameter);

/** Whether the first times of time events do not follow from the parameter. false: `message` states it. */
bool ic_times_stay(const ic_problem *problem, size_t parameter, char *message, size_t size);
void ic_unfolded_close(ic_unfolded *u);
