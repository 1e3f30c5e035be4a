/* SPDX-License-Identifier: MIT */
#include "audit/common/memory.h"

#include <malloc.h>
#include <math.h>
#include <stdlib.h>

/* bytes */
static double in_use(void)
{
    const struct mallinfo2 heap = mallinfo2();
    return (double)heap.uordblks + (double)heap.hblkhd;
}

bool ic_heap_is_of_glibc(void)
{
    enum { BLOCK = 4096 };
    const double before = in_use();
    char *volatile block = malloc(BLOCK);
    if (block == NULL) return false;
    block[0] = 0; /* a block that is used is not optimized away */
    const double more = in_use() - before;
    free(block);
    return more > 0;
}

double ic_heap_growth(int runs, void (*run)(void *context), void *context)
{
    double least = INFINITY;
    if (!ic_heap_is_of_glibc()) return NAN;
    for (int i = 0; i < runs; i++) {
        const double before = in_use();
        run(context);
        least = fmin(least, in_use() - before);
    }
    return fmax(least, 0);
}
