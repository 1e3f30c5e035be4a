/* SPDX-License-Identifier: MIT */
/*
 * Routh's construction with P_y as the clock, written independently of
 * solvers/rigid/impulse_plane.c.
 *
 *     v_x = v_x(0) + w_xx P_x + w_xy P_y,    sliding to s: dP_x/dP_y = -s mu,    sticking: dP_x/dP_y = -w_xy/w_xx.
 */
#include "audit/impact/impact.h"

#include "core/numbers.h"
#include "core/random.h"

#include <math.h>

static ic_impact usual_trial(size_t i, uint64_t *seed)
{
    const double w_xx = ic_log_uniform(seed, 0.2, 5), w_yy = ic_log_uniform(seed, 0.2, 5);
    const double coupling = i % 6 == 0 ? 0 : ic_uniform(seed, -0.95, 0.95);
    const double v_y = -ic_log_uniform(seed, 3, 30);
    const double v_x = i % 7 == 0 ? 0 : ic_uniform(seed, -2, 2) * v_y;
    const double mu = i % 11 == 0 ? 0 : i % 2 == 0 ? ic_uniform(seed, 0, 0.6) : ic_uniform(seed, 0, 3);
    const double e = i % 13 == 0 ? 0 : i % 17 == 0 ? 1 : ic_uniform(seed, 0, 1);
    return (ic_impact){.v = {v_x, v_y},
                       .w_xx = w_xx,
                       .w_xy = coupling * sqrt(w_xx * w_yy),
                       .w_yy = w_yy,
                       .mu = mu,
                       .e = e,
                       .k_x = 1e6,
                       .k_y = 1e6};
}

/* Quantities that a wide trial takes far out. */
enum { OF_MU, OF_SPEED, OF_MASS, OF_RATIO, OF_COUPLING, OF_SLIP, WIDE_KINDS };

static void widen(ic_impact *p, size_t i, uint64_t *seed)
{
    const double coupling = p->w_xy / sqrt(p->w_xx * p->w_yy);
    const size_t kind = (i + i / WIDE_KINDS) % WIDE_KINDS; /* central ones are among those of each kind */
    switch (kind) {
    case OF_MU:
        p->mu = ic_log_uniform(seed, 1e-4, 30);
        /* fast slip lasts to the end also where mu is great */
        p->v[0] = (i % 4 == 0 ? 1 : -1) * fmax(1, p->mu) * p->v[1] * ic_uniform(seed, 0.2, 10);
        break;
    case OF_SPEED: {
        const double by = ic_log_uniform(seed, 1e-8, 1e3) / fabs(p->v[1]);
        p->v[0] *= by, p->v[1] *= by;
        break;
    }
    case OF_MASS: {
        const double by = ic_log_uniform(seed, 1e-6, 1e6);
        p->w_xx *= by, p->w_xy *= by, p->w_yy *= by;
        break;
    }
    case OF_RATIO: p->w_xx = p->w_yy * ic_log_uniform(seed, 1e-3, 1e3); break;
    case OF_SLIP: p->v[0] *= ic_log_uniform(seed, 1e-7, 100); break;
    default: break;
    }
    p->w_xy = coupling * sqrt(p->w_xx * p->w_yy);
    /* few of these: a map that marches takes 1/(1 - coupling^2) times as many steps */
    if (kind == OF_COUPLING && coupling != 0 && i % 2 == 0)
        p->w_xy = copysign((1 - ic_log_uniform(seed, 1e-4, 0.05)) * sqrt(p->w_xx * p->w_yy), coupling);
}

/* The impulse that ends compression is a sum of terms that nearly cancel: rounding decides. */
static bool is_ill_posed(const ic_impact *p)
{
    const double rise = p->w_yy - ic_sign(p->v[0]) * p->mu * p->w_xy;
    return fabs(rise) < 1e-3 * p->w_yy || fabs(fabs(p->w_xy) - p->mu * p->w_xx) < 1e-9 * fabs(p->w_xy);
}

/* Numbers of neighbours have nothing in common, also of every sixth. */
static uint64_t mix(uint64_t seed)
{
    seed ^= seed >> 29;
    seed *= 0xbf58476d1ce4e5b9u;
    return seed ^ seed >> 32;
}

ic_impact ic_impact_trial(size_t i, uint64_t drawn)
{
    const bool is_fixed = i / 4 % 2 == 0;
    uint64_t seed = 0x9e3779b97f4a7c15u * (i + 1) ^ (is_fixed ? 0 : mix(mix(drawn + 1)));
    ic_uniform(&seed, 0, 1);
    ic_impact p = usual_trial(i, &seed);
    if (i < IC_IMPACT_USUAL && is_fixed) return p;
    seed = mix(seed);
    if (i >= IC_IMPACT_USUAL) widen(&p, i, &seed);
    while (is_ill_posed(&p)) p.mu *= 1.01;
    return p;
}

/* Path of friction: slope until the stop, and after it. */
typedef struct friction_path {
    /* dP_x/dP_y until the stop, 1 */
    double first;

    /* P_y at the stop, N s */
    double stop;

    /* dP_x/dP_y after the stop, 1 */
    double second;

    ic_friction_end after;
} friction_path;

static friction_path friction_of(const ic_impact *p)
{
    const double s = ic_sign(p->v[0]);
    const bool sticks = fabs(p->w_xy) <= p->mu * p->w_xx;
    const double back = ic_sign(p->w_xy), slope = p->w_xy - s * p->mu * p->w_xx; /* dv_x/dP_y */
    friction_path f = {.first = -s * p->mu, .stop = INFINITY, .after = sticks ? IC_STICKS : IC_SLIDES_BACK};
    f.second = sticks ? -p->w_xy / p->w_xx : -back * p->mu;
    if (s * slope < 0) f.stop = -p->v[0] / slope;
    if (s == 0) f.stop = 0;
    return f;
}

double ic_coulomb_impulse(const ic_impact *impact, double P_y, ic_friction_end *end)
{
    const friction_path f = friction_of(impact);
    *end = P_y <= f.stop ? IC_SLIDES_ON : f.after;
    return P_y <= f.stop ? f.first * P_y : f.first * f.stop + f.second * (P_y - f.stop);
}

/* v_y is linear in P_y between corners: a trapezium for each piece is exact. */
double ic_normal_work(const ic_impact *impact, double P_y)
{
    const friction_path f = friction_of(impact);
    const double corners[3] = {0, fmin(f.stop, P_y), P_y};
    double v[3], work = 0;
    for (int k = 0; k < 3; k++) {
        ic_friction_end end;
        v[k] = impact->v[1] + impact->w_xy * ic_coulomb_impulse(impact, corners[k], &end) +
               impact->w_yy * corners[k];
    }
    for (int k = 1; k < 3; k++) work -= 0.5 * (v[k - 1] + v[k]) * (corners[k] - corners[k - 1]);
    return work;
}

void ic_impulse_of_velocities(double P[2], const ic_impact *impact, const double v_after[2])
{
    const double det = impact->w_xx * impact->w_yy - impact->w_xy * impact->w_xy;
    const double d[2] = {v_after[0] - impact->v[0], v_after[1] - impact->v[1]};
    P[0] = (impact->w_yy * d[0] - impact->w_xy * d[1]) / det;
    P[1] = (impact->w_xx * d[1] - impact->w_xy * d[0]) / det;
}

double ic_impact_energy(const ic_impact *impact, const double v[2])
{
    const double det = impact->w_xx * impact->w_yy - impact->w_xy * impact->w_xy;
    return 0.5 * (impact->w_yy * v[0] * v[0] - 2 * impact->w_xy * v[0] * v[1] + impact->w_xx * v[1] * v[1]) /
           det;
}
