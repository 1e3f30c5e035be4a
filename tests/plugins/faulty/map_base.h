/* SPDX-License-Identifier: MIT */
/*
 * Stronge's hypothesis on Routh's path, with P_y as the clock, for plugins. It is right if a
 * file redefines nothing. Each faulty plugin redefines one macro, which is its mistake.
 */
#pragma once

#include "impactcheck/impactcheck.h"

#include <math.h>

#ifndef NAME
#define NAME "gallery"
#endif
#ifndef IMPLEMENTS
#define IMPLEMENTS NULL
#endif
#ifndef POSSIBLE /* whether the input is an impact */
#define POSSIBLE(p)                                                                                            \
    ((p)->v[1] < 0 && (p)->w_xx > 0 && (p)->w_xx * (p)->w_yy > (p)->w_xy * (p)->w_xy && (p)->mu >= 0 &&        \
     (p)->e >= 0 && (p)->e <= 1)
#endif
#ifndef SOLVED /* the impact whose path is followed */
#define SOLVED(p) (*(p))
#endif
#ifndef RESTITUTION /* e of the impact p */
#define RESTITUTION(p) ((p)->e)
#endif
#ifndef DIRECTION /* of the first slip */
#define DIRECTION(p) sign((p)->v[0])
#endif
#ifndef AFTER_STOP /* dP_x/dP_y after the slip to s has stopped */
#define AFTER_STOP(p, s) (sticks(p) ? -(p)->w_xy / (p)->w_xx : -sign((p)->w_xy) * (p)->mu)
#endif
#ifndef STOP /* P_y at which the first slip stops, given the right one */
#define STOP(p, stop) (stop)
#endif
#ifndef END /* P_y at lift-off */
#define END(f, compressed) stronge_end(f, compressed)
#endif
#ifndef FINISH /* changes the result at the end */
#define FINISH(p, r) ((void)(r))
#endif

/* The impact with another coupling and coefficient of friction. */
static inline ic_impact with_contact(const ic_impact *p, double w_xy, double mu)
{
    ic_impact other = *p;
    other.w_xy = w_xy;
    other.mu = mu;
    return other;
}

/* The impact with another velocity and inverse mass at the contact. */
static inline ic_impact with_motion(const ic_impact *p, double v_x, double v_y, double w_xx, double w_xy,
                                    double w_yy)
{
    ic_impact other = with_contact(p, w_xy, p->mu);
    other.v[0] = v_x, other.v[1] = v_y, other.w_xx = w_xx, other.w_yy = w_yy;
    return other;
}

/* The velocity after the impulse of the result. */
static inline void set_velocity(const ic_impact *p, ic_impact_result *r)
{
    r->v[0] = p->v[0] + p->w_xx * r->P[0] + p->w_xy * r->P[1];
    r->v[1] = p->v[1] + p->w_xy * r->P[0] + p->w_yy * r->P[1];
}

static inline double sign(double x)
{
    return (x > 0) - (x < 0);
}

static inline bool sticks(const ic_impact *p)
{
    return fabs(p->w_xy) <= p->mu * p->w_xx;
}

/* Path of friction: slopes dP_x/dP_y before and after the stop; slopes of v_y. */
typedef struct path {
    const ic_impact *p;
    double stop, slope[2], rise[2];
} path;

static inline path path_of(const ic_impact *p)
{
    path f = {.p = p};
    const double s = DIRECTION(p);
    f.slope[0] = -s * p->mu;
    f.slope[1] = AFTER_STOP(p, s);
    const double dv_x = p->w_xy + p->w_xx * f.slope[0];
    const double stop = s == 0 ? 0 : s * dv_x < 0 ? -p->v[0] / dv_x : INFINITY;
    f.stop = STOP(p, stop);
    for (int k = 0; k < 2; k++) f.rise[k] = p->w_yy + p->w_xy * f.slope[k];
    return f;
}

static inline double P_x_at(const path *f, double P)
{
    return P <= f->stop ? f->slope[0] * P : f->slope[0] * f->stop + f->slope[1] * (P - f->stop);
}

static inline double v_y_at(const path *f, double P)
{
    return f->p->v[1] + f->p->w_xy * P_x_at(f, P) + f->p->w_yy * P;
}

/* P_y beyond `from` at which v_y is v */
static inline double where(const path *f, double from, double v)
{
    if (from < f->stop) {
        const double P = from + (v - v_y_at(f, from)) / f->rise[0];
        if (f->rise[0] > 0 && P <= f->stop) return P;
        from = f->stop;
    }
    return from + (v - v_y_at(f, from)) / f->rise[1];
}

/* integral of v_y dP_y: v_y is linear on both pieces */
static inline double work(const path *f, double from, double to)
{
    const double middle = fmin(fmax(f->stop, from), to);
    return 0.5 * ((v_y_at(f, from) + v_y_at(f, middle)) * (middle - from) +
                  (v_y_at(f, middle) + v_y_at(f, to)) * (to - middle));
}

static inline double stronge_end(const path *f, double compressed)
{
    const double e = RESTITUTION(f->p), back = -e * e * work(f, 0, compressed);
    if (compressed < f->stop) {
        const double first = compressed + sqrt(2 * back / f->rise[0]);
        if (first <= f->stop) return first;
        const double left = back - work(f, compressed, f->stop), v = v_y_at(f, f->stop);
        return f->stop + 2 * left / (v + sqrt(v * v + 2 * f->rise[1] * left));
    }
    return compressed + sqrt(2 * back / f->rise[1]);
}

static inline double newton_end(const path *f, double compressed)
{
    return where(f, compressed, -RESTITUTION(f->p) * f->p->v[1]);
}

static inline double poisson_end(const path *f, double compressed)
{
    return (1 + RESTITUTION(f->p)) * compressed;
}

static ic_status map(ic_impact_result *r, const ic_impact *p)
{
    if (!POSSIBLE(p)) return IC_INVALID;
    const ic_impact solved = SOLVED(p);
    const path f = path_of(&solved);
    const double compressed = where(&f, 0, 0), P = END(&f, compressed);
    *r = (ic_impact_result){.P = {P_x_at(&f, P), P}};
    set_velocity(p, r);
    FINISH(p, r);
    (void)newton_end, (void)stronge_end, (void)poisson_end;
    return IC_OK;
}

const ic_plugin *impactcheck_plugin(void)
{
    static const ic_impact_map one = {IC_ABI(ic_impact_map),  .name = NAME, .title = "for tests",
                                      .source = "Routh 1891", .map = map,   .implements = IMPLEMENTS};
    static const ic_impact_map *const maps[] = {&one};
    static const ic_plugin plugin = {IC_ABI(ic_plugin), .name = NAME, .impact_maps = maps,
                                     .n_impact_maps = IC_COUNT(maps)};
    return &plugin;
}
