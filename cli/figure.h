/* SPDX-License-Identifier: MIT */
/** A figure on its way to its place: a file of SVG, PNG or HTML, or the terminal. */
#pragma once

#include "cli/file.h"
#include "reports/plot.h"

/** Option --plot: the ending of FILE selects the format. */
#define CLI_OPTION_PLOT(what_)                                                                                 \
    "--plot", "FILE",                                                                                          \
        what_ ": FILE.svg, FILE.html, or FILE.png (by rsvg-convert); -: by characters on the terminal", false

typedef struct cli_figure {
    /* without a stream: the terminal, or no figure */
    cli_file file;

    /* NULL: no figure */
    const struct cli_figure_format *format;
} cli_figure;

/** Takes the next name of --show. false: `error` gives the reason. */
typedef bool cli_take_name(void *self, const char *name, ic_error *error);

/** The names of a list "a,b" one by one; `of`: figure or map. false: `error` gives the reason. */
bool cli_shown_names(const char *list, size_t most, const char *of, cli_take_name *take, void *self,
                     ic_error *error);

/**
 * Open the place that an option names, if it is given. `json`: the option that writes to standard output, too. false:
 * the option is refused.
 */
bool cli_figure_open(cli_figure *figure, const cli_arguments *arguments, size_t option, size_t json);

/** Write the figure, which is then closed. false: the reason has been printed. */
bool cli_figure_finish(cli_figure *figure, const cli_arguments *arguments, const ic_plot *plot);

/** Nothing is left behind of a figure that was not finished. */
void cli_figure_discard(cli_figure *figure);
