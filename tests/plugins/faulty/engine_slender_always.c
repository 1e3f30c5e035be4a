/* SPDX-License-Identifier: MIT */
/* Every bar is slender, every ball solid, whatever its inertia. */
#include "impactcheck/impactcheck.h"

static ic_scene of_usual_inertia(const ic_scene *s)
{
    ic_scene seen = *s;
    seen.inertia =
        s->body == IC_SCENE_BAR ? s->mass * s->length * s->length / 12 : 0.4 * s->mass * s->radius * s->radius;
    return seen;
}

#define SEEN(s) of_usual_inertia(s)

#include "tests/plugins/faulty/engine_base.h"
