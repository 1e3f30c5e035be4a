/* SPDX-License-Identifier: MIT */
/* Studies: question, findings, figures, columns and rows. */
#include "reports/html.h"
#include "reports/reports.h"
#include "reports/web_parts.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 40, FIRST_FINDINGS = 4, DIGITS = 5 };

/* ---- as a table to draw from */

static void write_csv_cell(FILE *out, const json_t *cell)
{
    if (json_is_number(cell)) fputs(ic_number_exact(json_number_value(cell)).text, out);
    if (!json_is_string(cell)) return;
    fputc('"', out);
    for (const char *c = json_string_value(cell); *c != '\0'; c++) {
        if (*c == '"') fputc('"', out);
        fputc(*c, out);
    }
    fputc('"', out);
}

static void write_csv(FILE *out, const json_t *study)
{
    for (size_t i = 0; i < json_array_size(json_object_get(study, "columns")); i++) {
        const json_t *cell = json_array_get(json_object_get(study, "columns"), i);
        if (i > 0) fputc(',', out);
        write_csv_cell(out, json_object_get(cell, "name"));
    }
    for (size_t i = 0; i < json_array_size(json_object_get(study, "rows")); i++) {
        const json_t *row = json_array_get(json_object_get(study, "rows"), i);
        fputc('\n', out);
        for (size_t k = 0; k < json_array_size(row); k++) {
            const json_t *cell = json_array_get(row, k);
            if (k > 0) fputc(',', out);
            write_csv_cell(out, cell);
        }
    }
    fputc('\n', out);
}

bool ic_web_columns(ic_web *web, const char *file, ic_columns *columns)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream;
    if (strstr(file, ".json") == NULL) {
        stream = ic_web_result(web, file);
    } else {
        const json_t *study = ic_web_json(web, file);
        FILE *csv = study != NULL ? open_memstream(&text, &size) : NULL;
        if (csv == NULL) return false;
        write_csv(csv, study);
        stream = fclose(csv) == 0 ? fmemopen(text, size, "r") : NULL;
    }
    const bool good = stream != NULL && ic_columns_read(columns, stream);
    if (stream != NULL) fclose(stream);
    free(text);
    return good;
}

/* ---- the page */

static void write_findings(FILE *out, const json_t *findings)
{
    const size_t n = json_array_size(findings);
    fputs("<ul class=\"findings\">\n", out);
    for (size_t i = 0; i < json_array_size(findings); i++) {
        const json_t *finding = json_array_get(findings, i);
        if (i == FIRST_FINDINGS && n > i + 1)
            fprintf(out, "</ul>\n<details><summary>%zu more findings</summary>\n<ul class=\"findings\">\n",
                    n - i);
        IC_HTML(out, "<li>%</li>\n", json_string_value(finding) != NULL ? json_string_value(finding) : "");
    }
    fputs(n > FIRST_FINDINGS + 1 ? "</ul>\n</details>\n" : "</ul>\n", out);
}

static void write_columns(FILE *out, const json_t *columns)
{
    fputs("<dl>\n", out);
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const json_t *column = json_array_get(columns, i);
        const char *unit = ic_report_text(column, "unit");
        IC_HTML(out, "<dt>%", ic_report_text(column, "name"));
        if (unit[0] != '\0' && strcmp(unit, "1") != 0) IC_HTML(out, ", %", unit);
        IC_HTML(out, "</dt><dd>%</dd>\n", ic_report_text(column, "meaning"));
    }
    fputs("</dl>\n", out);
}

static void write_cell(FILE *out, const char *name, const json_t *cell)
{
    if (json_is_number(cell)) {
        const double value = json_number_value(cell);
        IC_HTML(out, "<td class=\"n\" data-l=\"%\" data-v=\"%\">%</td>", name, ic_number_exact(value).text,
                ic_number_short(value, DIGITS).text);
    } else {
        ic_page_cell(out, name, json_is_string(cell) ? json_string_value(cell) : "");
    }
}

static void write_rows(FILE *out, const json_t *study)
{
    const json_t *columns = json_object_get(study, "columns"), *rows = json_object_get(study, "rows");
    const size_t n = json_array_size(rows);
    const bool cut = n > MOST_ROWS;
    const size_t shown = cut ? MOST_ROWS : n;
    fprintf(out, "<table class=\"stack sort\">\n<caption>%s%zu of %zu rows</caption>\n<thead><tr>",
            cut ? "The first " : "", shown, n);
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const json_t *column = json_array_get(columns, i);
        IC_HTML(out,
                json_is_number(json_array_get(json_array_get(rows, 0), i)) ? "<th class=\"n\">%</th>"
                                                                           : "<th>%</th>",
                ic_report_text(column, "name"));
    }
    fputs("</tr></thead>\n<tbody>\n", out);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        if (i == shown) break;
        fputs("<tr>", out);
        for (size_t k = 0; k < json_array_size(row); k++)
            write_cell(out, ic_report_text(json_array_get(columns, k), "name"), json_array_get(row, k));
        fputs("</tr>\n", out);
    }
    fputs("</tbody>\n</table>\n", out);
}

static void write_study(ic_web *web, FILE *out, const json_t *about)
{
    char file[160], command[160];
    const char *name = ic_report_text(about, "name");
    snprintf(file, sizeof file, "studies/%.100s.json", name);
    snprintf(command, sizeof command, "study %.100s", name);
    IC_HTML(out, "<h2 id=\"%\">%</h2>\n<p class=\"lead\">%</p>\n", name, ic_report_text(about, "title"),
            ic_report_text(about, "question"));
    const json_t *study = ic_web_json(web, file);
    if (study == NULL) {
        ic_page_missing(web, out, file);
        return;
    }
    write_findings(out, json_object_get(study, "findings"));
    ic_page_figures_of(out, file);
    fputs("<details><summary>Columns and rows</summary>\n", out);
    write_columns(out, json_object_get(study, "columns"));
    write_rows(out, study);
    fputs("</details>\n", out);
    ic_page_command(out, command);
}

void ic_write_studies(ic_web *web, const ic_page *page, FILE *out)
{
    IC_HTML(out,
            "<h1>%</h1>\n"
            "<p class=\"lead\">Tables of our own that go beyond a paper, and their findings: "
            "each sentence is computed from the rows.</p>\n",
            page->title);
    const json_t *studies = json_object_get(ic_web_json(web, "list.json"), "studies");
    for (size_t i = 0; i < json_array_size(studies); i++) write_study(web, out, json_array_get(studies, i));
    ic_page_figures(web, "studies", out);
}
