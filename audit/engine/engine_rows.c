/* SPDX-License-Identifier: MIT */
/* What an engine's program has written: any bytes, until they are read. */
#include "audit/engine/engine_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char header[] = "t,x,y,phi,vx,vy,omega\n";

enum { COLUMNS = 7 };

void ic_engine_motion_free(ic_engine_motion *motion)
{
    free(motion->rows);
    *motion = (ic_engine_motion){0};
}

/* strtod would pass over blanks and ends of lines: the row would not be where its number says. */
static bool begins_number(char c)
{
    return c != '\0' && strchr("+-.0123456789iInN", c) != NULL;
}

/* Seven numbers with commas between; where the next line begins, or NULL. */
static const char *read_row(ic_engine_state *row, const char *at)
{
    double *const fields[COLUMNS] = {&row->t, &row->x, &row->y, &row->phi, &row->vx, &row->vy, &row->omega};
    for (int i = 0; i < COLUMNS; i++) {
        char *end = NULL;
        if (!begins_number(*at)) return NULL;
        *fields[i] = strtod(at, &end);
        if (end == at || *end != (i + 1 < COLUMNS ? ',' : '\n')) return NULL;
        at = end + 1;
    }
    return at;
}

static bool is_finite(const ic_engine_state *row)
{
    return isfinite(row->t) && isfinite(row->x) && isfinite(row->y) && isfinite(row->phi) &&
           isfinite(row->vx) && isfinite(row->vy) && isfinite(row->omega);
}

static size_t count_lines(const char *at)
{
    size_t n = 0;
    while ((at = strchr(at, '\n')) != NULL) {
        at++;
        n++;
    }
    return n;
}

static ic_engine_end read_rows(ic_engine_motion *motion, const char *text)
{
    if (strncmp(text, header, sizeof header - 1) != 0) {
        snprintf(motion->detail, sizeof motion->detail, "its first line is not t,x,y,phi,vx,vy,omega");
        return IC_ENGINE_GARBAGE;
    }
    const char *at = text + sizeof header - 1;
    motion->rows = calloc(count_lines(at) + 1, sizeof *motion->rows);
    if (motion->rows == NULL) return IC_ENGINE_NO_MEMORY;
    while (*at != '\0') {
        ic_engine_state *row = &motion->rows[motion->n_rows];
        const size_t line = motion->n_rows + 2;
        at = read_row(row, at);
        if (at == NULL || (motion->n_rows > 0 && row->t <= row[-1].t)) {
            snprintf(motion->detail, sizeof motion->detail,
                     "line %zu: no seven numbers, or a time that does not grow", line);
            return IC_ENGINE_GARBAGE;
        }
        if (!is_finite(row)) {
            snprintf(motion->detail, sizeof motion->detail, "line %zu, t = %g s", line, row->t);
            return IC_ENGINE_NOT_FINITE;
        }
        motion->n_rows++;
    }
    return IC_ENGINE_GOOD;
}

ic_engine_end ic_engine_read_rows(ic_engine_motion *motion, const char *text, size_t length)
{
    if (memchr(text, '\0', length) == NULL) return read_rows(motion, text);
    snprintf(motion->detail, sizeof motion->detail, "a zero byte among its rows");
    return IC_ENGINE_GARBAGE;
}
