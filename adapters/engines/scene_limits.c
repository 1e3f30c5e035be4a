/* SPDX-License-Identifier: MIT */
/* Sizes, speeds and masses that a scene has, for engines whose documentation restricts sizes, masses or speeds. */
#include "adapters/engines/scene.h"

#include <math.h>

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

double scene_mass_ratio(const scene *s)
{
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < s->n_bodies; i++) {
        if (s->bodies[i].fixed) continue;
        least = fmin(least, s->bodies[i].mass);
        most = fmax(most, s->bodies[i].mass);
    }
    return most > 0 ? most / least : 1;
}

double scene_greatest_speed(const scene *s)
{
    double most = 0;
    for (size_t i = 0; i < s->n_bodies; i++)
        most = fmax(most, sqrt(dot(s->bodies[i].velocity, s->bodies[i].velocity)));
    return most;
}

/* ---- sizes */

/* The diameter, or the longest side in the dimensions of the scene. */
static double length_of(const scene *s, const scene_shape *shape)
{
    double most = shape->radius;
    if (shape->kind == SCENE_BOX)
        for (int k = 0; k < s->dimension; k++) most = fmax(most, shape->half[k]);
    return 2 * most;
}

double scene_least_size(const scene *s)
{
    double least = INFINITY;
    for (size_t i = 0; i < s->n_bodies; i++)
        for (size_t k = 0; k < s->bodies[i].n_shapes && !s->bodies[i].fixed; k++)
            least = fmin(least, length_of(s, &s->bodies[i].shapes[k]));
    return least;
}

double scene_greatest_size(const scene *s)
{
    double most = 0;
    for (size_t i = 0; i < s->n_bodies; i++)
        for (size_t k = 0; k < s->bodies[i].n_shapes && !s->bodies[i].fixed; k++)
            most = fmax(most, length_of(s, &s->bodies[i].shapes[k]));
    return most;
}

bool scene_has_offset(const scene *s)
{
    for (size_t i = 0; i < s->n_bodies; i++)
        for (size_t k = 0; k < s->bodies[i].n_shapes && !s->bodies[i].fixed; k++)
            if (dot(s->bodies[i].shapes[k].centre, s->bodies[i].shapes[k].centre) > 0) return true;
    return false;
}

/* ---- rest */

bool scene_may_rest(const scene *s, double speed, double spin)
{
    if (dot(s->gravity, s->gravity) > 0) return true;
    for (size_t i = 0; i < s->n_bodies; i++) {
        const scene_body *b = &s->bodies[i];
        if (!b->fixed && dot(b->velocity, b->velocity) < speed * speed && dot(b->spin, b->spin) < spin * spin)
            return true;
    }
    return false;
}

/* ---- impacts */

/* A shape relative to another: its position and velocity. */
typedef struct approach {
    double position[3], velocity[3];
} approach;

static approach approach_of(const scene_body *p, const scene_shape *shape, const scene_body *q,
                            const scene_shape *other)
{
    approach a;
    double x[3], y[3];
    scene_point_on(x, p, shape->centre);
    scene_point_on(y, q, other->centre);
    for (int i = 0; i < 3; i++) {
        a.position[i] = x[i] - y[i];
        a.velocity[i] = p->velocity[i] - q->velocity[i];
    }
    return a;
}

/* Along the line of centres, when spheres meet that move straight on; INFINITY: they do not meet. */
static double speed_of_spheres(const approach *a, double radii)
{
    const double square = dot(a->velocity, a->velocity), towards = -dot(a->position, a->velocity);
    if (towards <= 0 || square <= 0) return INFINITY;
    const double passes = dot(a->position, a->position) - towards * towards / square;
    return passes < radii * radii ? sqrt(square * (1 - fmax(0, passes) / (radii * radii))) : INFINITY;
}

static double speed_of_shapes(const scene_body *p, const scene_shape *shape, const scene_body *q,
                              const scene_shape *other)
{
    const approach a = approach_of(p, shape, q, other);
    if (shape->kind == SCENE_SPHERE && other->kind == SCENE_SPHERE)
        return speed_of_spheres(&a, shape->radius + other->radius);
    if (other->kind == SCENE_PLANE) {
        double normal[3];
        scene_plane(normal, q);
        const double speed = -dot(normal, a.velocity);
        return speed > 0 ? speed : INFINITY;
    }
    const double speed = sqrt(dot(a.velocity, a.velocity));
    return speed > 0 ? speed : INFINITY;
}

static double speed_of_pair(const scene_body *p, const scene_body *q)
{
    double least = INFINITY;
    for (size_t i = 0; i < p->n_shapes; i++)
        for (size_t k = 0; k < q->n_shapes; k++)
            least = fmin(least, p->shapes[i].kind == SCENE_PLANE
                                    ? speed_of_shapes(q, &q->shapes[k], p, &p->shapes[i])
                                    : speed_of_shapes(p, &p->shapes[i], q, &q->shapes[k]));
    return least;
}

double scene_least_impact(const scene *s)
{
    double least = INFINITY;
    int moving = 0;
    if (dot(s->gravity, s->gravity) > 0) return least;
    for (size_t a = 0; a < s->n_bodies; a++) {
        moving += !s->bodies[a].fixed;
        for (size_t b = 0; b < a; b++)
            if (!s->bodies[a].fixed || !s->bodies[b].fixed)
                least = fmin(least, speed_of_pair(&s->bodies[a], &s->bodies[b]));
    }
    /* in a row of equal bodies each passes on (1 + e)/2 of its speed */
    return least * pow((1 + s->e) / 2, fmax(0, moving - 2));
}

bool scene_overlaps(const scene *s)
{
    for (size_t a = 0; a < s->n_bodies; a++) {
        for (size_t b = 0; b < a; b++) {
            const scene_body *p = &s->bodies[a], *q = &s->bodies[b];
            if (p->n_shapes != 1 || q->n_shapes != 1 || p->shapes->kind != SCENE_SPHERE ||
                q->shapes->kind != SCENE_SPHERE)
                continue;
            const approach between = approach_of(p, p->shapes, q, q->shapes);
            const double radii = p->shapes->radius + q->shapes->radius;
            if (dot(between.position, between.position) < radii * radii * (1 - 1e-9)) return true;
        }
    }
    return false;
}
