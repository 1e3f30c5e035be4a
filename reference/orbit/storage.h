/* SPDX-License-Identifier: MIT */
/** Memory of problems that are made from others, released as a whole. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct ic_storage {
    void **items;
    size_t n, capacity;

    /* memory ran out */
    bool failed;
} ic_storage;

/** Zeros for `count` elements, and one more; NULL: memory ran out. */
void *ic_storage_new(ic_storage *storage, size_t count, size_t size);

/** A copy of `n` elements, with room for `more`. */
void *ic_storage_copy(ic_storage *storage, const void *from, size_t n, size_t more, size_t size);
void ic_storage_clear(ic_storage *storage);
