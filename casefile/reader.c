/* SPDX-License-Identifier: MIT */
#include "casefile/plan.h"

#include "casefile/law.h"

#include "casefile/program.h"
#include "core/expression.h"

#include <math.h>
#include <string.h>

/* ---- names in formulas */

static ic_definition *find_definition(ic_definitions *definitions, const char *name)
{
    for (size_t i = 0; i < definitions->n; i++) {
        const char *known = definitions->definitions[i].entry.name;
        if (known[0] == name[0] && strcmp(known, name) == 0) return &definitions->definitions[i];
    }
    return NULL;
}

/* Reads a definition when it is first used. */
static ic_name_found use_definition(ic_term *term, ic_definition *d, ic_file_place place, ic_case_reader *r)
{
    switch (d->status) {
    case IC_DEFINITION_READ:
        *term = d->term;
        r->used_mode = r->used_mode || d->of_mode;
        return IC_NAME_KNOWN;
    case IC_DEFINITION_WRONG: return IC_NAME_WRONG;
    case IC_DEFINITION_OPEN:
        ic_fault_add(r->faults, place, "the definition of '%s' in line %zu depends on itself", d->entry.name,
                     d->entry.key->place.line);
        return IC_NAME_WRONG;
    case IC_DEFINITION_UNREAD: break;
    }
    const ic_scope scope = ic_reader_scope(r, d->entry.indices);
    const bool outside = r->used_mode;
    d->status = IC_DEFINITION_OPEN;
    r->used_mode = false;
    const bool good = ic_formula_read(&d->term, d->entry.value, &scope);
    d->of_mode = r->used_mode;
    r->used_mode = outside || d->of_mode;
    d->status = good ? IC_DEFINITION_READ : IC_DEFINITION_WRONG;
    *term = d->term;
    return good ? IC_NAME_KNOWN : IC_NAME_WRONG;
}

int ic_reader_state(const ic_case_reader *r, const char *name)
{
    for (size_t i = 0; i < r->n_states; i++) {
        if (r->states[i].name[0] == name[0] && strcmp(r->states[i].name, name) == 0) return (int)i;
    }
    return -1;
}

int ic_reader_parameter(const ic_case_reader *r, const char *name)
{
    for (size_t i = 0; i < r->n_parameters; i++) {
        if (r->parameters[i].name[0] == name[0] && strcmp(r->parameters[i].name, name) == 0) return (int)i;
    }
    return -1;
}

static ic_name_found refuse_use(const ic_case_reader *r, ic_file_place place, const char *name)
{
    ic_fault_add(r->faults, place, "'%s' may not be used here: this is a formula in parameters", name);
    return IC_NAME_WRONG;
}

/* Finds NAME.force, the force of an element. */
static ic_name_found find_quantity(ic_term *term, ic_case_reader *r, const char *name, const char *dot,
                                   ic_file_place place)
{
    const size_t length = (size_t)(dot - name);
    r->used_mode = true;
    if (strncmp(name, "law.", 4) == 0)
        return ic_law_quantity(term, r, dot + 1, place) ? IC_NAME_KNOWN : IC_NAME_WRONG;
    const bool force = strcmp(dot, ".force") == 0;
    for (size_t i = 0; i < r->n_elements; i++) {
        const ic_element *e = &r->elements[i];
        if (strlen(e->name) != length || strncmp(e->name, name, length) != 0) continue;
        if (force && e->force.node >= 0) {
            *term = e->force;
            return IC_NAME_KNOWN;
        }
        /* The force is unknown because of a fault that has been reported. */
        if (force && r->faults->n_faults > 0) return IC_NAME_WRONG;
        const bool follows = strcmp(e->type, "stop") == 0 || strcmp(e->type, "friction") == 0;
        if (force && follows)
            ic_fault_add(
                r->faults, place,
                "'%s' is not known here: the force of a stop or friction follows from the flow and the "
                "other elements; outputs, guards and energies may use it",
                name);
        else
            ic_fault_add(
                r->faults, place,
                "'%s' is not known here: stops, frictions and contacts have a force, '%s.force', which "
                "outputs, guards and energies may use",
                name, e->name);
        return IC_NAME_WRONG;
    }
    return IC_NAME_UNKNOWN;
}

/* The file must not give another meaning to the name of the counter; a law may, unseen, to that of its exponent. */
static bool check_counter(ic_case_reader *r, ic_file_place place)
{
    static const char *const sections[] = {"parameters", "definitions", "states", "discrete"};
    for (size_t i = 0; i < IC_COUNT(sections); i++) {
        if (ic_yaml_get(ic_yaml_get(r->root, sections[i]), "n") != NULL)
            return ic_fault_add(
                r->faults, place,
                "'n' in the time of an event counts its occurrences from 0, but is also in '%s': "
                "give that another name",
                sections[i]);
    }
    return true;
}

static ic_name_found find_name(ic_term *term, const char *name, ic_file_place place, void *context)
{
    ic_case_reader *r = context;
    if (strcmp(name, "t") == 0) {
        if ((r->uses & IC_USE_TIME) == 0) return refuse_use(r, place, name);
        *term = (ic_term){.node = ic_graph_leaf(r->graph, IC_OP_TIME), .dimension = {.power = {0, 0, 1}}};
        return IC_NAME_KNOWN;
    }
    if (strcmp(name, "none") == 0 && (r->uses & IC_USE_NONE) != 0) {
        *term = (ic_term){.node = ic_graph_number(r->graph, "nan"), .dimension = {.any = true}};
        /*
         * A formula of an output may have no value in other modes, so that it depends on the mode.
         */
        r->used_mode = true;
        return IC_NAME_KNOWN;
    }
    if (strcmp(name, "n") == 0 && (r->uses & IC_USE_COUNT) != 0) {
        if (!check_counter(r, place)) return IC_NAME_WRONG;
        *term = (ic_term){.node = ic_graph_indexed(r->graph, IC_OP_INPUT, 0)};
        return IC_NAME_KNOWN;
    }
    const char *dot = strchr(name, '.');
    if (dot != NULL) return find_quantity(term, r, name, dot, place);
    const int state = ic_reader_state(r, name);
    if (state >= 0 && (r->uses & (IC_USE_STATES | IC_USE_STARTS)) != 0) {
        const ic_node now = ic_graph_indexed(r->graph, IC_OP_STATE, state);
        *term = (ic_term){(r->uses & IC_USE_STARTS) != 0 ? r->state_starts[state] : now,
                          r->state_dimensions[state]};
        /* without a node its start has a fault, which has been reported */
        return term->node < 0 ? IC_NAME_WRONG : IC_NAME_KNOWN;
    }
    ic_definition *definition = find_definition(&r->mode_definitions, name);
    const bool of_mode = definition != NULL;
    if (definition == NULL) definition = find_definition(&r->case_definitions, name);
    r->used_mode = r->used_mode || of_mode || (definition != NULL && definition->hidden);
    if (definition != NULL) return use_definition(term, definition, place, r);
    const int parameter = ic_reader_parameter(r, name);
    if (parameter >= 0) {
        *term = (ic_term){ic_graph_indexed(r->graph, IC_OP_PARAMETER, parameter),
                          r->parameter_dimensions[parameter]};
        return IC_NAME_KNOWN;
    }
    if (state >= 0) return refuse_use(r, place, name);
    if (ic_yaml_get(ic_yaml_get(r->root, "outputs"), name) == NULL) return IC_NAME_UNKNOWN;
    ic_fault_add(r->faults, place, "'%s' is an output; formulas can use definitions", name);
    return IC_NAME_WRONG;
}

bool ic_reader_has_name(ic_case_reader *r, const char *name)
{
    return ic_reader_parameter(r, name) >= 0 || find_definition(&r->case_definitions, name) != NULL;
}

static size_t list_names(const char **names, size_t room, void *context)
{
    const ic_case_reader *r = context;
    size_t n = 0;
    for (size_t i = 0; i < r->n_states && n < room; i++) names[n++] = r->states[i].name;
    for (size_t i = 0; i < r->n_parameters && n < room; i++) names[n++] = r->parameters[i].name;
    for (size_t i = 0; i < r->mode_definitions.n && n < room; i++)
        names[n++] = r->mode_definitions.definitions[i].entry.name;
    for (size_t i = 0; i < r->case_definitions.n && n < room; i++)
        names[n++] = r->case_definitions.definitions[i].entry.name;
    return n;
}

static double constant_value(ic_node node, void *context)
{
    const ic_case_reader *r = context;
    ic_program program;
    double value = NAN;
    const ic_program_input in = {.par = r->parameter_values};
    if (r->graph->nodes[node].varies != 0 || !ic_program_make(&program, r->graph, &node, 1)) return NAN;
    ic_program_run(&program, &value, &in);
    return value;
}

static bool fixed_value(double *value, ic_node node, void *context)
{
    const ic_case_reader *r = context;
    for (size_t i = 0; i < r->n_parameters; i++) {
        const ic_node parameter = ic_graph_indexed(r->graph, IC_OP_PARAMETER, (int)i);
        if (!r->parameter_sizes[i] && ic_graph_uses(r->graph, node, parameter)) return false;
    }
    *value = constant_value(node, context);
    return !isnan(*value);
}

static bool integer_value(int *value, const char *name, void *context)
{
    ic_case_reader *r = context;
    const int parameter = ic_reader_parameter(r, name);
    const double known = parameter < 0 ? NAN : r->parameter_values[parameter];
    if (!(fabs(known) < 1e6) || known != floor(known)) return false;
    *value = (int)known;
    r->parameter_sizes[parameter] = true;
    return true;
}

static bool discrete_node(ic_node node, void *context)
{
    return ic_reader_is_discrete(context, node);
}

/* Range of an index that the section `indices` declares: r: 1..N. */
static bool index_range(int *first, int *last, const char *name, void *context)
{
    ic_case_reader *r = context;
    const ic_yaml *range = ic_yaml_get(ic_yaml_get(r->root, "indices"), name);
    if (range == NULL || range->kind != IC_YAML_SCALAR) return false;
    const char *text = ic_arena_print(r->arena, "for %s in %s", name, range->text), *index = NULL;
    const ic_yaml head = {.kind = IC_YAML_SCALAR, .place = range->place, .text = text};
    const ic_scope scope = ic_reader_scope(r, NULL);
    return text != NULL && ic_family_read(&index, first, last, &head, &scope);
}

bool ic_reader_is_discrete(ic_case_reader *r, ic_node node)
{
    ic_graph *g = r->graph;
    if (node < 0 || (g->nodes[node].varies & ~(unsigned)IC_VARIES_STATE) != 0) return false;
    for (size_t i = 0; i < r->n_states; i++) {
        if (!r->state_discrete[i] && ic_graph_uses(g, node, ic_graph_indexed(g, IC_OP_STATE, (int)i)))
            return false;
    }
    return true;
}

ic_scope ic_reader_scope(ic_case_reader *r, const ic_index *indices)
{
    return (ic_scope){.graph = r->graph,
                      .faults = r->faults,
                      .find = find_name,
                      .list = list_names,
                      .constant = constant_value,
                      .fixed = fixed_value,
                      .integer = integer_value,
                      .discrete = discrete_node,
                      .range = index_range,
                      .context = r,
                      .indices = indices,
                      .work = &r->work,
                      .depth = &r->depth};
}

const char *ic_reader_node_text(const ic_case_reader *r, ic_node node)
{
    static const char *const inputs[] = {"n"};
    const char **names = ic_arena_take(r->arena, (r->n_states + r->n_parameters + 1) * sizeof *names);
    if (names == NULL) return NULL;
    for (size_t i = 0; i < r->n_states; i++) names[i] = r->states[i].name;
    for (size_t i = 0; i < r->n_parameters; i++) names[r->n_states + i] = r->parameters[i].name;
    return ic_graph_text(r->graph, node, names, names + r->n_states, inputs);
}

/* ---- mappings */

static bool add_entry(ic_file_entries *entries, ic_case_reader *r, const ic_yaml *key, const ic_yaml *value,
                      const ic_index *indices)
{
    const ic_scope scope = ic_reader_scope(r, indices);
    if (!entries->any_text && ic_fault_lacks_space(r->faults, key)) return false;
    if (!entries->any_text && strpbrk(key->text, "()") != NULL)
        return ic_fault_add(r->faults, key->place,
                            "a comma within braces separates entries: put a formula with a comma in quotes");
    const bool plain = entries->any_text && strchr(key->text, '[') == NULL;
    const char *name = plain               ? key->text
                       : entries->any_text ? ic_indexed_text(key, &scope)
                                           : ic_name_read(key, &scope);
    if (name == NULL) return false;
    for (size_t i = 0; i < entries->n; i++) {
        if (strcmp(entries->entries[i].name, name) == 0)
            return ic_fault_add(r->faults, key->place, "'%s' is given twice; first in line %zu", name,
                                entries->entries[i].key->place.line);
    }
    ic_file_entry *added = ic_arena_append(r->arena, &entries->entries, &entries->n, sizeof *added);
    if (added == NULL) return false;
    *added = (ic_file_entry){name, key, value, indices};
    return true;
}

/* Greatest number of entries of a section, because families within families multiply. */
enum { MOST_ENTRIES = 2000 };

/*
 * Reads the values of a family, {for i in 1..N: value}, by one call of `read` for each index.
 * false: faults were added.
 */
typedef bool ic_family_member(ic_file_entries *entries, ic_case_reader *r, const ic_yaml *value,
                              const ic_index *indices);

static bool read_family(ic_file_entries *entries, ic_case_reader *r, const ic_yaml *key, const ic_yaml *value,
                        const ic_index *indices, ic_family_member *read)
{
    const char *name = NULL;
    int first = 0, last = -1;
    const ic_scope scope = ic_reader_scope(r, indices);
    if (!ic_family_read(&name, &first, &last, key, &scope)) return false;
    for (int k = first; k <= last; k++) {
        ic_index *index = ic_arena_take(r->arena, sizeof *index);
        if (index == NULL) return false;
        *index = (ic_index){name, k, indices};
        if (entries->n > MOST_ENTRIES)
            return ic_fault_add(r->faults, key->place, "more than %d entries", MOST_ENTRIES);
        if (--r->work < 0)
            return ic_fault_add(r->faults, key->place, "the families of this case have too many members");
        if (!read(entries, r, value, index)) return false;
    }
    return true;
}

static bool is_family(const ic_yaml *key)
{
    return strncmp(key->text, "for ", 4) == 0;
}

bool ic_entries_read(ic_file_entries *entries, ic_case_reader *r, const ic_yaml *mapping,
                     const ic_index *indices)
{
    if (mapping == NULL) return true;
    if (ic_fault_lacks_space(r->faults, mapping)) return false;
    if (mapping->kind != IC_YAML_MAPPING)
        return ic_fault_add(r->faults, mapping->place, "expected a mapping: NAME: VALUE");
    for (size_t i = 0; i < mapping->n_keys; i++) {
        const ic_yaml *key = mapping->keys[i], *value = mapping->items[i];
        if (is_family(key) ? !read_family(entries, r, key, value, indices, ic_entries_read)
                           : !add_entry(entries, r, key, value, indices))
            return false;
    }
    return true;
}

static bool read_item(ic_file_entries *entries, ic_case_reader *r, const ic_yaml *value,
                      const ic_index *indices)
{
    if (value->kind == IC_YAML_MAPPING && value->n_keys == 1 && is_family(value->keys[0]))
        return read_family(entries, r, value->keys[0], value->items[0], indices, read_item);
    ic_file_entry *added = ic_arena_append(r->arena, &entries->entries, &entries->n, sizeof *added);
    if (added == NULL) return false;
    *added = (ic_file_entry){"", value, value, indices};
    return true;
}

bool ic_list_read(ic_file_entries *entries, ic_case_reader *r, const ic_yaml *list, const ic_index *indices)
{
    if (list->kind != IC_YAML_SEQUENCE) return ic_fault_add(r->faults, list->place, "expected a list: [a, b]");
    for (size_t i = 0; i < list->n_items; i++) {
        if (!read_item(entries, r, list->items[i], indices)) return false;
    }
    return true;
}

bool ic_reader_flag(ic_case_reader *r, const ic_yaml *mapping, const char *key)
{
    const ic_yaml *value = ic_yaml_get(mapping, key);
    if (value == NULL || strcmp(value->text, "false") == 0) return false;
    return strcmp(value->text, "true") == 0 ||
           ic_fault_add(r->faults, value->place, "'%s' must be true or false", key);
}

/* ---- definitions */

static bool is_hidden(const ic_case_reader *r, const char *name)
{
    for (size_t i = 0; i < r->n_hidden; i++) {
        if (strcmp(r->hidden[i], name) == 0) return true;
    }
    return false;
}

bool ic_read_definitions(ic_definitions *definitions, ic_case_reader *r, const ic_yaml *mapping)
{
    ic_file_entries entries = {0};
    *definitions = (ic_definitions){.mapping = mapping};
    if (!ic_entries_read(&entries, r, mapping, NULL)) return false;
    definitions->definitions = ic_arena_take(r->arena, (entries.n + 1) * sizeof *definitions->definitions);
    if (definitions->definitions == NULL) return false;
    bool good = true;
    for (size_t i = 0; i < entries.n; i++) {
        definitions->definitions[definitions->n++] =
            (ic_definition){.entry = entries.entries[i], .hidden = is_hidden(r, entries.entries[i].name)};
        good = ic_reader_new_name(r, &entries.entries[i], false) && good;
    }
    return good;
}

void ic_check_definitions(ic_case_reader *r, ic_definitions *definitions)
{
    for (size_t i = 0; i < definitions->n; i++) {
        ic_term term;
        ic_definition *d = &definitions->definitions[i];
        if (d->status == IC_DEFINITION_UNREAD) use_definition(&term, d, d->entry.key->place, r);
    }
}

void ic_forget_definitions(ic_definitions *definitions)
{
    for (size_t i = 0; i < definitions->n; i++) definitions->definitions[i].status = IC_DEFINITION_UNREAD;
}

void ic_begin_mode_definitions(ic_case_reader *r)
{
    const ic_definitions *own = &r->mode_definitions;
    /*
     * Whether this definition hides one that was not hidden before. Definitions that use the hidden
     * one are then forgotten.
     */
    bool hides = false;
    for (size_t i = 0; i < own->n; i++) {
        ic_definition *d = find_definition(&r->case_definitions, own->definitions[i].entry.name);
        if (d == NULL || d->hidden) continue;
        const char **name = ic_arena_append(r->arena, &r->hidden, &r->n_hidden, sizeof *name);
        if (name == NULL) return;
        *name = d->entry.name;
        hides = d->hidden = true;
    }
    for (size_t i = 0; i < r->case_definitions.n; i++) {
        ic_definition *d = &r->case_definitions.definitions[i];
        if (hides || d->of_mode || d->status != IC_DEFINITION_READ) d->status = IC_DEFINITION_UNREAD;
    }
}

/* ---- modes, functions and texts */

int ic_reader_mode(ic_case_reader *r, const char *name)
{
    for (size_t i = 0; i < r->n_modes; i++) {
        if (strcmp(r->mode_names[i], name) == 0) return (int)i;
    }
    if (r->n_modes == IC_PLAN_MODES) return -1;
    const char **added = ic_arena_append(r->arena, &r->mode_names, &r->n_modes, sizeof *added);
    if (added == NULL) return -1;
    *added = name;
    return (int)r->n_modes - 1;
}

bool ic_reader_function(ic_case_reader *r, ic_function_kind kind, const ic_node *nodes, size_t n, void *slot)
{
    ic_node *copy = ic_arena_take(r->arena, (n + 1) * sizeof *copy);
    ic_function *f = ic_arena_append(r->arena, &r->functions->functions, &r->functions->n, sizeof *f);
    if (copy == NULL || f == NULL) return false;
    memcpy(copy, nodes, n * sizeof *copy);
    *f = (ic_function){.kind = kind, .nodes = copy, .n_nodes = n, .slot = slot};
    return true;
}

static bool read_expression(const ic_case_reader *r, const char *text, ic_error *error)
{
    const ic_case system = {.parameters = r->parameters,
                            .n_parameters = r->n_parameters,
                            .states = r->states,
                            .n_states = r->n_states};
    /* A state hides a parameter of the same name. */
    const bool states = r->uses != IC_USE_PARAMETERS;
    const ic_names names = {.system = &system, .par = r->parameter_values, .states = states, .time = true};
    ic_form form;
    return ic_expression(&form, text, &names, error);
}

bool ic_reader_can_read(const ic_case_reader *r, const char *text)
{
    return read_expression(r, text, NULL);
}

bool ic_reader_has_no_value(const ic_case_reader *r, const char *text)
{
    static const char *const faults_of_values[] = {"not a number", "division by zero", "is not finite"};
    ic_error error = {""};
    if (read_expression(r, text, &error)) return false;
    for (size_t i = 0; i < IC_COUNT(faults_of_values); i++) {
        if (strstr(error.text, faults_of_values[i]) != NULL) return true;
    }
    return false;
}

/* Place at which the text of a node is kept; NULL: memory ran out. */
static const char **find_linear_text(ic_case_reader *r, ic_node node)
{
    const bool states = r->uses != IC_USE_PARAMETERS;
    const bool same = r->linear.states == states && r->linear.n_states == r->n_states &&
                      r->linear.n_parameters == r->n_parameters;
    if (!same || (size_t)node >= r->linear.size) {
        const size_t size = 2 * r->graph->n_nodes;
        const char **texts = ic_arena_take(r->arena, size * sizeof *texts);
        if (texts == NULL) return NULL;
        if (same && r->linear.size > 0) memcpy(texts, r->linear.texts, r->linear.size * sizeof *texts);
        r->linear.texts = texts;
        r->linear.size = size;
        r->linear.states = states;
        r->linear.n_states = r->n_states;
        r->linear.n_parameters = r->n_parameters;
    }
    return &r->linear.texts[node];
}

const char *ic_reader_linear_text(ic_case_reader *r, ic_node node)
{
    /* Functions of laws are not affine. */
    if (r->law != NULL || node < 0 || !r->graph->nodes[node].affine) return NULL;
    const char **kept = find_linear_text(r, node);
    if (kept == NULL) return NULL;
    if (*kept == NULL) {
        const char *text = ic_reader_node_text(r, node);
        *kept = text != NULL && ic_reader_can_read(r, text) ? text : "";
    }
    return **kept != '\0' ? *kept : NULL;
}

const char *ic_reader_condition_text(ic_case_reader *r, ic_node node)
{
    const ic_graph_node n = r->graph->nodes[node];
    if (n.operation == IC_OP_CHOOSE && ic_graph_is(r->graph, n.b, -1) && ic_graph_is(r->graph, n.c, 1))
        /* u <= 0 */
        node = ic_graph_one(r->graph, IC_OP_STEP, ic_graph_one(r->graph, IC_OP_NEGATE, n.a));
    if (n.operation != IC_OP_MIN) return ic_reader_linear_text(r, node);
    const char *a = ic_reader_condition_text(r, n.a), *b = ic_reader_condition_text(r, n.b);
    return a == NULL || b == NULL ? NULL : ic_arena_print(r->arena, "%s and %s", a, b);
}
