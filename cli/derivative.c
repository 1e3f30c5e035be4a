/* SPDX-License-Identifier: MIT */
#include "cli/derivative.h"
#include "casefile/casefile.h"
#include "cli/command.h"
#include "core/names.h"
#include "reference/orbit/discrete.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 128 };

/* ---- what is asked */

/* The parameter or state of a name; both -1: there is none. */
static ic_tangent_direction find(const ic_case *system, const char *name)
{
    ic_tangent_direction found = {.parameter = -1, .state = -1};
    const size_t parameter = ic_parameter_find(system, name);
    if (parameter < system->n_parameters) {
        found.parameter = (int)parameter;
        return found;
    }
    const size_t state = ic_state_find(system, name);
    if (state < system->n_states) found.state = (int)state;
    return found;
}

static bool refuse_unknown(const cli_arguments *arguments, const ic_case *system, const char *name)
{
    ic_nearest nearest = {.wrong = name};
    for (size_t i = 0; i < system->n_parameters; i++) ic_nearest_offer(&nearest, system->parameters[i].name);
    for (size_t i = 0; i < system->n_states; i++) ic_nearest_offer(&nearest, system->states[i].name);
    return cli_refuse(arguments->command, "option --derivative: '%s' has no parameter or state '%s'%s",
                      system->name, name, ic_nearest_hint(&nearest).text);
}

bool cli_directions_read(cli_directions *directions, const cli_arguments *arguments, size_t option,
                         const ic_problem *problem)
{
    const ic_case *system = problem->system;
    const char *text = cli_value(arguments, option);
    char name[NAME];
    for (bool more = text != NULL; more;) {
        const size_t length = strcspn(text, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, text);
        const ic_tangent_direction found = find(system, name);
        if (found.parameter < 0 && found.state < 0) return refuse_unknown(arguments, system, name);
        if (found.state >= 0 && ic_state_takes_numbers(problem, (size_t)found.state))
            return cli_refuse(arguments->command,
                              "option --derivative: '%s' takes single values, and has no derivative", name);
        if (found.parameter >= 0 && ic_casefile_is_size(system, (size_t)found.parameter))
            return cli_refuse(arguments->command, "option --derivative: '%s' is a number of parts", name);
        for (size_t i = 0; i < directions->n; i++) {
            if (memcmp(&directions->list[i], &found, sizeof found) == 0)
                return cli_refuse(arguments->command, "option --derivative: '%s' stands there twice", name);
        }
        if (directions->n == IC_MAX_DIRECTIONS)
            return cli_refuse(arguments->command, "option --derivative: at most %d names at once",
                              IC_MAX_DIRECTIONS);
        directions->list[directions->n++] = found;
        more = text[length] == ',';
        text += length + more;
    }
    return true;
}

const char *cli_direction_name(const ic_case *system, const ic_tangent_direction *direction)
{
    return direction->parameter >= 0 ? system->parameters[direction->parameter].name
                                     : system->states[direction->state].name;
}

/* ---- the answer */

static void add_states(cli_certified *answer, cli_quantities *to, const ic_derivatives *d, arb_srcptr x)
{
    const ic_case *system = answer->instance->setup.problem.system;
    for (slong i = 0; i < d->n; i++) {
        cli_quantity *added = cli_certified_add(answer, to, system->states[i].name, x == NULL ? NULL : x + i);
        added->unit = system->states[i].unit;
    }
}

static void add_outputs(cli_certified *answer, cli_derivative *to, const ic_derivatives *d, slong direction)
{
    const ic_case *system = answer->instance->setup.problem.system;
    IC_BALLS(value);
    for (size_t i = 0; i < system->n_outputs; i++) {
        const bool known = ic_derivatives_of_output(value, d, i, direction);
        cli_certified_add(answer, &to->outputs, system->outputs[i].name, known ? value : NULL)->unit =
            system->outputs[i].unit;
    }
}

static void add_direction(cli_certified *answer, cli_derivative *to, const ic_derivatives *d, slong direction)
{
    IC_BALL_VECTOR(at, 1 + 2 * d->n);
    to->n_states = (size_t)d->n;
    for (size_t i = 0; i < d->run.count; i++) {
        const bool known = ic_derivatives_of_event(at, d, i, direction);
        cli_certified_add(answer, &to->times, "t", known ? at : NULL);
        if (!answer->format.json) continue;
        add_states(answer, &to->before, d, known ? at + 1 : NULL);
        add_states(answer, &to->after, d, known ? at + 1 + d->n : NULL);
    }
    if (d->run.mode < 0) return;
    add_states(answer, &to->state, d, ic_derivatives_of_state(d, direction));
    add_outputs(answer, to, d, direction);
}

void cli_derivatives_add(cli_certified *answer, const ic_derivatives *d, const cli_directions *directions)
{
    const ic_case *system = answer->instance->setup.problem.system;
    if (!answer->has_json) return;
    answer->derivatives = calloc(directions->n, sizeof *answer->derivatives);
    if (answer->derivatives == NULL) answer->out_of_memory = true;
    answer->ended = d->run.mode >= 0 && answer->instance->setup.problem.variant->modes[d->run.mode].terminal;
    for (size_t k = 0; k < directions->n && answer->derivatives != NULL; k++) {
        const ic_tangent_direction along = directions->list[k];
        cli_derivative *to = &answer->derivatives[answer->n_derivatives++];
        to->name = d->names[k];
        to->unit =
            along.parameter >= 0 ? system->parameters[along.parameter].unit : system->states[along.state].unit;
        add_direction(answer, to, d, (slong)k);
    }
}
