/* SPDX-License-Identifier: MIT */
/*
 * An engine that steps over impacts: a body that overlaps the ground at the beginning of a step,
 * and approaches it, has an impact by Poisson's hypothesis, solved in small steps of the normal
 * impulse; then it flies. The engine is right if a file redefines nothing: each faulty plugin
 * redefines one macro, which is its mistake.
 */
#pragma once

#include "tests/plugins/faulty/engine_contact.h"

#ifndef NAME
#define NAME "gallery"
#endif
#ifndef GRAVITY /* m/s^2, downward */
#define GRAVITY(s) ((s)->gravity)
#endif
#ifndef FRICTION
#define FRICTION(s) ((s)->mu)
#endif
#ifndef HELD /* ratio of impulses once the slip has stopped; `holds` keeps the contact sticking */
#define HELD(holds, mu) (fabs(holds) <= (mu) ? (holds) : copysign(mu, holds))
#endif
#ifndef TANGENTIAL /* of the tangential impulse, as it moves the body */
#define TANGENTIAL 1.0
#endif
#ifndef SEEN /* the scene as impacts see it */
#define SEEN(s) (*(s))
#endif
#ifndef MET /* the contact as impacts see it */
#define MET(s, b, c) ((void)0)
#endif
#ifndef FLY /* changes of the velocities in a step of flight, apart from gravity */
#define FLY(s, b) ((void)0)
#endif
#ifndef RESTITUTION /* of an impact with the normal velocity v_y */
#define RESTITUTION(s, v_y) ((s)->e)
#endif
#ifndef TOUCHES /* whether an overlap is a contact, m */
#define TOUCHES(overlap) ((overlap) >= 0)
#endif
#ifndef NORMAL_COMPLIANCE /* 1/kg; by which the impulse is found */
#define NORMAL_COMPLIANCE(s, w_yy) (w_yy)
#endif
/*
 * m/s; the speed of separation to which an impact with compression impulse P_c leads; NAN: by P_c
 * alone
 */
#ifndef SEPARATES
#define SEPARATES(s, v_y) NAN
#endif
#ifndef CORRECT /* positions and velocities, for an overlap: the impact was at the surface, where gravity had done less */
#define CORRECT(s, b, overlap)                                                                                 \
    ((b)->y += (overlap), (b)->vy = slower((b)->vy, 2 * (s)->e * (s)->e * GRAVITY(s) * (overlap)))
#endif

#ifndef FRICTION_SIGN /* -1: friction acts with the slip */
#define FRICTION_SIGN 1
#endif
#ifndef SURFACE /* m; by which the contact is above the surface of the body */
#define SURFACE(s) 0.0
#endif
#ifndef STEP /* s */
#define STEP(s) ((s)->step)
#endif
#ifndef ROW /* the row for the states before and after a step */
#define ROW(old, now) (now)
#endif
#ifndef SOLVE /* an impact that is solved at once; true: it has been */
#define SOLVE(s, b, c) false
#endif

#define IMPULSE_STEPS 4000.0 /* of the normal impulse, for a central impact without friction */

/* The speed upwards v less what v^2 loses; also where it is not a number. */
static inline double slower(double v, double loses)
{
    return v * v < loses ? 0 : copysign(sqrt(v * v - loses), v);
}

static double friction(const contact *c, double mu)
{
    const double holds = -c->w_xy / c->w_xx;
    if (c->v[0] != 0) return FRICTION_SIGN * (c->v[0] > 0 ? -mu : mu);
    return HELD(holds, mu);
}

/* A step h of the normal impulse; it ends where the slip stops. */
static void press(const ic_scene *s, ic_body_row *b, contact *c, double *P_y, double h)
{
    const double ratio = friction(c, FRICTION(s)), a_x = c->w_xy + c->w_xx * ratio,
                 a_y = c->w_yy + c->w_xy * ratio;
    const bool stops = c->v[0] != 0 && c->v[0] * (c->v[0] + a_x * h) < 0;
    if (stops) h = -c->v[0] / a_x;
    const bool sticks = c->v[0] == 0 && ratio == -c->w_xy / c->w_xx;
    c->v[0] = stops || sticks ? 0 : c->v[0] + a_x * h;
    c->v[1] += a_y * h;
    *P_y += h;
    push(s, b, c, TANGENTIAL * ratio * h, h);
}

/*
 * v' = (-back v_x, -e v_y) if the cone has this impulse, otherwise one on its edge: on the side of that impulse, or
 * against the slip before where the bodies then separate.
 */
static inline bool solve_both(const ic_scene *s, ic_body_row *b, const contact *c, double back, bool by_slip)
{
    const double d_x = -(1 + back) * c->v[0], d_y = -(1 + s->e) * c->v[1],
                 det = c->w_xx * c->w_yy - c->w_xy * c->w_xy;
    double P_x = (c->w_yy * d_x - c->w_xy * d_y) / det, P_y = (c->w_xx * d_y - c->w_xy * d_x) / det;
    if (fabs(P_x) > s->mu * P_y) {
        double ratio = copysign(s->mu, by_slip ? -c->v[0] : P_x);
        if (by_slip && !(c->w_yy + ratio * c->w_xy > 0)) ratio = -ratio;
        P_y = d_y / (c->w_yy + ratio * c->w_xy);
        P_x = ratio * P_y;
    }
    push(s, b, c, P_x, P_y);
    return true;
}

static inline void collide(const ic_scene *s, ic_body_row *b)
{
    contact c = contact_of(s, b);
    MET(s, b, c);
    const double v_y = c.v[1], e = RESTITUTION(s, v_y), h = -v_y / NORMAL_COMPLIANCE(s, c.w_yy) / IMPULSE_STEPS;
    const double separates = SEPARATES(s, v_y);
    double P_y = 0;
    if (SOLVE(s, b, &c)) return;
#ifdef COMPRESSION /* N s, in place of that at which the approach ends */
    while (P_y < COMPRESSION(s, v_y)) press(s, b, &c, &P_y, h);
#else
    while (c.v[1] < 0) press(s, b, &c, &P_y, h);
#endif
    const double P_c = P_y;
    while (isnan(separates) ? P_y < (1 + e) * P_c : c.v[1] < separates) press(s, b, &c, &P_y, h);
}

#ifndef FOLLOW /* the body over one step */
#define FOLLOW(s, b) follow(s, b)
#endif

static inline void follow(const ic_scene *s, ic_body_row *b)
{
    const contact c = contact_of(s, b);
    const double overlap = -(b->y + c.r[1] + SURFACE(s));
    if (TOUCHES(overlap) && c.v[1] < 0) {
        const ic_scene seen = SEEN(s);
        collide(&seen, b);
        CORRECT(s, b, overlap);
    }
    const double h = STEP(s);
    b->x += h * b->vx;
    b->y += h * (b->vy - h * GRAVITY(s) / 2);
    b->vy -= h * GRAVITY(s);
    b->phi += h * b->omega;
    FLY(s, b);
}

/* A change of the spin is this part of the right one. */
static inline void follow_turned(const ic_scene *s, ic_body_row *b, double part)
{
    const double omega = b->omega;
    follow(s, b);
    b->omega = omega + part * (b->omega - omega);
}

static ic_status run(const ic_scene *scene, ic_row_taker *take, void *context)
{
    ic_body_row body = scene->start;
    if (!take(context, &body)) return IC_IO;
    for (long i = 1; (double)(i - 1) * scene->step < scene->until; i++) {
        const ic_body_row old = body;
        FOLLOW(scene, &body);
        body.t = (double)i * scene->step;
        const ic_body_row row = ROW(old, body);
        (void)old;
        if (!take(context, &row)) return IC_IO;
    }
    return IC_OK;
}

const ic_plugin *impactcheck_plugin(void)
{
    static const ic_rigid_engine one = {IC_ABI(ic_rigid_engine), .name = NAME, .title = "for tests",
                                        .source = "textbook", .run = run};
    static const ic_rigid_engine *const engines[] = {&one};
    static const ic_plugin plugin = {IC_ABI(ic_plugin), .name = NAME, .engines = engines, .n_engines = 1};
    return &plugin;
}
