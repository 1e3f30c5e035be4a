/* SPDX-License-Identifier: MIT */
/* Poisson's hypothesis with friction in compression only. */
#include "impactcheck/impactcheck.h"

static void let_slip(ic_impact_result *r, const ic_impact *p);
#define FINISH(p, r) let_slip(r, p)
#define END(f, compressed) (compressed) /* restitution follows in FINISH */

#include "tests/plugins/faulty/map_base.h"

static void let_slip(ic_impact_result *r, const ic_impact *p)
{
    const double more = p->e * r->P[1];
    r->P[1] += more;
    r->v[0] += p->w_xy * more;
    r->v[1] += p->w_yy * more;
}
