/* SPDX-License-Identifier: MIT */
#include "casefile/casefile.h"

#include "casefile/compile.h"
#include "casefile/elements.h"
#include "casefile/emit_case.h"
#include "casefile/estimate.h"
#include "casefile/forcing.h"
#include "casefile/law.h"
#include "casefile/mechanics.h"
#include "casefile/plan.h"
#include "core/expression.h"
#include "core/input_file.h"
#include "core/names.h"
#include "core/parameters.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ic_casefile {
    ic_arena arena;
    ic_graph graph;
    ic_faults faults;
    ic_functions functions;
    ic_closures *closures;

    /* the whole file */
    const ic_yaml *text;

    /* compiled functions, or NULL */
    ic_compiled *library;

    ic_case system;

    /* by parameter: whether the size of a family depends on it */
    const bool *sizes;
};

static const char *const sections[] = {
    "name",        "title",  "source",   "about",      "parameters", "requirements", "indices",
    "definitions", "states", "discrete", "elements",   "mass",       "flow",         "modes",
    "until",       "energy", "start",    "times",      "outputs",    "variants",     "presets",
    "contact",     "trials", "draws",    "time_scale", "period",     "law",          "law_defaults",
    "free_impact", "impact", NULL};

/* ---- variants: the file, overridden */

static bool is_absent(const ic_yaml *value)
{
    return value->kind == IC_YAML_SCALAR && strcmp(value->text, "none") == 0;
}

static ic_yaml *merge(ic_arena *arena, const ic_yaml *base, const ic_yaml *over);

/* Append an entry of a merged mapping, unless it is "none". */
static bool merge_entry(ic_arena *arena, ic_yaml *merged, ic_yaml *key, ic_yaml *base, ic_yaml *over)
{
    if (over != NULL && is_absent(over)) return true;
    merged->keys[merged->n_keys++] = key;
    ic_yaml *item = base != NULL && over != NULL ? merge(arena, base, over) : base != NULL ? base : over;
    merged->items[merged->n_items++] = item;
    return item != NULL;
}

/*
 * `base` with the entries of `over` in place of its own, and new ones behind them; "none" removes an
 * entry. If `over` has all entries of `base`, their order is that of `over`.
 */
static ic_yaml *merge(ic_arena *arena, const ic_yaml *base, const ic_yaml *over)
{
    ic_yaml *merged = ic_arena_take(arena, sizeof *merged);
    if (merged == NULL) return NULL;
    *merged = *over;
    if (base == NULL || base->kind != IC_YAML_MAPPING || over->kind != IC_YAML_MAPPING) return merged;
    const size_t room = base->n_keys + over->n_keys;
    merged->place = base->place;
    merged->keys = ic_arena_take(arena, (room + 1) * sizeof(ic_yaml *));
    merged->items = ic_arena_take(arena, (room + 1) * sizeof(ic_yaml *));
    merged->n_keys = merged->n_items = 0;
    if (merged->keys == NULL || merged->items == NULL) return NULL;
    bool all = true;
    for (size_t i = 0; i < base->n_keys; i++) all = all && ic_yaml_get(over, base->keys[i]->text) != NULL;
    for (size_t i = 0; !all && i < base->n_keys; i++) {
        if (!merge_entry(arena, merged, base->keys[i], base->items[i], ic_yaml_get(over, base->keys[i]->text)))
            return NULL;
    }
    for (size_t i = 0; i < over->n_keys; i++) {
        ic_yaml *own = ic_yaml_get(base, over->keys[i]->text);
        if (!all && own != NULL) continue;
        if (!merge_entry(arena, merged, over->keys[i], own, over->items[i])) return NULL;
    }
    return merged;
}

static const char *const overridable[] = {"meaning",  "definitions", "flow",  "mass",    "modes",
                                          "until",    "energy",      "start", "outputs", "times",
                                          "elements", "laws",        "like",  "law",     NULL};

/* ---- outputs: those of the case, and those in whose place a variant has its own */

/* Nodes of output k in a plan, by mode. */
static ic_node output_node(const ic_plan *plan, size_t mode, size_t k)
{
    return plan->modes[mode].exists ? plan->modes[mode].outputs[k] : IC_NO_NODE;
}

/* The case has an output of the first variant in which a mode exists, unless it depends on a law. */
static ic_node *case_output(ic_case_reader *r, const ic_plan *plans, size_t n, size_t k)
{
    const ic_node memory = r->memory < 0 ? IC_NO_NODE : ic_graph_indexed(r->graph, IC_OP_STATE, r->memory);
    ic_node *nodes = ic_arena_take(r->arena, (r->n_modes + 1) * sizeof *nodes);
    for (size_t m = 0; nodes != NULL && m < r->n_modes; m++) {
        size_t i = 0;
        while (i + 1 < n && !plans[i].modes[m].exists) i++;
        nodes[m] = output_node(&plans[i], m, k);
        if (memory >= 0 && nodes[m] >= 0 && ic_graph_uses(r->graph, nodes[m], memory)) nodes[m] = IC_NO_NODE;
    }
    return nodes;
}

/* An output of a variant that is not the case's. */
static bool emit_own_output(ic_case_reader *r, const ic_plan *plan, const ic_node *of_case, ic_variant *variant,
                            const ic_output *output, size_t k)
{
    ic_node *nodes = ic_arena_take(r->arena, (r->n_modes + 1) * sizeof *nodes);
    bool same = true;
    if (nodes == NULL) return false;
    for (size_t m = 0; m < r->n_modes; m++) {
        nodes[m] = output_node(plan, m, k);
        same = same && (!plan->modes[m].exists || nodes[m] == of_case[m]);
    }
    if (same) return true;
    ic_output_value *value = (ic_output_value *)&variant->output_values[variant->n_output_values++];
    value->output = output->name;
    return ic_plan_emit_output(r, nodes, &value->value, &value->linear);
}

static bool emit_outputs(ic_case_reader *r, ic_case *system, ic_output *outputs, const ic_plan *plans,
                         ic_variant *variants, size_t n)
{
    const size_t n_outputs = system->n_outputs;
    for (size_t i = 0; i < n; i++) {
        variants[i].output_values =
            ic_arena_take(r->arena, (n_outputs + 1) * sizeof *variants[i].output_values);
        if (variants[i].output_values == NULL) return false;
    }
    for (size_t k = 0; k < n_outputs; k++) {
        const ic_node *nodes = case_output(r, plans, n, k);
        if (nodes == NULL || !ic_plan_emit_output(r, nodes, &outputs[k].value, &outputs[k].linear))
            return false;
        for (size_t i = 0; i < n; i++) {
            r->law = variants[i].law;
            const bool good = emit_own_output(r, &plans[i], nodes, &variants[i], &outputs[k], k);
            r->law = NULL;
            if (!good) return false;
        }
    }
    return true;
}

/* Make the tables of a variant. */
static bool emit_variant(ic_case_reader *r, const ic_plan *plan, ic_variant *variant)
{
    const size_t n = r->n_states;
    if (r->memory >= 0 && variant->law == NULL) r->n_states--; /* the memory is the last state */
    r->law = variant->law;
    const bool good = ic_plan_emit(plan, r, variant);
    r->law = NULL;
    r->n_states = n;
    return good;
}

/* ---- variants that a contact names: conditions: [A, B], laws: all */

static ic_yaml *new_scalar(ic_arena *arena, const char *text, ic_file_place place)
{
    ic_yaml *node = ic_arena_take(arena, sizeof *node);
    if (node != NULL) *node = (ic_yaml){.kind = IC_YAML_SCALAR, .place = place, .text = text};
    return node;
}

/* {key: value}, around what may be NULL: then memory has run out. */
static ic_yaml *new_mapping(ic_arena *arena, const char *key, ic_yaml *value)
{
    ic_yaml *node = ic_arena_take(arena, sizeof *node);
    ic_yaml **both = ic_arena_take(arena, 2 * sizeof(ic_yaml *));
    if (node == NULL || both == NULL || value == NULL) return NULL;
    both[0] = new_scalar(arena, key, value->place);
    both[1] = value;
    *node = (ic_yaml){.kind = IC_YAML_MAPPING,
                      .place = value->place,
                      .text = "",
                      .keys = &both[0],
                      .n_keys = 1,
                      .items = &both[1],
                      .n_items = 1};
    return both[0] == NULL ? NULL : node;
}

static bool add_variant(ic_arena *arena, ic_yaml *variants, const char *element, const char *key,
                        const char *value, ic_file_place place)
{
    ic_yaml *choice = new_mapping(arena, key, new_scalar(arena, value, place));
    ic_yaml *over =
        new_mapping(arena, "elements", new_mapping(arena, element, new_mapping(arena, "contact", choice)));
    ic_yaml **name = ic_arena_append(arena, &variants->keys, &variants->n_keys, sizeof(ic_yaml *));
    ic_yaml **item = ic_arena_append(arena, &variants->items, &variants->n_items, sizeof(ic_yaml *));
    if (over == NULL || name == NULL || item == NULL) return false;
    *name = new_scalar(arena, value, place);
    *item = over;
    return *name != NULL;
}

/* Variants of a list, or of all laws that have a formula. */
static bool add_variants(ic_case_reader *r, ic_yaml *variants, const char *element, const char *key,
                         const ic_yaml *list)
{
    if (list == NULL) return true;
    bool good = true;
    if (list->kind == IC_YAML_SCALAR && strcmp(list->text, "all") == 0 && strcmp(key, "law") == 0) {
        for (const char *const *law = ic_text_laws(); *law != NULL && good; law++) {
            /* the other linear laws are kelvin-voigt under other conditions */
            if (strncmp(*law, "kelvin-voigt-", strlen("kelvin-voigt-")) != 0)
                good = add_variant(r->arena, variants, element, key, *law, list->place);
        }
        return good;
    }
    if (list->kind != IC_YAML_SEQUENCE)
        return ic_fault_add(r->faults, list->place, "a list expected: [A, C]%s",
                            strcmp(key, "law") == 0 ? ", of laws, or all" : "");
    for (size_t i = 0; i < list->n_items && good; i++) {
        if (list->items[i]->kind != IC_YAML_SCALAR)
            return ic_fault_add(r->faults, list->items[i]->place, "a name expected");
        good = add_variant(r->arena, variants, element, key, list->items[i]->text, list->items[i]->place);
    }
    return good;
}

/* The variants of the file; without any, those that its first contact names. */
static bool find_variants(ic_case_reader *r, const ic_yaml **variants)
{
    const ic_yaml *elements = ic_yaml_get(r->root, "elements");
    *variants = ic_yaml_get(r->root, "variants");
    if (*variants != NULL || elements == NULL || elements->kind != IC_YAML_MAPPING) return true;
    for (size_t i = 0; i < elements->n_keys; i++) {
        const ic_yaml *contact = ic_yaml_get(elements->items[i], "contact");
        const ic_yaml *conditions = ic_yaml_get(contact, "conditions"), *laws = ic_yaml_get(contact, "laws");
        if (conditions == NULL && laws == NULL) continue;
        ic_yaml *made = ic_arena_take(r->arena, sizeof *made);
        if (made == NULL) return false;
        *made = (ic_yaml){.kind = IC_YAML_MAPPING, .place = contact->place, .text = ""};
        *variants = made;
        return add_variants(r, made, elements->keys[i]->text, "condition", conditions) &&
               add_variants(r, made, elements->keys[i]->text, "law", laws);
    }
    return true;
}

/* ---- variants like others */

/* Entries of a mapping on top of what they are `like`, an earlier entry. NULL: a fault was added. */
static ic_yaml *inherit_entries(ic_case_reader *r, const ic_yaml *section)
{
    ic_yaml *inherited = ic_arena_take(r->arena, sizeof *inherited);
    if (inherited == NULL) return NULL;
    *inherited = *section;
    if (section->kind != IC_YAML_MAPPING) return inherited;
    inherited->items = ic_arena_take(r->arena, (section->n_items + 1) * sizeof(ic_yaml *));
    for (size_t i = 0; inherited->items != NULL && i < section->n_keys; i++) {
        const ic_yaml *like = ic_yaml_get(section->items[i], "like");
        size_t k = 0;
        inherited->items[i] = section->items[i];
        if (like == NULL) continue;
        while (k < i && (like->kind != IC_YAML_SCALAR || strcmp(section->keys[k]->text, like->text) != 0)) k++;
        if (k == i) {
            ic_fault_add(r->faults, like->place, "nothing before this has that name");
            return NULL;
        }
        inherited->items[i] = merge(r->arena, inherited->items[k], section->items[i]);
        if (inherited->items[i] == NULL) return NULL;
    }
    return inherited->items == NULL ? NULL : inherited;
}

/* The file with modes that are `like` others written out. */
static const ic_yaml *inherit_modes(ic_case_reader *r, const ic_yaml *file)
{
    ic_yaml *with = ic_arena_take(r->arena, sizeof *with);
    if (with == NULL) return NULL;
    *with = *file;
    with->items = ic_arena_take(r->arena, (file->n_items + 1) * sizeof(ic_yaml *));
    for (size_t i = 0; with->items != NULL && i < file->n_keys; i++) {
        const bool modes = strcmp(file->keys[i]->text, "modes") == 0;
        with->items[i] = modes ? inherit_entries(r, file->items[i]) : file->items[i];
        if (with->items[i] == NULL) return NULL;
    }
    return with->items == NULL ? NULL : with;
}

/* ---- variants on laws: laws: [A, hertz] makes one of each */

static bool append_variant(ic_arena *arena, ic_yaml *variants, const char *name, const ic_yaml *from,
                           ic_yaml *item)
{
    ic_yaml **key = ic_arena_append(arena, &variants->keys, &variants->n_keys, sizeof(ic_yaml *));
    ic_yaml **value = ic_arena_append(arena, &variants->items, &variants->n_items, sizeof(ic_yaml *));
    if (key == NULL || value == NULL) return false;
    *key = new_scalar(arena, name, from->place);
    *value = item;
    return *key != NULL;
}

/* A variant for each law that some entry lists, in the order in which laws are listed. */
static bool append_laws(ic_arena *arena, ic_yaml *variants, const ic_yaml *section)
{
    const ic_law *law = NULL;
    for (size_t k = 0; (law = ic_law_number(k)) != NULL; k++) {
        for (size_t i = 0; i < section->n_keys; i++) {
            if (!ic_law_is_listed(law, ic_yaml_get(section->items[i], "laws"))) continue;
            if (!append_variant(arena, variants, law->name, section->keys[i], section->items[i])) return false;
        }
    }
    return true;
}

static bool expand_laws(ic_case_reader *r, const ic_yaml **section)
{
    ic_yaml *variants = ic_arena_take(r->arena, sizeof *variants);
    bool expanded = false;
    if (variants == NULL) return false;
    *variants = (ic_yaml){.kind = IC_YAML_MAPPING, .place = (*section)->place};
    for (size_t i = 0; i < (*section)->n_keys; i++) {
        ic_yaml *item = (*section)->items[i];
        if (ic_yaml_get(item, "laws") == NULL) {
            if (!append_variant(r->arena, variants, (*section)->keys[i]->text, (*section)->keys[i], item))
                return false;
        } else if (!expanded) {
            expanded = true;
            if (!append_laws(r->arena, variants, *section)) return false;
        }
    }
    if (expanded) *section = variants;
    return true;
}

static const ic_law *find_law(const char *name)
{
    const ic_law *law = NULL;
    for (size_t i = 0; (law = ic_law_number(i)) != NULL && strcmp(law->name, name) != 0;) i++;
    return law;
}

/* ---- reading variants */

/* Name, meaning and text of variant i: the file, overridden. */
static bool open_variant(ic_case_reader *r, const ic_case *system, const ic_yaml *section, size_t i,
                         ic_variant *variant, const ic_yaml **file)
{
    variant->name = section == NULL ? "model" : section->keys[i]->text;
    variant->meaning = section == NULL ? system->title : section->keys[i]->text;
    *file = r->root;
    if (section == NULL || section->items[i]->kind != IC_YAML_MAPPING) return true;
    if (!ic_reader_keys(r, section->items[i], overridable)) return false;
    variant->meaning = ic_reader_text(r, section->items[i], "meaning", variant->name);
    if (ic_yaml_get(section->items[i], "laws") != NULL) variant->law = find_law(variant->name);
    *file = merge(r->arena, r->root, section->items[i]);
    return *file != NULL;
}

/* First declare what all variants need, then read them. */
static bool plan_variant(ic_case_reader *r, const ic_law *law, ic_plan *plan, ic_output *outputs,
                         size_t n_outputs, bool declare)
{
    r->law = law;
    if (!ic_read_definitions(&r->case_definitions, r, ic_yaml_get(r->root, "definitions"))) return false;
    if (declare) return ic_declare_laws(r) && ic_find_variant_kinks(r);
    const bool good = ic_plan_read(plan, r, outputs, n_outputs);
    ic_check_definitions(r, &r->case_definitions);
    return good;
}

/* Tables of all variants, from their plans. */
static bool emit_variants(ic_case_reader *r, ic_case *system, ic_output *outputs, ic_plan *plans,
                          ic_variant *variants, size_t n)
{
    bool good = true;
    for (size_t i = 0; i < n && good; i++) good = ic_plan_unfold(&plans[i], r);
    if (!good) return false;
    ic_plans_prune(r, plans, n);
    if (r->memory >= 0) r->memory = (int)r->n_states - 1;
    system->period = ic_forcing_text(r, plans, n);
    for (size_t i = 0; i < n && good; i++) good = emit_variant(r, &plans[i], &variants[i]);
    return good && emit_outputs(r, system, outputs, plans, variants, n);
}

/* The state that follows those of the case in variants on a law. */
static bool declare_memory(ic_case_reader *r, const ic_variant *variants, size_t n)
{
    bool needed = false;
    for (size_t i = 0; i < n; i++) needed = needed || variants[i].law != NULL;
    if (!needed) return true;
    r->memory = ic_reader_add_discrete(r, ic_memory_name, "s/m", "memory of the law", r->root->place);
    return r->memory >= 0;
}

static bool outputs_have_values(ic_case_reader *r, const ic_case *system, const ic_output *outputs)
{
    for (size_t k = 0; k < system->n_outputs; k++) {
        if (outputs[k].unit == NULL)
            return ic_fault_add(r->faults, ic_yaml_get(r->root, "outputs")->place,
                                "output '%s' has a value in no mode", outputs[k].name);
    }
    return true;
}

static bool read_variants(ic_case_reader *r, ic_case *system, ic_output *outputs)
{
    const ic_yaml *section = NULL, *file = r->root;
    if (!find_variants(r, &section)) return false;
    if (section != NULL && section->kind == IC_YAML_MAPPING &&
        ((section = inherit_entries(r, section)) == NULL || !expand_laws(r, &section)))
        return false;
    const size_t n = section == NULL ? 1 : section->n_keys;
    if (section != NULL && (section->kind != IC_YAML_MAPPING || n == 0))
        return ic_fault_add(r->faults, section->place, "variants expected: NAME: {what differs}");
    ic_variant *variants = ic_arena_take(r->arena, n * sizeof *variants);
    const ic_yaml **files = ic_arena_take(r->arena, n * sizeof(ic_yaml *));
    ic_plan *plans = ic_arena_take(r->arena, n * sizeof *plans);
    if (variants == NULL || files == NULL || plans == NULL) return false;
    bool good = true;
    /* the file's own modes come first, in their order, whichever of them a variant has */
    if (ic_yaml_get(r->root, "modes") != NULL && !ic_declare_modes(r, r->root)) return false;
    for (size_t i = 0; i < n; i++) {
        if (!open_variant(r, system, section, i, &variants[i], &files[i]) ||
            (files[i] = inherit_modes(r, files[i])) == NULL || !ic_declare_modes(r, files[i]))
            return false;
    }
    for (size_t i = 0; i < 2 * n; i++) {
        r->root = files[i % n];
        if (i == n && !declare_memory(r, variants, n)) return false;
        good = plan_variant(r, variants[i % n].law, &plans[i % n], outputs, system->n_outputs, i < n) && good;
    }
    r->root = file;
    system->variants = variants;
    system->n_variants = n;
    good = good && ic_plans_reach_modes(r, plans, files, n) && outputs_have_values(r, system, outputs);
    return good && r->faults->n_faults == 0 && emit_variants(r, system, outputs, plans, variants, n);
}

/* ---- presets */

/* Index of a parameter; -1: a fault was added. */
static int find_parameter(ic_case_reader *r, const ic_yaml *key)
{
    const char *names[512];
    size_t n = 0;
    for (size_t k = 0; k < r->n_parameters; k++) {
        if (strcmp(r->parameters[k].name, key->text) == 0) return (int)k;
        if (n < IC_COUNT(names)) names[n++] = r->parameters[k].name;
    }
    ic_fault_add(r->faults, key->place, "'%s' is not a parameter%s", key->text,
                 ic_meant_hint(key->text, names, n).text);
    return -1;
}

/* The number of a setting, 2e8 or 2e8 N/m, without its unit. NULL: a fault was added. */
static const char *setting_text(ic_case_reader *r, const ic_yaml *value, int parameter)
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
    return ic_dimension_is_none(&term.dimension) ? value->text : ic_reader_node_text(r, term.node);
}

/* {k: 2e8 N/m, omega: 80pi} as "k=2e8, omega=80pi" */
static const char *settings_text(ic_case_reader *r, const ic_yaml *mapping)
{
    const char *text = "";
    if (mapping == NULL) return text;
    if (mapping->kind != IC_YAML_MAPPING) {
        ic_fault_add(r->faults, mapping->place, "values of parameters expected: {k: 2e8, omega: 80pi}");
        return NULL;
    }
    for (size_t i = 0; i < mapping->n_keys && text != NULL; i++) {
        const int parameter = find_parameter(r, mapping->keys[i]);
        const char *value = parameter < 0 ? NULL : setting_text(r, mapping->items[i], parameter);
        if (value == NULL) return NULL;
        text = ic_arena_print(r->arena, "%s%s%s=%s", text, i > 0 ? ", " : "", mapping->keys[i]->text, value);
    }
    return text;
}

/* A formula in parameters as text, for fields that the model keeps as text. */
static const char *parameter_text(ic_case_reader *r, const ic_yaml *text, const ic_dimension *dimension,
                                  const char *what)
{
    ic_node node = IC_NO_NODE;
    const ic_scope scope = ic_reader_scope(r, NULL);
    r->uses = IC_USE_PARAMETERS;
    if (!ic_formula_read_as(&node, text, dimension, what, &scope)) return NULL;
    if (ic_reader_can_read(r, text->text)) return text->text; /* as written: 20*2*pi/omega */
    const char *whole = ic_reader_linear_text(r, node);
    if (whole == NULL)
        ic_fault_add(r->faults, text->place,
                     "%s may use + - * / ^, sqrt, cbrt, exp, log, sin, cos and step only", what);
    return whole;
}

static bool read_preset(ic_case_reader *r, const ic_case *system, ic_preset *preset, const ic_yaml *key,
                        const ic_yaml *section)
{
    static const char *const keys[] = {"variant", "set", "until", "meaning", NULL};
    if (!ic_reader_keys(r, section, keys)) return false;
    const ic_yaml *until = ic_yaml_get(section, "until"), *variant = ic_yaml_get(section, "variant");
    preset->name = key->text;
    preset->variant = ic_reader_text(r, section, "variant", system->variants[0].name);
    preset->meaning = ic_reader_text(r, section, "meaning", key->text);
    preset->settings = settings_text(r, ic_yaml_get(section, "set"));
    if (until == NULL)
        return ic_fault_add(r->faults, key->place, "preset '%s' has no end: 'until' expected", key->text);
    preset->until = parameter_text(r, until, &ic_second, "the end of a run");
    if (preset->settings == NULL || preset->until == NULL || preset->variant == NULL || preset->meaning == NULL)
        return false;
    for (size_t i = 0; i < system->n_variants; i++) {
        if (strcmp(system->variants[i].name, preset->variant) == 0) return true;
    }
    return ic_fault_add(r->faults, variant->place, "there is no variant '%s'", preset->variant);
}

static bool read_presets(ic_case_reader *r, ic_case *system)
{
    const ic_yaml *section = ic_yaml_get(r->root, "presets");
    if (section == NULL || section->kind != IC_YAML_MAPPING || section->n_keys == 0)
        return ic_fault_add(r->faults, section == NULL ? r->root->place : section->place,
                            "at least one preset expected: presets: {default: {until: 10 s}}");
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
    if (section == NULL) return true;
    if (section->kind != IC_YAML_SEQUENCE)
        return ic_fault_add(r->faults, section->place, "a list expected: - C_xx*C_yy > C_xy^2");
    ic_requirement *requirements = ic_arena_take(r->arena, (section->n_items + 1) * sizeof *requirements);
    if (requirements == NULL) return false;
    for (size_t i = 0; i < section->n_items; i++) {
        const ic_yaml *item = section->items[i];
        const ic_yaml *condition = item->kind == IC_YAML_MAPPING ? ic_yaml_get(item, "holds") : item;
        ic_node node = IC_NO_NODE;
        const ic_scope scope = ic_reader_scope(r, NULL);
        r->uses = IC_USE_PARAMETERS;
        if (condition == NULL)
            return ic_fault_add(r->faults, item->place, "{holds: a > b, meaning: ...} expected");
        if (!ic_condition_read(&node, condition, &scope)) return false;
        requirements[i].positive = ic_reader_condition_text(r, node);
        requirements[i].meaning = ic_reader_text(r, item, "meaning", condition->text);
        if (requirements[i].positive == NULL)
            return ic_fault_add(r->faults, condition->place,
                                "a requirement is one comparison of formulas in parameters");
    }
    system->requirements = requirements;
    system->n_requirements = section->n_items;
    return true;
}

static bool read_times_of_case(ic_case_reader *r, ic_case *system)
{
    const ic_yaml *scale = ic_yaml_get(r->root, "time_scale"), *period = ic_yaml_get(r->root, "period");
    if (scale != NULL) system->time_scale = parameter_text(r, scale, &ic_second, "the typical time");
    else if (period != NULL) system->time_scale = parameter_text(r, period, &ic_second, "the period");
    if (period != NULL) system->period = parameter_text(r, period, &ic_second, "the period");
    return (scale == NULL || system->time_scale != NULL) && (period == NULL || system->period != NULL);
}

static bool find_output(ic_case_reader *r, const ic_case *system, const ic_yaml *section, const char *key,
                        const char **name)
{
    const ic_yaml *given = ic_yaml_get(section, key);
    *name = ic_reader_text(r, section, key, NULL);
    if (given == NULL) return true;
    for (size_t i = 0; i < system->n_outputs && *name != NULL; i++) {
        if (strcmp(system->outputs[i].name, *name) == 0) return true;
    }
    return ic_fault_add(r->faults, given->place, "'%s' has to be the name of an output", key);
}

static const char *const *name_list(ic_case_reader *r, const ic_yaml *section, const char *key, bool of_states)
{
    const ic_yaml *list = ic_yaml_get(section, key);
    if (list == NULL) return NULL;
    if (list->kind != IC_YAML_SEQUENCE) {
        ic_fault_add(r->faults, list->place, "'%s' has to be a list of names: [a, b]", key);
        return NULL;
    }
    const char **names = ic_arena_take(r->arena, (list->n_items + 1) * sizeof *names);
    for (size_t i = 0; names != NULL && i < list->n_items; i++) {
        names[i] = list->items[i]->text;
        if (of_states && ic_reader_state(r, names[i]) < 0)
            ic_fault_add(r->faults, list->items[i]->place, "the name of a state expected");
    }
    return names;
}

static bool read_contact(ic_case_reader *r, ic_case *system)
{
    static const char *const keys[] = {"contact", "free",        "gap",        "force",
                                       "rigid",   "recovers",    "derived",    "restitution",
                                       "carried", "compression", "conditions", NULL};
    const ic_yaml *section = ic_yaml_get(r->root, "contact");
    if (section == NULL) return true;
    if (!ic_reader_keys(r, section, keys)) return false;
    ic_contact_view *view = ic_arena_take(r->arena, sizeof *view);
    if (view == NULL) return false;
    int *const numbers[] = {&view->contact, &view->free};
    for (int i = 0; i < 2; i++) {
        const ic_yaml *mode = ic_yaml_get(section, keys[i]);
        size_t k = 0;
        while (mode != NULL && k < r->n_modes && strcmp(r->mode_names[k], mode->text) != 0) k++;
        if (mode == NULL || k == r->n_modes)
            return ic_fault_add(r->faults, mode == NULL ? section->place : mode->place,
                                "'%s' has to be the name of a mode", keys[i]);
        *numbers[i] = (int)k;
    }
    const ic_yaml *restitution = ic_yaml_get(section, "restitution");
    view->rigid = ic_reader_flag(r, section, "rigid");
    view->recovers = ic_reader_flag(r, section, "recovers");
    view->restitution = ic_reader_text(r, section, "restitution", NULL);
    if (restitution != NULL && find_parameter(r, restitution) < 0) return false;
    view->compression = ic_reader_text(r, section, "compression", NULL);
    view->derived = name_list(r, section, "derived", true);
    view->carried = name_list(r, section, "carried", true);
    view->conditions = name_list(r, section, "conditions", false);
    system->contact = view;
    if (!find_output(r, system, section, "gap", &view->gap) ||
        !find_output(r, system, section, "force", &view->force))
        return false;
    if (view->rigid && view->gap == NULL)
        return ic_fault_add(r->faults, section->place, "a rigid contact has a gap: the name of an output");
    const ic_yaml *carried = ic_yaml_get(section, "carried");
    return carried == NULL || (carried->n_items == 2 && view->gap != NULL && view->force != NULL) ||
           ic_fault_add(r->faults, carried->place,
                        "a position and its velocity expected, and names of outputs as 'gap' and 'force'");
}

static bool read_trials(ic_case_reader *r, ic_case *system)
{
    static const char *const keys[] = {"preset", "until", "again", NULL};
    const ic_yaml *section = ic_yaml_get(r->root, "trials");
    if (section == NULL) return true;
    if (section->kind != IC_YAML_SEQUENCE)
        return ic_fault_add(r->faults, section->place, "a list expected: - {preset: lively}");
    ic_trial *trials = ic_arena_take(r->arena, (section->n_items + 1) * sizeof *trials);
    if (trials == NULL) return false;
    for (size_t i = 0; i < section->n_items; i++) {
        const ic_yaml *item = section->items[i], *until = ic_yaml_get(item, "until");
        if (!ic_reader_keys(r, item, keys)) return false;
        trials[i].preset = ic_reader_text(r, item, "preset", NULL);
        trials[i].again = ic_reader_text(r, item, "again", NULL);
        if (until != NULL) trials[i].until = parameter_text(r, until, &ic_second, "the end of a run");
        if (trials[i].preset == NULL) return ic_fault_add(r->faults, item->place, "'preset' expected");
        if (ic_preset_find(system, trials[i].preset) == NULL)
            return ic_fault_add(r->faults, item->place, "there is no preset '%s'", trials[i].preset);
    }
    system->trials = trials;
    system->n_trials = section->n_items;
    return true;
}

/* draws: {k: [1e5, 1e7, log], e: [0, 1]} */
static bool read_draws(ic_case_reader *r, ic_case *system)
{
    const ic_yaml *section = ic_yaml_get(r->root, "draws");
    if (section == NULL) return true;
    if (section->kind != IC_YAML_MAPPING)
        return ic_fault_add(r->faults, section->place, "ranges of parameters expected: {k: [1e5, 1e7, log]}");
    ic_draw *draws = ic_arena_take(r->arena, (section->n_keys + 1) * sizeof *draws);
    if (draws == NULL) return false;
    for (size_t i = 0; i < section->n_keys; i++) {
        const ic_yaml *list = section->items[i];
        const bool good = list->kind == IC_YAML_SEQUENCE && (list->n_items == 2 || list->n_items == 3) &&
                          ic_expression_number(&draws[i].from, list->items[0]->text, NULL, NULL) &&
                          ic_expression_number(&draws[i].to, list->items[1]->text, NULL, NULL);
        if (find_parameter(r, section->keys[i]) < 0) return false;
        draws[i].parameter = section->keys[i]->text;
        draws[i].logarithmic = list->n_items == 3;
        if (!good || !(draws[i].from < draws[i].to) || (draws[i].logarithmic && !(draws[i].from > 0)))
            return ic_fault_add(r->faults, list->place, "a range expected: [1, 10], or [1, 1e6, log]");
    }
    system->draws = draws;
    system->n_draws = section->n_keys;
    return true;
}

/* Within the section, its keys are known too: c may follow from the law's own k. */
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

/* law_defaults: {e: c_r}: values of a law's parameters, whose units may be those of a fit */
static bool read_law_defaults(ic_case_reader *r, ic_case *system)
{
    const ic_yaml *section = ic_yaml_get(r->root, "law_defaults");
    static const ic_dimension unit = {.any = true};
    if (section == NULL) return true;
    if (section->kind != IC_YAML_MAPPING)
        return ic_fault_add(r->faults, section->place, "values of a law's parameters expected: {e: c_r}");
    ic_law_default *defaults = ic_arena_take(r->arena, (section->n_keys + 1) * sizeof *defaults);
    const size_t own = r->n_parameters;
    if (defaults == NULL || !declare_law_parameters(r, section)) return false;
    for (size_t i = 0; i < section->n_keys; i++) {
        defaults[i] = (ic_law_default){section->keys[i]->text,
                                       parameter_text(r, section->items[i], &unit, section->keys[i]->text)};
        if (defaults[i].value == NULL) return false;
    }
    r->n_parameters = own;
    system->law_defaults = defaults;
    system->n_law_defaults = section->n_keys;
    return true;
}

/* free_impact: {mass: m, speed: v0, restitution: e_out, ...}: variants on a law are one impact */
static bool read_free_impact(ic_case_reader *r, const ic_case *system)
{
    static const char *const keys[] = {"mass",     "speed", "restitution", "peak_force", "peak_indentation",
                                       "duration", NULL};
    const ic_yaml *section = ic_yaml_get(r->root, "free_impact");
    if (section == NULL) return true;
    ic_free_impact *impact = ic_arena_take(r->arena, sizeof *impact);
    if (impact == NULL || !ic_reader_keys(r, section, keys)) return false;
    const char **const names[] = {
        &impact->mass,    &impact->speed, &impact->restitution, &impact->peak_force, &impact->peak_indentation,
        &impact->duration};
    for (size_t i = 0; keys[i] != NULL; i++) {
        *names[i] = ic_reader_text(r, section, keys[i], NULL);
        if (*names[i] == NULL)
            return ic_fault_add(r->faults, section->place, "a free impact has six names; '%s' is missing",
                                keys[i]);
    }
    for (size_t i = 0; i < system->n_variants; i++) {
        ic_variant *variant = (ic_variant *)&system->variants[i];
        if (variant->law != NULL) variant->free_impact = impact;
    }
    return true;
}

/* impact: {v: [vx, vy], W: [w_xx, w_xy, w_yy], mu: mu, e: e, k: [k_x, k_y]}, as in ic_impact */
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
    static const char *const keys[] = {"v", "W", "mu", "e", "k", NULL};
    enum { NUMBERS = sizeof(ic_impact) / sizeof(double) };
    const ic_yaml *section = ic_yaml_get(r->root, "impact");
    const ic_scope scope = ic_reader_scope(r, NULL);
    ic_node nodes[NUMBERS];
    size_t n = 0;
    if (section == NULL) return true;
    if (!ic_reader_keys(r, section, keys)) return false;
    r->uses = IC_USE_PARAMETERS;
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        const ic_yaml *value = ic_yaml_get(section, rows[i].key);
        const bool list = value != NULL && value->kind == IC_YAML_SEQUENCE;
        if (value == NULL || (list ? value->n_items : 1) != rows[i].n)
            return ic_fault_add(r->faults, section->place, "'%s' of an impact has %zu values", rows[i].key,
                                rows[i].n);
        for (size_t k = 0; k < rows[i].n; k++) {
            if (!ic_formula_read_as(&nodes[n++], list ? value->items[k] : value, &rows[i].unit, rows[i].key,
                                    &scope))
                return false;
        }
    }
    return ic_reader_function(r, IC_FUNCTION_IMPACT, nodes, n, &system->impact);
}

/* ---- the whole */

static const char *case_name(ic_arena *arena, const char *file)
{
    const char *base = strrchr(file, '/');
    base = base == NULL ? file : base + 1;
    const char *end = strrchr(base, '.');
    return ic_arena_copy(arena, base, end == NULL ? strlen(base) : (size_t)(end - base));
}

/* The name is part of NAME/PRESET, and of names of result files. */
static bool check_name(ic_case_reader *r)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    enum { LONGEST = 64 };
    const ic_yaml *name = ic_yaml_get(r->root, "name");
    if (name == NULL || name->kind != IC_YAML_SCALAR) return true;
    const size_t n = strlen(name->text);
    if (n > 0 && n <= LONGEST && strspn(name->text, letters) == n) return true;
    return ic_fault_add(r->faults, name->place, "a name is of letters, digits, - and _, at most %d", LONGEST);
}

static bool read_case(ic_case_reader *r, ic_case *system, const char *file)
{
    ic_output *outputs = NULL;
    if (!ic_reader_keys(r, r->root, sections)) return false;
    *system = (ic_case){IC_ABI(ic_case)};
    system->name = ic_reader_text(r, r->root, "name", case_name(r->arena, file));
    system->title = ic_reader_text(r, r->root, "title", system->name);
    system->source = ic_reader_text(r, r->root, "source", "one's own");
    /* faults of later sections are worth knowing too */
    bool good = check_name(r);
    good = ic_read_parameters(r) && good;
    if (r->parameter_sizes == NULL) return false;
    good = ic_read_definitions(&r->case_definitions, r, ic_yaml_get(r->root, "definitions")) && good;
    good = ic_read_states(r) && good;
    if (r->n_states == 0 || !ic_read_elements(r) || !ic_read_outputs(r, &outputs, &system->n_outputs))
        return false;
    system->parameters = r->parameters;
    system->n_parameters = r->n_parameters;
    system->states = r->states;
    system->n_states = r->n_states;
    system->outputs = outputs;
    if (!read_variants(r, system, outputs) || !good) return false;
    /* kinks have added theirs, and laws their parameters */
    system->n_states = r->n_states - (r->memory >= 0 ? 1 : 0);
    system->n_parameters = r->n_parameters;
    return read_presets(r, system) && read_requirements(r, system) && read_times_of_case(r, system) &&
           read_contact(r, system) && read_trials(r, system) && read_draws(r, system) &&
           read_law_defaults(r, system) && read_free_impact(r, system) && read_impact(r, system);
}

/* Read a file; `c->faults` has what is wrong with its text, `error` what is wrong otherwise. */
static bool read_casefile(ic_casefile *c, const char *file, const char *bytes, size_t size,
                          const char *const *settings, size_t n_settings, ic_error *error)
{
    c->graph.arena = &c->arena;
    c->faults.arena = &c->arena;
    ic_case_reader r = {.arena = &c->arena,
                        .graph = &c->graph,
                        .faults = &c->faults,
                        .functions = &c->functions,
                        .settings = settings,
                        .n_settings = n_settings,
                        .memory = -1,
                        .work = 1000000};
    ic_file_place place;
    ic_error why;
    r.root = ic_yaml_read(&c->arena, bytes, size, &place, &why);
    if (r.root == NULL) return ic_fault_add(&c->faults, place, "%s", why.text);
    c->text = r.root;
    if (!read_case(&r, &c->system, file) || c->faults.n_faults > 0 || c->arena.failed) return false;
    c->sizes = r.parameter_sizes;
    c->closures = ic_functions_interpret(&c->functions, &c->graph, error);
    if (c->closures == NULL) return c->arena.failed ? ic_error_no_memory(error) : false;
    if (!ic_estimate_scales(&c->system, r.states, &c->arena) || c->arena.failed)
        return ic_error_no_memory(error);
    return ic_case_check(&c->system, error);
}

ic_casefile *ic_casefile_read(const char *file, const char *bytes, size_t size, const char *const *settings,
                              size_t n_settings, ic_error *error)
{
    ic_casefile *c = calloc(1, sizeof *c);
    ic_error why = {""};
    if (c == NULL) {
        ic_error_no_memory(error);
        return NULL;
    }
    if (read_casefile(c, file, bytes, size, settings, n_settings, &why)) return c;
    if (c->faults.n_faults > 0 || why.text[0] == '\0') ic_faults_error(&c->faults, file, error);
    else ic_error_set(error, "%s: %.400s", file, why.text);
    ic_casefile_free(c);
    return NULL;
}

bool ic_casefile_compile(ic_casefile *casefile, ic_error *note)
{
    ic_error why = {"the functions of contact-force laws are called as they are"};
    if (casefile->library == NULL && casefile->graph.n_externals == 0)
        casefile->library = ic_functions_compile(&casefile->functions, &casefile->graph, &why);
    if (casefile->library == NULL) ic_error_set(note, "%s", why.text);
    return casefile->library != NULL;
}

void ic_casefile_free(ic_casefile *casefile)
{
    if (casefile == NULL) return;
    ic_compiled_free(casefile->library);
    ic_closures_free(casefile->closures);
    ic_faults_free(&casefile->faults);
    ic_arena_free(&casefile->arena);
    free(casefile);
}

const ic_case *ic_casefile_case(const ic_casefile *casefile)
{
    return &casefile->system;
}

/* ---- files by name, read once */

size_t ic_casefile_path(const char *text)
{
    for (const char *dot = strstr(text, ".y"); dot != NULL; dot = strstr(dot + 1, ".y")) {
        const size_t length = strncmp(dot, ".yaml", 5) == 0 ? 5 : strncmp(dot, ".yml", 4) == 0 ? 4 : 0;
        if (length > 0 && (dot[length] == '\0' || dot[length] == '/')) return (size_t)(dot - text) + length;
    }
    return 0;
}

typedef struct kept_file {
    struct kept_file *next;
    ic_casefile *casefile;

    /* path, and settings of sizes */
    char key[];
} kept_file;

static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;
static kept_file *kept_files; /* for the life of the process: problems borrow their cases */

/* The bytes of a file, to be freed; one more than a case file may have is enough to refuse it. */
static char *read_bytes(const char *path, size_t *size, ic_error *error)
{
    FILE *file = ic_input_file_open(path, error);
    if (file == NULL) return NULL;
    char *bytes = malloc(IC_YAML_SIZE + 1);
    if (bytes == NULL) ic_error_no_memory(error);
    else *size = fread(bytes, 1, IC_YAML_SIZE + 1, file);
    if (bytes != NULL && ferror(file)) {
        ic_error_set(error, "%s: the file cannot be read", path);
        free(bytes);
        bytes = NULL;
    }
    fclose(file);
    return bytes;
}

/* The file with these settings, read now or before. The lock is held. */
static const ic_casefile *find_kept(const char *path, const char *const *settings, size_t n, bool compiled,
                                    ic_error *error)
{
    size_t length = strlen(path) + 1, size = 0;
    for (size_t i = 0; i < n; i++) length += strlen(settings[i]) + 1;
    kept_file *k = malloc(sizeof *k + length);
    if (k == NULL) {
        ic_error_no_memory(error);
        return NULL;
    }
    size_t used = (size_t)snprintf(k->key, length, "%s", path);
    for (size_t i = 0; i < n; i++) used += (size_t)snprintf(k->key + used, length - used, "\n%s", settings[i]);
    for (const kept_file *known = kept_files; known != NULL; known = known->next) {
        if (strcmp(known->key, k->key) != 0) continue;
        free(k);
        return known->casefile;
    }
    char *bytes = read_bytes(path, &size, error);
    k->casefile = bytes == NULL ? NULL : ic_casefile_read(path, bytes, size, settings, n, error);
    free(bytes);
    if (k->casefile != NULL && compiled) ic_casefile_compile(k->casefile, NULL);
    if (k->casefile == NULL) {
        free(k);
        return NULL;
    }
    k->next = kept_files;
    kept_files = k;
    return k->casefile;
}

const ic_case *ic_casefile_find(const char *path, ic_error *error)
{
    pthread_mutex_lock(&kept_lock);
    const ic_casefile *found = find_kept(path, NULL, 0, true, error);
    pthread_mutex_unlock(&kept_lock);
    return found == NULL ? NULL : ic_casefile_case(found);
}

const struct ic_yaml *ic_casefile_text(const ic_case *system, const char **path)
{
    pthread_mutex_lock(&kept_lock);
    const kept_file *k = kept_files;
    while (k != NULL && &k->casefile->system != system) k = k->next;
    pthread_mutex_unlock(&kept_lock);
    if (k == NULL) return NULL;
    *path = k->key;
    return k->casefile->text;
}

/* ---- C of a file, in all sizes that it may have */

/* The most values of a parameter on which the size of a family depends. */
enum { MOST_VALUES = 64 };

/* A case in several sizes, the largest first. */
typedef struct sized_case {
    const ic_casefile *cases[MOST_VALUES];
    ic_sized_functions sizes[MOST_VALUES];
    size_t n;
} sized_case;

/* Index of the parameter on which sizes depend; -1: there is none, or its values are not listed. */
static int find_size(const ic_casefile *c)
{
    for (size_t i = 0; i < c->system.n_parameters; i++) {
        if (c->sizes[i] && c->system.parameters[i].range[0] == '{') return (int)i;
    }
    return -1;
}

/* Read the file for all values of the parameter, downwards. The lock is held. */
static bool read_sizes(sized_case *s, const char *path, const ic_parameter *parameter, ic_error *error)
{
    for (int value = MOST_VALUES; value > 0; value--) {
        char text[80];
        const char *const setting[] = {text};
        if (!ic_in_range(parameter->range, value)) continue;
        snprintf(text, sizeof text, "%s=%d", parameter->name, value);
        const ic_casefile *c = find_kept(path, setting, 1, false, error);
        if (c == NULL) return false;
        s->cases[s->n] = c;
        s->sizes[s->n++] = (ic_sized_functions){value, &c->functions, &c->graph};
    }
    return s->n > 0;
}

/* Whether all sizes have the same functions, and states in proportion; `used` gets their number as text. */
static bool sizes_agree(const sized_case *s, const char *parameter, char *used, size_t room)
{
    const long most = (long)s->cases[0]->system.n_states, last = s->sizes[0].value;
    long slope = 0;
    for (size_t i = 1; i < s->n; i++) {
        const ic_functions *own = s->sizes[i].functions, *first = s->sizes[0].functions;
        const long states = (long)s->cases[i]->system.n_states, value = s->sizes[i].value;
        if (i == 1) slope = (most - states) / (last - value);
        if (states != most - slope * (last - value) || own->n != first->n) return false;
        for (size_t k = 0; k < own->n; k++) {
            if (own->functions[k].kind != first->functions[k].kind) return false;
        }
    }
    snprintf(used, room, "%ld + %ld*%s", most - slope * last, slope, parameter);
    return true;
}

static bool emit_sizes(FILE *out, const char *symbol, const char *path, const ic_casefile *c, int parameter,
                       ic_error *error)
{
    sized_case *s = calloc(1, sizeof *s);
    char used[128];
    const ic_parameter *p = &c->system.parameters[parameter];
    bool good = s != NULL && read_sizes(s, path, p, error);
    if (good && !sizes_agree(s, p->name, used, sizeof used)) {
        ic_error_set(error, "%s: the number of states or functions is not in proportion to '%s'", path,
                     p->name);
        good = false;
    }
    if (good) {
        ic_case whole = s->cases[0]->system;
        whole.states_used = used;
        good = ic_case_emit(out, symbol, &whole, s->sizes, s->n, parameter);
    }
    free(s);
    return good;
}

bool ic_casefile_emit(FILE *out, const char *symbol, const char *path, ic_error *error)
{
    ic_error_set(error, "the C file cannot be written");
    pthread_mutex_lock(&kept_lock);
    const ic_casefile *c = find_kept(path, NULL, 0, false, error);
    bool good = c != NULL;
    if (good) {
        const ic_sized_functions one = {.functions = &c->functions, .graph = &c->graph};
        const int parameter = find_size(c);
        good = parameter >= 0 ? emit_sizes(out, symbol, path, c, parameter, error)
                              : ic_case_emit(out, symbol, &c->system, &one, 1, 0);
    }
    pthread_mutex_unlock(&kept_lock);
    return good;
}

/* ---- sizes of a file at run time */

/* Whether a setting NAME=VALUE is of a parameter on which the size of a family depends. */
static bool sets_size(const ic_casefile *c, const char *setting)
{
    for (size_t i = 0; i < c->system.n_parameters; i++) {
        const char *name = c->system.parameters[i].name;
        if (c->sizes[i] && strncmp(setting, name, strlen(name)) == 0 && setting[strlen(name)] == '=')
            return true;
    }
    return false;
}

enum { MOST_SIZES = 32 };

typedef struct size_settings {
    const char *settings[MOST_SIZES];
    size_t n;
} size_settings;

static void add_size(size_settings *sizes, const ic_casefile *c, const char *setting)
{
    if (sizes->n < MOST_SIZES && sets_size(c, setting)) sizes->settings[sizes->n++] = setting;
}

static const ic_preset *find_preset(const ic_case *system, const char *name)
{
    for (size_t i = 0; name != NULL && i < system->n_presets; i++) {
        if (strcmp(system->presets[i].name, name) == 0) return &system->presets[i];
    }
    return system->presets;
}

/* The file of a kept one with other sizes. */
static const ic_case *find_sized(const kept_file *k, const size_settings *sizes, ic_error *error)
{
    char *path = ic_copy_text(k->key, strcspn(k->key, "\n"), error);
    const ic_casefile *sized = path == NULL ? NULL : find_kept(path, sizes->settings, sizes->n, true, error);
    free(path);
    return sized == NULL ? NULL : ic_casefile_case(sized);
}

const ic_case *ic_casefile_sized(const ic_case *system, const char *preset, const char *const *settings,
                                 size_t n, ic_error *error)
{
    const ic_case *found = system;
    size_settings sizes = {.n = 0};
    char *own = NULL, *rest = NULL;
    pthread_mutex_lock(&kept_lock);
    const kept_file *k = kept_files;
    while (k != NULL && &k->casefile->system != system) k = k->next;
    if (k != NULL) {
        const char *text = find_preset(system, preset)->settings;
        own = ic_copy_text(text, strlen(text), error);
        found = own == NULL ? NULL : system;
        for (char *at = own == NULL ? NULL : strtok_r(own, ", ", &rest); at != NULL;
             at = strtok_r(NULL, ", ", &rest))
            add_size(&sizes, k->casefile, at);
        for (size_t i = 0; i < n; i++) add_size(&sizes, k->casefile, settings[i]);
    }
    if (sizes.n > 0) found = find_sized(k, &sizes, error);
    free(own);
    pthread_mutex_unlock(&kept_lock);
    return found;
}

size_t ic_casefile_examine(const ic_case **system, const char *path, ic_casefile_report *report, void *context)
{
    ic_error error = {""};
    size_t size = 0, n = 0;
    ic_casefile *c = NULL;
    *system = NULL;
    char *bytes = read_bytes(path, &size, &error);
    if (bytes != NULL && (c = calloc(1, sizeof *c)) == NULL) ic_error_no_memory(&error);
    if (c != NULL && read_casefile(c, path, bytes, size, NULL, 0, &error)) {
        pthread_mutex_lock(&kept_lock); /* what is only examined need not be compiled */
        const ic_casefile *kept = find_kept(path, NULL, 0, false, &error);
        pthread_mutex_unlock(&kept_lock);
        *system = kept == NULL ? NULL : ic_casefile_case(kept);
    } else if (c != NULL && c->faults.n_faults > 0) {
        for (; n < c->faults.n_faults; n++) {
            char text[640];
            const ic_fault *f = &c->faults.faults[n];
            if (f->place.line == 0) snprintf(text, sizeof text, "%s: %s", path, f->text);
            else snprintf(text, sizeof text, "%s:%zu:%zu: %s", path, f->place.line, f->place.column, f->text);
            report(text, context);
        }
    } else {
        ic_error whole;
        ic_error_set(&whole, bytes == NULL ? "%.0s%s" : "%s: %.400s", path,
                     error.text[0] != '\0' ? error.text : "the case needs too much memory");
        report(whole.text, context);
        n = 1;
    }
    free(bytes);
    ic_casefile_free(c);
    return n;
}
