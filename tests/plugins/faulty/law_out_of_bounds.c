/* SPDX-License-Identifier: MIT */
/* It keeps its last force behind the parameters. */
#include "impactcheck/impactcheck.h"

static double keep(double force, const double *par)
{
    double *mine = (double *)par;
    mine[2] = force;
    return force;
}

#define FORCE(d, v, memory, par) keep((d) > 0 ? (par)[K] * pow(d, 1.5) * (1 + (memory) * (v)) : 0, par)

#include "tests/plugins/faulty/law_base.h"
