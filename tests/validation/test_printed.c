/* SPDX-License-Identifier: MIT */
/**
 * Equations and numbers of Kecskemethy & Lange (1999) and of Yigit, Ulsoy & Scott (1990): those declared right hold,
 * those declared misprinted do not (tools/check-papers.py: each has its row in the published claims or in the errata).
 * Measures of impacts are compared with answers found by hand. Planted wrong answers are rejected.
 */
#include "tests/tests.h"
#include "validation/checks/claims_checks.h"
#include "validation/claims/printed.h"

IC_SUITE(solvers, "papers as printed")
IC_OWNED(ic_claim_evaluator, ic_claim_evaluator_close)

/* Equations that hold differ by rounding: the worst, 6e-14, are the closed forms of the ends of sliding. */
#define HOLDS 1e-12

/* Those that do not are off by a sign, a factor or a term of random size: the least is 0.38. */
#define DOES_NOT_HOLD 0.1

static bool file_has(const char *file, const char *text)
{
    const ic_embedded *data = ic_embedded_find(file);
    return data != NULL && strstr(data->text, text) != NULL;
}

/* Each equation of a table holds as corrected and, if it has no corrected form, as printed. */
static void check_paper(const char *system, const char *path, size_t standing, size_t without_number)
{
    static const char *const columns[] = {"of", "name", "text", "corrected", "truth"};
    ic_table table;
    CU_ASSERT_FATAL(
        ic_table_open(&table, path, ic_embedded_find(path)->text, columns, IC_COUNT(columns), NULL));
    for (size_t i = 0; i < table.n_rows; i++) {
        const char *name = ic_table_field(&table, i, 0);
        if (ic_table_field(&table, i, 1)[0] != '\0') continue;
        const bool stands = ic_table_field(&table, i, 3)[0] == '\0';
        const double printed = ic_printed_residual(system, name, IC_PRINTED);
        const double corrected = ic_printed_residual(system, name, IC_CORRECTED);
        const bool good = corrected < HOLDS && (stands ? printed < HOLDS : printed > DOES_NOT_HOLD);
        CU_ASSERT(ic_printed_residual(system, name, IC_PLANTED) > HOLDS);
        IC_EXPECT(good, "%s: printed %g, corrected %g", name, printed, corrected);
        CU_ASSERT(ic_printed_has(system, name));
        standing -= stands;
        without_number -= isinf(printed) != 0;
    }
    ic_table_close(&table);
    CU_ASSERT_EQUAL(standing, 0);
    CU_ASSERT_EQUAL(without_number, 0);
    CU_ASSERT_FALSE(ic_printed_has(system, "eq99"));
}

IC_TEST(test_equations)
{
    check_paper("planar-bar", "published/equations-planar-bar.csv", 15, 2);
    check_paper("rotating-beam", "published/equations-rotating-beam.csv", 5, 0);
    CU_ASSERT_FALSE(ic_printed_has("roller", "eq1"));
    /* no number: an artanh that does not exist; an eigenvector that vanishes at the angle that is chosen */
    CU_ASSERT(isinf(ic_printed_residual("planar-bar", "table1-case2-range", IC_PRINTED)));
    CU_ASSERT(isinf(ic_printed_residual("planar-bar", "eq4-central", IC_PRINTED)));
    /* seeded */
    CU_ASSERT_EQUAL(ic_printed_residual("planar-bar", "eq1", IC_PRINTED),
                    ic_printed_residual("planar-bar", "eq1", IC_PRINTED));
}

/* ---- rows */

#define HEADER "id;kind;source;place;statement;measure;relation;value;unit;printed;note;counter\n"
#define CLAIM(measure_, rest_) HEADER "a;statement;s;p;t;\"" measure_ "\";" rest_ ";\n"

static ic_verdict verdict_of(const char *text)
{
    ic_results results = {0};
    IC_OWN(ic_claim_evaluator) evaluator = {0};
    ic_published_judge(&results, &(ic_selection){0}, &evaluator, "planted.csv", text);
    const ic_verdict verdict = results.count == 1 ? results.rows[0].verdict : IC_SKIPPED;
    ic_results_free(&results);
    return verdict;
}

#define FINAL(path_, output_) "final(planar-bar/" path_ "; " output_ ")"

IC_TEST(test_planted_claims)
{
    static const struct {
        const char *text;
        ic_verdict verdict;
    } rows[] = {
        {CLAIM(FINAL("stronge", "vy"), "=;0.651;m/s;0.651;"), IC_PASS},
        {CLAIM("changes(planar-bar/kappa-100)", "=;8;1;8;"), IC_PASS},
        {CLAIM("equation(planar-bar/kappa-1; eq1; corrected)", "<;1e-12;1;;"), IC_PASS},
        /*
         * planted: cells of Table 2 that do not reproduce, one unit off, the misprint as if it held
         */
        {CLAIM(FINAL("kappa-1", "phi_dot"), "=;3.816;rad/s;3.816;"), IC_FAIL},
        {CLAIM(FINAL("kappa-100", "vx"), "=;-0.005;m/s;-0.005;"), IC_FAIL},
        {CLAIM(FINAL("kappa-100", "vy"), "=;0.638;m/s;0.638;"), IC_FAIL},
        {CLAIM(FINAL("kappa-100", "phi_dot"), "=;2.590;rad/s;2.590;"), IC_FAIL},
        {CLAIM(FINAL("stronge", "vy"), "=;0.652;m/s;0.652;"), IC_FAIL},
        {CLAIM("changes(planar-bar/kappa-100)", "<=;2;1;;"), IC_FAIL},
        {CLAIM("changes(planar-bar/kappa-1)", "=;2;1;2;"), IC_FAIL}, /* lift-off counted */
        {CLAIM("equation(planar-bar/kappa-1; eq1; printed)", "<;1e-12;1;;"), IC_FAIL},
    };
    for (size_t i = 0; i < IC_COUNT(rows); i++) CU_ASSERT_EQUAL(verdict_of(rows[i].text), rows[i].verdict);
}

/* One of twenty cells each, in one of the two files. */
IC_TEST(test_table_2_is_whole)
{
    static const char *const columns[] = {"kappa-1", "kappa-100", "newton", "poisson", "stronge"};
    static const char *const rows[] = {"vx", "vy", "phi_dot", "D_N"};
    size_t reproduced = 0, misprinted = 0;
    for (size_t i = 0; i < IC_COUNT(columns) * IC_COUNT(rows); i++) {
        char claim[64], erratum[64];
        const char *column = columns[i / IC_COUNT(rows)], *row = rows[i % IC_COUNT(rows)];
        snprintf(claim, sizeof claim, "\ntable2-%s-%s;", column, row);
        snprintf(erratum, sizeof erratum, "\nbar-table2-%s-%s;", column, row);
        reproduced += file_has("published/claims-planar-bar.csv", claim);
        misprinted += file_has("errata.csv", erratum);
    }
    CU_ASSERT_EQUAL(reproduced, 16);
    CU_ASSERT_EQUAL(misprinted, 4);
}

IC_TEST(test_malformed)
{
    static const struct {
        const char *measure, *says;
    } malformed[] = {
        {"equation(roller/I/A; eq1; printed)", "'roller' has no equation 'eq1'"},
        {"equation(planar-bar/kappa-1; eq99; printed)", "no equation 'eq99'"},
        {"equation(planar-bar/kappa-1; eq1; misprinted)", "'misprinted'"},
        {"final(planar-bar/kappa-1; v_x)", "output or state 'v_x'"},
        {"changes(planar-bar/kappa-1; stop)", "expected 1 arguments"},
    };
    for (size_t i = 0; i < IC_COUNT(malformed); i++) {
        ic_quantity quantity;
        ic_error error = {""};
        size_t offset;
        CU_ASSERT_FALSE(ic_quantity_parse(&quantity, malformed[i].measure, NULL, &offset, &error));
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, malformed[i].says));
    }
}

/* ---- measures of impacts */

static double measured(const char *text)
{
    IC_OWN(ic_claim_evaluator) evaluator = {0};
    ic_quantity quantity;
    ic_measured value = {.value = NAN};
    ic_error error = {""};
    size_t offset = 0;
    if (!ic_quantity_parse(&quantity, text, NULL, &offset, &error) ||
        !ic_quantity_measure(&value, &quantity, &evaluator, &error)) {
        value.value = NAN;
    }
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

IC_TEST(test_measures_of_impacts)
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

IC_TEST(test_measures_of_motions)
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
IC_TEST(test_flow_calls)
{
    CU_ASSERT_EQUAL(measured("flow_calls(bouncing-ball/drop[until=0.1]; rk4_henon)"), 4 * 222 + 1);
    /* does not take this case */
    CU_ASSERT(isnan(measured("flow_calls(bouncing-ball/drop; newton)")));
}

/* Without a stop and after the torque the beam's angular momentum stays: a mean rate of 0; during
   contact it falls. */
IC_TEST(test_mean_rate)
{
    CU_ASSERT(measured("mean_rate(rotating-beam/main; contact; 1; angular_momentum)") < -100);
    CU_ASSERT(fabs(measured("mean_rate(rotating-beam/main; released; 1; angular_momentum)")) < RUN_TOLERANCE);
    CU_ASSERT(isnan(measured("mean_rate(rotating-beam/main; contact; 100; omega)")));
}
