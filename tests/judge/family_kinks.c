/* SPDX-License-Identifier: MIT */
/* Kinks of min, max, abs and where, of states and the time, that the file does not name as events. */
#include "tests/judge/families.h"

#include <stdio.h>

enum { A, B, C, LATE, X0, Y0, T }; /* parameters */
enum { X, Y, OF_TIME, OF_MAX, OF_ABS, OF_MIN, STATES };

static const second_guard guards[] = {{"t - p = 0", 0, false},
                                      {"x^2 - y - sin(y) = 0", 0, false},
                                      {"x*y - c = 0", 0, false},
                                      {"x - b = 0", 0, false}};

static num argument(const draw *d, int kink, num t, const num *y)
{
    switch (kink + OF_TIME) {
    case OF_TIME: return r_sub(t, d->par[LATE]);
    case OF_MAX: return r_sub(r_sub(r_square(y[X]), y[Y]), r_sin(y[Y]));
    case OF_ABS: return r_sub(r_mul(y[X], y[Y]), d->par[C]);
    default: return r_sub(y[X], d->par[B]);
    }
}

static int start(const draw *d, num *y)
{
    num zero = r_si(0);
    y[X] = d->par[X0];
    y[Y] = d->par[Y0];
    for (int i = 0; i < STATES - OF_TIME; i++) y[OF_TIME + i] = r_si(mpfr_sgn(argument(d, i, zero, y)));
    return 0;
}

static bool is_positive(num side)
{
    return mpfr_sgn(side) > 0;
}

static void rates(const draw *d, int mode, num t, const num *y, num *rates)
{
    (void)mode;
    num least = is_positive(y[OF_MIN]) ? d->par[B] : y[X];
    num most = is_positive(y[OF_MAX]) ? r_sub(r_square(y[X]), y[Y]) : r_sin(y[Y]);
    num amount = r_mul(y[OF_ABS], argument(d, OF_ABS - OF_TIME, t, y));
    amount = r_div(amount, r_add(r_si(1), r_square(y[X])));
    num drive = is_positive(y[OF_TIME]) ? r_fraction(3, 10) : r_fraction(1, 10);
    rates[X] = r_add(r_sub(y[Y], least), amount);
    rates[Y] = r_add(r_sub(r_neg(y[X]), r_mul(d->par[A], most)), drive);
}

static num guard(const draw *d, int mode, int guard, num t, const num *y)
{
    (void)mode;
    return argument(d, guard, t, y);
}

static int jump(const draw *d, int mode, int guard, num t, num *y)
{
    (void)d, (void)t;
    y[OF_TIME + guard] = r_neg(y[OF_TIME + guard]);
    return mode;
}

void draw_kinks(draw *d)
{
    static const char *const states[] = {"x", "y", "kink_1", "kink_2", "kink_3", "kink_4"};
    DRAW_RANGES(d, {0.1, 2, 3}, {-0.5, 0.5, 3}, {-0.3, 0.3, 3}, {0.5, 2, 3}, {-1, 1, 4}, {-1, 1, 4}, {1, 6, 3});
    draw_write(d, "title: Kinks\nparameters: {a: %s, b: %s, c: %s, p: %s s}\n", d->decimals[A], d->decimals[B],
               d->decimals[C], d->decimals[LATE]);
    draw_write(d, "states: {x: {unit: 1, start: %s, scale: 1}, y: {unit: 1, start: %s, scale: 1}}\n",
               d->decimals[X0], d->decimals[Y0]);
    draw_write(d, "time_scale: 1 s\nflow:\n  x: (y - min(x, b) + abs(x*y - c)/(1 + x^2))/(1 s)\n");
    draw_write(d, "  y: (-x - a*max(x^2 - y, sin(y)) + where(t > p, 0.3, 0.1))/(1 s)\n");
    snprintf(d->what, sizeof d->what, "b = %s, c = %s", d->decimals[B], d->decimals[C]);
    d->states = states;
    d->machine = DRAW_MACHINE(4, guards, 0.05, 1);
}
