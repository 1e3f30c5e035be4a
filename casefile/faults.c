/* SPDX-License-Identifier: MIT */
#include "casefile/faults.h"

#include "core/expression.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool add_text(ic_faults *faults, ic_file_place place, const char *text)
{
    if (faults->n_faults >= IC_FAULTS_KEPT) return false;
    /* A definition that several formulas use has its fault only once. */
    for (size_t i = 0; i < faults->n_faults; i++) {
        const ic_fault *f = &faults->faults[i];
        if (f->place.line == place.line && f->place.column == place.column && strcmp(f->text, text) == 0)
            return false;
    }
    ic_fault *added = ic_arena_append(&faults->texts, &faults->faults, &faults->n_faults, sizeof *added);
    if (added == NULL) return false;
    added->place = place;
    added->text = ic_arena_copy(&faults->texts, text, strlen(text));
    if (added->text == NULL) faults->n_faults--;
    return false;
}

bool ic_fault_add(ic_faults *faults, ic_file_place place, const char *format, ...)
{
    char text[512];
    va_list arguments;
    if (faults->arena->failed) return false;
    va_start(arguments, format);
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): va_start is above
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return add_text(faults, place, text);
}

static const char memory[] = "the case needs too much memory: its formulas are too long or too many";

bool ic_fault_memory(ic_faults *faults, ic_file_place place)
{
    return add_text(faults, place, memory);
}

void ic_faults_free(ic_faults *faults)
{
    ic_arena_free(&faults->texts);
    faults->faults = NULL;
    faults->n_faults = 0;
}

/* FILE:LINE:COLUMN: TEXT. Returns its length. */
static size_t write_fault(char *text, size_t size, const ic_faults *faults, size_t number, const char *file)
{
    char place[48] = "";
    const ic_fault *f = &faults->faults[number];
    if (f->place.line > 0) snprintf(place, sizeof place, ":%zu:%zu", f->place.line, f->place.column);
    return (size_t)snprintf(text, size, "%s%s: %s", file, place, f->text);
}

void ic_faults_error_all(const ic_faults *faults, const char *file, ic_error *error)
{
    char text[sizeof error->text];
    /* room for the number of those that are left out */
    const size_t room = sizeof text - 24;
    size_t used = 0;
    if (faults->n_faults == 0) ic_error_set(error, "%s: %s", file, memory);
    for (size_t i = 0; i < faults->n_faults; i++) {
        const size_t before = used;
        if (i > 0) text[used++] = '\n';
        used += write_fault(text + used, room - used, faults, i, file);
        if (used < room || i == 0) continue;
        snprintf(text + before, sizeof text - before, "\n(%zu more)", faults->n_faults - i);
        break;
    }
    if (faults->n_faults > 0) ic_error_set(error, "%s", text);
}

void ic_faults_error(const ic_faults *faults, const char *file, ic_error *error)
{
    char more[64] = "", first[sizeof error->text];
    if (faults->n_faults == 0) {
        ic_error_set(error, "%s: %s", file, memory);
        return;
    }
    write_fault(first, sizeof first, faults, 0, file);
    if (faults->n_faults > 1)
        snprintf(more, sizeof more, " (%zu more: impactcheck check shows them)", faults->n_faults - 1);
    ic_error_set(error, "%s%s", first, more);
}

ic_hint ic_meant_hint(const char *wrong, const char *const *names, size_t n)
{
    ic_nearest nearest = {.wrong = wrong};
    for (size_t i = 0; i < n; i++) ic_nearest_offer(&nearest, names[i]);
    return ic_nearest_hint(&nearest);
}

/* ---- mappings */

bool ic_fault_lacks_space(ic_faults *faults, const ic_yaml *text)
{
    const char *colon = text->kind == IC_YAML_SCALAR ? strchr(text->text, ':') : NULL;
    if (colon == NULL || colon == text->text || colon[1] == '\0') return false;
    ic_fault_add(faults, text->place, "a space is missing after the colon: %.*s: %s", (int)(colon - text->text),
                 text->text, colon + 1);
    return true;
}

const char *ic_key_text(ic_faults *faults, const ic_yaml *mapping, const char *key, const char *otherwise)
{
    const ic_yaml *value = ic_yaml_get(mapping, key);
    if (value == NULL) return otherwise;
    if (value->kind == IC_YAML_SCALAR) return value->text;
    ic_fault_add(faults, value->place, "'%s' must be a text", key);
    return NULL;
}

/* Refuse a key that the schema does not have. */
static bool refuse_key(ic_faults *faults, const ic_yaml *key, const ic_yaml *value, const ic_schema *schema)
{
    ic_nearest nearest = {.wrong = key->text};
    char list[512] = "";
    if (ic_fault_lacks_space(faults, key)) return false;
    if (value->kind == IC_YAML_SCALAR && value->text[0] == '\0' && strpbrk(key->text, " ()") != NULL)
        return ic_fault_add(faults, key->place,
                            "'%s' has no value: within braces a text with a comma needs quotes", key->text);
    for (const ic_key *k = schema->keys; k->name != NULL; k++) {
        ic_nearest_offer(&nearest, k->name);
        ic_list_append(list, sizeof list, k->name);
    }
    const ic_hint meant = ic_nearest_hint(&nearest);
    return meant.text[0] != '\0'
               ? ic_fault_add(faults, key->place, "unknown key '%s'%s", key->text, meant.text)
               : ic_fault_add(faults, key->place, "unknown key '%s'; known here: %s", key->text, list);
}

/* Whether a mapping has the keys that its schema needs. */
static bool has_needed(ic_faults *faults, const ic_yaml *mapping, const ic_schema *schema)
{
    bool good = true;
    const char *first = NULL;
    char either[160] = "";
    for (const ic_key *k = schema->keys; k->name != NULL; k++) {
        const ic_yaml *value = ic_yaml_get(mapping, k->name);
        if (k->need == IC_KEY_REQUIRED && value == NULL)
            good = ic_fault_add(faults, mapping->place, "%s needs '%s': %s", schema->what, k->name, k->meaning);
        if (k->need != IC_KEY_ONE_OF) continue;
        ic_text_append(either, sizeof either, "%s'%s'", either[0] != '\0' ? ", " : "", k->name);
        if (value != NULL && first != NULL)
            good = ic_fault_add(faults, value->place, "%s may have '%s' or '%s', not both", schema->what, first,
                                k->name);
        if (value != NULL) first = k->name;
    }
    if (either[0] == '\0' || first != NULL) return good;
    return ic_fault_add(faults, mapping->place, "%s needs one of %s", schema->what, either);
}

bool ic_only_known_keys(ic_faults *faults, const ic_yaml *mapping, const ic_schema *schema)
{
    bool good = true;
    if (ic_fault_lacks_space(faults, mapping)) return false;
    if (mapping->kind != IC_YAML_MAPPING)
        return ic_fault_add(faults, mapping->place, "expected a mapping: KEY: VALUE");
    for (size_t i = 0; i < mapping->n_keys; i++) {
        if (ic_schema_key(schema, mapping->keys[i]->text) == NULL)
            good = refuse_key(faults, mapping->keys[i], mapping->items[i], schema);
    }
    return good;
}

bool ic_known_keys(ic_faults *faults, const ic_yaml *mapping, const ic_schema *schema)
{
    return ic_only_known_keys(faults, mapping, schema) && has_needed(faults, mapping, schema);
}
