/* SPDX-License-Identifier: MIT */
/**
 * Windows (solvers/linear/windows.h) against the parts that need no tables. A mode with more guards
 * than tables have is followed in parts, so the same problem with idle guards is compared.
 */
#include "core/model.h"
#include "solvers/linear/windows.h"
#include "tests/machine.h"
#include "validation/subjects.h"

IC_SUITE(solvers, "windows")

/* Times of some 100 events of a stable orbit: a few units in the last place each, of times and of
   periods. */
#define TIME_TOLERANCE 2e-13
/* States at samples, in scales: what the errors of times change, at up to 1000 scales in a typical time. */
#define STATE_TOLERANCE 1e-8
enum { SAMPLES = 41, MOST_MODES = 4, MOST_GUARDS = 8 };

static ic_log *solve_setup(const ic_problem *problem, bool shown)
{
    const ic_solver *solver = ic_solver_find("piecewise_linear");
    const ic_options options = {.extremes = shown, .samples = shown ? SAMPLES : 0};
    ic_log *log = ic_tests_solve(solver->name, problem, &options);
    return log;
}

IC_TESTS_VALUE(always_one, 1)
IC_TESTS_VALUE(always_zero, 0)

/** A variant with guards that never fire after its own. */
typedef struct idle_variant {
    ic_variant variant;
    ic_mode modes[MOST_MODES];
    ic_guard guards[MOST_MODES][MOST_GUARDS];
} idle_variant;

/* The problem without tables; `idle` holds its variant. */
static ic_problem without_tables(idle_variant *idle, const ic_problem *problem)
{
    const ic_variant *variant = problem->variant;
    ic_problem without = *problem;
    CU_ASSERT_FATAL(variant->n_modes <= MOST_MODES);
    idle->variant = *variant;
    idle->variant.modes = idle->modes;
    for (size_t k = 0; k < variant->n_modes; k++) {
        ic_mode *mode = &idle->modes[k];
        *mode = variant->modes[k];
        for (size_t i = 0; i < mode->n_guards; i++) idle->guards[k][i] = mode->guards[i];
        for (size_t i = mode->n_guards; i <= IC_WINDOW_GUARDS; i++) {
            idle->guards[k][i] = (ic_guard){.name = "idle",
                                            .unit = "1",
                                            .meaning = "",
                                            .direction = -1,
                                            .value = always_one,
                                            .rate = always_zero,
                                            .linear = "1",
                                            .jump = variant->start};
        }
        mode->guards = idle->guards[k];
        if (mode->n_guards <= IC_WINDOW_GUARDS) mode->n_guards = IC_WINDOW_GUARDS + 1;
    }
    without.variant = &idle->variant;
    return without;
}

/* Events of equal names, modes and times; `delay` is added to those of b. */
static bool events_agree(const ic_log *a, const ic_log *b, double delay, double typical)
{
    const size_t n = ic_log_event_count(a);
    if (ic_log_event_count(b) != n) return false;
    for (size_t i = 0; i < n; i++) {
        const ic_event p = ic_log_event_at(a, i), q = ic_log_event_at(b, i);
        if (p.name != q.name || p.mode_to != q.mode_to) return false;
        if (!(fabs(p.t - q.t - delay) <= TIME_TOLERANCE * fmax(typical, q.t))) return false;
    }
    return true;
}

/* Samples and extremes agree within STATE_TOLERANCE of scales and ranges; `shift` is added to those of b. */
static bool observations_agree(const ic_log *a, const ic_log *b, const ic_problem *problem, double shift)
{
    double scale[IC_MAX_STATES];
    ic_state_scales(problem, scale);
    for (size_t i = 0; i < SAMPLES; i++) {
        const ic_sample p = ic_log_sample_at(a, i), q = ic_log_sample_at(b, i);
        if (p.t != q.t || p.mode != q.mode) return false;
        for (size_t k = 0; k < problem->system->n_states; k++) {
            if (!(fabs(p.x[k] - q.x[k] - shift * scale[k]) <= STATE_TOLERANCE * scale[k])) return false;
        }
    }
    for (size_t i = 0; i < problem->system->n_outputs; i++) {
        const ic_extreme p = ic_log_extreme(a, i), q = ic_log_extreme(b, i);
        const double range = fmax(fabs(q.max), fabs(q.min)), most = STATE_TOLERANCE * range;
        if (!(fabs(p.max - q.max - shift * range) <= most && fabs(p.min - q.min - shift * range) <= most))
            return false;
    }
    return true;
}

static void compare_searches(const char *path, const char *const *settings, size_t n, const char *until)
{
    const ic_request request = {.path = path, .settings = settings, .n_settings = n, .until = until};
    IC_OWN(ic_setup) setup = ic_tests_setup(&request);
    const ic_problem *problem = &setup.problem;
    idle_variant idle;
    const ic_problem without = without_tables(&idle, problem);
    const double typical = ic_time_scale(problem);
    IC_OWN(ic_log) *by_windows = solve_setup(problem, false), *shown = solve_setup(problem, true);
    IC_OWN(ic_log) *in_parts = solve_setup(&without, true);
    IC_EXPECT(events_agree(by_windows, in_parts, 0, typical), "%s differs", path);
    CU_ASSERT(events_agree(shown, in_parts, 0, typical));
    CU_ASSERT(observations_agree(shown, in_parts, problem, 0));
    if (ic_log_event_count(in_parts) > 0)
        CU_ASSERT_FALSE(events_agree(by_windows, in_parts, 1e-9 * typical, typical));    /* planted */
    CU_ASSERT_FALSE(observations_agree(shown, in_parts, problem, 10 * STATE_TOLERANCE)); /* planted */
}

IC_TEST(test_presets)
{
    static const char *const cases[] = {"I", "II", "III"}, *const laws[] = {"A", "B", "C", "C*", "D"};
    for (size_t i = 0; i < IC_COUNT(cases); i++) {
        for (size_t k = 0; k < IC_COUNT(laws); k++) {
            char path[32];
            (void)snprintf(path, sizeof path, "roller/%s/%s", cases[i], laws[k]);
            compare_searches(path, NULL, 0, "2");
        }
    }
    compare_searches("two-mass/example-1", NULL, 0, "12");
    compare_searches("bouncing-ball", NULL, 0, NULL);
}

/* Soil from soft to stiff, and beyond critical damping, for a time in which chaos does not amplify
   roundings; m2 = 1500 gives a block for 0 that is not real in Schur's basis. */
IC_TEST(test_other_parameters)
{
    static const char *const values[][3] = {
        {"k=1e6", "c=1e3", "m2=1500"}, {"k=1e7", "c=1e6", "m2=1500"},    {"k=5e8", "c=1e5", "omega=90pi"},
        {"k=2e8", "c=4e6", "m2=700"},  {"k=2e8", "c23=0", "phase=pi/3"}, {"k=1e10", "c=1e6", "F_w=1e5"},
    };
    for (size_t i = 0; i < IC_COUNT(values); i++) {
        compare_searches("roller/III/A", values[i], 3, "0.12");
        compare_searches("roller/III/C*", values[i], 3, "0.12");
    }
}

/* Tables decide every phase of this run, with observation or without; idle guards leave it to parts. */
IC_TEST(test_all_phases)
{
    idle_variant idle;
    IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = "roller/III/C", .until = "5"});
    const ic_problem without = without_tables(&idle, &setup.problem);
    for (int shown = 0; shown < 2; shown++) {
        IC_OWN(ic_log) *log = solve_setup(&setup.problem, shown != 0);
        CU_ASSERT(ic_log_event_count(log) > 390);
        CU_ASSERT_EQUAL(ic_log_work(log)->root_iterations, 0); /* counted in parts only */
        IC_OWN(ic_log) *by_parts = solve_setup(&without, shown != 0);
        CU_ASSERT(ic_log_work(by_parts)->root_iterations > 390);
    }
}

/* ---- a fall at 1 m/s, with a decaying part, and under a changing condition */

enum { HEIGHT, CONDITION, DECAYS = 2, N_STATES = 6 };
enum { RATE, AT_START };
#define IMPACT_TIME 0.7
/* A few units in the last place of 0.7, 1.1e-16 each; and of states of size 1 over some dozen
   parts. */
#define TIME_ROUNDING 1e-15
#define STATE_ROUNDING 1e-14

static const double decay_rates[] = {0, 0, 30, 300, 2000, 10000};
static const ic_parameter fall_parameters[] = {
    [RATE] = {"r", "1/s", "rate of the condition", "0", "(-inf, inf)"},
    [AT_START] = {"c0", "1", "condition at the start", "1", "(-inf, inf)"},
};
static const ic_state fall_states[N_STATES] = {{"y", "m", "", "1"},  {"c", "1", "", "1"},
                                               {"z1", "1", "", "1"}, {"z2", "1", "", "1"},
                                               {"z3", "1", "", "1"}, {"z4", "1", "", "1"}};

static void flow_of_fall(double *dxdt, double t, const double *x, const double *par)
{
    (void)t;
    dxdt[HEIGHT] = -1;
    dxdt[CONDITION] = par[RATE];
    for (int i = DECAYS; i < N_STATES; i++) dxdt[i] = -decay_rates[i] * x[i];
}
static const char *const fall_linear[] = {"-1", "r", "-30*z1", "-300*z2", "-2000*z3", "-10000*z4"};

static int fall_start(double *x, double t, const double *x_pre, const double *par)
{
    (void)t, (void)x_pre;
    for (int i = 0; i < N_STATES; i++) x[i] = 1;
    x[HEIGHT] = IMPACT_TIME;
    x[CONDITION] = par[AT_START];
    return 0;
}
static const char *const fall_start_state[] = {"0.7", "c0", "1", "1", "1", "1"};
static const ic_branch fall_starts[] = {{.mode = 0, .state = fall_start_state}};

IC_TESTS_VALUE(guard_height, x[HEIGHT])
IC_TESTS_VALUE(height_rate, -1)
IC_TESTS_VALUE(guard_condition, x[CONDITION])

static int keep_state(double *x_post, double t, const double *x_pre, const double *par)
{
    (void)t, (void)par;
    memcpy(x_post, x_pre, N_STATES * sizeof *x_post);
    return 0;
}
static const ic_branch stays[] = {{.mode = 0}};

/* By windows until t_end. */
static ic_log *run_fall(double rate, double at_start, double t_end)
{
    static const ic_guard ground = {.name = "ground",
                                    .unit = "m",
                                    .meaning = "",
                                    .direction = -1,
                                    .value = guard_height,
                                    .rate = height_rate,
                                    .enabled = guard_condition,
                                    .linear = "y",
                                    .linear_enabled = "c",
                                    .jump = IC_LINEAR_JUMP(keep_state, stays)};
    static const ic_mode mode = {.name = "falls",
                                 .meaning = "",
                                 .flow = flow_of_fall,
                                 .linear = fall_linear,
                                 .guards = &ground,
                                 .n_guards = 1};
    static const ic_variant variant = {.name = "fall",
                                       .meaning = "",
                                       .modes = &mode,
                                       .n_modes = 1,
                                       .start = IC_LINEAR_JUMP(fall_start, fall_starts)};
    static const ic_case system = {
        IC_ABI(ic_case),   .name = "fall",        .title = "",          .parameters = fall_parameters,
        .n_parameters = 2, .states = fall_states, .n_states = N_STATES, .variants = &variant,
        .n_variants = 1,   .time_scale = "1"};
    const double par[] = {rate, at_start};
    const ic_problem problem = {.system = &system, .variant = &variant, .par = par, .t_end = t_end};
    return solve_setup(&problem, false);
}

/* A part that no guard contains, faster than the windows, is e^{-rate t} at the end of a phase. */
IC_TEST(test_fast_decay)
{
    static const double ends[] = {1e-4, 1e-3, 0.02, 0.5};
    for (size_t k = 0; k < IC_COUNT(ends); k++) {
        IC_OWN(ic_log) *log = run_fall(0, 1, ends[k]);
        for (int i = DECAYS; i < N_STATES; i++) {
            const double x = ic_log_end(log).x[i], exact = exp(-decay_rates[i] * ends[k]);
            CU_ASSERT_DOUBLE_EQUAL(x, exact, STATE_ROUNDING);
            /* planted */
            if (exact > 1e-6) CU_ASSERT(fabs(x - exact * (1 + 1e-6)) > STATE_ROUNDING);
        }
        CU_ASSERT_EQUAL(ic_log_work(log)->root_iterations, 0);
    }
}

/* Returns whether the ground is met, and by windows alone, with the condition c0 + r t, which must
   be positive there. */
IC_TEST(test_conditions)
{
    static const struct {
        double rate, at_start;
        bool fires, decided;
    } rows[] = {
        {0, 1, true, true},      {0, -1, false, true},     {0, 0, false, false},
        {-1, 0.69, false, true}, {-1, 0.71, true, true},   {1, -0.69, true, true},
        {1, -0.71, false, true}, {-1, 0.7001, true, true}, {1, -0.7001, false, true},
    };
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        IC_OWN(ic_log) *log = run_fall(rows[i].rate, rows[i].at_start, 1.5);
        CU_ASSERT_EQUAL(ic_log_event_count(log), rows[i].fires ? 1 : 0);
        CU_ASSERT_NOT_EQUAL(ic_log_event_count(log), rows[i].fires ? 0 : 1); /* planted */
        if (rows[i].fires) CU_ASSERT_DOUBLE_EQUAL(ic_log_event_at(log, 0).t, IMPACT_TIME, TIME_ROUNDING);
        if (rows[i].decided) CU_ASSERT_EQUAL(ic_log_work(log)->root_iterations, 0);
    }
}
