/* SPDX-License-Identifier: MIT */
#include "audit/rows/contact_view.h"

#include <string.h>

static const ic_contact_view views[] = {
    {"roller", .contact = 0, .free = 1, .gap = "gap", .force = "contact_force", .recovers = true},
    {"two-mass", .contact = 1, .free = 0, .gap = "gap", .force = "interaction_force", .rigid = true},
    {"ball", .contact = 0, .free = 1, .force = "contact_force"},
    {"rotating-beam", .contact = 1, .free = 0, .gap = "gap", .force = "contact_force"},
    {"bouncing-ball", .contact = 1, .free = 0, .gap = "height", .rigid = true},
};

const ic_contact_view *ic_contact_view_of(const ic_case *system)
{
    for (size_t i = 0; i < IC_COUNT(views); i++) {
        if (strcmp(views[i].system, system->name) == 0) return &views[i];
    }
    return NULL;
}

/* "memory" is that of any law. */
static const struct {
    const char *system, *state;
} memories[] = {
    {"roller", "x_f"}, {"ball", "d_max"}, {"ball", "F_max"}, {"ball", "t_c"}, {"rotating-beam", "T"}};

bool ic_contact_memory(const ic_case *system, size_t i)
{
    const char *name = system->states[i].name;
    for (size_t k = 0; k < IC_COUNT(memories); k++) {
        if (strcmp(memories[k].system, system->name) == 0 && strcmp(memories[k].state, name) == 0) return true;
    }
    return strcmp(name, "memory") == 0;
}

size_t ic_output_number(const ic_case *system, const char *name)
{
    size_t i = 0;
    if (name == NULL) return system->n_outputs;
    while (i < system->n_outputs && strcmp(system->outputs[i].name, name) != 0) i++;
    return i;
}
