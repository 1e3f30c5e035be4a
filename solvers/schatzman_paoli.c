/* SPDX-License-Identifier: MIT */
/**
 * The scheme of Schatzman and Paoli: restitution by positions of three steps. Without contact it is
 * the central difference q_(n+1) = 2 q_n - q_(n-1) + h^2 f_n; at a stop
 *
 *     q_(n+1) = -e q_(n-1) + (1 + e) Proj((2 q_n - (1 - e) q_(n-1) + h^2 f_n)/(1 + e)),
 *
 * where Proj is the projection onto the positions without overlap, in the metric of the mass
 * matrix. With the velocity v = (q_n - q_(n-1))/h as a state, and impulses P in place of the
 * projection,
 *
 *     v1 = v0 + h f(t0, x0) + sum_i push_i P_i,     q1 = q0 + h v1,
 *     stop i:   0 <= g_i((q1 + e_i (q0 - h v0))/(1 + e_i))  _|_  P_i >= 0,
 *     friction: |P| <= h mu N, and P = -h mu N sign(w(x1)) where bodies slip.
 *
 * The form with impulses also holds for coefficients that differ from stop to stop. Gaps that are
 * not linear are solved by Newton's method, in which each iteration is a linear complementarity
 * problem. Positions are states whose rate is another state; all others follow Euler's explicit
 * method.
 *
 * Promised: order 1 in positions, impacts included; the average of which the stop keeps the sign
 * does not overlap; a body at rest does not overlap at all; infinitely many impacts cost no more
 * than other steps.
 *
 * Not promised: times of events better than two steps; velocities within the two steps of an
 * impact, which are differences of positions; an energy that never grows: the explicit step makes
 * it oscillate by O(h); stiff machines, where h times the largest rate exceeds about 1.
 *
 * L. Paoli, M. Schatzman, A numerical scheme for impact problems I, II (2002).
 */
#include "core/numbers.h"
#include "solvers/rigid/stepping.h"

#include <float.h>
#include <math.h>
#include <string.h>

/*
 * Newton's method ends where an iteration changes x1 by less than this, relative to the size of
 * each state. A velocity is a difference of positions over h, so that its size is at least that of
 * the position over h.
 */
#define CONVERGED (64 * DBL_EPSILON)
enum { MOST_ITERATIONS = 30 };

/* Position k is that of velocity rate_of(s, k); -1: state k is none. */
static int rate_of(const ic_stepping *s, size_t k)
{
    return s->view->rates[k];
}

/* Adds the impulses to `free`: velocities change by them, and positions by h times that. */
static void apply_impulses(const ic_stepping *s, double *x)
{
    ic_stepping_push(s, x, s->free);
    for (size_t k = 0; k < s->n; k++) {
        const int v = rate_of(s, k);
        if (v >= 0) x[k] = s->x0[k] + s->h * x[v];
    }
}

/* The gap of stop i at the average of the positions after and before. */
static double average_gap(const ic_stepping *s, size_t i, double e, const double *x)
{
    for (size_t k = 0; k < s->n; k++) {
        const int v = rate_of(s, k);
        const double before = v >= 0 ? s->x0[k] - s->h * s->x0[v] : s->x0[k];
        s->spare[k] = (x[k] + e * before) / (1 + e);
    }
    s->work->guard_calls++;
    return s->view->stops[i].gap((s->t1 + e * (s->t0 - s->h)) / (1 + e), s->spare, s->problem->par);
}

/* The residual r of contact i at x: the impulses P are to satisfy the law of the contact with r + D P. */
static double residual(const ic_stepping *s, size_t i, const double *x)
{
    double r = 0;
    if (i < s->view->n_stops) {
        const double e = s->view->stops[i].restitution(s->t0, s->x0, s->problem->par);
        r = (1 + e) / s->h * average_gap(s, i, e, x);
    } else {
        r = ic_stepping_velocity(s, i, s->t1, x);
    }
    for (size_t j = 0; j < s->n_contacts; j++) r -= s->D[i * s->n_contacts + j] * s->P[j];
    return r;
}

/* The change from x1 to `spare`, relative to the sizes of the states. */
static double relative_change(const ic_stepping *s)
{
    double change = 0;
    for (size_t k = 0; k < s->n; k++) {
        const double difference = fabs(s->spare[k] - s->x1[k]);
        double size = fmax(s->scale[k], fabs(s->x1[k]));
        for (size_t q = 0; q < s->n && difference > CONVERGED * size; q++) {
            if (rate_of(s, q) == (int)k) size = fmax(size, fmax(s->scale[q], fabs(s->x1[q])) / s->h);
        }
        change = fmax(change, difference / size);
    }
    return change;
}

static ic_status step(ic_stepping *s)
{
    double change = INFINITY;
    ic_stepping_flow(s, s->f, s->t0, s->x0);
    for (size_t k = 0; k < s->n; k++) s->free[k] = s->x0[k] + s->h * s->f[k];
    for (size_t i = 0; i < s->n_contacts; i++) s->active[i] = true;
    memset(s->P, 0, sizeof s->P);
    apply_impulses(s, s->x1);
    memcpy(s->free, s->x1, s->n * sizeof *s->free);
    ic_stepping_linearize(s, s->t1, s->free);
    for (int i = 0; i < MOST_ITERATIONS && change > CONVERGED; i++) {
        double r[IC_MOST_STEPPED];
        for (size_t k = 0; k < s->n_contacts; k++) r[k] = residual(s, k, s->x1);
        const ic_status status = ic_stepping_impulses(s, r);
        if (status != IC_OK) return status;
        apply_impulses(s, s->spare);
        change = relative_change(s);
        memcpy(s->x1, s->spare, s->n * sizeof *s->x1);
        if (!isfinite(change) || !ic_all_finite(s->x1, s->n)) return IC_NOT_FINITE;
    }
    return change <= CONVERGED ? IC_OK : IC_TOO_MUCH_WORK;
}

IC_STEPPING_SOLVER(schatzman_paoli,
                   "Schatzman-Paoli, restitution by positions of three steps; steps over events",
                   "Paoli & Schatzman 2002", step)
