/* SPDX-License-Identifier: MIT */
#include "reference/orbit/discrete.h"

#include <math.h>

/* A discrete state this close to an integer is meant to be that integer. */
#define ROUNDED 1e-6

/* Whether a term is a number, the state itself or its negative (the side of a kink), or a choice of such. */
static bool is_kept_or_set(const ic_equations *e, int term, size_t state)
{
    if (term < 0) return false;
    const ic_equation_term *t = &e->terms[term];
    switch (t->operation) {
    case IC_OP_NUMBER: return true;
    case IC_OP_NEGATE:
        return e->terms[t->a].operation == IC_OP_NUMBER ||
               (e->terms[t->a].operation == IC_OP_STATE && (size_t)e->terms[t->a].a == state);
    case IC_OP_STATE: return (size_t)t->a == state;
    case IC_OP_CHOOSE: return is_kept_or_set(e, t->b, state) && is_kept_or_set(e, t->c, state);
    default: return false;
    }
}

static bool jump_is_discrete(const ic_jump *jump, size_t state)
{
    const ic_equations *e = jump->equations;
    if (e == NULL || jump->n_branches == 0) return false;
    const size_t results = e->n_results / jump->n_branches;
    for (size_t b = 0; b < jump->n_branches; b++) {
        if (!is_kept_or_set(e, e->results[b * results + 1 + state], state)) return false;
    }
    return true;
}

static bool mode_is_discrete(const ic_mode *mode, size_t state)
{
    const ic_equations *e = mode->equations;
    if (e == NULL) return true; /* it cannot be entered */
    const ic_equation_term *rate = &e->terms[e->results[state]];
    if (rate->operation != IC_OP_NUMBER || rate->number != 0) return false;
    for (size_t i = 0; i < mode->n_guards; i++) {
        if (!jump_is_discrete(&mode->guards[i].jump, state)) return false;
    }
    return true;
}

bool ic_state_takes_numbers(const ic_problem *problem, size_t state)
{
    const ic_variant *variant = problem->variant;
    for (size_t m = 0; m < variant->n_modes; m++) {
        if (!mode_is_discrete(&variant->modes[m], state)) return false;
    }
    for (size_t i = 0; i < variant->n_time_events; i++) {
        if (!jump_is_discrete(&variant->time_events[i].jump, state)) return false;
    }
    return true;
}

void ic_round_discrete_states(double *x, const ic_problem *problem)
{
    for (size_t i = 0; i < problem->system->n_states; i++) {
        if (ic_state_takes_numbers(problem, i) && fabs(x[i] - round(x[i])) < ROUNDED) x[i] = round(x[i]);
    }
}
