/* SPDX-License-Identifier: MIT */
/**
 * Parameter sets from compiled texts: all that depends on the structure of a case alone is done
 * once for a sweep, and the numbers of a set are evaluated side by side with those of its
 * neighbours. Sets that this cannot make (a value out of range, a division by zero, a case whose
 * states depend on parameters) are opened from their texts, which also gives their message.
 */
#pragma once

#include "core/compiled_case.h"
#include "core/model.h"
#include "sweep/grid.h"

/** A parameter that is not the same in all sets, and its range. */
typedef struct ic_varying {
    size_t parameter;
    double low, high;
    bool with_low, with_high;

    /* The range as text if it is a list; otherwise NULL. */
    const char *listed;
} ic_varying;

typedef struct ic_preparation {
    ic_compiled_case compiled;

    /* The problem of the first valid set; borrowed. */
    const ic_problem *problem;

    ic_varying *varying;
    size_t n_varying;

    /* Terms of the preset's end, and of the requirements that vary. */
    int until;
    int *requirements;
    size_t n_requirements;
} ic_preparation;

/** false: sets must be opened from their texts; ic_preparation_close must be called in either case. */
bool ic_preparation_open(ic_preparation *preparation, const ic_setup *first, const ic_grid *grid);
void ic_preparation_close(ic_preparation *preparation);

/** Parameter sets that are prepared together: IC_CODE_LANES of them. */
typedef struct ic_prepared_sets {
    ic_problem problems[IC_CODE_LANES];

    /* Whether the set has been prepared. */
    bool good[IC_CODE_LANES];

    struct ic_given given[IC_CODE_LANES];

    /* n_slots x IC_CODE_LANES, and IC_CODE_LANES x n_parameters. */
    double *values, *par;
} ic_prepared_sets;

/** false: memory ran out; ic_prepared_sets_close must be called in either case. */
bool ic_prepared_sets_open(ic_prepared_sets *sets, const ic_preparation *preparation);
void ic_prepared_sets_close(ic_prepared_sets *sets);

/** Prepares n sets from the values of the axes, n x n_axes; t_end is the preset's. */
void ic_prepared_sets_fill(ic_prepared_sets *sets, const ic_preparation *preparation, const double *axes,
                           size_t n_axes, size_t n);
