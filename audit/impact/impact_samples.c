/* SPDX-License-Identifier: MIT */
#include "audit/impact/impact.h"

#include <math.h>
#include <stdlib.h>

size_t ic_impact_sample_of(size_t trial, ic_impact_variant variant)
{
    return variant == IC_AS_GIVEN ? trial : IC_IMPACT_TRIALS + ((size_t)variant - 1) * IC_IMPACT_USUAL + trial;
}

static ic_impact vary_impact(const ic_impact *impact, ic_impact_variant variant)
{
    ic_impact q = *impact;
    switch (variant) {
    case IC_HEAVIER: q.w_xx /= IC_HEAVIER_BY, q.w_xy /= IC_HEAVIER_BY, q.w_yy /= IC_HEAVIER_BY; break;
    case IC_SLOWER: q.v[0] *= IC_SLOWER_BY, q.v[1] *= IC_SLOWER_BY; break;
    case IC_REFLECTED: q.v[0] = -q.v[0], q.w_xy = -q.w_xy; break;
    case IC_OTHER_E: q.e = q.e > 0.5 ? 0.25 : 0.75; break;
    default: break;
    }
    return q;
}

ic_impact_samples *ic_impact_samples_new(uint64_t seed)
{
    ic_impact_samples *s = calloc(1, sizeof *s);
    if (s == NULL) return NULL;
    for (size_t i = 0; i < IC_IMPACT_TRIALS; i++) {
        s->p[i] = ic_impact_trial(i, seed);
        for (int k = IC_HEAVIER; k < IC_IMPACT_VARIANTS && i < IC_IMPACT_USUAL; k++)
            s->p[ic_impact_sample_of(i, (ic_impact_variant)k)] = vary_impact(&s->p[i], (ic_impact_variant)k);
    }
    return s;
}

double ic_impulse_scale(const ic_impact *p, const ic_impact_result *r)
{
    return hypot(r->P[0], r->P[1]) + fabs(p->v[1]) / p->w_yy;
}

double ic_velocity_scale(const ic_impact *p, const double P[2], const double v_after[2], int k)
{
    const double own = k == 0 ? p->w_xx : p->w_yy;
    /* what rounding leaves of no slip has no size of its own */
    const double least = 1e-3 * fabs(p->v[1]) * sqrt(own / p->w_yy);
    return fabs(p->v[k]) + fabs(v_after[k]) + fabs(own * P[k]) + fabs(p->w_xy * P[1 - k]) + least;
}
