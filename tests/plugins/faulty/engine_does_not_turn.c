/* SPDX-License-Identifier: MIT */
/* An impact does not turn the body, and its impulse is that of a body that cannot. */
#include "impactcheck/impactcheck.h"

static ic_scene of_no_turn(const ic_scene *s)
{
    ic_scene seen = *s;
    seen.inertia = 1e12; /* kg m^2 */
    return seen;
}

#define SEEN(s) of_no_turn(s)

#include "tests/plugins/faulty/engine_base.h"
