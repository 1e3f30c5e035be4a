/* SPDX-License-Identifier: MIT */
/*
 * The forces of rigid stops at rest and of sticking friction hold velocities w_i at zero. Let the
 * flow be x' = f + sum_j W_j lambda_j, and let a_i be 1 for an active force and 0 otherwise. The
 * forces lambda_i then solve
 *
 *     sum_j a_i a_j D_ij lambda_j + (1 - a_i) lambda_i = -a_i dw_i/dt along f,
 *     D_ij = dw_i/dx . W_j.
 *
 * This one system holds for all combinations of active forces, so that no combination is written
 * out.
 */
#include "casefile/mechanics.h"
#include "casefile/stops.h"

#define GRAPH r->graph
#include "casefile/operators.h"

#include "casefile/mass.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- declaration */

static bool has_type(const ic_element *e, const char *type)
{
    return strcmp(e->type, type) == 0;
}

/* The unit of a delay is that of the state that it delays, which only events change. false: they do not. */
static bool find_delayed_unit(const char **unit, ic_case_reader *r, const ic_yaml *section)
{
    const ic_yaml *input = ic_yaml_get(section, "input");
    const int state = input == NULL || input->kind != IC_YAML_SCALAR ? -1 : ic_reader_state(r, input->text);
    if (state < 0) return true;
    *unit = r->states[state].unit;
    return r->state_discrete[state] ||
           ic_fault_add(
               r->faults, input->place,
               "a delay follows an input that jumps, as the state of a switch; '%s' moves: x(t - tau) of a "
               "state that moves cannot be said yet",
               input->text);
}

bool ic_read_elements(ic_case_reader *r)
{
    static const char *const meanings[] = {"0: free, 1: pressed against the stop",
                                           "1 or -1: slips forwards or backwards, 0: sticks", "1: on, 0: off",
                                           "the input, later", "0: apart, 1: in contact"};
    ic_file_entries entries = {0};
    if (!ic_entries_read(&entries, r, ic_yaml_get(r->root, "elements"), NULL)) return false;
    r->elements = ic_arena_take(r->arena, (entries.n + 1) * sizeof *r->elements);
    if (r->elements == NULL) return false;
    bool good = true;
    for (size_t i = 0; i < entries.n; i++) {
        const ic_file_entry *e = &entries.entries[i];
        if (!ic_known_keys(r->faults, e->value, &ic_schema_element)) return false;
        if (ic_reader_parameter(r, e->name) >= 0)
            return ic_fault_add(r->faults, e->key->place, "'%s' is already a parameter", e->name);
        const ic_key *type = ic_schema_key(&ic_schema_element, e->value->keys[0]->text);
        ic_element *element = &r->elements[r->n_elements++];
        *element = (ic_element){.name = e->name,
                                .type = type->name,
                                .section = e->value->items[0],
                                .indices = e->indices,
                                .force = {.node = IC_NO_NODE},
                                .start = INT(0),
                                .velocity = IC_NO_NODE};
        const char *unit = "1";
        if (has_type(element, "delay") && !find_delayed_unit(&unit, r, element->section)) return false;
        element->state =
            ic_reader_add_discrete(r, e->name, unit, meanings[type - ic_schema_element.keys], e->key->place);
        good = good && element->state >= 0;
        if (has_type(element, "contact")) good = good && ic_declare_contact(r, element, e->key->place);
        if (!has_type(element, "delay")) continue;
        element->since = ic_reader_add_discrete(r, ic_arena_print(r->arena, "%s_since", e->name), "s",
                                                "time of the last change of the delay's input", e->key->place);
        good = good && element->since >= 0;
    }
    return good;
}

/* ---- parts of an element's section */

ic_node ic_element_state(const ic_case_reader *r, const ic_element *e)
{
    return ic_graph_indexed(r->graph, IC_OP_STATE, e->state);
}

bool ic_element_part(ic_case_reader *r, const ic_element *e, const char *key, ic_term *term)
{
    const ic_yaml *text = ic_yaml_get(e->section, key);
    const ic_scope scope = ic_reader_scope(r, e->indices);
    if (text == NULL)
        return ic_fault_add(r->faults, e->section->place, "the %s '%s' has no '%s'", e->type, e->name, key);
    return ic_formula_read(term, text, &scope);
}

/* Reads `pushes`, the change of rates by a unit of the force: {v1: 1/m1, v2: -1/m2}. */
static bool read_pushes(ic_case_reader *r, ic_constraint *c, const ic_yaml *pushes)
{
    ic_file_entries entries = {0};
    ic_dimension force = {.any = true};
    char one[IC_DIMENSION_TEXT], other[IC_DIMENSION_TEXT];
    if (!ic_entries_read(&entries, r, pushes, c->element->indices)) return false;
    for (size_t i = 0; i < entries.n; i++) {
        const ic_file_entry *e = &entries.entries[i];
        const int state = ic_reader_state(r, e->name);
        const ic_scope scope = ic_reader_scope(r, e->indices);
        ic_term term;
        if (state < 0 || r->state_discrete[state])
            return ic_fault_add(r->faults, e->key->place, "'%s' is not a state that a force can change",
                                e->name);
        if (!ic_formula_read(&term, e->value, &scope)) return false;
        c->push[state] = term.node;
        const ic_dimension rate = ic_dimension_product(&r->state_dimensions[state], &ic_second, -1);
        const ic_dimension own = ic_dimension_product(&rate, &term.dimension, -1);
        if (!ic_dimensions_equal(&own, &force))
            return ic_fault_add(r->faults, e->value->place,
                                "units differ: this entry makes the force %s, the entry before makes it %s",
                                ic_dimension_text(one, &own), ic_dimension_text(other, &force));
        force = own;
    }
    c->element->force.dimension = force;
    return true;
}

/* Without `pushes` the change of rates is M^-1 times the gradient (principle of virtual work). */
static bool push_by_mass(ic_case_reader *r, ic_constraint *c, const ic_dimension *velocity)
{
    const size_t n = r->n_mass;
    ic_node right[IC_MAX_STATES];
    ic_node *matrix = ic_arena_take(r->arena, n * n * sizeof *matrix);
    if (matrix == NULL) return false;
    memcpy(matrix, r->mass, n * n * sizeof *matrix);
    for (size_t i = 0; i < n; i++) right[i] = c->gradient[r->mass_velocities[i]];
    ic_graph_solve(r->graph, matrix, right, n);
    for (size_t i = 0; i < n; i++) c->push[r->mass_velocities[i]] = right[i];
    c->element->force.dimension = (ic_dimension){.any = true};
    /* Dimension of the force: that of row i divided by that of the gradient. */
    for (size_t i = 0; i < n; i++) {
        const int v = r->mass_velocities[i];
        const ic_dimension gradient = ic_dimension_product(velocity, &r->state_dimensions[v], -1);
        if (!ic_graph_is(r->graph, c->gradient[v], 0) && !r->mass_forces[i].any)
            c->element->force.dimension = ic_dimension_product(&r->mass_forces[i], &gradient, -1);
    }
    return true;
}

ic_term ic_term_rate(const ic_mechanics *m, const ic_term *term)
{
    return (ic_term){ic_graph_rate(m->r->graph, term->node, m->flow, m->r->n_states),
                     ic_dimension_product(&term->dimension, &ic_second, -1)};
}

/* Sets velocity, gradient and push of a constraint. */
bool ic_constraint_mechanics(ic_mechanics *m, ic_constraint *c, ic_term velocity)
{
    ic_case_reader *r = m->r;
    const ic_yaml *pushes = ic_yaml_get(c->element->section, "pushes");
    size_t velocities = 0;
    int only = -1;
    c->velocity = c->element->velocity = velocity.node;
    for (size_t i = 0; i < r->n_states; i++) {
        c->push[i] = INT(0);
        c->gradient[i] =
            r->state_discrete[i]
                ? INT(0)
                : ic_graph_derivative(r->graph, velocity.node, ic_graph_indexed(r->graph, IC_OP_STATE, (int)i));
        if (c->gradient[i] < 0) return false;
        /*
         * The velocity may also depend on positions. No force changes them at once: their rates are
         * velocities.
         */
        bool position = false;
        for (size_t k = 0; k < r->n_states && !position; k++)
            position = k != i && m->flow[i] == ic_graph_indexed(r->graph, IC_OP_STATE, (int)k);
        if (ic_graph_is(r->graph, c->gradient[i], 0) || position) continue;
        velocities++;
        only = (int)i;
    }
    if (pushes != NULL) return read_pushes(r, c, pushes);
    if (r->n_mass > 0) return push_by_mass(r, c, &velocity.dimension);
    if (velocities != 1)
        return ic_fault_add(
            r->faults, c->element->section->place,
            "the %s '%s' acts on %zu velocities: give its effect on each, pushes: {v1: 1/m1, v2: -1/m2}",
            c->element->type, c->element->name, velocities);
    c->push[only] = c->gradient[only]; /* The mass may have any value. */
    const ic_dimension rate = ic_dimension_product(&r->state_dimensions[only], &ic_second, -1);
    const ic_dimension gradient = ic_dimension_product(&velocity.dimension, &r->state_dimensions[only], -1);
    c->element->force.dimension = ic_dimension_product(&rate, &gradient, -1);
    return true;
}

typedef ic_node mobility_function(const ic_mechanics *m, const ic_constraint *i, const ic_constraint *j);

/* D_ij: change of velocity i by a unit impulse of constraint j. */
static ic_node mobility(const ic_mechanics *m, const ic_constraint *i, const ic_constraint *j)
{
    const ic_case_reader *r = m->r;
    ic_node sum = INT(0);
    for (size_t k = 0; k < r->n_states; k++) sum = ADD(sum, MUL(i->gradient[k], j->push[k]));
    return sum;
}

bool ic_check_sign(const ic_mechanics *m, const ic_constraint *c, const char *wrong, const char *quantity)
{
    ic_case_reader *r = m->r;
    const ic_yaml *pushes = ic_yaml_get(c->element->section, "pushes");
    const ic_scope scope = ic_reader_scope(r, c->element->indices);
    const double effect = scope.constant(mobility(m, c, c), scope.context);
    const bool indents = has_type(c->element, "contact");
    if (!(indents ? effect > 0 : effect < 0)) return true;
    return ic_fault_add(r->faults, (pushes != NULL ? pushes : c->element->section)->place,
                        "the force of '%s' %s: turn the signs of 'pushes' or '%s'", c->element->name, wrong,
                        quantity);
}

/* The same for rates and forces: where a kink slides, its side takes up what would move its argument. */
static ic_node mobility_of_force(const ic_mechanics *m, const ic_constraint *i, const ic_constraint *j)
{
    return j->unknown < 0 ? mobility(m, i, j) : ic_graph_derivative(m->r->graph, i->acceleration, j->unknown);
}

/*
 * The forces (or impulses) of active constraints that change the rate (or value) of velocity i from
 * `given[i]` to zero.
 */
static void solve_constraints(const ic_mechanics *m, ic_node *force, const ic_node *active,
                              const ic_node *given, mobility_function *mobility_of)
{
    const ic_case_reader *r = m->r;
    ic_node matrix[IC_MOST_CONSTRAINTS * IC_MOST_CONSTRAINTS];
    const size_t n = m->n;
    for (size_t i = 0; i < n; i++) {
        bool coupled = mobility_of != mobility && m->constraints[i].unknown >= 0;
        for (size_t j = 0; j < n; j++) {
            const ic_node D = mobility_of(m, &m->constraints[i], &m->constraints[j]);
            coupled = coupled || (i != j && !ic_graph_is(r->graph, D, 0));
            matrix[i * n + j] = MUL(MUL(active[i], active[j]), D);
        }
        force[i] = NEG(MUL(active[i], given[i]));
        /* A constraint without coupling: a lambda = -a given/D. */
        if (!coupled) matrix[i * n + i] = mobility(m, &m->constraints[i], &m->constraints[i]);
        else matrix[i * n + i] = ADD(matrix[i * n + i], SUB(INT(1), active[i]));
    }
    ic_graph_solve(r->graph, matrix, force, n);
}

/* ---- states after events */

ic_node *ic_same_states(const ic_case_reader *r)
{
    ic_node *states = ic_arena_take(r->arena, IC_MAX_STATES * sizeof *states);
    for (size_t i = 0; states != NULL && i < r->n_states; i++)
        states[i] = ic_graph_indexed(r->graph, IC_OP_STATE, (int)i);
    return states;
}

/* The value of a node after its states have been replaced by `states`. */
static ic_node at_states(const ic_case_reader *r, ic_node node, const ic_node *states)
{
    ic_node own[IC_MAX_STATES];
    for (size_t i = 0; i < r->n_states; i++) own[i] = ic_graph_indexed(r->graph, IC_OP_STATE, (int)i);
    return ic_graph_substitute(r->graph, node, own, states, r->n_states);
}

ic_element_guard *ic_element_add_guard(ic_mechanics *m, const ic_element *e, const char *suffix,
                                       const char *meaning, int direction, ic_term value)
{
    ic_element_guard *g = &m->guards->guards[m->guards->n++];
    *g = (ic_element_guard){.name = ic_arena_print(m->r->arena, "%s%s", e->name, suffix),
                            .meaning = meaning,
                            .direction = direction,
                            .value = value,
                            .enabled = IC_NO_NODE,
                            .arena = m->r->arena};
    return g;
}

/* The branch keeps a pointer to `states`, which are settled later. */
// NOLINTNEXTLINE(readability-non-const-parameter)
ic_element_branch *ic_element_add_branch(ic_element_guard *g, ic_node condition, ic_node *states)
{
    ic_element_branch *b = ic_arena_append(g->arena, &g->branches, &g->n_branches, sizeof *b);
    if (b == NULL) b = &g->spare;
    *b = (ic_element_branch){.condition = condition, .states = states, .departs = -1};
    return b;
}

/* ---- requirements */

/* Whether a constant depends on a parameter, so that its value is known for each run only. */
static bool uses_parameter(const ic_case_reader *r, ic_node node)
{
    bool uses = false;
    for (size_t i = 0; i < r->n_parameters && !uses; i++)
        uses = ic_graph_uses(r->graph, node, ic_graph_indexed(r->graph, IC_OP_PARAMETER, (int)i));
    return uses;
}

/*
 * Requires that a quantity, `excess`, is not positive. If it is a number, the file is at fault; if
 * it depends on parameters, every run checks it; if it varies during a run, nothing does.
 */
static bool require(ic_case_reader *r, ic_file_place place, ic_node excess, const char *meaning)
{
    const ic_scope scope = ic_reader_scope(r, NULL);
    if (excess < 0 || meaning == NULL) return false;
    if (r->graph->nodes[excess].varies != 0) return true;
    for (size_t i = 0; i < r->n_requirements; i++) {
        if (strcmp(r->requirements[i].meaning, meaning) == 0) return true;
    }
    const char *positive =
        uses_parameter(r, excess) ? ic_reader_condition_text(r, IF_POSITIVE(excess, INT(-1), INT(1))) : NULL;
    /* A formula without a text cannot be checked by runs either, but its default value can. */
    if (positive == NULL)
        return !(scope.constant(excess, scope.context) > 0) ||
               ic_fault_add(r->faults, place, "this requirement is not met: %s", meaning);
    ic_requirement *required =
        ic_arena_append(r->arena, &r->requirements, &r->n_requirements, sizeof *required);
    if (required != NULL) *required = (ic_requirement){positive, meaning};
    return required != NULL;
}

/* ---- stops whose bodies friction holds */

static bool is_stop(const ic_mechanics *m, size_t i)
{
    return has_type(m->constraints[i].element, "stop");
}

/*
 * The share of holder j in the rate of the gap, from a state that changes no holder after it; `left` is the
 * gradient that remains. false: it has none.
 */
static bool find_share(const ic_mechanics *m, ic_hold *h, size_t j, const size_t *later, ic_node *left)
{
    const ic_case_reader *r = m->r;
    const ic_constraint *own = &m->constraints[h->holder[j]];
    size_t i = 0;
    while (i < r->n_states &&
           (ic_graph_is(r->graph, own->gradient[i], 0) ||
            (later != NULL && !ic_graph_is(r->graph, m->constraints[*later].gradient[i], 0))))
        i++;
    if (i == r->n_states || ic_graph_is(r->graph, left[i], 0)) return false;
    h->share[j] = DIV(left[i], own->gradient[i]);
    const size_t by = i; /* no rest there, though its formula may not show it */
    for (i = 0; i < r->n_states; i++)
        left[i] = i == by ? INT(0) : SUB(left[i], MUL(h->share[j], own->gradient[i]));
    return true;
}

/* Whether the rate of the gap of a stop follows from what its holders hold; sets shares and u. */
static bool find_hold(const ic_mechanics *m, ic_hold *h)
{
    const ic_case_reader *r = m->r;
    const ic_constraint *stop = &m->constraints[h->stop];
    ic_node *zero = ic_same_states(r), *none = ic_same_states(r), *left = ic_same_states(r), u = stop->velocity;
    if (zero == NULL || none == NULL || left == NULL) return false;
    bool found = false;
    for (size_t first = 0; first < h->n && !found; first++) {
        memcpy(left, stop->gradient, r->n_states * sizeof *left);
        found = find_share(m, h, first, h->n > 1 ? &h->holder[1 - first] : NULL, left) &&
                (h->n == 1 || find_share(m, h, 1 - first, NULL, left));
    }
    for (size_t i = 0; i < r->n_states && found; i++) {
        found = ic_graph_is(r->graph, left[i], 0);
        none[i] = INT(0);
        if (!r->state_discrete[i]) zero[i] = INT(0);
    }
    if (!found) return false;
    for (size_t j = 0; j < h->n; j++) u = SUB(u, MUL(h->share[j], m->constraints[h->holder[j]].velocity));
    u = at_states(r, u, zero); /* It depends on no state, though its formula may contain them. */
    h->drift = ic_graph_rate(r->graph, u, none, r->n_states);
    /* A product, unlike a choice, keeps formulas affine. */
    h->still = ic_graph_is(r->graph, h->drift, 0) ? SUB(INT(1), ic_graph_one(r->graph, IC_OP_SIGN, MUL(u, u)))
                                                  : INT(0);
    return true;
}

/* Finds what holds the gaps of stops: a friction, two frictions, or a friction and an earlier stop. */
static bool find_holds(ic_mechanics *m)
{
    for (size_t k = 0; k < m->n; k++) {
        for (size_t i = 0; i < m->n && is_stop(m, k); i++) {
            for (size_t j = 0; j < m->n && !is_stop(m, i); j++) {
                ic_hold found = {.stop = k, .n = j == i ? 1 : 2, .holder = {i, j}};
                if ((is_stop(m, j) ? j >= k : j < i) || !find_hold(m, &found)) continue;
                ic_hold *h = ic_arena_append(m->r->arena, &m->holds, &m->n_holds, sizeof *h);
                if (h == NULL) return false;
                *h = found;
            }
        }
    }
    return true;
}

/* 1 if a friction sticks, or a stop is closed. */
static ic_node is_stuck(const ic_mechanics *m, size_t i)
{
    const ic_case_reader *r = m->r;
    const ic_node s = ic_element_state(r, m->constraints[i].element);
    return is_stop(m, i) ? s : SUB(INT(1), MUL(s, s));
}

/* 1 if a or b is 1, which are 0 or 1. */
static ic_node either(const ic_mechanics *m, ic_node a, ic_node b)
{
    const ic_case_reader *r = m->r;
    return SUB(INT(1), MUL(SUB(INT(1), a), SUB(INT(1), b)));
}

/* x if a, which is 0 or 1, is 1; otherwise y. */
static ic_node select_by(const ic_mechanics *m, ic_node a, ic_node x, ic_node y)
{
    const ic_case_reader *r = m->r;
    return ADD(MUL(a, x), MUL(SUB(INT(1), a), y));
}

static bool is_in(const ic_hold *h, size_t friction)
{
    return h->holder[0] == friction || h->holder[1] == friction;
}

static ic_node others_hold(const ic_mechanics *m, const ic_hold *h, size_t except);

/* 1 if the gap of stop k is held, so that it carries no force; `frictions`: by these, without other stops. */
static ic_node is_idle_by(const ic_mechanics *m, size_t k, bool frictions)
{
    const ic_case_reader *r = m->r;
    ic_node idle = INT(0);
    for (size_t i = 0; i < m->n_holds; i++) {
        const ic_hold *h = &m->holds[i];
        if (h->stop != k || (frictions && is_stop(m, h->holder[1]))) continue;
        idle = either(m, idle, others_hold(m, h, SIZE_MAX));
    }
    return idle;
}

/*
 * 1 if the frictions of a hold, `except` one, hold their velocities: they stick, or another stop holds their
 * velocity.
 */
static ic_node others_hold(const ic_mechanics *m, const ic_hold *h, size_t except)
{
    const ic_case_reader *r = m->r;
    ic_node all = h->still;
    for (size_t j = 0; j < h->n; j++) {
        ic_node one = is_stuck(m, h->holder[j]);
        for (size_t i = 0; i < m->n_holds && h->n > 1; i++) {
            const ic_hold *by = &m->holds[i];
            if (by->n > 1 || by->stop == h->stop || by->holder[0] != h->holder[j]) continue;
            one = either(m, one, MUL(by->still, ic_element_state(r, m->constraints[by->stop].element)));
        }
        /* Of two stops that hold each other, one must carry a force. */
        if (is_stop(m, h->holder[j])) one = MUL(one, SUB(INT(1), is_idle_by(m, h->holder[j], true)));
        if (h->holder[j] != except) all = MUL(all, one);
    }
    return all;
}

/* 1 if friction, or friction and another stop, hold the gap of stop k. */
static ic_node is_idle(const ic_mechanics *m, size_t k)
{
    return is_idle_by(m, k, false);
}

/*
 * 1 if a friction of a hold is at its limit and drives its body against the stop, which carries what friction
 * cannot: the body is at rest in the state in which friction slips.
 */
static ic_node is_braced(const ic_mechanics *m, const ic_hold *h, size_t friction)
{
    const ic_case_reader *r = m->r;
    const ic_node closed = ic_element_state(r, m->constraints[h->stop].element);
    return MUL(MUL(closed, SUB(INT(1), is_stuck(m, friction))), others_hold(m, h, friction));
}

/* 1 if stop k braces a friction. */
static ic_node braces(const ic_mechanics *m, size_t k)
{
    const ic_case_reader *r = m->r;
    ic_node any = INT(0);
    for (size_t i = 0; i < m->n_holds; i++) {
        const ic_hold *h = &m->holds[i];
        for (size_t j = 0; j < h->n && h->stop == k; j++) {
            if (!is_stop(m, h->holder[j])) any = either(m, any, is_braced(m, h, h->holder[j]));
        }
    }
    return any;
}

/* ---- stops */

/* Marks the pressed stops to which an impulse of stop k is transmitted from body to body. */
static void find_reached(const ic_mechanics *m, size_t k, bool *reached)
{
    bool more = true;
    for (size_t i = 0; i < m->n; i++) reached[i] = i == k;
    while (more) {
        more = false;
        for (size_t i = 0; i < m->n; i++) {
            if (reached[i] || !has_type(m->constraints[i].element, "stop")) continue;
            for (size_t j = 0; j < m->n && !reached[i]; j++)
                reached[i] = reached[j] &&
                             !ic_graph_is(m->r->graph, mobility(m, &m->constraints[i], &m->constraints[j]), 0);
            more = more || reached[i];
        }
    }
}

/*
 * An impulse that changes one state v only: w becomes -e w by v - w/(dw/dv) - e w/(dw/dv), whatever the
 * mass is. If v is w or -w, it is exactly 0 for e = 0. Returns the state; -1: the impulse changes several.
 */
static int stop_single_velocity(const ic_mechanics *m, const ic_constraint *c, ic_node e, ic_node *states,
                                ic_node *changes)
{
    const ic_case_reader *r = m->r;
    int only = -1;
    for (size_t i = 0; i < r->n_states; i++) {
        changes[i] = INT(0);
        if (ic_graph_is(r->graph, c->push[i], 0)) continue;
        if (only >= 0) return -1;
        only = (int)i;
    }
    if (only < 0) return -1;
    const ic_node change = DIV(c->velocity, c->gradient[only]);
    changes[only] = NEG(MUL(ADD(INT(1), e), change));
    states[only] = SUB(SUB(states[only], change), MUL(e, change));
    return only;
}

/* 1 if stops that are closed after an impulse hold the velocity of friction i at no slip. `stands`: by stop, 1 then. */
static ic_node is_kept(const ic_mechanics *m, size_t i, const ic_node *stands)
{
    const ic_case_reader *r = m->r;
    ic_node kept = INT(0);
    for (size_t k = 0; k < m->n_holds; k++) {
        const ic_hold *h = &m->holds[k];
        const bool alone = h->n == 1;
        if (h->holder[0] != i || (!alone && !is_stop(m, h->holder[1]))) continue;
        kept = either(m, kept, MUL(MUL(h->still, stands[h->stop]), alone ? INT(1) : stands[h->holder[1]]));
    }
    return kept;
}

/*
 * Frictions after impulses of stops. Where the slip is zero by theorem, the sign of its formula would be that of a
 * rounding error: friction that sticks has the slip that the impulse gives it, and friction whose velocity stops
 * hold then keeps its state. `changes` are those of the states.
 */
static void settle_frictions(const ic_mechanics *m, const ic_node *changes, const ic_node *stands,
                             ic_node *states)
{
    const ic_case_reader *r = m->r;
    for (size_t i = 0; i < m->n; i++) {
        const ic_constraint *c = &m->constraints[i];
        ic_node change = INT(0);
        for (size_t k = 0; k < r->n_states && !is_stop(m, i); k++)
            change = ADD(change, MUL(c->gradient[k], changes[k]));
        if (ic_graph_is(r->graph, change, 0)) continue;
        const ic_node own = ic_element_state(r, c->element);
        const ic_node slip = IF_POSITIVE(is_stuck(m, i), change, at_states(r, c->velocity, states));
        const ic_node state = IF_POSITIVE(slip, INT(1), IF_POSITIVE(NEG(slip), INT(-1), own));
        states[c->element->state] = IF_POSITIVE(is_kept(m, i, stands), own, state);
    }
}

/*
 * The state after the impulse that changes the velocity of stop k to -e times its value. Stops at
 * rest hold. If `lets_go`, a stop that would have to pull is released. Friction transmits no
 * impulse.
 */
static ic_node *state_after_impulse(const ic_mechanics *m, size_t k, ic_node e, bool lets_go)
{
    ic_case_reader *r = m->r;
    ic_node active[IC_MOST_CONSTRAINTS] = {0}, given[IC_MOST_CONSTRAINTS] = {0}, impulse[IC_MOST_CONSTRAINTS];
    ic_node *states = ic_same_states(r);
    bool coupled = false, reached[IC_MOST_CONSTRAINTS];
    ic_node changes[IC_MAX_STATES];
    if (states == NULL) return NULL;
    find_reached(m, k, reached);
    for (size_t i = 0; i < m->n; i++) {
        const ic_constraint *c = &m->constraints[i];
        const bool touches = reached[i] && i != k;
        active[i] = i == k ? INT(1) : touches ? ic_element_state(r, c->element) : INT(0);
        given[i] = i == k ? MUL(ADD(INT(1), e), c->velocity) : INT(0);
        coupled = coupled || touches;
    }
    const bool single = !coupled && stop_single_velocity(m, &m->constraints[k], e, states, changes) >= 0;
    if (!single) solve_constraints(m, impulse, active, given, mobility);
    /* Release the stops that would have to pull. */
    for (size_t i = 0; i < m->n && coupled && lets_go; i++) {
        if (i == k || ic_graph_is(r->graph, active[i], 0)) continue;
        active[i] = IF_POSITIVE(active[i], IF_POSITIVE(NEG(impulse[i]), INT(0), INT(1)), INT(0));
        states[m->constraints[i].element->state] = active[i];
    }
    if (coupled && lets_go) solve_constraints(m, impulse, active, given, mobility);
    for (size_t s = 0; s < r->n_states && !single; s++) {
        changes[s] = INT(0);
        for (size_t i = 0; i < m->n; i++)
            changes[s] = ADD(changes[s], MUL(m->constraints[i].push[s], impulse[i]));
        states[s] = ADD(states[s], changes[s]);
    }
    active[k] = INT(ic_graph_is(r->graph, e, 0));
    /* An impulse that only removes rounding changes no friction. */
    if (lets_go) settle_frictions(m, changes, active, states);
    return states;
}

static ic_node *state_after_impact(const ic_mechanics *m, size_t k, ic_node e)
{
    return state_after_impulse(m, k, e, true);
}

bool ic_read_restitution(ic_case_reader *r, const ic_element *e, ic_term *restitution)
{
    const ic_yaml *given = ic_yaml_get(e->section, "restitution");
    const char *meaning = ic_arena_print(r->arena, "the restitution of '%s' is from 0 to 1", e->name);
    *restitution = (ic_term){.node = INT(0)};
    if (given == NULL) return true;
    if (!ic_element_part(r, e, "restitution", restitution)) return false;
    if (!ic_dimension_is_none(&restitution->dimension))
        return ic_fault_add(r->faults, given->place, "units differ: a coefficient of restitution has no unit");
    /* |2 e - 1| <= 1 */
    const ic_node from_middle = ic_graph_one(r->graph, IC_OP_ABS, SUB(MUL(INT(2), restitution->node), INT(1)));
    return require(r, given->place, SUB(from_middle, INT(1)), meaning);
}

static bool add_stop_guards(ic_mechanics *m, size_t k)
{
    ic_case_reader *r = m->r;
    ic_constraint *c = &m->constraints[k];
    ic_element *e = c->element;
    const ic_node s = ic_element_state(r, e);
    const int own = (int)m->guards->n;
    ic_term restitution;
    if (!ic_read_restitution(r, e, &restitution)) return false;
    c->restitution = restitution.node;
    ic_term value = c->gap;
    value.node = IF_POSITIVE(s, INT(1), c->gap.node);
    c->guard = own;
    ic_element_guard *hit = ic_element_add_guard(m, e, "", "the stop is hit", -1, value);
    hit->onset = IC_ONSET_NEAR;
    ic_node *bounced = state_after_impact(m, k, restitution.node), *rests = state_after_impact(m, k, INT(0));
    /*
     * The remaining velocity is rounding, and its sign is arbitrary. Pressed stops therefore stay
     * pressed.
     */
    ic_node *left = state_after_impulse(m, k, INT(0), false), *limit = state_after_impulse(m, k, INT(0), false);
    if (bounced == NULL || rests == NULL || limit == NULL || left == NULL) return false;
    rests[e->state] = limit[e->state] = INT(1);
    bounced[e->state] = INT(0);
    ic_element_add_branch(hit, NEG(MUL(restitution.node, c->velocity)), bounced);
    /* The force, or its rate where it is zero, then decides whether the body stays (`leaves`). */
    ic_element_add_branch(hit, IC_NO_NODE, rests);
    hit->limit = limit;
    const ic_node carries = MUL(SUB(INT(1), is_idle(m, k)), SUB(INT(1), braces(m, k)));
    const ic_term force = {IF_POSITIVE(s, select_by(m, carries, c->force, INT(1)), INT(1)), e->force.dimension};
    ic_element_guard *leave = ic_element_add_guard(
        m, e, " leaves", "the body leaves the stop: the contact force has fallen to zero", -1, force);
    leave->onset = IC_ONSET_LEVEL;
    left[e->state] = INT(0);
    /* Friction that this stop has kept at its limit sticks, and holds the body that has let go of the stop. */
    for (size_t i = 0; i < m->n_holds; i++) {
        const ic_hold *h = &m->holds[i];
        ic_node *held = ic_same_states(r);
        if (held == NULL) return false;
        held[e->state] = held[m->constraints[h->holder[0]].element->state] = INT(0);
        if (h->holder[1] == k)
            ic_element_add_branch(leave, is_braced(m, h, h->holder[0]), held)->rounding = true;
    }
    ic_element_branch *b = ic_element_add_branch(leave, IC_NO_NODE, left);
    b->rounding = true;
    b->departs = own;
    b->order = 3;
    b->side = 1;
    /* A body that begins at rest in touch is held by friction, if that sticks. */
    const ic_node idle = IF_POSITIVE(is_idle(m, k), INT(1), INT(0));
    e->start = ic_graph_is(r->graph, idle, 0) ? idle : IF_POSITIVE(MUL(c->gap.node, c->gap.node), INT(0), idle);
    return true;
}

/* Size of the terms of a quantity q: the sum of |dq/dx_i x_i|. */
static ic_node size_of_terms(ic_case_reader *r, ic_node quantity, const ic_node *states)
{
    ic_node sum = INT(0);
    for (size_t i = 0; i < r->n_states; i++) {
        if (r->state_discrete[i]) continue;
        const ic_node own = ic_graph_indexed(r->graph, IC_OP_STATE, (int)i);
        const ic_node term = MUL(ic_graph_derivative(r->graph, quantity, own), own);
        sum = ADD(sum, ic_graph_one(r->graph, IC_OP_ABS, term));
    }
    return states == NULL ? sum : at_states(r, sum, states);
}

/* 1 or -1 by the sign of a quantity; `zero` where it is rounding, which is 1e-14 of its terms. */
static ic_node sign_of(ic_case_reader *r, ic_node quantity, const ic_node *states, ic_node zero)
{
    const ic_node size = size_of_terms(r, quantity, states), many = MUL(INT(1000000), INT(100000000));
    const ic_node value = MUL(many, states == NULL ? quantity : at_states(r, quantity, states));
    return IF_POSITIVE(SUB(value, size), INT(1), IF_POSITIVE(NEG(ADD(value, size)), INT(-1), zero));
}

/* ---- friction */

typedef struct friction_terms {
    ic_term normal, mu_static, mu_kinetic;
} friction_terms;

/*
 * Requires that static friction is not below kinetic friction. Otherwise a body that begins to
 * stick would slip again at once, driven by friction.
 */
static bool require_static(ic_case_reader *r, const ic_element *e, const friction_terms *f, ic_node slip)
{
    const ic_yaml *given = ic_yaml_get(e->section, "static");
    const char *meaning =
        ic_arena_print(r->arena, "static friction of '%s' is not below its kinetic friction", e->name);
    if (given == NULL) return true;
    /* Bodies stick where the slip is zero. */
    const ic_node below = SUB(f->mu_kinetic.node, f->mu_static.node), zero = INT(0);
    return require(r, given->place, ic_graph_substitute(r->graph, below, &slip, &zero, 1), meaning);
}

static bool read_friction(ic_case_reader *r, const ic_element *e, friction_terms *f, ic_node slip)
{
    if (!ic_known_keys(r->faults, e->section, &ic_schema_friction)) return false;
    if (!ic_element_part(r, e, "normal", &f->normal) || !ic_element_part(r, e, "kinetic", &f->mu_kinetic))
        return false;
    f->mu_static = f->mu_kinetic;
    if (ic_yaml_get(e->section, "static") != NULL && !ic_element_part(r, e, "static", &f->mu_static))
        return false;
    if (ic_dimension_is_none(&f->mu_kinetic.dimension) && ic_dimension_is_none(&f->mu_static.dimension))
        return require_static(r, e, f, slip);
    return ic_fault_add(r->faults, e->section->place, "units differ: a coefficient of friction has no unit");
}

/* Adds a branch with the departure of the slip from zero. */
static ic_element_branch *add_slipping(const ic_mechanics *m, size_t k, ic_element_guard *g, ic_node condition,
                                       ic_node *states, int order)
{
    ic_element_branch *b = ic_element_add_branch(g, condition, states);
    b->departs = m->constraints[k].guard;
    b->order = order;
    b->side = 1;
    return b;
}

/* Adds slipping under a condition, by which a guard opens with an order that is `later` than that of the slip. */
static void add_slipping_that_opens(const ic_mechanics *m, size_t k, ic_element_guard *g, ic_node condition,
                                    ic_node drop, ic_node *after, const int *opens, int later)
{
    const ic_case_reader *r = m->r;
    for (int order = ic_graph_is(r->graph, drop, 0) ? 2 : 1; order <= 2; order++) {
        ic_element_branch *b = add_slipping(m, k, g, MUL(condition, order == 1 ? drop : INT(1)), after, order);
        b->opens = opens;
        b->opens_order = order + later;
    }
}

/*
 * Friction that breaks towards a closed stop drives its body against it; away from it, it opens the stop. In a
 * pair whose stop carries a force, the other friction is at its limit: it sticks again, or both bodies move on.
 */
static bool add_breaking_at_stops(const ic_mechanics *m, size_t k, ic_element_guard *g, int side, ic_node drop)
{
    const ic_case_reader *r = m->r;
    const int own = m->constraints[k].element->state;
    for (size_t i = 0; i < m->n_holds; i++) {
        const ic_hold *h = &m->holds[i];
        if (!is_in(h, k)) continue;
        const size_t at = h->holder[0] != k, other = h->n > 1 ? h->holder[1 - at] : k;
        const ic_constraint *stop = &m->constraints[h->stop], *pair = &m->constraints[other];
        const ic_node opening = MUL(INT(side), h->share[at]);
        const ic_node closed = ic_element_state(r, stop->element);
        const ic_node idle = MUL(closed, others_hold(m, h, SIZE_MAX));
        ic_node *braced = ic_same_states(r), *opened = ic_same_states(r), *swapped = ic_same_states(r);
        if (braced == NULL || opened == NULL || swapped == NULL) return false;
        braced[own] = opened[own] = swapped[own] = INT(side);
        opened[stop->element->state] = INT(0);
        ic_element_add_branch(g, MUL(idle, NEG(opening)), braced);
        add_slipping_that_opens(m, k, g, MUL(idle, opening), drop, opened, &stop->guard, 1);
        if (h->n == 1 || is_stop(m, other)) continue;
        const ic_node limited = is_braced(m, h, other);
        swapped[pair->element->state] = INT(0);
        ic_element_add_branch(g, MUL(limited, NEG(opening)), swapped);
        add_slipping_that_opens(m, k, g, MUL(limited, opening), drop, braced, &pair->guard, 0);
    }
    return true;
}

/* 1 if the force of a constraint moves its velocity: not so while a kink slides that holds it, but for rounding. */
static ic_node moves(const ic_mechanics *m, const ic_constraint *c)
{
    const ic_case_reader *r = m->r;
    const ic_node effect = ic_graph_one(r->graph, IC_OP_ABS, mobility_of_force(m, c, c));
    const ic_node free = ic_graph_one(r->graph, IC_OP_ABS, mobility(m, c, c));
    return IF_POSITIVE(SUB(MUL(INT(1000000000), effect), free), INT(1), INT(0));
}

/*
 * The force by which a friction holds its slip. One that moves nothing, while a kink slides that determines the slip, cannot
 * hold it where it changes: the force is then large.
 */
static ic_node holding_force(const ic_mechanics *m, const ic_constraint *c)
{
    const ic_case_reader *r = m->r;
    if (c->unknown < 0) return c->force;
    const ic_node change = ic_graph_rate(r->graph, c->velocity, m->flow, r->n_states);
    return IF_POSITIVE(moves(m, c), c->force, MUL(INT(-1000000000), change));
}

/* Adds the guard at which static friction breaks towards `side`. */
static bool add_breaking(ic_mechanics *m, size_t k, const friction_terms *f, int side)
{
    ic_case_reader *r = m->r;
    const ic_constraint *c = &m->constraints[k];
    const ic_node s = ic_element_state(r, c->element), limit = MUL(f->mu_static.node, f->normal.node);
    const ic_node force = holding_force(m, c), margin = side < 0 ? SUB(limit, force) : ADD(limit, force);
    const ic_term value = {IF_POSITIVE(MUL(s, s), INT(1), margin), c->element->force.dimension};
    ic_element_guard *breaks =
        ic_element_add_guard(m, c->element, side < 0 ? " slips backwards" : " slips forwards",
                             "static friction does not hold any more", -1, value);
    breaks->onset = IC_ONSET_LEVEL;
    /* What sticks has no slip, where kinetic friction may equal the static one: mu_k + (mu_s - mu_k)*exp(-v^2) */
    const ic_node zero = INT(0),
                  drop = ic_graph_substitute(r->graph, SUB(f->mu_static.node, f->mu_kinetic.node), &c->velocity,
                                             &zero, 1);
    ic_node *after = ic_same_states(r);
    if (after == NULL || !add_breaking_at_stops(m, k, breaks, side, drop)) return false;
    after[c->element->state] = INT(side);
    for (int order = ic_graph_is(r->graph, drop, 0) ? 2 : 1; order <= 2; order++)
        add_slipping(m, k, breaks, order == 1 ? drop : IC_NO_NODE, after, order);
    return true;
}

/* 1 if a closed stop, directly or by other bodies, makes the slips of friction k and i vanish together. */
static bool find_joined(const ic_mechanics *m, size_t k, ic_node *joined)
{
    const ic_case_reader *r = m->r;
    bool any = false;
    for (size_t i = 0; i < m->n; i++) joined[i] = INT(i == k);
    for (size_t pass = 0; pass < m->n_holds; pass++) {
        for (size_t i = 0; i < m->n_holds; i++) {
            const ic_hold *h = &m->holds[i];
            if (h->n == 1 || is_stop(m, h->holder[1])) continue;
            const size_t a = h->holder[0], b = h->holder[1];
            const ic_node closed = MUL(h->still, ic_element_state(r, m->constraints[h->stop].element));
            if (a != k) joined[a] = either(m, joined[a], MUL(closed, joined[b]));
            if (b != k) joined[b] = either(m, joined[b], MUL(closed, joined[a]));
            any = any || is_in(h, k);
        }
    }
    return any;
}

/* 1 if stop i is closed, and opens if friction k sticks: what else holds does not keep its gap then. */
static ic_node may_open(const ic_mechanics *m, size_t i, size_t k)
{
    const ic_case_reader *r = m->r;
    ic_node closed = ic_element_state(r, m->constraints[i].element);
    for (size_t n = 0; n < m->n_holds; n++) {
        const ic_hold *h = &m->holds[n];
        const bool by_other = h->n > 1 && h->holder[1] == i && h->holder[0] == k;
        if (!ic_graph_is(r->graph, h->drift, 0) || !(by_other || (h->stop == i && is_in(h, k)))) continue;
        const size_t other = by_other ? h->stop : h->holder[h->holder[0] == k];
        closed = h->n == 1 ? INT(0) : MUL(closed, SUB(INT(1), is_stuck(m, other)));
    }
    return closed;
}

/*
 * Branches of the end of slip where a closed stop matters. Bodies that move together stop together, and all their
 * frictions stick. Where a surface or another body moves past a pressed body, the slip passes through zero, or takes it away.
 */
static bool add_sticking_at_stops(const ic_mechanics *m, size_t k, ic_element_guard *g, ic_node limit)
{
    const ic_case_reader *r = m->r;
    const int own = m->constraints[k].element->state;
    ic_node joined[IC_MOST_CONSTRAINTS], several = INT(0);
    ic_node *together = ic_same_states(r), *passes = ic_same_states(r);
    if (together == NULL || passes == NULL) return false;
    const bool any = find_joined(m, k, joined);
    for (size_t i = 0; i < m->n && any; i++) {
        const int state = m->constraints[i].element->state;
        together[state] = IF_POSITIVE(joined[i], INT(0), together[state]);
        if (i != k) several = either(m, several, joined[i]);
    }
    if (any) ic_element_add_branch(g, several, together)->rounding = true;
    for (size_t i = 0; i < m->n; i++) {
        const ic_constraint *stop = &m->constraints[i];
        const ic_node closed = is_stop(m, i) ? may_open(m, i, k) : INT(0);
        const bool coupled = !ic_graph_is(r->graph, mobility(m, stop, &m->constraints[k]), 0);
        ic_node *taken = ic_same_states(r);
        if (taken == NULL) return false;
        if (ic_graph_is(r->graph, closed, 0) || !coupled) continue;
        taken[own] = taken[stop->element->state] = INT(0);
        const ic_node hold = at_states(r, m->constraints[k].force, taken);
        const ic_node holds = ic_graph_two(r->graph, IC_OP_MIN, SUB(limit, hold), ADD(limit, hold));
        const ic_node rate = ic_graph_rate(r->graph, stop->velocity, m->flow, r->n_states);
        const ic_node opening = MUL(closed, at_states(r, rate, taken));
        ic_element_branch *b =
            ic_element_add_branch(g, ic_graph_two(r->graph, IC_OP_MIN, opening, holds), taken);
        b->opens = &stop->guard;
        b->opens_order = 2;
    }
    passes[own] = NEG(passes[own]);
    for (size_t i = 0; i < m->n_holds; i++) {
        const ic_hold *h = &m->holds[i];
        if (h->n == 1 && h->holder[0] == k && !ic_graph_is(r->graph, h->drift, 0))
            add_slipping(m, k, g, ic_element_state(r, m->constraints[h->stop].element), passes, 1);
    }
    return true;
}

/* Adds the guard at which the stop against which friction drives a body carries nothing any more. */
static bool add_release(ic_mechanics *m, size_t k)
{
    const ic_case_reader *r = m->r;
    const ic_element *e = m->constraints[k].element;
    ic_term value = {INT(1), e->force.dimension};
    bool any = false;
    /* A stop that frictions alone hold decides before one that another stop holds, too, which has `leaves`. */
    for (size_t i = 0; i < 2 * m->n_holds; i++) {
        const ic_hold *h = &m->holds[i % m->n_holds];
        const bool by_stop = h->n > 1 && is_stop(m, h->holder[1]);
        if (!is_in(h, k) || by_stop != (i < m->n_holds)) continue;
        any = true;
        value.node = select_by(m, is_braced(m, h, k), m->constraints[h->stop].force, value.node);
    }
    if (!any) return true;
    ic_node *stuck = ic_same_states(r);
    if (stuck == NULL) return false;
    stuck[e->state] = INT(0);
    ic_element_guard *g =
        ic_element_add_guard(m, e, " sticks", "friction alone holds the body at a stop", -1, value);
    g->onset = IC_ONSET_LEVEL;
    ic_element_add_branch(g, IC_NO_NODE, stuck)->rounding = true;
    return true;
}

/*
 * Branches of the end of slip by which another friction, stuck so far, breaks: it cannot hold beside friction k if that
 * sticks, and friction k holds once it slips. `all`: states where both stick, `hold` the force of k there.
 */
static bool add_sticking_that_breaks(const ic_mechanics *m, size_t k, ic_element_guard *g, ic_node limit,
                                     const ic_node *all, ic_node hold)
{
    const ic_case_reader *r = m->r;
    const ic_node excess = SUB(ic_graph_one(r->graph, IC_OP_ABS, hold), limit);
    for (size_t n = 0; n < 2 * m->n; n++) {
        const ic_constraint *other = &m->constraints[n / 2];
        const ic_node side = INT(n % 2 == 0 ? 1 : -1), lead = NEG(side);
        if (n / 2 == k || is_stop(m, n / 2) || ic_graph_is(r->graph, mobility(m, other, &m->constraints[k]), 0))
            continue;
        ic_node *taken = ic_same_states(r);
        if (taken == NULL) return false;
        memcpy(taken, all, r->n_states * sizeof *taken);
        taken[other->element->state] = side;
        const ic_node needed = MUL(lead, at_states(r, holding_force(m, other), all)),
                      held = at_states(r, holding_force(m, &m->constraints[k]), taken),
                      breaks = SUB(needed, at_states(r, other->sticking, all)),
                      holds = SUB(limit, ic_graph_one(r->graph, IC_OP_ABS, held));
        const ic_node both = ic_graph_two(r->graph, IC_OP_MIN, breaks, holds);
        ic_element_branch *b = ic_element_add_branch(
            g, MUL(is_stuck(m, n / 2), ic_graph_two(r->graph, IC_OP_MIN, excess, both)), taken);
        b->rounding = true;
        b->opens = &other->guard;
        b->opens_order = 1;
    }
    return true;
}

static bool add_friction_guards(ic_mechanics *m, size_t k, const friction_terms *f)
{
    ic_case_reader *r = m->r;
    ic_constraint *c = &m->constraints[k];
    ic_element *e = c->element;
    const ic_node s = ic_element_state(r, e), slips = MUL(s, s), zero = INT(0);
    const ic_node limit = MUL(f->mu_static.node, f->normal.node);
    ic_node braced = zero;
    for (size_t i = 0; i < m->n_holds; i++) {
        if (is_in(&m->holds[i], k)) braced = either(m, braced, is_braced(m, &m->holds[i], k));
    }
    const ic_term slip = {IF_POSITIVE(slips, select_by(m, braced, INT(1), MUL(s, c->velocity)), INT(1)),
                          c->gap.dimension};
    c->guard = (int)m->guards->n;
    ic_element_guard *stops =
        ic_element_add_guard(m, e, " stops slipping", "the slip has fallen to zero", -1, slip);
    /* A slip that passes through zero may be turned again at once, by a stop that opens. */
    stops->onset = IC_ONSET_NEAR;
    /* The force that would hold the body if it stuck. */
    ic_node *stuck = ic_same_states(r), *back = ic_same_states(r), *on = ic_same_states(r);
    if (stuck == NULL || back == NULL || on == NULL || !add_sticking_at_stops(m, k, stops, limit)) return false;
    stuck[e->state] = zero;
    const ic_node hold = at_states(r, holding_force(m, c), stuck);
    const ic_node rest = DIV(NEG(c->velocity), mobility(m, c, c));
    for (size_t i = 0; i < r->n_states; i++) stuck[i] = ADD(stuck[i], MUL(c->push[i], rest));
    if (!add_sticking_that_breaks(m, k, stops, limit, stuck, hold)) return false;
    back[e->state] = INT(-1);
    on[e->state] = INT(1);
    add_slipping(m, k, stops, SUB(hold, limit), back, 1);
    add_slipping(m, k, stops, NEG(ADD(hold, limit)), on, 1);
    ic_element_add_branch(stops, IC_NO_NODE, stuck)->rounding = true;
    if (!add_breaking(m, k, f, -1) || !add_breaking(m, k, f, +1) || !add_release(m, k)) return false;
    /* At a start the sign of the slip decides; without slip, the force that would hold the body off stops. */
    ic_node *alone = ic_same_states(r);
    if (alone == NULL) return false;
    alone[e->state] = zero;
    for (size_t i = 0; i < m->n_holds; i++) alone[m->constraints[m->holds[i].stop].element->state] = zero;
    const ic_node without = at_states(r, c->force, alone);
    const ic_node on_side = IF_POSITIVE(NEG(ADD(without, limit)), INT(1), zero);
    e->start = sign_of(r, c->velocity, NULL, IF_POSITIVE(SUB(without, limit), INT(-1), on_side));
    return true;
}

/* ---- switches and delays */

static bool apply_switch(ic_mechanics *m, ic_element *e)
{
    ic_case_reader *r = m->r;
    ic_term input = {0}, on = {0}, off;
    const ic_node s = ic_element_state(r, e);
    if (!ic_known_keys(r->faults, e->section, &ic_schema_switch)) return false;
    if (!ic_element_part(r, e, "input", &input) || !ic_element_part(r, e, "on", &on)) return false;
    off = on;
    if (ic_yaml_get(e->section, "off") != NULL && !ic_element_part(r, e, "off", &off)) return false;
    if (!ic_dimensions_equal(&input.dimension, &on.dimension) ||
        !ic_dimensions_equal(&on.dimension, &off.dimension))
        return ic_fault_add(r->faults, e->section->place, "units differ: input, on and off of '%s'", e->name);
    const ic_scope scope = ic_reader_scope(r, e->indices);
    if (scope.constant(on.node, r) < scope.constant(off.node, r))
        return ic_fault_add(r->faults, ic_yaml_get(e->section, "on")->place,
                            "'on' is below 'off': between them '%s' would be both on and off", e->name);
    ic_node *now_on = ic_same_states(r), *now_off = ic_same_states(r);
    if (now_on == NULL || now_off == NULL) return false;
    now_on[e->state] = INT(1);
    now_off[e->state] = INT(0);
    const ic_term rises = {IF_POSITIVE(s, INT(-1), SUB(input.node, on.node)), input.dimension};
    const ic_term falls = {IF_POSITIVE(s, SUB(input.node, off.node), INT(1)), input.dimension};
    ic_element_guard *on_guard =
        ic_element_add_guard(m, e, " on", "the input has risen to the level", +1, rises);
    ic_element_guard *off_guard =
        ic_element_add_guard(m, e, " off", "the input has fallen to the level", -1, falls);
    on_guard->onset = off_guard->onset = IC_ONSET_LEVEL;
    ic_element_add_branch(on_guard, IC_NO_NODE, now_on);
    ic_element_add_branch(off_guard, IC_NO_NODE, now_off);
    e->start = IF_POSITIVE(SUB(input.node, on.node), INT(1), INT(0));
    return true;
}

/* Whether a delay's input is its own output, possibly through other delays. */
static bool follows_itself(const ic_case_reader *r, const ic_element *e, ic_node input)
{
    for (size_t steps = 0; steps <= r->n_elements; steps++) {
        const ic_element *next = NULL;
        if (input == ic_element_state(r, e)) return true;
        for (size_t i = 0; i < r->n_elements; i++) {
            const ic_element *d = &r->elements[i];
            if (has_type(d, "delay") && d->velocity >= 0 && input == ic_element_state(r, d)) next = d;
        }
        if (next == NULL) return false;
        input = next->velocity;
    }
    return false;
}

/*
 * The output follows the input after the input has been constant for the given time. Shorter pulses
 * are suppressed.
 */
static bool apply_delay(ic_mechanics *m, ic_element *e)
{
    ic_case_reader *r = m->r;
    ic_term input = {0}, time = {0};
    if (!ic_known_keys(r->faults, e->section, &ic_schema_delay)) return false;
    if (!ic_element_part(r, e, "input", &input) || !ic_element_part(r, e, "time", &time)) return false;
    if (!ic_dimensions_equal(&time.dimension, &ic_second))
        return ic_fault_add(r->faults, ic_yaml_get(e->section, "time")->place, "units differ: a delay is in s");
    if (!ic_reader_is_discrete(r, input.node))
        return ic_fault_add(
            r->faults, ic_yaml_get(e->section, "input")->place,
            "the input of a delay must change at events only, as the state of a switch does; this "
            "changes with time: give the delay a switch");
    if (!ic_dimensions_equal(&input.dimension, &r->state_dimensions[e->state]))
        return ic_fault_add(r->faults, ic_yaml_get(e->section, "input")->place,
                            "units differ: the input of a delay is a state, or has no unit");
    if (follows_itself(r, e, input.node))
        return ic_fault_add(r->faults, ic_yaml_get(e->section, "input")->place,
                            "the input of '%s' is '%s' itself, so that it never changes: give it another input",
                            e->name, e->name);
    const ic_scope scope = ic_reader_scope(r, e->indices);
    if (scope.constant(time.node, scope.context) < 0)
        return ic_fault_add(r->faults, ic_yaml_get(e->section, "time")->place, "a delay must not be negative");
    e->velocity = input.node;
    e->start = input.node;
    const ic_node change = SUB(input.node, ic_element_state(r, e));
    const ic_node since = ic_graph_indexed(r->graph, IC_OP_STATE, e->since);
    const ic_node waited = SUB(SUB(ic_graph_leaf(r->graph, IC_OP_TIME), since), time.node);
    const ic_term value = {IF_POSITIVE(MUL(change, change), waited, INT(-1)), ic_second};
    ic_node *after = ic_same_states(r);
    if (after == NULL) return false;
    after[e->state] = input.node;
    ic_element_guard *arrives =
        ic_element_add_guard(m, e, " arrives", "the input has been constant for the delay", +1, value);
    arrives->onset = IC_ONSET_LEVEL;
    ic_element_add_branch(arrives, IC_NO_NODE, after);
    return true;
}

/* ---- all elements of a mode */

static bool add_constraint(ic_mechanics *m, ic_element *e)
{
    ic_case_reader *r = m->r;
    const bool stop = has_type(e, "stop");
    if (m->n == IC_MOST_CONSTRAINTS)
        return ic_fault_add(r->faults, e->section->place, "more than %d stops and frictions",
                            IC_MOST_CONSTRAINTS);
    ic_constraint *c = &m->constraints[m->n];
    *c = (ic_constraint){.element = e};
    if (stop && !ic_known_keys(r->faults, e->section, &ic_schema_stop)) return false;
    if (!ic_element_part(r, e, stop ? "gap" : "slip", &c->gap)) return false;
    for (size_t i = 0; i < m->n && !stop; i++) {
        const ic_constraint *other = &m->constraints[i];
        if (has_type(other->element, "friction") && other->gap.node == c->gap.node)
            return ic_fault_add(
                r->faults, e->section->place,
                "'%s' has the same slip as '%s', so that their forces cannot be distinguished; give one "
                "friction the sum of the normal forces",
                e->name, other->element->name);
    }
    const ic_term velocity = stop ? ic_term_rate(m, &c->gap) : c->gap;
    if (!ic_constraint_mechanics(m, c, velocity)) return false;
    c->active =
        stop ? ic_element_state(r, e) : SUB(INT(1), MUL(ic_element_state(r, e), ic_element_state(r, e)));
    if (ic_graph_is(r->graph, mobility(m, c, c), 0))
        return ic_fault_add(r->faults, e->section->place, "the force of '%s' does not change its %s", e->name,
                            stop ? "gap" : "slip");
    if (!ic_check_sign(m, c, stop ? "closes the gap" : "drives the slip", stop ? "gap" : "slip")) return false;
    if (stop) e->gap = c->gap;
    m->n++;
    return true;
}

/* Whether the rates of all constraints are affine in unknown forces; otherwise adds a fault. */
static bool require_affine_rates(const ic_mechanics *m)
{
    for (size_t i = 0; i < m->n; i++) {
        for (size_t j = 0; j < m->n; j++) {
            const ic_constraint *c = &m->constraints[j];
            const ic_node D = mobility_of_force(m, &m->constraints[i], c);
            if (D < 0 || ic_graph_first(m->r->graph, D, IC_OP_INPUT) >= 0)
                return ic_fault_add(
                    m->r->faults, c->element->section->place,
                    "the force of '%s' acts where kinks depend on each other's sides: its motion "
                    "along them is not determined",
                    c->element->name);
        }
    }
    return true;
}

/* 1 if stops that are closed, one or two, give friction i a slip that is not 0. */
static ic_node is_moved_by_stops(const ic_mechanics *m, size_t i)
{
    const ic_case_reader *r = m->r;
    ic_node any = INT(0);
    for (size_t k = 0; k < m->n_holds; k++) {
        const ic_hold *h = &m->holds[k];
        const ic_node other = is_stop(m, h->holder[1]) ? is_stuck(m, h->holder[1]) : INT(h->n == 1);
        if (h->holder[0] != i) continue;
        any = either(m, any, MUL(MUL(other, is_stuck(m, h->stop)), SUB(INT(1), h->still)));
    }
    return any;
}

/* Adds the forces of stops at rest and of sticking friction to the flow. */
static bool add_constraint_forces(ic_mechanics *m)
{
    const ic_case_reader *r = m->r;
    ic_node active[IC_MOST_CONSTRAINTS] = {0}, given[IC_MOST_CONSTRAINTS] = {0}, force[IC_MOST_CONSTRAINTS];
    const ic_node zero = INT(0);
    for (size_t i = 0; i < m->n; i++)
        m->constraints[i].acceleration =
            ic_graph_rate(r->graph, m->constraints[i].velocity, m->flow, r->n_states);
    if (!require_affine_rates(m)) return false;
    for (size_t i = 0; i < m->n; i++) {
        ic_constraint *c = &m->constraints[i];
        c->active = MUL(c->active, SUB(INT(1), is_stop(m, i) ? is_idle(m, i) : is_moved_by_stops(m, i)));
        given[i] = c->acceleration;
        for (size_t j = 0; j < m->n; j++) {
            const ic_node unknown = m->constraints[j].unknown;
            if (unknown >= 0) given[i] = ic_graph_substitute(r->graph, given[i], &unknown, &zero, 1);
        }
        if (c->unknown >= 0) c->active = MUL(c->active, moves(m, c));
        active[i] = c->active;
    }
    solve_constraints(m, force, active, given, mobility_of_force);
    for (size_t i = 0; i < m->n; i++) {
        const ic_constraint *c = &m->constraints[i];
        m->constraints[i].force = force[i];
        for (size_t s = 0; s < r->n_states; s++)
            m->flow[s] = c->unknown < 0 ? ADD(m->flow[s], MUL(c->push[s], force[i]))
                                        : ic_graph_substitute(r->graph, m->flow[s], &c->unknown, &force[i], 1);
    }
    return true;
}

/* A variant may change or remove an element, but not add one. */
static bool refresh_sections(ic_case_reader *r)
{
    ic_file_entries entries = {0};
    if (!ic_entries_read(&entries, r, ic_yaml_get(r->root, "elements"), NULL)) return false;
    for (size_t k = 0; k < r->n_elements; k++) {
        ic_element *e = &r->elements[k];
        e->section = NULL;
        e->force.node = e->velocity = IC_NO_NODE;
        e->start = INT(0);
    }
    for (size_t i = 0; i < entries.n; i++) {
        const ic_yaml *value = entries.entries[i].value;
        ic_element *e = NULL;
        for (size_t k = 0; k < r->n_elements; k++) {
            if (strcmp(r->elements[k].name, entries.entries[i].name) == 0) e = &r->elements[k];
        }
        const bool fits = e != NULL && value->kind == IC_YAML_MAPPING && value->n_keys == 1 &&
                          strcmp(value->keys[0]->text, e->type) == 0;
        if (!fits)
            return ic_fault_add(r->faults, entries.entries[i].key->place,
                                "a variant cannot add an element or change its type: '%s'",
                                entries.entries[i].name);
        e->section = value->items[0];
    }
    return true;
}

bool ic_declare_laws(ic_case_reader *r)
{
    if (!refresh_sections(r)) return false;
    for (size_t i = 0; i < r->n_elements; i++) {
        const ic_element *e = &r->elements[i];
        if (e->section != NULL && has_type(e, "contact") && !ic_declare_law(r, e)) return false;
    }
    return true;
}

/*
 * Adds the force of one element to the flow. Stops and friction become constraints, which are
 * solved together later.
 */
static bool apply_element(ic_mechanics *m, ic_element *e)
{
    if (e->section == NULL) return true;
    if (has_type(e, "switch")) return apply_switch(m, e);
    if (has_type(e, "delay")) return apply_delay(m, e);
    if (has_type(e, "contact")) return ic_apply_contact(m, e);
    return add_constraint(m, e);
}

/* Adds sliding friction, which acts against the slip. */
static bool add_sliding_friction(ic_mechanics *m, ic_constraint *c, friction_terms *f)
{
    ic_case_reader *r = m->r;
    if (has_type(c->element, "stop")) return true;
    if (!read_friction(r, c->element, f, c->velocity)) return false;
    if (!ic_dimensions_equal(&f->normal.dimension, &c->element->force.dimension)) {
        char force_unit[IC_DIMENSION_TEXT], pushed[IC_DIMENSION_TEXT];
        return ic_fault_add(
            r->faults, ic_yaml_get(c->element->section, "normal")->place,
            "units differ: 'normal' is in %s, but '%s' pushes with a force in %s; pushes: {v: 1/m} states "
            "the effect of a force",
            ic_dimension_text(force_unit, &f->normal.dimension), c->element->name,
            ic_dimension_text(pushed, &c->element->force.dimension));
    }
    const ic_node force = NEG(MUL(ic_element_state(r, c->element), MUL(f->mu_kinetic.node, f->normal.node)));
    c->element->force.node = force;
    c->kinetic = MUL(f->mu_kinetic.node, f->normal.node);
    c->sticking = MUL(f->mu_static.node, f->normal.node);
    for (size_t s = 0; s < r->n_states; s++) m->flow[s] = ADD(m->flow[s], MUL(c->push[s], force));
    return true;
}

static bool add_constraint_guards(ic_mechanics *m, size_t i, const friction_terms *f)
{
    ic_case_reader *r = m->r;
    ic_constraint *c = &m->constraints[i];
    const bool stop = has_type(c->element, "stop");
    if (!(stop ? add_stop_guards(m, i) : add_friction_guards(m, i, f))) return false;
    c->element->force.node = stop ? c->force : ADD(c->element->force.node, c->force);
    return true;
}

/* Settles the other elements after a guard has fired: an impact, for instance, changes a slip. */
static bool settle_guard(ic_case_reader *r, ic_element_guard *g)
{
    for (size_t i = 0; i < g->n_branches; i++) {
        ic_element_branch *b = &g->branches[i];
        const ic_settling by = b->rounding ? IC_SETTLE_ROUNDING : IC_SETTLE_ELEMENT;
        if (!ic_settle_elements(r, b->states, by)) return false;
    }
    return g->limit == NULL || ic_settle_elements(r, g->limit, IC_SETTLE_ROUNDING);
}

/* Finds the flows of a mode, with unknown forces of constraints. */
static bool find_flows(ic_mechanics *m, const ic_node *flow, friction_terms *frictions)
{
    ic_case_reader *r = m->r;
    memcpy(m->flow, flow, r->n_states * sizeof *flow);
    *m = (ic_mechanics){.r = r, .flow = m->flow, .guards = m->guards};
    m->guards->n = 0;
    bool good = ic_apply_kinks(m) && refresh_sections(r);
    for (size_t i = 0; i < r->n_elements && good; i++) good = apply_element(m, &r->elements[i]);
    /* forces that are known beside a kink are part of the flows that hold it */
    for (size_t i = 0; i < m->n && good; i++) good = add_sliding_friction(m, &m->constraints[i], &frictions[i]);
    return good && ic_slide_kinks(m);
}

// NOLINTNEXTLINE(readability-non-const-parameter): the flow is changed through `m`
/* Memory that is used while the elements of a mode are applied; one mode after the other uses it. */
typedef struct ic_elements_workspace {
    ic_mechanics mechanics;
    friction_terms frictions[IC_MOST_CONSTRAINTS];
} ic_elements_workspace;

bool ic_apply_elements(ic_case_reader *r, ic_node *flow, ic_element_guards *guards)
{
    if (r->workspace == NULL) r->workspace = ic_arena_take(r->arena, sizeof *r->workspace);
    ic_node *without = ic_arena_take(r->arena, IC_MAX_STATES * sizeof *without); /* stops keep it */
    guards->guards = ic_arena_take(r->arena, (4 * r->n_elements + 3 * r->n_kinks + 1) * sizeof *guards->guards);
    if (r->workspace == NULL || guards->guards == NULL || without == NULL) return false;
    ic_mechanics *const m = &r->workspace->mechanics;
    friction_terms *const frictions = r->workspace->frictions;
    memset(r->workspace, 0, sizeof *r->workspace);
    *m = (ic_mechanics){.r = r, .flow = flow, .guards = guards};
    memcpy(without, flow, r->n_states * sizeof *without);
    for (size_t k = 0; k < r->n_kinks; k++) r->kinks[k].rest = IC_NO_NODE;
    bool good = find_flows(m, without, frictions) && (!ic_find_rests(m) || find_flows(m, without, frictions)) &&
                find_holds(m) && add_constraint_forces(m) && ic_add_kinks(m);
    for (size_t i = 0; i < m->n && good; i++) good = add_constraint_guards(m, i, &frictions[i]);
    for (size_t i = 0; i < guards->n && good; i++) good = settle_guard(r, &guards->guards[i]);
    return good && ic_collect_stops(m, without);
}

/*
 * A node that is positive if a jump changes a quantity by more than rounding, which is 1e-9 of its
 * terms before and after.
 */
static ic_node is_moved(ic_case_reader *r, ic_node quantity, ic_node after, const ic_node *states)
{
    const ic_node size = ADD(size_of_terms(r, quantity, NULL), size_of_terms(r, quantity, states));
    const ic_node change = ic_graph_one(r->graph, IC_OP_ABS, SUB(after, quantity));
    return SUB(MUL(INT(1000000000), change), size);
}

/*
 * State of a stop after a jump of the file: 0 if the jump takes the body off the stop or pushes it
 * against the stop; otherwise `own`.
 */
static ic_node leaves_stop(ic_case_reader *r, const ic_element *e, ic_node own, ic_node velocity,
                           const ic_node *states)
{
    const ic_node gap = at_states(r, e->gap.node, states);
    ic_node free = own;
    if (gap != e->gap.node)
        free = IF_POSITIVE(gap, IF_POSITIVE(is_moved(r, e->gap.node, gap, states), INT(0), free), free);
    /* A body that moves towards the stop hits it at once. */
    if (velocity != e->velocity) free = IF_POSITIVE(is_moved(r, e->velocity, velocity, states), INT(0), free);
    return free;
}

/* State of an element after a jump that may have changed a quantity on which it depends. */
static ic_node settled_state(ic_case_reader *r, const ic_element *e, ic_node *states, ic_settling by)
{
    const ic_node own = ic_element_state(r, e);
    if (by == IC_SETTLE_START) return at_states(r, e->start, states);
    if (has_type(e, "contact") || e->velocity < 0) return own;
    if (by == IC_SETTLE_ROUNDING && !has_type(e, "delay")) return own;
    const ic_node after = at_states(r, e->velocity, states);
    if (has_type(e, "stop")) {
        if (by == IC_SETTLE_FILE) return leaves_stop(r, e, own, after, states);
        /* A stop that is free stays so, whatever the sign of a rate that is rounding. */
        return after == e->velocity ? own : IF_POSITIVE(own, IF_POSITIVE(after, INT(0), own), own);
    }
    if (after == e->velocity) return own;
    if (has_type(e, "delay")) {
        const ic_node change = SUB(after, e->velocity);
        states[e->since] = IF_POSITIVE(MUL(change, change), ic_graph_leaf(r->graph, IC_OP_TIME),
                                       ic_graph_indexed(r->graph, IC_OP_STATE, e->since));
        return own;
    }
    /* Impacts have settled their frictions (settle_frictions). */
    if (!has_type(e, "friction") || by == IC_SETTLE_ELEMENT) return own;
    return sign_of(r, e->velocity, states, own);
}

/* A run starts at t = 0. */
static ic_node at_start(ic_case_reader *r, ic_node node, const ic_node *states)
{
    const ic_node zero = INT(0), time = ic_graph_leaf(r->graph, IC_OP_TIME);
    return ic_graph_substitute(r->graph, at_states(r, node, states), &time, &zero, 1);
}

/* Whether a node at a start is 0 for the values that the file gives to parameters. */
static bool is_zero_at_start(ic_case_reader *r, ic_node node)
{
    const ic_scope scope = ic_reader_scope(r, NULL);
    return node >= 0 && r->graph->nodes[node].varies == 0 && scope.constant(node, scope.context) == 0;
}

/*
 * Nodes that are positive where the flow of the negative and of the positive side leads away from the zero of a kink,
 * negative where it leads back: the first rate that is not zero, of five at a start. 0: it stays. false: not known.
 */
static bool find_ways(ic_case_reader *r, const ic_kink *kink, const ic_node *states, bool start,
                      ic_node away[2])
{
    enum { RATES = 5 };
    const ic_node zero = INT(0);
    if (kink->flows[0] == NULL) return false;
    for (size_t i = 0; i < 2; i++) {
        ic_node rate = kink->smooth, rates[RATES];
        size_t n = 0;
        do {
            if (n == RATES) return false;
            rate = ic_graph_rate(r->graph, rate, kink->flows[i], r->n_states);
            const ic_node there = ic_graph_substitute(r->graph, rate, &kink->smooth, &zero, 1);
            rates[n++] = start ? at_start(r, there, states) : at_states(r, there, states);
        } while (start && !ic_graph_is(r->graph, rate, 0) && is_zero_at_start(r, rates[n - 1]));
        ic_node first = rates[--n];
        while (n-- > 0) first = IF_POSITIVE(MUL(rates[n], rates[n]), rates[n], first);
        away[i] = i == 0 ? NEG(first) : first;
    }
    return true;
}

static void settle_kink(ic_case_reader *r, const ic_kink *kink, ic_node *states, ic_settling by)
{
    const bool start = by == IC_SETTLE_START;
    const ic_node own = ic_graph_indexed(r->graph, IC_OP_STATE, kink->state);
    /*
     * At a start the states of inner kinks are not known yet, so the argument itself is used. Later
     * their states replace them.
     */
    const ic_node before = start ? kink->argument : kink->smooth, after = at_states(r, before, states);
    const ic_node gate = kink->gate < 0 ? INT(1) : at_states(r, kink->gate, states);
    const bool stays = after == before && (kink->gate < 0 || gate == kink->gate);
    if (start) states[kink->state] = own;
    if (states[kink->state] != own || (stays && !start)) return;
    ic_node begins = start ? INT(1) : own, away[2];
    if (start && find_ways(r, kink, states, true, away)) begins = IF_POSITIVE(away[0], INT(-1), begins);
    if (by == IC_SETTLE_FILE && find_ways(r, kink, states, false, away)) {
        const ic_node none = ic_graph_one(r->graph, IC_OP_SQRT, INT(-1));
        begins = IF_POSITIVE(ic_graph_two(r->graph, IC_OP_MIN, away[0], away[1]), none, begins);
    }
    const ic_node side = IF_POSITIVE(after, INT(1), IF_POSITIVE(NEG(after), INT(-1), begins));
    states[kink->state] = IF_POSITIVE(gate, side, INT(kink->parked));
}

/*
 * Requires that one motion leads from the zero of a kink at which a run starts. Nothing is required of starts of
 * variants, or with conditions.
 */
static bool require_one_motion(ic_case_reader *r, const ic_kink *kink, const ic_node *states)
{
    const ic_yaml *start = ic_yaml_get(r->root, "start");
    const ic_node u = at_start(r, kink->argument, states);
    ic_node away[2];
    if (ic_yaml_get(r->root, "variants") != NULL || !find_ways(r, kink, states, true, away)) return true;
    if ((start != NULL && start->kind != IC_YAML_MAPPING) || r->graph->nodes[u].varies != 0) return true;
    /* step(-|u|) is 1 where u is 0 */
    const ic_node at_zero = ic_graph_one(r->graph, IC_OP_STEP, NEG(ic_graph_one(r->graph, IC_OP_ABS, u)));
    const ic_node both = ic_graph_two(r->graph, IC_OP_MIN, away[0], away[1]);
    const ic_node some = IF_POSITIVE(MUL(away[1], away[1]), both, away[0]); /* one may stay */
    const ic_node two = IF_POSITIVE(MUL(away[0], away[0]), some, away[1]);
    const ic_node excess = IF_POSITIVE(at_zero, two, INT(-1));
    return require(
        r, (start != NULL ? start : ic_yaml_get(r->root, "states"))->place, excess,
        ic_arena_print(r->arena, "one motion begins at the start: two begin at %s = 0", ic_kink_name(r, kink)));
}

/* Contacts that have begun before the start. */
static void begin_contacts(ic_case_reader *r, ic_node *states)
{
    for (size_t i = 0; i < r->n_elements; i++) {
        const ic_element *e = &r->elements[i];
        if (has_type(e, "contact") && e->set >= 0 && e->velocity >= 0)
            states[e->set] = IF_POSITIVE(states[e->state], at_states(r, e->velocity, states), INT(0));
    }
}

/*
 * Elements may depend on each other in any order, so that the pass is repeated until nothing
 * changes.
 */
bool ic_settle_elements(ic_case_reader *r, ic_node *states, ic_settling by)
{
    const bool start = by == IC_SETTLE_START;
    bool *given = ic_arena_take(r->arena, (r->n_elements + 1) * sizeof *given);
    if (given == NULL) return false;
    for (size_t i = 0; i < r->n_elements; i++) {
        const ic_element *e = &r->elements[i];
        given[i] = states[e->state] != (start ? INT(0) : ic_element_state(r, e));
    }
    /* Forces at a start have the sides of kinks there. */
    for (size_t i = 0; i < r->n_kinks && start && r->n_elements > 0; i++)
        settle_kink(r, &r->kinks[i], states, by);
    bool changes = true;
    for (size_t pass = 0; changes && pass <= r->n_elements; pass++) {
        changes = false;
        for (size_t i = 0; i < r->n_elements; i++) {
            const ic_element *e = &r->elements[i];
            const ic_node settled = given[i] ? states[e->state] : settled_state(r, e, states, by);
            if (settled < 0) return false;
            changes = changes || settled != states[e->state];
            states[e->state] = settled;
        }
    }
    if (start) begin_contacts(r, states);
    for (size_t i = 0; i < r->n_kinks && by != IC_SETTLE_ROUNDING; i++)
        settle_kink(r, &r->kinks[i], states, by);
    bool good = true;
    for (size_t i = 0; i < r->n_kinks && start && good; i++) good = require_one_motion(r, &r->kinks[i], states);
    return good;
}
