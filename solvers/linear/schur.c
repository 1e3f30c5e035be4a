/* SPDX-License-Identifier: MIT */
#include "solvers/linear/schur.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* QR steps for one block; three or four are usual. */
enum { MOST_ITERATIONS = 10 };

/* ---- eigenvalues that zeros isolate */

static void swap_numbers(long double *a, long double *b)
{
    const long double x = *a;
    *a = *b;
    *b = x;
}

static void swap_coordinates(long double *a, long double *basis, size_t n, size_t i, size_t j)
{
    for (size_t k = 0; k < n && i != j; k++) swap_numbers(&a[i * n + k], &a[j * n + k]);
    for (size_t k = 0; k < n && i != j; k++) swap_numbers(&a[k * n + i], &a[k * n + j]);
    for (size_t k = 0; k < n && i != j; k++) swap_numbers(&basis[k * n + i], &basis[k * n + j]);
}

/* Whether no others from `begin` to `end` drive coordinate i. */
static bool driven_by_none(const long double *a, size_t n, size_t i, size_t begin, size_t end)
{
    for (size_t k = begin; k < end; k++) {
        if (k != i && a[i * n + k] != 0) return false;
    }
    return true;
}

/* Whether coordinate i drives nothing else among those from `begin` to `end`. */
static bool drives_none(const long double *a, size_t n, size_t i, size_t begin, size_t end)
{
    for (size_t k = begin; k < end; k++) {
        if (k != i && a[k * n + i] != 0) return false;
    }
    return true;
}

/*
 * Puts coordinates that drive no others first, so that their columns are triangular already, and those that
 * no others drive last (Wilkinson & Reinsch, II/11).
 */
static void isolate_eigenvalues(long double *a, long double *basis, size_t n)
{
    size_t begin = 0, end = n;
    for (size_t i = begin; i < end; i++) {
        if (!drives_none(a, n, i, begin, end)) continue;
        swap_coordinates(a, basis, n, begin++, i);
        i = begin - 1; /* search from the start again */
    }
    for (size_t i = end; i-- > begin;) {
        if (!driven_by_none(a, n, i, begin, end)) continue;
        swap_coordinates(a, basis, n, --end, i);
        i = end;
    }
}

/* ---- Hessenberg form */

static void rotate_rows(long double *a, size_t n, size_t k, size_t from, long double c, long double s)
{
    long double *upper = a + k * n, *lower = upper + n;
    for (size_t j = from; j < n; j++) {
        const long double x = upper[j], y = lower[j];
        upper[j] = c * x + s * y;
        lower[j] = c * y - s * x;
    }
}

static void rotate_columns(long double *a, size_t n, size_t k, long double c, long double s)
{
    for (size_t i = 0; i < n; i++) {
        long double *at = a + i * n + k;
        const long double x = at[0], y = at[1];
        at[0] = c * x + s * y;
        at[1] = c * y - s * x;
    }
}

/* Rotations of neighbouring rows keep existing zeros. */
static void reduce_to_hessenberg(long double *a, long double *basis, size_t n)
{
    for (size_t j = 0; j + 2 < n; j++) {
        for (size_t i = n - 1; i > j + 1; i--) {
            const long double x = a[(i - 1) * n + j], y = a[i * n + j];
            if (y == 0) continue;
            const long double r = sqrtl(x * x + y * y);
            rotate_rows(a, n, i - 1, j, x / r, y / r);
            a[i * n + j] = 0;
            rotate_columns(a, n, i - 1, x / r, y / r);
            rotate_columns(basis, n, i - 1, x / r, y / r);
        }
    }
}

/* ---- QR steps */

/*
 * A reflection I - u v^T of three coordinates from k on, u = (x, y, z), v = (1, q, r); of two if z = r = 0.
 */
typedef struct reflection {
    size_t k, order;
    long double x, y, z, q, r;
} reflection;

static void reflect_rows(long double *a, size_t n, const reflection *f)
{
    for (size_t j = f->k; j < n; j++) {
        long double *at = a + f->k * n + j;
        const long double third = f->order > 2 ? at[2 * n] : 0;
        const long double sum = at[0] + f->q * at[n] + f->r * third;
        at[0] -= sum * f->x;
        at[n] -= sum * f->y;
        if (f->order > 2) at[2 * n] = third - sum * f->z;
    }
}

static void reflect_columns(long double *a, size_t n, size_t rows, const reflection *f)
{
    for (size_t i = 0; i < rows; i++) {
        long double *at = a + i * n + f->k;
        const long double third = f->order > 2 ? at[2] : 0;
        const long double sum = f->x * at[0] + f->y * at[1] + f->z * third;
        at[0] -= sum;
        at[1] -= sum * f->q;
        if (f->order > 2) at[2] = third - sum * f->r;
    }
}

static bool subdiagonal_is_negligible(const long double *a, size_t n, size_t i, long double norm)
{
    const long double *at = a + i * n + i;
    long double size = fabsl(at[0]) + fabsl(*(at - n - 1));
    if (size == 0) size = norm;
    return size + fabsl(at[-1]) == size;
}

/* The eigenvalues of [x .; . y], whose other elements have the product w. */
typedef struct shifts {
    long double x, y, w;
} shifts;

static shifts choose_shifts(const long double *a, size_t n, size_t high)
{
    const long double *at = a + high * n + high;
    return (shifts){at[0], *(at - n - 1), at[-1] * *(at - n)};
}

/* The first column of (a - shift 1)(a - shift 2) from row k on, up to a factor. */
static void begin_column(const long double *a, size_t n, size_t k, shifts by, long double column[3])
{
    const long double *at = a + k * n + k;
    const long double r = by.x - at[0], s = by.y - at[0];
    column[0] = (r * s - by.w) / at[n] + at[1];
    column[1] = at[n + 1] - at[0] - r - s;
    column[2] = at[2 * n + 1];
    const long double size = fabsl(column[0]) + fabsl(column[1]) + fabsl(column[2]);
    for (int i = 0; i < 3; i++) column[i] /= size;
}

/* Whether a step may begin at row k: what it leaves to the left of its blocks is negligible. */
static bool may_begin_at(const long double *a, size_t n, size_t k, const long double column[3])
{
    const long double *at = a + k * n + k;
    const long double left = fabsl(at[-1]) * (fabsl(column[1]) + fabsl(column[2]));
    return left < LDBL_EPSILON * fabsl(column[0]) * (fabsl(*(at - n - 1)) + fabsl(at[0]) + fabsl(at[n + 1]));
}

/* Moves the column below `left` into `column`, in units of its size, which is returned. */
static long double take_column(long double *left, size_t n, size_t order, long double column[3])
{
    long double size = 0;
    for (size_t i = 0; i < order; i++) size += fabsl(left[i * n]);
    for (size_t i = 0; i < 3 && size > 0; i++) column[i] = i < order ? left[i * n] / size : 0;
    for (size_t i = 1; i < order; i++) left[i * n] = 0;
    return size;
}

/* Takes `column` to a multiple of the first unit vector, `image`. */
static reflection reflection_of(const long double column[3], size_t k, size_t order, long double *image)
{
    const long double size = sqrtl(column[0] * column[0] + column[1] * column[1] + column[2] * column[2]);
    const long double s = column[0] < 0 ? -size : size, p = column[0] + s;
    *image = -s;
    return (reflection){k, order, p / s, column[1] / s, column[2] / s, column[1] / p, column[2] / p};
}

static void take_qr_step(long double *a, long double *basis, size_t n, size_t low, size_t high, shifts by)
{
    long double column[3], size = 0, image;
    size_t first = high - 2;
    for (begin_column(a, n, first, by, column); first > low && !may_begin_at(a, n, first, column);)
        begin_column(a, n, --first, by, column);
    if (first > low) a[first * n + first - 1] *= -1;
    for (size_t k = first; k < high; k++) {
        const size_t order = k + 1 < high ? 3 : 2, rows = k + 3 < high ? k + 4 : high + 1;
        if (k > first) size = take_column(a + k * n + k - 1, n, order, column);
        if (k > first && size == 0) continue;
        const reflection f = reflection_of(column, k, order, &image);
        if (k > first) a[k * n + k - 1] = image * size;
        reflect_rows(a, n, &f);
        reflect_columns(a, n, rows, &f);
        reflect_columns(basis, n, n, &f);
    }
}

void ic_real_schur(long double *a, long double *basis, size_t n, long double norm)
{
    int iteration = 0;
    isolate_eigenvalues(a, basis, n);
    reduce_to_hessenberg(a, basis, n);
    for (size_t end = n; end > 1;) {
        const size_t high = end - 1;
        size_t low = high;
        while (low > 0 && !subdiagonal_is_negligible(a, n, low, norm)) low--;
        if (low > 0) a[low * n + low - 1] = 0;
        if (high - low <= 1 || iteration == MOST_ITERATIONS) {
            end = low;
            iteration = 0;
            continue;
        }
        take_qr_step(a, basis, n, low, high, choose_shifts(a, n, high));
        iteration++;
    }
}
