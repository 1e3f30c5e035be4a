/* SPDX-License-Identifier: MIT */
#include "tests/allocations.h"

#include <malloc.h>

/* Names created by the linker's --wrap=malloc: calls of malloc go to __wrap_malloc; __real_malloc
   is the C library's function. */
void *ic_real_malloc(size_t size) __asm__("__real_malloc");
void *ic_real_calloc(size_t n, size_t size) __asm__("__real_calloc");
void *ic_real_realloc(void *block, size_t size) __asm__("__real_realloc");
void ic_real_free(void *block) __asm__("__real_free");
void *ic_wrapped_malloc(size_t size) __asm__("__wrap_malloc");
void *ic_wrapped_calloc(size_t n, size_t size) __asm__("__wrap_calloc");
void *ic_wrapped_realloc(void *block, size_t size) __asm__("__wrap_realloc");
void ic_wrapped_free(void *block) __asm__("__wrap_free");

typedef struct count {
    ic_allocations seen;
    size_t fail_at;
    bool on;

    /* below zero where older memory was released */
    ptrdiff_t in_use;
} count;

static _Thread_local count now;

void ic_allocations_begin(size_t fail_at)
{
    now = (count){.fail_at = fail_at, .on = true};
}

ic_allocations ic_allocations_end(void)
{
    now.on = false;
    now.seen.left = now.in_use;
    return now.seen;
}

/* Counts a call; returns whether it must fail. */
static bool call_must_fail(void)
{
    if (!now.on) return false;
    const bool fail = now.seen.calls++ == now.fail_at;
    now.seen.failed = now.seen.failed || fail;
    return fail;
}

static void *count_given(void *block)
{
    if (!now.on || block == NULL) return block;
    now.in_use += (ptrdiff_t)malloc_usable_size(block);
    if (now.in_use > 0 && (size_t)now.in_use > now.seen.peak) now.seen.peak = (size_t)now.in_use;
    return block;
}

void *ic_wrapped_malloc(size_t size)
{
    return call_must_fail() ? NULL : count_given(ic_real_malloc(size));
}

void *ic_wrapped_calloc(size_t n, size_t size)
{
    return call_must_fail() ? NULL : count_given(ic_real_calloc(n, size));
}

void *ic_wrapped_realloc(void *block, size_t size)
{
    if (call_must_fail()) return NULL;
    const size_t before = now.on && block != NULL ? malloc_usable_size(block) : 0;
    void *grown = ic_real_realloc(block, size);
    if (grown != NULL) now.in_use -= (ptrdiff_t)before;
    return count_given(grown);
}

void ic_wrapped_free(void *block)
{
    if (now.on && block != NULL) now.in_use -= (ptrdiff_t)malloc_usable_size(block);
    ic_real_free(block);
}
