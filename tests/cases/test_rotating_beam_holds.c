/* SPDX-License-Identifier: MIT */
/**
 * Requirements on the rotating beam: an elastic contact conserves energy with the full equations
 * and not with those printed; events and their times do not depend on the tolerance.
 */
#include "core/model.h"
#include "registry/registry.h"
#include "tests/machine.h"
#include "tests/tests.h"
#include "validation/checks/check_enclosures.h"
#include "validation/studies/beam_runs.h"
#include "validation/subjects.h"
#include "validation/truth.h"

IC_SUITE(solvers, "what must hold for the rotating beam")

/* ---- energy */

#define ENERGY_RTOL 1e-11
/* A hundred tolerances: some thousand steps, whose errors partly add up. */
#define KEPT 1e-9
/* As printed, Eq. (16) lacks terms of some 1e-3 of the energy. */
#define NOT_KEPT 1e-4
/* Sample interval of 25 us: several in each contact. */
enum { SAMPLES = 4001 };

/* Greatest relative deviation of the energy from that at the end of the torque, and the number of
   samples in contact. */
static double energy_drift(const char *path, size_t *in_contact)
{
    ic_beam_run run;
    ic_error error = {""};
    double start = NAN, worst = 0;
    const ic_options options = {.rtol = ENERGY_RTOL, .samples = SAMPLES};
    CU_ASSERT_FATAL(ic_beam_open(&run, &options, &error, "%s", path));
    const ic_problem *problem = &run.setup.problem;
    const double pulse = ic_beam_parameter(problem, "pulse");
    *in_contact = 0;
    for (size_t i = 0; i < ic_log_event_count(run.log); i++) {
        const ic_event event = ic_log_event_at(run.log, i);
        const double energy = ic_beam_output(problem, "energy", event.t, event.x_post, event.mode_to);
        if (event.kind == IC_EVENT_TIME) start = energy;
        worst = fmax(worst, fabs(energy / start - 1));
    }
    CU_ASSERT(start > 0);
    for (size_t i = 0; i < SAMPLES; i++) {
        const ic_sample at = ic_log_sample_at(run.log, i);
        if (at.t <= pulse) continue;
        worst = fmax(worst, fabs(ic_beam_output(problem, "energy", at.t, at.x, at.mode) / start - 1));
        *in_contact += ic_beam_output(problem, "contact_force", at.t, at.x, at.mode) > 0;
    }
    ic_beam_close(&run);
    return worst;
}

IC_TEST(test_energy)
{
    static const char *const kept[] = {"rotating-beam/main[variant=hertz]", "rotating-beam/N7[variant=hertz]",
                                       "rotating-beam/heavy-shaft[variant=hertz]",
                                       "rotating-beam/main[variant=hertz, a=0.05, g=9.81, theta_s=0.25]"};
    size_t in_contact = 0;
    for (size_t i = 0; i < IC_COUNT(kept); i++) {
        const double energy = energy_drift(kept[i], &in_contact);
        CU_ASSERT(energy < KEPT && energy > 0);
        CU_ASSERT(in_contact > 0);
    }
    /* planted */
    CU_ASSERT(energy_drift("rotating-beam/main[variant=hertz, consistent=0]", &in_contact) > NOT_KEPT);
    /* a contact with damping */
    CU_ASSERT(energy_drift("rotating-beam/main[until=0.085]", &in_contact) > NOT_KEPT);
}

/* ---- strain */

/* the r-th root of cosh z cos z = -1, by bisection */
static double wave_number(size_t r)
{
    double low = 3.141592653589793 * (double)r, high = low + 3.141592653589793;
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high), value = cos(middle) + 1 / cosh(middle);
        if ((value > 0) == (r % 2 == 0)) low = middle;
        else high = middle;
    }
    return low;
}

/* Mode of a clamped beam, 2 at the tip. */
static double mode_shape(double lambda, double xi)
{
    const double z = lambda * xi, s = (cosh(lambda) + cos(lambda)) / (sinh(lambda) + sin(lambda));
    return cosh(z) - cos(z) - s * (sinh(z) - sin(z));
}

/* Second differences over 2 d = 2e-3 of the length deviate by (lambda d)^2/12 of the curvature,
   which is 8e-6 for the third mode. */
#define DIFFERENCE 1e-3
#define STRAIN_TOLERANCE 1e-5

/* Half the thickness times the curvature of the shape, mode by mode, from the deflection alone. */
IC_TEST(test_strain)
{
    ic_setup setup = ic_tests_setup(&(ic_request){.path = "rotating-beam/main"});
    const ic_problem *problem = &setup.problem;
    const double l = ic_beam_parameter(problem, "l"), half = 0.5 * ic_beam_parameter(problem, "h");
    const double xi = ic_beam_parameter(problem, "x_strain") / l, d = DIFFERENCE;
    for (size_t r = 0; r < 3; r++) {
        double x[64] = {0};
        char name[8];
        snprintf(name, sizeof name, "q%zu", r + 1);
        const size_t i = ic_state_find(problem->system, name);
        CU_ASSERT_FATAL(i < problem->system->n_states && problem->system->n_states <= IC_COUNT(x));
        x[i] = 1e-3;
        const double lambda = wave_number(r);
        const double curved =
            mode_shape(lambda, xi + d) - 2 * mode_shape(lambda, xi) + mode_shape(lambda, xi - d);
        const double strain = half * curved / (d * d * l * l) * x[i];
        const double computed = ic_beam_output(problem, "strain", 0, x, 0);
        CU_ASSERT(fabs(strain) > 1e-6);
        CU_ASSERT(fabs(computed - strain) <= STRAIN_TOLERANCE * fabs(strain));
        /* planted */
        CU_ASSERT_FALSE(fabs(1.2 * computed - strain) <= STRAIN_TOLERANCE * fabs(strain));
    }
    ic_setup_close(&setup);
}

/* ---- the list of events */

/* s. At 1e-9 a group of contacts leaves errors of some 1e-8 of speeds of metres per second. Over
   the tenth of a second until the next group (C2-500) these become nanometres, which the beam
   passes at metres per second; before it, times agree to 1e-10 s. */
#define SAME_TIME 1e-8
/* Least difference that must be detected. */
#define PLANTED_SHIFT 1e-7

IC_TEST(test_events)
{
    const ic_case *beam = ic_case_find("rotating-beam");
    const ic_solver *dop853 = ic_solver_find("dop853");
    for (size_t p = 0; p < beam->n_presets; p++) {
        char path[128];
        ic_status status[2] = {IC_OK, IC_OK};
        snprintf(path, sizeof path, "rotating-beam/%s", beam->presets[p].name);
        ic_setup setup = ic_tests_setup(&(ic_request){.path = path});
        ic_log *loose = ic_solve(dop853, &setup.problem, &(ic_options){.rtol = 1e-9}, &status[0]);
        ic_log *tight = ic_solve(dop853, &setup.problem, &(ic_options){.rtol = 1e-12}, &status[1]);
        CU_ASSERT(status[0] == IC_OK && status[1] == IC_OK);
        CU_ASSERT(ic_log_event_count(tight) >= 4);
        const double apart = ic_tests_event_distance(loose, tight, 0);
        CU_ASSERT(apart <= SAME_TIME);
        CU_ASSERT_FALSE(apart + PLANTED_SHIFT <= SAME_TIME);
        /* planted: one event is missing */
        CU_ASSERT_FALSE(ic_tests_event_distance(loose, tight, 1) <= SAME_TIME);
        ic_log_free(loose);
        ic_log_free(tight);
        ic_setup_close(&setup);
    }
}

/* ---- stored answers, and a certified event */

/* A solver whose beam is heavier by one part in a million. */
static ic_status solve_heavier_beam(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    enum { RHO = 2 };
    return ic_tests_solve_changed(log, problem, options, "dop853", RHO, 1 + 1e-6);
}

IC_TEST(test_check)
{
    static const char *const paths[] = {"rotating-beam/main", "rotating-beam/first-model",
                                        "rotating-beam/momentum-balance"};
    const ic_solver wrong = {IC_ABI(ic_solver), .name = "wrong", .control = IC_CONTROL_RTOL,
                             .solve = solve_heavier_beam};
    const ic_solver *solvers[] = {ic_solver_find("dop853"), ic_solver_find("rk45_bisection"), &wrong};
    for (size_t p = 0; p < IC_COUNT(paths); p++) {
        char error[256];
        ic_truth truth;
        ic_results results = {0};
        ic_setup setup = ic_tests_setup(&(ic_request){.path = paths[p]});
        CU_ASSERT_FATAL(ic_truth_stored(&truth, setup.problem.system, setup.preset, error, sizeof error));
        for (size_t s = 0; s < IC_COUNT(solvers); s++)
            ic_enclosures_judge(&results, &setup.problem, &truth, paths[p], solvers[s]);
        CU_ASSERT_EQUAL(results.count, 2 * IC_COUNT(solvers)); /* times and end of each */
        for (size_t i = 0; i < results.count; i++) {
            /* planted: the heavier beam */
            const bool is_wrong = strcmp(results.rows[i].solver, wrong.name) == 0;
            CU_ASSERT_EQUAL(results.rows[i].verdict, is_wrong ? IC_FAIL : IC_PASS);
        }
        ic_results_free(&results);
        ic_truth_clear(&truth);
        ic_setup_close(&setup);
    }
}

/* Error of the last event's time, fixed steps of 1/parts of the default. */
static double stepping_error(const ic_problem *problem, const ic_truth *truth, double parts)
{
    ic_status status;
    const ic_options options = {.step = ic_default_step(problem) / parts};
    ic_log *log = ic_solve(ic_solver_find("rk4_henon"), problem, &options, &status);
    CU_ASSERT_PTR_NOT_NULL_FATAL(log);
    CU_ASSERT_EQUAL(status, IC_OK);
    CU_ASSERT_EQUAL_FATAL(ic_log_event_count(log), truth->count);
    const double t = ic_log_event_at(log, truth->count - 1).t;
    ic_log_free(log);
    return fabs(t - truth->events[truth->count - 1].t);
}

/* Steps that resolve the transition zone, 2.2 microseconds, show the order 4 that the default step
   does not reach. */
IC_TEST(test_stepping_order)
{
    ic_truth truth;
    ic_setup setup = ic_tests_setup(&(ic_request){.path = "rotating-beam/main", .until = "0.0809"});
    ic_truth_certify(&truth, &setup.problem, 16);
    CU_ASSERT_FATAL(truth.status == IC_OK && truth.count > 1);
    const double order =
        log2(stepping_error(&setup.problem, &truth, 8) / stepping_error(&setup.problem, &truth, 16));
    CU_ASSERT(order > 3.3 && order < 4.5);
    ic_truth_clear(&truth);
    ic_setup_close(&setup);
}
