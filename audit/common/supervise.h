/* SPDX-License-Identifier: MIT */
/**
 * The supervisor: a process between ours and one that runs audited code. It is the audited
 * process's parent, in a group of its own, and inherits all orphans, whatever group or session they
 * are in. When its line to us is closed, by us or by our death, or when the audited process has
 * ended, it kills all of them.
 */
#ifndef IC_AUDIT_COMMON_SUPERVISE_H
#define IC_AUDIT_COMMON_SUPERVISE_H

#include <stdnoreturn.h>
#include <sys/types.h>

/** Its report at the end. */
typedef struct ic_supervised {
    /* errno if the system did not start the process; else 0 */
    int refused;

    /* state of the process, as by waitpid */
    int state;

    /* bytes; peak memory of the process or of one that it waited for */
    double memory;

    /* s; total processor time */
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
