/* SPDX-License-Identifier: MIT */
/**
 * The supervisor is a process between the audit and a process that runs audited code. It is the
 * parent of the audited process, in a group of its own, and inherits all orphans, whatever group or
 * session they are in. It kills all of them when the audit closes its line to the supervisor (or
 * dies) or when the audited process has ended.
 */
#ifndef IC_AUDIT_COMMON_SUPERVISE_H
#define IC_AUDIT_COMMON_SUPERVISE_H

#include <stdnoreturn.h>
#include <sys/types.h>

/** Report of the supervisor at its end. */
typedef struct ic_supervised {
    /* errno if the system did not start the process; otherwise 0 */
    int refused;

    /* state of the process, as by waitpid */
    int state;

    /* peak memory of the process or of one that it waited for, bytes */
    double memory;

    /* total processor time, s */
    double processor;
} ic_supervised;

/** Prepare the supervisor before it starts the process. */
void ic_supervise_begin(void);

/** First call in the process: it dies with its supervisor, and its signals are reset. */
void ic_supervise_child(pid_t supervisor);

/**
 * Watch `child` (-1: not started, see errno) until it or `line` ends; then remove `folder` ("":
 * none).
 */
noreturn void ic_supervise(int line, pid_t child, const char *folder);

/** Remove a folder with its contents. */
void ic_folder_remove(const char *path);

#endif
