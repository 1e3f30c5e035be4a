/* SPDX-License-Identifier: MIT */
/**
 * Certified answers for contact laws other than power laws with a stated damping: general elastic
 * parts, stated restitution, linear laws; and refusals. Each check has a planted wrong answer.
 */
#include "core/free_impact.h"
#include "core/model.h"
#include "reference/law/contact_law.h"
#include "tests/machine.h"
#include "tests/reference/balls.h"
#include "validation/checks/judges.h"

#include <float.h>

IC_SUITE(solvers, "law certificates")
IC_OWNED(ic_law_certificate, ic_law_certificate_clear)

enum { BITS = 400, MOST_PARAMETERS = 16 };

/* Mass and speed of every impact in this suite. */
#define MASS 0.75
#define SPEED 2.5

static ic_law_certificate certify_law(const char *law, const char *const *par, long digits)
{
    ic_law_certificate c;
    ic_law_certificate_init(&c);
    ic_law_certify(&c, ic_law_find(law), par, "0.75", "5/2", digits);
    CU_ASSERT_EQUAL_FATAL(c.status, IC_OK);
    return c;
}

/* ---- general elastic parts: constants by tanh-sinh quadrature of dt = dd/v with 75 digits, u by
   Lambert's W */

static const struct {
    const char *law, *e_out, *u_peak, *d_max, *F_max, *duration;
} elastic[] = {
    {"liu", "1", "0", "8.1535439869319896569674908001769e-5", "66763.098025042802815006253423109",
     "9.7856973953024223019983302e-5"},
    {"bai-zhao", "0.78736491912465195981037178699769", "0.27252090663034387444362311412568",
     "6.4989069124177315482924266722965e-5", "68632.049939257409081587143972415",
     "8.8627925215207992102153855e-5"},
};

/* Returns whether a printed constant is that of the ball: half a unit of its last digit is less
   than `part` of it. */
static bool is_constant(const char *constant, const arb_t ball, double part)
{
    IC_BALLS(x, radius);
    arb_set_str(x, constant, BITS);
    arb_set_d(radius, part);
    arb_mul(radius, radius, x, BITS);
    arb_get_mid_arb(x, x);
    arb_add_error(x, radius);
    return arb_overlaps(x, ball);
}

#define CONSTANT_PART 1e-25

static void expect_constant(const char *constant, arb_t ball)
{
    CU_ASSERT(is_constant(constant, ball, CONSTANT_PART));
    IC_BALLS(part);
    arb_set_d(part, 3 * CONSTANT_PART);
    arb_add_si(part, part, 1, BITS);
    arb_mul(ball, ball, part, BITS);
    CU_ASSERT(arb_is_zero(ball) || !is_constant(constant, ball, CONSTANT_PART)); /* planted */
}

IC_TEST(test_elastic_constants)
{
    for (size_t i = 0; i < IC_COUNT(elastic); i++) {
        IC_OWN(ic_law_certificate) c = certify_law(elastic[i].law, NULL, 30);
        expect_constant(elastic[i].e_out, c.e_out);
        expect_constant(elastic[i].u_peak, c.u_peak);
        expect_constant(elastic[i].d_max, c.d_max);
        expect_constant(elastic[i].F_max, c.F_max);
        expect_constant(elastic[i].duration, c.duration);
    }
}

/* ---- containment */

IC_TEST(test_digits)
{
    static const long digits[] = {15, 30, 60};
    static const char *const laws[] = {"liu",          "bai-zhao",       "gonthier-exact",
                                       "kelvin-voigt", "kelvin-voigt-B", "kelvin-voigt-C"};
    for (size_t l = 0; l < IC_COUNT(laws); l++) {
        ic_law_certificate c[3];
        for (size_t i = 0; i < 3; i++) c[i] = certify_law(laws[l], NULL, digits[i]);
        for (size_t i = 0; i < 2; i++) {
            CU_ASSERT(arb_contains(c[i].e_out, c[i + 1].e_out) && arb_contains(c[i].u_peak, c[i + 1].u_peak));
            CU_ASSERT(arb_contains(c[i].d_max, c[i + 1].d_max) && arb_contains(c[i].F_max, c[i + 1].F_max));
            CU_ASSERT(arb_contains(c[i].duration, c[i + 1].duration));
            CU_ASSERT_FALSE(arb_contains(c[i + 1].duration, c[i].duration)); /* planted */
        }
        CU_ASSERT(arb_rel_accuracy_bits(c[2].duration) >= 199);
        for (size_t i = 0; i < 3; i++) ic_law_certificate_clear(&c[i]);
    }
}

/* Almost no damping: differences cancel, so that the precision is increased, and each answer has
   the requested digits. */
IC_TEST(test_digits_that_cancel)
{
    enum { DIGITS = 30, ENOUGH = 99 /* 30 log2(10), less one */ };
    const char *const par[] = {"1e6", "3/2", "0.999999999999"}, *const plain[] = {"1e6", "3/2", "0.5"};
    IC_OWN(ic_law_certificate) begun = certify_law("gonthier-exact", plain, DIGITS);
    IC_OWN(ic_law_certificate) c = certify_law("gonthier-exact", par, DIGITS);
    CU_ASSERT(c.precision > begun.precision);
    const arb_srcptr answers[] = {c.e_out, c.u_peak, c.d_max, c.F_max, c.duration};
    for (size_t i = 0; i < IC_COUNT(answers); i++) CU_ASSERT(arb_rel_accuracy_bits(answers[i]) >= ENOUGH);
}

/* ---- stated restitution: f(a) = h(a) - h(-a e) falls through 0 at a */

static int sign_at(const arb_t a, const char *e)
{
    IC_BALLS(f, x);
    arb_set_str(x, e, 2000);
    arb_mul(x, x, a, 2000);
    arb_add(f, a, x, 2000);
    arb_neg(x, x);
    arb_log1p(x, x, 2000);
    arb_add(f, f, x, 2000);
    arb_log1p(x, a, 2000);
    arb_sub(f, f, x, 2000);
    const int sign = arb_is_finite(f) ? arb_sgn_nonzero(f) : -1; /* past 1/e */
    return sign;
}

IC_TEST(test_stated_restitution)
{
    static const char *const wanted[] = {"0.01", "0.1",   "0.5",
                                         "0.9",  "0.999", "0.99999999999999999999999999999"};
    for (size_t i = 0; i < IC_COUNT(wanted); i++) {
        const char *const par[] = {"1e6", "3/2", wanted[i]};
        IC_BALLS(low, high);
        IC_OWN(ic_law_certificate) c = certify_law("gonthier-exact", par, 20);
        arb_get_lbound_arf(arb_midref(low), c.a, BITS);
        arb_get_ubound_arf(arb_midref(high), c.a, BITS);
        CU_ASSERT(sign_at(low, wanted[i]) > 0 && sign_at(high, wanted[i]) < 0);
        /* planted: right of the zero is not left of it */
        CU_ASSERT_FALSE(sign_at(high, wanted[i]) > 0);
        CU_ASSERT(is_constant(wanted[i], c.e_out, CONSTANT_PART));
        CU_ASSERT(arb_rel_accuracy_bits(c.a) > 60);
    }
}

/* e = 1 is Hertz's law, exactly. */
IC_TEST(test_no_damping)
{
    const char *const par[] = {"1e6", "3/2", "1"}, *const less[] = {"1e6", "3/2", "0.999999"};
    IC_OWN(ic_law_certificate) hertz = certify_law("hertz", par, 20);
    IC_OWN(ic_law_certificate) exact = certify_law("gonthier-exact", par, 20);
    IC_OWN(ic_law_certificate) damped = certify_law("gonthier-exact", less, 20);
    CU_ASSERT(arb_is_zero(exact.a) && arb_is_one(exact.e_out) && arb_equal(hertz.duration, exact.duration));
    CU_ASSERT_FALSE(arb_overlaps(hertz.duration, damped.duration)); /* planted */
}

/* ---- linear laws, against Taylor's series of d'' = -d - 2 zeta d' in long double; time in
   sqrt(m/k), d in v0 sqrt(m/k) */

typedef struct motion {
    long double d, v, t;
} motion;

enum { ORDER = 20 };
#define STEP 0.03125L /* STEP^ORDER/ORDER! = 3e-49 */

static motion advance_series(motion x, long double h, long double zeta)
{
    long double d = x.d, v = x.v, power = 1; /* derivatives of orders i and i + 1 */
    motion y = {0, 0, x.t + h};
    for (int i = 0; i < ORDER; i++) {
        const long double next = -d - 2 * zeta * v;
        y.d += power * d;
        y.v += power * v;
        power *= h / (i + 1);
        d = v;
        v = next;
    }
    return y;
}

/* The function whose zero is sought: d, F, -v, or -F', each positive before. */
typedef enum quantity { INDENTATION, FORCE, VELOCITY, RATE } quantity;

static long double value_of(quantity what, motion x, long double zeta)
{
    const long double force = x.d + 2 * zeta * x.v, rate = x.v - 2 * zeta * force;
    return what == INDENTATION ? x.d : what == FORCE ? force : what == VELOCITY ? x.v : rate;
}

/* The first fall through 0 after the start, by bisection of the step that contains it. false: none
   within 60 units of time. */
static bool find_fall(motion *at, quantity what, motion x, long double zeta)
{
    x = advance_series(x, STEP / 1024, zeta);
    while (x.t < 60) {
        const motion next = advance_series(x, STEP, zeta);
        if (value_of(what, next, zeta) <= 0) {
            long double low = 0, high = STEP;
            for (int i = 0; i < 70; i++) {
                const long double h = 0.5L * (low + high);
                if (value_of(what, advance_series(x, h, zeta), zeta) > 0) low = h;
                else high = h;
            }
            *at = advance_series(x, high, zeta);
            return true;
        }
        x = next;
    }
    return false;
}

/* some hundred steps, each rounded to 1e-19, and the decimals of the texts; and conditions near
   1 */
#define LINEAR_TOLERANCE 1e-14

static void expect_value(long double value, const arb_t ball)
{
    CU_ASSERT(ic_tests_agrees_with_ball((double)value, ball, LINEAR_TOLERANCE));
    CU_ASSERT_FALSE(
        ic_tests_agrees_with_ball((double)value * (1 + 3 * LINEAR_TOLERANCE), ball, LINEAR_TOLERANCE) &&
        value > 0);
}

static void check_linear(const char *law, const char *zeta_text)
{
    const long double zeta = strtold(zeta_text, NULL);
    const bool above = strcmp(law, "kelvin-voigt-B") == 0, surface = strcmp(law, "kelvin-voigt") == 0;
    const motion start = {above ? -2 * zeta : 0, 1, 0};
    char c_text[64];
    const char *const par[] = {"3", c_text};
    motion end, turn, peak = start;
    snprintf(c_text, sizeof c_text, "3*%s", zeta_text); /* sqrt(k m) = 3/2 */
    IC_OWN(ic_law_certificate) c = certify_law(law, par, 18);
    const long double depth = SPEED * 0.5L, force = SPEED * 1.5L;
    const bool opens = find_fall(&end, surface ? INDENTATION : FORCE, start, zeta);
    CU_ASSERT_EQUAL(opens, arb_is_finite(c.duration) != 0);
    if (opens) {
        expect_value(-end.v, c.e_out);
        expect_value(end.t * 0.5L, c.duration);
    } else {
        CU_ASSERT(arb_is_zero(c.e_out));
    }
    if (find_fall(&turn, VELOCITY, start, zeta)) expect_value(turn.d * depth, c.d_max);
    else CU_ASSERT(arb_is_zero(c.d_max));
    if (above || zeta < 0.5L) CU_ASSERT(find_fall(&peak, RATE, start, zeta));
    expect_value(value_of(FORCE, peak, zeta) * force, c.F_max);
    CU_ASSERT(fabs((double)peak.v - arf_get_d(arb_midref(c.u_peak), ARF_RND_NEAR)) < LINEAR_TOLERANCE);
}

IC_TEST(test_linear)
{
    static const char *const laws[] = {"kelvin-voigt", "kelvin-voigt-B", "kelvin-voigt-C", "kelvin-voigt-D"};
    static const char *const zetas[] = {"0.03125", "0.25", "0.4375",  "0.5",  "0.5625", "0.875",
                                        "0.96875", "1",    "1.03125", "1.25", "1.5",    "3"};
    for (size_t l = 0; l < IC_COUNT(laws); l++) {
        for (size_t i = 0; i < IC_COUNT(zetas); i++) check_linear(laws[l], zetas[i]);
    }
}

/* Under condition C the answers are continuous across zeta = 1, where the series keeps its digits.
   c = 2 sqrt(k m) (1 +- 1e-20). */
IC_TEST(test_critical_damping)
{
    static const char *const c_texts[] = {"2.99999999999999999997", "3", "3.00000000000000000003"};
    ic_law_certificate c[3];
    for (size_t i = 0; i < 3; i++) {
        const char *const par[] = {"3", c_texts[i]};
        c[i] = certify_law("kelvin-voigt-C", par, 25);
        CU_ASSERT(arb_rel_accuracy_bits(c[i].e_out) > 80 && arb_rel_accuracy_bits(c[i].duration) > 80);
    }
    /* e = exp(-2 zeta Theta), d ln e/d zeta = -4/3 at 1 */
    IC_BALLS(slope);
    arb_sub(slope, c[2].e_out, c[0].e_out, BITS);
    arb_div(slope, slope, c[1].e_out, BITS);
    CU_ASSERT(ic_tests_agrees_with_ball(-4.0 / 3 * 2e-20, slope, 1e-3));
    CU_ASSERT_FALSE(ic_tests_agrees_with_ball(-1.3 * 2e-20, slope, 1e-3)); /* planted */
    for (size_t i = 0; i < 3; i++) ic_law_certificate_clear(&c[i]);
}

/* ---- the closed forms in double precision; Liu's energy loses three digits before its series
   replaces it */

#define DOUBLE_TOLERANCE 1e-14
#define ENERGY_TOLERANCE (1000 * DBL_EPSILON)

static void check_double(const char *name, const double *par, const char *const *texts, double tolerance)
{
    ic_impact_outcome o;
    CU_ASSERT(ic_law_impact(&o, ic_law_find(name), par, MASS, SPEED, NULL));
    IC_OWN(ic_law_certificate) c = certify_law(name, texts, 15);
    CU_ASSERT(ic_tests_agrees_with_ball(o.restitution, c.e_out, DOUBLE_TOLERANCE));
    CU_ASSERT_FALSE(
        /* planted */
        ic_tests_agrees_with_ball(o.restitution * (1 + 100 * DOUBLE_TOLERANCE), c.e_out, DOUBLE_TOLERANCE));
    CU_ASSERT(ic_tests_agrees_with_ball(o.peak_indentation, c.d_max, tolerance));
    CU_ASSERT(ic_tests_agrees_with_ball(o.peak_force, c.F_max, tolerance));
    /* planted */
    CU_ASSERT_FALSE(ic_tests_agrees_with_ball(o.peak_force * (1 + 3 * tolerance), c.F_max, tolerance));
}

IC_TEST(test_double_precision)
{
    for (int k = 1; k <= 1000; k += k < 990 ? 33 : 1) {
        char e[32];
        snprintf(e, sizeof e, "%d/1000", k < 10 ? 10 : k);
        const double value = (k < 10 ? 10 : k) / 1000.0;
        check_double("gonthier-exact", (const double[]){1e6, 1.5, value},
                     (const char *const[]){"1e6", "3/2", e}, DOUBLE_TOLERANCE);
    }
    for (int k = 1; k < 10; k += 4) {
        char e[32], clearance[32];
        snprintf(e, sizeof e, "0.%d", k);
        snprintf(clearance, sizeof clearance, "1e-%d", 2 + k % 5);
        const double par[] = {0.01, strtod(clearance, NULL), 1.1e11, strtod(e, NULL)};
        const char *const texts[] = {"0.01", clearance, "1.1e11", e};
        check_double("bai-zhao", par, texts, ENERGY_TOLERANCE);
        check_double("liu", par, texts, ENERGY_TOLERANCE);
    }
    for (int k = 0; k < 32; k++) {
        char c[32];
        snprintf(c, sizeof c, "%d/8", k);
        check_double("kelvin-voigt-C", (const double[]){3, k / 8.0}, (const char *const[]){"3", c},
                     DOUBLE_TOLERANCE);
    }
}

/* e = exp(-L), L = pi zeta/z, has L roundings; so has the depth under B. Critical damping is c =
   3. */
static void check_near_critical(const char *law, int c_in_1024ths)
{
    const double par[] = {3, c_in_1024ths / 1024.0};
    char c_text[32];
    const char *const texts[] = {"3", c_text};
    ic_impact_outcome o;
    snprintf(c_text, sizeof c_text, "%d/1024", c_in_1024ths);
    CU_ASSERT(ic_law_impact(&o, ic_law_find(law), par, MASS, SPEED, NULL));
    IC_OWN(ic_law_certificate) c = certify_law(law, texts, 18);
    const double tolerance = DOUBLE_TOLERANCE - 4 * DBL_EPSILON * log(o.restitution);
    CU_ASSERT(ic_tests_agrees_with_ball(o.restitution, c.e_out, tolerance) &&
              ic_tests_agrees_with_ball(o.peak_indentation, c.d_max, tolerance));
    CU_ASSERT(ic_tests_agrees_with_ball(o.peak_force, c.F_max, DOUBLE_TOLERANCE));
    /* planted */
    CU_ASSERT_FALSE(ic_tests_agrees_with_ball(o.restitution * (1 + 3 * tolerance), c.e_out, tolerance));
}

IC_TEST(test_near_critical)
{
    static const int c_in_1024ths[] = {1, 512, 1536, 2560, 3000, 3050, 3070, 3071};
    for (size_t i = 0; i < IC_COUNT(c_in_1024ths); i++) {
        check_near_critical("kelvin-voigt", c_in_1024ths[i]);
        check_near_critical("kelvin-voigt-B", c_in_1024ths[i]);
    }
}

/* ---- refusals */

static void expect_refusal(const ic_law *law, const char *v0, ic_status status, const char *why)
{
    IC_OWN(ic_law_certificate) c;
    ic_law_certificate_init(&c);
    ic_law_certify(&c, law, NULL, "0.75", v0, 15);
    CU_ASSERT_EQUAL(c.status, status);
    CU_ASSERT(strstr(c.message, why) != NULL);
}

IC_TEST(test_refusals)
{
    ic_law law = *ic_law_find("liu");
    expect_refusal(&law, "5/2", IC_OK, ""); /* planted: valid input */
    law.energy = "1.000001*pi*E_star*L/5*d^2*sqrt(d/(2*Delta_R))";
    expect_refusal(&law, "5/2", IC_INVALID, "not the integral");
    law.elastic = "1e9*sqrt(sqrt(d))";
    expect_refusal(&law, "5/2", IC_UNSUPPORTED, "fourth root");
    law.elastic = "1e9*d*exp(-d*1e5)"; /* falls beyond 1e-5 */
    law.energy = "0.1*(1 - (1 + 1e5*d)*exp(-d*1e5))";
    expect_refusal(&law, "1/2", IC_UNSUPPORTED, "rising");
    law.elastic = "1e9*dd";
    expect_refusal(&law, "5/2", IC_INVALID, "unknown name");
    expect_refusal(ic_law_find("lee-wang-2"), "5/2", IC_UNSUPPORTED, "no first integral");
    expect_refusal(ic_law_find("improved"), "1000", IC_INVALID, "the law ends");
    law = *ic_law_find("kelvin-voigt");
    law.dashpot = "sqrt(3)*sqrt(k)"; /* 2 sqrt(k m), which no precision proves */
    expect_refusal(&law, "5/2", IC_UNDECIDED, "whether the contact ever opens");
    law.dashpot = "-c";
    expect_refusal(&law, "5/2", IC_INVALID, "damping");
    law = *ic_law_find("gonthier-exact");
    law.restitution = "3/2*e";
    expect_refusal(&law, "5/2", IC_INVALID, "at most 1");
}

/* On a law without a free impact there is no certificate. */
IC_TEST(test_no_free_impact)
{
    static const ic_request requests[] = {{.path = "rotating-beam/main", .variant = "hertz"},
                                          {.path = "bouncing-ball/drop"}};
    for (size_t i = 0; i < IC_COUNT(requests); i++) {
        IC_OWN(ic_law_certificate) c;
        IC_OWN(ic_setup) setup = ic_tests_setup(&requests[i]);
        CU_ASSERT_EQUAL(setup.problem.variant->law != NULL, i == 0);
        ic_law_certificate_init(&c);
        ic_law_certify_problem(&c, &setup.problem, 15);
        CU_ASSERT_EQUAL(c.status, IC_UNSUPPORTED);
        CU_ASSERT(strstr(c.message, "is not a free impact") != NULL);
    }
}

/* ---- paths and problems */

IC_TEST(test_path)
{
    IC_BALLS(u, d);
    IC_OWN(ic_law_certificate) c = certify_law("bai-zhao", NULL, 20);
    CU_ASSERT(ic_law_indentation(d, &c, u) && arb_overlaps(d, c.d_max));
    arb_set_d(u, 0.5);
    CU_ASSERT(ic_law_indentation(d, &c, u) && is_constant("5.6322699611765873301e-5", d, 1e-19));
    CU_ASSERT_FALSE(is_constant("5.6322699611765873401e-5", d, 1e-19)); /* planted */
    arb_one(u);
    CU_ASSERT(ic_law_indentation(d, &c, u) && arb_contains_zero(d));
    CU_ASSERT(mag_cmp_2exp_si(arb_radref(d), -30) < 0);
    arb_set_d(u, 1.001);
    CU_ASSERT_FALSE(ic_law_indentation(d, &c, u));
    IC_OWN(ic_law_certificate) linear = certify_law("kelvin-voigt", NULL, 20);
    CU_ASSERT_FALSE(ic_law_indentation(d, &linear, u));
}

/* Exact parameters of a case and their doubles give different, close answers. */
IC_TEST(test_problem)
{
    ic_law_certificate exact, rounded;
    IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = "ball/liu"});
    ic_problem doubles = setup.problem;
    doubles.par_text = NULL;
    ic_law_certificate_init(&exact), ic_law_certificate_init(&rounded);
    ic_law_certify_problem(&exact, &setup.problem, 20);
    ic_law_certify_problem(&rounded, &doubles, 20);
    CU_ASSERT(exact.status == IC_OK && rounded.status == IC_OK);
    CU_ASSERT(ic_tests_agrees_with_ball(arf_get_d(arb_midref(exact.duration), ARF_RND_NEAR), rounded.duration,
                                        DOUBLE_TOLERANCE));
    /* planted: texts are ignored */
    CU_ASSERT_FALSE(arb_overlaps(exact.duration, rounded.duration));
    ic_law_certificate_clear(&exact), ic_law_certificate_clear(&rounded);
}

/* A solver whose contact opens although it never should. */
static ic_status solve_with_softer_damper(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    const size_t c = problem->system->n_parameters - 1;
    return ic_tests_solve_changed(log, problem, options, "rk45_bisection", c, 0.5);
}

IC_TEST(test_never_opens)
{
    const char *const settings[] = {"c=27000"};
    const ic_solver wrong = {IC_ABI(ic_solver), .name = "wrong", .solve = solve_with_softer_damper};
    const ic_solver *solvers[] = {ic_solver_find("rk45_bisection"), ic_solver_find("rk4_henon"), &wrong};
    IC_OWN(ic_results) results = {0};
    const ic_request request = {.path = "ball/kelvin-voigt", .settings = settings, .n_settings = 1};
    IC_OWN(ic_setup) setup = ic_tests_setup(&request);
    ic_free_impacts_judge(&results, &setup, "ball/kelvin-voigt", solvers, IC_COUNT(solvers));
    CU_ASSERT_EQUAL(results.count, 3 * IC_COUNT(solvers));
    for (size_t i = 0; i < results.count; i++) {
        CU_ASSERT_EQUAL(results.rows[i].verdict, i < 6 ? IC_PASS : IC_FAIL);
    }
}
