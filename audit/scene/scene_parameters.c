/* SPDX-License-Identifier: MIT */
/** Parameters of a scene, definitions, and the values over which parameters vary. */
#include "audit/scene/scene_file.h"
#include "core/random.h"

#include <math.h>
#include <string.h>

/* ---- parameters */

static bool read_parameter(ic_scene_reader *r, const ic_yaml *name, const ic_yaml *section)
{
    ic_scene_file *file = r->file;
    if (file->n_parameters == IC_MOST_SCENE_PARAMETERS)
        return ic_fault_add(&r->faults, name->place, "more than %d parameters", IC_MOST_SCENE_PARAMETERS);
    if (!ic_scene_new_name(r, name)) return false;
    const bool mapping = section->kind == IC_YAML_MAPPING;
    const ic_yaml *value = mapping ? ic_yaml_get(section, "value") : section;
    if (mapping && !ic_known_keys(&r->faults, section, &ic_schema_scene_parameter)) return false;
    ic_scene_parameter *p = &file->parameters[file->n_parameters];
    p->name = name->text;
    p->meaning = mapping ? ic_key_text(&r->faults, section, "meaning", "") : "";
    if (p->meaning == NULL || !ic_scene_read_formula(r, &p->value, value, IC_USE_PARAMETERS)) return false;
    /* 0 has any unit; without one, the parameter is a number. */
    if (p->value.dimension.any) p->value.dimension = (ic_dimension){.any = false};
    char unit[IC_DIMENSION_TEXT];
    p->unit = ic_arena_print(&file->arena, "%s", ic_dimension_text(unit, &p->value.dimension));
    r->dimensions[file->n_parameters++] = p->value.dimension;
    return p->unit != NULL || ic_fault_memory(&r->faults, name->place);
}

bool ic_scene_read_parameters(ic_scene_reader *r, const ic_yaml *parameters)
{
    bool good = true;
    if (parameters != NULL && parameters->kind != IC_YAML_MAPPING)
        return ic_fault_add(&r->faults, parameters->place, "'parameters' must be {NAME: VALUE}");
    for (size_t i = 0; parameters != NULL && i < parameters->n_keys; i++)
        good = read_parameter(r, parameters->keys[i], parameters->items[i]) && good;
    return good;
}

bool ic_scene_read_definitions(ic_scene_reader *r, const ic_yaml *definitions)
{
    bool good = true;
    if (definitions != NULL && definitions->kind != IC_YAML_MAPPING)
        return ic_fault_add(&r->faults, definitions->place, "'definitions' must be {NAME: FORMULA}");
    for (size_t i = 0; definitions != NULL && i < definitions->n_keys; i++)
        good = ic_scene_read_definition(r, definitions->keys[i], definitions->items[i]) && good;
    return good;
}

/* ---- values that parameters take */

/* {from: A, to: B, points: N, log: true} as a list of formulas with numbers. */
static bool read_range(ic_scene_reader *r, ic_scene_list *list, const ic_yaml *range)
{
    ic_scene_formula ends[2] = {0};
    double values[2];
    bool logarithmic = false;
    size_t n = 0;
    if (!ic_scene_read_ends(r, ends, &logarithmic, range, r->file->parameters[list->parameter].unit) ||
        !ic_scene_points(r, range, 2, IC_MOST_SCENE_SETTINGS, &n))
        return false;
    for (int k = 0; k < 2; k++) values[k] = ic_scene_evaluate(&ends[k], &(ic_scene_values){0});
    list->values = ic_arena_take(&r->file->arena, n * sizeof *list->values);
    if (list->values == NULL) return ic_fault_memory(&r->faults, range->place);
    for (; list->n < n; list->n++) {
        const double part = (double)list->n / (double)(n - 1);
        const double value = logarithmic ? values[0] * pow(values[1] / values[0], part)
                                         : values[0] + part * (values[1] - values[0]);
        const ic_yaml text = {.kind = IC_YAML_SCALAR,
                              .place = range->place,
                              .text = ic_arena_print(&r->file->arena, "%.9g", value)};
        if (text.text == NULL || !ic_scene_read_formula(r, &list->values[list->n], &text, IC_USE_PARAMETERS))
            return false;
    }
    return true;
}

/* A value of a parameter in terms of those above it: those below have none yet. */
static bool read_value(ic_scene_reader *r, ic_scene_formula *value, const ic_yaml *text, size_t parameter)
{
    ic_scene_file *file = r->file;
    const size_t parameters = file->n_parameters, definitions = r->n_definitions;
    file->n_parameters = parameter;
    r->n_definitions = 0;
    const bool good = ic_scene_read_quantity(r, value, text, file->parameters[parameter].unit,
                                             file->parameters[parameter].name);
    file->n_parameters = parameters;
    r->n_definitions = definitions;
    return good;
}

static bool read_list(ic_scene_reader *r, ic_scene_list *list, const ic_yaml *name, const ic_yaml *values)
{
    const int parameter = ic_scene_parameter_find(r->file, name->text);
    if (parameter < 0) return ic_fault_add(&r->faults, name->place, "there is no parameter '%s'", name->text);
    list->parameter = (size_t)parameter;
    if (values->kind == IC_YAML_MAPPING) return read_range(r, list, values);
    if (values->kind != IC_YAML_SEQUENCE || values->n_items == 0)
        return ic_fault_add(&r->faults, values->place,
                            "expected values: [1, 2, 3] or {from: 0, to: 1, points: 5}");
    list->values = ic_arena_take(&r->file->arena, values->n_items * sizeof *list->values);
    if (list->values == NULL) return ic_fault_memory(&r->faults, values->place);
    for (; list->n < values->n_items; list->n++) {
        if (!read_value(r, &list->values[list->n], values->items[list->n], list->parameter)) return false;
    }
    return true;
}

static bool read_product(ic_scene_reader *r, ic_scene_product *product, const ic_yaml *lists)
{
    size_t n_product = 1;
    if (lists->kind != IC_YAML_MAPPING || lists->n_keys == 0)
        return ic_fault_add(&r->faults, lists->place, "expected {PARAMETER: [values], ...}");
    product->lists = ic_arena_take(&r->file->arena, lists->n_keys * sizeof *product->lists);
    if (product->lists == NULL) return ic_fault_memory(&r->faults, lists->place);
    for (; product->n < lists->n_keys; product->n++) {
        ic_scene_list *list = &product->lists[product->n];
        if (!read_list(r, list, lists->keys[product->n], lists->items[product->n])) return false;
        n_product *= list->n;
        if (r->n_settings + n_product > IC_MOST_SCENE_SETTINGS)
            return ic_fault_add(&r->faults, lists->place, "more than %d settings in all",
                                IC_MOST_SCENE_SETTINGS);
    }
    r->n_settings += n_product;
    return true;
}

static bool add_settings(ic_scene_reader *r, const ic_yaml *vary)
{
    ic_scene_file *file = r->file;
    if (vary == NULL) return true;
    if (vary->kind != IC_YAML_SEQUENCE) return ic_fault_add(&r->faults, vary->place, "'vary' must be a list");
    for (size_t i = 0; i < vary->n_items; i++) {
        ic_scene_product *grown =
            ic_arena_append(&file->arena, &file->products, &file->n_products, sizeof *file->products);
        if (grown == NULL) return ic_fault_memory(&r->faults, vary->place);
        if (!read_product(r, grown, vary->items[i])) return false;
    }
    return true;
}

/* ---- drawn settings: values that no list has */

/*
 * All masses are multiplied by one factor in [1/MOST_FACTOR, MOST_FACTOR), which changes no motion: a multiple of
 * 1/FACTOR_PARTS, so that sums of small whole numbers stay exact.
 */
#define MOST_FACTOR 2.0
#define FACTOR_PARTS 64

static const ic_scene_list *list_of(const ic_scene_product *product, size_t parameter)
{
    for (size_t i = 0; i < product->n; i++) {
        if (product->lists[i].parameter == parameter) return &product->lists[i];
    }
    return NULL;
}

/* A value between two neighbours of a list; of times, whose multiples end motions, one of the list. */
static double draw_value(const ic_scene_list *list, bool is_time, const double *par, uint64_t *seed)
{
    const ic_scene_values values = {.par = par};
    const double drawn = ic_uniform(seed, 0, (double)(list->n - 1)), at = is_time ? round(drawn) : drawn;
    const size_t k = (size_t)at;
    const double value = ic_scene_evaluate(&list->values[k], &values);
    if (k + 1 == list->n) return value;
    return value + (at - (double)k) * (ic_scene_evaluate(&list->values[k + 1], &values) - value);
}

static bool add_value(ic_scene_reader *r, ic_scene_list *list, size_t parameter, double value,
                      ic_file_place place)
{
    const ic_yaml text = {
        .kind = IC_YAML_SCALAR, .place = place, .text = ic_arena_print(&r->file->arena, "%.17g", value)};
    *list = (ic_scene_list){parameter, ic_arena_take(&r->file->arena, sizeof *list->values), 1};
    if (text.text == NULL || list->values == NULL) return ic_fault_memory(&r->faults, place);
    return ic_scene_read_formula(r, list->values, &text, IC_USE_PARAMETERS);
}

/* One setting more, from the lists of a product. Masses that follow from others are multiplied with these. */
static bool draw_setting(ic_scene_reader *r, size_t product, uint64_t *seed, ic_file_place place)
{
    ic_scene_file *file = r->file;
    const double factor =
        floor(FACTOR_PARTS * ic_log_uniform(seed, 1 / MOST_FACTOR, MOST_FACTOR)) / FACTOR_PARTS;
    double par[IC_MOST_SCENE_PARAMETERS], none[IC_MOST_SCENE_PARAMETERS];
    ic_scene_product *drawn =
        ic_arena_append(&file->arena, &file->products, &file->n_products, sizeof *file->products);
    if (drawn != NULL) drawn->lists = ic_arena_take(&file->arena, file->n_parameters * sizeof *drawn->lists);
    if (drawn == NULL || drawn->lists == NULL) return ic_fault_memory(&r->faults, place);
    for (size_t i = 0; i < file->n_parameters; i++) none[i] = NAN;
    for (size_t i = 0; i < file->n_parameters; i++) {
        const ic_scene_list *list = list_of(&file->products[product], i);
        const ic_scene_formula *own = list != NULL ? &list->values[0] : &file->parameters[i].value;
        const double mass = r->dimensions[i].power[0];
        const bool scaled = mass != 0 && isfinite(ic_scene_evaluate(own, &(ic_scene_values){.par = none}));
        par[i] = list != NULL ? draw_value(list, ic_dimensions_equal(&r->dimensions[i], &ic_second), par, seed)
                              : ic_scene_evaluate(own, &(ic_scene_values){.par = par});
        if (scaled) par[i] *= pow(factor, mass);
        if ((list != NULL || scaled) && !add_value(r, &drawn->lists[drawn->n++], i, par[i], place))
            return false;
    }
    r->n_settings++;
    return true;
}

/* Whether more than the place of an impact in a step varies. */
static bool varies(const ic_scene_file *file, const ic_scene_product *product)
{
    bool many = false;
    for (size_t i = 0; i < product->n; i++)
        many |=
            product->lists[i].n > 1 && strcmp(file->parameters[product->lists[i].parameter].name, "phase") != 0;
    return many;
}

static bool draw_settings(ic_scene_reader *r, const ic_yaml *vary, const uint64_t *seed)
{
    const size_t n = r->file->n_products;
    r->file->first_drawn = ic_scene_settings(r->file);
    uint64_t drawn = seed != NULL ? *seed : 0;
    for (const char *c = r->file->name; *c != '\0'; c++) drawn += (unsigned char)*c + (drawn << 5);
    for (size_t i = 0; i < n && seed != NULL; i++) {
        if (varies(r->file, &r->file->products[i]) && !draw_setting(r, i, &drawn, vary->place)) return false;
    }
    return true;
}

bool ic_scene_read_vary(ic_scene_reader *r, const ic_yaml *vary, const ic_yaml *added, const uint64_t *seed)
{
    if (!add_settings(r, vary) || !draw_settings(r, vary, seed)) return false;
    r->file->first_added = r->file->n_products > 0 ? ic_scene_settings(r->file) : 0;
    return add_settings(r, added);
}
