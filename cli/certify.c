/* SPDX-License-Identifier: MIT */
/* impactcheck certify: the enclosure itself, for any parameters. */
#include "reference/certify.h"
#include "cli/certify_beam.h"
#include "cli/certify_law.h"
#include "cli/command.h"
#include "cli/orbit.h"
#include "cli/request.h"
#include "cli/result.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "core/composition.h"
#include "core/linear_view.h"
#include "reference/beam_case.h"
#include "reports/json.h"
#include "reports/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VARIANT, SET, UNTIL, ORBIT, DIGITS, MAX_PRECISION, ALL_EVENTS, JSON, QUIET };

static const cli_option options[] = {
    [VARIANT] = CLI_OPTION_VARIANT,
    [SET] = CLI_OPTION_SET,
    [UNTIL] = CLI_OPTION_UNTIL,
    [ORBIT] = {"--orbit", NULL,
               "the steady state instead: prove that a periodic orbit exists, and its stability", false},
    [DIGITS] = {"--digits", "N", "radii of at most 10^-N typical times and typical states; default 15", false},
    [MAX_PRECISION] = {"--max-precision", "BITS", "where the raising of the precision ends; default 16384",
                       false},
    [ALL_EVENTS] = {"--all-events", NULL, "show every event, not the first ten and the last five", false},
    [JSON] = CLI_OPTION_JSON,
    [QUIET] = {"--quiet", NULL, "no tables and no progress; --json is still written", false},
};

enum { DEFAULT_DIGITS = 15, MOST_DIGITS = 1000, LEAST_PRECISION = 64, MOST_PRECISION = 1000000 };
enum { FIRST_EVENTS = 10, LAST_EVENTS = 5, INDENT = 2 };

/* log2(10), a little more */
#define BITS_PER_DIGIT 3.322

/* Digits shown beyond those asked for, in JSON, so that rounding the centre adds little to the radius. */
enum { SPARE_DIGITS = 3 };

/* What is shown. */
typedef struct proof {
    const cli_arguments *arguments;
    const cli_request *request;
    const ic_problem *problem;
    const ic_certificate *certificate;
    long digits;
    bool out_of_memory;
} proof;

/* A ball as text; both are "" where memory ran out. */
typedef struct decimal {
    char *value, *radius;
} decimal;

static decimal decimal_of(proof *p, const arb_t ball, long digits)
{
    decimal text = {NULL, NULL};
    if (!ic_ball_decimal(&text.value, &text.radius, ball, digits)) p->out_of_memory = true;
    return text;
}

static void decimal_free(decimal text)
{
    free(text.value);
    free(text.radius);
}

/* ---- JSON: the shape of `run --json`; numbers are texts, each with its radius */

/* {"value", "radius"} */
static void json_ball(ic_json *json, const char *key, proof *p, const arb_t ball)
{
    const decimal text = decimal_of(p, ball, p->digits + SPARE_DIGITS);
    ic_json_object_line(json, key);
    ic_json_text(json, "value", text.value);
    ic_json_text(json, "radius", text.radius);
    ic_json_end(json);
    decimal_free(text);
}

/* "t" and "radius" */
static void json_time(ic_json *json, proof *p, const arb_t t)
{
    const decimal text = decimal_of(p, t, p->digits + SPARE_DIGITS);
    ic_json_text(json, "t", text.value);
    ic_json_text(json, "radius", text.radius);
    decimal_free(text);
}

static void json_state(ic_json *json, const char *key, proof *p, arb_srcptr x)
{
    const ic_case *system = p->problem->system;
    ic_json_object(json, key);
    for (size_t i = 0; i < system->n_states; i++) json_ball(json, system->states[i].name, p, x + i);
    ic_json_end(json);
}

static void json_outputs(ic_json *json, proof *p, int mode, const arb_t t, arb_srcptr x)
{
    const ic_case *system = p->problem->system;
    arb_t value;
    arb_init(value);
    ic_json_object(json, "outputs");
    for (size_t i = 0; i < system->n_outputs; i++) {
        const ic_output *output = &system->outputs[i];
        if (ic_certified_output(value, p->problem, output, mode, t, x, p->certificate->precision)) {
            json_ball(json, output->name, p, value);
        } else {
            ic_json_null(json, output->name); /* it has no expression */
        }
    }
    ic_json_end(json);
    arb_clear(value);
}

static const char *kind_name(ic_event_kind kind)
{
    return kind == IC_EVENT_GUARD ? "guard" : kind == IC_EVENT_TIME ? "time" : "accumulation";
}

static void json_event(ic_json *json, proof *p, const ic_ball_event *event)
{
    ic_json_object(json, NULL);
    json_time(json, p, event->t);
    ic_json_text(json, "kind", kind_name(event->kind));
    ic_json_text(json, "guard", event->name);
    ic_json_text(json, "from", cli_mode_name(p->problem, event->mode_from));
    ic_json_text(json, "to", cli_mode_name(p->problem, event->mode_to));
    ic_json_integer(json, "seq", event->sequence);
    json_state(json, "state_before", p, event->before);
    json_state(json, "state", p, event->after);
    json_outputs(json, p, event->mode_to, event->t, event->after);
    ic_json_end(json);
}

/* "certified", "undecided", or the name of another status. */
static const char *status_name(ic_status status)
{
    return status == IC_OK ? "certified" : ic_status_name(status);
}

static bool reached_anything(const proof *p)
{
    return p->certificate->mode >= 0 && p->certificate->x != NULL;
}

/* The parameters as they were taken: exact, and as balls. Their texts are evaluated as an output's would be. */
static void json_parameters(ic_json *json, proof *p)
{
    const ic_problem *problem = p->problem;
    const ic_certificate *c = p->certificate;
    arb_t value;
    arb_init(value);
    ic_json_object(json, "parameters");
    for (size_t i = 0; i < problem->system->n_parameters; i++) {
        if (ic_parameter_repeats(problem->system->parameters, i)) continue;
        const char *exact = problem->par_text[i];
        const ic_output as_output = {.linear = &exact};
        const bool known =
            reached_anything(p) && ic_certified_output(value, problem, &as_output, 0, c->t, c->x, c->precision);
        const decimal text = known ? decimal_of(p, value, p->digits + SPARE_DIGITS) : (decimal){NULL, NULL};
        ic_json_object_line(json, problem->system->parameters[i].name);
        ic_json_text(json, "exact", exact);
        ic_json_text(json, "value", text.value);
        ic_json_text(json, "radius", text.radius);
        ic_json_end(json);
        decimal_free(text);
    }
    ic_json_end(json);
    arb_clear(value);
}

static void json_final(ic_json *json, proof *p)
{
    const ic_certificate *c = p->certificate;
    ic_json_object(json, "final");
    if (reached_anything(p)) {
        json_time(json, p, c->t);
        ic_json_text(json, "mode", cli_mode_name(p->problem, c->mode));
        json_state(json, "state", p, c->x);
    }
    ic_json_end(json);
}

/* Of the outputs only the last values are enclosed: no extremes. */
static void json_final_outputs(ic_json *json, proof *p)
{
    static const char *const not_enclosed[] = {"min", "t_min", "max", "t_max"};
    const ic_certificate *c = p->certificate;
    const ic_case *system = p->problem->system;
    arb_t value;
    arb_init(value);
    ic_json_object(json, "outputs");
    for (size_t i = 0; i < system->n_outputs && reached_anything(p); i++) {
        ic_json_object_line(json, system->outputs[i].name);
        for (size_t j = 0; j < IC_COUNT(not_enclosed); j++) ic_json_null(json, not_enclosed[j]);
        if (ic_certified_output(value, p->problem, &system->outputs[i], c->mode, c->t, c->x, c->precision)) {
            json_ball(json, "final", p, value);
        } else {
            ic_json_null(json, "final");
        }
        ic_json_end(json);
    }
    ic_json_end(json);
    arb_clear(value);
}

static void print_json(proof *p)
{
    const ic_certificate *c = p->certificate;
    ic_json json = ic_json_to(stdout);
    ic_json_object(&json, NULL);
    ic_json_text(&json, "case", p->problem->system->name);
    ic_json_text(&json, "preset", p->request->setup.preset->name);
    ic_json_text(&json, "variant", p->problem->variant->name);
    ic_json_text(&json, "solver", "certify");
    json_parameters(&json, p);
    ic_json_text(&json, "t_end", p->problem->t_end_text);
    ic_json_integer(&json, "digits", p->digits);
    ic_json_text(&json, "status", status_name(c->status));
    ic_json_text(&json, "reason", c->status == IC_OK ? NULL : c->reason);
    ic_json_array(&json, "events");
    for (size_t i = 0; i < c->count; i++) json_event(&json, p, &c->events[i]);
    ic_json_end(&json);
    json_final(&json, p);
    json_final_outputs(&json, p);
    ic_json_object_line(&json, "work");
    ic_json_integer(&json, "precision_bits", c->precision);
    ic_json_end(&json);
    ic_json_end(&json);
}

/* ---- tables for people */

static bool finish(cli_table *table)
{
    const bool good = table != NULL && cli_table_print(table, stdout, INDENT, true);
    cli_table_free(table);
    return good;
}

static void heading(const char *text)
{
    printf("\n%s\n", cli_paint(stdout, CLI_BOLD, text).text);
}

/* Two cells: the value, and "± radius". */
static void add_ball(cli_table *table, proof *p, const arb_t ball)
{
    const decimal text = decimal_of(p, ball, p->digits);
    char radius[64];
    const bool exact = text.radius != NULL && strcmp(text.radius, "0") == 0;
    snprintf(radius, sizeof radius, "%s %s", cli_plus_minus(), text.radius != NULL ? text.radius : "");
    cli_table_cell(table, text.value != NULL ? text.value : "");
    cli_table_cell(table, exact ? "exact" : radius);
    decimal_free(text);
}

static void add_event(cli_table *table, proof *p, size_t i)
{
    const ic_ball_event *event = &p->certificate->events[i];
    const char *from = cli_mode_name(p->problem, event->mode_from);
    const char *to = cli_mode_name(p->problem, event->mode_to);
    char text[256];
    snprintf(text, sizeof text, "%zu", i + 1);
    cli_table_cell(table, text);
    cli_table_cell(table, event->name);
    if (from == NULL || to == NULL || event->mode_from == event->mode_to) {
        snprintf(text, sizeof text, "%s", from != NULL ? from : "?");
    } else {
        snprintf(text, sizeof text, "%s %s %s", from, cli_arrow(), to);
    }
    cli_table_cell(table, text);
    snprintf(text, sizeof text, "%d", event->sequence);
    cli_table_cell(table, text);
    add_ball(table, p, event->t);
}

static bool print_events(proof *p)
{
    static const cli_column columns[] = {{"#", CLI_RIGHT},   {"event", CLI_LEFT}, {"mode", CLI_LEFT},
                                         {"seq", CLI_RIGHT}, {"t, s", CLI_POINT}, {"radius", CLI_LEFT}};
    const size_t n = p->certificate->count;
    const bool all = cli_has(p->arguments, ALL_EVENTS) || n <= FIRST_EVENTS + LAST_EVENTS + 1;
    char text[128];
    snprintf(text, sizeof text, n == 0 ? "No events" : "Events: %zu, each proved, and that there is no other",
             n);
    heading(text);
    if (n == 0) return true;
    cli_table *table = cli_table_new(columns, IC_COUNT(columns));
    if (table == NULL) return false;
    for (size_t i = 0; i < n; i++) {
        if (all || i < FIRST_EVENTS || i + LAST_EVENTS >= n) {
            add_event(table, p, i);
        } else if (i == FIRST_EVENTS) {
            snprintf(text, sizeof text, "... %zu more (--all-events shows them)",
                     n - (size_t)FIRST_EVENTS - (size_t)LAST_EVENTS);
            cli_table_line(table, text);
        }
    }
    if (!finish(table)) return false;
    printf("%*sStates before and after each event: --json\n", INDENT, "");
    return true;
}

static bool print_states(proof *p)
{
    static const cli_column columns[] = {{"state", CLI_LEFT},
                                         {"value", CLI_POINT},
                                         {"radius", CLI_LEFT},
                                         {"unit", CLI_LEFT},
                                         {"meaning", CLI_LEFT}};
    const ic_case *system = p->problem->system;
    cli_table *table = cli_table_new(columns, IC_COUNT(columns));
    if (table == NULL) return false;
    for (size_t i = 0; i < system->n_states; i++) {
        cli_table_cell(table, system->states[i].name);
        add_ball(table, p, p->certificate->x + i);
        cli_table_cell(table, system->states[i].unit);
        cli_table_cell(table, system->states[i].meaning);
    }
    return finish(table);
}

static bool print_outputs(proof *p)
{
    static const cli_column columns[] = {{"output", CLI_LEFT},
                                         {"value", CLI_POINT},
                                         {"radius", CLI_LEFT},
                                         {"unit", CLI_LEFT},
                                         {"meaning", CLI_LEFT}};
    const ic_certificate *c = p->certificate;
    const ic_case *system = p->problem->system;
    cli_table *table = cli_table_new(columns, IC_COUNT(columns));
    arb_t value;
    if (table == NULL) return false;
    arb_init(value);
    for (size_t i = 0; i < system->n_outputs; i++) {
        const ic_output *output = &system->outputs[i];
        if (!ic_certified_output(value, p->problem, output, c->mode, c->t, c->x, c->precision)) continue;
        cli_table_cell(table, output->name);
        add_ball(table, p, value);
        cli_table_cell(table, output->unit);
        cli_table_cell(table, output->meaning);
    }
    arb_clear(value);
    return finish(table);
}

static bool print_end(proof *p)
{
    const ic_certificate *c = p->certificate;
    const char *mode = cli_mode_name(p->problem, c->mode);
    char text[128];
    if (!reached_anything(p)) return true;
    snprintf(text, sizeof text, "%s t = %s s, mode %s", c->status == IC_OK ? "At the end:" : "Reached:",
             ic_number_short(arf_get_d(arb_midref(c->t), ARF_RND_NEAR), 10).text, mode != NULL ? mode : "?");
    heading(text);
    if (!print_states(p)) return false;
    putchar('\n');
    return p->problem->system->n_outputs == 0 || print_outputs(p);
}

static void print_status(const proof *p)
{
    const ic_certificate *c = p->certificate;
    const cli_colour colour = c->status == IC_OK ? CLI_GREEN : c->status == IC_UNDECIDED ? CLI_YELLOW : CLI_RED;
    printf("\n%s %s", cli_paint(stdout, CLI_BOLD, "Status:").text,
           cli_paint(stdout, colour, status_name(c->status)).text);
    if (c->status == IC_OK) printf(" to the end, with %ld bits\n", (long)c->precision);
    else printf(" after that: %s\n", c->reason);
}

static bool print_tables(proof *p)
{
    if (!cli_request_print(p->request, "by", "ball arithmetic; parameters are exact") || !print_events(p) ||
        !print_end(p)) {
        return false;
    }
    print_status(p);
    return true;
}

/* ---- the command */

static bool read_options(const cli_arguments *arguments, ic_certify_options *o)
{
    size_t digits = DEFAULT_DIGITS, precision = 0;
    if (!cli_whole(arguments, DIGITS, 1, MOST_DIGITS, &digits) ||
        !cli_whole(arguments, MAX_PRECISION, LEAST_PRECISION, MOST_PRECISION, &precision)) {
        return false;
    }
    if (cli_has(arguments, ALL_EVENTS) && (cli_has(arguments, JSON) || cli_has(arguments, QUIET))) {
        cli_bad_input(arguments->command, "options --all-events and %s contradict each other",
                      cli_has(arguments, JSON) ? "--json (which has every event)" : "--quiet");
        return false;
    }
    if (precision > 0 && (double)precision < BITS_PER_DIGIT * (double)digits) {
        cli_bad_input(arguments->command,
                      "option --max-precision: %zu bits are too few for %zu digits; at least %.0f", precision,
                      digits, ceil(BITS_PER_DIGIT * (double)digits));
        return false;
    }
    if (cli_has(arguments, ORBIT) &&
        (cli_has(arguments, UNTIL) || cli_has(arguments, MAX_PRECISION) || cli_has(arguments, ALL_EVENTS))) {
        cli_bad_input(arguments->command, "option --orbit goes with --set, --digits, --json and --quiet only");
        return false;
    }
    o->digits = (long)digits;
    o->max_precision = (long)precision;
    return true;
}

static void watch(double t, size_t events, void *context)
{
    const ic_problem *problem = context;
    char text[120];
    snprintf(text, sizeof text, "certify: t = %s s of %s s, %zu events", ic_number_short(t, 6).text,
             ic_number_short(problem->t_end, 6).text, events);
    cli_progress_say(text);
}

static int exit_status(ic_status status)
{
    switch (status) {
    case IC_OK: return CLI_GOOD;
    case IC_UNDECIDED:
    case IC_ZENO: return CLI_CHECK_FAILED; /* proved up to there, and not to the end */
    case IC_INVALID: return CLI_BAD_INPUT;
    default: return CLI_FAILURE;
    }
}

static int report(proof *p)
{
    const cli_command *command = p->arguments->command;
    const ic_certificate *c = p->certificate;
    const bool computed = c->status != IC_INVALID && c->status != IC_NO_MEMORY;
    bool good = true;
    if (computed && cli_has(p->arguments, JSON)) print_json(p);
    else if (computed && !cli_has(p->arguments, QUIET) && reached_anything(p)) good = print_tables(p);
    if (!good || p->out_of_memory) return cli_no_memory(command);
    if (c->status == IC_OK) return CLI_GOOD;
    fflush(stdout); /* what is proved, then why it is not more */
    cli_failure(command, "%s%s%s", ic_status_text(c->status), c->reason[0] == '\0' ? "" : "; ", c->reason);
    return exit_status(c->status);
}

static int certify(const cli_arguments *arguments, const cli_request *request, ic_certify_options o)
{
    ic_problem problem = request->setup.problem;
    ic_certificate certificate;
    o.watch = watch;
    o.context = &problem;
    cli_progress_begin("certify", cli_has(arguments, QUIET));
    ic_certify(&certificate, &problem, &o);
    cli_progress_end();
    proof p = {.arguments = arguments,
               .request = request,
               .problem = &problem,
               .certificate = &certificate,
               .digits = o.digits};
    const int status = report(&p);
    ic_certificate_clear(&certificate);
    flint_cleanup();
    return status;
}

/* Whether none of n options is there that have no meaning for `what`. */
static bool fits(const cli_arguments *arguments, const int *unfit, size_t n, const char *what)
{
    for (size_t i = 0; i < n; i++) {
        if (!cli_has(arguments, (size_t)unfit[i])) continue;
        cli_bad_input(arguments->command, "option %s: %s only", options[unfit[i]].name, what);
        return false;
    }
    return true;
}

/* A free impact is over when the contact opens, if it does: its answers have no end of a run and no events. */
static bool fits_a_law(const cli_arguments *arguments)
{
    static const int unfit[] = {UNTIL, ORBIT, MAX_PRECISION, ALL_EVENTS};
    return fits(
        arguments, unfit, IC_COUNT(unfit),
        "a free impact on a contact-force law goes with --variant, --set, --digits, --json and --quiet");
}

static bool fits_the_beam(const cli_arguments *arguments)
{
    static const int unfit[] = {ORBIT, MAX_PRECISION};
    return fits(arguments, unfit, IC_COUNT(unfit),
                "the rotating beam goes with --variant, --set, --until, --digits, --all-events, --json and "
                "--quiet");
}

static int dispatch(const cli_arguments *arguments, const cli_request *request, ic_certify_options o)
{
    const bool json = cli_has(arguments, JSON), quiet = cli_has(arguments, QUIET);
    const ic_problem *problem = &request->setup.problem;
    if (problem->variant->free_impact != NULL) {
        return fits_a_law(arguments) ? cli_certify_law(arguments, request, o.digits, json, quiet)
                                     : CLI_BAD_INPUT;
    }
    if (ic_beam_is(problem->system)) {
        const cli_beam_format format = {json, quiet, cli_has(arguments, ALL_EVENTS)};
        return fits_the_beam(arguments) ? cli_certify_beam(arguments, request, o.digits, &format)
                                        : CLI_BAD_INPUT;
    }
    if (!ic_is_linear(problem->variant)) {
        return cli_bad_input(
            arguments->command,
            "variant '%s' of case '%s' is neither linear between events nor a free impact on a "
            "contact-force law: nothing certifies it",
            problem->variant->name, problem->system->name);
    }
    return cli_has(arguments, ORBIT) ? cli_orbit(arguments, request, o.digits, json, quiet)
                                     : certify(arguments, request, o);
}

static int run(const cli_arguments *arguments)
{
    cli_request request = {0};
    ic_certify_options o = {0};
    int status = CLI_BAD_INPUT;
    if (read_options(arguments, &o) && cli_request_open(&request, arguments, VARIANT, SET, UNTIL)) {
        status = dispatch(arguments, &request, o);
    }
    cli_request_close(&request);
    return status;
}

const cli_command cli_certify = {
    .name = "certify",
    .operands = "CASE/PRESET",
    .least = 1,
    .most = 1,
    .title = "Enclosures of all events and states that are proved to hold the truth.",
    .details = "Parameters are exact: 0.1 is one tenth, 80pi is 80 pi. The precision is raised until the "
               "digits are reached. "
               "Where it cannot be decided what happens (a touch, two events at one instant), that is said, "
               "with the time "
               "reached: exit status 1. Of a free impact on a contact-force law (ball/...) the closed form is "
               "enclosed: restitution, peaks, duration and the path in the phase plane. Of the rotating beam "
               "no answer is proved: two of different order and precision agree to the digits, and are called "
               "self-converged.",
    .options = options,
    .n_options = IC_COUNT(options),
    .run = run,
};
