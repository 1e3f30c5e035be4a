/* SPDX-License-Identifier: MIT */
/** How long each row of results took: the time since the row before, so that work for several rows is told at the first. */
#ifndef IC_CLI_ROW_TIMES_H
#define IC_CLI_ROW_TIMES_H

#include "validation/results.h"

/** Give each of the rows in `json`, which are those of the results, its time as member "seconds". false: memory ran out. */
bool cli_row_times_write(const ic_results *results, json_t *json);

#endif
