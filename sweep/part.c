/* SPDX-License-Identifier: MIT */
#include "sweep/part.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>

/* ---- the checksum: CRC-32 of IEEE 802.3, reflected, eight bytes at a time */

enum { SLICES = 8, BYTES = 256, BITS = 8 };

/* remainders[k][b]: of byte b followed by k zero bytes, by the polynomial 0xEDB88320 */
static uint32_t remainders[SLICES][BYTES];
static pthread_once_t remainders_made = PTHREAD_ONCE_INIT;

static void make_remainders(void)
{
    for (uint32_t b = 0; b < BYTES; b++) {
        uint32_t r = b;
        for (int bit = 0; bit < BITS; bit++) r = r >> 1 ^ (0xEDB88320 & (0 - (r & 1)));
        remainders[0][b] = r;
    }
    for (int k = 1; k < SLICES; k++) {
        for (size_t b = 0; b < BYTES; b++) {
            const uint32_t r = remainders[k - 1][b];
            remainders[k][b] = r >> BITS ^ remainders[0][r % BYTES];
        }
    }
}

static uint32_t update_checksum(uint32_t crc, const unsigned char *bytes, size_t n)
{
    pthread_once(&remainders_made, make_remainders);
    crc = ~crc;
    for (; n >= SLICES; n -= SLICES, bytes += SLICES) {
        uint32_t next = 0;
        for (size_t i = 0; i < SLICES; i++) {
            const uint32_t known = i < sizeof crc ? crc >> BITS * i : 0;
            next ^= remainders[SLICES - 1 - i][(bytes[i] ^ known) % BYTES];
        }
        crc = next;
    }
    for (size_t i = 0; i < n; i++) crc = remainders[0][(crc ^ bytes[i]) % BYTES] ^ crc >> BITS;
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
