/* SPDX-License-Identifier: MIT */
/*
 * A plugin for `impactcheck audit --plugin`: a contact-force law and an impact map. Build and audit
 * it by
 *
 *     cc -shared -fPIC -Iinclude examples/plugin/mine.c -o /tmp/mine.so -lm
 *     build/impactcheck audit --plugin /tmp/mine.so    # exit 1: the map has no friction
 */
#include "impactcheck/impactcheck.h"

#include <math.h>

/* ---- law: F = K d^(3/2) (1 + a v/v0), a = 3 (1 - e)/2; the contact remembers a/v0 */

enum { K, E };

static const ic_parameter parameters[] = {
    [K] = {"stiffness", "N/m^(3/2)", "stiffness of the contact", "1e9", "(0, inf)"},
    [E] = {"restitution", "1", "required coefficient of restitution", "0.8", "[0, 1]"},
};

static double remember(double v0, const double *par)
{
    return 1.5 * (1 - par[E]) / v0;
}

static double force(double d, double v, double memory, const double *par)
{
    return d > 0 ? par[K] * d * sqrt(d) * (1 + memory * v) : 0;
}

static double force_rate(double d, double v, double acceleration, double memory, const double *par)
{
    return d > 0 ? par[K] * sqrt(d) * (1.5 * v * (1 + memory * v) + d * memory * acceleration) : 0;
}

static double stored_energy(double d, const double *par)
{
    return d > 0 ? 0.4 * par[K] * d * d * sqrt(d) : 0;
}

static const ic_law my_law = {
    IC_ABI(ic_law),
    .name = "my-law",
    .title = "F = K d^(3/2) (1 + a v/v0)",
    .source = "Hunt & Crossley 1975",
    .parameters = parameters,
    .n_parameters = IC_COUNT(parameters),
    .promises = IC_LAW_CONTINUOUS_ONSET | IC_LAW_NO_TENSION | IC_LAW_ONLY_LOSES,
    .condition = IC_CONDITION_A,
    .remember = remember,
    .memory_unit = "s/m",
    .force = force,
    .force_rate = force_rate,
    .stored_energy = stored_energy,
};

/* ---- impact map: no friction */

static ic_status map(ic_impact_result *result, const ic_impact *p)
{
    const double det = p->w_xx * p->w_yy - p->w_xy * p->w_xy;
    if (!(p->v[1] < 0 && p->w_yy > 0 && det > 0 && p->mu >= 0 && p->e >= 0 && p->e <= 1)) return IC_INVALID;
    const double P_y = -(1 + p->e) * p->v[1] / p->w_yy;
    *result = (ic_impact_result){
        .v = {p->v[0] + p->w_xy * P_y, -p->e * p->v[1]},
        .P = {0, P_y},
        .D_N = 0.5 * (1 - p->e * p->e) * p->v[1] * p->v[1] / p->w_yy,
    };
    return IC_OK;
}

static const ic_impact_map my_map = {IC_ABI(ic_impact_map), .name = "my-map", .title = "without friction",
                                     .source = "textbook", .map = map};

/* ---- the exported function */

const ic_plugin *impactcheck_plugin(void)
{
    static const ic_law *const laws[] = {&my_law};
    static const ic_impact_map *const maps[] = {&my_map};
    static const ic_plugin plugin = {IC_ABI(ic_plugin), "mine 1.0", laws, 1, maps, 1, NULL, 0};
    return &plugin;
}
