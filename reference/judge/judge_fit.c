/* SPDX-License-Identifier: MIT */
/*
 * Least squares with x >= 0 (Lawson and Hanson 1974, chapter 23): a set of positive numbers grows by that whose increase
 * lowers the residual most, and loses those that would become negative.
 */
#include "reference/judge/judge_parts.h"

#include <math.h>
#include <stdlib.h>

/* Of the size of a row. Sets of certificates are far narrower. */
#define TOLERANCE 1e-9

enum { MOST_STEPS = 200 };

typedef struct fit {
    size_t rows, n;

    /* columns one after the other, scaled by rows; right side */
    double *a, *b;

    /* numbers, those of the last solution, and which are positive */
    double *x, *z;
    bool *positive;

    /* work */
    double *q, *residual;
} fit;

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* Least squares over the positive set: orthogonal columns (Gram and Schmidt, twice), then back substitution. */
static bool solve(fit *f)
{
    size_t used[64], n = 0;
    double r[64][64], y[64];
    for (size_t k = 0; k < f->n && n < 64; k++) {
        if (f->positive[k]) used[n++] = k;
    }
    for (size_t k = 0; k < n; k++) {
        double *q = f->q + k * f->rows;
        const double *a = f->a + used[k] * f->rows, size = sqrt(dot(a, a, f->rows));
        for (size_t i = 0; i < f->rows; i++) q[i] = a[i];
        for (size_t i = 0; i < n; i++) r[i][k] = 0;
        for (int twice = 0; twice < 2; twice++) {
            for (size_t i = 0; i < k; i++) {
                const double *other = f->q + i * f->rows, part = dot(other, q, f->rows);
                r[i][k] += part;
                for (size_t l = 0; l < f->rows; l++) q[l] -= part * other[l];
            }
        }
        r[k][k] = sqrt(dot(q, q, f->rows));
        if (!(r[k][k] > 1e-12 * size)) return false;
        for (size_t l = 0; l < f->rows; l++) q[l] /= r[k][k];
        y[k] = dot(q, f->b, f->rows);
    }
    for (size_t k = n; k-- > 0;) {
        double sum = y[k];
        for (size_t i = k + 1; i < n; i++) sum -= r[k][i] * f->z[used[i]];
        f->z[used[k]] = sum / r[k][k];
    }
    return true;
}

static void find_residual(fit *f)
{
    for (size_t i = 0; i < f->rows; i++) {
        f->residual[i] = f->b[i];
        for (size_t k = 0; k < f->n; k++) f->residual[i] -= f->a[k * f->rows + i] * f->x[k];
    }
}

/* The number whose increase lowers the residual most; n: none. */
static size_t best(const fit *f, const bool *excluded)
{
    size_t found = f->n;
    double most = 1e-14;
    for (size_t k = 0; k < f->n; k++) {
        const double *a = f->a + k * f->rows,
                     gain = dot(a, f->residual, f->rows) / (sqrt(dot(a, a, f->rows)) + 1e-300);
        if (f->positive[k] || excluded[k] || gain <= most) continue;
        most = gain;
        found = k;
    }
    return found;
}

/* Moves to the solution of the positive set, which loses numbers that reach zero on the way. */
static void settle(fit *f, size_t added, bool *excluded)
{
    for (size_t guard = 0; guard <= f->n; guard++) {
        double part = 1;
        if (!solve(f)) {
            f->positive[added] = false;
            excluded[added] = true;
            continue;
        }
        for (size_t k = 0; k < f->n; k++) {
            if (f->positive[k] && f->z[k] <= 0) part = fmin(part, f->x[k] / (f->x[k] - f->z[k] + 1e-300));
        }
        for (size_t k = 0; k < f->n; k++) {
            if (!f->positive[k]) continue;
            f->x[k] += part * (f->z[k] - f->x[k]);
            if (part < 1 && f->z[k] <= 0 && f->x[k] <= 1e-15) {
                f->x[k] = 0;
                f->positive[k] = false;
                if (k == added) excluded[k] = true;
            }
        }
        if (part == 1) return;
    }
}

bool ic_text_judge_fits(double *x, const double *columns, const double *right, const double *sizes, size_t rows,
                        size_t n)
{
    bool good = true;
    double *work = calloc((2 * n + 3) * rows + n, sizeof *work);
    bool *flags = calloc(2 * n + 1, sizeof *flags);
    if (work == NULL || flags == NULL) {
        free(work);
        free(flags);
        return false;
    }
    fit f = {.rows = rows,
             .n = n,
             .a = work,
             .q = work + n * rows,
             .b = work + 2 * n * rows,
             .x = x,
             .positive = flags};
    f.residual = f.b + rows;
    f.z = f.residual + rows;
    for (size_t i = 0; i < rows; i++) {
        double size = fmax(sizes[i], fabs(right[i]));
        for (size_t k = 0; k < n; k++) size = fmax(size, fabs(columns[k * rows + i]));
        for (size_t k = 0; k < n; k++) f.a[k * rows + i] = size > 0 ? columns[k * rows + i] / size : 0;
        f.b[i] = size > 0 ? right[i] / size : 0;
        good = good && isfinite(size);
    }
    for (size_t k = 0; k < n; k++) x[k] = 0;
    find_residual(&f);
    for (int step = 0; step < MOST_STEPS && good; step++) {
        const size_t added = best(&f, flags + n);
        if (added == n) break;
        f.positive[added] = true;
        settle(&f, added, flags + n);
        find_residual(&f);
    }
    for (size_t i = 0; i < rows && good; i++) good = fabs(f.residual[i]) <= TOLERANCE;
    free(work);
    free(flags);
    return good;
}
