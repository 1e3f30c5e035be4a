/* SPDX-License-Identifier: MIT */
#include "reference/memory.h"

#include <flint.h>
#include <gmp.h>
#include <stdlib.h>

static void *(*grow_block)(void *block, size_t size);

static void (*end_program)(void);

static FLINT_NORETURN void end_or_abort(void)
{
    end_program();
    abort();
}

static void *grow_known(void *block, size_t old_size, size_t size)
{
    (void)old_size;
    return grow_block(block, size);
}

static void release_known(void *block, size_t size)
{
    (void)size;
    free(block);
}

void ic_reference_set_memory(void *(*allocate)(size_t size), void *(*allocate_zeros)(size_t n, size_t size),
                             void *(*grow)(void *block, size_t size), void (*end)(void))
{
    grow_block = grow;
    end_program = end;
    mp_set_memory_functions(allocate, grow_known, release_known);
    __flint_set_memory_functions(allocate, allocate_zeros, grow, free);
    flint_set_abort(end_or_abort);
}
