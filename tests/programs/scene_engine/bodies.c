/* SPDX-License-Identifier: MIT */
/* How bodies move, and how many small steps that takes. */
#include "tests/programs/scene_engine/engine.h"

/* small steps to a row at least */
enum { SMALL_STEPS = 64 };
/* part of the smallest width that a body moves in a small step */
#define PART_OF_WIDTH 0.2

/* the planted mistakes */
#define DAMPING 0.1      /* 1/s */
#define SLOW 0.05        /* m/s, rad/s */
#define SLEEPS_AFTER 0.5 /* s */
#define GRAVITY_FACTOR 1.02
#define FEW_STEPS 16

/* R diag(inverse inertia) R^T */
void body_update(body *b)
{
    for (int i = 0; i < 3; i++) {
        const vector own = rotated(inverse(b->turned), axis(i));
        b->inverse_inertia_now.rows[i] = rotated(b->turned, product(b->inverse_inertia, own));
    }
}

static void measure(body *b)
{
    b->width = INFINITY;
    for (size_t i = 0; i < b->n_shapes; i++) {
        const shape *s = &b->shapes[i];
        if (s->kind == PLANE) continue;
        const bool box = s->kind == BOX;
        const double least = box ? fmin(s->size.x, fmin(s->size.y, s->size.z)) : s->size.x;
        b->width = fmin(b->width, 2 * least);
        b->reach = fmax(b->reach, length(s->at) + (box ? length(s->size) : s->size.x));
    }
}

void world_prepare(world *w)
{
    if (w->planted == MISTAKE_GRAVITY) w->gravity = scaled(GRAVITY_FACTOR, w->gravity);
    for (size_t i = 0; i < w->n_bodies; i++) {
        body *b = &w->bodies[i];
        const double exchanged = b->inverse_inertia.x;
        if (w->planted == MISTAKE_INERTIA_EXCHANGED) {
            b->inverse_inertia.x = b->inverse_inertia.z;
            b->inverse_inertia.z = exchanged;
        }
        measure(b);
        body_update(b);
    }
    for (size_t i = 0; i < w->n_hinges; i++) {
        hinge *h = &w->hinges[i];
        const body *a = &w->bodies[h->bodies[0]], *b = &w->bodies[h->bodies[1]];
        const vector at = h->at[0], about = scaled(1 / length(h->axis[0]), h->axis[0]);
        h->at[0] = rotated(inverse(a->turned), difference(at, a->at));
        h->at[1] = rotated(inverse(b->turned), difference(at, b->at));
        h->axis[0] = rotated(inverse(a->turned), about);
        h->axis[1] = rotated(inverse(b->turned), about);
        h->start = after(inverse(a->turned), b->turned);
    }
}

double hinge_angle(const world *w, const hinge *h)
{
    const quaternion now = after(inverse(w->bodies[h->bodies[0]].turned), w->bodies[h->bodies[1]].turned);
    const quaternion since = after(now, inverse(h->start));
    const double s = since.x * h->axis[0].x + since.y * h->axis[0].y + since.z * h->axis[0].z;
    return h->angle + remainder(2 * atan2(s, since.w) - h->angle, 2 * M_PI);
}

/*
 * The angular momentum L = I w stays as it is; the angular velocity follows from L and the
 * orientation, that in the middle of the step for the rotation itself.
 */
static void rotate(world *w, body *b, double h)
{
    const vector own = rotated(inverse(b->turned), b->spin), in = b->inverse_inertia;
    const vector momentum = rotated(b->turned, (vector){own.x / in.x, own.y / in.y, own.z / in.z});
    body middle = *b;
    middle.turned = after(turn(scaled(h / 2, b->spin)), b->turned);
    body_update(&middle);
    const bool gyroscopic = w->planted != MISTAKE_NO_GYROSCOPIC_TERM;
    const vector spin = gyroscopic ? times(&middle.inverse_inertia_now, momentum) : b->spin;
    b->turned = unit(after(turn(sum(scaled(h, spin), b->shift_angle)), b->turned));
    body_update(b);
    if (gyroscopic) b->spin = times(&b->inverse_inertia_now, momentum);
}

static void fall_asleep(body *b, double h)
{
    const bool slow = length(b->velocity) < SLOW && length(b->spin) < SLOW;
    b->slow_time = slow ? b->slow_time + h : 0;
    if (b->slow_time > SLEEPS_AFTER) b->velocity = b->spin = (vector){0, 0, 0};
}

/* Bodies that touch nothing fly on their parabola: the velocity is that in the middle of the step. */
static void move(world *w, body *b, double h)
{
    if (w->planted == MISTAKE_LINEAR_DAMPING) b->velocity = scaled(exp(-DAMPING * h), b->velocity);
    if (w->planted == MISTAKE_ANGULAR_DAMPING) b->spin = scaled(exp(-DAMPING * h), b->spin);
    if (w->planted == MISTAKE_SLEEPING) fall_asleep(b, h);
    const bool explicit = w->planted == MISTAKE_LONE_EXPLICIT_EULER && w->n_bodies <= 2;
    const double part = b->touches ? 0 : explicit ? h : h / 2;
    const vector mean = difference(b->velocity, scaled(part, w->gravity));
    b->at = sum(b->at, sum(scaled(h, mean), b->shift));
    rotate(w, b, h);
}

static void small_step(world *w, double h)
{
    find_contacts(w);
    prepare_rows(w);
    for (size_t i = 0; i < w->n_bodies; i++) {
        body *b = &w->bodies[i];
        if (!b->fixed) b->velocity = sum(b->velocity, scaled(h, w->gravity));
    }
    solve_impulses(w, h);
    solve_overlaps(w);
    for (size_t i = 0; i < w->n_bodies; i++) {
        if (!w->bodies[i].fixed) move(w, &w->bodies[i], h);
    }
    for (size_t i = 0; i < w->n_hinges; i++) w->hinges[i].angle = hinge_angle(w, &w->hinges[i]);
}

void world_step(world *w)
{
    double width = INFINITY, speed = 0;
    for (size_t i = 0; i < w->n_bodies; i++) {
        const body *b = &w->bodies[i];
        width = fmin(width, b->width);
        speed = fmax(speed, length(b->velocity) + length(b->spin) * b->reach);
    }
    speed += length(w->gravity) * w->step;
    double n = fmax(SMALL_STEPS, ceil(speed * w->step / (PART_OF_WIDTH * width)));
    const bool falls_alone = w->n_bodies <= 2 && length(w->gravity) > 0;
    if (w->planted == MISTAKE_TUNNELS || (w->planted == MISTAKE_LONE_EXPLICIT_EULER && falls_alone))
        n = FEW_STEPS;
    if (w->planted == MISTAKE_ONE_STEP || (w->planted == MISTAKE_STAYS_BELOW && falls_alone)) n = 1;
    for (long i = 0; i < (long)n; i++) small_step(w, w->step / n);
}
