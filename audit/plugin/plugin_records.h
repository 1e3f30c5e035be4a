/* SPDX-License-Identifier: MIT */
/**
 * What the children of a plugin's audit have said, taken from their records by the process that
 * reports. A plugin may have written any bytes in them: nothing here is believed without a look at
 * it.
 */
#ifndef IC_AUDIT_PLUGIN_RECORDS_H
#define IC_AUDIT_PLUGIN_RECORDS_H

#include "audit/common/sink.h"
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

/** Something that a plugin has, and that is audited. */
typedef struct ic_plugin_subject {
    ic_plugin_kind kind;

    /* in the plugin's table */
    size_t index;

    char name[IC_PLUGIN_NAME_MOST];
} ic_plugin_subject;

typedef struct ic_plugin_said {
    /* where findings go */
    ic_audit_report *report;

    ic_plugin_subject subjects[IC_PLUGIN_SUBJECTS_MOST];
    size_t n_subjects;

    /* records that no check writes */
    size_t n_broken;

    /* what explains a solver's wrong times, as a part of its audit has found */
    ic_mistake_id late;

    /* it is no plugin: `error` */
    bool refused;

    ic_error *error;
} ic_plugin_said;

/** Take one record; `context` is an ic_plugin_said (an ic_child_reader). */
void ic_plugin_take_record(ic_record *record, void *context);

#endif
