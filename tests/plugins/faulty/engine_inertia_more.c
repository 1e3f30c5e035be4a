/* SPDX-License-Identifier: MIT */
/* The inertia is taken 1.05 times. */
#include "impactcheck/impactcheck.h"

static ic_scene of_more_inertia(const ic_scene *s)
{
    ic_scene seen = *s;
    seen.inertia *= 1.05;
    return seen;
}

#define SEEN(s) of_more_inertia(s)

#include "tests/plugins/faulty/engine_base.h"
