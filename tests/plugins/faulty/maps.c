/* SPDX-License-Identifier: MIT */
/* Impact maps with one mistake each. Each `defined FAULTY_name` is a plugin,
   which redefines something of map_base.h. */
#if defined FAULTY_newton_as_stronge
/* Newton's hypothesis under Stronge's name. */
#define NAME "stronge"
#define END(f, compressed) newton_end(f, compressed)
#elif defined FAULTY_reverse_sliding_sign
/* After the slip has reversed, friction keeps its sign and drives the slip. */
#define AFTER_STOP(p, s) (sticks(p) ? -(p)->w_xy / (p)->w_xx : -((s) != 0 ? (s) : sign((p)->w_xy)) * (p)->mu)
#elif defined FAULTY_friction_reverses_slip
/* The slip does not stop: friction continues beyond v_x = 0 as before, unless that would lock the
   contact. */
#define ON(p, s) ((p)->w_yy > (s) * (p)->mu * (p)->w_xy)
#define STOPPED(p) (sticks(p) ? -(p)->w_xy / (p)->w_xx : -sign((p)->w_xy) * (p)->mu)
#define AFTER_STOP(p, s) ((s) != 0 && ON(p, s) ? -(s) * (p)->mu : STOPPED(p))
#elif defined FAULTY_outside_cone
/* The points in contact always stick in the end, however small mu is. */
#define FINISH(p, r)                                                                                           \
    do {                                                                                                       \
        (r)->P[0] = -((p)->v[0] + (p)->w_xy * (r)->P[1]) / (p)->w_xx;                                          \
        (r)->v[0] = 0;                                                                                         \
        (r)->v[1] = (p)->v[1] + (p)->w_xy * (r)->P[0] + (p)->w_yy * (r)->P[1];                                 \
    } while (0)
#elif defined FAULTY_penetrates
/* Half of the impulse is lost: the bodies still approach where e is small. */
#define END(f, compressed) (0.5 * stronge_end(f, compressed))
#elif defined FAULTY_restitution_ignored
/* Restitution is always 0.6. */
#define RESTITUTION(p) ((void)(p), 0.6)
#elif defined FAULTY_restitution_threshold
/* Impacts below 0.5 m/s are treated as plastic. */
#define RESTITUTION(p) ((p)->v[1] > -0.5 ? 0 : (p)->e)
#elif defined FAULTY_poisson_as_stronge
/* Poisson's hypothesis under Stronge's name, by which the normal motion gains no energy. */
#define NAME "stronge"
#define END(f, compressed) poisson_end(f, compressed)
#elif defined FAULTY_mislabelled
/* Poisson's hypothesis under Newton's name. */
#define NAME "newton"
#define END(f, compressed) poisson_end(f, compressed)
#elif defined FAULTY_not_invariant
/* Slip below 0.5 m/s is neglected. */
#define DIRECTION(p) (fabs((p)->v[0]) < 0.5 ? 0 : sign((p)->v[0]))
#elif defined FAULTY_left_and_right
/* The impact is solved with the x axis along the slip, but the coupling is not reversed with the
   axis. */
#define SOLVED(p)                                                                                              \
    ((ic_impact){{fabs((p)->v[0]), (p)->v[1]}, (p)->w_xx, (p)->w_xy, (p)->w_yy, (p)->mu, (p)->e, 1, 1})
#define FINISH(p, r) ((p)->v[0] < 0 ? ((r)->P[0] = -(r)->P[0], (r)->v[0] = -(r)->v[0]) : 0)
#elif defined FAULTY_energy_appears
/* The impulse that separates overlapping bodies is added to that of the impact. */
#define END(f, compressed) (1.15 * stronge_end(f, compressed))
#elif defined FAULTY_frictionless
/* Friction is not implemented. */
#define SOLVED(p) with_contact(p, (p)->w_xy, 0)
#elif defined FAULTY_restitution_squared
/* Stronge's hypothesis with e, where the energies' ratio is e^2. */
#define RESTITUTION(p) sqrt((p)->e)
#elif defined FAULTY_no_reverse_sliding
/* Once the slip has stopped, the contact sticks. */
#define AFTER_STOP(p, s) ((void)(s), -(p)->w_xy / (p)->w_xx)
#elif defined FAULTY_friction_factor
/* The coefficient of friction is the mean of this one and that of the other body, which is not
   set. */
#define SOLVED(p) with_contact(p, (p)->w_xy, 0.5 * (p)->mu)
#elif defined FAULTY_friction_degrees
/* The angle of friction is in degrees, but tan expects radians. */
#define ANGLE(p) (atan((p)->mu) * 0.017453292519943295)
#define SOLVED(p) with_contact(p, (p)->w_xy, tan(ANGLE(p)))
#elif defined FAULTY_coupling_ignored
/* Normal and tangential impulses are solved separately, as for a ball. */
#define SOLVED(p) with_contact(p, 0, (p)->mu)
#elif defined FAULTY_mass_for_inverse
/* The mass matrix at the contact is used for its inverse. */
#define DET(p) ((p)->w_xx * (p)->w_yy - (p)->w_xy * (p)->w_xy)
#define SOLVED(p)                                                                                              \
    ((ic_impact){{(p)->v[0], (p)->v[1]},                                                                       \
                 (p)->w_yy / DET(p),                                                                           \
                 -(p)->w_xy / DET(p),                                                                          \
                 (p)->w_xx / DET(p),                                                                           \
                 (p)->mu,                                                                                      \
                 (p)->e,                                                                                       \
                 1,                                                                                            \
                 1})
#elif defined FAULTY_energy_mistold
/* The lost energy is computed by the formula for central impacts, without its 1/2. */
#define FINISH(p, r) ((r)->D_N = (1 - (p)->e * (p)->e) * (p)->v[1] * (p)->v[1] / (p)->w_yy)
#elif defined FAULTY_faulty_accepted
/* Bodies that separate are treated as approaching, and nothing else is checked. */
#define POSSIBLE(p) ((p)->v[1] == (p)->v[1])
#define SOLVED(p)                                                                                              \
    ((ic_impact){{(p)->v[0], -fabs((p)->v[1])}, (p)->w_xx, (p)->w_xy, (p)->w_yy, (p)->mu, (p)->e, 1, 1})
#elif defined FAULTY_map_units
/* The impulse is in g m/s. */
#define FINISH(p, r) ((r)->P[0] *= 1000, (r)->P[1] *= 1000)
#elif defined FAULTY_map_not_finite
/* The direction of slip is v_x/|v_x|, which is not a number without slip. */
#define DIRECTION(p) ((p)->v[0] / fabs((p)->v[0]))
#elif defined FAULTY_map_hangs
/* It waits until the bodies rest, which never happens. */
#define FINISH(p, r)                                                                                           \
    do {                                                                                                       \
        volatile double rest = (r)->P[1];                                                                      \
        while (rest > 0) rest = 0.5 * (r)->P[1];                                                               \
    } while (0)
#elif defined FAULTY_friction_capped
/* A coefficient of friction above 1 is replaced by 1. */
#define SOLVED(p) with_contact(p, (p)->w_xy, fmin((p)->mu, 1))
#elif defined FAULTY_friction_floor
/* A coefficient of friction below 0.05 is replaced by 0.05. */
#define SOLVED(p) with_contact(p, (p)->w_xy, fmax((p)->mu, 0.05))
#elif defined FAULTY_never_sticks
/* Once the slip has stopped, it always reverses. If that would lock the contact, the impulse is
   1e9 N s. */
#define AFTER_STOP(p, s) ((void)(s), -sign((p)->w_xy) * (p)->mu)
#define END(f, compressed) ((f)->rise[0] > 0 && (f)->rise[1] > 0 ? stronge_end(f, compressed) : 1e9)
#elif defined FAULTY_slip_without_stop
/* The stop of the slip is not detected: friction continues as it began. If that would lock the
   contact, the impulse is 1e9 N s. */
#define STOP(p, stop) ((p)->v[0] == 0 ? (stop) : INFINITY)
#define END(f, compressed) ((f)->rise[0] > 0 || (f)->stop == 0 ? stronge_end(f, compressed) : 1e9)
#elif defined FAULTY_sticking_sign
/* The impulse that keeps the contact sticking has the wrong sign. */
#define AFTER_STOP(p, s) ((void)(s), sticks(p) ? (p)->w_xy / (p)->w_xx : -sign((p)->w_xy) * (p)->mu)
#elif defined FAULTY_impulse_sign
/* The impulse is that on the other body. */
#define FINISH(p, r) ((r)->P[0] = -(r)->P[0], (r)->P[1] = -(r)->P[1])
#elif defined FAULTY_velocities_uncoupled
/* Velocities follow from impulses with the diagonal of W alone. */
#define FINISH(p, r)                                                                                           \
    ((r)->v[0] = (p)->v[0] + (p)->w_xx * (r)->P[0], (r)->v[1] = (p)->v[1] + (p)->w_yy * (r)->P[1])
#elif defined FAULTY_velocities_damped
/* The tangential velocity after the impact is reduced by 2 %, but the impulse is not. */
#define FINISH(p, r) ((r)->v[0] *= 0.98)
#elif defined FAULTY_restitution_scaled
/* e is 3 % too great. */
#define RESTITUTION(p) (1.03 * (p)->e)
#else
#error "no FAULTY_name is defined"
#endif

#include "tests/plugins/faulty/map_base.h"
