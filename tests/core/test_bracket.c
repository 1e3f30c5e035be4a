/* SPDX-License-Identifier: MIT */
/**
 * Narrowing of a sign change: what both methods promise; ITP is faster where possible, and never
 * slower.
 */
#include "core/bracket.h"
#include "impactcheck/impactcheck.h"
#include "tests/tests.h"

#include <CUnit/CUnit.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#define WIDTH 1e-13
/* Evaluations of bisection on an interval of length 1: log2(1/WIDTH), rounded up. */
#define BISECTIONS 44.0
/* ITP evaluates both ends, and may need n0 = 1 more inside. */
#define MOST_EXTRA 3.0

static double line(double t)
{
    return 3 * (t - 0.7);
}
static double cubic(double t)
{
    return t * t * t - 0.2;
}
static double falling(double t)
{
    return cos(t) - 0.75;
}
static double steep(double t)
{
    return expm1(50 * (t - 0.3));
}
static double seventh_power(double t) /* a root of order seven: the secant does not help */
{
    return pow(t - 0.37, 7);
}
static double jump(double t)
{
    return t < 0.123 ? -1e-3 : 1e6;
}

static const struct {
    double (*f)(double t);
    double root;
    int to;
    bool simple; /* a simple root of a function of moderate slope: superlinear convergence */
} rows[] = {
    {line, 0.7, +1, true},   {cubic, 0.58480354764257321, +1, true}, {falling, 0.72273424781341561, -1, true},
    {steep, 0.3, +1, false}, {seventh_power, 0.37, +1, false},       {jump, 0.123, +1, false},
};

/* Bisection takes some 44 evaluations; a superlinear method at most a dozen for these roots, both
   ends included. */
#define MOST_SUPERLINEAR 12.0

typedef struct counted {
    double (*f)(double t);
    double calls;
} counted;

static double evaluate(void *self, double t)
{
    counted *c = self;
    c->calls++;
    return c->f(t);
}

static bool encloses_root(double (*f)(double t), double t, int to)
{
    return f(t) * to > 0 && f(t - WIDTH) * to <= 0;
}

static void test_narrowing(void)
{
    static ic_narrow *const methods[] = {ic_narrow_by_bisection, ic_narrow_by_itp};
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        for (size_t k = 0; k < IC_COUNT(methods); k++) {
            counted self = {.f = rows[i].f};
            double iterations = 0;
            const double t = methods[k](evaluate, &self, 0, 1, rows[i].to, WIDTH, &iterations);
            const bool found = encloses_root(rows[i].f, t, rows[i].to) && fabs(t - rows[i].root) <= 2 * WIDTH;
            const double most =
                k == 1 && rows[i].simple ? MOST_SUPERLINEAR : BISECTIONS + (k == 1 ? MOST_EXTRA : 0);
            if (!found || self.calls > most)
                printf("\n%s on row %zu (root %.17g): t = %.17g after %g evaluations, at most %g\n",
                       k == 1 ? "ITP" : "bisection", i, rows[i].root, t, (double)self.calls, most);
            CU_ASSERT(found);
            CU_ASSERT(self.calls <= most);
            CU_ASSERT_FALSE(encloses_root(rows[i].f, t + 2 * WIDTH, rows[i].to)); /* planted */
            CU_ASSERT_FALSE(encloses_root(rows[i].f, t, -rows[i].to));            /* planted */
            CU_ASSERT_EQUAL(self.calls, iterations);
            /* planted: bisection is not superlinear */
            if (k == 0) CU_ASSERT(self.calls > MOST_SUPERLINEAR);
        }
    }
}

/* Without a sign change, with a zero at an end, or without any width: nothing hangs, and the answer
   lies in the interval. */
static double constant(double t)
{
    (void)t;
    return 1;
}
static double identity(double t)
{
    return t;
}
static double not_a_number(double t)
{
    (void)t;
    return NAN;
}

static void test_degenerate_intervals(void)
{
    static ic_narrow *const methods[] = {ic_narrow_by_bisection, ic_narrow_by_itp};
    for (size_t k = 0; k < IC_COUNT(methods); k++) {
        double iterations = 0;
        counted self = {.f = constant};
        CU_ASSERT(methods[k](evaluate, &self, 0, 1, +1, WIDTH, &iterations) <= WIDTH);
        CU_ASSERT(methods[k](evaluate, &self, 0, 1, -1, WIDTH, &iterations) == 1);
        CU_ASSERT(methods[k](evaluate, &self, 2, 2, +1, WIDTH, &iterations) == 2);
        /* zero at the lower end, which bisection counts with the side before it */
        self.f = identity;
        CU_ASSERT(methods[k](evaluate, &self, 0, 1, +1, WIDTH, &iterations) <= WIDTH);
        /* planted */
        CU_ASSERT_FALSE(methods[k](evaluate, &self, 0, 1, +1, WIDTH, &iterations) == 0);
        /* a width below the spacing of numbers */
        CU_ASSERT(methods[k](evaluate, &self, -1e9, 2e9, +1, 0, &iterations) >= 0);
        self.f = not_a_number;
        const double t = methods[k](evaluate, &self, 0, 1, +1, WIDTH, &iterations);
        CU_ASSERT(t >= 0 && t <= 1);
    }
}

void ic_tests_bracket(void)
{
    CU_pSuite suite = CU_add_suite("bracket", NULL, NULL);
    CU_ADD_TEST(suite, test_narrowing);
    CU_ADD_TEST(suite, test_degenerate_intervals);
}
