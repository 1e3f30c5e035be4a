/* SPDX-License-Identifier: MIT */
/*
 * A plugin for `impactcheck audit --plugin`: Poisson's impulses by cases, as in Wang & Mason 1992, for one contact of
 * rigid bodies in the plane. Build and audit it by
 *
 *     cc -shared -fPIC -Iinclude examples/plugin/poisson_by_cases.c -o /tmp/map.so -lm
 *     build/impactcheck audit --plugin /tmp/map.so
 *
 * An impact has the velocity v before it, tangential and normal, the inverse mass W, friction mu and restitution e; its
 * result has the velocity after it, the impulse P, and the energies D_N and D_T that are lost.
 */
#include "impactcheck/impactcheck.h"

#include <math.h>

static ic_status map(ic_impact_result *result, const ic_impact *p)
{
    const double a = p->w_xx, b = p->w_xy, c = p->w_yy, S = p->v[0], C = p->v[1];
    if (!(C < 0 && a > 0 && a * c > b * b && p->mu >= 0 && p->e >= 0 && p->e <= 1)) return IC_INVALID;
    const double s = S > 0 ? 1 : S < 0 ? -1 : 0;
    const double first = -s * p->mu, second = fmax(-p->mu, fmin(p->mu, -b / a)); /* dP_x/dP_y */
    const double B_1 = c + first * b, B_2 = c + second * b;                      /* dv_y/dP_y */
    const double loses = p->mu * a - s * b;                                      /* -s dv_x/dP_y */
    /* the slip stops */
    const double P_s = s == 0 ? 0 : loses > 0 ? fabs(S) / loses : INFINITY;
    const bool compressed_first = B_1 > 0 && -C / B_1 <= P_s;
    const double P_c = compressed_first ? -C / B_1 : P_s - (C + B_1 * P_s) / B_2;
    const double P = (1 + p->e) * P_c, P_1 = fmin(P, P_s), P_2 = P - P_1, P_x = first * P_1 + second * P_2;
    const double v_1 = C + B_1 * P_1, v_y = v_1 + B_2 * P_2;
    const double v_x = S + a * P_x + b * P;
    const double D_N = -0.5 * (P_1 * (C + v_1) + P_2 * (v_1 + v_y));
    *result = (ic_impact_result){
        .v = {v_x, v_y}, .P = {P_x, P}, .D_N = D_N, .D_T = -0.5 * (P_x * (S + v_x) + P * (C + v_y)) - D_N};
    return IC_OK;
}

static const ic_impact_map by_cases = {IC_ABI(ic_impact_map), .name = "by-cases", .title = "impulses by cases",
                                       .source = "Wang & Mason 1992", .map = map};

const ic_plugin *impactcheck_plugin(void)
{
    static const ic_impact_map *const maps[] = {&by_cases};
    static const ic_plugin plugin = {IC_ABI(ic_plugin), .name = "by-cases 1.0", .impact_maps = maps,
                                     .n_impact_maps = 1};
    return &plugin;
}
