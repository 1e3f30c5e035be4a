/* SPDX-License-Identifier: MIT */
/* Checks of bodies in flight: momentum, gravity, and positions against velocities. */
#include "audit/common/tolerances.h"
#include "audit/engine/engine_audit.h"

#include <math.h>
#include <stdio.h>

/* The ball falls by 0.8 m of 10, so that it would stay in flight under ten times the gravity.
   Its mass is not 1 kg, on which gravity does not depend. */
#define FALL_HEIGHT 10.0 /* m */
#define FALL_UNTIL 0.4   /* s */
#define THROWN 0.5       /* sideways velocity, m/s */
#define TURNING 5.0      /* rad/s */
#define FLIGHT_MASS 2.5  /* kg */

/* The bar falls by 1 m of its 2 m, without gravity. */
#define COAST_HEIGHT 2.0 /* m */
#define COAST_SPEED 1.0  /* m/s */
#define COAST_UNTIL 1.0  /* s */

/* Degrees in a radian: the factor of rows that are in degrees. */
#define DEGREES (180 / M_PI)
/* Relative error with which a measured factor is taken for that of a unit or of a sign. */
#define RECOGNISED 0.01

static const ic_audit_check free_flight = {
    .name = "free-flight",
    .what = "difference from free fall of the acceleration that velocities and positions of a thrown ball show",
    .why = "bodies do not fall as they should",
    .reference = "v' = -g"};
static const ic_audit_check momentum = {
    .name = "momentum",
    .what = "change of momentum or spin in flight without a force, over the initial value",
    .why = "motion decays or grows by itself",
    .reference = "m v and I omega are constant"};
static const ic_audit_check positions = {
    .name = "positions",
    .what = "how far positions and angles are from those that the velocities lead to, in steps",
    .why = "rows contradict themselves",
    .reference = "dx = v dt, with the velocity before or after the step or their mean"};

/* A flight: the ball or the bar. */
typedef struct flight {
    ic_engine_fit fit;
    ic_engine_state start;

    /* downward, m/s^2 */
    double gravity;

    bool done;
} flight;

static flight fly(ic_engine_audit *a, ic_engine_scene *scene)
{
    flight f = {.done = false};
    ic_engine_motion motion;
    const ic_scene s = ic_scene_of(scene);
    f.start = (ic_engine_state){0, s.start.x, s.start.y, s.start.phi, s.start.vx, s.start.vy, s.start.omega};
    f.gravity = s.gravity;
    if (!ic_engine_run_scene(a, scene, &motion)) return f;
    f.done = ic_engine_fit_flight(&f.fit, &motion, &f.start, ic_engine_body_of(scene).arm, scene->step);
    ic_engine_motion_free(&motion);
    return f;
}

/* Without bars, a ball without gravity in its place. */
static flight fly_bar(ic_engine_audit *a)
{
    ic_engine_scene scene = ic_engine_scene_of(!a->no_bar);
    scene.gravity = 0;
    scene.step = IC_ENGINE_STEP;
    scene.height = COAST_HEIGHT;
    scene.speed = COAST_SPEED;
    scene.omega = TURNING;
    scene.until = COAST_UNTIL;
    return fly(a, &scene);
}

/* The ball is thrown sideways: only gravity may change its momentum. */
static flight fly_ball(ic_engine_audit *a)
{
    ic_engine_scene scene = ic_engine_scene_of(false);
    scene.step = IC_ENGINE_STEP;
    scene.height = FALL_HEIGHT;
    scene.tangential = THROWN;
    scene.omega = TURNING;
    scene.mass = FLIGHT_MASS;
    scene.until = FALL_UNTIL;
    return fly(a, &scene);
}

/* ---- momentum */

static bool is_near(double value, double expected)
{
    return fabs(value - expected) <= RECOGNISED * fabs(expected);
}

/* 180/pi or -1 if rows give this in place of 1, otherwise 1. */
static double unit_of(double ratio)
{
    return is_near(ratio, DEGREES)    ? DEGREES
           : is_near(ratio, -DEGREES) ? -DEGREES
           : is_near(ratio, -1)       ? -1
                                      : 1;
}

static ic_mistake_id unit_mistake(double unit)
{
    if (unit == 1) return IC_NO_MISTAKE;
    return unit == -1 ? IC_MISTAKE_SIGN_REVERSED : IC_MISTAKE_UNITS_MIXED;
}

static void measure_units(ic_engine_flight *known, const flight *ball, const flight *bar)
{
    known->spin_unit = unit_of(bar->fit.omega / bar->start.omega);
    known->angle_unit = unit_of(bar->fit.turn_rate / bar->start.omega);
    if (unit_of(ball->fit.omega / ball->start.omega) != known->spin_unit) known->spin_unit = 1;
}

/* The rate at which a momentum decays that changes by this part, 1/s. */
static double decay(double change, double time)
{
    return change > -1 && fabs(change) > ic_tolerance_engine_coast.value ? -log1p(change) / time : 0;
}

static void measure_decay(ic_engine_flight *known, const flight *bar)
{
    known->fades = decay(bar->fit.vx_change, bar->fit.time);
    known->fade_speed = hypot(bar->fit.vx, bar->fit.vy);
    known->spin_fades = decay(bar->fit.omega_change, bar->fit.time);
}

/* One row: what is named, and how much of the momentum it changes. */
typedef struct reason {
    double measured;
    ic_mistake_id cause;
    char text[160];
} reason;

static void note(reason *r, double measured, ic_mistake_id cause, const char *text, double value)
{
    if (!(measured > ic_tolerance_engine_coast.value)) r->measured = fmax(r->measured, fabs(measured));
    if (!(measured > ic_tolerance_engine_coast.value) || (r->cause != IC_NO_MISTAKE && measured <= r->measured))
        return;
    r->measured = measured;
    r->cause = cause;
    snprintf(r->text, sizeof r->text, text, value);
}

static void note_change(reason *r, double change, const char *falls, const char *grows)
{
    if (change > 0) note(r, change, IC_MISTAKE_ENERGY_APPEARS, grows, change);
    else note(r, -change, IC_MISTAKE_DAMPED_FLIGHT, falls, -change);
}

static void check_momentum(ic_engine_audit *a, const flight *ball, const flight *bar)
{
    reason r = {0, IC_NO_MISTAKE, "nothing changes"};
    const double unit = a->flight.spin_unit, pull = bar->fit.by_velocity;
    const double start = bar->fit.vx / bar->start.vx;
    note_change(&r, ball->fit.vx_change, "the momentum falls by %.2g of itself",
                "the momentum grows by %.2g of itself");
    note_change(&r, bar->fit.vx_change, "the momentum falls by %.2g of itself",
                "the momentum grows by %.2g of itself");
    note_change(&r, ball->fit.omega_change, "the spin falls by %.2g of itself",
                "the spin grows by %.2g of itself");
    note_change(&r, bar->fit.omega_change, "the spin falls by %.2g of itself",
                "the spin grows by %.2g of itself");
    if (r.cause == IC_NO_MISTAKE || fabs(a->flight.fades) * COAST_SPEED < fabs(pull) / 2)
        note(&r, fabs(pull) * COAST_UNTIL / COAST_SPEED, IC_MISTAKE_GRAVITY_WRONG,
             "a body without gravity falls with %.4g m/s^2", pull);
    if (r.cause == IC_NO_MISTAKE)
        note(&r, fabs(start - 1), IC_NO_MISTAKE, "the momentum is %.4g of that given", start);
    if (unit != 1)
        note(&r, fabs(bar->fit.omega / bar->start.omega - 1), unit_mistake(unit),
             unit == -1 ? "the spin of rows has the other sign (times %.3g)"
                        : "the spin of rows is in degrees (times %.3g)",
             unit);
    else if (r.cause == IC_NO_MISTAKE)
        note(&r, fabs(bar->fit.omega / bar->start.omega - 1), IC_NO_MISTAKE, "the spin is %.4g of that given",
             bar->fit.omega / bar->start.omega);
    const ic_engine_judged j = {r.measured, ic_tolerance_engine_coast.value, "1",
                                ic_tolerance_engine_coast.derivation, r.cause};
    ic_engine_add(a, &momentum, "free flight", &j,
                  "%s; a ball for %g s, sideways, and a %s for %g s, both turning", r.text, FALL_UNTIL,
                  a->no_bar ? "ball without gravity" : "bar", COAST_UNTIL);
}

/* ---- gravity */

/* Velocities show one acceleration, positions another: returns the one that is farther from the expected one. */
static double worse_of(double by_velocity, double by_position, double gravity)
{
    return fabs(by_velocity - gravity) >= fabs(by_position - gravity) ? by_velocity : by_position;
}

static ic_mistake_id gravity_cause(double factor)
{
    const double by_mass = fmin(fabs(factor / FLIGHT_MASS - 1), fabs(factor * FLIGHT_MASS - 1));
    if (factor < 0) return IC_MISTAKE_GRAVITY_SIGN;
    return by_mass <= ic_tolerance_engine_fall.value ? IC_MISTAKE_MASS_WRONG : IC_MISTAKE_GRAVITY_WRONG;
}

/*
 * Where momentum fades, so does the velocity of the fall: dv/dt = -g - fades v. Without it, and in
 * the time of the motion, only gravity is left.
 */
static void check_gravity(ic_engine_audit *a, const flight *ball)
{
    const ic_engine_flight *known = &a->flight;
    const double k = known->clock, drag = known->fades * ball->fit.vy;
    const double by_velocity = (ball->fit.by_velocity - drag) / k,
                 by_position = (ball->fit.by_position - drag) / (k * k);
    const double g = worse_of(by_velocity, by_position, IC_ENGINE_GRAVITY), factor = g / IC_ENGINE_GRAVITY;
    const double fades = known->fades != 0 ? ic_tolerance_engine_fall.value : ic_tolerance_engine_gravity.value;
    const ic_engine_judged j = {fabs(factor - 1), fades, "1", ic_tolerance_engine_gravity.derivation,
                                gravity_cause(factor)};
    ic_engine_add(a, &free_flight, "thrown ball", &j,
                  "velocities show a gravity of %.5g m/s^2, positions one of %.5g m/s^2: up to %.4g times the "
                  "scene's %.5g m/s^2",
                  by_velocity, by_position, factor, IC_ENGINE_GRAVITY);
    a->flight.mass_power = 0;
    if (j.measured > j.tolerance && j.cause == IC_MISTAKE_MASS_WRONG)
        a->flight.mass_power = factor > 1 ? 1 : -1;
    a->flight.ball_gravity = by_velocity / pow(FLIGHT_MASS, a->flight.mass_power);
}

/* ---- positions against velocities */

/* Time in the motion while one unit passes in the rows: the same for places and angles. */
static double clock_of(const flight *ball, const flight *bar)
{
    const double by_place = ball->fit.x_rate / ball->fit.vx,
                 by_angle = bar->fit.turn_rate * bar->start.omega / (bar->fit.omega * bar->start.omega);
    const bool same = is_near(by_angle, by_place) && by_place > 0;
    return same && fabs(by_place - 1) > RECOGNISED ? by_place : 1;
}

static void set_reason(reason *r, double measured, ic_mistake_id cause, const char *text, double value)
{
    if (!(measured > r->measured)) return;
    r->measured = measured;
    r->cause = cause;
    snprintf(r->text, sizeof r->text, text, value);
}

/* Whole rows are late, or only some of their values. */
static void judge_lateness(reason *r, const ic_engine_fit *f)
{
    const double x = isnan(f->x_late) ? 0 : f->x_late, vy = isnan(f->vy_late) ? x : f->vy_late;
    const bool x_is = fabs(x) > ic_tolerance_engine_late.value,
               vy_is = fabs(vy) > ic_tolerance_engine_late.value,
               turn_is = fabs(f->turn_late) > ic_tolerance_engine_late.value;
    if (x_is && vy_is)
        set_reason(r, fabs(x), IC_MISTAKE_STALE_TIME, "rows are %.3g steps later than their states", x);
    else if (x_is)
        set_reason(r, fabs(x), IC_MISTAKE_STALE_STATE,
                   "positions are those of %.3g steps before, velocities are not", x);
    else if (vy_is)
        set_reason(r, fabs(vy), IC_MISTAKE_STALE_STATE,
                   "velocities are those of %.3g steps before, positions are not", vy);
    else if (turn_is)
        set_reason(r, fabs(f->turn_late), IC_MISTAKE_STALE_STATE,
                   "angles are those of %.3g steps before, positions are not", f->turn_late);
    else if (fabs(f->step_kind - 0.5) > ic_tolerance_engine_late.value)
        set_reason(r, fabs(f->step_kind - 0.5) + ic_tolerance_engine_late.value, IC_MISTAKE_STALE_STATE,
                   "the velocity of the fall and the height differ by %.3g steps", f->step_kind - 0.5);
}

static void judge_rates(reason *r, const ic_engine_flight *known, const flight *ball, const flight *bar)
{
    const double place = ball->fit.x_rate / ball->fit.vx, turn = bar->fit.turn_rate / bar->fit.omega;
    const double expected = known->angle_unit / known->spin_unit;
    const double off = 1 / RECOGNISED; /* steps: a hundredth in a hundred of them */
    if (known->clock != 1)
        set_reason(r, off * fabs(known->clock - 1), IC_MISTAKE_TIME_SCALED,
                   "the motion runs at %.4g times the rate of the rows' times", known->clock);
    else if (fabs(place - 1) > RECOGNISED)
        set_reason(r, off * fabs(place - 1), IC_NO_MISTAKE, "positions move at %.4g times the velocity", place);
    else if (known->angle_unit != known->spin_unit)
        set_reason(r, off * fabs(turn - 1),
                   unit_mistake(known->angle_unit != 1 ? known->angle_unit : known->spin_unit),
                   "angles turn at %.4g times the spin", turn);
    else if (fabs(turn / expected - 1) > RECOGNISED)
        set_reason(r, off * fabs(turn - 1), IC_NO_MISTAKE, "angles turn at %.4g times the spin", turn);
}

static void check_positions(ic_engine_audit *a, const flight *ball, const flight *bar)
{
    reason r = {0, IC_NO_MISTAKE, "positions and angles follow the velocities"};
    judge_rates(&r, &a->flight, ball, bar);
    if (r.measured == 0) judge_lateness(&r, &ball->fit);
    if (r.measured == 0) r.measured = fmax(fabs(ball->fit.x_late), fabs(ball->fit.vy_late));
    if (isnan(r.measured)) r.measured = 0;
    const ic_engine_judged j = {r.measured, ic_tolerance_engine_late.value, "steps",
                                ic_tolerance_engine_late.derivation, r.cause};
    ic_engine_add(a, &positions, "free flight", &j, "%s", r.text);
}

/* ---- all */

/* Whether the flights are lines and parabolas, so that an impact can be told from them. */
static bool is_understood(const flight *ball, const ic_engine_flight *known)
{
    return known->fades != 0 || !(ball->fit.crooked > ic_tolerance_engine_fall.value);
}

void ic_engine_check_flight(ic_engine_audit *a)
{
    a->flight = ic_engine_flight_right();
    flight bar = fly_bar(a);
    if (a->no_bar) bar = fly_bar(a);
    const flight ball = fly_ball(a);
    if (!bar.done || !ball.done) return;
    ic_engine_flight known = a->flight;
    measure_units(&known, &ball, &bar);
    measure_decay(&known, &bar);
    known.clock = clock_of(&ball, &bar);
    known.bar_gravity = bar.fit.by_velocity - known.fades * bar.fit.vy;
    /* The rows of these flights were read as they are; from here on they are corrected. */
    a->flight = known;
    check_positions(a, &ball, &bar);
    check_gravity(a, &ball);
    check_momentum(a, &ball, &bar);
    if (fabs(known.bar_gravity) < ic_tolerance_engine_coast.value) a->flight.bar_gravity = 0;
    else a->flight.bar_gravity /= known.clock;
    a->flies_wrongly = !is_understood(&ball, &known);
}
