/* SPDX-License-Identifier: MIT */
#include "audit/trajectory/input/input.h"

#include <string.h>

enum { UNIT_MOST = 64 };

size_t ic_position_of(const ic_problem *problem, size_t i)
{
    const ic_case *system = problem->system;
    const ic_mode *mode = &problem->variant->modes[0];
    double x[IC_MAX_STATES] = {0}, still[IC_MAX_STATES] = {0}, moving[IC_MAX_STATES] = {0};
    char per_second[UNIT_MOST];
    mode->flow(still, 0, x, problem->par);
    x[i] = 1;
    mode->flow(moving, 0, x, problem->par);
    for (size_t j = 0; j < system->n_states; j++) {
        snprintf(per_second, sizeof per_second, "%s/s", system->states[j].unit);
        if (j != i && moving[j] - still[j] == 1 && strcmp(per_second, system->states[i].unit) == 0) return j;
    }
    return system->n_states;
}
