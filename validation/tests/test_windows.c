/* SPDX-License-Identifier: MIT */
/**
 * Windows (core/windows.h) against the search that needs no tables: piecewise_linear follows a run by windows, unless something is to
 * be shown of it.
 */
#include "core/model.h"
#include "core/registry.h"
#include "validation/subjects.h"
#include "validation/tests/tests.h"

#include <CUnit/CUnit.h>
#include <math.h>
#include <stdio.h>

/* Times of some 100 events of a stable orbit: a few units in the last place each, of times and of periods. */
#define TIME_TOLERANCE 2e-13

static ic_log *solved(const ic_problem *problem, bool shown)
{
    const ic_solver *solver = ic_solver_find("piecewise_linear");
    ic_status status = IC_OK;
    ic_log *log = ic_solve(solver, problem, &(ic_options){.extremes = shown}, &status);
    CU_ASSERT_EQUAL(status, IC_OK);
    return log;
}

/* Events of equal names, modes and times; `delay` is added to those of b. */
static bool agree(const ic_log *a, const ic_log *b, double delay, double typical)
{
    const size_t n = ic_log_event_count(a);
    if (ic_log_event_count(b) != n) return false;
    for (size_t i = 0; i < n; i++) {
        const ic_event p = ic_log_event_at(a, i), q = ic_log_event_at(b, i);
        if (p.name != q.name || p.mode_to != q.mode_to) return false;
        if (!(fabs(p.t - q.t - delay) <= TIME_TOLERANCE * fmax(typical, q.t))) return false;
    }
    return true;
}

static void compare(const char *path, const char *const *settings, size_t n, const char *until)
{
    ic_setup setup;
    ic_error error = {""};
    const ic_request request = {.path = path, .settings = settings, .n_settings = n, .until = until};
    CU_ASSERT_FATAL(ic_setup_open(&setup, &request, &error));
    const double typical = ic_time_scale(&setup.problem);
    ic_log *by_windows = solved(&setup.problem, false), *shown = solved(&setup.problem, true);
    if (!agree(by_windows, shown, 0, typical)) printf("%s differs\n", path);
    CU_ASSERT(agree(by_windows, shown, 0, typical));
    if (ic_log_event_count(shown) > 0)
        CU_ASSERT_FALSE(agree(by_windows, shown, 1e-9 * typical, typical)); /* planted */
    ic_log_free(by_windows);
    ic_log_free(shown);
    ic_setup_close(&setup);
}

static void test_presets(void)
{
    static const char *const cases[] = {"I", "II", "III"}, *const laws[] = {"A", "B", "C", "C*", "D"};
    for (size_t i = 0; i < IC_COUNT(cases); i++) {
        for (size_t k = 0; k < IC_COUNT(laws); k++) {
            char path[32];
            (void)snprintf(path, sizeof path, "roller/%s/%s", cases[i], laws[k]);
            compare(path, NULL, 0, "2");
        }
    }
    compare("two-mass/example-1", NULL, 0, "12");
    compare("bouncing-ball", NULL, 0, NULL);
}

/* Soil from soft to stiff, and beyond critical damping, for a time in which chaos does not tell roundings apart; m2 = 1500 gives a block for 0 that is not real in Schur's basis. */
static void test_other_parameters(void)
{
    static const char *const values[][3] = {
        {"k=1e6", "c=1e3", "m2=1500"}, {"k=1e7", "c=1e6", "m2=1500"},    {"k=5e8", "c=1e5", "omega=90pi"},
        {"k=2e8", "c=4e6", "m2=700"},  {"k=2e8", "c23=0", "phase=pi/3"}, {"k=1e10", "c=1e6", "F_w=1e5"},
    };
    for (size_t i = 0; i < IC_COUNT(values); i++) {
        compare("roller/III/A", values[i], 3, "0.12");
        compare("roller/III/C*", values[i], 3, "0.12");
    }
}

/* What they are for: of the march's evaluations most are in a table, and no phase is left to it. */
static void test_all_phases(void)
{
    ic_setup setup;
    ic_error error = {""};
    CU_ASSERT_FATAL(ic_setup_open(&setup, &(ic_request){.path = "roller/III/C", .until = "5"}, &error));
    ic_log *log = solved(&setup.problem, false);
    CU_ASSERT(ic_log_event_count(log) > 390);
    CU_ASSERT_EQUAL(ic_log_work(log)->root_iterations, 0); /* counted by the march only */
    ic_log_free(log);
    log = solved(&setup.problem, true);
    CU_ASSERT(ic_log_work(log)->root_iterations > 390);
    ic_log_free(log);
    ic_setup_close(&setup);
}

void ic_tests_windows(void)
{
    CU_pSuite suite = CU_add_suite("windows", NULL, NULL);
    CU_ADD_TEST(suite, test_presets);
    CU_ADD_TEST(suite, test_other_parameters);
    CU_ADD_TEST(suite, test_all_phases);
}
