/* SPDX-License-Identifier: MIT */
#include "audit/engine/engine_play.h"
#include "audit/engine/engine_impact.h"
#include "audit/plugin/plugin_load.h"
#include "core/expression.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#define NEAR_GROUND 0.05 /* m; where the bar starts, and a ball that is thrown */
#define DROP 1.0         /* m; where a ball starts that is dropped */
/* The rest of what is not given: as adapters/engines/scene.c has it. */
#define BALL_RESTITUTION 0.8
#define BAR_ANGLE 45.0     /* degrees */
#define BAR_TANGENTIAL 0.8 /* m/s */
#define STEP 1e-3          /* s */
#define BALL_UNTIL 1.5     /* s */
#define BAR_UNTIL 0.25     /* s */

/* Exit statuses of the process. */
enum { GOOD = 0, NO_LIBRARY = 2, NO_OUTPUT = 3, GAVE_UP = 4 };

static double given(double value, double otherwise)
{
    return isnan(value) ? otherwise : value;
}

ic_scene ic_scene_of(const ic_engine_scene *asked)
{
    const bool bar = asked->bar, thrown = bar || !isnan(asked->speed);
    const double speed = given(asked->speed, bar ? 1 : 0);
    const double height = given(asked->height, thrown ? NEAR_GROUND : DROP);
    const ic_engine_body body = ic_engine_body_of(asked);
    ic_scene s = {.body = bar ? IC_SCENE_BAR : IC_SCENE_BALL,
                  .e = given(asked->e, bar ? 1 : BALL_RESTITUTION),
                  .mu = given(asked->mu, bar ? 1 : 0),
                  .gravity = bar ? 0 : IC_ENGINE_GRAVITY,
                  .mass = body.mass,
                  .inertia = body.inertia,
                  .radius = bar ? 0 : body.arm,
                  .length = bar ? 2 * body.arm : 0,
                  .step = given(asked->step, STEP),
                  .until = given(asked->until, bar ? BAR_UNTIL : BALL_UNTIL)};
    s.start.omega = given(asked->omega, 0);
    s.start.phi = bar ? given(asked->angle, BAR_ANGLE) * M_PI / 180 : 0;
    const double turning = bar ? s.start.omega * body.arm * sin(s.start.phi) : 0; /* of the tip, upward */
    const double impact_speed = sqrt(speed * speed + 2 * s.gravity * height) - turning;
    s.start.vx = given(asked->tangential, bar ? BAR_TANGENTIAL : 0);
    s.start.vy = -speed;
    s.start.x = bar ? body.arm * sin(s.start.phi) : 0;
    s.start.y = height + given(asked->phase, 0) * impact_speed * s.step + body.arm * cos(s.start.phi);
    return s;
}

static bool take(void *context, const ic_body_row *row)
{
    FILE *out = context;
    return fprintf(out, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", row->t, row->x, row->y, row->phi,
                   row->vx, row->vy, row->omega) > 0;
}

/* What the engine prints must not reach the rows. */
static FILE *take_standard_output(void)
{
    const int rows = dup(STDOUT_FILENO);
    return rows >= 0 && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 ? fdopen(rows, "w") : NULL;
}

int ic_engine_play(const char *library, size_t index, const ic_engine_scene *asked)
{
    ic_error error;
    FILE *out = take_standard_output();
    const ic_plugin *plugin = ic_plugin_load(library, &error);
    if (out == NULL) return NO_OUTPUT;
    if (plugin == NULL || index >= plugin->n_engines) return NO_LIBRARY;
    const ic_scene scene = ic_scene_of(asked);
    fprintf(out, "t,x,y,phi,vx,vy,omega\n");
    const ic_status status = plugin->engines[index]->run(&scene, take, out);
    if (fclose(out) != 0) return NO_OUTPUT;
    return status == IC_OK ? GOOD : GAVE_UP;
}
