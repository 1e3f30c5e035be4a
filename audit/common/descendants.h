/* SPDX-License-Identifier: MIT */
/** Descendants of a process, found in /proc whatever group or session they have joined. */
#ifndef IC_AUDIT_COMMON_DESCENDANTS_H
#define IC_AUDIT_COMMON_DESCENDANTS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/** Start time of a process in ticks since boot; 0: it does not exist. */
unsigned long long ic_process_start_time(pid_t id);

/**
 * Kill the descendants of `root` started no earlier than `since`; returns how many were alive, 0
 * also if /proc cannot be read. Call it until it returns 0: a killed process may just have started
 * others, which pass to the nearest subreaper.
 */
size_t ic_descendants_kill(pid_t root, unsigned long long since);

/** What the living descendants of a process use. */
typedef struct ic_descendants_use {
    /* processor time, with that of their children that have ended, s */
    double processor;

    /* one of them runs, or waits for a processor or a disk */
    bool runs;
} ic_descendants_use;

ic_descendants_use ic_descendants_measure(pid_t root);

#endif
