/* SPDX-License-Identifier: MIT */
/* Time stepping's impulse: it stops the slip with v_y' = -e v_y where the cone allows that, and is
   on the cone's edge elsewhere. */
#include "impactcheck/impactcheck.h"

static void at_once(ic_impact_result *r, const ic_impact *p);
#define FINISH(p, r) at_once(r, p)

#include "tests/plugins/faulty/map_base.h"

static void apply(ic_impact_result *r, const ic_impact *p, double P_x, double P_y)
{
    *r = (ic_impact_result){.P = {P_x, P_y}};
    r->v[0] = p->v[0] + p->w_xx * P_x + p->w_xy * P_y;
    r->v[1] = p->v[1] + p->w_xy * P_x + p->w_yy * P_y;
}

static void at_once(ic_impact_result *r, const ic_impact *p)
{
    const double X = -p->v[0], Y = -(1 + p->e) * p->v[1], det = p->w_xx * p->w_yy - p->w_xy * p->w_xy;
    apply(r, p, (p->w_yy * X - p->w_xy * Y) / det, (p->w_xx * Y - p->w_xy * X) / det);
    for (double s = 1; s >= -1 && fabs(r->P[0]) > p->mu * r->P[1] * (1 + 1e-12); s -= 2) {
        ic_impact_result edge;
        const double P_y = Y / (p->w_yy - s * p->mu * p->w_xy);
        apply(&edge, p, -s * p->mu * P_y, P_y);
        if (P_y > 0 && s * edge.v[0] >= 0) *r = edge;
    }
}
