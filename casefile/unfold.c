/* SPDX-License-Identifier: MIT */
#include "casefile/plan.h"

#include <stdlib.h>
#include <string.h>

/* Greatest number of combinations that become modes. */
enum { MOST_COMBINATIONS = 64 };

/* A combination: a mode of the plan with one value of each discrete state. */
typedef struct combination {
    int base, number;

    int values[IC_MAX_STATES];

    /*
     * By guard of the plan's mode: its number among the guards that remain; -1: it cannot fire
     * here.
     */
    int *guards;
} combination;

typedef struct unfolding {
    ic_case_reader *r;
    const ic_plan *plan;
    ic_plan_mode *modes;
    combination combinations[MOST_COMBINATIONS];
    size_t n;

    /* The discrete states: as nodes, and as indices. */
    ic_node leaves[IC_MAX_STATES];
    int states[IC_MAX_STATES];
    size_t n_states;

    /* The combination whose values are substituted, and these values as nodes. */
    const combination *now;
    ic_node values[IC_MAX_STATES];
    ic_graph_memo memo;
} unfolding;

static bool known_integer(const ic_graph *g, ic_node node, int *value)
{
    const bool negative = g->nodes[node].operation == IC_OP_NEGATE;
    const ic_graph_node *n = &g->nodes[negative ? g->nodes[node].a : node];
    if (!n->whole) return false;
    *value = negative ? -(int)n->number : (int)n->number;
    return true;
}

/* Number of a combination, which is added if it is new. -1: there are too many. */
static int find_combination(unfolding *u, int base, const int *values)
{
    ic_case_reader *r = u->r;
    for (size_t i = 0; i < u->n; i++) {
        if (u->combinations[i].base == base &&
            memcmp(u->combinations[i].values, values, u->n_states * sizeof *values) == 0)
            return (int)i;
    }
    if (u->n == MOST_COMBINATIONS) return -1;
    const char *name = u->plan->modes[base].name;
    for (size_t i = 0; i < u->n_states && name != NULL; i++) {
        if (values[i] != 0)
            name = ic_arena_print(r->arena, "%s, %s: %d", name, r->states[u->states[i]].name, values[i]);
    }
    combination *c = &u->combinations[u->n];
    *c = (combination){.base = base, .number = name == NULL ? -1 : ic_reader_mode(r, name)};
    memcpy(c->values, values, u->n_states * sizeof *values);
    return c->number < 0 ? -1 : (int)u->n++;
}

static ic_node at_values(unfolding *u, const combination *c, ic_node node)
{
    if (node < 0) return node;
    if (u->now != c) {
        u->now = c;
        u->memo.stamp++;
        for (size_t i = 0; i < u->n_states; i++) u->values[i] = ic_graph_integer(u->r->graph, c->values[i]);
    }
    return ic_graph_substitute_kept(u->r->graph, &u->memo, node, u->leaves, u->values, u->n_states);
}

static bool is_affine(const unfolding *u, ic_node node)
{
    return node >= 0 && ic_reader_linear_text(u->r, node) != NULL;
}

/*
 * Number of the combination that a branch enters; -1: its discrete states are not known integers,
 * or there are too many combinations.
 */
static int branch_target(unfolding *u, const ic_plan_branch *branch, int base)
{
    int values[IC_MAX_STATES] = {0};
    for (size_t i = 0; i < u->n_states; i++) {
        if (!known_integer(u->r->graph, branch->states[u->states[i]], &values[i])) return -1;
    }
    return find_combination(u, branch->mode == IC_SAME_MODE ? base : branch->mode, values);
}

/*
 * Greatest number of branches of a jump. Each choice on which a discrete state depends doubles
 * them.
 */
enum { MOST_BRANCHES = 16 };

/*
 * A choice on which a discrete state depends and whose condition contains no other choice: the one
 * with the least number, because operands have smaller numbers. IC_NO_NODE: none.
 */
static ic_node find_choice(const unfolding *u, const ic_node *states)
{
    ic_node first = IC_NO_NODE;
    for (size_t i = 0; i < u->n_states; i++) {
        const ic_node node = ic_graph_first(u->r->graph, states[u->states[i]], IC_OP_CHOOSE);
        if (node >= 0 && (first < 0 || node < first)) first = node;
    }
    return first;
}

/* A branch of a jump with the values of a combination, of which more is substituted step by step. */
typedef struct pending {
    const ic_plan_branch *from;
    ic_node condition;
    ic_node states[IC_MAX_STATES];
} pending;

/* Both conditions; IC_NO_NODE: a condition that always holds. */
static ic_node both(const unfolding *u, ic_node one, ic_node other)
{
    if (one < 0 || other < 0) return one < 0 ? other : one;
    return ic_graph_two(u->r->graph, IC_OP_MIN, one, other);
}

static bool add_unfolded(unfolding *u, const combination *c, const pending *branch, ic_node condition,
                         ic_plan_jump *out)
{
    ic_case_reader *r = u->r;
    if (out->n == MOST_BRANCHES) return false;
    ic_plan_branch *added = ic_arena_append(r->arena, &out->branches, &out->n, sizeof *added);
    if (added == NULL) return false;
    *added = *branch->from;
    added->condition = condition;
    added->states = ic_arena_take(r->arena, IC_MAX_STATES * sizeof *added->states);
    if (added->states == NULL) return false;
    for (size_t k = 0; k < r->n_states; k++) {
        added->states[k] = branch->states[k];
        if (!is_affine(u, branch->states[k])) return false;
    }
    if (condition >= 0 && ic_reader_condition_text(r, condition) == NULL) return false;
    added->mode = branch_target(u, added, c->base);
    return added->mode >= 0;
}

/* The outcome of a choice, put into n branches. NULL: memory ran out. */
static pending *choose(const unfolding *u, const pending *branches, size_t n, ic_node choice, ic_node outcome)
{
    ic_graph *g = u->r->graph;
    pending *chosen = ic_arena_take(u->r->arena, n * sizeof *chosen);
    for (size_t i = 0; i < n && chosen != NULL; i++) {
        chosen[i] = branches[i];
        if (branches[i].condition >= 0)
            chosen[i].condition = ic_graph_substitute(g, branches[i].condition, &choice, &outcome, 1);
        for (size_t k = 0; k < u->r->n_states; k++)
            chosen[i].states[k] = ic_graph_substitute(g, branches[i].states[k], &choice, &outcome, 1);
    }
    return chosen;
}

/*
 * Adds branches that are tested in order, where `given` holds. A branch with a choice is split into
 * one for each outcome. If the choice also decides whether the branch is taken, all later branches
 * are split with it: one of them is then taken wherever the first outcome holds, so that the
 * branches of the second outcome need no condition that excludes it.
 */
// NOLINTNEXTLINE(misc-no-recursion): each level has a choice less, or a branch less
static bool unfold_branches(unfolding *u, const combination *c, const pending *branches, size_t n,
                            ic_node given, ic_plan_jump *out)
{
    const ic_graph *g = u->r->graph;
    int known = 0;
    if (n == 0) return true;
    ic_node condition = branches->condition;
    const bool decided = condition >= 0 && known_integer(g, condition, &known);
    if (decided && known <= 0) return unfold_branches(u, c, branches + 1, n - 1, given, out);
    if (decided) condition = IC_NO_NODE;
    const ic_node choice = find_choice(u, branches->states);
    if (choice < 0) {
        if (!add_unfolded(u, c, branches, both(u, condition, given), out)) return false;
    } else {
        const ic_graph_node node = g->nodes[choice];
        const bool decides = condition >= 0 && ic_graph_uses(u->r->graph, condition, choice);
        const size_t width = decides ? n : 1;
        const pending *holds = choose(u, branches, width, choice, node.b);
        const pending *fails = choose(u, branches, width, choice, node.c);
        if (holds == NULL || fails == NULL ||
            !unfold_branches(u, c, holds, width, both(u, given, node.a), out) ||
            !unfold_branches(u, c, fails, width, given, out))
            return false;
        if (decides) return true;
    }
    return condition < 0 || unfold_branches(u, c, branches + 1, n - 1, given, out);
}

/*
 * Substitutes the values of a combination in a jump. The modes of its branches are numbers of
 * combinations until settle_jump.
 */
static bool unfold_jump(unfolding *u, const combination *c, const ic_plan_jump *jump, ic_plan_jump *out)
{
    pending *branches = ic_arena_take(u->r->arena, (jump->n + 1) * sizeof *branches);
    *out = (ic_plan_jump){0};
    if (branches == NULL) return false;
    for (size_t i = 0; i < jump->n; i++) {
        const ic_plan_branch *from = &jump->branches[i];
        branches[i] = (pending){.from = from, .condition = at_values(u, c, from->condition)};
        for (size_t k = 0; k < u->r->n_states; k++) branches[i].states[k] = at_values(u, c, from->states[k]);
    }
    return unfold_branches(u, c, branches, jump->n, IC_NO_NODE, out) && out->n > 0;
}

/*
 * Whether a jump divides by zero in a combination: two stops that hold one body against each other
 * cannot both be hit, so that the guard cannot fire.
 */
static bool is_impossible(unfolding *u, const combination *c, const ic_plan_jump *jump)
{
    const ic_graph *g = u->r->graph;
    for (size_t i = 0; i < jump->n; i++) {
        int known = 1;
        const ic_node condition = at_values(u, c, jump->branches[i].condition);
        if (condition >= 0 && known_integer(g, condition, &known) && known <= 0) continue;
        for (size_t k = 0; k < u->r->n_states; k++) {
            const ic_node node = at_values(u, c, jump->branches[i].states[k]);
            if (node < 0 || ic_graph_divides_by_zero(g, node)) return true;
        }
    }
    return false;
}

/*
 * Whether a guard cannot fire: its value is constant, and not on its firing side at the start of a
 * phase.
 */
static bool stands_still(const ic_graph *g, const ic_plan_guard *guard, ic_node value)
{
    int known = 0;
    if (g->nodes[value].varies != 0) return false;
    if (guard->onset != IC_ONSET_LEVEL) return true;
    return known_integer(g, value, &known) && known * guard->direction <= 0;
}

static bool unfold_guards(unfolding *u, combination *c, const ic_plan_mode *base, ic_plan_mode *mode)
{
    ic_case_reader *r = u->r;
    c->guards = ic_arena_take(r->arena, (base->n_guards + 1) * sizeof *c->guards);
    mode->guards = ic_arena_take(r->arena, (base->n_guards + 1) * sizeof *mode->guards);
    mode->n_guards = 0;
    if (c->guards == NULL || mode->guards == NULL) return false;
    for (size_t i = 0; i < base->n_guards; i++) {
        const ic_plan_guard *from = &base->guards[i];
        const ic_node value = at_values(u, c, from->value), enabled = at_values(u, c, from->enabled);
        int known = 0;
        c->guards[i] = -1;
        if (value < 0) return false;
        const bool never = from->enabled >= 0 && known_integer(r->graph, enabled, &known) && known <= 0;
        if (stands_still(r->graph, from, value) || never ||
            (from->of_element && is_impossible(u, c, &from->jump)))
            continue;
        ic_plan_guard *guard = &mode->guards[mode->n_guards];
        *guard = *from;
        guard->value = value;
        guard->enabled = from->enabled >= 0 && known > 0 ? IC_NO_NODE : enabled;
        if (!is_affine(u, value) || (guard->enabled >= 0 && !is_affine(u, guard->enabled))) return false;
        if (!unfold_jump(u, c, &from->jump, &guard->jump)) return false;
        if (from->accumulation.n > 0 && !unfold_jump(u, c, &from->accumulation, &guard->accumulation))
            return false;
        c->guards[i] = (int)mode->n_guards++;
    }
    return true;
}

static bool unfold_mode(unfolding *u, combination *c)
{
    ic_case_reader *r = u->r;
    const ic_plan_mode *base = &u->plan->modes[c->base];
    ic_plan_mode *mode = &u->modes[c->number];
    *mode = *base;
    mode->name = r->mode_names[c->number];
    mode->flow = ic_arena_take(r->arena, IC_MAX_STATES * sizeof *mode->flow);
    if (mode->flow == NULL) return false;
    for (size_t i = 0; i < r->n_states; i++) {
        mode->flow[i] = at_values(u, c, base->flow[i]);
        if (!is_affine(u, mode->flow[i])) return false;
    }
    mode->outputs = ic_arena_take(r->arena, (u->plan->n_values + 1) * sizeof *mode->outputs);
    mode->invariants = ic_arena_take(r->arena, (base->n_invariants + 1) * sizeof *mode->invariants);
    if (mode->outputs == NULL || mode->invariants == NULL) return false;
    for (size_t i = 0; i < u->plan->n_values; i++) mode->outputs[i] = at_values(u, c, base->outputs[i]);
    for (size_t i = 0; i < 3; i++) mode->energy[i] = at_values(u, c, base->energy[i]);
    for (size_t i = 0; i < base->n_invariants; i++) {
        mode->invariants[i] = base->invariants[i];
        mode->invariants[i].value = at_values(u, c, base->invariants[i].value);
    }
    return unfold_guards(u, c, base, mode);
}

/* Sets next modes and departures of a jump after all combinations are known. */
static void settle_jump(const unfolding *u, ic_plan_jump *jump)
{
    for (size_t i = 0; i < jump->n; i++) {
        ic_plan_branch *branch = &jump->branches[i];
        const combination *target = &u->combinations[branch->mode];
        branch->mode = target->number;
        size_t kept = 0;
        ic_departure *departures = ic_arena_take(u->r->arena, (branch->n_departures + 1) * sizeof *departures);
        for (size_t k = 0; k < branch->n_departures && departures != NULL; k++) {
            const int guard = target->guards[branch->departures[k].guard];
            if (guard < 0) continue;
            departures[kept] = branch->departures[k];
            departures[kept++].guard = guard;
        }
        branch->departures = departures;
        branch->n_departures = departures == NULL ? 0 : kept;
    }
}

/* Whether the time events change neither the mode nor discrete states. */
static bool times_keep_states(const unfolding *u)
{
    for (size_t i = 0; i < u->plan->n_times; i++) {
        const ic_plan_jump *jump = &u->plan->times[i].jump;
        for (size_t b = 0; b < jump->n; b++) {
            if (jump->branches[b].mode != IC_SAME_MODE) return false;
            for (size_t k = 0; k < u->n_states; k++) {
                if (jump->branches[b].states[u->states[k]] != u->leaves[k]) return false;
            }
        }
    }
    return true;
}

/* Lists the values that the states of stops and frictions have in each mode. */
static bool list_combinations(unfolding *u, ic_plan_stops *stops)
{
    const size_t n = stops->n * IC_PLAN_MODES;
    stops->combinations = ic_arena_take(u->r->arena, n * sizeof *stops->combinations);
    if (stops->combinations == NULL) return false;
    for (size_t i = 0; i < n; i++) stops->combinations[i] = IC_NO_COMBINATION;
    stops->mode = u->combinations[0].number;
    for (size_t i = 0; i < u->n; i++) {
        const combination *c = &u->combinations[i];
        bool free = true;
        for (size_t k = 0; k < stops->n; k++) {
            int value = 0;
            for (size_t s = 0; s < u->n_states; s++) {
                if (u->states[s] == stops->stops[k].state) value = c->values[s];
            }
            stops->combinations[(size_t)c->number * stops->n + k] = value;
            free = free && value == (stops->stops[k].friction ? 1 : 0);
        }
        if (free) stops->mode = c->number;
    }
    return true;
}

bool ic_plan_unfold(ic_plan *plan, ic_case_reader *r)
{
    unfolding *u = ic_arena_take(r->arena, sizeof *u);
    ic_plan_jump start;
    const size_t n_modes = r->n_modes;
    if (u == NULL) return false;
    *u = (unfolding){.r = r, .plan = plan};
    for (size_t i = 0; i < r->n_states; i++) {
        if (!r->state_discrete[i]) continue;
        u->leaves[u->n_states] = ic_graph_indexed(r->graph, IC_OP_STATE, (int)i);
        u->states[u->n_states++] = (int)i;
    }
    if (u->n_states == 0) return true;
    u->modes = ic_arena_take(r->arena, IC_PLAN_MODES * sizeof *u->modes);
    if (u->modes == NULL) return false;
    bool good = times_keep_states(u);
    const combination any = {.base = plan->start.branches[0].mode};
    good = good && unfold_jump(u, &any, &plan->start, &start);
    for (size_t i = 0; i < u->n && good; i++) good = unfold_mode(u, &u->combinations[i]);
    if (!good) {
        r->n_modes = n_modes; /* Forget the names of the combinations. */
        return !r->arena->failed;
    }
    settle_jump(u, &start);
    for (size_t i = 0; i < u->n; i++) {
        ic_plan_mode *mode = &u->modes[u->combinations[i].number];
        for (size_t k = 0; k < mode->n_guards; k++) {
            settle_jump(u, &mode->guards[k].jump);
            settle_jump(u, &mode->guards[k].accumulation);
        }
    }
    plan->modes = u->modes;
    plan->start = start;
    return plan->stops == NULL || list_combinations(u, plan->stops);
}
