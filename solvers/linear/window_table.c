/* SPDX-License-Identifier: MIT */
#include "solvers/linear/window_table.h"

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

/* h may be above REACH by its rounding. */
#define SLACK 1e-6
/* A term that is faster than the parts by more than this power of 2 has no tables. */
enum { HALVINGS_MOST = 40 };
/* Terms of e^x - 1: 0.4^17/17! < 2^-64 0.4. */
enum { RISE_SERIES = 16 };

enum { ZERO_BLOCK_MOST = 3 };

/* The matrices as they come from the spectrum, before they are laid out in pairs. */
typedef struct draft {
    ic_window_table *m;
    double left_re[IC_WINDOW_TERMS][IC_WINDOW_COLUMNS], left_im[IC_WINDOW_TERMS][IC_WINDOW_COLUMNS];
    double right_re[IC_WINDOW_TERMS][IC_WINDOW_COLUMNS], right_im[IC_WINDOW_TERMS][IC_WINDOW_COLUMNS];
    double zero_left[IC_WINDOW_ZEROS][IC_WINDOW_COLUMNS], zero_right[IC_WINDOW_ZEROS][IC_WINDOW_COLUMNS];
    double first[IC_WINDOW_ZEROS][IC_WINDOW_ZEROS], second[IC_WINDOW_ZEROS][IC_WINDOW_ZEROS]; /* N, N^2/2 */
} draft;

/* ---- coordinates that follow an exponential */

static void take_term(draft *d, const ic_spectrum *s, const ic_spectral_block *block)
{
    const int c = d->m->n_terms++;
    d->m->terms[c].lambda = (ic_complex){block->centre.re, block->weight == 1 ? 0 : block->centre.im};
    for (size_t j = 0; j < s->columns; j++) {
        const ic_complex left = s->left[block->first * s->columns + j];
        const ic_complex right = s->right[j * s->columns + block->first];
        d->left_re[c][j] = left.re;
        d->left_im[c][j] = left.im;
        d->right_re[c][j] = block->weight * right.re;
        d->right_im[c][j] = block->weight * right.im;
    }
}

typedef struct exact {
    long double re, im;
} exact;

/* e^{x} - 1 by its series, |x| <= REACH. */
static exact small_rise(exact x)
{
    exact sum = {1, 0};
    for (int j = RISE_SERIES; j > 1; j--) {
        const exact next = {(x.re * sum.re - x.im * sum.im) / j, (x.re * sum.im + x.im * sum.re) / j};
        sum = (exact){1 + next.re, next.im};
    }
    return (exact){x.re * sum.re - x.im * sum.im, x.re * sum.im + x.im * sum.re};
}

/* Nodes one from the other, e^{a + b} - 1 = A + B + A B with the rises A and B: their errors, of long double, stay below rounding. */
static void tabulate_nodes(ic_window_term *term, ic_window_group *group, int lane, exact lambda, double h)
{
    const exact step = small_rise((exact){lambda.re * h, lambda.im * h});
    exact at = {0, 0};
    for (int k = 0; k <= IC_WINDOW_PARTS; k++) {
        term->rise_re[k] = group->rise_re[k][lane] = (double)at.re;
        term->rise_im[k] = group->rise_im[k][lane] = (double)at.im;
        group->node_re[k][lane] = (double)(1 + at.re);
        group->node_im[k][lane] = (double)at.im;
        at = (exact){at.re + step.re + (at.re * step.re - at.im * step.im),
                     at.im + step.im + (at.re * step.im + at.im * step.re)};
    }
}

static void tabulate_series(ic_window_term *term, ic_window_group *group, int lane, exact lambda)
{
    exact power = {1, 0};
    for (int j = 0; j < IC_WINDOW_SERIES; j++) {
        const int block = j / IC_WINDOW_LANES, place = j % IC_WINDOW_LANES;
        term->series_re[block][place] = group->series_re[j][lane] = (double)power.re;
        term->series_im[block][place] = group->series_im[j][lane] = (double)power.im;
        power = (exact){(power.re * lambda.re - power.im * lambda.im) / (j + 1),
                        (power.re * lambda.im + power.im * lambda.re) / (j + 1)};
    }
}

static bool tabulate(ic_window_table *m, int c)
{
    ic_window_term *term = &m->terms[c];
    ic_window_group *group = &m->groups[c / IC_WINDOW_LANES];
    const int lane = c % IC_WINDOW_LANES;
    const ic_complex lambda = term->lambda;
    const double modulus = hypot(lambda.re, lambda.im);
    while (ldexp(modulus, -term->halvings) * m->h > REACH * (1 + SLACK)) {
        if (++term->halvings > HALVINGS_MOST) return false;
        m->halved = true;
    }
    const exact slow = {ldexpl(lambda.re, -term->halvings), ldexpl(lambda.im, -term->halvings)};
    const double growth = lambda.re > 0 ? exp(lambda.re * IC_WINDOW_PARTS * m->h) : 1;
    tabulate_nodes(term, group, lane, slow, m->h);
    tabulate_series(term, group, lane, slow);
    group->first_re[lane] = lambda.re;
    group->first_im[lane] = lambda.im;
    group->second_re[lane] = lambda.re * lambda.re - lambda.im * lambda.im;
    group->second_im[lane] = 2 * lambda.re * lambda.im;
    group->square[lane] = growth * modulus * modulus;
    group->cube[lane] = group->square[lane] * modulus;
    return true;
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
        if (i + 1 == rank) break;
        for (int j = 0; j < 2 * columns; j++) {
            long double dot = 0;
            for (int k = 0; k < columns; k++) dot += u[k][i] * rest[k][j % columns];
            for (int k = 0; k < columns; k++) rest[k][j % columns] -= dot * u[k][i];
        }
    }
    return true;
}

/* factor u^T r u, into rows and columns from `first` on. */
static void project(double to[IC_WINDOW_ZEROS][IC_WINDOW_ZEROS], int first, double factor,
                    const square_matrix u, const square_matrix r, int columns, int size)
{
    for (int j = 0; j < size; j++) {
        long double image[IC_WINDOW_COLUMNS];
        for (int k = 0; k < columns; k++) {
            image[k] = 0;
            for (int c = 0; c < columns; c++) image[k] += r[k][c] * u[c][j];
        }
        for (int i = 0; i < size; i++) {
            long double sum = 0;
            for (int k = 0; k < columns; k++) sum += u[k][i] * image[k];
            to[first + i][first + j] = factor * (double)sum;
        }
    }
}

/*
 * A block with lambda = 0 in a real basis of its subspace, orthonormal for states divided by their scales. N^3 = 0 for at most three
 * coordinates, up to the squares of what rounding makes of the eigenvalues.
 */
static bool take_zeros(draft *d, const ic_spectrum *s, const ic_spectral_block *block, const double *scale)
{
    const int columns = d->m->columns, size = (int)block->size, first = d->m->n_zeros;
    square_matrix r, u;
    const long double(*basis)[IC_WINDOW_COLUMNS] = (const long double(*)[IC_WINDOW_COLUMNS])u;
    const long double(*power)[IC_WINDOW_COLUMNS] = (const long double(*)[IC_WINDOW_COLUMNS])r;
    take_real_power(r, s, block, scale, 0);
    if (!take_basis(u, power, columns, size)) return false;
    for (int i = 0; i < size; i++) {
        for (int j = 0; j < columns; j++) {
            long double sum = 0;
            for (int k = 0; k < columns; k++) sum += u[k][i] * r[k][j];
            d->zero_left[first + i][j] = (double)(sum / scale[j]);
            d->zero_right[first + i][j] = (double)(u[j][i] * scale[j]);
        }
    }
    d->m->n_zeros += size;
    if (size == 1) return true; /* N = 0 */
    take_real_power(r, s, block, scale, 1);
    project(d->first, first, 1, basis, power, columns, size);
    take_real_power(r, s, block, scale, 2);
    project(d->second, first, 0.5, basis, power, columns, size);
    return true;
}

static bool take_block(draft *d, const ic_spectrum *s, const ic_spectral_block *block, const double *scale)
{
    ic_window_table *m = d->m;
    if (block->centre.re == 0 && block->centre.im == 0) {
        return block->size <= ZERO_BLOCK_MOST && m->n_zeros + (int)block->size <= IC_WINDOW_ZEROS &&
               take_zeros(d, s, block, scale);
    }
    if (block->size > 1 || m->n_terms == IC_WINDOW_TERMS) return false;
    take_term(d, s, block);
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
    for (size_t j = 0; j < n; j++) f->row[j] = form->state[j];
    f->row[n] = form->constant;
    f->row[n + 1] = form->cosine;
    f->row[n + 2] = form->sine;
    for (int j = 0; j < m->columns; j++) {
        if (f->row[j] != 0) f->columns.at[f->columns.n++] = j;
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

/* ---- layout in pairs, of what is not rounding error of zero */

/* As good as the modulus to tell what is negligible. */
static double magnitude(double re, double im)
{
    return fabs(re) + fabs(im);
}

static double greatest(const double *size, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, size[i]);
    return most;
}

/* The greatest modulus of each coordinate, for states of the size of their scales. */
typedef struct sizes {
    double term[IC_WINDOW_TERMS], zero[IC_WINDOW_ZEROS];
} sizes;

static void lay_out_left(const draft *d, sizes *most, const double *scale)
{
    ic_window_table *m = d->m;
    double size[IC_WINDOW_COLUMNS] = {0};
    for (int c = 0; c < m->n_terms; c++) {
        ic_window_group *group = &m->groups[c / IC_WINDOW_LANES];
        for (int j = 0; j < m->columns; j++) size[j] = magnitude(d->left_re[c][j], d->left_im[c][j]) * scale[j];
        most->term[c] = greatest(size, m->columns);
        for (int j = 0; j < m->columns; j++) {
            if (size[j] <= NEGLIGIBLE * most->term[c]) continue;
            group->left_re[j][c % IC_WINDOW_LANES] = d->left_re[c][j];
            group->left_im[j][c % IC_WINDOW_LANES] = d->left_im[c][j];
        }
    }
    for (int i = 0; i < m->n_zeros; i++) {
        const int group = i / IC_WINDOW_LANES, lane = i % IC_WINDOW_LANES;
        for (int j = 0; j < m->columns; j++) size[j] = fabs(d->zero_left[i][j]) * scale[j];
        most->zero[i] = greatest(size, m->columns);
        for (int j = 0; j < m->columns; j++) {
            if (size[j] > NEGLIGIBLE * most->zero[i]) m->zero_left[group][j][lane] = d->zero_left[i][j];
        }
        for (int j = 0; j < m->n_zeros; j++) {
            m->first[j][group][lane] = d->first[i][j];
            m->second[j][group][lane] = d->second[i][j];
            m->coupled |= d->first[i][j] != 0 || d->second[i][j] != 0;
        }
    }
}

static void lay_out_right(const draft *d, const sizes *most, const double *scale)
{
    ic_window_table *m = d->m;
    for (int j = 0; j < m->columns; j++) {
        const int row = j / IC_WINDOW_LANES, lane = j % IC_WINDOW_LANES;
        for (int c = 0; c < m->n_terms; c++) {
            const double re = d->right_re[c][j], im = d->right_im[c][j];
            if (magnitude(re, im) * most->term[c] <= NEGLIGIBLE * scale[j]) continue;
            m->terms[c].right_re[row][lane] = re;
            m->terms[c].right_im[row][lane] = im;
        }
        for (int i = 0; i < m->n_zeros; i++) {
            if (fabs(d->zero_right[i][j]) * most->zero[i] > NEGLIGIBLE * scale[j])
                m->zero_right[i][row][lane] = d->zero_right[i][j];
        }
    }
}

static void lay_out_form(const draft *d, const sizes *most, ic_window_form *form)
{
    const ic_window_table *m = d->m;
    double re[IC_WINDOW_TERMS] = {0}, im[IC_WINDOW_TERMS] = {0}, size[IC_WINDOW_TERMS] = {0};
    for (int k = 0; k < form->columns.n; k++) {
        const int j = form->columns.at[k];
        for (int c = 0; c < m->n_terms; c++) {
            re[c] += form->row[j] * d->right_re[c][j];
            im[c] += form->row[j] * d->right_im[c][j];
        }
        for (int i = 0; i < m->n_zeros; i++)
            form->zero[i / IC_WINDOW_LANES][i % IC_WINDOW_LANES] += form->row[j] * d->zero_right[i][j];
    }
    for (int c = 0; c < m->n_terms; c++) size[c] = magnitude(re[c], im[c]) * most->term[c];
    for (int c = 0; c < m->n_terms; c++) {
        if (size[c] <= NEGLIGIBLE * greatest(size, m->n_terms)) continue;
        form->terms.at[form->terms.n++] = c;
        form->re[c / IC_WINDOW_LANES][c % IC_WINDOW_LANES] = re[c];
        form->im[c / IC_WINDOW_LANES][c % IC_WINDOW_LANES] = im[c];
    }
}

static int in_pairs(int n)
{
    return (n + IC_WINDOW_LANES - 1) / IC_WINDOW_LANES;
}

static void lay_out(const draft *d, const double *scale)
{
    ic_window_table *m = d->m;
    sizes most = {{0}, {0}};
    m->n_groups = in_pairs(m->n_terms);
    m->n_zero_groups = in_pairs(m->n_zeros);
    m->n_rows = in_pairs(m->columns);
    lay_out_left(d, &most, scale);
    lay_out_right(d, &most, scale);
    for (int f = 0; f < m->n_forms; f++) lay_out_form(d, &most, &m->forms[f]);
}

/* ---- the whole */

/* x rounded to half its digits. */
static double of_few_digits(double x)
{
    int exponent = 0;
    const double fraction = frexp(x, &exponent);
    return ldexp((float)fraction, exponent);
}

/* The fastest term that is in a form decides on the parts. Nodes k h are exact: h has few digits. */
static bool take_tables(ic_window_table *m, double time_scale)
{
    double fastest = 0;
    for (int f = 0; f < m->n_forms; f++) {
        for (int k = 0; k < m->forms[f].terms.n; k++) {
            const ic_complex lambda = m->terms[m->forms[f].terms.at[k]].lambda;
            fastest = fmax(fastest, hypot(lambda.re, lambda.im));
        }
    }
    m->h = of_few_digits(fastest > 0 ? REACH / fastest : time_scale / 4);
    m->frequency = 1 / m->h;
    for (int c = 0; c < m->n_terms; c++) {
        if (!tabulate(m, c)) return false;
    }
    return true;
}

static bool take(ic_window_table *m, const ic_spectrum *s, const ic_linear_view *view, const ic_mode *mode,
                 const double *scale, double time_scale)
{
    draft d = {.m = m};
    if (s->n > IC_WINDOW_STATES || mode->n_guards > IC_WINDOW_GUARDS) return false;
    m->columns = (int)s->columns;
    for (size_t k = 0; k < s->n_blocks; k++) {
        if (!take_block(&d, s, &s->blocks[k], scale)) return false;
    }
    take_guards(m, view, mode);
    lay_out(&d, scale);
    return take_tables(m, time_scale) && are_narrow(m, s);
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
