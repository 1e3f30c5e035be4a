/* SPDX-License-Identifier: MIT */
/*
 * Lemke's method. The auxiliary variable z_0 makes w feasible,
 *
 *     w - M z - 1 z_0 = q,
 *
 * and the complement of each variable that leaves the basis enters it, until z_0 leaves. Rows are
 * ordered by [q_i, (B^-1)_i]/a_i, where B^-1 stands in the columns of w: the lexicographic order,
 * in which rows never tie.
 *
 * C. E. Lemke, Bimatrix equilibrium points and mathematical programming (1965); R. W. Cottle, J.-S. Pang,
 * R. E. Stone, The Linear Complementarity Problem (1992), section 4.9.
 *
 * M is scaled to D M D with a diagonal of ones, and q to D q/max|D q|, so that numbers of the tableau are
 * comparable whatever the masses are.
 */
#include "solvers/rigid/lcp.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/*
 * Numbers of the tableau, which are of order 1, below this are rounding. No one bound suits all
 * matrices: some pivots of singular matrices are rounding, and some of regular ones are small. An
 * answer is checked, and if it is none, the next bound is tried.
 */
static const double roundings[] = {1e5 * DBL_EPSILON, 1e3 * DBL_EPSILON, 1e7 * DBL_EPSILON};

/* Violation that an answer may have: 1e6 roundings, far from that of a wrong basis, which is of order 1. */
#define VIOLATION (1e6 * DBL_EPSILON)

/* Pivots for each variable. Lemke's method usually needs about one; the bound is for cycles by rounding. */
#define MOST_PIVOTS 50

typedef struct tableau {
    size_t n, width;

    /* n rows: columns of w, of z, of z_0, and q */
    double *a;

    /* the variable of each row: 0 to n - 1 w, n to 2 n - 1 z, 2 n z_0 */
    size_t *basis;

    /* D, and max|D q| */
    double *scale;
    double size;

    /* one of `roundings` */
    double rounding;
} tableau;

static double *row_of(const tableau *t, size_t i)
{
    return t->a + i * t->width;
}

/* ---- scaled data */

/*
 * D: 1/sqrt of the diagonal. A row whose diagonal is zero, as of a bound on z, is scaled like the
 * terms in it. false: the diagonal is negative, or a row is zero.
 */
static bool find_scales(double *scale, const double *M, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const double diagonal = M[i * n + i];
        if (!(diagonal >= 0) || !isfinite(diagonal)) return false;
        scale[i] = diagonal > 0 ? 1 / sqrt(diagonal) : 0;
    }
    for (size_t i = 0; i < n; i++) {
        double largest = 0;
        if (M[i * n + i] > 0) continue;
        for (size_t j = 0; j < n; j++) {
            if (M[j * n + j] > 0) largest = fmax(largest, fabs(M[i * n + j]) * scale[j]);
        }
        if (!(largest > 0)) return false;
        scale[i] = 1 / largest;
    }
    return true;
}

static bool read_scales(tableau *t, const double *M, const double *q)
{
    if (!find_scales(t->scale, M, t->n)) return false;
    for (size_t i = 0; i < t->n; i++) {
        if (!isfinite(q[i])) return false;
        t->size = fmax(t->size, fabs(q[i] * t->scale[i]));
    }
    return true;
}

static bool fill_tableau(tableau *t, const double *M, const double *q)
{
    const size_t n = t->n;
    for (size_t i = 0; i < n; i++) {
        double *row = row_of(t, i);
        for (size_t j = 0; j < n; j++) {
            if (!isfinite(M[i * n + j])) return false;
            row[j] = i == j ? 1 : 0;
            row[n + j] = -M[i * n + j] * t->scale[i] * t->scale[j];
        }
        row[2 * n] = -1;
        row[2 * n + 1] = q[i] * t->scale[i] / t->size;
        t->basis[i] = i;
    }
    return true;
}

/* ---- pivots */

static double without_rounding(const tableau *t, double value)
{
    return fabs(value) <= t->rounding ? 0 : value;
}

/* Whether row i comes before row k for the entering column; both elements there have the same sign. */
static bool comes_before(const tableau *t, size_t i, size_t k, size_t column)
{
    const double *one = row_of(t, i), *other = row_of(t, k);
    double difference = one[t->width - 1] / one[column] - other[t->width - 1] / other[column];
    for (size_t j = 0; j < t->n && without_rounding(t, difference) == 0; j++)
        difference = one[j] / one[column] - other[j] / other[column];
    return difference < 0;
}

/* The row that leaves when `column` enters; n: none, a ray. */
static size_t leaving_row(const tableau *t, size_t column)
{
    size_t best = t->n;
    for (size_t i = 0; i < t->n; i++) {
        if (!(row_of(t, i)[column] > t->rounding)) continue;
        if (best == t->n || comes_before(t, i, best, column)) best = i;
    }
    if (best == t->n) return best;
    /* z_0 leaves as soon as it may. */
    for (size_t i = 0; i < t->n; i++) {
        const double *row = row_of(t, i), *least = row_of(t, best);
        if (t->basis[i] != 2 * t->n || !(row[column] > t->rounding)) continue;
        if (without_rounding(t, row[t->width - 1] / row[column] - least[t->width - 1] / least[column]) == 0)
            return i;
    }
    return best;
}

static void pivot(tableau *t, size_t r, size_t column)
{
    double *from = row_of(t, r);
    const double factor = 1 / from[column];
    for (size_t j = 0; j < t->width; j++) from[j] *= factor;
    from[column] = 1;
    for (size_t i = 0; i < t->n; i++) {
        double *row = row_of(t, i);
        const double times = row[column];
        if (i == r || times == 0) continue;
        for (size_t j = 0; j < t->width; j++) row[j] = fma(-times, from[j], row[j]);
        row[column] = 0;
    }
    t->basis[r] = column;
}

/* The row with the least [q, B^-1], which z_0 replaces first; n: q is not negative, so that z = 0. */
static size_t first_row(const tableau *t)
{
    size_t best = t->n;
    for (size_t i = 0; i < t->n; i++) {
        const double q = row_of(t, i)[t->width - 1];
        if (!(q < 0)) continue;
        /* Among equal rows of the unit matrix the last is the least. */
        if (best == t->n || q <= row_of(t, best)[t->width - 1]) best = i;
    }
    return best;
}

static ic_status run_lemke(tableau *t)
{
    const size_t n = t->n;
    size_t entering = 2 * n, row = first_row(t);
    if (row == n) return IC_OK;
    for (size_t pivots = 0; pivots < MOST_PIVOTS * (n + 1); pivots++) {
        const size_t leaving = t->basis[row];
        pivot(t, row, entering);
        if (leaving == 2 * n) return IC_OK;
        entering = leaving < n ? leaving + n : leaving - n;
        row = leaving_row(t, entering);
        if (row == n) return IC_UNSUPPORTED;
    }
    return IC_TOO_MUCH_WORK;
}

static void read_solution(const tableau *t, double *z, double *w)
{
    const size_t n = t->n;
    for (size_t i = 0; i < n; i++) z[i] = w[i] = 0;
    for (size_t i = 0; i < n; i++) {
        const double value = fmax(row_of(t, i)[t->width - 1], 0) * t->size;
        const size_t variable = t->basis[i];
        if (variable < n) w[variable] = value / t->scale[variable];
        else if (variable < 2 * n) z[variable - n] = value * t->scale[variable - n];
    }
}

ic_status ic_lcp_solve(double *z, double *w, const double *M, const double *q, size_t n)
{
    tableau t = {.n = n, .width = 2 * n + 2};
    if (n > IC_MOST_LCP) return IC_INVALID;
    t.a = malloc((n * t.width + n) * sizeof *t.a);
    t.basis = malloc((n + 1) * sizeof *t.basis);
    ic_status status = t.a == NULL || t.basis == NULL ? IC_NO_MEMORY : IC_OK;
    if (status == IC_OK) {
        t.scale = t.a + n * t.width;
        if (!read_scales(&t, M, q)) status = IC_INVALID;
    }
    if (t.size == 0) t.size = 1;
    for (size_t k = 0; k < IC_COUNT(roundings) && (k == 0 || status == IC_TOO_MUCH_WORK); k++) {
        t.rounding = roundings[k];
        if (status == IC_OK || status == IC_TOO_MUCH_WORK) status = fill_tableau(&t, M, q) ? IC_OK : IC_INVALID;
        if (status == IC_OK) status = run_lemke(&t);
        if (status != IC_OK) continue;
        read_solution(&t, z, w);
        if (!(ic_lcp_violation(z, M, q, n) <= VIOLATION)) status = IC_TOO_MUCH_WORK;
    }
    free(t.a);
    free(t.basis);
    return status;
}

/* ---- the check of an answer */

double ic_lcp_violation(const double *z, const double *M, const double *q, size_t n)
{
    double scale[IC_MOST_LCP], worst = 0, largest = 0;
    if (n > IC_MOST_LCP || !find_scales(scale, M, n)) return INFINITY;
    for (size_t i = 0; i < n; i++) {
        double w = q[i];
        largest = fmax(largest, fabs(q[i]) * scale[i]);
        for (size_t j = 0; j < n; j++) {
            w += M[i * n + j] * z[j];
            largest = fmax(largest, fabs(M[i * n + j] * z[j]) * scale[i]);
        }
        if (!isfinite(w)) return INFINITY;
        const double scaled_w = w * scale[i], scaled_z = z[i] / scale[i];
        worst = fmax(worst, fmax(fmin(fabs(scaled_w), fabs(scaled_z)), fmax(-scaled_w, -scaled_z)));
    }
    return largest > 0 ? worst / largest : 0;
}
