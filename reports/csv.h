/* SPDX-License-Identifier: MIT */
/**
 * Fields of a CSV file: separated by commas, quoted where they must be, numbers that read back as
 * the same doubles.
 */
#pragma once

#include <stdio.h>

void ic_csv_text(FILE *stream, const char *text);

/** A number; an empty field for NAN: not measured, or it does not exist there. */
void ic_csv_number(FILE *stream, double value);
