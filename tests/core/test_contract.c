/* SPDX-License-Identifier: MIT */
/**
 * The event contract of the public header, clause by clause, for every registered solver and for
 * the certifier.
 *
 * The problems are toys with closed-form answers: a point x that moves with a given velocity, and
 * guards that are polynomials or shifts of it. Each clause has a planted wrong answer that the
 * check must reject.
 */
#include "casefile/casefile.h"
#include "core/model.h"
#include "reference/flow/certify.h"
#include "registry/registry.h"
#include "tests/core/toy.h"
#include "tests/machine.h"
#include "tests/solvers/by_equations.h"
#include "validation/subjects.h"

IC_SUITE(light, "event contract")

/* Times of toy events are of order 1: the default location width is 1e-13, plus a few roundings. */
#define TOY_TIME_TOLERANCE 1e-11

/* Errors of adaptive solvers over a run. */
#define TOY_RTOL 1e-11

/* Solvers with fixed steps of 0.01 locate events to the fourth power of a step. */
#define TOY_STEP 0.01
#define TOY_STEP_TIME_TOLERANCE 1e-8

static double tolerance;

/* ---- toy problems */

static const ic_parameter parameters[] = {TOY_PARAMETERS};

IC_TESTS_VALUE(at_0, x[X])
IC_TESTS_VALUE(at_1, x[X] - 1)
IC_TESTS_VALUE(at_2, x[X] - 2)
IC_TESTS_VALUE(rate_of_guard, x[V])
IC_TESTS_VALUE(always_negative, -1)

static const ic_branch to_first[] = {{.mode = FIRST}};
static const ic_branch to_second[] = {{.mode = SECOND}};

TOY_JUMP(reverse_velocity, -x_pre[V])
static const char *const reversed[] = {"x", "-v"};
static const ic_branch reverse_branches[] = {{.mode = FIRST, .state = reversed}};

TOY_JUMP(stop_point, 0)
static const char *const halted[] = {"x", "0",
                                     /* the entries after the states' expressions are not used */
                                     "v"};
static const ic_branch halt_branches[] = {{.mode = FIRST, .state = halted}};

TOY_JUMP(halve_velocity, -0.5 * x_pre[V])
static const char *const halved[] = {"x", "-v/2"};
static const ic_branch halve_branches[] = {{.mode = FIRST, .state = halved}};

TOY_JUMP_TO(not_finite, NAN, NAN)

static int no_branch(double *x_post, double t, const double *x_pre, const double *par)
{
    keep_state(x_post, t, x_pre, par);
    return 7;
}

#define GUARD(name_, direction_, value_, linear_, jump_)                                                       \
    {                                                                                                          \
        .name = name_, .unit = "m", .meaning = "", .direction = direction_, .value = value_,                   \
        .rate = rate_of_guard, .linear = linear_, .jump = jump_                                                \
    }
#define STAY_FIRST IC_LINEAR_JUMP(keep_state, to_first)
#define STAY_SECOND IC_LINEAR_JUMP(keep_state, to_second)

/* A toy: the guards of its two modes, and its time events. */
typedef struct toy {
    ic_mode modes[2];
    ic_variant variant;
    ic_case system;
    ic_problem problem;
    double par[3];
    const char *par_text[3];
    ic_log *log;
    ic_status status;

    /* Solver of the last run, for messages. */
    const ic_solver *solver;
} toy;

static void toy_open(toy *y, const ic_guard *first, size_t n_first, const ic_guard *second, size_t n_second)
{
    ic_log_free(y->log);
    *y = (toy){0};
    const ic_mode mode = {.name = "first", .meaning = "", .flow = flow_of_motion, .linear = motion_text};
    y->modes[FIRST] = y->modes[SECOND] = mode;
    y->modes[SECOND].name = "second";
    y->modes[FIRST].guards = first;
    y->modes[FIRST].n_guards = n_first;
    y->modes[SECOND].guards = second;
    y->modes[SECOND].n_guards = n_second;
    y->variant = (ic_variant){.name = "toy",
                              .meaning = "toy",
                              .modes = y->modes,
                              .n_modes = 2,
                              .start = IC_LINEAR_JUMP(start_toy, start_branches)};
    y->system = (ic_case){IC_ABI(ic_case),   .name = "toy",    .title = "toy", .parameters = parameters,
                          .n_parameters = 3, .states = states, .n_states = 2,  .variants = &y->variant,
                          .n_variants = 1,   .time_scale = "1"};
    y->par[START_V] = 1;
}

static const ic_solver certifier = {IC_ABI(ic_solver), .name = "certifier", .solve = ic_tests_certify_into_log,
                                    .control = IC_CONTROL_NONE};

/* Zeros leave the step and the tolerance of events to the solver. */
static void toy_run_with(toy *y, const ic_solver *solver, double t_end, double step, double event_tol)
{
    const ic_options options = {.rtol = ic_rtol_for(solver, TOY_RTOL), .step = step, .event_tol = event_tol};
    tolerance = solver->steps_over_events            ? TOY_STEP
                : solver->control == IC_CONTROL_STEP ? TOY_STEP_TIME_TOLERANCE
                                                     : TOY_TIME_TOLERANCE;
    y->problem = (ic_problem){.system = &y->system, .variant = &y->variant, .par = y->par, .t_end = t_end};
    ic_log_free(y->log);
    y->log = ic_log_new(&y->problem);
    y->solver = solver;
    y->status = solver->solve(y->log, &y->problem, &options);
}

static void toy_run(toy *y, const ic_solver *solver, double t_end)
{
    toy_run_with(y, solver, t_end, TOY_STEP, 0);
}

static bool event_is(const toy *y, size_t i, const char *name, double t, int sequence)
{
    return ic_tests_event_is(y->log, i, name, t, tolerance, sequence);
}

/* An event that a clause demands. */
typedef struct expected {
    const char *name;
    double t;
    int sequence;
} expected;

/* Prints the solver, the clause, and what the solver's run gave. */
static void print_found(const toy *y, int clause)
{
    char title[96];
    snprintf(title, sizeof title, "%s, clause %d", y->solver->name, clause);
    ic_tests_print_run(title, y->status, y->log, &y->variant);
}

/* Whether a run gave this status and exactly these events; if not, prints both. */
static bool run_gave(const toy *y, int clause, ic_status status, size_t n, const expected *events)
{
    bool same = y->status == status && ic_log_event_count(y->log) == n;
    for (size_t i = 0; i < n; i++)
        same = same && event_is(y, i, events[i].name, events[i].t, events[i].sequence);
    if (same) return true;
    print_found(y, clause);
    printf("    expected status '%s', %zu events, to within %g s\n", ic_status_text(status), n, tolerance);
    for (size_t i = 0; i < n; i++) {
        printf("    expected event %zu: '%s' at t = %.15g, sequence number %d\n", i, events[i].name,
               events[i].t, events[i].sequence);
    }
    return false;
}

static bool run_gave_none(const toy *y, int clause, ic_status status)
{
    return run_gave(y, clause, status, 0, NULL);
}

/* Passes on whether a clause holds; if not, prints what was expected and what the run gave. */
static bool told(const toy *y, int clause, bool holds, const char *expectation)
{
    if (holds) return true;
    print_found(y, clause);
    printf("    expected %s (tolerance of the time of an event: %g s)\n", expectation, tolerance);
    return false;
}

/*
 * General solver number i, the certifier and taylor by equations last; NULL: solver i handles
 * impacts only, or does not locate events although asked to.
 */
static const ic_solver *general_solver(size_t i, bool locates)
{
    if (i == ic_solver_count) return &certifier;
    if (i > ic_solver_count) return &ic_taylor_by_equations;
    if (locates && ic_solvers[i]->steps_over_events) return NULL;
    return (ic_solvers[i]->needs & (IC_NEEDS_IMPACT_VIEW | IC_NEEDS_STOPS_VIEW)) == 0 ? ic_solvers[i] : NULL;
}

static bool solver_keeps_contract(const ic_solver *solver, int clause)
{
    return (solver->clauses_not_kept & IC_CLAUSE(clause)) == 0;
}

/*
 * Number of our solvers that locate events: rk4_henon, rk45_bisection, dop853, taylor, by its
 * linear view and by equations, piecewise_linear, and the certifier. They keep all clauses.
 */
#define OWN 7

/* Each solver, with a toy for its runs. */
#define FOR_SOLVERS(solver_, toy_, locates_)                                                                   \
    for (size_t s_ = 0; s_ <= ic_solver_count + 1; s_++)                                                       \
        for (const ic_solver *solver_ = general_solver(s_, (locates_)); solver_ != NULL; solver_ = NULL)       \
            for (toy toy_ = {.log = NULL}, *once_ = &toy_; once_ != NULL; ic_log_free(toy_.log), once_ = NULL)
#define FOR_EACH_SOLVER(solver_, toy_) FOR_SOLVERS(solver_, toy_, true)
/* The same with solvers that step over events, for clauses that they keep too. */
#define FOR_EVERY_SOLVER(solver_, toy_) FOR_SOLVERS(solver_, toy_, false)

/* ---- clauses */

/* 1: x rises through 1 at t = 1 and, thrown up with a = -1, v0 = 2, falls through it again. */
IC_TEST(test_direction)
{
    static const ic_guard rising[] = {GUARD("rising", +1, at_1, "x - 1", STAY_FIRST)};
    static const ic_guard falling[] = {GUARD("falling", -1, at_1, "x - 1", STAY_FIRST)};
    static const ic_guard both[] = {GUARD("both", 0, at_1, "x - 1", STAY_FIRST)};
    const double up = 2 - sqrt(2), down = 2 + sqrt(2); /* 2 t - t^2/2 = 1 */
    FOR_EVERY_SOLVER(solver, y)
    {
        toy_open(&y, rising, 1, NULL, 0);
        y.par[ACCELERATION] = -1, y.par[START_V] = 2;
        toy_run(&y, solver, 5);
        CU_ASSERT(run_gave(&y, 1, IC_OK, 1, (const expected[]){{"rising", up, 0}}));
        CU_ASSERT_FALSE(event_is(&y, 0, "rising", down, 0)); /* planted */
        y.modes[FIRST].guards = falling;
        toy_run(&y, solver, 5);
        CU_ASSERT(run_gave(&y, 1, IC_OK, 1, (const expected[]){{"falling", down, 0}}));
        y.modes[FIRST].guards = both;
        toy_run(&y, solver, 5);
        CU_ASSERT(run_gave(&y, 1, IC_OK, 2, (const expected[]){{"both", up, 0}, {"both", down, 0}}));
    }
}

/* 1: a guard that is disabled at its crossing passes without effect. */
IC_TEST(test_enabled)
{
    ic_guard off[] = {GUARD("off", +1, at_1, "x - 1", STAY_FIRST), GUARD("on", +1, at_2, "x - 2", STAY_FIRST)};
    off[0].enabled = always_negative;
    off[0].linear_enabled = "-1";
    FOR_EVERY_SOLVER(solver, y)
    {
        toy_open(&y, off, 2, NULL, 0);
        toy_run(&y, solver, 3);
        CU_ASSERT(run_gave(&y, 1, IC_OK, 1, (const expected[]){{"on", 2, 0}}));
        CU_ASSERT_FALSE(event_is(&y, 0, "off", 1, 0)); /* planted */
    }
}

/* 2: a guard that is zero at the start fires at once if its rate has its direction, and not if
   it has the opposite one; if the rate is zero as well, the side to which the guard departs
   decides. */
IC_TEST(test_zero_at_start)
{
    static const ic_guard rising[] = {GUARD("rising", +1, at_0, "x", STAY_SECOND)};
    FOR_EACH_SOLVER(solver, y)
    {
        toy_open(&y, rising, 1, NULL, 0);
        toy_run(&y, solver, 1);
        CU_ASSERT(run_gave(&y, 2, IC_OK, 1, (const expected[]){{"rising", 0, 0}}));
        y.par[START_V] = -1, y.par[ACCELERATION] = 1; /* dips and returns at t = 2 */
        toy_run(&y, solver, 3);
        CU_ASSERT(run_gave(&y, 2, IC_OK, 1, (const expected[]){{"rising", 2, 0}}));
        CU_ASSERT_FALSE(event_is(&y, 0, "rising", 0, 0)); /* planted */
        y.par[START_V] = 0, y.par[ACCELERATION] = 1;
        toy_run(&y, solver, 1);
        CU_ASSERT(run_gave(&y, 2, IC_OK, 1, (const expected[]){{"rising", 0, 0}}));
        y.par[ACCELERATION] = -1;
        toy_run(&y, solver, 1);
        CU_ASSERT(run_gave_none(&y, 2, IC_OK));
    }
}

/* 3: a guard is not found again at the zero of its own jump, but is found when it returns. */
IC_TEST(test_disarming)
{
    static const ic_guard floor[] = {
        GUARD("floor", -1, at_0, "x", IC_LINEAR_JUMP(reverse_velocity, reverse_branches))};
    static const ic_guard ledge[] = {
        GUARD("ledge", -1, at_1, "x - 1", IC_LINEAR_JUMP(stop_point, halt_branches))};
    FOR_EACH_SOLVER(solver, y)
    {
        toy_open(&y, floor, 1, NULL, 0);
        y.par[ACCELERATION] = -2, y.par[START_X] = 1, y.par[START_V] = 0; /* lands at 1, 3, 5 */
        toy_run(&y, solver, 6);
        CU_ASSERT(
            run_gave(&y, 3, IC_OK, 3, (const expected[]){{"floor", 1, 0}, {"floor", 3, 0}, {"floor", 5, 0}}));
        CU_ASSERT_FALSE(event_is(&y, 1, "floor", 1, 1)); /* planted */
        y.modes[FIRST].guards = ledge;
        y.par[START_X] = 2; /* it stops on the zero, and falls on from there */
        toy_run(&y, solver, 3);
        CU_ASSERT(run_gave(&y, 3, IC_OK, 1, (const expected[]){{"ledge", 1, 0}}));
    }
}

TOY_JUMP(continue_fall, -x_pre[V] / 20)
static const char *const crawling[] = {"x", "-v/20"};
static const ic_branch crawl_branches[] = {{.mode = FIRST, .state = crawling}};

/* 3, for a solver that steps over events: it is past the zero when it detects the event, and needs
   some steps to return. A guard of both directions does not fire as it leaves; a body that falls on
   at once is not mistaken for one that has returned. */
IC_TEST(test_disarming_beyond_zero)
{
    static const ic_guard both[] = {GUARD("both", 0, at_0, "x", IC_LINEAR_JUMP(continue_fall, crawl_branches))};
    toy y = {.log = NULL};
    for (int k = 0; k < 10; k++) { /* late by different fractions of a step */
        toy_open(&y, both, 1, NULL, 0);
        y.par[START_X] = 1 + 1e-3 * k / 10, y.par[START_V] = -1;
        toy_run(&y, ic_solver_find("refined_step"), 3);
        CU_ASSERT(run_gave(&y, 3, IC_OK, 1, (const expected[]){{"both", y.par[START_X], 0}}));
        CU_ASSERT_FALSE(event_is(&y, 0, "both", y.par[START_X] + 2 * TOY_STEP, 0)); /* planted */
    }
    ic_log_free(y.log);
}

/* 4: two guards that cross together fire in table order if the next mode still has the second and
   its jump has not moved it. */
IC_TEST(test_simultaneity)
{
    static const ic_guard guards[] = {GUARD("first", +1, at_1, "x - 1", STAY_FIRST),
                                      GUARD("second", +1, at_1, "x - 1", STAY_FIRST)};
    static const ic_guard leaves[] = {GUARD("leaves", +1, at_1, "x - 1", STAY_SECOND),
                                      GUARD("left behind", +1, at_1, "x - 1", STAY_FIRST)};
    static const ic_guard turns[] = {
        GUARD("turns", +1, at_1, "x - 1", IC_LINEAR_JUMP(reverse_velocity, reverse_branches)),
        GUARD("turned away", +1, at_1, "x - 1", STAY_FIRST)};
    FOR_EACH_SOLVER(solver, y)
    {
        toy_open(&y, guards, 2, NULL, 0);
        toy_run(&y, solver, 2);
        CU_ASSERT(run_gave(&y, 4, IC_OK, 2, (const expected[]){{"first", 1, 0}, {"second", 1, 1}}));
        CU_ASSERT_FALSE(event_is(&y, 0, "second", 1, 0)); /* planted */
        toy_open(&y, leaves, 2, NULL, 0);
        toy_run(&y, solver, 2);
        CU_ASSERT(run_gave(&y, 4, IC_OK, 1, (const expected[]){{"leaves", 1, 0}}));
        toy_open(&y, turns, 2, NULL, 0);
        toy_run(&y, solver, 2);
        CU_ASSERT(run_gave(&y, 4, IC_OK, 1, (const expected[]){{"turns", 1, 0}}));
    }
}

/* 5: guards that hand over to each other without moving off zero settle, since each is disarmed by
   its own jump; jumps that throw the point between zeros of one another's guards never settle. */
TOY_JUMP_TO(throw_to_1, 1, x_pre[V])
static const char *const at_1_state[] = {"1", "v"};
static const ic_branch thrown_to_1[] = {{.mode = SECOND, .state = at_1_state}};

TOY_JUMP_TO(throw_to_0, 0, x_pre[V])
static const char *const at_0_state[] = {"0", "v"};
static const ic_branch thrown_to_0[] = {{.mode = FIRST, .state = at_0_state}};

/* Two modes that throw the point back to each other across one zero. */
static const ic_branch reversed_to_second[] = {{.mode = SECOND, .state = reversed}};

IC_TEST(test_chain)
{
    static const ic_guard falls[] = {
        GUARD("falls", -1, at_0, "x", IC_LINEAR_JUMP(reverse_velocity, reversed_to_second))};
    static const ic_guard rises[] = {
        GUARD("rises", +1, at_0, "x", IC_LINEAR_JUMP(reverse_velocity, reverse_branches))};
    static const ic_guard on[] = {GUARD("on", +1, at_0, "x", STAY_SECOND)};
    static const ic_guard back[] = {GUARD("back", +1, at_0, "x", STAY_FIRST)};
    static const ic_guard up[] = {GUARD("up", +1, at_0, "x", IC_LINEAR_JUMP(throw_to_1, thrown_to_1))};
    static const ic_guard down[] = {GUARD("down", +1, at_1, "x - 1", IC_LINEAR_JUMP(throw_to_0, thrown_to_0))};
    FOR_EVERY_SOLVER(solver, y)
    {
        toy_open(&y, on, 1, back, 1);
        toy_run(&y, solver, 2);
        CU_ASSERT(run_gave(&y, 5, IC_OK, 2, (const expected[]){{"on", 0, 0}, {"back", 0, 1}}));
        toy_open(&y, up, 1, down, 1);
        toy_run(&y, solver, 2);
        const size_t n = ic_log_event_count(y.log);
        CU_ASSERT(told(&y, 5, y.status == IC_CHAIN && n > IC_CHAIN_MAX && n <= IC_CHAIN_MAX + 2,
                       "a chain, ended after IC_CHAIN_MAX jumps"));
        CU_ASSERT(told(&y, 5, strstr(ic_log_text(y.log), "jumps") != NULL, "a message that names the jumps"));
        toy_open(&y, falls, 1, rises, 1);
        y.par[START_X] = 0.3, y.par[START_V] = -0.7;
        toy_run(&y, solver, 2);
        CU_ASSERT(told(&y, 5, y.status == IC_CHAIN, "a chain"));
        CU_ASSERT(told(&y, 5, event_is(&y, 0, "falls", 3.0 / 7, 0) && event_is(&y, 1, "rises", 3.0 / 7, 1),
                       "'falls' and then 'rises' at t = 3/7, with sequence numbers 0 and 1"));
    }
}

/* The limit is extrapolated when 1000 event tolerances are left (core/loop_limits.c), after some
   twenty event times with their own errors. */
#define LIMIT_TOLERANCE (1000 * tolerance)

/* 6: bounces with half the speed each accumulate at t = 1 + 2 (1/2 + 1/4 + ...) = 3: a named error,
   or a jump. */
static const ic_guard endless[] = {
    GUARD("floor", -1, at_0, "x", IC_LINEAR_JUMP(halve_velocity, halve_branches))};

IC_TEST(test_accumulation)
{
    ic_guard ends[] = {endless[0]};
    ends[0].accumulation = (ic_jump)STAY_SECOND;
    size_t solvers = 0;
    FOR_EACH_SOLVER(solver, y)
    {
        if (!solver_keeps_contract(solver, 6)) continue;
        toy_open(&y, endless, 1, NULL, 0);
        y.par[ACCELERATION] = -2, y.par[START_X] = 1, y.par[START_V] = 0;
        toy_run(&y, solver, 6);
        CU_ASSERT(told(&y, 6, y.status == IC_ZENO, "that firings accumulate"));
        CU_ASSERT(told(&y, 6, fabs(ic_log_end(y.log).t - 3) < LIMIT_TOLERANCE,
                       "the end at t = 3, to within 1000 tolerances"));
        CU_ASSERT(told(&y, 6, strstr(ic_log_text(y.log), "floor") != NULL, "a message that names 'floor'"));
        solvers++;
        if (solver == &certifier) continue; /* it stops just before a limit */
        y.modes[FIRST].guards = ends;
        toy_run(&y, solver, 3.5);
        CU_ASSERT(told(&y, 6, y.status == IC_OK && ic_log_event_count(y.log) > 0, "events, and no error"));
        if (ic_log_event_count(y.log) > 0) {
            const ic_event event = ic_log_event_at(y.log, ic_log_event_count(y.log) - 1);
            const bool ended = event.kind == IC_EVENT_ACCUMULATION && event.mode_to == SECOND;
            CU_ASSERT(told(&y, 6, ended && fabs(event.t - 3) < LIMIT_TOLERANCE,
                           "a last event that is the accumulation at t = 3, to within 1000 tolerances, and "
                           "leads to mode 'second'"));
            CU_ASSERT_FALSE(fabs(event.t - 2) < LIMIT_TOLERANCE); /* planted */
        }
    }
    CU_ASSERT(solvers >= OWN);
}

/*
 * 6: the rest of the series is extrapolated when it is below 1000 event tolerances
 * (core/loop_limits.c). With a tolerance of 1e-9 the bounces of the last test are followed to within
 * 1e-6 of the limit, and the limit itself is found to within a few errors of the last event times.
 * A rest of r/(1 + 1/2) in place of r/(1 - 1/2) is off by 2/3 of at least 5e-7.
 */
#define COARSE 1e-9
#define REST_TOLERANCE 1e-7

IC_TEST(test_rest_of_accumulation)
{
    FOR_EACH_SOLVER(solver, y)
    {
        if (!solver_keeps_contract(solver, 6) || solver == &certifier) continue;
        toy_open(&y, endless, 1, NULL, 0);
        y.par[ACCELERATION] = -2, y.par[START_X] = 1, y.par[START_V] = 0;
        toy_run_with(&y, solver, 6, TOY_STEP, COARSE);
        const double error = fabs(ic_log_end(y.log).t - 3);
        CU_ASSERT(told(&y, 6, y.status == IC_ZENO && error <= REST_TOLERANCE,
                       "that firings accumulate at t = 3, to within 1e-7"));
        CU_ASSERT_FALSE(error + 3e-7 <= REST_TOLERANCE); /* planted */
    }
}

/*
 * 6: where the excursions of a guard are below its rounding error, rounding may have shortened the
 * last round. Here the jump does so: bounces halve the speed until a round lasts less than 2e-4 s,
 * and the next lasts a tenth of it. With a scale of 1e6 for x the excursion of that one alone is
 * below the rounding error. The rounds before it give the limit: half of each as the next.
 */
#define SHORTENED_BELOW 2e-4

static int shorten_bounce(double *x_post, double t, const double *x_pre, const double *par)
{
    (void)t, (void)par;
    const double speed = -x_pre[V]; /* a round lasts 2 v/2 = v */
    x_post[X] = x_pre[X];
    x_post[V] = speed < SHORTENED_BELOW ? speed / 10 : speed / 2;
    return speed < SHORTENED_BELOW ? 1 : 0;
}
static const char *const shortened[] = {"x", "-v/10"};
static const ic_branch shorten_branches[] = {{.mode = FIRST, .state = halved},
                                             {.mode = FIRST, .state = shortened}};

IC_TEST(test_shortened_round)
{
    static const ic_state coarse_states[] = {{"x", "m", "position", "1e6"}, {"v", "m/s", "velocity", "1"}};
    static const ic_guard floor[] = {
        GUARD("floor", -1, at_0, "x", IC_LINEAR_JUMP(shorten_bounce, shorten_branches))};
    double end = 1, round = 1; /* after the fall, of 1 s; the first round lasts 1 s */
    while (round >= SHORTENED_BELOW) end += round, round /= 2;
    const double limit = end + 2 * round;
    FOR_EACH_SOLVER(solver, y)
    {
        /* the certifier reads the table, not the function */
        if (!solver_keeps_contract(solver, 6) || solver == &certifier) continue;
        toy_open(&y, floor, 1, NULL, 0);
        y.system.states = coarse_states;
        y.par[ACCELERATION] = -2, y.par[START_X] = 1, y.par[START_V] = 0;
        toy_run(&y, solver, 6);
        const double error = fabs(ic_log_end(y.log).t - limit);
        CU_ASSERT(told(&y, 6, y.status == IC_ZENO && error <= REST_TOLERANCE,
                       "that firings accumulate at the limit of the rounds before the last, to within 1e-7"));
        CU_ASSERT_FALSE(error + 0.89 * round <= REST_TOLERANCE); /* planted: of the last round */
    }
}

/*
 * 6: an oscillation that decays turns once in each period, although its excursions fall below all errors,
 * where the times of the turns are errors too and by chance form a series that converges. Impacts on a
 * bumper, whose excursions fall as far, do accumulate.
 */
#define SWING(force_, event_)                                                                                  \
    "parameters: {s: 1 s, h: 1 m}\n"                                                                           \
    "states: {x: {unit: m, start: h, scale: h}, v: {unit: m/s, scale: 1 m/s}}\n"                               \
    "flow: {x: v, v: " force_ "}\n"                                                                            \
    "until: {" event_ "}\n"                                                                                    \
    "time_scale: 1 s\n"                                                                                        \
    "presets: {default: {until: 400 s}}\n"
#define DECAY(damping_) SWING("-x/s^2 - " damping_ "*v/s", "turn: {rises: v}")
#define BUMPER SWING("-(x + h)/s^2", "bumper: {falls: x, then: {x: 0, v: -9/10*v}}")

static void check_decay(const char *text, double rtol, ic_status expected)
{
    IC_OWN(ic_machine) m = ic_tests_open(text, NULL);
    FOR_EACH_SOLVER(solver, y)
    {
        ic_status status = IC_OK;
        if (!solver_keeps_contract(solver, 6) || solver == &certifier ||
            !ic_solver_serves(solver, &m.setup.problem))
            continue;
        ic_log_free(ic_solve(solver, &m.setup.problem, &(ic_options){.rtol = rtol}, &status));
        IC_EXPECT(status == expected, "%s, rtol %g: %s", solver->name, rtol, ic_status_text(status));
    }
}

IC_TEST(test_decay_is_no_accumulation)
{
    check_decay(DECAY("4/10"), 1e-9, IC_OK);
    check_decay(DECAY("1"), 1e-9, IC_OK);
    check_decay(DECAY("16/100"), 1e-6, IC_OK);
    check_decay(BUMPER, 1e-9, IC_ZENO); /* planted */
    check_decay(BUMPER, 1e-6, IC_ZENO);
}

/* 7 and 8: x = (t - 1)^2/2 - depth dips below zero for 2 sqrt(2 depth), less than a step; a touch
   does not count. */
IC_TEST(test_pairs_and_grazing)
{
    static const ic_guard both[] = {GUARD("floor", 0, at_0, "x", STAY_FIRST)};
    const double depth = 5e-6, half = sqrt(2 * depth);
    size_t solvers = 0;
    FOR_EACH_SOLVER(solver, y)
    {
        if (!solver_keeps_contract(solver, 7) || !solver_keeps_contract(solver, 8)) continue;
        toy_open(&y, both, 1, NULL, 0);
        y.par[ACCELERATION] = 1, y.par[START_V] = -1, y.par[START_X] = 0.5 - depth;
        toy_run(&y, solver, 2);
        CU_ASSERT(
            run_gave(&y, 7, IC_OK, 2, (const expected[]){{"floor", 1 - half, 0}, {"floor", 1 + half, 0}}));
        CU_ASSERT_FALSE(event_is(&y, 0, "floor", 1, 0)); /* planted */
        y.par[START_X] = 0.5 + depth;                    /* above */
        toy_run(&y, solver, 2);
        CU_ASSERT(run_gave_none(&y, 8, IC_OK));
        /* a touch in exact numbers: at most a pair as close as rounding allows */
        y.par[START_X] = 0.5;
        toy_run(&y, solver, 2);
        CU_ASSERT(told(&y, 8, y.status == (solver == &certifier ? IC_UNDECIDED : IC_OK),
                       "the status 'undecided' of the certifier, and no error of others"));
        CU_ASSERT(told(&y, 8, ic_log_event_count(y.log) == 0 || ic_log_event_count(y.log) == 2,
                       "no event, or a pair"));
        solvers++;
    }
    CU_ASSERT(solvers >= OWN);
}

/* A bump at a tenth of the way from "mark" to "wall", above zero for 0.5 -+ 0.1 sqrt(log 2). */
IC_TESTS_VALUE(bump_value, exp(-pow((x[X] - 0.5) / 0.1, 2)) - 0.5)
IC_TESTS_VALUE(bump_rate, -2 * (x[X] - 0.5) / 0.01 * (bump_value(t, x, par) + 0.5) * x[V])

/* 7: a step may extend a hundred times beyond its first event; crossings before that event are
   still found. */
IC_TEST(test_before_first_event)
{
    static const ic_guard guards[] = {GUARD("mark", +1, at_0, "x", STAY_FIRST),
                                      GUARD("wall", +1, at_1, "x - 1", STAY_SECOND),
                                      {.name = "bump",
                                       .unit = "1",
                                       .meaning = "",
                                       .value = bump_value,
                                       .rate = bump_rate,
                                       .jump = {keep_state, .branches = to_first, .n_branches = 1}}};
    static const ic_equation_term bump[] = {{IC_OP_STATE, X, -1, -1, 0},
                                            {IC_OP_STATE, V, -1, -1, 0},
                                            {IC_OP_PARAMETER, ACCELERATION, -1, -1, 0},
                                            {.number = 1},
                                            {IC_OP_SUBTRACT, 0, 3, -1, 0},
                                            {.number = 0.5},
                                            {.number = 0.1},
                                            {IC_OP_SUBTRACT, 0, 5, -1, 0},
                                            {IC_OP_DIVIDE, 7, 6, -1, 0},
                                            {.number = 2},
                                            {IC_OP_POWER, 8, 9, -1, 0},
                                            {IC_OP_NEGATE, 10, -1, -1, 0},
                                            {IC_OP_EXP, 11, -1, -1, 0},
                                            {IC_OP_SUBTRACT, 12, 5, -1, 0}};
    static const int results[] = {1, 2, 0, 4, 13};
    static const ic_equations equations = {bump, IC_COUNT(bump), results, IC_COUNT(results), NULL};
    const double half = 0.1 * sqrt(log(2));
    size_t solvers = 0;
    FOR_EACH_SOLVER(solver, y)
    {
        if (solver->control != IC_CONTROL_RTOL || !solver_keeps_contract(solver, 7)) continue;
        if ((solver->needs & IC_NEEDS_LINEAR_VIEW) != 0) continue; /* a bump is not affine */
        toy_open(&y, guards, IC_COUNT(guards), NULL, 0);
        y.modes[FIRST].equations = &equations;
        for (int i = 0; i < 9; i++) {
            const double way = 3 * pow(1.5, i); /* so far that steps have grown to about 10 */
            y.par[START_X] = -way;
            toy_run_with(&y, solver, 1000, 0, 0);
            const expected events[] = {{"mark", way, 0},
                                       {"bump", way + 0.5 - half, 0},
                                       {"bump", way + 0.5 + half, 0},
                                       {"wall", way + 1, 0}};
            CU_ASSERT(run_gave(&y, 7, IC_OK, IC_COUNT(events), events));
            CU_ASSERT_FALSE(event_is(&y, 1, "wall", way + 1, 0)); /* planted */
        }
        solvers++;
    }
    CU_ASSERT(solvers >= 3); /* rk45_bisection, dop853, taylor */
}

/* 9: time events at 0.25, 0.5, ... are reached exactly and precede a guard at the same instant. */
static double every_quarter(int n, const double *par)
{
    (void)par;
    return n < 3 ? 0.25 * (n + 1) : INFINITY;
}

IC_TEST(test_time_events)
{
    static const ic_time_event clock = {.name = "clock",
                                        .meaning = "",
                                        .when = every_quarter,
                                        .linear = "(n + 1)/4",
                                        .occurrences = 3,
                                        .jump = STAY_FIRST};
    static const ic_guard guard[] = {GUARD("guard", +1, at_1, "x - 1", STAY_FIRST)};
    FOR_EVERY_SOLVER(solver, y)
    {
        toy_open(&y, guard, 1, NULL, 0);
        y.variant.time_events = &clock;
        y.variant.n_time_events = 1;
        y.par[START_X] = 0.4; /* the guard at 0.6, between two time events */
        toy_run(&y, solver, 1);
        const expected events[] = {
            {"clock", 0.25, 0}, {"clock", 0.5, 0}, {"guard", 0.6, 0}, {"clock", 0.75, 0}};
        CU_ASSERT(run_gave(&y, 9, IC_OK, IC_COUNT(events), events));
        if (solver == &certifier) continue;
        y.par[START_X] = 0.5;
        toy_run(&y, solver, 1);
        const bool four = ic_log_event_count(y.log) == 4;
        CU_ASSERT(told(&y, 9, four, "four events"));
        for (size_t i = 0; i < 2 && four; i++) {
            const ic_event event = ic_log_event_at(y.log, i);
            CU_ASSERT(told(&y, 9, event.kind == IC_EVENT_TIME && event.t == 0.25 * (double)(i + 1),
                           "time events at exactly 0.25 and 0.5"));
        }
        const bool clock_first = event_is(&y, 1, "clock", 0.5, 0) && event_is(&y, 2, "guard", 0.5, 1);
        const bool guard_earlier = four && ic_log_event_at(y.log, 1).t < 0.5; /* within tolerance */
        const bool guard_later = event_is(&y, 1, "clock", 0.5, 0) && event_is(&y, 2, "guard", 0.5, 0);
        CU_ASSERT(told(&y, 9, clock_first || guard_earlier || guard_later,
                       "'clock' before 'guard' at t = 0.5 if both fire at one instant"));
        CU_ASSERT_FALSE(event_is(&y, 0, "clock", 0.5, 0)); /* planted */
    }
}

/* 10: a value that is not finite stops the run with a named status; so does a branch or mode that
   does not exist. */
IC_TEST(test_faults)
{
    static const ic_guard bad_state[] = {GUARD("bad", +1, at_1, "x - 1", IC_LINEAR_JUMP(not_finite, to_first))};
    static const ic_guard bad_branch[] = {GUARD("bad", +1, at_1, "x - 1", IC_LINEAR_JUMP(no_branch, to_first))};
    static const ic_branch nowhere[] = {{.mode = 9}};
    static const ic_guard bad_mode[] = {GUARD("bad", +1, at_1, "x - 1", IC_LINEAR_JUMP(keep_state, nowhere))};
    FOR_EVERY_SOLVER(solver, y)
    {
        toy_open(&y, bad_mode, 1, NULL, 0);
        toy_run(&y, solver, 2);
        CU_ASSERT(told(&y, 10, y.status == IC_INVALID, "the status of a mode that does not exist"));
        y.par[ACCELERATION] = NAN;
        toy_run(&y, solver, 2);
        CU_ASSERT(told(&y, 10, y.status != IC_OK, "an error, since the acceleration is not a number"));
        if (solver == &certifier) continue; /* the certifier reads the table, not the function */
        toy_open(&y, bad_state, 1, NULL, 0);
        toy_run(&y, solver, 2);
        CU_ASSERT(told(&y, 10, y.status == IC_NOT_FINITE, "the status of a state that is not finite"));
        CU_ASSERT(
            told(&y, 10, fabs(ic_log_end(y.log).t - 1) < tolerance, "the end at t = 1, the time reached"));
        y.modes[FIRST].guards = bad_branch;
        toy_run(&y, solver, 2);
        CU_ASSERT(told(&y, 10, y.status == IC_INVALID, "the status of a branch that does not exist"));
    }
}

/* 11: a run ends when it enters a terminal mode, even at its start. */
IC_TEST(test_terminal)
{
    static const ic_guard ends[] = {GUARD("ends", +1, at_1, "x - 1", STAY_SECOND)};
    static const ic_guard then[] = {GUARD("then", +1, at_2, "x - 2", STAY_FIRST)};
    FOR_EVERY_SOLVER(solver, y)
    {
        toy_open(&y, ends, 1, then, 1);
        toy_run(&y, solver, 5);
        /* planted: without a terminal mode */
        CU_ASSERT(run_gave(&y, 11, IC_OK, 2, (const expected[]){{"ends", 1, 0}, {"then", 2, 0}}));
        y.modes[SECOND].terminal = true;
        toy_run(&y, solver, 5);
        CU_ASSERT(run_gave(&y, 11, IC_OK, 1, (const expected[]){{"ends", 1, 0}}));
        const ic_sample end = ic_log_end(y.log);
        CU_ASSERT(told(&y, 11, end.mode == SECOND && fabs(end.t - 1) <= tolerance,
                       "the end at t = 1 in mode 'second'"));
        y.modes[SECOND].terminal = false;
        y.modes[FIRST].terminal = true;
        toy_run(&y, solver, 5);
        CU_ASSERT(run_gave_none(&y, 11, IC_OK));
        CU_ASSERT(told(&y, 11, ic_log_end(y.log).t == 0, "the end at the start, t = 0"));
    }
}
