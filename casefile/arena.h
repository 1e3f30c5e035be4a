/* SPDX-License-Identifier: MIT */
/**
 * An arena: memory that is released all at once. It holds everything that is read from one case
 * file.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct ic_arena_block ic_arena_block;

/** An arena, zero-initialized when empty. */
typedef struct ic_arena {
    ic_arena_block *blocks;

    /* Bytes used in the newest block. */
    size_t used;

    /* Bytes of all blocks. */
    size_t total;

    /*
     * True after a request was refused because memory ran out or the limit was reached. All later
     * requests are refused too, so that incomplete data are never used.
     */
    bool failed;
} ic_arena;

/** Greatest number of bytes of an arena, a protection against hostile files. */
#define IC_ARENA_LIMIT ((size_t)96 << 20)

/** Take zeroed memory, aligned for any object. NULL: refused; `failed` is set. */
void *ic_arena_take(ic_arena *arena, size_t size);

/** Copy `length` characters and add a zero byte. NULL: refused. */
char *ic_arena_copy(ic_arena *arena, const char *text, size_t length);

/** Compose a string as printf does. NULL: refused. */
__attribute__((format(printf, 2, 3))) char *ic_arena_print(ic_arena *arena, const char *format, ...);

/**
 * Add an element to an array of `*count` elements, which may move. Returns the new last element,
 * zeroed, and increments `*count`. NULL: refused; nothing has changed.
 */
void *ic_arena_append(ic_arena *arena, void *array, size_t *count, size_t size);

/**
 * Set the function that is called when a library that the reader uses runs out of memory. NULL: the
 * reader refuses the file and gives the reason. The command sets a function that ends the process,
 * as it does for its own requests.
 */
void ic_library_set_end(void (*end)(void));

/** Called when a library runs out of memory. */
void ic_library_ran_out(void);

/** Release everything. A small arena keeps its block for later use. */
void ic_arena_empty(ic_arena *arena);

/** Release everything. */
void ic_arena_free(ic_arena *arena);
