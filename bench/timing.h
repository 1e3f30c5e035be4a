/* SPDX-License-Identifier: MIT */
/** Processor time, and the calibration run that makes times of different machines comparable. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/** Processor time of this thread, s. */
double ic_time_now(void);

/**
 * Time of one calibration run, s: a fixed number of Runge-Kutta steps of a forced oscillator,
 * through function pointers, some 50 us on a machine of 2021. Solvers do mostly this, so they are
 * faster by about as much on a machine that is faster in it.
 */
double ic_time_calibration(void);

typedef void ic_timed_function(void *self);

/**
 * Time of one call, s, and the same relative to the adjacent calibration run. `disturbed`: see
 * bench/load.h.
 */
typedef struct ic_time {
    double seconds, relative;
    bool disturbed;
} ic_time;

/** Number of calls of `f` that take `least` s, from one or two uncounted calls, whose time is `one`. */
size_t ic_time_calls(double least, ic_timed_function *f, void *self, double *one);

/**
 * Times this many calls between two calibration runs, of which the shorter counts; several calls
 * are preceded by an untimed one.
 */
ic_time ic_time_once(size_t calls, ic_timed_function *f, void *self);

/** The same without calibration runs, which leaves `relative` NAN, and without an untimed call. */
ic_time ic_time_block(size_t calls, ic_timed_function *f, void *self);
