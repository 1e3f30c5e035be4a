/* SPDX-License-Identifier: MIT */
/* Checks of bodies in flight, at rest on the ground, and faster than their size in a step. */
#include "audit/common/tolerances.h"
#include "audit/engine/engine_audit.h"

#include <math.h>

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

#define REST_UNTIL 1.0 /* s */

/* Bodies that reach the ground in long steps: the ball by 0.6 and 0.9 m in one step, the tip of a
   steep bar by 0.2 and 0.8 m. */
#define FAST_UNTIL 0.5 /* s */
#define STEEP 10.0     /* phi, degrees; the centre rebounds with v_y' = 0.83 v_y */
static const struct {
    bool bar;

    /* m/s, s */
    double speed, step;
} fast_scenes[] = {{false, 60, 1e-2}, {false, 150, 6e-3}, {true, 20, 1e-2}, {true, 80, 1e-2}};
enum { FAST_PHASES = 5 };

static const ic_audit_check free_flight = {
    .name = "free-flight",
    .what = "difference of velocity and position of a thrown ball from free fall, relative to the fall",
    .why = "bodies do not fall as they should",
    .reference = "v' = -g"};
static const ic_audit_check momentum = {
    .name = "momentum",
    .what = "change of momentum or spin in flight without a force, over the initial value",
    .why = "motion decays or grows by itself",
    .reference = "m v and I omega are constant"};
static const ic_audit_check rest = {.name = "rest",
                                    .what = "distance by which a ball on the ground moves",
                                    .why = "a body at rest moves",
                                    .reference = "a ball on the ground, without speed"};
static const ic_audit_check fast = {
    .name = "fast",
    .what = "bodies that pass into the ground, of those that move farther than their size in one step",
    .why = "fast bodies pass through others",
    .reference = "y >= 0"};

/* ---- flight */

/* The greatest change of a momentum on which no force acts, and whether any of them grows. */
typedef struct flight_drift {
    double greatest;
    bool grows;
} flight_drift;

static void note_change(flight_drift *d, double first, double last)
{
    d->greatest = fmax(d->greatest, fabs(last - first) / fabs(first));
    d->grows |= fabs(last) > fabs(first) * (1 + ic_tolerance_engine_coast.value);
}

static void measure_coasting(ic_engine_audit *a, flight_drift *d)
{
    ic_engine_scene scene = ic_engine_scene_of(true);
    ic_engine_motion motion;
    scene.step = IC_ENGINE_STEP;
    scene.height = COAST_HEIGHT;
    scene.speed = COAST_SPEED;
    scene.omega = TURNING;
    scene.until = COAST_UNTIL;
    if (!ic_engine_run_scene(a, &scene, &motion)) return;
    const ic_engine_state *first = &motion.rows[0], *last = &motion.rows[motion.n_rows - 1];
    note_change(d, first->vx, last->vx);
    note_change(d, first->vy, last->vy);
    note_change(d, first->omega, last->omega);
    ic_engine_motion_free(&motion);
}

static void add_momentum(ic_engine_audit *a, const flight_drift *d)
{
    const ic_engine_judged j = {d->greatest, ic_tolerance_engine_coast.value, "1",
                                ic_tolerance_engine_coast.derivation,
                                d->grows ? IC_MISTAKE_ENERGY_APPEARS : IC_MISTAKE_DAMPED_FLIGHT};
    ic_engine_add(a, &momentum, "free flight", &j,
                  "a ball for %g s, sideways, and a bar for %g s, both turning", FALL_UNTIL, COAST_UNTIL);
}

/*
 * Difference of the last row's place and angle from those of uniform velocity and spin and of
 * gravity, divided by the distances covered.
 */
static double place_error(const ic_engine_state *first, const ic_engine_state *last)
{
    const double t = last->t - first->t, fall = IC_ENGINE_GRAVITY * t * t / 2;
    const double x = fabs((last->x - first->x - first->vx * t) / (first->vx * t));
    const double y = fabs(last->y - first->y - first->vy * t + fall) / fall;
    const double turn =
        fabs(remainder(last->phi - first->phi - first->omega * t, 2 * M_PI) / (first->omega * t));
    return fmax(fmax(x, y), turn);
}

static ic_mistake_id fall_cause(double ratio, bool fades)
{
    const double by_mass = fmin(fabs(ratio / FLIGHT_MASS - 1), fabs(ratio * FLIGHT_MASS - 1));
    if (ratio < 0) return IC_MISTAKE_GRAVITY_SIGN;
    if (fades) return IC_MISTAKE_DAMPED_FLIGHT;
    if (by_mass <= ic_tolerance_engine_fall.value) return IC_MISTAKE_MASS_WRONG;
    return ratio > 1 + ic_tolerance_engine_fall.value ? IC_MISTAKE_ENERGY_APPEARS : IC_NO_MISTAKE;
}

/* The ball is thrown sideways: only gravity may change its momentum. */
void ic_engine_check_flight(ic_engine_audit *a)
{
    ic_engine_scene scene = ic_engine_scene_of(false);
    ic_engine_motion motion;
    flight_drift d = {0, false};
    scene.step = IC_ENGINE_STEP;
    scene.height = FALL_HEIGHT;
    scene.tangential = THROWN;
    scene.omega = TURNING;
    scene.mass = FLIGHT_MASS;
    scene.until = FALL_UNTIL;
    measure_coasting(a, &d);
    if (!ic_engine_run_scene(a, &scene, &motion)) return;
    const ic_engine_state *first = &motion.rows[0], *last = &motion.rows[motion.n_rows - 1];
    const double fall = IC_ENGINE_GRAVITY * (last->t - first->t), dv = last->vy - first->vy;
    note_change(&d, first->vx, last->vx);
    note_change(&d, first->omega, last->omega);
    add_momentum(a, &d);
    const bool fades = d.greatest > ic_tolerance_engine_coast.value;
    const ic_engine_judged j = {fmax(fabs(dv + fall) / fall, place_error(first, last)),
                                ic_tolerance_engine_fall.value, "1", ic_tolerance_engine_fall.derivation,
                                fall_cause(-dv / fall, fades)};
    ic_engine_add(a, &free_flight, "thrown ball", &j,
                  "after %.3g s of free flight vy has changed by %.4g m/s; gravity gives %.4g m/s; the ball's "
                  "place is off by %.2g of the distance",
                  last->t - first->t, dv, -fall, place_error(first, last));
    a->flies_wrongly = fades || j.measured > j.tolerance;
    ic_engine_motion_free(&motion);
}

/* ---- the ground */

void ic_engine_check_rest(ic_engine_audit *a)
{
    ic_engine_scene scene = ic_engine_scene_of(false);
    ic_engine_motion motion;
    double moved = 0;
    scene.step = IC_ENGINE_STEP;
    scene.height = 0;
    scene.e = 0;
    scene.mu = 1;
    scene.until = REST_UNTIL;
    if (!ic_engine_run_scene(a, &scene, &motion)) return;
    for (size_t i = 0; i < motion.n_rows; i++)
        moved = fmax(moved, hypot(motion.rows[i].x - motion.rows[0].x, motion.rows[i].y - motion.rows[0].y));
    const ic_engine_judged j = {moved, ic_tolerance_engine_rest.value, "m", ic_tolerance_engine_rest.derivation,
                                IC_MISTAKE_DRIFTS_AT_REST};
    ic_engine_add(a, &rest, "ball on the ground", &j, "greatest distance from its initial place, in %g s",
                  REST_UNTIL);
    ic_engine_motion_free(&motion);
}

/* Whether the body ends deep in the ground and still moves downwards: a soft contact would push it
   back. */
static bool passes_ground(ic_engine_audit *a, size_t which, double phase)
{
    ic_engine_scene scene = ic_engine_scene_of(fast_scenes[which].bar);
    ic_engine_motion motion;
    scene.step = fast_scenes[which].step;
    scene.speed = fast_scenes[which].speed;
    scene.angle = scene.bar ? STEEP : NAN;
    scene.tangential = 0;
    scene.mu = 0;
    scene.phase = phase;
    scene.until = FAST_UNTIL;
    if (!ic_engine_run_scene(a, &scene, &motion)) return false;
    const ic_engine_body body = ic_engine_body_of(&scene);
    const bool goes_on = motion.rows[motion.n_rows - 1].vy < 0;
    const double depth = ic_engine_impact_in(&motion, &body, scene.step).depth;
    ic_engine_motion_free(&motion);
    return goes_on && depth > ic_tolerance_engine_depth.value;
}

void ic_engine_check_fast(ic_engine_audit *a)
{
    size_t n = 0, passed = 0;
    for (size_t i = 0; i < IC_COUNT(fast_scenes); i++) {
        for (int k = 0; k < FAST_PHASES; k++, n++) passed += passes_ground(a, i, (double)k / FAST_PHASES);
    }
    if (a->row->broken) return;
    const bool slow_ones_too = a->depth > ic_tolerance_engine_depth.value;
    const ic_engine_judged j = {(double)passed, 0, "runs", "the ground has no other side",
                                slow_ones_too ? IC_MISTAKE_FALLS_THROUGH : IC_MISTAKE_TUNNELS};
    ic_engine_add(a, &fast, "fast bodies", &j, "%zu of %zu bodies at 20 to 150 m/s, 0.2 to 0.9 m in a step",
                  passed, n);
}
