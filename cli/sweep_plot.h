/* SPDX-License-Identifier: MIT */
/** The figure of a sweep: recorded values over one varied parameter, or a map over two. */
#pragma once

#include "core/expression.h"
#include "reports/plot.h"

typedef struct cli_sweep_plot cli_sweep_plot;

/**
 * Read what a file states before its rows, and what of it is to be shown (NULL: the default). NULL: `error` gives the
 * reason.
 */
cli_sweep_plot *cli_sweep_plot_read(const char *path, const char *show, ic_error *error);

/** Draw the rows of a file with that header. NULL: `error` gives the reason. */
const ic_plot *cli_sweep_plot_draw(cli_sweep_plot *plot, const char *path, ic_error *error);
void cli_sweep_plot_free(cli_sweep_plot *plot);
