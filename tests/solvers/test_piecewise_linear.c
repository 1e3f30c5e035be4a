/* SPDX-License-Identifier: MIT */
/**
 * The analytic solver: its closed form against the exponential of the augmented matrix by scaling
 * and squaring in long double, and its search for crossings against functions with known crossings
 * and against dense scans. Each check rejects a planted wrong answer.
 */
#include "core/random.h"
#include "solvers/linear/polynomial_crossings.h"
#include "solvers/linear/schur.h"
#include "tests/tests.h"

#include <complex.h>
#include <float.h>

IC_SUITE(solvers, "piecewise_linear")

/* ---- numbers at random */

static uint64_t seed;

/* Uniform in [-1, 1). */
static double draw_number(void)
{
    return 2 * ic_uniform(&seed, 0, 1) - 1;
}

/* ---- a case made of a matrix: five states, no event */

enum { N = 5, TEXT = 2048, AUGMENTED = N + 3 };

typedef struct field {
    double a[N][N], b[N], cosine[N], sine[N], frequency, x[N];
} field;

static char texts[N][TEXT];
static const char *rows[N];
static const field *present;

static int start_matrix(double *x, double t, const double *x_pre, const double *par)
{
    (void)t, (void)x_pre, (void)par;
    memcpy(x, present->x, sizeof present->x);
    return 0;
}

static const ic_state matrix_states[N] = {
    {"x1", "1", "", "1"}, {"x2", "1", "", "1"}, {"x3", "1", "", "1"},
    {"x4", "1", "", "1"}, {"x5", "1", "", "1"},
};
static const ic_branch matrix_start[] = {{.mode = 0}};
static const ic_mode matrix_modes[] = {{.name = "matrix", .linear = rows}};
static const ic_variant matrix_variant = {
    .name = "matrix",
    .modes = matrix_modes,
    .n_modes = 1,
    .start = {.apply = start_matrix, .branches = matrix_start, .n_branches = 1},
};
static const ic_case matrix_case = {
    IC_ABI(ic_case), .name = "matrix",  .states = matrix_states, .n_states = N, .variants = &matrix_variant,
    .n_variants = 1, .time_scale = "1",
};

static void write_texts(const field *f)
{
    for (int i = 0; i < N; i++) {
        int at = snprintf(texts[i], TEXT, "(%.17g)", f->b[i]);
        for (int j = 0; j < N; j++) {
            at += snprintf(texts[i] + at, (size_t)(TEXT - at), " + (%.17g)*x%d", f->a[i][j], j + 1);
        }
        if (f->frequency == 0) continue;
        snprintf(texts[i] + at, (size_t)(TEXT - at), " + (%.17g)*cos((%.17g)*t) + (%.17g)*sin((%.17g)*t)",
                 f->cosine[i], f->frequency, f->sine[i], f->frequency);
    }
    for (int i = 0; i < N; i++) rows[i] = texts[i];
    present = f;
}

static ic_status solve_field(const field *f, double t_start, double t_end, double x[N])
{
    const ic_problem problem = {
        .system = &matrix_case, .variant = &matrix_variant, .t_start = t_start, .t_end = t_end};
    const ic_options options = {0};
    IC_OWN(ic_log) *log = ic_log_new(&problem);
    write_texts(f);
    const ic_status status = ic_solver_find("piecewise_linear")->solve(log, &problem, &options);
    if (status == IC_OK) memcpy(x, ic_log_end(log).x, N * sizeof *x);
    return status;
}

/* ---- the reference: e^{M h} by Taylor's series at h/2^k, squared k times, in long double */

typedef long double matrix[AUGMENTED][AUGMENTED];

static void multiply(matrix c, matrix a, matrix b)
{
    matrix product;
    for (int i = 0; i < AUGMENTED; i++) {
        for (int j = 0; j < AUGMENTED; j++) {
            product[i][j] = 0;
            for (int k = 0; k < AUGMENTED; k++) product[i][j] += a[i][k] * b[k][j];
        }
    }
    memcpy(c, product, sizeof product);
}

static void augmented_matrix(const field *f, long double h, matrix m)
{
    memset(m, 0, sizeof(matrix));
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) m[i][j] = h * f->a[i][j];
        m[i][N] = h * f->b[i];
        m[i][N + 1] = h * f->cosine[i];
        m[i][N + 2] = h * f->sine[i];
    }
    m[N + 1][N + 2] = -h * f->frequency;
    m[N + 2][N + 1] = h * f->frequency;
}

static void matrix_exponential(matrix m)
{
    matrix power, sum;
    long double norm = 0;
    int squarings = 0;
    for (int i = 0; i < AUGMENTED; i++) {
        for (int j = 0; j < AUGMENTED; j++) norm += fabsl(m[i][j]);
    }
    while (norm > 0.25L) norm /= 2, squarings++;
    memset(sum, 0, sizeof sum);
    for (int i = 0; i < AUGMENTED; i++) {
        sum[i][i] = 1;
        for (int j = 0; j < AUGMENTED; j++) m[i][j] = ldexpl(m[i][j], -squarings);
    }
    memcpy(power, sum, sizeof power);
    for (int n = 1; n < 24; n++) {
        multiply(power, power, m);
        for (int i = 0; i < AUGMENTED; i++) {
            for (int j = 0; j < AUGMENTED; j++) {
                power[i][j] /= n;
                sum[i][j] += power[i][j];
            }
        }
    }
    while (squarings-- > 0) multiply(sum, sum, sum);
    memcpy(m, sum, sizeof sum);
}

/* Difference from the reference relative to the greatest term of any component of the state. */
static double closed_form_error(const field *f, double t_start, double t_end, const double x[N])
{
    matrix m;
    long double z[AUGMENTED] = {0}, worst = 0, size = 0;
    for (int j = 0; j < N; j++) z[j] = f->x[j];
    z[N] = 1;
    z[N + 1] = cosl((long double)f->frequency * t_start);
    z[N + 2] = sinl((long double)f->frequency * t_start);
    augmented_matrix(f, (long double)t_end - t_start, m);
    matrix_exponential(m);
    for (int i = 0; i < N; i++) {
        long double sum = 0, moduli = 0;
        for (int j = 0; j < AUGMENTED; j++) {
            sum += m[i][j] * z[j];
            moduli += fabsl(m[i][j] * z[j]);
        }
        worst = fmaxl(worst, fabsl(sum - x[i]));
        size = fmaxl(size, moduli);
    }
    return (double)(worst / size);
}

/* The state is rounded to unit roundoff; a matrix of norm |A| given with roundoff u changes e^{A h}
   by |A| h u, times its condition where A is not normal; the similar matrices below are
   ill-conditioned by up to some hundred. */
static double closed_form_tolerance(const field *f, double h)
{
    double norm = f->frequency;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) norm = fmax(norm, fabs(f->a[i][j]));
    }
    return 400 * DBL_EPSILON * (1 + norm * h);
}

/* The matrix with rows and columns of `jordan` mixed by S = I + (strictly upper) and its transpose:
   S J S^-1. */
static void transform_matrix(double jordan[N][N], double a[N][N])
{
    memcpy(a, jordan, sizeof(double[N][N]));
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            /* powers of two: the transformed matrix is exact, so that defective blocks stay
               defective */
            const double factor = i == j ? 0 : rint(2 * draw_number()) * 0.5;
            for (int k = 0; k < N; k++) a[i][k] += factor * a[j][k];
            for (int k = 0; k < N; k++) a[k][j] -= factor * a[k][i];
        }
    }
}

static void fill_forcing(field *f, double frequency)
{
    f->frequency = frequency;
    for (int i = 0; i < N; i++) {
        f->b[i] = draw_number();
        f->x[i] = draw_number();
        f->cosine[i] = frequency != 0 ? draw_number() : 0;
        f->sine[i] = frequency != 0 ? draw_number() : 0;
    }
}

static void check_field(const field *f, double t_start, double h)
{
    double x[N] = {0};
    CU_ASSERT_EQUAL_FATAL(solve_field(f, t_start, t_start + h, x), IC_OK);
    const double tolerance = closed_form_tolerance(f, h);
    const double error = closed_form_error(f, t_start, t_start + h, x);
    IC_EXPECT(error <= tolerance, "closed form: error %.3g, tolerance %.3g, h %g", error, tolerance, h);
    /* planted: the answer to a problem that is larger by a part in 1e8 */
    for (int i = 0; i < N; i++) x[i] *= 1 + 1e-8;
    CU_ASSERT(closed_form_error(f, t_start, t_start + h, x) > tolerance);
}

IC_TEST(test_random_fields)
{
    seed = 1;
    for (int trial = 0; trial < 200; trial++) {
        field f = {0};
        const double size = exp(2 * draw_number());
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++) f.a[i][j] = size * draw_number();
        }
        fill_forcing(&f, trial % 2 == 0 ? 0 : 5 + 4 * draw_number());
        check_field(&f, trial % 3 == 0 ? 0 : 7, (1 + 0.9 * draw_number()) / size);
    }
}

/* The greatest element of basis t basis^T - a. */
static long double similarity_error(const long double *t, const long double *basis, const long double *a,
                                    size_t n)
{
    long double worst = 0;
    for (size_t i = 0; i < n * n; i++) {
        long double sum = -a[i];
        for (size_t k = 0; k < n * n; k++) sum += basis[i / n * n + k / n] * t[k] * basis[i % n * n + k % n];
        worst = fmaxl(worst, fabsl(sum));
    }
    return worst;
}

/* Matrices with many zeros, some of which isolate eigenvalues. One in a hundred may keep a greater block. */
IC_TEST(test_real_schur)
{
    const long double tolerance = 200 * LDBL_EPSILON; /* of n^2 elements below 1, a few dozen rotations each */
    int greater = 0;
    seed = 7;
    for (int trial = 0; trial < 300; trial++) {
        const size_t n = 1 + (size_t)trial % 7;
        long double a[49] = {0}, t[49] = {0}, basis[49] = {0}, norm = 0;
        for (size_t i = 0; i < n * n; i++) {
            t[i] = a[i] = draw_number() > (trial % 5 - 2) / 3.0 ? draw_number() : 0;
            norm += fabsl(a[i]);
        }
        for (size_t i = 0; i < n; i++) basis[i * n + i] = 1;
        ic_real_schur(t, basis, n, norm);
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j + 1 < i; j++) CU_ASSERT(t[i * n + j] == 0);
            if (i > 1 && t[i * n + i - 1] != 0 && t[(i - 1) * n + i - 2] != 0) greater++;
        }
        CU_ASSERT(similarity_error(t, basis, a, n) <= tolerance);
        t[n - 1] += 1e-15L; /* planted */
        CU_ASSERT(similarity_error(t, basis, a, n) > tolerance);
    }
    CU_ASSERT(greater <= 3);
}

/* Jordan chains of length 1, 2, 3 and 5 for one eigenvalue, including zero, and nearly defective
   ones. */
IC_TEST(test_defective_fields)
{
    static const double splits[] = {0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3, 0.03, 0.3};
    static const double eigenvalues[] = {0, -1, 0.5, -20};
    seed = 2;
    for (int chain = 1; chain <= N; chain++) {
        for (size_t e = 0; e < IC_COUNT(eigenvalues); e++) {
            for (size_t k = 0; k < IC_COUNT(splits); k++) {
                field f = {0};
                double jordan[N][N] = {{0}};
                for (int i = 0; i < N; i++) {
                    jordan[i][i] = eigenvalues[e] * (1 + splits[k] * i);
                    if (eigenvalues[e] == 0) jordan[i][i] = splits[k] * i;
                    if (i + 1 < chain) jordan[i][i + 1] = 1;
                }
                transform_matrix(jordan, f.a);
                fill_forcing(&f, k % 2 == 0 ? 3 : 0);
                check_field(&f, 0.5, 1 + 0.5 * draw_number());
            }
        }
    }
}

/*
 * Eigenvalues that occur twice with two eigenvectors, which rounding moves off the real axis or mixes with
 * those of their conjugates: states that are held, and two oscillators that are (nearly) equal, from undamped
 * to critically damped.
 */
IC_TEST(test_repeated_eigenvalues)
{
    static const double damping[] = {0, 1e-12, 0.1, 1 - 1e-4, 1 - 1e-8, 1 - 1e-12, 1, 1 + 1e-8};
    static const double held[] = {0, -1, -1e-9, -30};
    seed = 6;
    for (int trial = 0; trial < 40; trial++) {
        for (size_t k = 0; k < IC_COUNT(damping); k++) {
            field f = {0};
            const double lambda = held[trial % 4], c = -4 * damping[k];
            double twins[N][N] = {{0, 1}, {-4, c}, {0, 0, 0, 1}, {0, 0, -4, c}, {0, 0, 0, 0, lambda}};
            double pairs[N][N] = {{0, 1}, {-4, c}, {0, 0, lambda}, {0, 0, 0, lambda}, {0, 0, 0, 0, lambda}};
            transform_matrix(trial % 2 == 0 ? twins : pairs, f.a);
            fill_forcing(&f, trial % 3 == 0 ? 2.5 : 0);
            check_field(&f, 0.5, 1.5);
        }
    }
}

/* An oscillator forced at and near its own frequency, together with a critically damped one. */
IC_TEST(test_resonance)
{
    static const double detunings[] = {0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3, 0.1};
    seed = 3;
    for (size_t k = 0; k < IC_COUNT(detunings); k++) {
        for (int damped = 0; damped < 2; damped++) {
            field f = {.a = {{0, 1}, {-9, damped * -1e-3}, {0, 0, 0, 1}, {0, 0, -4, -4 * (1 + detunings[k])}}};
            fill_forcing(&f, 3 * (1 + detunings[k]));
            check_field(&f, 2, 1);
            check_field(&f, 2, 20);
            check_field(&f, 1000, 3);
        }
    }
}

/* An oscillator of 3.3/s driven by one of 3/s, so strongly that both form one cluster: their
   difference turns by several radians before the end, beyond the reach of a series about the
   middle. */
IC_TEST(test_beats)
{
    seed = 5;
    for (int trial = 0; trial < 4; trial++) {
        field f = {.a = {{0, 1}, {-9, 0}, {0, 0, 0, 1}, {300, 0, -3.3 * 3.3, 0}}};
        fill_forcing(&f, 0);
        check_field(&f, 0, 10 * (1 << trial));
    }
}

/* Fast and slow parts together: 2000/s and 0.01/s. */
IC_TEST(test_stiff_fields)
{
    seed = 4;
    for (int trial = 0; trial < 20; trial++) {
        field f = {0};
        double jordan[N][N] = {{-2000}, {0, -0.01}, {0, 0, -3, 60}, {0, 0, -60, -3}, {0, 0, 0, 0, 0}};
        transform_matrix(jordan, f.a);
        fill_forcing(&f, 251.25);
        check_field(&f, 0, 0.02);
    }
}

IC_TEST(test_not_finite)
{
    field f = {.a = {{1}}, .x = {NAN}};
    double x[N] = {0};
    CU_ASSERT_EQUAL(solve_field(&f, 0, 1, x), IC_NOT_FINITE);
    f.x[0] = 1;
    f.a[0][0] = 1000; /* e^1000 overflows */
    CU_ASSERT_EQUAL(solve_field(&f, 0, 1, x), IC_NOT_FINITE);
    CU_ASSERT_EQUAL(solve_field(&f, 0, 0.1, x), IC_OK);
}

IC_TEST(test_no_linear_view)
{
    static const ic_mode modes[] = {{.name = "crooked"}};
    static const ic_variant variant = {
        .name = "crooked",
        .modes = modes,
        .n_modes = 1,
        .start = {.apply = start_matrix, .branches = matrix_start, .n_branches = 1},
    };
    const ic_problem problem = {.system = &matrix_case, .variant = &variant, .t_end = 1};
    const ic_options options = {0};
    IC_OWN(ic_log) *log = ic_log_new(&problem);
    CU_ASSERT_EQUAL(ic_solver_find("piecewise_linear")->solve(log, &problem, &options), IC_UNSUPPORTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(ic_log_text(log), "crooked"));
}

/* ---- the search for crossings */

enum { TERMS = 3, DEGREE = 2, LAST = 30 };

/* |lambda| times the length of a part: 2^31/31! < 2^-80. */
#define PART_REACH 2.0

/* g(s) = Re sum_k (sum_j q_kj s^j) e^{lambda_k s} */
typedef struct sum {
    complex double exponents[TERMS], coefficients[TERMS][DEGREE + 1];

    /* of the first derivatives at s = 0 */
    int known_zeros;

    /* the next derivative is exact */
    bool exact_rate;
} sum;

static void set_exponent(sum *s, size_t k, double growth, double frequency)
{
    s->exponents[k] = growth + frequency * I;
}

static void set_coefficient(sum *s, size_t k, size_t power, double re, double im)
{
    s->coefficients[k][power] = re + im * I;
}

static double value_at(const sum *s, double at)
{
    double value = 0;
    for (size_t k = 0; k < TERMS; k++) {
        complex double q = 0;
        for (int j = DEGREE; j >= 0; j--) q = q * at + s->coefficients[k][j];
        value += creal(q * cexp(s->exponents[k] * at));
    }
    return value;
}

/* g(start + length u) in powers of u. */
static void take_polynomial(ic_polynomial *p, const sum *s, double start, double length)
{
    *p = (ic_polynomial){.degree = LAST};
    for (size_t k = 0; k < TERMS; k++) {
        const complex double *q = s->coefficients[k], lambda = s->exponents[k];
        complex double power = cexp(lambda * start); /* (lambda length)^j/j! of it */
        const complex double about[DEGREE + 1] = {q[0] + start * (q[1] + start * q[2]),
                                                  length * (q[1] + 2 * start * q[2]), length * length * q[2]};
        for (int j = 0; j <= LAST; j++, power *= lambda * length / j) {
            for (int i = 0; i <= DEGREE && i + j <= LAST; i++) {
                p->c[i + j] += creal(power * about[i]);
                p->error[i + j] += 4 * DBL_EPSILON * cabs(power * about[i]) * (1 + 0.25 * cabs(lambda) * start);
            }
        }
    }
    for (int j = 0; j < s->known_zeros && start == 0; j++) p->c[j] = p->error[j] = 0;
    if (s->exact_rate && start == 0) p->error[s->known_zeros] = 0;
}

/* A march through [0, end], part by part. */
typedef struct march {
    const sum *s;
    double end, start, length;
    ic_polynomial p;
    ic_polynomial_search q;
    bool grazes;
} march;

static void begin_part(march *m, int side, double length)
{
    m->length = length;
    take_polynomial(&m->p, m->s, m->start, length);
    if (m->start == 0 && m->s->known_zeros > 0) side = ic_polynomial_depart(&m->p, m->s->known_zeros);
    else ic_polynomial_divide(&m->p, 0);
    ic_polynomial_search_begin(&m->q, &m->p, side, 1);
}

static double reach(const march *m)
{
    double fastest = 0;
    for (size_t k = 0; k < TERMS; k++) fastest = fmax(fastest, cabs(m->s->exponents[k]));
    return fastest * (m->end - m->start) > PART_REACH ? PART_REACH / fastest : m->end - m->start;
}

static void begin_march(march *m, const sum *s, double end)
{
    *m = (march){.s = s, .end = end};
    m->q.evaluations = 0;
    begin_part(m, value_at(s, 0) > 0 ? 1 : -1, reach(m));
}

/* Whether there is another crossing: *at, NULL for not of interest. */
static bool next_crossing(march *m, double *at)
{
    double iterations = 0;
    for (;;) {
        const int side = m->q.side;
        const ic_polynomial_outcome outcome = ic_polynomial_search_next(&m->q);
        m->grazes = m->grazes || m->q.grazes;
        if (outcome == IC_POLYNOMIAL_CHANGES) {
            *at = m->start + m->length * ic_polynomial_locate(&m->q, &iterations);
            return true;
        }
        if (outcome != IC_POLYNOMIAL_NONE || m->start + m->length >= m->end) return false;
        if (m->q.blurred) { /* a part does not end where rounding hides the sign */
            begin_part(m, side, 0.8125 * m->length);
            continue;
        }
        m->start += m->length;
        begin_part(m, m->q.side, reach(m));
    }
}

static void random_sum(sum *s)
{
    *s = (sum){.known_zeros = 0};
    set_exponent(s, 0, 0, 0);
    set_exponent(s, 1, -1 + draw_number(), 20 * (1 + draw_number()));
    set_exponent(s, 2, 0.3 * draw_number(), 5 * (1 + draw_number()));
    for (size_t j = 0; j <= DEGREE; j++) set_coefficient(s, 0, j, draw_number() / (double)(1 + 10 * j), 0);
    set_coefficient(s, 1, 0, draw_number(), draw_number());
    set_coefficient(s, 2, 0, draw_number(), draw_number());
    set_coefficient(s, 2, 1, 0.2 * draw_number(), 0.2 * draw_number());
}

enum { MOST = 400, SCAN = 40000 };

/* All crossings; -1: failure. */
static int count_crossings(const sum *s, double end, double at[MOST])
{
    march m;
    int count = 0;
    begin_march(&m, s, end);
    while (count < MOST && next_crossing(&m, &at[count])) count++;
    return count < MOST ? count : -1;
}

/* Every crossing of the scan is found, and every crossing found is real: the values on its two
   sides differ in sign. (Pairs between two points of the scan are found in addition.) */
static bool agrees_with_scan(const sum *s, double end, const double *at, int count)
{
    int next = 0;
    double before = value_at(s, 0);
    for (int i = 1; i <= SCAN; i++) {
        const double t = end * i / SCAN;
        const double value = value_at(s, t);
        int inside = 0;
        while (next < count && at[next] <= t) next++, inside++;
        if ((before < 0) != (value < 0) && inside % 2 == 0) return false;
        if ((before < 0) == (value < 0) && inside % 2 == 1) return false;
        before = value;
    }
    for (int i = 0; i < count; i++) {
        const double gap = 1e-10;
        if ((value_at(s, at[i] - gap) < 0) == (value_at(s, at[i] + gap) < 0)) return false;
    }
    return next == count;
}

IC_TEST(test_crossings_against_scan)
{
    const double end = 6;
    int total = 0;
    seed = 5;
    for (int trial = 0; trial < 300; trial++) {
        sum s;
        double at[MOST] = {0};
        random_sum(&s);
        const int count = count_crossings(&s, end, at);
        CU_ASSERT_FATAL(count >= 0);
        total += count;
        CU_ASSERT(agrees_with_scan(&s, end, at, count));
        if (count == 0) continue;
        /* planted: one lost, one moved */
        CU_ASSERT_FALSE(agrees_with_scan(&s, end, at + 1, count - 1));
        at[count / 2] += 1e-6;
        CU_ASSERT_FALSE(agrees_with_scan(&s, end, at, count));
    }
    CU_ASSERT(total > 1000); /* there were crossings to find */
}

/* 1 - depth - cos(w s + 0.7) dips to -depth once in each period of 1/2, for 2 acos(1 - depth)/w. */
static int check_dips(double depth, double at[MOST], bool *grazes)
{
    const double w = 12.566370614359172954;
    sum s = {.known_zeros = 0};
    march m;
    int count = 0;
    set_exponent(&s, 1, 0, w);
    set_coefficient(&s, 0, 0, 1 - depth, 0);
    set_coefficient(&s, 1, 0, -cos(0.7), -sin(0.7));
    begin_march(&m, &s, 10);
    while (count < MOST && next_crossing(&m, &at[count])) count++;
    *grazes = m.grazes;
    return count;
}

IC_TEST(test_grazing)
{
    static const double depths[] = {0.1, 1e-3, 1e-6, 1e-9, 1e-12};
    const double w = 12.566370614359172954, end = 10;
    const int periods = 20;
    /* rounding of the coefficients and the sum, and of the angle w s */
    const double noise = DBL_EPSILON * (8 + w * end);
    double at[MOST] = {0};
    bool grazes = false;
    for (size_t k = 0; k < IC_COUNT(depths); k++) {
        CU_ASSERT_EQUAL(check_dips(depths[k], at, &grazes), 2 * periods);
        CU_ASSERT_FALSE(grazes);
        /* length of each dip, and its change by noise */
        const double width = 2 * acos(1 - depths[k]) / w;
        const double blur = width * noise / depths[k] + DBL_EPSILON * end;
        for (int i = 0; i < 2 * periods; i += 2) CU_ASSERT_DOUBLE_EQUAL(at[i + 1] - at[i], width, blur);
        CU_ASSERT_EQUAL(check_dips(-depths[k], at, &grazes), 0);
        CU_ASSERT_FALSE(grazes);
    }
    /* a touch hidden by rounding cannot be distinguished from a pair of crossings, which is
       reported */
    check_dips(0, at, &grazes);
    CU_ASSERT(grazes);
}

/* sin s, 1 - cos s and s - sin s depart from zeros of order 1, 2 and 3, which are not found
   again. */
IC_TEST(test_departures)
{
    for (int order = 1; order <= 3; order++) {
        for (int side = -1; side <= 1; side += 2) {
            sum s = {.known_zeros = order};
            march m;
            double at = 0;
            set_exponent(&s, 1, 0, 1);
            if (order == 1) set_coefficient(&s, 1, 0, 0, -side);
            if (order == 2)
                set_coefficient(&s, 1, 0, -side, 0), set_coefficient(&s, 0, 0, side * (1 + 1e-16), 0);
            if (order == 3) set_coefficient(&s, 1, 0, 0, side), set_coefficient(&s, 0, 1, side, 0);
            begin_march(&m, &s, 3);
            CU_ASSERT_FALSE(next_crossing(&m, &at));
            CU_ASSERT_EQUAL(m.q.side, side);
            /* sin is zero again at pi */
            begin_march(&m, &s, 4);
            CU_ASSERT_EQUAL(next_crossing(&m, &at), order == 1);
            if (order == 1) CU_ASSERT_DOUBLE_EQUAL(at, 3.14159265358979323846, 4 * DBL_EPSILON * at);
        }
    }
}

/* cos s - 1 + r sin s starts at zero with rate r and returns at 2 atan r, found to full relative
   precision though its terms are of size 1 and their rounding exceeds the function itself. */
IC_TEST(test_return_at_once)
{
    static const double rates[] = {1e-3, 1e-8, 1e-13, 1e-18};
    for (size_t k = 0; k < IC_COUNT(rates); k++) {
        const double expected = 2 * atan(rates[k]), tolerance = 8 * DBL_EPSILON * expected;
        sum s = {.known_zeros = 1, .exact_rate = true};
        march m;
        double at = 0;
        set_exponent(&s, 1, 0, 1);
        set_coefficient(&s, 0, 0, -1, 0);
        set_coefficient(&s, 1, 0, 1, -rates[k]);
        begin_march(&m, &s, 3);
        CU_ASSERT(next_crossing(&m, &at));
        CU_ASSERT_DOUBLE_EQUAL(at, expected, tolerance);
        /* planted: the root of the parabola, which is off by r^2/3 */
        if (k == 0) CU_ASSERT(fabs(2 * rates[k] - expected) > tolerance);
    }
}

/* A zero of order 3 that is crossed: its time is uncertain by the third root of rounding, but it is
   found. */
IC_TEST(test_triple_root)
{
    sum s = {.known_zeros = 0};
    march m;
    double at = 0;
    /* sin(s - 1) - (s - 1) */
    set_exponent(&s, 1, 0, 1);
    set_coefficient(&s, 0, 0, 1, 0);
    set_coefficient(&s, 0, 1, -1, 0);
    /* sin(s - 1) = Re((-sin 1 - i cos 1) e^{is}) */
    set_coefficient(&s, 1, 0, -sin(1.0), -cos(1.0));
    begin_march(&m, &s, 3);
    CU_ASSERT(next_crossing(&m, &at));
    CU_ASSERT_DOUBLE_EQUAL(at, 1, 2 * cbrt(6 * 32 * DBL_EPSILON));
    CU_ASSERT_EQUAL(m.q.side, -1);
    CU_ASSERT_FALSE(next_crossing(&m, &at));
}

/* A throw from slightly above the ground, as rounding leaves it after a contact: v s - 5 s^2 + hair
   returns at v/5. */
IC_TEST(test_throw_from_a_hair)
{
    const double speed = 3.4;
    for (int k = 0; k < 14; k++) {
        const double hair = 1e-12 * pow(7, -k);
        sum s = {.known_zeros = 0};
        march m;
        double at = 0;
        set_coefficient(&s, 0, 0, hair, 0);
        set_coefficient(&s, 0, 1, speed, 0);
        set_coefficient(&s, 0, 2, -5, 0);
        begin_march(&m, &s, 3);
        CU_ASSERT(next_crossing(&m, &at));
        CU_ASSERT_DOUBLE_EQUAL(at, speed / 5, 1e-12);
        CU_ASSERT_FALSE(next_crossing(&m, &at));
    }
}
