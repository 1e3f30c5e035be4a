/* SPDX-License-Identifier: MIT */
/* A rocking block on a shaken base, in the nonlinear equation, with a discrete state; it may fall over. */
#include "tests/judge/families.h"

#include <stdio.h>

enum { RADIUS, ALPHA, GRAVITY, A, OMEGA, PHASE, ANGLE, RATE, T }; /* parameters */
enum { THETA, W, SIDE, STATES };
enum { IMPACT, OVERTURNED };

static const second_guard guards[] = {{"impact", 0, false}, {"overturned", 1, false}};

static int start(const draw *d, num *y)
{
    y[THETA] = d->par[ANGLE];
    y[W] = d->par[RATE];
    y[SIDE] = r_si(1);
    return 0;
}

static void rates(const draw *d, int mode, num t, const num *y, num *rates)
{
    (void)mode;
    num angle = r_sub(r_mul(d->par[ALPHA], y[SIDE]), y[THETA]);
    num shake = r_mul(r_div(d->par[A], d->par[GRAVITY]), r_sin(r_add(r_mul(d->par[OMEGA], t), d->par[PHASE])));
    num square = r_over(r_times(r_div(d->par[GRAVITY], d->par[RADIUS]), 3), 4);
    rates[THETA] = y[W];
    rates[W] = r_neg(r_mul(square, r_add(r_sin(angle), r_mul(shake, r_cos(angle)))));
}

static num guard(const draw *d, int mode, int guard, num t, const num *y)
{
    (void)d, (void)mode, (void)t;
    return guard == IMPACT ? y[THETA] : r_sub(r_abs(y[THETA]), r_over(r_pi(), 2));
}

static int jump(const draw *d, int mode, int guard, num t, num *y)
{
    (void)t;
    if (guard == OVERTURNED) return 1;
    num loss = r_over(r_times(r_square(r_sin(d->par[ALPHA])), 3), 2);
    y[SIDE] = r_neg(y[SIDE]);
    y[W] = r_mul(r_sub(r_si(1), loss), y[W]);
    return mode;
}

static bool is_over(int mode)
{
    return mode == 1;
}

void draw_block(draw *d)
{
    static const char *const names[] = {"R", "alpha", "g", "A", "omega", "ph"};
    static const char *const units[] = {"m", "rad", "m/s^2", "m/s^2", "rad/s", ""};
    static const char *const states[] = {"theta", "w", "side"};
    DRAW_RANGES(d, {0.3, 5, 3}, {0.1, 0.5, 3}, {1, 20, 3}, {0.1, 6, 3}, {1, 12, 3}, {-3, 3, 3}, {0.02, 0.3, 3},
                {-1, 1, 3}, {1, 6, 3});
    draw_write(d, "title: A rocking block\nparameters:\n");
    for (int i = 0; i <= PHASE; i++) draw_line(d, names[i], i, units[i]);
    draw_write(d, "definitions: {p: sqrt(3*g/(4*R)), r: 1 - 3/2*sin(alpha)^2}\n");
    draw_write(d, "states: {theta: {unit: rad, start: %s}, w: {unit: rad/s, start: %s 1/s}}\n",
               d->decimals[ANGLE], d->decimals[RATE]);
    draw_write(
        d, "discrete: {side: {values: [-1, 1], start: 1}}\nmodes:\n  rocking:\n    flow:\n      theta: w\n");
    draw_write(d, "      w: -p^2*(sin(alpha*side - theta) + A/g*sin(omega*t + ph)*cos(alpha*side - theta))\n");
    draw_write(d, "    until:\n      impact: {crosses: theta, then: {side: -side, w: r*w}}\n");
    draw_write(d, "      overturned: {rises: abs(theta) - pi/2, ends: true}\n");
    snprintf(d->what, sizeof d->what, "alpha = %s", d->decimals[ALPHA]);
    d->states = states;
    d->machine = DRAW_MACHINE(2, guards, 0.05, 1);
    d->machine.is_over = is_over;
}
