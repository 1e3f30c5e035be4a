/* SPDX-License-Identifier: MIT */
/**
 * Audit of a shared library that exports laws, impact maps, solvers and engines by the public
 * header (`ic_plugin`).
 *
 * The library is never loaded into the calling process. A child loads it and lists its subjects;
 * then each subject is audited in a child of its own, which is ended when its time is up. A crash
 * or a hang is a finding, and hides no other finding.
 */
#pragma once

#include "audit/solver/solver.h"
#include "core/expression.h"

#include <stdint.h>

/** default time limit of a subject, s */
#define IC_PLUGIN_TIME_LIMIT 60.0

/** Limits of an audit, and who watches it. */
typedef struct ic_plugin_audit_options {
    /* of a subject: processor time while it computes, otherwise time, s */
    double time_limit;

    /* processes at once, at least 1 */
    size_t jobs;

    /* of what is drawn: speeds, depths, parameters and impacts */
    uint64_t seed;

    /* called after each part, with its processor time, s; may be NULL */
    void (*watch)(const char *part, double processor, void *context);
    void *context;
} ic_plugin_audit_options;

/**
 * Audit the library at `path`. The report does not depend on the number of processes. false: the library cannot
 * be audited, or the system refuses; `error` gives the reason, and a correct alternative.
 */
bool ic_audit_plugin(ic_audit_report *report, const char *path, const ic_plugin_audit_options *options,
                     ic_error *error);

/**
 * plugin_records.c: Records that the children of a plugin's audit send to the process that reports. A plugin may have
 * written any bytes: each record is checked before it is used.
 */

typedef enum ic_plugin_kind {
    IC_PLUGIN_LAW,
    IC_PLUGIN_IMPACT_MAP,
    IC_PLUGIN_SOLVER,
    IC_PLUGIN_ENGINE,
    IC_PLUGIN_KINDS
} ic_plugin_kind;

/** "law", "impact map", "solver", "engine" */
const char *ic_plugin_kind_name(ic_plugin_kind kind);

enum { IC_MOST_PLUGIN_NAME = 64, IC_MOST_PLUGIN_SUBJECTS = 256 };

/** A law, a map, a solver or an engine of a plugin. */
typedef struct ic_plugin_subject {
    ic_plugin_kind kind;

    /* in the plugin's table of its kind */
    size_t index;

    char name[IC_MOST_PLUGIN_NAME];
} ic_plugin_subject;

typedef struct ic_plugin_said {
    /* receives the findings */
    ic_audit_report *report;

    ic_plugin_subject subjects[IC_MOST_PLUGIN_SUBJECTS];
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
