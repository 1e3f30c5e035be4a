/* SPDX-License-Identifier: MIT */
#include "audit/common/memory.h"

#include <malloc.h>
#include <stddef.h>
#include <stdlib.h>

/*
 * glibc keeps up to 7 freed blocks of each size up to 1032 bytes in a cache, returns them first,
 * and does not fill them: malloc.c, tcache.
 */
enum { KEPT_OF_SIZE = 7, LEAST_BLOCK = 24, MOST_BLOCK = 1032, BETWEEN_BLOCKS = 16 };
/* bytes; solvers keep some dozen arrays of IC_MAX_STATES numbers on the stack */
enum { STACK = 1 << 17 };

static void fill_bytes(volatile unsigned char *bytes, size_t size, unsigned char byte)
{
    for (size_t i = 0; i < size; i++) bytes[i] = byte;
}

static void fill_kept_blocks(unsigned char byte)
{
    for (size_t size = LEAST_BLOCK; size <= MOST_BLOCK; size += BETWEEN_BLOCKS) {
        void *blocks[KEPT_OF_SIZE];
        for (size_t i = 0; i < KEPT_OF_SIZE; i++) {
            blocks[i] = malloc(size);
            if (blocks[i] != NULL) fill_bytes(blocks[i], size, byte);
        }
        for (size_t i = 0; i < KEPT_OF_SIZE; i++) free(blocks[i]);
    }
}

void ic_fill_heap(unsigned char byte)
{
    fill_kept_blocks(byte);
#ifdef M_PERTURB
    mallopt(M_PERTURB, byte ^ 0xff); /* glibc fills new memory with the complement of the byte. */
#endif
}

#if defined(__GNUC__)
__attribute__((noinline))
#endif
void ic_fill_stack(unsigned char byte)
{
    volatile unsigned char area[STACK];
    fill_bytes(area, sizeof area, byte);
}
