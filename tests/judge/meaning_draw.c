/* SPDX-License-Identifier: MIT */
/* Random machines, and their texts. */
#include "tests/judge/meaning.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { QUANTITIES = 3, DEPTH = 3 };

typedef struct drawing {
    meaning_machine *m;
    draw *d;

    /* linear forms whose zeros are the kinks */
    int quantities[QUANTITIES], n_quantities;
} drawing;

/* ---- nodes */

static int node(drawing *g, meaning_op op, int a, int b, int c)
{
    meaning_machine *m = g->m;
    assert(m->n_nodes < MEANING_NODES);
    meaning_node *n = &m->nodes[m->n_nodes];
    *n = (meaning_node){.op = op, .a = a, .b = b, .c = c, .kink = -1};
    if (op >= MEANING_ABS && op <= MEANING_GREATER_EQUAL) n->kink = m->n_kinks++;
    assert(m->n_kinks <= MEANING_KINKS);
    return m->n_nodes++;
}

static int constant(drawing *g, double value)
{
    const int n = node(g, MEANING_CONSTANT, 0, 0, 0);
    g->m->nodes[n].value = value;
    return n;
}

static int state(drawing *g, int number)
{
    return node(g, MEANING_STATE, number, 0, 0);
}

static int any_state(drawing *g)
{
    return state(g, draw_choice(g->d, g->m->n_states));
}

/* A number from -2 to 2 with one digit after the point, never 0. */
static double number(drawing *g)
{
    const double amount = (1 + draw_choice(g->d, 20)) / 10.;
    return draw_choice(g->d, 2) ? amount : -amount;
}

static int times(drawing *g, double factor, int a)
{
    return node(g, MEANING_MULTIPLY, constant(g, factor), a, 0);
}

static int add(drawing *g, int a, int b)
{
    return node(g, MEANING_ADD, a, b, 0);
}

/* ---- formulas */

static int quantity(drawing *g)
{
    return g->quantities[draw_choice(g->d, g->n_quantities)];
}

static void draw_quantities(drawing *g)
{
    g->n_quantities = 1 + draw_choice(g->d, QUANTITIES);
    for (int i = 0; i < g->n_quantities; i++) {
        const int n = g->m->n_states, first = draw_choice(g->d, n), form = draw_choice(g->d, n > 1 ? 6 : 2);
        int q = state(g, first);
        const int second = state(g, (first + 1) % n);
        if (form == 1) q = node(g, MEANING_SUBTRACT, q, constant(g, number(g)), 0);
        if (form == 2) q = node(g, MEANING_SUBTRACT, q, second, 0);
        if (form == 3) q = add(g, q, times(g, number(g), second));
        g->quantities[i] = q;
    }
}

static int comparison(drawing *g)
{
    const meaning_op op = MEANING_LESS + (meaning_op)draw_choice(g->d, 4);
    const int form = draw_choice(g->d, 12);
    const int other = draw_choice(g->d, g->n_quantities);
    int left = g->quantities[other], right = constant(g, 0);
    if (form >= 5 && form < 9) right = constant(g, number(g));
    if (form == 9 && g->n_quantities > 1) right = g->quantities[(other + 1) % g->n_quantities];
    if (form == 10) left = node(g, MEANING_ABS, left, 0, 0), right = constant(g, fabs(number(g)));
    if (form == 11) left = node(g, MEANING_TIME, 0, 0, 0), right = constant(g, fabs(number(g)));
    return draw_choice(g->d, 2) ? node(g, op, left, right, 0) : node(g, op, right, left, 0);
}

static int condition(drawing *g, int depth)
{
    const int form = depth > 0 ? draw_choice(g->d, 6) : 2;
    if (form > 1) return comparison(g);
    const int left = condition(g, depth - 1);
    return node(g, form == 0 ? MEANING_AND : MEANING_OR, left, condition(g, depth - 1), 0);
}

static int kink(drawing *g, int depth);

static int branch(drawing *g, int depth)
{
    const int form = draw_choice(g->d, 6);
    if (form < 2 && depth > 0) return kink(g, depth);
    if (form == 2) return constant(g, 0);
    if (form == 3) return times(g, number(g), any_state(g));
    return constant(g, number(g));
}

/* A formula with kinks that are nested up to a depth. */
static int kink(drawing *g, int depth)
{
    const int form = draw_choice(g->d, 10);
    if (form < 5) {
        const int c = condition(g, depth - 1), a = branch(g, depth - 1);
        return node(g, MEANING_WHERE, c, a, branch(g, depth - 1));
    }
    const meaning_op op = MEANING_ABS + (meaning_op)(form - 5);
    const int a = quantity(g);
    if (op < MEANING_MIN) return node(g, op, a, 0, 0);
    return node(g, op, a, draw_choice(g->d, 2) ? constant(g, number(g)) : branch(g, depth - 1), 0);
}

static int forcing(drawing *g)
{
    const int phase = times(g, fabs(number(g)) * 2, node(g, MEANING_TIME, 0, 0, 0));
    return times(g, number(g), node(g, draw_choice(g->d, 2) ? MEANING_SIN : MEANING_COS, phase, 0, 0));
}

/* A rate of a state: linear terms, forcing and kinks. */
static int rate(drawing *g, int i)
{
    int f = times(g, -fabs(number(g)) / 2, state(g, i));
    if (draw_choice(g->d, 2)) f = add(g, constant(g, number(g)), f);
    if (draw_choice(g->d, 2)) f = add(g, f, times(g, number(g) / 2, any_state(g)));
    if (draw_choice(g->d, 3) == 0) f = add(g, f, forcing(g));
    const int kinks = draw_choice(g->d, 3);
    for (int k = 0; k < kinks; k++) {
        const int factor = draw_choice(g->d, 8) ? constant(g, number(g)) : any_state(g);
        f = add(g, f, node(g, MEANING_MULTIPLY, factor, kink(g, DEPTH), 0));
    }
    return f;
}

/* ---- the text */

static void write_formula(const drawing *g, int root);

static void write_call(const drawing *g, const char *name, const meaning_node *n, int operands)
{
    const int of[] = {n->a, n->b, n->c};
    draw_write(g->d, "%s(", name);
    for (int i = 0; i < operands; i++) {
        if (i > 0) draw_write(g->d, ", ");
        write_formula(g, of[i]);
    }
    draw_write(g->d, ")");
}

static void write_infix(const drawing *g, const char *sign, const meaning_node *n)
{
    const bool product = n->op == MEANING_MULTIPLY;
    draw_write(g->d, product ? "" : "(");
    write_formula(g, n->a);
    draw_write(g->d, "%s", sign);
    write_formula(g, n->b);
    draw_write(g->d, product ? "" : ")");
}

static const struct {
    const char *text;

    /* of a function; 0: an infix sign */
    int operands;
} forms[] = {[MEANING_ADD] = {" + ", 0},     [MEANING_SUBTRACT] = {" - ", 0},
             [MEANING_MULTIPLY] = {"*", 0},  [MEANING_SIN] = {"sin", 1},
             [MEANING_COS] = {"cos", 1},     [MEANING_ABS] = {"abs", 1},
             [MEANING_SIGN] = {"sign", 1},   [MEANING_STEP] = {"step", 1},
             [MEANING_MIN] = {"min", 2},     [MEANING_MAX] = {"max", 2},
             [MEANING_LESS] = {" < ", 0},    [MEANING_LESS_EQUAL] = {" <= ", 0},
             [MEANING_GREATER] = {" > ", 0}, [MEANING_GREATER_EQUAL] = {" >= ", 0},
             [MEANING_AND] = {" and ", 0},   [MEANING_OR] = {" or ", 0},
             [MEANING_WHERE] = {"where", 3}};

static void write_formula(const drawing *g, int root)
{
    const meaning_node *n = &g->m->nodes[root];
    if (n->op == MEANING_CONSTANT) draw_write(g->d, n->value < 0 ? "(%.9g)" : "%.9g", n->value);
    else if (n->op == MEANING_STATE) draw_write(g->d, "%s", g->m->names[n->a]);
    else if (n->op == MEANING_TIME) draw_write(g->d, "t/T");
    else if (forms[n->op].operands > 0) write_call(g, forms[n->op].text, n, forms[n->op].operands);
    else write_infix(g, forms[n->op].text, n);
}

static void write_machine(const drawing *g)
{
    const meaning_machine *m = g->m;
    draw_write(g->d, "parameters: {T: 1 s}\nstates:\n");
    for (int i = 0; i < m->n_states; i++)
        draw_write(g->d, "  %s: {unit: 1, start: %.9g}\n", m->names[i], m->starts[i]);
    draw_write(g->d, "flow:\n");
    for (int i = 0; i < m->n_states; i++) {
        draw_write(g->d, "  %s: \"(", m->names[i]);
        write_formula(g, m->flows[i]);
        draw_write(g->d, ")/T\"\n");
    }
    draw_write(g->d, "presets: {default: {until: %.9g s}}\n", m->end);
}

/* ---- machines */

static void draw_kinks(drawing *g)
{
    meaning_machine *m = g->m;
    m->n_states = 1 + draw_choice(g->d, 3);
    for (int i = 0; i < m->n_states; i++) {
        snprintf(m->names[i], sizeof m->names[i], "x%d", i + 1);
        m->starts[i] = draw_choice(g->d, 4) ? number(g) : 0;
    }
    draw_quantities(g);
    do {
        m->n_kinks = 0;
        for (int i = 0; i < m->n_states; i++) m->flows[i] = rate(g, i);
    } while (m->n_kinks == 0);
    /* a body with a position */
    if (m->n_states > 1 && draw_choice(g->d, 2)) m->flows[0] = state(g, 1);
    write_machine(g);
}

void meaning_draw(meaning_machine *machine, draw *d, meaning_kind kind)
{
    memset(machine, 0, sizeof *machine);
    drawing g = {.m = machine, .d = d};
    machine->end = 2 + draw_choice(d, 3);
    (void)kind;
    draw_kinks(&g);
}
