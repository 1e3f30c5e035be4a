/* SPDX-License-Identifier: MIT */
#include "audit/solver/probe_clock.h"
#include "audit/solver/solver_run.h"
#include "audit/solver/trap_parts.h"

#include <math.h>

/* fixed steps, and the end of the motion, s; the time scale is 1 */
#define STEP 0.01
#define UNTIL 3.0
/* s; times that differ by more are different; steps are longer than 1e-4 */
#define SAME_TIME 1e-9
/* A stage at the same time, s, as the one before is the start of a step, and is not counted. */
#define OTHER_STAGE 1e-9

enum { X, V, S };

static size_t stages, stale;
static double latest;

static void drive_flow(double *dxdt, double t, const double *x, const double *par)
{
    (void)par;
    if (fabs(x[S] - latest) > OTHER_STAGE) {
        stages++;
        stale += fabs(t - x[S]) > SAME_TIME;
    }
    latest = x[S];
    dxdt[X] = x[V], dxdt[V] = cos(7 * t), dxdt[S] = 1;
}

IC_TRAP_VALUE(far, x[X] - 1e3)
IC_TRAP_VALUE(far_rate, x[V])
IC_TRAP_JUMP(stay, x[X], x[V], x[S])
IC_TRAP_JUMP(start, 0, 0, 0)

static const ic_state states[] = {
    {"x", "m", "position", "1"}, {"v", "m/s", "velocity", "1"}, {"s", "s", "the mass's own clock", "1"}};
static const ic_branch stays[] = {{.mode = 0}};
static const ic_branch started[] = {{.mode = 0, .state = IC_TEXTS("0", "0", "0")}};
static const ic_guard guards[] = {{IC_TRAP_GUARD("far", "m", "never reached", +1, far, far_rate, "x - 1000"),
                                   .jump = IC_LINEAR_JUMP(stay, stays)}};
static const ic_mode modes[] = {
    {IC_TRAP_MODE("drive", "driven motion", drive_flow, IC_TEXTS("v", "cos(7*t)", "1"), guards)}};
static const ic_variant variants[] = {{IC_TRAP_VARIANT("free", "no events", modes, start, started)}};
static const ic_preset presets[] = {{"drive", "free", "", "3", "some periods"}};
static const ic_case system = {IC_TRAP_CASE("clock", "A driven mass with a clock", "textbook"),
                               IC_TRAP_TABLES(states, variants, presets), .time_scale = "1",
                               .period = "2*pi/7"};

bool ic_probe_clock_is_stale(const ic_solver *solver)
{
    static const double none[1] = {0};
    static const char *const no_text[1] = {NULL};
    const ic_problem problem = {
        .system = &system, .variant = variants, .par = none, .par_text = no_text, .t_end = UNTIL};
    const ic_options options = ic_solver_options(solver, STEP, 1);
    stages = stale = 0, latest = 0;
    ic_solver_run r = ic_solver_run_of(solver, &problem, &options);
    ic_solver_run_free(&r);
    return 2 * stale > stages;
}
