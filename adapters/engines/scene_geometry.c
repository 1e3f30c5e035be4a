/* SPDX-License-Identifier: MIT */
#include "adapters/engines/scene.h"

#include <math.h>
#include <string.h>

/* fraction of a step by which rounding may miss a part */
#define PART_OF_A_STEP 1e-9

/* ---- questions */

bool scene_is(const scene *s, const char *variant)
{
    return strcmp(s->variant, variant) == 0;
}

int scene_parts(const scene *s, double longest)
{
    return (int)fmax(1, ceil(s->step / longest * (1 - PART_OF_A_STEP)));
}

double scene_best_step(void)
{
    return 1.0 / 960;
}

bool scene_hinged(const scene *s, size_t a, size_t b)
{
    for (size_t i = 0; i < s->n_hinges; i++) {
        const scene_hinge *h = &s->hinges[i];
        if ((h->a == a && h->b == b) || (h->a == b && h->b == a)) return true;
    }
    return false;
}

bool scene_has(const scene_body *body, scene_shape_kind kind)
{
    for (size_t i = 0; i < body->n_shapes; i++)
        if (body->shapes[i].kind == kind) return true;
    return false;
}

/* ---- speeds */

/* The least half length of the shapes of a body; INFINITY for planes and bodies without shapes. */
static double least_half(const scene *s, const scene_body *body)
{
    double least = INFINITY;
    for (size_t i = 0; i < body->n_shapes; i++) {
        const scene_shape *shape = &body->shapes[i];
        if (shape->kind == SCENE_SPHERE) least = fmin(least, shape->radius);
        if (shape->kind == SCENE_BOX)
            for (int k = 0; k < s->dimension; k++) least = fmin(least, shape->half[k]);
    }
    return least;
}

static double length_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* How far apart along gravity the bodies are. */
static double height_of(const scene *s)
{
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < s->n_bodies; i++) {
        const double *x = s->bodies[i].position, *g = s->gravity;
        const double depth = (g[0] * x[0] + g[1] * x[1] + g[2] * x[2]) / fmax(length_of(g), 1e-300);
        least = fmin(least, depth);
        most = fmax(most, depth);
    }
    return fmax(0, most - least);
}

/* Bounds speeds by the fall from the highest body to the lowest. */
static bool any_is_fast(const scene *s, double h, bool both_move)
{
    const double fall = 2 * length_of(s->gravity) * height_of(s);
    for (size_t a = 0; a < s->n_bodies; a++) {
        for (size_t b = 0; b < a; b++) {
            const scene_body *p = &s->bodies[a], *q = &s->bodies[b];
            if ((p->fixed && q->fixed) || (both_move && (p->fixed || q->fixed)) || scene_hinged(s, a, b))
                continue;
            const double v[3] = {p->velocity[0] - q->velocity[0], p->velocity[1] - q->velocity[1],
                                 p->velocity[2] - q->velocity[2]};
            const double speed = length_of(v);
            if (sqrt(speed * speed + fall) * h > least_half(s, p) + least_half(s, q)) return true;
        }
    }
    return false;
}

bool scene_is_fast(const scene *s, double h)
{
    return any_is_fast(s, h, false);
}

bool scene_is_fast_between_moving(const scene *s, double h)
{
    return any_is_fast(s, h, true);
}

bool scene_moves_far(const scene *s, double h)
{
    const double fall = 2 * length_of(s->gravity) * height_of(s);
    for (size_t i = 0; i < s->n_bodies; i++) {
        const scene_body *b = &s->bodies[i];
        const double speed = length_of(b->velocity);
        if (!b->fixed && sqrt(speed * speed + fall) * h > least_half(s, b)) return true;
    }
    return false;
}

/* The velocity of a shape's centre that its body has at the start. */
static void velocity_of(double v[3], const scene_body *body, const scene_shape *shape)
{
    const double *w = body->spin;
    double r[3];
    scene_to_ground(r, body->turn, shape->centre);
    v[0] = body->velocity[0] + w[1] * r[2] - w[2] * r[1];
    v[1] = body->velocity[1] + w[2] * r[0] - w[0] * r[2];
    v[2] = body->velocity[2] + w[0] * r[1] - w[1] * r[0];
}

/* How fast a shape hits a plane, if it does, after a fall. */
static double speed_on_plane(const scene *s, const scene_body *body, const scene_shape *shape,
                             const scene_body *ground)
{
    double v[3], x[3], normal[3];
    const double distance = scene_plane(normal, ground);
    velocity_of(v, body, shape);
    scene_point_on(x, body, shape->centre);
    double speed = 0, gap = -distance, gravity = 0;
    for (int i = 0; i < 3; i++) {
        speed -= normal[i] * v[i];
        gap += normal[i] * x[i];
        gravity -= normal[i] * s->gravity[i];
    }
    gap -= shape->kind == SCENE_SPHERE ? shape->radius : length_of(shape->half);
    return sqrt(fmax(0, speed * fabs(speed) + 2 * fmax(0, gravity) * fmax(0, gap)));
}

static double speed_between(const scene_body *p, const scene_shape *shape, const scene_body *q,
                            const scene_shape *other)
{
    double v[3], u[3];
    velocity_of(v, p, shape);
    velocity_of(u, q, other);
    for (int i = 0; i < 3; i++) v[i] -= u[i];
    return length_of(v);
}

static double speed_of_pair(const scene *s, const scene_body *p, const scene_body *q)
{
    double most = 0;
    for (size_t i = 0; i < p->n_shapes; i++) {
        for (size_t k = 0; k < q->n_shapes; k++) {
            const scene_shape *shape = &p->shapes[i], *other = &q->shapes[k];
            most = fmax(most, other->kind == SCENE_PLANE   ? speed_on_plane(s, p, shape, q)
                              : shape->kind == SCENE_PLANE ? speed_on_plane(s, q, other, p)
                                                           : speed_between(p, shape, q, other));
        }
    }
    return most;
}

double scene_impact_speed(const scene *s)
{
    double most = 0;
    for (size_t a = 0; a < s->n_bodies; a++)
        for (size_t b = 0; b < a; b++)
            if (!s->bodies[a].fixed || !s->bodies[b].fixed)
                most = fmax(most, speed_of_pair(s, &s->bodies[a], &s->bodies[b]));
    return most;
}

/* ---- geometry */

double scene_angle(const double turn[4])
{
    return 2 * atan2(turn[3], turn[0]);
}

void scene_turn_of(double turn[4], double angle)
{
    turn[0] = cos(angle / 2);
    turn[1] = turn[2] = 0;
    turn[3] = sin(angle / 2);
}

/* v + 2 w (q x v) + 2 q x (q x v), where (w, q) is the quaternion */
static void rotate(double out[3], double w, const double q[3], const double v[3])
{
    const double c[3] = {q[1] * v[2] - q[2] * v[1], q[2] * v[0] - q[0] * v[2], q[0] * v[1] - q[1] * v[0]};
    const double d[3] = {q[1] * c[2] - q[2] * c[1], q[2] * c[0] - q[0] * c[2], q[0] * c[1] - q[1] * c[0]};
    for (int i = 0; i < 3; i++) out[i] = v[i] + 2 * (w * c[i] + d[i]);
}

void scene_to_ground(double out[3], const double turn[4], const double in[3])
{
    rotate(out, turn[0], turn + 1, in);
}

void scene_to_body(double out[3], const double turn[4], const double in[3])
{
    rotate(out, -turn[0], turn + 1, in);
}

void scene_point_on(double out[3], const scene_body *body, const double point[3])
{
    scene_to_ground(out, body->turn, point);
    for (int i = 0; i < 3; i++) out[i] += body->position[i];
}

double scene_plane(double normal[3], const scene_body *body)
{
    const double y[3] = {0, 1, 0}, *x = body->position;
    scene_to_ground(normal, body->turn, y);
    return normal[0] * x[0] + normal[1] * x[1] + normal[2] * x[2];
}

void scene_pose_in(double position[3], double turn[4], const scene_body *frame, const scene_body *body)
{
    const double back[4] = {frame->turn[0], -frame->turn[1], -frame->turn[2], -frame->turn[3]};
    double d[3];
    for (int i = 0; i < 3; i++) d[i] = body->position[i] - frame->position[i];
    scene_to_body(position, frame->turn, d);
    scene_turn_product(turn, back, body->turn);
}

void scene_turn_z_to(double turn[4], const double direction[3])
{
    /* (1 + z . d, z x d), normalised; d = -z is a half turn about x */
    const double q[4] = {1 + direction[2], -direction[1], direction[0], 0};
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
    const bool opposite = length < 1e-9;
    for (int i = 0; i < 4; i++) turn[i] = opposite ? (i == 1) : q[i] / length;
}

void scene_turn_product(double out[4], const double a[4], const double b[4])
{
    const double q[4] = {
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    };
    memcpy(out, q, sizeof q);
}
