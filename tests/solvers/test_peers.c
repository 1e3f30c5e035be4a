/* SPDX-License-Identifier: MIT */
/**
 * Solvers of other packages: none in a build without them, whatever is installed; otherwise all
 * (IC_TEST_PEERS), GSL's in the program that includes them (IC_TEST_GSL in the environment). The
 * event contract is tested with all other solvers (test_contract.c); this suite tests event times
 * on problems with certified answers, failures of the packages, and work counts.
 */
#include "core/model.h"
#include "registry/registry.h"
#include "tests/machine.h"
#include "validation/subjects.h"
#include "validation/truth.h"

IC_SUITE(light, "peers")

/* Names of all peers, and of their packages. */
static const struct {
    const char *name, *package;
} peers[] = {
#define IC_PEER(name_, package_) {#name_, #package_},
#include "adapters/adapters.def"
#undef IC_PEER
};

/* NULL: not in this program. */
static const ic_solver *find_peer(size_t i)
{
    return ic_solver_find(peers[i].name);
}

/* Errors of an adaptive solver: ten of rtol for each time scale that has passed
   (check_enclosures.c). */
#define ASKED 1e-10
#define ERRORS_PER_TIME 10.0
/* Factor of a planted error. */
#define PLANTED 1000.0

IC_TEST(test_names)
{
    size_t built = 0;
    for (size_t i = 0; i < IC_COUNT(peers); i++) {
        const ic_solver *solver = find_peer(i);
        CU_ASSERT_EQUAL(solver != NULL, IC_TEST_PEERS && (strcmp(peers[i].package, "GSL") != 0 ||
                                                          getenv("IC_TEST_GSL") != NULL));
        if (solver == NULL) continue;
        built++;
        CU_ASSERT(solver->abi_version == IC_ABI_VERSION && solver->struct_size == sizeof(ic_solver));
        CU_ASSERT_STRING_EQUAL(solver->name, peers[i].name);
        CU_ASSERT(solver->control == IC_CONTROL_RTOL && solver->order > 0 && solver->solve != NULL);
        CU_ASSERT(solver->source != NULL && solver->title != NULL && !solver->steps_over_events);
    }
    CU_ASSERT(ic_solver_count > built); /* our own solvers come first */
    for (size_t i = 0; i < ic_solver_count - built; i++) {
        for (size_t k = 0; k < IC_COUNT(peers); k++)
            CU_ASSERT_STRING_NOT_EQUAL(ic_solvers[i]->name, peers[k].name);
    }
}

/* Every built peer on a problem that is certified in the test. */
static void compare_with_certified(const char *path, const char *until, size_t least_events)
{
    IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = path, .until = until});
    IC_OWN(ic_truth) truth = ic_tests_truth(&setup.problem, 16);
    CU_ASSERT(truth.count >= least_events);
    const double typical = ic_time_scale(&setup.problem);
    const double tolerance = ERRORS_PER_TIME * ASKED * fmax(truth.t_end, typical);
    for (size_t i = 0; i < IC_COUNT(peers); i++) {
        const ic_solver *solver = find_peer(i);
        if (solver == NULL) continue;
        IC_OWN(ic_log) *log =
            ic_tests_solve(solver->name, &setup.problem, &(ic_options){.rtol = ic_verify_rtol(solver)});
        const double error = ic_tests_worst_time(log, &truth);
        IC_EXPECT(error <= tolerance, "%s on %s: %.3g s, allowed %.3g ", solver->name, path, error, tolerance);
        const ic_work *work = ic_log_work(log);
        CU_ASSERT(work->flow_calls > 0 && work->guard_calls > 0 && work->steps > 0 &&
                  work->rejected_steps >= 0);
        truth.events[0].t += PLANTED * tolerance;
        CU_ASSERT_FALSE(ic_tests_worst_time(log, &truth) <= tolerance); /* planted: a time */
        truth.events[0].t -= PLANTED * tolerance;
        truth.count--;
        CU_ASSERT_FALSE(ic_tests_worst_time(log, &truth) <= tolerance); /* planted: an additional event */
        truth.count++;
    }
}

IC_TEST(test_roller)
{
    if (!IC_TEST_PEERS) return;
    compare_with_certified("roller/III/C", "1", 79);
}

IC_TEST(test_two_masses)
{
    if (!IC_TEST_PEERS) return;
    compare_with_certified("two-mass/forced", "20", 1);
    compare_with_certified("two-mass/plastic", "20", 1);
}

IC_TEST(test_bouncing_ball)
{
    if (!IC_TEST_PEERS) return;
    compare_with_certified("bouncing-ball/lively", "5", 4);
}

/* The beam against the most accurate of our general solvers, at a hundredth of the tolerance. */
IC_TEST(test_beam)
{
    if (!IC_TEST_PEERS) return;
    const double tolerance = 1e-8; /* s; rtol for each radian of the fastest mode, amplified */
    ic_status status = IC_OK;
    IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = "rotating-beam/main"});
    IC_OWN(ic_log) *fine = ic_tests_solve("dop853", &setup.problem, &(ic_options){.rtol = ASKED / 100});
    const size_t count = ic_log_event_count(fine);
    CU_ASSERT(count > 5);
    for (size_t i = 0; i < IC_COUNT(peers); i++) {
        const ic_solver *solver = find_peer(i);
        if (solver == NULL) continue;
        IC_OWN(ic_log) *log =
            ic_solve(solver, &setup.problem, &(ic_options){.rtol = ic_verify_rtol(solver)}, &status);
        CU_ASSERT(status == IC_OK && ic_log_event_count(log) == count);
        for (size_t k = 0; k < count && k < ic_log_event_count(log); k++) {
            const ic_event a = ic_log_event_at(log, k), b = ic_log_event_at(fine, k);
            CU_ASSERT_STRING_EQUAL(a.name, b.name);
            CU_ASSERT(fabs(a.t - b.t) <= tolerance);
            CU_ASSERT_FALSE(fabs(a.t + PLANTED * tolerance - b.t) <= tolerance); /* planted */
        }
    }
}

/* ---- failures, reported in the package's own words */

static void flow_that_fails(double *dxdt, double t, const double *x, const double *par)
{
    (void)x, (void)par;
    dxdt[0] = t < 1 ? 1 : NAN;
}

static void flow_that_explodes(double *dxdt, double t, const double *x, const double *par)
{
    (void)t, (void)par;
    dxdt[0] = x[0] * x[0]; /* x = 1/(1 - t): no further than t = 1 */
}

static int start_at_one(double *x, double t, const double *x_pre, const double *par)
{
    (void)t, (void)x_pre, (void)par;
    x[0] = 1;
    return 0;
}

static const ic_log *expect_failure(const ic_solver *solver,
                                    void (*flow)(double *, double, const double *, const double *),
                                    ic_log **log, ic_status *status)
{
    static const ic_state states[] = {{"x", "1", "", "1"}};
    static const ic_branch start[] = {{.mode = 0}};
    const ic_mode mode = {.name = "only", .meaning = "", .flow = flow};
    const ic_variant variant = {.name = "toy",
                                .meaning = "toy",
                                .modes = &mode,
                                .n_modes = 1,
                                .start = {start_at_one, start, 1, false, NULL}};
    const ic_case system = {IC_ABI(ic_case), .name = "toy",        .title = "toy",  .states = states,
                            .n_states = 1,   .variants = &variant, .n_variants = 1, .time_scale = "1"};
    const ic_problem problem = {.system = &system, .variant = &variant, .t_end = 2};
    *log = ic_log_new(&problem);
    *status = solver->solve(*log, &problem, &(ic_options){.max_steps = 1e5});
    return *log;
}

IC_TEST(test_failures)
{
    if (!IC_TEST_PEERS) return;
    for (size_t i = 0; i < IC_COUNT(peers); i++) {
        const ic_solver *solver = find_peer(i);
        ic_log *log = NULL;
        ic_status status = IC_OK;
        if (solver == NULL) continue;
        expect_failure(solver, flow_that_fails, &log, &status);
        CU_ASSERT(status == IC_NOT_FINITE || status == IC_STEP_TOO_SMALL);
        CU_ASSERT(ic_log_end(log).t > 0.5 && ic_log_end(log).t <= 1); /* time reached */
        CU_ASSERT(strlen(ic_log_text(log)) > 0);
        ic_log_free(log);
        expect_failure(solver, flow_that_explodes, &log, &status);
        CU_ASSERT(status == IC_NOT_FINITE || status == IC_STEP_TOO_SMALL);
        CU_ASSERT(ic_log_end(log).t < 1 + 1e-6);
        CU_ASSERT(strlen(ic_log_text(log)) > 0);
        ic_log_free(log);
    }
}
