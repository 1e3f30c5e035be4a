/* SPDX-License-Identifier: MIT */
#include "audit/engine/engines.h"

#include "audit/common/tolerances.h"
#include "audit/engine/engine_audit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const ic_engine_known ic_engines_known[] = {
#define IC_ENGINE(name_, language_, debian_) {#name_, "Debian package " debian_},
#define IC_NODE_ENGINE(name_, package_) {#name_, "npm package " package_},
#define IC_SCRIPT_ENGINE(name_, debian_) {#name_, "Debian package " debian_},
#include "adapters/engines/engines.def"
#undef IC_ENGINE
#undef IC_SCRIPT_ENGINE
#undef IC_NODE_ENGINE
};
const size_t ic_engines_known_count = IC_COUNT(ic_engines_known);

/* The ball falls 1 m, hits after 0.45 s and is free again for 0.2 s at least; the bar hits after
   0.05 s. */
#define BALL_UNTIL 0.7 /* s */
#define BAR_UNTIL 0.25 /* s */

/* Table 2 of the paper. */
#define BAR_ANGLE 45.0 /* degrees */

/* A coefficient of restitution that must lead to a different result than IC_ENGINE_RESTITUTION. */
#define OTHER_RESTITUTION 0.3

/* Normal speeds of slow impacts, m/s. In a fine step gravity changes the slowest by 2 %. */
static const double slow_speeds[] = {1, 0.45, 0.14, 0.044};
/* Restitution counts as lost if less than this fraction of it remains. */
#define LOST 0.5

/* Impulse, N s. If a smaller impulse stops the slip (Table 2: 0.25), friction cannot be judged. */
#define STOPPED_ALREADY 0.02
/* In the coarse steps of that bar impacts follow their law to twice the tolerance of the probes. */
#define ROUGH 2.0
#define TABLE_2 "Kecskemethy & Lange 1999, Table 2"

static const ic_audit_check restitution = {
    .name = "restitution",
    .what = "greatest error of the restitution in effect over the phases of the impact within a step",
    .why = "bodies rebound with the wrong speed",
    .reference = "v' = -e v, at 4.4 m/s, e = 0.8"};
static const ic_audit_check slow_impacts = {.name = "slow-impacts",
                                            .what = "greatest normal speed at which restitution is lost",
                                            .why = "slow bodies do not bounce",
                                            .reference = "v' = -e v, at 1 to 0.044 m/s"};
static const ic_audit_check energy = {.name = "energy",
                                      .what = "energy that the impact creates, over the energy before",
                                      .why = "simulations with impacts gain energy",
                                      .reference = TABLE_2};
static const ic_audit_check friction = {.name = "friction",
                                        .what = "missing part of the tangential impulse",
                                        .why = "rough surfaces are slippery",
                                        .reference = TABLE_2};
static const ic_audit_check surface = {.name = "surface",
                                       .what = "depth of a body below the ground at the end",
                                       .why = "bodies pass through each other",
                                       .reference = "y = 0"};

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static ic_engine_span span_of(double *values, size_t n)
{
    if (n == 0) return (ic_engine_span){NAN, NAN, NAN, 0};
    qsort(values, n, sizeof *values, by_size);
    return (ic_engine_span){values[0], values[n / 2], values[n - 1], n};
}

/* Depth of the ball, whether it comes back, and its first rebound. */
static void note_rebound(ic_engine_audit *a, const ic_engine_motion *motion, double step)
{
    double lowest = INFINITY;
    for (size_t i = 0; i < motion->n_rows; i++) {
        const ic_engine_state *row = &motion->rows[i];
        if (row->y < lowest) lowest = row->y;
        a->returns |= row->vy > 0 && i > 0;
    }
    a->sunk = fmax(a->sunk, IC_ENGINE_BALL_RADIUS - lowest);
    a->n_rebounds += ic_engine_find_rebounds(&a->rebounds[a->n_rebounds], 1, motion, IC_ENGINE_BALL_RADIUS,
                                             step, &a->flight);
}

/* The restitution of a ball; NAN: it has not met the ground, or has not left it again. `noted`: for
   ic_engine_check_depth, too. */
static double drop_ball(ic_engine_audit *a, double e, double height, double step, double until, double phase,
                        bool noted)
{
    ic_engine_scene scene = ic_engine_scene_of(false);
    ic_engine_motion motion;
    scene.e = e;
    scene.height = height;
    scene.step = step;
    scene.until = until;
    scene.phase = phase;
    if (!ic_engine_run_scene(a, &scene, &motion)) return NAN;
    const ic_engine_body body = ic_engine_body_of(&scene);
    const ic_engine_impact impact = ic_engine_impact_in(&motion, &body, step, &a->flight);
    a->depth = fmax(a->depth, impact.depth);
    if (noted) note_rebound(a, &motion, step);
    ic_engine_motion_free(&motion);
    return impact.left ? ic_engine_restitution(&impact) : NAN;
}

/* s; the ball falls longer if gravity is less */
static double ball_until(const ic_engine_audit *a)
{
    return BALL_UNTIL * fmax(sqrt(IC_ENGINE_GRAVITY / a->flight.ball_gravity), 1);
}

static void measure_balls(ic_engine_audit *a)
{
    double values[IC_ENGINE_PHASES_MOST];
    const size_t phases = a->row->phases;
    size_t n = 0;
    if (!ic_engine_balls_fall(a)) return;
    for (size_t i = 0; i < phases; i++) {
        const double e = drop_ball(a, IC_ENGINE_RESTITUTION, IC_ENGINE_BALL_HEIGHT, IC_ENGINE_STEP,
                                   ball_until(a), (double)i / (double)phases, true);
        if (!isnan(e)) values[n++] = e;
    }
    a->row->restitution = span_of(values, n);
}

/* Where the tip is when the bar turns round; elsewhere than on the ground another point touches. */
static void measure_bar_place(ic_engine_audit *a)
{
    ic_engine_scene scene = ic_engine_scene_of(true);
    scene.step = IC_ENGINE_STEP;
    scene.until = BAR_UNTIL;
    const ic_engine_impact impact = ic_engine_first_impact(a, &scene);
    const double gap = impact.before.y - impact.body.arm * cos(impact.before.phi);
    const double tolerance = ic_tolerance_engine_place.value * fabs(impact.before.vy) * IC_ENGINE_STEP +
                             ic_tolerance_engine_rest.value;
    if (impact.left && fabs(gap) > tolerance) a->bar_displaced = gap / cos(impact.before.phi);
}

/* The impact of Table 2, at every phase. */
static void measure_bars(ic_engine_audit *a)
{
    double ratio[IC_ENGINE_PHASES_MOST], tip_x[IC_ENGINE_PHASES_MOST], tip_y[IC_ENGINE_PHASES_MOST];
    const size_t phases = a->row->phases;
    size_t n = 0;
    ic_engine_impact some[IC_ENGINE_PROBE_PHASES] = {{.left = false}};
    for (size_t i = 0; i < phases; i++) {
        ic_engine_scene scene = ic_engine_scene_of(true);
        double v[2];
        scene.step = IC_ENGINE_STEP;
        scene.until = BAR_UNTIL;
        scene.phase = (double)i / (double)phases;
        const ic_engine_impact impact = ic_engine_first_impact(a, &scene);
        if (i == 0) a->rough = (ic_engine_probe){.scene = scene, .body = impact.body, .mu = 1, .e = 1};
        if (i == 0 || i == phases / 2) some[i == 0 ? 0 : 1] = impact;
        if (!impact.left) continue;
        a->rough_spin = fmax(a->rough_spin, ic_engine_spin_error(&impact));
        ic_engine_tip_velocity(v, &impact);
        ratio[n] = ic_engine_energy_ratio(&impact);
        tip_x[n] = v[0];
        tip_y[n++] = v[1];
    }
    if (phases == 1) some[1] = some[0];
    ic_engine_probe_measure(&a->rough, some);
    a->row->energy = span_of(ratio, n);
    a->row->tip_x = span_of(tip_x, n);
    a->row->tip_y = span_of(tip_y, n);
}

/* ---- checks */

/*
 * Greatest difference from the prescribed value. It equals that value for a ball that does not
 * rebound.
 */
static double restitution_error(const ic_engine_row *row)
{
    if (row->restitution.count < row->phases) return IC_ENGINE_RESTITUTION;
    return fmax(row->restitution.greatest - IC_ENGINE_RESTITUTION,
                IC_ENGINE_RESTITUTION - row->restitution.least);
}

static bool ignores_restitution(ic_engine_audit *a)
{
    const double other =
        drop_ball(a, OTHER_RESTITUTION, IC_ENGINE_BALL_HEIGHT, IC_ENGINE_STEP, ball_until(a), 0, false);
    const double difference = fabs((isnan(other) ? 0 : other) - a->row->restitution.median);
    return difference < LOST * (IC_ENGINE_RESTITUTION - OTHER_RESTITUTION);
}

/* Whether the function of e that thrown balls show gives the restitution of the falling ball. */
static bool function_explains(const ic_engine_audit *a, double e)
{
    return ic_engine_restitution_mistake(a) != IC_NO_MISTAKE &&
           fabs(e - ic_coefficient_of(&a->restored, IC_ENGINE_RESTITUTION)) <=
               IC_ENGINE_RESTITUTION_TOLERANCE + ic_tolerance_engine_coefficient.value;
}

/*
 * If restitution varies much with the phase, its mean is meaningless. If it hardly varies, the
 * engine may ignore the prescribed value.
 */
static ic_mistake_id restitution_cause(ic_engine_audit *a)
{
    const ic_engine_span *e = &a->row->restitution;
    const double least = e->count < a->row->phases ? 0 : e->least, spread = e->greatest - least;
    if (a->soft) return IC_MISTAKE_CONTACT_SOFT;
    if (e->count == 0) return function_explains(a, 0) ? ic_engine_restitution_mistake(a) : IC_NO_MISTAKE;
    if (spread > LOST * (IC_ENGINE_RESTITUTION - OTHER_RESTITUTION)) return IC_MISTAKE_RESTITUTION_BY_PHASE;
    if (spread > 2 * IC_ENGINE_RESTITUTION_TOLERANCE) return IC_MISTAKE_RESTITUTION_BY_PHASE;
    if (function_explains(a, e->median)) return ic_engine_restitution_mistake(a);
    if (ignores_restitution(a)) return IC_MISTAKE_RESTITUTION_IGNORED;
    const double square = IC_ENGINE_RESTITUTION * IC_ENGINE_RESTITUTION;
    return fabs(e->median - square) <= IC_ENGINE_RESTITUTION_TOLERANCE ? IC_MISTAKE_RESTITUTION_SQUARED
                                                                       : IC_MISTAKE_RESTITUTION_WRONG;
}

static void check_restitution(ic_engine_audit *a)
{
    const ic_engine_row *row = a->row;
    const ic_engine_span *e = &row->restitution;
    ic_engine_judged j = {restitution_error(row), IC_ENGINE_RESTITUTION_TOLERANCE, "1",
                          ic_tolerance_engine_restitution.derivation, IC_NO_MISTAKE};
    if (row->broken) return;
    if (!ic_engine_balls_fall(a)) {
        j.measured = NAN;
        ic_engine_add(a, &restitution, "falling ball", &j, "%s",
                      a->sleeps ? "the ball stays in the air" : "the ball does not fall to the ground");
        return;
    }
    if (j.measured > j.tolerance) a->restitution_cause = j.cause = restitution_cause(a);
    if (row->broken) return;
    ic_engine_add(a, &restitution, "falling ball", &j,
                  "prescribed %g, in effect %.3f to %.3f; %zu of %zu impacts ended", IC_ENGINE_RESTITUTION,
                  e->least, e->greatest, e->count, row->phases);
}

/* Slow impacts are not judged if fast ones already lose restitution. */
static void check_slow_impacts(ic_engine_audit *a)
{
    ic_engine_judged j = {0, 0, "m/s", "restitution does not depend on speed",
                          IC_MISTAKE_RESTITUTION_THRESHOLD};
    double kept = NAN;
    const ic_engine_span *fast = &a->row->restitution;
    if (fast->count < a->row->phases || fast->least < LOST * IC_ENGINE_RESTITUTION || a->displaced != 0) return;
    for (size_t i = 0; i < IC_COUNT(slow_speeds); i++) {
        const double v = slow_speeds[i], fall = v / a->flight.ball_gravity,
                     flight = 2 * IC_ENGINE_RESTITUTION * fall;
        const double e = drop_ball(a, IC_ENGINE_RESTITUTION, v * fall / 2, IC_ENGINE_FINE_STEP,
                                   fall + 0.9 * flight, 0.5, false);
        if (e >= LOST * IC_ENGINE_RESTITUTION) kept = v;
        else j.measured = fmax(j.measured, v);
    }
    if (a->row->broken) return;
    ic_engine_add(
        a, &slow_impacts, "falling ball", &j,
        "prescribed %g; lost at %g m/s (0: never); the slowest impact with the prescribed value is at %g m/s",
        IC_ENGINE_RESTITUTION, j.measured, kept);
}

static bool follows_newton(const ic_engine_row *row)
{
    const char *law = row->law.decided ? row->law.candidates[0].name : row->table_2;
    return law != NULL && strncmp(law, "newton", strlen("newton")) == 0;
}

/* The mistake that gives the impact of the rough bar, whether it has been found in others or here. */
static ic_mistake_id rough_cause(const ic_engine_audit *a)
{
    const bool explained = ic_engine_explains(&a->why, &a->rough, ROUGH * ic_tolerance_engine_law.value);
    if (a->cause != IC_NO_MISTAKE && explained) return a->cause;
    if (a->restitution_cause == IC_MISTAKE_RESTITUTION_BY_PHASE) return a->restitution_cause;
    /* in a long contact the bar turns, and its lever with it */
    return a->rough_spin > ic_tolerance_engine_spin.value && !a->soft ? IC_MISTAKE_SPIN_WRONG : IC_NO_MISTAKE;
}

/* A wrong coefficient does not create the energy that Newton's hypothesis creates with any. */
static bool gains_by_newton(const ic_engine_audit *a, ic_mistake_id known)
{
    const bool coefficient = known == IC_MISTAKE_FRICTION_FACTOR || known == IC_MISTAKE_FRICTION_MIXED ||
                             known == IC_MISTAKE_FRICTION_LIMITED || known == ic_engine_restitution_mistake(a);
    return coefficient && strncmp(a->why.text, "newton", strlen("newton")) == 0;
}

static ic_mistake_id energy_cause(const ic_engine_audit *a)
{
    const ic_mistake_id known = rough_cause(a);
    if (known != IC_NO_MISTAKE && !gains_by_newton(a, known)) return known;
    return known != IC_NO_MISTAKE || follows_newton(a->row) ? IC_MISTAKE_NEWTON_ENERGY_GAIN
                                                            : IC_MISTAKE_ENERGY_APPEARS;
}

static void check_energy(ic_engine_audit *a)
{
    const ic_engine_row *row = a->row;
    const ic_mistake_id cause = energy_cause(a);
    ic_engine_judged j = {row->energy.greatest - 1, ic_tolerance_engine_energy.value, "1",
                          ic_tolerance_engine_energy.derivation, cause};
    if (row->energy.count == 0) j.cause = IC_NO_MISTAKE;
    if (!a->no_bar)
        ic_engine_add(a, &energy, "rough bar", &j,
                      "E+/E- of the bar %.3f to %.3f, tip (%.3f, %.3f) m/s; %zu of %zu impacts ended",
                      row->energy.least, row->energy.greatest, row->tip_x.median, row->tip_y.median,
                      row->energy.count, row->phases);
    const double rebound = row->restitution.greatest;
    if (rebound > 1 + IC_ENGINE_RESTITUTION_TOLERANCE) {
        const ic_engine_judged ball_gains = {rebound * rebound - 1, ic_tolerance_engine_energy.value, "1",
                                             "a ball on the ground gains no speed", IC_MISTAKE_ENERGY_APPEARS};
        ic_engine_add(a, &energy, "falling ball", &ball_gains, "the ball returns with %.3f of its speed",
                      rebound);
    }
}

/* Compares with the tangential impulse that stops the slip at the end, w_xx P_x + w_xy P_y =
   -v_x: the bar is rough enough for it. */
static void check_friction(ic_engine_audit *a)
{
    const ic_engine_row *row = a->row;
    const double before[] = {IC_ENGINE_TABLE_2_TANGENTIAL, -1};
    const ic_impact p = ic_engine_bar_impact(BAR_ANGLE, before, 1, 1);
    const double det = p.w_xx * p.w_yy - p.w_xy * p.w_xy;
    const double d_x = row->tip_x.median - before[0], d_y = row->tip_y.median - before[1];
    const double P_x = (p.w_yy * d_x - p.w_xy * d_y) / det, P_y = (p.w_xx * d_y - p.w_xy * d_x) / det;
    const double stop = -(before[0] + p.w_xy * P_y) / p.w_xx;
    if (row->energy.count == 0 || fabs(stop) < STOPPED_ALREADY) return;
    const bool none = a->friction.use == IC_COEFFICIENT_NONE;
    const ic_engine_judged j = {1 - P_x / stop, 1 - ic_tolerance_engine_friction.value, "1",
                                ic_tolerance_engine_friction.derivation,
                                none ? IC_MISTAKE_FRICTIONLESS : rough_cause(a)};
    ic_engine_add(a, &friction, "rough bar", &j, "tangential impulse %.3f N s; %.3f N s would stop the slip",
                  P_x, stop);
}

static void check_surface(ic_engine_audit *a)
{
    const ic_engine_judged j = {a->depth, ic_tolerance_engine_depth.value, "m",
                                ic_tolerance_engine_depth.derivation,
                                a->soft                 ? IC_MISTAKE_CONTACT_SOFT
                                : a->bar_displaced != 0 ? IC_MISTAKE_CONTACT_DISPLACED
                                                        : IC_MISTAKE_FALLS_THROUGH};
    ic_engine_add(a, &surface, "", &j, "the ball's centre or the bar's tip, whichever is deeper");
}

/* ---- all */

static void measure_impacts(ic_engine_audit *a)
{
    measure_balls(a);
    if (!a->no_bar) measure_bar_place(a);
    if (!a->no_bar) measure_bars(a);
    ic_engine_measure_friction(a);
    ic_engine_measure_restitution(a);
    if (!a->no_bar) ic_engine_run_probes(a);
}

/* Causes before effects. */
static void judge_impacts(ic_engine_audit *a)
{
    ic_engine_check_depth(a);
    if (!a->no_bar) ic_engine_check_bar_place(a);
    check_restitution(a);
    ic_engine_check_restitution_used(a);
    ic_engine_check_plastic(a);
    if (a->row->broken) return;
    check_slow_impacts(a);
    ic_engine_check_speeds(a);
    if (a->row->broken) return;
    if (a->no_bar) ic_engine_add_undecided_law(a, "the engine does not offer bars");
    else if (a->soft) ic_engine_add_undecided_law(a, "contacts last too long: impacts do not end");
    else ic_engine_check_law(a);
    ic_engine_check_friction_used(a);
    check_friction(a);
    if (a->request->library != NULL && !a->soft) ic_engine_check_spin(a);
    check_energy(a);
    check_surface(a);
}

static void audit_impacts(ic_engine_audit *a)
{
    ic_engine_check_speed_kept(a);
    ic_engine_check_rebounds(a);
    measure_impacts(a);
    if (!a->row->broken) judge_impacts(a);
}

static void audit_config(ic_engine_audit *a)
{
    ic_engine_check_flight(a);
    if (a->flies_wrongly)
        ic_engine_add_undecided_law(
            a, "impacts are found where free flight ends, and free flight follows no rule");
    else audit_impacts(a);
    ic_engine_check_fast(a);
    if (a->request->library != NULL) ic_engine_check_rest(a);
    a->row->broken |= a->plastic_breaks;
    if (a->row->broken || a->row->not_offered) return;
    const ic_engine_judged j = {0, 0, "runs", "none may", IC_NO_MISTAKE};
    ic_engine_add(a, &ic_engine_check_runs, "", &j, "every run returned a motion");
}

static ic_engine_row empty_row(const ic_engine_request *request, const char *config)
{
    const ic_engine_span none = {NAN, NAN, NAN, 0};
    ic_engine_row row = {.config = config,
                         .step = IC_ENGINE_STEP,
                         .restitution = none,
                         .energy = none,
                         .tip_x = none,
                         .tip_y = none};
    const bool has_variant = request->variant != NULL && request->variant[0] != '\0';
    row.phases = request->phases < IC_ENGINE_PHASES_MOST ? request->phases : IC_ENGINE_PHASES_MOST;
    snprintf(row.name, sizeof row.name, "%.63s%s%.30s", request->name, has_variant ? ":" : "",
             has_variant ? request->variant : "");
    return row;
}

void ic_audit_engine(ic_findings *findings, ic_engine_row rows[IC_ENGINE_CONFIGS],
                     const ic_engine_request *request)
{
    static const char *const configs[IC_ENGINE_CONFIGS] = {"default", "best"};
    const bool plugin = request->library != NULL;
    for (size_t i = 0; i < (plugin ? 1 : IC_ENGINE_CONFIGS); i++) {
        rows[i] = empty_row(request, plugin ? "" : configs[i]);
        ic_engine_audit a = {
            .findings = findings, .request = request, .row = &rows[i], .flight = ic_engine_flight_right()};
        a.player.program = request->program;
        a.player.seconds = request->time_limit;
        audit_config(&a);
        ic_scene_player_close(&a.player);
    }
}
