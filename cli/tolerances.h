/* SPDX-License-Identifier: MIT */
/** The tolerances of `audit` and `verify`, as the command names them. */
#pragma once

#include "validation/tolerance.h"

/** Those of `audit`, then those of `verify`; NULL past the last. */
const ic_tolerance *cli_tolerance_at(size_t i);

/** "audit" or "verify": the command that uses the tolerance. */
const char *cli_tolerance_command(size_t i);

typedef struct cli_meaning {
    char text[512];
} cli_meaning;

/** A text in which each "{NAME}" is replaced by the default of the tolerance NAME. */
cli_meaning cli_with_tolerances(const char *text);
