/* SPDX-License-Identifier: MIT */
#include "cli/row_times.h"

bool cli_row_times_write(const ic_results *results, json_t *json)
{
    const json_t *rows = json_object_get(json, "rows");
    if (json_array_size(rows) != results->count) return false;
    for (size_t i = 0; i < results->count; i++) {
        json_t *row = json_array_get(rows, i);
        if (json_object_set_new(row, "seconds", json_real(results->rows[i].seconds)) != 0) return false;
    }
    return true;
}
