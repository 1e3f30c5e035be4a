/* SPDX-License-Identifier: MIT */
#include "audit/impact/impact.h"

#include <math.h>

ic_impact ic_impact_with_fault(const ic_impact *impact, ic_impact_fault fault)
{
    ic_impact p = *impact;
    const double det = p.w_xx * p.w_yy - p.w_xy * p.w_xy;
    switch (fault) {
    case IC_E_SQUARED: p.e *= p.e; break;
    case IC_E_ROOT: p.e = sqrt(p.e); break;
    case IC_UNCOUPLED: p.w_xy = 0; break;
    case IC_COUPLING_REVERSED: p.w_xy = -p.w_xy; break;
    case IC_MASS_FOR_INVERSE:
        p.w_xx = impact->w_yy / det, p.w_yy = impact->w_xx / det, p.w_xy = -impact->w_xy / det;
        break;
    case IC_DEGREES: p.mu = tan(atan(p.mu) * M_PI / 180); break;
    default: break;
    }
    return p;
}
