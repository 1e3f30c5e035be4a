/* SPDX-License-Identifier: MIT */
/* Accumulation: contract, clause 6. */
#include "core/loop.h"

#include <float.h>
#include <math.h>

/*
 * Accumulation is declared when the remaining sum of the geometric series is below this many event
 * tolerances. The intervals are then still some hundred times longer than the error of their ends.
 */
#define ACCUMULATION_RESOLUTION 1000.0

/*
 * If the excursions of the guard are below its rounding error, the limit may be extrapolated by at
 * most this fraction of the typical time.
 */
#define MOST_EXTRAPOLATED 1e-3

/*
 * Excursions below so many rounding errors of the guard show nothing of the motion, nor do those below rtol.
 */
#define CLEAR_OF_ROUNDING 4.0

/*
 * Impacts at one instant have reached their limit when less than this part of the first one's speed is left.
 */
#define NEGLIGIBLE 1e-12

/*
 * Whether the last firings of one guard, or of several guards in turn, form a geometric series that
 * has converged: the sum of its remainder, *rest, is below the resolution of time, or its
 * excursions are below the rounding error of the guard, and its rounds have shrunk with them.
 */
bool ic_loop_accumulates(ic_loop *l, ic_watch watch, double rate, double *rest)
{
    const ic_phase *phase = &l->phase;
    ic_round rounds[IC_LEAST_ROUNDS];
    if (!ic_firings_add(&l->firings, watch, phase->t, rate, rounds)) return false;
    const double last = rounds[0].length, before = rounds[1].length;
    const double ratio = last / before, earlier = before / rounds[2].length;
    const double resolution = ACCUMULATION_RESOLUTION * ic_phase_instant_width(phase);
    const double most = fmax(MOST_EXTRAPOLATED * phase->time_scale, resolution);
    /* The limit as the rounds before the last one give it. */
    const double limit = earlier < 1 ? before * earlier / (1 - earlier) - last : INFINITY;
    *rest = last * ratio / (1 - ratio);
    /* Two firings that happen to be close are no series. */
    const bool resolved = *rest <= resolution && limit <= most;
    if (!resolved && *rest > most) return false;
    const double rounding = ic_watch_rounding(phase, watch, phase->t, phase->x, l->x_post);
    const bool hidden = rounds[0].excursion <= rounding;
    const double error = fmax(CLEAR_OF_ROUNDING, l->options.rtol / (IC_INSTANT_ULPS * DBL_EPSILON)) * rounding;
    if (!resolved && !(hidden && limit <= most && !ic_firings_keep_pace(&l->firings, error))) return false;
    /* Rounding may have shortened the last round. */
    if (hidden && limit >= 0 && limit <= most) *rest = limit;
    return true;
}

/*
 * Whether the impacts of a stop at this instant, which other stops have turned again each time, are infinitely many.
 * Their speeds then form a geometric series of a ratio q < 1. If the ratio still changes by d each time, the series
 * may end where it has become zero, after q/d impacts more, which have reduced the speed by q^(q/d). Once one
 * stop has been found at its limit, so are the others of the chain.
 */
bool ic_loop_collapses(ic_loop *l)
{
    double rates[3] = {0};
    size_t n = 0;
    for (size_t i = l->n_fired; i-- > 0 && n < IC_COUNT(rates);) {
        if (ic_same_watch(l->fired[i].watch, l->fired[l->n_fired - 1].watch))
            rates[n++] = fabs(l->fired[i].rate);
    }
    if (n < IC_COUNT(rates)) return false;
    const double ratio = rates[0] / rates[1], change = fabs(ratio - rates[1] / rates[2]);
    l->collapsed = l->collapsed || (ratio < 1 && pow(ratio, ratio / change) < NEGLIGIBLE);
    return l->collapsed;
}
