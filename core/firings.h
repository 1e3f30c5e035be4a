/* SPDX-License-Identifier: MIT */
/** The last firings of guards, and the test for accumulation: contract, clause 6. */
#pragma once

#include "core/watch.h"

#include <stddef.h>

/**
 * Number of intervals from which on accumulation is examined, and greatest number of guards that
 * may fire in turn.
 */
enum { IC_LEAST_ROUNDS = 3, IC_ACCUMULATION_GUARDS = 8 };

/* Number of the last firings that the test reads, and room for more, so that they are seldom moved. */
enum { IC_FIRINGS_SEEN = IC_LEAST_ROUNDS * IC_ACCUMULATION_GUARDS + 1, IC_FIRINGS_ROOM = 2 * IC_FIRINGS_SEEN };

/* Number of rounds that are kept of a series: its excursions fall below rounding after 53 halvings. */
enum { IC_ROUNDS_KEPT = 60 };

/** One round: all guards of a series have fired once. */
typedef struct ic_round {
    /* s */
    double length;

    /* The length times the modulus of the guard's rate at its end, in the unit of the guard. */
    double excursion;
} ic_round;

typedef struct ic_firings {
    /* Guards in order of firing; the last one has the index count - 1. */
    struct {
        ic_watch watch;

        /* s */
        double t;

        /* the modulus of the guard's rate then */
        double rate;
    } last[IC_FIRINGS_ROOM];

    size_t count;

    /*
     * For each number of guards: how many of the last firings were by the guard that fired that many firings
     * before.
     */
    size_t again[IC_ACCUMULATION_GUARDS + 1];

    /* Number of guards that fire in turn; 0: there is no series. One of them, which ends the rounds below. */
    size_t in_turn;
    ic_watch ends;

    /* Rounds of the series, the first first. Each excursion is at most half of that before. */
    ic_round kept[IC_ROUNDS_KEPT];

    size_t n_kept;
} ic_firings;

/** Begin a new series. */
void ic_firings_forget(ic_firings *f);

/**
 * Add a firing at the time t, s, at which the guard has the given rate. Returns true if the same guards
 * have fired in turn and the last round was shorter than that before it. `rounds` then receives the last
 * rounds, the latest first.
 */
bool ic_firings_add(ic_firings *f, ic_watch watch, double t, double rate, ic_round rounds[IC_LEAST_ROUNDS]);

/**
 * Whether the rounds of the series are as long as before although their excursions have shrunk, as far as
 * these exceed the error `error` of the guard: an oscillation that decays keeps its period. The times of its
 * last firings are errors of the solver, and may look like a series that converges.
 */
bool ic_firings_keep_pace(const ic_firings *f, double error);
