/* SPDX-License-Identifier: MIT */
/* Problems from paths: CASE/PRESET, or FILE.yaml/PRESET. */
#include "registry/registry.h"

#include "casefile/casefile.h"
#include "core/composition.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The built-in case named by the first `length` characters of a path. */
static const ic_case *find_case(const char *path, size_t length, ic_error *error)
{
    char *name = ic_copy_text(path, length, error);
    if (name == NULL) return NULL;
    const ic_case *system = ic_case_find(name);
    if (system == NULL) {
        ic_nearest nearest = {.wrong = name};
        for (size_t i = 0; i < ic_case_count; i++) ic_nearest_offer(&nearest, ic_cases[i]->name);
        ic_error_set(error, "unknown case '%s'%s (impactcheck list cases shows all)", name,
                     ic_nearest_hint(&nearest).text);
    }
    free(name);
    return system;
}

static const ic_case *find_case_file(const char *path, size_t length, ic_error *error)
{
    char *file = ic_copy_text(path, length, error);
    const ic_case *system = file == NULL ? NULL : ic_casefile_find(file, error);
    free(file);
    return system;
}

bool ic_registry_use_file(const char **path, ic_error *error)
{
    const size_t length = ic_casefile_path(*path);
    if (length == 0) return true;
    const ic_case *system = find_case_file(*path, length, error);
    if (system == NULL) return false;
    static char name[256];
    snprintf(name, sizeof name, "%s%s", system->name, *path + length);
    ic_registry_use(system);
    *path = name;
    return true;
}

/* The case of a request; *within: the request for it. */
static const ic_case *case_of_request(const ic_request *request, ic_request *within, ic_error *error)
{
    const size_t file = ic_casefile_path(request->path);
    const size_t length = file > 0 ? file : strcspn(request->path, "/");
    const ic_case *system =
        file > 0 ? find_case_file(request->path, length, error) : find_case(request->path, length, error);
    if (system == NULL) return NULL;
    *within = *request;
    within->path = request->path[length] == '\0' ? NULL : request->path + length + 1;
    return ic_casefile_sized(system, within->path, within->settings, within->n_settings, error);
}

const ic_case *ic_setup_case(const ic_request *request, ic_error *error)
{
    ic_request within;
    ic_error unread;
    return case_of_request(request, &within, error != NULL ? error : &unread);
}

bool ic_setup_open(ic_setup *setup, const ic_request *request, ic_error *error)
{
    ic_request within;
    const ic_case *system = case_of_request(request, &within, error);
    *setup = (ic_setup){0};
    return system != NULL && ic_setup_open_case(setup, system, &within, error);
}

/* ---- problems with all formulas as operations */

/* Copies what the problem has from another one of its case. */
static void take_values(ic_problem *problem, const ic_problem *from)
{
    problem->par = from->par;
    problem->par_text = from->par_text;
    problem->t_start = from->t_start;
    problem->t_end = from->t_end;
    problem->t_end_text = from->t_end_text;
    problem->x_start = from->x_start;
    problem->mode_start = from->mode_start;
}

/* Writes the settings of the case's parameters that differ from their defaults: n texts NAME=VALUE. */
static char **make_settings(const ic_problem *problem, size_t *n, ic_error *error)
{
    const ic_case *system = problem->system;
    char **settings = calloc(system->n_parameters + 1, sizeof *settings);
    *n = 0;
    for (size_t i = 0; i < system->n_parameters && settings != NULL; i++) {
        const ic_parameter *p = &system->parameters[i];
        const char *value = problem->par_text == NULL ? NULL : problem->par_text[i];
        if (value == NULL || strcmp(value, p->value) == 0 || ic_parameter_repeats(system->parameters, i))
            continue;
        const size_t size = strlen(p->name) + strlen(value) + 2;
        settings[*n] = malloc(size);
        if (settings[*n] == NULL) break;
        snprintf(settings[(*n)++], size, "%s=%s", p->name, value);
    }
    if (settings == NULL) ic_error_no_memory(error);
    return settings;
}

bool ic_setup_exact(ic_setup *exact, const ic_problem *problem, ic_error *error)
{
    size_t n = 0;
    char **settings = make_settings(problem, &n, error);
    *exact = (ic_setup){0};
    const ic_case *system = settings == NULL ? NULL
                                             : ic_casefile_exact(problem->system, problem->variant->name,
                                                                 (const char *const *)settings, n, error);
    for (size_t i = 0; settings != NULL && i < n; i++) free(settings[i]);
    free(settings);
    if (system == NULL) return false;
    const ic_request request = {.variant = problem->variant->name};
    if (!ic_setup_open_case(exact, system, &request, error)) return false;
    take_values(&exact->problem, problem);
    return true;
}

bool ic_setup_derived(ic_setup *setup, ic_casefile **derived, const ic_problem *problem,
                      const char *const *names, size_t n, ic_error *error)
{
    ic_casefile_directions along = {.names = names, .n = n};
    char **settings = make_settings(problem, &along.n_settings, error);
    const ic_request request = {.variant = problem->variant->name};
    *setup = (ic_setup){0};
    along.settings = (const char *const *)settings;
    *derived =
        settings == NULL ? NULL : ic_casefile_derived(problem->system, problem->variant->name, &along, error);
    for (size_t i = 0; settings != NULL && i < along.n_settings; i++) free(settings[i]);
    free(settings);
    if (*derived == NULL || !ic_setup_open_case(setup, ic_casefile_case(*derived), &request, error)) {
        ic_casefile_free(*derived);
        *derived = NULL;
        return false;
    }
    take_values(&setup->problem, problem);
    return true;
}
