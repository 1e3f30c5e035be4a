/* SPDX-License-Identifier: MIT */
#include "audit/trajectory/checks/checks.h"

#include <string.h>

enum { SETTINGS_MOST = 48, SETTING = 64 };

/*
 * Settings "NAME=VALUE": those of the case's parameters, and those that the law shares with the
 * requested one.
 */
static size_t settings_for(char text[SETTINGS_MOST][SETTING], const ic_problem *problem, const ic_case *base,
                           const ic_law *law)
{
    const ic_case *system = problem->system;
    size_t count = 0;
    for (size_t i = 0; i < system->n_parameters && count < SETTINGS_MOST; i++) {
        const char *name = system->parameters[i].name;
        bool wanted = i < base->n_parameters;
        for (size_t j = 0; !wanted && j < law->n_parameters; j++)
            wanted = strcmp(law->parameters[j].name, name) == 0;
        if (!wanted || ic_parameter_repeats(system->parameters, i)) continue;
        snprintf(text[count++], SETTING, "%s=%.17g", name, problem->par[i]);
    }
    return count;
}

bool ic_law_setup_open(ic_setup *setup, const ic_problem *problem, const ic_law *law)
{
    const ic_case *base = ic_case_find(problem->system->name);
    char text[SETTINGS_MOST][SETTING], path[96];
    const char *settings[SETTINGS_MOST];
    ic_error ignored;
    *setup = (ic_setup){0};
    if (base == NULL) return false;
    const size_t n = settings_for(text, problem, base, law);
    for (size_t i = 0; i < n; i++) settings[i] = text[i];
    snprintf(path, sizeof path, "%s/%s", base->name, base->presets[0].name);
    const ic_request request = {.path = path, .settings = settings, .n_settings = n, .variant = law->name};
    return ic_setup_open(setup, &request, &ignored);
}
