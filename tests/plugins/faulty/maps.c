/* SPDX-License-Identifier: MIT */
/* Impact maps with one mistake each. Each `defined FAULTY_name` is a plugin,
   which redefines something of map_base.h. */
#include "impactcheck/impactcheck.h"

#include <math.h>
#include <stdlib.h>

static inline void set_velocity(const ic_impact *p, ic_impact_result *r);

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
#define FINISH(p, r) ((r)->P[0] = -((p)->v[0] + (p)->w_xy * (r)->P[1]) / (p)->w_xx, set_velocity(p, r))
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
/* e falls with the speed, on a scale of its own. */
#define RESTITUTION(p) ((p)->e * exp((p)->v[1] / 50))
#elif defined FAULTY_left_and_right
/* The impact is solved with the x axis along the slip, but the coupling is not reversed with the
   axis. */
#define SOLVED(p) with_motion(p, fabs((p)->v[0]), (p)->v[1], (p)->w_xx, (p)->w_xy, (p)->w_yy)
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
#elif defined FAULTY_friction_of_compression
/* Only the impulse of compression presses, as if mu P_c bounded friction: mu/(1 + e). */
#define NAME "poisson"
#define END(f, compressed) poisson_end(f, compressed)
#define SOLVED(p) with_contact(p, (p)->w_xy, (p)->mu / (1 + (p)->e))
#elif defined FAULTY_friction_for_restitution
/* Friction and restitution are given in the wrong order. */
static inline ic_impact exchanged(const ic_impact *p)
{
    ic_impact other = *p;
    other.mu = p->e, other.e = fmin(p->mu, 1);
    return other;
}
#define SOLVED(p) exchanged(p)
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
    with_motion(p, (p)->v[0], (p)->v[1], (p)->w_yy / DET(p), -(p)->w_xy / DET(p), (p)->w_xx / DET(p))
#elif defined FAULTY_energy_mistold
/* The lost energy is computed by the formula for central impacts, without its 1/2. */
#define FINISH(p, r) ((r)->D_N = (1 - (p)->e * (p)->e) * (p)->v[1] * (p)->v[1] / (p)->w_yy)
#elif defined FAULTY_faulty_accepted
/* Bodies that separate are treated as approaching, and nothing else is checked. */
#define POSSIBLE(p) ((p)->v[1] == (p)->v[1])
#define SOLVED(p) with_motion(p, (p)->v[0], -fabs((p)->v[1]), (p)->w_xx, (p)->w_xy, (p)->w_yy)
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
#elif defined FAULTY_friction_squared
/* The coefficients of both bodies, which are the same, are multiplied. */
#define SOLVED(p) with_contact(p, (p)->w_xy, (p)->mu *(p)->mu)
#elif defined FAULTY_friction_angle
/* The angle of friction is used as if it were its tangent. */
#define SOLVED(p) with_contact(p, (p)->w_xy, atan((p)->mu))
#elif defined FAULTY_friction_rounded
/* The coefficient of friction comes from a table in steps of 0.1. */
#define SOLVED(p) with_contact(p, (p)->w_xy, floor(10 * (p)->mu + 0.5) / 10)
#elif defined FAULTY_friction_ignored
/* The coefficient of friction is always 0.3. */
#define SOLVED(p) with_contact(p, (p)->w_xy, 0.3)
#elif defined FAULTY_no_friction_at_rest
/* Friction has the direction v_x/|v_x|, which is left out where v_x = 0. */
#define SOLVED(p) with_contact(p, (p)->w_xy, (p)->v[0] == 0 ? 0 : (p)->mu)
#elif defined FAULTY_slip_direction_wrong
/* Where there is no slip, friction acts as if it were to +x.
   If that would lock the contact, the impulse is 1e9 N s. */
#define DIRECTION(p) ((p)->v[0] >= 0 ? 1 : -1)
#define STOP(p, stop) ((p)->v[0] == 0 ? INFINITY : (stop))
#define END(f, compressed) ((f)->p->v[0] != 0 || (f)->rise[0] > 0 ? stronge_end(f, compressed) : 1e9)
#elif defined FAULTY_slip_threshold
/* Slip below 0.5 m/s is neglected. */
#define DIRECTION(p) (fabs((p)->v[0]) < 0.5 ? 0 : sign((p)->v[0]))
#elif defined FAULTY_stick_test_wrong
/* w_yy in place of w_xx decides whether the contact sticks. */
#define STICKS(p) (fabs((p)->w_xy) <= (p)->mu * (p)->w_yy)
#define AFTER_STOP(p, s) ((void)(s), STICKS(p) ? -(p)->w_xy / (p)->w_xx : -sign((p)->w_xy) * (p)->mu)
#elif defined FAULTY_restitution_limited
/* e is at most 0.9. */
#define RESTITUTION(p) fmin((p)->e, 0.9)
#elif defined FAULTY_restitution_rounded
/* e comes from a table in steps of 0.05. */
#define RESTITUTION(p) (floor(20 * (p)->e + 0.5) / 20)
#elif defined FAULTY_compression_wrong
/* Restitution is e times the compression of an impact without friction. */
#define END(f, compressed) ((compressed) - (f)->p->e * (f)->p->v[1] / (f)->p->w_yy)
#elif defined FAULTY_speed_limited
/* Speeds above 20 m/s are taken as 20 m/s. */
#define SOLVED(p)                                                                                              \
    with_motion(p, fmax(-20, fmin(20, (p)->v[0])), fmax(-20, (p)->v[1]), (p)->w_xx, (p)->w_xy, (p)->w_yy)
#elif defined FAULTY_impulse_limited
/* The normal impulse is at most 20 N s. */
#define END(f, compressed) fmin(stronge_end(f, compressed), 20)
#elif defined FAULTY_velocity_shifted
/* The surface moves, but should not. */
#define SOLVED(p) with_motion(p, (p)->v[0] + 0.1, (p)->v[1], (p)->w_xx, (p)->w_xy, (p)->w_yy)
#elif defined FAULTY_diagonal_added
/* W is made better conditioned. */
#define SOLVED(p) with_motion(p, (p)->v[0], (p)->v[1], (p)->w_xx + 0.01, (p)->w_xy, (p)->w_yy + 0.01)
#elif defined FAULTY_valid_refused
/* Friction above 1 is taken for a mistake of the user. */
#define POSSIBLE(p)                                                                                            \
    ((p)->v[1] < 0 && (p)->w_xx > 0 && (p)->w_xx * (p)->w_yy > (p)->w_xy * (p)->w_xy && (p)->mu >= 0 &&        \
     (p)->mu <= 1 && (p)->e >= 0 && (p)->e <= 1)
#elif defined FAULTY_map_single
/* Results are stored in single precision. */
#define SINGLE(x) ((x) = (double)(float)(x))
#define FINISH(p, r) (SINGLE((r)->P[0]), SINGLE((r)->P[1]), SINGLE((r)->v[0]), SINGLE((r)->v[1]))
#elif defined FAULTY_map_digits
/* Results go through a text with four digits. */
#define DIGITS(x) ((x) = four_digits(x))
#define FINISH(p, r) (DIGITS((r)->P[0]), DIGITS((r)->P[1]), DIGITS((r)->v[0]), DIGITS((r)->v[1]))
#include <stdio.h>
static double four_digits(double x)
{
    char text[40];
    snprintf(text, sizeof text, "%.4g", x);
    return atof(text);
}
#elif defined FAULTY_path_mistold
/* The path has no corners between its ends. */
#define FINISH(p, r)                                                                                           \
    ((r)->n_path = 2,                                                                                          \
     (r)->path[0] = (ic_impact_point){"start", IC_IMPACT_RIGID_PLUS, {0, 0}, {(p)->v[0], (p)->v[1]}, 0},       \
     (r)->path[1] = (ic_impact_point){                                                                         \
         IC_IMPACT_LIFT_OFF, IC_IMPACT_LIFTED_OFF, {(r)->P[0], (r)->P[1]}, {(r)->v[0], (r)->v[1]}, 0})
#elif defined FAULTY_rounding_mode_changed
/* It rounds towards zero, and leaves that to its caller. */
#include <fenv.h>
#define FINISH(p, r) fesetround(FE_TOWARDZERO)
#elif defined FAULTY_map_leaks
/* Each call keeps 16 bytes. */
static void *volatile kept;
#define FINISH(p, r) (kept = malloc(16))
#elif defined FAULTY_map_unset
/* e depends on a number in uninitialised heap memory. */
static double *volatile fresh;
static double take_share(void)
{
    fresh = malloc(512);
    const double share = 0.5 + 0.5 / (1 + fmin(fabs(fresh[7]), 1e3));
    free(fresh);
    return share;
}
#define RESTITUTION(p) ((p)->e * take_share())
#elif defined FAULTY_map_random
/* e is disturbed at random. */
static unsigned drawn = 1;
#define RESTITUTION(p) ((p)->e * (1 - 1e-3 * ((drawn = drawn * 1103515245u + 12345u) >> 16) / 65536.0))
#elif defined FAULTY_map_root
/* The end of the impact is found to three digits only. */
#define END(f, compressed) three_digits(stronge_end(f, compressed))
static double three_digits(double x)
{
    int power;
    const double part = frexp(x, &power);
    return ldexp(floor(part * 1024 + 0.5) / 1024, power);
}
#elif defined FAULTY_map_steps
/* The impact ends with one of its steps. */
#define STEP(f) (-(f)->p->v[1] / (f)->p->w_yy / 50)
#define END(f, compressed) (ceil(stronge_end(f, compressed) / STEP(f)) * STEP(f))
#elif defined FAULTY_map_mass
/* The mass is twice the given one. */
#define SOLVED(p) with_motion(p, (p)->v[0], (p)->v[1], (p)->w_xx / 2, (p)->w_xy / 2, (p)->w_yy / 2)
#elif defined FAULTY_map_inertia
/* The moment of inertia is that of another body. */
#define SOLVED(p) with_motion(p, (p)->v[0], (p)->v[1], 1.4 * (p)->w_xx, (p)->w_xy, (p)->w_yy)
#elif defined FAULTY_map_turned
/* w_xx and w_yy are exchanged. */
#define SOLVED(p) with_motion(p, (p)->v[0], (p)->v[1], (p)->w_yy, (p)->w_xy, (p)->w_xx)
#elif defined FAULTY_map_centre
/* The point of contact moves with the centre of mass. */
#define SOLVED(p) with_motion(p, (p)->v[0], (p)->v[1], (p)->w_yy, 0, (p)->w_yy)
#elif defined FAULTY_map_normal_uncoupled
/* Velocities along the normal follow from normal impulses alone. */
#define FINISH(p, r) ((r)->v[1] = (p)->v[1] + (p)->w_yy * (r)->P[1])
#elif defined FAULTY_map_velocity_exchanged
/* v_x and v_y are exchanged after the impact. */
#define FINISH(p, r) ((r)->v[0] += (r)->v[1], (r)->v[1] = (r)->v[0] - (r)->v[1], (r)->v[0] -= (r)->v[1])
#elif defined FAULTY_map_velocity_units
/* Velocities after the impact are in mm/s. */
#define FINISH(p, r) ((r)->v[0] *= 1000, (r)->v[1] *= 1000)
#elif defined FAULTY_map_velocity_sign
/* v_y after the impact is positive downwards. */
#define FINISH(p, r) ((r)->v[1] = -(r)->v[1])
#elif defined FAULTY_friction_mean
/* The coefficient of friction is the mean of this one and of 0.5, that of the floor. */
#define SOLVED(p) with_contact(p, (p)->w_xy, 0.5 * ((p)->mu + 0.5))
#elif defined FAULTY_friction_sine
/* Friction along the edge of the cone has the length that it should have along the surface. */
#define SOLVED(p) with_contact(p, (p)->w_xy, (p)->mu / sqrt(1 + (p)->mu * (p)->mu))
#elif defined FAULTY_friction_wrong
/* The coefficient of friction is made smooth. */
#define SOLVED(p) with_contact(p, (p)->w_xy, tanh((p)->mu))
#elif defined FAULTY_friction_static
/* A contact at rest has a coefficient that is a fifth greater, also when it slides back. */
#define HELD(p) (1.2 * (p)->mu)
#define AFTER_STOP(p, s)                                                                                       \
    ((void)(s), fabs((p)->w_xy) <= HELD(p) * (p)->w_xx ? -(p)->w_xy / (p)->w_xx : -sign((p)->w_xy) * HELD(p))
#elif defined FAULTY_lift_off_scaled
/* The impulse at lift-off is 3 % too great. */
#define END(f, compressed) (1.03 * poisson_end(f, compressed))
#elif defined FAULTY_iterations_few
/* Impulses by eight sweeps of Gauss-Seidel, whether converged or not. */
#define FINISH(p, r) sweep(p, r)
static void sweep(const ic_impact *p, ic_impact_result *r)
{
    double P[2] = {0, 0};
    for (int i = 0; i < 8; i++) {
        P[1] = fmax(0, (-(1 + p->e) * p->v[1] - p->w_xy * P[0]) / p->w_yy);
        P[0] = fmax(-p->mu * P[1], fmin(p->mu * P[1], -(p->v[0] + p->w_xy * P[1]) / p->w_xx));
    }
    r->P[0] = P[0], r->P[1] = P[1];
    set_velocity(p, r);
}
#elif defined FAULTY_tangential_restitution
/* Where friction is strong enough, the slip is reversed by a part of e, as of a super ball. */
#define FINISH(p, r) strike(p, r, (1 + 0.5 * (p)->e) * (p)->v[0])
#define STRIKE
#elif defined FAULTY_friction_bound_plastic
/* Friction is bounded by the impulse of compression. */
#define FINISH(p, r) strike(p, r, (p)->v[0])
#define STRIKE
#define BOUND(p, P_y) (-(p)->mu * (p)->v[1] / (p)->w_yy)
#elif defined FAULTY_old_slip
/* In restitution, friction acts against the slip before the impact. */
#define STRIKES_TWICE
#define FINISH(p, r) strike_twice(p, r)
#define STRIKE
#elif defined FAULTY_map_tangential
/* The tangential impulse is reduced by a fifth. */
#define FINISH(p, r)                                                                                           \
    ((r)->v[0] -= 0.2 * (p)->w_xx * (r)->P[0], (r)->v[1] -= 0.2 * (p)->w_xy * (r)->P[0], (r)->P[0] *= 0.8)
#elif defined FAULTY_map_drifts
/* From the 5000th call on, e is less. */
static double fallen(void)
{
    static unsigned calls;
    return ++calls < 5000 ? 1 : 0.9;
}
#define RESTITUTION(p) ((p)->e * fallen())
#elif defined FAULTY_map_leaks_rarely
/* Each thousandth call keeps 4096 bytes. */
static void *volatile kept;
static void keep_some(void)
{
    static unsigned calls;
    if (++calls % 1000 == 0) kept = malloc(4096);
}
#define FINISH(p, r) keep_some()
#elif defined FAULTY_half_restitution_off_centre
/* Half of e in all impacts that are not central. */
#define RESTITUTION(p) ((p)->w_xy == 0 ? (p)->e : 0.5 * (p)->e)
#elif defined FAULTY_restitution_by_coupling
/* e is scattered in all impacts that are not central. */
#define RESTITUTION(p) ((p)->w_xy == 0 ? (p)->e : (p)->e * fabs(sin(1e3 * (p)->w_xy / (p)->w_xx)))
#elif defined FAULTY_friction_at_once
/* Time stepping's impulse: it stops the slip with v_y' = -e v_y where the cone allows that, and is
   on the cone's edge elsewhere. */
static void apply(ic_impact_result *r, const ic_impact *p, double P_x, double P_y)
{
    *r = (ic_impact_result){.P = {P_x, P_y}};
    set_velocity(p, r);
}
static void at_once(ic_impact_result *r, const ic_impact *p)
{
    const double X = -p->v[0], Y = -(1 + p->e) * p->v[1], det = p->w_xx * p->w_yy - p->w_xy * p->w_xy;
    apply(r, p, (p->w_yy * X - p->w_xy * Y) / det, (p->w_xx * Y - p->w_xy * X) / det);
    for (double s = 1; s >= -1 && fabs(r->P[0]) > p->mu * r->P[1] * (1 + 1e-12); s -= 2) {
        ic_impact_result edge;
        const double P_y = Y / (p->w_yy - s * p->mu * p->w_xy);
        apply(&edge, p, -s * p->mu * P_y, P_y);
        if (P_y > 0 && s * edge.v[0] >= 0) *r = edge;
    }
}
#define FINISH(p, r) at_once(r, p)
#elif defined FAULTY_friction_in_one_phase
/* Poisson's hypothesis with friction in compression only. */
static void let_slip(ic_impact_result *r, const ic_impact *p)
{
    const double more = p->e * r->P[1];
    r->P[1] += more;
    set_velocity(p, r);
}
#define FINISH(p, r) let_slip(r, p)
#define END(f, compressed) (compressed) /* restitution follows in FINISH */
#elif defined FAULTY_map_crashes
/* It reads from a table at an index that comes from the impact. */
static double looked_up(const ic_impact *p)
{
    static const double table[4] = {0.9, 0.8, 0.7, 0.6};
    const volatile size_t at = (size_t)(-p->v[1] * 1e15);
    return p->e * table[at];
}
#define RESTITUTION(p) looked_up(p)
#elif defined FAULTY_map_out_of_bounds
/* It writes one corner more than there is room for. */
static void write_corners(ic_impact_result *r)
{
    volatile size_t corners = IC_IMPACT_CORNERS + 1; /* so that no compiler sees it */
    double *corner = r->path[0].P;
    const size_t stride = sizeof r->path[0] / sizeof *corner;
    for (size_t i = 0; i < corners; i++) corner[i * stride] = 0;
}
#define FINISH(p, r) write_corners(r)
#elif defined FAULTY_map_remembers
/* A warm start: a thousandth of the last friction impulse is added to this one. */
static void warm(ic_impact_result *r, const ic_impact *p)
{
    static double last;
    const double more = 1e-3 * last;
    last = r->P[0];
    if (fabs(r->P[0] + more) > p->mu * r->P[1]) return;
    r->P[0] += more;
    set_velocity(p, r);
}
#define FINISH(p, r) warm(r, p)
#else
#error "no FAULTY_name is defined"
#endif

#if defined STRIKE
#ifndef BOUND
#define BOUND(p, P_y) ((p)->mu * (P_y))
#endif

/* P_y and a friction that stops the slip v_x, by bisection on P_x: the slip after it grows with P_x. */
static void strike(const ic_impact *p, ic_impact_result *r, double v_x)
{
    const double d_y = -(1 + p->e) * p->v[1];
    double low = -1e3 * (fabs(v_x) / p->w_xx + d_y / p->w_yy), high = -low;
    for (int i = 0; i < 200; i++) {
        const double P_x = 0.5 * (low + high), P_y = fmax(0, (d_y - p->w_xy * P_x) / p->w_yy),
                     most = BOUND(p, P_y);
        const bool less = P_x < -most || (P_x <= most && v_x + p->w_xx * P_x + p->w_xy * P_y < 0);
        if (less) low = P_x;
        else high = P_x;
    }
    r->P[0] = 0.5 * (low + high), r->P[1] = (d_y - p->w_xy * r->P[0]) / p->w_yy;
    set_velocity(p, r);
}

#ifdef STRIKES_TWICE
/* Poisson's hypothesis for compression and restitution as wholes. */
static void strike_twice(const ic_impact *p, ic_impact_result *r)
{
    ic_impact plastic = *p;
    plastic.e = 0;
    strike(&plastic, r, p->v[0]);
    const double more = p->e * r->P[1], most = p->mu * more, stop = -(p->v[0] + p->w_xy * more) / p->w_xx;
    ic_impact_result q = {.P = {fmax(-most, fmin(most, stop)), more}};
    if (p->w_xy * q.P[0] + p->w_yy * q.P[1] < 0) { /* not less than what keeps the bodies apart */
        plastic.v[0] = r->v[0], plastic.v[1] = 0;
        strike(&plastic, &q, plastic.v[0]);
    }
    r->P[0] += q.P[0], r->P[1] += q.P[1];
    set_velocity(p, r);
}
#endif
#endif

#include "tests/plugins/faulty/map_base.h"
