/* SPDX-License-Identifier: MIT */
/** Room in an array that grows. */
#ifndef IC_CORE_ROOM_H
#define IC_CORE_ROOM_H

#include <stddef.h>

/**
 * An array of elements of `size` bytes, of which *room fit into it, with room for one more than `count`: itself, or its larger copy; *room is
 * then so many. NULL: memory ran out, and array and *room are as before. `array` may be NULL, with *room 0.
 */
void *ic_with_room(void *array, size_t *room, size_t count, size_t size);

#endif
