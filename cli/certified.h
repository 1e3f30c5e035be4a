/* SPDX-License-Identifier: MIT */
/**
 * A certified answer of any kind, as `impactcheck certify` shows it. Each certifier fills the
 * struct; one function writes JSON from it, and one writes text.
 */
#pragma once

#include "cli/instance.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "reference/ball.h"
#include "reports/json.h"

/** A number and its radius, in decimal. */
typedef struct cli_quantity {
    const char *name, *unit, *meaning;

    /* both NULL: not enclosed, or infinite */
    char *value, *radius;

    bool infinite;

    /* a parameter as it was taken; NULL elsewhere */
    const char *exact;

    /* the reason for which an extreme is not enclosed; NULL elsewhere */
    const char *undecided;

    /* among the outputs of the text, but no output of the case: a member of its own in JSON */
    bool no_output;
} cli_quantity;

typedef struct cli_quantities {
    cli_quantity *list;
    size_t n;
} cli_quantities;

typedef struct cli_certified_event {
    /* "guard", "time" or "accumulation" */
    const char *kind;

    /* of the guard or the time event */
    const char *name;

    /* modes; NULL if they do not exist */
    const char *from, *to;

    /* the time, the states, the outputs: in JSON only */
    cli_quantities t, before, after, outputs;

    int sequence;
} cli_certified_event;

/** Derivatives by one parameter, or by one state at the start. */
typedef struct cli_derivative {
    const char *name, *unit;

    /* of the time of each event */
    cli_quantities times;

    /* in JSON, of all states before each event in turn, and after it */
    cli_quantities before, after;

    /* of each event on one side */
    size_t n_states;

    /* at the time reached */
    cli_quantities state, outputs;
} cli_derivative;

/** Options of an answer. */
typedef struct cli_certified_format {
    /* of the text; JSON has some more, so that rounding the centre adds little to the radius */
    long digits;

    bool json, quiet, all_events;
} cli_certified_format;

typedef struct cli_certified {
    const cli_instance *instance;
    cli_certified_format format;

    /* the text about the method */
    const char *method;

    /* "certified", or the name of a status */
    const char *status;

    cli_colour colour;

    /* the text after the status */
    char outcome[400];

    /* why the answer does not reach its end; "" where it does */
    char reason[400];

    /* the message on standard error if exit_status is not CLI_GOOD */
    char message[500];

    int exit_status;

    /* whether there is anything to show, in JSON and as text */
    bool has_json, has_text;

    cli_quantities parameters;

    /* a run: it has an end, and events */
    bool is_run, has_events;

    cli_certified_event *events;
    size_t n_events;

    /* of the text: "each proved; proved complete" */
    const char *events_are;

    /* events have a sequence number, the state before them, and outputs */
    bool both_sides;

    /* the last state: has_final, with an empty t where nothing was reached */
    bool has_final, at_end;
    cli_quantities t, state;
    const char *mode;

    /* of the text, s */
    double t_shown;

    /* the heading of the outputs in the text; NULL: no heading */
    const char *outputs_title;
    bool has_outputs;
    cli_quantities outputs;

    /* up to t: extremes of the same outputs in turn, then of the stored energy if there is one; or none */
    cli_quantities greatest, least;

    /* of a run; or none */
    cli_derivative *derivatives;
    size_t n_derivatives;

    /* an event has ended the run */
    bool ended;

    /* of a free impact */
    bool is_impact, opens;

    /* u and d in turn */
    cli_quantities path;

    /* of a run: whether the text of the case confirms it; otherwise NULL */
    const char *judged;

    /* bits and, if they are counted, steps */
    long precision;
    size_t steps;

    bool out_of_memory;
} cli_certified;

/**
 * Add a number with its radius. `ball` is NULL if the number is not enclosed. Returns the number,
 * whose other fields the caller may set; it may move when another number is added.
 */
cli_quantity *cli_certified_add(cli_certified *answer, cli_quantities *to, const char *name, arb_srcptr ball);

/** Add the parameters of the problem; without values, unless they are `known`. */
void cli_certified_add_parameters(cli_certified *answer, bool known);

/**
 * Set the status of an answer, `proved` ("certified") if it is IC_OK, and otherwise the reason. If
 * the status means that the input is wrong, the answer has no JSON.
 */
void cli_certified_set_status(cli_certified *answer, ic_status status, const char *proved, const char *reason);

/** Add to the message of an answer that is undecided a setting, NAME=VALUE, with which it is decided. */
void cli_certified_add_advice(cli_certified *answer, const char *setting);

void cli_certified_add_states(cli_certified *answer, cli_quantities *to, arb_srcptr x, slong n);

cli_certified_event *cli_certified_add_event(cli_certified *answer, arb_srcptr t);

/** A free impact on a contact-force law: its closed form, enclosed. Returns the exit status. */
int cli_certify_law(const cli_arguments *arguments, const cli_instance *instance,
                    const cli_certified_format *format);

/** Show the answer as JSON, as text, or not at all, and release it. Returns the exit status. */
int cli_certified_show(cli_certified *answer, const cli_command *command);

/** {"value", "radius"}, after "exact" if there is one; null where it is not enclosed. */
void cli_quantity_json(ic_json *json, const char *key, const cli_quantity *quantity);

/** Two cells: the value, and "± radius". */
void cli_quantity_cells(cli_table *table, const cli_quantity *quantity);

/** Both at once: a ball as a member of an object, or as cells where `json` is NULL. */
void cli_ball_show(ic_json *json, cli_table *table, const char *key, arb_srcptr ball, long digits,
                   bool *out_of_memory);

void cli_quantities_free(cli_quantities *quantities);

/** One JSON object. */
void cli_certified_json(const cli_certified *answer, FILE *stream);

/** Tables on standard output. false: memory ran out. */
bool cli_certified_print(const cli_certified *answer);
