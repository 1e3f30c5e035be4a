/* SPDX-License-Identifier: MIT */
#include "cli/certified.h"
#include "core/composition.h"
#include "reference/expression.h"
#include "reference/flow/certify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Digits of JSON in addition to those of --digits. */
enum { SPARE_DIGITS = 3 };

/* A ball with `digits` digits, to be released. It has no value if memory ran out. */
static cli_quantity quantity_of(const char *name, arb_srcptr ball, long digits)
{
    cli_quantity quantity = {.name = name, .unit = "", .meaning = ""};
    quantity.infinite = !arb_is_finite(ball);
    if (!quantity.infinite) ic_ball_decimal(&quantity.value, &quantity.radius, ball, digits);
    return quantity;
}

static void free_quantity(cli_quantity *quantity)
{
    free(quantity->value);
    free(quantity->radius);
}

void cli_ball_show(ic_json *json, cli_table *table, const char *key, arb_srcptr ball, long digits,
                   bool *out_of_memory)
{
    cli_quantity quantity = quantity_of(key, ball, digits);
    *out_of_memory |= quantity.value == NULL && !quantity.infinite;
    if (json != NULL) cli_quantity_json(json, key, &quantity);
    else cli_quantity_cells(table, &quantity);
    free_quantity(&quantity);
}

cli_quantity *cli_certified_add(cli_certified *answer, cli_quantities *to, const char *name, arb_srcptr ball)
{
    static cli_quantity lost;
    cli_quantity *longer = realloc(to->list, (to->n + 1) * sizeof *longer);
    if (longer == NULL) {
        answer->out_of_memory = true;
        return &lost;
    }
    to->list = longer;
    cli_quantity *added = &to->list[to->n++];
    *added = (cli_quantity){.name = name, .unit = "", .meaning = ""};
    if (ball == NULL) return added;
    *added = quantity_of(name, ball, answer->format.digits + (answer->format.json ? SPARE_DIGITS : 0));
    answer->out_of_memory |= added->value == NULL && !added->infinite;
    return added;
}

void cli_certified_add_parameters(cli_certified *answer, bool known)
{
    const ic_problem *problem = &answer->instance->setup.problem;
    const slong n = (slong)problem->system->n_parameters;
    char message[256];
    arb_ptr values = _arb_vec_init(n);
    const bool good = !known || ic_ball_parameters(values, problem, answer->precision, message, sizeof message);
    for (slong i = 0; i < n && good; i++) {
        if (ic_parameter_repeats(problem->system->parameters, (size_t)i)) continue;
        cli_certified_add(answer, &answer->parameters, problem->system->parameters[i].name,
                          known ? values + i : NULL)
            ->exact = problem->par_text[i];
    }
    _arb_vec_clear(values, n);
}

void cli_certified_add_states(cli_certified *answer, cli_quantities *to, arb_srcptr x, slong n)
{
    const ic_case *system = answer->instance->setup.problem.system;
    for (slong i = 0; i < n; i++) {
        cli_quantity *added = cli_certified_add(answer, to, system->states[i].name, x + i);
        added->unit = system->states[i].unit;
        added->meaning = system->states[i].meaning;
    }
}

void cli_certified_set_status(cli_certified *answer, ic_status status, const char *proved, const char *reason)
{
    answer->status = status == IC_OK ? proved : ic_status_name(status);
    switch (status) {
    case IC_OK: answer->exit_status = CLI_GOOD; break;
    case IC_UNDECIDED: /* Proved up to this time, but not to the end. */
    case IC_ZENO: answer->exit_status = CLI_CHECK_FAILED; break;
    case IC_INVALID:
    case IC_UNSUPPORTED: answer->exit_status = CLI_BAD_INPUT; break;
    default: answer->exit_status = CLI_FAILURE;
    }
    answer->has_json = answer->exit_status != CLI_BAD_INPUT && status != IC_NO_MEMORY;
    answer->has_text = status == IC_OK;
    if (status == IC_OK) return;
    snprintf(answer->reason, sizeof answer->reason, "%s", reason);
    /* which limit was reached, or what is undecided, says the reason */
    if (reason[0] == '\0') snprintf(answer->message, sizeof answer->message, "%s", ic_status_text(status));
    else if (status == IC_TOO_MUCH_WORK) snprintf(answer->message, sizeof answer->message, "%s", reason);
    else if (status == IC_UNDECIDED) snprintf(answer->message, sizeof answer->message, "undecided: %s", reason);
    else snprintf(answer->message, sizeof answer->message, "%s; %s", ic_status_text(status), reason);
}

void cli_certified_add_advice(cli_certified *answer, const char *setting)
{
    const size_t used = strlen(answer->message);
    snprintf(
        answer->message + used, sizeof answer->message - used,
        "; a tie (a touch, equal forces, equal bodies) stays one with any number of bits: with --set %s the "
        "run is certified to its end",
        setting);
}

cli_certified_event *cli_certified_add_event(cli_certified *answer, arb_srcptr t)
{
    static cli_certified_event lost;
    cli_certified_event *longer = realloc(answer->events, (answer->n_events + 1) * sizeof *longer);
    if (longer == NULL) {
        answer->out_of_memory = true;
        return &lost;
    }
    answer->events = longer;
    cli_certified_event *added = &answer->events[answer->n_events++];
    *added = (cli_certified_event){.kind = NULL};
    cli_certified_add(answer, &added->t, "t", t);
    return added;
}

void cli_quantities_free(cli_quantities *quantities)
{
    for (size_t i = 0; i < quantities->n; i++) free_quantity(&quantities->list[i]);
    free(quantities->list);
    *quantities = (cli_quantities){NULL, 0};
}

static void free_answer(cli_certified *answer)
{
    for (size_t i = 0; i < answer->n_events; i++) {
        cli_certified_event *event = &answer->events[i];
        cli_quantities_free(&event->t);
        cli_quantities_free(&event->before);
        cli_quantities_free(&event->after);
        cli_quantities_free(&event->outputs);
    }
    free(answer->events);
    for (size_t i = 0; i < answer->n_derivatives; i++) {
        cli_derivative *derivative = &answer->derivatives[i];
        cli_quantities_free(&derivative->times);
        cli_quantities_free(&derivative->before);
        cli_quantities_free(&derivative->after);
        cli_quantities_free(&derivative->state);
        cli_quantities_free(&derivative->outputs);
    }
    free(answer->derivatives);
    cli_quantities_free(&answer->parameters);
    cli_quantities_free(&answer->t);
    cli_quantities_free(&answer->state);
    cli_quantities_free(&answer->outputs);
    cli_quantities_free(&answer->greatest);
    cli_quantities_free(&answer->least);
    cli_quantities_free(&answer->path);
}

int cli_certified_show(cli_certified *answer, const cli_command *command)
{
    bool good = !answer->out_of_memory;
    int status = answer->exit_status;
    if (!good) status = cli_no_memory(command);
    else if (answer->format.json && answer->has_json) cli_certified_json(answer, stdout);
    else if (!answer->format.quiet && !answer->format.json && answer->has_text)
        good = cli_certified_print(answer);
    fflush(stdout); /* Print the proved part before the reason for which it ends. */
    if (!good && !answer->out_of_memory) status = cli_no_memory(command);
    else if (good && status != CLI_GOOD) cli_failure(command, "%s", answer->message);
    free_answer(answer);
    return status;
}
