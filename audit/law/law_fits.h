/* SPDX-License-Identifier: MIT */
/** Changes of a law whose values follow from single forces, which the search then tries on all. */
#ifndef IC_AUDIT_LAW_FITS_H
#define IC_AUDIT_LAW_FITS_H

#include "audit/law/law_changes.h"

enum { IC_FORCE_FITTED_MOST = 256, IC_FORCE_FIT_SAMPLES = 40, IC_FORCE_OTHERS_MOST = 32 };

/** Registered laws whose parameters are among those of the law at hand. */
typedef struct ic_other_laws {
    struct {
        ic_known_law law;
        size_t source[IC_LAW_PARAMETERS_MOST];

        /* its elastic force is known as well */
        bool whole;
    } of[IC_FORCE_OTHERS_MOST];

    size_t n;
} ic_other_laws;

void ic_other_laws_find(ic_other_laws *others, const ic_law_pair *pair);

/** Forces from which values are taken: some at the defaults, each with partners that differ in one quantity. */
typedef struct ic_fit_samples {
    ic_force_part part;
    size_t n, at[IC_FORCE_FIT_SAMPLES];

    /* index of a sample with another depth, rate, speed of the impact; that of the sample itself: none */
    size_t deeper[IC_FORCE_FIT_SAMPLES], faster[IC_FORCE_FIT_SAMPLES], other_impact[IC_FORCE_FIT_SAMPLES];
} ic_fit_samples;

void ic_fit_samples_choose(ic_fit_samples *chosen, const ic_law_pair *pair, ic_force_part part);

typedef struct ic_fitted_changes {
    ic_force_change of[IC_FORCE_FITTED_MOST];
    size_t n;

    /* evaluations of changed laws that it took to fit them */
    long calls;
} ic_fitted_changes;

/**
 * Changes that may explain what the model `base` leaves: specific ones first. `defaults_only`: other settings are not
 * looked at, so that changes of parameters cannot be told from others.
 */
void ic_force_fit(ic_fitted_changes *fitted, const ic_force_model *base, const ic_fit_samples *samples,
                  const ic_other_laws *others, bool defaults_only);

/** A factor for each setting, in `table`, with its range in the change. false: forces of a setting have none. */
bool ic_force_fit_factors(ic_force_change *change, double table[IC_LAW_SETTINGS_MOST],
                          const ic_force_model *base, ic_force_part part);

#endif
