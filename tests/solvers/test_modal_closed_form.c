/* SPDX-License-Identifier: MIT */
/**
 * The closed form of planar impacts: against the certifier for random and difficult parameters,
 * against formulas where they exist, against the other analytic solver for runs that are cut,
 * restarted or sampled, and against itself where a guard touches zero. Planted wrong answers must
 * be rejected.
 */
#include "core/model.h"
#include "core/random.h"
#include "registry/registry.h"
#include "tests/machine.h"
#include "validation/subjects.h"
#include "validation/truth.h"

#include <float.h>

IC_SUITE(solvers, "modal closed form")

/* Up to some hundred phases, each of which rounds the state some ten times: 1e3 eps/2. */
#define TOLERANCE 1e-13
/* Allowed difference of two solvers, one of which searches its events to the rounding of sums of
   five terms. */
#define LIKE_THE_OTHER 1e-11
#define PLANTED 1e-12

static const ic_solver *modal_solver(void)
{
    return ic_solver_find("modal_closed_form");
}

/* ---- problems */

enum { MOST_SETTINGS = 8, TEXT = 64 };

typedef struct settings {
    char text[MOST_SETTINGS][TEXT];
    const char *list[MOST_SETTINGS];
    size_t n;
} settings;

/* A number that is a multiple of 2^-20, exact as a double and as text. */
static void set_parameter(settings *s, const char *name, double value)
{
    snprintf(s->text[s->n], TEXT, "%s=%.0f/1048576", name, rint(value * 0x1p20));
    s->list[s->n] = s->text[s->n];
    s->n++;
}

static ic_setup open_bar(const char *const *list, size_t n, const char *until)
{
    return ic_tests_setup(&(ic_request){"planar-bar/kappa-1", list, n, until, NULL});
}

static ic_log *solve(const ic_problem *problem)
{
    return ic_tests_solve(modal_solver()->name, problem, &(ic_options){0});
}

/* ---- against the certifier */

/**
 * A planted wrong answer: an offset of times and states relative to their scales, and a wrong name.
 */
typedef struct planted {
    double t, x;
    const char *name;
} planted;

static bool same_events(const ic_log *log, const ic_truth *truth, const planted *wrong)
{
    if (ic_log_event_count(log) != truth->count) return false;
    for (size_t i = 0; i < truth->count; i++) {
        const ic_event event = ic_log_event_at(log, i);
        const ic_truth_event *is = &truth->events[i];
        const char *name = wrong->name != NULL && i + 1 == truth->count ? wrong->name : event.name;
        const double t = event.t + wrong->t * fmax(event.t, 1);
        if (strcmp(name, is->name) != 0 || event.mode_from != is->mode_from || event.mode_to != is->mode_to)
            return false;
        if (!(fabs(t - is->t) <= TOLERANCE * fmax(is->t, 1) + is->radius)) return false;
    }
    return true;
}

/* Impulses may far exceed their scale where the inverse mass matrix is ill-conditioned. */
static bool have_same_end(const ic_log *log, const ic_truth *truth, const double *scale, const planted *wrong)
{
    const ic_sample end = ic_log_end(log);
    if (end.mode != truth->mode) return false;
    for (size_t k = 0; k < IC_IMPACT_STATES; k++) {
        const double size = fmax(scale[k], fabs(truth->x[k]));
        if (!(fabs(end.x[k] + wrong->x * size - truth->x[k]) <= TOLERANCE * size + truth->radius[k]))
            return false;
    }
    return true;
}

static bool agrees_with_certifier(const ic_log *log, const ic_truth *truth, const double *scale, planted wrong)
{
    return same_events(log, truth, &wrong) && have_same_end(log, truth, scale, &wrong);
}

static void check_problem(const ic_problem *problem, const char *what)
{
    double scale[IC_MAX_STATES];
    IC_OWN(ic_truth) truth;
    ic_status status = IC_OK;
    IC_OWN(ic_log) *log = ic_solve(modal_solver(), problem, &(ic_options){0}, &status);
    ic_state_scales(problem, scale);
    ic_truth_certify(&truth, problem, IC_TRUTH_DIGITS);
    IC_EXPECT(status == IC_OK && truth.status == IC_OK &&
                  agrees_with_certifier(log, &truth, scale, (planted){0}),
              "%s: %s %s, certifier %s", what, ic_status_name(status), ic_log_text(log), truth.reason);
    CU_ASSERT_FALSE(agrees_with_certifier(log, &truth, scale, (planted){.t = PLANTED}) && truth.count > 0);
    CU_ASSERT_FALSE(agrees_with_certifier(log, &truth, scale, (planted){.x = PLANTED}));
    CU_ASSERT_FALSE(agrees_with_certifier(log, &truth, scale, (planted){.name = "slip"}) && truth.count > 0);
}

static void check_settings(const char *const *list, size_t n, const char *until)
{
    char what[MOST_SETTINGS * TEXT] = "";
    for (size_t i = 0; i < n; i++) {
        const size_t length = strlen(what);
        snprintf(what + length, sizeof what - length, "%s ", list[i]);
    }
    IC_OWN(ic_setup) setup = open_bar(list, n, until);
    check_problem(&setup.problem, what);
}

static uint64_t seed;

/* A bar, or any inverse mass matrix, with mu in [0, 3] and kappa over six decades. */
static settings random_settings(bool bar)
{
    settings s = {.n = 0};
    set_parameter(&s, "kappa", pow(10, -3 + 6 * ic_uniform(&seed, 0, 1)));
    set_parameter(&s, "mu", 3 * ic_uniform(&seed, 0, 1));
    set_parameter(&s, "vx", 6 * ic_uniform(&seed, 0, 1) - 3);
    set_parameter(&s, "vy", -0.1 - 2 * ic_uniform(&seed, 0, 1));
    if (bar) {
        set_parameter(&s, "m", 0.2 + 3 * ic_uniform(&seed, 0, 1));
        set_parameter(&s, "phi",
                      (ic_uniform(&seed, 0, 1) < 0.5 ? 1 : -1) * (1 + 88 * ic_uniform(&seed, 0, 1)) * M_PI /
                          180);
    } else {
        const double C_xx = exp(3 * ic_uniform(&seed, 0, 1)), C_yy = exp(3 * ic_uniform(&seed, 0, 1));
        set_parameter(&s, "C_xx", C_xx);
        set_parameter(&s, "C_yy", C_yy);
        set_parameter(&s, "C_xy", 0.98 * sqrt(C_xx * C_yy) * (2 * ic_uniform(&seed, 0, 1) - 1));
    }
    return s;
}

IC_TEST(test_random)
{
    seed = 1;
    for (int trial = 0; trial < 40; trial++) {
        settings s = random_settings(trial % 2 == 0);
        for (size_t i = 0; i < s.n; i++) s.list[i] = s.text[i];
        check_settings(s.list, s.n, NULL);
    }
}

IC_TEST(test_awkward)
{
    static const struct {
        const char *list[MOST_SETTINGS];
    } rows[] = {
        {{"mu=0"}},
        {{"mu=0", "vx=-1/2"}},
        {{"mu=0", "vx=0"}},
        {{"vx=0"}},
        {{"vx=0", "phi=-pi/3", "kappa=10"}},
        {{"kappa=1e6", "mu=1/2", "vx=1/4"}},
        {{"kappa=1/1000000", "vx=1/1000000"}},
        /* equal eigenvalues, and nearly equal ones */
        {{"C_xx=2", "C_xy=0", "C_yy=3", "kappa=3/2"}},
        {{"C_xx=2", "C_xy=1/1000000000000", "C_yy=3", "kappa=3/2", "vx=1/4"}},
        {{"C_xx=2", "C_xy=0", "C_yy=3", "kappa=2", "vx=1/4"}},
        /* sliding close to and at lambda = 0, and with lambda far below */
        {{"C_xx=3", "C_xy=1", "C_yy=1.000000000001", "vx=3"}},
        {{"C_xx=3", "C_xy=1", "C_yy=0.999999999999", "vx=3"}},
        {{"C_xx=3", "C_xy=1", "C_yy=1", "vx=3"}},
        {{"C_xx=3", "C_xy=-1", "C_yy=1.000001", "vx=-3", "kappa=30"}},
        {{"C_xx=45", "C_xy=6", "C_yy=1", "mu=3", "vx=40"}},
        {{"C_xx=45", "C_xy=6", "C_yy=1", "mu=3", "vx=400", "kappa=100"}},
        /* starts on the boundary of the cone: continues to stick, or slips at once */
        {{"vx=1", "phi=pi/6"}},
        {{"vx=-1", "phi=pi/3"}},
        {{"vx=1", "phi=-pi/3"}},
        {{"vx=1/2", "kappa=4", "mu=2", "C_xx=1", "C_xy=1/2", "C_yy=16"}},
        {{"vx=-1/2", "kappa=4", "mu=2", "C_xx=1", "C_xy=1/2", "C_yy=16"}},
        /* W nearly singular */
        {{"C_xx=4", "C_xy=-3.99", "C_yy=4", "kappa=1/3"}},
    };
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        size_t n = 0;
        while (n < MOST_SETTINGS && rows[i].list[n] != NULL) n++;
        check_settings(rows[i].list, n, NULL);
    }
}

/* ---- against formulas */

/* Straight and central: y'' = -C_yy y, no tangential force. */
IC_TEST(test_central)
{
    static const char *const list[] = {"vx=0", "C_xy=0", "C_xx=2", "C_yy=5"};
    IC_OWN(ic_setup) setup = open_bar(list, IC_COUNT(list), NULL);
    IC_OWN(ic_log) *log = solve(&setup.problem);
    CU_ASSERT_EQUAL_FATAL(ic_log_event_count(log), 1);
    const ic_event event = ic_log_event_at(log, 0);
    CU_ASSERT_STRING_EQUAL(event.name, IC_IMPACT_LIFT_OFF);
    CU_ASSERT(fabs(event.t - M_PI / sqrt(5)) <= 4 * DBL_EPSILON);
    CU_ASSERT(fabs(event.x_post[IC_IMPACT_P_Y] - 2 / 5.0) <= DBL_EPSILON);
    CU_ASSERT_EQUAL(event.x_post[IC_IMPACT_P_X], 0);
    CU_ASSERT(isnan(ic_log_work(log)->guard_calls));
    CU_ASSERT(ic_log_work(log)->root_iterations >= 1);
    CU_ASSERT_EQUAL(ic_log_work(log)->steps, 1);
}

/* Frequencies 1 and 2, from rest: all forces vanish at pi, where the guards of both edges and of
   lift-off cross; lift-off, first in the table, fires. */
IC_TEST(test_commensurate)
{
    static const char *const list[] = {"phi=-pi/4", "mu=2"};
    IC_OWN(ic_setup) setup = open_bar(list, IC_COUNT(list), NULL);
    IC_OWN(ic_log) *log = solve(&setup.problem);
    CU_ASSERT_EQUAL_FATAL(ic_log_event_count(log), 1);
    const ic_event event = ic_log_event_at(log, 0);
    CU_ASSERT_STRING_EQUAL(event.name, IC_IMPACT_LIFT_OFF);
    CU_ASSERT(event.sequence == 0 && fabs(event.t - M_PI) <= 8 * DBL_EPSILON);
}

/* ---- against the other analytic solver */

static bool logs_agree(double a, double b, double scale, double tolerance)
{
    return fabs(a - b) <= tolerance * fmax(scale, fabs(b)) || (isnan(a) && isnan(b));
}

static void compare_with_other(const ic_problem *problem)
{
    const ic_options options = {.samples = 57, .extremes = true};
    ic_status status = IC_OK, other = IC_OK;
    IC_OWN(ic_log) *a = ic_solve(modal_solver(), problem, &options, &status);
    IC_OWN(ic_log) *b = ic_solve(ic_solver_find("piecewise_linear"), problem, &options, &other);
    CU_ASSERT_EQUAL(status, IC_OK);
    CU_ASSERT_EQUAL(status, other);
    CU_ASSERT(ic_tests_same_run(a, b, LIKE_THE_OTHER));
}

/* All presets of the variant, to their end and cut short. */
IC_TEST(test_like_the_other)
{
    static const char *const ends[] = {NULL, "2", "0.3"};
    const ic_case *bar = ic_case_find("planar-bar");
    for (size_t i = 0; i < bar->n_presets; i++) {
        if (strcmp(bar->presets[i].variant, modal_solver()->variant) != 0) continue;
        char path[TEXT];
        snprintf(path, sizeof path, "planar-bar/%s", bar->presets[i].name);
        for (size_t k = 0; k < IC_COUNT(ends); k++) {
            IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = path, .until = ends[k]});
            compare_with_other(&setup.problem);
        }
    }
}

/* Starts inside and outside the cone of friction: guards that cross upwards first, lift-off from
   sticking, zeros at the start. */
IC_TEST(test_starts)
{
    static const struct {
        int mode;
        double x[IC_IMPACT_STATES];
    } rows[] = {
        {IC_IMPACT_STICKING, {0.3, -0.1}},
        {IC_IMPACT_STICKING, {-0.9, -0.2, 1, 0.1, 0.3, 2, 0.5}},
        {IC_IMPACT_STICKING, {0.1, -0.7, 0, 0.05, 0.6, 0.5}},
        {IC_IMPACT_STICKING, {-0.4, -1e-3, 0, 0, 1.5}},
        {IC_IMPACT_STICKING, {0.25, -0.25, 0, 0.2, 0.4}},
        {IC_IMPACT_STICKING, {0, 0, 0, 0, 1}},
        {IC_IMPACT_SLIDING_PLUS, {0.2, -0.2, 0, -0.1, 0.2}},
        {IC_IMPACT_SLIDING_PLUS, {0.2, -0.2, 0, -2, 0.2}},
        {IC_IMPACT_SLIDING_MINUS, {-0.3, -0.2, 0, -0.6, 0.2}},
        {IC_IMPACT_SLIDING_MINUS, {0, 0, 0, -0.6, 0.2, 1}},
        {IC_IMPACT_LIFTED_OFF, {0, 0, 1, 0.1, 1}},
    };
    static const char *const matrices[][4] = {
        {"kappa=1", "mu=1", "phi=pi/4"}, {"kappa=40", "mu=1/2", "phi=1/3"}, {"kappa=1/50", "mu=2", "phi=-1"}};
    for (size_t m = 0; m < IC_COUNT(matrices); m++) {
        for (size_t i = 0; i < IC_COUNT(rows); i++) {
            IC_OWN(ic_setup) setup = open_bar(matrices[m], 3, "1.75");
            setup.problem.t_start = -0.5;
            setup.problem.x_start = rows[i].x;
            setup.problem.mode_start = rows[i].mode;
            compare_with_other(&setup.problem);
        }
    }
}

/* ---- against itself */

/* A run that is cut and restarted from its state continues as if it had not been cut. */
IC_TEST(test_restart)
{
    static const char *const list[] = {"kappa=100"};
    double scale[IC_MAX_STATES];
    IC_OWN(ic_setup) setup = open_bar(list, 1, NULL);
    ic_state_scales(&setup.problem, scale);
    IC_OWN(ic_log) *whole = solve(&setup.problem);
    for (int part = 1; part < 40; part++) {
        ic_problem first = setup.problem, second = setup.problem;
        first.t_end = second.t_start = part / 16.0;
        first.t_end_text = NULL;
        IC_OWN(ic_log) *a = solve(&first);
        const ic_sample cut = ic_log_end(a);
        if (cut.mode != IC_IMPACT_LIFTED_OFF) CU_ASSERT_EQUAL(cut.t, first.t_end);
        second.x_start = cut.x;
        second.mode_start = cut.mode;
        IC_OWN(ic_log) *b = solve(&second);
        CU_ASSERT_EQUAL(ic_log_event_count(a) + ic_log_event_count(b), ic_log_event_count(whole));
        for (size_t k = 0; k < IC_IMPACT_STATES; k++) {
            CU_ASSERT(logs_agree(ic_log_end(b).x[k], ic_log_end(whole).x[k], scale[k], TOLERANCE));
        }
    }
    /* also right after each event: a stop leaves a guard at its zero, up to rounding */
    for (size_t i = 0; i < ic_log_event_count(whole); i++) {
        const ic_event event = ic_log_event_at(whole, i);
        ic_problem rest = setup.problem;
        rest.t_start = event.t;
        rest.x_start = event.x_post;
        rest.mode_start = event.mode_to;
        IC_OWN(ic_log) *b = solve(&rest);
        CU_ASSERT_EQUAL(i + 1 + ic_log_event_count(b), ic_log_event_count(whole));
    }
}

/* Events with a given coefficient of friction. */
static size_t events_with(ic_setup *setup, size_t mu, double value, ic_log **log)
{
    setup->par[mu] = value;
    ic_log_free(*log);
    *log = solve(&setup->problem);
    return ic_log_event_count(*log);
}

/* Least mu without a slip in the middle of the contact, where the guard touches zero. One unit in
   the last place to either side, and at the touch itself, the answers agree. */
IC_TEST(test_touch)
{
    static const char *const list[] = {"C_xx=9", "C_xy=2", "C_yy=1", "kappa=10", "vx=1/100"};
    IC_OWN(ic_log) *log = NULL;
    double scale[IC_MAX_STATES], low = 0.24, high = 0.5;
    IC_OWN(ic_setup) setup = open_bar(list, IC_COUNT(list), NULL);
    const size_t mu = ic_parameter_find(setup.problem.system, "mu");
    ic_state_scales(&setup.problem, scale);
    const size_t many = events_with(&setup, mu, low, &log);
    const size_t few = events_with(&setup, mu, high, &log);
    CU_ASSERT(few < many);
    while (nextafter(low, high) < high) {
        const double middle = 0.5 * (low + high);
        if (events_with(&setup, mu, middle, &log) > few) low = middle;
        else high = middle;
    }
    IC_OWN(ic_log) *touching = NULL, *beyond = NULL;
    events_with(&setup, mu, low, &touching);
    events_with(&setup, mu, high, &beyond);
    for (size_t k = 0; k < IC_IMPACT_STATES; k++) {
        CU_ASSERT(logs_agree(ic_log_end(touching).x[k], ic_log_end(beyond).x[k], scale[k], TOLERANCE));
    }
    CU_ASSERT_EQUAL(ic_log_event_count(beyond), few);
    CU_ASSERT(ic_log_note_count(beyond) >= 1); /* clause 8 */
}

/* Relative increase of friction; events move by its square root, rounded up. */
#define MORE_FRICTION 1e-9
#define SAME_TIME 1e-4

/* The guard that touches zero crosses it later: this slip must not be skipped with the touch. The
   events are those of slightly more friction. */
IC_TEST(test_slip_after_touch)
{
    static const char *const lists[][6] = {
        {"kappa=4/5", "vx=1/5", "vy=-1", "C_xx=18", "C_yy=3/4", "C_xy=-7/4"},
        /* a thousand times as fast; impulses that are far greater, and smaller */
        {"kappa=4/5", "vx=1/5", "vy=-1", "C_xx=18e6", "C_yy=75e4", "C_xy=-175e4"},
        {"kappa=4/5", "vx=2e8", "vy=-1e9", "C_xx=18", "C_yy=3/4", "C_xy=-7/4"},
        {"kappa=4/5", "vx=2e-10", "vy=-1e-9", "C_xx=18", "C_yy=3/4", "C_xy=-7/4"},
    };
    for (size_t k = 0; k < IC_COUNT(lists); k++) {
        IC_OWN(ic_log) *log = NULL, *near = NULL;
        double low = 0.05, high = 0.95;
        IC_OWN(ic_setup) setup = open_bar(lists[k], IC_COUNT(lists[k]), NULL);
        const size_t mu = ic_parameter_find(setup.problem.system, "mu");
        while (nextafter(low, high) < high) {
            const double middle = 0.5 * (low + high);
            if (events_with(&setup, mu, middle, &log) > 2) low = middle;
            else high = middle;
        }
        const size_t n = events_with(&setup, mu, high, &log);
        CU_ASSERT_EQUAL(ic_log_note_count(log), 1);
        CU_ASSERT_EQUAL_FATAL(events_with(&setup, mu, high * (1 + MORE_FRICTION), &near), n);
        CU_ASSERT(n == 2 && strncmp(ic_log_event_at(log, 0).name, "slip", 4) == 0);
        for (size_t i = 0; i < n; i++) {
            const ic_event a = ic_log_event_at(log, i), b = ic_log_event_at(near, i);
            CU_ASSERT_STRING_EQUAL(a.name, b.name);
            CU_ASSERT(fabs(a.t - b.t) <= SAME_TIME * b.t);
            CU_ASSERT_FALSE(fabs(1.001 * a.t - b.t) <= SAME_TIME * b.t); /* planted */
        }
    }
}

/* ---- what is refused */

static ic_status status_of(const ic_problem *problem, ic_options options)
{
    ic_status status = IC_OK;
    IC_OWN(ic_log) *log = ic_solve(modal_solver(), problem, &options, &status);
    CU_ASSERT_EQUAL(status == IC_OK, ic_log_text(log)[0] == '\0');
    return status;
}

IC_TEST(test_refusals)
{
    static const char *const others[] = {"roller", "bouncing-ball", "planar-bar/newton", "planar-bar/stronge"};
    for (size_t i = 0; i < IC_COUNT(others); i++) {
        IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = others[i]});
        CU_ASSERT_EQUAL(status_of(&setup.problem, (ic_options){0}), IC_UNSUPPORTED);
    }
    IC_OWN(ic_setup) setup = open_bar(NULL, 0, NULL);
    ic_problem problem = setup.problem;
    CU_ASSERT_EQUAL(status_of(&problem, (ic_options){.max_steps = 1}), IC_TOO_MUCH_WORK);
    const double pulled[IC_IMPACT_STATES] = {0, 0.1}, lost[IC_IMPACT_STATES] = {NAN};
    problem.x_start = pulled;
    CU_ASSERT_EQUAL(status_of(&problem, (ic_options){0}), IC_UNSUPPORTED);
    problem.mode_start = IC_IMPACT_RIGID_PLUS;
    CU_ASSERT_EQUAL(status_of(&problem, (ic_options){0}), IC_UNSUPPORTED);
    problem.x_start = lost;
    problem.mode_start = IC_IMPACT_STICKING;
    CU_ASSERT_EQUAL(status_of(&problem, (ic_options){0}), IC_NOT_FINITE);
}
