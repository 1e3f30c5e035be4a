/* SPDX-License-Identifier: MIT */
/**
 * Checks of published data: right rows pass, planted wrong ones are rejected, and malformed ones
 * are refused with the place of the error.
 */
#include "registry/registry.h"
#include "tests/machine.h"
#include "validation/checks/claims_checks.h"

IC_SUITE(solvers, "published data")
IC_OWNED(ic_claim_evaluator, ic_claim_evaluator_close)

#define HEADER "id;kind;source;place;statement;measure;relation;value;unit;printed;note;counter\n"
#define ERRATA_HEADER                                                                                          \
    "id;kind;source;place;printed;should_be;evidence;measure;relation;value;unit;counter;limits\n"
#define ROW(measure_, rest_) HEADER "a;statement;s;p;t;\"" measure_ "\";" rest_ ";\n"

static const ic_selection everything = {0};

/* ---- tables and rows that are malformed */

typedef struct malformed {
    const char *text;

    /* line:column */
    const char *place;

    /* part of the message */
    const char *says;
} malformed;

static const malformed malformed_claims[] = {
    {"", "1:1", "expected"},
    {"id;kind;source\n", "1:15", "column 'place' is missing"},
    {"id;kind;source;plaice;statement;measure;relation;value;unit;printed;note;counter\n", "1:16", "'plaice'"},
    {"id;kind;source;place;statement;measure;relation;value;unit;printed;note;counter;more\n", "1:81",
     "unknown column 'more'"},
    {HEADER "a;b;c\n", "2:6", "found 3 fields; expected 12"},
    {HEADER "# a comment\n\na;statement;b;c;d;steady(roller/I/A; multiple);=;1;1;1;;\n", "4:57",
     "must be quoted"},
    {HEADER "a;b;\"c\n", "2:5", "not closed"},
    {HEADER "a;b;\"c\"d;\n", "2:8", "after a quoted field"},
    {HEADER "a;b;c\"d;\n", "2:6", "must be quoted"},
    {HEADER "a;b\r\n", "2:4", "LF"},
    {ROW("steady(roller/I/A; multiple)", "~;1;1;1;"), "2:50", "not '~'"},
    {ROW("steady(roller/I/A; multiple)", "=;one;1;1;"), "2:52", "'one' is not a number"},
    {ROW("steady(roller/I/A; multiple)", "=;1;kg;1;"), "2:54", "'kg' is not a unit"},
    {ROW("steady(roller/I/A; multiple)", "=;1;;1;"), "2:54", "not a unit"},
    {ROW("steady(roller/I/A; multiple)", "=;1;1;;"), "2:56", "as printed"},
    {ROW("steady(roller/I/A; multiple)", "=;1;1;2;"), "2:56", "differ"},
    {ROW("steady(roller/I/A; multiple)", "<;1;1;1;"), "2:56", "only a row with ="},
    {ROW("stedy(roller/I/A; multiple)", "=;1;1;1;"), "2:20", "unknown measure 'stedy'"},
    {ROW("steady[roller/I/A; multiple]", "=;1;1;1;"), "2:26", "expected '('"},
    {ROW("steady(roller/I/A; multiple", "=;1;1;1;"), "2:47", "or ')'"},
    {ROW("steady(roller/I/A)", "=;1;1;1;"), "2:37", "expected 2 arguments"},
    {ROW("steady(roller/I/A; multiple; 1)", "=;1;1;1;"), "2:47", "expected 2 arguments"},
    {ROW("steady(; multiple)", "=;1;1;1;"), "2:27", "expected an argument"},
    {ROW("steady(roler/I/A; multiple)", "=;1;1;1;"), "2:27", "did you mean 'roller'"},
    {ROW("steady(roller/V/A; multiple)", "=;1;1;1;"), "2:27", "no preset"},
    {ROW("steady(roller/I/A[kk=1]; multiple)", "=;1;1;1;"), "2:27", "'kk'"},
    {ROW("steady(roller/I/A[k=1; multiple)", "=;1;1;1;"), "2:27", "']'"},
    {ROW("steady(roller/I/A; multiples)", "=;1;1;1;"), "2:39", "'multiples'"},
    {ROW("extreme(roller/I/A; gab; min)", "=;1;m;1;"), "2:40", "no output 'gab'"},
    {ROW("extreme(roller/I/A; gap; most)", "=;1;m;1;"), "2:45", "'most'"},
    {ROW("mean(roller/I/A; gab)", "=;1;m;1;"), "2:37", "output or state 'gab'"},
    {ROW("fraction(roller/I/A; flying)", "=;1;1;1;"), "2:41", "no mode 'flying'"},
    {ROW("event_time(roller/I/A; landing; 1)", "=;1;s;1;"), "2:43", "no event 'landing'"},
    {ROW("event_time(roller/I/A; separation; 0)", "=;1;s;1;"), "2:55", "1, 2"},
    {ROW("parameter(roller/I/A; kk)", "=;1;N/m;1;"), "2:42", "no parameter 'kk'"},
    {ROW("formula(roller/I/A; 2*kk)", "=;1;N/m;1;"), "2:40", "kk"},
    {ROW("solver_difference(roller/I/A; euler; gap)", "=;1;1;1;"), "2:50", "no solver 'euler'"},
    {ROW("difference(roller/I/A; roller/I/Z; gap)", "=;1;1;1;"), "2:43", "no preset"},
    {ROW("settling(roller/I/A) * settling(roller/I/A)", "=;1;1;1;"), "2:41", "'-', '/' or the end"},
    {ROW("settling(roller/I/A) - longest(roller/I/A; flight)", "=;1;1;1;"), "2:42", "different units"},
    {ROW("settling(roller/I/A) / settling(roller/I/A) x", "=;1;1;1;"), "2:64", "expected the end"},
    {ROW("settling(roller/I/A)", "<;1;1;;") "a;statement;s;p;t;settling(roller/I/B);<;1;1;;;\n", "3:1",
     "occurs in line 2"},
    {HEADER ";statement;s;p;t;settling(roller/I/B);<;1;1;;;\n", "2:1", "an id is needed"},
    {HEADER "a;guess;s;p;t;settling(roller/I/B);<;1;1;;;\n", "2:3", "unknown kind of row: 'guess'"},
    {HEADER "a;misprint;s;p;t;settling(roller/I/B);<;1;1;;;\n", "2:3", "unknown kind of row: 'misprint'"},
    {HEADER "a;given;s;p;t;settling(roller/I/B);<;1;1;;;\n", "2:36", "expected '='"},
    {HEADER "a;given;s;p;... and t;settling(roller/I/B);=;1;1;1;;\n", "2:13", "each row is read alone"},
    {HEADER "a;statement;s;p;t;settling(roller/I/B);=;1;1;ours x;;\n", "2:46", "as printed"},
    {HEADER "a;not testable;s;p;t;;;;;;;\n", "2:27", "a note with the reason"},
    {HEADER "a;not testable;s;p;t;settling(roller/I/B);<;1;1;;why;\n", "2:22", "must not have a measure"},
    {ROW("steady(roller/I/A; multiple)", "in;1;1;;"), "2:53", "a range such as"},
    {ROW("steady(roller/I/A; multiple)", "in;2..1;1;;"), "2:53", "the lesser one first"},
};

IC_TEST(test_malformed)
{
    for (size_t i = 0; i < IC_COUNT(malformed_claims); i++) {
        const malformed *m = &malformed_claims[i];
        char start[64];
        ic_claims claims;
        ic_error error = {""};
        snprintf(start, sizeof start, "some.csv:%s: ", m->place);
        CU_ASSERT_FALSE(ic_claims_open(&claims, "some.csv", m->text, &error));
        const bool good = strncmp(error.text, start, strlen(start)) == 0 && strstr(error.text, m->says) != NULL;
        IC_EXPECT(good, "row %zu, expected %s ... %s, got %s", i, start, m->says, error.text);
    }
}

IC_TEST(test_quoting)
{
    static const char *const columns[] = {"a", "b"};
    ic_table table;
    ic_error error;
    CU_ASSERT_FATAL(ic_table_open(&table, "x", "# c\na;b\n\"1;\"\"2\"\"\";\n;3\n", columns, 2, &error));
    CU_ASSERT_EQUAL(table.n_rows, 2);
    CU_ASSERT_STRING_EQUAL(ic_table_field(&table, 0, 0), "1;\"2\"");
    CU_ASSERT_STRING_EQUAL(ic_table_field(&table, 0, 1), "");
    CU_ASSERT_STRING_EQUAL(ic_table_field(&table, 1, 1), "3");
    CU_ASSERT_EQUAL(ic_table_place(&table, 0, 0).column, 2);
    ic_table_close(&table);
}

/* ---- numbers as printed */

/* 10^k by pow and as a literal: a few roundings. */
#define SAME_POWER 1e-15

static bool half_unit_is(const char *printed, double expected)
{
    double half_unit = NAN;
    return ic_half_unit(printed, &half_unit) && fabs(half_unit - expected) <= SAME_POWER * expected;
}

IC_TEST(test_printed)
{
    double half_unit;
    static const char *const wrong[] = {"", "pi", "1e", "3/2"};
    CU_ASSERT(half_unit_is("5.06e5", 500) && half_unit_is("-92.4", 0.05) && half_unit_is("33", 0.5));
    CU_ASSERT(half_unit_is("0e-5", 0.5e-5) && half_unit_is("40pi", 0.5 * acos(-1)));
    CU_ASSERT_FALSE(half_unit_is("33.0", 0.5)); /* planted */
    for (size_t i = 0; i < IC_COUNT(wrong); i++) CU_ASSERT_FALSE(ic_half_unit(wrong[i], &half_unit));
    CU_ASSERT(ic_unit_factor("kN", "N") == 1e3 && ic_unit_factor("um", "m") == 1e-6 &&
              ic_unit_factor("m", "m") == 1);
    CU_ASSERT(isnan(ic_unit_factor("kg", "N")));
}

/* ---- verdicts */

static ic_verdict verdict_of(const char *text)
{
    IC_OWN(ic_results) results = {0};
    IC_OWN(ic_claim_evaluator) evaluator = {0};
    ic_published_judge(&results, &everything, &evaluator, "planted.csv", text);
    CU_ASSERT_EQUAL(results.count, 1);
    return results.count == 1 ? results.rows[0].verdict : IC_SKIPPED;
}

typedef struct planted {
    const char *text;
    ic_verdict verdict;
} planted;

static void check_verdicts(const planted *rows, size_t n, ic_verdict (*verdict)(const char *text))
{
    for (size_t i = 0; i < n; i++) {
        IC_EXPECT(verdict(rows[i].text) == rows[i].verdict, "another verdict on %s", rows[i].text);
    }
}

#define C_OF_II "parameter(roller/II/C; c)" /* 5.06e5 */

IC_TEST(test_relations)
{
    static const planted rows[] = {
        {ROW(C_OF_II, "=;5.06e5;N s/m;5.06e5;"), IC_PASS},
        {ROW(C_OF_II, "=;506;kN s/m;506;"), IC_PASS},
        {ROW(C_OF_II, "<;5.07e5;N s/m;;"), IC_PASS},
        {ROW(C_OF_II, ">;5.05e5;N s/m;;"), IC_PASS},
        {ROW(C_OF_II, "<=;5.06e5;N s/m;;"), IC_PASS},
        {ROW(C_OF_II, ">=;5.06e5;N s/m;;"), IC_PASS},
        {ROW(C_OF_II, "!=;5.05e5;N s/m;;"), IC_PASS},
        {ROW(C_OF_II, "in;505..506;kN s/m;;"), IC_PASS},
        {ROW(C_OF_II, "in;506.1..507;kN s/m;;"), IC_FAIL},
        {ROW(C_OF_II, "in;505..505.9;kN s/m;;"), IC_FAIL},
        /* planted: one unit of the last digit off, and each relation turned round */
        {ROW(C_OF_II, "=;5.07e5;N s/m;5.07e5;"), IC_FAIL},
        {ROW(C_OF_II, "=;5.06e5;kN s/m;5.06e5;"), IC_FAIL},
        {ROW(C_OF_II, "<;5.06e5;N s/m;;"), IC_FAIL},
        {ROW(C_OF_II, ">;5.06e5;N s/m;;"), IC_FAIL},
        {ROW(C_OF_II, "<=;5.05e5;N s/m;;"), IC_FAIL},
        {ROW(C_OF_II, ">=;5.07e5;N s/m;;"), IC_FAIL},
        {ROW(C_OF_II, "!=;5.06e5;N s/m;;"), IC_FAIL},
    };
    check_verdicts(rows, IC_COUNT(rows), verdict_of);
}

/* An input is what is printed, not only near it. */
IC_TEST(test_given)
{
    static const planted rows[] = {
        {HEADER "a;given;s;p;t;\"parameter(roller/II/C; c)\";=;5.06e5;N s/m;5.06e5;;\n", IC_PASS},
        {HEADER "a;given;s;p;t;\"parameter(roller/II/C; c)\";=;5.1e5;N s/m;5.1e5;;\n", IC_FAIL},
        {HEADER "a;given;s;p;t;\"parameter(roller/II/C[c=5.0601e5]; c)\";=;5.06e5;N s/m;5.06e5;;\n", IC_FAIL},
    };
    check_verdicts(rows, IC_COUNT(rows), verdict_of);
}

/* A statement that is not testable is skipped with its reason if its case is selected. */
IC_TEST(test_not_testable)
{
    IC_OWN(ic_results) results = {0};
    IC_OWN(ic_claim_evaluator) evaluator = {0};
    const char *text = HEADER "a;not testable;s;p;t;;;;;;why not;\n";
    ic_published_judge(&results, &everything, &evaluator, "published/claims-roller.csv", text);
    ic_published_judge(&results, &(ic_selection){.subjects = "ball"}, &evaluator, "published/claims-roller.csv",
                       text);
    CU_ASSERT_EQUAL_FATAL(results.count, 1);
    CU_ASSERT_EQUAL(results.rows[0].verdict, IC_SKIPPED);
    CU_ASSERT_STRING_EQUAL(results.rows[0].subject, "roller");
    CU_ASSERT_STRING_EQUAL(results.rows[0].detail, "why not");
    CU_ASSERT_STRING_EQUAL(results.rows[0].kind, "not testable");
    CU_ASSERT_EQUAL(ic_results_of_kind(&results, IC_KIND_NOT_TESTABLE, IC_SKIPPED), 1);
    CU_ASSERT_EQUAL(ic_results_of_kind(&results, IC_KIND_STATEMENT, IC_SKIPPED), 0);
}

IC_TEST(test_planted_claims)
{
    static const planted rows[] = {
        {ROW("steady(roller/III/C; multiple)", "=;2;1;2;"), IC_PASS},
        {ROW("steady(roller/III/C; multiple)", "=;1;1;1;"), IC_FAIL},
        {ROW("extreme(roller/IV/B; gap; min)", ">;0;um;;"), IC_PASS},
        {ROW("extreme(roller/IV/B; gap; min)", "<;0;um;;"), IC_FAIL},
        {ROW("extreme(roller/II/C; roller_acceleration; max)", "=;150.82;m/s^2;150.82;"), IC_FAIL},
        {ROW("event_time(two-mass/example-1; separation; 1)", "=;3.27;s;3.27;"), IC_FAIL},
        {ROW("mode_after(two-mass/example-1; impact; 1; stuck)", "=;1;1;1;"), IC_FAIL},
        /*
         * a measure that cannot be evaluated fails: no such event, no forcing, no steady state, no
         * impact
         */
        {ROW("event_time(roller/I/A; separation; 1)", ">;0;s;;"), IC_FAIL},
        {ROW("steady(bouncing-ball/drop; multiple)", ">=;0;1;;"), IC_FAIL},
        {ROW("settling(roller/II/C*[k=4e8, c=4e5, omega=30pi])", ">;0;1;;"), IC_FAIL},
        {ROW("at_entry(roller/IV/A; contact; gap; after; min)", ">=;-1;m;;"), IC_FAIL},
        {"nonsense\n", IC_FAIL},
    };
    check_verdicts(rows, IC_COUNT(rows), verdict_of);
}

/* Two motions that are the same but for a whole period of a period-2 motion do not differ; others
   do. */
IC_TEST(test_difference)
{
    static const planted rows[] = {
        {ROW("difference(roller/III/C; roller/III/C*; gap)", "<;1e-9;1;;"), IC_PASS},
        {ROW("difference(roller/III/C; roller/III/D; gap)", "<;1e-9;1;;"), IC_FAIL},
        {ROW("longest(roller/I/A; contact)", "=;0.05;s;0.05;"), IC_PASS},
        {ROW("longest(roller/I/A; flight)", "=;0.05;s;0.05;"), IC_FAIL},
    };
    check_verdicts(rows, IC_COUNT(rows), verdict_of);
}

static ic_verdict erratum_of(const char *text)
{
    IC_OWN(ic_results) results = {0};
    ic_errata_judge(&results, &everything, "planted.csv", text);
    CU_ASSERT_EQUAL(results.count, 1);
    return results.count == 1 ? results.rows[0].verdict : IC_SKIPPED;
}

#define ERRATUM_OF(kind_, rest_, limits_)                                                                      \
    ERRATA_HEADER "a;" kind_ ";s;p;x;y;e;\"" C_OF_II "\";" rest_ ";;" limits_ "\n"
#define ERRATUM(rest_) ERRATUM_OF("misprint", rest_, "l")

IC_TEST(test_planted_errata)
{
    static const planted rows[] = {
        {ERRATUM("=;506;kN s/m"), IC_ERRATUM},
        {ERRATUM("<;507;kN s/m"), IC_ERRATUM},
        {ERRATUM_OF("as scanned", "in;505..507;kN s/m", "l"), IC_ERRATUM},
        {ERRATUM_OF("evidence", "=;506;kN s/m", ""), IC_PASS},
        {ERRATUM_OF("evidence", "=;507;kN s/m", ""), IC_FAIL},
        {ERRATUM_OF("finding", "=;506;kN s/m", "l"), IC_FAIL}, /* no kind of erratum */
        {ERRATUM_OF("misprint", "=;506;kN s/m", ""), IC_FAIL}, /* without limits */
        {ERRATUM_OF("evidence", "=;506;kN s/m", "l"), IC_FAIL},
        {ERRATA_HEADER "a;misprint;s;p;x;y;by reading;;;;;;l\n", IC_FAIL},
        {ERRATUM("=;507;kN s/m"), IC_FAIL},
        {ERRATUM("<;506;kN s/m"), IC_FAIL},
        {ERRATUM("=;506;kg"), IC_FAIL},
        {"nonsense\n", IC_FAIL},
    };
    check_verdicts(rows, IC_COUNT(rows), erratum_of);
}

/* ---- Table 1 */

/* Verdict of all rows on one preset when `from` in the table is replaced. */
static size_t table_1_failures(const char *preset, const char *from, const char *to, size_t *errata)
{
    const ic_embedded *file = ic_embedded_find("published/roller-table-1.csv");
    const ic_selection selection = {.subjects = preset};
    IC_OWN(ic_results) results = {0};
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    IC_OWN(char) *text = malloc(file->length + strlen(to) + 1);
    const char *at = strstr(file->text, from);
    CU_ASSERT_FATAL(text != NULL && at != NULL);
    sprintf(text, "%.*s%s%s", (int)(at - file->text), file->text, to, at + strlen(from));
    ic_continuity_judge(&results, &selection, "planted.csv", text);
    CU_ASSERT(results.count > 0);
    const size_t failures = ic_results_with(&results, IC_FAIL);
    *errata = ic_results_with(&results, IC_ERRATUM);
    return failures;
}

IC_TEST(test_planted_table_1)
{
    static const struct {
        const char *preset, *from, *to;
    } planted[] = {
        {"roller/II/A", "A;-;acceleration;Dis.", "A;-;acceleration;C0"},
        {"roller/II/A", "A;+;F_f;<0", "A;+;F_f;>0"},
        {"roller/III/B", "B;-;x1 - x2;<0", "B;-;x1 - x2;0"},
        {"roller/III/B", "B;+;velocity;C1", "B;+;velocity;C0"},
        {"roller/III/C", "C;+;displacement;C2", "C;+;displacement;C3"},
        {"roller/IV/D", "D;-;x1 - x2;x_f", "D;-;x1 - x2;0"},
        {"roller/IV/D", "D;-;F_f;>0", "D;-;F_f;0"},
        {"roller/IV/B", "IV/B;<0", "IV/B;>0"},
        {"roller/IV/B", "IV/B;<0", ";"},
        {"roller/II/B", "B;+;F_f;0;;\n", ""},
        {"roller/II/A", "\ncondition", "\nCondition"},
    };
    size_t errata;
    for (size_t i = 0; i < IC_COUNT(planted); i++) {
        const char *from = planted[i].from;
        CU_ASSERT(table_1_failures(planted[i].preset, from, planted[i].to, &errata) > 0);
        CU_ASSERT_EQUAL(table_1_failures(planted[i].preset, from, from, &errata), 0);
        CU_ASSERT_EQUAL(errata, strcmp(planted[i].preset, "roller/IV/B") == 0 ? 1 : 0);
    }
}

/* ---- the data that are compiled in */

IC_TEST(test_all_checks_hold)
{
    const ic_check *const checks[] = {&ic_check_published, &ic_check_continuity, &ic_check_errata};
    for (size_t i = 0; i < IC_COUNT(checks); i++) {
        IC_OWN(ic_results) results = {0};
        checks[i]->run(&results, &everything);
        CU_ASSERT(results.count > 10);
        CU_ASSERT_EQUAL(ic_results_with(&results, IC_FAIL), 0);
        for (size_t k = 0; k < results.count; k++)
            CU_ASSERT_STRING_EQUAL(results.rows[k].check, checks[i]->name);
    }
}

IC_TEST(test_selection)
{
    const ic_check *const checks[] = {&ic_check_published, &ic_check_continuity, &ic_check_errata};
    for (size_t i = 0; i < IC_COUNT(checks); i++) {
        IC_OWN(ic_results) results = {0}, by_solver = {0}, elsewhere = {0};
        checks[i]->run(&results, &(ic_selection){.subjects = i == 2 ? "roller/III/D" : "roller/II/D"});
        CU_ASSERT(results.count > 0);
        for (size_t k = 0; k < results.count; k++)
            CU_ASSERT_STRING_EQUAL(results.rows[k].subject, i == 2 ? "roller/III/D" : "roller/II/D");
        checks[i]->run(&by_solver, &(ic_selection){.solvers = "rk4_henon"});
        CU_ASSERT_EQUAL(by_solver.count, 0);
        checks[i]->run(&elsewhere, &(ic_selection){.subjects = "bouncing-ball/elastic"});
        CU_ASSERT_EQUAL(elsewhere.count, 0);
    }
}

/* Every measure serves a claim or an erratum. */
IC_TEST(test_measures_are_used)
{
    for (size_t i = 0; i < ic_measure_count(); i++) {
        const char *call = ic_measure_form(i);
        char start[64];
        bool used = false;
        snprintf(start, sizeof start, "%.*s", (int)(strchr(call, '(') - call) + 1, call);
        for (size_t k = 0; k < ic_embedded_count; k++)
            used = used || strstr(ic_embedded_files[k].text, start) != NULL;
        for (size_t k = 0; k < ic_case_count; k++)
            used = used || (ic_cases[k]->text != NULL && strstr(ic_cases[k]->text, start) != NULL);
        IC_EXPECT(used, "not used: %s", start);
    }
}
