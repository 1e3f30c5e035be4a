/* SPDX-License-Identifier: MIT */
/**
 * Audit of trajectories with several mistakes, or with one that no parameter explains: each is named, and a parameter
 * that leaves the rows unexplained is not.
 */
#include "audit/impact/impact.h"
#include "audit/trajectory/checks/checks.h"
#include "registry/registry.h"
#include "tests/audit/audited.h"
#include "tests/tests.h"

#include <CUnit/CUnit.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void open_with(audited *a, const char *path, const char *const *settings, size_t n, const char *until,
                      size_t samples)
{
    const ic_request as = {.path = path, .until = until},
                     own = {.path = path, .until = until, .settings = settings, .n_settings = n};
    audited_open_as(a, &as, &own, NULL, &(ic_options){.samples = samples, .rtol = 1e-12});
}

static void expect(const audited *a, const char *check, ic_mistake_id cause)
{
    CU_ASSERT_TRUE(finding_blames(&a->audit.findings, check, cause));
    if (!finding_blames(&a->audit.findings, check, cause)) {
        printf("\n  %s is not %s", check, ic_mistake_name(cause));
        findings_print_failed(&a->audit.findings, "rows");
    }
}

static void test_parameters(void)
{
    static const char *const exchanged[] = {"k1=0.4", "k2=0.2", "e=1"}, *const two[] = {"c23=5e3", "k=2.6e8"};
    audited a;
    open_with(&a, "two-mass/forced", exchanged, 3, "40", 801);
    audited_judge(&a, 0);
    expect(&a, "parameters", IC_MISTAKE_PARAMETERS_EXCHANGED);
    expect(&a, "restitution", IC_MISTAKE_RESTITUTION_IGNORED);
    audited_close(&a);
    open_with(&a, "roller/III/C", two, 2, "0.3", 1201);
    audited_judge(&a, 0);
    expect(&a, "parameters", IC_MISTAKE_PARAMETER_WRONG);
    const char *detail = finding_of(&a.audit.findings, "parameters")->detail;
    CU_ASSERT_PTR_NOT_NULL(strstr(detail, "c23 = 5"));
    CU_ASSERT_PTR_NOT_NULL(strstr(detail, " and k = "));
    audited_close(&a);
}

/* Exchanged dampings with another coefficient, which all impacts show; a damping with another condition. */
static void test_dampings(void)
{
    static const char *const asked[] = {"c1=0.3", "c2=0.05"}, *const own[] = {"c1=0.05", "c2=0.3", "e=1"},
                             *const half[] = {"c=253000"};
    const ic_request of = {.path = "two-mass/forced", .until = "40", .settings = asked, .n_settings = 2},
                     by = {.path = "two-mass/forced", .until = "40", .settings = own, .n_settings = 3},
                     of_roller = {.path = "roller/III/A", .until = "0.8"},
                     by_roller = {.path = "roller/III/C*", .until = "0.8", .settings = half, .n_settings = 1};
    audited a;
    audited_open_as(&a, &of, &by, NULL, &(ic_options){.samples = 2001, .rtol = 1e-12});
    audited_judge(&a, 0);
    expect(&a, "parameters", IC_MISTAKE_PARAMETERS_EXCHANGED);
    expect(&a, "restitution", IC_MISTAKE_RESTITUTION_IGNORED);
    audited_close(&a);
    audited_open_as(&a, &of_roller, &by_roller, NULL, &(ic_options){.samples = 3201, .rtol = 1e-12});
    audited_judge(&a, 0);
    expect(&a, "parameters", IC_MISTAKE_DAMPING_FACTOR_TWO);
    expect(&a, "condition", IC_MISTAKE_ANOTHER_CONDITION);
    CU_ASSERT_PTR_NOT_NULL(strstr(finding_of(&a.audit.findings, "events")->detail, "until c is corrected"));
    audited_close(&a);
}

/* The root of the coefficient is named. */
static void test_coefficients(void)
{
    static const char *const asked[] = {"e=0.7"}, *const root[] = {"e=0.83666002653407556"};
    const ic_request of = {.path = "bouncing-ball/lively", .until = "3", .settings = asked, .n_settings = 1},
                     by = {.path = "bouncing-ball/lively", .until = "3", .settings = root, .n_settings = 1};
    audited a;
    audited_open_as(&a, &of, &by, NULL, &(ic_options){.samples = 1501, .rtol = 1e-12});
    audited_judge(&a, 0);
    expect(&a, "restitution", IC_MISTAKE_RESTITUTION_SQUARED);
    expect(&a, "parameters", IC_MISTAKE_RESTITUTION_SQUARED);
    audited_close(&a);
}

/* A column with the other sign, in rows of another condition. */
static void test_readings(void)
{
    const ic_request as = {.path = "roller/III/C", .until = "0.3"},
                     own = {.path = "roller/III/B", .until = "0.3"};
    audited a;
    audited_open_as(&a, &as, &own, NULL, &(ic_options){.samples = 1201, .rtol = 1e-12});
    for (size_t i = 0; i < a.rows.n; i++) a.rows.x[i * a.rows.n_states + 3] *= -1;
    audited_judge(&a, 0);
    expect(&a, "local-defect", IC_MISTAKE_SIGN_REVERSED);
    expect(&a, "condition", IC_MISTAKE_ANOTHER_CONDITION);
    audited_close(&a);
}

/* A further force: gravity falls with the height, which no parameter of the case does. */
static void test_missing_force(void)
{
    enum { PARTS = 50 };
    audited a;
    audited_open(&a, "bouncing-ball/lively", "0.44", 201);
    double x = a.rows.x[0], v = a.rows.x[1];
    for (size_t i = 1; i < a.rows.n; i++) {
        const double h = (a.rows.t[i] - a.rows.t[i - 1]) / PARTS;
        for (int k = 0; k < PARTS; k++) {
            v += 0.5 * h * (3 * x - 9.81), x += h * v;
            v += 0.5 * h * (3 * x - 9.81);
        }
        a.rows.x[2 * i] = x, a.rows.x[2 * i + 1] = v;
    }
    audited_judge(&a, 0);
    const ic_finding *flow = finding_of(&a.audit.findings, "local-defect");
    CU_ASSERT_EQUAL(flow->verdict, IC_FINDING_FAIL);
    CU_ASSERT_EQUAL(flow->cause, IC_NO_MISTAKE);
    CU_ASSERT_PTR_NOT_NULL(strstr(flow->detail, "times x per s more than in the case"));
    CU_ASSERT_FALSE(finding_blames(&a.audit.findings, "parameters", IC_MISTAKE_PARAMETER_WRONG));
    audited_close(&a);
}

/* ---- contact laws */

static void print_digits(ic_trajectory *rows, int digits)
{
    char text[40];
    for (size_t i = 0; i < rows->n; i++) {
        snprintf(text, sizeof text, "%.*g", digits, rows->t[i]);
        rows->t[i] = strtod(text, NULL);
        for (size_t j = 0; j < 2; j++) {
            snprintf(text, sizeof text, "%.*g", digits, rows->x[i * rows->n_states + j]);
            rows->x[i * rows->n_states + j] = strtod(text, NULL);
        }
    }
}

/* Twelve digits of the times do not hide another law, and six do not make the right one wrong. */
static void test_digits(void)
{
    const ic_request as = {.path = "ball/lankarani-nikravesh"}, own = {.path = "ball/lee-wang"};
    for (int digits = 6; digits <= 14; digits++) {
        audited a;
        audited_open_as(&a, &as, &as, NULL, &(ic_options){.samples = 101});
        print_digits(&a.rows, digits);
        CU_ASSERT_NOT_EQUAL(audited_judge(&a, 0), IC_AUDIT_FAILED);
        audited_close(&a);
        audited_open_as(&a, &as, &own, NULL, &(ic_options){.samples = 101});
        print_digits(&a.rows, digits);
        audited_judge(&a, 0);
        if (digits >= 10) expect(&a, "law", IC_MISTAKE_ANOTHER_LAW);
        audited_close(&a);
    }
}

/* Rows of the law with another size of its force and damping on one side only. */
static void test_force(int side, double factor, ic_mistake_id cause)
{
    audited a;
    ic_curve curve;
    CU_ASSERT_TRUE_FATAL(ic_curve_open(&curve));
    audited_open(&a, "ball/lankarani-nikravesh", NULL, 101);
    const ic_problem *problem = &a.setup.problem;
    const ic_case *base = ic_case_find(problem->system->name);
    const size_t m = ic_parameter_find(base, problem->variant->free_impact->mass);
    const ic_curve_law law = {problem->variant->law, problem->par + base->n_parameters,
                              problem->par[m] / factor, 1, side};
    const double contact = 2.2e-4; /* s */
    CU_ASSERT_TRUE_FATAL(ic_curve_follow(&curve, &law, a.rows.x[1], contact / 4, 2 * contact));
    for (size_t i = 0; i < a.rows.n; i++) {
        double *x = a.rows.x + i * a.rows.n_states;
        a.rows.t[i] = contact * (double)i / (double)(a.rows.n - 1);
        ic_curve_at(&curve, a.rows.t[i], x, x + 1);
    }
    audited_judge(&a, 0);
    expect(&a, "law", cause);
    audited_close(&a);
    ic_curve_close(&curve);
}

static void test_forces(void)
{
    test_force(1, 2, IC_MISTAKE_DAMPING_ONE_SIDED);
    test_force(-1, 1, IC_MISTAKE_DAMPING_ONE_SIDED);
    test_force(0, 0.9, IC_MISTAKE_PARAMETER_WRONG);
}

/* ---- an impact */

/* One impact by Stronge's hypothesis of a bar with another moment of inertia. */
static void test_inertia(void)
{
    static const double ratios[] = {0.25, 1, 1.2, 4};
    for (size_t i = 0; i < IC_COUNT(ratios); i++) {
        audited a = {.rows = {0}};
        char rho[40];
        snprintf(rho, sizeof rho, "rho=%.17g", sqrt(ratios[i] / 12));
        const char *const asked[] = {"e=0.7", "mu=0.35", "phi=0.9"}, *const own[] = {"e=0.7", "mu=0.35",
                                                                                     "phi=0.9", rho};
        const ic_request request = {.path = "planar-bar/stronge", .settings = asked, .n_settings = 3};
        const ic_request other = {.path = "planar-bar/stronge", .settings = own, .n_settings = 4};
        ic_setup setup;
        ic_impact impact;
        double after[2], P[2], v[2][IC_VELOCITIES], t[2] = {0, 1};
        size_t line[2] = {2, 3};
        CU_ASSERT_TRUE_FATAL(ic_setup_open(&a.setup, &request, NULL));
        CU_ASSERT_TRUE_FATAL(ic_setup_open(&setup, &other, NULL));
        const double *par = setup.problem.par;
        const ic_case *bar = setup.problem.system;
        bar->impact(&impact, par);
        for (size_t l = 0; l < IC_IMPACT_LAWS; l++) {
            if (strcmp(ic_impact_laws[l].name, "stronge") == 0)
                CU_ASSERT_TRUE(ic_impact_law_velocity(after, &ic_impact_laws[l], &impact));
        }
        ic_impulse_of_velocities(P, &impact, after);
        const double l = par[ic_parameter_find(bar, "l")], m = par[ic_parameter_find(bar, "m")],
                     spin = l * (sin(0.9) * P[1] - cos(0.9) * P[0]) / (m * ratios[i] / 12);
        for (int k = 0; k < 2; k++) v[0][k] = impact.v[k], v[1][k] = after[k];
        v[0][IC_VELOCITY_PHI] = 0, v[1][IC_VELOCITY_PHI] = spin;
        const ic_impact_rows rows = {.path = "", .n = 2, .t = t, .v = v, .line = line};
        const ic_trajectory shell = {.path = "", .n = 2};
        CU_ASSERT_TRUE(ic_audit_impact_alone(&a.audit, &rows, &shell, &a.setup.problem, NULL));
        const bool blamed = finding_blames(&a.audit.findings, "impact-momentum", IC_MISTAKE_INERTIA_WRONG);
        CU_ASSERT_EQUAL(blamed, ratios[i] != 1);
        CU_ASSERT_EQUAL(ic_findings_with(&a.audit.findings, IC_FINDING_FAIL), ratios[i] != 1);
        if (blamed != (ratios[i] != 1)) findings_print_failed(&a.audit.findings, rho);
        ic_setup_close(&setup);
        audited_close(&a);
    }
}

void ic_tests_audit_several(void)
{
    CU_pSuite suite = CU_add_suite("audit of trajectories: several mistakes", NULL, NULL);
    CU_add_test(suite, "two parameters, and restitution beside them", test_parameters);
    CU_add_test(suite, "dampings, and restitution or a condition beside them", test_dampings);
    CU_add_test(suite, "the root of a coefficient of restitution", test_coefficients);
    CU_add_test(suite, "a column with the other sign, and another condition", test_readings);
    CU_add_test(suite, "a force that no parameter explains", test_missing_force);
    CU_add_test(suite, "laws, by the digits of their rows", test_digits);
    CU_add_test(suite, "another size of a law's force, and damping on one side", test_forces);
    CU_add_test(suite, "an impact of a body of another inertia", test_inertia);
}
