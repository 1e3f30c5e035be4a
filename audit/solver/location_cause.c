/* SPDX-License-Identifier: MIT */
/*
 * Let t be the time told, T the latest one asked for before the jump, (g_i, v_i) value and rate at
 * t_i:
 *
 *     the state told is on the chord of those at t_i and t_j   the state is interpolated linearly
 *     t = T, and the state told is off the wall                events are taken at the end of their step
 *     t is T, another end of a step, or none that was asked    the state is that of the event, the time is not
 *     t = t_i + (t_j - t_i) g_i/(g_i - g_j)                    one linear interpolation
 *     the same, and t_i or t_j is such a time of others        two of them
 *     the time is right, the state told is off the wall        velocities of another time are reflected: energy appears
 *     t is where the solver's own motion meets the wall        the motion is wrong, not the location
 */
#include "audit/solver/location_cause.h"

#include <math.h>

/* A state that is off the wall by so many times what the time is off is not that of the impact. */
#define BESIDE 10.0
/* of an error in time: what is nothing beside it */
#define LITTLE 0.05
/* s; a time that is off by less cannot be told from others that were asked for */
#define CLEARLY_LATE (10 * IC_SAME_TIME)
/* Of an error: a formula of numbers that were asked for leaves rounding, so that no pair of times
   agrees with it by chance. */
#define FORMULA 1e-6
/* Of an error: what the chord itself must be wrong by, if it is the cause. */
#define OWN 0.3
/* The same of states, up to how they were added up. */
#define SAME_STATE 1e-12

/* Whether the guard was asked for at another time than t between two others: then they are not
   where a line was drawn. */
static bool asks_between(const ic_probe_calls *calls, size_t n, double t, double t0, double t1)
{
    for (size_t k = 0; k < n; k++) {
        if (calls->t[k] > t0 && calls->t[k] < t1 && fabs(calls->t[k] - t) > IC_SAME_TIME) return true;
    }
    return false;
}

/* Where the chord of calls i and j, before and after the impact, crosses zero; NAN: it does not. */
static double crossing_of(const ic_probe_calls *calls, double t_right, size_t i, size_t j)
{
    const double g0 = calls->g[i], g1 = calls->g[j];
    return g0 > 0 && g1 < 0 && calls->t[i] < t_right && calls->t[j] > t_right
               ? calls->t[i] + (calls->t[j] - calls->t[i]) * g0 / (g0 - g1)
               : NAN;
}

/* Whether a call was made where a chord of others crosses zero, to `exact`, s. */
static bool is_of_chord(const ic_probe_calls *calls, double t_right, size_t call, double exact)
{
    const size_t n = ic_probe_calls_kept(calls);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            const bool others = i != call && j != call;
            if (others && fabs(crossing_of(calls, t_right, i, j) - calls->t[call]) <= exact) return true;
        }
    }
    return false;
}

/* s; how far the chord of calls i and j is from a motion with x'' = -x where it crosses zero: that
   part of an error is its own. */
static double error_of_chord(const ic_probe_calls *calls, const ic_told_impact *told, size_t i, size_t j)
{
    return 0.5 * (told->t - calls->t[i]) * (calls->t[j] - told->t) * fabs(told->x / told->v);
}

/* How many linear interpolations lead to the time told: 0, 1 or 2. */
static int count_chords(const ic_probe_calls *calls, const ic_told_impact *told)
{
    const size_t n = ic_probe_calls_kept(calls);
    const double error = fabs(told->t - told->t_right), exact = fmax(FORMULA * error, SAME_STATE);
    int count = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n && count < 2; j++) {
            const double off = fabs(crossing_of(calls, told->t_right, i, j) - told->t);
            const bool adjacent =
                off <= LITTLE * LITTLE * error && !asks_between(calls, n, told->t, calls->t[i], calls->t[j]);
            if (!adjacent && !(off <= exact)) continue;
            if (!(error_of_chord(calls, told, i, j) >= OWN * error)) continue;
            const bool second =
                is_of_chord(calls, told->t_right, i, exact) || is_of_chord(calls, told->t_right, j, exact);
            count = second ? 2 : 1;
        }
    }
    return count;
}

/* Whether t is an end of a step: the guard was asked for there, and nowhere else as near as the
   error in time. */
static bool is_end_of_step(const ic_probe_calls *calls, double t, double error)
{
    const size_t n = ic_probe_calls_kept(calls);
    bool asked = false;
    for (size_t i = 0; i < n; i++) {
        const double apart = fabs(calls->t[i] - t);
        if (apart > IC_SAME_TIME && apart < 0.5 * fabs(error)) return false;
        asked |= apart <= IC_SAME_TIME;
    }
    return asked;
}

/* Whether the solver has found the impact at another time than it tells: where it was asked for
   nearest to zero is right. */
static bool knows_better(const ic_probe_calls *calls, double t_right, double late)
{
    const size_t n = ic_probe_calls_kept(calls);
    size_t nearest = 0;
    for (size_t i = 1; i < n; i++) {
        if (fabs(calls->g[i]) < fabs(calls->g[nearest])) nearest = i;
    }
    return n > 0 && fabs(calls->t[nearest] - t_right) <= LITTLE * fabs(late);
}

/* Of what is the same: a chord that the motion leaves by more is told from it. */
#define LONG_CHORD 100.0

/* Both components, and off the motion by what can be told from rounding. */
static bool is_on_chord(const ic_probe_calls *calls, const ic_told_impact *told)
{
    const size_t n = ic_probe_calls_kept(calls);
    const double exact = fmax(FORMULA * told->beside, SAME_STATE);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            const double t0 = calls->t[i], t1 = calls->t[j], u = (told->t - t0) / (t1 - t0);
            const double bulge =
                /* of the motion over the chord: |x''| <= 1 */
                0.5 * (told->t - t0) * (t1 - told->t);
            if (!(t0 < told->t && t1 > told->t && bulge > LONG_CHORD * exact)) continue;
            const double x = calls->x[i] + u * (calls->x[j] - calls->x[i]),
                         v = calls->v[i] + u * (calls->v[j] - calls->v[i]);
            if (fabs(x - told->x) <= exact && fabs(v - told->v) <= exact) return true;
        }
    }
    return false;
}

ic_mistake_id ic_location_cause(const ic_probe_calls *calls, const ic_told_impact *told)
{
    const double late = told->t - told->t_right;
    const bool on_wall = told->beside < LITTLE * fabs(late);
    if (told->beside > IC_SAME_TIME && is_on_chord(calls, told)) return IC_MISTAKE_LINEAR_STATE;
    if (told->beside > BESIDE * fabs(late)) return IC_MISTAKE_ENERGY_APPEARS;
    if (calls->count > 0 && late > 0 && told->t >= calls->latest - IC_SAME_TIME && !on_wall)
        return IC_MISTAKE_NO_EVENT_LOCATION;
    if (on_wall && fabs(late) > CLEARLY_LATE &&
        (is_end_of_step(calls, told->t, late) || knows_better(calls, told->t_right, late)))
        return IC_MISTAKE_STALE_TIME;
    switch (count_chords(calls, told)) {
    case 1: return IC_MISTAKE_LINEAR_EVENT_LOCATION;
    case 2: return IC_MISTAKE_LOCATION_CUT_SHORT;
    default: return told->beside > LITTLE * fabs(late) ? IC_MISTAKE_RESIDUAL_TOLERANCE : IC_NO_MISTAKE;
    }
}
