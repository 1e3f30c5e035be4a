/* SPDX-License-Identifier: MIT */
/** Functions of numbers that all parts of the program use. */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/** -1, 0 or +1; 0 for NAN. */
static inline int ic_sign(double value)
{
    return (value > 0) - (value < 0);
}

/** Whether all n numbers are finite. */
static inline bool ic_all_finite(const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(x[i])) return false;
    }
    return true;
}

/** Order of numbers for qsort, also of structs that begin with one. */
int ic_compare_numbers(const void *a, const void *b);

/** Gauss with column pivoting; a (n x n) and b are overwritten, b becomes the solution. false: a is singular. */
bool ic_solve_linear(size_t n, double *a, double *b);
