/* SPDX-License-Identifier: MIT */
/**
 * Tables of numbers that the tree knows and formulas name by function and indices, such as
 * cantilever_lambda(r): what no formula of a case file could compute. A table is a line here and a
 * function in constants.c.
 */
#ifndef IC_CASEFILE_CONSTANTS_H
#define IC_CASEFILE_CONSTANTS_H

#include <stddef.h>

typedef struct ic_constants {
    const char *name;

    /* number of indices, 1 or 2, each from 1 to `last` */
    int indices, last;

    /* the second index is 0 if there is one only */
    double (*value)(int i, int j);
} ic_constants;

/** Table number i; NULL behind the last. */
const ic_constants *ic_constants_number(size_t i);

/** The table of a name, or NULL. */
const ic_constants *ic_constants_find(const char *name);

#endif
