/* SPDX-License-Identifier: MIT */
/* Figures that a case file states: curves of `impactcheck study CASE/FIGURE`, and published points. */
#include "reports/html.h"
#include "reports/plot.h"
#include "reports/reports.h"
#include "reports/web.h"
#include "reports/web_parts.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* Columns of the study (validation/studies/figure_study.c) before and after those of the curves. */
enum { POINTS, PARAMETER, X, CURVES };
enum { PUBLISHED, Y_ERROR, X_ERROR };

ic_web_name ic_web_figure_file(const char *system, const char *figure)
{
    ic_web_name file;
    const int start = snprintf(file.text, sizeof file.text, "studies/%.40s-", system);
    snprintf(file.text + start, sizeof file.text - (size_t)start, "%.60s.json", figure);
    for (char *c = file.text + start; *c != '\0'; c++) {
        if (!isalnum((unsigned char)*c) && *c != '.' && *c != '_') *c = '-';
    }
    return file;
}

const json_t *ic_figures_of(const json_t *about)
{
    return json_object_get(json_object_get(about, "text"), "figures");
}

static double number_at(const json_t *row, size_t column)
{
    const json_t *cell = json_array_get(row, column);
    return json_is_number(cell) ? json_number_value(cell) : NAN;
}

/* "x / deg", "in m/s" */
typedef struct axis_label {
    char text[160];
} axis_label;

static axis_label label_axis(const char *name, const json_t *column)
{
    const char *unit = ic_report_text(column, "unit");
    const bool plain = unit[0] == '\0' || strcmp(unit, "1") == 0;
    axis_label label;
    snprintf(label.text, sizeof label.text, "%.90s%s%.50s", name,
             plain             ? ""
             : name[0] != '\0' ? " / "
                               : "in ",
             plain ? "" : unit);
    return label;
}

static void draw_curves(ic_plot *plot, const json_t *study, size_t n_curves)
{
    const json_t *columns = json_object_get(study, "columns"), *rows = json_object_get(study, "rows");
    for (size_t c = 0; c < n_curves; c++) {
        ic_plot_series *series = ic_plot_add(plot, ic_report_text(json_array_get(columns, CURVES + c), "name"),
                                             IC_PLOT_LINE, (int)c);
        for (size_t i = 0; i < json_array_size(rows); i++) {
            const json_t *row = json_array_get(rows, i);
            if (series != NULL && json_string_length(json_array_get(row, POINTS)) == 0)
                ic_plot_point(plot, series, number_at(row, X), number_at(row, CURVES + c));
        }
    }
}

/* The bar of an error of x and of y through a point; NAN: none. */
static void draw_bar(ic_plot *plot, ic_plot_series *bars, double x, double y, double dx, double dy)
{
    if (isnan(dx) && isnan(dy)) return;
    dx = isnan(dx) ? 0 : dx;
    dy = isnan(dy) ? 0 : dy;
    ic_plot_point(plot, bars, x - dx, y - dy);
    ic_plot_point(plot, bars, x + dx, y + dy);
    ic_plot_point(plot, bars, NAN, NAN);
}

static void draw_points(ic_plot *plot, const json_t *rows, size_t n_curves, const char *set, int look)
{
    ic_plot_series *bars = ic_plot_add(plot, "", IC_PLOT_BARS, look),
                   *marks = ic_plot_add(plot, set, IC_PLOT_MARKS, look);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        const char *name = json_string_value(json_array_get(row, POINTS));
        if (marks == NULL || name == NULL || strcmp(name, set) != 0) continue;
        const size_t published = CURVES + n_curves;
        const double x = number_at(row, X), y = number_at(row, published + PUBLISHED);
        draw_bar(plot, bars, x, y, NAN, number_at(row, published + Y_ERROR));
        draw_bar(plot, bars, x, y, number_at(row, published + X_ERROR), NAN);
        ic_plot_point(plot, marks, x, y);
    }
}

static void write_sources(FILE *out, const json_t *sets)
{
    const char *name;
    json_t *set;
    json_object_foreach((json_t *)sets, name, set)
    {
        const char *source = ic_report_text(set, "source"), *place = ic_report_text(set, "place");
        if (source[0] == '\0' && place[0] == '\0') continue;
        IC_HTML(out, "<p>%: %", name, source);
        if (place[0] != '\0') IC_HTML(out, source[0] != '\0' ? ", %" : "%", place);
        fputs(".</p>\n", out);
    }
}

static void write_study(FILE *out, const json_t *study, const json_t *figure, const char *name)
{
    const json_t *columns = json_object_get(study, "columns"), *sets = json_object_get(figure, "points");
    const size_t n_curves = json_object_size(json_object_get(figure, "curves"));
    const json_t *x = json_array_get(columns, X), *y = json_array_get(columns, CURVES);
    const axis_label x_label = label_axis(ic_report_text(x, "meaning"), x),
                     y_label = label_axis(n_curves == 1 ? ic_report_text(y, "name") : "", y);
    const char *set;
    json_t *about_set, *finding;
    size_t i;
    int look = (int)n_curves;
    ic_plot plot = {.title = name,
                    .x = {x_label.text, ic_text_is(json_object_get(figure, "vary"), "log", "true"), NAN, NAN},
                    .y = {y_label.text, false, NAN, NAN}};
    draw_curves(&plot, study, n_curves);
    json_object_foreach((json_t *)sets, set, about_set)
        draw_points(&plot, json_object_get(study, "rows"), n_curves, set, look++);
    if (ic_plot_has_data(&plot)) ic_plot_write(&plot, out);
    ic_plot_free(&plot);
    json_array_foreach(json_object_get(study, "findings"), i, finding)
        IC_HTML(out, "<p>%.</p>\n", json_string_value(finding) != NULL ? json_string_value(finding) : "");
    write_sources(out, sets);
}

void ic_page_case_figures(ic_web *web, const json_t *about, FILE *out)
{
    const char *name;
    json_t *figure;
    const json_t *figures = ic_figures_of(about);
    if (json_object_size(figures) == 0) return;
    fputs("<h2 id=\"curves\">Curves and published points</h2>\n<div class=\"figures\">\n", out);
    json_object_foreach((json_t *)figures, name, figure)
    {
        const ic_web_name file = ic_web_figure_file(ic_report_text(about, "name"), name);
        const json_t *study = ic_web_json(web, file.text);
        const char *title = ic_report_text(figure, "title");
        IC_HTML(out, "<figure>\n<figcaption><b>%.</b></figcaption>\n", title[0] != '\0' ? title : name);
        if (study == NULL) ic_page_missing(web, out, file.text);
        else write_study(out, study, figure, title[0] != '\0' ? title : name);
        if (study != NULL) ic_page_command(out, ic_web_recipe(web, file.text).text);
        fputs("</figure>\n", out);
    }
    fputs("</div>\n", out);
}
