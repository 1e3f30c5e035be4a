/* SPDX-License-Identifier: MIT */
/**
 * Reduced logging of long runs: events are counted only, samples are kept from a given one on, and
 * extremes are kept for each window from one sample to the next. The reader of the log sets the
 * scope before the run; solvers do not know about it.
 */
#pragma once

#include "impactcheck/impactcheck.h"

typedef struct ic_log_scope {
    /* Number of samples in the options of the run, at least 2. */
    size_t samples;

    /* First sample that is kept; earlier ones are only counted. */
    size_t first_sample;

    /* Window i lasts from sample first_window + i to the next one, both included. */
    size_t first_window, n_windows;

    /* Outputs whose extremes are kept. */
    size_t first_output, n_outputs;
} ic_log_scope;

/** Restrict an empty log to a scope; its events are then only counted. IC_OK or IC_NO_MEMORY. */
ic_status ic_log_narrow(ic_log *log, const ic_log_scope *scope);

/** The scope, or NULL if everything is logged, with extremes over the whole run. */
const ic_log_scope *ic_log_scope_of(const ic_log *log);

/**
 * Extremes of output first_output + i in a window; NAN if the window has no value. `final` and the
 * times are not kept.
 */
ic_extreme ic_log_window_extreme(const ic_log *log, size_t window, size_t i);

/** From now on, keep the peaks of outputs between two of so many samples, at least 2. IC_OK or IC_NO_MEMORY. */
ic_status ic_log_keep_peaks(ic_log *log, size_t samples);

bool ic_log_keeps_peaks(const ic_log *log);

/**
 * A local peak of an output, found in the state x: greatest (sign 1) or least (-1). It is kept if it is the highest so
 * far between its samples, instead of the one before. IC_OK or IC_NO_MEMORY.
 */
ic_status ic_log_peak(ic_log *log, size_t output, double sign, double t, int mode, const double *x);

typedef struct ic_peak {
    /* its time, mode and state; the state belongs to the log */
    ic_sample at;

    size_t output;

    /* 1: greatest; -1: least */
    double sign;

    double value;
} ic_peak;

/** After the run: the peaks that are kept, in the order of time. They belong to the log. */
const ic_peak *ic_log_peaks(ic_log *log, size_t *n);

/** The windows that contain t: *n of them (0, 1 or 2), starting at the number returned. */
size_t ic_log_windows_at(const ic_log *log, double t, size_t *n);

/** Time of sample i of `samples` equidistant ones from the start to the end of a problem. */
double ic_sample_time(const ic_problem *problem, size_t samples, size_t i);

/**
 * The records of all kept samples, or events, and their states: n_states numbers for each sample, twice as many for
 * each event. Pointers within the records are not set. NULL: there are none.
 */
const ic_sample *ic_log_samples(const ic_log *log, const double **states);
const ic_event *ic_log_events(const ic_log *log, const double **states);
