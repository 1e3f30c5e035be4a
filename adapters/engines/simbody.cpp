// SPDX-License-Identifier: MIT
// Simbody 3.7. default: its unilateral contact with its semi-explicit Euler stepper, which uses Poisson's hypothesis.
// best: the same without thresholds and position projection.
// Variants: newton, its other hypothesis; compliant, Hunt and Crossley's contact with Runge-Kutta-Merson.
#include "adapters/engines/scene.h"

#include <Simbody.h>
#include <cmath>

namespace {

using SimTK::Vec3;

constexpr double stiffness = 1e10;   // Pa, for both bodies
constexpr double least_speed = 1e-5; // m/s

struct plant {
    SimTK::MultibodySystem system;
    SimTK::SimbodyMatterSubsystem matter{system};
    SimTK::GeneralForceSubsystem forces{system};
    SimTK::Force::Gravity gravity;
    SimTK::MobilizedBody::Planar body; // coordinates: angle about z, x, y

    explicit plant(const scene &s)
        : gravity(forces, matter, SimTK::UnitVec3(0, -1, 0), s.gravity),
          body(matter.Ground(),
               SimTK::Body::Rigid(SimTK::MassProperties(s.mass, Vec3(0), SimTK::Inertia(s.inertia))))
    {
    }

    SimTK::State start(const scene &s)
    {
        SimTK::State state = system.realizeTopology();
        body.setQ(state, Vec3(-s.phi, s.x, s.y));
        body.setU(state, Vec3(-s.omega, s.vx, s.vy));
        return state;
    }

    void write_row(const scene &s, double t, const SimTK::State &state) const
    {
        const Vec3 q = body.getQ(state), u = body.getU(state);
        scene_row(&s, t, q[1], q[2], -q[0], u[1], u[2], -u[0]);
    }
};

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

template <class stepper> void write_run(const scene &s, plant &p, stepper &stepping)
{
    p.write_row(s, 0, stepping.getState());
    for (long i = 1, n = scene_steps(&s); i <= n; i++) {
        const double t = static_cast<double>(i) * s.step;
        stepping.stepTo(t);
        p.write_row(s, t, stepping.getState());
    }
}

void run_rigid(const scene &s)
{
    plant p(s);
    p.matter.adoptUnilateralContact(new SimTK::SpherePlaneContact(p.matter.Ground(), SimTK::UnitVec3(0, 1, 0),
                                                                  0, p.body, Vec3(s.sphere_x, s.sphere_y, 0),
                                                                  s.radius, s.e, s.mu, s.mu, 0));
    const SimTK::State start = p.start(s);
    SimTK::SemiExplicitEulerTimeStepper stepping(p.system);
    if (scene_is(&s, "newton")) stepping.setRestitutionModel(SimTK::SemiExplicitEulerTimeStepper::Newton);
    if (s.best) {
        stepping.setConstraintTolerance(least_speed /
                                        2); // twice this is the lower limit of the thresholds below
        stepping.setDefaultImpactCaptureVelocity(least_speed);
        stepping.setDefaultImpactMinCORVelocity(least_speed);
        stepping.setDefaultFrictionTransitionVelocity(least_speed);
        stepping.setPositionProjectionMethod(SimTK::SemiExplicitEulerTimeStepper::NoPositionProjection);
    }
    stepping.initialize(start);
    write_run(s, p, stepping);
}

void run_compliant(const scene &s)
{
    plant p(s);
    SimTK::ContactTrackerSubsystem tracker(p.system);
    SimTK::CompliantContactSubsystem contact(p.system, tracker);
    const double dissipation =
        s.best ? damping_for(s.e) / (1.5 * s.impact_speed)
               : SimTK::ContactMaterial::calcDissipationFromObservedRestitution(s.e, s.impact_speed);
    const SimTK::ContactMaterial material(stiffness, dissipation, s.mu, s.mu);
    // A half-space occupies x > 0 in its frame.
    p.matter.Ground().updBody().addContactSurface(
        SimTK::Rotation(-SimTK::Pi / 2, SimTK::ZAxis),
        SimTK::ContactSurface(SimTK::ContactGeometry::HalfSpace(), material));
    p.body.updBody().addContactSurface(
        Vec3(s.sphere_x, s.sphere_y, 0),
        SimTK::ContactSurface(SimTK::ContactGeometry::Sphere(s.radius), material));
    SimTK::RungeKuttaMersonIntegrator integrator(p.system);
    if (s.best) {
        contact.setTransitionVelocity(1e-3);
        integrator.setAccuracy(1e-8);
    }
    SimTK::TimeStepper stepping(p.system, integrator);
    stepping.initialize(p.start(s));
    write_run(s, p, stepping);
}

} // namespace

int main(int argc, char **argv)
try {
    const scene s = scene_read(argc, argv);
    if (scene_is(&s, "compliant")) run_compliant(s);
    else run_rigid(s);
    return scene_close(&s);
} catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
}
