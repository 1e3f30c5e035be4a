/* SPDX-License-Identifier: MIT */
/* Problems made from names, ranges and globs: what a command line may contain, and what it may
   not. */
#include "core/linear_view.h"
#include "core/model.h"
#include "registry/registry.h"
#include "tests/machine.h"

IC_SUITE(light, "model")

IC_TEST(test_ranges)
{
    CU_ASSERT(ic_in_range("(0, inf)", 1e300) && !ic_in_range("(0, inf)", 0) && !ic_in_range("(0, inf)", -1));
    CU_ASSERT(ic_in_range("[0, 1]", 0) && ic_in_range("[0, 1]", 1) && !ic_in_range("[0, 1]", 1.0000001));
    CU_ASSERT(ic_in_range("(-inf, inf)", -5) && !ic_in_range("(-inf, inf)", NAN));
    CU_ASSERT(ic_in_range("{0, 1}", 1) && !ic_in_range("{0, 1}", 0.5));
    CU_ASSERT(!ic_in_range("nonsense", 1) && !ic_in_range("[0; 1]", 0.5) && !ic_in_range("{0, 1", 1));
}

static bool opens(const char *path, const char *setting, const char *until, const char *complaint)
{
    ic_setup setup;
    ic_error error = {""};
    const ic_request request = {
        .path = path, .settings = &setting, .n_settings = setting != NULL, .until = until};
    const bool good = ic_setup_open(&setup, &request, &error);
    if (good) ic_setup_close(&setup);
    else CU_ASSERT(complaint != NULL && strstr(error.text, complaint) != NULL);
    return good;
}

IC_TEST(test_requests)
{
    CU_ASSERT(opens("roller/III/C", NULL, NULL, NULL));
    CU_ASSERT(opens("roller/III/C*", "omega=3/2", "1/2", NULL));
    CU_ASSERT(opens("roller", NULL, NULL, NULL));
    CU_ASSERT_FALSE(opens("rollr/III/C", NULL, NULL, "did you mean 'roller'"));
    CU_ASSERT_FALSE(opens("roller/V/C", NULL, NULL, "no preset"));
    CU_ASSERT_FALSE(opens("roller/III/C", "kk=1", NULL, "no parameter 'kk'"));
    CU_ASSERT_FALSE(opens("roller/III/C", "k", NULL, "NAME=VALUE"));
    CU_ASSERT_FALSE(opens("roller/III/C", "k=-1", NULL, "outside its range (0, inf) N/m"));
    CU_ASSERT_FALSE(opens("roller/III/C", "k=nan", NULL, "character 1"));
    CU_ASSERT_FALSE(opens("roller/III/C", "k=", NULL, "ends where a number"));
    CU_ASSERT_FALSE(opens("roller/III/C", NULL, "0", "not after its start"));
    CU_ASSERT_FALSE(opens("roller/III/C", NULL, "soon", "unknown name"));
    CU_ASSERT_FALSE(opens("bouncing-ball/drop", "e=1.5", NULL, "outside its range [0, 1] ("));
}

/* Defaults may depend on other parameters, settings may not; requirements on several parameters are
   named. */
IC_TEST(test_dependent_parameters)
{
    enum { PHI = 3, C_XX = 15, C_YY = 17 };
    const char *upright = "phi=0", *both[] = {"C_xx=3", "phi=0"};
    IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){"planar-bar/kappa-1", &upright, 1, NULL, NULL});
    CU_ASSERT(setup.par[PHI] == 0 && fabs(setup.par[C_XX] - 4) < 1e-14 && setup.par[C_YY] == 1);
    CU_ASSERT_FALSE(fabs(setup.par[C_XX] - 2.5) < 1e-14); /* planted: the default's own default */
    IC_OWN(ic_setup) given = ic_tests_setup(&(ic_request){"planar-bar/kappa-1", both, 2, NULL, NULL});
    CU_ASSERT(given.par[C_XX] == 3 && given.par[C_YY] == 1);
    CU_ASSERT_FALSE(opens("planar-bar/kappa-1", "C_xx=2*mu", NULL, "a number such as"));
    CU_ASSERT_FALSE(opens("planar-bar/kappa-1", "C_xy=3", NULL, "must be positive definite"));
    CU_ASSERT_FALSE(opens("planar-bar/kappa-1", "C_yy=0", NULL, "outside its range"));
    CU_ASSERT_FALSE(opens("planar-bar/kappa-1", "vy=0", NULL, "outside its range [-1e30, 0) m/s"));
    CU_ASSERT_FALSE(opens("planar-bar/kappa-1", "mu=-0.1", NULL, "outside its range [0, 1e9]"));
    CU_ASSERT_FALSE(opens("planar-bar/kappa-1", "vy=-1e-13", NULL, "below the rounding error"));
    CU_ASSERT_FALSE(opens("planar-bar/kappa-1", "C_xy=2.4999999999999", NULL, "singular up to rounding"));
    CU_ASSERT_FALSE(opens("planar-bar/kappa-1", "kappa=1e12", NULL, "outside its range [1e-9, 1e9]"));
    CU_ASSERT_FALSE(opens("planar-bar/kappa-1", "e=1.01", NULL, "outside its range [0, 1]"));
}

/* A solver made for one variant receives it; a solver that cannot solve the case says so. */
IC_TEST(test_solver_choice)
{
    static const ic_solver rigid = {IC_ABI(ic_solver), .name = "rigid", .needs = IC_NEEDS_IMPACT_VIEW,
                                    .variant = "stronge"};
    static const ic_solver strange = {IC_ABI(ic_solver), .name = "strange", .variant = "no such variant"};
    ic_error error = {""};
    IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = "planar-bar/kappa-1"});
    CU_ASSERT_STRING_EQUAL(setup.problem.variant->name, "regularized");
    CU_ASSERT(ic_setup_for_solver(&setup, &rigid, &error));
    CU_ASSERT_STRING_EQUAL(setup.problem.variant->name, "stronge");
    CU_ASSERT_FALSE(ic_setup_for_solver(&setup, &strange, &error));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "no such variant"));
    IC_OWN(ic_setup) roller = ic_tests_setup(&(ic_request){.path = "roller/I/A"});
    CU_ASSERT_FALSE(ic_setup_for_solver(&roller, &rigid, &error));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "but case 'roller'"));
}

IC_TEST(test_scales)
{
    double scale[IC_MAX_STATES];
    IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = "roller/III/C"});
    ic_state_scales(&setup.problem, scale);
    CU_ASSERT(fabs(scale[0] - (3000 * 9.81 + 58800) / 2e8) < 1e-15);
    CU_ASSERT(fabs(ic_time_scale(&setup.problem) - 0.025) < 1e-15);
    CU_ASSERT(fabs(ic_forcing_period(&setup.problem) - 0.025) < 1e-15);
    CU_ASSERT(fabs(setup.problem.t_end - 5) < 1e-14);
    const ic_options options = ic_options_resolved(&setup.problem, &(ic_options){.rtol = 1e-5});
    CU_ASSERT(options.rtol == 1e-5 && options.event_tol > 0 && options.step == 0);
    IC_OWN(ic_setup) unforced = ic_tests_setup(&(ic_request){.path = "bouncing-ball/drop"});
    CU_ASSERT(isnan(ic_forcing_period(&unforced.problem)));
}

/* The first row of the flow of mode 0, and the time scale. */
static void read_numbers(const ic_problem *problem, double *numbers)
{
    const size_t n = problem->system->n_states;
    ic_linear_view view;
    CU_ASSERT_FATAL(ic_linear_view_open(&view, problem, &problem->variant->modes[0], NULL));
    memcpy(numbers, view.a, n * n * sizeof *numbers);
    numbers[n * n] = view.b[n - 1];
    numbers[n * n + 1] = ic_time_scale(problem);
    ic_linear_view_close(&view);
}

/* Forms that were read once are those of the texts, until parameters or the end of the run change. */
IC_TEST(test_prepared)
{
    enum { MOST = IC_MAX_STATES * IC_MAX_STATES + 2 };
    static double read[MOST], known[MOST], changed[MOST], par[64];
    IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = "two-mass/forced"});
    const size_t n = setup.problem.system->n_states, bytes = (n * n + 2) * sizeof *read;
    CU_ASSERT_PTR_NULL(setup.problem.given);
    read_numbers(&setup.problem, read);
    CU_ASSERT_FATAL(ic_setup_prepare(&setup, NULL));
    CU_ASSERT_PTR_NOT_NULL_FATAL(setup.problem.given);
    read_numbers(&setup.problem, known);
    CU_ASSERT_EQUAL(memcmp(read, known, bytes), 0);
    /* other values of the parameters: the forms are not theirs */
    ic_problem other = setup.problem;
    CU_ASSERT_FATAL(other.system->n_parameters <= IC_COUNT(par));
    for (size_t i = 0; i < other.system->n_parameters; i++) par[i] = 1.25 * setup.par[i];
    other.par = par;
    read_numbers(&other, changed);
    other.given = NULL;
    read_numbers(&other, known);
    CU_ASSERT_EQUAL(memcmp(changed, known, bytes), 0);
    CU_ASSERT_NOT_EQUAL(memcmp(changed, read, bytes), 0); /* planted: the forms of the setup */
    CU_ASSERT(ic_setup_until(&setup, "1/2", NULL));
    CU_ASSERT_PTR_NULL(setup.problem.given);
}

IC_TEST(test_globs)
{
    CU_ASSERT(ic_glob("roller/*/C", "roller/III/C") && ic_glob("*", "") && ic_glob("r?ller", "roller"));
    CU_ASSERT(ic_glob("roller/III/C*", "roller/III/C*") && ic_glob("roller/III/C*", "roller/III/C"));
    CU_ASSERT(!ic_glob("roller/*/C", "roller/III/D") && !ic_glob("", "a") && !ic_glob("a", ""));
    CU_ASSERT_EQUAL(ic_name_distance("kitten", "sitting"), 3);
    CU_ASSERT_EQUAL(ic_name_distance("", "ab"), 2);
}

IC_TEST(test_status_texts)
{
    CU_ASSERT_STRING_EQUAL(ic_status_name(IC_ZENO), "zeno");
    CU_ASSERT(strlen(ic_status_text(IC_CHAIN)) > 0);
    CU_ASSERT_STRING_EQUAL(ic_status_name((ic_status)99), "unknown");
    CU_ASSERT_STRING_EQUAL(ic_status_text((ic_status)99), "unknown status");
    for (int s = IC_OK; s <= IC_CONTRADICTED; s++)
        CU_ASSERT(strcmp(ic_status_name((ic_status)s), "unknown") != 0);
}
