/* SPDX-License-Identifier: MIT */
/**
 * A figure as SVG inside a page: text stays text, and colours are the page's, light or dark. Each
 * series has a colour and a dash or a mark of its own, so that it can be recognised without colour.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { IC_PLOT_SERIES = 24 };

/**
 * BARS: error bars, which are lines without a dash and without a place in the legend. CELLS: the centres of cells that
 * fill the figure.
 */
typedef enum ic_plot_style {
    IC_PLOT_LINE,
    IC_PLOT_MARKS,
    IC_PLOT_LINE_MARKS,
    IC_PLOT_DOTS,
    IC_PLOT_BARS,
    IC_PLOT_CELLS
} ic_plot_style;

typedef struct ic_plot_series {
    /* Name in the legend; "" or NULL: none. */
    const char *label;

    ic_plot_style style;

    /* Number of its colour, dash and mark; -1: in the background. */
    int look;

    /* In their place, classes of style, borrowed, and the mark. NULL: by `look`. */
    const char *class;
    int mark;

    /* x and y of each point; NAN breaks a line. Owned by the plot. */
    double *points;

    size_t n, capacity;
} ic_plot_series;

typedef struct ic_plot_axis {
    /* "time t / s" */
    const char *label;

    bool log;

    /* NAN: derived from the data. */
    double from, to;
} ic_plot_axis;

typedef struct ic_plot {
    /* Description for readers who cannot see the figure. */
    const char *title;

    ic_plot_axis x, y;
    ic_plot_series series[IC_PLOT_SERIES];
    size_t n_series;

    /* cells of IC_PLOT_CELLS along each axis, whose ends are given; 0: there are none */
    size_t cells_x, cells_y;

    /* a file of its own, with its title above it and the style of the pages on paper */
    bool alone;

    bool out_of_memory;
} ic_plot;

/** A further series, or NULL: there are too many. */
ic_plot_series *ic_plot_add(ic_plot *plot, const char *label, ic_plot_style style, int look);
void ic_plot_point(ic_plot *plot, ic_plot_series *series, double x, double y);
void ic_plot_free(ic_plot *plot);

/** Whether there is a point to draw. */
bool ic_plot_has_data(const ic_plot *plot);
void ic_plot_write(const ic_plot *plot, FILE *stream);

/** The same as text of `width` columns: by characters, or by the dots of Braille characters. false: memory ran out. */
bool ic_plot_write_text(const ic_plot *plot, FILE *stream, int width, bool braille);
