/* SPDX-License-Identifier: MIT */
/** Memory that is released all at once: everything read from one case file. */
#ifndef IC_CASEFILE_ARENA_H
#define IC_CASEFILE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ic_arena_block ic_arena_block;

/** Zero-initialized: empty. */
typedef struct ic_arena {
    ic_arena_block *blocks;

    /* bytes taken from the newest block */
    size_t used;

    /* bytes of all blocks */
    size_t total;

    /* a request failed: memory ran out, or the limit was reached; all later ones fail too, so that nothing is
       made of what is left */
    bool failed;
} ic_arena;

/** The most bytes that an arena hands out: hostile files end here. */
#define IC_ARENA_LIMIT ((size_t)64 << 20)

/** Zeroed memory, aligned for any object. NULL: refused; `failed` is set. */
void *ic_arena_take(ic_arena *arena, size_t size);

/** Copy of `length` characters, ended by a zero byte. NULL: refused. */
char *ic_arena_copy(ic_arena *arena, const char *text, size_t length);

/** A string composed as by printf. NULL: refused. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
char *
ic_arena_print(ic_arena *arena, const char *format, ...);

/**
 * Room for one more element of an array of `*count` elements, which is moved as it grows. Returns
 * the new last element, zeroed, and increments `*count`. NULL: refused, nothing has changed.
 */
void *ic_arena_append(ic_arena *arena, void *array, size_t *count, size_t size);

/**
 * What to do where a library that the reader uses finds no memory; NULL: the reader refuses the file and
 * says why. The command, whose own requests end it where they fail, ends there too.
 */
void ic_library_set_end(void (*end)(void));

/** A library has found no memory. */
void ic_library_ran_out(void);

/** Release everything; a small arena keeps its memory for what comes next. */
void ic_arena_empty(ic_arena *arena);

/** Release everything. */
void ic_arena_free(ic_arena *arena);

#endif
