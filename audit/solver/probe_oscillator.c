/* SPDX-License-Identifier: MIT */
#include "audit/solver/traps.h"

#include <math.h>
#include <stdio.h>

enum { X, V };
enum { C, K, PARAMETERS };

static ic_probe_calls calls;
static double flows;
static struct {
    double t[IC_PROBE_CALLS], x[IC_PROBE_CALLS], v[IC_PROBE_CALLS];
} latest_flows;
static ic_probe_precision precision;

static bool is_single(double value)
{
    return value != 0 && (double)(float)value == value;
}

static double wall(double t, const double *x, const double *par)
{
    const double g = par[K] * (x[X] - par[C]);
    precision.guards++;
    precision.single_guards += is_single(x[X]) && is_single(x[V]);
    if (!calls.over) {
        const size_t at = calls.count++ % IC_PROBE_CALLS;
        calls.t[at] = t, calls.g[at] = g;
        calls.x[at] = x[X], calls.v[at] = x[V];
        calls.latest = fmax(calls.latest, t);
    }
    return g;
}

static int reverse_velocity(double *x_post, double t, const double *x, const double *par)
{
    (void)t;
    calls.over = true;
    x_post[X] = par[C], x_post[V] = -x[V];
    return 0;
}

static void oscillator_flow(double *dxdt, double t, const double *x, const double *par)
{
    (void)par;
    const size_t at = (size_t)flows % IC_PROBE_CALLS;
    latest_flows.t[at] = t, latest_flows.x[at] = x[X], latest_flows.v[at] = x[V];
    if (!calls.over) {
        const size_t early = calls.flow_count++ % IC_PROBE_CALLS;
        calls.flow_t[early] = t, calls.flow_x[early] = x[X], calls.flow_v[early] = x[V];
    }
    flows++;
    precision.single_flows += is_single(x[X]) && is_single(x[V]);
    dxdt[X] = x[V], dxdt[V] = -x[X];
}

IC_TRAP_JUMP(stay, x[X], x[V])
IC_TRAP_VALUE(wall_rate, par[K] * x[V])
IC_TRAP_LEAP(start, 0, ("1", "0"), 1, 0)

static const ic_parameter parameters[] = {[C] = {"c", "m", "place of the wall", "0", "(-1, 1)"},
                                          [K] = {"k", "1", "factor of the guard", "1", "(0, inf)"}};
static const ic_state states[] = {{"x", "m", "position", "1"}, {"v", "m/s", "velocity", "1"}};
static const ic_branch reversed[] = {{.mode = 0, .state = IC_TEXTS("c", "-v")}};
static const ic_guard guards[] = {IC_TRAP_EVENT_TO("wall", "m", "the mass meets the wall", -1, wall, wall_rate,
                                                   "k*(x - c)", reverse_velocity, reversed)};
static const ic_branch stayed[] = {{.mode = 0}};
static const ic_guard marks[] = {IC_TRAP_EVENT_TO("mark", "m", "the mass passes the mark upwards", +1, wall,
                                                  wall_rate, "k*(x - c)", stay, stayed)};
static const ic_guard lower_marks[] = {IC_TRAP_EVENT_TO("mark", "m", "the mass passes the mark downwards", -1,
                                                        wall, wall_rate, "k*(x - c)", stay, stayed)};
static const ic_mode marked[] = {
    {IC_TRAP_MODE("swing", "free motion", oscillator_flow, IC_TEXTS("v", "-x"), marks)}};
static const ic_mode lower_marked[] = {
    {IC_TRAP_MODE("swing", "free motion", oscillator_flow, IC_TEXTS("v", "-x"), lower_marks)}};
static const ic_mode modes[] = {
    {IC_TRAP_MODE("swing", "free motion", oscillator_flow, IC_TEXTS("v", "-x"), guards)}};
static const ic_variant variants[] = {
    {IC_TRAP_VARIANT("elastic", "nothing is lost", modes, start)},
    {IC_TRAP_VARIANT("marked upwards", "nothing is in the way", marked, start)},
    {IC_TRAP_VARIANT("marked downwards", "nothing is in the way", lower_marked, start)}};
static const ic_preset presets[] = {{"swing", "elastic", "", "6", "some impacts"}};
static const ic_case system = {IC_TRAP_CASE("probe", "A swinging mass and an elastic wall", "textbook"),
                               IC_TRAP_PARAMETERS(parameters), IC_TRAP_TABLES(states, variants, presets),
                               .time_scale = "1"};

static const ic_problem *problem_of(const ic_variant *variant, double c, double k, double t_end)
{
    static double par[PARAMETERS];
    static char text[PARAMETERS][32];
    static const char *const par_text[PARAMETERS] = {text[C], text[K]};
    static ic_problem problem;
    calls = (ic_probe_calls){0};
    flows = 0;
    precision = (ic_probe_precision){0};
    par[C] = c, par[K] = k;
    for (int i = 0; i < PARAMETERS; i++) snprintf(text[i], sizeof text[i], "%.17g", par[i]);
    problem =
        (ic_problem){.system = &system, .variant = variant, .par = par, .par_text = par_text, .t_end = t_end};
    return &problem;
}

const ic_problem *ic_probe_oscillator(double c, double t_end)
{
    return problem_of(&variants[0], c, 1, t_end);
}

const ic_problem *ic_probe_scaled_wall(double c, double factor, double t_end)
{
    return problem_of(&variants[0], c, factor, t_end);
}

const ic_problem *ic_probe_mark(double c, int direction, double t_end)
{
    return problem_of(&variants[direction > 0 ? 1 : 2], c, 1, t_end);
}

ic_probe_precision ic_probe_oscillator_precision(void)
{
    precision.flows = (size_t)flows;
    return precision;
}

double ic_probe_oscillator_own_error(double from)
{
    double least = INFINITY;
    for (size_t i = 0; i < IC_PROBE_CALLS && i < (size_t)flows; i++) {
        const double t = latest_flows.t[i];
        if (t >= from) least = fmin(least, hypot(latest_flows.x[i] - cos(t), latest_flows.v[i] + sin(t)));
    }
    return least;
}

size_t ic_probe_calls_kept(const ic_probe_calls *of)
{
    return of->count < IC_PROBE_CALLS ? of->count : IC_PROBE_CALLS;
}

const ic_probe_calls *ic_probe_oscillator_calls(void)
{
    return &calls;
}

double ic_probe_oscillator_impact(double c, size_t k)
{
    const double first = acos(c);
    return first + (double)k * 2 * atan2(sin(first), c);
}
