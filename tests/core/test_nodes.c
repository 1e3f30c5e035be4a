/* SPDX-License-Identifier: MIT */
/**
 * Runge-Kutta methods on systems that depend on time: stages are evaluated at their nodes, and
 * polynomials up to the order are exact. Neither shows where the field depends on the state alone.
 */
#include "core/model.h"
#include "tests/machine.h"

#include <float.h>

IC_SUITE(light, "nodes")

/* One state for each rooted tree of up to five vertices: x' = f(t, x), where f is the product of
   the subtrees at the root. From 0 each state is t^order/density, and is exact under the order
   condition of its tree, for any step. */
static const struct {
    int order;
    double density;
} trees[] = {{1, 1},  {2, 2},  {3, 3},  {3, 6},  {4, 4},  {4, 12}, {4, 8},  {4, 24}, {5, 5},
             {5, 10}, {5, 20}, {5, 15}, {5, 30}, {5, 20}, {5, 60}, {5, 40}, {5, 120}};

#define STATE                                                                                                  \
    {                                                                                                          \
        "x", "1", "", "1"                                                                                      \
    }
static const ic_state states[IC_COUNT(trees)] = {STATE, STATE, STATE, STATE, STATE, STATE, STATE, STATE, STATE,
                                                 STATE, STATE, STATE, STATE, STATE, STATE, STATE, STATE};

/* Greatest difference between the first state (x' = 1) and the time at which the field was
   evaluated: the sum of a row minus its node. */
static double farthest;

static void trees_flow(double *dxdt, double t, const double *x, const double *par)
{
    (void)par;
    farthest = fmax(farthest, fabs(x[0] - t));
    const double f[IC_COUNT(trees)] = {1,        t,    t * t,         x[1],         t * t * t,   x[2],
                                       t * x[1], x[3], t * t * t * t, t * t * x[1], x[1] * x[1], t * x[2],
                                       t * x[3], x[4], x[5],          x[6],         x[7]};
    memcpy(dxdt, f, sizeof f);
}

static int start_at_zero(double *x, double t, const double *x_pre, const double *par)
{
    (void)t, (void)x_pre, (void)par;
    memset(x, 0, IC_COUNT(trees) * sizeof *x);
    return 0;
}

/* Eight steps of seven to twelve stages, with coefficients up to 43: roundings of numbers of size
   1. */
#define ROUNDING (8 * 12 * 43 * DBL_EPSILON)
#define STEP 0.125
enum { SAMPLES = 20 };

static double error_at(const ic_sample *at, int order)
{
    double most = 0;
    for (size_t i = 0; i < IC_COUNT(trees); i++) {
        if (trees[i].order <= order)
            most = fmax(most, fabs(at->x[i] - pow(at->t, trees[i].order) / trees[i].density));
    }
    return most;
}

/* Errors of trees up to an order: at the end, and of samples, which lie inside steps. */
static void run_trees(const char *solver, int at_end, int inside, double errors[2])
{
    const ic_branch start[] = {{.mode = 0}};
    const ic_mode mode = {.name = "trees", .meaning = "", .flow = trees_flow};
    const ic_variant variant = {.name = "trees",
                                .meaning = "",
                                .modes = &mode,
                                .n_modes = 1,
                                .start = {.apply = start_at_zero, .branches = start, .n_branches = 1}};
    const ic_case system = {
        IC_ABI(ic_case),      .name = "trees", .title = "",      .states = states, .n_states = IC_COUNT(trees),
        .variants = &variant, .n_variants = 1, .time_scale = "1"};
    const ic_problem problem = {.system = &system, .variant = &variant, .t_end = 1};
    farthest = 0;
    IC_OWN(ic_log) *log =
        ic_tests_solve(solver, &problem, &(ic_options){.rtol = 1e-6, .step = STEP, .samples = SAMPLES});
    CU_ASSERT_EQUAL(ic_log_sample_count(log), SAMPLES);
    const ic_sample end = ic_log_end(log);
    errors[0] = error_at(&end, at_end);
    errors[1] = 0;
    for (size_t i = 0; i < ic_log_sample_count(log); i++) {
        const ic_sample sample = ic_log_sample_at(log, i);
        errors[1] = fmax(errors[1], error_at(&sample, inside));
    }
}

/* Whether an error is at most rounding; if not, prints it. */
static bool is_rounding(const char *solver, const char *of, double error)
{
    if (error <= ROUNDING) return true;
    printf("\n  %s: %s: found an error of %g, expected at most %g\n", solver, of, error, ROUNDING);
    return false;
}

/* Samples of methods of order 4 come from the cubic through both ends of a step. */
static const struct {
    const char *solver;
    int at_end, inside;
} methods[] = {{"rk45_bisection", 5, 4}, {"dop853", 5, 5}, {"rk4_henon", 4, 3}, {"refined_step", 4, 3}};

IC_TEST(test_nodes)
{
    for (size_t i = 0; i < IC_COUNT(methods); i++) {
        double errors[2];
        run_trees(methods[i].solver, methods[i].at_end, methods[i].inside, errors);
        CU_ASSERT(is_rounding(methods[i].solver, "times at which the field is evaluated", farthest));
        /* planted: a node that is off by a hundredth */
        CU_ASSERT_FALSE(farthest + STEP / 100 <= ROUNDING);
    }
}

IC_TEST(test_order_conditions)
{
    double errors[2];
    for (size_t i = 0; i < IC_COUNT(methods); i++) {
        run_trees(methods[i].solver, methods[i].at_end, methods[i].inside, errors);
        CU_ASSERT(is_rounding(methods[i].solver, "order conditions at the end of a step", errors[0]));
        CU_ASSERT(is_rounding(methods[i].solver, "order conditions of the interpolant", errors[1]));
    }
    run_trees("rk4_henon", 5, 4, errors); /* planted: one order more than the method has */
    CU_ASSERT_FALSE(errors[0] <= ROUNDING);
    CU_ASSERT_FALSE(errors[1] <= ROUNDING);
}
