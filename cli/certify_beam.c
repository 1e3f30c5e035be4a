/* SPDX-License-Identifier: MIT */
#include "cli/certified.h"
#include "reference/beam_case.h"

#include <stdio.h>
#include <string.h>

/* The word that replaces "certified". */
#define LABEL "self-converged"

static bool is_time_event(const ic_variant *variant, const char *name)
{
    for (size_t i = 0; i < variant->n_time_events; i++) {
        if (strcmp(variant->time_events[i].name, name) == 0) return true;
    }
    return false;
}

static void add_event(cli_certified *answer, const ic_beam_answer *a, const ic_beam_event *event)
{
    const ic_variant *variant = answer->instance->setup.problem.variant;
    cli_certified_event *added = cli_certified_add_event(answer, event->t);
    added->kind = is_time_event(variant, event->name) ? "time" : "guard";
    added->name = event->name;
    added->from = event->from;
    added->to = event->to;
    cli_certified_add_states(answer, &added->after, event->x, a->n_states, ic_beam_state_of);
}

static void fill_answer(cli_certified *answer, const ic_beam_answer *a)
{
    const bool good = a->status == IC_OK;
    cli_certified_set_status(answer, a->status, LABEL, a->message);
    answer->colour = CLI_YELLOW;
    snprintf(answer->outcome, sizeof answer->outcome,
             " to %.1f digits, with %ld bits; no proof: radii are twice the difference of two answers",
             a->digits, (long)a->precision);
    if (!answer->has_json) return;
    answer->precision = a->precision;
    answer->steps = a->steps;
    cli_certified_add_parameters(answer, true);
    answer->has_events = answer->has_final = answer->at_end = good;
    if (!good) return;
    for (size_t i = 0; i < a->count; i++) add_event(answer, a, &a->events[i]);
    cli_certified_add(answer, &answer->t, "t", a->t);
    answer->t_shown = answer->instance->setup.problem.t_end;
    answer->mode = a->mode;
    cli_certified_add_states(answer, &answer->state, a->x, a->n_states, ic_beam_state_of);
}

int cli_certify_beam(const cli_arguments *arguments, const cli_instance *instance,
                     const cli_certified_format *format)
{
    ic_beam_answer found;
    cli_certified answer = {.instance = instance,
                            .format = *format,
                            .method =
                                "Taylor series of two orders and precisions that agree; parameters are exact",
                            .events_are = LABEL ", not proved",
                            .is_run = true};
    cli_progress_begin("certify", format->quiet);
    ic_beam_reference_of(&found, &instance->setup.problem, format->digits);
    cli_progress_end();
    fill_answer(&answer, &found);
    const int status = cli_certified_show(&answer, arguments->command);
    ic_beam_answer_clear(&found);
    flint_cleanup();
    return status;
}
