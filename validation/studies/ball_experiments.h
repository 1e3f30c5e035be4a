/* SPDX-License-Identifier: MIT */
/**
 * The experiments with a ball and two specimens, as Wang et al. 2018 print them in Tables II to VI:
 * reference/published/ball-experiments.csv.
 */
#pragma once

#include "core/expression.h"

#include <stdbool.h>

enum { IC_BALL_SPECIMENS = 2, IC_BALL_SPEEDS = 6 };

/** A quantity of one experiment. */
typedef struct ic_ball_quantity {
    /* by Zhang and Sharf */
    double measured;

    /* computed by Wang et al. */
    double printed;

    /* per cent, as printed */
    double error;
} ic_ball_quantity;

typedef struct ic_ball_experiment {
    /* "ball/C1/0.0938": the case with these data */
    char preset[24];

    /* m/s */
    double v0;

    /* m/s; computed by Wang et al. */
    double v_after;

    ic_ball_quantity restitution;

    /* the peak, N */
    ic_ball_quantity force;
} ic_ball_experiment;

/** All of them, by specimen, speed rising. */
typedef struct ic_ball_experiments {
    ic_ball_experiment of[IC_BALL_SPECIMENS][IC_BALL_SPEEDS];
} ic_ball_experiments;

/** "C1", "C2" of Table I. */
extern const char *const ic_ball_specimens[IC_BALL_SPECIMENS];

/** Read the published data. false: `error` gives the reason, as file:line:column: message. */
bool ic_ball_experiments_read(ic_ball_experiments *experiments, ic_error *error);

/** The same from a text in the place of the file's. */
bool ic_ball_experiments_parse(ic_ball_experiments *experiments, const char *text, ic_error *error);
