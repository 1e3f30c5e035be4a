/* SPDX-License-Identifier: MIT */
/*
 * Chipmunk 7. default: its settings, which are made for pixels. best: no slop, no position
 * feedback, more iterations.
 */
#include "adapters/engines/scene.h"

#include <chipmunk/chipmunk.h>

#define GROUND_HALF_LENGTH 1e3
#define GROUND_THICKNESS 1.0

static void set_material(cpShape *shape, double e, double mu)
{
    cpShapeSetElasticity(shape, e); /* of a pair: the product */
    cpShapeSetFriction(shape, mu);
}

static void write_row(const scene *s, double t, const cpBody *body)
{
    const cpVect x = cpBodyGetPosition(body), v = cpBodyGetVelocity(body);
    scene_row(s, t, x.x, x.y, -cpBodyGetAngle(body), v.x, v.y, -cpBodyGetAngularVelocity(body));
}

int main(int argc, char **argv)
{
    /* from here on, messages of Debian's build are written to standard error */
    const scene s = scene_read(argc, argv);
    cpSpace *space = cpSpaceNew();
    cpBody *body = cpSpaceAddBody(space, cpBodyNew(s.mass, s.inertia));
    cpShape *sphere = cpSpaceAddShape(space, cpCircleShapeNew(body, s.radius, cpv(s.sphere_x, s.sphere_y)));
    const cpVect left = cpv(-GROUND_HALF_LENGTH, -GROUND_THICKNESS),
                 right = cpv(GROUND_HALF_LENGTH, -GROUND_THICKNESS);
    cpShape *ground =
        cpSpaceAddShape(space, cpSegmentShapeNew(cpSpaceGetStaticBody(space), left, right, GROUND_THICKNESS));
    set_material(sphere, s.e, s.mu);
    set_material(ground, 1, 1);
    cpSpaceSetGravity(space, cpv(0, -s.gravity));
    if (s.best) {
        cpSpaceSetIterations(space, 100);
        cpSpaceSetCollisionSlop(space, 0);
        cpSpaceSetCollisionBias(space, 1); /* overlaps are not corrected */
    }
    cpBodySetPosition(body, cpv(s.x, s.y));
    cpBodySetAngle(body, -s.phi);
    cpBodySetVelocity(body, cpv(s.vx, s.vy));
    cpBodySetAngularVelocity(body, -s.omega);
    write_row(&s, 0, body);
    for (long i = 1, n = scene_steps(&s); i <= n; i++) {
        cpSpaceStep(space, s.step);
        write_row(&s, (double)i * s.step, body);
    }
    cpShapeFree(sphere);
    cpShapeFree(ground);
    cpBodyFree(body);
    cpSpaceFree(space);
    return scene_close(&s);
}
