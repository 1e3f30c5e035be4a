/* SPDX-License-Identifier: MIT */
/* The sections `modes`, `flow`, `until`, `keeps`, `energy`, `start`, `times` and `outputs`. */
#include "casefile/elements.h"
#include "casefile/mass.h"

#include <stdio.h>
#include <string.h>

/** Reading of one variant. */
typedef struct variant_reader {
    ic_case_reader *r;

    /* the modes, by number; flow == NULL here until a mode is read: nodes are kept instead */
    ic_mode *modes;
    ic_node *flows; /* IC_MAX_STATES for each mode */
    bool *is_read;

    ic_output *outputs;
    size_t n_outputs;
    ic_node *output_nodes; /* n_outputs for each mode */
} variant_reader;

enum { MOST_MODES = 256 };

static bool value_function(variant_reader *v, ic_node node, void *slot)
{
    return ic_reader_function(v->r, IC_FUNCTION_VALUE, &node, 1, slot);
}

static const char *unit_of(ic_case_reader *r, const ic_dimension *dimension)
{
    char text[IC_DIMENSION_TEXT];
    return ic_arena_print(r->arena, "%s", dimension->any ? "1" : ic_dimension_text(text, dimension));
}

/* ---- jumps */

static bool is_branch_key(const char *key)
{
    return strcmp(key, "if") == 0 || strcmp(key, "mode") == 0 || strcmp(key, "departs") == 0;
}

/* The number of the mode that a jump names. */
static bool find_mode(variant_reader *v, const ic_yaml *name, int *number)
{
    const ic_yaml *modes = ic_yaml_get(v->r->root, "modes");
    const char *names[MOST_MODES];
    size_t n = 0;
    if (name->kind != IC_YAML_SCALAR)
        return ic_fault_add(v->r->faults, name->place, "the name of a mode expected");
    for (size_t i = 0; modes != NULL && i < modes->n_keys && n < MOST_MODES; i++) {
        names[n++] = modes->keys[i]->text;
        if (strcmp(modes->keys[i]->text, name->text) != 0) continue;
        *number = ic_reader_mode(v->r, name->text);
        return *number >= 0;
    }
    const char *meant = ic_meant_name(name->text, names, n);
    if (meant != NULL)
        return ic_fault_add(v->r->faults, name->place, "there is no mode '%s'; did you mean '%s'?", name->text,
                            meant);
    return ic_fault_add(v->r->faults, name->place, "there is no mode '%s'", name->text);
}

/* Assignments of a branch: formulas in the state before the jump. */
static bool read_assignments(variant_reader *v, const ic_yaml *mapping, ic_node *states)
{
    ic_case_reader *r = v->r;
    ic_entries entries = {.any_text = true};
    bool good = ic_entries_read(&entries, r, mapping, NULL);
    for (size_t i = 0; good && i < entries.n; i++) {
        const ic_entry *e = &entries.entries[i];
        if (is_branch_key(e->name)) continue;
        const int state = ic_reader_state(r, e->name);
        if (state < 0) {
            const char *names[IC_MAX_STATES];
            for (size_t k = 0; k < r->n_states; k++) names[k] = r->states[k].name;
            const char *meant = ic_meant_name(e->name, names, r->n_states);
            good = ic_fault_add(r->faults, e->key->place, "'%s' is not a state%s%s%s", e->name,
                                meant != NULL ? "; did you mean '" : "", meant != NULL ? meant : "",
                                meant != NULL ? "'?" : "");
            continue;
        }
        char what[96];
        snprintf(what, sizeof what, "'%s'", e->name);
        const ic_scope scope = ic_reader_scope(r, e->indices);
        good = ic_formula_read_as(&states[state], e->value, &r->state_dimensions[state], what, &scope);
    }
    return good;
}

/* departs: {touch-down: [2, +1]}: order and side of a zero of the next mode's guard */
static bool read_departures(variant_reader *v, const ic_yaml *mapping, ic_branch *branch, int mode)
{
    ic_case_reader *r = v->r;
    if (mapping == NULL) return true;
    if (mapping->kind != IC_YAML_MAPPING)
        return ic_fault_add(r->faults, mapping->place, "guards expected: {touch-down: [2, +1]}");
    ic_departure *departures = ic_arena_take(r->arena, mapping->n_keys * sizeof *departures);
    const ic_yaml *next = ic_yaml_get(ic_yaml_get(ic_yaml_get(r->root, "modes"), r->mode_names[mode]), "until");
    if (departures == NULL) return false;
    for (size_t i = 0; i < mapping->n_keys; i++) {
        const ic_yaml *pair = mapping->items[i];
        int guard = 0, order = 0, side = 0;
        while (next != NULL && (size_t)guard < next->n_keys &&
               strcmp(next->keys[guard]->text, mapping->keys[i]->text) != 0)
            guard++;
        if (next == NULL || (size_t)guard == next->n_keys)
            return ic_fault_add(r->faults, mapping->keys[i]->place, "mode '%s' has no guard '%s'",
                                r->mode_names[mode], mapping->keys[i]->text);
        if (pair->kind != IC_YAML_SEQUENCE || pair->n_items != 2 ||
            sscanf(pair->items[0]->text, "%d", &order) != 1 || sscanf(pair->items[1]->text, "%d", &side) != 1 ||
            order < 1 || order > 3 || (side != 1 && side != -1))
            return ic_fault_add(r->faults, pair->place,
                                "order (1, 2 or 3) and side (-1 or +1) expected: [2, +1]");
        departures[i] = (ic_departure){guard, order, side};
    }
    branch->departures = departures;
    branch->n_departures = mapping->n_keys;
    return true;
}

typedef struct jump_builder {
    ic_function_branch *functions;
    ic_branch *branches;
    size_t n_functions, n_branches;
    bool linear;
} jump_builder;

/* Add a branch with the states given; `condition` may be IC_NO_NODE. */
static ic_branch *add_branch(variant_reader *v, jump_builder *b, ic_node condition, const ic_node *states,
                             int mode)
{
    ic_case_reader *r = v->r;
    ic_function_branch *f = ic_arena_append(r->arena, &b->functions, &b->n_functions, sizeof *f);
    ic_branch *branch = ic_arena_append(r->arena, &b->branches, &b->n_branches, sizeof *branch);
    const char **texts = ic_arena_take(r->arena, (r->n_states + 1) * sizeof *texts);
    if (f == NULL || branch == NULL || texts == NULL) return NULL;
    *f = (ic_function_branch){condition, states};
    *branch = (ic_branch){.mode = mode, .state = texts};
    for (size_t i = 0; i < r->n_states; i++) {
        texts[i] = ic_reader_linear_text(r, states[i]);
        b->linear = b->linear && texts[i] != NULL;
    }
    if (condition >= 0) {
        branch->condition = ic_reader_linear_text(r, condition);
        b->linear = b->linear && branch->condition != NULL;
    }
    return branch;
}

static ic_node *same_states(variant_reader *v)
{
    ic_node *states = ic_arena_take(v->r->arena, IC_MAX_STATES * sizeof *states);
    for (size_t i = 0; states != NULL && i < v->r->n_states; i++)
        states[i] = ic_graph_indexed(v->r->graph, IC_OP_STATE, (int)i);
    return states;
}

static bool read_branch(variant_reader *v, jump_builder *b, const ic_yaml *mapping, int default_mode,
                        const ic_node *initial)
{
    ic_case_reader *r = v->r;
    ic_node condition = IC_NO_NODE;
    int mode = default_mode;
    const ic_yaml *given = ic_yaml_get(mapping, "if"), *next = ic_yaml_get(mapping, "mode");
    ic_node *states = same_states(v);
    if (mapping->kind != IC_YAML_MAPPING)
        return ic_fault_add(r->faults, mapping->place, "what changes expected: {v: -e*v, mode: flight}");
    if (states == NULL) return false;
    if (initial != NULL) memcpy(states, initial, r->n_states * sizeof *states);
    const ic_scope scope = ic_reader_scope(r, NULL);
    if ((given != NULL && !ic_condition_read(&condition, given, &scope)) ||
        (next != NULL && !find_mode(v, next, &mode)) || !read_assignments(v, mapping, states) ||
        !ic_settle_elements(r, states, initial != NULL))
        return false;
    ic_branch *branch = add_branch(v, b, condition, states, mode);
    if (branch == NULL) return false;
    const ic_yaml *departs = ic_yaml_get(mapping, "departs");
    return departs == NULL || mode < 0 || read_departures(v, departs, branch, mode);
}

static bool finish_jump(variant_reader *v, ic_jump *jump, const jump_builder *b)
{
    ic_case_reader *r = v->r;
    ic_function *f = ic_arena_append(r->arena, &r->functions->functions, &r->functions->n, sizeof *f);
    if (f == NULL) return false;
    *f = (ic_function){.kind = IC_FUNCTION_JUMP,
                       .branches = b->functions,
                       .n_branches = b->n_functions,
                       .n_states = r->n_states,
                       .slot = &jump->apply};
    jump->branches = b->branches;
    jump->n_branches = b->n_branches;
    jump->linear = b->linear;
    return true;
}

/* The last branch of a jump that says nothing: nothing changes, or the start is the usual one. */
static bool add_default_branch(variant_reader *v, jump_builder *b, int mode, const ic_node *initial)
{
    ic_node *states = same_states(v);
    if (states == NULL) return false;
    if (initial != NULL) memcpy(states, initial, v->r->n_states * sizeof *states);
    if (initial != NULL && !ic_settle_elements(v->r, states, true)) return false;
    return add_branch(v, b, IC_NO_NODE, states, mode) != NULL;
}

/* A jump from one mapping or a list of them. `initial`: the states if nothing is said. */
static bool read_jump(variant_reader *v, ic_jump *jump, const ic_yaml *section, int default_mode,
                      const ic_node *initial)
{
    jump_builder b = {.linear = true};
    const bool list = section != NULL && section->kind == IC_YAML_SEQUENCE;
    const size_t n = section == NULL ? 0 : list ? section->n_items : 1;
    for (size_t i = 0; i < n; i++) {
        const ic_yaml *mapping = list ? section->items[i] : section;
        const bool last = i + 1 == n;
        if (!read_branch(v, &b, mapping, default_mode, initial)) return false;
        if (!last && b.functions[i].condition < 0)
            return ic_fault_add(v->r->faults, mapping->place, "an alternative without 'if' has to be the last");
    }
    const bool open = n == 0 || b.functions[n - 1].condition >= 0;
    if (open && !add_default_branch(v, &b, default_mode, initial)) return false;
    return finish_jump(v, jump, &b);
}

/* ---- guards */

static const char *const guard_keys[] = {"falls", "rises",       "crosses", "if",      "then",
                                         "ends",  "accumulates", "meaning", "departs", NULL};

/* A terminal mode of the guard's name, with the flow of the mode that it ends. */
static int terminal_mode(variant_reader *v, const char *name, int from)
{
    const int number = ic_reader_mode(v->r, name);
    const size_t n = IC_MAX_STATES;
    if (number < 0 || v->is_read[number]) return number;
    v->is_read[number] = true;
    v->modes[number].name = name;
    v->modes[number].meaning = "the run is over";
    v->modes[number].terminal = true;
    memcpy(v->flows + (size_t)number * n, v->flows + (size_t)from * n, n * sizeof *v->flows);
    memcpy(v->output_nodes + (size_t)number * v->n_outputs, v->output_nodes + (size_t)from * v->n_outputs,
           v->n_outputs * sizeof *v->output_nodes);
    return number;
}

static bool is_true(const ic_yaml *value)
{
    return value != NULL && value->kind == IC_YAML_SCALAR && strcmp(value->text, "true") == 0;
}

static bool read_guard(variant_reader *v, ic_guard *guard, const ic_entry *entry, int mode)
{
    static const char *const words[] = {"falls", "crosses", "rises"};
    ic_case_reader *r = v->r;
    const ic_yaml *section = entry->value, *value = NULL, *condition = ic_yaml_get(section, "if");
    ic_term term;
    ic_node enabled = IC_NO_NODE;
    int direction = 0;
    if (!ic_reader_keys(r, section, guard_keys)) return false;
    for (int i = 0; i < 3; i++) {
        const ic_yaml *given = ic_yaml_get(section, words[i]);
        if (given == NULL) continue;
        if (value != NULL)
            return ic_fault_add(r->faults, given->place, "one of 'falls', 'rises' and 'crosses' is enough");
        value = given;
        direction = i - 1;
    }
    if (value == NULL)
        return ic_fault_add(r->faults, entry->key->place,
                            "'%s' has no guard function: falls, rises or crosses (zero) expected", entry->name);
    const ic_scope scope = ic_reader_scope(r, entry->indices);
    if (!ic_formula_read(&term, value, &scope)) return false;
    if (r->graph->nodes[term.node].varies == 0)
        return ic_fault_add(r->faults, value->place, "'%s' never changes: it has neither states nor t in it",
                            entry->name);
    if (condition != NULL && !ic_condition_read(&enabled, condition, &scope)) return false;
    guard->name = entry->name;
    guard->unit = unit_of(r, &term.dimension);
    guard->meaning = ic_reader_text(r, section, "meaning", entry->name);
    guard->direction = direction;
    guard->linear = ic_reader_linear_text(r, term.node);
    const ic_node rate =
        ic_graph_rate(r->graph, term.node, v->flows + (size_t)mode * IC_MAX_STATES, r->n_states);
    if (!value_function(v, term.node, &guard->value) || !value_function(v, rate, &guard->rate)) return false;
    if (enabled >= 0 && !value_function(v, enabled, &guard->enabled)) return false;
    if (enabled >= 0) guard->linear_enabled = ic_reader_linear_text(r, enabled);
    int next = IC_SAME_MODE;
    if (is_true(ic_yaml_get(section, "ends")) && (next = terminal_mode(v, entry->name, mode)) < 0) return false;
    if (!read_jump(v, &guard->jump, ic_yaml_get(section, "then"), next, NULL)) return false;
    const ic_yaml *limit = ic_yaml_get(section, "accumulates");
    return limit == NULL || read_jump(v, &guard->accumulation, limit, IC_SAME_MODE, NULL);
}

/* ---- one mode */

static bool read_flow(variant_reader *v, const ic_yaml *section, ic_node *flow, bool *given)
{
    ic_case_reader *r = v->r;
    ic_entries entries = {0};
    bool good = ic_entries_read(&entries, r, section, NULL);
    for (size_t i = 0; i < entries.n; i++) {
        const ic_entry *e = &entries.entries[i];
        const int state = ic_reader_state(r, e->name);
        if (state < 0) {
            good = ic_fault_add(r->faults, e->key->place, "'%s' is not a state", e->name);
            continue;
        }
        if (r->state_discrete[state]) {
            good = ic_fault_add(r->faults, e->key->place, "'%s' is discrete: events change it, not a flow",
                                e->name);
            continue;
        }
        static const ic_dimension second = {.power = {0, 0, 1}};
        const ic_dimension rate = ic_dimension_product(&r->state_dimensions[state], &second, -1);
        char what[96];
        snprintf(what, sizeof what, "the rate of '%s'", e->name);
        const ic_scope scope = ic_reader_scope(r, e->indices);
        good = ic_formula_read_as(&flow[state], e->value, &rate, what, &scope) && good;
        given[state] = true;
    }
    return good;
}

static bool read_invariants(variant_reader *v, ic_mode *mode, const ic_yaml *section)
{
    static const char *const words[] = {"zero", "nonnegative", "nonpositive"};
    static const int sides[] = {0, +1, -1};
    ic_case_reader *r = v->r;
    ic_entries entries = {.any_text = true};
    static const char *const keys[] = {"zero", "nonnegative", "nonpositive", "meaning", NULL};
    if (!ic_entries_read(&entries, r, section, NULL)) return false;
    ic_invariant *invariants = ic_arena_take(r->arena, (entries.n + 1) * sizeof *invariants);
    if (invariants == NULL) return false;
    for (size_t i = 0; i < entries.n; i++) {
        const ic_entry *e = &entries.entries[i];
        const ic_yaml *value = e->value->kind == IC_YAML_MAPPING ? NULL : e->value;
        ic_term term;
        int side = 0;
        if (e->value->kind == IC_YAML_MAPPING && !ic_reader_keys(r, e->value, keys)) return false;
        for (size_t w = 0; w < 3 && value == NULL; w++) {
            value = ic_yaml_get(e->value, words[w]);
            side = sides[w];
        }
        if (value == NULL)
            return ic_fault_add(r->faults, e->key->place, "'%s': zero, nonnegative or nonpositive expected",
                                e->name);
        const ic_scope scope = ic_reader_scope(r, e->indices);
        if (!ic_formula_read(&term, value, &scope)) return false;
        invariants[i] = (ic_invariant){.name = e->name,
                                       .unit = unit_of(r, &term.dimension),
                                       .meaning = ic_reader_text(r, e->value, "meaning", e->name),
                                       .side = side,
                                       .linear = ic_reader_linear_text(r, term.node)};
        if (!value_function(v, term.node, &invariants[i].value)) return false;
    }
    mode->invariants = invariants;
    mode->n_invariants = entries.n;
    return true;
}

/* stored, supplied and dissipated, each in the mode or for all modes; powers default to 0 */
static bool read_energy(variant_reader *v, ic_mode *mode, const ic_yaml *own, const ic_yaml *common)
{
    static const char *const keys[] = {"stored", "supplied", "dissipated", NULL};
    ic_case_reader *r = v->r;
    void *const slots[] = {&mode->stored_energy, &mode->supplied_power, &mode->dissipated_power};
    ic_term terms[3];
    if (own == NULL && common == NULL) return true;
    if ((own != NULL && !ic_reader_keys(r, own, keys)) || (common != NULL && !ic_reader_keys(r, common, keys)))
        return false;
    const ic_scope scope = ic_reader_scope(r, NULL);
    for (int i = 0; i < 3; i++) {
        const ic_yaml *text = ic_yaml_get(own, keys[i]);
        if (text == NULL) text = ic_yaml_get(common, keys[i]);
        terms[i] = (ic_term){ic_graph_integer(r->graph, 0), {.any = true}};
        if (text == NULL && i == 0) return true; /* no energy in this mode */
        if (text != NULL && !ic_formula_read(&terms[i], text, &scope)) return false;
        static const ic_dimension second = {.power = {0, 0, 1}};
        const ic_dimension power = ic_dimension_product(&terms[0].dimension, &second, -1);
        if (i > 0 && !ic_dimensions_equal(&terms[i].dimension, &power)) {
            char is[IC_DIMENSION_TEXT], has[IC_DIMENSION_TEXT];
            return ic_fault_add(r->faults, text->place,
                                "units differ: the %s power has to be in %s, but is in %s", keys[i],
                                ic_dimension_text(has, &power), ic_dimension_text(is, &terms[i].dimension));
        }
    }
    for (int i = 0; i < 3; i++) {
        if (!value_function(v, terms[i].node, slots[i])) return false;
    }
    return true;
}

static bool read_output_values(variant_reader *v, int mode)
{
    ic_case_reader *r = v->r;
    ic_entries entries = {0};
    if (!ic_entries_read(&entries, r, ic_yaml_get(r->root, "outputs"), NULL)) return false;
    for (size_t i = 0; i < entries.n && i < v->n_outputs; i++) {
        const ic_entry *e = &entries.entries[i];
        const ic_yaml *value = e->value->kind == IC_YAML_MAPPING ? ic_yaml_get(e->value, "value") : e->value;
        const ic_scope scope = ic_reader_scope(r, e->indices);
        ic_term term;
        if (value == NULL) return ic_fault_add(r->faults, e->key->place, "'%s' has no value", e->name);
        if (!ic_formula_read(&term, value, &scope)) return false;
        v->output_nodes[(size_t)mode * v->n_outputs + i] = term.node;
        if (v->outputs[i].unit == NULL || strcmp(v->outputs[i].unit, "1") == 0)
            v->outputs[i].unit = unit_of(r, &term.dimension);
    }
    return true;
}

/* A guard of an element, `first` being the number of the first of them. */
static bool make_element_guard(variant_reader *v, ic_guard *guard, const ic_element_guard *e, int mode,
                               size_t first)
{
    ic_case_reader *r = v->r;
    jump_builder b = {.linear = true}, limit = {.linear = true};
    const ic_node value = e->value.node;
    guard->name = e->name;
    guard->unit = unit_of(r, &e->value.dimension);
    guard->meaning = e->meaning;
    guard->direction = e->direction;
    guard->linear = ic_reader_linear_text(r, value);
    const ic_node rate = ic_graph_rate(r->graph, value, v->flows + (size_t)mode * IC_MAX_STATES, r->n_states);
    if (!value_function(v, value, &guard->value) || !value_function(v, rate, &guard->rate)) return false;
    for (size_t i = 0; i < e->n_branches; i++) {
        const ic_element_branch *from = &e->branches[i];
        ic_branch *branch = add_branch(v, &b, from->condition, from->states, IC_SAME_MODE);
        ic_departure *departure = ic_arena_take(r->arena, sizeof *departure);
        if (branch == NULL || departure == NULL) return false;
        *departure = (ic_departure){(int)first + from->departs, from->order, from->side};
        if (from->departs >= 0) branch->departures = departure;
        if (from->departs >= 0) branch->n_departures = 1;
    }
    if (!finish_jump(v, &guard->jump, &b)) return false;
    if (e->limit == NULL) return true;
    return add_branch(v, &limit, IC_NO_NODE, e->limit, IC_SAME_MODE) != NULL &&
           finish_jump(v, &guard->accumulation, &limit);
}

static bool read_guards(variant_reader *v, int mode, const ic_yaml *own, const ic_yaml *common,
                        const ic_element_guards *elements)
{
    ic_case_reader *r = v->r;
    ic_entries entries = {.any_text = true};
    if (!ic_entries_read(&entries, r, own, NULL) || !ic_entries_read(&entries, r, common, NULL)) return false;
    ic_guard *guards = ic_arena_take(r->arena, (entries.n + elements->n + 1) * sizeof *guards);
    if (guards == NULL) return false;
    v->modes[mode].guards = guards;
    v->modes[mode].n_guards = entries.n + elements->n;
    bool good = true;
    for (size_t i = 0; i < entries.n; i++) good = read_guard(v, &guards[i], &entries.entries[i], mode) && good;
    for (size_t i = 0; i < elements->n && good; i++)
        good = make_element_guard(v, &guards[entries.n + i], &elements->guards[i], mode, entries.n);
    return good;
}

/* The flow of a mode, without elements; its definitions remain those of the mode. */
static bool read_whole_flow(variant_reader *v, const char *name, const ic_yaml *section, ic_file_place place,
                            ic_node *flow)
{
    ic_case_reader *r = v->r;
    bool given[IC_MAX_STATES] = {false};
    ic_forget_definitions(&r->case_definitions);
    if (!ic_read_definitions(&r->mode_definitions, r, ic_yaml_get(section, "definitions"))) return false;
    for (size_t i = 0; i < r->n_states; i++) flow[i] = ic_graph_integer(r->graph, 0);
    bool good = read_flow(v, ic_yaml_get(r->root, "flow"), flow, given) &&
                read_flow(v, ic_yaml_get(section, "flow"), flow, given);
    const ic_yaml *mass = ic_yaml_get(section, "mass");
    good = good && ic_read_mass(r, mass != NULL ? mass : ic_yaml_get(r->root, "mass"), flow, given);
    for (size_t i = 0; i < r->n_states && good; i++) {
        if (!given[i] && !r->state_discrete[i])
            good = ic_fault_add(r->faults, place, "mode '%s' says nothing about the rate of '%s'", name,
                                r->states[i].name);
    }
    return good;
}

static bool read_mode(variant_reader *v, const char *name, const ic_yaml *section, ic_file_place place)
{
    static const char *const keys[] = {"meaning", "definitions", "flow", "mass", "keeps",
                                       "energy",  "until",       "ends", NULL};
    ic_case_reader *r = v->r;
    const int number = ic_reader_mode(r, name);
    ic_element_guards elements = {0};
    if (section != NULL && !ic_reader_keys(r, section, keys)) return false;
    if (number < 0) return ic_fault_add(r->faults, place, "more than %d modes", MOST_MODES);
    ic_mode *mode = &v->modes[number];
    ic_node *flow = v->flows + (size_t)number * IC_MAX_STATES;
    v->is_read[number] = true;
    mode->name = name;
    mode->meaning = ic_reader_text(r, section, "meaning", name);
    mode->terminal = is_true(ic_yaml_get(section, "ends"));
    if (!read_whole_flow(v, name, section, place, flow)) return false;
    bool good = ic_apply_elements(r, flow, &elements);
    if (!good) return false;
    good = read_output_values(v, number) && good;
    good =
        read_guards(v, number, ic_yaml_get(section, "until"), ic_yaml_get(r->root, "until"), &elements) && good;
    good = read_invariants(v, mode, ic_yaml_get(section, "keeps")) && good;
    good = read_energy(v, mode, ic_yaml_get(section, "energy"), ic_yaml_get(r->root, "energy")) && good;
    ic_check_definitions(r, &r->mode_definitions);
    return good;
}

/* ---- the variant */

static bool finish_mode(variant_reader *v, int number)
{
    ic_case_reader *r = v->r;
    ic_mode *mode = &v->modes[number];
    const ic_node *flow = v->flows + (size_t)number * IC_MAX_STATES;
    const char **texts = ic_arena_take(r->arena, (r->n_states + 1) * sizeof *texts);
    bool linear = texts != NULL;
    if (!v->is_read[number]) { /* a mode of another variant: its number is kept free */
        *mode =
            (ic_mode){.name = r->mode_names[number], .meaning = "not a mode of this variant", .terminal = true};
    }
    for (size_t i = 0; i < r->n_states && linear; i++)
        linear = (texts[i] = ic_reader_linear_text(r, flow[i])) != NULL;
    mode->linear = linear ? texts : NULL;
    return ic_reader_function(r, IC_FUNCTION_FLOW, flow, r->n_states, &mode->flow);
}

static bool read_times(variant_reader *v, ic_variant *variant)
{
    static const char *const keys[] = {"at", "count", "then", "meaning", NULL};
    static const ic_dimension second = {.power = {0, 0, 1}};
    ic_case_reader *r = v->r;
    ic_entries entries = {.any_text = true};
    if (!ic_entries_read(&entries, r, ic_yaml_get(r->root, "times"), NULL)) return false;
    ic_time_event *events = ic_arena_take(r->arena, (entries.n + 1) * sizeof *events);
    if (events == NULL) return false;
    for (size_t i = 0; i < entries.n; i++) {
        const ic_entry *e = &entries.entries[i];
        const ic_yaml *at = ic_yaml_get(e->value, "at"), *count = ic_yaml_get(e->value, "count");
        const ic_scope scope = ic_reader_scope(r, e->indices);
        ic_node node = IC_NO_NODE;
        if (!ic_reader_keys(r, e->value, keys)) return false;
        if (at == NULL)
            return ic_fault_add(r->faults, e->key->place, "'%s' has no time: 'at' expected", e->name);
        r->uses = IC_USE_PARAMETERS | IC_USE_COUNT;
        const bool good = ic_formula_read_as(&node, at, &second, "a time", &scope);
        r->uses = IC_USE_PARAMETERS | IC_USE_STATES | IC_USE_TIME;
        if (!good) return false;
        events[i].name = e->name;
        events[i].meaning = ic_reader_text(r, e->value, "meaning", e->name);
        events[i].linear = ic_reader_node_text(r, node);
        const bool repeats = (r->graph->nodes[node].varies & IC_VARIES_INPUT) != 0;
        events[i].occurrences = repeats ? 0 : 1;
        if (count != NULL &&
            (sscanf(count->text, "%d", &events[i].occurrences) != 1 || events[i].occurrences < 1))
            return ic_fault_add(r->faults, count->place, "a whole number of occurrences expected");
        /* from the given number on there is none: INFINITY, as log(0) negated */
        ic_node when = node;
        if (events[i].occurrences > 0) {
            const ic_node n = ic_graph_indexed(r->graph, IC_OP_INPUT, 0);
            const ic_node over = ic_graph_two(r->graph, IC_OP_SUBTRACT, n,
                                              ic_graph_integer(r->graph, events[i].occurrences - 1));
            const ic_node never = ic_graph_one(
                r->graph, IC_OP_NEGATE, ic_graph_one(r->graph, IC_OP_LOG, ic_graph_integer(r->graph, 0)));
            when = ic_graph_apply(r->graph, IC_OP_CHOOSE, over, never, node);
        }
        if (!ic_reader_function(r, IC_FUNCTION_TIME, &when, 1, &events[i].when) ||
            !read_jump(v, &events[i].jump, ic_yaml_get(e->value, "then"), IC_SAME_MODE, NULL))
            return false;
    }
    variant->time_events = events;
    variant->n_time_events = entries.n;
    return true;
}

bool ic_read_outputs(ic_case_reader *r, ic_output **outputs, size_t *n)
{
    static const char *const keys[] = {"value", "unit", "meaning", NULL};
    ic_entries entries = {0};
    if (!ic_entries_read(&entries, r, ic_yaml_get(r->root, "outputs"), NULL)) return false;
    *outputs = ic_arena_take(r->arena, (entries.n + 1) * sizeof **outputs);
    if (*outputs == NULL) return false;
    for (size_t i = 0; i < entries.n; i++) {
        const ic_entry *e = &entries.entries[i];
        const bool is_long = e->value->kind == IC_YAML_MAPPING;
        if (is_long && !ic_reader_keys(r, e->value, keys)) return false;
        (*outputs)[i].name = e->name;
        (*outputs)[i].unit = ic_reader_text(r, e->value, "unit", NULL);
        (*outputs)[i].meaning = ic_reader_text(r, e->value, "meaning", e->name);
    }
    *n = entries.n;
    return true;
}

bool ic_find_variant_kinks(ic_case_reader *r)
{
    variant_reader v = {.r = r};
    const ic_yaml *modes = ic_yaml_get(r->root, "modes");
    const size_t n = modes != NULL ? modes->n_keys : 1;
    r->uses = IC_USE_PARAMETERS | IC_USE_STATES | IC_USE_TIME;
    for (size_t i = 0; i < n; i++) {
        ic_node flow[IC_MAX_STATES];
        const ic_file_place place = modes != NULL ? modes->keys[i]->place : r->root->place;
        if (!read_whole_flow(&v, modes != NULL ? modes->keys[i]->text : "motion",
                             modes != NULL ? modes->items[i] : NULL, place, flow) ||
            !ic_find_kinks(r, flow, r->n_states))
            return false;
    }
    return true;
}

bool ic_read_variant(ic_case_reader *r, ic_variant *variant, ic_output *outputs, size_t n_outputs)
{
    variant_reader v = {.r = r, .outputs = outputs, .n_outputs = n_outputs};
    const ic_yaml *modes = ic_yaml_get(r->root, "modes");
    v.modes = ic_arena_take(r->arena, MOST_MODES * sizeof *v.modes);
    v.flows = ic_arena_take(r->arena, MOST_MODES * IC_MAX_STATES * sizeof *v.flows);
    v.is_read = ic_arena_take(r->arena, MOST_MODES * sizeof *v.is_read);
    v.output_nodes = ic_arena_take(r->arena, (MOST_MODES * n_outputs + 1) * sizeof *v.output_nodes);
    if (v.modes == NULL || v.flows == NULL || v.is_read == NULL || v.output_nodes == NULL) return false;
    for (size_t i = 0; i < MOST_MODES * n_outputs; i++) v.output_nodes[i] = IC_NO_NODE;
    r->uses = IC_USE_PARAMETERS | IC_USE_STATES | IC_USE_TIME;
    bool good = true;
    if (modes != NULL && (modes->kind != IC_YAML_MAPPING || modes->n_keys == 0))
        return ic_fault_add(r->faults, modes->place, "modes expected: NAME: {flow: ..., until: ...}");
    for (size_t i = 0; modes != NULL && i < modes->n_keys; i++) ic_reader_mode(r, modes->keys[i]->text);
    for (size_t i = 0; modes != NULL && i < modes->n_keys; i++)
        good = read_mode(&v, modes->keys[i]->text, modes->items[i], modes->keys[i]->place) && good;
    if (modes == NULL) good = read_mode(&v, "motion", NULL, r->root->place);
    if (!good) return false;
    r->mode_definitions = (ic_definitions){0};
    ic_forget_definitions(&r->case_definitions);
    r->uses = IC_USE_PARAMETERS;
    const int first = ic_reader_mode(r, modes != NULL ? modes->keys[0]->text : "motion");
    good = read_jump(&v, &variant->start, ic_yaml_get(r->root, "start"), first, r->state_starts);
    r->uses = IC_USE_PARAMETERS | IC_USE_STATES | IC_USE_TIME;
    if (!good || !read_times(&v, variant)) return false;
    for (size_t i = 0; i < r->n_modes; i++) good = finish_mode(&v, (int)i) && good;
    variant->modes = v.modes;
    variant->n_modes = r->n_modes;
    for (size_t i = 0; i < n_outputs && good; i++) {
        ic_node *nodes = ic_arena_take(r->arena, (r->n_modes + 1) * sizeof *nodes);
        if (nodes == NULL) return false;
        for (size_t m = 0; m < r->n_modes; m++) nodes[m] = v.output_nodes[m * n_outputs + i];
        const char **texts = ic_arena_take(r->arena, (r->n_modes + 1) * sizeof *texts);
        bool linear = false;
        if (texts == NULL) return false;
        for (size_t m = 0; m < r->n_modes; m++) {
            if (nodes[m] >= 0) texts[m] = ic_reader_linear_text(r, nodes[m]);
            linear = linear || texts[m] != NULL;
        }
        if (linear) outputs[i].linear = texts;
        good = ic_reader_function(r, IC_FUNCTION_OUTPUT, nodes, r->n_modes, &outputs[i].value);
    }
    return good;
}
