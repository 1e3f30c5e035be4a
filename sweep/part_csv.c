/* SPDX-License-Identifier: MIT */
/*
 * A line is
 *
 *     lane,status[,VARIED]...[,period][,mode][,COLUMN]...
 *
 * where `lane` is the number of the parameter set. The first part is the same in all lines of a set
 * and follows from its number and status, as the period does from the row: so these fields are
 * accepted only if writing them again gives identical bytes.
 */
#include "sweep/part.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing */

static void add_text(ic_bytes *bytes, const char *text)
{
    ic_bytes_add(bytes, text, strlen(text));
}

static void add_number(ic_bytes *bytes, double value)
{
    char text[40];
    ic_bytes_add(bytes, ",", 1);
    if (isnan(value)) return;
    const int n = snprintf(text, sizeof text, "%.17g", value);
    ic_bytes_add(bytes, text, (size_t)n);
}

/* The fields that are the same in all rows of a set. */
static void encode_lead(ic_bytes *lead, const ic_sweep *sweep, size_t set, ic_status status)
{
    char text[64];
    double values[IC_MOST_AXES];
    const int n = snprintf(text, sizeof text, "%zu,%s", set, ic_status_name(status));
    lead->n = 0;
    ic_bytes_add(lead, text, (size_t)n);
    ic_grid_values(&sweep->request->grid, set, values);
    for (size_t k = 0; k < sweep->request->grid.n_axes; k++) add_number(lead, values[k]);
}

/*
 * The name of a mode as a field: in quotes if it has a comma or a quote, which is doubled. A line
 * is a row.
 */
static void add_mode(ic_bytes *bytes, const char *name)
{
    const bool quoted = strpbrk(name, ",\"\r\n") != NULL;
    if (quoted) add_text(bytes, "\"");
    for (; *name != '\0'; name++) {
        if (*name == '"') add_text(bytes, "\"\"");
        else ic_bytes_add(bytes, *name == '\n' || *name == '\r' ? " " : name, 1);
    }
    if (quoted) add_text(bytes, "\"");
}

static void add_period(ic_bytes *bytes, const ic_sweep_plan *plan, size_t row)
{
    char text[32];
    if (plan->record == IC_RECORD_PEAK) return;
    const int n = snprintf(text, sizeof text, ",%zu", plan->skip + 1 + row);
    ic_bytes_add(bytes, text, (size_t)n);
}

static void add_row(ic_bytes *bytes, const ic_sweep *sweep, const ic_parameter_set *set, size_t row)
{
    const ic_sweep_plan *plan = &sweep->plan;
    const ic_variant *variant = plan->problem->variant;
    add_period(bytes, plan, row);
    if (plan->record == IC_RECORD_STROBE) {
        const unsigned char mode = set->modes[row];
        add_text(bytes, ",");
        if (mode < variant->n_modes) add_mode(bytes, variant->modes[mode].name);
    }
    for (size_t i = 0; i < plan->n_columns; i++) add_number(bytes, set->rows[row * plan->n_columns + i]);
    add_text(bytes, "\n");
}

static void encode_csv(const ic_chunk *chunk, ic_bytes *bytes)
{
    ic_bytes lead = {0};
    for (size_t i = 0; i < chunk->n; i++) {
        encode_lead(&lead, chunk->sweep, chunk->first + i, chunk->sets[i].status);
        bytes->failed = bytes->failed || lead.failed;
        for (size_t row = 0; row < chunk->sets[i].n_rows && !bytes->failed; row++) {
            ic_bytes_add(bytes, lead.data, lead.n);
            add_row(bytes, chunk->sweep, &chunk->sets[i], row);
        }
    }
    free(lead.data);
}

/* ---- reading */

static bool find_status(const char *text, ic_status *status)
{
    const size_t n = strcspn(text, ",\n");
    for (int s = 0; s < IC_STATUS_COUNT; s++) {
        const char *name = ic_status_name((ic_status)s);
        if (strlen(name) != n || strncmp(text, name, n) != 0) continue;
        *status = (ic_status)s;
        return true;
    }
    return false;
}

/* Passes the name of a mode as add_mode writes it; NULL: it is another. */
static const char *skip_name(const char *at, const char *name)
{
    const bool quoted = strpbrk(name, ",\"\r\n") != NULL;
    if (quoted && *at++ != '"') return NULL;
    for (; *name != '\0'; name++) {
        if (*name == '"' && *at++ != '"') return NULL;
        if (*at++ != (*name == '\n' || *name == '\r' ? ' ' : *name)) return NULL;
    }
    if (quoted && *at++ != '"') return NULL;
    return *at == ',' || *at == '\n' ? at : NULL;
}

/* Passes a comma and the name of a mode, or an empty field; NULL: invalid. */
static const char *skip_mode(const char *at, const ic_variant *variant)
{
    const char *end = NULL;
    if (*at++ != ',') return NULL;
    if (*at == ',' || *at == '\n') return at;
    for (size_t i = 0; i < variant->n_modes && end == NULL; i++) end = skip_name(at, variant->modes[i].name);
    return end;
}

/* Passes a comma and a number, or an empty field (NAN); NULL: invalid. */
static const char *skip_number(const char *at)
{
    char *end = NULL;
    if (*at++ != ',') return NULL;
    if (*at == ',' || *at == '\n') return at;
    if (strchr("-0123456789i", *at) == NULL) return NULL; /* strtod would skip blanks */
    strtod(at, &end);
    return end == at ? NULL : end;
}

/* Returns whether the rest of a line, after its lead, is valid. */
static bool is_valid_row(const char *at, const ic_sweep_plan *plan)
{
    if (plan->record == IC_RECORD_STROBE) at = skip_mode(at, plan->problem->variant);
    for (size_t i = 0; i < plan->n_columns && at != NULL; i++) at = skip_number(at);
    return at != NULL && at[0] == '\n' && at[1] == '\0';
}

typedef struct row_line {
    /* allocated by getline */
    char *text;

    size_t room;

    /* the expected lead */
    ic_bytes lead;
} row_line;

/* Reads the next line, which must be of this set and row. */
static ic_part_read read_next_line(row_line *l, FILE *stream, const ic_sweep *sweep, size_t set, size_t row,
                                   ic_status *status)
{
    errno = 0;
    const ssize_t length = getline(&l->text, &l->room, stream);
    if (length < 0 && errno == ENOMEM) return IC_PART_NO_MEMORY;
    /* a zero byte is invalid, too */
    if (length <= 0 || strlen(l->text) != (size_t)length) return IC_PART_END;
    const char *comma = strchr(l->text, ',');
    if (comma == NULL || !find_status(comma + 1, status)) return IC_PART_END;
    encode_lead(&l->lead, sweep, set, *status);
    add_period(&l->lead, &sweep->plan, row);
    if (l->lead.failed) return IC_PART_NO_MEMORY;
    const bool good =
        strncmp(l->text, l->lead.data, l->lead.n) == 0 && is_valid_row(l->text + l->lead.n, &sweep->plan);
    return good ? IC_PART_SET : IC_PART_END;
}

static ic_part_read read_next_csv(FILE *stream, const ic_sweep *sweep, size_t set, ic_status *status)
{
    row_line l = {0};
    ic_part_read read = IC_PART_SET;
    for (size_t row = 0; row < sweep->n_rows && read == IC_PART_SET; row++) {
        ic_status said = IC_OK;
        read = read_next_line(&l, stream, sweep, set, row, &said);
        if (row > 0 && said != *status && read == IC_PART_SET) read = IC_PART_END;
        *status = said;
    }
    free(l.text);
    free(l.lead.data);
    return read;
}

const ic_part_format ic_part_csv = {.encode = encode_csv, .next_set = read_next_csv};
