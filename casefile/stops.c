/* SPDX-License-Identifier: MIT */
/*
 * Time stepping needs neither modes nor guards, but the flow without contact forces, and for each
 * stop and friction its velocity w, dw/dx and the change of the state by an impulse. Elements have
 * all this. Machines whose modes are written by hand state it in the section
 *
 *     stops: {floor: {gap: x, restitution: e, pushes: {v: 1}, rest: rest}}
 */
#include "casefile/stops.h"

#include <string.h>

/* Frictions come after stops. */
static void add_stop(ic_plan_stops *stops, const ic_constraint *c, bool friction, ic_case_reader *r)
{
    ic_plan_stop *s = &stops->stops[stops->n++];
    *s = (ic_plan_stop){.name = c->element->name,
                        .friction = friction,
                        .value = c->gap.node,
                        .velocity = c->velocity,
                        .restitution = c->restitution,
                        .kinetic = c->kinetic,
                        .sticking = c->sticking,
                        .gradient = ic_arena_take(r->arena, IC_MAX_STATES * sizeof(ic_node)),
                        .push = ic_arena_take(r->arena, IC_MAX_STATES * sizeof(ic_node)),
                        .state = c->element->state,
                        .rest = -1};
    if (s->gradient == NULL || s->push == NULL) return;
    memcpy(s->gradient, c->gradient, r->n_states * sizeof *s->gradient);
    memcpy(s->push, c->push, r->n_states * sizeof *s->push);
}

// NOLINTNEXTLINE(readability-non-const-parameter): the view keeps the flow, and others change it
static ic_plan_stops *new_stops(ic_case_reader *r, ic_node *flow, size_t n)
{
    ic_plan_stops *stops = ic_arena_take(r->arena, sizeof *stops);
    if (stops == NULL) return NULL;
    *stops = (ic_plan_stops){.flow = flow, .stops = ic_arena_take(r->arena, (n + 1) * sizeof *stops->stops)};
    return stops->stops == NULL ? NULL : stops;
}

static bool is_stop(const ic_element *e)
{
    return strcmp(e->type, "stop") == 0;
}

/* Whether a gap depends on positions alone: the schemes of time stepping move these with their velocities. */
static bool is_of_positions(ic_case_reader *r, const ic_node *flow, const ic_constraint *c)
{
    bool positions = true;
    for (size_t k = 0; k < r->n_states && positions && is_stop(c->element); k++) {
        const ic_graph_node rate = r->graph->nodes[flow[k]];
        const bool moves = rate.operation == IC_OP_STATE && !r->state_discrete[rate.index];
        positions = moves || r->state_discrete[k] ||
                    !ic_graph_uses(r->graph, c->gap.node, ic_graph_indexed(r->graph, IC_OP_STATE, (int)k));
    }
    return positions;
}

bool ic_collect_stops(const ic_mechanics *m, ic_node *flow)
{
    ic_case_reader *r = m->r;
    size_t present = 0;
    r->stops = NULL;
    for (size_t i = 0; i < r->n_elements; i++) present += r->elements[i].section != NULL;
    if (m->n == 0 || present != m->n) return true;
    for (size_t i = 0; i < m->n; i++) {
        if (!is_of_positions(r, flow, &m->constraints[i])) return true;
    }
    r->stops = new_stops(r, flow, m->n);
    for (int frictions = 0; frictions < 2 && r->stops != NULL; frictions++) {
        for (size_t i = 0; i < m->n; i++) {
            const ic_constraint *c = &m->constraints[i];
            if (is_stop(c->element) == (frictions == 0)) add_stop(r->stops, c, frictions != 0, r);
        }
    }
    return r->stops != NULL && !r->arena->failed;
}

/* ---- the section `stops` */

static bool read_stop(ic_mechanics *m, ic_plan_stops *stops, const ic_file_entry *e)
{
    ic_case_reader *r = m->r;
    ic_element element = {.name = e->name,
                          .type = "stop",
                          .section = e->value,
                          .indices = e->indices,
                          .force = {.node = IC_NO_NODE},
                          .state = -1};
    ic_constraint *c = ic_arena_take(r->arena, sizeof *c);
    ic_term restitution;
    if (c == NULL || !ic_known_keys(r->faults, e->value, &ic_schema_rigid_stop)) return false;
    *c = (ic_constraint){.element = &element};
    if (!ic_element_part(r, &element, "gap", &c->gap) || !ic_read_restitution(r, &element, &restitution) ||
        !ic_constraint_mechanics(m, c, ic_term_rate(m, &c->gap)) ||
        !ic_check_sign(m, c, "closes the gap", "gap"))
        return false;
    c->restitution = restitution.node;
    add_stop(stops, c, false, r);
    const ic_yaml *rest = ic_yaml_get(e->value, "rest");
    if (rest == NULL) return true;
    for (size_t i = 0; i < r->n_declared && rest->kind == IC_YAML_SCALAR; i++) {
        if (strcmp(r->mode_names[i], rest->text) == 0) stops->stops[stops->n - 1].rest = (int)i;
    }
    return stops->stops[stops->n - 1].rest >= 0 ||
           ic_fault_add(r->faults, rest->place, "expected the mode in which the bodies rest at '%s'", e->name);
}

/* The modes: in the first no stop is pressed, in that of `rest` one is. */
static bool list_combinations(ic_plan_stops *stops, ic_case_reader *r)
{
    const size_t n = stops->n * IC_PLAN_MODES;
    stops->combinations = ic_arena_take(r->arena, n * sizeof *stops->combinations);
    if (stops->combinations == NULL) return false;
    for (size_t i = 0; i < n; i++) stops->combinations[i] = IC_NO_COMBINATION;
    for (size_t k = 0; k < stops->n; k++) stops->combinations[(size_t)stops->mode * stops->n + k] = 0;
    for (size_t i = 0; i < stops->n; i++) {
        if (stops->stops[i].rest < 0) continue;
        int *row = stops->combinations + (size_t)stops->stops[i].rest * stops->n;
        for (size_t k = 0; k < stops->n; k++) row[k] = k == i;
    }
    return true;
}

static bool read_section(ic_plan *plan, ic_case_reader *r, const ic_yaml *section, int first)
{
    ic_file_entries entries = {0};
    ic_mechanics *m = ic_arena_take(r->arena, sizeof *m);
    if (m == NULL || !ic_entries_read(&entries, r, section, NULL)) return false;
    if (r->n_elements > 0)
        return ic_fault_add(r->faults, section->place, "elements say what 'stops' says: remove one of both");
    ic_plan_stops *stops = new_stops(r, plan->modes[first].flow, entries.n);
    if (stops == NULL) return false;
    *m = (ic_mechanics){.r = r, .flow = stops->flow};
    stops->mode = first;
    for (size_t i = 0; i < entries.n; i++) {
        if (!read_stop(m, stops, &entries.entries[i])) return false;
    }
    plan->stops = stops;
    return list_combinations(stops, r);
}

/* ---- whether there is a view */

static bool uses_discrete(const ic_case_reader *r, const ic_node *nodes, size_t n)
{
    for (size_t i = 0; i < r->n_states; i++) {
        if (!r->state_discrete[i]) continue;
        const ic_node leaf = ic_graph_indexed(r->graph, IC_OP_STATE, (int)i);
        for (size_t k = 0; k < n; k++) {
            if (ic_graph_uses(r->graph, nodes[k], leaf)) return true;
        }
    }
    return false;
}

/* Whether no function of the view depends on a state that only events change: time stepping has no events. */
static bool is_smooth(const ic_case_reader *r, const ic_plan_stops *stops)
{
    if (uses_discrete(r, stops->flow, r->n_states)) return false;
    for (size_t i = 0; i < stops->n; i++) {
        const ic_plan_stop *s = &stops->stops[i];
        const ic_node values[] = {s->value, s->velocity, s->friction ? s->kinetic : s->restitution,
                                  s->friction ? s->sticking : s->value};
        if (uses_discrete(r, values, IC_COUNT(values)) || uses_discrete(r, s->gradient, r->n_states) ||
            uses_discrete(r, s->push, r->n_states))
            return false;
    }
    return true;
}

/* Whether the events of elements are the only ones. */
static bool has_own_events(const ic_plan *plan, int mode)
{
    const ic_plan_mode *m = &plan->modes[mode];
    for (size_t i = 0; i < m->n_guards; i++) {
        if (!m->guards[i].of_element) return true;
    }
    return plan->n_times > 0 || m->terminal;
}

bool ic_plan_stops_read(ic_plan *plan, ic_case_reader *r, int first)
{
    const ic_yaml *section = ic_yaml_get(r->root, "stops"), *modes = ic_yaml_get(r->root, "modes");
    plan->stops = NULL;
    if (section != NULL && !read_section(plan, r, section, first)) return false;
    const bool single = modes == NULL || modes->n_keys == 1;
    if (section == NULL && single && !has_own_events(plan, first)) plan->stops = r->stops;
    if (plan->stops == NULL) return true;
    plan->stops->mode = first;
    if (plan->n_times > 0 || !is_smooth(r, plan->stops)) plan->stops = NULL;
    if (plan->stops == NULL && section != NULL)
        return ic_fault_add(r->faults, section->place,
                            "time stepping knows no time events and no states that only events change");
    return true;
}

/* ---- tables */

static bool emit_one(ic_case_reader *r, ic_node node, void *slot)
{
    return ic_reader_function(r, IC_FUNCTION_VALUE, &node, 1, slot);
}

static bool emit_vector(ic_case_reader *r, const ic_node *nodes, void *slot)
{
    return ic_reader_function(r, IC_FUNCTION_FLOW, nodes, r->n_states, slot);
}

static bool emit_stop(ic_case_reader *r, const ic_plan_stop *from, ic_stop *stop)
{
    *stop = (ic_stop){.name = from->name, .state = from->state};
    return emit_one(r, from->value, &stop->gap) && emit_one(r, from->velocity, &stop->velocity) &&
           emit_vector(r, from->gradient, &stop->gradient) && emit_vector(r, from->push, &stop->push) &&
           emit_one(r, from->restitution, &stop->restitution);
}

static bool emit_friction(ic_case_reader *r, const ic_plan_stop *from, ic_friction *friction)
{
    *friction = (ic_friction){.name = from->name, .state = from->state};
    return emit_one(r, from->velocity, &friction->slip) &&
           emit_vector(r, from->gradient, &friction->gradient) && emit_vector(r, from->push, &friction->push) &&
           emit_one(r, from->kinetic, &friction->kinetic) && emit_one(r, from->sticking, &friction->sticking);
}

/* Index of the state that is the rate of state i, or -1. */
static int find_rate(const ic_case_reader *r, const ic_plan_stops *stops, size_t i)
{
    for (size_t k = 0; k < r->n_states; k++) {
        if (!r->state_discrete[k] && stops->flow[i] == ic_graph_indexed(r->graph, IC_OP_STATE, (int)k))
            return (int)k;
    }
    return -1;
}

bool ic_stops_emit(const ic_plan *plan, ic_case_reader *r, const ic_stops_view **view)
{
    const ic_plan_stops *from = plan->stops;
    *view = NULL;
    if (from == NULL) return true;
    ic_stops_view *made = ic_arena_take(r->arena, sizeof *made);
    ic_stop *stops = ic_arena_take(r->arena, (from->n + 1) * sizeof *stops);
    ic_friction *frictions = ic_arena_take(r->arena, (from->n + 1) * sizeof *frictions);
    int *rates = ic_arena_take(r->arena, (r->n_states + 1) * sizeof *rates);
    if (made == NULL || stops == NULL || frictions == NULL || rates == NULL) return false;
    *made = (ic_stops_view){.mode = from->mode,
                            .stops = stops,
                            .frictions = frictions,
                            .combinations = from->combinations,
                            .n_combinations = from->combinations == NULL ? 0 : from->n * r->n_modes,
                            .rates = rates,
                            .n_rates = r->n_states};
    for (size_t i = 0; i < r->n_states; i++) rates[i] = find_rate(r, from, i);
    bool good = emit_vector(r, from->flow, &made->flow);
    for (size_t i = 0; i < from->n && good; i++) {
        good = from->stops[i].friction ? emit_friction(r, &from->stops[i], &frictions[made->n_frictions++])
                                       : emit_stop(r, &from->stops[i], &stops[made->n_stops++]);
    }
    *view = made;
    return good;
}
