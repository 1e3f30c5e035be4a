/* SPDX-License-Identifier: MIT */
/** A grid of parameter sets: the product of axes, the first of which varies slowest. */
#pragma once

#include "core/expression.h"

/** Limits on axes and on parameter sets of a grid. */
#define IC_MOST_AXES 8
#define IC_MOST_PARAMETER_SETS 1000000000

/** A varied parameter. */
typedef struct ic_axis {
    char name[64];

    /* both ends included */
    double from, to;

    /* >= 1; 1: `from` alone */
    size_t count;

    bool logarithmic;
} ic_axis;

typedef struct ic_grid {
    ic_axis axes[IC_MOST_AXES];
    size_t n_axes;
    size_t n_sets;
} ic_grid;

/** Adds an axis from NAME=FROM:TO:COUNT[:log]. false: `error` states the mistake. */
bool ic_grid_add(ic_grid *grid, const char *text, ic_error *error);

double ic_axis_value(const ic_axis *axis, size_t i);

/** Values of a parameter set, one for each axis. */
void ic_grid_values(const ic_grid *grid, size_t set, double *values);
