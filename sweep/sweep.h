/* SPDX-License-Identifier: MIT */
/** A sweep: a grid of lanes, cut into chunks that are the same whatever the number of threads and machines. */
#ifndef IC_SWEEP_SWEEP_H
#define IC_SWEEP_SWEEP_H

#include "core/model.h"
#include "sweep/grid.h"
#include "sweep/lanes.h"

/** Statuses there are. */
#define IC_STATUS_ONE(name, text) +1
enum { IC_STATUS_COUNT = 0 IC_STATUS_TABLE(IC_STATUS_ONE) };
#undef IC_STATUS_ONE

/** What a sweep is made of; strings are borrowed. */
typedef struct ic_sweep_request {
    ic_request request; /* `until` is not used: the end follows from the periods */
    ic_grid grid;
    const char *record; /* "strobe", "peak", or the name of an output */
    const char *solver; /* NULL: the most accurate */
    const char *engine; /* NULL: the fastest that serves */
    size_t skip, keep;
    ic_options options;
} ic_sweep_request;

typedef struct ic_sweep {
    const ic_sweep_request *request;
    ic_sweep_plan plan;
    ic_setup first; /* the first valid lane: the plan's problem */
    const ic_engine *engine;
    size_t n_rows;      /* of a lane */
    size_t chunk_lanes; /* lanes in a chunk; the last one may have fewer */
    size_t n_chunks;
} ic_sweep;

/**
 * Make a sweep. false: `error` says what is wrong. Names are checked first; values that a lane may not have are no error unless all
 * lanes have one: then the first lane's is told.
 */
bool ic_sweep_open(ic_sweep *sweep, const ic_sweep_request *request, ic_error *error);
void ic_sweep_close(ic_sweep *sweep);

/** What came out of lanes. */
typedef struct ic_sweep_counts {
    size_t lanes;
    size_t left; /* by the engine to the solver */
    size_t by_status[IC_STATUS_COUNT];
    double events;
    char why[IC_LANE_WHY]; /* of the first lane whose status is not IC_OK */
    size_t why_lane;
} ic_sweep_counts;

/** Add the counts of lanes that come later. */
void ic_sweep_counts_add(ic_sweep_counts *sum, const ic_sweep_counts *more);

/** A chunk of lanes, solved. */
typedef struct ic_chunk {
    const ic_sweep *sweep;
    size_t first; /* number of the first lane */
    size_t n;
    ic_lane *lanes;
    double *values; /* n x n_axes: what is varied */
    ic_sweep_counts counts;
    ic_setup *setups;
    double *rows;
    unsigned char *modes;
} ic_chunk;

/** Room for one chunk, used over and over. false: memory ran out; ic_chunk_close is due in either case. */
bool ic_chunk_open(ic_chunk *chunk, const ic_sweep *sweep);
ic_status ic_chunk_solve(ic_chunk *chunk, size_t index);
void ic_chunk_close(ic_chunk *chunk);

#endif
