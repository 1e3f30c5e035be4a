/* SPDX-License-Identifier: MIT */
#include "core/names.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Defines a function that returns the number of the element of a table with a name; of all elements, if none has it. */
#define NUMBER_BY_NAME(function_, owner_, of_, table_)                                                         \
    function_(const owner_ *of_, const char *name)                                                             \
    {                                                                                                          \
        size_t i = 0;                                                                                          \
        while (i < of_->n_##table_ && strcmp(of_->table_[i].name, name) != 0) i++;                             \
        return i;                                                                                              \
    }
/* The same with a function that returns the element, or NULL. */
#define ELEMENT_BY_NAME(element_, owner_, of_, table_)                                                         \
    NUMBER_BY_NAME(static size_t find_##element_, owner_, of_, table_)                                         \
    const ic_##element_ *ic_##element_##_find(const owner_ *of_, const char *name)                             \
    {                                                                                                          \
        const size_t i = find_##element_(of_, name);                                                           \
        return i < of_->n_##table_ ? &of_->table_[i] : NULL;                                                   \
    }
ELEMENT_BY_NAME(preset, ic_case, system, presets)
ELEMENT_BY_NAME(variant, ic_case, system, variants)
ELEMENT_BY_NAME(guard, ic_mode, mode, guards)
NUMBER_BY_NAME(size_t ic_output_find, ic_case, system, outputs)
NUMBER_BY_NAME(size_t ic_state_find, ic_case, system, states)
NUMBER_BY_NAME(size_t ic_parameter_find, ic_case, system, parameters)
NUMBER_BY_NAME(size_t ic_law_parameter, ic_law, law, parameters)
NUMBER_BY_NAME(static size_t find_mode, ic_variant, variant, modes)

int ic_mode_find(const ic_variant *variant, const char *name)
{
    const size_t i = find_mode(variant, name);
    return i < variant->n_modes ? (int)i : -1;
}

/* Whether a list, which may be NULL and ends with NULL, has a name. */
static bool lists_name(const char *const *list, const char *name)
{
    while (list != NULL && *list != NULL && strcmp(*list, name) != 0) list++;
    return list != NULL && *list != NULL;
}

bool ic_state_is_discrete(const ic_case *system, size_t i)
{
    return lists_name(system->discrete, system->states[i].name);
}

const char ic_memory_name[] = "memory";

bool ic_state_is_derived(const ic_case *system, size_t i)
{
    const char *name = system->states[i].name;
    return (system->contact != NULL && lists_name(system->contact->derived, name)) ||
           strcmp(name, ic_memory_name) == 0;
}

size_t ic_name_distance(const char *a, const char *b)
{
    /* Levenshtein distance with one row. Names longer than the row count as entirely different. */
    enum { LONGEST = 63 };
    size_t row[LONGEST + 1];
    const size_t length_a = strlen(a), length_b = strlen(b);
    if (length_a > LONGEST || length_b > LONGEST) return LONGEST;
    for (size_t j = 0; j <= length_b; j++) row[j] = j;
    for (size_t i = 1; i <= length_a; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= length_b; j++) {
            const size_t above = row[j];
            size_t best = diagonal + (a[i - 1] != b[j - 1]);
            if (above + 1 < best) best = above + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            row[j] = best;
            diagonal = above;
        }
    }
    return row[length_b];
}

void ic_nearest_offer(ic_nearest *nearest, const char *name)
{
    const size_t length = nearest->wrong == NULL ? 0 : strlen(nearest->wrong);
    if (length == 0) return;
    /* Names that differ only in case are the nearest. */
    const size_t distance = strcasecmp(nearest->wrong, name) == 0 ? 0 : ic_name_distance(nearest->wrong, name);
    const bool abbreviated = length >= 2 && strncmp(nearest->wrong, name, length) == 0;
    /* at most half of its letters are wrong, rounded up: 'rnu' differs in two from 'run' */
    const bool near = distance < length && 2 * distance <= length + 1;
    if (!(abbreviated || near) || (nearest->name.text[0] != '\0' && distance >= nearest->distance)) return;
    snprintf(nearest->name.text, sizeof nearest->name.text, "%s", name);
    nearest->distance = distance;
}

ic_hint ic_nearest_hint(const ic_nearest *nearest)
{
    ic_hint hint = {""};
    const char *name = nearest->name.text;
    if (name[0] != '\0') snprintf(hint.text, sizeof hint.text, "; did you mean '%.100s'?", name);
    return hint;
}

bool ic_glob(const char *pattern, const char *text)
{
    /* A text equal to the pattern matches: roller/III/C* is a preset. */
    if (strcmp(pattern, text) == 0) return true;
    const char *star = NULL, *retry = NULL;
    while (*text != '\0') {
        if (*pattern == '*') {
            star = pattern++;
            retry = text;
        } else if (*pattern == '?' || *pattern == *text) {
            pattern++;
            text++;
        } else if (star != NULL) {
            pattern = star + 1;
            text = ++retry;
        } else {
            return false;
        }
    }
    while (*pattern == '*') pattern++;
    return *pattern == '\0';
}
