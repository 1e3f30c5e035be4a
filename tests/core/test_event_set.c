/* SPDX-License-Identifier: MIT */
/**
 * Events added at run time: the clauses of the event contract for observers, time events and
 * timers, with every solver that supports them.
 *
 * The toy is a point, x' = v, v' = a, with a guard at x = 1 that does nothing and a time event, by
 * default after the end of the run. Each clause has a planted wrong answer that the check must
 * reject.
 */
#include "registry/registry.h"
#include "tests/allocations.h"
#include "tests/core/toy.h"
#include "tests/machine.h"
#include "validation/subjects.h"

#include <float.h>

IC_SUITE(light, "events made at run time")

/* Errors of adaptive solvers over times of order 1. */
#define RTOL 1e-11
#define TIME_TOLERANCE 1e-10

/* Solvers with fixed steps locate events to the fourth power of a step. */
#define STEP 0.01
#define STEP_TIME_TOLERANCE 1e-8

/* ---- the toy */

enum { CLOCK = START_V + 1 };

static const ic_parameter parameters[] = {
    TOY_PARAMETERS[CLOCK] = {"clock", "s", "time of the case's event", "9", "(0, inf)"},
};

static void flow_of_rest(double *dxdt, double t, const double *x, const double *par)
{
    (void)t, (void)x, (void)par;
    dxdt[X] = dxdt[V] = 0;
}
static const char *const standstill_text[] = {"0", "0"};

static const ic_branch same_mode[] = {{.mode = IC_SAME_MODE}};

IC_TESTS_VALUE(beyond_1, x[X] - 1)
IC_TESTS_VALUE(guard_of_velocity, x[V])
static double clock_rings(int n, const double *par)
{
    return n == 0 ? par[CLOCK] : INFINITY;
}

#define GUARD(unit_, value_, rate_, ...)                                                                       \
    {                                                                                                          \
        .name = "guard", .unit = unit_, .meaning = "", .direction = +1, .value = value_, .rate = rate_,        \
        __VA_ARGS__                                                                                            \
    }
static const ic_guard guards[] = {
    GUARD("m", beyond_1, guard_of_velocity, .linear = "x - 1", .jump = IC_LINEAR_JUMP(keep_state, same_mode))};
static const ic_mode modes[] = {
    [FIRST] = {.name = "first",
               .meaning = "",
               .flow = flow_of_motion,
               .linear = motion_text,
               .guards = guards,
               .n_guards = 1},
    [SECOND] = {.name = "second", .meaning = "", .flow = flow_of_rest, .linear = standstill_text},
};
static const ic_time_event clock_of_case[] = {{.name = "case",
                                               .meaning = "",
                                               .when = clock_rings,
                                               .linear = "clock",
                                               .occurrences = 1,
                                               .jump = IC_LINEAR_JUMP(keep_state, same_mode)}};
static const ic_variant variant = {.name = "toy",
                                   .meaning = "",
                                   .modes = modes,
                                   .n_modes = IC_COUNT(modes),
                                   .start = IC_LINEAR_JUMP(start_toy, start_branches),
                                   .time_events = clock_of_case,
                                   .n_time_events = 1};
static const ic_preset preset = {.name = "only", .variant = "toy", .settings = "", .until = "4", .meaning = ""};
static const ic_case system_of_toy = {IC_ABI(ic_case),          .name = "toy",
                                      .title = "a point",       .source = "",
                                      .parameters = parameters, .n_parameters = IC_COUNT(parameters),
                                      .states = states,         .n_states = IC_COUNT(states),
                                      .variants = &variant,     .n_variants = 1,
                                      .presets = &preset,       .n_presets = 1,
                                      .time_scale = "1"};

/* A run of the toy: parameters, the event set, and the results. */
typedef struct toy {
    const ic_case *system;
    double par[IC_COUNT(parameters)];
    double t_end, event_tol;
    ic_problem problem;
    ic_event_set *set;
    ic_log *log;
    ic_status status;
    const ic_solver *solver;

    /* s */
    double tolerance;

    ic_event_id ids[4];
    ic_status answers[4];
    size_t n;

    /* s */
    double last;
} toy;

static toy open_toy(void)
{
    const toy y = {
        .system = &system_of_toy, .par = {[START_V] = 1, [CLOCK] = 9}, .t_end = 4, .set = ic_event_set_new()};
    CU_ASSERT_FATAL(y.set != NULL);
    return y;
}

static void run_toy(toy *y, const ic_solver *solver)
{
    const ic_options options = {
        .rtol = ic_rtol_for(solver, RTOL), .step = STEP, .event_tol = y->event_tol, .events = y->set};
    y->tolerance = y->event_tol + (solver->control == IC_CONTROL_STEP ? STEP_TIME_TOLERANCE : TIME_TOLERANCE);
    y->problem =
        (ic_problem){.system = y->system, .variant = y->system->variants, .par = y->par, .t_end = y->t_end};
    y->log = ic_log_new(&y->problem);
    CU_ASSERT_FATAL(y->log != NULL);
    y->solver = solver;
    y->status = ic_run(y->log, solver, &options);
}

static void close_toy(toy *y)
{
    ic_log_free(y->log);
    ic_event_set_free(y->set);
    y->set = NULL;
}
IC_OWNED(toy, close_toy)

static bool event_is(const toy *y, size_t i, const char *name, double t, int sequence)
{
    return ic_tests_event_is(y->log, i, name, t, y->tolerance, sequence);
}

static size_t count_events(const toy *y, const char *name)
{
    size_t n = 0;
    for (size_t i = 0; i < ic_log_event_count(y->log); i++) {
        n += strcmp(ic_log_event_at(y->log, i).name, name) == 0;
    }
    return n;
}

/* The functions gives_* are true if a run gave what is expected; if not, they print both. */

static bool gives(const toy *y, bool holds, const char *expectation)
{
    if (holds) return true;
    ic_tests_print_run(y->solver->name, y->status, y->log, y->problem.variant);
    printf("    expected %s (tolerance of times: %g s)\n", expectation, y->tolerance);
    return false;
}

static bool gives_event(const toy *y, size_t i, const char *name, double t, int sequence)
{
    char text[160];
    snprintf(text, sizeof text, "event %zu: '%s' at t = %.15g, sequence number %d", i, name, t, sequence);
    return gives(y, event_is(y, i, name, t, sequence), text);
}

static bool gives_status(const toy *y, ic_status status)
{
    char text[96];
    snprintf(text, sizeof text, "the status '%s'", ic_status_text(status));
    return gives(y, y->status == status, text);
}

/* n events in total, without an error. */
static bool gives_count(const toy *y, size_t n)
{
    char text[64];
    snprintf(text, sizeof text, "%zu events, and no error", n);
    return gives(y, y->status == IC_OK && ic_log_event_count(y->log) == n, text);
}

static bool gives_number(const toy *y, const char *name, size_t n)
{
    char text[96];
    const size_t found = count_events(y, name);
    snprintf(text, sizeof text, "'%s' %zu times, not %zu times", name, n, found);
    return gives(y, found == n, text);
}

/* Solver number i if it supports observers; ours are rk4_henon, rk45_bisection, dop853. */
#define OBSERVING 3
static const ic_solver *observing_solver(size_t i)
{
    static const char *const by_text[] = {"piecewise_linear", "taylor"};
    const ic_solver *solver = ic_solvers[i];
    if ((solver->needs & IC_NEEDS_IMPACT_VIEW) != 0 || solver->steps_over_events) return NULL;
    for (size_t k = 0; k < IC_COUNT(by_text); k++) {
        if (strcmp(solver->name, by_text[k]) == 0) return NULL;
    }
    return solver;
}

#define FOR_EACH_SOLVER(solver_)                                                                               \
    for (size_t s_ = 0; s_ < ic_solver_count; s_++)                                                            \
        for (const ic_solver *solver_ = observing_solver(s_); solver_ != NULL; solver_ = NULL)

/* A toy that is open in the statement that follows. */
#define WITH_TOY(y_) for (toy y_ = open_toy(); y_.set != NULL; close_toy(&y_))
#define FOR_EACH_TOY(y_, solver_) FOR_EACH_SOLVER(solver_) WITH_TOY(y_)

/* ---- observers */

/* A value or rate of an observer, by an expression in the moment `now`. */
#define MOMENT_VALUE(name_, expression_)                                                                       \
    static double name_(const ic_moment *now, void *context)                                                   \
    {                                                                                                          \
        (void)now, (void)context;                                                                              \
        return expression_;                                                                                    \
    }
MOMENT_VALUE(x_is_1, now->x[X] - 1)
MOMENT_VALUE(rate_of_x, now->x[V])
MOMENT_VALUE(x_is_0, now->x[X])
MOMENT_VALUE(never_zero, -1)
MOMENT_VALUE(acceleration_is_up, now->dxdt == NULL ? NAN : now->dxdt[V] + now->t - 2)

/* A handler that returns a status, by an expression in the moment `now` and the toy `y` that is its context. */
#define HANDLER(name_, expression_)                                                                            \
    static ic_status name_(ic_firing *now, void *context)                                                      \
    {                                                                                                          \
        toy *y = context;                                                                                      \
        (void)now, (void)y;                                                                                    \
        return expression_;                                                                                    \
    }
HANDLER(reverse_velocity, (now->x_post[V] = -now->x[V], IC_OK))

/* Add an observer, or something at a time, that a toy does not look up later. */
#define OBSERVE(y_, ...) ic_observe((y_)->set, &(const ic_observer){__VA_ARGS__}, NULL)

#define AT_1(name_, direction_, ...)                                                                           \
    (&(const ic_observer){.name = (name_), .direction = (direction_), .value = x_is_1, __VA_ARGS__})

/* Clause 1, with given rates and with differences: thrown up with a = -1, v = 2, x is 1 at 2 - sqrt
   2 and at 2 + sqrt 2. */
IC_TEST(test_direction)
{
    const double up = 2 - sqrt(2), down = 2 + sqrt(2);
    size_t solvers = 0;
    FOR_EACH_SOLVER(solver)
    {
        for (int with_rate = 0; with_rate < 2; with_rate++) {
            double (*const rate)(const ic_moment *, void *) = with_rate ? rate_of_x : NULL;
            IC_OWN(toy) y = open_toy();
            y.par[ACCELERATION] = -1, y.par[START_V] = 2, y.par[CLOCK] = 1;
            ic_observe(y.set, AT_1("rising", +1, .rate = rate), NULL);
            ic_observe(y.set, AT_1("falling", -1, .rate = rate), NULL);
            ic_observe(y.set, AT_1("both", 0, .rate = rate), NULL);
            ic_observe(y.set, AT_1("disabled", 0, .rate = rate, .enabled = never_zero), NULL);
            run_toy(&y, solver);
            CU_ASSERT(gives_count(&y, 6)); /* the guard and the case's time event are included */
            CU_ASSERT(gives_event(&y, 0, "guard", up, 0) && gives_event(&y, 1, "rising", up, 1));
            CU_ASSERT(gives_event(&y, 2, "both", up, 2) && gives_event(&y, 3, "case", 1, 0));
            CU_ASSERT(gives_event(&y, 4, "falling", down, 0) && gives_event(&y, 5, "both", down, 1));
            CU_ASSERT_FALSE(event_is(&y, 4, "rising", down, 0)); /* planted */
        }
        solvers++;
    }
    CU_ASSERT(solvers >= OBSERVING);
}

/* Clause 2: x starts at 0 and rises; with a = -1 and v = 0 it starts at 0 with rate 0, and
   falls. */
IC_TEST(test_zero_at_start)
{
    FOR_EACH_TOY(y, solver)
    {
        OBSERVE(&y, .name = "up", .direction = +1, .value = x_is_0);
        OBSERVE(&y, .name = "down", .direction = -1, .value = x_is_0);
        run_toy(&y, solver);
        CU_ASSERT(gives_event(&y, 0, "up", 0, 0) && gives_number(&y, "up", 1));
        /* planted: a zero that fires whichever way it is left */
        CU_ASSERT(gives_number(&y, "down", 0));
        IC_OWN(toy) falls = open_toy();
        falls.par[ACCELERATION] = -1, falls.par[START_V] = 0;
        OBSERVE(&falls, .name = "down", .direction = -1, .value = x_is_0, .rate = rate_of_x);
        OBSERVE(&falls, .name = "up", .direction = +1, .value = x_is_0, .rate = rate_of_x);
        run_toy(&falls, solver);
        CU_ASSERT(gives_event(&falls, 0, "down", 0, 0) && gives_number(&falls, "up", 0));
    }
}

/* Clause 3: after its own handler has reversed the point, an observer of both directions does not
   find the same zero. */
IC_TEST(test_disarming)
{
    FOR_EACH_TOY(y, solver)
    {
        ic_observe(y.set, AT_1("wall", 0, .handler = reverse_velocity), NULL);
        run_toy(&y, solver);
        CU_ASSERT(gives_number(&y, "wall", 1) && gives_number(&y, "guard", 1));
        CU_ASSERT(gives(&y, fabs(ic_log_end(y.log).x[X] - -2) <= 100 * y.tolerance,
                        "x = -2 at the end, to within 100 tolerances"));
    }
}

static const ic_timed tick = {.name = "tick"};

/* Clauses 9 and 12: everything is due at t = 1. The guard and the observers test the time, at which
   every solver stops exactly for the scheduled events: a position would reach its value an ulp
   early or late, as each solver rounds. */
MOMENT_VALUE(time_is_1, now->t - 1)
MOMENT_VALUE(rate_of_time, 1)
IC_TESTS_VALUE(beyond_time_1, t - 1)
IC_TESTS_VALUE(rate_of_t, 1)

#define AT_TIME_1(name_, direction_)                                                                           \
    (&(const ic_observer){.name = (name_), .direction = (direction_), .value = time_is_1, .rate = rate_of_time})
#define TIE 1e-8
IC_TEST(test_order)
{
    static const ic_guard guard[] = {
        GUARD("s", beyond_time_1, rate_of_t, .linear = "t - 1", .jump = IC_LINEAR_JUMP(keep_state, same_mode))};
    ic_mode timed_modes[] = {modes[FIRST], modes[SECOND]};
    ic_variant timed = variant;
    ic_case system = system_of_toy;
    timed_modes[FIRST].guards = guard;
    timed.modes = timed_modes;
    system.variants = &timed;
    size_t solvers = 0;
    FOR_EACH_TOY(y, solver)
    {
        ic_event_id first = 0;
        y.system = &system;
        y.par[CLOCK] = 1, y.event_tol = TIE;
        ic_schedule(y.set, &(ic_timed){.name = "made first"}, 1, NULL);
        ic_observe(y.set, AT_TIME_1("one", +1), &first);
        ic_start_timer(y.set, &tick, 0.5, 0, NULL);
        ic_observe(y.set, AT_TIME_1("two", 0), NULL);
        ic_event_disarm(y.set, first); /* which does not change the order */
        ic_event_arm(y.set, first);
        run_toy(&y, solver);
        CU_ASSERT(gives_event(&y, 0, "tick", 0.5, 0));
        CU_ASSERT(gives_event(&y, 1, "case", 1, 0) && gives_event(&y, 2, "made first", 1, 1));
        CU_ASSERT(gives_event(&y, 3, "tick", 1, 2) && gives_event(&y, 4, "guard", 1, 3));
        CU_ASSERT(gives_event(&y, 5, "one", 1, 4) && gives_event(&y, 6, "two", 1, 5));
        CU_ASSERT_FALSE(event_is(&y, 5, "two", 1, 4)); /* planted: in the order of arming */
        CU_ASSERT(gives_number(&y, "tick", 7));        /* none is left at the end */
        solvers++;
    }
    CU_ASSERT(solvers >= OBSERVING);
}

/*
 * Clause 2: "two" comes from below to its zero at t = 1. A handler of the same instant removes the
 * observer before it, whose value is positive: "two" keeps its own side although its row changes.
 */
MOMENT_VALUE(always_positive, now->t + 1)
HANDLER(remove_first, ic_event_remove(now->events, y->ids[0]))
IC_TEST(test_sides_of_observers)
{
    FOR_EACH_TOY(y, solver)
    {
        y.t_end = 1.5, y.par[START_V] = 0.1;
        ic_observe(y.set, &(ic_observer){.name = "one", .value = always_positive}, &y.ids[0]);
        ic_observe(y.set, AT_TIME_1("two", 0), NULL);
        ic_schedule(y.set, &(ic_timed){.name = "remove", .handler = remove_first, .context = &y}, 1, NULL);
        run_toy(&y, solver);
        CU_ASSERT(gives_count(&y, 2));
        CU_ASSERT(gives_event(&y, 0, "remove", 1, 0) && gives_event(&y, 1, "two", 1, 1));
        CU_ASSERT_FALSE(event_is(&y, 0, "two", 1, 0)); /* planted: before what was scheduled */
    }
}

/*
 * Clause 3: what has fired is armed again when it has left zero. "away" moves the point from x = 1 to
 * 0, and "back", due at the same instant, moves it to 1 again: there "away" fires a second time.
 */
HANDLER(move_to_0, (now->x_post[X] = 0, IC_OK))
HANDLER(move_to_1, (now->x_post[X] = 1, IC_OK))
IC_TEST(test_return_within_an_instant)
{
    FOR_EACH_SOLVER(solver)
    {
        if ((solver->clauses_not_kept & IC_CLAUSE(4)) != 0) continue;
        IC_OWN(toy) y = open_toy();
        y.t_end = 1.5, y.event_tol = TIE;
        ic_observe(y.set, AT_1("away", +1, .rate = rate_of_x, .handler = move_to_0), NULL);
        OBSERVE(&y, .name = "back", .direction = +1, .value = time_is_1, .rate = rate_of_time,
                .handler = move_to_1);
        run_toy(&y, solver);
        CU_ASSERT(gives_number(&y, "away", 2) && gives_number(&y, "back", 1));
        CU_ASSERT(gives(&y, fabs(ic_log_end(y.log).x[X] - 0.5) <= 100 * y.tolerance,
                        "x = 0.5 at the end, to within 100 tolerances"));
    }
}

/*
 * Clause 3: a guard that fired at an earlier instant and stands at another zero of its own is not
 * disarmed there: "twice" is zero at t = 1 and at t = 2, where something scheduled changes nothing.
 */
MOMENT_VALUE(time_is_1_or_2, (now->t - 1) * (now->t - 2))
MOMENT_VALUE(rate_of_1_or_2, 2 * now->t - 3)
IC_TEST(test_zero_at_a_later_instant)
{
    FOR_EACH_TOY(y, solver)
    {
        y.t_end = 3, y.par[START_V] = 0.1;
        OBSERVE(&y, .name = "twice", .value = time_is_1_or_2, .rate = rate_of_1_or_2);
        ic_schedule(y.set, &tick, 2, NULL);
        run_toy(&y, solver);
        CU_ASSERT(gives_count(&y, 3) && gives_event(&y, 0, "twice", 1, 0));
        CU_ASSERT(gives_event(&y, 1, "tick", 2, 0) && gives_event(&y, 2, "twice", 2, 1));
        CU_ASSERT_FALSE(event_is(&y, 2, "twice", 1, 1)); /* planted */
    }
}

/*
 * Clause 3: what a branch declares holds at its own instant only. The jump of the case's event at
 * t = 1 declares that the guard departs from its zero there; at its next zero, t = 2, where
 * something scheduled changes nothing, the guard fires.
 */
IC_TESTS_VALUE(beyond_time_1_or_2, (t - 1) * (t - 2))
IC_TESTS_VALUE(rate_of_t_1_or_2, 2 * t - 3)
IC_TEST(test_departure_at_its_own_instant)
{
    const ic_branch departs[] = {{.mode = IC_SAME_MODE, IC_DEPARTS(0, 1, -1)}};
    static const ic_guard guard[] = {
        GUARD("s^2", beyond_time_1_or_2, rate_of_t_1_or_2, .jump = {keep_state, same_mode, .n_branches = 1})};
    ic_time_event clock[] = {clock_of_case[0]};
    clock[0].jump = (ic_jump){keep_state, departs, .n_branches = 1};
    ic_mode departing_modes[] = {modes[FIRST], modes[SECOND]};
    departing_modes[FIRST].guards = guard;
    ic_variant departing = variant;
    departing.modes = departing_modes;
    departing.time_events = clock;
    ic_case system = system_of_toy;
    system.variants = &departing;
    FOR_EACH_TOY(y, solver)
    {
        y.system = &system;
        y.par[CLOCK] = 1, y.t_end = 3;
        ic_schedule(y.set, &tick, 2, NULL);
        run_toy(&y, solver);
        CU_ASSERT(gives_count(&y, 3) && gives_event(&y, 0, "case", 1, 0));
        CU_ASSERT(gives_event(&y, 1, "tick", 2, 0) && gives_event(&y, 2, "guard", 2, 1));
        CU_ASSERT_FALSE(event_is(&y, 1, "guard", 1, 1)); /* planted: the zero that it departs from */
    }
}

/* Clause 13. */
static ic_status create_another(ic_firing *now, void *context)
{
    toy *y = context;
    y->answers[0] = ic_observe(now->events, AT_1("same zero", +1, .rate = rate_of_x), NULL);
    y->answers[1] = ic_event_remove(now->events, now->id);
    y->answers[2] = ic_event_remove(now->events, now->id); /* twice */
    y->answers[3] = ic_event_disarm(now->events, y->ids[1]);
    return IC_OK;
}

IC_TEST(test_changes_by_handlers)
{
    FOR_EACH_TOY(y, solver)
    {
        ic_observe(y.set, AT_1("maker", +1, .rate = rate_of_x, .handler = create_another, .context = &y),
                   &y.ids[0]);
        ic_observe(y.set, AT_1("disarmed", +1, .rate = rate_of_x), &y.ids[1]);
        run_toy(&y, solver);
        CU_ASSERT(gives_status(&y, IC_OK) && gives_number(&y, "maker", 1));
        CU_ASSERT(y.answers[0] == IC_OK && y.answers[1] == IC_OK && y.answers[3] == IC_OK);
        CU_ASSERT(y.answers[2] == IC_INVALID && strstr(ic_event_set_text(y.set), "does not exist") != NULL);
        CU_ASSERT(gives_number(&y, "same zero", 1));
        /* planted: due at that instant, but disarmed before its turn */
        CU_ASSERT(gives_number(&y, "disarmed", 0));
        CU_ASSERT(!ic_event_exists(y.set, y.ids[0]) && ic_event_exists(y.set, y.ids[1]));
        CU_ASSERT(!ic_event_is_armed(y.set, y.ids[1]) && ic_event_set_count(y.set) == 2);
    }
}

/* An observer can use rates of the state: in the first mode a = 0, and dv/dt + t - 2 is zero at t =
   2; an observer that did not request rates receives none. */
static double sees_none(const ic_moment *now, void *context)
{
    bool *none = context;
    *none = *none && now->dxdt == NULL;
    return now->t - 3;
}
IC_TEST(test_rates)
{
    FOR_EACH_SOLVER(solver)
    {
        bool none = true;
        IC_OWN(toy) y = open_toy();
        OBSERVE(&y, .name = "rates", .direction = +1, .value = acceleration_is_up, .sees_rates = true);
        OBSERVE(&y, .name = "late", .value = sees_none, .context = &none);
        run_toy(&y, solver);
        CU_ASSERT(gives_count(&y, 3) && gives_event(&y, 1, "rates", 2, 0) && gives_event(&y, 2, "late", 3, 0));
        CU_ASSERT(none);
    }
}

/* A handler loads another model, and ends the run. */
HANDLER(load_resting_model, (now->mode_post = SECOND, IC_OK))
HANDLER(end_run, (now->x_post[X] = 7, now->stop = true, IC_OK))
IC_TEST(test_models)
{
    FOR_EACH_TOY(y, solver)
    {
        ic_schedule(y.set, &(ic_timed){.name = "stand", .handler = load_resting_model}, 0.5, NULL);
        ic_schedule(y.set, &(ic_timed){.name = "end", .handler = end_run}, 3, NULL);
        run_toy(&y, solver);
        const ic_sample last = ic_log_end(y.log);
        CU_ASSERT(gives_count(&y, 2));
        CU_ASSERT(gives(&y, last.mode == SECOND && last.t == 3 && last.x[X] == 7,
                        "the end at t = 3 in mode 'second' with x = 7"));
        /* stood still, and met no guard */
        const bool stood =
            ic_log_event_count(y.log) == 2 && fabs(ic_log_event_at(y.log, 1).x_pre[X] - 0.5) <= y.tolerance;
        CU_ASSERT(gives(&y, stood, "x = 0.5 before the second event"));
    }
}

/* Clauses 6 and 14: observers of the apexes do not hide the accumulation of a ball's impacts. */
MOMENT_VALUE(is_rising, now->x[1])
/* With e = 1/2 the excursion after 26 impacts is 2^-50 of the first one, which is the rounding error of the guard: whether it
   is below is a matter of rounding. */
static const char *const restitution = "e=3/5";
static ic_log *bounces_of(ic_instance **instance, const ic_solver *solver, ic_event_set *set)
{
    const ic_choices choices = {.settings = &restitution, .n_settings = 1};
    *instance = ic_instance_new(ic_case_find("bouncing-ball"), &choices, NULL);
    CU_ASSERT_FATAL(*instance != NULL);
    ic_log *log = ic_log_new(ic_instance_problem(*instance));
    const ic_options options = {.rtol = ic_rtol_for(solver, RTOL), .events = set};
    CU_ASSERT(log != NULL && ic_run(log, solver, &options) == IC_OK);
    return log;
}

/* Whether event i of a run with observers is the event that the run without them has. */
static bool is_same_event(const ic_solver *solver, size_t i, ic_event found, ic_event alone)
{
    const bool same = strcmp(alone.name, found.name) == 0 && alone.kind == found.kind &&
                      fabs(alone.t - found.t) <= STEP_TIME_TOLERANCE;
    if (!same)
        printf("\n  %s: event %zu: found '%s' at t = %.15g, expected '%s' at t = %.15g as without observers\n",
               solver->name, i, found.name, found.t, alone.name, alone.t);
    return same;
}

/* Compares the impacts of two runs; the log `b` has observed events in between. */
static void compare_impacts(const ic_solver *solver, const ic_log *a, const ic_log *b)
{
    const size_t expected = ic_log_event_count(a);
    size_t k = 0, observed = 0;
    bool accumulated = false;
    for (size_t i = 0; i < ic_log_event_count(b); i++) {
        const ic_event event = ic_log_event_at(b, i);
        if (strcmp(event.name, "apex") == 0 || strcmp(event.name, "tick") == 0) {
            observed++;
            continue;
        }
        if (k < expected) CU_ASSERT(is_same_event(solver, i, event, ic_log_event_at(a, k)));
        k++;
        accumulated = accumulated || event.kind == IC_EVENT_ACCUMULATION;
    }
    IC_EXPECT(k == expected && observed > k / 2 && accumulated,
              "%s: %zu impacts, expected %zu as without observers; observed %zu times; %s", solver->name, k,
              expected, observed, accumulated ? "accumulation found" : "no accumulation found");
}

IC_TEST(test_observation)
{
    size_t solvers = 0;
    FOR_EACH_SOLVER(solver)
    {
        /* some solvers of other packages */
        if ((solver->clauses_not_kept & IC_CLAUSE(6)) != 0) continue;
        solvers++;
        IC_OWN(ic_instance) *plain = NULL, *watched = NULL;
        IC_OWN(ic_event_set) *set = ic_event_set_new();
        ic_observe(set, &(ic_observer){.name = "apex", .direction = -1, .value = is_rising}, NULL);
        ic_start_timer(set, &tick, 0.01, 0, NULL);
        IC_OWN(ic_log) *a = bounces_of(&plain, solver, NULL), *b = bounces_of(&watched, solver, set);
        compare_impacts(solver, a, b);
    }
    CU_ASSERT(solvers >= OBSERVING);
}

/* Clause 6 for an observer that is the impact: with and without a handler at the limit, which adds
   up the errors of all falls. */
#define LIMIT_TOLERANCE 1e-7

HANDLER(bounce_ball, (now->x_post[X] = 0, now->x_post[V] = -0.5 * now->x[V], IC_OK))
HANDLER(rest_ball, (now->x_post[X] = now->x_post[V] = 0, now->mode_post = SECOND, IC_OK))
IC_TEST(test_accumulation)
{
    /* 1 + 2 (1/2 + 1/4 + ...), falls take sqrt(2 x/a) = 1 */
    const double fall = 1, limit = 3 * fall;
    size_t solvers = 0;
    FOR_EACH_SOLVER(solver)
    {
        /* some solvers of other packages */
        if ((solver->clauses_not_kept & IC_CLAUSE(6)) != 0) continue;
        solvers++;
        for (int with_limit = 0; with_limit < 2; with_limit++) {
            IC_OWN(toy) y = open_toy();
            y.par[START_X] = 0.5, y.par[START_V] = 0, y.par[ACCELERATION] = -1;
            const ic_observer floor = {.name = "floor",
                                       .direction = -1,
                                       .value = x_is_0,
                                       .rate = rate_of_x,
                                       .handler = bounce_ball,
                                       .accumulated = with_limit ? rest_ball : NULL};
            ic_observe(y.set, &floor, NULL);
            run_toy(&y, solver);
            CU_ASSERT(gives_status(&y, with_limit ? IC_OK : IC_ZENO));
            const size_t count = ic_log_event_count(y.log);
            if (with_limit && count > 0) {
                const ic_event last = ic_log_event_at(y.log, count - 1);
                CU_ASSERT(
                    gives(&y, last.kind == IC_EVENT_ACCUMULATION, "a last event that is an accumulation"));
                CU_ASSERT(gives(&y, fabs(last.t - limit) <= LIMIT_TOLERANCE, "a last event at t = 3"));
                CU_ASSERT(gives(&y, ic_log_end(y.log).mode == SECOND, "the end in mode 'second'"));
            } else {
                CU_ASSERT(gives(&y, count > 0, "events"));
                CU_ASSERT(gives(&y, fabs(ic_log_end(y.log).t - limit) <= LIMIT_TOLERANCE, "the end at t = 3"));
            }
        }
    }
    CU_ASSERT(solvers >= OBSERVING);
}

/* Clause 15: many observers at one instant are not a chain; one that creates the next without end
   is. */
static ic_status observe_again(ic_firing *now, void *context)
{
    const ic_timed next = {.name = "again", .handler = observe_again, .context = context};
    return ic_schedule(now->events, &next, now->t, NULL);
}
IC_TEST(test_chains)
{
    enum { MANY = 100 };
    FOR_EACH_TOY(y, solver)
    {
        for (int i = 0; i < MANY; i++) {
            ic_schedule(y.set, &tick, 2, NULL);
            ic_observe(y.set, AT_1("watch", +1, .rate = rate_of_x), NULL);
        }
        run_toy(&y, solver);
        CU_ASSERT(gives_status(&y, IC_OK) && gives_number(&y, "tick", MANY));
        if ((solver->clauses_not_kept & IC_CLAUSE(4)) == 0) CU_ASSERT(gives_number(&y, "watch", MANY));
        IC_OWN(toy) chain = open_toy();
        ic_schedule(chain.set, &(ic_timed){.name = "again", .handler = observe_again}, 2, NULL);
        run_toy(&chain, solver);
        CU_ASSERT(gives_status(&chain, IC_CHAIN) && strstr(ic_log_text(chain.log), "again") != NULL);
        CU_ASSERT(gives(&chain, count_events(&chain, "again") <= IC_CHAIN_MAX + 2,
                        "at most IC_CHAIN_MAX + 2 events"));
    }
}

/* ---- timers */

static const ic_solver *default_solver(void)
{
    return ic_solver_find("dop853");
}

HANDLER(note_time, (y->n++, y->last = now->t, IC_OK))

HANDLER(pause_timer, ic_event_disarm(now->events, y->ids[0]))
static ic_status continue_timer(ic_firing *now, void *context)
{
    toy *y = context;
    y->answers[0] = ic_event_arm(now->events, y->ids[0]);
    y->answers[1] = ic_event_arm(now->events, y->ids[1]); /* this time is in the past */
    return IC_OK;
}

IC_TEST(test_timers)
{
    IC_OWN(toy) y = open_toy();
    const ic_timed counted = {.name = "counted", .handler = note_time, .context = &y};
    CU_ASSERT_EQUAL(ic_start_timer(y.set, &counted, 0.1, 0, &y.ids[0]), IC_OK);
    CU_ASSERT_EQUAL(ic_start_timer(y.set, &tick, 0.3, 2, NULL), IC_OK);
    CU_ASSERT_EQUAL(ic_schedule(y.set, &(ic_timed){.name = "paused over"}, 2, &y.ids[1]), IC_OK);
    CU_ASSERT_EQUAL(ic_event_disarm(y.set, y.ids[1]), IC_OK);
    ic_schedule(y.set, &(ic_timed){.name = "pause", .handler = pause_timer, .context = &y}, 1.05, NULL);
    ic_schedule(y.set, &(ic_timed){.name = "go on", .handler = continue_timer, .context = &y}, 3.05, NULL);
    y.t_end = 3.75;
    run_toy(&y, default_solver());
    CU_ASSERT(gives_status(&y, IC_OK) && y.n == 10 + 7);
    /* counted from the start; planted: a sum of 0.1 has another last digit */
    CU_ASSERT(y.last == 37 * 0.1);
    double sum = 0;
    for (int i = 0; i < 37; i++) sum += 0.1;
    CU_ASSERT(sum != 37 * 0.1);
    CU_ASSERT(gives_number(&y, "tick", 2) && gives_number(&y, "paused over", 0));
    CU_ASSERT(y.answers[0] == IC_OK && y.answers[1] == IC_INVALID);
    CU_ASSERT(strstr(ic_event_set_text(y.set), "its time is past") != NULL);
}

/* Solvers that read guards from their texts support timers as well, and refuse everything else. */
IC_TEST(test_solvers_that_do_not_observe)
{
    size_t solvers = 0;
    for (size_t i = 0; i < ic_solver_count; i++) {
        const ic_solver *solver = ic_solvers[i];
        if (observing_solver(i) != NULL || (solver->needs & (IC_NEEDS_IMPACT_VIEW | IC_NEEDS_STOPS_VIEW)) != 0)
            continue;
        IC_OWN(toy) timed = open_toy(), watched = open_toy();
        ic_start_timer(timed.set, &tick, 0.5, 3, NULL);
        run_toy(&timed, solver);
        CU_ASSERT(gives_status(&timed, IC_OK) && gives_number(&timed, "tick", 3));
        ic_observe(watched.set, AT_1("watch", +1, .rate = rate_of_x), NULL);
        run_toy(&watched, solver);
        CU_ASSERT(gives_status(&watched, IC_UNSUPPORTED) && strstr(ic_log_text(watched.log), "watch") != NULL);
        solvers++;
    }
    CU_ASSERT(solvers >= 3); /* taylor, piecewise_linear, refined_step */
    IC_OWN(toy) y = open_toy();
    ic_start_timer(y.set, &tick, 0.5, 0, NULL);
    const ic_solver *own_loop = ic_solver_find("modal_closed_form");
    IC_OWN(ic_instance) *instance =
        ic_instance_new(ic_case_find("planar-bar"), &(ic_choices){.solver = own_loop}, NULL);
    CU_ASSERT_FATAL(instance != NULL);
    IC_OWN(ic_log) *log = ic_log_new(ic_instance_problem(instance));
    CU_ASSERT_EQUAL(ic_run(log, own_loop, &(ic_options){.events = y.set}), IC_UNSUPPORTED);
    CU_ASSERT(strstr(ic_log_text(log), "own event loop") != NULL);
}

/* ---- the impossible */

static bool is_refused(const toy *y, ic_status status, const char *text)
{
    return status == IC_INVALID && strstr(ic_event_set_text(y->set), text) != NULL;
}

static ic_status request_past_event(ic_firing *now, void *context)
{
    toy *y = context;
    y->answers[0] = ic_schedule(now->events, &tick, 0.25, NULL);
    CU_ASSERT(strstr(ic_event_set_text(now->events), "is before the current time") != NULL);
    y->answers[1] = ic_start_timer(now->events, &tick, DBL_EPSILON / 4, 0, NULL);
    CU_ASSERT(strstr(ic_event_set_text(now->events), "below the rounding error") != NULL);
    y->answers[2] = ic_event_remove(now->events, now->id); /* due for the last time */
    return IC_OK;
}
static double test_meddling(const ic_moment *now, void *context)
{
    toy *y = context;
    (void)now;
    y->answers[3] = ic_event_remove(y->set, y->ids[0]);
    return 1;
}

IC_TEST(test_refusals)
{
    IC_OWN(toy) y = open_toy(), early = open_toy();
    CU_ASSERT(is_refused(&y, ic_observe(y.set, &(ic_observer){.value = x_is_1}, NULL), "needs a name"));
    CU_ASSERT(is_refused(&y, ic_observe(y.set, &(ic_observer){.name = "a"}, NULL), "`value`"));
    CU_ASSERT(is_refused(&y, ic_observe(y.set, AT_1("a", 2, .rate = rate_of_x), NULL), "direction is 2"));
    CU_ASSERT(is_refused(&y, ic_schedule(y.set, &tick, NAN, NULL), "is not finite"));
    CU_ASSERT(is_refused(&y, ic_schedule(y.set, &(ic_timed){0}, 1, NULL), "needs a name"));
    CU_ASSERT(is_refused(&y, ic_start_timer(y.set, &tick, 0, 0, NULL), "positive"));
    CU_ASSERT(is_refused(&y, ic_start_timer(y.set, &tick, -1, 0, NULL), "positive"));
    CU_ASSERT(is_refused(&y, ic_start_timer(y.set, &tick, INFINITY, 0, NULL), "positive"));
    CU_ASSERT(is_refused(&y, ic_event_arm(y.set, 0), "does not exist"));
    CU_ASSERT(is_refused(&y, ic_event_remove(y.set, 12345678901234ull), "does not exist"));
    CU_ASSERT(ic_event_set_count(y.set) == 0);
    CU_ASSERT_EQUAL(ic_schedule(y.set, &tick, 3, &y.ids[0]), IC_OK);
    CU_ASSERT_EQUAL(ic_event_remove(y.set, y.ids[0]), IC_OK);
    CU_ASSERT_EQUAL(ic_schedule(y.set, &tick, 3, &y.ids[1]), IC_OK);
    CU_ASSERT(y.ids[0] != y.ids[1]);
    CU_ASSERT(is_refused(&y, ic_event_remove(y.set, y.ids[0]),
                         "does not exist")); /* planted: an id that is used again */
    y.ids[0] = y.ids[1];
    ic_schedule(y.set, &(ic_timed){.name = "past", .handler = request_past_event, .context = &y}, 0.5, NULL);
    OBSERVE(&y, .name = "meddles", .value = test_meddling, .context = &y);
    run_toy(&y, default_solver());
    CU_ASSERT(gives_status(&y, IC_OK));
    for (size_t i = 0; i < IC_COUNT(y.answers); i++) CU_ASSERT_EQUAL(y.answers[i], IC_INVALID);
    CU_ASSERT(gives_number(&y, "tick", 1));
    CU_ASSERT(is_refused(&y, ic_schedule(y.set, &tick, 5, NULL), "is over"));
    const ic_options again_with = {.events = y.set};
    CU_ASSERT_EQUAL(ic_run(y.log, default_solver(), &again_with), IC_INVALID);
    ic_schedule(early.set, &tick, -1, NULL);
    run_toy(&early, default_solver());
    CU_ASSERT(gives_status(&early, IC_INVALID) && strstr(ic_log_text(early.log), "before the start") != NULL);
}

HANDLER(to_mode_7, (now->mode_post = 7, IC_OK))
HANDLER(to_nan, (now->x_post[X] = NAN, IC_OK))
HANDLER(gives_up, IC_IO)
MOMENT_VALUE(is_nan, NAN)

IC_TEST(test_faults)
{
    static const struct {
        ic_handler *handler;
        ic_status status;
        const char *text;
    } faults[] = {{to_mode_7, IC_INVALID, "mode 7"},
                  {to_nan, IC_NOT_FINITE, "not finite"},
                  {gives_up, IC_IO, "stopped the run"}};
    for (size_t i = 0; i < IC_COUNT(faults); i++) {
        IC_OWN(toy) y = open_toy();
        ic_schedule(y.set, &(ic_timed){.name = "bad", .handler = faults[i].handler}, 0.5, NULL);
        run_toy(&y, default_solver());
        CU_ASSERT(gives_status(&y, faults[i].status) && strstr(ic_log_text(y.log), faults[i].text) != NULL);
        CU_ASSERT(strstr(ic_log_text(y.log), "bad") != NULL);
    }
    IC_OWN(toy) y = open_toy();
    OBSERVE(&y, .name = "nan", .value = is_nan);
    run_toy(&y, default_solver());
    CU_ASSERT(gives_status(&y, IC_NOT_FINITE));
}

/* ---- ten thousand */

enum { MANY = 10000 };

/* A crowd of observers whose calls are counted, created and removed during the run. */
typedef struct crowd {
    ic_event_id ids[MANY];

    /* most: armed at once */
    size_t made, removed, most;

    double calls;
} crowd;

static double counted_value(const ic_moment *now, void *context)
{
    crowd *c = context;
    c->calls++;
    return now->t + 1;
}

static ic_status replace_observers(ic_firing *now, void *context)
{
    static const ic_observer one = {.name = "one of many", .value = counted_value};
    crowd *c = context;
    for (int i = 0; i < 10 && c->made < MANY; i++) {
        ic_observer observer = one;
        observer.context = c;
        const ic_status status = ic_observe(now->events, &observer, &c->ids[c->made++]);
        if (status != IC_OK) return status;
    }
    while (c->made - c->removed > c->most || (c->made == MANY && c->removed < MANY)) {
        const ic_status status = ic_event_remove(now->events, c->ids[c->removed++]);
        if (status != IC_OK) return status;
    }
    return IC_OK;
}

/* Calls of observers in a run in which MANY are created and removed, with `most` of them armed at
   once. */
static double calls_of_crowd(size_t most)
{
    static crowd c;
    toy y = open_toy();
    c = (crowd){.most = most};
    y.t_end = 1.5;
    ic_start_timer(y.set, &(ic_timed){.name = "come and go", .handler = replace_observers, .context = &c}, 1e-3,
                   0, NULL);
    ic_allocations_begin(IC_NO_FAILURE);
    run_toy(&y, default_solver());
    CU_ASSERT(gives_status(&y, IC_OK) && c.made == MANY && c.removed == MANY && ic_event_set_count(y.set) == 1);
    close_toy(&y);
    const ic_allocations used = ic_allocations_end();
    CU_ASSERT(used.left <= 0);
    return c.calls;
}

/* The cost is that of the armed observers: twice as many cost twice as much, and removed ones
   nothing. */
IC_TEST(test_ten_thousand)
{
    const double few = calls_of_crowd(50), twice = calls_of_crowd(100);
    CU_ASSERT(few > 0 && twice > 1.5 * few && twice < 2.5 * few);
    /* 1000 instants with 50 observers each, some ten calls in the phase between two; planted: all
       observers ever created, 100 times more */
    CU_ASSERT(few < 50.0 * 1000 * 30);
}

/* Ten thousand that are due together, and ten thousand that are idle. */
IC_TEST(test_ten_thousand_at_once)
{
    IC_OWN(toy) y = open_toy();
    y.t_end = 2.5;
    for (int i = 0; i < MANY; i++) {
        ic_event_id id = 0;
        CU_ASSERT(ic_schedule(y.set, &tick, 2, NULL) == IC_OK);
        CU_ASSERT(ic_observe(y.set, AT_1("disarmed", +1, .rate = rate_of_x), &id) == IC_OK);
        CU_ASSERT(ic_event_disarm(y.set, id) == IC_OK);
    }
    run_toy(&y, default_solver());
    CU_ASSERT(gives_status(&y, IC_OK) && gives_number(&y, "tick", MANY) && gives_number(&y, "disarmed", 0));
    CU_ASSERT(ic_event_set_count(y.set) == MANY);
}

/* Each allocation fails once: nothing leaks, and the reason is reported. */
IC_TEST(test_memory)
{
    size_t failures = 0;
    for (size_t i = 0; i < 10000; i++) {
        ic_allocations_begin(i);
        ic_event_set *set = ic_event_set_new();
        ic_status status = set != NULL ? IC_OK : IC_NO_MEMORY;
        ic_event_id id = 0;
        for (int k = 0; k < 20 && status == IC_OK; k++)
            status = ic_observe(set, AT_1("a", 1, .rate = rate_of_x), &id);
        if (status == IC_OK) status = ic_event_disarm(set, id);
        if (status == IC_OK) status = ic_event_arm(set, id);
        for (int k = 0; k < 20 && status == IC_OK; k++) status = ic_start_timer(set, &tick, 0.3, 0, NULL);
        const ic_problem problem = {.system = &system_of_toy,
                                    .variant = &variant,
                                    .par = (double[]){[START_V] = 1, [CLOCK] = 9},
                                    .t_end = 2};
        ic_log *log = status == IC_OK ? ic_log_new(&problem) : NULL;
        if (log != NULL) status = ic_run(log, default_solver(), &(ic_options){.events = set});
        else status = IC_NO_MEMORY;
        ic_log_free(log);
        ic_event_set_free(set);
        const ic_allocations used = ic_allocations_end();
        CU_ASSERT(used.left <= 0);
        if (!used.failed) {
            CU_ASSERT_EQUAL(status, IC_OK);
            break;
        }
        failures++;
        CU_ASSERT_EQUAL(status, IC_NO_MEMORY);
    }
    CU_ASSERT(failures > 50);
}
