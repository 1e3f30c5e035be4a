/* SPDX-License-Identifier: MIT */
/* The vibratory roller of the suite on soil with a contact-force law of condition A. */
#include "tests/judge/families.h"
#include "tests/judge/laws.h"

#include <math.h>
#include <stdio.h>

enum { M2, M3, K23, C23, GRAVITY, FORCE, OMEGA, PHASE, STIFFNESS, E, K, T }; /* parameters */
enum { X2, V2, X3, V3, XF, MEMORY, STATES };
enum { CONTACT, FLIGHT };
enum { SEPARATION, TOUCH_DOWN };

static const second_guard guards[] = {{"separation", 1, true}, {"touch-down", -1, true}};
static const char *const modes[] = {"contact", "flight"};

static int start(const draw *d, num *y)
{
    num weight = r_mul(r_add(d->par[M2], d->par[M3]), d->par[GRAVITY]);
    num depth = r_div(r_add(weight, d->par[FORCE]), d->par[STIFFNESS]);
    y[X2] = depth;
    y[X3] = r_sub(depth, r_div(r_mul(d->par[M3], d->par[GRAVITY]), d->par[K23]));
    y[V2] = y[V3] = y[XF] = y[MEMORY] = r_si(0);
    return FLIGHT;
}

static void rates(const draw *d, int mode, num t, const num *y, num *rates)
{
    num exciter = r_mul(d->par[FORCE], r_sin(r_add(r_mul(d->par[OMEGA], t), d->par[PHASE])));
    num frame = r_add_products(d->par[C23], r_sub(y[V3], y[V2]), d->par[K23], r_sub(y[X3], y[X2]));
    num force = r_sub(frame, exciter);
    rates[X2] = y[V2];
    rates[X3] = y[V3];
    rates[V3] = r_neg(r_add(d->par[GRAVITY], r_div(frame, d->par[M3])));
    if (mode == CONTACT) {
        num factor = r_sub(r_si(1), r_mul(y[MEMORY], y[V2]));
        force = r_add(force, r_mul(r_mul(d->par[K], r_power(r_neg(y[X2]), d->p, d->q)), factor));
        rates[XF] = r_neg(y[V2]);
    }
    rates[V2] = r_sub(r_div(force, d->par[M2]), d->par[GRAVITY]);
}

static num guard(const draw *d, int mode, int guard, num t, const num *y)
{
    (void)d, (void)t;
    return mode == guard ? y[X2] : NULL; /* SEPARATION in CONTACT, TOUCH_DOWN in FLIGHT */
}

static int jump(const draw *d, int mode, int guard, num t, num *y)
{
    (void)mode, (void)t;
    y[XF] = guard == SEPARATION ? r_si(0) : r_neg(y[X2]);
    if (guard == TOUCH_DOWN && d->kind != LAW_HERTZ)
        y[MEMORY] = r_div(law_damping(d->kind, d->par[E]), r_neg(y[V2]));
    return guard == SEPARATION ? FLIGHT : CONTACT;
}

void draw_roller(draw *d)
{
    static const char *const names[] = {"m2", "m3", "k23", "c23", "g", "F_w", "omega", "phase", "k", "e", "K"};
    static const char *const damped[] = {"x2", "v2", "x3", "v3", "x_f", "memory"};
    static const char *const elastic[] = {"x2", "v2", "x3", "v3", "x_f", NULL};
    const int power = draw_choice(d, LAW_POWERS);
    d->p = law_powers[power][0], d->q = law_powers[power][1];
    d->kind = draw_choice(d, LAWS);
    DRAW_RANGES(d, {500, 5000, 4}, {200, 3000, 4}, {1e5, 1e7, 4}, {1e2, 1e5, 4});
    draw_given(d, draw_choice(d, 4) ? "9.81" : "3.7");
    DRAW_RANGES(d, {1e4, 3e5, 4}, {60, 300, 4}, {-3, 3, 3}, {1e7, 1e9, 4}, {law_least_e(d->kind), 1, 3});
    const double weight = (draw_value(d, M2) + draw_value(d, M3)) * draw_value(d, GRAVITY);
    const double depth = (weight + draw_value(d, FORCE)) / draw_value(d, STIFFNESS);
    draw_number(d, draw_value(d, STIFFNESS) * depth / pow(depth, (double)d->p / d->q), 5);
    draw_number(d, 6.2831853 / draw_value(d, OMEGA) * (0.5 + 0.1 * draw_choice(d, 25)), 4);
    for (int i = 0; i <= K; i++) {
        if (i != E || d->kind != LAW_HERTZ) draw_set(d, names[i], i);
    }
    snprintf(d->settings[d->n_settings++], sizeof d->settings[0], "n=%d/%d", d->p, d->q);
    snprintf(d->what, sizeof d->what, "%s, n = %d/%d", law_names[d->kind], d->p, d->q);
    d->path = "roller/law";
    d->variant = law_names[d->kind];
    d->states = d->kind == LAW_HERTZ ? elastic : damped;
    d->machine = DRAW_MACHINE(2, guards, 0.5 / draw_value(d, OMEGA), depth);
    d->machine.modes = modes;
}
