/* SPDX-License-Identifier: MIT */
/** What a process that runs somebody else's code may use, and what it may no longer do. */
#ifndef IC_AUDIT_COMMON_CONFINE_H
#define IC_AUDIT_COMMON_CONFINE_H

#include "audit/common/supervise.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * Limit what this process and those that it starts may use: processor time (as much as all
 * processors give within `seconds`), memory, where `confined` address space as well, the size of a
 * file, open files; no core files. A limit that the caller of the command has set itself (ulimit)
 * stays as it is.
 */
void ic_limit_use(double seconds, bool confined);

/**
 * Which of the limits ended a process, as what follows "ended by ". false: none, as far as can be
 * seen.
 */
bool ic_limit_that_ended(char *text, size_t size, int ended_by_signal, const ic_supervised *said);

/**
 * Give up for good what an audited library does not need: new privileges, and, as far as the kernel
 * has Landlock, writing to files outside `folder` ("": all files) and /dev/null, network by TCP,
 * signals to processes that are not its own. What the kernel does not have is left out.
 */
void ic_confine(const char *folder);

/**
 * The version of Landlock that the kernel has; 0: none, and files can be written. 4: network as
 * well; 6: signals too.
 */
int ic_landlock_version(void);

#endif
