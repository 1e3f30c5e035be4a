/* SPDX-License-Identifier: MIT */
/** Certified answers in the form that checks compare with: doubles with radii. */
#pragma once

#include "impactcheck/impactcheck.h"
#include "reference/law/contact_law.h"

typedef struct ic_truth_event {
    /* the true time lies within radius of t, s */
    double t, radius;

    /* no time of its own is stored: t is the mean time of the untimed ones in a row, radius reaches the timed ones */
    bool untimed;

    /* number of untimed events just before this one */
    size_t omitted;

    /* the mean of their true times lies within mean_radius of their t, s */
    double mean_radius;

    char name[32];
    int mode_from, mode_to;

    /* the limit of an accumulation */
    bool limit;
} ic_truth_event;

typedef struct ic_truth {
    /* IC_OK: certified to t_end; otherwise the reason for which the certified part ends. */
    ic_status status;

    char reason[320];
    ic_truth_event *events;
    size_t count, capacity;

    /* end of the certified part: end of the run, a terminal mode, or the place of the reason */
    double t_end;

    int mode;

    /* state at t_end */
    double x[IC_MAX_STATES], radius[IC_MAX_STATES];
} ic_truth;

/** Digits of stored and of fresh enclosures. */
#define IC_TRUTH_DIGITS 20

/** Certify a problem now. */
void ic_truth_certify(ic_truth *truth, const ic_problem *problem, long digits);

/** The same within some processor time, s: as far as is proved by then. */
void ic_truth_certify_within(ic_truth *truth, const ic_problem *problem, long digits, double seconds);

/**
 * Enclosures of a preset of a built-in case as stored in reference/enclosures: from its start to its own end, with
 * its own parameters. false: they do not exist, or `error` of `size` characters gives what is wrong with the file.
 */
bool ic_truth_stored(ic_truth *truth, const ic_case *system, const ic_preset *preset, char *error, size_t size);

/**
 * The event of a log that corresponds to certified event `i`; *at is its index in the log, 0 at
 * first, and afterwards the next index. The last event of a run may have others at its instant (a
 * slip at lift-off), which a solver may list before it, within `tolerance`, s: those are skipped.
 * false: the log has no more events.
 */
bool ic_truth_counterpart(ic_event *event, size_t *at, const ic_log *log, const ic_truth *truth, size_t i,
                          double tolerance);

/** The first limit of an accumulation from certified event `i` on; truth->count: there is none. */
size_t ic_truth_limit(const ic_truth *truth, size_t i);

void ic_truth_clear(ic_truth *truth);

/**
 * The certified answer to a problem whose variant is a free impact, at exactly the parameters that
 * a solver gets.
 */
void ic_free_impact_certify(ic_law_certificate *c, const ic_problem *problem);
