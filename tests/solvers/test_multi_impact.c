/* SPDX-License-Identifier: MIT */
/**
 * Linear complementarity problems, and rigid impact maps for several contacts: exact rational
 * answers for Newton's cradle and for a block on two corners, energy, and random impacts. Each
 * check rejects a planted wrong answer.
 */
#include "adapters/siconos_lcp.h"
#include "core/random.h"
#include "solvers/rigid/lcp.h"
#include "tests/allocations.h"
#include "tests/tests.h"

#include <float.h>

IC_SUITE(solvers, "impact at several contacts")

enum { MOST = 12 };

/* Some n pivots or sums of n terms, n <= MOST, of which each adds a few roundings; the matrices here have condition
   numbers up to about 1e4 (random ones are bounded by their diagonal). */
#define ROUNDINGS (1e4 * MOST * DBL_EPSILON)

/* ---- complementarity problems */

/* Solves, and returns the violation; -1: no solution was reported. */
static double solve_lcp(double *z, const double *M, const double *q, size_t n)
{
    double w[MOST];
    const ic_status status = ic_lcp_solve(z, w, M, q, n);
    if (status == IC_UNSUPPORTED) return -1;
    CU_ASSERT_EQUAL_FATAL(status, IC_OK);
    for (size_t i = 0; i < n; i++) CU_ASSERT(w[i] >= 0 && z[i] >= 0 && (w[i] == 0 || z[i] == 0));
    return ic_lcp_violation(z, M, q, n);
}

static bool is_solution(const double *z, const double *M, const double *q, size_t n)
{
    return ic_lcp_violation(z, M, q, n) <= ROUNDINGS;
}

IC_TEST(test_checker)
{
    static const double M[] = {2, -1, -1, 2}, q[] = {-1, 0};
    CU_ASSERT(is_solution((const double[]){2.0 / 3, 1.0 / 3}, M, q, 2));
    /* planted: w < 0; both w and z positive; z < 0; not a number */
    CU_ASSERT(!is_solution((const double[]){0.5, 0}, M, q, 2));
    CU_ASSERT(!is_solution((const double[]){1, 1}, M, q, 2));
    CU_ASSERT(!is_solution((const double[]){0, -1e-3}, M, (const double[]){1, 1}, 2));
    CU_ASSERT(!is_solution((const double[]){NAN, 0}, M, q, 2));
    /* planted: an answer that is off by a part in 1e9 */
    CU_ASSERT(!is_solution((const double[]){2.0 / 3 + 1e-9, 1.0 / 3}, M, q, 2));
}

/* Kostreva's example, for which Lemke's method without a rule for ties cycles. */
IC_TEST(test_cycling)
{
    static const double M[] = {1, 2, 0, 0, 1, 2, 2, 0, 1}, q[] = {-1, -1, -1};
    double z[MOST];
    CU_ASSERT(fabs(solve_lcp(z, M, q, 3)) <= ROUNDINGS);
    for (int i = 0; i < 3; i++) CU_ASSERT_DOUBLE_EQUAL(z[i], 1.0 / 3, ROUNDINGS);
}

IC_TEST(test_degenerate)
{
    double z[MOST], w[MOST];
    /* two contacts that do the same, so that M is singular and z is not unique */
    static const double twice[] = {1, 1, 1, 1};
    CU_ASSERT(fabs(solve_lcp(z, twice, (const double[]){-1, -1}, 2)) <= ROUNDINGS);
    CU_ASSERT_DOUBLE_EQUAL(z[0] + z[1], 1, ROUNDINGS);
    CU_ASSERT(solve_lcp(z, twice, (const double[]){0, 0}, 2) == 0 && z[0] == 0 && z[1] == 0);
    /* w = z = 0 for the second contact */
    static const double chain[] = {2, 1, 1, 2};
    CU_ASSERT(fabs(solve_lcp(z, chain, (const double[]){-2, -1}, 2)) <= ROUNDINGS);
    CU_ASSERT_DOUBLE_EQUAL(z[0], 1, ROUNDINGS);
    CU_ASSERT_DOUBLE_EQUAL(z[1], 0, ROUNDINGS);
    /* no solution: the sum of w is q_1 + q_2 < 0 */
    static const double opposite[] = {1, -1, -1, 1};
    CU_ASSERT_EQUAL(ic_lcp_solve(z, w, opposite, (const double[]){-1, -1}, 2), IC_UNSUPPORTED);
    CU_ASSERT_EQUAL(ic_lcp_solve(z, w, (const double[]){0}, (const double[]){1}, 1), IC_INVALID);
    CU_ASSERT_EQUAL(ic_lcp_solve(z, w, (const double[]){1}, (const double[]){NAN}, 1), IC_INVALID);
}

/* A table on many legs: W has rank 3, and all legs land at once. */
IC_TEST(test_table)
{
    double M[MOST * MOST], q[MOST], z[MOST];
    for (size_t i = 0; i < MOST; i++) {
        const double a = 2 * acos(-1) * (double)i / MOST;
        for (size_t j = 0; j < MOST; j++) {
            const double b = 2 * acos(-1) * (double)j / MOST;
            M[i * MOST + j] = 1 + 2 * (cos(a) * cos(b) + sin(a) * sin(b));
        }
        q[i] = -1;
    }
    CU_ASSERT(fabs(solve_lcp(z, M, q, MOST)) <= ROUNDINGS);
}

static uint64_t seed;

static double draw(void)
{
    return ic_uniform(&seed, -1, 1);
}

/* Whole numbers from -3 to 3: ties are frequent, and pivots are exact at first. */
static double draw_integer(void)
{
    return floor(ic_uniform(&seed, -3, 4));
}

/* M = A^T A with A of r rows, and q = w - M z for complementary w and z, often both zero. */
static void draw_solvable(double *M, double *q, size_t n, size_t r)
{
    double A[MOST][MOST] = {{0}}, z[MOST];
    for (size_t k = 0; k < r; k++) {
        for (size_t i = 0; i < n; i++) A[k][i] = draw_integer();
    }
    for (size_t i = 0; i < n; i++) A[0][i] = A[0][i] == 0 ? 1 : A[0][i];
    for (size_t i = 0; i < n; i++) {
        z[i] = fmax(draw_integer(), 0);
        q[i] = z[i] > 0 ? 0 : fmax(draw_integer(), 0);
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            M[i * n + j] = 0;
            for (size_t k = 0; k < r; k++) M[i * n + j] += A[k][i] * A[k][j];
            q[i] -= M[i * n + j] * z[j];
        }
    }
}

IC_TEST(test_random)
{
    enum { DRAWS = 20000 };
    size_t singular = 0, failures = 0;
    seed = 1;
    for (int k = 0; k < DRAWS && failures < 5; k++) {
        double M[MOST * MOST], q[MOST], z[MOST];
        const size_t n = 1 + (size_t)ic_uniform(&seed, 0, MOST),
                     r = 1 + (size_t)ic_uniform(&seed, 0, (double)n);
        draw_solvable(M, q, n, r);
        singular += r < n;
        const double violation = solve_lcp(z, M, q, n);
        if (!(violation >= 0 && violation <= ROUNDINGS)) {
            printf("problem %d, n = %zu, rank %zu: violation %g\n", k, n, r, violation);
            CU_FAIL("a random complementarity problem is not solved");
            failures++;
        }
    }
    CU_ASSERT(singular > DRAWS / 4);
}

/* Masses from grams to tons: the tableau is scaled. */
IC_TEST(test_scales)
{
    seed = 2;
    for (int k = 0; k < 1000; k++) {
        double M[MOST * MOST], q[MOST], z[MOST], size[MOST];
        const size_t n = 1 + (size_t)ic_uniform(&seed, 0, MOST);
        draw_solvable(M, q, n, n);
        for (size_t i = 0; i < n; i++) {
            size[i] = ldexp(1, (int)(10 * draw()));
            q[i] *= size[i] * 1e9;
        }
        for (size_t i = 0; i < n * n; i++) M[i] *= size[i / n] * size[i % n];
        const double violation = solve_lcp(z, M, q, n);
        CU_ASSERT(violation >= 0 && violation <= ROUNDINGS);
    }
}

IC_TEST(test_memory)
{
    static const double M[] = {2, -1, -1, 2}, q[] = {-1, 0};
    double z[2], w[2];
    for (size_t i = 0; i < 2; i++) {
        ic_allocations_begin(i);
        const ic_status status = ic_lcp_solve(z, w, M, q, 2);
        const ic_allocations used = ic_allocations_end();
        CU_ASSERT(used.failed && used.left == 0 && status == IC_NO_MEMORY);
    }
}

/* ---- impacts with exact answers */

enum { SEQUENTIAL, NEWTON, POISSON, MAPS };
static const char *const names[MAPS] = {"sequential", "simultaneous_newton", "simultaneous_poisson"};

/* Applies a map. Arrays of the result have MOST numbers. */
// NOLINTNEXTLINE(readability-non-const-parameter): the map writes to both
static ic_multi_impact_result apply_map(int map, const ic_multi_impact *impact, double *u, double *P)
{
    ic_multi_impact_result result = {.u = u, .P = P};
    CU_ASSERT_EQUAL_FATAL(ic_multi_impact_map_find(names[map])->map(&result, impact), IC_OK);
    return result;
}

/* W of a row of balls of mass 1 with n contacts. */
static void row_of_balls(double *W, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) W[i * n + j] = i == j ? 2 : i + 1 == j || j + 1 == i ? -1 : 0;
    }
}

/* Velocities of balls of mass 1 after the first has struck the others with the velocity 1. */
static double strike(int map, size_t balls, const double *e, double *v)
{
    double W[MOST * MOST], u[MOST] = {-1}, after[MOST], P[MOST + 1] = {0};
    row_of_balls(W, balls - 1);
    const ic_multi_impact impact = {balls - 1, W, u, e};
    const double loss = apply_map(map, &impact, after, P).loss;
    for (size_t i = 0; i < balls; i++)
        v[i] = (i == 0 ? 1 - P[0] : P[i - 1]) - (i == 0 || i + 1 == balls ? 0 : P[i]);
    return loss;
}

/* Velocities are whole multiples of 1/denominator. */
typedef struct exact_cradle {
    int map;
    size_t balls;
    double e[4], denominator, v[5];

    /* in units of 1/(2 denominator^2) */
    double loss;
} exact_cradle;

/*
 * Newton's and Poisson's: W P = (1 + e) (1, 0, ..., 0) has P_i = (1 + e) (N - i)/N, i = 1, ..., N -
 * 1. Others by hand.
 */
static const exact_cradle cradles[] = {
    {SEQUENTIAL, 3, {1, 1}, 1, {0, 0, 1}, 0},
    {NEWTON, 3, {1, 1}, 3, {-1, 2, 2}, 0},
    {POISSON, 3, {1, 1}, 3, {-1, 2, 2}, 0},
    {SEQUENTIAL, 5, {1, 1, 1, 1}, 1, {0, 0, 0, 0, 1}, 0},
    {NEWTON, 5, {1, 1, 1, 1}, 5, {-3, 2, 2, 2, 2}, 0},
    {POISSON, 5, {1, 1, 1, 1}, 5, {-3, 2, 2, 2, 2}, 0},
    {NEWTON, 3, {0.5, 0.5}, 2, {0, 1, 1}, 2},
    {POISSON, 3, {0.5, 0.5}, 2, {0, 1, 1}, 2},
    {NEWTON, 5, {0, 0, 0, 0}, 5, {1, 1, 1, 1, 1}, 20},
    {POISSON, 5, {0, 0, 0, 0}, 5, {1, 1, 1, 1, 1}, 20},
    {SEQUENTIAL, 3, {0, 0}, 3, {1, 1, 1}, 6},
    /* 1 strikes 2: 1/4, 3/4; 2 strikes 3: 3/16, 9/16; 1 strikes 2: 13/64, 15/64 */
    {SEQUENTIAL, 3, {0.5, 0.5}, 64, {13, 15, 36}, 64 * 64 - 13 * 13 - 15 * 15 - 36 * 36},
    /* different coefficients: Newton's and Poisson's differ */
    {NEWTON, 3, {0, 1}, 3, {1, 1, 1}, 6},
    {POISSON, 3, {0, 1}, 6, {1, 1, 4}, 18},
};

static bool is_exact(const exact_cradle *c, const double *v, double loss)
{
    for (size_t i = 0; i < c->balls; i++) {
        if (!(fabs(v[i] - c->v[i] / c->denominator) <= ROUNDINGS)) return false;
    }
    return fabs(loss - c->loss / (2 * c->denominator * c->denominator)) <= ROUNDINGS;
}

IC_TEST(test_cradles)
{
    for (size_t k = 0; k < IC_COUNT(cradles); k++) {
        double v[MOST] = {0};
        const double loss = strike(cradles[k].map, cradles[k].balls, cradles[k].e, v);
        IC_EXPECT(is_exact(&cradles[k], v, loss), "cradle %zu: %s", k, names[cradles[k].map]);
    }
    /* planted: the answer of another map */
    double v[MOST];
    const double loss = strike(NEWTON, 5, cradles[3].e, v);
    CU_ASSERT(!is_exact(&cradles[3], v, loss));
}

/*
 * A block of mass m and moment of inertia J lands flat on corners at -l and l: W = [[a, b], [b, a]]
 * with a = 1/m + l^2/J and b = 1/m - l^2/J. Here 1/m = 1 and l^2/J = 3, a wide block (a = 4, b =
 * -2); or 1/m = 3/2, l^2/J = 1/2, a slender one (a = 2, b = 1).
 */
typedef struct exact_block {
    int map;
    double a, b, u[2], e, denominator, after[2];
} exact_block;

static const exact_block blocks[] = {
    /* flat: both corners rebound with e */
    {NEWTON, 4, -2, {-1, -1}, 0.5, 2, {1, 1}},
    {POISSON, 4, -2, {-1, -1}, 0.5, 2, {1, 1}},
    {NEWTON, 2, 1, {-1, -1}, 1, 1, {1, 1}},
    /* one after the other: 1, then 2 with -1 + 2 b/a, then 1 again if it is pushed down */
    {SEQUENTIAL, 2, 1, {-1, -1}, 1, 1, {1, 0}},
    {SEQUENTIAL, 4, -2, {-1, -1}, 1, 1, {1, 1}},
    {SEQUENTIAL, 2, -1, {-1, -1}, 0.5, 64, {26, 17}},
    /* a corner lands while the other rests: a wide block keeps it down, a slender one lifts it */
    {NEWTON, 4, -2, {-1, 0}, 1, 1, {1, 0}},
    {POISSON, 4, -2, {-1, 0}, 1, 1, {1, 0}},
    {NEWTON, 2, 1, {-1, 0}, 0.5, 4, {2, 3}},
    {POISSON, 2, 1, {-1, 0}, 0.5, 4, {2, 3}},
    {SEQUENTIAL, 2, 1, {-1, 0}, 0.5, 4, {2, 3}},
    {SEQUENTIAL, 4, -2, {-1, 0}, 1, 1, {0, 1}},
};

IC_TEST(test_blocks)
{
    for (size_t k = 0; k < IC_COUNT(blocks); k++) {
        const exact_block *b = &blocks[k];
        const double W[] = {b->a, b->b, b->b, b->a}, e[] = {b->e, b->e};
        double u[MOST], P[MOST];
        apply_map(b->map, &(const ic_multi_impact){2, W, b->u, e}, u, P);
        for (int i = 0; i < 2; i++) {
            IC_EXPECT(fabs(u[i] - b->after[i] / b->denominator) <= ROUNDINGS, "block %zu, corner %d: %.17g", k,
                      i, u[i] * b->denominator);
        }
    }
}

/* Newton's map creates energy where a contact separates before the impact: 101/100 becomes 107/100. */
IC_TEST(test_created_energy)
{
    static const double W[] = {2, -1, -1, 2}, before[] = {-1, 0.1}, e[] = {1, 1};
    const ic_multi_impact impact = {2, W, before, e};
    double u[MOST], P[MOST];
    CU_ASSERT_DOUBLE_EQUAL(apply_map(NEWTON, &impact, u, P).loss, -3.0 / 100, ROUNDINGS);
    CU_ASSERT_DOUBLE_EQUAL(apply_map(POISSON, &impact, u, P).loss, 1.0 / 400, ROUNDINGS);
    CU_ASSERT_DOUBLE_EQUAL(apply_map(SEQUENTIAL, &impact, u, P).loss, 0, ROUNDINGS);
}

/* ---- random impacts */

static void check_impact(const ic_multi_impact *impact, int map, bool separated)
{
    double u[MOST], P[MOST], sum[MOST], size = 1, largest = 0;
    const ic_multi_impact_result result = apply_map(map, impact, u, P);
    for (size_t i = 0; i < impact->n; i++) {
        double terms = fabs(impact->u[i]);
        sum[i] = impact->u[i];
        for (size_t j = 0; j < impact->n; j++) {
            sum[i] += impact->W[i * impact->n + j] * P[j];
            terms += fabs(impact->W[i * impact->n + j] * P[j]);
        }
        largest = fmax(largest, terms);
        size += P[i] * terms;
    }
    for (size_t i = 0; i < impact->n; i++) {
        CU_ASSERT(P[i] >= 0 && u[i] >= 0);
        CU_ASSERT(fabs(sum[i] - u[i]) <= ROUNDINGS * largest);
    }
    if (map != NEWTON || !separated) CU_ASSERT(result.loss >= -ROUNDINGS * size);
}

IC_TEST(test_random_impacts)
{
    seed = 3;
    for (int k = 0; k < 3000; k++) {
        double W[MOST * MOST], q[MOST], u[MOST], e[MOST];
        const size_t n = 1 + (size_t)ic_uniform(&seed, 0, 6);
        draw_solvable(W, q, n, n + 2);
        const bool separated = k % 2 == 0;
        for (size_t i = 0; i < n; i++) {
            u[i] = separated ? draw_integer() : -fabs(draw_integer());
            e[i] = fmin(fabs(draw_integer()), 2) / 2;
        }
        /*
         * Sequences on nearly singular W are long: their number of collisions is not bounded by
         * anything useful.
         */
        for (size_t i = 0; i < n; i++) W[i * n + i] += 3;
        for (int map = 0; map < MAPS; map++) check_impact(&(const ic_multi_impact){n, W, u, e}, map, separated);
    }
}

IC_TEST(test_faults)
{
    static const double W[] = {2, -1, -1, 2}, lopsided[] = {2, -1, 1, 2}, indefinite[] = {1, -3, -3, 1};
    static const double flat[] = {0, 0, 0, 1}, u[] = {-1, 0}, e[] = {1, 1}, apart[] = {1, 0};
    const ic_multi_impact wrong[] = {
        {0, W, u, e},          {IC_MULTI_CONTACTS + 1, W, u, e},   {2, lopsided, u, e},
        {2, flat, u, e},       {2, W, u, (const double[]){1, 2}},  {2, W, u, (const double[]){-0.1, 0}},
        {2, indefinite, u, e}, {2, W, (const double[]){NAN, 0}, e}};
    for (int map = 0; map < MAPS; map++) {
        double after[MOST], P[MOST];
        ic_multi_impact_result result = {.u = after, .P = P};
        const ic_multi_impact_map *tested = ic_multi_impact_map_at((size_t)map);
        CU_ASSERT_PTR_EQUAL(tested, ic_multi_impact_map_find(names[map]));
        for (size_t i = 0; i < IC_COUNT(wrong); i++)
            CU_ASSERT_EQUAL(tested->map(&result, &wrong[i]), IC_INVALID);
        result = apply_map(map, &(const ic_multi_impact){2, W, apart, e}, after, P);
        CU_ASSERT(P[0] == 0 && P[1] == 0 && after[0] == 1 && after[1] == 0 && result.loss == 0);
    }
    CU_ASSERT_PTR_NULL(ic_multi_impact_map_at(MAPS));
    CU_ASSERT_PTR_NULL(ic_multi_impact_map_find("newton"));
}

#ifdef IC_TEST_SICONOS
/* Lemke's method of Siconos. w is unique as M is positive semidefinite and symmetric; z need not be. */
IC_TEST(test_siconos)
{
    enum { DRAWS = 2000 };
    size_t answered = 0, wrong = 0, planted = 0;
    seed = 22;
    for (int k = 0; k < DRAWS; k++) {
        double M[MOST * MOST], q[MOST], z[MOST], ours[MOST], theirs[MOST], largest = 1, apart = 0;
        const size_t n = 1 + (size_t)ic_uniform(&seed, 0, MOST);
        draw_solvable(M, q, n, n);
        CU_ASSERT_EQUAL_FATAL(ic_lcp_solve(z, ours, M, q, n), IC_OK);
        if (!ic_siconos_lcp(theirs, M, q, n)) continue;
        answered++;
        for (size_t i = 0; i < n; i++) {
            largest = fmax(largest, fmax(fabs(q[i]), fabs(ours[i])));
            apart = fmax(apart, fabs(ours[i] - theirs[i]));
        }
        wrong += apart > ROUNDINGS * largest;
        planted += fabs(ours[0] * (1 + 1e-6) + 1e-6 * largest - theirs[0]) > ROUNDINGS * largest;
    }
    CU_ASSERT(answered > DRAWS / 2);
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_EQUAL(planted, answered);
}
#endif
