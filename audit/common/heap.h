/* SPDX-License-Identifier: MIT */
/** What audited code leaves on the heap. */
#ifndef IC_AUDIT_COMMON_HEAP_H
#define IC_AUDIT_COMMON_HEAP_H

#include <stdbool.h>

/**
 * Whether malloc is that of glibc, which reports the memory in use and can fill memory. The allocators of sanitizers
 * and jemalloc cannot.
 */
bool ic_heap_is_of_glibc(void);

/**
 * The least growth of the heap, bytes, in one of some runs: what is kept once for all runs, or grows now and then, is
 * not counted. NAN: the allocator does not tell.
 */
double ic_heap_growth(int runs, void (*run)(void *context), void *context);

#endif
