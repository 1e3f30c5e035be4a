/* SPDX-License-Identifier: MIT */
/**
 * Equations and numbers of Kecskemethy & Lange (1999): those declared right hold, those declared
 * misprinted do not, and each has its row in the published claims or in the errata. Planted wrong
 * answers are rejected.
 */
#include "registry/registry.h"
#include "tests/tests.h"
#include "validation/checks/claims_checks.h"
#include "validation/claims/printed_bar.h"

#include <CUnit/CUnit.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Equations that hold differ by rounding: the worst, 1.4e-12, is what friction takes, a small
   difference of energies. */
#define HOLDS 1e-11

/* Those that do not are off by a sign, a factor or a term of random size: the least is 0.2. */
#define DOES_NOT_HOLD 0.1

static void test_equations(void)
{
    for (size_t i = 0; i < ic_printed_count(); i++) {
        const ic_printed_equation *equation = ic_printed_equation_at(i);
        const double printed = ic_printed_residual(equation, IC_PRINTED);
        const double corrected = ic_printed_residual(equation, IC_CORRECTED);
        const bool good = corrected < HOLDS && (equation->stands ? printed < HOLDS : printed > DOES_NOT_HOLD);
        CU_ASSERT(ic_printed_residual(equation, IC_PLANTED) > DOES_NOT_HOLD / 100);
        if (!good) printf("\n  %s: printed %g, corrected %g\n", equation->name, printed, corrected);
        CU_ASSERT(good);
        CU_ASSERT_PTR_EQUAL(ic_printed_equation_find(equation->name), equation);
    }
    CU_ASSERT_PTR_NULL(ic_printed_equation_find("eq99"));
}

/* ---- planted equations: the comparison sees what is slightly wrong */

/* Case 3 holds on an edge only: a coefficient of friction that differs by 1e-9 is detected. */
static void choose_near_case3(ic_printed_bar *bar)
{
    ic_printed_equation_find("eq11")->choose(bar);
    bar->friction *= 1 + 1e-9;
}

static double no_number(const ic_printed_bar *bar, bool printed)
{
    return printed ? sqrt(-bar->m) : 0;
}

static void turn_upright(ic_printed_bar *bar)
{
    bar->phi = 0;
}

static double angle(const ic_printed_bar *bar, bool printed)
{
    (void)printed;
    return fabs(bar->phi);
}

static void test_planted_equations(void)
{
    const ic_printed_equation near = {"near", "planted", choose_near_case3,
                                      ic_printed_equation_find("eq11")->residual, true};
    const ic_printed_equation nothing = {"none", "planted", NULL, no_number, false};
    const ic_printed_equation upright = {"upright", "planted", turn_upright, angle, true};
    const ic_printed_equation leaning = {"leaning", "planted", NULL, angle, true};
    CU_ASSERT(ic_printed_residual(&near, IC_PRINTED) > HOLDS);
    CU_ASSERT(isinf(ic_printed_residual(&nothing, IC_PRINTED)));
    CU_ASSERT_EQUAL(ic_printed_residual(&nothing, IC_CORRECTED), 0);
    CU_ASSERT_EQUAL(ic_printed_residual(&upright, IC_PRINTED), 0);
    CU_ASSERT(ic_printed_residual(&leaning, IC_PRINTED) > 0.5);
    /* seeded */
    CU_ASSERT_EQUAL(ic_printed_residual(&leaning, IC_PRINTED), ic_printed_residual(&leaning, IC_PRINTED));
}

/* ---- rows */

static bool file_has(const char *file, const char *text)
{
    const ic_embedded *data = ic_embedded_find(file);
    return data != NULL && strstr(data->text, text) != NULL;
}

#define CLAIMS "published/claims-planar-bar.csv"
#define ERRATA "errata.csv"

static bool has_row(const char *file, const char *equation, const char *form)
{
    char call[96];
    snprintf(call, sizeof call, "equation(planar-bar/kappa-1; %s; %s)", equation, form);
    return file_has(file, call);
}

static void test_every_equation_has_rows(void)
{
    for (size_t i = 0; i < ic_printed_count(); i++) {
        const ic_printed_equation *equation = ic_printed_equation_at(i);
        const bool claimed = has_row(CLAIMS, equation->name, "printed");
        const bool erratum = has_row(ERRATA, equation->name, "printed");
        CU_ASSERT(claimed != erratum);
        CU_ASSERT(claimed || !equation->stands);
    }
}

#define HEADER "id;kind;source;place;statement;measure;relation;value;unit;printed;note;counter\n"
#define CLAIM(measure_, rest_) HEADER "a;statement;s;p;t;\"" measure_ "\";" rest_ ";\n"

static ic_verdict verdict_of(const char *text)
{
    ic_results results = {0};
    ic_claim_evaluator evaluator = {0};
    ic_published_judge(&results, &(ic_selection){0}, &evaluator, "planted.csv", text);
    const ic_verdict verdict = results.count == 1 ? results.rows[0].verdict : IC_SKIPPED;
    ic_claim_evaluator_close(&evaluator);
    ic_results_free(&results);
    return verdict;
}

#define FINAL(path_, output_) "final(planar-bar/" path_ "; " output_ ")"

static void test_planted_claims(void)
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
static void test_table_2_is_whole(void)
{
    static const char *const columns[] = {"kappa-1", "kappa-100", "newton", "poisson", "stronge"};
    static const char *const rows[] = {"vx", "vy", "phi_dot", "D_N"};
    size_t reproduced = 0, misprinted = 0;
    for (size_t i = 0; i < IC_COUNT(columns) * IC_COUNT(rows); i++) {
        char claim[64], erratum[64];
        const char *column = columns[i / IC_COUNT(rows)], *row = rows[i % IC_COUNT(rows)];
        snprintf(claim, sizeof claim, "\ntable2-%s-%s;", column, row);
        snprintf(erratum, sizeof erratum, "\nbar-table2-%s-%s;", column, row);
        reproduced += file_has(CLAIMS, claim);
        misprinted += file_has(ERRATA, erratum);
    }
    CU_ASSERT_EQUAL(reproduced, 16);
    CU_ASSERT_EQUAL(misprinted, 4);
}

static void test_malformed(void)
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

void ic_tests_printed_bar(void)
{
    CU_pSuite suite = CU_add_suite("the planar bar as printed", NULL, NULL);
    CU_add_test(suite, "equations hold as corrected, and as printed where they stand", test_equations);
    CU_add_test(suite, "planted equations are seen to be wrong", test_planted_equations);
    CU_add_test(suite, "every equation has its row, as a statement, a finding or an erratum",
                test_every_equation_has_rows);
    CU_add_test(suite, "planted wrong claims fail", test_planted_claims);
    CU_add_test(suite, "Table 2 is whole", test_table_2_is_whole);
    CU_add_test(suite, "malformed measures are refused", test_malformed);
}
