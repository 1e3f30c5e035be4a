/* SPDX-License-Identifier: MIT */
#include "audit/solver/traps.h"

#include <math.h>

enum { FAST, SWITCH, PARAMETERS };
enum { SLOW_SAMPLES = 9 };

/* rad/s */
#define QUICK 30.0
#define SLOW 0.3
#define RATE 0.1
#define MORE 1000.0
/* s; the sudden change, that of a motion that is fast from the start, its width, and the ends */
#define SWITCHES 1.0
#define SWITCHED (-1.0)
#define WIDTH 1e-3
#define UNTIL_THREE 3.1
#define LASTS 0.1
#define LOG_2 0.693147180559945309417

/* the angles of the sudden motion at which its flow was called, by 1 rad */
enum { ANGLES = 256 };
static bool called[ANGLES];

static double rate_of(int i, const double *par)
{
    return i == (int)par[FAST] ? QUICK : SLOW;
}

static void three_flow(double *dxdt, double t, const double *x, const double *par)
{
    (void)x;
    for (int i = 0; i < IC_FAST_STATES; i++) dxdt[i] = rate_of(i, par) * cos(rate_of(i, par) * t);
}

/* ln cosh u, without overflow */
static double log_cosh(double u)
{
    return fabs(u) + log1p(exp(-2 * fabs(u))) - LOG_2;
}

/* the angle at t from that at 0, rad */
static double angle_at(double t, double switches)
{
    return RATE * t + MORE * (t + WIDTH * (log_cosh((t - switches) / WIDTH) - log_cosh(-switches / WIDTH)));
}

static void sudden_flow(double *dxdt, double t, const double *x, const double *par)
{
    const double rate = RATE + MORE * (1 + tanh((t - par[SWITCH]) / WIDTH)), angle = angle_at(t, par[SWITCH]);
    if (angle >= 0 && angle < ANGLES) called[(size_t)angle] = true;
    dxdt[0] = -rate * x[1], dxdt[1] = rate * x[0], dxdt[2] = 0;
}

IC_TRAP_VALUE(far, x[2] - 1e3)
IC_TRAP_VALUE(far_rate, 0)
IC_TRAP_JUMP(stay, x[0], x[1], x[2])
IC_TRAP_LEAP(three_start, 0, ("0", "0", "0"), 0, 0, 0)
IC_TRAP_LEAP(sudden_start, 0, ("1", "0", "0"), 1, 0, 0)

static const ic_parameter parameters[] = {
    [FAST] = {"fast", "1", "number of the fast state", "0", "[0, 2]"},
    [SWITCH] = {"t_s", "s", "time of the change", "1", "(-inf, inf)"},
};
static const ic_state states[] = {{"u", "1", "", "1"}, {"v", "1", "", "1"}, {"w", "1", "", "1"}};
static const ic_branch stays[] = {{.mode = 0}};
static const ic_guard guards[] = {
    IC_TRAP_EVENT_TO("far", "1", "never reached", +1, far, far_rate, "w - 1000", stay, stays)};
static const ic_mode three[] = {{IC_TRAP_MODE("three", "sines of t", three_flow, NULL, guards)}};
static const ic_mode sudden[] = {{IC_TRAP_MODE("sudden", "a rotation", sudden_flow, NULL, guards)}};
static const ic_variant variants[] = {{IC_TRAP_VARIANT("three", "one is fast", three, three_start)},
                                      {IC_TRAP_VARIANT("sudden", "it becomes fast", sudden, sudden_start)}};
static const ic_preset presets[] = {{"three", "three", "", "3", "sines"}};
static const ic_case system = {IC_TRAP_CASE("fast", "Motions with a fast part", "textbook"),
                               IC_TRAP_PARAMETERS(parameters), IC_TRAP_TABLES(states, variants, presets),
                               .time_scale = "1"};

static ic_solver_run run(const ic_solver *solver, const ic_options *options, const ic_variant *variant,
                         const double *par, double until)
{
    static const char *const no_text[PARAMETERS] = {NULL, NULL};
    const ic_problem problem = {
        .system = &system, .variant = variant, .par = par, .par_text = no_text, .t_end = until};
    return ic_solver_run_of(solver, &problem, options);
}

static double three_error(const ic_sample *at, const double *par)
{
    double worst = 0;
    for (int i = 0; i < IC_FAST_STATES; i++) worst = fmax(worst, fabs(at->x[i] - sin(rate_of(i, par) * at->t)));
    return worst;
}

double ic_probe_one_of_three(const ic_solver *solver, const ic_options *options, int fast)
{
    const double par[PARAMETERS] = {[FAST] = fast};
    ic_options asked = *options;
    asked.samples = SLOW_SAMPLES;
    ic_solver_run r = run(solver, &asked, &variants[0], par, UNTIL_THREE);
    const ic_sample end = ic_log_end(r.log);
    double worst = r.status == IC_OK && r.damage == 0 && r.not_finite == 0 ? three_error(&end, par) : NAN;
    for (size_t i = 0; !isnan(worst) && i < ic_log_sample_count(r.log); i++) {
        const ic_sample sample = ic_log_sample_at(r.log, i);
        worst = fmax(worst, three_error(&sample, par));
    }
    ic_solver_run_free(&r);
    return worst;
}

/* rad; the longest way, up to this angle, without a call of the flow; NAN: there is none at all */
static double longest_way(double angle)
{
    size_t longest = 0, way = 0, calls = 0;
    for (size_t i = 0; i < ANGLES && (double)(i + 1) <= angle; i++) {
        calls += called[i];
        way = called[i] ? 0 : way + 1;
        if (way > longest) longest = way;
    }
    return calls > 0 ? (double)longest : NAN;
}

ic_sudden_run ic_probe_sudden(const ic_solver *solver, const ic_options *options, bool from_start)
{
    const double switches = from_start ? SWITCHED : SWITCHES, par[PARAMETERS] = {[SWITCH] = switches};
    const double until = LASTS + (from_start ? 0 : SWITCHES), phi = angle_at(until, switches);
    memset(called, 0, sizeof called);
    ic_solver_run r = run(solver, options, &variants[1], par, until);
    const ic_sample end = ic_log_end(r.log);
    const bool good = r.status == IC_OK && r.damage == 0 && r.not_finite == 0;
    const ic_sudden_run motion = {good ? hypot(end.x[0] - cos(phi), end.x[1] - sin(phi)) : NAN,
                                  good ? longest_way(phi) : NAN};
    ic_solver_run_free(&r);
    return motion;
}
