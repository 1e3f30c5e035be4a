/* SPDX-License-Identifier: MIT */
/** Writes a case as C: its functions, and a constant of type ic_case. */
#pragma once

#include "casefile/emit_c.h"

#include <stdio.h>

/**
 * Write a C file that exports `symbol`, a copy of the case. The case is that of sizes[0];
 * `functions` are those to which its pointers point. With several sizes, the C file selects the
 * functions of the value of parameter number `parameter`, and the case has no linear view. false:
 * memory ran out, or the file cannot be written.
 */
bool ic_case_emit(FILE *out, const char *symbol, const ic_case *system, const ic_sized_functions *sizes,
                  size_t n, int parameter);
