/* SPDX-License-Identifier: MIT */
/**
 * What every registered case must keep, found by looping over the registry: the linear view equals the C functions, the
 * rate of a guard is its derivative along the flow, the energy balance closes, jumps take the branch that their table
 * says, declared departures hold, names are unique, and every preset can be set up.
 */
#include "core/linear_view.h"
#include "core/model.h"
#include "core/registry.h"
#include "validation/tests/tests.h"

#include <CUnit/CUnit.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two ways to sum a dozen terms in double precision, relative to the largest term. */
#define SUMMATION (64 * DBL_EPSILON)
/* Central differences with steps of 1e-5 of the scales: truncation 1e-10, rounding 1e-16/1e-5. */
#define DIFFERENCE_STEP 1e-5
#define DIFFERENCE_TOLERANCE 1e-8

enum { RANDOM_POINTS = 20 };

static double uniform(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1; /* [-1, 1) */
}

static void random_state(const ic_problem *problem, const double *scale, unsigned *seed, double *t, double *x)
{
    for (size_t i = 0; i < problem->system->n_states; i++) x[i] = 2 * scale[i] * uniform(seed);
    *t = 3 * ic_time_scale(problem) * (1 + uniform(seed));
}

/* Sum of the magnitudes of a form's terms: what rounding is relative to. */
static double magnitude(const ic_form *form, size_t n, const double *x)
{
    double sum = fabs(form->constant) + fabs(form->cosine) + fabs(form->sine);
    for (size_t i = 0; i < n; i++) sum += fabs(form->state[i] * x[i]);
    return sum;
}

/* Call a function for every preset of every case. */
static void for_each_preset(void (*check)(const ic_problem *))
{
    for (size_t c = 0; c < ic_case_count; c++) {
        for (size_t p = 0; p < ic_cases[c]->n_presets; p++) {
            char path[128];
            ic_setup setup;
            ic_error error = {""};
            snprintf(path, sizeof path, "%s/%s", ic_cases[c]->name, ic_cases[c]->presets[p].name);
            const bool good = ic_setup_open(&setup, &(ic_request){.path = path}, &error);
            CU_ASSERT(good);
            if (!good) {
                fprintf(stderr, "%s: %s\n", path, error.text);
                continue;
            }
            check(&setup.problem);
            ic_setup_close(&setup);
        }
    }
}

/* ---- linear view */

static bool same_value(double a, double b, double size)
{
    return fabs(a - b) <= SUMMATION * size + DBL_MIN;
}

static void check_mode_view(const ic_problem *problem, const ic_mode *mode, const double *scale)
{
    const size_t n = problem->system->n_states;
    const ic_names names = {.system = problem->system, .par = problem->par, .states = true, .time = true};
    unsigned seed = 1;
    ic_linear_view view;
    ic_error error = {""};
    if (mode->linear == NULL) return;
    const bool good = ic_linear_view_open(&view, problem, mode, &error);
    CU_ASSERT(good);
    if (!good) return;
    for (int k = 0; k < RANDOM_POINTS; k++) {
        double t, x[IC_MAX_STATES], dxdt[IC_MAX_STATES];
        random_state(problem, scale, &seed, &t, x);
        mode->flow(dxdt, t, x, problem->par);
        for (size_t i = 0; i < n; i++) {
            ic_form form;
            CU_ASSERT(ic_expression(&form, mode->linear[i], &names, NULL));
            const double size = magnitude(&form, n, x);
            CU_ASSERT(same_value(ic_form_value(&form, n, t, x), dxdt[i], size));
            CU_ASSERT_FALSE(size > 0 && same_value(ic_form_value(&form, n, t, x) + 1e-6 * size, dxdt[i], size));
        }
        for (size_t i = 0; i < mode->n_guards; i++) {
            const ic_guard *guard = &mode->guards[i];
            const double g = guard->value(t, x, problem->par);
            CU_ASSERT(same_value(ic_form_value(&view.guards[i], n, t, x), g, magnitude(&view.guards[i], n, x)));
            if (guard->enabled == NULL) continue;
            const double enabled = guard->enabled(t, x, problem->par);
            CU_ASSERT(same_value(ic_form_value(&view.enabled[i], n, t, x), enabled,
                                 magnitude(&view.enabled[i], n, x)));
        }
    }
    ic_linear_view_close(&view);
}

static void check_views(const ic_problem *problem)
{
    double scale[IC_MAX_STATES];
    ic_state_scales(problem, scale);
    for (size_t m = 0; m < problem->variant->n_modes; m++)
        check_mode_view(problem, &problem->variant->modes[m], scale);
}

static void test_linear_views(void)
{
    for_each_preset(check_views);
}

/* ---- outputs as expressions */

static void check_outputs(const ic_problem *problem)
{
    const size_t n = problem->system->n_states;
    const ic_names names = {.system = problem->system, .par = problem->par, .states = true, .time = true};
    double scale[IC_MAX_STATES];
    unsigned seed = 2;
    ic_state_scales(problem, scale);
    for (size_t o = 0; o < problem->system->n_outputs; o++) {
        const ic_output *output = &problem->system->outputs[o];
        for (size_t m = 0; output->linear != NULL && m < problem->variant->n_modes; m++) {
            double t, x[IC_MAX_STATES];
            ic_form form;
            if (output->linear[m] == NULL) continue;
            CU_ASSERT(ic_expression(&form, output->linear[m], &names, NULL));
            random_state(problem, scale, &seed, &t, x);
            CU_ASSERT(same_value(ic_form_value(&form, n, t, x), output->value(t, x, (int)m, problem->par),
                                 magnitude(&form, n, x)));
        }
    }
}

static void test_outputs(void)
{
    for_each_preset(check_outputs);
}

/* ---- rates */

/* (g(t + h, x + h f) - g(t - h, x - h f))/2h */
static double derivative_along_flow(double (*function)(double, const double *, const double *),
                                    const ic_mode *mode, const ic_problem *problem, double t, const double *x)
{
    const size_t n = problem->system->n_states;
    const double h = DIFFERENCE_STEP * ic_time_scale(problem) / 10;
    double f[IC_MAX_STATES], ahead[IC_MAX_STATES], behind[IC_MAX_STATES];
    mode->flow(f, t, x, problem->par);
    for (size_t i = 0; i < n; i++) {
        ahead[i] = x[i] + h * f[i];
        behind[i] = x[i] - h * f[i];
    }
    return (function(t + h, ahead, problem->par) - function(t - h, behind, problem->par)) / (2 * h);
}

static void check_rates(const ic_problem *problem)
{
    double scale[IC_MAX_STATES];
    unsigned seed = 3;
    ic_state_scales(problem, scale);
    for (size_t m = 0; m < problem->variant->n_modes; m++) {
        const ic_mode *mode = &problem->variant->modes[m];
        for (size_t i = 0; i < mode->n_guards; i++) {
            double error = 0, size = 0;
            for (int k = 0; k < RANDOM_POINTS; k++) {
                double t, x[IC_MAX_STATES];
                random_state(problem, scale, &seed, &t, x);
                const double expected = derivative_along_flow(mode->guards[i].value, mode, problem, t, x);
                const double g = mode->guards[i].value(t, x, problem->par);
                size = fmax(size, fabs(expected) + fabs(g) / ic_time_scale(problem));
                error = fmax(error, fabs(mode->guards[i].rate(t, x, problem->par) - expected));
            }
            CU_ASSERT(size > 0); /* it moves */
            CU_ASSERT(error <= DIFFERENCE_TOLERANCE * size);
            CU_ASSERT_FALSE(error + 1e-6 * size <= DIFFERENCE_TOLERANCE * size); /* planted */
        }
    }
}

static void test_rates(void)
{
    for_each_preset(check_rates);
}

/* ---- energy: along trajectories, since some balances hold only on what a start can reach */

enum { ENERGY_SAMPLES = 200, ENERGY_TIME_SCALES = 20 };

static void check_energy(const ic_problem *whole)
{
    ic_problem problem = *whole;
    const double longest = problem.t_start + ENERGY_TIME_SCALES * ic_time_scale(&problem);
    double error = 0, size = DBL_MIN, turned_over = 0;
    if (problem.t_end > longest) problem.t_end = longest, problem.t_end_text = NULL;
    ic_log *log = ic_log_new(&problem);
    CU_ASSERT_PTR_NOT_NULL_FATAL(log);
    const ic_solver *solver = ic_solver_find("rk45_bisection");
    CU_ASSERT_EQUAL(solver->solve(log, &problem, &(ic_options){.rtol = 1e-12, .samples = ENERGY_SAMPLES}),
                    IC_OK);
    for (size_t i = 0; i < ic_log_sample_count(log); i++) {
        const ic_sample s = ic_log_sample_at(log, i);
        const ic_mode *mode = &problem.variant->modes[s.mode];
        if (mode->stored_energy == NULL) continue;
        const double rate = derivative_along_flow(mode->stored_energy, mode, &problem, s.t, s.x);
        const double supplied = mode->supplied_power(s.t, s.x, problem.par);
        const double dissipated = mode->dissipated_power(s.t, s.x, problem.par);
        const double energy = mode->stored_energy(s.t, s.x, problem.par);
        size = fmax(size, fabs(energy) / ic_time_scale(&problem) + fabs(supplied) + fabs(dissipated));
        turned_over = fmax(turned_over, fabs(supplied) + fabs(dissipated));
        CU_ASSERT(dissipated >= -SUMMATION * size);
        error = fmax(error, fabs(rate - supplied + dissipated));
    }
    CU_ASSERT(error <= DIFFERENCE_TOLERANCE * size);
    CU_ASSERT_FALSE(turned_over > 0 && error + 1e-3 * turned_over <= DIFFERENCE_TOLERANCE * size); /* planted */
    ic_log_free(log);
}

static void test_energy(void)
{
    for_each_preset(check_energy);
}

/* ---- jumps: `apply` and the table agree on branch and state */

static int branch_of_table(const ic_jump *jump, const ic_names *names, double t, const double *x)
{
    for (size_t b = 0; b < jump->n_branches; b++) {
        ic_form form;
        if (jump->branches[b].condition == NULL) return (int)b;
        CU_ASSERT(ic_expression(&form, jump->branches[b].condition, names, NULL));
        if (ic_form_value(&form, names->states ? names->system->n_states : 0, t, x) > 0) return (int)b;
    }
    return -1;
}

static void check_jump(const ic_problem *problem, const ic_jump *jump, const ic_names *names, double t,
                       const double *x, const double *scale)
{
    const size_t n = problem->system->n_states;
    double post[IC_MAX_STATES];
    if (jump->apply == NULL || !jump->linear) return;
    const int taken = jump->apply(post, t, x, problem->par);
    CU_ASSERT_EQUAL(taken, branch_of_table(jump, names, t, x));
    if (taken < 0) return;
    const char *const *state = jump->branches[taken].state;
    for (size_t i = 0; i < n; i++) {
        ic_form form = {0};
        if (state == NULL) form.state[i] = 1;
        else CU_ASSERT(ic_expression(&form, state[i], names, NULL));
        const double expected = ic_form_value(&form, names->states ? n : 0, t, x);
        CU_ASSERT(fabs(expected - post[i]) <= SUMMATION * (fabs(expected) + scale[i]));
    }
}

static void check_jumps(const ic_problem *problem)
{
    const ic_names names = {.system = problem->system, .par = problem->par, .states = true, .time = true};
    const ic_names start_names = {.system = problem->system, .par = problem->par, .time = true};
    double scale[IC_MAX_STATES], t, x[IC_MAX_STATES];
    unsigned seed = 5;
    ic_state_scales(problem, scale);
    check_jump(problem, &problem->variant->start, &start_names, 0, NULL, scale);
    for (size_t m = 0; m < problem->variant->n_modes; m++) {
        const ic_mode *mode = &problem->variant->modes[m];
        for (size_t i = 0; i < mode->n_guards; i++) {
            for (int k = 0; k < RANDOM_POINTS; k++) {
                random_state(problem, scale, &seed, &t, x);
                check_jump(problem, &mode->guards[i].jump, &names, t, x, scale);
                check_jump(problem, &mode->guards[i].accumulation, &names, t, x, scale);
            }
        }
    }
}

static void test_jumps(void)
{
    for_each_preset(check_jumps);
}

/* ---- names, ranges and presets */

static void test_names(void)
{
    for (size_t c = 0; c < ic_case_count; c++) {
        const ic_case *system = ic_cases[c];
        CU_ASSERT_EQUAL(system->abi_version, IC_ABI_VERSION);
        CU_ASSERT_EQUAL(system->struct_size, sizeof(ic_case));
        CU_ASSERT(ic_case_find(system->name) == system);
        double par[64] = {0};
        CU_ASSERT_FATAL(system->n_parameters <= IC_COUNT(par));
        for (size_t i = 0; i < system->n_parameters; i++) {
            const ic_parameter *parameter = &system->parameters[i];
            const ic_names before = {.system = system, .par = par};
            CU_ASSERT(ic_expression_number(&par[i], parameter->value, &before, NULL));
            CU_ASSERT(ic_in_range(parameter->range, par[i]));
            CU_ASSERT_FALSE(ic_in_range(parameter->range, NAN)); /* planted */
            for (size_t k = 0; k < i; k++) CU_ASSERT(strcmp(parameter->name, system->parameters[k].name) != 0);
        }
        for (size_t i = 0; i < system->n_presets; i++) {
            CU_ASSERT(ic_preset_find(system, system->presets[i].name) == &system->presets[i]);
            CU_ASSERT(ic_variant_find(system, system->presets[i].variant) != NULL);
        }
    }
    CU_ASSERT_PTR_NULL(ic_case_find("no such case"));
    CU_ASSERT_PTR_NULL(ic_solver_find("no such solver"));
}

void ic_tests_cases(void)
{
    CU_pSuite suite = CU_add_suite("cases", NULL, NULL);
    CU_ADD_TEST(suite, test_names);
    CU_ADD_TEST(suite, test_linear_views);
    CU_ADD_TEST(suite, test_outputs);
    CU_ADD_TEST(suite, test_rates);
    CU_ADD_TEST(suite, test_energy);
    CU_ADD_TEST(suite, test_jumps);
}
