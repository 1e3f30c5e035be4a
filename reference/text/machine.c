/* SPDX-License-Identifier: MIT */
/* Sections of a case text, as a variant has them. */
#include "reference/text/reader.h"

#include <fmpq.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STATES = 2048, MOST_PARAMETERS = 4096 };

/* ---- variants */

static const char *variant_of_list(const ic_text_tree *list, const char *name, bool laws)
{
    if (list == NULL) return NULL;
    if (list->text != NULL) return laws && ic_text_equals(list, "all") ? name : NULL;
    if (name == NULL) return list->n > 0 ? list->items[0]->text : NULL;
    for (size_t i = 0; i < list->n; i++) {
        if (ic_text_equals(list->items[i], name)) return name;
    }
    return NULL;
}

static ic_text_tree *pair(ic_text_reader *r, const char *key, const ic_text_tree *value)
{
    ic_text_tree *tree = ic_text_take(r, 1, sizeof *tree);
    tree->keys = ic_text_take(r, 1, sizeof *tree->keys);
    tree->items = ic_text_take(r, 1, sizeof(void *));
    tree->keys[0] = key;
    tree->items[0] = (ic_text_tree *)value;
    tree->n = 1;
    return tree;
}

/* A variant that the first contact with a list of conditions or laws makes. NULL: there is none. */
static const ic_text_tree *variant_of_contact(ic_text_reader *r, const char *name)
{
    const ic_text_tree *elements = ic_text_get(r->file, "elements");
    for (size_t i = 0; elements != NULL && elements->keys != NULL && i < elements->n; i++) {
        const ic_text_tree *contact = ic_text_get(elements->items[i], "contact");
        const ic_text_tree *conditions = ic_text_get(contact, "conditions"),
                           *laws = ic_text_get(contact, "laws");
        if (conditions == NULL && laws == NULL) continue;
        const char *condition = variant_of_list(conditions, name, false);
        const char *law = condition == NULL ? variant_of_list(laws, name, true) : NULL;
        if (condition == NULL && law == NULL) ic_text_refuse(r, "no variant '%.60s'", name == NULL ? "" : name);
        ic_text_tree *text = ic_text_take(r, 1, sizeof *text);
        text->text = condition != NULL ? condition : law;
        const ic_text_tree *choice = pair(r, "contact", pair(r, condition != NULL ? "condition" : "law", text));
        return ic_text_merge(r, r->file, pair(r, "elements", pair(r, elements->keys[i], choice)));
    }
    return NULL;
}

/* The file as entry i of a section `variants` has it. */
static const ic_text_tree *file_of_variant(ic_text_reader *r, const ic_text_tree *variants, size_t i)
{
    const ic_text_tree *like = ic_text_get(variants->items[i], "like");
    size_t k = 0;
    while (like != NULL && k < i && !ic_text_equals(like, variants->keys[k])) k++;
    if (like != NULL && k == i) ic_text_refuse(r, "variant '%.60s' is like none before it", variants->keys[i]);
    const ic_text_tree *base = like == NULL ? r->file : file_of_variant(r, variants, k);
    return variants->items[i]->keys == NULL ? base : ic_text_merge(r, base, variants->items[i]);
}

static bool lists_law(const ic_text_tree *laws, const char *law, const char *condition)
{
    if (laws == NULL) return false;
    if (laws->text != NULL)
        return ic_text_equals(laws, "all") || ic_text_equals(laws, law) ||
               (condition != NULL && ic_text_equals(laws, condition));
    for (size_t i = 0; i < laws->n; i++) {
        if (laws->items[i]->text != NULL && lists_law(laws->items[i], law, condition)) return true;
    }
    return false;
}

static const ic_text_tree *find_variant(ic_text_reader *r, const char *name)
{
    static const char *const conditions[] = {"A", "B", "C", "C*", "D"};
    const ic_law *law = r->problem == NULL ? NULL : r->problem->variant->law;
    const char *condition = law == NULL ? NULL : conditions[law->condition];
    const ic_text_tree *variants = ic_text_get(r->file, "variants");
    if (variants == NULL) {
        const ic_text_tree *made = variant_of_contact(r, name);
        if (made == NULL && name != NULL && strcmp(name, "model") != 0)
            ic_text_refuse(r, "no variant '%.60s'", name);
        return made == NULL ? r->file : made;
    }
    if (variants->keys == NULL || variants->n == 0) ic_text_refuse(r, "'variants' is no mapping");
    for (int laws = 0; laws < 2; laws++) {
        for (size_t i = 0; i < variants->n; i++) {
            const ic_text_tree *file = file_of_variant(r, variants, i), *list = ic_text_get(file, "laws");
            r->machine.on_law = laws == 1;
            if (laws == 0 && list == NULL && (name == NULL || strcmp(variants->keys[i], name) == 0))
                return file;
            if (laws == 1 && name != NULL && lists_law(list, name, condition)) return file;
        }
    }
    ic_text_refuse(r, "no variant '%.60s'", name == NULL ? "" : name);
}

/* ---- parameters and states */

static bool uses_parameter(const ic_text_reader *r, ic_text_node node)
{
    const ic_text_term *t = r->terms + node;
    for (; t->operation != IC_TEXT_PARAMETER; t = r->terms + t->a) {
        if (t->a < 0) return false;
        if (t->b >= 0 && uses_parameter(r, t->b)) return true;
    }
    return true;
}

static void read_parameter(ic_text_reader *r, const ic_text_item *item)
{
    const ic_text_tree *value = item->value, *unit_given = ic_text_get(value, "unit");
    if (value->keys != NULL) value = ic_text_get(value, "value");
    if (value == NULL || value->text == NULL || r->machine.n_parameters == MOST_PARAMETERS)
        ic_text_refuse(r, "parameter '%s' has no value", item->name);
    ic_text_node factor;
    const char *unit = unit_given == NULL ? "1" : unit_given->text;
    const ic_text_node number = ic_text_read_quantity(r, value, item->indices, unit, &factor);
    /* A formula in parameters has their unit already, unless they are numbers. */
    if (factor != ic_text_integer(r, 1) && uses_parameter(r, number))
        ic_text_refuse(r, "parameter '%s': a formula in parameters with a unit that is not an SI unit",
                       item->name);
    r->parameters[r->machine.n_parameters++] =
        (ic_text_parameter){item->name, ic_text_apply(r, IC_TEXT_MULTIPLY, number, factor, IC_TEXT_NONE)};
}

double ic_text_value_of_problem(const ic_problem *problem, const char *name)
{
    for (size_t i = 0; i < problem->system->n_parameters; i++) {
        if (strcmp(problem->system->parameters[i].name, name) == 0) return problem->par[i];
    }
    return NAN;
}

static void read_parameters(ic_text_reader *r)
{
    const ic_text_tree *section = ic_text_get(r->root, "parameters");
    r->parameters = ic_text_take(r, MOST_PARAMETERS, sizeof *r->parameters);
    r->machine.parameters = r->parameters;
    for (size_t i = 0; section != NULL && i < section->n; i++) {
        if (section->keys == NULL) ic_text_refuse(r, "'parameters' is no mapping");
        /* entry by entry: the size of a family is a parameter before it */
        const ic_text_list one = ic_text_entries(r, pair(r, section->keys[i], section->items[i]), NULL);
        for (size_t k = 0; k < one.n; k++) read_parameter(r, &one.items[k]);
    }
    for (size_t i = 0; r->problem != NULL && i < r->problem->system->n_parameters; i++) {
        const char *name = r->problem->system->parameters[i].name;
        if (ic_text_find_parameter(&r->machine, name) >= 0) continue;
        if (r->machine.n_parameters == MOST_PARAMETERS) ic_text_refuse(r, "too many parameters");
        r->parameters[r->machine.n_parameters++] = (ic_text_parameter){name, IC_TEXT_NONE};
    }
}

static void add_state(ic_text_reader *r, const ic_text_item *item, bool discrete)
{
    const ic_text_tree *start = ic_text_get(item->value, "start");
    const int same = ic_text_find_parameter(&r->machine, item->name);
    if (r->machine.n_states == MOST_STATES) ic_text_refuse(r, "too many states");
    const ic_text_node node = start != NULL ? ic_text_read_formula(r, start, item->indices)
                              : same >= 0   ? ic_text_leaf(r, IC_TEXT_PARAMETER, same)
                                            : ic_text_integer(r, 0);
    r->states[r->machine.n_states++] = (ic_text_state){item->name, discrete, node};
}

static void read_states(ic_text_reader *r)
{
    const ic_text_list states = ic_text_entries(r, ic_text_get(r->root, "states"), NULL),
                       discrete = ic_text_entries(r, ic_text_get(r->root, "discrete"), NULL);
    static const ic_text_tree none = {.text = ""};
    r->states = ic_text_take(r, MOST_STATES, sizeof *r->states);
    r->machine.states = r->states;
    if (states.n == 0) ic_text_refuse(r, "the text has no states");
    for (size_t i = 0; i < states.n; i++) add_state(r, &states.items[i], false);
    for (size_t i = 0; i < discrete.n; i++) add_state(r, &discrete.items[i], true);
    if (r->machine.on_law) add_state(r, &(ic_text_item){.name = "memory", .value = &none}, true);
}

/* ---- jumps */

static void begin_scope(ic_text_reader *r, ic_text_use use)
{
    r->use = use;
    r->scope++;
}

/* Formulas by name; `settable`: the names are those of states and elements, without the keys of branches. */
static const ic_text_entry *read_entries(ic_text_reader *r, const ic_text_tree *mapping,
                                         const ic_text_index *indices, bool settable, size_t *n)
{
    const ic_text_list list = ic_text_entries(r, mapping, indices);
    ic_text_entry *entries = ic_text_take(r, list.n + 1, sizeof *entries);
    *n = 0;
    for (size_t i = 0; i < list.n; i++) {
        const ic_text_item *item = &list.items[i];
        if (settable && (strcmp(item->name, "if") == 0 || strcmp(item->name, "mode") == 0 ||
                         strcmp(item->name, "departs") == 0))
            continue;
        const int state = settable ? ic_text_find_state(&r->machine, item->name) : -1;
        const int element = settable && state < 0 ? ic_text_find_element(&r->machine, item->name) : -1;
        if (settable && state < 0 && element < 0) ic_text_refuse(r, "'%s' is not a state", item->name);
        entries[(*n)++] =
            (ic_text_entry){item->name, state, element, ic_text_read_formula(r, item->value, item->indices)};
    }
    return entries;
}

static int find_mode(const ic_text_tree *modes, const char *name)
{
    for (size_t i = 0; modes != NULL && i < modes->n; i++) {
        if (strcmp(modes->keys[i], name) == 0) return (int)i;
    }
    return -1;
}

static ic_text_jump read_jump(ic_text_reader *r, const ic_text_tree *section, const ic_text_index *indices,
                              int otherwise)
{
    const bool list = section != NULL && section->text == NULL && section->keys == NULL;
    const size_t n = section == NULL ? 0 : list ? section->n : 1;
    ic_text_branch *branches = ic_text_take(r, n + 1, sizeof *branches);
    bool open = true;
    for (size_t i = 0; i < n; i++) {
        const ic_text_tree *branch = list ? section->items[i] : section, *condition = ic_text_get(branch, "if"),
                           *mode = ic_text_get(branch, "mode");
        ic_text_branch *b = &branches[i];
        if (branch->keys == NULL) ic_text_refuse(r, "expected the changes of an event, {v: -v}");
        if (!open) ic_text_refuse(r, "an alternative without 'if' is not the last one");
        *b = (ic_text_branch){.condition = IC_TEXT_NONE, .mode = otherwise};
        if (condition != NULL) b->condition = ic_text_read_condition(r, condition, indices);
        if (mode != NULL && mode->text != NULL) b->mode = find_mode(ic_text_get(r->root, "modes"), mode->text);
        if (mode != NULL && (b->mode < 0 || otherwise == IC_TEXT_ENDS))
            ic_text_refuse(r, "no mode '%.60s'", mode->text == NULL ? "" : mode->text);
        b->entries = read_entries(r, branch, indices, true, &b->n_entries);
        open = condition != NULL;
    }
    branches[n] = (ic_text_branch){.condition = IC_TEXT_NONE, .mode = otherwise};
    return (ic_text_jump){branches, n + open};
}

/* ---- modes */

static void read_event(ic_text_reader *r, ic_text_event *event, const ic_text_item *item)
{
    static const char *const words[] = {"falls", "crosses", "rises"};
    const ic_text_tree *condition = ic_text_get(item->value, "if");
    *event = (ic_text_event){.name = item->name, .value = IC_TEXT_NONE, .condition = IC_TEXT_NONE};
    for (int i = 0; i < 3; i++) {
        const ic_text_tree *value = ic_text_get(item->value, words[i]);
        if (value == NULL) continue;
        if (event->value >= 0) ic_text_refuse(r, "event '%s' has two formulas", item->name);
        event->value = ic_text_read_formula(r, value, item->indices);
        event->direction = i - 1;
    }
    if (event->value < 0) ic_text_refuse(r, "event '%s' has no formula", item->name);
    if (condition != NULL) event->condition = ic_text_read_condition(r, condition, item->indices);
    const bool ends = ic_text_equals(ic_text_get(item->value, "ends"), "true");
    event->jump =
        read_jump(r, ic_text_get(item->value, "then"), item->indices, ends ? IC_TEXT_ENDS : IC_TEXT_SAME_MODE);
    const ic_text_tree *limit = ic_text_get(item->value, "accumulates");
    if (limit != NULL) event->limit = read_jump(r, limit, item->indices, IC_TEXT_SAME_MODE);
}

static void read_events(ic_text_reader *r, ic_text_mode *mode, const ic_text_tree *section)
{
    const ic_text_list own = ic_text_entries(r, ic_text_get(section, "until"), NULL),
                       common = ic_text_entries(r, ic_text_get(r->root, "until"), NULL);
    ic_text_event *events = ic_text_take(r, own.n + common.n + 1, sizeof *events);
    for (size_t i = 0; i < own.n + common.n; i++) {
        const ic_text_item *item = i < own.n ? &own.items[i] : &common.items[i - own.n];
        if (i < own.n || ic_text_find(own, item->name) == NULL) read_event(r, &events[mode->n_events++], item);
    }
    mode->events = events;
}

static void read_rates(ic_text_reader *r, ic_text_node *rates, const ic_text_tree *flow)
{
    const ic_text_list list = ic_text_entries(r, flow, NULL);
    for (size_t i = 0; i < list.n; i++) {
        const int state = ic_text_find_state(&r->machine, list.items[i].name);
        if (state < 0) ic_text_refuse(r, "'%s' of 'flow' is not a state", list.items[i].name);
        rates[state] = ic_text_read_formula(r, list.items[i].value, list.items[i].indices);
    }
}

/* Reads the equations of motion with a mass matrix, and marks their states. */
static void read_mass(ic_text_reader *r, ic_text_mode *mode, const ic_text_tree *mass, bool *given)
{
    if (mass == NULL) return;
    ic_text_list columns[3];
    static const char *const keys[] = {"of", "matrix", "force"};
    for (int i = 0; i < 3; i++) {
        const ic_text_tree *part = ic_text_get(mass, keys[i]);
        if (part == NULL) ic_text_refuse(r, "'mass' has no '%s'", keys[i]);
        columns[i] = ic_text_items(r, part, NULL);
    }
    const size_t n = columns[0].n;
    int *states = ic_text_take(r, n + 1, sizeof *states);
    ic_text_node *matrix = ic_text_take(r, n * n + 1, sizeof *matrix),
                 *force = ic_text_take(r, n + 1, sizeof *force);
    if (columns[1].n != n || columns[2].n != n)
        ic_text_refuse(r, "'mass' needs as many rows and forces as velocities");
    for (size_t i = 0; i < n; i++) {
        const ic_text_item *name = &columns[0].items[i], *row = &columns[1].items[i];
        if (name->value->text == NULL) ic_text_refuse(r, "'of' of 'mass' lists names");
        const ic_text_list one = ic_text_entries(r, pair(r, name->value->text, name->value), name->indices);
        states[i] = ic_text_find_state(&r->machine, one.items[0].name);
        if (states[i] < 0 || given[states[i]])
            ic_text_refuse(r, "'mass' cannot give the rate of '%s'", one.items[0].name);
        given[states[i]] = true;
        const ic_text_list entries = ic_text_items(r, row->value, row->indices);
        if (entries.n != n) ic_text_refuse(r, "a row of 'mass' has not %zu formulas", n);
        for (size_t j = 0; j < n; j++)
            matrix[i * n + j] = ic_text_read_formula(r, entries.items[j].value, entries.items[j].indices);
        force[i] = ic_text_read_formula(r, columns[2].items[i].value, columns[2].items[i].indices);
    }
    mode->n_mass = n;
    mode->mass_states = states;
    mode->matrix = matrix;
    mode->force = force;
}

/* ---- elements */

static const char *const types[] = {"stop", "friction", "contact", "switch", "delay"};

/* Parts of elements: key, type, and what stands for a part that is not given: 'o' an error, '0', or the part before. */
static const struct {
    const char *key;
    ic_text_element_type type;
    char otherwise;
} parts[IC_TEXT_PARTS] = {
    [IC_TEXT_GAP] = {"gap", IC_TEXT_STOP, 'e'},
    [IC_TEXT_RESTITUTION] = {"restitution", IC_TEXT_STOP, '0'},
    [IC_TEXT_SLIP] = {"slip", IC_TEXT_FRICTION, 'e'},
    [IC_TEXT_NORMAL] = {"normal", IC_TEXT_FRICTION, 'e'},
    [IC_TEXT_KINETIC] = {"kinetic", IC_TEXT_FRICTION, 'e'},
    [IC_TEXT_STATIC] = {"static", IC_TEXT_FRICTION, 'p'},
    [IC_TEXT_INDENTATION] = {"indentation", IC_TEXT_CONTACT, 'e'},
    [IC_TEXT_INPUT] = {"input", IC_TEXT_SWITCH, 'e'},
    [IC_TEXT_ON] = {"on", IC_TEXT_SWITCH, 'e'},
    [IC_TEXT_OFF] = {"off", IC_TEXT_SWITCH, 'p'},
    [IC_TEXT_DELAY_TIME] = {"time", IC_TEXT_DELAY, 'e'},
};

static void read_element(ic_text_reader *r, ic_text_element *e, const ic_text_item *item)
{
    const ic_text_tree *section = item->value->items[0], *law = ic_text_get(section, "law"),
                       *condition = ic_text_get(section, "condition");
    for (int i = 0; i < IC_TEXT_PARTS; i++) {
        const ic_text_tree *part = ic_text_get(section, parts[i].key);
        const bool input_of_delay = i == IC_TEXT_INPUT && e->type == IC_TEXT_DELAY;
        if (parts[i].type != e->type && !input_of_delay) continue;
        if (part == NULL && parts[i].otherwise == 'e')
            ic_text_refuse(r, "element '%s' has no '%s'", e->name, parts[i].key);
        e->parts[i] = part != NULL                ? ic_text_read_formula(r, part, item->indices)
                      : parts[i].otherwise == 'p' ? e->parts[i - 1]
                                                  : ic_text_integer(r, 0);
    }
    e->pushes = read_entries(r, ic_text_get(section, "pushes"), item->indices, true, &e->n_pushes);
    if (e->type != IC_TEXT_CONTACT) return;
    e->law = law == NULL ? "kelvin-voigt" : law->text;
    e->condition = condition == NULL ? NULL : condition->text;
    if (e->law == NULL || (condition != NULL && e->condition == NULL))
        ic_text_refuse(r, "'%s': expected a name", e->name);
    e->with = read_entries(r, ic_text_get(section, "with"), item->indices, false, &e->n_with);
}

/* Names and types of the elements of the file. */
static void name_elements(ic_text_reader *r)
{
    r->elements = ic_text_entries(r, ic_text_get(r->file, "elements"), NULL);
    r->machine.n_elements = r->elements.n;
    for (size_t i = 0; i < r->elements.n; i++) {
        const ic_text_item *item = &r->elements.items[i];
        if (item->value->keys == NULL || item->value->n != 1)
            ic_text_refuse(r, "element '%s' has no type", item->name);
        int type = 0;
        while (type < 5 && strcmp(types[type], item->value->keys[0]) != 0) type++;
        if (type == 5) ic_text_refuse(r, "no element is a '%.60s'", item->value->keys[0]);
        r->elements.items[i].node = type;
    }
}

static const ic_text_element *read_elements(ic_text_reader *r)
{
    const ic_text_list own = ic_text_entries(r, ic_text_get(r->root, "elements"), NULL);
    ic_text_element *elements = ic_text_take(r, r->elements.n + 1, sizeof *elements);
    for (size_t i = 0; i < own.n; i++) {
        if (ic_text_find(r->elements, own.items[i].name) == NULL)
            ic_text_refuse(r, "a variant adds the element '%s'", own.items[i].name);
    }
    for (size_t i = 0; i < r->elements.n; i++) {
        const ic_text_item *item = ic_text_find(own, r->elements.items[i].name);
        ic_text_element *e = &elements[i];
        *e = (ic_text_element){.name = r->elements.items[i].name,
                               .type = (ic_text_element_type)r->elements.items[i].node,
                               .removed = item == NULL};
        for (int k = 0; k < IC_TEXT_PARTS; k++) e->parts[k] = IC_TEXT_NONE;
        if (item == NULL) continue;
        if (item->value->keys == NULL || item->value->n != 1 ||
            strcmp(item->value->keys[0], types[e->type]) != 0)
            ic_text_refuse(r, "a variant changes the type of the element '%s'", e->name);
        read_element(r, e, item);
    }
    return elements;
}

/* ---- the whole */

static void read_mode(ic_text_reader *r, ic_text_mode *mode, const char *name, const ic_text_tree *section)
{
    const size_t n = r->machine.n_states;
    ic_text_node *rates = ic_text_take(r, n, sizeof *rates);
    bool *given = ic_text_take(r, n, sizeof *given);
    *mode = (ic_text_mode){
        .name = name, .ends = ic_text_equals(ic_text_get(section, "ends"), "true"), .rates = rates};
    begin_scope(r, IC_TEXT_USE_STATES);
    r->mode_definitions = ic_text_entries(r, ic_text_get(section, "definitions"), NULL);
    for (size_t i = 0; i < n; i++) rates[i] = IC_TEXT_NONE;
    read_rates(r, rates, ic_text_get(r->root, "flow"));
    read_rates(r, rates, ic_text_get(section, "flow"));
    for (size_t i = 0; i < n; i++) given[i] = rates[i] != IC_TEXT_NONE;
    const ic_text_tree *mass = ic_text_get(section, "mass");
    read_mass(r, mode, mass != NULL ? mass : ic_text_get(r->root, "mass"), given);
    for (size_t i = 0; i < n; i++) {
        if (given[i] == r->states[i].discrete)
            ic_text_refuse(r, "mode '%s': the rate of '%s'", name, r->states[i].name);
    }
    mode->elements = read_elements(r);
    read_events(r, mode, section);
    r->mode_definitions = (ic_text_list){0};
}

static void read_modes(ic_text_reader *r)
{
    const ic_text_tree *section = ic_text_get(r->root, "modes");
    const size_t n = section == NULL ? 1 : section->n;
    ic_text_mode *modes = ic_text_take(r, n + 1, sizeof *modes);
    const ic_text_tree **whole = ic_text_take(r, n + 1, sizeof(ic_text_tree *));
    if (section != NULL && (section->keys == NULL || n == 0)) ic_text_refuse(r, "'modes' is no mapping");
    r->machine.modes = modes;
    r->machine.n_modes = n;
    for (size_t i = 0; i < n; i++) {
        const ic_text_tree *like = section == NULL ? NULL : ic_text_get(section->items[i], "like");
        const int other = like == NULL || like->text == NULL ? -1 : find_mode(section, like->text);
        if (like != NULL && (other < 0 || (size_t)other >= i))
            ic_text_refuse(r, "mode '%s' is like none before it", section->keys[i]);
        whole[i] = section == NULL ? NULL
                   : like == NULL  ? section->items[i]
                                   : ic_text_merge(r, whole[other], section->items[i]);
        read_mode(r, &modes[i], section == NULL ? "motion" : section->keys[i], whole[i]);
    }
}

static void read_times(ic_text_reader *r)
{
    const ic_text_list list = ic_text_entries(r, ic_text_get(r->root, "times"), NULL);
    ic_text_time *times = ic_text_take(r, list.n + 1, sizeof *times);
    for (size_t i = 0; i < list.n; i++) {
        const ic_text_tree *at = ic_text_get(list.items[i].value, "at"),
                           *count = ic_text_get(list.items[i].value, "count");
        if (at == NULL) ic_text_refuse(r, "time event '%s' has no time", list.items[i].name);
        begin_scope(r, IC_TEXT_USE_COUNT);
        times[i] = (ic_text_time){.name = list.items[i].name,
                                  .at = ic_text_read_formula(r, at, list.items[i].indices)};
        begin_scope(r, IC_TEXT_USE_STATES);
        char *end = NULL;
        const long number = count == NULL || count->text == NULL ? 0 : strtol(count->text, &end, 10);
        if (count != NULL && (number < 1 || number > 2147483647 || *end != '\0'))
            ic_text_refuse(r, "'count' is not a number");
        times[i].count = count != NULL ? (int)number : r->terms[times[i].at].varies ? 0 : 1;
        times[i].jump =
            read_jump(r, ic_text_get(list.items[i].value, "then"), list.items[i].indices, IC_TEXT_SAME_MODE);
    }
    r->machine.times = times;
    r->machine.n_times = list.n;
}

static void read_machine(ic_text_reader *r)
{
    r->file = ic_text_tree_read(r, r->text);
    r->root = find_variant(r, r->variant);
    read_parameters(r);
    r->definitions = ic_text_entries(r, ic_text_get(r->root, "definitions"), NULL);
    begin_scope(r, IC_TEXT_USE_PARAMETERS);
    name_elements(r);
    read_states(r);
    begin_scope(r, IC_TEXT_USE_STATES);
    read_modes(r);
    begin_scope(r, IC_TEXT_USE_STARTS);
    r->machine.start = read_jump(r, ic_text_get(r->root, "start"), NULL, IC_TEXT_SAME_MODE);
    read_times(r);
}

ic_text_machine *ic_text_read(const char *text, const char *variant, const ic_problem *problem, ic_error *error)
{
    ic_text_reader *r = calloc(1, sizeof *r);
    if (r == NULL) flint_abort();
    error->text[0] = '\0';
    r->text = text;
    r->variant = variant;
    r->problem = problem;
    r->error = error;
    if (setjmp(r->refused) == 0) {
        read_machine(r);
        return &r->machine;
    }
    ic_text_free(&r->machine);
    return NULL;
}

void ic_text_free(ic_text_machine *machine)
{
    ic_text_reader *r = (ic_text_reader *)machine;
    if (r == NULL) return;
    for (size_t i = 0; i < r->machine.n_terms; i++) {
        if (r->terms[i].number != NULL) fmpq_clear((fmpq *)r->terms[i].number);
    }
    while (r->blocks != NULL) {
        void *block = r->blocks;
        r->blocks = *(void **)block;
        free(block);
    }
    free(r->terms);
    free(r->hash);
    free(r);
}

int ic_text_find_state(const ic_text_machine *machine, const char *name)
{
    for (size_t i = 0; i < machine->n_states; i++) {
        if (strcmp(machine->states[i].name, name) == 0) return (int)i;
    }
    return -1;
}

int ic_text_find_parameter(const ic_text_machine *machine, const char *name)
{
    for (size_t i = 0; i < machine->n_parameters; i++) {
        if (strcmp(machine->parameters[i].name, name) == 0) return (int)i;
    }
    return -1;
}

int ic_text_find_element(const ic_text_machine *machine, const char *name)
{
    const ic_text_list elements = ((const ic_text_reader *)machine)->elements;
    const ic_text_item *found = ic_text_find(elements, name);
    return found == NULL ? -1 : (int)(found - elements.items);
}
