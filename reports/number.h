/* SPDX-License-Identifier: MIT */
/** Numbers as text, for programs and for readers. */
#pragma once

#include <stddef.h>

/** Holds any text made here. */
typedef struct ic_number_text {
    char text[40];
} ic_number_text;

/**
 * The shortest decimal (at most 17 digits) that reads back as the same double; "nan", "inf",
 * "-inf".
 */
ic_number_text ic_number_exact(double value);

/**
 * At most `digits` significant digits, without trailing zeros; "-" for NAN, which means not
 * measured.
 */
ic_number_text ic_number_short(double value, int digits);

/** The least number of digits, at least `digits`, at which ic_number_short shows that two numbers differ. */
int ic_number_digits_apart(double a, double b, int digits);

/** One format for a column of numbers, so that decimal points are aligned. */
typedef struct ic_number_column {
    int decimals;

    /* 0: fixed point */
    int scientific;
} ic_number_column;

/** The format that shows the largest of n numbers with `digits` significant digits. */
ic_number_column ic_number_column_for(const double *values, size_t n, int digits);

ic_number_text ic_number_in_column(double value, ic_number_column column);
