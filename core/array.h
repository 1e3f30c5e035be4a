/* SPDX-License-Identifier: MIT */
/** Capacity of an array that grows. */
#pragma once

#include <stddef.h>

/**
 * Ensure that an array of *capacity elements of `size` bytes can hold one more than `count`.
 * Returns the array or an enlarged copy, and updates *capacity. NULL: memory ran out; the array and
 * *capacity are unchanged. An empty array may be NULL, with *capacity = 0.
 */
void *ic_array_reserve(void *array, size_t *capacity, size_t count, size_t size);
