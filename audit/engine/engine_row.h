/* SPDX-License-Identifier: MIT */
/** Request and results of the audit of an engine. */
#ifndef IC_AUDIT_ENGINE_ENGINE_ROW_H
#define IC_AUDIT_ENGINE_ENGINE_ROW_H

#include "audit/common/finding_writer.h"

enum { IC_ENGINE_PHASES = 20, IC_ENGINE_PHASES_MOST = 1000 };

/** default time limit of a run, s */
#define IC_ENGINE_TIME_LIMIT 30.0

typedef struct ic_engine_request {
    /* Path of the program; NULL: an engine of a plugin. */
    const char *program;

    /* Path of the plugin. */
    const char *library;

    /* Index of the engine in the plugin's table. */
    size_t index;

    /* Name for the report. */
    const char *name;

    /* Version of the engine; NULL: unknown. */
    const char *variant;

    /* number of places in a step at which impacts are tried; 1 to IC_ENGINE_PHASES_MOST */
    size_t phases;

    /* Time limit of each run, s. */
    double time_limit;
} ic_engine_request;

/** A result of the impacts at all phases. */
typedef struct ic_engine_span {
    /* NAN: no impact ended */
    double least, median, greatest;

    /* impacts that happened and ended */
    size_t count;
} ic_engine_span;

/** Results of one engine in one configuration. */
typedef struct ic_engine_row {
    /* "simbody", "simbody:newton" */
    char name[IC_SUBJECT_LENGTH];

    /* "default", "best"; "": an engine of a plugin, which has only one */
    const char *config;

    /* s */
    double step;

    size_t phases;

    /* Prescribed coefficient of restitution: IC_ENGINE_RESTITUTION. */
    ic_engine_span restitution;

    /* Kinetic energy of the bar after the impact divided by that before. */
    ic_engine_span energy;

    /* Velocity of the bar's tip after the impact, m/s. */
    ic_engine_span tip_x, tip_y;

    /* empty if no impact could be judged */
    ic_classification law;

    /*
     * Name of the law that gives the impact of Table 2, even if other impacts differ from it; NULL:
     * none.
     */
    const char *table_2;

    /* a run failed; the engine does not offer some scene; either leaves the other checks unjudged */
    bool failed, not_offered, broken;
} ic_engine_row;

#define IC_ENGINE_RESTITUTION 0.8 /* of the ball */

enum { IC_ENGINE_CONFIGS = 2 };

#endif
