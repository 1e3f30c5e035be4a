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
        return ic_reader_text(r, statement, "counter", "");
    const char *text = "[";
    for (size_t i = 0; i < counter->n_items && text != NULL; i++)
        text = ic_arena_print(r->arena, "%s%s%s", text, i > 0 ? ", " : "", counter->items[i]->text);
    return text == NULL ? NULL : ic_arena_print(r->arena, "%s]", text);
}

static bool read_statement(ic_case_reader *r, const ic_case *system, ic_statement *statement,
                           const ic_yaml *key, const ic_yaml *section)
{
    static const char *const keys[] = {"source", "place",    "says",   "measure", "is",        "counter",
                                       "note",   "evidence", "limits", "kind",    "should_be", NULL};
    if (!ic_reader_keys(r, section, keys)) return false;
    statement->id = key->text;
    statement->kind = ic_reader_text(r, section, "kind", "statement");
    statement->source = ic_reader_text(r, section, "source", system->source);
    statement->place = ic_reader_text(r, section, "place", "");
    statement->says = ic_reader_text(r, section, "says", "");
    statement->should_be = ic_reader_text(r, section, "should_be", "");
    statement->measure = ic_reader_text(r, section, "measure", "");
    statement->is = ic_reader_text(r, section, "is", "");
    statement->counter = counter_text(r, section);
    statement->limits = ic_reader_text(r, section, "limits", "");
    const char *note = ic_reader_text(r, section, "note", ""),
               *evidence = ic_reader_text(r, section, "evidence", "");
    if (note == NULL || evidence == NULL) return false;
    const bool both = note[0] != '\0' && evidence[0] != '\0';
    statement->note = ic_arena_print(r->arena, "%s%s%s", evidence, both ? "; " : "", note);
    return statement->note != NULL;
}

static bool read_statements(ic_case_reader *r, ic_case *system)
{
    const ic_yaml *section = ic_yaml_get(r->root, "statements");
    if (section == NULL) return true;
    if (section->kind != IC_YAML_MAPPING)
        return ic_fault_add(r->faults, section->place,
                            "expected statements by name: {rebound: {place: Fig. 2, says: ..., measure: ..., "
                            "is: ..., counter: ...}}");
    ic_statement *statements = ic_arena_take(r->arena, (section->n_keys + 1) * sizeof *statements);
    bool good = statements != NULL;
    for (size_t i = 0; i < section->n_keys && statements != NULL; i++)
        good = read_statement(r, system, &statements[i], section->keys[i], section->items[i]) && good;
    system->statements = statements;
    system->n_statements = section->n_keys;
    return good;
}

/* ---- closed forms */

static bool read_closed_form(ic_case_reader *r, ic_closed_form *form, const ic_yaml *key,
                             const ic_yaml *section)
{
    static const char *const keys[] = {"of", "is", "meaning", NULL};
    char unit[IC_DIMENSION_TEXT];
    ic_dimension dimension = {.any = true};
    if (!ic_reader_keys(r, section, keys)) return false;
    const ic_yaml *is = ic_yaml_get(section, "is");
    if (is == NULL || ic_yaml_get(section, "of") == NULL)
        return ic_fault_add(r->faults, key->place,
                            "expected a quantity and its formula: {of: \"event_time(drop; floor; 1)\", is: "
                            "sqrt(2*h/g)}");
    form->name = key->text;
    form->of = ic_reader_text(r, section, "of", "");
    form->meaning = ic_reader_text(r, section, "meaning", "");
    form->value = ic_read_parameter_text(r, is, &dimension, "a closed form");
    if (form->of == NULL || form->meaning == NULL || form->value == NULL) return false;
    const char *name = dimension.any ? "" : ic_dimension_text(unit, &dimension);
    form->unit = ic_arena_copy(r->arena, name, strlen(name));
    return form->unit != NULL;
}

static bool read_closed_forms(ic_case_reader *r, ic_case *system)
{
    const ic_yaml *section = ic_yaml_get(r->root, "closed_forms");
    if (section == NULL) return true;
    if (section->kind != IC_YAML_MAPPING)
        return ic_fault_add(r->faults, section->place,
                            "expected closed forms by name: {fall: {of: \"event_time(drop; floor; 1)\", is: "
                            "sqrt(2*h/g)}}");
    ic_closed_form *forms = ic_arena_take(r->arena, (section->n_keys + 1) * sizeof *forms);
    bool good = forms != NULL;
    for (size_t i = 0; i < section->n_keys && forms != NULL; i++)
        good = read_closed_form(r, &forms[i], section->keys[i], section->items[i]) && good;
    system->closed_forms = forms;
    system->n_closed_forms = section->n_keys;
    return good;
}

/* ---- all of them */

bool ic_read_answers(ic_case_reader *r, ic_case *system)
{
    const bool good = read_statements(r, system);
    return ic_read_figures(r, system) && read_closed_forms(r, system) && good;
}
