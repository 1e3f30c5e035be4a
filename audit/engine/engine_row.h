/* SPDX-License-Identifier: MIT */
/** What is asked of the audit of an engine, and what it measures. */
#ifndef IC_AUDIT_ENGINE_ENGINE_ROW_H
#define IC_AUDIT_ENGINE_ENGINE_ROW_H

#include "audit/common/sink.h"

enum { IC_ENGINE_PHASES = 20, IC_ENGINE_PHASES_MOST = 1000 };

/** s; for each run, where none is asked for */
#define IC_ENGINE_TIME_LIMIT 30.0

typedef struct ic_engine_request {
    /* its path; NULL: an engine of a plugin */
    const char *program;

    /* the plugin's path */
    const char *library;

    /* among the plugin's engines */
    size_t index;

    /* for the report */
    const char *name;

    /* of the engine; NULL: none */
    const char *variant;

    /* impacts at so many places of a step; 1 to IC_ENGINE_PHASES_MOST */
    size_t phases;

    /* s; for each run */
    double time_limit;
} ic_engine_request;

/** Of the impacts at all phases. */
typedef struct ic_engine_span {
    /* NAN where there is none */
    double least, median, greatest;

    /* impacts that were met and ended */
    size_t count;
} ic_engine_span;

/** What one engine does in one configuration. */
typedef struct ic_engine_row {
    /* "simbody", "simbody:newton" */
    char name[IC_SUBJECT_LENGTH];

    /* "default", "best"; "": a plugin's has one only */
    const char *config;

    /* s */
    double step;

    size_t phases;

    /* 1; asked for: IC_ENGINE_RESTITUTION */
    ic_engine_span restitution;

    /* E+/E- of the bar */
    ic_engine_span energy;

    /* m/s; of the bar's tip, after */
    ic_engine_span tip_x, tip_y;

    /* nothing in it where no impact could be judged */
    ic_classification law;

    /* the law that the impact of Table 2 is like, though others may not be; NULL: none */
    const char *table_2;

    /* a run ended otherwise than it should */
    bool broken;
} ic_engine_row;

#define IC_ENGINE_RESTITUTION 0.8 /* of the ball */

enum { IC_ENGINE_CONFIGS = 2 };

#endif
