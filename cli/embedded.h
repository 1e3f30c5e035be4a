/* SPDX-License-Identifier: MIT */
/** Examples that `impactcheck init` writes, which tools/embed.cmake compiles in. */
#pragma once

#include "reports/embedded.h"

/** Sorted by path, which is relative to cli/: "../examples/machines/stops.yaml". */
extern const ic_report_text_file cli_examples[];
extern const size_t cli_example_count;
