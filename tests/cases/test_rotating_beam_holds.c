/* SPDX-License-Identifier: MIT */
/** Requirements on the rotating beam beside those that `verify` judges: the strain, and short steps. */
#include "core/model.h"
#include "registry/registry.h"
#include "tests/machine.h"
#include "validation/studies/beam_runs.h"
#include "validation/subjects.h"
#include "validation/truth.h"

IC_SUITE(solvers, "what must hold for the rotating beam")

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
    IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = "rotating-beam/main"});
    const ic_problem *problem = &setup.problem;
    const double l = ic_parameter_value(problem, "l"), half = 0.5 * ic_parameter_value(problem, "h");
    const double xi = ic_parameter_value(problem, "x_strain") / l, d = DIFFERENCE;
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
}

/* ---- fixed steps */

/* Error of the last event's time, fixed steps of 1/parts of the default. */
static double stepping_error(const ic_problem *problem, const ic_truth *truth, double parts)
{
    ic_status status;
    const ic_options options = {.step = ic_default_step(problem) / parts};
    IC_OWN(ic_log) *log = ic_solve(ic_solver_find("rk4_henon"), problem, &options, &status);
    CU_ASSERT_PTR_NOT_NULL_FATAL(log);
    CU_ASSERT_EQUAL(status, IC_OK);
    CU_ASSERT_EQUAL_FATAL(ic_log_event_count(log), truth->count);
    const double t = ic_log_event_at(log, truth->count - 1).t;
    return fabs(t - truth->events[truth->count - 1].t);
}

/* Steps that resolve the transition zone, 2.2 microseconds, show the order 4 that the default step
   does not reach. */
IC_TEST(test_stepping_order)
{
    IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = "rotating-beam/main", .until = "0.0809"});
    IC_OWN(ic_truth) truth = ic_tests_truth(&setup.problem, 16);
    CU_ASSERT_FATAL(truth.count > 1);
    const double order =
        log2(stepping_error(&setup.problem, &truth, 8) / stepping_error(&setup.problem, &truth, 16));
    CU_ASSERT(order > 3.3 && order < 4.5);
}
