/* SPDX-License-Identifier: MIT */
/*
 * Let t be the reported time, T the latest time at which the guard was called before the jump, and
 * (g_i, v_i) its value and rate at t_i:
 *
 *     reported state on the chord of those at t_i, t_j    the state is interpolated linearly
 *     t = T, reported state off the wall                  events are placed at the end of their step
 *     t is T, another end of a step, or never called      the state is that of the event, the time is not
 *     t = t_i + (t_j - t_i) g_i/(g_i - g_j)               one linear interpolation
 *     the same, and t_i or t_j is such a time of others   two linear interpolations
 *     right time, reported state off the wall             a velocity of another time is reversed: energy appears
 *     the solver's own motion meets the wall at t         the motion is wrong, not the location
 */
#include "audit/common/tolerances.h"
#include "audit/solver/solver.h"

#include <math.h>

/* If the state error exceeds this multiple of the time error, the reported state was not
   evaluated at the impact. */
#define BESIDE 10.0
/* Fraction of a time error that is negligible. */
#define LITTLE 0.05
/* s; smaller time errors cannot be distinguished from distances between calls */
#define CLEARLY_LATE (10 * ic_tolerance_same_time.value)
/* Fraction of an error: a formula of calls is exact up to rounding, so that no pair of times
   fits it by chance. */
#define FORMULA 1e-6
/* Fraction of an error that a chord must itself cause. */
#define OWN 0.3
/* Rounding of equal states. */
#define SAME_STATE 1e-12

/* Whether the guard was called at another time than t between t0 and t1: then no line was drawn
   between these. */
static bool was_called_between(const ic_probe_calls *calls, size_t n, double t, double t0, double t1)
{
    for (size_t k = 0; k < n; k++) {
        if (calls->t[k] > t0 && calls->t[k] < t1 && fabs(calls->t[k] - t) > ic_tolerance_same_time.value)
            return true;
    }
    return false;
}

/* Zero of the chord of calls i and j, before and after the impact, s; NAN: the chord has no zero */
static double find_crossing(const ic_probe_calls *calls, double t_right, size_t i, size_t j)
{
    const double g0 = calls->g[i], g1 = calls->g[j];
    return g0 > 0 && g1 < 0 && calls->t[i] < t_right && calls->t[j] > t_right
               ? calls->t[i] + (calls->t[j] - calls->t[i]) * g0 / (g0 - g1)
               : NAN;
}

/* Whether a call was made at the zero of a chord of others, to within `exact`, s. */
static bool is_of_chord(const ic_probe_calls *calls, double t_right, size_t call, double exact)
{
    const size_t n = ic_probe_calls_kept(calls);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            const bool others = i != call && j != call;
            if (others && fabs(find_crossing(calls, t_right, i, j) - calls->t[call]) <= exact) return true;
        }
    }
    return false;
}

/* Number of linear interpolations that lead to the reported time: 0, 1 or 2. */
static int count_chords(const ic_probe_calls *calls, const ic_reported_impact *reported)
{
    const size_t n = ic_probe_calls_kept(calls);
    const double error = fabs(reported->t - reported->t_right), exact = fmax(FORMULA * error, SAME_STATE);
    int count = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n && count < 2; j++) {
            const double off = fabs(find_crossing(calls, reported->t_right, i, j) - reported->t);
            const bool adjacent = off <= LITTLE * LITTLE * error &&
                                  !was_called_between(calls, n, reported->t, calls->t[i], calls->t[j]);
            if (!adjacent && !(off <= exact)) continue;
            /* error of the chord of calls i and j at its zero, for the motion x'' = -x, s */
            const double of_chord = 0.5 * (reported->t - calls->t[i]) * (calls->t[j] - reported->t) *
                                    fabs(reported->x / reported->v);
            if (!(of_chord >= OWN * error)) continue;
            const bool second = is_of_chord(calls, reported->t_right, i, exact) ||
                                is_of_chord(calls, reported->t_right, j, exact);
            count = second ? 2 : 1;
        }
    }
    return count;
}

/* Whether t is an end of a step: the guard was called there, and not otherwise within the time
   error. */
static bool is_end_of_step(const ic_probe_calls *calls, double t, double error)
{
    const size_t n = ic_probe_calls_kept(calls);
    bool asked = false;
    for (size_t i = 0; i < n; i++) {
        const double apart = fabs(calls->t[i] - t);
        if (apart > ic_tolerance_same_time.value && apart < 0.5 * fabs(error)) return false;
        asked |= apart <= ic_tolerance_same_time.value;
    }
    return asked;
}

/* Whether the solver found the right time and reports another: its call with the least |g| is at
   the impact. */
static bool knows_better(const ic_probe_calls *calls, double t_right, double late)
{
    const size_t n = ic_probe_calls_kept(calls);
    size_t nearest = 0;
    for (size_t i = 1; i < n; i++) {
        if (fabs(calls->g[i]) < fabs(calls->g[nearest])) nearest = i;
    }
    return n > 0 && fabs(calls->t[nearest] - t_right) <= LITTLE * fabs(late);
}

/* A chord differs from the motion if their distance exceeds this multiple of rounding. */
#define LONG_CHORD 100.0

/* A state that the solver has called the guard or the flow with. */
typedef struct called {
    double t, x, v;
} called;

/* Those of the guard, and those of the flow that are on the motion, as ends of steps are. */
static size_t list_called(called *all, const ic_probe_calls *calls, double exact)
{
    size_t n = 0;
    for (size_t i = 0; i < ic_probe_calls_kept(calls); i++)
        all[n++] = (called){calls->t[i], calls->x[i], calls->v[i]};
    for (size_t i = 0; i < IC_PROBE_CALLS && i < calls->flow_count; i++) {
        const called c = {calls->flow_t[i], calls->flow_x[i], calls->flow_v[i]};
        if (hypot(c.x - cos(c.t), c.v + sin(c.t)) <= exact) all[n++] = c;
    }
    return n;
}

/* Whether both components of the state are on a chord that differs from the motion. */
static bool is_on_chord(const ic_probe_calls *calls, const ic_reported_impact *reported)
{
    called all[2 * IC_PROBE_CALLS];
    const size_t n = list_called(all, calls, LITTLE * reported->beside);
    const double exact = fmax(FORMULA * reported->beside, SAME_STATE);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            const double t0 = all[i].t, t1 = all[j].t, u = (reported->t - t0) / (t1 - t0);
            const double bulge = /* of the motion over the chord: |x''| <= 1 */
                0.5 * (reported->t - t0) * (t1 - reported->t);
            if (!(t0 < reported->t && t1 > reported->t && bulge > LONG_CHORD * exact)) continue;
            const double x = all[i].x + u * (all[j].x - all[i].x), v = all[i].v + u * (all[j].v - all[i].v);
            if (fabs(x - reported->x) <= exact && fabs(v - reported->v) <= exact) return true;
        }
    }
    return false;
}

ic_mistake_id ic_location_cause(const ic_probe_calls *calls, const ic_reported_impact *reported)
{
    const double late = reported->t - reported->t_right;
    const bool on_wall = reported->beside < LITTLE * fabs(late);
    if (reported->beside > ic_tolerance_same_time.value && is_on_chord(calls, reported))
        return IC_MISTAKE_LINEAR_STATE;
    if (reported->beside > BESIDE * fabs(late)) return IC_MISTAKE_ENERGY_APPEARS;
    if (calls->count > 0 && late > 0 && reported->t >= calls->latest - ic_tolerance_same_time.value && !on_wall)
        return IC_MISTAKE_NO_EVENT_LOCATION;
    /* the guard may be called again at the zero of a chord, as at an end of a step */
    const int chords = count_chords(calls, reported);
    if (chords != 1 && on_wall && fabs(late) > CLEARLY_LATE &&
        (is_end_of_step(calls, reported->t, late) || knows_better(calls, reported->t_right, late)))
        return IC_MISTAKE_STALE_TIME;
    switch (chords) {
    case 1: return IC_MISTAKE_LINEAR_EVENT_LOCATION;
    case 2: return IC_MISTAKE_LOCATION_CUT_SHORT;
    default: return reported->beside > LITTLE * fabs(late) ? IC_MISTAKE_RESIDUAL_TOLERANCE : IC_NO_MISTAKE;
    }
}
