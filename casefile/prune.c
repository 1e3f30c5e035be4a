/* SPDX-License-Identifier: MIT */
/*
 * Where the combinations of discrete states are modes of their own, the discrete states carry no
 * further information. This file removes the states of elements from the state vector, and the
 * memory of a law that does not use it.
 */
#include "casefile/plan.h"

#include <string.h>

typedef struct pruning {
    ic_case_reader *r;

    /* Whether some formula uses a state. */
    bool used[IC_MAX_STATES];

    /* The states that remain, as nodes: with their old numbers and with their new numbers. */
    ic_node before[IC_MAX_STATES], after[IC_MAX_STATES];
    int kept[IC_MAX_STATES];
    size_t n;
} pruning;

/* Function that visits one node of a plan. `own` is the state whose value the node is, or -1. */
typedef void node_visit(pruning *p, ic_node *node, int own);

/* Once the states that remain are known, the values of the others are left out. */
static void visit_states(pruning *p, ic_node *states, node_visit *visit)
{
    for (size_t i = 0; i < p->r->n_states; i++) visit(p, &states[i], (int)i);
    for (size_t i = 0; i < p->n; i++) states[i] = states[p->kept[i]];
}

static void visit_jump(pruning *p, ic_plan_jump *jump, node_visit *visit)
{
    for (size_t i = 0; i < jump->n; i++) {
        if (jump->branches[i].condition >= 0) visit(p, &jump->branches[i].condition, -1);
        visit_states(p, jump->branches[i].states, visit);
    }
}

static void visit_mode(pruning *p, const ic_plan *plan, ic_plan_mode *mode, node_visit *visit)
{
    visit_states(p, mode->flow, visit);
    for (size_t i = 0; i < mode->n_guards; i++) {
        ic_plan_guard *g = &mode->guards[i];
        visit(p, &g->value, -1);
        if (g->enabled >= 0) visit(p, &g->enabled, -1);
        visit_jump(p, &g->jump, visit);
        visit_jump(p, &g->accumulation, visit);
    }
    for (size_t i = 0; i < mode->n_invariants; i++) visit(p, &mode->invariants[i].value, -1);
    for (size_t i = 0; i < 3; i++) {
        if (mode->energy[i] >= 0) visit(p, &mode->energy[i], -1);
    }
    for (size_t i = 0; i < plan->n_values; i++) {
        if (mode->outputs[i] >= 0) visit(p, &mode->outputs[i], -1);
    }
}

static void visit_stops(pruning *p, ic_plan_stops *stops, node_visit *visit)
{
    visit_states(p, stops->flow, visit);
    for (size_t i = 0; i < stops->n; i++) {
        ic_plan_stop *s = &stops->stops[i];
        visit_states(p, s->gradient, visit);
        visit_states(p, s->push, visit);
        visit(p, &s->value, -1);
        visit(p, &s->velocity, -1);
        visit(p, s->friction ? &s->kinetic : &s->restitution, -1);
        if (s->friction) visit(p, &s->sticking, -1);
    }
}

static void visit_plan(pruning *p, ic_plan *plan, node_visit *visit)
{
    if (plan->stops != NULL) visit_stops(p, plan->stops, visit);
    visit_jump(p, &plan->start, visit);
    for (size_t i = 0; i < plan->n_times; i++) visit_jump(p, &plan->times[i].jump, visit);
    for (size_t i = 0; i < p->r->n_modes; i++) {
        if (plan->modes[i].exists) visit_mode(p, plan, &plan->modes[i], visit);
    }
}

// NOLINTNEXTLINE(readability-non-const-parameter): it is a node_visit
static void mark_states(pruning *p, ic_node *node, int own)
{
    ic_graph *g = p->r->graph;
    for (size_t i = 0; i < p->r->n_states; i++) {
        const ic_node leaf = ic_graph_indexed(g, IC_OP_STATE, (int)i);
        if (p->used[i] || (int)i == own) continue;
        p->used[i] = ic_graph_uses(g, *node, leaf);
    }
}

static void renumber_states(pruning *p, ic_node *node, int own)
{
    (void)own;
    *node = ic_graph_substitute(p->r->graph, *node, p->before, p->after, p->n);
}

/* Whether a state belongs to an element or to a kink, so that the file does not name it. */
static bool is_hidden(const ic_case_reader *r, int state)
{
    for (size_t i = 0; i < r->n_elements; i++) {
        const ic_element *e = &r->elements[i];
        const bool contact = strcmp(e->type, "contact") == 0;
        if (e->state == state || (contact && (e->memory == state || e->set == state))) return true;
    }
    for (size_t i = 0; i < r->n_kinks; i++) {
        if (r->kinks[i].state == state) return true;
    }
    return false;
}

/* Gives stops, elements and kinks the new numbers of their states; -1: the state was removed. */
static void renumber_owners(const pruning *p, const ic_plan *plans, size_t n)
{
    ic_case_reader *r = p->r;
    int number[IC_MAX_STATES];
    for (size_t i = 0; i < r->n_states; i++) number[i] = -1;
    for (size_t i = 0; i < p->n; i++) number[p->kept[i]] = (int)i;
    for (size_t i = 0; i < r->n_elements; i++) {
        ic_element *e = &r->elements[i];
        e->state = number[e->state];
        if (strcmp(e->type, "delay") == 0) e->since = number[e->since];
        if (strcmp(e->type, "contact") != 0) continue;
        e->memory = number[e->memory];
        if (e->set >= 0) e->set = number[e->set];
    }
    for (size_t i = 0; i < r->n_kinks; i++) r->kinks[i].state = number[r->kinks[i].state];
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; plans[i].stops != NULL && k < plans[i].stops->n; k++) {
            int *state = &plans[i].stops->stops[k].state;
            if (*state >= 0) *state = number[*state];
        }
    }
}

void ic_plans_prune(ic_case_reader *r, ic_plan *plans, size_t n)
{
    pruning p = {.r = r};
    for (size_t i = 0; i < n; i++) visit_plan(&p, &plans[i], mark_states);
    for (size_t i = 0; i < r->n_states; i++) {
        if (!p.used[i] && is_hidden(r, (int)i)) continue;
        p.before[p.n] = ic_graph_indexed(r->graph, IC_OP_STATE, (int)i);
        p.after[p.n] = ic_graph_indexed(r->graph, IC_OP_STATE, (int)p.n);
        p.kept[p.n++] = (int)i;
    }
    if (p.n == r->n_states) return;
    for (size_t i = 0; i < n; i++) visit_plan(&p, &plans[i], renumber_states);
    renumber_owners(&p, plans, n);
    for (size_t i = 0; i < p.n; i++) {
        r->states[i] = r->states[p.kept[i]];
        r->state_discrete[i] = r->state_discrete[p.kept[i]];
        r->state_dimensions[i] = r->state_dimensions[p.kept[i]];
    }
    r->n_states = p.n;
}
