/* SPDX-License-Identifier: MIT */
/* A sweep as CSV: a line for each row of each lane, numbers with 17 digits, an empty field for NAN. */
#include "cli/sweep_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_LEAD = 64 + 32 * IC_MOST_AXES };

static void add_number(ic_bytes *bytes, double value)
{
    char text[40];
    ic_bytes_add(bytes, ",", 1);
    if (isnan(value)) return;
    const int n = snprintf(text, sizeof text, "%.17g", value);
    ic_bytes_add(bytes, text, (size_t)n);
}

/* What is the same in all rows of a lane. */
static void make_lead(ic_bytes *lead, const ic_chunk *chunk, size_t i)
{
    char text[64];
    const size_t n_axes = chunk->sweep->request->grid.n_axes;
    lead->n = 0;
    const int n =
        snprintf(text, sizeof text, "%zu,%s", chunk->first + i, ic_status_name(chunk->lanes[i].status));
    ic_bytes_add(lead, text, (size_t)n);
    for (size_t k = 0; k < n_axes; k++) add_number(lead, chunk->values[i * n_axes + k]);
}

static void add_mode(ic_bytes *bytes, const ic_sweep_plan *plan, unsigned char mode)
{
    const ic_variant *variant = plan->problem->variant;
    const char *name = mode < variant->n_modes ? variant->modes[mode].name : "";
    ic_bytes_add(bytes, ",", 1);
    ic_bytes_add(bytes, name, strlen(name));
}

static void add_row(ic_bytes *bytes, const ic_sweep *sweep, const ic_lane *lane, size_t row)
{
    const ic_sweep_plan *plan = &sweep->plan;
    if (plan->record != IC_RECORD_PEAK) {
        char text[32];
        const int n = snprintf(text, sizeof text, ",%zu", plan->skip + 1 + row);
        ic_bytes_add(bytes, text, (size_t)n);
    }
    if (plan->record == IC_RECORD_STROBE) add_mode(bytes, plan, lane->modes[row]);
    for (size_t i = 0; i < plan->n_columns; i++) add_number(bytes, lane->rows[row * plan->n_columns + i]);
    ic_bytes_add(bytes, "\n", 1);
}

static void encode(const void *self, const ic_chunk *chunk, ic_bytes *bytes)
{
    (void)self;
    ic_bytes lead = {0};
    for (size_t i = 0; i < chunk->n; i++) {
        make_lead(&lead, chunk, i);
        bytes->failed = bytes->failed || lead.failed;
        for (size_t row = 0; row < chunk->lanes[i].n_rows && !bytes->failed; row++) {
            ic_bytes_add(bytes, lead.data, lead.n);
            add_row(bytes, chunk->sweep, &chunk->lanes[i], row);
        }
    }
    free(lead.data);
}

static ic_status status_named(const char *text)
{
    const size_t n = strcspn(text, ",\n");
    for (int s = 0; s < IC_STATUS_COUNT; s++) {
        const char *name = ic_status_name((ic_status)s);
        if (strlen(name) == n && strncmp(text, name, n) == 0) return (ic_status)s;
    }
    return IC_IO;
}

/* A line of this lane, whole. */
static bool is_of(const char *line, ssize_t length, size_t lane, ic_status *status)
{
    char *end = NULL;
    if (length <= 0 || line[length - 1] != '\n' || strtoull(line, &end, 10) != lane || *end != ',')
        return false;
    *status = status_named(end + 1);
    return true;
}

static bool next_lane(const cli_sweep_file *file, size_t lane, ic_status *status)
{
    char *line = NULL;
    size_t room = 0, row = 0;
    for (; row < file->sweep->n_rows; row++) {
        const ssize_t length = getline(&line, &room, file->stream);
        if (!is_of(line, length, lane, status)) break;
    }
    free(line);
    return row == file->sweep->n_rows;
}

const cli_sweep_format cli_sweep_csv = {
    .extension = ".csv",
    .what = "CSV",
    .encode = encode,
    .next_lane = next_lane,
};
