/* SPDX-License-Identifier: MIT */
/*
 * Open Dynamics Engine. default: a bounce and a friction limit. best: friction proportional to the
 * normal force.
 */
#include "adapters/engines/scene.h"

#include <math.h>
#include <ode/ode.h>

enum { MOST_CONTACTS = 4 };

typedef struct simulation {
    const scene *scene;
    dWorldID world;
    dJointGroupID contacts;
} simulation;

static void add_contacts(void *self, dGeomID a, dGeomID b)
{
    const simulation *sim = self;
    dContact contact[MOST_CONTACTS];
    const int n = dCollide(a, b, MOST_CONTACTS, &contact[0].geom, sizeof contact[0]);
    for (int i = 0; i < n; i++) {
        contact[i].surface = (dSurfaceParameters){
            .mode = dContactBounce | (sim->scene->best ? dContactApprox1 : 0),
            .mu = sim->scene->mu,
            .bounce = sim->scene->e,
            .bounce_vel = 0,
        };
        dJointAttach(dJointCreateContact(sim->world, sim->contacts, &contact[i]), dGeomGetBody(a),
                     dGeomGetBody(b));
    }
}

static dBodyID add_body(dWorldID world, dSpaceID space, const scene *s)
{
    const dBodyID body = dBodyCreate(world);
    const dGeomID geom = dCreateSphere(space, s->radius);
    dMass mass;
    dMatrix3 turn;
    /*
     * rotation is in the plane only, but ODE refuses the zero inertia of a slender bar about its
     * axis
     */
    dMassSetParameters(&mass, s->mass, 0, 0, 0, s->inertia, s->inertia, s->inertia, 0, 0, 0);
    dBodySetMass(body, &mass);
    dGeomSetBody(geom, body);
    dGeomSetOffsetPosition(geom, s->sphere_x, s->sphere_y, 0);
    dRFromAxisAndAngle(turn, 0, 0, 1, -s->phi);
    dBodySetRotation(body, turn);
    dBodySetPosition(body, s->x, s->y, 0);
    dBodySetLinearVel(body, s->vx, s->vy, 0);
    dBodySetAngularVel(body, 0, 0, -s->omega);
    return body;
}

static void write_row(const scene *s, double t, dBodyID body)
{
    const dReal *x = dBodyGetPosition(body), *r = dBodyGetRotation(body);
    const dReal *v = dBodyGetLinearVel(body), *w = dBodyGetAngularVel(body);
    scene_row(s, t, x[0], x[1], atan2(r[1], r[0]), v[0], v[1], -w[2]);
}

int main(int argc, char **argv)
{
    const scene s = scene_read(argc, argv);
    dInitODE2(0);
    const dWorldID world = dWorldCreate();
    const dSpaceID space = dSimpleSpaceCreate(NULL);
    simulation sim = {&s, world, dJointGroupCreate(0)};
    dWorldSetGravity(world, 0, -s.gravity, 0);
    dCreatePlane(space, 0, 1, 0, 0);
    const dBodyID body = add_body(world, space, &s);
    write_row(&s, 0, body);
    for (long i = 1, n = scene_steps(&s); i <= n; i++) {
        dSpaceCollide(space, &sim, add_contacts);
        if (scene_is(&s, "quick")) dWorldQuickStep(world, s.step);
        else dWorldStep(world, s.step);
        dJointGroupEmpty(sim.contacts);
        write_row(&s, (double)i * s.step, body);
    }
    dJointGroupDestroy(sim.contacts);
    dSpaceDestroy(space);
    dWorldDestroy(world);
    dCloseODE();
    return scene_close(&s);
}
