/* SPDX-License-Identifier: MIT */
/*
 * In max(0, where(x < 0, F, 0)) the side of F matters where x < 0 only. Where it does not, it has no event, and is 1;
 * an event of x that makes it matter again sets it by the sign of F.
 */
#include "casefile/idle.h"
#include "casefile/mechanics.h"

#define GRAPH (r->graph)
#include "casefile/operators.h"

#include <string.h>

static ic_node side_node(ic_case_reader *r, size_t kink)
{
    return ic_graph_indexed(GRAPH, IC_OP_STATE, r->kinks[kink].state);
}

static ic_node replace_side(ic_case_reader *r, ic_node node, size_t kink, int s)
{
    const ic_node side = side_node(r, kink), by = INT(s);
    return ic_graph_substitute(GRAPH, node, &side, &by, 1);
}

/* Whether a formula has one value for both sides of kink m where kink k is on side s. */
static bool ignores(ic_case_reader *r, ic_node formula, size_t m, size_t k, int s)
{
    if (!ic_graph_uses(GRAPH, formula, side_node(r, m))) return true;
    if (!ic_graph_uses(GRAPH, formula, side_node(r, k))) return false;
    const ic_node there = replace_side(r, formula, k, s);
    return replace_side(r, there, m, 1) == replace_side(r, there, m, -1);
}

static unsigned char idle_bit(int s)
{
    return s > 0 ? IC_IDLE_ABOVE : IC_IDLE_BELOW;
}

bool ic_kink_is_idle(const ic_case_reader *r, size_t m, size_t k, int s)
{
    return (r->kinks[m].idle[k] & idle_bit(s)) != 0;
}

/* Whether the flow ignores kink m where kink k is on side s. */
static bool flow_ignores(ic_case_reader *r, const ic_node *flow, size_t m, size_t k, int s)
{
    bool same = m != k;
    for (size_t i = 0; i < r->n_states && same; i++) same = ignores(r, flow[i], m, k, s);
    return same;
}

/* The same for the sides of the other kinks that matter there. */
static bool kinks_ignore(ic_case_reader *r, size_t m, size_t k, int s)
{
    bool same = true;
    for (size_t i = 0; i < r->n_kinks && same; i++)
        same = i == m || (i != k && ic_kink_is_idle(r, i, k, s)) || ignores(r, r->kinks[i].smooth, m, k, s);
    return same;
}

/* Sides of kink k on which kink m is not idle after all, since another kink that is not depends on it. Whether there are. */
static bool forget_idle(ic_case_reader *r, size_t m, size_t k)
{
    bool any = false;
    for (int s = -1; s <= 1; s += 2) {
        if (!ic_kink_is_idle(r, m, k, s) || kinks_ignore(r, m, k, s)) continue;
        r->kinks[m].idle[k] &= (unsigned char)~idle_bit(s);
        any = true;
    }
    return any;
}

bool ic_find_idle_kinks(ic_case_reader *r, const ic_node *flow)
{
    const size_t n = r->n_kinks;
    for (size_t m = 0; m < n; m++) {
        unsigned char *idle = r->kinks[m].idle = ic_arena_take(r->arena, n);
        for (size_t k = 0; k < n && idle != NULL; k++) {
            idle[k] = 0;
            for (int s = -1; s <= 1; s += 2) idle[k] |= flow_ignores(r, flow, m, k, s) ? idle_bit(s) : 0;
        }
        if (idle == NULL) return false;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < n * n; i++) changed |= forget_idle(r, i / n, i % n);
    }
    return !r->arena->failed;
}

/*
 * The side on which the gap of a stop keeps a kink that has its quantity, which is 0 only at the stop: 1 or -1; 0: there is
 * no such stop.
 */
static int side_of_gap(ic_case_reader *r, const ic_kink *kink)
{
    for (size_t i = 0; i < r->n_elements; i++) {
        const ic_element *e = &r->elements[i];
        ic_node factor;
        if (e->section == NULL || strcmp(e->type, "stop") != 0 || kink->smooth != kink->argument) continue;
        if (ic_without_factor(r, e->gap.node, &factor) != kink->core) continue;
        return ic_known_sign(GRAPH, factor) * ic_known_sign(GRAPH, kink->factor);
    }
    return 0;
}

void ic_set_kink_gate(ic_case_reader *r, size_t m, const bool *slides)
{
    const ic_yaml *modes = ic_yaml_get(r->root, "modes");
    const int side = side_of_gap(r, &r->kinks[m]);
    ic_node gate = side != 0 ? INT(-1) : IC_NO_NODE;
    r->kinks[m].parked = side != 0 ? side : 1;
    for (size_t k = 0; k < m && side == 0 && (modes == NULL || modes->n_keys == 1); k++) {
        for (int s = -1; s <= 1 && !slides[k]; s += 2) {
            if (!ic_kink_is_idle(r, m, k, s)) continue;
            /* -1 on side s, otherwise positive */
            const ic_node off = SUB(INT(1), MUL(INT(2 * s), side_node(r, k)));
            gate = gate < 0 ? off : ic_graph_two(GRAPH, IC_OP_MIN, gate, off);
        }
    }
    r->kinks[m].gate = gate;
}
