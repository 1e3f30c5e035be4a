/* SPDX-License-Identifier: MIT */
/** The functions of a case as C: numbers and indices alone, nothing of the file's text. */
#ifndef IC_CASEFILE_EMIT_C_H
#define IC_CASEFILE_EMIT_C_H

#include "casefile/functions.h"

typedef struct ic_emitted {
    /* to be freed */
    char *text;
    size_t size;

    /* of all functions, and of the longest: what compiling takes grows with the first, and with the
       square of the second */
    size_t statements, longest;
} ic_emitted;

/**
 * Emit all functions; function i is called fi. A program computes one result after the other as
 * casefile/program.c does, so that both give the same bits. `table`, if it is not NULL, is the name
 * of a constant `void (*const NAME[])(void)` with a member for each function. false: memory ran out.
 */
bool ic_functions_emit(ic_emitted *emitted, const ic_functions *functions, const ic_graph *graph,
                       const char *table);

#endif
