/* SPDX-License-Identifier: MIT */
#include "bench/timing.h"
#include "bench/load.h"

#include <math.h>
#include <sys/resource.h>
#include <time.h>

enum { CALIBRATION_STEPS = 800, MOST_CALLS = 1000000 };

double ic_time_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void evaluate_oscillator(double *dxdt, double t, const double *x)
{
    dxdt[0] = x[1];
    dxdt[1] = sin(t) - x[0] - 0.1 * x[1];
}

/* Volatile, so that the compiler knows neither. */
static void (*volatile field)(double *, double, const double *) = evaluate_oscillator;
static volatile double calibration_result;

double ic_time_calibration(void)
{
    void (*const f)(double *, double, const double *) = field;
    const double h = 0.01, begin = ic_time_now();
    double x[2] = {1, 0}, y[2], k[4][2];
    for (int i = 0; i < CALIBRATION_STEPS; i++) {
        const double t = i * h;
        f(k[0], t, x);
        for (int j = 0; j < 2; j++) y[j] = x[j] + h / 2 * k[0][j];
        f(k[1], t + h / 2, y);
        for (int j = 0; j < 2; j++) y[j] = x[j] + h / 2 * k[1][j];
        f(k[2], t + h / 2, y);
        for (int j = 0; j < 2; j++) y[j] = x[j] + h * k[2][j];
        f(k[3], t + h, y);
        for (int j = 0; j < 2; j++) x[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
    }
    calibration_result = x[0];
    return ic_time_now() - begin;
}

static double time_calls(size_t calls, ic_timed_function *f, void *self)
{
    const double begin = ic_time_now();
    for (size_t i = 0; i < calls; i++) f(self);
    return ic_time_now() - begin;
}

size_t ic_time_calls(double least, ic_timed_function *f, void *self, double *one)
{
    *one = time_calls(1, f, self);
    if (*one < least) *one = time_calls(1, f, self); /* the first call finds empty caches */
    const double wanted = *one > 0 ? ceil(least / *one) : MOST_CALLS;
    return wanted < 1 ? 1 : wanted > MOST_CALLS ? MOST_CALLS : (size_t)wanted;
}

/* How often this thread was interrupted for another one. */
static long interruptions(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_nivcsw : 0;
}

ic_time ic_time_block(size_t calls, ic_timed_function *f, void *self)
{
    const long before = interruptions();
    const double seconds = time_calls(calls, f, self) / (double)calls;
    return (ic_time){seconds, NAN, interruptions() != before};
}

ic_time ic_time_once(size_t calls, ic_timed_function *f, void *self)
{
    /* rows are timed in turns, so a call too short to warm up by itself is repeated first */
    if (calls > 1) f(self);
    const double before = ic_time_calibration();
    ic_time time = ic_time_block(calls, f, self);
    const double after = ic_time_calibration();
    time.relative = time.seconds / fmin(before, after);
    time.disturbed = time.disturbed || fmax(before, after) > IC_LOAD_CALIBRATION * fmin(before, after);
    return time;
}
