/* SPDX-License-Identifier: MIT */
/*
 * With the side s of the kink between -1 and 1, the flow at u = 0 is f_0 + s f_1. The rate of u
 * along it is r_0 + s r_1, which vanishes for s = -r_0/r_1:
 *
 *     x' = f_0 - r_0 f_1/r_1,   up = r_0 + r_1,   down = r_0 - r_1.
 */
#include "casefile/slide.h"

#define GRAPH (r->graph)
#include "casefile/operators.h"

/* Greatest number of choices between sides in a formula. */
enum { MOST_CHOICES = 64 };

static ic_node replace_node(ic_case_reader *r, ic_node node, ic_node what, ic_node by)
{
    return ic_graph_substitute(GRAPH, node, &what, &by, 1);
}

/* A choice in a node whose condition is the side; IC_NO_NODE: none. */
static ic_node find_choice(ic_case_reader *r, ic_node node, ic_node side)
{
    for (ic_node i = node; i >= 0; i--) {
        if (GRAPH->nodes[i].operation == IC_OP_CHOOSE && GRAPH->nodes[i].a == side &&
            ic_graph_uses(GRAPH, node, i))
            return i;
    }
    return IC_NO_NODE;
}

/*
 * Replaces each choice between b and c by (b + c)/2 + s (b - c)/2. IC_NO_NODE: there are too many.
 */
static ic_node unroll_choices(ic_case_reader *r, ic_node node, ic_node side)
{
    for (int i = 0; i < MOST_CHOICES && node >= 0; i++) {
        const ic_node choice = ic_graph_uses(GRAPH, node, side) ? find_choice(r, node, side) : IC_NO_NODE;
        if (choice < 0) return node;
        const ic_node b = GRAPH->nodes[choice].b, c = GRAPH->nodes[choice].c;
        const ic_node mean = DIV(ADD(b, c), INT(2)), half = DIV(SUB(b, c), INT(2));
        node = replace_node(r, node, choice, ADD(mean, MUL(side, half)));
    }
    return IC_NO_NODE;
}

bool ic_find_slide(ic_case_reader *r, const ic_kink *kink, const ic_node *flow, ic_slide *slide)
{
    const ic_node side = ic_graph_indexed(GRAPH, IC_OP_STATE, kink->state), u = kink->smooth;
    ic_node there[IC_MAX_STATES], jump[IC_MAX_STATES];
    for (size_t i = 0; i < r->n_states; i++) {
        const ic_node at_zero = replace_node(r, unroll_choices(r, flow[i], side), u, INT(0));
        jump[i] = ic_graph_derivative(GRAPH, at_zero, side);
        if (jump[i] < 0 || ic_graph_uses(GRAPH, jump[i], side)) return false;
        there[i] = replace_node(r, at_zero, side, INT(0));
    }
    const ic_node rate = ic_graph_rate(GRAPH, u, there, r->n_states);
    ic_node change = INT(0);
    for (size_t i = 0; i < r->n_states; i++) {
        const ic_node own = ic_graph_indexed(GRAPH, IC_OP_STATE, (int)i);
        change = ADD(change, MUL(ic_graph_derivative(GRAPH, u, own), jump[i]));
    }
    if (change < 0 || ic_graph_is(GRAPH, change, 0)) return false;
    for (size_t i = 0; i < r->n_states; i++)
        slide->flow[i] =
            ic_graph_is(GRAPH, jump[i], 0) ? there[i] : SUB(there[i], MUL(rate, DIV(jump[i], change)));
    slide->up = ADD(rate, change);
    slide->down = SUB(rate, change);
    return !r->arena->failed;
}
