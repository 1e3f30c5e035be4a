/* SPDX-License-Identifier: MIT */
/** A grid of parameter sets: the product of axes, the first of which varies slowest. */
#ifndef IC_SWEEP_GRID_H
#define IC_SWEEP_GRID_H

#include "core/expression.h"

/** Most axes of a grid, and most lanes. */
#define IC_MOST_AXES 8
#define IC_MOST_LANES 1000000000

/** One parameter that is varied. */
typedef struct ic_axis {
    char name[64];
    double from, to; /* both included */
    size_t count;    /* >= 1; 1: `from` alone */
    bool logarithmic;
} ic_axis;

typedef struct ic_grid {
    ic_axis axes[IC_MOST_AXES];
    size_t n_axes;
    size_t n_lanes;
} ic_grid;

/** Add an axis from text: NAME=FROM:TO:COUNT[:log]. false: `error` says what is wrong. */
bool ic_grid_add(ic_grid *grid, const char *text, ic_error *error);

double ic_axis_value(const ic_axis *axis, size_t i);

/** The values of a lane, one for each axis. */
void ic_grid_values(const ic_grid *grid, size_t lane, double *values);

#endif
