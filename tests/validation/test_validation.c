/* SPDX-License-Identifier: MIT */
/* The checks themselves: stored enclosures are what the certifier finds, and wrong solvers and
   wrong answers are rejected. */
#include "core/model.h"
#include "core/names.h"
#include "registry/registry.h"
#include "tests/machine.h"
#include "validation/checks/judges.h"
#include "validation/checks/verify.h"
#include "validation/distributed.h"
#include "validation/steady.h"
#include "validation/truth.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

IC_SUITE(solvers, "validation")

/* Some stored enclosures, computed again over their first part. */
IC_TEST(test_stored_enclosures)
{
    static const char *const paths[] = {"two-mass/example-1", "two-mass/plastic", "roller/II/C", "roller/III/D",
                                        "roller/IV/B"};
    for (size_t i = 0; i < IC_COUNT(paths); i++) {
        IC_OWN(ic_truth) stored, fresh;
        char error[128];
        IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = paths[i]});
        CU_ASSERT_FATAL(ic_truth_stored(&stored, setup.problem.system, setup.preset, error, sizeof error));
        CU_ASSERT_EQUAL(stored.status, IC_OK);
        CU_ASSERT(fabs(stored.t_end - setup.problem.t_end) <= 1e-15 * setup.problem.t_end);
        setup.problem.t_end = fmin(setup.problem.t_end, 0.31 * setup.problem.t_end);
        setup.problem.t_end_text = NULL;
        if (strncmp(paths[i], "roller", 6) == 0) setup.problem.t_end = 0.31;
        ic_truth_certify(&fresh, &setup.problem, 15);
        CU_ASSERT_EQUAL(fresh.status, IC_OK);
        CU_ASSERT(fresh.count <= stored.count);
        for (size_t k = 0; k < fresh.count && k < stored.count; k++) {
            const double distance = fabs(fresh.events[k].t - stored.events[k].t);
            CU_ASSERT(distance <= fresh.events[k].radius + stored.events[k].radius);
            /* planted */
            CU_ASSERT(stored.events[k].untimed ||
                      distance + 1e-12 > fresh.events[k].radius + stored.events[k].radius);
            CU_ASSERT_STRING_EQUAL(fresh.events[k].name, stored.events[k].name);
        }
    }
}

/* A preset whose certificate is that of an earlier one has its lines. */
IC_TEST(test_enclosures_of_twins)
{
    const ic_case *roller = ic_case_find("roller");
    IC_OWN(ic_truth) one, twin, other;
    char error[128];
    CU_ASSERT(ic_truth_stored(&one, roller, ic_preset_find(roller, "IV/C"), error, sizeof error));
    CU_ASSERT(ic_truth_stored(&twin, roller, ic_preset_find(roller, "IV/C*"), error, sizeof error));
    CU_ASSERT(ic_truth_stored(&other, roller, ic_preset_find(roller, "IV/D"), error, sizeof error));
    CU_ASSERT(one.count > 0);
    CU_ASSERT_EQUAL(twin.count, one.count);
    CU_ASSERT_EQUAL(twin.events[one.count - 1].t, one.events[one.count - 1].t);
    CU_ASSERT_NOT_EQUAL(other.events[one.count - 1].t, one.events[one.count - 1].t);
}

IC_TEST(test_verdicts)
{
    IC_OWN(ic_results) results = {0};
    ic_result row = ic_row("check", "case/preset", NULL, "s");
    row.error = 1, row.tolerance = 2, row.radius = 0.5;
    ic_results_compare(&results, row);
    row.radius = 1.5; /* what is certain no longer fits */
    ic_results_compare(&results, row);
    row.radius = 0, row.error = NAN;
    ic_results_compare(&results, row);
    CU_ASSERT_EQUAL(ic_results_with(&results, IC_PASS), 1);
    CU_ASSERT_EQUAL(ic_results_with(&results, IC_FAIL), 2);
    json_t *json = ic_results_json(&results, false);
    CU_ASSERT_PTR_NOT_NULL_FATAL(json);
    CU_ASSERT_EQUAL(json_array_size(json_object_get(json, "rows")), 3);
    CU_ASSERT(json_is_null(json_object_get(json_array_get(json_object_get(json, "rows"), 2), "error")));
    json_decref(json);
}

/* Every check passes on a small selection, and a selection that names nothing is refused. */
IC_TEST(test_selection)
{
    char message[128];
    IC_OWN(ic_results) results = {0};
    const ic_selection ball = {.subjects = "bouncing-ball"};
    ic_verify(&results, &ball);
    CU_ASSERT(results.count > 10);
    CU_ASSERT_EQUAL(ic_results_with(&results, IC_FAIL), 0);
    for (size_t i = 0; i < results.count; i++)
        CU_ASSERT(strncmp(results.rows[i].subject, "bouncing-ball", 13) == 0);
    CU_ASSERT(ic_selection_matches(&ball, message, sizeof message));
    CU_ASSERT_FALSE(ic_selection_matches(&(const ic_selection){.subjects = "rollr"}, message, sizeof message));
    CU_ASSERT_FALSE(ic_selection_matches(&(const ic_selection){.solvers = "euler"}, message, sizeof message));
}

/* The two masses: closed forms, accumulation, what double precision cannot fix. */
IC_TEST(test_two_masses)
{
    IC_OWN(ic_results) results = {0};
    ic_verify(&results, &(const ic_selection){.subjects = "two-mass"});
    CU_ASSERT(results.count > 50);
    CU_ASSERT_EQUAL(ic_results_with(&results, IC_FAIL), 0);
    CU_ASSERT(ic_results_with(&results, IC_SKIPPED) > 0);
}

/* The whole of one roller preset, by the three solvers. */
IC_TEST(test_one_roller_preset)
{
    IC_OWN(ic_results) results = {0};
    ic_verify(&results, &(const ic_selection){.subjects = "roller/III/C"});
    CU_ASSERT(results.count > 20);
    CU_ASSERT_EQUAL(ic_results_with(&results, IC_FAIL), 0);
}

/* Checks reject a wrong solver: one that runs on a roller that is heavier by a part in a hundred
   thousand. */
static ic_status wrong_solve(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    return ic_tests_solve_changed(log, problem, options, "rk45_bisection", 0, 1.00001);
}

/* A case file that has the name of a built-in case has no stored answers. */
IC_TEST(test_stored_for_built_in_cases)
{
    ic_truth truth;
    char error[128];
    IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = "two-mass/plastic"});
    CU_ASSERT(ic_truth_stored(&truth, setup.problem.system, setup.preset, error, sizeof error));
    ic_truth_clear(&truth);
    ic_registry_use(setup.problem.system);
    CU_ASSERT_FALSE(ic_truth_stored(&truth, setup.problem.system, setup.preset, error, sizeof error));
    CU_ASSERT_STRING_EQUAL(error, "");
    ic_registry_use(NULL);
}

IC_TEST(test_wrong_solver_is_seen)
{
    IC_OWN(ic_truth) truth;
    char error[128];
    ic_status status = IC_OK;
    const ic_solver wrong = {IC_ABI(ic_solver), .name = "wrong", .solve = wrong_solve};
    IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = "roller/II/C"});
    CU_ASSERT_FATAL(ic_truth_stored(&truth, setup.problem.system, setup.preset, error, sizeof error));
    IC_OWN(ic_log) *log =
        ic_solve(&wrong, &setup.problem, &(ic_options){.rtol = ic_tolerance_verify_rtol.value}, &status);
    CU_ASSERT_EQUAL(ic_log_event_count(log), truth.count);
    CU_ASSERT(fabs(ic_log_event_at(log, 100).t - truth.events[100].t) > 1e-8);
}

/* One event that has no stored time of its own is late, is another one, is missing with the next, or occurs twice. */
enum { UNTIMED = 205 };
static enum { RIGHT, LATE, RENAMED, MISSING, TWICE, EVENT_FAULTS } event_fault;

static ic_status faulty_solve(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    ic_status status = IC_OK;
    IC_OWN(ic_log) *right = ic_solve(ic_solver_find("rk45_bisection"), problem, options, &status);
    for (size_t i = 0; i < ic_log_event_count(right); i++) {
        ic_event event = ic_log_event_at(right, i);
        if (event_fault == MISSING && (i == UNTIMED || i == UNTIMED + 1)) continue;
        if (event_fault == LATE && i == UNTIMED) event.t += 1e-6;
        if (event_fault == RENAMED && i == UNTIMED) event.name = ic_log_event_at(right, i + 1).name;
        for (int k = event_fault == TWICE && i == UNTIMED ? 0 : 1; k < 2; k++)
            CU_ASSERT_EQUAL(ic_log_event(log, &event), IC_OK);
    }
    const ic_sample end = ic_log_end(right);
    ic_log_final(log, end.t, end.mode, end.x);
    return status;
}

IC_TEST(test_untimed_events)
{
    IC_OWN(ic_truth) truth;
    char error[128];
    const ic_solver faulty = {IC_ABI(ic_solver), .name = "faulty", .control = IC_CONTROL_RTOL,
                              .solve = faulty_solve};
    IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = "roller/III/C"});
    CU_ASSERT_FATAL(ic_truth_stored(&truth, setup.problem.system, setup.preset, error, sizeof error));
    CU_ASSERT(truth.count == 399 && truth.events[UNTIMED].untimed && truth.events[UNTIMED + 1].untimed);
    for (event_fault = RIGHT; event_fault < EVENT_FAULTS; event_fault++) {
        IC_OWN(ic_results) results = {0};
        ic_enclosures_judge(&results, &setup.problem, &truth, "roller/III/C", &faulty);
        CU_ASSERT_EQUAL(ic_results_with(&results, IC_FAIL) == 0, event_fault == RIGHT);
    }
}

/* Random problems: good solvers pass, one that takes a bar for heavier by a part in a hundred
   thousand does not. */
IC_TEST(test_draws)
{
    enum { DRAWN = 5 };
    static const char *const paths[] = {"planar-bar/kappa-1", "planar-bar/stronge"};
    const ic_solver wrong = {IC_ABI(ic_solver), .name = "wrong", .solve = wrong_solve};
    const ic_solver *solvers[] = {ic_solver_find("piecewise_linear"), ic_solver_find("modal_closed_form"),
                                  ic_solver_find("stronge"), &wrong};
    for (size_t p = 0; p < IC_COUNT(paths); p++) {
        IC_OWN(ic_results) results = {0};
        IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = paths[p]});
        ic_draws_judge(&results, &setup, paths[p], solvers, IC_COUNT(solvers), DRAWN);
        CU_ASSERT_EQUAL(results.count, 3); /* a solver for another variant is left out */
        for (size_t i = 0; i < results.count; i++) {
            const bool is_wrong = strcmp(results.rows[i].solver, wrong.name) == 0;
            CU_ASSERT_EQUAL(results.rows[i].verdict, is_wrong ? IC_FAIL : IC_PASS);
        }
    }
}

/* Free impacts: good solvers pass, one with a law that is a part in ten thousand too lively does
   not. */
static ic_status wrong_ball(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    const size_t K_star = problem->system->n_parameters - 1; /* of the law */
    return ic_tests_solve_changed(log, problem, options, "rk45_bisection", K_star, 0.9999);
}

IC_TEST(test_free_impacts)
{
    const ic_solver wrong = {IC_ABI(ic_solver), .name = "wrong", .solve = wrong_ball};
    const ic_solver *solvers[] = {ic_solver_find("rk45_bisection"), ic_solver_find("rk4_henon"), &wrong};
    IC_OWN(ic_results) results = {0};
    IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = "ball/C2/0.5000"});
    ic_free_impacts_judge(&results, &setup, "ball/C2/0.5000", solvers, IC_COUNT(solvers));
    CU_ASSERT_EQUAL(results.count, 4 * IC_COUNT(solvers));
    for (size_t i = 0; i < results.count; i++) {
        CU_ASSERT_EQUAL(results.rows[i].verdict, i < 8 ? IC_PASS : IC_FAIL);
    }
}

IC_TEST(test_steady)
{
    ic_steady steady;
    IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = "roller/II/C"});
    CU_ASSERT_EQUAL(ic_steady_find(&steady, &setup.problem, ic_solver_find("rk45_bisection"),
                                   &(ic_options){.rtol = 1e-11}, 100),
                    IC_OK);
    CU_ASSERT_EQUAL(steady.multiple, 1);
    CU_ASSERT_EQUAL(steady.entries[0], 1); /* one impact in each period */
    CU_ASSERT(steady.spectral_radius < 1 && fabs(steady.fraction[0] + steady.fraction[1] - 1) < 1e-12);
    IC_OWN(ic_setup) unforced = ic_tests_setup(&(ic_request){.path = "bouncing-ball/drop"});
    CU_ASSERT_EQUAL(
        ic_steady_find(&steady, &unforced.problem, ic_solver_find("rk45_bisection"), &(ic_options){0}, 10),
        IC_UNSUPPORTED);
}

/* ---- work that is distributed */

enum { PARTS = 40, PLANTED_PART = 17 };

typedef enum fault { NO_FAULT, KILLED, LEAVES, LEAVES_QUIETLY, HAS_SAID_WHY, NO_MEMORY } fault;

static void commit(ic_results *results, fault planted)
{
    switch (planted) {
    case KILLED: raise(SIGKILL); break;
    case LEAVES: _exit(1);
    case LEAVES_QUIETLY: _exit(0);
    case HAS_SAID_WHY: _exit(3);
    case NO_MEMORY: results->out_of_memory = true; break;
    case NO_FAULT: break;
    }
}

/* Two rows for each part. */
static void walk_parts(ic_results *results, const void *context)
{
    results->cost = 1;
    for (int part = 0; part < PARTS; part++) {
        if (!ic_results_part(results)) continue;
        if (part == PLANTED_PART) commit(results, *(const fault *)context);
        for (int i = 0; i < 2; i++) {
            ic_result row = ic_row("check", "case/preset", NULL, "");
            snprintf(row.what, sizeof row.what, "part %d, row %d", part, i);
            ic_results_add(results, &row);
        }
    }
}

IC_TEST(test_distributed_rows)
{
    static const size_t jobs[] = {1, 2, 4, PARTS + 3};
    const fault none = NO_FAULT;
    IC_OWN(ic_results) alone = {0};
    walk_parts(&alone, &none);
    CU_ASSERT_EQUAL_FATAL(alone.count, (size_t)2 * PARTS);
    for (size_t k = 0; k < IC_COUNT(jobs); k++) {
        IC_OWN(ic_results) distributed = {0};
        ic_error error = {""};
        CU_ASSERT(ic_distribute(&distributed, walk_parts, &none, jobs[k], &error));
        CU_ASSERT_EQUAL_FATAL(distributed.count, alone.count);
        for (size_t i = 0; i < alone.count; i++)
            CU_ASSERT_STRING_EQUAL(distributed.rows[i].what, alone.rows[i].what);
    }
}

/* A process that is lost takes no row with it unseen, and none is left behind. */
IC_TEST(test_distributed_losses)
{
    static const struct {
        fault planted;
        const char *says;
    } lost[] = {{KILLED, "signal 9"},
                {LEAVES, "status 1"},
                {LEAVES_QUIETLY, "status 0"},
                {HAS_SAID_WHY, NULL},
                {NO_MEMORY, "memory ran out"}};
    for (size_t k = 0; k < IC_COUNT(lost); k++) {
        for (size_t jobs = 1; jobs <= 3; jobs++) {
            IC_OWN(ic_results) distributed = {0};
            ic_error error = {""};
            CU_ASSERT_FALSE(ic_distribute(&distributed, walk_parts, &lost[k].planted, jobs, &error));
            CU_ASSERT(lost[k].says == NULL ? error.text[0] == '\0' : strstr(error.text, lost[k].says) != NULL);
        }
    }
    errno = 0;
    CU_ASSERT(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
}

/* Processes give the rows that one gives, with their times. */
IC_TEST(test_verify_distributed)
{
    const ic_selection ball = {.subjects = "bouncing-ball"};
    IC_OWN(ic_results) alone = {0}, distributed = {0};
    ic_error error = {""};
    ic_verify(&alone, &ball);
    CU_ASSERT(ic_verify_distributed(&distributed, &ball, 3, &error));
    CU_ASSERT_EQUAL_FATAL(distributed.count, alone.count);
    for (size_t i = 0; i < alone.count; i++) {
        CU_ASSERT_STRING_EQUAL(distributed.rows[i].what, alone.rows[i].what);
        CU_ASSERT_STRING_EQUAL(distributed.rows[i].detail, alone.rows[i].detail);
        CU_ASSERT_EQUAL(distributed.rows[i].verdict, alone.rows[i].verdict);
        CU_ASSERT(distributed.rows[i].seconds >= 0 && distributed.rows[i].seconds < 60);
    }
}

/* ---- the verdict as a whole */

static void add_verdict(ic_results *results, const char *subject, const char *solver, ic_verdict verdict)
{
    ic_result row = ic_row("check", subject, ic_solver_find(solver), "");
    row.verdict = verdict;
    snprintf(row.detail, sizeof row.detail, "a reason");
    ic_results_add(results, &row);
}

IC_TEST(test_undecided)
{
    const ic_selection ball = {.subjects = "bouncing-ball"}, two = {.subjects = "b*-*ball"};
    const ic_selection by_taylor = {.subjects = "*", .solvers = "taylor"}, all = {0};
    char what[256];
    IC_OWN(ic_results) results = {0};
    CU_ASSERT(ic_verify_undecided(&results, &ball, what, sizeof what)); /* not one row */
    add_verdict(&results, "bouncing-ball/drop", "taylor", IC_SKIPPED);
    CU_ASSERT(ic_verify_undecided(&results, &ball, what, sizeof what));
    CU_ASSERT_PTR_NOT_NULL(strstr(what, "bouncing-ball"));
    add_verdict(&results, "bouncing-ball/lively", "dop853", IC_PASS);
    CU_ASSERT(ic_verify_undecided(&results, &ball, what, sizeof what)); /* taylor is not judged */
    CU_ASSERT_PTR_NOT_NULL(strstr(what, "taylor"));
    add_verdict(&results, "bouncing-ball/lively", "taylor", IC_ERRATUM);
    CU_ASSERT_FALSE(ic_verify_undecided(&results, &ball, what, sizeof what));
    CU_ASSERT_FALSE(ic_verify_undecided(&results, &two, what, sizeof what));
    CU_ASSERT_FALSE(
        /* it need not solve all cases */
        ic_verify_undecided(&results, &by_taylor, what, sizeof what));
    CU_ASSERT(ic_verify_undecided(&results, &all, what, sizeof what)); /* cases without a row */
    CU_ASSERT_PTR_NOT_NULL(strstr(what, "roller"));
}
