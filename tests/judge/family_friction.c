/* SPDX-License-Identifier: MIT */
/* A mass on a hardening spring, dragged by a belt: friction falls with the speed of slip (Stribeck). */
#include "tests/judge/families.h"

#include <stdio.h>

enum { M, K, CUBIC, C, N, STATIC, KINETIC, FALL, SPEED, BELT, F, OMEGA, X0, V0, T }; /* parameters */
enum { X, V, STATE, STATES };
enum { STICKS, BACKWARDS, FORWARDS };                       /* modes */
enum { STOPS, STOPS_TOO, SLIPS_BACKWARDS, SLIPS_FORWARDS }; /* guards */

static const second_guard guards[] = {{"belt stops slipping", 1, false},
                                      {"belt stops slipping", -1, false},
                                      {"belt slips backwards", -1, false},
                                      {"belt slips forwards", 1, false}};

static int start(const draw *d, num *y)
{
    y[X] = d->par[X0];
    y[V] = d->par[V0];
    const int side = mpfr_cmp(d->par[V0], d->par[BELT]) > 0 ? 1 : -1;
    y[STATE] = r_si(side);
    return side > 0 ? FORWARDS : BACKWARDS;
}

/* The force without friction. */
static num pull(const draw *d, num t, const num *y)
{
    num spring = r_mul(y[X], r_add(d->par[K], r_mul(d->par[CUBIC], r_square(y[X]))));
    num drive = r_mul(d->par[F], r_sin(r_mul(d->par[OMEGA], t)));
    return r_sub(r_sub(drive, spring), r_mul(d->par[C], y[V]));
}

/* mu_k (1 + fall exp(-|slip|/speed)), or by 1/(1 + |slip|/speed), or by a square */
static num coefficient(const draw *d, num slip)
{
    num s = r_div(r_abs(slip), d->par[SPEED]), falls;
    if (d->kind == 0) falls = r_exp(r_neg(s));
    else if (d->kind == 1) falls = r_div(r_si(1), r_add(r_si(1), s));
    else falls = r_exp(r_neg(r_square(s)));
    return r_mul(d->par[KINETIC], r_add(r_si(1), r_mul(d->par[FALL], falls)));
}

static void rates(const draw *d, int mode, num t, const num *y, num *rates)
{
    rates[X] = y[V];
    if (mode == STICKS) return; /* the belt's speed is constant */
    num friction = r_mul(d->par[N], coefficient(d, r_sub(y[V], d->par[BELT])));
    if (mode == FORWARDS) friction = r_neg(friction);
    rates[V] = r_div(r_add(pull(d, t, y), friction), d->par[M]);
}

static num guard(const draw *d, int mode, int guard, num t, const num *y)
{
    if (guard == STOPS) return mode == BACKWARDS ? r_sub(y[V], d->par[BELT]) : NULL;
    if (guard == STOPS_TOO) return mode == FORWARDS ? r_sub(y[V], d->par[BELT]) : NULL;
    if (mode != STICKS) return NULL;
    num most = r_mul(d->par[STATIC], d->par[N]);
    return guard == SLIPS_FORWARDS ? r_sub(pull(d, t, y), most) : r_add(pull(d, t, y), most);
}

static int jump(const draw *d, int mode, int guard, num t, num *y)
{
    if (guard == SLIPS_BACKWARDS || guard == SLIPS_FORWARDS) {
        y[STATE] = r_si(guard == SLIPS_FORWARDS ? 1 : -1);
        return guard == SLIPS_FORWARDS ? FORWARDS : BACKWARDS;
    }
    y[V] = d->par[BELT];
    num force = pull(d, t, y), most = r_mul(d->par[STATIC], d->par[N]);
    const bool holds = mpfr_cmpabs(force, most) <= 0;
    const int side = holds ? 0 : mpfr_sgn(force);
    y[STATE] = r_si(side);
    (void)mode;
    return holds ? STICKS : side > 0 ? FORWARDS : BACKWARDS;
}

static void write(draw *d)
{
    static const char *const names[] = {"m", "k", "k3", "c", "N", "mu_s", "mu_k", "f", "v_s", "v_b", "F", "w"};
    static const char *const units[] = {"kg", "N/m", "N/m^3", "N s/m", "N", "",
                                        "",   "",    "m/s",   "m/s",   "N", "1/s"};
    static const char *const laws[] = {"exp(-abs(v - v_b)/v_s)", "1/(1 + abs(v - v_b)/v_s)",
                                       "exp(-((v - v_b)/v_s)^2)"};
    draw_write(d, "title: A mass on a belt\nparameters:\n");
    for (int i = 0; i <= OMEGA; i++) draw_line(d, names[i], i, units[i]);
    draw_write(d, "states: {x: {unit: m, start: %s m}, v: {unit: m/s, start: %s m/s}}\n", d->decimals[X0],
               d->decimals[V0]);
    draw_write(d, "flow: {x: v, v: (F*sin(w*t) - k*x - k3*x^3 - c*v)/m}\nelements:\n");
    draw_write(d, "  belt: {friction: {slip: v - v_b, normal: N, static: mu_s, kinetic: \"mu_k*(1 + f*%s)\", ",
               laws[d->kind]);
    draw_write(d, "pushes: {v: 1/m}}}\n");
}

void draw_friction(draw *d)
{
    static const char *const states[] = {"x", "v", "belt"};
    d->kind = draw_choice(d, 3);
    DRAW_RANGES(d, {0.5, 3, 3}, {10, 100, 3}, {1, 1000, 3}, {0.01, 1, 3}, {5, 20, 3}, {0.6, 0.9, 3},
                {0.1, 0.35, 3}, {0.1, 0.6, 3}, {0.05, 0.5, 3}, {0.05, 0.5, 3});
    draw_given(d, "0");
    if (draw_choice(d, 2)) snprintf(d->decimals[F], DRAW_DECIMAL, "%d", 1 + draw_choice(d, 20));
    DRAW_RANGES(d, {1, 12, 3}, {-0.1, 0.1, 3}, {-0.6, 0.04, 3}, {1, 5, 3});
    write(d);
    snprintf(d->what, sizeof d->what, "law %d", d->kind);
    d->states = states;
    d->machine = DRAW_MACHINE(4, guards, 0.05, 1);
}
