/* SPDX-License-Identifier: MIT */
/**
 * The work of a sweep dealt to threads, and to ranks of MPI; its results put together in order.
 *
 * Chunk i belongs to rank i mod size. Each rank's threads take its chunks one after the other, solve and encode them; rank 0 appends all
 * of them in order. No rank is further ahead than its ring of encoded chunks, so that memory does not grow with the sweep.
 */
#ifndef IC_SWEEP_DEAL_H
#define IC_SWEEP_DEAL_H

#include "sweep/ranks.h"
#include "sweep/sweep.h"

/** Bytes that grow. */
typedef struct ic_bytes {
    char *data;
    size_t n, capacity;
    bool failed; /* memory ran out: what was added since is lost */
} ic_bytes;

void ic_bytes_add(ic_bytes *bytes, const void *data, size_t n);

/** Where results go. */
typedef struct ic_sweep_sink {
    void *self;
    /* a solved chunk as bytes that depend on nothing else; called by several threads at once, on every rank */
    void (*encode)(const void *self, const ic_chunk *chunk, ic_bytes *bytes);
    /* in the order of the chunks; on rank 0, one at a time; false: it failed */
    bool (*append)(void *self, const void *bytes, size_t n);
    /* after each append: what has come out so far in this call; may be NULL */
    void (*progress)(void *self, const ic_sweep_counts *counts);
    volatile sig_atomic_t *stop; /* plan.stop of the sweep; set here, too, when another rank has stopped */
} ic_sweep_sink;

/** How it ended. */
typedef struct ic_dealt {
    ic_status status; /* IC_OK, IC_NO_MEMORY, or IC_IO: append failed */
    bool stopped;     /* before the end */
    ic_sweep_counts counts;
} ic_dealt;

/** Processors that this process may run on. */
size_t ic_threads_available(void);

/**
 * Solve the chunks from `first_chunk` on. The result is rank 0's to tell; on other ranks counts are empty.
 */
ic_dealt ic_sweep_deal(const ic_sweep *sweep, const ic_sweep_sink *sink, const ic_ranks *ranks,
                       size_t n_threads, size_t first_chunk);

#endif
