/* SPDX-License-Identifier: MIT */
/**
 * Load of the machine during a measurement. Processor time does not count other processes, but they
 * empty caches, and share a core or its clock. A timing counts as disturbed if this thread was
 * interrupted for another one, or the calibration runs around it differ by more than
 * IC_LOAD_CALIBRATION; a row is noisy if more than a third of its timings were disturbed, and the
 * whole measurement if more than IC_LOAD_DISTURBED of all, if another virtual machine took more than
 * IC_LOAD_STOLEN of the time, or if more threads wanted to run than there are processors.
 */
#pragma once

#include "bench/cost.h"

#define IC_LOAD_CALIBRATION 1.15
#define IC_LOAD_DISTURBED 0.1
#define IC_LOAD_STOLEN 0.02

/** Processor time since the machine started, in its ticks; NAN where the system does not tell it. */
typedef struct ic_load_ticks {
    double all, busy, stolen;
} ic_load_ticks;

/** Reads a line of /proc/stat. */
ic_load_ticks ic_load_ticks_of(const char *line);

typedef struct ic_load_watch {
    ic_load_ticks ticks;

    /* processor time of this process, s */
    double own;
} ic_load_watch;

/** Begins and ends a measurement; between them, timings are counted in `load`. */
ic_load_watch ic_load_begin(ic_cost_load *load);
void ic_load_end(ic_cost_load *load, const ic_load_watch *watch);

/** "quiet: 1 % of 5000 timings disturbed, ...", or "noisy: ..."; "" if nothing was timed. */
void ic_load_describe(char *text, size_t size, const ic_cost_load *load, int cores);
