/* SPDX-License-Identifier: MIT */
#include "core/array.h"

#include <stdlib.h>

enum { FIRST_CAPACITY = 8 };

void *ic_array_reserve(void *array, size_t *capacity, size_t count, size_t size)
{
    size_t larger = *capacity == 0 ? FIRST_CAPACITY : *capacity;
    if (count < *capacity) return array;
    while (larger <= count) larger *= 2;
    void *copy = realloc(array, larger * size);
    if (copy != NULL) *capacity = larger;
    return copy;
}
