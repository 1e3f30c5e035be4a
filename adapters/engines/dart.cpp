// SPDX-License-Identifier: MIT
// DART 6.12, steps of 1 ms at most, its default. default: planes as planes, with DART's default collision detector (FCL).
// best: boxes of 100 m as planes; in the plane with DART's own detector; in space, where that one lets boxes fall
// through turned boxes, with FCL without meshes, and the pyramid of friction along the slip.
// Variants of either: plane or box; fcl, primitive (FCL without meshes) or dart; as in plane-primitive.
#include "adapters/engines/scene.h"

#include <cmath>
#include <cstring>
#include <dart/dart.hpp>
#include <vector>

namespace {

using namespace dart::dynamics;
using Eigen::Isometry3d;
using Eigen::Vector3d;

constexpr double plane_size = 100; // m
constexpr double longest_step = 1e-3;
constexpr double least_slip = 1e-9; // m/s; slip that has a direction
constexpr double fast_slip = 0.05;  // m/s; slip that friction does not stop within a step

bool asks_for(const scene &s, const char *word)
{
    return std::strstr(s.variant, word) != nullptr;
}

Vector3d vector(const double *v)
{
    return {v[0], v[1], v[2]};
}

Isometry3d pose(const double *turn, const double *position)
{
    Isometry3d at = Isometry3d::Identity();
    at.linear() = Eigen::Quaterniond(turn[0], turn[1], turn[2], turn[3]).toRotationMatrix();
    at.translation() = vector(position);
    return at;
}

Isometry3d pose(const scene_body &b)
{
    return pose(b.turn, b.position);
}

// ---- bodies

struct plant {
    const scene &played;
    std::vector<scene_link> links;
    std::vector<size_t> order;
    dart::simulation::WorldPtr world = dart::simulation::World::create();
    std::vector<BodyNodePtr> bodies; // which hold their skeletons
    bool boxes;                      // as planes

    explicit plant(const scene &s)
        : played(s), links(s.n_bodies + 1), order(s.n_bodies + 1), bodies(s.n_bodies),
          boxes(asks_for(s, "box") || (s.best && !asks_for(s, "plane")))
    {
    }

    ShapePtr make_shape(const scene_shape &shape) const
    {
        switch (shape.kind) {
        case SCENE_SPHERE: return std::make_shared<SphereShape>(shape.radius);
        case SCENE_BOX: return std::make_shared<BoxShape>(2 * vector(shape.half));
        default: break;
        }
        if (boxes) return std::make_shared<BoxShape>(Vector3d::Constant(plane_size));
        return std::make_shared<PlaneShape>(Vector3d::UnitY(), 0.0);
    }

    void add_shapes(BodyNode &body, const scene_body &b) const
    {
        for (size_t i = 0; i < b.n_shapes; i++) {
            const scene_shape &shape = b.shapes[i];
            ShapeNode *node = body.createShapeNodeWith<CollisionAspect, DynamicsAspect>(make_shape(shape));
            node->setRelativeTranslation(shape.kind == SCENE_PLANE && boxes ? Vector3d(0, -plane_size / 2, 0)
                                                                            : vector(shape.centre));
            node->getDynamicsAspect()->setRestitutionCoeff(std::sqrt(played.e)); // of a pair: the product
            node->getDynamicsAspect()->setFrictionCoeff(played.mu);              // of a pair: the smaller value
        }
        if (b.fixed) return;
        const Vector3d moments = vector(b.inertia);
        body.setInertia(Inertia(b.mass, Vector3d::Zero(), moments.asDiagonal().toDenseMatrix()));
    }

    static SkeletonPtr add_skeleton(size_t i)
    {
        SkeletonPtr skeleton = Skeleton::create(std::to_string(i));
        // bodies of one tree collide, except those that a hinge connects
        skeleton->enableSelfCollisionCheck();
        skeleton->enableAdjacentBodyCheck();
        return skeleton;
    }

    BodyNodePtr add_fixed(size_t i) const
    {
        const SkeletonPtr skeleton = add_skeleton(i);
        const auto pair = skeleton->createJointAndBodyNodePair<WeldJoint>();
        pair.first->setTransformFromParentBodyNode(pose(played.bodies[i]));
        skeleton->setMobile(false);
        return pair.second;
    }

    BodyNodePtr add_free(size_t i) const
    {
        const scene_body &b = played.bodies[i];
        const SkeletonPtr skeleton = add_skeleton(i);
        if (played.dimension == 2) { // coordinates: x, y, angle about z
            const auto pair = skeleton->createJointAndBodyNodePair<PlanarJoint>();
            pair.first->setPositions(Vector3d(b.position[0], b.position[1], scene_angle(b.turn)));
            pair.first->setVelocities(Vector3d(b.velocity[0], b.velocity[1], b.spin[2]));
            return pair.second;
        }
        const auto pair = skeleton->createJointAndBodyNodePair<FreeJoint>();
        pair.first->setTransform(pose(b));
        pair.first->setLinearVelocity(vector(b.velocity));
        pair.first->setAngularVelocity(vector(b.spin));
        return pair.second;
    }

    BodyNodePtr add_hinged(size_t i) const
    {
        const scene_link &link = links[i];
        const scene_body &parent = played.bodies[link.parent];
        const double straight[] = {1, 0, 0, 0};
        const Isometry3d joint = pose(straight, link.point);
        RevoluteJoint::Properties properties;
        properties.mAxis = vector(link.axis);
        properties.mT_ParentBodyToJoint =
            (parent.fixed ? Isometry3d::Identity() : pose(parent)).inverse() * joint;
        properties.mT_ChildBodyToJoint = pose(played.bodies[i]).inverse() * joint;
        const SkeletonPtr skeleton = parent.fixed ? add_skeleton(i) : bodies[link.parent]->getSkeleton();
        // the axis is in the frame of the joint, which is that of the parent at angle 0
        const auto pair = skeleton->createJointAndBodyNodePair<RevoluteJoint>(
            parent.fixed ? nullptr : bodies[link.parent].get(), properties);
        pair.first->setLimitEnforcement(true);
        pair.first->setPositionLowerLimit(0, link.lower);
        pair.first->setPositionUpperLimit(0, link.upper);
        pair.first->setVelocity(0, scene_link_rate(&played, links.data(), i));
        return pair.second;
    }

    void add_bodies()
    {
        for (size_t n = 0; n < played.n_bodies; n++) {
            const size_t i = order[n];
            bodies[i] = played.bodies[i].fixed ? add_fixed(i) : links[i].hinged ? add_hinged(i) : add_free(i);
            add_shapes(*bodies[i], played.bodies[i]);
        }
        // a skeleton is complete when it joins the world
        for (const BodyNodePtr &body : bodies)
            if (!world->hasSkeleton(body->getSkeleton())) world->addSkeleton(body->getSkeleton());
    }

    void exclude_hinged()
    {
        const auto filter = std::dynamic_pointer_cast<dart::collision::BodyNodeCollisionFilter>(
            world->getConstraintSolver()->getCollisionOption().collisionFilter);
        for (size_t i = 0; i < played.n_hinges && filter; i++)
            filter->addBodyNodePairToBlackList(bodies[played.hinges[i].a].get(),
                                               bodies[played.hinges[i].b].get());
    }

    // The velocity of a body's point in the frame of the ground.
    static Vector3d velocity_at(const BodyNode &body, const Vector3d &point)
    {
        return body.getLinearVelocity() +
               body.getAngularVelocity().cross(point - body.getWorldTransform().translation());
    }

    void set_friction(const BodyNode *body, const Vector3d &slip) const
    {
        for (const BodyNodePtr &own : bodies) {
            if (own.get() != body) continue;
            for (ShapeNode *node : own->getShapeNodesWith<DynamicsAspect>()) {
                node->getDynamicsAspect()->setFirstFrictionDirectionFrame(Frame::World());
                node->getDynamicsAspect()->setFirstFrictionDirection(slip.normalized());
                node->getDynamicsAspect()->setSecondaryFrictionCoeff(slip.norm() < fast_slip ? played.mu : 0);
            }
        }
    }

    // The pyramid of friction lies along the slip that a step without contact would leave, in which it is as high as
    // Coulomb's cone. Across a slip that does not stop there is no friction. A body has one direction: that of its last
    // contact.
    void align_friction() const
    {
        dart::collision::CollisionResult found;
        world->checkCollision(world->getConstraintSolver()->getCollisionOption(), &found);
        const Vector3d falls = world->getTimeStep() * world->getGravity();
        for (const dart::collision::Contact &contact : found.getContacts()) {
            const BodyNode *a =
                contact.collisionObject1->getShapeFrame()->asShapeNode()->getBodyNodePtr().get();
            const BodyNode *b =
                contact.collisionObject2->getShapeFrame()->asShapeNode()->getBodyNodePtr().get();
            Vector3d slip = velocity_at(*a, contact.point) - velocity_at(*b, contact.point);
            slip += (a->isReactive() ? 1 : 0) * falls - (b->isReactive() ? 1 : 0) * falls;
            slip -= contact.normal * contact.normal.dot(slip);
            if (slip.norm() < least_slip) continue;
            set_friction(a, slip);
            set_friction(b, slip);
        }
    }

    void step() const
    {
        if (played.best && played.dimension == 3) align_friction();
        world->step();
    }

    void write_rows(double t) const
    {
        for (size_t i = 0; i < played.n_bodies; i++) {
            if (played.bodies[i].fixed) continue;
            const Isometry3d &at = bodies[i]->getWorldTransform();
            const Eigen::Quaterniond q(at.linear());
            const double turn[] = {q.w(), q.x(), q.y(), q.z()};
            const Vector3d x = at.translation(), v = bodies[i]->getLinearVelocity(),
                           w = bodies[i]->getAngularVelocity();
            scene_row(t, &played.bodies[i], x.data(), turn, v.data(), w.data());
        }
    }
};

dart::collision::CollisionDetectorPtr make_detector(const scene &s)
{
    using namespace dart::collision;
    const bool own = asks_for(s, "dart"), chosen = own || asks_for(s, "fcl") || asks_for(s, "primitive");
    if (own || (s.best && !chosen && s.dimension == 2)) return DARTCollisionDetector::create();
    if (!asks_for(s, "primitive") && (chosen || !s.best)) return nullptr;
    const std::shared_ptr<FCLCollisionDetector> detector = FCLCollisionDetector::create();
    detector->setPrimitiveShapeType(FCLCollisionDetector::PRIMITIVE);
    return detector;
}

void play_steps(plant &p)
{
    const scene &s = p.played;
    const int parts = scene_parts(&s, longest_step);
    const auto &solver = p.world->getConstraintSolver();
    p.world->setGravity(vector(s.gravity));
    p.world->setTimeStep(s.step / parts);
    if (const auto detector = make_detector(s)) solver->setCollisionDetector(detector);
    p.add_bodies();
    p.exclude_hinged();
    const auto fcl =
        std::dynamic_pointer_cast<dart::collision::FCLCollisionDetector>(solver->getCollisionDetector());
    const bool meshes = fcl && fcl->getPrimitiveShapeType() == dart::collision::FCLCollisionDetector::MESH;
    scene_setting("detector %s%s, planes as %s, %d steps per row",
                  solver->getCollisionDetector()->getType().c_str(), meshes ? " with meshes" : "",
                  p.boxes ? "boxes" : "planes", parts);
    p.write_rows(0);
    for (long i = 1; i <= s.steps; i++) {
        for (int k = 0; k < parts; k++) p.step();
        p.write_rows(static_cast<double>(i) * s.step);
    }
    scene_end();
}

void play(const scene &s)
{
    plant p(s);
    scene_engine("dart", DART_VERSION);
    if (scene_tree(p.links.data(), p.order.data(), &s)) play_steps(p);
    else scene_unsupported("hinges that form a loop");
}

} // namespace

int main()
{
    scene s{};
    while (scene_read(&s)) play(s);
    return scene_close();
}
