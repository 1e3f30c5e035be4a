// SPDX-License-Identifier: MIT
// Simbody 3.7. default: its unilateral contact with its semi-explicit Euler stepper, which uses Poisson's hypothesis,
// one step per row. best: steps of 1/960 s at most, 1/480 s in scenes of a second and
// more, without thresholds and position projection.
// Scenes without contact and stops: Runge-Kutta-Merson, as in Simbody's first example; best: with a small tolerance.
// Variants: newton, its other hypothesis; compliant, Hunt and Crossley's contact with Runge-Kutta-Merson.
#include "adapters/engines/scene.h"

#include <Simbody.h>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace {

using SimTK::Transform;
using SimTK::UnitVec3;
using SimTK::Vec3;

constexpr double stiffness = 1e10;      // Pa, for both bodies
constexpr double stop_stiffness = 1e6;  // N m/rad, of stops of hinges with compliance
constexpr double stop_dissipation = 10; // s/rad
constexpr double least_speed = 1e-5;    // m/s
constexpr double best_accuracy = 1e-8;  // of Runge-Kutta-Merson
constexpr double slow_impact = 1e-3;    // m/s; the damping of contact is that of this speed at least

Vec3 vector(const double *v)
{
    return {v[0], v[1], v[2]};
}

SimTK::Rotation rotation(const double *turn)
{
    return SimTK::Rotation(SimTK::Quaternion(SimTK::Vec4(turn[0], turn[1], turn[2], turn[3])));
}

Transform pose(const scene_body &b)
{
    return {rotation(b.turn), vector(b.position)};
}

bool is_compliant(const scene &s)
{
    return scene_is(&s, "compliant");
}

// ---- bodies

struct plant {
    const scene &played;
    const std::vector<scene_link> &links;
    SimTK::MultibodySystem system;
    SimTK::SimbodyMatterSubsystem matter{system};
    SimTK::GeneralForceSubsystem forces{system};
    std::vector<SimTK::MobilizedBody> bodies; // a fixed body is the ground

    plant(const scene &s, const std::vector<scene_link> &tree, const std::vector<size_t> &order)
        : played(s), links(tree), bodies(s.n_bodies)
    {
        const Vec3 gravity = vector(s.gravity);
        if (gravity.norm() > 0) SimTK::Force::Gravity(forces, matter, gravity);
        for (const size_t i : order)
            bodies[i] = s.bodies[i].fixed ? SimTK::MobilizedBody(matter.Ground()) : add_body(i);
    }

    SimTK::MobilizedBody add_body(size_t i)
    {
        const scene_body &b = played.bodies[i];
        const SimTK::Inertia inertia(b.inertia[0], b.inertia[1], b.inertia[2]);
        const SimTK::Body::Rigid rigid(SimTK::MassProperties(b.mass, Vec3(0), inertia));
        if (links[i].hinged) return add_hinge(i, rigid);
        // also in the plane: with coordinates of the plane only, boxes stick on slopes where they should slide
        return SimTK::MobilizedBody::Free(matter.Ground(), rigid);
    }

    // The body turns about z of the frame of the joint.
    SimTK::MobilizedBody add_hinge(size_t i, const SimTK::Body &rigid)
    {
        const scene_link &link = links[i];
        double turn[4];
        scene_turn_z_to(turn, link.axis);
        const Transform joint(rotation(turn), vector(link.point));
        SimTK::MobilizedBody::Pin pin(bodies[link.parent], ~frame_of(link.parent) * joint, rigid,
                                      ~pose(played.bodies[i]) * joint);
        const SimTK::MobilizerQIndex angle(0);
        if (is_compliant(played)) {
            SimTK::Force::MobilityLinearStop(forces, pin, angle, stop_stiffness, stop_dissipation, link.lower,
                                             link.upper);
        } else {
            if (std::isfinite(link.lower))
                matter.adoptUnilateralContact(new SimTK::HardStopLower(pin, angle, link.lower, 0));
            if (std::isfinite(link.upper))
                matter.adoptUnilateralContact(new SimTK::HardStopUpper(pin, angle, link.upper, 0));
        }
        return pin;
    }

    // The frame of the mobilized body of a body: for fixed ones that of the ground.
    Transform frame_of(size_t i) const
    {
        return played.bodies[i].fixed ? Transform() : pose(played.bodies[i]);
    }

    // From the frame of a body to that of its mobilized body.
    Transform within(size_t i) const
    {
        return played.bodies[i].fixed ? pose(played.bodies[i]) : Transform();
    }

    SimTK::State start()
    {
        SimTK::State state = system.realizeTopology();
        for (size_t i = 0; i < played.n_bodies; i++) {
            const scene_body &b = played.bodies[i];
            if (b.fixed) continue;
            if (links[i].hinged) {
                bodies[i].setOneU(state, 0, scene_link_rate(&played, links.data(), i));
            } else {
                bodies[i].setQToFitTransform(state, pose(b));
                bodies[i].setUToFitVelocity(state, SimTK::SpatialVec(vector(b.spin), vector(b.velocity)));
            }
        }
        return state;
    }

    void write_rows(double t, const SimTK::State &state) const
    {
        system.realize(state, SimTK::Stage::Velocity);
        for (size_t i = 0; i < played.n_bodies; i++) {
            if (played.bodies[i].fixed) continue;
            const Transform &at = bodies[i].getBodyTransform(state);
            const SimTK::Quaternion q = at.R().convertRotationToQuaternion();
            const Vec3 x = at.p(), v = bodies[i].getBodyOriginVelocity(state),
                       w = bodies[i].getBodyAngularVelocity(state);
            scene_row(t, &played.bodies[i], &x[0], &q[0], &v[0], &w[0]);
        }
    }

    template <class stepper> void write_run(stepper &stepping, int parts) const
    {
        write_rows(0, stepping.getState());
        for (long i = 1; i <= played.steps; i++) {
            const double before = static_cast<double>(i - 1) * played.step,
                         t = static_cast<double>(i) * played.step;
            for (int k = 1; k < parts; k++) stepping.stepTo(before + k * played.step / parts);
            stepping.stepTo(t);
            write_rows(t, stepping.getState());
        }
        scene_end();
    }
};

// ---- contacts

// A shape of a body, in the frame of its mobilized body.
struct placed_shape {
    const scene_shape &shape;
    size_t body;
    Transform frame;
    SimTK::MobilizedBody &mobilized;
};

std::vector<placed_shape> shapes_of(plant &p, size_t body)
{
    std::vector<placed_shape> shapes;
    const scene_body &b = p.played.bodies[body];
    for (size_t i = 0; i < b.n_shapes; i++)
        shapes.push_back({b.shapes[i], body, p.within(body) * Transform(vector(b.shapes[i].centre)),
                          b.fixed ? p.matter.updGround() : p.bodies[body]});
    return shapes;
}

// Contact of each corner of a box.
void add_corners(plant &p, const placed_shape &box, const placed_shape &plane, const UnitVec3 &normal,
                 double height)
{
    const scene &s = p.played;
    for (int k = 0; k < 8; k++) {
        const Vec3 corner((k & 1) != 0 ? box.shape.half[0] : -box.shape.half[0],
                          (k & 2) != 0 ? box.shape.half[1] : -box.shape.half[1],
                          (k & 4) != 0 ? box.shape.half[2] : -box.shape.half[2]);
        p.matter.adoptUnilateralContact(new SimTK::PointPlaneContact(
            plane.mobilized, normal, height, box.mobilized, box.frame * corner, s.e, s.mu, s.mu, 0));
    }
}

bool add_contact(plant &p, const placed_shape &a, const placed_shape &b)
{
    const scene &s = p.played;
    if (a.shape.kind == SCENE_PLANE) return add_contact(p, b, a);
    if (b.shape.kind == SCENE_PLANE) {
        const UnitVec3 normal(b.frame.y());
        const double height = SimTK::dot(Vec3(normal), b.frame.p());
        if (a.shape.kind == SCENE_BOX) {
            add_corners(p, a, b, normal, height);
            return true;
        }
        p.matter.adoptUnilateralContact(new SimTK::SpherePlaneContact(
            b.mobilized, normal, height, a.mobilized, a.frame.p(), a.shape.radius, s.e, s.mu, s.mu, 0));
        return true;
    }
    if (a.shape.kind != SCENE_SPHERE || b.shape.kind != SCENE_SPHERE) return false;
    p.matter.adoptUnilateralContact(new SimTK::SphereSphereContact(a.mobilized, a.frame.p(), a.shape.radius,
                                                                   b.mobilized, b.frame.p(), b.shape.radius,
                                                                   s.e, s.mu, s.mu, 0));
    return true;
}

// Whether two shapes of these kinds may touch.
bool may_touch(const scene &s, const placed_shape &a, const placed_shape &b)
{
    return !(s.bodies[a.body].fixed && s.bodies[b.body].fixed) && !scene_hinged(&s, a.body, b.body);
}

// Calls a function with each pair of shapes of different bodies, until it returns false.
template <class function> bool for_pairs(plant &p, function &&visit)
{
    for (size_t i = 0; i < p.played.n_bodies; i++)
        for (size_t k = 0; k < i; k++)
            for (const placed_shape &a : shapes_of(p, i))
                for (const placed_shape &b : shapes_of(p, k))
                    if (may_touch(p.played, a, b) && !visit(a, b)) return false;
    return true;
}

void set_best(SimTK::SemiExplicitEulerTimeStepper &stepping)
{
    // twice this is the lower limit of the thresholds below
    stepping.setConstraintTolerance(least_speed / 2);
    stepping.setDefaultImpactCaptureVelocity(least_speed);
    stepping.setDefaultImpactMinCORVelocity(least_speed);
    stepping.setDefaultFrictionTransitionVelocity(least_speed);
    stepping.setPositionProjectionMethod(SimTK::SemiExplicitEulerTimeStepper::NoPositionProjection);
}

void play_smooth(plant &p)
{
    SimTK::RungeKuttaMersonIntegrator integrator(p.system);
    if (p.played.best) integrator.setAccuracy(best_accuracy);
    SimTK::TimeStepper stepping(p.system, integrator);
    stepping.initialize(p.start());
    scene_setting("RungeKuttaMersonIntegrator, accuracy %g", integrator.getAccuracyInUse());
    p.write_run(stepping, 1);
}

void play_rigid(plant &p)
{
    const scene &s = p.played;
    // a step takes a millisecond
    const bool is_long = static_cast<double>(s.steps) * s.step > 0.99;
    const int parts = s.best ? scene_parts(&s, (is_long ? 2 : 1) * scene_best_step()) : 1;
    if (!for_pairs(p, [&p](const placed_shape &a, const placed_shape &b) { return add_contact(p, a, b); })) {
        scene_unsupported("unilateral contact of a box with a plane only");
        return;
    }
    if (p.matter.getNumUnilateralContacts() == 0) {
        play_smooth(p);
        return;
    }
    const SimTK::State start = p.start();
    SimTK::SemiExplicitEulerTimeStepper stepping(p.system);
    if (scene_is(&s, "newton")) stepping.setRestitutionModel(SimTK::SemiExplicitEulerTimeStepper::Newton);
    if (s.best) set_best(stepping);
    stepping.initialize(start);
    scene_setting("SemiExplicitEulerTimeStepper, %s, %d steps per row",
                  scene_is(&s, "newton") ? "Newton" : "Poisson", parts);
    if (!s.best && scene_least_impact(&s) <= stepping.getDefaultImpactCaptureVelocityInUse())
        scene_unpromised("slow-restitution",
                         "SemiExplicitEulerTimeStepper.h, setDefaultImpactCaptureVelocity: no "
                         "restitution below this impact velocity, twice the constraint tolerance");
    p.write_run(stepping, parts);
}

// ---- compliance

// The damping a of Hunt and Crossley's law (3/2 of its dissipation times the impact speed) for which the restitution is e:
// a (1 + e) = log((1 + a) / (1 - a e)).
double damping_for(double e)
{
    double low = 0, high = e > 0 ? 1 / e : 1e6;
    for (int i = 0; i < 200; i++) {
        const double a = (low + high) / 2;
        if (a * (1 + e) > std::log((1 + a) / (1 - a * e))) low = a;
        else high = a;
    }
    return e < 1 ? low : 0;
}

SimTK::ContactMaterial make_material(const scene &s)
{
    const double speed = std::max(scene_impact_speed(&s), slow_impact);
    const double dissipation = s.best
                                   ? damping_for(s.e) / (1.5 * speed)
                                   : SimTK::ContactMaterial::calcDissipationFromObservedRestitution(s.e, speed);
    return {stiffness, dissipation, s.mu, s.mu};
}

void add_surfaces(plant &p, size_t i)
{
    const SimTK::ContactMaterial material = make_material(p.played);
    for (placed_shape &a : shapes_of(p, i)) {
        // a half-space occupies x > 0 in its frame
        const Transform down(SimTK::Rotation(-SimTK::Pi / 2, SimTK::ZAxis));
        SimTK::Body &body = a.mobilized.updBody();
        if (a.shape.kind == SCENE_PLANE)
            body.addContactSurface(a.frame * down,
                                   SimTK::ContactSurface(SimTK::ContactGeometry::HalfSpace(), material));
        if (a.shape.kind == SCENE_SPHERE)
            body.addContactSurface(
                a.frame, SimTK::ContactSurface(SimTK::ContactGeometry::Sphere(a.shape.radius), material));
    }
}

void play_compliant(plant &p)
{
    const scene &s = p.played;
    SimTK::ContactTrackerSubsystem tracker(p.system);
    SimTK::CompliantContactSubsystem contact(p.system, tracker);
    const bool known = for_pairs(p, [](const placed_shape &a, const placed_shape &b) {
        return a.shape.kind != SCENE_BOX && b.shape.kind != SCENE_BOX;
    });
    if (!known) { // Simbody has compliant bricks, but a second of rest takes minutes
        scene_unsupported("compliant contact of spheres and planes only");
        return;
    }
    for (size_t i = 0; i < s.n_bodies; i++) add_surfaces(p, i);
    SimTK::RungeKuttaMersonIntegrator integrator(p.system);
    if (s.best) {
        contact.setTransitionVelocity(1e-3);
        integrator.setAccuracy(best_accuracy);
    }
    SimTK::TimeStepper stepping(p.system, integrator);
    stepping.initialize(p.start());
    scene_setting("Hunt and Crossley's contact of %g Pa, RungeKuttaMersonIntegrator, accuracy %g", stiffness,
                  integrator.getAccuracyInUse());
    p.write_run(stepping, 1);
}

void write_engine()
{
    int major = 0, minor = 0, build = 0;
    SimTK_version_simbody(&major, &minor, &build);
    const std::string version =
        std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(build);
    scene_engine("simbody", version.c_str());
}

void play(const scene &s)
{
    std::vector<scene_link> links(s.n_bodies + 1);
    std::vector<size_t> order(s.n_bodies + 1);
    write_engine();
    if (!scene_tree(links.data(), order.data(), &s)) {
        scene_unsupported("hinges that form a loop");
        return;
    }
    order.resize(s.n_bodies);
    plant p(s, links, order);
    if (is_compliant(s)) play_compliant(p);
    else play_rigid(p);
}

} // namespace

int main()
try {
    scene s{};
    while (scene_read(&s)) play(s);
    return scene_close();
} catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
}
