/* SPDX-License-Identifier: MIT */
#include "reference/orbit/storage.h"

#include <stdlib.h>
#include <string.h>

/* Makes room for one more item. */
static bool grow(ic_storage *s)
{
    if (s->n < s->capacity) return true;
    const size_t capacity = s->capacity == 0 ? 64 : 2 * s->capacity;
    void **grown = realloc(s->items, capacity * sizeof *grown);
    if (grown == NULL) return false;
    s->items = grown;
    s->capacity = capacity;
    return true;
}

void *ic_storage_new(ic_storage *s, size_t count, size_t size)
{
    void *made = grow(s) ? calloc(count + 1, size) : NULL;
    if (made != NULL) s->items[s->n++] = made;
    else s->failed = true;
    return made;
}

void *ic_storage_copy(ic_storage *s, const void *from, size_t n, size_t more, size_t size)
{
    void *made = ic_storage_new(s, n + more, size);
    if (made != NULL && n > 0) memcpy(made, from, n * size);
    return made;
}

void ic_storage_clear(ic_storage *s)
{
    for (size_t i = 0; i < s->n; i++) free(s->items[i]);
    free(s->items);
    *s = (ic_storage){0};
}
