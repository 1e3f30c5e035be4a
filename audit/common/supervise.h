/* SPDX-License-Identifier: MIT */
/**
 * The process between ours and one that runs somebody else's code: it outlives neither. It is the
 * audited process's parent, in a group of its own, and all that is started there falls to it,
 * whatever group or session it has chosen. When its line to us is closed, by us or by our death, or
 * when the audited process has ended, it kills all of them.
 */
#ifndef IC_AUDIT_COMMON_SUPERVISE_H
#define IC_AUDIT_COMMON_SUPERVISE_H

#include <stdnoreturn.h>
#include <sys/types.h>

/** What it says through the line at the end. */
typedef struct ic_supervised {
    /* errno, where the system did not start the process; else 0 */
    int refused;

    /* of the process, as of waitpid */
    int state;

    /* bytes; the most that the process, or one that it has waited for, held */
    double memory;

    /* s; that all of them took */
    double processor;
} ic_supervised;

/** Before the process is started: what must hold for it and for us. */
void ic_supervise_begin(void);

/**
 * In the process itself, at once: it ends with its supervisor, and has the signals of a process
 * that is new.
 */
void ic_supervise_child(pid_t supervisor);

/**
 * Watch over `child` (-1: it was not started, and errno says why) until it ends, or `line` does;
 * then remove `folder` ("": none).
 */
noreturn void ic_supervise(int line, pid_t child, const char *folder);

/** Remove a folder with all that is in it. */
void ic_folder_remove(const char *path);

#endif
