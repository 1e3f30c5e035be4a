/* SPDX-License-Identifier: MIT */
#include "cli/certify_beam.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "core/composition.h"
#include "reference/beam_case.h"
#include "reference/certify.h"
#include "reference/system.h"
#include "reports/json.h"
#include "reports/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of people's tables, and digits that JSON has beyond those asked for, as of certificates. */
enum { FIRST_EVENTS = 10, LAST_EVENTS = 5, INDENT = 2, SPARE_DIGITS = 3 };

/* In place of "certified". */
#define LABEL "self-converged"

typedef struct shown {
    const cli_request *request;
    const ic_beam_answer *answer;
    long digits;
    bool out_of_memory;
} shown;

static const ic_state *state_of(const shown *s, slong i)
{
    return &s->request->setup.problem.system->states[ic_beam_state_of(i)];
}

/* ---- JSON: the shape of certificates; what they prove and this does not is absent */

static void json_pair(ic_json *json, shown *s, const char *name, const arb_t ball)
{
    char *value = NULL, *radius = NULL;
    if (!ic_ball_decimal(&value, &radius, ball, s->digits + SPARE_DIGITS)) s->out_of_memory = true;
    ic_json_text(json, name, value);
    ic_json_text(json, "radius", radius);
    free(value);
    free(radius);
}

static void json_state(ic_json *json, shown *s, arb_srcptr x)
{
    ic_json_object(json, "state");
    for (slong i = 0; i < s->answer->n_states; i++) {
        ic_json_object_line(json, state_of(s, i)->name);
        json_pair(json, s, "value", x + i);
        ic_json_end(json);
    }
    ic_json_end(json);
}

static void json_parameters(ic_json *json, shown *s)
{
    const ic_problem *problem = &s->request->setup.problem;
    const slong n = (slong)problem->system->n_parameters;
    char message[256];
    arb_ptr par = _arb_vec_init(n);
    const bool known = ic_ball_parameters(par, problem, s->answer->precision, message, sizeof message);
    ic_json_object(json, "parameters");
    for (slong i = 0; i < n && known; i++) {
        if (ic_parameter_repeats(problem->system->parameters, (size_t)i)) continue;
        ic_json_object_line(json, problem->system->parameters[i].name);
        ic_json_text(json, "exact", problem->par_text[i]);
        json_pair(json, s, "value", par + i);
        ic_json_end(json);
    }
    ic_json_end(json);
    _arb_vec_clear(par, n);
}

static void json_events(ic_json *json, shown *s)
{
    ic_json_array(json, "events");
    for (size_t i = 0; i < s->answer->count; i++) {
        const ic_beam_event *event = &s->answer->events[i];
        ic_json_object(json, NULL);
        json_pair(json, s, "t", event->t);
        ic_json_text(json, "kind", strcmp(event->name, "torque-end") == 0 ? "time" : "guard");
        ic_json_text(json, "guard", event->name);
        ic_json_text(json, "from", event->from);
        ic_json_text(json, "to", event->to);
        json_state(json, s, event->x);
        ic_json_end(json);
    }
    ic_json_end(json);
}

static void print_json(shown *s)
{
    const ic_problem *problem = &s->request->setup.problem;
    const ic_beam_answer *a = s->answer;
    const bool converged = a->status == IC_OK;
    ic_json json = ic_json_to(stdout);
    ic_json_object(&json, NULL);
    ic_json_text(&json, "case", problem->system->name);
    ic_json_text(&json, "preset", s->request->setup.preset->name);
    ic_json_text(&json, "variant", problem->variant->name);
    ic_json_text(&json, "solver", "certify");
    json_parameters(&json, s);
    ic_json_text(&json, "t_end", problem->t_end_text);
    ic_json_integer(&json, "digits", s->digits);
    ic_json_text(&json, "status", converged ? LABEL : ic_status_name(a->status));
    ic_json_text(&json, "reason", converged ? NULL : a->message);
    if (converged) {
        json_events(&json, s);
        ic_json_object(&json, "final");
        json_pair(&json, s, "t", a->t);
        ic_json_text(&json, "mode", a->mode);
        json_state(&json, s, a->x);
        ic_json_end(&json);
    }
    ic_json_object_line(&json, "work");
    ic_json_integer(&json, "precision_bits", a->precision);
    ic_json_integer(&json, "steps", (long long)a->steps);
    ic_json_end(&json);
    ic_json_end(&json);
}

/* ---- tables for people */

/* Two cells: the value, and "± radius". */
static void add_ball(cli_table *table, shown *s, const arb_t ball)
{
    char *value = NULL, *radius = NULL, text[64];
    if (!ic_ball_decimal(&value, &radius, ball, s->digits)) s->out_of_memory = true;
    const bool exact = radius != NULL && strcmp(radius, "0") == 0;
    snprintf(text, sizeof text, "%s %.40s", cli_plus_minus(), radius != NULL ? radius : "");
    cli_table_cell(table, value != NULL ? value : "");
    cli_table_cell(table, exact ? "exact" : text);
    free(value);
    free(radius);
}

static void heading(const char *text)
{
    printf("\n%s\n", cli_paint(stdout, CLI_BOLD, text).text);
}

static bool finish(cli_table *table)
{
    const bool good = cli_table_print(table, stdout, INDENT, true);
    cli_table_free(table);
    return good;
}

static void add_event(cli_table *table, shown *s, size_t i)
{
    const ic_beam_event *event = &s->answer->events[i];
    char text[64];
    snprintf(text, sizeof text, "%zu", i + 1);
    cli_table_cell(table, text);
    cli_table_cell(table, event->name);
    if (strcmp(event->from, event->to) == 0) snprintf(text, sizeof text, "%s", event->from);
    else snprintf(text, sizeof text, "%s %s %s", event->from, cli_arrow(), event->to);
    cli_table_cell(table, text);
    add_ball(table, s, event->t);
}

static bool print_events(shown *s, bool all)
{
    static const cli_column columns[] = {
        {"#", CLI_RIGHT}, {"event", CLI_LEFT}, {"mode", CLI_LEFT}, {"t, s", CLI_POINT}, {"radius", CLI_LEFT}};
    const size_t n = s->answer->count;
    char text[128];
    all = all || n <= FIRST_EVENTS + LAST_EVENTS + 1;
    snprintf(text, sizeof text, n == 0 ? "No events" : "Events: %zu, " LABEL ", not proved", n);
    heading(text);
    if (n == 0) return true;
    cli_table *table = cli_table_new(columns, IC_COUNT(columns));
    if (table == NULL) return false;
    for (size_t i = 0; i < n; i++) {
        if (all || i < FIRST_EVENTS || i + LAST_EVENTS >= n) {
            add_event(table, s, i);
        } else if (i == FIRST_EVENTS) {
            snprintf(text, sizeof text, "... %zu more (--all-events shows them)",
                     n - (size_t)FIRST_EVENTS - (size_t)LAST_EVENTS);
            cli_table_line(table, text);
        }
    }
    if (!finish(table)) return false;
    printf("%*sStates after each event: --json\n", INDENT, "");
    return true;
}

static bool print_end(shown *s)
{
    static const cli_column columns[] = {{"state", CLI_LEFT},
                                         {"value", CLI_POINT},
                                         {"radius", CLI_LEFT},
                                         {"unit", CLI_LEFT},
                                         {"meaning", CLI_LEFT}};
    char text[128];
    cli_table *table = cli_table_new(columns, IC_COUNT(columns));
    if (table == NULL) return false;
    snprintf(text, sizeof text, "At the end: t = %s s, mode %s",
             ic_number_short(s->request->setup.problem.t_end, 10).text, s->answer->mode);
    heading(text);
    for (slong i = 0; i < s->answer->n_states; i++) {
        const ic_state *state = state_of(s, i);
        cli_table_cell(table, state->name);
        add_ball(table, s, s->answer->x + i);
        cli_table_cell(table, state->unit);
        cli_table_cell(table, state->meaning);
    }
    return finish(table);
}

static bool print_tables(shown *s, bool all_events)
{
    if (!cli_request_print(s->request, "by",
                           "Taylor series of two orders and precisions that agree; parameters are exact") ||
        !print_events(s, all_events) || !print_end(s))
        return false;
    printf("\n%s %s to %.1f digits, with %ld bits; no proof: radii are twice the difference of two answers\n",
           cli_paint(stdout, CLI_BOLD, "Status:").text, cli_paint(stdout, CLI_YELLOW, LABEL).text,
           s->answer->digits, (long)s->answer->precision);
    return true;
}

/* ---- the answer */

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

int cli_certify_beam(const cli_arguments *arguments, const cli_request *request, long digits,
                     const cli_beam_format *format)
{
    ic_beam_answer answer;
    bool good = true;
    cli_progress_begin("certify", format->quiet);
    ic_beam_reference_of(&answer, &request->setup.problem, digits);
    cli_progress_end();
    shown s = {.request = request, .answer = &answer, .digits = digits};
    int result = exit_status(answer.status);
    if (format->json && result != CLI_BAD_INPUT) print_json(&s);
    else if (!format->quiet && result == CLI_GOOD) good = print_tables(&s, format->all_events);
    fflush(stdout);
    if (!good || s.out_of_memory) result = cli_no_memory(arguments->command);
    else if (result == CLI_BAD_INPUT)
        cli_bad_input(arguments->command, "no reference for this: %s", answer.message);
    else if (result != CLI_GOOD)
        cli_failure(arguments->command, "%s; %s", ic_status_text(answer.status), answer.message);
    ic_beam_answer_clear(&answer);
    flint_cleanup();
    return result;
}
