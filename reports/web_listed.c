/* SPDX-License-Identifier: MIT */
/* The page of a case without a text in reports/text: equations and figures from list.json and a
   run. */
#include "reports/formula.h"
#include "reports/html.h"
#include "reports/lines.h"
#include "reports/number.h"
#include "reports/plot.h"
#include "reports/reports.h"
#include "reports/web_parts.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* ---- equations */

/*
 * An expression of the linear view in the notation of reports/formula.h: factors side by side
 * instead of `*`, indices after `_`, powers of ten.
 */
static void append_expression(char *formula, size_t size, const char *expression)
{
    size_t n = strlen(formula);
    for (const char *at = expression; *at != '\0' && n + 8 < size; at++) {
        const bool begins = at == expression || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
        if (begins && isalpha((unsigned char)*at)) {
            const size_t letters = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"),
                         digits = strspn(at + letters, "0123456789");
            n += (size_t)snprintf(formula + n, size - n, "%.*s%s", (int)letters, at, digits > 0 ? "_" : "");
            if (n >= size) return;
            at += letters - 1;
        } else if ((*at == 'e' || *at == 'E') && !begins && at[1] != '\0' && strchr("0123456789-+", at[1])) {
            n += (size_t)snprintf(formula + n, size - n, " 10^");
            if (at[1] == '+') at++;
        } else {
            formula[n++] = (char)(*at == '*' ? ' ' : *at);
        }
    }
    formula[n < size ? n : size - 1] = '\0';
}

static void append_text(char *formula, size_t size, const char *text)
{
    const size_t n = strlen(formula);
    snprintf(formula + n, size - n, "%s", text);
}

/* NAME' = EXPRESSION for every state. */
static void write_flow(FILE *out, const json_t *states, const json_t *flow)
{
    for (size_t i = 0; i < json_array_size(flow); i++) {
        const json_t *expression = json_array_get(flow, i);
        char formula[IC_LINE_SIZE] = "";
        const char *wrong;
        append_expression(formula, sizeof formula, ic_report_text(json_array_get(states, i), "name"));
        append_text(formula, sizeof formula, "' = ");
        append_expression(formula, sizeof formula, json_string_value(expression));
        ic_formula_write(out, formula, &wrong);
    }
}

/* The states that a branch changes: NAME -> EXPRESSION, ... */
static void write_branch(FILE *out, const json_t *states, const json_t *branch)
{
    char formula[IC_LINE_SIZE] = "";
    const char *wrong, *mode = ic_report_text(branch, "mode"), *condition = ic_report_text(branch, "condition");
    if (condition[0] != '\0') {
        append_text(formula, sizeof formula, "\"if \" ");
        append_expression(formula, sizeof formula, condition);
        append_text(formula, sizeof formula, " > 0: ");
    }
    for (size_t i = 0; i < json_array_size(json_object_get(branch, "state")); i++) {
        const json_t *expression = json_array_get(json_object_get(branch, "state"), i);
        const char *name = ic_report_text(json_array_get(states, i), "name");
        if (strcmp(name, json_string_value(expression)) == 0) continue;
        append_expression(formula, sizeof formula, name);
        append_text(formula, sizeof formula, " -> ");
        append_expression(formula, sizeof formula, json_string_value(expression));
        append_text(formula, sizeof formula, ", ");
    }
    append_text(formula, sizeof formula, "\"then ");
    append_text(formula, sizeof formula, mode[0] != '\0' ? mode : "as before");
    append_text(formula, sizeof formula, "\"");
    ic_formula_write(out, formula, &wrong);
}

static void write_guard(FILE *out, const json_t *states, const json_t *guard)
{
    const char *value = ic_report_text(guard, "value"), *wrong;
    const json_int_t direction = json_integer_value(json_object_get(guard, "direction"));
    IC_HTML(out, "<p>Until %: %</p>\n", ic_report_text(guard, "name"), ic_report_text(guard, "meaning"));
    if (value[0] != '\0') {
        char formula[IC_LINE_SIZE] = "";
        append_expression(formula, sizeof formula, value);
        append_text(formula, sizeof formula,
                    direction < 0   ? " \"falls to 0\""
                    : direction > 0 ? " \"rises to 0\""
                                    : " \"passes 0\"");
        ic_formula_write(out, formula, &wrong);
    }
    for (size_t i = 0; i < json_array_size(json_object_get(guard, "jump")); i++)
        write_branch(out, states, json_array_get(json_object_get(guard, "jump"), i));
}

static void write_mode(FILE *out, const json_t *states, const json_t *mode)
{
    const json_t *flow = json_object_get(mode, "flow");
    IC_HTML(out, "<h4>%</h4>\n<p>%</p>\n", ic_report_text(mode, "name"), ic_report_text(mode, "meaning"));
    if (json_is_array(flow)) write_flow(out, states, flow);
    else fputs("<p class=\"missing\">No linear view: the case's file contains the flow.</p>\n", out);
    for (size_t i = 0; i < json_array_size(json_object_get(mode, "guards")); i++)
        write_guard(out, states, json_array_get(json_object_get(mode, "guards"), i));
}

void ic_page_listed_equations(FILE *out, const json_t *about)
{
    for (size_t i = 0; i < json_array_size(json_object_get(about, "variants")); i++) {
        const json_t *variant = json_array_get(json_object_get(about, "variants"), i);
        IC_HTML(out, "<h3>Variant %</h3>\n<p>%</p>\n", ic_report_text(variant, "name"),
                ic_report_text(variant, "meaning"));
        for (size_t k = 0; k < json_array_size(json_object_get(variant, "modes")); k++)
            write_mode(out, json_object_get(about, "states"),
                       json_array_get(json_object_get(variant, "modes"), k));
    }
}

bool ic_case_is_linear(const json_t *about)
{
    const char *first = ic_report_text(json_array_get(json_object_get(about, "presets"), 0), "variant");
    size_t k;
    json_t *mode;
    for (size_t i = 0; i < json_array_size(json_object_get(about, "variants")); i++) {
        const json_t *variant = json_array_get(json_object_get(about, "variants"), i);
        if (!ic_text_is(variant, "name", first)) continue;
        json_array_foreach(json_object_get(variant, "modes"), k,
                           mode) if (!json_is_array(json_object_get(mode, "flow"))) return false;
        return true;
    }
    return false;
}

/* ---- figures */

/* Both sides of an event are rows at one time. */
static bool is_event(const ic_columns *table, size_t row, int t)
{
    const double now = ic_columns_number(table, row, t);
    return (row > 0 && ic_columns_number(table, row - 1, t) == now) ||
           (row + 1 < table->n_rows && ic_columns_number(table, row + 1, t) == now);
}

static void draw_state(ic_plot *plot, const ic_columns *table, int t, int x)
{
    ic_plot_series *line = ic_plot_add(plot, "", IC_PLOT_LINE, 0), *events = NULL;
    for (size_t row = 0; row < table->n_rows; row++) {
        const double time = ic_columns_number(table, row, t), value = ic_columns_number(table, row, x);
        ic_plot_point(plot, line, time, value);
        if (!is_event(table, row, t)) continue;
        if (events == NULL) events = ic_plot_add(plot, "events", IC_PLOT_MARKS, 1);
        ic_plot_point(plot, events, time, value);
    }
}

static bool is_constant(const ic_columns *table, int column)
{
    for (size_t row = 1; row < table->n_rows; row++) {
        const double value = ic_columns_number(table, row, column);
        if (value != ic_columns_number(table, 0, column) && !isnan(value)) return false;
    }
    return true;
}

/* A state, or an output; `kind` is the beginning of the figure's id. */
static void write_state(FILE *out, const ic_columns *table, const json_t *state, const char *kind,
                        size_t preset)
{
    const char *name = ic_report_text(state, "name");
    const int t = ic_columns_find(table, "t"), x = ic_columns_find(table, name);
    char label[128];
    if (t < 0 || x < 0 || is_constant(table, x)) return;
    snprintf(label, sizeof label, "%s / %s", name, ic_report_text(state, "unit"));
    const char *meaning = ic_report_text(state, "meaning");
    ic_plot plot = {.title = meaning[0] != '\0' ? meaning : name,
                    .x = {.label = "time t / s", .from = NAN, .to = NAN},
                    .y = {.label = label, .from = NAN, .to = NAN}};
    draw_state(&plot, table, t, x);
    fprintf(out, "<figure id=\"%s-%zu-", kind, preset + 1);
    const bool has_events = plot.n_series > 1;
    IC_HTML(out, "%\">\n<figcaption><b>%.</b> %%%</figcaption>\n", name, name, meaning,
            has_events && meaning[0] != '\0' ? "; " : "", has_events ? "marks: both sides of events" : "");
    if (ic_plot_has_data(&plot)) ic_plot_write(&plot, out);
    fputs("</figure>\n", out);
    ic_plot_free(&plot);
}

/* Of states, and of outputs, of the first preset; of states of each other one: a page stays below a million bytes. */
enum { MOST_FIGURES = 20, FEW_FIGURES = 6 };

/* "x2 = 0 m, on = 1": states and outputs that keep their value have no figure. */
static void write_constants(FILE *out, const ic_columns *table, const json_t *about)
{
    static const char *const lists[] = {"states", "outputs"};
    size_t count = 0;
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        for (size_t i = 0; i < json_array_size(json_object_get(about, lists[k])); i++) {
            const json_t *state = json_array_get(json_object_get(about, lists[k]), i);
            const char *name = ic_report_text(state, "name"), *unit = ic_report_text(state, "unit");
            const int column = ic_columns_find(table, name);
            if (column < 0 || table->n_rows == 0 || !is_constant(table, column)) continue;
            if (k > 0 && ic_page_count(json_object_get(about, "states"), "name", name) > 0) continue;
            const double value = ic_columns_number(table, 0, column);
            IC_HTML(out, count++ == 0 ? "<p>Constant: % = %" : ", % = %", name,
                    isnan(value) ? "no value" : ic_number_short(value, 6).text);
            if (strcmp(unit, "1") != 0 && !isnan(value)) IC_HTML(out, " %", unit);
        }
    }
    if (count > 0) fputs(".</p>\n", out);
}

static void write_run(ic_web *web, FILE *out, const json_t *about, const char *file, size_t preset)
{
    ic_columns table;
    if (!ic_web_columns(web, file, &table)) {
        ic_page_missing(web, out, file);
        return;
    }
    const size_t most = preset == 0 ? MOST_FIGURES : FEW_FIGURES,
                 n = json_array_size(json_object_get(about, "states"));
    fputs("<div class=\"figures\">\n", out);
    for (size_t i = 0; i < json_array_size(json_object_get(about, "states")); i++) {
        const json_t *state = json_array_get(json_object_get(about, "states"), i);
        if (i < most) write_state(out, &table, state, "state", preset);
    }
    for (size_t i = 0; i < json_array_size(json_object_get(about, "outputs")); i++) {
        const json_t *state = json_array_get(json_object_get(about, "outputs"), i);
        const char *name = ic_report_text(state, "name");
        if (preset == 0 && i < most && ic_page_count(json_object_get(about, "states"), "name", name) == 0)
            write_state(out, &table, state, "output", preset);
    }
    fputs("</div>\n", out);
    if (n > most)
        fprintf(out, "<p>%zu states are in the result file, and have no figure here.</p>\n", n - most);
    write_constants(out, &table, about);
    ic_page_command(out, ic_web_recipe(web, file).text);
    ic_columns_free(&table);
}

void ic_page_state_figures(ic_web *web, const json_t *about, FILE *out)
{
    char file[IC_WEB_PATH];
    snprintf(file, sizeof file, "runs/states-%s.csv", ic_report_text(about, "name"));
    if (web->subject[0] != '\0' && !ic_web_has(web, file)) return;
    fputs("<h2 id=\"figures\">Figures</h2>\n", out);
    write_run(web, out, about, file, 0);
}

/* The run of a preset but the first, if the results have it. */
static bool find_run(const ic_web *web, const json_t *about, size_t preset, char file[IC_WEB_PATH])
{
    snprintf(file, IC_WEB_PATH, "runs/states-%s-%zu.csv", ic_report_text(about, "name"), preset + 1);
    return ic_web_has(web, file);
}

bool ic_web_has_more_runs(ic_web *web)
{
    const json_t *about = json_array_get(ic_web_cases(web), 0);
    char file[IC_WEB_PATH];
    bool any = false;
    for (size_t i = 1; i < json_array_size(json_object_get(about, "presets")); i++)
        any = any || find_run(web, about, i, file);
    return any;
}

void ic_write_presets(ic_web *web, const ic_page *page, FILE *out)
{
    const json_t *about = json_array_get(ic_web_cases(web), 0), *presets = json_object_get(about, "presets");
    char file[IC_WEB_PATH];
    IC_HTML(out,
            "<h1>%</h1>\n<p class=\"lead\">The first stands on the <a href=\"index.html#figures\">first "
            "page</a>.</p>\n",
            page->title);
    for (size_t i = 1; i < json_array_size(presets); i++) {
        const json_t *preset = json_array_get(presets, i);
        if (!find_run(web, about, i, file)) continue;
        fprintf(out, "<h2 id=\"preset-%zu\">", i + 1);
        IC_HTML(out, "%</h2>\n<p>%</p>\n", ic_report_text(preset, "preset"), ic_report_text(preset, "meaning"));
        write_run(web, out, about, file, i);
    }
}
