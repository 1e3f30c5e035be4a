/* SPDX-License-Identifier: MIT */
/** The subjects of impactcheck.yaml: their audits, and what waivers make of these. */
#pragma once

#include "cli/ci_file.h"

#include <jansson.h>

/** What an audit of a subject has given. */
typedef struct cli_ci_answer {
    /* exit status of the audit */
    int status;

    /* rows of reports/reports.h; NULL: there are none */
    json_t *results;

    /* its messages, without the name of the program */
    char messages[2048];

    /* True if it was kept from an earlier run. */
    bool kept;
} cli_ci_answer;

/**
 * ci_run.c: Audit a subject, or take its answer from the folder `cache` (NULL: none) if nothing on which it depends has
 * changed. false: a message has been printed.
 */
bool cli_ci_run(cli_ci_answer *answer, const cli_ci_file *file, const cli_ci_subject *subject,
                const char *cache);

/** A subject, judged. */
typedef struct cli_ci_judgement {
    /* "good", "waived", "failed", "undecided", "error" */
    const char *verdict;

    /* rows */
    size_t passed, failed, waived, open;

    /* exit status that follows */
    int status;
} cli_ci_judgement;

/**
 * ci_judge.c: Judge an answer, and append its rows to `rows`: their subjects begin with that of the file, and those that
 * a waiver waives are skipped. false: memory ran out.
 */
bool cli_ci_judge(cli_ci_judgement *judgement, json_t *rows, const cli_ci_file *file,
                  const cli_ci_subject *subject, const cli_ci_answer *answer);

/** Append rows about waivers that have expired, which fail, or that waive nothing. false: memory ran out. */
bool cli_ci_judge_waivers(json_t *rows, const cli_ci_file *file);

/** "used", "unused" or "expired". */
const char *cli_ci_waiver_state(const cli_ci_waiver *waiver);
