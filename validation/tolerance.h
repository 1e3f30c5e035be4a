/* SPDX-License-Identifier: MIT */
/**
 * A tolerance is one object: its value, the quantity to which it is relative, its unit, and its derivation.
 * Rows, help texts and `impactcheck list tolerances` print the object, so that a changed default is
 * one changed line: of validation/tolerances.def for `verify`, of audit/common/tolerances.def for
 * `audit`.
 */
#pragma once

#include <stddef.h>

typedef struct ic_tolerance {
    /* "energy_drift", as `impactcheck list tolerances` names it */
    const char *name;

    /* The tolerance in its unit; if there is a base, the multiple of the base. */
    double value;

    /* the tolerance that this one is a multiple of; NULL: none */
    const struct ic_tolerance *base;

    /* "1" for a ratio */
    const char *unit;

    /* the quantity that the tolerance is relative to, "the force's range"; NULL: absolute */
    const char *relative_to;

    /* derivation: the error of correct code, and that of a mistake */
    const char *derivation;
} ic_tolerance;

/** The default: the value, times the default of the base. */
double ic_tolerance_default(const ic_tolerance *tolerance);

typedef struct ic_tolerance_text {
    char text[128];
} ic_tolerance_text;

/** "0.001 of the force's range", "5 deviations of the noise": an amount in words. */
ic_tolerance_text ic_tolerance_amount(const ic_tolerance *tolerance, double amount);

/** "1e-07 of the energy turned over: error of the quadrature": the default and its derivation. */
void ic_tolerance_origin(char *text, size_t size, const ic_tolerance *tolerance);

/* ---- the tolerances of `verify` */

#define IC_TOLERANCE(name_, ...) extern const ic_tolerance ic_tolerance_##name_;
#include "validation/tolerances.def"

extern const ic_tolerance *const ic_verify_tolerances[];
extern const size_t ic_verify_tolerance_count;
