/* SPDX-License-Identifier: MIT */
#include "audit/engine/engine_play.h"
#include "audit/engine/engine_impact.h"
#include "audit/plugin/plugin_load.h"
#include "core/expression.h"

#include <math.h>
#include <stdio.h>

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
enum { GOOD = 0, NO_LIBRARY = 2, GAVE_UP = 4 };

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

/* ---- rows */

typedef struct packet {
    const ic_seal *seal;
    char text[IC_ENGINE_PACKET];
    size_t length;
} packet;

enum { ROW_MOST = 256 }; /* bytes: seven numbers of 17 digits */

static void send_packet(packet *p)
{
    if (p->length > 0) ic_seal_write(p->seal, p->text, p->length);
    p->length = 0;
}

static bool take(void *context, const ic_body_row *row)
{
    packet *p = context;
    if (p->length + ROW_MOST > sizeof p->text) send_packet(p);
    p->length += (size_t)snprintf(p->text + p->length, ROW_MOST, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n",
                                  row->t, row->x, row->y, row->phi, row->vx, row->vy, row->omega);
    return true;
}

int ic_engine_play(const ic_seal *seal, const char *library, size_t index, const ic_engine_scene *asked)
{
    static packet rows;
    ic_error error;
    const ic_plugin *plugin = ic_plugin_load(library, &error);
    if (plugin == NULL || index >= plugin->n_engines) return NO_LIBRARY;
    const ic_scene scene = ic_scene_of(asked);
    rows.seal = seal;
    rows.length = (size_t)snprintf(rows.text, sizeof rows.text, "t,x,y,phi,vx,vy,omega\n");
    const ic_status status = plugin->engines[index]->run(&scene, take, &rows);
    send_packet(&rows);
    return status == IC_OK ? GOOD : GAVE_UP;
}
