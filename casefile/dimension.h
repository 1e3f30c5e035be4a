/* SPDX-License-Identifier: MIT */
/** Dimensions of quantities, and units as texts. UDUNITS-2 knows the units' names. */
#ifndef IC_CASEFILE_DIMENSION_H
#define IC_CASEFILE_DIMENSION_H

#include "casefile/factor.h"
#include "impactcheck/impactcheck.h"

#include <stdbool.h>
#include <stddef.h>

/** kg, m, s, A, K, mol, cd. Radians have no dimension. */
enum { IC_BASE_UNITS = 7 };

/** Powers of the base units. */
typedef struct ic_dimension {
    double power[IC_BASE_UNITS];

    /* the literal 0, which has every dimension */
    bool any;
} ic_dimension;

/** Value of a name that an exponent of a unit may use, N/m^n; false: it is unknown. */
typedef bool ic_exponent_value(double *value, const char *name, void *context);

/** The dimension of time. */
extern const ic_dimension ic_second;

/** A unit as read from text. */
typedef struct ic_unit {
    ic_dimension dimension;

    /* one of it in SI units */
    double factor;

    /* the same without rounding, if `known` */
    ic_factor exact;
    bool known;
} ic_unit;

/** The SI itself: no unit, or one without a factor. */
extern const ic_unit ic_unit_one;

/**
 * Read a unit: names known to UDUNITS-2 with `*`, a space, `/`, `^` and parentheses; "1" has no
 * dimension. false: `error` says what is wrong; `offset` receives the index of the character.
 */
bool ic_unit_read(ic_unit *unit, const char *text, ic_exponent_value *names, void *context, size_t *offset,
                  ic_error *error);

/**
 * A value in a unit as an exact text in SI units: "0.02" for "20" in mm. NULL: `error`, empty if memory ran out, says
 * that the factor is not known exactly.
 */
const char *ic_unit_convert(ic_arena *arena, const char *value, const ic_unit *unit, const char *name,
                            ic_error *error);

/**
 * "0.1 m", "80pi rad/s", "3/2", "2*l": what follows the first space is a unit, unless an operator
 * stands on either side of it, or a bracket around it: "(7800 kg/m^3)*V".
 */
size_t ic_unit_split(const char *text);

/**
 * A value that may have a unit, "5 mm", as an exact text in the unit `wanted`: "0.005". NULL: `error` says what is
 * wrong.
 */
const char *ic_unit_value(ic_arena *arena, const char *text, const char *wanted, ic_error *error);

/** Whether a text is a unit of the SI, without factor. Exponents may be names of any parameters. */
bool ic_unit_is_si(const char *text);

/** Whether two quantities may be added. */
bool ic_dimensions_equal(const ic_dimension *a, const ic_dimension *b);

/** a + sign b, power by power: the dimension of a product or quotient. */
ic_dimension ic_dimension_product(const ic_dimension *a, const ic_dimension *b, double sign);

/** a raised to a power. */
ic_dimension ic_dimension_power(const ic_dimension *a, double power);

/** Whether a quantity is a number without unit. */
bool ic_dimension_is_none(const ic_dimension *a);

/** Characters for the longest text of a dimension. */
enum { IC_DIMENSION_TEXT = 160 };

/** The dimension as a unit: "N/m", "kg m/s^3". */
const char *ic_dimension_text(char text[IC_DIMENSION_TEXT], const ic_dimension *a);

#endif
