/* SPDX-License-Identifier: MIT */
/**
 * The processes that share a sweep: one alone, or the ranks of mpirun.
 *
 * MPI is used by a module, impactcheck-mpi.so, which is loaded only when mpirun has launched the
 * program: a plain run does not need MPI, and one command serves both.
 */
#pragma once

#include "core/expression.h"

/**
 * Functions of the module: messages of bytes between rank 0 and another rank. Calls come from one
 * thread at a time.
 */
typedef struct ic_ranks_module {
    /* IC_RANKS_MODULE_VERSION */
    unsigned version;

    bool (*begin)(int *rank, int *size);
    /* starts to send; the data must stay in place until `sent`, i.e. until the receiver has
       requested them; NULL: failed */
    void *(*send)(int to, const void *data, size_t n);

    /* once true, the request is released */
    bool (*sent)(void *request);

    bool (*ready)(int from, size_t *n);
    bool (*receive)(int from, void *data, size_t n);

    /* from rank 0 to all; every rank calls it */
    void (*broadcast)(void *data, size_t n);

    /* end all ranks */
    void (*give_up)(int status);

    void (*end)(void);
} ic_ranks_module;

#define IC_RANKS_MODULE_VERSION 1u
/** Symbol of the module's constant. */
#define IC_RANKS_MODULE_SYMBOL "ic_ranks_module_of_mpi"

typedef struct ic_ranks {
    int rank, size;

    /* NULL: a single process */
    const ic_ranks_module *module;
} ic_ranks;

/**
 * Joins the other ranks if mpirun has launched this process. false: it has, but MPI cannot be used,
 * and `error` states why.
 */
bool ic_ranks_begin(ic_ranks *ranks, ic_error *error);
void ic_ranks_end(ic_ranks *ranks);

/** Sends rank 0's data to all ranks; does nothing in a single process. */
void ic_ranks_broadcast(const ic_ranks *ranks, void *data, size_t n);
