/* SPDX-License-Identifier: MIT */
#include "audit/common/memory.h"

#include "core/system.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

bool ic_heap_is_of_glibc(void)
{
    enum { BLOCK = 4096 };
    const double before = ic_heap_in_use();
    char *volatile block = malloc(BLOCK);
    if (block == NULL) return false;
    block[0] = 0; /* a block that is used is not optimized away */
    const double more = ic_heap_in_use() - before;
    free(block);
    return more > 0;
}

double ic_heap_growth(int runs, void (*run)(void *context), void *context)
{
    double least = INFINITY;
    if (!ic_heap_is_of_glibc()) return NAN;
    for (int i = 0; i < runs; i++) {
        const double before = ic_heap_in_use();
        run(context);
        least = fmin(least, ic_heap_in_use() - before);
    }
    return fmax(least, 0);
}

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

void ic_fill_heap(unsigned char byte)
{
    for (size_t size = LEAST_BLOCK; size <= MOST_BLOCK; size += BETWEEN_BLOCKS) {
        void *blocks[KEPT_OF_SIZE];
        for (size_t i = 0; i < KEPT_OF_SIZE; i++) {
            blocks[i] = malloc(size);
            if (blocks[i] != NULL) fill_bytes(blocks[i], size, byte);
        }
        for (size_t i = 0; i < KEPT_OF_SIZE; i++) free(blocks[i]);
    }
    ic_heap_fill(byte);
}

__attribute__((noinline)) void ic_fill_stack(unsigned char byte)
{
    volatile unsigned char area[STACK];
    fill_bytes(area, sizeof area, byte);
}
