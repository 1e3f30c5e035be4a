/* SPDX-License-Identifier: MIT */
/**
 * Measures of a law that need no other law: promises, energy, memory and rates, each at the worst
 * setting of the parameters.
 */
#ifndef IC_AUDIT_LAW_MEASURES_H
#define IC_AUDIT_LAW_MEASURES_H

#include "audit/law/law_calls.h"
#include "audit/law/law_claim.h"
#include "audit/law/law_probe.h"

typedef enum ic_law_measure {
    IC_OF_ONSET,
    IC_OF_GAP,
    IC_OF_CONTINUITY,
    IC_OF_TENSION,
    IC_OF_DISSIPATION,
    IC_OF_REBOUND,
    IC_OF_HISTORY,
    IC_OF_RATE,
    IC_OF_ENERGY_HELD,
    IC_OF_RISING,
    IC_OF_PUSHING,
    IC_OF_KINK,
    IC_LAW_MEASURES
} ic_law_measure;

/** The worst value of a measure, and where it occurs. */
typedef struct ic_law_worst {
    bool measured;
    double value;

    /*
     * indentation, m, its rate, m/s, and v0, m/s; NAN: the measure does not belong to a single
     * indentation or rate
     */
    double d, v, v0;

    ic_law_setting setting;
} ic_law_worst;

typedef struct ic_law_measures {
    ic_law_probe probe;
    ic_law_setting setting;
    ic_law_worst worst[IC_LAW_MEASURES];

    /* relative change of a result by other calls */
    double memory;

    /* the memory is the same at every speed */
    bool memory_stuck;

    size_t n_settings;

    /* the first setting with a result that is not finite */
    ic_law_setting spoilt;

    ic_law_calls calls;

    /* the force at rest pulls */
    bool pulls;

    /* the memory of a law with a history does not change its force at any setting */
    bool history_unused;

    /* a mistake in the force is known that explains wrong energies and texts */
    bool explained;

    ic_law_claim_result claim;

    /* where the force begins without a jump, although reach() says otherwise, m; NAN: not so */
    double begins;
} ic_law_measures;

/** Takes all measures over settings and speeds. */
void ic_law_measure_all(ic_law_measures *m, ic_finding_writer *writer);

/** Index of the first parameter that changes no answer; n_parameters: none. */
size_t ic_law_find_idle(ic_law_probe *probe);

#endif
