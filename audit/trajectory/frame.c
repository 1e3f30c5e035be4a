/* SPDX-License-Identifier: MIT */
#include "audit/trajectory/frame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* States of the roller, and its parameters, by number: found by name, since the case's own enums are its own. */
enum { X2, V2, X3, V3, STATES };
static const char *const state_names[STATES] = {"x2", "v2", "x3", "v3"};

bool ic_frame_can_reconstruct(const ic_problem *problem, size_t i)
{
    return strcmp(problem->system->name, "roller") == 0 && (i == X3 || i == V3) &&
           strcmp(problem->system->states[i].name, state_names[i]) == 0;
}

/* Step of the frame from one row to the next by the classical Runge-Kutta method; the roller goes along the cubic through both rows. */
static void input(const double *a, const double *b, double h, double s, double *x)
{
    const double x0 = a[X2], x1 = b[X2], d0 = h * a[V2], d1 = h * b[V2];
    const double c2 = 3 * (x1 - x0) - 2 * d0 - d1, c3 = 2 * (x0 - x1) + d0 + d1;
    x[X2] = x0 + s * (d0 + s * (c2 + s * c3));
    x[V2] = (d0 + s * (2 * c2 + 3 * s * c3)) / h;
}

static void step(const ic_problem *p, const double *a, const double *b, double h, double from, double to,
                 double *x3v3)
{
    static const double at[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
    double x[IC_MAX_STATES] = {0}, f[IC_MAX_STATES], slope[2] = {0}, sum[2] = {0};
    for (int k = 0; k < 4; k++) {
        input(a, b, h, from + at[k] * (to - from), x);
        for (int i = 0; i < 2; i++) x[X3 + i] = x3v3[i] + at[k] * slope[i];
        p->variant->modes[1].flow(f, 0, x,
                                  p->par); /* dx3/dt and dv3/dt are those of every mode, and autonomous */
        for (int i = 0; i < 2; i++) slope[i] = h * (to - from) * f[X3 + i], sum[i] += weight[k] * slope[i] / 6;
    }
    for (int i = 0; i < 2; i++) x3v3[i] += sum[i];
}

/* From a start, along all rows. */
static void follow(ic_trajectory *tr, const ic_problem *p, const double *start)
{
    enum { PARTS = 2 };
    double now[2] = {start[0], start[1]};
    for (size_t k = 0; k < tr->n; k++) {
        double *row = &tr->x[k * tr->n_states];
        const double h = k > 0 ? tr->t[k] - tr->t[k - 1] : 0;
        for (int part = 0; part < PARTS && h > 0; part++)
            step(p, row - tr->n_states, row, h, part / (double)PARTS, (part + 1) / (double)PARTS, now);
        row[X3] = now[0], row[X3 + 1] = now[1];
    }
}

/* What is left of dv2 over a step of what the equation says, for the mode that no condition doubts: contact where x2 < 0 and the
 * element's force pushes, at both ends, flight where x2 > 0 and it pulls. NAN elsewhere. */
static double misfit(const ic_trajectory *tr, const ic_problem *p, size_t k)
{
    const double *a = &tr->x[k * tr->n_states], *b = a + tr->n_states;
    const double h = tr->t[k + 1] - tr->t[k];
    double f[IC_MAX_STATES], x[IC_MAX_STATES], sum = 0;
    double (*force)(double, const double *, int, const double *) = p->system->outputs[0].value;
    const bool contact = a[X2] < 0 && b[X2] < 0 && force(0, a, 0, p->par) > 0 && force(0, b, 0, p->par) > 0;
    const bool flight = a[X2] > 0 && b[X2] > 0 && force(0, a, 0, p->par) < 0 && force(0, b, 0, p->par) < 0;
    if (!(h > 0) || !(contact || flight)) return NAN;
    for (int i = 0; i < 3; i++) { /* Simpson */
        memcpy(x, i == 2 ? b : a, tr->n_states * sizeof *x);
        if (i == 1) {
            input(a, b, h, 0.5, x);
            x[X3] = (a[X3] + b[X3]) / 2 + h * (a[V3] - b[V3]) / 8, x[V3] = (a[V3] + b[V3]) / 2;
        }
        p->variant->modes[contact ? 0 : 1].flow(f, tr->t[k] + 0.5 * i * h, x, p->par);
        sum += (i == 1 ? 4 : 1) * f[V2] * h / 6;
    }
    return b[V2] - a[V2] - sum;
}

/* Least squares for the two numbers of the start, from the sensitivities of each step's misfit to them. */
static bool fit_start(ic_trajectory *tr, const ic_problem *p, double *start, const double *scale)
{
    const size_t n = tr->n - 1;
    double *r = malloc(3 * n * sizeof *r), normal[3] = {0}, right[2] = {0};
    if (r == NULL) return false;
    for (int trial = 0; trial < 3; trial++) {
        const double at[2] = {start[0] + (trial == 1 ? scale[0] : 0), start[1] + (trial == 2 ? scale[1] : 0)};
        follow(tr, p, at);
        for (size_t k = 0; k < n; k++) r[(size_t)trial * n + k] = misfit(tr, p, k);
    }
    for (size_t k = 0; k < n; k++) {
        if (isnan(r[k])) continue;
        const double u = r[n + k] - r[k], v = r[2 * n + k] - r[k];
        normal[0] += u * u, normal[1] += u * v, normal[2] += v * v;
        right[0] -= u * r[k], right[1] -= v * r[k];
    }
    free(r);
    const double determinant = normal[0] * normal[2] - normal[1] * normal[1];
    if (!(determinant > 1e-12 * normal[0] * normal[2])) return true; /* they do not show it: the guess stays */
    start[0] += scale[0] * (normal[2] * right[0] - normal[1] * right[1]) / determinant;
    start[1] += scale[1] * (normal[0] * right[1] - normal[1] * right[0]) / determinant;
    return true;
}

bool ic_frame_reconstruct(ic_trajectory *tr, const ic_problem *p, ic_error *error)
{
    if (strcmp(p->system->name, "roller") != 0) return true;
    if (tr->source[X3] != IC_FROM_MODEL && tr->source[V3] != IC_FROM_MODEL) return true;
    double rest[IC_MAX_STATES], start[2], scale[2];
    p->variant->start.apply(rest, p->t_start, NULL, p->par);
    for (int i = 0; i < 2; i++) {
        start[i] = rest[X3 + i];
        scale[i] = 1e-3; /* m and m/s: the dependence is affine, so that any will do */
        tr->source[X3 + i] = IC_FROM_MODEL;
    }
    if (!fit_start(tr, p, start, scale)) {
        ic_error_set(error, "memory ran out");
        return false;
    }
    follow(tr, p, start);
    return true;
}
