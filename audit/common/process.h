/* SPDX-License-Identifier: MIT */
/**
 * A child process with limited time and resources. If the child or the audit ends for any reason,
 * the supervisor (audit/common/supervise.h) ends everything that the child started. Only one child
 * runs at a time.
 */
#ifndef IC_AUDIT_COMMON_PROCESS_H
#define IC_AUDIT_COMMON_PROCESS_H

#include "audit/common/supervise.h"

#include <stdbool.h>
#include <sys/types.h>

/** Monotonic time, s; deadlines use it. */
double ic_process_now(void);

/** Options for the start of a process. */
typedef struct ic_process_settings {
    /* its standard input; -1: empty */
    int input;

    /*
     * True: it answers on standard output, a pipe. False: it answers by packets, and its standard
     * output is discarded.
     */
    bool prints;

    /*
     * True: confine it as an audited library (ic_confine). TMPDIR is then a folder of its own,
     * which is removed at the end.
     */
    bool confined;

    /* time limit, s: of processor time while it computes, otherwise of time */
    double seconds;
} ic_process_settings;

/** The child's code; `answer` is the descriptor of its answers. Returns the exit status. */
typedef int ic_process_body(int answer, void *context);

enum { IC_PROCESS_TAIL = 4096, IC_PROCESS_FOLDER = 256 };

typedef struct ic_process {
    pid_t supervisor;

    /* its answers, its standard error, and its supervisor; -1: closed */
    int answer, errors, line;

    /* of time, s: it is put off while the process waits for a processor; never beyond `latest` */
    double deadline, latest;

    /* time limit, s */
    double seconds;

    /* the supervisor has reported, or was killed */
    bool over, lost;

    ic_supervised supervised;

    /* folder of a confined process; "": none */
    char folder[IC_PROCESS_FOLDER];

    /* the end of its standard error */
    char tail[IC_PROCESS_TAIL];

    size_t tail_length;
} ic_process;

/**
 * Start a process. false: the system refuses; errno gives the reason, and the process needs no
 * finishing.
 */
bool ic_process_start(ic_process *process, ic_process_body *body, void *context,
                      const ic_process_settings *settings);

/** From now on, the process has this time for its next answer, s. */
void ic_process_allow(ic_process *process, double seconds);

/** Read bytes or one packet of up to `size` bytes; 0: closed; -1: deadline passed. */
ssize_t ic_process_read(ic_process *process, void *bytes, size_t size);

/** The end of a process. */
typedef struct ic_process_end {
    bool in_time;

    /* True if its supervisor was killed; `supervised` is then not set. */
    bool lost;

    ic_supervised supervised;
} ic_process_end;

/**
 * Wait for the end of a process. If `at_once`, or at the deadline, kill it and everything that it
 * started.
 */
ic_process_end ic_process_finish(ic_process *process, bool at_once);

/**
 * The last non-blank line on standard error in printable ASCII, which usually gives the reason of a
 * failure; "": none.
 */
void ic_process_last_words(const ic_process *process, char *words, size_t size);

/**
 * End the running process, if there is one, and wait for it. For handlers of signals that end the
 * audit.
 */
void ic_process_interrupt(void);

#endif
