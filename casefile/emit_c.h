/* SPDX-License-Identifier: MIT */
/** The functions of a case as C: numbers and indices alone, nothing of the file's text. */
#ifndef IC_CASEFILE_EMIT_C_H
#define IC_CASEFILE_EMIT_C_H

#include "casefile/functions.h"

/** The array of objects in a library. */
#define IC_EMITTED_OBJECTS "impactcheck_objects"

typedef struct ic_emitted {
    /* to be freed */
    char *text;
    size_t size;

    /* of all functions, and of the longest: what compiling takes grows with the first, and with the
       square of the second */
    size_t statements, longest;
} ic_emitted;

/** The functions of a case, for one value of a parameter on which the number of states depends. */
typedef struct ic_sized_functions {
    int value;
    const ic_functions *functions;
    const ic_graph *graph;
} ic_sized_functions;

/**
 * Emit all functions; function i is called fi. A program computes one result after the other as
 * casefile/program.c does, so that both give the same bits. Of several sizes, function i is that of
 * the value of parameter number `parameter`; all sizes have the same functions. `table`, if it is not
 * NULL, is the name of a constant `void (*const NAME[])(void)` with a member for each function, and C stands alone: the objects
 * of external function i is found through IC_EMITTED_OBJECTS[i], which is to be set. false: memory ran out.
 */
bool ic_functions_emit(ic_emitted *emitted, const ic_sized_functions *sizes, size_t n, int parameter,
                       const char *table);

#endif
