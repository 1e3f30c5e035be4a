// SPDX-License-Identifier: MIT
// Bullet 3.24. default: the settings of btDiscreteDynamicsWorld, steps of 1/60 s at most.
// best: steps of 1/960 s at most, more iterations, no sleep, no threshold, no speculative contacts; overlaps never
// contribute to velocities; continuous where a body could pass through another in a step.
#include "adapters/engines/scene.h"

#include <btBulletDynamicsCommon.h>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace {

constexpr btScalar never = 1e30F; // deeper than any overlap
constexpr double default_step = 1.0 / 60;
constexpr int best_iterations = 100;
// what the documentation says of bodies: m/s and rad/s; m, in steps of 1/60 s; s, of smaller ones
constexpr double rest_speed = 0.8, rest_spin = 1;
constexpr double least_size = 0.2, greatest_size = 5, small_step = 1.0 / 300;
constexpr double most_mass_ratio = 10;
constexpr double rounding = 1e-9;

// Coefficients of a pair, whose bodies have the same. Bullet's own functions return products.
btScalar restitution_of(const btCollisionObject *body, const btCollisionObject * /*other*/)
{
    return body->getRestitution();
}

btScalar friction_of(const btCollisionObject *body, const btCollisionObject * /*other*/)
{
    return body->getFriction();
}

btVector3 vector(const double *v)
{
    return {btScalar(v[0]), btScalar(v[1]), btScalar(v[2])};
}

btQuaternion quaternion(const double *turn)
{
    return {btScalar(turn[1]), btScalar(turn[2]), btScalar(turn[3]), btScalar(turn[0])};
}

btTransform transform(const scene_body &b)
{
    return btTransform(quaternion(b.turn), vector(b.position));
}

std::unique_ptr<btCollisionShape> make_shape(const scene_shape &shape)
{
    switch (shape.kind) {
    case SCENE_SPHERE: return std::make_unique<btSphereShape>(btScalar(shape.radius));
    case SCENE_BOX: return std::make_unique<btBoxShape>(vector(shape.half));
    default: return std::make_unique<btStaticPlaneShape>(btVector3(0, 1, 0), btScalar(0));
    }
}

struct rigid_body {
    std::vector<std::unique_ptr<btCollisionShape>> parts;
    std::unique_ptr<btCollisionShape> whole;
    std::unique_ptr<btRigidBody> body;
};

// A compound only where a shape is not at the centre of mass.
btCollisionShape *join_shapes(rigid_body &r, const scene_body &b)
{
    bool offset = b.n_shapes != 1;
    for (size_t i = 0; i < b.n_shapes; i++) {
        r.parts.push_back(make_shape(b.shapes[i]));
        offset = offset || !vector(b.shapes[i].centre).isZero();
    }
    if (!offset) return r.parts[0].get();
    auto compound = std::make_unique<btCompoundShape>();
    for (size_t i = 0; i < b.n_shapes; i++)
        compound->addChildShape(btTransform(btQuaternion::getIdentity(), vector(b.shapes[i].centre)),
                                r.parts[i].get());
    r.whole = std::move(compound);
    return r.whole.get();
}

void set_best(btRigidBody &body)
{
    body.setContactProcessingThreshold(0);
    body.setActivationState(DISABLE_DEACTIVATION);
}

// Half of the least thickness.
double least_half(const scene_body &b)
{
    double least = 1e9;
    for (size_t i = 0; i < b.n_shapes; i++) {
        const scene_shape &shape = b.shapes[i];
        if (shape.kind == SCENE_SPHERE) least = std::fmin(least, shape.radius);
        if (shape.kind == SCENE_BOX)
            least = std::fmin(least, std::fmin(shape.half[0], std::fmin(shape.half[1], shape.half[2])));
    }
    return least;
}

rigid_body make_body(const scene &s, const scene_body &b, bool continuous)
{
    rigid_body r;
    btRigidBody::btRigidBodyConstructionInfo info(btScalar(b.mass), nullptr, join_shapes(r, b),
                                                  vector(b.inertia));
    info.m_startWorldTransform = transform(b);
    r.body = std::make_unique<btRigidBody>(info);
    r.body->setRestitution(btScalar(s.e));
    r.body->setFriction(btScalar(s.mu));
    if (s.best) set_best(*r.body);
    if (b.fixed) return r;
    r.body->setLinearVelocity(vector(b.velocity));
    r.body->setAngularVelocity(vector(b.spin));
    if (!continuous) return r;
    r.body->setCcdMotionThreshold(btScalar(least_half(b)));
    r.body->setCcdSweptSphereRadius(btScalar(least_half(b) / 2));
    return r;
}

// The frame of a hinge in that of a body; its z is the axis.
btTransform frame_in(const scene_body &b, const scene_hinge &h)
{
    double turn[4];
    scene_turn_z_to(turn, h.axis);
    return transform(b).inverse() * btTransform(quaternion(turn), vector(h.point));
}

std::unique_ptr<btHingeConstraint> make_hinge(const scene &s, const scene_hinge &h,
                                              const std::vector<rigid_body> &bodies)
{
    auto hinge = std::make_unique<btHingeConstraint>(
        *bodies[h.a].body, *bodies[h.b].body, frame_in(s.bodies[h.a], h), frame_in(s.bodies[h.b], h), true);
    // beyond half a turn a stop has no effect
    if (h.lower < -SCENE_PI && h.upper > SCENE_PI) return hinge;
    const auto low = btScalar(std::fmax(h.lower, -SCENE_PI)), high = btScalar(std::fmin(h.upper, SCENE_PI));
    if (s.best) hinge->setLimit(low, high, 0.9F, 0.3F, 0); // no bounce
    else hinge->setLimit(low, high);
    return hinge;
}

void write_row(double t, const scene_body &b, const btRigidBody &body)
{
    const btTransform &at = body.getWorldTransform(); // of the last step, not interpolated
    const btVector3 &x = at.getOrigin(), &v = body.getLinearVelocity(), &w = body.getAngularVelocity();
    const btQuaternion q = at.getRotation();
    const double position[] = {x.x(), x.y(), x.z()}, turn[] = {q.w(), q.x(), q.y(), q.z()};
    const double velocity[] = {v.x(), v.y(), v.z()}, spin[] = {w.x(), w.y(), w.z()};
    scene_row(t, &b, position, turn, velocity, spin);
}

void write_rows(const scene &s, double t, const std::vector<rigid_body> &bodies)
{
    for (size_t i = 0; i < s.n_bodies; i++)
        if (!s.bodies[i].fixed) write_row(t, s.bodies[i], *bodies[i].body);
}

// Topics that the documentation excludes with the default settings.
void write_defaults(const scene &s, const btContactSolverInfo &info, double h)
{
    if (scene_least_impact(&s) <= double{info.m_restitutionVelocityThreshold})
        scene_unpromised("slow-restitution",
                         "btContactSolverInfo.h, m_restitutionVelocityThreshold: no restitution "
                         "where the relative velocity is below it, 0.2 m/s");
    if (scene_is_fast(&s, h))
        scene_unpromised("fast-bodies",
                         "btCollisionObject.h, setCcdMotionThreshold: no continuous collision detection "
                         "unless the motion in one step exceeds a threshold, and by default there is none");
    if (scene_may_rest(&s, rest_speed, rest_spin))
        scene_unpromised(
            "slow-motion",
            "btRigidBody.h, setSleepingThresholds, wantsSleeping: bodies below 0.8 m/s and 1 rad/s are "
            "deactivated, unless DISABLE_DEACTIVATION is set");
    // smaller bodies need more than 60 steps in a second: at least 300 for 1 cm
    const double size = scene_least_size(&s), least = least_size * (1 - rounding);
    const bool small = h > small_step && size < least;
    if (!small && scene_greatest_size(&s) <= greatest_size) return;
    for (const char *topic : {"restitution", "friction", "rest"})
        scene_unpromised(topic,
                         "Bullet User Manual, General Tips, Avoid very small and very large collision shapes: "
                         "moving objects of 0.2 to 5 m, smaller ones with a higher frequency than 60 Hz");
}

void describe(const scene &s, const btContactSolverInfo &info, int parts, bool continuous)
{
    const int version = btGetVersion();
    scene_engine("bullet", (std::to_string(version / 100) + "." + std::to_string(version % 100)).c_str());
    scene_setting("single precision, sequential impulses, %d iterations, %d steps per row%s",
                  info.m_numIterations, parts,
                  s.best ? (continuous ? ", no sleep, continuous" : ", no sleep") : "");
    if (scene_mass_ratio(&s) > most_mass_ratio)
        scene_unpromised("mass-ratio",
                         "Bullet User Manual, General Tips, Avoid large mass ratios: unstable when a "
                         "heavy object is resting on a very light object");
    if (!s.best) write_defaults(s, info, s.step / parts);
}

void set_best_solver(btContactSolverInfo &info)
{
    info.m_numIterations = best_iterations;
    info.m_restitutionVelocityThreshold = 0;
    // the correction of an overlap moves bodies, without changing velocities
    info.m_splitImpulsePenetrationThreshold = never;
}

void play(const scene &s)
{
    const int parts = scene_parts(&s, s.best ? scene_best_step() : default_step);
    const bool continuous = s.best && scene_is_fast(&s, s.step / parts);
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    std::vector<rigid_body> bodies;
    std::vector<std::unique_ptr<btHingeConstraint>> hinges;
    btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
    world.setGravity(vector(s.gravity));
    if (s.best) set_best_solver(world.getSolverInfo());
    for (size_t i = 0; i < s.n_bodies; i++) {
        bodies.push_back(make_body(s, s.bodies[i], continuous));
        world.addRigidBody(bodies[i].body.get());
    }
    for (size_t i = 0; i < s.n_hinges; i++) {
        hinges.push_back(make_hinge(s, s.hinges[i], bodies));
        world.addConstraint(hinges[i].get(), true); // the two bodies do not collide
    }
    describe(s, world.getSolverInfo(), parts, continuous);
    write_rows(s, 0, bodies);
    for (long i = 1; i <= s.steps; i++) {
        // steps of this length, without further division
        for (int k = 0; k < parts; k++) world.stepSimulation(btScalar(s.step / parts), 0);
        write_rows(s, static_cast<double>(i) * s.step, bodies);
    }
    scene_end();
    for (const auto &hinge : hinges) world.removeConstraint(hinge.get());
    for (const rigid_body &r : bodies) world.removeRigidBody(r.body.get());
}

} // namespace

int main()
{
    scene s{};
    gCalculateCombinedRestitutionCallback = restitution_of;
    gCalculateCombinedFrictionCallback = friction_of;
    while (scene_read(&s)) play(s);
    return scene_close();
}
