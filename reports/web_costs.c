/* SPDX-License-Identifier: MIT */
/* The cost of accuracy: work and precision, orders, targets, sweeps; and the page of result files.
 */
#include "reports/html.h"
#include "reports/looks.h"
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
    if (!by_time) return ic_page_number_of(json_object_get(row, "work"), "flow_calls");
    for (size_t i = 0; i < json_array_size(seconds); i++)
        least = fmin(least, json_number_value(json_array_get(seconds, i)));
    return isinf(least) ? NAN : 1e6 * least / ic_page_number_of(row, "simulated");
}

/* NULL as look: behind the others. */
static void add_solver(ic_plot *plot, const json_t *rows, const char *subject, const char *solver,
                       const ic_look *look, bool by_time)
{
    ic_plot_series *series = ic_plot_add(plot, look == NULL ? "" : solver, IC_PLOT_LINE_MARKS, -1);
    if (series == NULL) return;
    if (look != NULL) series->class = look->class, series->mark = look->mark;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        if (!ic_text_is(row, "subject", subject) || !ic_text_is(row, "solver", solver)) continue;
        const double cost = cost_of(row, by_time), error = ic_page_number_of(row, "error");
        if (cost > 0 && error > 0) ic_plot_point(plot, series, cost, error);
    }
}

/* Solvers of a subject, in the order of legends: those of the table, then the others as they come. */
typedef struct legend {
    ic_look looks[IC_PLOT_SERIES];
    size_t n;
} legend;

static void add_look(legend *l, const ic_look *look)
{
    if (l->n < IC_PLOT_SERIES) l->looks[l->n++] = *look;
}

static legend order_solvers(const json_t *rows, const char *subject)
{
    const size_t count = json_array_size(rows);
    legend l = {.n = 0};
    ic_look look;
    for (size_t i = 0; ic_look_at(&look, i); i++) {
        if (seen_before(rows, count, subject, look.solver)) add_look(&l, &look);
    }
    for (size_t i = 0; i < count; i++) {
        const json_t *row = json_array_get(rows, i);
        const char *solver = ic_report_text(row, "solver");
        bool listed = !ic_text_is(row, "subject", subject);
        for (size_t k = 0; k < l.n && !listed; k++) listed = strcmp(l.looks[k].solver, solver) == 0;
        look = ic_look_of(solver);
        if (!listed) add_look(&l, &look);
    }
    return l;
}

/* `only`: this solver is highlighted, and the others are drawn behind it. */
static bool write_costs_of(FILE *out, const json_t *rows, const char *subject, const char *only, bool by_time)
{
    const legend l = order_solvers(rows, subject);
    ic_plot plot = {
        .title = subject,
        .x = {by_time ? "processor time / µs per simulated second" : "calls of the flow", true, NAN, NAN},
        .y = {"error of an event’s time / s", true, NAN, NAN}};
    for (size_t k = 0; k < l.n; k++) {
        if (only == NULL || strcmp(only, l.looks[k].solver) != 0)
            add_solver(&plot, rows, subject, l.looks[k].solver, only == NULL ? &l.looks[k] : NULL, by_time);
    }
    const ic_look highlighted = ic_look_of(only != NULL ? only : "");
    if (only != NULL) add_solver(&plot, rows, subject, only, &highlighted, by_time);
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
    if (rows == NULL) {
        ic_page_missing(web, out, "bench.json");
        return;
    }
    fputs("<div class=\"figures\">\n", out);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
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
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
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

static void write_cheapest_row(ic_web *web, FILE *out, const json_t *rows, const char *solver)
{
    fputs("<tr><th scope=\"row\">", out);
    ic_page_name(web, out, "solver", solver);
    fputs("</th>", out);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
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
    if (isinf(find_cheapest(rows, ic_report_text(json_array_get(rows, 0), "subject"), NULL))) return;
    fputs(
        "<h2 id=\"cheapest\">The cheapest way to an error of 10 ns</h2>\n"
        "<p>Processor time in µs for a simulated second, of each solver’s cheapest setting whose event times have errors of at most 10 ns. "
        "★ fastest, × time relative to the fastest, – none of its settings is accurate enough, · not supported.</p>\n"
        "<table class=\"matrix cheapest\">\n"
        "<thead><tr><th>solver</th>",
        out);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        const char *subject = ic_report_text(row, "subject"), *slash = strchr(subject, '/');
        char before[64];
        if (seen_before(rows, i, subject, NULL)) continue;
        snprintf(before, sizeof before, "%.*s", (int)strcspn(subject, "/"), subject);
        IC_HTML(out, "<th>%<br>%</th>", before, slash != NULL ? slash + 1 : "");
    }
    fputs("</tr></thead>\n<tbody>\n", out);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        const char *solver = ic_report_text(row, "solver");
        if (!solver_seen_before(rows, i, solver)) write_cheapest_row(web, out, rows, solver);
    }
    ic_page_table_end(out, ic_web_recipe(web, "bench.json").text);
}

void ic_page_cheapest(ic_web *web, FILE *out)
{
    const json_t *rows = json_object_get(ic_web_json(web, "bench.json"), "rows");
    const char *subject = ic_report_text(json_array_get(rows, 0), "subject");
    const double best = find_cheapest(rows, subject, NULL);
    if (isinf(best)) return;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        const char *solver = ic_report_text(row, "solver");
        if (find_cheapest(rows, subject, solver) != best) continue;
        IC_HTML(
            out,
            "<dt>cheapest solver</dt><dd><b>%</b>: <a href=\"costs.html#cheapest\">% µs per simulated second</a> "
            "for errors of event times of at most 10 ns</dd>\n",
            solver, round_cost(best, 3).text);
        return;
    }
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

/* ---- pairs of solvers at equal error */

static const double levels[] = {1e-6, 1e-8, 1e-10, 1e-12};
static const char *const level_names[] = {"10⁻⁶", "10⁻⁸", "10⁻¹⁰", "10⁻¹²"};
enum { LEVELS = sizeof levels / sizeof *levels };

static bool is_compared(const json_t *pair, const char *solver, const char *peer)
{
    return ic_text_is(pair, "solver", solver) && ic_page_number_of(pair, "level") > 0 &&
           (peer == NULL || ic_text_is(pair, "peer", peer));
}

static void write_factor(FILE *out, const json_t *pair, const char *label)
{
    const double factor = ic_page_number_of(pair, "factor"), low = ic_page_number_of(pair, "low"),
                 high = ic_page_number_of(pair, "high");
    const bool reached = !isnan(ic_page_number_of(pair, "setting")),
               faster = reached && (isnan(factor) || low >= 1), slower = !reached || high < 1;
    IC_HTML(out, "<td class=\"cell %\" data-l=\"%\" title=\"against %: impactcheck bench '%' --ratios\">",
            faster   ? "pass"
            : slower ? "fail"
                     : "plain",
            label, ic_report_text(pair, "peer"), ic_row_operand(pair));
    if (isnan(factor)) fputs(reached ? "alone" : "–", out);
    else IC_HTML(out, "%", ic_number_short(factor, factor < 1 ? 2 : 3).text);
    fputs("</td>", out);
}

static void write_factors_of(FILE *out, const json_t *pairs, const char *subject, const char *solver,
                             const char *peer)
{
    IC_HTML(out, "<tr><th scope=\"row\">%</th>", subject);
    for (size_t k = 0; k < LEVELS; k++) {
        const json_t *found = NULL;
        for (size_t i = 0; i < json_array_size(pairs) && found == NULL; i++) {
            const json_t *pair = json_array_get(pairs, i);
            if (is_compared(pair, solver, peer) && ic_text_is(pair, "subject", subject) &&
                ic_page_number_of(pair, "level") == levels[k])
                found = pair;
        }
        if (found != NULL) write_factor(out, found, level_names[k]);
        else fputs("<td></td>", out);
    }
    fputs("</tr>\n", out);
}

static void write_factors(FILE *out, const json_t *pairs, const char *solver, const char *peer)
{
    const char *before = "";
    for (size_t i = 0; i < json_array_size(pairs); i++) {
        const json_t *pair = json_array_get(pairs, i);
        const char *subject = ic_report_text(pair, "subject");
        if (!is_compared(pair, solver, peer) || strcmp(before, subject) == 0) continue;
        if (before[0] == '\0') {
            IC_HTML(
                out,
                "<div><table class=\"matrix factors\">\n<caption>% against %</caption>\n<thead><tr><th>case</th>",
                solver, peer != NULL ? peer : "the fastest other general solver");
            for (size_t k = 0; k < LEVELS; k++) IC_HTML(out, "<th>%</th>", level_names[k]);
            fputs("</tr></thead>\n<tbody>\n", out);
        }
        before = subject;
        write_factors_of(out, pairs, subject, solver, peer);
    }
    if (before[0] != '\0') fputs("</tbody>\n</table></div>\n", out);
}

static void write_pairs(const ic_web *web, FILE *out, const json_t *pairs)
{
    static const char *const compared[][2] = {{"dop853", "gsl_rk8pd"},
                                              {"rk45_bisection", "gsl_rkf45"},
                                              {"rk45_bisection", "odeint_dopri5"},
                                              {"taylor", NULL}};
    if (json_array_size(pairs) == 0) return;
    fputs(
        "<h2 id=\"ratios\">Ratios at equal error</h2>\n"
        "<p>How many times faster our solver is than the other one, timed in turns. Each has its cheapest tolerance with errors of event times "
        "of at most this part of a second, or of the run where that is shorter. Green: faster, red: slower, by the quartiles of all turns; – our "
        "solver does not reach the error, alone: the other one does not.</p>\n<div class=\"ratios\">\n",
        out);
    for (size_t i = 0; i < sizeof compared / sizeof *compared; i++)
        write_factors(out, pairs, compared[i][0], compared[i][1]);
    fputs("</div>\n", out);
    char command[IC_WEB_PATH];
    snprintf(command, sizeof command, "bench %.400s%s--ratios", ic_web_operand(web).text,
             web->subject[0] != '\0' ? " " : "");
    ic_page_command(out, command);
}

/* ---- tables of bench.json */

static void write_targets(FILE *out, const json_t *targets)
{
    if (json_array_size(targets) == 0) return;
    fputs(
        "<h2 id=\"targets\">Targets</h2>\n"
        "<p>Goals that the suite sets itself, each for a class of solvers, as ratios of times that were measured in turns: "
        "median and quartiles; of many pairs the worst. There is no verdict where the bound lies between the quartiles.</p>\n",
        out);
    ic_page_table(out, "stack sort", NULL, "verdict|ratio|class|#measured|#low|#high|#bound|measurement");
    for (size_t i = 0; i < json_array_size(targets); i++) {
        const json_t *target = json_array_get(targets, i);
        const char *verdict = ic_report_text(target, "verdict");
        const int k = strcmp(verdict, "met") == 0 ? 0 : strcmp(verdict, "missed") == 0 ? 1 : 2;
        IC_HTML(out, "<tr title=\"impactcheck bench\"><td class=\"verdict %\" data-l=\"verdict\">% %</td>",
                ((const char *[]){"pass", "fail", "none"})[k], ((const char *[]){"✓", "✗", "–"})[k], verdict);
        ic_page_cells(out, target, "ratio=name|class|#measured=ratio|#low|#high|#bound|measurement=detail");
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
    size_t count = 0;
    const json_t *orders = json_object_get(ic_web_json(web, "bench.json"), "orders");
    for (size_t i = 0; i < json_array_size(orders); i++) {
        const json_t *order = json_array_get(orders, i);
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
    fputs("<h2 id=\"settings\">Every setting</h2>\n<details class=\"long\"><summary>All rows</summary>\n", out);
    ic_page_table(out, "stack sort filter", NULL,
                  "subject|solver|class|control|#setting|#error, s|#µs per simulated s|#flow calls|#steps");
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        begin_cost_row(out, row);
        ic_page_cells(out, row, "subject|solver|class|control|#setting|#error, s=error");
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
    if (json_is_object(json_object_get(bench, "load")))
        IC_HTML(out, "<p>The machine was %.</p>\n", ic_report_text(json_object_get(bench, "load"), "verdict"));
    if (bench != NULL) write_cheapest(web, out, json_object_get(bench, "rows"));
    write_pairs(web, out, json_object_get(bench, "pairs"));
    fputs("<h2 id=\"work\">Work and precision</h2>\n", out);
    ic_page_work_precision(web, NULL, out);
    if (bench != NULL) {
        if (web->subject[0] == '\0') write_targets(out, json_object_get(bench, "targets"));
        write_sweep(web, out, bench);
        ic_page_slopes(web, NULL, out);
        write_cost_rows(out, json_object_get(bench, "rows"));
    }
    if (web->subject[0] == '\0') ic_page_figures(web, "costs", out);
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
        if (!there && web->subject[0] != '\0') continue;
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
