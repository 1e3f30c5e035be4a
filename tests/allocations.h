/* SPDX-License-Identifier: MIT */
/**
 * Memory that runs out when a test says so, and how much of it is used.
 *
 * The test programs are linked with --wrap: what our own code asks of malloc, calloc, realloc and free goes through here. What shared
 * libraries ask for themselves does not. Each thread has its own count.
 */
#ifndef IC_TESTS_ALLOCATIONS_H
#define IC_TESTS_ALLOCATIONS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ic_allocations {
    size_t calls; /* that asked for memory */
    bool failed;  /* the one that was to fail has been reached */
    size_t peak;  /* bytes in use at once, beyond those in use at the beginning */
    ptrdiff_t
        left; /* bytes in use at the end, likewise; below zero where older memory, or the C library's own, was given back */
} ic_allocations;

/** None is to fail. */
#define IC_NO_FAILURE ((size_t)-1)

/** Count from here on; the call number `fail_at`, from 0, finds no memory. */
void ic_allocations_begin(size_t fail_at);
ic_allocations ic_allocations_end(void);

#endif
