/* SPDX-License-Identifier: MIT */
/** Processor time, and the calibration run that makes times of different machines comparable. */
#ifndef IC_BENCH_TIMING_H
#define IC_BENCH_TIMING_H

#include <stddef.h>

/** Processor time of this thread, s. */
double ic_time_now(void);

/**
 * Time of one calibration run, s: a fixed number of Runge-Kutta steps of a forced oscillator, through function pointers, some 50 us
 * on a machine of 2021. It is what solvers do most, so that a machine that is faster in it is faster in them by about as much.
 */
double ic_time_calibration(void);

/** What is timed. */
typedef void ic_measured(void *self);

/** A time of one call, s, and the same over the calibration run beside it. */
typedef struct ic_time {
    double seconds, relative;
} ic_time;

/** How many calls of `f` take `least` s, by one or two that are not counted. */
size_t ic_time_calls(double least, ic_measured *f, void *self);

/** Time so many calls, between two calibration runs, of which the shorter counts; several are led in by one that is not timed. */
ic_time ic_time_once(size_t calls, ic_measured *f, void *self);

#endif
