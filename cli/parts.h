/* SPDX-License-Identifier: MIT */
/**
 * Several answers of one command, each computed in a process: the same bytes in the same order, whatever the
 * number of processes. A process that crashes loses its own answer only.
 */
#pragma once

#include "cli/command.h"
#include "reports/json.h"

/** The row of a command's options for the number of processes. */
#define CLI_OPTION_JOBS "--jobs", "N", "number of processes; default: the number of processors", false

/** The row for processor times. */
#define CLI_OPTION_TIMES                                                                                       \
    "--times", NULL, "show the processor times of the ten longest parts, in JSON of each", false

/** Read the number of processes. false: a message has been printed. */
bool cli_jobs(const cli_arguments *arguments, size_t option, size_t *jobs);

typedef struct cli_parts {
    const cli_command *command;
    size_t jobs, count;

    /* one array of the answers, in JSON */
    bool json;

    /* no progress */
    bool quiet;
    bool times;

    /* the name of a part in messages */
    const char *(*name)(size_t part, void *context);

    /* do a part as a command of its own; returns the exit status */
    int (*work)(size_t part, void *context);

    void *context;
} cli_parts;

/** Do all parts. Returns the greatest exit status. */
int cli_parts_run(const cli_parts *parts);

/** Times of parts by name, of which the ten longest are shown. */
typedef struct cli_times {
    struct cli_time {
        char name[160];

        /* processor time, s */
        double seconds;
    } * rows;
    size_t count, capacity;
    bool out_of_memory;
} cli_times;

void cli_times_add(cli_times *times, const char *name, double seconds);

/** An array of all as a member of an object. */
void cli_times_json(ic_json *json, const char *key, const cli_times *times);

/** A table of the ten longest, and the sum of all. false: memory ran out. */
bool cli_times_print(const cli_times *times);
void cli_times_free(cli_times *times);
