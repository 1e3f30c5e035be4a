/* SPDX-License-Identifier: MIT */
/**
 * The reference itself: expressions in ball arithmetic, the certifier against closed forms and
 * against an independent integration, its refusal to guess, and certified orbits. Checks assert
 * containment; each has a planted wrong answer.
 */
#include "core/model.h"
#include "reference/expression.h"
#include "reference/flow/certify.h"
#include "reference/law/analytic.h"
#include "tests/machine.h"

IC_SUITE(solvers, "reference")

enum { BITS = 200 };

static void certify_preset(ic_certificate *c, const char *path, const char *setting, const char *until,
                           long digits)
{
    const ic_request request = {
        .path = path, .settings = &setting, .n_settings = setting != NULL, .until = until};
    IC_OWN(ic_setup) setup = ic_tests_setup(&request);
    ic_certify(c, &setup.problem, &(ic_certify_options){.digits = digits});
}

static bool contains_double(const arb_t ball, const char *decimal)
{
    IC_BALLS(value);
    arb_set_str(value, decimal, BITS);
    return arb_overlaps(ball, value);
}

/* ---- expressions */

IC_TEST(test_numbers)
{
    static const struct {
        const char *text, *value, *wrong;
    } rows[] = {
        {"0.1", "0.1", "0.1000000000000000055511"}, /* the double nearest to 0.1 is not 0.1 */
        {"80pi", "251.327412287183459077011470662360", "251.327412287183459077011470662"},
        {"3/2", "1.5", "1.5000000000000000000001"},
        {"5.06e5", "506000", "506000.0000000000000001"},
        {"-2^2 + 2(1 + 1)", "0", "1e-40"},
        {"sqrt(2)^2 - 2", "0", "1e-40"},
        {"sin(pi/6)", "0.5", "0.50000000000000000000000001"},
        {"2(3 + 1)^2", "32", "64"},
        {"2^-3", "0.125", "0.12500000000000000000001"},
        {"exp(0) + cos(0)", "2", "2.00000000000000000000001"},
    };
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        IC_BALLS(value);
        CU_ASSERT(ic_ball_number(value, rows[i].text, NULL, BITS, NULL, 0));
        CU_ASSERT(contains_double(value, rows[i].value) || strcmp(rows[i].text, "80pi") == 0);
        CU_ASSERT_FALSE(contains_double(value, rows[i].wrong)); /* planted */
    }
}

IC_TEST(test_refused)
{
    static const char *const texts[] = {"",     "abc",   "1/0",      "1 2",   "(1",        "nan",
                                        "inf",  "1..2",  "sqrt(-1)", "2^65",  "1e99999",   ".",
                                        "0^-1", "sin 1", "t",        "2^0.5", "1/(1 - 1)", "1/2pi"};
    for (size_t i = 0; i < IC_COUNT(texts); i++) {
        char message[128] = "";
        IC_BALLS(value);
        CU_ASSERT_FALSE(ic_ball_number(value, texts[i], NULL, BITS, message, sizeof message));
        CU_ASSERT(strlen(message) > 0);
    }
}

/* Value and slope over w of an analytic expression at w = 1/2, where d = 1/4: w^k g, k w^(k-1) g +
   w^k g'. */
static bool has_jet(const char *text, double value, double slope)
{
    enum { LENGTH = 2 };
    IC_COMPLEX_BALLS(w);
    char message[128] = "";
    ic_analytic_value v = {.g = _acb_vec_init(LENGTH), .length = LENGTH};
    acb_set_d(w, 0.5);
    const bool read =
        ic_analytic_text(&v, text, &(ic_analytic_names){0}, w, BITS, message, sizeof message) == IC_OK;
    const double g = arf_get_d(arb_midref(acb_realref(v.g)), ARF_RND_NEAR);
    const double dg = arf_get_d(arb_midref(acb_realref(v.g + 1)), ARF_RND_NEAR);
    const double power = ldexp(1, -(int)v.k), power_slope = 2 * (double)v.k * power;
    _acb_vec_clear(v.g, LENGTH);
    return read && power * g == value && power_slope * g + power * dg == slope;
}

/* Functions whose argument vanishes at d = 0; if it is infinite there, they are not analytic. d =
   w^2 has the slope 1. */
IC_TEST(test_functions_of_series)
{
    IC_COMPLEX_BALLS(w, g);
    char message[128] = "";
    acb_set_d(w, 0.5);
    ic_analytic_value v = {.g = g, .length = 1};
    CU_ASSERT(has_jet("cos(d)", cos(0.25), -sin(0.25)));
    CU_ASSERT(has_jet("exp(d)", exp(0.25), exp(0.25)));
    CU_ASSERT_FALSE(has_jet("exp(d)", exp(0.5), exp(0.5))); /* planted: of w */
    CU_ASSERT_EQUAL(ic_analytic_text(&v, "exp(1/d)", &(ic_analytic_names){0}, w, BITS, message, sizeof message),
                    IC_UNSUPPORTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(message, "infinite at d = 0"));
}

/* (1 + d)^n with d = w^2 has the slope 2 n w (1 + d)^(n-1); all of these are sums of a few powers
   of 2. */
IC_TEST(test_powers_of_series)
{
    CU_ASSERT(has_jet("(1 + d)^0", 1, 0));
    CU_ASSERT(has_jet("(1 + d)^1", 1.25, 1));
    CU_ASSERT(has_jet("(1 + d)^3", 1.953125, 4.6875));
    CU_ASSERT(has_jet("d^2", 0.0625, 0.5));
    CU_ASSERT(has_jet("(2d)^3", 0.125, 1.5));
    CU_ASSERT(has_jet("d^-1", 4, -16));
    CU_ASSERT_FALSE(has_jet("(1 + d)^3", 1.953125, 6.25)); /* planted: no chain rule */
    CU_ASSERT_FALSE(has_jet("d^2", 0.25, 1));              /* planted: without the power */
}

/* ---- the certifier against closed forms */

/* Impact n = 0, 1, ... from height h at rest: t_0 (1 + 2 (e + ... + e^n)), t_0 = sqrt(2 h/g). */
static void impact_time(arb_t t, long n, const arb_t h, const arb_t g, const arb_t e)
{
    IC_BALLS(sum, power);
    arb_one(power);
    for (long i = 0; i < n; i++) {
        arb_mul(power, power, e, BITS);
        arb_add(sum, sum, power, BITS);
    }
    arb_mul_2exp_si(sum, sum, 1);
    arb_add_si(sum, sum, 1, BITS);
    arb_mul_2exp_si(t, h, 1);
    arb_div(t, t, g, BITS);
    arb_sqrtpos(t, t, BITS);
    arb_mul(t, t, sum, BITS);
}

IC_TEST(test_bouncing_ball)
{
    IC_OWN(ic_certificate) c;
    IC_BALLS(h, g, e, t);
    certify_preset(&c, "bouncing-ball/drop", "e=7/10", "2.4", 40);
    CU_ASSERT_EQUAL(c.status, IC_OK);
    CU_ASSERT(c.count >= 5);
    arb_one(h);
    arb_set_str(g, "9.81", BITS);
    arb_set_str(e, "0.7", BITS);
    for (size_t i = 0; i < c.count; i++) {
        impact_time(t, (long)i, h, g, e);
        CU_ASSERT(arb_overlaps(c.events[i].t, t));
        CU_ASSERT(mag_cmp_2exp_si(arb_radref(c.events[i].t), -120) < 0);
        arb_set_str(e, "0.70000000000000000000000001", BITS);
        impact_time(t, (long)i, h, g, e);
        CU_ASSERT_FALSE(i > 0 && arb_overlaps(c.events[i].t, t)); /* planted */
        arb_set_str(e, "0.7", BITS);
    }
}

/* ---- the certifier against an integration that shares nothing with it: classical Runge-Kutta in
   long double, written for the roller in contact from static rest until the force falls to zero
   (Case II) */

static void contact_flow(long double *dx, long double t, const long double *x)
{
    const long double pi = 3.14159265358979323846264338327950288L;
    const long double suspension = 1e4L * (x[3] - x[1]) + 1e6L * (x[2] - x[0]);
    const long double force = -5.06e5L * x[1] - 2e8L * x[0];
    dx[0] = x[1];
    dx[1] = -9.81L + (force + suspension - 58800.0L * sinl(40 * pi * t)) / 2000;
    dx[2] = x[3];
    dx[3] = -9.81L - suspension / 1000;
}

static void long_double_step(long double *x, long double t, long double h)
{
    static const long double part[4] = {0, 0.5L, 0.5L, 1};
    long double k[4][4], y[4];
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < 4; i++) y[i] = x[i] + (s > 0 ? part[s] * h * k[s - 1][i] : 0);
        contact_flow(k[s], t + part[s] * h, y);
    }
    for (int i = 0; i < 4; i++) x[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

static long double force_after(long double t_end, int steps)
{
    long double x[4] = {-3000 * 9.81L / 2e8L, 0, -3000 * 9.81L / 2e8L - 1000 * 9.81L / 1e6L, 0};
    const long double h = t_end / steps;
    for (int i = 0; i < steps; i++) long_double_step(x, i * h, h);
    return -5.06e5L * x[1] - 2e8L * x[0];
}

/* Steps of 0.029 s/60000: the error of order 4 is far below the asserted 1e-14 s (the force falls
   at 1e7 N/s). */
enum { LONG_STEPS = 60000 };
#define SIDE 1e-14L

IC_TEST(test_roller_separation)
{
    IC_OWN(ic_certificate) c;
    certify_preset(&c, "roller/II/C", NULL, "0.05", 25);
    CU_ASSERT_EQUAL_FATAL(c.status, IC_OK);
    CU_ASSERT_EQUAL_FATAL(c.count, 1);
    const long double t = (long double)arf_get_d(arb_midref(c.events[0].t), ARF_RND_NEAR);
    CU_ASSERT(force_after(t - SIDE, LONG_STEPS) > 0);
    CU_ASSERT(force_after(t + SIDE, LONG_STEPS) < 0);
    CU_ASSERT_FALSE(force_after(t + 3 * SIDE, LONG_STEPS) > 0); /* planted */
}

/* ---- the certifier does not guess */

IC_TEST(test_undecided)
{
    IC_OWN(ic_certificate) c, at_the_end, before;
    certify_preset(&c, "bouncing-ball/drop", NULL, "2", 15);
    CU_ASSERT_EQUAL(c.status, IC_ZENO);
    CU_ASSERT(strstr(c.reason, "accumulate") != NULL && c.count > 10);
    /* thrown up from the floor with the end of the run exactly at the impact, 2 v0/g = 2 s */
    static const char *const settings[] = {"h=0", "v0=9.81"};
    IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){"bouncing-ball/drop", settings, 2, "2", NULL});
    ic_certify(&at_the_end, &setup.problem, &(ic_certify_options){.digits = 10, .max_precision = 400});
    CU_ASSERT_EQUAL(at_the_end.status, IC_UNDECIDED);
    CU_ASSERT(strlen(at_the_end.reason) > 0);
    CU_ASSERT(ic_setup_until(&setup, "1.9", NULL));
    ic_certify(&before, &setup.problem, &(ic_certify_options){.digits = 10});
    CU_ASSERT_EQUAL(before.status, IC_OK);
    CU_ASSERT_EQUAL(before.count, 0);
}

IC_TEST(test_decimal)
{
    IC_BALLS(ball);
    IC_OWN(char) *value = NULL, *radius = NULL;
    arb_set_str(ball, "0.333333333333333333333 +/- 1e-18", BITS);
    CU_ASSERT(ic_ball_decimal(&value, &radius, ball, 10));
    CU_ASSERT_STRING_EQUAL(value, "0.3333333333");
    CU_ASSERT(strtod(radius, NULL) >= 3.33e-11 &&
              strtod(radius, NULL) < 4e-11);       /* contains the rounding of the centre */
    CU_ASSERT_FALSE(strtod(radius, NULL) < 1e-17); /* planted */
}
