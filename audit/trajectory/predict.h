/* SPDX-License-Identifier: MIT */
/**
 * What a case does from a state on, for a short while: with its guards, or along the flow of one
 * mode as if it had none.
 */
#ifndef IC_AUDIT_TRAJECTORY_PREDICT_H
#define IC_AUDIT_TRAJECTORY_PREDICT_H

#include "impactcheck/impactcheck.h"

enum { IC_PREDICT_MODES = 8 };

typedef struct ic_predictor {
    ic_problem guarded, smooth;

    /* terminal modes go on */
    ic_variant with_guards, without_guards;

    ic_mode guarded_modes[IC_PREDICT_MODES], modes[IC_PREDICT_MODES];
    const ic_solver *solver;
    double rtol;
} ic_predictor;

typedef struct ic_prediction {
    /* false: the case goes no further; nothing else is set */
    bool good;

    /* not good, because it would take too many steps */
    bool gave_up;

    double x[IC_MAX_STATES];
    int mode;
    size_t events;

    /* s; of the first; NAN: none */
    double t_event;

    /* its name */
    char event[32];

    /* J; by all jumps; 0 where modes have no energy */
    double energy_taken;
} ic_prediction;

/**
 * Predict by a variant of a problem's case. false: it has more modes than can be. Holds pointers
 * into itself: do not copy.
 */
bool ic_predictor_open(ic_predictor *predictor, const ic_problem *problem, const ic_variant *variant);

/** From x in `mode` at t0 to t1 > t0. */
void ic_predict(ic_prediction *prediction, const ic_predictor *predictor, bool guards, double t0,
                const double *x, int mode, double t1);

#endif
