/* SPDX-License-Identifier: MIT */
/**
 * Step control of methods that estimate their error (E. Hairer, S. P. Norsett, G. Wanner, Solving
 * Ordinary Differential Equations I, 2nd ed. (1993), II.4). A step is accepted if its error, in
 * units of the tolerance, is at most 1. The next step is then
 *
 *     h *= 0.9 err^-alpha err_before^beta,    beta = 0.2/k,    alpha = (1 - 0.75 k beta)/k = 0.85/k,
 *
 * for an error of order h^k (PI control).
 */
#pragma once

#include "core/event_loop.h"

/** Number of modes of which the first steps are remembered. */
enum { IC_STEP_MODES = 16 };

typedef struct ic_step_control {
    double alpha, beta;

    /* Least and greatest factor by which a step may change. */
    double least_factor, most_factor;

    /* Length of the next step, s; 0 if it is not known yet. */
    double h;

    /*
     * Greatest step, s: half of the period of the forcing, if the case has one, so that a step
     * cannot miss an event that occurs once in a period; otherwise infinite.
     */
    double longest;

    /* Logarithm to the base 2 of the error of the step before, in units of the tolerance. */
    double log_before;
    bool rejected;

    /* A step that passes over this time ends there, s; INFINITY: none does. The method sets it. */
    double aim;

    /* Whether the last step ended there. */
    bool aimed;

    /*
     * For each mode, by its index modulo IC_STEP_MODES: how well its events were expected lately. Below 0 no
     * step aims at them.
     */
    int credit[IC_STEP_MODES];

    /* Number of very short steps in a row that a longer one, which left the domain of the flow, had to give way. */
    int creeps;

    /* work, and time, s, at which it was last estimated whether the run reaches its end */
    double work_then, t_then;

    /* how often it did not */
    int hopeless;

    /* Whether no step of the phase has been accepted yet. */
    bool first;

    /* Index of the mode of the last phase. */
    int mode;

    /* For each mode, by its index modulo IC_STEP_MODES: the first step of its last phase, s; 0: none. */
    double first_of_mode[IC_STEP_MODES];
} ic_step_control;

/** Step control of a method whose error is of order h^k. */
ic_step_control ic_step_control_of_order(int k, double least_factor, double most_factor);

/**
 * Begin a phase at (phase->t, phase->x), where the flow is `slope`. If the mode has changed, the first step
 * is the one with which the last phase in this mode should have begun; otherwise the last step is kept.
 */
void ic_step_control_begin(ic_step_control *control, const ic_phase *phase, const double *slope);

/**
 * Tries a step of length h and returns its error in units of the tolerance; not finite if the flow
 * is not.
 */
typedef double ic_try_step(void *self, double h);

/**
 * Try steps from t0, where the flow is `slope`, until one is accepted. It ends at *t1, at the
 * latest phase->t_stop (then exactly). Rejected steps are counted.
 */
ic_status ic_step_control_accept(ic_step_control *control, const ic_phase *phase, double t0,
                                 const double *slope, ic_try_step *try_step, void *self, double *t1);

/** Learn from an accepted step whether an expected event, phase->fired, has occurred in it. */
void ic_step_control_learn(ic_step_control *control, const ic_phase *phase);

/**
 * Whether a step of length h that was shortened to an event has too large an error. The next step
 * is then shorter, and the event was spurious.
 */
bool ic_step_control_refuses(ic_step_control *control, const ic_phase *phase, double h, double error);
