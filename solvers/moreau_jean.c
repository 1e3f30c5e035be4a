/* SPDX-License-Identifier: MIT */
/**
 * Moreau-Jean time stepping: impulses take the place of contact forces, and the step is never cut
 * at an impact. Here theta is 1/2:
 *
 *     x1 = x0 + h f(t_m, x_m) + sum_i push_i P_i,     t_m = t0 + h/2,     x_m = (x0 + x1)/2
 *     stop i:   0 <= w_i(x1) + e_i w_i(x0)  _|_  P_i >= 0   if g_i <= 0 is predicted at t_m, else P_i = 0
 *     friction: |P| <= h mu N, and P = -h mu N sign(w(x1)) where bodies slip
 *
 * x contains positions and velocities; w is the rate of the gap g, or the slip, and push the
 * inverse mass matrix times the direction of the force. The equation is solved by iteration; in
 * each one the impulses by projected Gauss-Seidel, and by Lemke's method where that does not
 * converge (solvers/rigid/stepping.h).
 *
 * Promised: order 1, impacts included, because an impact is noticed at a step's end; order 2 as
 * long as no contact acts; contacts do not overlap by more than velocity times h; infinitely many
 * impacts cost no more than other steps; several contacts at once are solved together (Newton's
 * simultaneous impact). With a constant mass matrix, a quadratic potential and fixed stops, a step
 * changes the energy by 1/2 sum P_i (1 - e_i) w_i(x0), apart from damping and friction: it does not
 * grow where contacts that push were approaching.
 *
 * Not promised: times of events better than two steps; impacts shorter than a step apart, one after
 * another: balls in contact move as in Newton's simultaneous impact; stiff machines, where h times
 * the largest rate exceeds about 1.
 *
 * J. J. Moreau, Numerical aspects of the sweeping process (1999); M. Jean, The non-smooth contact
 * dynamics method (1999); V. Acary, B. Brogliato, Numerical Methods for Nonsmooth Dynamical Systems
 * (2008), chapter 10.
 */
#include "core/numbers.h"
#include "solvers/rigid/stepping.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define THETA 0.5

/*
 * The iteration ends where x1 changes by less than this, relative to the scale of each state: a few
 * roundings.
 */
#define CONVERGED (16 * DBL_EPSILON)
/*
 * Each iteration gains a factor of about h times the largest rate; more than 1/2 is not meant to be
 * computed.
 */
enum { MOST_ITERATIONS = 60 };

/*
 * The stops that are predicted to be closed half a step ahead, and all frictions. The prediction contains the
 * acceleration: a body at rest, whose gap is zero but for rounding, would otherwise be let go now and then.
 */
static void find_active(ic_stepping *s)
{
    const double half = s->h / 2;
    ic_stepping_flow(s, s->f, s->t0, s->x0);
    for (size_t k = 0; k < s->n; k++) s->x1[k] = s->x0[k] + half * s->f[k];
    ic_stepping_flow(s, s->f, s->t0 + half, s->x1);
    for (size_t k = 0; k < s->n; k++) s->spare[k] = s->x0[k] + half * s->f[k];
    for (size_t i = 0; i < s->n_contacts; i++) {
        s->active[i] =
            i >= s->view->n_stops || !(s->view->stops[i].gap(s->t0 + half, s->spare, s->problem->par) > 0);
    }
}

static ic_status find_step_impulses(ic_stepping *s)
{
    double r[IC_MOST_STEPPED] = {0};
    for (size_t i = 0; i < s->n_contacts; i++) {
        if (!s->active[i]) continue;
        r[i] = ic_stepping_velocity(s, i, s->t1, s->free);
        if (i >= s->view->n_stops) continue;
        r[i] += s->view->stops[i].restitution(s->t0, s->x0, s->problem->par) * s->w0[i];
    }
    return ic_stepping_impulses(s, r);
}

static ic_status step(ic_stepping *s)
{
    const double t_m = s->t0 + THETA * s->h;
    double change = INFINITY;
    find_active(s);
    memset(s->P, 0, sizeof s->P);
    for (size_t k = 0; k < s->n; k++) s->x1[k] = s->x0[k] + s->h * s->f[k];
    for (int i = 0; i < MOST_ITERATIONS && change > CONVERGED; i++) {
        for (size_t k = 0; k < s->n; k++) s->spare[k] = (1 - THETA) * s->x0[k] + THETA * s->x1[k];
        ic_stepping_flow(s, s->f, t_m, s->spare);
        for (size_t k = 0; k < s->n; k++) s->free[k] = s->x0[k] + s->h * s->f[k];
        ic_stepping_linearize(s, t_m, s->spare);
        const ic_status status = find_step_impulses(s);
        if (status != IC_OK) return status;
        ic_stepping_push(s, s->spare, s->free);
        change = 0;
        for (size_t k = 0; k < s->n; k++) {
            change = fmax(change, fabs(s->spare[k] - s->x1[k]) / fmax(s->scale[k], fabs(s->spare[k])));
            s->x1[k] = s->spare[k];
        }
        if (!isfinite(change) || !ic_all_finite(s->x1, s->n)) return IC_NOT_FINITE;
    }
    return change <= CONVERGED ? IC_OK : IC_TOO_MUCH_WORK;
}

IC_STEPPING_SOLVER(moreau_jean,
                   "Moreau-Jean time stepping with impulses, several contacts at once; steps over events",
                   "Moreau 1999; Jean 1999", step)
