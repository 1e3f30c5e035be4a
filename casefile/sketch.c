/* SPDX-License-Identifier: MIT */
/*
 * The coordinates follow the outputs in the nodes of a mode, so that combinations of elements become
 * modes, and states are removed, in both alike.
 */
#include "casefile/sketch.h"

#include "core/shapes.h"

#include <stdio.h>
#include <string.h>

enum { MOST_SHAPES = 1000 };

/* ---- shapes */

/* The kind of a key of ic_schema_shape. */
static ic_shape_kind find_kind(const char *key)
{
    int kind = 0;
    if (strcmp(key, "wall") == 0) return IC_SHAPE_GROUND;
    while (strcmp(ic_shape_forms[kind].name, key) != 0) kind++;
    return (ic_shape_kind)kind;
}

static bool add_coordinate(ic_case_reader *r, const ic_yaml *text, const ic_index *indices, bool angle)
{
    ic_coordinate *added = ic_arena_append(r->arena, &r->sketch.coordinates, &r->sketch.n, sizeof *added);
    if (added == NULL) return false;
    *added = (ic_coordinate){text, indices, angle, IC_NO_NODE};
    return true;
}

/* Adds the coordinates of a part: one formula, or a list of two. */
static bool add_part(ic_case_reader *r, const ic_shape_part *part, const ic_yaml *section,
                     const ic_index *indices)
{
    static const ic_yaml none = {.kind = IC_YAML_SCALAR, .text = "0"};
    const ic_yaml *given = ic_yaml_get(section, part->name);
    if (given == NULL) return add_coordinate(r, &none, indices, true);
    if (part->n == 1) return add_coordinate(r, given, indices, !part->length);
    if (given->kind != IC_YAML_SEQUENCE || given->n_items != 2)
        return ic_fault_add(r->faults, given->place, "'%s' must have two values: %s: [%s]", part->name,
                            part->name, strcmp(part->name, "size") == 0 ? "width, height" : "x, y");
    return add_coordinate(r, given->items[0], indices, false) &&
           add_coordinate(r, given->items[1], indices, false);
}

/* The label, in which [i] is the value of the index of a family. NULL: a fault was added. */
static const char *read_label(ic_case_reader *r, const ic_yaml *section, const char *key,
                              const ic_index *indices)
{
    const ic_yaml *given = ic_yaml_get(section, key);
    const ic_scope scope = ic_reader_scope(r, indices);
    const char *text = ic_key_text(r->faults, section, key, "");
    if (text == NULL || indices == NULL || strchr(text, '[') == NULL) return text;
    return ic_indexed_text(given, &scope);
}

static bool read_shape(ic_case_reader *r, const ic_file_entry *e, ic_shape *shape)
{
    if (!ic_known_keys(r->faults, e->value, &ic_schema_shape)) return false;
    const ic_yaml *key = e->value->keys[0], *section = e->value->items[0];
    const ic_shape_kind kind = find_kind(key->text);
    *shape = (ic_shape){.kind = kind, .first = r->sketch.n};
    if (!ic_known_keys(r->faults, section, ic_schema_key(&ic_schema_shape, key->text)->schema)) return false;
    bool good = true;
    for (const ic_shape_part *part = ic_shape_forms[kind].parts; part->name != NULL; part++)
        good = add_part(r, part, section, e->indices) && good;
    shape->label = read_label(r, section, kind == IC_SHAPE_TEXT ? "says" : "label", e->indices);
    shape->dashed = ic_reader_flag(r, section, "dashed");
    shape->marked = kind == IC_SHAPE_BALL && ic_yaml_get(section, "angle") != NULL;
    if (good && kind == IC_SHAPE_TEXT && shape->label != NULL && shape->label[0] == '\0')
        return ic_fault_add(r->faults, section->place, "the text has no words: expected says: TEXT");
    return good && shape->label != NULL;
}

bool ic_read_sketch(ic_case_reader *r, ic_case *system)
{
    const ic_yaml *section = ic_yaml_get(r->root, "sketch");
    ic_file_entries entries = {0};
    r->sketch.dimension.any = true;
    if (section == NULL) return true;
    if (!ic_list_read(&entries, r, section, NULL)) return false;
    if (entries.n == 0 || entries.n > MOST_SHAPES)
        return ic_fault_add(r->faults, section->place, "a sketch has from 1 to %d shapes, but this has %zu",
                            MOST_SHAPES, entries.n);
    ic_shape *shapes = ic_arena_take(r->arena, entries.n * sizeof *shapes);
    if (shapes == NULL) return false;
    bool good = true;
    for (size_t i = 0; i < entries.n; i++) good = read_shape(r, &entries.entries[i], &shapes[i]) && good;
    system->shapes = shapes;
    system->n_shapes = entries.n;
    return good;
}

/* ---- coordinates */

static bool check_dimension(ic_case_reader *r, const ic_coordinate *c, const ic_dimension *dimension)
{
    static const ic_dimension length = {.power = {0, 1}}, number = {.any = false};
    char is[IC_DIMENSION_TEXT], others[IC_DIMENSION_TEXT];
    if (dimension->any) return true;
    const ic_dimension *wanted = c->angle ? &number : &r->sketch.dimension;
    if (c->angle && !ic_dimensions_equal(dimension, wanted))
        return ic_fault_add(r->faults, c->text->place, "an angle has no unit, but this is in %s",
                            ic_dimension_text(is, dimension));
    if (c->angle) return true;
    if (!ic_dimensions_equal(dimension, &length) && !ic_dimensions_equal(dimension, &number))
        return ic_fault_add(r->faults, c->text->place,
                            "coordinates of a sketch are lengths, or numbers without unit, but this is in %s",
                            ic_dimension_text(is, dimension));
    if (wanted->any) r->sketch.dimension = *dimension;
    return ic_dimensions_equal(dimension, wanted) ||
           ic_fault_add(r->faults, c->text->place,
                        "units differ: the coordinates before this one are in %s, but this is in %s",
                        ic_dimension_text(others, wanted), ic_dimension_text(is, dimension));
}

static bool read_coordinate(ic_case_reader *r, ic_coordinate *c, ic_node *node)
{
    const ic_scope scope = ic_reader_scope(r, c->indices);
    const bool outside = r->used_mode;
    ic_term term;
    *node = c->node;
    if (c->node >= 0) return true;
    r->used_mode = false;
    r->uses |= IC_USE_NONE;
    const bool good = ic_formula_read(&term, c->text, &scope);
    r->uses &= ~(unsigned)IC_USE_NONE;
    const bool of_mode = r->used_mode;
    r->used_mode = outside || of_mode;
    if (!good || !check_dimension(r, c, &term.dimension)) return false;
    *node = term.node;
    if (!of_mode) c->node = term.node;
    return true;
}

bool ic_sketch_values(ic_case_reader *r, ic_node *nodes)
{
    bool good = true;
    for (size_t i = 0; i < r->sketch.n; i++)
        good = read_coordinate(r, &r->sketch.coordinates[i], &nodes[i]) && good;
    return good;
}

/* ---- the function */

static const char *find_variant_name(const ic_case *system, const ic_plan *plans, const ic_plan *plan)
{
    return system->variants[plan - plans].name;
}

/*
 * The coordinates in a mode, which must be the same in all variants that have the mode. A mode of no
 * variant has no coordinates. NULL: a fault was added.
 */
static ic_node *find_coordinates(ic_case_reader *r, const ic_case *system, const ic_plan *plans, size_t n,
                                 size_t mode)
{
    const ic_node none = ic_graph_number(r->graph, "nan");
    const ic_plan *first = NULL;
    ic_node *nodes = ic_arena_take(r->arena, (r->sketch.n + 1) * sizeof *nodes);
    for (size_t k = 0; nodes != NULL && k < r->sketch.n; k++) nodes[k] = none;
    for (size_t i = 0; nodes != NULL && i < n; i++) {
        const ic_plan_mode *of = &plans[i].modes[mode];
        for (size_t k = 0; of->exists && k < r->sketch.n; k++) {
            ic_node node = of->outputs[plans[i].n_outputs + k];
            /* the memory of a law is no state of the case */
            if (node < 0 || (r->memory >= 0 &&
                             ic_graph_uses(r->graph, node, ic_graph_indexed(r->graph, IC_OP_STATE, r->memory))))
                node = none;
            if (first == NULL) nodes[k] = node;
            if (nodes[k] == node) continue;
            ic_fault_add(r->faults, r->sketch.coordinates[k].text->place,
                         "this coordinate differs between the variants '%.100s' and '%.100s'; a sketch is the "
                         "same in all variants",
                         find_variant_name(system, plans, first), find_variant_name(system, plans, &plans[i]));
            return NULL;
        }
        if (of->exists && first == NULL) first = &plans[i];
    }
    return nodes;
}

bool ic_sketch_emit(ic_case_reader *r, ic_case *system, const ic_plan *plans, size_t n)
{
    if (system->n_shapes == 0) return true;
    ic_function_branch *modes = ic_arena_take(r->arena, (r->n_modes + 1) * sizeof *modes);
    if (modes == NULL) return false;
    for (size_t m = 0; m < r->n_modes; m++) {
        modes[m] = (ic_function_branch){IC_NO_NODE, find_coordinates(r, system, plans, n, m)};
        if (modes[m].states == NULL) return false;
    }
    ic_function *f = ic_arena_append(r->arena, &r->functions->functions, &r->functions->n, sizeof *f);
    if (f == NULL) return false;
    *f = (ic_function){.kind = IC_FUNCTION_SKETCH,
                       .branches = modes,
                       .n_branches = r->n_modes,
                       .n_states = r->sketch.n,
                       .slot = &system->sketch};
    const bool lengths = !r->sketch.dimension.any && !ic_dimension_is_none(&r->sketch.dimension);
    system->sketch_unit = lengths ? "m" : "1";
    return true;
}
