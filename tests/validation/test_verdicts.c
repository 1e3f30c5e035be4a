/* SPDX-License-Identifier: MIT */
/* Verdicts of `verify` on machines from files: a wrong run fails, a right one does not, and what nothing decides is
   skipped with its reason. */
#include "casefile/casefile.h"
#include "registry/registry.h"
#include "tests/tests.h"
#include "validation/checks/check_enclosures.h"
#include "validation/subjects.h"
#include "validation/truth.h"

#include <CUnit/CUnit.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- machines, and what is said of them */

typedef struct machine {
    ic_casefile *casefile;
    ic_setup setup;
} machine;

static void open_machine(machine *m, const char *text)
{
    ic_error error = {""};
    *m = (machine){.casefile = ic_casefile_read("test.yaml", text, strlen(text), NULL, 0, &error)};
    if (m->casefile == NULL) printf("\n  %s\n", error.text);
    CU_ASSERT_FATAL(m->casefile != NULL);
    CU_ASSERT_FATAL(
        ic_setup_open_case(&m->setup, ic_casefile_case(m->casefile), &(ic_request){.path = NULL}, &error));
}

static void close_machine(machine *m)
{
    ic_setup_close(&m->setup);
    ic_casefile_free(m->casefile);
}

/* The only row whose statement contains `what`. */
static const ic_result *the_row(const ic_results *results, const char *what)
{
    static const ic_result none = {.verdict = IC_FAIL};
    const ic_result *found = &none;
    for (size_t i = 0; i < results->count; i++) {
        if (strstr(results->rows[i].what, what) == NULL) continue;
        CU_ASSERT(found == &none);
        found = &results->rows[i];
    }
    CU_ASSERT(found != &none);
    return found;
}

static void expect(const ic_results *results, const char *what, ic_verdict verdict, const char *detail)
{
    const ic_result *row = the_row(results, what);
    if (row->verdict != verdict || strstr(row->detail, detail) == NULL)
        printf("\n  %s: %s, %s\n", row->what, ic_verdict_text(row->verdict), row->detail);
    CU_ASSERT_EQUAL(row->verdict, verdict);
    CU_ASSERT(strstr(row->detail, detail) != NULL);
}

/* ---- a solver that falls through a table on which a ball comes to rest */

static const char table[] = "parameters: {g: 9.81 m/s^2, h0: 0.02 m}\n"
                            "states: {x: {unit: m, start: h0}, v: m/s}\n"
                            "flow: {x: v, v: -g}\n"
                            "elements: {table: {stop: {gap: x, restitution: 0.5}}}\n"
                            "presets: {default: {until: 1 s}}\n";

/* Misses all bounces but the first ones. */
static size_t bounces_seen;

static ic_status falling_solve(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    ic_log *right = ic_log_new(problem);
    const ic_status status = ic_solver_find("piecewise_linear")->solve(right, problem, options);
    CU_ASSERT_FATAL(status == IC_OK && ic_log_event_count(right) > bounces_seen);
    for (size_t i = 0; i < bounces_seen; i++) {
        const ic_event event = ic_log_event_at(right, i);
        CU_ASSERT_EQUAL(ic_log_event(log, &event), IC_OK);
    }
    ic_log_final(log, problem->t_end, ic_log_event_at(right, 0).mode_to, (const double[]){-4, -9});
    ic_log_free(right);
    return status;
}

static void test_falling_through(void)
{
    const ic_solver falling = {
        IC_ABI(ic_solver), .name = "falling", .control = IC_CONTROL_RTOL, .solve = falling_solve};
    const ic_solver exact = {IC_ABI(ic_solver), .name = "falling", .solve = falling_solve};
    machine m;
    ic_truth truth;
    open_machine(&m, table);
    ic_truth_certify(&truth, &m.setup.problem, IC_TRUTH_DIGITS);
    CU_ASSERT_EQUAL(truth.status, IC_ZENO);
    for (bounces_seen = 1; bounces_seen <= 20; bounces_seen++) {
        ic_results results = {0};
        ic_enclosures_judge(&results, &m.setup.problem, &truth, "test/default", &falling);
        ic_enclosures_judge(&results, &m.setup.problem, &truth, "test/default", &exact);
        CU_ASSERT_EQUAL(results.count, 2);
        CU_ASSERT_EQUAL(ic_results_with(&results, IC_FAIL), 2);
        ic_results_free(&results);
    }
    ic_truth_clear(&truth);
    close_machine(&m);
}

/* Solvers that rest where they can no longer tell the bounces apart. */
static void test_accumulation_is_compared(void)
{
    static const char *const solvers[] = {"rk4_henon", "rk45_bisection", "dop853", "taylor", "piecewise_linear"};
    machine m;
    ic_truth truth;
    open_machine(&m, table);
    ic_truth_certify(&truth, &m.setup.problem, IC_TRUTH_DIGITS);
    for (size_t i = 0; i < IC_COUNT(solvers); i++) {
        ic_results results = {0};
        ic_enclosures_judge(&results, &m.setup.problem, &truth, "test/default", ic_solver_find(solvers[i]));
        expect(&results, "times of ", IC_PASS, "");
        ic_results_free(&results);
    }
    ic_truth_clear(&truth);
    close_machine(&m);
}

void ic_tests_verdicts(void)
{
    CU_pSuite suite = CU_add_suite("verdicts", NULL, NULL);
    CU_ADD_TEST(suite, test_falling_through);
    CU_ADD_TEST(suite, test_accumulation_is_compared);
}
