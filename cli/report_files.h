/* SPDX-License-Identifier: MIT */
/** Files of results for programs: JUnit XML, TAP, Markdown, JSON, as options ask for them. */
#pragma once

#include "cli/command.h"
#include "cli/file.h"

#include <jansson.h>

enum { CLI_MOST_REPORT_FILES = 4 };

/** An option that names a file, and its writer. */
typedef struct cli_report_kind {
    size_t option;
    bool (*write)(const json_t *results, FILE *stream);
} cli_report_kind;

/** Zero before it is opened. */
typedef struct cli_report_files {
    /* borrowed */
    const cli_report_kind *kinds;

    size_t n;
    cli_file files[CLI_MOST_REPORT_FILES];
} cli_report_files;

/** Options of reports/reports.h, which have the same meaning in all commands. */
#define CLI_OPTION_JUNIT "--junit", "FILE", "write the results as JUnit XML", false
#define CLI_OPTION_TAP "--tap", "FILE", "write the results as lines of the Test Anything Protocol", false
#define CLI_OPTION_MARKDOWN "--markdown", "FILE", "write the results as Markdown, for a job's page", false

/** Open the requested files before anything is computed. false: the reason has been printed. */
bool cli_report_files_open(cli_report_files *reports, const cli_arguments *arguments,
                           const cli_report_kind *kinds, size_t n);

/** Write the files completely. false: the reason has been printed. */
bool cli_report_files_write(cli_report_files *reports, const cli_arguments *arguments, const json_t *results);

/** Remove files that have not been written. */
void cli_report_files_close(cli_report_files *reports);

/** Text that is already JSON. */
bool cli_report_json(const json_t *results, FILE *stream);
