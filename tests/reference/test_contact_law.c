/* SPDX-License-Identifier: MIT */
/**
 * Certified answers for contact laws, against the equation of restitution, closed forms and another
 * quadrature in long double; and the closed forms in double precision against them. Each check has
 * a planted wrong answer.
 */
#include "core/expression.h"
#include "core/free_impact.h"
#include "core/restitution.h"
#include "reference/law/contact_law.h"
#include "registry/registry.h"
#include "tests/reference/balls.h"
#include "tests/tests.h"

IC_SUITE(solvers, "contact law")
IC_OWNED(ic_law_certificate, ic_law_certificate_clear)

enum { BITS = 600, MOST_PARAMETERS = 16 };

/* Mass and speed of every impact in this suite; exact as doubles. */
#define MASS 0.75
#define SPEED 2.5

static ic_law_certificate certify_law(const char *law, const char *n, const char *e, long digits)
{
    ic_law_certificate c;
    const char *const par[] = {"1e6", n, e};
    ic_law_certificate_init(&c);
    ic_law_certify(&c, ic_law_find(law), par, "0.75", "5/2", digits);
    CU_ASSERT_EQUAL_FATAL(c.status, IC_OK);
    return c;
}

/* ---- the closed forms in double precision */

#define DOUBLE_TOLERANCE 1e-14
#define PLANTED 1e-12

static void expect_value(double value, const arb_t ball)
{
    CU_ASSERT(ic_tests_agrees_with_ball(value, ball, DOUBLE_TOLERANCE));
    /* planted */
    CU_ASSERT_FALSE(ic_tests_agrees_with_ball(value * (1 + PLANTED), ball, DOUBLE_TOLERANCE));
    /* planted */
    CU_ASSERT_FALSE(ic_tests_agrees_with_ball(value * (1 - PLANTED), ball, DOUBLE_TOLERANCE));
}

/* Laws with the parameters K, n and, unless they are elastic, e. */
static bool takes_restitution(const ic_law *law)
{
    return law->stiffness != NULL && law->damping != NULL && law->n_requirements == 0;
}

static void check_closed_forms(const ic_law *law, const char *e)
{
    double par[MOST_PARAMETERS] = {1e6, 1.5};
    ic_impact_outcome outcome;
    if (law->n_parameters > 2) CU_ASSERT(ic_expression_number(&par[2], e, NULL, NULL));
    CU_ASSERT(ic_law_impact(&outcome, law, par, MASS, SPEED, NULL));
    IC_OWN(ic_law_certificate) c = certify_law(law->name, "3/2", e, 15);
    expect_value(outcome.restitution, c.e_out);
    expect_value(outcome.peak_indentation, c.d_max);
    expect_value(outcome.peak_force, c.F_max);
}

IC_TEST(test_closed_forms)
{
    for (size_t l = 0; l < ic_law_count; l++) {
        char e[32];
        if (!takes_restitution(ic_laws[l])) continue;
        for (int k = 1; k < 100 && ic_laws[l]->n_parameters > 2; k++) {
            snprintf(e, sizeof e, "0.%02d", k);
            check_closed_forms(ic_laws[l], e);
        }
        check_closed_forms(ic_laws[l], "0.999");
        check_closed_forms(ic_laws[l], "1");
    }
}

/* ---- the equations */

/* h(a) - h(a u) - slope a u */
static void energy_residual(arb_t value, const arb_t a, const arb_t u, const arb_t slope)
{
    IC_BALLS(x, log);
    arb_mul(x, a, u, BITS);
    arb_log1p(log, x, BITS);
    arb_sub(value, a, x, BITS);
    arb_add(value, value, log, BITS);
    arb_log1p(log, a, BITS);
    arb_sub(value, value, log, BITS);
    arb_submul(value, slope, x, BITS);
}

/* Returns whether the residual has opposite signs left and right of the ball moved by `shift` of
   its radii. */
static bool brackets_zero(const arb_t ball, long shift, const arb_t a, const arb_t slope)
{
    IC_BALLS(u, radius, left, right);
    arb_get_rad_arb(radius, ball);
    arb_get_mid_arb(u, ball);
    arb_addmul_si(u, radius, shift - 1, BITS);
    energy_residual(left, a, u, slope);
    arb_addmul_si(u, radius, 2, BITS);
    energy_residual(right, a, u, slope);
    return arb_sgn_nonzero(left) * arb_sgn_nonzero(right) < 0;
}

static void check_equations(const char *law, const char *n, const char *e)
{
    IC_BALLS(a, number, slope, u);
    IC_OWN(ic_law_certificate) c = certify_law(law, n, e, 30);
    /* the damping to more bits than the certificate keeps: 3/2 (1 - e) */
    CU_ASSERT_STRING_EQUAL(law, "hunt-crossley");
    arb_set_str(a, e, BITS);
    arb_sub_si(a, a, 1, BITS);
    arb_mul_si(a, a, -3, BITS);
    arb_mul_2exp_si(a, a, -1);
    CU_ASSERT(arb_overlaps(a, c.a));
    arb_neg(u, c.e_out);
    CU_ASSERT(brackets_zero(u, 0, a, slope));
    CU_ASSERT_FALSE(brackets_zero(u, 3, a, slope)); /* planted */
    arb_set_str(number, strcmp(n, "3/2") == 0 ? "1.5" : n, BITS);
    arb_add_si(slope, number, 1, BITS);
    arb_div(slope, number, slope, BITS);
    CU_ASSERT(brackets_zero(c.u_peak, 0, a, slope));
    CU_ASSERT_FALSE(brackets_zero(c.u_peak, 3, a, slope)); /* planted */
}

IC_TEST(test_equations)
{
    static const char *const wanted[] = {
        "0", "0.3", "0.8", "0.99", "0.999999999999", "0.99999999999999999999999999999"};
    static const char *const powers[] = {"1", "3/2", "2.3"};
    for (size_t i = 0; i < IC_COUNT(wanted); i++) {
        for (size_t k = 0; k < IC_COUNT(powers); k++) check_equations("hunt-crossley", powers[k], wanted[i]);
    }
}

/* ---- duration */

/* Integral of du/(H^q (1 + a u)) over one side of u = 0, by the double-exponential rule in the
   distance w from its end: h(a) - h(a (1 - w)) = a w + ln(1 - a w/(1 + a)), and for the other end
   h(-a e) - h(-a (e - w)) = -a w + ln(1 + a w/(1 - a e)). */
static long double integrate_side(long double a, long double x_end, long double whole, int sign, long double q)
{
    const long double half_pi = 1.57079632679489661923132169163975144L, step = 1.0L / 64;
    long double sum = 0;
    for (int k = -320; k <= 320; k++) {
        const long double t = k * step, s = half_pi * sinhl(t);
        const long double part = 1 / (1 + expl(-2 * s)), w = whole * part;
        const long double weight = whole * half_pi * coshl(t) * 2 * part / (1 + expl(2 * s));
        const long double H = (sign * a * w + log1pl(-sign * a * w / x_end)) / (a * a);
        if (H > 0) sum += weight / (powl(H, q) * (x_end - sign * a * w));
    }
    return sum * step;
}

static long double duration_by_quadrature(long double a, long double n)
{
    const long double q = n / (n + 1), e = (long double)ic_effective_restitution((double)a);
    const long double length = powl((long double)MASS * SPEED * SPEED / 1e6L, 1 / (n + 1));
    const long double sum = integrate_side(a, 1 + a, 1, 1, q) + integrate_side(a, 1 - a * e, e, -1, q);
    return length / SPEED * powl(n + 1, -q) * sum;
}

#define DURATION_TOLERANCE 1e-11

static void check_duration(const char *law, const char *n, const char *e)
{
    IC_OWN(ic_law_certificate) c = certify_law(law, n, e, 20);
    const double a = arf_get_d(arb_midref(c.a), ARF_RND_NEAR), power = arf_get_d(arb_midref(c.n), ARF_RND_NEAR);
    const double T = (double)duration_by_quadrature(a, power);
    CU_ASSERT(ic_tests_agrees_with_ball(T, c.duration, DURATION_TOLERANCE));
    if (!ic_tests_agrees_with_ball(T, c.duration, DURATION_TOLERANCE)) {
        arb_t z;
        arb_init(z);
        printf("%s %s %s: %.17g ", law, n, e, T), arb_printd(c.duration, 20), puts("");
    }
    /* planted */
    CU_ASSERT_FALSE(
        ic_tests_agrees_with_ball(T * (1 + 3 * DURATION_TOLERANCE), c.duration, DURATION_TOLERANCE));
}

IC_TEST(test_duration)
{
    static const char *const wanted[] = {"0.3", "0.5", "0.8", "0.9"};
    static const char *const powers[] = {"1", "3/2", "2.3"};
    for (size_t l = 0; l < ic_law_count; l++) {
        if (!takes_restitution(ic_laws[l]) || ic_laws[l]->n_parameters < 3) continue;
        for (size_t k = 0; k < IC_COUNT(powers); k++) {
            for (size_t i = 0; i < IC_COUNT(wanted); i++)
                check_duration(ic_laws[l]->name, powers[k], wanted[i]);
        }
    }
}

/* Returns whether T with this e equals T without damping to 28 digits: for small a the quadrature
   must agree with the closed form. */
static bool lasts_as_elastic(const char *n, const char *e)
{
    IC_BALLS(x, allowed);
    IC_OWN(ic_law_certificate) elastic = certify_law("hertz", n, NULL, 30);
    IC_OWN(ic_law_certificate) damped = certify_law("lee-wang", n, e, 30);
    arb_div(x, damped.duration, elastic.duration, BITS);
    arb_sub_si(x, x, 1, BITS);
    arb_abs(x, x);
    arb_set_d(allowed, 1e-28);
    return arb_le(x, allowed);
}

/* Elastic: T = pi sqrt(m/K) for n = 1, 2.94... d_max/v0 for Hertz; a changes it by at most the
   order of a. */
IC_TEST(test_elastic)
{
    static const char *const powers[] = {"1", "3/2", "2.3", "0.4", "4"};
    IC_BALLS(x, pi);
    IC_OWN(ic_law_certificate) c = certify_law("hertz", "1", NULL, 30);
    arb_set_d(x, MASS);
    arb_div_si(x, x, 1000000, BITS);
    arb_sqrt(x, x, BITS);
    arb_const_pi(pi, BITS);
    arb_mul(x, x, pi, BITS);
    CU_ASSERT(arb_is_one(c.e_out) && arb_is_zero(c.u_peak));
    CU_ASSERT(arb_contains(c.duration, x));
    arb_mul_2exp_si(pi, x, -100);
    arb_add(x, x, pi, BITS);
    CU_ASSERT_FALSE(arb_contains(c.duration, x)); /* planted */
    IC_OWN(ic_law_certificate) elastic = certify_law("hertz", "3/2", NULL, 30);
    arb_mul(x, elastic.duration, elastic.v0, BITS);
    arb_div(x, x, elastic.d_max, BITS);
    CU_ASSERT(ic_tests_agrees_with_ball(2.9432750, x, 1e-7));
    CU_ASSERT_FALSE(ic_tests_agrees_with_ball(2.9432, x, 1e-7)); /* planted */
    for (size_t i = 0; i < IC_COUNT(powers); i++) {
        CU_ASSERT(lasts_as_elastic(powers[i], "0.999999999999999999999999999999"));
        CU_ASSERT_FALSE(lasts_as_elastic(powers[i], "0.999999")); /* planted */
    }
}

/* ---- precision, path, faults */

IC_TEST(test_digits)
{
    static const char *const powers[] = {"1", "3/2", "2.3"}, *const wanted[] = {"0.01", "0.8",
                                                                                "0.999999999999"};
    for (size_t i = 0; i < 9; i++) {
        IC_OWN(ic_law_certificate) rough = certify_law("hu-guo", powers[i % 3], wanted[i / 3], 15);
        IC_OWN(ic_law_certificate) fine = certify_law("hu-guo", powers[i % 3], wanted[i / 3], 40);
        CU_ASSERT(arb_contains(rough.e_out, fine.e_out) && arb_contains(rough.u_peak, fine.u_peak));
        CU_ASSERT(arb_contains(rough.d_max, fine.d_max) && arb_contains(rough.F_max, fine.F_max));
        CU_ASSERT(arb_contains(rough.duration, fine.duration));
        CU_ASSERT_FALSE(arb_contains(fine.duration, rough.duration)); /* planted */
        CU_ASSERT(arb_rel_accuracy_bits(fine.duration) >= 132);
    }
}

IC_TEST(test_path)
{
    IC_BALLS(u, d);
    IC_OWN(ic_law_certificate) c = certify_law("flores", "2.3", "0.6", 20);
    CU_ASSERT(ic_law_indentation(d, &c, u) && arb_overlaps(d, c.d_max));
    arb_one(u);
    CU_ASSERT(ic_law_indentation(d, &c, u) && arb_contains_zero(d));
    CU_ASSERT(mag_cmp_2exp_si(arb_radref(d), -20) < 0);
    arb_neg(u, c.e_out);
    CU_ASSERT(ic_law_indentation(d, &c, u) && arb_contains_zero(d));
    CU_ASSERT(mag_cmp_2exp_si(arb_radref(d), -20) < 0);
    /* F there, K d^n (1 + a u), is the greatest: it is smaller slightly left and right of it */
    CU_ASSERT(ic_law_indentation(d, &c, c.u_peak));
    for (int sign = -1; sign <= 1; sign++) {
        IC_BALLS(force);
        arb_set_d(u, sign * 1e-4);
        arb_add(u, u, c.u_peak, BITS);
        CU_ASSERT(ic_law_indentation(d, &c, u));
        arb_pow(d, d, c.n, BITS);
        arb_mul(force, c.a, u, BITS);
        arb_add_si(force, force, 1, BITS);
        arb_mul(force, force, d, BITS);
        arb_mul(force, force, c.K, BITS);
        CU_ASSERT(sign == 0 ? arb_overlaps(force, c.F_max) : arb_lt(force, c.F_max));
    }
    arb_set_d(u, 1.001);
    CU_ASSERT_FALSE(ic_law_indentation(d, &c, u));
    arb_set_d(u, -0.9);
    CU_ASSERT_FALSE(ic_law_indentation(d, &c, u));
}

IC_TEST(test_faults)
{
    static const struct {
        const char *K, *n, *e, *m, *v0, *said;
    } rows[] = {
        {"0", "3/2", "0.5", "1", "1", "stiffness"}, {"-1", "3/2", "0.5", "1", "1", "stiffness"},
        {"1", "0", "0.5", "1", "1", "power"},       {"1", "-1", "0.5", "1", "1", "power"},
        {"1", "1", "1.5", "1", "1", "damping"},     {"1", "1", "0", "1", "1", "division by zero"},
        {"1", "1", "0.5", "0", "1", "mass"},        {"1", "1", "0.5", "1", "-2", "speed"},
        {"1", "1", "0.5", "1", "1..2", "number"},   {"1", "1", "x", "1", "1", "unknown name"},
    };
    IC_OWN(ic_law_certificate) c;
    ic_law_certificate_init(&c);
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        const char *const par[] = {rows[i].K, rows[i].n, rows[i].e};
        ic_law_certify(&c, ic_law_find("gonthier"), par, rows[i].m, rows[i].v0, 15);
        CU_ASSERT_EQUAL(c.status, IC_INVALID);
        CU_ASSERT(strstr(c.message, rows[i].said) != NULL);
    }
    ic_law_certify(&c, ic_law_find("gonthier"), NULL, "1", "1", 15); /* planted: valid input */
    CU_ASSERT(c.status == IC_OK && c.message[0] == '\0');
    ic_law_certify(&c, ic_law_find("gonthier"), NULL, "1", "1", 0);
    CU_ASSERT_EQUAL(c.status, IC_INVALID);
    ic_law silent = *ic_law_find("gonthier");
    silent.damping = NULL;
    ic_law_certify(&c, &silent, NULL, "1", "1", 15);
    CU_ASSERT_EQUAL(c.status, IC_UNSUPPORTED);
    /* a = sqrt(2)^2 - 2 is 0, which no precision proves */
    silent.damping = "sqrt(2)^2 - 2";
    ic_law_certify(&c, &silent, NULL, "1", "1", 15);
    CU_ASSERT_EQUAL(c.status, IC_UNDECIDED);
    CU_ASSERT(strstr(c.message, "damping") != NULL);
}
