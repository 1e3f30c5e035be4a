/* SPDX-License-Identifier: MIT */
/** Solutions of Painleve's rod: points of each region, boxes across its borders, sums of shares, the critical friction. */
#include "reference/closed/painleve.h"
#include "tests/tests.h"

IC_SUITE(solvers, "Painleve's rod")

static int at(double mu, double degrees, double kappa, double spin, double width)
{
    const ic_painleve_box box = {{mu, degrees / 180, kappa}, {width, width, width}};
    return ic_painleve_solutions(&box, spin);
}

/* mu = 5/3, kappa = 3: p < 0 from 45 degrees to atan 4 = 75.96 degrees. */
IC_TEST(test_points)
{
    const double mu = 5.0 / 3, small = 0x1p-40;
    CU_ASSERT_EQUAL(at(mu, 31, 3, 0, small), 1);
    CU_ASSERT_EQUAL(at(mu, 60, 3, 0, small), 0);
    CU_ASSERT_EQUAL(at(mu, 60, 3, 2, small), 2);
    CU_ASSERT_EQUAL(at(mu, 80, 3, 2, small), 1);
    CU_ASSERT_EQUAL(at(1, 60, 3, 0, small), 1);
    /* across p = 0 and b = 0 */
    CU_ASSERT_EQUAL(at(mu, 45 - 1e-10, 3, 0, small), -1);
    CU_ASSERT_EQUAL(at(mu, 60, 3, 1 / sin(acos(-1) / 3), small), -1);
    CU_ASSERT_EQUAL(at(0, 0, 1, 0, 2), -1);
}

IC_TEST(test_shares)
{
    static const ic_painleve_box whole = {{0, 0, 1}, {2, 0.5, 3}};
    const ic_painleve_shares rough = ic_painleve_map(&whole, 1.25, 9), fine = ic_painleve_map(&whole, 1.25, 12);
    CU_ASSERT_EQUAL(rough.with[0] + rough.with[1] + rough.with[2] + rough.undecided, 512);
    CU_ASSERT_EQUAL(fine.with[0] + fine.with[1] + fine.with[2] + fine.undecided, 4096);
    CU_ASSERT(rough.undecided > 0 && fine.undecided < 8 * rough.undecided);
    for (int i = 0; i < 3; i++) CU_ASSERT(fine.with[i] >= 8 * rough.with[i] && fine.with[i] > 0);
}

/* Some 50 roundings of an angle of up to 90 degrees: 90 * 50 * DBL_EPSILON. */
#define ROUNDING 1e-12

IC_TEST(test_critical)
{
    IC_BALLS(mu, upper);
    ic_painleve_critical_friction(mu, 3, 1, 96);
    arb_mul_ui(mu, mu, 3, 96);
    CU_ASSERT(arb_contains_si(mu, 4));
    CU_ASSERT_FALSE(arb_contains_si(mu, 5));
    CU_ASSERT_EQUAL(ic_painleve_discriminant_sign(4, 3, 3, 1), 0);
    CU_ASSERT_EQUAL(ic_painleve_discriminant_sign(1333333, 1000000, 3, 1), -1);
    CU_ASSERT_EQUAL(ic_painleve_discriminant_sign(1333334, 1000000, 3, 1), 1);
    CU_ASSERT_FALSE(ic_painleve_angles(mu, upper, 1.25, 3, 96));
    /* mu = 1.5, kappa = 8: t = 6 +- sqrt(27) */
    CU_ASSERT_FATAL(ic_painleve_angles(mu, upper, 1.5, 8, 96));
    const double degree = 180 / acos(-1);
    CU_ASSERT_DOUBLE_EQUAL(arf_get_d(arb_midref(mu), ARF_RND_NEAR), atan(6 - sqrt(27)) * degree, ROUNDING);
    CU_ASSERT_DOUBLE_EQUAL(arf_get_d(arb_midref(upper), ARF_RND_NEAR), atan(6 + sqrt(27)) * degree, ROUNDING);
}
