/* SPDX-License-Identifier: MIT */
/**
 * Audit of a shared library that exports laws, impact maps, solvers and engines by the public
 * header (`ic_plugin`).
 *
 * The library is never loaded into the calling process. A child loads it and lists its subjects;
 * then each subject is audited in a child of its own, which is ended when its time is up. A crash
 * or a hang is a finding, and hides no other finding.
 */
#ifndef IC_AUDIT_PLUGIN_H
#define IC_AUDIT_PLUGIN_H

#include "audit/common/finding_writer.h"
#include "core/expression.h"

/** default time limit of a subject, s */
#define IC_PLUGIN_TIME_LIMIT 60.0

/** Limits of an audit, and who watches it. */
typedef struct ic_plugin_audit_options {
    /* of a subject: processor time while it computes, otherwise time, s */
    double time_limit;

    /* processes at once, at least 1 */
    size_t jobs;

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

#endif
