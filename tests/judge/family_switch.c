/* SPDX-License-Identifier: MIT */
/* A radiating body with a heater: a switch with hysteresis, and a delay, in which short pulses are lost. */
#include "tests/judge/families.h"

#include <stdio.h>

enum { LOSS, RADIATION, POWER, SWING, OMEGA, LOW, HIGH, LATE, START, T }; /* parameters */
enum { X, SWITCH, DELAYED, SINCE, STATES };
enum { ON, OFF, ARRIVES };

static const second_guard guards[] = {{"s on", 1, false}, {"s off", -1, false}, {"r arrives", 1, false}};

static int start(const draw *d, num *y)
{
    y[X] = d->par[START];
    y[SWITCH] = y[DELAYED] = y[SINCE] = r_si(0);
    return 0;
}

static void rates(const draw *d, int mode, num t, const num *y, num *rates)
{
    (void)mode;
    num loss = r_add_products(d->par[LOSS], y[X], d->par[RADIATION], r_square(r_square(y[X])));
    num drive = r_mul(d->par[SWING], r_sin(r_mul(d->par[OMEGA], t)));
    rates[X] = r_sub(r_add(r_mul(d->par[POWER], y[DELAYED]), drive), loss);
}

static num guard(const draw *d, int mode, int guard, num t, const num *y)
{
    const bool on = mpfr_sgn(y[SWITCH]) > 0, delayed = mpfr_sgn(y[DELAYED]) > 0;
    (void)mode;
    if (guard == ON) return on ? NULL : r_sub(d->par[LOW], y[X]);
    if (guard == OFF) return on ? r_sub(d->par[HIGH], y[X]) : NULL;
    return on == delayed ? NULL : r_sub(r_sub(t, y[SINCE]), d->par[LATE]);
}

static int jump(const draw *d, int mode, int guard, num t, num *y)
{
    (void)d;
    if (guard == ARRIVES) {
        y[DELAYED] = y[SWITCH];
    } else {
        y[SWITCH] = r_si(guard == ON);
        y[SINCE] = t;
    }
    return mode;
}

void draw_switch(draw *d)
{
    static const char *const names[] = {"k", "r4", "p", "a", "w", "low", "high", "late"};
    static const char *const states[] = {"x", "s", "r", "r_since"};
    DRAW_RANGES(d, {0.1, 2, 3}, {0.1, 2, 3}, {2, 5, 3}, {0.01, 3, 3}, {1, 12, 3}, {0.3, 0.6, 3}, {0.62, 0.9, 3},
                {0.01, 0.4, 3}, {0.91, 1.5, 3}, {2, 8, 3});
    draw_write(d, "title: A heater\nparameters:\n");
    for (int i = 0; i <= LATE; i++) draw_line(d, names[i], i, i == OMEGA ? "1/s" : i == LATE ? "s" : "");
    draw_write(d, "states: {x: {unit: 1, start: %s, scale: 1}}\ntime_scale: 1 s\n", d->decimals[START]);
    draw_write(
        d,
        "elements:\n  s: {switch: {input: -x, on: -low, off: -high}}\n  r: {delay: {input: s, time: late}}\n");
    draw_write(d, "flow: {x: (p*r + a*sin(w*t) - k*x - r4*x^4)/(1 s)}\n");
    snprintf(d->what, sizeof d->what, "late by %s s", d->decimals[LATE]);
    d->states = states;
    d->machine = DRAW_MACHINE(3, guards, 0.05, 1);
}
