/* SPDX-License-Identifier: MIT */
/**
 * The functions of a case as machine code. The system's compiler turns generated C into a shared
 * library when a case is first used. Libraries are kept in $XDG_CACHE_HOME/impactcheck or
 * ~/.cache/impactcheck. The compiler is $CC, or the first of cc, gcc and clang on PATH.
 * IMPACTCHECK_INTERPRET=1 turns compiling off.
 */
#pragma once

#include "casefile/functions.h"

/** A loaded library. */
typedef struct ic_compiled ic_compiled;

/**
 * Compile all functions, or load a library that was compiled before, and set the pointers. NULL:
 * `why` gives the reason; the functions can still be interpreted. Release with ic_compiled_free,
 * after the last call.
 */
ic_compiled *ic_functions_compile(const ic_functions *functions, const ic_graph *graph, ic_error *why);

void ic_compiled_free(ic_compiled *compiled);
