/* SPDX-License-Identifier: MIT */
/**
 * Processes that come from one, found in /proc, whatever group or session they have put themselves
 * into.
 */
#ifndef IC_AUDIT_COMMON_DESCENDANTS_H
#define IC_AUDIT_COMMON_DESCENDANTS_H

#include <stddef.h>
#include <sys/types.h>

/** When a process was started, in ticks since the machine was; 0: it does not exist. */
unsigned long long ic_process_start_time(pid_t id);

/**
 * Kill the descendants of `root` that were started no earlier than `since`; how many there were
 * that lived. 0 as well where /proc cannot be read. What is killed may just have started others,
 * and its children pass to the nearest subreaper: call it until none is left.
 */
size_t ic_descendants_kill(pid_t root, unsigned long long since);

#endif
