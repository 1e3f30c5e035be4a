/* SPDX-License-Identifier: MIT */
/**
 * Records that the children of a plugin's audit send to the process that reports. A plugin may have
 * written any bytes: each record is checked before it is used.
 */
#ifndef IC_AUDIT_PLUGIN_RECORDS_H
#define IC_AUDIT_PLUGIN_RECORDS_H

#include "audit/common/finding_writer.h"
#include "audit/solver/known.h"
#include "core/expression.h"

typedef enum ic_plugin_kind {
    IC_PLUGIN_LAW,
    IC_PLUGIN_IMPACT_MAP,
    IC_PLUGIN_SOLVER,
    IC_PLUGIN_ENGINE,
    IC_PLUGIN_KINDS
} ic_plugin_kind;

/** "law", "impact map", "solver", "engine" */
const char *ic_plugin_kind_name(ic_plugin_kind kind);

enum { IC_PLUGIN_NAME_MOST = 64, IC_PLUGIN_SUBJECTS_MOST = 256 };

/** A law, a map, a solver or an engine of a plugin. */
typedef struct ic_plugin_subject {
    ic_plugin_kind kind;

    /* in the plugin's table of its kind */
    size_t index;

    char name[IC_PLUGIN_NAME_MOST];
} ic_plugin_subject;

typedef struct ic_plugin_said {
    /* receives the findings */
    ic_audit_report *report;

    ic_plugin_subject subjects[IC_PLUGIN_SUBJECTS_MOST];
    size_t n_subjects;

    /* Number of records that no check can have written. */
    size_t n_broken;

    /* the mistakes that explain a solver's other failures, found by parts of its audit */
    ic_known known;

    /* the library is not a plugin: `error` */
    bool refused;

    ic_error *error;
} ic_plugin_said;

/** Reads one record; `context` is an ic_plugin_said (an ic_child_reader). */
void ic_plugin_take_record(ic_record *record, void *context);

#endif
