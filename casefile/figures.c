/* SPDX-License-Identifier: MIT */
/* Reads a figure of a case file: curves over a parameter, beside published points. */
#include "casefile/sections.h"

#include "core/expression.h"
#include "core/names.h"

#include <math.h>
#include <string.h>

/* Number of values of a parameter where a figure does not give it; the greatest number. */
enum { VALUES = 60, MOST_VALUES = 1000, MOST_CURVES = 8 };

/* Finds an entry of a section by name; -1: it has none. */
static int find_entry(const ic_yaml *section, const char *name)
{
    for (size_t i = 0; section != NULL && i < section->n_keys; i++) {
        if (strcmp(section->keys[i]->text, name) == 0) return (int)i;
    }
    return -1;
}

/* ---- the parameter that is varied */

/* One end of a range as a setting. NULL: a fault was added. */
static const char *read_end(ic_case_reader *r, const ic_yaml *range, const char *at, size_t length,
                            int parameter)
{
    while (length > 0 && *at == ' ') at++, length--;
    while (length > 0 && at[length - 1] == ' ') length--;
    ic_yaml end = *range;
    end.place.column += range->literal ? (size_t)(at - range->text) : 0;
    end.text = ic_arena_copy(r->arena, at, length);
    return end.text == NULL ? NULL : ic_read_setting_text(r, &end, parameter);
}

static bool read_range(ic_case_reader *r, ic_figure *figure, const ic_yaml *range, int parameter)
{
    const char *dots = range->kind == IC_YAML_SCALAR ? strstr(range->text, "..") : NULL;
    double from = NAN, to = NAN;
    if (dots == NULL) return ic_fault_add(r->faults, range->place, "expected a range: {e: 0.1 .. 0.9}");
    figure->from = read_end(r, range, range->text, (size_t)(dots - range->text), parameter);
    figure->to = figure->from == NULL ? NULL : read_end(r, range, dots + 2, strlen(dots + 2), parameter);
    if (figure->to == NULL) return false;
    ic_expression_number(&from, figure->from, NULL, NULL);
    ic_expression_number(&to, figure->to, NULL, NULL);
    if (!(from < to))
        return ic_fault_add(r->faults, range->place, "the range is empty: expected the lesser end first");
    if (figure->logarithmic && !(from > 0))
        return ic_fault_add(r->faults, range->place, "a logarithmic range begins above 0");
    if (figure->n_values == 0 && to - from >= MOST_VALUES)
        return ic_fault_add(r->faults, range->place, "more than %d values", MOST_VALUES);
    return true;
}

/* {e: 0.1 .. 0.9, points: 60, log: true} */
static bool read_vary(ic_case_reader *r, ic_figure *figure, const ic_yaml *section)
{
    const ic_yaml *points = ic_yaml_get(section, "points"), *name = NULL, *range = NULL;
    for (size_t i = 0; i < section->n_keys; i++) {
        if (ic_schema_key(&ic_schema_vary, section->keys[i]->text) != NULL) continue;
        if (name != NULL)
            return ic_fault_add(r->faults, section->keys[i]->place,
                                "one parameter is varied, '%s' is a second one", section->keys[i]->text);
        name = section->keys[i];
        range = section->items[i];
    }
    if (name == NULL)
        return ic_fault_add(r->faults, section->place,
                            "expected a parameter and its range: vary: {e: 0.1 .. 0.9, points: 60}");
    const int parameter = ic_reader_find_parameter(r, name);
    if (parameter < 0) return false;
    figure->parameter = name->text;
    figure->logarithmic = ic_reader_flag(r, section, "log");
    figure->n_values = r->parameter_sizes[parameter] ? 0 : VALUES;
    if (points != NULL) {
        double n = NAN;
        ic_expression_number(&n, points->text, NULL, NULL);
        if (!(n >= 2 && n <= MOST_VALUES && n == floor(n)))
            return ic_fault_add(r->faults, points->place, "expected a number of values, 2 to %d", MOST_VALUES);
        figure->n_values = (size_t)n;
    }
    return read_range(r, figure, range, parameter);
}

/* ---- curves */

static const char *copy_unit(ic_case_reader *r, const ic_dimension *dimension)
{
    char unit[IC_DIMENSION_TEXT];
    const char *name = dimension->any ? "1" : ic_dimension_text(unit, dimension);
    return ic_arena_copy(r->arena, name, strlen(name));
}

static bool read_curve(ic_case_reader *r, const ic_case *system, void *entry, const ic_yaml *key,
                       const ic_yaml *section)
{
    (void)system;
    ic_figure_curve *curve = entry;
    if (!ic_known_keys(r->faults, section, &ic_schema_curve)) return false;
    const ic_yaml *formula = ic_yaml_get(section, "formula");
    ic_dimension dimension = {.any = true};
    curve->name = key->text;
    curve->measure = ic_key_text(r->faults, section, "measure", "");
    curve->formula = curve->unit = "";
    if (formula == NULL) return curve->measure != NULL;
    curve->formula = ic_read_parameter_text(r, formula, &dimension, "a curve");
    curve->unit = curve->formula == NULL ? NULL : copy_unit(r, &dimension);
    return curve->unit != NULL;
}

static bool read_curves(ic_case_reader *r, ic_figure *figure, const ic_yaml *section)
{
    if (section->kind != IC_YAML_MAPPING || section->n_keys == 0)
        return ic_fault_add(r->faults, section->place,
                            "expected curves by name: curves: {calculated: {measure: final(v)}}");
    if (section->n_keys > MOST_CURVES)
        return ic_fault_add(r->faults, section->keys[MOST_CURVES]->place, "more than %d curves", MOST_CURVES);
    const void *curves = NULL;
    const ic_entry_kind kind = {sizeof(ic_figure_curve), read_curve};
    const bool good = ic_read_entries(r, NULL, section, "", kind, &curves, &figure->n_curves);
    figure->curves = curves;
    return good;
}

/* ---- published points */

static bool read_row(ic_case_reader *r, ic_figure_point *row, const ic_yaml *item)
{
    const char **const numbers[] = {&row->x, &row->y, &row->y_error, &row->x_error};
    if (item->kind != IC_YAML_SEQUENCE || item->n_items < 2 || item->n_items > IC_COUNT(numbers))
        return ic_fault_add(r->faults, item->place,
                            "expected a point: [x, y], [x, y, error of y] or [x, y, error of y, error of x]");
    for (size_t i = 0; i < IC_COUNT(numbers); i++) {
        double number;
        *numbers[i] = i < item->n_items ? item->items[i]->text : "";
        if (i < item->n_items && !ic_expression_number(&number, *numbers[i], NULL, NULL))
            return ic_fault_add(r->faults, item->items[i]->place, "expected a number, not '%s'", *numbers[i]);
    }
    return true;
}

static bool read_set(ic_case_reader *r, const ic_case *system, void *entry, const ic_yaml *key,
                     const ic_yaml *section)
{
    (void)system;
    ic_figure_points *set = entry;
    if (!ic_known_keys(r->faults, section, &ic_schema_points)) return false;
    const ic_yaml *data = ic_yaml_get(section, "data");
    if (data->kind != IC_YAML_SEQUENCE || data->n_items == 0)
        return ic_fault_add(r->faults, data->place, "expected points: data: [[0.1, 2.5], [0.2, 2.7]]");
    ic_figure_point *rows = ic_arena_take(r->arena, data->n_items * sizeof *rows);
    if (rows == NULL) return false;
    set->name = key->text;
    set->source = ic_key_text(r->faults, section, "source", "");
    set->place = ic_key_text(r->faults, section, "place", "");
    set->compare = "";
    set->rows = rows;
    set->n_rows = data->n_items;
    for (size_t i = 0; i < data->n_items; i++) {
        if (!read_row(r, &rows[i], data->items[i])) return false;
    }
    return set->source != NULL && set->place != NULL;
}

static bool read_points(ic_case_reader *r, ic_figure *figure, const ic_yaml *section)
{
    const void *points = NULL;
    const ic_entry_kind kind = {sizeof(ic_figure_points), read_set};
    const bool good = ic_read_entries(r, NULL, section,
                                      "points by name: points: {Smith 2001: {source: ..., data: [[0.1, 2.5]]}}",
                                      kind, &points, &figure->n_points);
    figure->points = points;
    return good;
}

static bool read_compare(ic_case_reader *r, const ic_figure *figure, const ic_yaml *section,
                         const ic_yaml *points, const ic_yaml *curves)
{
    if (section == NULL) return true;
    if (section->kind != IC_YAML_MAPPING)
        return ic_fault_add(r->faults, section->place,
                            "expected points and their curve: compare: {Smith 2001: "
                            "calculated}");
    for (size_t i = 0; i < section->n_keys; i++) {
        const int set = find_entry(points, section->keys[i]->text);
        if (set < 0)
            return ic_fault_add(r->faults, section->keys[i]->place, "'%s' is not the name of points",
                                section->keys[i]->text);
        if (find_entry(curves, section->items[i]->text) < 0)
            return ic_fault_add(r->faults, section->items[i]->place, "'%s' is not the name of a curve",
                                section->items[i]->text);
        ((ic_figure_points *)&figure->points[set])->compare = section->items[i]->text;
    }
    return true;
}

/* ---- a figure */

/* units: [deg, mm/s] */
static bool read_units(ic_case_reader *r, ic_figure *figure, const ic_yaml *units)
{
    figure->x_unit = figure->y_unit = "";
    if (units == NULL) return true;
    if (units->kind != IC_YAML_SEQUENCE || units->n_items != 2)
        return ic_fault_add(r->faults, units->place, "expected the units of both axes: units: [deg, mm/s]");
    figure->x_unit = units->items[0]->text;
    figure->y_unit = units->items[1]->text;
    return true;
}

bool ic_read_figure(ic_case_reader *r, const ic_case *system, void *entry, const ic_yaml *key,
                    const ic_yaml *section)
{
    ic_figure *figure = entry;
    if (!ic_known_keys(r->faults, section, &ic_schema_figure)) return false;
    const ic_yaml *x = ic_yaml_get(section, "x"), *preset = ic_yaml_get(section, "preset"),
                  *curves = ic_yaml_get(section, "curves"), *points = ic_yaml_get(section, "points");
    figure->name = key->text;
    figure->title = ic_key_text(r->faults, section, "title", key->text);
    figure->preset = ic_key_text(r->faults, section, "preset", system->presets[0].name);
    if (figure->title == NULL || figure->preset == NULL) return false;
    if (strchr(figure->name, '/') != NULL)
        return ic_fault_add(r->faults, key->place, "the name of a figure has no '/'");
    if (ic_preset_find(system, figure->preset) == NULL)
        return ic_fault_add(r->faults, preset->place, "preset '%s' does not exist", figure->preset);
    bool good = read_vary(r, figure, ic_yaml_get(section, "vary"));
    if (good) {
        ic_yaml parameter = *key;
        parameter.text = figure->parameter;
        ic_dimension dimension = {.any = true};
        figure->x = ic_read_parameter_text(r, x == NULL ? &parameter : x, &dimension, "an abscissa");
        figure->x_si = figure->x == NULL ? NULL : copy_unit(r, &dimension);
        good = figure->x_si != NULL;
    }
    good = read_units(r, figure, ic_yaml_get(section, "units")) && good;
    good = read_curves(r, figure, curves) && good;
    good = read_points(r, figure, points) && good;
    return good && read_compare(r, figure, ic_yaml_get(section, "compare"), points, curves);
}
