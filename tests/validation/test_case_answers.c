/* SPDX-License-Identifier: MIT */
/*
 * Statements, closed forms and figures of a case file: faults are reported with their place, and wrong ones fail.
 */
#include "casefile/casefile.h"
#include "casefile/subject.h"
#include "registry/registry.h"
#include "tests/allocations.h"
#include "tests/machine.h"
#include "validation/checks/claims_checks.h"
#include "validation/claims/closed_form.h"
#include "validation/studies/figure_study.h"

#include <unistd.h>

static int use_built_in(void);
IC_SUITE_WITH(solvers, "answers that case files state", NULL, use_built_in)
IC_OWNED(ic_study_data, ic_study_clear)

/* v' = -c v: v = exp(-c t), which passes 1/2 at log(2)/c. */
#define MACHINE                                                                                                \
    "name: decay\n"                                                                                            \
    "source: S\n"                                                                                              \
    "parameters: {c: {value: 1 1/s, range: positive}, mu: 0.5}\n"                                              \
    "states: {v: {unit: m/s, start: 1 m/s, scale: 1 m/s}}\n"                                                   \
    "flow: {v: -c*v}\n"                                                                                        \
    "until: {half: {falls: v - (0.5 m/s)}}\n"                                                                  \
    "time_scale: 1/c\n"                                                                                        \
    "presets: {slow: {until: 2 s}, fast: {set: {c: 2}, until: 2 s}}\n"
/* line of the first text after it */
#define LINE "9"
#define HALF "measure: event_time(slow; half; 1)"
#define STATEMENT(rest) "statements: {a: {place: p, says: s, " rest "}}\n"

/* Makes the case of a text the only one. NULL: it has a fault. */
static const ic_case *use_text(const char *text, ic_error *error)
{
    char folder[] = "/tmp/impactcheck-answers-XXXXXX", path[64];
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/case.yaml", folder);
    ic_tests_write(path, text);
    const ic_case *system = ic_casefile_find(path, error);
    remove(path);
    rmdir(folder);
    if (system != NULL) ic_registry_use(system);
    return system;
}

/* The first fault, as ":LINE:COLUMN: TEXT". */
typedef struct first_fault {
    const ic_case *system;
    const char *section;
    ic_error error;
} first_fault;

static void keep_fault(const char *name, const char *key, size_t offset, const char *text, void *context)
{
    first_fault *first = context;
    const char *path;
    const ic_yaml *tree = ic_casefile_text(first->system, &path);
    const ic_file_place place = ic_casefile_place(tree, first->section, name, key, offset);
    if (first->error.text[0] == '\0')
        ic_error_set(&first->error, "x.yaml:%zu:%zu: %s", place.line, place.column, text);
}

extern const ic_check ic_check_closed_forms;

static ic_error fault_of(const char *text)
{
    first_fault first = {.section = "statements"};
    ic_claims claims;
    first.system = use_text(text, &first.error);
    if (first.system == NULL) return first.error;
    CU_ASSERT_FATAL(ic_claims_of_case(&claims, first.system, keep_fault, &first));
    ic_claims_close(&claims);
    first.section = "closed_forms";
    for (size_t i = 0; i < first.system->n_closed_forms; i++) {
        ic_quantity quantity;
        ic_closed_form_kind kind;
        ic_closed_form_read(&quantity, &kind, first.system, i, keep_fault, &first);
    }
    first.section = "figures";
    for (size_t i = 0; i < first.system->n_figures; i++)
        ic_figure_study_free(ic_figure_study_new(first.system, i, keep_fault, &first));
    return first.error;
}

typedef struct faulty {
    const char *text, *says;
} faulty;

static void check_faults(const faulty *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const ic_error error = fault_of(rows[i].text);
        const char *place = strstr(error.text, ".yaml:");
        IC_EXPECT(place != NULL && strncmp(place + 6, rows[i].says, strcspn(rows[i].says, " ")) == 0 &&
                      strstr(error.text, strchr(rows[i].says, ' ') + 1) != NULL,
                  "expected %s, got '%s'", rows[i].says, error.text);
    }
}

IC_TEST(test_faults_of_statements)
{
    static const faulty rows[] = {
        {MACHINE "statements: [a]\n", LINE ":13: expected statements by name"},
        {MACHINE "statements: {a: {sasy: b}}\n", LINE ":18: did you mean 'says'"},
        {MACHINE "statements: {a: {says: [b]}}\n", LINE ":24: must be a text"},
        {MACHINE STATEMENT("kind: guess"), LINE ":43: unknown kind 'guess'"},
        {MACHINE STATEMENT("is: 1 s, counter: fast"), LINE ":14: 'measure' is missing"},
        {MACHINE STATEMENT(HALF ", counter: fast"), LINE ":14: 'is' is missing"},
        {MACHINE STATEMENT(HALF ", is: 0.69 s"), LINE ":14: 'counter' is missing"},
        {MACHINE "statements: {a: {says: s, " HALF ", is: 0.69 s, counter: fast}}\n",
         LINE ":14: 'place' is missing"},
        {MACHINE STATEMENT("measure: event_tim(slow; half; 1), is: 0.69 s, counter: fast"),
         LINE ":46: unknown measure 'event_tim'"},
        {MACHINE STATEMENT("measure: event_time(slo; half; 1), is: 0.69 s, counter: fast"),
         LINE ":57: no preset 'slo'"},
        {MACHINE STATEMENT("measure: event_time(slow; halves; 1), is: 0.69 s, counter: fast"),
         LINE ":63: no event 'halves'"},
        {MACHINE STATEMENT("measure: final(slow; w), is: 1 m/s, counter: fast"),
         LINE ":58: no output or state 'w'"},
        {MACHINE STATEMENT(HALF ", is: 0.69 m, counter: fast"),
         LINE ":77: 'm' is not a unit of this quantity (s)"},
        {MACHINE STATEMENT(HALF ", is: 0.69, counter: fast"), LINE ":77: '1' is not a unit"},
        {MACHINE STATEMENT(HALF ", is: in 2..1 s, counter: fast"), LINE ":77: the lesser one first"},
        {MACHINE STATEMENT(HALF ", is: in 1 s, counter: fast"), LINE ":77: a range such as"},
        {MACHINE STATEMENT(HALF ", is: 1/3 s, counter: fast"), LINE ":77: as printed"},
        {MACHINE STATEMENT(HALF ", is: 0.69 s, counter: quick"), LINE ":94: no preset 'quick'"},
        {MACHINE STATEMENT(HALF ", is: 0.69 s, counter: [d=1]"), LINE ":94: no parameter 'd'"},
        {MACHINE STATEMENT(HALF ", is: 0.69 s, counter: fast, should_be: t"),
         LINE ":14: 'evidence' is missing"},
        {MACHINE STATEMENT(HALF ", is: 0.69 s, counter: fast, kind: misprint"),
         LINE ":14: 'should_be' is missing"},
        {MACHINE STATEMENT(HALF ", is: 0.69 s, counter: fast, limits: l"),
         LINE ":108: 'limits' is not expected"},
        {MACHINE STATEMENT(HALF ", is: 0.69 s, counter: fast, kind: evidence, note: n"),
         LINE ":106: follows the statement"},
        {MACHINE STATEMENT("measure: parameter(slow; c), is: \"< 2 1/s\", counter: fast, kind: given"),
         LINE ":71: an input is compared"},
        {MACHINE STATEMENT("kind: not testable"), LINE ":14: 'evidence' is missing"},
        {MACHINE "statements:\n  a: {place: p, says: s, " HALF ", counter: fast,\n    is: > 1}\n",
         "11:9: in quotes"},
    };
    check_faults(rows, IC_COUNT(rows));
    const ic_error none = fault_of(MACHINE STATEMENT(HALF ", is: 0.69 s, counter: fast"));
    CU_ASSERT_STRING_EQUAL(none.text, "");
}

/* ---- verdicts */

static ic_result judged(const char *text)
{
    IC_OWN(ic_results) results = {0};
    ic_error error = {""};
    const ic_case *system = use_text(text, &error);
    IC_EXPECT_FATAL(system != NULL, "%s", error.text);
    ic_check_published.run(&results, &(ic_selection){0});
    ic_check_errata.run(&results, &(ic_selection){0});
    CU_ASSERT_EQUAL_FATAL(results.count, 1);
    const ic_result row = results.rows[0];
    return row;
}

#define JUDGED(is_, counter_) MACHINE STATEMENT(HALF ", is: " is_ ", counter: " counter_)
#define MISPRINT(is_)                                                                                          \
    MACHINE STATEMENT(HALF ", is: " is_ ", counter: fast, kind: misprint, should_be: t, evidence: e, limits: l")

IC_TEST(test_verdicts_of_statements)
{
    static const struct {
        const char *text;
        ic_verdict verdict;
        const char *says;
    } rows[] = {
        {JUDGED("0.693 s", "fast"), IC_PASS, "published 0.693"},
        {JUDGED("693.1 ms", "[c=2]"), IC_PASS, "693.1"},
        {JUDGED("in 0.01 .. 0.012 min", "fast"), IC_PASS, "min"},
        {JUDGED("< 1 s", "\"slow[c=0.1, until=10]\""), IC_PASS, "< 1"},
        {JUDGED("0.69 s", "event_time(fast; half; 1)"), IC_PASS, "0.69"},
        {MISPRINT("0.693 s"), IC_ERRATUM, "required = 0.693"},
        {MACHINE STATEMENT("kind: not testable, note: why not"), IC_SKIPPED, "why not"},
        /* planted: a digit, a counter-value that holds, one that cannot be measured, a fault */
        {JUDGED("0.694 s", "fast"), IC_FAIL, "published 0.694"},
        {MISPRINT("0.694 s"), IC_FAIL, "required = 0.694"},
        {JUDGED("< 1 s", "fast"), IC_FAIL, "the statement cannot fail"},
        {JUDGED("< 1 s", "[c=1e-9]"), IC_FAIL, "the statement cannot fail"},
        {JUDGED("1 kg", "fast"), IC_FAIL, "'kg' is not a unit"},
    };
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        const ic_result row = judged(rows[i].text);
        IC_EXPECT(row.verdict == rows[i].verdict && strstr(row.detail, rows[i].says) != NULL, "row %zu: %s, %s",
                  i, ic_verdict_text(row.verdict), row.detail);
    }
}

/* ---- closed forms */

#define FORM(of_, is_) MACHINE "closed_forms: {a: {of: " of_ ", is: " is_ "}}\n"

IC_TEST(test_faults_of_closed_forms)
{
    static const faulty rows[] = {
        {MACHINE "closed_forms: [a]\n", LINE ":15: expected closed forms by name"},
        {MACHINE "closed_forms: {a: {of: final(slow; v)}}\n", LINE ":19: a closed form needs 'is'"},
        {FORM("final(slow; v)", "(1 m/s)*exp(-c*s)"), LINE ":59: unknown name 's'"},
        {FORM("final(slow; v)", "v"), LINE ":44: is a formula in parameters"},
        {FORM("final(slow; v)", "2/c"),
         LINE ":56: units differ: the quantity is in m/s, but the formula is in s"},
        {FORM("final(slow; w)", "1"), LINE ":36: no output or state 'w'"},
        {FORM("mean(slow; v)", "1 m/s"), LINE ":35: a closed form may be of"},
        {FORM("event_time(slow; half; 1)", "log(-mu)/c"), LINE ":78: not a number"},
    };
    check_faults(rows, IC_COUNT(rows));
}

typedef struct counts {
    size_t passed, failed, skipped;
} counts;

static counts count_verdicts(const char *text)
{
    IC_OWN(ic_results) results = {0};
    ic_error error = {""};
    if (use_text(text, &error) == NULL) printf("\n  %s\n", error.text);
    CU_ASSERT_STRING_EQUAL_FATAL(error.text, "");
    ic_check_closed_forms.run(&results, &(ic_selection){0});
    const counts n = {ic_results_with(&results, IC_PASS), ic_results_with(&results, IC_FAIL),
                      ic_results_with(&results, IC_SKIPPED)};
    return n;
}

/* Right forms hold for the certificate and all solvers; planted ones fail for all of them. */
IC_TEST(test_verdicts_on_closed_forms)
{
    static const struct {
        const char *of, *right, *planted;
    } rows[] = {
        {"event_time(fast; half; 1)", "log(2)/c", "log(2)/c*(1 + 1e-6)"},
        /* without a value for the default of c */
        {"event_time(fast; half; 1)", "log(2)/c*sqrt(2*c/(1 1/s) - 3)", "log(2)/c*sqrt(2.01*c/(1 1/s) - 3)"},
        /* the preset fast has c = 2 1/s */
        {"at_event(slow; half; 1; v; before)", "0.5 m/s", "0.50001 m/s"},
        {"at_event(slow; half; 1; double; after)", "1 m/s", "1.00002 m/s"},
        {"final(slow; v)", "(1 m/s)*exp(-c*(2 s))", "(1 m/s)*exp(-c*(2.0001 s))"},
        {"event_count(slow; half)", "1", "2"}};
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        char text[1024];
        snprintf(text, sizeof text, "%soutputs: {double: 2*v}\nclosed_forms: {a: {of: %s, is: %s}}\n", MACHINE,
                 rows[i].of, rows[i].right);
        const counts right = count_verdicts(text);
        snprintf(text, sizeof text, "%soutputs: {double: 2*v}\nclosed_forms: {a: {of: %s, is: %s}}\n", MACHINE,
                 rows[i].of, rows[i].planted);
        const counts planted = count_verdicts(text);
        if (right.failed + right.skipped + planted.passed > 0)
            printf("\n  %s: %zu of right ones fail, %zu are skipped, %zu of planted ones pass\n", rows[i].of,
                   right.failed, right.skipped, planted.passed);
        CU_ASSERT(right.passed > 5 && right.failed == 0 && right.skipped == 0);
        CU_ASSERT(planted.passed == 0 && planted.failed == right.passed);
    }
}

/*
 * A motion that is fast compared with the typical time is judged in shorter fixed steps. The error of an output is
 * relative to its extremes: `rest` falls from 1 to exp(-10).
 */
IC_TEST(test_closed_forms_of_a_stiff_motion)
{
#define STIFF(delay)                                                                                           \
    "name: decay\nsource: S\n"                                                                                 \
    "parameters: {c: {value: 200 1/s, range: positive}}\n"                                                     \
    "states: {v: {unit: m/s, start: 1 m/s, scale: 1 m/s}}\n"                                                   \
    "flow: {v: -c*v}\n"                                                                                        \
    "time_scale: 1 s\n"                                                                                        \
    "outputs: {rest: v/(1 m/s)}\n"                                                                             \
    "presets: {early: {until: 0.005 s}, late: {until: 0.05 s}}\n"                                              \
    "closed_forms: {a: {of: final(early; rest), is: exp(-c*((0.005 s) + (" delay ")))},"                       \
    " b: {of: final(late; rest), is: exp(-c*((0.05 s) + (" delay ")))}}\n"
    const counts right = count_verdicts(STIFF("0 s")), planted = count_verdicts(STIFF("0.0005 s"));
    CU_ASSERT_EQUAL(right.failed, 0);
    CU_ASSERT(right.passed >= 10);
    CU_ASSERT_EQUAL(planted.passed, 0);
}

/* ---- figures */

#define FIGURE(rest) MACHINE "figures: {f: {" rest "}}\n"
#define ONE_CURVE ", curves: {a: {formula: c}}"
#define FALLS "vary: {c: 1 .. 4, points: 4}, curves: {halves: {measure: \"event_time(half; 1)\"}}"

IC_TEST(test_faults_of_figures)
{
    static const faulty rows[] = {
        {MACHINE "figures: [a]\n", LINE ":10: expected figures by name"},
        {FIGURE("curve: 1"), LINE ":15: did you mean 'curves'"},
        {FIGURE("preset: quick, vary: {c: 1 .. 2}" ONE_CURVE), LINE ":23: preset 'quick' does not exist"},
        {FIGURE("title: t"), LINE ":14: a figure needs 'vary'"},
        {FIGURE("vary: {}" ONE_CURVE), LINE ":21: expected a parameter and its range"},
        {FIGURE("vary: {d: 1 .. 2}" ONE_CURVE), LINE ":22: 'd' is not a parameter"},
        {FIGURE("vary: {c: 1 .. 2, mu: 1 .. 2}" ONE_CURVE), LINE ":33: 'mu' is a second one"},
        {FIGURE("vary: {c: 2 .. 1}" ONE_CURVE), LINE ":25: the range is empty"},
        {FIGURE("vary: {c: 2}" ONE_CURVE), LINE ":25: expected a range"},
        {FIGURE("vary: {c: 1 m .. 2 m}" ONE_CURVE), LINE ":25: units differ"},
        {FIGURE("vary: {c: 1 .. 2, points: 1}" ONE_CURVE), LINE ":41: expected a number of values"},
        {FIGURE("vary: {mu: -1 .. 2, log: true}" ONE_CURVE), LINE ":26: begins above 0"},
        {FIGURE("vary: {c: 1 .. 2}"), LINE ":14: a figure needs 'curves'"},
        {FIGURE("vary: {c: 1 .. 2}, curves: {}"), LINE ":42: expected curves by name"},
        {FIGURE("vary: {c: 1 .. 2}, curves: {a: {}}"), LINE ":46: a curve needs one of 'measure', 'formula'"},
        {FIGURE("vary: {c: 1 .. 2}, curves: {a: {measure: final(w)}}"), LINE ":42: no output or state 'w'"},
        {FIGURE("vary: {c: 1 .. 2}, curves: {a: {measure: final(v)}, b: {formula: 1/c}}"),
         LINE ":42: units differ: curve 'b' is in s"},
        {FIGURE(FALLS ", x: v"), LINE ":100: is a formula in parameters"},
        {FIGURE(FALLS ", units: [1/s, m]"), LINE ":104: 'm' is not a unit of this axis (s)"},
        {FIGURE(FALLS ", points: {a: {data: [[1]]}}"), LINE ":117: expected a point"},
        {FIGURE(FALLS ", points: {a: {data: [[1, b]]}}"), LINE ":121: expected a number"},
        {FIGURE(FALLS ", points: {a: {data: [[1, 2]]}}, compare: {b: halves}"), LINE ":138: name of points"},
        {FIGURE(FALLS ", points: {a: {data: [[1, 2]]}}, compare: {a: half}"), LINE ":141: name of a curve"},
    };
    check_faults(rows, IC_COUNT(rows));
}

/* log(2)/c over 2c at c = 1, 2, 3, 4 1/s; points in ms at 2c = 3 and 20, which lies outside. */
IC_TEST(test_figure)
{
    static const char text[] = FIGURE(
        FALLS
        ", x: 2*c, units: [1/s, ms], points: {a: {data: [[3, 463.1, 2], [20, 1]]}}, compare: {a: halves}");
    enum { X = 2, CURVE, PUBLISHED, ERROR, X_ERROR, DEVIATION, ROWS = 6, TIME_DIGITS = 1000000 };
    const double half = 1000 * log(2);
    first_fault first = {.section = "figures"};
    IC_OWN(ic_study_data) data;
    first.system = use_text(text, &first.error);
    CU_ASSERT_FATAL(first.system != NULL);
    const ic_study *study = ic_figure_study_new(first.system, 0, keep_fault, &first);
    CU_ASSERT_FATAL(study != NULL);
    CU_ASSERT_STRING_EQUAL(study->name, "decay/f");
    CU_ASSERT_FATAL(ic_study_run(&data, study));
    CU_ASSERT_EQUAL_FATAL(ic_study_rows(&data), ROWS);
    for (size_t i = 0; i < 4; i++) {
        CU_ASSERT_EQUAL(ic_study_at(&data, i, X)->number, 2 * (double)(i + 1));
        CU_ASSERT_EQUAL(round(ic_study_at(&data, i, CURVE)->number * TIME_DIGITS),
                        round(half / (double)(i + 1) * TIME_DIGITS));
    }
    CU_ASSERT_STRING_EQUAL(ic_study_at(&data, 4, 0)->text, "a");
    CU_ASSERT_EQUAL(round(ic_study_at(&data, 4, CURVE)->number * TIME_DIGITS), round(half / 1.5 * TIME_DIGITS));
    CU_ASSERT_EQUAL(round(ic_study_at(&data, 4, DEVIATION)->number * TIME_DIGITS),
                    round((463.1 - half / 1.5) * TIME_DIGITS));
    CU_ASSERT_EQUAL(ic_study_at(&data, 4, ERROR)->number, 2);
    CU_ASSERT(isnan(ic_study_at(&data, 5, CURVE)->number) && isnan(ic_study_at(&data, 5, X_ERROR)->number));
    CU_ASSERT_EQUAL(ic_study_at(&data, 5, PUBLISHED)->number, 1);
    CU_ASSERT_EQUAL_FATAL(data.n_findings, 1);
    CU_ASSERT_STRING_EQUAL(
        data.findings[0],
        "a deviates from the curve 'halves' by at most 1 ms, at x = 3 1/s, and by 1 ms on average (1 "
        "point); 1 of 1 lie within their error bars; not compared, beyond the curve: 1");
    ic_figure_study_free(study);
}

/* A curve without a value is a gap, and a figure without any value is a failure. */
IC_TEST(test_gaps_of_figures)
{
    static const struct {
        const char *text, *says;
        bool good;
    } rows[] = {
        {FIGURE("vary: {mu: -1 .. 2, points: 4}, curves: {a: {formula: sqrt(mu)}}"), "At 1 of 4 values", true},
        {FIGURE("vary: {c: -2 .. -1, points: 2}, curves: {a: {measure: final(v)}}"), "no value can", false}};
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        first_fault first = {.section = "figures"};
        IC_OWN(ic_study_data) data;
        first.system = use_text(rows[i].text, &first.error);
        CU_ASSERT_FATAL(first.system != NULL);
        const ic_study *study = ic_figure_study_new(first.system, 0, keep_fault, &first);
        CU_ASSERT_FATAL(study != NULL);
        CU_ASSERT_EQUAL(ic_study_run(&data, study), rows[i].good);
        const char *said = rows[i].good && data.n_findings > 0 ? data.findings[0] : data.error.text;
        CU_ASSERT_PTR_NOT_NULL(strstr(said, rows[i].says));
        ic_figure_study_free(study);
    }
}

/* ---- memory */

IC_TEST(test_allocations_fail)
{
    static const char text[] = MACHINE STATEMENT(HALF ", is: 0.69 s, counter: fast");
    first_fault first = {.section = "statements"};
    first.system = use_text(text, &first.error);
    CU_ASSERT_FATAL(first.system != NULL);
    bool failed = true;
    size_t n = 0;
    for (; failed && n < 1000; n++) {
        ic_claims claims = {0};
        first.error.text[0] = '\0';
        ic_allocations_begin(n);
        const bool good = ic_claims_of_case(&claims, first.system, keep_fault, &first);
        const size_t count = claims.count;
        ic_claims_close(&claims);
        const ic_allocations used = ic_allocations_end();
        failed = used.failed;
        if (failed) CU_ASSERT(!good || count == 0);
        if (failed && good) CU_ASSERT(strstr(first.error.text, "memory") != NULL);
        if (!failed) CU_ASSERT(good && count == 1);
        CU_ASSERT(used.left <= 0);
    }
    CU_ASSERT(n > 10);
}

/* The reader refuses a file with all of these sections if any of its allocations fails. */
IC_TEST(test_reading_without_memory)
{
    static const char text[] = STATEMENT(
        HALF ", is: 0.69 s, counter: fast") "closed_forms: {a: {of: final(slow; v), is: "
                                            "(1 m/s)*exp(-c*(2 s))}}\n"
                                            "figures: {f: {" FALLS
                                            ", x: 2*c, units: [1/s, ms], points: {a: {source: s, data: "
                                            "[[3, 463.1, 2]]}}, compare: {a: halves}}}\n";
    char whole[sizeof text + sizeof MACHINE];
    const size_t size = (size_t)snprintf(whole, sizeof whole, "%s%s", MACHINE, text);
    bool failed = true;
    size_t n = 0;
    for (; failed && n < 100000; n++) {
        ic_error error = {""};
        ic_allocations_begin(n);
        ic_casefile *c = ic_casefile_read("a.yaml", whole, size, NULL, 0, &error);
        const bool good = c != NULL;
        ic_casefile_free(c);
        const ic_allocations used = ic_allocations_end();
        failed = used.failed;
        if (good == failed) printf("\n  allocation %zu: '%s'\n", n, error.text);
        CU_ASSERT(good != failed && used.left <= 0);
        if (failed) CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "memory"));
    }
    CU_ASSERT(n > 10);
}

static int use_built_in(void)
{
    ic_registry_use(NULL);
    return 0;
}
