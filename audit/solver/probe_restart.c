/* SPDX-License-Identifier: MIT */
#include "audit/common/tolerances.h"
#include "audit/solver/traps.h"
#include "validation/subjects.h"

#include <math.h>

enum { P, Q, STATES };
enum { BEFORE, AFTER };

/* s; a step that no round time is a multiple of, and the end of the run */
#define STEP 0.0137
#define UNTIL 1.5
#define ASKED_ERROR 1e-6
#define NEW_P 0.3
#define NEW_Q 0.7
/* calls that are examined: two or three steps of any method */
enum { CALLS = 64 };
/* An implicit stage takes that many calls at least, an explicit method two at one time. */
enum { ITERATIONS = 3 };

static struct {
    double t[CALLS], p[CALLS], q[CALLS];
    size_t n;
    double jumped; /* s */
} seen;

static void after_flow(double *dxdt, double t, const double *x, const double *par)
{
    (void)par;
    if (seen.n < CALLS) {
        seen.t[seen.n] = t, seen.p[seen.n] = x[P], seen.q[seen.n] = x[Q];
        seen.n++;
    }
    dxdt[P] = x[Q] - NEW_Q, dxdt[Q] = 2 - (x[P] - NEW_P);
}

static int leap(double *x_post, double t, const double *x, const double *par)
{
    (void)x, (void)par;
    seen.jumped = t, seen.n = 0;
    x_post[P] = NEW_P, x_post[Q] = NEW_Q;
    return 0;
}

static double once_at_1(int n, const double *par)
{
    (void)par;
    return n == 0 ? 1 : INFINITY;
}

IC_TRAP_FLOW(before_flow, 4, 0)
IC_TRAP_VALUE(beyond, x[P] - 4)
IC_TRAP_VALUE(beyond_rate, 4)
IC_TRAP_LEAP(start, BEFORE, ("0", "0"), 0, 0)

static const ic_state states[] = {{"p", "1", "position before", "4"}, {"q", "1", "position after", "1"}};
static const ic_branch leap_branches[] = {{.mode = AFTER, .state = IC_TEXTS("3/10", "7/10")}};
static const ic_guard guards[] = {
    IC_TRAP_EVENT("leap", "1", "the point leaps", +1, beyond, beyond_rate, "p - 4", leap)};
static const ic_time_event clocks[] = {{.name = "leap",
                                        .meaning = "the point leaps",
                                        .when = once_at_1,
                                        .linear = "1",
                                        .occurrences = 1,
                                        .jump = IC_LINEAR_JUMP(leap, leap_branches)}};
#define MOVES                                                                                                  \
    [AFTER] = {.name = "after",                                                                                \
               .meaning = "along q",                                                                           \
               .flow = after_flow,                                                                             \
               .linear = IC_TEXTS("q - 7/10", "2 - (p - 3/10)")}
static const ic_mode guarded[] = {
    [BEFORE] = {IC_TRAP_MODE("before", "along p", before_flow, IC_TEXTS("4", "0"), guards)}, MOVES};
static const ic_mode timed[] = {
    [BEFORE] = {.name = "before", .meaning = "along p", .flow = before_flow, .linear = IC_TEXTS("4", "0")},
    MOVES};
static const ic_variant variants[] = {
    [IC_RESTART_START] = {IC_TRAP_VARIANT("start", "no jump", timed, leap)},
    [IC_RESTART_GUARD] = {IC_TRAP_VARIANT("guard", "a jump by a guard", guarded, start)},
    [IC_RESTART_TIME_EVENT] = {IC_TRAP_VARIANT("clock", "a jump at a time", timed, start),
                               .time_events = clocks, .n_time_events = IC_COUNT(clocks)},
};
static const ic_preset presets[] = {{"leap", "guard", "", "3/2", "one leap"}};
static const ic_case leaps = {IC_TRAP_CASE("restart", "A point that leaps", "textbook"),
                              IC_TRAP_TABLES(states, variants, presets), .time_scale = "1"};

static bool is_repeated(size_t first)
{
    size_t n = 0;
    for (size_t i = first; i < seen.n && fabs(seen.t[i] - seen.t[first]) <= ic_tolerance_same_time.value; i++)
        n++;
    return n >= ITERATIONS;
}

static ic_restart_calls read_calls(void)
{
    ic_restart_calls calls = {.known = false};
    for (size_t i = 0; i < seen.n; i++) {
        const double p = fabs(seen.p[i] - NEW_P), q = fabs(seen.q[i] - NEW_Q), way = hypot(p, q);
        const bool at_once = fabs(seen.t[i] - seen.jumped) <= ic_tolerance_same_time.value;
        calls.at_new_state |= way == 0;
        if (i == 0 && at_once) calls.off = way;
        if (calls.known || at_once || way <= ic_tolerance_restart_away.value) continue;
        calls.known = true;
        calls.along_old = p / way;
        calls.iterates = is_repeated(i);
    }
    return calls;
}

ic_restart_calls ic_probe_restart(const ic_solver *solver, ic_restart how)
{
    static const double none[1] = {0};
    static const char *const no_text[1] = {NULL};
    const ic_problem problem = {
        .system = &leaps, .variant = &variants[how], .par = none, .par_text = no_text, .t_end = UNTIL};
    ic_options options = ic_solver_options(solver, STEP, 1);
    if (solver->control == IC_CONTROL_RTOL) options.rtol = ic_rtol_for(solver, ASKED_ERROR);
    seen.n = 0, seen.jumped = INFINITY;
    ic_solver_run r = ic_solver_run_of(solver, &problem, &options);
    const ic_restart_calls calls =
        r.status == IC_OK && r.damage == 0 && isfinite(seen.jumped) ? read_calls() : (ic_restart_calls){0};
    ic_solver_run_free(&r);
    return calls;
}
