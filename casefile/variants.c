/* SPDX-License-Identifier: MIT */
/*
 * A variant is the file with the entries that the variant replaces. A variant or a mode that is
 * `like` an earlier one is the earlier one with its own entries on top. A variant with a list of
 * laws becomes one variant for each law.
 */
#include "casefile/sections.h"

#include "casefile/elements.h"
#include "casefile/forcing.h"
#include "casefile/law.h"
#include "casefile/sketch.h"
#include "casefile/tangents.h"
#include "core/names.h"

#include <string.h>

/* ---- variants: the file, overridden */

static ic_yaml *merge_mappings(ic_arena *arena, const ic_yaml *base, const ic_yaml *over, bool removes);

/* Appends an entry to a merged mapping, unless it is "none" and `removes`. */
static bool merge_entry(ic_arena *arena, ic_yaml *merged, ic_yaml *key, ic_yaml *base, ic_yaml *over,
                        bool removes)
{
    if (removes && over != NULL && over->kind == IC_YAML_SCALAR && strcmp(over->text, "none") == 0) return true;
    merged->keys[merged->n_keys++] = key;
    static const ic_yaml nothing = {.kind = IC_YAML_MAPPING};
    ic_yaml *item;
    if (over == NULL) item = base;
    else if (base == NULL && ic_yaml_get(over, "like") != NULL)
        item = over; /* it removes parts of the one that it is like: inherit_entries */
    else item = merge_mappings(arena, base != NULL ? base : &nothing, over, removes);
    merged->items[merged->n_items++] = item;
    return item != NULL;
}

/*
 * `base` with its entries replaced by those of `over`, and with new entries at the end. "none" removes an entry; it
 * stays if `base` is a variant, whose file may have the entry. If `over` has all entries of `base`, the order is that
 * of `over`.
 */
static ic_yaml *merge_mappings(ic_arena *arena, const ic_yaml *base, const ic_yaml *over, bool removes)
{
    ic_yaml *merged = ic_arena_take(arena, sizeof *merged);
    if (merged == NULL) return NULL;
    *merged = *over;
    if (base->kind != IC_YAML_MAPPING || over->kind != IC_YAML_MAPPING) return merged;
    const size_t room = base->n_keys + over->n_keys;
    if (base->n_keys > 0) merged->place = base->place;
    merged->keys = ic_arena_take(arena, (room + 1) * sizeof(ic_yaml *));
    merged->items = ic_arena_take(arena, (room + 1) * sizeof(ic_yaml *));
    merged->n_keys = merged->n_items = 0;
    if (merged->keys == NULL || merged->items == NULL) return NULL;
    bool all = true;
    for (size_t i = 0; i < base->n_keys; i++) all = all && ic_yaml_get(over, base->keys[i]->text) != NULL;
    for (size_t i = 0; !all && i < base->n_keys; i++) {
        if (!merge_entry(arena, merged, base->keys[i], base->items[i], ic_yaml_get(over, base->keys[i]->text),
                         removes))
            return NULL;
    }
    for (size_t i = 0; i < over->n_keys; i++) {
        ic_yaml *own = ic_yaml_get(base, over->keys[i]->text);
        if (!all && own != NULL) continue;
        if (!merge_entry(arena, merged, over->keys[i], own, over->items[i], removes)) return NULL;
    }
    return merged;
}

/* ---- outputs of the case, and outputs that a variant replaces */

/* Nodes of output k in a plan, by mode. */
static ic_node output_node(const ic_plan *plan, size_t mode, size_t k)
{
    return plan->modes[mode].exists ? plan->modes[mode].outputs[k] : IC_NO_NODE;
}

/*
 * Nodes of an output of the case: those of the first variant in which the mode exists. A mode in
 * which the output depends on the memory of a law has none.
 */
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

/* Emits the output of a variant if it differs from that of the case. */
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

/* ---- variants that a contact lists: conditions: [A, B], laws: all */

static ic_yaml *new_scalar(ic_arena *arena, const char *text, ic_file_place place)
{
    ic_yaml *node = ic_arena_take(arena, sizeof *node);
    if (node != NULL) *node = (ic_yaml){.kind = IC_YAML_SCALAR, .place = place, .text = text};
    return node;
}

/* The mapping {key: value}. `value` may be NULL if memory ran out; then the result is NULL. */
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

static bool append_variant(ic_arena *arena, ic_yaml *variants, const char *name, ic_file_place place,
                           ic_yaml *item)
{
    ic_yaml **key = ic_arena_append(arena, &variants->keys, &variants->n_keys, sizeof(ic_yaml *));
    ic_yaml **value = ic_arena_append(arena, &variants->items, &variants->n_items, sizeof(ic_yaml *));
    if (key == NULL || value == NULL) return false;
    *key = new_scalar(arena, name, place);
    *value = item;
    return *key != NULL;
}

static bool add_variant(ic_arena *arena, ic_yaml *variants, const char *element, const char *key,
                        const char *value, ic_file_place place)
{
    ic_yaml *choice = new_mapping(arena, key, new_scalar(arena, value, place));
    ic_yaml *over =
        new_mapping(arena, "elements", new_mapping(arena, element, new_mapping(arena, "contact", choice)));
    return over != NULL && append_variant(arena, variants, value, place, over);
}

/* Adds a variant for each name of a list, or for all laws that have a formula. */
static bool add_variants(ic_case_reader *r, ic_yaml *variants, const char *element, const char *key,
                         const ic_yaml *list)
{
    if (list == NULL) return true;
    bool good = true;
    if (list->kind == IC_YAML_SCALAR && strcmp(list->text, "all") == 0 && strcmp(key, "law") == 0) {
        for (const char *const *law = ic_law_texts(); *law != NULL && good; law++) {
            /* Skip linear laws that are kelvin-voigt under another condition. */
            if (strncmp(*law, "kelvin-voigt-", strlen("kelvin-voigt-")) != 0)
                good = add_variant(r->arena, variants, element, key, *law, list->place);
        }
        return good;
    }
    if (list->kind != IC_YAML_SEQUENCE)
        return ic_fault_add(r->faults, list->place, "expected a list: [A, C]%s",
                            strcmp(key, "law") == 0 ? ", of laws, or all" : "");
    for (size_t i = 0; i < list->n_items && good; i++) {
        if (list->items[i]->kind != IC_YAML_SCALAR)
            return ic_fault_add(r->faults, list->items[i]->place, "expected a name");
        good = add_variant(r->arena, variants, element, key, list->items[i]->text, list->items[i]->place);
    }
    return good;
}

/* The variants of the file. If the file lists none, those that its first contact lists. */
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

/* ---- variants and modes that are `like` others */

/*
 * The entries of a mapping, each merged with the earlier entry that it is `like`. NULL: a fault was
 * added.
 */
static ic_yaml *inherit_entries(ic_case_reader *r, const ic_yaml *section, bool removes)
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
            ic_fault_add(r->faults, like->place, "no earlier entry has this name");
            return NULL;
        }
        inherited->items[i] = merge_mappings(r->arena, inherited->items[k], section->items[i], removes);
        if (inherited->items[i] == NULL) return NULL;
    }
    return inherited->items == NULL ? NULL : inherited;
}

/* The file with each mode merged with the mode that it is `like`. */
static const ic_yaml *inherit_modes(ic_case_reader *r, const ic_yaml *file)
{
    ic_yaml *with = ic_arena_take(r->arena, sizeof *with);
    if (with == NULL) return NULL;
    *with = *file;
    with->items = ic_arena_take(r->arena, (file->n_items + 1) * sizeof(ic_yaml *));
    for (size_t i = 0; with->items != NULL && i < file->n_keys; i++) {
        const bool modes = strcmp(file->keys[i]->text, "modes") == 0;
        with->items[i] = modes ? inherit_entries(r, file->items[i], true) : file->items[i];
        if (with->items[i] == NULL) return NULL;
    }
    return with->items == NULL ? NULL : with;
}

/* ---- variants with lists of laws: laws: [A, hertz] makes one variant for each law */

/* Makes a variant for each law that some entry lists, in the order of cases/laws/laws.def. */
static bool append_laws(ic_arena *arena, ic_yaml *variants, const ic_yaml *section)
{
    const ic_law *law = NULL;
    for (size_t k = 0; (law = ic_law_number(k)) != NULL; k++) {
        for (size_t i = 0; i < section->n_keys; i++) {
            if (!ic_law_is_listed(law, ic_yaml_get(section->items[i], "laws"))) continue;
            if (!append_variant(arena, variants, law->name, section->keys[i]->place, section->items[i]))
                return false;
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
            if (!append_variant(r->arena, variants, (*section)->keys[i]->text, (*section)->keys[i]->place,
                                item))
                return false;
        } else if (!expanded) {
            expanded = true;
            if (!append_laws(r->arena, variants, *section)) return false;
        }
    }
    if (expanded) *section = variants;
    return true;
}

/* ---- reading variants */

/* Reads name and meaning of variant i, and merges its text with the file. */
static bool open_variant(ic_case_reader *r, const ic_case *system, const ic_yaml *section, size_t i,
                         ic_variant *variant, const ic_yaml **file)
{
    variant->name = section == NULL ? "model" : section->keys[i]->text;
    variant->meaning = section == NULL ? system->title : section->keys[i]->text;
    *file = r->root;
    if (section == NULL) return true;
    if (!ic_only_known_keys(r->faults, section->items[i], &ic_schema_variant)) return false;
    variant->meaning = ic_key_text(r->faults, section->items[i], "meaning", variant->name);
    if (ic_yaml_get(section->items[i], "laws") != NULL) variant->law = ic_law_of_name(variant->name);
    *file = merge_mappings(r->arena, r->root, section->items[i], true);
    return *file != NULL;
}

/* From here on, formulas use the definitions of r->root, and of no mode. */
static bool take_definitions(ic_case_reader *r)
{
    const ic_yaml *definitions = ic_yaml_get(r->root, "definitions");
    r->mode_definitions = (ic_definitions){0};
    if (definitions != r->case_definitions.mapping)
        return ic_read_definitions(&r->case_definitions, r, definitions);
    ic_begin_mode_definitions(r);
    return true;
}

/* Declares the names of all variants before it reads any of them. */
static bool plan_variant(ic_case_reader *r, const ic_law *law, ic_plan *plan, ic_output *outputs,
                         size_t n_outputs, bool declare)
{
    r->law = law;
    if (!take_definitions(r)) return false;
    if (declare) return ic_declare_laws(r) && ic_find_variant_kinks(r);
    const bool good = ic_plan_read(plan, r, outputs, n_outputs);
    ic_check_definitions(r, &r->case_definitions);
    return good;
}

static bool emit_variants(ic_case_reader *r, ic_case *system, ic_output *outputs, ic_plan *plans,
                          ic_variant *variants, size_t n)
{
    bool good = true;
    for (size_t i = 0; i < n && good; i++) good = ic_plan_unfold(&plans[i], r);
    if (!good) return false;
    ic_plans_prune(r, plans, n);
    if (r->memory >= 0) r->memory = (int)r->n_states - 1;
    system->period = ic_forcing_text(r, plans, n);
    const size_t n_states = r->n_states;
    good = r->directions == NULL || ic_reader_add_tangents(r);
    for (size_t i = 0; i < n && good && r->directions != NULL; i++) {
        r->law = variants[i].law;
        good = ic_plan_add_tangents(&plans[i], r, n_states, strcmp(variants[i].name, r->exact) == 0);
    }
    r->law = NULL;
    for (size_t i = 0; i < n && good; i++) good = emit_variant(r, &plans[i], &variants[i]);
    return good && emit_outputs(r, system, outputs, plans, variants, n) && ic_sketch_emit(r, system, plans, n);
}

/* The state that comes after those of the case if some variant has a law. */
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
                                "output '%s' does not have a value in any mode", outputs[k].name);
    }
    return true;
}

/* Typical times of the case and, by their definitions, of variants; later sections use the definitions of the file. */
static bool read_time_scales(ic_case_reader *r, ic_case *system, const ic_yaml *file, ic_variant *variants,
                             const ic_yaml **files, size_t n)
{
    r->root = file;
    if (!take_definitions(r)) return false;
    system->time_scale = ic_read_time_scale(r);
    for (size_t i = 0; i < n && system->time_scale != NULL; i++) {
        r->root = files[i];
        if (ic_yaml_get(r->root, "definitions") == ic_yaml_get(file, "definitions")) continue;
        if (!take_definitions(r)) return false;
        const char *own = ic_read_time_scale(r);
        if (own != NULL && strcmp(own, system->time_scale) != 0) variants[i].time_scale = own;
    }
    r->root = file;
    return take_definitions(r);
}

bool ic_read_variants(ic_case_reader *r, ic_case *system, ic_output *outputs)
{
    const ic_yaml *section = NULL, *file = r->root;
    if (!find_variants(r, &section)) return false;
    if (section != NULL && section->kind == IC_YAML_MAPPING &&
        ((section = inherit_entries(r, section, false)) == NULL || !expand_laws(r, &section)))
        return false;
    /* Read the definitions again, because states now have names that they may use. */
    r->case_definitions.mapping = NULL;
    const size_t n = section == NULL ? 1 : section->n_keys;
    if (section != NULL && (section->kind != IC_YAML_MAPPING || n == 0))
        return ic_fault_add(r->faults, section->place, "expected variants: NAME: {changed sections}");
    ic_variant *variants = ic_arena_take(r->arena, n * sizeof *variants);
    const ic_yaml **files = ic_arena_take(r->arena, n * sizeof(ic_yaml *));
    ic_plan *plans = ic_arena_take(r->arena, n * sizeof *plans);
    if (variants == NULL || files == NULL || plans == NULL) return false;
    bool good = true;
    /* Modes of the file come first, in the order of the file, whichever variants have them. */
    if (ic_yaml_get(r->root, "modes") != NULL && !ic_declare_modes(r, r->root)) return false;
    for (size_t i = 0; i < n; i++) {
        if (!open_variant(r, system, section, i, &variants[i], &files[i]) ||
            (files[i] = inherit_modes(r, files[i])) == NULL || !ic_declare_modes(r, files[i]))
            return false;
    }
    r->n_declared = r->n_modes;
    for (size_t i = 0; i < 2 * n; i++) {
        r->root = files[i % n];
        if (i == n && !declare_memory(r, variants, n)) return false;
        good = plan_variant(r, variants[i % n].law, &plans[i % n], outputs, system->n_outputs, i < n) && good;
    }
    r->root = file;
    system->variants = variants;
    system->n_variants = n;
    good = good && ic_plans_reach_modes(r, plans, files, n) && outputs_have_values(r, system, outputs);
    return good && r->faults->n_faults == 0 && emit_variants(r, system, outputs, plans, variants, n) &&
           read_time_scales(r, system, file, variants, files, n);
}
