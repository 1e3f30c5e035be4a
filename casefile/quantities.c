/* SPDX-License-Identifier: MIT */
/* The sections `parameters`, `states` and `discrete`. */
#include "casefile/reader.h"

#include "casefile/constants.h"
#include "core/expression.h"
#include "core/parameters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARAMETERS = 2048 };

/* ---- units */

static const char *find_setting(const ic_case_reader *r, const char *name);

/* Value of a parameter that has not been read yet, if it is a number. */
static bool later_value(double *value, const char *name, const ic_case_reader *r)
{
    const ic_yaml *given = ic_yaml_get(ic_yaml_get(r->root, "parameters"), name);
    const char *setting = find_setting(r, name);
    if (given != NULL && given->kind == IC_YAML_MAPPING) given = ic_yaml_get(given, "value");
    if (given == NULL || given->kind != IC_YAML_SCALAR) return false;
    return ic_expression_number(value, setting != NULL ? setting : given->text, NULL, NULL);
}

/* Finds the value of a parameter that is an exponent of a unit: N/m^n. */
static bool exponent_value(double *value, const char *name, void *context)
{
    const ic_case_reader *r = context;
    const int known = ic_reader_parameter(r, name);
    if (known < 0) return later_value(value, name, r);
    *value = r->parameter_values[known];
    return true;
}

static bool read_unit(ic_unit *unit, ic_case_reader *r, const char *text, ic_file_place place)
{
    ic_error error;
    size_t offset = 0;
    if (ic_unit_read(unit, text, exponent_value, r, &offset, &error)) return true;
    return ic_fault_add(r->faults, place, "%s", error.text);
}

bool ic_reader_si_unit(ic_unit *unit, ic_case_reader *r, const char *text, ic_file_place place)
{
    char si[IC_DIMENSION_TEXT];
    if (!read_unit(unit, r, text, place)) return false;
    if (unit->factor == 1) return true;
    return ic_fault_add(r->faults, place, "'%s' is not an SI unit: use %s; one %s is %.6g of these", text,
                        ic_dimension_text(si, &unit->dimension), text, unit->factor);
}

/* ---- names */

bool ic_reader_new_name(ic_case_reader *r, const ic_file_entry *entry, bool state)
{
    const char *name = entry->name;
    if (ic_formula_reserved(name))
        return ic_fault_add(r->faults, entry->key->place, "'%s' is a reserved name", name);
    if (!state && ic_reader_parameter(r, name) >= 0)
        return ic_fault_add(r->faults, entry->key->place, "'%s' is already a parameter", name);
    if (ic_reader_state(r, name) >= 0)
        return ic_fault_add(r->faults, entry->key->place, "'%s' is already a state", name);
    return true;
}

/* ---- ranges of parameters, in the language of the public header */

static const char *range_of_list(ic_case_reader *r, const ic_yaml *list)
{
    if (list->n_items == 2 && list->items[0]->kind == IC_YAML_SCALAR && list->items[1]->kind == IC_YAML_SCALAR)
        return ic_arena_print(r->arena, "[%s, %s]", list->items[0]->text, list->items[1]->text);
    return NULL;
}

/* Reads {0, 1}, which is a mapping without values in YAML. */
static const char *range_of_set(ic_case_reader *r, const ic_yaml *set)
{
    const char *text = "{";
    for (size_t i = 0; i < set->n_keys && text != NULL; i++)
        text = ic_arena_print(r->arena, "%s%s%s", text, i > 0 ? ", " : "", set->keys[i]->text);
    return text == NULL ? NULL : ic_arena_print(r->arena, "%s}", text);
}

/* Whether all bounds of a range are numbers: the reader of ranges accepts nothing else. */
static bool range_is_readable(const char *range)
{
    const char *at = range + 1;
    char *end = NULL;
    size_t n = 0;
    if (strchr("([{", range[0]) == NULL || range[0] == '\0') return false;
    for (;; at++, n++) {
        strtod(at, &end);
        if (end == at) return false;
        while (*end == ' ') end++;
        at = end;
        if (*at != ',') break;
    }
    return range[0] == '{' ? strcmp(at, "}") == 0 : n == 1 && (strcmp(at, ")") == 0 || strcmp(at, "]") == 0);
}

static const char *read_range(ic_case_reader *r, const ic_yaml *mapping)
{
    const ic_yaml *given = ic_yaml_get(mapping, "range");
    const char *range = NULL;
    if (given == NULL) return "(-inf, inf)";
    const char *dots = given->kind == IC_YAML_SCALAR ? strstr(given->text, "..") : NULL;
    if (given->kind == IC_YAML_SEQUENCE) range = range_of_list(r, given);
    else if (given->kind == IC_YAML_MAPPING) range = range_of_set(r, given);
    else if (strcmp(given->text, "positive") == 0) range = "(0, inf)";
    else if (strcmp(given->text, "nonnegative") == 0) range = "[0, inf)";
    else if (dots != NULL)
        range = ic_arena_print(r->arena, "[%.*s, %s]", (int)(dots - given->text), given->text, dots + 2);
    else range = given->text;
    if (range != NULL && range_is_readable(range)) return range;
    ic_fault_add(r->faults, given->place,
                 "expected a range with numbers: positive, nonnegative, 0..1, \"(0, 1]\" or {0, 1, 2}");
    return NULL;
}

/* ---- values of parameters */

typedef struct given_parameter {
    /* Formula and unit as written. */
    ic_yaml formula;
    const char *unit, *meaning, *range;
} given_parameter;

/* A meaning in which [r], the index of a family in brackets, is replaced by its value. */
static const char *text_of_member(ic_case_reader *r, const char *text, const ic_index *indices)
{
    for (; indices != NULL && text != NULL; indices = indices->outer) {
        char name[80];
        snprintf(name, sizeof name, "[%s]", indices->name);
        const char *found = strstr(text, name);
        if (found != NULL)
            text = ic_arena_print(r->arena, "%.*s%d%s", (int)(found - text), text, indices->value,
                                  found + strlen(name));
    }
    return text;
}

static bool split_parameter(given_parameter *given, ic_case_reader *r, const ic_file_entry *entry)
{
    const ic_yaml *value = entry->value;
    *given = (given_parameter){.meaning = "", .range = "(-inf, inf)"};
    if (value->kind == IC_YAML_MAPPING) {
        if (!ic_known_keys(r->faults, entry->value, &ic_schema_parameter)) return false;
        given->meaning = text_of_member(r, ic_key_text(r->faults, entry->value, "meaning", ""), entry->indices);
        given->unit = ic_key_text(r->faults, entry->value, "unit", NULL);
        given->range = read_range(r, entry->value);
        value = ic_yaml_get(entry->value, "value");
        if (given->range == NULL || given->meaning == NULL) return false;
    }
    if (value->kind != IC_YAML_SCALAR)
        return ic_fault_add(r->faults, value->place, "expected a value: 0.1 m, 80pi rad/s, 3/2");
    given->formula = *value;
    const size_t length = ic_unit_split(value->text);
    if (value->text[length] != '\0') {
        if (given->unit != NULL)
            return ic_fault_add(r->faults, value->place, "'%s' has two units: '%s' and '%s'", entry->name,
                                value->text + length + 1, given->unit);
        given->unit = value->text + length + 1;
        given->formula.text = ic_arena_copy(r->arena, value->text, length);
    }
    return given->formula.text != NULL;
}

/* Value of the setting NAME=VALUE of a parameter, or NULL if it does not exist. */
static const char *find_setting(const ic_case_reader *r, const char *name)
{
    const char *found = NULL;
    const size_t length = strlen(name);
    for (size_t i = 0; i < r->n_settings; i++) {
        if (strncmp(r->settings[i], name, length) == 0 && r->settings[i][length] == '=')
            found = r->settings[i] + length + 1;
    }
    return found;
}

/*
 * The value of the next parameter as text in SI units. The text as written is kept in
 * parameter_written. NULL: a fault was added.
 */
static const char *convert_parameter(ic_case_reader *r, const given_parameter *given, const char *text,
                                     const ic_unit *unit, ic_file_place place)
{
    ic_error why = {""};
    r->parameter_written[r->n_parameters] = ic_arena_print(r->arena, "%s %s", given->formula.text, given->unit);
    if (text != NULL) text = ic_unit_convert(r->arena, text, unit, given->unit, &why);
    if (text == NULL && !r->arena->failed) ic_fault_add(r->faults, place, "%s", why.text);
    return text;
}

static bool read_parameter(ic_case_reader *r, const ic_file_entry *entry)
{
    given_parameter given;
    ic_term term;
    ic_unit unit = ic_unit_one;
    if (!ic_reader_new_name(r, entry, false) || !split_parameter(&given, r, entry)) return false;
    const ic_scope scope = ic_reader_scope(r, entry->indices);
    if (!ic_formula_read(&term, &given.formula, &scope)) return false;
    const bool pure = ic_dimension_is_none(&term.dimension);
    if (given.unit != NULL && !read_unit(&unit, r, given.unit, entry->value->place)) return false;
    if (given.unit != NULL && !pure && !ic_dimensions_equal(&term.dimension, &unit.dimension)) {
        char own[IC_DIMENSION_TEXT];
        return ic_fault_add(r->faults, entry->value->place,
                            "units differ: '%s' is in %s, but its value is in %s", entry->name, given.unit,
                            ic_dimension_text(own, &term.dimension));
    }
    ic_dimension dimension = {0}; /* The dimension of a 0 without unit. */
    if (given.unit != NULL) dimension = unit.dimension;
    else if (!term.dimension.any) dimension = term.dimension;
    const char *text = ic_reader_node_text(r, term.node);
    const char *name_of_unit = given.unit;
    if (text != NULL && entry->indices == NULL && ic_reader_can_read(r, given.formula.text))
        text = given.formula.text; /* Keep the text as written: 80pi. */
    if (pure && unit.factor != 1) text = convert_parameter(r, &given, text, &unit, entry->value->place);
    if (name_of_unit == NULL || unit.factor != 1) {
        char si[IC_DIMENSION_TEXT];
        name_of_unit = ic_arena_print(r->arena, "%s", ic_dimension_text(si, &dimension));
    }
    if (text == NULL || name_of_unit == NULL) return false;
    r->parameters[r->n_parameters] =
        (ic_parameter){entry->name, name_of_unit, given.meaning, text, given.range};
    r->parameter_dimensions[r->n_parameters] = dimension;
    if (!pure || unit.factor == 1) r->parameter_nodes[r->n_parameters] = term.node;
    /* Computes the value from the parameters before it. */
    const char *setting = find_setting(r, entry->name);
    const ic_case before = {.parameters = r->parameters, .n_parameters = r->n_parameters};
    const ic_names names = {.system = setting != NULL ? NULL : &before,
                            .par = setting != NULL ? NULL : r->parameter_values};
    ic_error error;
    if (!ic_expression_number(&r->parameter_values[r->n_parameters], setting != NULL ? setting : text, &names,
                              &error)) {
        if (setting == NULL)
            return ic_fault_add(r->faults, entry->value->place, "the value of '%s': %s", entry->name,
                                error.text);
        /* The setting is not a number. It is refused later, when settings are checked. */
        r->parameter_values[r->n_parameters] = NAN;
    }
    r->n_parameters++;
    return true;
}

bool ic_read_parameters(ic_case_reader *r)
{
    ic_file_entries entries = {0};
    const ic_yaml *section = ic_yaml_get(r->root, "parameters");
    const size_t most = MOST_PARAMETERS;
    r->parameters = ic_arena_take(r->arena, most * sizeof *r->parameters);
    r->parameter_dimensions = ic_arena_take(r->arena, most * sizeof *r->parameter_dimensions);
    r->parameter_nodes = ic_arena_take(r->arena, most * sizeof *r->parameter_nodes);
    r->parameter_values = ic_arena_take(r->arena, most * sizeof *r->parameter_values);
    r->parameter_sizes = ic_arena_take(r->arena, most * sizeof *r->parameter_sizes);
    r->parameter_written = ic_arena_take(r->arena, most * sizeof *r->parameter_written);
    if (r->parameters == NULL || r->parameter_dimensions == NULL || r->parameter_values == NULL ||
        r->parameter_sizes == NULL || r->parameter_written == NULL || r->parameter_nodes == NULL)
        return false;
    for (size_t i = 0; i < most; i++) r->parameter_nodes[i] = IC_NO_NODE;
    if (section == NULL) return true;
    if (section->kind != IC_YAML_MAPPING) return ic_entries_read(&entries, r, section, NULL);
    r->uses = IC_USE_PARAMETERS;
    /* Entry by entry: the size of a family may be a parameter before it. */
    bool good = true;
    for (size_t i = 0; i < section->n_keys; i++) {
        const ic_yaml one = {.kind = IC_YAML_MAPPING,
                             .place = section->place,
                             .items = &section->items[i],
                             .n_items = 1,
                             .keys = &section->keys[i],
                             .n_keys = 1};
        entries = (ic_file_entries){0};
        good = ic_entries_read(&entries, r, &one, NULL) && good;
        for (size_t k = 0; k < entries.n; k++) {
            if (r->n_parameters == most)
                return ic_fault_add(r->faults, section->place, "more than %zu parameters", most);
            good = read_parameter(r, &entries.entries[k]) && good;
        }
    }
    return good;
}

/* ---- states */

static bool add_state(ic_case_reader *r, const ic_file_entry *entry, const ic_state *state,
                      const ic_dimension *dimension, bool discrete)
{
    if (!ic_reader_new_name(r, entry, true)) return false;
    if (r->n_states == IC_MAX_STATES)
        return ic_fault_add(r->faults, entry->key->place, "more than %d states", IC_MAX_STATES);
    r->states[r->n_states] = *state;
    r->state_dimensions[r->n_states] = *dimension;
    r->state_discrete[r->n_states++] = discrete;
    return true;
}

static bool read_in_parameters(ic_case_reader *r, const ic_yaml *text, const ic_index *indices,
                               const ic_dimension *dimension, const char *what, ic_node *node)
{
    const ic_scope scope = ic_reader_scope(r, indices);
    r->uses = IC_USE_PARAMETERS;
    return ic_formula_read_as(node, text, dimension, what, &scope);
}

/* A formula in parameters as complete text, which the solvers' reader of expressions accepts. */
static const char *parameter_formula(ic_case_reader *r, const ic_yaml *text, const ic_index *indices,
                                     const ic_dimension *dimension, const char *what, ic_node *node)
{
    if (!read_in_parameters(r, text, indices, dimension, what, node)) return NULL;
    const char *written = ic_reader_node_text(r, *node);
    if (written == NULL || ic_reader_can_read(r, written)) return written;
    ic_fault_add(r->faults, text->place,
                 "%s may use +, -, *, /, integer powers (or sqrt and cbrt) and functions only", what);
    return NULL;
}

/* Checks `values`: [-1, 1]. */
static bool read_values(ic_case_reader *r, const ic_yaml *list)
{
    double value = 0;
    if (list == NULL) return true;
    bool good = list->kind == IC_YAML_SEQUENCE;
    for (size_t i = 0; good && i < list->n_items; i++)
        good = ic_expression_number(&value, list->items[i]->text, NULL, NULL);
    return good || ic_fault_add(r->faults, list->place, "expected numbers: values: [-1, 1]");
}

bool ic_reader_check_value(ic_case_reader *r, int state, ic_node node, ic_file_place place)
{
    const ic_yaml *list = r->state_values[state];
    const bool negative = r->graph->nodes[node].operation == IC_OP_NEGATE;
    const ic_graph_node n = r->graph->nodes[negative ? r->graph->nodes[node].a : node];
    const double given = negative ? -n.number : n.number;
    double value = NAN;
    if (list == NULL || n.operation != IC_OP_NUMBER) return true;
    for (size_t i = 0; i < list->n_items; i++) {
        if (ic_expression_number(&value, list->items[i]->text, NULL, NULL) && value == given) return true;
    }
    return ic_fault_add(r->faults, place, "%.15g is not one of the values of '%s', which line %zu lists", given,
                        r->states[state].name, list->place.line);
}

/* Reads a state, x: m, or a discrete state, side: {values: [-1, 1], start: 1}. */
static bool read_state(ic_case_reader *r, const ic_file_entry *entry, bool discrete)
{
    const ic_schema *schema = discrete ? &ic_schema_discrete : &ic_schema_state;
    const char *otherwise = discrete ? "discrete: changed by events only" : "";
    const bool is_long = entry->value->kind == IC_YAML_MAPPING;
    if ((is_long || discrete) && !ic_known_keys(r->faults, entry->value, schema)) return false;
    const char *unit_text = is_long ? ic_key_text(r->faults, entry->value, "unit", "1") : entry->value->text;
    const char *meaning =
        is_long ? text_of_member(r, ic_key_text(r->faults, entry->value, "meaning", otherwise), entry->indices)
                : "";
    ic_unit unit;
    if (entry->value->kind == IC_YAML_SEQUENCE)
        return ic_fault_add(r->faults, entry->value->place, "expected the unit of a state: m, m/s, rad");
    if (unit_text == NULL || meaning == NULL || !ic_reader_si_unit(&unit, r, unit_text, entry->value->place))
        return false;
    ic_state state = {entry->name, unit_text, meaning, discrete ? "1" : "0"};
    const ic_yaml *scale = ic_yaml_get(entry->value, "scale"), *start = ic_yaml_get(entry->value, "start");
    const char *text = NULL;
    ic_node node = IC_NO_NODE;
    bool good = true;
    if (scale != NULL) text = parameter_formula(r, scale, entry->indices, &unit.dimension, "the scale", &node);
    if (text != NULL) state.scale = text;
    good = scale == NULL || text != NULL;
    const int same_name = ic_reader_parameter(r, entry->name);
    node =
        same_name < 0 ? ic_graph_integer(r->graph, 0) : ic_graph_indexed(r->graph, IC_OP_PARAMETER, same_name);
    if (same_name >= 0 && !ic_dimensions_equal(&r->parameter_dimensions[same_name], &unit.dimension))
        return ic_fault_add(r->faults, entry->key->place,
                            "the parameter '%s' is the initial value of this state, but has another unit",
                            entry->name);
    if (start != NULL)
        good = read_in_parameters(r, start, entry->indices, &unit.dimension, "the start", &node) && good;
    const ic_yaml *values = ic_yaml_get(entry->value, "values");
    /* The state is added even if it has faults, because later formulas may use it. */
    if (!add_state(r, entry, &state, &unit.dimension, discrete)) return false;
    const int number = (int)r->n_states - 1;
    r->state_starts[number] = node;
    if (!read_values(r, values)) return false;
    r->state_values[number] = values;
    return good && (start == NULL || ic_reader_check_value(r, number, node, start->place));
}

bool ic_reader_add_parameter(ic_case_reader *r, const ic_parameter *like, ic_file_place place)
{
    const ic_case before = {.parameters = r->parameters, .n_parameters = r->n_parameters};
    const ic_names names = {.system = &before, .par = r->parameter_values};
    const char *setting = find_setting(r, like->name);
    ic_unit unit;
    ic_error error;
    if (r->n_parameters == MOST_PARAMETERS)
        return ic_fault_add(r->faults, place, "more than %d parameters", MOST_PARAMETERS);
    r->parameters[r->n_parameters] = *like;
    if (!ic_expression_number(&r->parameter_values[r->n_parameters], setting != NULL ? setting : like->value,
                              &names, &error))
        return ic_fault_add(r->faults, place, "the value of '%s': %s", like->name, error.text);
    if (!read_unit(&unit, r, like->unit, place)) return false;
    r->parameter_dimensions[r->n_parameters++] = unit.dimension;
    return true;
}

int ic_reader_add_discrete(ic_case_reader *r, const char *name, const char *unit, const char *meaning,
                           ic_file_place place)
{
    const ic_yaml key = {.kind = IC_YAML_SCALAR, .place = place, .text = name};
    const ic_file_entry entry = {.name = name, .key = &key, .value = &key};
    const ic_state state = {name, unit, meaning, "1"};
    ic_unit read;
    if (!read_unit(&read, r, unit, place)) return -1;
    if (r->n_states < IC_MAX_STATES) r->state_starts[r->n_states] = ic_graph_integer(r->graph, 0);
    return add_state(r, &entry, &state, &read.dimension, true) ? (int)r->n_states - 1 : -1;
}

bool ic_read_states(ic_case_reader *r)
{
    ic_file_entries states = {0}, discrete = {0};
    r->states = ic_arena_take(r->arena, (IC_MAX_STATES + 1) * sizeof *r->states);
    r->state_dimensions = ic_arena_take(r->arena, (IC_MAX_STATES + 1) * sizeof *r->state_dimensions);
    r->state_starts = ic_arena_take(r->arena, (IC_MAX_STATES + 1) * sizeof *r->state_starts);
    r->state_discrete = ic_arena_take(r->arena, (IC_MAX_STATES + 1) * sizeof *r->state_discrete);
    r->state_values = ic_arena_take(r->arena, (IC_MAX_STATES + 1) * sizeof(ic_yaml *));
    if (r->states == NULL || r->state_dimensions == NULL || r->state_starts == NULL ||
        r->state_discrete == NULL || r->state_values == NULL)
        return false;
    if (ic_yaml_get(r->root, "states") == NULL)
        return ic_fault_add(r->faults, r->root->place, "the section 'states' is missing");
    bool good = ic_entries_read(&states, r, ic_yaml_get(r->root, "states"), NULL) &&
                ic_entries_read(&discrete, r, ic_yaml_get(r->root, "discrete"), NULL);
    for (size_t i = 0; i < states.n; i++) good = read_state(r, &states.entries[i], false) && good;
    for (size_t i = 0; i < discrete.n; i++) good = read_state(r, &discrete.entries[i], true) && good;
    if (good && r->n_states == 0)
        good =
            ic_fault_add(r->faults, ic_yaml_get(r->root, "states")->place, "a case needs at least one state");
    return good;
}
