/* SPDX-License-Identifier: MIT */
#include "solvers/linear/spectrum.h"
#include "solvers/linear/schur.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef long double complex number;

/* A greater multiplier, in scaled states, would lose more than four bits by cancellation: clusters
   are joined instead. */
#define LARGEST_MULTIPLIER 16.0L
/*
 * Eigenvalues are joined only if they differ by less than this number divided by the typical time,
 * or by less than this fraction of their modulus. For larger differences the series in N would cost
 * more than the cancellation.
 */
#define JOIN_TIME 0.25L
#define JOIN_PART 0.125L
/* QR iterations for one eigenvalue; two or three are usual. */
enum { MOST_ITERATIONS = 90, EXCEPTIONAL = 15 };
/* An imaginary part below this fraction of the modulus is a rounding error. */
#define REAL_PART 1e-12L
/*
 * An imaginary part below this fraction of the norm of the matrix may be a rounding error: equal eigenvalues
 * with a coupling that is not joined are apart by up to about 4 LARGEST_MULTIPLIER^2 2^-63 < 2^-52.
 */
#define DOUBTFUL_PART 0x1p-46L

typedef struct work {
    /* orders of A and M */
    size_t n, order;

    /* order x order */
    number *schur;

    /* order x order, unitary: columns are Schur vectors */
    number *basis;

    /* after elimination: blocks, V and W in scaled states */
    number *t, *v, *w;

    number *multipliers;
    size_t *cluster, *partner;

    /* of A */
    long double norm;
} work;

static bool open_work(work *m, size_t n, size_t order)
{
    const size_t square = order * order;
    m->n = n;
    m->order = order;
    m->schur = calloc(6 * square, sizeof *m->schur);
    m->cluster = calloc(2 * order, sizeof *m->cluster);
    if (m->schur == NULL || m->cluster == NULL) return false;
    m->basis = m->schur + square;
    m->t = m->schur + 2 * square;
    m->v = m->schur + 3 * square;
    m->w = m->schur + 4 * square;
    m->multipliers = m->schur + 5 * square;
    m->partner = m->cluster + order;
    return true;
}

/*
 * The products as written; C's operator also handles infinities, which takes longer than the
 * product.
 */
static inline number multiply_numbers(number a, number b)
{
    return __builtin_complex(creall(a) * creall(b) - cimagl(a) * cimagl(b),
                             creall(a) * cimagl(b) + cimagl(a) * creall(b));
}

static inline number scale_number(long double a, number b)
{
    return __builtin_complex(a * creall(b), a * cimagl(b));
}

static inline long double norm_square(number z)
{
    return creall(z) * creall(z) + cimagl(z) * cimagl(z);
}

/*
 * Modulus and root by sqrtl alone: the library's hypotl and csqrtl need all bits of a long double,
 * and return NaN where it is emulated with fewer (valgrind).
 */
static long double modulus(number z)
{
    return sqrtl(norm_square(z));
}

static number square_root(number z)
{
    const long double larger = sqrtl(0.5L * (modulus(z) + fabsl(creall(z))));
    const long double smaller = larger > 0 ? 0.5L * fabsl(cimagl(z)) / larger : 0;
    const long double sign = cimagl(z) < 0 ? -1 : 1;
    return creall(z) < 0 ? smaller + sign * larger * I : larger + sign * smaller * I;
}

/* ---- unitary similarity: [x y] -> [r 0] */

typedef struct rotation {
    /* |x|/|(x, y)| */
    long double c;

    /* y/|(x, y)| over the sign of x */
    number s;
} rotation;

static rotation rotation_onto(number x, number y)
{
    const long double xx = norm_square(x), yy = norm_square(y);
    if (yy == 0) return (rotation){1, 0};
    if (xx == 0) return (rotation){0, scale_number(1 / sqrtl(yy), y)};
    const long double size = sqrtl(xx), r = sqrtl(xx + yy);
    return (rotation){size / r, scale_number(1 / (size * r), multiply_numbers(y, conjl(x)))};
}

static void rotate_rows(number *a, size_t order, size_t k, size_t from, size_t to, rotation g)
{
    number *upper = a + k * order, *lower = upper + order;
    if (g.s == 0) return; /* the identity */
    for (size_t j = from; j < to; j++) {
        const number x = upper[j], y = lower[j];
        upper[j] = scale_number(g.c, x) + multiply_numbers(conjl(g.s), y);
        lower[j] = scale_number(g.c, y) - multiply_numbers(g.s, x);
    }
}

static void rotate_columns(number *a, size_t order, size_t k, size_t rows, rotation g)
{
    if (g.s == 0) return;
    for (size_t i = 0; i < rows; i++) {
        number *at = a + i * order + k;
        const number x = at[0], y = at[1];
        at[0] = scale_number(g.c, x) + multiply_numbers(g.s, y);
        at[1] = scale_number(g.c, y) - multiply_numbers(conjl(g.s), x);
    }
}

static bool subdiagonal_is_negligible(const work *m, size_t i)
{
    const number *t = m->schur + i * m->order + i;
    const long double subdiagonal = modulus(t[-1]);
    long double size = modulus(t[0]) + modulus(*(t - m->order - 1));
    if (size == 0) size = m->norm;
    return size + subdiagonal == size;
}

/* An eigenvalue of the 2 x 2 block that ends at `high`, less its last element: the farther one. */
static number far_root(const work *m, size_t high)
{
    const number *d = m->schur + high * m->order + high, *b = d - m->order;
    const number half = 0.5L * (b[-1] - d[0]);
    const number root = square_root(multiply_numbers(half, half) + multiply_numbers(b[0], d[-1]));
    const number p = half + root, q = half - root;
    return norm_square(p) > norm_square(q) ? p : q;
}

/* Wilkinson's shift: the eigenvalue of the trailing 2 x 2 block closer to its last element. */
static number wilkinson_shift(const work *m, size_t high, int iteration)
{
    const number *d = m->schur + high * m->order + high, *b = d - m->order;
    if (iteration % EXCEPTIONAL == 0) return d[0] + modulus(d[-1]);
    const number larger = far_root(m, high);
    return larger == 0 ? d[0] : d[0] - b[0] * d[-1] / larger;
}

/* Makes a block of order 2 triangular: its first Schur vector becomes an eigenvector. */
static void split_block(work *m, size_t k)
{
    const rotation g = rotation_onto(far_root(m, k + 1), m->schur[(k + 1) * m->order + k]);
    rotate_rows(m->schur, m->order, k, k, m->n, g);
    rotate_columns(m->schur, m->order, k, k + 2, g);
    rotate_columns(m->basis, m->order, k, m->n, g);
    m->schur[(k + 1) * m->order + k] = 0;
}

static void take_qr_step(work *m, size_t low, size_t high, number shift)
{
    rotation g[IC_MAX_STATES];
    for (size_t k = low; k <= high; k++) m->schur[k * m->order + k] -= shift;
    for (size_t k = low; k < high; k++) {
        g[k] = rotation_onto(m->schur[k * m->order + k], m->schur[(k + 1) * m->order + k]);
        rotate_rows(m->schur, m->order, k, k, m->n, g[k]);
        m->schur[(k + 1) * m->order + k] = 0;
    }
    for (size_t k = low; k < high; k++) {
        rotate_columns(m->schur, m->order, k, k + 2, g[k]);
        rotate_columns(m->basis, m->order, k, m->n, g[k]);
    }
    for (size_t k = low; k <= high; k++) m->schur[k * m->order + k] += shift;
}

/* A in scaled states, in real numbers triangular but for blocks on its diagonal. */
static bool load_system(work *m, const ic_linear_view *view, const double *scale)
{
    const size_t n = m->n, order = m->order;
    /* in memory that is not in use yet */
    long double *a = (long double *)m->t, *basis = (long double *)m->v;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            a[i * n + j] = (long double)view->a[i * n + j] * scale[j] / scale[i];
            m->norm += fabsl(a[i * n + j]);
        }
        basis[i * n + i] = 1;
    }
    if (!isfinite(m->norm)) return false;
    ic_real_schur(a, basis, n, m->norm);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            m->schur[i * order + j] = a[i * n + j];
            m->basis[i * order + j] = basis[i * n + j];
        }
    }
    for (size_t i = n; i < order; i++) m->basis[i * order + i] = 1;
    return true;
}

/* Splits the blocks that are left. */
static bool reduce_to_schur(work *m)
{
    int iteration = 0;
    for (size_t high = m->n - 1; high > 0;) {
        size_t low = high;
        while (low > 0 && !subdiagonal_is_negligible(m, low)) low--;
        if (low > 0) m->schur[low * m->order + low - 1] = 0;
        if (high - low == 1) split_block(m, low);
        if (high - low <= 1) {
            high = low > 0 ? low - 1 : 0;
            iteration = 0;
            continue;
        }
        if (++iteration > MOST_ITERATIONS) return false;
        take_qr_step(m, low, high, wilkinson_shift(m, high, iteration));
    }
    return true;
}

/* ---- the forced and constant part: columns for 1, exp(iwt), exp(-iwt) */

/* The rows below A, for 1 and exp(+-iwt), are diagonal, so the matrix remains triangular. */
static void append_forcing(work *m, const ic_linear_view *view, const double *scale)
{
    const bool forced = m->order > m->n + 1;
    for (size_t k = 0; k < m->n; k++) {
        const long double constant = view->b[k] / (long double)scale[k];
        const long double cosine = 0.5L * view->cosine[k] / scale[k], sine = 0.5L * view->sine[k] / scale[k];
        if (constant == 0 && cosine == 0 && sine == 0) continue;
        for (size_t i = 0; i < m->n; i++) {
            const number q = conjl(m->basis[k * m->order + i]);
            number *row = m->schur + i * m->order + m->n;
            row[0] += scale_number(constant, q);
            if (!forced) continue;
            row[1] += multiply_numbers(q, __builtin_complex(cosine, -sine));
            row[2] += multiply_numbers(q, __builtin_complex(cosine, sine));
        }
    }
    if (!forced) return;
    m->schur[(m->n + 1) * (m->order + 1)] = (long double)view->frequency * I;
    m->schur[(m->n + 2) * (m->order + 1)] = -(long double)view->frequency * I;
}

/* ---- clusters, symmetric under conjugation */

static number eigenvalue(const work *m, size_t i)
{
    return m->schur[i * m->order + i];
}

/*
 * The side of the real axis on which an eigenvalue lies: -1 or +1; 0 if it is real, or may be. Equal eigenvalues
 * have any basis of their space for eigenvectors; those of a real one that rounding moves off the axis are
 * therefore no conjugates, even if two of the eigenvalues are.
 */
static int side_of_axis(const work *m, size_t i)
{
    const long double part = cimagl(eigenvalue(m, i));
    const long double least = fmaxl(REAL_PART * modulus(eigenvalue(m, i)), DOUBTFUL_PART * m->norm);
    if (i >= m->n) return (part > 0) - (part < 0);
    return fabsl(part) <= least ? 0 : part > 0 ? 1 : -1;
}

/* Each eigenvalue's conjugate, which is itself if it lies on the axis. */
static void find_partners(work *m)
{
    for (size_t i = 0; i < m->order; i++) m->partner[i] = m->order;
    if (m->order > m->n + 1) m->partner[m->n + 1] = m->n + 2, m->partner[m->n + 2] = m->n + 1;
    m->partner[m->n] = m->n;
    for (size_t i = 0; i < m->n; i++) {
        const int side = side_of_axis(m, i);
        if (m->partner[i] < m->order) continue;
        size_t best = i;
        long double least = INFINITY;
        for (size_t j = i + 1; j < m->n && side != 0; j++) {
            const long double distance = modulus(eigenvalue(m, j) - conjl(eigenvalue(m, i)));
            if (m->partner[j] == m->order && side_of_axis(m, j) == -side && distance < least)
                best = j, least = distance;
        }
        m->partner[i] = best;
        m->partner[best] = i;
    }
}

static void merge_clusters(work *m, size_t a, size_t b)
{
    const size_t from = m->cluster[b], to = m->cluster[a];
    for (size_t i = 0; i < m->order; i++) {
        if (m->cluster[i] == from) m->cluster[i] = to;
    }
}

/*
 * Joins two clusters, then their conjugates, until nothing changes. A cluster on both sides of the axis is joined
 * with its conjugate: the two may be different halves of equal eigenvalues.
 */
static void join_clusters(work *m, size_t a, size_t b)
{
    merge_clusters(m, a, b);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < m->order; i++) {
            for (size_t j = 0; j < i; j++) {
                const size_t p = m->partner[i], q = m->partner[j];
                if (m->cluster[i] != m->cluster[j]) continue;
                const bool joined = m->cluster[p] == m->cluster[q];
                const bool crosses = side_of_axis(m, i) != side_of_axis(m, j);
                if (joined && (!crosses || m->cluster[p] == m->cluster[i])) continue;
                merge_clusters(m, p, joined ? i : q);
                changed = true;
            }
        }
    }
}

/* Joins eigenvalues that may be real with those that they may be equal to: their part off the axis is kept in N. */
static void join_doubtful(work *m)
{
    const long double near = 4 * DOUBTFUL_PART * m->norm;
    for (size_t i = 0; i < m->n; i++) {
        const number lambda = eigenvalue(m, i);
        if (side_of_axis(m, i) != 0 || fabsl(cimagl(lambda)) <= REAL_PART * modulus(lambda)) continue;
        for (size_t j = 0; j <= m->n; j++) {
            if (m->cluster[j] != m->cluster[i] && modulus(eigenvalue(m, j) - lambda) <= near)
                join_clusters(m, i, j);
        }
    }
}

static bool may_join(number a, number b, long double time_scale)
{
    const long double distance = modulus(a - b);
    return distance * time_scale <= JOIN_TIME || distance <= JOIN_PART * fmaxl(modulus(a), modulus(b));
}

/* Subtracts x times row j of T from row i, and adds x times column i to column j: a similarity. */
static void eliminate_coupling(work *m, size_t i, size_t j, number x)
{
    const size_t order = m->order;
    for (size_t l = j; l < order; l++) m->t[i * order + l] -= multiply_numbers(x, m->t[j * order + l]);
    for (size_t l = 0; l <= i; l++) m->t[l * order + j] += multiply_numbers(x, m->t[l * order + i]);
    m->t[i * order + j] = 0;
    m->multipliers[i * order + j] = x;
}

/* One pass of elimination; false: two clusters were joined, so it must be repeated. */
static bool eliminate_couplings(work *m, long double time_scale)
{
    const size_t order = m->order;
    memcpy(m->t, m->schur, order * order * sizeof *m->t);
    memset(m->multipliers, 0, order * order * sizeof *m->multipliers);
    for (size_t j = 1; j < order; j++) {
        for (size_t i = j; i-- > 0;) {
            const number coupling = m->t[i * order + j];
            const number difference = m->t[j * order + j] - m->t[i * order + i];
            if (m->cluster[i] == m->cluster[j] || coupling == 0) continue;
            const bool large = modulus(coupling) > LARGEST_MULTIPLIER * modulus(difference);
            if (large && may_join(eigenvalue(m, i), eigenvalue(m, j), time_scale)) {
                join_clusters(m, i, j);
                return false;
            }
            const number part = multiply_numbers(coupling, conjl(difference));
            eliminate_coupling(m, i, j, scale_number(1 / norm_square(difference), part));
        }
    }
    return true;
}

/* Applies the eliminations of T, in their order, to V and W. */
static void compute_bases(work *m)
{
    const size_t order = m->order;
    memcpy(m->v, m->basis, order * order * sizeof *m->v);
    for (size_t i = 0; i < order * order; i++) m->w[i] = conjl(m->basis[i % order * order + i / order]);
    for (size_t j = 1; j < order; j++) {
        for (size_t i = j; i-- > 0;) {
            const number x = m->multipliers[i * order + j];
            if (x == 0) continue;
            /* rows for 1 and exp(+-iwt) are not coupled; rows of W within A have no such columns yet */
            for (size_t l = 0; l < m->n; l++) m->v[l * order + j] += multiply_numbers(x, m->v[l * order + i]);
            const size_t from = j < m->n ? 0 : j, to = j < m->n ? m->n : j + 1;
            for (size_t l = from; l < to; l++) m->w[i * order + l] -= multiply_numbers(x, m->w[j * order + l]);
        }
    }
}

/* ---- the result in double precision */

static bool cluster_contains(const work *m, size_t cluster, size_t i)
{
    return i < m->order && m->cluster[i] == cluster;
}

/* The mean eigenvalue; that of the constant or the forcing is known exactly. */
static number cluster_centre(const work *m, size_t cluster, bool real)
{
    number sum = 0;
    long double count = 0;
    if (cluster_contains(m, cluster, m->n)) return 0;
    if (!real && cluster_contains(m, cluster, m->n + 1)) return eigenvalue(m, m->n + 1);
    if (!real && cluster_contains(m, cluster, m->n + 2)) return eigenvalue(m, m->n + 2);
    for (size_t i = 0; i < m->order; i++) {
        if (m->cluster[i] == cluster) sum += eigenvalue(m, i), count++;
    }
    return real ? creall(sum) / count : sum / count;
}

static ic_complex round_number(number x)
{
    return (ic_complex){(double)creall(x), (double)cimagl(x)};
}

static void compute_coupling(ic_spectral_block *block, ic_complex *coupling, const work *m,
                             const size_t *members)
{
    const number centre = block->centre.re + (long double)block->centre.im * I;
    block->coupling = coupling;
    for (size_t i = 0; i < block->size; i++) {
        for (size_t j = i; j < block->size; j++) {
            const number t = m->t[members[i] * m->order + members[j]];
            coupling[i * block->size + j] = round_number(i == j ? t - centre : t);
        }
        block->spread = fmax(block->spread, (double)modulus(eigenvalue(m, members[i]) - centre));
    }
    if (block->size == 1) coupling[0] = (ic_complex){0, 0}, block->spread = 0;
}

/* Appends row i of W and column i of V, converted to unscaled states and to cos and sin instead of
   exp(+-iwt). */
static void append_vectors(ic_spectrum *spectrum, const work *m, size_t i, const double *scale)
{
    const size_t n = m->n, order = m->order;
    const number *row = m->w + i * order, *column = m->v + i;
    ic_complex *left = spectrum->left + spectrum->total * order, *right = spectrum->right + spectrum->total;
    const size_t stride = order;
    for (size_t k = 0; k < n; k++) {
        left[k] = round_number(row[k] / scale[k]);
        right[k * stride] = round_number(column[k * order] * scale[k]);
    }
    left[n] = round_number(row[n]);
    right[n * stride] = round_number(column[n * order]);
    if (order > n + 1) {
        const number plus = column[(n + 1) * order], minus = column[(n + 2) * order];
        left[n + 1] = round_number(row[n + 1] + row[n + 2]);
        left[n + 2] = round_number((row[n + 1] - row[n + 2]) * I);
        right[(n + 1) * stride] = round_number(0.5L * (plus + minus));
        right[(n + 2) * stride] = round_number(-0.5L * I * (plus - minus));
    }
    spectrum->total++;
}

static void append_cluster(ic_spectrum *spectrum, const work *m, size_t cluster, const double *scale)
{
    size_t members[IC_MAX_STATES + 3] = {0}, size = 0;
    for (size_t i = 0; i < m->order; i++) {
        if (m->cluster[i] == cluster) members[size++] = i;
    }
    if (size == 0) return;
    const bool real = m->cluster[m->partner[members[0]]] == cluster;
    const number centre = cluster_centre(m, cluster, real);
    if (!real && cimagl(centre) < 0) return; /* represented by its conjugate */
    ic_spectral_block *block = &spectrum->blocks[spectrum->n_blocks++];
    *block = (ic_spectral_block){
        .centre = round_number(centre), .weight = real ? 1 : 2, .first = spectrum->total, .size = size};
    compute_coupling(block, spectrum->couplings + spectrum->total * m->order, m, members);
    for (size_t i = 0; i < size; i++) append_vectors(spectrum, m, members[i], scale);
    spectrum->fastest = fmax(spectrum->fastest, hypot(block->centre.re, block->centre.im) + block->spread);
}

static bool reserve_spectrum(ic_spectrum *spectrum)
{
    const size_t order = spectrum->columns;
    spectrum->blocks = calloc(order, sizeof *spectrum->blocks);
    spectrum->left = calloc(3 * order * order, sizeof *spectrum->left);
    if (spectrum->blocks == NULL || spectrum->left == NULL) return false;
    spectrum->right = spectrum->left + order * order;
    spectrum->couplings = spectrum->left + 2 * order * order;
    return true;
}

static ic_status decompose_matrix(ic_spectrum *spectrum, work *m, const ic_linear_view *view,
                                  const double *scale, double time_scale)
{
    if (!load_system(m, view, scale) || !reduce_to_schur(m)) return IC_NOT_FINITE;
    append_forcing(m, view, scale);
    find_partners(m);
    for (size_t i = 0; i < m->order; i++) m->cluster[i] = i;
    join_doubtful(m);
    bool decoupled = false;
    while (!decoupled) decoupled = eliminate_couplings(m, time_scale);
    compute_bases(m);
    long double size = 0;
    for (size_t i = 0; i < m->order * m->order; i++) size += norm_square(m->v[i]) + norm_square(m->w[i]);
    if (!isfinite(size)) return IC_NOT_FINITE;
    for (size_t i = 0; i < m->order; i++) append_cluster(spectrum, m, i, scale);
    return IC_OK;
}

ic_status ic_spectrum_open(ic_spectrum *spectrum, const ic_linear_view *view, const double *scale,
                           double time_scale)
{
    work m = {0};
    const size_t order = view->n + (view->frequency != 0 ? 3 : 1);
    ic_status status = IC_NO_MEMORY;
    *spectrum = (ic_spectrum){.n = view->n, .columns = order};
    if (open_work(&m, view->n, order) && reserve_spectrum(spectrum)) {
        status = decompose_matrix(spectrum, &m, view, scale, time_scale);
    }
    free(m.schur);
    free(m.cluster);
    if (status != IC_OK) ic_spectrum_close(spectrum);
    return status;
}

void ic_spectrum_close(ic_spectrum *spectrum)
{
    free(spectrum->blocks);
    free(spectrum->left);
    *spectrum = (ic_spectrum){0};
}

void ic_spectral_block_apply(const ic_spectral_block *block, ic_complex lambda, double factor, ic_complex *y,
                             double *sizes)
{
    const double speed = sizes != NULL ? sqrt(lambda.re * lambda.re + lambda.im * lambda.im) : 0;
    for (size_t i = 0; i < block->size; i++) { /* upper triangular: row i needs y from i on only */
        ic_complex sum = {lambda.re * y[i].re - lambda.im * y[i].im, lambda.re * y[i].im + lambda.im * y[i].re};
        double moduli = sizes != NULL ? speed * sizes[i] : 0;
        for (size_t l = i; l < block->size && block->size > 1; l++) {
            const ic_complex c = block->coupling[i * block->size + l];
            if (c.re == 0 && c.im == 0) continue;
            sum.re += c.re * y[l].re - c.im * y[l].im;
            sum.im += c.re * y[l].im + c.im * y[l].re;
            if (sizes != NULL) moduli += (fabs(c.re) + fabs(c.im)) * sizes[l];
        }
        y[i] = (ic_complex){factor * sum.re, factor * sum.im};
        if (sizes != NULL) sizes[i] = factor * moduli;
    }
}
