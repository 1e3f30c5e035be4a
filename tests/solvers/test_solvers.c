/* SPDX-License-Identifier: MIT */
/**
 * Every registered solver: parameters outside all presets against the certifier, samples and
 * extremes, malformed problems, failure of every allocation, and bounded memory in a long run of
 * which nothing is kept.
 */
#include "core/log_scope.h"
#include "core/model.h"
#include "core/step_events.h"
#include "registry/registry.h"
#include "tests/allocations.h"
#include "tests/tests.h"
#include "validation/subjects.h"
#include "validation/truth.h"

#include <CUnit/CUnit.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* Our solvers that serve every case with a linear view: rk4_henon, rk45_bisection, dop853, taylor,
   piecewise_linear. */
#define OWN 5

size_t ic_tests_serving(const ic_problem *problem)
{
    size_t n = 0;
    for (size_t s = 0; s < ic_solver_count; s++) n += ic_solver_serves(ic_solvers[s], problem);
    return n;
}

/* Adaptive solvers at 1e-11 and fixed steps of 1/4000 of the time scale locate events of these
   problems to 1e-8 of it. */
#define TIME_TOLERANCE 1e-8
#define EXACT_TOLERANCE 1e-12

static double tolerance_of(const ic_solver *solver)
{
    return solver->control == IC_CONTROL_NONE ? EXACT_TOLERANCE : TIME_TOLERANCE;
}

static void test_other_parameters(void)
{
    static const struct {
        const char *path, *settings[4];
        size_t n;
        const char *until;
    } rows[] = {
        {"roller/II/C", {"k=1e8", "c=3e5", "omega=50pi"}, 3, "0.5"},
        {"roller/II/D", {"c=2e6", "omega=60pi", "F_w=1e5"}, 3, "0.5"},
        {"roller/II/B", {"m2=1500", "phase=pi/3", "d=0.7"}, 3, "0.5"},
        {"roller/III/A", {"k23=5e5", "c23=0", "g=1.62"}, 3, "0.3"},
        {"roller/I/C*", {"phase=pi"}, 1, "0.5"},
        {"roller/I/C", {"phase=pi"}, 1, "0.2"},
        {"two-mass/example-1", {"e=1/4", "k1=0.3", "m2=2"}, 3, "7.2"},
        {"two-mass/plastic", {"f2=0.7", "p2=1", "omega=1.3"}, 3, "30"},
        {"bouncing-ball/lively", {"h=0", "v0=3", "g=1.62"}, 3, "20"},
    };
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        ic_setup setup;
        ic_truth truth;
        ic_error error = {""};
        CU_ASSERT_FATAL(ic_setup_open(
            &setup, &(ic_request){rows[i].path, rows[i].settings, rows[i].n, rows[i].until, NULL}, &error));
        ic_truth_certify(&truth, &setup.problem, 16);
        CU_ASSERT_EQUAL(truth.status, IC_OK);
        const double typical = ic_time_scale(&setup.problem);
        CU_ASSERT(ic_tests_serving(&setup.problem) >= OWN);
        for (size_t s = 0; s < ic_solver_count; s++) {
            if (!ic_solver_serves(ic_solvers[s], &setup.problem)) continue;
            ic_status status = IC_OK;
            const ic_options options = {.rtol = ic_rtol_for(ic_solvers[s], 1e-11), .step = typical / 4000};
            ic_log *log = ic_solve(ic_solvers[s], &setup.problem, &options, &status);
            CU_ASSERT_EQUAL(status, IC_OK);
            CU_ASSERT_EQUAL(ic_log_event_count(log), truth.count);
            for (size_t k = 0; k < truth.count && k < ic_log_event_count(log); k++) {
                const ic_event event = ic_log_event_at(log, k);
                CU_ASSERT_STRING_EQUAL(event.name, truth.events[k].name);
                CU_ASSERT(fabs(event.t - truth.events[k].t) <=
                          tolerance_of(ic_solvers[s]) * fmax(typical, event.t));
                CU_ASSERT_FALSE(fabs(event.t - truth.events[k].t - 1e-3 * typical) <=
                                tolerance_of(ic_solvers[s]) * fmax(typical, event.t)); /* planted */
            }
            ic_log_free(log);
        }
        ic_truth_clear(&truth);
        ic_setup_close(&setup);
    }
}

/* Near its maximum of 1 m the height is indistinguishable from its neighbours: it changes by
   rounding alone within sqrt(2 DBL_EPSILON/g). */
#define HEIGHT_ROUNDING DBL_EPSILON
#define TOP_TIME 7e-9

/* Samples of the bouncing ball against x = 1 - g t^2/2 before the first impact; the greatest height
   is that of the start. */
static void test_samples_and_extremes(void)
{
    ic_setup setup;
    CU_ASSERT_FATAL(ic_setup_open(&setup, &(ic_request){.path = "bouncing-ball/lively", .until = "1"}, NULL));
    CU_ASSERT(ic_tests_serving(&setup.problem) >= OWN);
    for (size_t s = 0; s < ic_solver_count; s++) {
        if (!ic_solver_serves(ic_solvers[s], &setup.problem)) continue;
        ic_status status = IC_OK;
        const ic_options options = {.rtol = ic_rtol_for(ic_solvers[s], 1e-9), .samples = 101, .extremes = true};
        ic_log *log = ic_solve(ic_solvers[s], &setup.problem, &options, &status);
        CU_ASSERT_EQUAL(status, IC_OK);
        CU_ASSERT_EQUAL_FATAL(ic_log_sample_count(log), 101);
        for (size_t i = 0; i <= 45; i++) {
            const ic_sample sample = ic_log_sample_at(log, i);
            CU_ASSERT(fabs(sample.t - 0.01 * (double)i) < 1e-14);
            CU_ASSERT(fabs(sample.x[0] - (1 - 4.905 * sample.t * sample.t)) < 1e-8);
            /* planted */
            CU_ASSERT_FALSE(fabs(sample.x[0] - (1.001 - 4.905 * sample.t * sample.t)) < 1e-8);
        }
        CU_ASSERT(ic_log_sample_at(log, 100).t == 1);
        CU_ASSERT(fabs(ic_log_extreme(log, 0).max - 1) <= HEIGHT_ROUNDING);
        CU_ASSERT(ic_log_extreme(log, 0).t_max <= TOP_TIME);
        CU_ASSERT(fabs(ic_log_extreme(log, 0).min) < 1e-8);
        ic_log_free(log);
    }
    ic_setup_close(&setup);
    /* thrown up: the apex, v0^2/2g, lies inside the flight */
    static const char *const up[] = {"h=0", "v0=9.81"};
    CU_ASSERT_FATAL(ic_setup_open(&setup, &(ic_request){"bouncing-ball/elastic", up, 2, "1.7", NULL}, NULL));
    CU_ASSERT(ic_tests_serving(&setup.problem) >= OWN);
    for (size_t s = 0; s < ic_solver_count; s++) {
        if (!ic_solver_serves(ic_solvers[s], &setup.problem)) continue;
        ic_status status = IC_OK;
        const ic_options options = {.rtol = ic_rtol_for(ic_solvers[s], 1e-9), .extremes = true};
        ic_log *log = ic_solve(ic_solvers[s], &setup.problem, &options, &status);
        CU_ASSERT(fabs(ic_log_extreme(log, 0).max - 4.905) < 1e-9);
        CU_ASSERT(fabs(ic_log_extreme(log, 0).t_max - 1) < 1e-4);
        ic_log_free(log);
    }
    ic_setup_close(&setup);
}

/* Too many steps, and a step below the resolution of time, stop with a named status. */
static void test_limits(void)
{
    ic_setup setup;
    CU_ASSERT_FATAL(ic_setup_open(&setup, &(ic_request){.path = "roller/II/C"}, NULL));
    CU_ASSERT(ic_tests_serving(&setup.problem) >= OWN);
    for (size_t s = 0; s < ic_solver_count; s++) {
        if (!ic_solver_serves(ic_solvers[s], &setup.problem)) continue;
        ic_status status = IC_OK;
        ic_log *log = ic_solve(ic_solvers[s], &setup.problem, &(ic_options){.max_steps = 10}, &status);
        CU_ASSERT_EQUAL(status, IC_TOO_MUCH_WORK);
        CU_ASSERT(ic_log_end(log).t < setup.problem.t_end);
        CU_ASSERT(strlen(ic_log_text(log)) > 0);
        ic_log_free(log);
    }
    ic_setup_close(&setup);
}

/* Guards that are identically zero (equal oscillators that start together), and a departure by a
   triple zero just before a point of the grid: nothing hangs, nothing is found twice. */
static void test_flat_zeros(void)
{
    static const struct {
        const char *path, *settings[14];
        size_t n;
        const char *until;
        size_t events;
    } rows[] = {
        {"two-mass/example-1", {"k1=1", "k2=1", "c1=0", "c2=0"}, 4, "40", 0},
        {"two-mass/forced",
         {"m1=23", "m2=0.0165", "k1=0", "k2=0", "c1=0", "c2=0", "f1=0", "f2=0", "e=0", "u1=1", "v1=1.25",
          "u3=1", "v3=0.44"},
         13,
         "36.3",
         1},
        {"two-mass/forced",
         {"stuck=1", "k1=0.244", "k2=0.244", "c1=0", "c2=0", "f1=-2.07", "f2=0.621", "p2=-2.77", "omega=2",
          "e=0", "u1=0.93", "v1=-1.28"},
         12,
         "34.8",
         7},
    };
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        ic_setup setup;
        const ic_request request = {rows[i].path, rows[i].settings, rows[i].n, rows[i].until, NULL};
        CU_ASSERT_FATAL(ic_setup_open(&setup, &request, NULL));
        CU_ASSERT(ic_tests_serving(&setup.problem) >= OWN);
        for (size_t s = 0; s < ic_solver_count; s++) {
            if (!ic_solver_serves(ic_solvers[s], &setup.problem)) continue;
            ic_status status = IC_OK;
            ic_log *log = ic_solve(ic_solvers[s], &setup.problem, &(ic_options){.max_steps = 1e6}, &status);
            CU_ASSERT_EQUAL(status, IC_OK);
            CU_ASSERT_EQUAL(ic_log_event_count(log), rows[i].events);
            CU_ASSERT_NOT_EQUAL(ic_log_event_count(log), rows[i].events + 1); /* planted */
            ic_log_free(log);
        }
        ic_setup_close(&setup);
    }
}

/* Sign changes of polynomials with known roots, from as many values as a solver evaluates of its
   guards. */
static double product_of_roots(double s, const double *roots, int n)
{
    double value = 1;
    for (int i = 0; i < n; i++) value *= s - roots[i];
    return value;
}

static int count_changes(const double *roots, int n, int nodes, ic_arming arming, ic_sign_change *changes,
                         bool *grazes)
{
    double values[IC_STEP_MOST_NODES];
    int last = 0;
    for (int k = 0; k < nodes; k++) values[k] = product_of_roots(k / (double)(nodes - 1), roots, n);
    return ic_sign_changes(changes, values, nodes, arming, &last, grazes);
}

static void test_sign_changes(void)
{
    ic_sign_change changes[IC_STEP_MOST_NODES];
    bool grazes = false;
    static const double four[] = {0.1, 0.10001, 0.6, 0.97}, pair[] = {0.3, 0.300001}, touch[] = {0.4, 0.4};
    static const double start_and_end[] = {0, 0.5, 1.0}, outside[] = {-0.1, 1.1}, triple[] = {0, 0, 0, 0.8};
    for (int nodes = 5; nodes <= IC_STEP_MOST_NODES; nodes++) {
        CU_ASSERT_EQUAL(count_changes(four, 4, nodes, (ic_arming){.side = 1}, changes, &grazes), 4);
        for (int i = 0; i < 4; i++) CU_ASSERT(changes[i].low <= four[i] && four[i] <= changes[i].high);
        CU_ASSERT_EQUAL(count_changes(pair, 2, nodes, (ic_arming){.side = 1}, changes, &grazes), 2);
        CU_ASSERT_FALSE(grazes);
        /* none, or a pair */
        CU_ASSERT(count_changes(touch, 2, nodes, (ic_arming){.side = 1}, changes, &grazes) % 2 == 0);
        CU_ASSERT_EQUAL(count_changes(outside, 2, nodes, (ic_arming){.side = -1}, changes, &grazes), 0);
        /* zero at the start, disarmed: only the root inside; the one at the end is left to the next
           step */
        const ic_arming disarmed = {.side = 1, .order = 1}, unknown = {.side = 0, .order = 1};
        CU_ASSERT_EQUAL(count_changes(start_and_end, 3, nodes, disarmed, changes, &grazes), 1);
        CU_ASSERT(changes[0].low <= 0.5 && 0.5 <= changes[0].high && changes[0].to == -1);
        /* a triple zero at the start, divided out */
        const ic_arming departing = {.side = -1, .order = 3};
        CU_ASSERT_EQUAL(count_changes(triple, 4, nodes, departing, changes, &grazes), 1);
        CU_ASSERT(changes[0].low <= 0.8 && 0.8 <= changes[0].high && changes[0].to == 1);
        CU_ASSERT_FALSE(changes[0].to == -1); /* planted */
        /* side unknown: the start itself counts */
        CU_ASSERT(count_changes(start_and_end, 3, nodes, unknown, changes, &grazes) == 2);
    }
}

/* Values on one side of zero between two of which the polynomial dips below zero: the worst such
   values, raised so that it has two roots, and none. For values that are alternately 0 and 1 in the
   worst order, the dip is (L - 1)/2, L the Lebesgue constant. */
/* The constants have four decimals; the maximum over this many places is closer to the exact
   one. */
enum { PLACES = 2000 };
#define DECIMALS 1e-4

static double basis_at(int degree, int j, double at)
{
    double value = 1;
    for (int k = 0; k <= degree; k++) {
        if (k != j) value *= (at * degree - k) / (j - k);
    }
    return value;
}

/* Values 0 and 1 for which the polynomial dips deepest; returns the depth. */
static double deepest_dip(double *bump, int degree)
{
    double lowest = 0;
    for (int place = 1; place < PLACES; place++) {
        double sum = 0, shape[IC_STEP_MOST_NODES] = {0};
        for (int j = 0; j <= degree; j++) {
            const double basis = basis_at(degree, j, (double)place / PLACES);
            shape[j] = basis < 0 ? 1 : 0;
            sum += fmin(basis, 0);
        }
        if (sum < lowest) lowest = sum, memcpy(bump, shape, sizeof shape);
    }
    return -lowest;
}

/* `above`: all values are raised by this fraction of the dip. */
static void expect_roots(int count, const double *bump, int degree, int side, double above)
{
    ic_sign_change changes[IC_STEP_MOST_NODES];
    double values[IC_STEP_MOST_NODES];
    bool grazes = true;
    int last = 0;
    for (int j = 0; j <= degree; j++) values[j] = side * (bump[j] + above);
    CU_ASSERT_EQUAL(ic_sign_changes(changes, values, degree + 1, (ic_arming){.side = side}, &last, &grazes),
                    count);
    CU_ASSERT_EQUAL(last, side);
    CU_ASSERT_FALSE(grazes);
}

static void test_dips(void)
{
    /* of 2 to 7 equal parts */
    static const double lebesgue[] = {1.25, 1.6311, 2.2078, 3.1063, 4.5493, 6.9297};
    for (int degree = 2; degree < IC_STEP_MOST_NODES; degree++) {
        double bump[IC_STEP_MOST_NODES] = {0};
        const double dip = deepest_dip(bump, degree);
        CU_ASSERT_DOUBLE_EQUAL(dip, (lebesgue[degree - 2] - 1) / 2, DECIMALS);
        for (int side = -1; side <= 1; side += 2) {
            expect_roots(2, bump, degree, side, 0.98 * dip);
            expect_roots(0, bump, degree, side, 1.02 * dip);
        }
    }
}

/* As many roots as the degree, all within one step: found from values that determine the degree,
   and not from fewer. */
static void test_many_sign_changes(void)
{
    static const double seven[] = {0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95};
    ic_sign_change changes[IC_STEP_MOST_NODES];
    bool grazes = false;
    CU_ASSERT_EQUAL_FATAL(count_changes(seven, 7, 8, (ic_arming){.side = -1}, changes, &grazes), 7);
    for (int i = 0; i < 7; i++) {
        CU_ASSERT(changes[i].low <= seven[i] && seven[i] <= changes[i].high);
        CU_ASSERT_EQUAL(changes[i].to, i % 2 == 0 ? 1 : -1);
    }
    /* planted */
    CU_ASSERT(count_changes(seven, 7, 5, (ic_arming){.side = -1}, changes, &grazes) < 7);
}

/* ---- memory */

/* A run from names to the end, in which allocation number `fail_at` fails. NAN: memory ran out, and
   this was reported. */
static double events_of_run(const ic_solver *solver, const ic_request *request, size_t fail_at,
                            ic_allocations *allocations)
{
    const ic_options options = {.samples = 11, .extremes = true, .rtol = ic_rtol_for(solver, 1e-6)};
    ic_setup setup;
    ic_error error = {""};
    ic_log *log = NULL;
    ic_status status = IC_NO_MEMORY;
    ic_allocations_begin(fail_at);
    const bool open = ic_setup_open(&setup, request, &error);
    if (open) log = ic_solve(solver, &setup.problem, &options, &status);
    *allocations = ic_allocations_end();
    const double events = status == IC_OK ? (double)ic_log_event_count(log) : NAN;
    CU_ASSERT(open || strstr(error.text, "memory") != NULL);
    CU_ASSERT(status == IC_OK || status == IC_NO_MEMORY);
    ic_log_free(log);
    if (open) ic_setup_close(&setup);
    return events;
}

/* Whichever allocation fails, a run reports it or continues without the memory: it does not crash
   or change its result. */
static void expect_robust_run(const ic_solver *solver, const ic_request *request)
{
    ic_allocations whole, broken;
    const double events = events_of_run(solver, request, IC_NO_FAILURE, &whole);
    size_t said = 0;
    CU_ASSERT_FATAL(events > 0 && whole.calls > 3 && !whole.failed);
    for (size_t i = 0; i < whole.calls; i++) {
        const double now = events_of_run(solver, request, i, &broken);
        CU_ASSERT(broken.failed);
        CU_ASSERT(isnan(now) || now == events);
        said += isnan(now) ? 1 : 0;
    }
    CU_ASSERT(said > 0); /* some failure was noticed at all */
    CU_ASSERT(events_of_run(solver, request, whole.calls, &broken) == events && !broken.failed);
}

static void test_no_memory(void)
{
    static const ic_request rows[] = {{.path = "roller/III/C", .until = "0.1"},
                                      {.path = "two-mass/forced", .until = "10"},
                                      {.path = "roller/II/C", .until = "0.1", .variant = "hunt-crossley"},
                                      {.path = "planar-bar/kappa-100"}};
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        ic_setup setup;
        CU_ASSERT_FATAL(ic_setup_open(&setup, &rows[i], NULL));
        for (size_t s = 0; s < ic_solver_count; s++) {
            if (ic_solver_serves(ic_solvers[s], &setup.problem)) expect_robust_run(ic_solvers[s], &rows[i]);
        }
        ic_setup_close(&setup);
    }
}

/* Events in 5 s of the roller: 399. An allocator's blocks exceed the requested size by varying
   amounts: in total by less than five events. */
enum { LEAST_EVENTS = 350, BLOCK_SLACK = 5 * sizeof(ic_event) };
#define EVENTS_PER_SECOND 70

/* Bytes used by a run of which only the end is kept; `whole`: everything is kept. */
static size_t bytes_of_run(const ic_solver *solver, const ic_problem *problem, double t_end, bool whole)
{
    const ic_log_scope end_only = {.samples = 2, .first_sample = 1};
    ic_problem run = *problem;
    run.t_end = t_end;
    run.t_end_text = NULL;
    ic_allocations_begin(IC_NO_FAILURE);
    ic_log *log = ic_log_new(&run);
    CU_ASSERT_PTR_NOT_NULL_FATAL(log);
    CU_ASSERT(whole || ic_log_narrow(log, &end_only) == IC_OK);
    CU_ASSERT_EQUAL(solver->solve(log, &run, &(ic_options){.samples = 2, .rtol = 1e-6}), IC_OK);
    CU_ASSERT((double)ic_log_event_count(log) > EVENTS_PER_SECOND * t_end);
    ic_log_free(log);
    return ic_allocations_end().peak;
}

/* The memory of a run depends on its problem, not on its length. */
static void test_memory_of_long_runs(void)
{
    ic_setup setup;
    CU_ASSERT_FATAL(ic_setup_open(&setup, &(ic_request){.path = "roller/III/C"}, NULL));
    CU_ASSERT(ic_tests_serving(&setup.problem) >= OWN);
    for (size_t s = 0; s < ic_solver_count; s++) {
        if (!ic_solver_serves(ic_solvers[s], &setup.problem)) continue;
        const size_t some = bytes_of_run(ic_solvers[s], &setup.problem, 0.5, false);
        CU_ASSERT(some > 0);
        CU_ASSERT(bytes_of_run(ic_solvers[s], &setup.problem, 5, false) < some + BLOCK_SLACK);
        /* planted: events are kept */
        CU_ASSERT(bytes_of_run(ic_solvers[s], &setup.problem, 5, true) >
                  some + LEAST_EVENTS * sizeof(ic_event));
    }
    ic_setup_close(&setup);
}

/* An order is claimed in the step or the tolerance: by every solver whose step is set, and by none
   that uses neither. */
static void test_claimed_orders(void)
{
    for (size_t s = 0; s < ic_solver_count; s++) {
        const ic_solver *solver = ic_solvers[s];
        if (solver->control == IC_CONTROL_NONE) CU_ASSERT_EQUAL(solver->order, 0);
        if (solver->control == IC_CONTROL_STEP) CU_ASSERT(solver->order > 0);
    }
}

void ic_tests_solvers(void)
{
    CU_pSuite suite = CU_add_suite("solvers", NULL, NULL);
    CU_ADD_TEST(suite, test_sign_changes);
    CU_ADD_TEST(suite, test_dips);
    CU_ADD_TEST(suite, test_many_sign_changes);
    CU_ADD_TEST(suite, test_other_parameters);
    CU_ADD_TEST(suite, test_samples_and_extremes);
    CU_ADD_TEST(suite, test_limits);
    CU_ADD_TEST(suite, test_flat_zeros);
    CU_ADD_TEST(suite, test_no_memory);
    CU_ADD_TEST(suite, test_memory_of_long_runs);
    CU_ADD_TEST(suite, test_claimed_orders);
}
