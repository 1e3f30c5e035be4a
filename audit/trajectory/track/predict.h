/* SPDX-License-Identifier: MIT */
/**
 * Short predictions of a case from a given state: with its guards, or along the flow of one mode
 * without guards.
 */
#ifndef IC_AUDIT_TRAJECTORY_TRACK_PREDICT_H
#define IC_AUDIT_TRAJECTORY_TRACK_PREDICT_H

#include "impactcheck/impactcheck.h"

enum { IC_PREDICT_MODES = 64 };

typedef struct ic_predictor {
    ic_problem guarded, smooth;

    /* The variant with terminal modes continued. */
    ic_variant with_guards, without_guards;

    ic_mode guarded_modes[IC_PREDICT_MODES], modes[IC_PREDICT_MODES];
    const ic_solver *solver;
    double rtol;
} ic_predictor;

typedef struct ic_prediction {
    /* False if the prediction failed; then no other member is set. */
    bool good;

    /* True if it failed because it took too many steps. */
    bool gave_up;

    double x[IC_MAX_STATES];
    int mode;
    size_t events;

    /* Time of the first event, s; NAN: none. */
    double t_event;

    /* Name of the first event. */
    char event[32];

    /* Energy that all jumps take, J; 0 if modes have no energy balance. */
    double energy_taken;
} ic_prediction;

/**
 * Open a predictor for a variant of a problem's case. false: too many modes. It contains pointers
 * into itself: do not copy it.
 */
bool ic_predictor_open(ic_predictor *predictor, const ic_problem *problem, const ic_variant *variant);

/** Predict from x in `mode` at t0 to t1 > t0. */
void ic_predict(ic_prediction *prediction, const ic_predictor *predictor, bool guards, double t0,
                const double *x, int mode, double t1);

#endif
