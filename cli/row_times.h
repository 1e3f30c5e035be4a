/* SPDX-License-Identifier: MIT */
/** How long each row of results took: the time since the row before, so that work for several rows is told at the first. */
#ifndef IC_CLI_ROW_TIMES_H
#define IC_CLI_ROW_TIMES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/** Zero before it begins. */
typedef struct cli_row_times {
    double last;     /* s; a clock that does not jump */
    double *seconds; /* s; of each row */
    size_t count, capacity;
    bool no_memory; /* a time was lost */
} cli_row_times;

/** The first row begins now. */
void cli_row_times_begin(cli_row_times *times);

/** A row ends now. */
void cli_row_times_add(cli_row_times *times);

/** Give each of the results' rows its time, as member "seconds". false: memory ran out, or there are other rows than times. */
bool cli_row_times_write(const cli_row_times *times, json_t *results);

void cli_row_times_free(cli_row_times *times);

#endif
