/* SPDX-License-Identifier: MIT */
/* Parameter sets as in memory: a head of two doubles, modes, rows. */
#include "sweep/part.h"

#include <stdlib.h>

enum { STATUS, EVENTS, HEAD };

static void encode_binary(const ic_chunk *chunk, ic_bytes *bytes)
{
    for (size_t i = 0; i < chunk->n; i++) {
        const ic_parameter_set *set = &chunk->sets[i];
        const double head[HEAD] = {[STATUS] = (double)set->status, [EVENTS] = set->events};
        ic_bytes_add(bytes, head, sizeof head);
        ic_bytes_add(bytes, set->modes, set->n_rows);
        ic_bytes_add(bytes, set->rows, set->n_rows * chunk->sweep->plan.n_columns * sizeof *set->rows);
    }
}

bool ic_part_read_set(FILE *stream, const ic_sweep *sweep, ic_status *status, double *events,
                      unsigned char *modes, double *rows)
{
    const size_t n_rows = sweep->n_rows, n = n_rows * sweep->plan.n_columns;
    double head[HEAD];
    if (fread(head, sizeof *head, HEAD, stream) != HEAD || fread(modes, 1, n_rows, stream) != n_rows ||
        fread(rows, sizeof *rows, n, stream) != n || !(head[STATUS] >= 0 && head[STATUS] < IC_STATUS_COUNT))
        return false;
    *status = (ic_status)(int)head[STATUS];
    *events = head[EVENTS];
    return head[STATUS] == (double)*status && head[EVENTS] >= 0;
}

static ic_part_read read_next_binary(FILE *stream, const ic_sweep *sweep, size_t set, ic_status *status)
{
    (void)set; /* all sets have the same length */
    double events = 0;
    unsigned char *modes = malloc(sweep->n_rows + 1);
    double *rows = calloc(sweep->n_rows * sweep->plan.n_columns + 1, sizeof *rows);
    ic_part_read read = IC_PART_NO_MEMORY;
    if (modes != NULL && rows != NULL)
        read = ic_part_read_set(stream, sweep, status, &events, modes, rows) ? IC_PART_SET : IC_PART_END;
    free(modes);
    free(rows);
    return read;
}

const ic_part_format ic_part_binary = {.encode = encode_binary, .next_set = read_next_binary};
