/* SPDX-License-Identifier: MIT */
/** A figure of rows: of a run, of an orbit, or of another program beside the exact ones. */
#pragma once

#include "cli/figure.h"
#include "cli/result.h"

/** States and outputs over one of them, or over time, and what is drawn of them. */
typedef struct cli_plot cli_plot;

/** Option --show. */
#define CLI_OPTION_SHOW                                                                                        \
    "--show", "WHAT",                                                                                          \
        "for --plot: states and outputs of one unit over time, x2,x3; or one over another, x2:v2; "            \
        "default: the first state",                                                                            \
        false

/**
 * Read what is to be shown: "x2,x3" over time, of one unit, or "x2:v2", the second over the first; NULL: the first
 * state. NULL: `error` gives the reason.
 */
cli_plot *cli_plot_read(const char *show, const ic_case *system, ic_error *error);
void cli_plot_free(cli_plot *plot);

/** The options --plot and --show together. false: refused. `plot` stays NULL where no figure is asked for. */
bool cli_plot_open(cli_plot **plot, cli_figure *figure, const cli_arguments *arguments, const size_t options[3],
                   const ic_case *system);

/** Whether states alone are shown, as rows without modes can be. */
bool cli_plot_has_states_alone(const cli_plot *plot);

/**
 * Draw the rows of a result as lines, with the peaks between samples and both sides of events; `whose` stands in the
 * legend behind their names.
 */
void cli_plot_draw(cli_plot *plot, const cli_result *result, const char *whose);

/** Mark the events of a result, by their names. */
void cli_plot_mark_events(cli_plot *plot, const cli_result *result);

/** Draw rows of states as dots. */
void cli_plot_dots(cli_plot *plot, const ic_problem *problem, size_t n, const double *t, const double *x,
                   const char *whose);

/** Mark a place by a name; rows of states alone have the mode -1. */
void cli_plot_mark(cli_plot *plot, const ic_problem *problem, double t, int mode, const double *x,
                   const char *name);

/** The figure, with a title: what it is, of which case. */
const ic_plot *cli_plot_figure(cli_plot *plot, const char *what, const ic_problem *problem);
