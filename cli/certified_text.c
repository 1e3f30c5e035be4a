/* SPDX-License-Identifier: MIT */
/* A certified answer as tables. */
#include "cli/certified.h"
#include "reports/number.h"

#include <stdio.h>
#include <string.h>

enum { FIRST_EVENTS = 10, LAST_EVENTS = 5, INDENT = 2, TIME_DIGITS = 10 };

void cli_quantity_cells(cli_table *table, const cli_quantity *quantity)
{
    const char *value = quantity->value != NULL ? quantity->value : quantity->infinite ? "infinite" : "";
    const bool exact = quantity->infinite || (quantity->radius != NULL && strcmp(quantity->radius, "0") == 0);
    char radius[64];
    snprintf(radius, sizeof radius, "%s %.40s", cli_plus_minus(),
             quantity->radius != NULL ? quantity->radius : "");
    CLI_ROW(table, value, exact ? "exact" : radius);
}

static bool is_enclosed(const cli_quantity *quantity)
{
    return quantity->value != NULL || quantity->infinite;
}

static bool print_quantities(const char *title, const cli_quantities *quantities)
{
    char titles[64];
    snprintf(titles, sizeof titles, "%s|value.|radius|unit|meaning", title);
    cli_table *table = cli_table_of(titles);
    for (size_t i = 0; i < quantities->n; i++) {
        const cli_quantity *quantity = &quantities->list[i];
        if (!is_enclosed(quantity)) continue;
        cli_table_cell(table, quantity->name);
        cli_quantity_cells(table, quantity);
        CLI_ROW(table, quantity->unit, quantity->meaning);
    }
    if (!cli_table_finish(table, INDENT, true)) return false;
    const char *before = "Not enclosed: ";
    for (size_t i = 0; i < quantities->n; i++) {
        if (is_enclosed(&quantities->list[i])) continue;
        printf("%*s%s%s", *before == ',' ? 0 : INDENT, "", before, quantities->list[i].name);
        before = ", ";
    }
    if (*before == ',') putchar('\n');
    return true;
}

/* `derivative` NULL: the event itself. */
static void add_event(cli_table *table, const cli_certified *a, const cli_derivative *derivative, size_t i)
{
    const cli_certified_event *event = &a->events[i];
    char text[256];
    snprintf(text, sizeof text, "%zu", i + 1);
    CLI_ROW(table, text, event->name);
    if (derivative != NULL) {
        const cli_quantity *time = &derivative->times.list[i];
        cli_quantity_cells(table, event->t.list);
        if (time->value != NULL) cli_quantity_cells(table, time);
        else CLI_ROW(table, "not known", "");
        return;
    }
    if (event->from == NULL || event->to == NULL || strcmp(event->from, event->to) == 0) {
        snprintf(text, sizeof text, "%s", event->from != NULL ? event->from : "?");
    } else {
        snprintf(text, sizeof text, "%s %s %s", event->from, cli_arrow(), event->to);
    }
    cli_table_cell(table, text);
    snprintf(text, sizeof text, "%d", event->sequence);
    if (a->both_sides) cli_table_cell(table, text);
    cli_quantity_cells(table, event->t.list);
}

static bool print_rows(const cli_certified *a, const char *titles, const cli_derivative *derivative)
{
    const size_t n = a->n_events;
    const bool all = a->format.all_events || n <= FIRST_EVENTS + LAST_EVENTS + 1;
    char text[128];
    cli_table *table = cli_table_of(titles);
    for (size_t i = 0; i < n; i++) {
        if (all || i < FIRST_EVENTS || i + LAST_EVENTS >= n) {
            add_event(table, a, derivative, i);
        } else if (i == FIRST_EVENTS) {
            snprintf(text, sizeof text, "... %zu more (--all-events shows them)",
                     n - (size_t)FIRST_EVENTS - (size_t)LAST_EVENTS);
            cli_table_line(table, text);
        }
    }
    return cli_table_finish(table, INDENT, true);
}

static bool print_events(const cli_certified *a)
{
    const size_t n = a->n_events;
    char text[128];
    snprintf(text, sizeof text, n == 0 ? "No events" : "Events: %zu, %s", n, a->events_are);
    cli_table_heading(text);
    if (n == 0) return true;
    if (!print_rows(a, a->both_sides ? "#>|event|mode|seq>|t, s.|radius" : "#>|event|mode|t, s.|radius", NULL))
        return false;
    printf("%*sStates %safter each event: --json\n", INDENT, "", a->both_sides ? "before and " : "");
    return true;
}

static bool print_derivative(const cli_certified *a, const cli_derivative *d)
{
    const size_t n = a->n_events;
    char text[256];
    snprintf(text, sizeof text, "Derivatives by %s%s%s", d->name, strcmp(d->unit, "1") == 0 ? "" : ", per ",
             strcmp(d->unit, "1") == 0 ? "" : d->unit);
    cli_table_heading(text);
    snprintf(text, sizeof text, "#>|event|t, s.|radius|dt/d%.64s, s.|radius", d->name);
    if (n > 0 && !print_rows(a, text, d)) return false;
    printf("%s%*sAt t = %s s, %s\n", n > 0 ? "\n" : "", INDENT, "",
           ic_number_short(a->t_shown, TIME_DIGITS).text,
           a->ended ? "where the last event ends the run" : "a fixed time");
    return print_quantities("state", &d->state) &&
           (d->outputs.n == 0 || print_quantities("output", &d->outputs));
}

static bool print_final(const cli_certified *a)
{
    char text[128];
    snprintf(text, sizeof text, "%s t = %s s, mode %s",
             a->at_end ? "At the end:" : "Reached:", ic_number_short(a->t_shown, TIME_DIGITS).text,
             a->mode != NULL ? a->mode : "?");
    cli_table_heading(text);
    return print_quantities("state", &a->state);
}

static bool print_outputs(const cli_certified *a)
{
    if (a->outputs_title != NULL) cli_table_heading(a->outputs_title);
    else putchar('\n');
    if (!print_quantities("output", &a->outputs)) return false;
    if (a->is_impact && !a->opens) printf("%*sThe contact never opens.\n", INDENT, "");
    return true;
}

static bool print_extremes(const cli_certified *a)
{
    cli_table *table = cli_table_of("output|least.|radius|greatest.|radius|unit");
    cli_table_heading("Extremes from the start until then");
    for (size_t i = 0; i < a->greatest.n; i++) {
        const cli_quantity *least = &a->least.list[i];
        if (least->undecided != NULL) continue;
        cli_table_cell(table, least->name);
        cli_quantity_cells(table, least);
        cli_quantity_cells(table, &a->greatest.list[i]);
        cli_table_cell(table, least->unit);
    }
    if (!cli_table_finish(table, INDENT, true)) return false;
    for (size_t i = 0; i < a->greatest.n; i++) {
        const cli_quantity *least = &a->least.list[i];
        if (least->undecided != NULL)
            printf("%*s%s: undecided: %s\n", INDENT, "", least->name, least->undecided);
    }
    return true;
}

static bool print_path(const cli_certified *a)
{
    cli_table *table = cli_table_of("d'/v0.|radius|d, m.|radius");
    cli_table_heading("Path in the phase plane");
    for (size_t i = 0; i < a->path.n; i++) cli_quantity_cells(table, &a->path.list[i]);
    return cli_table_finish(table, INDENT, true);
}

bool cli_certified_print(const cli_certified *a)
{
    const bool known = a->is_run ? cli_instance_print(a->instance, "by", a->method)
                                 : cli_instance_print_model(a->instance, "by", a->method);
    if (!known || (a->has_events && !print_events(a)) || (a->has_final && !print_final(a)) ||
        (a->outputs.n > 0 && !print_outputs(a)) || (a->greatest.n > 0 && !print_extremes(a)) ||
        (a->path.n > 0 && !print_path(a)))
        return false;
    for (size_t i = 0; i < a->n_derivatives; i++) {
        if (!print_derivative(a, &a->derivatives[i])) return false;
    }
    printf("\n%s %s%s\n", cli_paint(stdout, CLI_BOLD, "Status:").text,
           cli_paint(stdout, a->colour, a->status).text, a->outcome);
    if (a->judged != NULL) printf("Held against the text of the case: %s\n", a->judged);
    return true;
}
