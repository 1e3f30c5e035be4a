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
constexpr double least_size = 0.1, greatest_size = 10; // m, of moving shapes
constexpr double most_mass_ratio = 10;
constexpr double rounding = 1e-9;
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

// A polygon has a skin of b2_polygonRadius. So that contact is where the scene has it, one polygon of a pair is made
// smaller by its skin, or by both: a moving box keeps its corners against fixed boxes and planes, which have the gap of
// both skins instead. Each pair has its own fixtures.
enum category : uint16 {
    sphere = 1,
    exact_box = 2,             // a moving box with its skin outside
    inner_box = 4,             // the same, less its skin
    fixed_for_spheres = 8,     // less its skin
    fixed_for_exact_boxes = 16 // less two skins
};

void add_fixture(b2Body &body, const scene &s, const b2Shape &shape, category own, int others)
{
    b2FixtureDef fixture;
    fixture.shape = &shape;
    fixture.restitution = static_cast<float>(s.e); // of a pair: the larger value
    fixture.friction = static_cast<float>(s.mu);   // of a pair: the geometric mean
    if (s.best) fixture.restitutionThreshold = 0;  // of a pair: the smaller value
    fixture.filter.categoryBits = own;
    fixture.filter.maskBits = static_cast<uint16>(others);
    body.CreateFixture(&fixture);
}

// Half lengths of a box or a plane, shortened by a number of skins.
b2PolygonShape make_polygon(const scene_shape &shape, int skins)
{
    b2PolygonShape polygon;
    const float less = static_cast<float>(skins) * polygon.m_radius;
    if (shape.kind == SCENE_PLANE)
        polygon.SetAsBox(plane_half_length, plane_half_depth, {0, -plane_half_depth - less}, 0);
    else
        polygon.SetAsBox(std::max(static_cast<float>(shape.half[0]) - less, thinnest),
                         std::max(static_cast<float>(shape.half[1]) - less, thinnest), vector(shape.centre), 0);
    return polygon;
}

void add_shape(b2Body &body, const scene &s, const scene_shape &shape, bool fixed)
{
    if (shape.kind == SCENE_SPHERE) {
        b2CircleShape circle;
        circle.m_p = vector(shape.centre);
        circle.m_radius = static_cast<float>(shape.radius);
        add_fixture(body, s, circle, sphere, sphere | inner_box | fixed_for_spheres);
    } else if (fixed) {
        add_fixture(body, s, make_polygon(shape, 1), fixed_for_spheres, sphere);
        add_fixture(body, s, make_polygon(shape, 2), fixed_for_exact_boxes, exact_box);
    } else {
        add_fixture(body, s, make_polygon(shape, 0), exact_box, fixed_for_exact_boxes);
        add_fixture(body, s, make_polygon(shape, 1), inner_box, sphere | inner_box);
    }
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
    for (size_t i = 0; i < b.n_shapes; i++) add_shape(*body, s, b.shapes[i], b.fixed);
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
        scene_row_2d(t, &s.bodies[i], position, bodies[i]->GetAngle(), velocity,
                     bodies[i]->GetAngularVelocity());
    }
}

void write_engine()
{
    const std::string version = std::to_string(b2_version.major) + "." + std::to_string(b2_version.minor) +
                                "." + std::to_string(b2_version.revision);
    scene_engine("box2d", version.c_str());
}

// Topics that the documentation excludes with any settings.
void write_limits(const scene &s, double h)
{
    if (scene_mass_ratio(&s) > most_mass_ratio)
        scene_unpromised("mass-ratio",
                         "manual, Loose Ends, Limitations: heavy bodies on much lighter bodies are not "
                         "stable; stability degrades as the mass ratio passes 10:1");
    if (scene_greatest_speed(&s) * h > double{b2_maxTranslation})
        scene_unpromised("free-flight", "b2_common.h, b2_maxTranslation: a body moves 2 m in a step at most");
    if (scene_least_size(&s) >= least_size * (1 - rounding) && scene_greatest_size(&s) <= greatest_size) return;
    for (const char *topic : {"restitution", "friction", "rest"})
        scene_unpromised(topic,
                         "manual, Overview, Units: tuned to work well with moving shapes between 0.1 and "
                         "10 meters");
}

// Topics that it excludes with the default settings only.
void write_defaults(const scene &s, double h)
{
    if (scene_least_impact(&s) <= double{b2FixtureDef{}.restitutionThreshold})
        scene_unpromised("slow-restitution",
                         "b2_fixture.h, b2FixtureDef::restitutionThreshold: collisions above this "
                         "speed (1 m/s) have restitution applied");
    if (scene_is_fast_between_moving(&s, h))
        scene_unpromised("fast-bodies",
                         "manual, Dynamics Module, Bullets: normally continuous collision detection is "
                         "not used between dynamic bodies; b2BodyDef::bullet");
    if (scene_may_rest(&s, double{b2_linearSleepTolerance}, double{b2_angularSleepTolerance}))
        scene_unpromised("slow-motion",
                         "b2_common.h, b2_linearSleepTolerance, b2_angularSleepTolerance: bodies below "
                         "0.01 m/s and 2 degrees/s fall asleep; b2BodyDef::allowSleep");
}

void describe(const scene &s, iterations n, int parts, bool continuous)
{
    write_engine();
    scene_setting(
        "%d velocity and %d position iterations, %d steps per row, %s, polygons less their skins of %g m",
        n.velocity, n.position, parts, continuous ? "continuous" : "not continuous", double{b2_polygonRadius});
    write_limits(s, s.step / parts);
    if (!s.best) write_defaults(s, s.step / parts);
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
