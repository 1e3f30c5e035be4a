/* SPDX-License-Identifier: MIT */
/**
 * Audit of physics engines, by planted ones: right ones pass, each wrong one fails and its mistake
 * is named, none of them is an engine.
 */
#include "audit/engine/engine_coefficient.h"
#include "audit/engine/engine_fault_models.h"
#include "audit/engine/engine_impact.h"
#include "audit/engine/engine_impulses.h"
#include "audit/engine/engine_path.h"
#include "audit/engine/engine_rebound.h"
#include "audit/engine/engines.h"
#include "registry/registry.h"
#include "tests/audit/audited.h"
#include "tests/tests.h"

#include <CUnit/CUnit.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* s; the planted engine answers in milliseconds, sanitized ones in tens of them */
#define LIMIT 20.0
#define LIMIT_OF_HANGING 0.3

/* of restitution: what gravity adds to the speed in half a step of 1 ms, 9.81/2000 m/s, over 1 m/s
   at least */
#define GRAVITY_IN_A_STEP 0.005
/* Table 2 prints three decimals */
#define HALF_A_DIGIT 5e-4

/* N s, m/s; where an impact ends is found by halving to rounding: with e = 0 no damping is great
   enough, and 1e6 leaves log(1e6)/1e6 */
#define ENDS 2e-5

enum { PHASES = 3 };

typedef struct outcome {
    ic_findings findings;
    ic_engine_row rows[IC_ENGINE_CONFIGS];
} outcome;

/* The planted engine with this variant: tests/programs/planted_engine.c. */
static outcome audit_variant(const char *variant, double limit)
{
    outcome o = {0};
    const ic_engine_request request = {.program = IC_TEST_ENGINE,
                                       .name = "planted",
                                       .variant = variant,
                                       .phases = PHASES,
                                       .time_limit = limit};
    ic_audit_engine(&o.findings, o.rows, &request);
    CU_ASSERT_FALSE(o.findings.no_memory);
    return o;
}

/* Follows a law exactly: all checks but that of energy must pass; Stronge's law passes that as
   well. */
static void check_law(const char *law, ic_mistake_id gains)
{
    outcome o = audit_variant(law, LIMIT);
    const size_t failures = ic_findings_with(&o.findings, IC_FINDING_FAIL);
    CU_ASSERT_EQUAL(failures, gains == IC_NO_MISTAKE ? 0 : IC_ENGINE_CONFIGS);
    if (gains != IC_NO_MISTAKE) CU_ASSERT_EQUAL(findings_naming(&o.findings, gains), IC_ENGINE_CONFIGS);
    if (gains == IC_NO_MISTAKE && failures > 0) findings_print_failed(&o.findings, law);
    for (size_t i = 0; i < IC_ENGINE_CONFIGS; i++) {
        const ic_engine_row *row = &o.rows[i];
        CU_ASSERT_FALSE(row->broken);
        CU_ASSERT_EQUAL(row->restitution.count, PHASES);
        CU_ASSERT_DOUBLE_EQUAL(row->restitution.median, IC_ENGINE_RESTITUTION, GRAVITY_IN_A_STEP);
        CU_ASSERT(row->law.decided);
        CU_ASSERT_STRING_EQUAL(row->law.candidates[0].name, law);
    }
    CU_ASSERT_EQUAL(o.findings.contradictions, 0);
    ic_findings_free(&o.findings);
}

static void test_laws(void)
{
    static const struct {
        const char *law;
        ic_mistake_id mistake;
    } laws[] = {{"newton", IC_MISTAKE_NEWTON_ENERGY_GAIN},
                {"poisson", IC_NO_MISTAKE},
                {"newton-at-once", IC_MISTAKE_NEWTON_ENERGY_GAIN},
                {"stronge", IC_NO_MISTAKE}};
    for (size_t i = 0; i < IC_COUNT(laws); i++) {
        if (ic_tests_is_turn(i, 2)) check_law(laws[i].law, laws[i].mistake);
    }
}

/* `said`: in a finding that names the mistake */
static bool says(const outcome *o, ic_mistake_id mistake, const char *said)
{
    bool does = false;
    for (size_t i = 0; i < o->findings.count; i++) {
        const ic_finding *f = &o->findings.rows[i];
        does |= f->cause == mistake && strstr(f->detail, said) != NULL;
    }
    return does;
}

static void check_mistake(const char *variant, ic_mistake_id mistake, const char *said)
{
    outcome o = audit_variant(variant, LIMIT);
    CU_ASSERT(says(&o, mistake, said));
    CU_ASSERT_FALSE(says(&o, mistake, "with the coefficient of friction times 2")); /* planted */
    if (!says(&o, mistake, said)) findings_print_failed(&o.findings, variant);
    CU_ASSERT_EQUAL(o.findings.contradictions, 0);
    ic_findings_free(&o.findings);
}

static void test_mistakes(void)
{
    static const struct {
        const char *variant;
        ic_mistake_id mistake;
    } mistakes[] = {
        {"ignores-e", IC_MISTAKE_RESTITUTION_IGNORED}, {"threshold", IC_MISTAKE_RESTITUTION_THRESHOLD},
        {"by-phase", IC_MISTAKE_RESTITUTION_BY_PHASE}, {"frictionless", IC_MISTAKE_FRICTIONLESS},
        {"gains", IC_MISTAKE_ENERGY_APPEARS},          {"falls-through", IC_MISTAKE_FALLS_THROUGH},
        {"not-finite", IC_MISTAKE_NOT_FINITE},         {"fixed-bound", IC_MISTAKE_FRICTION_BOUND},
        {"fades", IC_MISTAKE_DAMPED_FLIGHT},           {"thin", IC_MISTAKE_TUNNELS},
    };
    const ic_tests_part part = ic_tests_part_wanted();
    for (size_t i = part.first; i < IC_COUNT(mistakes); i += part.stride)
        check_mistake(mistakes[i].variant, mistakes[i].mistake, "");
}

/* A fitted mistake is reported with its factor; two mistakes of one kind are distinguished; a
   bar is observed in flight, too. */
static void test_reported_details(void)
{
    static const struct {
        const char *variant, *said;
        ic_mistake_id mistake;
    } mistakes[] = {
        {"half-friction", "with the coefficient of friction times 0.5 ", IC_MISTAKE_FRICTION_FACTOR},
        {"rigid-solves", "with the impulse of a body that does not rotate", IC_MISTAKE_ROTATION_IGNORED},
        {"no-turn", "of a body that does not rotate", IC_MISTAKE_ROTATION_IGNORED},
        {"bar-fades", "", IC_MISTAKE_DAMPED_FLIGHT},
    };
    for (size_t i = 0; i < IC_COUNT(mistakes); i++) {
        if (ic_tests_is_turn(i, 2)) check_mistake(mistakes[i].variant, mistakes[i].mistake, mistakes[i].said);
    }
}

static bool fails(const outcome *o, const char *check)
{
    bool failed = false;
    for (size_t i = 0; i < o->findings.count; i++) {
        const ic_finding *f = &o->findings.rows[i];
        failed |= strcmp(f->check->name, check) == 0 && f->verdict == IC_FINDING_FAIL;
    }
    return failed;
}

/* e is 0.5 whatever is prescribed: the numbers show it. */
static void test_wrong_restitution(void)
{
    outcome o = audit_variant("half", LIMIT);
    CU_ASSERT_DOUBLE_EQUAL(o.rows[0].restitution.median, 0.5, GRAVITY_IN_A_STEP);
    CU_ASSERT(fails(&o, "restitution"));
    CU_ASSERT_EQUAL(o.findings.contradictions, 0);
    ic_findings_free(&o.findings);
}

/* An angle that lags behind the reported spin. */
static void test_angle_that_lags(void)
{
    outcome o = audit_variant("turns-late", LIMIT);
    CU_ASSERT(fails(&o, "positions"));
    ic_findings_free(&o.findings);
}

/* An engine that returns no motion: one finding for each configuration, and no others. */
static void check_broken(const char *variant, ic_mistake_id mistake, double limit, const char *said)
{
    outcome o = audit_variant(variant, limit);
    CU_ASSERT(o.rows[0].broken && o.rows[1].broken);
    CU_ASSERT_EQUAL(o.findings.count, IC_ENGINE_CONFIGS);
    CU_ASSERT_EQUAL(findings_naming(&o.findings, mistake), IC_ENGINE_CONFIGS);
    CU_ASSERT_EQUAL(o.rows[0].law.count, 0);
    for (size_t i = 0; i < o.findings.count; i++) {
        CU_ASSERT_EQUAL(o.findings.rows[i].verdict, IC_FINDING_FAIL);
        CU_ASSERT_PTR_NOT_NULL(strstr(o.findings.rows[i].detail, said));
        if (strstr(o.findings.rows[i].detail, said) == NULL) findings_print_failed(&o.findings, variant);
    }
    CU_ASSERT_EQUAL(o.findings.contradictions, 0);
    ic_findings_free(&o.findings);
}

static void test_broken(void)
{
    check_broken("crashes", IC_MISTAKE_CRASHES, LIMIT, "signal");
    check_broken("hangs", IC_MISTAKE_HANGS, LIMIT_OF_HANGING, "still running after");
    check_broken("hides", IC_MISTAKE_HANGS, LIMIT_OF_HANGING, "still running after");
    check_broken("fails", IC_NO_MISTAKE, LIMIT, "exit status 3");
    check_broken("garbage", IC_NO_MISTAKE, LIMIT, "the protocol has no such line");
    check_broken("cut-short", IC_NO_MISTAKE, LIMIT, "rows");
    check_broken("back-in-time", IC_NO_MISTAKE, LIMIT, "is due");
    check_broken("silent", IC_NO_MISTAKE, LIMIT, "ended without a motion");
}

/* A scene that an engine does not offer is named, and is no failure; others are judged. */
static void check_not_offered(const char *variant, size_t failed, ic_audit_verdict verdict)
{
    outcome o = audit_variant(variant, LIMIT);
    size_t said = 0;
    CU_ASSERT_EQUAL(ic_findings_with(&o.findings, IC_FINDING_FAIL), failed);
    if (ic_findings_with(&o.findings, IC_FINDING_FAIL) != failed) findings_print_failed(&o.findings, variant);
    CU_ASSERT_EQUAL(ic_findings_judge(&o.findings, true).verdict, verdict);
    CU_ASSERT(o.rows[0].not_offered && !o.rows[0].failed);
    for (size_t i = 0; i < o.findings.count; i++) {
        if (strstr(o.findings.rows[i].detail, "this body (step ") == NULL) continue;
        CU_ASSERT_STRING_EQUAL(ic_finding_word(&o.findings.rows[i]), "not offered");
        CU_ASSERT_STRING_EQUAL(o.findings.rows[i].check->reference, "docs/engines.md");
        said++;
    }
    CU_ASSERT_EQUAL(said, IC_ENGINE_CONFIGS);
    CU_ASSERT_EQUAL(o.findings.contradictions, 0);
    ic_findings_free(&o.findings);
}

static void test_not_offered(void)
{
    check_not_offered("no-bars", 0, IC_AUDIT_GOOD);
    check_not_offered("no-balls", 0, IC_AUDIT_UNDECIDED);
    check_not_offered("no-friction", 0, IC_AUDIT_GOOD);
    /* a falling ball, thrown balls, and a plastic one */
    check_not_offered("no-bars-half", 3 * (size_t)IC_ENGINE_CONFIGS, IC_AUDIT_FAILED);
}

static void test_absent(void)
{
    outcome o = {0};
    const ic_engine_request request = {
        .program = "/no/such/program", .name = "absent", .phases = PHASES, .time_limit = LIMIT};
    ic_audit_engine(&o.findings, o.rows, &request);
    CU_ASSERT(o.rows[0].broken);
    CU_ASSERT_PTR_NOT_NULL(strstr(o.findings.rows[0].detail, "exit status 127"));
    CU_ASSERT_EQUAL(o.findings.contradictions, 0);
    ic_findings_free(&o.findings);
}

/*
 * Hunt and Crossley's law of an impact: a central one returns e; without damping it is Stronge's;
 * with it there is less. The plugin engine_hunt_crossley compares it with the force itself, in
 * small steps.
 */
static void test_hunt_crossley(void)
{
    const double r[] = {0, -0.1}, v[] = {0.4, -1}, before[] = {0.8, -1};
    for (int i = 0; i <= 10; i++) {
        const double e = i / 10.0;
        double P[2], known[2];
        const ic_impact central = ic_engine_impact_at(2, 0.01, r, v, 0.3, e);
        ic_impact oblique = ic_engine_bar_impact(20 + 5 * i, before, 0.2 + 0.05 * i, 1);
        CU_ASSERT_FATAL(ic_law_of_hunt_crossley.impulse(P, &central));
        CU_ASSERT_DOUBLE_EQUAL(central.v[1] + central.w_yy * P[1], e, ENDS);
        CU_ASSERT_FATAL(ic_law_of_hunt_crossley.impulse(P, &oblique));
        CU_ASSERT_FATAL(ic_impact_law_find("stronge")->impulse(known, &oblique));
        CU_ASSERT_DOUBLE_EQUAL(P[0], known[0], ENDS);
        CU_ASSERT_DOUBLE_EQUAL(P[1], known[1], ENDS);
        oblique.e = 0.5;
        CU_ASSERT(ic_law_of_hunt_crossley.impulse(P, &oblique) && P[1] < known[1]);
    }
}

/* Kecskemethy & Lange 1999, Table 2: what the engines' table is compared with. */
static void test_table_2(void)
{
    static const struct {
        const char *map;
        double ratio, v_y; /* E+/E-; m/s, as the study of that table has them */
    } laws[] = {{"newton", 1.122, 1}, {"poisson", 0.844, 0.520}, {"stronge", 0.902, 0.651}};
    const double before[] = {0.8, -1};
    const ic_impact p = ic_engine_bar_impact(45, before, 1, 1);
    for (size_t i = 0; i < IC_COUNT(laws); i++) {
        ic_impact_result result;
        CU_ASSERT_EQUAL(ic_impact_map_find(laws[i].map)->map(&result, &p), IC_OK);
        CU_ASSERT_DOUBLE_EQUAL(result.v[1], laws[i].v_y, HALF_A_DIGIT);
        const double energy = (0.8 * 0.8 + 1) / 2; /* of the bar, which only translates */
        CU_ASSERT_DOUBLE_EQUAL(1 - (result.D_N + result.D_T) / energy, laws[i].ratio, HALF_A_DIGIT);
    }
}

/* ---- measurements */

enum { PAIRS = 6 };

/* Uncertainty of each coefficient measured, which the fitted function may not exceed. */
#define PAIR_ERROR 1e-3

static void check_use(double (*f)(double), ic_coefficient_use use, double c)
{
    static const double given[PAIRS] = {0.05, 0.2, 0.4, 0.7, 1, 2};
    ic_coefficient_pair pairs[PAIRS];
    for (size_t i = 0; i < PAIRS; i++) pairs[i] = (ic_coefficient_pair){given[i], f(given[i]), PAIR_ERROR};
    const ic_coefficient found = ic_coefficient_find(pairs, PAIRS);
    CU_ASSERT_EQUAL(found.use, use);
    for (size_t i = 0; i < PAIRS && use != IC_COEFFICIENT_UNKNOWN; i++)
        CU_ASSERT_DOUBLE_EQUAL(ic_coefficient_of(&found, given[i]), f(given[i]), PAIR_ERROR);
    if (c > 0) CU_ASSERT_DOUBLE_EQUAL(found.c, c, PAIR_ERROR);
}

static double itself(double x)
{
    return x;
}
static double reversed(double x)
{
    return -x;
}
static double none(double x)
{
    return 0 * x;
}
static double squared(double x)
{
    return x * x;
}
static double halved(double x)
{
    return x / 2;
}
static double capped(double x)
{
    return fmin(x, 0.6);
}
static double raised(double x)
{
    return fmax(x, 0.3);
}
static double geometric(double x)
{
    return sqrt(0.5 * x);
}
static double averaged(double x)
{
    return (x + 0.6) / 2;
}
static double cubed(double x)
{
    return x * x * x;
}

static void test_coefficients(void)
{
    check_use(itself, IC_COEFFICIENT_RIGHT, 0);
    check_use(reversed, IC_COEFFICIENT_REVERSED, 0);
    check_use(none, IC_COEFFICIENT_NONE, 0);
    check_use(squared, IC_COEFFICIENT_SQUARED, 0);
    check_use(sqrt, IC_COEFFICIENT_ROOT, 0);
    check_use(halved, IC_COEFFICIENT_FACTOR, 0.5);
    check_use(capped, IC_COEFFICIENT_AT_MOST, 0.6);
    check_use(raised, IC_COEFFICIENT_AT_LEAST, 0.3);
    check_use(geometric, IC_COEFFICIENT_GEOMETRIC, 0.5);
    check_use(averaged, IC_COEFFICIENT_MEAN, 0.6);
    check_use(cubed, IC_COEFFICIENT_UNKNOWN, 0);
}

/* A ball at 1 m/s without gravity, e = 0.5, whose touch falls on the fraction f of a step, by a
   method; positions in steps of 1. Returns the position of row i after row 0, which is above. */
typedef double stepped(double f, int i);

static double by_events(double f, int i)
{
    return i == 0 ? f : 0.5 * (i - f);
}

static double at_ends(double f, int i)
{
    return i == 0 ? f : f - 1 + 0.5 * (i - 1);
}

static double projected(double f, int i)
{
    return i == 0 ? f : 0.5 * (i - 1);
}

/* y(i) >= -e y(i - 2) */
static double paoli(double f, int i)
{
    double before = f + 1, now = f;
    for (int k = 0; k < i; k++) {
        const double next = fmax(2 * now - before, -0.5 * before);
        before = now;
        now = next;
    }
    return now;
}

static void check_method(stepped *y, const char *said)
{
    enum { PLACES = 9, ROWS = 8 };
    ic_engine_rebound rebounds[PLACES];
    for (int k = 0; k < PLACES; k++) {
        const double f = (k + 0.5) / PLACES;
        /* leaves at the root of the last arc */
        const double leaves = ROWS - y(f, ROWS) / 0.5;
        rebounds[k] =
            (ic_engine_rebound){.before = 1, .after = 0.5, .late = leaves - f, .fraction = f, .steps = 1};
    }
    CU_ASSERT_PTR_NOT_NULL(strstr(ic_engine_method_of(rebounds, PLACES), said));
}

static void test_methods(void)
{
    check_method(by_events, "event-driven");
    check_method(at_ends, "end of the step");
    check_method(projected, "projection");
    check_method(paoli, "Schatzman-Paoli");
}

/* A path without a corner at which the mistake acts is that of the map. */
static void test_path(void)
{
    static const char *const laws[] = {"newton", "poisson", "stronge"};
    const double before[] = {3, -1};
    const ic_impact slides = ic_engine_bar_impact(20, before, 0.2, 0.5);
    for (size_t i = 0; i < IC_COUNT(laws); i++) {
        const ic_impact_law *law = ic_impact_law_find(laws[i]);
        double P[2], known[2];
        CU_ASSERT_FATAL(law->impulse(known, &slides) && ic_impulse_on_path(P, &slides, law, IC_PATH_STICKS));
        CU_ASSERT_DOUBLE_EQUAL(P[0], known[0], ENDS);
        CU_ASSERT_DOUBLE_EQUAL(P[1], known[1], ENDS);
        CU_ASSERT(ic_impulse_on_path(P, &slides, law, IC_PATH_FRICTION_SIGN) && P[0] > 0 && known[0] < 0);
    }
    const ic_impact sticks = ic_engine_bar_impact(45, (const double[]){0.8, -1}, 1, 1);
    for (size_t i = 0; i < IC_COUNT(laws); i++) {
        const ic_impact_law *law = ic_impact_law_find(laws[i]);
        double P[2], known[2];
        CU_ASSERT_FATAL(law->impulse(known, &sticks) && ic_impulse_on_path(P, &sticks, law, IC_PATH_STICKS));
        CU_ASSERT_DOUBLE_EQUAL(P[0], known[0], ENDS);
        CU_ASSERT_DOUBLE_EQUAL(P[1], known[1], ENDS);
    }
    double P[2];
    CU_ASSERT_FALSE(ic_impulse_on_path(P, &sticks, ic_impact_law_find("frictionless"), IC_PATH_STICKS));
}

void ic_tests_audit_engines(void)
{
    CU_pSuite suite = CU_add_suite("audit of physics engines", NULL, NULL);
    CU_ADD_TEST(suite, test_laws);
    CU_ADD_TEST(suite, test_mistakes);
    CU_ADD_TEST(suite, test_reported_details);
    CU_ADD_TEST(suite, test_wrong_restitution);
    CU_ADD_TEST(suite, test_angle_that_lags);
    CU_ADD_TEST(suite, test_broken);
    CU_ADD_TEST(suite, test_not_offered);
    CU_ADD_TEST(suite, test_absent);
    CU_ADD_TEST(suite, test_table_2);
    CU_ADD_TEST(suite, test_hunt_crossley);
    CU_ADD_TEST(suite, test_coefficients);
    CU_ADD_TEST(suite, test_methods);
    CU_ADD_TEST(suite, test_path);
}
