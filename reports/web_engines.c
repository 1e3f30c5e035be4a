/* SPDX-License-Identifier: MIT */
/*
 * The scoreboard: engines on scenes, from engines.json and all files of engines/. The page has the
 * verdicts; what is behind the cells of a row is a script of its own, which text/engines.js loads.
 */
#include "reports/html.h"
#include "reports/json.h"
#include "reports/reports.h"
#include "reports/web_parts.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- results: {"scenes": {SCENE: what it is}, "rows": {ENGINE VERSION CONFIG: row}} */

/* Each engine in each of its versions and configurations is a row. */
static json_t *row_of(json_t *rows, const json_t *result)
{
    char key[IC_WEB_PATH];
    const char *engine = ic_report_text(result, "engine"), *version = ic_report_text(result, "version"),
               *config = ic_report_text(result, "config");
    snprintf(key, sizeof key, "%.128s %.128s %.32s", engine, version, config);
    json_t *row = json_object_get(rows, key);
    if (row != NULL || engine[0] == '\0' || config[0] == '\0') return row;
    const char *name = ic_report_text(result, "name");
    row = json_pack("{s:s, s:s, s:s, s:s, s:s, s:{}}", "engine", engine, "name",
                    name[0] != '\0' ? name : engine, "version", version, "config", config, "date", "", "cells");
    if (json_object_set_new(rows, key, row) != 0) return NULL;
    return json_object_get(rows, key);
}

/* A result replaces one that is not later. */
static void add_result(json_t *rows, const json_t *result, const json_t *about, const char *date)
{
    json_t *row = row_of(rows, result), *cells = json_object_get(row, "cells");
    const char *scene = ic_report_text(result, "scene");
    if (row == NULL || strcmp(ic_report_text(json_object_get(cells, scene), "date"), date) > 0) return;
    json_t *cell = json_copy((json_t *)result);
    json_object_set_new(cell, "date", json_string(date));
    json_object_set(cell, "about", (json_t *)about);
    json_object_set_new(cells, scene, cell);
    if (strcmp(ic_report_text(row, "date"), date) < 0) json_object_set_new(row, "date", json_string(date));
}

static void add_file(ic_web *web, const char *file)
{
    const json_t *all = ic_web_json(web, file);
    json_t *scenes = json_object_get(web->engines, "scenes"), *rows = json_object_get(web->engines, "rows");
    for (size_t i = 0; i < json_array_size(json_object_get(all, "results")); i++) {
        const json_t *result = json_array_get(json_object_get(all, "results"), i);
        const char *scene = ic_report_text(result, "scene");
        for (size_t k = 0; k < json_array_size(json_object_get(all, "scenes")); k++) {
            json_t *about = json_array_get(json_object_get(all, "scenes"), k);
            if (scene[0] == '\0' || !ic_text_is(about, "scene", scene)) continue;
            if (json_object_get(scenes, scene) == NULL) json_object_set(scenes, scene, about);
            add_result(rows, result, about, ic_report_text(all, "date"));
        }
    }
}

static size_t passes_of(const json_t *row)
{
    const char *scene;
    json_t *cell;
    size_t passes = 0;
    json_object_foreach(json_object_get(row, "cells"), scene, cell) passes +=
        ic_text_is(cell, "verdict", "pass");
    return passes;
}

typedef struct place {
    json_t *row;
} place;

/* Most passes first, then by name. */
static int compare_rows(const void *a, const void *b)
{
    const json_t *rows[] = {((const place *)a)->row, ((const place *)b)->row};
    const size_t passes[] = {passes_of(rows[0]), passes_of(rows[1])};
    if (passes[0] != passes[1]) return passes[0] < passes[1] ? 1 : -1;
    return strcmp(ic_report_text(rows[0], "name"), ic_report_text(rows[1], "name"));
}

/* Rows as an array in their order; none if memory runs out. */
static void sort_rows(json_t *engines)
{
    json_t *rows = json_object_get(engines, "rows"), *sorted = json_array(), *row;
    const char *key;
    place *places = calloc(json_object_size(rows) + 1, sizeof *places);
    const size_t n = places != NULL ? json_object_size(rows) : 0;
    size_t i = 0;
    json_object_foreach(rows, key, row)
    {
        if (i < n) places[i++].row = row;
    }
    if (n > 0) qsort(places, n, sizeof *places, compare_rows);
    for (i = 0; i < n; i++) json_array_append(sorted, places[i].row);
    free(places);
    json_object_set_new(engines, "rows", sorted);
}

static int is_result(const struct dirent *entry)
{
    const char *end = strrchr(entry->d_name, '.');
    return end != NULL && strcmp(end, ".json") == 0;
}

static void add_folder(ic_web *web)
{
    char folder[IC_WEB_PATH], file[IC_WEB_PATH];
    struct dirent **entries = NULL;
    snprintf(folder, sizeof folder, "%.400s/engines", web->folder);
    const int n = scandir(folder, &entries, is_result, alphasort);
    for (int i = 0; i < n; i++) {
        snprintf(file, sizeof file, "engines/%.300s", entries[i]->d_name);
        add_file(web, file);
        free(entries[i]);
    }
    free(entries);
}

const json_t *ic_web_engines(ic_web *web)
{
    if (web->engines == NULL) {
        web->engines = json_pack("{s:{}, s:{}}", "scenes", "rows");
        add_file(web, "engines.json");
        add_folder(web);
        sort_rows(web->engines);
    }
    return json_object_get(web->engines, "rows");
}

/* ---- the table */

/* "rapier3d-0.21.0-best": the row's id, and part of the name of its file. */
static ic_link id_of(const json_t *row)
{
    char name[IC_WEB_PATH];
    const char *version = ic_report_text(row, "version");
    snprintf(name, sizeof name, "%.60s%s%.32s-%.8s", ic_report_text(row, "engine"),
             version[0] != '\0' ? "-" : "", version, ic_report_text(row, "config"));
    ic_link id = ic_page_link("", name);
    const size_t length = strlen(id.text) - strlen(".html");
    memmove(id.text, id.text + 1, length - 1);
    id.text[length - 1] = '\0';
    return id;
}

ic_link ic_engine_data_file(const json_t *row)
{
    ic_link file;
    snprintf(file.text, sizeof file.text, "engines-%.110s.js", id_of(row).text);
    return file;
}

/* How a verdict looks; `order`: from good to bad, in which a column is sorted. */
typedef struct look {
    const char *verdict, *class, *sign;
    int order;
} look;

static const look *look_of(const char *verdict)
{
    static const look looks[] = {{"pass", "pass", "✓", 0},
                                 {"not promised", "near", "○", 1},
                                 {"FAIL", "fail", "✗", 2},
                                 {"not offered", "none", "–", 3},
                                 {"", "none", "?", 4}};
    size_t i = 0;
    while (looks[i].verdict[0] != '\0' && strcmp(looks[i].verdict, verdict) != 0) i++;
    return &looks[i];
}

/* The figure that is farthest beyond its tolerance; NULL: none was judged. */
static const json_t *worst_figure(const json_t *cell)
{
    const json_t *worst = NULL;
    for (size_t i = 0; i < json_array_size(json_object_get(cell, "figures")); i++) {
        const json_t *figure = json_array_get(json_object_get(cell, "figures"), i);
        const bool open =
            ic_page_number_of(figure, "failed") > 0 || ic_page_number_of(figure, "not_promised") > 0;
        const double excess = ic_page_number_of(figure, "excess");
        if (isnan(excess) && !open) continue; /* not finite: infinitely far */
        if (worst == NULL || isnan(excess) || excess > ic_page_number_of(worst, "excess")) worst = figure;
        if (isnan(excess)) break;
    }
    return worst;
}

/* A number in four characters; beyond 1 it shows more than 1. */
static ic_number_text times_text(const json_t *figure)
{
    const double excess = fmax(0, ic_page_number_of(figure, "excess"));
    ic_number_text text = {""};
    if (figure == NULL) return text;
    if (isnan(ic_page_number_of(figure, "excess"))) return (ic_number_text){"∞"};
    if (excess > 1 && excess < 1.05) snprintf(text.text, sizeof text.text, "%.2f", ceil(100 * excess) / 100);
    else if (excess < 9.95) snprintf(text.text, sizeof text.text, "%.1f", excess);
    else if (excess < 999.5) snprintf(text.text, sizeof text.text, "%.0f", excess);
    else if (excess < 999.5e3) snprintf(text.text, sizeof text.text, "%.0fk", excess / 1e3);
    else snprintf(text.text, sizeof text.text, ">1M");
    return text;
}

static void write_cell(FILE *out, const json_t *row, const char *scene)
{
    const json_t *cell = json_object_get(json_object_get(row, "cells"), scene);
    if (cell == NULL) {
        fputs("<td class=\"cell none\" data-v=\"9e9\"><span class=\"hidden\">not played</span></td>\n", out);
        return;
    }
    const json_t *figure = worst_figure(cell);
    const char *engine = ic_report_text(row, "engine"), *config = ic_report_text(row, "config"),
               *verdict = ic_report_text(cell, "verdict");
    const look *look = look_of(verdict);
    /* It fails, but not by a figure: a motion is missing. */
    const bool by_figure =
        figure == NULL || strcmp(verdict, "FAIL") != 0 || !(ic_page_number_of(figure, "excess") <= 1);
    const json_t *worst = by_figure ? figure : NULL;
    const ic_number_text times = times_text(worst);
    const double beyond = worst == NULL ? 0 : ic_page_number_of(worst, "excess");
    const double excess = isnan(beyond) ? 1e8 : fmin(fmax(0, beyond), 1e8);
    char id[2 * IC_WEB_PATH], what[IC_WEB_PATH] = "";
    snprintf(id, sizeof id, "%s.%.200s", id_of(row).text, scene);
    if (worst != NULL)
        snprintf(what, sizeof what, ", %.200s is %s times its tolerance from exact",
                 ic_report_text(worst, "name"), times.text);
    fprintf(out, "<td class=\"cell %s\" data-v=\"%d\" ", look->class, (int)(look->order * 2e8 + excess));
    IC_HTML(out, "id=\"%\" title=\"%%: impactcheck audit --engine % --scenes % --config %\">", id, verdict,
            what, engine, scene, config);
    IC_HTML(out, "<a href=\"#%\" data-l=\"%\">% <span class=\"why\">%</span></a></td>\n", id, scene, look->sign,
            times.text);
}

static void write_row(FILE *out, const json_t *row, const json_t *scenes)
{
    const char *engine = ic_report_text(row, "engine"), *name = ic_report_text(row, "name"), *scene;
    const bool path = strchr(engine, '/') != NULL && strcmp(engine, name) != 0;
    json_t *about;
    const size_t passes = passes_of(row);
    IC_HTML(
        out,
        "<tr id=\"%\" data-config=\"%\" data-version=\"%\"><th scope=\"row\" data-v=\"%\">% <span class=\"why\">%%% %, %</span></th>\n",
        id_of(row).text, ic_report_text(row, "config"), ic_report_text(row, "version"), name, name,
        path ? engine : "", path ? " " : "", ic_report_text(row, "version"), ic_report_text(row, "config"),
        ic_report_text(row, "date"));
    fprintf(out, "<td class=\"n\" data-v=\"%zu\"><b>%zu</b> of %zu<span class=\"words\"> pass</span></td>\n",
            passes, passes, json_object_size(scenes));
    json_object_foreach((json_t *)scenes, scene, about) write_cell(out, row, scene);
    fputs("</tr>\n", out);
}

static void write_table(FILE *out, const json_t *rows, const json_t *scenes)
{
    const char *scene;
    json_t *about;
    fputs(
        "<table class=\"board sort filter\">\n<thead><tr><th>engine</th><th aria-sort=\"descending\">pass</th>",
        out);
    json_object_foreach((json_t *)scenes, scene, about)
        IC_HTML(out, "<th title=\"%\"><span>%</span></th>", ic_report_text(about, "title"), scene);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (size_t i = 0; i < json_array_size(rows); i++) write_row(out, json_array_get(rows, i), scenes);
    ic_page_table_end(out, "audit --engine ENGINE --scenes SCENE --config CONFIG");
}

void ic_write_engines(ic_web *web, const ic_page *page, FILE *out)
{
    const json_t *rows = ic_web_engines(web), *scenes = json_object_get(web->engines, "scenes");
    const char *scene;
    json_t *about;
    IC_HTML(out, "<h1>%</h1>\n<p class=\"lead\">Physics engines on scenes whose motion is known.</p>\n",
            page->title);
    fputs(
        "<p>default: the settings of an engine’s own first example; best: those that a careful user can choose. "
        "✓ passes, ✗ fails, ○ not promised: outside the tolerance, but the engine’s documentation says that it does not do this, "
        "– not offered, ? undecided. "
        "The number is the deviation of the worst figure over its tolerance. "
        "Each cell opens: what was measured, why it counts, and the motion.</p>\n",
        out);
    write_table(out, rows, scenes);
    fputs("<script src=\"engines.js\" defer></script>\n<h2 id=\"scenes\">Scenes</h2>\n<dl>\n", out);
    json_object_foreach((json_t *)scenes, scene, about) IC_HTML(
        out, "<dt>%</dt><dd>%: %</dd>\n", scene, ic_report_text(about, "title"), ic_report_text(about, "asks"));
    fputs("</dl>\n<h2 id=\"disputes\">An entry is wrong, or out of date</h2>\n"
          "<p>Whoever maintains an engine sends a result of it by a pull request: "
          "“The scoreboard” in <code>docs/engines.md</code>.</p>\n",
          out);
}

void ic_write_engine_data(ic_web *web, const ic_page *page, FILE *out)
{
    const char *scene;
    json_t *cell;
    (void)web;
    fprintf(out, "takeEngine(\"%s\", ", id_of(page->about).text);
    ic_json json = ic_json_to(out);
    ic_json_array_line(&json, NULL);
    json_object_foreach(json_object_get(page->about, "cells"), scene, cell) ic_json_value(&json, NULL, cell);
    ic_json_end(&json);
    fputs(");\n", out);
}
