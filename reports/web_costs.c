/* SPDX-License-Identifier: MIT */
/* What accuracy costs: work and precision, orders, targets, sweeps; and the pages of studies and of result files. */
#include "reports/html.h"
#include "reports/lines.h"
#include "reports/plot.h"
#include "reports/reports.h"
#include "reports/web_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double number_at(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* ---- errors over work */

static bool seen_before(const json_t *rows, size_t end, const char *subject, const char *solver)
{
    for (size_t i = 0; i < end; i++) {
        const json_t *row = json_array_get(rows, i);
        if (ic_text_is(row, "subject", subject) && (solver == NULL || ic_text_is(row, "solver", solver)))
            return true;
    }
    return false;
}

/* In the time of one run, where that was measured, or in calls of the flow. */
static double cost_of(const json_t *row, bool by_time)
{
    const json_t *seconds = json_object_get(row, "seconds");
    double least = INFINITY;
    size_t i;
    json_t *second;
    if (!by_time) return number_at(json_object_get(row, "work"), "flow_calls");
    json_array_foreach(seconds, i, second)
    {
        least = fmin(least, json_number_value(second));
    }
    return isinf(least) ? NAN : 1e6 * least / number_at(row, "simulated");
}

static void add_solver(ic_plot *plot, const json_t *rows, const char *subject, const char *solver, int look,
                       bool by_time)
{
    size_t i;
    json_t *row;
    ic_plot_series *series = ic_plot_add(plot, look < 0 ? "" : solver, IC_PLOT_LINE_MARKS, look);
    json_array_foreach(rows, i, row)
    {
        if (series == NULL || !ic_text_is(row, "subject", subject) || !ic_text_is(row, "solver", solver))
            continue;
        const double cost = cost_of(row, by_time), error = number_at(row, "error");
        if (cost > 0 && error > 0) ic_plot_point(plot, series, cost, error);
    }
}

/* `only`: this solver stands out, and the others stand behind it. */
static bool write_costs_of(FILE *out, const json_t *rows, const char *subject, const char *only, bool by_time)
{
    size_t i;
    json_t *row;
    int look = 0;
    ic_plot plot = {
        .title = subject,
        .x = {by_time ? "processor time / µs per simulated second" : "calls of the flow", true, NAN, NAN},
        .y = {"error of an event’s time / s", true, NAN, NAN}};
    json_array_foreach(rows, i, row)
    {
        const char *solver = ic_report_text(row, "solver");
        if (!ic_text_is(row, "subject", subject) || seen_before(rows, i, subject, solver)) continue;
        if (only != NULL && strcmp(only, solver) == 0) continue;
        add_solver(&plot, rows, subject, solver, only != NULL ? -1 : look++, by_time);
    }
    if (only != NULL) add_solver(&plot, rows, subject, only, 0, by_time);
    const bool any = ic_plot_has_data(&plot);
    if (any) {
        IC_HTML(out, "<figure>\n<figcaption><b>%</b>%</figcaption>\n", subject,
                only != NULL ? ", others in grey" : "");
        ic_plot_write(&plot, out);
        fputs("</figure>\n", out);
    }
    ic_plot_free(&plot);
    return any;
}

void ic_page_work_precision(ic_web *web, const char *solver, FILE *out)
{
    const json_t *rows = json_object_get(ic_web_json(web, "bench.json"), "rows");
    size_t i;
    json_t *row;
    if (rows == NULL) {
        ic_page_missing(web, out, "bench.json");
        return;
    }
    fputs("<div class=\"figures\">\n", out);
    json_array_foreach(rows, i, row)
    {
        const char *subject = ic_report_text(row, "subject");
        if (seen_before(rows, i, subject, NULL) ||
            (solver != NULL && !seen_before(rows, json_array_size(rows), subject, solver)))
            continue;
        if (solver == NULL) write_costs_of(out, rows, subject, solver, true);
        write_costs_of(out, rows, subject, solver, false);
    }
    fputs("</div>\n", out);
    ic_page_command(out, ic_web_recipe("bench.json").text);
}

/* ---- tables of bench.json */

static void write_targets(FILE *out, const json_t *targets)
{
    size_t i;
    json_t *target;
    if (json_array_size(targets) == 0) return;
    fputs("<h2>Targets</h2>\n<table class=\"stack sort\">\n<thead><tr><th>ratio</th><th "
          "class=\"n\">measured</th><th class=\"n\">bound</th><th>verdict</th></tr></thead>\n<tbody>\n",
          out);
    json_array_foreach(targets, i, target)
    {
        fputs("<tr data-cmd=\"impactcheck bench\">", out);
        ic_page_cell(out, "ratio", ic_report_text(target, "name"));
        ic_page_number(out, "measured", number_at(target, "ratio"));
        ic_page_number(out, "bound", number_at(target, "bound"));
        ic_page_cell(out, "verdict", ic_report_text(target, "verdict"));
        fputs("</tr>\n", out);
    }
    fputs("</tbody>\n</table>\n", out);
}

static void write_orders(FILE *out, const json_t *orders)
{
    size_t i;
    json_t *order;
    if (json_array_size(orders) == 0) return;
    fputs("<h2>Orders</h2>\n<table class=\"stack sort filter\">\n<thead><tr><th>subject</th><th>solver</th><th "
          "class=\"n\">claimed</th><th class=\"n\">shown</th></tr></thead>\n<tbody>\n",
          out);
    json_array_foreach(orders, i, order)
    {
        IC_HTML(out, "<tr data-cmd=\"impactcheck bench '%' --solver %\">", ic_report_text(order, "subject"),
                ic_report_text(order, "solver"));
        ic_page_cell(out, "subject", ic_report_text(order, "subject"));
        ic_page_cell(out, "solver", ic_report_text(order, "solver"));
        ic_page_number(out, "claimed", number_at(order, "claimed"));
        ic_page_number(out, "shown", number_at(order, "shown"));
        fputs("</tr>\n", out);
    }
    fputs("</tbody>\n</table>\n", out);
}

static void write_cost_row(FILE *out, const json_t *row)
{
    const json_t *work = json_object_get(row, "work");
    IC_HTML(out, "<tr data-cmd=\"impactcheck bench '%' --solver %\">", ic_report_text(row, "subject"),
            ic_report_text(row, "solver"));
    ic_page_cell(out, "subject", ic_report_text(row, "subject"));
    ic_page_cell(out, "solver", ic_report_text(row, "solver"));
    ic_page_cell(out, "control", ic_report_text(row, "control"));
    ic_page_number(out, "setting", number_at(row, "setting"));
    ic_page_number(out, "error, s", number_at(row, "error"));
    ic_page_number(out, "µs per simulated s", cost_of(row, true));
    ic_page_number(out, "flow calls", number_at(work, "flow_calls"));
    ic_page_number(out, "steps", number_at(work, "steps"));
    fputs("</tr>\n", out);
}

static void write_cost_rows(FILE *out, const json_t *rows)
{
    size_t i;
    json_t *row;
    fputs("<h2>Every setting</h2>\n<details><summary>All rows</summary>\n<table class=\"stack sort "
          "filter\">\n<thead><tr><th>subject</th><th>solver</th><th>control</th><th class=\"n\">setting</th>"
          "<th class=\"n\">error, s</th><th class=\"n\">µs per simulated s</th><th class=\"n\">flow "
          "calls</th><th class=\"n\">steps</th></tr></thead>\n<tbody>\n",
          out);
    json_array_foreach(rows, i, row)
    {
        write_cost_row(out, row);
    }
    fputs("</tbody>\n</table>\n</details>\n", out);
}

void ic_write_costs(ic_web *web, const ic_page *page, FILE *out)
{
    const json_t *bench = ic_web_json(web, "bench.json"), *machine = json_object_get(bench, "machine");
    IC_HTML(out,
            "<h1>%</h1>\n<p class=\"lead\">Errors of events’ times beside the work they cost, own solvers and "
            "those of other packages.</p>\n",
            page->title);
    if (machine != NULL) {
        IC_HTML(out, "<p>Measured on %, %, %.</p>\n", ic_report_text(machine, "cpu"),
                ic_report_text(machine, "compiler"), ic_report_text(machine, "flags"));
    }
    fputs("<h2>Work and precision</h2>\n", out);
    ic_page_work_precision(web, NULL, out);
    if (bench != NULL) {
        write_targets(out, json_object_get(bench, "targets"));
        write_orders(out, json_object_get(bench, "orders"));
        write_cost_rows(out, json_object_get(bench, "rows"));
    }
    ic_page_figures(web, "costs", out);
}

/* ---- studies: each by its question and its columns */

void ic_write_studies(ic_web *web, const ic_page *page, FILE *out)
{
    size_t i;
    json_t *study;
    IC_HTML(out,
            "<h1>%</h1>\n<p class=\"lead\">Tables of our own that go beyond a paper. Their figures stand on "
            "the pages of their cases.</p>\n<dl class=\"studies\">\n",
            page->title);
    json_array_foreach(json_object_get(ic_web_json(web, "list.json"), "studies"), i, study)
    {
        const char *name = ic_report_text(study, "name");
        IC_HTML(out, "<dt id=\"%\">%</dt>\n<dd>%\n", name, ic_report_text(study, "title"),
                ic_report_text(study, "question"));
        char command[160];
        snprintf(command, sizeof command, "study %.100s", name);
        ic_page_command(out, command);
        fputs("</dd>\n", out);
    }
    fputs("</dl>\n", out);
    ic_page_figures(web, "studies", out);
}

/* ---- where the numbers come from */

static void write_machine(ic_web *web, FILE *out)
{
    static const char *const keys[] = {"version", "commit", "compiler", "flags", "cpu", "arithmetic"};
    const json_t *machine = json_object_get(ic_web_json(web, "verify.json"), "machine");
    if (machine == NULL) machine = json_object_get(ic_web_json(web, "bench.json"), "machine");
    fputs("<dl>\n", out);
    for (size_t i = 0; i < sizeof keys / sizeof *keys && machine != NULL; i++)
        IC_HTML(out, "<dt>%</dt><dd>%</dd>\n", keys[i], ic_report_text(machine, keys[i]));
    fputs("</dl>\n", out);
}

void ic_write_results(ic_web *web, const ic_page *page, FILE *out)
{
    char *text = NULL;
    size_t size = 0;
    FILE *list = open_memstream(&text, &size);
    IC_HTML(out,
            "<h1>%</h1>\n<p class=\"lead\">All pages are made of these files, and of nothing else. Commands "
            "are run in their folder.</p>\n",
            page->title);
    write_machine(web, out);
    if (list == NULL) return;
    ic_web_recipes(web, false, list);
    fclose(list);
    fputs("<table class=\"stack sort "
          "filter\">\n<thead><tr><th>there</th><th>file</th><th>command</th></tr></thead>\n<tbody>\n",
          out);
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        char *command = strchr(line, '\t');
        *command++ = '\0';
        const bool there = ic_web_has(web, line);
        IC_HTML(out,
                there ? "<tr><td class=\"verdict pass\" data-l=\"there\">✓ yes</td>%"
                      : "<tr><td class=\"verdict none\" data-l=\"there\">– missing</td>%",
                "");
        IC_HTML(out, "<td data-l=\"file\">%</td><td data-l=\"command\"><code>impactcheck %</code></td></tr>\n",
                line, command);
    }
    fputs("</tbody>\n</table>\n", out);
    free(text);
}
