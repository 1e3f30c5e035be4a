/* SPDX-License-Identifier: MIT */
/**
 * Reference answers for the errors of a benchmark: certified where possible, otherwise those of two
 * accurate runs.
 */
#pragma once

#include "core/model.h"
#include "validation/truth.h"

typedef struct ic_answer {
    /* "certified", "dop853 at 1e-14", "none" */
    const char *origin;

    /* events; empty where origin is "none" */
    ic_truth truth;

    /*
     * The answer is that of accurate runs, up to the first event in which they differ. The last
     * bounces before rest are one event, whose time is not compared.
     */
    bool of_runs;
} ic_answer;

/** The answer of a preset's problem. Release it with ic_truth_clear(&answer->truth). */
void ic_answer_find(ic_answer *answer, const ic_setup *setup);

/**
 * Greatest error of an event's time, s, over the events of the answer; INFINITY where the log has
 * other or fewer events; NAN without an answer. Events closer than `tie`, s, may have another order
 * at the end of a run.
 */
double ic_answer_error(const ic_answer *answer, const ic_log *log, double tie);

/** Greatest radius of the answer's event times, s; NAN without an answer. */
double ic_answer_radius(const ic_answer *answer);
