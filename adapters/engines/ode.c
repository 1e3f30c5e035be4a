/* SPDX-License-Identifier: MIT */
/*
 * Open Dynamics Engine. default: a bounce and a friction limit. best: steps of 1/960 s at most,
 * friction proportional to the normal force along the direction of slip, rotations of finite size.
 * Variant of either: quick, its iterative stepper.
 */
#include "adapters/engines/scene.h"

#include <math.h>
#include <ode/ode.h>
#include <stdlib.h>

enum { MOST_CONTACTS = 16 };

/* slip that has a direction, m/s */
#define LEAST_SLIP 1e-9
/* slip that friction does not stop within a step, m/s */
#define FAST_SLIP 0.05

typedef struct simulation {
    const scene *scene;

    /* step, s */
    double h;
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;

    /* 0 for a fixed body */
    dBodyID *bodies;
} simulation;

/* ---- contacts */

static size_t index_of(const simulation *sim, dGeomID geom)
{
    return (size_t)((const scene_body *)dGeomGetData(geom) - sim->scene->bodies);
}

/* Leaves v as it is for a fixed body. */
static void velocity_at(dVector3 v, dBodyID body, const dReal *point)
{
    if (body != NULL) dBodyGetPointVel(body, point[0], point[1], point[2], v);
}

/*
 * The pyramid of friction lies along the slip that a step without contact would leave, in which it is
 * as high as Coulomb's cone. Across a slip that does not stop there is no friction.
 */
static void align_friction(dContact *contact, const simulation *sim, dBodyID a, dBodyID b)
{
    const dReal *n = contact->geom.normal, *gravity = sim->scene->gravity;
    const double falls = (a != NULL) - (b != NULL);
    dVector3 u = {0}, v = {0};
    velocity_at(u, a, contact->geom.pos);
    velocity_at(v, b, contact->geom.pos);
    for (int i = 0; i < 3; i++) u[i] += falls * sim->h * gravity[i] - v[i];
    const dReal normal = u[0] * n[0] + u[1] * n[1] + u[2] * n[2];
    for (int i = 0; i < 3; i++) u[i] -= normal * n[i];
    const dReal slip = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    if (slip < LEAST_SLIP) return;
    contact->surface.mode |= dContactFDir1;
    for (int i = 0; i < 3; i++) contact->fdir1[i] = u[i] / slip;
    if (slip < FAST_SLIP) return;
    contact->surface.mode |= dContactMu2;
    contact->surface.mu2 = 0;
}

static void add_contacts(void *self, dGeomID a, dGeomID b)
{
    const simulation *sim = (const simulation *)self;
    const scene *s = sim->scene;
    const size_t i_a = index_of(sim, a), i_b = index_of(sim, b);
    dContact contact[MOST_CONTACTS];
    if (i_a == i_b || (s->bodies[i_a].fixed && s->bodies[i_b].fixed) || scene_hinged(s, i_a, i_b)) return;
    const int n = dCollide(a, b, MOST_CONTACTS, &contact[0].geom, sizeof contact[0]);
    for (int i = 0; i < n; i++) {
        contact[i].surface = (dSurfaceParameters){
            .mode = dContactBounce | (s->best ? dContactApprox1 : 0),
            .mu = s->mu,
            .bounce = s->e,
            .bounce_vel = 0,
        };
        if (s->best) align_friction(&contact[i], sim, dGeomGetBody(a), dGeomGetBody(b));
        dJointAttach(dJointCreateContact(sim->world, sim->contacts, &contact[i]), dGeomGetBody(a),
                     dGeomGetBody(b));
    }
}

/* ---- the world */

static void add_shape(const simulation *sim, const scene_body *b, const scene_shape *shape, dBodyID body)
{
    dGeomID geom;
    double x[3];
    if (shape->kind == SCENE_PLANE) {
        double normal[3];
        const double distance = scene_plane(normal, b);
        geom = dCreatePlane(sim->space, normal[0], normal[1], normal[2], distance);
        dGeomSetData(geom, (void *)b);
        return;
    }
    if (shape->kind == SCENE_SPHERE) geom = dCreateSphere(sim->space, shape->radius);
    else geom = dCreateBox(sim->space, 2 * shape->half[0], 2 * shape->half[1], 2 * shape->half[2]);
    dGeomSetData(geom, (void *)b);
    if (body != NULL) {
        dGeomSetBody(geom, body);
        dGeomSetOffsetPosition(geom, shape->centre[0], shape->centre[1], shape->centre[2]);
        return;
    }
    const dQuaternion q = {b->turn[0], b->turn[1], b->turn[2], b->turn[3]};
    scene_point_on(x, b, shape->centre);
    dGeomSetPosition(geom, x[0], x[1], x[2]);
    dGeomSetQuaternion(geom, q);
}

static dBodyID add_moving(const simulation *sim, const scene_body *b)
{
    const dBodyID body = dBodyCreate(sim->world);
    const dQuaternion q = {b->turn[0], b->turn[1], b->turn[2], b->turn[3]};
    dMass mass;
    dMassSetParameters(&mass, b->mass, 0, 0, 0, b->inertia[0], b->inertia[1], b->inertia[2], 0, 0, 0);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, b->position[0], b->position[1], b->position[2]);
    dBodySetQuaternion(body, q);
    dBodySetLinearVel(body, b->velocity[0], b->velocity[1], b->velocity[2]);
    dBodySetAngularVel(body, b->spin[0], b->spin[1], b->spin[2]);
    if (sim->scene->best) dBodySetFiniteRotationMode(body, 1);
    return body;
}

static void add_hinge(const simulation *sim, const scene_hinge *h)
{
    const dJointID joint = dJointCreateHinge(sim->world, 0);
    /* the angle is that of the first body relative to the second, which may be the ground but not the first */
    const bool turned = sim->bodies[h->b] == NULL;
    const double sign = turned ? -1 : 1;
    dJointAttach(joint, sim->bodies[turned ? h->a : h->b], sim->bodies[turned ? h->b : h->a]);
    dJointSetHingeAnchor(joint, h->point[0], h->point[1], h->point[2]);
    dJointSetHingeAxis(joint, sign * h->axis[0], sign * h->axis[1], sign * h->axis[2]);
    /* beyond half a turn a stop has no effect */
    if (h->lower >= -SCENE_PI) dJointSetHingeParam(joint, dParamLoStop, h->lower);
    if (h->upper <= SCENE_PI) dJointSetHingeParam(joint, dParamHiStop, h->upper);
}

static void fill_world(simulation *sim)
{
    const scene *s = sim->scene;
    dWorldSetGravity(sim->world, s->gravity[0], s->gravity[1], s->gravity[2]);
    for (size_t i = 0; i < s->n_bodies; i++) {
        const scene_body *b = &s->bodies[i];
        sim->bodies[i] = b->fixed ? NULL : add_moving(sim, b);
        for (size_t k = 0; k < b->n_shapes; k++) add_shape(sim, b, &b->shapes[k], sim->bodies[i]);
    }
    for (size_t i = 0; i < s->n_hinges; i++) add_hinge(sim, &s->hinges[i]);
}

/* ---- the motion */

static void write_rows(const simulation *sim, double t)
{
    for (size_t i = 0; i < sim->scene->n_bodies; i++) {
        const dBodyID body = sim->bodies[i];
        if (body != NULL)
            scene_row(t, &sim->scene->bodies[i], dBodyGetPosition(body), dBodyGetQuaternion(body),
                      dBodyGetLinearVel(body), dBodyGetAngularVel(body));
    }
}

static void describe(const scene *s, int parts)
{
    scene_engine("ode", dODE_VERSION);
    scene_setting("%s, %d steps per row, %s", scene_is(s, "quick") ? "dWorldQuickStep" : "dWorldStep", parts,
                  s->best ? "dContactApprox1 along the slip" : "friction limited to MU newtons");
    if (!s->best)
        scene_unpromised("friction", "ODE manual, section 'Friction Approximation': without dContactApprox, "
                                     "mu is the maximum friction force, whatever the normal force");
    else if (s->dimension == 3 || scene_has_offset(s))
        scene_unpromised("friction",
                         "ODE manual, section 'Friction Approximation': a pyramid in place of the cone, with "
                         "the normal forces of contacts that are frictionless");
}

static void take_step(simulation *sim)
{
    dSpaceCollide(sim->space, sim, add_contacts);
    if (scene_is(sim->scene, "quick")) dWorldQuickStep(sim->world, sim->h);
    else dWorldStep(sim->world, sim->h);
    dJointGroupEmpty(sim->contacts);
}

static void play(const scene *s)
{
    const int parts = s->best ? scene_parts(s, scene_best_step()) : 1;
    simulation sim = {s,
                      s->step / parts,
                      dWorldCreate(),
                      dSimpleSpaceCreate(NULL),
                      dJointGroupCreate(0),
                      (dBodyID *)calloc(s->n_bodies + 1, sizeof(void *))};
    if (sim.bodies == NULL) exit(3);
    fill_world(&sim);
    describe(s, parts);
    write_rows(&sim, 0);
    for (long i = 1; i <= s->steps; i++) {
        for (int k = 0; k < parts; k++) take_step(&sim);
        write_rows(&sim, (double)i * s->step);
    }
    scene_end();
    dJointGroupDestroy(sim.contacts);
    dSpaceDestroy(sim.space);
    dWorldDestroy(sim.world);
    free(sim.bodies);
}

int main(void)
{
    scene s = {0};
    dInitODE2(0);
    while (scene_read(&s)) play(&s);
    dCloseODE();
    return scene_close();
}
