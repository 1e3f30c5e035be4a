/* SPDX-License-Identifier: MIT */
#include "validation/selection.h"
#include "registry/registry.h"

#include <stdio.h>
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
