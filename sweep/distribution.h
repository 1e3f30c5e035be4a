/* SPDX-License-Identifier: MIT */
/**
 * Distributes the chunks of a sweep to threads, and to ranks of MPI, and assembles the results in
 * order.
 *
 * Chunk i belongs to rank i mod size. Each rank's threads take its chunks one after another, solve
 * and encode them; rank 0 appends all of them in order. No rank is further ahead than its ring of
 * encoded chunks, so memory does not grow with the sweep.
 */
#pragma once

#include "sweep/ranks.h"
#include "sweep/sweep.h"

/** A growing array of bytes. */
typedef struct ic_bytes {
    char *data;
    size_t n, capacity;

    /* memory ran out: the data added since then are lost */
    bool failed;
} ic_bytes;

void ic_bytes_add(ic_bytes *bytes, const void *data, size_t n);

/** Receives the results. */
typedef struct ic_sweep_writer {
    void *self;
    /* encodes a solved chunk as bytes that depend on nothing else; called by several threads at
       once, on every rank */
    void (*encode)(const void *self, const ic_chunk *chunk, ic_bytes *bytes);
    /* appends chunks in order; called on rank 0, one at a time; false: it failed */
    bool (*append)(void *self, const void *bytes, size_t n);
    /* called after each append with the counts of this call so far; may be NULL */
    void (*progress)(void *self, const ic_sweep_counts *counts);

    /* plan.stop of the sweep; also set here when another rank has stopped */
    volatile sig_atomic_t *stop;
} ic_sweep_writer;

/** The way in which a distribution ended. */
typedef struct ic_sweep_outcome {
    /* IC_OK, IC_NO_MEMORY, or IC_IO: append failed */
    ic_status status;

    /* stopped before the end */
    bool stopped;

    ic_sweep_counts counts;
} ic_sweep_outcome;

/**
 * Solves the chunks from `first_chunk` on. The result is valid on rank 0; on other ranks the counts
 * are empty.
 */
ic_sweep_outcome ic_sweep_distribute(const ic_sweep *sweep, const ic_sweep_writer *sink, const ic_ranks *ranks,
                                     size_t n_threads, size_t first_chunk);
