/* SPDX-License-Identifier: MIT */
#include "casefile/domain.h"
#include "casefile/idle.h"

#define GRAPH (r->graph)
#include "casefile/operators.h"

#include <math.h>
#include <string.h>

/*
 * The base of a power that has no value for a negative base; IC_NO_NODE: the node is not such a
 * power.
 */
static ic_node base_of_root(const ic_graph *g, ic_node node)
{
    const ic_graph_node *n = &g->nodes[node];
    if (n->operation == IC_OP_SQRT) return n->a;
    if (n->operation != IC_OP_POWER) return IC_NO_NODE;
    const ic_graph_node *exponent = &g->nodes[n->b];
    const bool whole = exponent->operation == IC_OP_NUMBER && exponent->number == floor(exponent->number);
    return whole ? IC_NO_NODE : n->a;
}

static ic_node replace_node(ic_case_reader *r, ic_node node, ic_node what, ic_node by)
{
    return ic_graph_substitute(GRAPH, node, &what, &by, 1);
}

/* Whether a base vanishes on both sides of a kink at its zero. */
static bool vanishes_at(ic_case_reader *r, ic_node base, const ic_kink *kink, ic_node side)
{
    for (int s = -1; s <= 1; s += 2) {
        const ic_node there = replace_node(r, replace_node(r, base, side, INT(s)),
                                           replace_node(r, kink->smooth, side, INT(s)), INT(0));
        if (!ic_graph_is(GRAPH, there, 0)) return false;
    }
    return true;
}

/* Whether a flow, or a kink that matters there, uses a node on side s of kink k. */
static bool is_used_at(ic_case_reader *r, ic_node node, const ic_node *flow, size_t k, int s)
{
    const ic_node side = ic_graph_indexed(GRAPH, IC_OP_STATE, r->kinks[k].state);
    for (size_t i = 0; i < r->n_states; i++) {
        if (ic_graph_uses(GRAPH, replace_node(r, flow[i], side, INT(s)), node)) return true;
    }
    for (size_t m = 0; m < r->n_kinks; m++) {
        if (!ic_kink_is_idle(r, m, k, s) &&
            ic_graph_uses(GRAPH, replace_node(r, r->kinks[m].smooth, side, INT(s)), node))
            return true;
    }
    return false;
}

/* Whether a power occurs on one side of kink k only, or differs between the sides. */
static bool is_confined(ic_case_reader *r, ic_node power, const ic_node *flow, size_t k)
{
    return ic_graph_uses(GRAPH, power, ic_graph_indexed(GRAPH, IC_OP_STATE, r->kinks[k].state)) ||
           !is_used_at(r, power, flow, k, 1) || !is_used_at(r, power, flow, k, -1);
}

static bool ends_at_kink(ic_case_reader *r, ic_node power, ic_node base, const ic_node *flow)
{
    for (size_t k = 0; k < r->n_kinks; k++) {
        const ic_node side = ic_graph_indexed(GRAPH, IC_OP_STATE, r->kinks[k].state);
        if (vanishes_at(r, base, &r->kinks[k], side) && is_confined(r, power, flow, k)) return true;
    }
    return false;
}

static bool is_used(ic_case_reader *r, const ic_node *formulas, size_t n, ic_node node)
{
    for (size_t i = 0; i < n; i++) {
        if (formulas[i] >= 0 && ic_graph_uses(GRAPH, formulas[i], node)) return true;
    }
    return false;
}

static void extend_power(ic_case_reader *r, ic_node *formulas, size_t n, ic_node power, ic_node base)
{
    const ic_node extended = replace_node(r, power, base, ic_graph_two(GRAPH, IC_OP_MAX, base, INT(0)));
    for (size_t i = 0; i < n; i++) {
        if (formulas[i] >= 0) formulas[i] = replace_node(r, formulas[i], power, extended);
    }
}

bool ic_extend_at_kinks(ic_case_reader *r, ic_node *flow)
{
    const ic_node known = (ic_node)GRAPH->n_nodes;
    const size_t n = r->n_states + r->n_kinks;
    ic_node *all = ic_arena_take(r->arena, n * sizeof *all);
    if (all == NULL) return false;
    memcpy(all, flow, r->n_states * sizeof *all);
    for (size_t k = 0; k < r->n_kinks; k++) all[r->n_states + k] = r->kinks[k].smooth;
    for (ic_node power = 0; power < known && r->n_kinks > 0; power++) {
        const ic_node base = base_of_root(GRAPH, power);
        if (base >= 0 && is_used(r, all, n, power) && ends_at_kink(r, power, base, flow))
            extend_power(r, all, n, power, base);
    }
    memcpy(flow, all, r->n_states * sizeof *all);
    for (size_t k = 0; k < r->n_kinks; k++) r->kinks[k].smooth = all[r->n_states + k];
    return !r->arena->failed;
}

/* Whether the base of a power vanishes where `value` does. */
static bool ends_at(ic_case_reader *r, ic_node base, ic_node value)
{
    return base >= 0 && ic_graph_is(GRAPH, replace_node(r, base, value, INT(0)), 0);
}

bool ic_is_steep_at(ic_case_reader *r, ic_node formula, ic_node value)
{
    const ic_node known = (ic_node)GRAPH->n_nodes;
    for (ic_node power = 0; power < known; power++) {
        const ic_node base = base_of_root(GRAPH, power);
        if (base < 0 || !ic_graph_uses(GRAPH, formula, power) || !ends_at(r, base, value)) continue;
        const ic_graph_node *n = &GRAPH->nodes[power];
        if (n->operation == IC_OP_SQRT) return true;
        if (GRAPH->nodes[n->b].operation == IC_OP_NUMBER && GRAPH->nodes[n->b].number < 1) return true;
    }
    return false;
}

bool ic_extend_at_guard(ic_case_reader *r, ic_node *formulas, size_t n, ic_node value)
{
    const ic_node known = (ic_node)GRAPH->n_nodes;
    for (ic_node power = 0; power < known; power++) {
        const ic_node base = base_of_root(GRAPH, power);
        if (base >= 0 && is_used(r, formulas, n, power) && ends_at(r, base, value))
            extend_power(r, formulas, n, power, base);
    }
    return !r->arena->failed;
}
