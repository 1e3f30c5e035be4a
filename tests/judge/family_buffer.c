/* SPDX-License-Identifier: MIT */
/*
 * A mass between two buffers of other powers, with a damper of a third one (Tsuji's d^(1/4) v): kinks of max(), which no
 * event of the file names, or events that do.
 */
#include "tests/judge/families.h"

#include <stdio.h>

enum { A, K1, C1, K2, PLACE1, PLACE2, F, OMEGA, GRAVITY, X0, V0, T }; /* parameters */
enum { X, V, SIDE1, SIDE2, STATES };
enum { RIGHT, LEFT, KINKS };

static const int stiff[][2] = {{3, 2}, {5, 4}, {4, 3}, {9, 8}, {2, 1}, {5, 2},
                               {1, 1}, {5, 3}, {6, 5}, {1, 2}, {3, 4}};
static const int dampers[][2] = {{1, 4}, {1, 2}, {3, 2}, {1, 1}, {2, 3}, {5, 4}};
enum { STIFF = sizeof stiff / sizeof *stiff, DAMPERS = sizeof dampers / sizeof *dampers };

static struct {
    int first, second, damper;
    bool named;
    second_guard guards[4];
} machine;

static num depth(const draw *d, int side, const num *y)
{
    return side == RIGHT ? r_sub(y[X], d->par[PLACE1]) : r_sub(r_neg(y[X]), d->par[PLACE2]);
}

static int start(const draw *d, num *y)
{
    y[X] = d->par[X0];
    y[V] = d->par[V0];
    y[SIDE1] = y[SIDE2] = r_si(-1);
    return 0;
}

static void rates(const draw *d, int mode, num t, const num *y, num *rates)
{
    num force = r_add(r_mul(d->par[F], r_cos(r_mul(d->par[OMEGA], t))), d->par[GRAVITY]);
    force = r_sub(force, r_mul(d->par[A], r_mul(y[X], r_square(y[X]))));
    rates[X] = y[V];
    if (mode & 1) {
        const int *n = stiff[machine.first], *c = dampers[machine.damper];
        num in = depth(d, RIGHT, y);
        force = r_sub(force, r_mul(d->par[K1], r_power(in, n[0], n[1])));
        force = r_sub(force, r_mul(r_mul(d->par[C1], r_power(in, c[0], c[1])), y[V]));
    }
    if (mode & 2) {
        const int *n = stiff[machine.second];
        force = r_add(force, r_mul(d->par[K2], r_power(depth(d, LEFT, y), n[0], n[1])));
    }
    rates[V] = force;
}

static num guard(const draw *d, int mode, int guard, num t, const num *y)
{
    (void)mode, (void)t;
    if (guard < KINKS && !machine.named) return NULL;
    return depth(d, guard % KINKS, y);
}

static int jump(const draw *d, int mode, int guard, num t, num *y)
{
    const int side = guard % KINKS;
    (void)d, (void)t;
    if (guard < KINKS) return mode; /* an event that changes nothing; the kink follows */
    y[SIDE1 + side] = r_neg(y[SIDE1 + side]);
    return mode ^ (1 << side);
}

static void write(draw *d)
{
    static const char *const names[] = {"a", "k1", "c1", "k2", "p1", "p2", "f", "w", "g"};
    const int *n1 = stiff[machine.first], *n2 = stiff[machine.second], *c = dampers[machine.damper];
    draw_write(d, "title: A mass between two buffers\nparameters:\n");
    for (int i = 0; i < X0; i++) draw_line(d, names[i], i, i == OMEGA ? "1/s" : "");
    draw_write(d, "states: {x: {unit: 1, start: %s, scale: 1}, u: {unit: 1/s, start: %s 1/s, scale: 1 1/s}}\n",
               d->decimals[X0], d->decimals[V0]);
    draw_write(d, "time_scale: 1 s\nflow:\n  x: u\n  u: \"(f*cos(w*t) + g - a*x^3 - k1*max(x - p1, 0)^(%d/%d)",
               n1[0], n1[1]);
    draw_write(d, " - c1*max(x - p1, 0)^(%d/%d)*u*(1 s) + k2*max(-x - p2, 0)^(%d/%d))/(1 s^2)\"\n", c[0], c[1],
               n2[0], n2[1]);
    if (machine.named)
        draw_write(d, "modes:\n  all:\n    until:\n      right: {crosses: x - p1, then: {}}\n"
                      "      left: {crosses: -x - p2, then: {}}\n");
}

void draw_buffer(draw *d)
{
    static const char *const states[] = {"x", "u", "kink_2", "kink_1"};
    machine.first = draw_choice(d, STIFF);
    machine.second = draw_choice(d, STIFF);
    machine.damper = draw_choice(d, DAMPERS);
    machine.named = draw_choice(d, 2);
    machine.guards[RIGHT] = (second_guard){"right", 0, true};
    machine.guards[LEFT] = (second_guard){"left", 0, true};
    machine.guards[KINKS + RIGHT] = (second_guard){"x - p1 = 0", 0, true};
    machine.guards[KINKS + LEFT] = (second_guard){"-x - p2 = 0", 0, true};
    DRAW_RANGES(d, {0.1, 5, 3}, {1, 300, 3}, {0.1, 10, 3}, {1, 300, 3}, {0.1, 1, 3}, {0.1, 1, 3}, {0.1, 5, 3},
                {0.5, 6, 3}, {-1, 1, 3}, {-0.09, 0.09, 3}, {-3, 3, 3}, {1, 6, 3});
    write(d);
    snprintf(d->what, sizeof d->what, "%d/%d, %d/%d and %d/%d%s", stiff[machine.first][0],
             stiff[machine.first][1], dampers[machine.damper][0], dampers[machine.damper][1],
             stiff[machine.second][0], stiff[machine.second][1], machine.named ? ", named" : "");
    d->states = states;
    d->machine = DRAW_MACHINE(4, machine.guards, 0.1, 1);
}
