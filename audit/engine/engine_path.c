/* SPDX-License-Identifier: MIT */
#include "audit/engine/engine.h"

#include <math.h>
#include <string.h>

/* Slip stops once, and may begin again once: no path has more corners. */
enum { CORNERS = 8 };

/* State on the path. */
typedef struct place {
    double v[2], P[2];

    /* work of the normal impulse, J: done against the approach, and given back */
    double taken, given;

    /* normal impulse of the compression, N s */
    double compression;
} place;

static double sign_of(double x)
{
    return (x > 0) - (x < 0);
}

/* P_x for each P_y. */
static double ratio_at(const place *at, const ic_impact *p, ic_path_mistake mistake)
{
    const double holds = -p->w_xy / p->w_xx;
    if (mistake == IC_PATH_KEEPS_SIGN && p->v[0] != 0) return -sign_of(p->v[0]) * p->mu;
    const double sign = mistake == IC_PATH_FRICTION_SIGN ? -1 : 1;
    if (at->v[0] != 0) return -sign * sign_of(at->v[0]) * p->mu;
    return fabs(holds) <= p->mu || mistake == IC_PATH_STICKS ? holds : sign * copysign(p->mu, holds);
}

/* The normal impulse after which the impact ends, if it goes on straight like this; b = dv_y/dP_y. */
static double left_to_end(const place *at, const ic_impact *p, const char *law, double b)
{
    const double v = at->v[1];
    if (v < 0) return INFINITY; /* The compression ends first. */
    if (strcmp(law, "newton") == 0) return b > 0 ? fmax(-p->e * p->v[1] - v, 0) / b : INFINITY;
    if (strcmp(law, "poisson") == 0) return fmax((1 + p->e) * at->compression - at->P[1], 0);
    const double work = fmax(p->e * p->e * at->taken - at->given, 0), root = v * v + 2 * b * work;
    if (root < 0) return INFINITY;
    return v + sqrt(root) > 0 ? 2 * work / (v + sqrt(root)) : 0;
}

/* Moves by the normal impulse h. */
static void move(place *at, const ic_impact *p, double ratio, double h)
{
    const double before = at->v[1], b = p->w_yy + p->w_xy * ratio;
    const bool sticks = at->v[0] == 0 && ratio == -p->w_xy / p->w_xx;
    at->v[0] += sticks ? 0 : (p->w_xy + p->w_xx * ratio) * h;
    at->v[1] += b * h;
    at->P[0] += ratio * h;
    at->P[1] += h;
    const double work = (before + at->v[1]) / 2 * h;
    if (before < 0) at->taken -= work;
    else at->given += work;
}

bool ic_impulse_on_path(double P[2], const ic_impact *p, const ic_impact_law *law, ic_path_mistake mistake)
{
    place at = {.v = {p->v[0], p->v[1]}};
    if (strcmp(law->name, "newton") != 0 && strcmp(law->name, "poisson") != 0 &&
        strcmp(law->name, "stronge") != 0)
        return false;
    for (int i = 0; i < CORNERS; i++) {
        const double ratio = ratio_at(&at, p, mistake);
        const double a = p->w_xy + p->w_xx * ratio, b = p->w_yy + p->w_xy * ratio;
        const bool stops = mistake != IC_PATH_KEEPS_SIGN && at.v[0] * a < 0;
        const double stop = stops ? -at.v[0] / a : INFINITY,
                     turn = at.v[1] < 0 && b > 0 ? -at.v[1] / b : INFINITY,
                     end = left_to_end(&at, p, law->name, b), h = fmin(fmin(stop, turn), end);
        if (!isfinite(h)) return false;
        move(&at, p, ratio, h);
        if (h == stop) at.v[0] = 0;
        if (h == turn) {
            at.v[1] = 0;
            at.compression = at.P[1];
        }
        P[0] = at.P[0];
        P[1] = at.P[1];
        if (h == end) return true;
    }
    return false;
}
