/* SPDX-License-Identifier: MIT */
#include "casefile/subject.h"

#include <string.h>

/*
 * Index of the key at the beginning of a text, which one of `ends` follows; n_keys if no key
 * matches.
 */
static size_t find_key(const ic_yaml *mapping, const char *text, const char *ends)
{
    size_t i = 0;
    for (; i < mapping->n_keys; i++) {
        const size_t length = strlen(mapping->keys[i]->text);
        if (strncmp(mapping->keys[i]->text, text, length) == 0 && strchr(ends, text[length]) != NULL) break;
    }
    return i;
}

/* The entry of a section whose key follows `word` in the text; NULL if it does not exist. */
static const ic_yaml *find_part(const ic_yaml *tree, const char *section, const char *what, const char *word)
{
    const ic_yaml *parts = ic_yaml_get(tree, section);
    const char *at = strstr(what, word);
    const size_t i = parts == NULL || at == NULL ? 0 : find_key(parts, at + strlen(word), ",:");
    return parts == NULL || at == NULL || i == parts->n_keys ? NULL : parts->items[i];
}

/*
 * Finds the place of the part of a file, variant or mode that the text names. false: it names none.
 */
static bool find_place(ic_file_place *place, const ic_yaml *tree, const char *what)
{
    static const struct {
        const char *word, *section, *ends;
    } subjects[] = {{"preset ", "presets", ":"},
                    {", guard '", "until", "'"},
                    {", guard '", "elements", "' "},
                    {", invariant '", "keeps", "'"},
                    {", time event '", "times", "'"},
                    {", output '", "outputs", "'"},
                    {"rate of '", "flow", "'"},
                    {"scale of state '", "states", "'"},
                    {"stored energy changes", "energy", NULL},
                    {", start", "start", NULL}};
    for (size_t i = 0; i < IC_COUNT(subjects); i++) {
        const char *at = strstr(what, subjects[i].word);
        const ic_yaml *section = ic_yaml_get(tree, subjects[i].section);
        if (at == NULL || section == NULL) continue;
        const bool whole = subjects[i].ends == NULL;
        const size_t key = whole ? 0 : find_key(section, at + strlen(subjects[i].word), subjects[i].ends);
        if (!whole && key == section->n_keys) continue;
        *place = whole ? section->place : section->keys[key]->place;
        return true;
    }
    return false;
}

ic_file_place ic_casefile_subject(const ic_yaml *file, const char *what)
{
    const ic_yaml *variant = find_part(file, "variants", what, "variant ");
    const ic_yaml *const trees[] = {find_part(variant, "modes", what, ", mode "), variant,
                                    find_part(file, "modes", what, ", mode "), file};
    ic_file_place place = {0};
    for (size_t i = 0; i < IC_COUNT(trees); i++) {
        if (trees[i] != NULL && find_place(&place, trees[i], what)) break;
    }
    return place;
}

ic_file_place ic_casefile_place(const ic_yaml *file, const char *section, const char *name, const char *key,
                                size_t offset)
{
    const ic_yaml *entries = ic_yaml_get(file, section), *entry = ic_yaml_get(entries, name),
                  *text = ic_yaml_get(entry, key);
    if (text != NULL)
        return (ic_file_place){text->place.line, text->place.column + (text->literal ? offset : 0)};
    for (size_t i = 0; entry != NULL && i < entries->n_keys; i++) {
        if (entries->items[i] == entry) return entries->keys[i]->place;
    }
    return (ic_file_place){0};
}
