/* SPDX-License-Identifier: MIT */
#include "audit/trajectory/input/input.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool ic_frame_can_reconstruct(const ic_problem *problem, size_t i)
{
    ic_moving carried;
    return ic_carried_body(&carried, problem) && (i == carried.x || i == carried.v);
}

/* The rows, with the carried states and the carrier's states. */
typedef struct frame {
    ic_trajectory *tr;
    const ic_problem *problem;
    const ic_contact_view *view;
    ic_moving carried, carrier;
} frame;

/* The carrier's states on the cubic through both rows. */
static void interpolate_carrier(const frame *f, const double *a, const double *b, double h, double s, double *x)
{
    const size_t p = f->carrier.x, v = f->carrier.v;
    const double x0 = a[p], x1 = b[p], d0 = h * a[v], d1 = h * b[v];
    const double c2 = 3 * (x1 - x0) - 2 * d0 - d1, c3 = 2 * (x0 - x1) + d0 + d1;
    x[p] = x0 + s * (d0 + s * (c2 + s * c3));
    x[v] = (d0 + s * (2 * c2 + 3 * s * c3)) / h;
}

/* Step of the carried states from one row to the next by the classical Runge-Kutta method. */
static void step_carried(const frame *f, const double *a, const double *b, double h, double from, double to,
                         double *now)
{
    static const double at[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
    const size_t states[] = {f->carried.x, f->carried.v};
    double x[IC_MAX_STATES] = {0}, rate[IC_MAX_STATES], slope[2] = {0}, sum[2] = {0};
    for (int k = 0; k < 4; k++) {
        interpolate_carrier(f, a, b, h, from + at[k] * (to - from), x);
        for (int i = 0; i < 2; i++) x[states[i]] = now[i] + at[k] * slope[i];
        /* The rates of carried states are the same in every mode, and autonomous. */
        f->problem->variant->modes[f->view->free].flow(rate, 0, x, f->problem->par);
        for (int i = 0; i < 2; i++)
            slope[i] = h * (to - from) * rate[states[i]], sum[i] += weight[k] * slope[i] / 6;
    }
    for (int i = 0; i < 2; i++) now[i] += sum[i];
}

/* Follow the carried states from a start along all rows. */
static void follow_carried(const frame *f, const double *start)
{
    enum { PARTS = 2 };
    ic_trajectory *tr = f->tr;
    double now[2] = {start[0], start[1]};
    for (size_t k = 0; k < tr->n; k++) {
        double *row = &tr->x[k * tr->n_states];
        const double h = k > 0 ? tr->t[k] - tr->t[k - 1] : 0;
        for (int part = 0; part < PARTS && h > 0; part++)
            step_carried(f, row - tr->n_states, row, h, part / (double)PARTS, (part + 1) / (double)PARTS, now);
        row[f->carried.x] = now[0], row[f->carried.v] = now[1];
    }
}

/*
 * The mode at a row on which all conditions agree: contact if the gap is negative and the contact
 * would push, free if it is positive and the contact would pull. -1: in doubt.
 */
static int mode_without_doubt(const frame *f, const double *x)
{
    const double gap = ic_contact_gap(f->problem, 0, x), force = ic_contact_force(f->problem, 0, x);
    if (gap < 0 && force > 0) return f->view->contact;
    return gap > 0 && force < 0 ? f->view->free : -1;
}

/*
 * Change of the carrier's velocity over a step minus the change by the equation. NAN: the mode is
 * in doubt.
 */
static double carrier_misfit(const frame *f, size_t k)
{
    const ic_trajectory *tr = f->tr;
    const double *a = &tr->x[k * tr->n_states], *b = a + tr->n_states;
    const double h = tr->t[k + 1] - tr->t[k];
    const size_t p = f->carried.x, v = f->carried.v;
    const int mode = mode_without_doubt(f, a);
    double rate[IC_MAX_STATES], x[IC_MAX_STATES], sum = 0;
    if (!(h > 0) || mode < 0 || mode_without_doubt(f, b) != mode) return NAN;
    for (int i = 0; i < 3; i++) { /* Simpson */
        memcpy(x, i == 2 ? b : a, tr->n_states * sizeof *x);
        if (i == 1) {
            interpolate_carrier(f, a, b, h, 0.5, x);
            x[p] = (a[p] + b[p]) / 2 + h * (a[v] - b[v]) / 8, x[v] = (a[v] + b[v]) / 2;
        }
        f->problem->variant->modes[mode].flow(rate, tr->t[k] + 0.5 * i * h, x, f->problem->par);
        sum += (i == 1 ? 4 : 1) * rate[f->carrier.v] * h / 6;
    }
    return b[f->carrier.v] - a[f->carrier.v] - sum;
}

/*
 * Fits the two initial values by least squares, from the sensitivities of the misfit of each step.
 */
static bool fit_start(const frame *f, double *start, const double *scale)
{
    const size_t n = f->tr->n - 1;
    double *r = malloc(3 * n * sizeof *r), normal[3] = {0}, right[2] = {0};
    if (r == NULL) return false;
    for (int trial = 0; trial < 3; trial++) {
        const double at[2] = {start[0] + (trial == 1 ? scale[0] : 0), start[1] + (trial == 2 ? scale[1] : 0)};
        follow_carried(f, at);
        for (size_t k = 0; k < n; k++) r[(size_t)trial * n + k] = carrier_misfit(f, k);
    }
    for (size_t k = 0; k < n; k++) {
        if (isnan(r[k])) continue;
        const double u = r[n + k] - r[k], v = r[2 * n + k] - r[k];
        normal[0] += u * u, normal[1] += u * v, normal[2] += v * v;
        right[0] -= u * r[k], right[1] -= v * r[k];
    }
    free(r);
    const double determinant = normal[0] * normal[2] - normal[1] * normal[1];
    /* The rows do not determine it: keep the initial guess. */
    if (!(determinant > 1e-12 * normal[0] * normal[2])) return true;
    start[0] += scale[0] * (normal[2] * right[0] - normal[1] * right[1]) / determinant;
    start[1] += scale[1] * (normal[0] * right[1] - normal[1] * right[0]) / determinant;
    return true;
}

bool ic_frame_reconstruct(ic_trajectory *tr, const ic_problem *p, ic_error *error)
{
    frame f = {.tr = tr, .problem = p, .view = p->system->contact};
    if (!ic_carried_body(&f.carried, p) || !ic_contact_body(&f.carrier, p)) return true;
    const size_t states[] = {f.carried.x, f.carried.v};
    if (tr->source[states[0]] != IC_FROM_MODEL && tr->source[states[1]] != IC_FROM_MODEL) return true;
    double rest[IC_MAX_STATES], start[2], scale[2];
    p->variant->start.apply(rest, p->t_start, NULL, p->par);
    for (int i = 0; i < 2; i++) {
        start[i] = rest[states[i]];
        scale[i] = 1e-3; /* arbitrary values, m and m/s; the dependence is affine */
        tr->source[states[i]] = IC_FROM_MODEL;
    }
    if (!fit_start(&f, start, scale)) {
        ic_error_set(error, "memory ran out");
        return false;
    }
    follow_carried(&f, start);
    return true;
}
