/* SPDX-License-Identifier: MIT */
/**
 * Writes the functions of a case as C that contains only numbers and indices, no text of the case
 * file.
 */
#pragma once

#include "casefile/functions.h"

/** Name of the array of objects in a library. */
#define IC_EMITTED_OBJECTS "impactcheck_objects"

typedef struct ic_emitted {
    /* The C text, which the caller frees. */
    char *text;
    size_t size;

    /*
     * Number of statements of all functions, and of the longest function. Compile time grows
     * linearly with the first and quadratically with the second.
     */
    size_t statements, longest;
} ic_emitted;

/** The functions of a case for one value of the parameter that determines the number of states. */
typedef struct ic_sized_functions {
    int value;
    const ic_functions *functions;
    const ic_graph *graph;
} ic_sized_functions;

/**
 * Write all functions as C; function i is called fi. A function computes its results in the same
 * order as casefile/program.c, so that both give the same bits. With several sizes, function i
 * selects the one that belongs to the value of parameter number `parameter`; all sizes have the
 * same functions.
 *
 * If `table` is not NULL, the C text is self-contained: it defines a constant `void (*const
 * NAME[])(void)` of that name with a member for each function, and takes the object of external
 * function i from IC_EMITTED_OBJECTS[i], which the loader sets. false: memory ran out.
 */
bool ic_functions_emit(ic_emitted *emitted, const ic_sized_functions *sizes, size_t n, int parameter,
                       const char *table);
