/* SPDX-License-Identifier: MIT */
/** Units as cases write them: "N s/m^2", "J/(kg K)", "N/m^n", "1". */
#ifndef IC_VALIDATION_CASE_UNIT_H
#define IC_VALIDATION_CASE_UNIT_H

#include <stdbool.h>

/**
 * Whether a unit is a product of powers of SI units that have a symbol. A power may be the name of
 * a parameter.
 */
bool ic_unit_is_known(const char *unit);

#endif
