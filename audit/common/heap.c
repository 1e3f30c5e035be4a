/* SPDX-License-Identifier: MIT */
#include "audit/common/heap.h"

#include <malloc.h>
#include <stdlib.h>

double ic_heap_in_use(void)
{
    const struct mallinfo2 heap = mallinfo2();
    return (double)heap.uordblks + (double)heap.hblkhd;
}

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
