/* SPDX-License-Identifier: MIT */
/* The pages of the report. */
#include "reports/web.h"
#include "reports/lines.h"
#include "reports/looks.h"
#include "reports/reports.h"
#include "reports/web_parts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void write_embedded(ic_web *web, const ic_page *page, FILE *out)
{
    (void)web;
    const char *text = ic_report_embedded(page->file);
    fputs(text != NULL ? text : "", out);
    if (strcmp(page->file, "report.css") == 0) ic_looks_write_style(out);
}

static const ic_page fixed_pages[] = {
    {"index.html", "Verdict", "index.html", NULL, ic_write_front},
    {"audits.html", "Audits", "audits.html", NULL, ic_write_audits},
    {"costs.html", "Cost of accuracy", "costs.html", NULL, ic_write_costs},
    {"studies.html", "Studies", "studies.html", NULL, ic_write_studies},
    {"results.html", "Origin of the numbers", "results.html", NULL, ic_write_results},
};
enum { FIXED = sizeof fixed_pages / sizeof *fixed_pages };

static const ic_page parts_of_pages[] = {
    {"report.css", "", "", NULL, write_embedded},
    {"report.js", "", "", NULL, write_embedded},
    {"figures.js", "", "", NULL, write_embedded},
};
enum { PARTS = sizeof parts_of_pages / sizeof *parts_of_pages };

/* If there are results of engines on scenes. */
static const ic_page engine_pages[] = {
    {"engines.html", "Engines", "engines.html", NULL, ic_write_engines},
    {"engines.js", "", "", NULL, write_embedded},
};
enum { OF_ENGINES = sizeof engine_pages / sizeof *engine_pages };

ic_link ic_page_link(const char *kind, const char *name)
{
    ic_link link;
    snprintf(link.text, sizeof link.text, "%s-%s.html", kind, name);
    for (char *c = link.text; *c != '\0'; c++) {
        if (!isalnum((unsigned char)*c) && *c != '.' && *c != '_') *c = '-';
    }
    return link;
}

static void add_pages(ic_web *web, const json_t *of, const char *kind,
                      void (*write)(ic_web *, const ic_page *, FILE *))
{
    for (size_t i = 0; i < json_array_size(of); i++) {
        const json_t *about = json_array_get(of, i);
        const char *name = ic_report_text(about, "name");
        ic_page *page = &web->pages[web->n_pages++];
        *page = (ic_page){.chapter = kind, .about = about, .write = write};
        snprintf(page->file, sizeof page->file, "%s", ic_page_link(kind, name).text);
        snprintf(page->title, sizeof page->title, "%s", name);
    }
}

static void add_engines(ic_web *web, const json_t *rows)
{
    if (json_array_size(rows) == 0) return;
    memcpy(web->pages + web->n_pages, engine_pages, sizeof engine_pages);
    web->n_pages += OF_ENGINES;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        ic_page *page = &web->pages[web->n_pages++];
        *page = (ic_page){.chapter = "", .about = row, .write = ic_write_engine_data};
        snprintf(page->file, sizeof page->file, "%s", ic_engine_data_file(row).text);
    }
}

/* A report about one case: it is the first page, and there is no page without results. */
static const ic_page own_pages[] = {
    {"index.html", "", "index.html", NULL, ic_write_case},
    {"presets.html", "Further presets", "presets.html", NULL, ic_write_presets},
    {"audits.html", "Audits", "audits.html", NULL, ic_write_audits},
    {"costs.html", "Cost of accuracy", "costs.html", NULL, ic_write_costs},
    {"results.html", "Origin of the numbers", "results.html", NULL, ic_write_results},
};
enum { OWN = sizeof own_pages / sizeof *own_pages };
_Static_assert((int)OWN <= (int)FIXED, "list_pages() has room for one of the two");

static void add_own(ic_web *web)
{
    const bool wanted[OWN] = {true, ic_web_has_more_runs(web), ic_web_has_audits(web),
                              ic_web_has(web, "bench.json"), true};
    for (size_t i = 0; i < OWN; i++) {
        if (wanted[i]) web->pages[web->n_pages++] = own_pages[i];
    }
    web->pages[0].about = json_array_get(ic_web_cases(web), 0);
    snprintf(web->pages[0].title, sizeof web->pages[0].title, "%s",
             ic_report_text(web->pages[0].about, "name"));
}

static bool list_pages(ic_web *web)
{
    const json_t *cases = ic_web_cases(web), *solvers = ic_web_solvers(web), *engines = ic_web_engines(web);
    web->pages = calloc(FIXED + PARTS + OF_ENGINES + json_array_size(engines) + json_array_size(cases) +
                            json_array_size(solvers),
                        sizeof *web->pages);
    if (web->pages == NULL) return false;
    if (web->subject[0] != '\0') {
        add_own(web);
    } else {
        memcpy(web->pages, fixed_pages, sizeof fixed_pages);
        web->n_pages = FIXED;
        add_pages(web, cases, "case", ic_write_case);
        add_pages(web, solvers, "solver", ic_write_solver);
        add_engines(web, engines);
    }
    memcpy(web->pages + web->n_pages, parts_of_pages, sizeof parts_of_pages);
    web->n_pages += PARTS;
    return true;
}

/* `impactcheck list cases CASE --json` lists a case and nothing else; `list FILE.yaml --json` names the file. */
static const char *find_subject(ic_web *web)
{
    const json_t *cases = ic_web_cases(web), *first = json_array_get(cases, 0);
    const bool alone = json_array_size(cases) == 1 && ic_web_solvers(web) == NULL;
    return ic_report_text(first, alone && json_object_get(first, "file") == NULL ? "name" : "file");
}

ic_web *ic_web_open(const char *folder, ic_web_error *error)
{
    ic_web *web = calloc(1, sizeof *web);
    bool good = web != NULL;
    if (good) {
        web->folder = strdup(folder);
        web->files = json_object();
        good = web->folder != NULL && web->files != NULL;
        web->subject = good ? find_subject(web) : "";
    }
    if (!good) snprintf(error->text, sizeof error->text, "memory ran out");
    if (good && json_array_size(ic_web_cases(web)) == 0) {
        snprintf(error->text, sizeof error->text,
                 "'%.200s/list.json' is missing or damaged; make it by: "
                 "impactcheck list --json > '%.200s/list.json'",
                 folder, folder);
        good = false;
    } else if (good && !list_pages(web)) {
        snprintf(error->text, sizeof error->text, "memory ran out");
        good = false;
    }
    if (!good) {
        ic_web_close(web);
        return NULL;
    }
    ic_web_name_operands(web);
    return web;
}

void ic_web_close(ic_web *web)
{
    if (web == NULL) return;
    free(web->folder);
    json_decref(web->files);
    json_decref(web->engines);
    free(web->pages);
    free(web);
}

size_t ic_web_files(const ic_web *web)
{
    return web->n_pages;
}

const char *ic_web_file_name(const ic_web *web, size_t i)
{
    return web->pages[i].file;
}

const char *ic_web_subject(const ic_web *web)
{
    return web->subject;
}

/*
 * Written to memory, so that the table of contents can precede the first chapter. false: memory ran
 * out.
 */
static bool write_body(ic_web *web, const ic_page *page, FILE *stream)
{
    char *body = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&body, &size);
    if (memory == NULL) return false;
    page->write(web, page, memory);
    const bool good = !ferror(memory) && fclose(memory) == 0;
    if (good) ic_page_with_contents(stream, body);
    free(body);
    return good;
}

bool ic_web_write(ic_web *web, size_t i, FILE *stream)
{
    const ic_page *page = &web->pages[i];
    if (page->title[0] == '\0') {
        page->write(web, page, stream);
    } else {
        ic_page_begin(web, page, stream);
        if (!write_body(web, page, stream)) return false;
        ic_page_end(web, stream);
    }
    return !ferror(stream);
}
