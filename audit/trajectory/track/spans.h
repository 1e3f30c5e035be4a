/* SPDX-License-Identifier: MIT */
/**
 * Spans of several intervals of a tracked trajectory, with the case's events in them. They are
 * longer than an interval, so that the effect of parameters exceeds noise, and shorter than a
 * typical time, so that errors do not grow.
 */
#ifndef IC_AUDIT_TRAJECTORY_TRACK_SPANS_H
#define IC_AUDIT_TRAJECTORY_TRACK_SPANS_H

#include "audit/trajectory/track/tracking.h"

typedef struct ic_span {
    ic_interval first;

    /* row */
    size_t to;

    /*
     * True if the case reaches the row through the same events with and without the noise of the
     * first row.
     */
    bool good;

    /* events of the case in it */
    size_t events;

    int mode_end;
} ic_span;

typedef struct ic_spans {
    const ic_tracking *k;
    ic_span *spans;
    size_t n;

    /* duration of the longest */
    double seconds;

    /* number of spans that share a row */
    double shared;

    /*
     * For each span and state: the end of the case; the deviation of the row from it caused by
     * noise; the change caused by rounded times.
     */
    double *end, *deviation, *slack;
} ic_spans;

/**
 * Choose evenly spread spans and spans with events, and predict their ends. false: memory ran out;
 * close them in either case.
 */
bool ic_spans_open(ic_spans *spans, const ic_tracking *k);
void ic_spans_close(ic_spans *spans);

/** Predict a span's end by a predictor that may have other parameters. */
void ic_span_predict(ic_prediction *end, const ic_spans *spans, size_t i, const ic_predictor *predictor);

/** Whether a prediction has the same events and final mode as the case. */
bool ic_span_same_way(const ic_spans *spans, size_t i, const ic_prediction *end);

/** Whether a state is measured, so that its values are evidence. */
bool ic_state_is_measured(const ic_tracking *k, size_t j);

/** Rounding over a span, and the solver's error at IC_SPAN_RTOL, relative to a state's range. */
#define IC_SPAN_ROUNDING 1e-13
#define IC_SPAN_RTOL 1e-13

#endif
