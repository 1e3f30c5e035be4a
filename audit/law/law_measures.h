/* SPDX-License-Identifier: MIT */
/**
 * What is measured of a law that needs no other law: promises, energy, memory, rates; each in its
 * worst setting of the parameters.
 */
#ifndef IC_AUDIT_LAW_MEASURES_H
#define IC_AUDIT_LAW_MEASURES_H

#include "audit/law/law_probe.h"

typedef enum ic_law_measure {
    IC_OF_ONSET,
    IC_OF_GAP,
    IC_OF_CONTINUITY,
    IC_OF_TENSION,
    IC_OF_DISSIPATION,
    IC_OF_REBOUND,
    IC_OF_RATE,
    IC_OF_ENERGY_HELD,
    IC_OF_RISING,
    IC_OF_PUSHING,
    IC_LAW_MEASURES
} ic_law_measure;

/** The worst of a measure, and where that is. */
typedef struct ic_law_worst {
    bool measured;
    double value;

    /* m, m/s, m/s; NAN where it belongs to no single indentation or rate */
    double d, v, v0;

    ic_law_setting setting;
} ic_law_worst;

typedef struct ic_law_measures {
    ic_law_probe probe;
    ic_law_setting setting;
    ic_law_worst worst[IC_LAW_MEASURES];

    /* change of an answer by others, relative */
    double memory;

    /* the memory is the same whatever the speed */
    bool memory_stuck;

    size_t n_settings;

    /* where answers began not to be finite */
    ic_law_setting spoilt;

    /* at 0.3, 1 and 3 m/s and the defaults */
    double restitution[3];
} ic_law_measures;

/** All of them, over settings and speeds. */
void ic_law_measure_all(ic_law_measures *m, ic_sink *sink);

#endif
