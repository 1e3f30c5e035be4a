/* SPDX-License-Identifier: MIT */
/* The lowest point of a scene's body, for engines of plugins. */
#pragma once

#include "impactcheck/impactcheck.h"

#include <math.h>

typedef struct contact {
    double r[2], v[2], w_xx, w_xy, w_yy;
} contact;

static contact contact_of(const ic_scene *s, const ic_body_row *b)
{
    const double h = s->body == IC_SCENE_BAR ? s->length / 2 : s->radius;
    const double phi = s->body == IC_SCENE_BAR ? b->phi : 0;
    contact c = {.r = {-h * sin(phi), -h * cos(phi)}};
    c.v[0] = b->vx + c.r[1] * b->omega, c.v[1] = b->vy - c.r[0] * b->omega;
    c.w_xx = 1 / s->mass + c.r[1] * c.r[1] / s->inertia;
    c.w_xy = -c.r[0] * c.r[1] / s->inertia;
    c.w_yy = 1 / s->mass + c.r[0] * c.r[0] / s->inertia;
    return c;
}

/* A scene with another mass and inertia. */
static inline ic_scene with_mass(const ic_scene *s, double mass, double inertia)
{
    ic_scene other = *s;
    other.mass = mass;
    other.inertia = inertia;
    return other;
}

static void push(const ic_scene *s, ic_body_row *b, const contact *c, double P_x, double P_y)
{
    b->vx += P_x / s->mass;
    b->vy += P_y / s->mass;
    b->omega += (c->r[1] * P_x - c->r[0] * P_y) / s->inertia;
}
