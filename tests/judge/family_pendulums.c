/* SPDX-License-Identifier: MIT */
/* A double pendulum with a mass matrix hits walls. */
#include "tests/judge/families.h"

#include <stdio.h>

enum { M1, M2, L1, L2, GRAVITY, E, WALL, Q1, Q2, W1, W2, T }; /* parameters */
enum { ANGLE1, ANGLE2, RATE1, RATE2, STATES };

static const second_guard guards[] = {{"wall", -1, false}, {"left", -1, false}};

static int start(const draw *d, num *y)
{
    for (int i = 0; i < STATES; i++) y[i] = d->par[Q1 + i];
    return 0;
}

/* Solves the mass matrix for two right sides. */
static void solve(num *x, const draw *d, const num *y, num right1, num right2)
{
    num coupling = r_mul(r_mul(d->par[M2], r_mul(d->par[L1], d->par[L2])), r_cos(r_sub(y[ANGLE1], y[ANGLE2])));
    num a = r_mul(r_add(d->par[M1], d->par[M2]), r_square(d->par[L1]));
    num b = r_mul(d->par[M2], r_square(d->par[L2]));
    num determinant = r_sub(r_mul(a, b), r_square(coupling));
    x[0] = r_div(r_sub(r_mul(b, right1), r_mul(coupling, right2)), determinant);
    x[1] = r_div(r_sub(r_mul(a, right2), r_mul(coupling, right1)), determinant);
}

static void rates(const draw *d, int mode, num t, const num *y, num *rates)
{
    (void)mode, (void)t;
    num product = r_mul(r_mul(d->par[M2], r_mul(d->par[L1], d->par[L2])), r_sin(r_sub(y[ANGLE1], y[ANGLE2])));
    num weight =
        r_mul(r_mul(r_add(d->par[M1], d->par[M2]), d->par[GRAVITY]), r_mul(d->par[L1], r_sin(y[ANGLE1])));
    num lower = r_mul(r_mul(d->par[M2], d->par[GRAVITY]), r_mul(d->par[L2], r_sin(y[ANGLE2])));
    num right1 = r_neg(r_add(r_mul(product, r_square(y[RATE2])), weight));
    num right2 = r_sub(r_mul(product, r_square(y[RATE1])), lower);
    rates[ANGLE1] = y[RATE1];
    rates[ANGLE2] = y[RATE2];
    solve(&rates[RATE1], d, y, right1, right2);
}

static num place(const draw *d, const num *y)
{
    return r_add_products(d->par[L1], r_sin(y[ANGLE1]), d->par[L2], r_sin(y[ANGLE2]));
}

static num guard(const draw *d, int mode, int guard, num t, const num *y)
{
    (void)mode, (void)t;
    return guard == 0 ? r_sub(d->par[WALL], place(d, y)) : r_add(d->par[WALL], place(d, y));
}

/* An impulse in the direction J of the place's gradient: w += M^-1 J p, so that J w becomes -e J w. */
static int jump(const draw *d, int mode, int guard, num t, num *y)
{
    num change[2], j1 = r_mul(d->par[L1], r_cos(y[ANGLE1])), j2 = r_mul(d->par[L2], r_cos(y[ANGLE2]));
    (void)guard, (void)t;
    solve(change, d, y, j1, j2);
    num rate = r_add_products(j1, y[RATE1], j2, y[RATE2]);
    num impulse =
        r_div(r_neg(r_mul(r_add(r_si(1), d->par[E]), rate)), r_add_products(j1, change[0], j2, change[1]));
    y[RATE1] = r_add(y[RATE1], r_mul(impulse, change[0]));
    y[RATE2] = r_add(y[RATE2], r_mul(impulse, change[1]));
    return mode;
}

void draw_pendulums(draw *d)
{
    static const char *const names[] = {"m1", "m2", "l1", "l2", "g", "e", "w"};
    static const char *const units[] = {"kg", "kg", "m", "m", "m/s^2", "", "m"};
    static const char *const states[] = {"q1", "q2", "w1", "w2"};
    for (int i = M1; i <= L2; i++) draw_parameter(d, 0.3, 2, 3);
    DRAW_RANGES(d, {1, 20, 3}, {0.3, 1, 3}, {0.3, 1.5, 3});
    for (int i = 0; i < 2; i++) draw_parameter(d, -0.15, 0.15, 3);
    for (int i = 0; i < 2; i++) draw_parameter(d, -4, 4, 3);
    draw_parameter(d, 0.5, 3, 3);
    draw_write(d, "title: A double pendulum between walls\nparameters:\n");
    for (int i = 0; i <= WALL; i++) draw_line(d, names[i], i, units[i]);
    draw_write(d, "states: {q1: {unit: rad, start: %s}, q2: {unit: rad, start: %s}, ", d->decimals[Q1],
               d->decimals[Q2]);
    draw_write(d, "w1: {unit: rad/s, start: %s 1/s}, w2: {unit: rad/s, start: %s 1/s}}\n", d->decimals[W1],
               d->decimals[W2]);
    draw_write(d, "flow: {q1: w1, q2: w2}\nmass:\n  of: [w1, w2]\n  matrix:\n");
    draw_write(
        d, "    - [(m1 + m2)*l1^2, m2*l1*l2*cos(q1 - q2)]\n    - [m2*l1*l2*cos(q1 - q2), m2*l2^2]\n  force:\n");
    draw_write(d, "    - -m2*l1*l2*w2^2*sin(q1 - q2) - (m1 + m2)*g*l1*sin(q1)\n");
    draw_write(d, "    - m2*l1*l2*w1^2*sin(q1 - q2) - m2*g*l2*sin(q2)\nelements:\n");
    draw_write(d, "  wall: {stop: {gap: w - l1*sin(q1) - l2*sin(q2), restitution: e}}\n");
    draw_write(d, "  left: {stop: {gap: w + l1*sin(q1) + l2*sin(q2), restitution: e}}\n");
    snprintf(d->what, sizeof d->what, "walls at %s m", d->decimals[WALL]);
    d->states = states;
    d->machine = DRAW_MACHINE(2, guards, 0.05, 1);
}
