/* SPDX-License-Identifier: MIT */
/*
 * Kinks of a flow. Every function with a kink (abs, sign, step, min, max, where) is reduced to the sides of
 * quantities u_i that are no comparisons: s_i = 1 where u_i > 0, -1 where u_i < 0. Comparisons that are joined,
 * negated or nested are logic on sides; quantities that differ by a constant factor share a side. A side is a state
 * that only events change. While the motion slides along u_i = 0, s_i is 0.
 */
#include "casefile/domain.h"
#include "casefile/idle.h"
#include "casefile/mechanics.h"
#include "casefile/slide.h"

#define GRAPH r->graph
#include "casefile/operators.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Greatest length of a formula that is used as the name of an event. */
enum { LONGEST_NAME = 24 };

/* Greatest number of terms of a sum that is compared with others. */
enum { MOST_TERMS = 16 };

/* Greatest number of kinks in the quantities that decide on one function. */
enum { MOST_SPLITS = 16 };

/* A node; a number if memory ran out. */
static ic_graph_node node_of(const ic_graph *g, ic_node node)
{
    return node < 0 ? (ic_graph_node){.operation = IC_OP_NUMBER, .a = -1, .b = -1, .c = -1} : g->nodes[node];
}

/* ---- quantities that differ by a constant factor */

/* Numbers of few digits in a sum are counted in units of 1e-5, exactly; greatest number of units. */
enum { UNITS = 100000, MOST_UNITS = 1000000000 };

/* sum_i factors[i]*terms[i], in the order of the terms' numbers */
typedef struct weighted_sum {
    ic_node terms[MOST_TERMS];
    long long factors[MOST_TERMS];
    size_t n;
} weighted_sum;

/* A number in units, or 0 if it is none or has too many digits. */
static long long units_of(const ic_graph *g, ic_node node)
{
    const ic_graph_node n = node_of(g, node);
    if (n.operation == IC_OP_NEGATE) return -units_of(g, n.a);
    const bool short_number = n.operation == IC_OP_NUMBER && n.text != NULL && n.number <= 1e4 &&
                              strlen(n.text) <= 6 && strspn(n.text, "0123456789.") == strlen(n.text);
    return short_number ? llround(n.number * UNITS) : 0;
}

static bool add_term(weighted_sum *sum, ic_node node, long long factor)
{
    size_t at = 0;
    if (llabs(factor) > MOST_UNITS) return false;
    while (at < sum->n && sum->terms[at] < node) at++;
    if (at == sum->n || sum->terms[at] != node) {
        if (sum->n == MOST_TERMS) return false;
        memmove(sum->terms + at + 1, sum->terms + at, (sum->n - at) * sizeof *sum->terms);
        memmove(sum->factors + at + 1, sum->factors + at, (sum->n - at) * sizeof *sum->factors);
        sum->terms[at] = node;
        sum->factors[at] = 0;
        sum->n++;
    }
    sum->factors[at] += factor;
    return true;
}

/* Adds a node times `factor` units to a sum. false: it has too many terms or digits. */
static bool add_terms(ic_case_reader *r, weighted_sum *sum, ic_node node, long long factor)
{
    const ic_graph_node n = node_of(r->graph, node);
    const long long number = units_of(r->graph, node);
    switch (n.operation) {
    case IC_OP_NEGATE: return add_terms(r, sum, n.a, -factor);
    case IC_OP_ADD: return add_terms(r, sum, n.a, factor) && add_terms(r, sum, n.b, factor);
    case IC_OP_SUBTRACT: return add_terms(r, sum, n.a, factor) && add_terms(r, sum, n.b, -factor);
    case IC_OP_MULTIPLY: {
        const long long product = factor * units_of(r->graph, n.a);
        if (product == 0 || product % UNITS != 0) break;
        return llabs(product / UNITS) <= MOST_UNITS && add_terms(r, sum, n.b, product / UNITS);
    }
    default: break;
    }
    if (number == 0 || factor * number % UNITS != 0) return add_term(sum, node, factor);
    return add_term(sum, INT(1), factor * number / UNITS);
}

/* The same sum for all orders and multiples of its terms. */
static ic_node ordered_sum(ic_case_reader *r, ic_node node, ic_node *factor)
{
    weighted_sum sum = {.n = 0};
    long long common = 0;
    if (!add_terms(r, &sum, node, UNITS)) return node;
    for (size_t i = 0; i < sum.n; i++) {
        for (long long rest = llabs(sum.factors[i]); rest != 0;) {
            const long long next = common % rest;
            common = rest;
            rest = next;
        }
    }
    ic_node ordered = INT(0);
    if (common == 0) return ordered;
    for (size_t i = 0, first = sum.n; i < sum.n; i++) {
        if (sum.factors[i] == 0) continue;
        if (first == sum.n) first = i;
        const long long part = sum.factors[i] / common;
        const bool same = (part > 0) == (sum.factors[first] > 0);
        const ic_node term = MUL(INT((int)llabs(part)), sum.terms[i]);
        if (first == i && part < 0) *factor = NEG(*factor);
        ordered = same ? ADD(ordered, term) : SUB(ordered, term);
    }
    return ordered;
}

ic_node ic_without_factor(ic_case_reader *r, ic_node node, ic_node *factor)
{
    *factor = INT(1);
    for (;;) {
        const ic_graph_node n = node_of(r->graph, node);
        const bool product = n.operation == IC_OP_MULTIPLY, quotient = n.operation == IC_OP_DIVIDE;
        const bool first = product && node_of(r->graph, n.a).varies == 0;
        if (n.operation == IC_OP_NEGATE) *factor = NEG(*factor);
        else if (first || ((product || quotient) && node_of(r->graph, n.b).varies == 0))
            *factor = MUL(*factor, first ? n.a : n.b);
        else break;
        node = first ? n.b : n.a;
    }
    return ordered_sum(r, node, factor);
}

int ic_known_sign(const ic_graph *g, ic_node node)
{
    const ic_graph_node n = node_of(g, node);
    if (n.operation == IC_OP_NUMBER) return (n.number > 0) - (n.number < 0);
    if (n.operation == IC_OP_NEGATE) return -ic_known_sign(g, n.a);
    return n.operation == IC_OP_MULTIPLY ? ic_known_sign(g, n.a) * ic_known_sign(g, n.b) : 0;
}

/* ---- sides */

static bool has_kink(ic_operation operation)
{
    return operation == IC_OP_ABS || operation == IC_OP_SIGN || operation == IC_OP_STEP ||
           operation == IC_OP_MIN || operation == IC_OP_MAX || operation == IC_OP_CHOOSE;
}

/* The functions with a kink that a flow uses, and what replaces them. */
typedef struct kink_list {
    ic_case_reader *r;

    /* True if quantities that have no side yet receive one. */
    bool declares;

    /* By node, up to `last`: whether its value is used. */
    bool *used;
    ic_node last;

    /* The node that is being visited, and how often its quantities may still be split at kinks within them. */
    ic_node owner;
    int splits;

    /* n functions, inner ones first, and the nodes that replace them. */
    ic_node *nodes, *pieces;
    size_t n;
} kink_list;

/* Whether a value changes at events only: it consists of discrete states and of sides. */
static bool is_stepwise(ic_case_reader *r, ic_node node)
{
    if (node < 0) return true;
    bool *used = calloc((size_t)node + 1, sizeof *used), stepwise = true;
    if (used == NULL) return r->arena->failed = true;
    used[node] = true;
    for (ic_node i = node; i >= 0 && stepwise; i--) {
        const ic_graph_node n = node_of(r->graph, i);
        if (!used[i] || n.varies == 0 || n.operation == IC_OP_SIGN || n.operation == IC_OP_STEP) continue;
        stepwise = n.operation != IC_OP_TIME && n.operation != IC_OP_INPUT &&
                   (n.operation != IC_OP_STATE || r->state_discrete[n.index]);
        if (n.a >= 0 && n.operation != IC_OP_CHOOSE) used[n.a] = true;
        if (n.b >= 0) used[n.b] = true;
        if (n.c >= 0) used[n.c] = true;
    }
    free(used);
    return stepwise;
}

/* A node with its kinks replaced, as far as that is known. */
static ic_node replace_kinks(kink_list *k, ic_node node)
{
    if (k->pieces == NULL) return node;
    return ic_graph_substitute(k->r->graph, node, k->nodes, k->pieces, k->n);
}

static void use_value(kink_list *k, ic_node node)
{
    if (node < 0) return;
    if (node <= k->last) {
        k->used[node] = true;
        return;
    }
    const ic_graph_node n = node_of(k->r->graph, node); /* a difference that the file does not contain */
    use_value(k, n.a);
    use_value(k, n.b);
    use_value(k, n.c);
}

static int declare_side(ic_case_reader *r, ic_node argument)
{
    size_t number = 1;
    for (size_t i = 0; i < r->n_kinks; i++) number += r->kinks[i].node >= 0;
    const char *text = ic_reader_node_text(r, argument);
    const char *name = ic_arena_print(r->arena, "kink_%zu", number);
    const char *meaning = ic_arena_print(r->arena, "sign of %s", text != NULL ? text : "a formula");
    if (name == NULL || meaning == NULL) return -1;
    return ic_reader_add_discrete(r, name, "1", meaning, ic_yaml_get(r->root, "states")->place);
}

/* The side of a quantity that is no comparison. */
static ic_node side_of_quantity(kink_list *k, ic_node node)
{
    ic_case_reader *r = k->r;
    ic_node factor, core = ic_without_factor(r, node, &factor);
    ic_kink *kink = NULL;
    if (core >= 0 && node_of(r->graph, core).varies == 0) return MUL(factor, core); /* v - v, or v - (1 + v) */
    for (size_t i = 0; i < r->n_kinks && kink == NULL; i++) {
        if (r->kinks[i].core == core) kink = &r->kinks[i];
    }
    if (kink == NULL && k->declares) {
        /* -v has the side of v */
        const ic_node plain =
            node_of(r->graph, node).operation == IC_OP_NEGATE ? node_of(r->graph, node).a : node;
        const int state = declare_side(r, plain);
        kink = state < 0 ? NULL : ic_arena_append(r->arena, &r->kinks, &r->n_kinks, sizeof *kink);
        if (kink == NULL) return IC_NO_NODE;
        *kink = (ic_kink){
            .argument = plain, .smooth = plain, .rest = IC_NO_NODE, .gate = IC_NO_NODE, .state = state};
        kink->core = ic_without_factor(r, plain, &kink->factor);
        kink->depth = node_of(r->graph, plain).depth;
    }
    if (kink == NULL) return replace_kinks(k, node); /* not in a flow: it stays as it is */
    if (k->declares) kink->node = k->owner;
    use_value(k, node);
    const ic_node side = ic_graph_indexed(r->graph, IC_OP_STATE, kink->state);
    if (factor == kink->factor) return side;
    const int sign = ic_known_sign(r->graph, factor) * ic_known_sign(r->graph, kink->factor);
    if (sign != 0) return sign > 0 ? side : NEG(side);
    const ic_node product = ic_graph_one(r->graph, IC_OP_SIGN, MUL(factor, kink->factor));
    return MUL(product, side);
}

static ic_node side_of(kink_list *k, ic_node node);

/* A term of a sum that is a function with a kink, and whether it enters with a positive factor; IC_NO_NODE: none. */
static ic_node find_inner_kink(kink_list *k, ic_node node, bool *rises)
{
    weighted_sum sum = {.n = 0};
    if (k->splits == 0 || !add_terms(k->r, &sum, node, UNITS)) return IC_NO_NODE;
    for (size_t i = 0; i < sum.n; i++) {
        *rises = sum.factors[i] > 0;
        if (sum.factors[i] != 0 && has_kink(node_of(k->r->graph, sum.terms[i]).operation)) return sum.terms[i];
    }
    return IC_NO_NODE;
}

/* A sum on either side of the kink that a function has in it. */
static void split_sum(ic_case_reader *r, ic_node node, ic_node inner, ic_node *one, ic_node *other)
{
    const ic_graph_node n = node_of(r->graph, inner);
    const bool chooses = n.operation == IC_OP_CHOOSE,
               bound = n.operation == IC_OP_MIN || n.operation == IC_OP_MAX;
    const bool stepped = n.operation == IC_OP_SIGN || n.operation == IC_OP_STEP;
    *one = stepped ? INT(1) : chooses ? n.b : n.a;
    *other = chooses ? n.c : bound ? n.b : stepped ? INT(n.operation == IC_OP_SIGN ? -1 : 0) : NEG(n.a);
    *one = ic_graph_substitute(r->graph, node, &inner, one, 1);
    *other = ic_graph_substitute(r->graph, node, &inner, other, 1);
}

// NOLINTNEXTLINE(misc-no-recursion): one level for each part and each kink, `splits` at most
static ic_node split_condition(ic_case_reader *r, ic_node node, bool negated, int splits)
{
    kink_list k = {.r = r, .splits = splits};
    const ic_graph_node n = node_of(r->graph, node);
    const bool joined = n.operation == IC_OP_MIN || n.operation == IC_OP_MAX;
    bool rises = false;
    ic_node one = n.a, other = n.b;
    if (n.operation == IC_OP_CHOOSE && ic_graph_is(r->graph, n.b, -1) && ic_graph_is(r->graph, n.c, 1))
        return split_condition(r, n.a, !negated, splits);
    const ic_node inner = joined ? node : find_inner_kink(&k, node, &rises);
    const ic_operation kink = inner < 0 ? IC_OP_NUMBER : node_of(r->graph, inner).operation;
    if (kink != IC_OP_MIN && kink != IC_OP_MAX && kink != IC_OP_ABS)
        return negated ? IF_POSITIVE(node, INT(-1), INT(1)) : node;
    if (!joined) split_sum(r, node, inner, &one, &other);
    one = split_condition(r, one, negated, splits - !joined);
    other = split_condition(r, other, negated, splits - !joined);
    const bool either = (joined || rises ? kink != IC_OP_MIN : kink == IC_OP_MIN) != negated;
    return ic_graph_two(r->graph, either ? IC_OP_MAX : IC_OP_MIN, one, other);
}

ic_node ic_split_condition(ic_case_reader *r, ic_node node)
{
    enum { MOST_NESTED = 4 };
    return node < 0 ? node : split_condition(r, node, false, MOST_NESTED);
}

/* The side of a sum in which a function has a kink: that of the sum on either side of this kink. */
static ic_node side_of_split(kink_list *k, ic_node node, ic_node inner, bool rises)
{
    ic_case_reader *r = k->r;
    const ic_graph_node n = node_of(r->graph, inner);
    const bool chooses = n.operation == IC_OP_CHOOSE;
    const bool stepped = n.operation == IC_OP_SIGN || n.operation == IC_OP_STEP;
    ic_node one, other;
    split_sum(r, node, inner, &one, &other);
    k->splits--;
    one = side_of(k, one);
    other = side_of(k, other);
    if (one == other) return one;
    if (chooses || stepped) {
        const ic_node condition = side_of(k, n.a);
        return IF_POSITIVE(condition, one, other);
    }
    return ic_graph_two(r->graph, rises == (n.operation != IC_OP_MIN) ? IC_OP_MAX : IC_OP_MIN, one, other);
}

/* A node with the sign of `node`, made of sides. */
static ic_node side_of(kink_list *k, ic_node node)
{
    ic_case_reader *r = k->r;
    const ic_graph_node n = node_of(r->graph, node);
    bool rises = false;
    if (is_stepwise(r, node)) {
        use_value(k, node);
        return replace_kinks(k, node);
    }
    switch (n.operation) {
    case IC_OP_NEGATE: return NEG(side_of(k, n.a));
    case IC_OP_ABS: return INT(1);
    case IC_OP_MIN:
    case IC_OP_MAX: {
        const ic_node a = side_of(k, n.a), b = side_of(k, n.b);
        return a == b ? a : ic_graph_two(r->graph, n.operation, a, b);
    }
    case IC_OP_CHOOSE: {
        const ic_node a = side_of(k, n.a), b = side_of(k, n.b), c = side_of(k, n.c);
        return IF_POSITIVE(a, b, c);
    }
    default: break;
    }
    const ic_node inner = find_inner_kink(k, node, &rises);
    return inner < 0 ? side_of_quantity(k, node) : side_of_split(k, node, inner, rises);
}

static ic_node side_of_function(kink_list *k, ic_node node)
{
    ic_case_reader *r = k->r;
    const ic_graph_node n = node_of(r->graph, node);
    const bool bound = n.operation == IC_OP_MIN || n.operation == IC_OP_MAX;
    k->splits = MOST_SPLITS;
    return side_of(k, bound ? SUB(n.a, n.b) : n.a);
}

/* Whether a node is 1 or -1 wherever it is used. */
static bool is_unit(const ic_case_reader *r, ic_node node)
{
    const ic_graph_node n = node_of(r->graph, node);
    bool unit = ic_graph_is(r->graph, node, 1) || ic_graph_is(r->graph, node, -1);
    if (n.operation == IC_OP_NEGATE) return unit || is_unit(r, n.a);
    if (n.operation == IC_OP_MIN || n.operation == IC_OP_MAX) return is_unit(r, n.a) && is_unit(r, n.b);
    if (n.operation == IC_OP_CHOOSE) return is_unit(r, n.b) && is_unit(r, n.c);
    for (size_t i = 0; i < r->n_kinks && n.operation == IC_OP_STATE; i++)
        unit = unit || r->kinks[i].state == n.index;
    return unit;
}

static ic_node choose_by_side(ic_case_reader *r, ic_node side, ic_node b, ic_node c)
{
    const ic_graph_node n = node_of(r->graph, side);
    if (n.operation == IC_OP_NEGATE && is_unit(r, side)) return choose_by_side(r, n.a, c, b);
    if (ic_graph_is(r->graph, b, 1) && ic_graph_is(r->graph, c, -1) && is_unit(r, side)) return side;
    if (ic_graph_is(r->graph, b, -1) && ic_graph_is(r->graph, c, 1) && is_unit(r, side)) return NEG(side);
    return IF_POSITIVE(side, b, c);
}

/* A node of sides, of which those of quantities that elements hold at zero are 0. */
static ic_node rest_sides(ic_case_reader *r, ic_node side)
{
    for (size_t i = 0; i < r->n_kinks; i++) {
        const ic_kink *kink = &r->kinks[i];
        const ic_node own = ic_graph_indexed(r->graph, IC_OP_STATE, kink->state);
        const ic_node rests = kink->rest < 0 ? own : IF_POSITIVE(kink->rest, INT(0), own);
        if (rests != own) side = ic_graph_substitute(r->graph, side, &own, &rests, 1);
    }
    return side;
}

/* The function that replaces a kink between events. */
static ic_node smooth_piece(kink_list *k, ic_node node)
{
    ic_case_reader *r = k->r;
    const ic_graph_node n = node_of(r->graph, node);
    const bool bound = n.operation == IC_OP_MIN || n.operation == IC_OP_MAX;
    const ic_node argument = bound ? SUB(n.a, n.b) : n.a;
    if (n.operation != IC_OP_CHOOSE && is_stepwise(r, argument)) return replace_kinks(k, node);
    ic_node side = side_of_function(k, node);
    if (side < 0) return IC_NO_NODE;
    const ic_node b = n.b < 0 ? IC_NO_NODE : replace_kinks(k, n.b);
    const ic_node c = n.c < 0 ? IC_NO_NODE : replace_kinks(k, n.c);
    const bool unit = is_unit(r, side);
    const ic_node held = rest_sides(r, side), sign = unit ? side : ic_graph_one(r->graph, IC_OP_SIGN, side);
    switch (n.operation) {
    case IC_OP_ABS: return MUL(sign, replace_kinks(k, n.a));
    case IC_OP_SIGN: return unit ? held : ic_graph_one(r->graph, IC_OP_SIGN, held);
    case IC_OP_STEP: /* 1 at 0 */
        return held != side ? IF_POSITIVE(NEG(held), INT(0), INT(1)) : choose_by_side(r, side, INT(1), INT(0));
    case IC_OP_MIN: return choose_by_side(r, side, b, replace_kinks(k, n.a));
    case IC_OP_MAX: return choose_by_side(r, side, replace_kinks(k, n.a), b);
    default: return held != side ? IF_POSITIVE(held, b, c) : choose_by_side(r, side, b, c);
    }
}

/*
 * Visits the functions that a flow and the quantities of sides use, outer ones first. A function that serves in a
 * comparison only is not used: it is logic.
 */
static bool visit_kinks(kink_list *k, const ic_node *flow, size_t n)
{
    ic_case_reader *r = k->r;
    k->last = -1;
    for (size_t i = 0; i < n; i++) k->last = flow[i] > k->last ? flow[i] : k->last;
    for (size_t i = 0; i < r->n_kinks; i++)
        k->last = r->kinks[i].argument > k->last ? r->kinks[i].argument : k->last;
    k->used = ic_arena_take(r->arena, (size_t)(k->last + 1) * sizeof *k->used);
    k->nodes = ic_arena_take(r->arena, (size_t)(k->last + 1) * sizeof *k->nodes);
    if (k->used == NULL || k->nodes == NULL) return false;
    for (size_t i = 0; i < n; i++) k->used[flow[i]] = true;
    for (size_t i = 0; i < r->n_kinks && !k->declares; i++) k->used[r->kinks[i].argument] = true;
    for (ic_node i = k->last; i >= 0; i--) {
        const ic_graph_node node = node_of(r->graph, i);
        if (!k->used[i]) continue;
        const bool chooses = node.operation == IC_OP_CHOOSE;
        if (!chooses) use_value(k, node.a);
        use_value(k, node.b);
        use_value(k, node.c);
        k->owner = i;
        if (!has_kink(node.operation)) continue;
        if (side_of_function(k, i) < 0) return false;
        k->nodes[k->n++] = i;
    }
    for (size_t i = 0; i < k->n / 2; i++) {
        const ic_node other = k->nodes[i];
        k->nodes[i] = k->nodes[k->n - 1 - i];
        k->nodes[k->n - 1 - i] = other;
    }
    return true;
}

/* Inner kinks come first, because they are less deep; then smaller numbers of nodes. */
static int compare_kinks(const void *a, const void *b)
{
    const ic_kink *one = a, *other = b;
    if (one->depth != other->depth) return one->depth > other->depth ? 1 : -1;
    return (one->node > other->node) - (one->node < other->node);
}

bool ic_find_kinks(ic_case_reader *r, const ic_node *flow, size_t n)
{
    kink_list k = {.r = r, .declares = true};
    if (!visit_kinks(&k, flow, n)) return false;
    if (r->n_kinks > 1) qsort(r->kinks, r->n_kinks, sizeof *r->kinks, compare_kinks);
    return true;
}

bool ic_apply_kinks(ic_mechanics *m)
{
    ic_case_reader *r = m->r;
    kink_list k = {.r = r};
    if (!visit_kinks(&k, m->flow, r->n_states)) return false;
    k.pieces = ic_arena_take(r->arena, (k.n + 1) * sizeof *k.pieces);
    if (k.pieces == NULL) return false;
    const size_t n = k.n;
    for (k.n = 0; k.n < n; k.n++) {
        k.pieces[k.n] = smooth_piece(&k, k.nodes[k.n]);
        if (k.pieces[k.n] < 0) return false;
    }
    for (size_t i = 0; i < r->n_states; i++) m->flow[i] = replace_kinks(&k, m->flow[i]);
    for (size_t i = 0; i < r->n_kinks; i++) r->kinks[i].smooth = replace_kinks(&k, r->kinks[i].argument);
    return ic_find_idle_kinks(r, m->flow) && ic_extend_at_kinks(r, m->flow);
}

/* ---- events */

/* What happens along the zero of a kink. */
typedef struct ic_sliding {
    /* Whether the rate of u may jump there. */
    bool slides;

    /* Whether any rate jumps there. */
    bool jumps;

    /* Whether the rate of u jumps by forces of elements alone: where these would hold it at zero, the run ends. */
    bool held_by_forces;

    /* by kink: whether both may slide at one instant with one motion only */
    bool *together;

    /* The side as a node, and its value that keeps u at zero. */
    ic_node side, equal;

    /* the rates that hold u at zero when it gets there */
    ic_slide slide;

    /* those that let it go while it slides (no flow) */
    ic_slide leaves;
} sliding;

/* Whether the rates at the zero of a kink depend on the sides of others. */
static bool is_coupled(ic_case_reader *r, int state, const ic_slide *slide)
{
    bool coupled = false;
    for (size_t i = 0; i < r->n_kinks && !coupled; i++) {
        const ic_node other = ic_graph_indexed(r->graph, IC_OP_STATE, r->kinks[i].state);
        coupled = r->kinks[i].state != state &&
                  (ic_graph_uses(r->graph, slide->up, other) || ic_graph_uses(r->graph, slide->down, other));
    }
    return coupled;
}

/* A node that is positive where both flows leave the zero of a kink at one instant: their rates are multiples. */
static ic_node leave_together(ic_case_reader *r, const ic_slide *slide)
{
    ic_node up, down;
    if (ic_without_factor(r, slide->up, &up) != ic_without_factor(r, slide->down, &down)) return INT(-1);
    return NEG(MUL(up, down));
}

/*
 * If the flows of both sides push the argument of a kink back to zero, it stays zero until one of
 * them pulls it away.
 */
static bool add_slide(ic_mechanics *m, const ic_element *kink, int state, const ic_slide *slide, ic_node *none)
{
    ic_case_reader *r = m->r;
    const ic_node s = ic_graph_indexed(r->graph, IC_OP_STATE, state), moves = MUL(s, s);
    const ic_node together = leave_together(r, slide);
    const int own = (int)m->guards->n - 1;
    for (int side = -1; side <= 1; side += 2) {
        const ic_node pull = side > 0 ? NEG(slide->up) : slide->down;
        ic_node *after = ic_same_states(r);
        if (after == NULL) return false;
        after[state] = INT(side);
        ic_element_guard *leaves = ic_element_add_guard(m, kink, side > 0 ? " rises from 0" : " falls from 0",
                                                        "the flows no longer hold it at zero", -1,
                                                        (ic_term){.node = IF_POSITIVE(moves, INT(1), pull)});
        leaves->onset = IC_ONSET_LEVEL;
        if (!ic_graph_is(r->graph, together, -1)) ic_element_add_branch(leaves, together, none);
        /* Another kink may have turned both flows away from zero. */
        if (is_coupled(r, state, slide))
            ic_element_add_branch(leaves, ic_graph_two(r->graph, IC_OP_MIN, slide->up, NEG(slide->down)), none);
        ic_element_branch *b = ic_element_add_branch(leaves, IC_NO_NODE, after);
        b->departs = own;
        b->order = slide->rate >= 0 ? 3 : 2;
        b->side = 1;
    }
    return true;
}

/* Whether a node is a part that depends on one side plus a part that depends on the other, as far as its form shows. */
static bool is_sum_of_sides(ic_case_reader *r, ic_node node, const ic_kink *const kinks[2])
{
    const size_t size = (size_t)node + 1;
    bool *marks = calloc(4 * size, sizeof *marks), sum = true;
    if (marks == NULL) return !(r->arena->failed = true);
    bool *asked = marks + 2 * size, *either = marks + 3 * size;
    for (size_t side = 0; side < 2; side++) {
        const ic_node leaf = ic_graph_indexed(r->graph, IC_OP_STATE, kinks[side]->state);
        ic_graph_mark(r->graph, marks + side * size, node, leaf);
    }
    for (size_t i = 0; i < size; i++) either[i] = marks[i] || marks[size + i];
    asked[node] = true;
    for (ic_node i = node; i >= 0 && sum; i--) {
        const ic_graph_node n = node_of(r->graph, i);
        if (!asked[i] || !marks[i] || !marks[size + (size_t)i]) continue;
        switch (n.operation) {
        case IC_OP_NEGATE: asked[n.a] = true; break;
        case IC_OP_ADD:
        case IC_OP_SUBTRACT: asked[n.a] = asked[n.b] = true; break;
        case IC_OP_DIVIDE:
            sum = !either[n.b];
            asked[n.a] = true;
            break;
        case IC_OP_MULTIPLY:
            sum = !either[n.a] || !either[n.b];
            asked[either[n.a] ? n.a : n.b] = true;
            break;
        case IC_OP_CHOOSE:
            sum = !either[n.a];
            asked[n.b] = asked[n.c] = true;
            break;
        default: sum = false;
        }
    }
    free(marks);
    return sum;
}

/* Factors of terms, by row. */
typedef struct term_rows {
    double factors[3][3 * MOST_TERMS];
    ic_node terms[3 * MOST_TERMS];

    /* number of terms */
    size_t n;
} term_rows;

static bool add_row(term_rows *rows, ic_case_reader *r, size_t k, ic_node quantity)
{
    weighted_sum sum = {.n = 0};
    if (!add_terms(r, &sum, quantity, UNITS)) return false;
    for (size_t i = 0; i < sum.n; i++) {
        size_t at = 0;
        while (at < rows->n && rows->terms[at] != sum.terms[i]) at++;
        if (at == rows->n) rows->terms[rows->n++] = sum.terms[i];
        rows->factors[k][at] = (double)sum.factors[i] / UNITS;
    }
    return true;
}

/* Subtracts multiples of the row `pivot` from the rows from `rank` on, so that column c vanishes there. */
static void eliminate(term_rows *rows, size_t rank, size_t pivot, size_t c)
{
    for (size_t k = rank; k < 3; k++) {
        const double factor = rows->factors[k][c] / rows->factors[pivot][c];
        for (size_t i = c; i < rows->n && k != pivot; i++)
            rows->factors[k][i] -= factor * rows->factors[pivot][i];
    }
}

/* Whether u of a kink is a sum of multiples of those of two others, as far as its form shows. */
static bool vanishes_with(ic_case_reader *r, const ic_kink *kink, const ic_kink *one, const ic_kink *other)
{
    term_rows rows = {.n = 0};
    size_t rank = 0;
    if (!add_row(&rows, r, 0, one->core) || !add_row(&rows, r, 1, other->core) ||
        !add_row(&rows, r, 2, kink->core))
        return false;
    for (size_t c = 0; c < rows.n && rank < 3; c++) {
        size_t pivot = rank;
        for (size_t k = rank; k < 3; k++)
            pivot = fabs(rows.factors[k][c]) > fabs(rows.factors[pivot][c]) ? k : pivot;
        if (fabs(rows.factors[pivot][c]) < 1e-9) continue;
        eliminate(&rows, rank, pivot, c);
        if (pivot != rank) memcpy(rows.factors[pivot], rows.factors[rank], sizeof *rows.factors);
        rank++;
    }
    return rank < 3;
}

/*
 * Whether two kinks may slide at one instant with one motion only. If the flow is not the sum of parts that depend on
 * one side each, the means of its four values along which neither quantity has a rate are many.
 */
static bool find_together(ic_case_reader *r, const ic_node *flow, const sliding *all, size_t a, size_t b)
{
    const ic_kink *one = &r->kinks[a], *other = &r->kinks[b];
    ic_node factor = INT(1);
    for (int s = -1; s <= 1; s += 2) { /* their zeros never meet */
        const ic_node apart = ordered_sum(r, SUB(one->core, MUL(INT(s), other->core)), &factor);
        if (apart >= 0 && node_of(r->graph, apart).varies == 0) return false;
    }
    const ic_node zeros[] = {one->smooth, other->smooth}, by[] = {INT(0), INT(0)};
    const ic_kink *const kinks[] = {one, other};
    bool together = true;
    for (size_t i = 0; i < r->n_states && together; i++) {
        const ic_node there = ic_graph_substitute(r->graph, flow[i], zeros, by, 2);
        together = there >= 0 && is_sum_of_sides(r, there, kinks);
    }
    for (size_t i = 0; i < r->n_kinks && together; i++)
        together = i == a || i == b || !all[i].jumps || !vanishes_with(r, &r->kinks[i], one, other);
    return together;
}

const char *ic_kink_name(ic_case_reader *r, const ic_kink *kink)
{
    const char *text = ic_reader_node_text(r, kink->argument);
    return text != NULL && strlen(text) <= LONGEST_NAME ? text : r->states[kink->state].name;
}

/*
 * Adds the event at which s u falls to zero from either side. A start at u = 0 with the wrong s is
 * corrected at once. `refused`: a node that is positive where the motion along the zero is not determined.
 */
static bool add_kink(ic_mechanics *m, const ic_kink *own, const sliding *along, ic_node refused)
{
    ic_case_reader *r = m->r;
    const ic_node s = ic_graph_indexed(r->graph, IC_OP_STATE, own->state);
    const ic_element kink = {.name = ic_kink_name(r, own)};
    ic_node *across = ic_same_states(r), *held = ic_same_states(r), *none = ic_same_states(r);
    if (across == NULL || held == NULL || none == NULL) return false;
    const ic_slide *slide = along->slides ? &along->slide : NULL;
    ic_node value = MUL(s, own->smooth);
    if (slide != NULL) value = IF_POSITIVE(MUL(s, s), value, INT(1));
    if (own->gate >= 0) value = IF_POSITIVE(own->gate, value, INT(1));
    ic_element_guard *turns =
        ic_element_add_guard(m, &kink, " = 0", r->states[own->state].meaning, -1, (ic_term){.node = value});
    across[own->state] = NEG(s);
    held[own->state] = INT(0);
    none[own->state] = ic_graph_one(r->graph, IC_OP_SQRT, INT(-1)); /* a side without a value ends the run */
    /* Another event at the same instant, as the impact of a stop, or the flow of the other side may turn it again. */
    turns->onset = IC_ONSET_NEAR;
    if (slide != NULL) {
        /* One side may hold it by the rate of its rate: `leaves` lets it go at once if that one does not. */
        const ic_node push = SUB(slide->down, slide->up);
        const ic_node passes[] = {slide->up, NEG(slide->down), slide->rate, NEG(slide->rate)};
        for (size_t i = 0; i < (slide->rate < 0 ? 2 : IC_COUNT(passes)); i++)
            ic_element_add_branch(turns, passes[i], across);
        if (!ic_graph_is(r->graph, refused, -1))
            ic_element_add_branch(turns, ic_graph_two(r->graph, IC_OP_MIN, refused, push), none);
        ic_element_add_branch(turns, push, held);
    } else if (along->held_by_forces) {
        ic_element_add_branch(turns, ic_graph_two(r->graph, IC_OP_MIN, NEG(along->slide.up), along->slide.down),
                              none);
    }
    ic_element_add_branch(turns, IC_NO_NODE, across);
    return slide == NULL || add_slide(m, &kink, own->state, &along->leaves, none);
}

/* A node that is positive where a kink slides with which this one cannot slide together. */
static ic_node find_refusal(ic_case_reader *r, const sliding *all, size_t kink)
{
    ic_node refused = INT(-1);
    for (size_t i = 0; i < r->n_kinks; i++) {
        const sliding *other = &all[i];
        if (i == kink || !other->slides || all[kink].together[i]) continue;
        const ic_node still = SUB(INT(1), MUL(INT(2), MUL(other->side, other->side)));
        refused =
            ic_graph_is(r->graph, refused, -1) ? still : ic_graph_two(r->graph, IC_OP_MAX, refused, still);
    }
    return refused;
}

/*
 * Sets a flow to that along the zeros of the first n kinks of the nest: of those that may slide together with `kink`,
 * or of all.
 */
static void extend_flow(ic_case_reader *r, const sliding *all, const size_t *order, size_t n,
                        const sliding *kink, ic_node *flow)
{
    for (size_t k = 0; k < n; k++) {
        const sliding *other = &all[order[k]];
        const ic_node moves = MUL(other->side, other->side);
        if (kink != NULL && !kink->together[order[k]]) continue;
        for (size_t i = 0; i < r->n_states; i++) flow[i] = IF_POSITIVE(moves, flow[i], other->slide.flow[i]);
    }
}

/*
 * Finds the flows along the zeros, one in the other if they may hold together. Where the rate of u jumps only while
 * another kink slides, that one comes first. Returns their number.
 */
static size_t nest_slides(ic_mechanics *m, sliding *all, size_t *order)
{
    ic_case_reader *r = m->r;
    ic_node flow[IC_MAX_STATES];
    size_t n = 0, before;
    do {
        before = n;
        for (size_t k = 0; k < r->n_kinks; k++) {
            if (all[k].slides) continue;
            memcpy(flow, m->flow, r->n_states * sizeof *flow);
            extend_flow(r, all, order, n, &all[k], flow);
            all[k].slides = ic_find_slide(r, &r->kinks[k], flow, &all[k].slide);
            if (all[k].slides) order[n++] = k;
        }
    } while (n > before);
    return n;
}

/* Finds which kinks jump, and which may slide together. */
static bool find_pairs(ic_case_reader *r, const ic_node *flow, sliding *all)
{
    const ic_node zero = INT(0);
    for (size_t k = 0; k < r->n_kinks; k++) {
        all[k].side = ic_graph_indexed(r->graph, IC_OP_STATE, r->kinks[k].state);
        all[k].together = ic_arena_take(r->arena, r->n_kinks * sizeof *all[k].together);
        if (all[k].together == NULL) return false;
        for (size_t i = 0; i < r->n_states && !all[k].jumps; i++)
            all[k].jumps = ic_graph_uses(
                r->graph, ic_graph_substitute(r->graph, flow[i], &r->kinks[k].smooth, &zero, 1), all[k].side);
    }
    for (size_t k = 0; k < r->n_kinks; k++) {
        for (size_t i = 0; i < k; i++)
            all[k].together[i] = all[i].together[k] = find_together(r, flow, all, i, k);
        all[k].together[k] = false;
    }
    return true;
}

/*
 * While kinks slide that come later in the nest, their sides are those that keep them at zero. With up = r_0 + r_1 and
 * down = r_0 - r_1 the own side is -r_0/r_1.
 */
static void use_later_sides(ic_mechanics *m, sliding *all, const size_t *order, size_t n)
{
    ic_case_reader *r = m->r;
    for (size_t i = n; i-- > 0;) {
        sliding *own = &all[order[i]];
        ic_slide *leaves = &own->leaves;
        bool changed = false;
        *leaves = (ic_slide){.up = own->slide.up, .down = own->slide.down, .rate = own->slide.rate};
        for (size_t k = i + 1; k < n; k++) {
            const sliding *later = &all[order[k]];
            if (!ic_graph_uses(r->graph, leaves->up, later->side) &&
                !ic_graph_uses(r->graph, leaves->down, later->side))
                continue;
            changed = true;
            if (!own->together[order[k]]) continue;
            leaves->up = ic_with_side(r, leaves->up, later->side, later->equal);
            leaves->down = ic_with_side(r, leaves->down, later->side, later->equal);
        }
        own->equal = ic_quotient(r, ADD(leaves->up, leaves->down), SUB(leaves->down, leaves->up));
        for (size_t k = 0; k < i && !changed; k++) /* one that ends the motion if both slide */
            changed = !own->together[order[k]] && ic_graph_uses(r->graph, own->slide.up, all[order[k]].side);
        if (changed) ic_rates_of_sides(r, &r->kinks[order[i]], m->flow, &own->slide);
    }
}

/* Adds forces that act on the argument of a kink with a jump: the side that keeps it at zero depends on them. */
static void add_unknown_forces(ic_mechanics *m, const sliding *all)
{
    ic_case_reader *r = m->r;
    for (size_t i = 0; i < m->n; i++) {
        ic_constraint *c = &m->constraints[i];
        c->unknown = IC_NO_NODE;
        for (size_t k = 0; k < r->n_kinks && c->unknown < 0; k++) {
            const ic_node u = r->kinks[k].smooth, rate = ic_graph_rate(r->graph, u, c->push, r->n_states);
            if (all[k].jumps && rate != ic_graph_rate(r->graph, u, NULL, 0))
                c->unknown = ic_graph_indexed(r->graph, IC_OP_INPUT, (int)i + 1);
        }
        for (size_t s = 0; s < r->n_states && c->unknown >= 0; s++)
            m->flow[s] = ADD(m->flow[s], MUL(c->push[s], c->unknown));
    }
}

/* A rate of a kink's argument with the forces on a side in place of unknown ones; 0: with the present forces. */
static ic_node with_forces(const ic_mechanics *m, ic_node rate, ic_node side, int value)
{
    const ic_case_reader *r = m->r;
    const ic_node there = INT(value);
    for (size_t i = 0; i < m->n; i++) {
        const ic_constraint *c = &m->constraints[i];
        if (c->unknown < 0) continue;
        const ic_node force = value == 0 ? c->force : ic_graph_substitute(r->graph, c->force, &side, &there, 1);
        rate = ic_graph_substitute(r->graph, rate, &c->unknown, &force, 1);
    }
    return rate;
}

bool ic_find_rests(ic_mechanics *m)
{
    ic_case_reader *r = m->r;
    bool found = false;
    for (size_t k = 0; k < r->n_kinks; k++) {
        ic_kink *kink = &r->kinks[k];
        for (size_t i = 0; i < m->n && !m->slides[k].slides; i++) {
            const ic_constraint *c = &m->constraints[i];
            ic_node factor;
            if (ic_without_factor(r, c->velocity, &factor) != kink->core &&
                ic_without_factor(r, c->gap.node, &factor) != kink->core)
                continue;
            kink->rest = kink->rest < 0 ? c->active : ic_graph_two(r->graph, IC_OP_MAX, kink->rest, c->active);
            found = true;
        }
    }
    return found;
}

bool ic_slide_kinks(ic_mechanics *m)
{
    ic_case_reader *r = m->r;
    sliding *all = m->slides = ic_arena_take(r->arena, (r->n_kinks + 1) * sizeof *all);
    size_t *order = ic_arena_take(r->arena, (r->n_kinks + 1) * sizeof *order);
    if (all == NULL || order == NULL || !find_pairs(r, m->flow, all)) return false;
    add_unknown_forces(m, all);
    const size_t n = nest_slides(m, all, order);
    extend_flow(r, all, order, n, NULL, m->flow);
    use_later_sides(m, all, order, n);
    return !r->arena->failed;
}

/* Finds the flows of both sides of a kink. */
static bool find_flows_of_sides(ic_mechanics *m, const sliding *along, ic_kink *kink)
{
    ic_case_reader *r = m->r;
    for (int s = -1; s <= 1; s += 2) {
        const ic_node by = INT(s);
        ic_node *flow = kink->flows[s > 0] = ic_same_states(r);
        for (size_t i = 0; i < r->n_states && flow != NULL; i++) {
            flow[i] = ic_graph_substitute(r->graph, m->flow[i], &along->side, &by, 1);
            flow[i] = with_forces(m, flow[i], along->side, s);
        }
    }
    return kink->flows[0] != NULL && kink->flows[1] != NULL;
}

bool ic_add_kinks(ic_mechanics *m)
{
    ic_case_reader *r = m->r;
    sliding *all = m->slides;
    bool slides[IC_MAX_STATES]; /* each kink has a state */
    for (size_t k = 0; k < r->n_kinks; k++) {
        slides[k] = all[k].slides;
        ic_set_kink_gate(r, k, slides);
        ic_slide *slide = &all[k].slide, *leaves = &all[k].leaves;
        if (all[k].jumps && !slides[k] && m->n > 0) {
            slide->rate = IC_NO_NODE;
            if (!ic_rates_of_sides(r, &r->kinks[k], m->flow, slide)) return false;
        }
        if ((all[k].jumps && m->n > 0) || slides[k]) {
            slide->up = with_forces(m, slide->up, all[k].side, 1);
            slide->down = with_forces(m, slide->down, all[k].side, -1);
            all[k].held_by_forces = !slides[k] && slide->up != slide->down;
        }
        if (slides[k]) {
            leaves->up = with_forces(m, leaves->up, all[k].side, 0);
            leaves->down = with_forces(m, leaves->down, all[k].side, 0);
        }
        /*
         * Starts and jumps ask for them, whose mode is known if there is one only. A rate of smooth != argument may be 0
         * in a region, and says nothing.
         */
        const bool known =
            r->n_declared <= 1 && slides[k] && (slide->rate < 0 || r->kinks[k].smooth == r->kinks[k].argument);
        r->kinks[k].flows[0] = NULL;
        if (known && !find_flows_of_sides(m, &all[k], &r->kinks[k])) return false;
        const ic_node refused = all[k].slides ? find_refusal(r, all, k) : IC_NO_NODE;
        if (!add_kink(m, &r->kinks[k], &all[k], refused)) return false;
    }
    return !r->arena->failed;
}
