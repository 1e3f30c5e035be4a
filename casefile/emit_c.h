/* SPDX-License-Identifier: MIT */
/** The functions of a case as C: numbers and indices alone, nothing of the file's text. */
#ifndef IC_CASEFILE_EMIT_C_H
#define IC_CASEFILE_EMIT_C_H

#include "casefile/functions.h"

/** The name of the emitted table: `void (*const NAME[])(void)`, a member for each function. */
#define IC_EMIT_TABLE "impactcheck_functions"

typedef struct ic_emitted {
    /* to be freed */
    char *text;
    size_t size;

    /* of all functions, and of the longest: what compiling takes grows with the first, and with the
       square of the second */
    size_t statements, longest;
} ic_emitted;

/**
 * Emit all functions. A program computes one result after the other as casefile/program.c does, so
 * that both give the same bits. false: memory ran out.
 */
bool ic_functions_emit(ic_emitted *emitted, const ic_functions *functions, const ic_graph *graph);

#endif
