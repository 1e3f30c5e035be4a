/* SPDX-License-Identifier: MIT */
/* Formulas of scenes: their names and units. */
#include "audit/scene/scene_file.h"
#include "core/names.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *name, *unit;
} quantities[] =
    {
#define QUANTITY(id_, name_, unit_) {name_, unit_},
        IC_SCENE_QUANTITIES(QUANTITY)},
  totals[] = {IC_SCENE_TOTALS(QUANTITY)
#undef QUANTITY
};

int ic_scene_parameter_find(const ic_scene_file *file, const char *name)
{
    for (size_t i = 0; i < file->n_parameters; i++) {
        if (strcmp(file->parameters[i].name, name) == 0) return (int)i;
    }
    return -1;
}

int ic_scene_body_find(const ic_scene_file *file, const char *name)
{
    for (size_t i = 0; i < file->n_bodies; i++) {
        if (strcmp(file->bodies[i].name, name) == 0) return (int)i;
    }
    return -1;
}

/* Words that begin names of formulas: those of totals, and of what else stands before a dot. */
static bool begins_names(const char *word)
{
    bool begins = strcmp(word, "start") == 0 || strcmp(word, "case") == 0;
    for (size_t k = 0; k < sizeof totals / sizeof *totals; k++) {
        const size_t length = strcspn(totals[k].name, ".");
        begins |= strlen(word) == length && strncmp(word, totals[k].name, length) == 0;
    }
    return begins;
}

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

bool ic_scene_new_name(ic_scene_reader *r, const ic_yaml *name)
{
    bool defined = ic_scene_parameter_find(r->file, name->text) >= 0;
    for (size_t i = 0; i < r->n_definitions; i++) defined |= strcmp(r->definitions[i].name, name->text) == 0;
    if (defined)
        return ic_fault_add(&r->faults, name->place, "'%s' is already a parameter or a definition", name->text);
    if (ic_formula_reserved(name->text) || begins_names(name->text))
        return ic_fault_add(&r->faults, name->place, "'%s' has a meaning of its own: use another name",
                            name->text);
    if (strchr("0123456789_", name->text[0]) != NULL || strlen(name->text) != strspn(name->text, letters))
        return ic_fault_add(&r->faults, name->place,
                            "the name '%s' must have letters, digits and _ only, a letter first", name->text);
    return true;
}

bool ic_scene_body_name(ic_scene_reader *r, const ic_yaml *name)
{
    if (name->text[0] == '\0' || strlen(name->text) != strspn(name->text, letters))
        return ic_fault_add(&r->faults, name->place, "the name of a body must have letters, digits and _ only");
    return !begins_names(name->text) ||
           ic_fault_add(&r->faults, name->place, "'%s' has a meaning of its own: give the body another name",
                        name->text);
}

size_t ic_scene_figure_find(const ic_scene_file *file, const char *name)
{
    size_t i = 0;
    while (i < file->n_figures && strcmp(file->figures[i].name, name) != 0) i++;
    return i;
}

static ic_dimension dimension_of(const char *unit)
{
    ic_unit read = ic_unit_one;
    size_t offset = 0;
    ic_error error;
    ic_unit_read(&read, unit, NULL, NULL, &offset, &error);
    return read.dimension;
}

static ic_name_found found_node(ic_scene_reader *r, ic_term *term, ic_operation operation, int index,
                                const ic_dimension *dimension)
{
    *term = (ic_term){ic_graph_indexed(&r->graph, operation, index), *dimension};
    return IC_NAME_KNOWN;
}

/* The quantity number `index` of a row, or of the first row. */
static ic_name_found found_in_row(ic_scene_reader *r, ic_term *term, bool first, size_t index, const char *unit)
{
    const ic_dimension dimension = dimension_of(unit);
    if (first) return found_node(r, term, IC_OP_INPUT, (int)(IC_MOST_SCENE_ANSWERS + index), &dimension);
    return found_node(r, term, IC_OP_STATE, (int)index, &dimension);
}

/* A total, or BODY.QUANTITY; after start. that of the first row. */
static ic_name_found find_in_row(ic_scene_reader *r, ic_term *term, const char *name)
{
    const bool first = strncmp(name, "start.", 6) == 0;
    if (first) name += 6;
    const char *dot = strchr(name, '.');
    for (size_t k = 0; k < sizeof totals / sizeof *totals; k++) {
        if (strcmp(name, totals[k].name) == 0)
            return found_in_row(r, term, first, r->file->n_bodies * IC_SCENE_QUANTITY_COUNT + k,
                                totals[k].unit);
    }
    for (size_t i = 0; dot != NULL && i < r->file->n_bodies; i++) {
        const ic_rigid_body *body = &r->file->bodies[i];
        const size_t length = (size_t)(dot - name);
        if (body->fixed || strlen(body->name) != length || strncmp(body->name, name, length) != 0) continue;
        for (size_t k = 0; k < sizeof quantities / sizeof *quantities; k++) {
            if (strcmp(dot + 1, quantities[k].name) == 0)
                return found_in_row(r, term, first, i * IC_SCENE_QUANTITY_COUNT + k, quantities[k].unit);
        }
    }
    return IC_NAME_UNKNOWN;
}

/* The unit of a state or output of the case; NULL: it does not exist. */
static const char *unit_of_answer(const ic_case *system, const char *name)
{
    if (system == NULL) return NULL;
    const size_t state = ic_state_find(system, name), output = ic_output_find(system, name);
    if (state < system->n_states) return system->states[state].unit;
    return output < system->n_outputs ? system->outputs[output].unit : NULL;
}

/* case.NAME: a state or output at the end of the case's run. */
static ic_name_found find_answer(ic_scene_reader *r, ic_term *term, const char *name, ic_file_place place)
{
    ic_scene_case *answer = &r->file->answer;
    size_t i = 0;
    while (i < answer->n_answers && strcmp(answer->answers[i], name) != 0) i++;
    if (i == answer->n_answers) {
        const char *unit = unit_of_answer(r->system, name);
        if (unit == NULL || i == IC_MOST_SCENE_ANSWERS) {
            ic_fault_add(&r->faults, place, "'case.%s': %s", name,
                         r->system == NULL ? "the scene has no case"
                         : unit == NULL    ? "the case has no state or output of this name"
                                           : "too many answers");
            return IC_NAME_WRONG;
        }
        r->answer_dimensions[i] = dimension_of(unit);
        answer->answers[answer->n_answers++] = ic_arena_copy(&r->file->arena, name, strlen(name));
    }
    return found_node(r, term, IC_OP_INPUT, (int)i, &r->answer_dimensions[i]);
}

static ic_name_found find_name(ic_term *term, const char *name, ic_file_place place, void *context)
{
    ic_scene_reader *r = context;
    if ((r->use & IC_USE_NUMBERS) != 0) {
        ic_fault_add(&r->faults, place, "a number must stand here, without the name '%s'", name);
        return IC_NAME_WRONG;
    }
    const int parameter = ic_scene_parameter_find(r->file, name);
    if (parameter >= 0) return found_node(r, term, IC_OP_PARAMETER, parameter, &r->dimensions[parameter]);
    for (size_t i = 0; i < r->n_definitions; i++) {
        if (strcmp(r->definitions[i].name, name) != 0) continue;
        *term = r->definitions[i].term;
        return IC_NAME_KNOWN;
    }
    if (r->constant != NULL && strcmp(name, r->constant) == 0)
        return found_node(r, term, IC_OP_PARAMETER, (int)r->file->n_parameters, &r->constant_dimension);
    if ((r->use & IC_USE_ANSWERS) != 0 && strncmp(name, "case.", 5) == 0)
        return find_answer(r, term, name + 5, place);
    if ((r->use & (IC_USE_ROWS | IC_USE_TIME)) != 0 && strcmp(name, "t") == 0) {
        *term = (ic_term){ic_graph_leaf(&r->graph, IC_OP_TIME), ic_second};
        return IC_NAME_KNOWN;
    }
    return (r->use & IC_USE_ROWS) != 0 ? find_in_row(r, term, name) : IC_NAME_UNKNOWN;
}

static size_t list_names(const char **names, size_t room, void *context)
{
    const ic_scene_reader *r = context;
    size_t n = 0;
    for (size_t i = 0; i < r->file->n_parameters && n < room; i++) names[n++] = r->file->parameters[i].name;
    for (size_t i = 0; i < r->n_definitions && n < room; i++) names[n++] = r->definitions[i].name;
    for (size_t i = 0; i < sizeof totals / sizeof *totals && n < room && r->use == IC_USE_ROWS; i++)
        names[n++] = totals[i].name;
    return n;
}

static double constant_value(ic_node node, void *context)
{
    ic_scene_reader *r = context;
    ic_program program;
    double value = NAN;
    const ic_graph_node *n = &r->graph.nodes[node];
    if (n->operation == IC_OP_PARAMETER || n->varies != 0) return NAN;
    if (ic_program_make(&program, &r->graph, &node, 1))
        ic_program_run(&program, &value, &(ic_program_input){0});
    return value;
}

static bool fixed_value(double *value, ic_node node, void *context)
{
    *value = constant_value(node, context);
    return isfinite(*value);
}

static ic_scope scope_of(ic_scene_reader *r)
{
    return (ic_scope){.graph = &r->graph,
                      .faults = &r->faults,
                      .find = find_name,
                      .list = list_names,
                      .constant = constant_value,
                      .fixed = fixed_value,
                      .context = r,
                      .work = &r->work,
                      .depth = &r->depth};
}

static bool make_program(ic_scene_reader *r, ic_scene_formula *formula, ic_node node, const ic_yaml *text)
{
    formula->text = text->text;
    formula->place = text->place;
    return ic_program_make(&formula->program, &r->graph, &node, 1) || ic_fault_memory(&r->faults, text->place);
}

bool ic_scene_read_formula(ic_scene_reader *r, ic_scene_formula *formula, const ic_yaml *text, unsigned use)
{
    ic_term term = {0};
    r->use = use;
    const ic_scope scope = scope_of(r);
    if (!ic_formula_read(&term, text, &scope)) return false;
    formula->dimension = term.dimension;
    return make_program(r, formula, term.node, text);
}

bool ic_scene_read_quantity_in(ic_scene_reader *r, ic_scene_formula *formula, const ic_yaml *text,
                               const char *unit, const char *what, unsigned use)
{
    const ic_dimension dimension = dimension_of(unit);
    ic_node node = IC_NO_NODE;
    r->use = use;
    const ic_scope scope = scope_of(r);
    if (!ic_formula_read_as(&node, text, &dimension, what, &scope)) return false;
    formula->dimension = dimension;
    return make_program(r, formula, node, text);
}

bool ic_scene_read_quantity(ic_scene_reader *r, ic_scene_formula *formula, const ic_yaml *text,
                            const char *unit, const char *what)
{
    return ic_scene_read_quantity_in(r, formula, text, unit, what, IC_USE_PARAMETERS);
}

bool ic_scene_read_condition(ic_scene_reader *r, ic_scene_formula *formula, const ic_yaml *text)
{
    ic_node node = IC_NO_NODE;
    r->use = IC_USE_PARAMETERS;
    const ic_scope scope = scope_of(r);
    return ic_condition_read(&node, text, &scope) && make_program(r, formula, node, text);
}

bool ic_scene_read_vector(ic_scene_reader *r, ic_scene_formula vector[3], const ic_yaml *list, const char *unit,
                          const char *what)
{
    if (list->kind != IC_YAML_SEQUENCE || list->n_items != 3)
        return ic_fault_add(&r->faults, list->place, "%s must be a list of three components: [X, Y, Z]", what);
    bool good = true;
    for (size_t k = 0; k < 3; k++) good &= ic_scene_read_quantity(r, &vector[k], list->items[k], unit, what);
    return good;
}

bool ic_scene_read_definition(ic_scene_reader *r, const ic_yaml *name, const ic_yaml *text)
{
    ic_term term = {0};
    r->use = IC_USE_PARAMETERS;
    const ic_scope scope = scope_of(r);
    if (r->n_definitions == IC_MOST_SCENE_DEFINITIONS)
        return ic_fault_add(&r->faults, text->place, "more than %d definitions", IC_MOST_SCENE_DEFINITIONS);
    if (!ic_scene_new_name(r, name) || !ic_formula_read(&term, text, &scope)) return false;
    r->definitions[r->n_definitions].name = name->text;
    r->definitions[r->n_definitions++].term = term;
    return true;
}

bool ic_scene_given(const ic_scene_formula *formula)
{
    return formula->program.n_results > 0;
}

double ic_scene_evaluate(const ic_scene_formula *formula, const ic_scene_values *values)
{
    double result = 0;
    const ic_program_input input = {values->t, values->row, values->par, values->known};
    if (ic_scene_given(formula)) ic_program_run(&formula->program, &result, &input);
    return result;
}
