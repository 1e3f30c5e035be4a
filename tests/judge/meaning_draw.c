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

    /* whether the flow of a family is drawn */
    bool is_template;
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
    if (g->is_template) return state(g, MEANING_SELF - draw_choice(g->d, 3));
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

static const struct {
    int operands;

    /* before, between and after the operands */
    const char *open, *sign, *close;
} forms[] = {[MEANING_ADD] = {2, "(", " + ", ")"},      [MEANING_SUBTRACT] = {2, "(", " - ", ")"},
             [MEANING_MULTIPLY] = {2, "", "*", ""},     [MEANING_SIN] = {1, "sin(", "", ")"},
             [MEANING_COS] = {1, "cos(", "", ")"},      [MEANING_ABS] = {1, "abs(", "", ")"},
             [MEANING_SIGN] = {1, "sign(", "", ")"},    [MEANING_STEP] = {1, "step(", "", ")"},
             [MEANING_MIN] = {2, "min(", ", ", ")"},    [MEANING_MAX] = {2, "max(", ", ", ")"},
             [MEANING_LESS] = {2, "(", " < ", ")"},     [MEANING_LESS_EQUAL] = {2, "(", " <= ", ")"},
             [MEANING_GREATER] = {2, "(", " > ", ")"},  [MEANING_GREATER_EQUAL] = {2, "(", " >= ", ")"},
             [MEANING_AND] = {2, "(", " and ", ")"},    [MEANING_OR] = {2, "(", " or ", ")"},
             [MEANING_WHERE] = {3, "where(", ", ", ")"}};

static void write_formula(const drawing *g, int root)
{
    const meaning_node *n = &g->m->nodes[root];
    if (n->op == MEANING_CONSTANT) draw_write(g->d, n->value < 0 ? "(%.9g)" : "%.9g", n->value);
    else if (n->op == MEANING_STATE && n->a < 0)
        draw_write(g->d, "%s",
                   n->a == MEANING_SELF    ? "x[i]"
                   : n->a == MEANING_INDEX ? "i"
                                           : "where(i = N, 0, x[i+1])");
    else if (n->op == MEANING_STATE)
        draw_write(g->d, "%s%s", g->m->names[n->a], g->m->n_bodies == 0 ? "" : n->a % 2 == 0 ? "/L" : "/V");
    else if (n->op == MEANING_TIME) draw_write(g->d, "t/T");
    for (int i = 0; i < forms[n->op].operands; i++) {
        draw_write(g->d, "%s", i == 0 ? forms[n->op].open : forms[n->op].sign);
        write_formula(g, (const int[]){n->a, n->b, n->c}[i]);
    }
    if (forms[n->op].operands > 0) draw_write(g->d, "%s", forms[n->op].close);
}

/* A gap, or a slip: a sum of coordinates of bodies. */
static void write_sum(const drawing *g, const meaning_element *e, const char *coordinate, const char *unit)
{
    bool is_first = true;
    for (int i = 0; i < g->m->n_bodies; i++) {
        if (e->g[i] == 0) continue;
        draw_write(g->d, "%s%s%d", e->g[i] < 0 ? " - " : is_first ? "" : " + ", coordinate, i + 1);
        is_first = false;
    }
    if (e->offset != 0) draw_write(g->d, " + (%.9g)*%s", e->offset, unit);
    if (e->amplitude != 0) draw_write(g->d, " + %.9g*%s*sin(%.9g*t/T)", e->amplitude, unit, e->frequency);
}

static void write_element(const drawing *g, int number)
{
    const meaning_element *e = &g->m->elements[number];
    static const char *const kinds[] = {"stop", "friction", "contact"}, *const keys[] = {"gap", "slip",
                                                                                         "indentation"};
    draw_write(g->d, "  e%d: {%s: {%s: \"%s", number + 1, kinds[e->kind], keys[e->kind],
               e->kind == MEANING_CONTACT ? "-(" : "");
    write_sum(g, e, e->kind == MEANING_FRICTION ? "v" : "x", e->kind == MEANING_FRICTION ? "V" : "L");
    draw_write(g->d, "%s\", ", e->kind == MEANING_CONTACT ? ")" : "");
    if (e->kind == MEANING_STOP) draw_write(g->d, "restitution: %.9g, ", e->restitution);
    if (e->kind == MEANING_FRICTION)
        draw_write(g->d, "normal: %.9g*F, static: %.9g, kinetic: %.9g, ", e->normal, e->static_mu,
                   e->kinetic_mu);
    if (e->kind == MEANING_CONTACT)
        draw_write(g->d, "law: kelvin-voigt, condition: A, with: {k: %.9g N/m, c: %.9g N s/m}, ", e->stiffness,
                   e->damping);
    draw_write(g->d, "pushes: {");
    bool is_first = true;
    for (int i = 0; i < g->m->n_bodies; i++) {
        if (e->g[i] == 0) continue;
        draw_write(g->d, "%sv%d: %d/m%d", is_first ? "" : ", ", i + 1, e->g[i], i + 1);
        is_first = false;
    }
    draw_write(g->d, "}}}\n");
}

static void write_flow(const drawing *g, int mode, int i)
{
    const meaning_machine *m = g->m;
    const bool is_body = m->n_bodies > 0;
    draw_write(g->d, "%s: \"(", m->names[i]);
    write_formula(g, m->flows[mode][i]);
    if (!is_body) draw_write(g->d, ")/T\"");
    else if (i % 2 == 0) draw_write(g->d, ")*V\"");
    else draw_write(g->d, ")*F/m%d\"", i / 2 + 1);
}

static void write_flows(const drawing *g, int mode)
{
    draw_write(g->d, "flow: {");
    for (int i = 0; i < (g->m->is_family ? 1 : g->m->n_states); i++) {
        if (i > 0) draw_write(g->d, ", ");
        if (g->m->is_family) draw_write(g->d, "for i in 1..N: {\"x[i]\": \"(");
        else write_flow(g, mode, i);
    }
    if (g->m->is_family) write_formula(g, g->m->flows[0][0]), draw_write(g->d, ")/T\"}");
    draw_write(g->d, "}\n");
}

static void write_states(const drawing *g)
{
    const meaning_machine *m = g->m;
    if (m->is_family)
        draw_write(g->d, "  for i in 1..N: {\"x[i]\": {unit: 1, start: \"%.9g*i + (%.9g)\"}}\n", m->slope,
                   m->first);
    for (int i = 0; i < m->n_states && !m->is_family; i++) {
        const char *unit = m->n_bodies == 0 ? "" : i % 2 == 0 ? " m" : " m/s";
        draw_write(g->d, "  %s: {unit: %s, start: %.9g%s}\n", m->names[i], m->n_bodies == 0 ? "1" : unit,
                   m->starts[i], unit);
    }
}

static void write_event(const drawing *g, int number)
{
    const meaning_event *e = &g->m->events[number];
    draw_write(g->d, "      ev%d: {%s: \"", number + 1, e->rises ? "rises" : "falls");
    write_formula(g, e->guard);
    if (e->condition >= 0) draw_write(g->d, "\", if: \""), write_formula(g, e->condition);
    draw_write(g->d, "\", then: {mode: %c", 'a' + e->next);
    if (e->state >= 0) {
        draw_write(g->d, ", %s: \"", g->m->names[e->state]);
        write_formula(g, e->value);
        draw_write(g->d, "\"");
    }
    draw_write(g->d, "}}\n");
}

static void write_modes(const drawing *g)
{
    draw_write(g->d, "modes:\n");
    for (int mode = 0; mode < g->m->n_modes; mode++) {
        draw_write(g->d, "  %c:\n    ", 'a' + mode);
        write_flows(g, mode);
        draw_write(g->d, "    until:\n");
        for (int k = 0; k < g->m->n_events; k++)
            if (g->m->events[k].mode == mode) write_event(g, k);
    }
}

static void write_machine(const drawing *g)
{
    const meaning_machine *m = g->m;
    draw_write(g->d, "parameters: {T: 1 s");
    if (m->is_family) draw_write(g->d, ", N: %d", m->n_states);
    if (m->n_bodies > 0) draw_write(g->d, ", L: 1 m, V: 1 m/s, F: 1 N");
    for (int i = 0; i < m->n_bodies; i++) draw_write(g->d, ", m%d: %.9g kg", i + 1, m->masses[i]);
    draw_write(g->d, "}\nstates:\n");
    write_states(g);
    if (m->n_modes > 1) write_modes(g);
    else write_flows(g, 0);
    if (m->n_elements > 0) draw_write(g->d, "elements:\n");
    for (int i = 0; i < m->n_elements; i++) write_element(g, i);
    draw_write(g->d, "presets: {default: {until: %.9g s}}\n", m->end);
}

/* ---- machines */

static void draw_states(drawing *g, int n)
{
    meaning_machine *m = g->m;
    m->n_states = n;
    for (int i = 0; i < n; i++) {
        snprintf(m->names[i], sizeof m->names[i], "x%d", i + 1);
        m->starts[i] = draw_choice(g->d, 4) ? number(g) : 0;
    }
    draw_quantities(g);
}

static void draw_kinks(drawing *g)
{
    meaning_machine *m = g->m;
    draw_states(g, 1 + draw_choice(g->d, 3));
    do {
        m->n_kinks = 0;
        for (int i = 0; i < m->n_states; i++) m->flows[0][i] = rate(g, i);
    } while (m->n_kinks == 0);
    /* a body with a position */
    if (m->n_states > 1 && draw_choice(g->d, 2)) m->flows[0][0] = state(g, 1);
}

/* An event of a mode that leads to the next one; thresholds of the two modes differ, and so do states after jumps. */
static void draw_event(drawing *g, meaning_event *e, int mode)
{
    const int form = draw_choice(g->d, 5);
    e->mode = mode;
    e->next = form == 4 && e != g->m->events + mode ? mode : 1 - mode;
    e->rises = draw_choice(g->d, 2);
    e->guard = node(g, MEANING_SUBTRACT, quantity(g), constant(g, number(g) / 2 + 0.02 * (1 + mode)), 0);
    e->condition = draw_choice(g->d, 3) == 0 ? comparison(g) : -1;
    e->state = form == 0 ? -1 : draw_choice(g->d, g->m->n_states);
    if (form == 1) e->value = times(g, number(g) / 2, state(g, e->state));
    else if (form == 2) e->value = add(g, state(g, e->state), constant(g, number(g)));
    else e->value = constant(g, number(g) + 0.05);
}

static void draw_modes(drawing *g)
{
    meaning_machine *m = g->m;
    draw_states(g, 1 + draw_choice(g->d, 2));
    m->n_modes = 2;
    for (int mode = 0; mode < m->n_modes; mode++)
        for (int i = 0; i < m->n_states; i++) m->flows[mode][i] = rate(g, i);
    m->n_events = 2 + draw_choice(g->d, 2);
    for (int k = 0; k < m->n_events; k++) draw_event(g, &m->events[k], k % 2);
}

/* The flow of a member of a family. */
static int member(drawing *g, int root, int i)
{
    const meaning_node n = g->m->nodes[root];
    if (n.op == MEANING_CONSTANT || n.op == MEANING_TIME) return root;
    if (n.op == MEANING_STATE && n.a == MEANING_INDEX) return constant(g, i + 1);
    if (n.op == MEANING_STATE && n.a == MEANING_NEXT)
        return i + 1 == g->m->n_states ? constant(g, 0) : state(g, i + 1);
    if (n.op == MEANING_STATE) return state(g, i);
    int of[] = {n.a, n.b, n.c};
    for (int k = 0; k < forms[n.op].operands; k++) of[k] = member(g, of[k], i);
    return node(g, n.op, of[0], of[1], of[2]);
}

static void draw_members(drawing *g)
{
    meaning_machine *m = g->m;
    draw_states(g, 3);
    m->is_family = true;
    m->slope = number(g) / 2;
    m->first = number(g);
    const int self = state(g, MEANING_SELF), next = state(g, MEANING_NEXT);
    g->quantities[0] = self;
    g->quantities[1] = node(g, MEANING_SUBTRACT, next, self, 0);
    g->n_quantities = 2;
    int f = times(g, -fabs(number(g)) / 2, self);
    f = add(g, f, times(g, number(g) / 2, draw_choice(g->d, 2) ? next : state(g, MEANING_INDEX)));
    if (draw_choice(g->d, 2)) f = add(g, f, forcing(g));
    g->is_template = true;
    m->flows[0][0] = add(g, f, times(g, number(g), kink(g, DEPTH)));
    g->is_template = false;
    for (int i = 0; i < m->n_states; i++) m->starts[i] = m->slope * (i + 1) + m->first;
}

/* A force on a body: a constant, a spring, a damper, forcing that may vanish at the start, a kink. */
static int force(drawing *g, int body)
{
    int f = constant(g, draw_choice(g->d, 2) ? 2 * number(g) : 0);
    const int spring = draw_choice(g->d, 5), damper = draw_choice(g->d, 3);
    if (spring < 3) f = node(g, MEANING_SUBTRACT, f, times(g, 4 * (spring + 1), state(g, 2 * body)), 0);
    if (damper > 0) f = node(g, MEANING_SUBTRACT, f, times(g, 0.2 * damper, state(g, 2 * body + 1)), 0);
    if (draw_choice(g->d, 2)) f = add(g, f, times(g, 3, forcing(g)));
    if (body > 0 && draw_choice(g->d, 2)) {
        const int distance = node(g, MEANING_SUBTRACT, state(g, 2 * body - 2), state(g, 2 * body), 0);
        f = add(g, f, times(g, 5, distance));
    }
    return draw_choice(g->d, 6) ? f : add(g, f, times(g, number(g), kink(g, 2)));
}

static void draw_element(drawing *g, meaning_element *e)
{
    meaning_machine *m = g->m;
    const int kind = draw_choice(g->d, 7), body = draw_choice(g->d, m->n_bodies);
    const bool is_pair = body > 0 && draw_choice(g->d, 2);
    e->kind = kind < 3 ? MEANING_STOP : kind < 5 ? MEANING_FRICTION : MEANING_CONTACT;
    e->g[body] = is_pair || draw_choice(g->d, 2) ? 1 : -1;
    if (is_pair) e->g[body - 1] = -1;
    static const double restitutions[] = {0, 0.3, 0.8, 1};
    e->restitution = restitutions[draw_choice(g->d, 4)];
    e->normal = fabs(number(g)) * 2;
    e->kinetic_mu = fabs(number(g)) / 4;
    e->static_mu = draw_choice(g->d, 2) ? e->kinetic_mu : e->kinetic_mu + 0.2;
    e->stiffness = 20 * (1 + draw_choice(g->d, 10));
    e->damping = draw_choice(g->d, 4) * 0.5;
    const int coordinate = e->kind == MEANING_FRICTION;
    e->offset = draw_choice(g->d, 4) ? fabs(number(g)) / 2 : 0;
    for (int i = 0; i < m->n_bodies; i++) e->offset -= e->g[i] * m->starts[2 * i + coordinate];
    if (e->kind == MEANING_STOP && !is_pair && draw_choice(g->d, 6) == 0) {
        e->amplitude = fabs(number(g)) / 10;
        e->frequency = fabs(number(g)) * 3;
    }
    if (fabs(e->offset) < 1e-9) e->offset = 0;
}

/* The force of a contact, against its indentation. */
static int contact_force(drawing *g, const meaning_element *e)
{
    int gap = constant(g, e->offset), speed = constant(g, 0);
    for (int i = 0; i < g->m->n_bodies; i++) {
        if (e->g[i] == 0) continue;
        gap = add(g, gap, times(g, e->g[i], state(g, 2 * i)));
        speed = add(g, speed, times(g, e->g[i], state(g, 2 * i + 1)));
    }
    const int pressed = add(g, times(g, -e->stiffness, gap), times(g, -e->damping, speed));
    return node(g, MEANING_WHERE, node(g, MEANING_LESS, gap, constant(g, 0), 0), pressed, constant(g, 0));
}

/* Flows of members; rates of velocities: forces of flows and contacts over masses. */
static void find_rates(drawing *g)
{
    meaning_machine *m = g->m;
    memcpy(m->rates, m->flows, sizeof m->rates);
    for (int i = 0; i < m->n_states && m->is_family; i++) m->rates[0][i] = member(g, m->flows[0][0], i);
    for (int k = 0; k < m->n_elements; k++) {
        if (m->elements[k].kind != MEANING_CONTACT) continue;
        const int f = contact_force(g, &m->elements[k]);
        for (int i = 0; i < m->n_bodies; i++) {
            int *sum = &m->rates[0][2 * i + 1];
            if (m->elements[k].g[i] != 0) *sum = add(g, *sum, times(g, m->elements[k].g[i], f));
        }
    }
    for (int i = 0; i < m->n_bodies; i++)
        m->rates[0][2 * i + 1] = times(g, 1 / m->masses[i], m->rates[0][2 * i + 1]);
}

static void draw_elements(drawing *g)
{
    meaning_machine *m = g->m;
    m->n_bodies = 1 + (draw_choice(g->d, 2) ? draw_choice(g->d, MEANING_BODIES) : 0);
    m->n_states = 2 * m->n_bodies;
    m->n_elements = 1 + draw_choice(g->d, MEANING_ELEMENTS);
    for (int i = 0; i < m->n_bodies; i++) {
        static const double masses[] = {0.5, 1, 2, 0.3};
        const int x = 2 * i, v = x + 1;
        snprintf(m->names[x], sizeof m->names[0], "x%d", i + 1);
        snprintf(m->names[v], sizeof m->names[0], "v%d", i + 1);
        m->masses[i] = masses[draw_choice(g->d, 4)];
        m->starts[x] = i + (draw_choice(g->d, 2) ? number(g) / 4 : 0);
        m->starts[v] = draw_choice(g->d, 2) ? number(g) : 0;
    }
    draw_quantities(g);
    for (int i = 0; i < m->n_bodies; i++) {
        const int x = 2 * i, v = x + 1;
        m->flows[0][x] = state(g, v);
        m->flows[0][v] = force(g, i);
    }
    for (int i = 0; i < m->n_elements; i++) draw_element(g, &m->elements[i]);
}

void meaning_draw(meaning_machine *machine, draw *d, meaning_kind kind)
{
    static void (*const draws[MEANING_KINDS])(drawing *) = {draw_kinks, draw_elements, draw_modes,
                                                            draw_members};
    memset(machine, 0, sizeof *machine);
    drawing g = {.m = machine, .d = d};
    machine->n_modes = 1;
    machine->end = 2 + draw_choice(d, 3);
    draws[kind](&g);
    write_machine(&g);
    find_rates(&g);
}
