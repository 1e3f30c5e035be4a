/* SPDX-License-Identifier: MIT */
/*
 * Reads the sections `modes`, `flow`, `until`, `keeps`, `energy`, `start`, `times` and `outputs`.
 */
#include "casefile/stops.h"

#include "casefile/domain.h"
#include "casefile/mass.h"
#include "casefile/mechanics.h"
#include "casefile/sketch.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** The state of reading one variant. */
typedef struct variant_reader {
    ic_case_reader *r;
    ic_plan *plan;
    ic_output *outputs;

    /* Number of the mode that is being read; -1: none. */
    int mode;
} variant_reader;

static const char *unit_of(ic_case_reader *r, const ic_dimension *dimension)
{
    char text[IC_DIMENSION_TEXT];
    return ic_arena_print(r->arena, "%s", dimension->any ? "1" : ic_dimension_text(text, dimension));
}

/* ---- jumps */

/* The number of the mode that a jump names. */
static bool find_mode(variant_reader *v, const ic_yaml *name, int *number)
{
    const ic_yaml *modes = ic_yaml_get(v->r->root, "modes");
    const char *names[IC_PLAN_MODES];
    size_t n = 0;
    if (name->kind != IC_YAML_SCALAR)
        return ic_fault_add(v->r->faults, name->place, "expected the name of a mode");
    for (size_t i = 0; modes != NULL && i < modes->n_keys && n < IC_PLAN_MODES; i++) {
        names[n++] = modes->keys[i]->text;
        if (strcmp(modes->keys[i]->text, name->text) != 0) continue;
        *number = ic_reader_mode(v->r, name->text);
        return *number >= 0;
    }
    return ic_fault_add(v->r->faults, name->place, "mode '%s' does not exist%s", name->text,
                        ic_meant_hint(name->text, names, n).text);
}

/* Assignments of a branch: formulas in the state before the jump. */
static bool read_assignments(variant_reader *v, const ic_yaml *mapping, const ic_index *indices,
                             ic_node *states)
{
    ic_case_reader *r = v->r;
    ic_file_entries entries = {0};
    bool good = ic_entries_read(&entries, r, mapping, indices);
    for (size_t i = 0; good && i < entries.n; i++) {
        const ic_file_entry *e = &entries.entries[i];
        if (strcmp(e->name, "if") == 0 || strcmp(e->name, "mode") == 0 || strcmp(e->name, "departs") == 0)
            continue;
        const int state = ic_reader_state(r, e->name);
        if (state < 0) {
            const char *names[IC_MAX_STATES];
            for (size_t k = 0; k < r->n_states; k++) names[k] = r->states[k].name;
            good = ic_fault_add(r->faults, e->key->place, "'%s' is not a state%s", e->name,
                                ic_meant_hint(e->name, names, r->n_states).text);
            continue;
        }
        char what[96];
        snprintf(what, sizeof what, "'%s'", e->name);
        const ic_scope scope = ic_reader_scope(r, e->indices);
        good = ic_formula_read_as(&states[state], e->value, &r->state_dimensions[state], what, &scope) &&
               ic_reader_check_value(r, state, states[state], e->value->place);
    }
    return good;
}

/* Reads a whole number from `least` to `most`. */
static bool read_whole(const ic_yaml *text, long least, long most, int *value)
{
    char *end = NULL;
    const long number = strtol(text->text, &end, 10);
    if (end == text->text || *end != '\0' || number < least || number > most) return false;
    *value = (int)number;
    return true;
}

/* Index of an entry among the first n; n if it is not among them. */
static size_t find_entry(const ic_file_entries *entries, size_t n, const char *name)
{
    size_t i = 0;
    while (i < n && strcmp(entries->entries[i].name, name) != 0) i++;
    return i;
}

/* The events of a mode: its own, then those of the file that it does not replace. */
static bool list_events(ic_file_entries *events, ic_case_reader *r, const ic_yaml *own)
{
    ic_file_entries common = {.any_text = true};
    *events = (ic_file_entries){.any_text = true};
    if (!ic_entries_read(events, r, own, NULL) ||
        !ic_entries_read(&common, r, ic_yaml_get(r->root, "until"), NULL))
        return false;
    const size_t n_own = events->n;
    for (size_t i = 0; i < common.n; i++) {
        if (find_entry(events, n_own, common.entries[i].name) < n_own) continue;
        ic_file_entry *added = ic_arena_append(r->arena, &events->entries, &events->n, sizeof *added);
        if (added == NULL) return false;
        *added = common.entries[i];
    }
    return true;
}

/*
 * departs: {touch-down: [2, +1]} gives order and side of the zero at which a guard starts. The
 * guard belongs to the next mode, or to the same one if the mode does not change.
 */
static bool read_departures(variant_reader *v, const ic_yaml *mapping, const ic_index *indices,
                            ic_plan_branch *branch)
{
    ic_case_reader *r = v->r;
    ic_file_entries given = {.any_text = true}, events;
    const int number = branch->mode >= 0 ? branch->mode : v->mode;
    if (number < 0)
        return ic_fault_add(r->faults, mapping->place,
                            "'departs' lists guards of the next mode: give that mode, mode: ...");
    const char *mode = r->mode_names[number];
    const ic_yaml *next = ic_yaml_get(ic_yaml_get(r->root, "modes"), mode);
    if (!ic_entries_read(&given, r, mapping, indices) || !list_events(&events, r, ic_yaml_get(next, "until")))
        return false;
    ic_departure *departures = ic_arena_take(r->arena, (given.n + 1) * sizeof *departures);
    if (departures == NULL) return false;
    for (size_t i = 0; i < given.n; i++) {
        const ic_file_entry *e = &given.entries[i];
        const ic_yaml *pair = e->value;
        const size_t guard = find_entry(&events, events.n, e->name);
        int order = 0, side = 0;
        if (guard == events.n)
            return ic_fault_add(r->faults, e->key->place, "mode '%s' has no guard '%s'", mode, e->name);
        if (pair->kind != IC_YAML_SEQUENCE || pair->n_items != 2 || !read_whole(pair->items[0], 1, 3, &order) ||
            !read_whole(pair->items[1], -1, 1, &side) || side == 0)
            return ic_fault_add(r->faults, pair->place,
                                "expected order (1, 2 or 3) and side (-1 or +1): [2, +1]");
        departures[i] = (ic_departure){(int)guard, order, side};
    }
    branch->departures = departures;
    branch->n_departures = given.n;
    return true;
}

/* Add a branch that keeps the states given; `condition` may be IC_NO_NODE. */
// NOLINTNEXTLINE(readability-non-const-parameter)
static ic_plan_branch *add_branch(variant_reader *v, ic_plan_jump *jump, ic_node condition, ic_node *states,
                                  int mode)
{
    ic_plan_branch *branch = ic_arena_append(v->r->arena, &jump->branches, &jump->n, sizeof *branch);
    if (branch != NULL) *branch = (ic_plan_branch){.condition = condition, .states = states, .mode = mode};
    return branch;
}

/* A kink along whose zero the motion has slid begins the next mode on a side: it may not slide there. */
static void begin_sides(ic_case_reader *r, ic_node *states)
{
    for (size_t i = 0; i < r->n_kinks; i++) {
        const int k = r->kinks[i].state;
        const ic_node own = ic_graph_indexed(r->graph, IC_OP_STATE, k);
        const ic_node moves = ic_graph_two(r->graph, IC_OP_MULTIPLY, own, own);
        if (states[k] == own)
            states[k] = ic_graph_apply(r->graph, IC_OP_CHOOSE, moves, own, ic_graph_integer(r->graph, 1));
    }
}

static bool read_branch(variant_reader *v, ic_plan_jump *b, const ic_yaml *mapping, const ic_index *indices,
                        int default_mode, const ic_node *initial)
{
    ic_case_reader *r = v->r;
    ic_node condition = IC_NO_NODE;
    int mode = default_mode;
    const ic_yaml *given = ic_yaml_get(mapping, "if"), *next = ic_yaml_get(mapping, "mode");
    ic_node *states = ic_same_states(r);
    if (mapping->kind != IC_YAML_MAPPING)
        return ic_fault_add(r->faults, mapping->place,
                            "expected the changes of states and mode: {v: -e*v, mode: flight}");
    if (states == NULL) return false;
    if (next != NULL && initial == NULL && default_mode != IC_SAME_MODE)
        return ic_fault_add(r->faults, next->place, "the event ends the run: 'mode' or 'ends', not both");
    if (initial != NULL) memcpy(states, initial, r->n_states * sizeof *states);
    const ic_scope scope = ic_reader_scope(r, indices);
    if ((given != NULL && !ic_condition_read(&condition, given, &scope)) ||
        (next != NULL && !find_mode(v, next, &mode)) || !read_assignments(v, mapping, indices, states) ||
        !ic_settle_elements(r, states, initial != NULL ? IC_SETTLE_START : IC_SETTLE_FILE))
        return false;
    if (initial == NULL && next != NULL) begin_sides(r, states);
    ic_plan_branch *branch = add_branch(v, b, condition, states, mode);
    if (branch == NULL) return false;
    const ic_yaml *departs = ic_yaml_get(mapping, "departs");
    return departs == NULL || read_departures(v, departs, indices, branch);
}

/*
 * The branch that ends a jump if the file does not give one: nothing changes, or, at the start, the
 * usual start is taken.
 */
static bool add_default_branch(variant_reader *v, ic_plan_jump *b, int mode, const ic_node *initial)
{
    ic_node *states = ic_same_states(v->r);
    if (states == NULL) return false;
    if (initial != NULL) memcpy(states, initial, v->r->n_states * sizeof *states);
    if (initial != NULL && !ic_settle_elements(v->r, states, IC_SETTLE_START)) return false;
    return add_branch(v, b, IC_NO_NODE, states, mode) != NULL;
}

/*
 * Greatest number of events of a mode and of alternatives of an event. The reader compares events
 * in pairs.
 */
enum { MOST_EVENTS = 500, MOST_ALTERNATIVES = 100 };

/*
 * Reads a jump from one mapping or from a list of them. `initial`: the states if the file gives
 * none.
 */
static bool read_jump(variant_reader *v, ic_plan_jump *jump, const ic_yaml *section, const ic_index *indices,
                      int default_mode, const ic_node *initial)
{
    const bool list = section != NULL && section->kind == IC_YAML_SEQUENCE;
    const size_t n = section == NULL ? 0 : list ? section->n_items : 1;
    *jump = (ic_plan_jump){0};
    if (n > MOST_ALTERNATIVES)
        return ic_fault_add(v->r->faults, section->place, "more than %d alternatives", MOST_ALTERNATIVES);
    for (size_t i = 0; i < n; i++) {
        const ic_yaml *mapping = list ? section->items[i] : section;
        const bool last = i + 1 == n;
        if (!read_branch(v, jump, mapping, indices, default_mode, initial)) return false;
        if (!last && jump->n > i && jump->branches[i].condition < 0)
            return ic_fault_add(v->r->faults, mapping->place,
                                "an alternative without 'if' must be the last one");
    }
    const bool open = jump->n == 0 || jump->branches[jump->n - 1].condition >= 0;
    return !open || add_default_branch(v, jump, default_mode, initial);
}

/* ---- guards */

/* Makes mode `number` of the variant. NULL: memory ran out. */
static ic_plan_mode *make_mode(variant_reader *v, int number, const char *name, const char *meaning)
{
    ic_plan_mode *mode = &v->plan->modes[number];
    *mode = (ic_plan_mode){.name = name,
                           .meaning = meaning,
                           .exists = true,
                           .energy = {IC_NO_NODE, IC_NO_NODE, IC_NO_NODE},
                           .flow = ic_arena_take(v->r->arena, IC_MAX_STATES * sizeof(ic_node)),
                           .outputs = ic_arena_take(v->r->arena, (v->plan->n_values + 1) * sizeof(ic_node))};
    return mode->flow != NULL && mode->outputs != NULL ? mode : NULL;
}

/*
 * Number of a terminal mode that has the name of the guard and the flow of the mode that it ends.
 * -1: a fault was added.
 */
static int terminal_mode(variant_reader *v, const ic_file_entry *guard, int from)
{
    const char *name = guard->name;
    const int number = ic_reader_mode(v->r, name);
    if (number < 0) ic_fault_add(v->r->faults, guard->key->place, "more than %d modes", IC_PLAN_MODES);
    if (number >= 0 && number < (int)v->r->n_declared) {
        ic_fault_add(v->r->faults, guard->key->place,
                     "'%s' ends the run, but has the name of a mode: give the event another name", name);
        return -1;
    }
    if (number < 0 || v->plan->modes[number].exists) return number;
    ic_plan_mode *mode = make_mode(v, number, name, "the run is over");
    if (mode == NULL) return -1;
    mode->terminal = true;
    memcpy(mode->outputs, v->plan->modes[from].outputs, v->plan->n_values * sizeof(ic_node));
    memcpy(mode->flow, v->plan->modes[from].flow, IC_MAX_STATES * sizeof *mode->flow);
    return number;
}

/*
 * Reads the quantity that passes through 0 at an event. A comparison in its place, theta > 0, is
 * refused with the quantity that was meant.
 */
static bool read_passing(ic_case_reader *r, ic_term *term, const ic_yaml *value, const ic_scope *scope)
{
    const char *text = value->kind == IC_YAML_SCALAR ? value->text : "";
    size_t at = 0;
    int open = 0;
    for (; text[at] != '\0' && (open > 0 || strchr("<>=", text[at]) == NULL); at++)
        open += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
    if (text[at] == '\0') return ic_formula_read(term, value, scope);
    ic_file_place place = value->place;
    if (value->literal) place.column += at;
    const char *right = text + at + 1;
    size_t left = at;
    right += strspn(right, "= ");
    while (left > 0 && text[left - 1] == ' ') left--;
    char *end = NULL;
    const bool zero = strtod(right, &end) == 0 && end != right;
    if (strpbrk(right, "<>=") != NULL)
        return ic_fault_add(r->faults, place, "an event has no comparison: conditions belong in 'if'");
    return ic_fault_add(r->faults, place, "an event has no comparison: write %.*s%s%s%s", (int)left, text,
                        zero ? "" : " - (", zero ? "" : right, zero ? "" : ")");
}

static bool read_guard(variant_reader *v, ic_plan_guard *guard, const ic_file_entry *entry, int mode)
{
    static const char *const words[] = {"falls", "crosses", "rises"};
    ic_case_reader *r = v->r;
    const ic_yaml *section = entry->value, *value = section, *condition = ic_yaml_get(section, "if");
    ic_term term = {0};
    ic_node enabled = IC_NO_NODE;
    int direction = 0;
    const ic_yaml *departs = ic_yaml_get(section, "departs");
    if (departs != NULL)
        return ic_fault_add(r->faults, departs->place, "'departs' belongs in 'then', next to 'mode'");
    if (!ic_known_keys(r->faults, section, &ic_schema_event)) return false;
    for (int i = 0; i < 3; i++) {
        const ic_yaml *given = ic_yaml_get(section, words[i]);
        if (given == NULL) continue;
        value = given;
        direction = i - 1;
    }
    const ic_scope scope = ic_reader_scope(r, entry->indices);
    if (!read_passing(r, &term, value, &scope)) return false;
    if (r->graph->nodes[term.node].varies == 0)
        return ic_fault_add(r->faults, value->place, "'%s' never changes: it contains neither states nor t",
                            entry->name);
    if (condition != NULL && !ic_condition_read(&enabled, condition, &scope)) return false;
    *guard = (ic_plan_guard){.name = entry->name,
                             .unit = unit_of(r, &term.dimension),
                             .meaning = ic_key_text(r->faults, section, "meaning", entry->name),
                             .direction = direction,
                             .value = term.node,
                             .enabled = ic_split_condition(r, enabled)};
    int next = IC_SAME_MODE;
    if (ic_reader_flag(v->r, section, "ends") && (next = terminal_mode(v, entry, mode)) < 0) return false;
    if (!read_jump(v, &guard->jump, ic_yaml_get(section, "then"), entry->indices, next, NULL)) return false;
    const ic_yaml *limit = ic_yaml_get(section, "accumulates");
    return limit == NULL || read_jump(v, &guard->accumulation, limit, entry->indices, IC_SAME_MODE, NULL);
}

/* ---- one mode */

static bool read_flow(variant_reader *v, const ic_yaml *section, ic_node *flow, bool *given)
{
    ic_case_reader *r = v->r;
    ic_file_entries entries = {0};
    bool good = ic_entries_read(&entries, r, section, NULL);
    for (size_t i = 0; i < entries.n; i++) {
        const ic_file_entry *e = &entries.entries[i];
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
        const ic_dimension rate = ic_dimension_product(&r->state_dimensions[state], &ic_second, -1);
        char what[96];
        snprintf(what, sizeof what, "the rate of '%s'", e->name);
        const ic_scope scope = ic_reader_scope(r, e->indices);
        good = ic_formula_read_as(&flow[state], e->value, &rate, what, &scope) && good;
        given[state] = true;
    }
    return good;
}

/* The invariants of a stop: its gap stays nonnegative, and stays zero while the stop is pressed. */
static void add_gap(ic_case_reader *r, ic_plan_mode *mode, const ic_element *stop)
{
    const ic_node pressed = ic_element_state(r, stop), zero = ic_graph_integer(r->graph, 0);
    const ic_dimension speed = ic_dimension_product(&stop->gap.dimension, &ic_second, -1);
    const ic_plan_invariant invariants[] = {
        {stop->name, unit_of(r, &stop->gap.dimension), "its gap", +1, stop->gap.node},
        {ic_arena_print(r->arena, "%s, pressed", stop->name), unit_of(r, &stop->gap.dimension),
         "its gap while it is pressed", 0,
         ic_graph_apply(r->graph, IC_OP_CHOOSE, pressed, stop->gap.node, zero)},
        {ic_arena_print(r->arena, "%s, pressed: speed", stop->name), unit_of(r, &speed),
         "the rate of its gap while it is pressed", 0,
         ic_graph_apply(r->graph, IC_OP_CHOOSE, pressed, stop->velocity, zero)},
    };
    for (size_t i = 0; i < 3; i++) mode->invariants[mode->n_invariants++] = invariants[i];
}

static bool read_invariants(variant_reader *v, ic_plan_mode *mode, const ic_yaml *section)
{
    static const char *const words[] = {"zero", "nonnegative", "nonpositive"};
    static const int sides[] = {0, +1, -1};
    ic_case_reader *r = v->r;
    ic_file_entries entries = {.any_text = true};
    if (!ic_entries_read(&entries, r, section, NULL)) return false;
    ic_plan_invariant *invariants =
        ic_arena_take(r->arena, (entries.n + 3 * r->n_elements + 1) * sizeof *invariants);
    if (invariants == NULL) return false;
    for (size_t i = 0; i < entries.n; i++) {
        const ic_file_entry *e = &entries.entries[i];
        const ic_yaml *value = e->value;
        ic_term term;
        int side = 0;
        if (e->value->kind == IC_YAML_MAPPING && !ic_known_keys(r->faults, e->value, &ic_schema_invariant))
            return false;
        for (size_t w = 0; w < 3; w++) {
            const ic_yaml *given = ic_yaml_get(e->value, words[w]);
            if (given == NULL) continue;
            value = given;
            side = sides[w];
        }
        const ic_scope scope = ic_reader_scope(r, e->indices);
        if (!ic_formula_read(&term, value, &scope)) return false;
        invariants[i] = (ic_plan_invariant){.name = e->name,
                                            .unit = unit_of(r, &term.dimension),
                                            .meaning = ic_key_text(r->faults, e->value, "meaning", e->name),
                                            .side = side,
                                            .value = term.node};
    }
    mode->invariants = invariants;
    mode->n_invariants = entries.n;
    for (size_t i = 0; i < r->n_elements; i++) {
        const ic_element *e = &r->elements[i];
        if (e->section != NULL && strcmp(e->type, "stop") == 0) add_gap(r, mode, e);
    }
    return true;
}

/*
 * Reads the stored energy and the supplied and dissipated powers, each for one mode or for all
 * modes. A power that is not given is 0.
 */
static bool read_energy(variant_reader *v, ic_plan_mode *mode, const ic_yaml *own, const ic_yaml *common)
{
    const ic_key *keys = ic_schema_energy.keys;
    ic_case_reader *r = v->r;
    ic_term terms[3];
    if (own == NULL && common == NULL) return true;
    if ((own != NULL && !ic_known_keys(r->faults, own, &ic_schema_energy)) ||
        (common != NULL && !ic_known_keys(r->faults, common, &ic_schema_energy)))
        return false;
    const ic_scope scope = ic_reader_scope(r, NULL);
    for (int i = 0; i < 3; i++) {
        const ic_yaml *text = ic_yaml_get(own, keys[i].name);
        if (text == NULL) text = ic_yaml_get(common, keys[i].name);
        terms[i] = (ic_term){ic_graph_integer(r->graph, 0), {.any = true}};
        if (text == NULL && i == 0)
            return ic_fault_add(r->faults, (own != NULL ? own : common)->place,
                                "expected 'stored': powers alone make no energy balance");
        if (text != NULL && !ic_formula_read(&terms[i], text, &scope)) return false;
        const ic_dimension power = ic_dimension_product(&terms[0].dimension, &ic_second, -1);
        if (i > 0 && text != NULL && !ic_dimensions_equal(&terms[i].dimension, &power)) {
            char is[IC_DIMENSION_TEXT], has[IC_DIMENSION_TEXT];
            return ic_fault_add(r->faults, text->place,
                                "units differ: the %s power has to be in %s, but is in %s", keys[i].name,
                                ic_dimension_text(has, &power), ic_dimension_text(is, &terms[i].dimension));
        }
    }
    for (int i = 0; i < 3; i++) mode->energy[i] = terms[i].node;
    return true;
}

/* Whether all keys of a mapping are names of modes, of any variant. */
static bool modes_are_known(const ic_case_reader *r, const ic_yaml *mapping)
{
    bool good = true;
    for (size_t i = 0; i < mapping->n_keys; i++) {
        const ic_yaml *key = mapping->keys[i];
        size_t k = 0;
        while (k < r->n_modes && strcmp(r->mode_names[k], key->text) != 0) k++;
        if (k == r->n_modes)
            good = ic_fault_add(r->faults, key->place, "mode '%s' does not exist%s", key->text,
                                ic_meant_hint(key->text, r->mode_names, r->n_modes).text);
    }
    return good;
}

/*
 * The output that an entry names. A variant may list outputs in another order, or only some of
 * them. NULL: a fault was added.
 */
static ic_output *find_output(const variant_reader *v, const ic_file_entry *e)
{
    for (size_t i = 0; i < v->plan->n_outputs; i++) {
        if (strcmp(v->outputs[i].name, e->name) == 0) return &v->outputs[i];
    }
    ic_fault_add(v->r->faults, e->key->place,
                 "'%s' is not an output of the file: a variant may change outputs, but not add one", e->name);
    return NULL;
}

/*
 * The unit of an output is the one given, or else that of its first value that has a unit. All its
 * values have this unit.
 */
static bool check_output_unit(const variant_reader *v, ic_output *output, const ic_yaml *given,
                              const ic_yaml *value, const ic_dimension *dimension)
{
    const char *own = unit_of(v->r, dimension);
    ic_unit unit;
    if (own == NULL) return false;
    if (output->unit == NULL || (given == NULL && strcmp(output->unit, "1") == 0)) output->unit = own;
    if (strcmp(output->unit, own) == 0) return true;
    if (!ic_reader_si_unit(&unit, v->r, output->unit, (given != NULL ? given : value)->place)) return false;
    return ic_dimensions_equal(&unit.dimension, dimension) ||
           ic_fault_add(v->r->faults, value->place, "units differ: the output '%s' is in %s, but this is in %s",
                        output->name, output->unit, own);
}

static bool read_output_values(variant_reader *v, int mode)
{
    ic_case_reader *r = v->r;
    ic_file_entries entries = {0};
    if (!ic_entries_read(&entries, r, ic_yaml_get(r->root, "outputs"), NULL)) return false;
    for (size_t i = 0; i < entries.n; i++) {
        const ic_file_entry *e = &entries.entries[i];
        ic_output *output = find_output(v, e);
        if (output == NULL) return false;
        const bool is_long = e->value->kind == IC_YAML_MAPPING;
        const ic_yaml *value = is_long ? ic_yaml_get(e->value, "value") : e->value;
        const ic_scope scope = ic_reader_scope(r, e->indices);
        ic_term term;
        if (is_long && !ic_known_keys(r->faults, e->value, &ic_schema_output)) return false;
        if (value == NULL) return ic_fault_add(r->faults, e->key->place, "'%s' has no value", e->name);
        if (value->kind == IC_YAML_MAPPING) { /* by mode */
            if (!modes_are_known(r, value)) return false;
            value = ic_yaml_get(value, r->mode_names[mode]);
            if (value == NULL) continue;
        }
        r->uses |= IC_USE_NONE;
        const bool good = ic_formula_read(&term, value, &scope);
        r->uses &= ~(unsigned)IC_USE_NONE;
        if (!good) return false;
        v->plan->modes[mode].outputs[output - v->outputs] = term.node;
        if (!check_output_unit(v, output, ic_yaml_get(e->value, "unit"), value, &term.dimension)) return false;
    }
    return ic_sketch_values(r, v->plan->modes[mode].outputs + v->plan->n_outputs);
}

static ic_node *copy_states(const variant_reader *v, const ic_node *states)
{
    ic_node *copy = ic_arena_take(v->r->arena, IC_MAX_STATES * sizeof *copy);
    if (copy != NULL) memcpy(copy, states, v->r->n_states * sizeof *copy);
    return copy;
}

/*
 * Converts a guard of an element. `first` is the number of the first guard of elements in the mode.
 */
static bool plan_element_guard(variant_reader *v, ic_plan_guard *guard, const ic_element_guard *e, size_t first)
{
    *guard = (ic_plan_guard){.name = e->name,
                             .unit = unit_of(v->r, &e->value.dimension),
                             .meaning = e->meaning,
                             .direction = e->direction,
                             .onset = e->onset,
                             .of_element = true,
                             .value = e->value.node,
                             .enabled = e->enabled};
    for (size_t i = 0; i < e->n_branches; i++) {
        const ic_element_branch *from = &e->branches[i];
        ic_node *states = copy_states(v, from->states); /* elements share them between guards */
        ic_plan_branch *branch = add_branch(v, &guard->jump, from->condition, states, IC_SAME_MODE);
        ic_departure *departures = ic_arena_take(v->r->arena, 2 * sizeof *departures);
        if (states == NULL || branch == NULL || departures == NULL) return false;
        branch->departures = departures;
        if (from->departs >= 0)
            departures[branch->n_departures++] =
                (ic_departure){(int)first + from->departs, from->order, from->side};
        if (from->opens != NULL)
            departures[branch->n_departures++] =
                (ic_departure){(int)first + *from->opens, from->opens_order, +1};
    }
    if (e->limit == NULL) return true;
    ic_node *limit = copy_states(v, e->limit);
    return limit != NULL && add_branch(v, &guard->accumulation, IC_NO_NODE, limit, IC_SAME_MODE) != NULL;
}

static bool read_guards(variant_reader *v, int mode, const ic_yaml *own, const ic_element_guards *elements)
{
    ic_case_reader *r = v->r;
    ic_file_entries entries;
    if (!list_events(&entries, r, own)) return false;
    if (entries.n > MOST_EVENTS)
        return ic_fault_add(r->faults, (own != NULL ? own : ic_yaml_get(r->root, "until"))->place,
                            "more than %d events in one mode", MOST_EVENTS);
    ic_plan_guard *guards = ic_arena_take(r->arena, (entries.n + elements->n + 1) * sizeof *guards);
    if (guards == NULL) return false;
    v->plan->modes[mode].guards = guards;
    v->plan->modes[mode].n_guards = entries.n + elements->n;
    bool good = true;
    for (size_t i = 0; i < entries.n; i++) good = read_guard(v, &guards[i], &entries.entries[i], mode) && good;
    for (size_t i = 0; i < elements->n && good; i++) {
        const size_t same = find_entry(&entries, entries.n, elements->guards[i].name);
        if (same < entries.n)
            good = ic_fault_add(r->faults, entries.entries[same].key->place,
                                "'%s' is already the name of an element's event", elements->guards[i].name);
    }
    for (size_t i = 0; i < elements->n && good; i++)
        good = plan_element_guard(v, &guards[entries.n + i], &elements->guards[i], entries.n);
    return good;
}

/*
 * Whether a state is the residual indentation of a contact's surface, whose rate the element gives.
 */
static bool is_set_of_contact(const ic_case_reader *r, int state)
{
    for (size_t i = 0; i < r->n_elements; i++) {
        if (strcmp(r->elements[i].type, "contact") == 0 && r->elements[i].set == state) return true;
    }
    return false;
}

/*
 * Reads the flow of a mode without its elements. The definitions of the mode stay in force
 * afterwards.
 */
static bool read_whole_flow(variant_reader *v, const char *name, const ic_yaml *section, ic_file_place place,
                            ic_node *flow)
{
    ic_case_reader *r = v->r;
    bool given[IC_MAX_STATES] = {false};
    if (!ic_read_definitions(&r->mode_definitions, r, ic_yaml_get(section, "definitions"))) return false;
    ic_begin_mode_definitions(r);
    for (size_t i = 0; i < r->n_states; i++) flow[i] = ic_graph_integer(r->graph, 0);
    bool good = read_flow(v, ic_yaml_get(r->root, "flow"), flow, given) &&
                read_flow(v, ic_yaml_get(section, "flow"), flow, given);
    const ic_yaml *mass = ic_yaml_get(section, "mass");
    good = good && ic_read_mass(r, mass != NULL ? mass : ic_yaml_get(r->root, "mass"), flow, given);
    for (size_t i = 0; i < r->n_states && good; i++) {
        if (!given[i] && !r->state_discrete[i] && !is_set_of_contact(r, (int)i))
            good = ic_fault_add(r->faults, place, "mode '%s' does not give the rate of '%s'", name,
                                r->states[i].name);
    }
    return good;
}

/* Extends powers in the other guards of a mode that ends where guard `ends` changes sign. */
static bool extend_guards(variant_reader *v, ic_plan_mode *mode, size_t ends)
{
    const ic_node at = mode->guards[ends].value;
    bool good = true;
    for (size_t i = 0; i < mode->n_guards && good; i++) {
        ic_plan_guard *guard = &mode->guards[i];
        if (i != ends && !guard->of_element && !ic_is_steep_at(v->r, guard->value, at))
            good = ic_extend_at_guard(v->r, &guard->value, 1, at);
    }
    return good;
}

/*
 * Extends powers in a mode that ends where their base changes sign, because they have no value
 * beyond it.
 */
static bool extend_formulas(variant_reader *v, ic_plan_mode *mode)
{
    bool good = true;
    for (size_t i = 0; i < mode->n_guards && good; i++) {
        const ic_plan_guard *guard = &mode->guards[i];
        if (guard->of_element || guard->direction == 0 || guard->enabled >= 0) continue;
        good = ic_extend_at_guard(v->r, mode->flow, v->r->n_states, guard->value) &&
               ic_extend_at_guard(v->r, mode->outputs, v->plan->n_values, guard->value) &&
               ic_extend_at_guard(v->r, mode->energy, 3, guard->value) && extend_guards(v, mode, i);
    }
    return good;
}

static bool read_mode(variant_reader *v, const char *name, const ic_yaml *section, ic_file_place place)
{
    ic_case_reader *r = v->r;
    const int number = ic_reader_mode(r, name);
    ic_element_guards elements = {0};
    if (section != NULL && !ic_known_keys(r->faults, section, &ic_schema_mode)) return false;
    if (number < 0) return ic_fault_add(r->faults, place, "more than %d modes", IC_PLAN_MODES);
    v->mode = number;
    ic_plan_mode *mode = make_mode(v, number, name, ic_key_text(r->faults, section, "meaning", name));
    if (mode == NULL) return false;
    mode->terminal = ic_reader_flag(r, section, "ends");
    for (size_t i = 0; i < v->plan->n_values; i++) mode->outputs[i] = IC_NO_NODE;
    /* Read the events even if the flow has faults, so that all faults are reported. */
    bool good =
        read_whole_flow(v, name, section, place, mode->flow) && ic_apply_elements(r, mode->flow, &elements);
    good = read_output_values(v, number) && good;
    good = read_guards(v, number, ic_yaml_get(section, "until"), &elements) && good;
    good = read_invariants(v, mode, ic_yaml_get(section, "keeps")) && good;
    good = read_energy(v, mode, ic_yaml_get(section, "energy"), ic_yaml_get(r->root, "energy")) && good;
    ic_check_definitions(r, &r->mode_definitions);
    return good && extend_formulas(v, mode);
}

/* ---- the variant */

static bool read_time(variant_reader *v, ic_plan_time *time, const ic_file_entry *e)
{
    ic_case_reader *r = v->r;
    const ic_yaml *at = ic_yaml_get(e->value, "at"), *count = ic_yaml_get(e->value, "count");
    const ic_scope scope = ic_reader_scope(r, e->indices);
    if (!ic_known_keys(r->faults, e->value, &ic_schema_time)) return false;
    r->uses = IC_USE_PARAMETERS | IC_USE_COUNT;
    const bool good = ic_formula_read_as(&time->at, at, &ic_second, "a time", &scope);
    r->uses = IC_USE_PARAMETERS | IC_USE_STATES | IC_USE_TIME;
    if (!good) return false;
    time->name = e->name;
    time->meaning = ic_key_text(r->faults, e->value, "meaning", e->name);
    time->occurrences = (r->graph->nodes[time->at].varies & IC_VARIES_INPUT) != 0 ? 0 : 1;
    if (count != NULL && !read_whole(count, 1, INT_MAX, &time->occurrences))
        return ic_fault_add(r->faults, count->place, "expected the number of occurrences, an integer");
    return read_jump(v, &time->jump, ic_yaml_get(e->value, "then"), e->indices, IC_SAME_MODE, NULL);
}

static bool read_times(variant_reader *v)
{
    ic_case_reader *r = v->r;
    ic_file_entries entries = {.any_text = true};
    if (!ic_entries_read(&entries, r, ic_yaml_get(r->root, "times"), NULL)) return false;
    v->plan->times = ic_arena_take(r->arena, (entries.n + 1) * sizeof *v->plan->times);
    if (v->plan->times == NULL) return false;
    bool good = true;
    for (size_t i = 0; i < entries.n; i++) good = read_time(v, &v->plan->times[i], &entries.entries[i]) && good;
    v->plan->n_times = entries.n;
    return good;
}

bool ic_read_outputs(ic_case_reader *r, ic_output **outputs, size_t *n)
{
    ic_file_entries entries = {0};
    if (!ic_entries_read(&entries, r, ic_yaml_get(r->root, "outputs"), NULL)) return false;
    *outputs = ic_arena_take(r->arena, (entries.n + 1) * sizeof **outputs);
    if (*outputs == NULL) return false;
    for (size_t i = 0; i < entries.n; i++) {
        const ic_file_entry *e = &entries.entries[i];
        const bool is_long = e->value->kind == IC_YAML_MAPPING;
        if (is_long && !ic_known_keys(r->faults, e->value, &ic_schema_output)) return false;
        (*outputs)[i].name = e->name;
        (*outputs)[i].unit = ic_key_text(r->faults, e->value, "unit", NULL);
        (*outputs)[i].meaning = ic_key_text(r->faults, e->value, "meaning", e->name);
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

static void reach_by(const ic_plan_jump *jump, bool *reached)
{
    for (size_t i = 0; i < jump->n; i++) {
        if (jump->branches[i].mode >= 0) reached[jump->branches[i].mode] = true;
    }
}

/* Marks the modes that a run can reach from the start of a plan. */
static void reach_modes(const ic_case_reader *r, const ic_plan *plan, bool *reached)
{
    reach_by(&plan->start, reached);
    for (size_t i = 0; i < plan->n_times; i++) reach_by(&plan->times[i].jump, reached);
    for (size_t pass = 0; pass < r->n_modes; pass++) {
        for (size_t m = 0; m < r->n_modes; m++) {
            const ic_plan_mode *mode = &plan->modes[m];
            for (size_t g = 0; reached[m] && g < mode->n_guards; g++) {
                reach_by(&mode->guards[g].jump, reached);
                reach_by(&mode->guards[g].accumulation, reached);
            }
        }
    }
}

bool ic_plans_reach_modes(ic_case_reader *r, const ic_plan *plans, const ic_yaml *const *files, size_t n)
{
    bool reached[IC_PLAN_MODES] = {false}, good = true;
    for (size_t i = 0; i < n; i++) {
        bool by_this[IC_PLAN_MODES] = {false};
        reach_modes(r, &plans[i], by_this);
        for (size_t m = 0; m < r->n_modes; m++) reached[m] = reached[m] || by_this[m];
    }
    for (size_t i = 0; i < n; i++) {
        const ic_yaml *modes = ic_yaml_get(files[i], "modes");
        for (size_t k = 0; modes != NULL && k < modes->n_keys; k++) {
            const int number = ic_reader_mode(r, modes->keys[k]->text);
            if (number < 0 || reached[number]) continue;
            good = ic_fault_add(r->faults, modes->keys[k]->place,
                                "neither the start nor an event leads to mode '%s'", modes->keys[k]->text);
            reached[number] = true; /* One fault for each mode is enough. */
        }
    }
    return good;
}

bool ic_declare_modes(ic_case_reader *r, const ic_yaml *file)
{
    const ic_yaml *modes = ic_yaml_get(file, "modes");
    if (modes == NULL) return ic_reader_mode(r, "motion") >= 0;
    if (modes->kind != IC_YAML_MAPPING || modes->n_keys == 0)
        return ic_fault_add(r->faults, modes->place, "expected modes: NAME: {flow: ..., until: ...}");
    for (size_t i = 0; i < modes->n_keys; i++) {
        if (ic_reader_mode(r, modes->keys[i]->text) < 0)
            return ic_fault_add(r->faults, modes->keys[i]->place, "more than %d modes", IC_PLAN_MODES);
    }
    return true;
}

bool ic_plan_read(ic_plan *plan, ic_case_reader *r, ic_output *outputs, size_t n_outputs)
{
    variant_reader v = {.r = r, .plan = plan, .outputs = outputs};
    const ic_yaml *modes = ic_yaml_get(r->root, "modes");
    *plan = (ic_plan){.n_outputs = n_outputs, .n_values = n_outputs + r->sketch.n};
    for (size_t i = 0; i < r->sketch.n; i++)
        r->sketch.coordinates[i].node = IC_NO_NODE; /* formulas may differ */
    plan->modes = ic_arena_take(r->arena, IC_PLAN_MODES * sizeof *plan->modes);
    if (plan->modes == NULL) return false;
    r->uses = IC_USE_PARAMETERS | IC_USE_STATES | IC_USE_TIME;
    bool good = true;
    for (size_t i = 0; modes != NULL && i < modes->n_keys; i++)
        good = read_mode(&v, modes->keys[i]->text, modes->items[i], modes->keys[i]->place) && good;
    if (modes == NULL) good = read_mode(&v, "motion", NULL, r->root->place);
    v.mode = -1;
    r->mode_definitions = (ic_definitions){0};
    ic_forget_definitions(&r->case_definitions);
    const int first = ic_reader_mode(r, modes != NULL ? modes->keys[0]->text : "motion");
    r->uses = IC_USE_PARAMETERS | IC_USE_TIME | IC_USE_STARTS;
    good = read_jump(&v, &plan->start, ic_yaml_get(r->root, "start"), NULL, first, r->state_starts) && good;
    ic_forget_definitions(&r->case_definitions);
    r->uses = IC_USE_PARAMETERS | IC_USE_STATES | IC_USE_TIME;
    return good && read_times(&v) && ic_plan_stops_read(plan, r, first);
}
