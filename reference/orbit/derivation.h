/* SPDX-License-Identifier: MIT */
/** Operations that are extended by their derivatives. */
#pragma once

#include "impactcheck/impactcheck.h"
#include "reference/orbit/storage.h"

/** Zero, as an operation that need not exist. */
enum { IC_ZERO = -1 };

/** Operations that grow; texts as in ic_equations. */
typedef struct ic_derivation {
    ic_storage *storage;
    ic_equation_term *terms;
    const char **texts;
    size_t n, capacity;

    /* an operation without a derivative, or NULL */
    const char *unknown;
} ic_derivation;

/**
 * Take in equations. `states`: the operations that stand for their states, or NULL. Returns the number of each
 * of their operations; NULL: memory ran out.
 */
int *ic_derivation_import(ic_derivation *d, const ic_equations *e, const int *states);

/** New operations, where IC_ZERO is zero: a + b, a - b, a b, a/b, and an operation without operands. */
int ic_derivation_add(ic_derivation *d, int a, int b);
int ic_derivation_subtract(ic_derivation *d, int a, int b);
int ic_derivation_multiply(ic_derivation *d, int a, int b);
int ic_derivation_divide(ic_derivation *d, int a, int b);
int ic_derivation_leaf(ic_derivation *d, ic_operation kind, int a, double value);

/** A direction: by state, of the time, and by parameter, the operation that is its component. */
typedef struct ic_direction {
    /* NULL: they are constant */
    const int *states;

    int time;

    /* NULL: parameters are constant */
    const int *parameters;

    /* derivatives that are known, by operation, and how many operations have a place there */
    int *done;
    size_t n;
} ic_direction;

/** A direction in which all operations so far may be derived. NULL states: memory ran out. */
ic_direction ic_direction_of(ic_derivation *d, const int *states, int time);

/** The derivative of an operation in a direction. */
int ic_derive(ic_derivation *d, int i, ic_direction *direction);

/**
 * A condition; it has no value where a comparison in it holds with equality, unless both of its sides change alike in the
 * direction.
 */
int ic_derivation_decided(ic_derivation *d, int i, ic_direction *direction);
