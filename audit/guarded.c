/* SPDX-License-Identifier: MIT */
#include "audit/guarded.h"

#include <stdlib.h>
#include <string.h>

/* All bytes 0xff: a quiet NaN wherever a double begins. */
static const unsigned char canary = 0xff;

bool ic_guarded_open(ic_guarded *g, size_t size, const void *content, bool constant)
{
    *g = (ic_guarded){.block = malloc(size + 2 * IC_GUARD_ZONE), .size = size};
    if (constant) g->copy = malloc(size + 1);
    if (g->block == NULL || (constant && g->copy == NULL)) {
        ic_guarded_close(g);
        return false;
    }
    memset(g->block, canary, size + 2 * IC_GUARD_ZONE);
    g->data = g->block + IC_GUARD_ZONE;
    if (content != NULL) memcpy(g->data, content, size);
    else memset(g->data, 0, size);
    if (constant) memcpy(g->copy, g->data, size);
    return true;
}

void ic_guarded_close(ic_guarded *g)
{
    free(g->block);
    free(g->copy);
    *g = (ic_guarded){0};
}

static size_t changed(const unsigned char *zone)
{
    size_t count = 0;
    for (size_t i = 0; i < IC_GUARD_ZONE; i++) count += zone[i] != canary;
    return count;
}

size_t ic_guarded_damage(const ic_guarded *g)
{
    const unsigned char *data = g->data;
    size_t count = changed(g->block) + changed(data + g->size);
    for (size_t i = 0; g->copy != NULL && i < g->size; i++) count += data[i] != g->copy[i];
    return count;
}
