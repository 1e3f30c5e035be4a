/* SPDX-License-Identifier: MIT */
/**
 * Comparison of a solver's log with the model alone: each entry must follow from the one before it.
 */
#ifndef IC_AUDIT_CHECK_LOG_H
#define IC_AUDIT_CHECK_LOG_H

#include "audit/common/finding_writer.h"
#include "impactcheck/impactcheck.h"

/** Contradictions between a log and the model. */
typedef struct ic_log_reading {
    /* number of entries that do not follow from the one before */
    size_t wrong;

    /* The mistake of the first one; IC_NO_MISTAKE: none. */
    ic_mistake_id cause;

    /* Description and time of the first one. */
    char first[96];
} ic_log_reading;

/**
 * Reads the log of a run that ended with IC_OK: states and modes after events against their jumps,
 * sequence numbers and order, conditions of guards, terminal modes, and the end.
 */
ic_log_reading ic_log_read(const ic_log *log);

/** Adds a row on the log. `repeats`: the known mistake by which events may be found again, or IC_NO_MISTAKE. */
void ic_audit_log(ic_finding_writer *writer, const ic_log *log, ic_mistake_id repeats);

#endif
