/* SPDX-License-Identifier: MIT */
/** Runs code that may crash or hang in a separate process, which answers by records. */
#ifndef IC_AUDIT_COMMON_CHILD_H
#define IC_AUDIT_COMMON_CHILD_H

#include "audit/common/finding_writer.h"
#include "audit/common/process.h"

/** The end of a child. */
typedef struct ic_child_end {
    /* False if the system refused to start it. */
    bool started;

    /* True if it sent the last record. */
    bool whole;

    /* True if it was killed at its deadline. */
    bool late;

    /* signal that ended it; 0: none */
    int signal;

    /* its exit status */
    int status;

    /* its processor time, s */
    double processor;

    /* True if its last operation was excused. */
    bool excused;

    /* True if it has killed its supervisor. */
    bool lost;

    /* Number of packets without the secret of the run. */
    size_t forged;

    /* the resource limit that ended it; "": none */
    char limit[96];

    /* the last line that it wrote to standard error */
    char words[192];

    /* the last operation that it announced */
    char doing[IC_RECORD_TEXT];
} ic_child_end;

typedef void ic_child_work(ic_finding_writer *writer, void *context);
typedef void ic_child_reader(ic_record *record, void *context);

/**
 * Run `work` in a confined child for at most `seconds` and pass its records to `reader`. The
 * child's standard output is discarded.
 */
ic_child_end ic_child_run(ic_child_work *work, ic_child_reader *reader, void *context, double seconds);

/**
 * Pass records of a process to `reader` until the last record, the end of input or the deadline.
 * Packets without the secret are only counted. Texts are terminated and printable; other members
 * are unchecked. Sets `whole`, `late`, `forged` and `doing`.
 */
void ic_child_listen(ic_child_end *end, ic_process *process, const ic_secret *secret, ic_child_reader *reader,
                     void *context);

#endif
