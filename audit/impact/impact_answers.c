/* SPDX-License-Identifier: MIT */
#include "audit/impact/impact_answers.h"
#include "audit/common/tolerances.h"

#include <math.h>

/* A limit of the coefficient is accepted as the cause only if it takes effect in this many
   impacts. */
enum { LIMITED_LEAST = 5 };

void ic_impact_keep(ic_impact_answers *a, size_t trial, const ic_impact_result *r)
{
    a->given[trial] = true;
    for (int k = 0; k < 2; k++) a->P[trial][k] = r->P[k], a->v[trial][k] = r->v[k];
}

/* N s; the scale of impulses of trial i */
static double find_scale(const ic_impact_answers *a, size_t i, const ic_impact *p)
{
    return hypot(a->P[i][0], a->P[i][1]) + fabs(p->v[1]) / p->w_yy;
}

static bool answer_differs(const ic_impact_answers *a, size_t i, const ic_impact *p, double P_x)
{
    return !(fabs(a->P[i][0] - P_x) <= ic_tolerance_impact_map.value * find_scale(a, i, p));
}

/* ---- the path */

static bool path_explains(const ic_impact_answers *a, ic_friction_fault fault)
{
    for (size_t i = 0; i < IC_IMPACT_TRIALS; i++) {
        const ic_impact p = ic_impact_trial(i);
        if (a->given[i] && answer_differs(a, i, &p, ic_faulty_friction_impulse(&p, fmax(a->P[i][1], 0), fault)))
            return false;
    }
    return true;
}

/* ---- the coefficient: mu is limited to the range from `least` to `most` */

static bool limits_explain(const ic_impact_answers *a, double least, double most)
{
    size_t limited = 0;
    for (size_t i = 0; i < IC_IMPACT_TRIALS; i++) {
        ic_impact p = ic_impact_trial(i);
        ic_friction_end end;
        const double mu = fmin(fmax(p.mu, least), most);
        limited += a->given[i] && mu != p.mu;
        p.mu = mu;
        if (a->given[i] && answer_differs(a, i, &p, ic_coulomb_impulse(&p, fmax(a->P[i][1], 0), &end)))
            return false;
    }
    return limited >= LIMITED_LEAST;
}

/* The limits that the results show: no |P_x|/P_y is above the greatest coefficient, and none
   below the least while the slip continues. */
static void find_limits(const ic_impact_answers *a, double *least, double *most)
{
    *least = INFINITY, *most = 0;
    for (size_t i = 0; i < IC_IMPACT_TRIALS; i++) {
        const ic_impact p = ic_impact_trial(i);
        if (!a->given[i] || !(a->P[i][1] > 0)) continue;
        const double ratio = fabs(a->P[i][0]) / a->P[i][1];
        *most = fmax(*most, ratio);
        if (a->v[i][0] * p.v[0] > ic_tolerance_impact_map.value * p.v[0] * p.v[0]) *least = fmin(*least, ratio);
    }
}

ic_mistake_id ic_friction_explained(const ic_impact_answers *a)
{
    static const ic_mistake_id mistakes[IC_FRICTION_FAULTS] = {
        [IC_NO_STOP] = IC_MISTAKE_FRICTION_REVERSES_SLIP,  [IC_ALWAYS_STICKS] = IC_MISTAKE_NO_REVERSE_SLIDING,
        [IC_NEVER_STICKS] = IC_MISTAKE_NEVER_STICKS,       [IC_FIRST_REVERSED] = IC_MISTAKE_SIGN_REVERSED,
        [IC_STICKING_REVERSED] = IC_MISTAKE_SIGN_REVERSED, [IC_BACK_REVERSED] = IC_MISTAKE_REVERSE_SLIDING_SIGN,
    };
    double least, most;
    for (int t = 0; t < IC_FRICTION_FAULTS; t++) {
        if (path_explains(a, (ic_friction_fault)t)) return mistakes[t];
    }
    find_limits(a, &least, &most);
    const bool limited =
        (most > 0 && limits_explain(a, 0, most)) || (least > 0 && limits_explain(a, least, INFINITY));
    return limited ? IC_MISTAKE_FRICTION_LIMITED : IC_NO_MISTAKE;
}

/* ---- velocities */

/* v' = v + W P with signs for both impulses, and with or without their coupling. */
static bool balance_explains(const ic_impact_answers *a, double sign_x, double sign_y, double coupling)
{
    for (size_t i = 0; i < IC_IMPACT_TRIALS; i++) {
        const ic_impact p = ic_impact_trial(i);
        const double P_x = sign_x * a->P[i][0], P_y = sign_y * a->P[i][1], w_xy = coupling * p.w_xy;
        const double off = hypot(p.v[0] + p.w_xx * P_x + w_xy * P_y - a->v[i][0],
                                 p.v[1] + w_xy * P_x + p.w_yy * P_y - a->v[i][1]);
        const double speed = hypot(p.v[0], p.v[1]) + hypot(a->v[i][0], a->v[i][1]);
        if (a->given[i] && !(off <= ic_tolerance_impact_map.value * speed)) return false;
    }
    return true;
}

ic_mistake_id ic_momentum_explained(const ic_impact_answers *a)
{
    if (balance_explains(a, -1, 1, 1) || balance_explains(a, 1, -1, 1) || balance_explains(a, -1, -1, 1))
        return IC_MISTAKE_SIGN_REVERSED;
    return balance_explains(a, 1, 1, 0) ? IC_MISTAKE_COUPLING_IGNORED : IC_NO_MISTAKE;
}
