/* SPDX-License-Identifier: MIT */
/*
 * A pendulum that nearly touches a wall, or just touches it: the wall is at the angle of return times 1 + 10^-k or
 * 1 - 10^-k; or several guards that are nearly equal.
 */
#include "tests/judge/families.h"

#include <math.h>
#include <stdio.h>

enum { MOST_GUARDS = 6 };
enum { SQUARE, DAMPING, START, E, WALL, T = WALL + MOST_GUARDS }; /* parameters */
enum { ANGLE, RATE, COUNT, STATES };

static second_guard guards[MOST_GUARDS];
static const char *const names[MOST_GUARDS] = {"w1", "w2", "w3", "w4", "w5", "w6"};

static int start(const draw *d, num *y)
{
    y[ANGLE] = r_neg(d->par[START]);
    y[RATE] = r_si(0);
    y[COUNT] = r_si(0);
    return 0;
}

static void rates(const draw *d, int mode, num t, const num *y, num *rates)
{
    (void)mode, (void)t;
    rates[ANGLE] = y[RATE];
    rates[RATE] = r_neg(r_add_products(d->par[SQUARE], r_sin(y[ANGLE]), d->par[DAMPING], y[RATE]));
}

static num guard(const draw *d, int mode, int guard, num t, const num *y)
{
    (void)mode, (void)t;
    return r_sub(y[ANGLE], d->par[WALL + guard]);
}

/* The first one is a wall, if there are no others. */
static int jump(const draw *d, int mode, int guard, num t, num *y)
{
    (void)t;
    y[COUNT] = r_add(y[COUNT], r_square(y[ANGLE]));
    if (d->kind == 1) y[RATE] = r_neg(r_mul(d->par[E], y[RATE]));
    else y[RATE] = r_mul(y[RATE], r_add(r_si(1), r_over(d->par[E], 100L * (guard + 1))));
    return mode;
}

/* The angle at which a pendulum returns that is released at -start, by a rough integration. */
static double angle_of_return(double square, double damping, double start)
{
    double x = -start, v = 0;
    const double h = 1e-4 / sqrt(square);
    do {
        const double k1 = -square * sin(x) - damping * v, xm = x + h / 2 * v, vm = v + h / 2 * k1;
        const double k2 = -square * sin(xm) - damping * vm;
        x += h * vm;
        v += h * k2;
    } while (v > 0);
    return x;
}

static void write(draw *d)
{
    draw_write(d, "title: A pendulum at walls\nparameters: {s: %s, c: %s, e: %s", d->decimals[SQUARE],
               d->decimals[DAMPING], d->decimals[E]);
    for (int i = 0; i < d->kind; i++) draw_write(d, ", p%d: %s", i + 1, d->decimals[WALL + i]);
    draw_write(d, "}\nstates: {x: {unit: 1, start: -%s, scale: 1}, u: {unit: 1, start: 0, scale: 1}, ",
               d->decimals[START]);
    draw_write(d, "n: {unit: 1, start: 0, scale: 1}}\ntime_scale: 1 s\n");
    draw_write(d, "flow: {x: u/(1 s), u: (-s*sin(x) - c*u)/(1 s), n: 0 1/s}\nuntil:\n");
    for (int i = 0; i < d->kind; i++) {
        draw_write(d, "  %s: {%s: x - p%d, then: {n: n + x^2, ", names[i],
                   guards[i].direction > 0   ? "rises"
                   : guards[i].direction < 0 ? "falls"
                                             : "crosses",
                   i + 1);
        if (d->kind == 1) draw_write(d, "u: -e*u}}\n");
        else draw_write(d, "u: u*(1 + e/%d)}}\n", 100 * (i + 1));
    }
}

void draw_graze(draw *d)
{
    static const char *const states[] = {"x", "u", "n"};
    d->kind = 1;
    DRAW_RANGES(d, {1, 20, 3}, {0.001, 0.3, 3}, {0.2, 1.2, 3}, {0.2, 0.9, 3});
    const double square = draw_value(d, SQUARE);
    const double turn = angle_of_return(square, draw_value(d, DAMPING), draw_value(d, START));
    const int exponent = 1 + draw_choice(d, 6), close = 2 + draw_choice(d, 10);
    const double away = pow(10, -exponent) * (draw_choice(d, 2) ? 1 : -1);
    if (draw_choice(d, 2)) d->kind = 2 + draw_choice(d, MOST_GUARDS - 1);
    for (int i = 0; i < MOST_GUARDS; i++) {
        const double place = d->kind == 1 ? turn * (1 + away) : turn * 0.8 + pow(10, -close) * i;
        draw_number(d, place, 15);
        guards[i] = (second_guard){names[i], d->kind == 1 ? 1 : draw_choice(d, 3) - 1, false};
    }
    draw_number(d, 6 / sqrt(square) * (1 + draw_choice(d, 2)), 4);
    write(d);
    if (d->kind == 1) snprintf(d->what, sizeof d->what, "wall at the return times 1 %+.0e", away);
    else snprintf(d->what, sizeof d->what, "%d guards, 1e-%d apart", d->kind, close);
    d->states = states;
    d->machine = DRAW_MACHINE(d->kind, guards, 0.05, 1);
}
