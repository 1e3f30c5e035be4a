/* SPDX-License-Identifier: MIT */
/* Poisson's hypothesis in seven steps for one, velocities before positions. */
#define NAME "substeps"
#define FOLLOW(s, b) follow_in_parts(s, b)

#include "impactcheck/impactcheck.h"

static void follow_in_parts(const ic_scene *s, ic_body_row *b);

#include "tests/plugins/faulty/engine_base.h"

enum { PARTS = 7 };

static void follow_in_parts(const ic_scene *s, ic_body_row *b)
{
    ic_scene part = *s;
    part.step = s->step / PARTS;
    for (int i = 0; i < PARTS; i++) {
        /* as if gravity had changed the velocity first */
        b->y -= part.step * part.step * s->gravity / 2;
        follow(&part, b);
    }
}
