/* SPDX-License-Identifier: MIT */
#include "audit/common/tolerances.h"
#include "audit/solver/traps.h"

#include <math.h>

/* fixed steps, which reach no round time, and the end of the motion, s; the time scale is 1 */
#define STEP 0.0103
#define UNTIL 3.0
/* sums of t and s at the marks, s; half of them is no number of single precision */
#define FIRST_MARK 1.0123456789
#define SECOND_MARK 4.1234567891

enum { X, V, S };

/* The latest times at which the state was right: ends of steps and stages of some steps. */
enum { TIMES = 64 };

static ic_clock_calls seen;
static double latest, times[TIMES];
static size_t n_times;

static bool is_known_time(double t)
{
    for (size_t i = 0; i < n_times && i < TIMES; i++) {
        if (fabs(times[i] - t) <= ic_tolerance_same_time.value) return true;
    }
    return false;
}

/* Whether the state belongs to another time. */
static bool note_call(double t, double s)
{
    const double apart = fabs(t - s);
    if (apart <= ic_tolerance_same_time.value) times[n_times++ % TIMES] = t;
    seen.calls++;
    seen.single += t != 0 && (double)(float)t == t;
    seen.drifted += apart > ic_tolerance_same_time.value && apart < ic_tolerance_clock_drift.value;
    return apart > ic_tolerance_same_time.value;
}

static void drive_flow(double *dxdt, double t, const double *x, const double *par)
{
    (void)par;
    const bool stale = note_call(t, x[S]);
    /* A call at the time of the one before is the start of a step, or a difference in time alone for df/dt; a stage if
       it is stale by more than such a difference. */
    if (fabs(x[S] - latest) > ic_tolerance_same_time.value || fabs(t - x[S]) > ic_tolerance_clock_drift.value) {
        seen.stages++;
        seen.stale_stages += stale;
    }
    latest = x[S];
    dxdt[X] = x[V], dxdt[V] = cos(7 * t), dxdt[S] = 1;
}

static double mark(double t, double s, double sum)
{
    seen.guards++;
    seen.stale_guards += note_call(t, s) && is_known_time(t);
    return t + s - sum;
}

static int pass_mark(double *x_post, double t, const double *x, const double *par)
{
    (void)par;
    seen.jumps++;
    seen.stale_jumps += note_call(t, x[S]) && is_known_time(t);
    x_post[X] = x[X], x_post[V] = x[V], x_post[S] = x[S];
    return 0;
}

IC_TRAP_VALUE(first_mark, mark(t, x[S], FIRST_MARK))
IC_TRAP_VALUE(second_mark, mark(t, x[S], SECOND_MARK))
IC_TRAP_VALUE(mark_rate, 2)
IC_TRAP_VALUE(far, x[X] - 1e3)
IC_TRAP_VALUE(far_rate, x[V])
IC_TRAP_JUMP(stay, x[X], x[V], x[S])
IC_TRAP_LEAP(start, 0, ("0", "0", "0"), 0, 0, 0)

static const ic_state states[] = {
    {"x", "m", "position", "1"}, {"v", "m/s", "velocity", "1"}, {"s", "s", "the mass's own clock", "1"}};
static const ic_branch stays[] = {{.mode = 0}};
static const ic_guard guards[] = {
    IC_TRAP_EVENT_TO("far", "m", "never reached", +1, far, far_rate, "x - 1000", stay, stays)};
#define MARK(name_, value_)                                                                                    \
    IC_TRAP_EVENT_TO(name_, "s", "a mark in time", +1, value_, mark_rate, NULL, pass_mark, stays)
static const ic_guard marks[] = {MARK("first", first_mark), MARK("second", second_mark)};
static const ic_mode modes[] = {
    {IC_TRAP_MODE("drive", "driven motion", drive_flow, IC_TEXTS("v", "cos(7*t)", "1"), guards)}};
static const ic_mode marked[] = {
    {IC_TRAP_MODE("drive", "driven motion", drive_flow, IC_TEXTS("v", "cos(7*t)", "1"), marks)}};
static const ic_variant variants[] = {{IC_TRAP_VARIANT("free", "no events", modes, start)},
                                      {IC_TRAP_VARIANT("marked", "two marks", marked, start)}};
static const ic_preset presets[] = {{"drive", "free", "", "3", "some periods"}};
static const ic_case system = {IC_TRAP_CASE("clock", "A driven mass with a clock", "textbook"),
                               IC_TRAP_TABLES(states, variants, presets), .time_scale = "1",
                               .period = "2*pi/7"};

ic_clock_calls ic_probe_clock_run(const ic_solver *solver, const ic_options *options, bool with_marks)
{
    static const double none[1] = {0};
    static const char *const no_text[1] = {NULL};
    const ic_problem problem = {
        .system = &system, .variant = &variants[with_marks], .par = none, .par_text = no_text, .t_end = UNTIL};
    seen = (ic_clock_calls){0}, latest = 0, n_times = 0;
    ic_solver_run r = ic_solver_run_of(solver, &problem, options);
    const ic_sample end = ic_log_end(r.log);
    seen.solved = r.status == IC_OK && r.damage == 0 && end.x != NULL;
    if (seen.solved) seen.error = hypot(end.x[X] - (1 - cos(7 * UNTIL)) / 49, end.x[V] - sin(7 * UNTIL) / 7);
    ic_solver_run_free(&r);
    return seen;
}

bool ic_probe_clock_is_stale(const ic_solver *solver)
{
    const ic_options options = ic_solver_options(solver, STEP, 1);
    const ic_clock_calls calls = ic_probe_clock_run(solver, &options, false);
    return 2 * calls.stale_stages > calls.stages;
}
