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
#define FOLLOW(s, b)                                                                                           \
    do {                                                                                                       \
        const double omega = (b)->omega;                                                                       \
        follow(s, b);                                                                                          \
        (b)->omega = omega + 0.9 * ((b)->omega - omega);                                                       \
    } while (0)
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
#else
#error "no FAULTY_name is defined"
#endif

#include "tests/plugins/faulty/engine_base.h"
