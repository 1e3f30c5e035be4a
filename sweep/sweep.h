/* SPDX-License-Identifier: MIT */
/**
 * A sweep: a grid of parameter sets, divided into chunks that are the same for any number of
 * threads and machines.
 */
#pragma once

#include "core/model.h"
#include "sweep/grid.h"
#include "sweep/parameter_sets.h"
#include "sweep/preparation.h"

/** Number of statuses. */
#define IC_STATUS_ONE(name, text) +1
enum { IC_STATUS_COUNT = 0 IC_STATUS_TABLE(IC_STATUS_ONE) };
#undef IC_STATUS_ONE

/** A request for a sweep; strings are borrowed. */
typedef struct ic_sweep_request {
    /* `until` is ignored: the end follows from the periods */
    ic_request request;

    ic_grid grid;

    /* "strobe", "peak", or the name of an output */
    const char *record;

    /* NULL: the most accurate solver */
    const char *solver;

    /* NULL: the fastest method that serves the sweep */
    const char *method;

    size_t skip, keep;
    ic_options options;
} ic_sweep_request;

typedef struct ic_sweep {
    const ic_sweep_request *request;
    ic_sweep_plan plan;

    /* the first valid set, whose problem is the plan's */
    ic_setup first;

    const ic_sweep_method *method;

    /* whether sets can be prepared from compiled texts */
    bool is_prepared;

    ic_preparation preparation;

    /* rows of a set */
    size_t n_rows;

    /* sets in a chunk; the last one may have fewer */
    size_t chunk_sets;

    size_t n_chunks;
} ic_sweep;

/**
 * Prepares a sweep. false: `error` states the mistake. Names are checked first; invalid values of a
 * set are an error only if all sets have one, and then the first set's is reported.
 */
bool ic_sweep_open(ic_sweep *sweep, const ic_sweep_request *request, ic_error *error);
void ic_sweep_close(ic_sweep *sweep);

/** Counts over parameter sets. */
typedef struct ic_sweep_counts {
    size_t sets;

    /* sets that the method left to the solver */
    size_t left;

    size_t by_status[IC_STATUS_COUNT];
    double events;

    /* phases that the method left to a solver, in sets that it solved itself */
    double phases_left;

    /* the first set whose status is not IC_OK */
    char why[IC_PARAMETER_SET_REASON];

    size_t failed_set;
} ic_sweep_counts;

/** Adds the counts of later sets. */
void ic_sweep_counts_add(ic_sweep_counts *sum, const ic_sweep_counts *more);

/** A chunk of solved parameter sets. */
typedef struct ic_chunk {
    const ic_sweep *sweep;

    /* index of the first set */
    size_t first;

    size_t n;
    ic_parameter_set *sets;

    /* n x n_axes: values of the varied parameters */
    double *values;

    ic_sweep_counts counts;
    /* of sets that are opened from their texts */
    ic_setup *setups;

    /* of the others; IC_CODE_LANES of them in each */
    ic_prepared_sets *prepared;

    size_t n_prepared;
    double *rows;
    unsigned char *modes;
} ic_chunk;

/**
 * Allocates one chunk, to be used repeatedly. false: memory ran out; call ic_chunk_close in either
 * case.
 */
bool ic_chunk_open(ic_chunk *chunk, const ic_sweep *sweep);
ic_status ic_chunk_solve(ic_chunk *chunk, size_t index);
void ic_chunk_close(ic_chunk *chunk);
