/* SPDX-License-Identifier: MIT */
#include "audit/engine/engine_impact.h"

#include <math.h>

/* An impact ends with this many steps of free flight: a single one may be the middle of a compliant
   impact. */
enum { QUIET_STEPS = 3 };

/* accuracy, m/s and rad/s: in single precision, speeds of some m/s are accurate to 5e-7 */
#define SPEED_ROUNDING 1e-5
/* part of the change of speed by gravity in one step */
#define GRAVITY_ROUNDING 0.02

/* Rows that are late begin with one or two in which nothing moves. */
enum { LATE_ROWS = 2 };

bool ic_engine_is_free(const ic_engine_state *a, double gravity, double step, const ic_engine_flight *flight)
{
    const ic_engine_state *b = a + 1;
    const double h = step * flight->clock, falls = gravity * h;
    const double allowed = SPEED_ROUNDING + GRAVITY_ROUNDING * fabs(falls),
                 keeps = 1 - (flight->fades + flight->drag * hypot(a->vx, a->vy)) * h;
    return fabs(b->vx - keeps * a->vx) < allowed && fabs(b->vy - keeps * a->vy + falls) < allowed &&
           fabs(b->omega - (1 - flight->spin_fades * h) * a->omega) < allowed;
}

static bool stays_free(const ic_engine_state *a, double gravity, double step, const ic_engine_flight *flight)
{
    bool all = true;
    for (int i = 0; i < QUIET_STEPS; i++) all &= ic_engine_is_free(a + i, gravity, step, flight);
    return all;
}

/* The first row from which the motion is free flight: not 0 where rows are late. */
static size_t begin_flight(const ic_engine_motion *motion, double gravity, double step,
                           const ic_engine_flight *flight)
{
    for (size_t i = 0; i <= LATE_ROWS && i + QUIET_STEPS < motion->n_rows; i++) {
        if (stays_free(&motion->rows[i], gravity, step, flight) && motion->rows[i].vy <= 0) return i;
    }
    return 0;
}

ic_engine_impact ic_engine_impact_in(const ic_engine_motion *motion, const ic_engine_body *body, double step,
                                     const ic_engine_flight *flight)
{
    ic_engine_impact impact = {.body = *body};
    const ic_engine_state *rows = motion->rows;
    const size_t n = motion->n_rows;
    const double gravity =
        body->bar ? flight->bar_gravity : flight->ball_gravity * pow(body->mass, flight->mass_power);
    size_t first = begin_flight(motion, gravity, step, flight);
    while (first + 1 < n && ic_engine_is_free(&rows[first], gravity, step, flight)) first++;
    if (n > 0) impact.depth = fmax((body->bar ? body->arm * cos(rows[n - 1].phi) : 0) - rows[n - 1].y, 0);
    if (first + 1 >= n) return impact;
    impact.met = true;
    impact.before = rows[first];
    for (size_t i = first + 1; i + QUIET_STEPS < n && !impact.left; i++) {
        if (!stays_free(&rows[i], gravity, step, flight)) continue;
        impact.left = true;
        impact.after = rows[i];
        impact.angle = rows[i - 1].phi;
    }
    return impact;
}

void ic_engine_lever(double r[2], const ic_engine_impact *impact)
{
    const double phi = impact->body.bar ? impact->angle : 0;
    r[0] = -impact->body.arm * sin(phi);
    r[1] = -impact->body.arm * cos(phi);
}

double ic_engine_restitution(const ic_engine_impact *impact)
{
    return -impact->after.vy / impact->before.vy;
}

static double kinetic_energy(const ic_engine_state *s, const ic_engine_body *body)
{
    return (body->mass * (s->vx * s->vx + s->vy * s->vy) + body->inertia * s->omega * s->omega) / 2;
}

double ic_engine_energy_ratio(const ic_engine_impact *impact)
{
    return kinetic_energy(&impact->after, &impact->body) / kinetic_energy(&impact->before, &impact->body);
}

double ic_engine_spin_error(const ic_engine_impact *impact)
{
    const ic_engine_body *body = &impact->body;
    const double P_x = body->mass * (impact->after.vx - impact->before.vx),
                 P_y = body->mass * (impact->after.vy - impact->before.vy);
    const double turned = body->inertia * (impact->after.omega - impact->before.omega);
    double r[2];
    ic_engine_lever(r, impact);
    return fabs(turned - (r[1] * P_x - r[0] * P_y)) / (body->arm * hypot(P_x, P_y));
}

void ic_engine_tip_velocity(double v[2], const ic_engine_impact *impact)
{
    double r[2];
    ic_engine_lever(r, impact);
    v[0] = impact->after.vx + impact->after.omega * r[1];
    v[1] = impact->after.vy - impact->after.omega * r[0];
}

ic_impact ic_engine_impact_at(double mass, double inertia, const double r[2], const double v[2], double mu,
                              double e)
{
    return (ic_impact){.v = {v[0], v[1]},
                       .w_xx = 1 / mass + r[1] * r[1] / inertia,
                       .w_xy = -r[0] * r[1] / inertia,
                       .w_yy = 1 / mass + r[0] * r[0] / inertia,
                       .mu = mu,
                       .e = e,
                       .k_x = 1,
                       .k_y = 1};
}

ic_impact ic_engine_bar_impact(double angle, const double v[2], double mu, double e)
{
    const double phi = angle * M_PI / 180;
    const double r[] = {-IC_ENGINE_BAR_HALF * sin(phi), -IC_ENGINE_BAR_HALF * cos(phi)};
    return ic_engine_impact_at(IC_ENGINE_MASS, IC_ENGINE_BAR_INERTIA, r, v, mu, e);
}
