/* SPDX-License-Identifier: MIT */
/** Where the ball arithmetic takes its memory from. */
#ifndef IC_REFERENCE_MEMORY_H
#define IC_REFERENCE_MEMORY_H

#include <stddef.h>

/**
 * FLINT, GMP and MPFR abort the program where memory runs out, with text on standard output. These functions take the place of the C
 * library's, and must not return NULL; what they give is given back by free. `end` takes the place of FLINT's abort.
 */
void ic_reference_set_memory(void *(*allocate)(size_t size), void *(*allocate_zeros)(size_t n, size_t size),
                             void *(*grow)(void *block, size_t size), void (*end)(void));

#endif
