/* SPDX-License-Identifier: MIT */
#include "casefile/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ic_arena_block {
    ic_arena_block *next;

    size_t size;

    alignas(max_align_t) unsigned char bytes[];
};

enum { BLOCK = 1 << 16 };

void *ic_arena_take(ic_arena *arena, size_t size)
{
    const size_t unit = alignof(max_align_t);
    if (size > IC_ARENA_LIMIT) size = IC_ARENA_LIMIT + 1;
    size = (size + unit - 1) / unit * unit;
    if (arena->failed) return NULL;
    if (arena->blocks == NULL || arena->blocks->size - arena->used < size) {
        const size_t wanted = size > BLOCK ? size : BLOCK;
        ic_arena_block *block = NULL;
        if (arena->total + wanted <= IC_ARENA_LIMIT) block = calloc(1, sizeof *block + wanted);
        if (block == NULL) {
            arena->failed = true;
            return NULL;
        }
        block->size = wanted;
        block->next = arena->blocks;
        arena->blocks = block;
        arena->used = 0;
        arena->total += wanted;
    }
    void *taken = arena->blocks->bytes + arena->used;
    arena->used += size;
    return taken;
}

char *ic_arena_copy(ic_arena *arena, const char *text, size_t length)
{
    char *copy = ic_arena_take(arena, length + 1);
    if (copy != NULL) memcpy(copy, text, length);
    return copy;
}

char *ic_arena_print(ic_arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = length < 0 ? NULL : ic_arena_take(arena, (size_t)length + 1);
    if (text == NULL) return NULL;
    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text;
}

void *ic_arena_append(ic_arena *arena, void *array, size_t *count, size_t size)
{
    void *elements = NULL;
    memcpy(&elements, array, sizeof elements);
    if ((*count & (*count - 1)) == 0) { /* The array is full when its length is a power of two. */
        void *grown = ic_arena_take(arena, (*count == 0 ? 1 : 2 * *count) * size);
        if (grown == NULL) return NULL;
        if (*count > 0) memcpy(grown, elements, *count * size);
        elements = grown;
        memcpy(array, &elements, sizeof elements);
    }
    return (unsigned char *)elements + (*count)++ * size;
}

static void (*end_without_memory)(void);

void ic_library_set_end(void (*end)(void))
{
    end_without_memory = end;
}

void ic_library_ran_out(void)
{
    if (end_without_memory != NULL) end_without_memory();
}

void ic_arena_empty(ic_arena *arena)
{
    ic_arena_block *last = arena->blocks;
    if (last == NULL || last->next != NULL || arena->failed) {
        ic_arena_free(arena);
        return;
    }
    memset(last->bytes, 0, arena->used);
    arena->used = 0;
}

void ic_arena_free(ic_arena *arena)
{
    while (arena->blocks != NULL) {
        ic_arena_block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
    *arena = (ic_arena){0};
}
