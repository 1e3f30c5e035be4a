/* SPDX-License-Identifier: MIT */
/** A case as C: its functions, and a constant of type ic_case. */
#ifndef IC_CASEFILE_EMIT_CASE_H
#define IC_CASEFILE_EMIT_CASE_H

#include "casefile/emit_c.h"

#include <stdio.h>

/**
 * Write the C file that exports `symbol`, the same case. The functions are those whose pointers the
 * case has, which is that of sizes[0]; of several sizes, they are those of the value of parameter
 * number `parameter`, and the case loses its linear view. false: memory ran out, or the file cannot
 * be written.
 */
bool ic_case_emit(FILE *out, const char *symbol, const ic_case *system, const ic_sized_functions *sizes,
                  size_t n, int parameter);

#endif
