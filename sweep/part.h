/* SPDX-License-Identifier: MIT */
/**
 * Encoding of parameter sets in FILE.part, and their reading after an interruption.
 *
 * Sets are stored in chunks, one after another. A line of text before each chunk holds its number,
 * its length and a checksum:
 *
 *     # chunk 0000000003 bytes 000000081920 crc32 1a2b3c4d
 *
 * The file may have been cut off anywhere, or overwritten: a chunk is accepted only if its bytes
 * are those that were written.
 */
#pragma once

#include "sweep/distribution.h"

#include <stdint.h>
#include <stdio.h>

typedef enum ic_part_read { IC_PART_SET, IC_PART_END, IC_PART_NO_MEMORY } ic_part_read;

typedef struct ic_part_format {
    void (*encode)(const ic_chunk *chunk, ic_bytes *bytes);
    /* reads set number `set`, the next one; IC_PART_END: it is not complete */
    ic_part_read (*next_set)(FILE *stream, const ic_sweep *sweep, size_t set, ic_status *status);
} ic_part_format;

/** CSV: one line for each row of each set, numbers with 17 digits, an empty field for NAN. */
extern const ic_part_format ic_part_csv;

/** As in memory: status and events as doubles, modes, rows. */
extern const ic_part_format ic_part_binary;

/**
 * Reads the next set of ic_part_binary into room for its modes and rows. false: missing or invalid.
 */
bool ic_part_read_set(FILE *stream, const ic_sweep *sweep, ic_status *status, double *events,
                      unsigned char *modes, double *rows);

/** Bytes of the line before a chunk. */
enum { IC_PART_CHUNK_HEAD = 53 };

uint32_t ic_part_checksum(const void *bytes, size_t n);

/** Appends a chunk with its line. */
void ic_part_encode(const ic_part_format *format, const ic_chunk *chunk, ic_bytes *bytes);

/**
 * Passes the line of chunk `number` and sets its length. false: it is missing or damaged.
 */
bool ic_part_find_chunk(FILE *stream, size_t number, size_t *length);

typedef enum ic_part_end {
    /* Every chunk is valid, or the file ends after the valid ones, as after an interruption. */
    IC_PART_READ,

    /* A chunk differs from the one that was written, and another chunk follows it. */
    IC_PART_DAMAGED,

    /* memory ran out, or the file cannot be read: the contents are unknown */
    IC_PART_UNREAD,
} ic_part_end;

/**
 * Counts the sets in valid, complete chunks from the stream's position on; *end: the position after
 * the last of them.
 */
ic_part_end ic_part_count(ic_sweep_counts *whole, long *end, FILE *stream, const ic_sweep *sweep,
                          const ic_part_format *format);
