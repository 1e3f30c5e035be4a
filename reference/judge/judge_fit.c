/* SPDX-License-Identifier: MIT */
/*
 * Equations with x >= 0, by the simplex method: with s, r >= 0, the least sum of s + r for columns x + s - r = right. Rows
 * and columns are scaled, and the sides of rows are such that s = right >= 0 is the start.
 */
#include "reference/judge/judge_parts.h"

#include <math.h>

/* Gains, pivots and numbers, in scaled columns, below this are rounding. */
#define ROUNDING 1e-11L

enum { MOST_STEPS = 2000 };

typedef struct tableau {
    size_t rows, n, width;

    /* rows of x, s, r, right side; then what the sum loses by an increase of each */
    long double *a;

    /* by column of x: its scale */
    long double *scales;

    /* by row: the number that is not zero */
    size_t *basis;
} tableau;

static double size_of_row(const tableau *t, const double *columns, const double *right, const double *sizes,
                          size_t i)
{
    double size = fmax(fabs(sizes[i]), fabs(right[i]));
    for (size_t k = 0; k < t->n; k++) size = fmax(size, fabs(columns[k * t->rows + i]));
    return size > 0 ? size : 1;
}

static bool open_tableau(tableau *t, const double *columns, const double *right, const double *sizes)
{
    bool good = true;
    for (size_t i = 0; i < t->rows; i++) {
        long double *row = t->a + i * t->width;
        const double size = size_of_row(t, columns, right, sizes, i);
        const long double scale = right[i] < 0 ? -size : size;
        good = good && isfinite(size);
        for (size_t k = 0; k < t->n; k++) {
            row[k] = columns[k * t->rows + i] / scale;
            t->scales[k] = fmaxl(t->scales[k], fabsl(row[k]));
        }
        row[t->width - 1] = right[i] / scale;
        row[t->n + i] = 1;
        row[t->n + t->rows + i] = -1;
        t->basis[i] = t->n + i;
    }
    for (size_t i = 0; i < t->rows; i++) {
        long double *row = t->a + i * t->width, *gain = t->a + t->rows * t->width;
        for (size_t k = 0; k < t->n; k++) gain[k] += row[k] /= t->scales[k] > 0 ? t->scales[k] : 1;
        gain[t->n + t->rows + i] = -2;
    }
    return good;
}

/* The row whose number is the first that becomes zero while number k grows; rows: none. */
static size_t leaving(const tableau *t, size_t k)
{
    size_t found = t->rows;
    long double least = INFINITY, pivot = 0;
    for (size_t i = 0; i < t->rows; i++) {
        const long double *row = t->a + i * t->width, ratio = row[t->width - 1] / row[k];
        if (!(row[k] > ROUNDING) || ratio > least || (ratio == least && row[k] < pivot)) continue;
        found = i;
        least = ratio;
        pivot = row[k];
    }
    return found;
}

/* Lets the number grow whose increase gains most. false: none gains. */
static bool exchange(tableau *t)
{
    size_t k = 0;
    const long double *gain = t->a + t->rows * t->width;
    for (size_t i = 1; i + 1 < t->width; i++) k = gain[i] > gain[k] ? i : k;
    const size_t out = gain[k] > ROUNDING ? leaving(t, k) : t->rows;
    if (out == t->rows) return false;
    long double *row = t->a + out * t->width, pivot = row[k];
    for (size_t c = 0; c < t->width; c++) row[c] /= pivot;
    for (size_t i = 0; i <= t->rows; i++) {
        long double *other = t->a + i * t->width, part = other[k];
        for (size_t c = 0; c < t->width && i != out; c++) other[c] -= part * row[c];
    }
    t->basis[out] = k;
    return true;
}

double ic_text_judge_misfit(double *x, size_t *row, const double *columns, const double *right,
                            const double *sizes, size_t rows, size_t n)
{
    const size_t width = n + 2 * rows + 1;
    IC_ZEROS(long double, a, (rows + 1) * width);
    IC_ZEROS(long double, scales, n);
    IC_ZEROS(size_t, basis, rows);
    tableau t = {.rows = rows, .n = n, .width = width, .a = a, .scales = scales, .basis = basis};
    bool good = open_tableau(&t, columns, right, sizes);
    for (int step = 0; step < MOST_STEPS && good && exchange(&t); step++) continue;
    for (size_t k = 0; k < n; k++) x[k] = 0;
    for (size_t i = 0; i < rows; i++) {
        const long double value = t.a[i * t.width + t.width - 1];
        if (t.basis[i] < n && value > ROUNDING) x[t.basis[i]] = (double)(value / t.scales[t.basis[i]]);
    }
    double worst = good ? 0 : INFINITY;
    *row = 0;
    for (size_t i = 0; i < rows && good; i++) {
        long double rest = right[i];
        for (size_t k = 0; k < n; k++) rest -= (long double)columns[k * rows + i] * x[k];
        const double part = fabs((double)rest) / size_of_row(&t, columns, right, sizes, i);
        if (part <= worst) continue;
        worst = part;
        *row = i;
    }
    return worst;
}
