/* SPDX-License-Identifier: MIT */
/** Runs of the rotating beam for studies. */
#pragma once

#include "core/expression.h"
#include "core/model.h"
#include "validation/subjects.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * Contacts that follow each other within this are one group, s: a third of the period of the first
 * mode of the beam.
 */
#define IC_BEAM_PAUSE 5e-3

/** A run by dop853. */
typedef struct ic_beam_run {
    ic_setup setup;
    ic_log *log;
} ic_beam_run;

/** The first group of contacts by a law. */
typedef struct ic_beam_group {
    size_t contacts;

    /* onset of the first contact, s */
    double t;

    /* impact speed of the first contact, m/s */
    double speed;

    /* speed after the first contact divided by that before, 1 */
    double restitution;

    /* rad/s^2; mean of the shaft's, from there until the force first ends */
    double acceleration;

    /* end of the last contact, s */
    double end;

    /*
     * rad/s; then: angular momentum divided by the moment of inertia of the unbent beam and the
     * shaft
     */
    double rebound;

    /* no contact followed within IC_BEAM_PAUSE, and the run lasted that long */
    bool over;
} ic_beam_group;

/**
 * Run "rotating-beam/PRESET[NAME=VALUE, ...]". false: `error` gives the reason, and the run must not be closed.
 */
bool ic_beam_open(ic_beam_run *run, const ic_options *options, const char *path, ic_error *error);
void ic_beam_close(ic_beam_run *run);

/** false: a contact that ends does not exist. */
bool ic_beam_first_group(ic_beam_group *group, const ic_beam_run *run);

/** An output, at a time, in a state. */
double ic_beam_output(const ic_problem *problem, const char *name, double t, const double *x, int mode);
/**
 * Greatest magnitude of an output that varies slowly, by parabolas through samples: of the tip's
 * deflection, say.
 */
double ic_beam_peak(const ic_beam_run *run, const char *name);
