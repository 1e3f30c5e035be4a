/* SPDX-License-Identifier: MIT */
/* A driven oscillator between hard stops, one of which may move; its forces are nonlinear. */
#include "tests/judge/families.h"

#include <stdio.h>

enum { DUFFING, PENDULUM, VAN_DER_POL, SQUARE, TANGENT, KINDS };
enum { A, B, C, F, OMEGA, PHASE, RIGHT, LEFT, SWING, E, X0, V0, T }; /* parameters */
enum { X, V, KINK, STATES };
enum { HITS_RIGHT, HITS_LEFT, TURNS };

static const second_guard guards[] = {{"right", -1, false}, {"left", -1, false}, {"u = 0", 0, false}};

static num restoring(const draw *d, const num *y)
{
    num linear = r_mul(d->par[A], y[X]);
    switch (d->kind) {
    case PENDULUM: return r_mul(d->par[A], r_sin(r_mul(d->par[B], y[X])));
    case TANGENT: return r_mul(d->par[A], r_tanh(r_mul(d->par[B], y[X])));
    default: return r_add(linear, r_mul(d->par[B], r_mul(y[X], r_square(y[X]))));
    }
}

static num damping(const draw *d, const num *y)
{
    if (d->kind == VAN_DER_POL) return r_mul(r_mul(d->par[C], r_sub(r_square(y[X]), r_fraction(1, 10))), y[V]);
    if (d->kind == SQUARE) return r_mul(y[KINK], r_mul(d->par[C], r_square(y[V])));
    return r_mul(d->par[C], y[V]);
}

static int start(const draw *d, num *y)
{
    y[X] = d->par[X0];
    y[V] = d->par[V0];
    y[KINK] = r_si(mpfr_sgn(d->par[V0]));
    return 0;
}

static void rates(const draw *d, int mode, num t, const num *y, num *rates)
{
    (void)mode;
    num force = r_mul(d->par[F], r_cos(r_add(r_mul(d->par[OMEGA], t), d->par[PHASE])));
    rates[X] = y[V];
    rates[V] = r_sub(r_sub(force, restoring(d, y)), damping(d, y));
}

static num guard(const draw *d, int mode, int guard, num t, const num *y)
{
    (void)mode;
    if (guard == TURNS) return d->kind == SQUARE ? y[V] : NULL;
    if (guard == HITS_LEFT) return r_add(d->par[LEFT], y[X]);
    num place = r_add(d->par[RIGHT], r_mul(d->par[SWING], r_sin(r_mul(d->par[OMEGA], t))));
    return r_sub(place, y[X]);
}

static int jump(const draw *d, int mode, int guard, num t, num *y)
{
    num wall = r_si(0);
    (void)mode;
    if (guard == TURNS) {
        y[KINK] = r_neg(y[KINK]);
        return 0;
    }
    if (guard == HITS_RIGHT) wall = r_mul(r_mul(d->par[SWING], d->par[OMEGA]), r_cos(r_mul(d->par[OMEGA], t)));
    y[V] = r_sub(wall, r_mul(d->par[E], r_sub(y[V], wall)));
    if (d->kind == SQUARE) y[KINK] = r_si(mpfr_sgn(y[V]));
    return 0;
}

static void write(draw *d)
{
    static const char *const forces[KINDS] = {"a*x + b*x^3 + c*v", "a*sin(b*x) + c*v",
                                              "a*x + b*x^3 + c*(x^2 - 1/10)*v", "a*x + b*x^3 + c*v*abs(v)",
                                              "a*tanh(b*x) + c*v"};
    static const char *const names[] = {"a", "b", "c", "f", "w", "ph", "right_at", "left_at", "swing", "e"};
    draw_write(d, "title: An oscillator between stops\nparameters:\n");
    for (int i = 0; i <= E; i++) draw_line(d, names[i], i, i == OMEGA ? "1/s" : "");
    draw_write(d, "states: {x: {unit: 1, start: %s, scale: 1}, u: {unit: 1/s, start: %s 1/s, scale: 1 1/s}}\n",
               d->decimals[X0], d->decimals[V0]);
    draw_write(d, "time_scale: 1 s\ndefinitions: {v: u*(1 s)}\n");
    draw_write(d, "flow: {x: u, u: \"(f*cos(w*t + ph) - (%s))/(1 s^2)\"}\n", forces[d->kind]);
    draw_write(d, "elements:\n");
    draw_write(d, "  right: {stop: {gap: right_at + swing*sin(w*t) - x, restitution: e}}\n");
    draw_write(d, "  left: {stop: {gap: left_at + x, restitution: e}}\n");
}

void draw_oscillator(draw *d)
{
    static const char *const names[KINDS] = {"Duffing", "pendulum", "van der Pol", "quadratic damping", "tanh"};
    static const char *const smooth[] = {"x", "u", NULL}, *const kinked[] = {"x", "u", "kink_1"};
    d->kind = draw_choice(d, KINDS);
    DRAW_RANGES(d, {-3, 10, 3}, {0.1, 10, 3}, {0.01, 1, 3}, {0.5, 10, 3}, {0.5, 6, 3}, {-3, 3, 3},
                {0.05, 1.5, 3}, {0.05, 1.5, 3});
    draw_given(d, "0");
    if (draw_choice(d, 2)) snprintf(d->decimals[SWING], DRAW_DECIMAL, "0.0%d", 1 + draw_choice(d, 49));
    DRAW_RANGES(d, {0.1, 0.95, 3}, {-0.04, 0.04, 3}, {0.1, 3, 3}, {1, 10, 3});
    write(d);
    snprintf(d->what, sizeof d->what, "%s", names[d->kind]);
    d->states = d->kind == SQUARE ? kinked : smooth;
    d->machine = DRAW_MACHINE(3, guards, 0.1, 1);
}
