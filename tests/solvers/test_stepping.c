/* SPDX-License-Identifier: MIT */
/**
 * Time stepping with impulses: the view of machines as stops and friction, the solvers moreau_jean
 * and schatzman_paoli on every example with stops or friction, several contacts at once, bodies at
 * rest, and what the solvers refuse.
 */
#include "casefile/casefile.h"
#include "registry/registry.h"
#include "solvers/rigid/stepping.h"
#include "tests/allocations.h"
#include "tests/machine.h"
#include "validation/checks/judges.h"
#include "validation/subjects.h"

IC_SUITE(solvers, "time stepping")

#define MACHINES IC_TEST_SOURCE_DIR "/examples/machines/"

/* Some four roundings of numbers below 2. */
#define ROUNDING 1e-15
/* Impulses are exact but for some thousand roundings of the complementarity problem. */
#define IMPULSES 1e-12
/* Bodies at rest: the rounding of impulses adds up over a thousand steps. */
#define LANDS 1e-10

static const char *const solvers[] = {"moreau_jean", "schatzman_paoli"};

/* ---- problems from texts */

/* ---- the view */

IC_TEST(test_view)
{
    IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = MACHINES "moving-wall.yaml"});
    const ic_stops_view *view = setup.problem.variant->stops;
    CU_ASSERT_FATAL(view != NULL && view->n_stops == 2 && view->n_frictions == 0 && view->n_rates == 2);
    // cppcheck-suppress nullPointerRedundantCheck ; a fatal assertion ends the test
    CU_ASSERT(view->rates[0] == 1 && view->rates[1] == -1);
    CU_ASSERT(strcmp(view->stops[0].name, "floor") == 0 && strcmp(view->stops[1].name, "ceiling") == 0);
    const double *par = setup.problem.par, x[] = {0.3, 2}, t = 0.01, pi_free[] = {2, -9.81};
    double vector[2];
    view->flow(vector, t, x, par);
    CU_ASSERT(vector[0] == pi_free[0] && vector[1] == pi_free[1]);
    /* the ceiling is at H + a sin(omega t) */
    const ic_stop *ceiling = &view->stops[1];
    CU_ASSERT_DOUBLE_EQUAL(ceiling->gap(t, x, par), 0.5 + 0.02 * sin(0.2) - 0.3, ROUNDING);
    CU_ASSERT_DOUBLE_EQUAL(ceiling->velocity(t, x, par), 0.4 * cos(0.2) - 2, ROUNDING);
    ceiling->gradient(vector, t, x, par);
    CU_ASSERT(vector[0] == 0 && vector[1] == -1);
    ceiling->push(vector, t, x, par);
    CU_ASSERT(vector[0] == 0 && vector[1] == -1);
    CU_ASSERT(ceiling->restitution(t, x, par) == 0.9);
}

/* Which machines have the view, and which do not. */
IC_TEST(test_which)
{
    static const struct {
        const char *path;
        size_t stops, frictions;
    } rows[] = {{"bouncing-ball", 1, 0},
                {MACHINES "stops.yaml", 2, 0},
                {MACHINES "cradle.yaml", 4, 0},
                {MACHINES "double-pendulum.yaml", 1, 0},
                {MACHINES "duffing-stop.yaml", 1, 0},
                {MACHINES "stick-slip.yaml", 0, 1},
                {MACHINES "heater.yaml", 0, 0},
                {MACHINES "compliant-ball.yaml", 0, 0},
                {"two-mass", 1, 0},
                {"roller", 0, 0}};
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = rows[i].path});
        const ic_stops_view *view = setup.problem.variant->stops;
        const bool has =
            view != NULL && view->n_stops == rows[i].stops && view->n_frictions == rows[i].frictions;
        IC_EXPECT(rows[i].stops + rows[i].frictions == 0 ? view == NULL : has, "%s: another view",
                  rows[i].path);
        for (size_t s = 0; s < IC_COUNT(solvers) && view == NULL; s++) {
            ic_error error = {""};
            ic_status status = IC_OK;
            const ic_solver *solver = ic_solver_find(solvers[s]);
            CU_ASSERT(!ic_setup_for_solver(&setup, solver, &error) && strstr(error.text, "stops") != NULL);
            ic_log_free(ic_solve(solver, &setup.problem, &(ic_options){0}, &status));
            CU_ASSERT_EQUAL(status, IC_UNSUPPORTED);
        }
    }
}

/* ---- answers */

/* The error of the final state against dop853, relative to the states' scales. */
static double final_error(const ic_problem *problem, const char *solver, double step)
{
    double scale[IC_MAX_STATES], worst = 0;
    IC_OWN(ic_log) *truth = ic_tests_solve("dop853", problem, &(ic_options){.rtol = 1e-11});
    IC_OWN(ic_log) *log = ic_tests_solve(solver, problem, &(ic_options){.step = step});
    ic_state_scales(problem, scale);
    const ic_sample end = ic_log_end(log), right = ic_log_end(truth);
    for (size_t i = 0; i < problem->system->n_states; i++)
        worst = fmax(worst, fabs(end.x[i] - right.x[i]) / scale[i]);
    CU_ASSERT_EQUAL(end.mode, right.mode);
    return worst;
}

/*
 * An error of first order: each of up to seven impacts is noticed some step late and changes
 * velocities by two scales.
 */
#define FIRST_ORDER 40.0

IC_TEST(test_examples)
{
    static const struct {
        const char *path, *until;
    } rows[] = {{"bouncing-ball/drop", "2"},
                {"bouncing-ball/lively", "2.2"},
                {MACHINES "stops.yaml", "1"},
                {MACHINES "cradle.yaml", "0.5"},
                {MACHINES "double-pendulum.yaml", "3"},
                {MACHINES "moving-wall.yaml", "0.75"},
                {MACHINES "duffing-stop.yaml", "8"},
                {MACHINES "stick-slip.yaml", "5"}};
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = rows[i].path, .until = rows[i].until});
        const double time = ic_time_scale(&setup.problem), fine = 1.0 / 4000, coarse = 1.0 / 40;
        for (size_t s = 0; s < IC_COUNT(solvers); s++) {
            const double error = final_error(&setup.problem, solvers[s], fine * time);
            IC_EXPECT(error <= FIRST_ORDER * fine, "%s, %s: error of %g steps", rows[i].path, solvers[s],
                      error / fine);
            /* planted: a step a hundred times as long, except where the end is rest or sticking */
            if (strstr(rows[i].path, "lively") != NULL)
                CU_ASSERT(final_error(&setup.problem, solvers[s], coarse * time) > FIRST_ORDER * fine);
        }
    }
}

/* Balls that touch: all contacts are solved together, as Newton's simultaneous impact. */
IC_TEST(test_touching)
{
    static const char text[] =
        "title: three balls that touch\n"
        "parameters: {m: 1 kg, e: 1, d: 1 m}\n"
        "states: {x1: {unit: m, scale: d}, v1: {unit: m/s, start: 1 m/s, scale: 1 m/s},\n"
        "  x2: {unit: m, start: 1.5*d, scale: d}, v2: {unit: m/s, scale: 1 m/s},\n"
        "  x3: {unit: m, start: 2.5*d, scale: d}, v3: {unit: m/s, scale: 1 m/s}}\n"
        "time_scale: 1 s\n"
        "flow: {x1: v1, x2: v2, x3: v3, v1: 0 m/s^2, v2: 0 m/s^2, v3: 0 m/s^2}\n"
        "elements:\n"
        "  a: {stop: {gap: x2 - x1 - d, restitution: e, pushes: {v1: -1/m, v2: 1/m}}}\n"
        "  b: {stop: {gap: x3 - x2 - d, restitution: e, pushes: {v2: -1/m, v3: 1/m}}}\n"
        "presets: {default: {until: 1 s}}\n";
    IC_OWN(ic_machine) m = ic_tests_open(text, NULL);
    IC_OWN(ic_log) *log = ic_tests_solve("moreau_jean", &m.setup.problem, &(ic_options){0});
    const double *x = ic_log_end(log).x;
    CU_ASSERT_DOUBLE_EQUAL(x[1], -1.0 / 3, IMPULSES);
    CU_ASSERT_DOUBLE_EQUAL(x[3], 2.0 / 3, IMPULSES);
    CU_ASSERT_DOUBLE_EQUAL(x[5], 2.0 / 3, IMPULSES);
}

/*
 * A heavy body on light ones at rest: Gauss-Seidel would need some 1e4 sweeps for the forces, and
 * Lemke's method finds them. A belt below drags the lowest, so that friction is in the same
 * problem.
 */
IC_TEST(test_pile)
{
    static const char text[] =
        "title: a pile on a belt\n"
        "parameters: {m: 1 kg, M: 1000 kg, g: 9.81 m/s^2, N: 100 N, mu: 0.5, d: 1 m}\n"
        "states: {y1: {unit: m, scale: d}, w1: {unit: m/s, scale: 1 m/s},\n"
        "  y2: {unit: m, scale: d}, w2: {unit: m/s, scale: 1 m/s},\n"
        "  y3: {unit: m, scale: d}, w3: {unit: m/s, scale: 1 m/s}, v: {unit: m/s, scale: 1 m/s}}\n"
        "time_scale: 1 s\n"
        "flow: {y1: w1, y2: w2, y3: w3, w1: -g, w2: -g, w3: -g, v: 0 m/s^2}\n"
        "elements:\n"
        "  a: {stop: {gap: y1, pushes: {w1: 1/m}}}\n"
        "  b: {stop: {gap: y2 - y1, pushes: {w1: -1/m, w2: 1/m}}}\n"
        "  c: {stop: {gap: y3 - y2, pushes: {w2: -1/m, w3: 1/M}}}\n"
        "  belt: {friction: {slip: v - (1 m/s), normal: N, kinetic: mu, pushes: {v: 1/m}}}\n"
        "presets: {default: {until: 0.1 s}}\n";
    IC_OWN(ic_machine) m = ic_tests_open(text, NULL);
    for (size_t s = 0; s < IC_COUNT(solvers); s++) {
        IC_OWN(ic_log) *log = ic_tests_solve(solvers[s], &m.setup.problem, &(ic_options){0});
        const double *x = ic_log_end(log).x;
        /* A contact whose gap is positive by rounding is let go for a step, which costs g h^2. */
        for (int i = 0; i < 6; i++) CU_ASSERT_DOUBLE_EQUAL(x[i], 0, i % 2 == 0 ? 1e-4 : LANDS);
        /* friction of 50 N drags 1 kg to the speed of the belt in 0.02 s, where it sticks */
        CU_ASSERT_DOUBLE_EQUAL(x[6], 1, LANDS);
    }
}

/* ---- what is refused */

IC_TEST(test_faults)
{
    static const char start[] =
        "title: t\nstates: {x: {unit: m, start: 1 m}, v: m/s}\n"
        "modes:\n  fly: {flow: {x: v, v: -9.81 m/s^2}, until: {floor: {falls: x, then: {v: -v}}}}\n"
        "presets: {default: {until: 1 s}}\n";
    char text[1024];
    snprintf(text, sizeof text, "%sstops: {floor: {gap: x, restitution: 2}}\n", start);
    CU_ASSERT(ic_tests_refused(text, "6:38", "restitution"));
    snprintf(text, sizeof text, "%sstops: {floor: {gap: x, rest: sleep}}\n", start);
    CU_ASSERT(ic_tests_refused(text, "6:31", "expected the mode in which the bodies rest"));
    snprintf(text, sizeof text, "%sstops: {floor: {gap: x, bounce: 1}}\n", start);
    CU_ASSERT(ic_tests_refused(text, "6:25", "bounce"));
    snprintf(text, sizeof text, "%sstops: {floor: {gap: x, pushes: {v: -1}}}\n", start);
    CU_ASSERT(ic_tests_refused(text, "6:33", "closes the gap"));
    snprintf(text, sizeof text, "%selements: {wall: {stop: {gap: (2 m) - x}}}\nstops: {floor: {gap: x}}\n",
             start);
    CU_ASSERT(ic_tests_refused(text, "7:8", "remove one of both"));
    snprintf(text, sizeof text, "%stimes: {kick: {at: 0.5 s, then: {v: 1 m/s}}}\nstops: {floor: {gap: x}}\n",
             start);
    CU_ASSERT(ic_tests_refused(text, "7:8", "time events"));
}

IC_TEST(test_observers)
{
    ic_status status = IC_OK;
    IC_OWN(ic_event_set) *set = ic_event_set_new();
    IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = "bouncing-ball"});
    CU_ASSERT_EQUAL_FATAL(ic_start_timer(set, &(ic_timed){.name = "tick"}, 0.1, 0, NULL), IC_OK);
    ic_log_free(ic_solve(ic_solver_find("moreau_jean"), &setup.problem, &(ic_options){.events = set}, &status));
    CU_ASSERT_EQUAL(status, IC_UNSUPPORTED);
    ic_log_free(
        ic_solve(ic_solver_find("moreau_jean"), &setup.problem, &(ic_options){.max_steps = 5}, &status));
    CU_ASSERT_EQUAL(status, IC_TOO_MUCH_WORK);
}

IC_TEST(test_memory)
{
    IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = "bouncing-ball", .until = "0.5"});
    for (size_t i = 0;; i++) {
        ic_status status = IC_OK;
        ic_allocations_begin(i);
        ic_log_free(
            ic_solve(ic_solver_find("moreau_jean"), &setup.problem, &(ic_options){.samples = 11}, &status));
        const ic_allocations used = ic_allocations_end();
        CU_ASSERT_EQUAL(used.left, 0);
        if (!used.failed) break;
        CU_ASSERT_EQUAL(status, IC_NO_MEMORY);
    }
}

/* An event for each impact, late by up to two steps; the state follows at the end of the run. */
IC_TEST(test_events)
{
    IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = "bouncing-ball/lively", .until = "1.9"});
    const double step = ic_time_scale(&setup.problem) / 1000, first = sqrt(2 / 9.81);
    for (size_t s = 0; s < IC_COUNT(solvers); s++) {
        ic_status status = IC_OK;
        IC_OWN(ic_log) *log =
            ic_solve(ic_solver_find(solvers[s]), &setup.problem, &(ic_options){.samples = 23}, &status);
        CU_ASSERT_EQUAL_FATAL(ic_log_event_count(log), 2);
        CU_ASSERT_EQUAL(ic_log_sample_count(log), 23);
        CU_ASSERT(fabs(ic_log_event_at(log, 0).t - first) <= 2 * step);
        CU_ASSERT(fabs(ic_log_event_at(log, 1).t - first * (1 + 2 * 0.9)) <= 4 * step);
        CU_ASSERT(fabs(ic_log_event_at(log, 0).t - first) > 1e-9); /* planted: located */
        CU_ASSERT(ic_log_sample_at(log, 22).x[0] == ic_log_end(log).x[0]);
    }
}

/* ---- the check of verify */

/* planted: another coefficient of restitution */
static ic_status solve_softly(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    return ic_tests_solve_changed(log, problem, options, "moreau_jean", ic_parameter_find(problem->system, "e"),
                                  0.9);
}

static ic_status solve_lively(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    return ic_tests_solve_changed(log, problem, options, "moreau_jean", ic_parameter_find(problem->system, "e"),
                                  1.2);
}

/* planted: the floor is missing */
static ic_status solve_without_stops(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    ic_stops_view view = *problem->variant->stops;
    ic_variant variant = *problem->variant;
    ic_problem wrong = *problem;
    view.n_stops = 0;
    view.combinations = NULL;
    variant.stops = &view;
    wrong.variant = &variant;
    return ic_solver_find("moreau_jean")->solve(log, &wrong, options);
}

IC_TEST(test_check)
{
    enum { ORDER, OVERLAP, ENERGY, ROWS };
    static const struct {
        ic_status (*solve)(ic_log *log, const ic_problem *problem, const ic_options *options);
        bool passes[ROWS];
    } rows[] = {{NULL, {true, true, true}},
                {solve_softly, {false, true, true}},
                {solve_lively, {false, true, false}},
                {solve_without_stops, {false, false, true}}};
    ic_stepping_window window = {0};
    IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = "bouncing-ball/lively"});
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        IC_OWN(ic_results) results = {0};
        ic_solver solver = *ic_solver_find("moreau_jean");
        if (rows[i].solve != NULL) solver.solve = rows[i].solve;
        ic_stepping_judge(&results, &setup.problem, &solver, &window, "bouncing-ball/lively");
        CU_ASSERT_EQUAL_FATAL(results.count, ROWS);
        for (int k = 0; k < ROWS; k++) {
            IC_EXPECT(results.rows[k].verdict == (rows[i].passes[k] ? IC_PASS : IC_FAIL), "planted %zu: %s: %s",
                      i, results.rows[k].what, results.rows[k].detail);
        }
    }
    ic_truth_clear(&window.truth);
}
