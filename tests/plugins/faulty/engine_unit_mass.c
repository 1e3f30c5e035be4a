/* SPDX-License-Identifier: MIT */
/* Every body has 1 kg. */
#include "impactcheck/impactcheck.h"

static ic_scene of_unit_mass(const ic_scene *s)
{
    ic_scene seen = *s;
    seen.mass = 1;
    return seen;
}

#define SEEN(s) of_unit_mass(s)

#include "tests/plugins/faulty/engine_base.h"
