/* SPDX-License-Identifier: MIT */
/* Checks of friction and restitution as functions of the coefficients given, and of the speed. */
#include "audit/common/tolerances.h"
#include "audit/engine/engine_audit.h"

#include <math.h>
#include <stdio.h>

/* Friction: a ball, v_y = -0.8 m/s, that slips too fast for friction to stop it: w_xx/w_yy = 3.5, so that
   this takes 3.5 mu (1 + e). */
static const double frictions[IC_ENGINE_FRICTIONS] = {0.001, 0.01, 0.05, 0.1, 0.2, 0.35,
                                                      0.5,   0.7,  1,    1.5, 2,   3};
#define SLIDES_AT 0.8   /* m/s */
#define SLIDES_WITH 0.5 /* e */
#define MARGIN 1.6
#define COMPLIANCES 3.5

/* Part of the slip below which it has stopped. */
#define STOPPED 0.02

/* of a small coefficient, 1 */
#define LEAST_FRICTION 2e-4

static const double restitutions[] = {1, 0.9, 0.7, 0.5, 0.3, 0.2, 0.1};
enum { RESTITUTIONS = 7 };
#define SPEED 4.0 /* m/s */

/* e = 0.8; slow ones first */
static const double speeds[] = {0.1, 0.3, 1, 3, 10, 30, 100};
enum { SPEEDS = 7 };
#define SLOW 1.0 /* m/s; another check judges slower impacts */
/* A limit on speeds is seen below this one, m/s. */
#define FASTEST 150.0

/* Rows in which that shows, after the start and after more steps. */
enum { SOON = 3, FAST_STEPS = 20 };

/* Steps of flight before the impact, and of the motion after it. */
#define STEPS_BEFORE 20
#define STEPS_AFTER 80

static const ic_audit_check friction_used = {
    .name = "friction-function",
    .what = "coefficient of friction in effect, less that given, over impacts that slide; the worst",
    .why = "friction is not what the scene says",
    .reference = "P_x = mu P_y, mu from 0.001 to 3"};
static const ic_audit_check restitution_used = {
    .name = "restitution-function",
    .what = "coefficient of restitution in effect, less that given; the worst",
    .why = "bodies rebound with another e than the scene's",
    .reference = "v' = -e v, e from 0 to 1, at 4 m/s"};
static const ic_audit_check at_speeds = {
    .name = "restitution-speeds",
    .what = "coefficient of restitution in effect, less that at 4 m/s; the worst",
    .why = "the rebound depends on the speed",
    .reference = "v' = -e v, e = 0.8, 1 to 100 m/s"};
static const ic_audit_check speed = {.name = "speed",
                                     .what = "part of its speed that a fast ball loses in flight",
                                     .why = "fast bodies are slowed down",
                                     .reference = "150 m/s, in flight"};

/* ---- friction */

static ic_engine_scene sliding_ball(double mu)
{
    ic_engine_scene scene = ic_engine_scene_of(false);
    scene.mu = mu;
    scene.e = SLIDES_WITH;
    scene.step = IC_ENGINE_FINE_STEP;
    scene.speed = SLIDES_AT;
    scene.tangential = 1 + MARGIN * COMPLIANCES * mu * (1 + SLIDES_WITH) * SLIDES_AT;
    scene.height = SLIDES_AT * STEPS_BEFORE * scene.step;
    scene.until = (STEPS_BEFORE + STEPS_AFTER) * scene.step;
    return scene;
}

/*
 * Whether the ball still slips after the impact, by its velocities and by its impulse: an impact in
 * which the slip stops shows less friction than there is.
 */
static bool slides(const ic_engine_probe *probe)
{
    const double slip = probe->before[0] + probe->r[1] * probe->before[2];
    const double by_rows = slip + probe->change[0] + probe->r[1] * probe->change[2];
    const double by_impulse =
        slip + probe->change[0] * (1 + probe->body.mass * probe->r[1] * probe->r[1] / probe->body.inertia);
    return slip != 0 && fmin(by_rows / slip, by_impulse / slip) > STOPPED;
}

void ic_engine_measure_friction(ic_engine_audit *a)
{
    ic_coefficient_pair pairs[IC_ENGINE_FRICTIONS];
    size_t n = 0;
    for (size_t i = 0; i < IC_ENGINE_FRICTIONS; i++) {
        ic_engine_probe *probe = &a->sliding[i];
        ic_engine_impact impacts[IC_ENGINE_PROBE_PHASES];
        *probe = (ic_engine_probe){.scene = sliding_ball(frictions[i]), .mu = frictions[i], .e = SLIDES_WITH};
        for (int k = 0; k < IC_ENGINE_PROBE_PHASES; k++) {
            probe->scene.phase = (double)k / IC_ENGINE_PROBE_PHASES;
            impacts[k] = ic_engine_first_impact(a, &probe->scene);
        }
        probe->body = impacts[0].body;
        ic_engine_probe_measure(probe, impacts);
        probe->ended &= hypot(probe->scene.tangential, SLIDES_AT) < a->fastest;
        if (!probe->ended || !(probe->change[1] > 0) || !slides(probe)) continue;
        const double slip = probe->before[0] + probe->r[1] * probe->before[2];
        pairs[n++] =
            (ic_coefficient_pair){frictions[i], -copysign(1, slip) * probe->change[0] / probe->change[1],
                                  LEAST_FRICTION + ic_tolerance_engine_coefficient.value * frictions[i]};
    }
    a->n_frictions = n;
    if (n == 0) return;
    a->friction = ic_coefficient_find(pairs, n);
    a->worst_friction = pairs[a->friction.worst];
}

ic_mistake_id ic_engine_friction_mistake(const ic_engine_audit *a)
{
    switch (a->friction.use) {
    case IC_COEFFICIENT_REVERSED: return IC_MISTAKE_SIGN_REVERSED;
    case IC_COEFFICIENT_NONE: return IC_MISTAKE_FRICTIONLESS;
    case IC_COEFFICIENT_SQUARED:
    case IC_COEFFICIENT_ROOT:
    case IC_COEFFICIENT_GEOMETRIC:
    case IC_COEFFICIENT_MEAN: return IC_MISTAKE_FRICTION_MIXED;
    case IC_COEFFICIENT_CONSTANT:
    case IC_COEFFICIENT_AT_MOST:
    case IC_COEFFICIENT_AT_LEAST: return IC_MISTAKE_FRICTION_LIMITED;
    case IC_COEFFICIENT_FACTOR:
        return a->friction.c < 0 ? IC_MISTAKE_SIGN_REVERSED : IC_MISTAKE_FRICTION_FACTOR;
    default: return IC_NO_MISTAKE;
    }
}

/* Whether the mistake in the impacts of the probes gives these, too, with the friction given. */
static bool why_explains_sliding(const ic_engine_audit *a)
{
    bool all = a->cause != IC_NO_MISTAKE;
    for (size_t i = 0; all && i < IC_ENGINE_FRICTIONS; i++) {
        ic_engine_probe probe = a->sliding[i];
        probe.mu = probe.scene.mu;
        all = !probe.ended || ic_engine_explains(&a->why, &probe, ic_tolerance_engine_law.value);
    }
    return all;
}

static ic_mistake_id friction_cause(const ic_engine_audit *a)
{
    /* The normal impulse is not that of the speeds. */
    if (a->restitution_cause == IC_MISTAKE_RESTITUTION_BY_PHASE) return a->restitution_cause;
    return why_explains_sliding(a) ? a->cause : ic_engine_friction_mistake(a);
}

void ic_engine_check_friction_used(ic_engine_audit *a)
{
    char text[64];
    const ic_coefficient_pair *worst = &a->worst_friction;
    const bool many = a->n_frictions >= IC_ENGINE_FRICTIONS / 2;
    ic_engine_judged j = {many ? fabs(worst->effective - worst->given) : NAN, worst->tolerance, "1",
                          ic_tolerance_engine_coefficient.derivation, IC_NO_MISTAKE};
    if (a->row->broken) return;
    if (!many) {
        ic_engine_add(a, &friction_used, "sliding balls", &j, "%zu of %d impacts ended", a->n_frictions,
                      IC_ENGINE_FRICTIONS);
        return;
    }
    if (a->friction.off > 1) j.cause = a->soft ? IC_MISTAKE_CONTACT_SOFT : friction_cause(a);
    ic_coefficient_describe(text, sizeof text, &a->friction, "mu");
    ic_engine_add(a, &friction_used, "sliding balls", &j, "mu in effect: %s; for %g it is %.4g", text,
                  worst->given, worst->effective);
}

/* ---- restitution */

/* A ball thrown to the ground. */
typedef struct thrown {
    /* false: the scene could not be run, or the ball has not met the ground */
    bool met;

    /* restitution in effect, 1 */
    double e;
} thrown;

static thrown throw_ball(ic_engine_audit *a, double e, double v)
{
    thrown t = {.met = false};
    ic_engine_scene scene = ic_engine_scene_of(false);
    ic_engine_motion motion;
    scene.e = e;
    scene.step = IC_ENGINE_FINE_STEP;
    scene.speed = v;
    scene.tangential = 0;
    scene.height = v * STEPS_BEFORE * scene.step;
    scene.until = (STEPS_BEFORE + STEPS_AFTER) * scene.step;
    scene.phase = 0.5;
    if (!ic_engine_run_scene(a, &scene, &motion)) return t;
    const ic_engine_body body = ic_engine_body_of(&scene);
    const ic_engine_impact impact = ic_engine_impact_in(&motion, &body, scene.step, &a->flight);
    t.met = impact.met && impact.before.vy < 0;
    /* A ball that stays on the ground has no flight after it: its greatest speed upward. */
    double upward = impact.left ? impact.after.vy : 0;
    for (size_t i = 0; t.met && !impact.left && i < motion.n_rows; i++)
        upward = fmax(upward, motion.rows[i].vy);
    t.e = t.met ? -upward / impact.before.vy : NAN;
    ic_engine_motion_free(&motion);
    return t;
}

static double restitution_tolerance(double e)
{
    return e > ic_tolerance_engine_plastic.value * 2 ? ic_tolerance_engine_coefficient.value
                                                     : ic_tolerance_engine_plastic.value;
}

void ic_engine_measure_restitution(ic_engine_audit *a)
{
    ic_coefficient_pair pairs[RESTITUTIONS];
    size_t n = 0;
    for (size_t i = 0; i < RESTITUTIONS; i++) {
        const thrown t = throw_ball(a, restitutions[i], SPEED);
        if (t.met)
            pairs[n++] = (ic_coefficient_pair){restitutions[i], t.e, restitution_tolerance(restitutions[i])};
    }
    a->n_restitutions = n;
    if (n == 0) return;
    a->restored = ic_coefficient_find(pairs, n);
    a->worst_restitution = pairs[a->restored.worst];
}

ic_mistake_id ic_engine_restitution_mistake(const ic_engine_audit *a)
{
    switch (a->restored.use) {
    case IC_COEFFICIENT_NONE:
    case IC_COEFFICIENT_CONSTANT: return IC_MISTAKE_RESTITUTION_IGNORED;
    case IC_COEFFICIENT_SQUARED:
    case IC_COEFFICIENT_ROOT: return IC_MISTAKE_RESTITUTION_SQUARED;
    case IC_COEFFICIENT_AT_MOST:
    case IC_COEFFICIENT_AT_LEAST: return IC_MISTAKE_RESTITUTION_LIMITED;
    case IC_COEFFICIENT_FACTOR:
    case IC_COEFFICIENT_GEOMETRIC:
    case IC_COEFFICIENT_MEAN: return IC_MISTAKE_RESTITUTION_WRONG;
    default: return IC_NO_MISTAKE;
    }
}

void ic_engine_check_restitution_used(ic_engine_audit *a)
{
    char text[64];
    const ic_coefficient_pair *worst = &a->worst_restitution;
    const bool many = a->n_restitutions >= RESTITUTIONS / 2;
    ic_engine_judged j = {many ? fabs(worst->effective - worst->given) : NAN, worst->tolerance, "1",
                          ic_tolerance_engine_coefficient.derivation, IC_NO_MISTAKE};
    if (a->row->broken) return;
    if (!many) {
        ic_engine_add(a, &restitution_used, "thrown balls", &j, "%zu of %d balls met the ground",
                      a->n_restitutions, RESTITUTIONS);
        return;
    }
    const bool unknown = a->restored.use == IC_COEFFICIENT_UNKNOWN;
    if (a->restored.off > 1)
        j.cause = unknown || a->soft ? a->restitution_cause : ic_engine_restitution_mistake(a);
    ic_coefficient_describe(text, sizeof text, &a->restored, "e");
    ic_engine_add(a, &restitution_used, "thrown balls", &j, "e in effect: %s; for %g it is %.4g", text,
                  worst->given, worst->effective);
}

/*
 * Rows just after the start show a limit, those between them and the last a drag that grows with
 * the speed: dv/dt = -(fades + drag v) v.
 */
static void judge_fast(ic_engine_audit *a, const ic_engine_motion *motion)
{
    const ic_engine_state *soon = &motion->rows[SOON], *last = &motion->rows[SOON + FAST_STEPS];
    const double reached = fabs(soon->vy), lost = fmax(1 - reached / FASTEST, 0);
    const double rate = log(fabs(soon->vy / last->vy)) / (last->t - soon->t);
    const ic_engine_judged j = {lost, ic_tolerance_engine_speed.value, "1",
                                ic_tolerance_engine_speed.derivation, IC_MISTAKE_SPEED_LIMITED};
    ic_engine_add(a, &speed, "thrown ball", &j, "thrown with %g m/s, it flies with %.4g m/s", FASTEST, reached);
    if (lost > ic_tolerance_engine_speed.value) a->fastest = reached;
    else if (a->flight.fades != 0 && rate > 2 * a->flight.fades) {
        a->flight.drag = (rate - a->flight.fades) / (FASTEST - a->flight.fade_speed);
        a->flight.fades = fmax(a->flight.fades - a->flight.drag * a->flight.fade_speed, 0);
    }
}

void ic_engine_check_speed_kept(ic_engine_audit *a)
{
    ic_engine_scene scene = ic_engine_scene_of(false);
    ic_engine_motion motion;
    a->fastest = INFINITY;
    scene.step = IC_ENGINE_FINE_STEP;
    scene.speed = FASTEST;
    scene.tangential = 0;
    scene.height = 4 * FASTEST * (SOON + FAST_STEPS) * scene.step; /* also in steps that are too long */
    scene.until = 2 * (SOON + FAST_STEPS) * scene.step;
    if (!ic_engine_run_scene(a, &scene, &motion)) return;
    if (motion.n_rows > SOON + FAST_STEPS) judge_fast(a, &motion);
    ic_engine_motion_free(&motion);
}

void ic_engine_check_speeds(ic_engine_audit *a)
{
    double e[SPEEDS], most = 0, least = INFINITY, greatest = -INFINITY, at_least = 0, at_greatest = 0;
    for (size_t i = 0; i < SPEEDS; i++) {
        const thrown t = throw_ball(a, IC_ENGINE_RESTITUTION, speeds[i]);
        e[i] = t.met ? t.e : NAN;
    }
    const thrown usual = throw_ball(a, IC_ENGINE_RESTITUTION, SPEED);
    if (a->row->broken || !usual.met) return;
    for (size_t i = 0; i < SPEEDS; i++) {
        if (speeds[i] < SLOW || speeds[i] > a->fastest || isnan(e[i])) continue;
        most = fmax(most, fabs(e[i] - usual.e));
        if (e[i] < least) least = e[i], at_least = speeds[i];
        if (e[i] > greatest) greatest = e[i], at_greatest = speeds[i];
    }
    ic_engine_judged j = {
        most, ic_tolerance_engine_coefficient.value, "1", ic_tolerance_engine_coefficient.derivation,
        a->restitution_cause == IC_MISTAKE_RESTITUTION_BY_PHASE ? a->restitution_cause
                                                                : IC_MISTAKE_RESTITUTION_WRONG};
    ic_engine_add(a, &at_speeds, "thrown balls", &j, "prescribed %g: from %.4g at %g m/s to %.4g at %g m/s",
                  IC_ENGINE_RESTITUTION, least, at_least, greatest, at_greatest);
}

void ic_engine_check_plastic(ic_engine_audit *a)
{
    if (a->row->broken) return;
    const thrown t = throw_ball(a, 0, SPEED);
    a->plastic_breaks = a->row->broken;
    a->row->broken = a->hangs; /* Others would take as long. */
    if (a->plastic_breaks || !t.met) return;
    const bool known = fabs(t.e - ic_coefficient_of(&a->restored, 0)) <= ic_tolerance_engine_plastic.value;
    /* An e that is never less than a small number changes only this scene. */
    const bool least = a->restored.use == IC_COEFFICIENT_RIGHT && t.e < 2 * restitutions[RESTITUTIONS - 1];
    const ic_mistake_id cause = known   ? ic_engine_restitution_mistake(a)
                                : least ? IC_MISTAKE_RESTITUTION_LIMITED
                                        : a->restitution_cause;
    const ic_engine_judged j = {t.e, ic_tolerance_engine_plastic.value, "1",
                                ic_tolerance_engine_plastic.derivation, cause};
    ic_engine_add(a, &restitution_used, "plastic ball", &j, "prescribed 0, in effect %.4g", t.e);
}
