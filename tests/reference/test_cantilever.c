/* SPDX-License-Identifier: MIT */
/** Integrals over the modes of a cantilever by quadrature, and the table of them. Each has a planted wrong answer. */
#include "casefile/cantilever.h"
#include "reference/cantilever.h"
#include "tests/reference/balls.h"
#include "tests/tests.h"

#include <CUnit/CUnit.h>

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
    arb_t truth;
    arb_init(truth);
    ic_cantilever_integral(truth, integrand);
    expect_double(value, truth);
    arb_clear(truth);
}

static void test_table(void)
{
    ic_cantilever_mode modes[IC_CANTILEVER_MODES];
    const double *a = ic_cantilever_a, *b = ic_cantilever_b;
    arb_t tail;
    arb_init(tail);
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
    arb_clear(tail);
}

/* The sum of exponentials and the quadrature are small balls that overlap. */
static void expect_same(const ic_cantilever_integrand *integrand)
{
    enum { QUADRATURE_BITS = 80, SMALL = -70 };
    arb_t sum, quadrature, planted;
    mag_t small;
    arb_init(sum), arb_init(quadrature), arb_init(planted);
    mag_init(small);
    mag_set_ui_2exp_si(small, 1, SMALL);
    ic_cantilever_integral(sum, integrand);
    ic_cantilever_integral_by_quadrature(quadrature, integrand, QUADRATURE_BITS);
    CU_ASSERT(arb_overlaps(sum, quadrature));
    CU_ASSERT(mag_cmp(arb_radref(sum), small) < 0 && mag_cmp(arb_radref(quadrature), small) < 0);
    arb_set_d(planted, PLANTED);
    arb_add(planted, sum, planted, BITS);
    CU_ASSERT_FALSE(arb_overlaps(planted, quadrature)); /* planted */
    arb_clear(sum), arb_clear(quadrature), arb_clear(planted);
    mag_clear(small);
}

static void test_quadrature(void)
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

void ic_tests_cantilever(void)
{
    CU_pSuite suite = CU_add_suite("modes of a cantilever", NULL, NULL);
    CU_ADD_TEST(suite, test_table);
    CU_ADD_TEST(suite, test_quadrature);
}
