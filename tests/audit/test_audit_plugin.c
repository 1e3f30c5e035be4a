/* SPDX-License-Identifier: MIT */
/**
 * Audit of plugins: every faulty plugin fails and its mistake is named; every correct one, and
 * every law, map and solver of ours, passes without a false alarm; what cannot be loaded is refused
 * with a message that says why.
 */
#include "audit/common/plugin_load.h"
#include "audit/impact/impact.h"
#include "audit/law/law.h"
#include "audit/plugin/plugin.h"
#include "audit/solver/solver.h"
#include "audit/trajectory/input/input.h"
#include "core/system.h"
#include "registry/registry.h"
#include "tests/audit/audited.h"

IC_SUITE(audits, "audit of plugins")

/*
 * s of the clock. The gallery takes milliseconds, those that hang all of the least. The parts of one, of which more
 * than sixty are right, take 2 s together; one that hangs computes, and is ended after 9 s of processor time.
 * Sanitizers and a machine that is shared are a hundred times as slow.
 */
#ifdef __SANITIZE_ADDRESS__
#define OWN_HEAP true /* the sanitizer's: neither leaks nor unset memory are seen there */
#define LIMIT 1200.0
#define LIMIT_OF_HANGING 10.0
#define LIMIT_OF_HANGING_PARTS 300.0
#else
#define OWN_HEAP false
#define LIMIT 120.0
#define LIMIT_OF_HANGING 0.5
#define LIMIT_OF_HANGING_PARTS 60.0
#endif

static void close_report(ic_audit_report *report)
{
    CU_ASSERT_EQUAL(report->findings.contradictions, 0);
    ic_audit_report_free(report);
}
IC_OWNED(ic_audit_report, close_report)

/* It is known without doubt what the only subject is. */
static void check_identified(const ic_audit_report *report, const char *name)
{
    CU_ASSERT_EQUAL_FATAL(report->n_classifications, 1);
    CU_ASSERT(report->classifications[0].decided);
    CU_ASSERT_STRING_EQUAL(report->classifications[0].candidates[0].name, name);
}

static void check_faulty(const char *name, ic_mistake_id mistake)
{
    const bool crashes = mistake == IC_MISTAKE_CRASHES, hangs = mistake == IC_MISTAKE_HANGS;
    IC_OWN(ic_audit_report) report = audited_plugin(name, hangs ? LIMIT_OF_HANGING : LIMIT);
    CU_ASSERT(ic_findings_with(&report.findings, IC_FINDING_FAIL) > 0);
    CU_ASSERT_EQUAL(report.crashed, crashes || hangs);
    /* its mistake is named by as many rows as any other: others may follow from it */
    const size_t right = findings_naming(&report.findings, mistake);
    bool good = right > 0;
    for (int other = IC_NO_MISTAKE + 1; other < IC_MISTAKE_COUNT; other++)
        good &= findings_naming(&report.findings, (ic_mistake_id)other) <= right;
    CU_ASSERT(good);
    if (!good) {
        printf("\n  %s, %zu findings", name, report.findings.count);
        findings_print_failed(&report.findings, name);
    }
}

/* What cannot be seen is not called good. */
static void check_open(const char *name)
{
    IC_OWN(ic_audit_report) report = audited_plugin(name, LIMIT);
    CU_ASSERT(ic_findings_with(&report.findings, IC_FINDING_OPEN) >= 2);
}

IC_TEST(test_faulty)
{
    static const struct {
        const char *file;
        ic_mistake_id mistake;
    } plugins[] = {
#define IC_FAULTY(name_, mistake_) {#name_, IC_MISTAKE_##mistake_},
#include "tests/plugins/faulty/faulty.def"
#undef IC_FAULTY
    };
    const ic_tests_part part = ic_tests_part_wanted();
    for (size_t i = part.first; i < IC_COUNT(plugins); i += part.stride)
        if (OWN_HEAP && (strcmp(plugins[i].file, "leaks") == 0 || strcmp(plugins[i].file, "unset_heap") == 0))
            check_open(plugins[i].file);
        else if (OWN_HEAP &&
                 (strstr(plugins[i].file, "_leaks") != NULL || strstr(plugins[i].file, "_unset") != NULL))
            continue; /* the row on memory is open, all others are right */
        else check_faulty(plugins[i].file, plugins[i].mistake);
}

/* Laws and maps that no physical check fails are not good if it is not known what they are, or not what they say. */
IC_TEST(test_doubtful)
{
    static const struct {
        const char *file, *said;
    } plugins[] = {{"power_of_integers", "acts as d^1 where K's unit says d^1.5"},
                   {"own_without_speed", "identified as: none"},
                   {"limited_drag", "identified as: none"},
                   {"another_formula", "acts as lee-wang where its source is that of hunt-crossley"},
                   {"never_cut", "acts as hunt-crossley, but its contact ends by another condition"},
                   {"says_unknown", "implements says 'hunt-crosley', which is no law"},
                   {"half_restitution_off_centre", "identified as: none"},
                   {"restitution_by_coupling", "identified as: none"},
                   {"friction_at_once", "acts as newton-at-once, which creates energy"}};
    for (size_t i = 0; i < IC_COUNT(plugins); i++) {
        IC_OWN(ic_audit_report) report = audited_plugin(plugins[i].file, LIMIT);
        const ic_audit_judgement j = ic_findings_judge(&report.findings, true);
        IC_EXPECT(j.verdict == IC_AUDIT_UNDECIDED && strncmp(j.why->check->name, "identity", 9) == 0 &&
                      strncmp(j.why->detail, plugins[i].said, strlen(plugins[i].said)) == 0,
                  "%s: %s", plugins[i].file, j.why != NULL ? j.why->detail : ic_audit_verdict_text(j.verdict));
    }
}

static void check_correct(const char *name)
{
    IC_OWN(ic_audit_report) report = audited_plugin(name, LIMIT);
    CU_ASSERT_EQUAL(ic_findings_with(&report.findings, IC_FINDING_FAIL), 0);
    CU_ASSERT(ic_findings_with(&report.findings, IC_FINDING_PASS) > 5);
    const ic_audit_judgement j = ic_findings_judge(&report.findings, true);
    IC_EXPECT(j.why == NULL, "%s: %s", name, j.why->detail);
    CU_ASSERT_FALSE(report.crashed);
    findings_print_failed(&report.findings, name);
}

IC_TEST(test_correct)
{
    static const char *const plugins[] = {
#define IC_CORRECT(file_) #file_,
#include "tests/plugins/correct/correct.def"
#undef IC_CORRECT
    };
    const ic_tests_part part = ic_tests_part_wanted();
    for (size_t i = part.first; i < IC_COUNT(plugins); i += part.stride) check_correct(plugins[i]);
}

/* ---- our own, without a child between */

IC_TEST(test_own_laws)
{
    for (size_t i = 0; i < ic_law_count; i++) {
        IC_OWN(ic_audit_report) report = {0};
        ic_finding_writer writer = {.report = &report};
        ic_audit_law(&writer, ic_laws[i], &ic_law_host_of_c, 1);
        CU_ASSERT_EQUAL(ic_findings_with(&report.findings, IC_FINDING_FAIL), 0);
        findings_print_failed(&report.findings, ic_laws[i]->name);
        check_identified(&report, ic_laws[i]->name);
    }
}

/* All are recognised. The energy that Newton's hypothesis creates and that Poisson's transfers to the normal motion
   are properties of these, which are reported. */
IC_TEST(test_own_maps)
{
    static const struct {
        const char *name;
        size_t open;
    } maps[] = {{"newton", 2}, {"poisson", 1}, {"stronge", 0}};
    for (size_t i = 0; i < IC_COUNT(maps); i++) {
        IC_OWN(ic_audit_report) report = {0};
        ic_finding_writer writer = {.report = &report};
        ic_audit_impact_map(&writer, ic_impact_map_find(maps[i].name), 1);
        check_identified(&report, maps[i].name);
        CU_ASSERT_EQUAL(ic_findings_with(&report.findings, IC_FINDING_FAIL), 0);
        CU_ASSERT_EQUAL(ic_findings_judge(&report.findings, true).verdict, IC_AUDIT_GOOD);
        CU_ASSERT_EQUAL(ic_findings_with(&report.findings, IC_FINDING_OPEN), maps[i].open + OWN_HEAP);
    }
}

/* Failures on anything but traps, which have tests of their own. */
static size_t failures_without_traps(const ic_audit_report *report)
{
    size_t count = 0;
    for (size_t i = 0; i < report->findings.count; i++)
        count += report->findings.rows[i].verdict == IC_FINDING_FAIL &&
                 report->findings.rows[i].check != &ic_plugin_checks[IC_CHECK_SOLVER_TRAPS];
    return count;
}

/* Also refined_step, which locates no event, and says so: its traps are open for this reason. Time stepping with impulses is not audited. */
IC_TEST(test_own_solvers)
{
    for (size_t i = 0; i < ic_solver_count; i++) {
        if (!ic_tests_is_turn(i, 4)) continue;
        IC_OWN(ic_audit_report) report = {0};
        ic_finding_writer writer = {.report = &report};
        const bool late = ic_solvers[i]->steps_over_events && (ic_solvers[i]->needs & IC_NEEDS_STOPS_VIEW) == 0;
        /* all parts, in this process */
        ic_known known = {{IC_NO_MISTAKE}};
        for (size_t part = 0; part < ic_solver_part_count(); part++)
            ic_audit_solver_part(&writer, ic_solvers[i], part, &known);
        CU_ASSERT_EQUAL(failures_without_traps(&report), 0);
        CU_ASSERT_EQUAL(findings_naming(&report.findings, IC_MISTAKE_NO_EVENT_LOCATION) > 0, late);
        if (failures_without_traps(&report) > 0) findings_print_failed(&report.findings, ic_solvers[i]->name);
        CU_ASSERT_EQUAL(report.findings.contradictions, 0);
    }
}

/* ---- what is said of a mistake */

/* The row on the force at rest of a law with another text of its stiffness or power. */
static const ic_finding *elastic_text(ic_audit_report *report, const char *stiffness, const char *power)
{
    ic_law law = *ic_law_find("hunt-crossley");
    ic_finding_writer writer = {.report = report};
    *report = (ic_audit_report){0};
    if (stiffness != NULL) law.stiffness = stiffness;
    if (power != NULL) law.power = power;
    ic_audit_law(&writer, &law, &ic_law_host_of_c, 1);
    return ic_findings_find(&report->findings, ic_plugin_checks[IC_CHECK_LAW_TEXT_ELASTIC].name);
}

/* A stiffness with a wrong factor is reported with the factor; a wrong power, with the least and
   the greatest ratio. */
IC_TEST(test_mistold_texts)
{
    IC_OWN(ic_audit_report) report, stiffer, steeper;
    double least = NAN, most = NAN;
    const ic_finding *f = elastic_text(&report, NULL, NULL);
    CU_ASSERT_EQUAL(f->verdict, IC_FINDING_PASS);
    f = elastic_text(&stiffer, "4*K", NULL);
    CU_ASSERT(f->verdict == IC_FINDING_FAIL && f->cause == IC_MISTAKE_CLOSED_FORM_MISTOLD);
    CU_ASSERT_PTR_NOT_NULL(strstr(f->detail, "is everywhere 0.25 times the text's"));
    f = elastic_text(&steeper, NULL, "2");
    CU_ASSERT_EQUAL(f->verdict, IC_FINDING_FAIL);
    const char *ratios = strstr(f->detail, "the force's value is ");
    CU_ASSERT(ratios != NULL && sscanf(ratios, "the force's value is %lf to %lf times", &least, &most) == 2);
    /* over more than two decades of d */
    CU_ASSERT(least > 0 && isfinite(most) && most > 10 * least);
}

/* Means of five numbers up to 3 are off by some units in the last place, 4e-16; the noise that they
   remove is 1e-2. */
#define MEAN_ROUNDING 1e-12

/*
 * Rows of a body that meets a wall between the fourth and the fifth of them, and of what follows:
 * noise shifts them a little. Beyond the file's rows stand others, which must not count.
 */
IC_TEST(test_sides_of_an_impact)
{
    enum { ROWS = 9, BEFORE = 4 };
    double v[ROWS + 2][IC_VELOCITIES] = {{-9, -9, -9},   {1, -2, 0},  {1, -2.01, 0},  {1, -1.99, 0},
                                         {1, -2, 0},     {0.5, 1, 3}, {0.5, 1.01, 3}, {0.5, 1, 3},
                                         {0.5, 0.99, 3}, {0.5, 1, 3}, {9, 9, 9}};
    const ic_trajectory rows = {.n = ROWS, .n_states = IC_VELOCITIES, .x = v[1]};
    ic_impact_sides sides;
    CU_ASSERT_FATAL(ic_impact_sides_of(&sides, &rows));
    CU_ASSERT(sides.rows_before == BEFORE && sides.rows_after == ROWS - BEFORE);
    CU_ASSERT_DOUBLE_EQUAL(sides.before[IC_VELOCITY_Y], -2, MEAN_ROUNDING);
    CU_ASSERT_DOUBLE_EQUAL(sides.after[IC_VELOCITY_Y], 1, MEAN_ROUNDING);
    CU_ASSERT_DOUBLE_EQUAL(sides.after[IC_VELOCITY_PHI], 3, MEAN_ROUNDING);
    // cppcheck-suppress unreadVariable ; read through `rows`
    v[BEFORE][IC_VELOCITY_Y] = -1.5; /* planted: the mean is another one */
    CU_ASSERT_FATAL(ic_impact_sides_of(&sides, &rows));
    CU_ASSERT_FALSE(fabs(sides.before[IC_VELOCITY_Y] + 2) <= MEAN_ROUNDING);
}

/* ---- the example, and files that are not plugins */

IC_TEST(test_example)
{
    IC_OWN(ic_audit_report) report = audited_plugin("mine", LIMIT);
    CU_ASSERT_EQUAL_FATAL(report.n_classifications, 2);
    CU_ASSERT_STRING_EQUAL(report.classifications[0].candidates[0].name, "hunt-crossley");
    CU_ASSERT_STRING_EQUAL(report.classifications[1].candidates[0].name, "frictionless");
    CU_ASSERT(findings_naming(&report.findings, IC_MISTAKE_FRICTIONLESS) > 0);
}

/* The example of an engine passes, and its law is identified as declared. */
IC_TEST(test_example_engine)
{
    IC_OWN(ic_audit_report) report = audited_plugin("engine", LIMIT);
    CU_ASSERT_EQUAL(ic_findings_with(&report.findings, IC_FINDING_FAIL), 0);
    check_identified(&report, "stronge");
}

/* Impacts that follow no law, by no mistake that is known: failures that accuse of nothing. */
IC_TEST(test_lawless_engine)
{
    bool law = false;
    IC_OWN(ic_audit_report) report = audited_plugin("engine_lawless", LIMIT);
    for (size_t i = 0; i < report.findings.count; i++) {
        const ic_finding *f = &report.findings.rows[i];
        if (f->verdict != IC_FINDING_FAIL) continue;
        CU_ASSERT_EQUAL(f->cause, IC_NO_MISTAKE);
        law |= strcmp(f->check->name, "law") == 0 && strstr(f->because, "no known mistake") != NULL;
    }
    CU_ASSERT(law);
    CU_ASSERT_EQUAL_FATAL(report.n_classifications, 1);
    CU_ASSERT_FALSE(report.classifications[0].decided);
}

static bool has_place(const ic_audit_report *report, ic_mistake_id mistake, const char *place)
{
    for (size_t i = 0; i < report->findings.count; i++) {
        const ic_finding *f = &report->findings.rows[i];
        if (f->cause == mistake && strstr(f->place, place) != NULL) return true;
    }
    return false;
}

/* One trap or preset on which a solver hangs hides no other. */
IC_TEST(test_hanging_part)
{
    IC_OWN(ic_audit_report) report = audited_plugin("hangs_on_one", LIMIT_OF_HANGING_PARTS);
    CU_ASSERT(report.crashed);
    CU_ASSERT_EQUAL(findings_naming(&report.findings, IC_MISTAKE_HANGS), 1);
    CU_ASSERT(has_place(&report, IC_MISTAKE_HANGS, "trap "));
    CU_ASSERT_EQUAL(ic_findings_with(&report.findings, IC_FINDING_FAIL), 1);
    CU_ASSERT(ic_findings_with(&report.findings, IC_FINDING_PASS) > 60);
    findings_print_failed(&report.findings, "hangs_on_one");
}

/* Each finding says on what it was made: a preset, a trap, the motion of a law, the number of an
   impact. */
IC_TEST(test_places)
{
    static const struct {
        const char *plugin;
        ic_mistake_id mistake;
        const char *place;
    } places[] = {{"disabled_fires", IC_MISTAKE_DISABLED_FIRES, "roller/III/C"},
                  {"simultaneous_lost", IC_MISTAKE_SIMULTANEOUS_LOST, "trap corner-hit"},
                  {"gives_at_an_end", IC_MISTAKE_DAMPING_SIGN, " m/s, with e = "},
                  {"penetrates", IC_MISTAKE_PENETRATES, " of 1000"},
                  {"engine_spins", IC_MISTAKE_SPIN_WRONG, "rough-bar"}};
    for (size_t i = 0; i < IC_COUNT(places); i++) {
        if (!ic_tests_is_turn(i, 2)) continue;
        IC_OWN(ic_audit_report) report = audited_plugin(places[i].plugin, LIMIT_OF_HANGING_PARTS);
        const bool good = has_place(&report, places[i].mistake, places[i].place);
        CU_ASSERT(good);
        CU_ASSERT_FALSE(has_place(&report, places[i].mistake, "nowhere"));
        if (!good) findings_print_failed(&report.findings, places[i].plugin);
    }
}

/* A mistake of a map is told with its number and with the impacts in which it acts. */
IC_TEST(test_words_on_maps)
{
    static const struct {
        const char *plugin, *check, *words;
    } told[] = {{"friction_capped", "friction", "mu is at most 1"},
                {"no_friction_at_rest", "friction", "mu = 0 where v_x = 0"},
                {"map_inertia", "friction", "w_xx is 1.4 times the given one"},
                {"friction_mean", "cone", "0.25 +0.5 mu"},
                {"iterations_few", "friction", "ends after 8 sweeps"},
                {"not_invariant", "restitution", "exp(0 -0.02 |v_y|)"},
                {"newton_as_stronge", "energy", "the law creates this energy"},
                {"restitution_threshold", "slow-impacts", "its answer at 2^20 times the speed"},
                {"map_single", "precision", "single precision"},
                {"valid_refused", "answers", "all where mu >= 1."},
                {"faulty_accepted", "answers", "faulty ones accepted: v_y > 0"},
                {"slip_threshold", "friction", "where |v_x| <= 0.4"}};
    for (size_t i = 0; i < IC_COUNT(told); i++) {
        IC_OWN(ic_audit_report) report = audited_plugin(told[i].plugin, LIMIT);
        const char *detail = ic_findings_find(&report.findings, told[i].check)->detail;
        IC_EXPECT(strstr(detail, told[i].words) != NULL, "%s: %s", told[i].plugin, detail);
        CU_ASSERT_PTR_NULL(strstr(detail, "nowhere"));
    }
}

static void check_refused(const char *path, const char *said)
{
    IC_OWN(ic_audit_report) report = {0};
    ic_error error = {""};
    CU_ASSERT_FALSE(ic_audit_plugin(
        &report, path, &(ic_plugin_audit_options){.time_limit = LIMIT, .jobs = ic_processors()}, &error));
    IC_EXPECT(strstr(error.text, said) != NULL, "%s: %s", path, error.text);
}

IC_TEST(test_refused)
{
    check_refused(IC_TEST_SOURCE_DIR "/README.md", "not a shared library");
    check_refused(IC_TEST_PLUGINS "/no_entry.so", "without the symbol impactcheck_plugin");
    char versions[64];
    snprintf(versions, sizeof versions, "abi_version 2; this command has %u", IC_ABI_VERSION);
    check_refused(IC_TEST_PLUGINS "/other_abi.so", versions);
    check_refused(IC_TEST_PLUGINS "/other_size.so", "struct_size 8;");
    check_refused(IC_TEST_PLUGINS "/empty.so", "exports no law");
}

IC_TEST(test_parameter_without_range)
{
    const ic_parameter stiffness = {"K", "N/m", "stiffness", "1e6", NULL};
    ic_law law = *ic_law_find("hertz");
    ic_error error = {""};
    CU_ASSERT_TRUE(ic_law_is_whole(&law, 0, &error));
    law.parameters = &stiffness;
    law.n_parameters = 1;
    CU_ASSERT_FALSE(ic_law_is_whole(&law, 0, &error));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "'K', has no range: (0, inf)"));
}
