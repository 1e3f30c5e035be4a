/* SPDX-License-Identifier: MIT */
/**
 * Built-in tables of numbers that no formula of a case file can compute. Formulas read them by name
 * and indices: cantilever_lambda(r). A table is a line in constants.c.
 */
#pragma once

typedef struct ic_constants {
    const char *name;

    /* Number of indices, 1 or 2. Each index runs from 1 to `last`. */
    int indices, last;

    /* The numbers, row by row. A table of two indices is symmetric, and each row ends at the diagonal. */
    const double *values;
} ic_constants;

/** The value; j <= i, and it is ignored if the table has one index. */
double ic_constants_value(const ic_constants *table, int i, int j);

/** The table of this name, or NULL if it does not exist. */
const ic_constants *ic_constants_find(const char *name);
