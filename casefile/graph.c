/* SPDX-License-Identifier: MIT */
#include "casefile/graph.h"

#define GRAPH g
#include "casefile/operators.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    int operands;
    const char *word;
} operations[] = {
#define IC_OPERATION_ROW(name, operands, word) {operands, word},
    IC_OPERATION_TABLE(IC_OPERATION_ROW)
#undef IC_OPERATION_ROW
};

int ic_operation_operands(ic_operation operation)
{
    return operations[operation].operands;
}

const char *ic_operation_word(ic_operation operation)
{
    return operations[operation].word;
}

int ic_operation_find(const char *word)
{
    if (word[0] == '\0') return -1;
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        if (strcmp(operations[i].word, word) == 0) return (int)i;
    }
    return -1;
}

/* ---- nodes */

static uint64_t hash_node(const ic_graph_node *n)
{
    uint64_t hash = 1469598103934665603u;
    const int fields[] = {(int)n->operation, n->a, n->b, n->c, n->index};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        hash = (hash ^ (unsigned)fields[i]) * 1099511628211u;
    for (const char *c = n->text; c != NULL && *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * 1099511628211u;
    return hash ^ hash >> 29;
}

static bool nodes_equal(const ic_graph_node *m, const ic_graph_node *n)
{
    if (m->operation != n->operation || m->a != n->a || m->b != n->b || m->c != n->c || m->index != n->index)
        return false;
    return m->text == NULL || n->text == NULL ? m->text == n->text : strcmp(m->text, n->text) == 0;
}

static bool grow_table(ic_graph *g)
{
    const size_t size = g->table_size == 0 ? 256 : 2 * g->table_size;
    int *table = ic_arena_take(g->arena, size * sizeof *table);
    if (table == NULL) return false;
    for (size_t i = 0; i < g->n_nodes; i++) {
        size_t at = hash_node(&g->nodes[i]) & (size - 1);
        while (table[at] != 0) at = (at + 1) & (size - 1);
        table[at] = (int)i + 1;
    }
    g->table = table;
    g->table_size = size;
    return true;
}

static unsigned node_varies(const ic_graph *g, const ic_graph_node *n)
{
    unsigned varies = n->operation == IC_OP_TIME    ? IC_VARIES_TIME
                      : n->operation == IC_OP_STATE ? IC_VARIES_STATE
                      : n->operation == IC_OP_INPUT ? IC_VARIES_INPUT
                                                    : 0u;
    if (n->a >= 0) varies |= g->nodes[n->a].varies;
    if (n->b >= 0) varies |= g->nodes[n->b].varies;
    if (n->c >= 0) varies |= g->nodes[n->c].varies;
    return varies;
}

static int node_depth(const ic_graph *g, const ic_graph_node *n)
{
    const ic_node operands[] = {n->a, n->b, n->c};
    int depth = 0;
    for (size_t i = 0; i < 3; i++) {
        if (operands[i] >= 0 && g->nodes[operands[i]].depth >= depth) depth = g->nodes[operands[i]].depth + 1;
    }
    return depth;
}

static bool is_affine(const ic_graph *g, const ic_graph_node *n)
{
    static const ic_graph_node nothing = {0};
    const ic_graph_node *a = n->a >= 0 ? &g->nodes[n->a] : &nothing,
                        *b = n->b >= 0 ? &g->nodes[n->b] : &nothing;
    switch (n->operation) {
    case IC_OP_NUMBER:
    case IC_OP_PI:
    case IC_OP_TIME:
    case IC_OP_STATE:
    case IC_OP_PARAMETER:
    case IC_OP_INPUT: return true;
    case IC_OP_ADD:
    case IC_OP_SUBTRACT: return a->affine && b->affine;
    case IC_OP_NEGATE: return a->affine;
    case IC_OP_MULTIPLY: return a->affine && b->affine && (a->varies == 0 || b->varies == 0);
    case IC_OP_DIVIDE:
    case IC_OP_POWER:
        return a->affine && b->affine && b->varies == 0 && (a->varies == 0 || n->operation == IC_OP_DIVIDE);
    case IC_OP_SQRT:
    case IC_OP_CBRT:
    case IC_OP_EXP:
    case IC_OP_LOG:
    case IC_OP_TAN:
    case IC_OP_ASIN:
    case IC_OP_ACOS:
    case IC_OP_ATAN:
    case IC_OP_SINH:
    case IC_OP_COSH:
    case IC_OP_TANH:
    case IC_OP_ABS:
    case IC_OP_SIGN:
    case IC_OP_STEP: return a->affine && a->varies == 0;
    case IC_OP_ATAN2:
    case IC_OP_MIN:
    case IC_OP_MAX: return a->affine && b->affine && a->varies == 0 && b->varies == 0;
    case IC_OP_SIN:
    case IC_OP_COS: return a->affine && (a->varies & IC_VARIES_STATE) == 0;
    default: return false;
    }
}

/* Number of the node equal to `wanted`, which is added if it is new. The text is copied. */
static ic_node add_node(ic_graph *g, const ic_graph_node *wanted)
{
    if (2 * g->n_nodes >= g->table_size && !grow_table(g)) return IC_NO_NODE;
    size_t at = hash_node(wanted) & (g->table_size - 1);
    for (; g->table[at] != 0; at = (at + 1) & (g->table_size - 1)) {
        if (nodes_equal(&g->nodes[g->table[at] - 1], wanted)) return g->table[at] - 1;
    }
    const int depth = node_depth(g, wanted);
    if (g->n_nodes >= IC_GRAPH_NODES || depth > IC_GRAPH_DEPTH) {
        g->arena->failed = true;
        return IC_NO_NODE;
    }
    const char *text = NULL;
    if (wanted->text != NULL && (text = ic_arena_copy(g->arena, wanted->text, strlen(wanted->text))) == NULL)
        return IC_NO_NODE;
    ic_graph_node *added = ic_arena_append(g->arena, &g->nodes, &g->n_nodes, sizeof *added);
    if (added == NULL) return IC_NO_NODE;
    /* Set the node here, because the array may have moved. */
    *added = *wanted;
    added->text = text;
    added->varies = node_varies(g, added);
    added->affine = is_affine(g, added);
    added->depth = depth;
    added->whole = text != NULL && strspn(text, "0123456789") == strlen(text) && added->number <= 1e6;
    g->table[at] = (int)g->n_nodes;
    return (ic_node)(g->n_nodes - 1);
}

ic_node ic_graph_number(ic_graph *g, const char *text)
{
    const ic_graph_node n = {
        .operation = IC_OP_NUMBER, .a = -1, .b = -1, .c = -1, .number = strtod(text, NULL), .text = text};
    return add_node(g, &n);
}

ic_node ic_graph_integer(ic_graph *g, int value)
{
    const size_t size = (size_t)(value < 0 ? -value : value), small = sizeof g->integers / sizeof *g->integers;
    ic_node number = size < small ? g->integers[size] - 1 : IC_NO_NODE;
    if (number < 0) {
        char text[24];
        snprintf(text, sizeof text, "%zu", size);
        number = ic_graph_number(g, text);
        if (size < small) g->integers[size] = number + 1;
    }
    return value < 0 ? ic_graph_one(g, IC_OP_NEGATE, number) : number;
}

ic_node ic_graph_leaf(ic_graph *g, ic_operation operation)
{
    return ic_graph_indexed(g, operation, 0);
}

ic_node ic_graph_indexed(ic_graph *g, ic_operation operation, int index)
{
    const ic_graph_node n = {.operation = operation, .a = -1, .b = -1, .c = -1, .index = index};
    return add_node(g, &n);
}

/* ---- simplification */

/* Whether a text is an integer that a double represents exactly: [-]digits. */
static bool is_integer(const ic_graph *g, ic_node node, double *value)
{
    double sign = 1;
    if (g->nodes[node].operation == IC_OP_NEGATE) {
        sign = -1;
        node = g->nodes[node].a;
    }
    const ic_graph_node *n = &g->nodes[node];
    if (!n->whole) return false;
    *value = sign * n->number;
    return true;
}

bool ic_graph_is(const ic_graph *g, ic_node node, double value)
{
    double integer = 0;
    return node >= 0 && is_integer(g, node, &integer) && integer == value;
}

/* The operands that are known integers. */
typedef struct known_operands {
    ic_node a, b;
    bool a_known, b_known;
    double x, y;
} known_operands;

static bool first_is(const known_operands *k, double value)
{
    return k->a_known && k->x == value;
}

static bool second_is(const known_operands *k, double value)
{
    return k->b_known && k->y == value;
}

static ic_node simplify_sum(ic_graph *g, ic_operation operation, const known_operands *k)
{
    const bool add = operation == IC_OP_ADD;
    if (k->a_known && k->b_known) return ic_graph_integer(g, (int)(add ? k->x + k->y : k->x - k->y));
    if (!add && k->a == k->b) return ic_graph_integer(g, 0);
    if (second_is(k, 0)) return k->a;
    if (first_is(k, 0)) return add ? k->b : ic_graph_one(g, IC_OP_NEGATE, k->b);
    return IC_NO_NODE;
}

static ic_node simplify_product(ic_graph *g, const known_operands *k)
{
    if (k->a_known && k->b_known && fabs(k->x * k->y) <= 1e6) return ic_graph_integer(g, (int)(k->x * k->y));
    if (first_is(k, 0) || second_is(k, 0)) return ic_graph_integer(g, 0);
    if (first_is(k, 1)) return k->b;
    if (second_is(k, 1)) return k->a;
    if (first_is(k, -1)) return ic_graph_one(g, IC_OP_NEGATE, k->b);
    return second_is(k, -1) ? ic_graph_one(g, IC_OP_NEGATE, k->a) : IC_NO_NODE;
}

static ic_node simplify_quotient(ic_graph *g, const known_operands *k)
{
    if (second_is(k, 1)) return k->a;
    if (second_is(k, -1)) return ic_graph_one(g, IC_OP_NEGATE, k->a);
    return first_is(k, 0) && !second_is(k, 0) ? ic_graph_integer(g, 0) : IC_NO_NODE;
}

static ic_node simplify_power(ic_graph *g, const known_operands *k)
{
    const ic_graph_node *exponent = &g->nodes[k->b];
    if (second_is(k, 1)) return k->a;
    if (second_is(k, 0)) return ic_graph_integer(g, 1);
    return first_is(k, 0) && exponent->operation == IC_OP_NUMBER && exponent->number > 0 ? k->a : IC_NO_NODE;
}

static ic_node simplify_negation(const ic_graph *g, const known_operands *k)
{
    if (g->nodes[k->a].operation == IC_OP_NEGATE) return g->nodes[k->a].a;
    return first_is(k, 0) ? k->a : IC_NO_NODE;
}

/* MIN, MAX, SIGN, STEP and ABS of known integers, and bounds that are set twice. */
static ic_node simplify_choice(ic_graph *g, ic_operation operation, const known_operands *k)
{
    const ic_graph_node *a = &g->nodes[k->a];
    if (a->operation == operation && a->b == k->b && k->b >= 0) return k->a; /* max(max(x, y), y) */
    if (!k->a_known) return IC_NO_NODE;
    if (operation == IC_OP_SIGN) return ic_graph_integer(g, (k->x > 0) - (k->x < 0));
    if (operation == IC_OP_ABS) return ic_graph_integer(g, (int)fabs(k->x));
    if (operation == IC_OP_STEP) return ic_graph_integer(g, k->x >= 0);
    if (!k->b_known) return IC_NO_NODE;
    return (k->x < k->y) == (operation == IC_OP_MIN) ? k->a : k->b;
}

/* A simpler node that equals the operation; IC_NO_NODE if it does not exist. */
static ic_node simplify_operation(ic_graph *g, ic_operation operation, ic_node a, ic_node b)
{
    known_operands k = {.a = a, .b = b};
    k.a_known = a >= 0 && is_integer(g, a, &k.x);
    k.b_known = b >= 0 && is_integer(g, b, &k.y);
    switch (operation) {
    case IC_OP_ADD:
    case IC_OP_SUBTRACT: return simplify_sum(g, operation, &k);
    case IC_OP_MULTIPLY: return simplify_product(g, &k);
    case IC_OP_DIVIDE: return simplify_quotient(g, &k);
    case IC_OP_NEGATE: return simplify_negation(g, &k);
    case IC_OP_MIN:
    case IC_OP_MAX:
    case IC_OP_SIGN:
    case IC_OP_ABS:
    case IC_OP_STEP: return simplify_choice(g, operation, &k);
    case IC_OP_POWER: return simplify_power(g, &k);
    default: return IC_NO_NODE;
    }
}

ic_node ic_graph_apply(ic_graph *g, ic_operation operation, ic_node a, ic_node b, ic_node c)
{
    const int operands = operations[operation].operands;
    if (a < 0 || (operands > 1 && b < 0) || (operands > 2 && c < 0)) return IC_NO_NODE;
    double known = 0;
    if (operation == IC_OP_CHOOSE && is_integer(g, a, &known)) return known > 0 ? b : c;
    if (operation == IC_OP_CHOOSE && b == c) return b;
    const ic_node simple = simplify_operation(g, operation, a, operands > 1 ? b : IC_NO_NODE);
    if (simple >= 0) return simple;
    const ic_graph_node n = {
        .operation = operation, .a = a, .b = operands > 1 ? b : -1, .c = operands > 2 ? c : -1};
    return add_node(g, &n);
}

ic_node ic_graph_two(ic_graph *g, ic_operation operation, ic_node a, ic_node b)
{
    return ic_graph_apply(g, operation, a, b, IC_NO_NODE);
}

ic_node ic_graph_one(ic_graph *g, ic_operation operation, ic_node a)
{
    return ic_graph_apply(g, operation, a, IC_NO_NODE, IC_NO_NODE);
}

static ic_node add_call(ic_graph *g, int external, ic_node a, ic_node b, ic_node c)
{
    const ic_graph_node n = {.operation = IC_OP_CALL, .a = a, .b = b, .c = c, .index = external};
    return a < 0 || b < 0 || c < 0 ? IC_NO_NODE : add_node(g, &n);
}

ic_node ic_graph_call(ic_graph *g, int external, const ic_node operands[4])
{
    const ic_node pair = ic_graph_two(g, IC_OP_PAIR, operands[2], operands[3]);
    return add_call(g, external, operands[0], operands[1], pair);
}

/* ---- derivatives */

/* d f(a)/da of a function of one operand. `node` is f(a). */
static ic_node outer_derivative(ic_graph *g, ic_operation operation, ic_node node, ic_node a)
{
    switch (operation) {
    case IC_OP_SQRT: return DIV(INT(1), MUL(INT(2), node));
    case IC_OP_CBRT: return DIV(INT(1), MUL(INT(3), MUL(node, node)));
    case IC_OP_EXP: return node;
    case IC_OP_LOG: return DIV(INT(1), a);
    case IC_OP_SIN: return ic_graph_one(g, IC_OP_COS, a);
    case IC_OP_COS: return NEG(ic_graph_one(g, IC_OP_SIN, a));
    case IC_OP_TAN: return ADD(INT(1), MUL(node, node));
    case IC_OP_ASIN: return DIV(INT(1), ic_graph_one(g, IC_OP_SQRT, SUB(INT(1), MUL(a, a))));
    case IC_OP_ACOS: return NEG(DIV(INT(1), ic_graph_one(g, IC_OP_SQRT, SUB(INT(1), MUL(a, a)))));
    case IC_OP_ATAN: return DIV(INT(1), ADD(INT(1), MUL(a, a)));
    case IC_OP_SINH: return ic_graph_one(g, IC_OP_COSH, a);
    case IC_OP_COSH: return ic_graph_one(g, IC_OP_SINH, a);
    case IC_OP_TANH: return SUB(INT(1), MUL(node, node));
    case IC_OP_ABS: return ic_graph_one(g, IC_OP_SIGN, a);
    default: return INT(0); /* SIGN and STEP: their jumps are events. */
    }
}

/*
 * Derivative of a call along a flow. The second operand of an external function is the rate of its
 * first.
 */
static ic_node call_derivative(ic_graph *g, const ic_graph_node *n, ic_node da, ic_node db)
{
    const ic_external e = g->externals[n->index];
    const ic_graph_node pair = g->nodes[n->c];
    if (e.rate < 0) return INT(0);
    const ic_node operands[4] = {n->a, e.rule == IC_RATE_BY_FIRST ? INT(0) : n->b,
                                 e.rule == IC_RATE_WITH_SECOND ? db : pair.a, pair.b};
    const ic_node derivative = ic_graph_call(g, e.rate, operands);
    return e.rule == IC_RATE_BY_FIRST ? MUL(derivative, da) : derivative;
}

/*
 * The derivative of a power or root of a. Where a contact begins, a = 0, it may be infinite, but the tangent is 0, and so is
 * their product.
 */
static ic_node at_contact(ic_graph *g, ic_node a, ic_node derivative)
{
    if (!g->at_contacts || ic_graph_is(g, derivative, 0)) return derivative;
    return ic_graph_apply(g, IC_OP_CHOOSE, MUL(a, a), derivative, INT(0));
}

static ic_node power_derivative(ic_graph *g, const ic_graph_node *n, ic_node da)
{
    const ic_node derivative = MUL(MUL(n->b, ic_graph_two(g, IC_OP_POWER, n->a, SUB(n->b, INT(1)))), da);
    const bool finite = g->nodes[n->b].operation == IC_OP_NUMBER && g->nodes[n->b].number >= 1;
    return finite ? derivative : at_contact(g, n->a, derivative);
}

/* Derivative of a node from the derivatives of its operands. */
static ic_node chain_rule(ic_graph *g, ic_node node, ic_node da, ic_node db, ic_node dc)
{
    const ic_graph_node n = g->nodes[node]; /* A copy, because the array may move. */
    switch (n.operation) {
    case IC_OP_ADD: return ADD(da, db);
    case IC_OP_SUBTRACT: return SUB(da, db);
    case IC_OP_MULTIPLY: return ADD(MUL(da, n.b), MUL(n.a, db));
    case IC_OP_DIVIDE:
        if (ic_graph_is(g, db, 0)) return DIV(da, n.b);
        return DIV(SUB(da, MUL(node, db)), n.b);
    case IC_OP_NEGATE: return NEG(da);
    case IC_OP_POWER: return power_derivative(g, &n, da);
    case IC_OP_SQRT:
    case IC_OP_CBRT: return at_contact(g, n.a, MUL(outer_derivative(g, n.operation, node, n.a), da));
    case IC_OP_ATAN2: return DIV(SUB(MUL(n.b, da), MUL(n.a, db)), ADD(MUL(n.a, n.a), MUL(n.b, n.b)));
    case IC_OP_MIN: return ic_graph_apply(g, IC_OP_CHOOSE, SUB(n.b, n.a), da, db);
    case IC_OP_MAX: return ic_graph_apply(g, IC_OP_CHOOSE, SUB(n.a, n.b), da, db);
    case IC_OP_CHOOSE: return da == db && db == dc ? da : ic_graph_apply(g, IC_OP_CHOOSE, n.a, db, dc);
    case IC_OP_PAIR: return INT(0);
    case IC_OP_CALL: return call_derivative(g, &n, da, db);
    default: return ic_graph_is(g, da, 0) ? da : MUL(outer_derivative(g, n.operation, node, n.a), da);
    }
}

bool *ic_graph_parts(const ic_graph *g, ic_node node)
{
    bool *used = calloc((size_t)node + 1, sizeof *used);
    if (used == NULL) return g->arena->failed = true, NULL;
    used[node] = true;
    for (ic_node i = node; i >= 0; i--) {
        if (!used[i]) continue;
        const ic_graph_node *n = &g->nodes[i];
        if (n->a >= 0) used[n->a] = true;
        if (n->b >= 0) used[n->b] = true;
        if (n->c >= 0) used[n->c] = true;
    }
    return used;
}

void ic_graph_mark(const ic_graph *g, bool *marks, ic_node last, ic_node leaf)
{
    for (ic_node i = 0; i <= last; i++) {
        const ic_graph_node *n = &g->nodes[i];
        marks[i] =
            i == leaf || (n->a >= 0 && marks[n->a]) || (n->b >= 0 && marks[n->b]) || (n->c >= 0 && marks[n->c]);
    }
}

/* Gives the derivative of a leaf. */
typedef ic_node ic_leaf_seed(ic_graph *g, ic_node leaf, const void *context);

/* Makes room for one result for each existing node. */
static bool widen_memo(ic_graph *g)
{
    ic_graph_memo *m = &g->memo;
    const size_t size = 2 * g->n_nodes;
    if (g->stack_size < g->n_nodes) {
        g->stack = ic_arena_take(g->arena, 4 * size * sizeof *g->stack);
        g->stack_size = g->stack == NULL ? 0 : size;
    }
    if (m->size < g->n_nodes) {
        ic_node *results = ic_arena_take(g->arena, size * sizeof *results);
        unsigned *stamps = ic_arena_take(g->arena, size * sizeof *stamps);
        if (results == NULL || stamps == NULL) return false;
        if (m->size > 0) {
            memcpy(results, m->results, m->size * sizeof *results);
            memcpy(stamps, m->stamps, m->size * sizeof *stamps);
        }
        *m = (ic_graph_memo){results, stamps, m->stamp, size};
    }
    return g->stack_size >= g->n_nodes;
}

/* Forgets the results of the last transformation. */
static bool open_memo(ic_graph *g)
{
    g->memo.stamp++;
    return widen_memo(g);
}

static void remember_result(ic_graph *g, ic_node node, ic_node result)
{
    g->memo.results[node] = result;
    g->memo.stamps[node] = g->memo.stamp;
}

static bool is_remembered(const ic_graph *g, ic_node node)
{
    return node < 0 || g->memo.stamps[node] == g->memo.stamp;
}

static ic_node recall_result(const ic_graph *g, ic_node node)
{
    return node < 0 ? IC_NO_NODE : g->memo.results[node];
}

/* Pushes operands without results onto the stack. Returns its new depth. */
static size_t push_operands(ic_graph *g, const ic_graph_node *n, size_t depth)
{
    const ic_node operands[] = {n->c, n->b, n->a};
    for (size_t i = 0; i < 3; i++) {
        if (!is_remembered(g, operands[i])) g->stack[depth++] = operands[i];
    }
    return depth;
}

/* The result for a node whose operands have results. */
static ic_node transform_operands(ic_graph *g, ic_node i, ic_leaf_seed *seed, const void *context)
{
    const ic_graph_node n = g->nodes[i];
    const ic_node a = recall_result(g, n.a), b = recall_result(g, n.b), c = recall_result(g, n.c);
    const bool leaf = operations[n.operation].operands == 0;
    if (seed != NULL) return leaf ? seed(g, i, context) : chain_rule(g, i, a, b, c);
    if (leaf || (a == n.a && b == n.b && c == n.c)) return i;
    if (n.operation == IC_OP_CALL) return add_call(g, n.index, a, b, c);
    return ic_graph_apply(g, n.operation, a, b, c);
}

/*
 * Transforms `node` and its operands. With `seed`, which gives the derivatives of leaves, the
 * result is the derivative. If `seed` is NULL, the result is the node rebuilt from its transformed
 * operands. Nodes that already have results keep them.
 */
static ic_node transform_node(ic_graph *g, ic_node node, ic_leaf_seed *seed, const void *context)
{
    size_t depth = 0;
    g->stack[depth++] = node;
    while (depth > 0) {
        const ic_node i = g->stack[depth - 1];
        const ic_graph_node n = g->nodes[i];
        const size_t deeper = is_remembered(g, i) ? depth : push_operands(g, &n, depth);
        if (deeper > depth) {
            depth = deeper;
            continue;
        }
        depth--;
        if (is_remembered(g, i)) continue;
        const ic_node result = transform_operands(g, i, seed, context);
        if (result < 0) return IC_NO_NODE;
        remember_result(g, i, result);
    }
    return recall_result(g, node);
}

static ic_node seed_one_leaf(ic_graph *g, ic_node leaf, const void *context)
{
    return ic_graph_integer(g, leaf == *(const ic_node *)context);
}

ic_node ic_graph_derivative(ic_graph *g, ic_node node, ic_node leaf)
{
    if (node < 0 || !open_memo(g)) return IC_NO_NODE;
    return transform_node(g, node, seed_one_leaf, &leaf);
}

typedef struct flow_rates {
    const ic_node *rates;
    size_t n;

    /* at a fixed time: changes of parameters; NULL: along a flow */
    const ic_node *parameters;
} flow_rates;

static ic_node seed_rates(ic_graph *g, ic_node leaf, const void *context)
{
    const flow_rates *flow = context;
    const ic_graph_node *n = &g->nodes[leaf];
    if (n->operation == IC_OP_TIME) return ic_graph_integer(g, flow->parameters == NULL);
    if (n->operation == IC_OP_PARAMETER && flow->parameters != NULL) return flow->parameters[n->index];
    if (n->operation == IC_OP_STATE && (size_t)n->index < flow->n) return flow->rates[n->index];
    return ic_graph_integer(g, 0);
}

ic_node ic_graph_rate(ic_graph *g, ic_node node, const ic_node *rates, size_t n)
{
    if (node < 0 || !open_memo(g)) return IC_NO_NODE;
    return transform_node(g, node, seed_rates, &(flow_rates){rates, n, NULL});
}

ic_node ic_graph_along(ic_graph *g, ic_node node, const ic_node *states, size_t n, const ic_node *parameters)
{
    if (node < 0 || !open_memo(g)) return IC_NO_NODE;
    g->at_contacts = true;
    const ic_node derivative = transform_node(g, node, seed_rates, &(flow_rates){states, n, parameters});
    g->at_contacts = false;
    return derivative;
}

ic_node ic_graph_substitute(ic_graph *g, ic_node node, const ic_node *replaced, const ic_node *replacements,
                            size_t n)
{
    if (node < 0 || !open_memo(g)) return IC_NO_NODE;
    for (size_t i = 0; i < n; i++) remember_result(g, replaced[i], replacements[i]);
    return transform_node(g, node, NULL, NULL);
}

ic_node ic_graph_substitute_kept(ic_graph *g, ic_graph_memo *memo, ic_node node, const ic_node *replaced,
                                 const ic_node *replacements, size_t n)
{
    const ic_graph_memo own = g->memo;
    ic_node result = IC_NO_NODE;
    g->memo = *memo;
    if (node >= 0 && widen_memo(g)) {
        for (size_t i = 0; i < n; i++) remember_result(g, replaced[i], replacements[i]);
        result = transform_node(g, node, NULL, NULL);
    }
    *memo = g->memo;
    g->memo = own;
    return result;
}

bool ic_graph_uses(ic_graph *g, ic_node node, ic_node leaf)
{
    size_t depth = 0;
    if (node < 0 || leaf < 0 || !open_memo(g)) return false;
    const unsigned varies = g->nodes[leaf].varies; /* This is 0 for a parameter. */
    g->stack[depth++] = node;
    while (depth > 0) {
        const ic_node i = g->stack[--depth];
        if (i == leaf) return true;
        if (is_remembered(g, i) || (varies != 0 && (g->nodes[i].varies & varies) == 0)) continue;
        remember_result(g, i, i);
        if (g->nodes[i].a >= 0) g->stack[depth++] = g->nodes[i].a;
        if (g->nodes[i].b >= 0) g->stack[depth++] = g->nodes[i].b;
        if (g->nodes[i].c >= 0) g->stack[depth++] = g->nodes[i].c;
    }
    return false;
}

ic_node ic_graph_first(const ic_graph *g, ic_node node, ic_operation operation)
{
    if (node < 0) return IC_NO_NODE;
    bool *used = ic_graph_parts(g, node);
    ic_node first = 0;
    if (used == NULL) return IC_NO_NODE;
    while (first <= node && !(used[first] && g->nodes[first].operation == operation)) first++;
    free(used);
    return first <= node ? first : IC_NO_NODE;
}

bool ic_graph_divides_by_zero(const ic_graph *g, ic_node node)
{
    bool *used = ic_graph_parts(g, node), found = used == NULL;
    for (ic_node i = 0; i <= node && !found; i++)
        found = used[i] && g->nodes[i].operation == IC_OP_DIVIDE && ic_graph_is(g, g->nodes[i].b, 0);
    free(used);
    return found;
}

/* ---- text */

typedef struct formula_writer {
    const ic_graph *g;
    const char *const *states, *const *parameters, *const *inputs;
    char *text;
    size_t length, room;
    bool failed;
} formula_writer;

/* Greatest length of the text of an expression. Shared nodes are written wherever they occur. */
enum { TEXT_LIMIT = 1 << 16 };

static void write_part(formula_writer *w, const char *text, size_t length)
{
    if (w->failed) return;
    if (w->length + length + 1 > w->room) {
        const size_t room = 2 * (w->length + length + 1);
        char *grown = room > TEXT_LIMIT ? NULL : realloc(w->text, room);
        if (grown == NULL) {
            w->failed = true;
            if (room <= TEXT_LIMIT) w->g->arena->failed = true;
            return;
        }
        w->text = grown;
        w->room = room;
    }
    memcpy(w->text + w->length, text, length);
    w->length += length;
    w->text[w->length] = '\0';
}

static void write_text(formula_writer *w, const char *text)
{
    write_part(w, text, strlen(text));
}

enum { SUM = 1, PRODUCT, TIGHT }; /* Precedence of an expression. */

static void write_node(formula_writer *w, ic_node node, int context);

static void write_infix(formula_writer *w, const ic_graph_node *n, int context)
{
    static const struct {
        const char *sign;
        int own, right;
    } infix[] = {[IC_OP_ADD] = {" + ", SUM, SUM + 1},
                 [IC_OP_SUBTRACT] = {" - ", SUM, SUM + 1},
                 [IC_OP_MULTIPLY] = {"*", PRODUCT, PRODUCT + 1},
                 [IC_OP_DIVIDE] = {"/", PRODUCT, PRODUCT + 1},
                 [IC_OP_POWER] = {"^", TIGHT, TIGHT + 1}};
    const int own = infix[n->operation].own;
    const ic_graph_node *left = &w->g->nodes[n->a];
    if (own < context) write_text(w, "(");
    /* Write (-a)*b as -a*b. */
    if (own == PRODUCT && left->operation == IC_OP_NEGATE && context <= SUM) {
        write_text(w, "-");
        write_node(w, left->a, PRODUCT);
    } else {
        write_node(w, n->a, own == TIGHT ? TIGHT + 1 : own);
    }
    write_text(w, infix[n->operation].sign);
    write_node(w, n->b, infix[n->operation].right);
    if (own < context) write_text(w, ")");
}

static void write_call(formula_writer *w, const ic_graph_node *n)
{
    if (n->operation == IC_OP_CHOOSE) {
        write_text(w, "where(");
        write_node(w, n->a, SUM);
        write_text(w, " > 0");
    } else {
        write_text(w, operations[n->operation].word);
        write_text(w, "(");
        write_node(w, n->a, SUM);
    }
    const ic_node others[] = {n->b, n->c};
    for (size_t i = 0; i < 2; i++) {
        if (others[i] < 0) continue;
        write_text(w, ", ");
        write_node(w, others[i], SUM);
    }
    write_text(w, ")");
}

static void write_node(formula_writer *w, ic_node node, int context)
{
    const ic_graph_node *n = &w->g->nodes[node];
    if (w->failed) return;
    switch (n->operation) {
    case IC_OP_NUMBER: write_part(w, n->text, strcspn(n->text, " ")); break; /* the digits */
    case IC_OP_PI: write_text(w, "pi"); break;
    case IC_OP_TIME: write_text(w, "t"); break;
    case IC_OP_STATE: write_text(w, w->states[n->index]); break;
    case IC_OP_PARAMETER: write_text(w, w->parameters[n->index]); break;
    case IC_OP_INPUT: write_text(w, w->inputs[n->index]); break;
    case IC_OP_ADD:
    case IC_OP_SUBTRACT:
    case IC_OP_MULTIPLY:
    case IC_OP_DIVIDE:
    case IC_OP_POWER: write_infix(w, n, context); break;
    case IC_OP_NEGATE:
        if (context > SUM) write_text(w, "(");
        write_text(w, "-");
        write_node(w, n->a, PRODUCT);
        if (context > SUM) write_text(w, ")");
        break;
    case IC_OP_CALL: write_text(w, w->g->externals[n->index].form); break;
    default: write_call(w, n);
    }
}

char *ic_graph_text(const ic_graph *g, ic_node node, const char *const *states, const char *const *parameters,
                    const char *const *inputs)
{
    formula_writer w = {.g = g, .states = states, .parameters = parameters, .inputs = inputs};
    if (node < 0) return NULL;
    write_node(&w, node, SUM);
    char *copy = w.failed ? NULL : ic_arena_copy(g->arena, w.text, w.length);
    free(w.text);
    return copy;
}
