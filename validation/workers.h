/* SPDX-License-Identifier: MIT */
/**
 * Processes that share work of many parts. Each is a copy of this one, takes parts that no other has taken,
 * and sends messages, which are read here as they arrive. A pointer in a message is valid here, too, if what it
 * points to existed before the processes were started.
 */
#pragma once

#include "core/expression.h"

#include <stdio.h>

/** One of the processes. */
typedef struct ic_worker ic_worker;

/** Begin a part of about `cost` ms, which ends the part before. false: another process does it. */
bool ic_worker_take(ic_worker *worker, size_t part, unsigned cost);

/** Send a message. It does not return if nobody reads it any more. */
void ic_worker_send(ic_worker *worker, const void *bytes, size_t size);

/** End the process: memory ran out. */
_Noreturn void ic_worker_lacks_memory(ic_worker *worker);

/** Work of many parts. */
typedef struct ic_workers {
    /* processes at most */
    size_t jobs;

    size_t parts;

    /* sum of the costs of all parts, ms; 0: parts are alike */
    unsigned long cost;

    /* in each process: do all parts that can be taken */
    void (*work)(ic_worker *worker, void *context);

    /* here, for each message; false: no other message is needed */
    bool (*read)(const void *bytes, size_t size, void *context);

    /* here: the process that did this part was ended, and another takes its place, unless this returns false;
       NULL: that is an error */
    bool (*lost)(size_t part, const char *how, void *context);

    void *context;

    /* memory shared by all processes, while they run */
    struct ic_workers_board *board;
} ic_workers;

/**
 * Do the work. false: `error` gives the reason, or is "" if a process has reported its failure itself. All
 * processes have ended.
 */
bool ic_workers_run(ic_workers *workers, ic_error *error);

/** Progress of the work, for functions that watch it. */
typedef struct ic_workers_progress {
    size_t done, parts;

    /* share of the estimated cost that is done; 0 to 1 */
    double share;
} ic_workers_progress;

/** NULL, or before the processes run: all zero. */
ic_workers_progress ic_workers_progress_of(const ic_workers *workers);

/** Parts whose answers are wanted in order. */
typedef struct ic_ordered_work {
    /* processes at most, and the parts from first to parts - 1 */
    size_t jobs, first, parts;

    /* in a process: do a part, and write its answer */
    void (*work)(FILE *answer, size_t part, void *context);

    /* here, part after part, whatever the number of processes: false: no later answer is needed */
    bool (*take)(const char *answer, size_t size, size_t part, void *context);

    /* the same of a part whose process was ended; NULL: that is an error */
    bool (*lost)(const char *how, size_t part, void *context);

    void *context;
} ic_ordered_work;

/** Do the work, with errors as above. */
bool ic_workers_run_ordered(const ic_ordered_work *work, ic_error *error);

/** End all processes that run now, and theirs. For handlers of signals that end the program. */
void ic_workers_interrupt(void);

/** Processor time of this process, s: other processes do not prolong it. */
double ic_processor_time(void);
