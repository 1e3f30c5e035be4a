/* SPDX-License-Identifier: MIT */
#include "audit/engine/engine_scene.h"

#include <math.h>

#define NEAR_GROUND 0.05 /* initial height of the bar and of a thrown ball, m */
#define DROP 1.0         /* initial height of a dropped ball, m */
#define BALL_RESTITUTION 0.8
#define BAR_ANGLE 45.0     /* degrees */
#define BAR_TANGENTIAL 0.8 /* m/s */
#define STEP 1e-3          /* s */
#define BALL_UNTIL 1.5     /* s */
#define BAR_UNTIL 0.25     /* s */

static double value_or(double value, double otherwise)
{
    return isnan(value) ? otherwise : value;
}

ic_engine_scene ic_engine_scene_of(bool bar)
{
    return (ic_engine_scene){.bar = bar,
                             .e = NAN,
                             .mu = NAN,
                             .angle = NAN,
                             .step = NAN,
                             .until = NAN,
                             .gravity = NAN,
                             .height = NAN,
                             .speed = NAN,
                             .tangential = NAN,
                             .omega = NAN,
                             .phase = NAN,
                             .mass = NAN,
                             .inertia = NAN,
                             .length = NAN};
}

ic_engine_body ic_engine_body_of(const ic_engine_scene *scene)
{
    ic_engine_body body = {.bar = scene->bar, .mass = value_or(scene->mass, IC_ENGINE_MASS)};
    body.arm = scene->bar ? value_or(scene->length, 2 * IC_ENGINE_BAR_HALF) / 2 : IC_ENGINE_BALL_RADIUS;
    const double own = scene->bar ? body.mass * body.arm * body.arm / 3 /* a slender bar */
                                  : 0.4 * body.mass * body.arm * body.arm;
    body.inertia = value_or(scene->inertia, own);
    return body;
}

ic_scene ic_scene_of(const ic_engine_scene *asked)
{
    const bool bar = asked->bar, thrown = bar || !isnan(asked->speed);
    const double speed = value_or(asked->speed, bar ? 1 : 0);
    const double height = value_or(asked->height, thrown ? NEAR_GROUND : DROP);
    const ic_engine_body body = ic_engine_body_of(asked);
    ic_scene s = {.body = bar ? IC_SCENE_BAR : IC_SCENE_BALL,
                  .e = value_or(asked->e, bar ? 1 : BALL_RESTITUTION),
                  .mu = value_or(asked->mu, bar ? 1 : 0),
                  .gravity = value_or(asked->gravity, bar ? 0 : IC_ENGINE_GRAVITY),
                  .mass = body.mass,
                  .inertia = body.inertia,
                  .radius = bar ? 0 : body.arm,
                  .length = bar ? 2 * body.arm : 0,
                  .step = value_or(asked->step, STEP),
                  .until = value_or(asked->until, bar ? BAR_UNTIL : BALL_UNTIL)};
    s.start.omega = value_or(asked->omega, 0);
    s.start.phi = bar ? value_or(asked->angle, BAR_ANGLE) * M_PI / 180 : 0;
    /* of the tip, upwards */
    const double turning = bar ? s.start.omega * body.arm * sin(s.start.phi) : 0;
    const double impact_speed = sqrt(speed * speed + 2 * s.gravity * height) - turning;
    s.start.vx = value_or(asked->tangential, bar ? BAR_TANGENTIAL : 0);
    s.start.vy = -speed;
    s.start.x = bar ? body.arm * sin(s.start.phi) : 0;
    s.start.y = height + value_or(asked->phase, 0) * impact_speed * s.step + body.arm * cos(s.start.phi);
    return s;
}
