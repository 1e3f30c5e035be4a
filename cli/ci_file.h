/* SPDX-License-Identifier: MIT */
/** impactcheck.yaml: what a repository audits, and which findings it waives. Its keys: cli/ci_keys.def. */
#pragma once

#include "casefile/schema.h"
#include "casefile/yaml.h"
#include "cli/command.h"

/** Names; of codes, `all` stands for every one. */
typedef struct cli_ci_names {
    const char **names;
    size_t n;
    bool all;
} cli_ci_names;

typedef struct cli_ci_subject {
    const char *name;
    ic_file_place place;

    /* "plugin", and its value */
    const char *kind, *target;

    /* n words of the command that audits it, without options for output */
    const char **words;
    size_t n_words;

    /* files on which the answer depends */
    cli_ci_names inputs;

    /* True if these files are all that it depends on, so that its answer can be kept. */
    bool kept;

    /* codes of checks that may stay undecided */
    cli_ci_names undecided;
} cli_ci_subject;

typedef struct cli_ci_waiver {
    const char *code, *reason;

    /* name of a subject; "": all */
    const char *subject;

    /* "2027-01-31", the last day on which it holds */
    const char *until;

    ic_file_place place;

    /* days since it has expired; <= 0: it holds */
    long expired;

    /* findings that it has waived */
    size_t used;
} cli_ci_waiver;

typedef struct cli_ci_file {
    ic_arena arena;

    const char *path;

    /* the folder in which it is, where its subjects are audited; "." */
    const char *folder;

    cli_ci_subject *subjects;
    size_t n_subjects;
    cli_ci_waiver *waivers;
    size_t n_waivers;
} cli_ci_file;

/** ci_schema.c: The file, and the parts of it that have keys. */
extern const ic_schema cli_schema_ci, cli_schema_ci_subject, cli_schema_ci_waiver;

/** Read a file. false: all that is wrong with it has been printed. It is closed in either case. */
bool cli_ci_file_read(cli_ci_file *file, const cli_command *command, const char *path);
void cli_ci_file_close(cli_ci_file *file);

/** Print the keys of the file and their meanings. */
bool cli_ci_keys_print(void);
