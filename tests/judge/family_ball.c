/* SPDX-License-Identifier: MIT */
/* The ball of the suite: a single impact with greatest force and indentation. */
#include "tests/judge/families.h"
#include "tests/judge/laws.h"

#include <math.h>
#include <stdio.h>

enum { MASS, V0, E, K, T }; /* parameters */
enum { D, V, D_MAX, F_MAX, DURATION, MEMORY, STATES };
enum { CONTACT, OPEN };
enum { PEAK_FORCE, TURN, SEPARATION };

static const second_guard guards[] = {{"peak-force", -1, false}, {"turn", -1, false}, {"separation", -1, true}};
static const char *const modes[] = {"contact", "open"};

static int start(const draw *d, num *y)
{
    for (int i = 0; i < STATES; i++) y[i] = r_si(0);
    y[V] = d->par[V0];
    if (d->kind != LAW_HERTZ) y[MEMORY] = r_div(law_damping(d->kind, d->par[E]), d->par[V0]);
    return CONTACT;
}

static num force(const draw *d, const num *y)
{
    num factor = r_add(r_si(1), r_mul(y[MEMORY], y[V]));
    return r_mul(r_mul(d->par[K], r_power(y[D], d->p, d->q)), factor);
}

static void rates(const draw *d, int mode, num t, const num *y, num *rates)
{
    (void)mode, (void)t;
    rates[D] = y[V];
    rates[V] = r_neg(r_div(force(d, y), d->par[MASS]));
    rates[DURATION] = r_si(1);
}

/* The force is greatest where n v m = memory K d^(n+1). */
static num guard(const draw *d, int mode, int guard, num t, const num *y)
{
    (void)mode, (void)t;
    if (guard == SEPARATION) return y[D];
    if (guard == TURN || d->kind == LAW_HERTZ) return y[V];
    num work = r_mul(r_mul(d->par[K], r_power(y[D], d->p, d->q)), y[D]);
    return r_sub(r_over(r_times(y[V], d->p), d->q), r_div(r_mul(y[MEMORY], work), d->par[MASS]));
}

static int jump(const draw *d, int mode, int guard, num t, num *y)
{
    (void)mode, (void)t;
    if (guard == PEAK_FORCE) y[F_MAX] = r_max(y[F_MAX], force(d, y));
    if (guard == TURN) y[D_MAX] = y[D];
    if (guard == SEPARATION) y[D] = r_si(0);
    return guard == SEPARATION ? OPEN : CONTACT;
}

static bool is_over(int mode)
{
    return mode == OPEN;
}

void draw_ball(draw *d)
{
    static const char *const names[] = {"m", "v0", "c_r", "K"};
    static const char *const damped[] = {"d", "v", "d_max", "F_max", "t_c", "memory"};
    static const char *const elastic[] = {"d", "v", "d_max", "F_max", "t_c", NULL};
    const int power = draw_choice(d, LAW_POWERS);
    d->p = law_powers[power][0], d->q = law_powers[power][1];
    d->kind = draw_choice(d, LAWS);
    DRAW_RANGES(d, {1e-3, 100, 4}, {1e-3, 50, 3}, {law_least_e(d->kind), 1, 3});
    const double m = draw_value(d, MASS), v = draw_value(d, V0), n = (double)d->p / d->q;
    const double depth = pow(10, -6 + 0.1 * draw_choice(d, 40));
    draw_number(d, m * v * v / pow(depth, n + 1), 5);
    draw_number(d, depth / v * 300, 4);
    for (int i = 0; i <= K; i++) draw_set(d, names[i], i);
    snprintf(d->settings[d->n_settings++], sizeof d->settings[0], "n=%d/%d", d->p, d->q);
    snprintf(d->what, sizeof d->what, "%s, n = %d/%d", law_names[d->kind], d->p, d->q);
    d->path = "ball/hertz";
    d->variant = law_names[d->kind];
    d->states = d->kind == LAW_HERTZ ? elastic : damped;
    d->machine = DRAW_MACHINE(3, guards, depth / v, depth);
    d->machine.modes = modes;
    d->machine.is_over = is_over;
}
