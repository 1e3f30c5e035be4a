/* SPDX-License-Identifier: MIT */
/** Memory that shows what audited code reads and leaves. */
#pragma once

#include <stdbool.h>

/** memory.c: What audited code leaves on the heap. */

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

/** memory.c: Uninitialised memory filled with given bytes: reads of it change the result of a run. */

/**
 * Fills all memory that malloc returns from now on, including small freed blocks. Only with glibc;
 * otherwise nothing happens.
 */
void ic_fill_heap(unsigned char byte);

/** Fills the stack below the caller's frame, as far as a solver's frames reach. */
void ic_fill_stack(unsigned char byte);
