/* SPDX-License-Identifier: MIT */
/**
 * Every registered solver: parameters outside all presets against the certifier, samples and
 * extremes, malformed problems, failure of every allocation, and bounded memory in a long run of
 * which nothing is kept.
 */
#include "core/log_scope.h"
#include "core/model.h"
#include "registry/registry.h"
#include "tests/allocations.h"
#include "tests/machine.h"
#include "validation/subjects.h"
#include "validation/truth.h"

#include <float.h>

IC_SUITE(solvers, "solvers")

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

/*
 * Steps of 1/1000 of the time scale without care at a force like d^(1/4) are wrong by (1e-3)^(5/4)/10 = 2e-5;
 * halved towards it ten times, by 1e-3 of that.
 */
#define STEEP_TOLERANCE 5e-7

/* Pass on whether a solver gave what is expected; if not, print it with its name. */
static bool gives_status(const ic_solver *solver, ic_status found, ic_status expected)
{
    return found == expected || ic_tests_say("%s: found status '%s', expected '%s'", solver->name,
                                             ic_status_text(found), ic_status_text(expected));
}

static bool gives_count(const ic_solver *solver, const char *path, const ic_log *log, size_t expected)
{
    const size_t found = ic_log_event_count(log);
    return found == expected ||
           ic_tests_say("%s: %s: found %zu events, expected %zu", solver->name, path, found, expected);
}

static bool gives_number(const ic_solver *solver, const char *what, double found, double expected,
                         double tolerance)
{
    return fabs(found - expected) <= tolerance ||
           ic_tests_say("%s: %s: found %.15g, expected %.15g to within %g", solver->name, what, found, expected,
                        tolerance);
}

IC_TEST(test_other_parameters)
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
        const ic_request request = {rows[i].path, rows[i].settings, rows[i].n, rows[i].until, NULL};
        IC_OWN(ic_setup) setup = ic_tests_setup(&request);
        IC_OWN(ic_truth) truth = ic_tests_truth(&setup.problem, 16);
        const double typical = ic_time_scale(&setup.problem);
        IC_TESTS_EACH_SOLVER(solver, &setup.problem, OWN)
        {
            ic_status status = IC_OK;
            const ic_options options = {.rtol = ic_rtol_for(solver, 1e-11), .step = typical / 4000};
            IC_OWN(ic_log) *log = ic_solve(solver, &setup.problem, &options, &status);
            CU_ASSERT(gives_status(solver, status, IC_OK));
            CU_ASSERT(gives_count(solver, rows[i].path, log, truth.count));
            for (size_t k = 0; k < truth.count && k < ic_log_event_count(log); k++) {
                const ic_event event = ic_log_event_at(log, k);
                const double tolerance =
                    (solver->control == IC_CONTROL_NONE ? EXACT_TOLERANCE : TIME_TOLERANCE) *
                    fmax(typical, event.t);
                const double off = fabs(event.t - truth.events[k].t);
                IC_EXPECT(strcmp(event.name, truth.events[k].name) == 0 && off <= tolerance,
                          "%s: %s, event %zu: found '%s' at t = %.15g, expected '%s' at t = %.15g to within %g",
                          solver->name, rows[i].path, k, event.name, event.t, truth.events[k].name,
                          truth.events[k].t, tolerance);
                /* planted */
                CU_ASSERT_FALSE(fabs(event.t - truth.events[k].t - 1e-3 * typical) <= tolerance);
            }
        }
    }
}

/* Near its maximum of 1 m the height is indistinguishable from its neighbours: it changes by
   rounding alone within sqrt(2 DBL_EPSILON/g). */
#define HEIGHT_ROUNDING DBL_EPSILON
#define TOP_TIME 7e-9

/* Samples of the bouncing ball against x = 1 - g t^2/2 before the first impact; the greatest height
   is that of the start. */
IC_TEST(test_samples_and_extremes)
{
    ic_setup setup = ic_tests_setup(&(ic_request){.path = "bouncing-ball/lively", .until = "1"});
    IC_TESTS_EACH_SOLVER(solver, &setup.problem, OWN)
    {
        ic_status status = IC_OK;
        const ic_options options = {.rtol = ic_rtol_for(solver, 1e-9), .samples = 101, .extremes = true};
        IC_OWN(ic_log) *log = ic_solve(solver, &setup.problem, &options, &status);
        CU_ASSERT(gives_status(solver, status, IC_OK));
        IC_EXPECT_FATAL(ic_log_sample_count(log) == 101, "%s: found %zu samples, expected 101", solver->name,
                        ic_log_sample_count(log));
        for (size_t i = 0; i <= 45; i++) {
            const ic_sample sample = ic_log_sample_at(log, i);
            CU_ASSERT(gives_number(solver, "time of a sample", sample.t, 0.01 * (double)i, 1e-14));
            CU_ASSERT(
                gives_number(solver, "height of a sample", sample.x[0], 1 - 4.905 * sample.t * sample.t, 1e-8));
            /* planted */
            CU_ASSERT_FALSE(fabs(sample.x[0] - (1.001 - 4.905 * sample.t * sample.t)) < 1e-8);
        }
        const ic_extreme height = ic_log_extreme(log, 0);
        CU_ASSERT(gives_number(solver, "time of the last sample", ic_log_sample_at(log, 100).t, 1, 0));
        CU_ASSERT(gives_number(solver, "greatest height", height.max, 1, HEIGHT_ROUNDING));
        CU_ASSERT(gives_number(solver, "its time", height.t_max, 0, TOP_TIME));
        CU_ASSERT(gives_number(solver, "least height", height.min, 0, 1e-8));
    }
    ic_setup_close(&setup);
    /* thrown up: the apex, v0^2/2g, lies inside the flight */
    static const char *const up[] = {"h=0", "v0=9.81"};
    setup = ic_tests_setup(&(ic_request){"bouncing-ball/elastic", up, 2, "1.7", NULL});
    IC_TESTS_EACH_SOLVER(solver, &setup.problem, OWN)
    {
        ic_status status = IC_OK;
        const ic_options options = {.rtol = ic_rtol_for(solver, 1e-9), .extremes = true};
        IC_OWN(ic_log) *log = ic_solve(solver, &setup.problem, &options, &status);
        CU_ASSERT(gives_number(solver, "height of the apex", ic_log_extreme(log, 0).max, 4.905, 1e-9));
        CU_ASSERT(gives_number(solver, "time of the apex", ic_log_extreme(log, 0).t_max, 1, 1e-4));
    }
    ic_setup_close(&setup);
}

/* Too many steps, and a step below the resolution of time, stop with a named status. */
IC_TEST(test_limits)
{
    IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = "roller/II/C"});
    IC_TESTS_EACH_SOLVER(solver, &setup.problem, OWN)
    {
        ic_status status = IC_OK;
        IC_OWN(ic_log) *log = ic_solve(solver, &setup.problem, &(ic_options){.max_steps = 10}, &status);
        CU_ASSERT(gives_status(solver, status, IC_TOO_MUCH_WORK));
        IC_EXPECT(ic_log_end(log).t < setup.problem.t_end, "%s: ended at t = %.15g, expected before %.15g",
                  solver->name, ic_log_end(log).t, setup.problem.t_end);
        IC_EXPECT(strlen(ic_log_text(log)) > 0, "%s: found no message, expected one", solver->name);
    }
}

/* Guards that are identically zero (equal oscillators that start together), and a departure by a
   triple zero just before a point of the grid: nothing hangs, nothing is found twice. */
IC_TEST(test_flat_zeros)
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
        const ic_request request = {rows[i].path, rows[i].settings, rows[i].n, rows[i].until, NULL};
        IC_OWN(ic_setup) setup = ic_tests_setup(&request);
        IC_TESTS_EACH_SOLVER(solver, &setup.problem, OWN)
        {
            ic_status status = IC_OK;
            IC_OWN(ic_log) *log = ic_solve(solver, &setup.problem, &(ic_options){.max_steps = 1e6}, &status);
            CU_ASSERT(gives_status(solver, status, IC_OK));
            CU_ASSERT(gives_count(solver, rows[i].path, log, rows[i].events));
            CU_ASSERT_NOT_EQUAL(ic_log_event_count(log), rows[i].events + 1); /* planted */
        }
    }
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
        IC_EXPECT(isnan(now) || now == events,
                  "%s: %s without allocation %zu: found %g events, expected %g or an error", solver->name,
                  request->path, i, now, events);
        said += isnan(now) ? 1 : 0;
    }
    /* some failure was noticed at all */
    IC_EXPECT(said > 0, "%s: %s: no failing allocation was noticed", solver->name, request->path);
    CU_ASSERT(events_of_run(solver, request, whole.calls, &broken) == events && !broken.failed);
}

IC_TEST(test_no_memory)
{
    static const ic_request rows[] = {{.path = "roller/III/C", .until = "0.1"},
                                      {.path = "two-mass/forced", .until = "10"},
                                      {.path = "roller/II/C", .until = "0.1", .variant = "hunt-crossley"},
                                      {.path = "planar-bar/kappa-100"}};
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        IC_OWN(ic_setup) setup = ic_tests_setup(&rows[i]);
        IC_TESTS_EACH_SOLVER(solver, &setup.problem, 1) expect_robust_run(solver, &rows[i]);
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
IC_TEST(test_memory_of_long_runs)
{
    IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = "roller/III/C"});
    IC_TESTS_EACH_SOLVER(solver, &setup.problem, OWN)
    {
        const size_t some = bytes_of_run(solver, &setup.problem, 0.5, false);
        const size_t more = bytes_of_run(solver, &setup.problem, 5, false);
        CU_ASSERT(some > 0);
        IC_EXPECT(more < some + BLOCK_SLACK,
                  "%s: found %zu bytes in 5 s, expected less than %zu, for %zu in 0.5 s", solver->name, more,
                  some + BLOCK_SLACK, some);
        /* planted: events are kept */
        CU_ASSERT(bytes_of_run(solver, &setup.problem, 5, true) > some + LEAST_EVENTS * sizeof(ic_event));
    }
}

/*
 * Contacts whose force begins and ends like the fourth root of the overlap, and with a guard that does so:
 * the restitution is the prescribed one.
 */
IC_TEST(test_steep_contacts)
{
    static const struct {
        const char *path, *setting;
        double ratio;
    } rows[] = {{"dem/test-3", "e=0.6", 0.6}, {"dem/test-3", "e=0.2", 0.2}, {"dem/damped-stick", "e=0.5", 0.5}};
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){rows[i].path, &rows[i].setting, 1, NULL, NULL});
        IC_TESTS_EACH_SOLVER(solver, &setup.problem, OWN - 1) /* not piecewise_linear */
        {
            ic_status status = IC_OK;
            IC_OWN(ic_log) *log =
                ic_solve(solver, &setup.problem, &(ic_options){.rtol = ic_rtol_for(solver, 1e-10)}, &status);
            CU_ASSERT(gives_status(solver, status, IC_OK));
            const double v = ic_log_end(log).x[1] / ic_log_event_at(log, 0).x_pre[1];
            IC_EXPECT(fabs(v + rows[i].ratio) <= STEEP_TOLERANCE,
                      "%s: %s: found a restitution of %.10g, expected %g", solver->name, rows[i].path, -v,
                      rows[i].ratio);
            CU_ASSERT_FALSE(fabs(v + rows[i].ratio + 1e-5) <= STEEP_TOLERANCE); /* planted */
        }
    }
}

/* An order is claimed in the step or the tolerance: by every solver whose step is set, and by none
   that uses neither. */
IC_TEST(test_claimed_orders)
{
    for (size_t s = 0; s < ic_solver_count; s++) {
        const ic_solver *solver = ic_solvers[s];
        if (solver->control == IC_CONTROL_NONE)
            IC_EXPECT(solver->order == 0, "%s: found order %d, expected 0", solver->name, solver->order);
        if (solver->control == IC_CONTROL_STEP)
            IC_EXPECT(solver->order > 0, "%s: found order %d, expected a positive one", solver->name,
                      solver->order);
    }
}
