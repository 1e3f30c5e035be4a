/* SPDX-License-Identifier: MIT */
/*
 * Sequential impulses on velocities, in two phases: a plastic impact within Coulomb's cone, to
 * convergence; then e times its normal impulse again, with friction in its own cone. Contacts
 * are predicted: a body that would be in the ground after this step has its impact now. Steps are small.
 */
#define NAME "two-phases"
#define FOLLOW(s, b) follow_in_parts(s, b)

#include "impactcheck/impactcheck.h"

static void follow_in_parts(const ic_scene *s, ic_body_row *b);

#include "tests/plugins/faulty/engine_base.h"

enum { SWEEPS = 200, PARTS = 32 };

/* P_x within mu P_y, P_y >= 0, one after the other (projected Gauss-Seidel). */
static void plastic(double P[2], const contact *c, double mu)
{
    P[0] = P[1] = 0;
    for (int i = 0; i < SWEEPS; i++) {
        P[1] = fmax(-(c->v[1] + c->w_xy * P[0]) / c->w_yy, 0);
        const double stop = -(c->v[0] + c->w_xy * P[1]) / c->w_xx;
        P[0] = copysign(fmin(fabs(stop), mu * P[1]), stop);
    }
}

static void collide_in_two(const ic_scene *s, ic_body_row *b)
{
    contact c = contact_of(s, b);
    double P[2];
    plastic(P, &c, s->mu);
    push(s, b, &c, P[0], P[1]);
    c = contact_of(s, b);
    const double more = s->e * P[1], stop = -(c.v[0] + c.w_xy * more) / c.w_xx;
    push(s, b, &c, copysign(fmin(fabs(stop), s->mu * more), stop), more);
}

static void follow_ahead(const ic_scene *s, ic_body_row *b)
{
    const contact c = contact_of(s, b);
    const double falls = s->step * s->gravity;
    if (b->y + c.r[1] + s->step * (c.v[1] - falls) < 0 && c.v[1] - falls < 0) {
        b->vy -= falls;
        collide_in_two(s, b);
        b->x += s->step * b->vx, b->y += s->step * b->vy, b->phi += s->step * b->omega;
        return;
    }
    b->vy -= falls;
    b->x += s->step * b->vx, b->y += s->step * b->vy, b->phi += s->step * b->omega;
}

static void follow_in_parts(const ic_scene *s, ic_body_row *b)
{
    ic_scene part = *s;
    part.step = s->step / PARTS;
    for (int i = 0; i < PARTS; i++) follow_ahead(&part, b);
}
