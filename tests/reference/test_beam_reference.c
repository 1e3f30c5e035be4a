/* SPDX-License-Identifier: MIT */
/**
 * The reference for the rotating beam: its integrals by quadrature, the case's table of them, its
 * equations against the case's, its series against the equations, its answers against the energy
 * and each other; and the check that uses it. Each has a planted wrong answer.
 */
#include "casefile/cantilever.h"
#include "core/model.h"
#include "core/random.h"
#include "reference/beam_case.h"
#include "reference/cantilever.h"
#include "registry/registry.h"
#include "tests/reference/balls.h"
#include "tests/tests.h"
#include "validation/checks/check_enclosures.h"
#include "validation/subjects.h"
#include "validation/truth.h"

#include <CUnit/CUnit.h>
#include <math.h>
#include <string.h>

enum { BITS = 200 };

static double midpoint(const arb_t ball)
{
    return arf_get_d(arb_midref(ball), ARF_RND_NEAR);
}

/* ---- modes */

/* Rounded to the nearest double or its neighbour. */
#define ULP 0x1p-52
#define PLANTED 1e-15

static void expect_double(double value, const arb_t truth)
{
    CU_ASSERT(ic_tests_agrees_with_ball(value, truth, ULP));
    CU_ASSERT_FALSE(ic_tests_agrees_with_ball(value * (1 + PLANTED), truth, ULP)); /* planted */
}

static void expect_integral(double value, const ic_cantilever_integrand *integrand)
{
    arb_t truth;
    arb_init(truth);
    ic_cantilever_integral(truth, integrand);
    expect_double(value, truth);
    arb_clear(truth);
}

static void test_table(void)
{
    ic_cantilever_mode modes[IC_CANTILEVER_MODES];
    const double *a = ic_cantilever_a, *b = ic_cantilever_b;
    arb_t tail;
    arb_init(tail);
    for (int r = 0; r < IC_CANTILEVER_MODES; r++) {
        ic_cantilever_mode_init(&modes[r], r, BITS);
        ic_cantilever_mode_tail(tail, &modes[r]);
        expect_double(ic_cantilever_lambda[r], modes[r].lambda);
        expect_double(ic_cantilever_sigma[r], modes[r].sigma);
        expect_double(ic_cantilever_g[r], tail);
        for (int j = 0; j <= r; j++) {
            ic_cantilever_integrand slopes = {
                .weight = {1, 0, -1}, .first = &modes[r], .second = &modes[j], .derivative = 1};
            expect_integral(*a++, &slopes);
            slopes.weight[1] = -1, slopes.weight[2] = 0;
            expect_integral(*b++, &slopes);
        }
    }
    for (int r = 0; r < IC_CANTILEVER_MODES; r++) ic_cantilever_mode_clear(&modes[r]);
    arb_clear(tail);
}

/* The sum of exponentials and the quadrature are small balls that overlap. */
static void expect_same(const ic_cantilever_integrand *integrand)
{
    enum { QUADRATURE_BITS = 80, SMALL = -70 };
    arb_t sum, quadrature, planted;
    mag_t small;
    arb_init(sum), arb_init(quadrature), arb_init(planted);
    mag_init(small);
    mag_set_ui_2exp_si(small, 1, SMALL);
    ic_cantilever_integral(sum, integrand);
    ic_cantilever_integral_by_quadrature(quadrature, integrand, QUADRATURE_BITS);
    CU_ASSERT(arb_overlaps(sum, quadrature));
    CU_ASSERT(mag_cmp(arb_radref(sum), small) < 0 && mag_cmp(arb_radref(quadrature), small) < 0);
    arb_set_d(planted, PLANTED);
    arb_add(planted, sum, planted, BITS);
    CU_ASSERT_FALSE(arb_overlaps(planted, quadrature)); /* planted */
    arb_clear(sum), arb_clear(quadrature), arb_clear(planted);
    mag_clear(small);
}

static void test_quadrature(void)
{
    static const long pairs[][2] = {{0, 0}, {3, 1}, {4, 4}, {15, 14}, {15, 15}};
    for (size_t i = 0; i < IC_COUNT(pairs); i++) {
        ic_cantilever_mode first, second;
        ic_cantilever_mode_init(&first, pairs[i][0], BITS), ic_cantilever_mode_init(&second, pairs[i][1], BITS);
        const bool one = pairs[i][0] == pairs[i][1];
        ic_cantilever_integrand f = {
            .weight = {1, 0, -1}, .first = &first, .second = one ? &first : &second, .derivative = 1};
        expect_same(&f);
        f.weight[1] = -1, f.weight[2] = 0;
        expect_same(&f);
        f = (ic_cantilever_integrand){.weight = {1}, .first = &first, .second = f.second};
        expect_same(&f); /* 1 or 0: orthogonal */
        f.second = NULL, f.weight[0] = 0, f.weight[1] = 1;
        expect_same(&f);
        ic_cantilever_mode_clear(&first), ic_cantilever_mode_clear(&second);
    }
}

/* ---- equations */

/* Uniform in (-1, 1), the same each time. */
static double draw_number(uint64_t *seed)
{
    return 2 * ic_uniform(seed, 0, 1) - 1;
}

/* Opens a preset of the case; `settings` ends with NULL. */
static void open_case(ic_setup *setup, ic_beam_problem *beam, const char *path, const char *const *settings)
{
    char message[160];
    ic_request request = {.path = path, .settings = settings};
    while (settings != NULL && settings[request.n_settings] != NULL) request.n_settings++;
    CU_ASSERT_FATAL(ic_setup_open(setup, &request, NULL));
    CU_ASSERT_FATAL(ic_beam_problem_of(beam, &setup->problem, message, sizeof message));
}

/* A state with deflections of up to l/100 and the indentation d, in the order of the case; memory:
   0. */
static void draw_state(double *x, const ic_setup *setup, const ic_beam_model *b, double d, uint64_t *seed)
{
    const ic_case *system = setup->problem.system;
    double sum = 0;
    for (size_t i = 0; i < system->n_states; i++) x[i] = 0;
    for (slong r = 0; r < b->n; r++) {
        double *q = &x[ic_beam_state_of(IC_BEAM_PAIRS + 2 * r)];
        q[0] = 4e-3 * draw_number(seed) / (double)((r + 1) * (r + 1));
        q[1] = draw_number(seed);
        sum += midpoint(b->phi + r) * q[0];
    }
    x[IC_BEAM_THETA] = b->problem->number[IC_BEAM_THETA_S] + (d - sum) / midpoint(b->arm);
    x[IC_BEAM_OMEGA] = 20 * draw_number(seed);
}

/* Greatest difference of accelerations between case and reference, relative to the greatest of
   them. */
static double compare_flows(const ic_setup *setup, const ic_beam_model *b, const char *mode, const double *x)
{
    const ic_variant *variant = setup->problem.variant;
    const bool pushes = strcmp(mode, "contact") == 0;
    double rate[IC_MAX_STATES], difference = 0, largest = 0;
    ic_beam_regime regime = {.near_stop = pushes, .pushes = pushes};
    ic_beam_series s;
    arb_t d;
    arb_init(d), arb_init(regime.torque), arb_init(regime.v0);
    arb_ptr y = _arb_vec_init(2 + 2 * b->n);
    for (slong i = 0; i < 2 + 2 * b->n; i++) arb_set_d(y + i, x[ic_beam_state_of(i)]);
    ic_beam_indentation(d, b, y);
    regime.beyond = arb_gt(d, b->eps);
    ic_beam_series_init(&s, b, &regime, y, d, 2, INFINITY); /* in t */
    size_t m = 0;
    while (strcmp(variant->modes[m].name, mode) != 0) m++;
    variant->modes[m].flow(rate, 0, x, setup->problem.par);
    for (slong i = 1; i < 2 + 2 * b->n; i += 2) {
        const double truth = midpoint(ic_beam_series_state(&s, i) + 1);
        difference = fmax(difference, fabs(rate[ic_beam_state_of(i)] - truth));
        largest = fmax(largest, fabs(truth));
    }
    ic_beam_series_clear(&s);
    _arb_vec_clear(y, 2 + 2 * b->n);
    arb_clear(d), arb_clear(regime.torque), arb_clear(regime.v0);
    return difference / largest;
}

/* An indentation of a micrometre is a difference of some 0.1 m in doubles: 1e-16 0.1/1e-6, and a
   few times that. */
#define FLOW_TOLERANCE 1e-10

static void check_flows(const char *path, const char *const *settings)
{
    enum { DRAWS = 20 };
    ic_setup setup;
    ic_beam_problem beam;
    open_case(&setup, &beam, path, settings);
    ic_beam_problem planted = beam;
    planted.consistent = !planted.consistent;
    ic_beam_model b, other;
    ic_beam_model_init(&b, &beam, BITS), ic_beam_model_init(&other, &planted, BITS);
    uint64_t seed = 1;
    double x[IC_MAX_STATES], wrong = 0;
    for (int i = 0; i < DRAWS; i++) {
        /* below and beyond eps */
        draw_state(x, &setup, &b, 1e-6 * pow(100, (double)i / DRAWS), &seed);
        CU_ASSERT(compare_flows(&setup, &b, "free", x) < FLOW_TOLERANCE);
        wrong = fmax(wrong, compare_flows(&setup, &other, "free", x));
        if (setup.problem.variant->law != NULL)
            CU_ASSERT(compare_flows(&setup, &b, "contact", x) < FLOW_TOLERANCE);
    }
    /* planted: one with Eq. (16) as printed and the other with its full form */
    CU_ASSERT(wrong > 1e3 * FLOW_TOLERANCE);
    ic_beam_model_clear(&b), ic_beam_model_clear(&other);
    ic_setup_close(&setup);
}

static void test_equations(void)
{
    static const char *const all[] = {"a=0.02", "g=9.81", "x_p=0.35", NULL};
    static const char *const quadratic[] = {"n=2", "a=0.02", NULL};
    check_flows("rotating-beam/main", NULL);
    check_flows("rotating-beam/main", all);
    check_flows("rotating-beam/first-model", quadratic);
    check_flows("rotating-beam/as-printed", all);
    check_flows("rotating-beam/N16", NULL);
    check_flows("rotating-beam/momentum-balance", all);
}

/* ---- series */

/* dx/ds from the series against dt/ds times the equations, evaluated at x(s): the greatest
   difference. */
static double equation_residual(const ic_beam_series *s, const ic_beam_model *b, double at)
{
    enum { TWO = 2 };
    const slong n = 2 + 2 * b->n;
    double worst = 0;
    ic_beam_series fresh;
    arb_t u, d, rate, clock, x1;
    arb_init(u), arb_init(d), arb_init(rate), arb_init(clock), arb_init(x1);
    arb_ptr x = _arb_vec_init(n), derivative = _arb_vec_init(s->order);
    arb_set_d(u, at);
    for (slong i = 0; i < n; i++) _arb_poly_evaluate(x + i, ic_beam_series_state(s, i), s->order, u, BITS);
    ic_beam_indentation(d, b, x);
    ic_beam_series_init(&fresh, b, s->regime, x, d, TWO, INFINITY);
    _arb_poly_derivative(derivative, ic_beam_series_time(s), s->order, BITS);
    _arb_poly_evaluate(clock, derivative, s->order - 1, u, BITS);
    for (slong i = 0; i < n; i++) {
        _arb_poly_derivative(derivative, ic_beam_series_state(s, i), s->order, BITS);
        _arb_poly_evaluate(x1, derivative, s->order - 1, u, BITS);
        arb_mul(rate, ic_beam_series_state(&fresh, i) + 1, clock, BITS);
        arb_sub(x1, x1, rate, BITS);
        worst = fmax(worst, fabs(midpoint(x1)));
    }
    ic_beam_series_clear(&fresh);
    _arb_vec_clear(x, n), _arb_vec_clear(derivative, s->order);
    arb_clear(u), arb_clear(d), arb_clear(rate), arb_clear(clock), arb_clear(x1);
    return worst;
}

/* The residual of series with p coefficients falls like s^(p-1). */
static void check_order(const ic_beam_model *b, const ic_beam_regime *regime, arb_srcptr x, const arb_t d,
                        double step, int root)
{
    static const slong orders[] = {5, 8, 12};
    for (size_t i = 0; i < IC_COUNT(orders); i++) {
        ic_beam_series s;
        ic_beam_series_init(&s, b, regime, x, d, orders[i], 1);
        CU_ASSERT_EQUAL(s.root, root);
        const double order = log2(equation_residual(&s, b, step) / equation_residual(&s, b, step / 2));
        CU_ASSERT(fabs(order - ((double)orders[i] - 1)) < 0.25);
        CU_ASSERT_FALSE(fabs(order - (double)orders[i]) < 0.25); /* planted */
        ic_beam_series_clear(&s);
    }
}

static void test_series(void)
{
    ic_setup setup;
    ic_beam_problem beam;
    ic_beam_model b;
    double x[IC_MAX_STATES];
    uint64_t seed = 7;
    static const char *const all[] = {"a=0.02", "g=9.81", NULL};
    open_case(&setup, &beam, "rotating-beam/main", all);
    ic_beam_model_init(&b, &beam, BITS);
    const slong n = 2 + 2 * b.n;
    arb_t d;
    ic_beam_regime regime = {.near_stop = false};
    arb_init(d), arb_init(regime.torque), arb_init(regime.v0);
    arb_ptr y = _arb_vec_init(n);
    draw_state(x, &setup, &b, 0, &seed);
    x[IC_BEAM_OMEGA] = 10; /* towards the stop */
    for (slong i = 0; i < n; i++) arb_set_d(y + i, x[ic_beam_state_of(i)]);
    check_order(&b, &regime, y, d, 1e-6, 0); /* in t, free */
    regime.near_stop = regime.pushes = true;
    ic_beam_approach(regime.v0, &b, y);
    arb_zero(d);
    /* theta such that d is 0: the series starts there by theorem */
    ic_beam_indentation(d, &b, y);
    arb_div(d, d, b.arm, BITS);
    arb_sub(y + IC_BEAM_THETA, y + IC_BEAM_THETA, d, BITS);
    arb_zero(d);
    check_order(&b, &regime, y, d, 2e-5, 1); /* in sqrt(d), from the onset */
    ic_beam_model_clear(&b);
    _arb_vec_clear(y, n);
    arb_clear(d), arb_clear(regime.torque), arb_clear(regime.v0);
    ic_setup_close(&setup);
}

/* ---- answers */

/* 1/2 theta'^2 (J + q.G q) + theta' S.q' + 1/2 m q'.q' + 1/2 k.q^2 */
static void energy_of(arb_t sum, const ic_beam_model *b, arb_srcptr x)
{
    arb_t term, spin;
    arb_init(term), arb_init(spin);
    arb_mul(spin, x + IC_BEAM_OMEGA, x + IC_BEAM_OMEGA, BITS);
    arb_set(sum, b->J);
    for (slong r = 0; r < b->n; r++) {
        arb_dot(term, NULL, 0, arb_mat_entry(b->G, r, 0), 1, x + IC_BEAM_PAIRS, 2, b->n, BITS);
        arb_addmul(sum, term, x + IC_BEAM_PAIRS + 2 * r, BITS);
    }
    arb_mul(sum, sum, spin, BITS);
    for (slong r = 0; r < b->n; r++) {
        arb_srcptr q = x + IC_BEAM_PAIRS + 2 * r, p = q + 1;
        arb_mul(term, b->m, p, BITS);
        arb_addmul(term, b->S + r, x + IC_BEAM_OMEGA, BITS);
        arb_addmul(term, b->S + r, x + IC_BEAM_OMEGA, BITS);
        arb_addmul(sum, term, p, BITS);
        arb_mul(term, b->k + r, q, BITS);
        arb_addmul(sum, term, q, BITS);
    }
    arb_mul_2exp_si(sum, sum, -1);
    arb_clear(term), arb_clear(spin);
}

/* log10 of the relative change of energy from event i to the end. */
static double energy_digits(const ic_beam_problem *beam, const ic_beam_answer *answer, size_t i)
{
    ic_beam_model b;
    arb_t before, after;
    arb_init(before), arb_init(after);
    ic_beam_model_init(&b, beam, BITS);
    energy_of(before, &b, answer->events[i].x);
    energy_of(after, &b, answer->x);
    arb_div(after, after, before, BITS);
    arb_sub_si(after, after, 1, BITS);
    ic_beam_model_clear(&b);
    const double change = fabs(midpoint(after));
    arb_clear(before), arb_clear(after);
    return -log10(change);
}

enum { ENERGY_DIGITS = 25 };

/* A motion without losses through two contacts: the energy after the torque equals that at the
   end. */
static void test_energy(void)
{
    ic_setup setup;
    ic_beam_problem beam;
    ic_beam_answer answer;
    const ic_request request = {.path = "rotating-beam/main", .variant = "hertz"};
    char message[160];
    CU_ASSERT_FATAL(ic_setup_open(&setup, &request, NULL));
    CU_ASSERT_FATAL(ic_beam_problem_of(&beam, &setup.problem, message, sizeof message));
    ic_beam_reference(&answer, &beam, ENERGY_DIGITS);
    CU_ASSERT_EQUAL_FATAL(answer.status, IC_OK);
    CU_ASSERT_EQUAL(answer.count, 5); /* the torque ends, two contacts */
    CU_ASSERT(energy_digits(&beam, &answer, 0) > ENERGY_DIGITS);
    ic_beam_answer_clear(&answer);
    beam.consistent = false; /* planted: the equations as printed */
    ic_beam_reference(&answer, &beam, ENERGY_DIGITS);
    CU_ASSERT(energy_digits(&beam, &answer, 0) < 5);
    ic_beam_answer_clear(&answer);
    ic_setup_close(&setup);
}

/* Times and states of an answer lie in the balls of another. */
static bool is_contained(const ic_beam_answer *balls, const ic_beam_answer *other)
{
    bool inside = balls->count == other->count;
    for (size_t i = 0; inside && i < balls->count; i++) {
        inside = strcmp(balls->events[i].name, other->events[i].name) == 0 &&
                 arb_overlaps(balls->events[i].t, other->events[i].t);
        for (slong k = 0; k < balls->n_states; k++)
            inside = inside && arb_overlaps(balls->events[i].x + k, other->events[i].x + k);
    }
    for (slong k = 0; inside && k < balls->n_states; k++) inside = arb_overlaps(balls->x + k, other->x + k);
    return inside;
}

enum { AGREED_DIGITS = 30 };

/* Orders, precision, and the switch from t to sqrt(d): no free setting changes the answer. */
static void test_formulations(void)
{
    ic_setup setup;
    ic_beam_problem beam;
    ic_beam_answer answer, other;
    open_case(&setup, &beam, "rotating-beam/main", NULL);
    ic_beam_reference(&answer, &beam, AGREED_DIGITS);
    CU_ASSERT_EQUAL_FATAL(answer.status, IC_OK);
    CU_ASSERT(answer.digits >= AGREED_DIGITS);
    CU_ASSERT_EQUAL(answer.count, 13);
    ic_beam_run(&other, &beam, &(ic_beam_method){.bits = 200, .order = 70, .onset = 8});
    CU_ASSERT(is_contained(&answer, &other));
    ic_beam_answer_clear(&other);
    ic_beam_run(&other, &beam, &(ic_beam_method){.bits = 180, .order = 110, .onset = 0.1});
    CU_ASSERT(is_contained(&answer, &other));
    ic_beam_answer_clear(&other);
    beam.number[IC_BEAM_K] *= 1 + ULP; /* planted */
    ic_beam_run(&other, &beam, &(ic_beam_method){.bits = 180, .order = 110, .onset = 1});
    CU_ASSERT_FALSE(is_contained(&answer, &other));
    ic_beam_answer_clear(&other), ic_beam_answer_clear(&answer);
    ic_setup_close(&setup);
}

/* Exact parameters and the nearest doubles are different problems. */
static void test_exact(void)
{
    enum { DIGITS = 18 };
    ic_setup setup;
    ic_beam_problem beam;
    ic_beam_answer exact, rounded;
    open_case(&setup, &beam, "rotating-beam/momentum-balance", NULL);
    ic_beam_reference_of(&exact, &setup.problem, DIGITS);
    ic_beam_reference(&rounded, &beam, DIGITS);
    CU_ASSERT(exact.status == IC_OK && rounded.status == IC_OK);
    CU_ASSERT_EQUAL_FATAL(exact.count, rounded.count);
    for (size_t i = 0; i < exact.count; i++)
        CU_ASSERT(fabs(midpoint(exact.events[i].t) - midpoint(rounded.events[i].t)) < 1e-15);
    CU_ASSERT_FALSE(
        /* planted: texts are ignored */
        arb_overlaps(exact.events[1].t, rounded.events[1].t));
    ic_beam_answer_clear(&exact), ic_beam_answer_clear(&rounded);
    ic_setup_close(&setup);
}

static void test_refusals(void)
{
    static const char *const settings[] = {"n=1.7", NULL};
    ic_setup setup;
    ic_beam_problem beam;
    ic_beam_answer answer;
    char message[160];
    open_case(&setup, &beam, "rotating-beam/main", settings);
    ic_beam_reference_of(&answer, &setup.problem, 10);
    CU_ASSERT_EQUAL(answer.status, IC_UNSUPPORTED);
    ic_beam_answer_clear(&answer);
    ic_setup_close(&setup);
    CU_ASSERT_FATAL(
        ic_setup_open(&setup, &(ic_request){.path = "rotating-beam/main", .variant = "flores"}, NULL));
    CU_ASSERT_FALSE(ic_beam_problem_of(&beam, &setup.problem, message, sizeof message));
    CU_ASSERT_PTR_NOT_NULL(strstr(message, "flores"));
    ic_beam_reference_of(&answer, &setup.problem, 10);
    CU_ASSERT_EQUAL(answer.status, IC_UNSUPPORTED);
    ic_beam_answer_clear(&answer);
    ic_setup_close(&setup);
    CU_ASSERT_FATAL(ic_setup_open(&setup, &(ic_request){.path = "roller/III/C"}, NULL));
    CU_ASSERT_FALSE(ic_beam_problem_of(&beam, &setup.problem, message, sizeof message));
    ic_setup_close(&setup);
}

/* ---- the check */

/* A solver whose beam is heavier by one part in a million. */
static ic_status solve_heavier_beam(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    enum { RHO = 2 };
    double par[64];
    ic_problem wrong = *problem;
    memcpy(par, problem->par, problem->system->n_parameters * sizeof *par);
    par[RHO] *= 1 + 1e-6;
    wrong.par = par;
    return ic_solver_find("dop853")->solve(log, &wrong, options);
}

static void test_check(void)
{
    static const char *const paths[] = {"rotating-beam/main", "rotating-beam/first-model",
                                        "rotating-beam/momentum-balance"};
    const ic_solver wrong = {IC_ABI(ic_solver), .name = "wrong", .control = IC_CONTROL_RTOL,
                             .solve = solve_heavier_beam};
    const ic_solver *solvers[] = {ic_solver_find("dop853"), ic_solver_find("rk45_bisection"), &wrong};
    for (size_t p = 0; p < IC_COUNT(paths); p++) {
        char error[256];
        ic_setup setup;
        ic_truth truth;
        ic_results results = {0};
        CU_ASSERT_FATAL(ic_setup_open(&setup, &(ic_request){.path = paths[p]}, NULL));
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
static double stepping_error(const ic_problem *problem, const ic_beam_answer *truth, double parts)
{
    ic_status status;
    const ic_options options = {.step = ic_default_step(problem) / parts};
    ic_log *log = ic_solve(ic_solver_find("rk4_henon"), problem, &options, &status);
    CU_ASSERT_PTR_NOT_NULL_FATAL(log);
    CU_ASSERT_EQUAL(status, IC_OK);
    CU_ASSERT_EQUAL_FATAL(ic_log_event_count(log), truth->count);
    const double t = ic_log_event_at(log, truth->count - 1).t;
    ic_log_free(log);
    return fabs(t - midpoint(truth->events[truth->count - 1].t));
}

/* Steps that resolve the transition zone, 2.2 microseconds, show the order 4 that the default step
   does not reach. */
static void test_stepping_order(void)
{
    ic_setup setup;
    ic_beam_problem beam;
    ic_beam_answer truth;
    open_case(&setup, &beam, "rotating-beam/main", NULL);
    setup.problem.t_end = beam.number[IC_BEAM_T_END] = 0.0809;
    setup.problem.t_end_text = NULL;
    ic_beam_reference(&truth, &beam, 16);
    CU_ASSERT_EQUAL_FATAL(truth.status, IC_OK);
    const double order =
        log2(stepping_error(&setup.problem, &truth, 8) / stepping_error(&setup.problem, &truth, 16));
    CU_ASSERT(order > 3.3 && order < 4.5);
    ic_beam_answer_clear(&truth);
    ic_setup_close(&setup);
}

void ic_tests_beam_reference(void)
{
    CU_pSuite suite = CU_add_suite("beam reference", NULL, NULL);
    CU_ADD_TEST(suite, test_table);
    CU_ADD_TEST(suite, test_quadrature);
    CU_ADD_TEST(suite, test_equations);
    CU_ADD_TEST(suite, test_series);
    CU_ADD_TEST(suite, test_energy);
    CU_ADD_TEST(suite, test_formulations);
    CU_ADD_TEST(suite, test_exact);
    CU_ADD_TEST(suite, test_refusals);
    CU_ADD_TEST(suite, test_check);
    CU_ADD_TEST(suite, test_stepping_order);
}
