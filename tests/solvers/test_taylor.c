/* SPDX-License-Identifier: MIT */
/**
 * taylor: the search for sign changes of polynomials with known zeros; errors that follow the
 * tolerance; counts of steps and calls; motion far slower than the field's rates; the phase of the
 * forcing after many periods.
 */
#include "core/model.h"
#include "core/random.h"
#include "impactcheck/impactcheck.h"
#include "registry/registry.h"
#include "solvers/linear/polynomial_crossings.h"
#include "tests/machine.h"
#include "validation/subjects.h"
#include "validation/truth.h"

#include <float.h>

IC_SUITE(solvers, "taylor")

/* ---- polynomials with known zeros */

enum { MOST_ROOTS = 12 };

/* The product of (s - root), with errors of a rounding for each factor. */
static void take_roots(ic_polynomial *p, const double *roots, int n)
{
    *p = (ic_polynomial){.degree = n, .c = {1}, .error = {1}};
    for (int i = 0; i < n; i++) {
        for (int j = i + 1; j > 0; j--) {
            p->c[j] = p->c[j - 1] - roots[i] * p->c[j];
            p->error[j] = p->error[j - 1] + fabs(roots[i]) * p->error[j];
        }
        p->c[0] *= -roots[i];
        p->error[0] *= fabs(roots[i]);
    }
    for (int j = 0; j <= n; j++) p->error[j] *= 16 * DBL_EPSILON;
    ic_polynomial_divide(p, 0);
}

typedef struct found {
    int count;
    bool doubt;
    double at[MOST_ROOTS];
} found;

/* The search of a rough polynomial stops in doubt; the other decides, but for touches. */
static found search_zeros(const double *roots, int n, bool rough)
{
    found f = {.count = 0};
    ic_polynomial p;
    ic_polynomial_search q = {.evaluations = 0};
    ic_polynomial_outcome outcome;
    double iterations = 0;
    take_roots(&p, roots, n);
    p.rough = rough;
    ic_polynomial_search_begin(&q, &p, p.c[0] > 0 ? 1 : -1, 1);
    while ((outcome = ic_polynomial_search_next(&q)) == IC_POLYNOMIAL_CHANGES && f.count < MOST_ROOTS) {
        f.at[f.count++] = ic_polynomial_locate(&q, &iterations);
    }
    f.doubt = outcome == IC_POLYNOMIAL_DOUBT || q.grazes || q.blurred;
    return f;
}

/* Zeros are located to rounding: some 2^-52 of the sum of terms, over slopes of at least 1e-5 for
   the polynomials here. */
#define AT_ROOT 1e-9

static bool expect_zeros(const double *roots, int n, const double *inside, int n_inside)
{
    const found f = search_zeros(roots, n, false);
    bool right = !f.doubt && f.count == n_inside;
    for (int i = 0; right && i < n_inside; i++) right = fabs(f.at[i] - inside[i]) <= AT_ROOT;
    return right;
}

IC_TEST(test_known_zeros)
{
    static const double pair[] = {0.3, 0.31}, four[] = {0.1, 0.12, 0.6, 0.97}, outside[] = {-0.1, 1.1, 2},
                        three[] = {-0.2, 0.27, 0.55, 0.83, 1.4}, wrong[] = {0.27, 0.55, 0.84};
    CU_ASSERT(expect_zeros(pair, 2, pair, 2));
    CU_ASSERT(expect_zeros(four, 4, four, 4));
    CU_ASSERT(expect_zeros(outside, 3, NULL, 0));
    CU_ASSERT(expect_zeros(three, 5, three + 1, 3));
    CU_ASSERT_FALSE(expect_zeros(three, 5, wrong, 3)); /* planted */
    /* planted: what the signs at both ends show of an even number of zeros */
    CU_ASSERT_FALSE(expect_zeros(pair, 2, NULL, 0));
    CU_ASSERT_FALSE(expect_zeros(four, 4, NULL, 0));
}

/* A touch is in doubt, and a close pair is not. */
IC_TEST(test_doubtful_zeros)
{
    static const double touch[] = {0.4, 0.4, 3}, close[] = {0.7, 0.7 + 1e-6};
    const found touched = search_zeros(touch, 3, false), passed = search_zeros(close, 2, false);
    CU_ASSERT(touched.doubt && touched.count % 2 == 0);
    CU_ASSERT(!passed.doubt && passed.count == 2);
    CU_ASSERT(search_zeros(close, 2, true).doubt);
}

/* A zero that rounding has left behind the start is at the start, and needs no search. */
IC_TEST(test_zero_at_the_start)
{
    const ic_polynomial p = {
        .degree = 1, .c = {-1e-10, -1}, .rough = true, .size = 1, .sum = -1, .noise = 1e-9};
    ic_polynomial_search q = {.evaluations = 0};
    double iterations = 0;
    ic_polynomial_search_begin(&q, &p, 1, 1);
    CU_ASSERT_EQUAL(ic_polynomial_search_next(&q), IC_POLYNOMIAL_CHANGES);
    CU_ASSERT_EQUAL(ic_polynomial_locate(&q, &iterations), 0);
    CU_ASSERT_EQUAL(iterations, 0); /* planted: halving [0, 1/4] took 200 */
}

/* Zeros at random, inside and outside of [0, 1]: in order and all of them, or a doubt, if the
   polynomial is rough, where two are close together. */
enum { POLYNOMIALS = 2000, MOST_DOUBTS = POLYNOMIALS / 10 };
#define LEAST_DISTANCE 5e-3

static void check_random_zeros(bool rough)
{
    uint64_t state = 1;
    int doubts = 0, wrong = 0, changes = 0;
    for (int k = 0; k < POLYNOMIALS; k++) {
        double roots[MOST_ROOTS], inside[MOST_ROOTS], distance = 1;
        int n = 1 + (int)(8 * ic_uniform(&state, 0, 1)), n_inside = 0;
        for (int i = 0; i < n; i++) {
            int at = n_inside;
            roots[i] = 3 * ic_uniform(&state, 0, 1) - 1;
            if (roots[i] <= 0 || roots[i] > 1) continue;
            for (; at > 0 && inside[at - 1] > roots[i]; at--) inside[at] = inside[at - 1];
            inside[at] = roots[i];
            n_inside++;
        }
        for (int i = 1; i < n_inside; i++) distance = fmin(distance, inside[i] - inside[i - 1]);
        const found f = search_zeros(roots, n, rough);
        if (f.doubt) doubts++;
        else if (f.count != n_inside) wrong++;
        changes += f.count;
        if (f.doubt || distance < LEAST_DISTANCE) continue;
        for (int i = 0; i < f.count && i < n_inside; i++) wrong += fabs(f.at[i] - inside[i]) > 1e3 * AT_ROOT;
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(changes > POLYNOMIALS); /* there was something to find */
    CU_ASSERT(doubts <= (rough ? MOST_DOUBTS : 0));
}

IC_TEST(test_random_zeros)
{
    check_random_zeros(true);
    check_random_zeros(false);
}

/* ---- errors and work */

static ic_log *run_preset(const ic_problem *problem, double rtol)
{
    return ic_tests_solve("taylor", problem, &(ic_options){.rtol = rtol});
}

/* An error of rtol for each time scale, of which some ten pass; plus rounding of some hundred
   operations. */
static double allowed_error(double rtol, double typical)
{
    return 10 * rtol * typical + 500 * DBL_EPSILON * typical;
}

enum { TOLERANCES = 6 };

IC_TEST(test_error_by_tolerance)
{
    static const struct {
        const char *path, *until;
    } rows[] = {{"roller/III/C", "0.3"}, {"two-mass/forced", NULL}, {"planar-bar/kappa-100", NULL}};
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        double error[TOLERANCES], rtol[TOLERANCES];
        IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = rows[i].path, .until = rows[i].until});
        IC_OWN(ic_truth) truth = ic_tests_truth(&setup.problem, 18);
        CU_ASSERT_FATAL(truth.count > 0);
        const double typical = ic_time_scale(&setup.problem);
        for (int k = 0; k < TOLERANCES; k++) {
            rtol[k] = pow(100, -k - 2);
            IC_OWN(ic_log) *log = run_preset(&setup.problem, rtol[k]);
            error[k] = ic_tests_worst_time(log, &truth);
            CU_ASSERT(error[k] <= allowed_error(rtol[k], typical));
        }
        for (int k = 0; k + 2 < TOLERANCES; k++) {
            /* planted: a run with a looser tolerance */
            CU_ASSERT_FALSE(error[k] <= allowed_error(rtol[k + 2], typical));
        }
        CU_ASSERT(error[TOLERANCES - 1] < 1e-6 * error[0]);
    }
}

/* Free flight is a polynomial of degree 2: one step per phase for any tolerance. */
IC_TEST(test_flight_is_one_step)
{
    IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = "bouncing-ball/lively"});
    for (int digits = 3; digits <= 14; digits++) {
        IC_OWN(ic_log) *log = run_preset(&setup.problem, pow(10, -digits));
        CU_ASSERT_EQUAL(ic_log_work(log)->steps, (double)ic_log_event_count(log) + 1);
        CU_ASSERT_NOT_EQUAL(ic_log_work(log)->steps, (double)ic_log_event_count(log)); /* planted */
    }
}

/* Steps that end where the ball is back on the ground to within some units in the last place:
   rounding hides on which side it is. It is thrown up, lands after 2 v0/g, and rebounds with a
   fraction of its speed. */
IC_TEST(test_steps_that_end_at_an_event)
{
    enum { NEXT_TO = 6 };
    static const char *const settings[] = {"h=0", "v0=9.81", "e=1/2"};
    IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){"bouncing-ball/drop", settings, 3, "3.25", NULL});
    for (int k = -NEXT_TO; k <= NEXT_TO; k++) {
        const ic_options options = {.rtol = 1e-10, .step = 2 + k * 2 * DBL_EPSILON};
        IC_OWN(ic_log) *log = ic_tests_solve("taylor", &setup.problem, &options);
        CU_ASSERT_EQUAL_FATAL(ic_log_event_count(log), 2);
        CU_ASSERT(fabs(ic_log_event_at(log, 0).t - 2) <= 4 * DBL_EPSILON);
        CU_ASSERT(fabs(ic_log_event_at(log, 1).t - 3) <= 8 * DBL_EPSILON);
        CU_ASSERT_FALSE(fabs(ic_log_event_at(log, 1).t - 3.25) <=
                        8 * DBL_EPSILON); /* planted: it passes through the ground */
    }
}

/* A flow call is one coefficient: the calls per step equal the order, which grows with the
   requested digits. */
IC_TEST(test_work)
{
    double before = 0;
    IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = "roller/III/C", .until = "0.2"});
    for (int digits = 3; digits <= 14; digits++) {
        IC_OWN(ic_log) *log = run_preset(&setup.problem, pow(10, -digits));
        const ic_work *work = ic_log_work(log);
        const double order = work->flow_calls / work->steps;
        CU_ASSERT(order == floor(order) && order > before);
        CU_ASSERT(work->rejected_steps == 0 && work->guard_calls > 0);
        before = order;
    }
}

/* Soil with hardly any damping: the element's rate k/c is 2e11/s and nothing moves that fast. Steps
   follow the motion, whose fastest rate is sqrt(k/m2) = 316/s: h is some 5 to 10 over that. */
IC_TEST(test_motion_slower_than_the_field)
{
    static const char *const settings[] = {"c=1e-3"};
    IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){"roller/III/C", settings, 1, "0.3", NULL});
    IC_OWN(ic_log) *log = run_preset(&setup.problem, 1e-10);
    /* with outputs it is followed in parts: its windows are as short as the field is fast */
    IC_OWN(ic_log) *exact = ic_tests_solve("piecewise_linear", &setup.problem, &(ic_options){.samples = 2});
    CU_ASSERT(ic_log_work(log)->steps < 100);
    CU_ASSERT_EQUAL_FATAL(ic_log_event_count(log), ic_log_event_count(exact));
    for (size_t i = 0; i < ic_log_event_count(log); i++) {
        const double off = fabs(ic_log_event_at(log, i).t - ic_log_event_at(exact, i).t);
        CU_ASSERT(off <= 1e-8);
        CU_ASSERT_FALSE(off + 1e-6 <= 1e-8); /* planted */
    }
}

/* ---- the phase of the forcing */

/* x' = cos(w t + phase): x = (sin(w t + phase) - sin phase)/w after 16000 periods. */
enum { OMEGA, PHASE };
#define PERIODS_RUN 100.0

static const ic_parameter parameters[] = {{"omega", "rad/s", "", "1000", "(0, inf)"},
                                          {"phase", "rad", "", "1/4", "(-inf, inf)"}};
static const ic_state states[] = {{"x", "m", "", "1/omega"}};

static void driven_flow(double *dxdt, double t, const double *x, const double *par)
{
    (void)x;
    dxdt[0] = cos(par[OMEGA] * t + par[PHASE]);
}
static const char *const drive_linear[] = {"cos(omega*t + phase)"};

static int from_zero(double *x, double t, const double *x_pre, const double *par)
{
    (void)t, (void)x_pre, (void)par;
    x[0] = 0;
    return 0;
}
static const char *const zero[] = {"0"};
static const ic_branch starts[] = {{.mode = 0, .state = zero}};

IC_TEST(test_phase_of_forcing)
{
    const ic_mode mode = {.name = "driven", .meaning = "", .flow = driven_flow, .linear = drive_linear};
    const ic_variant variant = {.name = "driven",
                                .meaning = "",
                                .modes = &mode,
                                .n_modes = 1,
                                .start = IC_LINEAR_JUMP(from_zero, starts)};
    const ic_case system = {IC_ABI(ic_case),   .name = "driven",       .title = "",   .parameters = parameters,
                            .n_parameters = 2, .states = states,       .n_states = 1, .variants = &variant,
                            .n_variants = 1,   .time_scale = "1/omega"};
    const double par[] = {1000, 0.25};
    const ic_problem problem = {.system = &system, .variant = &variant, .par = par, .t_end = PERIODS_RUN};
    IC_OWN(ic_log) *log = run_preset(&problem, 1e-13);
    const double w = par[OMEGA], steps = ic_log_work(log)->steps;
    const double exact = (sin(w * PERIODS_RUN + par[PHASE]) - sin(par[PHASE])) / w;
    /* rounding of some units in the last place of 1/w in each step, all of one sign */
    const double allowed = 4 * DBL_EPSILON * steps / w;
    CU_ASSERT(steps > 1000 && fabs(ic_log_end(log).x[0] - exact) <= allowed);
    /* planted: a time that is off by some units in its last place in each step */
    CU_ASSERT_FALSE(fabs(ic_log_end(log).x[0] - exact - DBL_EPSILON * PERIODS_RUN * steps) <= allowed);
}

/* ---- a workspace that is kept for the next run */

static ic_log *run_at(const ic_problem *problem, double rtol)
{
    ic_log *log = ic_log_new(problem);
    ic_options options = {.rtol = rtol};
    CU_ASSERT_FATAL(log != NULL && ic_solver_find("taylor")->solve(log, problem, &options) == IC_OK);
    return log;
}

static bool are_same(ic_log *a, ic_log *b, size_t n_states)
{
    const size_t n = ic_log_event_count(a);
    const ic_work *of_a = ic_log_work(a), *of_b = ic_log_work(b);
    bool same =
        n == ic_log_event_count(b) && of_a->steps == of_b->steps && of_a->flow_calls == of_b->flow_calls;
    for (size_t i = 0; i < n && same; i++) same = ic_log_event_at(a, i).t == ic_log_event_at(b, i).t;
    return same && memcmp(ic_log_end(a).x, ic_log_end(b).x, n_states * sizeof(double)) == 0;
}

/* The second run of a prepared problem has the bits of the first, whatever ran between them. */
IC_TEST(test_runs_again)
{
    for (size_t i = 0; i < ic_case_count; i++) {
        IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = ic_cases[i]->name});
        const size_t n = setup.problem.system->n_states;
        if (ic_solver_solves(ic_solver_find("taylor"), &setup.problem)) {
            IC_OWN(ic_log) *fresh = run_at(&setup.problem, 1e-6);
            CU_ASSERT_FATAL(ic_setup_prepare(&setup, NULL));
            IC_OWN(ic_log) *first = run_at(&setup.problem, 1e-6), *other = run_at(&setup.problem, 1e-10);
            IC_OWN(ic_log) *second = run_at(&setup.problem, 1e-6);
            CU_ASSERT(are_same(fresh, first, n) && are_same(first, second, n));
            CU_ASSERT_FALSE(are_same(second, other, n) && ic_log_work(other)->steps > 100); /* planted */
        }
    }
}
