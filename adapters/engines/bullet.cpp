// SPDX-License-Identifier: MIT
// Bullet 3.24. default: the settings of btDiscreteDynamicsWorld.
// best: no speculative contacts; overlaps never contribute to velocities.
#include "adapters/engines/scene.h"

#include <btBulletDynamicsCommon.h>
#include <cmath>
#include <memory>

namespace {

constexpr btScalar never = 1e30F; // deeper than any overlap

struct ground_body {
    btStaticPlaneShape shape{btVector3(0, 1, 0), 0};
    btRigidBody body{btRigidBody::btRigidBodyConstructionInfo(0, nullptr, &shape)};
};

struct moving_body {
    btSphereShape sphere;
    btCompoundShape offset; // puts the sphere at the tip of the bar
    btDefaultMotionState motion;
    std::unique_ptr<btRigidBody> body;

    explicit moving_body(const scene &s) : sphere(btScalar(s.radius))
    {
        btTransform at(btQuaternion(btVector3(0, 0, 1), btScalar(-s.phi)),
                       btVector3(btScalar(s.x), btScalar(s.y), 0));
        btTransform tip(btQuaternion::getIdentity(), btVector3(btScalar(s.sphere_x), btScalar(s.sphere_y), 0));
        const btScalar inertia = btScalar(s.inertia);
        motion.setWorldTransform(at);
        btCollisionShape *shape = &sphere;
        if (s.bar) {
            offset.addChildShape(tip, &sphere);
            shape = &offset;
        }
        btRigidBody::btRigidBodyConstructionInfo info(btScalar(s.mass), &motion, shape,
                                                      btVector3(inertia, inertia, inertia));
        body = std::make_unique<btRigidBody>(info);
        body->setLinearVelocity(btVector3(btScalar(s.vx), btScalar(s.vy), 0));
        body->setAngularVelocity(btVector3(0, 0, btScalar(-s.omega)));
    }
};

// The coefficients of a pair are products.
void set_material(btRigidBody &body, double e, double mu, bool best)
{
    body.setRestitution(btScalar(e));
    body.setFriction(btScalar(mu));
    if (best) body.setContactProcessingThreshold(0);
}

void write_row(const scene &s, double t, const btRigidBody &body)
{
    const btTransform &at = body.getWorldTransform(); // of the last step, not interpolated
    const btVector3 &x = at.getOrigin(), &v = body.getLinearVelocity(), &w = body.getAngularVelocity();
    const btMatrix3x3 &r = at.getBasis();
    scene_row(&s, t, x.x(), x.y(), std::atan2(r[0][1], r[0][0]), v.x(), v.y(), -w.z());
}

} // namespace

int main(int argc, char **argv)
{
    const scene s = scene_read(argc, argv);
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
    ground_body ground;
    moving_body moving(s);
    world.setGravity(btVector3(0, btScalar(-s.gravity), 0));
    if (s.best) {
        btContactSolverInfo &info = world.getSolverInfo();
        info.m_restitutionVelocityThreshold = 0;
        info.m_splitImpulsePenetrationThreshold =
            never; // the correction of an overlap moves bodies, without changing velocities
    }
    set_material(ground.body, 1, 1, s.best);
    set_material(*moving.body, s.e, s.mu, s.best);
    world.addRigidBody(&ground.body);
    world.addRigidBody(moving.body.get());
    write_row(s, 0, *moving.body);
    for (long i = 1, n = scene_steps(&s); i <= n; i++) {
        world.stepSimulation(btScalar(s.step), 0); // one step of this length, without substeps
        write_row(s, static_cast<double>(i) * s.step, *moving.body);
    }
    world.removeRigidBody(moving.body.get());
    world.removeRigidBody(&ground.body);
    return scene_close(&s);
}
