/* SPDX-License-Identifier: MIT */
/** Resource limits and confinement of processes that run audited code. */
#ifndef IC_AUDIT_COMMON_CONFINE_H
#define IC_AUDIT_COMMON_CONFINE_H

#include "audit/common/supervise.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * Limit the resources of this process and its children: processor time (all processors for
 * `seconds`), memory, if `confined` address space, file size, open files; no core files. Limits set
 * by the caller of the command (ulimit) stay.
 */
void ic_limit_use(double seconds, bool confined);

/**
 * Write the limit that ended a process, as a text that follows "ended by ". false: apparently no
 * limit did.
 */
bool ic_limit_that_ended(char *text, size_t size, int ended_by_signal, const ic_supervised *said);

/**
 * Irrevocably drop the rights that an audited library does not need: new privileges and, as far as
 * the kernel's Landlock supports it, writing to files outside `folder` ("": all files) and
 * /dev/null, TCP, and signals to other processes.
 */
void ic_confine(const char *folder);

/**
 * The Landlock version of the kernel; 0: none, files stay writable. 4: also network; 6: also
 * signals.
 */
int ic_landlock_version(void);

#endif
