/* SPDX-License-Identifier: MIT */
/* v = v(0) + W P at each corner, D_N by trapezia, from the start to the result, in modes that agree with the slip. */
#include "audit/impact/impact.h"

#include "audit/common/tolerances.h"

#include <math.h>

/* The mode says that the points slip as they do between two corners, or that they do not. */
static bool has_mode(const ic_impact *p, const ic_impact_result *r, const ic_impact_point *from,
                     const ic_impact_point *to)
{
    const double twice = from->v[0] + to->v[0], small = ic_tolerance_impact_map.value;
    /* two corners at one place, as without restitution */
    if (to->P[1] - from->P[1] <= small * ic_impulse_scale(p, r)) return true;
    if (fabs(twice) <= small * ic_velocity_scale(p, r->P, r->v, 0)) return true;
    return from->mode == (twice > 0 ? IC_IMPACT_RIGID_PLUS : IC_IMPACT_RIGID_MINUS);
}

static double measure_corner(const ic_impact *p, const ic_impact_result *r, const ic_impact_point *from,
                             const ic_impact_point *to)
{
    const double scale = ic_impulse_scale(p, r), speed = hypot(p->v[0], p->v[1]) + hypot(r->v[0], r->v[1]);
    const double v_x = p->v[0] + p->w_xx * to->P[0] + p->w_xy * to->P[1];
    const double v_y = p->v[1] + p->w_xy * to->P[0] + p->w_yy * to->P[1];
    const double D_N = from->D_N - 0.5 * (from->v[1] + to->v[1]) * (to->P[1] - from->P[1]);
    const double backwards = fmax(0, from->P[1] - to->P[1]) / scale;
    return fmax(fmax(hypot(to->v[0] - v_x, to->v[1] - v_y) / speed, backwards),
                fabs(to->D_N - D_N) / ic_impact_energy(p, p->v));
}

double ic_impact_path_off(const ic_impact *p, const ic_impact_result *r, bool with_modes)
{
    if (r->n_path < 2 || r->n_path > IC_IMPACT_CORNERS) return INFINITY;
    const ic_impact_point *first = &r->path[0], *last = &r->path[r->n_path - 1];
    const double scale = ic_impulse_scale(p, r), speed = hypot(p->v[0], p->v[1]) + hypot(r->v[0], r->v[1]);
    if (last->mode != IC_IMPACT_LIFTED_OFF) return INFINITY;
    double worst = hypot(first->P[0], first->P[1]) / scale;
    worst = fmax(worst, hypot(first->v[0] - p->v[0], first->v[1] - p->v[1]) / speed);
    worst = fmax(worst, hypot(last->P[0] - r->P[0], last->P[1] - r->P[1]) / scale);
    worst = fmax(worst, fabs(last->D_N - r->D_N) / ic_impact_energy(p, p->v));
    for (size_t k = 1; k < r->n_path; k++)
        worst = fmax(worst, measure_corner(p, r, &r->path[k - 1], &r->path[k]));
    for (size_t k = 1; with_modes && k < r->n_path; k++)
        worst = has_mode(p, r, &r->path[k - 1], &r->path[k]) ? worst : 1;
    return worst;
}
