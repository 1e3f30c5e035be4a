/* SPDX-License-Identifier: MIT */
/** Contact-force laws: what they promise of their force, and that their texts say what their functions do. */
#include "core/expression.h"
#include "core/registry.h"
#include "core/restitution.h"
#include "validation/tests/tests.h"

#include <CUnit/CUnit.h>
#include <float.h>
#include <math.h>

/* A dozen roundings. */
#define SUMMATION (16 * DBL_EPSILON)

enum { MOST_PARAMETERS = 16, POINTS = 200 };

static double uniform(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 16777216.0;
}

/* A case that has the law's parameters and nothing else, for expressions in them. */
static ic_case parameters_of(const ic_law *law)
{
    return (ic_case){.parameters = law->parameters, .n_parameters = law->n_parameters};
}

static void take_defaults(double *par, const ic_law *law)
{
    const ic_case system = parameters_of(law);
    const ic_names names = {.system = &system, .par = par};
    CU_ASSERT_FATAL(law->n_parameters <= MOST_PARAMETERS);
    for (size_t i = 0; i < law->n_parameters; i++) {
        CU_ASSERT(ic_expression_number(&par[i], law->parameters[i].value, &names, NULL));
    }
}

static double stated(const ic_law *law, const double *par, const char *text)
{
    const ic_case system = parameters_of(law);
    double value = NAN;
    CU_ASSERT(ic_expression_number(&value, text, &(const ic_names){.system = &system, .par = par}, NULL));
    return value;
}

/* K d^n (1 + a v/v0) by the texts is the force; the power differs from 3/2 half of the time. */
static void test_texts(void)
{
    unsigned seed = 1;
    for (size_t l = 0; l < ic_law_count; l++) {
        const ic_law *law = ic_laws[l];
        double par[MOST_PARAMETERS] = {0};
        if (law->damping == NULL) continue;
        take_defaults(par, law);
        for (int k = 0; k < POINTS; k++) {
            const double d = 1e-3 * uniform(&seed), v = 2 * uniform(&seed) - 1, v0 = 0.1 + uniform(&seed);
            if (k % 2 == 1) par[1] = 1 + uniform(&seed);
            if (law->n_parameters > 2) par[2] = 0.01 + 0.98 * uniform(&seed);
            const double spring = stated(law, par, law->stiffness) * pow(d, stated(law, par, law->power));
            const double damping = stated(law, par, law->damping);
            const double force = law->force(d, v, v0, par), size = spring * (1 + fabs(damping * v / v0));
            CU_ASSERT(fabs(force - spring * (1 + damping * v / v0)) <= SUMMATION * size);
            CU_ASSERT_FALSE(fabs(force - spring * (1.001 + damping * v / v0)) <=
                            SUMMATION * size); /* planted */
        }
    }
}

/* The force begins at 0, and pulls nowhere on a free impact; damping is not negative. */
static void test_promises(void)
{
    for (size_t l = 0; l < ic_law_count; l++) {
        const ic_law *law = ic_laws[l];
        double par[MOST_PARAMETERS] = {0};
        take_defaults(par, law);
        for (int k = 1; k < 100 && law->n_parameters > 2; k++) {
            par[2] = k / 100.0;
            const double a = stated(law, par, law->damping), e = ic_effective_restitution(a);
            CU_ASSERT(law->force(0, 1, 1, par) == 0 || (law->promises & IC_LAW_CONTINUOUS_ONSET) == 0);
            CU_ASSERT((a >= 0 && e > 0 && e <= 1) || (law->promises & IC_LAW_ONLY_LOSES) == 0);
            CU_ASSERT(law->force(1e-3, -e, 1, par) >= 0 || (law->promises & IC_LAW_NO_TENSION) == 0);
            CU_ASSERT(law->force(1e-3, -1 / a - 1e-3, 1, par) <
                      0); /* faster than a free impact ever is: planted */
        }
    }
}

/* Against the equation itself, a (1 + e) = ln((1 + a)/(1 - a e)), where it is well-conditioned; and the limits. */
static void test_restitution(void)
{
    for (int k = 0; k <= 67; k++) { /* 0.05 to 30 */
        const double a = 0.05 * pow(1.1, k);
        const double e = ic_effective_restitution(a);
        const double residual = a * (1 + e) - log1p(a) + log1p(-a * e), slope = a - a / (1 - a * e);
        CU_ASSERT(fabs(residual / slope) <= SUMMATION * (1 + 1 / a));
        CU_ASSERT_FALSE(fabs(residual / slope + 1e-9) <= SUMMATION * (1 + 1 / a)); /* planted */
        const double u = ic_velocity_at_peak_force(a, 1.5);
        CU_ASSERT(fabs(a - log1p(a) - (a * u - log1p(a * u)) - 0.6 * a * u) <= SUMMATION * (1 + a));
    }
    CU_ASSERT(ic_effective_restitution(0) == 1 && isnan(ic_effective_restitution(-0.1)));
    CU_ASSERT(fabs(ic_effective_restitution(1e-6) - (1 - 2e-6 / 3 + 4e-12 / 9)) < SUMMATION);
    CU_ASSERT(fabs(ic_effective_restitution(1e3) - 1e-3) < DBL_EPSILON);
    /* elastic: (1/2) m v0^2 = K d^(n+1)/(n + 1) */
    CU_ASSERT(fabs(ic_peak_indentation(0, 1, 2, 8, 3) - 1.5) < SUMMATION);
    CU_ASSERT(fabs(ic_peak_force(0, 1, 2, 8, 3) - 12) < 12 * SUMMATION);
}

void ic_tests_laws(void)
{
    CU_pSuite suite = CU_add_suite("laws", NULL, NULL);
    CU_ADD_TEST(suite, test_texts);
    CU_ADD_TEST(suite, test_promises);
    CU_ADD_TEST(suite, test_restitution);
}
