/* SPDX-License-Identifier: MIT */
/** A case as C: its functions, and a constant of type ic_case. */
#ifndef IC_CASEFILE_EMIT_CASE_H
#define IC_CASEFILE_EMIT_CASE_H

#include "casefile/functions.h"

#include <stdio.h>

/**
 * Write the C file that exports `symbol`, the same case. The functions are those whose pointers the
 * case has. false: memory ran out, or the file cannot be written.
 */
bool ic_case_emit(FILE *out, const char *symbol, const ic_case *system, const ic_functions *functions,
                  const ic_graph *graph);

#endif
