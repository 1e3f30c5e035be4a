/* SPDX-License-Identifier: MIT */
#include "cli/row_times.h"

#include <stdlib.h>
#include <time.h>

enum { FIRST_CAPACITY = 256 };

/* s, since some time in the past */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void cli_row_times_begin(cli_row_times *times)
{
    times->last = now();
}

void cli_row_times_add(cli_row_times *times)
{
    if (times->count == times->capacity) {
        const size_t capacity = times->capacity == 0 ? FIRST_CAPACITY : 2 * times->capacity;
        double *seconds = realloc(times->seconds, capacity * sizeof *seconds);
        if (seconds == NULL) {
            times->no_memory = true;
            return;
        }
        times->seconds = seconds;
        times->capacity = capacity;
    }
    const double end = now();
    times->seconds[times->count++] = end - times->last;
    times->last = end;
}

bool cli_row_times_write(const cli_row_times *times, json_t *results)
{
    const json_t *rows = json_object_get(results, "rows");
    if (times->no_memory || json_array_size(rows) != times->count) return false;
    for (size_t i = 0; i < times->count; i++) {
        if (json_object_set_new(json_array_get(rows, i), "seconds", json_real(times->seconds[i])) != 0)
            return false;
    }
    return true;
}

void cli_row_times_free(cli_row_times *times)
{
    free(times->seconds);
    *times = (cli_row_times){0};
}
