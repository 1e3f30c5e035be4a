/* SPDX-License-Identifier: MIT */
/** A child process that answers through a pipe, for a limited time. */
#ifndef IC_AUDIT_PROCESS_H
#define IC_AUDIT_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

/** Time that only goes forward, s. Deadlines are of it. */
double ic_process_now(void);

/** What the child does, with its end of the pipe; returns its exit status, if at all. */
typedef int ic_process_body(int answer, void *context);

/**
 * Start a child in a process group of its own, without core files. *answer: the end of the pipe that is to be read, and closed. -1: the
 * system refuses, errno says why, and there is nothing to close.
 */
pid_t ic_process_start(int *answer, ic_process_body *body, void *context);

/** Bytes that have come, up to `size`; 0: the other end is closed; -1: the deadline is over. */
ssize_t ic_process_read(int answer, void *bytes, size_t size, double deadline);

/**
 * Wait for a child's end, *state as of waitpid, and kill what it has left behind. It is killed with its process group at once where nothing
 * more is wanted of it, else when the deadline is over. false: that was so.
 */
bool ic_process_finish(pid_t child, bool at_once, int *state, double deadline);

#endif
