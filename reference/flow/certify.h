/* SPDX-License-Identifier: MIT */
/**
 * Certified answers: enclosures of every event time and state of a problem, with a proof that no event
 * was skipped and that each event is a simple crossing. A problem needs all its formulas as operations
 * (ic_setup_exact), or as texts of a linear view.
 */
#pragma once

#include "impactcheck/impactcheck.h"
#include "reference/ball.h"

#include <stdio.h>

/** An event; its balls are proved to contain the exact values. */
typedef struct ic_ball_event {
    ic_event_kind kind;

    /* name of the guard or time event */
    const char *name;

    int sequence, mode_from, mode_to;

    /* numbers of a guard that is zero by theorem in the mode before, and in that after; -1: none is */
    int zero_before, zero_after;

    /* s */
    arb_t t;

    /* states before the event, n elements */
    arb_ptr before;

    /* states after the event, n elements */
    arb_ptr after;
} ic_ball_event;

typedef struct ic_certificate {
    /* IC_OK: proved to the end; otherwise the contents are proved up to the failure that `reason`
       describes */
    ic_status status;

    /* explanation where status is not IC_OK */
    char reason[320];

    /* whether a text confirms it (judge/judge.h): "confirmed", "contradicted", or "not judged: " and the reason; or "" */
    char judged[240];

    /* precision that sufficed, bits */
    slong precision;

    /* Taylor steps of all attempts */
    size_t steps;

    /* number of states */
    slong n;

    /* states at the start; meaningless where even that is undecided */
    arb_ptr start;

    /* mode at the start */
    int mode_at_start;

    ic_ball_event *events;
    size_t count, capacity;

    /* time reached: the end, where status is IC_OK */
    arb_t t;

    /* state at that time */
    arb_ptr x;

    /* if they were asked for: extremes up to that time, by quantity (flow_extremes.h) */
    struct ic_flow_extreme *extremes;
    size_t n_extremes;

    /* Mode at that time; -1: even the start is undecided, and the state is meaningless. */
    int mode;
} ic_certificate;

/** Limits of a certification. Zero selects the default. */
typedef struct ic_certify_options {
    /* radii are at most 10^-digits time scales, or scales of states; default 15 */
    long digits;

    /* bits of the first attempt in addition to those of a typical run */
    long spare_bits;

    /* bits; default 16384 */
    long max_precision;

    /* default 100000 */
    size_t max_events;

    /* where to write a proof of the answer (docs/proof-format.md); NULL: nowhere */
    FILE *proof;

    /* enclose the extremes of outputs, too */
    bool extremes;

    /* receives the course of each attempt; may be NULL */
    const struct ic_flow_witness *witness;

    /* processor time, s, after which the work ends with IC_TOO_MUCH_WORK; default: no limit */
    double time_limit;

    /* called at intervals with the time reached, for progress; may be NULL */
    void (*watch)(double t, size_t events, void *context);

    /* times before the end, ascending, s */
    const double *times;
    size_t n_times;

    /* called there with t, x and mode, in each attempt anew from the first one; not together with a proof */
    void (*at_time)(size_t number, const struct ic_certificate *certificate, void *context);

    void *context;
} ic_certify_options;

/**
 * Certifies a problem from its start to its end. Parameters are exact where problem->par_text
 * provides them. The precision is increased until the digits are reached, or two attempts come no further: then
 * `reason` is the first. Release the certificate with ic_certificate_clear in any case.
 */
void ic_certify(ic_certificate *certificate, const ic_problem *problem, const ic_certify_options *options);
void ic_certificate_clear(ic_certificate *certificate);

/**
 * Encloses an output of the problem's case at an event's or the final state, in a mode. false: the
 * output has no value there, or is not known as a formula.
 */
bool ic_certified_output(arb_t value, const ic_problem *problem, const ic_output *output, int mode,
                         const arb_t t, arb_srcptr x, slong precision);

/**
 * Writes a ball as decimal text: `digits` significant digits of its centre, and a radius (2 digits,
 * rounded up) that includes the rounding of the centre. Release the strings with free().
 */
bool ic_ball_decimal(char **value, char **radius, const arb_t ball, long digits);
