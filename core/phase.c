/* SPDX-License-Identifier: MIT */
/* Access of methods to the field, the guards and the observers of a phase. */
#include "core/event_loop.h"
#include "core/numbers.h"

#include <float.h>
#include <math.h>
#include <string.h>

/*
 * The rate of an observer without a rate function is a central difference over this fraction d of
 * the typical time. Its truncation error, d^2/6 times the third derivative, and its rounding error,
 * eps/d, are then of the same size, about 4e-11.
 */
#define DIFFERENCE 6e-6
/* A difference of two values below this fraction of them is rounding error and counts as 0. */
#define NO_DIFFERENCE (4 * DBL_EPSILON)
/* Rounding errors in a rate that exceeds the errors of runs: 2^30 of them are 1e-6 of its terms. */
#define CLEAR_RATE 0x1p30
/* A rate of so many roundings shows no direction beside a rate of the rate that changes it more. */
#define TINY_RATE 64

double ic_phase_instant_width(const ic_phase *phase)
{
    const double rounding = IC_INSTANT_ULPS * DBL_EPSILON * fabs(phase->t);
    return phase->options->event_tol > rounding ? phase->options->event_tol : rounding;
}

/* ---- observers */

/* The arguments of an observer's functions at (t, x). `rates` is workspace for n numbers. */
static ic_moment observer_moment(const ic_phase *phase, const ic_entry *observer, double t, const double *x,
                                 double *rates)
{
    ic_moment now = {.t = t, .x = x, .mode = phase->mode_index, .problem = phase->problem};
    if (!observer->observer.sees_rates) return now;
    ic_phase_flow(phase, rates, t, x);
    now.dxdt = rates;
    return now;
}

double ic_observer_value(const ic_phase *phase, const ic_entry *o, double t, const double *x)
{
    const ic_moment now = observer_moment(phase, o, t, x, phase->rates);
    return o->observer.value(&now, o->context);
}

static double observer_value_along_flow(const ic_phase *phase, const ic_entry *o, double t, const double *x,
                                        double d)
{
    double shifted[IC_MAX_STATES];
    ic_phase_flow(phase, phase->rates + phase->n, t, x);
    for (size_t i = 0; i < phase->n; i++) shifted[i] = x[i] + d * phase->rates[phase->n + i];
    return ic_observer_value(phase, o, t + d, shifted);
}

/* [g(t + d, x + d f) - g(t - d, x - d f)]/2d is dg/dt along the flow up to terms of d^2. */
static double observer_rate_by_difference(const ic_phase *phase, const ic_entry *o, double t, const double *x)
{
    const double d = DIFFERENCE * phase->time_scale;
    const double after = observer_value_along_flow(phase, o, t, x, d),
                 before = observer_value_along_flow(phase, o, t, x, -d);
    if (fabs(after - before) <= NO_DIFFERENCE * (fabs(after) + fabs(before))) return 0;
    return (after - before) / (2 * d);
}

double ic_observer_rate(const ic_phase *phase, const ic_entry *o, double t, const double *x)
{
    if (o->observer.rate == NULL) return observer_rate_by_difference(phase, o, t, x);
    const ic_moment now = observer_moment(phase, o, t, x, phase->rates);
    return o->observer.rate(&now, o->context);
}

/* ---- guards and observers */

bool ic_watch_enabled(const ic_phase *phase, ic_watch watch, double t, const double *x)
{
    const ic_entry *o = watch.observer;
    if (o == NULL) return watch.guard->enabled == NULL || watch.guard->enabled(t, x, phase->problem->par) > 0;
    if (o->observer.enabled == NULL) return true;
    const ic_moment now = observer_moment(phase, o, t, x, phase->rates);
    return o->observer.enabled(&now, o->context) > 0;
}

const char *ic_watch_name(ic_watch watch)
{
    return watch.observer != NULL ? watch.observer->name : watch.guard->name;
}

int ic_watch_direction(ic_watch watch)
{
    return watch.observer != NULL ? watch.observer->observer.direction : watch.guard->direction;
}

/* ---- guards by number; calls are counted as work */

const char *ic_phase_guard_name(const ic_phase *phase, size_t i)
{
    return ic_watch_name(ic_phase_watch(phase, i));
}

int ic_phase_direction(const ic_phase *phase, size_t i)
{
    return ic_watch_direction(ic_phase_watch(phase, i));
}

double ic_phase_guard(const ic_phase *phase, size_t i, double t, const double *x)
{
    phase->work->guard_calls++;
    return ic_watch_value(phase, ic_phase_watch(phase, i), t, x);
}

double ic_phase_guard_rate(const ic_phase *phase, size_t i, double t, const double *x)
{
    phase->work->guard_calls++;
    return ic_watch_rate(phase, ic_phase_watch(phase, i), t, x);
}

double ic_watch_second_rate(const ic_phase *phase, ic_watch watch, double t, const double *x, double d)
{
    double later[IC_MAX_STATES], slope[IC_MAX_STATES];
    ic_phase_flow(phase, slope, t, x);
    for (size_t k = 0; k < phase->n; k++) later[k] = x[k] + d * slope[k];
    return (ic_watch_rate(phase, watch, t + d, later) - ic_watch_rate(phase, watch, t, x)) / d;
}

typedef double watch_function(const ic_phase *phase, ic_watch watch, double t, const double *x);

/*
 * Rounding error of a value or rate: the sum of its changes when each state changes by its scale, in
 * units in the last place: to the side on which there is a value, since (-x)^1.5 has none for x > 0. `workspace`
 * has n numbers.
 */
static double rounding_of(watch_function *f, const ic_phase *phase, ic_watch watch, double t, const double *x,
                          double *workspace)
{
    const double value = f(phase, watch, t, x);
    double sum = 0;
    memcpy(workspace, x, phase->n * sizeof *workspace);
    for (size_t k = 0; k < phase->n; k++) {
        if (phase->rounded[k] == 0) continue;
        double change = NAN;
        for (int side = 1; side >= -1 && !isfinite(change); side -= 2) {
            workspace[k] = x[k] + side * phase->rounded[k];
            change = fabs(f(phase, watch, t, workspace) - value);
        }
        if (isfinite(change)) sum += change;
        workspace[k] = x[k];
    }
    return IC_INSTANT_ULPS * DBL_EPSILON * sum;
}

double ic_watch_rounding(const ic_phase *phase, ic_watch watch, double t, const double *x, double *workspace)
{
    phase->work->guard_calls += (double)phase->n + 1;
    return rounding_of(ic_watch_value, phase, watch, t, x, workspace);
}

bool ic_watch_has_no_rate(const ic_phase *phase, ic_watch watch, double t, const double *x)
{
    double workspace[IC_MAX_STATES];
    return fabs(ic_watch_rate(phase, watch, t, x)) <= rounding_of(ic_watch_rate, phase, watch, t, x, workspace);
}

bool ic_watch_has_clear_rate(const ic_phase *phase, ic_watch watch, double t, const double *x)
{
    double workspace[IC_MAX_STATES];
    const double rate = fabs(ic_watch_rate(phase, watch, t, x));
    return rate > 0 && rate > CLEAR_RATE * rounding_of(ic_watch_rate, phase, watch, t, x, workspace);
}

int ic_watch_turn(const ic_phase *phase, ic_watch watch, double t, const double *x)
{
    double workspace[IC_MAX_STATES];
    const double d = IC_RATE_DIFFERENCE * phase->time_scale;
    const double change = d * ic_watch_second_rate(phase, watch, t, x, d);
    const double noise = TINY_RATE * rounding_of(ic_watch_rate, phase, watch, t, x, workspace);
    return fabs(ic_watch_rate(phase, watch, t, x)) <= noise && fabs(change) > TINY_RATE * noise
               ? ic_sign(change)
               : 0;
}
