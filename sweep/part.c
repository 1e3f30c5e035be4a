/* SPDX-License-Identifier: MIT */
#include "sweep/part.h"

bool ic_part_count(ic_sweep_counts *whole, long *end, FILE *stream, const ic_sweep *sweep,
                   const ic_part_format *format)
{
    const size_t n_lanes = sweep->request->grid.n_lanes;
    ic_sweep_counts counts = {0};
    ic_part_read read = IC_PART_LANE;
    ic_status status = IC_OK;
    *whole = counts;
    *end = ftell(stream);
    while (counts.lanes < n_lanes &&
           (read = format->next_lane(stream, sweep, counts.lanes, &status)) == IC_PART_LANE) {
        counts.by_status[status]++;
        counts.lanes++;
        if (counts.lanes % sweep->chunk_lanes != 0 && counts.lanes < n_lanes) continue;
        *whole = counts;
        *end = ftell(stream);
    }
    return read != IC_PART_NO_MEMORY;
}
