/* SPDX-License-Identifier: MIT */
/* A planted engine: exact flight, and at the beginning of the step after the contact an impact by
   one of our maps. Variants: the name of a law, which is correct; or of a mistake. */
#include "adapters/engines/scene.h"
#include "registry/registry.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define THRESHOLD 0.5 /* m/s */
#define PLASTIC 0.1   /* restitution, whatever is requested */
#define HALF_RESTITUTION 0.5
#define TOO_MUCH 1.2       /* fraction of the speed before */
#define THIN 0.1           /* m; depth of the ground */
#define FADES 0.1          /* 1/s */
#define DESCRIPTORS 16     /* more than the program has */
#define MANY_SECONDS 1000u /* longer than any test waits */

/* A body whose only contact is a sphere. Angles are counted clockwise. */
typedef struct body {
    const scene_body *is;
    double x, y, phi, vx, vy, omega;

    /* kg */
    double mass;

    /* kg m^2 */
    double inertia;

    /* centre of the sphere in the frame of the body, m */
    double sphere_x, sphere_y;

    /* of the sphere, m */
    double radius;

    /* normal speed of the first impact, m/s */
    double impact_speed;

    /* there is ground to be hit, y <= 0 */
    bool has_ground;
} body;

/* The output of the program itself, before the protocol's library takes it. */
static int own_output;

/* ---- variants that return no motion */

static void break_before(const scene *s)
{
    if (scene_is(s, "hangs")) sleep(MANY_SECONDS);
    if (scene_is(s, "fails")) exit(3);
    if (scene_is(s, "hides")) {
        for (int fd = STDERR_FILENO + 1; fd < DESCRIPTORS; fd++) close(fd);
        sleep(MANY_SECONDS);
    }
    if (scene_is(s, "crashes")) raise(SIGKILL);
}

static void write_nonsense(const scene *s)
{
    static const char words[] = "Engine 1.0 (debug build)\n";
    if (scene_is(s, "garbage") && write(own_output, words, sizeof words - 1) < 0) _exit(3);
    if (scene_is(s, "silent")) _exit(0);
}

static void write_row(double t, const body *b)
{
    const double x[] = {b->x, b->y}, v[] = {b->vx, b->vy};
    scene_row_2d(t, b->is, x, -b->phi, v, -b->omega);
}

static void break_row(const scene *s, double t, body *b)
{
    if (t < (double)s->steps * s->step / 2) return;
    if (scene_is(s, "not-finite")) b->vy = NAN;
    if (scene_is(s, "back-in-time")) write_row(0, b);
}

/* ---- variants that do not offer a scene */

static bool refuses(const scene *s, const body *b)
{
    const bool bar = b->sphere_y != 0;
    if (s->n_bodies > 2 || s->dimension != 2 || b->is->n_shapes != 1 || (s->n_bodies == 2 && !b->has_ground))
        return true;
    if (s->gravity[0] != 0 || s->gravity[1] > 0) return true;
    if (bar) return scene_is(s, "no-bars") || scene_is(s, "no-bars-half");
    return scene_is(s, "no-balls") || (scene_is(s, "no-friction") && s->mu > 0);
}

/* ---- the impact */

static double restitution_of(const scene *s, const body *b, double overlap)
{
    if (scene_is(s, "ignores-e")) return PLASTIC;
    if (scene_is(s, "half") || scene_is(s, "no-bars-half")) return HALF_RESTITUTION;
    if (scene_is(s, "threshold") && -b->vy < THRESHOLD) return 0;
    if (scene_is(s, "by-phase")) return s->e * fmin(1, overlap / (b->impact_speed * s->step));
    return s->e;
}

/* The registered map of the variant, newton where it has none; newton-at-once is defined in
   audit/impact/impact_laws.c. */
static void velocity_after_impact(double P[2], const scene *s, const ic_impact *p)
{
    const ic_impact_map *map = ic_impact_map_find(s->variant);
    ic_impact_result result;
    if (map == NULL) map = ic_impact_map_find("newton");
    if (map->map(&result, p) != IC_OK) exit(3);
    memcpy(P, result.P, sizeof result.P);
    if (!scene_is(s, "newton-at-once")) return;
    const double d_x = -p->v[0], d_y = -(1 + p->e) * p->v[1], det = p->w_xx * p->w_yy - p->w_xy * p->w_xy;
    P[0] = (p->w_yy * d_x - p->w_xy * d_y) / det;
    P[1] = (p->w_xx * d_y - p->w_xy * d_x) / det;
    for (int slip = 1; slip >= -1 && fabs(P[0]) > p->mu * P[1] * (1 + 1e-12); slip -= 2) {
        const double P_y = d_y / (p->w_yy - slip * p->mu * p->w_xy), P_x = -slip * p->mu * P_y;
        if (P_y <= 0 || slip * (p->v[0] + p->w_xx * P_x + p->w_xy * P_y) < 0) continue;
        P[0] = P_x;
        P[1] = P_y;
        break;
    }
}

/* Bounds friction by the normal impulse as it would be without friction. */
static void bound_friction(double P[2], const ic_impact *p)
{
    const double d_x = -p->v[0], d_y = -(1 + p->e) * p->v[1], most = p->mu * d_y / p->w_yy;
    const double stop = (p->w_yy * d_x - p->w_xy * d_y) / (p->w_xx * p->w_yy - p->w_xy * p->w_xy);
    P[0] = fmax(fmin(stop, most), -most);
    P[1] = (d_y - p->w_xy * P[0]) / p->w_yy;
}

static void collide_with_ground(const scene *s, body *b)
{
    const double c = cos(b->phi), n = sin(b->phi);
    const double r_x = c * b->sphere_x + n * b->sphere_y, r_y = c * b->sphere_y - n * b->sphere_x - b->radius;
    const double overlap = -(b->y + r_y);
    ic_impact p = {.v = {b->vx + b->omega * r_y, b->vy - b->omega * r_x}, .k_x = 1, .k_y = 1};
    double P[2];
    if (scene_is(s, "centre-slip")) p.v[0] = b->vx;
    /* also not where they are NAN */
    if (!b->has_ground || !(overlap >= 0 && p.v[1] < 0) || scene_is(s, "falls-through")) return;
    if (scene_is(s, "thin") && overlap > THIN) return;
    p.w_xx = 1 / b->mass + r_y * r_y / b->inertia;
    p.w_xy = -r_x * r_y / b->inertia;
    p.w_yy = 1 / b->mass + r_x * r_x / b->inertia;
    if (scene_is(s, "rigid-solves") || scene_is(s, "no-turn")) p.w_xx = p.w_yy = 1 / b->mass, p.w_xy = 0;
    p.mu = scene_is(s, "frictionless") ? 0 : s->mu;
    p.e = restitution_of(s, b, overlap);
    if (scene_is(s, "half-friction")) p.mu *= 0.5;
    velocity_after_impact(P, s, &p);
    if (scene_is(s, "fixed-bound")) bound_friction(P, &p);
    b->vx += P[0] / b->mass;
    b->vy += P[1] / b->mass;
    if (!scene_is(s, "no-turn")) b->omega += (r_y * P[0] - r_x * P[1]) / b->inertia;
    if (scene_is(s, "gains")) b->vy *= s->e > 0 ? TOO_MUCH / s->e : 1;
}

/* ---- the motion */

static body body_of(const scene *s)
{
    const bool ground_last = s->n_bodies > 1 && s->bodies[s->n_bodies - 1].fixed;
    const scene_body *is = &s->bodies[ground_last ? s->n_bodies - 2 : s->n_bodies - 1];
    const scene_body *ground = &s->bodies[ground_last ? s->n_bodies - 1 : 0];
    const double *at = is->shapes[0].centre;
    body b = {.is = is,
              .x = is->position[0],
              .y = is->position[1],
              .phi = -2 * atan2(is->turn[3], is->turn[0]),
              .vx = is->velocity[0],
              .vy = is->velocity[1],
              .omega = -is->spin[2],
              .mass = is->mass,
              .inertia = is->inertia[2],
              .sphere_x = at[0],
              .sphere_y = at[1],
              .radius = is->shapes[0].radius,
              .has_ground = s->n_bodies == 2 && ground->fixed && ground->shapes[0].kind == SCENE_PLANE};
    const double c = cos(b.phi), n = sin(b.phi), r_x = c * at[0] + n * at[1], r_y = c * at[1] - n * at[0];
    const double v = b.vy - b.omega * r_x, gap = b.y + r_y - b.radius;
    b.impact_speed = sqrt(v * v - 2 * s->gravity[1] * fmax(gap, 0));
    return b;
}

static void play(const scene *s)
{
    body b = body_of(s);
    write_nonsense(s);
    break_before(s);
    scene_engine("planted", "1");
    if (refuses(s, &b)) {
        scene_unsupported("this body");
        return;
    }
    write_row(0, &b);
    for (long i = 1, n = scene_is(s, "cut-short") ? s->steps / 2 : s->steps; i <= n; i++) {
        collide_with_ground(s, &b);
        b.x += s->step * b.vx;
        b.y += s->step * (b.vy + s->step * s->gravity[1] / 2);
        b.vy += s->step * s->gravity[1];
        b.phi += s->step * b.omega * (scene_is(s, "turns-late") ? 0.9 : 1);
        if (scene_is(s, "fades") || (scene_is(s, "bar-fades") && b.sphere_y != 0))
            b.omega *= 1 - FADES * s->step;
        break_row(s, (double)i * s->step, &b);
        write_row((double)i * s->step, &b);
    }
    scene_end();
}

int main(void)
{
    scene s = {0};
    own_output = dup(STDOUT_FILENO);
    while (scene_read(&s)) play(&s);
    return scene_close();
}
