/* SPDX-License-Identifier: MIT */
#include "core/composition.h"

#include <stdlib.h>
#include <string.h>

/* A case with its longer tables behind it. */
typedef struct composed {
    ic_case system;
    ic_parameter *parameters;
    ic_output *outputs;
    ic_state states[IC_MAX_STATES];
} composed;

bool ic_parameter_repeats(const ic_parameter *table, size_t i)
{
    for (size_t k = 0; k < i; k++) {
        if (strcmp(table[k].name, table[i].name) == 0) return true;
    }
    return false;
}

/* Default of a law's parameter within the case: the case's word for it, the case's parameter of that name, the law's own. */
static const char *default_of(const ic_case *system, const ic_parameter *parameter)
{
    for (size_t i = 0; i < system->n_law_defaults; i++) {
        if (strcmp(system->law_defaults[i].name, parameter->name) == 0) return system->law_defaults[i].value;
    }
    for (size_t i = 0; i < system->n_parameters; i++) {
        if (strcmp(system->parameters[i].name, parameter->name) == 0) return parameter->name;
    }
    return parameter->value;
}

static void add_parameters(composed *c, const ic_law *law)
{
    const ic_case *system = &c->system;
    memcpy(c->parameters, system->parameters, system->n_parameters * sizeof *c->parameters);
    for (size_t i = 0; i < law->n_parameters; i++) {
        ic_parameter *row = &c->parameters[system->n_parameters + i];
        *row = law->parameters[i];
        row->value = default_of(system, row);
    }
    c->system.parameters = c->parameters;
    c->system.n_parameters += law->n_parameters;
}

/* The memory is of the size of 1/v0 or so: no scale is known beforehand, so that of its unit serves. */
static void add_memory(composed *c, const ic_law *law)
{
    memcpy(c->states, c->system.states, c->system.n_states * sizeof *c->states);
    c->states[c->system.n_states++] = (ic_state){
        .name = "memory",
        .unit = law->memory_unit != NULL ? law->memory_unit : "1",
        .meaning = law->remember != NULL ? "what the contact remembers of the speed at which it began"
                                         : "of the contact; this law has none",
        .scale = "1",
    };
    c->system.states = c->states;
}

/* Text forms are those of the case's own functions. */
static void replace_outputs(composed *c, const ic_variant *variant)
{
    memcpy(c->outputs, c->system.outputs, c->system.n_outputs * sizeof *c->outputs);
    for (size_t i = 0; i < c->system.n_outputs; i++) {
        for (size_t k = 0; k < variant->n_output_values; k++) {
            if (strcmp(c->outputs[i].name, variant->output_values[k].output) != 0) continue;
            c->outputs[i].value = variant->output_values[k].value;
            c->outputs[i].linear = NULL;
        }
    }
    c->system.outputs = c->outputs;
}

ic_case *ic_compose(const ic_case *system, const ic_variant *variant, ic_error *error)
{
    const ic_law *law = variant->law;
    const size_t rows = system->n_parameters + law->n_parameters;
    if (system->n_states >= IC_MAX_STATES) {
        ic_error_set(error, "case '%s' has no room for the memory of a law: %d states are the most",
                     system->name, IC_MAX_STATES);
        return NULL;
    }
    composed *c = malloc(sizeof *c + rows * sizeof(ic_parameter) + system->n_outputs * sizeof(ic_output));
    if (c == NULL) {
        ic_error_set(error, "memory ran out");
        return NULL;
    }
    c->system = *system;
    c->parameters = (ic_parameter *)(c + 1);
    c->outputs = (ic_output *)(c->parameters + rows);
    add_parameters(c, law);
    add_memory(c, law);
    replace_outputs(c, variant);
    return &c->system;
}
