/* SPDX-License-Identifier: MIT */
/* Physics engines with one mistake each. Each `defined FAULTY_name` is a plugin,
   which redefines something of engine_base.h. */
#if defined FAULTY_engine_newton_gain
/* Newton's hypothesis with friction: the speed of separation is e times that of approach, whatever
   the impulse. */
#define SEPARATES(s, v_y) (-(s)->e * (v_y))
#elif defined FAULTY_engine_by_phase
/* Overlapping bodies are separated by a speed, which remains. */
#define CORRECT(s, b, overlap) ((b)->vy += 0.2 * (overlap) / (s)->step)
#elif defined FAULTY_engine_drifts
/* The overlap is removed along a wrong normal. */
#define CORRECT(s, b, overlap) ((b)->x += 0.5 * (overlap), (b)->y += (overlap))
#elif defined FAULTY_engine_gravity_sign
/* Gravity is added as if y pointed down. */
#define GRAVITY(s) (-(s)->gravity)
#elif defined FAULTY_engine_energy_appears
/* The impulse is that of a point mass, wherever the bar is hit. */
#define COMPRESSION(s, v_y) (-(v_y) * (s)->mass)
#elif defined FAULTY_engine_falls_through
/* Only an overlap below 0.1 mm is a contact. */
#define TOUCHES(overlap) ((overlap) >= 0 && (overlap) < 1e-4)
#elif defined FAULTY_engine_threshold
/* Impacts slower than 0.5 m/s are treated as plastic. */
#define RESTITUTION(s, v_y) ((v_y) < -0.5 ? (s)->e : 0)
#elif defined FAULTY_engine_spins
/* An impact turns the body by a tenth too little, as if its inertia were greater. */
#define FOLLOW(s, b) follow_turned(s, b, 0.9)
#elif defined FAULTY_engine_half_friction
/* Friction is half of the given one. */
#define FRICTION(s) (0.5 * (s)->mu)
#elif defined FAULTY_engine_little_less_friction
/* Friction is 2 % less than the given one. */
#define FRICTION(s) (0.98 * (s)->mu)
#elif defined FAULTY_engine_tangential_more
/* The tangential impulse is applied 1.4 times. */
#define TANGENTIAL 1.4
#elif defined FAULTY_engine_gravity_by_mass
/* The force of gravity is used as an acceleration. */
#define GRAVITY(s) ((s)->mass * (s)->gravity)
#elif defined FAULTY_engine_centre_velocity
/* The velocity of the body's centre is used for that of the contact. */
#define MET(s, b, c) ((c).v[0] = (b)->vx, (c).v[1] = (b)->vy)
#elif defined FAULTY_engine_centre_slip
/* The slip is that of the body's centre. */
#define MET(s, b, c) ((c).v[0] = (b)->vx)
#elif defined FAULTY_engine_edge_by_slip
/* Coulomb's cone for the whole impulse, on its edge against the slip before the impact. */
#define SOLVE(s, b, c) solve_both(s, b, c, 0, true)
#elif defined FAULTY_engine_sticks
/* A contact that has stopped slipping sticks, however smooth it is. */
#define HELD(holds, mu) (holds)
#elif defined FAULTY_engine_damps
/* Velocities decay in flight by 5 % per second. */
#define FLY(s, b) ((b)->vx *= 1 - 0.05 * (s)->step, (b)->vy *= 1 - 0.05 * (s)->step)
#elif defined FAULTY_engine_damps_spin
/* Spin decays in flight by 5 % per second. */
#define FLY(s, b) ((b)->omega *= 1 - 0.05 * (s)->step)
#elif defined FAULTY_engine_tunnels
/* The ground is a slab of 0.15 m. */
#define TOUCHES(overlap) ((overlap) >= 0 && (overlap) < 0.15)
#elif defined FAULTY_engine_lawless
/* The speed of separation is e times that of approach, less for faster slip: neither a known law
   nor a known mistake. */
#define SEPARATES(s, v_y) ((s)->e * (v_y) * (v_y) / (fabs(c.v[0]) - (v_y)))
#elif defined FAULTY_engine_does_not_turn
/* An impact does not turn the body, and its impulse is that of a body that cannot turn. */
#define SEEN(s) with_mass(s, (s)->mass, 1e12)
#elif defined FAULTY_engine_inertia_more
/* The inertia is 1.05 times the right one. */
#define SEEN(s) with_mass(s, (s)->mass, 1.05 * (s)->inertia)
#elif defined FAULTY_engine_unit_mass
/* Every body has a mass of 1 kg. */
#define SEEN(s) with_mass(s, 1, (s)->inertia)
#elif defined FAULTY_engine_slender_always
/* Every bar is slender and every ball solid, whatever its inertia. */
#define USUAL_INERTIA(s) ((s)->length * (s)->length / 12 + 0.4 * (s)->radius * (s)->radius)
#define SEEN(s) with_mass(s, (s)->mass, (s)->mass *USUAL_INERTIA(s))
#elif defined FAULTY_engine_disc_always
/* Every ball is a disc, whatever its inertia. */
#define SEEN(s)                                                                                                \
    with_mass(s, (s)->mass, (s)->radius > 0 ? 0.5 * (s)->mass * (s)->radius * (s)->radius : (s)->inertia)
#elif defined FAULTY_engine_gravity_more
/* Gravity is 0.3 % too great. */
#define GRAVITY(s) (1.003 * (s)->gravity)
#elif defined FAULTY_engine_gravity_always
/* The gravity of the earth acts, whatever the scene says. */
#define GRAVITY(s) (9.81 + 0 * (s)->gravity)
#elif defined FAULTY_engine_old_positions
/* Positions of the step before in rows with the velocities of this one. */
#define ROW(old, now) ((ic_body_row){(now).t, (old).x, (old).y, (old).phi, (now).vx, (now).vy, (now).omega})
#elif defined FAULTY_engine_old_velocities
/* Velocities of the step before in rows with the positions of this one. */
#define ROW(old, now) ((ic_body_row){(now).t, (now).x, (now).y, (now).phi, (old).vx, (old).vy, (old).omega})
#elif defined FAULTY_engine_late_rows
/* Rows are written before the step is made. */
#define ROW(old, now) ((ic_body_row){(now).t, (old).x, (old).y, (old).phi, (old).vx, (old).vy, (old).omega})
#elif defined FAULTY_engine_half_steps
/* Steps are half as long as the rows say. */
#define STEP(s) ((s)->step / 2)
#elif defined FAULTY_engine_degrees
/* Angles and spins of the rows are in degrees. */
#define DEGREES (180 / 3.14159265358979)
#define ROW(old, now)                                                                                          \
    ((ic_body_row){(now).t, (now).x, (now).y, DEGREES * (now).phi, (now).vx, (now).vy,                         \
                   DEGREES * (now).omega + 0 * (old).t})
#elif defined FAULTY_engine_counter_clockwise
/* The spin of the rows has the other sign. */
#define ROW(old, now)                                                                                          \
    ((ic_body_row){(now).t, (now).x, (now).y, (now).phi, (now).vx, (now).vy, -(now).omega + 0 * (old).t})
#elif defined FAULTY_engine_speed_limited
/* No velocity exceeds 40 m/s. */
#define FLY(s, b) ((b)->vx = fmin(fmax((b)->vx, -40), 40), (b)->vy = fmin(fmax((b)->vy, -40), 40))
#elif defined FAULTY_engine_sleeps
/* A body slower than 0.2 m/s is put to sleep, wherever it is. */
#define FLY(s, b) ((s)->gravity > 0 && hypot((b)->vx, (b)->vy) < 0.2 ? (b)->vx = (b)->vy = (b)->omega = 0 : 0)
#elif defined FAULTY_engine_lifts
/* A rebound moves the body up by half a centimetre. */
#define CORRECT(s, b, overlap) ((b)->y += (overlap) + 5e-3)
#elif defined FAULTY_engine_centre_touches
/* The ball's centre touches the ground. */
#define SURFACE(s) ((s)->body == IC_SCENE_BALL ? (s)->radius : 0)
#elif defined FAULTY_engine_soft
/* A spring on which the body sinks in by a third of a metre. */
#include "tests/plugins/faulty/engine_contact.h"
static void follow_soft(const ic_scene *s, ic_body_row *b);
#define FOLLOW(s, b) follow_soft(s, b)
#elif defined FAULTY_engine_friction_squared
/* Friction is the product of the coefficients of both bodies, which are the same. */
#define FRICTION(s) ((s)->mu * (s)->mu)
#elif defined FAULTY_engine_friction_mean
/* Friction is the mean with the ground's. */
#define FRICTION(s) (((s)->mu + 0.6) / 2)
#elif defined FAULTY_engine_friction_capped
/* Friction is at most 0.6. */
#define FRICTION(s) fmin((s)->mu, 0.6)
#elif defined FAULTY_engine_frictionless
/* Friction is left out. */
#define FRICTION(s) (0 * (s)->mu)
#elif defined FAULTY_engine_restitution_floor
/* Restitution is at least 0.25. */
#define RESTITUTION(s, v_y) fmax((s)->e, 0.25)
#elif defined FAULTY_engine_restitution_squared
/* Restitution is the product of the coefficients of both bodies. */
#define RESTITUTION(s, v_y) ((s)->e * (s)->e)
#elif defined FAULTY_engine_plastic_always
/* Restitution is left out. */
#define RESTITUTION(s, v_y) (0 * (s)->e)
#elif defined FAULTY_engine_not_finite_if_plastic
/* A formula that has the logarithm of e. */
#define RESTITUTION(s, v_y) ((b)->vy += 0 * log((s)->e), (s)->e)
#elif defined FAULTY_engine_turns_back
/* An impact turns the body the other way. */
#define FOLLOW(s, b) follow_turned(s, b, -1)
#elif defined FAULTY_engine_tangential_restitution
/* The slip is reversed like the approach, within Coulomb's cone. */
#define SOLVE(s, b, c) solve_both(s, b, c, 0.6, false)
#elif defined FAULTY_engine_friction_along_slip
/* Friction acts with the slip. */
#define FRICTION_SIGN -1
#else
#error "no FAULTY_name is defined"
#endif

#include "tests/plugins/faulty/engine_base.h"

#ifdef FAULTY_engine_soft
static void follow_soft(const ic_scene *s, ic_body_row *b)
{
    enum { PARTS = 20 };
    const double h = s->step / PARTS;
    for (int i = 0; i < PARTS; i++) {
        const contact c = contact_of(s, b);
        const double d = -(b->y + c.r[1]);
        push(s, b, &c, 0, d > 0 ? 150 * s->mass * d * h : 0);
        b->vy -= s->gravity * h;
        b->x += h * b->vx, b->y += h * b->vy, b->phi += h * b->omega;
    }
}
#endif
