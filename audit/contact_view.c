/* SPDX-License-Identifier: MIT */
#include "audit/contact_view.h"

#include <string.h>

static const ic_contact_view views[] = {
    {"roller", .contact = 0, .free = 1, .gap = "gap", .force = "contact_force", .memory = "x_f"},
    {"two-mass", .contact = 1, .free = 0, .gap = "gap", .force = "interaction_force", .rigid = true},
    {"bouncing-ball", .contact = 1, .free = 0, .gap = "height", .rigid = true},
};

const ic_contact_view *ic_contact_view_of(const ic_case *system)
{
    for (size_t i = 0; i < IC_COUNT(views); i++) {
        if (strcmp(views[i].system, system->name) == 0) return &views[i];
    }
    return NULL;
}

bool ic_contact_memory(const ic_case *system, size_t i)
{
    const ic_contact_view *view = ic_contact_view_of(system);
    return view != NULL && view->memory != NULL && strcmp(system->states[i].name, view->memory) == 0;
}

size_t ic_output_number(const ic_case *system, const char *name)
{
    size_t i = 0;
    while (i < system->n_outputs && strcmp(system->outputs[i].name, name) != 0) i++;
    return i;
}
