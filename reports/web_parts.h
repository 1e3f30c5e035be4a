/* SPDX-License-Identifier: MIT */
/** Parts from which the pages of reports/web.h are made. */
#pragma once

#include "reports/columns.h"

#include <jansson.h>
#include <stdio.h>

typedef struct ic_web ic_web;

typedef struct ic_page {
    char file[128];
    char title[128];

    /* Entry of the navigation to which it belongs. */
    const char *chapter;

    /* The case or the solver of list.json, or NULL. */
    const json_t *about;

    void (*write)(ic_web *web, const struct ic_page *page, FILE *out);
} ic_page;

struct ic_web {
    char *folder;

    /* JSON files that were read, by name; null: the file does not exist. */
    json_t *files;

    /* Engines on scenes; NULL: not collected yet. web_engines.c */
    json_t *engines;

    /* What the report is about, as commands take it: FILE.yaml or CASE; "": all cases. */
    const char *subject;

    ic_page *pages;
    size_t n_pages;
};

enum { IC_WEB_PATH = 512 };

/** Name of a page as it is linked: "case-roller.html". */
typedef struct ic_link {
    char text[128];
} ic_link;
ic_link ic_page_link(const char *kind, const char *name);

/* ---- results: web_results.c */

/** A JSON file of the folder, NULL where it is missing or damaged. */
const json_t *ic_web_json(ic_web *web, const char *file);
bool ic_web_has(const ic_web *web, const char *file);

/** Whether the folder has an audits/NAME.json. web_audits.c */
bool ic_web_has_audits(const ic_web *web);
FILE *ic_web_result(const ic_web *web, const char *file);

/**
 * A table of results to draw from: a CSV file, or the columns and rows of a study's JSON. To be
 * freed; false: missing or damaged.
 */
bool ic_web_columns(ic_web *web, const char *file, ic_columns *columns);

/** The figures that a case file states, by name; NULL: none. */
const json_t *ic_figures_of(const json_t *about);

/** Those figures on the page of the case. */
void ic_page_case_figures(ic_web *web, const json_t *about, FILE *out);

/** The command that makes a file, without `impactcheck`; "" if it is unknown. */
typedef struct ic_recipe {
    char text[512];
} ic_recipe;
ic_recipe ic_web_recipe(const ic_web *web, const char *file);

/** What a report is about, as a word of a shell; "": all cases. */
ic_recipe ic_web_operand(const ic_web *web);

/**
 * In a report about one case, commands name its file or it: rows of verify.json and bench.json and
 * presets get a member "operand", the subject as a command takes it, and so does the case itself.
 */
void ic_web_name_operands(ic_web *web);

/**
 * The operand of a row or preset, to stand between quotation marks: "roller/II/A",
 * "stops.yaml/default".
 */
const char *ic_row_operand(const json_t *row);

/** Whether reports/text/results.txt has a command for a file. */
bool ic_web_is_listed(const char *file);

const json_t *ic_web_cases(ic_web *web);
const json_t *ic_web_solvers(ic_web *web);
const json_t *ic_web_rows(ic_web *web); /* The rows of verify.json. */

/* ---- counts of rows: web_tally.c */

typedef struct ic_tally {
    size_t pass, fail, erratum, skipped;

    /*
     * Greatest error + radius divided by the tolerance, over rows that pass or fail; NAN: no row is
     * a comparison.
     */
    double worst;
} ic_tally;

/** Rows of a case and of a solver; NULL stands for all. */
ic_tally ic_tally_of(const json_t *rows, const char *case_name, const char *solver);
double ic_row_share(const json_t *row);
bool ic_row_of_case(const json_t *row, const char *case_name);
bool ic_text_is(const json_t *object, const char *key, const char *value);

/** A cell of a matrix: a sign, a number, a class for its colour. */
void ic_tally_cell(FILE *out, const char *label, const char *link, const char *command, const ic_tally *tally);

/** A row of a list of verdicts: the name of a case or a solver, its cell, and how many checks there are. */
void ic_tally_row(const ic_web *web, FILE *out, const char *kind, const char *name, const char *link,
                  const char *command, const ic_tally *tally);

/* ---- parts of pages: web_page.c */

void ic_page_begin(ic_web *web, const ic_page *page, FILE *out);
void ic_page_end(ic_web *web, FILE *out);
/**
 * A page's body, with links to its chapters (h2 with an id) before the first, if there are some.
 */
void ic_page_with_contents(FILE *out, const char *body);
void ic_page_command(FILE *out, const char *command);

/** Whether the report has a page. */
bool ic_page_exists(const ic_web *web, const char *file);

/** A link to the page of a case or a solver; where the report has none, its name. */
void ic_page_name(const ic_web *web, FILE *out, const char *kind, const char *name);

/** Text in which an index is set lower: "F_f", "b_2". */
void ic_page_symbols(FILE *out, const char *text);
/** Says that a file is missing, and what makes it; nothing in a report about one case. */
void ic_page_missing(ic_web *web, FILE *out, const char *file);
void ic_page_verdict(FILE *out, const char *verdict);

/**
 * A cell with a number of a few digits, its name for narrow screens, and the whole number where one
 * looks closer.
 */
void ic_page_number(FILE *out, const char *label, double value);
void ic_page_cell(FILE *out, const char *label, const char *text);

/**
 * A table's head, up to its first row. `columns` are titles, with a `#` before numbers and the
 * member after `=` if its name differs: "subject|#slope=shown". `caption`: NULL: none.
 */
void ic_page_table(FILE *out, const char *classes, const char *caption, const char *columns);

/** The cells of a row: members of `item` in `columns`. A column "verdict" is shown as one. */
void ic_page_cells(FILE *out, const json_t *item, const char *columns);

/** The end of a table, and the command that makes it; NULL: none. */
void ic_page_table_end(FILE *out, const char *command);

/** A member that is a number; NAN if it is not one. */
double ic_page_number_of(const json_t *item, const char *key);

/** Number of items of an array that have a text in a member. */
size_t ic_page_count(const json_t *array, const char *key, const char *text);

/** The findings of `audits/SOLVER.json`, NULL if it is missing; its name is written to `file`. */
enum { IC_WEB_AUDIT = 192 };
const json_t *ic_web_findings(ic_web *web, const char *solver, char file[IC_WEB_AUDIT]);

/** Write the rows of verify that `wanted` accepts as a table. Returns their number. */
typedef bool ic_row_filter(const json_t *row, const void *context);
size_t ic_page_rows(FILE *out, const json_t *rows, const char *caption, ic_row_filter *wanted,
                    const void *context);

/* ---- tables of the papers: web_tables.c */

void ic_page_tables(ic_web *web, const char *page, FILE *out);

/**
 * Whether `row` names a row whose text is `what`: the text begins with it, and the word ends there.
 */
bool ic_text_is_of(const char *what, const char *row);

/* ---- figures: web_figures.c, web_costs.c */

void ic_page_figures(ic_web *web, const char *page, FILE *out);

enum { IC_FIGURE_FIELD = 512 };

/** The curves, at most so many, that a line "curve = ..." or "curves = ..." of figures.txt stands for: their number. */
size_t ic_figure_curves(const char *line, char (*curves)[IC_FIGURE_FIELD], size_t most);

/** Whether figures.txt has a figure for a page. */
bool ic_page_has_figures(const char *page);

/** Links to the figures that are drawn from a file. */
void ic_page_figures_of(FILE *out, const char *file);

/**
 * Errors over flow calls of all solvers on each subject of bench.json. If `only` is given, those of
 * this solver are drawn on top of the others.
 */
void ic_page_work_precision(ic_web *web, const char *solver, FILE *out);

/** The fastest setting with errors of at most 10 ns on the first subject of bench.json, as a fact in a list. */
void ic_page_cheapest(ic_web *web, FILE *out);

/** Slopes of the error over the mean step in bench.json, of a solver (NULL: of all solvers). */
void ic_page_slopes(ic_web *web, const char *solver, FILE *out);

/* ---- of a case without texts and figures of its own: web_listed.c */

/** Equations of each mode, its guards and their jumps, of a case in C: its linear view in list.json. */
void ic_page_listed_equations(FILE *out, const json_t *about);

/** The equations of a case's file: member "text" of list.json. reports/web_text.c */
void ic_page_text_equations(FILE *page, const json_t *text);

/**
 * Modes and guards of the first preset's variant as a graph, and states of elements. web_graph.c
 */
void ic_page_graphs(FILE *out, const json_t *about);

/** A figure of each state over time, with its events, from the run of the case's first preset. */
void ic_page_state_figures(ic_web *web, const json_t *about, FILE *out);

/** Whether there are runs of other presets of the only case than the first, for a page of their own. */
bool ic_web_has_more_runs(ic_web *web);

/** Whether a variant of a case has a linear view, so that it can be certified. */
bool ic_case_is_linear(const json_t *about);

/** Rows of engines on scenes, best first. web_engines.c */
const json_t *ic_web_engines(ic_web *web);

/** The script with the data of a row. */
ic_link ic_engine_data_file(const json_t *row);

/** Of a report about one case: what it is and whether all is well; what to do next. web_own.c */
void ic_page_own_head(ic_web *web, const ic_page *page, FILE *out);
void ic_page_own_next(ic_web *web, const ic_page *page, FILE *out);

/* ---- the pages */

void ic_write_front(ic_web *web, const ic_page *page, FILE *out);
void ic_write_case(ic_web *web, const ic_page *page, FILE *out);
void ic_write_solver(ic_web *web, const ic_page *page, FILE *out);
void ic_write_presets(ic_web *web, const ic_page *page, FILE *out);
void ic_write_audits(ic_web *web, const ic_page *page, FILE *out);
void ic_write_engines(ic_web *web, const ic_page *page, FILE *out);
void ic_write_engine_data(ic_web *web, const ic_page *page, FILE *out);
void ic_write_costs(ic_web *web, const ic_page *page, FILE *out);
void ic_write_studies(ic_web *web, const ic_page *page, FILE *out);
void ic_write_results(ic_web *web, const ic_page *page, FILE *out);
