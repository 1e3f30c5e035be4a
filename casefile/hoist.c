/* SPDX-License-Identifier: MIT */
#include "casefile/hoist.h"

#include <stdlib.h>
#include <string.h>

/*
 * Least cost of constants that are moved out of a function. Checking whether they are up to date
 * takes about 10 ns.
 */
enum { CHEAP = 60 };

/* Least number of columns of a product. Shorter sums stay in the function. */
enum { FEWEST_COLUMNS = 3 };

/*
 * Greatest number of products of a function. Further sums stay in the function, because each
 * product costs a pass through the graph.
 */
enum { MOST_PRODUCTS = 16 };

typedef struct known_product {
    const ic_node *heads;
    int rows, constant;
} known_product;

bool ic_hoist_begin(ic_hoist *h, const ic_graph *graph, ic_arena *arena)
{
    const size_t n = graph->n_nodes + 1;
    *h = (ic_hoist){.graph = *graph, .original = graph->nodes};
    h->graph.arena = arena;
    h->graph.nodes = malloc(n * sizeof *h->graph.nodes);
    h->places = calloc(n, sizeof *h->places);
    h->marks = calloc(n, sizeof *h->marks);
    h->changed = malloc(n * sizeof *h->changed);
    h->outside = calloc(n, sizeof *h->outside);
    h->heads = malloc(n * sizeof *h->heads);
    h->products = malloc(MOST_PRODUCTS * sizeof *h->products);
    if (h->heads == NULL || h->products == NULL || h->outside == NULL || h->graph.nodes == NULL ||
        h->places == NULL || h->marks == NULL || h->changed == NULL)
        return false;
    memcpy(h->graph.nodes, graph->nodes, graph->n_nodes * sizeof *graph->nodes);
    for (size_t i = 0; i < graph->n_nodes; i++) {
        const ic_graph_node *node = &graph->nodes[i];
        h->outside[i] = node->operation == IC_OP_CALL || (node->a >= 0 && h->outside[node->a]) ||
                        (node->b >= 0 && h->outside[node->b]) || (node->c >= 0 && h->outside[node->c]);
    }
    return true;
}

void ic_hoist_free(ic_hoist *h)
{
    free(h->graph.nodes);
    free(h->places);
    free(h->marks);
    free(h->changed);
    free(h->outside);
    free(h->heads);
    free(h->products);
    ic_arena_free(&h->arena);
}

/* ---- constants */

/*
 * Cost of a node in additions; 0 if it varies or needs no computation. External functions are
 * excluded: each law has parameters of its own.
 */
static int hoisting_cost(const ic_hoist *h, ic_node number)
{
    const ic_graph_node *node = &h->original[number];
    if (h->outside[number] || node->varies != 0 || ic_operation_operands(node->operation) == 0) return 0;
    switch (node->operation) {
    case IC_OP_ADD:
    case IC_OP_SUBTRACT:
    case IC_OP_MULTIPLY:
    case IC_OP_NEGATE: return 1;
    case IC_OP_DIVIDE:
    case IC_OP_SQRT: return 4;
    case IC_OP_PAIR: return 0; /* A pair has no value: CALL reads its operands. */
    default: return 20;
    }
}

enum { REACHED = 1, BEGINS = 2 };

/* Marks the nodes that the results need. Returns the cost of the constants among them. */
static int mark_reached(ic_hoist *h, const ic_node *nodes, size_t n, ic_node *last)
{
    int sum = 0;
    *last = 0;
    for (size_t i = 0; i < n; i++) {
        if (nodes[i] < 0) continue;
        h->marks[nodes[i]] = REACHED;
        if (nodes[i] > *last) *last = nodes[i];
    }
    for (ic_node i = *last; i >= 0; i--) {
        const ic_graph_node *node = &h->graph.nodes[i];
        if (h->marks[i] == 0) continue;
        if (node->a >= 0) h->marks[node->a] |= REACHED;
        if (node->b >= 0) h->marks[node->b] |= REACHED;
        if (node->c >= 0) h->marks[node->c] |= REACHED;
        sum += hoisting_cost(h, i);
    }
    return sum;
}

static bool add_constant(ic_hoist *h, ic_node node)
{
    ic_node *added = ic_arena_append(&h->arena, &h->constants, &h->n_constants, sizeof *added);
    if (added != NULL) *added = node;
    return added != NULL;
}

static void replace_by_parameter(ic_hoist *h, ic_node node, ic_operation operation, int index)
{
    h->graph.nodes[node] = (ic_graph_node){
        .operation = operation, .a = IC_NO_NODE, .b = IC_NO_NODE, .c = IC_NO_NODE, .index = index};
    h->changed[h->n_changed++] = node;
}

static bool replace_constant(ic_hoist *h, ic_node node)
{
    if (node < 0 || hoisting_cost(h, node) == 0 || h->graph.nodes[node].operation == IC_OP_CONSTANT)
        return true;
    if (h->places[node] == 0) {
        if (!add_constant(h, node)) return false;
        h->places[node] = (int)h->n_constants;
    }
    h->uses_constants = true;
    replace_by_parameter(h, node, IC_OP_CONSTANT, h->places[node] - 1);
    return true;
}

/* ---- products */

/* Constant and state of a term; false: it is not a constant times a state. */
static bool read_term(const ic_hoist *h, ic_node node, ic_node *constant, int *state)
{
    const ic_graph_node *n = &h->original[node];
    if (n->operation != IC_OP_MULTIPLY) return false;
    const bool right = h->original[n->b].operation == IC_OP_STATE;
    *constant = right ? n->a : n->b;
    const ic_graph_node *x = &h->original[right ? n->b : n->a];
    *state = x->index;
    const ic_graph_node *c = &h->original[*constant];
    return x->operation == IC_OP_STATE && c->varies == 0 && !h->outside[*constant];
}

/* Reads a sum of terms whose states have a constant stride. Fills `constants` unless it is NULL. */
static bool read_row(const ic_hoist *h, ic_node head, ic_product *row, ic_node *constants)
{
    ic_node node = head, constant = IC_NO_NODE;
    int state = 0, columns = 1;
    while (h->original[node].operation == IC_OP_ADD) {
        node = h->original[node].a;
        columns++;
    }
    *row = (ic_product){.rows = 1, .columns = columns};
    node = head;
    for (int j = columns - 1, after = 0; j >= 0; j--) {
        const ic_graph_node *n = &h->original[node];
        if (!read_term(h, j > 0 ? n->b : node, &constant, &state)) return false;
        if (j == columns - 2) row->stride = after - state;
        else if (j < columns - 2 && after - state != row->stride) return false;
        if (constants != NULL) constants[j] = constant;
        row->state = after = state;
        node = n->a;
    }
    return columns >= FEWEST_COLUMNS && row->stride > 0;
}

/*
 * Index of a product's constants in K. They are added unless an earlier function has the same rows.
 */
static bool find_constants(ic_hoist *h, ic_product *p, const ic_node *heads)
{
    for (size_t i = 0; i < h->n_known; i++) {
        const known_product *k = &h->known[i];
        if (k->rows != p->rows || memcmp(k->heads, heads, (size_t)k->rows * sizeof *heads) != 0) continue;
        p->constant = k->constant;
        return true;
    }
    known_product *k = ic_arena_append(&h->arena, &h->known, &h->n_known, sizeof *k);
    ic_node *own = ic_arena_take(&h->arena, (size_t)p->rows * sizeof *own);
    ic_node *matrix = ic_arena_take(&h->arena, (size_t)(p->rows * p->columns) * sizeof *matrix);
    if (k == NULL || own == NULL || matrix == NULL) return false;
    memcpy(own, heads, (size_t)p->rows * sizeof *own);
    p->constant = (int)h->n_constants;
    *k = (known_product){own, p->rows, p->constant};
    for (int i = 0; i < p->rows; i++) {
        ic_product row;
        read_row(h, heads[i], &row, matrix + (size_t)i * (size_t)p->columns);
    }
    for (int j = 0; j < p->columns; j++) {
        for (int i = 0; i < p->rows; i++) {
            if (!add_constant(h, matrix[i * p->columns + j])) return false;
        }
    }
    return true;
}

/* Makes the product of all rows with the same columns; the first row begins at `head`. */
static bool replace_product(ic_hoist *h, ic_node head, ic_product *p, ic_node last)
{
    ic_node *heads = h->heads;
    p->first = h->n_rows;
    p->rows = 0;
    for (ic_node i = head; i <= last; i++) {
        ic_product row;
        if (h->marks[i] != REACHED || h->original[i].operation != IC_OP_ADD ||
            h->graph.nodes[i].operation == IC_OP_PRODUCT || !read_row(h, i, &row, NULL) ||
            !(row.state == p->state && row.stride == p->stride && row.columns == p->columns))
            continue;
        heads[p->rows++] = i;
        replace_by_parameter(h, i, IC_OP_PRODUCT, h->n_rows++);
    }
    if (!find_constants(h, p, heads)) return false;
    h->uses_constants = true;
    h->products[h->n_products++] = *p;
    return true;
}

static bool replace_products(ic_hoist *h, ic_node last)
{
    /* The beginning of a longer sum is not a sum of its own. */
    for (ic_node i = last; i >= 0; i--) {
        const ic_graph_node *n = &h->original[i];
        if (h->marks[i] != 0 && n->operation == IC_OP_ADD && h->original[n->a].operation == IC_OP_ADD)
            h->marks[n->a] |= BEGINS;
    }
    for (ic_node i = 0; i <= last && h->n_products < MOST_PRODUCTS; i++) {
        ic_product p;
        if (h->marks[i] != REACHED || h->original[i].operation != IC_OP_ADD ||
            h->graph.nodes[i].operation == IC_OP_PRODUCT || !read_row(h, i, &p, NULL))
            continue;
        if (!replace_product(h, i, &p, last)) return false;
    }
    return true;
}

bool ic_hoist_open(ic_hoist *h, const ic_node *nodes, size_t n)
{
    ic_node last = 0;
    h->n_products = h->n_changed = 0;
    h->n_rows = 0;
    h->uses_constants = false;
    const bool cheap = mark_reached(h, nodes, n, &last) < CHEAP;
    bool good = cheap || replace_products(h, last);
    memset(h->marks, 0, (size_t)last + 1);
    mark_reached(h, nodes, n, &last); /* Mark again: terms of products are no longer needed. */
    for (ic_node i = 0; good && !cheap && i <= last; i++) {
        const ic_graph_node *node = &h->graph.nodes[i];
        if (h->marks[i] == 0 || hoisting_cost(h, i) > 0) continue;
        good = replace_constant(h, node->a) && replace_constant(h, node->b) && replace_constant(h, node->c);
    }
    for (size_t i = 0; good && !cheap && i < n; i++) good = nodes[i] < 0 || replace_constant(h, nodes[i]);
    memset(h->marks, 0, (size_t)last + 1);
    return good;
}

void ic_hoist_close(ic_hoist *h)
{
    for (size_t i = 0; i < h->n_changed; i++) h->graph.nodes[h->changed[i]] = h->original[h->changed[i]];
    h->n_changed = 0;
}
