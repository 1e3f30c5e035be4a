/* SPDX-License-Identifier: MIT */
#include "core/window_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* h |lambda| of the fastest term that is in a form. */
#define REACH 0.4
/* What is below this part of the greatest of its row, for states of the size of their scales, is rounding error of zero: the
 * decomposition is made in long double. */
#define NEGLIGIBLE 0x1p-60
/* An eigenvalue may be off the centre of its block by this over a window; by its square where lambda = 0. */
#define SPREAD_MOST 0x1p-60
#define SPREAD_MOST_AT_ZERO 0x1p-28

enum { ZERO_BLOCK_MOST = 3 };

/* ---- coordinates that follow an exponential */

static void take_term(ic_window_table *m, const ic_spectrum *s, const ic_spectral_block *block)
{
    ic_window_term *term = &m->terms[m->n_terms++];
    term->lambda = (ic_complex){block->centre.re, block->weight == 1 ? 0 : block->centre.im};
    for (size_t j = 0; j < s->columns; j++) {
        const ic_complex left = s->left[block->first * s->columns + j];
        const ic_complex right = s->right[j * s->columns + block->first];
        term->left_re[j] = left.re;
        term->left_im[j] = left.im;
        term->right_re[j] = block->weight * right.re;
        term->right_im[j] = block->weight * right.im;
    }
}

ic_complex ic_window_rise(ic_complex lambda, double s)
{
    const double beyond = expm1(lambda.re * s), half = 0.5 * lambda.im * s;
    const double sine = sin(half), versine = 2 * sine * sine; /* 1 - cos */
    return (ic_complex){beyond - (1 + beyond) * versine, (1 + beyond) * 2 * sine * cos(half)};
}

static void tabulate(ic_window_term *term, double h)
{
    const ic_complex lambda = term->lambda;
    const double modulus = hypot(lambda.re, lambda.im);
    const double growth = lambda.re > 0 ? exp(lambda.re * IC_WINDOW_PARTS * h) : 1;
    ic_complex power = {1, 0};
    term->square = growth * modulus * modulus;
    term->cube = term->square * modulus;
    for (int k = 0; k <= IC_WINDOW_PARTS; k++) {
        const ic_complex rise = ic_window_rise(lambda, k * h);
        const double size = exp(lambda.re * k * h);
        term->rise_re[k] = rise.re;
        term->rise_im[k] = rise.im;
        term->node_re[k] = size * cos(lambda.im * k * h);
        term->node_im[k] = rise.im;
    }
    for (int j = 0; j < IC_WINDOW_SERIES; j++) {
        term->series_re[j] = power.re;
        term->series_im[j] = power.im;
        power = (ic_complex){(power.re * lambda.re - power.im * lambda.im) / (j + 1),
                             (power.re * lambda.im + power.im * lambda.re) / (j + 1)};
    }
}

/* ---- coordinates with lambda = 0 */

typedef long double square_matrix[IC_WINDOW_COLUMNS][IC_WINDOW_COLUMNS];

static void multiply_coupling(ic_complex *y, const ic_spectral_block *block)
{
    const size_t size = block->size;
    for (size_t i = 0; i < size; i++) { /* upper triangular: row i needs y from i on only */
        ic_complex sum = {0, 0};
        for (size_t c = i; c < size; c++) {
            const ic_complex a = block->coupling[i * size + c];
            sum.re += a.re * y[c].re - a.im * y[c].im;
            sum.im += a.re * y[c].im + a.im * y[c].re;
        }
        y[i] = sum;
    }
}

/* Re(V N^power W) of a block, for states divided by their scales: real, whatever the basis. */
static void take_real_power(square_matrix r, const ic_spectrum *s, const ic_spectral_block *block,
                            const double *scale, int power)
{
    const size_t columns = s->columns;
    for (size_t j = 0; j < columns; j++) {
        ic_complex y[ZERO_BLOCK_MOST] = {{0, 0}};
        for (size_t i = 0; i < block->size; i++) y[i] = s->left[(block->first + i) * columns + j];
        for (int k = 0; k < power; k++) multiply_coupling(y, block);
        for (size_t i = 0; i < columns; i++) {
            long double sum = 0;
            for (size_t c = 0; c < block->size; c++) {
                const ic_complex v = s->right[i * columns + block->first + c];
                sum += (long double)v.re * y[c].re - (long double)v.im * y[c].im;
            }
            r[i][j] = sum * scale[j] / scale[i];
        }
    }
}

/* Orthonormal columns u that span those of a projector of this rank: pivoted Gram-Schmidt, twice. */
static bool take_basis(square_matrix u, const square_matrix projector, int columns, int rank)
{
    square_matrix rest;
    memcpy(rest, projector, sizeof rest);
    for (int i = 0; i < rank; i++) {
        long double most = 0;
        int pivot = 0;
        for (int j = 0; j < columns; j++) {
            long double norm = 0;
            for (int k = 0; k < columns; k++) norm += rest[k][j] * rest[k][j];
            if (norm > most) most = norm, pivot = j;
        }
        if (!(most > 0)) return false;
        for (int k = 0; k < columns; k++) u[k][i] = rest[k][pivot] / sqrtl(most);
        for (int j = 0; j < 2 * columns; j++) {
            long double dot = 0;
            for (int k = 0; k < columns; k++) dot += u[k][i] * rest[k][j % columns];
            for (int k = 0; k < columns; k++) rest[k][j % columns] -= dot * u[k][i];
        }
    }
    return true;
}

/* Element (i, j) of u^T r u. */
static double projected(const square_matrix u, const square_matrix r, int columns, int i, int j)
{
    long double sum = 0;
    for (int k = 0; k < columns; k++) {
        for (int c = 0; c < columns; c++) sum += u[k][i] * r[k][c] * u[c][j];
    }
    return (double)sum;
}

/*
 * A block with lambda = 0 in a real basis of its subspace, orthonormal for states divided by their scales. N^3 = 0 for at most three
 * coordinates, up to the squares of what rounding makes of the eigenvalues.
 */
static bool take_zeros(ic_window_table *m, const ic_spectrum *s, const ic_spectral_block *block,
                       const double *scale)
{
    const int columns = m->columns, size = (int)block->size, first = m->n_zeros;
    square_matrix r[3] = {{{0}}}, u = {{0}};
    for (int power = 0; power < 3; power++) take_real_power(r[power], s, block, scale, power);
    if (!take_basis(u, (const long double(*)[IC_WINDOW_COLUMNS])r[0], columns, size)) return false;
    for (int i = 0; i < size; i++) {
        for (int j = 0; j < columns; j++) {
            long double sum = 0;
            for (int k = 0; k < columns; k++) sum += u[k][i] * r[0][k][j];
            m->zero_left[first + i][j] = (double)(sum / scale[j]);
            m->zero_right[j][first + i] = (double)(u[j][i] * scale[j]);
        }
        for (int j = 0; j < size; j++) {
            const long double(*basis)[IC_WINDOW_COLUMNS] = (const long double(*)[IC_WINDOW_COLUMNS])u;
            m->first[first + i][first + j] =
                projected(basis, (const long double(*)[IC_WINDOW_COLUMNS])r[1], columns, i, j);
            m->second[first + i][first + j] =
                0.5 * projected(basis, (const long double(*)[IC_WINDOW_COLUMNS])r[2], columns, i, j);
        }
    }
    m->n_zeros += size;
    return true;
}

static bool take_block(ic_window_table *m, const ic_spectrum *s, const ic_spectral_block *block,
                       const double *scale)
{
    if (block->centre.re == 0 && block->centre.im == 0) {
        return block->size <= ZERO_BLOCK_MOST && m->n_zeros + (int)block->size <= IC_WINDOW_ZEROS &&
               take_zeros(m, s, block, scale);
    }
    if (block->size > 1 || m->n_terms == IC_WINDOW_TERMS) return false;
    take_term(m, s, block);
    return true;
}

/* Whether the eigenvalues of each block are as good as one over a window. */
static bool are_narrow(const ic_window_table *m, const ic_spectrum *s)
{
    for (size_t k = 0; k < s->n_blocks; k++) {
        const ic_spectral_block *block = &s->blocks[k];
        const bool zero = block->centre.re == 0 && block->centre.im == 0;
        if (block->spread * IC_WINDOW_PARTS * m->h > (zero ? SPREAD_MOST_AT_ZERO : SPREAD_MOST)) return false;
    }
    return true;
}

/* ---- guards and conditions */

static void take_form(ic_window_table *m, const ic_form *form, size_t n)
{
    ic_window_form *f = &m->forms[m->n_forms++];
    double *row = f->row;
    for (size_t j = 0; j < n; j++) row[j] = form->state[j];
    row[n] = form->constant;
    row[n + 1] = form->cosine;
    row[n + 2] = form->sine;
    for (int j = 0; j < m->columns; j++) {
        if (row[j] != 0) f->columns.at[f->columns.n++] = j;
        for (int c = 0; c < m->n_terms; c++) {
            f->re[c] += row[j] * m->terms[c].right_re[j];
            f->im[c] += row[j] * m->terms[c].right_im[j];
        }
        for (int i = 0; i < m->n_zeros; i++) f->zero[i] += row[j] * m->zero_right[j][i];
    }
}

static void take_guards(ic_window_table *m, const ic_linear_view *view, const ic_mode *mode)
{
    m->n_guards = (int)mode->n_guards;
    for (int i = 0; i < m->n_guards; i++) {
        take_form(m, &view->guards[i], view->n);
        m->direction[i] = mode->guards[i].direction;
    }
    for (int i = 0; i < m->n_guards; i++) {
        m->condition[i] = mode->guards[i].enabled != NULL ? m->n_forms : -1;
        if (mode->guards[i].enabled != NULL) take_form(m, &view->enabled[i], view->n);
    }
}

/* ---- what is not zero */

/* Of sizes, those that are not negligible beside `beside`. */
static void take_pattern(ic_pattern *pattern, const double *size, int n, double beside)
{
    for (int i = 0; i < n; i++) {
        if (size[i] > NEGLIGIBLE * beside) pattern->at[pattern->n++] = i;
    }
}

static double greatest(const double *size, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, size[i]);
    return most;
}

static void take_patterns(ic_window_table *m, const double *scale)
{
    double size[IC_WINDOW_COLUMNS] = {0}, term[IC_WINDOW_TERMS] = {0}, zero[IC_WINDOW_ZEROS] = {0};
    for (int c = 0; c < m->n_terms; c++) {
        ic_window_term *at = &m->terms[c];
        for (int j = 0; j < m->columns; j++) size[j] = hypot(at->left_re[j], at->left_im[j]) * scale[j];
        term[c] = greatest(size, m->columns);
        take_pattern(&at->columns, size, m->columns, term[c]);
    }
    for (int i = 0; i < m->n_zeros; i++) {
        for (int j = 0; j < m->columns; j++) size[j] = fabs(m->zero_left[i][j]) * scale[j];
        zero[i] = greatest(size, m->columns);
        take_pattern(&m->zero_columns[i], size, m->columns, zero[i]);
        for (int j = 0; j < m->n_zeros; j++) {
            if (m->first[i][j] != 0 || m->second[i][j] != 0) m->coupled[i].at[m->coupled[i].n++] = j;
        }
    }
    for (int j = 0; j < m->columns; j++) {
        for (int c = 0; c < m->n_terms; c++)
            size[c] = hypot(m->terms[c].right_re[j], m->terms[c].right_im[j]) * term[c];
        take_pattern(&m->row_terms[j], size, m->n_terms, scale[j]);
        for (int i = 0; i < m->n_zeros; i++) size[i] = fabs(m->zero_right[j][i]) * zero[i];
        take_pattern(&m->row_zeros[j], size, m->n_zeros, scale[j]);
    }
    for (int f = 0; f < m->n_forms; f++) {
        for (int c = 0; c < m->n_terms; c++) size[c] = hypot(m->forms[f].re[c], m->forms[f].im[c]) * term[c];
        take_pattern(&m->forms[f].terms, size, m->n_terms, greatest(size, m->n_terms));
    }
}

/* ---- the whole */

/* The fastest term that is in a form decides on the parts. */
static void take_tables(ic_window_table *m, double time_scale)
{
    bool seen[IC_WINDOW_TERMS] = {false};
    double fastest = 0;
    for (int f = 0; f < m->n_forms; f++) {
        for (int k = 0; k < m->forms[f].terms.n; k++) seen[m->forms[f].terms.at[k]] = true;
    }
    for (int c = 0; c < m->n_terms; c++) {
        if (seen[c]) fastest = fmax(fastest, hypot(m->terms[c].lambda.re, m->terms[c].lambda.im));
    }
    m->h = fastest > 0 ? REACH / fastest : time_scale / 4;
    for (int c = 0; c < m->n_terms; c++) {
        m->terms[c].tabled = seen[c] || hypot(m->terms[c].lambda.re, m->terms[c].lambda.im) * m->h <= REACH;
        if (m->terms[c].tabled) tabulate(&m->terms[c], m->h);
    }
}

static bool take(ic_window_table *m, const ic_spectrum *s, const ic_linear_view *view, const ic_mode *mode,
                 const double *scale, double time_scale)
{
    if (s->n > IC_WINDOW_STATES || mode->n_guards > IC_WINDOW_GUARDS) return false;
    m->columns = (int)s->columns;
    for (size_t k = 0; k < s->n_blocks; k++) {
        if (!take_block(m, s, &s->blocks[k], scale)) return false;
    }
    take_guards(m, view, mode);
    take_patterns(m, scale);
    take_tables(m, time_scale);
    return are_narrow(m, s);
}

ic_window_table *ic_window_table_new(const ic_spectrum *spectrum, const ic_linear_view *view,
                                     const ic_mode *mode, const double *scale, double time_scale,
                                     ic_status *status)
{
    ic_window_table *table = calloc(1, sizeof *table);
    *status = table == NULL ? IC_NO_MEMORY : IC_OK;
    if (table == NULL || take(table, spectrum, view, mode, scale, time_scale)) return table;
    *status = IC_UNSUPPORTED;
    free(table);
    return NULL;
}

void ic_window_table_free(ic_window_table *table)
{
    free(table);
}
