/* SPDX-License-Identifier: MIT */
/**
 * Audit of trajectories with several mistakes, or with one that no parameter explains: each is named, and a parameter
 * that leaves the rows unexplained is not.
 */
#include "audit/impact/impact.h"
#include "audit/trajectory/checks/checks.h"
#include "tests/audit/audited.h"
#include "tests/audit/families.h"

IC_SUITE(audits, "audit of trajectories: several mistakes")

/* The longer tables are tested in so many parts. */
enum { PARTS = 3 };

static void expect(const audited *a, const char *check, ic_mistake_id cause)
{
    const bool blames = finding_blames(&a->audit.findings, check, cause);
    IC_EXPECT(blames, "%s is not %s", check, ic_mistake_name(cause));
    if (!blames) findings_print_failed(&a->audit.findings, "rows");
}

/* The mistakes that a row plants, and the causes that the audit must name. */
IC_TEST(test_planted)
{
    static const struct {
        const char *as, *own, *until;
        size_t samples;
        double accept;
        const char *check;
        ic_mistake_id mistake;

        /* NULL: no more */
        const char *second;
        ic_mistake_id second_mistake;
        const char *of, *said, *said_too;
    } plants[] = {
        {"two-mass/forced", "two-mass/forced k1=0.4 k2=0.2 e=1", "40", 801, 0, "parameters",
         IC_MISTAKE_PARAMETERS_EXCHANGED, .second = "restitution",
         .second_mistake = IC_MISTAKE_RESTITUTION_IGNORED},
        {"roller/III/C", "roller/III/C c23=5e3 k=2.6e8", "0.3", 1201, 0, "parameters",
         IC_MISTAKE_PARAMETER_WRONG, .of = "parameters", .said = "c23 = 5", .said_too = " and k = "},
        /* exchanged dampings with another coefficient, which all impacts show; a damping with another condition */
        {"two-mass/forced c1=0.3 c2=0.05", "two-mass/forced c1=0.05 c2=0.3 e=1", "40", 2001, 0, "parameters",
         IC_MISTAKE_PARAMETERS_EXCHANGED, .second = "restitution",
         .second_mistake = IC_MISTAKE_RESTITUTION_IGNORED},
        {"roller/III/A", "roller/III/C* c=253000", "0.8", 3201, 0, "parameters", IC_MISTAKE_DAMPING_FACTOR_TWO,
         .second = "condition", .second_mistake = IC_MISTAKE_ANOTHER_CONDITION, .of = "events",
         .said = "until c is corrected"},
        /* the root of the coefficient */
        {"bouncing-ball/lively e=0.7", "bouncing-ball/lively e=0.83666002653407556", "3", 1501, 0,
         "restitution", IC_MISTAKE_RESTITUTION_SQUARED, .second = "parameters",
         .second_mistake = IC_MISTAKE_RESTITUTION_SQUARED},
        /* a force with the other sign, or of another magnitude; a frequency in turns per second */
        {"two-mass/forced", "two-mass/forced f1=-1", NULL, 401, 0, "local-defect", IC_MISTAKE_SIGN_REVERSED,
         .second = NULL},
        {"two-mass/forced", "two-mass/forced f2=-1/2", NULL, 401, 0, "local-defect", IC_MISTAKE_SIGN_REVERSED,
         .second = NULL},
        {"two-mass/forced", "two-mass/forced f1=1.3", NULL, 401, 0, "local-defect", IC_MISTAKE_PARAMETER_WRONG,
         .second = NULL},
        {"impact-oscillator/duffing", "impact-oscillator/duffing omega=2.6*pi", "30", 1501, 0, "local-defect",
         IC_MISTAKE_UNITS_MIXED, .second = NULL},
        {"roller/III/C", "roller/III/B", "0.5", 1001, 0, "force-before-touch", IC_MISTAKE_CONTACT_FROM_FORCE,
         .second = NULL},
        /* another variant; a stop that is not there; gaps of two stops exchanged, which events alone show */
        {"pendulum-wall/single", "pendulum-wall/single variant=small", "6", 401, 0, "local-defect",
         IC_MISTAKE_ANOTHER_VARIANT, .second = NULL},
        {"impact-oscillator/shaken", "impact-oscillator/shaken gap_r=5", NULL, 801, 0, "events",
         IC_MISTAKE_EVENT_LOST, .second = NULL},
        {"impact-oscillator/shaken gap_r=0.2", "impact-oscillator/shaken gap_l=0.2", NULL, 801, 0,
         "local-defect", IC_MISTAKE_PARAMETERS_EXCHANGED, .second = NULL},
        /* parameters */
        {"two-mass/forced", "two-mass/forced m1=1.1", "40", 801, AUDITED_ACCURACY, "local-defect",
         IC_MISTAKE_PARAMETER_WRONG, .second = NULL},
        {"two-mass/forced", "two-mass/forced c1=0.4", "40", 801, AUDITED_ACCURACY, "local-defect",
         IC_MISTAKE_DAMPING_FACTOR_TWO, .second = NULL},
        {"two-mass/forced", "two-mass/forced e=1", "40", 801, AUDITED_ACCURACY, "restitution",
         IC_MISTAKE_RESTITUTION_IGNORED, .second = NULL},
        {"stick-slip/belt", "stick-slip/belt v_b=0.09", "10", 1501, 0, "parameters", IC_MISTAKE_PARAMETER_WRONG,
         .second = NULL},
        {"bouncing-ball/lively", "bouncing-ball/lively g=10.8", "3", 801, AUDITED_ACCURACY, "local-defect",
         IC_MISTAKE_PARAMETER_WRONG, .second = NULL},
    };
    for (size_t i = 0; i < IC_COUNT(plants); i++) {
        if (!ic_tests_is_turn(i, PARTS)) continue;
        const ic_options options = {.samples = plants[i].samples, .rtol = 1e-12};
        IC_OWN(audited) a = audited_open_as(plants[i].as, plants[i].own, plants[i].until, NULL, &options);
        audited_judge(&a, plants[i].accept);
        expect(&a, plants[i].check, plants[i].mistake);
        if (plants[i].second != NULL) expect(&a, plants[i].second, plants[i].second_mistake);
        const char *said[] = {plants[i].said, plants[i].said_too};
        for (size_t k = 0; k < 2 && said[k] != NULL; k++)
            CU_ASSERT_PTR_NOT_NULL(strstr(ic_findings_find(&a.audit.findings, plants[i].of)->detail, said[k]));
    }
}

/* A column with the other sign, in rows of another condition. */
IC_TEST(test_readings)
{
    const ic_options options = {.samples = 1201, .rtol = 1e-12};
    IC_OWN(audited) a = audited_open_as("roller/III/C", "roller/III/B", "0.3", NULL, &options);
    for (size_t i = 0; i < a.rows.n; i++) a.rows.x[i * a.rows.n_states + 3] *= -1;
    audited_judge(&a, 0);
    expect(&a, "local-defect", IC_MISTAKE_SIGN_REVERSED);
    expect(&a, "condition", IC_MISTAKE_ANOTHER_CONDITION);
}

/* A further force: gravity falls with the height, which no parameter of the case does. */
IC_TEST(test_missing_force)
{
    enum { SUBSTEPS = 50 };
    IC_OWN(audited) a = audited_open("bouncing-ball/lively", "0.44", 201);
    double x = a.rows.x[0], v = a.rows.x[1];
    for (size_t i = 1; i < a.rows.n; i++) {
        const double h = (a.rows.t[i] - a.rows.t[i - 1]) / SUBSTEPS;
        for (int k = 0; k < SUBSTEPS; k++) {
            v += 0.5 * h * (3 * x - 9.81), x += h * v;
            v += 0.5 * h * (3 * x - 9.81);
        }
        a.rows.x[2 * i] = x, a.rows.x[2 * i + 1] = v;
    }
    audited_judge(&a, 0);
    const ic_finding *flow = ic_findings_find(&a.audit.findings, "local-defect");
    CU_ASSERT_EQUAL(flow->verdict, IC_FINDING_FAIL);
    CU_ASSERT_EQUAL(flow->cause, IC_MISTAKE_TERM_ADDED);
    CU_ASSERT_PTR_NOT_NULL(strstr(flow->detail, "a multiple of 'x' in the rate of 'v', in SI units, 3 "));
    CU_ASSERT_FALSE(finding_blames(&a.audit.findings, "parameters", IC_MISTAKE_PARAMETER_WRONG));
}

/* A block of rows that stands in the file twice, and a column that is frozen; rows at rest are neither. */
IC_TEST(test_repeated)
{
    IC_OWN(audited) a = audited_open("bouncing-ball/lively", "5", 201);
    for (size_t i = 80; i < 110; i++) memcpy(a.rows.x + 2 * i, a.rows.x + 2 * (i - 30), 2 * sizeof *a.rows.x);
    audited_judge(&a, 0);
    expect(&a, "events", IC_MISTAKE_ROWS_GARBAGE);
    IC_OWN(audited) frozen = audited_open("bouncing-ball/lively", "5", 201);
    for (size_t i = 101; i < frozen.rows.n; i++) frozen.rows.x[2 * i + 1] = frozen.rows.x[2 * 100 + 1];
    audited_judge(&frozen, 0);
    expect(&frozen, "local-defect", IC_MISTAKE_STALE_STATE);
    /* planted: another mistake, and then rest */
    IC_OWN(audited) at_rest = audited_open("bouncing-ball/lively e=0.8", "5", 201);
    for (size_t i = 0; i < at_rest.rows.n; i++) at_rest.rows.x[2 * i + 1] *= 1.01;
    audited_judge(&at_rest, 0);
    CU_ASSERT_FALSE(finding_blames(&at_rest.audit.findings, "local-defect", IC_MISTAKE_STALE_STATE));
}

/* ---- contact laws */

/* Twelve digits of the times do not hide another law, and six do not make the right one wrong. */
IC_TEST(test_digits)
{
    static const char as[] = "ball/lankarani-nikravesh";
    for (int digits = 6; digits <= 14; digits++) {
        if (!ic_tests_is_turn((size_t)digits, PARTS)) continue;
        char format[16];
        snprintf(format, sizeof format, "%%.%dg", digits);
        IC_OWN(audited) a = audited_open_as(as, as, NULL, NULL, &(ic_options){.samples = 101});
        family_print(&a.rows, format, false);
        CU_ASSERT_NOT_EQUAL(audited_judge(&a, 0), IC_AUDIT_FAILED);
        const ic_options options = {.samples = 101};
        IC_OWN(audited) another = audited_open_as(as, "ball/lee-wang", NULL, NULL, &options);
        family_print(&another.rows, format, false);
        audited_judge(&another, 0);
        if (digits >= 10) expect(&another, "law", IC_MISTAKE_ANOTHER_LAW);
    }
}

/* Rows of the law with another size of its force and damping on one side only. */
static void test_force(int side, double factor, ic_mistake_id cause)
{
    ic_curve curve;
    CU_ASSERT_TRUE_FATAL(ic_curve_open(&curve));
    IC_OWN(audited) a = audited_open("ball/lankarani-nikravesh", NULL, 101);
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
    ic_curve_close(&curve);
}

IC_TEST(test_forces)
{
    test_force(1, 2, IC_MISTAKE_DAMPING_ONE_SIDED);
    test_force(-1, 1, IC_MISTAKE_DAMPING_ONE_SIDED);
    test_force(0, 0.9, IC_MISTAKE_PARAMETER_WRONG);
}

/* ---- an impact */

/* One impact by Stronge's hypothesis of a bar with another moment of inertia. */
IC_TEST(test_inertia)
{
    static const double ratios[] = {0.25, 1, 1.2, 4};
    for (size_t i = 0; i < IC_COUNT(ratios); i++) {
        static const char asked[] = "planar-bar/stronge e=0.7 mu=0.35 phi=0.9";
        char own[96];
        snprintf(own, sizeof own, "%s rho=%.17g", asked, sqrt(ratios[i] / 12));
        ic_impact impact;
        double after[2], P[2], v[2][IC_VELOCITIES], t[2] = {0, 1};
        size_t line[2] = {2, 3};
        IC_OWN(audited) a = audited_open(asked, NULL, 0);
        IC_OWN(audited) other = audited_open(own, NULL, 0);
        const double *par = other.setup.problem.par;
        const ic_case *bar = other.setup.problem.system;
        bar->impact(&impact, par);
        CU_ASSERT_TRUE(ic_impact_law_velocity(after, ic_impact_law_find("stronge"), &impact));
        ic_impulse_of_velocities(P, &impact, after);
        const double l = par[ic_parameter_find(bar, "l")], m = par[ic_parameter_find(bar, "m")],
                     spin = l * (sin(0.9) * P[1] - cos(0.9) * P[0]) / (m * ratios[i] / 12);
        for (int k = 0; k < 2; k++) v[0][k] = impact.v[k], v[1][k] = after[k];
        v[0][IC_VELOCITY_PHI] = 0, v[1][IC_VELOCITY_PHI] = spin;
        const ic_trajectory rows = {
            .path = "", .n = 2, .n_states = IC_VELOCITIES, .t = t, .x = v[0], .line = line};
        const ic_trajectory shell = {.path = "", .n = 2};
        CU_ASSERT_TRUE(ic_audit_impact_alone(&a.audit, &rows, &shell, &a.setup.problem, NULL));
        const bool blamed = finding_blames(&a.audit.findings, "impact-momentum", IC_MISTAKE_INERTIA_WRONG);
        CU_ASSERT_EQUAL(blamed, ratios[i] != 1);
        CU_ASSERT_EQUAL(ic_findings_with(&a.audit.findings, IC_FINDING_FAIL), ratios[i] != 1);
        if (blamed != (ratios[i] != 1)) findings_print_failed(&a.audit.findings, own);
    }
}
