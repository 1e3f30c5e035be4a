/* SPDX-License-Identifier: MIT */
/* Reads the sections about the answers of a case: what is published about it. */
#include "casefile/sections.h"

#include "casefile/dimension.h"

#include <string.h>

/* ---- statements */

/* A counter-value as one text: "[k=2]", which YAML reads as a list if it has no quotes. */
static const char *counter_text(ic_case_reader *r, const ic_yaml *statement)
{
    const ic_yaml *counter = ic_yaml_get(statement, "counter");
    if (counter == NULL || counter->kind != IC_YAML_SEQUENCE)
        return ic_key_text(r->faults, statement, "counter", "");
    const char *text = "[";
    for (size_t i = 0; i < counter->n_items && text != NULL; i++)
        text = ic_arena_print(r->arena, "%s%s%s", text, i > 0 ? ", " : "", counter->items[i]->text);
    return text == NULL ? NULL : ic_arena_print(r->arena, "%s]", text);
}

static bool read_statement(ic_case_reader *r, const ic_case *system, void *entry, const ic_yaml *key,
                           const ic_yaml *section)
{
    ic_statement *statement = entry;
    if (!ic_known_keys(r->faults, section, &ic_schema_statement)) return false;
    statement->id = key->text;
    statement->kind = ic_key_text(r->faults, section, "kind", "statement");
    statement->source = ic_key_text(r->faults, section, "source", system->source);
    statement->place = ic_key_text(r->faults, section, "place", "");
    statement->says = ic_key_text(r->faults, section, "says", "");
    statement->should_be = ic_key_text(r->faults, section, "should_be", "");
    statement->measure = ic_key_text(r->faults, section, "measure", "");
    statement->is = ic_key_text(r->faults, section, "is", "");
    statement->counter = counter_text(r, section);
    statement->limits = ic_key_text(r->faults, section, "limits", "");
    const char *note = ic_key_text(r->faults, section, "note", ""),
               *evidence = ic_key_text(r->faults, section, "evidence", "");
    if (note == NULL || evidence == NULL) return false;
    const bool both = note[0] != '\0' && evidence[0] != '\0';
    statement->note = ic_arena_print(r->arena, "%s%s%s", evidence, both ? "; " : "", note);
    return statement->note != NULL;
}

/* ---- closed forms */

static bool read_closed_form(ic_case_reader *r, const ic_case *system, void *entry, const ic_yaml *key,
                             const ic_yaml *section)
{
    (void)system;
    ic_closed_form *form = entry;
    char unit[IC_DIMENSION_TEXT];
    ic_dimension dimension = {.any = true};
    if (!ic_known_keys(r->faults, section, &ic_schema_closed_form)) return false;
    const ic_yaml *is = ic_yaml_get(section, "is");
    form->name = key->text;
    form->of = ic_key_text(r->faults, section, "of", "");
    form->meaning = ic_key_text(r->faults, section, "meaning", "");
    form->value = ic_read_parameter_text(r, is, &dimension, "a closed form");
    if (form->of == NULL || form->meaning == NULL || form->value == NULL) return false;
    const char *name = dimension.any ? "" : ic_dimension_text(unit, &dimension);
    form->unit = ic_arena_copy(r->arena, name, strlen(name));
    return form->unit != NULL;
}

/* ---- all of them */

bool ic_read_entries(ic_case_reader *r, const ic_case *system, const ic_yaml *section, const char *expected,
                     ic_entry_kind kind, const void **entries, size_t *n)
{
    *n = 0;
    if (section == NULL) return true;
    if (section->kind != IC_YAML_MAPPING)
        return ic_fault_add(r->faults, section->place, "expected %s", expected);
    char *table = ic_arena_take(r->arena, (section->n_keys + 1) * kind.size);
    bool good = table != NULL;
    for (size_t i = 0; i < section->n_keys && table != NULL; i++)
        good = kind.read(r, system, table + i * kind.size, section->keys[i], section->items[i]) && good;
    *entries = table;
    *n = section->n_keys;
    return good;
}

bool ic_read_answers(ic_case_reader *r, ic_case *system)
{
    static const ic_entry_kind statement = {sizeof(ic_statement), read_statement},
                               figure = {sizeof(ic_figure), ic_read_figure},
                               closed_form = {sizeof(ic_closed_form), read_closed_form};
    const void *statements = NULL, *figures = NULL, *closed_forms = NULL;
    bool good = ic_read_entries(r, system, ic_yaml_get(r->root, "statements"),
                                "statements by name: {rebound: {place: Fig. 2, says: ..., measure: ..., "
                                "is: ..., counter: ...}}",
                                statement, &statements, &system->n_statements);
    good = ic_read_entries(r, system, ic_yaml_get(r->root, "figures"),
                           "figures by name: {rebound: {vary: {e: 0 .. 1}, curves: {calculated: {measure: "
                           "final(v)}}}}",
                           figure, &figures, &system->n_figures) &&
           ic_read_entries(r, system, ic_yaml_get(r->root, "closed_forms"),
                           "closed forms by name: {fall: {of: \"event_time(drop; floor; 1)\", is: "
                           "sqrt(2*h/g)}}",
                           closed_form, &closed_forms, &system->n_closed_forms) &&
           good;
    system->statements = statements;
    system->figures = figures;
    system->closed_forms = closed_forms;
    return good;
}
