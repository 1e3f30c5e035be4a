/* SPDX-License-Identifier: MIT */
/**
 * A vibratory roller on soil: one-dimensional impact with a spring and damper element, under the
 * conditions for contact and flight in common use.
 *
 * A. Jonsson, J. Bathelt, G. Broman, Implications of modelling one-dimensional impact by using a
 * spring and damper element, Proc. IMechE K 219 (2005) 299-305.
 *
 * Positions point upwards; the soil is fixed at x1 = 0. With the forces of the element and of the
 * exciter
 *
 *     F_f = -c v2 - k x2,    F_e = F_w sin(omega t + phase),
 *
 * the roller (2) and the frame (3) follow
 *
 *     m2 v2' = -m2 g + F_c + c23 (v3 - v2) + k23 (x3 - x2 - d) - F_e
 *     m3 v3' = -m3 g       - c23 (v3 - v2) - k23 (x3 - x2 - d)
 *
 * with F_c = F_f in contact and 0 in flight. Eq. (15) as scanned has +F_c and -F_c, and no F_e;
 * very likely the paper prints -F_e, with the sign of F_2 in Eq. (3). d cancels in y3 = x3 - d.
 *
 * The compression x_f of the element is a state: x_f = -x2 in contact. In flight it is 0 under all
 * conditions without memory; under D it relaxes freely, c x_f' + k x_f = 0 (Eq. 12). In contact it
 * follows x_f' = -v2 - k/c (x_f + x2). The last term is zero, but damps rounding errors, and makes
 * periodic orbits without flight isolated: without it any constant could be added to x_f, which is
 * a meaningless multiplier of 1.
 *
 *     condition | contact starts when         | contact ends when
 *     A         | x2 falls to 0               | x2 rises to 0                 Eq. (4)
 *     B         | F_f rises to 0              | F_f falls to 0                Eq. (7)
 *     C         | x2 falls to 0               | F_f falls to 0                Eq. (10)
 *     C*        | x2 < 0 and F_f > 0          | F_f falls to 0
 *     D         | x2 + x_f falls to 0         | F_f falls to 0                Eq. (14)
 *
 * The contact-force laws of cases/laws that are meant for the conditions A and C* are variants too,
 * and act on the indentation -x2. (The linear laws are A to D themselves.) Their contacts begin
 * with a touch-down, so a run starts in flight, at rest, at the height by which weight and exciter
 * compress the soil.
 *
 * C is taken literally. A roller that separates while below the ground (x2 < 0) and turns back
 * before it has passed the ground never meets the condition for contact again, and falls through
 * the soil; the event `fall-through` reports this. C* has no such gap: F_c = max(0, F_f) wherever
 * x2 < 0.
 */
#include "cases/common/functions.h"
#include "cases/laws/laws.h"

#include <math.h>

enum { M2, M3, K23, C23, G, D, F_W, OMEGA, PHASE, K, C, OF_THE_LAW };
enum { X2, V2, X3, V3, X_F, MEMORY }; /* MEMORY is the state of a law */
enum { CONTACT, FLIGHT, FALLEN };

static const ic_parameter parameters[] = {
    [M2] = {"m2", "kg", "mass of the roller", "2000", "(0, inf)"},
    [M3] = {"m3", "kg", "mass of the frame", "1000", "(0, inf)"},
    [K23] = {"k23", "N/m", "stiffness between roller and frame", "1e6", "(0, inf)"},
    [C23] = {"c23", "N s/m", "damping between roller and frame", "1e4", "[0, inf)"},
    [G] = {"g", "m/s^2", "constant of gravity", "9.81", "[0, inf)"},
    [D] = {"d", "m", "distance of roller and frame at which the spring is undeformed", "0", "(-inf, inf)"},
    [F_W] = {"F_w", "N", "amplitude of the excitation", "58800", "(-inf, inf)"},
    [OMEGA] = {"omega", "rad/s", "angular frequency of the excitation", "40pi", "(0, inf)"},
    [PHASE] = {"phase", "rad", "phase of the excitation at t = 0", "0", "(-inf, inf)"},
    [K] = {"k", "N/m", "stiffness of the contact element (soil)", "2e8", "(0, inf)"},
    [C] = {"c", "N s/m", "damping of the contact element (soil)", "5.06e5", "(0, inf)"},
};

/* compression of the soil by weight and exciter */
#define DEPTH "((m2 + m3)*g + sqrt(F_w^2))/k"

/* With these, a law with n = 3/2 is as stiff and as damped as the soil at that depth. */
static const ic_law_default law_defaults[] = {
    {"K", "k/sqrt(" DEPTH ")"},
    {"C_1", "c/(" DEPTH ")"},
    {"e", "1/2"},
    {"C_2", "c"},
    {"eps", DEPTH "/20"},
    {"L", "1"},
    {"Delta_R", DEPTH},
    {"E_star", "4*k/pi"},
};

static const ic_state states[] = {
    [X2] = {"x2", "m", "position of the roller; 0: touching undeformed soil", DEPTH},
    [V2] = {"v2", "m/s", "velocity of the roller", "omega*" DEPTH},
    [X3] = {"x3", "m", "position of the frame", "(m3*g + sqrt(F_w^2))/k23"},
    [V3] = {"v3", "m/s", "velocity of the frame", "omega*(m3*g + sqrt(F_w^2))/k23"},
    [X_F] = {"x_f", "m", "compression of the contact element", DEPTH},
};

/* ---- forces and flows */

IC_FUNCTION(element_force, -par[C] * x[V2] - par[K] * x[X2])

static double suspension_force(const double *x, const double *par)
{
    return par[C23] * (x[V3] - x[V2]) + par[K23] * (x[X3] - x[X2] - par[D]);
}

static double excitation(double t, const double *par)
{
    return par[F_W] * sin(par[OMEGA] * t + par[PHASE]);
}

static double roller_acceleration(double t, const double *x, const double *par, double contact_force)
{
    return -par[G] + (contact_force + suspension_force(x, par) - excitation(t, par)) / par[M2];
}

static double frame_acceleration(const double *x, const double *par)
{
    return -par[G] - suspension_force(x, par) / par[M3];
}

static void contact(double *dxdt, double t, const double *x, const double *par)
{
    dxdt[X2] = x[V2];
    dxdt[V2] = roller_acceleration(t, x, par, element_force(t, x, par));
    dxdt[X3] = x[V3];
    dxdt[V3] = frame_acceleration(x, par);
    dxdt[X_F] = -x[V2] - par[K] / par[C] * (x[X_F] + x[X2]);
}

static void flight(double *dxdt, double t, const double *x, const double *par)
{
    dxdt[X2] = x[V2];
    dxdt[V2] = roller_acceleration(t, x, par, 0);
    dxdt[X3] = x[V3];
    dxdt[V3] = frame_acceleration(x, par);
    dxdt[X_F] = 0;
}

static void flight_relaxing(double *dxdt, double t, const double *x, const double *par)
{
    flight(dxdt, t, x, par);
    dxdt[X_F] = -par[K] / par[C] * x[X_F];
}

#define ROLLER_FLIGHT "-g + (c23*(v3 - v2) + k23*(x3 - x2 - d) - F_w*sin(omega*t + phase))/m2"
#define ROLLER_CONTACT "-g + (-c*v2 - k*x2 + c23*(v3 - v2) + k23*(x3 - x2 - d) - F_w*sin(omega*t + phase))/m2"
#define FRAME "-g - (c23*(v3 - v2) + k23*(x3 - x2 - d))/m3"
#define FORCE "-c*v2 - k*x2"

static const char *const contact_linear[] = {"v2", ROLLER_CONTACT, "v3", FRAME, "-v2 - k/c*(x_f + x2)"};
static const char *const flight_linear[] = {"v2", ROLLER_FLIGHT, "v3", FRAME, "0"};
static const char *const flight_relaxing_linear[] = {"v2", ROLLER_FLIGHT, "v3", FRAME, "-k/c*x_f"};

/* ---- energy */

static double stored_energy(double t, const double *x, const double *par)
{
    const double stretch = x[X3] - x[X2] - par[D];
    (void)t;
    return 0.5 * (par[M2] * x[V2] * x[V2] + par[M3] * x[V3] * x[V3] + par[K23] * stretch * stretch +
                  par[K] * x[X_F] * x[X_F]) +
           par[G] * (par[M2] * x[X2] + par[M3] * x[X3]);
}

IC_FUNCTION(supplied_power, -excitation(t, par) * x[V2])

static double suspension_loss(const double *x, const double *par)
{
    return par[C23] * (x[V3] - x[V2]) * (x[V3] - x[V2]);
}

IC_FUNCTION(contact_dissipated, suspension_loss(x, par) + par[C] * x[V2] * x[V2])

static double flight_dissipated(double t, const double *x, const double *par)
{
    (void)t; /* c x_f'^2 with x_f' = -k/c x_f; zero if x_f = 0 */
    return suspension_loss(x, par) + par[K] * par[K] / par[C] * x[X_F] * x[X_F];
}

/* ---- guard functions, with their rates in contact and in flight */

IC_FUNCTION(position, x[X2])
IC_FUNCTION(position_rate, x[V2])
IC_FUNCTION(below_ground, -x[X2])
IC_FUNCTION(velocity, x[V2])
IC_FUNCTION(velocity_rate_in_flight, roller_acceleration(t, x, par, 0))
IC_FUNCTION(force_rate_in_contact,
            -par[C] * roller_acceleration(t, x, par, element_force(t, x, par)) - par[K] * x[V2])
IC_FUNCTION(force_rate_in_flight, -par[C] * roller_acceleration(t, x, par, 0) - par[K] * x[V2])
IC_FUNCTION(compression, x[X_F])
IC_FUNCTION(clearance, x[X2] + x[X_F])
IC_FUNCTION(clearance_rate_relaxing, x[V2] - par[K] / par[C] * x[X_F])

/* ---- jumps: only the memory of the contact changes */

static void copy_state(double *x_post, const double *x_pre)
{
    for (int i = 0; i <= X_F; i++) x_post[i] = x_pre[i];
}

static int engage(double *x_post, double t, const double *x_pre, const double *par)
{
    (void)t, (void)par;
    copy_state(x_post, x_pre);
    x_post[X_F] = -x_pre[X2];
    return 0;
}

static int release(double *x_post, double t, const double *x_pre, const double *par)
{
    (void)t, (void)par;
    copy_state(x_post, x_pre);
    x_post[X_F] = 0;
    return 0;
}

static const char *const engaged[] = {"x2", "v2", "x3", "v3", "-x2"};
static const char *const released[] = {"x2", "v2", "x3", "v3", "0"};

/*
 * Under A the position of the roller is the guard of both modes: it leaves zero downwards when
 * contact begins, and upwards at separation. The same holds for the force of the element under B.
 */
static const ic_branch contact_a[] = {{.mode = CONTACT, .state = engaged, IC_DEPARTS(0, 1, -1)}};
static const ic_branch flight_a[] = {{.mode = FLIGHT, .state = released, IC_DEPARTS(0, 1, +1)}};
static const ic_branch contact_b[] = {{.mode = CONTACT, .state = engaged, IC_DEPARTS(0, 1, +1)}};
static const ic_branch flight_b[] = {{.mode = FLIGHT, .state = released, IC_DEPARTS(0, 1, -1)}};

static const ic_branch contact_c[] = {{.mode = CONTACT, .state = engaged}};
static const ic_branch flight_c[] = {{.mode = FLIGHT, .state = released}};
static const ic_branch fallen_c[] = {{.mode = FALLEN, .state = released}};

/*
 * C*: the force of the element guards contact, and flight below the ground. Regained contact starts
 * at its zero; contact by touch-down does not.
 */
static const ic_branch flight_c_star[] = {{.mode = FLIGHT, .state = released, IC_DEPARTS(1, 1, -1)}};

/*
 * D: at separation F_f = 0 implies v2 = k/c x_f, so that the clearance x2 + x_f is zero together
 * with its rate v2 - k/c x_f, while its second derivative -F_f'/c is positive: a zero of order 2.
 */
static const ic_branch flight_d[] = {{.mode = FLIGHT, IC_DEPARTS(0, 2, +1)}};

static int keep(double *x_post, double t, const double *x_pre, const double *par)
{
    (void)t, (void)par;
    copy_state(x_post, x_pre);
    return 0;
}

/* ---- guards by condition */

#define SEPARATION(jump_)                                                                                      \
    {                                                                                                          \
        .name = "separation", .unit = "N", .meaning = "the contact force has fallen to zero", .direction = -1, \
        .value = element_force, .rate = force_rate_in_contact, .linear = FORCE, .jump = jump_                  \
    }
#define TOUCH_DOWN(jump_)                                                                                      \
    {                                                                                                          \
        .name = "touch-down", .unit = "m", .meaning = "the roller meets the ground", .direction = -1,          \
        .value = position, .rate = position_rate, .linear = "x2", .jump = jump_                                \
    }

static const ic_guard contact_guards_a[] = {
    {.name = "separation",
     .unit = "m",
     .meaning = "the roller rises above the ground",
     .direction = +1,
     .value = position,
     .rate = position_rate,
     .linear = "x2",
     .jump = IC_LINEAR_JUMP(release, flight_a)},
};
static const ic_guard flight_guards_a[] = {TOUCH_DOWN(IC_LINEAR_JUMP(engage, contact_a))};

static const ic_guard contact_guards_b[] = {SEPARATION(IC_LINEAR_JUMP(release, flight_b))};
static const ic_guard flight_guards_b[] = {
    {.name = "force-onset",
     .unit = "N",
     .meaning = "the force of the element rises above zero",
     .direction = +1,
     .value = element_force,
     .rate = force_rate_in_flight,
     .linear = FORCE,
     .jump = IC_LINEAR_JUMP(engage, contact_b)},
};

static const ic_guard contact_guards_c[] = {SEPARATION(IC_LINEAR_JUMP(release, flight_c))};
static const ic_guard flight_guards_c[] = {
    TOUCH_DOWN(IC_LINEAR_JUMP(engage, contact_c)),
    {.name = "fall-through",
     .unit = "m/s",
     .meaning = "the roller turns back below the ground: contact is lost for good",
     .direction = -1,
     .value = velocity,
     .rate = velocity_rate_in_flight,
     .enabled = below_ground,
     .linear = "v2",
     .linear_enabled = "-x2",
     .jump = IC_LINEAR_JUMP(release, fallen_c)},
};

static const ic_guard contact_guards_c_star[] = {SEPARATION(IC_LINEAR_JUMP(release, flight_c_star))};
static const ic_guard flight_guards_c_star[] = {
    TOUCH_DOWN(IC_LINEAR_JUMP(engage, contact_c)),
    {.name = "regained contact",
     .unit = "N",
     .meaning = "the force of the element rises above zero below the ground",
     .direction = +1,
     .value = element_force,
     .rate = force_rate_in_flight,
     .enabled = below_ground,
     .linear = FORCE,
     .linear_enabled = "-x2",
     .jump = IC_LINEAR_JUMP(engage, contact_b)},
};

static const ic_guard contact_guards_d[] = {SEPARATION(IC_LINEAR_JUMP(keep, flight_d))};
static const ic_guard flight_guards_d[] = {
    {.name = "touch-down",
     .unit = "m",
     .meaning = "the roller meets the relaxing soil",
     .direction = -1,
     .value = clearance,
     .rate = clearance_rate_relaxing,
     .linear = "x2 + x_f",
     .jump = IC_LINEAR_JUMP(engage, contact_c)},
};

/*
 * ---- invariants
 *
 * The compression follows the roller in contact; in flight without memory it is 0, and under D it
 * relaxes from above.
 *
 * Sides that are not those of guards: contact under C, C* and D begins with x2 = -x_f <= 0, and
 * then x2 cannot rise to 0 while F_f > 0, since there F_f = -c v2. Under B it can. In flight the
 * roller may be below the ground under B, C, C* and D.
 */

#define FOLLOWS                                                                                                \
    {                                                                                                          \
        "clearance", "m", "the element follows the roller", 0, clearance, "x2 + x_f"                           \
    }
static const ic_invariant follows[] = {FOLLOWS};
static const ic_invariant pressed[] = {
    FOLLOWS,
    {"position", "m", "the roller is not above the ground", -1, position, "x2"},
};
static const ic_invariant relaxed[] = {{"compression", "m", "the element is relaxed", 0, compression, "x_f"}};
static const ic_invariant relaxing[] = {
    {"compression", "m", "the element relaxes to its length, not beyond", +1, compression, "x_f"}};

/* ---- contact by a law: indentation -x2 and its rate -v2 */

static double law_force(const ic_law *law, const double *x, const double *par)
{
    return law->force(-x[X2], -x[V2], x[MEMORY], par + OF_THE_LAW);
}

static void law_contact(const ic_law *law, double *dxdt, double t, const double *x, const double *par)
{
    flight(dxdt, t, x, par);
    dxdt[V2] = roller_acceleration(t, x, par, law_force(law, x, par));
    dxdt[X_F] = -x[V2];
    dxdt[MEMORY] = 0;
}

static void law_flight(double *dxdt, double t, const double *x, const double *par)
{
    flight(dxdt, t, x, par);
    dxdt[MEMORY] = 0;
}

static double law_pushing(const ic_law *law, const double *x, const double *par)
{
    return ic_law_pushing(law, -x[X2], -x[V2], x[MEMORY], par + OF_THE_LAW);
}

static double law_pushing_rate(const ic_law *law, double t, const double *x, const double *par, bool in_contact)
{
    const double acceleration = roller_acceleration(t, x, par, in_contact ? law_force(law, x, par) : 0);
    return ic_law_pushing_rate(law, -x[X2], -x[V2], -acceleration, x[MEMORY], par + OF_THE_LAW);
}

static double law_beyond_kink(const ic_law *law, const double *x, const double *par)
{
    return ic_law_beyond_kink(law, -x[X2], par + OF_THE_LAW);
}

IC_FUNCTION(law_beyond_kink_rate, -x[V2])

/* Force of the spring under the roller; zero above the ground. */
static double law_elastic_force(const ic_law *law, const double *x, const double *par)
{
    return x[X2] < 0 ? law->force(-x[X2], 0, x[MEMORY], par + OF_THE_LAW) : 0;
}

/* The energy stored by the law replaces that of the linear element. */
static double law_stored_energy(const ic_law *law, double t, const double *x, const double *par)
{
    const double linear = 0.5 * par[K] * x[X_F] * x[X_F];
    return stored_energy(t, x, par) - linear + (x[X2] < 0 ? law->stored_energy(-x[X2], par + OF_THE_LAW) : 0);
}

static double law_dissipated(const ic_law *law, const double *x, const double *par)
{
    return suspension_loss(x, par) - (law_force(law, x, par) - law_elastic_force(law, x, par)) * x[V2];
}

/* Below the ground without a force, the spring loses its energy to no body. */
static double law_flight_dissipated(const ic_law *law, const double *x, const double *par)
{
    return suspension_loss(x, par) + law_elastic_force(law, x, par) * x[V2];
}

static int law_touch_down(const ic_law *law, double *x_post, const double *x_pre, const double *par)
{
    copy_state(x_post, x_pre);
    x_post[X_F] = -x_pre[X2];
    x_post[MEMORY] = ic_law_memory(law, -x_pre[V2], par + OF_THE_LAW);
    return 0;
}

static int law_release(double *x_post, double t, const double *x_pre, const double *par)
{
    release(x_post, t, x_pre, par);
    x_post[MEMORY] = x_pre[MEMORY];
    return 0;
}

/* below the surface: the same contact continues, with its memory */
static int law_regain(double *x_post, double t, const double *x_pre, const double *par)
{
    engage(x_post, t, x_pre, par);
    x_post[MEMORY] = x_pre[MEMORY];
    return 0;
}

static int law_start(double *x, double t, const double *x_pre, const double *par)
{
    (void)t, (void)x_pre;
    x[X2] = ((par[M2] + par[M3]) * par[G] + fabs(par[F_W])) / par[K];
    x[X3] = x[X2] + par[D] - par[M3] * par[G] / par[K23];
    x[V2] = x[V3] = x[X_F] = x[MEMORY] = 0;
    return 0;
}

static const ic_branch law_contact_a[] = {{.mode = CONTACT, IC_DEPARTS(0, 1, -1)}};
static const ic_branch law_flight_a[] = {{.mode = FLIGHT, IC_DEPARTS(0, 1, +1)}};
static const ic_branch law_touches[] = {{.mode = CONTACT}};
static const ic_branch law_regains[] = {{.mode = CONTACT, IC_DEPARTS(0, 1, +1)}};
static const ic_branch law_releases[] = {{.mode = FLIGHT, IC_DEPARTS(1, 1, -1)}};
static const ic_branch law_goes_on[] = {{.mode = IC_SAME_MODE}};
static const ic_branch law_starts[] = {{.mode = FLIGHT}};

/* condition A: contact while x2 < 0 */
#define ROLLER_ON_A(law_)                                                                                      \
    ROLLER_ON_LAW(law_)                                                                                        \
    static const ic_guard law_##_contact_guards[] = {                                                          \
        IC_GUARD("separation", "m", "the roller rises above the ground", +1, position, position_rate, NULL,    \
                 law_release, law_flight_a),                                                                   \
    };                                                                                                         \
    static const ic_guard law_##_flight_guards[] = {                                                           \
        IC_GUARD("touch-down", "m", "the roller meets the ground", -1, position, position_rate, NULL,          \
                 law_##_touch_down, law_contact_a),                                                            \
    };                                                                                                         \
    ROLLER_MODES_ON(law_)

/*
 * In flight too: the guard `regained contact` has the kink of the law, and is nonzero only briefly
 * after it.
 */
#define LAW_TRANSITION(law_)                                                                                   \
    IC_GUARD("transition", "m", "the indentation passes a kink of the force", 0, law_##_beyond_kink,           \
             law_beyond_kink_rate, below_ground, law_go_on, law_goes_on)

/* condition C*: contact while x2 < 0 and F > 0 */
#define ROLLER_ON_C_STAR(law_)                                                                                 \
    ROLLER_ON_LAW(law_)                                                                                        \
    IC_FUNCTION(law_##_pushing, law_pushing(&ic_law_##law_, x, par))                                           \
    IC_FUNCTION(law_##_pushing_rate_in_contact, law_pushing_rate(&ic_law_##law_, t, x, par, true))             \
    IC_FUNCTION(law_##_pushing_rate_in_flight, law_pushing_rate(&ic_law_##law_, t, x, par, false))             \
    IC_FUNCTION(law_##_beyond_kink, law_beyond_kink(&ic_law_##law_, x, par))                                   \
    static const ic_guard law_##_contact_guards[] = {                                                          \
        IC_GUARD("separation", "N", "the contact force has fallen to zero", -1, law_##_pushing,                \
                 law_##_pushing_rate_in_contact, NULL, law_release, law_releases),                             \
        LAW_TRANSITION(law_),                                                                                  \
    };                                                                                                         \
    static const ic_guard law_##_flight_guards[] = {                                                           \
        IC_GUARD("touch-down", "m", "the roller meets the ground", -1, position, position_rate, NULL,          \
                 law_##_touch_down, law_touches),                                                              \
        IC_GUARD("regained contact", "N", "the force of the law rises above zero below the ground", +1,        \
                 law_##_pushing, law_##_pushing_rate_in_flight, below_ground, law_regain, law_regains),        \
        LAW_TRANSITION(law_),                                                                                  \
    };                                                                                                         \
    ROLLER_MODES_ON(law_)

/* conditions B, C, D: the linear laws, for which there are the variants of these names */
#define ROLLER_ON_B(law_)
#define ROLLER_ON_C(law_)
#define ROLLER_ON_D(law_)

#define ROLLER_ON_LAW(law_)                                                                                    \
    static void law_##_contact(double *dxdt, double t, const double *x, const double *par)                     \
    {                                                                                                          \
        law_contact(&ic_law_##law_, dxdt, t, x, par);                                                          \
    }                                                                                                          \
    static int law_##_touch_down(double *x_post, double t, const double *x_pre, const double *par)             \
    {                                                                                                          \
        (void)t;                                                                                               \
        return law_touch_down(&ic_law_##law_, x_post, x_pre, par);                                             \
    }                                                                                                          \
    IC_FUNCTION(law_##_stored_energy, law_stored_energy(&ic_law_##law_, t, x, par))                            \
    IC_FUNCTION(law_##_dissipated, law_dissipated(&ic_law_##law_, x, par))                                     \
    IC_FUNCTION(law_##_flight_dissipated, law_flight_dissipated(&ic_law_##law_, x, par))                       \
    IC_OUTPUT(law_##_out_force, mode == CONTACT ? law_force(&ic_law_##law_, x, par) : 0)                       \
    IC_OUTPUT(law_##_out_acceleration, roller_acceleration(t, x, par, law_##_out_force(t, x, mode, par)))      \
    IC_OUTPUT(law_##_out_soil_acceleration, mode == CONTACT ? law_##_out_acceleration(t, x, mode, par) : 0)    \
    IC_OUTPUT(law_##_out_energy, law_stored_energy(&ic_law_##law_, t, x, par))                                 \
    static const ic_output_value law_##_output_values[] = {                                                    \
        {.output = "contact_force", .value = law_##_out_force},                                                \
        {.output = "roller_acceleration", .value = law_##_out_acceleration},                                   \
        {.output = "soil_acceleration", .value = law_##_out_soil_acceleration},                                \
        {.output = "energy", .value = law_##_out_energy},                                                      \
    };

#define ROLLER_MODES_ON(law_)                                                                                  \
    static const ic_mode law_##_modes[] = {                                                                    \
        [CONTACT] = {.name = "contact",                                                                        \
                     .meaning = "the law acts on the roller",                                                  \
                     .flow = law_##_contact,                                                                   \
                     .guards = law_##_contact_guards,                                                          \
                     .n_guards = IC_COUNT(law_##_contact_guards),                                              \
                     .invariants = follows,                                                                    \
                     .n_invariants = IC_COUNT(follows),                                                        \
                     .stored_energy = law_##_stored_energy,                                                    \
                     .supplied_power = supplied_power,                                                         \
                     .dissipated_power = law_##_dissipated},                                                   \
        [FLIGHT] = {.name = "flight",                                                                          \
                    .meaning = "no contact force",                                                             \
                    .flow = law_flight,                                                                        \
                    .guards = law_##_flight_guards,                                                            \
                    .n_guards = IC_COUNT(law_##_flight_guards),                                                \
                    .invariants = relaxed,                                                                     \
                    .n_invariants = IC_COUNT(relaxed),                                                         \
                    .stored_energy = law_##_stored_energy,                                                     \
                    .supplied_power = supplied_power,                                                          \
                    .dissipated_power = law_##_flight_dissipated},                                             \
    };

static int law_go_on(double *x_post, double t, const double *x_pre, const double *par)
{
    (void)t, (void)par;
    copy_state(x_post, x_pre);
    x_post[MEMORY] = x_pre[MEMORY];
    return 0;
}

#define IC_LAW(law_, name_, condition_) ROLLER_ON_##condition_(law_)
#include "cases/laws/laws.def"
#undef IC_LAW

/* ---- modes and variants */

#define MODE_CONTACT(guards_, invariants_)                                                                     \
    [CONTACT] = {.name = "contact",                                                                            \
                 .meaning = "the element acts on the roller",                                                  \
                 .flow = contact,                                                                              \
                 .linear = contact_linear,                                                                     \
                 .guards = guards_,                                                                            \
                 .n_guards = IC_COUNT(guards_),                                                                \
                 .invariants = invariants_,                                                                    \
                 .n_invariants = IC_COUNT(invariants_),                                                        \
                 .stored_energy = stored_energy,                                                               \
                 .supplied_power = supplied_power,                                                             \
                 .dissipated_power = contact_dissipated}
#define MODE_FLIGHT(flow_, guards_, invariants_)                                                               \
    [FLIGHT] = {.name = "flight",                                                                              \
                .meaning = "no contact force",                                                                 \
                .flow = flow_,                                                                                 \
                .linear = flow_##_linear,                                                                      \
                .guards = guards_,                                                                             \
                .n_guards = IC_COUNT(guards_),                                                                 \
                .invariants = invariants_,                                                                     \
                .n_invariants = IC_COUNT(invariants_),                                                         \
                .stored_energy = stored_energy,                                                                \
                .supplied_power = supplied_power,                                                              \
                .dissipated_power = flight_dissipated}

static const ic_mode modes_a[] = {MODE_CONTACT(contact_guards_a, follows),
                                  MODE_FLIGHT(flight, flight_guards_a, relaxed)};
static const ic_mode modes_b[] = {MODE_CONTACT(contact_guards_b, follows),
                                  MODE_FLIGHT(flight, flight_guards_b, relaxed)};
static const ic_mode modes_c[] = {
    MODE_CONTACT(contact_guards_c, pressed),
    MODE_FLIGHT(flight, flight_guards_c, relaxed),
    [FALLEN] = {.name = "fallen",
                .meaning = "below the ground without contact: condition C misses regained contact there",
                .flow = flight,
                .linear = flight_linear,
                .invariants = relaxed,
                .n_invariants = IC_COUNT(relaxed),
                .stored_energy = stored_energy,
                .supplied_power = supplied_power,
                .dissipated_power = flight_dissipated},
};
static const ic_mode modes_c_star[] = {MODE_CONTACT(contact_guards_c_star, pressed),
                                       MODE_FLIGHT(flight, flight_guards_c_star, relaxed)};
static const ic_mode modes_d[] = {MODE_CONTACT(contact_guards_d, pressed),
                                  MODE_FLIGHT(flight_relaxing, flight_guards_d, relaxing)};

/* Static equilibrium in contact. */
static int set_start(double *x, double t, const double *x_pre, const double *par)
{
    (void)t, (void)x_pre;
    x[X2] = -(par[M2] + par[M3]) * par[G] / par[K];
    x[V2] = 0;
    x[X3] = x[X2] + par[D] - par[M3] * par[G] / par[K23];
    x[V3] = 0;
    x[X_F] = -x[X2];
    return 0;
}

static const char *const static_rest[] = {"-(m2 + m3)*g/k", "0", "d - (m2 + m3)*g/k - m3*g/k23", "0",
                                          "(m2 + m3)*g/k"};
static const ic_branch start_branches[] = {{.mode = CONTACT, .state = static_rest}};

#define VARIANT(name_, meaning_, modes_)                                                                       \
    {                                                                                                          \
        .name = name_, .meaning = meaning_, .modes = modes_, .n_modes = IC_COUNT(modes_),                      \
        .start = IC_LINEAR_JUMP(set_start, start_branches)                                                     \
    }

static const ic_variant variants[] = {
    VARIANT("A", "contact while x2 < 0", modes_a),
    VARIANT("B", "contact while F_f > 0", modes_b),
    VARIANT("C", "contact from x2 = 0 until F_f = 0, literally", modes_c),
    VARIANT("C*", "contact while x2 < 0 and F_f > 0", modes_c_star),
    VARIANT("D", "contact from x2 = -x_f until F_f = 0, with x_f relaxing in flight", modes_d),
#define VARIANT_A(law_, name_)                                                                                 \
    {.name = (name_),                                                                                          \
     .meaning = "on the law of this name",                                                                     \
     .modes = law_##_modes,                                                                                    \
     .n_modes = IC_COUNT(law_##_modes),                                                                        \
     .start = {.apply = law_start, .branches = law_starts, .n_branches = 1},                                   \
     .law = &ic_law_##law_,                                                                                    \
     .output_values = law_##_output_values,                                                                    \
     .n_output_values = IC_COUNT(law_##_output_values)},
#define VARIANT_B(law_, name_)
#define VARIANT_C(law_, name_)
#define VARIANT_D(law_, name_)
#define VARIANT_C_STAR(law_, name_) VARIANT_A(law_, name_)
#define IC_LAW(law_, name_, condition_) VARIANT_##condition_(law_, name_)
#include "cases/laws/laws.def"
#undef IC_LAW
};

/*
 * ---- outputs, in the order CONTACT, FLIGHT, FALLEN; in flight x_f, and hence the motion of the
 * soil, is 0 under all conditions except D
 */

IC_OUTPUT(out_contact_force, mode == CONTACT ? element_force(t, x, par) : 0)
IC_OUTPUT(out_gap, x[X2])
IC_OUTPUT(out_clearance, mode == CONTACT ? 0 : x[X2] + x[X_F])
IC_OUTPUT(out_compression, x[X_F])
IC_OUTPUT(out_roller_velocity, x[V2])
IC_OUTPUT(out_roller_acceleration, roller_acceleration(t, x, par, out_contact_force(t, x, mode, par)))
IC_OUTPUT(out_frame_displacement, x[X3])
IC_OUTPUT(out_frame_velocity, x[V3])
IC_OUTPUT(out_frame_acceleration, frame_acceleration(x, par))
IC_OUTPUT(out_soil_displacement, -x[X_F])
IC_OUTPUT(out_soil_velocity, mode == CONTACT ? x[V2] : par[K] / par[C] * x[X_F])

static double out_soil_acceleration(double t, const double *x, int mode, const double *par)
{
    const double rate = par[K] / par[C];
    return mode == CONTACT ? out_roller_acceleration(t, x, mode, par) : -rate * rate * x[X_F];
}

IC_OUTPUT(out_energy, stored_energy(t, x, par))

#define BY_MODE(contact_, flight_) ((const char *const[]){contact_, flight_, flight_})

static const ic_output outputs[] = {
    {"contact_force", "N", "force of the soil on the roller", out_contact_force, BY_MODE(FORCE, "0")},
    {"gap", "m", "distance from the roller to undeformed soil; negative: compressed", out_gap,
     BY_MODE("x2", "x2")},
    {"clearance", "m", "distance from the roller to the contact element", out_clearance,
     BY_MODE("0", "x2 + x_f")},
    {"compression", "m", "compression of the contact element", out_compression, BY_MODE("x_f", "x_f")},
    {"roller_displacement", "m", "position of the roller", out_gap, BY_MODE("x2", "x2")},
    {"roller_velocity", "m/s", "velocity of the roller", out_roller_velocity, BY_MODE("v2", "v2")},
    {"roller_acceleration", "m/s^2", "acceleration of the roller", out_roller_acceleration,
     BY_MODE(ROLLER_CONTACT, ROLLER_FLIGHT)},
    {"frame_displacement", "m", "position of the frame", out_frame_displacement, BY_MODE("x3", "x3")},
    {"frame_velocity", "m/s", "velocity of the frame", out_frame_velocity, BY_MODE("v3", "v3")},
    {"frame_acceleration", "m/s^2", "acceleration of the frame", out_frame_acceleration, BY_MODE(FRAME, FRAME)},
    {"soil_displacement", "m", "position of the soil's surface (the element's plate)", out_soil_displacement,
     BY_MODE("-x_f", "-x_f")},
    {"soil_velocity", "m/s", "velocity of the soil's surface", out_soil_velocity, BY_MODE("v2", "k/c*x_f")},
    {"soil_acceleration", "m/s^2", "acceleration of the soil's surface", out_soil_acceleration,
     BY_MODE(ROLLER_CONTACT, "-k^2/c^2*x_f")},
    {"energy", "J", "kinetic, potential and elastic energy", out_energy, NULL},
};

/*
 * ---- presets: the load cases of Table 2 (c as tabulated, not recomputed from D) under all
 * conditions
 */

#define LOAD_CASE(name_, settings_, meaning_)                                                                  \
    PRESET(name_, "A", settings_, meaning_), PRESET(name_, "B", settings_, meaning_),                          \
        PRESET(name_, "C", settings_, meaning_), PRESET(name_, "C*", settings_, meaning_),                     \
        PRESET(name_, "D", settings_, meaning_)
#define PRESET(name_, variant_, settings_, meaning_)                                                           \
    {                                                                                                          \
        name_ "/" variant_, variant_, settings_, "200*2*pi/omega", meaning_ ", condition " variant_            \
    }

static const ic_preset presets[] = {
    LOAD_CASE("I", "k=5e6, c=8e4, omega=40pi", "Table 2, Case I: soft soil, D = 0.4"),
    LOAD_CASE("II", "k=2e8, c=5.06e5, omega=40pi", "Table 2, Case II: stiff soil, D = 0.4"),
    LOAD_CASE("III", "k=2e8, c=5.06e5, omega=80pi", "Table 2, Case III: as II at twice the frequency"),
    LOAD_CASE("IV", "k=2e8, c=2.53e6, omega=80pi", "Table 2, Case IV: as III with D = 2.0"),
    {"law", "hunt-crossley", "k=2e8, c=5.06e5, omega=40pi", "20*2*pi/omega",
     "Case II on a contact-force law; --variant selects another"},
};

static const char *const conditions[] = {[IC_CONDITION_A] = "A",
                                         [IC_CONDITION_B] = "B",
                                         [IC_CONDITION_C] = "C",
                                         [IC_CONDITION_C_STAR] = "C*",
                                         [IC_CONDITION_D] = "D"};

static const ic_contact_view contact_view = {.contact = CONTACT,
                                             .free = FLIGHT,
                                             .gap = "gap",
                                             .force = "contact_force",
                                             .recovers = true,
                                             .derived = (const char *const[]){"x_f", NULL},
                                             .carried = (const char *const[]){"x3", "v3"},
                                             .conditions = conditions,
                                             .compression = "x_f"};

#define PERIODS(n_) n_ "*2*pi/omega"
static const ic_trial trials[] = {{.preset = "III/A", .until = PERIODS("20")},
                                  {.preset = "III/C", .until = PERIODS("20")},
                                  {.preset = "III/D", .until = PERIODS("20")},
                                  {.preset = "law", .until = PERIODS("10")},
                                  {.preset = "III/C", .until = "0.1", .again = "c=3e5"}};

const ic_case ic_case_roller = {
    IC_ABI(ic_case),
    .name = "roller",
    .title = "Vibratory roller on soil under the transition conditions A, B, C, C* and D",
    .source = "Jonsson, Bathelt & Broman, Proc. IMechE K 219 (2005) 299-305",
    .parameters = parameters,
    .n_parameters = IC_COUNT(parameters),
    .states = states,
    .n_states = IC_COUNT(states),
    .outputs = outputs,
    .n_outputs = IC_COUNT(outputs),
    .variants = variants,
    .n_variants = IC_COUNT(variants),
    .presets = presets,
    .n_presets = IC_COUNT(presets),
    .law_defaults = law_defaults,
    .n_law_defaults = IC_COUNT(law_defaults),
    .time_scale = "2*pi/omega",
    .period = "2*pi/omega",
    .contact = &contact_view,
    .trials = trials,
    .n_trials = IC_COUNT(trials),
};
