/* SPDX-License-Identifier: MIT */
#include "audit/impact/impact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_DIGITS = 9, MOST_STEPS = 5000, LEAST_STEPS = 4 };
/* A number of steps is whole within this. */
#define WHOLE 1e-5

static int digits_of(double x)
{
    int digits = 1;
    for (; digits <= MOST_DIGITS; digits++) {
        char text[40];
        snprintf(text, sizeof text, "%.*g", digits, x);
        if (strtod(text, NULL) == x) break;
    }
    return digits;
}

int ic_impact_digits(const ic_impact_samples *s)
{
    int most = 0;
    for (size_t i = 0; i < IC_IMPACT_USUAL && most <= MOST_DIGITS; i++) {
        if (s->state[i] != IC_ANSWERED) continue;
        for (int k = 0; k < 2; k++) {
            const int P = digits_of(s->r[i].P[k]), v = digits_of(s->r[i].v[k]);
            most = P > most ? P : most, most = v > most ? v : most;
        }
    }
    return most <= MOST_DIGITS ? most : 0;
}

/* What rounding leaves of zero has few digits in any precision. */
#define ZERO 1e-9

/* A limit, such as 20 N s, has few digits in any precision as well: twelve bits are enough for it. */
static bool is_round(double x)
{
    int power;
    const double bits = ldexp(frexp(x, &power), 12);
    return bits == floor(bits);
}

static double part_of(size_t single, size_t all)
{
    return all > 0 ? (double)single / (double)all : 0;
}

double ic_impact_single(const ic_impact_samples *s)
{
    size_t P = 0, v = 0, single_P = 0, single_v = 0;
    for (size_t i = 0; i < IC_IMPACT_USUAL; i++) {
        const ic_impact_result *r = &s->r[i];
        for (int k = 0; k < 2 && s->state[i] == IC_ANSWERED; k++) {
            const bool is_P = !is_round(r->P[k]) && fabs(r->P[k]) > ZERO * ic_impulse_scale(&s->p[i], r);
            const bool is_v =
                !is_round(r->v[k]) && fabs(r->v[k]) > ZERO * ic_velocity_scale(&s->p[i], r->P, r->v, k);
            P += is_P, single_P += is_P && (double)(float)r->P[k] == r->P[k];
            v += is_v, single_v += is_v && (double)(float)r->v[k] == r->v[k];
        }
    }
    return fmax(part_of(single_P, P), part_of(single_v, v));
}

static bool is_grid(const ic_impact_samples *s, int n)
{
    size_t whole = 0, other = 0;
    for (size_t i = 0; i < IC_IMPACT_USUAL; i++) {
        const double steps = n * s->r[i].P[1] * s->p[i].w_yy / -s->p[i].v[1];
        if (s->state[i] != IC_ANSWERED) continue;
        if (fabs(steps - round(steps)) <= WHOLE * fmax(1, fabs(steps) / n)) whole++;
        else if (++other > 8 && other > whole / 16) return false;
    }
    return whole > 16 * other;
}

int ic_impact_steps(const ic_impact_samples *s)
{
    for (int n = LEAST_STEPS; n <= MOST_STEPS; n++) {
        if (is_grid(s, n)) return n;
    }
    return 0;
}
