/* SPDX-License-Identifier: MIT */
/*
 * Chatterjee and Ruina 1998, without tangential restitution: the impulse lies between that of a
 * frictionless impact and that which stops all motion. It is not Coulomb's path, and right.
 */
#include "tests/plugins/faulty/export.h"

#include <math.h>

static ic_status map(ic_impact_result *r, const ic_impact *p)
{
    const double det = p->w_xx * p->w_yy - p->w_xy * p->w_xy;
    if (!(p->v[1] < 0 && p->w_xx > 0 && det > 0 && p->mu >= 0 && p->e >= 0 && p->e <= 1)) return IC_INVALID;
    const double smooth[2] = {0, -p->v[1] / p->w_yy};
    const double all[2] = {(p->w_xy * p->v[1] - p->w_yy * p->v[0]) / det,
                           (p->w_xy * p->v[0] - p->w_xx * p->v[1]) / det};
    const double way[2] = {all[0], all[1] - smooth[1]}, start = (1 + p->e) * smooth[1];
    double part = 1;
    if (fabs(way[0]) > p->mu * (start + way[1])) part = p->mu * start / (fabs(way[0]) - p->mu * way[1]);
    *r = (ic_impact_result){.P = {part * way[0], start + part * way[1]}};
    r->v[0] = p->v[0] + p->w_xx * r->P[0] + p->w_xy * r->P[1];
    r->v[1] = p->v[1] + p->w_xy * r->P[0] + p->w_yy * r->P[1];
    return IC_OK;
}

EXPORT_MAP("algebraic", "algebraic law in impulse space", "Chatterjee and Ruina 1998", map)
