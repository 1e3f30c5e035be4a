/* SPDX-License-Identifier: MIT */
/* The verdict of an audit as a whole, which is good only where something was decided; numbers that
   say what their verdict says; units. */
#include "audit/common/finding.h"
#include "audit/common/process.h"
#include "audit/trajectory/input/input.h"
#include "tests/tests.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

IC_SUITE(audits, "verdict of audits")
IC_OWNED(ic_findings, ic_findings_free)

static const ic_audit_check needed = {.name = "needed", .needed = true}, other = {.name = "other"},
                            order = {.name = "order", .at_least = true};

static void add_finding(ic_findings *findings, const ic_audit_check *check, const char *subject,
                        ic_finding_verdict verdict)
{
    ic_finding f = {.check = check, .verdict = verdict, .measured = NAN, .tolerance = NAN};
    snprintf(f.subject, sizeof f.subject, "%s", subject);
    ic_findings_add(findings, &f);
}

/* ---- good, failed, undecided */

IC_TEST(test_needed)
{
    IC_OWN(ic_findings) f = {0}, failed = {0};
    /* nothing was checked */
    CU_ASSERT_EQUAL(ic_findings_judge(&f, false).verdict, IC_AUDIT_UNDECIDED);
    CU_ASSERT_PTR_NULL(ic_findings_judge(&f, false).why);
    add_finding(&f, &other, "a", IC_FINDING_OPEN);
    /* nothing was decided */
    CU_ASSERT_EQUAL(ic_findings_judge(&f, false).verdict, IC_AUDIT_UNDECIDED);
    add_finding(&f, &order, "a", IC_FINDING_PASS);
    /* what is open is not needed */
    CU_ASSERT_EQUAL(ic_findings_judge(&f, false).verdict, IC_AUDIT_GOOD);
    add_finding(&f, &needed, "a", IC_FINDING_OPEN);
    const ic_audit_judgement j = ic_findings_judge(&f, false);
    CU_ASSERT_EQUAL(j.verdict, IC_AUDIT_UNDECIDED);
    CU_ASSERT(j.passed == 1 && j.failed == 0 && j.open == 2);
    CU_ASSERT(j.why != NULL && j.why->check == &needed);
    add_finding(&f, &needed, "a", IC_FINDING_PASS);
    /* another row of the same check decides */
    CU_ASSERT_EQUAL(ic_findings_judge(&f, false).verdict, IC_AUDIT_GOOD);
    add_finding(&f, &other, "a", IC_FINDING_FAIL);
    CU_ASSERT_EQUAL(ic_findings_judge(&f, false).verdict, IC_AUDIT_FAILED);
    add_finding(&failed, &needed, "a", IC_FINDING_OPEN);
    add_finding(&failed, &other, "a", IC_FINDING_FAIL);
    /* whatever else is open */
    CU_ASSERT_EQUAL(ic_findings_judge(&failed, false).verdict, IC_AUDIT_FAILED);
}

IC_TEST(test_subjects)
{
    IC_OWN(ic_findings) f = {0};
    add_finding(&f, &other, "law 'a'", IC_FINDING_PASS);
    add_finding(&f, &other, "law 'b'", IC_FINDING_OPEN);
    CU_ASSERT_EQUAL(ic_findings_judge(&f, false).verdict, IC_AUDIT_GOOD);
    const ic_audit_judgement j = ic_findings_judge(&f, true);
    CU_ASSERT_EQUAL(j.verdict, IC_AUDIT_UNDECIDED); /* nothing was decided of the second */
    CU_ASSERT(j.why != NULL && strcmp(j.why->subject, "law 'b'") == 0);
    add_finding(&f, &order, "law 'b'", IC_FINDING_PASS);
    CU_ASSERT_EQUAL(ic_findings_judge(&f, true).verdict, IC_AUDIT_GOOD);
    add_finding(&f, &needed, "law 'a'", IC_FINDING_PASS);
    add_finding(&f, &needed, "law 'b'", IC_FINDING_OPEN);
    CU_ASSERT_EQUAL(ic_findings_judge(&f, false).verdict, IC_AUDIT_GOOD);
    CU_ASSERT_EQUAL(ic_findings_judge(&f, true).verdict, IC_AUDIT_UNDECIDED);
}

/* ---- numbers */

IC_TEST(test_contradictions)
{
    static const struct {
        const ic_audit_check *check;
        ic_finding_verdict verdict;
        double measured, tolerance;
        bool agrees;
    } rows[] = {
        {&other, IC_FINDING_PASS, 1, 2, true},   {&other, IC_FINDING_PASS, 2, 2, true},
        {&other, IC_FINDING_PASS, 3, 2, false},  {&other, IC_FINDING_FAIL, 3, 2, true},
        {&other, IC_FINDING_FAIL, 2, 2, false},  {&other, IC_FINDING_FAIL, 2.59, 3, false},
        {&other, IC_FINDING_FAIL, NAN, 3, true}, {&other, IC_FINDING_FAIL, INFINITY, 3, true},
        {&other, IC_FINDING_OPEN, 1, 2, true},   {&other, IC_FINDING_OPEN, 3, 2, true},
        {&order, IC_FINDING_PASS, 4, 3.5, true}, {&order, IC_FINDING_FAIL, 4, 3.5, false},
        {&order, IC_FINDING_FAIL, 1, 3.5, true}, {&order, IC_FINDING_PASS, 1, 3.5, false},
    };
    IC_OWN(ic_findings) f = {0};
    size_t contradictions = 0;
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        const ic_finding row = {.check = rows[i].check,
                                .verdict = rows[i].verdict,
                                .measured = rows[i].measured,
                                .tolerance = rows[i].tolerance};
        CU_ASSERT_EQUAL(ic_finding_agrees(&row), rows[i].agrees);
        ic_findings_add(&f, &row);
        contradictions += !rows[i].agrees;
        CU_ASSERT_EQUAL(f.contradictions, contradictions);
        CU_ASSERT_EQUAL_FATAL(f.count, i + 1);
        /* numbers that mislead are left out */
        CU_ASSERT_EQUAL(isnan(f.rows[i].tolerance), !rows[i].agrees);
        CU_ASSERT_EQUAL(f.rows[i].verdict, rows[i].verdict);
    }
    CU_ASSERT(contradictions > 0);
}

/* ---- units */

IC_TEST(test_units)
{
    static const struct {
        const char *name, *si;
        double factor;
    } right[] = {
        {"m", "m", 1},
        {"mm", "m", 1e-3},
        {"ft", "m", 0.3048},
        {"in", "m", 0.0254},
        {"mm/ms", "m/s", 1},
        {"km/h", "m/s", 1 / 3.6},
        {"ft/s", "m/s", 0.3048},
        {"in/min", "m/s", 0.0254 / 60},
        {"cm/us", "m/s", 1e4},
        {"m*s^-1", "m/s", 1},
        {"kg*m/s^2", "N", 1},
        {"g*mm/ms^2", "N", 1},
        {"m/s/s*s", "m/s", 1},
        {"deg/ms", "rad/s", 1e3 * 3.14159265358979323846 / 180},
        {"%", "1", 0.01},
        {"inches", "m", 0.0254},
        {"lbf", "N", 4.4482216152605},
    };
    static const char *const wrong[][2] = {
        {"mm/ms", "m"}, {"ft", "m/s"},  {"ft/s^2", "m/s"}, {"mm//ms", "m/s"}, {"/s", "m/s"},
        {"m/", "m"},    {"m^", "m"},    {"m^0", "m"},      {"m^99", "m"},     {"smoot", "m"},
        {"mm ms", "m"}, {"m^1.5", "m"}, {"", "m"},
    };
    const double rounding = 4 * 2.220446049250313e-16; /* of a quotient of powers */
    for (size_t i = 0; i < IC_COUNT(right); i++) {
        double factor = NAN;
        ic_error error = {""};
        CU_ASSERT_TRUE(ic_unit_to_si(&factor, right[i].name, right[i].si, &error));
        CU_ASSERT_DOUBLE_EQUAL(factor, right[i].factor, rounding * right[i].factor);
    }
    for (size_t i = 0; i < IC_COUNT(wrong); i++) {
        double factor;
        ic_error error = {""};
        CU_ASSERT_FALSE(ic_unit_to_si(&factor, wrong[i][0], wrong[i][1], &error));
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, wrong[i][0]));
    }
}

/* ---- what an audited process may use */

enum { LIMITED, NO_LIMIT, OTHERWISE, UNKNOWN_LIMIT };

/* In a child, which takes the limit that there may be already away, if it may: whether its
   processor time is limited to `expected` seconds. */
static int limit_of_child(double seconds, rlim_t expected)
{
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        struct rlimit l = {RLIM_INFINITY, RLIM_INFINITY};
        setrlimit(RLIMIT_CPU, &l);
        if (getrlimit(RLIMIT_CPU, &l) != 0 || l.rlim_cur != RLIM_INFINITY) _exit(UNKNOWN_LIMIT);
        ic_limit_use(seconds, false);
        if (getrlimit(RLIMIT_CPU, &l) != 0) _exit(UNKNOWN_LIMIT);
        _exit(l.rlim_cur == RLIM_INFINITY ? NO_LIMIT : l.rlim_cur == expected ? LIMITED : OTHERWISE);
    }
    CU_ASSERT_FATAL(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* Whole seconds, rounded up, of all processors, and one more; from 1e9 s on there is no limit. */
IC_TEST(test_processor_time)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const double seconds = 2 + 0.5 / (double)processors;
    const rlim_t expected = 2 * (rlim_t)processors + 2;
    const int limited = limit_of_child(seconds, expected);
    if (limited == UNKNOWN_LIMIT) return;
    CU_ASSERT_EQUAL(limited, LIMITED);
    CU_ASSERT_EQUAL(limit_of_child(seconds, expected - 1), OTHERWISE); /* planted */
    CU_ASSERT_EQUAL(limit_of_child(1e9, 0), NO_LIMIT);
    CU_ASSERT_EQUAL(limit_of_child(INFINITY, 0), NO_LIMIT);
}
