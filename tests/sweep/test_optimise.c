/* SPDX-License-Identifier: MIT */
/** The search of `impactcheck optimise`, against optima in closed form, and its refusals. */
#include "sweep/optimise.h"
#include "tests/tests.h"

IC_SUITE(solvers, "optimise")
IC_OWNED(ic_optimisation, ic_optimise_close)

/* A ball is thrown up from h = 1 m with the speed v0 without losses: it reaches h + v0^2/(2 g), and
   has the energy g h + v0^2/2 = g height per unit of mass. The least energy that takes it to 2 m is
   thus 2 g, at v0 = sqrt(2 g). */
#define THROWN "bouncing-ball/elastic"
#define G 9.81
/* The search ends when its simplex is LAST_STEP = 1e-4 of the range of 9 m/s wide; its result is
   allowed, and so not below the optimum. */
#define SAME_SPEED 2e-3
/* dE = v0 dv */
#define SAME_ENERGY (SAME_SPEED * 4.5)

static ic_optimise_request make_request(const char *const *settings, size_t n, const char *minimise,
                                        const char *const *over, size_t n_over, const char *const *bounds,
                                        size_t n_bounds)
{
    return (ic_optimise_request){
        .request = {.path = THROWN, .until = "2", .settings = settings, .n_settings = n},
        .solver = ic_solver_find("piecewise_linear"),
        .minimise = minimise,
        .over = over,
        .n_over = n_over,
        .subject_to = bounds,
        .n_subject_to = n_bounds,
        .most_runs = 500,
    };
}

IC_TEST(test_known_optimum)
{
    static const char *const settings[] = {"v0=8", "h=1", "g=9.81"}, *const over[] = {"v0=1:10"};
    static const char *const bounds[] = {"height:max>=2"};
    const ic_optimise_request request = make_request(settings, 3, "energy", over, 1, bounds, 1);
    IC_OWN(ic_optimisation) o;
    ic_error error = {""};
    CU_ASSERT_FATAL(ic_optimise_open(&o, &request, &error));
    CU_ASSERT(o.start.allowed && fabs(o.start.objective - (G + 32)) < SAME_ENERGY);
    CU_ASSERT_EQUAL(ic_optimise(&o), IC_OK);
    CU_ASSERT(o.best.allowed);
    CU_ASSERT(fabs(o.best.value[0] - sqrt(2 * G)) <= SAME_SPEED);
    CU_ASSERT(fabs(o.best.objective - 2 * G) <= SAME_ENERGY);
    CU_ASSERT(o.best.bound[0] >= 2);
    /* planted: no search was made */
    CU_ASSERT_FALSE(fabs(o.start.value[0] - sqrt(2 * G)) <= SAME_SPEED);
    CU_ASSERT(o.runs > 3 && o.runs <= request.most_runs && o.failed == 0);
}

/* Without a bound the least energy is at the end of the range, also on a logarithmic axis. */
IC_TEST(test_ends_of_ranges)
{
    static const char *const settings[] = {"v0=8", "h=2"}, *const over[] = {"v0=0:10", "h=1:4:log"};
    const ic_optimise_request request = make_request(settings, 2, "energy:max", over, 2, NULL, 0);
    IC_OWN(ic_optimisation) o;
    ic_error error = {""};
    CU_ASSERT_FATAL(ic_optimise_open(&o, &request, &error));
    CU_ASSERT_EQUAL(ic_optimise(&o), IC_OK);
    CU_ASSERT(o.best.value[0] >= 0 && o.best.value[0] <= SAME_SPEED);
    CU_ASSERT(o.best.value[1] >= 1 && o.best.value[1] <= 1 + SAME_SPEED);
}

/* A start that violates a bound is not an answer; nor is there an answer where the bound cannot be
   kept. */
IC_TEST(test_bounds)
{
    static const char *const settings[] = {"v0=2"}, *const over[] = {"v0=1:10"};
    static const char *const can[] = {"height:max>=3"}, *const cannot[] = {"height:max>=20"},
                             *const start[] = {"height:max>=start"};
    const char *const *bounds[] = {can, cannot, start};
    for (size_t i = 0; i < IC_COUNT(bounds); i++) {
        const ic_optimise_request request = make_request(settings, 1, "energy", over, 1, bounds[i], 1);
        IC_OWN(ic_optimisation) o;
        ic_error error = {""};
        CU_ASSERT_FATAL(ic_optimise_open(&o, &request, &error));
        CU_ASSERT_EQUAL(o.start.allowed, i == 2);
        CU_ASSERT_EQUAL(isnan(o.best.objective), i != 2);
        CU_ASSERT_EQUAL(ic_optimise(&o), IC_OK);
        CU_ASSERT_EQUAL(isnan(o.best.objective), i == 1);
        if (i == 2) CU_ASSERT_EQUAL(o.bounds[0].limit, o.start.bound[0]);
    }
}

/* ---- refusals and their messages */

static void expect_refusal(const char *setting, const char *minimise, const char *over, const char *bound,
                           const char *said)
{
    const ic_optimise_request request = make_request(&setting, 1, minimise, &over, 1, &bound, 1);
    IC_OWN(ic_optimisation) o;
    ic_error error = {""};
    CU_ASSERT_FALSE(ic_optimise_open(&o, &request, &error));
    IC_EXPECT(strstr(error.text, said) != NULL, "'%s' in place of '%s'", error.text, said);
}

IC_TEST(test_refusals)
{
    expect_refusal("v0=2", "energy", "v0", "energy<=100", "NAME=LOW:HIGH");
    expect_refusal("v0=2", "energy", "v0=1:2:3", "energy<=100", "NAME=LOW:HIGH");
    expect_refusal("v0=2", "energy", "v0=3:1", "energy<=100", "LOW must be below HIGH");
    expect_refusal("v0=2", "energy", "v0=3:4", "energy<=100", "v0 starts at 2, outside 3 to 4");
    expect_refusal("v0=2", "energy", "w0=1:4", "energy<=100", "w0");
    expect_refusal("v0=2", "enerhy", "v0=1:4", "energy<=100", "'enerhy' is not an output");
    expect_refusal("v0=2", "energy:mean", "v0=1:4", "energy<=100", "'energy:mean' is not an output");
    expect_refusal("v0=2", "energy", "v0=1:4", "energy=100", "OUTPUT<=VALUE");
    expect_refusal("v0=2", "energy", "v0=1:4", "enerhy<=100", "'enerhy' is not an output");
    expect_refusal("v0=2", "energy", "v0=1:4", "energy<=much", "much");
    expect_refusal("h=-2", "energy", "v0=1:4", "energy<=100", "'h'");
}
