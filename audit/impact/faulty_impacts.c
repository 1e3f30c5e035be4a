/* SPDX-License-Identifier: MIT */
#include "audit/impact/impact.h"

#include <math.h>
#include <stdio.h>

static const char *make_faulty(ic_impact *p, int fault)
{
    switch (fault) {
    case 0: return p->v[1] = 1, "v_y > 0";
    case 1: return p->v[1] = 0, "v_y = 0";
    case 2: return p->e = 1.5, "e > 1";
    case 3: return p->e = -0.5, "e < 0";
    case 4: return p->mu = -0.5, "mu < 0";
    case 5: return p->w_xy = 2 * sqrt(p->w_xx * p->w_yy), "W indefinite";
    case 6: return p->w_xx = -p->w_xx, "w_xx < 0";
    case 7: return p->w_yy = 0, "w_yy = 0";
    case 8: return p->w_xx = -p->w_xx, p->w_yy = -p->w_yy, "W negative";
    case 9: return p->v[1] = NAN, "v_y not a number";
    case 10: return p->w_xx = NAN, "w_xx not a number";
    case 11: return p->w_xy = NAN, "w_xy not a number";
    case 12: return p->w_yy = NAN, "w_yy not a number";
    case 13: return p->mu = NAN, "mu not a number";
    default: return p->e = NAN, "e not a number";
    }
}

ic_faulty_impacts ic_accepted_faulty_impacts(ic_impact_calls *calls)
{
    ic_faulty_impacts a = {.count = 0};
    size_t used = 0;
    for (int k = 0; k < IC_FAULTY_IMPACTS; k++) {
        ic_impact p = calls->samples->p[1];
        ic_impact_result r;
        const char *text = make_faulty(&p, k);
        if (ic_impact_call(calls, &r, &p, 0) != IC_OK) continue;
        if (used < sizeof a.text)
            used +=
                (size_t)snprintf(a.text + used, sizeof a.text - used, "%s%s", a.count > 0 ? ", " : "", text);
        a.count++;
    }
    return a;
}
