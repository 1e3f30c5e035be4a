/* SPDX-License-Identifier: MIT */
/*
 *     d'' = -F(d, d', memory)/m,    F = f(d) + damping (F_law - f),    f(d) = F_law(d, 0)
 *
 * Under A the contact lasts until d = 0, under B, C and D until F = 0; under C* the force is max(0,
 * F) while d > 0.
 */
#include "audit/trajectory/checks/checks.h"

#include <math.h>
#include <stdlib.h>

bool ic_curve_open(ic_curve *c)
{
    const size_t size = (IC_MOST_CURVE + 1) * sizeof(double);
    *c = (ic_curve){.d = malloc(size), .v = malloc(size), .a = malloc(size)};
    if (c->d != NULL && c->v != NULL && c->a != NULL) return true;
    ic_curve_close(c);
    return false;
}

void ic_curve_close(ic_curve *c)
{
    free(c->d);
    free(c->v);
    free(c->a);
    *c = (ic_curve){0};
}

static double acceleration(const ic_curve_law *l, double d, double v, double memory)
{
    const double full = l->law->force(d, v, memory, l->par);
    const double damping = l->side * v < 0 ? 0 : l->damping;
    const double elastic = damping == 1 ? 0 : l->law->force(d, 0, memory, l->par);
    const double force = damping == 1 ? full : elastic + damping * (full - elastic);
    if (l->law->condition == IC_CONDITION_C_STAR && (force < 0 || d < 0)) return 0;
    return -force / l->mass;
}

static void advance_curve(const ic_curve_law *l, double memory, double h, double *d, double *v)
{
    double kd[4] = {0}, kv[4] = {0};
    for (int s = 0; s < 4; s++) {
        const double part = s == 0 ? 0 : s == 3 ? h : 0.5 * h;
        const double x = *d + (s > 0 ? part * kd[s - 1] : 0), y = *v + (s > 0 ? part * kv[s - 1] : 0);
        kd[s] = y;
        kv[s] = acceleration(l, x, y, memory);
    }
    *d += h / 6 * (kd[0] + 2 * kd[1] + 2 * kd[2] + kd[3]);
    *v += h / 6 * (kv[0] + 2 * kv[1] + 2 * kv[2] + kv[3]);
}

static bool is_over(const ic_curve_law *l, double d, double v, double a)
{
    const ic_condition condition = l->law->condition;
    if (v >= 0) return false;
    if (condition == IC_CONDITION_A || condition == IC_CONDITION_C_STAR) return d <= 0;
    return a >= 0;
}

/* The fraction of the last step before contact ends, by linear interpolation. */
static double last_part(const ic_curve_law *l, const ic_curve *c, size_t i)
{
    const bool surface = l->law->condition == IC_CONDITION_A || l->law->condition == IC_CONDITION_C_STAR;
    const double *g = surface ? c->d : c->a;
    const double part = g[i - 1] / (g[i - 1] - g[i]);
    return part >= 0 && part <= 1 ? part : 1;
}

bool ic_curve_follow(ic_curve *c, const ic_curve_law *l, double v0, double quarter, double longest)
{
    const double memory = l->law->remember != NULL ? l->law->remember(v0, l->par) : 0;
    c->step = quarter / IC_CURVE_STEPS;
    c->d[0] = l->law->reach != NULL ? l->law->reach(v0, l->par) : 0;
    c->v[0] = v0;
    c->a[0] = acceleration(l, c->d[0], v0, memory);
    c->n = 1;
    for (size_t i = 1; i <= IC_MOST_CURVE && (double)(i - 1) * c->step < longest; i++) {
        c->d[i] = c->d[i - 1], c->v[i] = c->v[i - 1];
        advance_curve(l, memory, c->step, &c->d[i], &c->v[i]);
        c->a[i] = acceleration(l, c->d[i], c->v[i], memory);
        c->n = i + 1;
        c->t_end = (double)i * c->step;
        if (!isfinite(c->d[i]) || !isfinite(c->a[i])) return false;
        if (!is_over(l, c->d[i], c->v[i], c->a[i])) continue;
        const double part = last_part(l, c, i), h = part * c->step;
        c->d[i] = c->d[i - 1], c->v[i] = c->v[i - 1];
        advance_curve(l, memory, h, &c->d[i], &c->v[i]);
        c->t_end = (double)(i - 1) * c->step + h;
        break;
    }
    return c->n > 1;
}

void ic_curve_at(const ic_curve *c, double t, double *d, double *v)
{
    const size_t last = c->n - 1;
    if (t <= 0) {
        *d = c->d[0] + t * c->v[0], *v = c->v[0];
        return;
    }
    if (t >= c->t_end) {
        *d = c->d[last] + (t - c->t_end) * c->v[last], *v = c->v[last];
        return;
    }
    size_t i = (size_t)(t / c->step);
    if (i >= last) i = last - 1;
    /* the cubic through both ends with their rates; the last step is shorter */
    const double h = i + 1 == last ? c->t_end - (double)i * c->step : c->step,
                 s = (t - (double)i * c->step) / h;
    const double a0 = (1 + 2 * s) * (1 - s) * (1 - s), b0 = s * (1 - s) * (1 - s), a1 = s * s * (3 - 2 * s),
                 b1 = s * s * (s - 1);
    *d = a0 * c->d[i] + b0 * h * c->v[i] + a1 * c->d[i + 1] + b1 * h * c->v[i + 1];
    *v = a0 * c->v[i] + b0 * h * c->a[i] + a1 * c->v[i + 1] + b1 * h * c->a[i + 1];
}
