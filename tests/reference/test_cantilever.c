/* SPDX-License-Identifier: MIT */
/** Integrals over the modes of a cantilever by quadrature, and the table of them. Each has a planted wrong answer. */
#include "casefile/cantilever.h"
#include "reference/closed/cantilever.h"
#include "tests/reference/balls.h"
#include "tests/tests.h"

IC_SUITE(solvers, "modes of a cantilever")

enum { BITS = 200 };

/* Rounded to the nearest double or its neighbour. */
#define ULP 0x1p-52
#define PLANTED 1e-15

static void expect_double(double value, const arb_t truth)
{
    CU_ASSERT(ic_tests_agrees_with_ball(value, truth, ULP));
    CU_ASSERT_FALSE(ic_tests_agrees_with_ball(value * (1 + PLANTED), truth, ULP)); /* planted */
}

static void expect_integral(double value, const ic_cantilever_integrand *integrand)
{
    IC_BALLS(truth);
    ic_cantilever_integral(truth, integrand);
    expect_double(value, truth);
}

IC_TEST(test_table)
{
    ic_cantilever_mode modes[IC_CANTILEVER_MODES];
    const double *a = ic_cantilever_a, *b = ic_cantilever_b;
    IC_BALLS(tail);
    for (int r = 0; r < IC_CANTILEVER_MODES; r++) {
        ic_cantilever_mode_init(&modes[r], r, BITS);
        ic_cantilever_mode_tail(tail, &modes[r]);
        expect_double(ic_cantilever_lambda[r], modes[r].lambda);
        expect_double(ic_cantilever_sigma[r], modes[r].sigma);
        expect_double(ic_cantilever_g[r], tail);
        for (int j = 0; j <= r; j++) {
            ic_cantilever_integrand slopes = {
                .weight = {1, 0, -1}, .first = &modes[r], .second = &modes[j], .derivative = 1};
            expect_integral(*a++, &slopes);
            slopes.weight[1] = -1, slopes.weight[2] = 0;
            expect_integral(*b++, &slopes);
        }
    }
    for (int r = 0; r < IC_CANTILEVER_MODES; r++) ic_cantilever_mode_clear(&modes[r]);
}

/* lambda, sigma and (1 - sigma) exp(lambda) of a mode */
typedef struct shape {
    double lambda, sigma, tail;
} shape;

static double midpoint(const arb_t ball)
{
    return arf_get_d(arb_midref(ball), ARF_RND_NEAR);
}

static shape shape_of(const ic_cantilever_mode *mode)
{
    IC_BALLS(tail);
    ic_cantilever_mode_tail(tail, mode);
    return (shape){midpoint(mode->lambda), midpoint(mode->sigma), midpoint(tail)};
}

/* phi or phi', by exponentials that do not cancel */
static double value_of(const shape *s, int derivative, double xi)
{
    const double z = s->lambda * xi, falling = (1 + s->sigma) * exp(-z), rising = s->tail * exp(z - s->lambda);
    if (derivative == 0) return (falling + rising) / 2 - cos(z) + s->sigma * sin(z);
    return s->lambda * ((rising - falling) / 2 + sin(z) + s->sigma * cos(z));
}

/* Gauss's rule of three points in even panels: 4e-13 for the products of two modes of lambda 49 */
enum { PANELS = 1000 };
#define QUADRATURE 1e-10

static double quadrature(const ic_cantilever_integrand *f)
{
    static const double weight[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
    const double node[3] = {0.5 - sqrt(0.15), 0.5, 0.5 + sqrt(0.15)};
    const shape first = shape_of(f->first), second = shape_of(f->second != NULL ? f->second : f->first);
    double sum = 0;
    for (int i = 0; i < 3 * PANELS; i++) {
        const int panel = i / 3;
        const double xi = (panel + node[i % 3]) / PANELS;
        const double w = (double)f->weight[0] + xi * ((double)f->weight[1] + xi * (double)f->weight[2]);
        sum += weight[i % 3] / PANELS * w * value_of(&first, f->derivative, xi) *
               (f->second != NULL ? value_of(&second, f->derivative, xi) : 1);
    }
    return sum;
}

/* The sum of exponentials and the quadrature agree. */
static void expect_same(const ic_cantilever_integrand *integrand)
{
    IC_BALLS(sum);
    ic_cantilever_integral(sum, integrand);
    const double size = fmax(1, fabs(midpoint(sum))), value = quadrature(integrand);
    CU_ASSERT(mag_get_d(arb_radref(sum)) < PLANTED * size);
    CU_ASSERT(fabs(midpoint(sum) - value) < QUADRATURE * size);
    CU_ASSERT_FALSE(fabs(midpoint(sum) * (1 + 1e-9) + 1e-9 - value) < QUADRATURE * size); /* planted */
}

IC_TEST(test_quadrature)
{
    static const long pairs[][2] = {{0, 0}, {3, 1}, {4, 4}, {15, 14}, {15, 15}};
    for (size_t i = 0; i < IC_COUNT(pairs); i++) {
        ic_cantilever_mode first, second;
        ic_cantilever_mode_init(&first, pairs[i][0], BITS), ic_cantilever_mode_init(&second, pairs[i][1], BITS);
        const bool one = pairs[i][0] == pairs[i][1];
        ic_cantilever_integrand f = {
            .weight = {1, 0, -1}, .first = &first, .second = one ? &first : &second, .derivative = 1};
        expect_same(&f);
        f.weight[1] = -1, f.weight[2] = 0;
        expect_same(&f);
        f = (ic_cantilever_integrand){.weight = {1}, .first = &first, .second = f.second};
        expect_same(&f); /* 1 or 0: orthogonal */
        f.second = NULL, f.weight[0] = 0, f.weight[1] = 1;
        expect_same(&f);
        ic_cantilever_mode_clear(&first), ic_cantilever_mode_clear(&second);
    }
}
