/* SPDX-License-Identifier: MIT */
#include "audit/impact/impact.h"

#include "core/numbers.h"

#include <math.h>

/* Slip below this part of the speeds is none. */
#define NO_SLIP 1e-12

static double limited(double x, double most)
{
    return fmin(fmax(x, -most), most);
}

/* P with v_x' = 0 and v_y' - v_y = d_y. */
static void stick(double P[2], const ic_impact *p, double d_y)
{
    const double det = p->w_xx * p->w_yy - p->w_xy * p->w_xy;
    P[0] = (-p->w_yy * p->v[0] - p->w_xy * d_y) / det;
    P[1] = (p->w_xx * d_y + p->w_xy * p->v[0]) / det;
}

static bool in_cone(const double P[2], const ic_impact *p)
{
    return P[1] >= 0 && fabs(P[0]) <= p->mu * P[1];
}

/* P of slip in the direction s, by which v_y changes by d_y. */
static bool slide(double P[2], const ic_impact *p, int s, double d_y)
{
    const double rise = p->w_yy - s * p->mu * p->w_xy;
    P[1] = d_y / rise;
    P[0] = -s * p->mu * P[1];
    return rise > 0;
}

static double slip_after(const double P[2], const ic_impact *p)
{
    return p->v[0] + p->w_xx * P[0] + p->w_xy * P[1];
}

/* Coulomb's law for the whole impulse: the one answer of sticking and both slips. */
static bool solve_at_once(double P[2], const ic_impact *p, double d_y)
{
    double Q[2];
    int answers = 0;
    stick(Q, p, d_y);
    if (in_cone(Q, p)) P[0] = Q[0], P[1] = Q[1], answers++;
    for (int s = -1; s <= 1; s += 2) {
        if (!slide(Q, p, s, d_y) || !(s * slip_after(Q, p) > NO_SLIP * fabs(p->v[0]))) continue;
        P[0] = Q[0], P[1] = Q[1], answers++;
    }
    return answers == 1;
}

bool ic_rule_at_once(double P[2], const ic_impact *p)
{
    return solve_at_once(P, p, -(1 + p->e) * p->v[1]);
}

bool ic_rule_poisson_at_once(double P[2], const ic_impact *p)
{
    const bool good = solve_at_once(P, p, -p->v[1]);
    P[0] *= 1 + p->e, P[1] *= 1 + p->e;
    return good;
}

static bool solve_in_two(double P[2], const ic_impact *p, bool old_slip)
{
    if (!solve_at_once(P, p, -p->v[1])) return false;
    ic_impact q = *p; /* of expansion */
    q.v[0] = slip_after(P, p), q.v[1] = 0;
    if (fabs(q.v[0]) <= NO_SLIP * (fabs(p->v[0]) + fabs(p->v[1]))) q.v[0] = 0;
    const double more = p->e * P[1], stop = -((old_slip ? p->v[0] : q.v[0]) + q.w_xy * more) / q.w_xx;
    double Q[2] = {fabs(stop) <= p->mu * more ? stop : copysign(p->mu * more, stop), more};
    /* not less than what keeps the bodies apart */
    if (q.w_xy * Q[0] + q.w_yy * Q[1] < 0 && !solve_at_once(Q, &q, 0)) return false;
    P[0] += Q[0], P[1] += Q[1];
    return true;
}

bool ic_rule_in_two(double P[2], const ic_impact *p)
{
    return solve_in_two(P, p, false);
}

bool ic_rule_in_two_old_slip(double P[2], const ic_impact *p)
{
    return solve_in_two(P, p, true);
}

bool ic_rule_brach(double P[2], const ic_impact *p)
{
    const double d_y = -(1 + p->e) * p->v[1];
    stick(P, p, d_y);
    if (!(P[1] > 0)) return false;
    if (in_cone(P, p)) return true;
    return slide(P, p, -ic_sign(P[0]), d_y);
}

bool ic_rule_whittaker(double P[2], const ic_impact *p)
{
    const double d_y = -(1 + p->e) * p->v[1];
    const int s = p->v[0] != 0 ? ic_sign(p->v[0]) : ic_sign(p->w_xy);
    if (s != 0 && !slide(P, p, s, d_y)) return false;
    if (s != 0 && s * slip_after(P, p) >= 0) return true;
    stick(P, p, d_y);
    return in_cone(P, p) || (s != 0 && slide(P, p, -s, d_y));
}

bool ic_rule_chatterjee(double P[2], const ic_impact *p)
{
    double Q[2];
    const double smooth = -p->v[1] / p->w_yy; /* P_y of a frictionless plastic impact */
    stick(Q, p, -p->v[1]);
    const double more = Q[1] - smooth;
    P[0] = Q[0], P[1] = (1 + p->e) * smooth + more;
    if (fabs(P[0]) <= p->mu * P[1]) return true;
    const double part = p->mu * (1 + p->e) * smooth / (fabs(Q[0]) - p->mu * more);
    P[0] = part * Q[0], P[1] = (1 + p->e) * smooth + part * more;
    return true;
}

/* P_x = -mu g P_y; whether g is less than the mean direction of slip. */
static bool is_low(double P[2], const ic_impact *p, double g)
{
    const double rise = p->w_yy - p->mu * g * p->w_xy;
    P[1] = -(1 + p->e) * p->v[1] / rise, P[0] = -p->mu * g * P[1];
    const double after = slip_after(P, p), square = p->v[0] * p->v[0] + after * after;
    const double mean = (fabs(p->v[0]) * p->v[0] + fabs(after) * after) / (square > 0 ? square : 1);
    /* beyond the pole of P the contact would pull: the answer is on the other side */
    return rise > 0 ? g < mean : p->w_xy < 0;
}

bool ic_rule_smith(double P[2], const ic_impact *p)
{
    enum { LOOKS = 64, HALVINGS = 60 };
    double low = -1, high = 1;
    int changes = 0;
    bool before = true;
    for (int i = 1; i <= LOOKS; i++) {
        const double g = -1 + 2.0 * i / LOOKS;
        const bool now = is_low(P, p, g);
        if (before && !now) low = g - 2.0 / LOOKS, high = g;
        changes += now != before;
        before = now;
    }
    if (changes != 1) return changes == 0 && P[1] > 0; /* g = 1, or several answers */
    for (int i = 0; i < HALVINGS; i++) {
        const double g = 0.5 * (low + high);
        if (is_low(P, p, g)) low = g;
        else high = g;
    }
    return P[1] > 0;
}

bool ic_rule_friction_bound(double P[2], const ic_impact *p)
{
    return ic_rule_bound(P, p, -(1 + p->e) * p->v[1] / p->w_yy);
}

bool ic_rule_bound(double P[2], const ic_impact *p, double P_y)
{
    const double d_y = -(1 + p->e) * p->v[1], most = p->mu * P_y;
    stick(P, p, d_y);
    P[0] = limited(P[0], most);
    P[1] = (d_y - p->w_xy * P[0]) / p->w_yy;
    return true;
}

/* One half of a sweep. */
static void improve(double P[2], const ic_impact *p, bool of_x)
{
    const double d_y = -(1 + p->e) * p->v[1], most = p->mu * P[1];
    if (of_x) P[0] = limited(-(p->v[0] + p->w_xy * P[1]) / p->w_xx, most);
    else P[1] = fmax(0, (d_y - p->w_xy * P[0]) / p->w_yy);
}

void ic_rule_sweeps(double P[2], const ic_impact *p, int sweeps, bool x_first)
{
    P[0] = P[1] = 0;
    for (int i = 0; i < sweeps; i++) improve(P, p, x_first), improve(P, p, !x_first);
}

int ic_rule_sweeps_to(const double P[2], const ic_impact *p, bool x_first, double near)
{
    enum { MOST_SWEEPS = 200 };
    double Q[2] = {0, 0};
    for (int i = 1; i <= MOST_SWEEPS; i++) {
        improve(Q, p, x_first), improve(Q, p, !x_first);
        if (hypot(P[0] - Q[0], P[1] - Q[1]) <= near) return i;
    }
    return 0;
}
