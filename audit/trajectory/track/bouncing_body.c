/* SPDX-License-Identifier: MIT */
#include "audit/trajectory/track/track.h"
#include "core/names.h"

#include <math.h>

/* Whether the body has one velocity, and no power changes the energy of free motion in any row. */
static bool is_alone(const ic_tracking *k, const ic_mode *mode)
{
    const ic_trajectory *tr = k->trajectory;
    size_t velocities = 0;
    for (size_t i = 0; i < tr->n_states; i++) velocities += ic_position_of(k->problem, i) != tr->n_states;
    if (velocities != 1 || mode->stored_energy == NULL) return false;
    for (size_t i = 0; i < tr->n; i++) {
        const double *x = &tr->x[i * tr->n_states];
        if (mode->supplied_power(tr->t[i], x, k->problem->par) != 0 ||
            mode->dissipated_power(tr->t[i], x, k->problem->par) != 0)
            return false;
    }
    return true;
}

double ic_bouncing_acceleration(const ic_bouncing_body *body, const ic_tracking *k, size_t row)
{
    const ic_trajectory *tr = k->trajectory;
    double f[IC_MAX_STATES];
    k->problem->variant->modes[k->problem->system->contact->free].flow(
        f, tr->t[row], &tr->x[row * tr->n_states], k->problem->par);
    return f[body->state.v];
}

bool ic_bouncing_body_of(ic_bouncing_body *body, const ic_tracking *k)
{
    const ic_problem *problem = k->problem;
    const ic_contact_view *view = problem->system->contact;
    double x[IC_MAX_STATES] = {0}, f[IC_MAX_STATES];
    if (view == NULL || view->restitution == NULL || view->gap == NULL || !view->rigid) return false;
    const ic_mode *mode = &problem->variant->modes[view->free];
    if (problem->variant->law != NULL || !is_alone(k, mode) || !ic_contact_body(&body->state, problem))
        return false;
    body->e = ic_parameter_find(problem->system, view->restitution);
    const double gap = ic_contact_gap(problem, problem->t_start, x);
    x[body->state.x] = 1;
    body->side = ic_contact_gap(problem, problem->t_start, x) - gap;
    x[body->state.x] = body->stop = -gap / body->side;
    body->at_stop = mode->stored_energy(problem->t_start, x, problem->par);
    mode->flow(f, problem->t_start, x, problem->par);
    body->pull = -body->side * f[body->state.v];
    x[body->state.v] = 1;
    body->mass = 2 * (mode->stored_energy(problem->t_start, x, problem->par) - body->at_stop);
    body->most = 0;
    for (size_t i = 0; i < k->trajectory->n; i++)
        body->most = fmax(body->most, fabs(ic_bouncing_acceleration(body, k, i)));
    return fabs(body->side) == 1 && body->mass > 0;
}
