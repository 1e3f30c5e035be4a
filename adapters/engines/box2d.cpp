// SPDX-License-Identifier: MIT
// Box2D 2.4, planar. default: its settings (no restitution at or below 1 m/s), steps of 1/60 s at most.
// best: steps of 1/960 s at most, no threshold, no sleep, more iterations; sub-stepping to the time of impact only
// where a body could pass through another in a step, for it loses the rest of the step.
#include "adapters/engines/scene.h"

#include <algorithm>
#include <box2d/box2d.h>
#include <cmath>
#include <string>
#include <vector>

namespace {

constexpr float plane_half_length = 1e3F, plane_half_depth = 1;
constexpr double default_step = 1.0 / 60;
constexpr float thinnest = 1e-3F; // half length of a box without its skin, m

struct iterations {
    int velocity, position;
};
constexpr iterations default_iterations{8, 3}; // as the manual suggests
constexpr iterations best_iterations{100, 20};

b2Vec2 vector(const double *v)
{
    return {static_cast<float>(v[0]), static_cast<float>(v[1])};
}

// A box has a skin; it is made smaller by its thickness, so that the surface is where the scene has it.
b2PolygonShape make_box(const scene_shape &shape)
{
    b2PolygonShape box;
    const float skin = box.m_radius;
    box.SetAsBox(std::max(static_cast<float>(shape.half[0]) - skin, thinnest),
                 std::max(static_cast<float>(shape.half[1]) - skin, thinnest), vector(shape.centre), 0);
    return box;
}

void add_shape(b2Body &body, const scene &s, const scene_shape &shape)
{
    b2CircleShape circle;
    b2PolygonShape box;
    b2FixtureDef fixture;
    fixture.shape = &box;
    fixture.restitution = static_cast<float>(s.e); // of a pair: the larger value
    fixture.friction = static_cast<float>(s.mu);   // of a pair: the geometric mean
    if (s.best) fixture.restitutionThreshold = 0;  // of a pair: the smaller value
    switch (shape.kind) {
    case SCENE_SPHERE:
        circle.m_p = vector(shape.centre);
        circle.m_radius = static_cast<float>(shape.radius);
        fixture.shape = &circle;
        break;
    case SCENE_BOX: box = make_box(shape); break;
    case SCENE_PLANE:
        box.SetAsBox(plane_half_length, plane_half_depth, {0, -plane_half_depth - box.m_radius}, 0);
        break;
    }
    body.CreateFixture(&fixture);
}

b2Body *add_body(b2World &world, const scene &s, const scene_body &b, bool continuous)
{
    b2BodyDef definition;
    definition.type = b.fixed ? b2_staticBody : b2_dynamicBody;
    definition.position = vector(b.position);
    definition.angle = static_cast<float>(scene_angle(b.turn));
    definition.linearVelocity = vector(b.velocity);
    definition.angularVelocity = static_cast<float>(b.spin[2]);
    definition.allowSleep = !s.best;
    definition.bullet = s.best && continuous;
    b2Body *body = world.CreateBody(&definition);
    for (size_t i = 0; i < b.n_shapes; i++) add_shape(*body, s, b.shapes[i]);
    if (b.fixed) return body;
    b2MassData mass;
    mass.mass = static_cast<float>(b.mass);
    mass.center.SetZero();
    mass.I = static_cast<float>(b.inertia[2]);
    body->SetMassData(&mass);
    return body;
}

void add_hinge(b2World &world, const scene_hinge &h, b2Body *a, b2Body *b)
{
    b2RevoluteJointDef joint;
    joint.Initialize(a, b, vector(h.point));
    const bool along = h.axis[2] > 0;
    joint.lowerAngle = static_cast<float>(along ? h.lower : -h.upper);
    joint.upperAngle = static_cast<float>(along ? h.upper : -h.lower);
    joint.enableLimit = std::isfinite(h.lower) || std::isfinite(h.upper);
    world.CreateJoint(&joint);
}

void write_rows(const scene &s, double t, const std::vector<b2Body *> &bodies)
{
    for (size_t i = 0; i < s.n_bodies; i++) {
        if (s.bodies[i].fixed) continue;
        const b2Vec2 x = bodies[i]->GetPosition(), v = bodies[i]->GetLinearVelocity();
        const double position[] = {x.x, x.y}, velocity[] = {v.x, v.y};
        scene_row_2d(t, &s.bodies[i], position, bodies[i]->GetAngle(), velocity, bodies[i]->GetAngularVelocity());
    }
}

void write_engine()
{
    const std::string version = std::to_string(b2_version.major) + "." + std::to_string(b2_version.minor) + "." +
                                std::to_string(b2_version.revision);
    scene_engine("box2d", version.c_str());
}

void describe(const scene &s, iterations n, int parts, bool continuous)
{
    write_engine();
    scene_setting("%d velocity and %d position iterations, %d steps per row, %s, boxes less their skin of %g m",
                  n.velocity, n.position, parts, continuous ? "continuous" : "not continuous", double{b2_polygonRadius});
    if (s.best) return;
    scene_unpromised("slow-restitution", "b2_fixture.h, b2FixtureDef::restitutionThreshold: collisions above this "
                                         "speed (1 m/s) have restitution applied");
    if (scene_is_fast_between_moving(&s, s.step / parts))
        scene_unpromised("fast-bodies", "b2_body.h, b2BodyDef::bullet: moving bodies that are no bullets may pass "
                                        "through other moving bodies");
}

void play(const scene &s)
{
    const int parts = scene_parts(&s, s.best ? scene_best_step() : default_step);
    const bool continuous = !s.best || scene_is_fast(&s, s.step / parts);
    const iterations n = s.best ? best_iterations : default_iterations;
    b2World world(vector(s.gravity));
    world.SetContinuousPhysics(continuous);
    std::vector<b2Body *> bodies;
    for (size_t i = 0; i < s.n_bodies; i++) bodies.push_back(add_body(world, s, s.bodies[i], continuous));
    for (size_t i = 0; i < s.n_hinges; i++)
        add_hinge(world, s.hinges[i], bodies[s.hinges[i].a], bodies[s.hinges[i].b]);
    describe(s, n, parts, continuous);
    write_rows(s, 0, bodies);
    for (long i = 1; i <= s.steps; i++) {
        for (int k = 0; k < parts; k++) world.Step(static_cast<float>(s.step / parts), n.velocity, n.position);
        write_rows(s, static_cast<double>(i) * s.step, bodies);
    }
    scene_end();
}

} // namespace

int main()
{
    scene s{};
    while (scene_read(&s)) {
        if (s.dimension == 2) {
            play(s);
        } else {
            write_engine();
            scene_unsupported("planar engine");
        }
    }
    return scene_close();
}
