/* SPDX-License-Identifier: MIT */
#include "validation/selection.h"
#include "casefile/casefile.h"
#include "core/array.h"
#include "registry/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_left_out(const ic_selection *selection, const ic_case *system)
{
    if (selection->left_out == NULL) return false;
    for (size_t i = 0; i < ic_case_count; i++) {
        if (selection->left_out[i] && strcmp(ic_cases[i]->name, system->name) == 0) return true;
    }
    return false;
}

bool ic_selects_preset(const ic_selection *selection, const ic_case *system, const ic_preset *preset)
{
    char path[128];
    if (is_left_out(selection, system)) return false;
    if (selection->subjects == NULL || ic_glob(selection->subjects, system->name)) return true;
    snprintf(path, sizeof path, "%s/%s", system->name, preset->name);
    return ic_glob(selection->subjects, path);
}

bool ic_selects_case(const ic_selection *selection, const ic_case *system)
{
    for (size_t i = 0; i < system->n_presets; i++) {
        if (ic_selects_preset(selection, system, &system->presets[i])) return true;
    }
    return false;
}

bool ic_selects_solver(const ic_selection *selection, const ic_solver *solver)
{
    if (selection->own && ic_is_peer(solver->name)) return false;
    return selection->solvers == NULL || ic_glob(selection->solvers, solver->name);
}

bool ic_selection_matches(const ic_selection *selection, char *message, size_t size)
{
    bool any = false;
    for (size_t i = 0; i < ic_case_count; i++) any = any || ic_selects_case(selection, ic_cases[i]);
    if (!any) {
        snprintf(message, size, "no case or preset matches '%s' (impactcheck list presets shows all)",
                 selection->subjects);
        return false;
    }
    any = false;
    for (size_t i = 0; i < ic_solver_count; i++) any = any || ic_selects_solver(selection, ic_solvers[i]);
    if (!any) {
        snprintf(message, size, "no solver%s matches '%s' (impactcheck list solvers shows all)",
                 selection->own ? " of this project" : "", selection->solvers);
    }
    return any;
}

/* ---- lists of presets */

static bool add_name(ic_subject_list *list, const char *name, ic_error *error)
{
    char **names = ic_array_reserve(list->names, &list->capacity, list->count, sizeof *names);
    if (names != NULL) list->names = names;
    char *copy = names != NULL ? strdup(name) : NULL;
    if (copy == NULL) return ic_error_no_memory(error);
    list->names[list->count++] = copy;
    return true;
}

/* Presets of a case that match; their paths begin with `root`. */
static bool add_matches(ic_subject_list *list, const ic_case *system, const char *root, const char *pattern,
                        ic_error *error)
{
    char path[512];
    for (size_t i = 0; i < system->n_presets; i++) {
        snprintf(path, sizeof path, "%s/%s", root, system->presets[i].name);
        if (ic_glob(pattern, path) && !add_name(list, path, error)) return false;
    }
    return true;
}

bool ic_is_pattern(const char *path)
{
    char name[512];
    if (strpbrk(path, "*?") == NULL) return false;
    for (size_t c = 0; c < ic_case_count; c++) {
        for (size_t i = 0; i < ic_cases[c]->n_presets; i++) {
            snprintf(name, sizeof name, "%s/%s", ic_cases[c]->name, ic_cases[c]->presets[i].name);
            if (strcmp(path, name) == 0) return false;
        }
    }
    return true;
}

bool ic_subject_list_add(ic_subject_list *list, const char *path, ic_error *error)
{
    const size_t before = list->count, length = ic_casefile_path(path);
    if (!ic_is_pattern(path)) return add_name(list, path, error);
    if (length > 0) {
        char file[512];
        snprintf(file, sizeof file, "%.*s", (int)length, path);
        const ic_case *system = ic_casefile_find(file, error);
        if (system == NULL || !add_matches(list, system, file, path, error)) return false;
    }
    for (size_t i = 0; i < ic_case_count && length == 0; i++) {
        if (!add_matches(list, ic_cases[i], ic_cases[i]->name, path, error)) return false;
    }
    if (list->count > before) return true;
    ic_error_set(error, "no preset matches '%s' (impactcheck list presets shows all)", path);
    return false;
}

void ic_subject_list_free(ic_subject_list *list)
{
    for (size_t i = 0; i < list->count; i++) free(list->names[i]);
    free(list->names);
    *list = (ic_subject_list){0};
}
