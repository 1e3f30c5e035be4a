// SPDX-License-Identifier: MIT
// DART 6.12. default: a plane as the ground, with DART's default collision detector (FCL).
// best: a box as the ground, with DART's own detector.
// Variants of either: plane or box; fcl, primitive (FCL without meshes) or dart; as in plane-primitive.
#include "adapters/engines/scene.h"

#include <cstring>
#include <dart/dart.hpp>

namespace {

using Eigen::Vector3d;

constexpr double ground_size = 100; // m

bool asks_for(const scene &s, const char *word)
{
    return std::strstr(s.variant, word) != nullptr;
}

void set_material(dart::dynamics::ShapeNode &node, double e, double mu)
{
    dart::dynamics::DynamicsAspect *aspect = node.getDynamicsAspect();
    aspect->setRestitutionCoeff(e); // of a pair: the product
    aspect->setFrictionCoeff(mu);   // of a pair: the smaller value
}

dart::dynamics::SkeletonPtr make_ground(const scene &s, bool box)
{
    using namespace dart::dynamics;
    SkeletonPtr skeleton = Skeleton::create("ground");
    BodyNode *body = skeleton->createJointAndBodyNodePair<WeldJoint>().second;
    ShapePtr shape;
    if (box) shape = std::make_shared<BoxShape>(Vector3d(ground_size, ground_size, ground_size));
    else shape = std::make_shared<PlaneShape>(Vector3d(0, 1, 0), 0.0);
    ShapeNode *node = body->createShapeNodeWith<CollisionAspect, DynamicsAspect>(shape);
    if (box) node->setRelativeTranslation(Vector3d(0, -ground_size / 2, 0));
    set_material(*node, 1, s.mu);
    skeleton->setMobile(false);
    return skeleton;
}

dart::dynamics::SkeletonPtr make_body(const scene &s)
{
    using namespace dart::dynamics;
    SkeletonPtr skeleton = Skeleton::create("body");
    auto pair = skeleton->createJointAndBodyNodePair<PlanarJoint>(); // coordinates: x, y, angle about z
    ShapeNode *node = pair.second->createShapeNodeWith<CollisionAspect, DynamicsAspect>(
        std::make_shared<SphereShape>(s.radius));
    node->setRelativeTranslation(Vector3d(s.sphere_x, s.sphere_y, 0));
    set_material(*node, s.e, s.mu);
    pair.second->setInertia(Inertia(s.mass, Vector3d::Zero(), s.inertia * Eigen::Matrix3d::Identity()));
    skeleton->setPositions(Vector3d(s.x, s.y, -s.phi));
    skeleton->setVelocities(Vector3d(s.vx, s.vy, -s.omega));
    return skeleton;
}

dart::collision::CollisionDetectorPtr make_detector(const scene &s)
{
    using namespace dart::collision;
    if (asks_for(s, "primitive")) {
        const std::shared_ptr<FCLCollisionDetector> detector = FCLCollisionDetector::create();
        detector->setPrimitiveShapeType(FCLCollisionDetector::PRIMITIVE);
        return detector;
    }
    if (asks_for(s, "dart") || (s.best && !asks_for(s, "fcl"))) return DARTCollisionDetector::create();
    return nullptr;
}

void write_row(const scene &s, double t, const dart::dynamics::Skeleton &body)
{
    const Vector3d q = body.getPositions(), v = body.getVelocities();
    scene_row(&s, t, q[0], q[1], -q[2], v[0], v[1], -v[2]);
}

} // namespace

int main(int argc, char **argv)
{
    const scene s = scene_read(argc, argv);
    const bool box = asks_for(s, "box") || (s.best && !asks_for(s, "plane"));
    dart::simulation::WorldPtr world = dart::simulation::World::create();
    const dart::dynamics::SkeletonPtr body = make_body(s);
    world->setGravity(Vector3d(0, -s.gravity, 0));
    world->setTimeStep(s.step);
    if (const auto detector = make_detector(s)) world->getConstraintSolver()->setCollisionDetector(detector);
    world->addSkeleton(make_ground(s, box));
    world->addSkeleton(body);
    write_row(s, 0, *body);
    for (long i = 1, n = scene_steps(&s); i <= n; i++) {
        world->step();
        write_row(s, static_cast<double>(i) * s.step, *body);
    }
    return scene_close(&s);
}
