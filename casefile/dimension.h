/* SPDX-License-Identifier: MIT */
/** Dimensions of quantities, and units as texts. The names of units are those of UDUNITS-2. */
#pragma once

#include "casefile/factor.h"
#include "impactcheck/impactcheck.h"

#include <stdbool.h>
#include <stddef.h>

/** Base units: kg, m, s, A, K, mol, cd. Radians have no dimension. */
enum { IC_BASE_UNITS = 7 };

/** Powers of the base units. */
typedef struct ic_dimension {
    double power[IC_BASE_UNITS];

    /* True for the literal 0, which has every dimension. */
    bool any;
} ic_dimension;

/**
 * Finds the value of a name in an exponent of a unit: n in N/m^n. false: the name does not exist.
 */
typedef bool ic_exponent_value(double *value, const char *name, void *context);

extern const ic_dimension ic_second;

/** A unit that was read from text. */
typedef struct ic_unit {
    ic_dimension dimension;

    /* Size of one such unit in SI units. */
    double factor;

    /* The same factor without rounding, valid if `known`. */
    ic_factor exact;
    bool known;
} ic_unit;

/** The unit 1: no dimension and the factor 1. */
extern const ic_unit ic_unit_one;

/**
 * Read a unit: names of UDUNITS-2 combined by `*`, a space, `/`, `^` and parentheses; "1" has no
 * dimension. false: `error` gives the reason, and `offset` receives the index of the character.
 */
bool ic_unit_read(ic_unit *unit, const char *text, ic_exponent_value *names, void *context, size_t *offset,
                  ic_error *error);

/**
 * Convert a value in a unit to an exact text in SI units: "20" in mm is "0.02". NULL: `error`
 * states that the factor is not known exactly, or is empty if memory ran out.
 */
const char *ic_unit_convert(ic_arena *arena, const char *value, const ic_unit *unit, const char *name,
                            ic_error *error);

/**
 * Length of the value in a text such as "0.1 m", "80pi rad/s", "3/2" or "2*l". The unit follows the
 * first space, unless an operator is next to the space or a bracket encloses it: "(7800 kg/m^3)*V".
 */
size_t ic_unit_split(const char *text);

/**
 * Convert a value with an optional unit, "5 mm", to an exact text in the unit `wanted`: "0.005".
 * NULL: `error` gives the reason.
 */
const char *ic_unit_value(ic_arena *arena, const char *text, const char *wanted, ic_error *error);

/** Whether a text is an SI unit without a factor. Exponents may be names of any parameters. */
bool ic_unit_is_si(const char *text);

/** Whether two quantities may be added. */
bool ic_dimensions_equal(const ic_dimension *a, const ic_dimension *b);

/** a + sign b, power by power: the dimension of a product (+1) or quotient (-1). */
ic_dimension ic_dimension_product(const ic_dimension *a, const ic_dimension *b, double sign);

/** a raised to a power. */
ic_dimension ic_dimension_power(const ic_dimension *a, double power);

/** Whether a quantity is a number without unit. */
bool ic_dimension_is_none(const ic_dimension *a);

/** Size of the longest text of a dimension. */
enum { IC_DIMENSION_TEXT = 160 };

/** The dimension as a unit: "N/m", "kg m/s^3". */
const char *ic_dimension_text(char text[IC_DIMENSION_TEXT], const ic_dimension *a);
