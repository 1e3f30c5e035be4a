/* SPDX-License-Identifier: MIT */
/* A driven oscillator that meets a spring and damper, P = K d + C d', under transition conditions. */
#include "tests/judge/families.h"

#include <stdio.h>

enum { M, SPRING, CUBIC, K, C, GAP, PUSH, SWING, OMEGA, X0, T }; /* parameters */
enum { X, V, IN_CONTACT, BELOW, STATES };
enum { SURFACES, MEETS, LEAVES, AGAIN }; /* guards */
enum { A, B, LITERAL, STAR, CONDITIONS };

/* The certifier has no event where the body that the contact has left passes the surface, but the second method has. */
static const second_guard guards[] = {
    {NULL, -1, false}, {"pad", 1, false}, {"pad leaves", -1, false}, {"pad again", 1, false}};

static int start(const draw *d, num *y)
{
    y[X] = d->par[X0];
    y[V] = y[IN_CONTACT] = y[BELOW] = r_si(0);
    return 0;
}

static num depth(const draw *d, const num *y)
{
    return r_sub(y[X], d->par[GAP]);
}

static num force(const draw *d, const num *y)
{
    return r_add_products(d->par[K], depth(d, y), d->par[C], y[V]);
}

static bool touches(const num *y)
{
    return mpfr_sgn(y[IN_CONTACT]) > 0;
}

static void rates(const draw *d, int mode, num t, const num *y, num *rates)
{
    const num drive = r_add(d->par[PUSH], r_mul(d->par[SWING], r_sin(r_mul(d->par[OMEGA], t))));
    const num stiffness = r_add_products(d->par[SPRING], r_si(1), d->par[CUBIC], r_square(y[X]));
    num sum = r_sub(drive, r_mul(stiffness, y[X]));
    if (touches(y)) sum = r_sub(sum, force(d, y));
    rates[X] = y[V];
    rates[V] = r_div(sum, d->par[M]);
    (void)mode;
}

static num guard(const draw *d, int mode, int guard, num t, const num *y)
{
    (void)mode, (void)t;
    if (touches(y) != (guard == LEAVES)) return NULL;
    if ((guard == AGAIN || guard == SURFACES) && mpfr_sgn(y[BELOW]) == 0) return NULL;
    const bool by_force = guard == AGAIN || (guard == LEAVES ? d->kind != A : guard == MEETS && d->kind == B);
    return by_force ? force(d, y) : depth(d, y);
}

static int jump(const draw *d, int mode, int guard, num t, num *y)
{
    (void)t;
    y[BELOW] = r_si(d->kind == STAR && guard == LEAVES);
    if (guard == SURFACES) return mode;
    y[IN_CONTACT] = r_si(guard == MEETS || guard == AGAIN);
    return mode;
}

void draw_contacts(draw *d)
{
    static const char *const conditions[] = {"A", "B", "C", "C*"};
    static const char *const names[] = {"m", "k", "k3", "K", "C", "gap", "F", "a", "w"};
    static const char *const units[] = {"kg", "N/m", "N/m^3", "N/m", "N s/m", "m", "N", "N", "1/s"};
    static const char *const affine[] = {"x", "v", NULL, NULL}, *const states[] = {"x", "v", "pad", NULL};
    d->kind = draw_choice(d, CONDITIONS);
    draw_parameter(d, 0.5, 2, 3);
    draw_parameter(d, 0.5, 2, 3);
    /* in an affine case the state of the contact is part of the mode */
    d->p = draw_choice(d, 2);
    if (d->p) draw_parameter(d, 0.1, 2, 3);
    else draw_given(d, "0");
    DRAW_RANGES(d, {20, 80, 3}, {1, 9, 3}, {0.1, 0.6, 3}, {2, 8, 3}, {2, 14, 3}, {3, 20, 3}, {-0.5, 0.05, 3},
                {2, 6, 3});
    draw_write(d, "title: An oscillator and a pad\nparameters:\n");
    for (int i = 0; i <= OMEGA; i++) draw_line(d, names[i], i, units[i]);
    draw_write(
        d, "states: {x: {unit: m, start: %s m, scale: 1 m}, v: {unit: m/s, scale: 1 m/s}}\ntime_scale: 1 s\n",
        d->decimals[X0]);
    draw_write(d, "flow: {x: v, v: (F + a*sin(w*t) - k*x%s)/m}\n", d->p ? " - k3*x^3" : "");
    draw_write(
        d,
        "elements: {pad: {contact: {indentation: x - gap, law: kelvin-voigt, condition: '%s', with: {k: K, c: C}, "
        "pushes: {v: -1/m}}}}\n",
        conditions[d->kind]);
    snprintf(d->what, sizeof d->what, "condition %s", conditions[d->kind]);
    d->states = d->p ? states : affine;
    d->machine = DRAW_MACHINE(4, guards, 0.05, 1);
}
