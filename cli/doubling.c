/* SPDX-License-Identifier: MIT */
#include "cli/doubling.h"
#include "cli/orbit.h"
#include "cli/result.h"
#include "cli/units.h"
#include "reference/orbit/doubling.h"
#include "registry/registry.h"
#include "reports/number.h"
#include "validation/steady.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INDENT = 2, MULTIPLIER_DIGITS = 12, SPEED_DIGITS = 6, VALUE_DIGITS = DBL_DIG + 2 };

/* NAME=FROM:TO as it was given, and the problems at both ends. */
typedef struct doubling_request {
    const cli_arguments *arguments;
    char name[128], from[128], to[128];
    cli_instance first, last;

    /* the formulas at the first value */
    ic_setup exact;
    bool has_exact;

    /* number of the parameter */
    size_t parameter;
} doubling_request;

/* ---- the request */

static bool read_text(doubling_request *r, const char *given)
{
    const cli_command *command = r->arguments->command;
    const char *text = cli_setting_in_si(command, r->arguments->operands[0], given);
    if (text == NULL) return false;
    const char *equals = strchr(text, '='), *colon = equals == NULL ? NULL : strchr(equals, ':');
    if (colon == NULL || equals == text || colon == equals + 1 || colon[1] == '\0' ||
        strchr(colon + 1, ':') != NULL) {
        cli_refuse(command, "option --doubling: '%s' is not of the form NAME=FROM:TO", given);
        return false;
    }
    snprintf(r->name, sizeof r->name, "%.*s", (int)(equals - text), text);
    snprintf(r->from, sizeof r->from, "%.*s", (int)(colon - equals - 1), equals + 1);
    snprintf(r->to, sizeof r->to, "%s", colon + 1);
    return true;
}

/* The problem with one more setting, for which `settings` has room. */
static bool open_end(const doubling_request *r, cli_instance *instance, ic_request wanted,
                     const char **settings, const char *value)
{
    char setting[300];
    ic_error error;
    const ic_request preset = {.path = wanted.path, .variant = wanted.variant};
    snprintf(setting, sizeof setting, "%s=%s", r->name, value);
    settings[wanted.n_settings++] = setting;
    wanted.settings = settings;
    return (ic_setup_open(&instance->preset, &preset, &error) &&
            ic_setup_open(&instance->setup, &wanted, &error)) ||
           cli_refuse(r->arguments->command, "%s", error.text);
}

static bool open_ends(doubling_request *r, const cli_doubling_options *options)
{
    const cli_command *command = r->arguments->command;
    ic_request wanted = {.path = r->arguments->operands[0],
                         .variant = cli_value(r->arguments, options->variant)};
    const char **settings = cli_settings(r->arguments, options->set, &wanted.n_settings);
    if (settings == NULL) return false;
    bool good = true;
    for (size_t i = 0; i < wanted.n_settings && good; i++) {
        const size_t length = strcspn(settings[i], "=");
        if (strlen(r->name) == length && strncmp(settings[i], r->name, length) == 0)
            good = cli_refuse(command, "option --set: --doubling sets parameter '%s'", r->name);
    }
    good = good && open_end(r, &r->first, wanted, settings, r->from) &&
           open_end(r, &r->last, wanted, settings, r->to);
    free(settings);
    return good;
}

static bool open_request(doubling_request *r, const cli_doubling_options *options)
{
    ic_error error;
    const cli_command *command = r->arguments->command;
    if (!read_text(r, cli_value(r->arguments, options->doubling)) || !open_ends(r, options)) return false;
    const ic_problem *problem = &r->first.setup.problem;
    if (!ic_setup_exact(&r->exact, problem, &error))
        return cli_refuse(command, "%s: it cannot be certified", error.text);
    r->has_exact = true;
    const ic_case *system = problem->system;
    if (system->period == NULL)
        return cli_refuse(command, "case '%s' is not forced: its period is not that of the forcing",
                          system->name);
    while (r->parameter < system->n_parameters && strcmp(system->parameters[r->parameter].name, r->name) != 0)
        r->parameter++;
    return r->parameter < system->n_parameters ||
           cli_refuse(command, "option --doubling: '%s' is no parameter of the case", r->name);
}

/* ---- what is shown */

typedef struct shown_doubling {
    const doubling_request *request;
    const ic_doubling *doubling;
    double forcing;
    long digits;

    /* the orbit of twice the period at the last value; NULL: none was proved */
    const ic_orbit *twice;
    bool out_of_memory;
} shown_doubling;

/* The value p* as a ball. */
static void value_of(arb_t value, const ic_doubling *d)
{
    arb_t end;
    arb_init(end);
    arb_set_d(value, d->before);
    arb_set_d(end, d->after);
    arb_union(value, value, end, ARF_PREC_EXACT);
    arb_clear(end);
}

static void json_states(ic_json *json, shown_doubling *s, const char *key, arb_srcptr x)
{
    ic_json_object(json, key);
    for (slong i = 0; i < s->doubling->n; i++)
        cli_ball_show(json, NULL, s->request->first.setup.problem.system->states[i].name, x + i, s->digits,
                      &s->out_of_memory);
    ic_json_end(json);
}

static cli_shown_orbit shown_twice(const shown_doubling *s)
{
    return (cli_shown_orbit){
        .instance = &s->request->last, .orbit = s->twice, .forcing = s->forcing, .digits = s->digits};
}

static void print_json(shown_doubling *s)
{
    const ic_doubling *d = s->doubling;
    const ic_problem *problem = &s->request->first.setup.problem;
    const bool proved = d->status == IC_OK;
    arb_t value;
    ic_json json = ic_json_to(stdout);
    arb_init(value);
    value_of(value, d);
    ic_json_object(&json, NULL);
    IC_JSON_MEMBERS(
        &json, IC_TEXT("case", problem->system->name), IC_TEXT("preset", s->request->first.setup.preset->name),
        IC_TEXT("variant", problem->variant->name), IC_TEXT("status", ic_status_name(d->status)),
        IC_TEXT("reason", proved ? NULL : d->reason), IC_TEXT("parameter", s->request->name),
        IC_TEXT("from", s->request->from), IC_TEXT("to", s->request->to), IC_REAL("period", s->forcing),
        IC_WHOLE("multiple", d->multiple), IC_WHOLE("arcs", d->arcs));
    if (proved) {
        IC_JSON_MEMBERS(&json, IC_WHOLE("events", d->events), IC_TEXT("mode", cli_mode_name(problem, d->mode)));
        cli_ball_show(&json, NULL, "value", value, VALUE_DIGITS, &s->out_of_memory);
        cli_ball_show(&json, NULL, "multiplier_from", d->multiplier_from, s->digits, &s->out_of_memory);
        cli_ball_show(&json, NULL, "multiplier_to", d->multiplier_to, s->digits, &s->out_of_memory);
        cli_ball_show(&json, NULL, "rate", d->speed, SPEED_DIGITS, &s->out_of_memory);
        json_states(&json, s, "state_from", d->x_from);
        json_states(&json, s, "state_to", d->x_to);
    }
    if (s->twice != NULL) {
        cli_shown_orbit twice = shown_twice(s);
        ic_json_object(&json, "doubled");
        cli_orbit_json(&json, &twice);
        ic_json_end(&json);
        s->out_of_memory |= twice.out_of_memory;
    } else {
        ic_json_null(&json, "doubled");
    }
    ic_json_end(&json);
    arb_clear(value);
}

static void add_row(cli_table *table, shown_doubling *s, const char *name, arb_srcptr ball, long digits,
                    const char *unit)
{
    cli_table_cell(table, name);
    cli_ball_show(NULL, table, name, ball, digits, &s->out_of_memory);
    cli_table_cell(table, unit);
}

static bool print_multiplier(shown_doubling *s)
{
    const ic_doubling *d = s->doubling;
    char first[200], last[200], rate[200];
    arb_t value;
    arb_init(value);
    value_of(value, d);
    snprintf(first, sizeof first, "multiplier at %.100s", s->request->from);
    snprintf(last, sizeof last, "multiplier at %.100s", s->request->to);
    snprintf(rate, sizeof rate, "its rate, by %.100s", s->request->name);
    cli_table *table = cli_table_of("quantity|value.|radius|unit");
    const char *unit = s->request->exact.problem.system->parameters[s->request->parameter].unit;
    add_row(table, s, s->request->name, value, VALUE_DIGITS, unit);
    add_row(table, s, first, d->multiplier_from, MULTIPLIER_DIGITS, "1");
    add_row(table, s, last, d->multiplier_to, MULTIPLIER_DIGITS, "1");
    add_row(table, s, rate, d->speed, SPEED_DIGITS, "");
    arb_clear(value);
    return cli_table_finish(table, INDENT, true) && !s->out_of_memory;
}

static bool print_ends(shown_doubling *s)
{
    const ic_case *system = s->request->first.setup.problem.system;
    char heading[600];
    snprintf(heading, sizeof heading, "state|%.100s = %.100s.|radius|%.100s = %.100s.|radius|unit",
             s->request->name, s->request->from, s->request->name, s->request->to);
    cli_table *table = cli_table_of(heading);
    for (slong i = 0; i < s->doubling->n; i++) {
        cli_table_cell(table, system->states[i].name);
        cli_ball_show(NULL, table, "", s->doubling->x_from + i, s->digits, &s->out_of_memory);
        cli_ball_show(NULL, table, "", s->doubling->x_to + i, s->digits, &s->out_of_memory);
        cli_table_cell(table, system->states[i].unit);
    }
    return cli_table_finish(table, INDENT, true) && !s->out_of_memory;
}

static bool print_tables(shown_doubling *s)
{
    const ic_doubling *d = s->doubling;
    const doubling_request *r = s->request;
    if (!cli_instance_print_model(&r->first, "by", "arcs of orbits by Krawczyk's operator, in ball arithmetic"))
        return false;
    printf("\nPeriod doubling: proved\n");
    printf(
        "For each %s from %s to %s there is exactly one orbit near a curve: period %d x %.9g s, %zu events, %zu arcs\n",
        r->name, r->from, r->to, d->multiple, s->forcing, d->events, d->arcs);
    printf("One multiplier passes -1 once, at the value below; the others lie inside the unit circle:\n"
           "the orbit is stable before it, and unstable after it\n");
    if (!print_multiplier(s)) return false;
    printf("\nState at t = 0 modulo the period, mode %s\n", cli_mode_name(&r->first.setup.problem, d->mode));
    if (!print_ends(s)) return false;
    if (s->twice == NULL) {
        printf("\nNo stable orbit of twice the period was found and proved at %s = %s\n", r->name, r->to);
        return true;
    }
    printf("\nAt %s = %s, twice the period", r->name, r->to);
    cli_shown_orbit twice = shown_twice(s);
    return cli_orbit_print(&twice);
}

/* ---- the proof */

static void show_progress(double part, void *context)
{
    char text[120];
    (void)context;
    snprintf(text, sizeof text, "certify: %s of the interval", ic_number_short(part, 3).text);
    cli_progress_say(text);
}

static ic_status find(ic_steady *steady, const ic_problem *problem)
{
    return ic_steady_find(steady, problem, ic_accurate_solver(problem->variant), &(ic_options){.rtol = 1e-11},
                          IC_STEADY_TRANSIENT);
}

/* The orbit of twice the period at the last value. false: none is proved. The orbit is cleared in any case. */
static bool prove_twice(ic_orbit *orbit, const doubling_request *r, int multiple, long digits)
{
    ic_steady steady;
    ic_setup exact;
    ic_error error;
    *orbit = (ic_orbit){0};
    if (find(&steady, &r->last.setup.problem) != IC_OK || steady.multiple != 2 * multiple) return false;
    if (!ic_setup_exact(&exact, &r->last.setup.problem, &error)) return false;
    const ic_orbit_request request = {
        .x = steady.x, .mode = steady.mode, .multiple = steady.multiple, .digits = digits};
    ic_orbit_certify(orbit, &exact.problem, &request);
    ic_setup_close(&exact);
    return orbit->status == IC_OK && orbit->minimal;
}

static int show(shown_doubling *s, const cli_certified_format *format)
{
    const cli_command *command = s->request->arguments->command;
    bool good = true;
    if (s->doubling->status == IC_INVALID)
        return cli_bad_input(command, "option --doubling: %s", s->doubling->reason);
    if (format->json) print_json(s);
    else if (!format->quiet && s->doubling->status == IC_OK) good = print_tables(s);
    fflush(stdout);
    if (!good || s->out_of_memory) return cli_no_memory(command);
    if (s->doubling->status == IC_OK) return CLI_GOOD;
    cli_failure(command, "the period doubling is not proved: %s", s->doubling->reason);
    return CLI_CHECK_FAILED;
}

static int prove(const doubling_request *r, const ic_steady *steady, const cli_certified_format *format)
{
    ic_doubling doubling;
    ic_orbit twice = {0};
    const ic_doubling_request request = {.parameter = r->parameter,
                                         .from = r->from,
                                         .to = r->to,
                                         .x = steady->x,
                                         .mode = steady->mode,
                                         .multiple = steady->multiple,
                                         .digits = format->digits,
                                         .watch = show_progress};
    cli_progress_begin("certify", format->quiet);
    ic_doubling_certify(&doubling, &r->exact.problem, &request);
    const bool has_twice = doubling.status == IC_OK && prove_twice(&twice, r, steady->multiple, format->digits);
    cli_progress_end();
    shown_doubling s = {.request = r,
                        .doubling = &doubling,
                        .forcing = steady->period,
                        .digits = format->digits,
                        .twice = has_twice ? &twice : NULL};
    const int status = show(&s, format);
    if (twice.x != NULL) ic_orbit_clear(&twice);
    ic_doubling_clear(&doubling);
    flint_cleanup();
    return status;
}

int cli_doubling(const cli_arguments *arguments, const cli_doubling_options *options,
                 const cli_certified_format *format)
{
    ic_steady steady;
    doubling_request r = {.arguments = arguments};
    int status = CLI_BAD_INPUT;
    if (open_request(&r, options)) {
        const ic_status found = find(&steady, &r.first.setup.problem);
        if (found != IC_OK) {
            status = cli_failure(arguments->command, "no steady state: %s", ic_status_text(found));
        } else if (steady.multiple == 0) {
            ic_doubling none = {.status = IC_UNDECIDED};
            snprintf(none.reason, sizeof none.reason,
                     "no stable periodic orbit of up to %d periods was found with %s=%s",
                     IC_STEADY_MOST_PERIODS, r.name, r.from);
            shown_doubling s = {.request = &r, .doubling = &none, .forcing = steady.period};
            status = show(&s, format);
        } else {
            status = prove(&r, &steady, format);
        }
    }
    if (r.has_exact) ic_setup_close(&r.exact);
    cli_instance_close(&r.first);
    cli_instance_close(&r.last);
    return status;
}
