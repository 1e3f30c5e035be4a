/* SPDX-License-Identifier: MIT */
/* Cases with all formulas as operations with exact numbers: the text is read again for one variant. */
#include "casefile/kept.h"

#include "core/expression.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ic_casefile *exact_files; /* Kept until the process ends. */

enum { LONGEST_SIZES = 512 };

/* These settings, as one text. */
static void write_sizes(char text[LONGEST_SIZES], const ic_casefile *c, const char *const *settings, size_t n)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t k = 0; k < n && used < LONGEST_SIZES; k++) {
        if (ic_sets_size(c, settings[k]))
            used += (size_t)snprintf(text + used, LONGEST_SIZES - used, "%s;", settings[k]);
    }
}

/* Whether a case was read from the text of another for this variant, with the same sizes. */
static bool is_exact_form(const ic_casefile *c, const ic_case *system, const char *variant,
                          const char *const *settings, size_t n)
{
    char sizes[LONGEST_SIZES];
    write_sizes(sizes, c, settings, n);
    return strcmp(c->system.text, system->text) == 0 && strcmp(c->exact, variant) == 0 &&
           strcmp(c->exact_sizes, sizes) == 0;
}

/* Reads the text of a case for a variant, and keeps the case. */
static ic_casefile *read_exact(const ic_case *system, const char *variant, const char *const *settings,
                               size_t n, ic_error *error)
{
    char sizes[LONGEST_SIZES];
    ic_casefile *c =
        ic_casefile_make(system->name, system->text, strlen(system->text), settings, n, variant, error);
    if (c == NULL) return NULL;
    write_sizes(sizes, c, settings, n);
    c->exact_sizes = ic_arena_copy(&c->arena, sizes, strlen(sizes));
    if (c->exact_sizes == NULL) {
        ic_error_no_memory(error);
        ic_casefile_free(c);
        return NULL;
    }
    c->next_exact = exact_files;
    exact_files = c;
    return c;
}

/* The settings of parameters on which sizes depend. Others are no part of the text, whose units hold for its own. */
static size_t settings_of_sizes(const char **chosen, const ic_casefile *c, const char *const *settings,
                                size_t n)
{
    size_t count = 0;
    for (size_t k = 0; k < n; k++) {
        if (ic_sets_size(c, settings[k])) chosen[count++] = settings[k];
    }
    return count;
}

const ic_case *ic_casefile_exact(const ic_case *system, const char *variant, const char *const *settings,
                                 size_t n, ic_error *error)
{
    ic_casefile *found = NULL;
    if (system->text == NULL) {
        ic_error_set(error, "case '%s' is not from a case file", system->name);
        return NULL;
    }
    ic_kept_lock();
    for (ic_casefile *c = exact_files; c != NULL && found == NULL; c = c->next_exact) {
        if (is_exact_form(c, system, variant, settings, n)) found = c;
    }
    if (found == NULL) {
        found = read_exact(system, variant, NULL, 0, error);
        if (found != NULL && !is_exact_form(found, system, variant, settings, n)) {
            const char **chosen = calloc(n + 1, sizeof *chosen);
            const size_t count = chosen == NULL ? 0 : settings_of_sizes(chosen, found, settings, n);
            found = chosen == NULL ? NULL : read_exact(system, variant, chosen, count, error);
            if (chosen == NULL) ic_error_no_memory(error);
            free(chosen);
        }
    }
    ic_kept_unlock();
    return found == NULL ? NULL : &found->system;
}
