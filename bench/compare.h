/* SPDX-License-Identifier: MIT */
/**
 * Whether new results are worse than old ones, row by row.
 *
 * Status and events: a row that ended well must still do so, with as many events, and an event sequence that was right must still be.
 * Errors are the same in each run of one program; another compiler or C library rounds otherwise. Worse is an error above
 *     error_factor max(old error, floor),
 * where `floor`, the old row's noise / IC_COMPARE_NOISE_PARTS, is some twenty roundings of the time that was run: below it an error is
 * made of roundings alone.
 * Work counts are exact where both C libraries round alike (ic_cost_same_arithmetic): worse is any count above work_factor times
 * the old one, which is 1 by default. Where they round otherwise, an adaptive step that is just accepted is just rejected: worse is a count
 * above 1.1 times the old one and 16 more, and of rejected steps and root iterations, of which there are few, above twice.
 * Times are told relative to the calibration run beside them. Worse is a median above time_factor times the old one, if by the
 * Mann-Whitney test the new times are greater, at the level alpha for all rows together (Holm 1979: the smallest of n p-values is held
 * against alpha/n, the next one against alpha/(n - 1), ...).
 */
#ifndef IC_BENCH_COMPARE_H
#define IC_BENCH_COMPARE_H

#include "bench/cost.h"

/* Defaults. A factor of 2 is one bit of the error. */
#define IC_COMPARE_ERROR_FACTOR 2.0
#define IC_COMPARE_NOISE_PARTS 100.0
#define IC_COMPARE_WORK_FACTOR 1.0
/* Measured with the C library's functions for processors without FMA: 2.5 %, and 55 % of root iterations. */
#define IC_COMPARE_WORK_FACTOR_ELSEWHERE 1.1
#define IC_COMPARE_FEW_FACTOR_ELSEWHERE 2.0
#define IC_COMPARE_WORK_SLACK_ELSEWHERE 16.0
/* On one machine medians of nine repetitions repeat within some 10 %; the calibration run takes the difference between two machines out
 * up to a factor of about 2. */
#define IC_COMPARE_TIME_FACTOR 1.25
#define IC_COMPARE_TIME_FACTOR_ELSEWHERE 2.5
#define IC_COMPARE_ALPHA 0.01

typedef struct ic_compare_options {
    double error_factor, work_factor, time_factor, alpha; /* 0: the default */
    bool no_times;
} ic_compare_options;

/** Quantities: in the order of this list they are told. */
enum {
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

/** A difference that counts. */
typedef struct ic_difference {
    const ic_cost_row *old, *new; /* of the results that were compared */
    int quantity;
    bool worse;
    double from, to; /* NAN: none, a failed run, another sequence of events */
    double p;        /* of a time; else NAN */
} ic_difference;

typedef struct ic_comparison {
    ic_difference *differences;
    size_t count, capacity;
    size_t common, only_old, only_new; /* rows */
    size_t timed;                      /* rows of which times were compared */
    size_t worse;                      /* differences */
    ic_compare_options options;        /* with defaults filled in */
    bool same_machine, same_arithmetic;
} ic_comparison;

/** Compare. false: memory ran out. Release with ic_comparison_free in either case. */
bool ic_compare(ic_comparison *comparison, const ic_cost_results *old, const ic_cost_results *new,
                const ic_compare_options *options);
void ic_comparison_free(ic_comparison *comparison);

#endif
