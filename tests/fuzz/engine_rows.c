/* SPDX-License-Identifier: MIT */
/* Input: the output of an engine's program. Accepted rows are finite, times grow, there is one row
   per line after the first, and written again they are read unchanged. A refusal is explained. */
#include "tests/fuzz/common/input.h"
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool same_row(const ic_engine_state *a, const ic_engine_state *b)
{
    return a->t == b->t && a->x == b->x && a->y == b->y && a->phi == b->phi && a->vx == b->vx &&
           a->vy == b->vy && a->omega == b->omega;
}

static const char *judge_rows(const ic_engine_motion *motion)
{
    for (size_t i = 0; i < motion->n_rows; i++) {
        const ic_engine_state *r = &motion->rows[i];
        const double sum =
            /* all of them, if one is not finite */
            r->t + r->x + r->y + r->phi + r->vx + r->vy + r->omega;
        if (!isfinite(sum) && !(isfinite(r->t) && isfinite(r->x) && isfinite(r->y) && isfinite(r->phi) &&
                                isfinite(r->vx) && isfinite(r->vy) && isfinite(r->omega)))
            return "every number is finite";
        if (i > 0 && !(r->t > r[-1].t)) return "times grow";
    }
    return NULL;
}

static char *write_rows(const ic_engine_motion *motion, size_t *length)
{
    char *text = NULL;
    FILE *stream = open_memstream(&text, length);
    if (stream == NULL) return NULL;
    fputs("t,x,y,phi,vx,vy,omega\n", stream);
    for (size_t i = 0; i < motion->n_rows; i++) {
        const ic_engine_state *r = &motion->rows[i];
        fprintf(stream, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", r->t, r->x, r->y, r->phi, r->vx, r->vy,
                r->omega);
    }
    fclose(stream);
    return text;
}

static const char *read_again(ic_fuzz_engine_reader *read, const ic_engine_motion *motion)
{
    ic_engine_motion again = {0};
    size_t length = 0;
    const char *broken = NULL;
    char *text = write_rows(motion, &length);
    if (text == NULL) return NULL;
    const ic_engine_end end = read(&again, text, length);
    if (end == IC_ENGINE_GOOD && again.n_rows != motion->n_rows)
        broken = "written again there are as many rows";
    else if (end != IC_ENGINE_GOOD && end != IC_ENGINE_NO_MEMORY) broken = "what is written again is accepted";
    for (size_t i = 0; end == IC_ENGINE_GOOD && broken == NULL && i < motion->n_rows; i++) {
        if (!same_row(&motion->rows[i], &again.rows[i])) broken = "written again rows are the same";
    }
    ic_engine_motion_free(&again);
    free(text);
    return broken;
}

static size_t count_lines(const char *text, size_t length)
{
    size_t n = 0;
    for (size_t i = 0; i < length; i++) n += text[i] == '\n';
    return n;
}

static const char *judge_reader(ic_fuzz_engine_reader *read, const char *text, size_t length,
                                ic_engine_motion *motion)
{
    const ic_engine_end end = read(motion, text, length);
    if (end == IC_ENGINE_NO_MEMORY) return NULL;
    if (end != IC_ENGINE_GOOD) return motion->detail[0] != '\0' ? NULL : "a refusal says why";
    if (memchr(text, '\0', length) != NULL) return "a zero byte is in no text";
    if (motion->n_rows + 1 != count_lines(text, length)) return "every line below the first is a row";
    const char *broken = judge_rows(motion);
    return broken != NULL ? broken : read_again(read, motion);
}

const char *ic_fuzz_engine_rows_by(ic_fuzz_engine_reader *read, const uint8_t *data, size_t size)
{
    ic_input input = {data, size};
    ic_engine_motion motion = {0};
    char *text = ic_input_text(&input);
    const char *broken = text != NULL ? judge_reader(read, text, size, &motion) : NULL;
    ic_engine_motion_free(&motion);
    free(text);
    return broken;
}
