/* SPDX-License-Identifier: MIT */
#include "audit/trajectory/input/input.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* ---- digits of numbers */

/* Rounding to more digits is below the errors of solvers. */
enum { MOST_DIGITS = 13 };

/* Digits that tell numbers of single precision apart. */
enum { SINGLE_DIGITS = 9 };

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

/* Whether all numbers are those of single precision, up to the digits with which these are printed. */
static bool are_single(const double *values, size_t n, size_t stride)
{
    const double printed = 5 * pow(10, -SINGLE_DIGITS);
    bool single = n > 0;
    for (size_t i = 0; i < n && single; i++) {
        const double value = values[i * stride];
        single = fabs(value) <= FLT_MAX && fabs(value - (double)(float)value) <= printed * fabs(value);
    }
    return single;
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
    if (d.significant > MOST_DIGITS) d = (ic_digits){0};
    d.single = (d.significant == 0 || d.significant >= SINGLE_DIGITS) && are_single(values, n, stride);
    return d;
}

double ic_digits_rounding(const ic_digits *d, double value)
{
    const double single = d->single ? 0.5 * FLT_EPSILON * fabs(value) : 0;
    if (d->significant == 0 || value == 0) return single;
    return fmax(single, 0.5 * pow(10, fmax(whole_digits(value) - d->significant, -d->decimals)));
}

static bool is_on_grid(const ic_clock *c, double t)
{
    const double steps = (t - c->start) / c->step;
    return fabs(steps - nearbyint(steps)) * c->step <= 0.01 * ic_clock_rounding(c, t);
}

ic_clock ic_clock_of(const ic_trajectory *tr, const size_t *rows, size_t n, double step)
{
    ic_clock c = {.digits = ic_digits_of(tr->t, tr->n, 1)};
    const double unit = pow(10, c.digits.decimals);
    const size_t even = n > 2 ? n - 2 : n - 1; /* the last interval is longer than the others */
    size_t on_grid = 0;
    if (c.digits.significant == 0 || n == 0) return c;
    c.start = tr->t[rows[0]];
    c.step = nearbyint(step * unit) / unit;
    /* rows that are not followed lie between: of a step that has more digits, some are on a grid by rounding */
    const double skipped = n > 1 ? nearbyint((double)(rows[even] - rows[0]) / (double)even) : 1;
    if (fmod(nearbyint(c.step * unit), fmax(skipped, 1)) != 0) c.step = 0;
    for (size_t i = 0; c.step > 0 && i < n; i++) on_grid += is_on_grid(&c, tr->t[rows[i]]);
    if (2 * on_grid <= n) c.step = 0;
    return c;
}

double ic_clock_rounding(const ic_clock *c, double t)
{
    return ic_digits_rounding(&c->digits, t);
}

double ic_clock_doubt(const ic_clock *c, double t)
{
    return c->rows_are_exact || (c->step > 0 && is_on_grid(c, t)) ? 0 : ic_clock_rounding(c, t);
}
