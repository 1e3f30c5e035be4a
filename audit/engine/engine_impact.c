/* SPDX-License-Identifier: MIT */
#include "audit/engine/engine_impact.h"

#include <math.h>

/* As many steps of free flight end an impact: one may be the middle of a compliant one. */
enum { QUIET_STEPS = 3 };

/* m/s and rad/s; single precision keeps speeds of some m/s to 5e-7. And a part of gravity in one step. */
#define SPEED_ROUNDING 1e-5
#define GRAVITY_ROUNDING 0.02

static bool is_free(const ic_engine_state *a, double gravity, double step)
{
    const ic_engine_state *b = a + 1;
    const double allowed = SPEED_ROUNDING + GRAVITY_ROUNDING * gravity * step;
    return fabs(b->vx - a->vx) < allowed && fabs(b->vy - a->vy + gravity * step) < allowed &&
           fabs(b->omega - a->omega) < allowed;
}

static bool stays_free(const ic_engine_state *a, double gravity, double step)
{
    for (int i = 0; i < QUIET_STEPS; i++) {
        if (!is_free(a + i, gravity, step)) return false;
    }
    return true;
}

static double depth_of(const ic_engine_state *last, bool bar)
{
    const double lowest = last->y - (bar ? IC_ENGINE_BAR_HALF * cos(last->phi) : 0);
    return fmax(-lowest, 0);
}

ic_engine_impact ic_engine_impact_in(const ic_engine_motion *motion, bool bar, double step)
{
    ic_engine_impact impact = {0};
    const ic_engine_state *rows = motion->rows;
    const size_t n = motion->n_rows;
    const double gravity = bar ? 0 : IC_ENGINE_GRAVITY;
    size_t first = 0;
    while (first + 1 < n && is_free(&rows[first], gravity, step)) first++;
    if (n > 0) impact.depth = depth_of(&rows[n - 1], bar);
    if (first + 1 >= n) return impact;
    impact.met = true;
    impact.before = rows[first];
    for (size_t i = first + 1; i + QUIET_STEPS < n && !impact.left; i++) {
        if (!stays_free(&rows[i], gravity, step)) continue;
        impact.left = true;
        impact.after = rows[i];
        impact.angle = rows[i - 1].phi;
    }
    return impact;
}

double ic_engine_restitution(const ic_engine_impact *impact)
{
    return -impact->after.vy / impact->before.vy;
}

static double energy(const ic_engine_state *s)
{
    return (s->vx * s->vx + s->vy * s->vy + IC_ENGINE_BAR_INERTIA * s->omega * s->omega) / 2;
}

double ic_engine_energy_ratio(const ic_engine_impact *impact)
{
    return energy(&impact->after) / energy(&impact->before);
}

double ic_engine_spin_error(const ic_engine_impact *impact)
{
    const double P_x = impact->after.vx - impact->before.vx, P_y = impact->after.vy - impact->before.vy;
    const double r_x = -IC_ENGINE_BAR_HALF * sin(impact->angle), r_y = -IC_ENGINE_BAR_HALF * cos(impact->angle);
    const double turned = IC_ENGINE_BAR_INERTIA * (impact->after.omega - impact->before.omega);
    return fabs(turned - (r_y * P_x - r_x * P_y)) / (IC_ENGINE_BAR_HALF * hypot(P_x, P_y));
}

void ic_engine_tip_velocity(double v[2], const ic_engine_impact *impact)
{
    const ic_engine_state *s = &impact->after;
    v[0] = s->vx - s->omega * IC_ENGINE_BAR_HALF * cos(impact->angle);
    v[1] = s->vy + s->omega * IC_ENGINE_BAR_HALF * sin(impact->angle);
}

ic_impact ic_engine_bar_impact(double angle, const double v[2], double mu, double e)
{
    const double phi = angle * M_PI / 180;
    const double r_x = -IC_ENGINE_BAR_HALF * sin(phi), r_y = -IC_ENGINE_BAR_HALF * cos(phi);
    return (ic_impact){.v = {v[0], v[1]},
                       .w_xx = 1 + r_y * r_y / IC_ENGINE_BAR_INERTIA,
                       .w_xy = -r_x * r_y / IC_ENGINE_BAR_INERTIA,
                       .w_yy = 1 + r_x * r_x / IC_ENGINE_BAR_INERTIA,
                       .mu = mu,
                       .e = e,
                       .k_x = 1,
                       .k_y = 1};
}
