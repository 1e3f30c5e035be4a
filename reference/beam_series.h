/* SPDX-License-Identifier: MIT */
/**
 * Taylor series of the motion of a rotating beam on a stop, to any order and precision.
 *
 * A point of the beam at x is at (a + x - s) e_r + w e_theta, with w = sum_r phi_r(x/l) q_r and the
 * shortening s = 1/2 integral of (dw/dx)^2 from 0 to x. To second order in w the kinetic energy is
 *
 *     1/2 theta'^2 (J + rho integral of w^2 - 2 rho integral of (a + x) s)
 *         + theta' rho integral of (a + x) w' + 1/2 rho integral of w'^2,
 *
 * and, by parts, 2 integral of (a + x) s dx = integral of ((l^2 - x^2)/2 + a (l - x)) (dw/dx)^2 dx.
 * So, with m = rho l and the integrals over xi = x/l of reference/cantilever.h,
 *
 *     G_rj = m (delta_rj - 1/2 integral of (1 - xi^2) phi_r' phi_j'
 *               - a/l integral of (1 - xi) phi_r' phi_j'),
 *     S_r = m (l integral of xi phi_r + a integral of phi_r),   S*_r = m integral of phi_r,
 *     k_r = EI lambda_r^4/l^3,
 *
 * and Lagrange's equations for (theta, q), loaded by T - (x_p + a) F and by -phi_r(x_p) F, are
 *
 *     | J + q.G q   S^T | |theta''|   | T - 2 theta' q'.G q - g m (l/2 + a) cos theta + g S*.q sin theta - (x_p + a) F |
 *     | S           m 1 | |q''    | = | theta'^2 G q - k q - g S* cos theta - phi(x_p) F                               |.
 *
 * Weight acts on the unshortened beam, as in the paper. As printed, q.G q and 2 theta' q'.G q are
 * missing from the first row.
 *
 * The matrix at the start of a step, M_0, serves for all orders: the k-th coefficient of M
 * (theta'', q'') is M_0 times the k-th coefficients plus (q.G q)_i theta''_(k-i), i > 0.
 *
 * A series is in a variable s with dt = u ds. In free flight u = 1. A force like d^(3/2) is not
 * analytic in t at d = 0, but is in s with d = s^2, sqrt(d) = |s|, u = 2 s/d' (Henon's trick with
 * the square root of the indentation as the independent variable), which also meets d = 0 exactly.
 * Steps during which d' may vanish are taken in t, where sqrt(d) is a series. The place of the
 * switch is free within limits: no answer may depend on it.
 */
#ifndef IC_REFERENCE_BEAM_SERIES_H
#define IC_REFERENCE_BEAM_SERIES_H

#include "reference/ball.h"

#include <arb_mat.h>
#include <arb_poly.h>
#include <stdbool.h>

/** Contact force for an indentation d and its rate v; at least 0, and 0 for d <= 0. */
typedef enum ic_beam_contact {
    /* none: impacts are instantaneous, with the coefficient of restitution e */
    IC_BEAM_RIGID,

    /* K d^n + damping d v */
    IC_BEAM_LEE_WANG_1,

    /* K d^n + damping T(d) v, T = exp(2 Q (d - eps)/eps) below eps, then 1 */
    IC_BEAM_LEE_WANG_2,

    /* K d^n (1 + damping v/v0), v0 the speed at the onset; damping is dimensionless, 0 for Hertz */
    IC_BEAM_POWER,
} ic_beam_contact;

/** Parameters of a problem. */
typedef enum ic_beam_parameter {
    /* m */
    IC_BEAM_L,

    /* kg/m */
    IC_BEAM_RHO,

    /* N m^2 */
    IC_BEAM_EI,

    /* m */
    IC_BEAM_A,

    /* inertia of the shaft divided by that of the beam */
    IC_BEAM_I_R_RATIO,

    /* m */
    IC_BEAM_X_P,

    /* rad */
    IC_BEAM_THETA_S,

    /* m/s^2 */
    IC_BEAM_G,

    /* N m */
    IC_BEAM_TORQUE,

    /* s */
    IC_BEAM_PULSE,

    /* N/m^n */
    IC_BEAM_K,

    /* n: 1, 3/2 or 2 */
    IC_BEAM_EXPONENT,

    /* N s/m^2, N s/m or 1 */
    IC_BEAM_DAMPING,

    /* m */
    IC_BEAM_EPS,

    /* 1 */
    IC_BEAM_Q,

    /* e */
    IC_BEAM_RESTITUTION,

    /* s */
    IC_BEAM_T_END,

    IC_BEAM_NUMBERS
} ic_beam_parameter;

/** A problem; it starts at rest at theta = 0. */
typedef struct ic_beam_problem {
    long modes;

    /* false: Eq. (16) as printed */
    bool consistent;

    ic_beam_contact contact;
    double number[IC_BEAM_NUMBERS];

    /* the same numbers with more digits; only midpoints are used; NULL: the doubles are exact */
    arb_srcptr exact;
} ic_beam_problem;

/** Value of a parameter of a problem. */
void ic_beam_number(arb_t value, const ic_beam_problem *problem, ic_beam_parameter which);

/** sqrt(EI/(rho l^4)), 1/s. */
double ic_beam_rate(const ic_beam_problem *problem);

/** Constants of the equations of motion. */
typedef struct ic_beam_model {
    const ic_beam_problem *problem;
    slong n, prec;

    /* kg, kg m^2, x_p + a, m (l/2 + a), m, 2 Q/eps */
    arb_t m, J, arm, moment, eps, steepness;

    /* n each: S, S*, k, phi(x_p) */
    arb_ptr S, weight, k, phi;

    arb_mat_t G;

    /* 1/s */
    double rate;
} ic_beam_model;

void ic_beam_model_init(ic_beam_model *b, const ic_beam_problem *problem, slong prec);
void ic_beam_model_clear(ic_beam_model *b);

/** States, in this order: theta, theta', q_1, q_1', q_2, q_2', ...; there are 2 + 2 n. */
enum { IC_BEAM_THETA, IC_BEAM_OMEGA, IC_BEAM_PAIRS };

/** d = (x_p + a)(theta - theta_s) + phi(x_p).q and its rate. */
void ic_beam_indentation(arb_t d, const ic_beam_model *b, arb_srcptr x);
void ic_beam_approach(arb_t v, const ic_beam_model *b, arb_srcptr x);

/** Velocities after an impulse that changes v to -e v. */
void ic_beam_strike(arb_ptr x, const ic_beam_model *b);

/** Conditions that hold during a step. */
typedef struct ic_beam_regime {
    /* d >= 0: series of the law are computed */
    bool near_stop;

    /* the contact force acts */
    bool pushes;

    /* d > eps: T = 1 */
    bool beyond;

    /* torque during the step, N m */
    arb_t torque;

    /* speed at the onset, m/s */
    arb_t v0;
} ic_beam_regime;

/** Series over one step. */
typedef struct ic_beam_series {
    const ic_beam_model *model;
    const ic_beam_regime *regime;

    /* coefficients per series */
    slong order;

    /* a step in sqrt(d) is chosen if the singular point in t is nearer than that in sqrt(d) by this
       factor */
    double onset;

    /* 0: s is t; otherwise s = root sqrt(d), root = +-1, counted from its value at the start */
    int root;

    arb_mat_t inverse;
    arb_ptr rows;
} ic_beam_series;

/**
 * Starts a step at a state with indentation d (possibly 0 by theorem). The step is in sqrt(d) if
 * that allows steps longer by the factor `onset` (near 1) or more.
 */
void ic_beam_series_init(ic_beam_series *s, const ic_beam_model *b, const ic_beam_regime *regime, arb_srcptr x,
                         const arb_t d, slong order, double onset);
void ic_beam_series_clear(ic_beam_series *s);

/** Length of step at which the last terms fall below 2^-bits of the natural scales. */
double ic_beam_series_step(const ic_beam_series *s, slong bits);

/**
 * Series of state i; of the time since the start; of d; of sqrt(d); of a function with the sign of
 * the contact force.
 */
arb_srcptr ic_beam_series_state(const ic_beam_series *s, slong i);
arb_srcptr ic_beam_series_time(const ic_beam_series *s);
arb_srcptr ic_beam_series_d(const ic_beam_series *s);
arb_srcptr ic_beam_series_sqrt_d(const ic_beam_series *s);
arb_srcptr ic_beam_series_push(const ic_beam_series *s);

#endif
