/* SPDX-License-Identifier: MIT */
/**
 * What POSIX does not have: Linux and glibc are known here, and in audit/common/confine.c, only. Elsewhere each function
 * does what its comment says of other systems.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/** The folder of the running program, at most `size` bytes with the final 0. False: the system does not tell. */
bool ic_own_folder(char *path, size_t size);

/** Number of processors for this process; 1 if unknown. */
size_t ic_processors(void);

/** This process is killed when its parent ends, and ends at once if it has another parent already. Elsewhere the latter only. */
void ic_end_with_parent(pid_t parent);

/** Processes whose parent has ended become children of this one. Elsewhere they remain until they end. */
void ic_adopt_orphans(void);

/** Closes all descriptors from this one on; where the system has no call for it, below 65 536. */
void ic_close_from(int first);

/** Bytes that malloc has given; NAN if it does not tell. */
double ic_heap_in_use(void);

/** Memory that malloc gives from now on is filled with this byte; -1: no longer. Elsewhere nothing happens. */
void ic_heap_fill(int byte);

/** Up to `kept` bytes that are freed stay with the process, as do blocks of less than `mapped`. Elsewhere nothing happens. */
void ic_heap_keep(size_t kept, size_t mapped);
