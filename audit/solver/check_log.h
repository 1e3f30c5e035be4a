/* SPDX-License-Identifier: MIT */
/**
 * What a solver writes into its log, held against the model alone: whether each entry follows from
 * the one before it.
 */
#ifndef IC_AUDIT_CHECK_LOG_H
#define IC_AUDIT_CHECK_LOG_H

#include "audit/common/sink.h"
#include "impactcheck/impactcheck.h"

/** What contradicts the model. */
typedef struct ic_log_reading {
    /* entries that do not follow from those before */
    size_t wrong;

    /* of the first; IC_NO_MISTAKE: nothing is wrong */
    ic_mistake_id cause;

    /* what it is, and when */
    char first[96];
} ic_log_reading;

/**
 * Reads the log of a run that ended with IC_OK: states and modes after events against their jumps,
 * sequence numbers and order, conditions of guards, terminal modes, and the end.
 */
ic_log_reading ic_log_read(const ic_log *log);

/** Adds a row on it. */
void ic_audit_log(ic_sink *sink, const ic_log *log);

#endif
