/* SPDX-License-Identifier: MIT */
/* Checks of the rebounds of a ball: the place where it turns round, and that it moves on. */
#include "audit/common/tolerances.h"
#include "audit/engine/engine_audit.h"

#include <math.h>
#include <stdio.h>

/* Some rebounds of a ball that falls from rest, in fine steps. */
#define HEIGHT 0.2 /* m */
#define UNTIL 1.0  /* s */
enum { REBOUNDS = 4 };

/* Steps of an impact that is not a slow contact. */
enum { SUDDEN = 20 };

/* Gravity below which balls do not come down in time, of the right one. */
#define FALLS 0.2

static const ic_audit_check lift = {.name = "lift",
                                    .what = "distance by which rebounds lift the ball, or move it sideways",
                                    .why = "every impact supplies energy",
                                    .reference = "an impact changes velocities, not positions"};
static const ic_audit_check surface = {.name = "contact-place",
                                       .what = "distance between the surfaces when a ball turns round",
                                       .why = "bodies touch where they do not meet",
                                       .reference = "y = radius"};
static const ic_audit_check depth = {.name = "depth",
                                     .what = "how deep a ball sinks into the ground",
                                     .why = "bodies overlap for long, and rebound late",
                                     .reference = "y >= radius"};
static const ic_audit_check awake = {.name = "awake",
                                     .what = "balls that stop in the air",
                                     .why = "slow bodies do not fall",
                                     .reference = "v' = -g"};

bool ic_engine_balls_fall(const ic_engine_audit *a)
{
    return a->flight.ball_gravity > FALLS * IC_ENGINE_GRAVITY && !a->sleeps;
}

static void check_awake(ic_engine_audit *a, const ic_engine_motion *motion, double step)
{
    double from = 0;
    a->sleeps = ic_engine_sleeps(motion, IC_ENGINE_BALL_RADIUS, step, &a->flight, &from);
    const ic_engine_judged j = {a->sleeps, 0, "balls", "gravity acts at every speed", IC_MISTAKE_SLEEPING};
    if (a->sleeps)
        ic_engine_add(a, &awake, "bouncing ball", &j, "it stays in the air from t = %.4g s on", from);
    else ic_engine_add(a, &awake, "bouncing ball", &j, "it falls, and turns round at the top of its rebounds");
}

static void check_place(ic_engine_audit *a, const ic_engine_rebound *r, double step)
{
    const double tolerance =
        ic_tolerance_engine_place.value * r->before * step + ic_tolerance_engine_rest.value;
    /* In a contact that takes long the first steps look like flight. */
    const bool displaced = fabs(r->gap) > tolerance && r->steps <= SUDDEN;
    if (r->steps > SUDDEN) return;
    const ic_engine_judged j = {fabs(r->gap), tolerance, "m", ic_tolerance_engine_place.derivation,
                                IC_MISTAKE_CONTACT_DISPLACED};
    a->displaced = displaced ? r->gap : 0;
    ic_engine_add(a, &surface, "bouncing ball", &j, "it turns round %.3g m %s%s", fabs(r->gap),
                  r->gap < 0 ? "below the ground" : "above the ground",
                  displaced && fabs(r->gap + IC_ENGINE_BALL_RADIUS) < tolerance ? ": its centre touches" : "");
}

void ic_engine_check_bar_place(ic_engine_audit *a)
{
    if (a->bar_displaced == 0) return;
    const ic_engine_judged j = {fabs(a->bar_displaced), ic_tolerance_engine_rest.value, "m",
                                ic_tolerance_engine_place.derivation, IC_MISTAKE_CONTACT_DISPLACED};
    ic_engine_add(a, &surface, "rough bar", &j, "a point of the bar touches that is %.3g m %s its tip",
                  fabs(a->bar_displaced), a->bar_displaced < 0 ? "above" : "below");
}

/* The ball falls straight down, without friction: nothing moves it sideways. */
static double sideways(const ic_engine_motion *motion)
{
    double most = 0;
    for (size_t i = 1; i < motion->n_rows; i++) most = fmax(most, fabs(motion->rows[i].x - motion->rows[0].x));
    return most;
}

static void check_lift(ic_engine_audit *a, const ic_engine_rebound *r, size_t n, double step, double aside)
{
    double most = 0, early = 0;
    for (size_t i = 0; i < n; i++) most = fmax(most, ic_engine_lift(&r[i], step));
    for (size_t i = 0; i < n; i++) early = fmax(early, (r[i].before + r[i].after) * step);
    const ic_engine_judged j = {fmax(most, aside), ic_tolerance_engine_place.value * early, "m",
                                ic_tolerance_engine_place.derivation, IC_MISTAKE_POSITION_JUMPS};
    ic_engine_add(a, &lift, "bouncing ball", &j,
                  "%zu rebounds after a fall of %g m; the arc after a rebound is that of a ball %.2g m higher",
                  n, HEIGHT, most);
}

void ic_engine_check_rebounds(ic_engine_audit *a)
{
    ic_engine_scene scene = ic_engine_scene_of(false);
    ic_engine_motion motion;
    ic_engine_rebound found[REBOUNDS];
    if (!ic_engine_balls_fall(a)) return;
    scene.step = IC_ENGINE_FINE_STEP;
    scene.height = HEIGHT;
    scene.until = UNTIL;
    if (!ic_engine_run_scene(a, &scene, &motion)) return;
    const size_t n =
        ic_engine_find_rebounds(found, REBOUNDS, &motion, IC_ENGINE_BALL_RADIUS, scene.step, &a->flight);
    check_awake(a, &motion, scene.step);
    if (n > 0) check_place(a, &found[0], scene.step);
    if (n > 0 && a->displaced == 0) check_lift(a, found, n, scene.step, sideways(&motion));
    ic_engine_motion_free(&motion);
}

void ic_engine_check_depth(ic_engine_audit *a)
{
    const double tolerance = ic_tolerance_engine_depth.value;
    a->soft = a->displaced == 0 && a->returns && a->sunk > tolerance;
    if (a->displaced != 0 || !a->returns) return; /* The place is judged elsewhere, and the end. */
    const ic_engine_judged j = {a->sunk, tolerance, "m", ic_tolerance_engine_depth.derivation,
                                IC_MISTAKE_CONTACT_SOFT};
    ic_engine_add(a, &depth, "falling ball", &j, "at 4.4 m/s, in steps of %g s; method: %s", IC_ENGINE_STEP,
                  ic_engine_method_of(a->rebounds, a->n_rebounds));
}
