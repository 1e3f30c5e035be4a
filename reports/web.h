/* SPDX-License-Identifier: MIT */
/**
 * The report as static web pages, made of a folder of result files and of nothing else:
 *
 *     list.json              impactcheck list --json: needed, names cases and solvers; with FILE.yaml or
 *                            `cases CASE`, the report is about this one
 *     verify.json            impactcheck verify --json
 *     bench.json             impactcheck bench --out
 *     audits/SOLVER.json     impactcheck audit --solver SOLVER --json; also audits/engines.json,
 *                            audits/gallery/NAME.json
 *     engines.json           impactcheck audit --engine all --json; and engines/NAME.json
 *     runs/, studies/, sweeps/, certified/: reports/text/results.txt; a case without lines there has
 *                            runs/states-CASE.csv and certified/CASE.json
 *
 * For a missing file the pages of all cases give the command that makes it; a report about one case has no
 * place for it, and shows every audit of audits/NAME.json. The same results give the same
 * bytes: no clock is read.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct ic_web ic_web;

typedef struct ic_web_error {
    char text[512];
} ic_web_error;

/** Look at a folder of results. NULL: `error` gives the reason and the correction. */
ic_web *ic_web_open(const char *folder, ic_web_error *error);
void ic_web_close(ic_web *web);

/**
 * The files of the report, one after another: names and contents. false: the file could not be
 * written, or memory ran out.
 */
size_t ic_web_files(const ic_web *web);
const char *ic_web_file_name(const ic_web *web, size_t i);
/** What the report is about: FILE.yaml or CASE; "": all cases. */
const char *ic_web_subject(const ic_web *web);
bool ic_web_write(ic_web *web, size_t i, FILE *stream);

/** Name of the file with the study of a figure that a case file states: "studies/CASE-FIGURE.json". */
typedef struct ic_web_name {
    char text[128];
} ic_web_name;
ic_web_name ic_web_figure_file(const char *system, const char *figure);

/**
 * The result files and the commands that make them, one on a line: FILE, a tab, the command without
 * its name. `quick`: only files that take less than a second.
 */
void ic_web_recipes(const ic_web *web, bool quick, FILE *stream);
