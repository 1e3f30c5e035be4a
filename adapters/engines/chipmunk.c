/* SPDX-License-Identifier: MIT */
/*
 * Chipmunk 7, planar. default: its settings, which are made for pixels; steps of 1/60 s at most.
 * best: steps of 1/960 s at most, no slop, no correction of overlaps, more iterations.
 */
#include "adapters/engines/scene.h"

#include <chipmunk/chipmunk.h>
#include <math.h>
#include <stdlib.h>

#define PLANE_HALF_LENGTH 1e3
#define PLANE_THICKNESS 1.0
#define DEFAULT_STEP (1.0 / 60)
#define BEST_ITERATIONS 100
/* of a body's size, by which scenes let it sink */
#define PART_OF_SIZE 0.01

static cpShape *make_shape(cpBody *body, const scene_shape *shape)
{
    const cpVect centre = cpv(shape->centre[0], shape->centre[1]);
    const double a = shape->half[0], b = shape->half[1];
    const cpVect corners[] = {cpv(-a, -b), cpv(a, -b), cpv(a, b), cpv(-a, b)};
    switch (shape->kind) {
    case SCENE_SPHERE: return cpCircleShapeNew(body, shape->radius, centre);
    case SCENE_BOX: return cpPolyShapeNew(body, 4, corners, cpTransformTranslate(centre), 0);
    default:
        return cpSegmentShapeNew(body, cpv(-PLANE_HALF_LENGTH, -PLANE_THICKNESS),
                                 cpv(PLANE_HALF_LENGTH, -PLANE_THICKNESS), PLANE_THICKNESS);
    }
}

static cpBody *add_body(cpSpace *space, const scene *s, const scene_body *b)
{
    cpBody *body = cpSpaceAddBody(space, b->fixed ? cpBodyNewStatic() : cpBodyNew(b->mass, b->inertia[2]));
    cpBodySetPosition(body, cpv(b->position[0], b->position[1]));
    cpBodySetAngle(body, scene_angle(b->turn));
    if (!b->fixed) {
        cpBodySetVelocity(body, cpv(b->velocity[0], b->velocity[1]));
        cpBodySetAngularVelocity(body, b->spin[2]);
    }
    for (size_t i = 0; i < b->n_shapes; i++) {
        cpShape *shape = cpSpaceAddShape(space, make_shape(body, &b->shapes[i]));
        cpShapeSetElasticity(shape, sqrt(s->e)); /* of a pair: the product */
        cpShapeSetFriction(shape, sqrt(s->mu));
    }
    return body;
}

static void add_hinge(cpSpace *space, const scene_hinge *h, cpBody *a, cpBody *b)
{
    cpConstraint *pivot = cpPivotJointNew(a, b, cpv(h->point[0], h->point[1]));
    cpConstraintSetCollideBodies(pivot, cpFalse);
    cpSpaceAddConstraint(space, pivot);
    if (!isfinite(h->lower) && !isfinite(h->upper)) return;
    /* the joint bounds the difference of the angles about z */
    const double start = cpBodyGetAngle(b) - cpBodyGetAngle(a);
    const bool along = h->axis[2] > 0;
    cpSpaceAddConstraint(space, cpRotaryLimitJointNew(a, b, start + (along ? h->lower : -h->upper),
                                                      start + (along ? h->upper : -h->lower)));
}

static void write_rows(const scene *s, double t, cpBody *const *bodies)
{
    for (size_t i = 0; i < s->n_bodies; i++) {
        if (s->bodies[i].fixed) continue;
        const cpVect x = cpBodyGetPosition(bodies[i]), v = cpBodyGetVelocity(bodies[i]);
        scene_row_2d(t, &s->bodies[i], (const double[]){x.x, x.y}, cpBodyGetAngle(bodies[i]),
                     (const double[]){v.x, v.y}, cpBodyGetAngularVelocity(bodies[i]));
    }
}

static void describe(const scene *s, const cpSpace *space, int parts)
{
    scene_engine("chipmunk", cpVersionString);
    scene_setting("%d iterations, slop %g m, bias %g, %d steps per row", cpSpaceGetIterations(space),
                  cpSpaceGetCollisionSlop(space), cpSpaceGetCollisionBias(space), parts);
    if (scene_moves_far(s, s->step / parts))
        scene_unpromised("fast-bodies",
                         "Chipmunk2D 7 manual, cpSpaceSetCollisionBias: Chipmunk allows fast moving "
                         "objects to overlap, then fixes the overlap over time");
    if (s->e >= 1) {
        const char *text =
            "Chipmunk2D 7 manual, cpShapeSetElasticity: due to inaccuracies, using 1.0 or greater is "
            "not recommended";
        scene_unpromised("restitution", text);
        scene_unpromised("slow-restitution", text);
    }
    if (cpSpaceGetCollisionSlop(space) > PART_OF_SIZE * scene_least_size(s))
        scene_unpromised(
            "rest", "cpSpace.h, cpSpaceSetCollisionSlop: amount of encouraged penetration, 0.1 by default");
}

/* ---- what a space holds is freed with it; a space that is iterated over cannot be changed */

static void free_shape(cpSpace *space, void *shape, void *unused)
{
    (void)unused;
    cpSpaceRemoveShape(space, shape);
    cpShapeFree(shape);
}

static void free_constraint(cpSpace *space, void *constraint, void *unused)
{
    (void)unused;
    cpSpaceRemoveConstraint(space, constraint);
    cpConstraintFree(constraint);
}

static void free_body(cpSpace *space, void *body, void *unused)
{
    (void)unused;
    cpSpaceRemoveBody(space, body);
    cpBodyFree(body);
}

static void free_shape_later(cpShape *shape, void *space)
{
    cpSpaceAddPostStepCallback(space, free_shape, shape, NULL);
}

static void free_constraint_later(cpConstraint *constraint, void *space)
{
    cpSpaceAddPostStepCallback(space, free_constraint, constraint, NULL);
}

static void free_body_later(cpBody *body, void *space)
{
    cpSpaceAddPostStepCallback(space, free_body, body, NULL);
}

static void free_space(cpSpace *space)
{
    cpSpaceEachShape(space, free_shape_later, space);
    cpSpaceEachConstraint(space, free_constraint_later, space);
    cpSpaceEachBody(space, free_body_later, space);
    cpSpaceFree(space);
}

/* ---- the motion */

static cpSpace *make_space(const scene *s, cpBody **bodies)
{
    cpSpace *space = cpSpaceNew();
    cpSpaceSetGravity(space, cpv(s->gravity[0], s->gravity[1]));
    if (s->best) {
        cpSpaceSetIterations(space, BEST_ITERATIONS);
        cpSpaceSetCollisionSlop(space, 0);
        cpSpaceSetCollisionBias(space, 1); /* overlaps are not corrected */
    }
    for (size_t i = 0; i < s->n_bodies; i++) bodies[i] = add_body(space, s, &s->bodies[i]);
    for (size_t i = 0; i < s->n_hinges; i++)
        add_hinge(space, &s->hinges[i], bodies[s->hinges[i].a], bodies[s->hinges[i].b]);
    return space;
}

static void play(const scene *s)
{
    const int parts = scene_parts(s, s->best ? scene_best_step() : DEFAULT_STEP);
    cpBody **bodies = (cpBody **)calloc(s->n_bodies + 1, sizeof(void *));
    if (bodies == NULL) exit(3);
    cpSpace *space = make_space(s, bodies);
    describe(s, space, parts);
    write_rows(s, 0, bodies);
    for (long i = 1; i <= s->steps; i++) {
        for (int k = 0; k < parts; k++) cpSpaceStep(space, s->step / parts);
        write_rows(s, (double)i * s->step, bodies);
    }
    scene_end();
    free_space(space);
    free(bodies);
}

int main(void)
{
    scene s = {0};
    while (scene_read(&s)) {
        if (s.dimension == 2) play(&s);
        else {
            scene_engine("chipmunk", cpVersionString);
            scene_unsupported("planar engine");
        }
    }
    return scene_close();
}
