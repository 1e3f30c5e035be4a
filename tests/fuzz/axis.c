/* SPDX-License-Identifier: MIT */
/* Input: lines NAME=FROM:TO:COUNT[:log], each an axis of a grid. For any number of accepted axes,
   the grid has the product of their counts as parameter sets; every value is finite, values run in
   one direction from FROM to TO, and a set's values are those of its axes. */
#include "tests/fuzz/common/input.h"
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <stdlib.h>

enum { LOOKED_AT = 64 }; /* values of an axis */

static const char *judge_axis(const ic_axis *axis)
{
    const double sign = axis->to < axis->from ? -1 : 1;
    double before = axis->from;
    if (axis->count < 1 || axis->name[0] == '\0') return "an axis has a name and a value";
    if (ic_axis_value(axis, 0) != axis->from) return "it begins at FROM";
    if (axis->count > 1 && ic_axis_value(axis, axis->count - 1) != axis->to) return "it ends at TO";
    for (size_t i = 0; i < LOOKED_AT && i < axis->count; i++) {
        const size_t stride = axis->count > LOOKED_AT ? axis->count / LOOKED_AT : 1;
        const double value = ic_axis_value(axis, i * stride);
        if (!isfinite(value)) return "every value is finite";
        if (sign * (value - before) < 0) return "values go one way";
        if (axis->count > 1 && sign * (axis->to - value) < 0) return "no value is beyond TO";
        before = value;
    }
    return NULL;
}

static const char *judge_grid(const ic_grid *grid)
{
    size_t product = 1;
    double values[IC_MOST_AXES];
    for (size_t k = 0; k < grid->n_axes; k++) {
        const char *broken = judge_axis(&grid->axes[k]);
        if (broken != NULL) return broken;
        product *= grid->axes[k].count;
    }
    if (grid->n_axes == 0) return NULL;
    if (grid->n_sets != product || product > IC_MOST_PARAMETER_SETS)
        return "the lanes are the product of the counts";
    ic_grid_values(grid, grid->n_sets - 1, values);
    for (size_t k = 0; k < grid->n_axes; k++) {
        if (values[k] != ic_axis_value(&grid->axes[k], grid->axes[k].count - 1))
            return "the last lane has the last values";
    }
    return NULL;
}

const char *ic_fuzz_axis_by(ic_fuzz_axis_reader *read, const uint8_t *data, size_t size)
{
    ic_input input = {data, size};
    ic_grid grid = {0};
    while (input.left > 0) {
        ic_error error = {""};
        char *line = ic_input_line(&input);
        const bool good = line != NULL && read(&grid, line, &error);
        const bool silent = line != NULL && !good && error.text[0] == '\0';
        free(line);
        if (silent) return "a refusal says why";
    }
    return judge_grid(&grid);
}
