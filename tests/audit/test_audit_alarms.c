/* SPDX-License-Identifier: MIT */
/**
 * Rows of our own runs, with noise, must not fail: a failure is a false alarm. They may stay
 * undecided.
 *
 * IC_ALARMS=GLOB in the environment: all of these presets, with a line for each preset and each
 * alarm and a table (tools/check-alarms.sh), of IC_TESTS_PART=I/N one of N; else one for each
 * preset.
 */
#include "audit/common/tolerances.h"
#include "audit/trajectory/trajectory_audit.h"
#include "core/names.h"
#include "tests/audit/audited.h"
#include "tests/audit/families.h"

#include <time.h>

IC_SUITE(audits, "false alarms")
IC_OWNED(ic_trajectory_audit, ic_trajectory_audit_close)

/* Each case, each of its variants or contact models that differ, and those whose rows are hard. */
static const char *const presets[] = {
    "bouncing-ball/drop",
    "bouncing-ball/lively",
    "bouncing-ball/elastic",
    "bouncing-ball/plastic",
    "two-mass/example-1",
    "two-mass/example-2",
    "two-mass/forced",
    "two-mass/plastic",
    "roller/I/A",
    "roller/II/B",
    "roller/III/C",
    "roller/IV/C*",
    "roller/III/D",
    "roller/law",
    "planar-bar/kappa-1",
    "planar-bar/sticking",
    "planar-bar/reversal",
    "planar-bar/two-bodies",
    "planar-bar/self-locking",
    "ball/C1/0.5000",
    "ball/hertz",
    "ball/kelvin-voigt",
    "ball/hunt-crossley",
    "rotating-beam/main",
    "rotating-beam/N16",
    "rotating-beam/first-model",
    "rotating-beam/momentum-balance",
    "rotating-beam/heavy-shaft",
    "pneumatic-mechanism/first-design",
    "impact-oscillator/free",
    "impact-oscillator/rattle",
    "impact-oscillator/sdnd121",
    "stick-slip/belt",
    "stick-slip/stribeck",
    "stick-slip/two",
    "rocking-block/shaken",
    "spinning-ball/backspin",
    "spinning-ball/mfix-dem04",
    "spinning-ball-3d/billiards",
    "spinning-ball-3d/side-spin",
    "spinning-ball-3d/compliant",
    "stacked-spheres/dem03",
    "stacked-spheres/loose",
    "block/up-and-down",
    "block/stumbling",
    "box-drop/almost-flat",
    "box-drop/compliant",
    "pendulum-wall/double",
    "pendulum-wall/leaning",
    "woodpecker/start-1995",
    "painleve-rod/sticks",
    "painleve-rod/lifts-off",
    "painleve-rod/compliant-lift",
};
static const size_t counts[] = {20, 50, 200, 2000};
/* of each range */
static const double noises[] = {0, 1e-8, 1e-6, 1e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2};

enum { CELLS = IC_COUNT(counts) * IC_COUNT(noises), CHECKS = 16 };

typedef struct alarms {
    size_t files, failed, undecided[CELLS];
    struct {
        const ic_audit_check *check;
        size_t files;
    } open[CHECKS]; /* needed ones */
} alarms;

/* Checks that keep files undecided, each once. */
static void count_open(alarms *found, const ic_findings *findings)
{
    for (size_t i = 0; i < findings->count; i++) {
        const ic_finding *f = &findings->rows[i];
        size_t j = 0;
        if (f->verdict != IC_FINDING_OPEN || !f->check->needed) continue;
        while (j + 1 < CHECKS && found->open[j].check != NULL && found->open[j].check != f->check) j++;
        found->open[j].check = f->check;
        found->open[j].files++;
    }
}

static void try_cell(alarms *found, const family_ground *ground, size_t preset, size_t cell)
{
    const size_t n = counts[cell / IC_COUNT(noises)];
    const double noise = noises[cell % IC_COUNT(noises)];
    IC_OWN(ic_trajectory) tr;
    IC_OWN(ic_trajectory_audit) audit;
    CU_ASSERT_TRUE_FATAL(family_right_rows(&tr, ground, n));
    family_add_noise(&tr, ground, noise, 1 + preset * CELLS + cell);
    CU_ASSERT_TRUE_FATAL(ic_audit_trajectory(&audit, &tr, &ground->setup.problem, NULL));
    const ic_audit_verdict verdict = ic_findings_judge(&audit.findings, false).verdict;
    found->files++;
    found->failed += verdict == IC_AUDIT_FAILED;
    found->undecided[cell] += verdict == IC_AUDIT_UNDECIDED;
    if (verdict == IC_AUDIT_UNDECIDED) count_open(found, &audit.findings);
    if (verdict == IC_AUDIT_FAILED) {
        printf("\n%zu rows, noise %g:", n, noise);
        findings_print_failed(&audit.findings, ground->path);
    }
}

static void print_table(const alarms *found)
{
    size_t undecided = 0;
    printf("\nundecided of %zu; rows down, noise to the right:\n      ", IC_COUNT(presets));
    for (size_t j = 0; j < IC_COUNT(noises); j++) printf(" %6g", noises[j]);
    for (size_t i = 0; i < CELLS; i++) {
        if (i % IC_COUNT(noises) == 0) printf("\n%6zu", counts[i / IC_COUNT(noises)]);
        printf(" %6zu", found->undecided[i]);
        undecided += found->undecided[i];
    }
    printf("\nopen:");
    for (size_t j = 0; j < CHECKS && found->open[j].check != NULL; j++)
        printf(" %s in %zu;", found->open[j].check->name, found->open[j].files);
    printf("\n%zu files: %zu failed, %zu undecided\n", found->files, found->failed, undecided);
}

/* All cells of a preset, or the one whose turn it is. */
static void try_preset(alarms *found, size_t preset, bool all)
{
    const ic_tests_part part = ic_tests_part_wanted();
    const clock_t begin = clock();
    const size_t failed = found->failed;
    IC_OWN(family_ground) ground;
    CU_ASSERT_TRUE_FATAL(family_ground_open(&ground, presets[preset]));
    for (size_t cell = 0; cell < CELLS; cell++) {
        const size_t turn = cell + 5 * preset;
        if (all ? turn % part.stride == part.first : turn % CELLS == part.first % CELLS)
            try_cell(found, &ground, preset, cell);
    }
    if (all)
        printf("\n%s: %zu alarms, %.1f s", presets[preset], found->failed - failed,
               (double)(clock() - begin) / CLOCKS_PER_SEC);
}

IC_TEST(test_alarms)
{
    const char *wanted = getenv("IC_ALARMS");
    alarms found = {0};
    const ic_tests_part part = ic_tests_part_wanted();
    for (size_t p = 0; p < IC_COUNT(presets); p++) {
        if (wanted == NULL ? ic_tests_is_turn(p, 2) : ic_glob(wanted, presets[p]))
            try_preset(&found, p, wanted != NULL);
    }
    CU_ASSERT(found.files >= (wanted != NULL ? CELLS / part.stride : IC_COUNT(presets) / 2));
    CU_ASSERT_EQUAL(found.failed, 0);
    if (wanted != NULL) print_table(&found);
}

/* ---- rows as they are printed with a few digits, which rounds times as well */

typedef struct printing {
    const char *format;
    size_t n;
    bool times_only;
} printing;

static const printing printings[] = {
    {"%.6g", 501, true},   {"%.6g", 1237, true},  {"%.5f", 1237, true},
    {"%.7g", 1237, true},  {"%.6g", 501, false},  {"%.6g", 1237, false},
    {"%.8g", 1001, false}, {"%.5g", 1001, false}, {"float", 1001, false},
};

static void try_printing(alarms *found, const family_ground *ground, const printing *how)
{
    IC_OWN(ic_trajectory) tr;
    IC_OWN(ic_trajectory_audit) audit;
    CU_ASSERT_TRUE_FATAL(family_right_rows(&tr, ground, how->n));
    family_print(&tr, how->format, how->times_only);
    CU_ASSERT_TRUE_FATAL(ic_audit_trajectory(&audit, &tr, &ground->setup.problem, NULL));
    found->files++;
    if (ic_findings_judge(&audit.findings, false).verdict == IC_AUDIT_FAILED) {
        found->failed++;
        printf("\n%s, times%s:", how->format, how->times_only ? "" : " and states");
        findings_print_failed(&audit.findings, ground->path);
    }
}

IC_TEST(test_printed_rows)
{
    const char *wanted = getenv("IC_ALARMS");
    const ic_tests_part part = ic_tests_part_wanted();
    alarms found = {0};
    for (size_t p = 0; p < IC_COUNT(presets); p++) {
        family_ground ground;
        if (wanted == NULL ? !ic_tests_is_turn(p + 1, 2) : !ic_glob(wanted, presets[p])) continue;
        CU_ASSERT_TRUE_FATAL(family_ground_open(&ground, presets[p]));
        for (size_t i = 0; i < IC_COUNT(printings); i++) {
            if (wanted != NULL || (i + p) % IC_COUNT(printings) == part.first % IC_COUNT(printings))
                try_printing(&found, &ground, &printings[i]);
        }
        family_ground_close(&ground);
    }
    CU_ASSERT(found.files > 0);
    CU_ASSERT_EQUAL(found.failed, 0);
}

/* ---- right rows that failed once, and the verdict that they have */

/* Leaves out one of two rows of one time. */
static void keep_one_row(ic_trajectory *tr, bool first)
{
    size_t n = 0;
    for (size_t i = 0; i < tr->n; i++) {
        if (n > 0 && tr->t[i] == tr->t[n - 1]) {
            if (first) continue;
            n--;
        }
        tr->t[n] = tr->t[i];
        tr->line[n] = tr->line[i];
        if (tr->mode != NULL) tr->mode[n] = tr->mode[i];
        memmove(&tr->x[n * tr->n_states], &tr->x[i * tr->n_states], tr->n_states * sizeof *tr->x);
        n++;
    }
    tr->n = n;
}

IC_TEST(test_what_failed_once)
{
    enum { SECOND_ROWS = 1000, FIRST_ROWS };
    static const struct once {
        const char *path, *format;
        size_t n;

        /* rows at the end, or one of two rows of one time */
        size_t left_out;
        double noise;
        ic_audit_verdict verdict;
    } once[] = {
        /* bounces that accumulate, by rows after them */
        {"spinning-ball/backspin", "%.12g", 701, FIRST_ROWS, 0, IC_AUDIT_GOOD},
        /* single precision */
        {"block/tilting-tip", "float", 5000, 0, 0, IC_AUDIT_GOOD},
        /* times rounded, which energies depend on */
        {"roller/II/A", "%.6g", 400, 0, 0, IC_AUDIT_GOOD},
        /* energy that is kept, in rows without those of the events */
        {"dem/test-2/aluminium", NULL, 1000, 0, 0, IC_AUDIT_GOOD},
        /* bounces smaller than the noise, discrete states that they change */
        {"rocking-block/free-to-rest", NULL, 5000, 0, 1.3e-4, IC_AUDIT_UNDECIDED},
        {"pneumatic-mechanism/optimised", NULL, 5000, 0, 4.9e-4, IC_AUDIT_UNDECIDED},
        /* rows that follow two modes across an event */
        {"dem/test-5", NULL, 10000, 0, 1.3e-4, IC_AUDIT_UNDECIDED},
        {"ball-chain/cradle", NULL, 2000, 0, 1.4e-4, IC_AUDIT_UNDECIDED},
        /* rows in flight that a law without force explains as contact */
        {"roller/law", NULL, 2000, 0, 3e-4, IC_AUDIT_GOOD},
        /* an impact cut short, or one with a smaller e */
        {"planar-bar/poisson", NULL, 200, 1, 0, IC_AUDIT_UNDECIDED},
        {"planar-bar/reversal-stronge", NULL, 20, 8, 0, IC_AUDIT_UNDECIDED},
        /* small noise: of a constant that is 0, in a stiff contact, in a discrete state that hardly changes */
        {"planar-bar/poisson", NULL, 500, 0, 1e-7, IC_AUDIT_GOOD},
        {"ball-chain/three-balls", NULL, 2000, 0, 1e-7, IC_AUDIT_GOOD},
        {"rocking-block/half-sine-overturns", "%.6g", 500, 0, 1e-7, IC_AUDIT_GOOD},
        /* one row at each event, among those of a grid */
        {"pneumatic-mechanism/first-design", NULL, 60, SECOND_ROWS, 0, IC_AUDIT_GOOD},
        {"roller/II/C", NULL, 2000, SECOND_ROWS, 0, IC_AUDIT_GOOD},
        {"roller/IV/C", NULL, 500, SECOND_ROWS, 1e-5, IC_AUDIT_GOOD},
        {"roller/II/D", "%.6g", 60, SECOND_ROWS, 1e-7, IC_AUDIT_UNDECIDED},
        {"dem/test-4/alloy", NULL, 2000, SECOND_ROWS, 1e-6, IC_AUDIT_GOOD},
        {"spinning-ball/kharaz", NULL, 500, SECOND_ROWS, 3e-4, IC_AUDIT_UNDECIDED},
        {"rotating-beam/main", NULL, 500, SECOND_ROWS, 0, IC_AUDIT_GOOD},
        /* the side of |v|, which the rows do not show */
        {IC_TEST_SOURCE_DIR "/examples/machines/quadratic-damping.yaml", NULL, 1600, 0, 1e-4, IC_AUDIT_GOOD},
    };
    for (size_t i = 0; i < IC_COUNT(once); i++) {
        if (!ic_tests_is_turn(i, 4)) continue;
        IC_OWN(family_ground) ground;
        IC_OWN(ic_trajectory) tr;
        IC_OWN(ic_trajectory_audit) audit;
        CU_ASSERT_TRUE_FATAL(family_ground_open(&ground, once[i].path));
        CU_ASSERT_TRUE_FATAL(family_right_rows(&tr, &ground, once[i].n));
        if (once[i].left_out >= SECOND_ROWS) keep_one_row(&tr, once[i].left_out == SECOND_ROWS);
        else tr.n -= once[i].left_out;
        family_add_noise(&tr, &ground, once[i].noise, 1);
        if (once[i].format != NULL) family_print(&tr, once[i].format, false);
        CU_ASSERT_TRUE_FATAL(ic_audit_trajectory(&audit, &tr, &ground.setup.problem, NULL));
        const ic_audit_verdict verdict = ic_findings_judge(&audit.findings, false).verdict;
        IC_EXPECT(verdict == once[i].verdict, "%s: verdict %d", ground.path, verdict);
        findings_print_failed(&audit.findings, ground.path);
    }
}

static double parameter(const family_ground *ground, const char *name)
{
    const ic_case *system = ground->setup.problem.system;
    size_t p = 0;
    while (p < system->n_parameters && strcmp(system->parameters[p].name, name) != 0) p++;
    CU_ASSERT_FATAL(p < system->n_parameters);
    return ground->setup.problem.par[p];
}

/* The first impact of a dropped ball, given by two rows of one time. */
static ic_audit_verdict verdict_on_impact(const family_ground *ground, double late)
{
    IC_OWN(ic_trajectory) right, tr;
    IC_OWN(ic_trajectory_audit) audit;
    const double g = parameter(ground, "g"), e = parameter(ground, "e"),
                 t = sqrt(2 * parameter(ground, "h") / g);
    size_t n = 0;
    CU_ASSERT_TRUE_FATAL(family_right_rows(&right, ground, 501));
    CU_ASSERT_TRUE_FATAL(ic_trajectory_open(&tr, right.n + 2, right.n_states, false));
    for (size_t i = 0; i < right.n; i++) {
        for (int side = 0; side < 2 && i > 0 && right.t[i - 1] < t && right.t[i] >= t; side++, n++) {
            tr.t[n] = t + late;
            tr.x[n * tr.n_states + 1] = (side == 0 ? -1 : e) * g * t;
        }
        tr.t[n] = right.t[i];
        memcpy(&tr.x[n++ * tr.n_states], &right.x[i * tr.n_states], tr.n_states * sizeof *tr.x);
    }
    CU_ASSERT_EQUAL_FATAL(n, tr.n);
    family_print(&tr, "%.6g", true);
    CU_ASSERT_TRUE_FATAL(ic_audit_trajectory(&audit, &tr, &ground->setup.problem, NULL));
    return ic_findings_judge(&audit.findings, false).verdict;
}

IC_TEST(test_printed_impact)
{
    IC_OWN(family_ground) ground;
    CU_ASSERT_TRUE_FATAL(family_ground_open(&ground, "bouncing-ball/lively"));
    CU_ASSERT_EQUAL(verdict_on_impact(&ground, 0), IC_AUDIT_GOOD);
    CU_ASSERT_EQUAL(verdict_on_impact(&ground, 2e-5), IC_AUDIT_FAILED);
}

/* Leaves out the second of rows at one time. */
static void keep_one_of_each_time(ic_trajectory *rows)
{
    const size_t n = rows->n_states;
    size_t kept = 1;
    for (size_t i = 1; i < rows->n; i++) {
        if (rows->t[i] == rows->t[kept - 1]) continue;
        rows->t[kept] = rows->t[i];
        memcpy(&rows->x[kept++ * n], &rows->x[i * n], n * sizeof *rows->x);
    }
    rows->n = kept;
}

/* The torque ends at row 500. The state there may be that before the end, or after it; a row later it is late. */
IC_TEST(test_instant_of_event)
{
    enum { END = 500 };
    for (size_t on = END; on <= END + 2; on++) {
        IC_OWN(audited) a = audited_open("rotating-beam/momentum-balance", "0.08", 801);
        keep_one_of_each_time(&a.rows);
        const size_t torque = ic_state_find(a.setup.problem.system, "T"), n = a.rows.n_states;
        a.rows.source[torque] = IC_FROM_FILE;
        for (size_t i = END; i < END + 3; i++) a.rows.x[i * n + torque] = i < on ? 1 : 0;
        CU_ASSERT_DOUBLE_EQUAL(a.rows.t[END], 0.05, ic_tolerance_same_time.value);
        const bool fails = audited_judge(&a, 0) == IC_AUDIT_FAILED;
        CU_ASSERT_EQUAL(fails, on == END + 2);
        if (fails != (on == END + 2)) findings_print_failed(&a.audit.findings, "rows");
    }
}

/* A wrong value, in one row or in all later ones. */
typedef struct planted {
    /* NULL: none */
    const char *state;

    /* relative to the range of the state */
    double off;

    bool stays;
} planted;

static const planted plantings[] = {
    {NULL, 0, false},     {"line_2", 1, false}, {"line_2", 0.3, false},  {"cushion", 0.5, true},
    {"m_2", 1e-3, false}, {"p_2", 1e-3, false}, {"phase", 1. / 6, true}, {"cycles", 1, true},
};

/* `line_2 < 0` is exact, so that noise must not decide it where line_2 is 0. */
IC_TEST(test_noisy_discrete_states)
{
    enum { ROWS = 200, WRONG = 120 };
    IC_OWN(family_ground) ground;
    CU_ASSERT_TRUE_FATAL(family_ground_open(&ground, "pneumatic-mechanism/first-design"));
    for (size_t i = 0; i < IC_COUNT(plantings); i++) {
        if (!ic_tests_is_turn(i, 2)) continue;
        const planted *wrong = &plantings[i];
        IC_OWN(ic_trajectory) tr;
        IC_OWN(ic_trajectory_audit) audit;
        CU_ASSERT_TRUE_FATAL(family_right_rows(&tr, &ground, ROWS));
        family_add_noise(&tr, &ground, 1e-8, 1);
        for (size_t row = WRONG; wrong->state != NULL && row < (wrong->stays ? tr.n : WRONG + 1); row++) {
            const size_t j = ic_state_find(ground.setup.problem.system, wrong->state);
            tr.x[row * tr.n_states + j] += wrong->off * (ground.most[j] - ground.least[j]);
        }
        CU_ASSERT_TRUE_FATAL(ic_audit_trajectory(&audit, &tr, &ground.setup.problem, NULL));
        const ic_audit_verdict verdict = ic_findings_judge(&audit.findings, false).verdict;
        CU_ASSERT_EQUAL(verdict, wrong->state == NULL ? IC_AUDIT_GOOD : IC_AUDIT_FAILED);
        if (verdict == IC_AUDIT_GOOD && wrong->state != NULL) printf("\n%s passes", wrong->state);
        if (wrong->state == NULL) findings_print_failed(&audit.findings, ground.path);
    }
}
