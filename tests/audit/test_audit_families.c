/* SPDX-License-Identifier: MIT */
/**
 * Nothing passes the audit that is wrong: families of wrong rows, of every case, at 2 to 10 000
 * rows; and right rows pass from some count on, so that this cannot be had by passing nothing.
 *
 * PICKS members of each family and case are tried; with IC_TESTS_PART one, of a part of them.
 * IC_FAMILIES=N in the environment: N of them (0 too), with a line for each and a table, and right
 * rows at all counts; IC_FAMILIES_OF=GLOB: of these presets alone; IC_FAMILY=GLOB: these families alone.
 */
#include "audit/common/tolerances.h"
#include "audit/trajectory/trajectory_audit.h"
#include "registry/registry.h"
#include "tests/audit/families.h"
#include "tests/tests.h"

#include <time.h>

IC_SUITE(audits, "families of trajectories")
IC_OWNED(ic_trajectory_audit, ic_trajectory_audit_close)

static const size_t counts[] = {2, 3, 4, 5, 10, 20, 50, 200, 1000, 2000, 10000};

enum { PICKS = 4, MOST_FAMILIES = 16, MOST_PRESETS = 64 };

static const char *const verdicts[] = {
    [IC_AUDIT_GOOD] = "PASSES", [IC_AUDIT_FAILED] = "fails", [IC_AUDIT_UNDECIDED] = "undecided"};

static size_t picks_wanted(void)
{
    const char *text = getenv("IC_FAMILIES");
    if (text != NULL) return strtoul(text, NULL, 10);
    return ic_tests_part_wanted().stride > 1 ? 1 : PICKS;
}

static bool is_told(void)
{
    return getenv("IC_FAMILIES") != NULL;
}

static bool is_wanted(const char *path)
{
    const char *wanted = getenv("IC_FAMILIES_OF");
    return wanted == NULL || ic_glob(wanted, path);
}

/* A run that ends at its start has one row, which is no trajectory. */
static bool has_rows(const char *path)
{
    return !ic_glob("painleve-rod/in*", path);
}

static double processor_time(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* ---- the presets of one case, opened when they are first needed */

typedef struct grounds {
    const ic_case *system;
    family_ground open[MOST_PRESETS];
    bool is_open[MOST_PRESETS];
} grounds;

static const family_ground *ground_of(grounds *all, size_t preset)
{
    char path[96];
    snprintf(path, sizeof path, "%s/%s", all->system->name, all->system->presets[preset].name);
    if (!is_wanted(path) || !has_rows(path)) return NULL;
    if (!all->is_open[preset]) all->is_open[preset] = family_ground_open(&all->open[preset], path);
    CU_ASSERT_TRUE(all->is_open[preset]);
    return all->is_open[preset] ? &all->open[preset] : NULL;
}

static void close_grounds(grounds *all)
{
    for (size_t i = 0; i < MOST_PRESETS; i++) {
        if (all->is_open[i]) family_ground_close(&all->open[i]);
    }
}

/* ---- wrong rows */

typedef struct tally {
    size_t audits, passes;
} tally;

static ic_audit_verdict verdict_of(const ic_trajectory *tr, const ic_problem *problem)
{
    IC_OWN(ic_trajectory_audit) audit;
    CU_ASSERT_TRUE_FATAL(ic_audit_trajectory(&audit, tr, problem, NULL));
    return ic_findings_judge(&audit.findings, false).verdict;
}

/* `brief`: rows that follow close on each other, over a part of the run. false: there is no such
   member. */
static bool try_member(tally *tally, const family *family, const family_ground *whole, size_t n, size_t member,
                       bool brief)
{
    const double rows_per_time = 10;
    family_ground ground = *whole;
    const double start = ground.setup.problem.t_start, begin = processor_time();
    IC_OWN(ic_trajectory) tr = {0};
    if (brief) ground.end = fmin(ground.end, start + (double)n / rows_per_time * ground.typical);
    if (!family_make(&tr, family, &ground, n, member)) return false;
    /* a quarter of them as printed: rounding excuses little */
    if ((n + member) % 4 == 3) family_print(&tr, "%.5g", false);
    const ic_audit_verdict verdict = verdict_of(&tr, &ground.setup.problem);
    tally->audits++;
    tally->passes += verdict == IC_AUDIT_GOOD;
    if (is_told() || verdict == IC_AUDIT_GOOD)
        printf("\n  %s %s member %zu, %zu rows%s: %s; %.3f s", ground.path, family->name, member, tr.n,
               brief ? " of a part" : "", verdicts[verdict], processor_time() - begin);
    return true;
}

/* Number `pick` of a family's rows in a case: some preset, some member, some count, the same each
   time. */
static void try_pick(tally *tally, const family *family, grounds *all, size_t pick)
{
    enum { TRIES = 40 }; /* many members do not exist for a preset */
    unsigned long long seed = 1 + pick;
    for (const char *c = family->name; *c != '\0'; c++) seed = seed * 131 + (unsigned char)*c;
    for (const char *c = all->system->name; *c != '\0'; c++) seed = seed * 131 + (unsigned char)*c;
    for (int i = 0; i < TRIES; i++) {
        size_t drawn[4];
        for (size_t j = 0; j < IC_COUNT(drawn); j++) {
            seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
            drawn[j] = (size_t)(seed >> 33);
        }
        const family_ground *ground = ground_of(all, drawn[0] % all->system->n_presets);
        const size_t count = family->members == 1 ? 0 : drawn[1] % IC_COUNT(counts);
        if (ground != NULL &&
            try_member(tally, family, ground, counts[count], drawn[2] % family->members, drawn[3] % 2 == 1))
            return;
    }
}

static void try_case(tally *tallies, const ic_case *system, size_t number)
{
    const ic_tests_part part = ic_tests_part_wanted();
    static grounds all;
    all = (grounds){.system = system};
    CU_ASSERT_FATAL(system->n_presets <= MOST_PRESETS && family_count <= MOST_FAMILIES);
    for (size_t f = 0; f < family_count; f++) {
        if (getenv("IC_FAMILY") != NULL && !ic_glob(getenv("IC_FAMILY"), families[f].name)) continue;
        for (size_t pick = 0; pick < picks_wanted(); pick++) {
            if ((number * family_count + f + pick) % part.stride == part.first)
                try_pick(&tallies[f], &families[f], &all, part.first + pick);
        }
    }
    close_grounds(&all);
}

static void print_table(tally tallies[][MOST_FAMILIES])
{
    printf("\n%-16s", "pass, of");
    for (size_t c = 0; c < ic_case_count; c++) printf(" %12.12s", ic_cases[c]->name);
    for (size_t f = 0; f < family_count; f++) {
        printf("\n%-16s", families[f].name);
        for (size_t c = 0; c < ic_case_count; c++)
            printf(" %6zu of %-3zu", tallies[c][f].passes, tallies[c][f].audits);
    }
    printf("\n");
}

IC_TEST(test_wrong_rows)
{
    static tally tallies[MOST_PRESETS][MOST_FAMILIES];
    memset(tallies, 0, sizeof tallies);
    for (size_t c = 0; c < ic_case_count; c++) try_case(tallies[c], ic_cases[c], c);
    for (size_t f = 0; f < family_count; f++) {
        tally sum = {0, 0};
        for (size_t c = 0; c < ic_case_count; c++) {
            sum.audits += tallies[c][f].audits;
            sum.passes += tallies[c][f].passes;
        }
        const bool all = ic_tests_part_wanted().stride == 1 && getenv("IC_FAMILIES_OF") == NULL &&
                         getenv("IC_FAMILY") == NULL;
        CU_ASSERT(sum.audits > 0 || !all || picks_wanted() == 0);
        CU_ASSERT_EQUAL(sum.passes, 0);
    }
    if (is_told()) print_table(tallies);
}

/* ---- rows that did pass once */

IC_TEST(test_what_passed_once)
{
    static const struct once {
        const char *path, *family;
        size_t member, rows;
        bool brief;
    } passed[] = {
        {"bouncing-ball/drop", "noise", 0, 2000, false},
        {"bouncing-ball/drop", "noise", 9, 2000, false},
        {"bouncing-ball/lively", "hovering", 0, 2000, false},
        {"bouncing-ball/elastic", "hovering", 2, 2, false},
        {"two-mass/forced", "wrong-mode", 3, 200, false}, /* stuck apart */
        {"two-mass/forced", "event-made-up", 2, 10000, false},
        {"two-mass/plastic", "event-made-up", 2, 200, false},
        {"rotating-beam/first-model", "wrong-mode", 3, 20, false}, /* through its stop */
        {"pneumatic-mechanism/optimised", "hovering", 4, 10, false},
        {"roller/I/B", "named-mode", 4, 20, true},        /* into the ground */
        {"dem/test-5", "named-mode", 10, 20, true},       /* sliding forwards while the surface moves back */
        {"block/tilting-tip", "named-mode", 3, 20, true}, /* the same, upwards */
        {"clearance-joint/slow", "event-left-out", 5, 2000, true}, /* in the last interval */
        {"pneumatic-mechanism/optimised", "event-left-out", 4, 1000, true},
        {"spinning-ball/backspin", "event-left-out", 4, 1000,
         true},                                       /* a train of bounces, and the floor below it */
        {"roller/I/B", "wrong-mode", 3, 1000, false}, /* the same from a guard within the tolerance */
        {"rocking-block/undamped", "event-left-out", 4, 10000, false}, /* and runs away: 1e6 hides it */
        {"roller/II/B", "event-made-up", 0, 1000, true}, /* contact in flight, with a compression that fits */
    };
    for (size_t i = 0; i < IC_COUNT(passed); i++) {
        tally tally = {0, 0};
        IC_OWN(family_ground) ground;
        size_t f = 0;
        while (f + 1 < family_count && strcmp(families[f].name, passed[i].family) != 0) f++;
        CU_ASSERT_STRING_EQUAL(families[f].name, passed[i].family);
        CU_ASSERT_TRUE_FATAL(family_ground_open(&ground, passed[i].path));
        CU_ASSERT_TRUE(
            try_member(&tally, &families[f], &ground, passed[i].rows, passed[i].member, passed[i].brief));
        CU_ASSERT_EQUAL(tally.passes, 0);
    }
}

/* ---- right rows */

/* Rows, evenly over the run, from which exact ones pass. 0: never, since the run lacks what would
   decide. */
static const struct enough {
    const char *glob;
    size_t rows;
} enough[] = {
    /* its impacts follow each other within 0.1 ms: no coefficient of restitution */
    {"two-mass/example-2", 0},
    /* no event: rows decide nothing about events */
    {"stick-slip/sdnd106/0.02", 0},
    {"spinning-ball/kharaz", 0},
    {"cam/below", 0},
    {"planar-bar/sticking", 0},
    {"planar-bar/soft", 0},
    {"planar-bar/frictionless", 0},
    {"bouncing-ball/elastic", 200},
    {"rotating-beam/C2-500", 1000},      /* contacts shorter than its rows */
    {"rotating-beam/heavy-shaft", 1000}, /* likewise */
    {"roller/I/*", 200},
    {"roller/*", 1000}, /* at 200, in 5 s, rows fall on the same phase of the forcing */
    {"*", 50},
};

static size_t rows_enough(const char *path)
{
    size_t i = 0;
    while (!ic_glob(enough[i].glob, path)) i++;
    return enough[i].rows;
}

static void show_failed(const ic_findings *findings, const char *path, size_t n)
{
    const bool shows_open = is_told() && n >= rows_enough(path);
    for (size_t i = 0; i < findings->count; i++) {
        const ic_finding *f = &findings->rows[i];
        if (f->verdict == IC_FINDING_OPEN && f->check->needed && shows_open)
            printf(" (%s: %s)", f->check->name, f->detail);
        if (f->verdict == IC_FINDING_FAIL)
            printf("\n  right rows of %s fail at %zu: %s %g over %g, %s: %s", path, n, f->check->name,
                   f->measured, f->tolerance, ic_mistake_name(f->cause), f->detail);
    }
}

/* An accuracy with which rows decide on a restitution; 0: the default is one. */
static double deciding_accuracy(void)
{
    const double most = ic_tolerance_noise_hides.value / ic_tolerance_restitution.value;
    return ic_tolerance_accuracy.value < most ? 0 : 0.8 * most;
}

/* n exact rows never fail, and pass where they are enough. */
static void try_right(const family_ground *ground, size_t n)
{
    const size_t least = rows_enough(ground->path);
    IC_OWN(ic_trajectory) tr = {0};
    IC_OWN(ic_trajectory_audit) audit = {0};
    const ic_trajectory_options options = {.accept = deciding_accuracy()};
    if (!family_right_rows(&tr, ground, n)) return;
    CU_ASSERT_TRUE_FATAL(ic_audit_trajectory(&audit, &tr, &ground->setup.problem, &options));
    const ic_audit_verdict verdict = ic_findings_judge(&audit.findings, false).verdict;
    if (is_told()) printf(" %zu:%c", n, "GFu"[verdict]);
    show_failed(&audit.findings, ground->path, n);
    CU_ASSERT_NOT_EQUAL(verdict, IC_AUDIT_FAILED);
    IC_EXPECT(least == 0 || n < least || verdict == IC_AUDIT_GOOD, "right rows of %s do not pass at %zu",
              ground->path, n);
}

/* For each preset the count that is enough, and another one in its turn, where all are tested; all
   counts with IC_FAMILIES. */
IC_TEST(test_right_rows)
{
    const ic_tests_part part = ic_tests_part_wanted();
    size_t number = 0;
    for (size_t c = 0; c < ic_case_count; c++) {
        for (size_t p = 0; p < ic_cases[c]->n_presets; p++, number++) {
            char path[96];
            IC_OWN(family_ground) ground = {0};
            snprintf(path, sizeof path, "%s/%s", ic_cases[c]->name, ic_cases[c]->presets[p].name);
            if (!is_wanted(path) || !has_rows(path) || number % part.stride != part.first) continue;
            CU_ASSERT_TRUE_FATAL(family_ground_open(&ground, path));
            if (is_told()) printf("\nright %-32s", path);
            for (size_t i = 0; i < IC_COUNT(counts); i++) {
                const bool turn = part.stride == 1 && i == number % IC_COUNT(counts);
                if (is_told() || turn || counts[i] == rows_enough(path)) try_right(&ground, counts[i]);
            }
        }
    }
}
