/* SPDX-License-Identifier: MIT */
/**
 * Lanes as they stand in FILE.part: how they are written, and how they are read after an interruption.
 *
 * Lanes come in chunks, one behind the other. A line of text before each chunk has its number, its length and a checksum:
 *
 *     # chunk 0000000003 bytes 000000081920 crc32 1a2b3c4d
 *
 * What is read back may have been cut off anywhere, or overwritten: a chunk counts only if its bytes are those that were written.
 */
#ifndef IC_SWEEP_PART_H
#define IC_SWEEP_PART_H

#include "sweep/deal.h"

#include <stdint.h>
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

/** Bytes of the line before a chunk. */
enum { IC_PART_CHUNK_HEAD = 53 };

/** The checksum of a chunk. */
uint32_t ic_part_checksum(const void *bytes, size_t n);

/** Add a chunk with its line. */
void ic_part_encode(const ic_part_format *format, const ic_chunk *chunk, ic_bytes *bytes);

/** Pass the line of chunk `number`. false: it is not there, or its bytes, of which there are `length`, are not those that were written. */
bool ic_part_find_chunk(FILE *stream, size_t number, size_t *length);

typedef enum ic_part_end {
    IC_PART_READ, /* everything counts, or the file breaks off behind what counts, as after an interruption */
    IC_PART_DAMAGED, /* a chunk is not what was written, and another one follows */
    IC_PART_UNREAD,  /* memory ran out, or the file cannot be read: nothing is known of what is there */
} ic_part_end;

/** Count lanes, from the stream's position on, as far as chunks are right and whole; *end: behind the last of them. */
ic_part_end ic_part_count(ic_sweep_counts *whole, long *end, FILE *stream, const ic_sweep *sweep,
                          const ic_part_format *format);

#endif
