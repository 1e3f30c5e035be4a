/* SPDX-License-Identifier: MIT */
/** A process of its own for code that may crash or hang, and that answers by records. */
#ifndef IC_AUDIT_CHILD_H
#define IC_AUDIT_CHILD_H

#include "audit/sink.h"

/** How it ended. */
typedef struct ic_child_end {
    bool started;               /* false: the system refused */
    bool whole;                 /* it said that all has been said */
    bool late;                  /* it was ended because its time was up */
    int signal;                 /* that ended it; 0: none */
    int status;                 /* its exit status */
    bool excused;               /* what it did may not come back: it has said so */
    char doing[IC_RECORD_TEXT]; /* what it said last that it does */
} ic_child_end;

typedef void ic_child_work(ic_sink *sink, void *context);
typedef void ic_child_reader(ic_record *record, void *context);

/** Run `work` in a child and hand its records to `reader`, for at most `seconds`. Standard output of the child goes nowhere. */
ic_child_end ic_child_run(ic_child_work *work, ic_child_reader *reader, void *context, double seconds);

/**
 * Hand the records that come through `fd` to `reader` until one says that all has been said, nothing more comes, or the deadline (of
 * ic_process_now) is over; their texts are ended and printable, the rest is as it came. Fills `whole`, `late` and `doing`.
 */
void ic_child_listen(ic_child_end *end, int fd, ic_child_reader *reader, void *context, double deadline);

#endif
