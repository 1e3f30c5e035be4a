/* SPDX-License-Identifier: MIT */
/*
 * Let f+ and f- be the flows on both sides of u = 0, and up and down the rates of u along them. The flow along the
 * zero is the mean of f+ and f- along which u has no rate:
 *
 *     x' = f- + (f+ - f-) down/(down - up).
 *
 * If the flow is f_0 + s f_1 with the side s, the rate of u is r_0 + s r_1, and this is
 *
 *     x' = f_0 - r_0 f_1/r_1,   up = r_0 + r_1,   down = r_0 - r_1.
 *
 * If the rate of u has no jump, as that of a position, the same holds for this rate: where both are zero, both sides may
 * still push back.
 */
#include "casefile/slide.h"

#define GRAPH (r->graph)
#include "casefile/operators.h"

#include <stdlib.h>

/* Greatest number of choices between sides in a formula. */
enum { MOST_CHOICES = 64 };

static ic_node replace_node(ic_case_reader *r, ic_node node, ic_node what, ic_node by)
{
    return what < 0 ? node : ic_graph_substitute(GRAPH, node, &what, &by, 1);
}

/* A choice in a node whose condition is the side; IC_NO_NODE: none. */
static ic_node find_choice(ic_case_reader *r, ic_node node, ic_node side)
{
    bool *used = ic_graph_parts(GRAPH, node);
    ic_node i = used == NULL ? IC_NO_NODE : node;
    while (i >= 0 && !(used[i] && GRAPH->nodes[i].operation == IC_OP_CHOOSE && GRAPH->nodes[i].a == side)) i--;
    free(used);
    return i < 0 ? IC_NO_NODE : i;
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

/* Whether a node depends on the side through a choice or a bound, whose derivative does not show a jump. */
static bool chooses_by(ic_case_reader *r, ic_node node, ic_node side)
{
    bool *used = ic_graph_parts(GRAPH, node),
         *moves = node < 0 ? NULL : calloc((size_t)node + 1, sizeof *moves);
    bool chooses = used == NULL || moves == NULL;
    if (chooses) r->arena->failed = true;
    else ic_graph_mark(GRAPH, moves, node, side);
    for (ic_node i = node; i >= 0 && !chooses; i--) {
        const ic_graph_node n = GRAPH->nodes[i];
        const bool bound = n.operation == IC_OP_ABS || n.operation == IC_OP_SIGN || n.operation == IC_OP_STEP ||
                           n.operation == IC_OP_MIN || n.operation == IC_OP_MAX;
        chooses = used[i] && (bound ? moves[i] : n.operation == IC_OP_CHOOSE && moves[n.a]);
    }
    free(used);
    free(moves);
    return chooses;
}

ic_node ic_with_side(ic_case_reader *r, ic_node node, ic_node side, ic_node value)
{
    const ic_node unrolled = unroll_choices(r, node, side), moves = MUL(side, side);
    /* where(u > 0, sign(u), 0) is no line in the side */
    const ic_node slope = unrolled < 0 ? IC_NO_NODE : ic_graph_derivative(GRAPH, unrolled, side);
    if (slope >= 0 && !ic_graph_uses(GRAPH, slope, side) && !chooses_by(r, unrolled, side))
        return replace_node(r, unrolled, side, IF_POSITIVE(moves, side, value));
    const ic_node above = replace_node(r, node, side, INT(1)), below = replace_node(r, node, side, INT(-1));
    const ic_node mean = DIV(ADD(ADD(above, below), MUL(value, SUB(above, below))), INT(2));
    return IF_POSITIVE(moves, node, mean);
}

/* Whether a node is 0 for some sides of kinks from number `first` on; of many sides, whether it chooses. */
// NOLINTNEXTLINE(misc-no-recursion): one level for each side
static bool may_vanish(ic_case_reader *r, ic_node node, size_t first, int most)
{
    if (ic_graph_is(GRAPH, node, 0)) return true;
    for (size_t k = first; k < r->n_kinks; k++) {
        const ic_node side = ic_graph_indexed(GRAPH, IC_OP_STATE, r->kinks[k].state);
        if (!ic_graph_uses(GRAPH, node, side)) continue;
        if (most == 0) return true;
        for (int s = -1; s <= 1; s++) {
            if (may_vanish(r, replace_node(r, node, side, INT(s)), k + 1, most - 1)) return true;
        }
        return false;
    }
    return false;
}

ic_node ic_quotient(ic_case_reader *r, ic_node a, ic_node b)
{
    return DIV(a, may_vanish(r, b, 0, 4) ? IF_POSITIVE(MUL(b, b), b, INT(1)) : b);
}

/* The flow where it is f_0 + s f_1. false: it is not. `zero`: a node that is zero there, or IC_NO_NODE. */
static bool find_proportional(ic_case_reader *r, const ic_kink *kink, ic_node zero, const ic_node *flow,
                              ic_slide *slide)
{
    const ic_node side = ic_graph_indexed(GRAPH, IC_OP_STATE, kink->state), u = kink->smooth;
    ic_node there[IC_MAX_STATES] = {0}, jump[IC_MAX_STATES] = {0};
    for (size_t i = 0; i < r->n_states; i++) {
        const ic_node at_zero = replace_node(r, unroll_choices(r, flow[i], side), zero, INT(0));
        jump[i] = ic_graph_derivative(GRAPH, at_zero, side);
        if (jump[i] < 0 || ic_graph_uses(GRAPH, jump[i], side) || chooses_by(r, at_zero, side)) return false;
        there[i] = replace_node(r, at_zero, side, INT(0));
    }
    const ic_node rate = ic_graph_rate(GRAPH, u, there, r->n_states);
    ic_node change = INT(0);
    for (size_t i = 0; i < r->n_states; i++) {
        const ic_node own = ic_graph_indexed(GRAPH, IC_OP_STATE, (int)i);
        change = ADD(change, MUL(ic_graph_derivative(GRAPH, u, own), jump[i]));
    }
    slide->up = ADD(rate, change);
    slide->down = SUB(rate, change);
    for (size_t i = 0; i < r->n_states && slide->up != slide->down; i++)
        slide->flow[i] = ic_graph_is(GRAPH, jump[i], 0)
                             ? there[i]
                             : SUB(there[i], MUL(rate, ic_quotient(r, jump[i], change)));
    return true;
}

static bool flow_on_side(ic_case_reader *r, const ic_kink *kink, ic_node zero, const ic_node *flow, int s,
                         ic_node *there)
{
    const ic_node side = ic_graph_indexed(GRAPH, IC_OP_STATE, kink->state);
    bool good = true;
    for (size_t i = 0; i < r->n_states; i++) {
        there[i] = replace_node(r, replace_node(r, flow[i], side, INT(s)), zero, INT(0));
        good = good && there[i] >= 0;
    }
    return good;
}

/* a - b without unknown forces on which both depend alike. */
static ic_node difference(ic_case_reader *r, ic_node a, ic_node b)
{
    ic_node left = SUB(a, b), force;
    while (left >= 0 && (force = ic_graph_first(GRAPH, left, IC_OP_INPUT)) >= 0) {
        if (ic_graph_derivative(GRAPH, a, force) != ic_graph_derivative(GRAPH, b, force)) break;
        left = replace_node(r, left, force, INT(0));
    }
    return left;
}

static bool find_mean(ic_case_reader *r, const ic_kink *kink, ic_node zero, const ic_node *flow,
                      ic_slide *slide)
{
    ic_node above[IC_MAX_STATES] = {0}, below[IC_MAX_STATES] = {0};
    if (!flow_on_side(r, kink, zero, flow, 1, above) || !flow_on_side(r, kink, zero, flow, -1, below))
        return false;
    slide->up = ic_graph_rate(GRAPH, kink->smooth, above, r->n_states);
    slide->down = ic_graph_rate(GRAPH, kink->smooth, below, r->n_states);
    const ic_node part = ic_quotient(r, slide->down, difference(r, slide->down, slide->up));
    for (size_t i = 0; i < r->n_states; i++)
        slide->flow[i] = ADD(below[i], MUL(difference(r, above[i], below[i]), part));
    return true;
}

static bool find_flow(ic_case_reader *r, const ic_kink *kink, ic_node zero, const ic_node *flow,
                      ic_slide *slide)
{
    return find_proportional(r, kink, zero, flow, slide) || find_mean(r, kink, zero, flow, slide);
}

bool ic_find_slide(ic_case_reader *r, const ic_kink *kink, const ic_node *flow, ic_slide *slide)
{
    ic_kink second = *kink;
    ic_node there[IC_MAX_STATES] = {0};
    slide->rate = IC_NO_NODE;
    if (!find_flow(r, kink, kink->smooth, flow, slide) || r->arena->failed) return false;
    if (slide->up != slide->down) return ic_rates_of_sides(r, kink, flow, slide); /* in their plainest form */
    const ic_node rate = second.smooth = slide->rate = slide->up;
    if (GRAPH->nodes[rate].varies == 0 || ic_graph_first(GRAPH, rate, IC_OP_INPUT) >= 0) return false;
    const ic_node side = ic_graph_indexed(GRAPH, IC_OP_STATE, kink->state);
    bool jumps = false;
    for (size_t i = 0; i < r->n_states; i++) {
        there[i] = replace_node(r, flow[i], kink->smooth, INT(0));
        jumps = jumps || ic_graph_uses(GRAPH, there[i], side);
    }
    if (!jumps || !find_flow(r, &second, rate, there, slide) || slide->up == slide->down) return false;
    /* As computed, the rate is not quite zero. */
    return find_flow(r, &second, IC_NO_NODE, there, slide) && !r->arena->failed;
}

bool ic_rates_of_sides(ic_case_reader *r, const ic_kink *kink, const ic_node *flow, ic_slide *slide)
{
    const ic_node zero = slide->rate >= 0 ? slide->rate : kink->smooth;
    ic_node there[IC_MAX_STATES];
    for (int s = 1; s >= -1; s -= 2) {
        if (!flow_on_side(r, kink, zero, flow, s, there)) return false;
        *(s > 0 ? &slide->up : &slide->down) = ic_graph_rate(GRAPH, zero, there, r->n_states);
    }
    return true;
}
