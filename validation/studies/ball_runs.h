/* SPDX-License-Identifier: MIT */
/**
 * Impacts of the ball on a contact-force law for studies, in closed form or by the trusted solver.
 */
#pragma once

#include "core/free_impact.h"
#include "core/model.h"
#include "validation/subjects.h"

/** A ball, a law and a speed. */
typedef struct ic_ball {
    ic_setup setup;
    const ic_law *law;

    /* the law's parameters */
    const double *par;

    /* kg, m/s */
    double m, v0;

    /* referenced by the log of the last run */
    ic_problem run;
} ic_ball;

/**
 * Open "ball/PRESET[NAME=VALUE, ...]". false: `error` gives the reason. Release with
 * ic_ball_close.
 */
bool ic_ball_open(ic_ball *ball, const char *path, ic_error *error);
void ic_ball_close(ic_ball *ball);

/**
 * The impact in closed form, or, on a law that has none, by the trusted solver, where damping and
 * u_peak are NAN. false: `error` gives the reason.
 */
bool ic_ball_impact(ic_impact_outcome *outcome, ic_ball *ball, ic_error *error);

/** The same for the path of a ball. */
bool ic_ball_impact_of(ic_impact_outcome *outcome, const char *path, ic_error *error);

/*
 * By the trusted solver. NULL: `error` gives the reason. Release the log with ic_log_free; the next
 * run of the ball ends its use.
 */

/** The impact to its end. */
ic_log *ic_ball_solve(ic_ball *ball, ic_error *error);
/** Its first t_end seconds, which may be all, with equidistant samples. */
ic_log *ic_ball_sample(ic_ball *ball, double t_end, size_t samples, ic_error *error);
