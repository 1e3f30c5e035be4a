/* SPDX-License-Identifier: MIT */
#include "audit/engine/engine_friction.h"

#include "audit/impact/impact_trials.h"

#include <math.h>
#include <string.h>

void ic_impulse_fixed_bound(double P[2], const ic_impact *impact)
{
    const ic_impact *p = impact;
    const double most = p->mu * -(1 + p->e) * p->v[1] / p->w_yy;
    const double d_x = -p->v[0], d_y = -(1 + p->e) * p->v[1];
    const double stop = (p->w_yy * d_x - p->w_xy * d_y) / (p->w_xx * p->w_yy - p->w_xy * p->w_xy);
    P[0] = fabs(stop) <= most ? stop : copysign(most, stop);
    P[1] = (d_y - p->w_xy * P[0]) / p->w_yy;
}

static double normal_velocity(const ic_impact *p, double P_y)
{
    return p->v[1] + p->w_xy * ic_sticking_impulse(p, P_y) + p->w_yy * P_y;
}

/* N s; the least P_y with this normal velocity, which grows along the path once it sticks. */
static double where(const ic_impact *p, double v_y)
{
    double low = 0, high = -p->v[1] / p->w_yy;
    while (normal_velocity(p, high) < v_y) high *= 2;
    for (int i = 0; i < 100; i++) {
        const double middle = (low + high) / 2;
        if (normal_velocity(p, middle) < v_y) low = middle;
        else high = middle;
    }
    return low;
}

bool ic_impulse_that_sticks(double P[2], const ic_impact *impact, const ic_impact_law *law)
{
    const ic_impact *p = impact;
    const bool newton = strcmp(law->name, "newton") == 0, poisson = strcmp(law->name, "poisson") == 0;
    if (!newton && !poisson) return false;
    P[1] = newton ? where(p, -p->e * p->v[1]) : (1 + p->e) * where(p, 0);
    P[0] = ic_sticking_impulse(p, P[1]);
    return isfinite(P[1]);
}
