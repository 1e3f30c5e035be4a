/* SPDX-License-Identifier: MIT */
/** A figure of a run. */
#ifndef IC_CLI_PLOT_H
#define IC_CLI_PLOT_H

#include "cli/result.h"

/** What a figure shows: states and outputs over one of them, or over time. */
typedef struct cli_plot cli_plot;

/**
 * Read what is to be shown: "x2,x3" over time, of one unit, or "x2:v2", the second over the first; NULL: the first
 * state. NULL: `error` gives the reason. Release it with free.
 */
cli_plot *cli_plot_read(const char *show, const ic_case *system, ic_error *error);

/** Write the rows of a result as SVG, with the peaks between samples and both sides of events. false: memory ran out. */
bool cli_plot_write(FILE *stream, const cli_plot *plot, const cli_result *result);

#endif
