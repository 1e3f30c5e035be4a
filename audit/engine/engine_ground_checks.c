/* SPDX-License-Identifier: MIT */
/* Checks of bodies at rest on the ground, and of bodies faster than their size in a step. */
#include "audit/common/tolerances.h"
#include "audit/engine/engine_audit.h"

#include <math.h>

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

static const ic_audit_check rest = {.name = "rest",
                                    .what = "distance by which a ball on the ground moves",
                                    .why = "a body at rest moves",
                                    .reference = "a ball on the ground, without speed"};
static const ic_audit_check fast = {
    .name = "fast",
    .what = "bodies that pass into the ground, of those that move farther than their size in one step",
    .why = "fast bodies pass through others",
    .reference = "y >= 0"};

void ic_engine_check_rest(ic_engine_audit *a)
{
    ic_engine_scene scene = ic_engine_scene_of(false);
    ic_engine_motion motion;
    double moved = 0;
    if (a->flight.ball_gravity <= 0) return; /* Nothing holds the ball on the ground. */
    scene.step = IC_ENGINE_STEP;
    scene.height = 0;
    scene.e = 0;
    scene.mu = 1;
    scene.until = REST_UNTIL;
    if (!ic_engine_run_scene(a, &scene, &motion)) return;
    for (size_t i = 0; i < motion.n_rows; i++)
        moved = fmax(moved, hypot(motion.rows[i].x - motion.rows[0].x, motion.rows[i].y - motion.rows[0].y));
    const ic_engine_judged j = {moved, ic_tolerance_engine_rest.value, "m", ic_tolerance_engine_rest.derivation,
                                a->soft             ? IC_MISTAKE_CONTACT_SOFT
                                : a->displaced != 0 ? IC_MISTAKE_CONTACT_DISPLACED
                                                    : IC_MISTAKE_DRIFTS_AT_REST};
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
    const double depth = ic_engine_impact_in(&motion, &body, scene.step, &a->flight).depth;
    ic_engine_motion_free(&motion);
    return goes_on && depth > ic_tolerance_engine_depth.value;
}

void ic_engine_check_fast(ic_engine_audit *a)
{
    size_t n = 0, passed = 0;
    for (size_t i = 0; i < IC_COUNT(fast_scenes); i++) {
        if (a->no_bar && fast_scenes[i].bar) continue;
        for (int k = 0; k < FAST_PHASES; k++, n++) passed += passes_ground(a, i, (double)k / FAST_PHASES);
    }
    if (a->row->broken) return;
    const bool slow_ones_too = a->depth > ic_tolerance_engine_depth.value;
    const ic_engine_judged j = {(double)passed, 0, "runs", "the ground has no other side",
                                a->soft         ? IC_MISTAKE_CONTACT_SOFT
                                : slow_ones_too ? IC_MISTAKE_FALLS_THROUGH
                                                : IC_MISTAKE_TUNNELS};
    ic_engine_add(a, &fast, "fast bodies", &j, "%zu of %zu bodies at 20 to 150 m/s, 0.2 to 0.9 m in a step",
                  passed, n);
}
