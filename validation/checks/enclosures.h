/* SPDX-License-Identifier: MIT */
/** Production of the files in reference/enclosures. */
#pragma once

#include "core/expression.h"

#include <stdio.h>

/**
 * Digits to which stored enclosures are certified, and significant digits with which they are
 * written.
 */
#define IC_CERTIFIED_DIGITS 18
#define IC_STORED_DIGITS 21

/**
 * Certify every preset of a case and write its file (read by ic_truth_stored). Progress is written
 * to stderr.
 */
bool ic_enclosures_write(FILE *out, const ic_case *system, ic_error *error);
