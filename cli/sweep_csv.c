/* SPDX-License-Identifier: MIT */
#include "cli/sweep_file.h"

const cli_sweep_format cli_sweep_csv = {
    .extension = ".csv",
    .what = "CSV",
    .part = &ic_part_csv,
};
