/* SPDX-License-Identifier: MIT */
#include "core/composition.h"
#include "core/names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A case followed by its extended tables. */
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

/*
 * Default of a law's parameter in a case: the case's default for it, otherwise the case's parameter
 * of the same name, otherwise the law's own default.
 */
static const char *law_parameter_default(const ic_case *system, const ic_parameter *parameter)
{
    for (size_t i = 0; i < system->n_law_defaults; i++) {
        if (strcmp(system->law_defaults[i].name, parameter->name) == 0) return system->law_defaults[i].value;
    }
    for (size_t i = 0; i < system->n_parameters; i++) {
        if (strcmp(system->parameters[i].name, parameter->name) == 0) return parameter->name;
    }
    return parameter->value;
}

static void set_parameters(composed *c, const ic_law *law)
{
    const ic_case *system = &c->system;
    memcpy(c->parameters, system->parameters, system->n_parameters * sizeof *c->parameters);
    for (size_t i = 0; law != NULL && i < law->n_parameters; i++) {
        ic_parameter *row = &c->parameters[system->n_parameters + i];
        *row = law->parameters[i];
        row->value = law_parameter_default(system, row);
    }
    c->system.parameters = c->parameters;
    if (law != NULL) c->system.n_parameters += law->n_parameters;
}

/*
 * Set the states: the first n of the case, then the memory of the law. The scale of the memory,
 * about 1/v0, is not known beforehand; 1 in its unit is used.
 */
static void set_states(composed *c, const ic_law *law, size_t n)
{
    if (c->system.states != c->states) memcpy(c->states, c->system.states, n * sizeof *c->states);
    c->system.states = c->states;
    c->system.n_states = n;
    if (law == NULL) return;
    c->states[c->system.n_states++] = (ic_state){
        .name = ic_memory_name,
        .unit = law->memory_unit != NULL ? law->memory_unit : "1",
        .meaning = law->remember != NULL ? "memory of the speed at which the contact began"
                                         : "memory of the contact; this law uses none",
        .scale = "1",
    };
}

/* For outputs that the variant replaces, the text forms are those of the variant. */
static void set_outputs(composed *c, const ic_variant *variant)
{
    memcpy(c->outputs, c->system.outputs, c->system.n_outputs * sizeof *c->outputs);
    for (size_t i = 0; i < c->system.n_outputs; i++) {
        for (size_t k = 0; k < variant->n_output_values; k++) {
            if (strcmp(c->outputs[i].name, variant->output_values[k].output) != 0) continue;
            c->outputs[i].value = variant->output_values[k].value;
            c->outputs[i].linear = variant->output_values[k].linear;
        }
    }
    c->system.outputs = c->outputs;
}

ic_case *ic_compose(const ic_case *system, const ic_variant *variant, ic_error *error)
{
    const ic_law *law = variant->law;
    const size_t rows = system->n_parameters + (law != NULL ? law->n_parameters : 0);
    if (system->n_states >= IC_MAX_STATES) {
        ic_error_set(
            error,
            "case '%s' has no room for the memory of a law: it already has %d states, the greatest number allowed",
            system->name, IC_MAX_STATES);
        return NULL;
    }
    composed *c = malloc(sizeof *c + rows * sizeof(ic_parameter) + system->n_outputs * sizeof(ic_output));
    if (c == NULL) {
        ic_error_no_memory(error);
        return NULL;
    }
    c->system = *system;
    c->parameters = (ic_parameter *)(c + 1);
    c->outputs = (ic_output *)(c->parameters + rows);
    set_parameters(c, law);
    set_states(c, law, system->n_states);
    set_outputs(c, variant);
    return &c->system;
}

bool ic_compose_states(ic_case *composed_case, const ic_variant *variant, const double *par, ic_error *error)
{
    composed *c = (composed *)composed_case; /* `system` is its first member */
    const size_t most = c->system.n_states - (variant->law != NULL ? 1 : 0);
    const ic_names names = {.system = &c->system, .par = par};
    double used = NAN;
    if (c->system.states_used == NULL) return true;
    if (!ic_expression_number(&used, c->system.states_used, &names, error)) return false;
    if (!(used >= 1 && used <= (double)most)) {
        ic_error_set(error, "case '%s': the number of states, %s = %g, must be from 1 to %zu", c->system.name,
                     c->system.states_used, used, most);
        return false;
    }
    set_states(c, variant->law, (size_t)used);
    return true;
}
