/* SPDX-License-Identifier: MIT */
/**
 * Memory that is passed to a plugin, between two zones to which the plugin must not write.
 * Read-only memory is on write-protected pages: a write is counted even if it changes nothing or is
 * undone; later writes succeed.
 */
#ifndef IC_AUDIT_COMMON_GUARDED_H
#define IC_AUDIT_COMMON_GUARDED_H

#include <stdbool.h>
#include <stddef.h>

#define IC_GUARD_ZONE ((size_t)512) /* size of the zone beyond either end, bytes: 64 numbers */

typedef struct ic_guarded {
    /* zone, data, zone */
    unsigned char *block;

    void *data;
    size_t size;

    /* copy of read-only content; NULL: writable */
    unsigned char *copy;

    /* bytes of the mapped pages; 0: heap memory */
    size_t mapped;

    /* number of the watch on the pages, from 1; 0: none */
    size_t watched;
} ic_guarded;

/**
 * Allocate `size` bytes, zero or a copy of `content`, write-protected if `constant`. The zones hold
 * NaNs, so that reading out of bounds shows too. false: memory ran out.
 */
bool ic_guarded_open(ic_guarded *guarded, size_t size, const void *content, bool constant);
void ic_guarded_close(ic_guarded *guarded);

/**
 * Number of changed bytes in the zones and in constant data; at least 1 if constant data were
 * written at all.
 */
size_t ic_guarded_damage(const ic_guarded *guarded);

#endif
