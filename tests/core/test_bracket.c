/* SPDX-License-Identifier: MIT */
/**
 * Narrowing of a sign change: what both methods promise; ITP is faster where possible, and never
 * slower.
 */
#include "core/bracket.h"
#include "impactcheck/impactcheck.h"
#include "tests/tests.h"

IC_SUITE(light, "bracket")

#define WIDTH 1e-13
/* Evaluations of bisection on an interval of length 1: log2(1/WIDTH), rounded up. */
#define BISECTIONS 44.0
/* ITP evaluates both ends, and may need n0 = 1 more inside. */
#define MOST_EXTRA 3.0

#define FUNCTION(name_, value_)                                                                                \
    static double name_(double t)                                                                              \
    {                                                                                                          \
        (void)t;                                                                                               \
        return value_;                                                                                         \
    }
FUNCTION(line, 3 * (t - 0.7))
FUNCTION(cubic, t *t *t - 0.2)
FUNCTION(falling, cos(t) - 0.75)
FUNCTION(steep, expm1(50 * (t - 0.3)))
FUNCTION(seventh_power, pow(t - 0.37, 7)) /* a root of order seven: the secant does not help */
FUNCTION(jump, t < 0.123 ? -1e-3 : 1e6)

static const struct {
    double (*f)(double t);
    double root;
    int to;

    /* a simple root of a function of moderate slope: superlinear convergence */
    bool simple;
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

static const struct {
    const char *name;
    ic_narrow *narrow;
} methods[] = {{"bisection", ic_narrow_by_bisection}, {"ITP", ic_narrow_by_itp}};

IC_TEST(test_narrowing)
{
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        for (size_t k = 0; k < IC_COUNT(methods); k++) {
            counted self = {.f = rows[i].f};
            double iterations = 0;
            const double t = methods[k].narrow(evaluate, &self, 0, 1, rows[i].to, WIDTH, &iterations);
            const bool found = encloses_root(rows[i].f, t, rows[i].to) && fabs(t - rows[i].root) <= 2 * WIDTH;
            double most = BISECTIONS;
            if (k == 1) most = rows[i].simple ? MOST_SUPERLINEAR : BISECTIONS + MOST_EXTRA;
            if (!found || self.calls > most)
                printf(
                    "\n%s on row %zu: t = %.17g after %g evaluations, expected just after the root, from %.17g "
                    "to %.17g, after at most %g\n",
                    methods[k].name, i, t, self.calls, rows[i].root, rows[i].root + WIDTH, most);
            CU_ASSERT(found);
            CU_ASSERT(self.calls <= most);
            CU_ASSERT_FALSE(encloses_root(rows[i].f, t + 2 * WIDTH, rows[i].to)); /* planted */
            CU_ASSERT_FALSE(encloses_root(rows[i].f, t, -rows[i].to));            /* planted */
            IC_EXPECT(self.calls == iterations, "%s on row %zu: counted %g evaluations, expected %g",
                      methods[k].name, i, iterations, self.calls);
            /* planted: bisection is not superlinear */
            if (k == 0) CU_ASSERT(self.calls > MOST_SUPERLINEAR);
        }
    }
}

/* Without a sign change, with a zero at an end, or without any width: nothing hangs, and the answer
   lies in the interval. */
FUNCTION(constant, 1)
FUNCTION(identity, t)
FUNCTION(not_a_number, NAN)

/* Whether a method's answer lies in [least, most]; if not, prints it. */
static bool lies_in(const char *method, const char *of, double t, double least, double most)
{
    if (least <= t && t <= most) return true;
    printf("\n%s, %s: t = %.17g, expected from %.17g to %.17g\n", method, of, t, least, most);
    return false;
}

IC_TEST(test_degenerate_intervals)
{
    static const struct {
        const char *what;
        double (*f)(double t);
        double low, high;
        int to;
        double width;

        /* The answer lies between these numbers. */
        double least, most;
    } cases[] = {
        {"no change of sign, on the side sought", constant, 0, 1, +1, WIDTH, 0, WIDTH},
        {"no change of sign, on the other side", constant, 0, 1, -1, WIDTH, 1, 1},
        {"no length", constant, 2, 2, +1, WIDTH, 2, 2},
        /* Bisection counts the zero with the side before it. */
        {"a zero at the lower end", identity, 0, 1, +1, WIDTH, 0, WIDTH},
        {"a width below the spacing of numbers", identity, -1e9, 2e9, +1, 0, 0, 2e9},
        {"not a number", not_a_number, 0, 1, +1, WIDTH, 0, 1},
    };
    for (size_t k = 0; k < IC_COUNT(methods); k++) {
        for (size_t i = 0; i < IC_COUNT(cases); i++) {
            double iterations = 0;
            counted self = {.f = cases[i].f};
            const double t = methods[k].narrow(evaluate, &self, cases[i].low, cases[i].high, cases[i].to,
                                               cases[i].width, &iterations);
            CU_ASSERT(lies_in(methods[k].name, cases[i].what, t, cases[i].least, cases[i].most));
            /* planted: the zero itself, which is not on the side sought */
            if (cases[i].f == identity) CU_ASSERT_FALSE(t == cases[i].low);
        }
    }
}
