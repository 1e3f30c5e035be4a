/* SPDX-License-Identifier: MIT */
/**
 * A planar bar hits a rough surface: the regularized model, and the rigid models with the
 * hypotheses of Newton, Poisson and Stronge.
 *
 * A. Kecskemethy, C. Lange, Solving impact interactions using the regularized model approach, Tenth
 * World Congress on the Theory of Machines and Mechanisms (1999). Signs and the inverse mass matrix
 * differ from what is printed there; see reference/errata.csv.
 *
 * During the impact only velocities change. The point of contact O of the bar has the velocity
 *
 *     v = v(0) + C P/m,     P = integral of F dt,
 *     C_xx = 1 + (l cos(phi)/rho)^2,   C_yy = 1 + (l sin(phi)/rho)^2,   C_xy = -(l/rho)^2 sin(phi) cos(phi),
 *
 * where phi is the clockwise angle from the normal y to the line from O to the centre of mass. The
 * bar turns clockwise at
 *
 *     phi_dot = phi_dot(0) + l (sin(phi) P_y - cos(phi) P_x)/(m rho^2).
 *
 * The surface may be a second body, of mass m/ratio: it adds ratio times its own C, and v is
 * relative to it. Any other inverse mass matrix can be set by C_xx, C_xy, C_yy.
 *
 * REGULARIZED. Springs c_x = kappa c_y and c_y connect O to a massless sledge that rubs on the
 * surface:
 *
 *     sticking:      x' = v_x,               y' = v_y,    F_x = -c_x x,             F_y = -c_y y,
 *     sliding +, -:  x = -+ mu F_y/c_x,      y' = v_y,    F_x = -+ mu F_y,          x_s' = v_x - x'.
 *
 * Sticking turns into sliding when |F_x| reaches mu F_y, and sliding into sticking when the sledge
 * stops; the impact ends when y returns to 0. Only sqrt(m/c_y) sets the time, so c_y = m/(1 s)^2 is
 * used, and t is the paper's tau.
 *
 * RIGID. The normal impulse serves as the clock, F_y = -m v_y(0)/(1 s). F_x = -+ mu F_y while O
 * slides, and F_x = -C_xy/C_xx F_y while it sticks. When it stops, it sticks if |C_xy| <= mu C_xx,
 * and else slides back. With D_N = -integral v_y dP_y, and P_c, D_c at the end of compression (v_y
 * = 0), the impact ends when
 *
 *     newton: v_y = -e v_y(0),     poisson: P_y = (1 + e) P_c,     stronge: D_N = (1 - e^2) D_c.
 */
#include "cases/common/functions.h"
#include "impactcheck/impactcheck.h"

#include <math.h>

enum { M, L, RHO, PHI, MU, KAPPA, E, VX, VY, PHI_DOT, RATIO, L2, RHO2, PHI2, PHI2_DOT, C_XX, C_XY, C_YY };
enum {
    X = IC_IMPACT_X,
    Y = IC_IMPACT_Y,
    X_S = IC_IMPACT_X_S,
    P_X = IC_IMPACT_P_X,
    P_Y = IC_IMPACT_P_Y,
    TAU = IC_IMPACT_TAU,
    D_0 = IC_IMPACT_D_0,
    P_C = IC_IMPACT_P_C,
    D_C = IC_IMPACT_D_C
};

/*
 * Ranges end where double precision would fail, or runs would become long: a run has about 30
 * transitions between stick and slip per decade of kappa.
 */
static const ic_parameter parameters[] = {
    [M] = {"m", "kg", "mass of the bar", "1", "[1e-30, 1e30]"},
    [L] = {"l", "m", "distance of the centre of mass from the point of contact", "0.5", "[0, 1e30]"},
    [RHO] = {"rho", "m", "radius of gyration", "1/(2*sqrt(3))", "[1e-30, 1e30]"},
    [PHI] = {"phi", "rad", "angle of the bar from the normal, clockwise", "pi/4", "(-inf, inf)"},
    [MU] = {"mu", "1", "coefficient of friction", "1", "[0, 1e9]"},
    [KAPPA] = {"kappa", "1", "tangential over normal stiffness", "1", "[1e-9, 1e9]"},
    [E] = {"e", "1", "coefficient of restitution of the rigid models; the regularized one is elastic", "1",
           "[0, 1]"},
    [VX] = {"vx", "m/s", "tangential velocity of the point of contact at the start", "0.8", "[-1e30, 1e30]"},
    [VY] = {"vy", "m/s", "its normal velocity at the start; negative: approaching", "-1", "[-1e30, 0)"},
    [PHI_DOT] = {"phi_dot", "rad/s", "clockwise angular velocity at the start", "0", "(-inf, inf)"},
    [RATIO] = {"ratio", "1", "mass of the bar over that of a second body; 0: a fixed surface", "0", "[0, inf)"},
    [L2] = {"l2", "m", "distance of the second body's centre of mass from the point of contact", "0",
            "[0, inf)"},
    [RHO2] = {"rho2", "m", "radius of gyration of the second body", "1", "(0, inf)"},
    [PHI2] = {"phi2", "rad", "angle of its centre of mass from the normal, clockwise; pi: straight below", "pi",
              "(-inf, inf)"},
    [PHI2_DOT] = {"phi2_dot", "rad/s", "clockwise angular velocity of the second body at the start", "0",
                  "(-inf, inf)"},
    [C_XX] = {"C_xx", "1",
              "inverse mass matrix at the point of contact, times m; phi_dot always follows from l, rho, phi",
              "1 + (l*cos(phi)/rho)^2 + ratio*(1 + (l2*cos(phi2)/rho2)^2)", "(0, inf)"},
    [C_XY] = {"C_xy", "1", "off-diagonal element of the inverse mass matrix, times m",
              "-(l/rho)^2*sin(phi)*cos(phi) - ratio*(l2/rho2)^2*sin(phi2)*cos(phi2)", "(-inf, inf)"},
    [C_YY] = {"C_yy", "1", "normal element of the inverse mass matrix, times m",
              "1 + (l*sin(phi)/rho)^2 + ratio*(1 + (l2*sin(phi2)/rho2)^2)", "(0, inf)"},
};

static const ic_requirement requirements[] = {
    {"C_xx*C_yy - C_xy^2", "the inverse mass matrix (C_xx, C_xy, C_yy) must be positive definite"},
    {"(1 - 1e-12)*C_xx*C_yy - C_xy^2", "the inverse mass matrix must not be singular up to rounding"},
    {"1e12*(-vy) - sqrt(vx^2)",
     "the approach must not be slower than 1e-12 of the sliding, which is below the rounding error"},
};

#define SPEED "sqrt(vx^2 + vy^2)"

static const ic_state states[] = {
    [X] = {"x", "m", "tangential deflection of the contact", SPEED "/sqrt(kappa*C_xx)"},
    [Y] = {"y", "m", "normal deflection, negative in contact", SPEED "/sqrt(C_yy)"},
    [X_S] = {"x_s", "m", "position of the sledge", SPEED "/sqrt(C_yy)"},
    [P_X] = {"P_x", "N s", "tangential impulse on the bar", "m*" SPEED "/C_yy"},
    [P_Y] = {"P_y", "N s", "normal impulse on the bar", "m*" SPEED "/C_yy"},
    [TAU] = {"tau", "1", "duration of contact, in sqrt(m/c_y)", "1"},
    [D_0] = {"D_0", "J", "energy taken from the normal motion that the normal spring does not hold",
             "m*(vx^2 + vy^2)"},
    [P_C] = {"P_c", "N s", "rigid: normal impulse at the end of compression", "m*" SPEED "/C_yy"},
    [D_C] = {"D_c", "J", "rigid: D_N at the end of compression", "m*(vx^2 + vy^2)"},
};

/* ---- velocities and forces */

#define V_X "(vx + (C_xx*P_x + C_xy*P_y)/m)"
#define V_Y "(vy + (C_xy*P_x + C_yy*P_y)/m)"

static double v_x(const double *x, const double *par)
{
    return par[VX] + (par[C_XX] * x[P_X] + par[C_XY] * x[P_Y]) / par[M];
}

static double v_y(const double *x, const double *par)
{
    return par[VY] + (par[C_XY] * x[P_X] + par[C_YY] * x[P_Y]) / par[M];
}

/* x_s' = v_x - x' while the sledge slides to `side` */
#define SLEDGE(plus_minus) "(" V_X " " plus_minus " mu/kappa*" V_Y ")"

static double sledge_velocity(const double *x, int side, const double *par)
{
    return v_x(x, par) + side * par[MU] / par[KAPPA] * v_y(x, par);
}

static double normal_force(const double *x, const double *par)
{
    return -par[M] * x[Y];
}

/* ---- regularized flows */

static void hold(double *dxdt)
{
    for (int i = 0; i < IC_IMPACT_STATES; i++) dxdt[i] = 0;
}

static void sticking(double *dxdt, double t, const double *x, const double *par)
{
    (void)t;
    hold(dxdt);
    dxdt[X] = v_x(x, par);
    dxdt[Y] = v_y(x, par);
    dxdt[P_X] = -par[KAPPA] * par[M] * x[X];
    dxdt[P_Y] = normal_force(x, par);
    dxdt[TAU] = 1;
}

static void sliding(double *dxdt, int side, const double *x, const double *par)
{
    hold(dxdt);
    dxdt[X] = -side * par[MU] / par[KAPPA] * v_y(x, par);
    dxdt[Y] = v_y(x, par);
    dxdt[X_S] = sledge_velocity(x, side, par);
    dxdt[P_X] = -side * par[MU] * normal_force(x, par);
    dxdt[P_Y] = normal_force(x, par);
    dxdt[TAU] = 1;
}

static void sliding_plus(double *dxdt, double t, const double *x, const double *par)
{
    (void)t;
    sliding(dxdt, +1, x, par);
}

static void sliding_minus(double *dxdt, double t, const double *x, const double *par)
{
    (void)t;
    sliding(dxdt, -1, x, par);
}

static void lifted_off(double *dxdt, double t, const double *x, const double *par)
{
    (void)t;
    hold(dxdt);
    dxdt[Y] = v_y(x, par);
    dxdt[X_S] = v_x(x, par);
}

#define NOTHING_RIGID "0", "0", "0"
static const char *const sticking_linear[] = {V_X, V_Y, "0", "-kappa*m*x", "-m*y", "1", NOTHING_RIGID};
static const char *const sliding_plus_linear[] = {"-mu/kappa*" V_Y, V_Y, SLEDGE("+"),  "mu*m*y",
                                                  "-m*y",           "1", NOTHING_RIGID};
static const char *const sliding_minus_linear[] = {"mu/kappa*" V_Y, V_Y, SLEDGE("-"),  "-mu*m*y",
                                                   "-m*y",          "1", NOTHING_RIGID};
static const char *const lifted_off_linear[] = {"0", V_Y, V_X, "0", "0", "0", NOTHING_RIGID};

/* ---- regularized guards */

/* distances to the edges of the friction cone: mu F_y + F_x and mu F_y - F_x */
IC_FUNCTION(to_slip_plus, -par[M] * (par[MU] * x[Y] + par[KAPPA] * x[X]))
IC_FUNCTION(to_slip_plus_rate, -par[M] * (par[MU] * v_y(x, par) + par[KAPPA] * v_x(x, par)))
IC_FUNCTION(to_slip_minus, -par[M] * (par[MU] * x[Y] - par[KAPPA] * x[X]))
IC_FUNCTION(to_slip_minus_rate, -par[M] * (par[MU] * v_y(x, par) - par[KAPPA] * v_x(x, par)))

/*
 * A direct central impact has no tangential force: x, F_x and the cone vanish together at lift-off.
 */
IC_FUNCTION(has_tangential_part, par[VX] * par[VX] + par[C_XY] * par[C_XY])

/* Without friction the sledge never stops. */
IC_FUNCTION(has_friction, par[MU])
IC_FUNCTION(deflection, x[Y])
IC_FUNCTION(deflection_rate, v_y(x, par))
IC_FUNCTION(sledge_plus, sledge_velocity(x, +1, par))
IC_FUNCTION(sledge_minus, sledge_velocity(x, -1, par))

/* v' = C F/m */
static double sledge_rate(const double *x, int side, const double *par)
{
    const double F_y = normal_force(x, par), F_x = -side * par[MU] * F_y, along = side * par[MU] / par[KAPPA];
    return ((par[C_XX] + along * par[C_XY]) * F_x + (par[C_XY] + along * par[C_YY]) * F_y) / par[M];
}

IC_FUNCTION(sledge_plus_rate, sledge_rate(x, +1, par))
IC_FUNCTION(sledge_minus_rate, sledge_rate(x, -1, par))

/* ---- jumps of the regularized model; while the sledge slides, x follows from y */

static int copy(double *x_post, const double *x_pre)
{
    for (int i = 0; i < IC_IMPACT_STATES; i++) x_post[i] = x_pre[i];
    return 0;
}

static int on_the_edge(double *x_post, int side, const double *x_pre, const double *par)
{
    copy(x_post, x_pre);
    x_post[X] = -side * par[MU] / par[KAPPA] * x_pre[Y];
    return 0;
}

static int on_the_plus_edge(double *x_post, double t, const double *x_pre, const double *par)
{
    (void)t;
    return on_the_edge(x_post, +1, x_pre, par);
}

static int on_the_minus_edge(double *x_post, double t, const double *x_pre, const double *par)
{
    (void)t;
    return on_the_edge(x_post, -1, x_pre, par);
}

static int lift_off(double *x_post, double t, const double *x_pre, const double *par)
{
    (void)t, (void)par;
    copy(x_post, x_pre);
    x_post[X] = x_post[Y] = 0;
    return 0;
}

/*
 * At lift-off the friction cone has shrunk to a point. If the bar sticks until then (which for
 * kappa = 1 it does in a range of parameters, since the frequencies are then 1 and sqrt(1 +
 * l^2/rho^2)), rounding may put the slip first, above the ground.
 */
enum { SLIPS, SLIPS_AT_START, LEAVES };

static int slip(double *x_post, int side, const double *x_pre, const double *par)
{
    if (!(x_pre[Y] < 0) && !(v_y(x_pre, par) < 0)) return lift_off(x_post, 0, x_pre, par), LEAVES;
    on_the_edge(x_post, side, x_pre, par);
    return x_pre[Y] < 0 ? SLIPS : SLIPS_AT_START;
}

static int slip_plus(double *x_post, double t, const double *x_pre, const double *par)
{
    (void)t;
    return slip(x_post, +1, x_pre, par);
}

static int slip_minus(double *x_post, double t, const double *x_pre, const double *par)
{
    (void)t;
    return slip(x_post, -1, x_pre, par);
}

#define THE_REST "x_s", "P_x", "P_y", "tau", "D_0", "P_c", "D_c"
static const char *const plus_edge[] = {"-mu/kappa*y", "y", THE_REST};
static const char *const minus_edge[] = {"mu/kappa*y", "y", THE_REST};
static const char *const relaxed[] = {"0", "0", THE_REST};

enum { LIFT_OFF, SLIP_PLUS, SLIP_MINUS }; /* guards of sticking: lift-off first, since nothing slips after it */

static const ic_branch slip_plus_branches[] = {
    [SLIPS] = {.mode = IC_IMPACT_SLIDING_PLUS, .condition = "-y", .state = plus_edge},
    [SLIPS_AT_START] = {.mode = IC_IMPACT_SLIDING_PLUS, .condition = "-" V_Y, .state = plus_edge},
    [LEAVES] = {.mode = IC_IMPACT_LIFTED_OFF, .state = relaxed},
};
static const ic_branch slip_minus_branches[] = {
    [SLIPS] = {.mode = IC_IMPACT_SLIDING_MINUS, .condition = "-y", .state = minus_edge},
    [SLIPS_AT_START] = {.mode = IC_IMPACT_SLIDING_MINUS, .condition = "-" V_Y, .state = minus_edge},
    [LEAVES] = {.mode = IC_IMPACT_LIFTED_OFF, .state = relaxed},
};
/*
 * mu F_y + F_x and its rate, -c_x x_s', vanish; its second derivative, -c_x x_s'', is positive,
 * since the sledge came to rest.
 */
static const ic_branch stop_plus_branches[] = {
    {.mode = IC_IMPACT_STICKING, .state = plus_edge, IC_DEPARTS(SLIP_PLUS, 2, +1)}};
static const ic_branch stop_minus_branches[] = {
    {.mode = IC_IMPACT_STICKING, .state = minus_edge, IC_DEPARTS(SLIP_MINUS, 2, +1)}};
static const ic_branch lift_off_branches[] = {{.mode = IC_IMPACT_LIFTED_OFF, .state = relaxed}};

#define LIFT_OFF_GUARD                                                                                         \
    {                                                                                                          \
        .name = IC_IMPACT_LIFT_OFF, .unit = "m", .meaning = "the normal spring is relaxed", .direction = +1,   \
        .value = deflection, .rate = deflection_rate, .linear = "y",                                           \
        .jump = IC_LINEAR_JUMP(lift_off, lift_off_branches)                                                    \
    }

static const ic_guard sticking_guards[] = {
    [LIFT_OFF] = LIFT_OFF_GUARD,
    [SLIP_PLUS] = {.name = IC_IMPACT_SLIP_PLUS,
                   .unit = "N",
                   .meaning = "F_x reaches -mu F_y: the sledge starts to +x",
                   .direction = -1,
                   .value = to_slip_plus,
                   .rate = to_slip_plus_rate,
                   .enabled = has_tangential_part,
                   .linear = "-m*(mu*y + kappa*x)",
                   .linear_enabled = "vx^2 + C_xy^2",
                   .jump = IC_LINEAR_JUMP(slip_plus, slip_plus_branches)},
    [SLIP_MINUS] = {.name = IC_IMPACT_SLIP_MINUS,
                    .unit = "N",
                    .meaning = "F_x reaches mu F_y: the sledge starts to -x",
                    .direction = -1,
                    .value = to_slip_minus,
                    .rate = to_slip_minus_rate,
                    .enabled = has_tangential_part,
                    .linear = "-m*(mu*y - kappa*x)",
                    .linear_enabled = "vx^2 + C_xy^2",
                    .jump = IC_LINEAR_JUMP(slip_minus, slip_minus_branches)},
};

static const ic_guard sliding_plus_guards[] = {
    LIFT_OFF_GUARD,
    {.name = IC_IMPACT_STOP,
     .unit = "m/s",
     .meaning = "the sledge stops",
     .direction = -1,
     .value = sledge_plus,
     .rate = sledge_plus_rate,
     .enabled = has_friction,
     .linear = SLEDGE("+"),
     .linear_enabled = "mu",
     .jump = IC_LINEAR_JUMP(on_the_plus_edge, stop_plus_branches)},
};

static const ic_guard sliding_minus_guards[] = {
    LIFT_OFF_GUARD,
    {.name = IC_IMPACT_STOP,
     .unit = "m/s",
     .meaning = "the sledge stops",
     .direction = +1,
     .value = sledge_minus,
     .rate = sledge_minus_rate,
     .enabled = has_friction,
     .linear = SLEDGE("-"),
     .linear_enabled = "mu",
     .jump = IC_LINEAR_JUMP(on_the_minus_edge, stop_minus_branches)},
};

/*
 * ---- energy: of the relative motion, of the springs, and what a rigid model took from the normal
 * motion
 */

/* m/2 v . C^-1 v */
static double kinetic_energy(double vx, double vy, const double *par)
{
    const double C_xx = par[C_XX], C_xy = par[C_XY], C_yy = par[C_YY];
    return 0.5 * par[M] * (C_yy * vx * vx - 2 * C_xy * vx * vy + C_xx * vy * vy) / (C_xx * C_yy - C_xy * C_xy);
}

static double normal_spring_energy(const double *x, const double *par)
{
    return 0.5 * par[M] * x[Y] * x[Y];
}

IC_FUNCTION(stored_energy, kinetic_energy(v_x(x, par), v_y(x, par), par) + normal_spring_energy(x, par) +
                               0.5 * par[KAPPA] * par[M] * x[X] * x[X] + x[D_0])
IC_FUNCTION(no_power, 0)

/* -F_x x_s' */
IC_FUNCTION(friction_plus, par[MU] * normal_force(x, par) * sledge_velocity(x, +1, par))
IC_FUNCTION(friction_minus, -par[MU] * normal_force(x, par) * sledge_velocity(x, -1, par))

/* ---- rigid flows, with the clock P_y' = -m v_y(0)/(1 s) */

static double clock_force(const double *par)
{
    return -par[M] * par[VY];
}

/* F_x = friction F_y */
static void rigid(double *dxdt, double friction, const double *x, const double *par)
{
    hold(dxdt);
    dxdt[P_X] = friction * clock_force(par);
    dxdt[P_Y] = clock_force(par);
    dxdt[D_0] = -v_y(x, par) * clock_force(par);
}

static void rigid_sticking(double *dxdt, double t, const double *x, const double *par)
{
    (void)t;
    rigid(dxdt, -par[C_XY] / par[C_XX], x, par);
}

static void rigid_plus(double *dxdt, double t, const double *x, const double *par)
{
    (void)t;
    rigid(dxdt, -par[MU], x, par);
}

static void rigid_minus(double *dxdt, double t, const double *x, const double *par)
{
    (void)t;
    rigid(dxdt, par[MU], x, par);
}

#define CLOCK "(-m*vy)"
#define RIGID(friction)                                                                                        \
    {                                                                                                          \
        "0", "0", "0", friction "*" CLOCK, CLOCK, "0", "-" V_Y "*" CLOCK, "0", "0"                             \
    }
static const char *const rigid_sticking_linear[] = RIGID("-C_xy/C_xx");
static const char *const rigid_plus_linear[] = RIGID("-mu");
static const char *const rigid_minus_linear[] = RIGID("mu");

/* -F_x v_x */
IC_FUNCTION(rigid_friction_plus, par[MU] * clock_force(par) * v_x(x, par))
IC_FUNCTION(rigid_friction_minus, -par[MU] * clock_force(par) * v_x(x, par))

/* ---- rigid guards and jumps */

IC_FUNCTION(tangential, v_x(x, par))
IC_FUNCTION(rigid_plus_rate, (par[C_XY] - par[MU] * par[C_XX]) * clock_force(par) / par[M])
IC_FUNCTION(rigid_minus_rate, (par[C_XY] + par[MU] * par[C_XX]) * clock_force(par) / par[M])
IC_FUNCTION(normal, v_y(x, par))

static double normal_rate(double friction, const double *par)
{
    return (par[C_XY] * friction + par[C_YY]) * clock_force(par) / par[M];
}

IC_FUNCTION(normal_rate_sticking, normal_rate(-par[C_XY] / par[C_XX], par))
IC_FUNCTION(normal_rate_plus, normal_rate(-par[MU], par))
IC_FUNCTION(normal_rate_minus, normal_rate(par[MU], par))

enum { STOPS_AND_SLIDES_BACK, STOPS_AND_STICKS };

static int stop_plus(double *x_post, double t, const double *x_pre, const double *par)
{
    (void)t;
    copy(x_post, x_pre);
    return -(par[C_XY] + par[MU] * par[C_XX]) > 0 ? STOPS_AND_SLIDES_BACK : STOPS_AND_STICKS;
}

static int stop_minus(double *x_post, double t, const double *x_pre, const double *par)
{
    (void)t;
    copy(x_post, x_pre);
    return par[C_XY] - par[MU] * par[C_XX] > 0 ? STOPS_AND_SLIDES_BACK : STOPS_AND_STICKS;
}

enum { STOP }; /* the first guard of rigid sliding */

#define NEEDS_TO_SLIDE_PLUS "C_xy - mu*C_xx"
#define NEEDS_TO_SLIDE_MINUS "-(C_xy + mu*C_xx)"
static const ic_branch rigid_stop_plus_branches[] = {
    [STOPS_AND_SLIDES_BACK] = {.mode = IC_IMPACT_RIGID_MINUS,
                               .condition = NEEDS_TO_SLIDE_MINUS,
                               IC_DEPARTS(STOP, 1, -1)},
    [STOPS_AND_STICKS] = {.mode = IC_IMPACT_RIGID_STICKING},
};
static const ic_branch rigid_stop_minus_branches[] = {
    [STOPS_AND_SLIDES_BACK] = {.mode = IC_IMPACT_RIGID_PLUS,
                               .condition = NEEDS_TO_SLIDE_PLUS,
                               IC_DEPARTS(STOP, 1, +1)},
    [STOPS_AND_STICKS] = {.mode = IC_IMPACT_RIGID_STICKING},
};

enum { GOES_ON, ENDS };

static int end_compression(double *x_post, double t, const double *x_pre, const double *par)
{
    (void)t;
    copy(x_post, x_pre);
    x_post[P_C] = x_pre[P_Y];
    x_post[D_C] = x_pre[D_0];
    return par[E] > 0 ? GOES_ON : ENDS;
}

static const char *const compressed[] = {"x", "y", "x_s", "P_x", "P_y", "tau", "D_0", "P_y", "D_0"};
static const ic_branch compression_end_branches[] = {
    [GOES_ON] = {.mode = IC_SAME_MODE, .condition = "e", .state = compressed},
    [ENDS] = {.mode = IC_IMPACT_LIFTED_OFF, .state = compressed},
};

static int leave(double *x_post, double t, const double *x_pre, const double *par)
{
    (void)t, (void)par;
    return copy(x_post, x_pre);
}

static const ic_branch rigid_lift_off_branches[] = {{.mode = IC_IMPACT_LIFTED_OFF}};

IC_FUNCTION(has_restitution, par[E])
IC_FUNCTION(newton_value, v_y(x, par) + par[E] * par[VY])
IC_FUNCTION(poisson_value, x[P_Y] - (1 + par[E]) * x[P_C])
IC_FUNCTION(poisson_rate, clock_force(par))
IC_FUNCTION(is_compressed, x[P_C])
IC_FUNCTION(stronge_value, x[D_0] - (1 - par[E] * par[E]) * x[D_C])
IC_FUNCTION(stronge_rate, -v_y(x, par) * clock_force(par))

#define RIGID_STOP(direction_, rate_, apply_, branches_)                                                       \
    {                                                                                                          \
        .name = IC_IMPACT_STOP, .unit = "m/s", .meaning = "the point of contact stops sliding",                \
        .direction = (direction_), .value = tangential, .rate = (rate_), .linear = V_X,                        \
        .jump = IC_LINEAR_JUMP(apply_, branches_)                                                              \
    }
#define STOP_PLUS RIGID_STOP(-1, rigid_plus_rate, stop_plus, rigid_stop_plus_branches)
#define STOP_MINUS RIGID_STOP(+1, rigid_minus_rate, stop_minus, rigid_stop_minus_branches)

#define COMPRESSION_END(rate_)                                                                                 \
    {                                                                                                          \
        .name = IC_IMPACT_COMPRESSION_END, .unit = "m/s", .meaning = "the normal velocity is zero",            \
        .direction = +1, .value = normal, .rate = (rate_), .linear = V_Y,                                      \
        .jump = IC_LINEAR_JUMP(end_compression, compression_end_branches)                                      \
    }

#define NEWTON(rate_)                                                                                          \
    {                                                                                                          \
        .name = IC_IMPACT_LIFT_OFF, .unit = "m/s", .meaning = "the normal velocity is -e times that before",   \
        .direction = +1, .value = newton_value, .rate = (rate_), .enabled = has_restitution,                   \
        .linear = V_Y " + e*vy", .linear_enabled = "e", .jump = IC_LINEAR_JUMP(leave, rigid_lift_off_branches) \
    }
#define POISSON(rate_)                                                                                         \
    {                                                                                                          \
        .name = IC_IMPACT_LIFT_OFF, .unit = "N s",                                                             \
        .meaning = "the impulse is 1 + e times that of compression", .direction = +1, .value = poisson_value,  \
        .rate = poisson_rate, .enabled = is_compressed, .linear = "P_y - (1 + e)*P_c",                         \
        .linear_enabled = "P_c", .jump = IC_LINEAR_JUMP(leave, rigid_lift_off_branches)                        \
    }
#define STRONGE(rate_)                                                                                         \
    {                                                                                                          \
        .name = IC_IMPACT_LIFT_OFF, .unit = "J", .meaning = "e^2 of the energy of compression has come back",  \
        .direction = -1, .value = stronge_value, .rate = stronge_rate, .linear = "D_0 - (1 - e^2)*D_c",        \
        .jump = IC_LINEAR_JUMP(leave, rigid_lift_off_branches)                                                 \
    }

#define RIGID_GUARDS(name_, HYPOTHESIS)                                                                        \
    static const ic_guard name_##_sticking[] = {COMPRESSION_END(normal_rate_sticking),                         \
                                                HYPOTHESIS(normal_rate_sticking)};                             \
    static const ic_guard name_##_plus[] = {STOP_PLUS, COMPRESSION_END(normal_rate_plus),                      \
                                            HYPOTHESIS(normal_rate_plus)};                                     \
    static const ic_guard name_##_minus[] = {STOP_MINUS, COMPRESSION_END(normal_rate_minus),                   \
                                             HYPOTHESIS(normal_rate_minus)}

RIGID_GUARDS(newton, NEWTON);
RIGID_GUARDS(poisson, POISSON);
RIGID_GUARDS(stronge, STRONGE);

/*
 * ---- invariants: deflections while the sledge slides, rest of a sticking rigid contact, and a
 * ground that only pushes
 */

IC_FUNCTION(from_plus_edge, x[X] + par[MU] / par[KAPPA] * x[Y])
IC_FUNCTION(from_minus_edge, x[X] - par[MU] / par[KAPPA] * x[Y])
IC_FUNCTION(tangential_deflection, x[X])
IC_FUNCTION(normal_impulse, x[P_Y])

#define PUSHED                                                                                                 \
    {                                                                                                          \
        "normal impulse", "N s", "the ground pushes and does not pull", +1, normal_impulse, "P_y"              \
    }
#define RIGID_CONTACT                                                                                          \
    {"tangential deflection", "m", "the contact is rigid: x = 0", 0, tangential_deflection, "x"},              \
        {"normal deflection", "m", "the contact is rigid: y = 0", 0, deflection, "y"}, PUSHED
static const ic_invariant sticking_keeps[] = {PUSHED};
static const ic_invariant sliding_plus_keeps[] = {
    PUSHED, {"friction", "m", "F_x = -mu F_y", 0, from_plus_edge, "x + mu/kappa*y"}};
static const ic_invariant sliding_minus_keeps[] = {
    PUSHED, {"friction", "m", "F_x = mu F_y", 0, from_minus_edge, "x - mu/kappa*y"}};
static const ic_invariant rigid_sticking_keeps[] = {
    RIGID_CONTACT, {"sliding velocity", "m/s", "the point of contact rests", 0, tangential, V_X}};
static const ic_invariant rigid_plus_keeps[] = {RIGID_CONTACT};
static const ic_invariant rigid_minus_keeps[] = {RIGID_CONTACT};

/* ---- modes */

#define MODE(name_, meaning_, flow_, guards_, dissipated_)                                                     \
    {                                                                                                          \
        .name = (name_), .meaning = (meaning_), .flow = (flow_), .linear = flow_##_linear,                     \
        .guards = (guards_), .n_guards = IC_COUNT(guards_), .invariants = flow_##_keeps,                       \
        .n_invariants = IC_COUNT(flow_##_keeps), .stored_energy = stored_energy, .supplied_power = no_power,   \
        .dissipated_power = (dissipated_)                                                                      \
    }

#define REGULARIZED_MODES                                                                                      \
    [IC_IMPACT_STICKING] =                                                                                     \
        MODE("sticking", "the sledge rests, the springs deflect", sticking, sticking_guards, no_power),        \
    [IC_IMPACT_SLIDING_PLUS] =                                                                                 \
        MODE("sliding+", "the sledge slides to +x", sliding_plus, sliding_plus_guards, friction_plus),         \
    [IC_IMPACT_SLIDING_MINUS] =                                                                                \
        MODE("sliding-", "the sledge slides to -x", sliding_minus, sliding_minus_guards, friction_minus),      \
    [IC_IMPACT_LIFTED_OFF] = {.name = "lifted-off",                                                            \
                              .meaning = "the impact is over",                                                 \
                              .flow = lifted_off,                                                              \
                              .linear = lifted_off_linear,                                                     \
                              .terminal = true,                                                                \
                              .stored_energy = stored_energy,                                                  \
                              .supplied_power = no_power,                                                      \
                              .dissipated_power = no_power}

/*
 * Mode numbers are the same in all variants: the rigid modes follow the regularized ones, which
 * they never enter.
 */
#define RIGID_MODES(name_)                                                                                     \
    REGULARIZED_MODES,                                                                                         \
        [IC_IMPACT_RIGID_STICKING] =                                                                           \
            MODE("rigid-sticking", "the point of contact rests", rigid_sticking, name_##_sticking, no_power),  \
        [IC_IMPACT_RIGID_PLUS] = MODE("rigid-sliding+", "the point of contact slides to +x", rigid_plus,       \
                                      name_##_plus, rigid_friction_plus),                                      \
        [IC_IMPACT_RIGID_MINUS] = MODE("rigid-sliding-", "the point of contact slides to -x", rigid_minus,     \
                                       name_##_minus, rigid_friction_minus)

static const ic_mode regularized_modes[] = {REGULARIZED_MODES};
static const ic_mode newton_modes[] = {RIGID_MODES(newton)};
static const ic_mode poisson_modes[] = {RIGID_MODES(poisson)};
static const ic_mode stronge_modes[] = {RIGID_MODES(stronge)};

/* ---- start: the ratio of the first increments of force decides whether the sledge sticks */

enum { STARTS_TO_PLUS, STARTS_TO_MINUS, STARTS_STICKING, STARTS_FREE };

static int start(double *x, double t, const double *x_pre, const double *par)
{
    (void)t, (void)x_pre;
    hold(x);
    if (par[KAPPA] * par[VX] + par[MU] * par[VY] > 0) return STARTS_TO_PLUS;
    if (-par[KAPPA] * par[VX] + par[MU] * par[VY] > 0) return STARTS_TO_MINUS;
    return par[MU] > 0 ? STARTS_STICKING : STARTS_FREE;
}

#define AT_REST                                                                                                \
    {                                                                                                          \
        "0", "0", "0", "0", "0", "0", "0", "0", "0"                                                            \
    }
static const char *const at_rest[] = AT_REST;
static const ic_branch start_branches[] = {
    [STARTS_TO_PLUS] = {.mode = IC_IMPACT_SLIDING_PLUS, .condition = "kappa*vx + mu*vy", .state = at_rest},
    [STARTS_TO_MINUS] = {.mode = IC_IMPACT_SLIDING_MINUS, .condition = "-kappa*vx + mu*vy", .state = at_rest},
    [STARTS_STICKING] = {.mode = IC_IMPACT_STICKING, .condition = "mu", .state = at_rest},
    [STARTS_FREE] = {.mode = IC_IMPACT_SLIDING_PLUS, .state = at_rest},
};

enum { RIGID_TO_PLUS, RIGID_TO_MINUS, RIGID_PUSHED_TO_PLUS, RIGID_PUSHED_TO_MINUS, RIGID_STICKS };

static int rigid_start(double *x, double t, const double *x_pre, const double *par)
{
    (void)t, (void)x_pre;
    hold(x);
    if (par[VX] > 0) return RIGID_TO_PLUS;
    if (par[VX] < 0) return RIGID_TO_MINUS;
    if (par[C_XY] - par[MU] * par[C_XX] > 0) return RIGID_PUSHED_TO_PLUS;
    return -(par[C_XY] + par[MU] * par[C_XX]) > 0 ? RIGID_PUSHED_TO_MINUS : RIGID_STICKS;
}

static const ic_branch rigid_start_branches[] = {
    [RIGID_TO_PLUS] = {.mode = IC_IMPACT_RIGID_PLUS, .condition = "vx", .state = at_rest},
    [RIGID_TO_MINUS] = {.mode = IC_IMPACT_RIGID_MINUS, .condition = "-vx", .state = at_rest},
    [RIGID_PUSHED_TO_PLUS] = {.mode = IC_IMPACT_RIGID_PLUS,
                              .condition = NEEDS_TO_SLIDE_PLUS,
                              .state = at_rest,
                              IC_DEPARTS(STOP, 1, +1)},
    [RIGID_PUSHED_TO_MINUS] = {.mode = IC_IMPACT_RIGID_MINUS,
                               .condition = NEEDS_TO_SLIDE_MINUS,
                               .state = at_rest,
                               IC_DEPARTS(STOP, 1, -1)},
    [RIGID_STICKS] = {.mode = IC_IMPACT_RIGID_STICKING, .state = at_rest},
};

#define VARIANT(name_, meaning_, modes_, start_)                                                               \
    {                                                                                                          \
        .name = (name_), .meaning = (meaning_), .modes = (modes_), .n_modes = IC_COUNT(modes_),                \
        .start = IC_LINEAR_JUMP(start_, start_##_branches)                                                     \
    }

static const ic_variant variants[] = {
    VARIANT("regularized", "springs on a sledge with friction; t is tau, the time in sqrt(m/c_y)",
            regularized_modes, start),
    VARIANT("newton", "rigid, normal velocity reversed times e; t is the impulse P_y/(m |vy|)", newton_modes,
            rigid_start),
    VARIANT("poisson", "rigid, impulse of compression given back times e; t is the impulse P_y/(m |vy|)",
            poisson_modes, rigid_start),
    VARIANT("stronge", "rigid, energy of compression given back times e^2; t is the impulse P_y/(m |vy|)",
            stronge_modes, rigid_start),
};

/* ---- outputs */

IC_OUTPUT(out_vx, v_x(x, par))
IC_OUTPUT(out_vy, v_y(x, par))
IC_OUTPUT(out_phi_dot, par[PHI_DOT] + par[L] * (sin(par[PHI]) * x[P_Y] - cos(par[PHI]) * x[P_X]) /
                                          (par[M] * par[RHO] * par[RHO]))

/* the second body receives -P */
IC_OUTPUT(out_phi2_dot, par[PHI2_DOT] - par[RATIO] * par[L2] *
                                            (sin(par[PHI2]) * x[P_Y] - cos(par[PHI2]) * x[P_X]) /
                                            (par[M] * par[RHO2] * par[RHO2]))
IC_OUTPUT(out_P_x, x[P_X])
IC_OUTPUT(out_P_y, x[P_Y])
IC_OUTPUT(out_tau, x[TAU])
IC_OUTPUT(out_D_N, x[D_0] + normal_spring_energy(x, par))

/* loss of kinetic energy, -v(0) . P - P . C P/(2 m), minus that of the normal motion */
static double out_D_T(double t, const double *x, int mode, const double *par)
{
    const double PCP =
        par[C_XX] * x[P_X] * x[P_X] + 2 * par[C_XY] * x[P_X] * x[P_Y] + par[C_YY] * x[P_Y] * x[P_Y];
    return -par[VX] * x[P_X] - par[VY] * x[P_Y] - 0.5 * PCP / par[M] - out_D_N(t, x, mode, par);
}

static double out_F_x(double t, const double *x, int mode, const double *par)
{
    (void)t;
    switch (mode) {
    case IC_IMPACT_STICKING: return -par[KAPPA] * par[M] * x[X];
    case IC_IMPACT_SLIDING_PLUS: return -par[MU] * normal_force(x, par);
    case IC_IMPACT_SLIDING_MINUS: return par[MU] * normal_force(x, par);
    case IC_IMPACT_LIFTED_OFF: return 0;
    default: return NAN;
    }
}

static double out_F_y(double t, const double *x, int mode, const double *par)
{
    (void)t;
    if (mode == IC_IMPACT_LIFTED_OFF) return 0;
    return mode < IC_IMPACT_LIFTED_OFF ? normal_force(x, par) : NAN;
}

static double out_sledge(double t, const double *x, int mode, const double *par)
{
    (void)t;
    switch (mode) {
    case IC_IMPACT_STICKING: return 0;
    case IC_IMPACT_SLIDING_PLUS: return sledge_velocity(x, +1, par);
    case IC_IMPACT_SLIDING_MINUS: return sledge_velocity(x, -1, par);
    case IC_IMPACT_RIGID_STICKING: return 0;
    default: return v_x(x, par);
    }
}

/* the same expression in all modes */
#define ALWAYS(text) ((const char *const[]){text, text, text, text, text, text, text})

static const ic_output outputs[] = {
    {"vx", "m/s", "tangential velocity of the point of contact", out_vx, ALWAYS(V_X)},
    {"vy", "m/s", "normal velocity of the point of contact", out_vy, ALWAYS(V_Y)},
    {"phi_dot", "rad/s", "clockwise angular velocity of the bar", out_phi_dot,
     ALWAYS("phi_dot + l*(sin(phi)*P_y - cos(phi)*P_x)/(m*rho^2)")},
    {"phi2_dot", "rad/s", "clockwise angular velocity of the second body", out_phi2_dot,
     ALWAYS("phi2_dot - ratio*l2*(sin(phi2)*P_y - cos(phi2)*P_x)/(m*rho2^2)")},
    {"P_x", "N s", "tangential impulse", out_P_x, ALWAYS("P_x")},
    {"P_y", "N s", "normal impulse", out_P_y, ALWAYS("P_y")},
    {"F_x", "N", "tangential force, with c_y = m/(1 s)^2; unknown in a rigid impact", out_F_x,
     (const char *const[]){"-kappa*m*x", "mu*m*y", "-mu*m*y", "0", NULL, NULL, NULL}},
    {"F_y", "N", "normal force, with c_y = m/(1 s)^2; unknown in a rigid impact", out_F_y,
     (const char *const[]){"-m*y", "-m*y", "-m*y", "0", NULL, NULL, NULL}},
    {"sledge_velocity", "m/s", "sliding velocity of the surfaces", out_sledge,
     (const char *const[]){"0", SLEDGE("+"), SLEDGE("-"), V_X, "0", V_X, V_X}},
    {"D_N", "J", "energy taken from the normal motion", out_D_N, NULL},
    {"D_T", "J", "energy taken from the tangential motion", out_D_T, NULL},
    {"tau", "1", "duration of contact, in sqrt(m/c_y); 0 if rigid", out_tau, ALWAYS("tau")},
};

/* ---- the impact view */

static void impact(ic_impact *view, const double *par)
{
    *view = (ic_impact){
        .v = {par[VX], par[VY]},
        .w_xx = par[C_XX] / par[M],
        .w_xy = par[C_XY] / par[M],
        .w_yy = par[C_YY] / par[M],
        .mu = par[MU],
        .e = par[E],
        .k_x = par[KAPPA] * par[M],
        .k_y = par[M],
    };
}

/*
 * Runs end at lift-off, far before this time: det C/C_xx is the least deceleration of the approach
 * per unit of F_y/m.
 */
#define LONG "50*(1 + C_xx/(C_xx*C_yy - C_xy^2))*(1 + sqrt(vx^2)/(-vy))"

static const ic_preset presets[] = {
    {"kappa-1", "regularized", "", LONG, "section 3.3: equally stiff in both directions"},
    {"kappa-100", "regularized", "kappa=100", LONG, "section 3.3: tangentially stiff"},
    {"newton", "newton", "", LONG, "section 3.3: Newton's hypothesis"},
    {"poisson", "poisson", "", LONG, "section 3.3: Poisson's hypothesis"},
    {"stronge", "stronge", "", LONG, "section 3.3: Stronge's hypothesis"},
    {"kappa-1e4", "regularized", "kappa=1e4", LONG, "near the rigid limit"},
    {"sticking", "regularized", "phi=-pi/4, mu=2", LONG,
     "sticks until lift-off, where both deflections vanish at once: frequencies 1 and 2"},
    {"soft", "regularized", "kappa=1e-3", LONG, "tangentially soft: sticks until just before lift-off"},
    {"two-bodies", "regularized", "m=2, ratio=1/2, l2=0.3, rho2=0.2, phi2=4pi/5, phi2_dot=1, mu=0.4", LONG,
     "two planar bodies collide"},
    {"two-bodies-stronge", "stronge", "m=2, ratio=1/2, l2=0.3, rho2=0.2, phi2=4pi/5, phi2_dot=1, mu=0.4, e=0.7",
     LONG, "the same, rigid"},
    {"self-locking", "regularized", "phi=-pi/4, mu=2, vx=3", LONG,
     "sliding drives the bar into the ground: case 2 of section 3.2"},
    {"self-locking-stronge", "stronge", "phi=-pi/4, mu=2, vx=3, e=0.5", LONG, "the same, rigid"},
    {"double-root", "regularized", "phi=-pi/4, mu=5/3, vx=3", LONG,
     "the normal force has no effect on the normal motion: case 3 of section 3.2"},
    {"frictionless", "regularized", "mu=0", LONG, "no friction: energy is conserved"},
    {"reversal", "regularized", "mu=0.3, kappa=30", LONG, "slides, sticks, and slides back"},
    {"reversal-newton", "newton", "mu=0.3, e=0.8", LONG, "rigid: slides back after the stop"},
    {"reversal-poisson", "poisson", "mu=0.3, e=0.8", LONG, "rigid: slides back after the stop"},
    {"reversal-stronge", "stronge", "mu=0.3, e=0.8", LONG, "rigid: slides back after the stop"},
};

/* 1 to 89 degrees */
static const ic_draw draws[] = {
    {"kappa", 1e-3, 1e4, true}, {"mu", 0, 3, false}, {"phi", 0.01746, 1.5533, false},
    {"vx", -2, 2, false},       {"e", 0, 1, false},
};

static const ic_trial trials[] = {{.preset = "kappa-1"}, {.preset = "reversal-stronge"}};

const ic_case ic_case_planar_bar = {
    IC_ABI(ic_case),
    .name = "planar-bar",
    .title = "A planar bar hits a rough surface: compliant and rigid impact",
    .source = "Kecskemethy & Lange 1999",
    .parameters = parameters,
    .n_parameters = IC_COUNT(parameters),
    .requirements = requirements,
    .n_requirements = IC_COUNT(requirements),
    .states = states,
    .n_states = IC_COUNT(states),
    .outputs = outputs,
    .n_outputs = IC_COUNT(outputs),
    .variants = variants,
    .n_variants = IC_COUNT(variants),
    .presets = presets,
    .n_presets = IC_COUNT(presets),
    .draws = draws,
    .n_draws = IC_COUNT(draws),
    .time_scale = "2*pi/sqrt(kappa*C_xx + C_yy)",
    .impact = impact,
    .trials = trials,
    .n_trials = IC_COUNT(trials),
};
