/* SPDX-License-Identifier: MIT */
/**
 * Audit of physics engines: programs that each run one engine on two scenes (adapters/engines/scene.h), as it comes and set as well as
 * it can be.
 *
 * Measured are the restitution in effect, over impacts that fall on different places of a step; and on a rough bar the energy and the
 * velocity of the tip after an impact, and which impact law that is. Each run is a child with a time limit: one that crashes or hangs is
 * a finding.
 */
#ifndef IC_AUDIT_ENGINES_H
#define IC_AUDIT_ENGINES_H

#include "audit/common/sink.h"

enum { IC_ENGINE_PHASES = 20, IC_ENGINE_PHASES_MOST = 1000 };

/** s; for each run, where none is asked for */
#define IC_ENGINE_TIME_LIMIT 30.0

/** An engine that there may be a program for. */
typedef struct ic_engine_known {
    const char *name;   /* "ode" */
    const char *debian; /* the packages that its program is built with */
} ic_engine_known;

extern const ic_engine_known ic_engines_known[];
extern const size_t ic_engines_known_count;

typedef struct ic_engine_request {
    const char *program; /* its path; NULL: an engine of a plugin */
    const char *library; /* the plugin's path */
    size_t index;        /* among the plugin's engines */
    const char *name;    /* for the report */
    const char *variant; /* of the engine; NULL: none */
    size_t phases;       /* impacts at so many places of a step; 1 to IC_ENGINE_PHASES_MOST */
    double time_limit;   /* s; for each run */
} ic_engine_request;

/** Of the impacts at all phases. */
typedef struct ic_engine_span {
    double least, median, greatest; /* NAN where there is none */
    size_t count;                   /* impacts that were met and ended */
} ic_engine_span;

/** What one engine does in one configuration. */
typedef struct ic_engine_row {
    char name[IC_SUBJECT_LENGTH]; /* "simbody", "simbody:newton" */
    const char *config;           /* "default", "best"; "": a plugin's has one only */
    double step;                  /* s */
    size_t phases;
    ic_engine_span restitution;  /* 1; asked for: IC_ENGINE_RESTITUTION */
    ic_engine_span energy;       /* E+/E- of the bar */
    ic_engine_span tip_x, tip_y; /* m/s; of the bar's tip, after */
    ic_classification law;       /* nothing in it where no impact could be judged */
    const char *table_2; /* the law that the impact of Table 2 is like, though others may not be; NULL: none */
    bool broken;         /* a run ended otherwise than it should */
} ic_engine_row;

#define IC_ENGINE_RESTITUTION 0.8 /* of the ball */

enum { IC_ENGINE_CONFIGS = 2 };

/** Fills one row for each configuration (a plugin's engine: the first only), and adds findings; `no_memory` of the findings tells whether memory ran out. */
void ic_audit_engine(ic_findings *findings, ic_engine_row rows[IC_ENGINE_CONFIGS],
                     const ic_engine_request *request);

#endif
