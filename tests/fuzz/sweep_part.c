/* SPDX-License-Identifier: MIT */
/*
 * Input: a byte that selects the record (modulo 3) and the format (its next bit), then the
 * parameter sets of a FILE.part, which are given the lines before chunks here, since no fuzzer
 * guesses a checksum; or, by the bit after that, the file as it is. Only whole chunks count, and
 * they end within the file; that part alone gives the same count, and without its last byte a
 * smaller one.
 */
#include "tests/fuzz/sweep_part.h"
#include "tests/fuzz/common/input.h"

#include <stdlib.h>

const char *ic_fuzz_sweep_part(const uint8_t *data, size_t size);

enum { LANES_OF_A_CHUNK = 2, RECORDS = 3 }; /* small chunks: small files have several */

/* false: memory ran out */
static bool count_sets(ic_fuzz_part_reader *read, const ic_sweep *sweep, const ic_part_format *format,
                       const ic_input *input, ic_sweep_counts *counts, long *end)
{
    FILE *stream = ic_input_stream(input);
    if (stream == NULL) return false;
    const bool good = read(counts, end, stream, sweep, format) != IC_PART_UNREAD;
    fclose(stream);
    return good;
}

static size_t sum_of_statuses(const ic_sweep_counts *counts)
{
    size_t n = 0;
    for (int i = 0; i < IC_STATUS_COUNT; i++) n += counts->by_status[i];
    return n;
}

static size_t set_bytes(const ic_sweep *sweep)
{
    return 2 * sizeof(double) + sweep->n_rows * (1 + sizeof(double) * sweep->plan.n_columns);
}

/* Lines up to the end, or sets as in memory, without the lines before chunks. */
static size_t rows_before(const ic_sweep *sweep, const ic_part_format *format, const ic_input *input,
                          size_t end, size_t n_chunks)
{
    size_t lines = 0;
    if (format == &ic_part_binary)
        return (end - n_chunks * IC_PART_CHUNK_HEAD) / set_bytes(sweep) * sweep->n_rows;
    for (size_t i = 0; i < end; i++) lines += input->at[i] == '\n';
    return lines - n_chunks;
}

static const char *judge_part(ic_fuzz_part_reader *read, const ic_sweep *sweep, const ic_part_format *format,
                              const ic_input *input)
{
    ic_sweep_counts counts, again;
    long end = -1, end_again = -1;
    if (!count_sets(read, sweep, format, input, &counts, &end)) return NULL;
    if (end < 0 || (size_t)end > input->left) return "what counts ends within the file";
    if (counts.sets > sweep->request->grid.n_sets) return "there are no more parameter sets than requested";
    if (counts.sets % sweep->chunk_sets != 0 && counts.sets < sweep->request->grid.n_sets)
        return "chunks are whole";
    if (sum_of_statuses(&counts) != counts.sets) return "every lane has one status";
    const size_t n_chunks = (counts.sets + sweep->chunk_sets - 1) / sweep->chunk_sets;
    if (rows_before(sweep, format, input, (size_t)end, n_chunks) != counts.sets * sweep->n_rows)
        return "there are as many rows as lanes have";
    ic_input whole = {input->at, (size_t)end};
    if (!count_sets(read, sweep, format, &whole, &again, &end_again)) return NULL;
    if (again.sets != counts.sets || end_again != end) return "what counts counts alone as well";
    if (counts.sets == 0) return NULL;
    whole.left--;
    if (!count_sets(read, sweep, format, &whole, &again, &end_again)) return NULL;
    return again.sets < counts.sets ? NULL : "a lane without its last byte is none";
}

/* Bytes of as many sets as a chunk has, if present. */
static size_t chunk_length(const ic_sweep *sweep, const ic_part_format *format, const ic_input *input)
{
    size_t lines = sweep->chunk_sets * sweep->n_rows, n = sweep->chunk_sets * set_bytes(sweep);
    if (format == &ic_part_csv) {
        for (n = 0; n < input->left && lines > 0; n++) lines -= input->at[n] == '\n';
    }
    return n < input->left ? n : input->left;
}

/* Adds the lines before chunks. false: memory ran out. */
static bool add_heads(ic_bytes *framed, const ic_sweep *sweep, const ic_part_format *format, ic_input input)
{
    char head[IC_PART_CHUNK_HEAD + 1];
    for (size_t number = 0; input.left > 0; number++) {
        const size_t n = chunk_length(sweep, format, &input);
        snprintf(head, sizeof head, "# chunk %010zu bytes %012zu crc32 %08lx\n", number, n,
                 (unsigned long)ic_part_checksum(input.at, n));
        ic_bytes_add(framed, head, IC_PART_CHUNK_HEAD);
        ic_bytes_add(framed, input.at, n);
        input.at += n;
        input.left -= n;
    }
    return !framed->failed;
}

/* Sets that are given their lines here, or a file as it is. */
static const char *judge_input(ic_fuzz_part_reader *read, const ic_sweep *sweep, const ic_part_format *format,
                               const ic_input *input, bool as_it_is)
{
    ic_bytes framed = {0};
    if (as_it_is) return judge_part(read, sweep, format, input);
    const char *broken = NULL;
    if (add_heads(&framed, sweep, format, *input))
        broken = judge_part(read, sweep, format, &(const ic_input){(const uint8_t *)framed.data, framed.n});
    free(framed.data);
    return broken;
}

const char *ic_fuzz_sweep_part_by(ic_fuzz_part_reader *read, const uint8_t *data, size_t size)
{
    static const char *const records[RECORDS] = {"strobe", "peak", "contact_force"};
    ic_input input = {data, size};
    const unsigned choice = ic_input_byte(&input);
    ic_sweep_request request = {.request = {.path = "roller/III/C"},
                                .record = records[choice % RECORDS],
                                .method = "scalar",
                                .skip = 3,
                                .keep = 2};
    const ic_part_format *format = choice / RECORDS % 2 == 0 ? &ic_part_csv : &ic_part_binary;
    ic_sweep sweep;
    ic_error error;
    if (!ic_grid_add(&request.grid, "c=450e3:550e3:5", &error) || !ic_sweep_open(&sweep, &request, &error))
        return NULL;
    sweep.chunk_sets = LANES_OF_A_CHUNK;
    const char *broken = judge_input(read, &sweep, format, &input, choice / RECORDS / 2 % 2 == 1);
    ic_sweep_close(&sweep);
    return broken;
}
