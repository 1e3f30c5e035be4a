/* SPDX-License-Identifier: MIT */
/* Results of scenes as bytes, for processes of the same program. */
#include "audit/scene/scene.h"

#include <stdlib.h>
#include <string.h>

void ic_scene_result_write(FILE *out, const ic_scene_result *r)
{
    const size_t n = r->file->n_figures;
    fwrite(r, sizeof *r, 1, out);
    fwrite(r->ends, sizeof *r->ends, r->n_settings, out);
    fwrite(r->points, sizeof *r->points, r->n_settings * n, out);
    fwrite(r->figures, sizeof *r->figures, n, out);
    if (r->motion.n_rows == 0) return;
    fwrite(r->motion.times, sizeof *r->motion.times, r->motion.n_rows, out);
    fwrite(r->motion.rows, sizeof *r->motion.rows, r->motion.n_rows * r->motion.row_size, out);
    fwrite(r->motion.turned, sizeof *r->motion.turned, r->motion.n_rows * r->file->n_bodies * 4, out);
}

static void *take(const char **bytes, size_t n, size_t size)
{
    void *copy = malloc(n * size + 1);
    if (copy != NULL) memcpy(copy, *bytes, n * size);
    *bytes += n * size;
    return copy;
}

bool ic_scene_result_read(ic_scene_result *r, const char **bytes)
{
    memcpy(r, *bytes, sizeof *r);
    *bytes += sizeof *r;
    const size_t n = r->file->n_figures;
    r->ends = take(bytes, r->n_settings, sizeof *r->ends);
    r->points = take(bytes, r->n_settings * n, sizeof *r->points);
    r->figures = take(bytes, n, sizeof *r->figures);
    const size_t rows = r->motion.n_rows;
    r->motion.times = rows > 0 ? take(bytes, rows, sizeof *r->motion.times) : NULL;
    r->motion.rows = rows > 0 ? take(bytes, rows * r->motion.row_size, sizeof *r->motion.rows) : NULL;
    r->motion.turned = rows > 0 ? take(bytes, rows * r->file->n_bodies * 4, sizeof *r->motion.turned) : NULL;
    return r->ends != NULL && r->points != NULL && r->figures != NULL &&
           (rows == 0 || (r->motion.times != NULL && r->motion.rows != NULL && r->motion.turned != NULL));
}
