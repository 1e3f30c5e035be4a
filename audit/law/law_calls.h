/* SPDX-License-Identifier: MIT */
/**
 * What a law's functions do beside their answers: memory that they keep, the processor's rounding mode, bytes of
 * uninitialised memory and earlier impacts that show in answers, and numbers of few digits.
 */
#ifndef IC_AUDIT_LAW_CALLS_H
#define IC_AUDIT_LAW_CALLS_H

#include "audit/law/law_probe.h"

typedef struct ic_law_calls {
    /* bytes that one call adds to the heap; NAN: the allocator does not tell */
    double kept;

    /* a function changes the rounding mode */
    bool rounding;

    /* greatest relative difference of answers by other bytes in uninitialised memory; NAN: not known */
    double unset;

    /* the system has refused a process that was to tell `unset`, `stuck` or `kept_parameter` */
    bool refused;

    /* the memory of an impact is that of the first one */
    bool stuck;

    /* what has the digits of single precision: "d", "v", a parameter, "the force"; NULL: nothing */
    const char *single;

    /* the parameter whose first value is kept; n_parameters: none */
    size_t kept_parameter;
} ic_law_calls;

/** Takes what only the first impact of a process shows; to be called before any function of the law. */
void ic_law_calls_begin(ic_law_calls *calls, const ic_law *law, const double *par);

/** Takes the rest, after all other measures. */
void ic_law_calls_end(ic_law_calls *calls, ic_law_probe *probe);

/** Adds rows. */
void ic_law_calls_write(ic_finding_writer *writer, const ic_law_calls *calls);

#endif
