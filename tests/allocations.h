/* SPDX-License-Identifier: MIT */
/**
 * Counts the memory used by a test, and makes chosen allocations fail.
 *
 * The test programs are linked with --wrap: our own calls of malloc, calloc, realloc and free go
 * through these functions; those of shared libraries do not. Each thread has its own count.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct ic_allocations {
    /* number of allocations */
    size_t calls;

    /* the allocation that was to fail has been reached */
    bool failed;

    /* most bytes in use at once, above those in use at the beginning */
    size_t peak;

    /* bytes in use at the end, likewise; below zero where older memory, or the C library's, was
       released */
    ptrdiff_t left;
} ic_allocations;

/** No allocation fails. */
#define IC_NO_FAILURE ((size_t)-1)

/** Starts counting; allocation number `fail_at`, from 0, fails. */
void ic_allocations_begin(size_t fail_at);
ic_allocations ic_allocations_end(void);
