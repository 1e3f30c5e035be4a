/* SPDX-License-Identifier: MIT */
/* The cost of accuracy: work and precision, orders, targets, sweeps; and the page of result files.
 */
#include "reports/html.h"
#include "reports/lines.h"
#include "reports/plot.h"
#include "reports/reports.h"
#include "reports/web.h"
#include "reports/web_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 6 }; /* of counts */

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

/* Time of one run per simulated second, NAN if it was not measured, or number of flow calls. */
static double cost_of(const json_t *row, bool by_time)
{
    const json_t *seconds = json_object_get(row, "seconds");
    double least = INFINITY;
    size_t i;
    json_t *second;
    if (!by_time) return ic_page_number_of(json_object_get(row, "work"), "flow_calls");
    json_array_foreach(seconds, i, second) least = fmin(least, json_number_value(second));
    return isinf(least) ? NAN : 1e6 * least / ic_page_number_of(row, "simulated");
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
        const double cost = cost_of(row, by_time), error = ic_page_number_of(row, "error");
        if (cost > 0 && error > 0) ic_plot_point(plot, series, cost, error);
    }
}

/* `only`: this solver is highlighted, and the others are drawn behind it. */
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
    ic_page_command(out, ic_web_recipe(web, "bench.json").text);
}

/* ---- the cheapest setting for a given error */

/* Error of an event's time, s: coarse enough that every method reaches it, and far below what
   can be measured in a contact. */
static const double WANTED = 1e-8;

/* Least time of a solver on a subject with an error of at most WANTED; INFINITY: none of its
   settings is as good, or none was measured. */
static double find_cheapest(const json_t *rows, const char *subject, const char *solver)
{
    double least = INFINITY;
    size_t i;
    json_t *row;
    json_array_foreach(rows, i, row)
    {
        if (!ic_text_is(row, "subject", subject)) continue;
        if (solver != NULL && !ic_text_is(row, "solver", solver)) continue;
        const double cost = cost_of(row, true);
        if (ic_page_number_of(row, "error") <= WANTED && cost > 0) least = fmin(least, cost);
    }
    return least;
}

/* Whole numbers from a hundred on, so that a column can be read down. */
static ic_number_text round_cost(double value, int digits)
{
    ic_number_text text = ic_number_short(value, digits);
    if (value >= 100 && value < 1e7) snprintf(text.text, sizeof text.text, "%.0f", value);
    return text;
}

static const char *operand_of(const json_t *rows, const char *subject)
{
    size_t i;
    json_t *row;
    json_array_foreach(rows, i, row) if (ic_text_is(row, "subject", subject)) return ic_row_operand(row);
    return subject;
}

static void write_cheapest_cell(FILE *out, const json_t *rows, const char *subject, const char *solver)
{
    const double cost = find_cheapest(rows, subject, solver), best = find_cheapest(rows, subject, NULL);
    IC_HTML(out, "<td class=\"cell %\" data-l=\"%\" title=\"impactcheck bench '%' --solver %\">",
            isinf(cost)    ? "none"
            : cost == best ? "pass best"
                           : "plain",
            subject, operand_of(rows, subject), solver);
    if (!seen_before(rows, json_array_size(rows), subject, solver)) fputs("<span class=\"off\">·</span>", out);
    else if (isinf(cost)) fputs("–", out);
    else
        IC_HTML(out, cost == best ? "★ %" : "%<span class=\"why\">×%</span>", round_cost(cost, 3).text,
                round_cost(cost / best, 2).text);
    fputs("</td>\n", out);
}

static void write_cheapest_row(FILE *out, const json_t *rows, const char *solver)
{
    size_t i;
    json_t *row;
    IC_HTML(out, "<tr><th scope=\"row\"><a href=\"%\">%</a></th>", ic_page_link("solver", solver).text, solver);
    json_array_foreach(rows, i, row)
    {
        const char *subject = ic_report_text(row, "subject");
        if (!seen_before(rows, i, subject, NULL)) write_cheapest_cell(out, rows, subject, solver);
    }
    fputs("</tr>\n", out);
}

static bool solver_seen_before(const json_t *rows, size_t end, const char *solver)
{
    for (size_t i = 0; i < end; i++) {
        if (ic_text_is(json_array_get(rows, i), "solver", solver)) return true;
    }
    return false;
}

static void write_cheapest(ic_web *web, FILE *out, const json_t *rows)
{
    size_t i;
    json_t *row;
    if (isinf(find_cheapest(rows, ic_report_text(json_array_get(rows, 0), "subject"), NULL))) return;
    fputs(
        "<h2 id=\"cheapest\">The cheapest way to an error of 10 ns</h2>\n"
        "<p>Processor time in µs for a simulated second, of each solver’s cheapest setting whose event times have errors of at most 10 ns. "
        "★ fastest, × time relative to the fastest, – none of its settings is accurate enough, · not supported.</p>\n"
        "<table class=\"matrix cheapest\">\n"
        "<thead><tr><th>solver</th>",
        out);
    json_array_foreach(rows, i, row)
    {
        const char *subject = ic_report_text(row, "subject"), *slash = strchr(subject, '/');
        char before[64];
        if (seen_before(rows, i, subject, NULL)) continue;
        snprintf(before, sizeof before, "%.*s", (int)strcspn(subject, "/"), subject);
        IC_HTML(out, "<th>%<br>%</th>", before, slash != NULL ? slash + 1 : "");
    }
    fputs("</tr></thead>\n<tbody>\n", out);
    json_array_foreach(rows, i, row)
    {
        const char *solver = ic_report_text(row, "solver");
        if (!solver_seen_before(rows, i, solver)) write_cheapest_row(out, rows, solver);
    }
    ic_page_table_end(out, ic_web_recipe(web, "bench.json").text);
}

/* ---- a sweep */

static void write_sweep(ic_web *web, FILE *out, const json_t *bench)
{
    const json_t *diagram = json_object_get(bench, "diagram");
    const double events = ic_page_number_of(diagram, "events"), opening = ic_page_number_of(diagram, "opening"),
                 one = ic_page_number_of(diagram, "one"), two = ic_page_number_of(diagram, "two");
    if (!(events > 0)) return;
    fputs("<h2 id=\"sweep\">Sweep</h2>\n"
          "<p>The bifurcation diagram that the targets name; "
          "the time for an event is without that for preparing the sets.</p>\n"
          "<dl>\n",
          out);
    IC_HTML(out, "<dt>sets × periods</dt><dd>% × %, % events</dd>\n",
            ic_number_short(ic_page_number_of(diagram, "sets"), DIGITS).text,
            ic_number_short(ic_page_number_of(diagram, "periods"), DIGITS).text,
            ic_number_short(events, DIGITS).text);
    IC_HTML(out, "<dt>for an event</dt><dd>% ns; % ns is the floor by %</dd>\n",
            ic_number_short(1e9 * (ic_page_number_of(diagram, "processor") - opening) / events, 3).text,
            ic_number_short(1e9 * ic_page_number_of(json_object_get(bench, "floor"), "event"), 3).text,
            ic_report_text(json_object_get(bench, "floor"), "vectors"));
    IC_HTML(out, "<dt>one thread</dt><dd>% s</dd>\n<dt>two threads</dt><dd>% s</dd>\n</dl>\n",
            ic_number_short(one, 3).text, ic_number_short(two, 3).text);
    ic_page_command(out, ic_web_recipe(web, "bench.json").text);
}

/* ---- tables of bench.json */

static void write_targets(FILE *out, const json_t *targets)
{
    size_t i;
    json_t *target;
    if (json_array_size(targets) == 0) return;
    fputs("<h2 id=\"targets\">Targets</h2>\n"
          "<p>Goals that the suite sets itself, as ratios of one run on one machine.</p>\n",
          out);
    ic_page_table(out, "stack sort", NULL, "verdict|ratio|#measured|#bound|measurement");
    json_array_foreach(targets, i, target)
    {
        const char *verdict = ic_report_text(target, "verdict");
        const int k = strcmp(verdict, "met") == 0 ? 0 : strcmp(verdict, "missed") == 0 ? 1 : 2;
        IC_HTML(out, "<tr title=\"impactcheck bench\"><td class=\"verdict %\" data-l=\"verdict\">% %</td>",
                ((const char *[]){"pass", "fail", "none"})[k], ((const char *[]){"✓", "✗", "–"})[k], verdict);
        ic_page_cells(out, target, "ratio=name|#measured=ratio|#bound|measurement=detail");
        fputs("</tr>\n", out);
    }
    ic_page_table_end(out, NULL);
}

/* A row of a table, with the command that measures it. */
static void begin_cost_row(FILE *out, const json_t *row)
{
    IC_HTML(out, "<tr title=\"impactcheck bench '%' --solver %\">", ic_row_operand(row),
            ic_report_text(row, "solver"));
}

void ic_page_slopes(ic_web *web, const char *solver, FILE *out)
{
    static const char columns[] = "subject|solver|#order claimed=claimed|#slope=shown|#points";
    size_t i, count = 0;
    json_t *order;
    json_array_foreach(json_object_get(ic_web_json(web, "bench.json"), "orders"), i, order)
    {
        if (isnan(ic_page_number_of(order, "shown")) ||
            (solver != NULL && !ic_text_is(order, "solver", solver)))
            continue;
        if (count++ == 0) {
            fputs(
                "<h2 id=\"slopes\">Slopes of the error over the mean step</h2>\n"
                "<p>A slope exceeds the order where many events take a part of the steps that does not grow with the "
                "tolerance. "
                "It is not an order if the motion between events is a polynomial.</p>\n",
                out);
            ic_page_table(out, "stack sort filter", NULL, columns);
        }
        begin_cost_row(out, order);
        ic_page_cells(out, order, columns);
        fputs("</tr>\n", out);
    }
    if (count > 0) ic_page_table_end(out, ic_web_recipe(web, "bench.json").text);
}

static void write_cost_rows(FILE *out, const json_t *rows)
{
    size_t i;
    json_t *row;
    fputs("<h2 id=\"settings\">Every setting</h2>\n<details class=\"long\"><summary>All rows</summary>\n", out);
    ic_page_table(out, "stack sort filter", NULL,
                  "subject|solver|control|#setting|#error, s|#µs per simulated s|#flow calls|#steps");
    json_array_foreach(rows, i, row)
    {
        begin_cost_row(out, row);
        ic_page_cells(out, row, "subject|solver|control|#setting|#error, s=error");
        ic_page_number(out, "µs per simulated s", cost_of(row, true));
        ic_page_cells(out, json_object_get(row, "work"), "#flow calls=flow_calls|#steps");
        fputs("</tr>\n", out);
    }
    ic_page_table_end(out, NULL);
    fputs("</details>\n", out);
}

void ic_write_costs(ic_web *web, const ic_page *page, FILE *out)
{
    const json_t *bench = ic_web_json(web, "bench.json"), *machine = json_object_get(bench, "machine");
    IC_HTML(
        out,
        "<h1>%</h1>\n"
        "<p class=\"lead\">Errors of event times and the work they cost, for our solvers and those of other packages.</p>\n",
        page->title);
    if (machine != NULL) {
        IC_HTML(out, "<p>Measured on %, %, %.</p>\n", ic_report_text(machine, "cpu"),
                ic_report_text(machine, "compiler"), ic_report_text(machine, "flags"));
    }
    if (bench != NULL) write_cheapest(web, out, json_object_get(bench, "rows"));
    fputs("<h2 id=\"work\">Work and precision</h2>\n", out);
    ic_page_work_precision(web, NULL, out);
    if (bench != NULL) {
        write_targets(out, json_object_get(bench, "targets"));
        write_sweep(web, out, bench);
        ic_page_slopes(web, NULL, out);
        write_cost_rows(out, json_object_get(bench, "rows"));
    }
    ic_page_figures(web, "costs", out);
}

/* ---- origin of the numbers */

static void write_machine(ic_web *web, FILE *out)
{
    static const struct {
        const char *key, *label;
    } of[] = {{"version", "version"},   {"commit", "commit"},
              {"compiler", "compiler"}, {"flags", "compiled with"},
              {"cpu", "processor"},     {"arithmetic", "hash of values of the C library’s functions"}};
    const json_t *machine = json_object_get(ic_web_json(web, "verify.json"), "machine");
    if (machine == NULL) machine = json_object_get(ic_web_json(web, "bench.json"), "machine");
    fputs("<dl>\n", out);
    for (size_t i = 0; i < sizeof of / sizeof *of && machine != NULL; i++)
        IC_HTML(out, "<dt>%</dt><dd>%</dd>\n", of[i].label, ic_report_text(machine, of[i].key));
    fputs("</dl>\n", out);
}

void ic_write_results(ic_web *web, const ic_page *page, FILE *out)
{
    char *text = NULL;
    size_t size = 0;
    FILE *list = open_memstream(&text, &size);
    IC_HTML(out,
            "<h1>%</h1>\n"
            "<p class=\"lead\">All pages are made from these files only. "
            "Commands are run in their folder.</p>\n",
            page->title);
    write_machine(web, out);
    if (list == NULL) return;
    ic_web_recipes(web, false, list);
    fclose(list);
    fputs("<table class=\"stack sort filter\">\n"
          "<thead><tr><th>there</th><th>file</th><th>command</th></tr></thead>\n"
          "<tbody>\n",
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
