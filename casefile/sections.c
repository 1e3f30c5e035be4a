/* SPDX-License-Identifier: MIT */
/*
 * Reads the sections that do not affect the equations: presets, requirements, times, and the data
 * that audits and laws need.
 */
#include "casefile/sections.h"

#include "core/expression.h"
#include "core/parameters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- presets */

int ic_reader_find_parameter(ic_case_reader *r, const ic_yaml *key)
{
    const char *names[512];
    size_t n = 0;
    const int found = ic_reader_parameter(r, key->text);
    if (found >= 0) return found;
    for (; n < r->n_parameters && n < IC_COUNT(names); n++) names[n] = r->parameters[n].name;
    ic_fault_add(r->faults, key->place, "'%s' is not a parameter%s", key->text,
                 ic_meant_hint(key->text, names, n).text);
    return -1;
}

/* A number as text for a list of settings: as written, or computed. NULL: a fault was added. */
static const char *number_text(ic_case_reader *r, const char *text, ic_node node, ic_file_place place)
{
    const ic_scope scope = ic_reader_scope(r, NULL);
    double number = NAN;
    if (text == NULL) return NULL;
    if (strpbrk(text, " ,") == NULL && ic_expression_number(&number, text, NULL, NULL)) return text;
    number = scope.constant(node, scope.context);
    for (size_t i = 0; i < r->n_parameters; i++) {
        if (ic_graph_uses(r->graph, node, ic_graph_indexed(r->graph, IC_OP_PARAMETER, (int)i))) number = NAN;
    }
    if (isfinite(number)) return ic_arena_print(r->arena, "%.17g", number);
    ic_fault_add(r->faults, place,
                 "a setting must be a number; formulas in other parameters belong in 'parameters'");
    return NULL;
}

const char *ic_read_setting_text(ic_case_reader *r, const ic_yaml *value, int parameter)
{
    const ic_scope scope = ic_reader_scope(r, NULL);
    ic_term term;
    r->uses = IC_USE_PARAMETERS;
    if (!ic_formula_read(&term, value, &scope)) return NULL;
    if (!ic_dimension_is_none(&term.dimension) &&
        !ic_dimensions_equal(&term.dimension, &r->parameter_dimensions[parameter])) {
        char is[IC_DIMENSION_TEXT], has[IC_DIMENSION_TEXT];
        ic_fault_add(r->faults, value->place, "units differ: '%s' is in %s, but this is in %s",
                     r->parameters[parameter].name, ic_dimension_text(has, &r->parameter_dimensions[parameter]),
                     ic_dimension_text(is, &term.dimension));
        return NULL;
    }
    const bool as_written = ic_dimension_is_none(&term.dimension) && ic_reader_can_read(r, value->text);
    return number_text(r, as_written ? value->text : ic_reader_node_text(r, term.node), term.node,
                       value->place);
}

/* Writes {k: 2e8 N/m, omega: 80pi} as "k=2e8, omega=80pi". */
static const char *settings_text(ic_case_reader *r, const ic_yaml *mapping)
{
    const char *text = "";
    if (mapping == NULL) return text;
    if (mapping->kind != IC_YAML_MAPPING) {
        ic_fault_add(r->faults, mapping->place, "expected values of parameters: {k: 2e8, omega: 80pi}");
        return NULL;
    }
    for (size_t i = 0; i < mapping->n_keys && text != NULL; i++) {
        const int parameter = ic_reader_find_parameter(r, mapping->keys[i]);
        const char *value = parameter < 0 ? NULL : ic_read_setting_text(r, mapping->items[i], parameter);
        if (value == NULL) return NULL;
        text = ic_arena_print(r->arena, "%s%s%s=%s", text, i > 0 ? ", " : "", mapping->keys[i]->text, value);
    }
    return text;
}

const char *ic_read_parameter_text(ic_case_reader *r, const ic_yaml *text, ic_dimension *dimension,
                                   const char *what)
{
    ic_term term = {.node = IC_NO_NODE};
    const ic_scope scope = ic_reader_scope(r, NULL);
    r->uses = IC_USE_PARAMETERS;
    if (dimension->any ? !ic_formula_read(&term, text, &scope)
                       : !ic_formula_read_as(&term.node, text, dimension, what, &scope))
        return NULL;
    if (dimension->any) *dimension = term.dimension;
    /* Keep the text as written: 20*2*pi/omega. */
    if (ic_reader_can_read(r, text->text)) return text->text;
    const char *whole = ic_reader_linear_text(r, term.node);
    /* a preset may have parameters for which it has a value */
    if (whole == NULL && r->graph->nodes[term.node].varies == 0) {
        whole = ic_reader_node_text(r, term.node);
        if (whole != NULL && !ic_reader_has_no_value(r, whole)) whole = NULL;
    }
    if (whole == NULL)
        ic_fault_add(r->faults, text->place,
                     "%s may use +, -, *, /, integer powers (or sqrt and cbrt) and functions only", what);
    return whole;
}

static const char *parameter_text(ic_case_reader *r, const ic_yaml *text, ic_dimension dimension,
                                  const char *what)
{
    return ic_read_parameter_text(r, text, &dimension, what);
}

static bool read_preset(ic_case_reader *r, const ic_case *system, ic_preset *preset, const ic_yaml *key,
                        const ic_yaml *section)
{
    if (!ic_known_keys(r->faults, section, &ic_schema_preset)) return false;
    const ic_yaml *until = ic_yaml_get(section, "until"), *variant = ic_yaml_get(section, "variant");
    preset->name = key->text;
    preset->variant = ic_key_text(r->faults, section, "variant", system->variants[0].name);
    preset->meaning = ic_key_text(r->faults, section, "meaning", key->text);
    preset->settings = settings_text(r, ic_yaml_get(section, "set"));
    preset->until = parameter_text(r, until, ic_second, "the end of a run");
    if (preset->settings == NULL || preset->until == NULL || preset->variant == NULL || preset->meaning == NULL)
        return false;
    for (size_t i = 0; i < system->n_variants; i++) {
        if (strcmp(system->variants[i].name, preset->variant) == 0) return true;
    }
    return ic_fault_add(r->faults, variant->place, "variant '%s' does not exist", preset->variant);
}

static bool read_presets(ic_case_reader *r, ic_case *system)
{
    const ic_yaml *section = ic_yaml_get(r->root, "presets");
    if (section == NULL || section->kind != IC_YAML_MAPPING || section->n_keys == 0)
        return ic_fault_add(r->faults, section == NULL ? r->root->place : section->place,
                            "expected at least one preset: presets: {default: {until: 10 s}}");
    ic_preset *presets = ic_arena_take(r->arena, section->n_keys * sizeof *presets);
    if (presets == NULL) return false;
    bool good = true;
    for (size_t i = 0; i < section->n_keys; i++)
        good = read_preset(r, system, &presets[i], section->keys[i], section->items[i]) && good;
    system->presets = presets;
    system->n_presets = section->n_keys;
    return good;
}

/* ---- small sections */

static bool read_requirements(ic_case_reader *r, ic_case *system)
{
    const ic_yaml *section = ic_yaml_get(r->root, "requirements");
    system->requirements = r->requirements;
    system->n_requirements = r->n_requirements;
    if (section == NULL) return true;
    if (section->kind != IC_YAML_SEQUENCE)
        return ic_fault_add(r->faults, section->place, "expected a list: - C_xx*C_yy > C_xy^2");
    ic_requirement *requirements =
        ic_arena_take(r->arena, (section->n_items + r->n_requirements + 1) * sizeof *requirements);
    if (requirements == NULL) return false;
    for (size_t i = 0; i < section->n_items; i++) {
        const ic_yaml *item = section->items[i];
        const ic_yaml *condition = item->kind == IC_YAML_MAPPING ? ic_yaml_get(item, "holds") : item;
        ic_node node = IC_NO_NODE;
        const ic_scope scope = ic_reader_scope(r, NULL);
        r->uses = IC_USE_PARAMETERS;
        if (item->kind == IC_YAML_MAPPING && !ic_known_keys(r->faults, item, &ic_schema_requirement))
            return false;
        if (!ic_condition_read(&node, condition, &scope)) return false;
        requirements[i].positive = ic_reader_condition_text(r, node);
        requirements[i].meaning = condition->text;
        if (ic_yaml_get(item, "meaning") != NULL) {
            const char *meaning = ic_key_text(r->faults, item, "meaning", "");
            requirements[i].meaning =
                ic_arena_print(r->arena, "%s (%s)", meaning == NULL ? "" : meaning, condition->text);
        }
        if (requirements[i].positive == NULL)
            return ic_fault_add(r->faults, condition->place,
                                "a requirement must be one comparison of formulas in parameters");
    }
    system->requirements = requirements;
    system->n_requirements = section->n_items;
    for (size_t i = 0; i < r->n_requirements; i++) requirements[system->n_requirements++] = r->requirements[i];
    return true;
}

const char *ic_read_time_scale(ic_case_reader *r)
{
    const ic_yaml *scale = ic_yaml_get(r->root, "time_scale"), *period = ic_yaml_get(r->root, "period");
    if (scale != NULL) return parameter_text(r, scale, ic_second, "the typical time");
    return period == NULL ? NULL : parameter_text(r, period, ic_second, "the period");
}

static bool read_times_of_case(ic_case_reader *r, ic_case *system)
{
    const ic_yaml *period = ic_yaml_get(r->root, "period");
    if (period != NULL) system->period = parameter_text(r, period, ic_second, "the period");
    return period == NULL || system->period != NULL;
}

static bool find_output(ic_case_reader *r, const ic_case *system, const ic_yaml *section, const char *key,
                        const char **name)
{
    const ic_yaml *given = ic_yaml_get(section, key);
    *name = ic_key_text(r->faults, section, key, NULL);
    if (given == NULL) return true;
    for (size_t i = 0; i < system->n_outputs && *name != NULL; i++) {
        if (strcmp(system->outputs[i].name, *name) == 0) return true;
    }
    return ic_fault_add(r->faults, given->place, "'%s' must be the name of an output", key);
}

static const char *const *name_list(ic_case_reader *r, const ic_yaml *section, const char *key, bool of_states)
{
    const ic_yaml *list = ic_yaml_get(section, key);
    if (list == NULL) return NULL;
    if (list->kind != IC_YAML_SEQUENCE) {
        ic_fault_add(r->faults, list->place, "'%s' must be a list of names: [a, b]", key);
        return NULL;
    }
    const char **names = ic_arena_take(r->arena, (list->n_items + 1) * sizeof *names);
    for (size_t i = 0; names != NULL && i < list->n_items; i++) {
        names[i] = list->items[i]->text;
        if (of_states && ic_reader_state(r, names[i]) < 0)
            ic_fault_add(r->faults, list->items[i]->place, "expected the name of a state");
    }
    return names;
}

static bool read_contact(ic_case_reader *r, ic_case *system)
{
    const ic_key *keys = ic_schema_contact_view.keys;
    const ic_yaml *section = ic_yaml_get(r->root, "contact");
    if (section == NULL) return true;
    if (!ic_known_keys(r->faults, section, &ic_schema_contact_view)) return false;
    ic_contact_view *view = ic_arena_take(r->arena, sizeof *view);
    if (view == NULL) return false;
    int *const numbers[] = {&view->contact, &view->free};
    for (int i = 0; i < 2; i++) {
        const ic_yaml *mode = ic_yaml_get(section, keys[i].name);
        size_t k = 0;
        while (k < r->n_modes && strcmp(r->mode_names[k], mode->text) != 0) k++;
        if (k == r->n_modes)
            return ic_fault_add(
                r->faults, mode->place, "'%s' must be the name of a mode, as check lists them%s", keys[i].name,
                r->n_modes == 1 ? "; elements of a case that is not affine make no modes of their "
                                  "own: write the modes"
                                : "");
        *numbers[i] = (int)k;
    }
    const ic_yaml *restitution = ic_yaml_get(section, "restitution");
    view->rigid = ic_reader_flag(r, section, "rigid");
    view->recovers = ic_reader_flag(r, section, "recovers");
    view->restitution = ic_key_text(r->faults, section, "restitution", NULL);
    if (restitution != NULL && ic_reader_find_parameter(r, restitution) < 0) return false;
    view->compression = ic_key_text(r->faults, section, "compression", NULL);
    view->derived = name_list(r, section, "derived", true);
    view->carried = name_list(r, section, "carried", true);
    view->conditions = name_list(r, section, "conditions", false);
    system->contact = view;
    if (!find_output(r, system, section, "gap", &view->gap) ||
        !find_output(r, system, section, "force", &view->force))
        return false;
    if (view->rigid && view->gap == NULL)
        return ic_fault_add(r->faults, section->place, "a rigid contact needs 'gap', the name of an output");
    const ic_yaml *carried = ic_yaml_get(section, "carried");
    return carried == NULL || (carried->n_items == 2 && view->gap != NULL && view->force != NULL) ||
           ic_fault_add(r->faults, carried->place,
                        "expected a position and its velocity, and names of outputs in 'gap' and 'force'");
}

/* Reads `again`, which is a setting: k=3e5. */
static bool check_reloaded_section(ic_case_reader *r, const ic_yaml *again)
{
    const char *equals = strchr(again->text, '=');
    double value = 0;
    if (equals == NULL || !ic_expression_number(&value, equals + 1, NULL, NULL))
        return ic_fault_add(r->faults, again->place, "expected a setting of a parameter: k=3e5");
    const ic_yaml name = {.kind = IC_YAML_SCALAR,
                          .place = again->place,
                          .text = ic_arena_copy(r->arena, again->text, (size_t)(equals - again->text))};
    return name.text != NULL && ic_reader_find_parameter(r, &name) >= 0;
}

static bool read_trials(ic_case_reader *r, ic_case *system)
{
    const ic_yaml *section = ic_yaml_get(r->root, "trials");
    if (section == NULL) return true;
    if (section->kind != IC_YAML_SEQUENCE)
        return ic_fault_add(r->faults, section->place, "expected a list: - {preset: lively}");
    ic_trial *trials = ic_arena_take(r->arena, (section->n_items + 1) * sizeof *trials);
    if (trials == NULL) return false;
    for (size_t i = 0; i < section->n_items; i++) {
        const ic_yaml *item = section->items[i], *until = ic_yaml_get(item, "until");
        if (!ic_known_keys(r->faults, item, &ic_schema_trial)) return false;
        trials[i].preset = ic_key_text(r->faults, item, "preset", NULL);
        trials[i].again = ic_key_text(r->faults, item, "again", NULL);
        if (until != NULL) trials[i].until = parameter_text(r, until, ic_second, "the end of a run");
        if (trials[i].again != NULL && !check_reloaded_section(r, ic_yaml_get(item, "again"))) return false;
        if (trials[i].preset == NULL) return false;
        if (ic_preset_find(system, trials[i].preset) == NULL)
            return ic_fault_add(r->faults, item->place, "preset '%s' does not exist", trials[i].preset);
    }
    system->trials = trials;
    system->n_trials = section->n_items;
    return true;
}

/* Reads an end of a range: a number, possibly with the unit of its parameter. */
static bool read_draw_end(ic_case_reader *r, double *value, const ic_yaml *text, int parameter)
{
    const char *setting = text->kind != IC_YAML_SCALAR ? NULL : ic_read_setting_text(r, text, parameter);
    return setting != NULL && ic_expression_number(value, setting, NULL, NULL);
}

/* Reads `draws`: {k: [1e5, 1e7, log], e: [0, 1], x: [1 mm, 5 mm]}. */
static bool read_draws(ic_case_reader *r, ic_case *system)
{
    const ic_yaml *section = ic_yaml_get(r->root, "draws");
    if (section == NULL) return true;
    if (section->kind != IC_YAML_MAPPING)
        return ic_fault_add(r->faults, section->place, "expected ranges of parameters: {k: [1e5, 1e7, log]}");
    ic_draw *draws = ic_arena_take(r->arena, (section->n_keys + 1) * sizeof *draws);
    if (draws == NULL) return false;
    for (size_t i = 0; i < section->n_keys; i++) {
        const ic_yaml *list = section->items[i];
        const int parameter = ic_reader_find_parameter(r, section->keys[i]);
        if (parameter < 0) return false;
        const bool good = list->kind == IC_YAML_SEQUENCE && (list->n_items == 2 || list->n_items == 3) &&
                          read_draw_end(r, &draws[i].from, list->items[0], parameter) &&
                          read_draw_end(r, &draws[i].to, list->items[1], parameter);
        draws[i].parameter = section->keys[i]->text;
        draws[i].logarithmic = list->n_items == 3 && strcmp(list->items[2]->text, "log") == 0;
        if (!good || (list->n_items == 3) != draws[i].logarithmic || !(draws[i].from < draws[i].to) ||
            (draws[i].logarithmic && !(draws[i].from > 0)))
            return ic_fault_add(r->faults, list->place, "expected a range: [1, 10], or [1, 1e6, log]");
    }
    system->draws = draws;
    system->n_draws = section->n_keys;
    return true;
}

/* Formulas of the section may use its keys: c may depend on the k of the law. */
static bool declare_law_parameters(ic_case_reader *r, const ic_yaml *section)
{
    for (size_t i = 0; i < section->n_keys; i++) {
        const ic_parameter like = {section->keys[i]->text, "1", "", "1", "(-inf, inf)"};
        if (ic_reader_has_name(r, like.name)) continue;
        if (!ic_reader_add_parameter(r, &like, section->keys[i]->place)) return false;
        r->parameter_dimensions[r->n_parameters - 1].any = true;
    }
    return true;
}

/*
 * Reads `law_defaults`, the values of a law's parameters: {e: c_r}. Units are not checked, because
 * laws are often fits.
 */
static bool read_law_defaults(ic_case_reader *r, ic_case *system)
{
    const ic_yaml *section = ic_yaml_get(r->root, "law_defaults");
    static const ic_dimension unit = {.any = true};
    if (section == NULL) return true;
    if (section->kind != IC_YAML_MAPPING)
        return ic_fault_add(r->faults, section->place, "expected values of parameters of the law: {e: c_r}");
    ic_law_default *defaults = ic_arena_take(r->arena, (section->n_keys + 1) * sizeof *defaults);
    const size_t own = r->n_parameters;
    if (defaults == NULL || !declare_law_parameters(r, section)) return false;
    for (size_t i = 0; i < section->n_keys; i++) {
        defaults[i] = (ic_law_default){section->keys[i]->text,
                                       parameter_text(r, section->items[i], unit, section->keys[i]->text)};
        if (defaults[i].value == NULL) return false;
    }
    r->n_parameters = own;
    system->law_defaults = defaults;
    system->n_law_defaults = section->n_keys;
    return true;
}

/*
 * Reads `free_impact`: {mass: m, speed: v0, restitution: e_out, ...}. Each variant on a law is then
 * one free impact.
 */
static bool read_free_impact(ic_case_reader *r, const ic_case *system)
{
    const ic_key *keys = ic_schema_free_impact.keys;
    const ic_yaml *section = ic_yaml_get(r->root, "free_impact");
    if (section == NULL) return true;
    ic_free_impact *impact = ic_arena_take(r->arena, sizeof *impact);
    if (impact == NULL || !ic_known_keys(r->faults, section, &ic_schema_free_impact)) return false;
    const char **const names[] = {
        &impact->mass,    &impact->speed, &impact->restitution, &impact->peak_force, &impact->peak_indentation,
        &impact->duration};
    for (size_t i = 0; i < IC_COUNT(names); i++) {
        *names[i] = ic_key_text(r->faults, section, keys[i].name, NULL);
        if (*names[i] == NULL) return false;
    }
    for (size_t i = 0; i < system->n_variants; i++) {
        ic_variant *variant = (ic_variant *)&system->variants[i];
        if (variant->law != NULL) variant->free_impact = impact;
    }
    return true;
}

/*
 * Reads `impact`, with the fields of ic_impact: {v: [vx, vy], W: [w_xx, w_xy, w_yy], mu: mu, e: e,
 * k: [k_x, k_y]}.
 */
static bool read_impact(ic_case_reader *r, ic_case *system)
{
    static const struct {
        const char *key;
        size_t n;
        ic_dimension unit;
    } rows[] = {{"v", 2, {.power = {0, 1, -1}}},
                {"W", 3, {.power = {-1}}},
                {"mu", 1, {.any = false}},
                {"e", 1, {.any = false}},
                {"k", 2, {.power = {1, 0, -2}}}};
    enum { NUMBERS = sizeof(ic_impact) / sizeof(double) };
    const ic_yaml *section = ic_yaml_get(r->root, "impact");
    const ic_scope scope = ic_reader_scope(r, NULL);
    ic_node nodes[NUMBERS];
    size_t n = 0;
    if (section == NULL) return true;
    if (!ic_known_keys(r->faults, section, &ic_schema_impact)) return false;
    r->uses = IC_USE_PARAMETERS;
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        const ic_yaml *value = ic_yaml_get(section, rows[i].key);
        const bool list = value->kind == IC_YAML_SEQUENCE;
        if ((list ? value->n_items : 1) != rows[i].n)
            return ic_fault_add(r->faults, section->place, "'%s' of an impact must have %zu values",
                                rows[i].key, rows[i].n);
        for (size_t k = 0; k < rows[i].n; k++) {
            if (!ic_formula_read_as(&nodes[n++], list ? value->items[k] : value, &rows[i].unit, rows[i].key,
                                    &scope))
                return false;
        }
    }
    return ic_reader_function(r, IC_FUNCTION_IMPACT, nodes, n, &system->impact);
}

/* ---- all sections */

bool ic_read_sections(ic_case_reader *r, ic_case *system)
{
    /* what audits know of a case holds for its own states */
    const bool audited = r->directions == NULL;
    return read_presets(r, system) && read_requirements(r, system) && read_times_of_case(r, system) &&
           (!audited || read_contact(r, system)) && read_trials(r, system) && read_draws(r, system) &&
           read_law_defaults(r, system) && read_free_impact(r, system) && (!audited || read_impact(r, system));
}
