/* SPDX-License-Identifier: MIT */
/** Numbers and memory that are released together: the members of an object. */
#pragma once

#include "reference/ball.h"

/** Empty at first: {0}. */
typedef struct ic_store {
    /* what was added last */
    struct ic_stored *last;
} ic_store;

/** n numbers, which are 0. */
arb_ptr ic_store_balls(ic_store *store, slong n);
mag_ptr ic_store_bounds(ic_store *store, slong n);

/** Zeros for n elements of `size` bytes. */
void *ic_store_zeros(ic_store *store, size_t n, size_t size);

/** Release everything; the store is then empty. */
void ic_store_free(ic_store *store);
