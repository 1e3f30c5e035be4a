/* SPDX-License-Identifier: MIT */
/** A process of its own for code that may crash or hang, and that answers by records. */
#ifndef IC_AUDIT_COMMON_CHILD_H
#define IC_AUDIT_COMMON_CHILD_H

#include "audit/common/process.h"
#include "audit/common/sink.h"

/** How it ended. */
typedef struct ic_child_end {
    /* false: the system refused */
    bool started;

    /* it said that all has been said */
    bool whole;

    /* it was ended because its time was up */
    bool late;

    /* that ended it; 0: none */
    int signal;

    /* its exit status */
    int status;

    /* what it did may not come back: it has said so */
    bool excused;

    /* it has ended the process that watches over it */
    bool lost;

    /* records that came from it without the secret of the run */
    size_t forged;

    /* the limit that ended it; "": none */
    char limit[96];

    /* the last line that it said on standard error */
    char words[192];

    /* what it said last that it does */
    char doing[IC_RECORD_TEXT];
} ic_child_end;

typedef void ic_child_work(ic_sink *sink, void *context);
typedef void ic_child_reader(ic_record *record, void *context);

/**
 * Run `work` in a confined child and hand its records to `reader`, for at most `seconds`. Standard
 * output of the child goes nowhere.
 */
ic_child_end ic_child_run(ic_child_work *work, ic_child_reader *reader, void *context, double seconds);

/**
 * Hand the records that come from a process to `reader` until one says that all has been said,
 * nothing more comes, or its time is up. Those that do not begin with the secret are counted, and
 * no more; texts are ended and printable, the rest is as it came. Fills `whole`, `late`, `forged`
 * and `doing`.
 */
void ic_child_listen(ic_child_end *end, ic_process *process, const ic_secret *secret, ic_child_reader *reader,
                     void *context);

#endif
