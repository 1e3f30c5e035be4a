/* SPDX-License-Identifier: MIT */
#include "audit/trajectory/input/input.h"
#include "core/names.h"

#include <math.h>
#include <string.h>

/* ---- positions and velocities */

enum { MOST_UNIT = 64 };

/* In how many modes state i, as it is at 0, is the rate of state j. */
static size_t modes_moved(const ic_variant *variant, const double *par, size_t i, size_t j)
{
    size_t count = 0;
    for (size_t m = 0; m < variant->n_modes; m++) {
        double x[IC_MAX_STATES] = {0}, still[IC_MAX_STATES] = {0}, moving[IC_MAX_STATES] = {0};
        variant->modes[m].flow(still, 0, x, par);
        x[i] = 1;
        variant->modes[m].flow(moving, 0, x, par);
        count += moving[j] - still[j] == 1;
    }
    return count;
}

/* A body that rests, or is carried, moves by a state in some modes only. */
size_t ic_position_of(const ic_problem *problem, size_t i)
{
    const ic_case *system = problem->system;
    char per_second[MOST_UNIT];
    size_t most = 0, position = system->n_states;
    for (size_t j = 0; j < system->n_states; j++) {
        snprintf(per_second, sizeof per_second, "%s/s", system->states[j].unit);
        if (j == i || strcmp(per_second, system->states[i].unit) != 0) continue;
        const size_t count = modes_moved(problem->variant, problem->par, i, j);
        if (count > most) most = count, position = j;
    }
    return position;
}

void ic_find_positions(bool *is_position, const ic_problem *problem)
{
    const size_t n = problem->system->n_states;
    memset(is_position, 0, n * sizeof *is_position);
    for (size_t i = 0; i < n; i++) {
        const size_t position = ic_position_of(problem, i);
        if (position < n) is_position[position] = true;
    }
}

bool ic_jump_leads_to(const ic_jump *jump, int mode)
{
    for (size_t i = 0; i < jump->n_branches; i++) {
        if (jump->branches[i].mode == mode) return true;
    }
    return false;
}

const ic_guard *ic_guard_to(const ic_mode *from, int to)
{
    for (size_t i = 0; i < from->n_guards; i++) {
        if (ic_jump_leads_to(&from->guards[i].jump, to)) return &from->guards[i];
    }
    return NULL;
}

const ic_guard *ic_touch_guard(const ic_contact_view *view, const ic_variant *variant)
{
    return ic_guard_to(&variant->modes[view->free], view->contact);
}

/* ---- bodies */

bool ic_carried_body(ic_moving *body, const ic_problem *problem)
{
    const ic_case *system = problem->system;
    if (system->contact == NULL || system->contact->carried == NULL) return false;
    body->x = ic_state_find(system, system->contact->carried[0]);
    body->v = ic_state_find(system, system->contact->carried[1]);
    return true;
}

bool ic_contact_body(ic_moving *body, const ic_problem *problem)
{
    const size_t n = problem->system->n_states;
    ic_moving carried = {n, n};
    ic_carried_body(&carried, problem);
    for (size_t i = 0; i < n; i++) {
        const size_t position = ic_position_of(problem, i);
        if (position == n || i == carried.v) continue;
        *body = (ic_moving){.x = position, .v = i};
        return true;
    }
    return false;
}

static double output_value(const ic_problem *problem, const char *name, double t, const double *x, int mode)
{
    const ic_case *system = problem->system;
    return system->outputs[ic_output_find(system, name)].value(t, x, mode, problem->par);
}

double ic_contact_gap(const ic_problem *problem, double t, const double *x)
{
    const ic_contact_view *view = problem->system->contact;
    return output_value(problem, view->gap, t, x, view->free);
}

double ic_contact_force(const ic_problem *problem, double t, const double *x)
{
    const ic_contact_view *view = problem->system->contact;
    return output_value(problem, view->force, t, x, view->contact);
}
