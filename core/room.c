/* SPDX-License-Identifier: MIT */
#include "core/room.h"

#include <stdlib.h>

enum { FIRST_ROOM = 8 };

void *ic_with_room(void *array, size_t *room, size_t count, size_t size)
{
    size_t more = *room == 0 ? FIRST_ROOM : *room;
    if (count < *room) return array;
    while (more <= count) more *= 2;
    void *larger = realloc(array, more * size);
    if (larger != NULL) *room = more;
    return larger;
}
