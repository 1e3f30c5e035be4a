/* SPDX-License-Identifier: MIT */
#include "cli/certify_beam.h"
#include "reference/beam_case.h"

#include <stdio.h>
#include <string.h>

/* In place of "certified". */
#define LABEL "self-converged"

static int exit_status(ic_status status)
{
    switch (status) {
    case IC_OK: return CLI_GOOD;
    case IC_UNDECIDED: return CLI_CHECK_FAILED;
    case IC_INVALID:
    case IC_UNSUPPORTED: return CLI_BAD_INPUT;
    default: return CLI_FAILURE;
    }
}

static void add_state(cli_certified *answer, cli_quantities *to, const ic_beam_answer *a, arb_srcptr x)
{
    for (slong i = 0; i < a->n_states; i++) {
        const ic_state *state = &answer->request->setup.problem.system->states[ic_beam_state_of(i)];
        cli_quantity *added = cli_certified_add(answer, to, state->name, x + i);
        added->unit = state->unit;
        added->meaning = state->meaning;
    }
}

static bool is_time_event(const ic_variant *variant, const char *name)
{
    for (size_t i = 0; i < variant->n_time_events; i++) {
        if (strcmp(variant->time_events[i].name, name) == 0) return true;
    }
    return false;
}

static void add_event(cli_certified *answer, const ic_beam_answer *a, const ic_beam_event *event)
{
    const ic_variant *variant = answer->request->setup.problem.variant;
    cli_certified_event *added = cli_certified_add_event(answer, event->t);
    added->kind = is_time_event(variant, event->name) ? "time" : "guard";
    added->name = event->name;
    added->from = event->from;
    added->to = event->to;
    add_state(answer, &added->after, a, event->x);
}

static void fill_status(cli_certified *answer, const ic_beam_answer *a)
{
    const bool good = a->status == IC_OK;
    answer->status = good ? LABEL : ic_status_name(a->status);
    answer->colour = CLI_YELLOW;
    answer->exit_status = exit_status(a->status);
    answer->has_json = answer->exit_status != CLI_BAD_INPUT;
    answer->has_text = good;
    snprintf(answer->outcome, sizeof answer->outcome,
             " to %.1f digits, with %ld bits; no proof: radii are twice the difference of two answers",
             a->digits, (long)a->precision);
    if (good) return;
    snprintf(answer->reason, sizeof answer->reason, "%s", a->message);
    snprintf(answer->message, sizeof answer->message, "%s%s%s",
             answer->has_json ? ic_status_text(a->status) : "no reference for this",
             answer->has_json ? "; " : ": ", a->message);
}

static void fill_answer(cli_certified *answer, const ic_beam_answer *a)
{
    const bool good = a->status == IC_OK;
    fill_status(answer, a);
    if (!answer->has_json) return;
    answer->precision = a->precision;
    answer->steps = a->steps;
    cli_certified_add_parameters(answer, true);
    answer->has_events = answer->has_final = answer->at_end = good;
    if (!good) return;
    for (size_t i = 0; i < a->count; i++) add_event(answer, a, &a->events[i]);
    cli_certified_add(answer, &answer->t, "t", a->t);
    answer->t_shown = answer->request->setup.problem.t_end;
    answer->mode = a->mode;
    add_state(answer, &answer->state, a, a->x);
}

int cli_certify_beam(const cli_arguments *arguments, const cli_request *request,
                     const cli_certified_format *format)
{
    ic_beam_answer found;
    cli_certified answer = {.request = request,
                            .format = *format,
                            .method =
                                "Taylor series of two orders and precisions that agree; parameters are exact",
                            .events_are = LABEL ", not proved",
                            .is_run = true};
    cli_progress_begin("certify", format->quiet);
    ic_beam_reference_of(&found, &request->setup.problem, format->digits);
    cli_progress_end();
    fill_answer(&answer, &found);
    const int status = cli_certified_show(&answer, arguments->command);
    ic_beam_answer_clear(&found);
    flint_cleanup();
    return status;
}
