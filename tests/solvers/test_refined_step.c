/* SPDX-License-Identifier: MIT */
/**
 * refined_step: the delay of its events and the resulting order, where it refines, what it misses,
 * and that it ends on every preset. test_contract.c tests the event contract.
 */
#include "core/model.h"
#include "registry/registry.h"
#include "tests/machine.h"
#include "validation/studies/power_law.h"
#include "validation/subjects.h"

IC_SUITE(solvers, "refined_step")

/* Steps that are compared, each half as long as the one before. */
enum { LEVELS = 5 };
/* Number of refined steps per step. */
#define PARTS 100.0
/* An event falls anywhere in its step: means over some ten events scatter by a factor of two, and
   the slope over four halvings by less than 2 log2(2)/4. */
#define SCATTER 0.4
/* An event that is late by less than this fraction of a refined step was located. */
#define LOCATED 1e-2

static const struct subject {
    const char *path, *until, *truth;

    /* s */
    double coarsest;
} subjects[] = {
    {"rotating-beam/main", "0.0818", "dop853", 4e-6},
    {"roller/III/C", "0.2", "piecewise_linear", 5e-5},
};

/* Mean distance of the guards' events from those of another run, and that of the first, s; infinite
   for different events. */
static double mean_error(double *first, const ic_log *log, const ic_log *truth)
{
    double sum = 0, count = 0;
    if (ic_log_event_count(log) != ic_log_event_count(truth)) return INFINITY;
    for (size_t i = 0; i < ic_log_event_count(log); i++) {
        const ic_event is = ic_log_event_at(log, i), was = ic_log_event_at(truth, i);
        if (strcmp(is.name, was.name) != 0) return INFINITY;
        if (is.kind != IC_EVENT_GUARD) continue;
        if (count++ == 0) *first = is.t - was.t;
        sum += fabs(is.t - was.t);
    }
    return sum / count;
}

typedef struct shown {
    double order;

    /* delay of the first event over a refined step */
    double least, most;
} shown;

static void measure_delays(shown *s, const struct subject *subject, const char *solver)
{
    double steps[LEVELS], errors[LEVELS];
    IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = subject->path, .until = subject->until});
    IC_OWN(ic_log) *truth = ic_tests_solve(subject->truth, &setup.problem, &(ic_options){.rtol = 1e-12});
    *s = (shown){.least = INFINITY, .most = -INFINITY};
    for (int k = 0; k < LEVELS; k++) {
        double first = NAN;
        steps[k] = ldexp(subject->coarsest, -k);
        IC_OWN(ic_log) *log = ic_tests_solve(solver, &setup.problem, &(ic_options){.step = steps[k]});
        errors[k] = mean_error(&first, log, truth);
        s->least = fmin(s->least, first / (steps[k] / PARTS));
        s->most = fmax(s->most, first / (steps[k] / PARTS));
    }
    s->order = ic_power_law_fit(steps, errors, LEVELS).exponent;
}

static bool is_late_by_steps(const shown *s)
{
    return s->least > LOCATED && s->most <= 1;
}

IC_TEST(test_order)
{
    for (size_t i = 0; i < IC_COUNT(subjects); i++) {
        shown refined, located;
        measure_delays(&refined, &subjects[i], "refined_step");
        CU_ASSERT(fabs(refined.order - 1) <= SCATTER);
        CU_ASSERT(is_late_by_steps(&refined));
        measure_delays(&located, &subjects[i], "rk4_henon"); /* planted: it locates its events */
        CU_ASSERT_FALSE(is_late_by_steps(&located));
        CU_ASSERT_FALSE(fabs(located.order - 1) <= SCATTER);
    }
}

static double count_steps(const char *path, const char *until)
{
    IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = path, .until = until});
    IC_OWN(ic_log) *log = ic_tests_solve("refined_step", &setup.problem, &(ic_options){0});
    return ic_log_work(log)->steps * ic_default_step(&setup.problem) / setup.problem.t_end;
}

/* Before the stop is near, steps have the requested length; from touch-down at 0.0807 s to the last
   exit at 0.0832 s they are refined. */
IC_TEST(test_where)
{
    CU_ASSERT(fabs(count_steps("rotating-beam/main", "0.08") - 1) < 1e-3);
    const double parts = count_steps("rotating-beam/main", "0.0832"), contact = (0.0832 - 0.0807) / 0.0832;
    CU_ASSERT(parts > 0.7 * PARTS * contact && parts < 1.1 * (1 + PARTS * contact));
}

/* A ball that bounces indefinitely: intervals shorter than a refined step become one impact per
   step; no accumulation is reported. */
IC_TEST(test_accumulation)
{
    ic_status status = IC_OK;
    IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = "bouncing-ball/drop"});
    IC_OWN(ic_log) *log = ic_solve(ic_solver_find("refined_step"), &setup.problem, &(ic_options){0}, &status);
    CU_ASSERT(status == IC_OK || status == IC_ZENO);
    CU_ASSERT(ic_log_event_count(log) > 3);
}

/* No divisor of the time of a fall, so that no step ends at the floor. */
#define BOUNCE_STEP 1e-3

/* The case's own jump puts the ball on the floor. */
static int keep_state(double *x_post, double t, const double *x_pre, const double *par)
{
    (void)t, (void)par;
    x_post[0] = x_pre[0];
    x_post[1] = -0.3 * x_pre[1];
    return 0;
}

/* After its jump the ball is still below the floor, where a step has put it, and stays there for
   some steps, since it leaves at a third of its speed. A floor that fires in both directions must
   not fire when the ball comes up. */
static void check_one_bounce(const char *height)
{
    const char *const settings[] = {height};
    ic_mode modes[2];
    IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){"bouncing-ball/lively", settings, 1, "0.62", NULL});
    ic_variant variant = *setup.problem.variant;
    CU_ASSERT_EQUAL_FATAL(variant.n_modes, IC_COUNT(modes));
    memcpy(modes, variant.modes, sizeof modes);
    ic_guard floor = modes[0].guards[0];
    floor.direction = 0;
    floor.jump.apply = keep_state;
    modes[0].guards = &floor;
    variant.modes = modes;
    setup.problem.variant = &variant;
    IC_OWN(ic_log) *log = ic_tests_solve("refined_step", &setup.problem, &(ic_options){.step = BOUNCE_STEP});
    size_t impacts = 0;
    for (size_t i = 0; i < ic_log_event_count(log); i++) {
        const ic_event event = ic_log_event_at(log, i);
        if (event.kind != IC_EVENT_GUARD) continue;
        impacts++;
        CU_ASSERT(event.x_pre[0] < 0 && event.x_pre[1] < 0);
    }
    CU_ASSERT_EQUAL(impacts, 1);
    CU_ASSERT(ic_log_end(log).x[0] > 0);
}

/* Each meets its floor at another fraction of a step. */
IC_TEST(test_beside_zero)
{
    static const char *const heights[] = {"h=1", "h=1.05", "h=1.1", "h=1.15", "h=1.2", "h=1.25"};
    for (size_t i = 0; i < IC_COUNT(heights); i++) check_one_bounce(heights[i]);
}

/* On every preset it ends, or reports that its steps do not suffice and where it was. */
#define MOST_STEPS 5000.0

IC_TEST(test_every_preset)
{
    size_t ended = 0, stopped = 0;
    for (size_t c = 0; c < ic_case_count; c++) {
        for (size_t p = 0; p < ic_cases[c]->n_presets; p++) {
            char path[128];
            ic_status status = IC_OK;
            const ic_options options = {.max_steps = MOST_STEPS};
            snprintf(path, sizeof path, "%s/%s", ic_cases[c]->name, ic_cases[c]->presets[p].name);
            IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = path});
            IC_OWN(ic_log) *log = ic_solve(ic_solver_find("refined_step"), &setup.problem, &options, &status);
            const ic_sample end = ic_log_end(log);
            const bool over = setup.problem.variant->modes[end.mode].terminal;
            for (size_t i = 0; i < setup.problem.system->n_states; i++) CU_ASSERT(isfinite(end.x[i]));
            ended += status == IC_OK, stopped += status == IC_TOO_MUCH_WORK;
            CU_ASSERT(status == IC_OK || status == IC_TOO_MUCH_WORK);
            CU_ASSERT(status != IC_OK || over || end.t == setup.problem.t_end);
            CU_ASSERT(status == IC_OK || (end.t < setup.problem.t_end && strlen(ic_log_text(log)) > 0));
        }
    }
    CU_ASSERT(ended > 0 && stopped > 0);
}

/* It is not bound by the event contract, and says so. */
IC_TEST(test_what_it_says)
{
    const ic_solver *refined = ic_solver_find("refined_step");
    IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = "roller/III/C"});
    CU_ASSERT(refined->steps_over_events && refined->order == 1);
    CU_ASSERT(ic_solver_solves(refined, &setup.problem));
    CU_ASSERT_FALSE(ic_solver_serves(refined, &setup.problem));
    CU_ASSERT(ic_solver_serves(ic_solver_find("rk4_henon"), &setup.problem));
    CU_ASSERT_FALSE(ic_solver_solves(ic_solver_find("newton"), &setup.problem));
}
