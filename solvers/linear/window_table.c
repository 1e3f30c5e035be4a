/* SPDX-License-Identifier: MIT */
#include "solvers/linear/window_table.h"

#include <math.h>
#include <stdlib.h>

/* h |lambda| of the fastest term that occurs in a form. */
#define REACH 0.4
/*
 * Numbers below this fraction of the greatest in their row, for states of the size of their scales,
 * are rounding errors of zero: the decomposition is made in long double.
 */
#define NEGLIGIBLE 0x1p-60
/*
 * Greatest distance of an eigenvalue from the centre of its block, times the length of a window;
 * the square of that if lambda = 0.
 */
#define MOST_SPREAD 0x1p-60
#define SPREAD_MOST_AT_ZERO 0x1p-28

/* h |lambda| may exceed REACH by rounding. */
#define SLACK 1e-6
/* A term that is faster than the parts by more than this power of 2 has no tables. */
enum { MOST_HALVINGS = 40 };
/* Terms of e^x - 1: 0.4^17/17! < 2^-64 0.4. */
enum { RISE_SERIES = 16 };

enum { MOST_ZERO_BLOCK = 3 };

/* A bound that replaces the modulus where only the magnitude matters. */
static double magnitude(double re, double im)
{
    return fabs(re) + fabs(im);
}

/* ---- coordinates that follow an exponential */

/* `most` is set to the moduli of the coordinates for states of the size of their scales. */
static void take_term(ic_window_table *m, const ic_spectrum *s, const ic_spectral_block *block,
                      const double *scale, double *most)
{
    const int c = m->n_terms++, lane = c % IC_WINDOW_LANES;
    ic_window_term *term = &m->terms[c];
    ic_window_group *group = &m->groups[c / IC_WINDOW_LANES];
    term->lambda = (ic_complex){block->centre.re, block->weight == 1 ? 0 : block->centre.im};
    for (size_t j = 0; j < s->columns; j++) {
        const ic_complex left = s->left[block->first * s->columns + j];
        const ic_complex right = s->right[j * s->columns + block->first];
        group->left_re[j][lane] = left.re;
        group->left_im[j][lane] = left.im;
        term->right_re[j / IC_WINDOW_LANES][j % IC_WINDOW_LANES] = block->weight * right.re;
        term->right_im[j / IC_WINDOW_LANES][j % IC_WINDOW_LANES] = block->weight * right.im;
        most[c] = fmax(most[c], magnitude(left.re, left.im) * scale[j]);
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

/*
 * Computes each node from the one before: e^{a + b} - 1 = A + B + A B, where A and B are the values
 * of e^x - 1. Errors in long double stay below rounding.
 */
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

static bool tabulate_column(ic_window_table *m, int c)
{
    ic_window_term *term = &m->terms[c];
    ic_window_group *group = &m->groups[c / IC_WINDOW_LANES];
    const int lane = c % IC_WINDOW_LANES;
    const ic_complex lambda = term->lambda;
    const double modulus = hypot(lambda.re, lambda.im);
    while (ldexp(modulus, -term->halvings) * m->h > REACH * (1 + SLACK)) {
        if (++term->halvings > MOST_HALVINGS) return false;
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

/*
 * Re(V N^power W)/power! of a block, which is real in any basis. N^3 = 0 for at most three
 * coordinates, up to the squares of the rounding errors of the eigenvalues.
 */
static void add_drift(ic_window_table *m, const ic_spectrum *s, const ic_spectral_block *block,
                      const double *scale, int power)
{
    const size_t columns = s->columns;
    long double r[IC_WINDOW_COLUMNS][IC_WINDOW_COLUMNS], most = 0;
    for (size_t j = 0; j < columns; j++) {
        ic_complex y[MOST_ZERO_BLOCK] = {{0, 0}};
        for (size_t i = 0; i < block->size; i++) y[i] = s->left[(block->first + i) * columns + j];
        for (int k = 1; k <= power; k++) ic_spectral_block_apply(block, (ic_complex){0, 0}, 1.0 / k, y, NULL);
        for (size_t i = 0; i < columns; i++) {
            r[i][j] = 0;
            for (size_t c = 0; c < block->size; c++) {
                const ic_complex v = s->right[i * columns + block->first + c];
                r[i][j] += (long double)v.re * y[c].re - (long double)v.im * y[c].im;
            }
            const long double size = fabsl(r[i][j]) * scale[j] / scale[i];
            if (size > most) most = size;
        }
    }
    for (size_t i = 0; i < columns; i++) {
        for (size_t j = 0; j < columns; j++) {
            if (fabsl(r[i][j]) * scale[j] / scale[i] <= NEGLIGIBLE * most) continue;
            m->drift[power - 1][j][i / IC_WINDOW_LANES][i % IC_WINDOW_LANES] += (double)r[i][j];
        }
    }
}

static bool take_block(ic_window_table *m, const ic_spectrum *s, const ic_spectral_block *block,
                       const double *scale, double *most)
{
    if (block->centre.re == 0 && block->centre.im == 0) {
        if (block->size > MOST_ZERO_BLOCK) return false;
        for (int power = 1; power < (int)block->size; power++) add_drift(m, s, block, scale, power);
        return true;
    }
    if (block->size > 1 || m->n_terms == IC_WINDOW_TERMS) return false;
    take_term(m, s, block, scale, most);
    return true;
}

/* Whether the eigenvalues of each block can be treated as equal over a window. */
static bool are_narrow(const ic_window_table *m, const ic_spectrum *s)
{
    for (size_t k = 0; k < s->n_blocks; k++) {
        const ic_spectral_block *block = &s->blocks[k];
        const bool zero = block->centre.re == 0 && block->centre.im == 0;
        if (block->spread * IC_WINDOW_PARTS * m->h > (zero ? SPREAD_MOST_AT_ZERO : MOST_SPREAD)) return false;
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

/*
 * Marks the terms that occur in a form. A term that is a rounding error of zero must not slow the
 * search.
 */
static void take_terms(const ic_window_table *m, const double *most, ic_window_form *form)
{
    double re[IC_WINDOW_TERMS] = {0}, im[IC_WINDOW_TERMS] = {0}, size[IC_WINDOW_TERMS] = {0}, greatest = 0;
    for (int c = 0; c < m->n_terms; c++) {
        for (int k = 0; k < form->columns.n; k++) {
            const int j = form->columns.at[k], row = j / IC_WINDOW_LANES, lane = j % IC_WINDOW_LANES;
            re[c] += form->row[j] * m->terms[c].right_re[row][lane];
            im[c] += form->row[j] * m->terms[c].right_im[row][lane];
        }
        size[c] = magnitude(re[c], im[c]) * most[c];
        greatest = fmax(greatest, size[c]);
    }
    for (int c = 0; c < m->n_terms; c++) {
        if (size[c] <= NEGLIGIBLE * greatest) continue;
        form->terms.at[form->terms.n++] = c;
        form->re[c / IC_WINDOW_LANES][c % IC_WINDOW_LANES] = re[c];
        form->im[c / IC_WINDOW_LANES][c % IC_WINDOW_LANES] = im[c];
    }
}

static int in_pairs(int n)
{
    return (n + IC_WINDOW_LANES - 1) / IC_WINDOW_LANES;
}

/* ---- the whole */

/* x rounded to half its digits. */
static double of_few_digits(double x)
{
    int exponent = 0;
    const double fraction = frexp(x, &exponent);
    return ldexp((float)fraction, exponent);
}

/*
 * Chooses the length of the parts from the fastest term that occurs in a form. Nodes k h are exact,
 * because h has few digits.
 */
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
        if (!tabulate_column(m, c)) return false;
    }
    return true;
}

static bool compute_tables(ic_window_table *m, const ic_spectrum *s, const ic_linear_view *view,
                           const ic_mode *mode, const double *scale, double time_scale)
{
    double most[IC_WINDOW_TERMS] = {0};
    if (s->n > IC_WINDOW_STATES || mode->n_guards > IC_WINDOW_GUARDS) return false;
    m->columns = (int)s->columns;
    for (size_t k = 0; k < s->n_blocks; k++) {
        if (!take_block(m, s, &s->blocks[k], scale, most)) return false;
    }
    take_guards(m, view, mode);
    for (int f = 0; f < m->n_forms; f++) take_terms(m, most, &m->forms[f]);
    m->n_groups = in_pairs(m->n_terms);
    m->n_rows = in_pairs(m->columns);
    for (int j = 0; j < m->columns; j++) {
        bool moves = false;
        for (int i = 0; i < m->columns; i++) {
            const int row = i / IC_WINDOW_LANES, lane = i % IC_WINDOW_LANES;
            if (m->drift[0][j][row][lane] == 0 && m->drift[1][j][row][lane] == 0) continue;
            moves = true;
            if (row >= m->moving_rows) m->moving_rows = row + 1;
        }
        if (moves) m->moving.at[m->moving.n++] = j;
    }
    return take_tables(m, time_scale) && are_narrow(m, s);
}

ic_window_table *ic_window_table_new(const ic_spectrum *spectrum, const ic_linear_view *view,
                                     const ic_mode *mode, const double *scale, double time_scale,
                                     ic_status *status)
{
    ic_window_table *table = calloc(1, sizeof *table);
    *status = table == NULL ? IC_NO_MEMORY : IC_OK;
    if (table == NULL || compute_tables(table, spectrum, view, mode, scale, time_scale)) return table;
    *status = IC_UNSUPPORTED;
    free(table);
    return NULL;
}
