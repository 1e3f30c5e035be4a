/* SPDX-License-Identifier: MIT */
/**
 * Spans of a tracked trajectory: from one row over some intervals to another, with the case's
 * events in between. Longer than an interval, so that parameters show more than noise does, and
 * shorter than a typical time, so that errors do not grow.
 */
#ifndef IC_AUDIT_TRAJECTORY_SPANS_H
#define IC_AUDIT_TRAJECTORY_SPANS_H

#include "audit/trajectory/tracking.h"

typedef struct ic_span {
    ic_interval first;

    /* row */
    size_t to;

    /* the case gets there, noise of its first row or not, by the same events */
    bool good;

    /* of the case */
    size_t events;

    int mode_end;
} ic_span;

typedef struct ic_spans {
    const ic_tracking *k;
    ic_span *spans;
    size_t n;

    /* of the longest */
    double seconds;

    /* spans that a row is shared by */
    double shared;

    /* of each span and state: where the case ends; the deviation that noise gives the row from
       that; what rounded times make of it */
    double *end, *deviation, *slack;
} ic_spans;

/**
 * Some spans, evenly, and others with events, with where the case leads. false: no memory. Close
 * them in either case.
 */
bool ic_spans_open(ic_spans *spans, const ic_tracking *k);
void ic_spans_close(ic_spans *spans);

/** The case from a span's first row to its last, by a predictor that may have other parameters. */
void ic_span_predict(ic_prediction *end, const ic_spans *spans, size_t i, const ic_predictor *predictor);

/** Whether a prediction goes the same way as the case itself. */
bool ic_span_same_way(const ic_spans *spans, size_t i, const ic_prediction *end);

/** Whether a state is measured, so that its rows are evidence. */
bool ic_state_is_measured(const ic_tracking *k, size_t j);

/**
 * Of a state's range: rounding of sixteen digits over a span, and what the solver leaves at
 * IC_SPAN_RTOL.
 */
#define IC_SPAN_ROUNDING 1e-13
#define IC_SPAN_RTOL 1e-13

#endif
