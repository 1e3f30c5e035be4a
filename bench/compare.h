/* SPDX-License-Identifier: MIT */
/**
 * Compares new results with old ones, row by row, and reports what is worse.
 *
 * A row that only the old file has is worse, unless the new one is a part (`part`). Status and events: a row that ended well must still do so, with the same number of events, and a
 * correct event sequence must stay correct. Errors are the same in each run of one program; another
 * compiler or C library rounds differently. An error is worse if it exceeds
 *
 *     error_factor max(old error, floor),
 *
 * where `floor`, the old row's noise / IC_COMPARE_NOISE_PARTS, is some twenty roundings of the
 * simulated time: smaller errors consist of rounding alone. Work counts are exact where both C
 * libraries round alike (`arithmetic` of ic_cost_machine): a count is worse if it exceeds work_factor times
 * the old one, 1 by default. Where they round differently, an adaptive step that is barely accepted
 * may be rejected: a count is then worse above 1.1 times the old one plus 16, and for rejected
 * steps and root iterations, which are few, above twice the old one. Times are relative to the
 * calibration run made with them. A time is worse if its median exceeds time_factor times the old
 * one and, by the Mann-Whitney test, the new times are greater, at the level alpha for all rows
 * together (Holm 1979: the smallest of n p-values is compared with alpha/n, the next one with
 * alpha/(n - 1), ...). Times of a row that the machine's load disturbed in either file are not compared
 * (ic_cost_is_noisy), and such rows are counted.
 */
#pragma once

#include "bench/cost.h"

/* Defaults. A factor of 2 is one bit of the error. */
#define IC_COMPARE_ERROR_FACTOR 2.0
#define IC_COMPARE_NOISE_PARTS 100.0
#define IC_COMPARE_WORK_FACTOR 1.0
/* Measured with the C library's functions for processors without FMA: 2.5 %, and 55 % for root
   iterations. */
#define IC_COMPARE_WORK_FACTOR_ELSEWHERE 1.1
#define IC_COMPARE_FEW_FACTOR_ELSEWHERE 2.0
#define IC_COMPARE_WORK_SLACK_ELSEWHERE 16.0
/* On one machine, medians of nine repetitions repeat within some 10 %; the calibration run removes
   the difference between two machines up to a factor of about 2. */
#define IC_COMPARE_TIME_FACTOR 1.25
#define IC_COMPARE_TIME_FACTOR_ELSEWHERE 2.5
#define IC_COMPARE_ALPHA 0.01

typedef struct ic_compare_options {
    /* 0: the default */
    double error_factor, work_factor, time_factor, alpha;

    bool no_times;

    /* the new results are some of the rows: those that only the old file has are no loss */
    bool part;
} ic_compare_options;

/** Quantities, in the order in which they are reported. */
enum {
    IC_COMPARE_ROW,
    IC_COMPARE_STATUS,
    IC_COMPARE_EVENTS,
    IC_COMPARE_ERROR,
    IC_COMPARE_FLOW_CALLS,
    IC_COMPARE_GUARD_CALLS,
    IC_COMPARE_STEPS,
    IC_COMPARE_REJECTED_STEPS,
    IC_COMPARE_ROOT_ITERATIONS,
    IC_COMPARE_TIME,
    IC_COMPARE_QUANTITIES
};
const char *ic_compare_quantity(int quantity);

typedef struct ic_difference {
    /* the two results compared; IC_COMPARE_ROW: twice the one that is missing */
    const ic_cost_row *old, *new;

    int quantity;
    bool worse;

    /* NAN: none, a failed run, or another sequence of events */
    double from, to;

    /* of a time; otherwise NAN */
    double p;
} ic_difference;

typedef struct ic_comparison {
    ic_difference *differences;
    size_t count, capacity;

    /* rows present in both */
    size_t common, only_old, only_new;

    /* rows whose times were compared, and those that load kept from that */
    size_t timed, noisy;

    /* differences */
    size_t worse;

    /* with defaults filled in */
    ic_compare_options options;

    bool same_machine, same_arithmetic;
} ic_comparison;

/** Compares two results. false: memory ran out. Release with ic_comparison_free in either case. */
bool ic_compare(ic_comparison *comparison, const ic_cost_results *old, const ic_cost_results *new,
                const ic_compare_options *options);
void ic_comparison_free(ic_comparison *comparison);
