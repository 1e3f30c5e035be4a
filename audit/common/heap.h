/* SPDX-License-Identifier: MIT */
/** What audited code leaves on the heap. */
#ifndef IC_AUDIT_COMMON_HEAP_H
#define IC_AUDIT_COMMON_HEAP_H

#include <stdbool.h>

/** Bytes in use on the heap. */
double ic_heap_in_use(void);

/**
 * Whether malloc is that of glibc, which reports the memory in use and can fill memory. The allocators of sanitizers
 * and jemalloc cannot.
 */
bool ic_heap_is_of_glibc(void);

#endif
