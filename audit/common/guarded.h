/* SPDX-License-Identifier: MIT */
/**
 * Memory that is lent to a plugin: with a zone on either side that it must not write. What it only
 * reads lies on pages of its own that cannot be written: a write is counted, even if it changes
 * nothing or is taken back, and then let through once for all.
 */
#ifndef IC_AUDIT_COMMON_GUARDED_H
#define IC_AUDIT_COMMON_GUARDED_H

#include <stdbool.h>
#include <stddef.h>

#define IC_GUARD_ZONE ((size_t)512) /* bytes: 64 numbers beyond either end */

typedef struct ic_guarded {
    /* zone, data, zone */
    unsigned char *block;

    void *data;
    size_t size;

    /* what must not change; NULL: may be written */
    unsigned char *copy;

    /* bytes of the pages; 0: the heap's */
    size_t mapped;

    /* number of the watch on the pages, from 1 on; 0: none */
    size_t watched;
} ic_guarded;

/**
 * `size` bytes, zero or a copy of `content`; only read by the plugin where `constant`. false:
 * memory ran out. The zones hold numbers that are not finite, so that reading beyond an end shows
 * as well.
 */
bool ic_guarded_open(ic_guarded *guarded, size_t size, const void *content, bool constant);
void ic_guarded_close(ic_guarded *guarded);

/**
 * Bytes in the zones that have changed, and in the data if they are constant; at least 1 if those
 * were written at all.
 */
size_t ic_guarded_damage(const ic_guarded *guarded);

#endif
