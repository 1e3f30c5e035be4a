/* SPDX-License-Identifier: MIT */
/**
 * Cases on contact-force laws: parameters, memory and outputs that a law adds, and runs on every
 * law.
 */
#include "core/composition.h"
#include "core/model.h"
#include "registry/registry.h"
#include "tests/machine.h"
#include "validation/claims/measurement.h"

IC_SUITE(light, "cases on laws")

static void open_setup(ic_setup *setup, const char *path, const char *variant, const char *setting)
{
    ic_error error = {""};
    const char *settings[] = {setting};
    const ic_request request = {
        .path = path, .variant = variant, .settings = settings, .n_settings = setting != NULL ? 1 : 0};
    const bool good = ic_setup_open(setup, &request, &error);
    CU_ASSERT_STRING_EQUAL_FATAL(error.text, "");
    CU_ASSERT_FATAL(good);
}

static double value_of(const ic_setup *setup, const char *name)
{
    const ic_case *system = setup->problem.system;
    const size_t i = ic_parameter_find(system, name);
    CU_ASSERT_FATAL(i < system->n_parameters);
    return setup->problem.par[i];
}

/* The law's parameters follow the case's in the law's order, whatever else has the same name. */
IC_TEST(test_parameters)
{
    const ic_case *ball = ic_case_find("ball");
    IC_OWN(ic_setup) setup, given, stiff, without;
    open_setup(&setup, "ball/C1/0.5000", "flores", "c_r=0.7");
    const ic_case *system = setup.problem.system;
    const double *of_law = setup.problem.par + ball->n_parameters;
    CU_ASSERT_EQUAL(system->n_parameters, ball->n_parameters + 3);
    CU_ASSERT(of_law[0] == value_of(&setup, "K") && of_law[1] == 1.5 && of_law[2] == 0.7);
    CU_ASSERT(value_of(&setup, "e") == 0.7);
    /* K and n are the ball's, and listed once; e is the law's own */
    CU_ASSERT(ic_parameter_repeats(system->parameters, ball->n_parameters));
    CU_ASSERT(ic_parameter_repeats(system->parameters, ball->n_parameters + 1));
    CU_ASSERT_FALSE(ic_parameter_repeats(system->parameters, ball->n_parameters + 2));
    CU_ASSERT_EQUAL(system->n_states, ball->n_states + 1);
    CU_ASSERT_STRING_EQUAL(system->states[ball->n_states].unit, "s/m");
    open_setup(&given, "ball/C1/0.5000", "flores", "e=0.6"); /* a value that is set is used */
    CU_ASSERT(value_of(&given, "e") == 0.6);
    CU_ASSERT(fabs(value_of(&given, "c_r") - (1 - 0.26 * 1815 / 3865 * cbrt(0.5))) <
              1e-15); /* Eq. (3) as before */
    open_setup(&stiff, "roller/II/C", "hertz", "K=1e9");
    CU_ASSERT(value_of(&stiff, "K") == 1e9 && stiff.problem.par[ic_case_find("roller")->n_parameters] == 1e9);
    open_setup(&without, "roller/II/C", NULL, NULL); /* no law adds nothing */
    CU_ASSERT_PTR_EQUAL(without.problem.system, ic_case_find("roller"));
}

static void expect_refusal(const char *path, const char *variant, const char *setting, const char *complaint)
{
    ic_setup setup;
    ic_error error = {""};
    const ic_request request = {
        .path = path, .variant = variant, .settings = &setting, .n_settings = setting != NULL ? 1 : 0};
    CU_ASSERT_FALSE(ic_setup_open(&setup, &request, &error));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, complaint));
    if (strstr(error.text, complaint) == NULL) puts(error.text);
}

IC_TEST(test_refusals)
{
    expect_refusal("ball/C1/0.5000", "flors", NULL,
                   "case 'ball' has no variant 'flors'; did you mean 'flores'?");
    expect_refusal("ball/C1/0.5000", "flores", "E_star=1",
                   "case 'ball' has no parameter 'E_star'"); /* not of this law */
    expect_refusal("ball/C1/0.5000", "flores", "e=0", "parameter 'e' = 0 is outside its range (0, 1]");
    expect_refusal("ball/C1/0.5000", "flores", "e=1.5", "parameter 'e' = 1.5 is outside its range (0, 1]");
    expect_refusal("ball/C1/0.5000", NULL, "K=-1", "parameter 'K' = -1 is outside its range (0, inf)");
    expect_refusal("ball/C1/0.5000", NULL, "v0=0", "parameter 'v0' = 0 is outside its range (0, inf)");
    expect_refusal("ball/C1/0.5000", NULL, "v0=-1", "parameter 'v0' = -1 is outside its range (0, inf)");
    expect_refusal("ball/C2/0.5000", NULL, "sigma_2=0",
                   "parameter 'sigma_2' = 0 is outside its range (0, inf) Pa");
    expect_refusal("ball/C2/0.5000", NULL, "sigma_1=-5",
                   "parameter 'sigma_1' = -5 is outside its range (0, inf) Pa");
    expect_refusal("ball/C2/0.5000", NULL, "v0=40", "Eq. (3) falls to 0 at v0 = (1/(0.26 K_star))^3");
    expect_refusal("ball/C2/0.5000", NULL, "c_r=-0.1", "parameter 'c_r' = -0.1 is outside its range (0, 1]");
    expect_refusal("roller/II/C", "lee-wang-2", "eps=0", "parameter 'eps' = 0 is outside its range (0, inf) m");
}

/* A case without room for another state. */
IC_TEST(test_no_room)
{
    ic_case crowded = *ic_case_find("ball");
    ic_error error = {""};
    crowded.n_states = IC_MAX_STATES;
    CU_ASSERT_PTR_NULL(ic_compose(&crowded, &crowded.variants[0], &error));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "no room for the memory"));
}

/* ---- runs */

static size_t have_same_events(const ic_log *a, const ic_log *b, double tolerance)
{
    size_t i = 0;
    while (i < ic_log_event_count(a) && i < ic_log_event_count(b)) {
        const ic_event left = ic_log_event_at(a, i), right = ic_log_event_at(b, i);
        if (strcmp(left.name, right.name) != 0 || fabs(left.t - right.t) > tolerance) break;
        i++;
    }
    return i;
}

static ic_log *solve_setup(const ic_setup *setup, const char *solver, double rtol)
{
    return ic_tests_solve(solver, &setup->problem, &(ic_options){.rtol = rtol});
}

/* Four periods, in each of which errors grow tenfold: 1e-9 and 1e-12 agree to 1e-5 of a period, a
   fixed step to 1e-3 of one. */
#define PERIODS "4*2*pi/omega"
#define TIME_TOLERANCE 5e-7
#define TIME_TOLERANCE_STEPS 5e-5

/* On the roller with any law, all general solvers find the same contacts. */
IC_TEST(test_roller_on_laws)
{
    const ic_case *roller = ic_case_find("roller");
    size_t laws = 0;
    for (size_t v = 0; v < roller->n_variants; v++) {
        const ic_request request = {
            .path = "roller/II/C", .variant = roller->variants[v].name, .until = PERIODS};
        if (roller->variants[v].law == NULL) continue;
        IC_OWN(ic_setup) setup = ic_tests_setup(&request);
        IC_OWN(ic_log) *fine = solve_setup(&setup, "rk45_bisection", 1e-12),
                       *coarse = solve_setup(&setup, "rk45_bisection", 1e-9);
        IC_OWN(ic_log) *far = solve_setup(&setup, "dop853", 1e-11),
                       *steps = solve_setup(&setup, "rk4_henon", 0);
        const size_t n = ic_log_event_count(fine);
        CU_ASSERT(n >= 5);
        CU_ASSERT_EQUAL(have_same_events(fine, coarse, TIME_TOLERANCE), n);
        CU_ASSERT_EQUAL(have_same_events(fine, far, TIME_TOLERANCE), n);
        CU_ASSERT_EQUAL(have_same_events(fine, steps, TIME_TOLERANCE_STEPS), n);
        CU_ASSERT_EQUAL(ic_log_event_count(far), n);
        CU_ASSERT_EQUAL(have_same_events(fine, steps, 0), 0); /* planted: the runs differ */
        /* the reported force is the law's, and moves the roller */
        const size_t force = ic_output_find(setup.problem.system, "contact_force");
        CU_ASSERT(ic_log_extreme(fine, force).final >= 0);
        laws++;
    }
    CU_ASSERT(laws >= 15);
}

/* The law kelvin-voigt is the roller's own condition A: the same start gives the same motion. */
IC_TEST(test_law_is_condition)
{
    IC_OWN(ic_setup) own, law;
    open_setup(&own, "roller/II/A", NULL, NULL);
    open_setup(&law, "roller/II/A", "kelvin-voigt", NULL);
    const double start[] = {1e-3, -0.1, -0.01, 0, 0, 0};
    own.problem.x_start = law.problem.x_start = start;
    own.problem.mode_start = law.problem.mode_start = 1;
    own.problem.t_end = law.problem.t_end = 0.3;
    own.problem.t_end_text = law.problem.t_end_text = NULL;
    IC_OWN(ic_log) *a = solve_setup(&own, "rk45_bisection", 1e-11),
                   *b = solve_setup(&law, "rk45_bisection", 1e-11);
    const size_t n = ic_log_event_count(a);
    CU_ASSERT(n > 8);
    CU_ASSERT_EQUAL(have_same_events(a, b, TIME_TOLERANCE), n);
    law.par[law.problem.system->n_parameters - 1] *= 1.001;
    IC_OWN(ic_log) *harder = solve_setup(&law, "rk45_bisection", 1e-11);
    CU_ASSERT(have_same_events(a, harder, TIME_TOLERANCE) < n);
}

/* Lee and Wang's second model on the ball releases below the surface, passes the kink again on the
   way back, and then pushes once more for half a microsecond. */
IC_TEST(test_transition_zone)
{
    IC_OWN(ic_setup) setup;
    open_setup(&setup, "ball/lee-wang-2", NULL, NULL);
    IC_OWN(ic_log) *log = solve_setup(&setup, "dop853", 1e-11);
    static const char *const expected[] = {"transition", "peak-force", "turn",
                                           "release",    "transition", "regained contact",
                                           "peak-force", "release",    "separation"};
    CU_ASSERT_EQUAL(ic_log_event_count(log), IC_COUNT(expected));
    for (size_t i = 0; i < ic_log_event_count(log) && i < IC_COUNT(expected); i++) {
        CU_ASSERT_STRING_EQUAL(ic_log_event_at(log, i).name, expected[i]);
    }
    const size_t force = ic_output_find(setup.problem.system, "contact_force");
    const ic_event release = ic_log_event_at(log, 3);
    const double F =
        setup.problem.system->outputs[force].value(0, release.x_pre, release.mode_from, setup.problem.par);
    CU_ASSERT(fabs(F) < 1e-9 * ic_log_extreme(log, ic_output_find(setup.problem.system, "peak_force")).final);
    CU_ASSERT(release.x_pre[0] > 0);
}

/* The ball's output of force is the law's in contact, and zero in flight. */
IC_TEST(test_force_of_the_ball)
{
    enum { CONTACT, OPEN };
    for (size_t l = 0; ic_law_at(l) != NULL; l++) {
        const ic_law *law = ic_law_at(l);
        IC_OWN(ic_setup) setup;
        open_setup(&setup, "ball/C1/0.5000", law->name, NULL);
        const ic_case *system = setup.problem.system;
        const double *par = setup.problem.par, *of_law = par + ic_case_find("ball")->n_parameters;
        const double memory = law->remember != NULL ? law->remember(0.5, of_law) : 0;
        const double x[] = {1e-5, 0.25, 0, 0, 0, memory};
        const ic_output *output = &system->outputs[ic_output_find(system, "contact_force")];
        const double is = output->value(0, x, CONTACT, par), wanted = law->force(x[0], x[1], memory, of_law);
        CU_ASSERT(is > 0 && fabs(is - wanted) <= 1e-15 * wanted);
        CU_ASSERT_EQUAL(output->value(0, x, OPEN, par), 0);
    }
}
