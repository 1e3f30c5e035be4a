/* SPDX-License-Identifier: MIT */
/* A ball falls on a compliant floor and bounces, on the laws of the element `contact`. */
#include "tests/judge/families.h"
#include "tests/judge/laws.h"

#include <math.h>
#include <stdio.h>

enum { M, G, H, V, K, E, T }; /* parameters */
enum { X, SPEED, FLOOR, MEMORY, STATES };
enum { AIR, CONTACT };
enum { TOUCHES, LEAVES };

static const second_guard guards[] = {{"floor", -1, true}, {"floor leaves", 1, true}};
static const char *const modes[] = {NULL, NULL};

static int start(const draw *d, num *y)
{
    y[X] = d->par[H];
    y[SPEED] = d->par[V];
    y[FLOOR] = y[MEMORY] = r_si(0);
    return AIR;
}

static void rates(const draw *d, int mode, num t, const num *y, num *rates)
{
    (void)t;
    rates[X] = y[SPEED];
    rates[SPEED] = r_neg(d->par[G]);
    if (mode == AIR) return;
    num depth = r_power(r_neg(y[X]), d->p, d->q);
    num factor = r_sub(r_si(1), r_mul(y[MEMORY], y[SPEED]));
    num force = r_mul(r_mul(d->par[K], depth), factor);
    rates[SPEED] = r_sub(r_div(force, d->par[M]), d->par[G]);
}

static num guard(const draw *d, int mode, int guard, num t, const num *y)
{
    (void)d, (void)t;
    return mode == guard ? y[X] : NULL; /* TOUCHES in AIR, LEAVES in CONTACT */
}

static int jump(const draw *d, int mode, int guard, num t, num *y)
{
    (void)mode, (void)t;
    y[FLOOR] = r_si(guard == TOUCHES);
    y[X] = r_si(0);
    y[MEMORY] = r_si(0);
    if (guard == TOUCHES && d->kind != LAW_HERTZ)
        y[MEMORY] = r_div(law_damping(d->kind, d->par[E]), r_neg(y[SPEED]));
    return guard == TOUCHES ? CONTACT : AIR;
}

void draw_bounce(draw *d)
{
    static const char *const damped[] = {"x", "v", "floor", "floor_memory"};
    static const char *const elastic[] = {"x", "v", "floor", NULL};
    const int power = draw_choice(d, LAW_POWERS);
    d->p = law_powers[power][0], d->q = law_powers[power][1];
    d->kind = draw_choice(d, LAWS);
    DRAW_RANGES(d, {0.01, 100, 4}, {1, 20, 3}, {0.01, 1, 3}, {-1, 1, 3});
    const double m = draw_value(d, M), g = draw_value(d, G), h = draw_value(d, H), v = draw_value(d, V);
    const double energy = m * g * h + m * v * v / 2, n = (double)d->p / d->q;
    const double depth = h * pow(10, -3.5 + 0.1 * draw_choice(d, 31));
    draw_number(d, (n + 1) * energy / pow(depth, n + 1), 5);
    draw_parameter(d, law_least_e(d->kind), 1, 3);
    const double fall = sqrt(2 * energy / m) / g;
    draw_number(d, fall * (2 + 0.1 * draw_choice(d, 60)), 5);
    draw_write(d, "title: A ball on a compliant floor\nparameters:\n");
    draw_line(d, "m", M, "kg");
    draw_line(d, "g", G, "m/s^2");
    draw_line(d, "h", H, "m");
    draw_line(d, "v0", V, "m/s");
    draw_write(d, "  n: %d/%d\n", d->p, d->q);
    draw_line(d, "K", K, "N/m^n");
    if (d->kind != LAW_HERTZ) draw_line(d, "e", E, "");
    draw_write(d, "states: {x: {unit: m, start: h}, v: {unit: m/s, start: v0}}\nflow: {x: v, v: -g}\n");
    draw_write(d, "elements:\n  floor: {contact: {indentation: -x, pushes: {v: 1/m}, law: %s}}\n",
               law_names[d->kind]);
    snprintf(d->what, sizeof d->what, "%s, n = %d/%d", law_names[d->kind], d->p, d->q);
    d->states = d->kind == LAW_HERTZ ? elastic : damped;
    d->machine = DRAW_MACHINE(2, guards, fall / 4, depth);
    d->machine.modes = modes;
}
