/* SPDX-License-Identifier: MIT */
/** Compiled functions of a case, kept in the user's cache. */
#ifndef IC_CASEFILE_COMPILE_H
#define IC_CASEFILE_COMPILE_H

#include "casefile/functions.h"

/**
 * Set the pointers of all functions to compiled ones, which give the same bits as interpreted ones:
 * from the cache, or by the system's compiler ($CC, cc, gcc or clang). The cache is
 * $XDG_CACHE_HOME/impactcheck, else ~/.cache/impactcheck; a library is named by what it is made of, the
 * compiler and our version. NULL: the functions stay as they are, and `note` says why: no compiler,
 * no cache, IMPACTCHECK_INTERPRET is set. Release with ic_compiled_close, after the last call.
 */
void *ic_functions_compile(const ic_functions *functions, const ic_graph *graph, ic_error *note);

void ic_compiled_close(void *library);

#endif
