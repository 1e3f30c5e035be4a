/* SPDX-License-Identifier: MIT */
#include "sweep/part.h"

#include <stdint.h>
#include <string.h>

/* ---- the checksum: CRC-32 of IEEE 802.3, reflected, four bits at a time */

static uint32_t update_checksum(uint32_t crc, const unsigned char *bytes, size_t n)
{
    /* remainders of four bits, by the polynomial 0xEDB88320 */
    static const uint32_t table[16] = {0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4,
                                       0x4DB26158, 0x5005713C, 0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C,
                                       0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C};
    crc = ~crc;
    for (size_t i = 0; i < n; i++) {
        crc = table[(crc ^ bytes[i]) & 15] ^ crc >> 4;
        crc = table[(crc ^ bytes[i] >> 4) & 15] ^ crc >> 4;
    }
    return ~crc;
}

uint32_t ic_part_checksum(const void *bytes, size_t n)
{
    return update_checksum(0, bytes, n);
}

/* ---- the line before a chunk */

static const char mark[] = "# chunk ";

enum { HEAD = IC_PART_CHUNK_HEAD, BLOCK = 1 << 16 };

static void print_head(char text[HEAD + 1], size_t number, size_t length, uint32_t crc)
{
    snprintf(text, HEAD + 1, "%s%010zu bytes %012zu crc32 %08lx\n", mark, number, length, (unsigned long)crc);
}

void ic_part_encode(const ic_part_format *format, const ic_chunk *chunk, ic_bytes *bytes)
{
    const size_t begin = bytes->n, number = chunk->first / chunk->sweep->chunk_sets;
    char head[HEAD + 1] = {0};
    ic_bytes_add(bytes, head, HEAD);
    format->encode(chunk, bytes);
    if (bytes->failed) return;
    const char *data = bytes->data + begin + HEAD;
    const size_t length = bytes->n - begin - HEAD;
    print_head(head, number, length, ic_part_checksum(data, length));
    memcpy(bytes->data + begin, head, HEAD);
}

/* A line is accepted only if writing it again gives identical bytes. */
static bool read_head(FILE *stream, size_t number, size_t *length, uint32_t *crc)
{
    char text[HEAD + 1] = "", again[HEAD + 1];
    unsigned long said = 0;
    size_t other = 0;
    if (fread(text, 1, HEAD, stream) != HEAD) return false;
    if (sscanf(text, "# chunk %10zu bytes %12zu crc32 %8lx", &other, length, &said) != 3) return false;
    *crc = (uint32_t)said;
    print_head(again, number, *length, *crc);
    return memcmp(text, again, HEAD) == 0;
}

bool ic_part_find_chunk(FILE *stream, size_t number, size_t *length)
{
    unsigned char block[BLOCK];
    uint32_t said = 0, crc = 0;
    if (!read_head(stream, number, length, &said)) return false;
    const long begin = ftell(stream);
    for (size_t left = *length, n; left > 0; left -= n) {
        n = left < BLOCK ? left : BLOCK;
        if (fread(block, 1, n, stream) != n) return false;
        crc = update_checksum(crc, block, n);
    }
    return crc == said && begin >= 0 && fseek(stream, begin, SEEK_SET) == 0;
}

/* ---- all chunks */

/* Reads the sets of the next chunk if its bytes are those that were written. */
static ic_part_read read_chunk(FILE *stream, const ic_sweep *sweep, const ic_part_format *format,
                               ic_sweep_counts *counts)
{
    const size_t n_sets = sweep->request->grid.n_sets, first = counts->sets;
    size_t length = 0;
    if (!ic_part_find_chunk(stream, first / sweep->chunk_sets, &length)) return IC_PART_END;
    const long begin = ftell(stream);
    while (counts->sets < n_sets && counts->sets < first + sweep->chunk_sets) {
        ic_status status = IC_OK;
        const ic_part_read read = format->next_set(stream, sweep, counts->sets, &status);
        if (read != IC_PART_SET) return read;
        counts->by_status[status]++;
        counts->sets++;
    }
    return ftell(stream) == begin + (long)length ? IC_PART_SET : IC_PART_END;
}

/* Returns whether the line of a chunk begins after `from`. '#' occurs once in the mark, so no byte
   is read again after a mismatch. */
static bool chunk_begins_after(FILE *stream, long from)
{
    size_t matched = 0;
    int c = EOF;
    if (fseek(stream, from + 1, SEEK_SET) != 0) return false;
    while ((c = getc(stream)) != EOF) {
        matched = c == mark[matched] ? matched + 1 : c == mark[0];
        if (mark[matched] == '\0') return true;
    }
    return false;
}

ic_part_end ic_part_count(ic_sweep_counts *whole, long *end, FILE *stream, const ic_sweep *sweep,
                          const ic_part_format *format)
{
    ic_sweep_counts counts = {0};
    ic_part_read read = IC_PART_SET;
    *whole = counts;
    *end = ftell(stream);
    while (counts.sets < sweep->request->grid.n_sets) {
        read = read_chunk(stream, sweep, format, &counts);
        if (read != IC_PART_SET) break;
        *whole = counts;
        *end = ftell(stream);
    }
    if (read == IC_PART_NO_MEMORY || ferror(stream)) return IC_PART_UNREAD;
    return read == IC_PART_END && chunk_begins_after(stream, *end) ? IC_PART_DAMAGED : IC_PART_READ;
}
