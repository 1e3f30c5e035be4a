/* SPDX-License-Identifier: MIT */
/**
 * Lanes as they stand in FILE.part, one behind the other: how they are written, and how they are read after an interruption.
 *
 * What is read back may have been cut off anywhere, or overwritten: a lane counts only if it could have been written as it is.
 */
#ifndef IC_SWEEP_PART_H
#define IC_SWEEP_PART_H

#include "sweep/deal.h"

#include <stdio.h>

typedef enum ic_part_read { IC_PART_LANE, IC_PART_END, IC_PART_NO_MEMORY } ic_part_read;

typedef struct ic_part_format {
    void (*encode)(const ic_chunk *chunk, ic_bytes *bytes);
    /* read lane number `lane`, the next one; the end: it is not there as a whole */
    ic_part_read (*next_lane)(FILE *stream, const ic_sweep *sweep, size_t lane, ic_status *status);
} ic_part_format;

/** CSV: a line for each row of each lane, numbers with 17 digits, an empty field for NAN. */
extern const ic_part_format ic_part_csv;

/** As in memory: status and events as doubles, modes, rows. */
extern const ic_part_format ic_part_binary;

/** The next lane of ic_part_binary, into room for its modes and rows. false: it is not there, or is none. */
bool ic_part_read_lane(FILE *stream, const ic_sweep *sweep, ic_status *status, double *events,
                       unsigned char *modes, double *rows);

/**
 * Count lanes, from the stream's position on, as far as chunks are whole; *end: behind the last of them. false: memory ran out, and nothing
 * is known of what is there.
 */
bool ic_part_count(ic_sweep_counts *counts, long *end, FILE *stream, const ic_sweep *sweep,
                   const ic_part_format *format);

#endif
