/* SPDX-License-Identifier: MIT */
/**
 * The processes that share a sweep: alone, or ranks under mpirun.
 *
 * MPI is used by a module, impactcheck-mpi.so, which is loaded when mpirun has launched the program and at no other time: a plain run
 * needs no MPI on its machine, and there is one command for both.
 */
#ifndef IC_SWEEP_RANKS_H
#define IC_SWEEP_RANKS_H

#include "core/expression.h"

/** What the module gives: messages of bytes, between rank 0 and one of the others. Calls come from one thread at a time. */
typedef struct ic_ranks_module {
    unsigned version; /* IC_RANKS_MODULE_VERSION */
    bool (*begin)(int *rank, int *size);
    /* begin to send; the data stay in place until `sent`, which is when the receiver has asked for them; NULL: failed */
    void *(*send)(int to, const void *data, size_t n);
    bool (*sent)(void *request); /* once true, the request is gone */
    bool (*ready)(int from, size_t *n);
    bool (*receive)(int from, void *data, size_t n);
    void (*broadcast)(void *data, size_t n); /* from rank 0 to all, who all call it */
    void (*give_up)(int status);             /* end all ranks */
    void (*end)(void);
} ic_ranks_module;

#define IC_RANKS_MODULE_VERSION 1u
/** Symbol of the module's constant. */
#define IC_RANKS_MODULE_SYMBOL "ic_ranks_module_of_mpi"

typedef struct ic_ranks {
    int rank, size;
    const ic_ranks_module *module; /* NULL: alone */
} ic_ranks;

/** Join the others, if mpirun has launched this process. false: it has, and `error` says why that is of no use. */
bool ic_ranks_begin(ic_ranks *ranks, ic_error *error);
void ic_ranks_end(ic_ranks *ranks);

/** What rank 0 says, to all; does nothing alone. */
void ic_ranks_broadcast(const ic_ranks *ranks, void *data, size_t n);

#endif
