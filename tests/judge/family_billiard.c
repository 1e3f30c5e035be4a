/* SPDX-License-Identifier: MIT */
/*
 * A point under gravity and quadratic air drag within a tube with wavy floor and a round wall: guards that are
 * nonlinear in states, or depend on time; jumps by a normal, with spin. Parameters differ by many orders.
 */
#include "tests/judge/families.h"

#include <stdio.h>

enum { GRAVITY, DRAG, E, MU, WAVE, NUMBER, LIFT, OMEGA, RADIUS, X0, Y0, U0, V0, T }; /* parameters */
enum { X, Y, U, V, SPIN, STATES };
enum { FLOOR, WALL };

static const second_guard guards[] = {{"floor", -1, false}, {"wall", 1, false}};

static int start(const draw *d, num *y)
{
    for (int i = 0; i < SPIN; i++) y[i] = d->par[X0 + i];
    y[SPIN] = r_si(0);
    return 0;
}

static void rates(const draw *d, int mode, num t, const num *y, num *rates)
{
    (void)mode, (void)t;
    num speed = r_sqrt(r_add(r_add_products(y[U], y[U], y[V], y[V]), r_si(1)));
    rates[X] = y[U];
    rates[Y] = y[V];
    rates[U] = r_neg(r_mul(r_mul(d->par[DRAG], speed), y[U]));
    rates[V] = r_sub(r_neg(r_mul(r_mul(d->par[DRAG], speed), y[V])), d->par[GRAVITY]);
}

static num phase(const draw *d, num x, num t)
{
    return r_add_products(d->par[NUMBER], x, d->par[OMEGA], t);
}

static num guard(const draw *d, int mode, int guard, num t, const num *y)
{
    (void)mode;
    if (guard == WALL) return r_sub(r_add_products(y[X], y[X], y[Y], y[Y]), r_square(d->par[RADIUS]));
    return r_sub(y[Y], r_add(d->par[LIFT], r_mul(d->par[WAVE], r_sin(phase(d, y[X], t)))));
}

static int jump(const draw *d, int mode, int guard, num t, num *y)
{
    num a, b, moves = r_si(0);
    if (guard == WALL) {
        a = r_neg(r_div(y[X], d->par[RADIUS])), b = r_neg(r_div(y[Y], d->par[RADIUS]));
    } else {
        num wave = r_mul(d->par[WAVE], r_cos(phase(d, y[X], t)));
        num slope = r_mul(wave, d->par[NUMBER]);
        num length = r_sqrt(r_add(r_si(1), r_square(slope)));
        a = r_neg(r_div(slope, length)), b = r_div(r_si(1), length);
        moves = r_div(r_mul(wave, d->par[OMEGA]), length);
    }
    num normal = r_sub(r_add_products(a, y[U], b, y[V]), moves);
    num tangent = r_sub(r_mul(b, y[U]), r_mul(a, y[V]));
    num change = r_neg(r_mul(r_add(r_si(1), d->par[E]), normal));
    num rub = r_neg(r_mul(d->par[MU], r_tanh(tangent)));
    y[U] = r_add(y[U], r_add_products(a, change, b, rub));
    y[V] = r_add(y[V], r_sub(r_mul(b, change), r_mul(a, rub)));
    y[SPIN] = r_add(y[SPIN], r_mul(rub, r_exp(r_neg(r_square(y[SPIN])))));
    return mode;
}

static void write(draw *d)
{
    static const char *const names[] = {"g", "k", "e", "mu", "a", "q", "h", "w", "R"};
    draw_write(d, "title: A point in a vessel with a wavy floor\nparameters:\n");
    for (int i = 0; i <= RADIUS; i++) draw_line(d, names[i], i, i == OMEGA ? "1/s" : "");
    draw_write(d, "states:\n");
    static const char *const states[] = {"x", "y", "u", "v"};
    for (int i = 0; i < SPIN; i++)
        draw_write(d, "  %s: {unit: 1, start: %s, scale: 1}\n", states[i], d->decimals[X0 + i]);
    draw_write(d, "  s: {unit: 1, start: 0, scale: 1}\ntime_scale: 1 s\n");
    draw_write(d,
               "definitions:\n  c: a*cos(q*x + w*t)\n  l: sqrt(1 + (q*c)^2)\n  speed: sqrt(u^2 + v^2 + 1)\n");
    draw_write(d, "  n1: (-q*c*u + v - c*w*(1 s))/l\n  t1: (u + q*c*v)/l\n  f1: -mu*tanh(t1)\n");
    draw_write(d, "  n2: -(x*u + y*v)/R\n  t2: (x*v - y*u)/R\n  f2: -mu*tanh(t2)\n");
    draw_write(d, "flow: {x: u/(1 s), y: v/(1 s), u: -k*speed*u/(1 s), v: (-k*speed*v - g)/(1 s), s: 0 1/s}\n");
    draw_write(d, "until:\n  floor:\n    falls: y - h - a*sin(q*x + w*t)\n");
    draw_write(d, "    then: {u: \"u + (q*c*(1 + e)*n1 + f1)/l\", v: \"v + (-(1 + e)*n1 + q*c*f1)/l\", ");
    draw_write(d, "s: s + f1*exp(-s^2)}\n  wall:\n    rises: x^2 + y^2 - R^2\n");
    draw_write(d, "    then: {u: \"u + (x*(1 + e)*n2 - y*f2)/R\", v: \"v + (y*(1 + e)*n2 + x*f2)/R\", ");
    draw_write(d, "s: s + f2*exp(-s^2)}\n");
}

void draw_billiard(draw *d)
{
    static const char *const states[] = {"x", "y", "u", "v", "s"};
    DRAW_RANGES(d, {0.001, 30, 3}, {1e-8, 1, 3}, {0.5, 1, 3}, {1e-6, 0.5, 3}, {1e-7, 0.1, 3}, {0.5, 8, 3},
                {-0.9, -0.3, 3}, {0.01, 10, 3}, {1.2, 1.5, 3}, {-0.3, 0.3, 3}, {-0.1, 0.3, 3}, {-3, 3, 3},
                {-3, 3, 3}, {0.5, 4, 3});
    write(d);
    snprintf(d->what, sizeof d->what, "g = %s, drag %s", d->decimals[GRAVITY], d->decimals[DRAG]);
    d->states = states;
    d->machine = DRAW_MACHINE(2, guards, 0.03, 1);
}
