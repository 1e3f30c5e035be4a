/* SPDX-License-Identifier: MIT */
/** The stable codes of all checks and mistakes, made from the tables that define these. */
#pragma once

#include "cli/command.h"

/** What a code stands for. Texts that it does not have are "". */
typedef struct cli_code {
    /* "IC-T-007" */
    const char *code;

    /* "events"; of a figure of scenes, its name there */
    const char *name;

    /* "check of rows" */
    const char *kind;

    /* what is measured, or what the mistake is */
    const char *what;

    /* what follows from a failure, and what it is measured by */
    const char *why, *reference;
} cli_code;

/** The i-th of all codes, in their order; NULL: there are not so many. */
const cli_code *cli_code_at(size_t i);

/** What a code stands for; NULL: nothing. */
const cli_code *cli_code_find(const char *code);

/** "; did you mean 'IC-C-073', restitution-wrong?" for the name of a check or mistake, if misspelt; or "". */
ic_hint cli_code_hint(const char *wrong);
