/* SPDX-License-Identifier: MIT */
#include "audit/trajectory/input/input.h"

#include <stdlib.h>

bool ic_trajectory_open(ic_trajectory *tr, size_t n, size_t n_states, bool modes)
{
    *tr = (ic_trajectory){.n = n, .n_states = n_states};
    tr->t = calloc(n + 1, sizeof *tr->t);
    tr->x = calloc(n * n_states + 1, sizeof *tr->x);
    tr->line = calloc(n + 1, sizeof *tr->line);
    tr->mode = modes ? calloc(n + 1, 1) : NULL;
    if (tr->t != NULL && tr->x != NULL && tr->line != NULL && (tr->mode != NULL || !modes)) return true;
    ic_trajectory_close(tr);
    return false;
}

void ic_trajectory_close(ic_trajectory *tr)
{
    free(tr->t);
    free(tr->x);
    free(tr->mode);
    free(tr->line);
    free(tr->force);
    *tr = (ic_trajectory){0};
}
