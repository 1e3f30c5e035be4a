/* SPDX-License-Identifier: MIT */
/** The topics of impactcheck list that are in files of their own. */
#ifndef IC_CLI_LIST_TOPICS_H
#define IC_CLI_LIST_TOPICS_H

#include "cli/command.h"
#include "cli/table.h"
#include "reports/json.h"

/** A list of entries by number. */
typedef struct cli_topic {
    const char *name;

    /* false: there is no i-th entry. */
    bool (*name_at)(size_t i, ic_hint *name);

    /* of the table; NULL: the same */
    const char *titles, *long_titles;

    void (*add)(cli_table *table, size_t i, bool long_form);

    /* The long form, if it is not a row of a table. */
    bool (*section)(size_t i);

    void (*json)(ic_json *json, size_t i);
} cli_topic;

/** Copy a name. Always true. */
bool cli_topic_take_name(ic_hint *name, const char *text);

/** Engines, scenes that they play, and public reports of their faults. */
extern const cli_topic cli_topic_engines, cli_topic_scenes, cli_topic_threads;

/** explain.c: Stable codes of checks and mistakes. */
extern const cli_topic cli_topic_codes;

#endif
