/* SPDX-License-Identifier: MIT */
/*
 * A rigid-body engine for `impactcheck audit --plugin`: exact flight between impacts, which are
 * located by bisection, and impacts by Stronge's hypothesis, integrated in small steps of the
 * normal impulse. Build and audit it by
 *
 *     cc -shared -fPIC -Iinclude examples/plugin/engine.c -o /tmp/engine.so -lm
 *     build/impactcheck audit --plugin /tmp/engine.so
 */
#include "impactcheck/impactcheck.h"

#include <math.h>

#define IMPULSE_STEPS 4000.0 /* number of steps of a central impact without friction */
#define RESTING 1e-9         /* speed below which a rebound ends in rest, m/s */

/* The lowest point, relative to the centre of mass. */
static void find_lowest_point(double r[2], const ic_scene *s, const ic_body_row *b)
{
    r[0] = s->body == IC_SCENE_BAR ? -s->length / 2 * sin(b->phi) : 0;
    r[1] = s->body == IC_SCENE_BAR ? -s->length / 2 * cos(b->phi) : -s->radius;
}

static double gap(const ic_scene *s, const ic_body_row *b)
{
    double r[2];
    find_lowest_point(r, s, b);
    return b->y + r[1];
}

static ic_body_row state_after_flight(const ic_scene *s, const ic_body_row *b, double dt)
{
    ic_body_row after = *b;
    after.x += b->vx * dt;
    after.y += (b->vy - s->gravity * dt / 2) * dt;
    after.vy -= s->gravity * dt;
    after.phi += b->omega * dt;
    return after;
}

/*
 * The ratio of tangential to normal impulse by Coulomb's law, from the slip v_x. Without slip it is
 * the ratio that prevents slip, if friction can provide it.
 */
static double impulse_ratio(const double v[2], double mu, double w_xx, double w_xy)
{
    const double holds = -w_xy / w_xx;
    if (v[0] != 0) return v[0] > 0 ? -mu : mu;
    return fabs(holds) <= mu ? holds : copysign(mu, holds);
}

/*
 * Compression takes the energy -integral v_y dP_y from the normal motion, and restitution returns
 * e^2 of it.
 */
static void collide(const ic_scene *s, ic_body_row *b)
{
    double r[2], P[2] = {0, 0}, taken = 0, given = 0;
    find_lowest_point(r, s, b);
    double v[2] = {b->vx + r[1] * b->omega, b->vy - r[0] * b->omega};
    const double w_xx = 1 / s->mass + r[1] * r[1] / s->inertia, w_xy = -r[0] * r[1] / s->inertia,
                 w_yy = 1 / s->mass + r[0] * r[0] / s->inertia;
    const double dP = -v[1] / w_yy / IMPULSE_STEPS;
    while (v[1] < 0 || given < s->e * s->e * taken) {
        const double ratio = impulse_ratio(v, s->mu, w_xx, w_xy);
        const double a_x = w_xy + w_xx * ratio, a_y = w_yy + w_xy * ratio, v_y = v[1];
        double h = dP;
        /* the slip stops within this step */
        if (v[0] != 0 && v[0] * (v[0] + a_x * h) < 0) h = -v[0] / a_x;
        v[0] = h < dP ? 0 : v[0] + a_x * h;
        v[1] += a_y * h;
        P[0] += ratio * h, P[1] += h;
        if (v_y < 0) taken -= (v_y + fmin(v[1], 0)) / 2 * h;
        else given += (v_y + v[1]) / 2 * h;
    }
    b->vx += P[0] / s->mass;
    b->vy += P[1] / s->mass;
    b->omega += (r[1] * P[0] - r[0] * P[1]) / s->inertia;
}

/* The time within dt at which the lowest point meets the ground. */
static double time_of_contact(const ic_scene *s, const ic_body_row *b, double dt)
{
    double before = 0, after = dt;
    for (int i = 0; i < 60; i++) {
        const double middle = (before + after) / 2;
        const ic_body_row there = state_after_flight(s, b, middle);
        if (gap(s, &there) > 0) before = middle;
        else after = middle;
    }
    return before;
}

static bool is_at_rest(const ic_scene *s, const ic_body_row *b)
{
    return s->gravity > 0 && fabs(gap(s, b)) < s->gravity * s->step * s->step &&
           fabs(b->vy) < s->gravity * s->step;
}

/* On the ground the weight presses: friction slows the slip, and stops it if it can. */
static void stay(const ic_scene *s, ic_body_row *b, double dt)
{
    double r[2];
    find_lowest_point(r, s, b);
    const double slip = b->vx + r[1] * b->omega, stops = fabs(slip) / (1 / s->mass + r[1] * r[1] / s->inertia);
    const double P = -copysign(fmin(s->mu * s->mass * s->gravity * dt, stops), slip);
    b->vx += P / s->mass;
    b->omega += r[1] * P / s->inertia;
    b->x += b->vx * dt, b->phi += b->omega * dt;
    b->vy = 0;
}

static void advance_body(const ic_scene *s, ic_body_row *b, double dt)
{
    while (dt > 0) {
        const ic_body_row after = state_after_flight(s, b, dt);
        double r[2];
        if (gap(s, &after) >= 0) {
            *b = after;
            return;
        }
        if (is_at_rest(s, b)) {
            stay(s, b, dt);
            return;
        }
        const double until = time_of_contact(s, b, dt);
        *b = state_after_flight(s, b, until);
        find_lowest_point(r, s, b);
        if (b->vy - r[0] * b->omega < -RESTING) collide(s, b);
        dt -= fmax(until, s->step * 1e-6);
    }
}

static ic_status run_scene(const ic_scene *scene, ic_row_taker *take, void *context)
{
    ic_body_row body = scene->start;
    if (!(scene->step > 0 && scene->e >= 0 && scene->e <= 1 && scene->mu >= 0)) return IC_INVALID;
    if (!take(context, &body)) return IC_IO;
    for (long i = 1; (double)(i - 1) * scene->step < scene->until; i++) {
        advance_body(scene, &body, scene->step);
        body.t = (double)i * scene->step;
        if (!take(context, &body)) return IC_IO;
    }
    return IC_OK;
}

static const ic_rigid_engine my_engine = {IC_ABI(ic_rigid_engine), .name = "my-engine",
                                          .title = "event-driven, with Stronge's hypothesis",
                                          .source = "Stronge 1990", .run = run_scene};

const ic_plugin *impactcheck_plugin(void)
{
    static const ic_rigid_engine *const engines[] = {&my_engine};
    static const ic_plugin plugin = {IC_ABI(ic_plugin), .name = "engine 1.0", .engines = engines,
                                     .n_engines = 1};
    return &plugin;
}
