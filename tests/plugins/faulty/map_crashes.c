/* SPDX-License-Identifier: MIT */
/* It reads from a table at an index that comes from the impact. */
#include "impactcheck/impactcheck.h"

static double looked_up(const ic_impact *p)
{
    static const double table[4] = {0.9, 0.8, 0.7, 0.6};
    const volatile size_t at = (size_t)(-p->v[1] * 1e15);
    return p->e * table[at];
}

#define RESTITUTION(p) looked_up(p)

#include "tests/plugins/faulty/map_base.h"
