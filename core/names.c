/* SPDX-License-Identifier: MIT */
#include "core/names.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

const ic_preset *ic_preset_find(const ic_case *system, const char *name)
{
    for (size_t i = 0; i < system->n_presets; i++) {
        if (strcmp(system->presets[i].name, name) == 0) return &system->presets[i];
    }
    return NULL;
}

const ic_variant *ic_variant_find(const ic_case *system, const char *name)
{
    for (size_t i = 0; i < system->n_variants; i++) {
        if (strcmp(system->variants[i].name, name) == 0) return &system->variants[i];
    }
    return NULL;
}

const ic_guard *ic_guard_find(const ic_mode *mode, const char *name)
{
    for (size_t i = 0; i < mode->n_guards; i++) {
        if (strcmp(mode->guards[i].name, name) == 0) return &mode->guards[i];
    }
    return NULL;
}

size_t ic_output_find(const ic_case *system, const char *name)
{
    size_t i = 0;
    while (i < system->n_outputs && strcmp(system->outputs[i].name, name) != 0) i++;
    return i;
}

size_t ic_state_find(const ic_case *system, const char *name)
{
    size_t i = 0;
    while (i < system->n_states && strcmp(system->states[i].name, name) != 0) i++;
    return i;
}

bool ic_state_is_discrete(const ic_case *system, size_t i)
{
    for (const char *const *name = system->discrete; name != NULL && *name != NULL; name++) {
        if (strcmp(*name, system->states[i].name) == 0) return true;
    }
    return false;
}

size_t ic_parameter_find(const ic_case *system, const char *name)
{
    size_t i = 0;
    while (i < system->n_parameters && strcmp(system->parameters[i].name, name) != 0) i++;
    return i;
}

size_t ic_law_parameter(const ic_law *law, const char *name)
{
    size_t i = 0;
    while (i < law->n_parameters && strcmp(law->parameters[i].name, name) != 0) i++;
    return i;
}

int ic_mode_find(const ic_variant *variant, const char *name)
{
    for (size_t i = 0; i < variant->n_modes; i++) {
        if (strcmp(variant->modes[i].name, name) == 0) return (int)i;
    }
    return -1;
}

const char ic_memory_name[] = "memory";

bool ic_state_is_derived(const ic_case *system, size_t i)
{
    const char *name = system->states[i].name;
    const char *const *derived = system->contact != NULL ? system->contact->derived : NULL;
    for (; derived != NULL && *derived != NULL; derived++) {
        if (strcmp(*derived, name) == 0) return true;
    }
    return strcmp(name, ic_memory_name) == 0;
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
