/* SPDX-License-Identifier: MIT */
/** The sketch of a machine at an instant, as data (list.json) and as SVG. */
#pragma once

#include "impactcheck/impactcheck.h"

#include <jansson.h>
#include <stdio.h>

/** The shapes at the start of a problem; coordinates that are not finite are null. NULL: memory ran out. */
json_t *cli_sketch_start(const ic_problem *problem);

/**
 * Write the start of a run as SVG, and behind it the end, where it differs. false: nothing can be
 * drawn, or memory ran out.
 */
bool cli_sketch_write(FILE *stream, const ic_problem *problem, const ic_log *log);
