/* SPDX-License-Identifier: MIT */
/**
 * A child process that answers for a limited time, with what it may use limited, and that leaves
 * nothing behind: whatever ends it or us, its supervisor (audit/common/supervise.h) ends all that
 * it has started. One at a time.
 */
#ifndef IC_AUDIT_COMMON_PROCESS_H
#define IC_AUDIT_COMMON_PROCESS_H

#include "audit/common/supervise.h"

#include <stdbool.h>
#include <sys/types.h>

/** Time that only goes forward, s. Deadlines are of it. */
double ic_process_now(void);

/** How it is to be started. */
typedef struct ic_process_ways {
    /* its standard input; -1: there is nothing to be read */
    int input;

    /* it answers on its standard output, a pipe; else by packets, and its standard output goes
       nowhere */
    bool prints;

    /* as ic_confine: an audited library; with TMPDIR as a folder of its own, which is removed */
    bool confined;

    /* that it may take */
    double seconds;
} ic_process_ways;

/**
 * What the child does, with the descriptor that its answers go to; returns its exit status, if at
 * all.
 */
typedef int ic_process_body(int answer, void *context);

enum { IC_PROCESS_TAIL = 4096, IC_PROCESS_FOLDER = 256 };

typedef struct ic_process {
    pid_t supervisor;

    /* what it answers, what it says on standard error, and its supervisor; -1: closed */
    int answer, errors, line;

    double deadline;

    /* the supervisor has reported, or has itself been ended */
    bool over, lost;

    ic_supervised supervised;

    /* of a confined one; "": none */
    char folder[IC_PROCESS_FOLDER];

    /* the last that it has said on standard error */
    char tail[IC_PROCESS_TAIL];

    size_t tail_length;
} ic_process;

/** false: the system refuses, errno says why, and there is nothing to finish. */
bool ic_process_start(ic_process *process, ic_process_body *body, void *context, const ic_process_ways *ways);

/**
 * Bytes or one packet that has come, up to `size`; 0: the other end is closed; -1: its time is up.
 */
ssize_t ic_process_read(ic_process *process, void *bytes, size_t size);

/** How it ended. */
typedef struct ic_process_end {
    bool in_time;

    /* its supervisor was ended, by it or by somebody else: `supervised` holds nothing */
    bool lost;

    ic_supervised supervised;
} ic_process_end;

/**
 * Wait for its end; where `at_once`, or when its time is up, end it with all that it has started.
 */
ic_process_end ic_process_finish(ic_process *process, bool at_once);

/**
 * The last line on standard error that is not blank, in printable ASCII: mostly it is the one that
 * says why. "": none.
 */
void ic_process_last_words(const ic_process *process, char *words, size_t size);

/**
 * End the process that is under way, if any, and wait for that; for the handler of a signal that
 * ends us.
 */
void ic_process_interrupt(void);

#endif
