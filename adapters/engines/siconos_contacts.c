/* SPDX-License-Identifier: MIT */
#include "adapters/engines/siconos_contacts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CORNERS = 8 };

/* A shape of a body at its pose. */
typedef struct placed_shape {
    const scene *scene;
    const siconos_pose *pose;
    const scene_shape *shape;
    size_t body;
} placed_shape;

const char *siconos_obstacle(const scene *s)
{
    if (s->n_hinges > 0) return "no hinges in the time stepping around Siconos numerics";
    for (size_t a = 0; a < s->n_bodies; a++)
        for (size_t b = 0; b < a; b++)
            if (scene_has(&s->bodies[a], SCENE_BOX) && scene_has(&s->bodies[b], SCENE_BOX) &&
                !(s->bodies[a].fixed && s->bodies[b].fixed))
                return "no contacts between two boxes around Siconos numerics";
    return NULL;
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* A point of the body's frame in that of the ground. */
static void place(double out[3], const placed_shape *p, const double point[3])
{
    scene_to_ground(out, p->pose->turn, point);
    for (int i = 0; i < 3; i++) out[i] += p->pose->position[i];
}

void siconos_cross(double out[3], const double a[3], const double b[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* The first tangent is that of the plane z = 0, unless the normal is far from it. */
static void make_frame(double frame[3][3], const double n[3])
{
    const double x[3] = {1, 0, 0}, z[3] = {0, 0, 1};
    memcpy(frame[0], n, sizeof frame[0]);
    siconos_cross(frame[1], n, fabs(n[2]) < 0.5 ? z : x);
    const double length = sqrt(dot(frame[1], frame[1]));
    for (int i = 0; i < 3; i++) frame[1][i] /= length;
    siconos_cross(frame[2], n, frame[1]);
}

/* Adds a contact whose normal points from q to p. */
static void add_contact(siconos_contacts *found, const placed_shape *p, const placed_shape *q,
                        const double point[3], const double normal[3])
{
    if (found->count == found->room) {
        found->room = 2 * found->room + CORNERS;
        found->items = (siconos_contact *)realloc(found->items, found->room * sizeof *found->items);
        if (found->items == NULL) exit(3);
    }
    siconos_contact *c = &found->items[found->count++];
    c->a = p->body;
    c->b = q->body;
    memcpy(c->point, point, sizeof c->point);
    make_frame(c->frame, normal);
}

static void find_on_plane(siconos_contacts *found, const placed_shape *p, const placed_shape *plane)
{
    const scene_shape *shape = p->shape;
    double normal[3], x[3];
    const double distance = scene_plane(normal, &plane->scene->bodies[plane->body]);
    if (shape->kind == SCENE_SPHERE) {
        place(x, p, shape->centre);
        for (int i = 0; i < 3; i++) x[i] -= shape->radius * normal[i];
        if (dot(normal, x) <= distance) add_contact(found, p, plane, x, normal);
        return;
    }
    const bool planar = p->scene->dimension == 2;
    for (int k = 0; k < (planar ? CORNERS / 2 : CORNERS); k++) {
        const double signs[] = {k & 1 ? 1 : -1, k & 2 ? 1 : -1, planar ? 0 : k & 4 ? 1 : -1};
        double corner[3];
        for (int i = 0; i < 3; i++) corner[i] = shape->centre[i] + signs[i] * shape->half[i];
        place(x, p, corner);
        if (dot(normal, x) <= distance) add_contact(found, p, plane, x, normal);
    }
}

static void find_between_spheres(siconos_contacts *found, const placed_shape *p, const placed_shape *q)
{
    double x[3], y[3], normal[3];
    place(x, p, p->shape->centre);
    place(y, q, q->shape->centre);
    for (int i = 0; i < 3; i++) normal[i] = x[i] - y[i];
    const double length = sqrt(dot(normal, normal));
    const double gap = length - p->shape->radius - q->shape->radius;
    if (gap > 0 || length <= 0) return;
    for (int i = 0; i < 3; i++) {
        normal[i] /= length;
        y[i] += (q->shape->radius + gap / 2) * normal[i]; /* the middle of the overlap */
    }
    add_contact(found, p, q, y, normal);
}

/*
 * The outward normal of a box at the point that is nearest to d, both in its frame and d relative to its
 * centre, and the distance, which is negative inside.
 */
static double nearest_on_box(double normal[3], const scene *s, const scene_shape *box, const double d[3])
{
    const int axes = s->dimension == 2 ? 2 : 3;
    double length = 0, depth = INFINITY;
    int face = 0;
    for (int i = 0; i < 3; i++) normal[i] = 0;
    for (int i = 0; i < axes; i++) {
        const double out = fabs(d[i]) - box->half[i];
        if (out > 0) normal[i] = copysign(out, d[i]);
        length += normal[i] * normal[i];
        if (-out < depth) face = i, depth = -out;
    }
    length = sqrt(length);
    if (length > 0)
        for (int i = 0; i < 3; i++) normal[i] /= length;
    else normal[face] = copysign(1, d[face]);
    return length > 0 ? length : -depth;
}

static void find_on_box(siconos_contacts *found, const placed_shape *sphere, const placed_shape *box)
{
    double x[3], d[3], n[3], normal[3];
    place(x, sphere, sphere->shape->centre);
    for (int i = 0; i < 3; i++) d[i] = x[i] - box->pose->position[i];
    scene_to_body(n, box->pose->turn, d);
    for (int i = 0; i < 3; i++) d[i] = n[i] - box->shape->centre[i];
    const double distance = nearest_on_box(n, box->scene, box->shape, d);
    if (distance > sphere->shape->radius) return;
    scene_to_ground(normal, box->pose->turn, n);
    for (int i = 0; i < 3; i++) x[i] -= distance * normal[i];
    add_contact(found, sphere, box, x, normal);
}

static void find_between_shapes(siconos_contacts *found, const placed_shape *p, const placed_shape *q)
{
    const scene_shape_kind a = p->shape->kind, b = q->shape->kind;
    if (b == SCENE_PLANE) find_on_plane(found, p, q);
    else if (a == SCENE_PLANE) find_on_plane(found, q, p);
    else if (a == SCENE_SPHERE && b == SCENE_SPHERE) find_between_spheres(found, p, q);
    else if (a == SCENE_SPHERE) find_on_box(found, p, q);
    else find_on_box(found, q, p);
}

static void find_between_bodies(siconos_contacts *found, const scene *s, const siconos_pose *poses, size_t a,
                                size_t b)
{
    const scene_body *p = &s->bodies[a], *q = &s->bodies[b];
    if (p->fixed && q->fixed) return;
    for (size_t i = 0; i < p->n_shapes; i++) {
        for (size_t k = 0; k < q->n_shapes; k++) {
            const placed_shape one = {s, &poses[a], &p->shapes[i], a}, other = {s, &poses[b], &q->shapes[k], b};
            find_between_shapes(found, &one, &other);
        }
    }
}

void siconos_find_contacts(siconos_contacts *found, const scene *s, const siconos_pose *poses)
{
    found->count = 0;
    for (size_t a = 0; a < s->n_bodies; a++)
        for (size_t b = 0; b < a; b++) find_between_bodies(found, s, poses, a, b);
}
