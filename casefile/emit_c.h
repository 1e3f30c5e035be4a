/* SPDX-License-Identifier: MIT */
/** The functions of a case as C. */
#ifndef IC_CASEFILE_EMIT_C_H
#define IC_CASEFILE_EMIT_C_H

#include "casefile/functions.h"

/** Name of the table of functions in the C that is made. */
#define IC_COMPILED_TABLE "impactcheck_functions"

/**
 * The functions as one C file, to be freed; NULL: memory ran out. Its only symbol is
 * `impactcheck_functions`, a table in the order of the functions; those of one value that are equal
 * are one. Results are those of interpretation, bit for bit, if the compiler neither contracts nor
 * reorders operations. No text of the case file is in it.
 */
char *ic_functions_c(const ic_functions *functions, const ic_graph *graph);

#endif
