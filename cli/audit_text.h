/* SPDX-License-Identifier: MIT */
/** Findings and classifications of an audit, as text and as JSON. */
#pragma once

#include "audit/common/finding.h"
#include "reports/json.h"

#include <stdbool.h>

typedef struct cli_audit_result {
    /* the audit input: "plugin" */
    const char *input;

    const char *path;
    const ic_findings *findings;
    const ic_classification *classifications;
    size_t n_classifications;

    /* Points of the laws. */
    const ic_restitution_point *points;

    size_t n_points;

    /* True if the input may have laws; JSON then has the member "restitution". */
    bool of_plugin;

    /* True if the subject is above the table and not in each row. */
    bool one_subject;

    /* True if places are scenes, which likely causes then name. */
    bool of_scenes;

    /* True if something was drawn. */
    bool drawn;

    /* that of what was drawn */
    size_t seed;

    /* True if all rows are judged together, not those of each subject. */
    bool together;

    /* Processor times of its parts, if they are wanted; or NULL. */
    struct cli_times *times;
} cli_audit_result;

ic_audit_judgement cli_audit_judge(const cli_audit_result *result);

/** The verdict in a line: "Failed: 2 of 9 checks; likely causes: velocity-unchanged, mass-ignored; 1 undecided". */
typedef struct cli_headline {
    char text[1536];
} cli_headline;

cli_headline cli_audit_headline(const cli_audit_result *result);

/** The same, in its colour. */
void cli_audit_print_headline(const cli_audit_result *result);
/** The same, but "" for a good verdict: the output of --quiet. */
void cli_audit_print_if_not_good(const cli_audit_result *result);

/** Tables and likely causes. false: memory ran out. */
bool cli_audit_print(const cli_audit_result *result);

/** Details of each row that does not pass, and the likely causes. */
void cli_audit_print_failures(const cli_audit_result *result);

/** One object. */
void cli_audit_json(const cli_audit_result *result);

/** Its members without findings: input, verdict, summary, likely causes, counts. */
void cli_audit_json_verdict(ic_json *json, const cli_audit_result *result);

/** Its members, for an object that has more. */
void cli_audit_json_members(ic_json *json, const cli_audit_result *result);
