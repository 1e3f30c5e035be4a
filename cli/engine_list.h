/* SPDX-License-Identifier: MIT */
/** The engines of option --engine, and their programs. */
#pragma once

#include "cli/command.h"

#include <limits.h>

enum { CLI_MOST_ENGINES = 64, CLI_ENGINE_NAME = 64 };

/** An engine for which a program may be installed. */
typedef struct cli_known_engine {
    /* "ode" */
    const char *name;

    /* the packages with which its program is built */
    const char *from;
} cli_known_engine;

extern const cli_known_engine cli_known_engines[];
extern const size_t cli_known_engine_count;

/** An engine: "simbody", "simbody:newton", or the path of a program, "./my-engine". */
typedef struct cli_engine {
    /* NULL: a program by its path */
    const cli_known_engine *known;

    /* as --engine was given, with the variant */
    char given[PATH_MAX];

    /* the engine's, or the program's path (its last part, if it is long) */
    char name[CLI_ENGINE_NAME], variant[CLI_ENGINE_NAME];

    /* "" where it is not installed */
    char program[PATH_MAX];
} cli_engine;

typedef struct cli_engine_list {
    cli_engine engines[CLI_MOST_ENGINES];
    size_t n;

    /* all known engines, as many as are installed */
    bool all;
} cli_engine_list;

/** Read the option; returns the exit status. CLI_BAD_INPUT: a message has been printed. */
int cli_engine_list_read(cli_engine_list *list, const cli_arguments *arguments, size_t option);

/** Whether the program of a known engine is built. */
bool cli_engine_is_built(const char *name);

/** Print which engines are not installed, and how they are. */
void cli_engine_list_missing(const cli_engine_list *list);
