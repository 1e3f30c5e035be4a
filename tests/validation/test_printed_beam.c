/* SPDX-License-Identifier: MIT */
/**
 * Equations and numbers of Yigit, Ulsoy & Scott (1990): those declared right hold, those declared
 * misprinted do not, and each has its row. Measures of impacts are compared with answers found by
 * hand; planted wrong answers are rejected.
 */
#include "registry/registry.h"
#include "tests/tests.h"
#include "validation/checks/claims_checks.h"
#include "validation/claims/printed.h"
#include "validation/claims/printed_beam.h"

#include <CUnit/CUnit.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Quadrature of cantilever modes leaves 5e-13. */
#define HOLDS 1e-11

/* Wrong equations are off by a sign, a factor or a term: the least is 1 - 1/sqrt(2) = 0.29. */
#define DOES_NOT_HOLD 0.1

static void test_equations(void)
{
    for (size_t i = 0; i < ic_beam_equation_count(); i++) {
        const ic_beam_equation *equation = ic_beam_equation_at(i);
        const double printed = ic_beam_residual(equation, IC_PRINTED),
                     corrected = ic_beam_residual(equation, IC_CORRECTED);
        const bool good = corrected < HOLDS && (equation->stands ? printed < HOLDS : printed > DOES_NOT_HOLD);
        CU_ASSERT(ic_beam_residual(equation, IC_PLANTED) > DOES_NOT_HOLD / 1000);
        if (!good) printf("\n  %s: printed %g, corrected %g\n", equation->name, printed, corrected);
        CU_ASSERT(good);
        CU_ASSERT_PTR_EQUAL(ic_beam_equation_find(equation->name), equation);
    }
    CU_ASSERT_PTR_NULL(ic_beam_equation_find("eq99"));
    CU_ASSERT_PTR_NULL(ic_printed_paper_of("roller"));
}

/* ---- planted equations: one part in 10^9 shows, and so does what gives no number */

static double near_cantilever(const ic_printed_beam *b, bool printed)
{
    ic_printed_beam moved = *b;
    moved.lambda[1] *= 1 + 1e-9;
    return ic_beam_equation_find("eq19")->residual(&moved, printed);
}

static double no_number(const ic_printed_beam *b, bool printed)
{
    return printed ? sqrt(-b->l) : 0;
}

static void test_planted_equations(void)
{
    const ic_beam_equation moved = {"near", "planted", near_cantilever, true},
                           none = {"none", "planted", no_number, false};
    CU_ASSERT(ic_beam_residual(&moved, IC_PRINTED) > HOLDS);
    CU_ASSERT(isinf(ic_beam_residual(&none, IC_PRINTED)));
    CU_ASSERT_EQUAL(ic_beam_residual(&none, IC_CORRECTED), 0);
}

static bool has_row(const char *file, const char *equation, const char *form)
{
    char call[96];
    const ic_embedded *data = ic_embedded_find(file);
    snprintf(call, sizeof call, "equation(rotating-beam/main; %s; %s)", equation, form);
    return data != NULL && strstr(data->text, call) != NULL;
}

static void test_every_equation_has_rows(void)
{
    for (size_t i = 0; i < ic_beam_equation_count(); i++) {
        const ic_beam_equation *equation = ic_beam_equation_at(i);
        const bool claimed = has_row("published/claims-rotating-beam.csv", equation->name, "printed");
        const bool erratum = has_row("errata.csv", equation->name, "printed");
        CU_ASSERT(claimed != erratum);
        CU_ASSERT(claimed || !equation->stands);
    }
}

/* ---- measures of impacts */

static double measured(const char *text)
{
    ic_claim_evaluator evaluator = {0};
    ic_quantity quantity;
    ic_measured value = {.value = NAN};
    ic_error error = {""};
    size_t offset = 0;
    if (!ic_quantity_parse(&quantity, text, NULL, &offset, &error) ||
        !ic_quantity_measure(&value, &quantity, &evaluator, &error)) {
        value.value = NAN;
    }
    ic_claim_evaluator_close(&evaluator);
    return value.value;
}

static bool is(const char *text, double expected, double tolerance)
{
    const double value = measured(text);
    const bool good = fabs(value - expected) <= tolerance;
    if (!good) printf("\n  %s: %.12g, expected %.12g\n", text, value, expected);
    return good;
}

/* Error of a run at rtol 1e-11 from a height of 1 m, e = 1/2, g = 9.81: it lands with sqrt(2 g). */
#define RUN_TOLERANCE 1e-9
#define G 9.81
/* A scan in twentieths of a bin of 1/T. */
#define FREQUENCY_TOLERANCE(span_) (0.05 / (span_))

static void test_measures_of_impacts(void)
{
    const double v1 = sqrt(2 * G);
    CU_ASSERT(is("crossing_rate(bouncing-ball/drop; floor; 1; before)", -v1, RUN_TOLERANCE * v1));
    CU_ASSERT(is("crossing_rate(bouncing-ball/drop; floor; 1; after)", v1 / 2, RUN_TOLERANCE * v1));
    CU_ASSERT(is("peak(bouncing-ball/drop; energy; max)", G, RUN_TOLERANCE * G));
    /* pauses of 0.45 s, 0.23 s and half of that each time: one is longer than 0.3 s, after the
       first impact */
    CU_ASSERT_EQUAL(measured("groups(bouncing-ball/drop; floor; 0.3)"), 2);
    /* planted */
    CU_ASSERT(fabs(measured("crossing_rate(bouncing-ball/drop; floor; 2; before)") + v1) > RUN_TOLERANCE * v1);
    CU_ASSERT(isnan(measured("crossing_rate(bouncing-ball/drop; floor; 1000; before)")));
}

/* The equation of free vibration of the shaft and N = 1 modes: omega^2 = (k/m)/(1 - S^2/(J m)). */
static double one_mode(void)
{
    const double lambda = 1.8751040687119611, l = 0.4, rho = 0.258, EI = 5.5, m = rho * l;
    const double S = m * 2 * l / (lambda * lambda), J = 1.01 * rho * l * l * l / 3;
    return sqrt(EI * pow(lambda, 4) / (l * l * l) / m / (1 - S * S / (J * m))) / (2 * acos(-1));
}

#define WEAK(more_) "rotating-beam/C2-500[theta_s=1000, torque=1e-3, until=1" more_ "]"

static void test_measures_of_motions(void)
{
    CU_ASSERT(is("dominant_frequency(" WEAK(", N=1") "; strain; 0.05)", one_mode(), FREQUENCY_TOLERANCE(0.95)));
    /* planted */
    CU_ASSERT(fabs(measured("dominant_frequency(" WEAK(", N=2") "; strain; 0.05)") - one_mode()) >
              FREQUENCY_TOLERANCE(0.95));
    CU_ASSERT_EQUAL(measured("run_difference(rotating-beam/main; rotating-beam/main; omega)"), 0);
    CU_ASSERT_EQUAL(measured("end_difference(rotating-beam/main; rotating-beam/main[N=3]; omega)"), 0);
    CU_ASSERT(isnan(measured("run_difference(rotating-beam/main; rotating-beam/C2-500; omega)")));
    /* without a stop the deflection is that of the torque: 5 values from 1 to 3 N m spread by a
       half of their mean */
    CU_ASSERT(is("spread(" WEAK("") "; torque; 1e-4; 3e-4; tip_deflection)", 0.5, 1e-4));
    CU_ASSERT_EQUAL(measured("spread(" WEAK("") "; C2; 0; 1000; tip_deflection)"), 0);
    CU_ASSERT(isnan(measured("spread(" WEAK("") "; torque; one; 2; tip_deflection)")));
}

/* RK4 with steps of sqrt(2 h/g)/1000, h = 1 m: in 0.1 s of fall it takes 222 steps of four calls,
   and makes one call at the start. */
static void test_flow_calls(void)
{
    CU_ASSERT_EQUAL(measured("flow_calls(bouncing-ball/drop[until=0.1]; rk4_henon)"), 4 * 222 + 1);
    /* does not take this case */
    CU_ASSERT(isnan(measured("flow_calls(bouncing-ball/drop; newton)")));
}

/* Without a stop and after the torque the beam's angular momentum stays: a mean rate of 0; during
   contact it falls. */
static void test_mean_rate(void)
{
    CU_ASSERT(measured("mean_rate(rotating-beam/main; contact; 1; angular_momentum)") < -100);
    CU_ASSERT(fabs(measured("mean_rate(rotating-beam/main; released; 1; angular_momentum)")) < RUN_TOLERANCE);
    CU_ASSERT(isnan(measured("mean_rate(rotating-beam/main; contact; 100; omega)")));
}

void ic_tests_printed_beam(void)
{
    CU_pSuite suite = CU_add_suite("the rotating beam as printed", NULL, NULL);
    CU_add_test(suite, "equations hold as corrected, and as printed where they stand", test_equations);
    CU_add_test(suite, "planted equations are seen to be wrong", test_planted_equations);
    CU_add_test(suite, "every equation has its row, as a statement, a finding or an erratum",
                test_every_equation_has_rows);
    CU_add_test(suite, "rates, peaks and groups of impacts", test_measures_of_impacts);
    CU_add_test(suite, "frequencies and differences of motions", test_measures_of_motions);
    CU_add_test(suite, "mean rates", test_mean_rate);
    CU_add_test(suite, "calls of the flow", test_flow_calls);
}
