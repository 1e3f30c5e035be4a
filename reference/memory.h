/* SPDX-License-Identifier: MIT */
/** Memory allocation of the ball arithmetic. */
#pragma once

#include <stddef.h>

/**
 * When memory runs out, FLINT, GMP and MPFR print to standard output and abort. These functions
 * replace the C library's allocator and must not return NULL; blocks are released by free. `end`
 * replaces FLINT's abort.
 */
void ic_reference_set_memory(void *(*allocate)(size_t size), void *(*allocate_zeros)(size_t n, size_t size),
                             void *(*grow)(void *block, size_t size), void (*end)(void));
