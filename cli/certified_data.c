/* SPDX-License-Identifier: MIT */
/* A certified answer as JSON, like `run --json`: numbers are texts, each with its radius. */
#include "cli/certified.h"
#include "reports/json.h"

static void write_pair(ic_json *json, const char *name, const cli_quantity *quantity)
{
    IC_JSON_MEMBERS(json, IC_TEXT(name, quantity->value), IC_TEXT("radius", quantity->radius));
}

void cli_quantity_json(ic_json *json, const char *key, const cli_quantity *quantity)
{
    if (quantity->value == NULL && quantity->exact == NULL) {
        ic_json_null(json, key);
        return;
    }
    ic_json_object_line(json, key);
    if (quantity->exact != NULL) ic_json_text(json, "exact", quantity->exact);
    write_pair(json, "value", quantity);
    ic_json_end(json);
}

/* An object of some numbers by name: n from the first one on. */
static void write_some(ic_json *json, const char *key, const cli_quantities *quantities, size_t first, size_t n)
{
    ic_json_object(json, key);
    for (size_t i = first; i < first + n && i < quantities->n; i++)
        cli_quantity_json(json, quantities->list[i].name, &quantities->list[i]);
    ic_json_end(json);
}

static void write_quantities(ic_json *json, const char *key, const cli_quantities *quantities)
{
    write_some(json, key, quantities, 0, quantities->n);
}

static void write_event(ic_json *json, const cli_certified *a, const cli_certified_event *event)
{
    ic_json_object(json, NULL);
    write_pair(json, "t", event->t.list);
    IC_JSON_MEMBERS(json, IC_TEXT("kind", event->kind), IC_TEXT("guard", event->name),
                    IC_TEXT("from", event->from), IC_TEXT("to", event->to));
    if (a->both_sides) {
        ic_json_integer(json, "seq", event->sequence);
        write_quantities(json, "state_before", &event->before);
    }
    write_quantities(json, "state", &event->after);
    if (a->both_sides) write_quantities(json, "outputs", &event->outputs);
    ic_json_end(json);
}

static void write_final(ic_json *json, const cli_certified *a)
{
    ic_json_object(json, "final");
    if (a->t.n > 0) {
        write_pair(json, "t", a->t.list);
        ic_json_text(json, "mode", a->mode);
        write_quantities(json, "state", &a->state);
    }
    ic_json_end(json);
}

/* The extremes of quantity number i; null: not enclosed, or not asked for. Their times are not enclosed. */
static void write_extremes(ic_json *json, const cli_certified *a, size_t i)
{
    const bool asked = i < a->least.n;
    const cli_quantity none = {.value = NULL};
    cli_quantity_json(json, "min", asked ? &a->least.list[i] : &none);
    ic_json_null(json, "t_min");
    cli_quantity_json(json, "max", asked ? &a->greatest.list[i] : &none);
    ic_json_null(json, "t_max");
    if (asked) ic_json_text(json, "undecided", a->least.list[i].undecided);
}

static void write_outputs(ic_json *json, const cli_certified *a)
{
    ic_json_object(json, "outputs");
    for (size_t i = 0; i < a->outputs.n; i++) {
        const cli_quantity *output = &a->outputs.list[i];
        if (output->no_output) continue;
        ic_json_object_line(json, output->name);
        write_extremes(json, a, i);
        cli_quantity_json(json, "final", output);
        ic_json_end(json);
    }
    ic_json_end(json);
    for (size_t i = 0; i < a->outputs.n; i++) {
        const cli_quantity *other = &a->outputs.list[i];
        if (other->no_output) cli_quantity_json(json, other->name, other);
    }
    if (a->least.n > a->outputs.n) {
        ic_json_object_line(json, a->least.list[a->outputs.n].name);
        write_extremes(json, a, a->outputs.n);
        ic_json_end(json);
    }
}

static void write_path(ic_json *json, const cli_certified *a)
{
    ic_json_array(json, "path");
    for (size_t i = 0; i + 1 < a->path.n; i += 2) {
        ic_json_object_line(json, NULL);
        cli_quantity_json(json, "u", &a->path.list[i]);
        cli_quantity_json(json, "d", &a->path.list[i + 1]);
        ic_json_end(json);
    }
    ic_json_end(json);
}

static void write_derivative(ic_json *json, const cli_derivative *d)
{
    ic_json_object(json, d->name);
    ic_json_array(json, "events");
    for (size_t i = 0; i < d->times.n; i++) {
        ic_json_object(json, NULL);
        cli_quantity_json(json, "t", &d->times.list[i]);
        write_some(json, "state_before", &d->before, i * d->n_states, d->n_states);
        write_some(json, "state", &d->after, i * d->n_states, d->n_states);
        ic_json_end(json);
    }
    ic_json_end(json);
    ic_json_object(json, "final");
    write_quantities(json, "state", &d->state);
    write_quantities(json, "outputs", &d->outputs);
    ic_json_end(json);
    ic_json_end(json);
}

void cli_certified_json(const cli_certified *a, FILE *stream)
{
    const ic_problem *problem = &a->instance->setup.problem;
    ic_json json = ic_json_to(stream);
    ic_json_object(&json, NULL);
    IC_JSON_MEMBERS(&json, IC_TEXT("case", problem->system->name),
                    IC_TEXT("preset", a->instance->setup.preset->name),
                    IC_TEXT("variant", problem->variant->name), IC_TEXT("solver", "certify"));
    write_quantities(&json, "parameters", &a->parameters);
    if (a->is_run) ic_json_text(&json, "t_end", problem->t_end_text);
    IC_JSON_MEMBERS(&json, IC_WHOLE("digits", a->format.digits), IC_TEXT("status", a->status),
                    IC_TEXT("reason", a->reason[0] != '\0' ? a->reason : NULL));
    if (a->has_events) {
        ic_json_array(&json, "events");
        for (size_t i = 0; i < a->n_events; i++) write_event(&json, a, &a->events[i]);
        ic_json_end(&json);
    }
    if (a->has_final) write_final(&json, a);
    if (a->is_impact) ic_json_bool(&json, "opens", a->opens);
    if (a->has_outputs) write_outputs(&json, a);
    if (a->is_impact) write_path(&json, a);
    if (a->n_derivatives > 0) {
        ic_json_object(&json, "derivatives");
        for (size_t i = 0; i < a->n_derivatives; i++) write_derivative(&json, &a->derivatives[i]);
        ic_json_end(&json);
    }
    if (a->judged != NULL) ic_json_text(&json, "judged", a->judged);
    ic_json_object_line(&json, "work");
    ic_json_integer(&json, "precision_bits", a->precision);
    if (a->steps > 0) ic_json_integer(&json, "steps", (long long)a->steps);
    ic_json_end(&json);
    ic_json_end(&json);
}
