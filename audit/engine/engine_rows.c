/* SPDX-License-Identifier: MIT */
/*
 * Reads the rows that the program of an engine has written. The program may have written any bytes.
 */
#include "audit/engine/engine_rows.h"

#include "core/numbers.h"

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

/* strtod would skip blanks and line ends: line numbers in messages would be wrong. */
static bool begins_number(char c)
{
    return c != '\0' && strchr("+-.0123456789iInN", c) != NULL;
}

/* Reads seven numbers with commas between them. Returns the start of the next line, or NULL. */
static const char *read_row(double numbers[COLUMNS], const char *at)
{
    for (int i = 0; i < COLUMNS; i++) {
        char *end = NULL;
        if (!begins_number(*at)) return NULL;
        numbers[i] = strtod(at, &end);
        if (end == at || *end != (i + 1 < COLUMNS ? ',' : '\n')) return NULL;
        at = end + 1;
    }
    return at;
}

ic_engine_end ic_engine_read_rows(ic_engine_motion *motion, const char *text, size_t length)
{
    size_t lines = 0;
    for (size_t i = 0; i < length; i++) {
        lines += text[i] == '\n';
        if (text[i] != '\0') continue;
        snprintf(motion->detail, sizeof motion->detail, "its output contains a zero byte");
        return IC_ENGINE_GARBAGE;
    }
    if (strncmp(text, header, sizeof header - 1) != 0) {
        snprintf(motion->detail, sizeof motion->detail, "its first line is not t,x,y,phi,vx,vy,omega");
        return IC_ENGINE_GARBAGE;
    }
    const char *at = text + sizeof header - 1;
    motion->rows = calloc(lines + 1, sizeof *motion->rows);
    if (motion->rows == NULL) return IC_ENGINE_NO_MEMORY;
    while (*at != '\0') {
        ic_engine_state *row = &motion->rows[motion->n_rows];
        const size_t line = motion->n_rows + 2;
        double numbers[COLUMNS];
        at = read_row(numbers, at);
        if (at != NULL)
            *row = (ic_engine_state){numbers[0], numbers[1], numbers[2], numbers[3],
                                     numbers[4], numbers[5], numbers[6]};
        if (at == NULL || (motion->n_rows > 0 && row->t <= row[-1].t)) {
            snprintf(motion->detail, sizeof motion->detail,
                     "line %zu does not have seven numbers, or its time does not grow", line);
            return IC_ENGINE_GARBAGE;
        }
        if (!ic_all_finite(numbers, COLUMNS)) {
            snprintf(motion->detail, sizeof motion->detail, "line %zu, t = %g s", line, row->t);
            return IC_ENGINE_NOT_FINITE;
        }
        motion->n_rows++;
    }
    return IC_ENGINE_GOOD;
}
