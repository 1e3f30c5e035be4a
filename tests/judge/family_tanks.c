/* SPDX-License-Identifier: MIT */
/*
 * Two tanks that are joined by an orifice, with a pump: flows as square roots of level differences of either sign, or
 * other powers of them.
 */
#include "tests/judge/families.h"

#include <stdio.h>

enum { A1, A2, K, OUTFLOW, PUMP, SWING, OMEGA, H1, H2, T }; /* parameters */
enum { LEVEL1, LEVEL2, SIDE, STATES };

static const int powers[][2] = {{1, 2}, {4, 7}, {1, 2}, {3, 4}, {2, 3}, {1, 1}};
enum { POWERS = sizeof powers / sizeof *powers };

static const second_guard guards[] = {{"h1 - h2 = 0", 0, true}};

static int start(const draw *d, num *y)
{
    y[LEVEL1] = d->par[H1];
    y[LEVEL2] = d->par[H2];
    y[SIDE] = r_si(mpfr_cmp(y[LEVEL1], y[LEVEL2]) > 0 ? 1 : -1);
    return 0;
}

static void rates(const draw *d, int mode, num t, const num *y, num *rates)
{
    (void)mode;
    num head = r_mul(y[SIDE], r_sub(y[LEVEL1], y[LEVEL2]));
    num flow = r_mul(y[SIDE], r_mul(d->par[K], r_power(head, d->p, d->q)));
    num pumped = r_mul(d->par[PUMP], r_add(r_si(1), r_mul(d->par[SWING], r_sin(r_mul(d->par[OMEGA], t)))));
    rates[LEVEL1] = r_div(r_sub(pumped, flow), d->par[A1]);
    rates[LEVEL2] = r_div(r_sub(flow, r_mul(d->par[OUTFLOW], r_sqrt(y[LEVEL2]))), d->par[A2]);
}

static num guard(const draw *d, int mode, int guard, num t, const num *y)
{
    (void)d, (void)mode, (void)guard, (void)t;
    return r_sub(y[LEVEL1], y[LEVEL2]);
}

static int jump(const draw *d, int mode, int guard, num t, num *y)
{
    (void)d, (void)guard, (void)t;
    y[SIDE] = r_neg(y[SIDE]);
    return mode;
}

void draw_tanks(draw *d)
{
    static const char *const states[] = {"h1", "h2", "kink_1"};
    static const char *const names[] = {"A1", "A2", "k", "c", "p", "s", "w"};
    const int power = draw_choice(d, POWERS);
    d->p = powers[power][0], d->q = powers[power][1];
    DRAW_RANGES(d, {0.3, 3, 3}, {0.3, 3, 3}, {0.1, 1, 3}, {0.1, 1, 3}, {0.1, 1, 3}, {0.5, 3, 3}, {1, 6, 3},
                {0.3, 2, 3}, {0.3, 2, 4}, {1, 5, 3});
    draw_write(d, "title: Two tanks\nparameters:\n");
    for (int i = 0; i <= OMEGA; i++) draw_line(d, names[i], i, i == OMEGA ? "1/s" : "");
    draw_write(d, "states: {h1: {unit: 1, start: %s, scale: 1}, h2: {unit: 1, start: %s, scale: 1}}\n",
               d->decimals[H1], d->decimals[H2]);
    draw_write(d, "time_scale: 1 s\ndefinitions: {q: k*sign(h1 - h2)*abs(h1 - h2)^(%d/%d)}\n", d->p, d->q);
    draw_write(d, "flow: {h1: (p*(1 + s*sin(w*t)) - q)/A1/(1 s), h2: (q - c*sqrt(h2))/A2/(1 s)}\n");
    snprintf(d->what, sizeof d->what, "power %d/%d", d->p, d->q);
    d->states = states;
    d->machine = DRAW_MACHINE(1, guards, 0.1, 1);
}
