/* SPDX-License-Identifier: MIT */
/**
 * A child process with limited time and resources. Whatever ends it or us, its supervisor
 * (audit/common/supervise.h) ends everything that it started. One at a time.
 */
#ifndef IC_AUDIT_COMMON_PROCESS_H
#define IC_AUDIT_COMMON_PROCESS_H

#include "audit/common/supervise.h"

#include <stdbool.h>
#include <sys/types.h>

/** Monotonic time, s; deadlines use it. */
double ic_process_now(void);

/** How to start a process. */
typedef struct ic_process_settings {
    /* its standard input; -1: empty */
    int input;

    /*
     * it answers on standard output, a pipe; else by packets, and its standard output is discarded
     */
    bool prints;

    /*
     * confine it as an audited library (ic_confine); TMPDIR is a folder of its own, removed at the
     * end
     */
    bool confined;

    /* s; time limit */
    double seconds;
} ic_process_settings;

/** The child's code; `answer` is the descriptor of its answers. Returns the exit status. */
typedef int ic_process_body(int answer, void *context);

enum { IC_PROCESS_TAIL = 4096, IC_PROCESS_FOLDER = 256 };

typedef struct ic_process {
    pid_t supervisor;

    /* its answers, its standard error, and its supervisor; -1: closed */
    int answer, errors, line;

    double deadline;

    /* the supervisor has reported, or was killed */
    bool over, lost;

    ic_supervised supervised;

    /* folder of a confined process; "": none */
    char folder[IC_PROCESS_FOLDER];

    /* the end of its standard error */
    char tail[IC_PROCESS_TAIL];

    size_t tail_length;
} ic_process;

/** false: the system refuses, errno says why, and nothing needs finishing. */
bool ic_process_start(ic_process *process, ic_process_body *body, void *context,
                      const ic_process_settings *settings);

/** Read bytes or one packet of up to `size` bytes; 0: closed; -1: deadline passed. */
ssize_t ic_process_read(ic_process *process, void *bytes, size_t size);

/** How a process ended. */
typedef struct ic_process_end {
    bool in_time;

    /* its supervisor was killed: `supervised` is not set */
    bool lost;

    ic_supervised supervised;
} ic_process_end;

/** Wait for the end; if `at_once`, or at the deadline, kill it with all that it started. */
ic_process_end ic_process_finish(ic_process *process, bool at_once);

/**
 * The last non-blank line on standard error, in printable ASCII, which usually says why it failed;
 * "": none.
 */
void ic_process_last_words(const ic_process *process, char *words, size_t size);

/** End the running process, if any, and wait for it; for handlers of signals that end us. */
void ic_process_interrupt(void);

#endif
