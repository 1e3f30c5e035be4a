/* SPDX-License-Identifier: MIT */
#include "reference/store.h"

#include <stddef.h>

struct ic_stored {
    struct ic_stored *before;

    /* clears n numbers; NULL: there are none */
    void (*clear)(void *x, slong n);
    slong n;

    max_align_t x[];
};

static void *add(ic_store *store, size_t n, size_t size, void (*clear)(void *, slong))
{
    struct ic_stored *made = flint_calloc(1, sizeof *made + n * size);
    made->before = store->last;
    made->clear = clear;
    made->n = (slong)n;
    store->last = made;
    return made->x;
}

#define STORE_OF(kind_, name_)                                                                                 \
    static void clear_##kind_(void *x, slong n)                                                                \
    {                                                                                                          \
        for (slong i = 0; i < n; i++) kind_##_clear((kind_##_ptr)x + i);                                       \
    }                                                                                                          \
    kind_##_ptr ic_store_##name_(ic_store *store, slong n)                                                     \
    {                                                                                                          \
        kind_##_ptr x = add(store, (size_t)n, sizeof *x, clear_##kind_);                                       \
        for (slong i = 0; i < n; i++) kind_##_init(x + i);                                                     \
        return x;                                                                                              \
    }
STORE_OF(arb, balls)
STORE_OF(mag, bounds)

void *ic_store_zeros(ic_store *store, size_t n, size_t size)
{
    return add(store, n, size, NULL);
}

void ic_store_free(ic_store *store)
{
    while (store->last != NULL) {
        struct ic_stored *last = store->last;
        store->last = last->before;
        if (last->clear != NULL) last->clear(last->x, last->n);
        flint_free(last);
    }
}
