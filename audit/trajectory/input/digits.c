/* SPDX-License-Identifier: MIT */
#include "audit/trajectory/input/input.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* Rounding to more digits is below the errors of solvers. */
enum { MOST_DIGITS = 13 };

/*
 * Whether a number has so many decimals, up to the rounding of a double and of a change of units.
 * The number of decimals may be negative: 1200 has -2.
 */
static bool has_decimals(double value, int decimals)
{
    const double scaled = value * pow(10, decimals);
    return fabs(scaled - nearbyint(scaled)) <= 8 * DBL_EPSILON * fabs(scaled);
}

/* Number of digits before the point: 1 for 1 to 9.99, -1 for 0.01 to 0.0999. */
static int whole_digits(double value)
{
    return (int)floor(log10(fabs(value))) + 1;
}

ic_digits ic_digits_of(const double *values, size_t n, size_t stride)
{
    ic_digits d = {.significant = 1};
    for (size_t i = 0; i < n && d.significant <= MOST_DIGITS; i++) {
        const double value = values[i * stride];
        if (value == 0) continue;
        const int whole = whole_digits(value);
        while (d.significant <= MOST_DIGITS && !has_decimals(value, d.significant - whole)) d.significant++;
        while (d.decimals < d.significant - whole && !has_decimals(value, d.decimals)) d.decimals++;
    }
    return d.significant <= MOST_DIGITS ? d : (ic_digits){0};
}

double ic_digits_rounding(const ic_digits *d, double value)
{
    if (d->significant == 0 || value == 0) return 0;
    return 0.5 * pow(10, fmax(whole_digits(value) - d->significant, -d->decimals));
}
