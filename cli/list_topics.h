/* SPDX-License-Identifier: MIT */
/** The topics of impactcheck list that are in files of their own. */
#pragma once

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

/** list.c: All topics, in the order in which they are listed. */
extern const cli_topic *const cli_topics[];
extern const size_t cli_topic_count;

/** Engines, scenes that they play, and public reports of their faults. */
extern const cli_topic cli_topic_engines, cli_topic_scenes, cli_topic_threads;

/** explain.c: Stable codes of checks and mistakes. */
extern const cli_topic cli_topic_codes;

/** Name number i of a topic if there is one; and its row of a table, the same in the long form. */
#define CLI_TOPIC_NAMES(topic_, exists_, name_)                                                                \
    static bool topic_##_name(size_t i, ic_hint *name)                                                         \
    {                                                                                                          \
        return (exists_) && cli_topic_take_name(name, name_);                                                  \
    }
#define CLI_TOPIC_ROWS(topic_, ...)                                                                            \
    static void add_##topic_(cli_table *table, size_t i, bool long_form)                                       \
    {                                                                                                          \
        (void)long_form;                                                                                       \
        CLI_ROW(table, __VA_ARGS__);                                                                           \
    }
