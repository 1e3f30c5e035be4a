/* SPDX-License-Identifier: MIT */
/**
 * What is kept of a long run, where that is not everything: events as a count, samples from one on, and extremes by windows, each
 * from one sample to the next. Set by who reads the log, before the run; solvers do not know of it.
 */
#ifndef IC_CORE_LOG_SCOPE_H
#define IC_CORE_LOG_SCOPE_H

#include "impactcheck/impactcheck.h"

typedef struct ic_log_scope {
    size_t samples;      /* as in the options of the run; >= 2 */
    size_t first_sample; /* earlier ones are counted, and not kept */
    size_t first_window,
        n_windows; /* window i reaches from sample first_window + i to the next, both included */
    size_t first_output, n_outputs; /* whose extremes are followed */
} ic_log_scope;

/** Narrow an empty log: from here on events are counted, and not kept. IC_OK or IC_NO_MEMORY. */
ic_status ic_log_narrow(ic_log *log, const ic_log_scope *scope);

/** The scope, or NULL: everything is kept, and extremes are those of the run. */
const ic_log_scope *ic_log_scope_of(const ic_log *log);

/** Least and greatest value of output first_output + i in a window; NAN where there is none. `final` and times are not kept. */
ic_extreme ic_log_window_extreme(const ic_log *log, size_t window, size_t i);

/** The windows that a time lies in: *n of them (0, 1 or 2) from the number returned. */
size_t ic_log_windows_at(const ic_log *log, double t, size_t *n);

/** Time of sample i of `samples`, equidistant from start to end of a problem. */
double ic_sample_time(const ic_problem *problem, size_t samples, size_t i);

#endif
