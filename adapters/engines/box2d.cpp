// SPDX-License-Identifier: MIT
// Box2D 2.4. default: its settings (no restitution at or below 1 m/s).
// best: no threshold, no sub-stepping to the time of impact.
#include "adapters/engines/scene.h"

#include <box2d/box2d.h>

namespace {

constexpr float ground_half_length = 1e3F, ground_half_depth = 1;

b2Vec2 vector(double x, double y)
{
    return {static_cast<float>(x), static_cast<float>(y)};
}

b2Body *add_body(b2World &world, const scene &s)
{
    b2BodyDef definition;
    definition.type = b2_dynamicBody;
    definition.position = vector(s.x, s.y);
    definition.angle = static_cast<float>(-s.phi);
    definition.linearVelocity = vector(s.vx, s.vy);
    definition.angularVelocity = static_cast<float>(-s.omega);
    b2CircleShape circle;
    circle.m_p = vector(s.sphere_x, s.sphere_y);
    circle.m_radius = static_cast<float>(s.radius);
    b2FixtureDef fixture;
    fixture.shape = &circle;
    fixture.restitution = static_cast<float>(s.e); // of a pair: the larger value
    fixture.friction = static_cast<float>(s.mu);   // of a pair: the geometric mean
    if (s.best) fixture.restitutionThreshold = 0;  // of a pair: the smaller value
    b2Body *body = world.CreateBody(&definition);
    body->CreateFixture(&fixture);
    b2MassData mass;
    mass.mass = static_cast<float>(s.mass);
    mass.center.SetZero();
    mass.I = static_cast<float>(s.inertia);
    body->SetMassData(&mass);
    return body;
}

void add_ground(b2World &world, const scene &s)
{
    // A box has a skin; the ground is lowered by its thickness, so that contact is at y = 0.
    b2PolygonShape box;
    box.SetAsBox(ground_half_length, ground_half_depth, {0, -ground_half_depth - box.m_radius}, 0);
    b2FixtureDef fixture;
    fixture.shape = &box;
    fixture.restitution = 0;
    fixture.friction = static_cast<float>(s.mu);
    const b2BodyDef definition;
    world.CreateBody(&definition)->CreateFixture(&fixture);
}

void write_row(const scene &s, double t, const b2Body &body)
{
    const b2Vec2 x = body.GetPosition(), v = body.GetLinearVelocity();
    scene_row(&s, t, x.x, x.y, -body.GetAngle(), v.x, v.y, -body.GetAngularVelocity());
}

} // namespace

int main(int argc, char **argv)
{
    const scene s = scene_read(argc, argv);
    b2World world(vector(0, -s.gravity));
    if (s.best) world.SetContinuousPhysics(false);
    add_ground(world, s);
    const b2Body *body = add_body(world, s);
    write_row(s, 0, *body);
    for (long i = 1, n = scene_steps(&s); i <= n; i++) {
        world.Step(static_cast<float>(s.step), 8, 3);
        write_row(s, static_cast<double>(i) * s.step, *body);
    }
    return scene_close(&s);
}
