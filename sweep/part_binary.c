/* SPDX-License-Identifier: MIT */
/* Lanes as in memory: a head of two doubles, modes, rows. */
#include "sweep/part.h"

#include <stdlib.h>

enum { STATUS, EVENTS, HEAD };

static void encode(const ic_chunk *chunk, ic_bytes *bytes)
{
    for (size_t i = 0; i < chunk->n; i++) {
        const ic_lane *lane = &chunk->lanes[i];
        const double head[HEAD] = {[STATUS] = (double)lane->status, [EVENTS] = lane->events};
        ic_bytes_add(bytes, head, sizeof head);
        ic_bytes_add(bytes, lane->modes, lane->n_rows);
        ic_bytes_add(bytes, lane->rows, lane->n_rows * chunk->sweep->plan.n_columns * sizeof *lane->rows);
    }
}

bool ic_part_read_lane(FILE *stream, const ic_sweep *sweep, ic_status *status, double *events,
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

static ic_part_read next_lane(FILE *stream, const ic_sweep *sweep, size_t lane, ic_status *status)
{
    (void)lane; /* all have the same length */
    double events = 0;
    unsigned char *modes = malloc(sweep->n_rows + 1);
    double *rows = calloc(sweep->n_rows * sweep->plan.n_columns + 1, sizeof *rows);
    ic_part_read read = IC_PART_NO_MEMORY;
    if (modes != NULL && rows != NULL)
        read = ic_part_read_lane(stream, sweep, status, &events, modes, rows) ? IC_PART_LANE : IC_PART_END;
    free(modes);
    free(rows);
    return read;
}

const ic_part_format ic_part_binary = {.encode = encode, .next_lane = next_lane};
